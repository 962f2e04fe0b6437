//! Square maps that wrap east to west: places, neighbours, distance, paths.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

/// A square of a grid: row by row from the north-west, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place(pub u16);

/// The eight directions, clockwise from north.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Direction(u8);

impl Direction {
    /// All directions, in the order of their codes 1 to 8.
    pub const ALL: [Self; 8] =
        [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(8)];

    /// The direction with this code, 1 (north) to 8 (north-west).
    pub fn from_code(code: u8) -> Option<Self> {
        (1..=8).contains(&code).then_some(Self(code))
    }

    /// Code 1 to 8.
    pub fn code(self) -> u8 {
        self.0
    }

    /// Compass name.
    pub fn name(self) -> &'static str {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][usize::from(self.0 - 1)]
    }

    fn step(self) -> (i32, i32) {
        [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
            [usize::from(self.0 - 1)]
    }
}

/// Size of a map; columns wrap, rows do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

impl Grid {
    /// Number of squares.
    pub fn len(self) -> usize {
        usize::from(self.cols) * usize::from(self.rows)
    }

    /// Whether the grid has no square.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Every square, row by row.
    pub fn places(self) -> impl Iterator<Item = Place> {
        (0..self.cols * self.rows).map(Place)
    }

    /// The square at a column (wrapped) and a row, both from 0; `None` beyond
    /// the poles.
    pub fn at(self, col: i32, row: i32) -> Option<Place> {
        let rows = 0..i32::from(self.rows);
        let col = col.rem_euclid(i32::from(self.cols));
        // Both factors are within u16 and their product within the grid's length.
        rows.contains(&row).then(|| Place((row * i32::from(self.cols) + col) as u16))
    }

    /// Column from 0.
    pub fn col(self, place: Place) -> i32 {
        i32::from(place.0 % self.cols)
    }

    /// Row from 0.
    pub fn row(self, place: Place) -> i32 {
        i32::from(place.0 / self.cols)
    }

    /// The neighbour in a direction; `None` beyond the poles.
    pub fn step(self, place: Place, direction: Direction) -> Option<Place> {
        let (dx, dy) = direction.step();
        self.at(self.col(place) + dx, self.row(place) + dy)
    }

    /// The up to eight neighbours with their directions, by direction code.
    pub fn neighbours(self, place: Place) -> impl Iterator<Item = (Direction, Place)> {
        Direction::ALL.into_iter().filter_map(move |d| Some((d, self.step(place, d)?)))
    }

    /// Columns between two squares, the shorter way round.
    pub fn across(self, a: Place, b: Place) -> i32 {
        let dx = (self.col(a) - self.col(b)).abs();
        dx.min(i32::from(self.cols) - dx)
    }

    /// Moves of one square that part two squares.
    pub fn distance(self, a: Place, b: Place) -> i32 {
        self.across(a, b).max((self.row(a) - self.row(b)).abs())
    }

    /// Every square at most `radius` away, row by row from the north-west.
    pub fn within(self, centre: Place, radius: i32) -> impl Iterator<Item = Place> {
        let (col, row) = (self.col(centre), self.row(centre));
        // A radius beyond half the girth would name a square twice.
        let wide = radius.min((i32::from(self.cols) - 1) / 2);
        (-radius..=radius)
            .flat_map(move |dy| (-wide..=wide).map(move |dx| (dx, dy)))
            .filter_map(move |(dx, dy)| self.at(col + dx, row + dy))
    }
}

/// Working memory of [`PathFinder::route`], kept between calls.
#[derive(Debug, Default)]
pub struct PathFinder {
    seen: Vec<u32>,
    cost: Vec<u32>,
    round: u32,
    heap: BinaryHeap<Reverse<(u32, u32, u16)>>,
}

impl PathFinder {
    /// The cheapest way from `from` to `to` as directions; ties go to the lowest
    /// direction code at each step. `None` when there is no way.
    ///
    /// `enter` gives the cost of entering a square from another, `None` when
    /// closed; costs are at least 1. The search runs backwards from the goal, so
    /// that every square of every cheapest way has its exact cost.
    pub fn route(
        &mut self,
        grid: Grid,
        from: Place,
        to: Place,
        enter: impl Fn(Place, Place) -> Option<u32>,
    ) -> Option<Vec<Direction>> {
        if from == to {
            return Some(Vec::new());
        }
        self.begin(grid.len());
        self.reach(to, 0, grid.distance(from, to));
        let mut best = u32::MAX;
        while let Some(Reverse((total, cost, at))) = self.heap.pop() {
            if total > best {
                break;
            }
            let at = Place(at);
            if self.known(at) != Some(cost) {
                continue;
            }
            if at == from {
                best = cost;
                continue;
            }
            for (_, next) in grid.neighbours(at) {
                let Some(step) = enter(next, at) else { continue };
                let there = cost + step;
                if self.known(next).is_none_or(|old| there < old) {
                    self.reach(next, there, grid.distance(from, next));
                }
            }
        }
        (best != u32::MAX).then(|| self.walk(grid, from, to, enter))
    }

    fn walk(
        &self,
        grid: Grid,
        from: Place,
        to: Place,
        enter: impl Fn(Place, Place) -> Option<u32>,
    ) -> Vec<Direction> {
        let mut way = Vec::new();
        let mut at = from;
        while at != to {
            let here = self.known(at);
            let next = grid.neighbours(at).find(|&(_, next)| {
                let step = enter(at, next);
                matches!((here, self.known(next), step),
                    (Some(h), Some(n), Some(s)) if n + s == h)
            });
            // Every square of a cheapest way has such a neighbour.
            let Some((direction, next)) = next else { break };
            way.push(direction);
            at = next;
        }
        way
    }

    fn begin(&mut self, len: usize) {
        self.heap.clear();
        if self.seen.len() != len || self.round == u32::MAX {
            self.seen = vec![0; len];
            self.cost = vec![0; len];
            self.round = 0;
        }
        self.round += 1;
    }

    fn known(&self, place: Place) -> Option<u32> {
        let i = usize::from(place.0);
        (self.seen[i] == self.round).then(|| self.cost[i])
    }

    fn reach(&mut self, place: Place, cost: u32, left: i32) {
        let i = usize::from(place.0);
        self.seen[i] = self.round;
        self.cost[i] = cost;
        self.heap.push(Reverse((cost + left.unsigned_abs(), cost, place.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid { cols: 10, rows: 6 };

    #[test]
    fn the_map_wraps_east_to_west_only() {
        let west = GRID.at(0, 2).expect("on the map");
        assert_eq!(GRID.step(west, Direction(7)), GRID.at(9, 2));
        assert_eq!(GRID.distance(west, GRID.at(8, 4).expect("on the map")), 2);
        assert_eq!(GRID.step(GRID.at(3, 0).expect("on the map"), Direction(1)), None);
    }

    #[test]
    fn a_route_goes_round_what_is_closed_and_prefers_low_codes() {
        let wall = [GRID.at(3, 2), GRID.at(3, 3), GRID.at(3, 1)];
        let enter = |_: Place, to: Place| (!wall.contains(&Some(to))).then_some(1);
        let (from, to) = (GRID.at(2, 2).expect("on"), GRID.at(4, 2).expect("on"));
        let way = PathFinder::default().route(GRID, from, to, enter).expect("a way");
        let codes: Vec<u8> = way.iter().map(|d| d.code()).collect();
        assert_eq!(codes, [1, 2, 4, 5]);
    }
}
