//! Units by place, as the printout lists them and as orders name them (§16, §18).

use engine::geometry::{Grid, Place};

use super::ground::{Ground, Terrain};
use super::kinds::Class;
use super::sight::Known;
use super::state::Unit;

/// The radius of a front around its middle, in squares.
pub const AROUND: i32 = 6;

/// The most fronts.
const FRONTS: usize = 4;

/// The group of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Near enemies: the number of the front, from 1.
    Front(usize),
    /// In a city.
    City(Place),
    /// Elsewhere on land.
    Land,
    /// At sea.
    Sea,
    /// In the air.
    Air,
}

/// The middles of fronts: enemies in sight that are not near each other.
pub fn middles(known: &Known, grid: Grid) -> Vec<Place> {
    let mut middles: Vec<Place> = Vec::new();
    for (at, _) in known.marks.iter().filter(|(_, m)| m.here) {
        let apart = |m: &Place| grid.distance(*m, *at) > AROUND;
        if middles.iter().all(apart) && middles.len() < FRONTS {
            middles.push(*at);
        }
    }
    middles
}

/// The group of a unit, for these middles of fronts.
pub fn of(unit: &Unit, middles: &[Place], ground: &Ground) -> Group {
    let near = |m: &Place| ground.grid.distance(*m, unit.at) <= AROUND;
    match (ground.at(unit.at), middles.iter().position(near), unit.kind.class()) {
        (Terrain::City, ..) => Group::City(unit.at),
        (_, Some(front), _) => Group::Front(front + 1),
        (.., Class::Land | Class::Base) => Group::Land,
        (.., Class::Sea) => Group::Sea,
        (.., Class::Air) => Group::Air,
    }
}
