//! What a game master may choose for a game.

use engine::options::{OptionRow, Usual, Values};

use super::board::SIZES;

/// Every option.
pub const ROWS: &[OptionRow] = &[
    OptionRow::new(
        "size",
        Values::Number(SIZES.0, SIZES.1),
        Usual::Is("11"),
        "Columns and rows of the board.",
    ),
    OptionRow::new(
        "swap",
        Values::Switch,
        Usual::Is("on"),
        "Whether the first stone may be taken over.",
    ),
    OptionRow::hours("turn_hours", Usual::Is("72"), "Hours for a move."),
];
