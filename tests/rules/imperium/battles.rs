//! Space battles: set-up, initiative, standing orders, the end, retreats (§7).

use std::collections::BTreeMap;

use engine::{CardText, Dice, Mark};
use imperium::board::Marker;
use imperium::event::What;
use imperium::fire::{self, Gun};
use imperium::galaxy::System;
use imperium::kinds::{Kind, Side};
use imperium::orders::{Aims, Stance};
use imperium::space::{Area, Battle, Fate};
use imperium::standing::Standing;

use super::scene::{Imperial, Scene, Terran, table, unit};

fn battle(scene: &Scene, at: u8, moving: Side, standing: [&Standing; 2]) -> Battle {
    let spot = imperium::board::Spot::System(System(at));
    Battle::begin(&scene.state.board, spot, moving, BTreeMap::new(), standing)
}

#[test]
fn areas_are_filled_in_their_order_twelve_ships_each() {
    let ships: Vec<String> = (1..=12).map(|n| format!("DD{n}")).collect();
    let scene = table()
        .bare()
        .fleet(Terran, 1, 4, &(ships.join(" ") + " SC1 CV1(F1,F2)"))
        .fleet(Imperial, 1, 4, "DD1");
    let usual = Standing::default();
    let battle = battle(&scene, 4, Imperial, [&usual, &usual]);
    let at = |y, z| {
        let here = |u: &&imperium::space::Combatant| {
            u.area == Area { z, y, x: 5 } && u.id.side == Terran && u.id.kind() != Kind::F
        };
        battle.units.iter().filter(here).count()
    };
    assert_eq!((at(3, 2), at(2, 2)), (12, 2));
    assert_eq!(
        battle.units.iter().filter(|u| u.id.kind() == Kind::F).count(),
        2,
        "carried ones fight"
    );
    assert_eq!(Area { z: 3, y: 5, x: 5 }.number(), 75);
    assert_eq!(Area { z: 1, y: 1, x: 1 }.range(Area { z: 3, y: 2, x: 5 }), 4);
}

#[test]
fn monitors_and_willing_fighters_of_planets_join() {
    let scene = table()
        .bare()
        .marker("09.1", Some((Imperial, Marker::Outpost)))
        .on(Imperial, "09.1", "M1 F1 PD1")
        .fleet(Terran, 1, 9, "DD1 TR1(F1)");
    let usual = Standing::default();
    let stay = Standing { fighters_join: false, ..Standing::default() };
    let count = |imperial: &Standing| {
        let battle = battle(&scene, 9, Terran, [&usual, imperial]);
        battle.units.iter().filter(|u| u.id.side == Imperial).count()
    };
    assert_eq!((count(&usual), count(&stay)), (2, 1));
    let all = battle(&scene, 9, Terran, [&usual, &usual]);
    assert!(!all.units.iter().any(|u| u.id == unit(Terran, "F1")), "cargo fighters don't fight");
}

#[test]
fn the_initiative_has_one_more_for_who_had_it() {
    let scene = table().bare().fleet(Terran, 1, 4, "BB1").fleet(Imperial, 1, 4, "BB1");
    let away = |_: Side| {
        let mut s = Standing::default();
        s.stances.insert(imperium::kinds::Group::Capital, Stance::Stay);
        s
    };
    let (a, b) = (away(Terran), Standing { first: true, ..away(Imperial) });
    for seed in 1..60 {
        let mut board = scene.state.board.clone();
        let mut battle = battle(&scene, 4, Terran, [&a, &b]);
        let mut edge = Terran;
        while !battle.over() {
            battle.round(&mut board, [&a, &b], &mut Dice::new(seed), [1, 1]);
            let round = battle.story.rounds.last().expect("a round");
            let total = |s: Side| round.dice[s as usize] + u8::from(s == edge);
            let expected = if total(edge) >= total(edge.other()) { edge } else { edge.other() };
            assert_eq!((round.edge, round.initiative), (edge, expected));
            // The Terran side moves last by default, the Imperial side chose to move first.
            assert_eq!(round.first, Imperial);
            edge = expected;
        }
        assert_eq!(battle.story.rounds.len(), 3);
    }
}

#[test]
fn fire_goes_where_it_destroys_and_capital_ships_divide() {
    let gun = |side, word, dice, divides| Gun { id: unit(side, word), dice, divides };
    let mark = |word, defence, rank| fire::Mark {
        id: unit(Imperial, word),
        defence,
        rank,
        damaged: false,
    };
    let marks = [mark("DD1", 1, 0), mark("DD2", 1, 0), mark("TR1", 1, 1)];
    // At 3 sixths a die two dice reach the aim of a destroyer.
    let assigned = fire::assign(&[gun(Terran, "BB1", 9, true)], &marks, |_, _| Some(4));
    assert_eq!(assigned, [(0, 0, 2, 4), (0, 1, 7, 4)]);
    let light = fire::assign(&[gun(Terran, "CL1", 4, false)], &marks, |_, _| Some(4));
    assert_eq!(light, [(0, 0, 4, 4)]);
    let two = [gun(Terran, "DD1", 2, false), gun(Terran, "CL1", 4, false)];
    let assigned = fire::assign(&two, &marks, |_, _| Some(4));
    assert_eq!(assigned, [(1, 0, 4, 4), (0, 1, 2, 4)], "most dice first, then an open aim");
    let only = [mark("CA1", 2, 0)];
    let alone = fire::assign(&[gun(Terran, "BB1", 9, true)], &only, |_, _| Some(6));
    assert_eq!(alone, [(0, 0, 9, 6)]);
    let far = fire::assign(&two, &marks, |_, m| (m == 2).then_some(6));
    assert!(far.iter().all(|a| a.1 == 2), "only what is in range");
}

#[test]
fn stances_and_lists_are_followed() {
    let mut standing = Standing::default();
    let set = |s: &mut Standing, card: &str| {
        let scene = table();
        let read = imperium::orders::read(&scene.state.board, Terran, &engine::CardText::new(card));
        for entry in read {
            match entry.read.expect("it is right") {
                imperium::orders::Order::Stand(stand) => s.set(&stand, 30),
                other => panic!("{other:?}"),
            }
        }
    };
    set(&mut standing, "Y K 3\nY BB H\nQ B DD K\nQ T X");
    let class = imperium::kinds::Class::Capital;
    assert_eq!(standing.stance(Kind::CA, class), Stance::Range(3));
    assert_eq!(standing.stance(Kind::BB, class), Stance::Stay, "a type before its group");
    let board = &table().state.board;
    let rank = |aims, word| standing.rank(aims, board, unit(Imperial, word));
    assert_eq!(
        (rank(Aims::Beams, "DD1"), rank(Aims::Beams, "CA1"), rank(Aims::Beams, "SC1")),
        (0, 1, 2)
    );
    assert_eq!((rank(Aims::Torpedoes, "TR1"), rank(Aims::Torpedoes, "BB1")), (0, 1));
    // A fleet that keeps away is farther off than one that does not.
    let scene = table().bare().fleet(Terran, 1, 4, "TR1").fleet(Imperial, 1, 4, "CL1");
    let usual = Standing::default();
    let mut board = scene.state.board.clone();
    let mut battle = battle(&scene, 4, Imperial, [&usual, &usual]);
    battle.round(&mut board, [&usual, &usual], &mut Dice::new(1), [1, 1]);
    let x =
        |side| battle.story.rounds[0].areas.iter().find(|u| u.id.side == side).map(|u| u.area.x);
    assert_eq!(x(Terran), Some(5), "auxiliaries keep away");
}

/// Fights until it ends with this loser.
fn ended(scene: &Scene, card: &str, loser: Side) -> Scene {
    scene.seek([card, ""], |s| {
        s.initiative().is_some_and(|d| d[0] > d[1])
            && s.battles().iter().any(|b| b.loser == Some(loser) && b.fate != Some(Fate::Destroyed))
    })
}

#[test]
fn the_loser_goes_back_where_it_came_from() {
    let scene = table().segment(1).bare().fleet(Terran, 1, 1, "BB1").fleet(Imperial, 1, 9, "BB1");
    let done = ended(&scene, "SEG 1\nA 01\nM 1 04 09", Terran);
    assert_eq!(done.at(Terran, 1), Some(4));
    assert!(done.state.board.units[&unit(Terran, "BB1")].moved, "a retreat is a move");
}

#[test]
fn others_retreat_towards_their_home_or_where_they_were_told() {
    let scene = table()
        .segment(1)
        .marker("33.1", Some((Imperial, Marker::World)))
        .fleet(Terran, 1, 4, "BB1")
        .fleet(Imperial, 1, 9, "BB1");
    let done = ended(&scene, "SEG 1\nA 04\nM 1 09", Imperial);
    assert_eq!(done.at(Imperial, 1), Some(24), "of 24 and 42, both nearer to a home, the lower");
    let mut told = scene.clone();
    told.state.filed[1].standing.retreats.insert(None, vec![System(4), System(42)]);
    let done = ended(&told, "SEG 1\nA 04\nM 1 09", Imperial);
    assert_eq!(done.at(Imperial, 1), Some(42), "04 is not nearer to home");
}

#[test]
fn without_a_way_out_the_loser_is_lost() {
    let scene = table()
        .segment(1)
        .bare()
        .fleet(Terran, 1, 4, "BB1")
        .fleet(Terran, 2, 24, "DD1")
        .fleet(Terran, 3, 42, "DD2")
        .fleet(Imperial, 1, 9, "BB1 TR1(RT1)");
    let done = ended(&scene, "SEG 1\nA 04\nM 1 09", Imperial);
    assert!(!done.has(Imperial, "BB1") && !done.has(Imperial, "RT1"));
}

#[test]
fn major_battles_change_glory() {
    let fought = |terran: &str, imperial: &str| {
        let scene =
            table().segment(1).bare().fleet(Terran, 1, 1, terran).fleet(Imperial, 1, 4, imperial);
        let done = scene.seek(["SEG 1\nA 01\nM 1 04", ""], |s| !s.battles().is_empty());
        let winner = done.battles()[0].loser.expect("a loser").other();
        (done.state.glory, winner)
    };
    let (glory, winner) = fought("CA1", "CA1");
    assert_eq!(glory, if winner == Imperial { 6 } else { 4 });
    assert_eq!(fought("CA1", "DD1 DD2 DD3").0, 5, "capital ships on one side alone");
    let ten = |code: &str| (1..=9).map(|n| format!("{code}{n}")).collect::<Vec<_>>().join(" ");
    let (glory, _) = fought(&(ten("DD") + " SC1"), &(ten("DD") + " SC1"));
    assert_ne!(glory, 5, "ten ships on each side");
}

#[test]
fn fighters_of_a_lost_carrier_land_or_are_lost() {
    let planet = table()
        .segment(1)
        .bare()
        .marker("04.1", Some((Terran, Marker::Outpost)))
        .fleet(Terran, 1, 4, "CV1(F1,F2,F3)")
        .fleet(Imperial, 1, 9, "CA1 CA2");
    let lost = |s: &Scene| !s.has(Terran, "CV1") && !s.battles().is_empty();
    let mut seen = (0, 0);
    for seed in 1..80 {
        let done = planet.step("", "SEG 1\nA 09\nM 1 04", seed);
        if !lost(&done) {
            continue;
        }
        for f in ["F1", "F2", "F3"].iter().filter(|f| done.has(Terran, f)) {
            assert_eq!(done.state.board.where_is(unit(Terran, f)), Some(System(4)), "landed");
            seen.0 += 1;
        }
        let away = planet.clone().bare().step("", "SEG 1\nA 09\nM 1 04", seed);
        if lost(&away) {
            seen.1 += 1;
            assert!(!["F1", "F2", "F3"].iter().any(|f| away.has(Terran, f)), "nowhere to land");
        }
    }
    assert!(seen.0 > 0 && seen.1 > 0, "{seen:?}");
}

#[test]
fn a_battle_stops_after_each_round_if_the_game_is_so() {
    let mut scene = table().segment(1).bare().fleet(Terran, 1, 1, "BB1 BB2 BB3").fleet(
        Imperial,
        1,
        4,
        "BB1 BB2 BB3",
    );
    scene.state.options.battle_rounds = true;
    let first = scene.seek(["SEG 1\nA 01\nM 1 04", ""], |s| !s.battles().is_empty());
    assert_eq!(first.battles()[0].rounds.len(), 1);
    let action = first.state.action().expect("the segment goes on");
    assert_eq!(action.pause, imperium::state::Pause::Round);
    // Before the battle is over no plan is accepted, promised or drawn.
    let plan = "Y K E\nSEG 1\nA 01\nM 1 04";
    let judged = first.judge(Terran, plan);
    let marks: Vec<Mark> = judged.lines.iter().map(|l| l.mark).collect();
    assert_eq!(marks, [Mark::Ok, Mark::Ok, Mark::Error, Mark::Error]);
    let told = "between rounds of a battle only standing orders are taken";
    assert!(judged.lines[2..].iter().all(|l| l.note == told), "{:?}", judged.lines);
    let forecast = format!("{:?}", judged.forecast);
    assert!(!forecast.contains("04 in") && !forecast.contains("to 04"), "{forecast}");
    assert!(imperium::judge::moves(&first.view(Terran), &CardText::new(plan)).is_empty());
    assert_eq!(first.step(plan, "Q B BB", 3).state, first.step("Y K E", "Q B BB", 3).state);
    let second = first.step("Y K E", "Q B BB", 3);
    let over = second.battles()[0].loser.is_some();
    assert!(over || second.battles()[0].rounds.len() == 2);
    assert_eq!(
        second.state.filed[0].standing.stance(Kind::BB, imperium::kinds::Class::Capital),
        Stance::Away
    );
    scene.state.options.battle_ask = 500;
    let whole = scene.seek(["SEG 1\nA 01\nM 1 04", ""], |s| !s.battles().is_empty());
    assert!(whole.battles()[0].loser.is_some(), "it was not worth asking");
}

#[test]
fn what_was_fought_is_known_afterwards() {
    let scene = table().segment(1).bare().fleet(Terran, 1, 1, "BB1").fleet(
        Imperial,
        1,
        4,
        "BB1 DD1 TR1(RT1)",
    );
    let done = scene.seek(["SEG 1\nA 01\nM 1 04", ""], |s| {
        s.battles().iter().any(|b| b.loser.is_some()) && s.at(Imperial, 1).is_some()
    });
    let known = &done.state.known[0][&imperium::state::Spotted::Fleet(1)];
    assert!(known.units.iter().all(|u| !u.kind.is_troops()), "cargo stays hidden");
    assert!(done.events.iter().any(|e| matches!(e.what, What::Battle(_)) && e.to.is_none()));
}
