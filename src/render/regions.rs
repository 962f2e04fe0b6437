//! Regions: areas with outlines, in the colours of their holders, with labels, hatching and pieces.

use std::fmt::Write;

use maud::{Markup, html};

use super::arrow::{arrow, distance};
use super::legend::legend;
use super::sign::Sign;
use super::signs::chips;
use super::tints::{self, BORDER_OWN, INK, MOVED, hex};
use engine::report::{MapPicture, Point, Region, Regions, Side, Tint};

/// Units on each side of the drawing.
const MARGIN: u32 = 8;
/// Width and height of a drawing, at most; a larger one is made smaller.
const MOST: u32 = 2000;
/// Pieces of a region that are drawn; the others are counted.
const PIECES: usize = 9;
/// Units between an arrow and the middle of the pieces in an area.
const BESIDE: i32 = 13;
/// Units between two lines of a label.
const LINE: i32 = 11;
/// Units between two lines of hatching, measured horizontally.
const HATCH: usize = 8;

/// Units of a part around the reader, at most: as many as a phone shows in their own size.
const NEAR: i32 = 344;
/// Units at the rim of a part where nothing is written: it would be cut.
const RIM: i32 = 20;
/// What a battle beside own regions weighs when a part is chosen.
const FOUGHT: usize = 3;

/// A part of the drawing: its north-western corner, its width and its height.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    at: Point,
    size: (u32, u32),
}

impl Window {
    /// Whether a point lies within, at least `rim` units from its rim.
    fn has(&self, point: Point, rim: i32) -> bool {
        let inside =
            |p: i32, from: i32, long: u32| (from + rim..=from + long as i32 - rim).contains(&p);
        inside(point.0, self.at.0, self.size.0) && inside(point.1, self.at.1, self.size.1)
    }

    /// Whether a region may reach into it.
    fn meets(&self, region: &Region) -> bool {
        let points = || region.outlines.iter().flatten();
        let ((x, y), (wide, high)) = (self.at, self.size);
        let (east, south) = (x + wide as i32, y + high as i32);
        points().any(|p| p.0 >= x)
            && points().any(|p| p.0 <= east)
            && points().any(|p| p.1 >= y)
            && points().any(|p| p.1 <= south)
    }
}

/// The part around the reader's regions that lie closest together, with fighting preferred; `None`
/// if the whole is not much larger.
pub(super) fn near(map: &MapPicture, regions: &Regions) -> Option<Window> {
    let size = (i32::from(regions.size.0), i32::from(regions.size.1));
    if size.0.max(size.1) < NEAR * 3 {
        return None;
    }
    let (wide, high) = (NEAR.min(size.0), NEAR.min(size.1));
    let around = |(x, y): Point| Window {
        at: (
            x.saturating_sub(wide / 2).clamp(0, size.0 - wide),
            y.saturating_sub(high / 2).clamp(0, size.1 - high),
        ),
        size: (wide as u32, high as u32),
    };
    let own = || regions.regions.iter().filter(|r| r.cell.side == Side::Own);
    let fought = || {
        let ends = regions.arrows.iter().flat_map(|(a, b)| [*a, *b]);
        ends.chain(map.last_move.places.iter().copied()).filter_map(|n| regions.regions.get(n))
    };
    let weight = |r: &&Region| {
        let part = around(r.anchor);
        let count = own().filter(|o| part.has(o.anchor, RIM)).count();
        count + FOUGHT * fought().filter(|f| part.has(f.anchor, RIM)).count()
    };
    // Among equals, the first.
    own().rev().max_by_key(weight).map(|r| around(r.anchor))
}

/// The places of a part.
pub(super) fn places<'a>(
    regions: &'a Regions,
    part: &'a Window,
) -> impl Fn(usize) -> bool + use<'a> {
    |n| regions.regions.get(n).is_some_and(|r| part.has(r.anchor, 0))
}

/// Thousandths of a unit for each unit of a drawing.
fn scale(regions: &Regions) -> u32 {
    (MOST * 1000 / u32::from(regions.size.0.max(regions.size.1)).max(1)).min(1000)
}

/// All regions or a part, and the legend below.
pub(super) fn draw(
    map: &MapPicture,
    regions: &Regions,
    part: Option<Window>,
) -> ((u32, u32), Markup) {
    let size = (u32::from(regions.size.0).max(1), u32::from(regions.size.1).max(1));
    let whole = Window { at: (0, 0), size };
    let window = part.unwrap_or(whole);
    // A part is drawn in its own size.
    let scale = if part.is_some() { 1000 } else { scale(regions) };
    let drawn = |units: u32| (units * scale).div_ceil(1000);
    let (wide, high) = (drawn(window.size.0), drawn(window.size.1));
    let (whole_wide, whole_high) = (wide + 2 * MARGIN, high + 2 * MARGIN);
    let here = places(regions, &window);
    let on = |n: usize| part.is_none() || here(n);
    let legend = legend(map, &on, (whole_wide, 10));
    let view = format!("{} {} {} {}", window.at.0, window.at.1, window.size.0, window.size.1);
    // What is written at the rim of a part would be cut.
    let rim = if part.is_some() { RIM } else { i32::MIN / 4 };
    let all = || regions.regions.iter().filter(|r| window.meets(r));
    let told = |r: &Region| window.has(r.anchor, rim);
    let own = || all().filter(|r| r.cell.side == Side::Own);
    let moved = map.last_move.places.iter().filter_map(|n| regions.regions.get(*n));
    let body = html! {
        svg x=(MARGIN) y=(MARGIN) width=(wide) height=(high) viewBox=(view) {
            @for region in all() {
                path d=(outline(region)) fill=(hex(fill(map, region))) fill-rule="evenodd"
                    stroke="#555" {}
            }
            @for region in all().filter(|r| r.hatch) {
                path d=(hatching(&region.outlines, regions.size)) stroke=(INK) stroke-width="0.8"
                    fill="none" {}
            }
            @for region in own() {
                path d=(outline(region)) fill="none" stroke=(BORDER_OWN) stroke-width="2" {}
            }
            @for line in moved.map(outline) {
                path d=(line) fill="none" stroke="#fff" stroke-width="5" {}
                path d=(line) fill="none" stroke=(MOVED) stroke-width="3" {}
            }
            @for (from, to) in arrows(regions) { (beside(from, to)) }
            @for region in all().filter(|r| told(r)) { (label(region)) }
            @for (n, region) in regions.regions.iter().enumerate().filter(|(_, r)| told(r)) {
                @let here = map.pieces.iter().filter(|p| p.at == n);
                @let signs: Vec<Sign> = here.filter_map(|p| Sign::of(map, p)).collect();
                (chips(&signs, region.anchor, PIECES))
            }
        }
        g transform=(format!("translate(4 {whole_high})")) { (legend.1) }
    };
    ((whole_wide, whole_high + legend.0), body)
}

/// A region's own colour, else its holder's, else its terrain's.
fn fill(map: &MapPicture, region: &Region) -> Tint {
    let cell = &region.cell;
    region.fill.unwrap_or_else(|| match cell.holder {
        Some(seat) => {
            let tint = tints::land(map, seat);
            if cell.pale { tints::mix(tint, tints::FOG, 6) } else { tint }
        }
        None => tints::shade(map.terrain(cell), cell.side, cell.pale),
    })
}

/// The polygons of a region as one path.
fn outline(region: &Region) -> String {
    let mut path = String::new();
    for polygon in &region.outlines {
        for (n, (x, y)) in polygon.iter().enumerate() {
            let _ = write!(path, "{}{x} {y}", if n == 0 { "M" } else { "L" });
        }
        if !polygon.is_empty() {
            path.push('z');
        }
    }
    path
}

/// Where arrows begin and end.
fn arrows(regions: &Regions) -> impl Iterator<Item = (Point, Point)> + '_ {
    let at = |n: usize| regions.regions.get(n).map(|r| r.anchor);
    regions.arrows.iter().filter_map(move |(a, b)| Some((at(*a)?, at(*b)?)))
}

/// An arrow that begins and ends beside the pieces there; none where there is no room.
fn beside(from: Point, to: Point) -> Markup {
    match distance(from, to) < 3 * BESIDE {
        true => html! {},
        false => arrow(from, to, (BESIDE, BESIDE)),
    }
}

fn label(region: &Region) -> Markup {
    let (x, y) = region.label_at;
    // The middle of a line of this size lies three units above its foot; a label has few lines.
    let above = (region.label.len() as i32 - 1) * LINE / 2 - 3;
    let foot = |n: i32| y.saturating_sub(above).saturating_add(n * LINE);
    html! {
        @for (n, words) in (0..).zip(&region.label) {
            text x=(x) y=(foot(n)) font-size="10" text-anchor="middle" stroke="#fff"
                stroke-width="2" stroke-opacity="0.8" paint-order="stroke" fill=(INK) { (words) }
        }
    }
}

/// Slanting lines within polygons. They are cut here: a pattern would need a name, and two
/// pictures of one page might have the same.
pub(super) fn hatching(outlines: &[Vec<Point>], size: (u16, u16)) -> String {
    let mut path = String::new();
    // On each line the sum of both coordinates is the same.
    for sum in (0..i64::from(size.0) + i64::from(size.1)).step_by(HATCH) {
        let mut cuts: Vec<i64> = Vec::new();
        for polygon in outlines {
            let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
            cuts.extend(ends.filter_map(|(a, b)| cut(*a, *b, sum)));
        }
        cuts.sort_unstable();
        for pair in cuts.chunks_exact(2).filter(|pair| pair[0] < pair[1]) {
            let (from, to) = (pair[0], pair[1]);
            let _ = write!(path, "M{from} {}L{to} {}", sum - from, sum - to);
        }
    }
    path
}

/// The column in which an edge crosses the line of a sum.
fn cut(a: Point, b: Point, sum: i64) -> Option<i64> {
    // Coordinates of any size multiply without loss.
    let (ax, bx) = (i128::from(a.0), i128::from(b.0));
    let from = ax + i128::from(a.1) - i128::from(sum);
    let to = bx + i128::from(b.1) - i128::from(sum);
    // A corner on the line belongs to only one of its two edges. The result lies between both
    // columns.
    ((from < 0) != (to < 0)).then(|| (ax + (bx - ax) * from / (from - to)) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::report::MapKind;

    /// Twenty square regions in a row, the reader's those with these numbers.
    fn row(own: &[usize]) -> MapPicture {
        let region = |n: usize| {
            let (west, east) = (n as i32 * 60, n as i32 * 60 + 60);
            let side = if own.contains(&n) { Side::Own } else { Side::Nobody };
            Region {
                id: n.to_string(),
                name: format!("region {n}"),
                outlines: vec![vec![(west, 0), (east, 0), (east, 60), (west, 60)]],
                anchor: (west + 30, 30),
                label: vec![format!("r{n}")],
                label_at: (west + 30, 30),
                fill: None,
                hatch: false,
                cell: engine::report::Cell { side, ..Default::default() },
            }
        };
        let regions = Regions {
            size: (1200, 60),
            regions: (0..20).map(region).collect(),
            hatch: String::new(),
            arrows: Vec::new(),
            arrow: "attack".to_owned(),
        };
        MapPicture::new("row", "A row", MapKind::Regions(regions))
    }

    fn regions(map: &MapPicture) -> &Regions {
        let MapKind::Regions(regions) = &map.kind else { panic!("regions") };
        regions
    }

    #[test]
    fn a_phone_gets_the_part_with_most_of_the_readers_regions() {
        let map = row(&[2, 14, 15]);
        let part = near(&map, regions(&map)).expect("a part");
        assert!(places(regions(&map), &part)(14) && !places(regions(&map), &part)(2));
        let ((wide, _), drawn) = draw(&map, regions(&map), Some(part));
        assert!(wide <= NEAR as u32 + 2 * MARGIN, "{wide}");
        let drawn = drawn.into_string();
        // Names at the rim would be cut.
        let named = |n: usize| drawn.contains(&format!(">r{n}<"));
        assert_eq!((0..20).filter(|n| named(*n)).collect::<Vec<_>>(), [12, 13, 14, 15, 16]);
        assert!(near(&row(&[]), regions(&row(&[]))).is_none(), "who has nothing has no part");
    }

    #[test]
    fn a_number_of_many_digits_keeps_its_size() {
        use engine::report::{Piece, Shape, Symbol};
        let mut map = row(&[2]);
        map.symbols = vec![Symbol::new("army", "armies", Shape::Circle)];
        map.pieces = vec![Piece { size: 1234, side: Side::Own, ..Piece::new(2, 0) }];
        let drawn = draw(&map, regions(&map), None).1.into_string();
        let sizes = drawn.split("font-size=\"").skip(1).map(|s| s.split('"').next());
        let sizes: Vec<u32> = sizes.map(|s| s.expect("a size").parse().expect("whole")).collect();
        assert!(drawn.contains(">1234<") && sizes.iter().all(|s| *s >= 10), "{sizes:?}");
    }

    #[test]
    fn a_part_is_where_it_is_fought() {
        let mut map = row(&[2, 14, 15]);
        let MapKind::Regions(of) = &mut map.kind else { panic!("regions") };
        of.arrows = vec![(3, 2)];
        let part = near(&map, regions(&map)).expect("a part");
        assert!(places(regions(&map), &part)(2) && !places(regions(&map), &part)(14));
    }

    #[test]
    fn hatching_stays_within_an_outline_and_out_of_its_hole() {
        let square = |from: i32, to: i32| vec![(from, from), (to, from), (to, to), (from, to)];
        assert_eq!(hatching(&[square(0, 10)], (10, 10)), "M0 8L8 0M6 10L10 6");
        let ring = hatching(&[square(0, 40), square(10, 30)], (40, 40));
        let lines: Vec<&str> = ring.split('M').skip(1).collect();
        assert!(lines.contains(&"0 40L10 30") && lines.contains(&"30 10L40 0"), "{lines:?}");
        assert_eq!(hatching(&[vec![], vec![(3, 3)], vec![(0, 0), (9, 9)]], (10, 10)), "");
    }
}
