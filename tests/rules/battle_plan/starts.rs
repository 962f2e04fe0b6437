//! Lines that begin an order, right or wrong, and lines that do not.

use battle_plan::BattlePlan;
use engine::trial::{Trial, TrialOf};
use engine::{Cards, Mark};

use super::board::*;

const SENTENCES: &str = include_str!("../sentences.txt");

#[test]
fn every_example_of_the_help_begins_an_order() {
    for topic in BattlePlan::help(None) {
        // Only the first line of a message is an order; the fixed texts are a list after the order.
        let many = if ["PRESS", "WIRE"].contains(&topic.word.as_str()) { 1 } else { usize::MAX };
        for line in topic.examples.iter().take(many) {
            assert!(BattlePlan::starts_order(line), "{line}");
        }
    }
}

#[test]
fn slightly_wrong_orders_begin_an_order_all_the_same() {
    for line in [
        "AC30 Germany",
        "AC 30 Germany",
        "AC 20 UK",
        "ac 20 uk",
        "AC20XX",
        "AC 20 XX",
        "AC UK",
        "BA",
        "BA1O",
        "BA 15 BF 15",
        "BA15 (for the war with my southern neighbour)",
        "BA999999",
        "@XX BA1",
        "@ TU",
        "@Germany BA5",
        "@TUBA5",
        "/3/BA5",
        "/3/ BA 5",
        "/9/BA5",
        "/1/",
        "2A",
        "2 A 3 E",
        "2A5",
        "4D",
        "4 D 25",
        "4D2O",
        "3W11 UK",
        "S1GB",
        "s 1 gb",
        "S1XX",
        "TS 5",
        "RF 20",
        "U2 2A",
        "NEWS ANON",
        "TO 3",
    ] {
        assert!(BattlePlan::starts_order(line), "{line}");
    }
}

#[test]
fn every_line_of_a_computers_card_begins_an_order() {
    for (variant, seats) in [("europe", 6), ("1939", 13), ("anonymous", 12)] {
        let mut trial = TrialOf::<BattlePlan>::new(&setup(variant, seats, &[]), 3).expect("a game");
        for _ in 0..6 {
            trial.write_cards();
            for line in trial.cards().values().flat_map(|c| &c.lines) {
                assert!(BattlePlan::starts_order(&line.1), "{variant}: {line:?}");
            }
            trial.step();
        }
    }
}

#[test]
fn a_sentence_of_a_mail_begins_no_order_or_is_judged_an_error() {
    let board = Board::europe();
    for line in SENTENCES.lines() {
        if BattlePlan::starts_order(line) {
            let judged = board.judge(1, line);
            assert!(judged.lines.iter().all(|l| l.mark == Mark::Error), "{line}");
        }
    }
}
