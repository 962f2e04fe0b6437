//! What a game master may choose for a game (§13).

use engine::options::{OptionRow, Usual, Values, word};

/// Every option.
pub const ROWS: &[OptionRow] = &[
    OptionRow::new(
        "boards",
        Values::Text("a list of board numbers, such as 5, 6"),
        Usual::Depends("all eight"),
        "The boards of the map that are in play.",
    ),
    OptionRow::new(
        "draft",
        Values::Words(&[
            word("list", "everybody sends one list of mountains, in a step before the first turn"),
            word("live", "one pick at a time"),
        ]),
        Usual::Is("list"),
        "How the mountains are taken on which players begin.",
    ),
    OptionRow::new(
        "terrain",
        Values::Words(&[
            word("plain", "they have none"),
            word("classic", "mountains, mega cities and seas bound numbers and guesses"),
        ]),
        Usual::Is("plain"),
        "What effect the kinds of regions have in attacks.",
    ),
    OptionRow::new(
        "advance",
        Values::Words(&[
            word("exact", "as many as the number says, even all"),
            word("leave-one", "as many, but one stays"),
        ]),
        Usual::Is("exact"),
        "How many armies go into a captured region.",
    ),
    OptionRow::new(
        "army_cap",
        Values::Number(0, 100_000),
        Usual::Is("0"),
        "Armies that a seat may have; 0: no limit, 200: the counters of the box.",
    ),
    OptionRow::new("bombs", Values::Switch, Usual::Is("on"), "Whether bombs are won and fired."),
    OptionRow::new(
        "instalments_max",
        Values::Number(1, 20),
        Usual::Is("3"),
        "Parts in which a turn may be sent.",
    ),
    OptionRow::hours("turn_hours", Usual::Is("72"), "Hours for a turn or a part of it."),
    OptionRow::hours("live_hours", Usual::Is("24"), "Hours for a guess that is asked for."),
    OptionRow::new(
        "rounds_max",
        Values::Number(0, 10_000),
        Usual::Is("0"),
        "Rounds after which the game ends, ranked by regions, then armies; 0: it has no limit.",
    ),
    OptionRow::new(
        "digest",
        Values::Switch,
        Usual::Is("off"),
        "Whom a turn does not concern gets no mail about it.",
    ),
    OptionRow::computers("normal"),
];
