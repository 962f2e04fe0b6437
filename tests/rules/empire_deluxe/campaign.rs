//! Whole games of computer players, with every invariant after every step.

use empire_deluxe::EmpireDeluxe;
use engine::Setup;
use engine::trial::{Trial, TrialOf};

pub fn game(seats: u8, options: &[(&str, &str)], seed: u64) -> TrialOf<EmpireDeluxe> {
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    TrialOf::new(&Setup { seats, options, ..Setup::default() }, seed).expect("a game")
}

#[test]
fn every_rule_holds_in_games_of_computers() {
    type Case<'a> = (u8, &'a [(&'a str, &'a str)], u32);
    let cases: [Case; 5] = [
        (2, &[("edition", "basic")], 160),
        (2, &[("size", "40x40")], 120),
        (3, &[("edition", "advanced"), ("size", "60x40")], 120),
        (4, &[("size", "60x40"), ("wrap", "on")], 120),
        (3, &[("order", "sequential"), ("parts", "3"), ("size", "50x30")], 120),
    ];
    for (seats, options, steps) in cases {
        let mut trial = game(seats, options, 1);
        let (mut fights, mut taken) = (0, 0);
        for step in 1..=steps {
            trial.write_cards();
            trial.step();
            let wrong = trial.audit();
            assert!(wrong.is_empty(), "{options:?} step {step}: {wrong:?}");
            assert!(trial.printouts().iter().all(|lines| *lines > 10), "{options:?}");
            let tally = trial.tally();
            fights += tally.events[0].1;
            taken += tally.events[1].1;
            if trial.result().is_some() {
                break;
            }
        }
        assert!(fights > 20 && taken > 8, "{options:?}: {fights} fights, {taken} cities taken");
    }
}

#[test]
fn a_war_of_computers_comes_to_an_end() {
    let mut trial = game(2, &[("edition", "basic")], 1);
    let over = (1..=420).any(|_| {
        trial.write_cards();
        trial.step();
        trial.result().is_some()
    });
    assert!(over, "{:?}", trial.tally());
    let scores = trial.result().expect("it is over");
    let won: Vec<i64> = scores.iter().map(|s| s.points).collect();
    assert_eq!(won.iter().sum::<i64>(), 1, "one has won: {scores:?}");
}
