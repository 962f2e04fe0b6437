//! Coalitions, rebels, fallen empires and victory (§8).

use std::collections::BTreeSet;

use super::super::bases::{BaseNo, Hangar};
use super::super::events::{Event, News};
use super::super::state::{Billet, Coalition, Goal, NOBODY, Target, Victory, is_land};
use super::super::tables::Class;
use super::{Field, combat, hangars};
use engine::geometry::Place;

/// After step 1: members leave, are voted out, and join.
pub fn coalitions(field: &mut Field) {
    for seat in 1..=field.state.seats() {
        let paper = &mut field.papers[usize::from(seat)];
        if std::mem::take(&mut paper.leaves) {
            part(field, seat, false);
        }
    }
    expel(field);
    while let Some((seat, with)) = next_member(field) {
        join(field, seat, with);
    }
}

/// Takes a member out of its coalition; a coalition with one member left ends.
fn part(field: &mut Field, seat: u8, expelled: bool) {
    let Some(i) = field.state.coalitions.iter().position(|c| c.members.contains(&seat)) else {
        return;
    };
    let members: Vec<u8> = field.state.coalitions[i].members.iter().copied().collect();
    for &member in &members {
        let power = &mut field.state.powers[usize::from(member)];
        // To come together again, both sides must pledge again.
        power.pledges.remove(&seat);
        power.expels.remove(&seat);
    }
    let gone = &mut field.state.powers[usize::from(seat)];
    gone.pledges.clear();
    gone.expels.clear();
    let coalition = &mut field.state.coalitions[i];
    coalition.members.remove(&seat);
    coalition.held = 0;
    let ends = coalition.members.len() < 2;
    if ends {
        field.state.coalitions.remove(i);
    }
    field.news(match ends {
        true => News::CoalitionEnds { members: members.clone() },
        false => News::LeavesCoalition { player: seat, expelled },
    });
    field.record(&members, Event::CoalitionLeft { player: seat, expelled });
}

/// Expels each member that a majority of the others votes out.
fn expel(field: &mut Field) {
    let outcast = |field: &Field| {
        field.state.coalitions.iter().find_map(|c| {
            c.members.iter().copied().find(|x| {
                let against = |m: &&u8| field.state.powers[usize::from(**m)].expels.contains(x);
                c.members.iter().filter(against).count() * 2 > c.members.len() - 1
            })
        })
    };
    while let Some(seat) = outcast(field) {
        part(field, seat, true);
    }
}

/// The first seat without a coalition that everybody concerned accepts, with its partners: the
/// members of a coalition, or another such seat.
fn next_member(field: &Field) -> Option<(u8, BTreeSet<u8>)> {
    let state = &field.state;
    let wants = |a: u8, b: u8| state.powers[usize::from(a)].pledges.contains(&b);
    let alone: Vec<u8> = (1..=state.seats())
        .filter(|&s| state.coalition_of(s).is_none() && state.powers[usize::from(s)].fell.is_none())
        .collect();
    let agreed = |seat: u8, others: &BTreeSet<u8>| {
        let both = others.iter().all(|&o| wants(seat, o) && wants(o, seat));
        both && fits(field, seat, others)
    };
    for &seat in &alone {
        let whole = state.coalitions.iter().map(|c| &c.members).find(|m| agreed(seat, m));
        if let Some(members) = whole {
            return Some((seat, members.clone()));
        }
        let other = alone.iter().filter(|&&o| o != seat).find(|&&o| agreed(seat, &[o].into()));
        if let Some(&other) = other {
            return Some((seat, [other].into()));
        }
    }
    None
}

/// Whether the lists of allies of all of them have room for a new member.
fn fits(field: &Field, seat: u8, members: &BTreeSet<u8>) -> bool {
    let most = field.state.tables.rules.alliance.allies_max;
    let power = |s: u8| &field.state.powers[usize::from(s)];
    let own = power(seat).allies.union(members).count();
    let theirs = |&m: &u8| power(m).allies.contains(&seat) || power(m).allies.len() < most;
    own <= most && members.iter().all(theirs)
}

fn join(field: &mut Field, seat: u8, with: BTreeSet<u8>) {
    let at = field.state.coalitions.iter().position(|c| c.members == with);
    let mut members = with;
    members.insert(seat);
    for &member in &members {
        let power = &mut field.state.powers[usize::from(member)];
        power.allies.extend(members.iter().filter(|&&m| m != member));
    }
    let list: Vec<u8> = members.iter().copied().collect();
    let coalition = Coalition { members, held: 0 };
    match at {
        Some(i) => field.state.coalitions[i] = coalition,
        None => field.state.coalitions.push(coalition),
    }
    field.news(News::Coalition { members: list.clone() });
    field.record(&list.clone(), Event::CoalitionStands { members: list });
}

/// Cities of dropped seats rebel, and rebels march on the nearest city (ours).
pub fn rebels(field: &mut Field) {
    let percent = field.state.tables.rules.absence.rebel_percent;
    for seat in 1..=field.state.seats() {
        let power = &field.state.powers[usize::from(seat)];
        // One more turn is left in which somebody else may take over the seat.
        let limit = field.state.tables.rules.absence.turns;
        if power.fell.is_some() || !field.state.is_dropped(power) || power.missed <= limit {
            continue;
        }
        for number in power.cities.keys().copied().collect::<Vec<_>>() {
            // Place of the roll: the city.
            if field.dice.at([number.into()]).chance("rebellion", percent * 10) {
                rise(field, seat, number);
            }
        }
    }
    march(field);
}

/// A city rises: its troops join the rebels, and its planes are wrecked.
fn rise(field: &mut Field, seat: u8, number: u16) {
    let power = &mut field.state.powers[usize::from(seat)];
    let Some(mut city) = power.cities.remove(&number) else { return };
    let (at, name) = (city.at, city.name.clone());
    let here = power.units.iter().filter(|(_, u)| u.at == at && u.aboard.is_none());
    let here: Vec<u16> = here.map(|(n, _)| *n).collect();
    city.hangar = Hangar::default();
    city.rebel = true;
    city.arm_rebels();
    field.owners[usize::from(number) - 1] = NOBODY;
    field.state.control[usize::from(at.0)] = NOBODY;
    field.state.powers[usize::from(NOBODY)].cities.insert(number, city);
    field.state.note_city(seat, number, NOBODY);
    for no in here {
        let unit = field.state.powers[usize::from(seat)].units.get(&no).cloned();
        let Some(mut unit) = unit else { continue };
        field.record(&[seat], Event::Lost { unit: no, kind: unit.kind, size: unit.size, at });
        combat::remove(field, seat, no);
        if is_land(field.state.tables.row(unit.kind).class) {
            (unit.goal, unit.aboard) = (None, None);
            let rebels = &mut field.state.powers[usize::from(NOBODY)];
            let free = rebels.free_number();
            rebels.units.insert(free, unit);
        }
    }
    field.record(&[seat], Event::Rebelled { city: number, name, at });
    field.news(News::Rebelled { city: number, player: seat });
    combat::lose_generals(field, seat, Billet::City(number), at);
    if field.state.powers[usize::from(seat)].cities.is_empty() {
        disband(field, seat);
    }
}

/// Removes the last troops of a seat without a player and without a city.
fn disband(field: &mut Field, seat: u8) {
    while let Some((&no, unit)) = field.state.powers[usize::from(seat)].units.first_key_value() {
        let (kind, size, at) = (unit.kind, unit.size, unit.at);
        field.record(&[seat], Event::Lost { unit: no, kind, size, at });
        combat::remove(field, seat, no);
    }
}

/// Rebel troops that are strong enough set out for the nearest city of a player
/// that can be reached over land.
fn march(field: &mut Field) {
    let need = u32::from(field.state.tables.rules.absence.strike_regiments);
    let rebels = &field.state.powers[usize::from(NOBODY)];
    let homes: Vec<Place> = rebels.cities.values().filter(|c| c.rebel).map(|c| c.at).collect();
    for home in homes {
        let rebels = &field.state.powers[usize::from(NOBODY)];
        let here = rebels.units.iter().filter(|(_, u)| u.at == home && u.goal.is_none());
        let band: Vec<(u16, u16)> = here.map(|(n, u)| (*n, u.size)).collect();
        if band.iter().map(|(_, n)| u32::from(*n)).sum::<u32>() < need {
            continue;
        }
        let Some(to) = prey(field, home) else { continue };
        let goal = Some(Goal { target: Target::Sector(to), convoy: false });
        for (no, _) in band {
            if let Some(unit) = field.state.powers[usize::from(NOBODY)].units.get_mut(&no) {
                unit.goal = goal;
            }
        }
    }
}

/// The nearest city of a player that infantry and tanks can reach.
fn prey(field: &mut Field, home: Place) -> Option<Place> {
    const TRIED: usize = 3;
    let grid = field.state.grid();
    let players = field.state.powers[1..].iter().flat_map(|p| p.cities.iter());
    let mut near: Vec<(i32, u16, Place)> =
        players.map(|(n, c)| (grid.distance(home, c.at), *n, c.at)).collect();
    near.sort_unstable();
    let mut paths = std::mem::take(&mut field.paths);
    let state = &field.state;
    let open = |_: Place, to: Place| state.land_cost(Class::Arm, to);
    let found = near.into_iter().take(TRIED).map(|(_, _, at)| at);
    let found = found.into_iter().find(|&at| paths.route(grid, home, at, open).is_some());
    field.paths = paths;
    found
}

/// Lets empires without a city and a unit fall.
pub fn fallen(field: &mut Field) {
    for seat in 1..=field.state.seats() {
        let power = &field.state.powers[usize::from(seat)];
        if power.stands() || power.fell.is_some() {
            continue;
        }
        let bases = std::mem::take(&mut field.state.powers[usize::from(seat)].airbases);
        for (no, base) in bases {
            hangars::gone(field, seat, BaseNo::Land(no), &base.hangar, &Hangar::default());
        }
        field.state.powers[usize::from(seat)].fell = Some(field.state.turn);
        part(field, seat, false);
        field.record(&[seat], Event::Fallen { player: seat });
        field.news(News::Fallen { player: seat });
    }
}

/// Ends the game when somebody has held the share of the surviving cities for enough turns in a
/// row. Among several, the one with most cities wins, then the best rating, then the lowest seat
/// (ours).
pub fn victory(field: &mut Field) {
    let rules = field.state.tables.rules.victory.clone();
    let total = (field.state.world.cities.len() - field.state.razed.len()) as u32;
    let held = |field: &Field, members: &BTreeSet<u8>| {
        let cities = |s: &u8| field.state.powers[usize::from(*s)].cities.len() as u32;
        members.iter().map(cities).sum::<u32>()
    };
    let mut contenders: Vec<(u32, i64, BTreeSet<u8>)> = Vec::new();
    for seat in 1..=field.state.seats() {
        let alone = BTreeSet::from([seat]);
        let cities = held(field, &alone);
        let enough = cities > 0 && cities * 100 >= rules.leader_percent * total;
        let power = &mut field.state.powers[usize::from(seat)];
        power.held = if enough { power.held.saturating_add(1) } else { 0 };
        let (turns, rating) = (power.held, power.rating.total());
        if enough {
            field.record(&[seat], Event::Holding { members: vec![seat], cities, total, turns });
            field.news(News::Holding { members: vec![seat], turns, of: rules.turns });
        }
        if turns >= rules.turns {
            contenders.push((cities, rating, alone));
        }
    }
    for i in 0..field.state.coalitions.len() {
        let members = field.state.coalitions[i].members.clone();
        let cities = held(field, &members);
        // A coalition has few members.
        let enough = cities * 100 >= share(&rules, members.len() as u32) * total;
        let coalition = &mut field.state.coalitions[i];
        coalition.held = if enough { coalition.held.saturating_add(1) } else { 0 };
        let turns = coalition.held;
        let list: Vec<u8> = members.iter().copied().collect();
        if enough {
            let told = Event::Holding { members: list.clone(), cities, total, turns };
            field.record(&list, told);
            field.news(News::Holding { members: list, turns, of: rules.turns });
        }
        if turns >= rules.turns {
            let rating = |s: &u8| field.state.powers[usize::from(*s)].rating.total();
            contenders.push((cities, members.iter().map(rating).sum(), members));
        }
    }
    contenders.sort_by_key(|(cities, rating, members)| {
        (std::cmp::Reverse((*cities, *rating)), members.first().copied())
    });
    let winners = contenders.into_iter().next().map(|(_, _, winners)| winners);
    let nobody_plays = field.state.active().next().is_none();
    if winners.is_none() && !nobody_plays {
        return;
    }
    let (winners, turn) = (winners.unwrap_or_default(), field.state.turn);
    let everybody: Vec<u8> = (1..=field.state.seats()).collect();
    let told = Event::GameOver { winners: winners.iter().copied().collect() };
    field.record(&everybody, told);
    field.state.over = Some(Victory { winners, turn });
}

/// The share of the surviving cities that a coalition of `members` needs, in per cent.
pub fn share(rules: &super::super::tables::Victory, members: u32) -> u32 {
    let more = rules.member_percent * members.saturating_sub(1);
    (rules.leader_percent + more).min(rules.share_max_percent.max(rules.leader_percent))
}
