//! Recorded games: the entry of each step in a journal, and its hash; and games of generated cards,
//! of which only the hashes are kept.

use engine::dice::Roll;
use engine::{BySeat, CardText, Engine, Input, Saved, Seat, Setup};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A recorded game: its setup, then every step.
#[derive(Deserialize)]
pub struct Journal {
    /// The version of its rules.
    pub rules_version: u32,
    pub setup: Setup,
    pub steps: Vec<Step>,
}

/// The input of a step, and the hash of its result.
#[derive(Deserialize)]
pub struct Step {
    pub seed: u64,
    pub hash: String,
    pub cards: Vec<(Seat, CardText)>,
}

impl Journal {
    pub fn read(text: &str) -> Self {
        serde_json::from_str(text).expect("the journal is well formed")
    }

    /// Plays the game again with the dice of a version; returns the hash of each step.
    pub fn replay(&self, engine: &dyn Engine, rules_version: u32) -> Vec<String> {
        let mut saved: Option<Saved> = None;
        let mut done = Vec::new();
        for step in &self.steps {
            let mut dice = engine.dice(rules_version, step.seed);
            let cards: BySeat<CardText> = step.cards.iter().cloned().collect();
            let input = Input { cards: &cards, seats: &BySeat::new() };
            let next = match &saved {
                None => engine.new_game(&self.setup, &mut dice).expect("the setup is right"),
                Some(saved) => {
                    let game = engine.open(saved).expect("the game can be read");
                    game.step(&input, &mut dice).saved
                }
            };
            done.push(hash(&next, dice.log()));
            saved = Some(next);
        }
        done
    }

    /// The hashes that were recorded.
    pub fn hashes(&self) -> Vec<&str> {
        self.steps.iter().map(|s| s.hash.as_str()).collect()
    }
}

/// Rolls whose place has more numbers than the table has for their purpose, or none where it has
/// some: a roll that forgets to set its place has that of the roll before.
pub fn misplaced(rolls: &[Roll], table: &[(usize, &[&str])]) -> Vec<String> {
    let right = |roll: &&Roll| {
        let row = table.iter().find(|(_, purposes)| purposes.contains(&roll.why));
        row.is_some_and(|(numbers, _)| {
            let used = roll.place.iter().rposition(|n| *n != 0).map_or(0, |last| last + 1);
            used <= *numbers && (used > 0) == (*numbers > 0)
        })
    };
    let wrong = rolls.iter().filter(|r| !right(r));
    wrong.map(|r| format!("{} at {:?}", r.why, r.place)).collect()
}

/// The result of a step in eight digits: state, events and every roll.
pub fn brief(state: &impl Serialize, events: &impl Serialize, rolls: &[Roll]) -> String {
    let (state, events) = (serde_json::to_vec(state), serde_json::to_vec(events));
    let plain = "plain data";
    let saved = Saved { state: state.expect(plain), events: events.expect(plain) };
    hash(&saved, rolls).split_off(56)
}

/// The hash of a journal: state, events and every roll.
fn hash(saved: &Saved, rolls: &[Roll]) -> String {
    let mut all = Sha256::new();
    all.update((saved.state.len() as u64).to_be_bytes());
    all.update(&saved.state);
    all.update(&saved.events);
    all.update(serde_json::to_string(rolls).expect("rolls are plain data"));
    all.finalize().iter().map(|b| format!("{b:02x}")).collect()
}
