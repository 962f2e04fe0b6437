//! The strategic map in words: what surrounds each own place, in which direction and how far away.

use std::collections::BTreeMap;

use super::{Scene, tactical};
use crate::orders::sector_no;
use crate::phrases::ranges;
use crate::state::NOBODY;
use crate::view::Ground as Known;
use engine::geometry::{Direction, Place};
use engine::report::{Line, listed};
use tongue::{count, say};

/// The most sectors to look along a straight way.
const SIGHT: i32 = 20;

/// A line for each own city and each own force outside cities, from the north; for the first city
/// also how far the land reaches.
pub fn described(scene: &Scene) -> Vec<Line> {
    let mut lines = Vec::new();
    for (n, (at, (number, city))) in scene.own_cities.iter().enumerate() {
        let name = format!("{} {}", sector_no(scene.view.grid, *at), city.name);
        let lead = say!("{place}, your city {number}", place = name.trim_end());
        lines.extend(place(scene, *at, &lead));
        if n == 0 {
            lines.extend(listed(&say!("Straight on, in sectors"), &straight_on(scene, *at)));
        }
    }
    for (at, here) in scene.units.iter().filter(|(at, _)| !scene.own_cities.contains_key(at)) {
        let numbers: Vec<u16> = {
            let own = scene.view.power.units.iter();
            own.filter(|(_, u)| u.at == *at && u.aboard.is_none()).map(|(no, _)| *no).collect()
        };
        let sector = sector_no(scene.view.grid, *at);
        let lead = match here.is_empty() {
            true => sector,
            false => count!(
                n = numbers.len(),
                "{sector}, your unit {numbers}",
                "{sector}, your units {numbers}",
                numbers = ranges(numbers)
            ),
        };
        lines.extend(place(scene, *at, &lead));
    }
    lines
}

/// The ground around a place and its holders, and the nearest foreign force and city.
fn place(scene: &Scene, at: Place, lead: &str) -> Vec<Line> {
    let mut around: BTreeMap<usize, (String, Vec<&str>)> = BTreeMap::new();
    for (i, (direction, near)) in scene.view.grid.neighbours(at).enumerate() {
        let what = ground(scene, near);
        let same = around.values_mut().find(|(name, _)| *name == what);
        match same {
            Some((_, ways)) => ways.push(direction.name()),
            None => drop(around.insert(i, (what, vec![direction.name()]))),
        }
    }
    let mut parts: Vec<String> =
        around.into_values().map(|(what, ways)| format!("{what} {}", ways.join(" "))).collect();
    parts.extend(nearest(scene, at));
    listed(lead, &parts)
}

/// Ground and holder of a sector.
fn ground(scene: &Scene, at: Place) -> String {
    let view = scene.view;
    let ground = match view.ground[usize::from(at.0)] {
        Known::Known(terrain) => tongue::word(&view.tables.ground(terrain).name).into_owned(),
        Known::UnknownLand => say!("unknown land"),
    };
    match view.control[usize::from(at.0)] {
        holder if holder == NOBODY || holder == view.seat => ground,
        holder => say!("{ground} of {holder}"),
    }
}

/// The nearest foreign force, and the nearest foreign city that the seat knows.
fn nearest(scene: &Scene, at: Place) -> Vec<String> {
    let (view, grid) = (scene.view, scene.view.grid);
    let friend = |owner: u8| owner == view.seat || view.power.allies.contains(&owner);
    let near = |other: &Place| (grid.distance(at, *other), *other);
    let forces = scene.spotted.iter().filter(|(_, all)| all.iter().any(|f| !friend(f.owner)));
    let force = forces.map(|(other, _)| *other).min_by_key(near);
    let mut parts = Vec::new();
    if let Some(other) = force {
        let forces = tactical::forces_in_words(scene, other).into_iter();
        let who = forces.reduce(|first, last| say!("{first} and {last}")).unwrap_or_default();
        parts.push(say!("nearest force: {who} at {way}", way = way(scene, at, other)));
    }
    let cities = scene.cities.iter().filter(|(_, c)| c.seen.owner.is_none_or(|o| !friend(o)));
    if let Some((other, city)) = cities.min_by_key(|(other, _)| near(other)) {
        let whose = match city.seen.owner {
            None => say!("reported"),
            Some(NOBODY) => say!("free"),
            Some(owner) => say!("of {owner}"),
        };
        let name = format!("{} {}", city.number, city.seen.name);
        parts.push(say!(
            "nearest city {city} ({whose}) at {way}",
            city = name.trim_end(),
            way = way(scene, at, *other)
        ));
    }
    parts
}

/// A sector with its distance and direction: `05530, 4 NE`.
fn way(scene: &Scene, from: Place, to: Place) -> String {
    let grid = scene.view.grid;
    let sector = sector_no(grid, to);
    match grid.distance(from, to) {
        0 => say!("{sector}, right there"),
        far => {
            let (east, south) = (grid.eastward(from, to), grid.row(to) - grid.row(from));
            format!("{sector}, {far} {}", heading(east, south).name())
        }
    }
}

/// The direction of a place that is `east` sectors farther east and `south` farther south.
pub fn heading(east: i32, south: i32) -> Direction {
    let near = |small: i32, large: i32| small.abs() * 2 < large.abs();
    let clockwise = match (near(east, south), near(south, east)) {
        (true, _) if south < 0 => 0,
        (true, _) => 4,
        (_, true) if east < 0 => 6,
        (_, true) => 2,
        _ => match (east < 0, south < 0) {
            (false, true) => 1,
            (false, false) => 3,
            (true, false) => 5,
            (true, true) => 7,
        },
    };
    Direction::ALL[clockwise]
}

/// What comes after the land or the sea of a straight way.
enum Beyond {
    Ice,
    /// Sea after land, or land after sea.
    Other,
    /// Too far away to be seen.
    Unseen,
}

/// For each direction, how far the land reaches, or the sea if that is next.
fn straight_on(scene: &Scene, at: Place) -> Vec<String> {
    let view = scene.view;
    let look = |direction: Direction| {
        let first = view.is_sea(view.grid.step(at, direction)?);
        let (mut here, mut far) = (at, 0);
        let beyond = loop {
            let Some(next) = view.grid.step(here, direction) else { break Beyond::Ice };
            match view.is_sea(next) == first {
                false => break Beyond::Other,
                true if far >= SIGHT => break Beyond::Unseen,
                true => (here, far) = (next, far + 1),
            }
        };
        let way = direction.name();
        Some(match (first, beyond) {
            (true, Beyond::Unseen) => say!("{way} {far} of sea"),
            (true, Beyond::Ice) => say!("{way} {far} of sea, then ice"),
            (true, Beyond::Other) => say!("{way} {far} of sea, then land"),
            (false, Beyond::Unseen) => say!("{way} {far} of land"),
            (false, Beyond::Ice) => say!("{way} {far} of land, then ice"),
            (false, Beyond::Other) => say!("{way} {far} of land, then sea"),
        })
    };
    Direction::ALL.into_iter().filter_map(look).collect()
}
