//! Whole games of computers, and invariants over generated cards.

use std::collections::BTreeSet;

use engine::trial::{Trial, TrialOf};
use engine::{
    Audits, BySeat, CardText, Cards, Computers, Dice, Input, Mark, NOTES_MAX, Printouts, Rules,
    Seat, Sits,
};
use hex::Hex;
use hex::state::{State, Why};
use proptest::prelude::*;

use super::board::{after, game, setup, view};

#[test]
fn fifty_games_of_computers_come_to_an_end() {
    let mut winners = BTreeSet::new();
    for seed in 0..50 {
        let size = ["5", "7", "9", "11"][seed as usize % 4];
        let swap = if seed % 3 == 0 { "false" } else { "true" };
        let options = setup(&[("size", size), ("swap", swap)]);
        let mut trial = TrialOf::<Hex>::new(&options, seed).expect("the setup is right");
        for step in 1.. {
            trial.write_cards();
            trial.step();
            assert_eq!(trial.audit(), Vec::<String>::new(), "seed {seed}, step {step}");
            assert!(trial.printouts().iter().all(|rows| *rows > 10), "seed {seed}");
            let end = trial.state().over;
            if let Some(end) = end {
                assert_eq!(end.why, Why::Joined, "a computer always has a move");
                winners.insert(end.winner);
                break;
            }
            assert!(step < 121, "seed {seed}: no more steps than places");
        }
        let tally = trial.tally();
        assert_eq!(tally.seats.iter().map(|s| s.points).sum::<i64>(), 1);
    }
    assert_eq!(winners.len(), 2, "either may win");
}

#[test]
fn a_computer_closes_its_chain_and_the_others() {
    let play = |moves: &str| {
        let state = after(moves);
        let seat = state.to_move().expect("goes on");
        let play = Hex::play(&view(&state, seat.0), "", &mut Dice::new(1));
        assert!(play.notes.len() <= NOTES_MAX);
        play.card.text()
    };
    let wins = play("C1 A1 C2 A2 C3 A3 C4 A4");
    assert!(["PLAY C5\n", "PLAY B5\n"].contains(&wins.as_str()), "{wins}");
    // B5 is taken, so Red can only play C5.
    assert_eq!(play("C1 B5 C2 A2 C3 A3 C4"), "PLAY C5\n");
    assert_eq!(play("C3"), "SWAP\n", "the middle is worth having");
    let waits = Hex::play(&view(&after("C3"), 1), "", &mut Dice::new(1));
    assert!(waits.card.lines.is_empty(), "it is not its turn");
}

#[test]
fn a_computers_notes_are_its_plan_and_any_notes_do() {
    let state = after("A1 C3");
    let play = Hex::play(&view(&state, 1), "", &mut Dice::new(1));
    assert!(!play.notes.is_empty());
    for notes in ["Z99 ? \u{e9}", &play.notes] {
        let again = Hex::play(&view(&state, 1), notes, &mut Dice::new(1));
        let judged = Hex::judge(&view(&state, 1), &again.card, 0);
        assert!(judged.ready && judged.count(Mark::Error) == 0, "{notes}");
    }
}

#[test]
fn a_saved_game_is_read_back() {
    let engine = hex::ENGINE;
    let saved = engine.new_game(&setup(&[]), &mut Dice::new(1)).expect("a game");
    let open = engine.open(&saved).expect("can be read");
    let (cards, seats) = ([(Seat(1), CardText::new("C4"))].into(), BySeat::new());
    let done = open.step(&Input { cards: &cards, seats: &seats }, &mut Dice::new(1));
    let after = engine.open(&done.saved).expect("can be read");
    assert_eq!(after.wait().seats, [Seat(2)]);
    assert!(!engine.has_dice() && !engine.press());
}

/// Lines that are orders, nearly orders, or no orders at all.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[A-F][1-6]",
        3 => "PLAY [A-F][1-6]",
        4 => "IF [A-F][1-6] [A-F][1-6]",
        1 => "IF [A-F][1-6] SWAP",
        1 => Just("SWAP".to_owned()),
        1 => "(PLAY|IF|SWAP|X)?[ ,]?[A-Z]?[0-9]{0,12}( [A-Za-z0-9é#;,.()]{0,6}){0,3}",
        1 => "\\PC{0,20}",
    ]
}

/// Cards of both seats, if any, and the seats that nobody plays.
fn round() -> impl Strategy<Value = ([Option<Vec<String>>; 2], u8)> {
    let card = || prop::option::weighted(0.9, prop::collection::vec(line(), 0..8));
    ([card(), card()], prop_oneof![60 => Just(0u8), 1 => 1u8..=3])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_cards_break_an_invariant(rounds in prop::collection::vec(round(), 1..40)) {
        let mut state: State = game(&[("size", "5")]);
        let mut carried: BySeat<Vec<String>> = BySeat::new();
        for (sent, left) in rounds {
            let mut cards: BySeat<CardText> = carried.iter().map(|(s, l)| (*s, CardText::of(l))).collect();
            for (seat, lines) in [Seat(1), Seat(2)].into_iter().zip(sent) {
                if let Some(lines) = lines {
                    cards.insert(seat, CardText::of(&lines));
                }
            }
            let gone = [Seat(1), Seat(2)].into_iter().filter(|s| left & s.0 != 0);
            let seats: BySeat<Sits> = gone.map(|s| (s, Sits::Left)).collect();
            let input = Input { cards: &cards, seats: &seats };
            let to_move = state.to_move();
            for (seat, card) in &cards {
                let judged = Hex::judge(&view(&state, seat.0), card, 0);
                for (number, _) in &card.lines {
                    prop_assert!(judged.lines.iter().any(|l| l.line == *number));
                }
                prop_assert!(!judged.ready || to_move == Some(*seat));
            }
            let promised = to_move.and_then(|s| Some(Hex::judge(&view(&state, s.0), cards.get(&s)?, 0).ready));
            let done = Hex::step(state.clone(), &input, &mut Dice::new(1));
            let again = Hex::step(state.clone(), &input, &mut Dice::new(2));
            prop_assert!(done.state == again.state && done.events == again.events && done.carried == again.carried);
            let wrong = Hex::audit((&state, &[]), &input, (&done.state, &done.events));
            prop_assert_eq!(wrong, Vec::<String>::new());
            // A card that says it moves does move; one that does not, does not.
            if let (Some(first), Some(promised)) = (done.events.first(), promised) {
                let missed = first.action == hex::state::Action::Missed;
                prop_assert_eq!(promised, !missed);
            }
            for line in done.carried.values().flatten() {
                prop_assert!(Hex::starts_order(line), "{}", line);
            }
            for seat in [1, 2] {
                let seen = Hex::view(&done.state, &done.events, Seat(seat));
                prop_assert!(Hex::report(&seen, "en").is_some_and(|r| r.rows() > 5));
            }
            prop_assert_eq!(Hex::wait(&done.state).seats.is_empty(), Hex::result(&done.state).is_some());
            state = done.state;
            carried = done.carried;
        }
    }
}
