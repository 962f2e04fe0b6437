//! Missions of aircraft and ships' guns: B, V and F before movement, O after it,
//! and the planes that defend their base during movement (§5).
//!
//! A mission has this order: air fight with the planes at the target's bases, anti-aircraft fire,
//! then bombs. The air fight is a battle of its own: the best general in range adds his skill, and
//! all generals in range learn.

use super::super::bases::Planes;
use super::super::desk::{Drop, Ferry, Lift, Sortie, Wing};
use super::super::events::{AirStrike, Event, Mission, SideReport};
use super::super::state::{BOMBER, NOBODY, Unit};
use super::combat::{self, Side};
use super::{Field, hangars, knowledge};
use engine::geometry::Place;

/// Step 5: B of all players in a drawn order, then V, then F.
pub fn missions(field: &mut Field) {
    let mut order: Vec<u8> = (1..=field.state.seats()).collect();
    // This order is drawn only once a turn, so it needs no place.
    field.dice.at([]).shuffle("order of players in the air", &mut order);
    for &seat in &order {
        for raid in std::mem::take(&mut field.papers[usize::from(seat)].raids) {
            bomb(field, seat, &raid);
        }
    }
    for &seat in &order {
        for drop in std::mem::take(&mut field.papers[usize::from(seat)].drops) {
            drop_troops(field, seat, &drop);
        }
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

/// Step 10: reports of observers, and attacks by two fighters or more. Planes of a ship start from
/// where it is now.
pub fn observe(field: &mut Field) {
    for seat in 1..=field.state.seats() {
        field.state.powers[usize::from(seat)].observed.clear();
    }
    for seat in 1..=field.state.seats() {
        for mut scout in std::mem::take(&mut field.papers[usize::from(seat)].scouts) {
            stay_behind(field, seat, &mut scout);
            let at = scout.target;
            if scout.wings.is_empty() {
                field.record(&[seat], Event::OutOfReach { at });
                continue;
            }
            let (sent, met) = (count(&scout.wings), patrol(field, seat, at));
            let mut left = sent;
            if let Some((base, owner)) = met {
                let first = field.events.len();
                let mut strike = AirStrike::new(Mission::Patrol, base, seat, owner, sent);
                dogfight(field, base, &mut left, &mut strike);
                report(field, first, strike);
            }
            if left.total() > 0 {
                field.state.powers[usize::from(seat)].observed.push(at);
                field.record(&[seat], Event::Observed { at, planes: left });
            }
            let met = met.map(|(base, _)| base);
            match left.total() {
                2.. => strafe(field, seat, &scout, left, met),
                _ => land(field, seat, &scout, sent - left),
            }
        }
    }
}

/// Planes whose ship has moved out of reach of their target do not start.
fn stay_behind(field: &mut Field, seat: u8, scout: &mut Sortie) {
    let (tables, grid) = (field.state.tables.clone(), field.state.grid());
    let power = &mut field.state.powers[usize::from(seat)];
    let tech = power.tech;
    scout.wings.retain_mut(|wing| {
        let Some(at) = power.base_at(wing.base) else { return true };
        let far = grid.distance(at, scout.target);
        for kind in Planes::KINDS {
            if far > tables.radius(kind, tech) {
                let stay = Planes::of(kind, wing.planes.count(kind));
                wing.planes -= stay;
                if let Some(hangar) = power.hangar_mut(wing.base) {
                    hangar.planes += stay;
                }
            }
        }
        wing.planes.total() > 0
    });
}

/// The base whose planes meet observers of an area: the nearest one with planes on watch, or one
/// right at the target. Among several, the lowest seat and base.
fn patrol(field: &Field, seat: u8, target: Place) -> Option<(Place, u8)> {
    let grid = field.state.grid();
    let radius = field.state.tables.rules.sight.observation;
    let hostile = field.state.powers[1..].iter().filter(|p| field.state.is_hostile(p.seat, seat));
    let bases =
        hostile.flat_map(|p| p.bases().map(|(base, at, hangar)| (p.seat, base, at, hangar)));
    let meets = bases.filter_map(|(owner, base, at, hangar)| {
        let far = grid.distance(at, target);
        let awake = hangar.planes.cover() > 0 && (hangar.watch > 0 || far == 0);
        (far <= radius && awake).then_some((far, owner, base, at))
    });
    meets.min().map(|(_, owner, _, at)| (at, owner))
}

fn count(wings: &[Wing]) -> Planes {
    wings.iter().map(|w| w.planes).sum()
}

fn bomb(field: &mut Field, seat: u8, raid: &Sortie) {
    let at = raid.target;
    let sent = count(&raid.wings);
    let guns = if raid.guns { guns(field, seat, at) } else { 0 };
    if sent.total() == 0 && guns == 0 {
        // The base is lost, or the ships are gone or out of reach.
        return;
    }
    let Some((target, units)) = find_target(field, seat, at) else {
        field.record(&[seat], Event::NothingToStrike { at });
        land(field, seat, raid, Planes::default());
        return;
    };
    let first = field.events.len();
    let mut strike = AirStrike::new(Mission::Bombing, at, seat, target, sent);
    strike.guns = guns;
    let mut planes = sent;
    dogfight(field, at, &mut planes, &mut strike);
    flak(field, &units, city_level(field, target, at), &mut planes, &mut strike);
    let bombs = field.state.tables.row(BOMBER).attack;
    let strength = (i64::from(planes.bombers) + guns) * bombs * 1000;
    drop_bombs(field, &mut strike, units, strength);
    report(field, first, strike);
    land(field, seat, raid, sent - planes);
}

/// Guns reach land only.
fn guns(field: &Field, seat: u8, at: Place) -> i64 {
    let power = &field.state.powers[usize::from(seat)];
    match field.state.world.is_sea(at) {
        true => 0,
        false => power.guns_at(&field.state.tables, field.state.grid(), at),
    }
}

/// The enemy that a strike hits, with its units: a seat that has units there, first the holder of
/// the city, then the one with the most regiments, then the lowest seat. If there are no units, the
/// holder of a city with walls, or of a base with planes.
pub(super) fn find_target(field: &Field, seat: u8, at: Place) -> Option<Side> {
    let viewer = &field.state.powers[usize::from(seat)];
    let holder = field.city_in(at).or(field.airbase_in(at)).map(|(_, owner)| owner);
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
        let defended = city_level(field, owner, at) > 0
            || field.state.powers[usize::from(owner)].cover_at(at) > 0;
        defended.then(|| (owner, Vec::new()))
    })
}

pub(super) fn city_level(field: &Field, owner: u8, at: Place) -> i64 {
    let city = field.state.powers[usize::from(owner)].city_at(at);
    city.map_or(0, |(_, c)| i64::from(c.level))
}

/// Place of the rolls of a strike, except those for lost regiments: sector, attacker, target, and
/// mission from 1.
fn place_of(strike: &AirStrike) -> [u32; 4] {
    [strike.at.0.into(), strike.by.into(), strike.target.into(), strike.mission as u32 + 1]
}

/// The damage of a strength with luck, in thousandths.
fn blow(field: &mut Field, strike: &AirStrike, strength: i64) -> i64 {
    let rules = field.state.tables.rules.combat.clone();
    let dice = field.dice.at(place_of(strike));
    let luck = dice.between("luck in the air", rules.luck_low, rules.luck_high);
    strength * luck / 1000 / rules.damage_divisor
}

/// The kills that damage makes among things of one toughness; a roll decides on the fraction.
fn kills(field: &mut Field, strike: &AirStrike, damage: i64, tough: i64) -> i64 {
    let tough = (tough * 1000).max(1);
    // A fraction is at most 999 per mille.
    let fraction = (damage % tough * 1000 / tough) as u32;
    let more = fraction > 0 && field.dice.at(place_of(strike)).chance("last plane", fraction);
    damage / tough + i64::from(more)
}

/// Planes that damage shoots down: jets first, then fighters, then bombers.
fn shot_down(field: &mut Field, strike: &AirStrike, damage: i64, planes: Planes) -> Planes {
    let mut down = Planes::default();
    let mut left = damage;
    for kind in Planes::KINDS {
        let there = i64::from(planes.count(kind));
        let tough = field.state.tables.row(kind).defence;
        if there == 0 {
            continue;
        }
        if left < there * tough * 1000 {
            // There are fewer than `there`.
            *down.count_mut(kind) = kills(field, strike, left, tough).min(there) as u16;
            break;
        }
        *down.count_mut(kind) = there as u16;
        left -= there * tough * 1000;
    }
    down
}

/// The seat whose planes meet a strike: the target itself, else the lowest seat with planes at a
/// base there that regards the attacker as an enemy.
fn defender(field: &Field, at: Place, strike: &AirStrike) -> Option<u8> {
    let covered = |seat: u8| field.state.powers[usize::from(seat)].cover_at(at) > 0;
    if covered(strike.target) {
        return Some(strike.target);
    }
    let others = field.state.powers.iter().map(|p| p.seat).filter(|&s| s != strike.by);
    others.into_iter().find(|&s| field.state.is_hostile(s, strike.by) && covered(s))
}

/// The air fight over enemy bases: up to three rounds. Fighters screen the bombers, and defenders
/// who face three times their strength break off. Surviving bombers go on to their target (ours).
fn dogfight(field: &mut Field, at: Place, planes: &mut Planes, strike: &mut AirStrike) {
    let Some(owner) = defender(field, at, strike) else { return };
    if planes.total() == 0 {
        return;
    }
    let tables = field.state.tables.clone();
    let pupils = combat::generals_near(field, at, &[strike.by, owner]);
    let blows = |field: &Field, seat: u8, planes: Planes| {
        let sum: i64 = Planes::KINDS
            .map(|kind| i64::from(planes.count(kind)) * tables.row(kind).air * 1000)
            .iter()
            .sum();
        sum * (100 + combat::skill_near(field, seat, at)) / 100
    };
    for _ in 0..tables.rules.combat.rounds_max {
        let cover = hangars::cover(field, owner, at);
        if cover.total() == 0 || planes.total() == 0 {
            break;
        }
        let (ours, theirs) = (blows(field, strike.by, *planes), blows(field, owner, cover));
        let dealt = blow(field, strike, ours);
        let hit = shot_down(field, strike, dealt, cover);
        let suffered = blow(field, strike, theirs);
        let taken = shot_down(field, strike, suffered, *planes);
        *planes -= taken;
        strike.lost += taken;
        strike.downed += hit;
        hangars::take(field, owner, at, hit);
        let (ours, cover) = (blows(field, strike.by, *planes), hangars::cover(field, owner, at));
        if ours >= blows(field, owner, cover) * tables.rules.combat.dislodge_ratio {
            break;
        }
    }
    combat::teach_generals(field, &pupils);
    if owner != strike.target {
        strike.defender = Some(owner);
    }
}

/// Anti-aircraft fire of units and walls; the planes that it hits are drawn.
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
    let damage = blow(field, strike, tenths * 100);
    let hits = kills(field, strike, damage, defence).min(i64::from(planes.total()));
    for _ in 0..hits {
        let dice = field.dice.at(place_of(strike));
        let hit = hangars::any_plane(dice, *planes);
        *planes -= hit;
        strike.lost += hit;
    }
}

/// Bombs hit units, or walls if there are no units.
fn drop_bombs(field: &mut Field, strike: &mut AirStrike, units: Vec<u16>, strength: i64) {
    let (at, target) = (strike.at, strike.target);
    if units.is_empty() {
        let tough = field.state.tables.rules.air.bombs_a_level;
        let damage = blow(field, strike, strength);
        let down = kills(field, strike, damage, tough);
        let city = field.state.powers[usize::from(target)].cities.values_mut().find(|c| c.at == at);
        if let Some(city) = city.filter(|c| c.level > 0) {
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
    let dice = field.dice.at(place_of(strike));
    let luck = dice.between("luck of bombs", rules.luck_low, rules.luck_high);
    let damage = strength * luck / 1000 / rules.damage_divisor;
    strike.losses =
        hit_units(field, (strike.at, strike.by), (strike.target, units), (damage, shelter));
}

/// Spreads damage in thousandths over units of a side, with a shelter, in a sector and from a seat.
pub(super) fn hit_units(
    field: &mut Field,
    from: (Place, u8),
    mut side: Side,
    (damage, shelter): (i64, i64),
) -> SideReport {
    let before = combat::muster(field, &side);
    combat::absorb(field, &mut side, damage, shelter, from);
    SideReport { seat: side.0, losses: combat::after(field, side.0, &before) }
}

/// Records a strike before its results, which are the events from number `first` on.
fn report(field: &mut Field, first: usize, strike: AirStrike) {
    combat::meet(field, strike.by, strike.target);
    let mut to = vec![strike.by, strike.target];
    to.extend(strike.defender);
    field.tell_at(first, &to, Event::AirStrike(Box::new(strike)));
}

/// Planes return to their bases, or go to the nearest own base if theirs is lost.
fn land(field: &mut Field, seat: u8, sortie: &Sortie, mut lost: Planes) {
    // The wings from the farthest base lose planes first.
    let mut home: Vec<Wing> = sortie.wings.clone();
    for wing in home.iter_mut().rev() {
        let gone = wing.planes.least(lost);
        wing.planes -= gone;
        lost -= gone;
    }
    for wing in home {
        hangars::put_down(field, seat, wing.base, wing.planes, sortie.target);
    }
}

/// Fighters of an observation attack the first enemy unit of their area, by sector number, then
/// owner, then unit. Planes that they have already met do not meet them again.
fn strafe(field: &mut Field, seat: u8, scout: &Sortie, left: Planes, met: Option<Place>) {
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
        land(field, seat, scout, sent - left);
        return;
    };
    let first = field.events.len();
    let mut strike = AirStrike::new(Mission::Strafing, at, seat, target, left);
    let mut planes = left;
    if met != Some(at) {
        dogfight(field, at, &mut planes, &mut strike);
    }
    let guards = combat::forces(field, target, at);
    let level = city_level(field, target, at);
    flak(field, &guards, level, &mut planes, &mut strike);
    let strength = ground_attack(field, planes);
    let shelter = combat::shelter(field, target, at);
    strike_units(field, &mut strike, vec![no], strength, shelter);
    report(field, first, strike);
    land(field, seat, scout, sent - planes);
}

/// The strength of fighters and jets against units, in thousandths.
fn ground_attack(field: &Field, planes: Planes) -> i64 {
    let guns = |kind: u8| i64::from(planes.count(kind)) * field.state.tables.row(kind).attack;
    Planes::KINDS.iter().filter(|k| **k != BOMBER).map(|k| guns(*k)).sum::<i64>() * 1000
}

/// The one air fight of the movement phases: planes at the bases of a sector attack enemy units
/// that entered it in this phase. Paratroops that were dropped have already met these planes.
pub fn on_watch(field: &mut Field, place: Place, mover: u8, present: &[u8]) {
    for &owner in present {
        if owner == NOBODY || !field.state.is_hostile(owner, mover) {
            continue;
        }
        let mut units = combat::forces(field, mover, place);
        units.retain(|no| {
            let unit = (mover, *no);
            field.came_from.contains_key(&unit) && !field.dropped.contains(&unit)
        });
        let sent = hangars::cover(field, owner, place);
        if sent.total() == 0 || units.is_empty() {
            continue;
        }
        let first = field.events.len();
        let mut strike = AirStrike::new(Mission::Watch, place, owner, mover, sent);
        let mut planes = sent;
        flak(field, &units, 0, &mut planes, &mut strike);
        let strength = ground_attack(field, planes);
        strike_units(field, &mut strike, units, strength, 1000);
        hangars::take(field, owner, place, sent - planes);
        report(field, first, strike);
    }
}

fn airlift(field: &mut Field, seat: u8, lift: &Lift) {
    let bombers = count(&lift.wings);
    let power = &mut field.state.powers[usize::from(seat)];
    let goal = power.base_at(lift.to);
    let units: Vec<u16> =
        lift.units.iter().copied().filter(|no| power.units.contains_key(no)).collect();
    let Some(goal) = goal else {
        // The base is lost, so nobody starts.
        for wing in &lift.wings {
            if let Some(hangar) = power.hangar_mut(wing.base) {
                hangar.planes += wing.planes;
            }
        }
        return;
    };
    for no in &units {
        if let Some(unit) = power.units.get_mut(no) {
            unit.at = goal;
        }
    }
    hangars::put_down(field, seat, lift.to, bombers, goal);
    field.record(&[seat], Event::Airlifted { units, to: lift.to, bombers: bombers.bombers });
}

/// Drops paratroops (§11): they first meet the planes and the flak of the target, and a lost bomber
/// takes its regiments along.
fn drop_troops(field: &mut Field, seat: u8, drop: &Drop) {
    let at = drop.target;
    let sent = count(&drop.wings);
    let sortie = Sortie { line: drop.line, target: at, wings: drop.wings.clone(), guns: false };
    let alive = |field: &Field| {
        let units = &field.state.powers[usize::from(seat)].units;
        drop.units.iter().copied().filter(|no| units.contains_key(no)).collect::<Vec<_>>()
    };
    if field.state.is_hot(at) || alive(field).is_empty() {
        field.record(&[seat], Event::DropCalledOff { at });
        land(field, seat, &sortie, Planes::default());
        return;
    }
    let mut planes = sent;
    if let Some((target, units)) = find_target(field, seat, at) {
        let first = field.events.len();
        let mut strike = AirStrike::new(Mission::Drop, at, seat, target, sent);
        dogfight(field, at, &mut planes, &mut strike);
        flak(field, &units, city_level(field, target, at), &mut planes, &mut strike);
        report(field, first, strike);
    }
    perish(field, seat, &drop.units, (sent - planes).bombers, at);
    let units = alive(field);
    for no in &units {
        if let Some(unit) = field.state.powers[usize::from(seat)].units.get_mut(no) {
            unit.at = at;
        }
        field.dropped.insert((seat, *no));
    }
    if !units.is_empty() {
        let sight = field.state.tables.rules.sight.unit;
        knowledge::note(field, seat, at, sight);
        field.record(&[seat], Event::Dropped { units, at });
    }
    land(field, seat, &sortie, sent - planes);
}

/// Takes one size point of troops for each lost bomber, from the last unit first.
fn perish(field: &mut Field, seat: u8, units: &[u16], bombers: u16, at: Place) {
    let mut points = u32::from(bombers);
    for &no in units.iter().rev() {
        let Some(unit) = field.state.powers[usize::from(seat)].units.get(&no).cloned() else {
            continue;
        };
        let each = field.state.row(&unit).size.max(1);
        let dead = points.div_ceil(each).min(unit.size.into()) as u16;
        points = points.saturating_sub(u32::from(dead) * each);
        if dead > 0 {
            field.record(&[seat], Event::Lost { unit: no, kind: unit.kind, size: dead, at });
            combat::kill(field, seat, no, dead);
        }
    }
}

/// Moves planes or missiles to another base, as far as it has places for them.
fn transfer(field: &mut Field, seat: u8, ferry: Ferry) {
    let Ferry { from, to, planes, missiles, warheads } = ferry;
    let power = &field.state.powers[usize::from(seat)];
    let Some(start) = power.base_at(from) else { return };
    let fit = hangars::fitting(field, seat, to, planes);
    let arms = hangars::arms_fitting(field, seat, to, (missiles, warheads));
    hangars::put_down(field, seat, from, planes - fit, start);
    hangars::store(field, seat, from, (missiles - arms.0, warheads - arms.1));
    if let Some(hangar) = field.state.powers[usize::from(seat)].hangar_mut(to) {
        hangar.planes += fit;
        (hangar.missiles, hangar.warheads) = (hangar.missiles + arms.0, hangar.warheads + arms.1);
    }
    if fit.total() + arms.0 + arms.1 > 0 {
        let told = Event::Ferried { from, to, planes: fit, missiles: arms };
        field.record(&[seat], told);
    }
    if fit != planes || arms != (missiles, warheads) {
        let told = Event::NoPlace { to, planes: planes - fit };
        field.record(&[seat], told);
    }
}
