//! Battles over land, at sea and for cities (§4).

use super::super::bases::{Airbase, BaseNo, Hangar};
use super::super::events::{Ending, Event, Loss, News, Odds, SideReport};
use super::super::state::{Billet, Centre, DESTROYER, NOBODY, Unit, is_land};
use super::super::tables::Class;
use super::{Field, hangars};
use engine::geometry::Place;

/// Units of a power that stand in a sector, not aboard, by number.
pub(super) fn forces(field: &Field, seat: u8, place: Place) -> Vec<u16> {
    let here = |u: &Unit| u.at == place && u.aboard.is_none();
    let power = &field.state.powers[usize::from(seat)];
    power.units.iter().filter(|(_, u)| here(u)).map(|(n, _)| *n).collect()
}

/// The units of a power that can attack in a sector: on land, only land units.
pub(super) fn attackers(field: &Field, seat: u8, place: Place) -> Vec<u16> {
    let at_sea = field.state.world.is_sea(place);
    let mut units = forces(field, seat, place);
    units.retain(|&no| (field.class(seat, no) == Class::Ship) == at_sea);
    units
}

/// A side in a battle.
pub(super) type Side = (u8, Vec<u16>);

/// One battle between two sides, to the end.
pub(super) fn battle(field: &mut Field, place: Place, phase: u8, mut att: Side, mut def: Side) {
    let rules = field.state.tables.rules.combat.clone();
    let before = [muster(field, &att), muster(field, &def)];
    let first = field.events.len();
    let pupils = generals_near(field, place, &[att.0, def.0]);
    let shelter = shelter(field, def.0, place);
    let odds = Odds {
        strength: [strength(field, &att, place), strength(field, &def, place)],
        generals: [leader(field, att.0, place), leader(field, def.0, place)],
        ground: field.state.world.ground(place) as u8,
        shelter,
        rebels: !field.is_free_city(place),
    };
    surprise(field, place, &att, &mut def, shelter);
    surprise(field, place, &def, &mut att, 1000);
    let mut ending = None;
    for _ in 0..rules.rounds_max {
        ending = destroyed(&att, &def);
        if ending.is_some() {
            break;
        }
        let blows = [&att, &def].map(|side| strength(field, side, place));
        // Place of the roll: sector, attacker, defender.
        let dice = field.dice.at([place.0.into(), att.0.into(), def.0.into()]);
        let luck = [(); 2].map(|()| dice.between("luck", rules.luck_low, rules.luck_high));
        let damage = |i: usize| blows[i] * luck[i] / 1000 / rules.damage_divisor;
        absorb(field, &mut def, damage(0), shelter, (place, att.0));
        absorb(field, &mut att, damage(1), 1000, (place, def.0));
        ending = destroyed(&att, &def);
        if ending.is_some() {
            break;
        }
        let (ours, theirs) = (strength(field, &att, place), strength(field, &def, place));
        if ours > 0 && ours >= theirs * rules.dislodge_ratio {
            ending = Some(Ending::DefenderDislodged);
            break;
        }
    }
    let ending = ending.unwrap_or(Ending::AttackerRepelled);
    teach_generals(field, &pupils);
    let losses = |side: &Side, before: &[Loss]| SideReport {
        seat: side.0,
        losses: after(field, side.0, before),
    };
    let (attacker, defender) = (losses(&att, &before[0]), losses(&def, &before[1]));
    let told = Event::Battle { at: place, phase, attacker, defender, ending, odds };
    field.tell_at(first, &[att.0, def.0], told);
    meet(field, att.0, def.0);
    match ending {
        Ending::DefenderDestroyed | Ending::DefenderDislodged => {
            if ending == Ending::DefenderDislodged {
                def.1.iter().for_each(|&no| retreat(field, def.0, no, None));
            }
            promote(field, &att);
        }
        Ending::AttackerDestroyed | Ending::AttackerRepelled => {
            if ending == Ending::AttackerRepelled {
                send_back(field, &att);
            }
            promote(field, &def);
        }
        Ending::BothDestroyed => {}
    }
}

fn destroyed(att: &Side, def: &Side) -> Option<Ending> {
    match (att.1.is_empty(), def.1.is_empty()) {
        (true, true) => Some(Ending::BothDestroyed),
        (true, false) => Some(Ending::AttackerDestroyed),
        (false, true) => Some(Ending::DefenderDestroyed),
        (false, false) => None,
    }
}

pub(super) fn muster(field: &Field, side: &Side) -> Vec<Loss> {
    let units = &field.state.powers[usize::from(side.0)].units;
    let row = |no: &u16| {
        let unit = units.get(no)?;
        Some(Loss { unit: *no, kind: unit.kind, before: unit.size, after: unit.size })
    };
    side.1.iter().filter_map(row).collect()
}

pub(super) fn after(field: &Field, seat: u8, before: &[Loss]) -> Vec<Loss> {
    let units = &field.state.powers[usize::from(seat)].units;
    let now = |l: &Loss| Loss { after: units.get(&l.unit).map_or(0, |u| u.size), ..l.clone() };
    before.iter().map(now).collect()
}

/// Thousandths of strength: regiments × attack × rank × the best general near.
fn strength(field: &Field, side: &Side, place: Place) -> i64 {
    let (rules, power) = (&field.state.tables.rules, &field.state.powers[usize::from(side.0)]);
    let blow = |no: &u16| {
        let unit = power.units.get(no)?;
        let rank = 1000 + 10 * rules.combat.rank_bonus_percent * i64::from(unit.rank);
        Some(i64::from(unit.size) * field.state.row(unit).attack * rank)
    };
    let skill = leader(field, side.0, place).map_or(0, |(_, skill)| i64::from(skill));
    side.1.iter().filter_map(blow).sum::<i64>() * (100 + skill) / 100
}

/// Skill of the best general of a seat in range of a sector, in per cent.
pub(super) fn skill_near(field: &Field, seat: u8, place: Place) -> i64 {
    leader(field, seat, place).map_or(0, |(_, skill)| i64::from(skill))
}

/// The best general of a power in range of a sector: number from 1, and skill.
fn leader(field: &Field, seat: u8, place: Place) -> Option<(u8, u8)> {
    let power = &field.state.powers[usize::from(seat)];
    let range = field.state.tables.rules.generals.range;
    let near = (1u8..).zip(&power.generals).filter(|(_, g)| {
        let at = power.general_at(g);
        at.is_some_and(|at| field.state.grid().distance(at, place) <= range)
    });
    // The first among equals.
    near.map(|(n, g)| (n, g.skill)).min_by_key(|(n, skill)| (std::cmp::Reverse(*skill), *n))
}

/// Toughness of a defender in per mille, by the ground and the levels of an own city.
pub(super) fn shelter(field: &Field, defender: u8, place: Place) -> i64 {
    let tables = &field.state.tables;
    let ground = tables.ground(field.state.world.ground(place)).shelter * 10;
    let level = field.state.powers[usize::from(defender)]
        .city_at(place)
        .map_or(0, |(_, city)| i64::from(city.level));
    let open = ground + level * tables.rules.combat.city_level_shelter_percent * 10;
    let works = field.state.works.get(&place);
    let fort =
        works.is_some_and(|w| w.fort) && field.state.control[usize::from(place.0)] == defender;
    if fort { open * tables.rules.works.fort_percent / 100 } else { open }
}

/// §4, sea: submarines attack first if the enemy has no destroyer.
fn surprise(field: &mut Field, place: Place, from: &Side, to: &mut Side, shelter: i64) {
    let rules = field.state.tables.rules.combat.clone();
    let kind =
        |seat: u8, no: &u16| field.state.powers[usize::from(seat)].units.get(no).map(|u| u.kind);
    let hides =
        |seat: u8, no: &u16| kind(seat, no).is_some_and(|k| field.state.tables.row(k).hidden);
    let guarded = to.1.iter().any(|no| kind(to.0, no) == Some(DESTROYER));
    let boats: Vec<u16> = from.1.iter().copied().filter(|no| hides(from.0, no)).collect();
    if guarded || boats.is_empty() || !field.state.world.is_sea(place) {
        return;
    }
    // Place of the roll: sector, attacker, target.
    let dice = field.dice.at([place.0.into(), from.0.into(), to.0.into()]);
    let luck = dice.between("luck of a surprise", rules.luck_low, rules.luck_high);
    let blow = strength(field, &(from.0, boats), place);
    let damage = blow * luck / 1000 / rules.damage_divisor;
    absorb(field, to, damage, shelter, (place, from.0));
}

/// Spreads damage over a side in proportion to its regiments. The lowest ranks come first, so that
/// damage that is too much for one unit falls on the next; a roll decides on the fraction. Units
/// without regiments are removed. The damage falls in sector `place` and comes from power `by`.
pub(super) fn absorb(
    field: &mut Field,
    side: &mut Side,
    damage: i64,
    shelter: i64,
    (place, by): (Place, u8),
) {
    let seat = side.0;
    let units = &field.state.powers[usize::from(seat)].units;
    let mut order: Vec<u16> = side.1.clone();
    order.sort_by_key(|no| (units.get(no).map(|u| u.rank), *no));
    let mut left = damage;
    let mut regiments: i64 =
        order.iter().filter_map(|no| units.get(no)).map(|u| i64::from(u.size)).sum();
    for no in order {
        let Some(unit) = field.state.powers[usize::from(seat)].units.get(&no).cloned() else {
            continue;
        };
        let size = i64::from(unit.size);
        let tough = (field.state.row(&unit).defence * shelter).max(1);
        let share = (left * size / regiments.max(1)).min(size * tough);
        left -= share;
        regiments -= size;
        let mut dead = share / tough;
        // A fraction is at most 999 per mille.
        let fraction = (share % tough * 1000 / tough) as u32;
        // Place of the roll: sector, power, unit, attacker.
        let dice = field.dice.at([place.0.into(), seat.into(), no.into(), by.into()]);
        if fraction > 0 && dice.chance("last regiment", fraction) {
            dead += 1;
        }
        kill(field, seat, no, dead.min(size) as u16);
    }
    side.1.retain(|no| field.state.powers[usize::from(seat)].units.contains_key(no));
}

/// Takes regiments or ships from a unit; cargo without room is lost.
pub(super) fn kill(field: &mut Field, seat: u8, no: u16, dead: u16) {
    let power = &mut field.state.powers[usize::from(seat)];
    let Some(unit) = power.units.get_mut(&no) else { return };
    unit.size -= dead.min(unit.size);
    if dead > 0 && unit.size > 0 {
        drown_surplus(field, seat, no);
        hangars::shrink(field, seat, no);
    }
    let gone = field.state.powers[usize::from(seat)].units.get(&no).is_some_and(|u| u.size == 0);
    if gone {
        remove(field, seat, no);
    }
}

/// Loses the regiments that have no room on the remaining ships, from the last unit first.
fn drown_surplus(field: &mut Field, seat: u8, ship: u16) {
    let tables = field.state.tables.clone();
    let power = &field.state.powers[usize::from(seat)];
    let Some(flotilla) = power.units.get(&ship) else { return };
    let mut room = tables.row(flotilla.kind).carries * u32::from(flotilla.size);
    for no in power.cargo(ship).collect::<Vec<_>>() {
        let Some(unit) = field.state.powers[usize::from(seat)].units.get_mut(&no) else { continue };
        let points = tables.row(unit.kind).size.max(1);
        let saved = u32::from(unit.size).min(room / points);
        room -= saved * points;
        let (kind, size) = (unit.kind, unit.size - saved as u16);
        unit.size = saved as u16;
        if size > 0 {
            field.record(&[seat], Event::Drowned { unit: no, kind, size });
        }
        if saved == 0 {
            remove(field, seat, no);
        }
    }
}

/// Removes a unit with its cargo; generals with them are lost.
pub(super) fn remove(field: &mut Field, seat: u8, no: u16) {
    let power = &mut field.state.powers[usize::from(seat)];
    let Some(unit) = power.units.remove(&no) else { return };
    let cargo: Vec<u16> = power.cargo(no).collect();
    for carried in cargo {
        let lost = power_unit(field, seat, carried);
        if let Some(Unit { kind, size, .. }) = lost {
            let at = unit.at;
            field.record(&[seat], Event::Lost { unit: carried, kind, size, at });
        }
        remove(field, seat, carried);
    }
    let deck = field.state.powers[usize::from(seat)].decks.remove(&no);
    if let Some(lost) = deck.filter(|d| !d.is_empty()) {
        hangars::gone(field, seat, BaseNo::Ship(no), &lost, &Hangar::default());
    }
    lose_generals(field, seat, Billet::Unit(no), unit.at);
}

fn power_unit(field: &Field, seat: u8, no: u16) -> Option<Unit> {
    field.state.powers[usize::from(seat)].units.get(&no).cloned()
}

/// The generals at a post are lost in this sector; others take their places.
pub(super) fn lose_generals(field: &mut Field, seat: u8, billet: Billet, at: Place) {
    let power = &mut field.state.powers[usize::from(seat)];
    for i in 0..power.generals.len() {
        if field.state.powers[usize::from(seat)].generals[i].billet == Some(billet) {
            let power = &field.state.powers[usize::from(seat)];
            let taken: Vec<String> = power.generals.iter().map(|g| g.name.clone()).collect();
            let lost = taken[i].clone();
            // Place of the roll: power, general. Generals are numbered from 1, and there are few.
            let number = i as u8 + 1;
            let dice = field.dice.at([seat.into(), number.into()]);
            let name = super::super::names::general(&taken, dice);
            let power = &mut field.state.powers[usize::from(seat)];
            let city = power.replace_general(i, name.clone());
            field.record(
                &[seat],
                Event::GeneralLost { general: number, at: Some(at), city, lost, name },
            );
        }
    }
}

/// A general of a seat, by index, and where they were billeted.
pub(super) type Pupil = (u8, usize, Option<Billet>);

/// The generals of both sides in range of a battle that is about to begin.
pub(super) fn generals_near(field: &Field, place: Place, sides: &[u8]) -> Vec<Pupil> {
    let (grid, range) = (field.state.grid(), field.state.tables.rules.generals.range);
    let mut found = Vec::new();
    for &seat in sides {
        let power = &field.state.powers[usize::from(seat)];
        for (i, general) in power.generals.iter().enumerate() {
            let at = power.general_at(general);
            if at.is_some_and(|at| grid.distance(at, place) <= range) {
                found.push((seat, i, general.billet));
            }
        }
    }
    found
}

/// Gives one point to each of these generals, up to the limit of a turn and the highest skill. The
/// successor of a general who was lost in the battle gets none, as he was not there.
pub(super) fn teach_generals(field: &mut Field, pupils: &[Pupil]) {
    let rules = field.state.tables.rules.generals.clone();
    for &(seat, i, billet) in pupils {
        let general = &mut field.state.powers[usize::from(seat)].generals[i];
        let alive = general.billet == billet;
        if alive && general.gained < rules.gain_max_a_turn && general.skill < rules.skill_max {
            general.gained += 1;
            general.skill += 1;
        }
    }
}

/// One line for each general who learned something in the movement phases.
pub fn report_skills(field: &mut Field) {
    for seat in 1..=field.state.seats() {
        let generals = field.state.powers[usize::from(seat)].generals.iter();
        let learnt: Vec<Event> = (1u8..)
            .zip(generals)
            .filter(|(_, g)| g.gained > 0)
            .map(|(general, g)| Event::Skill { general, gained: g.gained, skill: g.skill })
            .collect();
        learnt.into_iter().for_each(|event| field.record(&[seat], event));
    }
}

fn promote(field: &mut Field, side: &Side) {
    let most = field.state.tables.rules.combat.rank_max;
    for &no in &side.1 {
        let power = &mut field.state.powers[usize::from(side.0)];
        let Some(unit) = power.units.get_mut(&no).filter(|u| u.rank < most) else { continue };
        unit.rank += 1;
        let rank = unit.rank;
        field.record(&[side.0], Event::Promoted { unit: no, rank });
    }
}

/// Attackers go back to the sectors from which they came in this phase.
fn send_back(field: &mut Field, side: &Side) {
    for &no in &side.1 {
        let from = field.came_from.get(&(side.0, no)).copied();
        retreat(field, side.0, no, from);
    }
}

/// Moves a unit out of a lost battle: home if that is given and free, else into a free neighbouring
/// sector, first to own land, then by the lowest direction code.
pub(super) fn retreat(field: &mut Field, seat: u8, no: u16, home: Option<Place>) {
    let Some(unit) = power_unit(field, seat, no) else { return };
    if field.dropped.contains(&(seat, no)) {
        // §11: paratroops that were dropped cannot retreat.
        lose_unit(field, seat, no);
        return;
    }
    let home = home.filter(|&p| is_free(field, seat, no, p));
    let ahead = field.state.grid().neighbours(unit.at).map(|(_, p)| p);
    let free: Vec<Place> = ahead.filter(|&p| is_free(field, seat, no, p)).collect();
    let own = free.iter().find(|p| field.state.control[usize::from(p.0)] == seat);
    let to = home.or(own.copied()).or(free.first().copied());
    field.stopped.insert((seat, no));
    let Some(to) = to else {
        lose_unit(field, seat, no);
        return;
    };
    let ship = ship_with_room(field, seat, no, to);
    let power = &mut field.state.powers[usize::from(seat)];
    let cargo: Vec<u16> = power.cargo(no).collect();
    for moved in std::iter::once(no).chain(cargo) {
        if let Some(unit) = power.units.get_mut(&moved) {
            unit.at = to;
        }
    }
    if let (Some(unit), true) = (power.units.get_mut(&no), ship.is_some()) {
        unit.aboard = ship;
    }
    super::knowledge::note(field, seat, to, field.state.tables.rules.sight.unit);
    field.stands.entry(to).or_default().push(seat);
    field.came_from.remove(&(seat, no));
    field.record(&[seat], Event::Retreated { unit: no, from: unit.at, to });
}

/// Loses a unit that has no way out.
fn lose_unit(field: &mut Field, seat: u8, no: u16) {
    let Some(Unit { kind, size, at, .. }) = power_unit(field, seat, no) else { return };
    field.stopped.insert((seat, no));
    field.record(&[seat], Event::Lost { unit: no, kind, size, at });
    remove(field, seat, no);
}

/// A friendly ship at sea with room for a land unit.
fn ship_with_room(field: &Field, seat: u8, no: u16, place: Place) -> Option<u16> {
    let (tables, power) = (&field.state.tables, &field.state.powers[usize::from(seat)]);
    let unit = power.units.get(&no)?;
    if !field.state.world.is_sea(place) || !is_land(field.class(seat, no)) {
        return None;
    }
    let need = tables.row(unit.kind).size * u32::from(unit.size);
    let here = power.units.iter().filter(|(_, u)| u.at == place);
    here.map(|(n, _)| *n).find(|&n| power.room(tables, n) >= need)
}

/// Whether a unit can retreat into a sector: passable and without enemies.
fn is_free(field: &Field, seat: u8, no: u16, place: Place) -> bool {
    let class = field.class(seat, no);
    let sea = field.state.world.is_sea(place);
    let city = field.city_in(place);
    let passable = match class {
        Class::Ship => sea || city.is_some_and(|(_, owner)| owner == seat),
        _ if sea => ship_with_room(field, seat, no, place).is_some(),
        _ => field.state.land_cost(class, place).is_some(),
    };
    let enemy =
        |other: u8| field.state.is_hostile(seat, other) || field.state.is_hostile(other, seat);
    // Powers that were there when the fights began, or retreated there since. Some of their units
    // may be gone, so each is checked.
    let holds = |other: u8| {
        let power = &field.state.powers[usize::from(other)];
        other != seat && enemy(other) && power.units.values().any(|u| u.at == place)
    };
    passable
        && !city.is_some_and(|(_, owner)| owner != seat && enemy(owner))
        && !field.stands.get(&place).is_some_and(|there| there.iter().any(|&p| holds(p)))
}

/// The attack on the city itself; at level 0 it falls.
pub(super) fn assault(
    field: &mut Field,
    place: Place,
    city: u16,
    seat: u8,
    owner: u8,
    units: Vec<u16>,
) {
    let rules = field.state.tables.rules.combat.clone();
    let mut side: Side = (seat, units);
    let level = |field: &Field| {
        field.state.powers[usize::from(owner)].cities.get(&city).map_or(0, |c| c.level)
    };
    let (muster, before) = (muster(field, &side), level(field));
    let first = field.events.len();
    let walls = i64::from(before) * rules.city_level_attack * 1000;
    let strengths = [strength(field, &side, place), walls];
    let rebels = seat == NOBODY || owner == NOBODY && !field.is_free_city(place);
    let pupils = generals_near(field, place, &[seat, owner]);
    for _ in 0..rules.rounds_max {
        let now = i64::from(level(field));
        if now == 0 || side.1.is_empty() {
            break;
        }
        let ours = strength(field, &side, place);
        let theirs = now * rules.city_level_attack * 1000;
        // Place of all rolls below except those for lost regiments: sector, attacker, owner.
        let dice = field.dice.at([place.0.into(), seat.into(), owner.into()]);
        let mut blow = |strength: i64| {
            let luck = dice.between("luck at the walls", rules.luck_low, rules.luck_high);
            strength * luck / 1000 / rules.damage_divisor
        };
        let (dealt, taken) = (blow(ours), blow(theirs));
        let tough = rules.city_level_defence * 1000;
        let mut down = dealt / tough;
        let fraction = (dealt % tough * 1000 / tough) as u32;
        if fraction > 0 && dice.chance("last level", fraction) {
            down += 1;
        }
        if let Some(c) = field.state.powers[usize::from(owner)].cities.get_mut(&city) {
            c.level -= down.min(now) as u8;
        }
        absorb(field, &mut side, taken, 1000, (place, owner));
    }
    let now = level(field);
    if before > 0 {
        let attacker = SideReport { seat, losses: after(field, seat, &muster) };
        let strength = strengths;
        let after = now;
        let told = Event::CityAssault {
            city,
            at: place,
            attacker,
            owner,
            before,
            after,
            strength,
            rebels,
        };
        field.tell_at(first, &[seat, owner], told);
        teach_generals(field, &pupils);
    }
    meet(field, seat, owner);
    field.state.note_city(seat, city, owner);
    match now {
        0 if !side.1.is_empty() => take_city(field, place, city, seat, owner),
        _ => send_back(field, &side),
    }
}

/// §4: the loser's production is lost, and half of the planes are captured.
fn take_city(field: &mut Field, place: Place, number: u16, by: u8, from: u8) {
    let Some(mut city) = field.state.powers[usize::from(from)].cities.remove(&number) else {
        return;
    };
    city.hangar = hangars::half(&city.hangar);
    city.centres = [Centre::Idle; 3];
    city.level = 0;
    let rebels = city.rebel;
    city.rebel = by == NOBODY;
    if city.rebel {
        city.arm_rebels();
    }
    let (name, planes) = (city.name.clone(), city.hangar.planes);
    let missiles = (city.hangar.missiles, city.hangar.warheads);
    field.owners[usize::from(number) - 1] = by;
    field.state.control[usize::from(place.0)] = by;
    let winner = &mut field.state.powers[usize::from(by)];
    winner.cities.insert(number, city);
    winner.sightings.remove(&number);
    field.state.note_city(from, number, by);
    field.news(News::Taken { city: number, from, by, rebels });
    let rebels = rebels || by == NOBODY;
    let told =
        Event::CityTaken { city: number, name, at: place, from, by, planes, missiles, rebels };
    field.record(&[by, from], told);
    lose_generals(field, from, Billet::City(number), place);
}

/// §11: an airbase is captured like a city; half of its contents are destroyed.
pub(super) fn take_base(field: &mut Field, place: Place, number: u16, by: u8, from: u8) {
    let lost = field.state.powers[usize::from(from)].airbases.remove(&number);
    let Some(Airbase { at, name, hangar }) = lost else { return };
    let hangar = hangars::half(&hangar);
    let (planes, missiles) = (hangar.planes, (hangar.missiles, hangar.warheads));
    let base = Airbase { at, name, hangar };
    field.state.powers[usize::from(by)].airbases.insert(number, base);
    field.airfields.insert(place, (number, by));
    meet(field, by, from);
    let told = Event::BaseTaken { base: number, at: place, from, by, planes, missiles };
    field.record(&[by, from], told);
}

/// Notes that two powers have met, as their forces fought.
pub(super) fn meet(field: &mut Field, a: u8, b: u8) {
    let turn = field.state.turn;
    for (one, other) in [(a, b), (b, a)] {
        if one != NOBODY && other != NOBODY {
            field.state.powers[usize::from(one)].meet(other, turn);
        }
    }
}
