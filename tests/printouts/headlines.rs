//! Headlines of whole games of computers, in every game: the number of sentences, their beginnings,
//! and that no line reads as an order when a mail program wraps them.

use std::collections::BTreeMap;

use engine::headline::{FEWEST, MOST, NEEDS_MOST};
use engine::report::Line;
use engine::{Engine, Match, Seat, Setup};
use render::text::flat;

type Kind = (&'static str, &'static [(&'static str, &'static str)], u8, usize);

/// A game of each kind: its engine, options, seats, and the number of steps to play.
const GAMES: [Kind; 9] = [
    ("warlord", &[], 8, 40),
    ("battle-plan", &[], 5, 14),
    ("battle-plan", &[("variant", "anonymous")], 12, 8),
    ("battle-plan", &[("variant", "1939")], 13, 8),
    ("battle-plan", &[("variant", "real")], 12, 8),
    ("classic-warlord", &[], 4, 160),
    ("empire-deluxe", &[], 3, 120),
    ("empire-deluxe", &[("edition", "basic")], 2, 120),
    ("imperium", &[], 2, 60),
];

/// Looks at a game after each step, from its beginning.
fn each_step(number: usize, mut look: impl FnMut(&dyn Engine, &dyn Match, &str, usize)) {
    let (name, options, seats, steps) = GAMES[number];
    let engine = engine::find(&registry::ENGINES, name).expect("an engine");
    let options: BTreeMap<String, String> =
        options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let setup = Setup { seats, options, ..Setup::default() };
    let mut trial = engine.trial(&setup, 5).expect("a game");
    for step in 0..=steps {
        let open = engine.open(&trial.saved()).expect("opens");
        look(engine, open.as_ref(), name, step);
        if trial.result().is_some() {
            return;
        }
        trial.write_cards();
        trial.step();
    }
}

/// The faults of a sentence.
fn faults(engine: &dyn Engine, line: &Line) -> Vec<String> {
    let text = flat(line);
    let mut wrong = Vec::new();
    let mut fault = |why: &str| wrong.push(format!("{why}: {text}"));
    if !text.starts_with(|c: char| c.is_uppercase()) {
        fault("begins in lower case");
    }
    if !text.ends_with('.') {
        fault("has no end");
    }
    if ["  ", " .", "player 0", "player 255", ", ,", "()"].iter().any(|odd| text.contains(odd)) {
        fault("has something odd in it");
    }
    if text.chars().count() > 160 {
        fault("is too long");
    }
    let starts = text.match_indices(' ').map(|(i, _)| &text[i + 1..]);
    for rest in std::iter::once(text.as_str()).chain(starts) {
        if engine.starts_order(rest) {
            fault(&format!("may be read as an order from {rest:?}"));
        }
    }
    wrong
}

fn check(number: usize) {
    let (mut told, mut sent, mut most) = (0, 0, 0);
    let seats = GAMES[number].2;
    each_step(number, |engine, open, name, step| {
        for seat in (1..=seats).map(Seat) {
            let headline = open.headline(seat);
            let count = headline.sentences.len();
            let all: Vec<String> = headline.sentences.iter().map(flat).collect();
            assert!((FEWEST..=MOST).contains(&count), "{name}, step {step}, seat {seat}: {all:?}");
            assert!(headline.needs.len() <= NEEDS_MOST && headline.told <= count);
            let lines = headline.sentences.iter().chain(&headline.needs);
            let wrong: Vec<String> = lines.flat_map(|l| faults(engine, l)).collect();
            assert!(wrong.is_empty(), "{name}, step {step}, seat {seat}: {wrong:#?}");
            let mut once = all.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), all.len(), "{name}, step {step}: twice the same in {all:#?}");
            told += headline.told;
            most = most.max(headline.told);
        }
        for line in open.chronicle() {
            let wrong = faults(engine, &line);
            assert!(wrong.is_empty(), "{name}, step {step}, for all: {wrong:#?}");
            let text = flat(&line);
            let second =
                text.split([' ', '\u{a0}']).any(|w| ["You", "you", "Your", "your"].contains(&w));
            assert!(!second, "{name}, step {step}: everybody is nobody's you: {text}");
            sent += 1;
        }
    });
    assert!(told > 20 && sent > 5 && most >= 2, "{told} told, {sent} for all, {most} at most");
}

#[test]
fn headlines_of_warlord_are_sentences_and_no_orders() {
    check(0);
}

#[test]
fn headlines_of_battle_plan_are_sentences_and_no_orders() {
    (1..=4).for_each(check);
}

#[test]
fn headlines_of_classic_warlord_are_sentences_and_no_orders() {
    check(5);
}

#[test]
fn headlines_of_empire_deluxe_are_sentences_and_no_orders() {
    [6, 7].into_iter().for_each(check);
}

#[test]
fn headlines_of_imperium_are_sentences_and_no_orders() {
    check(8);
}
