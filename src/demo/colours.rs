//! A map in the colours of a terminal: two rows of squares to a line, half a letter each.

use anstyle::{Color, RgbColor, Style};

use engine::report::{Cell, MapKind, MapPicture, Side, Tint};

/// Columns that a terminal has for it.
const WIDE_MAX: usize = 74;
/// Lines that it may have.
const HIGH_MAX: usize = 14;

/// What is not known.
const UNKNOWN: RgbColor = RgbColor(0x22, 0x22, 0x26);
/// The reader's.
const OWN: RgbColor = RgbColor(0xff, 0xff, 0xff);
/// Another player's.
const FOREIGN: RgbColor = RgbColor(0xdd, 0x22, 0x22);
/// Nobody's city.
const FREE: RgbColor = RgbColor(0xee, 0xbb, 0x22);

/// What the colours mean that no ground has.
pub(super) const KEY: &str = "white: their own; red: others; yellow: cities of nobody";

/// The lines of a map with their colours; `None` of one that is no grid or does not fit.
pub(super) fn painted(map: &MapPicture) -> Option<Vec<String>> {
    let MapKind::Grid(grid) = &map.kind else { return None };
    let wide = grid.columns.len();
    let squares: Vec<RgbColor> = (0..grid.cells.len())
        .map(|at| {
            let pieces: Vec<Side> =
                map.pieces.iter().filter(|p| p.at == at).map(|p| p.side).collect();
            square(map, &grid.cells[at], &pieces)
        })
        .collect();
    let rows: Vec<&[RgbColor]> = squares.chunks(wide.max(1)).collect();
    // Squares are as wide as they are high, or twice.
    let across = if wide * 2 <= WIDE_MAX / 2 { 2 } else { 1 };
    if wide * across > WIDE_MAX || rows.len().div_ceil(2) > HIGH_MAX {
        return None;
    }
    let line = |pair: &[&[RgbColor]]| {
        let below = pair.get(1).copied().unwrap_or_default();
        let cells = pair[0].iter().enumerate().map(|(x, above)| {
            let under = below.get(x).copied().unwrap_or(UNKNOWN);
            let style = Style::new().fg_color(Some(Color::Rgb(*above)));
            let style = style.bg_color(Some(Color::Rgb(under)));
            format!("{style}{}{style:#}", "\u{2580}".repeat(across))
        });
        cells.collect::<String>()
    };
    Some(rows.chunks(2).map(line).collect())
}

/// The colour of a square: what stands there, or its ground.
fn square(map: &MapPicture, cell: &Cell, pieces: &[Side]) -> RgbColor {
    match pieces.iter().max_by_key(|s| (**s == Side::Own, **s == Side::Foreign)) {
        Some(Side::Own) => OWN,
        Some(Side::Foreign) => FOREIGN,
        Some(_) => FREE,
        None => map.terrain(cell).map_or(UNKNOWN, |t| rgb(t.tint)),
    }
}

/// A colour of a map has one hexadecimal digit a channel.
fn rgb(tint: Tint) -> RgbColor {
    let [r, g, b] = tint.channels().map(|c| c * 17);
    RgbColor(r, g, b)
}
