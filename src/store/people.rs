//! Requests and answers of players by mail: seats, questions, waiting lists, votes, the health of
//! addresses, and erasure.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::db::{Db, Row, params};
use super::part::part;
use super::words::sql::*;
use super::{
    MailKind, MailState, QuestionKind, Reason, Result, SeatRow, Standing, Tx, canonical, ms, pack,
    seat, time, to_json,
};

use engine::{Seat, Turn};

/// Weight of a bounce for good, and of one that may pass.
const HARD: i64 = 2;
const SOFT: i64 = 1;

/// A question that is answered with YES.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// A random number, so that nobody can count questions.
    pub id: i64,
    /// The kind of question.
    pub kind: QuestionKind,
    /// Code of the game that it is about, if any.
    pub game: Option<String>,
    /// The seat that it is about, if any.
    pub seat: Option<Seat>,
    /// The address that is asked.
    pub address: String,
    /// The subject, in the form that the asker needs.
    pub value: String,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// Whether it is settled.
    pub done: bool,
}

/// Somebody who waits for a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Code of the game.
    pub game: String,
    /// Their mail address.
    pub address: String,
    /// Their request.
    pub request: JoinRequest,
    /// When a seat was offered to them; `None`: not yet.
    pub offered_at: Option<Timestamp>,
}

/// The request of a player who joins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JoinRequest {
    /// Number of the seat; `None`: any.
    pub seat: Option<u8>,
    /// The name that they want to go by; may be empty.
    pub name: String,
    /// `disclose`, `relay` or `hide`.
    pub contact: String,
    /// Name of their time zone.
    pub zone: String,
    /// Code of the language for mails to them; empty: they did not say.
    #[serde(default)]
    pub language: String,
}

impl Question {
    /// The engine of the game that somebody wants to practise.
    pub fn practises(&self) -> &str {
        self.value.split(' ').next().unwrap_or_default()
    }

    /// The language that somebody who joins or practises asked for; empty: none.
    pub fn language(&self) -> String {
        match self.kind {
            QuestionKind::Join | QuestionKind::Standby => {
                let request = serde_json::from_str::<JoinRequest>(&self.value);
                request.map(|w| w.language).unwrap_or_default()
            }
            QuestionKind::Practice => self.value.split(' ').nth(1).unwrap_or_default().to_owned(),
            _ => String::new(),
        }
    }
}

fn question(row: &Row) -> Result<Question> {
    Ok(Question {
        id: row.get("id")?,
        kind: row.get("kind")?,
        game: row.get("game")?,
        seat: row.get::<_, Option<u8>>("seat")?.map(Seat),
        address: row.get("address")?,
        value: row.get("value")?,
        asked_at: time(row.get("asked_at")?),
        done: row.get("done")?,
    })
}

fn waiting(row: &Row) -> Result<Waiting> {
    let request: String = row.get("wish")?;
    Ok(Waiting {
        game: row.get("game")?,
        address: row.get("address")?,
        request: serde_json::from_str(&request).unwrap_or_default(),
        offered_at: row.get::<_, Option<i64>>("offered_at")?.map(time),
    })
}

pub(super) fn ask(tx: &Db, q: &Question) -> Result<()> {
    let sql = "INSERT INTO question (id, kind, game, seat, address, value, asked_at, done, canon)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let (seat, at) = (q.seat.map(|s| s.0), ms(q.asked_at));
    tx.exec(
        sql,
        params![q.id, q.kind, q.game, seat, q.address, q.value, at, q.done, canonical(&q.address)],
    )?;
    Ok(())
}

fn is_offered(tx: &Db, game: &str, seat: Seat, since: Timestamp) -> Result<bool> {
    let sql = &format!(
        "SELECT 1 FROM question WHERE kind = '{STANDBY}' AND game = $1 AND seat = $2
         AND done = 0 AND asked_at >= $3"
    );
    tx.exists(sql, params![game, seat.0, ms(since)])
}

pub(super) fn wait(
    tx: &Db,
    game: &str,
    address: &str,
    request: &JoinRequest,
    now: Timestamp,
) -> Result<()> {
    let sql = "INSERT INTO waiting (game, address, wish, since, canon) VALUES ($1, $2, $3, $4, $5)
               ON CONFLICT (game, address) DO UPDATE SET wish = $3";
    tx.exec(sql, params![game, address, to_json(request), ms(now), canonical(address)])?;
    Ok(())
}

/// Counts a bounce; over the limit the address gets no more mail.
pub(super) fn bounce(tx: &Db, address: &str, hard: bool, limit: u32, now: Timestamp) -> Result<()> {
    let weight = if hard { HARD } else { SOFT };
    let sql = "INSERT INTO address (address, bounces) VALUES ($1, $2)
               ON CONFLICT (address) DO UPDATE SET bounces = address.bounces + $2";
    tx.exec(sql, params![canonical(address), weight])?;
    let sql = "UPDATE address SET suppressed_at = $2
               WHERE address = $1 AND suppressed_at IS NULL AND bounces >= $3";
    let most = HARD * i64::from(limit.max(1));
    if tx.exec(sql, params![canonical(address), ms(now), most])? > 0 {
        let sql = "UPDATE seat SET unreachable = 1 WHERE canon = $1";
        tx.exec(sql, params![canonical(address)])?;
        let sql = &format!(
            "UPDATE outbox SET state = '{SUPPRESSED}' WHERE canon = $1
             AND state IN ('{WAITING}', '{DRAWING}') AND attempts = 0"
        );
        tx.exec(sql, params![canonical(address)])?;
    }
    Ok(())
}

/// Takes back a counted refusal that was not the fault of the address.
pub(super) fn forgive(tx: &Db, address: &str, limit: u32, now: Timestamp) -> Result<()> {
    let sql = "UPDATE address SET bounces = CASE WHEN bounces > $2 THEN bounces - $2 ELSE 0 END
               WHERE address = $1";
    tx.exec(sql, params![canonical(address), HARD])?;
    let sql = "SELECT 1 FROM address WHERE address = $1 AND suppressed_at IS NOT NULL
               AND bounces < $2";
    let most = HARD * i64::from(limit.max(1));
    if !tx.exists(sql, params![canonical(address), most])? {
        return Ok(());
    }
    let bounces = "SELECT bounces FROM address WHERE address = $1";
    let left: Option<i64> = tx.first(bounces, params![canonical(address)], |r| r.get(0))?;
    recover(tx, address, now)?;
    // Bounces that were counted for other mails stay.
    let sql = "UPDATE address SET bounces = $2 WHERE address = $1";
    tx.exec(sql, params![canonical(address), left.unwrap_or(0)])?;
    Ok(())
}

/// Mail reaches an address again: mails that waited for it and are still of use are sent.
pub(super) fn recover(tx: &Db, address: &str, now: Timestamp) -> Result<()> {
    let sql = "UPDATE address SET bounces = 0, suppressed_at = NULL
               WHERE address = $1 AND (bounces > 0 OR suppressed_at IS NOT NULL)";
    if tx.exec(sql, params![canonical(address)])? == 0 {
        return Ok(());
    }
    let sql = "UPDATE seat SET unreachable = 0 WHERE canon = $1";
    tx.exec(sql, params![canonical(address)])?;
    let sql = &format!(
        "UPDATE outbox SET attempts = 0, next_at = $2, state = CASE WHEN EXISTS
         (SELECT 1 FROM drawing d JOIN outbox o ON o.id = d.outbox WHERE d.done = 0
          AND (o.id = outbox.id OR o.state = '{DRAWING}' AND o.game = outbox.game
            AND o.turn = outbox.turn AND outbox.kind IN ('{PRINTOUT}', '{PART}')))
         THEN '{DRAWING}' ELSE '{WAITING}' END
         WHERE canon = $1 AND state = '{SUPPRESSED}'
         AND (expires_at IS NULL OR expires_at > $2)"
    );
    tx.exec(sql, params![canonical(address), ms(now)])?;
    Ok(())
}

/// Erases a person: their traces in the games have no name.
pub(super) fn erase(tx: &Db, address: &str) -> Result<()> {
    let nothing = pack(b"");
    let unsent = format!(
        "UPDATE outbox SET last_error = '', recipient = 'erased', canon = 'erased', drawn_z = NULL,
         state = CASE WHEN state IN ('{WAITING}', '{DRAWING}', '{SUPPRESSED}')
         THEN '{FAILED}' ELSE state END WHERE canon = $1"
    );
    for sql in [
        "DELETE FROM drawing WHERE outbox IN
         (SELECT id FROM outbox WHERE canon = $1)",
        &unsent,
        "UPDATE mail SET checked_from = '' WHERE checked_from = $1",
        "UPDATE mail SET raw_z = NULL, why = '' WHERE sender = $1",
        "UPDATE mail SET sender = 'erased' WHERE sender = $1",
        // For a player with a relayed address, the words hold the name.
        "DELETE FROM shown WHERE EXISTS (SELECT 1 FROM seat WHERE seat.game = shown.game
         AND seat.seat = shown.seat AND canon = $1)",
        "DELETE FROM question WHERE canon = $1 OR substr(lower(value), length(value) - length($1)) = ' ' || $1",
        "UPDATE shown SET words = '' WHERE replace(lower(words), $1, '') <> lower(words)",
        "DELETE FROM waiting WHERE canon = $1",
        "DELETE FROM address WHERE address = $1",
        // The data that would give a seat back to an erased person.
        "UPDATE act SET back = '' WHERE replace(lower(back), $1, '') <> lower(back)",
    ] {
        tx.exec(sql, params![canonical(address)])?;
    }
    seat::erase(tx, &canonical(address))?;
    let sql = "UPDATE outbox SET mime_z = $1 WHERE recipient = 'erased'";
    tx.exec(sql, params![nothing])?;
    Ok(())
}

part!(
    /// Questions of and to players, and the health of their addresses.
    People = Reader.people
);

impl People<'_> {
    /// A question by its number.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it; so for every method here.
    pub fn question(&self, id: i64) -> Result<Option<Question>> {
        let sql = "SELECT * FROM question WHERE id = $1";
        self.db.first(sql, params![id], question)
    }

    /// The other questions that were asked about the same thing.
    pub fn questions_about(&self, value: &str) -> Result<Vec<Question>> {
        let sql = "SELECT * FROM question WHERE value = $1 ORDER BY id";
        self.db.all(sql, params![value], question)
    }

    /// The questions that an address has answered with YES, oldest first.
    pub fn questions_answered(&self, address: &str) -> Result<Vec<Question>> {
        let sql = "SELECT * FROM question WHERE canon = $1 AND done = 1
                   ORDER BY asked_at, id";
        self.db.all(sql, params![canonical(address)], question)
    }

    /// Questions of one kind to an address since an instant.
    pub fn questions_since(
        &self,
        kind: QuestionKind,
        address: &str,
        since: Timestamp,
    ) -> Result<u32> {
        let sql = "SELECT count(*) FROM question
                   WHERE kind = $1 AND canon = $2 AND asked_at >= $3";
        let row = params![kind, canonical(address), ms(since)];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// Confirmed wishes to practise that have no game yet, oldest first.
    pub fn practices_wanted(&self) -> Result<Vec<Question>> {
        let sql = "SELECT * FROM question WHERE kind = $1 AND done = 1 AND game IS NULL
                   ORDER BY asked_at, id";
        self.db.all(sql, params![QuestionKind::Practice], question)
    }

    /// Unanswered questions since an instant to addresses without a seat, in all or at one domain.
    pub fn strangers_asked(&self, domain: Option<&str>, since: Timestamp) -> Result<u32> {
        let sql = "SELECT count(*) FROM question WHERE asked_at >= $1 AND done = 0
                   AND (CAST($2 AS TEXT) IS NULL
                     OR substr(canon, length(canon) - length($2)) = '@' || $2)
                   AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.canon = question.canon)";
        self.db.one(sql, params![ms(since), domain.map(canonical)], |r| r.get(0))
    }

    /// Whether somebody at a domain has a seat, or has answered a question with YES.
    pub fn plays_from(&self, domain: &str) -> Result<bool> {
        let sql = "SELECT 1 WHERE EXISTS
                   (SELECT 1 FROM seat WHERE substr(canon, length(canon) - length($1)) = '@' || $1)
                   OR EXISTS (SELECT 1 FROM question WHERE done = 1
                     AND substr(canon, length(canon) - length($1)) = '@' || $1)";
        self.db.exists(sql, params![canonical(domain)])
    }

    /// Questions to an address since an instant that wait for its answer, newest first.
    pub fn open_questions(&self, address: &str, since: Timestamp) -> Result<Vec<Question>> {
        let sql = "SELECT * FROM question WHERE canon = $1 AND asked_at >= $2
                   AND done = 0 ORDER BY asked_at DESC, id LIMIT 10";
        self.db.all(sql, params![canonical(address), ms(since)], question)
    }

    /// People who wait for a seat of a game, first come first.
    pub fn waiting(&self, game: &str) -> Result<Vec<Waiting>> {
        self.db.all("SELECT * FROM waiting WHERE game = $1 ORDER BY id", params![game], waiting)
    }

    /// Whether a seat was offered since an instant and nobody has answered yet.
    pub fn is_offered(&self, game: &str, seat: Seat, since: Timestamp) -> Result<bool> {
        is_offered(&self.db, game, seat, since)
    }

    /// Votes for an extension of a turn: seat, days, reason.
    pub fn votes(&self, game: &str, turn: Turn) -> Result<Vec<(Seat, u32, String)>> {
        let sql = "SELECT seat, days, reason FROM vote WHERE game = $1 AND turn = $2 ORDER BY seat";
        self.db.all(sql, params![game, turn], |r| Ok((Seat(r.get(0)?), r.get(1)?, r.get(2)?)))
    }

    /// Whether mails of the calendar were already queued for a turn.
    pub fn is_reminded(&self, game: &str, turn: Turn, what: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM reminded WHERE game = $1 AND turn = $2 AND what = $3";
        self.db.exists(sql, params![game, turn, what])
    }

    /// The notes on a game's turn that begin with a word, without that word.
    pub fn reminded(&self, game: &str, turn: Turn, word: &str) -> Result<Vec<String>> {
        let sql = "SELECT substr(what, length($3) + 1) FROM reminded
                   WHERE game = $1 AND turn = $2 AND substr(what, 1, length($3)) = $3 ORDER BY what";
        self.db.all(sql, params![game, turn, word], |r| r.get(0))
    }

    /// One of our mails, by the token of its return path: number, recipient.
    pub fn sent_with(&self, token: &str) -> Result<Option<(i64, String)>> {
        let sql = "SELECT id, recipient FROM outbox WHERE bounce = $1 AND bounce <> ''";
        let row = |r: &Row| Ok((r.get(0)?, r.get(1)?));
        self.db.first(sql, params![token], row)
    }

    /// Whether an address gets no mail because too many came back.
    pub fn is_suppressed(&self, address: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM address WHERE address = $1 AND suppressed_at IS NOT NULL";
        self.db.exists(sql, params![canonical(address)])
    }

    /// When an address was last asked not to write through a list.
    pub fn list_told(&self, address: &str) -> Result<Option<Timestamp>> {
        let sql = "SELECT list_told_at FROM address WHERE address = $1";
        let found: Option<Option<i64>> =
            self.db.first(sql, params![canonical(address)], |r| r.get(0))?;
        Ok(found.flatten().map(time))
    }

    /// Seats whose mails come back, and since when.
    pub fn unreachable(&self) -> Result<Vec<(SeatRow, i64)>> {
        let sql = "SELECT seat.*, coalesce(address.suppressed_at, 0) AS suppressed FROM seat
                   LEFT JOIN address ON address.address = seat.canon
                   WHERE unreachable = 1 AND resigned = 0 AND computer = 0 ORDER BY game, seat";
        self.db.all(sql, params![], |r| Ok((super::seat::seat(r)?, r.get("suppressed")?)))
    }

    /// Whether an address is on a waiting list.
    pub fn is_waiting(&self, address: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM waiting WHERE canon = $1";
        self.db.exists(sql, params![canonical(address)])
    }

    /// Times without mail that ended after an instant.
    pub fn outages(&self, since: Timestamp) -> Result<Vec<(Timestamp, Timestamp)>> {
        let sql = "SELECT began, ended FROM outage WHERE ended > $1 ORDER BY began";
        self.db.all(sql, params![ms(since)], |r| Ok((time(r.get(0)?), time(r.get(1)?))))
    }

    /// The newest mails to a person, at most `most`, oldest first: kind, state and when each was
    /// written.
    pub fn mails_to(
        &self,
        address: &str,
        most: u32,
    ) -> Result<Vec<(MailKind, Timestamp, MailState)>> {
        let sql = "SELECT kind, created_at, state FROM outbox
                   WHERE canon = $1 ORDER BY id DESC LIMIT $2";
        let row = |r: &Row| Ok((r.get(0)?, time(r.get(1)?), r.get(2)?));
        let mut mails: Vec<_> = self.db.all(sql, params![canonical(address), most], row)?;
        mails.reverse();
        Ok(mails)
    }

    /// Mails with wrong secrets or passwords from an address since an instant.
    pub fn failures_of(&self, address: &str, since: Timestamp) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM mail WHERE sender = $1 AND judged_at >= $2
             AND reason IN ('{WRONG_SECRET}', '{WRONG_PASSWORD}')"
        );
        self.db.one(sql, params![canonical(address), ms(since)], |r| r.get(0))
    }

    /// Mails with a wrong password for a seat since an instant, from any address.
    pub fn wrong_passwords(&self, game: &str, seat: Seat, since: Timestamp) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM mail WHERE game = $1 AND seat = $2 AND judged_at >= $3
             AND reason = '{WRONG_PASSWORD}'"
        );
        let row = params![game, seat.0, ms(since)];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// Mails with a wrong password for a seat since an instant, from one address.
    pub fn wrong_passwords_of(
        &self,
        game: &str,
        seat: Seat,
        address: &str,
        since: Timestamp,
    ) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM mail WHERE sender = $4 AND game = $1 AND seat = $2
             AND judged_at >= $3 AND reason = '{WRONG_PASSWORD}'"
        );
        let row = params![game, seat.0, ms(since), canonical(address)];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// Mails of an address that were rejected for one reason since an instant.
    pub fn told_since(&self, address: &str, reason: Reason, since: Timestamp) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM mail WHERE sender = $1 AND reason = $2
             AND judged_at >= $3 AND verdict = '{REJECTED}'"
        );
        let row = params![canonical(address), reason, ms(since)];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// Mails from an address, with this standing, that were rejected for one reason since an
    /// instant. Only those count that came after its last mail with this standing that was accepted
    /// or was only too late.
    pub fn told_in_vain(
        &self,
        address: &str,
        standing: Standing,
        reason: Reason,
        since: Timestamp,
    ) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM mail WHERE sender = $1 AND standing = $2
             AND reason = $3 AND judged_at >= $4 AND verdict = '{REJECTED}'
             AND id > (SELECT coalesce(max(id), 0) FROM mail WHERE sender = $1
               AND standing = $2
               AND (verdict = '{ACCEPTED}' OR reason IN ('{LATE}', '{PASSED_TURN}')))"
        );
        let row = params![canonical(address), standing, reason, ms(since)];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// Unproven mails in the name of an address since an instant, counted up to `most`.
    pub fn unproven_since(&self, address: &str, since: Timestamp, most: u32) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM (SELECT 1 FROM mail WHERE sender = $1 AND judged_at >= $2
             AND verdict <> '{ACCEPTED}' LIMIT $3) AS found"
        );
        self.db.one(sql, params![canonical(address), ms(since), most], |r| r.get(0))
    }

    /// Mails to anybody since an instant that mails with one standing caused.
    pub fn all_replies_since(&self, standing: Standing, since: Timestamp) -> Result<u32> {
        let sql = "SELECT count(*) FROM outbox WHERE created_at >= $1 AND standing = $2
                   AND cause IS NOT NULL";
        // The memo keeps the number: it is counted once for all mails that are judged by one state.
        let read = || self.db.one(sql, params![ms(since), standing], |r| r.get(0));
        self.memo.get(|| format!("replies {standing}"), read)
    }
}

impl Tx<'_> {
    /// Notes a time in which no mail could be read.
    pub fn add_outage(&self, began: Timestamp, ended: Timestamp) -> Result<()> {
        self.db.exec("INSERT INTO outage VALUES ($1, $2)", params![ms(began), ms(ended)])?;
        let old = ended - jiff::SignedDuration::from_hours(24 * 60);
        self.db.exec("DELETE FROM outage WHERE ended < $1", params![ms(old)])?;
        Ok(())
    }

    /// Erases a person for the game master.
    pub fn erase(&self, address: &str) -> Result<()> {
        let tx = &self.db;
        erase(tx, address)
    }
}
