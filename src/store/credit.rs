//! The ledger of turn fees: what was paid in, and which printouts it paid for.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::outbox::{QueuedMail, enqueue};
use super::{Reader, Result, Tx, ms, time};
use engine::{Seat, Turn};

/// One entry of a seat's ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Credits; fees are negative.
    pub amount: i64,
    /// Reason for the entry, as text.
    pub why: String,
    /// The turn whose printout a fee paid.
    pub turn: Option<Turn>,
    /// When it was entered.
    pub at: Timestamp,
}

impl Reader {
    /// What a seat has left.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it; so for every method here.
    pub fn credit(&self, game: &str, seat: Seat) -> Result<i64> {
        let sql = "SELECT coalesce(sum(amount), 0) FROM credit WHERE game = ?1 AND seat = ?2";
        Ok(self.conn.prepare_cached(sql)?.query_row(params![game, seat.0], |r| r.get(0))?)
    }

    /// Whether the printout of a turn has been paid.
    pub fn is_paid(&self, game: &str, seat: Seat, turn: Turn) -> Result<bool> {
        let sql = "SELECT 1 FROM credit WHERE game = ?1 AND seat = ?2 AND turn = ?3";
        let found =
            self.conn.prepare_cached(sql)?.query_row(params![game, seat.0, turn], |_| Ok(()));
        Ok(found.optional()?.is_some())
    }

    /// A seat's ledger, oldest entry first.
    pub fn ledger(&self, game: &str, seat: Seat) -> Result<Vec<Entry>> {
        let sql =
            "SELECT amount, why, turn, at FROM credit WHERE game = ?1 AND seat = ?2 ORDER BY id";
        let row = |r: &Row| {
            let at = time(r.get("at")?);
            Ok(Entry { amount: r.get("amount")?, why: r.get("why")?, turn: r.get("turn")?, at })
        };
        let mut query = self.conn.prepare_cached(sql)?;
        let rows = query.query_map(params![game, seat.0], row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

impl Tx<'_> {
    /// Enters a payment, and with it the fee and the mails that it sets free.
    pub fn pay(
        &self,
        game: &str,
        seat: Seat,
        entries: &[Entry],
        mails: &[QueuedMail],
        now: Timestamp,
    ) -> Result<()> {
        let tx = &self.conn;
        entries.iter().try_for_each(|e| enter(tx, game, seat, e))?;
        mails.iter().try_for_each(|m| enqueue(tx, m, None, now))
    }
}

/// Writes one entry.
pub(super) fn enter(tx: &Connection, game: &str, seat: Seat, entry: &Entry) -> Result<()> {
    let sql = "INSERT INTO credit (game, seat, amount, why, turn, at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let Entry { amount, why, turn, at } = entry;
    tx.prepare_cached(sql)?.execute(params![game, seat.0, amount, why, turn, ms(*at)])?;
    Ok(())
}
