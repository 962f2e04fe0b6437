//! Whole games of computer players, every rule checked every turn, and texts that
//! no player would write.

use battle_plan::BattlePlan;
use battle_plan::orders;
use engine::trial::{Trial, TrialOf};
use engine::{Audits, BySeat, CardText, Cards, Dice, Input, Rules, Seat};
use proptest::prelude::*;

use super::board::*;

fn play(variant: &str, seats: u8, seed: u64, turns: u32, absent: u8) -> TrialOf<BattlePlan> {
    let mut trial = TrialOf::<BattlePlan>::new(&setup(variant, seats, &[]), seed).expect("a game");
    for turn in 1..=turns {
        trial.write_cards();
        if turn > 5 {
            (1..=absent).for_each(|s| trial.forget_card(Seat(s)));
        }
        trial.step();
        assert_eq!(trial.audit(), Vec::<String>::new(), "{variant}, seed {seed}, turn {turn}");
        if trial.result().is_some() {
            break;
        }
    }
    trial
}

#[test]
fn games_of_every_variant_break_no_rule() {
    for (variant, seats, turns) in [
        ("europe", 5, 80),
        ("europe", 9, 40),
        ("south-america", 6, 40),
        ("equal", 20, 20),
        ("anonymous", 12, 15),
        ("real", 25, 20),
        ("1939", 13, 20),
    ] {
        play(variant, seats, 1, turns, 0);
    }
}

#[test]
fn games_in_which_players_leave_go_on() {
    let trial = play("europe", 6, 2, 40, 2);
    assert!(trial.state().player(1).dropped || trial.state().player(1).out.is_some());
}

#[test]
fn a_game_of_computers_ends_with_one_winner() {
    let trial = play("europe", 5, 4, 150, 0);
    let scores = trial.result().expect("it ends");
    assert_eq!(scores.iter().filter(|s| s.rank == 1).count(), 1);
}

#[test]
fn computers_write_cards_without_a_wrong_order() {
    for (variant, seats) in [("europe", 5), ("1939", 13), ("real", 20)] {
        let mut trial = TrialOf::<BattlePlan>::new(&setup(variant, seats, &[]), 9).expect("a game");
        for turn in 1..=8 {
            let before = trial.state().clone();
            trial.write_cards();
            for (seat, card) in trial.cards() {
                let view = BattlePlan::view(&before, &[], *seat);
                let judged = BattlePlan::judge(&view, card, 0);
                let wrong: Vec<_> =
                    judged.lines.iter().filter(|l| l.mark == engine::Mark::Error).collect();
                assert!(wrong.is_empty(), "{variant} turn {turn} [{seat}]: {wrong:?}");
            }
            trial.step();
        }
    }
}

/// Words that are nearly orders, and some orders.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[@/0-9A-Z]{1,8}",
        "[ABFMNPRSTUX][A-Z]?[0-9OI]{0,4}[A-Z]{0,3}",
        "[0-9]{1,3}[ANEDKXFHZSCPGBW][0-9]{0,3}",
        Just("@TU".to_owned()),
        Just("@UK".to_owned()),
        Just("/1/".to_owned()),
        Just("AC20UK".to_owned()),
        Just("PRESS".to_owned()),
        Just("END".to_owned()),
        Just("(".to_owned()),
        "\\PC{0,6}",
    ]
}

fn card() -> impl Strategy<Value = String> {
    let line = prop::collection::vec(word(), 0..8).prop_map(|w| w.join(" "));
    prop::collection::vec(line, 0..12).prop_map(|l| l.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_card_makes_the_engine_stumble_and_the_turn_keeps_the_echos_word(
        one in card(), two in card(), seed in 0u64..1000,
    ) {
        let board = Board::starting("TU UK SP NE").fleet("BLA", 1, 5, 5, 5).with_seed(seed);
        let before = board.state.clone();
        let cards = [(Seat(1), CardText::new(&one)), (Seat(2), CardText::new(&two))].into();
        let input = Input { cards: &cards, seats: &BySeat::new() };
        let done = BattlePlan::step(before.clone(), &input, &mut Dice::new(seed));
        let faults = BattlePlan::audit((&before, &[]), &input, (&done.state, &done.events));
        prop_assert_eq!(faults, Vec::<String>::new());
    }

    #[test]
    fn an_order_that_is_written_and_read_again_is_the_same(text in card()) {
        let mut in_space = false;
        for order in orders::read(&CardText::new(&text)).0.into_iter().filter_map(|e| e.order.ok()) {
            let (written, section) = match &order {
                orders::Order::Section(code) => {
                    in_space = code.is_some();
                    continue;
                }
                orders::Order::Player(p) => (p.to_string(), "@"),
                orders::Order::Space(d) => (d.to_string(), "@TU"),
                orders::Order::Standing(slot, Some(d)) => (format!("/{slot}/{d}"), "@TU"),
                orders::Order::Standing(slot, None) => (format!("/{slot}/"), "@TU"),
                orders::Order::Press(_) => continue,
            };
            let _ = in_space;
            let again = orders::read(&CardText::new(&format!("{section}\n{written}"))).0;
            prop_assert_eq!(again.last().map(|e| &e.order), Some(&Ok(order)), "{}", written);
            prop_assert!(BattlePlan::starts_order(&written), "{}", written);
        }
    }
}
