//! A graph on the earth: countries and seas as outlines, in their holders' colours, with
//! names, counters, arrows of the last step and a key.
//!
//! A map of few areas is drawn whole. A map of many areas is drawn whole without names, and with
//! names in each part that its outlines mark as worth a larger drawing. The first sheet shows what
//! lies around the reader, large enough for a phone.

mod marks;
mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use maud::{Markup, html};

use self::marks::{arrow, barred, strait};
use self::names::{Block, Fields, around, leader};
use super::legend::{holders, legend};
use super::letters;
use super::place::{Mask, Rect};
use super::regions::hatching;
use super::sign::Sign;
use super::signs;
use super::tints::{self, INK, hex, ink_on};
use super::units::at;
use engine::Seat;
use engine::report::{
    BEYOND, Earth, Graph, MapPicture, Move, NO_AREA, NO_SEA, Node, Outcome, Piece, Point, Spot,
    Tint,
};
use tongue::{say, word};

/// Widths of a drawing for a wide screen, and of one that a phone shows.
const WIDE: u32 = 740;
const NARROW: u32 = 380;
/// Size of letters in both.
const FONT: u32 = 11;
const NARROW_FONT: u32 = 12;
/// Areas of a map whose names are all drawn on one sheet.
const NAMED_AREAS: usize = 60;
/// Half the width of the part around the reader, in units of outlines: the widest is taken that has
/// no more areas than there is room for names.
const CLOSE: [f64; 6] = [280.0, 230.0, 190.0, 150.0, 120.0, 90.0];
const CLOSE_AREAS: usize = 22;
/// The greatest height of a sheet, relative to its width.
const HIGH: f64 = 1.15;

const SEA: &str = "#cde";
const DEEP: [(&str, u32); 2] = [("#bde", 15), ("#acd", 7)];
const OTHER_WATER: &str = "#def";
const OTHER_LAND: Tint = Tint::new(13, 13, 12);
const FREE: Tint = Tint::new(15, 15, 13);
const COAST: &str = "#457";
const BORDER: &str = "#443";
const SEA_LINE: &str = "#79b";
const WATER_INK: &str = "#247";

/// A sheet: its name, what it shows, its size and its drawing.
pub(super) struct Drawn {
    /// Such as `near`; empty for the only one.
    pub name: String,
    /// Such as `around you`; empty where the map's title says enough.
    pub shows: String,
    pub size: (u32, u32),
    pub body: Markup,
    /// Numbers of the nodes on it.
    pub places: BTreeSet<usize>,
}

/// The part of the outlines that a sheet shows: west, north, east and south.
type Window = [f64; 4];

/// All sheets of a map.
pub(super) fn sheets(map: &MapPicture, graph: &Graph, earth: &Earth) -> Vec<Drawn> {
    let ground = Ground::of(map, graph, earth);
    let whole = ground.whole();
    let few = graph.nodes.len() <= NAMED_AREAS;
    let mut drawn = Vec::new();
    if let Some(near) = ground.near(whole) {
        let look = Look { wide: NARROW, font: NARROW_FONT, named: true };
        drawn.push(("near", say!("around you"), near, look));
    }
    let look = Look { wide: WIDE, font: FONT, named: few };
    drawn.push(("", String::new(), whole, look));
    if !few {
        for (name, window) in earth.outlines.windows() {
            let look = Look { wide: WIDE, font: FONT, named: true };
            let shows = word(&name.replace('-', " ")).into_owned();
            drawn.push((name, shows, window.map(f64::from), look));
        }
    }
    let drawn = drawn.into_iter().filter_map(|(name, shows, window, look)| {
        let (size, body) = ground.draw(window, look)?;
        let places = ground.within(window);
        Some(Drawn { name: name.to_owned(), shows, size, body, places })
    });
    drawn.collect()
}

/// The whole map as one drawing.
pub(super) fn whole(map: &MapPicture, graph: &Graph, earth: &Earth) -> ((u32, u32), Markup) {
    let ground = Ground::of(map, graph, earth);
    let look = Look { wide: WIDE, font: FONT, named: graph.nodes.len() <= NAMED_AREAS };
    ground.draw(ground.whole(), look).unwrap_or(((1, 1), html! {}))
}

/// How a sheet is drawn.
#[derive(Clone, Copy)]
struct Look {
    /// Its width in units.
    wide: u32,
    /// The size of its letters.
    font: u32,
    /// Whether it shows names and counters, or holders only.
    named: bool,
}

/// Areas with their outlines.
struct Ground<'a> {
    map: &'a MapPicture,
    graph: &'a Graph,
    earth: &'a Earth,
    /// Rings of each node.
    rings: Vec<Vec<Vec<Point>>>,
    /// Numbers of nodes by their labels.
    by_label: BTreeMap<&'a str, usize>,
}

/// A sheet that is being drawn: where a point of the outlines lies on it.
struct Sheet<'a> {
    ground: &'a Ground<'a>,
    window: Window,
    scale: f64,
    size: (f64, f64),
    look: Look,
}

impl<'a> Ground<'a> {
    fn of(map: &'a MapPicture, graph: &'a Graph, earth: &'a Earth) -> Self {
        let rings = graph.nodes.iter().map(|n| earth.outlines.rings(&n.id)).collect();
        let by_label = (0..).zip(&graph.nodes).map(|(n, node)| (node.id.as_str(), n)).collect();
        Self { map, graph, earth, rings, by_label }
    }

    fn is_water(&self, node: &Node) -> bool {
        self.earth.outlines.is_water(&node.id)
    }

    /// Whether the area with a label is land.
    fn is_land(&self, label: &str) -> bool {
        label != BEYOND && !self.earth.outlines.is_water(label)
    }

    fn spot(&self, node: usize) -> Option<Spot> {
        self.earth.outlines.spots(&self.graph.nodes.get(node)?.id).first().copied()
    }

    /// The sheet, or the lands of a game that is played on a part of it.
    fn whole(&self) -> Window {
        let (wide, high) = self.earth.outlines.size();
        let all = [0.0, 0.0, f64::from(wide), f64::from(high)];
        let labels: BTreeSet<&str> = self
            .earth
            .outlines
            .borders()
            .iter()
            .flat_map(|b| &b.between)
            .map(String::as_str)
            .collect();
        let marks = [NO_AREA, NO_SEA, BEYOND];
        let missing = labels.iter().any(|l| !marks.contains(l) && !self.by_label.contains_key(l));
        if !missing {
            return all;
        }
        let lands = (0..self.graph.nodes.len()).filter(|n| !self.is_water(&self.graph.nodes[*n]));
        self.around(lands, 60.0).map_or(all, |w| cut(w, all))
    }

    /// A window around nodes with a rim; `None` where there are none.
    fn around(&self, nodes: impl Iterator<Item = usize>, rim: f64) -> Option<Window> {
        let points = nodes.flat_map(|n| self.rings[n].iter().flatten());
        let mut window: Option<Window> = None;
        for (x, y) in points.map(|(x, y)| (f64::from(*x), f64::from(*y))) {
            let [a, b, c, d] = window.unwrap_or([x, y, x, y]);
            window = Some([a.min(x), b.min(y), c.max(x), d.max(y)]);
        }
        window.map(|[a, b, c, d]| [a - rim, b - rim, c + rim, d + rim])
    }

    /// Numbers of the nodes whose spots lie in a window.
    fn within(&self, [west, north, east, south]: Window) -> BTreeSet<usize> {
        let inside = |n: &usize| {
            self.spot(*n).is_some_and(|s| {
                let (x, y) = (f64::from(s.at.0), f64::from(s.at.1));
                (west..=east).contains(&x) && (north..=south).contains(&y)
            })
        };
        (0..self.graph.nodes.len()).filter(inside).collect()
    }

    /// The window around the reader: as much as the size of letters allows.
    fn near(&self, whole: Window) -> Option<Window> {
        let spots: Vec<Spot> = self.earth.close.iter().filter_map(|n| self.spot(*n)).collect();
        let count = spots.len() as f64;
        if spots.is_empty() {
            return None;
        }
        let sum = |of: fn(&Spot) -> i32| spots.iter().map(|s| f64::from(of(s))).sum::<f64>();
        let middle = (sum(|s| s.at.0) / count, sum(|s| s.at.1) / count);
        // The middle is the place that is nearest to the middle of all, so that it does not lie in
        // a sea between them.
        let far = |s: &&Spot| {
            let (dx, dy) = (f64::from(s.at.0) - middle.0, f64::from(s.at.1) - middle.1);
            (dx * dx + dy * dy) as i64
        };
        let centre = spots.iter().min_by_key(far)?;
        let (x, y) = (f64::from(centre.at.0), f64::from(centre.at.1));
        let window = |half: f64| [x - half, y - half * 0.9, x + half, y + half * 0.9];
        let fits = |half: &&f64| self.within(window(**half)).len() <= CLOSE_AREAS;
        let half = CLOSE.iter().find(fits).unwrap_or(&CLOSE[CLOSE.len() - 1]);
        let window = window(*half);
        // A window that hangs over the edge is moved back.
        let [west, north, east, south] = window;
        let dx = (whole[0] - west).max(0.0) + (whole[2] - east).min(0.0);
        let dy = (whole[1] - north).max(0.0) + (whole[3] - south).min(0.0);
        let moved = cut([west + dx, north + dy, east + dx, south + dy], whole);
        // Where that is nearly all, the whole map serves.
        ((moved[2] - moved[0]) < 0.8 * (whole[2] - whole[0])).then_some(moved)
    }

    fn draw(&self, window: Window, look: Look) -> Option<((u32, u32), Markup)> {
        let [west, north, east, south] = window;
        let scale = f64::from(look.wide) / (east - west).max(1.0);
        let high = ((south - north) * scale).min(f64::from(look.wide) * HIGH).max(1.0);
        let size = (f64::from(look.wide), high.ceil());
        let sheet = Sheet { ground: self, window, scale, size, look };
        Some(sheet.draw())
    }
}

/// A window within another.
fn cut(w: Window, all: Window) -> Window {
    [w[0].max(all[0]), w[1].max(all[1]), w[2].min(all[2]), w[3].min(all[3])]
}

impl Sheet<'_> {
    fn point(&self, (x, y): Point) -> (f64, f64) {
        ((f64::from(x) - self.window[0]) * self.scale, (f64::from(y) - self.window[1]) * self.scale)
    }

    fn shows(&self, (x, y): (f64, f64), rim: f64) -> bool {
        (-rim..=self.size.0 + rim).contains(&x) && (-rim..=self.size.1 + rim).contains(&y)
    }

    /// Lines through points as a path; what lies wholly beyond the sheet is left out.
    fn path<'b>(&self, lines: impl Iterator<Item = &'b [Point]>, close: bool) -> String {
        let mut path = String::new();
        for line in lines {
            let points: Vec<(f64, f64)> = line.iter().map(|p| self.point(*p)).collect();
            let side = |of: fn(&(f64, f64)) -> f64| {
                let all = points.iter().map(of);
                (all.clone().fold(f64::MAX, f64::min), all.fold(f64::MIN, f64::max))
            };
            let (x, y) = (side(|p| p.0), side(|p| p.1));
            if x.1 < -8.0 || y.1 < -8.0 || x.0 > self.size.0 + 8.0 || y.0 > self.size.1 + 8.0 {
                continue;
            }
            // Steps too small to be seen are left out.
            let mut last: Option<(f64, f64)> = None;
            for (n, p) in points.iter().enumerate() {
                let near = last.is_some_and(|l| (l.0 - p.0).abs() + (l.1 - p.1).abs() < 0.7);
                if near && n + 1 < points.len() {
                    continue;
                }
                let sign = if last.is_none() { 'M' } else { 'L' };
                let _ = write!(path, "{sign}{} {}", at(p.0), at(p.1));
                last = Some(*p);
            }
            if close {
                path.push('z');
            }
        }
        path
    }

    fn rings(&self, rings: &[Vec<Point>]) -> String {
        self.path(rings.iter().map(Vec::as_slice), true)
    }

    fn nodes(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.ground.graph.nodes.iter().enumerate()
    }

    fn draw(&self) -> ((u32, u32), Markup) {
        let (wide, high) = (self.look.wide, self.size.1 as u32);
        let here = self.ground.within(self.window);
        let on = |n: usize| here.contains(&n);
        let key = match self.look.named {
            true => legend(self.ground.map, &on, (wide, self.look.font)),
            false => holders(self.ground.map, &on, (wide, self.look.font)),
        };
        let spaces = if self.look.named { self.spaces() } else { Vec::new() };
        let rects: BTreeMap<usize, Rect> = spaces.iter().map(|s| (s.0, s.1)).collect();
        let body = html! {
            (self.water())
            (self.land())
            (self.lines())
            (self.between())
            (self.moves(&rects))
            @for (_, _, drawn) in spaces { (drawn) }
            @if !self.look.named { (self.empires()) }
            rect x="0.5" y="0.5" width=(wide - 1) height=(high - 1) fill="none" stroke=(INK) {}
            // The key covers what reaches beyond the map.
            rect y=(high) width=(wide) height=(key.0 + 200) fill=(tints::PAPER) {}
            g transform=(format!("translate(4 {})", high + 8)) { (key.1) }
        };
        ((wide, high + key.0 + 8), body)
    }

    /// The sea, with bands along the coast.
    fn water(&self) -> Markup {
        let outlines = &self.ground.earth.outlines;
        let other = outlines.rings(NO_SEA);
        let coast = self.arcs(|a, b| a != b);
        html! {
            rect width=(at(self.size.0)) height=(at(self.size.1)) fill=(SEA) {}
            path d=(self.rings(&other)) fill=(OTHER_WATER) fill-rule="evenodd" {}
            @for (colour, width) in DEEP {
                path d=(coast) fill="none" stroke=(colour) stroke-width=(width)
                    stroke-linejoin="round" {}
            }
        }
    }

    /// The arcs for which `is` holds, by whether there is land on each side.
    fn arcs(&self, is: impl Fn(bool, bool) -> bool) -> String {
        let borders = self.ground.earth.outlines.borders().iter();
        let within = borders.filter(|b| !b.between.iter().any(|l| l == BEYOND));
        let chosen = within.filter(|b| {
            let [a, b] = b.between.each_ref().map(|l| self.ground.is_land(l));
            is(a, b)
        });
        self.path(chosen.map(|b| b.points.as_slice()), false)
    }

    /// Countries in the colours of their holders.
    fn land(&self) -> Markup {
        let mut paths: BTreeMap<Tint, String> = BTreeMap::new();
        let mut unseen = String::new();
        let no_area = self.ground.earth.outlines.rings(NO_AREA);
        paths.insert(OTHER_LAND, self.rings(&no_area));
        let labels = self.ground.earth.outlines.pairs();
        let foreign: BTreeSet<&str> = labels
            .iter()
            .flatten()
            .copied()
            .filter(|l| !self.ground.by_label.contains_key(l) && *l != NO_AREA)
            .filter(|l| self.ground.is_land(l))
            .collect();
        for label in foreign {
            let rings = self.ground.earth.outlines.rings(label);
            paths.entry(OTHER_LAND).or_default().push_str(&self.rings(&rings));
        }
        for (n, node) in self.nodes().filter(|(_, node)| !self.ground.is_water(node)) {
            let rings = &self.ground.rings[n];
            let path = self.rings(rings);
            if path.is_empty() {
                continue;
            }
            paths.entry(self.fill(node)).or_default().push_str(&path);
            if node.cell.pale && node.cell.holder.is_some() && self.look.named {
                let drawn: Vec<Vec<Point>> = rings.iter().map(|ring| self.placed(ring)).collect();
                let size = (self.size.0 as u16, self.size.1 as u16);
                unseen.push_str(&hatching(&drawn, size));
            }
        }
        html! {
            @for (tint, path) in paths {
                path d=(path) fill=(hex(tint)) fill-rule="evenodd" {}
            }
            @if !unseen.is_empty() {
                path d=(unseen) fill="none" stroke="#fff" stroke-opacity="0.3" stroke-width="1.5" {}
            }
        }
    }

    fn placed(&self, ring: &[Point]) -> Vec<Point> {
        let whole = |(x, y): (f64, f64)| (x.round() as i32, y.round() as i32);
        ring.iter().map(|p| whole(self.point(*p))).collect()
    }

    fn fill(&self, node: &Node) -> Tint {
        match node.cell.holder {
            Some(seat) => tints::land(self.ground.map, seat),
            None => FREE,
        }
    }

    /// Coasts, borders between holders and within them, lines between seas.
    fn lines(&self) -> Markup {
        let holder = |label: &str| -> Option<Option<Seat>> {
            let n = self.ground.by_label.get(label)?;
            Some(self.ground.graph.nodes[*n].cell.holder)
        };
        let (mut inner, mut outer) = (Vec::new(), Vec::new());
        for border in self.ground.earth.outlines.borders() {
            let [a, b] = border.between.each_ref().map(String::as_str);
            if self.ground.is_land(a) && self.ground.is_land(b) {
                let (one, other) = (holder(a), holder(b));
                let same = one == other && one.is_some_and(|h| h.is_some());
                if same { inner.push(&border.points[..]) } else { outer.push(&border.points[..]) }
            }
        }
        let w = f64::from(self.look.font) / 10.0;
        html! {
            g fill="none" stroke-linejoin="round" {
                path d=(self.arcs(|a, b| !a && !b)) stroke=(SEA_LINE) stroke-dasharray="6 5" {}
                path d=(self.path(inner.into_iter(), false)) stroke=(BORDER) stroke-opacity="0.55"
                    stroke-width=(at(w * 0.7)) {}
                path d=(self.path(outer.into_iter(), false)) stroke=(BORDER)
                    stroke-width=(at(w * 1.3)) {}
                path d=(self.arcs(|a, b| a != b)) stroke=(COAST) stroke-width=(at(w)) {}
            }
        }
    }

    /// Closed borders, straits, links by air.
    fn between(&self) -> Markup {
        let outlines = &self.ground.earth.outlines;
        let here = |label: &String| self.ground.by_label.contains_key(label.as_str());
        let closed = outlines.closed().iter().filter(|(pair, _)| pair.iter().all(here));
        let closed: Vec<(f64, f64)> =
            closed.map(|(_, p)| self.point(*p)).filter(|p| self.shows(*p, 0.0)).collect();
        let bridges = outlines.bridges().iter().filter(|b| here(&b.by));
        let bridges: Vec<(f64, f64)> =
            bridges.map(|b| self.point(b.at)).filter(|p| self.shows(*p, 0.0)).collect();
        let mut dots = String::new();
        if self.look.named {
            for link in &self.ground.earth.air {
                for (a, b) in self.straight(link.from, link.to) {
                    let _ = write!(dots, "M{} {}L{} {}", at(a.0), at(a.1), at(b.0), at(b.1));
                }
            }
        }
        html! {
            @if !dots.is_empty() {
                path d=(dots) fill="none" stroke="#fff" stroke-opacity="0.7" stroke-width="3.5" {}
                path d=(dots) fill="none" stroke="#315" stroke-width="1.6" stroke-linecap="round"
                    stroke-dasharray="0.1 5" {}
            }
            @for (x, y) in closed { (barred(x, y)) }
            @for (x, y) in bridges.into_iter().filter(|_| self.look.named) { (strait(x, y)) }
        }
    }

    /// The line between two nodes, in two parts where the shorter way leads over the edge of
    /// the earth.
    fn straight(&self, from: usize, to: usize) -> Vec<((f64, f64), (f64, f64))> {
        let Some((a, b)) = self.ends(from, to) else { return Vec::new() };
        let wide = f64::from(self.ground.earth.outlines.size().0) * self.scale;
        let lines = match (b.0 - a.0).abs() * 2.0 > wide && wide > 0.0 {
            false => vec![(a, b)],
            true => {
                let by = if b.0 > a.0 { -wide } else { wide };
                vec![(a, (b.0 + by, b.1)), ((a.0 - by, a.1), b)]
            }
        };
        lines.into_iter().filter(|(a, b)| self.shows(*a, 0.0) || self.shows(*b, 0.0)).collect()
    }

    /// The spots of two nodes that lie nearest to each other.
    fn ends(&self, from: usize, to: usize) -> Option<((f64, f64), (f64, f64))> {
        let graph = self.ground.graph;
        let spots = |n: usize| Some(self.ground.earth.outlines.spots(&graph.nodes.get(n)?.id));
        let far = |a: &Spot, b: &Spot| {
            let (dx, dy) = (i64::from(a.at.0 - b.at.0), i64::from(a.at.1 - b.at.1));
            dx * dx + dy * dy
        };
        let (from, to) = (spots(from)?, spots(to)?);
        let pairs = from.iter().flat_map(|a| to.iter().map(move |b| (a, b)));
        let (a, b) = pairs.min_by_key(|(a, b)| far(a, b))?;
        Some((self.point(a.at), self.point(b.at)))
    }

    /// Arrows of the last step, those that failed below those that did not.
    fn moves(&self, rects: &BTreeMap<usize, Rect>) -> Markup {
        let mut moves: Vec<&Move> = self.ground.earth.moves.iter().collect();
        moves.sort_by_key(|m| m.outcome != Outcome::Failed);
        let size = if self.look.named { self.look.font } else { self.look.font / 2 };
        html! {
            @for one in moves {
                @for ends in self.straight(one.from, one.to) {
                    @let clear = [one.from, one.to].map(|n| rects.get(&n).copied());
                    (arrow(ends, clear, self.colour(one.holder), one.outcome, size))
                }
            }
        }
    }

    fn colour(&self, holder: Option<Seat>) -> Tint {
        holder.map_or(Tint::new(5, 5, 5), |seat| tints::seat(self.ground.map, seat))
    }

    /// Names with the pieces there, each where it covers least: the node, the place, the drawing.
    fn spaces(&self) -> Vec<(usize, Rect, Markup)> {
        let fields = Fields::of(self);
        let mut mask = Mask::new(self.size);
        let mut order: Vec<(usize, &Node, Spot)> = self
            .nodes()
            .flat_map(|(n, node)| {
                let spots = self.ground.earth.outlines.spots(&node.id);
                spots.iter().map(move |s| (n, node, *s))
            })
            .filter(|(_, _, s)| self.shows(self.point(s.at), 0.0))
            .collect();
        let pieces = |n: usize| self.ground.map.pieces.iter().filter(move |p| p.at == n);
        // What has least room first.
        order.sort_by_key(|(n, node, spot)| (self.ground.is_water(node), spot.radius, *n));
        let mut told: BTreeSet<usize> = BTreeSet::new();
        let mut drawn = Vec::new();
        for (n, node, spot) in order {
            // Pieces in a sea are drawn at its first spot on the sheet.
            let first = told.insert(n);
            let here: Vec<&Piece> = pieces(n).filter(|_| first).collect();
            let space = self.space(n, node, spot, &here, (&mut mask, &fields));
            drawn.extend(space.map(|(rect, drawing)| (n, rect, drawing)));
        }
        drawn
    }

    /// A name and its counters; where there is no room nearby, a line leads to it.
    fn space(
        &self,
        n: usize,
        node: &Node,
        spot: Spot,
        pieces: &[&Piece],
        (mask, fields): (&mut Mask, &Fields),
    ) -> Option<(Rect, Markup)> {
        let font = self.look.font;
        let radius = f64::from(spot.radius) * self.scale;
        let middle = self.point(spot.at);
        let water = self.ground.is_water(node);
        let signs: Vec<Sign> = pieces.iter().filter_map(|p| Sign::of(self.ground.map, p)).collect();
        let (units, badges): (Vec<Sign>, Vec<Sign>) =
            signs.into_iter().partition(|s| s.shape.is_counter());
        let mut best: Option<(Rect, f64, Block)> = None;
        for named in [true, false] {
            let block = Block::of(node, &units, font, named);
            let size = block.size();
            // A name that is far longer than its area is replaced by its code.
            if named && !block.has_name_within(radius * 2.4) {
                continue;
            }
            let price = |rect: Rect| fields.price(n, rect, water);
            let places =
                around(middle, radius, size).into_iter().map(|(r, far)| (r, far + price(r)));
            if let Some((rect, price)) = mask.best(places) {
                // A name costs a little: it may be put aside, but not far.
                let price = if named { price } else { price + 6.0 };
                if best.as_ref().is_none_or(|(_, least, _)| price < *least) {
                    best = Some((rect, price, block));
                }
            }
        }
        let (rect, _, block) = best?;
        mask.take(rect.grown(1.0));
        let lead = leader(middle, rect, radius);
        let drawing = html! {
            @if let Some((x, y)) = lead {
                path d=(format!("M{} {}L{} {}", at(middle.0), at(middle.1), at(x), at(y)))
                    stroke="#fff" stroke-width="3" stroke-opacity="0.7" {}
                path d=(format!("M{} {}L{} {}", at(middle.0), at(middle.1), at(x), at(y)))
                    stroke=(INK) stroke-width="1" {}
                circle cx=(at(middle.0)) cy=(at(middle.1)) r="1.8" fill=(INK) {}
            }
            (block.draw(rect, water, font))
            @for (nth, badge) in (0..).zip(&badges) {
                (signs::badge_at(badge.shape, (rect.x + rect.w + 1.0 + f64::from(nth) * 13.0, rect.y)))
            }
        };
        Some((rect, drawing))
    }

    /// The number and the name of each holder in the middle of its largest area.
    fn empires(&self) -> Markup {
        let mut largest: BTreeMap<Seat, (i32, Spot)> = BTreeMap::new();
        for (n, node) in self.nodes() {
            let (Some(seat), Some(spot)) = (node.cell.holder, self.ground.spot(n)) else {
                continue;
            };
            let entry = largest.entry(seat).or_insert((spot.radius, spot));
            if spot.radius > entry.0 {
                *entry = (spot.radius, spot);
            }
        }
        let mut mask = Mask::new(self.size);
        let mut drawn = Vec::new();
        for (seat, (_, spot)) in largest {
            let text = seat.to_string();
            let size = f64::from(self.look.font) + 3.0;
            let wide = f64::from(letters::bold(&text, self.look.font)) + 6.0;
            let middle = self.point(spot.at);
            let places = around(middle, f64::from(spot.radius) * self.scale, (wide, size));
            let Some((rect, _)) = mask.best(places) else { continue };
            mask.take(rect);
            let tint = self.colour(Some(seat));
            drawn.push(html! {
                rect x=(at(rect.x)) y=(at(rect.y)) width=(at(rect.w)) height=(at(rect.h)) rx="3"
                    fill=(hex(tint)) stroke="#fff" {}
                text x=(at(rect.middle().0)) y=(at(rect.y + size * 0.79)) text-anchor="middle"
                    font-size=(self.look.font) font-weight="bold" fill=(ink_on(tint)) { (text) }
            });
        }
        html! { @for one in drawn { (one) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::report::{Cell, Link, MapKind, NodeForm, Outlines, Shape, Side, Symbol, Terrain};
    use std::sync::Arc;

    /// Two countries beside each other, and a sea south of both.
    const OUTLINES: &str = "size 200 120\nwater SEA\nspot AL 50 40 40\nspot BE 150 40 40\n\
                            spot SEA 100 100 18\nwindow west 0 0 90 120\nAL BE 100 0 0 80\n\
                            AL SEA 100 80 -100 0\nBE SEA 100 80 100 0\n\
                            AL | 100 0 -100 0 0 80\nBE | 100 0 100 0 0 80\n\
                            SEA | 0 80 0 40 200 0 0 -40";

    fn map(moves: Vec<Move>) -> MapPicture {
        let node = |id: &str, name: &str, holder: Option<u8>, pale| Node {
            id: id.to_owned(),
            name: name.to_owned(),
            at: (0, 0),
            form: NodeForm::Box,
            cell: Cell {
                terrain: Some(0),
                holder: holder.map(Seat),
                side: if holder == Some(1) { Side::Own } else { Side::Foreign },
                pale,
                ..Cell::default()
            },
        };
        let nodes = vec![
            node("AL", "Albany", Some(1), false),
            node("BE", "Belgravia", Some(2), true),
            node("SEA", "The Sea", None, false),
        ];
        let earth = Earth {
            outlines: Arc::new(Outlines::parse(OUTLINES).expect("outlines")),
            air: Vec::new(),
            moves,
            close: vec![0],
        };
        let graph = Graph {
            size: (1, 1),
            nodes,
            links: vec![Link { from: 0, to: 1 }],
            reach: None,
            arrows: Vec::new(),
            arrow: String::new(),
            earth: Some(earth),
        };
        let army = Piece { side: Side::Own, holder: Some(Seat(1)), size: 12, ..Piece::new(0, 0) };
        MapPicture {
            terrains: vec![Terrain::new("land", "land", Tint::new(13, 13, 12))],
            symbols: vec![
                Symbol::new("army", "army", Shape::Army),
                Symbol::new("captured", "captured", Shape::Flag),
            ],
            pale: "army not seen".to_owned(),
            pieces: vec![army, Piece::new(1, 1)],
            ..MapPicture::new("map", "", MapKind::Graph(graph))
        }
    }

    fn graph(map: &MapPicture) -> (&Graph, &Earth) {
        let MapKind::Graph(graph) = &map.kind else { panic!("a graph") };
        (graph, graph.earth.as_ref().expect("on the earth"))
    }

    fn drawn(map: &MapPicture) -> String {
        let (graph, earth) = graph(map);
        whole(map, graph, earth).1.into_string()
    }

    fn attack(outcome: Outcome) -> Move {
        Move { from: 0, to: 1, outcome, holder: Some(Seat(1)) }
    }

    #[test]
    fn countries_have_their_holders_colours_and_are_hatched_where_not_seen() {
        let map = map(Vec::new());
        let svg = drawn(&map);
        for seat in [1, 2] {
            let fill = format!("fill=\"{}\" fill-rule", hex(tints::land(&map, Seat(seat))));
            assert_eq!(svg.matches(&fill).count(), 1, "{seat}: {svg}");
        }
        assert!(svg.contains("stroke-opacity=\"0.3\""), "hatched");
        for word in ["AL", "Albany", "BE", "Belgravia", "SEA", "The Sea", "12"] {
            assert!(svg.contains(&format!(">{word}</text>")), "{word}");
        }
        assert!(svg.contains("army not seen") && svg.contains("captured"));
        assert_eq!(svg.matches("h8l-3 3l3 3h-8z").count(), 2, "a flag, and one in the key");
    }

    #[test]
    fn an_attack_is_an_arrow_that_is_broken_where_it_was_beaten_back() {
        let told = |svg: &str| [svg.contains("carried out"), svg.contains("beaten back")];
        let none = drawn(&map(Vec::new()));
        assert_eq!(told(&none), [false, false]);
        let done = drawn(&map(vec![attack(Outcome::Done)]));
        assert_eq!(told(&done), [true, false]);
        assert!(!done.contains("stroke-dasharray=\"7 4\""));
        let failed = drawn(&map(vec![attack(Outcome::Failed)]));
        assert_eq!(told(&failed), [false, true]);
        assert_eq!(failed.matches("stroke-dasharray=\"7 4\"").count(), 2);
    }

    #[test]
    fn the_key_of_a_part_tells_of_nothing_that_lies_beyond_it() {
        let beyond = Move { from: 1, to: 2, ..attack(Outcome::Failed) };
        let map = map(vec![beyond]);
        let (graph, earth) = graph(&map);
        let ground = Ground::of(&map, graph, earth);
        let look = Look { wide: NARROW, font: NARROW_FONT, named: true };
        let west = ground.draw([0.0, 0.0, 90.0, 120.0], look).expect("drawn").1.into_string();
        assert!(west.contains(">army</text>"));
        for beyond in ["captured", "army not seen", "beaten back", ">BE</text>"] {
            assert!(!west.contains(beyond), "{beyond}");
        }
        // Without names it shows holders only.
        let plain = Look { named: false, ..look };
        let plain = ground.draw([0.0, 0.0, 200.0, 120.0], plain).expect("drawn").1.into_string();
        assert!(plain.contains("player 2") && !plain.contains(">army</text>"));
    }

    #[test]
    fn no_name_covers_another_nor_leaves_the_sheet() {
        let map = map(Vec::new());
        let (graph, earth) = graph(&map);
        let ground = Ground::of(&map, graph, earth);
        let look = Look { wide: 130, font: FONT, named: true };
        let (scale, size) = (0.65, (130.0, 78.0));
        let sheet = Sheet { ground: &ground, window: ground.whole(), scale, size, look };
        let rects: Vec<Rect> = sheet.spaces().into_iter().map(|s| s.1).collect();
        assert_eq!(rects.len(), 3);
        for (n, a) in rects.iter().enumerate() {
            assert!(
                a.x >= 0.0 && a.y >= 0.0 && a.x + a.w <= size.0 && a.y + a.h <= size.1,
                "{a:?}"
            );
            for b in &rects[..n] {
                let apart =
                    a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
                assert!(apart, "{a:?} {b:?}");
            }
        }
    }
}
