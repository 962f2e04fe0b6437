//! A graph: nodes that stand roughly where they lie, with their links.

use std::fmt::Write;

use maud::{Markup, html};

use super::legend::legend;
use super::signs::{Sign, chips};
use super::tiles::Part;
use super::tints::{self, BORDER_OWN, INK, MOVED, hex, ink_on};
use engine::report::{Graph, Link, MapPicture, Node, NodeForm, Shape, Side};

/// From a node to the next, and the size of its box, in units.
const PITCH: (u32, u32) = (62, 42);
const BOX: (u32, u32) = (52, 30);
/// Radius of a disc.
const DISC: u32 = 18;
/// Pieces of a node that are drawn; the others are counted.
const PIECES: usize = 3;
/// The least width, so that the signs of the text map fit.
const LEAST: u32 = 560;

/// Nodes of a part of the drawing, and the legend below.
pub(super) fn draw(map: &MapPicture, graph: &Graph, part: Part) -> ((u32, u32), Markup) {
    let place = Placing { graph, part };
    let (wide, high) = (part.wide() as u32 * PITCH.0 + 10, part.high() as u32 * PITCH.1 + 10);
    let wide = wide.max(LEAST);
    let on = |n: usize| graph.nodes.get(n).is_some_and(|node| place.has(node));
    let shown = || graph.nodes.iter().enumerate().filter(|(n, _)| on(*n));
    let signs = signs_in_words(map, graph);
    let signs_high = if signs.is_empty() { 0 } else { 22 };
    let legend = legend(map, &on, wide);
    let last = |link: usize| map.last_move.links.contains(&link);
    let (usual, moved): (Vec<_>, Vec<_>) =
        graph.links.iter().enumerate().partition(|(n, _)| !last(*n));
    let near = usual.into_iter().filter(|(_, link)| place.is_near(link));
    let body = html! {
        path d=(place.lines(near.map(|l| l.1))) stroke="#888" stroke-width="1" fill="none" {}
        @if !moved.is_empty() {
            path d=(place.lines(moved.iter().map(|l| l.1))) stroke=(MOVED) stroke-width="4"
                fill="none" {}
        }
        @for (n, node) in shown() {
            (place.at(node, &space(map, node, map.last_move.places.contains(&n))))
        }
        @for (n, node) in shown() { (place.at(node, &pieces(map, n))) }
        @if signs_high > 0 {
            g transform=(format!("translate(6 {high})")) {
                text x="0" y="10" font-size="9" fill=(INK) { (signs) }
            }
        }
        @if legend.0 > 0 {
            g transform=(format!("translate(2 {})", high + signs_high)) { (legend.1) }
        }
    };
    ((wide, high + signs_high + legend.0), body)
}

/// Where nodes lie on a sheet.
struct Placing<'a> {
    graph: &'a Graph,
    part: Part,
}

impl Placing<'_> {
    fn has(&self, node: &Node) -> bool {
        self.part.has((node.at.0.into(), node.at.1.into()))
    }

    fn corner(&self, node: &Node) -> (i32, i32) {
        let (left, top) = (self.part.cols.0 as i32, self.part.rows.0 as i32);
        let (x, y) = (i32::from(node.at.0) - left, i32::from(node.at.1) - top);
        (x * PITCH.0 as i32 + 10, y * PITCH.1 as i32 + 10)
    }

    fn at(&self, node: &Node, drawing: &Markup) -> Markup {
        let (x, y) = self.corner(node);
        html! { g transform=(format!("translate({x} {y})")) { (drawing) } }
    }

    fn ends(&self, link: &Link) -> Option<(&Node, &Node)> {
        Some((self.graph.nodes.get(link.from)?, self.graph.nodes.get(link.to)?))
    }

    fn is_near(&self, link: &Link) -> bool {
        let (Some((a, b)), Some(reach)) = (self.ends(link), self.graph.reach) else { return true };
        a.at.0.abs_diff(b.at.0) <= reach && a.at.1.abs_diff(b.at.1) <= reach
    }

    /// Lines from the middle of a node to that of the next.
    fn lines<'a>(&self, links: impl Iterator<Item = &'a Link>) -> String {
        let middle = |node: &Node| {
            let (x, y) = self.corner(node);
            (x + BOX.0 as i32 / 2, y + BOX.1 as i32 / 2)
        };
        let mut lines = String::new();
        for (a, b) in links.filter_map(|link| self.ends(link)) {
            let ((ax, ay), (bx, by)) = (middle(a), middle(b));
            let _ = write!(lines, "M{ax} {ay}L{bx} {by}");
        }
        lines
    }
}

/// A node: the reader's has a thick rim, and a stripe has its holder's colour.
fn space(map: &MapPicture, node: &Node, moved: bool) -> Markup {
    let cell = &node.cell;
    let tint = tints::shade(map.terrain(cell), cell.side, cell.pale);
    let ink = ink_on(tint);
    let own = cell.side == Side::Own;
    let (stroke, width) = match (moved, own) {
        (true, _) => (MOVED, "3"),
        (false, true) => (BORDER_OWN, "2"),
        (false, false) => ("#555", "1"),
    };
    let stripe = cell.holder.map(|seat| hex(tints::seat(map, seat)));
    let text = |i: usize| cell.text.get(i).map_or("", String::as_str);
    let middle = (BOX.0 / 2, BOX.1 / 2);
    // A disc shows its holder by its rim.
    let aside = if node.form == NodeForm::Circle { 0 } else { 2 };
    // A stripe stays clear of round corners.
    let (round, edge) = if node.form == NodeForm::Rounded { ("12", 8) } else { ("3", 0) };
    html! {
        @if node.form == NodeForm::Circle {
            @if let Some(colour) = stripe {
                circle cx=(middle.0) cy=(middle.1) r=(DISC + 3) fill=(colour) {}
            }
            circle cx=(middle.0) cy=(middle.1) r=(DISC) fill=(hex(tint)) stroke=(stroke)
                stroke-width=(width) {}
        } @else {
            rect width=(BOX.0) height=(BOX.1) rx=(round) fill=(hex(tint)) stroke=(stroke)
                stroke-width=(width) {}
            @if let Some(colour) = stripe {
                rect x="0" y=(edge) width="6" height=(BOX.1 - 2 * edge) fill=(colour) {}
            }
        }
        text x=(middle.0 + aside) y="13" font-size="10" font-weight="bold" text-anchor="middle"
            fill=(ink) { (text(0)) }
        text x=(middle.0 + aside) y="25" font-size="9" text-anchor="middle" fill=(ink) { (text(1)) }
    }
}

/// What stands at a node: battles in its corner, everything else on its lower edge.
fn pieces(map: &MapPicture, node: usize) -> Markup {
    let here = map.pieces.iter().filter(|p| p.at == node);
    let signs = here.filter_map(|p| Sign::of(map, p));
    let (battles, others): (Vec<Sign>, Vec<Sign>) =
        signs.partition(|sign| sign.shape == Shape::Battle);
    html! {
        (chips(&others, (BOX.0 as i32 / 2, BOX.1 as i32 + 2), PIECES))
        @if let Some(battle) = battles.first() {
            (chips(std::slice::from_ref(battle), (BOX.0 as i32 - 7, 8), 1))
        }
    }
}

/// The signs of the text map, which stand in the nodes too, and how a holder is shown.
fn signs_in_words(map: &MapPicture, graph: &Graph) -> String {
    let signs = map.legend.iter().map(|(sign, means)| format!("{sign} {means}"));
    let held = map.cells().any(|c| c.holder.is_some());
    let is_disc = |n: &Node| n.form == NodeForm::Circle;
    let mark = match (graph.nodes.iter().all(is_disc), graph.nodes.iter().any(is_disc)) {
        (true, _) => "rim",
        (false, true) => "stripe or rim",
        (false, false) => "stripe",
    };
    let stripe = held.then(|| format!("{mark}: the player's colour"));
    signs.chain(stripe).collect::<Vec<_>>().join(" · ")
}
