//! The options of a game that a game master may set.

use engine::options::{OptionRow, Usual, Values};

/// Every option.
pub const ROWS: &[OptionRow] = &[
    OptionRow::new(
        "absent_turns",
        Values::Number(0, 10_000),
        Usual::Is("4"),
        "Turns without a card after which the cities of a seat may rebel; 0: never.",
    ),
    OptionRow::new(
        "leader_percent",
        Values::Number(1, 100),
        Usual::Depends("60 with two seats, down to 20 with more than forty"),
        "The share of all cities that wins.",
    ),
    OptionRow::new(
        "tech_start",
        Values::Number(1, 10),
        Usual::Is("1"),
        "The tech level that players begin at.",
    ),
    OptionRow::computers("normal"),
];
