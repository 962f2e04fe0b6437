//! A game that is over as one file, from which anybody can play it again.
//!
//! In it is what the game was made from (engine, version of its rules, setup with its data
//! files), the ends of its chains of seeds, and of each step: the value of the chain and the seed
//! of its dice, every card as the engine saw it, how each seat sat, when each player's card came,
//! the digest of what came of it, and the digests of the reports that seats were sent.
//!
//! Not in it are addresses, names, secrets and mails, and no letter: the blocks from PRESS or NEWS
//! to END are left out of cards, text and opening, because what they say is their readers' alone
//! and who wrote an anonymous one is nobody's. Where a game had letters, the digests of its states
//! are those of the same game without them, and what a seat was sent with letters in it can't be
//! compared; the check says how many reports those are.
//!
//! The words of a report change with the program, so each step names the program that wrote its
//! reports, and a check by another compares states alone and says so.

mod check;
mod make;
mod play;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use self::check::{Checked, Fault, check};
pub use self::make::whole;
pub use self::play::report_digest;
use crate::seeds::Placed;
use base::chain::ChainEnd;
use engine::{CardText, Seat, Setup, Sits, Turn};
use store::Told;

/// The first words of a file, by which it is known.
const FORMAT: &str = "fieldpost game 1";
/// Bytes that a file may have.
pub const FILE_MAX: usize = 64 << 20;
/// Steps that a file may have.
const STEPS_MAX: usize = 20_000;
/// Chains that a file may have.
const CHAINS_MAX: usize = 64;

/// A game that is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameFile {
    /// What kind of file it is.
    format: String,
    /// Version of the program that wrote it.
    pub program: String,
    /// The code under which the game was made.
    pub game: String,
    /// Id of its engine.
    pub engine: String,
    /// Version of the engine's rules with which it began.
    pub rules_version: u32,
    /// What it was made from.
    pub setup: Setup,
    /// The ends of its chains of seeds; none in a game that began before there were chains.
    pub chains: Vec<ChainEnd>,
    /// Every step that ran; 0 is the making of the game.
    pub steps: Vec<StepOf>,
}

/// One step.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepOf {
    /// Its number.
    pub step: Turn,
    /// Version of the rules that ran it.
    pub rules_version: u32,
    /// The value of the chain, in hexadecimal; empty in a game without chains.
    pub value: String,
    /// The seed of its dice: 16 hexadecimal digits.
    pub seed: String,
    /// In a game without chains, the digest of the seed that stood in the printouts before.
    pub seed_digest: String,
    /// Seats, how they sat, and the digests of their cards.
    pub made_from: Vec<Placed>,
    /// The cards.
    pub cards: Vec<(Seat, CardText)>,
    /// How each seat sat.
    pub seats: Vec<(Seat, Sits)>,
    /// When the last card of each player came, by the mail server: the time in its echo.
    pub received: Vec<(Seat, Timestamp)>,
    /// Letters of the step were left out.
    pub letters: bool,
    /// SHA-256 of state, events and dice after it.
    pub hash: String,
    /// The reports that seats were sent of it.
    pub told: Told,
}

impl GameFile {
    /// Reads a file.
    ///
    /// # Errors
    /// A sentence that says why it is none.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > FILE_MAX {
            return Err(format!(
                "it has {} bytes, and a game's file has at most {FILE_MAX}",
                bytes.len()
            ));
        }
        let file: Self =
            serde_json::from_slice(bytes).map_err(|e| format!("it is no file of a game: {e}"))?;
        if file.format != FORMAT {
            return Err(format!(
                "its format is {:?}, and this program reads {FORMAT:?}",
                file.format
            ));
        }
        let (steps, chains) = (file.steps.len(), file.chains.len());
        if steps > STEPS_MAX || chains > CHAINS_MAX {
            return Err(format!(
                "it has {steps} steps and {chains} chains; {STEPS_MAX} and {CHAINS_MAX} are the most"
            ));
        }
        match file.steps.iter().zip(0..).find(|(s, n)| s.step != *n) {
            Some((found, wanted)) => {
                Err(format!("step {wanted} is missing: step {} is in its place", found.step))
            }
            None if steps == 0 => Err("it has no steps".to_owned()),
            None => Ok(file),
        }
    }
}
