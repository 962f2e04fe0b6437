//! Units by where they are, as the printout lists them and as orders name them (§16, §18).

use engine::geometry::{Grid, Place};

use super::ground::{Ground, Terrain};
use super::kinds::Class;
use super::sight::Known;
use super::state::Unit;

/// Squares around the middle of a front that belong to it.
pub const AROUND: i32 = 6;

/// Fronts at most.
const FRONTS: usize = 4;

/// Where a unit belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Near enemies: the number of the front, from 1.
    Front(usize),
    /// In a city.
    City(Place),
    /// Anywhere else on land.
    Land,
    /// At sea.
    Sea,
    /// In the air.
    Air,
}

/// The middles of fronts: enemies in sight that are not near to each other.
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

/// The group of a unit, where the fronts have these middles.
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
