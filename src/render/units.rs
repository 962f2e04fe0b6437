//! Counters with the standard symbols of units: a frame that shows the side, a symbol that shows
//! the kind, and how many beside it.

use std::fmt::{self, Write};

use maud::{Markup, html};

use super::letters;
use super::sign::Sign;
use super::tints::{hex, ink_on};
use engine::report::{Shape, Side};

/// The width of a counter of a height, in units of the drawing.
pub(super) fn wide(sign: &Sign, high: u32) -> u32 {
    let figures = figures(sign);
    let number = match figures.is_empty() {
        true => 0,
        false => letters::bold(&figures, font(high)) + high / 5,
    };
    symbol_wide(high) + number + if sign.side == Side::Foreign { high / 3 } else { 0 }
}

/// Height of the letters of a counter.
fn font(high: u32) -> u32 {
    (high - 3).max(5)
}

/// Width of the part with the symbol.
fn symbol_wide(high: u32) -> u32 {
    high * 4 / 3
}

/// How many, and letters if the symbol by itself does not show the kind.
fn figures(sign: &Sign) -> String {
    let code = if has_symbol(sign) { "" } else { sign.code };
    match (code, sign.size) {
        (code, 0) => code.to_owned(),
        (code, size) if code.ends_with(|c: char| c.is_ascii_digit()) => format!("{code}:{size}"),
        (code, size) => format!("{code}{size}"),
    }
}

/// Whether the symbol shows the kind, so that no letter has to.
fn has_symbol(sign: &Sign) -> bool {
    !matches!(sign.shape, Shape::Army | Shape::Ship | Shape::Plane) || sign.code.is_empty()
}

/// A counter whose north-western corner is at a point.
pub(super) fn unit(sign: &Sign, (x, y): (f64, f64), high: u32) -> Markup {
    let (w, h) = (f64::from(wide(sign, high)), f64::from(high));
    let ink = ink_on(sign.tint);
    // The points of a foreign frame take room on both sides.
    let edge = if sign.side == Side::Foreign { h / 6.0 } else { 0.0 };
    let symbol = f64::from(symbol_wide(high));
    let (left, right) = (x + edge, x + edge + symbol);
    let text = figures(sign);
    html! {
        path d=(frame(sign.side, (x, y), (w, h))) fill=(hex(sign.tint)) stroke="#fff"
            stroke-width="2" paint-order="stroke" stroke-linejoin="round" {}
        path d=(frame(sign.side, (x, y), (w, h))) fill="none" stroke="#111" stroke-width="1"
            stroke-linejoin="round" {}
        (symbol_of(sign.shape, (left + h * 0.14, y + h * 0.16), (symbol - h * 0.28, h * 0.68), ink))
        @if !text.is_empty() {
            text x=(at(right)) y=(at(y + h / 2.0 + f64::from(font(high)) * 0.36))
                font-size=(font(high)) font-weight="bold" fill=(ink) { (text) }
        }
    }
}

/// The outline of a frame: own ones are square, those of allies round at the corners, foreign
/// ones pointed on both sides.
fn frame(side: Side, (x, y): (f64, f64), (w, h): (f64, f64)) -> String {
    let (r, b) = (x + w, y + h);
    match side {
        Side::Own | Side::Nobody => {
            format!("M{} {}H{}V{}H{}z", at(x), at(y), at(r), at(b), at(x))
        }
        Side::Ally => {
            let c = h / 3.0;
            format!(
                "M{} {}H{}q{c1} 0 {c1} {c1}V{}q0 {c1} -{c1} {c1}H{}q-{c1} 0 -{c1} -{c1}V{}q0 \
                 -{c1} {c1} -{c1}z",
                at(x + c),
                at(y),
                at(r - c),
                at(b - c),
                at(x + c),
                at(y + c),
                c1 = at(c)
            )
        }
        Side::Foreign => {
            let (c, m) = (h / 3.0, y + h / 2.0);
            format!(
                "M{} {}L{} {}H{}L{} {}L{} {}H{}z",
                at(x),
                at(m),
                at(x + c),
                at(y),
                at(r - c),
                at(r),
                at(m),
                at(r - c),
                at(b),
                at(x + c)
            )
        }
    }
}

/// A number of units in tenths; a drawing has thousands, and writing floats is slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tenths(i64);

/// A number with at most one digit after the point.
pub(super) fn at(n: f64) -> Tenths {
    // A drawing is a few thousand units wide.
    Tenths((n * 10.0).round_ties_even() as i64)
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            f.write_char('-')?;
        }
        let tenths = self.0.unsigned_abs();
        write!(f, "{}", tenths / 10)?;
        match tenths % 10 {
            0 => Ok(()),
            digit => write!(f, ".{digit}"),
        }
    }
}

/// Both diagonals of the box.
const CROSS: &str = "M0 0L100 100M0 100L100 0";
const TRACK: &str = "M28 22L72 22C108 22 108 78 72 78L28 78C-8 78 -8 22 28 22z";

/// The symbol of a counter in hundredths of its box: paths that are drawn as lines, and one that is
/// filled. Empty for a shape that is not a counter.
fn strokes(shape: Shape) -> (Vec<&'static str>, &'static str) {
    match shape {
        Shape::Army | Shape::Infantry => (vec![CROSS], ""),
        Shape::Armour => (vec![TRACK], ""),
        Shape::Mechanised => (vec![CROSS, TRACK], ""),
        Shape::Paratroops => (vec![CROSS, "M24 104Q37 74 50 100Q63 74 76 104"], ""),
        Shape::Artillery => (vec![], "M28 50C28 8 72 8 72 50C72 92 28 92 28 50z"),
        Shape::Flak => (vec!["M0 100C10 20 90 20 100 100M50 40L50 0"], ""),
        Shape::Engineers => (vec!["M8 30L92 30M10 30L10 85M50 30L50 85M90 30L90 85"], ""),
        Shape::Trucks => (
            vec!["M5 8L95 8L95 56L5 56z"],
            "M12 80C12 52 40 52 40 80C40 108 12 108 12 80zM60 80C60 52 88 52 88 80C88 108 60 108 60 80z",
        ),
        Shape::Plane => (vec![], "M50 50C0 -30 0 130 50 50C100 -30 100 130 50 50z"),
        Shape::Missile => {
            (vec!["M36 100L36 30Q38 6 50 -4Q62 6 64 30L64 100M36 66L18 100M64 66L82 100"], "")
        }
        Shape::Ship => (vec!["M36 60L36 8M64 60L64 20M24 26L48 26"], "M0 60L100 60L82 100L16 100z"),
        Shape::Transport => (vec!["M22 18L78 18L78 55L22 55z"], "M0 55L100 55L82 100L16 100z"),
        Shape::Submarine => {
            (vec![], "M0 68C6 34 94 34 100 68C94 104 6 104 0 68zM42 12L62 12L62 48L42 48z")
        }
        Shape::City | Shape::Ruin | Shape::Star | Shape::Bomb | Shape::Battle => (vec![], ""),
        Shape::Flag | Shape::Circle | Shape::Square => (vec![], ""),
        Shape::Triangle | Shape::Diamond => (vec![], ""),
    }
}

/// The symbol of a kind within a box.
fn symbol_of(shape: Shape, corner: (f64, f64), size: (f64, f64), ink: &str) -> Markup {
    let (lines, solid) = strokes(shape);
    let line: String = lines.iter().map(|path| scaled(path, corner, size)).collect();
    let solid = scaled(solid, corner, size);
    let width = at((size.1 / 7.0).max(0.9));
    html! {
        @if !solid.is_empty() { path d=(solid) fill=(ink) {} }
        @if !line.is_empty() {
            path d=(line) fill="none" stroke=(ink) stroke-width=(width) stroke-linecap="round" {}
        }
    }
}

/// A path in hundredths of a box as one in units; each letter of it comes before points.
fn scaled(path: &str, (x, y): (f64, f64), (w, h): (f64, f64)) -> String {
    let mut out = String::new();
    for part in path.split_inclusive(char::is_alphabetic) {
        let points = part.trim_end_matches(char::is_alphabetic);
        let numbers: Vec<f64> = points.split(' ').filter_map(|n| n.parse().ok()).collect();
        for (nth, point) in numbers.chunks_exact(2).enumerate() {
            let space = if nth > 0 { " " } else { "" };
            let (px, py) = (at(x + w * point[0] / 100.0), at(y + h * point[1] / 100.0));
            let _ = write!(out, "{space}{px} {py}");
        }
        out.push_str(&part[points.len()..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::report::Tint;

    fn sign(shape: Shape, code: &str, size: u32) -> Sign<'_> {
        let tint = Tint::new(0, 5, 10);
        Sign { shape, side: Side::Own, tint, code, name: "", size }
    }

    #[test]
    fn a_number_has_one_digit_behind_the_point_at_most() {
        let written = [12.0, 12.34, -0.26, -7.96, 0.04, -0.04].map(|n| at(n).to_string());
        assert_eq!(written, ["12", "12.3", "-0.3", "-8", "0", "0"]);
    }

    #[test]
    fn a_counter_says_how_many_and_its_letter_only_where_no_symbol_tells_the_kind() {
        assert_eq!(figures(&sign(Shape::Infantry, "I", 12)), "12");
        assert_eq!(figures(&sign(Shape::Army, "", 12)), "12");
        assert_eq!(figures(&sign(Shape::Army, "F", 12)), "F12");
        assert_eq!(figures(&sign(Shape::Army, "7", 3)), "7:3");
    }

    #[test]
    fn frames_of_the_three_sides_differ_in_their_form() {
        let of = |side| frame(side, (0.0, 0.0), (20.0, 12.0));
        assert!(of(Side::Own) != of(Side::Ally) && of(Side::Own) != of(Side::Foreign));
        assert!(of(Side::Ally).contains('q') && of(Side::Foreign).contains('L'));
    }

    #[test]
    fn every_counter_has_a_symbol_and_no_two_the_same() {
        let drawn = |shape: Shape| symbol_of(shape, (0.0, 0.0), (16.0, 10.0), "#fff").into_string();
        let mut seen: Vec<String> = Vec::new();
        for shape in Shape::ALL.iter().copied().filter(|s| s.is_counter()) {
            let it = drawn(shape);
            // An army without a letter is drawn as infantry, which most of it is.
            assert!(
                it.contains("path") && (shape == Shape::Infantry || !seen.contains(&it)),
                "{shape:?}"
            );
            seen.push(it);
        }
    }
}
