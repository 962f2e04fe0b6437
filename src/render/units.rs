//! Counters with the standard symbols of units: a frame that tells the side, a symbol that
//! tells the kind, and how many beside it.

use std::fmt::{self, Write};

use maud::{Markup, html};

use super::letters;
use super::sign::Sign;
use super::tints::{hex, ink_on};
use engine::report::{Shape, Side};

/// A counter of a height in units: how wide it is.
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

/// How many, and letters where the symbol alone does not tell the kind.
fn figures(sign: &Sign) -> String {
    let code = if has_symbol(sign) { "" } else { sign.code };
    match (code, sign.size) {
        (code, 0) => code.to_owned(),
        (code, size) if code.ends_with(|c: char| c.is_ascii_digit()) => format!("{code}:{size}"),
        (code, size) => format!("{code}{size}"),
    }
}

/// Whether the symbol tells the kind, and no letter has to.
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

/// A number with at most one digit behind the point.
pub(super) fn at(n: f64) -> Tenths {
    // A drawing is some thousand units wide.
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

/// The symbol of a kind within a box.
fn symbol_of(shape: Shape, (x, y): (f64, f64), (w, h): (f64, f64), ink: &str) -> Markup {
    let (mut line, mut solid) = (String::new(), String::new());
    // A point in hundredths of the box.
    let p = |px: f64, py: f64| format!("{} {}", at(x + w * px / 100.0), at(y + h * py / 100.0));
    let cross =
        || format!("M{}L{}M{}L{}", p(0.0, 0.0), p(100.0, 100.0), p(0.0, 100.0), p(100.0, 0.0));
    let track = || {
        format!(
            "M{}L{}C{} {} {}L{}C{} {} {}z",
            p(28.0, 22.0),
            p(72.0, 22.0),
            p(108.0, 22.0),
            p(108.0, 78.0),
            p(72.0, 78.0),
            p(28.0, 78.0),
            p(-8.0, 78.0),
            p(-8.0, 22.0),
            p(28.0, 22.0)
        )
    };
    match shape {
        Shape::Army | Shape::Infantry => line = cross(),
        Shape::Armour => line = track(),
        Shape::Mechanised => line = cross() + &track(),
        Shape::Paratroops => {
            line = cross();
            let _ = write!(
                line,
                "M{}Q{} {}Q{} {}",
                p(24.0, 104.0),
                p(37.0, 74.0),
                p(50.0, 100.0),
                p(63.0, 74.0),
                p(76.0, 104.0)
            );
        }
        Shape::Artillery => {
            solid = format!(
                "M{}C{} {} {}C{} {} {}z",
                p(28.0, 50.0),
                p(28.0, 8.0),
                p(72.0, 8.0),
                p(72.0, 50.0),
                p(72.0, 92.0),
                p(28.0, 92.0),
                p(28.0, 50.0)
            );
        }
        Shape::Flak => {
            line = format!(
                "M{}C{} {} {}M{}L{}",
                p(0.0, 100.0),
                p(10.0, 20.0),
                p(90.0, 20.0),
                p(100.0, 100.0),
                p(50.0, 40.0),
                p(50.0, 0.0)
            );
        }
        Shape::Engineers => {
            line = format!(
                "M{}L{}M{}L{}M{}L{}M{}L{}",
                p(8.0, 30.0),
                p(92.0, 30.0),
                p(10.0, 30.0),
                p(10.0, 85.0),
                p(50.0, 30.0),
                p(50.0, 85.0),
                p(90.0, 30.0),
                p(90.0, 85.0)
            );
        }
        Shape::Trucks => {
            line = format!("M{}L{}L{}L{}z", p(5.0, 8.0), p(95.0, 8.0), p(95.0, 56.0), p(5.0, 56.0));
            solid = wheel(&p, 26.0) + &wheel(&p, 74.0);
        }
        Shape::Plane => {
            solid = format!(
                "M{}C{} {} {}C{} {} {}z",
                p(50.0, 50.0),
                p(0.0, -30.0),
                p(0.0, 130.0),
                p(50.0, 50.0),
                p(100.0, -30.0),
                p(100.0, 130.0),
                p(50.0, 50.0)
            );
        }
        Shape::Missile => {
            line = format!(
                "M{}L{}Q{} {}Q{} {}L{}M{}L{}M{}L{}",
                p(36.0, 100.0),
                p(36.0, 30.0),
                p(38.0, 6.0),
                p(50.0, -4.0),
                p(62.0, 6.0),
                p(64.0, 30.0),
                p(64.0, 100.0),
                p(36.0, 66.0),
                p(18.0, 100.0),
                p(64.0, 66.0),
                p(82.0, 100.0)
            );
        }
        Shape::Ship => {
            solid = format!(
                "M{}L{}L{}L{}z",
                p(0.0, 60.0),
                p(100.0, 60.0),
                p(82.0, 100.0),
                p(16.0, 100.0)
            );
            line = format!(
                "M{}L{}M{}L{}M{}L{}",
                p(36.0, 60.0),
                p(36.0, 8.0),
                p(64.0, 60.0),
                p(64.0, 20.0),
                p(24.0, 26.0),
                p(48.0, 26.0)
            );
        }
        Shape::Transport => {
            solid = format!(
                "M{}L{}L{}L{}z",
                p(0.0, 55.0),
                p(100.0, 55.0),
                p(82.0, 100.0),
                p(16.0, 100.0)
            );
            line = format!(
                "M{}L{}L{}L{}z",
                p(22.0, 18.0),
                p(78.0, 18.0),
                p(78.0, 55.0),
                p(22.0, 55.0)
            );
        }
        Shape::Submarine => {
            solid = format!(
                "M{}C{} {} {}C{} {} {}zM{}L{}L{}L{}z",
                p(0.0, 68.0),
                p(6.0, 34.0),
                p(94.0, 34.0),
                p(100.0, 68.0),
                p(94.0, 104.0),
                p(6.0, 104.0),
                p(0.0, 68.0),
                p(42.0, 12.0),
                p(62.0, 12.0),
                p(62.0, 48.0),
                p(42.0, 48.0)
            );
        }
        _ => {}
    }
    let width = at((h / 7.0).max(0.9));
    html! {
        @if !solid.is_empty() { path d=(solid) fill=(ink) {} }
        @if !line.is_empty() {
            path d=(line) fill="none" stroke=(ink) stroke-width=(width) stroke-linecap="round" {}
        }
    }
}

fn wheel(p: &impl Fn(f64, f64) -> String, middle: f64) -> String {
    let (west, east) = (middle - 14.0, middle + 14.0);
    format!(
        "M{}C{} {} {}C{} {} {}z",
        p(west, 80.0),
        p(west, 52.0),
        p(east, 52.0),
        p(east, 80.0),
        p(east, 108.0),
        p(west, 108.0),
        p(west, 80.0)
    )
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
        for shape in Shape::ALL.into_iter().filter(|s| s.is_counter()) {
            let it = drawn(shape);
            // An army without a letter is drawn as the foot that it mostly is.
            assert!(
                it.contains("path") && (shape == Shape::Infantry || !seen.contains(&it)),
                "{shape:?}"
            );
            seen.push(it);
        }
    }
}
