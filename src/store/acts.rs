//! The record of what the game master did.

use jiff::Timestamp;

use super::db::{Row, params};
use super::words::TAKEN_BACK;
use super::words::sql::*;
use super::{Reader, Reason, Result, StoreError, Tx, Verdict, ms, time};
use engine::Seat;

/// One act in the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActRow {
    /// The number by which it is undone.
    pub id: i64,
    /// When it was done.
    pub at: Timestamp,
    /// `shell`, `mail` or `dashboard`.
    pub by: String,
    /// `None`: it was about the host.
    pub game: Option<String>,
    /// Fixed word, such as `hold`.
    pub kind: String,
    /// What was done, without addresses.
    pub what: String,
    /// JSON of what undoes it; empty: nothing can.
    pub back: String,
    /// The act that undid it.
    pub undone_by: Option<i64>,
}

impl ActRow {
    /// Whether it may be undone, as far as the record knows.
    pub fn can_be_undone(&self) -> bool {
        !self.back.is_empty() && self.undone_by.is_none()
    }
}

/// An act that is to be recorded.
#[derive(Debug, Clone)]
pub struct NewAct<'a> {
    /// When it was done.
    pub at: Timestamp,
    /// `shell`, `mail` or `dashboard`.
    pub by: &'a str,
    /// Code of the game; `None`: it is about the host.
    pub game: Option<&'a str>,
    /// Fixed word, such as `hold`.
    pub kind: &'a str,
    /// What was done, in one sentence without addresses.
    pub what: &'a str,
    /// JSON of what undoes it; empty: nothing can.
    pub back: &'a str,
}

fn act(row: &Row) -> Result<ActRow> {
    Ok(ActRow {
        id: row.get("id")?,
        at: time(row.get("at")?),
        by: row.get("by")?,
        game: row.get("game")?,
        kind: row.get("kind")?,
        what: row.get("what")?,
        back: row.get("back")?,
        undone_by: row.get("undone_by")?,
    })
}

impl Reader {
    /// One act.
    pub fn act(&self, id: i64) -> Result<Option<ActRow>> {
        let sql = "SELECT * FROM act WHERE id = $1";
        self.db.first(sql, params![id], act)
    }

    /// The newest acts, of one game or of all, newest first.
    pub fn acts(&self, game: Option<&str>, limit: u32) -> Result<Vec<ActRow>> {
        let sql = "SELECT * FROM act WHERE CAST($1 AS TEXT) IS NULL OR game = $1 ORDER BY id DESC LIMIT $2";
        self.db.all(sql, params![game, limit], act)
    }

    /// How often somebody looked at positions of a game since it began, by the kind of the act, and
    /// how often a seat of it was given by hand. Copies of the whole store count too.
    pub fn looks(&self, game: &str) -> Result<Vec<(String, u32)>> {
        let sql = "SELECT kind, count(*) FROM act
                   WHERE (game = $1 OR game IS NULL) AND (kind LIKE 'look-%' OR kind = 'seat')
                   AND at >= (SELECT ran_at FROM turn WHERE game = $1 AND turn = 0)
                   GROUP BY kind ORDER BY kind";
        self.db.all(sql, params![game], |r| Ok((r.get(0)?, r.get(1)?)))
    }

    /// Whether a seat's printout of a turn may have left already.
    pub fn printed(&self, game: &str, seat: Seat, turn: engine::Turn) -> Result<bool> {
        let sql = &format!(
            "SELECT 1 FROM outbox WHERE game = $1 AND seat = $2 AND turn = $3
             AND kind = '{PRINTOUT}' AND attempts > 0"
        );
        self.db.exists(sql, params![game, seat.0, turn])
    }
}

impl Tx<'_> {
    /// Records an act and gives its number.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it; so for every method here.
    pub fn record_act(&self, new: &NewAct) -> Result<i64> {
        let sql = "INSERT INTO act (at, by, game, kind, what, back) VALUES ($1, $2, $3, $4, $5, $6)
                   RETURNING id";
        let row = params![ms(new.at), new.by, new.game, new.kind, new.what, new.back];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// Notes which act undid another.
    pub fn mark_undone(&self, id: i64, by: i64) -> Result<()> {
        let sql = "UPDATE act SET undone_by = $2, back = '' WHERE id = $1 AND undone_by IS NULL";
        match self.db.exec(sql, params![id, by])? {
            0 => Err(StoreError::Data(format!("act {id} was undone by somebody else just now"))),
            _ => Ok(()),
        }
    }

    /// Withdraws what a seat sent since an instant, for a turn and later ones: orders, seals,
    /// votes, pending cards.
    pub fn forget_orders(
        &self,
        (game, seat, turn): (&str, Seat, engine::Turn),
        since: Timestamp,
    ) -> Result<()> {
        let tx = &self.db;
        for sql in [
            "DELETE FROM seal WHERE game = $1 AND seat = $2 AND turn >= $3 AND EXISTS
             (SELECT 1 FROM orders o WHERE o.game = $1 AND o.seat = $2 AND o.turn = seal.turn
              AND o.received_at >= $4)",
            "DELETE FROM orders WHERE game = $1 AND seat = $2 AND turn >= $3
             AND received_at >= $4 AND mail IS NOT NULL",
        ] {
            tx.exec(sql, params![game, seat.0, turn, ms(since)])?;
        }
        let sql = "DELETE FROM vote WHERE game = $1 AND seat = $2 AND turn >= $3";
        tx.exec(sql, params![game, seat.0, turn])?;
        let sql = "UPDATE pending SET used = 1 WHERE game = $1 AND seat = $2 AND EXISTS
                   (SELECT 1 FROM mail m WHERE m.id = pending.mail AND m.received_at >= $3)";
        tx.exec(sql, params![game, seat.0, ms(since)])?;
        Ok(())
    }

    /// Empties a seat, as if it had never been given.
    pub fn empty_seat(&self, game: &str, seat: Seat) -> Result<()> {
        let sql = "DELETE FROM seat WHERE game = $1 AND seat = $2";
        self.db.exec(sql, params![game, seat.0])?;
        Ok(())
    }

    /// Withdraws mails that have not left yet; gives their number.
    pub fn withdraw(&self, message_ids: &[String]) -> Result<usize> {
        let sql = &format!(
            "UPDATE outbox SET state = '{FAILED}', last_error = '{TAKEN_BACK}'
             WHERE message_id = $1 AND state IN ('{WAITING}', '{SUPPRESSED}')
             AND attempts = 0"
        );
        message_ids.iter().try_fold(0, |n, id| Ok(n + self.db.exec(sql, params![id])?))
    }

    /// Puts a discarded mail back into quarantine.
    pub fn quarantine_again(&self, id: i64, verdict: Verdict, reason: Reason) -> Result<bool> {
        let tx = &self.db;
        tx.exec("UPDATE pending SET used = 0 WHERE mail = $1", params![id])?;
        let sql = &format!(
            "UPDATE mail SET verdict = $2, reason = $3
             WHERE id = $1 AND verdict = '{IGNORED}' AND reason = '{DISCARDED}'"
        );
        Ok(tx.exec(sql, params![id, verdict, reason])? > 0)
    }
}
