//! A graph: nodes that stand roughly where they lie, with their links.

use std::fmt::Write;

use maud::{Markup, html};

use super::arrow::{arrow, distance};
use super::legend::legend;
use super::letters;
use super::sign::Sign;
use super::signs::{CHIP_STEP, CHIPS_IN_ROW, chips};
use super::tiles::Part;
use super::tints::{self, BORDER_OWN, INK, MOVED, hex, ink_on};
use engine::report::{Graph, Link, MapPicture, Node, NodeForm, Piece, Point, Shape, Side};

/// Height of a box, in units.
const HIGH: u32 = 30;
/// Width of the boxes of a graph, at least and at most: the longest first line tells.
const WIDE: (u32, u32) = (52, 72);
/// Radius of a disc.
const DISC: u32 = 18;
/// Units between two boxes, beside and below each other.
const GAP: (u32, u32) = (10, 12);
/// The same where there may be arrows between them.
const ARROW_GAP: (u32, u32) = (26, 30);
/// Least length of an arrow.
const SHORT: i32 = 16;
/// Pieces of a node that are drawn; the others are counted.
const PIECES: usize = 3;
/// The same where there is room for another row.
const ARROW_PIECES: usize = 2 * CHIPS_IN_ROW;
/// Units beside the text of a box: its stripe and a rim.
const RIM: u32 = 8;
/// The least width, so that the signs of the text map fit.
const LEAST: u32 = 560;

/// Nodes of a part of the drawing, and the legend below.
pub(super) fn draw(map: &MapPicture, graph: &Graph, part: Part) -> ((u32, u32), Markup) {
    let place = Placing::of(graph, part);
    let (across, down) = place.pitch();
    let (wide, high) = (part.wide() as u32 * across + 10, part.high() as u32 * down + 10);
    let wide = wide.max(LEAST);
    let on = |n: usize| graph.nodes.get(n).is_some_and(|node| place.has(node));
    let shown = || graph.nodes.iter().enumerate().filter(|(n, _)| on(*n));
    let signs = signs_in_words(map, graph);
    let signs_high = if signs.is_empty() { 0 } else { 22 };
    let legend = legend(map, &on, (wide, 10));
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
            (place.at(node, &space(map, node, place.wide, map.last_move.places.contains(&n))))
        }
        @for (from, to) in &graph.arrows {
            @if on(*from) || on(*to) { (place.arrow(map, *from, *to)) }
        }
        @for (n, node) in shown() { (place.at(node, &place.pieces(map, n))) }
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
    /// Width of a box.
    wide: u32,
}

impl<'a> Placing<'a> {
    fn of(graph: &'a Graph, part: Part) -> Self {
        let first = |node: &Node| node.cell.text.first().map_or(0, |line| letters::bold(line, 10));
        let longest = graph.nodes.iter().map(first).max().unwrap_or(0);
        Self { graph, part, wide: (longest + RIM).clamp(WIDE.0, WIDE.1) }
    }

    /// Whether there may be arrows between the nodes.
    fn is_roomy(&self) -> bool {
        !self.graph.arrow.is_empty()
    }

    /// From a node to the next.
    fn pitch(&self) -> (u32, u32) {
        let gap = if self.is_roomy() { ARROW_GAP } else { GAP };
        (self.wide + gap.0, HIGH + gap.1)
    }

    fn has(&self, node: &Node) -> bool {
        self.part.has((node.at.0.into(), node.at.1.into()))
    }

    fn corner(&self, node: &Node) -> Point {
        let (left, top) = (self.part.cols.0 as i32, self.part.rows.0 as i32);
        let (x, y) = (i32::from(node.at.0) - left, i32::from(node.at.1) - top);
        let (across, down) = self.pitch();
        (x * across as i32 + 10, y * down as i32 + 10)
    }

    fn middle(&self, node: &Node) -> Point {
        let (x, y) = self.corner(node);
        (x + self.wide as i32 / 2, y + HIGH as i32 / 2)
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
    fn lines<'b>(&self, links: impl Iterator<Item = &'b Link>) -> String {
        let mut lines = String::new();
        for (a, b) in links.filter_map(|link| self.ends(link)) {
            let ((ax, ay), (bx, by)) = (self.middle(a), self.middle(b));
            let _ = write!(lines, "M{ax} {ay}L{bx} {by}");
        }
        lines
    }

    /// An arrow from the border of a node to that of another; what stands at a node on its
    /// lower edge is a part of it.
    fn arrow(&self, map: &MapPicture, from: usize, to: usize) -> Markup {
        let Some((a, b)) = self.ends(&Link { from, to }) else { return html! {} };
        let (start, end) = (self.middle(a), self.middle(b));
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let after = self.leaves(a, self.overhang(map, from), (dx, dy));
        let before = self.leaves(b, self.overhang(map, to), (-dx, -dy));
        let far = distance(start, end);
        if far < SHORT {
            return html! {};
        }
        // Where two nodes leave too little room, it reaches into both.
        let into = (SHORT - (far - after - before)).max(0);
        let after = (after - into / 2).max(0);
        arrow(start, end, (after, before.min(far - SHORT - after).max(0)))
    }

    /// How far from its middle a line in a direction leaves a node.
    fn leaves(&self, node: &Node, overhang: i32, (dx, dy): Point) -> i32 {
        let is_disc = node.form == NodeForm::Circle;
        let half = if is_disc { (DISC, DISC) } else { (self.wide / 2, HIGH / 2) };
        let down = if dy > 0 { overhang } else { 0 };
        let far = distance((0, 0), (dx, dy));
        let side = |half: i32, d: i32| if d == 0 { i32::MAX } else { far * half / d.abs() };
        side(half.0 as i32, dx).min(side(half.1 as i32 + down, dy))
    }

    /// What stands at a node: battles in its corner, everything else on its lower edge.
    fn pieces(&self, map: &MapPicture, node: usize) -> Markup {
        let (battles, others): (Vec<Sign>, Vec<Sign>) = here(map, node)
            .filter_map(|p| Sign::of(map, p))
            .partition(|sign| sign.shape == Shape::Battle);
        let (wide, high) = (self.wide as i32, HIGH as i32);
        let (most, middle) = match self.is_roomy() {
            true => (ARROW_PIECES, high - 2 + rows(others.len()) * CHIP_STEP / 2),
            false => (PIECES, high + 2),
        };
        // Long names reach into the corner.
        let corner = if self.is_roomy() { (wide, 0) } else { (wide - 7, 8) };
        html! {
            (chips(&others, (wide / 2, middle), most))
            @if let Some(battle) = battles.first() {
                (chips(std::slice::from_ref(battle), corner, 1))
            }
        }
    }

    /// How far pieces reach below a node.
    fn overhang(&self, map: &MapPicture, node: usize) -> i32 {
        let signs = here(map, node).filter_map(|p| map.symbol(p));
        match rows(signs.filter(|s| s.shape != Shape::Battle).count()) {
            0 => 0,
            rows if self.is_roomy() => rows * CHIP_STEP - 2,
            _ => CHIP_STEP / 2 + 2,
        }
    }
}

fn here(map: &MapPicture, node: usize) -> impl Iterator<Item = &Piece> {
    map.pieces.iter().filter(move |p| p.at == node)
}

/// Rows of so many pieces where there is room for two.
fn rows(pieces: usize) -> i32 {
    pieces.min(ARROW_PIECES).div_ceil(CHIPS_IN_ROW) as i32
}

/// The first line of a node within a width: as one or as two lines, and their size. Two are
/// easier to read than a very small one.
fn title(text: &str, room: u32) -> (Vec<&str>, u32) {
    let fits = |line: &str, size| letters::bold(line, size) <= room;
    // The last blank leaves most of the name together.
    let cut = |size: u32| {
        let blanks = text.rmatch_indices(' ').map(|(at, _)| (&text[..at], &text[at + 1..]));
        let mut cuts = blanks.filter(|(a, b)| fits(a, size) && fits(b, size));
        cuts.next().map(|(a, b)| (vec![a, b], size))
    };
    let whole = |sizes: &[u32]| sizes.iter().copied().find(|size| fits(text, *size));
    match whole(&[10, 9, 8]) {
        Some(size) => (vec![text], size),
        None => [8, 7, 6]
            .into_iter()
            .find_map(cut)
            .unwrap_or_else(|| (vec![text], whole(&[7, 6]).unwrap_or(5))),
    }
}

/// A node: the reader's has a thick rim, and a stripe has its holder's colour.
fn space(map: &MapPicture, node: &Node, wide: u32, moved: bool) -> Markup {
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
    let middle = (wide / 2, HIGH / 2);
    // A disc shows its holder by its rim.
    let aside = if node.form == NodeForm::Circle { 0 } else { 2 };
    let room = if node.form == NodeForm::Circle { 2 * DISC - 2 } else { wide - RIM };
    let (lines, size) = title(text(0), room);
    let (feet, below, small) = if lines.len() > 1 { ([9, 17], 26, 8) } else { ([13, 0], 25, 9) };
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
            rect width=(wide) height=(HIGH) rx=(round) fill=(hex(tint)) stroke=(stroke)
                stroke-width=(width) {}
            @if let Some(colour) = stripe {
                rect x="0" y=(edge) width="6" height=(HIGH - 2 * edge) fill=(colour) {}
            }
        }
        @for (line, foot) in lines.iter().zip(feet) {
            text x=(middle.0 + aside) y=(foot) font-size=(size) font-weight="bold"
                text-anchor="middle" fill=(ink) { (line) }
        }
        text x=(middle.0 + aside) y=(below) font-size=(small) text-anchor="middle" fill=(ink) {
            (text(1))
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

#[cfg(test)]
mod tests {
    use super::*;
    use engine::report::{Cell, MapKind, Symbol};

    /// Two nodes below each other and one beside the first.
    fn three(names: [&str; 3], arrow: &str) -> MapPicture {
        let node = |(name, at): (&str, (u16, u16))| Node {
            id: name.to_lowercase(),
            name: name.to_owned(),
            at,
            form: NodeForm::Box,
            cell: Cell { text: vec![name.to_owned()], ..Cell::default() },
        };
        let graph = Graph {
            size: (2, 2),
            nodes: names.into_iter().zip([(0, 0), (0, 1), (1, 0)]).map(node).collect(),
            links: vec![Link { from: 0, to: 1 }],
            reach: None,
            arrows: Vec::new(),
            arrow: arrow.to_owned(),
            earth: None,
        };
        MapPicture {
            symbols: vec![Symbol::new("fleet", "fleet", Shape::Ship)],
            ..MapPicture::new("map", "", MapKind::Graph(graph))
        }
    }

    fn drawn(map: &MapPicture, arrows: &[(usize, usize)]) -> String {
        let MapKind::Graph(graph) = &map.kind else { return String::new() };
        let graph = Graph { arrows: arrows.to_vec(), ..graph.clone() };
        let map = MapPicture { kind: MapKind::Graph(graph.clone()), ..map.clone() };
        draw(&map, &graph, Part { cols: (0, 2), rows: (0, 2) }).1.into_string()
    }

    #[test]
    fn boxes_are_as_wide_as_their_names_but_not_too_wide() {
        let wide = |names, arrow| {
            let map = three(names, arrow);
            let MapKind::Graph(graph) = &map.kind else { panic!("a graph") };
            let place = Placing::of(graph, Part { cols: (0, 2), rows: (0, 2) });
            (place.wide, place.pitch())
        };
        assert_eq!(wide(["ADA", "BEX", "CYR"], ""), (52, (62, 42)));
        assert_eq!(wide(["ADA", "BEX", "CYR"], "move"), (52, (78, 60)));
        let (between, _) = wide(["09 Nusku", "BEX", "CYR"], "");
        assert!((53..72).contains(&between), "{between}");
        assert_eq!(wide(["26 Groombridge 1618", "BEX", "CYR"], "").0, 72);
    }

    #[test]
    fn long_names_are_smaller_or_have_two_lines() {
        assert_eq!(title("01 Sol", 64), (vec!["01 Sol"], 10));
        assert_eq!(title("", 64), (vec![""], 10));
        assert_eq!(title("42 Sharrukin", 64), (vec!["42 Sharrukin"], 8));
        assert_eq!(title("02 Alpha Centauri A", 64), (vec!["02 Alpha", "Centauri A"], 8));
        assert_eq!(title("26 Groombridge 1618", 64).0, ["26 Groombridge", "1618"]);
        assert_eq!(title("Donaudampfschifffahrtsgesellschaft", 64).1, 5);
    }

    #[test]
    fn an_arrow_leads_from_border_to_border_and_below_what_stands_there() {
        let mut map = three(["ADA", "BEX", "CYR"], "move");
        // The first box lies between 10 and 40, the one below it from 70 on.
        assert!(drawn(&map, &[(0, 1)]).contains("M36 40L36 62"), "down");
        assert!(drawn(&map, &[(1, 0)]).contains("M36 40L41 50L31 50z"), "up");
        assert!(drawn(&map, &[(0, 2)]).contains("M62 25L80 25"), "to the right");
        assert!(drawn(&map, &[(0, 2)]).contains(">move<"), "the legend tells of it");
        assert!(!drawn(&map, &[]).contains(">move<"));
        assert_eq!(drawn(&map, &[(0, 0), (0, 9)]).matches(MOVED).count(), 2, "the legend's");
        map.pieces = vec![Piece { code: "3".into(), size: 5, ..Piece::new(0, 0) }];
        let up = drawn(&map, &[(1, 0)]);
        assert!(up.contains("M36 52L41 62L31 62z") && up.contains(">3:5<"), "{up}");
        map.pieces = vec![map.pieces[0].clone(); 7];
        let up = drawn(&map, &[(1, 0)]);
        assert!(up.contains(">+2<"), "five are drawn");
        assert!(up.contains("M36 60L41 70L31 70z"), "no room: it reaches into both: {up}");
    }
}
