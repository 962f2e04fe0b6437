//! Incoming mail: stored first, then judged in one commit with all effects.

mod writing;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use super::db::{Args, LISTED, Row, list_of, numbers_of_list, params};
use super::effects::Effect;
use super::outbox::QueuedMail;
use super::part::part;
use super::words::sql::*;
use super::{Reason, Result, Standing, StoreError, Verdict, canonical, ms, time, unpack};
use engine::{CardText, Seat, Turn};
use mail::Folder;
use mail::auth::Authenticity;

/// A mail that was stored and waits for its verdict.
#[derive(Debug, Clone)]
pub struct StoredMail {
    /// Number of the mail.
    pub id: i64,
    /// Name of the inbox that it came from.
    pub source: String,
    /// The name of the mail within its source.
    pub key: String,
    /// When it was received.
    pub received_at: Timestamp,
    /// Size in bytes.
    pub size: u64,
    /// Attempts to judge it, this one included.
    pub attempts: u32,
    /// The result of our own check of its origin.
    pub authenticity: Authenticity,
    /// The From address that was checked.
    pub checked_from: String,
    /// The raw mail; empty when it is no longer kept.
    pub bytes: Vec<u8>,
}

/// A mail with its verdict, for the game master.
#[derive(Debug, Clone)]
pub struct MailRow {
    /// Number of the mail.
    pub id: i64,
    /// When it was received.
    pub received_at: Timestamp,
    /// Size in bytes.
    pub size: u64,
    /// The verdict; `None`: it still waits for one.
    pub verdict: Option<Verdict>,
    /// Why it has that verdict.
    pub reason: Reason,
    /// Explanation for the game master.
    pub why: String,
    /// Code of the game that it was for, if known.
    pub game: Option<String>,
    /// Number of the seat that it came from, if known.
    pub seat: Option<u8>,
    /// The turn that it was for, if known.
    pub turn: Option<Turn>,
    /// Address of the sender; may be empty.
    pub sender: String,
}

/// A seat's orders for a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiledOrders {
    /// The card with its orders.
    pub card: CardText,
    /// When it was received.
    pub received_at: Timestamp,
    /// The mail that they came by; their receipt number.
    pub mail: Option<i64>,
}

/// When orders on file came, and by which mail; it differs when the orders differ.
pub type Filed = (Timestamp, Option<i64>);

/// One verdict with everything that it causes.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is that verdict.
    pub reason: Reason,
    /// Explanation for the game master.
    pub why: String,
    /// The game's code and the seat that it concerns, if known.
    pub seat: Option<(String, Seat)>,
    /// The turn that it concerns, if any.
    pub turn: Option<Turn>,
    /// Address of the sender; may be empty.
    pub sender: String,
    /// Identity of the content; empty when it could not be read.
    pub digest: String,
    /// Identity of its words only, to recognize the same text; empty: not computed.
    pub words: String,
    /// Whether it answers one of our answers that was written a short while ago.
    pub quick: bool,
    /// What the mail proved of its sender.
    pub standing: Standing,
    /// The changes that it makes.
    pub effects: Vec<Effect>,
    /// Answers, and other mails that this one causes.
    pub mails: Vec<QueuedMail>,
    /// Mails to the game master that no mail has caused, such as an alarm.
    pub alarms: Vec<QueuedMail>,
}

/// Unproven mails whose raw bytes are kept, in all and for one address.
const RING_MAX: u32 = 2_000;
const RING_OF_ONE: u32 = 50;
/// Mails of a seat that wait for its player's word and whose raw bytes are kept.
const PENDING_MAX: u32 = 50;
/// Mails that wait for the game master and whose raw bytes are kept.
const QUARANTINE_MAX: u32 = 200;
/// Bytes that are kept of each unproven mail, and of each mail of a stranger.
const START_MAX: usize = 64_000;
const STRANGER_MAX: usize = 16_000;
/// The condition for mails in the ring, and for those in the quarantine's ring, as in the indexes.
const IN_RING: &str = "standing <> 'proven' AND raw_z IS NOT NULL
                       AND verdict IN ('accepted', 'rejected', 'ignored')";
const IN_QUARANTINE: &str = "raw_z IS NOT NULL AND verdict = 'quarantined'";

/// Which mails wait for the game master, as a condition.
pub(super) fn in_quarantine() -> String {
    format!(
        "(verdict = '{QUARANTINED}' OR verdict = '{PENDING}' AND EXISTS
         (SELECT 1 FROM pending WHERE pending.mail = mail.id AND used = 0))"
    )
}

pub(super) fn mail_row(row: &Row) -> Result<MailRow> {
    Ok(MailRow {
        id: row.get("id")?,
        received_at: time(row.get("received_at")?),
        size: row.get::<_, i64>("size")?.cast_unsigned(),
        verdict: row.get("verdict")?,
        reason: row.get("reason")?,
        why: row.get("why")?,
        game: row.get("game")?,
        seat: row.get("seat")?,
        turn: row.get("turn")?,
        sender: row.get("sender")?,
    })
}

part!(
    /// Incoming mails: those that were judged, those that wait, those that may be forgotten.
    Mails = Reader.mails
);

part!(
    /// The mails in a unit of work.
    MailsTx = Tx.mails, Mails
);

impl Mails<'_> {
    /// Whether a message is stored.
    pub fn is_kept(&self, source: &str, key: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM mail WHERE source = $1 AND key = $2";
        self.db.exists(sql, params![source, key])
    }

    /// Mails without a verdict, by time of receipt: id and attempts so far; for one inbox or for
    /// all.
    pub fn unjudged_of(&self, source: Option<&str>) -> Result<Vec<(i64, u32)>> {
        let sql = "SELECT id, attempts FROM mail WHERE verdict IS NULL
                   AND (CAST($1 AS TEXT) IS NULL OR source = $1) ORDER BY received_at, id";
        self.db.all(sql, params![source], |r| Ok((r.get(0)?, r.get(1)?)))
    }

    /// Inboxes that have mails without a verdict.
    pub fn unjudged_sources(&self) -> Result<Vec<String>> {
        let sql = "SELECT DISTINCT source FROM mail WHERE verdict IS NULL ORDER BY source";
        self.db.all(sql, params![], |r| r.get(0))
    }

    /// Whether a mail that was received up to an instant has no verdict and may be a card of this
    /// game: it is known to be for this game, or nothing is known about it.
    pub fn awaits_verdict(&self, game: &str, until: Timestamp) -> Result<bool> {
        let sql = "SELECT 1 FROM mail WHERE verdict IS NULL AND received_at <= $2
                   AND (game IS NULL OR game = $1)";
        self.db.exists(sql, params![game, ms(until)])
    }

    /// Mails without a verdict, by time of receipt: id and attempts so far.
    pub fn unjudged(&self) -> Result<Vec<(i64, u32)>> {
        self.unjudged_of(None)
    }

    /// Whether a signature has already vouched for another mail.
    pub fn has_vouched(&self, signature: &str, mail: i64) -> Result<bool> {
        self.lock_word(signature)?;
        let sql = "SELECT 1 FROM signature WHERE id = $1 AND mail <> $2";
        self.db.exists(sql, params![signature, mail])
    }

    /// Another seat of a game for which a signature has vouched in another mail.
    pub fn signed_for(
        &self,
        signature: &str,
        game: &str,
        seat: Seat,
        mail: i64,
    ) -> Result<Option<Seat>> {
        let sql = "SELECT m.seat FROM signature s JOIN mail m ON m.id = s.mail
                   WHERE s.id = $1 AND s.mail <> $2 AND m.game = $3 AND m.seat <> $4
                   AND m.standing = 'proven'";
        self.db.first(sql, params![signature, mail, game, seat.0], |r| Ok(Seat(r.get(0)?)))
    }

    /// The mails among `ids` that have their verdict.
    pub fn with_verdict(&self, ids: &[i64]) -> Result<BTreeSet<i64>> {
        let sql = &format!(
            "SELECT id FROM mail WHERE id IN ({}) AND verdict IS NOT NULL",
            numbers_of_list()
        );
        let mut found = BTreeSet::new();
        for some in ids.chunks(LISTED) {
            let some: Vec<i64> = self.db.all(sql, &list_of(some), |r| r.get(0))?;
            found.extend(some);
        }
        Ok(found)
    }

    /// Attempts to judge a mail so far.
    pub fn attempts(&self, id: i64) -> Result<u32> {
        let sql = "SELECT attempts FROM mail WHERE id = $1";
        self.db.one(sql, params![id], |r| r.get(0))
    }

    /// A mail that was stored.
    pub fn stored(&self, id: i64) -> Result<StoredMail> {
        let found = self.mails_where("id = $1", params![id])?.pop();
        found.ok_or_else(|| StoreError::Data("there is no such mail".to_owned()))
    }

    /// The mails among `ids` that wait for their verdict, in the order of the list.
    pub fn waiting_mails(&self, ids: &[i64]) -> Result<Vec<StoredMail>> {
        let which = format!("id IN ({}) AND verdict IS NULL", numbers_of_list());
        let mut found = Vec::new();
        for some in ids.chunks(LISTED) {
            found.extend(self.mails_where(&which, &list_of(some))?);
        }
        found.sort_by_key(|mail| ids.iter().position(|id| *id == mail.id));
        Ok(found)
    }

    fn mails_where(&self, which: &str, args: Args) -> Result<Vec<StoredMail>> {
        let sql = &format!(
            "SELECT source, key, received_at, size, attempts, raw_z, auth, checked_from, id
             FROM mail WHERE {which}"
        );
        let rows: Vec<(StoredMail, Vec<u8>)> = self.db.all(sql, args, |r| {
            let size: i64 = r.get(3)?;
            let mail = StoredMail {
                id: r.get(8)?,
                source: r.get(0)?,
                key: r.get(1)?,
                received_at: time(r.get(2)?),
                size: size.cast_unsigned(),
                attempts: r.get(4)?,
                authenticity: r.get::<_, String>(6)?.parse().unwrap_or_default(),
                checked_from: r.get(7)?,
                bytes: Vec::new(),
            };
            Ok((mail, r.get::<_, Option<Vec<u8>>>(5)?.unwrap_or_default()))
        })?;
        let whole =
            |(mail, raw): (StoredMail, Vec<u8>)| Ok(StoredMail { bytes: unpack(&raw)?, ..mail });
        rows.into_iter().map(whole).collect()
    }

    /// The raw bytes of a mail, as long as they are kept.
    pub fn raw(&self, id: i64) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT raw_z FROM mail WHERE id = $1 AND raw_z IS NOT NULL";
        let found: Option<Vec<u8>> = self.db.first(sql, params![id], |r| r.get(0))?;
        found.map(|z| unpack(&z)).transpose()
    }

    /// The next mails after a number that have their verdict and whose bytes are kept, at most
    /// `most`: number and bytes.
    pub fn kept_behind(&self, id: i64, most: u32) -> Result<Vec<(i64, Vec<u8>)>> {
        let sql = "SELECT id, raw_z FROM mail WHERE id > $1 AND raw_z IS NOT NULL
                   AND verdict IS NOT NULL ORDER BY id LIMIT $2";
        let rows: Vec<(i64, Vec<u8>)> =
            self.db.all(sql, params![id, most], |r| Ok((r.get(0)?, r.get(1)?)))?;
        rows.into_iter().map(|(id, z)| Ok((id, unpack(&z)?))).collect()
    }

    /// Whether another mail with this content already has a verdict, and whether one of our mails
    /// has this Message-ID.
    pub fn seen_before(
        &self,
        id: i64,
        digest: &str,
        message_id: Option<&str>,
    ) -> Result<(bool, bool)> {
        // Two workers may judge two copies at the same time.
        self.lock_word(digest)?;
        let sql = "SELECT EXISTS (SELECT 1 FROM mail WHERE digest = $2 AND digest <> ''
                     AND id <> $1 AND verdict IS NOT NULL),
                   EXISTS (SELECT 1 FROM outbox WHERE message_id = $3)";
        self.db.one(sql, params![id, digest, message_id], |r| Ok((r.get(0)?, r.get(1)?)))
    }

    /// The digests among `digests` that belong to mails with a verdict.
    pub fn repeated(&self, digests: &[String]) -> Result<BTreeSet<String>> {
        let sql = &format!(
            "SELECT digest FROM mail WHERE digest IN ({}) AND digest <> ''
             AND verdict IS NOT NULL",
            numbers_of_list()
        );
        let mut found = BTreeSet::new();
        for some in digests.chunks(LISTED) {
            self.lock_words(some)?;
            let some: Vec<String> = self.db.all(sql, &list_of(some), |r| r.get(0))?;
            found.extend(some);
        }
        Ok(found)
    }

    /// Mails of a source whose verdict is committed but whose move is not done.
    pub fn to_move(&self, source: &str) -> Result<Vec<(String, Folder)>> {
        let sql = "SELECT key, verdict, moved FROM mail
                   WHERE verdict IS NOT NULL AND moved <> 1 AND source = $1 ORDER BY id";
        let row = |r: &Row| {
            // 2: the mail is removed from the mailbox.
            let folder = match r.get::<_, i64>(2)? {
                2 => Folder::Removed,
                _ => r.get::<_, Verdict>(1)?.folder(),
            };
            Ok((r.get(0)?, folder))
        };
        self.db.all(sql, params![source], row)
    }

    /// The orders that a seat has on file for a turn.
    pub fn orders(&self, game: &str, seat: Seat, turn: Turn) -> Result<Option<FiledOrders>> {
        let sql = "SELECT card, received_at, mail FROM orders
                   WHERE game = $1 AND seat = $2 AND turn = $3";
        let row = |r: &Row| Ok((r.get::<_, String>(0)?, r.get::<_, i64>(1)?, r.get(2)?));
        let read = || self.db.first(sql, params![game, seat.0, turn], row);
        let found: Option<(String, i64, Option<i64>)> =
            self.memo.get(|| format!("orders {game} {seat} {turn}"), read)?;
        let Some((card, received_at, mail)) = found else { return Ok(None) };
        let card = serde_json::from_str(&card).map_err(|e| StoreError::Corrupt(e.to_string()))?;
        Ok(Some(FiledOrders { card, received_at: time(received_at), mail }))
    }

    /// Which orders are on file for a turn, by seat: when they came, and by which mail.
    pub fn filed(&self, game: &str, turn: Turn) -> Result<Arc<BTreeMap<Seat, Filed>>> {
        let sql = "SELECT seat, received_at, mail FROM orders WHERE game = $1 AND turn = $2";
        let row = |r: &Row| Ok((Seat(r.get(0)?), (time(r.get(1)?), r.get(2)?)));
        let read = || self.db.all(sql, params![game, turn], row).map(Arc::new);
        self.memo.get(|| format!("filed {game} {turn}"), read)
    }

    /// Whether a game has seals for a turn that are not opened yet.
    pub fn has_seals(&self, game: &str, turn: Turn) -> Result<bool> {
        let sql = "SELECT 1 FROM seal WHERE game = $1 AND turn = $2 AND opened IS NULL";
        let read = || self.db.exists(sql, params![game, turn]);
        self.memo.get(|| format!("seals {game} {turn}"), read)
    }

    /// Proven cards of a seat since `since`, counted up to `most`; what others send in its name
    /// does not count against it.
    pub fn cards_since(&self, game: &str, seat: Seat, since: Timestamp, most: u32) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM (SELECT 1 FROM mail WHERE game = $1 AND seat = $2
             AND reason IN ('{FILED}', '{ADDED}', '{CANCELLED}', '{CHECKED}')
             AND judged_at >= $3 LIMIT $4) AS found"
        );
        let row = params![game, seat.0, ms(since), most];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// Letters from a seat that were passed on since an instant, by its mails and its cards.
    pub fn letters_of_since(&self, game: &str, seat: Seat, since: Timestamp) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM mail JOIN outbox ON outbox.cause = mail.id
             WHERE mail.game = $1 AND mail.seat = $2 AND mail.judged_at >= $3
             AND outbox.kind = '{RELAY}'"
        );
        self.db.one(sql, params![game, seat.0, ms(since)], |r| r.get(0))
    }

    /// Letters to an address since an instant.
    pub fn letters_to_since(&self, address: &str, since: Timestamp) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM outbox WHERE canon = $1 AND created_at >= $2
             AND kind = '{RELAY}'"
        );
        self.db.one(sql, params![canonical(address), ms(since)], |r| r.get(0))
    }

    /// Whether a seat's letter was passed on since an instant; `digest` is in the `why` of its
    /// verdict.
    pub fn relayed(&self, game: &str, seat: Seat, digest: &str, since: Timestamp) -> Result<bool> {
        let sql = &format!(
            "SELECT 1 FROM mail WHERE game = $1 AND seat = $2 AND reason = '{RELAYED}'
             AND why = $3 AND judged_at >= $4"
        );
        self.db.exists(sql, params![game, seat.0, digest, ms(since)])
    }

    /// Verdicts on mails with these words from an address, with this standing, that were answered
    /// since an instant, accepted or not; newest first.
    pub fn said_before(
        &self,
        (address, standing): (&str, Standing),
        words: &str,
        since: Timestamp,
    ) -> Result<Vec<Verdict>> {
        let sql = "SELECT verdict FROM mail WHERE sender = $1 AND judged_at >= $3
                   AND words = $2 AND standing = $4 AND verdict IS NOT NULL
                   AND EXISTS (SELECT 1 FROM outbox WHERE cause = mail.id
                     AND canon = $1)
                   ORDER BY judged_at DESC, id DESC LIMIT 20";
        let row = params![canonical(address), words, ms(since), standing];
        self.db.all(sql, row, |r| r.get(0))
    }

    /// When the oldest of the `n` newest mails from an address, with this standing, was judged;
    /// `None`: not all of them have these words, or there are fewer than `n`.
    pub fn repeats(
        &self,
        (address, standing): (&str, Standing),
        words: &str,
        n: u32,
    ) -> Result<Option<Timestamp>> {
        let sql = "SELECT count(*), min(judged_at) FROM (SELECT words, judged_at FROM mail
                   WHERE sender = $1 AND standing = $3 AND judged_at IS NOT NULL
                   ORDER BY judged_at DESC, id DESC LIMIT $4) AS newest WHERE words = $2";
        let row = params![canonical(address), words, standing, n];
        let (same, oldest): (u32, Option<i64>) =
            self.db.one(sql, row, |r| Ok((r.get(0)?, r.get(1)?)))?;
        Ok(oldest.filter(|_| same == n).map(time))
    }

    /// Whether an address has sent, with this standing, at least `n` quick answers to our answers
    /// that were not accepted but got an answer. Only mails since the instant and since its last
    /// accepted mail count.
    pub fn quick_answers(
        &self,
        (address, standing): (&str, Standing),
        n: u32,
        since: Timestamp,
    ) -> Result<bool> {
        let sql = &format!(
            "SELECT count(*) FROM (SELECT 1 FROM mail WHERE sender = $1 AND judged_at >= $2
             AND standing = $3 AND quick = 1 AND verdict <> '{ACCEPTED}'
             AND id > (SELECT coalesce(max(id), 0) FROM mail WHERE sender = $1
               AND standing = $3 AND verdict = '{ACCEPTED}')
             AND EXISTS (SELECT 1 FROM outbox WHERE cause = mail.id
                     AND canon = $1) LIMIT $4) AS found"
        );
        let row = params![canonical(address), ms(since), standing, n];
        let found: u32 = self.db.one(sql, row, |r| r.get(0))?;
        Ok(found >= n)
    }

    /// Mails of an address that were judged since an instant for one reason.
    pub fn mails_with(&self, address: &str, reason: Reason, since: Timestamp) -> Result<u32> {
        let sql = "SELECT count(*) FROM mail WHERE sender = $1 AND reason = $2
                   AND judged_at >= $3";
        let row = params![canonical(address), reason, ms(since)];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// Mails that wait for the game master: those that could not be read, and pending cards
    /// that nobody confirmed.
    pub fn quarantined(&self, limit: u32) -> Result<Vec<MailRow>> {
        let waits = in_quarantine();
        let sql = &format!("SELECT * FROM mail WHERE {waits} ORDER BY id DESC LIMIT $1");
        self.db.all(sql, params![limit], mail_row)
    }

    /// Cards of a seat that became pending since `since`.
    pub fn pending_since(&self, game: &str, seat: Seat, since: Timestamp) -> Result<u32> {
        let sql = &format!(
            "SELECT count(*) FROM mail WHERE game = $1 AND seat = $2
             AND verdict = '{PENDING}' AND judged_at >= $3"
        );
        let row = params![game, seat.0, ms(since)];
        self.db.one(sql, row, |r| r.get(0))
    }

    /// The game and seat of a pending mail that nobody confirmed yet.
    pub fn pending(&self, mail: i64) -> Result<Option<(String, Seat)>> {
        let sql = "SELECT game, seat FROM pending WHERE mail = $1 AND used = 0";
        let row = |r: &Row| Ok((r.get(0)?, Seat(r.get(1)?)));
        self.db.first(sql, params![mail], row)
    }

    /// The pending mails of a seat, newest first.
    pub fn pending_of(&self, game: &str, seat: Seat) -> Result<Vec<i64>> {
        let sql = "SELECT mail FROM pending WHERE game = $1 AND seat = $2 AND used = 0
                   ORDER BY mail DESC LIMIT 500";
        self.db.all(sql, params![game, seat.0], |r| r.get(0))
    }

    /// When a mail was received.
    pub fn received_at(&self, mail: i64) -> Result<Option<Timestamp>> {
        let sql = "SELECT received_at FROM mail WHERE id = $1";
        let found: Option<i64> = self.db.first(sql, params![mail], |r| r.get(0))?;
        Ok(found.map(time))
    }

    /// Mails for the game master, newest last.
    pub fn latest(&self, limit: u32) -> Result<Vec<MailRow>> {
        let sql =
            "SELECT * FROM (SELECT * FROM mail ORDER BY id DESC LIMIT $1) AS newest ORDER BY id";
        self.db.all(sql, params![limit], mail_row)
    }

    /// The newest mails of a person, at most `most`, oldest first.
    pub fn mails_of(&self, address: &str, most: u32) -> Result<Vec<MailRow>> {
        let sql = "SELECT * FROM mail WHERE sender = $1 ORDER BY id DESC LIMIT $2";
        let mut mails: Vec<MailRow> =
            self.db.all(sql, params![canonical(address), most], mail_row)?;
        mails.reverse();
        Ok(mails)
    }

    /// The number of mails from and to a person.
    pub fn mails_with_person(&self, address: &str) -> Result<u32> {
        let sql = "SELECT (SELECT count(*) FROM mail WHERE sender = $1)
                   + (SELECT count(*) FROM outbox WHERE canon = $1)";
        self.db.one(sql, params![canonical(address)], |r| r.get(0))
    }

    /// One mail for the game master.
    pub fn mail(&self, id: i64) -> Result<Option<MailRow>> {
        let sql = "SELECT * FROM mail WHERE id = $1";
        self.db.first(sql, params![id], mail_row)
    }
}
