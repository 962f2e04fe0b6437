//! All games, read once and anew only when something was committed since.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::db::params;
use super::words::sql::*;
use super::{Game, Reader, Result};

/// The games as they were at some moment of the store.
pub(super) struct AllGames {
    /// Changes with every commit.
    version: String,
    games: Arc<[Game]>,
    /// Codes of running games of which no step needs to wait, but for people who are away.
    settled: Arc<[String]>,
}

/// All games, and the codes of those that may be settled.
type Look = (Arc<[Game]>, Arc<[String]>);

impl Reader {
    /// Every game by code. Looks between which nothing was committed, by whomever, share
    /// one reading: a thousand games are looked through several times a round.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it; so for every method here.
    pub fn all_games(&self) -> Result<Arc<[Game]>> {
        if self.in_commit() {
            // What is not committed may be taken back.
            return Ok(self.games()?.into());
        }
        Ok(self.look()?.0)
    }

    /// Codes of running games whose open step may need to wait for nobody: no person is awaited
    /// who is neither done nor on vacation. What is sure about them is for the caller to see.
    pub fn maybe_settled(&self) -> Result<Arc<[String]>> {
        match self.in_commit() {
            true => Ok(self.settled()?.into()),
            false => Ok(self.look()?.1),
        }
    }

    fn look(&self) -> Result<Look> {
        let version = self.db.link().version()?;
        let mut kept = self.all.borrow_mut();
        if let Some(all) = kept.as_ref().filter(|all| all.version == version) {
            return Ok((Arc::clone(&all.games), Arc::clone(&all.settled)));
        }
        // Read after the version: a commit in between is noticed by the next look.
        let games: Arc<[Game]> = self.games()?.into();
        let settled: Arc<[String]> = self.settled()?.into();
        let answer = (Arc::clone(&games), Arc::clone(&settled));
        *kept = Some(AllGames { version, games, settled });
        Ok(answer)
    }

    fn settled(&self) -> Result<Vec<String>> {
        let sql = &format!(
            "SELECT g.code FROM game g JOIN step s ON s.game = g.code AND s.number = g.turn
             WHERE g.status = '{RUNNING}' AND NOT EXISTS (
               SELECT 1 FROM seat x WHERE x.game = g.code
               AND x.computer = 0 AND x.resigned = 0 AND x.away_from IS NULL
               AND x.ready <> g.turn
               AND replace(replace(s.awaited, '[', ','), ']', ',') LIKE '%,' || x.seat || ',%'
               AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.game = g.code
                 AND o.seat = x.seat AND o.turn = g.turn AND o.done = 1))"
        );
        self.db.all(sql, params![], |r| r.get(0))
    }

    /// Codes of games that somebody waits for a seat in.
    pub fn waited_for(&self) -> Result<BTreeSet<String>> {
        self.db.all("SELECT DISTINCT game FROM waiting", params![], |r| r.get(0))
    }
}
