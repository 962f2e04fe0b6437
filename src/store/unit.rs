//! The unit of work: who may read, who may write, and where a commit begins and ends.

use std::cell::RefCell;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use base::clock::Entropy;
use base::secrets::HostKey;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};

use super::all::AllGames;
use super::{BUSY, FILE, Result, SCHEMAS, StoreError, alone, host_key, migrations};

/// Everything that reads. Within a unit of work it sees what was written in it so far.
pub struct Reader {
    pub(super) conn: Connection,
    key: HostKey,
    pub(super) bounce_limit: u32,
    /// All games, as they were looked at last.
    pub(super) all: RefCell<Option<AllGames>>,
}

/// The store of a host, and the right to commit to it.
pub struct Store {
    reader: Reader,
    /// The write-ahead log.
    log: PathBuf,
}

/// Octets of the log from which on it goes into the file.
const LOG_MAX: u64 = 4_000_000;

/// A unit of work that is under way: all of it is committed, or nothing.
pub struct Tx<'a> {
    reader: &'a Reader,
}

impl Deref for Store {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

impl Deref for Tx<'_> {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        self.reader
    }
}

/// Takes all rights from others: mails, addresses and the key lie there. Where that fails, the
/// file is another user's, and opening it fails too.
fn close(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let open = std::fs::metadata(path).is_ok_and(|m| m.permissions().mode() & 0o077 != 0);
    if open {
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
    }
}

impl Store {
    /// Opens the store in a folder, making or migrating it as needed.
    ///
    /// # Errors
    /// [`StoreError::Open`] with the path and the cause.
    pub fn open(folder: &Path, entropy: &dyn Entropy) -> Result<Self> {
        let path = folder.join(FILE);
        let error = |e: String| StoreError::Open(path.display().to_string(), e);
        let made = !folder.exists();
        std::fs::create_dir_all(folder).map_err(|e| error(e.to_string()))?;
        if made {
            close(folder, 0o700);
        }
        let mut conn = Connection::open(&path).map_err(|e| error(e.to_string()))?;
        // Before anything is in it; the files beside it take its rights.
        close(&path, 0o600);
        conn.busy_timeout(BUSY)?;
        // Two programs that find an old store, or none, bring it to the newest schema one
        // after the other.
        let version: i64 = conn.query_row("PRAGMA user_version", [], |r| r.get(0))?;
        let _alone = match usize::try_from(version) == Ok(SCHEMAS.len()) {
            true => None,
            false => Some(alone(folder).map_err(|e| error(e.to_string()))?),
        };
        conn.pragma_update(None, "journal_mode", "WAL")?;
        conn.pragma_update(None, "synchronous", "FULL")?;
        // SQLite would do this within a commit, and say that the commit failed when the file
        // has no room to grow, although it is kept.
        conn.pragma_update(None, "wal_autocheckpoint", 0)?;
        // Once all of it is in the file, the log begins anew, short.
        conn.pragma_update(None, "journal_size_limit", (LOG_MAX / 4).cast_signed())?;
        conn.pragma_update(None, "foreign_keys", true)?;
        // What is erased leaves no bytes in pages that are free.
        conn.pragma_update(None, "secure_delete", true)?;
        migrations().to_latest(&mut conn).map_err(|e| error(e.to_string()))?;
        let key = host_key(&mut conn, entropy)?;
        conn.set_prepared_statement_cache_capacity(64);
        let bounce_limit = mail::dsn::BOUNCES_MAX;
        let log = folder.join(format!("{FILE}-wal"));
        Ok(Self { reader: Reader { conn, key, bounce_limit, all: RefCell::default() }, log })
    }

    /// Reads the host's key again, which has changed.
    pub(super) fn read_key(&mut self, entropy: &dyn Entropy) -> Result<()> {
        self.reader.key = host_key(&mut self.reader.conn, entropy)?;
        Ok(())
    }

    /// Sets how many bounces an address may have before it gets no more mail.
    pub fn set_bounce_limit(&mut self, limit: u32) {
        self.reader.bounce_limit = limit;
    }

    /// One commit: what `work` does is kept when it ends well, and taken back when it
    /// gives an error or panics.
    ///
    /// # Errors
    /// What `work` gives, or [`StoreError`] when the commit fails; nothing is kept then.
    pub fn write<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Tx) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        #[cfg(feature = "lose-a-commit")]
        let lost = loses_this();
        let open = self.begin()?;
        let done = work(&Tx { reader: &self.reader })?;
        #[cfg(feature = "lose-a-commit")]
        if lost {
            open.rollback().map_err(StoreError::from)?;
            return Ok(done);
        }
        if let Err(e) = open.commit() {
            self.write_over();
            return Err(StoreError::from(e).into());
        }
        self.shorten_log();
        Ok(done)
    }

    /// Writes over the place of a commit that failed. The log may hold it whole although the
    /// disk had no room for what comes behind it, and the next process that opens the store
    /// would take it for done. What lies within the log has its room already.
    fn write_over(&self) {
        // The same value again would write nothing.
        let sql = "INSERT OR REPLACE INTO host VALUES ('written over', randomblob(8))";
        let _ = self.begin().and_then(|open| {
            open.execute(sql, [])?;
            Ok(open.commit()?)
        });
    }

    /// Takes a long log into the file. What it holds is kept either way, so a disk that has no
    /// room for it now is no failure of a commit.
    fn shorten_log(&self) {
        if std::fs::metadata(&self.log).is_ok_and(|m| m.len() > LOG_MAX) {
            let sql = "PRAGMA wal_checkpoint(PASSIVE)";
            let _ = self.reader.conn.query_row(sql, [], |_| Ok(()));
        }
    }

    /// What `work` would come to: it is always taken back.
    ///
    /// # Errors
    /// What `work` gives, or [`StoreError`] when it can't begin.
    pub fn rehearse<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Tx) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let open = self.begin()?;
        let done = work(&Tx { reader: &self.reader });
        open.rollback().map_err(StoreError::from)?;
        done
    }

    fn begin(&self) -> Result<Transaction<'_>> {
        // `write` and `rehearse` borrow the store mutably, so no other is open.
        Ok(Transaction::new_unchecked(&self.reader.conn, TransactionBehavior::Immediate)?)
    }
}

impl Tx<'_> {
    /// A part of the unit of work that is taken back alone when `work` gives an error or
    /// panics. Parts may hold parts.
    ///
    /// # Errors
    /// What `work` gives, or [`StoreError`].
    pub fn savepoint<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Tx) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let conn = &self.reader.conn;
        // Savepoints of one name nest; the innermost is meant.
        conn.execute_batch("SAVEPOINT part").map_err(StoreError::from)?;
        let part = Part { conn, open: true };
        let done = work(self)?;
        part.release()?;
        Ok(done)
    }

    /// Keeps a text.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn set_note(&self, key: &str, value: &str) -> Result<()> {
        let sql = "INSERT OR REPLACE INTO host VALUES (?1, CAST(?2 AS BLOB))";
        self.conn.prepare_cached(sql)?.execute([key, value])?;
        Ok(())
    }
}

/// An open savepoint; dropped, it is rolled back.
struct Part<'a> {
    conn: &'a Connection,
    open: bool,
}

impl Part<'_> {
    fn release(mut self) -> Result<()> {
        self.open = false;
        Ok(self.conn.execute_batch("RELEASE part")?)
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if self.open {
            // A transaction that SQLite has ended by itself has no savepoint any more.
            let _ = self.conn.execute_batch("ROLLBACK TO part; RELEASE part");
        }
    }
}

/// What a broken build does: whether this commit is the one in so many that is lost. They
/// are counted by thread, for a store that is opened anew has made few.
#[cfg(feature = "lose-a-commit")]
fn loses_this() -> bool {
    const KEPT: u32 = 60;
    thread_local! {
        static COMMITS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    COMMITS.set(COMMITS.get() + 1);
    COMMITS.get().is_multiple_of(KEPT)
}

impl Reader {
    /// The host's key for secrets.
    pub fn key(&self) -> &HostKey {
        &self.key
    }

    /// Lets this store be read and no longer be changed, for who only looks; a read waits so
    /// long for who writes.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn only_read(&self, wait: std::time::Duration) -> Result<()> {
        self.conn.pragma_update(None, "query_only", true)?;
        Ok(self.conn.busy_timeout(wait)?)
    }

    /// A number that is another one as soon as some other program has changed the store.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn version_seen(&self) -> Result<i64> {
        Ok(self.conn.pragma_query_value(None, "data_version", |r| r.get(0))?)
    }

    /// The file of the store; empty: it has none.
    pub fn path(&self) -> PathBuf {
        self.conn.path().map(PathBuf::from).unwrap_or_default()
    }

    /// The connection, for tests that bring about what disks and programs do; a test of the
    /// architecture looks that nothing else asks for it.
    pub fn connection(&self) -> &Connection {
        &self.conn
    }

    /// Whether a unit of work is under way: what is read may be taken back.
    pub(super) fn in_commit(&self) -> bool {
        !self.conn.is_autocommit()
    }

    /// A text that the host keeps, such as when the game master was last alarmed.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn note(&self, key: &str) -> Result<Option<String>> {
        let sql = "SELECT CAST(value AS TEXT) FROM host WHERE key = ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([key], |r| r.get(0)).optional()?)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use base::clock::FixedEntropy;

    use super::*;

    fn with_store(work: impl FnOnce(&mut Store)) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(folder.path(), &FixedEntropy::new(1)).expect("a store");
        work(&mut store);
    }

    fn notes(store: &Reader) -> Vec<&'static str> {
        let there = |key: &&str| store.note(key).expect("a store").is_some();
        ["a", "b", "c"].into_iter().filter(there).collect()
    }

    fn refuse() -> std::result::Result<(), StoreError> {
        Err(StoreError::Taken)
    }

    #[test]
    fn a_unit_of_work_is_kept_whole_or_not_at_all() {
        with_store(|store| {
            let done = store.write(|tx| {
                tx.set_note("a", "1")?;
                assert_eq!(notes(tx), ["a"], "it sees what it wrote");
                refuse()
            });
            assert!(done.is_err() && notes(store).is_empty());
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                store.write::<(), StoreError>(|tx| {
                    tx.set_note("a", "1")?;
                    panic!("in the middle")
                })
            }));
            assert!(panicked.is_err() && notes(store).is_empty());
            store.write(|tx| tx.set_note("b", "1")).expect("the lock is free again");
            assert_eq!(notes(store), ["b"]);
        });
    }

    #[test]
    fn a_savepoint_is_taken_back_alone_and_they_nest() {
        with_store(|store| {
            let done: Result<()> = store.write(|tx| {
                tx.set_note("a", "1")?;
                let part = tx.savepoint(|tx| {
                    tx.set_note("b", "1")?;
                    let inner = tx.savepoint(|tx| {
                        tx.set_note("c", "1")?;
                        refuse()
                    });
                    assert!(inner.is_err());
                    assert_eq!(notes(tx), ["a", "b"]);
                    refuse()
                });
                assert!(part.is_err());
                tx.savepoint(|tx| tx.set_note("c", "1"))
            });
            done.expect("kept");
            assert_eq!(notes(store), ["a", "c"]);
        });
    }

    #[test]
    fn a_rehearsal_leaves_nothing() {
        with_store(|store| {
            let seen = store.rehearse(|tx| {
                tx.set_note("a", "1")?;
                Ok::<_, StoreError>(notes(tx))
            });
            assert_eq!(seen.expect("it was done"), ["a"]);
            assert!(notes(store).is_empty());
        });
    }
}
