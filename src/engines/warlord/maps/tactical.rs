//! Tactical maps around generals and observations, and the surroundings of battles (§10).

use super::{Scene, battle_places, strategic_sign};
use std::collections::BTreeSet;

use crate::names::general_name;
use crate::orders::sector_no;
use crate::phrases::{force, joined, ranges};
use crate::state::NOBODY;
use crate::tables::Class;
use crate::view::{Ground as Known, View};
use crate::works::Site;
use engine::geometry::{Grid, Place};
use engine::report::{Block, GridStyle, Line, MapPicture, Section, bound, listed};
use tongue::{count, mark, say};

/// Ground that is not known.
const UNKNOWN: &str = "..";
/// Own land without supply.
const CUT_OFF: &str = mark!("(yours)");
/// The most battles whose surroundings are drawn.
const BATTLES_DRAWN: usize = 4;
/// Sectors around a battle that are drawn, on each side.
const BATTLE_RANGE: i32 = 2;

/// Maps of seven by seven sectors around each general and each observation; the first explains the
/// signs of all.
pub fn tactical(view: &View) -> Vec<Section> {
    let mut signs = BTreeSet::new();
    let mut maps = tactical_maps(view, &mut signs);
    if let Some(first) = maps.first_mut() {
        first.blocks.insert(0, Block::Para(signs_in_words(view, &signs).into()));
    }
    maps
}

fn tactical_maps(view: &View, signs: &mut BTreeSet<String>) -> Vec<Section> {
    let sight = &view.tables.rules.sight;
    let scene = Scene::of(view);
    let mut maps = Vec::new();
    let mut shown: Vec<Place> = Vec::new();
    let numbered = || (1u16..).zip(&view.power.generals);
    for (number, general) in numbered() {
        // Generals in the same place share a map.
        let Some(centre) = view.power.general_at(general).filter(|at| !shown.contains(at)) else {
            continue;
        };
        shown.push(centre);
        let here = numbered().filter(|(_, g)| view.power.general_at(g) == Some(centre));
        let here: Vec<(u16, String)> =
            here.map(|(n, g)| (n, format!("{n}{}", general_name(&g.name)))).collect();
        let at = sector_no(view.grid, centre);
        // A line has room for two names.
        let who = match here.as_slice() {
            [(_, one)] => one.clone(),
            [(_, one), (_, other)] => format!("{one}, {other}"),
            all => ranges(all.iter().map(|(n, _)| *n)),
        };
        let heading = count!(
            n = here.len(),
            "Tactical map: general {who} at {at}",
            "Tactical map: generals {who} at {at}"
        );
        let id = format!("general-{number}");
        maps.push(tactical_map(&scene, (id, heading), (centre, sight.general), signs));
    }
    for &centre in &view.power.observed {
        if !shown.contains(&centre) {
            shown.push(centre);
            let at = sector_no(view.grid, centre);
            let name = (format!("observation-{at}"), say!("Observation around {at}"));
            maps.push(tactical_map(&scene, name, (centre, sight.observation), signs));
        }
    }
    maps
}

fn tactical_map(
    scene: &Scene,
    name: (String, String),
    area: (Place, i32),
    signs: &mut BTreeSet<String>,
) -> Section {
    let mut rest = Vec::new();
    let text = |place| tactical_text(scene, place, &mut rest, signs);
    let mut picture = around(scene, &name.0, area, text);
    picture.square_width = 8;
    let mut blocks = vec![Block::from(picture)];
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

/// The surroundings of a place as a picture in large squares.
fn around(
    scene: &Scene,
    id: &str,
    (centre, range): (Place, i32),
    text: impl FnMut(Place) -> Vec<String>,
) -> MapPicture {
    let view = scene.view;
    let (cols, rows) = square(view.grid, centre, range);
    let map = scene.board(id, GridStyle::Tactical, (&cols, &rows), text);
    let mut map = map;
    let places = rows.iter().flat_map(|&r| cols.iter().filter_map(move |&c| view.grid.at(c, r)));
    let told: Vec<Line> = places.flat_map(|p| pieces_in_words(scene, p)).collect();
    map.words = told;
    map
}

/// `034012: your city 5 Arden, level 2, 20 Infantry, 3 ships of 4`.
fn pieces_in_words(scene: &Scene, place: Place) -> Vec<Line> {
    let mut parts = Vec::new();
    if let Some((number, city)) = scene.own_cities.get(&place) {
        parts.push(say!(
            "your city {number} {name}, level {level}",
            name = city.name,
            level = city.level
        ));
    } else if let Some(city) = scene.cities.get(&place) {
        let name = format!("{} {}", city.number, city.seen.name);
        parts.push(say!("city {city}", city = name.trim_end()));
    } else if scene.ruins.contains(&place) {
        parts.push(say!("ruins"));
    }
    parts.extend(site_in_words(scene.view, place));
    parts.extend(forces_in_words(scene, place));
    listed(&sector_no(scene.view.grid, place), &parts)
}

/// Works, base and radiation of a sector, as far as they are known.
pub fn site_in_words(view: &View, place: Place) -> Vec<String> {
    let ground = match view.ground[usize::from(place.0)] {
        Known::Known(terrain) => Some(terrain),
        Known::UnknownLand => None,
    };
    let site = view.sites.get(&place);
    site.map_or(Vec::new(), |s| s.named(&view.tables, ground, view.seat, view.turn))
}

/// Satellite pictures, with one sign for each sector.
pub fn pictures(view: &View) -> Vec<Section> {
    let scene = Scene::of(view);
    let radius = view.tables.rules.spying.satellite_radius;
    let picture = |&centre: &Place| {
        let at = sector_no(view.grid, centre);
        let (cols, rows) = square(view.grid, centre, radius);
        let sign = |place| vec![strategic_sign(&scene, place)];
        let id = format!("satellite-{at}");
        let map = scene.board(&id, GridStyle::Strategic, (&cols, &rows), sign);
        let map =
            MapPicture { title: say!("Signs as on the strategic map."), square_width: 1, ..map };
        let places =
            rows.iter().flat_map(|&r| cols.iter().filter_map(move |&c| view.grid.at(c, r)));
        let told: Vec<Line> = places.flat_map(|p| pieces_in_words(&scene, p)).collect();
        let mut blocks = vec![Block::from(map)];
        if !told.is_empty() {
            blocks.push(Block::List(told));
        }
        Section { heading: say!("Satellite picture around {at}"), blocks }
    };
    view.power.pictures.iter().map(picture).collect()
}

/// Own and foreign forces of a sector, the largest first.
pub(super) fn forces_in_words(scene: &Scene, place: Place) -> Vec<String> {
    let name = |kind: u8| &scene.view.tables.row(kind).name;
    let mut forces: Vec<(u16, String)> = Vec::new();
    for unit in scene.units.get(&place).into_iter().flatten() {
        forces.push((unit.size, force(unit.size, name(unit.kind))));
    }
    for seen in scene.spotted.get(&place).into_iter().flatten() {
        let n = seen.size;
        let what = match (seen.kind, seen.ships) {
            (Some(kind), _) => force(n, name(kind)),
            (None, true) => count!(n, "{n} ship", "{n} ships"),
            (None, false) => count!(n, "{n} regiment", "{n} regiments"),
        };
        forces.push((n, of_owner(scene.view, place, seen.owner, what)));
    }
    forces.sort_by_key(|f| std::cmp::Reverse(f.0));
    folded(forces.into_iter().map(|(_, what)| what).collect())
}

/// The forces with equal ones named once, with their number.
fn folded(forces: Vec<String>) -> Vec<String> {
    let alike = forces.chunk_by(|a, b| a == b).map(|same| match same.len() {
        1 => same[0].clone(),
        n => say!("{n} times {force}", force = same[0]),
    });
    alike.collect()
}

/// A force with its owner, unless the owner is the reader.
fn of_owner(view: &View, place: Place, owner: u8, force: String) -> String {
    match owner {
        NOBODY if view.is_garrison(place) => say!("{force} of the garrison"),
        NOBODY => say!("{force} of rebels"),
        own if own == view.seat => force,
        owner => say!("{force} of {owner}"),
    }
}

/// The lines of a sector on a tactical map, and the meaning of the signs that appear.
fn signs_in_words(view: &View, signs: &BTreeSet<String>) -> String {
    let tables = &view.tables;
    let units = tables.units.iter().filter(|u| !matches!(u.class, Class::Plane | Class::Arms));
    let named = |code: &str, name: &str| (code.to_owned(), tongue::word(name).into_owned());
    let units = units.map(|u| named(&u.code, &u.name));
    let grounds = tables.terrain.iter().map(|t| named(&t.code, &t.name));
    let others = [
        (UNKNOWN.to_owned(), say!("not explored")),
        (tongue::word(CUT_OFF).into_owned(), say!("yours without supply")),
    ];
    let there = units.chain(grounds).chain(others).filter(|(sign, _)| signs.contains(sign));
    let told: Vec<String> = there.map(|(sign, means)| format!("{sign} {means}")).collect();
    say!(
        "Each sector of a tactical map has three lines: city or other site; ground and largest \
         unit; holder. Signs: {signs}.",
        signs = told.join(";  ")
    )
}

fn tactical_text(
    scene: &Scene,
    place: Place,
    rest: &mut Vec<Line>,
    signs: &mut BTreeSet<String>,
) -> Vec<String> {
    let view = scene.view;
    let i = usize::from(place.0);
    let own_city = scene.own_cities.get(&place).map(|(n, _)| *n);
    let foreign_city = scene.cities.get(&place).map(|c| c.number);
    let site = match own_city.or(foreign_city) {
        Some(number) => say!("city{number}"),
        None => match view.sites.get(&place) {
            Some(site) if site.is_hot(view.turn) => say!("RADIATE"),
            Some(Site { base: Some((number, _)), .. }) => say!("base{number}"),
            Some(site) if site.works.fort => say!("fort"),
            _ if scene.ruins.contains(&place) => say!("ruins"),
            Some(site) if site.works.road => say!("road"),
            _ => String::new(),
        },
    };
    let own = scene.units.get(&place).into_iter().flatten();
    let mut units: Vec<(u16, u8, u8)> = own.map(|u| (u.size, u.kind, view.seat)).collect();
    let foreign = scene.spotted.get(&place).into_iter().flatten();
    units.extend(foreign.filter_map(|s| Some((s.size, s.kind?, s.owner))));
    units.sort_by_key(|u| std::cmp::Reverse((u.0, u.1)));
    let code = match view.ground[i] {
        Known::Known(terrain) => view.tables.ground(terrain).code.clone(),
        Known::UnknownLand => UNKNOWN.to_owned(),
    };
    let text = |&(size, kind, _): &(u16, u8, u8)| format!("{}{size}", view.tables.row(kind).code);
    let largest = units.first().map_or_else(String::new, text);
    if units.len() > 1 {
        let all = units
            .iter()
            .map(|u| of_owner(view, place, u.2, force(u.0, &view.tables.row(u.1).name)));
        let all = folded(all.collect());
        rest.push(format!("{}: {}", sector_no(view.grid, place), all.join(", ")).into());
    }
    let holder = match view.control[i] {
        NOBODY => String::new(),
        own if own == view.seat && view.supplied[i] => say!("yours"),
        own if own == view.seat => tongue::word(CUT_OFF).into_owned(),
        owner => say!("of {owner}"),
    };
    signs.extend([code.clone(), holder.clone()]);
    signs.extend(units.first().map(|u| view.tables.row(u.1).code.clone()));
    vec![site, format!("{code} {largest}"), holder]
}

/// The forces in a sector and beside it, for the text, which has no map of battles; empty if nobody
/// is in sight.
fn left_there(scene: &Scene, at: Place) -> String {
    let grid = scene.view.grid;
    let stand = |place| {
        let forces = forces_in_words(scene, place).join(", ");
        let told = match place == at {
            true => say!("{forces} there"),
            false => say!("{forces} at {at}", at = sector_no(grid, place)),
        };
        (!forces.is_empty()).then_some(told)
    };
    let stand: Vec<String> = grid.within(at, 1).filter_map(stand).collect();
    stand.join("; ")
}

/// Pictures of the surroundings of battles that no tactical map shows. The text has the cards and
/// sentences instead. There is no picture where nobody is left.
pub fn battles(view: &View) -> Vec<Block> {
    let sight = &view.tables.rules.sight;
    let generals = view.power.generals.iter().filter_map(|g| view.power.general_at(g));
    let shown: Vec<(Place, i32)> = generals
        .map(|at| (at, sight.general))
        .chain(view.power.observed.iter().map(|at| (*at, sight.observation)))
        .collect();
    let seen = |at: &Place| shown.iter().any(|(c, range)| view.grid.distance(*c, *at) < *range);
    let scene = Scene::of(view);
    let (mut drawn, mut empty): (Vec<Place>, Vec<Place>) = (Vec::new(), Vec::new());
    for at in battle_places(view).into_iter().filter(|at| !seen(at)) {
        // Battles beside each other share a picture.
        let beside = drawn.iter().any(|d| view.grid.distance(*d, at) <= 1);
        if left_there(&scene, at).is_empty() {
            empty.push(at);
        } else if !beside && drawn.len() < BATTLES_DRAWN {
            drawn.push(at);
        }
    }
    let picture = |at: &Place| {
        let sector = sector_no(view.grid, *at);
        let name = format!("battle-{sector}");
        let mut map = around(&scene, &name, (*at, BATTLE_RANGE), |_| Vec::new());
        let left = left_there(&scene, *at);
        map.title = bound(&say!("After the fighting at {sector}: {left}."));
        map.into()
    };
    let mut blocks: Vec<Block> = drawn.iter().map(picture).collect();
    if !empty.is_empty() {
        let places: Vec<String> = empty.iter().map(|at| sector_no(view.grid, *at)).collect();
        let text = count!(
            n = places.len(),
            "Nobody is to be seen at {places} or beside it.",
            "Nobody is to be seen at {places} or beside them.",
            places = joined(&places)
        );
        blocks.push(Block::Para(text.into()));
    }
    blocks
}
