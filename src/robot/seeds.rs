//! The origin of a step's dice: the chain of seeds, and a digest of the step's inputs.
//! [`base::chain`] says what this promises, and what it does not.

use base::chain::{self, Value};
use engine::{BySeat, CardText, Seat, Setup, Sits, press};
use store::Game;

use crate::context::{Context, Result, RobotError};

/// The secret of a game's open step.
#[derive(Debug, Clone)]
pub struct Secret<'a> {
    game: &'a Game,
    value: Option<Value>,
}

impl<'a> Secret<'a> {
    /// The secret of the open step, or of the making of the game before it has begun.
    ///
    /// # Errors
    /// [`RobotError::Engine`] when the chains of the game have no value for it.
    pub fn of(game: &'a Game) -> Result<Self> {
        let value = chain::value_of(&game.chains, game.turn);
        if value.is_none() && !game.chains.is_empty() {
            let why = format!("its chain of seeds has no value for step {}", game.turn);
            return Err(RobotError::Engine(game.code.clone(), why));
        }
        Ok(Self { game, value })
    }

    /// The seed with which computers write their cards.
    pub fn computers(&self) -> u64 {
        self.mixed(|game, value| chain::computers_seed(game, self.game.turn, value))
    }

    /// The seed of the dice; `made` is the digest of the step's inputs.
    pub fn dice(&self, made: &str) -> u64 {
        self.mixed(|game, value| chain::dice_seed(game, self.game.turn, value, made))
    }

    fn mixed(&self, mix: impl FnOnce(&str, &Value) -> u64) -> u64 {
        match (&self.value, origin(self.game)) {
            (Some(value), Some(game)) => mix(game, value),
            // A game that began before there were chains.
            _ => self.game.seed,
        }
    }
}

/// The code under which a game was made.
pub fn origin(game: &Game) -> Option<&str> {
    game.chains.first().map(|chain| chain.told.game.as_str())
}

/// Draws the chain of a new game or, if it gets none, the seed of its making.
pub fn drawn(cx: &Context, game: &str) -> (Vec<chain::Chain>, u64) {
    if cx.scripted {
        return (Vec::new(), cx.word());
    }
    (vec![chain::Chain::new(game, [cx.word(), cx.word(), cx.word(), cx.word()])], 0)
}

/// A card as everybody may read it once the game is over: without letters, which only their
/// recipients may read, and without the words of its player that were replaced.
pub fn public(card: &CardText, has_letters: bool) -> CardText {
    let lines = match has_letters {
        true => press::split(card).1.lines,
        false => card.lines.clone(),
    };
    CardText { lines, ..CardText::default() }
}

/// Cards as everybody may read them.
pub fn all_public(cards: &BySeat<CardText>, has_letters: bool) -> BySeat<CardText> {
    cards.iter().map(|(seat, card)| (*seat, public(card, has_letters))).collect()
}

/// How a seat sits in a step, and the digest of its card.
pub type Placed = (Seat, Option<Sits>, Option<String>);

/// Digest of a card that everybody may read.
pub fn card_digest(card: &CardText) -> String {
    chain::digest_of(&card.lines)
}

/// Every seat of a step, with the digest of its card.
pub fn placed(cards: &BySeat<CardText>, seats: &BySeat<Sits>) -> Vec<Placed> {
    let mut all: Vec<Seat> = cards.keys().chain(seats.keys()).copied().collect();
    all.sort_unstable();
    all.dedup();
    let of = |seat: Seat| (seat, seats.get(&seat).copied(), cards.get(&seat).map(card_digest));
    all.into_iter().map(of).collect()
}

/// Digest of the inputs from which a game is made.
pub fn setup_digest(engine: &str, rules_version: u32, setup: &Setup) -> String {
    chain::digest_of(&(engine, rules_version, setup))
}
