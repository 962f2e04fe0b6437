//! The store: SQLite in one file, or PostgreSQL, a database that many workers share. Reads are
//! possible at any time, changes only in a unit of work.
//!
//! [`Reader`] has everything that reads. [`Store::write`] is the only way to change anything: what
//! its closure does by a [`Tx`] is one commit, all of it or nothing. So a process that dies does
//! not leave half of a verdict, its orders and its replies. A function that takes `&Reader` changes
//! nothing, one that takes `&Tx` is part of a commit, one that takes `&mut Store` commits.
//! [`Tx::savepoint`] can take back a part of a unit of work without the rest.
//!
//! Functions are grouped by subject: `games()`, `steps()`, `journal()`, `mails()`, `outbox()`,
//! `people()`, `workers()`. In a unit of work `mails()`, `outbox()` and `workers()` have functions
//! that write, too; the other changes are functions of the [`Tx`].

mod acts;
mod check;
pub mod copy;
mod credit;
pub mod db;
mod effects;
mod games;
mod journal;
mod keys;
mod lists;
mod look;
mod mails;
mod memo;
mod migrate;
mod moving;
mod outbox;
mod overview;
mod part;
mod people;
mod place;
#[cfg(test)]
mod plans;
mod refusals;
mod rows;
mod seat;
mod step;
mod unit;
mod whole;
mod words;
mod workers;

use std::cell::RefCell;
use std::io::Read;
use std::time::Duration;

use base::clock::Entropy;
use base::secrets::HostKey;
use jiff::Timestamp;
use zstd::bulk::{Compressor, Decompressor};

use db::{Db, params};

pub use acts::{ActRow, NewAct};
pub use check::{Condition, ServerCondition, check, check_server};
pub use credit::Entry;
pub use db::{Bell, Moment, Server, ServerError, Trouble};
pub use effects::{Change, Effect, NewOrders};
pub use games::Game;
pub use journal::{NextTurn, OpenedSeal, Ordered, Told, TurnRecord, turn_hash};
pub use lists::JournalSummary;
pub use look::Look;
pub use mails::{Filed, FiledOrders, Judged, MailRow, StoredMail};
pub use migrate::SCHEMAS;
pub use moving::{Export, LEFT_BEHIND, Moved, TAKEN_ALONG};
pub use outbox::{Caused, Drawing, OutboxCounts, OutboxRow, QueuedMail, SentAs, ToDraw};
pub use overview::{
    GameSummary, HostSummary, MailSummary, OutboxSummary, SeatSummary, SummaryLimits,
};
pub use people::{JoinRequest, Question, Waiting};
pub use place::Place;
pub use refusals::Held;
pub use seat::{Chosen, SeatChange, SeatRow};
pub use step::Step;
pub use unit::{Reader, Store, Tx};
pub use whole::{Copied, copy_store};
pub use words::{MailKind, MailState, QuestionKind, Reason, Standing, Status, Verdict};
pub use workers::{LEASE_S, Lease, Worker};

/// Name of the store's file in its folder.
pub const FILE: &str = "fieldpost.sqlite";

/// Up to this many bytes are unpacked at once, into a buffer of the full size.
const SMALL: usize = 1_000_000;
/// The largest size in bytes of anything packed; the largest known state has a hundredth of it.
const UNPACKED_MAX: usize = 200_000_000;

/// Rows of the table `host`: the key, a word that is part of the dashboard's secrets, and a mark
/// that players still have to be notified of a new key.
const SECRET: &str = "secret";
const DASHBOARD: &str = "dashboard";
const RENEWED: &str = "renewed";

/// How long a statement waits for another process.
const BUSY: Duration = Duration::from_secs(10);
/// Level of compression: fast, because mails come in hundreds.
const ZSTD_LEVEL: i32 = 1;

/// An error of the store; nothing of the failed step is kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another program kept the store locked for too long.
    #[error("the store is busy or its file is locked by another program")]
    Busy,
    /// The disk has no room left.
    #[error("the disk is full; free some room, nothing was lost")]
    Full,
    /// The store does not open: its path and the cause.
    #[error("the store can't be opened at {0}: {1}")]
    Open(String, String),
    /// Stored data can't be read: what is wrong with it.
    #[error("the store holds something unreadable: {0}")]
    Corrupt(String),
    /// A file that can't be used, and why.
    #[error("{0} {1}")]
    Unfit(String, String),
    /// The seat has a player already.
    #[error("the seat is taken")]
    Taken,
    /// The request does not fit the stored data; it would fail again.
    #[error("store: {0}")]
    Data(String),
    /// It was in the way of another worker, and may be tried again.
    #[error("the store is busy with another worker's work: {0}")]
    Again(String),
    /// Another worker has the lease that this needs: the name of the lease.
    #[error("another worker has taken over: {0}")]
    Overtaken(String),
    /// The database does not answer.
    #[error("the database does not answer: {0}")]
    Lost(String),
    /// Any other error that the store's backend reports.
    #[error("store: {0}")]
    Other(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(e: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            ConstraintViolation, DatabaseBusy, DatabaseLocked, DiskFull, TypeMismatch, Unknown,
        };
        match e.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy,
            Some(DiskFull) => Self::Full,
            // SQLite's code "SQL error", for example for a sum that is too large.
            Some(ConstraintViolation | TypeMismatch | Unknown) => Self::Data(e.to_string()),
            Some(_) => Self::Other(e.to_string()),
            // A value that has another type than the one it is read as.
            None => Self::Data(e.to_string()),
        }
    }
}

impl StoreError {
    /// Whether the request itself is at fault, and not the disk or another program: tried again, it
    /// fails again.
    pub fn is_about_data(&self) -> bool {
        matches!(self, Self::Corrupt(_) | Self::Taken | Self::Data(_))
    }
}

/// Result of a store call.
pub type Result<T> = std::result::Result<T, StoreError>;

/// The host's key, drawn when the store is new.
fn host_key(db: &Db, entropy: &dyn Entropy) -> Result<HostKey> {
    let kept = |name: &str| -> Result<Option<Vec<u8>>> {
        db.first("SELECT value FROM host WHERE key = $1", params![name], |r| r.get(0))
    };
    if kept(SECRET)?.is_none() {
        // If two programs do this at once, the first one counts.
        let sql = "INSERT INTO host VALUES ($1, $2) ON CONFLICT DO NOTHING";
        db.exec(sql, params![SECRET, drawn(entropy)])?;
    }
    let secret = kept(SECRET)?.unwrap_or_default();
    let dashboard = String::from_utf8_lossy(&kept(DASHBOARD)?.unwrap_or_default()).into_owned();
    let key = secret.try_into().map_err(|_| StoreError::Corrupt("the host's key".to_owned()))?;
    Ok(HostKey::new(key).with_dashboard(dashboard))
}

/// A new random key.
fn drawn(entropy: &dyn Entropy) -> [u8; 32] {
    let mut key = [0; 32];
    key.chunks_mut(8).for_each(|part| part.copy_from_slice(&entropy.word().to_be_bytes()));
    key
}

thread_local! {
    /// Compressor and unpacker, kept because making them again costs more than a small mail.
    static PACKERS: RefCell<(Compressor<'static>, Decompressor<'static>)> = {
        // They need nothing but memory.
        let packer = Compressor::new(ZSTD_LEVEL).expect("there is memory");
        RefCell::new((packer, Decompressor::new().expect("there is memory")))
    };
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    // Compressing memory into memory does not fail.
    PACKERS.with_borrow_mut(|(packer, _)| packer.compress(bytes)).expect("memory compresses")
}

/// Unpacks bytes, up to a limit: a few bytes could claim to be gigabytes, and a file of another
/// host may hold anything.
fn unpack(bytes: &[u8]) -> Result<Vec<u8>> {
    let corrupt = |why: String| StoreError::Corrupt(why);
    // Bytes that declare a small size are unpacked at once.
    if let Ok(Some(size)) = zstd::zstd_safe::get_frame_content_size(bytes)
        && size <= SMALL as u64
        && let Ok(unpacked) = PACKERS.with_borrow_mut(|(_, p)| p.decompress(bytes, size as usize))
    {
        return Ok(unpacked);
    }
    let stream = zstd::stream::Decoder::new(bytes).map_err(|e| corrupt(e.to_string()))?;
    let mut unpacked = Vec::new();
    let most = UNPACKED_MAX as u64;
    let read = stream.take(most + 1).read_to_end(&mut unpacked);
    read.map_err(|e| corrupt(e.to_string()))?;
    match unpacked.len() > UNPACKED_MAX {
        true => Err(corrupt(format!("something unpacks to more than {} MB", most / 1_000_000))),
        false => Ok(unpacked),
    }
}

fn ms(at: Timestamp) -> i64 {
    at.as_millisecond()
}

fn time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or_default()
}

/// An address as addresses are compared.
fn canonical(address: &str) -> String {
    address.to_ascii_lowercase()
}

fn json<T: for<'de> serde::Deserialize<'de>>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|e| StoreError::Data(e.to_string()))
}

fn to_json<T: serde::Serialize>(value: &T) -> String {
    // Plain data with text keys.
    serde_json::to_string(value).expect("plain data encodes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_bytes_that_claim_to_be_gigabytes_are_damage() {
        let mut bomb = Vec::new();
        let zeros = std::io::repeat(0).take(UNPACKED_MAX as u64 + 1);
        zstd::stream::copy_encode(zeros, &mut bomb, 1).expect("memory compresses");
        assert!(bomb.len() < 50_000, "{}", bomb.len());
        assert!(matches!(unpack(&bomb), Err(StoreError::Corrupt(why)) if why.contains("200 MB")));
        assert_eq!(unpack(&pack(b"a mail")).expect("whole"), b"a mail");
    }
}
