//! Seeds that nobody can choose: a chain of values whose end is known before the first is used.
//!
//! A chain begins with 256 secret random bits; each value before has the SHA-256 digest of the
//! one behind it. Steps use the values from the end of the chain towards its beginning, so the
//! digest of a step's value is the value of the step before, and that of the first step's value
//! is the chain's *end*, which everybody is told when the chain is drawn. Whoever has the end can
//! check every value once it is opened, and whoever drew the chain can change none.
//!
//! The dice of a step come from its value and from a digest of what the step is made from
//! ([`dice_seed`]): the setup of the game in step 0, the cards and how each seat sits in all
//! others. So the host, which knows the values, does not know the dice before the cards, and
//! players, who know their cards, do not know the values. 64 bits of the digest are the seed:
//! they are known to nobody before the step and cannot be chosen, and a value has 256 bits that
//! no number of known rolls leads back to.
//!
//! A chain that runs out is followed by one whose secret is made from its own, so that nothing is
//! drawn while a game is played.
//!
//! What this does not stop: a host that sees the cards on file and has a seat of its own, under
//! another name, can try many cards for that seat before the deadline and file the one whose dice
//! it likes. Every card that it files and replaces is a mail with an echo, and the last one is in
//! the game's file with the time at which it came, so much of it looks odd; it is not impossible.
//! A turn that was taken back can be run again with another card; every player is told of that.
//! And a host that draws games until it likes a world can do so as long as nobody has seen the
//! end of the chain: it stands on the public page of a game from the moment it takes players.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::secrets::sha256_hex;
use engine::Turn;

/// Steps that a chain is drawn for.
pub const LENGTH: u32 = 1024;
/// When so few of a chain's values are left, the next chain begins to be told of.
pub const LEFT: u32 = 16;
/// Steps that a chain may have in a file from outside.
pub const LENGTH_MAX: u32 = 65_536;

/// A value of a chain.
pub type Value = [u8; 32];

/// What everybody is told of a chain.
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
    /// What everybody is told.
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

    /// The chain behind this one.
    fn next(&self) -> Self {
        let first = self.told.first.saturating_add(self.told.length);
        let secret = Sha256::digest(format!("fieldpost next chain {}", self.secret).as_bytes());
        Self::of(&self.told.game, first, &secret.into())
    }

    /// The value of a step; `None` for a step of another chain.
    pub fn value(&self, step: Turn) -> Option<Value> {
        let place = step.checked_sub(self.told.first)?;
        let back = self.told.length.min(LENGTH_MAX).checked_sub(place)?.checked_sub(1)?;
        Some((0..back).fold(unhex(&self.secret)?, |value, _| before(&value)))
    }
}

/// The value of a step by the chains of its game.
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

/// Chains with the next one, where they run out soon after the step that opens.
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

/// The seed of a step's dice: the first 64 bits of the SHA-256 digest of the line
/// `fieldpost dice GAME STEP VALUE MADE`, where VALUE is the step's value of the chain and MADE
/// the digest of what the step is made from, both in hexadecimal. `game` is the code under which
/// the game began.
pub fn dice_seed(game: &str, step: Turn, value: &Value, made: &str) -> u64 {
    word_of(&format!("fieldpost dice {game} {step} {} {made}", hex(value)))
}

/// The seed of the dice by which computers write their cards of a step, which stand before the
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

/// The digest of something that serialises the same each time.
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
