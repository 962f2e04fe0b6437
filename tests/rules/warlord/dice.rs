//! Rolls belong to their places: no order shifts the dice of a battle elsewhere.

use std::collections::BTreeSet;

use engine::dice::Roll;
use engine::trial::{Trial, TrialOf};
use engine::{BySeat, Dice, Input, Rules, Setup};
use warlord::Warlord;
use warlord::events::{Event, SideReport};

use super::board::*;
use super::journal::misplaced;

/// Seat 2 attacks seat 3 in the second phase while seat 1 does what its card says in
/// the far north: losses of both, and the rolls of the sector.
fn battle(mut dice: Dice, far: &str) -> (SideReport, SideReport, Vec<Roll>) {
    let mut board = Board::new(3, "~~~~~~~\n~AB..~~\n~~~~~~~\n~~~~~~~\n~D.E..~\n~~~~~~~")
        .unit(1, 1, (9, INFANTRY), 'A')
        .unit(0, 1, (7, INFANTRY), 'B')
        .unit(2, 1, (9, INFANTRY), 'D')
        .unit(2, 2, (4, TANK), 'D')
        .unit(3, 1, (11, INFANTRY), 'E');
    board.roll(&[(1, far), (2, "M 1 33\nM 2 33")], &mut dice);
    let place = u32::from(board.spot('E').0);
    let fought = board.events.iter().find_map(|h| match &h.event {
        Event::Battle { attacker, defender, .. } if attacker.seat == 2 => {
            Some((attacker.clone(), defender.clone()))
        }
        _ => None,
    });
    let (attacker, defender) = fought.expect("they meet");
    let rolls = dice.log().iter().filter(|r| r.place[0] == place).copied().collect();
    (attacker, defender, rolls)
}

#[test]
fn an_order_far_away_leaves_the_dice_of_a_battle_alone() {
    for seed in 0..20 {
        let quiet = battle(Dice::new(seed), "");
        assert!(!quiet.2.is_empty());
        assert_eq!(battle(Dice::new(seed), "M 1 3"), quiet, "seed {seed}");
    }
    // With one stream, as in earlier games, it shifts them.
    let shifted = |seed| battle(Dice::stream(seed), "M 1 3").0 != battle(Dice::stream(seed), "").0;
    assert!((0..20).any(shifted));
}

/// How many numbers the places of each purpose have.
const PLACES: &[(usize, &[&str])] = &[
    (0, &["order of players in the air"]),
    (1, &["order of players", "research", "rebellion"]),
    (2, &["luck of spies", "name of a general"]),
    (3, &["luck", "luck of a surprise", "luck at the walls", "last level"]),
    (3, &["search of ruins", "kind of find", "points or PP", "PP found", "points found"]),
    (4, &["luck in the air", "last plane", "plane hit", "luck of bombs", "last regiment"]),
];

#[test]
fn every_roll_of_a_turn_has_the_place_of_its_purpose() {
    let mut trial =
        TrialOf::<Warlord>::new(&Setup { seats: 12, ..Setup::default() }, 11).expect("a game");
    let mut purposes = BTreeSet::new();
    for _ in 0..25 {
        trial.write_cards();
        let mut dice = Dice::new(1);
        let input = Input { cards: trial.cards(), seats: &BySeat::new() };
        Warlord::step(trial.state().clone(), &input, &mut dice);
        assert_eq!(misplaced(dice.log(), PLACES), Vec::<String>::new());
        purposes.extend(dice.log().iter().map(|r| r.why));
        trial.step();
    }
    assert!(purposes.len() >= 15, "{purposes:?}");
}
