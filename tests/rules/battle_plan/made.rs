//! What games are made of: the tables of each variant, the book with their figures, the orders.

use battle_plan::BattlePlan;
use battle_plan::state::State;
use battle_plan::tables::Tables;
use battle_plan::verbs::{Arm, VERBS, Verb};
use engine::{Books, Setup};

fn setup(options: &[(&str, &str)]) -> Setup {
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Setup { options, ..Setup::default() }
}

#[test]
fn embedded_tables_of_every_variant_are_sound() {
    for variant in ["europe", "equal", "anonymous", "real", "1939", "south-america"] {
        let read = Tables::read(&setup(&[("variant", variant)]));
        assert_eq!(read.map(|_| ()), Ok(()), "{variant}");
    }
}

#[test]
fn wrong_options_are_named_with_what_would_be_right() {
    let faults = Tables::read(&setup(&[("variant", "moon")])).expect_err("no such variant");
    assert!(faults[0].contains("europe, equal, anonymous, real, 1939"), "{faults:?}");
    let faults = Tables::read(&setup(&[("variant", "1939"), ("length", "ever")]))
        .expect_err("no such length");
    assert_eq!(faults, ["length is about25 or exact25, not \"ever\""]);
}

#[test]
fn every_figure_of_the_book_is_filled_in() {
    for (variant, seats) in [
        ("europe", 5),
        ("equal", 20),
        ("anonymous", 20),
        ("real", 20),
        ("1939", 13),
        ("south-america", 4),
    ] {
        let options = [("variant".to_owned(), variant.to_owned())].into();
        let setup = Setup { seats, options, ..Setup::default() };
        let state = State::new(&setup, &mut engine::Dice::new(1)).expect("a game");
        let book = BattlePlan::rulebook(&state);
        assert!(book.len() > 20, "{variant}: {}", book.len());
        let text = format!("{book:?}");
        assert!(!text.contains("{{") && !text.contains("{%"), "{variant}");
    }
}

#[test]
fn every_verb_has_one_row() {
    for arm in Arm::ALL {
        assert_eq!(Verb::Build(arm).row().head, format!("B{}", arm.letter()));
    }
    for (i, row) in VERBS.iter().enumerate() {
        assert!(VERBS[..i].iter().all(|r| r.verb != row.verb && r.head != row.head));
        assert_eq!(row.verb.row().head, row.head);
    }
}
