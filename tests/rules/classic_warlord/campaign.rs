//! Whole games of computers and of generated cards, with every invariant after every step.

use classic_warlord::ClassicWarlord;
use classic_warlord::map::Place;
use classic_warlord::state::State;
use classic_warlord::view::View;
use engine::{
    Audits, BySeat, CardText, Cards, Computers, Dice, Input, Printouts, Rules, Seat, Sits, Trial,
};
use proptest::prelude::*;

use engine::trial::TrialOf;

use crate::scene::setup;

/// Plays a game of computers to its end, or for a number of steps.
fn game(
    seats: u8,
    options: &[(&str, &str)],
    seed: u64,
    steps: u32,
) -> (TrialOf<ClassicWarlord>, u32) {
    let mut trial = TrialOf::<ClassicWarlord>::new(&setup(seats, options), seed).expect("a game");
    for step in 1..=steps {
        trial.write_cards();
        trial.step();
        assert_eq!(trial.audit(), Vec::<String>::new(), "seed {seed}, step {step}");
        if trial.result().is_some() {
            return (trial, step);
        }
    }
    (trial, steps)
}

#[test]
fn computers_play_games_to_their_end_and_every_rule_holds() {
    for (seats, boards, games) in [(2, "5", 20), (3, "5", 10), (4, "5 6", 1)] {
        let (mut first, mut decided, mut length) = (0, 0, 0);
        for seed in 1..=games {
            let (trial, steps) = game(seats, &[("boards", boards)], seed, 5_000);
            let result = trial.result().unwrap_or_else(|| panic!("{seats} seats, seed {seed}"));
            let won: Vec<_> = result.iter().filter(|s| s.points == 100).collect();
            decided += won.len();
            first += won.iter().filter(|s| s.seat == trial.state().order[0]).count();
            length += steps;
        }
        println!("{seats} seats: {first} of {decided} won by the first; {}", length / games as u32);
    }
    game(7, &[("boards", "1 2 5 6")], 1, 150);
}

/// A word of a card: letters and numbers of orders, and rubbish.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec!["S", "H", "A", "P", "M", "K", "G", "Q", "V", "Z"]),
        2 => prop::sample::select(vec!["IF", "ELSE", "FI", "W", "C", "!L", "N", "O", ">", "LIVE"]),
        4 => prop::sample::select(vec!["E", "U", "*", "3:2:1", "1/2", "DRAW", "0", "@", "M4", "D2"]),
    ]
    .prop_map(str::to_owned)
}

fn region() -> impl Strategy<Value = String> {
    (501u16..=575).prop_map(|n| n.to_string())
}

/// A line: an order with what it needs, or anything.
fn line() -> impl Strategy<Value = String> {
    let number = || (1u32..7).prop_map(|n| n.to_string());
    prop_oneof![
        (region(), number()).prop_map(|(a, n)| format!("P {a} {n}")),
        (region(), region(), number()).prop_map(|(a, b, n)| format!("M {a} {b} {n}")),
        (region(), region(), number(), number())
            .prop_map(|(a, b, m, n)| format!("K {a} {b} {m} {n}")),
        (region(), region(), region()).prop_map(|(a, b, c)| format!("A {a} {b} {c}")),
        (region(), region()).prop_map(|(a, b)| format!("H {a} {b}")),
        (number()).prop_map(|n| format!("Q {n}")),
        (number()).prop_map(|n| format!("G * LIVE {n}")),
        prop::collection::vec(prop_oneof![word(), region()], 0..7).prop_map(|w| w.join(" ")),
    ]
}

fn card() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..24).prop_map(|lines| lines.join("\n"))
}

/// A crowded board in the middle of a game of computers.
fn crowded(seed: u64) -> State {
    let (trial, _) = game(3, &[("boards", "5")], seed, 40);
    trial.state().clone()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_card_makes_the_engine_stumble_and_every_rule_holds(
        cards in prop::collection::vec((1u8..4, card()), 0..9),
        left in 0u8..8,
        seed in 1u64..6,
    ) {
        let mut state = crowded(seed);
        for (turn, (seat, text)) in cards.iter().enumerate() {
            let mover = state.awaited().first().map_or(*seat, |s| s.0);
            let cards = [(Seat(*seat), CardText::new(text)), (Seat(mover), CardText::new(text))].into();
            let seats = [(Seat(left), Sits::Left)].into();
            let input = Input { cards: &cards, seats: &seats };
            for seat in state.seats() {
                let view = ClassicWarlord::view(&state, &[], seat);
                let judged = ClassicWarlord::judge(&view, &CardText::new(text), 0);
                prop_assert_eq!(judged.lines.len(), CardText::new(text).lines.len());
                ClassicWarlord::report(&view, "");
            }
            let mut dice = Dice::new(turn as u64);
            let done = ClassicWarlord::step(state.clone(), &input, &mut dice);
            let after = (&done.state, &done.events[..]);
            let faults = ClassicWarlord::audit((&state, &[]), &input, after);
            prop_assert_eq!(faults, Vec::<String>::new());
            for lines in done.carried.values() {
                prop_assert!(lines.iter().any(|l| ClassicWarlord::starts_order(l)));
            }
            state = done.state;
        }
    }
}

#[test]
fn the_map_has_every_region_in_play_and_words_with_neighbours() {
    let (trial, _) = game(3, &[("boards", "5 6")], 3, 24);
    let view = ClassicWarlord::view(trial.state(), &[], Seat(1));
    let map = classic_warlord::picture::whole(&view).expect("a map");
    assert_eq!(map.cells().count(), 150);
    let armies: u32 = map.pieces.iter().filter(|p| p.symbol == 0).map(|p| p.size).sum();
    let seats = trial.state().seats();
    assert_eq!(armies, seats.map(|s| trial.state().board.total(s)).sum::<u32>());
    let words = format!("{:?}", map.words);
    for place in trial.state().board.held(Seat(1)) {
        assert!(words.contains(&trial.state().board.map().called(place)));
    }
    // A seat in a corner has a map of its surroundings too.
    let near = crate::scene::Scene::new(2).put(1, &[(501, 3)]).turn_of(1);
    let part = classic_warlord::picture::part(&near.view(1)).expect("a part");
    assert!((5..60).contains(&part.cells().count()), "{}", part.cells().count());
}

/// The card of a player who knows the forms of orders but has no aim: armies, moves and attacks by
/// lot.
fn aimless(view: &View, dice: &mut Dice) -> CardText {
    let map = view.board.map();
    let mut own: Vec<Place> = view.board.held(view.seat).collect();
    if view.own_turn().is_none() || own.is_empty() {
        return CardText::default();
    }
    let mut any = |from: &[Place]| from[dice.below("aimless", from.len() as u32) as usize];
    let number = |p: Place| map.region(p).number;
    let mut lines: Vec<String> = (0..4).map(|_| format!("P {} 2", number(any(&own)))).collect();
    for _ in 0..15 {
        let from = any(&own);
        let near: Vec<Place> = map.near(from).collect();
        let to = any(&near);
        let (a, b) = (number(from), number(to));
        lines.push(match view.board.owner(to) {
            None => format!("M {a} {b} *"),
            Some(_) => format!("K {a} {b} U U U"),
        });
        own.push(to);
    }
    CardText::of(&lines)
}

/// How many of sixty games between two on a board the first strength wins; both begin equally often.
fn won_of_sixty(strengths: [&str; 2], other_is_aimless: bool) -> usize {
    let won = |seed: &u64| {
        let own = Seat(1 + (seed % 2) as u8);
        let words = if own == Seat(1) { strengths } else { [strengths[1], strengths[0]] };
        let options = [("boards", "5"), ("computers", &words.join(" "))];
        let made = ClassicWarlord::new_game(&setup(2, &options), &mut Dice::new(*seed));
        let mut state = made.expect("a game");
        for step in 1..2_000u64 {
            let seed = seed ^ step << 32;
            let play = |seat: Seat| {
                let view = View::of(&state, &[], seat);
                let mut dice = Dice::new(seed ^ u64::from(seat.0) << 24);
                let card = match other_is_aimless && seat != own {
                    true => aimless(&view, &mut dice),
                    false => ClassicWarlord::play(&view, "", &mut dice).card,
                };
                (seat, card)
            };
            let cards = state.awaited().into_iter().map(play).collect();
            let input = Input { cards: &cards, seats: &BySeat::new() };
            state = ClassicWarlord::step(state.clone(), &input, &mut Dice::new(seed)).state;
            if let Some(scores) = ClassicWarlord::result(&state) {
                return scores.iter().any(|s| s.seat == own && s.points == 100);
            }
        }
        false
    };
    (1..=60).filter(won).count()
}

#[test]
fn every_strength_beats_who_plays_without_an_aim() {
    for strength in ["easy", "normal", "hard"] {
        let won = won_of_sixty([strength; 2], true);
        assert!(won >= 57, "{strength}: {won}");
    }
}

#[test]
fn normal_looks_ahead_and_beats_easy() {
    let won = won_of_sixty(["normal", "easy"], false);
    assert!(won >= 45, "{won}");
}

#[test]
fn hard_looks_further_ahead_and_beats_easy() {
    let won = won_of_sixty(["hard", "easy"], false);
    assert!(won >= 45, "{won}");
}
