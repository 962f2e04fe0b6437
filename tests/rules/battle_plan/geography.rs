//! The maps of the earth (§2, §14, §19): they show every border of the rules, and no others.

use std::collections::{BTreeMap, BTreeSet};

use super::board::*;
use battle_plan::BattlePlan;
use battle_plan::map::Map;
use battle_plan::maps::{outlines, tint};
use engine::report::{BEYOND, NO_AREA, NO_SEA, Outlines, Tint};
use engine::{Cards, Seat};

/// The least length of a common line, in units of the drawing, that people notice.
const SEEN: f64 = 4.0;

fn is_none(label: &str) -> bool {
    [BEYOND, NO_AREA, NO_SEA].contains(&label)
}

/// Pairs of spaces with the length of their common line.
fn contacts(outlines: &Outlines) -> BTreeMap<[String; 2], f64> {
    let mut contacts: BTreeMap<[String; 2], f64> = BTreeMap::new();
    for border in outlines.borders() {
        let mut pair = border.between.clone();
        pair.sort();
        let long = |w: &[(i32, i32)]| {
            f64::from((w[1].0 - w[0].0).pow(2) + (w[1].1 - w[0].1).pow(2)).sqrt()
        };
        *contacts.entry(pair).or_default() += border.points.windows(2).map(long).sum::<f64>();
    }
    contacts
}

/// Pairs that are next to each other by the rules, both ends within the map.
fn borders(map: &Map) -> BTreeSet<[String; 2]> {
    let mut pairs = BTreeSet::new();
    for space in map.all() {
        for other in map.neighbours(space).iter().filter(|o| **o > space) {
            let mut pair = [map.code(space).to_owned(), map.code(*other).to_owned()];
            pair.sort();
            pairs.insert(pair);
        }
    }
    pairs
}

/// Borders that are not visible, and contacts that are not borders.
fn faults(map: &Map) -> Vec<String> {
    let outlines = outlines(map).expect("outlines");
    let (contacts, borders) = (contacts(&outlines), borders(map));
    let closed: BTreeSet<[String; 2]> = outlines.closed().iter().map(|c| c.0.clone()).collect();
    let missing = borders.iter().filter(|p| contacts.get(*p).copied().unwrap_or(0.0) < SEEN);
    let here = |label: &String| map.find(label).is_some();
    let drawn = contacts.keys().filter(|p| p.iter().all(here) && p[0] != p[1]);
    let wrong = drawn.filter(|p| !borders.contains(*p) && !closed.contains(*p));
    let missing = missing.map(|p| format!("{} is not seen", p.join("-")));
    missing.chain(wrong.map(|p| format!("{} is no border", p.join("-")))).collect()
}

#[test]
fn all_82_borders_of_europe_are_seen_and_no_other() {
    let board = Board::europe();
    assert_eq!(borders(&board.state.tables.map).len(), 82);
    assert_eq!(faults(&board.state.tables.map), [""; 0]);
}

#[test]
fn all_688_borders_of_the_world_are_seen_and_no_other() {
    let board = Board::of("equal", 20, &[]);
    assert_eq!(borders(&board.state.tables.map).len(), 688);
    assert_eq!(faults(&board.state.tables.map), [""; 0]);
}

#[test]
fn all_borders_of_south_america_are_seen_and_no_other() {
    let board = Board::of("south-america", 4, &[]);
    assert!(borders(&board.state.tables.map).len() > 50);
    assert_eq!(faults(&board.state.tables.map), [""; 0]);
}

#[test]
fn every_space_has_a_spot_within_it_and_closed_rings() {
    for board in [Board::europe(), Board::of("equal", 20, &[])] {
        let map = &board.state.tables.map;
        let outlines = outlines(map).expect("outlines");
        for space in map.all() {
            let code = map.code(space);
            let rings = outlines.rings(code);
            assert!(!rings.is_empty(), "{code} has an outline");
            for ring in &rings {
                assert_eq!(ring.first(), ring.last(), "{code} is closed");
            }
            for spot in outlines.spots(code) {
                assert!(spot.radius >= 2 && inside(&rings, spot.at), "{code} {spot:?}");
            }
            assert_eq!(outlines.is_water(code), map.is_sea(space), "{code}");
        }
        assert!(
            outlines
                .borders()
                .iter()
                .all(|b| b.between.iter().all(|l| is_none(l) || map.find(l).is_some()))
        );
    }
}

/// Whether a point lies within rings, by the edges west of it.
fn inside(rings: &[Vec<(i32, i32)>], (x, y): (i32, i32)) -> bool {
    let mut within = false;
    for edge in rings.iter().flat_map(|r| r.windows(2)) {
        let ((ax, ay), (bx, by)) = (edge[0], edge[1]);
        let crosses = (ay > y) != (by > y);
        let at =
            |y: i32| f64::from(ax) + f64::from(bx - ax) * f64::from(y - ay) / f64::from(by - ay);
        if crosses && f64::from(x) < at(y) {
            within = !within;
        }
    }
    within
}

#[test]
fn each_strait_and_canal_lies_on_the_coast_of_its_country() {
    for board in [Board::europe(), Board::of("equal", 20, &[])] {
        let map = &board.state.tables.map;
        let outlines = outlines(map).expect("outlines");
        for bridge in outlines.bridges() {
            let [a, b] = bridge.links.each_ref().map(|l| map.find(l).expect("a sea"));
            assert_eq!(map.canal(a, b).map(|by| map.code(by).to_owned()), Some(bridge.by.clone()));
        }
        let canals = |s| map.all().filter(move |o| map.canal(s, *o).is_some()).count();
        let linked: usize = map.seas().map(canals).sum();
        assert_eq!(outlines.bridges().len(), linked / 2, "each is marked");
    }
}

#[test]
fn the_powers_of_1939_have_colours_of_their_own_on_every_map() {
    let board = Board::of("1939", 13, &[]);
    let tables = &board.state.tables;
    let tints: BTreeSet<[u8; 3]> = (1..=13).map(|s| tint(tables, s).channels()).collect();
    assert_eq!(tints.len(), 13, "no two have one colour");
    assert!(tints.contains(&[15, 5, 9]), "Great Britain is rose");
    let atlas = battle_plan::maps::atlas(&board.state);
    assert!(atlas.colours.iter().all(|c| c.tint == tint(tables, c.seat.0)));
    // Other variants have the usual colours of seats.
    let other = Board::of("equal", 13, &[]);
    assert_eq!(tint(&other.state.tables, 9), Tint::of_seat(Seat(9)));
}

#[test]
fn star_seas_have_a_star() {
    let stars = |board: &Board| -> Vec<String> {
        let section = battle_plan::maps::map(&board.view(1));
        let map = section.blocks.iter().find_map(|b| match b {
            engine::report::Block::Map(map) => Some(map),
            _ => None,
        });
        let map = map.expect("a map");
        let star = |p: &&engine::report::Piece| map.symbols[usize::from(p.symbol)].id == "star-sea";
        map.pieces.iter().filter(star).map(|p| map.place_name(p.at)).collect()
    };
    let world = stars(&Board::of("equal", 20, &[]));
    assert_eq!(world.len(), 11, "{world:?}");
    assert!(world.iter().any(|name| name.contains("Caribbean")), "{world:?}");
    assert!(stars(&Board::europe()).is_empty());
}

#[test]
fn the_sketch_of_a_card_has_an_arrow_for_each_space_that_sends_forces() {
    let board = Board::starting("TU BU SP NE");
    let card = engine::CardText::new("@TU AC20GR\n@TU AF5UK");
    let sketch = BattlePlan::sketch(&board.view(1), &card).expect("forces leave");
    let engine::report::MapKind::Graph(graph) = &sketch.kind else { panic!("a graph") };
    let moves = &graph.earth.as_ref().expect("it lies on the earth").moves;
    let name = |n: usize| graph.nodes[n].id.as_str();
    let sent: Vec<(&str, &str)> = moves.iter().map(|m| (name(m.from), name(m.to))).collect();
    assert!(sent.contains(&("TU", "GR")), "{sent:?}");
    let idle = engine::CardText::default();
    assert!(BattlePlan::sketch(&board.view(1), &idle).is_none(), "nobody leaves");
}
