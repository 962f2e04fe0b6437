//! Whole games of computer players, with every invariant after every step.

use empire_deluxe::EmpireDeluxe;
use engine::Setup;
use engine::trial::{Trial, TrialOf};

fn game(seats: u8, options: &[(&str, &str)], seed: u64) -> TrialOf<EmpireDeluxe> {
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    TrialOf::new(&Setup { seats, options, ..Setup::default() }, seed).expect("a game")
}

#[test]
fn every_rule_holds_in_games_of_computers() {
    let cases: [(u8, &[(&str, &str)]); 4] = [
        (2, &[("edition", "basic")]),
        (2, &[]),
        (3, &[("edition", "advanced")]),
        (4, &[("size", "60x40")]),
    ];
    for (seats, options) in cases {
        let mut trial = game(seats, options, 1);
        for step in 1..=400 {
            trial.write_cards();
            trial.step();
            let wrong = trial.audit();
            assert!(wrong.is_empty(), "{options:?} step {step}: {wrong:?}");
            if trial.result().is_some() {
                break;
            }
        }
        let tally = trial.tally();
        println!("{options:?} {:?} {tally:?}", trial.result());
    }
}
