//! The one interface of all games: what an engine is, and what the robot may ask of it.
//!
//! An engine author writes [`Rules`] and its [`parts`]: total, pure functions over typed state.
//! [`EngineOf`] erases the types, does loading, viewing and saving in one place, and gives the
//! robot a `&dyn Engine`. The interface fits all games, also those in which one seat moves after
//! the other:
//!
//! * **Steps.** One run of an engine is a *step*; in Warlord a step is a turn of everybody, in a
//!   game of alternate moves the turn of one seat, or the answer to one challenge. [`Rules::wait`]
//!   says of the open step what it waits for ([`Wait`]): the seats whose cards hold it up, what
//!   ends the wait (the calendar, one of the game's clocks, or nothing: the step follows at once)
//!   and the label that players see.
//! * **Notices.** After a step the engine says for each seat whether it gets the full
//!   printout, a brief note or nothing ([`Printouts::notice`]).
//! * **Who sits where.** A step gets for each seat who plays it ([`Sits`]): a person, a computer,
//!   or nobody because its player left.
//! * **Computer players** see only a view and their own notes, and write only a card and new notes
//!   ([`Computers::play`]).
//! * **Proof.** An engine can check its own invariants after a step ([`Audits::audit`]); [`trial`]
//!   plays whole games and runs this check after every step.
//! * **Addresses.** An engine never carries one: a printout names a seat's address by
//!   [`report::Span::Address`], and the robot fills it in as far as that seat's player consents.
//!   What one seat says to another is part of the other's view.
//! * **Secrecy by types.** Echo, forecast and printout are made from a
//!   [`Rules::View`], which has no field for what the seat may not know.
//! * **Standing orders** live in the State. What stays in force over turns must survive a missed
//!   card, so it belongs to the game, not to the card.
//! * **Letters.** Free text for other players is written in the card, between `PRESS` and `END`
//!   ([`press`]); the engine adds it to the receivers' views, and printouts show it as a quote
//!   ([`report::Block::Quote`]), never as a line that could be an order. So a new card replaces
//!   letters too, and a journal keeps them.
//! * **Words.** A game names the verbs and things of its orders ([`Words::wording`],
//!   [`Words::names`]); the robot reads lines in words with them ([`wording`]) and files the
//!   orders, so that no engine ever sees anything but its own forms.
//! * **Orders and lines.** A line of a card may hold several orders; a judgement then
//!   has several entries of the same line.
//! * **Carry-over.** Lines that wait for a later step are returned in [`Stepped::carried`] and are
//!   on file again for the next step.
//! * **Seals.** A line to which a player must be committed before it is opened is named in
//!   [`Judgement::seals`]. The robot shows a digest to its owner, and to everybody whose printout
//!   names it ([`report::Span::Seal`]). When the engine lists its key in [`Stepped::opened`], in
//!   any later step, the robot shows the text and the nonce. All seals that are left are opened
//!   when the game is over.
//! * **Dice** are keyed by seed, purpose and place ([`Dice::at`]), so that known rolls reveal
//!   nothing about others.
//!
//! Engines never see addresses, mails, clocks or files. The [`guide`] says how to write one, with a
//! whole game as the example.

pub mod book;
pub mod data;
pub mod dice;
pub mod effort;
pub mod erased;
pub mod fault;
pub mod geometry;
pub mod graph;
pub mod guide;
pub mod headline;
pub mod options;
pub mod orders;
pub mod parts;
pub mod press;
pub mod report;
pub mod syntax;
pub mod trial;
pub mod wording;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tongue::say;

pub use dice::Dice;
pub use erased::{Engine, EngineOf, LoadError, Match, Outcome, Saved, find, named};
pub use fault::{Fault, JudgedLine, Judgement, Mark, Seal, Told};
pub use headline::Headline;
pub use options::{OptionRow, Strength};
pub use parts::{
    Answers, Audits, Books, Cards, Computers, Game, Headlines, Maps, Printouts, Words,
};
pub use report::{Block, Chart, Line, MapPicture, Report, Section, Series};
pub use syntax::{CardText, Origin};
pub use trial::{Standing, Tally, Trial};
pub use wording::{
    Above, Form, Forms, Frames, Names, OnFile, Orders, Partly, Reader, Reading, Replaced, Withdrawn,
};

/// A player position of a game, 1 to the number of seats; the default, 0, is not a seat.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
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

/// What the open step waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// Seats whose cards hold the step up.
    pub seats: Vec<Seat>,
    /// What ends the wait.
    pub until: Until,
    /// The name of the step for players, such as `turn 14` or `turn 14, Red to move`; it must fit
    /// within a sentence.
    pub label: String,
    /// The turns that the label speaks of, by the game's own count.
    pub turns: Turns,
}

impl Wait {
    /// A turn of these seats that the game's calendar ends.
    pub fn turn(number: Turn, seats: Vec<Seat>) -> Self {
        let turns = Turns::one(number);
        Self { seats, until: Until::Calendar, label: say!("turn {}", number), turns }
    }
}

/// Turns as the players of a game count them: the one that a step is part of, or those that it
/// plays. A step before the first turn, such as a draft, is turn 0.
///
/// It is written `7`, or `7-9` where one step plays several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turns {
    /// The first of them.
    pub first: u32,
    /// The last of them.
    pub last: u32,
}

impl Turns {
    /// One turn.
    pub fn one(number: u32) -> Self {
        Self { first: number, last: number }
    }

    /// Whether a turn is among them.
    pub fn contains(self, number: u32) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

impl fmt::Display for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first == self.last {
            true => self.first.fmt(f),
            false => write!(f, "{}-{}", self.first, self.last),
        }
    }
}

/// What ends the wait of a step, unless everybody who is awaited is done earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Until {
    /// The deadline of the game's calendar.
    Calendar,
    /// A clock of the game itself that begins when the step opens. The night hours of the game's
    /// term `quiet` do not count.
    Clock {
        /// Its name in the option `NAME_hours`, such as `challenge`.
        name: String,
        /// How long it runs, in hours.
        hours: u32,
    },
    /// Nothing: the step follows at once.
    Now,
}

/// What a seat is sent when a step has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// The whole printout.
    Full,
    /// A short mail with [`Printouts::brief`].
    Brief,
    /// Nothing; a person whom the next step awaits gets a short mail all the same.
    None,
}

/// Who plays a seat when a step runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sits {
    /// A person plays it. [`Input::sits`] gives this for absent people too.
    Player,
    /// A person plays it who sent nothing for the step. The number says how many turns in a row
    /// they have let pass, this one included; 0 means that they could still have sent, because the
    /// step was run before its deadline. See [`Input::missed`].
    Absent(u32),
    /// A computer plays it.
    Computer,
    /// Nobody: its player has left, or it was never taken.
    Left,
}

/// What a step is run with, besides state and dice.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The cards that are on file; a seat without one is left out.
    pub cards: &'a BySeat<CardText>,
    /// Every seat of the game. Empty in games that began before this was recorded.
    pub seats: &'a BySeat<Sits>,
}

impl Input<'_> {
    /// Who plays a seat. A seat that is not listed counts as played by a person, and so does an
    /// absent one.
    pub fn sits(&self, seat: Seat) -> Sits {
        match self.seats.get(&seat) {
            None | Some(Sits::Absent(_)) => Sits::Player,
            Some(sits) => *sits,
        }
    }

    /// How many turns in a row a seat's player has let pass, this one included, by the robot's
    /// count. Steps that ran before the robot gave its count use the old way: `before`, which is
    /// the engine's own count, and one more for a player without a card.
    pub fn missed(&self, seat: Seat, before: u32) -> u32 {
        match self.sits(seat) {
            Sits::Player if !self.cards.contains_key(&seat) => {
                self.absent(seat).unwrap_or(before.saturating_add(1))
            }
            Sits::Player => self.absent(seat).unwrap_or(0),
            _ => 0,
        }
    }

    /// The robot's count for a player who sent nothing; `None`: they sent something, or the robot
    /// did not give its count yet.
    pub fn absent(&self, seat: Seat) -> Option<u32> {
        match self.seats.get(&seat) {
            Some(Sits::Absent(turns)) => Some(*turns),
            _ => None,
        }
    }
}

/// The result of a computer player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Play {
    /// Its card; a card without lines counts as none.
    pub card: CardText,
    /// Notes that it gets back when it plays next, at most [`NOTES_MAX`] bytes: a plan over several
    /// turns. Nobody else sees them.
    pub notes: String,
}

impl From<CardText> for Play {
    fn from(card: CardText) -> Self {
        Self { card, notes: String::new() }
    }
}

/// The most bytes of a computer player's notes; longer ones are dropped.
pub const NOTES_MAX: usize = 2_000;

/// One seat's place at the end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// The seat.
    pub seat: Seat,
    /// 1 is the winner; tied seats have equal ranks.
    pub rank: u32,
    /// Points in the game's own measure.
    pub points: i64,
}

/// A help topic, printed from the rows of the engine's order table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// The word that asks for it, upper case: usually the letter of an order.
    pub word: String,
    /// Name and form on one line.
    pub title: String,
    /// Sentences of explanation.
    pub text: String,
    /// Lines as a player would write them.
    pub examples: Vec<String>,
}

/// The introduction for somebody who opens a first printout and knows nothing of the game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Primer {
    /// The theme of the game and how it is won, in about two sentences.
    pub aim: String,
    /// How to read a printout: numbers of places, tables, signs.
    pub reading: Vec<String>,
    /// Good orders for this seat in the form of a card, each with its effect; the robot shows only
    /// those that its judge accepts.
    pub orders: Vec<(String, String)>,
}

/// A game in which one newcomer practises against computers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Practice {
    /// How many seats it has; the newcomer has the first.
    pub seats: u8,
    /// Options of the engine by name.
    pub options: BTreeMap<String, String>,
    /// What the first printouts teach: the points of each lesson.
    pub lessons: Vec<Vec<String>>,
}

impl Practice {
    /// A practice game with its options, and with lessons as an engine's `lessons.toml` has them.
    pub fn new(seats: u8, options: &[(&str, &str)], lessons: &str) -> Self {
        #[derive(Deserialize)]
        struct Lesson {
            points: Vec<String>,
        }
        #[derive(Default, Deserialize)]
        struct Lessons {
            lesson: Vec<Lesson>,
        }
        // The file is embedded, and a rule test of each game reads it.
        let lessons: Lessons = data::from_toml(lessons).unwrap_or_default();
        let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        Self {
            seats,
            options: options.collect(),
            lessons: lessons.lesson.into_iter().map(|l| l.points).collect(),
        }
    }
}

/// A question of a player about their own knowledge, with places as a card names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask<'a> {
    /// What is known of a place.
    Look(&'a str),
    /// How far it is from one place to another, and how long forces need.
    Distance(&'a str, &'a str),
    /// How a unit of the seat, or its forces at one place, would fare at another place, by the
    /// rules that everybody may read.
    Odds(&'a str, &'a str),
    /// Which players are known, and how they stand.
    Who,
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

impl<S, E> Stepped<S, E> {
    /// A step that carries no lines and opens no seals.
    pub fn new(state: S, events: Vec<E>) -> Self {
        Self { state, events, carried: BySeat::new(), opened: Vec::new() }
    }
}

/// The main part of an engine, written by its author: total, pure functions.
///
/// No function may use a clock, a file, a global, a float or the order of a hash
/// table; the same state, cards and seed give the same bytes on every machine.
pub trait Rules: Send + Sync + 'static {
    /// Everything about the game, including hidden things.
    type State: Serialize + DeserializeOwned + Clone + Send + Sync;
    /// What one seat may know.
    type View: Send + Sync;
    /// One thing that happened in a step.
    type Event: Serialize + DeserializeOwned + Send + Sync;
    /// The name in commands and in the store, such as `warlord`.
    const ID: &'static str;
    /// The name for players.
    const TITLE: &'static str;
    /// Raised when the same input would give another outcome.
    const RULES_VERSION: u32;
    /// The oldest version whose games this program still plays and replays.
    const RULES_VERSION_OLDEST: u32 = Self::RULES_VERSION;
    /// The first version whose steps run within [`tongue::as_data`], so that their events can keep
    /// sentences as [`tongue::Note`]; older versions kept them in English.
    const NOTES_FROM: u32 = 1;
    /// Games of versions up to this one draw their dice from one stream
    /// ([`Dice::stream`]); 0: none does.
    const STREAM_DICE_UNTIL: u32 = 0;
    /// Whether anything is rolled; if not, seeds are never mentioned to players.
    const DICE: bool = true;
    /// Whether a card without errors says that its player is done, so that the step may run as soon
    /// as the card has arrived. Players read this before they send one.
    const AT_ONCE: bool = false;
    /// Whether each step is a turn of its own, so that a card can name a turn to come by its number.
    const STEP_IS_TURN: bool = true;
    /// What a game master may choose when a game is made; [`Rules::new_game`] reads a setup by
    /// these rows, with [`options::Chosen`].
    const OPTIONS: &'static [OptionRow] = &[];
    /// The titles of players by the number of games won, the lowest number first; empty: nobody is
    /// promoted.
    const RANKS: &'static [(u32, &'static str)] = &[];
    /// How many seats a game may have.
    fn seats() -> RangeInclusive<u8>;
    /// The game in which a newcomer practises.
    fn practice() -> Practice {
        Practice { seats: *Self::seats().start(), ..Practice::default() }
    }
    /// The embedded data files by name. A new game uses them where its setup has no files of its
    /// own.
    fn data() -> &'static [(&'static str, &'static str)];
    /// Makes a game, or lists everything that is wrong with the setup.
    ///
    /// # Errors
    /// One sentence for each fault in options or data files.
    fn new_game(setup: &Setup, dice: &mut Dice) -> Result<Self::State, Vec<String>>;
    /// What `seat` knows after the last step.
    fn view(state: &Self::State, events: &[Self::Event], seat: Seat) -> Self::View;
    /// Runs one step.
    fn step(
        state: Self::State,
        input: &Input,
        dice: &mut Dice,
    ) -> Stepped<Self::State, Self::Event>;
    /// What the open step waits for.
    fn wait(state: &Self::State) -> Wait;
    /// After how many turns in a row without a card a seat counts as given up by its player; 0:
    /// never. When all players are silent, the robot pauses the game before that.
    fn given_up_after(_state: &Self::State) -> u32 {
        0
    }
    /// The final standing once the game is over.
    fn result(state: &Self::State) -> Option<Vec<Score>>;
}

/// Encodes with named fields, so that a later version can still read an older state.
fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Writing plain data types into memory has no way to fail.
    codec::to_bytes(value).expect("plain data encodes")
}
