//! A game that is over, as one file from which anybody can play it again.
//!
//! The file has what the game was made from (engine, version of its rules, setup with its data
//! files) and the ends of its chains of seeds. For each step it has the value of the chain and the
//! seed of its dice, every card as the engine saw it, how each seat sat, when each player's card
//! came, the digest of its result, and the digests of the reports that were sent to seats.
//!
//! The file has no addresses, names, secrets, mails or letters. The blocks from PRESS or NEWS to
//! END are left out of cards, text and opening, because only their recipients may read them, and
//! nobody may know who wrote an anonymous one. If a game had letters, the digests of its states are
//! those of the same game without them. A report that had letters in it can't be compared; the
//! check says how many those are.
//!
//! The words of a report change with the program, so each step names the program that wrote its
//! reports. A check by another program compares only states, and says so.

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

/// The name of the format, by which a file is recognised.
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
    /// In a game without chains, the digest of the seed that was in the printouts before.
    pub seed_digest: String,
    /// Seats, how they sat, and the digests of their cards.
    pub made_from: Vec<Placed>,
    /// The cards.
    pub cards: Vec<(Seat, CardText)>,
    /// How each seat sat.
    pub seats: Vec<(Seat, Sits)>,
    /// When the last card of each player came, by the clock of the mail server: the time in its
    /// echo.
    pub received: Vec<(Seat, Timestamp)>,
    /// Letters of the step were left out.
    pub letters: bool,
    /// SHA-256 of state, events and dice after it.
    pub hash: String,
    /// The reports of it that were sent to seats.
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
