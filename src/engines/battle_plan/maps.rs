//! The schematic map: who holds what, the armies that are seen, where was fought
//! (§16).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::desk::Holding;
use super::map::{Map, SpaceId};
use super::state::{NOBODY, Stance, State};
use super::tables::Tables;
use super::view::{View, code, player};
use engine::Seat;
use engine::report::{
    Cell, Graph, Line, Link, MapKind, MapPicture, Node, NodeForm, Piece, Section, Shades, Shape,
    Side, Symbol, Terrain, Tint, listed,
};

/// Where the spaces of Europe stand in a drawing so that each border is a line between two
/// boxes that no third one hides. Drawings are no rule: games that began with the places of
/// the map file are drawn so too.
static PLACES: LazyLock<BTreeMap<String, [u8; 2]>> = LazyLock::new(|| {
    let text = include_str!("../../../config/battle-plan/drawing.toml");
    toml::from_str(text).unwrap_or_default()
});

/// Where the spaces of a map stand; a part of a map is cut out of the whole.
struct Frame {
    west: usize,
    north: usize,
    wide: usize,
    high: usize,
    /// By the table above instead of the map file.
    drawn: bool,
}

/// Column and row of a space.
fn place(map: &Map, space: SpaceId, drawn: bool) -> [usize; 2] {
    let own = map.row(space).at;
    let at = PLACES.get(map.code(space)).filter(|_| drawn).copied().unwrap_or(own);
    at.map(usize::from)
}

impl Frame {
    fn of(map: &Map) -> Self {
        // A map of one's own is drawn as its file says.
        let drawn =
            map.len() == PLACES.len() && map.all().all(|s| PLACES.contains_key(map.code(s)));
        let places = |i: usize| map.all().map(move |s| place(map, s, drawn)[i]);
        let [(west, wide), (north, high)] = [0, 1].map(|i| {
            let (first, last) = (places(i).min().unwrap_or(0), places(i).max().unwrap_or(0));
            (first, last + 1 - first)
        });
        Self { west, north, wide, high, drawn }
    }

    fn at(&self, map: &Map, space: SpaceId) -> (usize, usize) {
        let [x, y] = place(map, space, self.drawn);
        (x - self.west, y - self.north)
    }

    /// The map with these spaces; a battle stands where `fought` says so.
    fn picture(
        &self,
        id: &str,
        map: &Map,
        cell: impl Fn(SpaceId) -> Cell,
        fought: impl Fn(SpaceId) -> bool,
    ) -> MapPicture {
        let (mut nodes, mut links, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
        for space in map.all() {
            let (x, y) = self.at(map, space);
            let number = usize::from(space.0);
            nodes.push(Node {
                id: map.code(space).to_owned(),
                name: map.name(space).to_owned(),
                // Rows and columns of a map file are bytes.
                at: (x as u16, y as u16),
                form: if map.is_sea(space) { NodeForm::Rounded } else { NodeForm::Box },
                cell: cell(space),
            });
            if fought(space) {
                let code = map.code(space).to_owned();
                pieces.push(Piece { code, ..Piece::new(number, BATTLE) });
            }
            let later = map.neighbours(space).iter().filter(|n| n.0 > space.0);
            links.extend(later.map(|n| Link { from: number, to: usize::from(n.0) }));
        }
        let size = (self.wide as u16, self.high as u16);
        let reach = if self.drawn { REACH + 1 } else { REACH };
        let (arrows, arrow) = (Vec::new(), String::new());
        let graph = Graph { size, nodes, links, reach: Some(reach), arrows, arrow };
        MapPicture {
            terrains: terrains(),
            pale: "army not seen".to_owned(),
            symbols: vec![Symbol::new("battle", "battle", Shape::Battle)],
            pieces,
            ..MapPicture::new(id, "", MapKind::Graph(graph))
        }
    }
}

/// Spaces that are adjacent, but farther apart on the drawing, have no line. One more where every
/// line is clear of boxes.
const REACH: u16 = 3;

/// The only symbol.
const BATTLE: u8 = 0;

/// Numbers of the two terrains.
const LAND: u8 = 0;
const SEA: u8 = 1;

/// Land and sea. Countries whose army is not seen are paler; seas are not.
fn terrains() -> Vec<Terrain> {
    let tints = |of: [(u8, u8, u8); 4]| of.map(|(r, g, b)| Tint::new(r, g, b));
    let terrain = |id, plain, pale| {
        let (plain, pale) = (tints(plain), tints(pale));
        let shades = Shades::Given { plain, pale };
        Terrain { shades, in_legend: false, ..Terrain::new(id, id, plain[0]) }
    };
    let land = [(13, 13, 12), (15, 15, 12), (11, 14, 12), (6, 4, 4)];
    let unseen = [(13, 13, 12), (14, 14, 12), (12, 13, 12), (8, 6, 6)];
    let sea = [(12, 14, 15), (9, 12, 15), (12, 14, 15), (12, 14, 15)];
    vec![terrain("land", land, unseen), terrain("sea", sea, sea)]
}

fn seat_of(owner: u8) -> Option<Seat> {
    (owner != NOBODY).then_some(Seat(owner))
}

/// The map as a seat knows it.
pub fn map(view: &View) -> Section {
    let map = &view.tables.map;
    let frame = Frame::of(map);
    let fought = |space: SpaceId| {
        view.clashes.iter().any(|c| c.at == space) || view.sea_clashes.iter().any(|c| c.at == space)
    };
    let mut picture = frame.picture("map", map, |space| cell(view, space), fought);
    let legend = [
        ("~", "sea, with your navy"),
        ("*", "minor"),
        ("=", "yours"),
        ("+", "ally"),
        ("!", "enemy"),
        ("5:40", "player 5 with 40 army"),
    ];
    picture.legend = legend.map(|(s, m)| (s.to_owned(), m.to_owned())).to_vec();
    picture.title = format!(
        "{}, schematic: spaces that are close are not always adjacent.",
        title(&view.tables)
    );
    picture.square_width = 6;
    picture.words = words(view);
    Section { heading: "Map".to_owned(), blocks: vec![picture.into()] }
}

/// Who holds what, with the armies that are seen; own navies; places of battles.
fn words(view: &View) -> Vec<Line> {
    let map = &view.tables.map;
    let mut held: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    for space in map.countries() {
        let army = view.seen.get(&space).map(|c| format!(" ({} army)", c.army));
        let text = format!("{}{}", code(view, space), army.unwrap_or_default());
        held.entry(view.owners[usize::from(space.0)]).or_default().push(text);
    }
    let mut lines: Vec<Line> = Vec::new();
    for (owner, spaces) in held {
        let who = match owner {
            NOBODY => "Minors".to_owned(),
            seat => player(view, seat),
        };
        let stands = match side(view, owner) {
            Side::Own => " (you)",
            Side::Ally => " (ally)",
            Side::Foreign if view.enemy(owner) => " (enemy)",
            _ => "",
        };
        lines.extend(listed(&format!("{who}{stands}"), &spaces));
    }
    let navies = view.position.holdings.iter().filter_map(|(space, holding)| match holding {
        Holding::Sea(f) if f.navy > 0 => Some(format!("{} ({} navy)", code(view, *space), f.navy)),
        _ => None,
    });
    let navies: Vec<String> = navies.collect();
    lines.extend(listed("Your navies at sea", &navies));
    let fights = view.clashes.iter().map(|c| c.at).chain(view.sea_clashes.iter().map(|c| c.at));
    let mut fights: Vec<String> = fights.map(|at| code(view, at).to_owned()).collect();
    fights.sort_unstable();
    fights.dedup();
    lines.extend(listed("Fought over", &fights));
    lines
}

fn title(tables: &Tables) -> &'static str {
    match (tables.variant.map.as_str(), tables.variant.spaces.is_empty()) {
        ("europe", _) => "Europe",
        (_, false) => "South America",
        _ => "The world",
    }
}

fn side(view: &View, owner: u8) -> Side {
    match owner {
        NOBODY => Side::Nobody,
        o if o == view.seat => Side::Own,
        o if view.position.player.stance(o) == Stance::Ally => Side::Ally,
        _ => Side::Foreign,
    }
}

fn cell(view: &View, space: SpaceId) -> Cell {
    let code = code(view, space);
    if view.tables.map.is_sea(space) {
        let own = match view.position.holdings.get(&space) {
            Some(Holding::Sea(f)) if f.navy > 0 => format!("{}N", f.navy),
            _ => String::new(),
        };
        let side = if own.is_empty() { Side::Nobody } else { Side::Own };
        let text = vec![format!("{code}~"), own];
        let pale = !view.seas.contains_key(&space);
        return Cell { text, terrain: Some(SEA), holder: None, side, pale };
    }
    let owner = view.owners[usize::from(space.0)];
    let army = view.seen.get(&space).map(|c| c.army);
    let side = side(view, owner);
    let sign = match side {
        Side::Nobody => "*",
        Side::Own => "=",
        _ if view.enemy(owner) => "!",
        Side::Ally => "+",
        Side::Foreign => "",
    };
    let below = match (owner, army) {
        (NOBODY, None) => String::new(),
        (NOBODY, Some(army)) => format!(":{army}"),
        (owner, None) => owner.to_string(),
        (owner, Some(army)) => format!("{owner}:{army}"),
    };
    let below = if below.len() > 5 { owner.to_string() } else { below };
    Cell {
        text: vec![format!("{code}{sign}"), below],
        terrain: Some(LAND),
        holder: seat_of(owner),
        side,
        pale: army.is_none(),
    }
}

/// The whole map with all armies, for the game master.
pub fn atlas(state: &State) -> MapPicture {
    let map = &state.tables.map;
    let cell = |space: SpaceId| {
        let code = map.code(space);
        if map.is_sea(space) {
            let navies: i64 = state.sea(space).values().map(|f| f.navy).sum();
            let below = if navies > 0 { format!("{navies}N") } else { String::new() };
            let text = vec![format!("{code}~"), below];
            return Cell { text, terrain: Some(SEA), ..Cell::default() };
        }
        let country = state.country(space);
        let owner = country.owner;
        let text = match owner {
            NOBODY => vec![format!("{code}*"), format!(":{}", country.army)],
            o => vec![code.to_owned(), format!("{o}:{}", country.army)],
        };
        let side = if owner == NOBODY { Side::Nobody } else { Side::Foreign };
        Cell { text, terrain: Some(LAND), holder: seat_of(owner), side, pale: false }
    };
    let mut picture = Frame::of(map).picture("atlas", map, cell, |_| false);
    picture.title = format!("{} before turn {}", title(&state.tables), state.turn);
    picture
}
