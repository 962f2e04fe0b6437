//! Ways of units over the map (§5).
//!
//! Thousands of units look for ways in a turn, most of them over open ground, where many ways are
//! equally short. So the search goes straight for the goal: among squares with the same cost of the
//! whole way it takes the one that it found last. Costs are small whole numbers, so waiting squares
//! are kept in stacks, one for each cost of the whole way.

use engine::geometry::{Direction, Grid, Place};

/// Working memory of [`Router::route`], kept between calls.
#[derive(Debug, Default)]
pub struct Router {
    /// For each square, the number of the last search that reached it.
    seen: Vec<u32>,
    /// The cost of the way to it.
    cost: Vec<u32>,
    /// The direction of the last step to it, as a code.
    step: Vec<u8>,
    round: u32,
    /// Waiting squares with the cost of the way to them, indexed by the cost of the whole way
    /// beyond the distance from the start.
    waiting: Vec<Vec<(Place, u32)>>,
}

/// A square that the search has reached.
#[derive(Debug, Clone, Copy)]
struct Reached {
    at: Place,
    cost: u32,
    step: u8,
    /// The cost of the whole way beyond the distance from the start.
    more: usize,
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
        self.reach(Reached { at: from, cost: 0, step: 0, more: 0 });
        let mut more = 0;
        while more < self.waiting.len() {
            let Some((at, cost)) = self.waiting[more].pop() else {
                more += 1;
                continue;
            };
            if self.cost[usize::from(at.0)] != cost {
                // A cheaper way to it was found in the meantime.
                continue;
            }
            if at == to {
                return Some(self.walk(grid, from, to));
            }
            // The square nearest to the straight line is pushed last, so that it is looked at
            // first.
            let mut first: Option<(i32, Reached)> = None;
            for (direction, next) in grid.neighbours(at) {
                let slot = usize::from(next.0);
                let new = self.seen[slot] != self.round;
                // Every square costs at least 1.
                if !new && self.cost[slot] <= cost + 1 {
                    continue;
                }
                let Some(price) = enter(next) else { continue };
                let there = cost + price;
                if !new && self.cost[slot] <= there {
                    continue;
                }
                // No way is shorter than the distance, so this is never negative.
                let more = (there + least(next)).saturating_sub(straight) as usize;
                let (x, y) = (grid.across(next, to), grid.row(next) - grid.row(to));
                let off = x * x + y * y;
                let reached = Reached { at: next, cost: there, step: direction.code(), more };
                match first {
                    Some((least, _)) if least <= off => self.reach(reached),
                    _ => {
                        if let Some((_, before)) = first.replace((off, reached)) {
                            self.reach(before);
                        }
                    }
                }
            }
            if let Some((_, reached)) = first {
                self.reach(reached);
            }
        }
        None
    }

    fn reach(&mut self, Reached { at, cost, step, more }: Reached) {
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
            // The code of the opposite direction is four higher, counted in a circle of eight.
            let back = Direction::from_code((direction.code() + 3) % 8 + 1);
            let Some(before) = back.and_then(|back| grid.step(at, back)) else { break };
            way.push(direction);
            at = before;
        }
        way.reverse();
        way
    }
}
