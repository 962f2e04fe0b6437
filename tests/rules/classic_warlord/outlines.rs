//! The outlines of the regions, made from the generator's grid: `UPDATE_EXPECT=1` writes them.
//!
//! A cell of the grid belongs to the nearest region. Where two regions touch that share no link,
//! if only by a corner, cells change hands until they do not; where four regions meet of which
//! no two that face each other may touch, a cell between them is nobody's. What is left are
//! lines from where three regions meet to where three others do; each is drawn with fewer
//! points, once for both of its sides, so that no gap and no overlap can come of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use classic_warlord::map::{Map, Place};
use classic_warlord::outlines;
use engine::report::Point;

use crate::map::{COLUMNS, ROWS, cells, whole};

const WIDE: usize = COLUMNS as usize;
const HIGH: usize = ROWS as usize;
/// How far a line may be from its border, in cells.
const TOLERANCE: f64 = 0.8;

/// The region of a cell that belongs to no region.
const NOBODY: usize = usize::MAX;

/// A corner of cells, from the north-west.
type Corner = (usize, usize);

struct Grid<'a> {
    map: &'a Map,
    /// The region of each cell, row by row from the north.
    cells: Vec<usize>,
}

impl Grid<'_> {
    fn at(&self, x: usize, y: usize) -> usize {
        self.cells[y * WIDE + x]
    }

    /// Whether two regions may touch.
    fn may(&self, a: usize, b: usize) -> bool {
        a == b || a == NOBODY || b == NOBODY || self.map.touch(Place(a as u16), Place(b as u16))
    }

    /// Contacts that must not be among the cells of a corner.
    fn faults_of(&self, x: usize, y: usize) -> usize {
        let [a, b, c, d] =
            [self.at(x, y), self.at(x + 1, y), self.at(x, y + 1), self.at(x + 1, y + 1)];
        let pairs = [(a, b), (a, c), (b, d), (c, d), (a, d), (b, c)];
        pairs.into_iter().filter(|(a, b)| !self.may(*a, *b)).count()
    }

    /// The same for all corners around a cell.
    fn faults_near(&self, x: usize, y: usize) -> usize {
        let xs = x.saturating_sub(1)..=x.min(WIDE - 2);
        let ys = || y.saturating_sub(1)..=y.min(HIGH - 2);
        xs.flat_map(|x| ys().map(move |y| (x, y))).map(|(x, y)| self.faults_of(x, y)).sum()
    }

    /// Sides that a cell shares with each region.
    fn sides(&self, x: usize, y: usize) -> Vec<usize> {
        let mut sides = Vec::new();
        if x > 0 {
            sides.push(self.at(x - 1, y));
        }
        if x + 1 < WIDE {
            sides.push(self.at(x + 1, y));
        }
        if y > 0 {
            sides.push(self.at(x, y - 1));
        }
        if y + 1 < HIGH {
            sides.push(self.at(x, y + 1));
        }
        sides
    }

    /// Whether a region stays in one piece without a cell: its cells around that one are connected.
    fn hangs_together(&self, x: usize, y: usize) -> bool {
        let own = self.at(x, y);
        let ring = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];
        let is = |(dx, dy): (i32, i32)| {
            let (x, y) = (x as i32 + dx, y as i32 + dy);
            let inside = (0..COLUMNS).contains(&x) && (0..ROWS).contains(&y);
            inside && self.at(x as usize, y as usize) == own
        };
        let around: Vec<bool> = ring.into_iter().map(is).collect();
        let begins = (0..8).filter(|n| around[*n] && !around[(n + 7) % 8]).count();
        begins == 1
    }

    /// Links of a region that touch it on fewer sides than two.
    fn thin_links(&self, regions: &BTreeSet<usize>) -> usize {
        let mut contacts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for y in 0..HIGH {
            for x in 0..WIDE {
                let a = self.at(x, y);
                let east = (x + 1 < WIDE).then(|| self.at(x + 1, y));
                let south = (y + 1 < HIGH).then(|| self.at(x, y + 1));
                let whole = |b: &usize| *b != a && a != NOBODY && *b != NOBODY;
                for b in east.into_iter().chain(south).filter(whole) {
                    *contacts.entry((a.min(b), a.max(b))).or_default() += 1;
                }
            }
        }
        let links = regions.iter().flat_map(|a| {
            let near = &self.map.regions[*a].near;
            near.iter().map(|b| (*a.min(&usize::from(b.0)), *a.max(&usize::from(b.0))))
        });
        links.filter(|pair| contacts.get(pair).copied().unwrap_or(0) < 2).count()
    }

    /// Gives cells to other regions until only linked regions touch. Returns how many wrong
    /// contacts are left.
    fn mend(&mut self) -> usize {
        for _ in 0..40 {
            let mut left = 0;
            for y in 0..HIGH - 1 {
                for x in 0..WIDE - 1 {
                    if self.faults_of(x, y) > 0 {
                        left += 1;
                        if !self.mend_corner(x, y, false) {
                            self.mend_corner(x, y, true);
                        }
                    }
                }
            }
            if left == 0 {
                return 0;
            }
        }
        let corners = (0..HIGH - 1).flat_map(|y| (0..WIDE - 1).map(move |x| (x, y)));
        corners.filter(|(x, y)| self.faults_of(*x, *y) > 0).count()
    }

    /// Makes the change of a cell near a corner that leaves fewest faults, to another region or to
    /// nobody; returns whether there is one.
    fn mend_corner(&mut self, x: usize, y: usize, to_nobody: bool) -> bool {
        let mut best: Option<(usize, usize, usize, usize)> = None;
        let xs = x.saturating_sub(1)..=(x + 2).min(WIDE - 1);
        for cx in xs {
            for cy in y.saturating_sub(1)..=(y + 2).min(HIGH - 1) {
                let own = self.at(cx, cy);
                if own == NOBODY || !self.hangs_together(cx, cy) {
                    continue;
                }
                let before = self.faults_near(cx, cy);
                let others = if to_nobody { vec![NOBODY] } else { self.sides(cx, cy) };
                for other in others {
                    if other == own || other == NOBODY && !to_nobody {
                        continue;
                    }
                    self.cells[cy * WIDE + cx] = other;
                    let after = self.faults_near(cx, cy);
                    let gain = (before + 100).saturating_sub(after);
                    let both = [own, other].into_iter().filter(|r| *r != NOBODY).collect();
                    let thin = after < before && self.thin_links(&both) > 0;
                    self.cells[cy * WIDE + cx] = own;
                    if after < before && !thin && best.is_none_or(|b| gain > b.0) {
                        best = Some((gain, cx, cy, other));
                    }
                }
            }
        }
        if let Some((_, cx, cy, other)) = best {
            self.cells[cy * WIDE + cx] = other;
        }
        best.is_some()
    }

    /// The region of a cell, 1 and up; 0 outside.
    fn beyond(&self, x: i32, y: i32) -> usize {
        let inside = (0..COLUMNS).contains(&x) && (0..ROWS).contains(&y);
        let region = if inside { self.at(x as usize, y as usize) } else { NOBODY };
        region.wrapping_add(1)
    }

    /// The regions left and right of the way from a corner to the next one.
    fn beside(&self, from: Corner, to: Corner) -> (usize, usize) {
        let (x, y) = (from.0 as i32, from.1 as i32);
        match (to.0 as i32 - x, to.1 as i32 - y) {
            (1, 0) => (self.beyond(x, y - 1), self.beyond(x, y)),
            (-1, 0) => (self.beyond(x - 1, y), self.beyond(x - 1, y - 1)),
            (0, 1) => (self.beyond(x, y), self.beyond(x - 1, y)),
            _ => (self.beyond(x - 1, y - 1), self.beyond(x, y - 1)),
        }
    }

    fn next_corners(&self, at: Corner) -> Vec<Corner> {
        let (x, y) = at;
        let mut next = Vec::new();
        if x > 0 {
            next.push((x - 1, y));
        }
        if x < WIDE {
            next.push((x + 1, y));
        }
        if y > 0 {
            next.push((x, y - 1));
        }
        if y < HIGH {
            next.push((x, y + 1));
        }
        next.retain(|to| {
            let (a, b) = self.beside(at, *to);
            a != b
        });
        next
    }

    /// Lines between places where three regions meet, with the regions left and right.
    fn lines(&self) -> Vec<(usize, usize, Vec<Corner>)> {
        let corners = || (0..=HIGH).flat_map(|y| (0..=WIDE).map(move |x| (x, y)));
        let node = |at: &Corner| {
            let rim = [(0, 0), (WIDE, 0), (0, HIGH), (WIDE, HIGH)].contains(at);
            self.next_corners(*at).len() > 2 || rim
        };
        let mut seen: BTreeSet<(Corner, Corner)> = BTreeSet::new();
        let mut lines = Vec::new();
        for start in corners().filter(node) {
            for second in self.next_corners(start) {
                if seen.contains(&(start, second)) {
                    continue;
                }
                let mut line = vec![start, second];
                let (left, right) = self.beside(start, second);
                while !node(line.last().expect("two corners")) {
                    let at = line[line.len() - 1];
                    let back = line[line.len() - 2];
                    let on = self.next_corners(at).into_iter().find(|n| *n != back);
                    line.push(on.expect("a line goes on"));
                }
                for pair in line.windows(2) {
                    seen.insert((pair[0], pair[1]));
                    seen.insert((pair[1], pair[0]));
                }
                lines.push((left, right, line));
            }
        }
        lines
    }
}

/// Fewer points that stay near a line (Douglas and Peucker).
fn simpler(line: &[Corner]) -> Vec<Corner> {
    let (first, last) = (line[0], line[line.len() - 1]);
    let (ax, ay) = (first.0 as f64, first.1 as f64);
    let (dx, dy) = (last.0 as f64 - ax, last.1 as f64 - ay);
    let length = (dx * dx + dy * dy).sqrt();
    let away = |p: &Corner| {
        let (px, py) = (p.0 as f64 - ax, p.1 as f64 - ay);
        if length == 0.0 { (px * px + py * py).sqrt() } else { (px * dy - py * dx).abs() / length }
    };
    let far = (1..line.len().saturating_sub(1))
        .max_by(|a, b| away(&line[*a]).total_cmp(&away(&line[*b])))
        .filter(|n| away(&line[*n]) > TOLERANCE);
    match far {
        None => vec![first, last],
        Some(at) => {
            let mut points = simpler(&line[..=at]);
            points.pop();
            points.extend(simpler(&line[at..]));
            points
        }
    }
}

fn drawn() -> String {
    let map = whole();
    let from_south = cells(&map);
    let rows = from_south.chunks(WIDE).rev();
    let mut grid = Grid { map: &map, cells: rows.flatten().copied().collect() };
    assert_eq!(grid.mend(), 0, "contacts of regions without a link");
    let all: BTreeSet<usize> = (0..map.len()).collect();
    assert_eq!(grid.thin_links(&all), 0, "links that can't be seen");
    let mut out = String::from(
        "# Borders of the embedded map, made by the engine's tests: the region left and right of a\n\
         # line (0: the rim of the map), then its points, east and south of the north-western\n\
         # corner in fifths of a degree.\n",
    );
    let number = |n: usize| if n == 0 { 0 } else { map.regions[n - 1].number };
    for (left, right, line) in grid.lines() {
        let _ = write!(out, "{} {}", number(left), number(right));
        for (x, y) in simpler(&line) {
            let _ = write!(out, " {x},{y}");
        }
        out.push('\n');
    }
    out
}

#[test]
fn outlines_are_those_of_the_grid() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../config/classic-warlord/outlines.txt");
    let drawn = drawn();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &drawn).expect("written");
    }
    let kept = std::fs::read_to_string(path).expect("the outlines");
    assert!(kept == drawn, "UPDATE_EXPECT=1 writes the outlines anew");
}

/// Whether two edges cross or lie on each other, not counting their ends.
fn cross(a: (Point, Point), b: (Point, Point)) -> bool {
    let turn = |p: Point, q: Point, r: Point| {
        (i64::from(q.0 - p.0) * i64::from(r.1 - p.1) - i64::from(q.1 - p.1) * i64::from(r.0 - p.0))
            .signum()
    };
    let (d1, d2) = (turn(a.0, a.1, b.0), turn(a.0, a.1, b.1));
    let (d3, d4) = (turn(b.0, b.1, a.0), turn(b.0, b.1, a.1));
    d1 * d2 < 0 && d3 * d4 < 0
}

#[test]
fn every_link_is_a_border_and_nobody_else_touches() {
    let map = whole();
    let lines = outlines::lines(outlines::EMBEDDED);
    let between = |l: &(u16, u16, Vec<Point>)| (l.0.min(l.1), l.0.max(l.1));
    let borders: BTreeSet<(u16, u16)> = lines.iter().map(between).filter(|b| b.0 > 0).collect();
    let mut links = BTreeSet::new();
    for region in &map.regions {
        let near = region.near.iter().map(|p| map.region(*p).number);
        links.extend(near.map(|n| (region.number.min(n), region.number.max(n))));
    }
    assert_eq!(borders, links);
    // Regions that share no link share no point either.
    let mut at: BTreeMap<Point, BTreeSet<u16>> = BTreeMap::new();
    for (left, right, points) in &lines {
        for point in points {
            at.entry(*point).or_default().extend([left, right].into_iter().filter(|n| **n > 0));
        }
    }
    for (point, regions) in at {
        for a in &regions {
            for b in regions.range(a + 1..) {
                assert!(links.contains(&(*a, *b)), "{a} and {b} touch at {point:?}");
            }
        }
    }
    // And no border crosses another one.
    let edges: Vec<(Point, Point)> =
        lines.iter().flat_map(|l| l.2.windows(2).map(|p| (p[0], p[1]))).collect();
    for (n, a) in edges.iter().enumerate() {
        let hit = edges[n + 1..].iter().find(|b| cross(*a, **b));
        assert_eq!(hit, None, "crosses {a:?}");
    }
}

#[test]
fn every_region_has_room_for_its_number() {
    for region in whole().regions {
        let outline = outlines::of(region.number).expect("an outline");
        assert_eq!(outline.polygons.len(), 1, "{}", region.name);
        assert!(outline.polygons[0].len() >= 3 && outline.room >= 1, "{}", region.name);
    }
}
