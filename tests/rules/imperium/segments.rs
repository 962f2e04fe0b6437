//! Plans, conditions, HALT, tempo, moves, scouts, open space, and administration (§5, §6, §12).

use engine::{Rules, Until};
use imperium::Imperium;
use imperium::board::{Marker, Place, Spot};
use imperium::event::What;
use imperium::galaxy::System;
use imperium::kinds::Kind;
use imperium::state::{Pause, Spotted, Stage};

use super::scene::{Imperial, Scene, Terran, game, planet, table, unit};

fn first(s: &Scene) -> bool {
    s.initiative().is_some_and(|d| d[0] > d[1])
}

#[test]
fn the_first_block_that_fits_is_done() {
    let scene = table().segment(1).bare().fleet(Terran, 1, 4, "DD1").fleet(Imperial, 1, 24, "SC1");
    let plan = "SEG 1\nA 04 IF E09\nM 1 01\nA 04 IF E24 !G7\nM 1 15\nA 04\nM 1 09";
    let done = scene.seek([plan, ""], first);
    assert_eq!(done.at(Terran, 1), Some(15));
    let plan = "SEG 1\nA 12\nM 1 08\nA 04\nM 1 15";
    assert_eq!(scene.seek([plan, ""], first).at(Terran, 1), Some(15), "no units in 12");
    let plan = "SEG 1\nA 04\nK 04.1\nA 04\nM 1 15";
    let done = scene.seek([plan, ""], |s| s.initiative().is_some_and(|d| d == [2, 1]));
    assert_eq!(
        done.at(Terran, 1),
        Some(15),
        "a block of which nothing is possible is no activation"
    );
}

#[test]
fn conditions_ask_what_a_seat_may_know() {
    let scene = table()
        .segment(1)
        .marker("19.1", Some((Terran, Marker::Outpost)))
        .fleet(Terran, 2, 4, "DD1");
    let holds = |word: &str| {
        let plan = format!("SEG 1\nA 04 IF {word}\nM 2 15");
        scene.seek([&plan, ""], |s| s.initiative() == Some([3, 1])).at(Terran, 2) == Some(15)
    };
    for word in ["O04", "F2@04", "C19.1", "I3", "J1", "G5", "T1", "!D19.1", "V0", "!E09"] {
        assert!(holds(word), "{word}");
    }
    for word in ["O05", "F2@05", "C20.1", "I4", "J2", "G6", "T2", "D19.1", "V7", "E09"] {
        assert!(!holds(word), "{word}");
    }
}

#[test]
fn wait_passes_once_and_two_passes_end_the_segment() {
    let scene = table().segment(1).bare().fleet(Terran, 1, 4, "DD1").fleet(Imperial, 1, 33, "DD1");
    let passes = |s: &Scene| {
        s.events.iter().filter(|e| matches!(e.what, What::Passed(side) if side == Terran)).count()
    };
    let wait = "SEG 1\nWAIT\nA 04\nM 1 15";
    let over = scene.seek([wait, ""], first);
    assert_eq!((passes(&over), over.at(Terran, 1)), (1, Some(4)), "both passed");
    let other = "SEG 1\nA 33\nM 1 24";
    let later = scene.seek([wait, other], first);
    assert_eq!(later.at(Terran, 1), Some(15), "the other acted, so it went on");
}

#[test]
fn halt_stops_once_and_new_cards_count() {
    let scene = game(&[]).step("", "", 1);
    let terran = "SEG 1\nHALT IF E04\nA 01\nM 4 08";
    let imperial = "SEG 1\nA 09\nM 1 04";
    let mut base = scene.clone();
    base.state.board.court.talks = false;
    let halted = base.seek([terran, imperial], |s| {
        s.state.action().is_some_and(|a| a.pause == Pause::Halt(Terran))
    });
    let wait = Imperium::wait(&halted.state);
    assert_eq!(wait.seats.len(), 2);
    assert_eq!(wait.until, Until::Clock { name: "live".to_owned(), hours: 24 });
    let used = halted.state.action().expect("a segment").done;
    let on = halted.step("SEG 1\nHALT IF E04\nWAIT", "", 1);
    assert_ne!(on.state.action().map(|a| a.pause), Some(Pause::Halt(Terran)), "once a segment");
    assert!(used[1] > 0, "dice and used activations stand");
}

#[test]
fn tempo_says_how_many_steps_a_turn_has() {
    let label = |s: &Scene| Imperium::wait(&s.state).label;
    let mut segment = game(&[]).step("", "", 1);
    let mut labels = Vec::new();
    for seed in 0..5 {
        labels.push(label(&segment));
        segment = segment.step("", "", seed);
    }
    let told = ["turn 1", "turn 1, segment 2", "turn 1, segment 3", "turn 1, segment 4", "turn 2"];
    assert_eq!(labels, told);
    let turn = game(&[("tempo", "turn")]).step("", "", 1);
    assert_eq!(label(&turn.step("", "", 1)), "turn 2");
    let one = game(&[("tempo", "activation")]).step("", "", 1);
    let acts = one.seek(["", ""], |s| s.state.action().is_some_and(|a| a.pause == Pause::Turn));
    let wait = Imperium::wait(&acts.state);
    assert_eq!(wait.seats.len(), 1, "{}", wait.label);
    assert!(wait.label.contains("to act"), "{}", wait.label);
}

#[test]
fn plans_for_later_segments_stay_on_file_to_the_end_of_the_turn() {
    let scene = game(&[]).step("", "", 1);
    let plan = "SEG 1\nWAIT\nSEG 3\nA 08\nM 4 01";
    let done = scene.step(plan, "", 1).step("", "", 2);
    assert_eq!(done.state.filed[0].plans[2].len(), 1);
    let moved = done.seek(["", ""], first);
    assert_eq!(moved.at(Terran, 4), Some(1));
}

#[test]
fn scouts_are_undetected_with_ten_or_less() {
    let scene = table()
        .segment(1)
        .bare()
        .fleet(Terran, 1, 4, "SC1")
        .fleet(Imperial, 1, 9, "DD1 DD2 CL1")
        .on(Imperial, "09.1", "PD1 RT1");
    let plan = "SEG 1\nA 04\nM 1 09 24";
    let (mut seen, mut caught) = (0, 0);
    for seed in 1..200 {
        let done = scene.step(plan, "", seed);
        let said = done.localized();
        if let Some(rest) = said.split("scouts at").nth(1) {
            let roll = rest.split(" = ").nth(1).and_then(|r| r.split([':', '.']).next());
            let roll: u32 = roll.and_then(|r| r.parse().ok()).expect("a roll");
            assert_eq!(said.contains("undetected"), roll <= 10, "{said}");
        }
        if done.localized().contains("undetected") {
            assert_eq!(done.at(Terran, 1), Some(24), "it goes on");
            let known = &done.state.known[0];
            assert_eq!(known[&Spotted::Fleet(1)].units.len(), 3);
            let troop =
                known[&Spotted::Planet(planet("09.1"))].units.iter().find(|u| u.kind == Kind::RT);
            assert_eq!(troop.map(|u| u.n), Some(0), "strength is not seen");
            seen += 1;
        } else if done.localized().contains("detected") {
            assert!(done.localized().contains(" + 2 = "), "two destroyers: {}", done.localized());
            assert_eq!(done.battles().len(), 1);
            caught += 1;
        }
    }
    assert!(seen > 10 && caught > 3, "{seen} {caught}");
    let mut shy = scene.clone();
    shy.state.filed[1].standing.scouts = 0;
    let done = shy.seek([plan, ""], |s| s.localized().contains("scouts at"));
    assert!(
        !done
            .events
            .iter()
            .any(|e| matches!(&e.what, What::Said(t) if t.localized().contains(" + 2 = ")))
    );
}

#[test]
fn open_space_takes_a_turn_for_each_hex() {
    let scene = table().segment(1).bare().fleet(Terran, 1, 1, "DD1").fleet(Imperial, 1, 33, "DD1");
    let left = scene.seek(["SEG 1\nA 01\nS 1 04", ""], first);
    let spot = |s: &Scene| s.state.board.fleets.get(&(Terran, 1)).copied();
    let lane = |k| Some(Spot::Lane { from: System(1), to: System(4), k, origin: System(1) });
    assert_eq!(spot(&left), lane(1));
    let next = |s: &Scene| s.clone().segment(1).step("", "", 1);
    let (two, three) = (next(&left), next(&next(&left)));
    assert_eq!((spot(&two), spot(&three)), (lane(2), lane(3)));
    assert_eq!(next(&three).at(Terran, 1), Some(4), "hex 4 is Barnard's Star");
    let told = scene.clone().segment(2).told(Terran, "SEG 2\nA 01\nS 1 04").1;
    assert_eq!(told, "open-space moves start in segment 1");
    let back = two.clone().segment(1).fleet(Terran, 2, 1, "SC1");
    let back = back.seek(["SEG 1\nA 01\nS 1 BACK", ""], first);
    let home = Spot::Lane { from: System(4), to: System(1), k: 1, origin: System(1) };
    assert_eq!(spot(&back), Some(home), "it had advanced to hex 3 of 4");
}

#[test]
fn fleets_that_meet_in_open_space_fight() {
    let mut scene =
        table().segment(1).bare().fleet(Terran, 1, 1, "DD1").fleet(Imperial, 1, 4, "DD1");
    let lane =
        |from, to, k| Spot::Lane { from: System(from), to: System(to), k, origin: System(from) };
    scene.state.board.fleets.insert((Terran, 1), lane(1, 4, 1));
    scene.state.board.fleets.insert((Imperial, 1), lane(4, 1, 1));
    let done = scene.step("", "", 1);
    assert_eq!(done.battles().len(), 1, "2 of 4 from either end");
    assert_eq!(done.battles()[0].moving, Terran);
}

#[test]
fn peace_talks_and_civil_war_last_a_turn() {
    let talks = table().fleet(Terran, 1, 4, "DD1").fleet(Imperial, 1, 9, "DD1").intervention(12);
    let told = talks.told(Terran, "SEG 1\nA 04\nM 1 09").1;
    assert_eq!(told, "Peace Talks this turn: enemy units are in 09");
    let war = table().begun(|s| s.state.board.court.civil_war);
    assert!(war.localized().contains("civil war"));
    let next = war.intervention(7);
    assert!(!next.state.board.court.civil_war);
}

#[test]
fn a_frontier_crisis_takes_ships_for_three_turns() {
    let scene = table().fleet(Imperial, 1, 33, "CA1 DD1 SC1 TR1(RT1)");
    let crisis = scene.begun(|s| s.localized().contains("Frontier Crisis, die 3"));
    let away = |w: &str| crisis.state.board.units[&unit(Imperial, w)].place == Place::Track(4);
    assert!(away("SC1") && away("TR1") && away("DD1") && !away("CA1"), "cheapest first");
    assert_eq!(crisis.state.board.units[&unit(Imperial, "RT1")].place, Place::Box(planet("33.1")));
    let mut listed = scene.clone();
    listed.state.filed[1].standing.removal =
        vec![imperium::orders::Piece::Kind(Kind::CA), imperium::orders::Piece::Kind(Kind::DD)];
    let crisis = listed.begun(|s| s.localized().contains("Frontier Crisis, die 3"));
    let place = |w: &str| crisis.state.board.units[&unit(Imperial, w)].place;
    assert_eq!((place("CA1"), place("DD1")), (Place::Track(4), Place::Track(4)));
    let mut back = crisis.clone();
    back.state.clock = 4;
    let back = back.intervention(7);
    assert_eq!(back.state.board.units[&unit(Imperial, "CA1")].place, Place::Arriving);
}

#[test]
fn offensives_stay_while_glory_rises() {
    let scene = table().begun(|s| s.localized().contains("Mandated Offensive, die 5"));
    let units = scene.state.board.court.loans[0].units.len();
    assert_eq!(units, 4, "2 B2, CA, CR");
    let ended = |from: i32, to: i32, turn: u32| {
        let mut scene = scene.clone();
        (scene.state.glory_before, scene.state.glory, scene.state.clock) = (from, to, turn);
        scene.run(1, imperium::court::offensives_end);
        scene.state.board.court.loans.len()
    };
    assert_eq!((ended(5, 5, 1), ended(5, 5, 2), ended(5, 6, 2)), (1, 0, 1));
}

#[test]
fn a_visit_doubles_gains_and_triples_losses() {
    let mut scene = table().intervention(4);
    assert!(scene.state.board.court.loans[0].visit);
    scene.run(1, |run| run.glory("a gain", 1));
    assert_eq!(scene.state.glory, 7);
    scene.run(1, |run| run.glory("a loss", -1));
    assert_eq!(scene.state.glory, 4);
}

#[test]
fn depression_takes_from_the_next_three_turns_and_a_boom_ends_it() {
    let scene = table().stock(Imperial, 0).intervention(6);
    assert_eq!(scene.state.board.purses[1].stock, 20, "not yet");
    let income =
        |s: &Scene, turn| imperium::court::income(&s.state.board, Imperial, false, turn).total;
    assert_eq!([1, 2, 4, 5].map(|t| income(&scene, t)), [20, 10, 10, 20]);
    let boom = scene.intervention(8);
    assert!(boom.state.board.court.depression.is_none());
    assert!(boom.localized().contains("10 for an economic boom"), "{}", boom.localized());
}

#[test]
fn reinforcements_come_as_told_and_within_the_counters() {
    let token = table().intervention(10);
    assert_eq!((token.counted(Imperial, Kind::DD), token.counted(Imperial, Kind::CL)), (1, 1));
    let many = table().begun(|s| s.localized().contains("Imperial Reinforcements, die 5"));
    let count = |k| many.counted(Imperial, k);
    assert_eq!((count(Kind::DD), count(Kind::CL), count(Kind::SC)), (2, 2, 1));
    let mut listed = table();
    listed.state.filed[1].standing.removal = vec![imperium::orders::Piece::Kind(Kind::CA)];
    let one = listed.begun(|s| s.localized().contains("Imperial Reinforcements, die 5"));
    assert_eq!(one.counted(Imperial, Kind::CA), 1, "one capital ship at most");
    let nobody = table().bare().intervention(10);
    assert_eq!(nobody.counted(Imperial, Kind::DD), 0, "no home world, no forces");
}

#[test]
fn outposts_arrive_aboard_and_are_put_down() {
    let mut scene = table().fleet(Terran, 1, 1, "TR1").stock(Terran, 0);
    imperium::state::add(&mut scene.state.board, unit(Terran, "OP1"), Place::Arriving);
    let told = scene.told(Terran, "P OP 01.1").1;
    assert_eq!(told, "an Outpost arrives aboard an empty TR or AT");
    let done = scene.step("P OP TR1", "", 1);
    assert_eq!(
        done.state.board.units[&unit(Terran, "OP1")].place,
        Place::Aboard(unit(Terran, "TR1").name)
    );
    let moved = done.clone().segment(2).seek(["SEG 2\nA 01\nM 1 07\nA 07\nU TR1 07.1", ""], |s| {
        s.initiative().is_some_and(|d| d[0] > d[1] && d[0] > 1)
    });
    assert_eq!(moved.state.board.marker(planet("07.1")), Some((Terran, Marker::Outpost)));
    assert!(!moved.has(Terran, "OP1"));
}

#[test]
fn nobody_is_waited_for_after_the_end() {
    let mut scene = game(&[]);
    scene.state.stage =
        Stage::Over(imperium::state::End { winner: None, why: imperium::state::Why::Turns });
    assert!(Imperium::wait(&scene.state).seats.is_empty());
    let after = scene.step("B DD 1", "", 1);
    assert!(after.events.is_empty() && after.state.stage == scene.state.stage);
}

#[test]
fn who_leaves_has_lost() {
    use engine::{BySeat, CardText, Dice, Input, Seat, Sits};
    let scene = game(&[("wars", "0")]).step("", "", 1);
    let (cards, seats): (BySeat<CardText>, BySeat<Sits>) =
        (BySeat::new(), [(Seat(1), Sits::Left)].into());
    let input = Input { cards: &cards, seats: &seats };
    let done = Imperium::step(scene.state.clone(), &input, &mut Dice::new(1));
    let scores = Imperium::result(&done.state).expect("the end");
    assert_eq!(scores.iter().map(|s| (s.rank, s.points)).collect::<Vec<_>>(), [(2, 0), (1, 2)]);
}

#[test]
fn peace_talks_keep_fleets_in_open_space_apart() {
    let mut scene =
        table().segment(1).bare().fleet(Terran, 1, 1, "DD1").fleet(Imperial, 1, 4, "DD1");
    let lane =
        |from, to, k| Spot::Lane { from: System(from), to: System(to), k, origin: System(from) };
    scene.state.board.fleets.insert((Terran, 1), lane(1, 4, 1));
    scene.state.board.fleets.insert((Imperial, 1), lane(4, 1, 1));
    scene.state.board.court.talks = true;
    assert!(scene.step("", "", 1).battles().is_empty());
}

#[test]
fn a_ship_built_after_a_loaned_one_was_lost_is_not_taken_away() {
    let mut scene = table().begun(|s| s.localized().contains("Mandated Offensive, die 1"));
    assert!(scene.has(Imperial, "CA1"));
    scene.state.board.units.remove(&unit(Imperial, "CA1"));
    let turn = scene.state.clock + 1;
    scene.state.clock = turn;
    scene.state.board.purses[1].track = vec![imperium::board::Due { turn, kind: Kind::CA }];
    let mut scene = scene.intervention(7);
    assert!(scene.has(Imperial, "CA1"), "its number is given out again");
    scene.run(1, imperium::court::offensives_end);
    assert!(scene.has(Imperial, "CA1") && !scene.has(Imperial, "CA2"));
}
