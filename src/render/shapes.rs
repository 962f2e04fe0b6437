//! Areas of a grid of squares as smooth shapes: rings around them, and bands along a part of
//! a ring.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::tiles::Part;
use super::units::at;
use engine::report::Point;

/// How much of a corner stays when a line is smoothed; the rest comes from its neighbours.
const STAYS: f64 = 0.72;

/// A side of a square, with the area on its right hand.
#[derive(Debug, Clone, Copy)]
struct Side {
    from: Point,
    to: Point,
    /// The square beyond it.
    beyond: Point,
}

impl Side {
    /// A step of one square into the area.
    fn inwards(&self) -> (f64, f64) {
        (f64::from(self.from.1 - self.to.1), f64::from(self.to.0 - self.from.0))
    }
}

/// The outline of an area: closed rings of sides of squares, in lattice points.
pub(super) struct Outline {
    rings: Vec<Vec<Side>>,
}

impl Outline {
    /// The outline of the squares for which `has` holds, within a part of a map and one square
    /// around it.
    pub(super) fn of(part: Part, has: impl Fn(Point) -> bool) -> Self {
        let (west, north) = (part.cols.0 as i32 - 1, part.rows.0 as i32 - 1);
        let (east, south) = (part.cols.1 as i32 + 1, part.rows.1 as i32 + 1);
        let inside =
            |(x, y): Point| x >= west && y >= north && x < east && y < south && has((x, y));
        let mut starts: BTreeMap<Point, Vec<Side>> = BTreeMap::new();
        for (x, y) in (north..south).flat_map(|y| (west..east).map(move |x| (x, y))) {
            if !inside((x, y)) {
                continue;
            }
            let sides = [
                ((x, y), (x + 1, y), (x, y - 1)),
                ((x + 1, y), (x + 1, y + 1), (x + 1, y)),
                ((x + 1, y + 1), (x, y + 1), (x, y + 1)),
                ((x, y + 1), (x, y), (x - 1, y)),
            ];
            for (from, to, beyond) in sides {
                if !inside(beyond) {
                    starts.entry(from).or_default().push(Side { from, to, beyond });
                }
            }
        }
        let mut rings = Vec::new();
        let corners: Vec<Point> = starts.keys().copied().collect();
        for corner in corners.into_iter().flat_map(|c| [c, c]) {
            let Some(first) = starts.get_mut(&corner).and_then(Vec::pop) else { continue };
            let mut ring = vec![first];
            let mut last = first;
            while last.to != first.from {
                let Some(next) = starts.get_mut(&last.to) else { break };
                // Where two squares meet in a corner, each keeps its own ring: turn right.
                let ahead = (last.to.0 - last.from.0, last.to.1 - last.from.1);
                let right =
                    |s: &Side| (s.to.0 - s.from.0, s.to.1 - s.from.1) == (-ahead.1, ahead.0);
                let nth = next.iter().position(right).or(next.len().checked_sub(1));
                let Some(nth) = nth else { break };
                last = next.swap_remove(nth);
                ring.push(last);
            }
            rings.push(ring);
        }
        Self { rings }
    }

    /// Whether the outline is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.rings.is_empty()
    }

    /// The area as a closed smooth path; `place` says where a point of the lattice lies.
    pub(super) fn path(&self, place: impl Fn((f64, f64)) -> (f64, f64)) -> String {
        let mut path = String::new();
        for ring in &self.rings {
            let points: Vec<(f64, f64)> =
                smooth(&ring.iter().map(corner).collect::<Vec<_>>(), true);
            let points: Vec<(f64, f64)> = points.into_iter().map(&place).collect();
            spline(&mut path, &points, true);
        }
        path
    }

    /// The parts of the outline beyond which `is` holds, moved `inset` squares into the area, as
    /// open smooth paths.
    pub(super) fn band(
        &self,
        is: impl Fn(Point) -> bool,
        inset: f64,
        place: impl Fn((f64, f64)) -> (f64, f64),
    ) -> String {
        let mut path = String::new();
        for ring in &self.rings {
            let n = ring.len();
            let points: Vec<(f64, f64)> =
                smooth(&ring.iter().map(corner).collect::<Vec<_>>(), true);
            let moved = |i: usize| {
                let (before, after) = (ring[(i + n - 1) % n].inwards(), ring[i % n].inwards());
                let straight = before == after;
                let by = if straight { after } else { (before.0 + after.0, before.1 + after.1) };
                let (x, y) = points[i % n];
                place((x + by.0 * inset, y + by.1 * inset))
            };
            let wanted: Vec<bool> = ring.iter().map(|s| is(s.beyond)).collect();
            if wanted.iter().all(|w| *w) {
                let all: Vec<(f64, f64)> = (0..n).map(moved).collect();
                spline(&mut path, &all, true);
                continue;
            }
            // From the first wanted side after one that is not.
            let Some(start) = (0..n).find(|i| wanted[*i] && !wanted[(i + n - 1) % n]) else {
                continue;
            };
            let mut run: Vec<usize> = Vec::new();
            for i in start..=start + n {
                if wanted[i % n] && i < start + n {
                    run.push(i);
                } else if let (Some(first), Some(last)) = (run.first(), run.last()) {
                    // The curve bends around each end: from the middle of one bend to that of
                    // the other.
                    let mut points = vec![bend(&moved, *first + n - 1)];
                    points.extend(run.iter().map(|i| moved(*i)));
                    points.push(moved(*last + 1));
                    points.push(bend(&moved, *last));
                    open(&mut path, &points);
                    run.clear();
                }
            }
        }
        path
    }
}

/// The middle of the side after a corner.
fn bend(at: &impl Fn(usize) -> (f64, f64), side: usize) -> (f64, f64) {
    let (a, b) = (at(side), at(side + 1));
    ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)
}

/// A curve along points, of which the first and the last are middles of sides: it begins in the
/// middle of the first bend and ends in that of the last.
fn open(path: &mut String, points: &[(f64, f64)]) {
    let n = points.len();
    let middle = |a: (f64, f64), b: (f64, f64)| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let start = |from: (f64, f64), corner: (f64, f64), to: (f64, f64)| {
        middle(middle(from, corner), middle(corner, to))
    };
    // Between two corners lies the middle of their side.
    let first = middle(points[1], points[2]);
    let begin = start(points[0], points[1], first);
    let knee = middle(points[1], first);
    let _ = write!(
        path,
        "M{} {}Q{} {} {} {}",
        at(begin.0),
        at(begin.1),
        at(knee.0),
        at(knee.1),
        at(first.0),
        at(first.1)
    );
    for i in 2..n - 2 {
        let (corner, to) = (points[i], middle(points[i], points[i + 1]));
        let _ = write!(path, "Q{} {} {} {}", at(corner.0), at(corner.1), at(to.0), at(to.1));
    }
    let (before, corner, after) = (points[n - 3], points[n - 2], points[n - 1]);
    let from = middle(before, corner);
    let (end, knee) = (start(from, corner, after), middle(from, corner));
    let _ = write!(path, "Q{} {} {} {}", at(knee.0), at(knee.1), at(end.0), at(end.1));
}

fn corner(side: &Side) -> (f64, f64) {
    (f64::from(side.from.0), f64::from(side.from.1))
}

/// Each point drawn a little towards its neighbours: stairs become slopes.
fn smooth(points: &[(f64, f64)], closed: bool) -> Vec<(f64, f64)> {
    let n = points.len();
    let part = (1.0 - STAYS) / 2.0;
    let one = |i: usize| {
        let (a, b, c) = (points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
        if !closed && (i == 0 || i + 1 == n) {
            return b;
        }
        (b.0 * STAYS + (a.0 + c.0) * part, b.1 * STAYS + (a.1 + c.1) * part)
    };
    (0..n).map(one).collect()
}

/// A curve that runs along points, as a quadratic B-spline; straight runs are one line.
fn spline(path: &mut String, points: &[(f64, f64)], closed: bool) {
    let n = points.len();
    if n < 2 {
        return;
    }
    let middle = |a: (f64, f64), b: (f64, f64)| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let straight = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
        ((b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0)).abs() < 0.5
    };
    let start = if closed { middle(points[n - 1], points[0]) } else { points[0] };
    let _ = write!(path, "M{} {}", at(start.0), at(start.1));
    let corners = if closed { 0..n } else { 1..n - 1 };
    for i in corners {
        let (a, b, c) = (points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
        let to = middle(b, c);
        // A run goes on until it bends.
        if straight(a, b, c) {
            let bends = i + 1 >= n || !straight(b, c, points[(i + 2) % n]);
            if bends {
                let _ = write!(path, "L{} {}", at(to.0), at(to.1));
            }
        } else {
            let _ = write!(path, "Q{} {} {} {}", at(b.0), at(b.1), at(to.0), at(to.1));
        }
    }
    match closed {
        true => path.push('z'),
        false => {
            let end = points[n - 1];
            let _ = write!(path, "L{} {}", at(end.0), at(end.1));
        }
    }
}

/// A curve along points, for a way over the ground.
pub(super) fn way(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    spline(&mut path, &smooth(points, false), false);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(p: (f64, f64)) -> (f64, f64) {
        (p.0 * 20.0, p.1 * 20.0)
    }

    fn part() -> Part {
        Part { cols: (0, 6), rows: (0, 6) }
    }

    #[test]
    fn two_squares_that_meet_in_a_corner_are_two_shapes() {
        let outline = Outline::of(part(), |p| p == (1, 1) || p == (2, 2));
        assert_eq!(outline.rings.len(), 2);
        assert_eq!(outline.path(whole).matches('M').count(), 2);
        assert!(Outline::of(part(), |_| false).is_empty());
    }

    #[test]
    fn a_lake_is_a_ring_of_its_own_within_the_land() {
        let land = |(x, y): Point| (0..5).contains(&x) && (0..5).contains(&y) && (x, y) != (2, 2);
        assert_eq!(Outline::of(part(), land).rings.len(), 2);
    }

    #[test]
    fn a_band_runs_along_a_neighbour_and_never_along_the_coast() {
        // Land in two columns, a neighbour east of it.
        let outline = Outline::of(part(), |(x, y)| x < 2 && (0..4).contains(&y) && x >= 0);
        let band = outline.band(|(x, _)| x == 2, 0.1, whole);
        let columns: Vec<f64> =
            band.split(['M', 'L', 'Q']).filter_map(|p| p.split(' ').next()?.parse().ok()).collect();
        assert!(!columns.is_empty() && columns.iter().all(|x| (30.0..40.0).contains(x)), "{band}");
        assert_eq!(outline.band(|_| false, 0.1, whole), "");
    }
}
