//! Where the squares or hexagons of a part of a grid lie on a sheet.

use engine::report::HexRows;

/// A part of a map: columns and rows from and to (exclusive).
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// The first column, and the one after the last.
    pub cols: (usize, usize),
    /// The first row, and the one after the last.
    pub rows: (usize, usize),
}

impl Part {
    /// Number of columns.
    pub(super) fn wide(self) -> usize {
        self.cols.1 - self.cols.0
    }

    /// Number of rows.
    pub(super) fn high(self) -> usize {
        self.rows.1 - self.rows.0
    }

    /// Whether a column and a row lie in it.
    pub(super) fn has(self, (x, y): (usize, usize)) -> bool {
        (self.cols.0..self.cols.1).contains(&x) && (self.rows.0..self.rows.1).contains(&y)
    }

    /// Columns and rows of its squares, row by row.
    pub(super) fn squares(self) -> impl Iterator<Item = (usize, usize)> {
        let cols = self.cols;
        (self.rows.0..self.rows.1).flat_map(move |y| (cols.0..cols.1).map(move |x| (x, y)))
    }
}

/// The squares or hexagons of a part, in units from its north-western corner. Columns and
/// rows are those of the whole map; they may lie beyond it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiles {
    /// The part of the map that the sheet shows.
    pub part: Part,
    /// Width of a square or of a hexagon between two level sides.
    pub tile: i32,
    /// Which rows of hexagons are farther east; `None`: squares.
    pub hexes: Option<HexRows>,
}

impl Tiles {
    /// How far a hexagon's slanting sides rise; its level sides are twice as long.
    fn rise(&self) -> i32 {
        // A tile's width by twice the square root of 3.
        (self.tile * 13 + 22) / 45
    }

    /// Whether a row is half a hexagon farther east.
    pub(super) fn is_offset(&self, row: i32) -> bool {
        match self.hexes {
            None => false,
            Some(HexRows::Odd) => row.rem_euclid(2) == 1,
            Some(HexRows::Even) => row.rem_euclid(2) == 0,
        }
    }

    /// Width and height of the part.
    pub(super) fn size(&self) -> (u32, u32) {
        let (wide, high) = (self.part.wide() as i32, self.part.high() as i32);
        let size = match self.hexes {
            None => (wide * self.tile, high * self.tile),
            Some(_) => (wide * self.tile + self.tile / 2, (high * 3 + 1) * self.rise()),
        };
        (size.0 as u32, size.1 as u32)
    }

    /// Left and top of a square, or of the box around a hexagon.
    fn left_top(&self, (x, y): (i32, i32)) -> (i32, i32) {
        let (x, down) = (x - self.part.cols.0 as i32, y - self.part.rows.0 as i32);
        match self.hexes {
            None => (x * self.tile, down * self.tile),
            Some(_) => {
                let shift = if self.is_offset(y) { self.tile / 2 } else { 0 };
                (x * self.tile + shift, down * 3 * self.rise())
            }
        }
    }

    /// Where a square of the width of a tile lies in the tile: the pieces there are drawn in it.
    pub(super) fn corner(&self, at: (i32, i32)) -> (i32, i32) {
        let (x, y) = self.left_top(at);
        match self.hexes {
            None => (x, y),
            Some(_) => (x, y + 2 * self.rise() - self.tile / 2),
        }
    }

    /// The middle of a tile.
    pub(super) fn centre(&self, at: (i32, i32)) -> (i32, i32) {
        let (x, y) = self.corner(at);
        (x + self.tile / 2, y + self.tile / 2)
    }

    /// The outline of a tile as a closed path.
    pub(super) fn outline(&self, at: (i32, i32)) -> String {
        let ((x, y), t) = (self.left_top(at), self.tile);
        match self.hexes {
            None => format!("M{x} {y}h{t}v{t}h-{t}z"),
            Some(_) => {
                let (half, rise) = (t / 2, self.rise());
                let (east, side) = (t - half, 2 * rise);
                format!(
                    "M{} {y}l{east} {rise}v{side}l-{east} {rise}l-{half} -{rise}v-{side}z",
                    x + half
                )
            }
        }
    }

    /// Neighbours of a tile to the east and south, each with the line between the two:
    /// every pair of neighbours once.
    pub(super) fn edges(&self, (x, y): (i32, i32)) -> Vec<((i32, i32), String)> {
        let ((px, py), t) = (self.left_top((x, y)), self.tile);
        let Some(_) = self.hexes else {
            return vec![
                ((x + 1, y), format!("M{} {py}v{t}", px + t)),
                ((x, y + 1), format!("M{px} {}h{t}", py + t)),
            ];
        };
        let (half, rise) = (t / 2, self.rise());
        let east = if self.is_offset(y) { x + 1 } else { x };
        let foot = py + 3 * rise;
        vec![
            ((x + 1, y), format!("M{} {}v{}", px + t, py + rise, 2 * rise)),
            ((east, y + 1), format!("M{} {foot}l-{} {rise}", px + t, t - half)),
            ((east - 1, y + 1), format!("M{px} {foot}l{half} {rise}")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::geometry::Grid;

    #[test]
    fn neighbours_on_the_sheet_are_neighbours_on_the_map() {
        let part = Part { cols: (0, 6), rows: (0, 5) };
        for (hexes, grid) in [(None, Grid::flat(6, 5)), (Some(HexRows::Odd), Grid::hexes(6, 5))] {
            let tiles = Tiles { part, tile: 28, hexes };
            for place in grid.places() {
                let at = (grid.col(place), grid.row(place));
                let drawn = tiles.edges(at).into_iter().filter_map(|(to, _)| grid.at(to.0, to.1));
                let later = grid.near(place).filter(|n| *n > place);
                // Squares that meet at a corner have no line between them.
                let later = later.filter(|n| {
                    let to = (grid.col(*n), grid.row(*n));
                    hexes.is_some() || to.0 == at.0 || to.1 == at.1
                });
                let (mut drawn, mut later): (Vec<_>, Vec<_>) = (drawn.collect(), later.collect());
                drawn.sort_unstable();
                later.sort_unstable();
                assert_eq!(drawn, later, "{hexes:?} {at:?}");
            }
        }
    }

    #[test]
    fn hexagons_of_a_row_stand_half_a_hexagon_apart_from_the_next() {
        let part = Part { cols: (1, 3), rows: (1, 3) };
        let tiles = Tiles { part, tile: 28, hexes: Some(HexRows::Odd) };
        assert_eq!(tiles.centre((1, 1)), (28, 16));
        assert_eq!(tiles.centre((1, 2)), (14, 40));
        assert_eq!(tiles.size(), (70, 56));
        assert_eq!(tiles.outline((1, 2)), "M14 24l14 8v16l-14 8l-14 -8v-16z");
    }
}
