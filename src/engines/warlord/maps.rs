//! The maps of a printout: the world, the strategic map, tactical maps around generals and
//! observations, and the surroundings of battles (§10).

use std::collections::{BTreeMap, BTreeSet};

use super::events::Event;
use super::state::{City, NOBODY, State, Target, Unit};
use super::tables::Class;
use super::view::{Ground as Known, KnownCity, Spotted, View};
use super::ways::{Quest, seek};
use super::works::Site;
use crate::Warlord;
use engine::geometry::{Grid, PathFinder, Place};
use engine::report::{
    Block, Cell, GridMap, GridStyle, MapKind, MapPicture, Piece, Route, Section, Side,
};
use engine::{Maps, Seat};
use tongue::say;

mod around;
mod globe;
mod table;
mod tactical;

use self::globe::{globe, known_area};
use self::table::{
    AIRBASE, BATTLE, CITY, FORT, GENERAL, ICE, PALE, RADIATION, ROAD, RUINS, row_of, symbols,
    terrains,
};

impl Maps for Warlord {
    fn atlas(state: &State) -> Option<MapPicture> {
        Some(atlas(state))
    }
}

pub use self::around::heading;
pub use self::tactical::{battles, pictures, site_in_words, tactical};

/// The cities, forces and sites of each square, as the seat knows them.
struct Scene<'a> {
    view: &'a View,
    own_cities: BTreeMap<Place, (u16, &'a City)>,
    cities: BTreeMap<Place, &'a KnownCity>,
    units: BTreeMap<Place, Vec<&'a Unit>>,
    spotted: BTreeMap<Place, Vec<&'a Spotted>>,
    ruins: BTreeSet<Place>,
    battles: BTreeSet<Place>,
}

impl<'a> Scene<'a> {
    fn of(view: &'a View) -> Self {
        let mut units: BTreeMap<Place, Vec<&Unit>> = BTreeMap::new();
        for unit in view.power.units.values().filter(|u| u.aboard.is_none()) {
            units.entry(unit.at).or_default().push(unit);
        }
        let mut spotted: BTreeMap<Place, Vec<&Spotted>> = BTreeMap::new();
        for force in &view.spotted {
            spotted.entry(force.at).or_default().push(force);
        }
        Self {
            view,
            own_cities: view.power.cities.iter().map(|(n, c)| (c.at, (*n, c))).collect(),
            cities: view.cities.iter().map(|c| (c.at, c)).collect(),
            units,
            spotted,
            ruins: view.ruins.iter().copied().collect(),
            battles: battle_places(view).into_iter().collect(),
        }
    }

    fn side(&self, holder: u8) -> Side {
        match holder {
            NOBODY => Side::Nobody,
            h if h == self.view.seat => Side::Own,
            h if self.view.power.allies.contains(&h) => Side::Ally,
            _ => Side::Foreign,
        }
    }

    fn terrain(&self, place: Place) -> Option<u8> {
        match self.view.ground[usize::from(place.0)] {
            Known::Known(terrain) => Some(row_of(terrain)),
            Known::UnknownLand => None,
        }
    }

    /// A square of a picture, without the signs of the text map.
    fn cell(&self, place: Place) -> Cell {
        let i = usize::from(place.0);
        let holder = self.view.control[i];
        Cell {
            text: Vec::new(),
            terrain: self.terrain(place),
            holder: seat_of(holder),
            side: self.side(holder),
            pale: holder == self.view.seat && !self.view.supplied[i],
            veiled: !self.view.sight[i],
        }
    }

    /// The pieces in a square, the lowest first.
    fn pieces(&self, place: Place, at: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let piece = |symbol, holder| Piece {
            side: self.side(holder),
            holder: seat_of(holder),
            ..Piece::new(at, symbol)
        };
        if let Some((number, city)) = self.own_cities.get(&place) {
            pieces.push(Piece {
                code: number.to_string(),
                name: city.name.clone(),
                size: city.level.into(),
                ..piece(CITY, self.view.seat)
            });
        } else if let Some(city) = self.cities.get(&place) {
            pieces.push(Piece {
                code: city.number.to_string(),
                name: city.seen.name.clone(),
                size: city.seen.level.into(),
                ..piece(CITY, city.seen.owner.unwrap_or(NOBODY))
            });
        } else if self.ruins.contains(&place) {
            let empty = self.view.power.exhausted.contains(&place);
            let (code, name) = if empty { ("x", say!("empty")) } else { ("?", String::new()) };
            pieces.push(Piece { code: code.to_owned(), name, ..piece(RUINS, NOBODY) });
        }
        if let Some(site) = self.view.sites.get(&place) {
            pieces.extend(marks(site, self.view.turn, at, piece));
        }
        // One counter for each holder, for land and sea apart: the type of the largest unit, and
        // the sum of all.
        let mut forces: BTreeMap<(u8, bool), (u32, u16, String, u16)> = BTreeMap::new();
        let mut add = |holder: u8, ships: bool, size: u16, code: String| {
            let sum = forces.entry((holder, ships)).or_default();
            sum.0 += u32::from(size);
            sum.3 += 1;
            if size > sum.1 {
                (sum.1, sum.2) = (size, code);
            }
        };
        let tables = &self.view.tables;
        for unit in self.units.get(&place).into_iter().flatten() {
            let row = tables.row(unit.kind);
            add(self.view.seat, row.class == Class::Ship, unit.size, row.code.clone());
        }
        for force in self.spotted.get(&place).into_iter().flatten() {
            let code = force.kind.map_or(String::new(), |k| tables.row(k).code.clone());
            add(force.owner, force.ships, force.size, code);
        }
        for ((holder, ships), (size, _, code, count)) in forces {
            let symbol = table::unit(&code, ships);
            let stack = if count > 1 { count } else { 0 };
            // A symbol for one type of unit needs no letter.
            let code = if symbol > RADIATION { String::new() } else { code };
            pieces.push(Piece { code, size, stack, ..piece(symbol, holder) });
        }
        for (number, general) in (1..).zip(&self.view.power.generals) {
            if self.view.power.general_at(general) == Some(place) {
                let code = number.to_string();
                pieces.push(Piece { code, ..piece(GENERAL, self.view.seat) });
            }
        }
        if self.battles.contains(&place) {
            pieces.push(piece(BATTLE, NOBODY));
        }
        pieces
    }

    /// The squares of some columns and rows, with all pieces.
    fn board(
        &self,
        id: &str,
        style: GridStyle,
        (cols, rows): (&[i32], &[i32]),
        mut text: impl FnMut(Place) -> Vec<String>,
    ) -> MapPicture {
        let grid = self.view.grid;
        let (mut cells, mut pieces) = (Vec::new(), Vec::new());
        for (col, row) in rows.iter().flat_map(|&r| cols.iter().map(move |&c| (c, r))) {
            match grid.at(col, row) {
                Some(place) => {
                    pieces.extend(self.pieces(place, cells.len()));
                    cells.push(Cell { text: text(place), ..self.cell(place) });
                }
                None => cells.push(ice()),
            }
        }
        let edge = |r: &i32| match grid.at(0, *r) {
            Some(_) => format!("{:02}", r + 1),
            None => "--".to_owned(),
        };
        let map = GridMap {
            style,
            wrap: grid.wrap && cols.len() == usize::from(grid.cols),
            hexes: None,
            columns: cols.iter().map(|c| col_label(grid, *c)).collect(),
            rows: rows.iter().map(edge).collect(),
            cells,
            routes: match style {
                GridStyle::Strategic => advances(self.view, cols, rows),
                _ => Vec::new(),
            },
        };
        MapPicture {
            terrains: terrains(&self.view.tables),
            symbols: symbols(),
            pale: tongue::word(PALE).into_owned(),
            pieces,
            ..MapPicture::new(id, "", MapKind::Grid(map))
        }
    }
}

/// The symbols of works, bases and radiation in a sector.
fn marks(site: &Site, turn: u32, at: usize, piece: impl Fn(u8, u8) -> Piece) -> Vec<Piece> {
    let mut marks = Vec::new();
    let plain = |symbol, code: &str| Piece { code: code.to_owned(), ..Piece::new(at, symbol) };
    marks.extend(site.works.road.then(|| plain(ROAD, "=")));
    marks.extend(site.works.fort.then(|| plain(FORT, "F")));
    if let Some((number, holder)) = site.base {
        marks.push(Piece { code: number.to_string(), ..piece(AIRBASE, holder) });
    }
    marks.extend(site.is_hot(turn).then(|| plain(RADIATION, "")));
    marks
}

fn seat_of(holder: u8) -> Option<Seat> {
    (holder != NOBODY).then_some(Seat(holder))
}

fn ice() -> Cell {
    let text = vec![String::new(), say!("ice"), String::new()];
    Cell { text, terrain: Some(ICE), ..Cell::default() }
}

fn legend(items: impl IntoIterator<Item = (&'static str, String)>) -> Vec<(String, String)> {
    items.into_iter().map(|(sign, means)| (sign.to_owned(), means)).collect()
}

fn col_label(grid: Grid, col: i32) -> String {
    format!("{:03}", col.rem_euclid(i32::from(grid.cols)) + 1)
}

/// The places where the seat knows of a fight.
fn battle_places(view: &View) -> Vec<Place> {
    let mut places = Vec::new();
    for event in &view.events {
        let at = match event {
            Event::Battle { at, .. } | Event::CityAssault { at, .. } => *at,
            Event::AirStrike(strike) => strike.at,
            _ => continue,
        };
        if !places.contains(&at) {
            places.push(at);
        }
    }
    places
}

/// A map of the whole world, for the first printout and the last.
pub fn world(view: &View) -> Option<Section> {
    let shown = view.turn == 1 || view.whole;
    shown.then(|| Section { heading: say!("The world"), blocks: vec![globe(view, true).into()] })
}

/// The strategic map: all that is known, with one sign for each sector.
pub fn strategic(view: &View) -> Section {
    let (cols, rows) = known_area(view);
    let scene = Scene::of(view);
    let sign = |p| vec![strategic_sign(&scene, p)];
    let map = scene.board("strategic", GridStyle::Strategic, (&cols, &rows), sign);
    let mut map = MapPicture {
        title: say!("Blank: not explored."),
        square_width: 1,
        legend: signs(view, &map),
        ..map
    };
    map.words = around::described(&scene);
    let lists = say!("Cities and forces stand in the lists Forces and cities, Spotted forces.");
    map.words.push(lists.into());
    let mut blocks = vec![Block::from(map)];
    if view.turn > 1 && !view.whole {
        blocks.push(globe(view, false).into());
    }
    Section { heading: say!("Strategic map"), blocks }
}

/// The map of the ways that a card orders, from the view as the card leaves it; `None` if nobody is
/// under way.
pub fn sketch(after: &View) -> Option<MapPicture> {
    let (cols, rows) = known_area(after);
    let scene = Scene::of(after);
    let map = scene.board("orders", GridStyle::Strategic, (&cols, &rows), |_| Vec::new());
    let title = say!("Where your forces go, as far as the way is known.");
    map.grid().is_some_and(|g| !g.routes.is_empty()).then(|| MapPicture { title, ..map.clone() })
}

/// The signs on the strategic map and their meanings.
fn signs(view: &View, map: &MapPicture) -> Vec<(String, String)> {
    let cells = map.grid().map_or(&[][..], |grid| &grid.cells);
    let there: BTreeSet<&str> = cells.iter().flat_map(|c| &c.text).map(String::as_str).collect();
    let mut signs: Vec<(String, String)> = legend([
        ("@", say!("your city")),
        ("C", say!("city of a player")),
        ("c", say!("uncontrolled or reported city")),
        ("?", say!("ruins")),
        ("x", say!("ruins that are empty")),
        ("*", say!("your division")),
        ("$", say!("your ships")),
        ("!", say!("foreign force")),
        ("+", say!("your land")),
        ("-", say!("your land without supply")),
        ("#", say!("foreign land")),
        ("%", say!("airbase")),
        ("&", say!("fort")),
        ("=", say!("road")),
        ("R", say!("radiation")),
    ]);
    signs.retain(|(sign, _)| there.contains(sign.as_str()));
    for terrain in &view.tables.terrain {
        // Most own ground shares one sign, which is listed above.
        let own = Some(terrain.own.as_str()).filter(|own| *own != "+");
        if ![Some(terrain.sign.as_str()), own].into_iter().flatten().any(|s| there.contains(s)) {
            continue;
        }
        let name = tongue::word(&terrain.name);
        let means = match terrain.own.as_str() {
            "+" | "~" => name.into_owned(),
            own => say!("{name} (yours {own})"),
        };
        signs.push((terrain.sign.clone(), means));
    }
    signs
}

/// The most sectors of a way that is drawn sector by sector; a longer way is drawn as a straight
/// line.
const WAY_DRAWN: usize = 40;

/// The sectors between a unit and its goal, as far as the seat knows the ground; empty if no way is
/// known.
fn on_the_way(view: &View, paths: &mut PathFinder, unit: &Unit, to: Place) -> Vec<Place> {
    let far = usize::try_from(view.grid.distance(unit.at, to)).unwrap_or(usize::MAX);
    if far > WAY_DRAWN {
        return Vec::new();
    }
    let class = view.tables.row(unit.kind).class;
    let quest = Quest {
        from: unit.at,
        to,
        aboard: false,
        foreign: &|_| false,
        boarding: None,
        cost: &|place| view.cost(class, place),
    };
    let Some(course) = seek(paths, view.grid, &quest) else { return Vec::new() };
    let mut places = Vec::new();
    for direction in course.way {
        let from = places.last().copied().unwrap_or(unit.at);
        places.extend(view.grid.step(from, direction));
    }
    // The goal is added separately.
    places.retain(|p| *p != to);
    places
}

/// The ways of units with a standing advance to a sector.
fn advances(view: &View, cols: &[i32], rows: &[i32]) -> Vec<Route> {
    let grid = view.grid;
    let index = |place: Place| {
        let x = cols.iter().position(|c| c.rem_euclid(grid.cols.into()) == grid.col(place))?;
        Some((x as i32, grid.row(place) - rows.first()?))
    };
    let mut routes = Vec::new();
    let mut paths = PathFinder::default();
    // The shorter of both ways round the globe.
    let girth = i32::from(grid.cols);
    let apart = |from: Place, to: Place| {
        let east = (grid.col(to) - grid.col(from) + girth / 2).rem_euclid(girth) - girth / 2;
        (east, grid.row(to) - grid.row(from))
    };
    for unit in view.power.units.values().filter(|u| u.aboard.is_none()) {
        let Some((x, y)) = index(unit.at) else { continue };
        let route = match unit.goal.map(|g| g.target) {
            None => continue,
            Some(Target::Sector(to)) => {
                let (east, south) = apart(unit.at, to);
                let mut way = Vec::new();
                let mut last = (unit.at, (x, y));
                for next in on_the_way(view, &mut paths, unit, to) {
                    let (east, south) = apart(last.0, next);
                    last = (next, (last.1.0 + east, last.1.1 + south));
                    way.push(last.1);
                }
                Route { from: (x, y), to: (x + east, y + south), way }
            }
            Some(Target::Heading(direction)) => {
                let Some(next) = grid.step(unit.at, direction) else { continue };
                let (east, south) = apart(unit.at, next);
                let way = Vec::new();
                Route { from: (x, y), to: (x + 2 * east, y + 2 * south), way }
            }
        };
        if route.from != route.to && !routes.contains(&route) {
            routes.push(route);
        }
    }
    routes
}

fn strategic_sign(scene: &Scene, place: Place) -> String {
    let view = scene.view;
    let i = usize::from(place.0);
    let holder = view.control[i];
    let row = match view.ground[i] {
        Known::Known(terrain) => Some(view.tables.ground(terrain)),
        Known::UnknownLand => None,
    };
    let own_unit = scene.units.get(&place).and_then(|units| units.first());
    let city = scene.cities.get(&place);
    let foreign_city = city.map(|c| c.seen.owner.is_some_and(|o| o != NOBODY));
    let mark = view.sites.get(&place).and_then(|site| match () {
        () if site.is_hot(view.turn) => Some("R"),
        () if site.base.is_some() => Some("%"),
        () if site.works.fort => Some("&"),
        () if site.works.road => Some("="),
        () => None,
    });
    let sign = match (own_unit, foreign_city, row) {
        _ if scene.own_cities.contains_key(&place) => "@",
        (_, Some(true), _) => "C",
        (_, Some(false), _) => "c",
        _ if scene.spotted.contains_key(&place) => "!",
        (Some(unit), ..) if view.tables.row(unit.kind).class == Class::Ship => "$",
        (Some(_), ..) => "*",
        _ if view.power.exhausted.contains(&place) => "x",
        _ if mark.is_some() => mark.unwrap_or_default(),
        _ if scene.ruins.contains(&place) => "?",
        (None, None, None) if holder != view.seat => " ",
        _ if holder == view.seat && !view.supplied[i] => "-",
        (_, _, Some(row)) if holder == view.seat => &row.own,
        _ if holder != NOBODY => "#",
        (_, _, Some(row)) => &row.sign,
        _ => "+",
    };
    sign.to_owned()
}

/// The whole world with all holders and cities, for the game master.
pub fn atlas(state: &State) -> MapPicture {
    let grid = state.grid();
    let cell = |place: Place| {
        let holder = state.control[usize::from(place.0)];
        Cell {
            terrain: Some(row_of(state.world.ground(place))),
            holder: seat_of(holder),
            side: if holder == NOBODY { Side::Nobody } else { Side::Foreign },
            ..Cell::default()
        }
    };
    let mut pieces = Vec::new();
    for power in &state.powers {
        for (number, city) in &power.cities {
            pieces.push(Piece {
                at: usize::from(city.at.0),
                symbol: CITY,
                side: if power.seat == NOBODY { Side::Nobody } else { Side::Foreign },
                holder: seat_of(power.seat),
                code: number.to_string(),
                name: city.name.clone(),
                size: city.level.into(),
                stack: 0,
            });
        }
    }
    let piece = |at: usize| {
        move |symbol, holder| Piece {
            side: if holder == NOBODY { Side::Nobody } else { Side::Foreign },
            holder: seat_of(holder),
            ..Piece::new(at, symbol)
        }
    };
    for (place, site) in state.sites() {
        let at = usize::from(place.0);
        pieces.extend(marks(&site, state.turn, at, piece(at)));
    }
    let map = GridMap {
        style: GridStyle::World,
        wrap: grid.wrap,
        hexes: None,
        columns: (0..i32::from(grid.cols)).map(|c| col_label(grid, c)).collect(),
        rows: (1..=grid.rows).map(|r| format!("{r:02}")).collect(),
        cells: grid.places().map(cell).collect(),
        routes: Vec::new(),
    };
    let title = say!("The world before turn {turn}", turn = state.turn);
    MapPicture {
        terrains: terrains(&state.tables),
        symbols: symbols(),
        pieces,
        ..MapPicture::new("atlas", &title, MapKind::Grid(map))
    }
}
