//! The maps of a printout: the world, the strategic map, tactical maps around
//! generals and observations, and what surrounds a battle (§10).

use std::collections::{BTreeMap, BTreeSet};

use super::events::Event;
use super::orders::sector_no;
use super::report::general_name;
use super::state::{City, NOBODY, State, Target, Unit};
use super::tables::{Class, Tables, Terrain};
use super::view::{Ground as Known, KnownCity, Spotted, View};
use engine::Seat;
use engine::geometry::{Grid, Place};
use engine::report::{
    Block, Cell, Ground, Line, MapKind, MapPicture, Piece, Route, Section, Side, Sign, Track,
    listed,
};

/// Columns of the world map in print, at most.
const WORLD_COLUMNS: u16 = 70;
/// Battles whose surroundings are drawn.
const BATTLES_DRAWN: usize = 4;
/// Sectors around a battle that are drawn, on each side.
const BATTLE_RANGE: i32 = 2;

/// What stands where, as the seat knows it.
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

    fn ground(&self, place: Place) -> Ground {
        match self.view.ground[usize::from(place.0)] {
            Known::Known(terrain) => ground_of(terrain),
            Known::UnknownLand => Ground::Unknown,
        }
    }

    /// A square of a picture, without its signs in the text map.
    fn cell(&self, place: Place) -> Cell {
        let i = usize::from(place.0);
        let holder = self.view.control[i];
        Cell {
            text: Vec::new(),
            ground: self.ground(place),
            holder: seat_of(holder),
            side: self.side(holder),
            pale: holder == self.view.seat && !self.view.supplied[i],
        }
    }

    /// Everything that stands in a square, the lowest first.
    fn pieces(&self, place: Place, at: (u16, u16)) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let piece = |sign, holder| Piece {
            at,
            sign,
            side: self.side(holder),
            holder: seat_of(holder),
            code: String::new(),
            name: String::new(),
            size: 0,
        };
        if let Some((number, city)) = self.own_cities.get(&place) {
            pieces.push(Piece {
                code: number.to_string(),
                name: city.name.clone(),
                size: city.level.into(),
                ..piece(Sign::City, self.view.seat)
            });
        } else if let Some(city) = self.cities.get(&place) {
            pieces.push(Piece {
                code: city.number.to_string(),
                name: city.seen.name.clone(),
                size: city.seen.level.into(),
                ..piece(Sign::City, city.seen.owner.unwrap_or(NOBODY))
            });
        } else if self.ruins.contains(&place) {
            let empty = self.view.power.exhausted.contains(&place);
            let code = if empty { "x" } else { "?" }.to_owned();
            pieces.push(Piece { code, ..piece(Sign::Ruins, NOBODY) });
        }
        // One counter a holder and element: the type of its largest unit, the sum.
        let mut forces: BTreeMap<(u8, bool), (u32, u16, String)> = BTreeMap::new();
        let mut add = |holder: u8, ships: bool, size: u16, code: String| {
            let sum = forces.entry((holder, ships)).or_default();
            sum.0 += u32::from(size);
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
        for ((holder, ships), (size, _, code)) in forces {
            let sign = if ships { Sign::Ships } else { Sign::Land };
            pieces.push(Piece { code, size, ..piece(sign, holder) });
        }
        for (number, general) in (1..).zip(&self.view.power.generals) {
            if self.view.power.general_at(general) == Some(place) {
                let code = number.to_string();
                pieces.push(Piece { code, ..piece(Sign::General, self.view.seat) });
            }
        }
        if self.battles.contains(&place) {
            pieces.push(piece(Sign::Battle, NOBODY));
        }
        pieces
    }

    /// The squares of columns and rows, with all pieces.
    fn board(&self, cols: &[i32], rows: &[i32], text: impl Fn(Place) -> Vec<String>) -> Board {
        let (mut cells, mut pieces) = (Vec::new(), Vec::new());
        for (y, &row) in (0..).zip(rows) {
            for (x, &col) in (0..).zip(cols) {
                match self.view.grid.at(col, row) {
                    Some(place) => {
                        cells.push(Cell { text: text(place), ..self.cell(place) });
                        pieces.extend(self.pieces(place, (x, y)));
                    }
                    None => cells.push(ice()),
                }
            }
        }
        Board { cells, pieces }
    }
}

/// Squares and what stands on them.
struct Board {
    cells: Vec<Cell>,
    pieces: Vec<Piece>,
}

fn seat_of(holder: u8) -> Option<Seat> {
    (holder != NOBODY).then_some(Seat(holder))
}

fn ground_of(terrain: Terrain) -> Ground {
    match terrain {
        Terrain::Open => Ground::Open,
        Terrain::Woods => Ground::Woods,
        Terrain::Barren => Ground::Barren,
        Terrain::Marsh => Ground::Marsh,
        Terrain::Hills => Ground::Hills,
        Terrain::Desert => Ground::Desert,
        Terrain::Forest => Ground::Forest,
        Terrain::Swamp => Ground::Swamp,
        Terrain::Mountains => Ground::Mountains,
        Terrain::Sea => Ground::Sea,
    }
}

fn ice() -> Cell {
    let text = vec![String::new(), "ice".to_owned(), String::new()];
    Cell { text, ground: Ground::Ice, ..Cell::default() }
}

fn legend(items: &[(&str, &str)]) -> Vec<(String, String)> {
    items.iter().map(|(s, m)| ((*s).to_owned(), (*m).to_owned())).collect()
}

fn col_label(grid: Grid, col: i32) -> String {
    format!("{:03}", col.rem_euclid(i32::from(grid.cols)) + 1)
}

/// Where the seat knows that something was fought over.
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

/// The whole world, with the first printout and the last.
pub fn world(view: &View) -> Option<Section> {
    let shown = view.turn == 1 || view.whole;
    shown.then(|| Section {
        heading: "The world".to_owned(),
        blocks: vec![Block::Map(globe(view, true))],
    })
}

/// What lies in the sectors that one sign of the world map stands for.
#[derive(Clone, Default)]
struct Sector {
    land: i32,
    home: bool,
    own: bool,
    foreign: bool,
    explored: bool,
}

/// Continents and oceans in few signs, and what of them is explored; not in print it is
/// a picture and a sentence.
fn globe(view: &View, printed: bool) -> MapPicture {
    let grid = view.grid;
    // So many sectors to a sign that the globe fits: land where most of them are.
    let wide = i32::from(grid.cols.div_ceil(WORLD_COLUMNS)).max(2);
    let (cols, rows) = (i32::from(grid.cols) / wide, i32::from(grid.rows) / wide);
    // What lies in each sign's sectors, counted in one walk over the world.
    let mut signs = vec![Sector::default(); (cols * rows).max(0) as usize];
    let sign_of = |p: Place| {
        let (c, r) = (grid.col(p) / wide, grid.row(p) / wide);
        (c < cols && r < rows).then_some((r * cols + c) as usize)
    };
    for place in grid.places() {
        let Some(sign) = sign_of(place).and_then(|i| signs.get_mut(i)) else { continue };
        let holder = view.control[usize::from(place.0)];
        sign.land += i32::from(!view.is_sea(place));
        sign.own |= holder == view.seat;
        sign.foreign |= holder != NOBODY && holder != view.seat;
        sign.explored |= view.whole || view.power.has_explored(place);
    }
    for city in view.power.cities.values() {
        if let Some(sign) = sign_of(city.at).and_then(|i| signs.get_mut(i)) {
            sign.home = true;
        }
    }
    let cell = |sign: &Sector| {
        let land = sign.land * 2 >= wide * wide;
        let text = match (sign.home, land) {
            (true, _) => "@",
            (false, true) => "#",
            (false, false) => ".",
        };
        let side = match (sign.own, sign.foreign) {
            (true, _) => Side::Own,
            (false, true) => Side::Foreign,
            (false, false) => Side::Nobody,
        };
        Cell {
            text: vec![text.to_owned()],
            ground: if land { Ground::Land } else { Ground::Sea },
            holder: None,
            side,
            pale: !sign.explored,
        }
    };
    let cells: Vec<Cell> = signs.iter().map(cell).collect();
    let (known_cols, known_rows) = known_area(view);
    let known = format!(
        "You know columns {} to {} and rows {:02} to {:02} of a world of {} columns and {} rows",
        known_cols.first().map_or(String::new(), |c| col_label(grid, *c)),
        known_cols.last().map_or(String::new(), |c| col_label(grid, *c)),
        known_rows.first().map_or(0, |r| r + 1),
        known_rows.last().map_or(0, |r| r + 1),
        grid.cols,
        grid.rows
    );
    let mut map = MapPicture {
        id: "world".to_owned(),
        kind: MapKind::World,
        title: match printed {
            true => format!("{wide} by {wide} sectors to a sign"),
            false => format!("{known}."),
        },
        columns: (0..cols).map(|c| format!("{:03}", c * wide + 1)).collect(),
        rows: (0..rows).map(|r| format!("{:02}", r * wide + 1)).collect(),
        square_width: usize::from(printed),
        cells,
        pieces: Vec::new(),
        routes: Vec::new(),
        legend: legend(&[("#", "land"), (".", "sea"), ("@", "your cities")]),
        words: Vec::new(),
    };
    if !printed {
        let word = |c: &Cell| match c.side {
            Side::Own => "yours",
            Side::Ally | Side::Foreign => "foreign",
            Side::Nobody => "",
        };
        map.words = map.rows_in_words(|c| word(c).to_owned());
    }
    if printed {
        let word = |c: &Cell| if c.ground == Ground::Sea { "" } else { "land" }.to_owned();
        map.words = vec![format!("{known}.").into()];
        map.words.extend(map.rows_in_words(word));
    }
    map
}

/// Columns and rows that hold everything the seat knows.
fn known_area(view: &View) -> (Vec<i32>, Vec<i32>) {
    let grid = view.grid;
    let cities: BTreeSet<Place> = view.cities.iter().map(|c| c.at).collect();
    let known = |p: &Place| view.power.has_explored(*p) || cities.contains(p);
    let mut cols = vec![false; usize::from(grid.cols)];
    let mut rows = vec![false; usize::from(grid.rows)];
    for place in grid.places().filter(known) {
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

/// Everything that is known, a sign a sector.
pub fn strategic(view: &View) -> Section {
    let grid = view.grid;
    let (cols, rows) = known_area(view);
    let scene = Scene::of(view);
    let Board { cells, pieces } = scene.board(&cols, &rows, |p| vec![strategic_sign(&scene, p)]);
    let mut signs: Vec<(String, String)> = legend(&[
        ("@", "your city"),
        ("C", "city of a player"),
        ("c", "uncontrolled or reported city"),
        ("?", "ruins"),
        ("x", "ruins that are empty"),
        ("*", "your division"),
        ("$", "your ships"),
        ("!", "foreign force"),
        ("+", "your land"),
        ("-", "your land without supply"),
        ("#", "foreign land"),
    ]);
    for terrain in &view.tables.terrain {
        let own = match terrain.own.as_str() {
            "+" | "~" => String::new(),
            own => format!(" (yours {own})"),
        };
        signs.push((terrain.sign.clone(), format!("{}{own}", terrain.name)));
    }
    let mut map = MapPicture {
        id: "strategic".to_owned(),
        kind: MapKind::Strategic,
        title: "Blank: not explored.".to_owned(),
        columns: cols.iter().map(|c| col_label(grid, *c)).collect(),
        rows: rows.iter().map(|r| format!("{:02}", r + 1)).collect(),
        square_width: 1,
        cells,
        pieces,
        routes: advances(view, &cols, &rows),
        legend: signs,
        words: Vec::new(),
    };
    map.words = map.rows_in_words(sector_in_words);
    map.words
        .push("Cities and forces stand in the lists Forces and cities, Spotted forces.".into());
    let mut blocks = vec![Block::Map(map)];
    if view.turn > 1 && !view.whole {
        blocks.push(Block::Map(globe(view, false)));
    }
    Section { heading: "Strategic map".to_owned(), blocks }
}

/// Ground and holder of a sector; nothing for one that is not known.
fn sector_in_words(cell: &Cell) -> String {
    let ground = match cell.ground {
        Ground::Unknown if cell.side == Side::Nobody => return String::new(),
        Ground::Unknown => "land",
        known => known.word(),
    };
    let holder = match (cell.side, cell.holder) {
        (Side::Own, _) if cell.pale => " yours without supply".to_owned(),
        (Side::Own, _) => " yours".to_owned(),
        (_, Some(seat)) => format!(" of {seat}"),
        (_, None) => String::new(),
    };
    format!("{ground}{holder}")
}

/// Where units with a standing advance are under way to.
fn advances(view: &View, cols: &[i32], rows: &[i32]) -> Vec<Route> {
    let grid = view.grid;
    let index = |place: Place| {
        let x = cols.iter().position(|c| c.rem_euclid(grid.cols.into()) == grid.col(place))?;
        Some((x as i32, grid.row(place) - rows.first()?))
    };
    let mut routes = Vec::new();
    for unit in view.power.units.values().filter(|u| u.aboard.is_none()) {
        let Some((x, y)) = index(unit.at) else { continue };
        let to = match unit.goal.map(|g| g.target) {
            None => continue,
            Some(Target::Sector(to)) => {
                // The shorter way round the globe.
                let (girth, east) = (i32::from(grid.cols), grid.col(to) - grid.col(unit.at));
                let east = (east + girth / 2).rem_euclid(girth) - girth / 2;
                (x + east, y + grid.row(to) - grid.row(unit.at))
            }
            Some(Target::Heading(direction)) => {
                let Some(next) = grid.step(unit.at, direction) else { continue };
                let girth = i32::from(grid.cols);
                let east = (grid.col(next) - grid.col(unit.at) + girth + 1).rem_euclid(girth) - 1;
                (x + 2 * east, y + 2 * (grid.row(next) - grid.row(unit.at)))
            }
        };
        let route = Route { track: Track::Advance, from: (x, y), to };
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
    let sign = match (own_unit, foreign_city, row) {
        _ if scene.own_cities.contains_key(&place) => "@",
        (_, Some(true), _) => "C",
        (_, Some(false), _) => "c",
        _ if scene.spotted.contains_key(&place) => "!",
        (Some(unit), ..) if view.tables.row(unit.kind).class == Class::Ship => "$",
        (Some(_), ..) => "*",
        _ if view.power.exhausted.contains(&place) => "x",
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

/// Seven by seven sectors around each general and each observation.
pub fn tactical(view: &View) -> Vec<Section> {
    let sight = &view.tables.rules.sight;
    let scene = Scene::of(view);
    let mut maps = Vec::new();
    let mut shown: Vec<Place> = Vec::new();
    for (number, general) in (1..).zip(&view.power.generals) {
        // One map serves generals who stand together.
        let Some(centre) = view.power.general_at(general).filter(|at| !shown.contains(at)) else {
            continue;
        };
        shown.push(centre);
        let name = general_name(&general.name);
        let at = sector_no(view.grid, centre);
        let heading = format!("Tactical map: general {number}{name} at {at}");
        let id = format!("general-{number}");
        maps.push(tactical_map(&scene, (id, heading), centre, sight.general));
    }
    for &centre in &view.power.observed {
        if !shown.contains(&centre) {
            shown.push(centre);
            let at = sector_no(view.grid, centre);
            let name = (format!("observation-{at}"), format!("Observation around {at}"));
            maps.push(tactical_map(&scene, name, centre, sight.observation));
        }
    }
    maps
}

fn tactical_map(scene: &Scene, name: (String, String), centre: Place, range: i32) -> Section {
    let view = scene.view;
    let mut rest = Vec::new();
    let mut picture = around(scene, name.0, centre, range);
    picture.title = "Each sector: site; ground and largest unit; holder.".to_owned();
    picture.square_width = 8;
    let (cols, rows) = square(view.grid, centre, range);
    let places = rows.iter().flat_map(|&r| cols.iter().map(move |&c| view.grid.at(c, r)));
    for (cell, place) in picture.cells.iter_mut().zip(places) {
        if let Some(place) = place {
            cell.text = tactical_text(scene, place, &mut rest);
        }
    }
    let mut blocks = vec![Block::Map(picture)];
    if !rest.is_empty() {
        blocks.push(Block::List(rest));
    }
    Section { heading: name.1, blocks }
}

/// Columns and rows around a place.
fn square(grid: Grid, centre: Place, range: i32) -> (Vec<i32>, Vec<i32>) {
    let (col, row) = (grid.col(centre), grid.row(centre));
    ((col - range..=col + range).collect(), (row - range..=row + range).collect())
}

/// The surroundings of a place in large squares.
fn around(scene: &Scene, id: String, centre: Place, range: i32) -> MapPicture {
    let view = scene.view;
    let (cols, rows) = square(view.grid, centre, range);
    let Board { cells, pieces } = scene.board(&cols, &rows, |_| Vec::new());
    let edge = |r: &i32| match view.grid.at(0, *r) {
        Some(_) => format!("{:02}", r + 1),
        None => "--".to_owned(),
    };
    let mut map = MapPicture {
        id,
        kind: MapKind::Tactical,
        title: String::new(),
        columns: cols.iter().map(|c| col_label(view.grid, *c)).collect(),
        rows: rows.iter().map(edge).collect(),
        square_width: 0,
        cells,
        pieces,
        routes: Vec::new(),
        legend: unit_legend(&view.tables),
        words: Vec::new(),
    };
    map.words = map.rows_in_words(sector_in_words);
    let places = rows.iter().flat_map(|&r| cols.iter().filter_map(move |&c| view.grid.at(c, r)));
    let told: Vec<Line> = places.flat_map(|p| pieces_in_words(scene, p)).collect();
    map.words.extend(told);
    map
}

/// `034012: your city 5 Arden, level 2, 20 Infantry, 3 ships of 4`.
fn pieces_in_words(scene: &Scene, place: Place) -> Vec<Line> {
    let mut parts = Vec::new();
    if let Some((number, city)) = scene.own_cities.get(&place) {
        parts.push(format!("your city {number} {}, level {}", city.name, city.level));
    } else if let Some(city) = scene.cities.get(&place) {
        parts.push(format!("city {} {}", city.number, city.seen.name).trim_end().to_owned());
    } else if scene.ruins.contains(&place) {
        parts.push("ruins".to_owned());
    }
    parts.extend(forces_in_words(scene, place));
    listed(&sector_no(scene.view.grid, place), &parts)
}

/// Own and foreign forces of a sector, the largest first.
fn forces_in_words(scene: &Scene, place: Place) -> Vec<String> {
    let name = |kind: u8| scene.view.tables.row(kind).name.clone();
    let mut forces: Vec<(u16, String)> = Vec::new();
    for unit in scene.units.get(&place).into_iter().flatten() {
        forces.push((unit.size, name(unit.kind)));
    }
    for force in scene.spotted.get(&place).into_iter().flatten() {
        let what = match (force.kind, force.ships) {
            (Some(kind), _) => name(kind),
            (None, true) => "ships".to_owned(),
            (None, false) => "regiments".to_owned(),
        };
        let owner =
            if force.owner == NOBODY { String::new() } else { format!(" of {}", force.owner) };
        forces.push((force.size, format!("{what}{owner}")));
    }
    forces.sort_by_key(|f| std::cmp::Reverse(f.0));
    forces.into_iter().map(|(size, what)| format!("{size} {what}")).collect()
}

fn unit_legend(tables: &Tables) -> Vec<(String, String)> {
    let grounds = tables.terrain.iter().map(|t| (t.code.clone(), t.name.clone()));
    let moving = tables.units.iter().filter(|u| u.class != Class::Plane);
    let units = moving.map(|u| (u.code.clone(), u.name.clone()));
    units.chain(grounds).collect()
}

fn tactical_text(scene: &Scene, place: Place, rest: &mut Vec<Line>) -> Vec<String> {
    let view = scene.view;
    let i = usize::from(place.0);
    let own_city = scene.own_cities.get(&place).map(|(n, _)| *n);
    let foreign_city = scene.cities.get(&place).map(|c| c.number);
    let site = match own_city.or(foreign_city) {
        Some(number) => format!("city{number}"),
        None if scene.ruins.contains(&place) => "ruins".to_owned(),
        None => String::new(),
    };
    let own = scene.units.get(&place).into_iter().flatten();
    let mut units: Vec<(u16, u8, u8)> = own.map(|u| (u.size, u.kind, view.seat)).collect();
    let foreign = scene.spotted.get(&place).into_iter().flatten();
    units.extend(foreign.filter_map(|s| Some((s.size, s.kind?, s.owner))));
    units.sort_by_key(|u| std::cmp::Reverse((u.0, u.1)));
    let code = match view.ground[i] {
        Known::Known(terrain) => view.tables.ground(terrain).code.clone(),
        Known::UnknownLand => "..".to_owned(),
    };
    let text = |&(size, kind, _): &(u16, u8, u8)| format!("{}{size}", view.tables.row(kind).code);
    let largest = units.first().map_or_else(String::new, text);
    if units.len() > 1 {
        let all = units.iter().map(|u| {
            let owner = if u.2 == view.seat { String::new() } else { format!(" of {}", u.2) };
            format!("{} {}{owner}", u.0, view.tables.row(u.1).name)
        });
        let all: Vec<String> = all.collect();
        rest.push(format!("{}: {}", sector_no(view.grid, place), all.join(", ")).into());
    }
    let holder = match view.control[i] {
        NOBODY => String::new(),
        h if h == view.seat && view.supplied[i] => "yours".to_owned(),
        h if h == view.seat => "(yours)".to_owned(),
        h => format!("of {h}"),
    };
    vec![site, format!("{code} {largest}"), holder]
}

/// Pictures of what surrounds battles that no tactical map shows; the text tells of
/// them in the battle reports and in words.
pub fn battles(view: &View) -> Option<Section> {
    let sight = &view.tables.rules.sight;
    let generals = view.power.generals.iter().filter_map(|g| view.power.general_at(g));
    let shown: Vec<(Place, i32)> = generals
        .map(|at| (at, sight.general))
        .chain(view.power.observed.iter().map(|at| (*at, sight.observation)))
        .collect();
    let seen = |at: &Place| shown.iter().any(|(c, range)| view.grid.distance(*c, *at) < *range);
    let scene = Scene::of(view);
    let mut drawn: Vec<Place> = Vec::new();
    for at in battle_places(view).into_iter().filter(|at| !seen(at)) {
        // One picture serves battles beside each other.
        if drawn.iter().all(|d| view.grid.distance(*d, at) > 1) && drawn.len() < BATTLES_DRAWN {
            drawn.push(at);
        }
    }
    let picture = |at: &Place| {
        let sector = sector_no(view.grid, *at);
        let mut map = around(&scene, format!("battle-{sector}"), *at, BATTLE_RANGE);
        map.title = format!("After the fighting at {sector}.");
        Block::Map(map)
    };
    let blocks: Vec<Block> = drawn.iter().map(picture).collect();
    (!blocks.is_empty()).then(|| Section { heading: "Places of battles".to_owned(), blocks })
}

/// The whole world with all holders and cities, for the game master.
pub fn atlas(state: &State) -> MapPicture {
    let grid = state.grid();
    let cell = |place: Place| {
        let holder = state.control[usize::from(place.0)];
        Cell {
            ground: ground_of(state.world.ground(place)),
            holder: seat_of(holder),
            side: if holder == NOBODY { Side::Nobody } else { Side::Foreign },
            ..Cell::default()
        }
    };
    let mut pieces = Vec::new();
    for power in &state.powers {
        for (number, city) in &power.cities {
            pieces.push(Piece {
                // A grid has at most 65,536 squares, so its sides are within u16.
                at: (grid.col(city.at) as u16, grid.row(city.at) as u16),
                sign: Sign::City,
                side: if power.seat == NOBODY { Side::Nobody } else { Side::Foreign },
                holder: seat_of(power.seat),
                code: number.to_string(),
                name: city.name.clone(),
                size: city.level.into(),
            });
        }
    }
    MapPicture {
        id: "atlas".to_owned(),
        kind: MapKind::World,
        title: format!("The world before turn {}", state.turn),
        columns: (0..i32::from(grid.cols)).map(|c| col_label(grid, c)).collect(),
        rows: (1..=grid.rows).map(|r| format!("{r:02}")).collect(),
        square_width: 0,
        cells: grid.places().map(cell).collect(),
        pieces,
        routes: Vec::new(),
        legend: Vec::new(),
        words: Vec::new(),
    }
}
