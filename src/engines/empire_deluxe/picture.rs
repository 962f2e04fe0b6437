//! Maps as pictures (§18.2): known terrain, cities, units, marks of enemies.

use std::collections::{BTreeMap, BTreeSet};

use engine::geometry::{Grid, Place};
use engine::report::{
    Cell, GridMap, GridStyle, Line, MapKind, MapPicture, Piece, Point, Relief, Route, SeatColour,
    Shape, Side, Symbol, Terrain as Drawn, Tint, listed,
};
use engine::{Maps, Seat};
use tongue::{mark, say};

use super::field::Field;
use super::ground::{Ground, Terrain};
use super::groups::{AROUND, middles};
use super::kinds::{Class, Kind};
use super::orders::Task;
use super::production;
use super::sight::Known;
use super::stage::Stage;
use super::state::{Unit, World};
use super::view::View;
use super::words;
use crate::EmpireDeluxe;
use crate::stage::State;

impl Maps for EmpireDeluxe {
    fn atlas(state: &State) -> Option<MapPicture> {
        Some(atlas(&state.world))
    }

    fn seen(state: &State, seat: Seat) -> Option<MapPicture> {
        seen(&state.world, seat)
    }
}

/// Symbols.
const CITY: u8 = 0;
const LAND: u8 = 1;
const SHIP: u8 = 2;
const PLANE: u8 = 3;
const BASE: u8 = 4;
const LAST: u8 = 5;

/// The colours of players: colour-blind readers can distinguish them too, and none looks like a
/// terrain.
const COLOURS: [Tint; 6] = [
    Tint::new(0, 5, 11),
    Tint::new(13, 5, 0),
    Tint::new(15, 14, 4),
    Tint::new(9, 2, 8),
    Tint::new(3, 3, 3),
    Tint::new(15, 9, 11),
];

/// The colour of a seat.
pub fn tint(seat: Seat) -> Option<Tint> {
    COLOURS.get(usize::from(seat.0).wrapping_sub(1)).copied()
}

fn terrains() -> Vec<Drawn> {
    let ground =
        |id: &str, tint, relief| Drawn { relief, ..Drawn::new(id, &tongue::word(id), tint) };
    vec![
        ground(mark!("clear land"), Tint::new(13, 14, 12), Relief::None),
        ground(mark!("rough land"), Tint::new(13, 13, 10), Relief::Hill),
        ground(mark!("river"), Tint::new(9, 13, 13), Relief::Reeds),
        ground(mark!("forest"), Tint::new(10, 12, 9), Relief::Tree),
        ground(mark!("mountains"), Tint::new(12, 11, 10), Relief::Peak),
        Drawn { water: true, ..ground(mark!("water"), Tint::new(12, 13, 14), Relief::None) },
        Drawn { in_legend: false, ..ground(mark!("city"), Tint::new(14, 13, 11), Relief::None) },
    ]
}

fn symbols() -> Vec<Symbol> {
    vec![
        Symbol::new("city", &say!("city"), Shape::City),
        Symbol::new("land", &say!("land unit"), Shape::Army),
        Symbol::new("ship", &say!("ship"), Shape::Ship),
        Symbol::new("plane", &say!("aircraft"), Shape::Plane),
        Symbol::new("base", &say!("airbase"), Shape::Square),
        Symbol::new("last", &say!("seen here last"), Shape::Circle),
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
    // There are seven terrains.
    Terrain::ALL.iter().position(|t| t.0 == terrain).unwrap_or(0) as u8
}

/// Squares around the known part that a map of the world shows.
const MARGIN: i32 = 3;

/// The part of a map that a picture shows.
#[derive(Clone, Copy)]
struct Part {
    left: i32,
    top: i32,
    wide: i32,
    high: i32,
}

impl Part {
    /// The part with all these squares, and a margin around them.
    fn around(grid: Grid, places: impl Iterator<Item = Place>, margin: i32) -> Self {
        let all: Vec<(i32, i32)> = places.map(|p| (grid.col(p), grid.row(p))).collect();
        let span = |of: fn(&(i32, i32)) -> i32, sides: u16| {
            let first = all.iter().map(of).min().unwrap_or(0) - margin;
            let last = all.iter().map(of).max().unwrap_or(0) + margin;
            (first.max(0), last.min(i32::from(sides) - 1))
        };
        let (left, right) = span(|at| at.0, grid.cols);
        let (top, bottom) = span(|at| at.1, grid.rows);
        Self { left, top, wide: right - left + 1, high: bottom - top + 1 }
    }

    /// The largest squares for which a page has room.
    fn style(self) -> GridStyle {
        match (self.wide, self.high) {
            (..=LARGE, ..=LARGE) => GridStyle::Tactical,
            (..=MIDDLE, ..=MIDDLE) => GridStyle::Strategic,
            _ => GridStyle::World,
        }
    }
}

/// The most squares of a side for a map with every force, and for one with counters.
const LARGE: i32 = 12;
const MIDDLE: i32 = 30;

/// Whose knowledge a picture shows.
enum Looks<'a> {
    /// What a player knows.
    Known(Seat, &'a Known),
    /// Everything; the seat is that of the reader, if there is one.
    All(Option<Seat>),
}

/// The data of a picture.
struct Drawing<'a> {
    field: &'a Field,
    looks: Looks<'a>,
    /// The squares in sight of the player whose knowledge is shown.
    sight: BTreeSet<Place>,
}

/// The maps of a printout.
pub fn maps(view: &View, field: &Field) -> Vec<MapPicture> {
    let world = &view.world;
    let over = matches!(view.stage, Stage::Over(_));
    if !over {
        return [self::world(view, field)].into_iter().chain(fronts(view, field)).collect();
    }
    // When the game is over, everybody sees everything, and what each of the others saw.
    let drawing = Drawing::all(field, Some(view.seat));
    let all =
        drawing.map(("world", &say!("The world as it is")), whole(&world.ground), GridStyle::World);
    let saw = world.seats().filter_map(|seat| {
        let known = &world.side(seat)?.known;
        let drawing = Drawing::known(field, seat, known);
        let title = say!("What player {seat} knew");
        let part = part(&world.ground, known);
        Some(drawing.map((&format!("knew-{seat}"), &title), part, GridStyle::World))
    });
    [all].into_iter().chain(saw).collect()
}

/// The whole map, including everything that is hidden.
pub fn atlas(world: &World) -> MapPicture {
    let field = Field::new(world.clone());
    let drawing = Drawing::all(&field, None);
    drawing.map(("atlas", &say!("The world")), whole(&world.ground), GridStyle::World)
}

/// The whole map as a player knows it.
pub fn seen(world: &World, seat: Seat) -> Option<MapPicture> {
    let known = &world.side(seat)?.known;
    let field = Field::new(world.clone());
    let drawing = Drawing::known(&field, seat, known);
    let title = say!("What player {seat} knew");
    Some(drawing.map(("seen", &title), whole(&world.ground), GridStyle::World))
}

fn whole(ground: &Ground) -> Part {
    Part { left: 0, top: 0, wide: ground.grid.cols.into(), high: ground.grid.rows.into() }
}

/// The known part of a map, and a margin.
fn part(ground: &Ground, known: &Known) -> Part {
    let seen = ground.grid.places().filter(|p| known.has_seen(*p));
    Part::around(ground.grid, seen, MARGIN)
}

/// The world as far as it is known.
fn world(view: &View, field: &Field) -> MapPicture {
    let Some(known) = view.known() else { return atlas(&view.world) };
    let part = part(&view.world.ground, known);
    let drawing = Drawing::known(field, view.seat, known);
    let map = drawing.map(("world", &say!("The world as you know it")), part, part.style());
    MapPicture { words: described(view), ..map }
}

/// The map of what a card orders, from the trial world; `None` if no unit is on its way.
pub fn sketch(view: &View, field: &Field) -> Option<MapPicture> {
    let known = view.known()?;
    let part = part(&view.world.ground, known);
    let drawing = Drawing::known(field, view.seat, known);
    let title = say!("Where your units stand and go after your card");
    let map = drawing.map(("orders", &title), part, part.style());
    map.grid().is_some_and(|g| !g.routes.is_empty()).then(|| map.clone())
}

/// The reader's cities with what they build; the text has this in the table of cities.
pub fn work(view: &View, field: &Field) -> Option<MapPicture> {
    let grid = view.world.ground.grid;
    let cities: Vec<Place> = view.world.cities_of(view.seat).collect();
    if cities.len() < 2 {
        return None;
    }
    let part = Part::around(grid, cities.iter().copied(), MARGIN);
    let drawing = Drawing::known(field, view.seat, view.known()?);
    let map = drawing.map(("production", &say!("What your cities build")), part, part.style());
    let base = production::base(&view.world, view.seat);
    let builds = |at: Place| match view.world.city(at).and_then(|c| Some((c, *c.list.first()?))) {
        None => say!("nothing"),
        Some((city, kind)) => {
            let time = production::time(&view.world, city, kind, base);
            format!("{} {}/{time}", kind.code(), city.done)
        }
    };
    let own = |piece: Piece| {
        let (x, y) = (piece.at % part.wide as usize, piece.at / part.wide as usize);
        let at = grid.at(part.left + x as i32, part.top + y as i32)?;
        cities.contains(&at).then(|| Piece { name: builds(at), size: 0, ..piece })
    };
    let pieces = map.pieces.into_iter().filter_map(own).collect();
    let kind = match map.kind {
        MapKind::Grid(grid) => MapKind::Grid(GridMap { routes: Vec::new(), ..grid }),
        other => other,
    };
    Some(MapPicture { pieces, kind, square_width: 0, legend: Vec::new(), ..map })
}

/// A part of the map around each place with enemies near, one map for those that are close
/// together.
fn fronts(view: &View, field: &Field) -> Vec<MapPicture> {
    let Some(known) = view.known() else { return Vec::new() };
    let grid = view.world.ground.grid;
    let part = |(n, at): (usize, Place)| {
        let (x, y) = (grid.col(at), grid.row(at));
        let side = 2 * AROUND + 1;
        let part = Part {
            left: (x - AROUND).clamp(0, (i32::from(grid.cols) - side).max(0)),
            top: (y - AROUND).clamp(0, (i32::from(grid.rows) - side).max(0)),
            wide: side.min(grid.cols.into()),
            high: side.min(grid.rows.into()),
        };
        let (front, at) = (n + 1, view.world.ground.called(at));
        let title = say!("Front {front}: around {at}");
        let drawing = Drawing::known(field, view.seat, known);
        let map = drawing.map((&format!("front-{front}"), &title), part, GridStyle::Tactical);
        // The map of the world already explains the signs.
        MapPicture { legend: Vec::new(), ..map }
    };
    middles(known, grid).into_iter().enumerate().map(part).collect()
}

impl<'a> Drawing<'a> {
    /// What a player knows.
    fn known(field: &'a Field, seat: Seat, known: &'a Known) -> Self {
        Self { field, looks: Looks::Known(seat, known), sight: field.in_sight(seat) }
    }

    /// Everything; for a reader, if there is one.
    fn all(field: &'a Field, reader: Option<Seat>) -> Self {
        Self { field, looks: Looks::All(reader), sight: BTreeSet::new() }
    }

    fn map(&self, (id, title): (&str, &str), part: Part, style: GridStyle) -> MapPicture {
        let Part { left, top, wide, high } = part;
        let grid = self.field.world.ground.grid;
        let squares = (0..high).flat_map(|y| (0..wide).map(move |x| (x, y)));
        let (mut cells, mut pieces) = (Vec::new(), Vec::new());
        for (n, (x, y)) in squares.enumerate() {
            let at = grid.at(left + x, top + y);
            let (cell, piece) = at.map(|at| self.square(at, n)).unwrap_or_default();
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
            routes: self.routes(part),
        };
        let legend = [
            (
                "A M F B T D S C H V R",
                say!("your units (small letters: others'); P Q L are loaded"),
            ),
            ("O @ * X Y", say!("city: own, with units, nobody's, another's, with units")),
            ("- % = \" ^ .", say!("land, rough, river, forest, mountains, water")),
        ];
        MapPicture {
            terrains: terrains(),
            symbols: symbols(),
            pieces,
            square_width: 1,
            legend: legend.map(|(signs, means)| (signs.to_owned(), means)).to_vec(),
            colours: self.colours(),
            ..MapPicture::new(id, title, MapKind::Grid(map))
        }
    }

    /// The colours of the players.
    fn colours(&self) -> Vec<SeatColour> {
        let reader = match self.looks {
            Looks::Known(seat, _) => Some(seat),
            Looks::All(reader) => reader,
        };
        let colour = |(seat, tint): (Seat, Tint)| {
            let own = Some(seat) == reader;
            let name = if own { say!("player {seat}, you") } else { say!("player {seat}") };
            SeatColour { seat, name, tint }
        };
        self.field.world.seats().zip(COLOURS).map(colour).collect()
    }

    /// The routes of the reader's units.
    fn routes(&self, part: Part) -> Vec<Route> {
        let Looks::Known(seat, _) = self.looks else { return Vec::new() };
        let grid = self.field.world.ground.grid;
        let point = |at: Place| (grid.col(at) - part.left, grid.row(at) - part.top);
        let inside = |(x, y): Point| (0..part.wide).contains(&x) && (0..part.high).contains(&y);
        let side = self.field.world.side(seat);
        let units = side.into_iter().flat_map(|s| s.units.values());
        let route = |unit: &Unit| {
            let to = match unit.orders.first()? {
                Task::Go(to, _) | Task::Attack(to, _) => *to,
                _ => return None,
            };
            let (from, to) = (point(unit.at), point(to));
            // On a map that wraps, a line over the seam would go the long way.
            let short = grid.across(unit.at, grid.at(to.0 + part.left, to.1 + part.top)?)
                == (from.0 - to.0).abs();
            (unit.aboard.is_none() && inside(from) && short).then_some(Route {
                from,
                to,
                way: Vec::new(),
            })
        };
        units.filter_map(route).collect()
    }

    /// What is known of a square, and the pieces on it.
    fn square(&self, at: Place, n: usize) -> (Cell, Vec<Piece>) {
        let field = self.field;
        let (reader, known) = match self.looks {
            Looks::Known(seat, known) => (Some(seat), Some(known)),
            Looks::All(reader) => (reader, None),
        };
        if known.is_some_and(|k| !k.has_seen(at)) {
            return (Cell { text: vec![" ".to_owned()], ..Cell::default() }, Vec::new());
        }
        let ground = field.world.ground.at(at);
        let side = |seat: Option<Seat>| match seat {
            None => Side::Nobody,
            Some(seat) if Some(seat) == reader => Side::Own,
            Some(_) => Side::Foreign,
        };
        let mut pieces = Vec::new();
        let mut sign = ground.sign();
        let mut holder = None;
        let inside = field.inside(at).len();
        // A city as it is, or as it was seen last: owner, whether units are inside, number.
        let city = match known {
            Some(known) => known
                .cities
                .get(&at)
                .map(|c| (c.owner, inside > 0 || c.manned, c.number.to_string())),
            None => field.world.city(at).map(|c| (c.owner, inside > 0, String::new())),
        };
        let mark = known.and_then(|k| k.marks.get(&at));
        // Of units of others, a player sees only those that are marked.
        let top = field.top(at).filter(|id| known.is_none() || Some(id.seat) == reader);
        if let Some((owner, manned, code)) = city {
            holder = owner;
            sign = city_sign(owner, manned, reader);
            pieces.push(Piece {
                side: side(owner),
                holder: owner,
                code,
                name: known.and_then(|k| k.names.get(&at)).cloned().unwrap_or_default(),
                // A city contains a few dozen units.
                size: inside as u32,
                ..Piece::new(n, CITY)
            });
        } else if let Some(mark) = mark {
            sign = mark.kind.sign(mark.laden).to_ascii_lowercase();
            pieces.push(Piece {
                side: Side::Foreign,
                holder: Some(mark.owner),
                code: mark.kind.code().to_owned(),
                ..Piece::new(n, if mark.here { symbol(mark.kind) } else { LAST })
            });
        } else if let Some(id) = top
            && let Some(unit) = field.unit(id)
        {
            sign = unit.kind.sign(!field.cargo(id).is_empty());
            let own = Some(id.seat) == reader;
            if !own {
                sign = sign.to_ascii_lowercase();
            }
            pieces.push(Piece {
                side: side(Some(id.seat)),
                holder: Some(id.seat),
                code: unit.kind.code().to_owned(),
                name: unit.name.clone(),
                size: if own { u32::from(id.number) } else { 0 },
                ..Piece::new(n, symbol(unit.kind))
            });
        }
        let cell = Cell {
            text: vec![sign.to_string()],
            terrain: Some(terrain(ground)),
            holder,
            side: side(holder),
            veiled: known.is_some() && !self.sight.contains(&at),
            ..Cell::default()
        };
        (cell, pieces)
    }
}

/// The sign of a city for a reader: by its owner, and whether units are inside.
fn city_sign(owner: Option<Seat>, manned: bool, reader: Option<Seat>) -> char {
    match (owner, manned) {
        (None, _) => '*',
        (Some(seat), false) if Some(seat) == reader => 'O',
        (Some(seat), true) if Some(seat) == reader => '@',
        (_, false) => 'X',
        (_, true) => 'Y',
    }
}

/// Cities and enemies with their surroundings, for those who can't see a map.
fn described(view: &View) -> Vec<Line> {
    let Some(known) = view.known() else { return Vec::new() };
    let grid = view.world.ground.grid;
    let ground = &view.world.ground;
    let line = |at: &Place| {
        let mut around: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (direction, p) in grid.neighbours(*at) {
            let what = if known.has_seen(p) { ground.at(p).name() } else { mark!("unknown") };
            around.entry(what).or_default().push(words::way(direction));
        }
        let around = around
            .into_iter()
            .map(|(what, ways)| format!("{} {}", tongue::word(what), ways.join(" ")));
        listed(&words::place(view, *at), &around.collect::<Vec<_>>())
    };
    let own = known.cities.iter().filter(|(_, c)| c.owner == Some(view.seat));
    own.flat_map(|(at, _)| line(at)).collect()
}
