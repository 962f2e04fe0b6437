//! Moving one game from store to store: which rows go along, and which new numbers they get.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::db::{Bind, Db, Lite, Value, params};
use super::outbox::{QueuedMail, enqueue};
use super::rows::{self, Line};
use super::unit::set_note;
use super::words::sql::*;
use super::{Reader, Result, Status, Store, StoreError, Tx, copy, to_json};

/// Rows that go along, table by table, in an order in which none refers to a later one. `$1` is the
/// game's code. Nothing goes along from tables that are not listed here: the host's key and notes,
/// failing addresses, outages, the data that printouts are drawn from, and questions, whose answers
/// are proven by the host's key.
pub const TAKEN_ALONG: &[(&str, &str)] = &[
    ("game", "code = $1"),
    ("seat", "game = $1"),
    ("step", "game = $1"),
    ("turn", "game = $1"),
    ("mail", "game = $1 AND verdict IS NOT NULL"),
    ("orders", "game = $1"),
    ("pending", "game = $1"),
    ("seal", "game = $1"),
    ("outbox", "game = $1"),
    ("credit", "game = $1"),
    ("vote", "game = $1"),
    ("waiting", "game = $1"),
    ("reminded", "game = $1"),
    ("shown", "game = $1"),
];
/// Tables of which nothing goes along; every table is in one of the two lists.
pub const LEFT_BEHIND: &[&str] = &[
    "host",
    "question",
    "address",
    "outage",
    "drawing",
    "act",
    "signature",
    "worker",
    "lease",
    "mailbox",
    "look",
];

/// Why an imported game is suspended.
const SUSPENDED_WHY: &str = "imported; release it when the other host has stopped";

/// The note in a file about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// Code of the game.
    pub code: String,
    /// When it was written.
    pub at: Timestamp,
    /// Version of the program that wrote it.
    pub program: String,
    /// The same text for all files of one host and game; reveals nothing else about the host's key.
    pub host: String,
}

/// The note about a game that came from a file, until it is released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// Its code on the other host.
    pub was: String,
    /// Whether reply addresses of its mails and passwords of its seats still prove something.
    pub same: bool,
}

fn note_key(code: &str) -> String {
    format!("moved {code}")
}

/// Changes a row of a file for the store that it goes into.
fn changed(
    line: &mut Line,
    table: &str,
    (code, here): (&str, &Db),
    mails: &BTreeMap<i64, i64>,
) -> Result<()> {
    let text = |words: &str| Value::Text(words.to_owned());
    let renumbered = |old: &Value| match old {
        Value::Int(old) => mails.get(old).map_or(Value::Null, |new| Value::Int(*new)),
        _ => Value::Null,
    };
    line.set(if table == "game" { "code" } else { "game" }, text(code));
    match table {
        "game" if line.text("status") != OVER.as_str() => {
            line.set("status", text(Status::Suspended.as_str()));
            line.set("suspended_why", text(SUSPENDED_WHY));
        }
        // Each host knows by itself which addresses fail.
        "seat" => {
            let sql = "SELECT 1 FROM address WHERE address = $1 AND suppressed_at IS NOT NULL";
            let suppressed = here.exists(sql, params![line.get("canon")])?;
            line.set("unreachable", Value::Int(suppressed.into()));
        }
        "mail" => {
            // No inbox has both this name and this key.
            line.set("source", text(&format!("import {code}")));
            if let Value::Int(id) = line.get("id") {
                line.set("key", text(&id.to_string()));
            }
            line.set("moved", Value::Int(1));
        }
        "orders" | "pending" => line.set("mail", renumbered(line.get("mail"))),
        "outbox" => {
            line.set("cause", renumbered(line.get("cause")));
            // The other host sends them; here they can be read and answered.
            line.set("last_error", text(&format!("at the host before: {}", line.text("state"))));
            line.set("state", text(SENT.as_str()));
            let sql = "SELECT 1 FROM outbox WHERE message_id = $1";
            if here.exists(sql, params![line.get("message_id")])? {
                let other = format!("imported.{code}.{}", line.text("message_id"));
                line.set("message_id", text(&other));
                line.set("bounce", text(""));
            }
        }
        // An offer from the other host can't be answered here.
        "waiting" => line.set("offered_at", Value::Null),
        _ => {}
    }
    Ok(())
}

impl Store {
    /// Writes one game into a new file, as it is at one instant.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; what lies at `to` is for the caller to
    /// remove.
    pub fn export_game(&mut self, about: &Export, to: &Path) -> Result<()> {
        copy::make(to)?;
        let out = Db::new(Lite::over(Connection::open(to)?));
        self.db.link().begin_reading()?;
        let done = self.write_out(about, &out);
        self.db.link().rollback();
        done
    }

    fn write_out(&self, about: &Export, out: &Db) -> Result<()> {
        out.link().begin()?;
        let mut mails = BTreeSet::new();
        let gone = |line: &Line, column: &str, mails: &BTreeSet<i64>| matches!(line.get(column), Value::Int(id) if !mails.contains(id));
        for (table, which) in TAKEN_ALONG {
            let code: &dyn Bind = &about.code;
            rows::each(&self.db, table, which, &[code], |mut line| {
                match *table {
                    "mail" => mails.extend(line.number("id")),
                    "orders" if gone(&line, "mail", &mails) => line.set("mail", Value::Null),
                    "pending" if gone(&line, "mail", &mails) => return Ok(()),
                    // A mail to the game master may mention other games.
                    "outbox" => {
                        line.set("drawn_z", Value::Null);
                        if gone(&line, "cause", &mails) {
                            line.set("cause", Value::Null);
                        }
                    }
                    _ => {}
                }
                rows::put(out, table, &line)
            })?;
        }
        set_note(out, "export", &to_json(about))?;
        out.link().commit()?;
        Ok(())
    }

    /// Takes the one game of a file as `code`, in one commit; it is suspended.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is kept then.
    pub fn import_game(&mut self, from: &Path, code: &str, moved: &Moved) -> Result<()> {
        let file = Db::new(Lite::over(Connection::open(from)?));
        self.write(|tx| tx.read_in(&file, code, moved))
    }
}

impl Tx<'_> {
    fn read_in(&self, file: &Db, code: &str, moved: &Moved) -> Result<()> {
        let mut mails = BTreeMap::new();
        for (table, _) in TAKEN_ALONG {
            rows::each(file, table, "1 = 1", &[], |mut line| {
                let old = line.number("id");
                changed(&mut line, table, (code, &self.db), &mails)?;
                if line.take("id").is_none() {
                    return rows::put(&self.db, table, &line);
                }
                // The new row gets its own number.
                let new = rows::put_anew(&self.db, table, &line)?;
                if *table == "mail" {
                    mails.extend(old.map(|old| (old, new)));
                }
                Ok(())
            })?;
        }
        // Another host's mails prove nothing here. Even on the same host it is unknown which mails
        // were sent before the secrets of a seat had ended.
        let sql = "UPDATE seat SET epoch_mail = CASE WHEN $2 = 1 AND epoch = 0 THEN 0 ELSE
                   (SELECT coalesce(max(id), 0) FROM outbox) END WHERE game = $1";
        self.db.exec(sql, params![code, moved.same])?;
        self.set_note(&note_key(code), &to_json(moved))
    }
}

impl Reader {
    /// The note in a file with one game about itself.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when it has none.
    pub fn export_note(&self) -> Result<Export> {
        let note = self.note("export")?.unwrap_or_default();
        serde_json::from_str(&note).map_err(|e| StoreError::Corrupt(e.to_string()))
    }

    /// The note about a game that came from a file and is not released yet.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn moved_game(&self, code: &str) -> Result<Option<Moved>> {
        let note = self.note(&note_key(code))?;
        Ok(note.and_then(|n| serde_json::from_str(&n).ok()))
    }
}

impl Tx<'_> {
    /// Lets a game from a file go on, and queues the mails that announce it.
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
        let tx = &self.db;
        let sql = &format!(
            "UPDATE game SET status = '{RUNNING}', suspended_why = ''
             WHERE code = $1 AND status = '{SUSPENDED}'"
        );
        if tx.exec(sql, params![code])? == 0 {
            return Ok(false);
        }
        super::step::set_due(tx, code, None, Some(deadline))?;
        mails.iter().try_for_each(|m| enqueue(tx, m, None, now))?;
        tx.exec("DELETE FROM host WHERE key = $1", params![note_key(code)])?;
        Ok(true)
    }
}
