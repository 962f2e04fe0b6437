//! Whole wars and campaigns of computers, and generated cards: every invariant after every step.

use engine::trial::TrialOf;
use engine::{CardText, Cards, Mark, Rules, Setup, Trial};
use imperium::Imperium;
use imperium::state::State;
use proptest::prelude::*;

use super::scene::{Imperial, Terran, game};

fn trial(options: &[(&str, &str)], seed: u64) -> TrialOf<Imperium> {
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let setup = Setup { seats: 2, options, ..Setup::default() };
    TrialOf::<Imperium>::new(&setup, seed).expect("a game")
}

/// Plays to the end; every line of a computer's card must be right now or later.
fn play(mut trial: TrialOf<Imperium>, most: u32) -> State {
    for step in 1..=most {
        if trial.result().is_some() {
            return trial.state().clone();
        }
        trial.write_cards();
        for (seat, card) in trial.cards() {
            let view = Imperium::view(trial.state(), trial.events(), *seat);
            let judged = Imperium::judge(&view, card, 0);
            let wrong = judged.lines.iter().find(|l| l.mark == Mark::Error);
            assert!(wrong.is_none(), "step {step}, seat {seat}: {wrong:?}");
        }
        trial.step();
        assert_eq!(trial.audit(), Vec::<String>::new(), "step {step}");
    }
    trial.state().clone()
}

#[test]
fn wars_of_computers_are_played_to_their_end_and_every_rule_holds() {
    for seed in 1..=8 {
        let state = play(trial(&[], seed), 80);
        assert!(Imperium::result(&state).is_some(), "seed {seed}");
    }
}

#[test]
fn every_tempo_and_option_is_played() {
    let kinds: [&[(&str, &str)]; 5] = [
        &[("tempo", "activation")],
        &[("tempo", "turn")],
        &[("battle", "round"), ("battle_ask", "20")],
        &[("captured_world", "outpost"), ("attrition_kills", "true"), ("stock_max", "20")],
        &[("open_tracks", "false"), ("appeal_glory", "1"), ("halts_max", "0")],
    ];
    for (options, seed) in kinds.into_iter().zip(20..) {
        let state = play(trial(options, seed), 1_000);
        assert!(Imperium::result(&state).is_some(), "{options:?}");
    }
}

#[test]
fn a_campaign_goes_over_wars_and_peace() {
    let state = play(trial(&[("wars", "0")], 3), 300);
    assert!(state.wars.len() >= 2, "{:?}", state.wars);
}

#[test]
fn each_strength_plays_its_own_way() {
    let cards = ["easy", "normal", "hard"].map(|strength| {
        let mut trial = trial(&[("computers", strength)], 5);
        let mut all = String::new();
        for _ in 0..12 {
            trial.write_cards();
            all.extend(trial.cards().values().map(CardText::text));
            trial.step();
        }
        all
    });
    assert!(cards[0] != cards[1] && cards[1] != cards[2]);
}

#[test]
fn the_echo_promises_what_the_step_does() {
    let scene = game(&[]).step("", "", 4);
    let card = "B DD 1\nB RT 2\nSEG 1\nA 01\nD 3 7 TR2\nC 1 3\nL TR4 RT1";
    let judged = scene.judge(Terran, card);
    assert_eq!(judged.count(Mark::Error), 0);
    let done = scene.seek([card, ""], |s| s.initiative().is_some_and(|d| d[0] > d[1]));
    assert!(!done.localized().contains("line "), "{}", done.localized());
    assert_eq!(done.state.board.purses[0].stock, scene.state.board.purses[0].stock - 9);
    assert!(done.state.board.fleets.contains_key(&(Terran, 7)));
}

fn line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("01".to_owned()),
        Just("04".to_owned()),
        Just("09".to_owned()),
        Just("33".to_owned()),
        Just("01.1".to_owned()),
        Just("09.1".to_owned()),
        Just("TR1".to_owned()),
        Just("DD1".to_owned()),
        Just("RT1".to_owned()),
        Just("SC5".to_owned()),
        Just("OP1".to_owned()),
        Just("F1".to_owned()),
        Just("M1".to_owned()),
        Just("1".to_owned()),
        Just("2+3".to_owned()),
        Just("B".to_owned()),
        Just("IF".to_owned()),
        Just("E09".to_owned()),
        Just("*".to_owned()),
        Just("K".to_owned()),
        "[ -~]{0,6}",
    ];
    let head = prop_oneof![
        Just("B"),
        Just("P"),
        Just("T"),
        Just("G"),
        Just("I F"),
        Just("W"),
        Just("O"),
        Just("SEG 1\nA 01\n"),
        Just("SEG 1\nA 33\n"),
        Just("M"),
        Just("D"),
        Just("C"),
        Just("L"),
        Just("U"),
        Just("E"),
        Just("K"),
        Just("H"),
        Just("NF"),
        Just("V"),
        Just("S"),
        Just("F"),
        Just("X"),
        Just("N"),
        Just("Y"),
        Just("Q"),
        Just("R"),
        Just("J"),
        Just("Z"),
        Just("WAIT"),
        Just("HALT"),
        Just("A"),
    ];
    (head, prop::collection::vec(word, 0..4)).prop_map(|(h, w)| format!("{h} {}", w.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn no_card_breaks_a_rule(
        cards in prop::collection::vec((prop::collection::vec(line(), 0..25), prop::collection::vec(line(), 0..25)), 6),
        seed in 0u64..1_000,
    ) {
        let mut scene = game(&[("battle", "round"), ("battle_ask", "10")]);
        for (n, (terran, imperial)) in (0u64..).zip(cards) {
            let (terran, imperial) = (terran.join("\n"), imperial.join("\n"));
            for (side, card) in [(Terran, &terran), (Imperial, &imperial)] {
                let judged = scene.judge(side, card);
                prop_assert!(judged.lines.len() >= card.lines().filter(|l| !l.trim().is_empty()).count());
            }
            // The step itself checks every invariant.
            scene = scene.step(&terran, &imperial, seed + n);
        }
    }
}
