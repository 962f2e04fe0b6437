//! Plays what the first printouts advise.

use engine::report::{Chart, Who};
use engine::{BySeat, CardText, Dice, Engine, Input, Mark, Match, Saved, Seat, Setup, Sits};
use registry::ENGINES;

/// The games, with their seats.
const GAMES: [(&str, u8); 5] = [
    ("warlord", 4),
    ("battle-plan", 4),
    ("classic-warlord", 4),
    ("empire-deluxe", 4),
    ("imperium", 2),
];

/// Steps that are played.
const STEPS: u64 = 24;

fn seats(n: u8) -> impl Iterator<Item = Seat> {
    (1..=n).map(Seat)
}

/// The orders that the first printout shows as good ones.
fn advice(open: &dyn Match, seat: Seat) -> Vec<String> {
    open.primer(seat).orders.into_iter().map(|(order, _)| order).collect()
}

/// The game after a step, and the cards that stay on file.
fn step(open: &dyn Match, cards: &BySeat<CardText>, seed: u64) -> (Saved, BySeat<Vec<String>>) {
    let sits = cards.keys().map(|seat| (*seat, Sits::Player)).collect();
    let done = open.step(&Input { cards, seats: &sits }, &mut Dice::new(seed));
    (done.saved, done.carried)
}

/// The last value of each chart of the game, for a seat.
fn standing(open: &dyn Match, seat: Seat) -> Vec<i64> {
    let last = |chart: &Chart| {
        let own = chart.series.iter().find(|s| s.who == Who::Seat(seat));
        own.and_then(|s| s.values.last().copied()).unwrap_or_default()
    };
    open.charts().iter().map(last).collect()
}

/// How all seats stand after some steps. The first card of the seats in `advised` is what their
/// first printout advises, that of the others is empty; then all play as computers do, or nobody
/// does.
fn played(
    engine: &dyn Engine,
    (n, seed): (u8, u64),
    advised: &dyn Fn(Seat) -> bool,
    computers: bool,
) -> BySeat<Vec<i64>> {
    let setup = Setup { seats: n, ..Setup::default() };
    let mut saved = engine.new_game(&setup, &mut Dice::new(seed)).expect("a game");
    let mut carried: BySeat<Vec<String>> = BySeat::new();
    for at in 0..STEPS {
        let open = engine.open(&saved).expect("it opens");
        if open.result().is_some() {
            break;
        }
        let filed = |(seat, lines): (&Seat, &Vec<String>)| (*seat, CardText::of(lines));
        let mut cards: BySeat<CardText> = carried.iter().map(filed).collect();
        for seat in open.wait().seats {
            let card = match at {
                0 if advised(seat) => CardText::of(&advice(open.as_ref(), seat)),
                1.. if computers => open.play(seat, "", &mut Dice::new(seed ^ at)).card,
                _ => continue,
            };
            if !card.lines.is_empty() {
                cards.insert(seat, card);
            }
        }
        (saved, carried) = step(open.as_ref(), &cards, seed ^ at << 20);
    }
    let open = engine.open(&saved).expect("it opens");
    seats(n).map(|seat| (seat, standing(open.as_ref(), seat))).collect()
}

#[test]
fn each_order_that_a_first_printout_advises_changes_something() {
    for (id, n) in GAMES {
        let engine = engine::find(&ENGINES, id).expect("an engine");
        let setup = Setup { seats: n, ..Setup::default() };
        let saved = engine.new_game(&setup, &mut Dice::new(5)).expect("a game");
        let open = engine.open(&saved).expect("it opens");
        for seat in seats(n) {
            let all = advice(open.as_ref(), seat);
            assert!(all.len() > 1, "{id} seat {seat}: {all:?}");
            let after = |orders: &[String]| {
                let cards = [(seat, CardText::of(orders))].into();
                step(open.as_ref(), &cards, 1).0.state
            };
            let judged = open.judge(seat, &CardText::of(&all), 0);
            assert!(judged.lines.iter().all(|l| l.mark != Mark::Error), "{id}: {judged:?}");
            for (i, order) in all.iter().enumerate() {
                // It changes when the step runs, not its result.
                if order == "CLOSE" {
                    continue;
                }
                // A list of wishes is one order in several lines.
                let wish = |order: &String| order.starts_with("S ");
                let same = |(n, o): &(usize, &String)| *n == i || wish(order) && wish(o);
                let rest = all.iter().enumerate().filter(|o| !same(o));
                let less: Vec<String> = rest.map(|(_, o)| o.clone()).collect();
                assert_ne!(after(&less), after(&all), "{id} seat {seat}: {order} does nothing");
            }
        }
    }
}

#[test]
fn who_follows_the_advice_of_a_first_printout_stands_no_worse_than_who_does_nothing() {
    for (id, n) in GAMES {
        let engine = engine::find(&ENGINES, id).expect("an engine");
        for seed in 1..=3 {
            let without = played(engine, (n, seed), &|_| false, false);
            for seat in seats(n) {
                let with = played(engine, (n, seed), &|s| s == seat, false);
                let (with, without) = (&with[&seat], &without[&seat]);
                let worse = with.iter().zip(without).any(|(with, without)| with < without);
                assert!(!worse, "{id} seed {seed} seat {seat}: {with:?}, else {without:?}");
            }
        }
    }
}

#[test]
fn the_advice_of_a_first_printout_is_an_opening_that_does_not_lose_to_none() {
    // Battle Plan has one winner who takes all, so that luck needs many games to even out.
    let games = |id| match id {
        "battle-plan" => 100,
        "warlord" => 6,
        _ => 15,
    };
    for (id, n) in GAMES {
        let engine = engine::find(&ENGINES, id).expect("an engine");
        let (mut with, mut without) = (0, 0);
        // Both halves of the seats in turn: seats are not alike.
        for (seed, half) in (1..=games(id)).flat_map(|seed| [(seed, 0), (seed, 1)]) {
            let advised = |seat: Seat| seat.0 % 2 == half;
            for (seat, figures) in played(engine, (n, seed), &advised, true) {
                // Imperium's first value is Glory, which one side wants high and the other low.
                let figure = if id == "imperium" { figures[2] } else { figures[0] };
                match advised(seat) {
                    true => with += figure,
                    false => without += figure,
                }
            }
        }
        assert!(with * 100 >= without * 85, "{id}: {with} with the advice, {without} without");
    }
}
