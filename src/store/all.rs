//! All games, read once and anew only when something was committed since.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Game, Result, Store};

/// The games as they were at some moment of the store.
pub(super) struct AllGames {
    /// Changes with every commit of another connection.
    others: i64,
    /// Rows that this connection ever changed.
    own: u64,
    games: Arc<[Game]>,
}

impl Store {
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
        let sql = "PRAGMA data_version";
        let others: i64 = self.conn.prepare_cached(sql)?.query_row([], |r| r.get(0))?;
        let own = self.conn.total_changes();
        let mut kept = self.all.borrow_mut();
        if let Some(all) = kept.as_ref().filter(|all| (all.others, all.own) == (others, own)) {
            return Ok(Arc::clone(&all.games));
        }
        // Read after the numbers: a commit in between is noticed by the next look.
        let games: Arc<[Game]> = self.games()?.into();
        *kept = Some(AllGames { others, own, games: Arc::clone(&games) });
        Ok(games)
    }

    /// Codes of games that somebody waits for a seat in.
    pub fn waited_for(&self) -> Result<BTreeSet<String>> {
        let mut query = self.conn.prepare_cached("SELECT DISTINCT game FROM waiting")?;
        let rows = query.query_map([], |r| r.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
