//! SQLite: one file in a folder.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, params_from_iter};

use super::{Args, EachRow, Kept, Link, Pg, Row, Sql};
use crate::{BUSY, FILE, Result, SCHEMAS, StoreError, migrate};

/// The size in octets from which the write-ahead log is taken into the file.
const LOG_MAX: u64 = 16_000_000;

/// A file of SQLite.
pub(crate) struct Lite {
    pub conn: Connection,
    /// The write-ahead log.
    log: PathBuf,
}

/// Takes all rights from other users: the file holds mails, addresses and the key. Where that
/// fails, the file is another user's, and opening it fails too.
fn close(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let open = std::fs::metadata(path).is_ok_and(|m| m.permissions().mode() & 0o077 != 0);
    if open {
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
    }
}

/// Keeps savepoints and sorted rows in memory. SQLite would write them, with mails and addresses,
/// into files outside the store's folder, which also takes time in each commit.
fn keep_temporary_in_memory(conn: &Connection) {
    // This may fail; the store works without it too.
    let _ = conn.pragma_update(None, "temp_store", "MEMORY");
}

/// Waits until no other program changes the schema of a store; none does until the result is
/// dropped.
fn alone(folder: &Path) -> std::io::Result<std::fs::File> {
    let folder = std::fs::File::open(folder)?;
    folder.lock()?;
    Ok(folder)
}

impl Lite {
    /// Opens the store in a folder, making or migrating it as needed.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let error = |e: String| StoreError::Open(path.display().to_string(), e);
        let made = !folder.exists();
        std::fs::create_dir_all(folder).map_err(|e| error(e.to_string()))?;
        if made {
            close(folder, 0o700);
        }
        let mut conn = Connection::open(&path).map_err(|e| error(e.to_string()))?;
        // Done before anything is in the file; the files beside it take its rights.
        close(&path, 0o600);
        conn.busy_timeout(BUSY)?;
        // Two programs that find an old store, or none, migrate it one after the other.
        let version: i64 = conn.query_row("PRAGMA user_version", [], |r| r.get(0))?;
        let _alone = match usize::try_from(version) == Ok(SCHEMAS.len()) {
            true => None,
            false => Some(alone(folder).map_err(|e| error(e.to_string()))?),
        };
        conn.pragma_update(None, "journal_mode", "WAL")?;
        conn.pragma_update(None, "synchronous", "FULL")?;
        // Otherwise SQLite would do this within a commit, and report a failed commit when the file
        // has no room to grow, although the commit is kept.
        conn.pragma_update(None, "wal_autocheckpoint", 0)?;
        // When all of the log is in the file, the log starts again, and is cut to this size.
        conn.pragma_update(None, "journal_size_limit", (LOG_MAX / 4).cast_signed())?;
        conn.pragma_update(None, "foreign_keys", true)?;
        // In KiB: the indices of a busy store stay in memory and are not read again for each mail.
        conn.pragma_update(None, "cache_size", -32_768)?;
        // A statement is planned once, whatever values it gets.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        keep_temporary_in_memory(&conn);
        // Erased data leaves no bytes in free pages.
        conn.pragma_update(None, "secure_delete", true)?;
        migrate::lite(&mut conn).map_err(error)?;
        conn.set_prepared_statement_cache_capacity(128);
        Ok(Self { conn, log: folder.join(format!("{FILE}-wal")) })
    }

    /// A file that is not a host's own: an export, a copy.
    pub fn over(conn: Connection) -> Self {
        keep_temporary_in_memory(&conn);
        Self { conn, log: PathBuf::new() }
    }

    /// Overwrites a commit that failed. The log may hold that commit whole although the disk had no
    /// room for what follows it, and the next process that opens the store would take it as done.
    /// Writing within the log needs no new room.
    fn write_over(&self) {
        // Writing the same value again would change nothing.
        let sql = "INSERT OR REPLACE INTO host VALUES ('written over', randomblob(8))";
        let _ = self.conn.execute_batch(&format!("BEGIN IMMEDIATE; {sql}; COMMIT"));
        if self.in_commit() {
            self.rollback();
        }
    }

    /// Takes a long log into the file. Its content is safe either way, so a commit does not fail
    /// when the disk has no room for it now.
    fn shorten_log(&self) {
        if std::fs::metadata(&self.log).is_ok_and(|m| m.len() > LOG_MAX) {
            let sql = "PRAGMA wal_checkpoint(PASSIVE)";
            let _ = self.conn.query_row(sql, [], |_| Ok(()));
        }
    }
}

/// A statement as SQLite takes it: SQLite knows `?1`, and would read `$1` as a name.
fn numbered(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at);
        text += before;
        let digit = after.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        text += if digit { "?" } else { "$" };
        rest = &after[1..];
    }
    text + rest
}

impl Link for Lite {
    fn exec(&self, sql: Sql, args: Args) -> Result<usize> {
        let mut statement = self.conn.prepare_cached(&numbered(sql.lite))?;
        Ok(statement.execute(params_from_iter(args.iter().map(|a| a.bind().to_lite())))?)
    }

    fn each(&self, sql: Sql, args: Args, row: EachRow) -> Result<()> {
        let mut statement = self.conn.prepare_cached(&numbered(sql.lite))?;
        let args = params_from_iter(args.iter().map(|a| a.bind().to_lite()));
        let mut rows = statement.query(args)?;
        let places = RefCell::default();
        while let Some(found) = rows.next()? {
            if !row(&Row::lite(found, &places))? {
                break;
            }
        }
        Ok(())
    }

    fn batch(&self, sql: &str) -> Result<()> {
        Ok(self.conn.execute_batch(sql)?)
    }

    fn begin(&self) -> Result<()> {
        // Takes the lock now, so that nobody waits for it after half of the reads.
        self.batch("BEGIN IMMEDIATE")
    }

    fn begin_reading(&self) -> Result<()> {
        self.batch("BEGIN")
    }

    fn commit(&self) -> Result<Kept> {
        if let Err(e) = self.batch("COMMIT") {
            self.rollback();
            self.write_over();
            return Err(e);
        }
        self.shorten_log();
        Ok(Kept::Yes)
    }

    fn rollback(&self) {
        if self.in_commit() {
            let _ = self.batch("ROLLBACK");
        }
    }

    fn stands(&self) -> Result<bool> {
        // SQLite's answer is never lost.
        Ok(true)
    }

    fn begin_part(&self) -> Result<()> {
        // Savepoints of one name nest; the name means the innermost.
        self.batch("SAVEPOINT part")
    }

    fn keep_part(&self) -> Result<()> {
        self.batch("RELEASE part")
    }

    fn undo_part(&self) {
        // A transaction that SQLite itself has ended no longer has a savepoint.
        if self.in_commit() {
            let _ = self.batch("ROLLBACK TO part; RELEASE part");
        }
    }

    fn in_commit(&self) -> bool {
        !self.conn.is_autocommit()
    }

    fn is_to_repeat(&self) -> bool {
        false
    }

    fn version(&self) -> Result<String> {
        let sql = "PRAGMA data_version";
        let others: i64 = self.conn.prepare_cached(sql)?.query_row([], |r| r.get(0))?;
        // The number of rows that this connection ever changed.
        Ok(format!("{others} {}", self.conn.total_changes()))
    }

    fn lite(&self) -> Option<&Lite> {
        Some(self)
    }

    fn pg(&self) -> Option<&Pg> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_outside_the_folder_of_a_store() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = Lite::open(folder.path()).expect("a store");
        let over = Lite::over(Connection::open(folder.path().join("export")).expect("a file"));
        for lite in [opened, over] {
            let kept: i64 = lite
                .conn
                .pragma_query_value(None, "temp_store", |r| r.get(0))
                .expect("SQLite says where");
            assert_eq!(kept, 2, "in memory");
        }
    }

    #[test]
    fn values_go_by_their_number_and_dollars_elsewhere_stay() {
        assert_eq!(numbered("SELECT $2 - $10 || '$.a$'"), "SELECT ?2 - ?10 || '$.a$'");
    }
}
