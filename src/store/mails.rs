//! Incoming mail: stored first, then judged in one commit with all effects.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::games::to_json;
use super::outbox::{QueuedMail, enqueue};
use super::{Result, Store, StoreError, ms, pack, time, unpack};
use crate::engine::{CardText, Seal, Seat, Turn};
use crate::mail::{Folder, RawMessage};

/// What the robot decided of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Did what it asked.
    Accepted,
    /// Waits for its registered sender's word.
    Held,
    /// Did nothing, and the sender was told.
    Rejected,
    /// Did nothing, silently, by rule.
    Ignored,
    /// Could not be read; kept for a person.
    Quarantined,
}

impl Verdict {
    /// Word in the store and in listings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Held => "held",
            Self::Rejected => "rejected",
            Self::Ignored => "ignored",
            Self::Quarantined => "quarantined",
        }
    }

    fn of(word: &str) -> Self {
        match word {
            "accepted" => Self::Accepted,
            "held" => Self::Held,
            "rejected" => Self::Rejected,
            "ignored" => Self::Ignored,
            _ => Self::Quarantined,
        }
    }

    /// Folder of the mailbox for this verdict.
    pub fn folder(self) -> Folder {
        match self {
            Self::Accepted => Folder::Accepted,
            Self::Held | Self::Quarantined => Folder::Quarantine,
            Self::Rejected => Folder::Rejected,
            Self::Ignored => Folder::Ignored,
        }
    }
}

/// A mail that was stored and waits for its verdict.
#[derive(Debug, Clone)]
pub struct StoredMail {
    pub id: i64,
    pub source: String,
    pub key: String,
    pub received_at: Timestamp,
    pub size: u64,
    /// Attempts to judge it, this one included.
    pub attempts: u32,
    pub bytes: Vec<u8>,
}

/// A mail with its verdict, for the game master.
#[derive(Debug, Clone)]
pub struct MailRow {
    pub id: i64,
    pub received_at: Timestamp,
    pub size: u64,
    pub verdict: Option<Verdict>,
    /// Fixed word.
    pub reason: String,
    /// Explanation for the game master.
    pub why: String,
    pub game: Option<String>,
    pub seat: Option<u8>,
    pub turn: Option<Turn>,
    pub sender: String,
}

/// A seat's orders for a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiledOrders {
    pub card: CardText,
    pub received_at: Timestamp,
    /// The mail that they came by; their receipt number.
    pub mail: Option<i64>,
}

/// One verdict with everything that it causes.
#[derive(Debug, Clone)]
pub struct Judged {
    pub verdict: Verdict,
    pub reason: &'static str,
    pub why: String,
    pub seat: Option<(String, Seat)>,
    pub turn: Option<Turn>,
    pub sender: String,
    /// Identity of the content; empty when it could not be read.
    pub digest: String,
    /// Orders that are on file from now on; an empty card withdraws them.
    pub orders: Option<CardText>,
    pub seals: Vec<(Seal, String)>,
    /// The language that the seat's messages come in from now on.
    pub language: Option<String>,
    /// A held mail that was confirmed by this one.
    pub confirms: Option<i64>,
    pub mails: Vec<QueuedMail>,
}

fn mail_row(row: &Row) -> rusqlite::Result<MailRow> {
    let verdict: Option<String> = row.get("verdict")?;
    Ok(MailRow {
        id: row.get("id")?,
        received_at: time(row.get("received_at")?),
        size: row.get::<_, i64>("size")?.cast_unsigned(),
        verdict: verdict.as_deref().map(Verdict::of),
        reason: row.get("reason")?,
        why: row.get("why")?,
        game: row.get("game")?,
        seat: row.get("seat")?,
        turn: row.get("turn")?,
        sender: row.get("sender")?,
    })
}

impl Store {
    /// Stores messages that are not stored yet: from here on they can't be lost.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; so for every method here.
    pub fn keep(&mut self, messages: &[RawMessage]) -> Result<()> {
        if messages.is_empty() {
            return Ok(());
        }
        let tx = self.write()?;
        for m in messages {
            let sql = "INSERT INTO mail (source, key, received_at, size, raw_z)
                       VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING";
            let size = m.size.cast_signed();
            tx.prepare_cached(sql)?.execute(params![
                m.source,
                m.key,
                ms(m.received_at),
                size,
                pack(&m.bytes)
            ])?;
        }
        Ok(tx.commit()?)
    }

    /// Whether a message is stored.
    pub fn is_kept(&self, source: &str, key: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM mail WHERE source = ?1 AND key = ?2";
        Ok(self.conn.prepare_cached(sql)?.exists([source, key])?)
    }

    /// Mails without a verdict, by time of receipt: id and attempts so far.
    pub fn unjudged(&self) -> Result<Vec<(i64, u32)>> {
        let sql = "SELECT id, attempts FROM mail WHERE verdict IS NULL ORDER BY received_at, id";
        let mut query = self.conn.prepare_cached(sql)?;
        let rows = query.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Takes an attempt back that failed for the store's sake, not the mail's.
    pub fn take_back_attempt(&mut self, id: i64) -> Result<()> {
        let sql = "UPDATE mail SET attempts = max(attempts - 1, 0)
                   WHERE id = ?1 AND verdict IS NULL";
        self.conn.execute(sql, [id])?;
        Ok(())
    }

    /// Counts the first attempt at all mails that had none, in one commit, before
    /// any of them is read.
    pub fn first_attempts(&mut self) -> Result<()> {
        let sql = "UPDATE mail SET attempts = 1 WHERE verdict IS NULL AND attempts = 0";
        self.conn.execute(sql, [])?;
        Ok(())
    }

    /// Counts one more attempt at a mail, in a commit of its own.
    pub fn next_attempt(&mut self, id: i64) -> Result<()> {
        self.conn.execute("UPDATE mail SET attempts = attempts + 1 WHERE id = ?1", [id])?;
        Ok(())
    }

    /// Begins a commit that holds the verdicts of several mails.
    pub fn begin(&mut self) -> Result<()> {
        Ok(self.conn.execute_batch("BEGIN IMMEDIATE")?)
    }

    /// Commits what [`Store::begin`] began; a failure takes all of it back.
    pub fn commit(&mut self) -> Result<()> {
        let done = self.conn.execute_batch("COMMIT");
        if done.is_err() {
            self.abandon();
        }
        Ok(done?)
    }

    /// Takes back what [`Store::begin`] began.
    pub fn abandon(&mut self) {
        // Without an open transaction there is nothing to take back.
        let _ = self.conn.execute_batch("ROLLBACK");
    }

    /// A mail that was stored and waits for its verdict.
    pub fn stored(&self, id: i64) -> Result<StoredMail> {
        let sql = "SELECT source, key, received_at, size, attempts, raw_z FROM mail WHERE id = ?1";
        let row = self.conn.prepare_cached(sql)?.query_row([id], |r| {
            let size: i64 = r.get(3)?;
            let mail = StoredMail {
                id,
                source: r.get(0)?,
                key: r.get(1)?,
                received_at: time(r.get(2)?),
                size: size.cast_unsigned(),
                attempts: r.get(4)?,
                bytes: Vec::new(),
            };
            Ok((mail, r.get::<_, Option<Vec<u8>>>(5)?.unwrap_or_default()))
        })?;
        Ok(StoredMail { bytes: unpack(&row.1)?, ..row.0 })
    }

    /// The raw bytes of a mail, as long as they are kept.
    pub fn raw(&self, id: i64) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT raw_z FROM mail WHERE id = ?1 AND raw_z IS NOT NULL";
        let found: Option<Vec<u8>> =
            self.conn.prepare_cached(sql)?.query_row([id], |r| r.get(0)).optional()?;
        found.map(|z| unpack(&z)).transpose()
    }

    /// Whether another mail with this content has a verdict already.
    pub fn is_repeat(&self, id: i64, digest: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM mail
                   WHERE digest = ?2 AND digest <> '' AND id <> ?1 AND verdict IS NOT NULL";
        Ok(self.conn.prepare_cached(sql)?.exists(params![id, digest])?)
    }

    /// Commits a verdict with all its effects.
    pub fn judge(&mut self, mail: &StoredMail, judged: &Judged, now: Timestamp) -> Result<()> {
        let tx = self.conn.savepoint()?;
        let (game, seat) = match &judged.seat {
            Some((game, seat)) => (Some(game), Some(seat.0)),
            None => (None, None),
        };
        let sql = "UPDATE mail SET verdict = ?2, reason = ?3, why = ?4, game = ?5, seat = ?6,
                   turn = ?7, sender = ?8, digest = ?9, judged_at = ?10
                   WHERE id = ?1 AND verdict IS NULL";
        let changed = tx.prepare_cached(sql)?.execute(params![
            mail.id,
            judged.verdict.word(),
            judged.reason,
            judged.why,
            game,
            seat,
            judged.turn,
            judged.sender,
            judged.digest,
            ms(now)
        ])?;
        if changed == 0 {
            // Another process was faster; its verdict stands, with its effects.
            return Ok(());
        }
        effects(&tx, mail, judged, now)?;
        Ok(tx.commit()?)
    }

    /// Mails of a source whose verdict is committed but whose move is not done.
    pub fn to_move(&self, source: &str) -> Result<Vec<(String, Folder)>> {
        let sql = "SELECT key, verdict FROM mail
                   WHERE verdict IS NOT NULL AND moved = 0 AND source = ?1";
        let mut query = self.conn.prepare_cached(sql)?;
        let row = |r: &Row| Ok((r.get(0)?, Verdict::of(&r.get::<_, String>(1)?).folder()));
        let rows = query.query_map([source], row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Notes that moves are done.
    pub fn moved(&mut self, source: &str, keys: &[(String, Folder)]) -> Result<()> {
        let tx = self.write()?;
        for (key, _) in keys {
            let sql = "UPDATE mail SET moved = 1 WHERE source = ?1 AND key = ?2";
            tx.prepare_cached(sql)?.execute([source, key.as_str()])?;
        }
        Ok(tx.commit()?)
    }

    /// The orders that a seat has on file for a turn.
    pub fn orders(&self, game: &str, seat: Seat, turn: Turn) -> Result<Option<FiledOrders>> {
        let sql = "SELECT card, received_at, mail FROM orders
                   WHERE game = ?1 AND seat = ?2 AND turn = ?3";
        let row = |r: &Row| Ok((r.get::<_, String>(0)?, r.get::<_, i64>(1)?, r.get(2)?));
        let found = self
            .conn
            .prepare_cached(sql)?
            .query_row(params![game, seat.0, turn], row)
            .optional()?;
        let Some((card, received_at, mail)) = found else { return Ok(None) };
        let card = serde_json::from_str(&card).map_err(|e| StoreError::Corrupt(e.to_string()))?;
        Ok(Some(FiledOrders { card, received_at: time(received_at), mail }))
    }

    /// Proven cards of a seat within the time since `since`; what others send in its
    /// name does not count against it.
    pub fn cards_since(&self, game: &str, seat: Seat, since: Timestamp) -> Result<u32> {
        let sql = "SELECT count(*) FROM mail WHERE game = ?1 AND seat = ?2
                   AND reason IN ('filed', 'added', 'cancelled', 'checked') AND judged_at >= ?3";
        let row = params![game, seat.0, ms(since)];
        Ok(self.conn.prepare_cached(sql)?.query_row(row, |r| r.get(0))?)
    }

    /// Cards that were held for a seat since `since`.
    pub fn held_since(&self, game: &str, seat: Seat, since: Timestamp) -> Result<u32> {
        let sql = "SELECT count(*) FROM mail WHERE game = ?1 AND seat = ?2
                   AND verdict = 'held' AND judged_at >= ?3";
        let row = params![game, seat.0, ms(since)];
        Ok(self.conn.prepare_cached(sql)?.query_row(row, |r| r.get(0))?)
    }

    /// A held mail that was not used yet.
    pub fn held(&self, mail: i64) -> Result<Option<(String, Seat)>> {
        let sql = "SELECT game, seat FROM held WHERE mail = ?1 AND used = 0";
        let row = |r: &Row| Ok((r.get(0)?, Seat(r.get(1)?)));
        Ok(self.conn.prepare_cached(sql)?.query_row([mail], row).optional()?)
    }

    /// The held mails of a seat, newest first.
    pub fn held_of(&self, game: &str, seat: Seat) -> Result<Vec<i64>> {
        let sql = "SELECT mail FROM held WHERE game = ?1 AND seat = ?2 AND used = 0
                   ORDER BY mail DESC LIMIT 500";
        let mut query = self.conn.prepare_cached(sql)?;
        let rows = query.query_map(params![game, seat.0], |r| r.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// When a mail was received.
    pub fn received_at(&self, mail: i64) -> Result<Option<Timestamp>> {
        let sql = "SELECT received_at FROM mail WHERE id = ?1";
        let found: Option<i64> =
            self.conn.prepare_cached(sql)?.query_row([mail], |r| r.get(0)).optional()?;
        Ok(found.map(time))
    }

    /// Mails for the game master, newest last.
    pub fn mails(&self, limit: u32) -> Result<Vec<MailRow>> {
        let sql = "SELECT * FROM (SELECT * FROM mail ORDER BY id DESC LIMIT ?1) ORDER BY id";
        let mut query = self.conn.prepare_cached(sql)?;
        let rows = query.query_map([limit], mail_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// One mail for the game master.
    pub fn mail(&self, id: i64) -> Result<Option<MailRow>> {
        let sql = "SELECT * FROM mail WHERE id = ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([id], mail_row).optional()?)
    }

    /// Forgets the raw bytes of mails received before `before`.
    pub fn forget_raw(&mut self, before: Timestamp) -> Result<usize> {
        let sql = "UPDATE mail SET raw_z = NULL
                   WHERE received_at < ?1 AND raw_z IS NOT NULL AND verdict IS NOT NULL";
        Ok(self.conn.execute(sql, [ms(before)])?)
    }
}

fn effects(tx: &Connection, mail: &StoredMail, judged: &Judged, now: Timestamp) -> Result<()> {
    if let (Some((game, seat)), Some(turn), Some(card)) =
        (&judged.seat, judged.turn, &judged.orders)
    {
        let sql = "INSERT OR REPLACE INTO orders VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        tx.prepare_cached(sql)?.execute(params![
            game,
            seat.0,
            turn,
            to_json(card),
            mail.id,
            ms(mail.received_at)
        ])?;
        for (seal, nonce) in &judged.seals {
            let sql = "INSERT OR REPLACE INTO seal VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            tx.prepare_cached(sql)?
                .execute(params![game, turn, seat.0, seal.key, nonce, seal.text])?;
        }
    }
    if let (Verdict::Held, Some((game, seat))) = (judged.verdict, &judged.seat) {
        let sql = "INSERT INTO held (mail, game, seat) VALUES (?1, ?2, ?3)";
        tx.prepare_cached(sql)?.execute(params![mail.id, game, seat.0])?;
    }
    if let (Some((game, seat)), Some(language)) = (&judged.seat, &judged.language) {
        let sql = "UPDATE seat SET language = ?3 WHERE game = ?1 AND seat = ?2";
        tx.prepare_cached(sql)?.execute(params![game, seat.0, language])?;
    }
    if let Some(held) = judged.confirms {
        tx.prepare_cached("UPDATE held SET used = 1 WHERE mail = ?1")?.execute([held])?;
    }
    for queued in &judged.mails {
        enqueue(tx, queued, Some(mail.id), now)?;
    }
    Ok(())
}
