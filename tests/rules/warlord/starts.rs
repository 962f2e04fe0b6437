//! Lines that begin an order, right or wrong, and lines that do not.

use engine::trial::{Trial, TrialOf};
use engine::{Cards, Mark, Setup};
use warlord::Warlord;

use super::board::*;

const SENTENCES: &str = include_str!("../sentences.txt");

#[test]
fn every_example_of_the_help_begins_an_order() {
    for topic in Warlord::help(None).iter().filter(|t| t.word != "CODES") {
        for line in &topic.examples {
            assert!(Warlord::starts_order(line), "{line}");
        }
    }
}

#[test]
fn slightly_wrong_orders_begin_an_order_all_the_same() {
    for line in [
        "A12 12387",
        "a 12, 12387",
        "(3) A 12 2",
        "A 12 1238x",
        "A 12 north",
        "C 23",
        "N 4 1 NOWHERE",
        "M 3 192",
        "Advance 12 12387",
        "Move 3 122",
        "Name 1 1 GRAAK",
        "\u{2013} 20 123",
        "B 5 22344 # the bridge",
    ] {
        assert!(Warlord::starts_order(line), "{line}");
    }
}

#[test]
fn every_line_of_a_computers_card_begins_an_order() {
    let mut trial =
        TrialOf::<Warlord>::new(&Setup { seats: 6, ..Setup::default() }, 3).expect("a world");
    for _ in 0..12 {
        trial.write_cards();
        for line in trial.cards().values().flat_map(|c| &c.lines) {
            assert!(Warlord::starts_order(&line.1), "{line:?}");
        }
        trial.step();
    }
}

#[test]
fn a_sentence_of_a_mail_begins_no_order_or_is_judged_an_error() {
    let board = Board::new(3, "~~~~~\n~A..~\n~~~~~").unit(1, 3, (9, INFANTRY), 'A');
    for line in SENTENCES.lines() {
        if Warlord::starts_order(line) {
            let letter = line.chars().take_while(|c| c.is_alphabetic()).count();
            assert_eq!(letter, 1, "{line}");
            assert_eq!(board.echo(1, line).mark, Mark::Error, "{line}");
        }
    }
}
