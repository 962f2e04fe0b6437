//! The one face of all games: what an engine is, and what the robot may ask of it.
//!
//! An engine author writes [`Rules`]: total, pure functions over typed state.
//! [`EngineOf`] erases the types once, does loading, viewing and saving, and
//! gives the robot a `&dyn Engine`. The interface holds for all five games:
//!
//! * **Steps.** One run of an engine is a *step*; in Warlord a step is a turn of
//!   everybody, in Classic Warlord the turn of one seat or the answer to one
//!   challenge. The robot counts steps and calls them turns towards players.
//! * **Awaited seats.** After each step [`Rules::awaited`] says for whom the next
//!   one waits and by which of the game's clocks ([`Awaited`]): all seats at the
//!   deadline, one active seat, an interrupt with a short clock, or nobody, when
//!   the next step can follow at once.
//! * **Computer players** see a view and write a card, nothing else ([`Rules::play`]).
//! * **Proof.** An engine can tell what must hold after a step ([`Rules::audit`]);
//!   [`trial`] plays whole games and asks it every time.
//! * **Addresses.** An engine never carries one: a printout names a seat's address
//!   by [`report::Span::Address`], and the robot fills it in as far as that seat's
//!   player consents. What one seat tells another is part of the other's view.
//! * **Secrecy by types.** Echo, forecast and printout are made from a
//!   [`Rules::View`], which has no field for what the seat may not know.
//! * **Standing orders** live in the State: what stays in force over turns must
//!   survive a missed card, so it belongs to the game, not to the card.
//! * **Letters.** Free text for other players stands in the card, between `PRESS` and
//!   `END` ([`press`]); the engine hands it on as a part of the receivers' views, and
//!   printouts show it as a quote ([`report::Block::Quote`]), never as a line that
//!   could be an order. So a new card replaces letters too, and a journal keeps them.
//! * **Orders and lines.** A line of a card may hold several orders; a judgement then
//!   has several entries of the same line.
//! * **Carry-over.** Lines that wait for a later step are given back in
//!   [`Stepped::carried`] and are on file again when it opens.
//! * **Seals.** A line that must be committed to before it is opened is named in
//!   [`Judgement::seals`]; the robot publishes a digest and, when the engine lists
//!   its key in [`Stepped::opened`], the text and the nonce.
//!
//! Engines never see addresses, mails, clocks or files.

pub mod data;
pub mod dice;
pub mod fault;
pub mod geometry;
pub mod press;
pub mod report;
pub mod syntax;
pub mod trial;

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use dice::Dice;
pub use fault::{Fault, JudgedLine, Judgement, Mark, Seal, Told};
pub use report::{Chart, MapPicture, Report, Section, Series};
pub use syntax::CardText;
pub use trial::{Standing, Tally, Trial};

/// A player position of a game, 1 to the number of seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seat(pub u8);

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Number of the step whose orders are being collected; the first is 1.
pub type Turn = u32;

/// One value for each seat that has one.
pub type BySeat<T> = BTreeMap<Seat, T>;

/// What a new game is made from; the engine reads nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Number of seats.
    pub seats: u8,
    /// Game options by name, as the game master wrote them.
    pub options: BTreeMap<String, String>,
    /// Data files by name (for instance `units.toml`); a missing one means the
    /// engine's embedded default.
    pub data: BTreeMap<String, String>,
}

/// For whom the next step waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Awaited {
    /// Seats whose cards hold the step up; empty: the next step follows at once.
    pub seats: Vec<Seat>,
    /// The clock that ends the wait: [`MAIN_CLOCK`] is the game's calendar rule;
    /// any other name is an option of the game with a number of hours.
    pub clock: &'static str,
}

/// The clock of the game's own deadline rule.
pub const MAIN_CLOCK: &str = "turn";

/// One seat's place at the end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// The seat.
    pub seat: Seat,
    /// 1 is the winner; equal ranks share.
    pub rank: u32,
    /// Points in the game's own measure.
    pub points: i64,
}

/// A help topic, printed from the rows of the engine's order table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// The word that asks for it, upper case: an order letter as a rule.
    pub word: String,
    /// Name and form on one line.
    pub title: String,
    /// Sentences of explanation.
    pub text: String,
    /// Lines as a player would write them.
    pub examples: Vec<String>,
}

/// The outcome of one step.
#[derive(Debug, Clone)]
pub struct Stepped<S, E> {
    /// State after.
    pub state: S,
    /// What happened, for the views of this step.
    pub events: Vec<E>,
    /// Lines that go on file again for the next step.
    pub carried: BySeat<Vec<String>>,
    /// Keys of seals that are opened by this step.
    pub opened: Vec<(Seat, String)>,
}

/// What an engine author writes: total, pure functions.
///
/// No function may use a clock, a file, a global, a float or the order of a hash
/// table; the same state, cards and seed give the same bytes on every machine.
pub trait Rules: Send + Sync + 'static {
    /// Everything about the game, hidden things too.
    type State: Serialize + DeserializeOwned + Clone + Send + Sync;
    /// What one seat may know.
    type View: Send + Sync;
    /// One order that was read.
    type Order;
    /// One thing that happened in a step.
    type Event: Serialize + DeserializeOwned + Send + Sync;

    /// The name in commands and in the store, such as `warlord`.
    const ID: &'static str;
    /// The name for readers.
    const TITLE: &'static str;
    /// Raised when the same input would give another outcome.
    const RULES_VERSION: u32;

    /// How many seats a game may have.
    fn seats() -> RangeInclusive<u8>;
    /// The embedded data files by name: what a new game is made from where its
    /// setup has none of its own.
    fn data() -> &'static [(&'static str, &'static str)];
    /// Makes a game, or says everything that is wrong with the setup.
    ///
    /// # Errors
    /// One sentence for each fault in options or data files.
    fn new_game(setup: &Setup, dice: &mut Dice) -> Result<Self::State, Vec<String>>;
    /// What `seat` knows after the last step.
    fn view(state: &Self::State, events: &[Self::Event], seat: Seat) -> Self::View;
    /// Reads a card; never fails as a whole.
    fn parse(card: &CardText) -> (Vec<(u32, Self::Order)>, Vec<Fault>);
    /// Judges a card line by line and forecasts its effect.
    fn judge(view: &Self::View, card: &CardText) -> Judgement;
    /// Runs one step.
    fn step(
        state: Self::State,
        cards: &BySeat<CardText>,
        dice: &mut Dice,
    ) -> Stepped<Self::State, Self::Event>;
    /// The printout as a document, the messages of other players in a language of
    /// [`Rules::languages`]; `None` for a seat that is out of the game and has had
    /// its last one.
    fn report(view: &Self::View, language: &str) -> Option<Report>;
    /// Languages that a player may choose for messages; the first is that of
    /// everything else.
    fn languages() -> &'static [&'static str] {
        &["en"]
    }
    /// Whether a card may hold free messages (see [`press`]).
    fn press() -> bool {
        false
    }
    /// For whom the next step waits.
    fn awaited(state: &Self::State) -> Awaited;
    /// The final standing once the game is over.
    fn result(state: &Self::State) -> Option<Vec<Score>>;
    /// Help from the order table.
    fn help() -> Vec<Topic>;
    /// The rulebook, chapter by chapter, with the figures of this game.
    fn rulebook(_state: &Self::State) -> Vec<Section> {
        Vec::new()
    }
    /// The card that a computer player writes, from its seat's view alone.
    fn play(_view: &Self::View, _dice: &mut Dice) -> CardText {
        CardText::default()
    }
    /// What is wrong with a step: every invariant of the game that it broke.
    fn audit(
        _before: (&Self::State, &[Self::Event]),
        _cards: &BySeat<CardText>,
        _after: (&Self::State, &[Self::Event]),
    ) -> Vec<String> {
        Vec::new()
    }
    /// Figures after a step, for statistics.
    fn tally(_state: &Self::State, _events: &[Self::Event]) -> Tally {
        Tally::default()
    }
    /// The whole map with all that is hidden, for the game master.
    fn atlas(_state: &Self::State) -> Option<MapPicture> {
        None
    }
    /// The course of the game so far, for who may see all of it.
    fn charts(_state: &Self::State) -> Vec<Chart> {
        Vec::new()
    }
}

/// A game at rest: bytes that are hashed, compressed and stored by the robot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The encoded State.
    pub state: Vec<u8>,
    /// The encoded events of the step that led to it.
    pub events: Vec<u8>,
}

/// The outcome of one step with the types erased.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The game after the step.
    pub saved: Saved,
    /// See [`Stepped::carried`].
    pub carried: BySeat<Vec<String>>,
    /// See [`Stepped::opened`].
    pub opened: Vec<(Seat, String)>,
}

/// A saved game that could not be read back.
#[derive(Debug, thiserror::Error)]
#[error("the saved {engine} game can't be read: {cause}")]
pub struct LoadError {
    engine: &'static str,
    cause: String,
}

/// An engine as the robot sees it.
pub trait Engine: Send + Sync {
    /// See [`Rules::ID`].
    fn id(&self) -> &'static str;
    /// See [`Rules::TITLE`].
    fn title(&self) -> &'static str;
    /// See [`Rules::RULES_VERSION`].
    fn rules_version(&self) -> u32;
    /// See [`Rules::seats`].
    fn seats(&self) -> RangeInclusive<u8>;
    /// See [`Rules::data`].
    fn data(&self) -> &'static [(&'static str, &'static str)];
    /// See [`Rules::new_game`].
    ///
    /// # Errors
    /// One sentence for each fault of the setup.
    fn new_game(&self, setup: &Setup, dice: &mut Dice) -> Result<Saved, Vec<String>>;
    /// Reads a saved game back.
    ///
    /// # Errors
    /// [`LoadError`] when the bytes are not of this engine and version.
    fn open(&self, saved: &Saved) -> Result<Box<dyn Match>, LoadError>;
    /// See [`Rules::help`].
    fn help(&self) -> Vec<Topic>;
    /// See [`Rules::languages`].
    fn languages(&self) -> &'static [&'static str];
    /// See [`Rules::press`].
    fn press(&self) -> bool;
    /// A whole game of computer players.
    ///
    /// # Errors
    /// One sentence for each fault of the setup.
    fn trial(&self, setup: &Setup, seed: u64) -> Result<Box<dyn Trial>, Vec<String>>;
}

/// Finds an engine by its name in commands.
pub fn find(engines: &'static [&'static dyn Engine], id: &str) -> Option<&'static dyn Engine> {
    engines.iter().copied().find(|e| e.id() == id)
}

/// A game in memory, between two steps.
pub trait Match: Send + Sync {
    /// Judges a card as it stands.
    fn judge(&self, seat: Seat, card: &CardText) -> Judgement;
    /// The seat's printout; see [`Rules::report`].
    fn report(&self, seat: Seat, language: &str) -> Option<Report>;
    /// See [`Rules::awaited`].
    fn awaited(&self) -> Awaited;
    /// See [`Rules::result`].
    fn result(&self) -> Option<Vec<Score>>;
    /// The card of a computer player; see [`Rules::play`].
    fn play(&self, seat: Seat, dice: &mut Dice) -> CardText;
    /// See [`Rules::rulebook`].
    fn rulebook(&self) -> Vec<Section>;
    /// See [`Rules::charts`].
    fn charts(&self) -> Vec<Chart>;
    /// See [`Rules::atlas`].
    fn atlas(&self) -> Option<MapPicture>;
    /// Runs one step and leaves this game as it is.
    fn step(&self, cards: &BySeat<CardText>, dice: &mut Dice) -> Outcome;
}

/// Makes an [`Engine`] of [`Rules`].
pub struct EngineOf<R>(PhantomData<R>);

impl<R> EngineOf<R> {
    /// The engine; it has no state of its own.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R> Default for EngineOf<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// Named fields, so that a later version can still read an older state.
fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Writing plain data types into memory has no way to fail.
    rmp_serde::to_vec_named(value).expect("plain data encodes")
}

struct MatchOf<R: Rules> {
    state: R::State,
    events: Vec<R::Event>,
}

impl<R: Rules> Engine for EngineOf<R> {
    fn id(&self) -> &'static str {
        R::ID
    }
    fn title(&self) -> &'static str {
        R::TITLE
    }
    fn rules_version(&self) -> u32 {
        R::RULES_VERSION
    }
    fn seats(&self) -> RangeInclusive<u8> {
        R::seats()
    }
    fn data(&self) -> &'static [(&'static str, &'static str)] {
        R::data()
    }
    fn new_game(&self, setup: &Setup, dice: &mut Dice) -> Result<Saved, Vec<String>> {
        let state = R::new_game(setup, dice)?;
        let none: Vec<R::Event> = Vec::new();
        Ok(Saved { state: encode(&state), events: encode(&none) })
    }
    fn open(&self, saved: &Saved) -> Result<Box<dyn Match>, LoadError> {
        let bad = |e: rmp_serde::decode::Error| LoadError { engine: R::ID, cause: e.to_string() };
        Ok(Box::new(MatchOf::<R> {
            state: rmp_serde::from_slice(&saved.state).map_err(bad)?,
            events: rmp_serde::from_slice(&saved.events).map_err(bad)?,
        }))
    }
    fn help(&self) -> Vec<Topic> {
        R::help()
    }
    fn languages(&self) -> &'static [&'static str] {
        R::languages()
    }
    fn press(&self) -> bool {
        R::press()
    }
    fn trial(&self, setup: &Setup, seed: u64) -> Result<Box<dyn Trial>, Vec<String>> {
        Ok(Box::new(trial::TrialOf::<R>::new(setup, seed)?))
    }
}

impl<R: Rules> Match for MatchOf<R> {
    fn judge(&self, seat: Seat, card: &CardText) -> Judgement {
        R::judge(&R::view(&self.state, &self.events, seat), card)
    }
    fn report(&self, seat: Seat, language: &str) -> Option<Report> {
        R::report(&R::view(&self.state, &self.events, seat), language)
    }
    fn awaited(&self) -> Awaited {
        R::awaited(&self.state)
    }
    fn result(&self) -> Option<Vec<Score>> {
        R::result(&self.state)
    }
    fn play(&self, seat: Seat, dice: &mut Dice) -> CardText {
        R::play(&R::view(&self.state, &self.events, seat), dice)
    }
    fn rulebook(&self) -> Vec<Section> {
        R::rulebook(&self.state)
    }
    fn charts(&self) -> Vec<Chart> {
        R::charts(&self.state)
    }
    fn atlas(&self) -> Option<MapPicture> {
        R::atlas(&self.state)
    }
    fn step(&self, cards: &BySeat<CardText>, dice: &mut Dice) -> Outcome {
        let done = R::step(self.state.clone(), cards, dice);
        Outcome {
            saved: Saved { state: encode(&done.state), events: encode(&done.events) },
            carried: done.carried,
            opened: done.opened,
        }
    }
}
