//! The parts of games: the tables of each variant, the rulebook with their numbers, the orders.

use std::collections::BTreeSet;

use battle_plan::BattlePlan;
use battle_plan::orders::{self, Order, ROWS, Reads, row_of};
use battle_plan::state::State;
use battle_plan::tables::Tables;
use battle_plan::verbs::{Arm, Verb};
use engine::{Books, CardText, Setup};

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
        assert_eq!(row_of(Verb::Build(arm)).word, format!("B{}", arm.letter()));
    }
    let verbs = ROWS.iter().filter_map(|row| match row.read {
        Reads::Space(verb) => Some((row, verb)),
        Reads::Player(_) => None,
    });
    for (row, verb) in verbs {
        assert_eq!(row_of(verb).word, row.word, "{verb:?} has two");
    }
    // No letters begin two orders in the same place.
    let mut seen = BTreeSet::new();
    for row in ROWS {
        for letters in row.starts {
            for head in letters.heads {
                let place = (row.read.in_space(), letters.to_player, *head);
                assert!(seen.insert(place), "{place:?} twice");
            }
        }
    }
}

/// The table of orders is right: examples are read without an error, and a form names all its
/// letters.
#[test]
fn every_row_reads_its_examples_and_its_form_names_its_letters() {
    for row in ROWS {
        for example in row.examples {
            let section = if row.read.in_space() { "@TU" } else { "@" };
            let (entries, remarks) = orders::read(&CardText::new(&format!("{section}\n{example}")));
            assert!(entries.len() > 1 && remarks.is_empty(), "{example}: {remarks:?}");
            for entry in &entries[1..] {
                let space = matches!(entry.order, Ok(Order::Space(_)));
                let player = matches!(entry.order, Ok(Order::Player(_)));
                assert_eq!(
                    (player, space),
                    (!row.read.in_space(), row.read.in_space()),
                    "{entry:?}"
                );
            }
        }
        let forms: BTreeSet<String> = row
            .form
            .split(' ')
            .map(|form| form.trim_start_matches('p').trim_end_matches(['n', 'k', '1', '2', '3']))
            .map(|form| form.replace("CCC", "").replace("XXX", ""))
            .map(|form| form.trim_end_matches(['n', 'k']).to_owned())
            .collect();
        let heads = row.starts.iter().flat_map(|letters| letters.heads);
        assert_eq!(forms, heads.map(|head| (*head).to_owned()).collect(), "{}", row.word);
    }
}
