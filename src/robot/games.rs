//! Finds and loads games, and runs the code of engines so that a panic becomes an error.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

use engine::options::{self, Chapter};
use engine::{Dice, Engine, Match, Saved, Seat, Section, Setup, Turn};
use mail::mime::same_address;
use store::{Game, Reader, Status};

use crate::context::{Context, OpenGame, Result, RobotError, refuse};

/// The most games that are kept open. A large one takes megabytes, and is read again in
/// milliseconds.
const OPEN_MAX: usize = 16;

/// The games of a host. Nothing here changes anything: an engine that fails is an error, and the
/// caller that commits suspends the game.
#[derive(Clone, Copy)]
pub struct Games<'a> {
    cx: &'a Context,
    store: &'a Reader,
}

impl<'a> Games<'a> {
    /// The games of a store.
    pub fn new(cx: &'a Context, store: &'a Reader) -> Self {
        Self { cx, store }
    }

    /// An engine by its name.
    ///
    /// # Errors
    /// [`RobotError::Refused`] with the names that there are.
    pub fn engine(&self, id: &str) -> Result<&'static dyn Engine> {
        engine::named(self.cx.engines, id).map_err(RobotError::Refused)
    }

    /// A game by code.
    ///
    /// # Errors
    /// [`RobotError::Refused`] with the codes that there are.
    pub fn game(&self, code: &str) -> Result<Game> {
        if let Some(game) = self.store.games().game(code)? {
            return Ok(game);
        }
        let codes: Vec<String> = self.store.games().all()?.into_iter().map(|g| g.code).collect();
        match codes.is_empty() {
            true => refuse("there is no game yet; make one with \"fieldpost game new\""),
            false => refuse(format!("no game {code}; there are: {}", codes.join(", "))),
        }
    }

    /// The practice games that are not over.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn practices(&self) -> Result<Vec<Game>> {
        let mut games = self.store.games().all()?;
        games.retain(|g| g.terms.practice && g.status != Status::Over);
        Ok(games)
    }

    /// The practice game that an address has.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn practice_of(&self, address: &str) -> Result<Option<Game>> {
        for game in self.practices()? {
            let seats = self.store.games().seats(&game.code)?;
            if seats.iter().any(|s| s.has_player() && same_address(&s.address, address)) {
                return Ok(Some(game));
            }
        }
        Ok(None)
    }

    /// Opens a running game; it is loaded once per turn.
    ///
    /// # Errors
    /// [`RobotError::Engine`] when this program can't open it.
    pub fn open(&self, game: &Game) -> Result<Arc<dyn Match>> {
        let last = game.turn.saturating_sub(1);
        // A turn that was taken back and run again has the same number but another hash.
        let hash = self.store.journal().hash_of(&game.code, last)?.unwrap_or_default();
        // A thread that panicked while it held the lock has left nothing half changed.
        let mut kept = self.cx.open.lock().unwrap_or_else(PoisonError::into_inner);
        kept.looks += 1;
        let looked = kept.looks;
        if let Some(open) = kept.games.get_mut(&game.code)
            && (open.turn, &open.hash) == (game.turn, &hash)
        {
            open.looked = looked;
            return Ok(Arc::clone(&open.game));
        }
        let saved =
            self.store.journal().saved(&game.code, last)?.ok_or_else(|| {
                RobotError::Refused(format!("game {} has not started", game.code))
            })?;
        let opened: Arc<dyn Match> = self.load(game, &saved)?.into();
        kept.games.remove(&game.code);
        if kept.games.len() >= OPEN_MAX
            && let Some(oldest) = kept.games.iter().min_by_key(|(_, o)| o.looked)
        {
            let oldest = oldest.0.clone();
            kept.games.remove(&oldest);
        }
        let open = OpenGame { turn: game.turn, hash, game: Arc::clone(&opened), looked };
        kept.games.insert(game.code.clone(), open);
        Ok(opened)
    }

    /// A game as it was when a card of a turn was judged. `hash` is the hash of the turn before.
    /// `None` when that turn was taken back and run again, which changes its hash, or when the game
    /// is gone.
    ///
    /// # Errors
    /// As [`Games::open`].
    pub fn open_as(&self, code: &str, turn: Turn, hash: &str) -> Result<Option<Arc<dyn Match>>> {
        let Some(game) = self.store.games().game(code)? else { return Ok(None) };
        let last = turn.saturating_sub(1);
        if self.store.journal().hash_of(code, last)?.unwrap_or_default() != hash {
            return Ok(None);
        }
        if game.turn == turn {
            return self.open(&game).map(Some);
        }
        // The turn has run meanwhile, so the game that is kept open is a later one.
        let Some(saved) = self.store.journal().saved(code, last)? else { return Ok(None) };
        self.load(&game, &saved).map(|opened| Some(opened.into()))
    }

    /// Opens a saved state with its engine.
    fn load(&self, game: &Game, saved: &Saved) -> Result<Box<dyn Match>> {
        let engine = self.engine(&game.engine)?;
        let theirs = game.rules_version;
        let loaded = match engine.plays(theirs) {
            true => engine.open(saved).map_err(|e| e.to_string()),
            false => Err(format!(
                "it was begun with rules version {theirs} of {}, and this program has {}: go on \
                 with the program that began it",
                engine.title(),
                engine.rules_version()
            )),
        };
        loaded.map_err(|why| RobotError::Engine(game.code.clone(), why))
    }

    /// Closes a game whose last turn has changed.
    pub fn close(&self, code: &str) {
        let mut kept = self.cx.open.lock().unwrap_or_else(PoisonError::into_inner);
        kept.games.remove(code);
    }

    /// The setup of a new game, with the engine's data files where it has none of its own. An
    /// impossible code and wrong options or data files are refused now, not when the game starts.
    ///
    /// # Errors
    /// [`RobotError::Refused`] with a sentence for each fault.
    pub fn setup(
        &self,
        engine: &dyn Engine,
        code: &str,
        seats: u8,
        options: BTreeMap<String, String>,
        data: BTreeMap<String, String>,
    ) -> Result<Setup> {
        code_can_be(code)?;
        if self.store.games().game(code)?.is_some() {
            return refuse(format!("there is a game {code} already"));
        }
        if !engine.seats().contains(&seats) {
            let (least, most) = engine.seats().into_inner();
            let takes =
                if least == most { least.to_string() } else { format!("{least} to {most}") };
            return refuse(format!("{} takes {takes} seats", engine.title()));
        }
        let setup = Setup { seats, options, data: with_defaults(engine, data) };
        let mut faults = options::passed_over(engine.title(), engine.options(), &setup);
        let made = self.shielded(code, || engine.new_game(&setup, &mut Dice::new(0)))?;
        faults.extend(made.err().unwrap_or_default());
        if faults.is_empty() {
            return Ok(setup);
        }
        if !setup.options.is_empty() {
            let id = engine.id();
            faults.push(format!("\"fieldpost options {id}\" explains the options"));
        }
        refuse(faults.join("\n"))
    }

    /// The chapters of a game's rulebook that a seat may read, or all of them without a seat, and a
    /// chapter on the setup of the game. Empty when the game has no rulebook.
    ///
    /// # Errors
    /// [`RobotError::Engine`] when the engine fails.
    pub fn rulebook(
        &self,
        game: &Game,
        open: &dyn Match,
        seat: Option<Seat>,
    ) -> Result<Vec<Section>> {
        let engine = self.engine(&game.engine)?;
        let mut chapters = self.shielded(&game.code, || match seat {
            Some(seat) => open.rulebook_for(seat),
            None => open.rulebook(),
        })?;
        if !chapters.is_empty() {
            // The stored setup has the data files, which an open game lacks.
            let setup = self.store.games().setup(&game.code)?.unwrap_or_default();
            let about = Chapter::Game { setup: &setup, usual: engine.data() };
            chapters.extend(options::chapter(engine.options(), about));
        }
        Ok(chapters)
    }

    /// Runs engine code. A panic becomes an error that suspends the game and nothing else.
    ///
    /// # Errors
    /// [`RobotError::Engine`] with what the panic said.
    pub fn shielded<T>(&self, game: &str, act: impl FnOnce() -> T) -> Result<T> {
        catch_unwind(AssertUnwindSafe(act)).map_err(|panic| {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or(panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            RobotError::Engine(game.to_owned(), format!("the engine failed: {text}"))
        })
    }
}

/// Checks that a game may have a code.
///
/// # Errors
/// [`RobotError::Refused`] says what a code is made of.
pub(crate) fn code_can_be(code: &str) -> Result<()> {
    let good = |c: char| c.is_ascii_alphanumeric();
    match !code.is_empty() && code.len() <= 8 && code.chars().all(good) {
        true => Ok(()),
        false => refuse(format!("{code:?} is no game code; use 1 to 8 letters and digits")),
    }
}

/// The data files of a setup: the host's own, and the engine's for the rest, so that a later
/// version of the engine makes the same world from them.
fn with_defaults(engine: &dyn Engine, own: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut data: BTreeMap<String, String> =
        engine.data().iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
    data.extend(own);
    data
}

/// Why a game that does not run has no turn to run, and what to do.
pub(crate) fn at_rest(game: &Game) -> String {
    let (code, status) = (&game.code, game.status.as_str());
    let then = match game.status {
        Status::Open => format!("; \"fieldpost game start {code}\" starts it"),
        Status::Suspended => {
            format!("; \"fieldpost game release {code}\" or GM RELEASE {code} lets it go on")
        }
        Status::Running | Status::Over => String::new(),
    };
    format!("game {code} is {status}; only a running game has turns{then}")
}
