//! A map in the colours of a terminal: each line shows two rows of squares, half a character each.

use anstyle::{Color, RgbColor, Style};

use engine::report::{Cell, MapKind, MapPicture, Side, Tint};

/// Columns of the map, at most.
const WIDE_MAX: usize = 74;
/// Lines of the map, at most.
const HIGH_MAX: usize = 14;

/// The colour of what is not known.
const UNKNOWN: RgbColor = RgbColor(0x22, 0x22, 0x26);
/// The colour of what the reader owns.
const OWN: RgbColor = RgbColor(0xff, 0xff, 0xff);
/// The colour of what another player owns.
const FOREIGN: RgbColor = RgbColor(0xdd, 0x22, 0x22);
/// The colour of a city that nobody owns.
const FREE: RgbColor = RgbColor(0xee, 0xbb, 0x22);

/// The meaning of the colours that no ground has.
pub(super) const KEY: &str = "white: their own; red: others; yellow: cities of nobody";

/// The lines of a map with their colours; `None` for a map that is not a grid or does not fit.
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
    // Squares are as wide as they are high, or twice as wide.
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

/// The colour of a square: that of its pieces, or of its ground.
fn square(map: &MapPicture, cell: &Cell, pieces: &[Side]) -> RgbColor {
    match pieces.iter().max_by_key(|s| (**s == Side::Own, **s == Side::Foreign)) {
        Some(Side::Own) => OWN,
        Some(Side::Foreign) => FOREIGN,
        Some(_) => FREE,
        None => map.terrain(cell).map_or(UNKNOWN, |t| rgb(t.tint)),
    }
}

/// A colour of a map has one hexadecimal digit for each channel.
fn rgb(tint: Tint) -> RgbColor {
    let [r, g, b] = tint.channels().map(|c| c * 17);
    RgbColor(r, g, b)
}
