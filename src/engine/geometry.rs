//! Maps of squares or hexagons in rows, flat or around a globe: places, neighbours,
//! distance, paths.

use serde::{Deserialize, Serialize};

use crate::graph::{Node, Search};

/// A square or hexagon of a grid: row by row from the north-west, from 0.
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

/// What shape the places of a grid have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tiling {
    /// Squares with eight neighbours.
    #[default]
    Squares,
    /// Hexagons with a corner in the north and six neighbours: all directions but north and south.
    /// The second row and every other row after it is shifted half a hexagon to the east.
    Hexes,
}

/// The size and shape of a map.
///
/// A saved game leaves out fields that older programs did not know while they have their usual
/// values, so that the bytes of old games stay the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Whether the last column borders on the first; rows never wrap.
    #[serde(default = "wraps", skip_serializing_if = "is_wrapped")]
    pub wrap: bool,
    /// What its places are.
    #[serde(default, skip_serializing_if = "are_squares")]
    pub tiling: Tiling,
}

/// The value of `wrap` for a saved grid that does not have it.
fn wraps() -> bool {
    true
}

fn is_wrapped(wrap: &bool) -> bool {
    *wrap
}

fn are_squares(tiling: &Tiling) -> bool {
    *tiling == Tiling::Squares
}

impl Grid {
    /// Squares around a globe: columns wrap.
    pub const fn globe(cols: u16, rows: u16) -> Self {
        Self { cols, rows, wrap: true, tiling: Tiling::Squares }
    }

    /// Squares with an edge on each side.
    pub const fn flat(cols: u16, rows: u16) -> Self {
        Self { cols, rows, wrap: false, tiling: Tiling::Squares }
    }

    /// Hexagons with an edge on each side.
    pub const fn hexes(cols: u16, rows: u16) -> Self {
        Self { cols, rows, wrap: false, tiling: Tiling::Hexes }
    }

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
        (0..=u16::MAX).take(self.len()).map(Place)
    }

    /// The square at a column and a row, both from 0; `None` beyond an edge. Where the
    /// grid wraps, any number is a column.
    pub fn at(self, col: i32, row: i32) -> Option<Place> {
        let (cols, rows) = (i32::from(self.cols), i32::from(self.rows));
        let col = if self.wrap && cols > 0 { col.rem_euclid(cols) } else { col };
        let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
        // Both numbers are within u16 and their product within the grid's length.
        inside.then(|| Place((row * cols + col) as u16))
    }

    /// Column from 0.
    pub fn col(self, place: Place) -> i32 {
        i32::from(place.0 % self.cols)
    }

    /// Row from 0.
    pub fn row(self, place: Place) -> i32 {
        i32::from(place.0 / self.cols)
    }

    /// The neighbour in a direction; `None` beyond an edge, and for a hexagon in the directions
    /// north and south.
    pub fn step(self, place: Place, direction: Direction) -> Option<Place> {
        let (dx, dy) = direction.step();
        let (col, row) = (self.col(place), self.row(place));
        let dx = match (self.tiling, dy) {
            (Tiling::Squares, _) | (Tiling::Hexes, 0) => dx,
            (Tiling::Hexes, _) if dx == 0 => return None,
            // Two hexagons of the next row touch this one: in an even row those of this column and
            // of the column before, in an odd row those of this column and of the next.
            (Tiling::Hexes, _) => (dx - 1) / 2 + row % 2,
        };
        self.at(col + dx, row + dy)
    }

    /// The neighbours, at most eight, with their directions, in the order of direction codes.
    pub fn neighbours(self, place: Place) -> impl Iterator<Item = (Direction, Place)> {
        Direction::ALL.into_iter().filter_map(move |d| Some((d, self.step(place, d)?)))
    }

    /// The neighbours without their directions, in the same order, for searches.
    pub fn near(self, place: Place) -> impl Iterator<Item = Place> {
        self.neighbours(place).map(|(_, next)| next)
    }

    /// The number of columns between two squares; on a grid that wraps, the shorter way round.
    pub fn across(self, a: Place, b: Place) -> i32 {
        let dx = (self.col(a) - self.col(b)).abs();
        if self.wrap { dx.min(i32::from(self.cols) - dx) } else { dx }
    }

    /// Columns from one square east to another, the shorter way round; negative means west.
    pub fn eastward(self, from: Place, to: Place) -> i32 {
        let east = self.col(to) - self.col(from);
        let cols = i32::from(self.cols);
        match self.wrap {
            true if east * 2 > cols => east - cols,
            true if east * 2 < -cols => east + cols,
            _ => east,
        }
    }

    /// The fewest moves from neighbour to neighbour between two squares.
    pub fn distance(self, a: Place, b: Place) -> i32 {
        let down = self.row(a) - self.row(b);
        if self.tiling == Tiling::Squares {
            return self.across(a, b).max(down.abs());
        }
        // Columns along the slanting axis: each two rows down go one column west.
        let slanted = |p: Place| self.col(p) - (self.row(p) - self.row(p) % 2) / 2;
        let along = slanted(a) - slanted(b);
        let steps = |along: i32| (along.abs() + down.abs() + (along + down).abs()) / 2;
        let girth = if self.wrap { i32::from(self.cols) } else { 0 };
        steps(along).min(steps(along - girth)).min(steps(along + girth))
    }

    /// Every square at most `radius` away, row by row from the north-west.
    pub fn within(self, centre: Place, radius: i32) -> impl Iterator<Item = Place> {
        let (col, row) = (self.col(centre), self.row(centre));
        // Beyond half the girth the same square would come twice.
        let wide = if self.wrap { radius.min((i32::from(self.cols) - 1) / 2) } else { radius };
        (-radius..=radius)
            .flat_map(move |dy| (-wide..=wide).map(move |dx| (dx, dy)))
            .filter_map(move |(dx, dy)| self.at(col + dx, row + dy))
            .filter(move |p| self.tiling == Tiling::Squares || self.distance(centre, *p) <= radius)
    }
}

impl Node for Place {
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Working memory of [`PathFinder::route`], kept between calls.
#[derive(Debug, Default)]
pub struct PathFinder(Search<Place>);

impl PathFinder {
    /// The cheapest way from `from` to `to` as directions; ties go to the lowest
    /// direction code at each step. `None` when there is no way.
    ///
    /// `enter` gives the cost of entering a square from another, `None` if it is closed; costs are
    /// at least 1.
    pub fn route(
        &mut self,
        grid: Grid,
        from: Place,
        to: Place,
        enter: impl Fn(Place, Place) -> Option<u32>,
    ) -> Option<Vec<Direction>> {
        let near = |place| grid.near(place);
        let least = |place| grid.distance(from, place).unsigned_abs();
        let way = self.0.route(grid.len(), (from, to), near, enter, least)?;
        let starts = std::iter::once(&from).chain(&way);
        let steps = starts.zip(&way).filter_map(|(a, b)| {
            grid.neighbours(*a).find(|(_, next)| next == b).map(|(direction, _)| direction)
        });
        Some(steps.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::distances;

    const GRID: Grid = Grid::globe(10, 6);

    #[test]
    fn east_is_positive_and_the_shorter_way_round_counts() {
        let grid = Grid::globe(10, 3);
        let at = |col: i32| grid.at(col, 1).expect("on the grid");
        for (from, to, east) in [(2, 5, 3), (5, 2, -3), (9, 1, 2), (1, 9, -2), (4, 4, 0)] {
            assert_eq!(grid.eastward(at(from), at(to)), east, "{from} {to}");
        }
        let flat = Grid { wrap: false, ..grid };
        assert_eq!(flat.eastward(at(9), at(1)), -8);
    }

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

    fn codes(grid: Grid, place: Place) -> Vec<u8> {
        grid.neighbours(place).map(|(d, _)| d.code()).collect()
    }

    #[test]
    fn a_flat_map_ends_on_each_side() {
        let flat = Grid::flat(10, 6);
        let west = flat.at(0, 2).expect("on the map");
        assert_eq!(flat.step(west, Direction(7)), None);
        assert_eq!(codes(flat, west), [1, 2, 3, 4, 5]);
        assert_eq!(flat.distance(west, flat.at(9, 2).expect("on the map")), 9);
        assert_eq!((flat.at(-1, 0), flat.at(10, 0)), (None, None));
        assert_eq!(flat.within(west, 2).count(), 15);
        assert_eq!(flat.within(west, 9).count(), 60, "half of the girth is no bound");
    }

    #[test]
    fn a_hexagon_has_six_neighbours_by_its_row() {
        let hexes = Grid::hexes(5, 4);
        let near = |col, row| -> Vec<(i32, i32)> {
            let place = hexes.at(col, row).expect("on the map");
            hexes.near(place).map(|p| (hexes.col(p), hexes.row(p))).collect()
        };
        assert_eq!(near(2, 2), [(2, 1), (3, 2), (2, 3), (1, 3), (1, 2), (1, 1)]);
        assert_eq!(near(2, 1), [(3, 0), (3, 1), (3, 2), (2, 2), (1, 1), (2, 0)]);
        assert_eq!(near(0, 0), [(1, 0), (0, 1)]);
        assert_eq!(codes(hexes, hexes.at(2, 2).expect("on")), [2, 3, 4, 6, 7, 8]);
    }

    #[test]
    fn a_distance_is_the_number_of_steps_of_a_shortest_way() {
        let round = Grid { wrap: true, ..Grid::hexes(7, 6) };
        for grid in [Grid::globe(7, 5), Grid::flat(7, 5), Grid::hexes(7, 6), round] {
            for from in grid.places() {
                let far = distances(grid.len(), [from], |p| grid.near(p), |_, _| true);
                for (to, steps) in grid.places().zip(&far) {
                    let distance = grid.distance(from, to).unsigned_abs();
                    assert_eq!(Some(distance), *steps, "{grid:?}: {from:?} to {to:?}");
                }
                let near = grid.within(from, 2).count();
                let seen = far.iter().filter(|d| d.is_some_and(|d| d <= 2)).count();
                assert_eq!(near, seen, "{grid:?}: around {from:?}");
                for (direction, next) in grid.neighbours(from) {
                    let back = Direction((direction.code() + 3) % 8 + 1);
                    assert_eq!(grid.step(next, back), Some(from), "{grid:?}: {direction:?}");
                }
            }
        }
    }

    #[test]
    fn a_way_over_hexagons_is_as_long_as_its_distance() {
        let (grid, mut finder) = (Grid::hexes(11, 11), PathFinder::default());
        for to in grid.places() {
            let from = grid.at(5, 4).expect("on the map");
            let way = finder.route(grid, from, to, |_, _| Some(1)).expect("a way");
            assert_eq!(way.len(), grid.distance(from, to) as usize);
            let end = way.iter().try_fold(from, |at, d| grid.step(at, *d));
            assert_eq!(end, Some(to));
        }
    }

    #[test]
    fn a_globe_is_saved_as_it_always_was() {
        let saved = codec::to_bytes(&Grid::globe(10, 6)).expect("plain data");
        assert_eq!(saved, b"\x82\xa4cols\x0a\xa4rows\x06", "two fields by name");
        for grid in [Grid::globe(10, 6), Grid::flat(10, 6), Grid::hexes(3, 3)] {
            let bytes = codec::to_bytes(&grid).expect("plain data");
            assert_eq!(codec::from_bytes::<Grid>(&bytes).expect("reads"), grid);
        }
    }
}
