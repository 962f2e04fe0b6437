//! What a game master may choose for a game (§15).

use engine::Setup;
use engine::options::{self, OptionRow, Usual, Values, word};

/// The name of the file with a game master's own map.
pub const MAP_FILE: &str = "map.txt";

/// The condition for options that shape a random world.
const DRAWN: &str = "a map that is drawn, not one of your own";

fn is_drawn(setup: &Setup) -> bool {
    !setup.data.contains_key(MAP_FILE)
}

/// Every option.
pub const ROWS: &[OptionRow] = &[
    OptionRow::new(
        "edition",
        Values::Words(&[
            word("basic", "five kinds of units, nothing hidden"),
            word("standard", "eight kinds, the map is to be explored"),
            word("advanced", "with infantry, bombers, airbases and terrain besides"),
        ]),
        Usual::Is("standard"),
        "Which of the three games is played.",
    ),
    OptionRow::new(
        "order",
        Values::Words(&[
            word("sequential", "one player after the other"),
            word("simultaneous", "all at once"),
        ]),
        Usual::Depends("sequential with two seats, else simultaneous"),
        "How turns follow each other.",
    ),
    OptionRow::new(
        "sitting",
        Values::Words(&[
            word("auto", "several as long as nobody can meet"),
            word("1", "always one"),
        ]),
        Usual::Is("auto"),
        "Turns that a card is for.",
    ),
    OptionRow::new(
        "parts",
        Values::Number(1, 4),
        Usual::Is("1"),
        "Parts in which a turn may be sent, each answered at once.",
    )
    .only("order=sequential", |setup| match options::text(setup, "order") {
        Some(_) => options::is(setup, "order", "sequential"),
        None => setup.seats <= 2,
    }),
    OptionRow::new(
        "size",
        Values::Text("columns and rows from 20 to 254, such as 100x60"),
        Usual::Depends("50x50 in the basic edition, else 100x60"),
        "The map's size.",
    )
    .only(DRAWN, is_drawn),
    OptionRow::new(
        "wrap",
        Values::Switch,
        Usual::Is("off"),
        "Whether the left edge of the map joins the right one; never in the basic edition.",
    ),
    OptionRow::new(
        "water",
        Values::Number(10, 90),
        Usual::Is("65"),
        "Water in per cent of the map.",
    )
    .only(DRAWN, is_drawn),
    OptionRow::new(
        "smooth",
        Values::Number(0, 20),
        Usual::Is("5"),
        "How smooth coasts are: the more, the fewer and larger the islands.",
    )
    .only(DRAWN, is_drawn),
    OptionRow::new(
        "handicap",
        Values::Numbers(25, 200),
        Usual::Is("100"),
        "What cities produce, in per cent.",
    ),
    OptionRow::new(
        "press",
        Values::Switch,
        Usual::Is("off"),
        "Whether players may write to each other through the robot.",
    ),
    OptionRow::hours(
        "turn_hours",
        Usual::Depends("48 in sequential games, else 72"),
        "Hours for a card.",
    ),
    OptionRow::computers("hard"),
];
