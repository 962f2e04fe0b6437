//! Whole games of computer players, with every invariant after every step.

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::kinds::Kind;
use empire_deluxe::stage::State;
use engine::trial::{Trial, TrialOf};
use engine::{Audits, BySeat, Cards, Dice, Input, Mark, Rules, Seat, Setup};

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
            for (seat, card) in trial.cards() {
                // No line of a computer's card is wrong.
                let view = EmpireDeluxe::view(trial.state(), &[], *seat);
                let judged = EmpireDeluxe::judge(&view, card, 0);
                assert_eq!(judged.count(Mark::Error), 0, "{options:?}: {:?}", judged.lines);
            }
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

#[test]
fn the_audit_notices_hits_work_and_units_that_nothing_explains() {
    let mut trial = game(2, &[("edition", "basic"), ("order", "simultaneous")], 1);
    for _ in 0..60 {
        trial.write_cards();
        trial.step();
    }
    let before = trial.state().clone();
    // Nobody sends a card, so nothing is ordered.
    let (cards, seats) = (BySeat::new(), BySeat::new());
    let input = Input { cards: &cards, seats: &seats };
    let done = EmpireDeluxe::step(before.clone(), &input, &mut Dice::new(1));
    let told = |change: fn(&mut State)| {
        let mut after = done.state.clone();
        change(&mut after);
        EmpireDeluxe::audit((&before, &[]), &input, (&after, &done.events))
    };
    let none: fn(&mut State) = |_| {};
    assert_eq!(told(none), Vec::<String>::new());
    let hit: fn(&mut State) = |state| {
        let side = state.world.side_mut(Seat(1)).expect("a seat");
        let ship = side.units.values_mut().find(|u| u.kind == Kind::Tr);
        ship.expect("a transport by now").damage = 1;
    };
    assert!(told(hit).iter().any(|w| w.contains("nobody hit it")), "{:?}", told(hit));
    let worked: fn(&mut State) = |state| {
        let cities = state.world.cities.iter_mut();
        cities.filter(|c| c.owner == Some(Seat(1))).for_each(|c| c.done += 2);
    };
    assert!(told(worked).iter().any(|w| w.contains("turns")), "{:?}", told(worked));
    let lost: fn(&mut State) = |state| {
        let cities = state.world.cities.iter_mut();
        cities.filter(|c| c.owner == Some(Seat(1))).for_each(|c| c.done = 0);
    };
    assert!(told(lost).iter().any(|w| w.contains("turns of work")), "{:?}", told(lost));
    let gone: fn(&mut State) = |state| {
        state.world.side_mut(Seat(1)).expect("a seat").units.pop_first();
    };
    assert!(told(gone).iter().any(|w| w.contains("units more")), "{:?}", told(gone));
}
