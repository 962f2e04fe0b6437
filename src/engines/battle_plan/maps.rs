//! The map: who holds what, the forces that are seen, what happened where (§16). The picture shows
//! geography; the text has a schematic map.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use super::desk::{Holding, Paper};
use super::map::{Map, SpaceId};
use super::state::{Forces, NOBODY, Stance, State};
use super::tables::Tables;
use super::verbs::Arm;
use super::view::{Public, SeenClash, View, code, player};
use super::words::counted;
use crate::BattlePlan;
use engine::report::{
    Cell, Earth, Graph, Line, Link, MapKind, MapPicture, Move, Node, NodeForm, Outcome, Outlines,
    Piece, SeatColour, Section, Shades, Shape, Side, Symbol, Terrain, Tint, listed,
};
use engine::{Maps, Seat};
use tongue::say;

impl Maps for BattlePlan {
    fn atlas(state: &State) -> Option<MapPicture> {
        Some(atlas(state))
    }
}

/// The places of Europe's spaces in a drawing. Each border is a line between two boxes that no
/// third box hides. Drawings are not rules: games that began with the places of the map file use
/// these, too.
static PLACES: LazyLock<BTreeMap<String, [u8; 2]>> = LazyLock::new(|| {
    let text = include_str!("../../../config/battle-plan/drawing.toml");
    engine::data::from_toml(text).unwrap_or_default()
});

/// The colours of the powers of 1939, in the order of the seats.
const POWERS: [Tint; 13] = [
    // Argentina, Chile and Spain: sky
    Tint::new(6, 15, 15),
    // Brazil and Portugal: leaf
    Tint::new(8, 12, 7),
    // Colombia, Cuba and Mexico: sun
    Tint::new(15, 14, 0),
    // the Low Countries: orange earth
    Tint::new(11, 8, 0),
    // the Balkans: olive
    Tint::new(6, 7, 4),
    // China: grey violet
    Tint::new(10, 10, 12),
    // France and Poland: blue
    Tint::new(0, 4, 15),
    // Germany and Finland: field grey
    Tint::new(1, 5, 5),
    // Great Britain and Norway: rose
    Tint::new(15, 5, 9),
    // Italy: sea green
    Tint::new(1, 9, 8),
    // Japan and Siam: purple
    Tint::new(10, 2, 9),
    // Russia: dark red
    Tint::new(5, 2, 2),
    // the USA: midnight
    Tint::new(3, 0, 6),
];

/// The colour of a seat: that of its power in 1939, otherwise its colour in all games.
pub fn tint(tables: &Tables, seat: u8) -> Tint {
    let power = POWERS.get(usize::from(seat).wrapping_sub(1));
    let power = power.filter(|_| !tables.powers.is_empty());
    power.copied().unwrap_or_else(|| Tint::of_seat(Seat(seat)))
}

/// Outlines of the spaces of both maps; `outlines.py` in the same folder makes them.
static OUTLINES: LazyLock<[Option<Arc<Outlines>>; 2]> = LazyLock::new(|| {
    let europe = include_str!("../../../config/battle-plan/europe.outlines");
    let world = include_str!("../../../config/battle-plan/world.outlines");
    [europe, world].map(|text| Outlines::parse(text).ok().map(Arc::new))
});

/// The outlines that have every space of a map; none for a custom map.
pub fn outlines(map: &Map) -> Option<Arc<Outlines>> {
    let has_all = |o: &&Arc<Outlines>| map.all().all(|s| !o.spots(map.code(s)).is_empty());
    OUTLINES.iter().flatten().find(has_all).cloned()
}

/// The area of the drawing that the spaces of a map take; for a part of a map it is cut out.
struct Frame {
    west: usize,
    north: usize,
    wide: usize,
    high: usize,
    /// Whether places come from `PLACES` instead of the map file.
    drawn: bool,
}

/// Column and row of a space.
fn place(map: &Map, space: SpaceId, drawn: bool) -> [usize; 2] {
    let own = map.row(space).at;
    let at = PLACES.get(map.code(space)).filter(|_| drawn).copied().unwrap_or(own);
    at.map(usize::from)
}

/// Whether a map is ours: a custom map is drawn as its file says.
fn is_drawn(map: &Map) -> bool {
    map.len() == PLACES.len() && map.all().all(|s| PLACES.contains_key(map.code(s)))
}

/// Columns east and rows south from one space to another on the map.
pub fn way(map: &Map, from: SpaceId, to: SpaceId) -> [i32; 2] {
    let drawn = is_drawn(map);
    let [a, b] = [from, to].map(|space| place(map, space, drawn));
    let far = |i: usize| i32::try_from(b[i]).unwrap_or(0) - i32::try_from(a[i]).unwrap_or(0);
    [far(0), far(1)]
}

impl Frame {
    fn of(map: &Map) -> Self {
        let drawn = is_drawn(map);
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

    /// The map with its spaces, pieces and moves.
    fn picture(
        &self,
        id: &str,
        map: &Map,
        cell: impl Fn(SpaceId) -> Cell,
        on: OnMap,
    ) -> MapPicture {
        let (mut nodes, mut links) = (Vec::new(), Vec::new());
        for space in map.all() {
            let (x, y) = self.at(map, space);
            let number = usize::from(space.0);
            nodes.push(Node {
                id: map.code(space).to_owned(),
                name: map.name(space).to_owned(),
                // Rows and columns of a map file fit in bytes.
                at: (x as u16, y as u16),
                form: if map.is_sea(space) { NodeForm::Rounded } else { NodeForm::Box },
                cell: cell(space),
            });
            let later = map.neighbours(space).iter().filter(|n| n.0 > space.0);
            links.extend(later.map(|n| Link { from: number, to: usize::from(n.0) }));
        }
        let size = (self.wide as u16, self.high as u16);
        let reach = if self.drawn { REACH + 1 } else { REACH };
        let (arrows, arrow) = (Vec::new(), String::new());
        let number = |s: SpaceId| usize::from(s.0);
        let earth = outlines(map).map(|outlines| Earth {
            outlines,
            air: map.arrows().map(|(a, b)| Link { from: number(a), to: number(b) }).collect(),
            moves: on.moves,
            close: on.close.into_iter().map(number).collect(),
        });
        let graph = Graph { size, nodes, links, reach: Some(reach), arrows, arrow, earth };
        MapPicture {
            terrains: terrains(),
            pale: say!("army not seen"),
            symbols: symbols(),
            colours: on.colours,
            pieces: on.pieces,
            ..MapPicture::new(id, "", MapKind::Graph(graph))
        }
    }
}

/// The contents of a map besides its spaces.
#[derive(Default)]
struct OnMap {
    pieces: Vec<Piece>,
    moves: Vec<Move>,
    colours: Vec<SeatColour>,
    /// The spaces whose surroundings the seat wants to see in detail.
    close: Vec<SpaceId>,
}

/// Adjacent spaces that are farther apart on the drawing get no line. The limit is one higher where
/// no box hides a line.
const REACH: u16 = 3;

/// Indexes of the rows of [`symbols`].
const BATTLE: u8 = 0;
const CAPTURED: u8 = 1;
const ARMY: u8 = 2;
const NAVY: u8 = 3;
const AIR: u8 = 4;
const MISSILES: u8 = 5;
const STAR: u8 = 6;

/// The symbols that a space may show.
fn symbols() -> Vec<Symbol> {
    vec![
        Symbol::new("battle", &say!("battle"), Shape::Battle),
        Symbol::new("captured", &say!("captured"), Shape::Flag),
        Symbol::new("army", &say!("army"), Shape::Army),
        Symbol::new("navy", &say!("navy"), Shape::Ship),
        Symbol::new("air-force", &say!("air force"), Shape::Plane),
        Symbol::new("missiles", &say!("missiles"), Shape::Missile),
        Symbol::new("star-sea", &say!("star sea: air force reaches across"), Shape::Star),
    ]
}

/// Indexes of the two terrains.
const LAND: u8 = 0;
const SEA: u8 = 1;

/// The colours of land and sea. Countries whose army is not seen are paler; seas never are.
fn terrains() -> Vec<Terrain> {
    let tints = |of: [(u8, u8, u8); 4]| of.map(|(r, g, b)| Tint::new(r, g, b));
    let terrain = |id, name: String, plain, pale| {
        let (plain, pale) = (tints(plain), tints(pale));
        let shades = Shades::Given { plain, pale };
        Terrain { shades, in_legend: false, ..Terrain::new(id, &name, plain[0]) }
    };
    let land = [(13, 13, 12), (15, 15, 12), (11, 14, 12), (6, 4, 4)];
    let unseen = [(13, 13, 12), (14, 14, 12), (12, 13, 12), (8, 6, 6)];
    let sea = [(12, 14, 15), (9, 12, 15), (12, 14, 15), (12, 14, 15)];
    vec![terrain("land", say!("land"), land, unseen), terrain("sea", say!("sea"), sea, sea)]
}

fn seat_of(owner: u8) -> Option<Seat> {
    (owner != NOBODY).then_some(Seat(owner))
}

/// The map as a seat knows it.
pub fn map(view: &View) -> Section {
    let map = &view.tables.map;
    let frame = Frame::of(map);
    let on = OnMap {
        pieces: pieces(view),
        moves: moves(view),
        colours: colours(view),
        close: close(view),
    };
    let mut picture = frame.picture("map", map, |space| cell(view, space), on);
    let legend = [
        ("~".to_owned(), say!("sea, with your navy")),
        ("*".to_owned(), say!("minor")),
        ("=".to_owned(), say!(space: "yours")),
        ("+".to_owned(), say!("ally")),
        ("!".to_owned(), say!("enemy")),
        ("5:40".to_owned(), say!("player 5 with 40 army")),
        (say!("side by side"), say!("not always adjacent")),
    ];
    picture.legend = legend.to_vec();
    picture.title = title(&view.tables);
    picture.square_width = 6;
    picture.words = words(view);
    Section { heading: say!("Map"), blocks: vec![picture.into()] }
}

/// The map of a card's orders: an arrow from each space to where its forces are sent; `None` if
/// nothing leaves.
pub fn sketch(view: &View, paper: &Paper) -> Option<MapPicture> {
    let map = &view.tables.map;
    let mut sent: BTreeSet<(SpaceId, SpaceId)> = BTreeSet::new();
    for (space, jobs) in &paper.jobs {
        sent.extend(jobs.iter().filter_map(|j| Some((*space, j.order.target?))));
    }
    sent.retain(|(from, to)| from != to);
    if sent.is_empty() || view.is_out() {
        return None;
    }
    let number = |s: SpaceId| usize::from(s.0);
    let go = |(from, to): &(SpaceId, SpaceId)| Move {
        from: number(*from),
        to: number(*to),
        outcome: Outcome::Done,
        holder: seat_of(view.seat),
    };
    let on = OnMap {
        pieces: pieces(view),
        moves: sent.iter().map(go).collect(),
        colours: colours(view),
        close: sent.iter().flat_map(|(from, to)| [*from, *to]).collect(),
    };
    let picture = Frame::of(map).picture("orders", map, |space| cell(view, space), on);
    let title = say!("Where your forces go.");
    Some(MapPicture { title, ..picture })
}

/// Players by number, name and number of countries.
fn colours(view: &View) -> Vec<SeatColour> {
    let shown = view.players.iter().filter(|p| p.countries > 0);
    let colour = |p: &Public| {
        let (name, held) = (format!("{} {}", p.seat, p.name), p.countries);
        let name = match p.seat == view.seat {
            true => say!("{name}, you: {held}"),
            false => format!("{name}: {held}"),
        };
        SeatColour { seat: Seat(p.seat), name, tint: self::tint(&view.tables, p.seat) }
    };
    shown.map(colour).collect()
}

/// Forces that are seen, battles, and what was captured.
fn pieces(view: &View) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut add = |space: SpaceId, owner: u8, forces: [(u8, i64); 4]| {
        for (symbol, n) in forces {
            // No game reaches a number that does not fit.
            let size = u32::try_from(n).unwrap_or(0);
            if size > 0 {
                let (side, holder) = (side(view, owner), seat_of(owner));
                pieces.push(Piece { side, holder, size, ..Piece::new(space.0.into(), symbol) });
            }
        }
    };
    for (space, country) in &view.seen {
        let owner = view.owners[usize::from(space.0)];
        let f = country;
        add(*space, owner, [(ARMY, f.army), (NAVY, f.navy), (AIR, f.air), (MISSILES, f.missiles)]);
    }
    for (space, fleets) in &view.seas {
        for (owner, f) in fleets {
            add(*space, *owner, [(ARMY, f.army), (NAVY, f.navy), (AIR, f.air), (MISSILES, 0)]);
        }
    }
    let map = &view.tables.map;
    let stars = map.all().filter(|s| map.is_sea(*s) && map.row(*s).star);
    pieces.extend(stars.map(|s| Piece::new(s.0.into(), STAR)));
    let captured = view.clashes.iter().filter(|c| c.captured.is_some()).map(|c| c.at);
    let captured: BTreeSet<SpaceId> = captured.collect();
    let fought = view.clashes.iter().map(|c| c.at).chain(view.sea_clashes.iter().map(|c| c.at));
    let fought: BTreeSet<SpaceId> = fought.collect();
    for space in fought {
        let symbol = if captured.contains(&space) { CAPTURED } else { BATTLE };
        let code = code(view, space).to_owned();
        pieces.push(Piece { code, ..Piece::new(space.0.into(), symbol) });
    }
    pieces
}

/// Attacks of the last turn, as far as the seat knows where they came from.
fn moves(view: &View) -> Vec<Move> {
    let mut moves = Vec::new();
    for clash in &view.clashes {
        for side in clash.attackers.iter().filter(|s| s.from != clash.at) {
            // Everybody knows the owner of a country, but not of ships at sea.
            let from = match view.tables.map.is_sea(side.from) {
                true => NOBODY,
                false => view.owners[usize::from(side.from.0)],
            };
            let owner = if side.owner == NOBODY { from } else { side.owner };
            let won = clash.captured.is_some_and(|by| owner == NOBODY || by == owner);
            let outcome = if won { Outcome::Done } else { Outcome::Failed };
            let (from, to) = (side.from.0.into(), clash.at.0.into());
            moves.push(Move { from, to, outcome, holder: seat_of(owner) });
        }
    }
    moves
}

/// Places of events that the seat took part in, otherwise its own countries.
fn close(view: &View) -> Vec<SpaceId> {
    let mine = |space: &SpaceId| {
        view.owners.get(usize::from(space.0)).is_some_and(|owner| *owner == view.seat)
    };
    let part = |c: &&SeenClash| {
        mine(&c.at)
            || c.captured == Some(view.seat)
            || c.home.owner == view.seat
            || c.attackers.iter().any(|a| a.owner == view.seat || mine(&a.from))
    };
    let fought: Vec<SpaceId> = view.clashes.iter().filter(part).map(|c| c.at).collect();
    let own = view.tables.map.countries().filter(mine);
    if fought.is_empty() { own.collect() } else { fought }
}

/// The surroundings of each own space: countries of others with the army seen there, and navies in
/// the seas; then places of battles. Tables elsewhere list who holds what.
fn words(view: &View) -> Vec<Line> {
    let map = &view.tables.map;
    let whose = |owner: u8| match (side(view, owner), owner) {
        (_, NOBODY) => say!("a minor"),
        (Side::Ally, _) => say!("ally {who}", who = player(view, owner)),
        _ if view.enemy(owner) => say!("enemy {who}", who = player(view, owner)),
        _ => player(view, owner),
    };
    let country = |at: SpaceId| {
        let owner = view.owners[usize::from(at.0)];
        let army = view.seen.get(&at).map(|c| format!(", {}", counted(c.army, Arm::Army)));
        (owner != view.seat)
            .then(|| format!("{} {}{}", code(view, at), whose(owner), army.unwrap_or_default()))
    };
    let sea = |at: SpaceId| {
        let fleets = view.seas.get(&at).into_iter().flatten();
        let others = fleets.filter(|(owner, f)| **owner != view.seat && f.navy > 0);
        let fleet = |(owner, f): (&u8, &Forces)| {
            say!("{units} of {who}", units = counted(f.navy, Arm::Navy), who = whose(*owner))
        };
        let fleets = others.map(fleet).reduce(|all, one| say!("{all} and {one}"));
        fleets.map(|fleets| format!("{} {fleets}", code(view, at)))
    };
    let mut lines: Vec<Line> = Vec::new();
    for space in view.position.holdings.keys().copied() {
        let near = map.neighbours(space).iter().copied();
        let near = near.filter_map(|n| if map.is_sea(n) { sea(n) } else { country(n) });
        let here = match &view.position.holdings[&space] {
            Holding::Sea(f) => {
                let all = [(f.army, Arm::Army), (f.navy, Arm::Navy), (f.air, Arm::Air)];
                let all = all.into_iter().filter(|(n, _)| *n > 0);
                all.map(|(n, arm)| counted(n, arm)).collect::<Vec<_>>().join(", ")
            }
            _ => counted(view.seen.get(&space).map_or(0, |c| c.army), Arm::Army),
        };
        let lead = say!("Next to {place} ({here})", place = code(view, space));
        lines.extend(listed(&lead, &near.collect::<Vec<_>>()));
    }
    if lines.is_empty() {
        lines.push(say!("Nobody else is next to you.").into());
    }
    let fights = view.clashes.iter().map(|c| c.at).chain(view.sea_clashes.iter().map(|c| c.at));
    let mut fights: Vec<String> = fights.map(|at| code(view, at).to_owned()).collect();
    fights.sort_unstable();
    fights.dedup();
    lines.extend(listed(&say!("Fought over"), &fights));
    lines
}

fn title(tables: &Tables) -> String {
    match (tables.variant.map.as_str(), tables.variant.spaces.is_empty()) {
        ("europe", _) => say!("Europe"),
        (_, false) => say!("South America"),
        _ => say!("The world"),
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
        return Cell { text, terrain: Some(SEA), side, pale, ..Cell::default() };
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
        ..Cell::default()
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
        Cell { text, terrain: Some(LAND), holder: seat_of(owner), side, ..Cell::default() }
    };
    let armies = state.lands().filter(|(_, c)| c.army > 0);
    let pieces = armies.map(|(space, country)| Piece {
        side: Side::Foreign,
        holder: seat_of(country.owner),
        // No game reaches a number that does not fit.
        size: u32::try_from(country.army).unwrap_or(0),
        ..Piece::new(space.0.into(), ARMY)
    });
    let colour = |seat: u8| {
        let (name, seat) = (state.player(seat).name.clone(), Seat(seat));
        let held = state.occupied(seat.0).count();
        SeatColour {
            name: format!("{seat} {name}: {held}"),
            seat,
            tint: self::tint(&state.tables, seat.0),
        }
    };
    let on = OnMap {
        pieces: pieces.collect(),
        colours: state.players.iter().map(|p| colour(p.seat)).collect(),
        ..OnMap::default()
    };
    let mut picture = Frame::of(map).picture("atlas", map, cell, on);
    picture.title = format!("{} before turn {}", title(&state.tables), state.turn);
    picture
}
