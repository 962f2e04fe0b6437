//! The whole world in few signs, and the part of it that the seat knows.

use std::collections::BTreeMap;

use super::table::{LAND, SEA, coasts};
use super::{col_label, legend};
use crate::state::NOBODY;
use crate::view::View;
use engine::Seat;
use engine::geometry::Place;
use engine::report::{Cell, GridMap, GridStyle, MapKind, MapPicture, Side};
use tongue::say;

/// The most columns of the printed world map.
const COLUMNS: u16 = 70;

/// The contents of the sectors that share one sign.
#[derive(Clone, Default)]
struct Sign {
    land: i32,
    home: bool,
    own: bool,
    /// Sectors of others, by their holders.
    foreign: BTreeMap<u8, u32>,
    explored: bool,
}

/// The number of sectors per sign, on each side, so that the globe fits.
struct Scale {
    wide: i32,
    cols: i32,
    rows: i32,
}

impl Scale {
    fn of(view: &View) -> Self {
        let grid = view.grid;
        let wide = i32::from(grid.cols.div_ceil(COLUMNS)).max(2);
        Self { wide, cols: i32::from(grid.cols) / wide, rows: i32::from(grid.rows) / wide }
    }

    /// The contents of each sign's sectors, counted in one walk over the world.
    fn signs(&self, view: &View) -> Vec<Sign> {
        let grid = view.grid;
        let mut signs = vec![Sign::default(); (self.cols * self.rows).max(0) as usize];
        let sign_of = |p: Place| {
            let (c, r) = (grid.col(p) / self.wide, grid.row(p) / self.wide);
            (c < self.cols && r < self.rows).then_some((r * self.cols + c) as usize)
        };
        for place in grid.places() {
            let Some(sign) = sign_of(place).and_then(|i| signs.get_mut(i)) else { continue };
            let holder = view.control[usize::from(place.0)];
            sign.land += i32::from(!view.is_sea(place));
            sign.own |= holder == view.seat;
            if holder != NOBODY && holder != view.seat {
                *sign.foreign.entry(holder).or_default() += 1;
            }
            sign.explored |= view.whole || view.power.has_explored(place);
        }
        for city in view.power.cities.values() {
            if let Some(sign) = sign_of(city.at).and_then(|i| signs.get_mut(i)) {
                sign.home = true;
            }
        }
        signs
    }

    /// The cell of a sign: land if at least half of its sectors are land.
    fn cell(&self, sign: &Sign, view: &View) -> Cell {
        let land = sign.land * 2 >= self.wide * self.wide;
        let text = match (sign.home, land) {
            (true, _) => "@",
            (false, true) => "#",
            (false, false) => ".",
        };
        // Among several holders, the one with the most sectors; the first of equals.
        let most = |(a, n): &(&u8, &u32)| (**n, std::cmp::Reverse(**a));
        let other = sign.foreign.iter().max_by_key(most).map(|(seat, _)| *seat);
        let (side, holder) = match (sign.own, other) {
            (true, _) => (Side::Own, Some(view.seat)),
            (false, Some(seat)) if view.power.allies.contains(&seat) => (Side::Ally, Some(seat)),
            (false, Some(seat)) => (Side::Foreign, Some(seat)),
            (false, None) => (Side::Nobody, None),
        };
        Cell {
            text: vec![text.to_owned()],
            terrain: Some(if land { LAND } else { SEA }),
            holder: holder.map(Seat),
            side,
            pale: !sign.explored,
            ..Cell::default()
        }
    }
}

/// Continents and oceans in few signs, with the explored part. If not printed, it is only a picture
/// and a sentence.
pub fn globe(view: &View, printed: bool) -> MapPicture {
    let scale = Scale::of(view);
    let label = |n: i32| n * scale.wide + 1;
    let grid = GridMap {
        style: GridStyle::World,
        wrap: view.grid.wrap,
        hexes: None,
        columns: (0..scale.cols).map(|c| format!("{:03}", label(c))).collect(),
        rows: (0..scale.rows).map(|r| format!("{:02}", label(r))).collect(),
        cells: scale.signs(view).iter().map(|sign| scale.cell(sign, view)).collect(),
        routes: Vec::new(),
    };
    let known = known_in_words(view);
    let title = match printed {
        true => say!("{wide} by {wide} sectors to a sign", wide = scale.wide),
        false => known.clone(),
    };
    let mut map = MapPicture {
        terrains: coasts(),
        pale: say!("not explored"),
        square_width: usize::from(printed),
        legend: legend([("#", say!("land")), (".", say!("sea")), ("@", say!("your cities"))]),
        ..MapPicture::new("world", &title, MapKind::Grid(grid))
    };
    if printed {
        map.words = vec![known.into()];
    }
    map
}

fn known_in_words(view: &View) -> String {
    let grid = view.grid;
    let (cols, rows) = known_area(view);
    let column = |at: Option<&i32>| at.map_or(String::new(), |c| col_label(grid, *c));
    let row = |at: Option<&i32>| at.map_or(0, |r| r + 1);
    say!(
        "You know columns {west} to {east} and rows {north:02} to {south:02} of a world of {cols} \
         columns and {rows} rows.",
        west = column(cols.first()),
        east = column(cols.last()),
        north = row(rows.first()),
        south = row(rows.last()),
        cols = grid.cols,
        rows = grid.rows
    )
}

/// Columns and rows that hold everything the seat knows.
pub fn known_area(view: &View) -> (Vec<i32>, Vec<i32>) {
    let grid = view.grid;
    let known = |p: &Place| view.whole || view.power.has_explored(*p);
    let mut cols = vec![false; usize::from(grid.cols)];
    let mut rows = vec![false; usize::from(grid.rows)];
    for place in grid.places().filter(known).chain(view.cities.iter().map(|c| c.at)) {
        cols[grid.col(place) as usize] = true;
        rows[grid.row(place) as usize] = true;
    }
    let first = rows.iter().position(|r| *r).unwrap_or(0) as i32;
    let last = rows.iter().rposition(|r| *r).unwrap_or(0) as i32;
    (around_the_globe(&cols), (first..=last).collect())
}

/// The shortest run of columns that holds all known ones: it begins after the
/// widest unknown gap.
fn around_the_globe(known: &[bool]) -> Vec<i32> {
    let n = known.len();
    let gap = |start: usize| (0..n).take_while(|i| !known[(start + i) % n]).count();
    let starts = (0..n).filter(|&s| !known[s] && known[(s + n - 1) % n]);
    let widest = starts.max_by_key(|&s| (gap(s), n - s));
    let (start, count) = match widest {
        Some(s) => ((s + gap(s)) % n, n - gap(s)),
        None => (0, n),
    };
    (0..count).map(|i| ((start + i) % n) as i32).collect()
}
