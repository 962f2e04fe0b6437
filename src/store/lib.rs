//! The store: SQLite, one file; each method is one read or one commit.
//!
//! Nothing is acted upon that is not committed. A step that has several effects
//! (a verdict with its orders and its replies, a turn with its printouts) is one
//! transaction, so a process that dies leaves either all of it or nothing.

mod acts;
mod all;
mod check;
pub mod copy;
mod credit;
mod games;
mod journal;
mod lists;
mod mails;
mod moving;
mod outbox;
mod overview;
mod people;

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use rusqlite_migration::{M, Migrations};

use base::clock::Entropy;
use base::secrets::HostKey;

pub use acts::{ActRow, NewAct};
pub use check::{Condition, check};
pub use credit::Entry;
pub use games::{Game, SeatRow, Status};
pub use journal::{NextTurn, TurnRecord, turn_hash};
pub use lists::JournalGlance;
pub use mails::{Effect, FiledOrders, Judged, MailRow, StoredMail, Verdict};
pub use moving::{Export, LEFT_BEHIND, Moved, TAKEN_ALONG};
pub use outbox::{Caused, Drawing, OutboxRow, QueuedMail, SentAs, Tally, ToDraw};
pub use overview::{GameGlance, Glance, MailGlance, OutboxGlance, SeatGlance, Span};
pub use people::{Question, SeatChange, Waiting, Wish};

/// What brings a store from each version of its schema to the next; SQLite's
/// `user_version` counts those that were applied.
pub const SCHEMAS: &[&str] = &[
    include_str!("schema-1.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
    include_str!("schema-4.sql"),
    include_str!("schema-5.sql"),
];
/// Name of the store's file in its folder.
pub const FILE: &str = "fieldpost.sqlite";

/// How long a statement waits for another process.
const BUSY: Duration = Duration::from_secs(10);
/// Level of compression: fast, for mails come in hundreds.
const ZSTD_LEVEL: i32 = 1;

/// A store that did not do what was asked; nothing of that step is kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the store is busy or its file is locked by another program")]
    Busy,
    #[error("the disk is full; free some room, nothing was lost")]
    Full,
    #[error("the store can't be opened at {0}: {1}")]
    Open(String, String),
    #[error("the store holds something unreadable: {0}")]
    Corrupt(String),
    /// A file, and why nothing can be taken from it.
    #[error("{0} {1}")]
    Unfit(String, String),
    #[error("the seat is taken")]
    Taken,
    #[error("store: {0}")]
    Other(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(e: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, DiskFull};
        match e.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy,
            Some(DiskFull) => Self::Full,
            _ => Self::Other(e),
        }
    }
}

impl StoreError {
    /// Whether it is what was asked that could not be done, and not the disk or another
    /// program that was in the way: asked again, it fails again.
    pub fn is_about_data(&self) -> bool {
        match self {
            Self::Corrupt(_) | Self::Taken => true,
            Self::Other(e) => {
                e.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation)
            }
            _ => false,
        }
    }
}

/// Result of a store call.
pub type Result<T> = std::result::Result<T, StoreError>;

/// The store of a host.
pub struct Store {
    conn: Connection,
    key: HostKey,
    /// Bounces after which an address gets no more mail.
    pub bounce_limit: u32,
    /// All games, as they were looked at last.
    all: std::cell::RefCell<Option<all::AllGames>>,
}

impl Store {
    /// Opens the store in a folder, making or migrating it as needed.
    ///
    /// # Errors
    /// [`StoreError::Open`] with the path and the cause.
    pub fn open(folder: &Path, entropy: &dyn Entropy) -> Result<Self> {
        let path = folder.join(FILE);
        let error = |e: String| StoreError::Open(path.display().to_string(), e);
        std::fs::create_dir_all(folder).map_err(|e| error(e.to_string()))?;
        let mut conn = Connection::open(&path).map_err(|e| error(e.to_string()))?;
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
        conn.pragma_update(None, "foreign_keys", true)?;
        migrations().to_latest(&mut conn).map_err(|e| error(e.to_string()))?;
        let key = host_key(&mut conn, entropy)?;
        conn.set_prepared_statement_cache_capacity(64);
        Ok(Self { conn, key, bounce_limit: mail::dsn::BOUNCES_MAX, all: Default::default() })
    }

    /// The host's key for secrets.
    pub fn key(&self) -> &HostKey {
        &self.key
    }

    /// The connection, for tests that bring about what disks and programs do.
    pub fn connection(&self) -> &Connection {
        &self.conn
    }

    /// One commit that writes; within the commit of a mail that is being judged it is
    /// a part of that.
    fn write<T>(&mut self, act: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        if !self.conn.is_autocommit() {
            let part = self.conn.savepoint()?;
            let done = act(&part)?;
            part.commit()?;
            return Ok(done);
        }
        #[cfg(feature = "lose-a-commit")]
        let lost = self.loses_this();
        let tx = self.conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = act(&tx)?;
        #[cfg(feature = "lose-a-commit")]
        if lost {
            tx.rollback()?;
            return Ok(done);
        }
        tx.commit()?;
        Ok(done)
    }

    /// What a broken build does: whether this commit is the one in so many that is lost. They
    /// are counted by thread, for a store that is opened anew has made few.
    #[cfg(feature = "lose-a-commit")]
    fn loses_this(&self) -> bool {
        const KEPT: u32 = 60;
        thread_local! {
            static COMMITS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
        }
        COMMITS.set(COMMITS.get() + 1);
        COMMITS.get().is_multiple_of(KEPT)
    }

    /// A text that the host keeps, such as when the game master was last alarmed.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn note(&self, key: &str) -> Result<Option<String>> {
        let sql = "SELECT CAST(value AS TEXT) FROM host WHERE key = ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([key], |r| r.get(0)).optional()?)
    }

    /// Keeps a text.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn set_note(&mut self, key: &str, value: &str) -> Result<()> {
        let sql = "INSERT OR REPLACE INTO host VALUES (?1, CAST(?2 AS BLOB))";
        self.conn.prepare_cached(sql)?.execute([key, value])?;
        Ok(())
    }
}

/// The steps of the schema, oldest first; none is ever changed.
fn migrations() -> Migrations<'static> {
    Migrations::new(SCHEMAS.iter().map(|sql| M::up(sql)).collect())
}

/// Waits until no other program changes the schema of a store; until the answer is dropped,
/// none does.
fn alone(folder: &Path) -> std::io::Result<std::fs::File> {
    let folder = std::fs::File::open(folder)?;
    folder.lock()?;
    Ok(folder)
}

/// The key, drawn when the store is new.
fn host_key(conn: &mut Connection, entropy: &dyn Entropy) -> Result<HostKey> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: Option<Vec<u8>> =
        tx.query_row("SELECT value FROM host WHERE key = 'secret'", [], |r| r.get(0)).optional()?;
    let bytes = match found {
        Some(bytes) => bytes,
        None => {
            let bytes: Vec<u8> = (0..4).flat_map(|_| entropy.word().to_be_bytes()).collect();
            tx.execute("INSERT INTO host VALUES ('secret', ?1)", params![bytes])?;
            bytes
        }
    };
    tx.commit()?;
    let key = bytes.try_into().map_err(|_| StoreError::Corrupt("the host's key".to_owned()))?;
    Ok(HostKey(key))
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    // Compressing memory into memory does not fail.
    zstd::bulk::compress(bytes, ZSTD_LEVEL).expect("memory compresses")
}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>> {
    zstd::stream::decode_all(bytes).map_err(|e| StoreError::Corrupt(e.to_string()))
}

fn ms(at: Timestamp) -> i64 {
    at.as_millisecond()
}

fn time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or_default()
}
