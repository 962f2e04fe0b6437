//! A piece as it is drawn: its symbol with the colour that the map gives it.

use super::tints;
use engine::report::{MapPicture, Piece, Shape, Side, Tint};

/// A piece as it is drawn.
#[derive(Clone, Copy)]
pub(super) struct Sign<'a> {
    /// How it is drawn.
    pub shape: Shape,
    /// How the reader stands to it.
    pub side: Side,
    /// Its filling.
    pub tint: Tint,
    /// Letters on it or beside it; empty: none.
    pub code: &'a str,
    /// Words beside it; empty: none.
    pub name: &'a str,
    /// How many or how strong; 0: not known.
    pub size: u32,
}

impl<'a> Sign<'a> {
    /// A piece with the symbol and the colour that the map gives it.
    pub(super) fn of(map: &'a MapPicture, piece: &'a Piece) -> Option<Self> {
        let symbol = map.symbol(piece)?;
        let name = match (symbol.shape, piece.name.as_str()) {
            (Shape::Ruin, "") => &symbol.name,
            (_, name) => name,
        };
        let free = symbol.shape == Shape::City && piece.side == Side::Nobody;
        let any = if free { Tint::new(15, 15, 15) } else { tints::side(piece.side) };
        let tint = piece.holder.map_or(any, |seat| tints::seat(map, seat));
        let (shape, side, size) = (symbol.shape, piece.side, piece.size);
        Some(Self { shape, side, tint, code: &piece.code, name, size })
    }

    /// Code and size as a stone shows them; a colon keeps the numbers of both apart.
    pub(super) fn figures(&self) -> String {
        let apart = if self.code.ends_with(|c: char| c.is_ascii_digit()) { ":" } else { "" };
        match self.size {
            0 => self.code.to_owned(),
            size => format!("{}{apart}{size}", self.code),
        }
    }
}
