//! A grid: squares or hexagons with their terrain, borders, routes and pieces.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::{Markup, html};

use super::land;
use super::legend::legend;
use super::look::{Look, relief_path};
use super::sign::Sign;
use super::signs::{dot, large, layer, middle, small};
use super::tiles::{Part, Tiles};
use super::tints::{self, BORDER_OWN, INK, MOVED, hex};
use engine::Seat;
use engine::report::{
    Cell, GridMap, GridStyle, MapPicture, Piece, Point, Relief, Side, Terrain, Tint,
};

/// The colour of borders around what is somebody else's.
const BORDER_OTHER: &str = "#611";

/// A part of a grid as it is drawn.
pub(super) struct Board<'a> {
    map: &'a MapPicture,
    grid: &'a GridMap,
    tiles: Tiles,
}

impl<'a> Board<'a> {
    /// A part in tiles of a width.
    pub(super) fn new(map: &'a MapPicture, grid: &'a GridMap, part: Part, tile: u32) -> Self {
        // A tile is a few dozen units wide.
        Self { map, grid, tiles: Tiles { part, tile: tile as i32, hexes: grid.hexes } }
    }

    /// Column, row and square of everything in the part.
    fn squares(&self) -> impl Iterator<Item = (Point, &'a Cell)> {
        let (grid, cols) = (self.grid, self.grid.columns.len());
        let square =
            move |(x, y): (usize, usize)| ((x as i32, y as i32), &grid.cells[y * cols + x]);
        self.tiles.part.squares().map(square)
    }

    /// The square at a column and a row; `None` beyond the map.
    fn cell(&self, (x, y): Point) -> Option<&Cell> {
        let (cols, rows) = (self.grid.columns.len(), self.grid.rows.len());
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < cols && y < rows).then(|| self.grid.cells.get(y * cols + x)).flatten()
    }

    /// Column and row of a numbered square in the part.
    fn at(&self, place: usize) -> Option<Point> {
        let cols = self.grid.columns.len().max(1);
        let at = (place % cols, place / cols);
        self.tiles.part.has(at).then_some((at.0 as i32, at.1 as i32))
    }

    fn tint(&self, cell: &Cell) -> Tint {
        // Among many holders, each has a colour of its own.
        match (self.grid.style, cell.side, cell.holder) {
            (GridStyle::World, Side::Foreign, Some(seat)) => tints::seat(self.map, seat),
            _ => tints::place(self.map, cell),
        }
    }

    /// One path for each colour; squares beside each other are one shape.
    pub(super) fn grounds(&self) -> Markup {
        let mut paths: BTreeMap<Tint, String> = BTreeMap::new();
        let squares: Vec<(Point, Tint)> =
            self.squares().map(|(at, cell)| (at, self.tint(cell))).collect();
        for row in squares.chunks(self.tiles.part.wide().max(1)) {
            if self.tiles.hexes.is_some() {
                for (at, tint) in row {
                    paths.entry(*tint).or_default().push_str(&self.tiles.outline(*at));
                }
                continue;
            }
            for run in row.chunk_by(|a, b| a.1 == b.1) {
                let ((x, y), tile) = (self.tiles.corner(run[0].0), self.tiles.tile);
                let width = run.len() as i32 * tile;
                let path = paths.entry(run[0].1).or_default();
                let _ = write!(path, "M{x} {y}h{width}v{tile}h-{width}z");
            }
        }
        html! {
            @if self.tiles.hexes.is_some() {
                // A rim of the same colour closes the seams between slanting sides.
                @for (tint, path) in paths {
                    path fill=(hex(tint)) stroke=(hex(tint)) d=(path) {}
                }
            } @else {
                g shape-rendering="crispEdges" {
                    @for (tint, path) in paths { path fill=(hex(tint)) d=(path) {} }
                }
            }
        }
    }

    /// Small drawings of the terrain, one path a colour.
    fn relief(&self) -> Markup {
        let mut paths: BTreeMap<&str, String> = BTreeMap::new();
        let tile = self.tiles.tile;
        let big = tile > 30 && self.grid.style != GridStyle::Board;
        for (at, cell) in self.squares() {
            let (x, y) = self.tiles.corner(at);
            // In large squares they are in a corner and leave room for forces.
            let (cx, cy) = match big {
                true => (x + tile - 14, y + 14),
                false => (x + tile / 2, y + tile / 2),
            };
            let unit = if big { 2 } else { (tile / 10).max(1) };
            let relief = self.map.terrain(cell).map_or(Relief::None, |t: &Terrain| t.relief);
            let Some(drawn) = relief_path(relief, (cx, cy), unit) else { continue };
            // Light strokes on dark ground.
            let ink = if cell.side == Side::Foreign { "#cba" } else { "#675" };
            paths.entry(ink).or_default().push_str(&drawn);
        }
        html! {
            @for (ink, path) in paths { path stroke=(ink) fill="none" d=(path) {} }
        }
    }

    /// Faint lines between the squares.
    fn lattice(&self) -> Markup {
        let (wide, high) = self.tiles.size();
        let mut path = String::new();
        if self.tiles.hexes.is_some() {
            self.squares().for_each(|(at, _)| path.push_str(&self.tiles.outline(at)));
            return html! { path d=(path) stroke="#000" stroke-opacity="0.3" fill="none" {} };
        }
        let (tile, part) = (self.tiles.tile, self.tiles.part);
        for x in 1..part.wide() as i32 {
            let _ = write!(path, "M{} 0v{high}", x * tile);
        }
        for y in 1..part.high() as i32 {
            let _ = write!(path, "M0 {}h{wide}", y * tile);
        }
        html! { path d=(path) stroke="#000" stroke-opacity="0.1" shape-rendering="crispEdges" {} }
    }

    /// Lines between squares of different holders.
    fn borders(&self) -> Markup {
        let holder = |cell: &Cell| -> (Side, Option<Seat>) { (cell.side, cell.holder) };
        let (mut own, mut other) = (String::new(), String::new());
        for (at, cell) in self.squares() {
            for (next, line) in self.tiles.edges(at) {
                let Some(beside) = self.cell(next) else { continue };
                if holder(cell) == holder(beside) {
                    continue;
                }
                match cell.side == Side::Own || beside.side == Side::Own {
                    true => own.push_str(&line),
                    false => other.push_str(&line),
                }
            }
        }
        let width = if self.tiles.tile > 10 { "2" } else { "1" };
        let crisp = self.tiles.hexes.is_none().then_some("crispEdges");
        html! {
            g shape-rendering=[crisp] stroke-width=(width) fill="none" {
                path d=(other) stroke=(BORDER_OTHER) stroke-dasharray="5 2" {}
                path d=(own) stroke=(BORDER_OWN) {}
            }
        }
    }

    /// Dashed lines from forces to where they are under way to. Lines that lead off the map stop at
    /// its edge. They are cut here because a clip costs a layer of pixels.
    fn routes(&self) -> Markup {
        let (wide, high) = self.tiles.size();
        let size = (wide as i32, high as i32);
        let lines = self
            .grid
            .routes
            .iter()
            .filter_map(|r| cut_line(self.tiles.centre(r.from), self.tiles.centre(r.to), size));
        html! {
            @for ((ax, ay), (bx, by), arrives) in lines {
                path d=(format!("M{ax} {ay}L{bx} {by}")) stroke="#fff" stroke-width="3"
                    stroke-opacity="0.7" {}
                path d=(format!("M{ax} {ay}L{bx} {by}")) stroke="#05a" stroke-width="1.5"
                    stroke-dasharray="4 3" {}
                @if arrives {
                    circle cx=(bx) cy=(by) r="3" fill="#fff" stroke="#05a" stroke-width="1.5" {}
                }
            }
        }
    }

    /// Outlines of the squares that the last move touched.
    fn last_move(&self) -> Markup {
        let places = self.map.last_move.places.iter().filter_map(|place| self.at(*place));
        let path: String = places.map(|at| self.tiles.outline(at)).collect();
        let widths = if self.tiles.tile > 10 { ("5", "3") } else { ("3", "1") };
        html! {
            @if !path.is_empty() {
                path d=(path) fill="none" stroke="#fff" stroke-width=(widths.0) {}
                path d=(path) fill="none" stroke=(MOVED) stroke-width=(widths.1) {}
            }
        }
    }

    fn pieces(&self) -> Markup {
        let drawn = self.map.pieces.iter().filter_map(|piece| {
            let (at, sign) = (self.at(piece.at)?, Sign::of(self.map, piece)?);
            Some((piece, at, sign))
        });
        let mut order: Vec<(&Piece, Point, Sign)> = drawn.collect();
        order.sort_by_key(|(piece, _, sign)| (layer(sign.shape), piece.at));
        let tile = self.tiles.tile as u32;
        let board = self.grid.style == GridStyle::Board;
        let mut below: BTreeMap<usize, u32> = BTreeMap::new();
        html! {
            @for (piece, at, sign) in order {
                @let (x, y) = self.tiles.corner(at);
                @let nth = match sign.shape.is_counter() || board {
                    true => {
                        let nth = below.entry(piece.at).or_default();
                        *nth += 1;
                        *nth - 1
                    }
                    false => 0,
                };
                g transform=(format!("translate({x} {y})")) {
                    @match tile {
                        _ if board => (middle(&sign, tile, nth)),
                        0..=12 => (dot(self.map, piece, tile)),
                        13..=30 => (small(&sign, tile, nth)),
                        _ => (large(&sign, tile, nth)),
                    }
                }
            }
        }
    }

    fn labels(&self, look: &Look) -> Markup {
        let ((left, top), part) = (look.margin, self.tiles.part);
        let shown = |(i, _): &(usize, usize)| i.is_multiple_of(look.step);
        let column = |x: usize| {
            let at = self.tiles.centre((x as i32, part.rows.0 as i32));
            left as i32 + at.0
        };
        let row = |y: usize| top as i32 + self.tiles.centre((part.cols.0 as i32, y as i32)).1;
        html! {
            g fill=(INK) font-size="9" {
                @for (_, x) in (part.cols.0..part.cols.1).enumerate().filter(shown) {
                    text x=(column(x)) y=(top - 4) text-anchor="middle" { (self.grid.columns[x]) }
                }
                @for (_, y) in (part.rows.0..part.rows.1).enumerate().filter(shown) {
                    text x=(left - 4) y=(row(y) + 3) text-anchor="end" { (self.grid.rows[y]) }
                }
            }
        }
    }
}

/// A part of a grid as its style wants it, with its labels, and the legend below.
pub(super) fn draw(map: &MapPicture, grid: &GridMap, part: Part) -> ((u32, u32), Markup) {
    draw_in(map, grid, part, Look::of(grid))
}

/// A part of a grid in a given look.
pub(super) fn draw_in(
    map: &MapPicture,
    grid: &GridMap,
    part: Part,
    look: Look,
) -> ((u32, u32), Markup) {
    if grid.hexes.is_none() && grid.style != GridStyle::Board {
        return land::draw(map, grid, part, &look);
    }
    let board = Board::new(map, grid, part, look.tile);
    let (left, top) = look.margin;
    let (wide, high) = board.tiles.size();
    let legend = legend(map, &|place| board.at(place).is_some(), (left + wide + 10, 10));
    let size = (left + wide + 10, top + high + 8 + legend.0);
    let body = html! {
        (board.labels(&look))
        g transform=(format!("translate({left} {top})")) {
            (board.grounds())
            @if look.tile >= 16 { (board.relief()) }
            @if look.tile >= 16 { (board.lattice()) }
            (board.borders())
            (board.last_move())
            (board.routes())
            (board.pieces())
        }
        @if grid.hexes.is_none() {
            rect x=(left) y=(top) width=(wide) height=(high) fill="none" stroke=(INK) {}
        }
        g transform=(format!("translate(0 {})", top + high + 8)) { (legend.1) }
    };
    (size, body)
}

/// The part of a line within a size, and whether its end is within it; after Liang and Barsky.
fn cut_line(a: Point, b: Point, size: Point) -> Option<(Point, Point, bool)> {
    let (dx, dy) = (f64::from(b.0 - a.0), f64::from(b.1 - a.1));
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    let sides = [
        (-dx, f64::from(a.0)),
        (dx, f64::from(size.0 - a.0)),
        (-dy, f64::from(a.1)),
        (dy, f64::from(size.1 - a.1)),
    ];
    for (p, q) in sides {
        if p == 0.0 {
            if q < 0.0 {
                return None;
            }
        } else if p < 0.0 {
            from = from.max(q / p);
        } else {
            to = to.min(q / p);
        }
    }
    // A map has a few thousand units at most.
    let at = |t: f64| (a.0 + (dx * t).round() as i32, a.1 + (dy * t).round() as i32);
    (from < to).then(|| (at(from), at(to), to >= 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_leads_beyond_the_map_ends_at_its_edge() {
        let cut = |b| cut_line((10, 10), b, (100, 50));
        assert_eq!(cut((20, 20)), Some(((10, 10), (20, 20), true)));
        assert_eq!(cut((210, 10)), Some(((10, 10), (100, 10), false)));
        assert_eq!(cut((10, -90)), Some(((10, 10), (10, 0), false)));
        assert_eq!(cut_line((-50, 10), (-10, 10), (100, 50)), None);
    }
}
