//! When each game must be looked at next. Triggers of the database set this to "at once" whenever
//! anybody changes a game; whoever looks at a game then writes the time of its next look. So the
//! cost of a round depends on the work to do, not on the number of games.

use jiff::Timestamp;

use super::db::{Row, params};
use super::games::{game, select};
use super::words::sql::*;
use super::{Game, Reader, Result, Status, Tx, ms, time};

/// A game that is to be looked at.
#[derive(Debug, Clone)]
pub struct Look {
    /// The game as it is.
    pub game: Game,
    /// A number that changes with every change of the game.
    pub stamp: i64,
    /// Since when it is to be looked at; the beginning of time: since its last change.
    pub at: Timestamp,
}

impl Reader {
    /// Games that have changed since the last look, or whose time has come, by code.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it; so for every method here.
    pub fn to_look_at(&self, now: Timestamp) -> Result<Vec<Look>> {
        // The stamp is read first, so the next look sees any change in between.
        let sql = "SELECT game, stamp, at FROM look WHERE at <= $1 ORDER BY game";
        let row = |r: &Row| Ok((r.get(0)?, r.get(1)?, time(r.get(2)?)));
        let stamps: Vec<(String, i64, Timestamp)> = self.db.all(sql, params![ms(now)], row)?;
        let one = format!("{} WHERE code = $1", select());
        let mut looks = Vec::new();
        for (code, stamp, at) in stamps {
            let game = self.db.first(&one, params![code], game)?;
            looks.extend(game.map(|game| Look { game, stamp, at }));
        }
        Ok(looks)
    }

    /// When the next game is to be looked at; the beginning of time: one has changed.
    pub fn next_look(&self) -> Result<Option<Timestamp>> {
        let at: Option<i64> = self.db.one("SELECT min(at) FROM look", params![], |r| r.get(0))?;
        Ok(at.filter(|at| *at < NEVER).map(time))
    }

    /// Whether the deadline of a running game is over.
    pub fn is_any_due(&self, now: Timestamp) -> Result<bool> {
        let sql = &format!(
            "SELECT 1 FROM look JOIN game ON game.code = look.game
             JOIN step ON step.game = game.code AND step.number = game.turn
             WHERE look.at <= $1 AND status = '{RUNNING}' AND due_at <= $1"
        );
        self.db.exists(sql, params![ms(now)])
    }

    /// Games with a status, by code.
    pub fn games_that_are(&self, status: Status) -> Result<Vec<Game>> {
        let sql = format!("{} WHERE status = $1 ORDER BY code", select());
        self.db.all(&sql, params![status.as_str()], game)
    }
}

impl Tx<'_> {
    /// Writes when each of these games is to be looked at next; `None`: after its next change.
    /// Games that have changed since they were read stay due at once.
    pub fn looked(&self, looks: &[(String, i64, Option<Timestamp>)]) -> Result<()> {
        let sql = "UPDATE look SET at = $3 WHERE game = $1 AND stamp = $2";
        for (game, stamp, at) in looks {
            // 0 marks a game that has changed.
            let at = at.map_or(NEVER, |at| ms(at).max(1));
            self.db.exec(sql, params![game, stamp, at])?;
        }
        Ok(())
    }
}

/// The time in milliseconds that marks a game that only waits for a change.
const NEVER: i64 = i64::MAX;
