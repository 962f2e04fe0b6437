//! What all parts of the robot share: who it is, what it may do, its clock and its source of random
//! numbers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use base::clock::{Clock, Entropy};
use engine::{Engine, Match, Turn};
use jiff::Timestamp;
use mail::compose::Sender;
use mail::mime::ParsedMail;
use mail::reader::{Reader, ReaderError};
use store::StoreError;

use crate::at_work::AtWork;
use crate::languages::{ENGLISH, catalogue};
use crate::limits::Limits;

/// What a robot is, apart from its store. It changes nothing in the store.
pub struct Context {
    /// The name and address under which the robot writes.
    pub identity: Sender,
    /// Address of the game master.
    pub gm: String,
    /// Limits of what mails may ask.
    pub limits: Limits,
    /// The server whose Authentication-Results are believed.
    pub trusted: Option<String>,
    /// Games that are made here get no chain of seeds: the seed of each step is drawn when it
    /// opens, so that the dice do not depend on the cards. This is for scripts with cards that were
    /// written for certain dice, such as the demos.
    pub scripted: bool,
    /// The language of players who chose none, and of strangers.
    pub language: String,
    /// The engines of this host.
    pub engines: &'static [&'static dyn Engine],
    /// Takes apart mails that others wrote.
    pub reader: Reader,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// Mails that are being judged.
    pub at_work: Arc<AtWork>,
    /// The games that are kept open, those that were asked for last, keyed by code.
    pub(crate) open: Arc<Mutex<OpenGames>>,
}

/// Games that are kept open, and a counter of all requests for them.
#[derive(Default)]
pub(crate) struct OpenGames {
    pub(crate) games: BTreeMap<String, OpenGame>,
    pub(crate) looks: u64,
}

/// A game that is kept open.
pub(crate) struct OpenGame {
    /// The turn that it is open for, and the hash of the one before.
    pub(crate) turn: Turn,
    pub(crate) hash: String,
    pub(crate) game: Arc<dyn Match>,
    /// The number of the last request for it.
    pub(crate) looked: u64,
}

impl Context {
    /// A context with a clock and a source of random numbers.
    pub fn new(
        identity: Sender,
        gm: String,
        limits: Limits,
        engines: &'static [&'static dyn Engine],
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        let (trusted, scripted, open) = (None, false, Arc::default());
        let (language, reader) = (ENGLISH.to_owned(), Reader::InProcess);
        Self {
            identity,
            gm,
            limits,
            trusted,
            scripted,
            language,
            engines,
            reader,
            clock,
            entropy,
            at_work: Arc::default(),
            open,
        }
    }

    /// Shares the open games with another context of the same store, so that each game is held only
    /// once.
    pub fn share_games(&mut self, other: &Self) {
        self.open = Arc::clone(&other.open);
    }

    /// The code of a seat's language: the one that its player chose, or else the host's.
    pub fn language_of<'a>(&'a self, chosen: &'a str) -> &'a str {
        if chosen.is_empty() { &self.language } else { chosen }
    }

    /// Runs `act` with all its texts in this language; an empty code means the language of the
    /// host.
    pub fn in_language<T>(&self, code: &str, act: impl FnOnce() -> T) -> T {
        tongue::within(catalogue(self.language_of(code)), act)
    }

    /// Takes a stored mail apart again; `None` when that fails.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when the system can't start a process for it now.
    pub(crate) fn take_apart(&self, bytes: &[u8]) -> Result<Option<ParsedMail>> {
        match self.reader.read(bytes) {
            Ok(read) => Ok(read.ok()),
            Err(e @ ReaderError::NotStarted(_)) => Err(RobotError::Refused(e.to_string())),
            Err(ReaderError::Slow | ReaderError::Died) => Ok(None),
        }
    }

    /// This instant, by the robot's clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// 64 random bits.
    pub fn word(&self) -> u64 {
        self.entropy.word()
    }

    /// 128 random bits in hexadecimal, for a seal.
    pub fn nonce(&self) -> String {
        format!("{:016x}{:016x}", self.word(), self.word())
    }
}

/// Something that the robot could not do; nothing of it is kept.
#[derive(Debug, thiserror::Error)]
pub enum RobotError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A request that makes no sense, with what to do instead.
    #[error("{0}")]
    Refused(String),
    /// An engine failed, or a game can't be opened: the code of the game, and why. The caller that
    /// commits suspends the game.
    #[error("game {0}: {1}")]
    Engine(String, String),
}

/// Result of the robot's calls.
pub type Result<T> = std::result::Result<T, RobotError>;

/// Refuses a request with a sentence.
///
/// # Errors
/// Always: [`RobotError::Refused`].
pub fn refuse<T>(why: impl Into<String>) -> Result<T> {
    Err(RobotError::Refused(why.into()))
}
