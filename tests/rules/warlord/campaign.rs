//! Whole games of computer players, with every invariant checked at every turn.

use engine::trial::{Trial, TrialOf, computer_dice};
use engine::{Cards, Computers, Mark, Rules, Seat, Setup};
use warlord::Warlord;

fn game(seats: u8, seed: u64) -> TrialOf<Warlord> {
    let setup = Setup { seats, ..Setup::default() };
    TrialOf::new(&setup, seed).expect("the embedded tables make a world")
}

fn count(trial: &TrialOf<Warlord>, name: &str) -> i64 {
    let tally = trial.tally();
    let mut figures = tally.events.iter().chain(&tally.levels);
    figures.find(|(n, _)| *n == name).map(|(_, v)| *v).expect("the figure is counted")
}

#[test]
fn games_of_computer_players_break_no_rule() {
    for seed in [11, 12] {
        let mut trial = game(12, seed);
        let (mut conquests, mut strikes, mut finds, mut reports) = (0, 0, 0, 0);
        for turn in 1..=40 {
            trial.write_cards();
            trial.step();
            assert_eq!(trial.audit(), Vec::<String>::new(), "seed {seed}, turn {turn}");
            assert!(trial.printouts().iter().all(|&lines| lines > 50));
            conquests += count(&trial, "taken");
            strikes += count(&trial, "air strikes");
            finds += count(&trial, "finds");
            reports += count(&trial, "spy reports");
            if trial.result().is_some() {
                break;
            }
        }
        assert!(conquests > 10, "seed {seed}: cities change hands, {conquests}");
        assert!(
            strikes > 5 && finds > 3 && reports > 3,
            "seed {seed}: {strikes} {finds} {reports}"
        );
    }
}

#[test]
fn computer_players_expand_and_write_no_wrong_order() {
    let mut trial = game(12, 5);
    for _ in 0..20 {
        trial.write_cards();
        let state = trial.state().clone();
        for (seat, card) in trial.cards() {
            let judged = Warlord::judge(&Warlord::view(&state, &[], *seat), card, 0);
            // Only messages depend on what the seat heard; all other lines must be right.
            let wrong: Vec<_> = judged.lines.iter().filter(|l| l.mark == Mark::Error).collect();
            assert!(wrong.is_empty(), "seat {seat}, turn {}: {wrong:?}", state.turn);
        }
        trial.step();
    }
    let tally = trial.tally();
    let cities: u32 = tally.seats.iter().map(|s| s.places).sum();
    assert!(cities >= 24, "twelve seats began with a city each and hold {cities}");
}

#[test]
fn a_computer_players_card_follows_from_its_view_and_the_seed() {
    let mut trial = game(6, 3);
    for _ in 0..5 {
        trial.write_cards();
        trial.step();
    }
    let state = trial.state();
    let view = Warlord::view(state, &[], Seat(1));
    let card = |seed| Warlord::play(&view, "", &mut computer_dice(seed, Seat(1)));
    assert_eq!(card(1), card(1));
    // Facts that the seat can't know make no difference to the card.
    let other = warlord::audit::altered(state, 1);
    let blind = Warlord::view(&other, &[], Seat(1));
    assert_eq!(Warlord::play(&blind, "", &mut computer_dice(1, Seat(1))), card(1));
}

#[test]
fn players_who_leave_turn_into_rebels_and_no_rule_is_broken() {
    let mut trial = game(12, 21);
    for turn in 1..=30 {
        trial.write_cards();
        if turn > 5 {
            (7..=12).for_each(|seat| trial.forget_card(Seat(seat)));
        }
        trial.step();
        assert_eq!(trial.audit(), Vec::<String>::new(), "turn {turn}");
    }
    let state = trial.state();
    let gone = state.powers[7..].iter().filter(|p| p.cities.is_empty());
    assert!(gone.count() >= 5, "their cities have risen or were taken");
    let rebels = state.powers[0].cities.values().filter(|c| c.rebel).count();
    assert!(rebels > 0, "some are still in the hands of rebels");
    assert!(state.active().all(|p| p.seat <= 6));
}
