//! The options of a game that the game master may choose.

use engine::Setup;
use engine::options::{self, OptionRow, Usual, Values, word};

use super::variants::{Messages, Start, Variant};

/// The condition of the options for equal starts.
const ALIKE: &str = "variants in which players start alike";

/// Whether the players of a setup start this way. An unknown variant counts as a match, as it is
/// reported as a fault elsewhere.
fn starts(setup: &Setup, so: Start) -> bool {
    Variant::of(setup).is_none_or(|variant| variant.start == so)
}

/// Every option.
pub const ROWS: &[OptionRow] = &[
    OptionRow::new(
        "variant",
        Values::Words(&[
            word("europe", "4 to 9 seats on the map of Europe"),
            word("equal", "the world, 10 to 31 seats with equal forces"),
            word("anonymous", "the same without names and with fixed messages only"),
            word("real", "the world, 10 to 79 positions with the forces of their industry"),
            word("1939", "the world of 1939, 13 powers"),
            word("south-america", "4 to 6 seats on the map of South America"),
        ]),
        Usual::Is("europe"),
        "Which game is played.",
    ),
    OptionRow::new(
        "starts",
        Values::Text(
            "one of lot, set (balanced starts, in the order of the seats) and wish; or a country \
             for each seat, such as TU, SP, SW, NE",
        ),
        Usual::Is("lot"),
        "Where players start who start alike.",
    )
    .only(ALIKE, |setup| starts(setup, Start::Even))
    .hidden(),
    OptionRow::new(
        "wishes",
        Values::Text(
            "countries for each seat, - for none, with commas between, such as TU SP, -, SW",
        ),
        Usual::Is(""),
        "What players wish for.",
    )
    .only("starts=wish", |setup| starts(setup, Start::Even) && options::is(setup, "starts", "wish"))
    .hidden(),
    OptionRow::new(
        "positions",
        Values::Text("names for the seats in order, with commas, such as USA, Japan"),
        Usual::Depends("the list of positions, in its order"),
        "Who plays what.",
    )
    .only("variant=real", |setup| starts(setup, Start::Real)),
    OptionRow::new(
        "length",
        Values::Words(&[
            word("about25", "from turn 26 on, any turn may be the last"),
            word("exact25", "after turn 25"),
        ]),
        Usual::Is("about25"),
        "When the game ends.",
    )
    .only("variant=1939", |setup| starts(setup, Start::Y1939)),
    OptionRow::new(
        "ratings",
        Values::Text("a number up to 9999 for each seat, with commas, such as 1200, 1000"),
        Usual::Is(""),
        "The ratings that players bring along.",
    ),
    OptionRow::new(
        "letters",
        Values::Words(&[
            word("printout", "with the next printout"),
            word("at-once", "as soon as they are written"),
        ]),
        Usual::Is("printout"),
        "When letters to named players go on.",
    )
    .only("variants in which players write letters", |setup| {
        Variant::of(setup).is_none_or(|v| v.messages == Messages::Free)
    }),
    OptionRow::computers("normal"),
];
