//! Engines and games with their types erased: this is how the robot holds them.
//!
//! [`EngineOf`] makes an [`Engine`] of [`Rules`]; it does loading, viewing and saving for all games
//! in one place. A [`Match`] is a game in memory between two steps; many callers can use it at
//! once.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use codec::CodecError;

use super::wording::Known;
use super::*;

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
    /// Whether games of a version can be played and replayed.
    fn plays(&self, rules_version: u32) -> bool;
    /// The dice of a step of a game of this version.
    fn dice(&self, rules_version: u32, seed: u64) -> Dice;
    /// See [`Rules::DICE`].
    fn has_dice(&self) -> bool;
    /// See [`Rules::AT_ONCE`].
    fn plays_at_once(&self) -> bool;
    /// See [`Rules::STEP_IS_TURN`].
    fn step_is_turn(&self) -> bool;
    /// Whether the seed of a turn is published as soon as the turn has run. Games of one stream of
    /// rolls promise this to their players. Keyed dice keep their seeds secret to the end.
    fn tells_seeds(&self, rules_version: u32) -> bool;
    /// See [`Rules::RANKS`].
    fn ranks(&self) -> &'static [(u32, &'static str)];
    /// See [`Rules::OPTIONS`].
    fn options(&self) -> &'static [OptionRow];
    /// See [`Rules::seats`].
    fn seats(&self) -> RangeInclusive<u8>;
    /// See [`Rules::practice`].
    fn practice(&self) -> Practice;
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
    /// See [`Cards::starts_order`].
    fn starts_order(&self, line: &str) -> bool;
    /// See [`Cards::takes_text`].
    fn takes_text(&self, line: &str) -> bool;
    /// Whether a line may be an order in words, so that [`Match::reader`] is worth asking.
    fn may_be_words(&self, line: &str) -> bool;
    /// See [`Cards::help`]; for games that have not started.
    fn help(&self) -> Vec<Topic>;
    /// See [`Printouts::languages`]; for games that have not started.
    fn languages(&self) -> &'static [&'static str];
    /// See [`Cards::press`]; for games that have not started.
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

/// An engine by its name.
///
/// # Errors
/// A sentence with the names that exist.
pub fn named(
    engines: &'static [&'static dyn Engine],
    id: &str,
) -> Result<&'static dyn Engine, String> {
    find(engines, id).ok_or_else(|| {
        let known: Vec<&str> = engines.iter().map(|e| e.id()).collect();
        format!("no engine {id:?}; there are: {}", known.join(", "))
    })
}

/// A game in memory, between two steps.
pub trait Match: Send + Sync {
    /// Judges a card as it stands; see [`Cards::judge`].
    fn judge(&self, seat: Seat, card: &CardText, ahead: u32) -> Judgement;
    /// Reads lines in words by the names that the seat knows.
    fn reader(&self, seat: Seat) -> Reader;
    /// See [`Cards::sketch`].
    fn sketch(&self, seat: Seat, card: &CardText) -> Option<MapPicture>;
    /// The seat's printout; see [`Printouts::report`].
    fn report(&self, seat: Seat, language: &str) -> Option<Report>;
    /// See [`Cards::letters`].
    fn letters(&self, seat: Seat, card: &CardText) -> Vec<press::Letter>;
    /// See [`Headlines::headline`].
    fn headline(&self, seat: Seat) -> Headline;
    /// See [`Answers::answer`].
    fn answer(&self, seat: Seat, ask: &Ask) -> Vec<Line>;
    /// See [`Books::primer`].
    fn primer(&self, seat: Seat) -> Primer;
    /// See [`Headlines::chronicle`].
    fn chronicle(&self) -> Vec<Line>;
    /// See [`Printouts::notice`].
    fn notice(&self, seat: Seat) -> Notice;
    /// See [`Printouts::brief`].
    fn brief(&self, seat: Seat, language: &str) -> Vec<Block>;
    /// See [`Rules::wait`].
    fn wait(&self) -> Wait;
    /// See [`Rules::given_up_after`].
    fn given_up_after(&self) -> u32;
    /// See [`Rules::result`].
    fn result(&self) -> Option<Vec<Score>>;
    /// The card of a computer player; see [`Computers::play`].
    fn play(&self, seat: Seat, notes: &str, dice: &mut Dice) -> Play;
    /// See [`Cards::help_for`].
    fn help(&self, seat: Seat) -> Vec<Topic>;
    /// See [`Printouts::languages`].
    fn languages(&self) -> &'static [&'static str];
    /// See [`Cards::press`].
    fn press(&self) -> bool;
    /// See [`Books::rulebook`].
    fn rulebook(&self) -> Vec<Section>;
    /// See [`Books::rulebook_for`].
    fn rulebook_for(&self, seat: Seat) -> Vec<Section>;
    /// See [`Audits::charts`].
    fn charts(&self) -> Vec<Chart>;
    /// See [`Maps::atlas`].
    fn atlas(&self) -> Option<MapPicture>;
    /// See [`Maps::seen`].
    fn seen(&self, seat: Seat) -> Option<MapPicture>;
    /// Runs one step and leaves this game as it is.
    fn step(&self, input: &Input, dice: &mut Dice) -> Outcome;
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

struct MatchOf<R: Game> {
    state: R::State,
    events: Vec<R::Event>,
    /// The views of the seats that were asked about. One view of the largest game takes some 100
    /// kB.
    views: Mutex<BTreeMap<Seat, Arc<R::View>>>,
    /// The names of things as each seat knows them, by language.
    names: Mutex<BTreeMap<(Seat, &'static str), Arc<Known>>>,
}

impl<R: Game> Engine for EngineOf<R> {
    fn id(&self) -> &'static str {
        R::ID
    }
    fn title(&self) -> &'static str {
        R::TITLE
    }
    fn rules_version(&self) -> u32 {
        R::RULES_VERSION
    }
    fn plays(&self, rules_version: u32) -> bool {
        (R::RULES_VERSION_OLDEST..=R::RULES_VERSION).contains(&rules_version)
    }
    fn dice(&self, rules_version: u32, seed: u64) -> Dice {
        let dice = match rules_version <= R::STREAM_DICE_UNTIL {
            true => Dice::stream(seed),
            false => Dice::new(seed),
        };
        dice.of_rules(rules_version)
    }
    fn has_dice(&self) -> bool {
        R::DICE
    }
    fn plays_at_once(&self) -> bool {
        R::AT_ONCE
    }
    fn step_is_turn(&self) -> bool {
        R::STEP_IS_TURN
    }
    fn tells_seeds(&self, rules_version: u32) -> bool {
        rules_version <= R::STREAM_DICE_UNTIL
    }
    fn ranks(&self) -> &'static [(u32, &'static str)] {
        R::RANKS
    }
    fn options(&self) -> &'static [OptionRow] {
        R::OPTIONS
    }
    fn seats(&self) -> RangeInclusive<u8> {
        R::seats()
    }
    fn practice(&self) -> Practice {
        R::practice()
    }
    fn data(&self) -> &'static [(&'static str, &'static str)] {
        R::data()
    }
    fn new_game(&self, setup: &Setup, dice: &mut Dice) -> Result<Saved, Vec<String>> {
        let state = tongue::within(None, || R::new_game(setup, dice))?;
        let none: Vec<R::Event> = Vec::new();
        Ok(Saved { state: encode(&state), events: encode(&none) })
    }
    fn open(&self, saved: &Saved) -> Result<Box<dyn Match>, LoadError> {
        let bad = |e: CodecError| LoadError { engine: R::ID, cause: e.to_string() };
        Ok(Box::new(MatchOf::<R> {
            state: codec::from_bytes(&saved.state).map_err(bad)?,
            events: codec::from_bytes(&saved.events).map_err(bad)?,
            views: Mutex::default(),
            names: Mutex::default(),
        }))
    }
    fn starts_order(&self, line: &str) -> bool {
        R::starts_order(line)
    }
    fn takes_text(&self, line: &str) -> bool {
        R::takes_text(line)
    }
    fn may_be_words(&self, line: &str) -> bool {
        wording::may_be_words(R::wording(), R::sentences(), line)
    }
    fn help(&self) -> Vec<Topic> {
        R::help(None)
    }
    fn languages(&self) -> &'static [&'static str] {
        R::languages(None)
    }
    fn press(&self) -> bool {
        R::press(None)
    }
    fn trial(&self, setup: &Setup, seed: u64) -> Result<Box<dyn Trial>, Vec<String>> {
        Ok(Box::new(trial::TrialOf::<R>::new(setup, seed)?))
    }
}

impl<R: Game> MatchOf<R> {
    fn view(&self, seat: Seat) -> Arc<R::View> {
        let kept = || self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = kept().get(&seat) {
            return Arc::clone(view);
        }
        // The view is kept and may be read in another language later. The lock is free while it is
        // made.
        let view = Arc::new(tongue::within(None, || R::view(&self.state, &self.events, seat)));
        Arc::clone(kept().entry(seat).or_insert(view))
    }
}

/// Runs one step of a game. Its result belongs to no language.
pub(crate) fn step<R: Rules>(
    state: R::State,
    input: &Input,
    dice: &mut Dice,
) -> Stepped<R::State, R::Event> {
    match dice.rules() >= R::NOTES_FROM {
        true => tongue::as_data(|| R::step(state, input, dice)),
        false => tongue::within(None, || R::step(state, input, dice)),
    }
}

impl<R: Game> Match for MatchOf<R> {
    fn judge(&self, seat: Seat, card: &CardText, ahead: u32) -> Judgement {
        R::judge(&self.view(seat), card, ahead)
    }
    fn reader(&self, seat: Seat) -> Reader {
        let kept = || self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (seat, tongue::now().map_or("", |catalogue| catalogue.code()));
        let known = kept().get(&key).cloned();
        let known = known.unwrap_or_else(|| {
            let known: Arc<Known> = R::names(&self.view(seat)).into();
            Arc::clone(kept().entry(key).or_insert(known))
        });
        Reader::new((R::wording(), R::sentences()), known)
    }
    fn sketch(&self, seat: Seat, card: &CardText) -> Option<MapPicture> {
        R::sketch(&self.view(seat), card)
    }
    fn report(&self, seat: Seat, language: &str) -> Option<Report> {
        R::report(&self.view(seat), language)
    }
    fn letters(&self, seat: Seat, card: &CardText) -> Vec<press::Letter> {
        R::letters(&self.view(seat), card)
    }
    fn headline(&self, seat: Seat) -> Headline {
        R::headline(&self.view(seat))
    }
    fn answer(&self, seat: Seat, ask: &Ask) -> Vec<Line> {
        R::answer(&self.view(seat), ask)
    }
    fn primer(&self, seat: Seat) -> Primer {
        R::primer(&self.view(seat))
    }
    fn chronicle(&self) -> Vec<Line> {
        R::chronicle(&self.state, &self.events)
    }
    fn notice(&self, seat: Seat) -> Notice {
        R::notice(&self.view(seat))
    }
    fn brief(&self, seat: Seat, language: &str) -> Vec<Block> {
        R::brief(&self.view(seat), language)
    }
    fn wait(&self) -> Wait {
        // The label of a step is stored, so it is made without a language.
        tongue::within(None, || R::wait(&self.state))
    }
    fn given_up_after(&self) -> u32 {
        R::given_up_after(&self.state)
    }
    fn result(&self) -> Option<Vec<Score>> {
        R::result(&self.state)
    }
    fn play(&self, seat: Seat, notes: &str, dice: &mut Dice) -> Play {
        tongue::within(None, || R::play(&self.view(seat), notes, dice))
    }
    fn help(&self, seat: Seat) -> Vec<Topic> {
        R::help_for(&self.state, seat)
    }
    fn languages(&self) -> &'static [&'static str] {
        R::languages(Some(&self.state))
    }
    fn press(&self) -> bool {
        R::press(Some(&self.state))
    }
    fn rulebook(&self) -> Vec<Section> {
        R::rulebook(&self.state)
    }
    fn rulebook_for(&self, seat: Seat) -> Vec<Section> {
        R::rulebook_for(&self.state, seat)
    }
    fn charts(&self) -> Vec<Chart> {
        R::charts(&self.state)
    }
    fn seen(&self, seat: Seat) -> Option<MapPicture> {
        R::seen(&self.state, seat)
    }
    fn atlas(&self) -> Option<MapPicture> {
        R::atlas(&self.state)
    }
    fn step(&self, input: &Input, dice: &mut Dice) -> Outcome {
        let done = step::<R>(self.state.clone(), input, dice);
        Outcome {
            saved: Saved { state: encode(&done.state), events: encode(&done.events) },
            carried: done.carried,
            opened: done.opened,
        }
    }
}
