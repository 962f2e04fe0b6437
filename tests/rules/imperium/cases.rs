//! The twenty acceptance cases of the specification (§19.2 of other games, §19 here).

use engine::Mark;
use imperium::admin::{self, When};
use imperium::board::{Due, Harm, Marker, harm};
use imperium::court::income;
use imperium::event::What;
use imperium::fire::Shot;
use imperium::kinds::Kind;
use imperium::space::{beam, torpedo};
use imperium::state::{End, Stage, Why};

use super::scene::{Imperial, Scene, Terran, game, planet, table, unit};

const WORLD: Marker = Marker::World;
const OUTPOST: Marker = Marker::Outpost;

#[test]
fn case_1_imperial_income_counts_worlds_and_connected_outposts() {
    let scene = table()
        .marker("32.1", Some((Imperial, OUTPOST)))
        .marker("34.1", Some((Imperial, OUTPOST)))
        .fleet(Terran, 1, 22, "DD1")
        .fleet(Terran, 2, 20, "DD2");
    assert_eq!(income(&scene.state.board, Imperial, false, 1).total, 20);
}

#[test]
fn case_2_terran_income_counts_sol_worlds_and_outposts() {
    let mut scene = table().bare();
    for at in ["01.1", "02.1", "34.1"] {
        scene = scene.marker(at, Some((Terran, WORLD)));
    }
    for at in ["01.2", "03.1", "04.1", "08.1"] {
        scene = scene.marker(at, Some((Terran, OUTPOST)));
    }
    let scene = scene.fleet(Imperial, 1, 20, "DD1");
    assert_eq!(income(&scene.state.board, Terran, false, 1).total, 28);
}

#[test]
fn case_3_dreadnoughts_wait_for_a_lost_battleship() {
    let mut scene = table().stock(Terran, 50);
    let note = "no Dreadnoughts before a Terran Battleship has been destroyed";
    assert_eq!(scene.told(Terran, "B BB"), (Mark::Error, note.to_owned()));
    scene.state.board.b_lost = true;
    scene.state.clock = 4;
    assert_eq!(scene.told(Terran, "B BB").0, Mark::Ok);
    let done = scene.step("B BB", "", 1);
    let purse = &done.state.board.purses[0];
    assert_eq!((purse.stock, &purse.track[..]), (26, &[Due { turn: 7, kind: Kind::BB }][..]));
}

#[test]
fn case_4_restricted_ships_need_the_permission_that_an_appeal_gives() {
    let scene = table().stock(Imperial, 40);
    let refused = (Mark::Error, "CA needs the Emperor's permission (appeal)".to_owned());
    assert_eq!(scene.told(Imperial, "B CA"), refused);
    let mut asking = scene.clone();
    let filed = imperium::orders::Appeal::Forces;
    asking.state.filed[1].appeals = vec![(filed, Vec::new())];
    let granted = asking.begun(|s| s.state.board.court.permitted.contains(&Kind::CA));
    assert!(granted.state.board.court.permitted.contains(&Kind::CR));
    let done = granted.step("", "B CA", 1);
    let turn = granted.state.clock + 2;
    assert!(done.state.board.purses[1].track.contains(&Due { turn, kind: Kind::CA }));
    let stock = |s: &Scene| s.state.board.purses[1].stock;
    assert_eq!(stock(&granted) - stock(&done), 15);
    let revoked = granted.intervention(5);
    assert_eq!(revoked.told(Imperial, "B CA"), refused);
}

#[test]
fn case_5_recentralization_cancels_battleships_for_half_their_cost() {
    let mut scene = table().stock(Imperial, 0);
    scene.state.board.purses[1].track = vec![Due { turn: 3, kind: Kind::B1 }];
    let done = scene.intervention(5);
    assert!(done.state.board.purses[1].track.is_empty());
    // 8 back, and the income of the turn.
    assert_eq!(done.state.board.purses[1].stock, 8 + 20);
}

#[test]
fn case_6_no_world_gets_a_second_unit_before_all_have_one() {
    let mut scene = table().bare();
    for at in ["33.1", "35.1"] {
        scene = scene.marker(at, Some((Imperial, WORLD)));
    }
    for word in ["DD1", "DD2", "DD3"] {
        let place = imperium::board::Place::Arriving;
        imperium::state::add(&mut scene.state.board, unit(Imperial, word), place);
    }
    let judged = scene.judge(Imperial, "P DD1 33.1\nP DD2 33.1\nP DD2 35.1\nP DD3 33.1");
    let marks: Vec<Mark> = judged.lines.iter().map(|l| l.mark).collect();
    assert_eq!(marks, [Mark::Ok, Mark::Error, Mark::Ok, Mark::Ok]);
    assert_eq!(judged.lines[1].note, "33.1 has its unit; 35.1 comes first");
}

/// Fleets of each side at six systems, one at each.
fn many() -> Scene {
    let mut scene = table().segment(1);
    for (n, at) in [1, 2, 3, 4, 8, 10].into_iter().enumerate() {
        let n = u8::try_from(n).expect("few") + 1;
        scene = scene.fleet(Terran, n, at, &format!("DD{n}"));
    }
    for (n, at) in [33, 35, 38, 24, 29, 30].into_iter().enumerate() {
        let n = u8::try_from(n).expect("few") + 1;
        scene = scene.fleet(Imperial, n, at, &format!("DD{n} SC{n}"));
    }
    scene
}

#[test]
fn case_7_equal_dice_end_the_segment_and_others_alternate() {
    let terran =
        "SEG 1\nA 01\nM 1 05\nA 02\nM 2 03\nA 03\nM 3 02\nA 04\nM 4 15\nA 08\nM 5 12\nA 10\nM 6 17";
    let imperial = "SEG 1\nA 33\nD 1 9 SC1\nA 35\nD 2 8 SC2\nA 38\nD 3 7 SC3\nA 24\nD 4 10 SC4\nA 29\nD 5 11 SC5";
    let activated = |s: &Scene| {
        let side = |e: &imperium::event::Event| match e.what {
            What::Activated(side, ..) => Some(side),
            _ => None,
        };
        s.events.iter().filter_map(side).collect::<Vec<_>>()
    };
    let equal = many().seek([terran, imperial], |s| s.initiative() == Some([4, 4]));
    assert!(activated(&equal).is_empty());
    let five = many().seek([terran, imperial], |s| s.initiative() == Some([5, 2]));
    let order = [Terran, Imperial, Terran, Imperial, Terran, Terran, Terran];
    assert_eq!(activated(&five), order);
}

#[test]
fn case_8_a_fleet_moves_once_and_who_arrives_attacks_no_planet() {
    let scene = table().segment(1).marker("04.1", Some((Imperial, OUTPOST))).fleet(
        Terran,
        1,
        1,
        "DD1 TR1(JT1)",
    );
    let card = "SEG 1\nA 01\nM 1 04\nA 04\nM 1 01\nA 04\nK 04.1";
    let judged = scene.judge(Terran, card);
    assert_eq!(judged.lines[4].note, "fleet 1 moves in your 1st activation");
    assert_eq!(judged.lines[6].note, "a fleet cannot move and attack a planet in one segment");
    assert!(judged.lines[4].mark == Mark::Error && judged.lines[6].mark == Mark::Error);
    let card = "SEG 1\nA 01\nM 1 04\nA 04\nK 04.1\nD 1 7 TR1\nM 1 01";
    let done = scene.seek([card, ""], |s| s.initiative().is_some_and(|d| d[0] > d[1] && d[0] > 1));
    assert_eq!(done.at(Terran, 1), Some(4), "it moved once");
    let said = done.localized();
    assert!(said.contains("a fleet cannot move and attack a planet in one segment"), "{said}");
    assert!(said.contains("has moved in this segment"), "{said}");
}

#[test]
fn case_9_a_fleet_goes_as_its_slowest_ship() {
    let scene = table().fleet(Terran, 1, 1, "DD1 CV1").fleet(Terran, 2, 1, "DD2 TR1");
    let scene = scene.damaged(Terran, "TR1");
    let jumps = |n| scene.state.board.slowest(Terran, n).map(|s| s.1);
    assert_eq!((jumps(1), jumps(2)), (Some(4), Some(2)));
}

#[test]
fn case_10_scouts_and_auxiliaries_let_pass_and_destroyers_stop() {
    let card = "SEG 1\nA 01\nM 1 04 09";
    let base = table().segment(1).bare().fleet(Terran, 1, 1, "CL1 DD1");
    let soft = base.clone().fleet(Imperial, 1, 4, "SC1 TR1");
    let first = |s: &Scene| s.initiative().is_some_and(|d| d[0] > d[1]);
    let passed = soft.seek([card, ""], first);
    assert_eq!((passed.at(Terran, 1), passed.battles().len()), (Some(9), 0));
    let fought = soft.seek(["SEG 1\nA 01\nM 1 04! 09", ""], first);
    assert_eq!(fought.battles().len(), 1, "! fights");
    let hard = base.fleet(Imperial, 1, 4, "DD1");
    let stopped = hard.seek([card, ""], |s| first(s) && s.at(Terran, 1).is_some());
    assert_eq!(stopped.battles().len(), 1);
    assert_ne!(stopped.at(Terran, 1), Some(9));
}

/// The hits of these dice, with the number that they need.
fn shot(dice: &[u8], need: Option<u8>) -> u32 {
    let by = unit(Terran, "CL1");
    let at = unit(Imperial, "CL1");
    need.map_or(0, |need| Shot { by, at, need, dice: dice.to_vec() }.hits())
}

#[test]
fn case_11_beams_by_range() {
    let dice = [6, 5, 4, 3];
    let hits = [0, 1, 2].map(|range| shot(&dice, beam(false, range)));
    assert_eq!(hits, [3, 1, 0]);
    assert_eq!(shot(&[6, 5, 6, 4], beam(true, 2)), 2, "sixes of a heavy cruiser");
    assert_eq!(beam(true, 3), None);
}

#[test]
fn case_12_torpedoes_by_range_and_counter_measures() {
    let dice = [6, 5, 4, 2, 1];
    assert_eq!(shot(&dice, torpedo(1)), 2);
    assert_eq!(shot(&dice, torpedo(3)), 1);
    assert_eq!(torpedo(4), None);
    // In battle each 6 of the target's dice takes one hit away.
    let scene = table()
        .segment(1)
        .bare()
        .fleet(Terran, 1, 1, "TB1 TB2 TB3")
        .fleet(Imperial, 1, 4, "CL1 CL2");
    for seed in 1..40 {
        let done = scene.step("SEG 1\nA 01\nM 1 04", "", seed);
        for round in done.battles().iter().flat_map(|b| &b.rounds) {
            for loss in &round.torpedo_losses {
                let shots = round.torpedoes.iter().filter(|s| s.at == loss.id);
                let hits: u32 = shots.map(Shot::hits).sum();
                let stopped = loss.cm.iter().filter(|d| **d == 6).count() as u32;
                assert_eq!(loss.hits, hits.saturating_sub(stopped));
            }
        }
    }
}

#[test]
fn case_13_three_times_the_defence_destroys_outright() {
    assert_eq!(harm(3, 1, false), Harm::Destroyed);
    assert_eq!(harm(8, 3, false), Harm::Damaged);
    assert_eq!(harm(9, 3, false), Harm::Destroyed);
    assert_eq!(harm(2, 3, false), Harm::None);
    assert_eq!(harm(3, 3, true), Harm::Destroyed);
}

#[test]
fn case_14_planetary_defence_hits_better_on_its_world_and_never_together_with_fighters() {
    use engine::Dice;
    let landing = |at: &str, marker: Marker| {
        table()
            .segment(1)
            .bare()
            .marker(at, Some((Imperial, marker)))
            .on(Imperial, at, "PD1 PD2 PD3")
            .fleet(Terran, 1, planet(at).system.0, "AT1(JT1) CL1")
    };
    // Every die shows 4.
    let mut dice = Dice::middling(0);
    for (at, marker, hits) in [("09.1", OUTPOST, 0), ("33.1", WORLD, 9)] {
        let scene = landing(at, marker);
        let board = &mut scene.state.board.clone();
        let mut story = imperium::ground::Story::new(planet(at), Terran);
        let orders = [(1, unit(Terran, "JT1").name, vec![4])];
        let standing = imperium::standing::Standing::default();
        let none = std::collections::BTreeSet::new();
        let both = [&standing, &standing];
        imperium::ground::assault(board, &mut story, &orders, &none, both, &mut dice);
        let fired: u32 = story.fire.iter().map(Shot::hits).sum();
        assert_eq!(fired, hits, "{at}");
    }
    // A hit of a fighter and one of the defence are two calls: neither reaches D2.
    assert_eq!((harm(1, 2, false), harm(1, 2, false)), (Harm::None, Harm::None));
}

#[test]
fn case_15_a_die_for_three_torpedo_factors_and_none_on_disputed_planets() {
    let scene = table()
        .segment(1)
        .marker("09.1", Some((Imperial, OUTPOST)))
        .on(Imperial, "09.1", "PD1 F1")
        .fleet(Terran, 1, 9, "CS1 CS2 DD1");
    let done = scene.seek(["SEG 1\nA 09\nK 09.1 B", ""], |s| {
        s.sieges().first().and_then(|s| s.bombardment.as_ref()).is_some_and(|b| b.factors == 13)
    });
    let bombs = done.sieges()[0].bombardment.as_ref().expect("bombs");
    assert_eq!(bombs.dice.len(), 4);
    let sixes = bombs.dice.iter().filter(|d| **d == 6).count() as u32;
    let given: u32 = bombs.hits.iter().map(|l| l.hits).sum();
    assert!(given <= sixes);
    let disputed = table()
        .segment(1)
        .hex(Terran, "09.1", 1, "JT1")
        .hex(Imperial, "09.1", 1, "JT1")
        .fleet(Terran, 1, 9, "CL1");
    let told = disputed.told(Terran, "SEG 1\nA 09\nK 09.1 B");
    assert_eq!(told, (Mark::Error, "disputed planets are not bombarded".to_owned()));
}

#[test]
fn case_16_who_lands_where() {
    let attack = |at: &str, ships: &str| {
        table().segment(1).marker(at, Some((Imperial, OUTPOST))).on(Imperial, at, "JT1 JT2").fleet(
            Terran,
            1,
            planet(at).system.0,
            ships,
        )
    };
    let order = |at: &str, h: &str| format!("SEG 1\nA {}\nK {at}\n{h}", planet(at).system);
    let refused = "only fighters and jump troops from AT land among defenders";
    let acts = |s: &Scene| !s.sieges().is_empty();
    let rt = attack("24.1", "CL1 AT1(RT1)").seek([&order("24.1", "H RT1 1"), ""], acts);
    assert!(rt.localized().contains(refused), "{}", rt.localized());
    let tr = attack("24.1", "CL1 TR1(JT1)").seek([&order("24.1", "H JT1 1"), ""], acts);
    assert!(tr.localized().contains(refused), "{}", tr.localized());
    let at = attack("24.1", "CL1 AT1(JT1)").seek([&order("24.1", "H JT1 1"), ""], acts);
    assert!(at.sieges()[0].landed.iter().any(|l| l.0 == unit(Terran, "JT1") && l.2 == 1));
    let n2 = attack("04.1", "CL1 AT1(RT1)").told(Terran, &order("04.1", "H RT1 3"));
    assert_eq!(n2, (Mark::Error, "N2 takes JT, PD, F".to_owned()));
    let pd = table().segment(1).fleet(Terran, 1, 7, "TR1(PD1)");
    let told = pd.told(Terran, "SEG 1\nA 07\nU TR1 07.1");
    assert_eq!(told, (Mark::Error, "X1 takes JT, F".to_owned()));
}

#[test]
fn case_17_only_troops_eliminate_troops() {
    let by_others = imperium::ground::surface_harm(Kind::RT, 2, true, 6, 0);
    assert_eq!(by_others, Harm::None);
    assert_eq!(imperium::ground::surface_harm(Kind::RT, 2, false, 6, 0), Harm::Damaged);
    assert_eq!(imperium::ground::surface_harm(Kind::RT, 2, true, 2, 2), Harm::Destroyed);
    assert_eq!(imperium::ground::surface_harm(Kind::F, 1, true, 1, 0), Harm::Destroyed);
}

#[test]
fn case_18_dice_without_maintenance() {
    let far = table().segment(4).bare().marker("01.1", Some((Terran, WORLD)));
    let scene = far
        .marker("08.1", Some((Terran, OUTPOST)))
        .stock(Terran, 0)
        .fleet(Terran, 1, 8, "DD1 DD2 DD3 DD4")
        .on(Terran, "01.1", "RT1 RT2 RT3 RT4 RT5 RT6");
    // The Outpost pays for three destroyers; the fourth rolls with the 1 for a base.
    let mut seen = std::collections::BTreeSet::new();
    for seed in 1..60 {
        let done = scene.step("", "", seed);
        let hurt = done.hurt(Terran, "DD4");
        let said = done.localized();
        let die = |name: &str| {
            let line = said.lines().find(|l| l.starts_with(name)).expect("a die");
            let rest = line.split("die ").nth(1).expect("a number");
            rest.split([' ', ':']).next().and_then(|n| n.parse::<u32>().ok()).expect("a number") - 1
        };
        let rolled = die("DD4");
        assert_eq!(hurt, rolled == 1, "{rolled}: {said}");
        let paid = die("RT1");
        assert_eq!(done.hurt(Terran, "RT1"), paid == 1, "{paid}: {said}");
        seen.insert((rolled.min(2), paid.min(2)));
    }
    assert!(seen.len() >= 3, "{seen:?}");
}

#[test]
fn case_19_glory_decides_by_the_turn() {
    let lost = |turn: u32, glory: i32| {
        let mut scene = game(&[]);
        (scene.state.turn, scene.state.clock, scene.state.glory) = (turn, turn, glory);
        scene.run(1, |run| {
            run.glory("Terran Outpost captured", 1);
            run.glory("Imperial World lost", -3);
            imperium::war::end_turn(run);
        });
        scene
    };
    let on_7 = lost(7, 5);
    assert_eq!((on_7.state.glory, on_7.state.turn), (3, 8));
    let on_9 = lost(9, 5);
    assert_eq!(on_9.state.stage, Stage::Over(End { winner: Some(Terran), why: Why::Glory }));
    let mut last = game(&[]);
    (last.state.turn, last.state.clock) = (10, 10);
    last.run(1, imperium::war::end_turn);
    assert_eq!(last.state.stage, Stage::Over(End { winner: None, why: Why::Turns }));
}

#[test]
fn case_20_after_a_lost_war_comes_peace() {
    let mut scene = game(&[("wars", "0")]).stock(Terran, 12).stock(Imperial, 9);
    (scene.state.turn, scene.state.clock, scene.state.glory) = (7, 7, 1);
    let done = {
        let mut tries = (1..2_000).map(|seed| {
            let mut scene = scene.clone();
            scene.run(seed, imperium::war::end_turn);
            scene
        });
        let twelve = |s: &Scene| s.localized().contains("Turns of peace: 4 + 2 + 6 = 12.");
        tries.find(twelve).expect("some seed rolls so")
    };
    assert_eq!(done.state.peace.map(|p| (p.turn, p.of)), Some((1, 12)));
    assert_eq!(done.state.glory, 4);
    let income = |side| income(&done.state.board, side, false, 8).total;
    assert_eq!(done.state.board.purses[0].stock, income(Terran), "the winner's was spent");
    assert_eq!(done.state.board.purses[1].stock, 9 + income(Imperial));
    let when = When { turn: 8, peace: true };
    let mut board = done.state.board.clone();
    board.purses[0].stock = 10;
    let built = admin::build(&mut board, Terran, Kind::DD, 1, when);
    assert!(built.is_ok() && board.purses[0].stock == 0, "a destroyer costs 10 in peace");
    // N1 costs 100 and N2 80 in all.
    for (at, turns) in [("15.1", 10), ("04.1", 8)] {
        let mut scene = table().marker(at, Some((Terran, OUTPOST))).stock(Terran, 200);
        let board = &mut scene.state.board;
        for turn in 1..=turns {
            admin::terraform(board, Terran, planet(at), When { turn, peace: false })
                .expect("it is paid");
        }
        assert_eq!(board.purses[0].stock, 200 - 10 * turns);
        assert!(board.land(planet(at)).is_some_and(|l| l.ground.is_a()));
    }
}
