//! Regions: areas with outlines, in the colours of their holders, with labels, hatching
//! and what stands on them.

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
const MOST: u32 = 1600;
/// Pieces of a region that are drawn; the others are counted.
const PIECES: usize = 9;
/// Units between an arrow and the middle of what stands in an area.
const BESIDE: i32 = 13;
/// Units between two lines of a label.
const LINE: i32 = 10;
/// Units between two lines of hatching, measured level.
const HATCH: usize = 8;

/// All regions, and the legend below.
pub(super) fn draw(map: &MapPicture, regions: &Regions) -> ((u32, u32), Markup) {
    let size = (u32::from(regions.size.0).max(1), u32::from(regions.size.1).max(1));
    // Thousandths of a unit for each unit.
    let scale = (MOST * 1000 / size.0.max(size.1)).min(1000);
    let (wide, high) = ((size.0 * scale).div_ceil(1000), (size.1 * scale).div_ceil(1000));
    let (whole_wide, whole_high) = (wide + 2 * MARGIN, high + 2 * MARGIN);
    let legend = legend(map, &|_| true, (whole_wide, 10));
    let smaller = match scale {
        1000 => String::new(),
        _ => format!(" scale(0.{scale:03})"),
    };
    let all = || regions.regions.iter();
    let own = || all().filter(|r| r.cell.side == Side::Own);
    let moved = map.last_move.places.iter().filter_map(|n| regions.regions.get(*n));
    let body = html! {
        g transform=(format!("translate({MARGIN} {MARGIN}){smaller}")) {
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
            @for region in all() { (label(region)) }
            @for (n, region) in all().enumerate() {
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

/// An arrow that begins and ends beside what stands there; none where there is no room.
fn beside(from: Point, to: Point) -> Markup {
    match distance(from, to) < 3 * BESIDE {
        true => html! {},
        false => arrow(from, to, (BESIDE, BESIDE)),
    }
}

fn label(region: &Region) -> Markup {
    let (x, y) = region.label_at;
    // The middle of a line of this size lies three units above its foot; a label has few.
    let above = (region.label.len() as i32 - 1) * LINE / 2 - 3;
    let foot = |n: i32| y.saturating_sub(above).saturating_add(n * LINE);
    html! {
        @for (n, words) in (0..).zip(&region.label) {
            text x=(x) y=(foot(n)) font-size="9" text-anchor="middle" stroke="#fff"
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

/// Where an edge crosses the line of a sum, by its column.
fn cut(a: Point, b: Point, sum: i64) -> Option<i64> {
    // Coordinates of any size multiply without loss.
    let (ax, bx) = (i128::from(a.0), i128::from(b.0));
    let from = ax + i128::from(a.1) - i128::from(sum);
    let to = bx + i128::from(b.1) - i128::from(sum);
    // A corner on the line belongs to one of its two edges alone. The result lies between
    // both columns.
    ((from < 0) != (to < 0)).then(|| (ax + (bx - ax) * from / (from - to)) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

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
