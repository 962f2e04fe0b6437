//! Nothing that a seat gets depends on secrets of the other (§15), byte for byte.

use engine::{CardText, Cards, Computers, Dice, Headlines, Printouts, Rules};
use imperium::Imperium;
use imperium::board::Place;
use imperium::kinds::Side;
use imperium::view::View;

use super::scene::{Imperial, Scene, Terran, game};

/// Everything that a seat gets: view, printout, brief, echo, blank card.
fn all(scene: &Scene, side: Side) -> String {
    let view: View = scene.view(side);
    let card = CardText::new("SEG 1\nA 09\nM 1 24\nA 04\nM 2 09\nE");
    format!(
        "{view:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        Imperium::headline(&view),
        Imperium::report(&view, ""),
        Imperium::brief(&view, ""),
        Imperium::judge(&view, &card, 0),
        Imperium::play(&view, "", &mut Dice::new(1)),
    )
}

#[test]
fn plans_conditions_appeals_and_standing_orders_are_in_no_view_but_their_own() {
    let start = game(&[]).step("", "", 3);
    let terran = "HALT IF E01\nSEG 4\nA 01 IF G9\nM 1 04";
    let imperial = "I F IF V2\nO SC TR\nY K 3\nQ T BB\nR * 24\nJ 09.1 PD2 4\nN STOCK 3\nZ SCOUTS 1\nSEG 4\nA 33 IF T9\nM 4 24\nX DD1";
    let plain = start.step("", "", 5);
    let with = start.step("", imperial, 5);
    assert_eq!(all(&plain, Terran), all(&with, Terran));
    assert_ne!(all(&plain, Imperial), all(&with, Imperial));
    let with = start.step(terran, "", 5);
    assert_eq!(all(&plain, Imperial), all(&with, Imperial));
}

#[test]
fn hidden_units_troops_and_damage_are_in_no_view_of_the_enemy() {
    let scene = game(&[]).step("", "", 3);
    let before = all(&scene, Terran);
    let mut other = scene.clone();
    let board = &mut other.state.board;
    // Another garrison, other troops, damage, cargo elsewhere: fleets stay where they are.
    let units: Vec<_> = board.of(Imperial).map(|(id, u)| (id, *u)).collect();
    for (id, unit) in units {
        if let Place::Box(_) = unit.place {
            board.units.remove(&id);
        }
        if let Some(unit) = board.units.get_mut(&id) {
            unit.damaged = true;
        }
    }
    assert_eq!(all(&other, Terran), before);
    assert_ne!(all(&other, Imperial), all(&scene, Imperial));
}

#[test]
fn the_enemys_destination_in_open_space_is_hidden() {
    use imperium::board::Spot;
    use imperium::galaxy::System;
    let bound = |to| {
        let mut scene = game(&[]).step("", "", 3);
        let lane = Spot::Lane { from: System(24), to: System(to), k: 1, origin: System(24) };
        scene.state.board.fleets.insert((Imperial, 2), lane);
        all(&scene, Terran)
    };
    assert_eq!(bound(9), bound(1));
}

#[test]
fn closed_tracks_hide_the_stockpile() {
    let rich = |n| {
        let scene = game(&[("open_tracks", "false")]).step("", "", 3);
        all(&scene.stock(Imperial, n), Terran)
    };
    assert_eq!(rich(3), rich(40));
}

#[test]
fn whole_wars_tell_nothing_of_plans_that_never_came_to_anything() {
    use engine::trial::TrialOf;
    use engine::{Setup, Trial};
    let mut trial =
        TrialOf::<Imperium>::new(&Setup { seats: 2, ..Setup::default() }, 11).expect("a game");
    for _ in 0..24 {
        trial.write_cards();
        trial.step();
        let mut other = trial.state().clone();
        // The other side's orders on file are changed in every way that shows in no die and no
        // unit.
        let filed = &mut other.filed[1];
        filed.plans = Default::default();
        filed.appeals.clear();
        filed.standing = Default::default();
        let view = |state| format!("{:?}", Imperium::view(state, trial.events(), Terran.seat()));
        assert_eq!(view(trial.state()), view(&other));
    }
}

#[test]
fn turning_round_in_open_space_tells_nothing() {
    use imperium::board::Spot;
    use imperium::galaxy::System;
    let on = |from, to, k| {
        let mut scene = game(&[]).step("", "", 3);
        let lane = Spot::Lane { from: System(from), to: System(to), k, origin: System(24) };
        scene.state.board.fleets.insert((Imperial, 2), lane);
        all(&scene, Terran)
    };
    assert_eq!(on(24, 9, 1), on(9, 24, 3));
}
