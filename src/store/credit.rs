//! The ledger of turn fees: what was paid in, and which printouts it paid for.

use jiff::Timestamp;

use super::db::{Db, Row, params};
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
        let sql = "SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM credit WHERE game = $1 AND seat = $2";
        self.db.one(sql, params![game, seat.0], |r| r.get(0))
    }

    /// Whether the printout of a turn has been paid.
    pub fn is_paid(&self, game: &str, seat: Seat, turn: Turn) -> Result<bool> {
        let sql = "SELECT 1 FROM credit WHERE game = $1 AND seat = $2 AND turn = $3";
        self.db.exists(sql, params![game, seat.0, turn])
    }

    /// A seat's ledger, oldest entry first.
    pub fn ledger(&self, game: &str, seat: Seat) -> Result<Vec<Entry>> {
        let sql =
            "SELECT amount, why, turn, at FROM credit WHERE game = $1 AND seat = $2 ORDER BY id";
        let row = |r: &Row| {
            let at = time(r.get("at")?);
            Ok(Entry { amount: r.get("amount")?, why: r.get("why")?, turn: r.get("turn")?, at })
        };
        self.db.all(sql, params![game, seat.0], row)
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
        let tx = &self.db;
        entries.iter().try_for_each(|e| enter(tx, game, seat, e))?;
        mails.iter().try_for_each(|m| enqueue(tx, m, None, now))
    }
}

/// Writes one entry.
pub(super) fn enter(tx: &Db, game: &str, seat: Seat, entry: &Entry) -> Result<()> {
    let sql = "INSERT INTO credit (game, seat, amount, why, turn, at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let Entry { amount, why, turn, at } = entry;
    tx.exec(sql, params![game, seat.0, amount, why, turn, ms(*at)])?;
    Ok(())
}
