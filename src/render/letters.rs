//! How wide text is in the fonts of pictures and pages.

use std::sync::LazyLock;

use ttf_parser::Face;

/// The bold letters of pictures.
static BOLD: LazyLock<Option<Face<'static>>> =
    LazyLock::new(|| Face::parse(dejavu::sans::bold(), 0).ok());

/// Width of a text in the units of a font.
pub(super) fn advance(font: &Face, text: &str) -> u32 {
    let advance = |c: char| {
        let glyph = font.glyph_index(c).unwrap_or_default();
        u32::from(font.glyph_hor_advance(glyph).unwrap_or(0))
    };
    text.chars().map(advance).sum()
}

/// Width of a bold text of a size in units of a drawing, rounded up.
pub(super) fn bold(text: &str, size: u32) -> u32 {
    let Some(font) = &*BOLD else { return text.chars().count() as u32 * size };
    (advance(font, text) * size).div_ceil(u32::from(font.units_per_em()).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_take_more_room_than_narrow_ones() {
        assert_eq!((bold("", 10), bold("0000", 10)), (0, 28));
        assert!(bold("MMM", 9) > bold("iii", 9) && bold("MMM", 9) < bold("MMM", 10));
    }
}
