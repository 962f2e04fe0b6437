//! Warships: they hunt, look around and wait before enemy cities.

use engine::geometry::Place;

use super::{EVEN, Mind};
use crate::ground::Terrain;
use crate::kinds::{Class, Kind};
use crate::orders::Task;
use crate::sight::{Mark, SeenCity};
use crate::state::Unit;

/// Squares that scouting ships keep from each other.
const SPREAD: i32 = 20;
/// The most ships that look at the same place.
const TOGETHER: usize = 2;
/// The most squares that a warship goes for a target.
const HUNT: i32 = 15;

/// Sends a ship to look around where no other one does. Returns whether there is anything to
/// explore.
pub(super) fn scout(mind: &mut Mind, number: u16, unit: &Unit) -> bool {
    let grid = mind.view.world.ground.grid;
    let sea = mind.nearest([unit.at], Kind::De);
    let crowd = |p: Place| {
        let near = mind.looked.iter().map(|l| (SPREAD - grid.distance(*l, p)).max(0));
        near.max().unwrap_or(0)
    };
    let cost = |p: &Place| {
        let (steps, _) = sea[usize::from(p.0)]?;
        let same = mind.looked.iter().filter(|l| grid.distance(**l, *p) <= 2).count();
        (same < TOGETHER).then(|| (steps as i32 + 2 * crowd(*p), *p))
    };
    let Some((_, goal)) = mind.edge.iter().filter_map(cost).min() else { return false };
    mind.looked.push(goal);
    let line = match goal == unit.at {
        true => format!("E {number} !"),
        false => format!("M {number} {} THEN E !", mind.called(goal)),
    };
    mind.order(line);
    true
}

pub(super) fn homeward(mind: &mut Mind, number: u16, unit: &Unit) {
    if !matches!(unit.orders.first(), Some(Task::Return)) {
        mind.order(format!("R {number}"));
    }
}

/// Warships hunt what they can beat, and look around.
pub(super) fn warships(mind: &mut Mind) {
    let grid = mind.view.world.ground.grid;
    let fits = |u: &Unit| u.kind.class() == Class::Sea && u.kind != Kind::Tr;
    for (number, unit) in mind.units(fits) {
        if let Some(at) = mind.prey(&unit, EVEN) {
            let line = format!("A {number} {}", mind.called(at));
            mind.order(line);
            continue;
        }
        let figure = mind.view.world.options.figure(unit.kind);
        let hurt = figure.is_some_and(|f| 2 * u32::from(unit.damage) >= u32::from(f.damage));
        if hurt || unit.damage > 0 && mind.in_city(&unit) {
            if !mind.in_city(&unit) {
                homeward(mind, number, &unit);
            }
            continue;
        }
        if unit.kind == Kind::Ca {
            carrier(mind, number, &unit);
            continue;
        }
        let worth = |(at, _): &(&Place, &Mark)| {
            grid.distance(unit.at, **at) <= HUNT && mind.chance(&unit, **at, EVEN).is_some()
        };
        let seen = mind.known.marks.iter().filter(|(_, m)| m.here).filter(worth);
        let prey = seen.map(|(at, _)| (grid.distance(unit.at, *at), *at)).min();
        if let Some((_, at)) = prey.filter(|_| !mind.novice()) {
            let line = format!("A {number} {}", mind.called(at));
            mind.order(line);
        } else if !scout(mind, number, &unit) {
            guard(mind, number, &unit);
        }
    }
}

/// Sends an idle ship to the nearest enemy city, to stop what comes out of it.
pub(super) fn guard(mind: &mut Mind, number: u16, unit: &Unit) {
    let grid = mind.view.world.ground.grid;
    let ground = &mind.view.world.ground;
    let foe = |(_, c): &(&Place, &SeenCity)| c.owner.is_some_and(|o| o != mind.seat());
    let foes = mind.known.cities.iter().filter(foe).map(|(at, _)| *at);
    let goal = foes.min_by_key(|at| (grid.distance(unit.at, *at), *at));
    let water = |p: &Place| {
        mind.known.has_seen(*p) && ground.at(*p) == Terrain::Water && mind.field.top(*p).is_none()
    };
    let post = goal.and_then(|goal| {
        let near = grid.within(goal, 4).filter(water);
        near.min_by_key(|p| (grid.distance(unit.at, *p), *p))
    });
    match post {
        Some(post) if grid.distance(unit.at, post) > 1 => {
            let line = format!("M {number} {}", mind.called(post));
            mind.order(line);
        }
        Some(_) => {}
        None if !mind.in_city(unit) => homeward(mind, number, unit),
        None => {}
    }
}

/// Sends a carrier near enemy cities, where fighters can use it.
pub(super) fn carrier(mind: &mut Mind, number: u16, unit: &Unit) {
    guard(mind, number, unit);
}
