//! A grid of squares as land: quiet ground with smooth coasts, a wash and an inner band in each
//! holder's colour, and on it cities, counters and names, placed so that none covers another.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use maud::{Markup, html};

use super::arrow;
use super::legend::legend;
use super::letters;
use super::look::{Look, relief_path, veil, weave};
use super::place::{Mask, Rect, beside};
use super::shapes::{Outline, way};
use super::sign::Sign;
use super::signs;
use super::tiles::Part;
use super::tints::{self, INK, MOVED, PAPER, hex, ink_on};
use super::units::{self, at};
use engine::Seat;
use engine::report::{
    Cell, Drawn, GridMap, GridStyle, MapPicture, Piece, Point, Relief, Shape, Side, Terrain, Tint,
    Weave,
};

const SEA: &str = "#cde";
const SHALLOW: [(&str, f64); 2] = [("#bde", 0.26), ("#acd", 0.12)];
const COAST: &str = "#457";
/// The holder of land: how the reader stands to the holder, and the holder's seat.
type Holder = (Side, Option<Seat>);

/// A part of a grid.
pub(super) struct Land<'a> {
    map: &'a MapPicture,
    grid: &'a GridMap,
    part: Part,
    tile: f64,
    font: u32,
}

/// A part with its labels, and the legend below.
pub(super) fn draw(
    map: &MapPicture,
    grid: &GridMap,
    part: Part,
    look: &Look,
) -> ((u32, u32), Markup) {
    let land = Land { map, grid, part, tile: f64::from(look.tile), font: look.font };
    let (left, top) = look.margin;
    let (wide, high) = (part.wide() as u32 * look.tile, part.high() as u32 * look.tile);
    let on = |place: usize| land.on(place).is_some();
    let (right, room) = (8, left + wide + 8);
    let key = legend(map, &on, (room, look.font.min(12)));
    let size = (left + wide + right, top + high + 8 + key.0);
    let is_world = grid.style == GridStyle::World;
    let body = html! {
        g transform=(format!("translate({left} {top})")) {
            (land.ground())
            @if is_world {
                (land.dots())
            } @else {
                (land.lattice())
                (land.last_move())
                (land.routes())
                (land.pieces())
            }
            @if is_world { (land.last_move()) (land.empires()) }
        }
        // The margins cover what reaches beyond the map.
        path d=(format!("M0 0H{0}V{1}H0zM{left} {top}V{2}H{3}V{top}z", size.0, size.1, top + high, left + wide))
            fill=(PAPER) fill-rule="evenodd" {}
        rect x=(left) y=(top) width=(wide) height=(high) fill="none" stroke=(INK) {}
        (land.labels(look))
        g transform=(format!("translate(0 {})", top + high + 8)) { (key.1) }
    };
    (size, body)
}

/// Only the ground of a part, in squares of a width.
pub(super) fn overview(map: &MapPicture, grid: &GridMap, part: Part, tile: u32) -> Markup {
    let land = Land { map, grid, part, tile: f64::from(tile), font: 12 };
    html! { (land.ground()) (land.empires()) }
}

impl Land<'_> {
    /// A square of the map; beyond it the nearest one, so that no coast is drawn at an edge.
    fn cell(&self, (x, y): Point) -> Option<&Cell> {
        let (cols, rows) = (self.grid.columns.len(), self.grid.rows.len());
        let (x, y) = (x.clamp(0, cols as i32 - 1) as usize, y.clamp(0, rows as i32 - 1) as usize);
        self.grid.cells.get(y * cols + x)
    }

    /// Column and row of a numbered square in the part.
    fn on(&self, place: usize) -> Option<Point> {
        let cols = self.grid.columns.len().max(1);
        let at = (place % cols, place / cols);
        self.part.has(at).then_some((at.0 as i32, at.1 as i32))
    }

    /// Where a point of the lattice lies.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        ((x - self.part.cols.0 as f64) * self.tile, (y - self.part.rows.0 as f64) * self.tile)
    }

    /// The middle of a square.
    fn middle(&self, (x, y): Point) -> (f64, f64) {
        self.place((f64::from(x) + 0.5, f64::from(y) + 0.5))
    }

    fn terrain(&self, at: Point) -> Option<&Terrain> {
        self.cell(at).and_then(|c| self.map.terrain(c))
    }

    fn is_water(&self, at: Point) -> bool {
        self.terrain(at).is_some_and(|t| t.water)
    }

    fn is_land(&self, at: Point) -> bool {
        self.terrain(at).is_some_and(|t| !t.water)
    }

    fn is_unknown(&self, at: Point) -> bool {
        self.cell(at).is_none_or(|c| c.terrain.is_none())
    }

    fn holder(&self, at: Point) -> Option<Holder> {
        let cell = self.cell(at).filter(|_| !self.is_water(at))?;
        (cell.side != Side::Nobody || cell.holder.is_some()).then_some((cell.side, cell.holder))
    }

    /// The colour of a holder: that of the seat, else that of the side.
    fn colour(&self, (side, seat): Holder) -> Tint {
        seat.map_or_else(|| tints::side(side), |seat| tints::seat(self.map, seat))
    }

    /// Squares of the part and a rim of one.
    fn squares(&self) -> impl Iterator<Item = Point> + use<> {
        let (cols, rows) = (self.part.cols, self.part.rows);
        let (west, east) = (cols.0 as i32 - 1, cols.1 as i32 + 1);
        let (north, south) = (rows.0 as i32 - 1, rows.1 as i32 + 1);
        (north..south).flat_map(move |y| (west..east).map(move |x| (x, y)))
    }

    fn size(&self) -> (f64, f64) {
        (self.part.wide() as f64 * self.tile, self.part.high() as f64 * self.tile)
    }

    fn outline(&self, has: impl Fn(Point) -> bool) -> Outline {
        Outline::of(self.part, has)
    }

    /// Ground, its holders, water and what is not known.
    fn ground(&self) -> Markup {
        let usual = self.map.terrains.iter().find(|t| !t.water).map_or(tints::FOG, |t| t.tint);
        let there: BTreeSet<u8> = self.squares().filter_map(|p| self.cell(p)?.terrain).collect();
        let place = |p| self.place(p);
        let water = self.outline(|p| self.is_water(p));
        let unknown = self.outline(|p| self.is_unknown(p));
        let size = self.size();
        html! {
            rect width=(at(size.0)) height=(at(size.1)) fill=(hex(usual)) {}
            @for (n, terrain) in (0..).zip(&self.map.terrains) {
                @if there.contains(&n) && !terrain.water && terrain.tint != usual {
                    @let is = |p: Point| self.cell(p).is_some_and(|c| c.terrain == Some(n));
                    @let area = self.outline(is);
                    @if matches!(terrain.relief, Relief::Peak | Relief::Hill) {
                        // Light falls from the north-west.
                        path d=(area.path(|p| place((p.0 + 0.09, p.1 + 0.12)))) fill="#876"
                            fill-opacity="0.35" {}
                        path d=(area.path(|p| place((p.0 - 0.05, p.1 - 0.06)))) fill="#fff"
                            fill-opacity="0.45" {}
                    }
                    path d=(area.path(place)) fill=(hex(terrain.tint)) {}
                }
            }
            (self.marks())
            (self.holdings())
            @if !water.is_empty() {
                path d=(water.path(place)) fill=(SEA) {}
                g fill="none" {
                    @for (colour, inset) in SHALLOW {
                        path d=(water.band(|p| self.is_land(p), inset, place)) stroke=(colour)
                            stroke-width=(at(self.tile * 0.16)) {}
                    }
                    path d=(water.band(|p| self.is_land(p), 0.0, place)) stroke=(COAST)
                        stroke-width=(at((self.tile / 14.0).clamp(0.7, 1.8))) {}
                }
            }
            (self.veil())
            @if !unknown.is_empty() {
                path d=(unknown.path(place)) fill=(PAPER) {}
                path d=(unknown.band(|p| !self.is_unknown(p), 0.0, place)) fill="none"
                    stroke="#bba" stroke-width="1" stroke-dasharray="2 3" {}
            }
        }
    }

    /// The veil over squares that are not in sight now.
    fn veil(&self) -> Markup {
        if self.grid.style == GridStyle::World {
            return html! {};
        }
        let hidden = |p: Point| !self.is_unknown(p) && self.cell(p).is_some_and(|c| c.veiled);
        let area = self.outline(hidden);
        html! {
            @if !area.is_empty() { (veil(&area.path(|p| self.place(p)))) }
        }
    }

    /// Small drawings of the ground, some for each area.
    fn marks(&self) -> Markup {
        if self.tile < 16.0 {
            return html! {};
        }
        let mut drawn: BTreeMap<u8, Vec<Point>> = BTreeMap::new();
        let mut path = String::new();
        // The same squares have marks every turn.
        let mut order: Vec<Point> = self.squares().filter(|p| self.is_land(*p)).collect();
        order
            .sort_by_key(|(x, y)| (x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)).rem_euclid(997));
        let apart = if self.tile > 30.0 { 1.5 } else { 2.2 };
        for (x, y) in order {
            let (Some(number), Some(terrain)) =
                (self.cell((x, y)).and_then(|c| c.terrain), self.terrain((x, y)))
            else {
                continue;
            };
            let others = drawn.entry(number).or_default();
            let far = |o: &Point| f64::from((o.0 - x).abs().max((o.1 - y).abs())) >= apart;
            if terrain.relief == Relief::None || !others.iter().all(far) {
                continue;
            }
            others.push((x, y));
            let (cx, cy) = self.middle((x, y));
            let unit = if self.tile > 30.0 { 3 } else { 2 };
            // A map has a few thousand units.
            if let Some(mark) = relief_path(terrain.relief, (cx as i32, cy as i32), unit) {
                path.push_str(&mark);
            }
        }
        html! {
            @if !path.is_empty() {
                path d=(path) fill="none" stroke="#776" stroke-opacity="0.6" {}
            }
        }
    }

    /// Each holder's land: a wash, an inner band against everybody else, hatching where it is
    /// pale.
    fn holdings(&self) -> Markup {
        let holders: BTreeSet<Holder> = self.squares().filter_map(|p| self.holder(p)).collect();
        let place = |p| self.place(p);
        let band = (self.tile * 0.17).clamp(1.2, 5.0);
        let inset = band / self.tile / 2.0;
        let world = self.grid.style == GridStyle::World;
        let mut pale = String::new();
        for p in self.squares().filter(|p| self.cell(*p).is_some_and(|c| c.pale)) {
            if self.holder(p).is_some() && !world {
                let ((x, y), half) = (self.middle(p), self.tile / 2.0);
                let _ = write!(
                    pale,
                    "M{} {}L{} {}M{} {}L{} {}",
                    at(x - half),
                    at(y),
                    at(x),
                    at(y - half),
                    at(x),
                    at(y + half),
                    at(x + half),
                    at(y)
                );
            }
        }
        html! {
            @for one in holders {
                @let area = self.outline(|p| self.holder(p) == Some(one));
                @let colour = hex(self.colour(one));
                @let wash = match (world, one.0) { (true, _) => "0.8", (_, Side::Own) => "0.32", _ => "0.22" };
                path d=(area.path(place)) fill=(colour) fill-opacity=(wash) {}
                @let other = |p: Point| self.is_land(p) && self.holder(p) != Some(one);
                @if world {
                    path d=(area.band(other, 0.0, place)) fill="none" stroke="#332" stroke-width="1" {}
                } @else {
                    path d=(area.band(other, inset, place)) fill="none" stroke=(colour)
                        stroke-width=(at(band)) {}
                    @if let Some(dashes) = one.1.map(Weave::of_seat).and_then(weave) {
                        path d=(area.band(other, inset, place)) fill="none" stroke="#fff"
                            stroke-width=(at(band * 0.4)) stroke-dasharray=(dashes)
                            stroke-linecap="round" {}
                    }
                    @let rival = |p: Point| self.holder(p).is_some_and(|h| h != one);
                    path d=(area.band(rival, 0.0, place)) fill="none" stroke="#221"
                        stroke-width="0.9" {}
                }
            }
            @if !pale.is_empty() {
                path d=(pale) fill="none" stroke=(INK) stroke-opacity="0.4" stroke-width="1" {}
            }
        }
    }

    /// Faint lines between squares, firmer at every fifth.
    fn lattice(&self) -> Markup {
        let size = self.size();
        let (mut fine, mut firm) = (String::new(), String::new());
        for x in 1..self.part.wide() {
            let line = if (self.part.cols.0 + x).is_multiple_of(5) { &mut firm } else { &mut fine };
            let _ = write!(line, "M{} 0v{}", at(x as f64 * self.tile), at(size.1));
        }
        for y in 1..self.part.high() {
            let line = if (self.part.rows.0 + y).is_multiple_of(5) { &mut firm } else { &mut fine };
            let _ = write!(line, "M0 {}h{}", at(y as f64 * self.tile), at(size.0));
        }
        html! {
            g stroke="#332" shape-rendering="crispEdges" {
                path d=(fine) stroke-opacity="0.07" {}
                path d=(firm) stroke-opacity="0.18" {}
            }
        }
    }

    /// Outlines of the squares that the last move touched.
    fn last_move(&self) -> Markup {
        let touched: BTreeSet<Point> =
            self.map.last_move.places.iter().filter_map(|p| self.on(*p)).collect();
        if touched.is_empty() {
            return html! {};
        }
        let path = self.outline(|p| touched.contains(&p)).path(|p| self.place(p));
        html! {
            path d=(path) fill="none" stroke="#fff" stroke-width="5" {}
            path d=(path) fill="none" stroke=(MOVED) stroke-width="2.5" {}
        }
    }

    /// Arrows from forces along the way that they will go.
    fn routes(&self) -> Markup {
        html! {
            @for route in &self.grid.routes {
                @let stops = std::iter::once(&route.from).chain(&route.way).chain([&route.to]);
                @let points: Vec<(f64, f64)> = stops.map(|p| self.middle(*p)).collect();
                @if let [.., before, goal] = points[..] {
                    @let path = way(&points);
                    path d=(path) fill="none" stroke="#fff" stroke-opacity="0.8" stroke-width="4.5"
                        stroke-linejoin="round" {}
                    path d=(path) fill="none" stroke="#124" stroke-width="2" stroke-linejoin="round"
                        stroke-dasharray="5 3" {}
                    path d=(arrow::head(before, goal, self.tile.min(24.0) * 0.45)) fill="#124"
                        stroke="#fff" stroke-width="1" {}
                }
            }
        }
    }

    /// Pieces of a map of the world, where a square has no room for more than a colour.
    fn dots(&self) -> Markup {
        html! {
            @for piece in &self.map.pieces {
                @if let Some(p) = self.on(piece.at) {
                    @let (x, y) = self.place((f64::from(p.0), f64::from(p.1)));
                    g transform=(format!("translate({} {})", at(x), at(y))) {
                        (signs::dot(self.map, piece, self.tile as u32))
                    }
                }
            }
        }
    }

    /// The number of each holder where its land is widest.
    fn empires(&self) -> Markup {
        // Where a key names the colours, numbers would only hide what is small.
        if !self.map.colours.is_empty() {
            return html! {};
        }
        let mut squares: BTreeMap<Seat, Vec<Point>> = BTreeMap::new();
        for p in self.squares() {
            if let Some((_, Some(seat))) = self.holder(p) {
                squares.entry(seat).or_default().push(p);
            }
        }
        let mut order: Vec<(Seat, Vec<Point>)> = squares.into_iter().collect();
        order.sort_by_key(|(seat, all)| (std::cmp::Reverse(all.len()), *seat));
        let mut mask = Mask::new(self.size());
        let mut drawn = Vec::new();
        for (seat, all) in order {
            let here: BTreeSet<Point> = all.iter().copied().collect();
            let room = |p: &Point| widest(&here, *p);
            let Some(best) = all.iter().max_by_key(|p| (room(p), std::cmp::Reverse(**p))) else {
                continue;
            };
            let text = seat.to_string();
            let size =
                (f64::from(letters::bold(&text, self.font)) + 4.0, f64::from(self.font) + 2.0);
            let middle = self.middle(*best);
            let places = std::iter::once((Rect::around(middle, size), 0.0)).chain(beside(
                middle,
                0.0,
                size,
                &[0.0, 8.0],
            ));
            let Some((rect, _)) = mask.best(places) else { continue };
            mask.take(rect);
            drawn.push(html! {
                text x=(at(rect.middle().0)) y=(at(rect.y + rect.h - 3.0)) text-anchor="middle"
                    font-size=(self.font) font-weight="bold" fill="#111" stroke="#fff"
                    stroke-width="2.5" stroke-opacity="0.85" paint-order="stroke" { (text) }
            });
        }
        html! { @for one in drawn { (one) } }
    }

    /// Cities, counters, badges and names.
    fn pieces(&self) -> Markup {
        let mut here: BTreeMap<Point, Vec<(&Piece, Sign)>> = BTreeMap::new();
        for piece in &self.map.pieces {
            if let (Some(p), Some(sign)) = (self.on(piece.at), Sign::of(self.map, piece)) {
                here.entry(p).or_default().push((piece, sign));
            }
        }
        let mut sheet = Sheet::new(self);
        // What never moves first, then counters, the largest first, then the rest.
        for (p, pieces) in &here {
            pieces.iter().for_each(|(_, sign)| sheet.fixed(*p, sign));
        }
        let mut counters: Vec<(Point, &Piece, &Sign)> = Vec::new();
        for (p, pieces) in &here {
            let units = pieces.iter().filter(|(_, sign)| sign.shape.is_counter());
            counters.extend(units.map(|(piece, sign)| (*p, *piece, sign)));
        }
        counters
            .sort_by_key(|(p, _, sign)| (sign.side != Side::Own, std::cmp::Reverse(sign.size), *p));
        for (p, piece, sign) in counters {
            let general =
                here[&p].iter().any(|(g, s)| s.shape == Shape::Star && g.side == piece.side);
            sheet.counter(p, sign, piece.stack, general);
        }
        for (p, pieces) in &here {
            let units = pieces.iter().any(|(_, s)| s.shape.is_counter());
            pieces.iter().for_each(|(_, sign)| sheet.badge(*p, sign, units));
        }
        let mut names: Vec<(Point, &Sign)> = Vec::new();
        for (p, pieces) in &here {
            let named = pieces.iter().filter(|(_, s)| matches!(s.shape, Shape::City | Shape::Ruin));
            names.extend(named.map(|(_, sign)| (*p, sign)));
        }
        names.sort_by_key(|(p, sign)| {
            (sign.shape != Shape::City, sign.side != Side::Own, std::cmp::Reverse(sign.size), *p)
        });
        names.iter().for_each(|(p, sign)| sheet.name(*p, sign));
        sheet.drawn()
    }

    fn labels(&self, look: &Look) -> Markup {
        let ((left, top), part) = (look.margin, self.part);
        let shown = |n: &usize| match look.step {
            1 => true,
            // Numbers of columns begin with 1.
            step => (n + 1).is_multiple_of(step) || *n == 0,
        };
        let size = look.font.min(12);
        html! {
            g fill=(INK) font-size=(size) {
                @for x in (part.cols.0..part.cols.1).filter(shown) {
                    @let middle = self.middle((x as i32, part.rows.0 as i32)).0;
                    text x=(at(f64::from(left) + middle)) y=(top - 4) text-anchor="middle" {
                        (self.grid.columns[x])
                    }
                }
                @for y in (part.rows.0..part.rows.1).filter(shown) {
                    @let middle = self.middle((part.cols.0 as i32, y as i32)).1;
                    text x=(left - 4) y=(at(f64::from(top) + middle + f64::from(size) * 0.35))
                        text-anchor="end" { (self.grid.rows[y]) }
                }
            }
        }
    }
}

/// How many squares of an area lie around a square on each side, at least.
fn widest(here: &BTreeSet<Point>, (x, y): Point) -> i32 {
    let full = |r: i32| {
        (-r..=r).all(|d| {
            [(x + d, y - r), (x + d, y + r), (x - r, y + d), (x + r, y + d)]
                .iter()
                .all(|p| here.contains(p))
        })
    };
    (1..12).take_while(|r| full(*r)).last().unwrap_or(0)
}

/// The pieces on a sheet, and where there is room.
struct Sheet<'a> {
    land: &'a Land<'a>,
    mask: Mask,
    /// Lines from counters to their squares, under everything.
    lines: Vec<Markup>,
    below: Vec<Markup>,
    above: Vec<Markup>,
    /// The place of the first counter of a square.
    counters: BTreeMap<Point, Rect>,
}

impl<'a> Sheet<'a> {
    fn new(land: &'a Land<'a>) -> Self {
        Self {
            land,
            mask: Mask::new(land.size()),
            lines: Vec::new(),
            below: Vec::new(),
            above: Vec::new(),
            counters: BTreeMap::new(),
        }
    }

    fn drawn(self) -> Markup {
        html! {
            @for one in self.lines { (one) }
            @for one in self.below { (one) }
            @for one in self.above { (one) }
        }
    }

    /// The side of a city's plate.
    fn plate(&self) -> f64 {
        (self.land.tile * 0.68).min(20.0).max(f64::from(self.land.font) + 1.0)
    }

    /// Cities, ruins and works, which stand in the middle of their squares.
    fn fixed(&mut self, p: Point, sign: &Sign) {
        let middle = self.land.middle(p);
        let side = self.plate();
        let rect = Rect::around(middle, (side, side));
        let drawn = match sign.shape.drawn() {
            Drawn::City => {
                self.mask.take(rect);
                signs::city_at(sign, (rect.x, rect.y), side)
            }
            Drawn::Ruin => {
                let (x, y) = (middle.0, middle.1 + f64::from(self.land.font) * 0.36);
                self.mask.take(Rect::around(middle, (9.0, 11.0)));
                html! {
                    text x=(at(x)) y=(at(y)) text-anchor="middle" font-size=(self.land.font)
                        font-weight="bold" stroke="#fff" stroke-width="2" paint-order="stroke"
                        fill=(INK) { (sign.code) }
                }
            }
            Drawn::Stone => {
                let r = (self.land.tile * 0.3).min(9.0);
                html! {
                    g transform=(format!("translate({} {})", at(middle.0 - r), at(middle.1 - r))) {
                        (signs::stone_in(sign, r))
                    }
                }
            }
            // Counters and badges are drawn above.
            Drawn::Land | Drawn::Sea | Drawn::Air => return,
            Drawn::Star | Drawn::Bomb | Drawn::Battle | Drawn::Flag => return,
        };
        self.below.push(drawn);
    }

    /// A counter in its square, else as near as there is room, with a line to its square.
    fn counter(&mut self, p: Point, sign: &Sign, stack: u16, general: bool) {
        let middle = self.land.middle(p);
        let high = self.land.font + 3;
        let badge = if stack > 1 { 7.0 } else { 0.0 };
        let full = (f64::from(units::wide(sign, high)) + badge, f64::from(high) + 1.0);
        let rim = if !self.mask.is_free(Rect::around(middle, (4.0, 4.0))) {
            self.plate() / 2.0
        } else {
            0.0
        };
        let tile = self.land.tile;
        let centre = std::iter::once((Rect::around(middle, full), 0.0));
        let places = centre.chain(beside(middle, rim, full, &[1.0, tile * 0.5, tile]));
        let Some((rect, _)) = self.mask.best(places) else {
            // Without room for its text, it is a spot in the holder's colour.
            self.above.push(html! {
                circle cx=(at(middle.0)) cy=(at(middle.1)) r=(at(tile * 0.2)) fill=(hex(sign.tint))
                    stroke="#111" {}
            });
            return;
        };
        self.mask.take(rect);
        self.counters.entry(p).or_insert(rect);
        let to = (middle.0.clamp(rect.x, rect.x + rect.w), middle.1.clamp(rect.y, rect.y + rect.h));
        let far = (to.0 - middle.0).abs().max((to.1 - middle.1).abs()) > tile * 0.5;
        if far {
            self.lines.push(html! {
                path d=(format!("M{} {}L{} {}", at(middle.0), at(middle.1), at(to.0), at(to.1)))
                    stroke=(INK) stroke-width="1.2" {}
                circle cx=(at(middle.0)) cy=(at(middle.1)) r="2" fill=(INK) {}
            });
        }
        self.above.push(html! {
            (units::unit(sign, (rect.x, rect.y), high))
            @if stack > 1 {
                (number(stack, (rect.x + rect.w - 4.0, rect.y + 1.0)))
            }
            @if general { (signs::star_at((rect.x + 4.0, rect.y))) }
        });
    }

    /// Generals without troops, battles, radiation: at a corner of the square or of its counter.
    fn badge(&mut self, p: Point, sign: &Sign, units: bool) {
        let r = 6.5;
        let draw: fn((f64, f64)) -> Markup = match sign.shape.drawn() {
            Drawn::Star if units => return,
            Drawn::Star => signs::star_at,
            Drawn::Bomb => signs::burst_at,
            Drawn::Battle => |at| signs::badge_at(Shape::Battle, at),
            Drawn::Flag => |at| signs::badge_at(Shape::Flag, at),
            Drawn::City | Drawn::Ruin | Drawn::Stone => return,
            Drawn::Land | Drawn::Sea | Drawn::Air => return,
        };
        let middle = self.land.middle(p);
        let size = (2.0 * r, 2.0 * r);
        let half = self.land.tile / 2.0;
        let corner = (middle.0 + half, middle.1 - half);
        let near = std::iter::once((Rect::around(corner, size), 0.0));
        let places = near.chain(beside(middle, half * 0.6, size, &[0.0, 6.0, 14.0]));
        let at = self.mask.best(places).map_or(corner, |(rect, _)| {
            self.mask.take(rect);
            rect.middle()
        });
        self.above.push(draw(at));
    }

    /// The name of a city where it covers nothing; none where there is no room.
    fn name(&mut self, p: Point, sign: &Sign) {
        let large = self.land.tile > 30.0;
        let words = match (sign.name, large) {
            ("", _) => return,
            (name, true) if sign.shape == Shape::City && !sign.code.is_empty() => {
                format!("{} {name}", sign.code)
            }
            (name, _) => name.to_owned(),
        };
        // A ruin is known by its sign.
        if sign.shape == Shape::Ruin && !large {
            return;
        }
        let font = self.land.font;
        let size = (f64::from(letters::bold(&words, font)) + 2.0, f64::from(font) + 1.0);
        let middle = self.land.middle(p);
        let places = beside(middle, self.plate() / 2.0, size, &[1.0, 6.0, 12.0]);
        let Some((rect, _)) = self.mask.best(places) else { return };
        self.mask.take(rect);
        self.above.push(html! {
            text x=(at(rect.x + 1.0)) y=(at(rect.y + f64::from(font) * 0.86)) font-size=(font)
                font-weight=[(sign.side == Side::Own).then_some("bold")] stroke="#fff"
                stroke-width="2.5" stroke-opacity="0.85" paint-order="stroke"
                stroke-linejoin="round" fill=(INK) { (words) }
        });
    }
}

/// How many units a counter stands for.
fn number(count: u16, (x, y): (f64, f64)) -> Markup {
    let tint = Tint::new(15, 15, 15);
    html! {
        circle cx=(at(x)) cy=(at(y)) r="6.5" fill=(hex(tint)) stroke="#111" {}
        text x=(at(x)) y=(at(y + 3.8)) font-size="11" font-weight="bold" text-anchor="middle"
            fill=(ink_on(tint)) { (count.min(99)) }
    }
}
