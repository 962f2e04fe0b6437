//! The shapes of the regions of the embedded map: polygons, and the room for labels in them.
//!
//! `outlines.txt` has each border once, for both its sides; the engine's tests generate the file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use engine::report::Point;

/// The embedded borders.
pub const EMBEDDED: &str = include_str!("../../../config/classic-warlord/outlines.txt");

/// The shape of a region, in cells east and south of the north-western corner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Its polygons.
    pub polygons: Vec<Vec<Point>>,
    /// The point within that lies farthest from its border.
    pub middle: Point,
    /// The distance from there to the border, in cells.
    pub room: i32,
}

/// Outlines by the numbers of regions, read only once.
static ALL: LazyLock<BTreeMap<u16, Outline>> = LazyLock::new(|| read(EMBEDDED));

/// The outline of a region of the embedded map.
pub fn of(number: u16) -> Option<&'static Outline> {
    ALL.get(&number)
}

/// Borders: the region on the left, the region on the right, the points.
pub fn lines(text: &str) -> Vec<(u16, u16, Vec<Point>)> {
    let line = |row: &str| {
        let mut words = row.split(' ');
        let (left, right) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let point = |word: &str| {
            let (x, y) = word.split_once(',')?;
            Some((x.parse().ok()?, y.parse().ok()?))
        };
        Some((left, right, words.map(point).collect::<Option<Vec<Point>>>()?))
    };
    text.lines().filter(|l| !l.starts_with('#')).filter_map(line).collect()
}

fn read(text: &str) -> BTreeMap<u16, Outline> {
    // Each region lies to the right of the lines around it.
    let mut around: BTreeMap<u16, BTreeMap<Point, Vec<Vec<Point>>>> = BTreeMap::new();
    for (left, right, points) in lines(text) {
        let back: Vec<Point> = points.iter().rev().copied().collect();
        for (region, line) in [(right, points), (left, back)] {
            if let Some(first) = line.first().copied().filter(|_| region > 0) {
                around.entry(region).or_default().entry(first).or_default().push(line);
            }
        }
    }
    let outline = |mut lines: BTreeMap<Point, Vec<Vec<Point>>>| {
        let mut polygons = Vec::new();
        while let Some(start) = lines.keys().next().copied() {
            let mut polygon: Vec<Point> = Vec::new();
            let mut at = start;
            while let Some(next) = lines.get_mut(&at).and_then(Vec::pop) {
                if lines.get(&at).is_some_and(Vec::is_empty) {
                    lines.remove(&at);
                }
                polygon.extend(&next[..next.len() - 1]);
                at = next[next.len() - 1];
                if at == start {
                    break;
                }
            }
            polygons.push(polygon);
        }
        // The largest polygon first: its middle is that of the region.
        polygons.sort_by_key(|p| std::cmp::Reverse(p.len()));
        let (middle, room) = middle(&polygons);
        Outline { polygons, middle, room }
    };
    around.into_iter().map(|(region, lines)| (region, outline(lines))).collect()
}

/// The point within polygons that is farthest from their edges, among the points of a grid, and its
/// distance.
fn middle(polygons: &[Vec<Point>]) -> (Point, i32) {
    let points = || polygons.iter().flatten();
    let span = |of: fn(&Point) -> i32| {
        (points().map(of).min().unwrap_or(0), points().map(of).max().unwrap_or(0))
    };
    let ((west, east), (north, south)) = (span(|p| p.0), span(|p| p.1));
    let mut best = ((west, north), -1);
    for y in north..=south {
        for x in west..=east {
            if is_within(polygons, (x, y)) {
                let room = edges(polygons).map(|(a, b)| away(a, b, (x, y))).min().unwrap_or(0);
                if room > best.1 {
                    best = ((x, y), room);
                }
            }
        }
    }
    (best.0, best.1.max(0).isqrt())
}

fn edges(polygons: &[Vec<Point>]) -> impl Iterator<Item = (Point, Point)> + use<'_> {
    let of = |p: &'_ Vec<Point>| -> Vec<(Point, Point)> {
        p.iter().copied().zip(p.iter().copied().cycle().skip(1)).collect()
    };
    polygons.iter().flat_map(of)
}

/// Whether a point lies within polygons: a line to the east crosses an odd number of edges.
fn is_within(polygons: &[Vec<Point>], (x, y): Point) -> bool {
    let crosses = |(a, b): &(Point, Point)| {
        (a.1 > y) != (b.1 > y) && {
            let (dy, dx) = (b.1 - a.1, b.0 - a.0);
            // x < a.0 + dx · (y − a.1) / dy, without a fraction.
            let side = (x - a.0) * dy - dx * (y - a.1);
            (side < 0) == (dy > 0)
        }
    };
    edges(polygons).filter(crosses).count() % 2 == 1
}

/// The square of the distance of a point from an edge.
fn away(a: Point, b: Point, p: Point) -> i32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (px, py) = (p.0 - a.0, p.1 - a.1);
    let length = dx * dx + dy * dy;
    let along = px * dx + py * dy;
    if length == 0 || along <= 0 {
        return px * px + py * py;
    }
    if along >= length {
        return (p.0 - b.0).pow(2) + (p.1 - b.1).pow(2);
    }
    let cross = i64::from(px * dy - py * dx);
    // The result is at most the square of the size of a map.
    (cross * cross / i64::from(length)) as i32
}
