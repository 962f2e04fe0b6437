//! Ways of units over the map (§5).
//!
//! Thousands of units look for ways in a turn, most of them over open ground, where many ways are
//! equally short. So the search goes straight for the goal: of squares from which the whole way
//! costs the same it takes the one that it found last. Costs are small whole numbers, so squares
//! wait in a row of stacks, one for each cost of the whole way.

use engine::geometry::{Direction, Grid, Place};

/// Working memory of [`Router::route`], kept between calls.
#[derive(Debug, Default)]
pub struct Router {
    /// The search in which a square was reached last.
    seen: Vec<u32>,
    /// What the way to it costs.
    cost: Vec<u32>,
    /// The step by which it was reached, as a code.
    step: Vec<u8>,
    round: u32,
    /// Squares that wait, with the cost of the way to them, by what the whole way costs more than
    /// the distance from the start.
    waiting: Vec<Vec<(Place, u32)>>,
}

impl Router {
    /// A cheapest way from one square to another, as directions; `None` when there is none.
    /// `enter` gives the cost of a square, at least 1, or `None` when it is closed.
    pub fn route(
        &mut self,
        grid: Grid,
        from: Place,
        to: Place,
        enter: impl Fn(Place) -> Option<u32>,
    ) -> Option<Vec<Direction>> {
        self.seen.resize(grid.len(), 0);
        self.cost.resize(grid.len(), 0);
        self.step.resize(grid.len(), 0);
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.seen.fill(0);
            self.round = 1;
        }
        self.waiting.iter_mut().for_each(Vec::clear);
        let least = |at: Place| grid.distance(at, to).unsigned_abs();
        let straight = least(from);
        self.reach(from, 0, 0, 0);
        let mut near = Vec::with_capacity(8);
        let mut more = 0;
        while more < self.waiting.len() {
            let Some((at, cost)) = self.waiting[more].pop() else {
                more += 1;
                continue;
            };
            if self.cost[usize::from(at.0)] != cost {
                // A cheaper way to it was found since.
                continue;
            }
            if at == to {
                return Some(self.walk(grid, from, to));
            }
            near.clear();
            near.extend(grid.neighbours(at).map(|(direction, next)| {
                let (x, y) = (grid.across(next, to), grid.row(next) - grid.row(to));
                (x * x + y * y, direction.code(), next)
            }));
            // What lies nearest to the straight line is looked at first: it is put down last.
            near.sort_unstable_by(|a, b| b.cmp(a));
            for &(_, step, next) in &near {
                let Some(price) = enter(next) else { continue };
                let there = cost + price;
                let slot = usize::from(next.0);
                if self.seen[slot] != self.round || there < self.cost[slot] {
                    // No way is shorter than the distance, so there is no less than before.
                    let whole = (there + least(next)).saturating_sub(straight);
                    self.reach(next, there, step, whole as usize);
                }
            }
        }
        None
    }

    fn reach(&mut self, at: Place, cost: u32, step: u8, more: usize) {
        let slot = usize::from(at.0);
        (self.seen[slot], self.cost[slot], self.step[slot]) = (self.round, cost, step);
        if self.waiting.len() <= more {
            self.waiting.resize_with(more + 1, Vec::new);
        }
        self.waiting[more].push((at, cost));
    }

    /// Follows the steps back from the goal.
    fn walk(&self, grid: Grid, from: Place, to: Place) -> Vec<Direction> {
        let mut way = Vec::new();
        let mut at = to;
        while at != from {
            let Some(direction) = Direction::from_code(self.step[usize::from(at.0)]) else { break };
            // Codes go round by eight.
            let back = Direction::from_code((direction.code() + 3) % 8 + 1);
            let Some(before) = back.and_then(|back| grid.step(at, back)) else { break };
            way.push(direction);
            at = before;
        }
        way.reverse();
        way
    }
}
