//! The options of a game that the game master may choose (§17).

use engine::Setup;
use engine::options::{self, OptionRow, Usual, Values, Word, word};

/// Whether great battles pause after each round.
fn stops(setup: &Setup) -> bool {
    options::is(setup, "battle", "round")
}

/// Every option.
pub const ROWS: &[OptionRow] = &[
    OptionRow::new(
        "tempo",
        Values::Words(&[
            word("segment", "one for each segment"),
            word("activation", "one for each activation"),
            word("turn", "one"),
        ]),
        Usual::Is("segment"),
        "How many steps a turn has.",
    ),
    OptionRow::new(
        "battle",
        Values::Words(&[
            word("standing", "no: it is fought by standing orders"),
            word("round", "yes: both seats may send new orders"),
        ]),
        Usual::Is("standing"),
        "Whether a great battle in space stops after each round.",
    ),
    OptionRow::new(
        "battle_ask",
        Values::Number(0, 10_000),
        Usual::Is("60"),
        "What a side of a battle is worth, in Resources, from which it counts as great.",
    )
    .only("battle=round", stops),
    OptionRow::new(
        "halts_max",
        Values::Number(0, 9),
        Usual::Is("1"),
        "HALTs of a seat in a segment.",
    ),
    OptionRow::new(
        "wars",
        Values::Words(&[
            word("1", "one war"),
            Word {
                word: "campaign",
                also: "0",
                help: "war after war with peace between, until one side has won",
            },
        ]),
        Usual::Is("1"),
        "How long the game goes on.",
    ),
    OptionRow::new(
        "appeal_glory",
        Values::Number(0, 9),
        Usual::Is("0"),
        "Glory that an appeal costs.",
    ),
    OptionRow::new(
        "stock_max",
        Values::Number(0, 10_000),
        Usual::Is("0"),
        "Resources that may be kept; 0: no limit.",
    ),
    OptionRow::new(
        "captured_world",
        Values::Words(&[word("world", "a World"), word("outpost", "an Outpost")]),
        Usual::Is("world"),
        "What a captured World becomes.",
    ),
    OptionRow::new(
        "attrition_kills",
        Values::Switch,
        Usual::Is("off"),
        "Whether damaged units without maintenance are lost.",
    ),
    OptionRow::new(
        "open_tracks",
        Values::Switch,
        Usual::Is("on"),
        "Whether both see each other's Resources and units under construction.",
    ),
    OptionRow::new(
        "scenario",
        Values::Words(&[word("first-war", "the first war")]),
        Usual::Is("first-war"),
        "How the game begins.",
    ),
    OptionRow::hours("turn_hours", Usual::Is("96"), "Hours for a card."),
    OptionRow::hours(
        "live_hours",
        Usual::Is("24"),
        "Hours after a HALT and between rounds of a battle.",
    )
    .only("battle=round or HALTs", |setup| {
        stops(setup) || options::text(setup, "halts_max") != Some("0")
    }),
    OptionRow::computers("normal"),
];
