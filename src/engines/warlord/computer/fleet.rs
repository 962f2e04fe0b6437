//! Transports carry infantry to a beach near a city that it can take, once nothing is left to take
//! over land.

use super::super::state::{DESTROYER, INFANTRY, TRANSPORT, Unit};
use super::super::view::KnownCity;
use super::Brain;
use super::force::{Force, remains};
use crate::computer::escorts;
use engine::geometry::Place;

/// The fewest regiments that are worth a voyage.
const LANDING_MIN: u16 = 8;
/// The most sectors between a beach and the city.
const BEACH_RANGE: i32 = 2;
/// The most cities that are considered as targets.
const TARGETS_MAX: usize = 12;

pub fn sail(brain: &mut Brain) {
    if brain.level.landings == 0 {
        return;
    }
    let mut landings: Vec<Place> = Vec::new();
    for ship in escorts::idle_ships(brain) {
        let Some(flotilla) = brain.power.units.get(&ship).cloned() else { continue };
        if brain.power.cities.is_empty() && brain.power.cargo(ship).next().is_none() {
            blockade(brain, ship, &flotilla);
            continue;
        }
        if flotilla.kind == DESTROYER {
            explore_by_sea(brain, ship, &flotilla);
        }
        if flotilla.kind != TRANSPORT {
            continue;
        }
        let cargo: Vec<u16> = brain.power.cargo(ship).collect();
        match cargo.is_empty() {
            true => load(brain, ship, &flotilla),
            false => landings.extend(deliver(brain, ship, &flotilla, &cargo)),
        }
    }
    if brain.level.escorts > 0 {
        escorts::escort(brain, &landings);
    }
}

/// Takes infantry aboard in a port, if it can take a city overseas.
fn load(brain: &mut Brain, ship: u16, flotilla: &Unit) {
    let grid = brain.view.grid;
    let room = brain.power.room(&brain.view.tables, ship);
    let here = brain.power.city_at(flotilla.at).map(|(number, _)| number);
    let ports: Vec<(u16, Place)> = brain
        .power
        .cities
        .iter()
        .filter(|(n, c)| match here {
            Some(number) => **n == number,
            None => grid.distance(c.at, flotilla.at) == 1,
        })
        .map(|(n, c)| (*n, c.at))
        .collect();
    for (number, port) in ports {
        let Some((no, size)) = boarders(brain, number, port, room) else { continue };
        let quay = match here {
            Some(_) => grid.neighbours(port).find(|(_, p)| brain.view.is_sea(*p)),
            None => grid.neighbours(port).find(|(_, p)| *p == flotilla.at),
        };
        let Some((direction, at)) = quay else { continue };
        let unit = &brain.power.units[&no];
        let force = Force::of(&brain.view.tables, unit.kind, size, unit.rank);
        if overseas(brain, at, force, Some(port)).is_none() {
            continue;
        }
        let unit = if brain.power.units[&no].size > size { brain.split(no, size) } else { no };
        if here.is_some() {
            // The ships put to sea first; the division follows a phase later.
            brain.advance(ship, at);
        }
        brain.busy.insert(ship);
        brain.busy.insert(unit);
        brain.order(format!("M {unit} 0{}", direction.code()));
        return;
    }
    // Else the ships go to the port where most infantry waits.
    let waiting = |(number, at): (u16, Place)| {
        let (_, size) = boarders(brain, number, at, room)?;
        Some((size, std::cmp::Reverse(grid.distance(at, flotilla.at)), at))
    };
    let coastal = brain.power.cities.iter().filter(|(_, c)| brain.view.is_coastal(c.at));
    let best = coastal.filter_map(|(n, c)| waiting((*n, c.at))).max();
    if let Some((_, _, at)) = best.filter(|(_, _, at)| *at != flotilla.at) {
        brain.advance(ship, at);
    }
}

/// Infantry in a port that is worth a voyage: its unit, and the regiments that may go.
fn boarders(brain: &Brain, number: u16, port: Place, room: u32) -> Option<(u16, u16)> {
    let here = brain.power.units.iter().filter(|(n, u)| {
        u.kind == INFANTRY
            && u.at == port
            && u.aboard.is_none()
            && u.goal.is_none()
            && !brain.busy.contains(n)
    });
    let (no, unit) = here.max_by_key(|(n, u)| (u.size, std::cmp::Reverse(**n)))?;
    let keep = brain.holds.get(&number).copied().unwrap_or(0);
    // Divisions are small.
    let size = unit.size.saturating_sub(keep).min(room.min(45) as u16);
    (size >= LANDING_MIN).then_some((*no, size))
}

/// The best landing for a force that lies in a sea sector: the city, and the sea sector beside its
/// beach.
fn overseas(
    brain: &mut Brain,
    from: Place,
    force: Force,
    port: Option<Place>,
) -> Option<(Place, Place)> {
    let grid = brain.view.grid;
    let home = port.and_then(|p| brain.continent(p));
    // A force does not sail to cities on its own land, unless troops are stuck there.
    let abroad = |c: &&KnownCity| {
        let land = brain.continent(c.at);
        land.is_some() && (home.is_none() || home != land || brain.stuck)
    };
    let targets = brain.targets.values().filter(abroad);
    let mut near: Vec<(i32, KnownCity)> =
        targets.map(|c| (grid.distance(c.at, from), c.clone())).collect();
    near.sort_by_key(|(d, c)| (*d, c.number));
    let sea = brain.fields.sea(from);
    let mut best: Option<(i32, Place, Place)> = None;
    for (_, city) in near.into_iter().take(TARGETS_MAX) {
        let land = brain.continent(city.at);
        let garrison = brain.garrison_in(&city).times(brain.level.odds);
        if remains(&brain.view.tables, force, garrison, brain.level_of(&city)).is_none() {
            continue;
        }
        let beaches = grid.within(city.at, BEACH_RANGE).filter(|p| {
            *p != city.at
                && brain.continent(*p) == land
                && !brain.view.cities.iter().any(|c| c.at == *p)
        });
        for beach in beaches {
            for (_, at) in grid.neighbours(beach).filter(|(_, s)| brain.view.is_sea(*s)) {
                let points = sea[usize::from(at.0)];
                if points == u16::MAX {
                    continue;
                }
                let cost = i32::from(points) + 2 * grid.distance(beach, city.at);
                if best.is_none_or(|(least, _, _)| cost < least) {
                    best = Some((cost, city.at, at));
                }
            }
        }
    }
    best.map(|(_, city, at)| (city, at))
}

/// Sails to the coast from which the cargo can take a city, and lands it; returns the sea sector
/// there.
fn deliver(brain: &mut Brain, ship: u16, flotilla: &Unit, cargo: &[u16]) -> Option<Place> {
    let force = cargo.iter().filter_map(|n| brain.power.units.get(n));
    let force = force
        .map(|u| Force::of(&brain.view.tables, u.kind, u.size, u.rank))
        .fold(Force::default(), Force::plus);
    let Some((city, at)) = overseas(brain, flotilla.at, force, None) else {
        explore_by_sea(brain, ship, flotilla);
        return None;
    };
    if at == flotilla.at {
        for &no in cargo {
            brain.busy.remove(&no);
            brain.advance(no, city);
            let weight = force.attack;
            brain.fights.push(super::Fight { at: city, unit: no, weight, turns: 1 });
        }
        brain.busy.insert(ship);
        return Some(at);
    }
    brain.advance(ship, at);
    Some(at)
}

/// Sends ships of an empire without cities to the sea beside the nearest foreign city.
fn blockade(brain: &mut Brain, ship: u16, flotilla: &Unit) {
    let sea = brain.fields.sea(flotilla.at);
    let grid = brain.view.grid;
    let beside = |c: &KnownCity| -> Option<(u16, Place)> {
        let near = grid.near(c.at).filter(|p| brain.view.is_sea(*p));
        near.map(|p| (sea[usize::from(p.0)], p)).filter(|(far, _)| *far < u16::MAX).min()
    };
    let best = brain.targets.values().filter_map(beside).min();
    if let Some((_, at)) = best.filter(|(_, at)| *at != flotilla.at) {
        brain.advance(ship, at);
    }
}

/// Sails along unknown coasts while there is no other goal.
fn explore_by_sea(brain: &mut Brain, ship: u16, flotilla: &Unit) {
    if flotilla.goal.is_some() {
        return;
    }
    let grid = brain.view.grid;
    let unknown = |p: &Place| brain.view.is_sea(*p) && !brain.view.power.has_explored(*p);
    let coast = |p: &Place| grid.neighbours(*p).any(|(_, n)| !brain.view.is_sea(n));
    let far: Vec<Place> = grid.within(flotilla.at, 25).filter(|p| unknown(p) && coast(p)).collect();
    if !far.is_empty() {
        // Place of the roll: the flotilla.
        let dice = brain.dice.at([ship.into()]);
        let pick = dice.below("where to sail", far.len() as u32) as usize;
        brain.advance(ship, far[pick]);
    }
}
