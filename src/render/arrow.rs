//! Arrows from place to place, such as the moves of the last step.

use maud::{Markup, html};

use super::tints::{INK, MOVED};
use super::units::at;
use engine::report::Point;

/// Units between two points, rounded down.
pub(super) fn distance(from: Point, to: Point) -> i32 {
    let (dx, dy) = (i64::from(to.0) - i64::from(from.0), i64::from(to.1) - i64::from(from.1));
    i32::try_from(dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy)).isqrt())
        .unwrap_or(i32::MAX)
}

/// An arrow between two different points: it begins `after` units past the first and ends `before`
/// units short of the second.
pub(super) fn arrow(from: Point, to: Point, (after, before): (i32, i32)) -> Markup {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let far = distance(from, to).max(1);
    // A point `along` units further on the way than another, and `left` units to the left of the
    // way.
    let point = |(x, y): Point, along: i32, left: i32| {
        (x + (dx * along - dy * left) / far, y + (dy * along + dx * left) / far)
    };
    let (start, tip) = (point(from, after, 0), point(to, -before, 0));
    let (neck, a, b) = (point(tip, -8, 0), point(tip, -10, 5), point(tip, -10, -5));
    let shaft = format!("M{} {}L{} {}", start.0, start.1, neck.0, neck.1);
    let head = format!("M{} {}L{} {}L{} {}z", tip.0, tip.1, a.0, a.1, b.0, b.1);
    html! {
        path d=(shaft) fill="none" stroke="#fff" stroke-width="5" {}
        path d=(head) fill=(MOVED) stroke="#fff" stroke-width="3" paint-order="stroke" {}
        path d=(shaft) fill="none" stroke=(MOVED) stroke-width="2.5" {}
    }
}

/// The head of an arrow of a length whose tip is at a point, as a closed path.
pub(super) fn head(from: (f64, f64), tip: (f64, f64), long: f64) -> String {
    let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
    let far = (dx * dx + dy * dy).sqrt().max(0.1);
    let (ux, uy) = (dx / far, dy / far);
    let wing = |side: f64| {
        let (x, y) = (tip.0 - ux * long, tip.1 - uy * long);
        (x - uy * long * 0.5 * side, y + ux * long * 0.5 * side)
    };
    let (a, b) = (wing(1.0), wing(-1.0));
    let p = |(x, y): (f64, f64)| format!("{} {}", at(x), at(y));
    format!("M{}L{}L{}z", p(tip), p(a), p(b))
}

/// An arrow for the legend.
pub(super) fn sample() -> Markup {
    html! {
        path d="M0 6h10" stroke=(MOVED) stroke-width="2.5" {}
        path d="M14 6L7 2v8z" fill=(MOVED) {}
    }
}

/// An arrow that got where it went, for the legend.
pub(super) fn done() -> Markup {
    html! {
        path d="M0 6h9" stroke=(INK) stroke-width="3" {}
        path d="M16 6L8 1v10z" fill=(INK) {}
    }
}

/// An arrow that did not get there, for the legend.
pub(super) fn failed() -> Markup {
    html! {
        path d="M0 6h9" stroke=(INK) stroke-width="3" stroke-dasharray="4 2" {}
        path d="M16 6L8.5 1.5v9z" fill="#fff" stroke=(INK) {}
    }
}
