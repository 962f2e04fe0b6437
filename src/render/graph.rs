//! A graph: nodes, drawn roughly where they lie, with their links.

use std::fmt::Write;

use maud::{Markup, html};

use super::arrow::{arrow, distance};
use super::legend::{legend, words};
use super::letters;
use super::sign::Sign;
use super::signs::{CHIP_STEP, CHIPS_IN_ROW, chips};
use super::tiles::Part;
use super::tints::{self, BORDER_OWN, MOVED, hex, ink_on};
use engine::report::{Graph, Link, MapPicture, Node, NodeForm, Piece, Point, Shape, Side};
use tongue::say;

/// Height of a box, in units: three lines of the smallest letters.
const HIGH: u32 = 38;
/// Width of the boxes of a graph, at least and at most: the longest first line decides.
const WIDE: (u32, u32) = (60, 98);
/// Sizes of a name on one line, and the size of one on two lines.
const TITLES: ([u32; 3], u32) = ([12, 11, 10], 10);
/// Size of the line below it: a phone shows it in its own size.
const SMALL: u32 = 10;
/// Units between two boxes, beside and below each other.
const GAP: (u32, u32) = (10, 12);
/// Units between two boxes where there may be arrows between them.
const ARROW_GAP: (u32, u32) = (22, 32);
/// Units around all boxes.
const EDGE: u32 = 10;
/// Least length of an arrow.
const SHORT: i32 = 16;
/// Pieces of a node that are drawn; the others are counted.
const PIECES: usize = 3;
/// Pieces of a node that are drawn where there is room for another row.
const ARROW_PIECES: usize = 2 * CHIPS_IN_ROW;
/// Width that a box needs beside its text, in units of the drawing.
const RIM: u32 = 6;

/// Nodes of a part of the drawing, and the legend below.
pub(super) fn draw(map: &MapPicture, graph: &Graph, part: Part) -> ((u32, u32), Markup) {
    let place = Placing::of(graph, part);
    let (across, down) = place.pitch();
    let (wide, high) = (part.wide() as u32, part.high() as u32 * down + 10);
    let wide = (wide * across).saturating_sub(across - place.wide) + 2 * EDGE;
    let on = |n: usize| graph.nodes.get(n).is_some_and(|node| place.has(node));
    let shown = || graph.nodes.iter().enumerate().filter(|(n, _)| on(*n));
    let signs = words(signs_in_words(map), (wide, SMALL));
    let legend = legend(map, &on, (wide, SMALL));
    let last = |link: usize| map.last_move.links.contains(&link);
    let (usual, moved): (Vec<_>, Vec<_>) =
        graph.links.iter().enumerate().partition(|(n, _)| !last(*n));
    let near = usual.into_iter().filter(|(_, link)| place.is_near(link));
    let frame = format!("0 0 {wide} {high}");
    let body = html! {
        // Lines and arrows to what lies beyond end at the rim.
        svg width=(wide) height=(high) viewBox=(frame) {
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
        }
        @for (n, node) in shown() { (place.at(node, &place.pieces(map, n))) }
        @for (at, drawing) in [(high, &signs), (high + signs.0, &legend)] {
            @if drawing.0 > 0 { g transform=(format!("translate(2 {at})")) { (drawing.1) } }
        }
    };
    ((wide, high + signs.0 + legend.0), body)
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
        let first =
            |node: &Node| node.cell.text.first().map_or(0, |line| letters::bold(line, TITLES.0[0]));
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
        (x * across as i32 + EDGE as i32, y * down as i32 + EDGE as i32)
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

    /// An arrow from the border of a node to that of another; pieces on the lower edge of a node
    /// count as a part of it.
    fn arrow(&self, map: &MapPicture, from: usize, to: usize) -> Markup {
        let Some((a, b)) = self.ends(&Link { from, to }) else { return html! {} };
        let (start, end) = (self.middle(a), self.middle(b));
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let after = self.leaves(self.overhang(map, from), (dx, dy));
        let before = self.leaves(self.overhang(map, to), (-dx, -dy));
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
    fn leaves(&self, overhang: i32, (dx, dy): Point) -> i32 {
        let half = (self.wide / 2, HIGH / 2);
        let down = if dy > 0 { overhang } else { 0 };
        let far = distance((0, 0), (dx, dy));
        let side = |half: i32, d: i32| if d == 0 { i32::MAX } else { far * half / d.abs() };
        side(half.0 as i32, dx).min(side(half.1 as i32 + down, dy))
    }

    /// The pieces at a node: battles in its corner, everything else on its lower edge.
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

/// The rows that this many pieces take, where there is room for two.
fn rows(pieces: usize) -> i32 {
    pieces.min(ARROW_PIECES).div_ceil(CHIPS_IN_ROW) as i32
}

/// The first line of a node within a width: as one or as two lines, and their size. Two are
/// easier to read than a very small one.
fn title(text: &str, room: u32) -> (Vec<&str>, u32) {
    let fits = |line: &str, size| letters::bold(line, size) <= room;
    // A cut at the last blank leaves most of the name together.
    let cut = |size: u32| {
        let blanks = text.rmatch_indices(' ').map(|(at, _)| (&text[..at], &text[at + 1..]));
        let mut cuts = blanks.filter(|(a, b)| fits(a, size) && fits(b, size));
        cuts.next().map(|(a, b)| (vec![a, b], size))
    };
    let whole = |sizes: &[u32]| sizes.iter().copied().find(|size| fits(text, *size));
    match whole(&TITLES.0) {
        Some(size) => (vec![text], size),
        // If nothing else helps, a name is made small, which is better than cut.
        None => [TITLES.1, 8]
            .into_iter()
            .find_map(cut)
            .unwrap_or_else(|| (vec![text], whole(&[9, 8, 7, 6]).unwrap_or(5))),
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
    let middle = wide / 2;
    let aside = 2;
    // A stripe takes room.
    let (lines, size) = title(text(0), wide - RIM - if stripe.is_some() { 5 } else { 0 });
    let (feet, below) = if lines.len() > 1 { ([11, 21], 33) } else { ([16, 0], 31) };
    // A stripe stays clear of round corners.
    let (round, edge) = if node.form == NodeForm::Rounded { ("12", 8) } else { ("3", 0) };
    html! {
        rect width=(wide) height=(HIGH) rx=(round) fill=(hex(tint)) stroke=(stroke)
            stroke-width=(width) {}
        @if let Some(colour) = stripe {
            rect x="0" y=(edge) width="6" height=(HIGH - 2 * edge) fill=(colour) {}
        }
        @for (line, foot) in lines.iter().zip(feet) {
            text x=(middle + aside) y=(foot) font-size=(size) font-weight="bold"
                text-anchor="middle" fill=(ink) { (line) }
        }
        text x=(middle + aside) y=(below) font-size=(SMALL) text-anchor="middle" fill=(ink) {
            (text(1))
        }
    }
}

/// The signs of the text map, which the nodes show too, and how a holder is shown.
fn signs_in_words(map: &MapPicture) -> Vec<String> {
    let signs = map.legend.iter().map(|(sign, means)| format!("{sign} {means}"));
    let held = map.cells().any(|c| c.holder.is_some());
    signs.chain(held.then(|| say!("stripe: the player's colour"))).collect()
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

    #[test]
    fn what_a_phone_shows_of_a_wide_chart_has_most_of_the_readers() {
        let mut map = three(["ADA", "BEX", "CYR"], "move");
        let MapKind::Graph(graph) = &mut map.kind else { panic!("a graph") };
        graph.size = (8, 9);
        for (node, at) in graph.nodes.iter_mut().zip([(0, 0), (6, 5), (7, 6)]) {
            (node.at, node.cell.side) = (at, Side::Own);
        }
        map.pieces = [0, 1, 1].map(|at| Piece { side: Side::Own, ..Piece::new(at, 0) }).to_vec();
        let sheets = crate::picture::sheets(&map);
        let [near, whole] = sheets.as_slice() else { panic!("two sheets") };
        assert_eq!((near.name.as_str(), whole.name.as_str()), ("near", ""));
        assert!(near.svg.contains(">BEX<") && near.svg.contains(">CYR<"));
        assert!(near.alt.contains("yours fleet 2") && whole.alt.contains("yours fleet 3"));
        assert!(!near.svg.contains(">ADA<") && whole.svg.contains(">ADA<"));
        assert!(near.size.0 <= 370, "{:?}", near.size);
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
        assert_eq!(wide(["ADA", "BEX", "CYR"], ""), (60, (70, 50)));
        assert_eq!(wide(["ADA", "BEX", "CYR"], "move"), (60, (82, 70)));
        let (between, _) = wide(["09 Nusku", "BEX", "CYR"], "");
        assert!((61..98).contains(&between), "{between}");
        assert_eq!(wide(["26 Groombridge 1618", "BEX", "CYR"], "").0, 98);
    }

    #[test]
    fn long_names_are_smaller_or_have_two_lines() {
        assert_eq!(title("01 Sol", 92), (vec!["01 Sol"], 12));
        assert_eq!(title("", 92), (vec![""], 12));
        assert_eq!(title("42 Sharrukin", 92), (vec!["42 Sharrukin"], 12));
        assert_eq!(title("02 Alpha Centauri A", 92), (vec!["02 Alpha", "Centauri A"], 10));
        assert_eq!(title("26 Groombridge 1618", 92), (vec!["26 Groombridge", "1618"], 10));
        assert_eq!(title("Donaudampfschifffahrtsgesellschaft", 64).1, 5);
    }

    #[test]
    fn an_arrow_leads_from_border_to_border_and_below_what_stands_there() {
        let mut map = three(["ADA", "BEX", "CYR"], "move");
        // The first box lies between 10 and 48, the one below it from 80 on.
        assert!(drawn(&map, &[(0, 1)]).contains("M40 48L40 72"), "down");
        assert!(drawn(&map, &[(1, 0)]).contains("M40 48L45 58L35 58z"), "up");
        assert!(drawn(&map, &[(0, 2)]).contains("M70 29L84 29"), "to the right");
        assert!(drawn(&map, &[(0, 2)]).contains(">move<"), "the legend tells of it");
        assert!(!drawn(&map, &[]).contains(">move<"));
        assert_eq!(drawn(&map, &[(0, 0), (0, 9)]).matches(MOVED).count(), 2, "the legend's");
        map.pieces = vec![Piece { code: "3".into(), size: 5, ..Piece::new(0, 0) }];
        let up = drawn(&map, &[(1, 0)]);
        assert!(up.contains("M40 62L45 72L35 72z") && up.contains(">3:5<"), "{up}");
        map.pieces = vec![map.pieces[0].clone(); 7];
        let up = drawn(&map, &[(1, 0)]);
        assert!(up.contains(">+2<"), "five are drawn");
        assert!(up.contains("M40 71L45 81L35 81z"), "no room: it reaches into both: {up}");
    }
}
