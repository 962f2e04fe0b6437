//! Ways over the ground that a seat knows (§3, A). The echo's forecast and the turn seek them in
//! the same way, so that neither reveals hidden ground.

use engine::geometry::{Direction, Grid, PathFinder, Place};

/// A search for the way of one unit.
pub struct Quest<'a> {
    /// Where the unit stands.
    pub from: Place,
    /// The goal of its advance.
    pub to: Place,
    /// Whether it is aboard a ship.
    pub aboard: bool,
    /// Whether a sector is that of a city that the seat knows to be foreign.
    pub foreign: &'a dyn Fn(Place) -> bool,
    /// Cost of boarding, if the goal is sea with an own ship that has holds.
    pub boarding: Option<u32>,
    /// Cost of entering a sector as far as the seat knows; `None` where it is closed.
    pub cost: &'a dyn Fn(Place) -> Option<u32>,
}

/// A way to a goal, or to the nearest sector beside one that is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// Its steps, in order.
    pub way: Vec<Direction>,
    /// Whether it ends beside its goal.
    pub beside: bool,
}

/// The cheapest course; `None` if no way leads to the goal or beside it.
pub fn seek(paths: &mut PathFinder, grid: Grid, quest: &Quest) -> Option<Course> {
    let &Quest { from, to, aboard, foreign, boarding, cost } = quest;
    let goal = boarding.or_else(|| cost(to));
    let last = goal.unwrap_or(1);
    // A unit aboard can't land in a foreign city, nor in its goal if that is closed.
    let no_landing =
        |at, next| aboard && at == from && (foreign(next) || next == to && goal.is_none());
    let mut way = paths.route(grid, from, to, |at, next| match next == to {
        _ if no_landing(at, next) => None,
        true => Some(last),
        false => cost(next),
    })?;
    let beside = goal.is_none();
    if beside {
        way.pop();
    }
    Some(Course { way, beside })
}
