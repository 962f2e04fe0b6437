//! Lists for the game master and for public pages, without states and texts.

use jiff::Timestamp;

use super::db::params;
use super::overview::{MailSummary, OutboxSummary, QUEUED, mail, queued};
use super::words::sql::*;
use super::{Reader, Result, time};
use engine::Turn;

/// A turn that ran, without its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalSummary {
    /// 0 is the making of the game.
    pub turn: Turn,
    /// When it ran.
    pub ran_at: Timestamp,
    /// Number of cards that it was made from, including those of computers.
    pub cards: u32,
    /// SHA-256 of state, events and dice, in hexadecimal.
    pub hash: String,
    /// Seed of its dice.
    pub seed: u64,
}

impl Reader {
    /// The turns of a game that ran, newest first, without their states.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it; so for every method here.
    pub fn journal_summary(&self, code: &str) -> Result<Vec<JournalSummary>> {
        let sql = "SELECT turn, seed, card_count AS cards, hash, ran_at FROM turn
                   WHERE game = $1 ORDER BY turn DESC";
        self.db.all(sql, params![code], |r| {
            Ok(JournalSummary {
                turn: r.get("turn")?,
                ran_at: time(r.get("ran_at")?),
                cards: r.get("cards")?,
                hash: r.get("hash")?,
                seed: r.get::<_, i64>("seed")?.cast_unsigned(),
            })
        })
    }

    /// Mails with a number below `id`, newest first.
    pub fn mails_before(&self, id: i64, limit: u32) -> Result<Vec<MailSummary>> {
        let sql = "SELECT id, received_at, verdict, reason, game, seat FROM mail
                   WHERE id < $1 ORDER BY id DESC LIMIT $2";
        self.db.all(sql, params![id, limit], mail)
    }

    /// Our mails that have not left, oldest first.
    pub fn queue(&self, limit: u32) -> Result<Vec<OutboxSummary>> {
        let sql =
            &format!("{QUEUED} WHERE state IN ('{WAITING}', '{DRAWING}') ORDER BY id LIMIT $1");
        self.db.all(sql, params![limit], queued)
    }

    /// The newest turns of all games except practice games, newest first: game, turn, when it ran.
    pub fn newest_turns(&self, limit: u32) -> Result<Vec<(String, Turn, Timestamp)>> {
        // Sorted by an index on the time, which comes after the state in a row.
        let sql = "SELECT game, turn, ran_at FROM turn WHERE game NOT IN
                   (SELECT code FROM game WHERE terms LIKE '%\"practice\":true%')
                   ORDER BY ran_at DESC, game, turn DESC LIMIT $1";
        self.db.all(sql, params![limit], |r| Ok((r.get(0)?, r.get(1)?, time(r.get(2)?))))
    }

    /// When each game was made, by code.
    pub fn made_at(&self) -> Result<Vec<(String, Timestamp)>> {
        let sql = "SELECT code, created_at FROM game ORDER BY code";
        self.db.all(sql, params![], |r| Ok((r.get(0)?, time(r.get(1)?))))
    }
}
