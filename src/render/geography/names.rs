//! Where the names of areas are put, and what is written there: code, name, counters.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::{Sheet, WATER_INK};
use crate::letters;
use crate::place::Rect;
use crate::sign::Sign;
use crate::units::{self, at};
use engine::report::{NO_AREA, Node, Point};

/// Places for a rectangle around a point: on it, within its area, beside it, and farther out.
pub(super) fn around((x, y): (f64, f64), radius: f64, size: (f64, f64)) -> Vec<(Rect, f64)> {
    let mut places = vec![(Rect::around((x, y), size), 0.0)];
    let reach = [0.3, 0.6, 0.9].map(|part| radius * part);
    let beyond = [8.0, 16.0, 26.0, 38.0, 52.0, 66.0].map(|more| radius + more);
    for (step, far) in (1..).zip(reach.into_iter().chain(beyond)) {
        for turn in 0..16 {
            let angle = f64::from(turn) * std::f64::consts::TAU / 16.0;
            // A wide rectangle is farther away beside a point than above it.
            let (dx, dy) = (angle.cos(), angle.sin());
            let out = if step > 3 { 0.5 } else { 0.0 };
            let middle = (x + dx * (far + size.0 * out), y + dy * (far + size.1 * out));
            places.push((Rect::around(middle, size), f64::from(step) * 1.5 + far / 12.0));
        }
    }
    places
}

/// Where a line from an area to its name ends; `None` where the name is in the area or right beside
/// it.
pub(super) fn leader((x, y): (f64, f64), rect: Rect, radius: f64) -> Option<(f64, f64)> {
    let near = (x.clamp(rect.x, rect.x + rect.w), y.clamp(rect.y, rect.y + rect.h));
    let far = ((near.0 - x).powi(2) + (near.1 - y).powi(2)).sqrt();
    (far > radius.max(4.0) + 2.0).then_some(near)
}

/// The area of each cell of a sheet, to find where a name may be put.
pub(super) struct Fields {
    wide: usize,
    high: usize,
    /// For each cell the number of a node plus one, or that of water or land in no node; 0:
    /// nothing.
    of: Vec<u16>,
    waters: BTreeSet<u16>,
}

/// Units of a cell of [`Fields`].
const FIELD: f64 = 4.0;
/// Water and land that belong to no area.
const WATER: u16 = u16::MAX;
const LAND: u16 = u16::MAX - 1;

impl Fields {
    pub(super) fn of(sheet: &Sheet) -> Self {
        let wide = (sheet.size.0 / FIELD).ceil() as usize;
        let high = (sheet.size.1 / FIELD).ceil() as usize;
        let mut made = Self { wide, high, of: vec![WATER; wide * high], waters: BTreeSet::new() };
        made.fill(sheet, &sheet.ground.earth.outlines.rings(NO_AREA), LAND);
        for (n, node) in sheet.nodes() {
            // A map has a few hundred areas.
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

    /// The price of a rectangle that does not lie in its own area; it is highest over other land.
    pub(super) fn price(&self, node: usize, rect: Rect, water: bool) -> f64 {
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
pub(super) struct Block<'a> {
    code: &'a str,
    name: Option<&'a str>,
    name_wide: f64,
    rows: Vec<Vec<&'a Sign<'a>>>,
    font: u32,
}

/// Counters in a row.
const IN_ROW: usize = 2;

impl<'a> Block<'a> {
    pub(super) fn of(node: &'a Node, units: &'a [Sign<'a>], font: u32, named: bool) -> Self {
        let name = named.then(|| node.name.split(" (").next().unwrap_or_default());
        let name = name.filter(|n| !n.is_empty() && *n != node.id);
        let name_wide = name.map_or(0.0, |n| f64::from(letters::bold(n, font - 1)) * 0.9);
        let rows = units.chunks(IN_ROW).map(|row| row.iter().collect()).collect();
        Self { code: &node.id, name, name_wide, rows, font }
    }

    /// Whether it has a name that is at most this wide.
    pub(super) fn has_name_within(&self, wide: f64) -> bool {
        self.name.is_some() && self.name_wide <= wide
    }

    fn line(&self) -> f64 {
        f64::from(self.font) + 1.0
    }

    fn row_wide(&self, row: &[&Sign]) -> f64 {
        let wide: u32 = row.iter().map(|s| units::wide(s, self.font + 2) + 2).sum();
        f64::from(wide) - 2.0
    }

    pub(super) fn size(&self) -> (f64, f64) {
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
                left += f64::from(units::wide(sign, self.font + 2) + 2);
            }
        }
        placed
    }

    pub(super) fn draw(&self, rect: Rect, water: bool, font: u32) -> Markup {
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
                (units::unit(sign, (left, top), font + 2))
            }
        }
    }
}
