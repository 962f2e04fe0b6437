//! A map of spaces in boxes that stand roughly where they lie, with their borders.

use std::fmt::Write;

use maud::{Markup, html};

use super::picture::{BORDER_OWN, FOG, INK, Part, hex, mix, seat_tint};
use super::signs::clash;
use engine::report::{Cell, Ground, MapPicture, Route, Side, Track};

/// Pitch of the boxes of a schematic map, and their size.
const PITCH: (u32, u32) = (62, 42);
const BOX: (u32, u32) = (52, 30);
/// Borders of spaces that stand farther from each other are not drawn: their lines
/// would hide more than they tell.
const BORDER_REACH: i32 = 3;

pub(super) fn boxes(map: &MapPicture, part: Part) -> ((u32, u32), Markup) {
    let wide = part.wide() as u32 * PITCH.0 + 10;
    let high = part.high() as u32 * PITCH.1 + 10;
    let legend = schematic_legend(map);
    let corner = |x: i32, y: i32| {
        let (left, top) = (part.cols.0 as i32, part.rows.0 as i32);
        ((x - left) * PITCH.0 as i32 + 10, (y - top) * PITCH.1 as i32 + 10)
    };
    let centre = |(x, y): (i32, i32)| {
        let (cx, cy) = corner(x, y);
        (cx + BOX.0 as i32 / 2, cy + BOX.1 as i32 / 2)
    };
    let near = |r: &&Route| {
        (r.from.0 - r.to.0).abs() <= BORDER_REACH && (r.from.1 - r.to.1).abs() <= BORDER_REACH
    };
    let mut lines = String::new();
    for route in map.routes.iter().filter(|r| r.track == Track::Border).filter(near) {
        let ((ax, ay), (bx, by)) = (centre(route.from), centre(route.to));
        let _ = write!(lines, "M{ax} {ay}L{bx} {by}");
    }
    let cols = map.columns.len();
    let battles: Vec<(u16, u16)> =
        map.pieces.iter().map(|p| p.at).filter(|a| part.has(*a)).collect();
    let body = html! {
        path d=(lines) stroke="#888" stroke-width="1" fill="none" {}
        @for y in part.rows.0..part.rows.1 {
            @for x in part.cols.0..part.cols.1 {
                @let cell = &map.cells[y * cols + x];
                @if cell.ground != Ground::Unknown {
                    @let (px, py) = corner(x as i32, y as i32);
                    g transform=(format!("translate({px} {py})")) { (space(cell)) }
                }
            }
        }
        @for at in battles {
            @let (px, py) = corner(at.0.into(), at.1.into());
            g transform=(format!("translate({px} {py})")) { (clash(BOX.0 - 7, 7, 5)) }
        }
        g transform=(format!("translate(6 {})", high)) { (legend) }
    };
    ((wide.max(560), high + 22), body)
}

fn space(cell: &Cell) -> Markup {
    let sea = cell.ground == Ground::Sea;
    let tint = match (sea, cell.side) {
        (true, Side::Own) => (9, 12, 15),
        (true, _) => (12, 14, 15),
        (false, Side::Own) => (15, 15, 12),
        (false, Side::Ally) => (11, 14, 12),
        (false, Side::Foreign) => (6, 4, 4),
        (false, Side::Nobody) => (13, 13, 12),
    };
    let dark = !sea && cell.side == Side::Foreign;
    let tint = match (cell.pale && !sea, dark) {
        (true, false) => mix(tint, FOG, 5),
        (true, true) => mix(tint, (9, 8, 8), 5),
        _ => tint,
    };
    let ink = if dark { "#fff" } else { INK };
    let stroke = match cell.side {
        Side::Own => BORDER_OWN,
        _ => "#555",
    };
    let width = if cell.side == Side::Own { "2" } else { "1" };
    let round = if sea { "12" } else { "3" };
    let text = |i: usize| cell.text.get(i).map_or("", String::as_str);
    html! {
        rect width=(BOX.0) height=(BOX.1) rx=(round) fill=(hex(tint)) stroke=(stroke)
            stroke-width=(width) {}
        @if let Some(seat) = cell.holder {
            rect x="0" y="0" width="6" height=(BOX.1) fill=(hex(seat_tint(seat))) {}
        }
        text x=(BOX.0 / 2 + 2) y="13" font-size="10" font-weight="bold" text-anchor="middle"
            fill=(ink) { (text(0)) }
        text x=(BOX.0 / 2 + 2) y="25" font-size="9" text-anchor="middle" fill=(ink) { (text(1)) }
    }
}

fn schematic_legend(map: &MapPicture) -> Markup {
    let signs = map.legend.iter().map(|(sign, means)| format!("{sign} {means}"));
    let signs = signs.chain(["stripe: the player's colour".to_owned()]);
    let text = signs.collect::<Vec<_>>().join(" · ");
    html! { text x="0" y="10" font-size="9" fill=(INK) { (text) } }
}
