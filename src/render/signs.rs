//! What stands on a map: cities, counters of forces, generals, battles.

use maud::{Markup, html};

use super::picture::{INK, hex, seat_tint};
use engine::report::{Piece, Side, Sign};

/// The colour of what stands on a side.
fn side_colour(side: Side) -> &'static str {
    match side {
        Side::Own => "#05a",
        Side::Ally => "#075",
        Side::Foreign => "#a20",
        Side::Nobody => "#555",
    }
}

/// The box of a counter or a city. Its shape tells the side without colour: own ones are
/// square, those of allies round at the corners, foreign ones cut at them.
fn plate(side: Side, (x, y): (u32, u32), (w, h): (u32, u32), fill: &str, rim: &str) -> Markup {
    let c = 3;
    let (iw, ih) = (w - 2 * c, h - 2 * c);
    let cut = format!("M{} {y}h{iw}l{c} {c}v{ih}l-{c} {c}h-{iw}l-{c} -{c}v-{ih}z", x + c);
    html! {
        @match side {
            Side::Foreign => { path d=(cut) fill=(fill) stroke=(rim) {} }
            Side::Ally => {
                rect x=(x) y=(y) width=(w) height=(h) rx="4" fill=(fill) stroke=(rim) {}
            }
            Side::Own | Side::Nobody => {
                rect x=(x) y=(y) width=(w) height=(h) fill=(fill) stroke=(rim)
                    shape-rendering="crispEdges" {}
            }
        }
    }
}

/// A piece of the world map: cities only.
pub(super) fn dot(piece: &Piece, tile: u32) -> Markup {
    html! {
        @if piece.sign == Sign::City {
            rect x="0" y="0" width=(tile) height=(tile) stroke="#000" stroke-width="1"
                fill=(piece.holder.map_or("#fff".to_owned(), |s| hex(seat_tint(s)))) {}
        }
    }
}

/// Text with a light rim, readable on any ground.
pub(super) fn rimmed(x: u32, y: u32, size: u32, text: &str) -> Markup {
    html! {
        text x=(x) y=(y) font-size=(size) stroke="#fff" stroke-width="2" stroke-opacity="0.8"
            paint-order="stroke" fill=(INK) { (text) }
    }
}

pub(super) fn city(side: Side, level: u32, at: u32, size: u32) -> Markup {
    let fill = if side == Side::Nobody { "#fff" } else { side_colour(side) };
    let ink = if side == Side::Nobody { INK } else { "#fff" };
    html! {
        (plate(side, (at, at), (size, size), fill, "#000"))
        @if level > 0 {
            text x=(at + size / 2) y=(at + size - 3) font-size=(size - 2) font-weight="bold"
                text-anchor="middle" fill=(ink) { (level) }
        }
    }
}

/// A counter: a box for a force on land, a hull for ships, the letter of the type and
/// the size.
pub(super) fn counter(piece: &Piece, (x, y): (u32, u32), (w, h): (u32, u32), font: u32) -> Markup {
    let colour = side_colour(piece.side);
    let text = format!("{}{}", piece.code, piece.size);
    let hull = h / 2;
    let deck = format!("M{x} {y}h{w}l-{hull} {h}h-{}z", w - 2 * hull);
    html! {
        @if piece.sign == Sign::Ships {
            path d=(deck) fill=(colour) stroke="#fff" {}
        } @else {
            (plate(piece.side, (x, y), (w, h), colour, "#fff"))
        }
        text x=(x + w / 2) y=(y + h - (h - font) / 2 - 1) font-size=(font) font-weight="bold"
            text-anchor="middle" fill="#fff" { (text) }
    }
}

pub(super) fn small(piece: &Piece, tile: u32, nth: u32) -> Markup {
    html! {
        @match piece.sign {
            Sign::City => {
                (city(piece.side, piece.size, 1, 11))
                (rimmed(14, 9, 8, &piece.name))
            }
            Sign::Ruins => { (rimmed(6, 14, 11, if piece.code == "x" { "×" } else { "?" })) }
            Sign::Land | Sign::Ships => {
                // A second force of the square peeps out above the first.
                (counter(piece, (1, tile - 10 - 3 * nth.min(2)), (tile - 2, 9), 7))
            }
            Sign::General => { (star(tile - 4, 14)) }
            Sign::Battle => { (clash(tile / 2, tile / 2, 6)) }
        }
    }
}

pub(super) fn large(piece: &Piece, tile: u32, nth: u32) -> Markup {
    html! {
        @match piece.sign {
            Sign::City => {
                (city(piece.side, piece.size, 3, 14))
                (rimmed(20, 11, 8, &piece.name))
                (rimmed(20, 20, 7, &piece.code))
            }
            Sign::Ruins => { (rimmed(4, 14, 9, if piece.code == "x" { "empty" } else { "ruins" })) }
            Sign::Land | Sign::Ships => {
                (counter(piece, (4 + 3 * nth, tile - 16 - 13 * nth.min(2)), (30, 12), 9))
            }
            Sign::General => { (star(tile - 7, tile - 8)) }
            Sign::Battle => { (clash(tile - 14, tile / 2 - 2, 8)) }
        }
    }
}

/// A general's star.
pub(super) fn star(x: u32, y: u32) -> Markup {
    // Ten corners around the middle, in tenths of a unit.
    const CORNERS: [(i32, i32); 10] = [
        (0, -60),
        (15, -20),
        (57, -19),
        (24, 8),
        (35, 49),
        (0, 25),
        (-35, 49),
        (-24, 8),
        (-57, -19),
        (-15, -20),
    ];
    let point = |&(dx, dy): &(i32, i32)| {
        format!(
            "{:.1},{:.1}",
            f64::from(x as i32 * 10 + dx) / 10.0,
            f64::from(y as i32 * 10 + dy) / 10.0
        )
    };
    let points: Vec<String> = CORNERS.iter().map(point).collect();
    html! { polygon points=(points.join(" ")) fill="#fc0" stroke="#000" stroke-width="0.8" {} }
}

/// Crossed blades where something was fought over.
pub(super) fn clash(x: u32, y: u32, r: u32) -> Markup {
    let d = format!("M{} {}l{} {}m0 -{}l-{} {}", x - r, y - r, 2 * r, 2 * r, 2 * r, 2 * r, 2 * r);
    html! {
        path d=(d) stroke="#fff" stroke-width="5" stroke-opacity="0.8" {}
        path d=(d) stroke="#b00" stroke-width="2.5" {}
    }
}
