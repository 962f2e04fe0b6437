//! Seeds that nobody can choose: a chain of values whose end is known before the first is used.
//!
//! A chain is made backwards. The value of its last step is 256 secret random bits, and the value
//! of each earlier step is the SHA-256 digest of the value of the step after it. The digest of the
//! first step's value is the chain's *end*, which is published when the chain is drawn. Whoever has
//! the end can check every value once it is opened, and whoever drew the chain can't change any.
//!
//! The dice of a step come from its value and from a digest of what the step is made from
//! ([`dice_seed`]): in step 0 the setup of the game, in all others the cards and the state of each
//! seat. So the host, which knows the values, does not know the dice before the cards, and players,
//! who know their cards, do not know the values. The seed is 64 bits of the digest: nobody knows it
//! before the step, and nobody can choose it. A value has 256 bits, which can't be found from any
//! number of known rolls.
//!
//! When a chain runs out, the next one follows, with a secret derived from its own, so that nothing
//! is drawn while a game is played.
//!
//! This does not stop everything. A host that sees the cards on file and has a seat in the game,
//! under another name, can try many cards for that seat before the deadline and file the one whose
//! dice it likes. Every card that it files and replaces is a mail with an echo, and the last one is
//! in the game's file with its time of arrival, so this often looks odd; but it is possible. A turn
//! that was taken back can be run again with another card; every player gets a notice of that. And
//! a host can draw games until it likes a world, as long as nobody has seen the end of the chain: a
//! game's public page shows that end from the moment when the game takes players.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::secrets::sha256_hex;
use engine::Turn;

/// The number of steps of a new chain.
pub const LENGTH: u32 = 1024;
/// When at most this many values of a chain are left, the next chain is published.
pub const LEFT: u32 = 16;
/// The largest number of steps of a chain in a file from outside.
pub const LENGTH_MAX: u32 = 65_536;

/// A value of a chain.
pub type Value = [u8; 32];

/// The public part of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainEnd {
    /// The code under which the game was made; it is mixed into the dice.
    pub game: String,
    /// The first step that it is for.
    pub first: Turn,
    /// Number of steps.
    pub length: u32,
    /// SHA-256 of the value of the first step, in hexadecimal.
    pub end: String,
}

/// A chain with its secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// The public part.
    pub told: ChainEnd,
    /// The value of the last step, in hexadecimal.
    secret: String,
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chain").field("told", &self.told).finish_non_exhaustive()
    }
}

impl Chain {
    /// The first chain of a game, from 256 random bits.
    pub fn new(game: &str, words: [u64; 4]) -> Self {
        let mut secret: Value = [0; 32];
        for (to, word) in secret.chunks_exact_mut(8).zip(words) {
            to.copy_from_slice(&word.to_be_bytes());
        }
        Self::of(game, 0, &secret)
    }

    fn of(game: &str, first: Turn, secret: &Value) -> Self {
        let end = (0..LENGTH).fold(*secret, |value, _| before(&value));
        let told = ChainEnd { game: game.to_owned(), first, length: LENGTH, end: hex(&end) };
        Self { told, secret: hex(secret) }
    }

    /// The chain after this one.
    fn next(&self) -> Self {
        let first = self.told.first.saturating_add(self.told.length);
        let secret = Sha256::digest(format!("fieldpost next chain {}", self.secret).as_bytes());
        Self::of(&self.told.game, first, &secret.into())
    }

    /// The value of a step; `None`: the step belongs to another chain.
    pub fn value(&self, step: Turn) -> Option<Value> {
        let place = step.checked_sub(self.told.first)?;
        let back = self.told.length.min(LENGTH_MAX).checked_sub(place)?.checked_sub(1)?;
        Some((0..back).fold(unhex(&self.secret)?, |value, _| before(&value)))
    }
}

/// The value of a step, from the chains of its game.
pub fn value_of(chains: &[Chain], step: Turn) -> Option<Value> {
    chains.iter().find_map(|chain| chain.value(step))
}

/// The values of the steps 0 to `last`, as far as the chains have them.
pub fn values(chains: &[Chain], last: Turn) -> Vec<(Turn, Value)> {
    let mut all = Vec::new();
    for chain in chains {
        let end = chain.told.first.saturating_add(chain.told.length.min(LENGTH_MAX));
        let Some(mut value) = unhex(&chain.secret) else { continue };
        for step in (chain.told.first..end).rev() {
            if step <= last {
                all.push((step, value));
            }
            value = before(&value);
        }
    }
    all.sort_unstable();
    all
}

/// The chains, with the next one added if they run out soon after the step that opens.
pub fn extended(chains: &[Chain], open: Turn) -> Vec<Chain> {
    let mut all = chains.to_vec();
    if let Some(last) = all.last() {
        let end = last.told.first.saturating_add(last.told.length);
        if end.saturating_sub(open) <= LEFT {
            all.push(last.next());
        }
    }
    all
}

/// The value before one in its chain: its SHA-256 digest.
pub fn before(value: &Value) -> Value {
    Sha256::digest(value).into()
}

/// The seed of a step's dice: the first 64 bits of the SHA-256 digest of the line `fieldpost dice
/// GAME STEP VALUE MADE`. VALUE is the step's value from the chain and MADE the digest of what the
/// step is made from, both in hexadecimal. `game` is the code under which the game began.
pub fn dice_seed(game: &str, step: Turn, value: &Value, made: &str) -> u64 {
    word_of(&format!("fieldpost dice {game} {step} {} {made}", hex(value)))
}

/// The seed of the dice by which computers write their cards for a step. It is fixed before the
/// cards are known.
pub fn computers_seed(game: &str, step: Turn, value: &Value) -> u64 {
    word_of(&format!("fieldpost computers {game} {step} {}", hex(value)))
}

fn word_of(line: &str) -> u64 {
    let digest: Value = Sha256::digest(line.as_bytes()).into();
    digest[..8].iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// A value in hexadecimal.
pub fn hex(value: &Value) -> String {
    HEXLOWER.encode(value)
}

/// A value from 64 hexadecimal digits in lower case.
pub fn unhex(text: &str) -> Option<Value> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

/// The digest of a value that always serialises in the same way.
pub fn digest_of(what: &impl Serialize) -> String {
    // Only plain lists, numbers and texts are digested, which JSON can always hold.
    sha256_hex(&serde_json::to_vec(what).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_the_digest_of_the_next_and_the_end_that_of_the_first() {
        let chain = Chain::new("W7", [1, 2, 3, 4]);
        let mut last = unhex(&chain.told.end).expect("an end");
        for step in 0..LENGTH {
            let value = chain.value(step).expect("a value");
            assert_eq!(before(&value), last, "step {step}");
            last = value;
        }
        let all = values(std::slice::from_ref(&chain), 5);
        assert_eq!(all.iter().map(|v| v.0).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        assert!(all.iter().all(|(step, value)| chain.value(*step) == Some(*value)));
        assert_eq!(chain.value(LENGTH), None);
    }

    #[test]
    fn the_next_chain_comes_before_the_last_step_and_is_always_the_same() {
        let first = vec![Chain::new("W7", [1, 2, 3, 4])];
        assert_eq!(extended(&first, LENGTH - LEFT - 1), first);
        let both = extended(&first, LENGTH - LEFT);
        assert_eq!(both.len(), 2);
        assert_eq!(both[1].told.first, LENGTH);
        assert_eq!(extended(&first, LENGTH - LEFT), both);
        assert_eq!(extended(&both, LENGTH - LEFT + 1), both);
        assert_ne!(both[1].told.end, both[0].told.end);
        assert_eq!(value_of(&both, LENGTH), both[1].value(LENGTH));
        assert!(value_of(&both, LENGTH - 1).is_some());
        assert_eq!(extended(&[], 5), [], "a game of before has none");
    }

    #[test]
    fn dice_depend_on_value_cards_game_and_step() {
        let (one, two) = ([1; 32], [2; 32]);
        let seed = dice_seed("W7", 3, &one, "aa");
        for other in [
            dice_seed("W7", 3, &two, "aa"),
            dice_seed("W7", 3, &one, "ab"),
            dice_seed("W8", 3, &one, "aa"),
            dice_seed("W7", 4, &one, "aa"),
            computers_seed("W7", 3, &one),
        ] {
            assert_ne!(seed, other);
        }
    }

    #[test]
    fn a_chain_keeps_its_secret_to_itself() {
        let chain = Chain::new("W7", [0xdead_beef_dead_beef; 4]);
        assert!(!format!("{chain:?}").contains("deadbeef"));
    }
}
