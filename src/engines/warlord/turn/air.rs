//! Missions of aircraft and ships' guns: B, V and F before movement, O after it,
//! and the fighters that defend their base during movement (§5).
//!
//! A mission is fought in this order: air fight with the fighters at the target's
//! base, anti-aircraft fire, then bombs. Generals take no part (ours).

use super::super::desk::{Ferry, Lift, Sortie, Wing};
use super::super::events::{AirStrike, Event, Mission, Planes, SideReport};
use super::super::state::{BOMBER, FIGHTER, NOBODY, Unit};
use super::Field;
use super::combat::{self, Side};
use engine::geometry::Place;

/// Step 5: B of all players in drawn order, then V, then F.
pub fn missions(field: &mut Field) {
    let mut order: Vec<u8> = (1..=field.state.seats()).collect();
    // The one order of the turn; it has no place.
    field.dice.at([]).shuffle("order of players in the air", &mut order);
    for &seat in &order {
        for raid in std::mem::take(&mut field.papers[usize::from(seat)].raids) {
            bomb(field, seat, &raid);
        }
    }
    for &seat in &order {
        for lift in std::mem::take(&mut field.papers[usize::from(seat)].lifts) {
            airlift(field, seat, &lift);
        }
    }
    for &seat in &order {
        for ferry in std::mem::take(&mut field.papers[usize::from(seat)].ferries) {
            transfer(field, seat, ferry);
        }
    }
}

/// Step 10: reports, and attacks by two fighters or more.
pub fn observe(field: &mut Field) {
    for seat in 1..=field.state.seats() {
        field.state.powers[usize::from(seat)].observed.clear();
    }
    for seat in 1..=field.state.seats() {
        for scout in std::mem::take(&mut field.papers[usize::from(seat)].scouts) {
            let fighters: u16 = scout.wings.iter().map(|w| w.fighters).sum();
            field.state.powers[usize::from(seat)].observed.push(scout.target);
            field.tell(&[seat], Event::Observed { at: scout.target, fighters });
            if fighters >= 2 {
                strafe(field, seat, &scout);
            } else {
                land(field, seat, &scout, Planes::default());
            }
        }
    }
}

fn count(wings: &[Wing]) -> Planes {
    let fighters = wings.iter().map(|w| w.fighters).sum();
    Planes { fighters, bombers: wings.iter().map(|w| w.bombers).sum() }
}

fn bomb(field: &mut Field, seat: u8, raid: &Sortie) {
    let at = raid.target;
    let sent = count(&raid.wings);
    let guns = guns(field, seat, at);
    let Some((target, units)) = find_target(field, seat, at) else {
        field.tell(&[seat], Event::NothingToStrike { at });
        land(field, seat, raid, Planes::default());
        return;
    };
    let mut strike = AirStrike::new(Mission::Bombing, at, seat, target, sent);
    strike.guns = guns;
    let mut planes = sent;
    dogfight(field, at, &mut planes, &mut strike);
    flak(field, &units, city_level(field, target, at), &mut planes, &mut strike);
    let bombs = field.state.tables.row(BOMBER).attack;
    let strength = (i64::from(planes.bombers) + guns) * bombs * 1000;
    drop_bombs(field, &mut strike, units, strength);
    report(field, strike);
    land(field, seat, raid, lost(sent, planes));
}

fn lost(sent: Planes, left: Planes) -> Planes {
    Planes { fighters: sent.fighters - left.fighters, bombers: sent.bombers - left.bombers }
}

/// Guns reach land only.
fn guns(field: &Field, seat: u8, at: Place) -> i64 {
    let power = &field.state.powers[usize::from(seat)];
    match field.state.world.is_sea(at) {
        true => 0,
        false => power.guns_at(&field.state.tables, field.state.grid(), at),
    }
}

/// The enemy that a strike falls on and its units: whoever has units there, the
/// holder of the city first, then the most regiments, then the lowest seat; else
/// the holder of a city that has walls.
fn find_target(field: &Field, seat: u8, at: Place) -> Option<Side> {
    let viewer = &field.state.powers[usize::from(seat)];
    let holder = field.city_in(at).map(|(_, owner)| owner);
    let mut sides: Vec<(bool, u32, u8, Vec<u16>)> = Vec::new();
    for power in &field.state.powers {
        let seen = |u: &Unit| u.at == at && u.aboard.is_none() && field.state.makes_out(viewer, u);
        if !field.state.is_hostile(seat, power.seat) {
            continue;
        }
        let units: Vec<u16> =
            power.units.iter().filter(|(_, u)| seen(u)).map(|(n, _)| *n).collect();
        let regiments = units.iter().map(|n| u32::from(power.units[n].size)).sum();
        if regiments > 0 {
            sides.push((Some(power.seat) == holder, regiments, power.seat, units));
        }
    }
    sides.sort_by_key(|s| std::cmp::Reverse((s.0, s.1, std::cmp::Reverse(s.2))));
    let first = sides.into_iter().next().map(|(_, _, seat, units)| (seat, units));
    first.or_else(|| {
        let owner = holder.filter(|&o| field.state.is_hostile(seat, o))?;
        (city_level(field, owner, at) > 0).then(|| (owner, Vec::new()))
    })
}

fn city_level(field: &Field, owner: u8, at: Place) -> i64 {
    let city = field.state.powers[usize::from(owner)].city_at(at);
    city.map_or(0, |(_, c)| i64::from(c.level))
}

/// Place of the rolls of a strike, but lost regiments: sector, who flies, who is
/// attacked, and the mission, 1 to 3.
fn place_of(strike: &AirStrike) -> [u32; 4] {
    [strike.at.0.into(), strike.by.into(), strike.target.into(), strike.mission as u32 + 1]
}

/// Kills that a strength deals to things of one toughness; the fraction is drawn.
fn kills(field: &mut Field, strike: &AirStrike, strength: i64, tough: i64) -> i64 {
    let rules = field.state.tables.rules.combat.clone();
    let dice = field.dice.at(place_of(strike));
    let luck = dice.between("luck in the air", rules.luck_low, rules.luck_high);
    let damage = strength * luck / 1000 / rules.damage_divisor;
    let tough = (tough * 1000).max(1);
    // A fraction is at most 999 per mille.
    let fraction = (damage % tough * 1000 / tough) as u32;
    let more = fraction > 0 && dice.chance("last plane", fraction);
    damage / tough + i64::from(more)
}

/// The air fight over an enemy base: up to three rounds; fighters screen the
/// bombers, and defenders against three times their strength break off. Bombers
/// that live go on to their target (ours).
fn dogfight(field: &mut Field, at: Place, planes: &mut Planes, strike: &mut AirStrike) {
    let Some((number, owner)) = field.city_in(at) else { return };
    let defends = owner == strike.target || field.state.is_hostile(owner, strike.by);
    if !defends || owner == strike.by {
        return;
    }
    let tables = field.state.tables.clone();
    let (fighter, bomber) = (tables.row(FIGHTER), tables.row(BOMBER));
    let blow = |p: &Planes| {
        (i64::from(p.fighters) * fighter.air + i64::from(p.bombers) * bomber.air) * 1000
    };
    let at_base = |field: &Field| {
        let city = field.state.powers[usize::from(owner)].cities.get(&number);
        Planes { fighters: city.map_or(0, |c| c.fighters), bombers: 0 }
    };
    for _ in 0..tables.rules.combat.rounds_max {
        let defenders = at_base(field);
        if defenders.fighters == 0 || planes.total() == 0 {
            break;
        }
        let (ours, theirs) = (blow(planes), blow(&defenders));
        let hit =
            kills(field, strike, ours, fighter.defence).min(i64::from(defenders.fighters)) as u16;
        let taken =
            kills(field, strike, theirs, fighter.defence).min(i64::from(planes.total())) as u16;
        let screen = taken.min(planes.fighters);
        planes.fighters -= screen;
        planes.bombers -= taken - screen;
        strike.lost.fighters += screen;
        strike.lost.bombers += taken - screen;
        strike.downed += hit;
        if let Some(city) = field.state.powers[usize::from(owner)].cities.get_mut(&number) {
            city.fighters -= hit;
        }
        if blow(planes) >= blow(&at_base(field)) * tables.rules.combat.dislodge_ratio {
            break;
        }
    }
    if strike.downed > 0 && owner != strike.target {
        strike.defender = Some(owner);
    }
}

/// Anti-aircraft fire of units and walls; which plane is hit is drawn.
fn flak(field: &mut Field, units: &[u16], level: i64, planes: &mut Planes, strike: &mut AirStrike) {
    if planes.total() == 0 {
        return;
    }
    let power = &field.state.powers[usize::from(strike.target)];
    let fire = |no: &u16| {
        let unit = power.units.get(no)?;
        Some(field.state.row(unit).flak * i64::from(unit.size))
    };
    let tenths: i64 = units.iter().filter_map(fire).sum::<i64>()
        + level * field.state.tables.rules.air.city_level_flak;
    let defence = field.state.tables.row(BOMBER).defence;
    let hits = kills(field, strike, tenths * 100, defence).min(i64::from(planes.total()));
    for _ in 0..hits {
        let dice = field.dice.at(place_of(strike));
        if dice.below("plane hit", u32::from(planes.total())) < u32::from(planes.fighters) {
            planes.fighters -= 1;
            strike.lost.fighters += 1;
        } else {
            planes.bombers -= 1;
            strike.lost.bombers += 1;
        }
    }
}

/// Bombs on units; without units on the walls.
fn drop_bombs(field: &mut Field, strike: &mut AirStrike, units: Vec<u16>, strength: i64) {
    let (at, target) = (strike.at, strike.target);
    if units.is_empty() {
        let tough = field.state.tables.rules.air.bombs_a_level;
        let down = kills(field, strike, strength, tough);
        let city = field.state.powers[usize::from(target)].cities.values_mut().find(|c| c.at == at);
        if let Some(city) = city {
            let before = city.level;
            city.level -= down.min(i64::from(before)) as u8;
            strike.walls = Some((before, city.level));
        }
        return;
    }
    let shelter = combat::shelter(field, target, at);
    strike_units(field, strike, units, strength, shelter);
}

fn strike_units(
    field: &mut Field,
    strike: &mut AirStrike,
    units: Vec<u16>,
    strength: i64,
    shelter: i64,
) {
    let rules = field.state.tables.rules.combat.clone();
    let mut side: Side = (strike.target, units);
    let before = combat::muster(field, &side);
    let dice = field.dice.at(place_of(strike));
    let luck = dice.between("luck of bombs", rules.luck_low, rules.luck_high);
    let damage = strength * luck / 1000 / rules.damage_divisor;
    combat::absorb(field, &mut side, damage, shelter, (strike.at, strike.by));
    let losses = combat::after(field, strike.target, &before);
    strike.losses = SideReport { seat: strike.target, losses };
}

fn report(field: &mut Field, strike: AirStrike) {
    combat::meet(field, strike.by, strike.target);
    let mut to = vec![strike.by, strike.target];
    to.extend(strike.defender);
    field.tell(&to, Event::AirStrike(Box::new(strike)));
}

/// Planes come back to their bases, or to the nearest own one if theirs is lost.
fn land(field: &mut Field, seat: u8, sortie: &Sortie, mut lost: Planes) {
    let reach = |field: &Field, kind: u8| {
        field.state.tables.reach(kind, field.state.powers[usize::from(seat)].tech)
    };
    // The wings from furthest away bear the losses first.
    let mut home: Vec<Wing> = sortie.wings.clone();
    for wing in home.iter_mut().rev() {
        let (f, b) = (wing.fighters.min(lost.fighters), wing.bombers.min(lost.bombers));
        wing.fighters -= f;
        wing.bombers -= b;
        lost.fighters -= f;
        lost.bombers -= b;
    }
    for wing in home.into_iter().filter(|w| w.fighters + w.bombers > 0) {
        let power = &field.state.powers[usize::from(seat)];
        let far = reach(field, if wing.bombers > 0 { BOMBER } else { FIGHTER });
        let base = match power.cities.contains_key(&wing.base) {
            true => Some(wing.base),
            false => {
                let grid = field.state.grid();
                let near =
                    power.cities.iter().map(|(n, c)| (grid.distance(c.at, sortie.target), *n));
                near.filter(|(d, _)| *d <= far).min().map(|(_, n)| n)
            }
        };
        let Wing { base: from, fighters, bombers } = wing;
        if base != Some(from) {
            field.tell(&[seat], Event::BaseLost { from, to: base, fighters, bombers });
        }
        let power = &mut field.state.powers[usize::from(seat)];
        if let Some(city) = base.and_then(|b| power.cities.get_mut(&b)) {
            city.fighters += fighters;
            city.bombers += bombers;
        }
    }
}

/// Fighters of an observation attack the first enemy unit of their area: lowest
/// sector number, then owner, then unit.
fn strafe(field: &mut Field, seat: u8, scout: &Sortie) {
    let grid = field.state.grid();
    let viewer = &field.state.powers[usize::from(seat)];
    let radius = field.state.tables.rules.sight.observation;
    let mut found: Vec<(i32, i32, u8, u16, Place)> = Vec::new();
    for power in field.state.powers.iter().filter(|p| field.state.is_hostile(seat, p.seat)) {
        for (no, unit) in power.units.iter().filter(|(_, u)| u.aboard.is_none()) {
            let near = grid.distance(unit.at, scout.target) <= radius;
            if near && field.state.makes_out(viewer, unit) {
                found.push((grid.col(unit.at), grid.row(unit.at), power.seat, *no, unit.at));
            }
        }
    }
    let sent = count(&scout.wings);
    let Some((_, _, target, no, at)) = found.into_iter().min() else {
        land(field, seat, scout, Planes::default());
        return;
    };
    let mut strike = AirStrike::new(Mission::Strafing, at, seat, target, sent);
    let mut planes = sent;
    dogfight(field, at, &mut planes, &mut strike);
    let guards = combat::forces(field, target, at);
    let level = city_level(field, target, at);
    flak(field, &guards, level, &mut planes, &mut strike);
    let strength = i64::from(planes.fighters) * field.state.tables.row(FIGHTER).attack * 1000;
    let shelter = combat::shelter(field, target, at);
    strike_units(field, &mut strike, vec![no], strength, shelter);
    report(field, strike);
    land(field, seat, scout, lost(sent, planes));
}

/// The one air fight of the movement phases: fighters at a base fall on enemy
/// units that entered its sector in this phase.
pub fn on_watch(field: &mut Field, place: Place, mover: u8) {
    let Some((number, owner)) = field.city_in(place) else { return };
    if owner == NOBODY || !field.state.is_hostile(owner, mover) {
        return;
    }
    let mut units = combat::forces(field, mover, place);
    units.retain(|no| field.came_from.contains_key(&(mover, *no)));
    let fighters = field.state.powers[usize::from(owner)].cities[&number].fighters;
    if fighters == 0 || units.is_empty() {
        return;
    }
    let sent = Planes { fighters, bombers: 0 };
    let mut strike = AirStrike::new(Mission::Watch, place, owner, mover, sent);
    let mut planes = sent;
    flak(field, &units, 0, &mut planes, &mut strike);
    let strength = i64::from(planes.fighters) * field.state.tables.row(FIGHTER).attack * 1000;
    strike_units(field, &mut strike, units, strength, 1000);
    let lost = strike.lost.fighters;
    if let Some(city) = field.state.powers[usize::from(owner)].cities.get_mut(&number) {
        city.fighters -= lost;
    }
    report(field, strike);
}

fn airlift(field: &mut Field, seat: u8, lift: &Lift) {
    let power = &mut field.state.powers[usize::from(seat)];
    let Some(goal) = power.cities.get(&lift.to).map(|c| c.at) else { return };
    let mut moved = Vec::new();
    for no in &lift.units {
        if let Some(unit) = power.units.get_mut(no) {
            moved.push(*no);
            unit.at = goal;
        }
    }
    let bombers: u16 = lift.wings.iter().map(|w| w.bombers).sum();
    if let Some(city) = power.cities.get_mut(&lift.to) {
        city.bombers += bombers;
    }
    field.tell(&[seat], Event::Airlifted { units: moved, to: lift.to, bombers });
}

fn transfer(field: &mut Field, seat: u8, ferry: Ferry) {
    let Ferry { from, to, fighters, bombers } = ferry;
    if let Some(city) = field.state.powers[usize::from(seat)].cities.get_mut(&to) {
        city.fighters += fighters;
        city.bombers += bombers;
    }
    field.tell(&[seat], Event::Ferried { from, to, fighters, bombers });
}
