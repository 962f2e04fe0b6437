//! The robot: one mail to one verdict, one due game to one turn, each one commit.
//!
//! Nothing here waits or sends. Inboxes hand messages in, [`Robot::receive`]
//! judges them, [`Robot::run_due`] runs what is due; what they cause lies in the
//! outbox and leaves by [`outbox`]. The clock and the random numbers come in
//! from outside, so that a test or the demo runs the same code as a host.

pub mod acts;
pub mod admin;
pub mod calendar;
pub mod card;
pub mod deadline;
pub mod drawing;
pub mod host;
pub mod intake;
pub mod letters;
pub mod limits;
pub mod moving;
pub mod outbox;
pub mod printouts;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::limits::Limits;
use base::clock::{Clock, Entropy};
use engine::{Engine, Match, Turn};
use mail::compose::Robot as Identity;
use mail::reader::Reader;
use store::{Game, Status, Store, StoreError};

/// What the robot works with.
pub struct Robot {
    pub store: Store,
    pub identity: Identity,
    pub gm: String,
    pub limits: Limits,
    engines: &'static [&'static dyn Engine],
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    /// Takes mails apart.
    pub reader: Reader,
    /// The server whose Authentication-Results are believed.
    pub trusted: Option<String>,
    /// Open games by code, of all those that were asked for last.
    open: BTreeMap<String, Open>,
    /// Counts the looks at open games.
    looks: u64,
}

/// A game that is open.
struct Open {
    /// The turn that it is open for, and the hash of the one before.
    turn: Turn,
    hash: String,
    game: Arc<dyn Match>,
    /// The last look at it.
    looked: u64,
}

/// Games that are kept open: a large one holds megabytes, and is read anew in milliseconds.
const OPEN_MAX: usize = 16;

/// Something that the robot could not do; nothing of it is kept.
#[derive(Debug, thiserror::Error)]
pub enum RobotError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A request that makes no sense, with what to do instead.
    #[error("{0}")]
    Refused(String),
    /// An engine failed: the game is held.
    #[error("game {0}: {1}")]
    Engine(String, String),
}

/// Result of the robot's calls.
pub type Result<T> = std::result::Result<T, RobotError>;

/// Refuses a request with a sentence.
pub fn refuse<T>(why: impl Into<String>) -> Result<T> {
    Err(RobotError::Refused(why.into()))
}

impl Robot {
    /// A robot over a store.
    pub fn new(
        store: Store,
        identity: Identity,
        gm: String,
        limits: Limits,
        engines: &'static [&'static dyn Engine],
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        let mut store = store;
        store.bounce_limit = limits.bounce_limit;
        let (reader, trusted, open, looks) = (Reader::Here, None, BTreeMap::new(), 0);
        Self { store, identity, gm, limits, engines, clock, entropy, reader, trusted, open, looks }
    }

    /// The engines of this host.
    pub fn engines(&self) -> &'static [&'static dyn Engine] {
        self.engines
    }

    fn engine(&self, id: &str) -> Result<&'static dyn Engine> {
        let found = engine::find(self.engines, id);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.engines.iter().map(|e| e.id()).collect();
            RobotError::Refused(format!("no engine {id:?}; there are: {}", known.join(", ")))
        })
    }

    /// A running game, loaded once a turn.
    pub fn open(&mut self, game: &Game) -> Result<Arc<dyn Match>> {
        let last = game.turn.saturating_sub(1);
        // A turn that was taken back and run again has the same number and another hash.
        let hash = self.store.hash_of(&game.code, last)?.unwrap_or_default();
        self.looks += 1;
        if let Some(open) = self.open.get_mut(&game.code)
            && (open.turn, &open.hash) == (game.turn, &hash)
        {
            open.looked = self.looks;
            return Ok(Arc::clone(&open.game));
        }
        let engine = self.engine(&game.engine)?;
        let saved = self
            .store
            .saved(&game.code, last)?
            .ok_or_else(|| RobotError::Refused(format!("game {} has not started", game.code)))?;
        let (theirs, ours) = (game.rules_version, engine.rules_version());
        let loaded = match theirs == ours {
            true => engine.open(&saved).map_err(|e| e.to_string()),
            false => Err(format!(
                "it was begun with rules version {theirs} of {}, and this program has {ours}: go \
                 on with the program that began it",
                engine.title()
            )),
        };
        let open: Arc<dyn Match> = match loaded {
            Ok(open) => open.into(),
            Err(why) => {
                if game.status == Status::Running {
                    self.hold(&game.code, &why)?;
                }
                return Err(RobotError::Engine(game.code.clone(), why));
            }
        };
        self.open.remove(&game.code);
        if self.open.len() >= OPEN_MAX
            && let Some(oldest) = self.open.iter().min_by_key(|(_, o)| o.looked)
        {
            let oldest = oldest.0.clone();
            self.open.remove(&oldest);
        }
        let kept = Open { turn: game.turn, hash, game: Arc::clone(&open), looked: self.looks };
        self.open.insert(game.code.clone(), kept);
        Ok(open)
    }

    /// Runs engine code; a panic holds the game and nothing else.
    pub fn shielded<T>(&mut self, game: &str, act: impl FnOnce() -> T) -> Result<T> {
        catch_unwind(AssertUnwindSafe(act)).map_err(|panic| {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or(panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            let why = format!("the engine failed: {text}");
            if let Err(e) = self.hold(game, &why) {
                tracing::error!(game, error = %e, "a failed game could not be held");
            }
            RobotError::Engine(game.to_owned(), why)
        })
    }

    /// Stops a running game and tells the game master, once.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn hold(&mut self, game: &str, why: &str) -> Result<()> {
        let now = self.clock.now();
        let text = format!(
            "Game {game} is held: {why}\n\nOther games go on. Its journal is whole; look at it with\n\
             \"fieldpost replay {game}\" and let it go on with \"fieldpost game release {game}\"."
        );
        let mail = self.gm_mail(&format!("game {game} is held"), &text, &[game, "held", why], now);
        if self.store.hold_and_tell(game, why, mail.as_ref(), now)? {
            // An engine's panic may quote a card, so the log does not say why.
            tracing::error!(game, "game held");
        }
        Ok(())
    }

    /// Forgets the raw bytes of mails that are older than the config allows.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn forget_old_mails(&mut self) -> Result<usize> {
        let days = self.limits.keep_raw_days.clamp(0, 36_500);
        let age = jiff::SignedDuration::from_hours(24 * days);
        let forgotten = self.store.forget_raw(self.clock.now() - age)?;
        if forgotten > 0 {
            tracing::info!(forgotten, "raw mails forgotten");
        }
        Ok(forgotten)
    }

    /// This instant, by the robot's clock.
    pub fn now(&self) -> jiff::Timestamp {
        self.clock.now()
    }
}
