//! Ways over the ground that a seat knows (§3, A): the echo's forecast and the turn seek them
//! alike, so that neither tells of hidden ground.

use engine::geometry::{Direction, Grid, PathFinder, Place};

/// What is asked for: a way of one unit.
pub struct Quest<'a> {
    /// Where the unit stands.
    pub from: Place,
    /// The goal of its advance.
    pub to: Place,
    /// Whether it lies aboard.
    pub aboard: bool,
    /// Whether a sector is that of a city that the seat knows to be foreign.
    pub foreign: &'a dyn Fn(Place) -> bool,
    /// What boarding costs, where the goal is sea and a friendly ship with holds lies there.
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

/// The cheapest course; `None` where no way leads to the goal nor beside it.
pub fn seek(paths: &mut PathFinder, grid: Grid, quest: &Quest) -> Option<Course> {
    let &Quest { from, to, aboard, foreign, boarding, cost } = quest;
    let goal = boarding.or_else(|| cost(to));
    let last = goal.unwrap_or(1);
    // From aboard one lands beside a foreign city and beside closed ground.
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
