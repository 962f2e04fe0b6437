//! Outgoing mails: rows written with their cause, and sent later.

mod queue;

use jiff::Timestamp;

pub(super) use self::queue::enqueue;
use self::queue::{leave_together, note};
use super::db::{LISTED, Row, Sql, list_of, numbers_of_list, params};
use super::part::part;
use super::refusals::Run;
use super::words::sql::*;
use super::words::{OF_NO_USE, TAKEN_BACK, TURN_TAKEN_BACK};
use super::{MailKind, MailState, Result, Standing, canonical, ms, pack, time, unpack};
use engine::{Seat, Turn};
use mail::{OutgoingMail, SendResult};

/// How long a claimed mail is left to its sender before another may try.
const LEASE_S: i64 = 600;
/// How long a mail is left to the worker that draws it; a large printout takes seconds.
const DRAWN_S: i64 = 300;

/// A mail to be queued with its cause.
#[derive(Debug, Clone)]
pub struct QueuedMail {
    /// What it is.
    pub kind: MailKind,
    /// The game's code and the seat that it is for, if any.
    pub seat: Option<(String, Seat)>,
    /// The turn that it is about, if any.
    pub turn: Option<Turn>,
    /// When it stops being of use; `None`: it is tried as long as the config says.
    pub expires_at: Option<Timestamp>,
    /// The mail as it is sent.
    pub mail: OutgoingMail,
    /// The data of its pictures that are still to be drawn.
    pub drawing: Drawing,
    /// The names that it gives players for its recipient: their seats, and the words.
    pub shows: Vec<(Seat, String)>,
}

/// The data that a mail is drawn from, and whether it may leave as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The renderer's own bytes. A printout's are kept until the seat's next printout, others until
    /// they are drawn.
    pub what: Option<Vec<u8>>,
    /// Whether pictures are still to be drawn from it.
    pub to_do: bool,
    /// Whether it waits for other mails of its game and turn that are still to be drawn.
    pub waits: bool,
}

/// A mail that is still to be drawn.
#[derive(Debug, Clone)]
pub struct ToDraw {
    /// Number of the mail in the outbox.
    pub id: i64,
    /// Earlier tries.
    pub attempts: u32,
    /// The renderer's own bytes.
    pub what: Vec<u8>,
}

/// A mail that is due.
#[derive(Debug, Clone)]
pub struct OutboxRow {
    /// Number of the mail in the outbox.
    pub id: i64,
    /// When it was queued.
    pub created_at: Timestamp,
    /// What it is.
    pub kind: MailKind,
    /// Code of the game that it is about, if any.
    pub game: Option<String>,
    /// Number of the seat that it is for, if any.
    pub seat: Option<u8>,
    /// Attempts to send it, this one included.
    pub attempts: u32,
    /// The mail as it is sent.
    pub mail: OutgoingMail,
}

/// A mail that an incoming mail caused.
#[derive(Debug, Clone)]
pub struct Caused {
    /// What it is.
    pub kind: MailKind,
    /// What has become of it.
    pub state: MailState,
    /// What went wrong at the last attempt; may be empty.
    pub last_error: String,
    /// The mail as it was written, with its text.
    pub bytes: Vec<u8>,
}

/// The mail that one of our Message-IDs names.
#[derive(Debug, Clone)]
pub struct SentAs {
    /// Number of the mail.
    pub id: i64,
    /// Code of the game.
    pub game: String,
    /// The seat that the mail was for.
    pub seat: Seat,
    /// The turn that it was about, if any.
    pub turn: Option<Turn>,
    /// The address that got the mail.
    pub to: String,
}

/// Numbers of mails by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutboxCounts {
    /// Mails that have not left yet.
    pub waiting: u32,
    /// Mails that were sent.
    pub sent: u32,
    /// Mails that could not be sent.
    pub failed: u32,
}

part!(
    /// Mails that leave or have left.
    Outbox = Reader.outbox
);

part!(
    /// The outbox in a unit of work.
    OutboxTx = Tx.outbox, Outbox
);

impl Outbox<'_> {
    /// Whether printouts of a game's turn are still to be drawn.
    pub fn is_drawing(&self, game: &str, turn: Turn) -> Result<bool> {
        let sql = &format!(
            "SELECT 1 FROM outbox WHERE state = '{DRAWING}' AND game = $1 AND turn = $2
             AND kind IN ('{PRINTOUT}', '{PART}')"
        );
        self.db.exists(sql, params![game, turn])
    }

    /// Game, seat and turn of one of our mails.
    pub fn whose(&self, id: i64) -> Result<Option<(String, Seat, Turn)>> {
        let sql = "SELECT game, seat, turn FROM outbox WHERE id = $1 AND game IS NOT NULL
                   AND seat IS NOT NULL AND turn IS NOT NULL";
        let row = |r: &Row| Ok((r.get(0)?, Seat(r.get(1)?), r.get(2)?));
        self.db.first(sql, params![id], row)
    }

    /// When the next waiting mail is due; a mail waits for earlier ones to the same recipient.
    pub fn next_send(&self) -> Result<Option<Timestamp>> {
        let sql = &format!(
            "SELECT min(o.next_at) FROM (SELECT min(id) AS id FROM outbox
             INDEXED BY outbox_waiting WHERE state = '{WAITING}' GROUP BY canon) AS first
             JOIN outbox o ON o.id = first.id"
        );
        let at: Option<i64> = self.db.one(sql, params![], |r| r.get(0))?;
        let held = self.sending_held()?.map(|h| h.until);
        Ok(at.map(|at| held.map_or(time(at), |until| until.max(time(at)))))
    }

    /// Our mails that are among some Message-IDs, in the order of the list.
    pub fn sent_as(&self, message_ids: &[String]) -> Result<Vec<SentAs>> {
        let sql = &format!(
            "SELECT game, seat, turn, recipient, id, message_id FROM outbox
             WHERE message_id IN ({}) AND game IS NOT NULL AND seat IS NOT NULL",
            numbers_of_list()
        );
        let row = |r: &Row| {
            let (game, seat) = (r.get(0)?, Seat(r.get(1)?));
            let sent = SentAs { game, seat, turn: r.get(2)?, to: r.get(3)?, id: r.get(4)? };
            Ok((sent, r.get::<_, String>(5)?))
        };
        let mut found: Vec<(SentAs, String)> = Vec::new();
        for some in message_ids.chunks(LISTED) {
            let some: Vec<_> = self.db.all(sql, &list_of(some), row)?;
            found.extend(some);
        }
        found.sort_by_key(|(_, name)| message_ids.iter().position(|id| id == name));
        Ok(found.into_iter().map(|(sent, _)| sent).collect())
    }

    /// The mail that a question with this Message-ID asks a seat about.
    pub fn asked_by(&self, message_id: &str, game: &str, seat: Seat) -> Result<Option<i64>> {
        let sql = &format!(
            "SELECT cause FROM outbox WHERE message_id = $1 AND kind = '{CONFIRM}'
             AND game = $2 AND seat = $3 AND cause IS NOT NULL"
        );
        self.db.first(sql, params![message_id, game, seat.0], |r| r.get(0))
    }

    /// Whether a Message-ID is one of ours.
    pub fn is_ours(&self, message_id: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM outbox WHERE message_id = $1";
        self.db.exists(sql, params![message_id])
    }

    /// One of our mails, by its Message-ID: number, recipient.
    pub fn sent_under(&self, message_id: &str) -> Result<Option<(i64, String)>> {
        let sql = "SELECT id, recipient FROM outbox WHERE message_id = $1";
        let row = |r: &Row| Ok((r.get(0)?, r.get(1)?));
        self.db.first(sql, params![message_id], row)
    }

    /// Whether a mail may be a reply to one of our answers to this address that was written since
    /// an instant and caused by a mail with this standing. Either the answer's Message-ID is among
    /// `ids`, or, if the subject of the mail has our `tag`, any such answer counts.
    pub fn answered_since(
        &self,
        (address, standing): (&str, Standing),
        ids: &[String],
        tag: bool,
        since: Timestamp,
    ) -> Result<bool> {
        if tag {
            let sql = "SELECT 1 FROM outbox WHERE canon = $1 AND created_at >= $2
                       AND standing = $3 AND cause IS NOT NULL LIMIT 1";
            return self.db.exists(sql, params![canonical(address), ms(since), standing]);
        }
        // By the few ids that a mail names, not through all answers to its sender.
        let (since, first) = (ms(since), LISTED + 1);
        let sql = &format!(
            "SELECT 1 FROM outbox WHERE message_id IN ({}) AND canon = ${first}
             AND created_at >= ${} AND standing = ${} AND cause IS NOT NULL",
            numbers_of_list(),
            first + 1,
            first + 2
        );
        let canon = canonical(address);
        for some in ids.chunks(LISTED) {
            let args = [&list_of(some)[..], params![canon, since, standing]].concat();
            if self.db.exists(sql, &args)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Replies to an address since each of two instants, the later one first, that mails with one
    /// standing caused; only the newest `most` are counted. Letters from other players are not
    /// replies, and neither are receipts for letters.
    pub fn replies_since(
        &self,
        address: &str,
        standing: Standing,
        (late, early): (Timestamp, Timestamp),
        most: u32,
    ) -> Result<(u32, u32)> {
        let sql = &format!(
            "SELECT count(CASE WHEN created_at >= $3 THEN 1 END), count(*)
             FROM (SELECT created_at FROM outbox WHERE canon = $1 AND created_at >= $4
               AND standing = $2 AND cause IS NOT NULL AND kind NOT IN ('{RELAY}', '{RECEIPT}')
               ORDER BY created_at DESC LIMIT $5) AS newest"
        );
        let row = params![canonical(address), standing, ms(late), ms(early), most];
        self.db.one(sql, row, |r| Ok((r.get(0)?, r.get(1)?)))
    }

    /// Receipts for letters to an address since each of two instants, the later one first.
    pub fn receipts_since(
        &self,
        address: &str,
        (late, early): (Timestamp, Timestamp),
    ) -> Result<(u32, u32)> {
        let sql = &format!(
            "SELECT count(CASE WHEN created_at >= $2 THEN 1 END), count(*) FROM outbox
             WHERE canon = $1 AND created_at >= $3 AND kind = '{RECEIPT}'"
        );
        let row = params![canonical(address), ms(late), ms(early)];
        self.db.one(sql, row, |r| Ok((r.get(0)?, r.get(1)?)))
    }

    /// Replies since an instant to addresses of a domain that mails with one standing caused.
    pub fn domain_replies_since(
        &self,
        domain: &str,
        standing: Standing,
        since: Timestamp,
    ) -> Result<u32> {
        let sql = "SELECT count(*) FROM outbox WHERE created_at >= $2 AND standing = $3
                   AND cause IS NOT NULL
                   AND substr(canon, length(canon) - length($1)) = '@' || $1";
        let row = params![canonical(domain), ms(since), standing];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// The mail with the printout of a seat that opened a turn; if the turn was taken back and run
    /// again, the valid one.
    pub fn printout(&self, game: &str, seat: Seat, turn: Turn) -> Result<Option<Vec<u8>>> {
        let sql = &format!(
            "SELECT mime_z FROM outbox WHERE game = $1 AND seat = $2 AND turn = $3
             AND kind = '{PRINTOUT}' ORDER BY id DESC LIMIT 1"
        );
        self.of_turn(sql, game, seat, turn)
    }

    /// The newest turn, up to a given one, for which a seat had a printout.
    pub fn newest_printout(&self, game: &str, seat: Seat, turn: Turn) -> Result<Option<Turn>> {
        let sql = &format!(
            "SELECT max(turn) FROM outbox WHERE game = $1 AND seat = $2 AND turn <= $3
             AND kind = '{PRINTOUT}'"
        );
        self.db.one(sql, params![game, seat.0, turn], |r| r.get(0))
    }

    /// The data that a seat's newest printout is drawn from, if that printout is of the given turn.
    pub fn drawing(&self, game: &str, seat: Seat, turn: Turn) -> Result<Option<Vec<u8>>> {
        let sql = &format!(
            "SELECT d.what_z FROM drawing d JOIN outbox o ON o.id = d.outbox
             WHERE o.game = $1 AND o.seat = $2 AND o.turn = $3 AND o.kind = '{PRINTOUT}'
             ORDER BY o.id DESC LIMIT 1"
        );
        self.of_turn(sql, game, seat, turn)
    }

    /// The packed bytes that a query finds for a seat and turn.
    fn of_turn(&self, sql: &str, game: &str, seat: Seat, turn: Turn) -> Result<Option<Vec<u8>>> {
        let found: Option<Vec<u8>> =
            self.db.first(sql, params![game, seat.0, turn], |r| r.get(0))?;
        found.map(|z| unpack(&z)).transpose()
    }

    /// A letter from another player to a seat, by its Message-ID: when it was sent, and the mail.
    pub fn letter(
        &self,
        message_id: &str,
        game: &str,
        seat: Seat,
    ) -> Result<Option<(Timestamp, Vec<u8>)>> {
        let sql = &format!(
            "SELECT created_at, mime_z FROM outbox
             WHERE message_id = $1 AND game = $2 AND seat = $3 AND kind = '{RELAY}'"
        );
        let row = |r: &Row| Ok((time(r.get(0)?), r.get::<_, Vec<u8>>(1)?));
        let found = self
            .db
            .first(sql, params![message_id, game, seat.0], row)?
            .filter(|(_, z)| !z.is_empty());
        found.map(|(at, z)| Ok((at, unpack(&z)?))).transpose()
    }

    /// Mails that an incoming mail caused.
    pub fn caused_by(&self, mail: i64) -> Result<Vec<Caused>> {
        let sql = "SELECT kind, state, last_error, mime_z FROM outbox WHERE cause = $1 ORDER BY id";
        let row = |r: &Row| {
            Ok(Caused {
                kind: r.get(0)?,
                state: r.get(1)?,
                last_error: r.get(2)?,
                bytes: r.get(3)?,
            })
        };
        let rows: Vec<Caused> = self.db.all(sql, params![mail], row)?;
        rows.into_iter().map(|c| Ok(Caused { bytes: unpack(&c.bytes)?, ..c })).collect()
    }

    /// The number of the newest mail to the game master; 0: there is none.
    pub fn newest_to_game_master(&self) -> Result<i64> {
        let sql = "SELECT coalesce(max(id), 0) FROM outbox WHERE kind = $1";
        self.db.one(sql, params![MailKind::Gm], |r| r.get(0))
    }

    /// Mails to the game master with a higher number that were written up to an instant, oldest
    /// first: their numbers, the mails, and whether each answers a mail.
    pub fn to_game_master(
        &self,
        after: i64,
        until: Timestamp,
    ) -> Result<Vec<(i64, Vec<u8>, bool)>> {
        let sql = "SELECT id, mime_z, cause IS NOT NULL FROM outbox
                   WHERE kind = $1 AND id > $2 AND created_at <= $3 ORDER BY id LIMIT 20";
        let row = |r: &Row| Ok((r.get(0)?, r.get::<_, Vec<u8>>(1)?, r.get(2)?));
        let rows: Vec<(i64, Vec<u8>, bool)> =
            self.db.all(sql, params![MailKind::Gm, after, ms(until)], row)?;
        rows.into_iter().map(|(id, z, caused)| Ok((id, unpack(&z)?, caused))).collect()
    }

    /// Mails that failed or came back, newest first, without their text.
    pub fn unsent(&self, limit: u32) -> Result<Vec<OutboxRow>> {
        let sql = &format!(
            "SELECT id, created_at, kind, game, seat, attempts, recipient, envelope_from,
             message_id, bounce FROM outbox
             WHERE state IN ('{FAILED}', '{BOUNCED}', '{SUPPRESSED}')
             ORDER BY id DESC LIMIT $1"
        );
        let row = |r: &Row| {
            Ok(OutboxRow {
                id: r.get(0)?,
                created_at: time(r.get(1)?),
                kind: r.get(2)?,
                game: r.get(3)?,
                seat: r.get(4)?,
                attempts: r.get(5)?,
                mail: OutgoingMail {
                    to: r.get(6)?,
                    envelope_from: r.get(7)?,
                    message_id: r.get(8)?,
                    bytes: Vec::new(),
                    bounce: r.get(9)?,
                },
            })
        };
        self.db.all(sql, params![limit], row)
    }

    /// The numbers of mails that wait, have left and have failed.
    pub fn outbox_counts(&self) -> Result<OutboxCounts> {
        let sql = &format!(
            "SELECT count(*) FILTER (WHERE state IN ('{WAITING}', '{DRAWING}')),
             count(*) FILTER (WHERE state = '{SENT}'),
             count(*) FILTER (WHERE state = '{FAILED}') FROM outbox"
        );
        let row =
            |r: &Row| Ok(OutboxCounts { waiting: r.get(0)?, sent: r.get(1)?, failed: r.get(2)? });
        self.db.one(sql, params![], row)
    }

    /// Mails of a game that have not left yet.
    pub fn waiting_of(&self, game: &str) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM outbox WHERE game = $1 AND state IN ('{WAITING}', '{DRAWING}')"
        );
        self.db.one(sql, params![game], |r| r.get(0))
    }
}

impl OutboxTx<'_> {
    /// Claims mails that are due, printouts first, in order for each recipient:
    /// a later mail waits until the earlier one has left or failed.
    ///
    /// The claim sets the next attempt to a later time, before anything is sent, so a process that
    /// dies or a server that hangs can't start a storm. It clears the error of the last attempt: by
    /// that [`OutboxTx::release_leases`] tells mails that were being sent from those that wait for
    /// their next attempt.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it; so for every method here.
    pub fn lease(&self, now: Timestamp, limit: u32) -> Result<Vec<OutboxRow>> {
        let sql = &format!(
            "UPDATE outbox SET state = '{FAILED}', last_error = '{OF_NO_USE}'
             WHERE state = '{WAITING}' AND expires_at < $1
             AND (attempts = 0 OR last_error <> '')"
        );
        self.db.exec(sql, params![ms(now)])?;
        let limit = super::refusals::room(self, limit, now)?;
        if limit == 0 {
            return Ok(Vec::new());
        }
        // The outer condition is checked when the row is locked: another worker may have had it
        // meanwhile.
        let claim = |lock: &str| {
            format!(
                "WITH due AS MATERIALIZED (
                   SELECT o.id FROM outbox o WHERE o.id IN
                     (SELECT min(id) FROM outbox INDEXED BY outbox_waiting
                      WHERE state = '{WAITING}' GROUP BY canon)
                   AND o.next_at <= $1 AND NOT EXISTS
                     (SELECT 1 FROM outbox d WHERE d.state = '{DRAWING}' AND d.kind = '{ECHO}'
                      AND d.canon = o.canon AND d.id < o.id)
                   ORDER BY o.kind <> '{PRINTOUT}', o.id LIMIT $2 {lock})
                 UPDATE outbox SET attempts = attempts + 1, next_at = $1 + $3, last_error = '',
                 owner = $4 WHERE id IN (SELECT id FROM due) AND state = '{WAITING}' AND next_at <= $1
                 RETURNING id, created_at, kind, game, seat, attempts, recipient, envelope_from,
                 message_id, coalesce(drawn_z, mime_z), bounce"
            )
        };
        let (lite, pg) = (claim(""), claim("FOR UPDATE OF o SKIP LOCKED"));
        let sql = Sql { lite: &lite, pg: &pg };
        let row = |r: &Row| {
            let mail = OutgoingMail {
                to: r.get(6)?,
                envelope_from: r.get(7)?,
                message_id: r.get(8)?,
                bytes: r.get(9)?,
                bounce: r.get(10)?,
            };
            Ok(OutboxRow {
                id: r.get(0)?,
                created_at: time(r.get(1)?),
                kind: r.get(2)?,
                game: r.get(3)?,
                seat: r.get(4)?,
                attempts: r.get(5)?,
                mail,
            })
        };
        let rows: Vec<OutboxRow> =
            self.db.all(sql, params![ms(now), limit, LEASE_S * 1000, self.owner], row)?;
        let unpacked = rows.into_iter().map(|mut row| {
            row.mail.bytes = unpack(&row.mail.bytes)?;
            Ok(row)
        });
        let mut rows: Vec<OutboxRow> = unpacked.collect::<Result<_>>()?;
        rows.sort_by_key(|r| r.id);
        Ok(rows)
    }

    /// Mails that are to be drawn: answers first, then printouts, the oldest first. Each try is
    /// counted before it is made, and mails that failed `attempts_max` times leave as text only.
    /// Within both groups, mails that were tried before come last and one by one, so that a mail
    /// that kills the process takes no other with it. With `fresh`, they are left out, because
    /// others are being drawn now. Mails that another worker draws are left to it as long as its
    /// claim lasts.
    pub fn to_draw(
        &self,
        attempts_max: u32,
        limit: u32,
        fresh: bool,
        now: Timestamp,
    ) -> Result<Vec<ToDraw>> {
        let tx = &self.db;
        // A withdrawn mail is not drawn; one whose address gets no mail now may be drawn later.
        let sql = &format!(
            "UPDATE drawing SET done = 1 WHERE done = 0 AND (owner = $2 OR until <= $3)
             AND (attempts >= $1 OR EXISTS (SELECT 1 FROM outbox o WHERE o.id = drawing.outbox
               AND o.state NOT IN ('{DRAWING}', '{SUPPRESSED}')))"
        );
        tx.exec(sql, params![attempts_max, self.owner, ms(now)])?;
        leave_together(tx, None)?;
        let next = &format!(
            "SELECT o.kind IN ('{PRINTOUT}', '{PART}') AS printed, min(d.attempts)
             FROM drawing d JOIN outbox o ON o.id = d.outbox
             WHERE d.done = 0 AND o.state = '{DRAWING}' AND (d.attempts = 0 OR $1 = 0)
             AND (d.owner = $2 OR d.until <= $3)
             GROUP BY printed ORDER BY printed"
        );
        let row = |r: &Row| Ok((r.get(0)?, r.get(1)?));
        let next: Option<(bool, u32)> = tx.first(next, params![fresh, self.owner, ms(now)], row)?;
        let Some((printed, fewest)) = next else { return Ok(Vec::new()) };
        let limit = if fewest == 0 { limit } else { 1 };
        let claim = |lock: &str| {
            format!(
                "WITH next AS MATERIALIZED (
                   SELECT d.outbox FROM drawing d JOIN outbox o ON o.id = d.outbox
                   WHERE d.done = 0 AND o.state = '{DRAWING}' AND d.attempts = $1
                   AND (o.kind IN ('{PRINTOUT}', '{PART}')) = $3
                   AND (d.owner = $4 OR d.until <= $5)
                   ORDER BY d.outbox LIMIT $2 {lock})
                 UPDATE drawing SET attempts = attempts + 1, owner = $4, until = $6
                 WHERE outbox IN (SELECT outbox FROM next) AND attempts = $1
                 RETURNING outbox, attempts - 1, what_z"
            )
        };
        let (lite, pg) = (claim(""), claim("FOR UPDATE OF d SKIP LOCKED"));
        let sql = Sql { lite: &lite, pg: &pg };
        let row = |r: &Row| Ok(ToDraw { id: r.get(0)?, attempts: r.get(1)?, what: r.get(2)? });
        let until = ms(now) + DRAWN_S * 1000;
        let values = params![fewest, limit, printed, self.owner, ms(now), until];
        let rows: Vec<ToDraw> = tx.all(sql, values, row)?;
        // A damaged row becomes empty here and is refused when it is read; the other rows are not
        // affected.
        let whole = |r: ToDraw| ToDraw { what: unpack(&r.what).unwrap_or_default(), ..r };
        let mut rows: Vec<ToDraw> = rows.into_iter().map(whole).collect();
        rows.sort_by_key(|r| r.id);
        Ok(rows)
    }

    /// Notes a mail as drawn, with further mails for what did not fit into it. After the last one
    /// of a turn all of them may leave.
    pub fn drawn(&self, id: i64, bytes: &[u8], more: &[QueuedMail], now: Timestamp) -> Result<()> {
        let tx = &self.db;
        let sql = &format!(
            "UPDATE outbox SET drawn_z = $2
             WHERE id = $1 AND state IN ('{DRAWING}', '{SUPPRESSED}')"
        );
        // It may have been withdrawn meanwhile, or its recipient erased.
        let wanted = tx.exec(sql, params![id, pack(bytes)])? > 0;
        let more = if wanted { more } else { &[] };
        more.iter().try_for_each(|m| enqueue(tx, m, None, now))?;
        // The data of a printout is needed again; that of an echo is not.
        let sql = &format!(
            "DELETE FROM drawing WHERE outbox =
             (SELECT id FROM outbox WHERE id = $1 AND kind NOT IN ('{PRINTOUT}', '{PART}'))"
        );
        tx.exec(sql, params![id])?;
        tx.exec("UPDATE drawing SET done = 1 WHERE outbox = $1", params![id])?;
        leave_together(tx, Some(id))
    }

    /// Gives back the unfinished claims of one worker, which is gone.
    pub(super) fn release_claims(&self, owner: &str, now: Timestamp) -> Result<()> {
        let sql = &format!(
            "UPDATE outbox SET next_at = $1
             WHERE state = '{WAITING}' AND attempts > 0 AND last_error = '' AND owner = $2"
        );
        self.db.exec(sql, params![ms(now), owner])?;
        Ok(())
    }

    /// Gives back unfinished claims when a robot starts, because their sender is gone.
    pub fn release_leases(&self, now: Timestamp) -> Result<()> {
        let sql = &format!(
            "UPDATE outbox SET next_at = $1
             WHERE state = '{WAITING}' AND attempts > 0 AND last_error = ''"
        );
        self.db.exec(sql, params![ms(now)])?;
        Ok(())
    }

    /// Notes the results of attempts, with everything that follows from them, in one commit. After
    /// `give_up_s` seconds of trying a mail fails for good.
    pub fn sent<'a>(
        &self,
        done: impl IntoIterator<Item = (&'a OutboxRow, &'a SendResult)>,
        now: Timestamp,
        give_up_s: i64,
    ) -> Result<()> {
        let limit = self.bounce_limit;
        let tx = &self.db;
        let mut run = Run::begin(self)?;
        for attempt in done {
            note(tx, &mut run, attempt, now, give_up_s, limit)?;
        }
        run.end()
    }

    /// Puts failed mails back into the queue: one, or all. The caller knows that the server takes
    /// mails again, so a hold on sending ends.
    pub fn send_again(&self, id: Option<i64>, now: Timestamp) -> Result<usize> {
        super::refusals::resume(&self.db)?;
        let sql = &format!(
            "UPDATE outbox SET state = '{WAITING}', attempts = 0, next_at = $2,
             created_at = $2, last_error = '', expires_at = NULL
             WHERE state IN ('{FAILED}', '{BOUNCED}') AND recipient <> 'erased'
             AND last_error NOT IN ('{TURN_TAKEN_BACK}', '{TAKEN_BACK}',
               '{OF_NO_USE}') AND (CAST($1 AS BIGINT) IS NULL OR id = $1)"
        );
        self.db.exec(sql, params![id, ms(now)])
    }

    /// Queues mails that no incoming mail caused.
    pub fn post(&self, mails: &[QueuedMail], now: Timestamp) -> Result<()> {
        mails.iter().try_for_each(|m| enqueue(&self.db, m, None, now))
    }
}

#[cfg(test)]
mod tests {
    use base::clock::FixedEntropy;

    use super::*;
    use crate::Store;

    fn mail(id: &str, to: &str) -> QueuedMail {
        let mail = OutgoingMail {
            to: to.into(),
            envelope_from: "robot@example.org".into(),
            message_id: id.into(),
            bytes: b"Subject: x\r\n\r\nx\r\n".to_vec(),
            bounce: String::new(),
        };
        QueuedMail {
            kind: MailKind::Echo,
            seat: None,
            turn: None,
            expires_at: None,
            mail,
            drawing: Drawing::default(),
            shows: Vec::new(),
        }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_000_000 + second).expect("a time")
    }

    fn store(folder: &std::path::Path) -> Store {
        Store::open(folder, &FixedEntropy::new(1)).expect("the store opens")
    }

    #[test]
    fn the_printouts_of_a_turn_leave_with_the_last_that_is_drawn_and_others_by_themselves() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = store(folder.path());
        let drawn = |n: u8, kind| QueuedMail {
            kind,
            seat: Some(("W7".into(), Seat(n))),
            turn: Some(1),
            drawing: Drawing { what: Some(vec![n]), to_do: true, waits: false },
            ..mail(&n.to_string(), &format!("p{n}@x.org"))
        };
        let printout = MailKind::Printout;
        let mails = [drawn(1, printout), drawn(2, printout), drawn(3, MailKind::Echo)];
        store.write(|tx| tx.outbox().post(&mails, at(0))).expect("posted");
        let ids: Vec<i64> = {
            let asked = store.write(|tx| tx.outbox().to_draw(3, 9, false, at(0))).expect("asked");
            let more = store.write(|tx| tx.outbox().to_draw(3, 9, true, at(0))).expect("asked");
            let mut ids: Vec<i64> = asked.into_iter().chain(more).map(|r| r.id).collect();
            ids.sort_unstable();
            ids
        };
        let mut leave = |id: i64| {
            store.write(|tx| tx.outbox().drawn(id, b"drawn", &[], at(1))).expect("drawn");
            let sql = "SELECT group_concat(id) FROM (SELECT id FROM outbox
                       WHERE state = 'waiting' ORDER BY id)";
            store.database().one(sql, &[], |r| r.get::<_, Option<String>>(0)).expect("a list")
        };
        assert_eq!(leave(ids[0]), None, "its fellow is being drawn");
        assert_eq!(leave(ids[2]).as_deref(), Some("3"), "an echo waits for no printout");
        assert_eq!(leave(ids[1]).as_deref(), Some("1,2,3"));
    }

    #[test]
    fn a_second_attempt_that_is_cut_off_is_given_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = store(folder.path());
        store.write(|tx| tx.outbox().post(&[mail("a", "p@example.org")], at(0))).expect("posted");
        let rows = store.write(|tx| tx.outbox().lease(at(0), 9)).expect("leased");
        store
            .write(|tx| {
                tx.outbox().sent([(&rows[0], &SendResult::Later("450".into()))], at(0), 999)
            })
            .expect("noted");
        store.write(|tx| tx.outbox().release_leases(at(1))).expect("a robot starts");
        assert!(
            store.write(|tx| tx.outbox().lease(at(1), 9)).expect("leased").is_empty(),
            "it waits for its time"
        );
        assert_eq!(
            store.write(|tx| tx.outbox().lease(at(70), 9)).expect("leased").len(),
            1,
            "the second attempt"
        );
        store.write(|tx| tx.outbox().release_leases(at(71))).expect("killed, and started again");
        assert_eq!(
            store.write(|tx| tx.outbox().lease(at(71), 9)).expect("leased").len(),
            1,
            "at once"
        );
    }

    #[test]
    fn mails_that_fail_together_are_tried_again_one_after_the_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = store(folder.path());
        let mails: Vec<_> =
            (0..120).map(|n| mail(&n.to_string(), &format!("p{n}@x.org"))).collect();
        store.write(|tx| tx.outbox().post(&mails, at(0))).expect("posted");
        let rows = store.write(|tx| tx.outbox().lease(at(0), 999)).expect("leased");
        let later = SendResult::Later("450".into());
        store
            .write(|tx| tx.outbox().sent(rows.iter().map(|r| (r, &later)), at(0), 999))
            .expect("noted");
        let sql = "SELECT next_at - $1 FROM outbox ORDER BY id";
        let mut query = store.connection().prepare(sql).expect("a query");
        let waits = query.query_map([ms(at(0))], |r| r.get::<_, i64>(0)).expect("rows");
        let waits: Vec<i64> = waits.map(|w| w.expect("a row")).collect();
        // Five seconds, and up to a tenth more; each hundredth mail gets nothing extra.
        let wanted: Vec<i64> = (1..=120).map(|id| 5000 + 5 * (id % 100)).collect();
        assert_eq!(waits, wanted);
    }

    #[test]
    fn a_mail_behind_another_is_not_due_before_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = store(folder.path());
        store.write(|tx| tx.outbox().post(&[mail("a", "p@example.org")], at(0))).expect("posted");
        let rows = store.write(|tx| tx.outbox().lease(at(0), 9)).expect("leased");
        store
            .write(|tx| {
                tx.outbox().sent([(&rows[0], &SendResult::Later("450".into()))], at(0), 999)
            })
            .expect("noted");
        store.write(|tx| tx.outbox().post(&[mail("b", "p@example.org")], at(3))).expect("posted");
        assert!(
            store.write(|tx| tx.outbox().lease(at(3), 9)).expect("leased").is_empty(),
            "order is kept"
        );
        let next = store.outbox().next_send().expect("read").expect("something waits");
        assert!(next >= at(5), "nothing can be sent before the first is tried again: {next}");
        store.write(|tx| tx.outbox().post(&[mail("c", "q@example.org")], at(4))).expect("posted");
        assert_eq!(store.outbox().next_send().expect("read"), Some(at(4)), "others do not wait");
    }
}
