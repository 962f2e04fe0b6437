//! A part of a map around a place, for a player who asks about it.

use super::{GridMap, HexRows, LastMove, MapKind, MapPicture, Route};

/// Columns shown on each side of the square.
const COLUMNS: usize = 12;
/// Rows shown above and below it.
const ROWS: usize = 9;

impl MapPicture {
    /// The number of the place that has this code on a card; `None` where it is not on this map.
    pub fn place(&self, code: &str) -> Option<usize> {
        match &self.kind {
            MapKind::Grid(grid) => {
                let plain = |label: &str| label.trim().trim_start_matches('0').to_owned();
                let find = |labels: &[String], part: &str| {
                    let wanted = plain(part);
                    labels.iter().position(|label| plain(label) == wanted)
                };
                let (column, row) = code.split_once(',').or_else(|| {
                    // Five digits are three of the column and two of the row.
                    code.is_ascii().then(|| code.split_at_checked(code.len().checked_sub(2)?))?
                })?;
                let (column, row) = (find(&grid.columns, column)?, find(&grid.rows, row)?);
                Some(row * grid.columns.len() + column)
            }
            MapKind::Regions(map) => map.regions.iter().position(|r| r.id == code),
            MapKind::Graph(graph) => graph.nodes.iter().position(|n| n.id == code),
        }
    }

    /// The map around a place. A grid is cut to a part; other maps stay whole, and a map of the
    /// earth shows that place in detail.
    #[must_use]
    pub fn around(&self, place: usize) -> Self {
        let mut part = self.clone();
        part.words.clear();
        match &mut part.kind {
            MapKind::Grid(grid) => {
                let wide = grid.columns.len().max(1);
                let (column, row) = (place % wide, place / wide);
                let columns = window(column, COLUMNS, grid.columns.len());
                let rows = window(row, ROWS, grid.rows.len());
                let moved = |at: usize| {
                    let (column, row) = (at % wide, at / wide);
                    let inside = columns.contains(&column) && rows.contains(&row);
                    inside.then(|| (row - rows.start) * columns.len() + column - columns.start)
                };
                part.pieces.retain_mut(|piece| match moved(piece.at) {
                    Some(at) => {
                        piece.at = at;
                        true
                    }
                    None => false,
                });
                let places = part.last_move.places.iter().filter_map(|at| moved(*at)).collect();
                part.last_move = LastMove { places, ..LastMove::default() };
                *grid = cut(grid, &columns, &rows);
            }
            MapKind::Graph(graph) => {
                if let Some(earth) = &mut graph.earth {
                    earth.close = vec![place];
                }
            }
            MapKind::Regions(_) => {}
        }
        part
    }
}

/// The labels within `beside` of the one at `at`, as far as they exist.
fn window(at: usize, beside: usize, all: usize) -> std::ops::Range<usize> {
    at.saturating_sub(beside)..(at + beside + 1).min(all)
}

fn cut(grid: &GridMap, columns: &std::ops::Range<usize>, rows: &std::ops::Range<usize>) -> GridMap {
    let wide = grid.columns.len().max(1);
    let cells = rows.clone().flat_map(|row| {
        columns.clone().filter_map(move |column| grid.cells.get(row * wide + column).cloned())
    });
    let shift = |(x, y): (i32, i32)| (x - columns.start as i32, y - rows.start as i32);
    let shows = |(x, y): (i32, i32)| {
        usize::try_from(x).is_ok_and(|x| columns.contains(&x))
            && usize::try_from(y).is_ok_and(|y| rows.contains(&y))
    };
    let routes = grid.routes.iter().filter(|route| shows(route.from)).map(|route| Route {
        from: shift(route.from),
        to: shift(route.to),
        way: route.way.iter().map(|p| shift(*p)).collect(),
    });
    let hexes = grid.hexes.map(|hexes| match (hexes, rows.start % 2) {
        (hexes, 0) => hexes,
        (HexRows::Odd, _) => HexRows::Even,
        (HexRows::Even, _) => HexRows::Odd,
    });
    GridMap {
        style: grid.style,
        wrap: grid.wrap && columns.len() == grid.columns.len(),
        hexes,
        columns: grid.columns[columns.clone()].to_vec(),
        rows: grid.rows[rows.clone()].to_vec(),
        cells: cells.collect(),
        routes: routes.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, GridStyle, Piece};
    use super::*;

    fn map() -> MapPicture {
        let label = |n: usize| format!("{n:02}");
        let grid = GridMap {
            style: GridStyle::Strategic,
            wrap: true,
            hexes: Some(HexRows::Odd),
            columns: (1..=50).map(|n| format!("{n:03}")).collect(),
            rows: (1..=40).map(label).collect(),
            cells: (0..2000)
                .map(|n| Cell { text: vec![n.to_string()], ..Cell::default() })
                .collect(),
            routes: vec![Route { from: (20, 20), to: (49, 20), way: vec![(21, 20)] }],
        };
        let mut map = MapPicture::new("x", "X", MapKind::Grid(grid));
        map.pieces = vec![Piece::new(20 * 50 + 20, 0), Piece::new(0, 0)];
        map
    }

    #[test]
    fn a_grid_is_cut_round_a_square_with_what_stands_there() {
        let map = map();
        let at = map.place("02121").expect("on the map");
        assert_eq!((at, map.place("21,21"), map.place("99,9")), (20 * 50 + 20, Some(at), None));
        let part = map.around(at);
        let grid = part.grid().expect("a grid");
        assert_eq!((grid.columns.len(), grid.rows.len(), grid.cells.len()), (25, 19, 25 * 19));
        assert_eq!((grid.columns[0].as_str(), grid.rows[0].as_str()), ("009", "12"));
        assert_eq!((grid.wrap, grid.hexes), (false, Some(HexRows::Even)));
        let place = part.place("02121").expect("on the part");
        assert_eq!(grid.cells[place].text, [at.to_string()]);
        assert_eq!(part.pieces.iter().map(|p| p.at).collect::<Vec<_>>(), [place]);
        assert_eq!(grid.routes, [Route { from: (12, 9), to: (41, 9), way: vec![(13, 9)] }]);
        // At the edge the part is smaller.
        let corner = map.around(0);
        assert_eq!(corner.grid().map(|g| (g.columns.len(), g.rows.len())), Some((13, 10)));
    }
}
