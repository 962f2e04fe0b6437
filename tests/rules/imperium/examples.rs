//! Worked examples of the specification (§16), by counting all rolls.

use imperium::board::{Harm, harm};
use imperium::court::income;
use imperium::space::{Area, Battle, beam, torpedo};
use imperium::standing::Standing;

use super::scene::{Imperial, Terran, game, table};

/// The number of rolls of some dice with at least `hits` hits, and of all rolls, 6^n.
fn at_least(dice: u32, need: u8, hits: u32) -> (u64, u64) {
    let mut ways = vec![1u64];
    for _ in 0..dice {
        let mut next = vec![0; ways.len() + 1];
        for (n, w) in ways.iter().enumerate() {
            next[n] += w * u64::from(need - 1);
            next[n + 1] += w * u64::from(7 - need);
        }
        ways = next;
    }
    let good = ways.iter().skip(hits as usize).sum();
    (good, 6u64.pow(dice))
}

fn same(a: (u64, u64), b: (u64, u64)) -> bool {
    u128::from(a.0) * u128::from(b.1) == u128::from(b.0) * u128::from(a.1)
}

/// The same for torpedo hits after counter-measures, at least `least`.
fn left(dice: u32, need: u8, cm: u32, least: u32) -> (u64, u64) {
    let exactly = |dice, need, n| at_least(dice, need, n).0 - at_least(dice, need, n + 1).0;
    let mut good = 0;
    for hits in 0..=dice {
        for stopped in 0..=cm {
            if hits.saturating_sub(stopped) >= least {
                good += exactly(dice, need, hits) * exactly(cm, 6, stopped);
            }
        }
    }
    (good, 6u64.pow(dice + cm))
}

#[test]
fn incomes_at_the_start() {
    let board = &game(&[]).state.board;
    assert_eq!(income(board, Imperial, false, 1).total, 20);
    assert_eq!(income(board, Terran, false, 1).total, 16);
}

#[test]
fn chances_of_beams_and_torpedoes() {
    let board = &game(&[]).state.board;
    let of = |side, kind| board.tables.of(side, kind).expect("it is in the list");
    use imperium::kinds::Kind;
    let (bb, cl) = (of(Terran, Kind::BB), of(Terran, Kind::CL));
    let zero = beam(true, 0).expect("in range");
    assert!(same(at_least(bb.b, zero, 3), (233, 256)));
    assert!(same(at_least(bb.b, zero, 9), (1, 512)));
    assert!(same(at_least(cl.b, zero, 1), (15, 16)));
    assert!(same(at_least(cl.b, zero, 3), (5, 16)));
    let one = torpedo(1).expect("in range");
    assert!(same(left(of(Imperial, Kind::DD).t, one, 2, 1), (5, 12)));
    let tb = of(Terran, Kind::TB).t;
    assert!(same(left(tb, one, 2, 1), (553, 729)));
    assert!(same(left(tb, one, 2, 3), (77, 486)));
    let two = torpedo(2).expect("in range");
    let (good, all) = left(of(Imperial, Kind::BB).t, two, 3, 3);
    assert_eq!((good * 10_000 + all / 2) / all, 1205);
}

#[test]
fn chances_on_planets() {
    // 13 torpedo factors are four dice.
    assert!(same(at_least(13 / 3, 6, 1), (671, 1296)));
    assert!(same(at_least(3, 4, 1), (7, 8)) && same(at_least(3, 5, 1), (19, 27)));
    assert!(same(at_least(3, 4, 2), (1, 2)) && same(at_least(3, 5, 2), (7, 27)));
    // RT 6-2 against D2: two to five sixes reduce, six destroy.
    let two = at_least(6, 6, 2);
    assert!(same(two, (12_281, 46_656)), "{two:?}");
    assert_eq!((harm(2, 2, false), harm(6, 2, false)), (Harm::Damaged, Harm::Destroyed));
}

#[test]
fn chances_of_initiative_scouts_and_maintenance() {
    let rolls = || (1..=6i32).flat_map(|a| (1..=6i32).map(move |b| (a, b)));
    let count = |test: &dyn Fn(i32, i32) -> bool| rolls().filter(|(a, b)| test(*a, *b)).count();
    assert_eq!(count(&|t, i| t > i - 1), 21);
    assert_eq!(count(&|t, i| t == i - 1), 5);
    assert_eq!(count(&|t, i| t < i - 1), 10);
    assert_eq!((count(&|a, b| a + 1 > b), count(&|a, b| a + 1 == b)), (21, 5));
    for (destroyers, ways) in [(0, 33), (1, 30), (3, 21)] {
        assert_eq!(count(&|a, b| a + b + destroyers <= 10), ways);
    }
    let damaged = |m: i32, base: i32| (1..=6).filter(|d| d + base <= m).count();
    assert_eq!((damaged(3, 1), damaged(5, 0)), (2, 5));
}

#[test]
fn ships_close_in_by_their_usual_stances() {
    let scene = table().segment(1).bare().fleet(Terran, 1, 4, "CL1 DD1 TB1 SC1").fleet(
        Imperial,
        1,
        4,
        "CR1 CL1 DD1 SC1",
    );
    let usual = Standing::default();
    for seed in 1..20 {
        let mut board = scene.state.board.clone();
        let spot = board.fleets[&(Terran, 1)];
        let both = [&usual, &usual];
        let mut battle = Battle::begin(&board, spot, Terran, Default::default(), both);
        for unit in &battle.units {
            let x = if unit.id.side == Terran { 1 } else { 5 };
            assert_eq!(unit.area, Area { z: 2, y: 3, x });
        }
        battle.round(&mut board, both, &mut engine::Dice::new(seed), [1, 1]);
        for unit in &battle.story.rounds[0].areas {
            let capital = unit.id.kind() == imperium::kinds::Kind::CR;
            let x = if capital { 4 } else { 3 };
            assert_eq!(unit.area, Area { z: 2, y: 3, x }, "{:?}", unit.id);
        }
    }
}

#[test]
fn beams_fire_at_once_and_the_destroyed_send_no_torpedoes() {
    let scene =
        table().segment(1).bare().fleet(Terran, 1, 4, "CL1 TB1").fleet(Imperial, 1, 4, "CR1");
    let usual = Standing::default();
    let mut damaged_first = false;
    for seed in 1..200 {
        let mut board = scene.state.board.clone();
        let spot = board.fleets[&(Terran, 1)];
        let both = [&usual, &usual];
        let mut battle = Battle::begin(&board, spot, Terran, Default::default(), both);
        while !battle.over() {
            battle.round(&mut board, both, &mut engine::Dice::new(seed), [1, 1]);
        }
        for round in &battle.story.rounds {
            let dead =
                |id| round.beam_losses.iter().any(|l| l.id == id && l.harm == Harm::Destroyed);
            assert!(round.torpedoes.iter().all(|s| !dead(s.by) && !dead(s.at)));
            let hurt =
                round.beam_losses.iter().any(|l| l.id.side == Imperial && l.harm == Harm::Damaged);
            let full = round.beams.iter().filter(|s| s.by.side == Imperial);
            if hurt && full.map(|s| s.dice.len()).sum::<usize>() == 4 {
                damaged_first = true;
            }
        }
    }
    assert!(damaged_first, "a damaged cruiser had fired its four beams at the same time");
}
