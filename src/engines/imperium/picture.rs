//! The star chart: systems, routes, control, fleets, moves (§15).

use std::collections::BTreeMap;

use engine::report::{
    Cell, Graph, Line, Link, MapKind, Node, NodeForm, Piece, SeatColour, Shades, Shape,
    Side as Stand, Symbol, Terrain, Tint,
};
use engine::{MapPicture, Maps, Seat};
use tongue::say;

use super::board::{Board, Control, Marker, Spot};
use super::event::{Event, What};
use super::galaxy::{Planet, System};
use super::kinds::{Kind, Side};
use super::state::{Spotted, State};
use super::view::View;
use super::words;
use crate::Imperium;

impl Maps for Imperium {
    fn atlas(state: &State) -> Option<MapPicture> {
        Some(atlas(state))
    }

    fn seen(state: &State, seat: Seat) -> Option<MapPicture> {
        Some(seen(state, seat))
    }
}

/// Indexes of the symbols.
const FLEET: u8 = 0;
const MONITOR: u8 = 1;
const BATTLE: u8 = 2;

/// Indexes of the terrains.
const SPACE: u8 = 0;
const CONTESTED: u8 = 1;

/// The map as a seat knows it.
pub fn map(view: &View) -> MapPicture {
    let fleet = |side: Side, n: u8| {
        if side == view.side {
            return view.board.ships(side, n).count();
        }
        let ship = |u: &&super::state::Seen| view.board.tables.class(u.kind).sails();
        let seen = view.known.get(&Spotted::Fleet(n));
        seen.map_or(0, |s| s.units.iter().filter(ship).count())
    };
    let mut picture = draw(&view.board, Some(view.side), &view.events, fleet);
    for (planet, sighting) in monitors(view) {
        let n = sighting.units.iter().filter(|u| u.kind == Kind::M).count();
        picture.pieces.push(monitor(planet.system, view.side.other(), Some(view.side), n));
    }
    for system in view.board.galaxy.all() {
        let n = view.board.monitors(view.side, system).count();
        if n > 0 {
            picture.pieces.push(monitor(system, view.side, Some(view.side), n));
        }
    }
    picture.words = in_words(view);
    picture
}

/// The chart with the moves of a card as arrows; `None` if nothing moves.
pub fn sketch(view: &View, moves: &[(System, System)]) -> Option<MapPicture> {
    let mut map = MapPicture { id: "orders".to_owned(), words: Vec::new(), ..self::map(view) };
    map.title = say!("What your card orders");
    let MapKind::Graph(graph) = &mut map.kind else { return None };
    graph.arrows = moves.iter().map(|(from, to)| (index(*from), index(*to))).collect();
    graph.arrow = say!("ordered");
    // Battles belong to the last step.
    map.pieces.retain(|p| p.symbol != BATTLE);
    (!moves.is_empty()).then_some(map)
}

fn monitors(view: &View) -> impl Iterator<Item = (Planet, &super::state::Sighting)> {
    view.known.iter().filter_map(|(what, s)| match what {
        Spotted::Planet(p) if s.units.iter().any(|u| u.kind == Kind::M) => Some((*p, s)),
        _ => None,
    })
}

fn monitor(at: System, owner: Side, reader: Option<Side>, n: usize) -> Piece {
    Piece {
        side: stand(Some(owner), reader),
        holder: Some(owner.seat()),
        code: "M".to_owned(),
        size: u32::try_from(n).unwrap_or(0),
        ..Piece::new(index(at), MONITOR)
    }
}

/// The chart with all units, for the game master.
pub fn atlas(state: &State) -> MapPicture {
    let board = &state.board;
    let mut picture = draw(board, None, &[], |side, n| board.ships(side, n).count());
    for side in Side::BOTH {
        for system in board.galaxy.all() {
            let n = board.monitors(side, system).count();
            if n > 0 {
                picture.pieces.push(monitor(system, side, None, n));
            }
        }
    }
    picture.title = "Imperium: the whole table".to_owned();
    picture
}

/// The chart as a seat knows it, for the course of the game.
pub fn seen(state: &State, seat: Seat) -> MapPicture {
    let view = View::of(state, &[], seat);
    MapPicture { words: Vec::new(), ..map(&view) }
}

fn index(at: System) -> usize {
    usize::from(at.0.saturating_sub(1))
}

fn stand(owner: Option<Side>, reader: Option<Side>) -> Stand {
    match (owner, reader) {
        (None, _) | (_, None) => Stand::Nobody,
        (Some(a), Some(b)) if a == b => Stand::Own,
        _ => Stand::Foreign,
    }
}

/// The sign of a planet: W World, O Outpost, ! disputed, + held without a marker, · nothing. The
/// words list the types.
fn sign(board: &Board, planet: Planet) -> &'static str {
    match (board.control(planet), board.marker(planet)) {
        (Control::Disputed, _) => "!",
        (_, Some((_, Marker::World))) => "W",
        (_, Some((_, Marker::Outpost))) => "O",
        (Control::Held(_), None) => "+",
        (Control::Nobody, None) => "·",
    }
}

/// The systems and the routes between them.
fn stars(board: &Board, reader: Option<Side>) -> (Vec<Node>, Vec<Link>) {
    let galaxy = &board.galaxy;
    let mut nodes = Vec::new();
    let mut links = Vec::new();
    for (system, row) in galaxy.all().zip(&galaxy.systems) {
        let planets: Vec<Planet> = galaxy.planets(system).collect();
        let owners: Vec<Side> = planets.iter().filter_map(|p| Some(board.marker(*p)?.0)).collect();
        let world = planets.iter().any(|p| board.marker(*p).is_some_and(|m| m.1 == Marker::World));
        let disputed = planets.iter().any(|p| board.control(*p) == Control::Disputed);
        let one = owners.first().copied().filter(|o| owners.iter().all(|x| x == o));
        let split = one.is_none() && !owners.is_empty();
        let signs: Vec<String> =
            planets.iter().map(|p| format!("{}{}", ground(board, *p), sign(board, *p))).collect();
        nodes.push(Node {
            id: system.to_string(),
            name: galaxy.called(system),
            at: (row.at[0], row.at[1]),
            form: if world { NodeForm::Box } else { NodeForm::Rounded },
            cell: Cell {
                text: vec![galaxy.called(system), signs.join(" ")],
                terrain: Some(if disputed || split { CONTESTED } else { SPACE }),
                holder: one.map(Side::seat),
                side: stand(one, reader),
                pale: owners.is_empty(),
                ..Cell::default()
            },
        });
        let later = galaxy.near(system).filter(|n| *n > system);
        links.extend(later.map(|n| Link { from: index(system), to: index(n) }));
    }
    (nodes, links)
}

fn fleets(board: &Board, reader: Option<Side>, ships: impl Fn(Side, u8) -> usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for ((side, n), spot) in &board.fleets {
        let at = match spot {
            Spot::System(at) => *at,
            Spot::Lane { origin, .. } => *origin,
        };
        pieces.push(Piece {
            side: stand(Some(*side), reader),
            holder: Some(side.seat()),
            code: match spot {
                Spot::System(_) => n.to_string(),
                Spot::Lane { .. } => format!("{n}~"),
            },
            size: u32::try_from(ships(*side, *n)).unwrap_or(0),
            ..Piece::new(index(at), FLEET)
        });
    }
    pieces
}

fn draw(
    board: &Board,
    reader: Option<Side>,
    events: &[Event],
    ships: impl Fn(Side, u8) -> usize,
) -> MapPicture {
    let (nodes, links) = stars(board, reader);
    let mut pieces = fleets(board, reader, ships);
    let mut arrows = Vec::new();
    for event in events {
        match &event.what {
            What::Moved { path, .. } => {
                arrows.extend(path.windows(2).map(|w| (index(w[0]), index(w[1]))));
            }
            What::Battle(story) => {
                if let Spot::System(at) = story.spot {
                    pieces.push(Piece::new(index(at), BATTLE));
                }
            }
            What::Ground(story) => pieces.push(Piece::new(index(story.planet.system), BATTLE)),
            _ => {}
        }
    }
    arrows.dedup();
    let size = nodes.iter().fold((0, 0), |(w, h), n| (n.at.0.max(w), n.at.1.max(h)));
    let graph = Graph {
        size: (size.0 + 1, size.1 + 1),
        nodes,
        links,
        reach: None,
        arrows,
        arrow: say!(arrow: "move"),
        earth: None,
    };
    MapPicture {
        terrains: terrains(),
        symbols: vec![
            Symbol::new("fleet", &say!("fleet"), Shape::Ship)
                .with_figures(&say!("number : ships; one number alone: unknown; ~: in open space")),
            Symbol::new("monitor", &say!("monitors"), Shape::Square),
            Symbol::new("battle", &say!("battle"), Shape::Battle),
        ],
        pale: say!("no World or Outpost"),
        colours: vec![colour(Side::Terran), colour(Side::Imperial)],
        pieces,
        legend: [
            ("W", say!("World")),
            ("O", say!("Outpost")),
            ("!", say!("disputed")),
            ("+", say!("units")),
            ("·", say!(planet: "free")),
        ]
        .map(|(s, m)| (s.to_owned(), m))
        .to_vec(),
        ..MapPicture::new("chart", &say!("Star chart"), MapKind::Graph(graph))
    }
}

fn ground(board: &Board, planet: Planet) -> &'static str {
    board.land(planet).map_or("", |l| l.ground.code())
}

/// The colour of a side.
pub fn tint(side: Side) -> Tint {
    match side {
        Side::Terran => Tint::new(2, 6, 13),
        Side::Imperial => Tint::new(13, 4, 2),
    }
}

fn colour(side: Side) -> SeatColour {
    SeatColour { seat: side.seat(), name: side.localized(), tint: tint(side) }
}

/// Terrains of systems by holder: own, enemy, nobody.
fn terrains() -> Vec<Terrain> {
    let tints = |of: [(u8, u8, u8); 4]| of.map(|(r, g, b)| Tint::new(r, g, b));
    let terrain = |id, name: String, plain, pale| {
        let (plain, pale) = (tints(plain), tints(pale));
        let shades = Shades::Given { plain, pale };
        Terrain { shades, in_legend: false, ..Terrain::new(id, &name, plain[0]) }
    };
    let held = [(14, 14, 14), (11, 13, 15), (11, 14, 12), (15, 12, 11)];
    let free = [(15, 15, 15), (15, 15, 15), (15, 15, 15), (15, 15, 15)];
    let fought = [(15, 14, 8); 4];
    let contested = terrain("contested", say!("contested"), fought, fought);
    vec![terrain("space", say!("system"), held, free), Terrain { in_legend: true, ..contested }]
}

/// The chart in words: each system with its routes, planets and fleets.
fn in_words(view: &View) -> Vec<Line> {
    let board = &view.board;
    let mut fleets: BTreeMap<System, Vec<String>> = BTreeMap::new();
    for ((side, n), spot) in &board.fleets {
        let Spot::System(at) = spot else { continue };
        let text = match *side == view.side {
            true => say!("your fleet {fleet}", fleet = n),
            false => words::fleet_of(view, *side, *n),
        };
        fleets.entry(*at).or_default().push(text);
    }
    board
        .galaxy
        .all()
        .map(|system| {
            let near: Vec<String> = board.galaxy.near(system).map(|s| s.to_string()).collect();
            let planets: Vec<String> =
                board.galaxy.planets(system).map(|p| planet(view, p)).collect();
            let here = fleets.remove(&system).unwrap_or_default();
            let here = match here.is_empty() {
                true => String::new(),
                false => format!("; {}", here.join(", ")),
            };
            let (called, near) = (board.galaxy.called(system), near.join(" "));
            say!("{called}, to {near}: {planets}{here}", planets = planets.join(", ")).into()
        })
        .collect()
}

/// A planet in words.
fn planet(view: &View, p: Planet) -> String {
    let board = &view.board;
    let holder = match (board.control(p), board.marker(p)) {
        (Control::Disputed, _) => say!("disputed"),
        (_, Some((side, marker))) => marker.of(side),
        (Control::Held(side), None) => say!("{whose} units", whose = side.whose()),
        (Control::Nobody, None) => return format!(".{} {}", p.n, ground(board, p)),
    };
    format!(".{} {} {holder}", p.n, ground(board, p))
}
