//! Small units that claim land.

use super::super::state::{BATTERY, INFANTRY, NOBODY, TRUCK, Unit, is_land};
use super::Brain;
use crate::computer::drops;
use engine::geometry::Place;
use engine::graph::outward;

/// Turns after which fewer units claim land.
const CLAIM_TURNS: u32 = 20;
/// Sectors around own cities that units claim after that.
const HOME_LAND: i32 = 6;
/// The largest number of units that claim land.
const EXPLORERS_MAX: usize = 14;
/// Sectors that an explorer searches for land to claim.
const SEARCH_MAX: usize = 900;

/// Small units walk over land that nobody holds, and claim it.
pub fn claim(brain: &mut Brain) {
    let small: Vec<u16> = brain
        .power
        .units
        .iter()
        .filter(|(n, u)| {
            !brain.busy.contains(n)
                && u.aboard.is_none()
                && u.kind != BATTERY
                && !drops::waits_for_drop(brain, u)
                && is_land(brain.view.tables.row(u.kind).class)
        })
        .map(|(n, _)| *n)
        .collect();
    let a_city = match brain.view.turn > CLAIM_TURNS {
        true => brain.level.explorers_later,
        false => brain.level.explorers,
    };
    let wanted = (a_city * brain.power.cities.len() + 2).min(EXPLORERS_MAX);
    let mut on_the_way = 0;
    for no in small {
        let Some(unit) = brain.power.units.get(&no).cloned() else { continue };
        if unit.goal.is_some() && brain.power.city_at(unit.at).is_none() {
            on_the_way += 1;
            continue;
        }
        if on_the_way >= wanted {
            continue;
        }
        let in_city = brain.power.city_at(unit.at).is_some();
        let keep = match (in_city, unit.kind) {
            (true, INFANTRY) => 1,
            _ => 0,
        };
        if unit.size <= keep {
            continue;
        }
        let Some(to) = claimable(brain, &unit) else { continue };
        let explorer = if unit.size > 1 { brain.split(no, 1) } else { no };
        brain.advance(explorer, to);
        on_the_way += 1;
        // The rest may send a second unit in another direction.
        let left = brain.power.units.get(&no).map_or(0, |u| u.size);
        if explorer != no && unit.kind == TRUCK && left > 0 && on_the_way < wanted {
            let rest = brain.power.units[&no].clone();
            if let Some(to) = claimable(brain, &rest) {
                let second = if left > 1 { brain.split(no, 1) } else { no };
                brain.advance(second, to);
                on_the_way += 1;
            }
        }
    }
}

/// A sector without a known holder, some steps away over land that the unit can enter, to which no
/// other explorer goes.
fn claimable(brain: &mut Brain, unit: &Unit) -> Option<Place> {
    let class = brain.view.tables.row(unit.kind).class;
    let grid = brain.view.grid;
    let late = brain.view.turn > CLAIM_TURNS;
    // Place of the roll: the sector that the unit sets out from.
    let from = [unit.at.0.into()];
    let steps = match late {
        true => 1,
        false => 2 + brain.dice.at(from).below("explorer's steps", 4),
    };
    let enter = |next: &Place| {
        let enemy = brain.view.spotted.iter().any(|s| s.at == *next);
        let city = brain.view.cities.iter().any(|c| c.at == *next);
        let open = !brain.view.is_sea(*next) && brain.view.cost(class, *next).is_some();
        open && !enemy && !city
    };
    let walk = outward(unit.at, |at| grid.near(at).filter(&enter));
    let mut found: Vec<Place> = Vec::new();
    for (at, far) in walk.take(SEARCH_MAX) {
        if found.len() >= 6 {
            break;
        }
        let foreign = brain.view.cities.iter().any(|c| c.at == at);
        let holder = brain.view.control[usize::from(at.0)];
        let other = holder != brain.view.seat && !brain.power.allies.contains(&holder);
        let near = || brain.power.cities.values().any(|c| grid.distance(c.at, at) <= HOME_LAND);
        let free = !foreign && if late { other && near() } else { holder == NOBODY };
        let apart = brain.taken.iter().all(|t| grid.distance(*t, at) > 2);
        if free && far >= steps && apart {
            found.push(at);
        }
    }
    if found.is_empty() {
        return None;
    }
    if late {
        // Land beside own land in supply comes first.
        let fed = |p: &Place| grid.near(*p).any(|n| brain.view.supplied[usize::from(n.0)]);
        return found.iter().copied().find(fed).or(found.first().copied());
    }
    let pick = brain.dice.at(from).below("explorer's way", found.len() as u32) as usize;
    Some(found[pick])
}
