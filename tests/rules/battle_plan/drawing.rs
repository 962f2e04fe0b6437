//! The drawing of Europe: each border is a line that people can follow.

use super::board::*;
use battle_plan::BattlePlan;
use engine::Maps;
use engine::report::{Graph, MapKind};

/// Half the size of a box, and the distance from one box to the next, as they are drawn.
const HALF: (i64, i64) = (26, 15);
const PITCH: (i64, i64) = (62, 42);

fn graph(board: &Board) -> Graph {
    match BattlePlan::atlas(&board.state).expect("a map").kind {
        MapKind::Graph(graph) => graph,
        _ => panic!("the map is a graph"),
    }
}

/// Whether the line between two boxes runs through a third: not if all its corners are on one side
/// of the line, or the line is beside it.
fn hides(a: (i64, i64), b: (i64, i64), third: (i64, i64)) -> bool {
    let apart = |p: fn((i64, i64)) -> i64, half: i64| {
        p(a).min(p(b)) >= p(third) + half || p(a).max(p(b)) <= p(third) - half
    };
    if apart(|p| p.0, HALF.0) || apart(|p| p.1, HALF.1) {
        return false;
    }
    let corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    let side = |(x, y): (i64, i64)| {
        let (x, y) = (third.0 + x * HALF.0, third.1 + y * HALF.1);
        ((b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0)).signum()
    };
    let sides: Vec<i64> = corners.map(side).to_vec();
    !sides.iter().all(|s| *s >= 0) && !sides.iter().all(|s| *s <= 0)
}

#[test]
fn each_border_of_europe_is_a_line_that_no_third_space_hides() {
    let graph = graph(&Board::europe());
    assert_eq!((graph.nodes.len(), graph.links.len()), (34, 82));
    let at = |n: usize| {
        let (x, y) = graph.nodes[n].at;
        (i64::from(x) * PITCH.0, i64::from(y) * PITCH.1)
    };
    let mut hidden = Vec::new();
    for link in &graph.links {
        let ends = [&graph.nodes[link.from], &graph.nodes[link.to]];
        let [a, b] = ends.map(|n| n.at);
        let names = ends.map(|n| n.id.as_str()).join("-");
        let reach = graph.reach.expect("a reach");
        if a.0.abs_diff(b.0) > reach || a.1.abs_diff(b.1) > reach {
            hidden.push(format!("{names} is too long"));
        }
        let third = (0..graph.nodes.len()).filter(|n| *n != link.from && *n != link.to);
        for n in third.filter(|n| hides(at(link.from), at(link.to), at(*n))) {
            hidden.push(format!("{names} behind {}", graph.nodes[n].id));
        }
    }
    assert!(hidden.is_empty(), "{hidden:?}");
    // No two boxes overlap.
    let mut places: Vec<(u16, u16)> = graph.nodes.iter().map(|n| n.at).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 34);
}

#[test]
fn other_maps_stand_where_their_files_say() {
    let world = graph(&Board::of("equal", 20, &[]));
    assert_eq!((world.nodes.len(), world.reach), (264, Some(3)));
    let south = graph(&Board::of("south-america", 4, &[]));
    let (wide, high) = south.size;
    assert!(south.nodes.iter().all(|n| n.at.0 < wide && n.at.1 < high));
}
