//! Maps as pictures (§18.2): terrain as it is known, cities, units, marks of enemies.

use engine::geometry::Place;
use engine::report::{
    Cell, GridMap, GridStyle, Line, MapKind, MapPicture, Piece, Relief, Shape, Side, Symbol,
    Terrain as Drawn, Tint, listed,
};

use super::field::Field;
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::view::View;
use super::words;

/// Squares around what a local map is about.
const AROUND: i32 = 7;

/// Symbols.
const CITY: u8 = 0;
const LAND: u8 = 1;
const SHIP: u8 = 2;
const PLANE: u8 = 3;
const BASE: u8 = 4;
const LAST: u8 = 5;

fn terrains() -> Vec<Drawn> {
    let ground = |id: &str, tint, relief| Drawn { relief, ..Drawn::new(id, id, tint) };
    vec![
        ground("clear land", Tint::new(12, 14, 9), Relief::None),
        ground("rough land", Tint::new(13, 12, 8), Relief::Hill),
        ground("river", Tint::new(9, 13, 13), Relief::Reeds),
        ground("forest", Tint::new(8, 12, 7), Relief::Tree),
        ground("mountains", Tint::new(12, 11, 10), Relief::Peak),
        ground("water", Tint::new(9, 12, 15), Relief::None),
        ground("city", Tint::new(14, 13, 11), Relief::None),
    ]
}

fn symbols() -> Vec<Symbol> {
    vec![
        Symbol::new("city", "city and its number", Shape::City),
        Symbol::new("land", "land unit", Shape::Army),
        Symbol::new("ship", "ship", Shape::Ship),
        Symbol::new("plane", "aircraft", Shape::Plane),
        Symbol::new("base", "airbase", Shape::Square),
        Symbol::new("last", "seen here last", Shape::Circle),
    ]
}

fn symbol(kind: Kind) -> u8 {
    match kind.class() {
        Class::Land => LAND,
        Class::Sea => SHIP,
        Class::Air => PLANE,
        Class::Base => BASE,
    }
}

fn terrain(terrain: Terrain) -> u8 {
    // There are seven.
    Terrain::ALL.iter().position(|t| t.0 == terrain).unwrap_or(0) as u8
}

/// The whole world as it is known.
pub fn world(view: &View) -> MapPicture {
    let grid = view.world.ground.grid;
    let (wide, high) = (i32::from(grid.cols), i32::from(grid.rows));
    let map = draw(view, ("world", "The world"), (0, 0), (wide, high), GridStyle::World);
    MapPicture { words: told(view), ..map }
}

/// A part of it around each place where enemies are near, one map for those that lie together.
pub fn fronts(view: &View) -> Vec<MapPicture> {
    let Some(known) = view.known() else { return Vec::new() };
    let grid = view.world.ground.grid;
    let mut middles: Vec<Place> = Vec::new();
    for (at, _) in known.marks.iter().filter(|(_, m)| m.here) {
        if middles.iter().all(|m| grid.distance(*m, *at) > AROUND) {
            middles.push(*at);
        }
    }
    let part = |(n, at): (usize, &Place)| {
        let (x, y) = (grid.col(*at), grid.row(*at));
        let side = 2 * AROUND + 1;
        let left = (x - AROUND).clamp(0, (i32::from(grid.cols) - side).max(0));
        let top = (y - AROUND).clamp(0, (i32::from(grid.rows) - side).max(0));
        let size = (side.min(grid.cols.into()), side.min(grid.rows.into()));
        let title = format!("Around {}", view.world.ground.called(*at));
        draw(view, (&format!("front-{}", n + 1), &title), (left, top), size, GridStyle::Tactical)
    };
    middles.iter().take(4).enumerate().map(part).collect()
}

fn draw(
    view: &View,
    (id, title): (&str, &str),
    (left, top): (i32, i32),
    (wide, high): (i32, i32),
    style: GridStyle,
) -> MapPicture {
    let grid = view.world.ground.grid;
    let field = Field::new(view.world.clone());
    let squares = (0..high).flat_map(|y| (0..wide).map(move |x| (x, y)));
    let (mut cells, mut pieces) = (Vec::new(), Vec::new());
    for (n, (x, y)) in squares.enumerate() {
        let at = grid.at(left + x, top + y);
        let (cell, piece) = at.map(|at| square(view, &field, at, n)).unwrap_or_default();
        cells.push(cell);
        pieces.extend(piece);
    }
    let number = |from: i32| move |n: i32| format!("{}", from + n + 1);
    let map = GridMap {
        style,
        wrap: false,
        hexes: None,
        columns: (0..wide).map(number(left)).collect(),
        rows: (0..high).map(number(top)).collect(),
        cells,
        routes: Vec::new(),
    };
    let legend = [
        ("A M F B T D S C H V R", "own units, small letters others'; P Q L with a load"),
        ("O @ * X Y", "city: own, with units, nobody's, another's, with units"),
        ("- % = \" ^ .", "land, rough, river, forest, mountains, water"),
    ];
    MapPicture {
        terrains: terrains(),
        symbols: symbols(),
        pieces,
        square_width: 1,
        legend: legend.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect(),
        ..MapPicture::new(id, title, MapKind::Grid(map))
    }
}

/// What is known of a square, and what stands on it.
fn square(view: &View, field: &Field, at: Place, n: usize) -> (Cell, Vec<Piece>) {
    let Some(known) = view.known().filter(|k| k.has_seen(at)) else {
        return (Cell { text: vec![" ".to_owned()], ..Cell::default() }, Vec::new());
    };
    let ground = view.world.ground.at(at);
    let side = |seat: Option<engine::Seat>| match seat {
        None => Side::Nobody,
        Some(seat) if seat == view.seat => Side::Own,
        Some(_) => Side::Foreign,
    };
    let mut pieces = Vec::new();
    let mut sign = ground.sign();
    let mut holder = None;
    if let Some(city) = known.cities.get(&at) {
        holder = city.owner;
        let units = field.inside(at).len();
        sign = match (city.owner, units > 0 || city.manned) {
            (None, _) => '*',
            (Some(seat), false) if seat == view.seat => 'O',
            (Some(seat), true) if seat == view.seat => '@',
            (_, false) => 'X',
            (_, true) => 'Y',
        };
        pieces.push(Piece {
            side: side(city.owner),
            holder: city.owner,
            code: city.number.to_string(),
            name: known.names.get(&at).cloned().unwrap_or_default(),
            // A city holds a few dozen.
            size: units as u32,
            ..Piece::new(n, CITY)
        });
    } else if let Some(mark) = known.marks.get(&at) {
        sign = mark.kind.sign(mark.laden).to_ascii_lowercase();
        pieces.push(Piece {
            side: Side::Foreign,
            holder: Some(mark.owner),
            code: mark.kind.code().to_owned(),
            ..Piece::new(n, if mark.here { symbol(mark.kind) } else { LAST })
        });
    } else if let Some(id) = field.top(at).filter(|id| id.seat == view.seat)
        && let Some(unit) = field.unit(id)
    {
        let load = field.cargo(id).len();
        sign = unit.kind.sign(load > 0);
        pieces.push(Piece {
            side: Side::Own,
            holder: Some(view.seat),
            code: unit.kind.code().to_owned(),
            name: unit.name.clone(),
            size: u32::from(id.number),
            ..Piece::new(n, symbol(unit.kind))
        });
    }
    let cell = Cell {
        text: vec![sign.to_string()],
        terrain: Some(terrain(ground)),
        holder,
        side: side(holder),
        pale: false,
    };
    (cell, pieces)
}

/// Cities and enemies with what lies around them, for who can't see a map.
fn told(view: &View) -> Vec<Line> {
    let Some(known) = view.known() else { return Vec::new() };
    let grid = view.world.ground.grid;
    let ground = &view.world.ground;
    let mut lines = Vec::new();
    for (at, _) in known.cities.iter().filter(|(_, c)| c.owner == Some(view.seat)) {
        let near = grid.neighbours(*at).map(|(direction, p)| {
            let what = match known.has_seen(p) {
                true => ground.at(p).name(),
                false => "unknown",
            };
            format!("{} {what}", direction.name())
        });
        lines.extend(listed(&words::place(view, *at), &near.collect::<Vec<_>>()));
    }
    lines
}
