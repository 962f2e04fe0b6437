//! Everything that a view of the host shows, in one consistent read without any state of
//! a game.

use jiff::Timestamp;

use super::db::{Db, FromRead, Row, Sql, params};
use super::mails::in_quarantine;
use super::words::sql::*;
use super::{
    MailKind, MailState, Reader, Reason, Result, Status, Step, Verdict, Worker, json, ms, step,
    time,
};
use base::schedule::Rule;
use base::terms::Terms;
use engine::{Seat, Setup, Turn};

/// The host at an instant, as the store has it.
#[derive(Debug, Clone, Default)]
pub struct HostSummary {
    /// The games, by code.
    pub games: Vec<GameSummary>,
    /// The seats, by game and number; seats that were never given have no row.
    pub seats: Vec<SeatSummary>,
    /// Seats whose cards for their game's open turn hold at least one line.
    pub cards: Vec<(String, Seat)>,
    /// The newest mails, newest first.
    pub mails: Vec<MailSummary>,
    /// Numbers of mails by their verdict; those without one still wait for it.
    pub verdicts: Vec<(Option<Verdict>, u64)>,
    /// Numbers of our mails by state.
    pub outbox: Vec<(MailState, u64)>,
    /// When the oldest mail that has not left was written.
    pub oldest_waiting: Option<Timestamp>,
    /// When the next waiting mail is due.
    pub next_send: Option<Timestamp>,
    /// Mails that did not arrive, newest first.
    pub unsent: Vec<OutboxSummary>,
    /// The newest mails that wait for another attempt, newest first.
    pub retried: Vec<OutboxSummary>,
    /// Mails that wait for the game master.
    pub quarantined: u32,
    /// When each inbox was last read successfully, for inboxes that were ever read.
    pub reads: Vec<(String, Timestamp)>,
    /// Times without mail, oldest first.
    pub outages: Vec<(Timestamp, Timestamp)>,
    /// Turns that ran, in all games.
    pub turns_run: u64,
    /// Bytes of the store's file, or of the database.
    pub bytes: u64,
    /// Workers that share the store, by name; empty where nobody shares it.
    pub workers: Vec<Worker>,
}

/// A game without its data files.
#[derive(Debug, Clone)]
pub struct GameSummary {
    /// Code of the game.
    pub code: String,
    /// Id of the engine that runs it.
    pub engine: String,
    /// Version of the engine's rules that it is played by.
    pub rules_version: u32,
    /// Number of seats.
    pub seats: u8,
    /// The state that it is in.
    pub status: Status,
    /// Why it is suspended, as text; may be empty.
    pub suspended_why: String,
    /// The open turn; 0 before the start.
    pub turn: Turn,
    /// The open step.
    pub step: Step,
    /// How many minutes after the deadline cards still count.
    pub grace_minutes: u32,
    /// Name of the time zone of its deadlines.
    pub zone: String,
    /// Players may take seats by mail.
    pub join: bool,
}

/// A seat without its player's address.
#[derive(Debug, Clone)]
pub struct SeatSummary {
    /// Code of the game.
    pub game: String,
    /// Number of the seat.
    pub seat: Seat,
    /// The name that the seat goes by in the game.
    pub name: String,
    /// Whether a computer plays this seat.
    pub computer: bool,
    /// Whether the player has left.
    pub resigned: bool,
    /// Whether mail fails to reach the player.
    pub unreachable: bool,
    /// The turn that the player is ready for; 0: none.
    pub ready: Turn,
    /// Turns in a row without orders.
    pub missed: u32,
    /// The player's absence: from when until when.
    pub away: Option<(Timestamp, Timestamp)>,
}

/// An incoming mail, without its sender.
#[derive(Debug, Clone)]
pub struct MailSummary {
    /// Number of the mail.
    pub id: i64,
    /// When it was received.
    pub at: Timestamp,
    /// The verdict; `None`: it still waits for one.
    pub verdict: Option<Verdict>,
    /// Why it has that verdict.
    pub reason: Reason,
    /// Code of the game that it was for, if known.
    pub game: Option<String>,
    /// Number of the seat that it came from, if known.
    pub seat: Option<u8>,
}

/// One of our mails that has not left or did not arrive, without its recipient.
#[derive(Debug, Clone)]
pub struct OutboxSummary {
    /// Number of the mail in the outbox.
    pub id: i64,
    /// When it was queued.
    pub at: Timestamp,
    /// What it is.
    pub kind: MailKind,
    /// What has become of it.
    pub state: MailState,
    /// Code of the game that it is about, if any.
    pub game: Option<String>,
    /// Number of the seat that it is for, if any.
    pub seat: Option<u8>,
    /// Attempts to send it so far.
    pub attempts: u32,
    /// When it is tried next, while it waits.
    pub next_at: Timestamp,
    /// What the server said at the last attempt; it may quote an address.
    pub last_error: String,
}

/// How much each list holds.
#[derive(Debug, Clone, Copy)]
pub struct SummaryLimits {
    /// Newest mails.
    pub mails: u32,
    /// Newest of our mails that did not arrive.
    pub unsent: u32,
    /// Only outages that ended after this.
    pub since: Timestamp,
}

impl Reader {
    /// The host at an instant.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it.
    pub fn summary(&self, span: SummaryLimits) -> Result<HostSummary> {
        // All of it reads one state of the store, also within an open commit.
        let reading = !self.in_commit();
        if reading {
            self.db.link().begin_reading()?;
        }
        let summary = self.summary_now(span);
        if reading {
            self.db.link().rollback();
        }
        summary
    }

    fn summary_now(&self, span: SummaryLimits) -> Result<HostSummary> {
        let conn = &self.db;
        let games = format!("{GAMES}, {} FROM {} ORDER BY code", step::COLUMNS, step::GAMES);
        let quarantined = format!("SELECT count(*) FROM mail WHERE {}", in_quarantine());
        Ok(HostSummary {
            games: conn.all(&games, params![], game)?,
            seats: conn.all(SEATS, params![], seat)?,
            cards: conn.all(&cards(), params![], |r| Ok((r.get(0)?, Seat(r.get(1)?))))?,
            mails: conn.all(MAILS, params![span.mails], mail)?,
            verdicts: conn.all(VERDICTS, params![], counted)?,
            outbox: conn.all(OUTBOX, params![], counted)?,
            oldest_waiting: one(conn, &oldest())?,
            next_send: self.outbox().next_send()?,
            unsent: conn.all(&unsent(), params![span.unsent], queued)?,
            retried: conn.all(&retried(), params![span.unsent], queued)?,
            quarantined: conn.one(&quarantined, params![], |r| r.get(0))?,
            reads: reads(conn)?,
            outages: conn.all(OUTAGES, params![ms(span.since)], |r| {
                Ok((time(r.get(0)?), time(r.get(1)?)))
            })?,
            turns_run: number(conn, "SELECT count(*) FROM turn WHERE turn > 0")?,
            workers: self.workers().all()?,
            bytes: conn.one(BYTES, params![], |r| r.get::<_, i64>(0))?.unsigned_abs(),
        })
    }
}

const GAMES: &str =
    "SELECT code, engine, rules_version, setup, status, suspended_why, turn, rule, terms";

const SEATS: &str = "SELECT game, seat, name, computer, resigned, unreachable, ready, missed,
    away_from, away_until FROM seat ORDER BY game, seat";

/// Cards on file for open turns. Lines that were carried over from an earlier step are not a card.
/// An empty card is a withdrawn one; its text shows that, because reading the JSON of all cards
/// takes longer than everything else.
fn cards() -> String {
    format!(
        r#"SELECT o.game, o.seat FROM game g JOIN orders o
    ON o.game = g.code AND o.turn = g.turn
    WHERE g.status IN ('{RUNNING}', '{SUSPENDED}') AND o.mail IS NOT NULL
    AND o.card NOT LIKE '%"lines":[]%'
    ORDER BY o.game, o.seat"#
    )
}

const MAILS: &str = "SELECT id, received_at, verdict, reason, game, seat FROM mail
    ORDER BY id DESC LIMIT $1";

const VERDICTS: &str = "SELECT verdict, count(*) FROM mail GROUP BY verdict
    ORDER BY coalesce(verdict, '')";

const OUTBOX: &str = "SELECT state, count(*) FROM outbox GROUP BY state ORDER BY state";

fn oldest() -> String {
    format!("SELECT min(created_at) FROM outbox WHERE state IN ('{WAITING}', '{DRAWING}')")
}

/// Our mails that will not leave by themselves, newest first.
fn unsent() -> String {
    format!(
        "{QUEUED} WHERE state IN ('{FAILED}', '{BOUNCED}', '{SUPPRESSED}')
         ORDER BY id DESC LIMIT $1"
    )
}

/// Our mails whose last attempt failed and that are tried again, newest first.
fn retried() -> String {
    format!(
        "{QUEUED} WHERE state = '{WAITING}' AND attempts > 0 AND last_error <> ''
         ORDER BY id DESC LIMIT $1"
    )
}

/// What [`queued`] reads.
pub(super) const QUEUED: &str = "SELECT id, created_at, kind, state, game, seat, attempts, next_at,
    last_error FROM outbox";

const OUTAGES: &str = "SELECT began, ended FROM outage WHERE ended > $1 ORDER BY began";

const BYTES: Sql = Sql {
    lite: "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    pg: "SELECT pg_database_size(current_database())",
};

fn one(conn: &Db, sql: &str) -> Result<Option<Timestamp>> {
    let found: Option<i64> = conn.one(sql, params![], |r| r.get(0))?;
    Ok(found.map(time))
}

fn number(conn: &Db, sql: &str) -> Result<u64> {
    let found: i64 = conn.one(sql, params![], |r| r.get(0))?;
    Ok(found.unsigned_abs())
}

fn counted<T: FromRead>(row: &Row) -> Result<(T, u64)> {
    Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()))
}

/// Notes of the inbox threads: the names of inboxes, and when each was read.
fn reads(conn: &Db) -> Result<Vec<(String, Timestamp)>> {
    let sql = "SELECT substr(key, 6), value FROM host
               WHERE substr(key, 1, 5) = 'read ' ORDER BY key";
    let notes: Vec<(String, Vec<u8>)> = conn.all(sql, params![], |r| Ok((r.get(0)?, r.get(1)?)))?;
    let read =
        |(name, at): (String, Vec<u8>)| Some((name, String::from_utf8(at).ok()?.parse().ok()?));
    Ok(notes.into_iter().filter_map(read).collect())
}

fn game(row: &Row) -> Result<GameSummary> {
    let setup: Setup = json(&row.get::<_, String>("setup")?)?;
    let rule: Rule = json(&row.get::<_, String>("rule")?)?;
    let terms: Terms = json(&row.get::<_, String>("terms")?)?;
    Ok(GameSummary {
        code: row.get("code")?,
        engine: row.get("engine")?,
        rules_version: row.get("rules_version")?,
        seats: setup.seats,
        status: row.get("status")?,
        suspended_why: row.get("suspended_why")?,
        turn: row.get("turn")?,
        step: step::step(row)?,
        grace_minutes: terms.grace_minutes,
        zone: rule.zone,
        join: terms.join,
    })
}

fn seat(row: &Row) -> Result<SeatSummary> {
    let from: Option<i64> = row.get("away_from")?;
    let until: Option<i64> = row.get("away_until")?;
    Ok(SeatSummary {
        game: row.get("game")?,
        seat: Seat(row.get("seat")?),
        name: row.get("name")?,
        computer: row.get("computer")?,
        resigned: row.get("resigned")?,
        unreachable: row.get("unreachable")?,
        ready: row.get("ready")?,
        missed: row.get("missed")?,
        away: from.zip(until).map(|(f, u)| (time(f), time(u))),
    })
}

pub(super) fn mail(row: &Row) -> Result<MailSummary> {
    Ok(MailSummary {
        id: row.get("id")?,
        at: time(row.get("received_at")?),
        verdict: row.get("verdict")?,
        reason: row.get("reason")?,
        game: row.get("game")?,
        seat: row.get("seat")?,
    })
}

pub(super) fn queued(row: &Row) -> Result<OutboxSummary> {
    Ok(OutboxSummary {
        id: row.get("id")?,
        at: time(row.get("created_at")?),
        kind: row.get("kind")?,
        state: row.get("state")?,
        game: row.get("game")?,
        seat: row.get("seat")?,
        attempts: row.get("attempts")?,
        next_at: time(row.get("next_at")?),
        last_error: row.get("last_error")?,
    })
}
