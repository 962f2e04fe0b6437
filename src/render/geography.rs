//! A graph on the earth: countries and seas as outlines, in their holders' colours, with
//! names, counters, arrows of the last step and a key.
//!
//! A map of few areas is drawn whole; one of many is drawn whole without names, and each part
//! that its outlines call worth a larger drawing with them. Before all stands what lies
//! around the reader, large enough for a phone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use maud::{Markup, html};

use super::legend::legend;
use super::letters;
use super::place::{Mask, Rect};
use super::regions::hatching;
use super::sign::Sign;
use super::tints::{self, INK, hex, ink_on};
use super::units::{self, at};
use engine::Seat;
use engine::report::{
    BEYOND, Earth, Graph, MapPicture, Move, NO_AREA, NO_SEA, Node, Outcome, Piece, Point, Shape,
    Spot, Tint,
};

/// Units of a drawing for a wide screen, and of one that a phone shows.
const WIDE: u32 = 740;
const NARROW: u32 = 480;
/// Size of letters in both: a phone shows the second at four fifths.
const FONT: u32 = 11;
const NARROW_FONT: u32 = 13;
/// Areas of a map whose names are all drawn on one sheet.
const NAMED_AREAS: usize = 60;
/// Half the width of what is cut around the reader, in units of outlines: the widest in which
/// there are no more areas than names find room.
const CLOSE: [f64; 6] = [280.0, 230.0, 190.0, 150.0, 120.0, 90.0];
const CLOSE_AREAS: usize = 22;
/// The highest that a sheet is, by its width.
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

/// A sheet: what tells it from the others, what it is called, its size and its drawing.
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

/// What of the outlines a sheet shows: west, north, east and south.
type Window = [f64; 4];

/// All sheets of a map.
pub(super) fn sheets(map: &MapPicture, graph: &Graph, earth: &Earth) -> Vec<Drawn> {
    let ground = Ground::of(map, graph, earth);
    let whole = ground.whole();
    let few = graph.nodes.len() <= NAMED_AREAS;
    let mut drawn = Vec::new();
    if let Some(near) = ground.near(whole) {
        let look = Look { wide: NARROW, font: NARROW_FONT, named: true };
        drawn.push(("near", "around you", near, look));
    }
    let look = Look { wide: WIDE, font: FONT, named: few };
    drawn.push(("", "", whole, look));
    if !few {
        for (name, window) in earth.outlines.windows() {
            let look = Look { wide: WIDE, font: FONT, named: true };
            drawn.push((name, name, window.map(f64::from), look));
        }
    }
    let drawn = drawn.into_iter().filter_map(|(name, shows, window, look)| {
        let (size, body) = ground.draw(window, look)?;
        let on = |n: &usize| {
            let at = |s: &Spot| (f64::from(s.at.0), f64::from(s.at.1));
            let inside =
                |(x, y)| x >= window[0] && y >= window[1] && x <= window[2] && y <= window[3];
            ground.spot(*n).is_some_and(|s| inside(at(&s)))
        };
        let places = (0..graph.nodes.len()).filter(on).collect();
        let (name, shows) = (name.to_owned(), shows.replace('-', " "));
        Some(Drawn { name, shows, size, body, places })
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
    /// Whether it shows names and counters, or holders alone.
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

/// A sheet on its way: where a point of the outlines lies on it.
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

    /// Whether what a label names is land.
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

    /// What lies around the reader: as much as letters allow.
    fn near(&self, whole: Window) -> Option<Window> {
        let spots: Vec<Spot> = self.earth.close.iter().filter_map(|n| self.spot(*n)).collect();
        let count = spots.len() as f64;
        if spots.is_empty() {
            return None;
        }
        let sum = |of: fn(&Spot) -> i32| spots.iter().map(|s| f64::from(of(s))).sum::<f64>();
        let middle = (sum(|s| s.at.0) / count, sum(|s| s.at.1) / count);
        // The place nearest to the middle of all is the middle: seas between do not pull it out.
        let far = |s: &&Spot| {
            let (dx, dy) = (f64::from(s.at.0) - middle.0, f64::from(s.at.1) - middle.1);
            (dx * dx + dy * dy) as i64
        };
        let centre = spots.iter().min_by_key(far)?;
        let (x, y) = (f64::from(centre.at.0), f64::from(centre.at.1));
        let window = |half: f64| [x - half, y - half * 0.9, x + half, y + half * 0.9];
        let inside = |w: Window| {
            let spots = (0..self.graph.nodes.len()).filter_map(|n| self.spot(n));
            let at = |s: Spot| (f64::from(s.at.0), f64::from(s.at.1));
            let on = |(x, y): &(f64, f64)| *x >= w[0] && *y >= w[1] && *x <= w[2] && *y <= w[3];
            spots.map(at).filter(on).count()
        };
        let fits = |half: &&f64| inside(window(**half)) <= CLOSE_AREAS;
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

    /// Lines through points, a path; what lies wholly beyond the sheet is left out.
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
        let on = |n: usize| {
            let spot = self.ground.spot(n).map(|s| self.point(s.at));
            spot.is_some_and(|p| self.shows(p, 0.0))
        };
        let key = legend(self.ground.map, &on, (wide, self.look.font));
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
            // What reaches beyond the map lies under the key.
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

    /// Arcs by whether there is land on both sides.
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

    /// Names with what stands there, each where it covers least: the node, where, the drawing.
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
            // What stands in a sea stands at its first spot on the sheet.
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
            // A name that is far longer than its area is told by its code.
            if named && (block.name_wide > radius * 2.4 || !block.has_name()) {
                continue;
            }
            let price = |rect: Rect| fields.price(n, rect, water);
            let places =
                around(middle, radius, size).into_iter().map(|(r, far)| (r, far + price(r)));
            if let Some((rect, price)) = mask.best(places) {
                // A name costs a little: it may stand aside, but not far.
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
                (self.badge(badge, (rect.x + rect.w + 1.0 + f64::from(nth) * 13.0, rect.y)))
            }
        };
        Some((rect, drawing))
    }

    /// What happened in a place, at the corner of its name.
    fn badge(&self, sign: &Sign, (x, y): (f64, f64)) -> Markup {
        let r = f64::from(self.look.font) * 0.62;
        html! {
            circle cx=(at(x)) cy=(at(y)) r=(at(r)) fill="#fff" stroke="#b00" stroke-width="1.5" {}
            @match sign.shape {
                Shape::Flag => { (flag((x, y), r)) }
                _ => { (blades((x, y), r * 0.5)) }
            }
        }
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

/// Places for a rectangle around a point: on it, within its area, beside it, and farther out.
fn around((x, y): (f64, f64), radius: f64, size: (f64, f64)) -> Vec<(Rect, f64)> {
    let mut places = vec![(Rect::around((x, y), size), 0.0)];
    let reach = [0.3, 0.6, 0.9].map(|part| radius * part);
    let beyond = [8.0, 16.0, 26.0, 38.0, 52.0, 66.0].map(|more| radius + more);
    for (step, far) in (1..).zip(reach.into_iter().chain(beyond)) {
        for turn in 0..16 {
            let angle = f64::from(turn) * std::f64::consts::TAU / 16.0;
            // Beside a point, a wide rectangle stands farther away than above it.
            let (dx, dy) = (angle.cos(), angle.sin());
            let out = if step > 3 { 0.5 } else { 0.0 };
            let middle = (x + dx * (far + size.0 * out), y + dy * (far + size.1 * out));
            places.push((Rect::around(middle, size), f64::from(step) * 1.5 + far / 12.0));
        }
    }
    places
}

/// Where a line from an area to its name ends; `None` where the name stands in the area or
/// right beside it.
fn leader((x, y): (f64, f64), rect: Rect, radius: f64) -> Option<(f64, f64)> {
    let near = (x.clamp(rect.x, rect.x + rect.w), y.clamp(rect.y, rect.y + rect.h));
    let far = ((near.0 - x).powi(2) + (near.1 - y).powi(2)).sqrt();
    (far > radius.max(4.0) + 2.0).then_some(near)
}

/// Whose cells a sheet shows, for where a name may stand.
struct Fields {
    wide: usize,
    high: usize,
    /// The number of a node and one, of water and of land in none; 0: nothing.
    of: Vec<u16>,
    waters: BTreeSet<u16>,
}

/// Units of a cell of [`Fields`].
const FIELD: f64 = 4.0;
/// Water and land that are no area.
const WATER: u16 = u16::MAX;
const LAND: u16 = u16::MAX - 1;

impl Fields {
    fn of(sheet: &Sheet) -> Self {
        let wide = (sheet.size.0 / FIELD).ceil() as usize;
        let high = (sheet.size.1 / FIELD).ceil() as usize;
        let mut made = Self { wide, high, of: vec![WATER; wide * high], waters: BTreeSet::new() };
        made.fill(sheet, &sheet.ground.earth.outlines.rings(NO_AREA), LAND);
        for (n, node) in sheet.nodes() {
            // A map has some hundred areas.
            let number = n as u16 + 1;
            if sheet.ground.is_water(node) {
                made.waters.insert(number);
            }
            made.fill(sheet, &sheet.ground.rings[n], number);
        }
        made
    }

    /// Gives the cells within rings a number.
    fn fill(&mut self, sheet: &Sheet, rings: &[Vec<Point>], number: u16) {
        let mut cuts: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for ring in rings {
            for (a, b) in ring.iter().zip(ring.iter().skip(1)) {
                let (a, b) = (sheet.point(*a), sheet.point(*b));
                let (top, foot) = if a.1 < b.1 { (a, b) } else { (b, a) };
                let row = |y: f64| ((y / FIELD - 0.5).ceil().max(0.0)) as usize;
                for r in row(top.1)..row(foot.1).min(self.high) {
                    let y = (r as f64 + 0.5) * FIELD;
                    let x = top.0 + (foot.0 - top.0) * (y - top.1) / (foot.1 - top.1);
                    cuts.entry(r).or_default().push(x);
                }
            }
        }
        for (r, mut xs) in cuts {
            xs.sort_by(f64::total_cmp);
            for pair in xs.chunks_exact(2) {
                let cell = |x: f64| ((x / FIELD - 0.5).ceil().max(0.0) as usize).min(self.wide);
                let (from, to) = (cell(pair[0]), cell(pair[1]));
                self.of[r * self.wide + from..r * self.wide + to.max(from)].fill(number);
            }
        }
    }

    /// What it costs that a rectangle does not lie in its own area: the most over other land.
    fn price(&self, node: usize, rect: Rect, water: bool) -> f64 {
        let own = node as u16 + 1;
        let cell = |n: f64, most: usize| ((n / FIELD).max(0.0) as usize).min(most);
        let (x, y) = (
            cell(rect.x, self.wide)..cell(rect.x + rect.w, self.wide) + 1,
            cell(rect.y, self.high)..cell(rect.y + rect.h, self.high) + 1,
        );
        let (mut sum, mut count) = (0.0, 0.0);
        for r in y.start..y.end.min(self.high) {
            for c in x.start..x.end.min(self.wide) {
                let of = self.of[r * self.wide + c];
                count += 1.0;
                sum += match of {
                    of if of == own => 0.0,
                    WATER => 6.0,
                    of if self.waters.contains(&of) => {
                        if water {
                            30.0
                        } else {
                            7.0
                        }
                    }
                    LAND => 14.0,
                    _ => 34.0,
                };
            }
        }
        sum / f64::max(count, 1.0)
    }
}

/// What is written on a space: its code, its name, counters below.
struct Block<'a> {
    code: &'a str,
    name: Option<&'a str>,
    name_wide: f64,
    rows: Vec<Vec<&'a Sign<'a>>>,
    font: u32,
}

/// Counters of a row.
const IN_ROW: usize = 2;

impl<'a> Block<'a> {
    fn of(node: &'a Node, units: &'a [Sign<'a>], font: u32, named: bool) -> Self {
        let name = named.then(|| node.name.split(" (").next().unwrap_or_default());
        let name = name.filter(|n| !n.is_empty() && *n != node.id);
        let name_wide = name.map_or(0.0, |n| f64::from(letters::bold(n, font - 1)) * 0.9);
        let rows = units.chunks(IN_ROW).map(|row| row.iter().collect()).collect();
        Self { code: &node.id, name, name_wide, rows, font }
    }

    fn has_name(&self) -> bool {
        self.name.is_some()
    }

    fn line(&self) -> f64 {
        f64::from(self.font) + 1.0
    }

    fn row_wide(&self, row: &[&Sign]) -> f64 {
        let wide: u32 = row.iter().map(|s| units::wide(s, self.font + 1) + 2).sum();
        f64::from(wide) - 2.0
    }

    fn size(&self) -> (f64, f64) {
        let code = f64::from(letters::bold(self.code, self.font));
        let rows = self.rows.iter().map(|row| self.row_wide(row)).fold(0.0, f64::max);
        let lines = 1.0 + if self.name.is_some() { 1.0 } else { 0.0 };
        let high = lines * self.line() + self.rows.len() as f64 * (self.line() + 3.0);
        (code.max(self.name_wide).max(rows) + 3.0, high + 1.0)
    }

    /// Left and top of each counter.
    fn counters(&self, rect: Rect) -> Vec<(f64, f64, &Sign<'a>)> {
        let lines = if self.name.is_some() { 2.0 } else { 1.0 };
        let mut placed = Vec::new();
        for (nth, row) in (0..).zip(&self.rows) {
            let mut left = rect.middle().0 - self.row_wide(row) / 2.0;
            let top = rect.y + self.line() * lines + 1.0 + f64::from(nth) * (self.line() + 3.0);
            for sign in row {
                placed.push((left, top, *sign));
                left += f64::from(units::wide(sign, self.font + 1) + 2);
            }
        }
        placed
    }

    fn draw(&self, rect: Rect, water: bool, font: u32) -> Markup {
        let x = rect.middle().0;
        let (ink, halo) = if water { (WATER_INK, "#def") } else { ("#111", "#fff") };
        let style = water.then_some("italic");
        let foot = |line: f64| rect.y + self.line() * (line + 1.0) - 2.0;
        html! {
            g text-anchor="middle" fill=(ink) stroke=(halo) stroke-width="2.5"
                stroke-opacity="0.85" paint-order="stroke" stroke-linejoin="round" {
                text x=(at(x)) y=(at(foot(0.0))) font-size=(font) font-weight="bold"
                    font-style=[style] { (self.code) }
                @if let Some(name) = self.name {
                    text x=(at(x)) y=(at(foot(1.0) - 1.0)) font-size=(font - 1)
                        font-style=[style] { (name) }
                }
            }
            @for (left, top, sign) in self.counters(rect) {
                (units::unit(sign, (left, top), font + 1))
            }
        }
    }
}

/// Where a line from a point within a rectangle leaves it; the point itself where it lies
/// without.
fn leaves(rect: Option<Rect>, (x, y): (f64, f64), (tx, ty): (f64, f64)) -> (f64, f64) {
    let Some(r) = rect.map(|r| r.grown(2.0)) else { return (x, y) };
    let inside = |x: f64, y: f64| x > r.x && x < r.x + r.w && y > r.y && y < r.y + r.h;
    if !inside(x, y) {
        return (x, y);
    }
    let (dx, dy) = (tx - x, ty - y);
    let side = |d: f64, low: f64, high: f64| match d {
        d if d > 0.0 => high / d,
        d if d < 0.0 => low / d,
        _ => f64::MAX,
    };
    let part = side(dx, r.x - x, r.x + r.w - x).min(side(dy, r.y - y, r.y + r.h - y)).min(0.8);
    (x + dx * part, y + dy * part)
}

/// An arrow in its mover's colour, clear of the names at both ends: whole where it was done,
/// broken where it failed.
fn arrow(
    (from, to): ((f64, f64), (f64, f64)),
    [left, reached]: [Option<Rect>; 2],
    tint: Tint,
    outcome: Outcome,
    font: u32,
) -> Markup {
    let (start, tip) = (leaves(left, from, to), leaves(reached, to, from));
    let (dx, dy) = (tip.0 - start.0, tip.1 - start.1);
    let far = (dx * dx + dy * dy).sqrt().max(1.0);
    let (ux, uy) = (dx / far, dy / far);
    let head = (f64::from(font) * 0.9).min(far * 0.6);
    let bend = far * 0.12;
    let knee = ((start.0 + tip.0) / 2.0 - uy * bend, (start.1 + tip.1) / 2.0 + ux * bend);
    // The head points the way the bend ends.
    let (hx, hy) = (tip.0 - knee.0, tip.1 - knee.1);
    let long = (hx * hx + hy * hy).sqrt().max(1.0);
    let (hx, hy) = (hx / long, hy / long);
    let neck = (tip.0 - hx * head, tip.1 - hy * head);
    let wing = |side: f64| (neck.0 - hy * head * 0.55 * side, neck.1 + hx * head * 0.55 * side);
    let (a, b) = (wing(1.0), wing(-1.0));
    let p = |(x, y): (f64, f64)| format!("{} {}", at(x), at(y));
    let shaft = format!("M{}Q{} {}", p(start), p(knee), p(neck));
    let point = format!("M{}L{}L{}z", p(tip), p(a), p(b));
    let failed = outcome == Outcome::Failed;
    let dash = failed.then_some("7 4");
    let w = f64::from(font) * 0.32;
    html! {
        g fill="none" stroke-linejoin="round" {
            path d=(shaft) stroke="#fff" stroke-width=(at(w * 1.9 + 0.7)) {}
            path d=(point) fill="#fff" stroke="#fff" stroke-width=(at(w)) {}
            path d=(shaft) stroke="#111" stroke-width=(at(w * 1.4 + 0.4)) stroke-dasharray=[dash] {}
            path d=(shaft) stroke=(hex(tint)) stroke-width=(at(w)) stroke-dasharray=[dash] {}
            path d=(point) fill=(if failed { "#fff".to_owned() } else { hex(tint) }) stroke="#111"
                stroke-width="1.2" {}
        }
    }
}

/// A border that nothing crosses.
fn barred(x: f64, y: f64) -> Markup {
    let bar = format!("M{} {}h12", at(x - 6.0), at(y));
    let ticks = format!("M{} {}v6m4 -6v6m4 -6v6", at(x - 4.0), at(y - 3.0));
    html! {
        path d=(bar) stroke="#fff" stroke-width="5" {}
        path d=(bar) stroke="#555" stroke-width="2.5" {}
        path d=(ticks) stroke="#555" stroke-width="1.2" {}
    }
}

/// A strait or canal: water between two banks.
fn strait(x: f64, y: f64) -> Markup {
    let banks = format!(
        "M{} {}q3 4 0 8M{} {}q-3 4 0 8",
        at(x - 3.5),
        at(y - 4.0),
        at(x + 3.5),
        at(y - 4.0)
    );
    html! {
        circle cx=(at(x)) cy=(at(y)) r="6" fill="#fff" stroke=(WATER_INK) {}
        path d=(banks) fill="none" stroke=(WATER_INK) stroke-width="1.6" {}
    }
}

/// Crossed blades.
fn blades((x, y): (f64, f64), r: f64) -> Markup {
    let d = format!(
        "M{} {}L{} {}M{} {}L{} {}",
        at(x - r),
        at(y - r),
        at(x + r),
        at(y + r),
        at(x + r),
        at(y - r),
        at(x - r),
        at(y + r)
    );
    html! { path d=(d) stroke="#b00" stroke-width="2" stroke-linecap="round" {} }
}

/// A flag where something changed hands.
fn flag((x, y): (f64, f64), r: f64) -> Markup {
    let (left, top) = (x - r * 0.35, y - r * 0.6);
    let pole = format!("M{} {}v{}", at(left), at(top), at(r * 1.25));
    let cloth = format!(
        "M{} {}h{}l-{} {}l{} {}h-{}z",
        at(left),
        at(top),
        at(r * 0.95),
        at(r * 0.3),
        at(r * 0.32),
        at(r * 0.3),
        at(r * 0.32),
        at(r * 0.95)
    );
    html! {
        path d=(pole) stroke="#111" stroke-width="1.3" {}
        path d=(cloth) fill="#b00" {}
    }
}
