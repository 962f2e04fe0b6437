//! Between the areas of a map of the earth: arrows of the last step, closed borders, straits.

use maud::{Markup, html};

use super::WATER_INK;
use crate::place::Rect;
use crate::tints::hex;
use crate::units::at;
use engine::report::{Outcome, Tint};

/// Where a line from a point within a rectangle leaves it; the point itself if it lies outside.
pub(super) fn leaves(rect: Option<Rect>, (x, y): (f64, f64), (tx, ty): (f64, f64)) -> (f64, f64) {
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
pub(super) fn arrow(
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
pub(super) fn barred(x: f64, y: f64) -> Markup {
    let bar = format!("M{} {}h12", at(x - 6.0), at(y));
    let ticks = format!("M{} {}v6m4 -6v6m4 -6v6", at(x - 4.0), at(y - 3.0));
    html! {
        path d=(bar) stroke="#fff" stroke-width="5" {}
        path d=(bar) stroke="#555" stroke-width="2.5" {}
        path d=(ticks) stroke="#555" stroke-width="1.2" {}
    }
}

/// A strait or canal: water between two banks.
pub(super) fn strait(x: f64, y: f64) -> Markup {
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
