//! The strategic map in words: what lies round each own place, in which direction and how far.

use std::collections::BTreeMap;

use super::{Scene, tactical};
use crate::orders::sector_no;
use crate::phrases::units;
use crate::state::NOBODY;
use crate::view::Ground as Known;
use engine::geometry::{Direction, Place};
use engine::report::{Line, listed};

/// Sectors of a straight way that are looked along.
const SIGHT: i32 = 20;

/// A line for each own city and each own force outside, from the north; of the first city also
/// how far the land goes.
pub fn told(scene: &Scene) -> Vec<Line> {
    let mut lines = Vec::new();
    for (n, (at, (number, city))) in scene.own_cities.iter().enumerate() {
        let name = format!("{} {}", sector_no(scene.view.grid, *at), city.name);
        lines.extend(place(scene, *at, &format!("{}, your city {number}", name.trim_end())));
        if n == 0 {
            lines.extend(listed("Straight on, in sectors", &straight_on(scene, *at)));
        }
    }
    for (at, here) in scene.units.iter().filter(|(at, _)| !scene.own_cities.contains_key(at)) {
        let numbers: Vec<u16> = {
            let own = scene.view.power.units.iter();
            own.filter(|(_, u)| u.at == *at && u.aboard.is_none()).map(|(no, _)| *no).collect()
        };
        let who =
            if here.is_empty() { String::new() } else { format!(", your {}", units(&numbers)) };
        lines.extend(place(scene, *at, &format!("{}{who}", sector_no(scene.view.grid, *at))));
    }
    lines
}

/// The ground round a place, whose it is, and who is nearest.
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
        Known::Known(terrain) => view.tables.ground(terrain).name.as_str(),
        Known::UnknownLand => "unknown land",
    };
    match view.control[usize::from(at.0)] {
        holder if holder == NOBODY || holder == view.seat => ground.to_owned(),
        holder => format!("{ground} of {holder}"),
    }
}

/// The nearest foreign force and the nearest city of somebody else that the seat knows of.
fn nearest(scene: &Scene, at: Place) -> Vec<String> {
    let (view, grid) = (scene.view, scene.view.grid);
    let friend = |owner: u8| owner == view.seat || view.power.allies.contains(&owner);
    let near = |other: &Place| (grid.distance(at, *other), *other);
    let forces = scene.spotted.iter().filter(|(_, all)| all.iter().any(|f| !friend(f.owner)));
    let force = forces.map(|(other, _)| *other).min_by_key(near);
    let mut parts = Vec::new();
    if let Some(other) = force {
        let who = tactical::forces_in_words(scene, other).join(" and ");
        parts.push(format!("nearest force: {who} at {}", way(scene, at, other)));
    }
    let cities = scene.cities.iter().filter(|(_, c)| c.seen.owner.is_none_or(|o| !friend(o)));
    if let Some((other, city)) = cities.min_by_key(|(other, _)| near(other)) {
        let whose = match city.seen.owner {
            None => "reported".to_owned(),
            Some(NOBODY) => "free".to_owned(),
            Some(owner) => format!("of {owner}"),
        };
        let name = format!("city {} {}", city.number, city.seen.name);
        parts.push(format!("nearest {} ({whose}) at {}", name.trim_end(), way(scene, at, *other)));
    }
    parts
}

/// A sector with its direction and distance: `05530, 4 NE`.
fn way(scene: &Scene, from: Place, to: Place) -> String {
    let grid = scene.view.grid;
    let sector = sector_no(grid, to);
    match grid.distance(from, to) {
        0 => format!("{sector}, right there"),
        far => {
            let (east, south) = (grid.eastward(from, to), grid.row(to) - grid.row(from));
            format!("{sector}, {far} {}", heading(east, south).name())
        }
    }
}

/// The direction of something so many sectors farther east and south.
fn heading(east: i32, south: i32) -> Direction {
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

/// In each direction how far it is to the sea, or to the land where the sea is next.
fn straight_on(scene: &Scene, at: Place) -> Vec<String> {
    let view = scene.view;
    let look = |direction: Direction| {
        let first = view.is_sea(view.grid.step(at, direction)?);
        let (mut here, mut far) = (at, 0);
        let beyond = loop {
            let Some(next) = view.grid.step(here, direction) else { break ", then ice" };
            match view.is_sea(next) == first {
                false if first => break ", then land",
                false => break ", then sea",
                true if far >= SIGHT => break "",
                true => (here, far) = (next, far + 1),
            }
        };
        let what = if first { "sea" } else { "land" };
        Some(format!("{} {far} of {what}{beyond}", direction.name()))
    };
    Direction::ALL.into_iter().filter_map(look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_the_nearest_of_eight() {
        for (east, south, name) in [
            (0, -5, "N"),
            (2, -5, "N"),
            (3, -5, "NE"),
            (5, 1, "E"),
            (5, 5, "SE"),
            (-1, 9, "S"),
            (-4, 3, "SW"),
            (-9, 0, "W"),
            (-3, -3, "NW"),
        ] {
            assert_eq!(heading(east, south).name(), name, "{east} {south}");
        }
    }
}
