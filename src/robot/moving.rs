//! Moves a game from host to host: exports it as a file, imports it with its journal recomputed,
//! and lets it go on with a printout that its players can answer.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;

use crate::Robot;
use crate::context::{Result, RobotError, refuse};
use crate::games::Games;
use crate::games::code_can_be;
use crate::mailer::Mailer;
use crate::text::{name_fault, plain_name};
use engine::Turn;
use store::{Export, FILE, Game, Moved, QueuedMail, SeatChange, SeatRow, Status, Store, copy};
use tongue::say;

/// Why a game is suspended whose export began and did not end.
const LEAVES: &str = "its export was cut short; export it again with --hold, or release it";
/// Why an exported game is suspended.
const EXPORTED: &str = "exported; release it only if it does not go on at another host";

/// The result of an export.
#[derive(Debug, Clone)]
pub struct Exported {
    /// The game as it stands here.
    pub game: Game,
    /// Number of its seats that have a record.
    pub seats: usize,
    /// Mails of the game that this host has still to send.
    pub unsent: u32,
    /// The game is suspended here from now on, and its players know.
    pub suspended: bool,
}

/// The result of an import.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The game as it stands here.
    pub game: Game,
    /// Number of its seats that have a record.
    pub seats: usize,
    /// Turns that were recomputed.
    pub turns: usize,
    /// What the file says about its export.
    pub export: Export,
    /// What is noted of it until it is released.
    pub moved: Moved,
}

impl Robot {
    /// Writes one game into a new file. With `hold`, the game is first suspended here, and its
    /// players are informed that it moves.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when the game has not started. If the file can't be written, the
    /// game is as it was, and the caller removes what is at `to`.
    pub fn export_game(&mut self, code: &str, to: &Path, hold: bool) -> Result<Exported> {
        let game = self.game(code)?;
        if game.status == Status::Open {
            return refuse(format!(
                "game {} has not started, so it has nothing to take along; make it on the other \
                 host with \"fieldpost game new\"",
                game.code
            ));
        }
        let stopped = hold && self.store.write(|tx| tx.suspend(&game.code, LEAVES))?;
        let now = self.cx.now();
        let about = Export {
            code: game.code.clone(),
            at: now,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            host: host_mark(self, &game.code),
        };
        let unsent = self.store.outbox().waiting_of(&game.code)?;
        if let Err(e) = self.store.export_game(&about, to) {
            if stopped {
                self.store.write(|tx| tx.release(&game.code))?;
            }
            return Err(e.into());
        }
        let waits = hold && game.status == Status::Suspended && game.suspended_why != EXPORTED;
        if stopped || waits {
            let mails = mails_of_the_export(self, &game, now)?;
            self.store.write(|tx| {
                tx.suspended_because(&game.code, EXPORTED)?;
                tx.outbox().post(&mails, now)
            })?;
        }
        let (game, seats) = (self.game(code)?, self.store.games().seats(&game.code)?.len());
        let suspended = game.status != Status::Running;
        tracing::info!(game = game.code, suspended, "game exported");
        Ok(Exported { game, seats, unsent, suspended })
    }

    /// Imports a game from a file, under `code` or its own code; it is suspended. Recomputes its
    /// whole journal before anything is kept.
    ///
    /// # Errors
    /// [`RobotError::Refused`] says what is wrong with the file; nothing is kept then.
    pub fn import_game(&mut self, file: &Path, code: Option<&str>) -> Result<Imported> {
        let found = copy::inspect(file, true)?;
        let shown = file.display();
        if !found.is_export {
            return refuse(format!(
                "{shown} is a copy of a whole host; \"fieldpost restore\" puts it back"
            ));
        }
        if found.games != 1 {
            return refuse(format!("{shown} holds {} games; a file has one", found.games));
        }
        let scratch = ScratchFolder::beside(&self.store, self.cx.word())?;
        scratch.take(file)?;
        let store = Store::open(&scratch.0, self.cx.entropy.as_ref())?;
        let export = store.export_note()?;
        let mut there = beside(self, store);
        let game = there.game(&export.code)?;
        let code = free_code(self, code.unwrap_or(&game.code))?;
        let turns = recomputed(self, &mut there, &game)?;
        let seats = there.store.games().seats(&game.code)?.len();
        // Its file is whole again once nobody has it open.
        drop(there);
        let moved = Moved {
            same: code == game.code && export.host == host_mark(self, &code),
            was: game.code,
        };
        self.store.import_game(&scratch.0.join(FILE), &code, &moved)?;
        tracing::info!(game = code, turns, "game imported");
        Ok(Imported { game: self.game(&code)?, seats, turns, export, moved })
    }
}

fn mails_of_the_export(robot: &Robot, game: &Game, now: Timestamp) -> Result<Vec<QueuedMail>> {
    let game = Game { deadline: None, ..game.clone() };
    let words = || {
        let text = say!(
            "Game {game} moves to another robot. What you have on file goes along. Orders that \
             you send here from now on do not: wait for the mail of the new robot, and answer \
             that.",
            game = game.code
        );
        (say!("the game moves"), text)
    };
    let id_key = format!("exported {now}");
    let mailer = Mailer::new(&robot.cx, &robot.store);
    mailer.tell_all(&game, None, &words, &id_key, now)
}

/// A mark that is the same for one host and game, and reveals nothing else.
fn host_mark(robot: &Robot, code: &str) -> String {
    robot.store.key().message(&["export", code])
}

/// A robot like this one over another store.
fn beside(robot: &Robot, store: Store) -> Robot {
    let cx = &robot.cx;
    let (identity, gm) = (cx.identity.clone(), cx.gm.clone());
    let (clock, entropy) = (Arc::clone(&cx.clock), Arc::clone(&cx.entropy));
    Robot::new(store, identity, gm, cx.limits.clone(), cx.engines, clock, entropy)
}

fn free_code(robot: &Robot, code: &str) -> Result<String> {
    code_can_be(code)?;
    match robot.store.games().game(code)? {
        None => Ok(code.to_uppercase()),
        Some(taken) => refuse(format!(
            "there is a game {} here already; import this one under another code: --as CODE",
            taken.code
        )),
    }
}

/// Plays a journal again and returns the number of turns. The journal must be complete, and give
/// the same results.
fn recomputed(robot: &Robot, there: &mut Robot, game: &Game) -> Result<usize> {
    let engine = Games::new(&robot.cx, &robot.store).engine(&game.engine)?;
    let (theirs, ours) = (game.rules_version, engine.rules_version());
    if !engine.plays(theirs) {
        return refuse(format!(
            "game {} was begun with rules version {theirs} of {}, and this program has \
             {ours}; the same cards would not give the same turns, so it must be played to \
             its end by a program of that version",
            game.code,
            engine.title()
        ));
    }
    let tampered = |why: &str| {
        refuse(format!(
            "the journal of game {} {why}: the file was changed or the game was run by another \
             program; nothing was kept",
            game.code
        ))
    };
    // A state that was tampered with may break the engine.
    let replayed = catch_unwind(AssertUnwindSafe(|| there.replay(&game.code, |_| {})));
    let Ok(replayed) = replayed else { return tampered("can't be played again") };
    let replayed = replayed?;
    if let Some(wrong) = replayed.iter().find(|t| !t.same) {
        return tampered(&format!("comes out differently in step {}", wrong.turn));
    }
    let last = game.turn.saturating_sub(1);
    let whole = (0..=last).eq(replayed.iter().map(|t| t.turn)) && game.turn > 0;
    if !whole {
        return tampered("has not every step");
    }
    readable(there, game)?;
    Ok(last as usize)
}

/// Cleans the names of seats, and removes those that this host would not allow.
fn rename(there: &mut Robot, code: &str) -> Result<()> {
    let seats = there.store.games().seats(code)?;
    for row in &seats {
        let name = plain_name(&row.name);
        let before: Vec<SeatRow> = seats.iter().filter(|s| s.seat < row.seat).cloned().collect();
        let name = match name_fault(&name, Some(row.seat), &before) {
            None => name,
            Some(_) => String::new(),
        };
        if name != row.name {
            let change = SeatChange::Name(name);
            there.store.write(|tx| tx.change_seat(code, row.seat, &change))?;
        }
    }
    Ok(())
}

/// Checks that the rows that nothing has read yet can be read.
fn readable(there: &mut Robot, game: &Game) -> Result<()> {
    let code = &game.code;
    for row in there.store.games().seats(code)? {
        if !(1..=game.setup.seats).contains(&row.seat.0) {
            return refuse(format!("game {code} has no seat {}", row.seat));
        }
        base::schedule::zone(&row.zone).or_else(|e| refuse(e.to_string()))?;
    }
    rename(there, code)?;
    game.rule.check().or_else(|e| refuse(e.to_string()))?;
    let ahead = |n: Turn| there.store.journal().cards(code, game.turn + n);
    (0..=3).try_for_each(|n| ahead(n).map(|_| ()))?;
    Ok(())
}

/// A temporary folder in which a file is tried; removed when it is dropped.
struct ScratchFolder(PathBuf);

impl ScratchFolder {
    fn beside(store: &Store, word: u64) -> Result<Self> {
        let name = format!("import-{word:016x}");
        let home = store.path();
        let folder = match home.as_os_str().is_empty() {
            true => std::env::temp_dir().join(name),
            false => home.with_file_name(name),
        };
        let made = fs::DirBuilder::new().mode(0o700).create(&folder);
        made.or_else(|e| refuse(format!("{}: {e}", folder.display())))?;
        Ok(Self(folder))
    }

    fn take(&self, file: &Path) -> Result<()> {
        let bad = |e: std::io::Error| RobotError::Refused(format!("{}: {e}", file.display()));
        let to = self.0.join(FILE);
        fs::copy(file, &to).map_err(bad)?;
        fs::set_permissions(&to, fs::Permissions::from_mode(0o600)).map_err(bad)
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        if let Err(e) = fs::remove_dir_all(&self.0) {
            tracing::warn!(error = %e, "a folder for imports is left behind");
        }
    }
}
