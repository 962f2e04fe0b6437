//! One game from store to store: which rows go along, and what becomes of their numbers.

use std::borrow::Cow;
use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use super::outbox::{QueuedMail, enqueue};
use super::words::sql::*;
use super::{Reader, Result, Store, StoreError, Tx, copy, to_json};

/// Rows that go along, table by table, in an order in which none names a later one.
/// `?1` is the game's code; of the tables that are not named here nothing goes along: the
/// host's key and notes, which addresses fail, outages, what printouts are drawn from,
/// and questions, whose answers prove themselves by the host's key.
pub const TAKEN_ALONG: &[(&str, &str)] = &[
    ("game", "code = ?1"),
    ("seat", "game = ?1"),
    ("step", "game = ?1"),
    ("turn", "game = ?1"),
    ("mail", "game = ?1 AND verdict IS NOT NULL"),
    ("orders", "game = ?1"),
    ("pending", "game = ?1 AND mail IN (SELECT id FROM out.mail)"),
    ("seal", "game = ?1"),
    ("outbox", "game = ?1"),
    ("credit", "game = ?1"),
    ("vote", "game = ?1"),
    ("waiting", "game = ?1"),
    ("reminded", "game = ?1"),
    ("shown", "game = ?1"),
];
/// Tables of which nothing goes along; every table is in one of the two lists.
pub const LEFT_BEHIND: &[&str] =
    &["host", "question", "address", "outage", "drawing", "act", "signature"];

/// Why an imported game is suspended.
const SUSPENDED_WHY: &str = "imported; release it when the other host has stopped";

/// What a file says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// Code of the game.
    pub code: String,
    /// When it was written.
    pub at: Timestamp,
    /// Version of the program that wrote it.
    pub program: String,
    /// The same for files of one host and game; says nothing else of the host's key.
    pub host: String,
}

/// What is noted of a game that came from a file, until it is released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// Its code there.
    pub was: String,
    /// Reply addresses of its mails and passwords of its seats still prove something.
    pub same: bool,
}

fn note_key(code: &str) -> String {
    format!("moved {code}")
}

/// How a row's columns come out: as they are but for some.
fn take(
    conn: &Connection,
    (from, to): (&str, &str),
    (table, which): (&str, &str),
    other: &[(&str, Cow<str>)],
    values: &[&dyn rusqlite::ToSql],
) -> Result<()> {
    let (mut names, mut read) = (Vec::new(), Vec::new());
    for column in copy::columns(conn, to, table)? {
        match other.iter().find(|(name, _)| *name == column) {
            // The new row gets a number of its own.
            Some((_, expression)) if expression.is_empty() => continue,
            Some((_, expression)) => read.push(expression.to_string()),
            None => read.push(format!("{table}.{column}")),
        }
        names.push(column);
    }
    let (names, read) = (names.join(", "), read.join(", "));
    let sql = format!(
        "INSERT INTO {to}.{table} ({names}) SELECT {read} FROM {from}.{table} WHERE {which}"
    );
    conn.execute(&sql, values)?;
    Ok(())
}

/// What is not as it was in the file; `?1` is the code here.
fn changes(table: &str) -> Vec<(&'static str, Cow<'static, str>)> {
    const MAIL: &str = "(SELECT new FROM temp.renumbered WHERE old = orders.mail)";
    let game = ("game", Cow::from("?1"));
    match table {
        "game" => vec![
            ("code", "?1".into()),
            ("status", format!("CASE status WHEN '{OVER}' THEN status ELSE '{SUSPENDED}' END").into()),
            ("suspended_why", format!("CASE status WHEN '{OVER}' THEN suspended_why ELSE ?2 END").into()),
        ],
        // Which addresses fail is this host's own experience.
        "seat" => vec![
            game,
            (
                "unreachable",
                "EXISTS (SELECT 1 FROM main.address a WHERE a.address = seat.address
                 AND a.suppressed_at IS NOT NULL)".into(),
            ),
        ],
        "mail" => vec![
            game,
            ("id", "(SELECT new FROM temp.renumbered WHERE old = mail.id)".into()),
            // No inbox can have this name together with this key.
            ("source", "'import ' || ?1".into()),
            ("key", "CAST(mail.id AS TEXT)".into()),
            ("moved", "1".into()),
        ],
        "orders" => vec![game, ("mail", MAIL.into())],
        "pending" => vec![game, ("mail", "(SELECT new FROM temp.renumbered WHERE old = pending.mail)".into())],
        "outbox" => vec![
            game,
            ("id", "".into()),
            ("cause", "(SELECT new FROM temp.renumbered WHERE old = outbox.cause)".into()),
            // They are the other host's to send; here they can be read and answered.
            ("last_error", "'at the host before: ' || outbox.state".into()),
            ("state", format!("'{SENT}'").into()),
            (
                "message_id",
                "CASE WHEN EXISTS (SELECT 1 FROM main.outbox o WHERE o.message_id = outbox.message_id)
                 THEN 'imported.' || ?1 || '.' || outbox.message_id ELSE outbox.message_id END".into(),
            ),
            (
                "bounce",
                "CASE WHEN EXISTS (SELECT 1 FROM main.outbox o WHERE o.message_id = outbox.message_id)
                 THEN '' ELSE outbox.bounce END".into(),
            ),
        ],
        "credit" => vec![game, ("id", "".into())],
        // An offer of the other host can't be answered here.
        "waiting" => vec![game, ("id", "".into()), ("offered_at", "NULL".into())],
        _ => vec![game],
    }
}

impl Store {
    /// Writes one game into a new file, as it is at one instant.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; what lies at `to` is for the caller to
    /// remove.
    pub fn export_game(&mut self, about: &Export, to: &Path) -> Result<()> {
        copy::make(to)?;
        let path = copy::name(to);
        self.conn.execute("ATTACH ?1 AS out", [&path])?;
        let done = self.write_out(about);
        self.conn.execute("DETACH out", [])?;
        done
    }

    fn write_out(&self, about: &Export) -> Result<()> {
        let tx = self.conn.unchecked_transaction()?;
        for (table, which) in TAKEN_ALONG {
            let other = match *table {
                "orders" => vec![("mail", "(SELECT id FROM out.mail WHERE id = orders.mail)")],
                // A mail of the game master may speak of other games.
                "outbox" => vec![
                    ("cause", "(SELECT id FROM out.mail WHERE id = outbox.cause)"),
                    ("drawn_z", "NULL"),
                ],
                _ => Vec::new(),
            };
            let other: Vec<_> = other.into_iter().map(|(name, e)| (name, Cow::from(e))).collect();
            take(&tx, ("main", "out"), (table, which), &other, &[&about.code])?;
        }
        let sql = "INSERT INTO out.host VALUES ('export', CAST(?1 AS BLOB))";
        tx.execute(sql, [to_json(about)])?;
        Ok(tx.commit()?)
    }

    /// Takes the one game of a file as `code`, in one commit; it is suspended.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is kept then.
    pub fn import_game(&mut self, from: &Path, code: &str, moved: &Moved) -> Result<()> {
        self.conn.execute("ATTACH ?1 AS moved", [copy::name(from)])?;
        let done = self.read_in(code, moved);
        self.conn.execute("DETACH moved", [])?;
        done
    }

    fn read_in(&mut self, code: &str, moved: &Moved) -> Result<()> {
        self.write(|unit| {
            let tx = &unit.conn;
            tx.execute_batch(
                "DROP TABLE IF EXISTS temp.renumbered;
                 CREATE TEMP TABLE renumbered (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
                 INSERT INTO temp.renumbered
                 SELECT id, (SELECT coalesce(max(id), 0) FROM main.mail)
                   + row_number() OVER (ORDER BY id) FROM moved.mail;",
            )?;
            for (table, _) in TAKEN_ALONG {
                let which = match *table {
                    // Messages keep their order.
                    "outbox" => "?2 IS NOT NULL ORDER BY outbox.id",
                    _ => "?2 IS NOT NULL",
                };
                let values: [&dyn rusqlite::ToSql; 2] = [&code, &SUSPENDED_WHY];
                // Every statement must name ?1 for ?2 to be its second.
                take(tx, ("moved", "main"), (table, which), &changes(table), &values)?;
            }
            tx.execute_batch("DROP TABLE temp.renumbered")?;
            // Of mails of another host only that host knows whether they are its own.
            // Nor does its own know which came before the secrets of a seat had ended.
            let sql = "UPDATE seat SET epoch_mail = CASE WHEN ?2 AND epoch = 0 THEN 0 ELSE
                       (SELECT coalesce(max(id), 0) FROM main.outbox) END WHERE game = ?1";
            tx.execute(sql, params![code, moved.same])?;
            let sql = "INSERT OR REPLACE INTO host VALUES (?1, CAST(?2 AS BLOB))";
            tx.execute(sql, [note_key(code), to_json(moved)])?;
            Ok(())
        })
    }
}

impl Reader {
    /// What a file with one game says of itself.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when it says nothing.
    pub fn export_note(&self) -> Result<Export> {
        let note = self.note("export")?.unwrap_or_default();
        serde_json::from_str(&note).map_err(|e| StoreError::Corrupt(e.to_string()))
    }

    /// What is noted of a game that came from a file and was not released yet.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn moved_game(&self, code: &str) -> Result<Option<Moved>> {
        let note = self.note(&note_key(code))?;
        Ok(note.and_then(|n| serde_json::from_str(&n).ok()))
    }
}

impl Tx<'_> {
    /// Lets a game go on that came from a file, with the mails that tell of it.
    ///
    /// # Errors
    /// [`StoreError`]; the game stays suspended then.
    pub fn release_moved(
        &self,
        code: &str,
        deadline: Timestamp,
        mails: &[QueuedMail],
        now: Timestamp,
    ) -> Result<bool> {
        let tx = &self.conn;
        let sql = &format!(
            "UPDATE game SET status = '{RUNNING}', suspended_why = ''
             WHERE code = ?1 AND status = '{SUSPENDED}'"
        );
        if tx.execute(sql, params![code])? == 0 {
            return Ok(false);
        }
        super::step::set_due(tx, code, None, Some(deadline))?;
        mails.iter().try_for_each(|m| enqueue(tx, m, None, now))?;
        tx.execute("DELETE FROM host WHERE key = ?1", [note_key(code)])?;
        Ok(true)
    }
}
