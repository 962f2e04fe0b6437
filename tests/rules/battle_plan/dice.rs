//! Rolls belong to their places: no order shifts the dice of a battle elsewhere, and
//! games that were begun with one stream of dice still replay.

use std::collections::BTreeSet;

use battle_plan::BattlePlan;
use battle_plan::event::Clash;
use battle_plan::turn::key;
use engine::dice::Roll;
use engine::trial::{Trial, TrialOf};
use engine::{BySeat, CardText, Dice, Input, Rules, Seat};

use super::board::*;
use super::journal::{Journal, misplaced};

const RECORDED: &str =
    include_str!("../../../mailbox-fixtures/campaigns/battle-plan-stream/journal.json");

/// Seat 2 attacks seat 3 in the Netherlands while seat 1 does what its card says at the
/// other end of Europe: the battle, and the rolls of the country.
fn battle(mut dice: Dice, far: &str) -> (Clash, Vec<Roll>) {
    let mut board = Board::starting("TU GE NE SP");
    let cards: BySeat<CardText> =
        [(Seat(1), CardText::new(far)), (Seat(2), CardText::new("@ 3E\n@GE AC17NE FA13NE"))].into();
    let input = Input { cards: &cards, seats: &board.sits };
    let done = BattlePlan::step(board.state.clone(), &input, &mut dice);
    board.events = done.events;
    let place = key(board.id("NE"));
    let rolls = dice.log().iter().filter(|r| r.place[0] == place).copied().collect();
    (board.clash("NE").clone(), rolls)
}

#[test]
fn an_order_far_away_leaves_the_dice_of_a_battle_alone() {
    let far = "@TU AC15BU FA9BU";
    for seed in 0..20 {
        let quiet = battle(Dice::new(seed), "");
        assert!(!quiet.1.is_empty());
        assert_eq!(battle(Dice::new(seed), far), quiet, "seed {seed}");
    }
    // With one stream, as in earlier games, it shifts them.
    let shifted = |seed| battle(Dice::stream(seed), far).0 != battle(Dice::stream(seed), "").0;
    assert!((0..20).any(shifted));
}

#[test]
fn games_that_were_begun_with_one_stream_of_dice_replay() {
    let journal = Journal::read(RECORDED);
    assert_eq!(journal.rules_version, BattlePlan::STREAM_DICE_UNTIL);
    assert_eq!(journal.replay(battle_plan::ENGINE, journal.rules_version), journal.hashes());
    // A game under the present rules gets other rolls from the same seeds.
    let today = journal.replay(battle_plan::ENGINE, BattlePlan::RULES_VERSION);
    let steps = today.iter().zip(&journal.steps).skip(1);
    assert!(steps.into_iter().all(|(hash, step)| *hash != step.hash));
}

/// How many numbers the places of each purpose have.
const PLACES: &[(usize, &[&str])] = &[
    (0, &["length"]),
    (1, &["defenders", "attackers", "planes", "ships", "antimissiles", "air combat", "air losses"]),
    (
        1,
        &[
            "flak",
            "defending planes",
            "ships at port",
            "ships at sea",
            "landing",
            "captor",
            "evacuation",
        ],
    ),
    (
        2,
        &[
            "excess",
            "strike",
            "attackers' quarrel",
            "one left",
            "army battle",
            "spare planes",
            "fallen conquerors",
        ],
    ),
    (2, &["propaganda", "decay", "blockade", "research", "shots at sea", "spy"]),
    (3, &["spread", "border", "shots at ships", "shots at planes", "losses at sea"]),
];

#[test]
fn every_roll_of_a_turn_has_the_place_of_its_purpose() {
    let mut trial = TrialOf::<BattlePlan>::new(&setup("europe", 6, &[]), 11).expect("a game");
    let mut purposes = BTreeSet::new();
    for _ in 0..25 {
        trial.write_cards();
        let mut dice = Dice::new(1);
        let input = Input { cards: trial.cards(), seats: &BySeat::new() };
        BattlePlan::step(trial.state().clone(), &input, &mut dice);
        assert_eq!(misplaced(dice.log(), PLACES), Vec::<String>::new());
        purposes.extend(dice.log().iter().map(|r| r.why));
        trial.step();
    }
    assert!(purposes.len() >= 15, "{purposes:?}");
}
