//! Pieces on a map, by shape: counters, cities, stones, stars, battles.

use maud::{Markup, html};

use super::letters;
use super::sign::Sign;
use super::tints::{self, INK, hex, ink_on};
use super::units::{self, at, unit};
use engine::report::{Drawn, MapPicture, Piece, Shape, Side, Tint};

/// Lower ones are drawn first: names of cities above all grounds, forces above cities,
/// battles above all.
pub(super) fn layer(shape: Shape) -> u8 {
    match shape.drawn() {
        Drawn::City | Drawn::Ruin => 0,
        Drawn::Land | Drawn::Sea | Drawn::Air | Drawn::Stone => 1,
        Drawn::Star | Drawn::Bomb => 2,
        Drawn::Battle | Drawn::Flag => 3,
    }
}

/// The box of a counter or a city. Its form shows the side without colour: own ones are square,
/// those of allies round at the corners, foreign ones cut at them.
fn plate(side: Side, (x, y): (u32, u32), (w, h): (u32, u32), fill: Tint, rim: &str) -> Markup {
    let c = 3;
    let (iw, ih) = (w - 2 * c, h - 2 * c);
    let cut = format!("M{} {y}h{iw}l{c} {c}v{ih}l-{c} {c}h-{iw}l-{c} -{c}v-{ih}z", x + c);
    let fill = hex(fill);
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

/// A piece where a square has no room for more than a colour and a form: a city fills it, land
/// units are round, ships have a keel, aircraft wings, and a ring is empty.
pub(super) fn dot(map: &MapPicture, piece: &Piece, tile: u32) -> Markup {
    let fill = piece.holder.map_or(Tint::new(15, 15, 15), |seat| tints::seat(map, seat));
    map.symbol(piece).map_or_else(|| html! {}, |symbol| speck(symbol.shape, fill, tile))
}

/// The form of a piece in a square of such a width.
pub(super) fn speck(shape: Shape, fill: Tint, tile: u32) -> Markup {
    let (t, fill) = (f64::from(tile), hex(fill));
    let part = |of: f64| format!("{:.1}", t * of);
    let path = |d: String| html! { path d=(d) fill=(fill) stroke="#000" stroke-width="0.7" {} };
    let square = || format!("M{0} {0}H{1}V{1}H{0}z", part(0.2), part(0.8));
    match (shape.drawn(), shape) {
        (Drawn::City, _) => html! {
            rect x="0" y="0" width=(tile) height=(tile) stroke="#000" stroke-width="1"
                fill=(fill) {}
        },
        (Drawn::Land, _) => html! {
            circle cx=(part(0.5)) cy=(part(0.5)) r=(part(0.36)) fill=(fill) stroke="#000"
                stroke-width="0.7" {}
        },
        (Drawn::Sea, _) => path(format!(
            "M{} {}H{}L{} {}z",
            part(0.05),
            part(0.3),
            part(0.95),
            part(0.5),
            part(0.95)
        )),
        (Drawn::Air, _) => path(format!(
            "M{} {}H{}L{} {}z",
            part(0.1),
            part(0.85),
            part(0.9),
            part(0.5),
            part(0.05)
        )),
        (Drawn::Stone, Shape::Circle) => html! {
            circle cx=(part(0.5)) cy=(part(0.5)) r=(part(0.34)) fill="none" stroke=(fill)
                stroke-width=(part(0.2)) {}
        },
        (Drawn::Stone | Drawn::Ruin | Drawn::Star, _) => path(square()),
        (Drawn::Bomb | Drawn::Battle | Drawn::Flag, _) => path(square()),
    }
}

/// Text with a light rim, readable on any ground.
pub(super) fn rimmed(x: u32, y: u32, size: u32, text: &str) -> Markup {
    html! {
        text x=(x) y=(y) font-size=(size) stroke="#fff" stroke-width="2" stroke-opacity="0.8"
            paint-order="stroke" fill=(INK) { (text) }
    }
}

fn city(sign: &Sign, at: u32, size: u32) -> Markup {
    html! {
        (plate(sign.side, (at, at), (size, size), sign.tint, "#000"))
        @if sign.size > 0 {
            text x=(at + size / 2) y=(at + size - 3) font-size=(size - 2) font-weight="bold"
                text-anchor="middle" fill=(ink_on(sign.tint)) { (sign.size) }
        }
    }
}

/// A city's plate whose north-western corner is at a point.
pub(super) fn city_at(sign: &Sign, (x, y): (f64, f64), side: f64) -> Markup {
    let font = side * 0.74;
    let (cx, foot) = (x + side / 2.0, y + side / 2.0 + font * 0.36);
    let round = match sign.side {
        Side::Ally => Some("5"),
        _ => None,
    };
    html! {
        rect x=(at(x)) y=(at(y)) width=(at(side)) height=(at(side)) rx=[round] fill=(hex(sign.tint))
            stroke="#fff" stroke-width="3.5" paint-order="stroke" {}
        rect x=(at(x)) y=(at(y)) width=(at(side)) height=(at(side)) rx=[round] fill="none"
            stroke="#111" stroke-width="1.4" {}
        @if sign.size > 0 {
            text x=(at(cx)) y=(at(foot)) font-size=(at(font)) font-weight="bold"
                text-anchor="middle" fill=(ink_on(sign.tint)) { (sign.size) }
        }
    }
}

/// A stone of a radius whose north-western corner is the origin.
pub(super) fn stone_in(sign: &Sign, r: f64) -> Markup {
    // A stone measures a few units.
    let r = r as u32;
    stone(sign, (r, r), r)
}

/// A star around a point.
pub(super) fn star_at((x, y): (f64, f64)) -> Markup {
    html! { g transform=(format!("translate({} {})", at(x - 7.0), at(y - 7.0))) { (star(7, 7)) } }
}

/// A burst around a point.
pub(super) fn burst_at((x, y): (f64, f64)) -> Markup {
    html! { g transform=(format!("translate({} {})", at(x - 7.0), at(y - 7.0))) { (burst(7, 7)) } }
}

/// What happened in a place, on a disc around a point: blades where it was fought over, a flag
/// where it changed hands.
pub(super) fn badge_at(shape: Shape, (x, y): (f64, f64)) -> Markup {
    html! {
        g transform=(format!("translate({} {})", at(x), at(y))) {
            circle r="6.5" fill="#fff" stroke="#b00" stroke-width="1.4" {}
            @if shape == Shape::Flag {
                g transform="translate(-4.5 -4.6) scale(0.75)" { (flag()) }
            } @else {
                path d="M-3.2 -3.2l6.4 6.4m0 -6.4l-6.4 6.4" stroke="#b00" stroke-width="2"
                    stroke-linecap="round" {}
            }
        }
    }
}

/// Half the width of a stone of a radius: as much as its text needs, because that keeps its size.
fn stone_half(sign: &Sign, r: u32) -> u32 {
    (letters::bold(&sign.figures(), r + 2).div_ceil(2) + 1).max(r)
}

/// A stone of a board game around a point, with its code. A foreign one without a code has
/// a dot, so that its colour is not the only sign of its side.
fn stone(sign: &Sign, (x, y): (u32, u32), r: u32) -> Markup {
    let (fill, ink) = (hex(sign.tint), ink_on(sign.tint));
    let (top, half, font) = (y - r, stone_half(sign, r), r + 2);
    let left = i64::from(x) - i64::from(half);
    let triangle = format!("M{x} {top}l{r} {}h-{}z", 2 * r - 1, 2 * r);
    let diamond = format!("M{x} {top}l{r} {r}l-{r} {r}l-{r} -{r}z");
    let text = sign.figures();
    html! {
        @match sign.shape {
            Shape::Triangle => { path d=(triangle) fill=(fill) stroke="#000" {} }
            Shape::Diamond => { path d=(diamond) fill=(fill) stroke="#000" {} }
            shape if shape == Shape::Square || half > r => {
                rect x=(left) y=(top) width=(2 * half) height=(2 * r)
                    rx=[(shape != Shape::Square).then_some(r)] fill=(fill) stroke="#000" {}
            }
            _ => { circle cx=(x) cy=(y) r=(r) fill=(fill) stroke="#000" {} }
        }
        @if !text.is_empty() {
            text x=(x) y=(y + font * 3 / 8) font-size=(font) font-weight="bold" text-anchor="middle"
                fill=(ink) { (text) }
        } @else if sign.side == Side::Foreign {
            circle cx=(x) cy=(y) r="2" fill=(ink) {}
        }
    }
}

/// A piece in a small square; `nth` counts the counters below it.
pub(super) fn small(sign: &Sign, tile: u32, nth: u32) -> Markup {
    let half = tile / 2;
    html! {
        @match sign.shape.drawn() {
            Drawn::City => {
                (city(sign, 1, 11))
                (rimmed(14, 9, 8, sign.name))
            }
            Drawn::Ruin => { (rimmed(6, 14, 11, sign.code)) }
            // A second force of the square peeps out above the first.
            Drawn::Land | Drawn::Sea | Drawn::Air => {
                (unit(sign, (1.0, f64::from(tile - 10 - 3 * nth.min(2))), 9))
            }
            Drawn::Star => { (star(tile - 4, 14)) }
            Drawn::Bomb => { (burst(half, half)) }
            Drawn::Battle => { (clash(half, half, 6)) }
            Drawn::Flag => { (badge_at(sign.shape, (f64::from(half), f64::from(half)))) }
            Drawn::Stone => { (stone(sign, (half, half), 6)) }
        }
    }
}

/// A piece in a large square; `nth` counts the counters below it.
pub(super) fn large(sign: &Sign, tile: u32, nth: u32) -> Markup {
    let half = tile / 2;
    html! {
        @match sign.shape.drawn() {
            Drawn::City => {
                (city(sign, 3, 14))
                (rimmed(20, 11, 8, sign.name))
                (rimmed(20, 20, 7, sign.code))
            }
            Drawn::Ruin => { (rimmed(4, 14, 9, sign.name)) }
            Drawn::Land | Drawn::Sea | Drawn::Air => {
                (unit(sign, (f64::from(4 + 3 * nth), f64::from(tile - 16 - 13 * nth.min(2))), 12))
            }
            Drawn::Star => { (star(tile - 7, tile - 8)) }
            Drawn::Bomb => { (burst(tile - 14, half - 2)) }
            Drawn::Battle => { (clash(tile - 14, half - 2, 8)) }
            Drawn::Flag => { (badge_at(sign.shape, (f64::from(tile - 14), f64::from(half - 2)))) }
            Drawn::Stone => { (stone(sign, (half, half), 9)) }
        }
    }
}

/// A piece in the middle of a square of a board; `nth` counts the pieces below it.
pub(super) fn middle(sign: &Sign, tile: u32, nth: u32) -> Markup {
    let (half, up) = (tile / 2, 3 * nth.min(3));
    let by = format!("translate(0 -{up})");
    html! {
        g transform=[(up > 0).then_some(by)] {
            @match sign.shape.drawn() {
                Drawn::City => { (city(sign, half - 8, 16)) }
                Drawn::Ruin => { (rimmed(half - 5, half + 5, 14, sign.code)) }
                Drawn::Land | Drawn::Sea | Drawn::Air => {
                    (unit(sign, (middle_of(sign, tile), f64::from(half - 7)), 14))
                }
                Drawn::Star => { (star(half, half)) }
                Drawn::Bomb => { (burst(half, half)) }
                Drawn::Battle => { (clash(half, half, 9)) }
                Drawn::Flag => { (badge_at(sign.shape, (f64::from(half), f64::from(half)))) }
                Drawn::Stone => { (stone(sign, (half, half), tile / 3)) }
            }
        }
    }
}

/// The left edge of a counter in the middle of a square.
fn middle_of(sign: &Sign, tile: u32) -> f64 {
    (f64::from(tile) - f64::from(units::wide(sign, 14))) / 2.0
}

/// Height of a [`chip`].
pub(super) const CHIP_HIGH: u32 = 14;

/// Radius of a stone among them.
const STONE: u32 = 8;

/// Width of a [`chip`].
pub(super) fn chip_wide(sign: &Sign) -> u32 {
    match sign.shape.is_counter() {
        true => units::wide(sign, CHIP_HIGH - 1),
        false => 2 * stone_half(sign, STONE),
    }
}

/// A piece in the least room, for legends, nodes and regions.
pub(super) fn chip(sign: &Sign) -> Markup {
    html! {
        @match sign.shape.drawn() {
            Drawn::City => { (city(sign, 0, CHIP_HIGH - 1)) }
            Drawn::Ruin => { (rimmed(2, 11, 11, sign.code)) }
            Drawn::Land | Drawn::Sea | Drawn::Air => { (unit(sign, (0.0, 0.5), CHIP_HIGH - 1)) }
            Drawn::Star => { (star(6, 6)) }
            Drawn::Bomb => { (burst(6, 6)) }
            Drawn::Battle => { (clash(6, 6, 5)) }
            Drawn::Flag => { (flag()) }
            Drawn::Stone => {
                g transform="translate(0 -1)" { (stone(sign, (stone_half(sign, STONE), STONE), STONE)) }
            }
        }
    }
}

/// A flag in a box of twelve units.
fn flag() -> Markup {
    html! {
        path d="M3 1v11" stroke="#111" stroke-width="1.3" {}
        path d="M3 1h8l-3 3l3 3h-8z" fill="#b00" {}
    }
}

/// Chips in a row of [`chips`].
pub(super) const CHIPS_IN_ROW: usize = 3;
/// Units between two chips.
const CHIP_GAP: u32 = 2;
/// Units from a row of chips to the next.
pub(super) const CHIP_STEP: i32 = (CHIP_HIGH + CHIP_GAP) as i32;

/// Chips beside each other around a point, in rows of three: at most `most`, and the number of the
/// others, after the last row if it has room and else below.
pub(super) fn chips(signs: &[Sign], (x, y): (i32, i32), most: usize) -> Markup {
    let drawn = if signs.len() > most { most.saturating_sub(1) } else { signs.len() };
    let (shown, rest) = signs.split_at(drawn);
    let behind = !rest.is_empty() && !shown.len().is_multiple_of(CHIPS_IN_ROW);
    let rest = (!rest.is_empty()).then(|| format!("+{}", rest.len()));
    let rows = shown.chunks(CHIPS_IN_ROW);
    let (count, mut left) = (rows.len() as i32, x);
    let top = y - CHIP_STEP * count / 2;
    let mut placed = Vec::new();
    for (n, row) in (0..count).zip(rows) {
        let wide: u32 = row.iter().map(|s| chip_wide(s) + CHIP_GAP).sum();
        let more = rest.as_ref().filter(|_| behind && n + 1 == count);
        let wide = wide + more.map_or(0, |text| letters::bold(text, 10) + CHIP_GAP);
        left = x - (wide - CHIP_GAP) as i32 / 2;
        for sign in row {
            placed.push((left, top + CHIP_STEP * n, sign));
            left += (chip_wide(sign) + CHIP_GAP) as i32;
        }
    }
    let (at, foot, anchor) = match behind {
        true => (left, top + CHIP_STEP * (count - 1) + 11, "start"),
        false => (x, top + CHIP_STEP * count + 9, "middle"),
    };
    html! {
        @for (left, down, sign) in placed {
            g transform=(format!("translate({left} {down})")) { (chip(sign)) }
        }
        @if let Some(rest) = rest {
            text x=(at) y=(foot) font-size="10" font-weight="bold" stroke="#fff" stroke-width="2"
                paint-order="stroke" text-anchor=(anchor) fill=(INK) { (rest) }
        }
    }
}

/// A polygon around a point from corners in tenths of a unit.
fn around(x: u32, y: u32, corners: &[(i32, i32)]) -> String {
    let point = |&(dx, dy): &(i32, i32)| {
        format!(
            "{:.1},{:.1}",
            f64::from(x as i32 * 10 + dx) / 10.0,
            f64::from(y as i32 * 10 + dy) / 10.0
        )
    };
    corners.iter().map(point).collect::<Vec<_>>().join(" ")
}

/// A star with five points.
fn star(x: u32, y: u32) -> Markup {
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
    html! {
        polygon points=(around(x, y, &CORNERS)) fill="#fc0" stroke="#000" stroke-width="0.8" {}
    }
}

/// A burst with eight points.
fn burst(x: u32, y: u32) -> Markup {
    const CORNERS: [(i32, i32); 16] = [
        (0, -70),
        (11, -28),
        (49, -49),
        (28, -11),
        (70, 0),
        (28, 11),
        (49, 49),
        (11, 28),
        (0, 70),
        (-11, 28),
        (-49, 49),
        (-28, 11),
        (-70, 0),
        (-28, -11),
        (-49, -49),
        (-11, -28),
    ];
    html! {
        polygon points=(around(x, y, &CORNERS)) fill="#e40" stroke="#000" stroke-width="0.8" {}
    }
}

/// Crossed blades where something was fought over.
fn clash(x: u32, y: u32, r: u32) -> Markup {
    let d = format!("M{} {}l{} {}m0 -{}l-{} {}", x - r, y - r, 2 * r, 2 * r, 2 * r, 2 * r, 2 * r);
    html! {
        path d=(d) stroke="#fff" stroke-width="5" stroke-opacity="0.8" {}
        path d=(d) stroke="#b00" stroke-width="2.5" {}
    }
}
