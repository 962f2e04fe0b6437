//! The robot: one mail to one verdict, one due step to one run, each one commit.
//!
//! Judging and running neither wait nor send. Inboxes hand messages in, [`Robot::receive`] judges
//! them, [`Robot::run_due`] runs what is due; the mails that they cause wait in the outbox and
//! leave by [`outbox`]. The clock and the random numbers come in from outside, so that a test or
//! the demo runs the same code as a host.
//!
//! # Modules
//!
//! Calls go down this list, never up; `tests/architecture` checks the order of neighbouring files
//! and folders.
//!
//! | module | what it does | may write |
//! |---|---|---|
//! | [`mod@host`] | threads that read inboxes, run what is due and send | calls what does |
//! | [`receive`], [`run`], [`explain`], [`moving`], [`outbox`] | what a [`Robot`] does beside the commands of the game master: mails, due steps, a mail explained, a game that moves, sending | yes, commits |
//! | [`Robot`] | units of work of the game master: opens them, commits them | yes, commits |
//! | [`gm_commands`], [`quarantine`] | the game master's commands by mail; mails in quarantine | in a unit of work |
//! | [`intake`] | one mail to one [`intake::Decision`]: whose it is, what it is for | no |
//! | [`commands`] | the commands of players, one file and one row each | no |
//! | [`verdict::questions`] | what is asked before something happens, and what YES does then | no |
//! | [`verdict::letters`] | letters between players, forwarded | no |
//! | `verdict::letter_words` | letters that a sentence of a card says | no |
//! | [`verdict::pending`] | cards that nothing proves, until their player says YES | no |
//! | [`verdict::filing`] | a card on its way to the file: in time, within limits, worth filing | no |
//! | [`verdict::read`] | the orders on file as a mail changes them, judged | no |
//! | `verdict::worded` | orders in plain words, turned into lines of a card | no |
//! | `verdict::filed`, `verdict::untimely` | the answer to a card, and to one at the wrong time | no |
//! | `verdict::plain` | questions in plain sentences | no |
//! | [`verdict::returned`] | bounces, and mails that came through a list | no |
//! | [`verdict::answers`] | what is written back | no |
//! | [`verdict::budget`] | how many mails are written back | no |
//! | `verdict::untold` | the lines of a mail that are not read, as answers name them | no |
//! | [`verdict::about`] | which lines of a mail are new, and what they ask for | no |
//! | `verdict::scrub` | removes the keys to a seat from what its player writes to others | no |
//! | [`verdict::senders`] | whose mail it is, and what proves it | no |
//! | [`verdict::machines`] | distinguishes people from machines, which are not answered | no |
//! | [`verdict::case`] | a mail under judgement; what a command of a player is | no |
//! | [`gm`] | what the game master does, one file an action | in a unit of work |
//! | [`calendar`] | reminders, quorums, offers, outages as [`store::Change`]s | no |
//! | [`runner`] | runs due steps, keeps the calendar and forgets what is old, by itself | yes, commits |
//! | `origins` | asks name servers where mails come from | yes, commits |
//! | [`sending`] | reports to the game master what keeps mails from leaving | in a unit of work |
//! | [`keys`] | draws new keys for the host | yes, commits |
//! | [`turns`], [`replay`] | one step in memory: journal, next step, mails | no |
//! | [`reports`] | what a game master looks at: games, turns and acts as texts and documents | no |
//! | [`practice`] | games of one player against computers: those that begin, those that were left | yes, commits |
//! | [`persons`] | finds and reports one person with two seats of a game | in a unit of work |
//! | [`silence`] | lets a game wait while all its players are silent | in a unit of work |
//! | [`suspend`] | a game whose engine failed is stopped | in a unit of work |
//! | [`game_file`] | a game that is over as one file, and its check by anybody | no |
//! | [`seeds`] | the chain of seeds: what the dice of a step come from | no |
//! | `unread` | orders that were not read because of a mark on their mail, for the next printout | no |
//! | [`steps`] | how a step opens, when its wait ends | no |
//! | [`printouts`] | a step's printouts and short mails | no |
//! | [`book`] | rulebooks on paper | no |
//! | [`drawing`] | pictures and files of printouts and echoes, drawn beside the robot | yes, commits |
//! | [`diary`] | war diaries of games that are over, from the journal | no |
//! | [`which_step`] | the step that people mean when they name a turn | no |
//! | [`mailer`] | mails of the robot: to whom, under which name, with which proof | no |
//! | [`games`] | finds and loads games; the panic of an engine becomes an error | no |
//! | [`personal`] | what is stored about a person | no |
//! | [`languages`] | the languages in which players are written to | no |
//! | [`at_work`] | mails that are being judged, and which of them never end | no |
//! | [`context`], [`limits`], [`lookup`], [`manual`], [`card`], [`text`] | what all share | no |
//!
//! The chapter [`security`] says what is promised against attackers, and what keeps each promise.

pub mod at_work;
pub mod book;
pub mod calendar;
pub mod card;
pub mod commands;
pub mod context;
pub mod diary;
pub mod drawing;
pub mod explain;
pub mod game_file;
pub mod games;
pub mod gm;
pub mod gm_commands;
pub mod host;
pub mod intake;
pub mod keys;
pub mod languages;
pub mod limits;
pub mod lookup;
pub mod mailer;
pub mod manual;
pub mod moving;
mod origins;
pub mod outbox;
pub mod personal;
pub mod persons;
pub mod practice;
pub mod printouts;
pub mod quarantine;
pub mod receive;
pub mod replay;
pub mod reports;
pub mod run;
pub mod runner;
pub mod security;
pub mod seeds;
pub mod sending;
pub mod silence;
pub mod steps;
pub mod suspend;
pub mod text;
pub mod turns;
mod unread;
pub mod verdict;
pub mod which_step;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use base::clock::{Clock, Entropy};
use engine::{Engine, Match, Seat, Turn};
use mail::compose::Sender;
use store::{Game, Store};

use crate::games::Games;
use crate::gm::setup::{NewGame, NewSeat};
use crate::gm::{By, Gm, GmAction};
use crate::limits::Limits;
use crate::mailer::Mailer;
use crate::replay::Replayed;

pub use context::{Context, Result, RobotError, refuse};

/// The note that keeps the mark of a store whose key was changed.
pub(crate) const MARK: &str = "mailbox mark";
/// The note that says up to which mail no login password is kept.
const SHREDDED: &str = "shredded";
/// Mails that one round searches for such passwords.
const SHREDDED_AT_ONCE: u32 = 200;
/// The most rows of each kind that one commit forgets.
const FORGOTTEN_AT_ONCE: u32 = 1_000;

/// A robot: a store, the right to commit to it, and all that it works with.
pub struct Robot {
    /// Everything that it knows.
    pub store: Store,
    /// Who it is and what it may do.
    pub cx: Context,
    /// Other workers may do the same work on the same store.
    pub shared: bool,
    /// More connections to its store, each with a thread, so that mails are judged in parallel.
    pub judges: Vec<Store>,
    /// Mails whose last attempt failed because of the store, but is still counted there.
    spared: BTreeSet<i64>,
    /// What mails that prove nothing have cost lately.
    spent: limits::Spent,
    /// What due steps wait for according to the log: the turn and the cause, keyed by game.
    waits: BTreeMap<String, (engine::Turn, String)>,
}

impl Robot {
    /// The engines of this host.
    pub fn engines(&self) -> &'static [&'static dyn Engine] {
        self.cx.engines
    }

    /// A robot over a store.
    pub fn new(
        mut store: Store,
        identity: Sender,
        gm: String,
        limits: Limits,
        engines: &'static [&'static dyn Engine],
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        store.set_bounce_limit(limits.bounce_limit);
        let cx = Context::new(identity, gm, limits, engines, clock, entropy);
        Self {
            store,
            cx,
            shared: false,
            judges: Vec::new(),
            spared: BTreeSet::new(),
            spent: limits::Spent::default(),
            waits: BTreeMap::new(),
        }
    }

    /// This instant, by the robot's clock.
    pub fn now(&self) -> jiff::Timestamp {
        self.cx.now()
    }

    /// The games, to read.
    pub fn games(&self) -> Games<'_> {
        Games::new(&self.cx, &self.store)
    }

    /// The writer of its mails.
    pub fn mailer(&self) -> Mailer<'_> {
        Mailer::new(&self.cx, &self.store)
    }

    /// Opens a running game; it is loaded once per turn.
    ///
    /// # Errors
    /// [`RobotError::Engine`] when this program can't open it.
    pub fn open(&self, game: &Game) -> Result<Arc<dyn Match>> {
        Games::new(&self.cx, &self.store).open(game)
    }

    /// Does one unit of work of the game master, without a row in the record. A game whose engine
    /// fails in it is suspended.
    ///
    /// # Errors
    /// The error of `work`; nothing is changed then.
    pub fn as_game_master<T>(&mut self, mut work: impl FnMut(&Gm) -> Result<T>) -> Result<T> {
        let (cx, store) = (&self.cx, &mut self.store);
        let done = catch_unwind(AssertUnwindSafe(|| store.write(|tx| work(&Gm::new(cx, tx)))));
        let Ok(done) = done else {
            return refuse("the program failed inside; nothing was done, see the log");
        };
        if let Err(RobotError::Engine(game, why)) = &done {
            self.suspend(game, why)?;
        }
        done
    }

    /// Does one action of the game master, and says in a few sentences what was done.
    ///
    /// # Errors
    /// [`RobotError::Refused`] says what is wrong; nothing is changed then.
    pub fn act(&mut self, by: By, action: &dyn GmAction) -> Result<String> {
        let said = self.as_game_master(|gm| gm.act(by, action))?;
        if let Some(game) = action.runs() {
            self.go_on(game);
        }
        Ok(said)
    }

    /// Notes that the game master looked at positions; see [`Gm::looked`].
    ///
    /// # Errors
    /// As [`Gm::looked`].
    pub fn looked(
        &mut self,
        by: By,
        game: Option<&str>,
        sight: gm::Sight,
        what: &str,
    ) -> Result<()> {
        self.as_game_master(|gm| gm.looked(by, game, sight, what))
    }

    /// Makes a game that players can join.
    ///
    /// # Errors
    /// [`RobotError::Refused`] says what is wrong and what to write.
    pub fn new_game(&mut self, new: NewGame) -> Result<()> {
        self.as_game_master(|gm| gm.new_game(new.clone()))
    }

    /// Gives a seat to a player and returns the password of that seat.
    ///
    /// # Errors
    /// [`RobotError::Refused`] says what is wrong and what to write.
    pub fn add_seat(&mut self, new: &NewSeat) -> Result<String> {
        self.as_game_master(|gm| gm.add_player(new))
    }

    /// Gives a free seat to a computer player.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when there is no such seat or it is taken.
    pub fn add_computer(&mut self, code: &str, seat: Seat) -> Result<()> {
        self.as_game_master(|gm| gm.add_computer(code, seat))
    }

    /// Enters a payment for printouts, and returns the new credit of the seat.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when the seat has no player.
    pub fn add_credit(&mut self, code: &str, seat: Seat, amount: i64, why: &str) -> Result<i64> {
        self.as_game_master(|gm| gm.add_credit(code, seat, amount, why))
    }

    /// Changes a term of a game, or a part of its calendar.
    ///
    /// # Errors
    /// [`RobotError::Refused`] names the term and the right form.
    pub fn set_term(&mut self, code: &str, name: &str, value: &str) -> Result<()> {
        self.as_game_master(|gm| gm.set_term(code, name, value))
    }

    /// Starts a game: makes its world, mails the first printouts, and runs the steps that
    /// follow at once.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when it runs already, or has free seats and `with_free` is false.
    pub fn start(&mut self, code: &str, deadline: Option<&str>, with_free: bool) -> Result<()> {
        self.as_game_master(|gm| gm.start(code, deadline, with_free))?;
        self.go_on(code);
        Ok(())
    }

    /// Stops a running game and tells the game master, once.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn suspend(&mut self, game: &str, why: &str) -> Result<()> {
        let cx = &self.cx;
        self.store.write(|tx| suspend::suspend(cx, tx, game, why))
    }

    /// Recomputes every turn of a game from its journal and compares hashes; see
    /// [`replay::replay`].
    ///
    /// # Errors
    /// [`RobotError`] when the journal can't be read.
    pub fn replay(&self, code: &str, progress: impl FnMut(Turn)) -> Result<Vec<Replayed>> {
        replay::replay(&self.cx, &self.store, code, progress)
    }

    /// Notes whether a server removes results that others wrote in its name. Only if it does, its
    /// own results may be below a Received field.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn note_stripped(&mut self, server: &str, strips: bool) -> Result<()> {
        Ok(self.store.write(|tx| verdict::senders::note_strips(tx, server, strips))?)
    }

    /// Forgets the raw bytes of mails that are older than the config allows.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn forget_old_mails(&mut self) -> Result<usize> {
        let mut forgotten = 0;
        loop {
            let (raw, more) = self.forget_some_mails()?;
            forgotten += raw;
            if !more {
                return Ok(forgotten);
            }
        }
    }

    /// Forgets the raw bytes of a few such mails, so that nobody waits for long; also returns
    /// whether there may be more.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn forget_some_mails(&mut self) -> Result<(usize, bool)> {
        let days = self.cx.limits.keep_raw_days.clamp(0, 36_500);
        let age = jiff::SignedDuration::from_hours(24 * days);
        let before = self.cx.now() - age;
        let (forgotten, more) =
            self.store.write(|tx| tx.mails().forget_raw(before, FORGOTTEN_AT_ONCE))?;
        if forgotten > 0 {
            tracing::info!(forgotten, "raw mails forgotten");
        }
        let left = shred_some_passwords(self)?;
        Ok((forgotten, more || left))
    }
}

/// Shreds the login passwords in some of the mails that older versions of this program stored with
/// them; returns whether there may be more. New mails are stored without them.
fn shred_some_passwords(robot: &mut Robot) -> Result<bool> {
    let done = robot.store.note(SHREDDED)?.and_then(|n| n.parse::<i64>().ok()).unwrap_or(0);
    let mails = robot.store.mails().kept_behind(done, SHREDDED_AT_ONCE)?;
    let Some((last, _)) = mails.last() else { return Ok(false) };
    let mut kept = Vec::new();
    for (id, bytes) in &mails {
        // A mail that can't be taken apart was not a card either.
        if let Ok(Ok(parsed)) = robot.cx.reader.read(bytes) {
            kept.extend(mail::shred::without_passwords(&parsed).map(|kept| (*id, kept)));
        }
    }
    let last = last.to_string();
    robot.store.write(|tx| {
        kept.iter().try_for_each(|(id, kept)| tx.mails().shred(*id, kept))?;
        tx.set_note(SHREDDED, &last)
    })?;
    if !kept.is_empty() {
        tracing::info!(mails = kept.len(), "passwords of old mails shredded");
    }
    Ok(mails.len() as u32 == SHREDDED_AT_ONCE)
}
