//! Maps as SVG pictures: drawn once, for screens and for paper.
//!
//! Own land is light, foreign land dark, land without supply and what is only reported
//! paler; what is not known lies under fog. A large map is cut into sheets, with an
//! index map before them.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use super::schematic::boxes;
use super::signs::{city, clash, counter, dot, large, rimmed, small, star};
use engine::Seat;
use engine::report::{Cell, Ground, MapKind, MapPicture, Piece, Side, Sign, Track};

/// A drawn map or a part of it.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// What tells it from the other sheets of its map, such as `B2`; empty for the only
    /// one.
    pub name: String,
    /// What it shows, for who can't see it.
    pub alt: String,
    pub svg: String,
    /// Width and height in units.
    pub size: (u32, u32),
}

/// Squares of a sheet, at most.
const SHEET_SQUARES: (usize, usize) = (40, 30);
/// Boxes of a sheet of a schematic map, at most.
const SHEET_BOXES: (usize, usize) = (18, 20);

pub(super) const INK: &str = "#222";
const PAPER: &str = "#fff";
pub(super) const FOG: (u8, u8, u8) = (12, 12, 12);
pub(super) const BORDER_OWN: &str = "#036";
const BORDER_OTHER: &str = "#611";

/// A colour in steps of 17.
pub(super) type Tint = (u8, u8, u8);

pub(super) fn hex((r, g, b): Tint) -> String {
    format!("#{r:x}{g:x}{b:x}")
}

/// The second colour over the first, so many tenths of it.
pub(super) fn mix(a: Tint, b: Tint, tenths: u8) -> Tint {
    let one = |a: u8, b: u8| (a * (10 - tenths) + b * tenths + 5) / 10;
    (one(a.0, b.0), one(a.1, b.1), one(a.2, b.2))
}

fn ground_tint(ground: Ground) -> Tint {
    match ground {
        Ground::Unknown => FOG,
        Ground::Land => (13, 13, 10),
        Ground::Open => (13, 14, 10),
        Ground::Woods => (10, 13, 9),
        Ground::Barren => (14, 13, 11),
        Ground::Marsh => (10, 13, 12),
        Ground::Hills => (13, 12, 8),
        Ground::Desert => (15, 14, 10),
        Ground::Forest => (7, 11, 7),
        Ground::Swamp => (9, 11, 9),
        Ground::Mountains => (11, 10, 9),
        Ground::Sea => (11, 14, 15),
        Ground::Ice => (15, 15, 15),
    }
}

/// The tint of a square: light where it is own, dark where it is foreign.
fn tint(ground: Ground, side: Side, pale: bool) -> Tint {
    let tint = ground_tint(ground);
    let tint = match side {
        Side::Nobody => tint,
        _ if ground == Ground::Sea => tint,
        Side::Own => mix(tint, (15, 15, 13), 6),
        Side::Ally => mix(tint, (10, 14, 13), 5),
        Side::Foreign => mix(tint, (5, 4, 4), 6),
    };
    if pale { mix(tint, FOG, 6) } else { tint }
}

/// A colour for a seat where there are many: hues in turn, three depths.
pub(super) fn seat_tint(seat: Seat) -> Tint {
    const HUES: [Tint; 10] = [
        (0, 7, 11),
        (13, 5, 0),
        (0, 9, 7),
        (12, 7, 10),
        (14, 9, 0),
        (5, 11, 14),
        (8, 6, 0),
        (9, 5, 12),
        (12, 12, 3),
        (6, 6, 6),
    ];
    let n = usize::from(seat.0).saturating_sub(1);
    let hue = HUES[n % HUES.len()];
    match n / HUES.len() % 3 {
        0 => hue,
        1 => mix(hue, (15, 15, 15), 4),
        _ => mix(hue, (0, 0, 0), 4),
    }
}

/// A part of a map: columns and rows from and to (exclusive).
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub cols: (usize, usize),
    pub rows: (usize, usize),
}

impl Part {
    pub(super) fn wide(self) -> usize {
        self.cols.1 - self.cols.0
    }

    pub(super) fn high(self) -> usize {
        self.rows.1 - self.rows.0
    }

    pub(super) fn has(self, (x, y): (u16, u16)) -> bool {
        (self.cols.0..self.cols.1).contains(&usize::from(x))
            && (self.rows.0..self.rows.1).contains(&usize::from(y))
    }
}

/// Draws a map: one sheet, or an index and several.
pub fn sheets(map: &MapPicture) -> Vec<Sheet> {
    let (cols, rows) = (map.columns.len(), map.rows.len());
    if cols == 0 || rows == 0 || map.cells.len() < cols * rows {
        return Vec::new();
    }
    let most = match map.kind {
        MapKind::Schematic => SHEET_BOXES,
        MapKind::Strategic => SHEET_SQUARES,
        MapKind::Tactical | MapKind::World => (usize::MAX, usize::MAX),
    };
    let (across, down) = (cols.div_ceil(most.0), rows.div_ceil(most.1));
    let whole = Part { cols: (0, cols), rows: (0, rows) };
    if across * down == 1 {
        return vec![sheet(map, whole, String::new())];
    }
    // Sheets of one map are of about one size.
    let cut = |n: usize, parts: usize, i: usize| (n * i / parts, n * (i + 1) / parts);
    let letter = |y: usize| char::from(b'A' + (y % 26) as u8);
    let parts = (0..down).flat_map(|y| (0..across).map(move |x| (x, y)));
    let parts: Vec<(String, Part)> = parts
        .map(|(x, y)| {
            let part = Part { cols: cut(cols, across, x), rows: cut(rows, down, y) };
            (format!("{}{}", letter(y), x + 1), part)
        })
        // A sheet of nothing but fog shows nothing.
        .filter(|(_, part)| squares(map, *part).any(|(_, _, c)| !is_empty(map, c)))
        .collect();
    let mut sheets = vec![index(map, &parts)];
    sheets.extend(parts.into_iter().map(|(name, part)| sheet(map, part, name)));
    sheets
}

/// A map as one drawing, however large it is.
pub fn whole(map: &MapPicture) -> Option<Sheet> {
    let (cols, rows) = (map.columns.len(), map.rows.len());
    let whole = Part { cols: (0, cols), rows: (0, rows) };
    (cols * rows > 0 && map.cells.len() >= cols * rows).then(|| sheet(map, whole, String::new()))
}

fn is_empty(map: &MapPicture, cell: &Cell) -> bool {
    match map.kind {
        MapKind::Schematic => cell.ground == Ground::Unknown,
        _ => cell.ground == Ground::Unknown && cell.side == Side::Nobody,
    }
}

/// Squares of a part with their column and row in it.
fn squares(map: &MapPicture, part: Part) -> impl Iterator<Item = (usize, usize, &Cell)> {
    let cols = map.columns.len();
    (part.rows.0..part.rows.1).flat_map(move |y| {
        (part.cols.0..part.cols.1)
            .map(move |x| (x - part.cols.0, y - part.rows.0, &map.cells[y * cols + x]))
    })
}

fn sheet(map: &MapPicture, part: Part, name: String) -> Sheet {
    let (size, body) = match map.kind {
        MapKind::Schematic => boxes(map, part),
        _ => grid(map, part),
    };
    let span = |labels: &[String], (from, to): (usize, usize)| match labels.get(from) {
        Some(first) if !first.is_empty() => format!("{first} to {}", labels[to - 1]),
        _ => String::new(),
    };
    let (cols, rows) = (span(&map.columns, part.cols), span(&map.rows, part.rows));
    let which = if name.is_empty() { String::new() } else { format!(", sheet {name}") };
    let lies = match cols.is_empty() {
        true => String::new(),
        false => format!(", columns {cols}, rows {rows}"),
    };
    let kind = match map.kind {
        MapKind::Strategic => "Strategic map",
        MapKind::Tactical => "Tactical map",
        MapKind::World => "Map of the world",
        MapKind::Schematic => "Schematic map",
    };
    let alt = format!("{kind}{which}{lies}. {}", map.title);
    Sheet { name, alt, svg: frame(size, &body), size }
}

/// An SVG of a size around its contents.
fn frame((wide, high): (u32, u32), body: &Markup) -> String {
    let view = format!("0 0 {wide} {high}");
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(wide) height=(high) viewBox=(view)
            font-family="DejaVu Sans" font-size="9" {
            rect width=(wide) height=(high) fill=(PAPER) {}
            (body)
        }
    };
    picture.into_string()
}

/// How squares are drawn.
struct Look {
    /// Side of a square.
    tile: u32,
    /// Left and top, for the labels.
    margin: (u32, u32),
    /// Column numbers are written at each so many squares.
    step: usize,
}

fn look(map: &MapPicture) -> Look {
    match map.kind {
        MapKind::Strategic => Look { tile: 20, margin: (24, 16), step: 5 },
        MapKind::Tactical => Look { tile: 48, margin: (24, 16), step: 1 },
        // A world fits about 1,300 units, whatever its squares stand for.
        _ => {
            let tile = (640 / map.columns.len().max(1)).clamp(4, 10) as u32;
            Look { tile, margin: (28, 16), step: (50 / tile as usize).max(5) }
        }
    }
}

fn grid(map: &MapPicture, part: Part) -> ((u32, u32), Markup) {
    let look = look(map);
    let (tile, (left, top)) = (look.tile, look.margin);
    let (wide, high) = (part.wide() as u32 * tile, part.high() as u32 * tile);
    let legend = legend(map, left + wide + 10);
    let size = (left + wide + 10, top + high + 8 + legend.0);
    let body = html! {
        (labels(map, part, &look))
        g transform=(format!("translate({left} {top})")) {
            (grounds(map, part, tile))
            @if tile >= 16 { (relief(map, part, tile)) }
            @if tile >= 16 { (lattice(part, tile)) }
            (borders(map, part, tile))
            (advances(map, part, tile))
            (pieces(map, part, tile))
        }
        rect x=(left) y=(top) width=(wide) height=(high) fill="none" stroke=(INK) {}
        g transform=(format!("translate(0 {})", top + high + 8)) { (legend.1) }
    };
    (size, body)
}

fn labels(map: &MapPicture, part: Part, look: &Look) -> Markup {
    let (tile, (left, top)) = (look.tile, look.margin);
    let middle = |i: usize, start: u32| start + i as u32 * tile + tile / 2;
    let told = |i: usize| (i).is_multiple_of(look.step);
    html! {
        g fill=(INK) font-size="9" {
            @for (i, x) in (part.cols.0..part.cols.1).enumerate().filter(|(i, _)| told(*i)) {
                text x=(middle(i, left)) y=(top - 4) text-anchor="middle" { (map.columns[x]) }
            }
            @for (i, y) in (part.rows.0..part.rows.1).enumerate().filter(|(i, _)| told(*i)) {
                text x=(left - 4) y=(middle(i, top) + 3) text-anchor="end" { (map.rows[y]) }
            }
        }
    }
}

/// One path for each tint, squares beside each other as one.
fn grounds(map: &MapPicture, part: Part, tile: u32) -> Markup {
    let mut paths: BTreeMap<Tint, String> = BTreeMap::new();
    let cols = map.columns.len();
    for y in part.rows.0..part.rows.1 {
        let row: Vec<Tint> = (part.cols.0..part.cols.1)
            .map(|x| {
                let cell = &map.cells[y * cols + x];
                // Among many holders, each has a colour of its own.
                match (map.kind, cell.side, cell.holder) {
                    (MapKind::World, Side::Foreign, Some(seat)) => seat_tint(seat),
                    _ => tint(cell.ground, cell.side, cell.pale),
                }
            })
            .collect();
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            let path = paths.entry(run[0]).or_default();
            let (px, py) = (x as u32 * tile, (y - part.rows.0) as u32 * tile);
            let width = run.len() as u32 * tile;
            let _ = write!(path, "M{px} {py}h{width}v{tile}h-{width}z");
            x += run.len();
        }
    }
    html! {
        g shape-rendering="crispEdges" {
            @for (tint, path) in paths { path fill=(hex(tint)) d=(path) {} }
        }
    }
}

/// Small signs of the ground, one path a kind.
fn relief(map: &MapPicture, part: Part, tile: u32) -> Markup {
    let mut paths: BTreeMap<&str, String> = BTreeMap::new();
    let (u, big) = (tile / 10, tile > 30);
    for (x, y, cell) in squares(map, part) {
        let (px, py) = (x as u32 * tile, y as u32 * tile);
        // In large squares signs stand in a corner and leave room for forces.
        let (cx, cy) = match big {
            true => (px + tile - 14, py + 14),
            false => (px + tile / 2, py + tile / 2),
        };
        let u = if big { 2 } else { u.max(1) };
        let sign = match cell.ground {
            Ground::Mountains => {
                let (a, b) = (3 * u, 3 * u);
                format!("M{} {}l{a} -{b}l{a} {b}", cx - a, cy + u)
            }
            Ground::Hills => {
                let r = 2 * u;
                format!("M{} {}a{r} {r} 0 0 1 {} 0", cx - r, cy + u, 2 * r)
            }
            Ground::Forest => {
                let (a, b) = (2 * u, 4 * u);
                format!("M{} {}l{a} -{b}l{a} {b}zm{a} 0v{u}", cx - a, cy + u)
            }
            Ground::Woods => {
                let (a, b) = (u, 3 * u);
                format!("M{} {}l{a} -{b}l{a} {b}z", cx - a, cy + u)
            }
            Ground::Swamp | Ground::Marsh => {
                let a = 2 * u;
                format!("M{} {}h{}m-{} {a}h{}", cx - a, cy - u, 2 * a, 3 * u, a)
            }
            Ground::Desert => {
                format!("M{} {}h{u}m{u} {u}h{u}m-{} {u}h{u}", cx - 2 * u, cy - u, 3 * u)
            }
            _ => continue,
        };
        // Light signs on dark ground.
        let ink = if cell.side == Side::Foreign { "#cba" } else { "#675" };
        paths.entry(ink).or_default().push_str(&sign);
    }
    html! {
        @for (ink, path) in paths { path stroke=(ink) fill="none" d=(path) {} }
    }
}

/// Faint lines between the squares.
fn lattice(part: Part, tile: u32) -> Markup {
    let (wide, high) = (part.wide() as u32 * tile, part.high() as u32 * tile);
    let mut path = String::new();
    for x in 1..part.wide() as u32 {
        let _ = write!(path, "M{} 0v{high}", x * tile);
    }
    for y in 1..part.high() as u32 {
        let _ = write!(path, "M0 {}h{wide}", y * tile);
    }
    html! { path d=(path) stroke="#000" stroke-opacity="0.1" shape-rendering="crispEdges" {} }
}

/// Lines between squares of different holders.
fn borders(map: &MapPicture, part: Part, tile: u32) -> Markup {
    let cols = map.columns.len();
    let side = |x: usize, y: usize| {
        let cell = &map.cells[y * cols + x];
        (cell.side, cell.holder)
    };
    let (mut own, mut other) = (String::new(), String::new());
    let mut line = |a: (Side, Option<Seat>), b: (Side, Option<Seat>), d: String| {
        if a == b {
            return;
        }
        match a.0 == Side::Own || b.0 == Side::Own {
            true => own.push_str(&d),
            false => other.push_str(&d),
        }
    };
    for y in part.rows.0..part.rows.1 {
        for x in part.cols.0..part.cols.1 {
            let here = side(x, y);
            let (px, py) = ((x - part.cols.0) as u32 * tile, (y - part.rows.0) as u32 * tile);
            if x + 1 < cols {
                line(here, side(x + 1, y), format!("M{} {py}v{tile}", px + tile));
            }
            if y + 1 < map.rows.len() {
                line(here, side(x, y + 1), format!("M{px} {}h{tile}", py + tile));
            }
        }
    }
    let width = if tile > 10 { "2" } else { "1" };
    html! {
        g shape-rendering="crispEdges" stroke-width=(width) fill="none" {
            path d=(other) stroke=(BORDER_OTHER) stroke-dasharray="5 2" {}
            path d=(own) stroke=(BORDER_OWN) {}
        }
    }
}

/// Dashed lines from forces to where they are under way to. Those that lead beyond the
/// map end at its edge: cut here, for a clip costs a layer of pixels.
fn advances(map: &MapPicture, part: Part, tile: u32) -> Markup {
    let tile = tile as i32;
    let centre = |(x, y): (i32, i32)| {
        let (left, top) = (part.cols.0 as i32, part.rows.0 as i32);
        ((x - left) * tile + tile / 2, (y - top) * tile + tile / 2)
    };
    let size = (part.wide() as i32 * tile, part.high() as i32 * tile);
    let advances = map.routes.iter().filter(|r| r.track == Track::Advance);
    let lines = advances.filter_map(|r| cut_line(centre(r.from), centre(r.to), size));
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

type Point = (i32, i32);

/// The part of a line within a size, and whether its end is; after Liang and Barsky.
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
    // Squares of a map are some thousand units at most.
    let at = |t: f64| (a.0 + (dx * t).round() as i32, a.1 + (dy * t).round() as i32);
    (from < to).then(|| (at(from), at(to), to >= 1.0))
}

fn pieces(map: &MapPicture, part: Part, tile: u32) -> Markup {
    let here = |p: &&Piece| part.has(p.at);
    let mut order: Vec<&Piece> = map.pieces.iter().filter(here).collect();
    // Names of cities above all grounds, forces above cities, battles above all.
    let rank = |p: &Piece| match p.sign {
        Sign::City | Sign::Ruins => 0,
        Sign::Land | Sign::Ships => 1,
        Sign::General => 2,
        Sign::Battle => 3,
    };
    order.sort_by_key(|p| (rank(p), p.at.1, p.at.0));
    let mut forces: BTreeMap<(u16, u16), u32> = BTreeMap::new();
    html! {
        @for piece in order {
            @let x = (usize::from(piece.at.0) - part.cols.0) as u32 * tile;
            @let y = (usize::from(piece.at.1) - part.rows.0) as u32 * tile;
            @let nth = match piece.sign {
                Sign::Land | Sign::Ships => {
                    let nth = forces.entry(piece.at).or_default();
                    *nth += 1;
                    *nth - 1
                }
                _ => 0,
            };
            g transform=(format!("translate({x} {y})")) {
                @match tile {
                    0..=12 => (dot(piece, tile)),
                    13..=30 => (small(piece, tile, nth)),
                    _ => (large(piece, tile, nth)),
                }
            }
        }
    }
}

/// What the signs of a map mean: its height and drawing.
fn legend(map: &MapPicture, wide: u32) -> (u32, Markup) {
    if map.kind == MapKind::World && map.cells.iter().any(|c| c.holder.is_some()) {
        return (0, PreEscaped(String::new()));
    }
    let mut items: Vec<(Markup, &str)> = Vec::new();
    let swatch = |t: Tint| html! { rect width="12" height="12" fill=(hex(t)) stroke="#888" {} };
    let ground = if map.kind == MapKind::World { Ground::Land } else { Ground::Open };
    let has = |side: Side| map.cells.iter().any(|c| c.side == side);
    if has(Side::Own) {
        items.push((swatch(tint(ground, Side::Own, false)), "yours"));
    }
    if has(Side::Ally) {
        items.push((swatch(tint(ground, Side::Ally, false)), "an ally's"));
    }
    if has(Side::Foreign) {
        items.push((swatch(tint(ground, Side::Foreign, false)), "foreign"));
    }
    match map.kind {
        MapKind::World => {
            if map.cells.iter().any(|c| c.pale) {
                items.push((swatch(tint(Ground::Land, Side::Nobody, true)), "not explored"));
            }
        }
        _ => {
            if map.cells.iter().any(|c| c.pale && c.side == Side::Own) {
                items.push((swatch(tint(ground, Side::Own, true)), "without supply"));
            }
            if map.cells.iter().any(|c| c.ground == Ground::Unknown) {
                items.push((swatch(FOG), "not known"));
            }
        }
    }
    let on = |sign: Sign| map.pieces.iter().any(|p| p.sign == sign);
    let blank = |sign: Sign, code: &str, size: u32| Piece {
        at: (0, 0),
        sign,
        side: Side::Own,
        holder: None,
        code: code.to_owned(),
        name: String::new(),
        size,
    };
    if map.kind != MapKind::World {
        if on(Sign::City) {
            items.push((city(Side::Own, 2, 0, 12), "city, level"));
        }
        if on(Sign::Ruins) {
            items.push((rimmed(2, 11, 11, "?"), "ruins"));
        }
        if on(Sign::Land) {
            let force = counter(&blank(Sign::Land, "I", 20), (0, 1), (20, 10), 8);
            items.push((force, "  force: type, size"));
        }
        if map.pieces.iter().any(|p| p.side == Side::Foreign && p.sign == Sign::Land) {
            let foreign = Piece { side: Side::Foreign, ..blank(Sign::Land, "I", 9) };
            items.push((counter(&foreign, (0, 1), (20, 10), 8), "  foreign"));
        }
        if map.pieces.iter().any(|p| p.side == Side::Ally && p.sign == Sign::Land) {
            let ally = Piece { side: Side::Ally, ..blank(Sign::Land, "I", 9) };
            items.push((counter(&ally, (0, 1), (20, 10), 8), "  an ally's"));
        }
        if on(Sign::Ships) {
            let ships = counter(&blank(Sign::Ships, "D", 4), (0, 1), (20, 10), 8);
            items.push((ships, "  ships"));
        }
        if on(Sign::General) {
            items.push((star(6, 6), "general"));
        }
        if on(Sign::Battle) {
            items.push((clash(6, 6, 5), "battle"));
        }
        if map.routes.iter().any(|r| r.track == Track::Advance) {
            let dash = html! { path d="M0 6h14" stroke="#05a" stroke-width="1.5"
            stroke-dasharray="4 3" {} };
            items.push((dash, "advance"));
        }
        for (ground, name) in [
            (Ground::Mountains, "mountains"),
            (Ground::Hills, "hills"),
            (Ground::Forest, "forest"),
            (Ground::Woods, "woods"),
            (Ground::Swamp, "swamp"),
            (Ground::Marsh, "marsh"),
            (Ground::Desert, "desert"),
            (Ground::Barren, "barren"),
            (Ground::Sea, "sea"),
        ] {
            if map.cells.iter().any(|c| c.ground == ground) {
                items.push((swatch(ground_tint(ground)), name));
            }
        }
    }
    // As many in a line as fit, by a generous width of a letter.
    let (mut x, mut line) = (4, 0);
    let mut placed = Vec::new();
    for (drawing, name) in items {
        let gap = if name.starts_with(' ') { 24 } else { 16 };
        let name = name.trim_start();
        let width = gap + name.len() as u32 * 6 + 10;
        if x + width > wide && x > 4 {
            (x, line) = (4, line + 1);
        }
        placed.push((x, line * 18, gap, drawing, name));
        x += width;
    }
    let high = if placed.is_empty() { 0 } else { (line + 1) * 18 + 4 };
    let drawn = html! {
        @for (x, y, gap, drawing, name) in placed {
            g transform=(format!("translate({x} {y})")) {
                (drawing)
                text x=(gap) y="10" font-size="9" fill=(INK) { (name) }
            }
        }
    };
    (high, drawn)
}

/// Where the sheets of a map lie.
fn index(map: &MapPicture, parts: &[(String, Part)]) -> Sheet {
    let tile = (560 / map.columns.len().max(1)).clamp(3, 14) as u32;
    let whole = Part { cols: (0, map.columns.len()), rows: (0, map.rows.len()) };
    let size = (whole.wide() as u32 * tile + 12, whole.high() as u32 * tile + 12);
    let body = html! {
        g transform="translate(6 6)" {
            @if map.kind == MapKind::Schematic {
                @for (x, y, cell) in squares(map, whole).filter(|s| s.2.ground != Ground::Unknown) {
                    rect x=(x as u32 * tile) y=(y as u32 * tile) width=(tile - 1) height=(tile - 1)
                        fill=(hex(tint(cell.ground, cell.side, false))) {}
                }
            } @else {
                (grounds(map, whole, tile))
            }
            @for (name, part) in parts {
                @let (x, y) = (part.cols.0 as u32 * tile, part.rows.0 as u32 * tile);
                @let (w, h) = (part.wide() as u32 * tile, part.high() as u32 * tile);
                rect x=(x) y=(y) width=(w) height=(h) fill="none" stroke="#000" {}
                (rimmed(x + 4, y + 16, 14, name))
            }
        }
    };
    let names: Vec<&str> = parts.iter().map(|p| p.0.as_str()).collect();
    let alt = format!("Index of the sheets {}", names.join(", "));
    Sheet { name: "index".to_owned(), alt, svg: frame(size, &body), size }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(kind: MapKind, cols: usize, rows: usize) -> MapPicture {
        let cell = Cell { ground: Ground::Hills, side: Side::Own, ..Cell::default() };
        MapPicture {
            id: "x".into(),
            kind,
            title: "t".into(),
            columns: (0..cols).map(|c| format!("{c:03}")).collect(),
            rows: (0..rows).map(|r| format!("{r:02}")).collect(),
            square_width: 1,
            cells: vec![cell; cols * rows],
            pieces: Vec::new(),
            routes: Vec::new(),
            legend: Vec::new(),
            words: Vec::new(),
        }
    }

    #[test]
    fn a_large_map_is_cut_into_sheets_with_an_index() {
        assert_eq!(sheets(&map(MapKind::Strategic, 40, 30)).len(), 1);
        let names: Vec<String> =
            sheets(&map(MapKind::Strategic, 81, 31)).into_iter().map(|s| s.name).collect();
        assert_eq!(names, ["index", "A1", "A2", "A3", "B1", "B2", "B3"]);
    }

    #[test]
    fn a_line_that_leads_beyond_the_map_ends_at_its_edge() {
        let cut = |b| cut_line((10, 10), b, (100, 50));
        assert_eq!(cut((20, 20)), Some(((10, 10), (20, 20), true)));
        assert_eq!(cut((210, 10)), Some(((10, 10), (100, 10), false)));
        assert_eq!(cut((10, -90)), Some(((10, 10), (10, 0), false)));
        assert_eq!(cut_line((-50, 10), (-10, 10), (100, 50)), None);
    }

    #[test]
    fn every_colour_has_three_digits_so_that_a_palette_holds_it() {
        let drawn = sheets(&map(MapKind::Tactical, 3, 3));
        for part in drawn[0].svg.split('#').skip(1).filter(|p| !p.starts_with("map")) {
            let digits = part.chars().take_while(char::is_ascii_hexdigit).count();
            assert_eq!(digits, 3, "{}", &part[..8.min(part.len())]);
        }
    }

    #[test]
    fn names_can_not_leave_their_text() {
        let mut map = map(MapKind::Strategic, 3, 3);
        map.pieces.push(Piece {
            at: (1, 1),
            sign: Sign::City,
            side: Side::Own,
            holder: None,
            code: "1".into(),
            name: "</text><script>\"&".into(),
            size: 1,
        });
        let svg = &sheets(&map)[0].svg;
        assert!(svg.contains("&lt;/text&gt;&lt;script&gt;") && !svg.contains("<script"), "{svg}");
        assert!(super::super::raster::tree(svg).is_ok());
    }
}
