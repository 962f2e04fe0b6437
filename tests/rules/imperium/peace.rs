//! The Close-Out, the end of wars and the peace between them (§9 to §11).

use imperium::board::{Control, Marker, Place};
use imperium::closeout;
use imperium::galaxy::{HOMES, TERRAN_CORE};
use imperium::kinds::Kind;
use imperium::standing::Standing;
use imperium::state::{Peace, Stage, Why};

use super::scene::{Imperial, Scene, Terran, game, planet, table, unit};

#[test]
fn bases_pay_first_and_the_stockpile_where_it_is_supplied() {
    let scene = table()
        .bare()
        .marker("01.1", Some((Terran, Marker::World)))
        .marker("08.1", Some((Terran, Marker::Outpost)))
        .stock(Terran, 3)
        .fleet(Terran, 1, 8, "CL1 DD1 DD2 SC1");
    let bill =
        |s: &Scene, standing: &Standing| closeout::bill(&s.state.board, Terran, standing, false);
    let usual = bill(&scene, &Standing::default());
    let at = &usual.systems[&Some(imperium::galaxy::System(8))];
    assert_eq!((at.pool, at.due, at.stock, at.unpaid.len()), (6, 8, 2, 0));
    let none = bill(&scene, &Standing { stock: Some(0), ..Standing::default() });
    let without = &none.systems[&Some(imperium::galaxy::System(8))].unpaid;
    assert_eq!(without.iter().map(|id| id.name.to_string()).collect::<Vec<_>>(), ["DD2"]);
    let cut = scene.clone().fleet(Imperial, 1, 1, "DD1");
    assert_eq!(bill(&cut, &Standing::default()).stock, 0, "the way is cut");
    let first =
        Standing { stock: Some(0), priority: vec![Kind::SC, Kind::DD], ..Standing::default() };
    let without = &bill(&scene, &first).systems[&Some(imperium::galaxy::System(8))].unpaid;
    assert_eq!(without.iter().map(|id| id.name.to_string()).collect::<Vec<_>>(), ["CL1"]);
}

#[test]
fn repair_scrap_and_augmentation_have_their_places_and_prices() {
    let scene = table()
        .segment(4)
        .bare()
        .marker("01.1", Some((Terran, Marker::World)))
        .stock(Terran, 20)
        .on(Terran, "01.1", "F1 F2 PD1 RT1")
        .fleet(Terran, 1, 1, "CL1 DD1")
        .fleet(Terran, 2, 25, "DD2")
        .damaged(Terran, "F1")
        .damaged(Terran, "F2")
        .damaged(Terran, "PD1")
        .damaged(Terran, "CL1")
        .damaged(Terran, "DD1")
        .damaged(Terran, "DD2");
    let done = scene.step("F CL1 PD1 F1+F2 DD2\nX DD1", "", 1);
    assert!(!done.hurt(Terran, "CL1") && !done.hurt(Terran, "PD1") && !done.hurt(Terran, "F1"));
    assert!(!done.has(Terran, "F2") && !done.has(Terran, "DD1"));
    assert!(done.hurt(Terran, "DD2"), "no base and no AR there");
    let said = done.localized();
    for line in [
        "DD1 is scrapped for 1",
        "CL1 is repaired for 3",
        "PD1 is repaired for 5",
        "F1 and F2 are F1 now",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let all = scene.step("F *", "", 1).localized();
    let order: Vec<usize> = ["PD1 is repaired", "CL1 is repaired", "DD1 is repaired"]
        .iter()
        .map(|w| all.find(w).expect("it is"))
        .collect();
    assert!(order.is_sorted(), "costliest first");
    let ar = scene.clone().fleet(Terran, 3, 25, "SC1");
    let mut ar = ar;
    imperium::state::add(&mut ar.state.board, unit(Terran, "AR1"), Place::Fleet(2));
    assert!(!ar.step("F DD2", "", 1).hurt(Terran, "DD2"), "with an AR");
}

#[test]
fn damaged_units_without_maintenance_are_lost_only_by_option() {
    let mut scene = table()
        .segment(4)
        .bare()
        .marker("01.1", Some((Terran, Marker::World)))
        .stock(Terran, 0)
        .fleet(Terran, 1, 37, "B1")
        .damaged(Terran, "B1");
    let lost = |s: &Scene| (1..40).any(|seed| !s.step("", "", seed).has(Terran, "B1"));
    assert!(!lost(&scene));
    scene.state.options.attrition_kills = true;
    assert!(lost(&scene));
}

#[test]
fn a_campaign_ends_when_homes_are_taken() {
    for (side, planets) in [(Terran, HOMES.to_vec()), (Imperial, TERRAN_CORE.to_vec())] {
        let mut scene = game(&[("wars", "0")]);
        for p in planets {
            scene.state.board.units.retain(|_, u| !matches!(u.place, Place::Box(at) if at == p));
            scene = scene.marker(&p.to_string(), Some((side, Marker::World)));
            assert_eq!(scene.state.board.control(p), Control::Held(side));
        }
        (scene.state.turn, scene.state.clock) = (10, 10);
        scene.run(1, imperium::war::end_turn);
        let Stage::Over(end) = scene.state.stage else { panic!("it goes on") };
        assert_eq!((end.winner, end.why), (Some(side), Why::Homes));
    }
}

#[test]
fn a_truce_needs_both() {
    let offered = |terran: bool, imperial: bool| {
        let mut scene = game(&[]);
        (scene.state.turn, scene.state.clock) = (3, 3);
        scene.state.filed[0].standing.truce = terran;
        scene.state.filed[1].standing.truce = imperial;
        scene.run(1, imperium::war::end_turn);
        matches!(scene.state.stage, Stage::Over(end) if end.winner.is_none() && end.why == Why::Truce)
    };
    assert!(offered(true, true) && !offered(true, false) && !offered(false, true));
}

/// A war of a campaign that ends now, with forces on loan.
fn war(glory: i32) -> Scene {
    let mut scene = game(&[("wars", "0")]);
    (scene.state.turn, scene.state.clock) = (1, 1);
    scene.run(3, |run| imperium::court::loan(run, &[Kind::CA, Kind::CR], false, false));
    scene.state.turn = 10;
    scene.state.clock = 10;
    scene.state.glory = glory;
    scene
}

#[test]
fn loans_return_unless_the_imperium_won() {
    let ended = |mut scene: Scene| {
        scene.run(1, imperium::war::end_turn);
        scene
    };
    let lost = ended(war(2));
    assert!(!lost.has(Imperial, "CA1") && lost.state.board.court.loans.is_empty());
    let won = ended(war(8));
    assert!(won.has(Imperial, "CA1"));
    assert_eq!((lost.state.glory, won.state.glory), (4, 6));
    // In place of a lost ship the next larger one leaves: CR2 is lost, CR1 has the same cost.
    let mut gone = war(2);
    assert!(gone.has(Imperial, "CR2"));
    gone.state.board.units.remove(&unit(Imperial, "CR2"));
    assert!(!ended(gone).has(Imperial, "CR1"));
}

#[test]
fn outposts_that_are_cut_off_are_given_up_and_all_go_home() {
    let mut scene =
        war(5).marker("34.1", Some((Imperial, Marker::Outpost))).on(Imperial, "34.1", "M2 JT5");
    imperium::state::add(&mut scene.state.board, unit(Imperial, "PD5"), Place::Box(planet("34.1")));
    scene.run(1, imperium::war::end_turn);
    assert_eq!(scene.state.board.marker(planet("34.1")), None);
    assert!(!scene.has(Imperial, "PD5") && !scene.has(Imperial, "M2"));
    assert_eq!(scene.state.board.units[&unit(Imperial, "JT5")].place, Place::Box(planet("33.1")));
    let away = scene.state.board.fleets.iter().filter(|((side, _), spot)| {
        let home = if *side == Terran { 1 } else { 33 };
        **spot != imperium::board::Spot::System(imperium::galaxy::System(home))
    });
    assert_eq!(away.count(), 0);
    assert_eq!(
        scene.state.board.units[&unit(Terran, "PD2")].place,
        Place::Box(planet("04.1")),
        "PD stays"
    );
    assert_eq!(scene.state.glory, 5, "after a truce");
}

#[test]
fn disputed_planets_are_nobodys_after_a_war() {
    let mut scene = war(5)
        .marker("24.1", Some((Imperial, Marker::Outpost)))
        .hex(Terran, "24.1", 1, "RT8")
        .hex(Imperial, "24.1", 2, "RT8");
    scene.run(1, imperium::war::end_turn);
    assert_eq!(scene.state.board.marker(planet("24.1")), None);
    assert_eq!(scene.state.board.control(planet("24.1")), Control::Nobody);
}

#[test]
fn peace_turns_are_one_step_without_intervention_and_cost_twice() {
    let mut scene = war(5);
    scene.run(1, imperium::war::end_turn);
    scene.state.peace = Some(Peace { turn: 1, of: 2 });
    let told = scene.told(Terran, "SEG 1\nA 01\nM 1 04 09").1;
    assert!(told.starts_with("it is peace"), "{told}");
    let stock = scene.state.board.purses[0].stock;
    let done = scene.step(&format!("B DD {}", stock / 10), "I F", 1);
    assert!(!done.localized().contains("Intervention") && !done.localized().contains("appeal"));
    assert_eq!(done.state.peace, Some(Peace { turn: 2, of: 2 }));
    let war = done.step("", "", 2);
    assert_eq!((war.state.peace, war.state.war, war.state.turn), (None, 2, 1));
    assert!(war.localized().contains("war 2 begins"));
    assert!(war.localized().contains("Intervention"), "{}", war.localized());
}

#[test]
fn outposts_on_a_planets_become_worlds_in_peace() {
    let mut scene = table().stock(Terran, 100).marker("02.1", Some((Terran, Marker::Outpost)));
    assert_eq!(scene.told(Terran, "G 02.1").1, "Outposts become Worlds in peace only");
    scene.state.peace = Some(Peace { turn: 1, of: 9 });
    for turn in 1..=4 {
        let (board, at) = (&mut scene.state.board, planet("02.1"));
        let when = imperium::admin::When { turn, peace: true };
        imperium::admin::upgrade(board, Terran, at, when).expect("it is paid");
        assert!(imperium::admin::upgrade(board, Terran, at, when).is_err(), "once a turn");
    }
    assert_eq!(scene.state.board.holds(Terran, planet("02.1")), Some(Marker::World));
    assert_eq!(scene.state.board.purses[0].stock, 60);
    assert_eq!(scene.told(Terran, "G 03.1").1, "only on A planets an Outpost becomes a World");
}
