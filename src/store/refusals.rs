//! Refusals by our mail server that are not a player's fault: it refuses all our mails, or a mail
//! is larger than it takes.
//!
//! Five refused recipients in a row are not five wrong addresses. Then none of them is blamed,
//! nothing is sent for a while, and one mail at a time tries whether the server takes mails again.

use jiff::Timestamp;

use super::db::{Db, params};
use super::people;
use super::unit::set_note;
use super::words::sql::*;
use super::{MailKind, OutboxRow, Reader, Result, ms, time};

/// Waits between attempts, in seconds; the last one repeats.
const RETRY_S: [i64; 9] = [5, 30, 120, 300, 900, 1800, 3600, 7200, 14400];

/// The number of different recipients refused in a row from which the server counts as the cause.
const IN_A_ROW: usize = 5;
/// Waits between trial mails, in seconds; the last one repeats.
const HELD_S: [i64; 5] = [900, 1800, 3600, 7200, 14_400];
/// How long to wait for a trial mail before another one goes.
const PROBE_S: i64 = 600;
/// How long a size limit that the server named is believed.
const SIZE_DAYS: i64 = 30;
/// Octets that a mail may always have, however little the server takes: less could not say
/// anything.
const LEAST: usize = 10_000;
/// How often a mail is drawn again at most; then it leaves as text only.
const DRAWN_MAX: u32 = 3;

/// Keys of notes in the store: the last refused mails; the hold on sending, with its end, its count
/// and its beginning; the size that the server takes, and when that was found.
const REFUSED: &str = "refused in a row";
const HELD: &str = "sending held";
const SIZE: &str = "size taken";

/// A hold on sending, because the server refuses all recipients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// When the next mail tries whether it is over.
    pub until: Timestamp,
    /// How often a trial has failed, plus one.
    pub times: u32,
    /// When it began.
    pub since: Timestamp,
}

impl Held {
    fn of(note: &str) -> Option<Self> {
        let numbers: Vec<i64> = note.split(' ').map_while(|n| n.parse().ok()).collect();
        let [until, times, since] = numbers[..] else { return None };
        Some(Self {
            until: time(until),
            times: u32::try_from(times).unwrap_or(u32::MAX),
            since: time(since),
        })
    }

    fn begun(times: u32, since: Timestamp, now: Timestamp) -> Self {
        let wait = HELD_S[(times as usize).min(HELD_S.len() - 1)];
        Self { until: time(ms(now) + wait * 1000), times: times + 1, since }
    }

    /// Whether a trial mail is on its way. A mail that was on its way when the hold began does not
    /// count as a trial.
    fn is_asked(&self, now: Timestamp) -> bool {
        ms(self.until) - ms(now) <= PROBE_S * 1000
    }

    fn note(held: Option<Self>) -> String {
        held.map_or_else(String::new, |h| format!("{} {} {}", ms(h.until), h.times, ms(h.since)))
    }
}

impl Reader {
    /// The hold on sending; `None`: mails leave.
    pub fn sending_held(&self) -> Result<Option<Held>> {
        Ok(self.note(HELD)?.as_deref().and_then(Held::of))
    }

    /// The size in octets of the largest mail that the server says it takes, and when it said so;
    /// `None`: it has refused none for its size.
    pub fn size_taken(&self) -> Result<Option<(usize, Timestamp)>> {
        let note = self.note(SIZE)?.unwrap_or_default();
        let parts =
            note.split_once(' ').and_then(|(n, at)| Some((n.parse().ok()?, at.parse().ok()?)));
        Ok(parts.map(|(n, at)| (n, time(at))))
    }

    /// Octets that a mail may have: the value of the config, or of the server if that is less. A
    /// tenth is left for the mail's header and encoding.
    pub fn sent_bytes_max(&self, config: usize, now: Timestamp) -> Result<usize> {
        let fresh = |at: &Timestamp| now.duration_since(*at).as_hours() < 24 * SIZE_DAYS;
        let taken = self.size_taken()?.filter(|(_, at)| fresh(at));
        Ok(taken.map_or(config, |(n, _)| config.min((n / 10 * 9).max(LEAST))))
    }
}

/// Lets mails leave again at once, when the game master says so.
pub(super) fn resume(tx: &Db) -> Result<()> {
    set_note(tx, HELD, "")
}

/// How many mails may be claimed: none while sending is held, and one when it is time to try again.
pub(super) fn room(reader: &Reader, limit: u32, now: Timestamp) -> Result<u32> {
    let Some(held) = reader.sending_held()? else { return Ok(limit) };
    if held.until > now {
        return Ok(0);
    }
    let next = Held { until: time(ms(now) + PROBE_S * 1000), ..held };
    set_note(&reader.db, HELD, &Held::note(Some(next)))?;
    Ok(limit.min(1))
}

/// What the attempts of one commit show about the server.
pub(super) struct Run<'a> {
    reader: &'a Reader,
    refused: Vec<i64>,
    held: Option<Held>,
    was: (Vec<i64>, Option<Held>),
}

impl<'a> Run<'a> {
    /// The state as it was noted.
    pub(super) fn begin(reader: &'a Reader) -> Result<Self> {
        let note = reader.note(REFUSED)?.unwrap_or_default();
        let refused: Vec<i64> = note.split(' ').map_while(|n| n.parse().ok()).collect();
        let held = reader.sending_held()?;
        Ok(Self { reader, refused: refused.clone(), held, was: (refused, held) })
    }

    /// Notes the new state.
    pub(super) fn end(self) -> Result<()> {
        if self.refused != self.was.0 {
            let ids: Vec<String> = self.refused.iter().map(i64::to_string).collect();
            set_note(&self.reader.db, REFUSED, &ids.join(" "))?;
        }
        if self.held != self.was.1 {
            set_note(&self.reader.db, HELD, &Held::note(self.held))?;
        }
        Ok(())
    }

    /// Whether the server is the cause of a refusal: then the mail stays in the queue and nobody is
    /// blamed.
    pub(super) fn is_of_server(&self) -> bool {
        self.held.is_some()
    }

    /// The server took a mail, so any hold ends.
    pub(super) fn taken(&mut self) {
        self.refused.clear();
        self.held = None;
    }

    /// The server could not be asked.
    pub(super) fn unknown(&mut self, now: Timestamp) {
        if let Some(held) = self.held.as_mut().filter(|h| h.is_asked(now)) {
            held.until = time(ms(now) + HELD_S[0] * 1000);
        }
    }

    /// The server refused a mail for good.
    pub(super) fn refused(&mut self, row: &OutboxRow, limit: u32, now: Timestamp) -> Result<()> {
        if let Some(held) = self.held {
            if held.is_asked(now) {
                self.held = Some(Held::begun(held.times, held.since, now));
            }
            return Ok(());
        }
        let tx = &self.reader.db;
        let own = self.whose(row.id)?;
        let mut same = None;
        for (n, id) in self.refused.iter().enumerate() {
            if self.whose(*id)? == own {
                same = Some(n);
            }
        }
        // For each recipient, only the last refusal counts.
        if let Some(n) = same {
            self.refused.remove(n);
        }
        self.refused.push(row.id);
        if self.refused.len() < IN_A_ROW {
            return Ok(());
        }
        for id in std::mem::take(&mut self.refused) {
            let sql = &format!(
                "UPDATE outbox SET state = '{WAITING}', next_at = $2 WHERE id = $1
                 AND state = '{FAILED}' RETURNING recipient, attempts"
            );
            let next = retry_at(id, 1, now);
            let whom = tx.first(sql, params![id, next], |r| r.get::<_, String>(0))?;
            if let Some(whom) = whom {
                people::forgive(tx, &whom, limit, now)?;
            }
        }
        self.held = Some(Held::begun(0, now, now));
        Ok(())
    }

    fn whose(&self, id: i64) -> Result<Option<String>> {
        let sql = "SELECT canon FROM outbox WHERE id = $1";
        self.reader.db.first(sql, params![id], |r| r.get(0))
    }
}

/// Makes a mail smaller that is larger than the server takes. A printout is drawn again, and what
/// does not fit goes into further mails; any other mail leaves without its pictures. The result
/// says whether the mail could be made smaller.
pub(super) fn shrink(
    tx: &Db,
    row: &OutboxRow,
    most: Option<usize>,
    now: Timestamp,
) -> Result<bool> {
    // Without a limit from the server, half of the mail's size is assumed.
    let most = most.unwrap_or(row.mail.bytes.len() / 2);
    set_note(tx, SIZE, &format!("{most} {}", ms(now)))?;
    // A mail of text only can't be made smaller.
    if !tx.exists("SELECT 1 FROM outbox WHERE id = $1 AND drawn_z IS NOT NULL", params![row.id])? {
        return Ok(false);
    }
    let again = "UPDATE drawing SET done = 0, until = 0 WHERE outbox = $1 AND done = 1
                 AND attempts < $2";
    if row.kind == MailKind::Printout && tx.exec(again, params![row.id, DRAWN_MAX])? > 0 {
        // These further mails are made again too. None has left, because mails to one recipient
        // keep their order.
        let start = row.mail.message_id.split('@').next().unwrap_or_default();
        let sql = &format!(
            "DELETE FROM outbox WHERE canon = (SELECT canon FROM outbox WHERE id = $1) AND id > $1
             AND kind = '{PART}' AND state IN ('{WAITING}', '{DRAWING}') AND attempts = 0
             AND substr(message_id, 1, length($2)) = $2"
        );
        tx.exec(sql, params![row.id, format!("{start}.")])?;
        tx.exec("UPDATE outbox SET drawn_z = NULL WHERE id = $1", params![row.id])?;
        return Ok(true);
    }
    tx.exec("UPDATE outbox SET drawn_z = NULL WHERE id = $1", params![row.id])?;
    Ok(true)
}

/// When a mail is tried again after `attempts` attempts, in milliseconds.
pub(super) fn retry_at(id: i64, attempts: u32, now: Timestamp) -> i64 {
    let wait = RETRY_S[(attempts as usize).saturating_sub(1).min(RETRY_S.len() - 1)];
    // Up to a tenth more, by id, so that not all mails leave at once when the server is back.
    ms(now) + wait * 1000 + wait * (id % 100)
}
