//! Files of stores: copied while others write, checked, brought up to date, closed.
//!
//! A copy is made by `VACUUM INTO`, not by SQLite's backup interface. That interface starts again
//! whenever another process writes, so with a busy robot it may never end, or it copies all pages
//! in one step. `VACUUM INTO` reads one snapshot, blocks nobody in WAL mode, and writes a file
//! without free pages, so erased data is not in it.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use super::words::sql::{IGNORED, RESTORED};
use super::{BUSY, Result, SCHEMAS, StoreError, migrate as steps, ms, time};

/// Receipts that a restored store skips, so that a number that a player has read on an echo never
/// refers to another mail.
pub(super) const RECEIPTS_LEFT_OUT: i64 = 100_000;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Version of its schema.
    pub schema: usize,
    /// Number of games.
    pub games: u32,
    /// Turns that ran, in all games.
    pub turns: u32,
    /// When the newest mail was received.
    pub newest: Option<Timestamp>,
    /// It holds one game and no host.
    pub is_export: bool,
}

/// Copies a store as it is at one instant; `to` is empty or does not exist.
///
/// # Errors
/// [`StoreError`]; the caller then removes whatever is at `to`.
pub fn snapshot(from: &Path, to: &Path) -> Result<()> {
    let conn = open(from, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .or_else(|_| open(from, OpenFlags::SQLITE_OPEN_READ_ONLY))?;
    conn.execute("VACUUM INTO ?1", [name(to)]).map_err(|e| unfit(from, e))?;
    Ok(())
}

/// Checks that a file is a whole store, and says what it holds. With `alone` it may hold no tables
/// other than ours.
///
/// # Errors
/// [`StoreError::Unfit`] says what is wrong and what to do.
pub fn inspect(path: &Path, alone: bool) -> Result<Contents> {
    let bad = |why: String| Err(StoreError::Unfit(path.display().to_string(), why));
    let conn = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let damaged = |e| unfit(path, e);
    let version = "PRAGMA user_version";
    let schema: i64 = conn.query_row(version, [], |r| r.get(0)).map_err(damaged)?;
    let newest_known = SCHEMAS.len();
    let schema = match usize::try_from(schema) {
        Ok(0) | Err(_) => return bad("is no store of Fieldpost".to_owned()),
        Ok(n) if n > newest_known => {
            return bad(format!(
                "was written by a newer program: its schema is {n}, and this program knows \
                 {newest_known}; use that program or a newer one"
            ));
        }
        Ok(n) => n,
    };
    if let Some(wrong) = wrong_shape(&conn, schema, alone).map_err(damaged)? {
        return bad(format!("is no store of Fieldpost: {wrong}"));
    }
    let whole = "PRAGMA integrity_check(1)";
    let found: String = conn.query_row(whole, [], |r| r.get(0)).map_err(damaged)?;
    if found != "ok" {
        return bad(format!("is damaged ({found}); take another copy"));
    }
    let broken = conn.prepare("PRAGMA foreign_key_check").and_then(|mut q| q.exists([]));
    if broken.map_err(damaged)? {
        return bad("is damaged: rows name others that are not there; take another copy".into());
    }
    contents(&conn, schema).map_err(damaged)
}

fn contents(conn: &Connection, schema: usize) -> rusqlite::Result<Contents> {
    let count = |sql: &str| conn.query_row(sql, [], |r| r.get::<_, u32>(0));
    let newest: Option<i64> =
        conn.query_row("SELECT max(received_at) FROM mail", [], |r| r.get(0))?;
    let key = "SELECT 1 FROM host WHERE key = 'secret'";
    Ok(Contents {
        schema,
        games: count("SELECT count(*) FROM game")?,
        turns: count("SELECT count(*) FROM turn WHERE turn > 0")?,
        newest: newest.map(time),
        is_export: conn.query_row(key, [], |_| Ok(())).optional()?.is_none(),
    })
}

/// Tables and indices with their columns.
type Shape = BTreeMap<String, Vec<String>>;

/// The first difference in shape between a file and a store of this schema, if there is one.
fn wrong_shape(conn: &Connection, schema: usize, alone: bool) -> rusqlite::Result<Option<String>> {
    let model = Connection::open_in_memory()?;
    SCHEMAS[..schema].iter().try_for_each(|sql| model.execute_batch(sql))?;
    let (ours, theirs) = (shape(&model)?, shape(conn)?);
    for (name, columns) in &ours {
        if theirs.get(name) != Some(columns) {
            return Ok(Some(format!("its {name} is missing or another")));
        }
    }
    let more = theirs.keys().any(|name| !ours.contains_key(name));
    Ok((alone && more).then(|| "there is more in it than a store has".to_owned()))
}

fn shape(conn: &Connection) -> rusqlite::Result<Shape> {
    let sql = &format!(
        "SELECT type || ' ' || name, name FROM sqlite_schema
         WHERE name NOT LIKE 'sqlite_%' AND name <> '{}'",
        steps::HISTORY
    );
    let mut query = conn.prepare(sql)?;
    let rows = query.query_map([], |r| Ok((r.get::<_, String>(0)?, r.get::<_, String>(1)?)))?;
    let mut found = Shape::new();
    for row in rows {
        let (kind, name) = row?;
        found.insert(kind, columns(conn, "main", &name)?);
    }
    Ok(found)
}

/// Columns of a table in their order; none of an index.
pub(super) fn columns(conn: &Connection, of: &str, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut query = conn.prepare("SELECT name FROM pragma_table_info(?1, ?2) ORDER BY cid")?;
    query.query_map([table, of], |r| r.get(0))?.collect()
}

/// Brings a file that no robot uses yet to this program's schema.
///
/// # Errors
/// [`StoreError::Unfit`] when it can't be.
pub fn migrate(path: &Path) -> Result<()> {
    let mut conn = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    steps::lite(&mut conn).map_err(|e| {
        StoreError::Unfit(path.display().to_string(), format!("can't be brought up to date: {e}"))
    })
}

/// Makes an empty file of this program's schema.
pub(super) fn make(path: &Path) -> Result<()> {
    drop(Connection::open(path)?);
    migrate(path)
}

/// Records in a store that it was restored from a copy. The record is a row in `mail`, so the game
/// master finds it among the mails, and later mails get receipts far from earlier ones.
///
/// # Errors
/// [`StoreError`] as the store gives it.
pub fn note_restored(path: &Path, why: &str, now: Timestamp) -> Result<()> {
    let conn = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let sql = restored().replace('$', "?");
    conn.execute(&sql, params![RECEIPTS_LEFT_OUT, now.to_string(), ms(now), why])?;
    Ok(())
}

/// The statement that writes the row of a restored store into `mail`: the game master finds it
/// among the mails, and later mails get receipts far from earlier ones.
pub(super) fn restored() -> String {
    format!(
        "INSERT INTO mail (id, source, key, received_at, size, attempts, verdict, reason, why,
         judged_at, moved)
         VALUES ((SELECT coalesce(max(id), 0) FROM mail) + $1, 'restore', $2, $3, 0, 0,
         '{IGNORED}', '{RESTORED}', $4, $3, 1)"
    )
}

/// Writes everything that lies beside a store into its file, so that the folder holds only the
/// file.
///
/// # Errors
/// [`StoreError::Busy`] when another process has it open; another error when it is
/// damaged.
pub fn close(path: &Path) -> Result<()> {
    let conn = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let mode: String = conn.query_row("PRAGMA journal_mode = DELETE", [], |r| r.get(0))?;
    // SQLite leaves WAL only when nobody else has the file open.
    if mode == "wal" { Err(StoreError::Busy) } else { Ok(()) }
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let shown = path.display().to_string();
    if !path.is_file() {
        return Err(StoreError::Unfit(shown, "is not there, or is no file".to_owned()));
    }
    let conn = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(BUSY)?;
    conn.pragma_update(None, "trusted_schema", false)?;
    // This finds a file that can't be read at all.
    conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
        .map_err(|e| unfit(path, e))?;
    Ok(conn)
}

/// SQLite's error about a file, in our own words where we know it.
fn unfit(path: &Path, e: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    let why = match e.sqlite_error_code() {
        Some(NotADatabase) => "is no store of Fieldpost, or not whole".to_owned(),
        Some(DatabaseCorrupt) => format!("is damaged ({e}); take another copy"),
        _ => return e.into(),
    };
    StoreError::Unfit(path.display().to_string(), why)
}

pub(super) fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
