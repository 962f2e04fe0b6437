//! PostgreSQL: a database on a server, which many workers share.
//!
//! **Isolation.** Commits run as READ COMMITTED, and lock the rows of their games first
//! ([`Pg::lock_game`]), so everything that a commit decides about a game holds until it ends. A
//! commit does not wait in the middle for a game that another one holds, because two workers could
//! wait for each other. It begins again and locks all games that it met so far, in the order of
//! their codes.
//!
//! **A lost answer.** The first statement of each commit raises a number in this connection's own
//! row of `unit`. When the answer to a COMMIT is lost, a new connection reads that row under its
//! lock, which waits for the old transaction to end. Then it is known whether the commit was kept,
//! and nothing is done twice.

mod server;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{Clock, SystemClock};
use bytes::BytesMut;
use jiff::SignedDuration;
use postgres::error::SqlState;
use postgres::types::{FromSql, IsNull, ToSql, Type};
use postgres::{Client, SimpleQueryMessage, Statement};

pub use self::server::{Bell, Server, ServerError};
use super::{Arg, Args, EachRow, Kept, Link, Lite, Row, Sql};
use crate::{Result, StoreError, migrate};

/// How long a server may take to accept a connection.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// The silence after which the server is asked whether it is still there.
const IDLE: Duration = Duration::from_secs(10);
/// The time without an answer to that after which the connection counts as lost.
const UNANSWERED: Duration = Duration::from_secs(30);
/// Time limits in the server itself: a wait for a lock, a statement, an idle commit.
const TIMEOUTS: &str = "-c lock_timeout=10s -c statement_timeout=300s \
                        -c idle_in_transaction_session_timeout=300s -c tcp_keepalives_idle=10 \
                        -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4";
/// How long to wait for a server that answered before, and the wait between two tries.
const PATIENCE: SignedDuration = SignedDuration::from_secs(30);
const BETWEEN: Duration = Duration::from_millis(500);
/// How long to try to find out whether a commit was kept when its answer was lost.
const LOOKED: SignedDuration = SignedDuration::from_mins(3);
/// Prepared statements that a connection keeps.
const STATEMENTS_MAX: usize = 512;

/// The system's certificate authorities, for programs that want a file.
const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// Variables of the environment: names and values.
pub type Variables = Vec<(&'static str, String)>;

/// A connection, and the statements that it knows.
struct Session {
    client: Client,
    statements: BTreeMap<String, Statement>,
}

/// A database of PostgreSQL.
pub(crate) struct Pg {
    server: Server,
    session: RefCell<Option<Session>>,
    /// The name of this connection's row of `unit`.
    owner: String,
    /// Number of the commit that began last.
    number: Cell<i64>,
    /// Something was begun and has not ended.
    open: Cell<bool>,
    /// A statement has failed; no other runs until its part is taken back.
    failed: Cell<bool>,
    /// The commit must be done again.
    repeat: Cell<bool>,
    /// The commit writes.
    writes: Cell<bool>,
    /// This connection never writes.
    only_read: Cell<bool>,
    /// Games whose rows this commit holds.
    held: RefCell<BTreeSet<String>>,
    /// Games whose rows the next try of this commit takes first.
    wanted: RefCell<BTreeSet<String>>,
}

/// A value of a row as the server sent it.
pub(super) struct Raw<'a>(pub Arg<'a>);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(
        ty: &Type,
        raw: &'a [u8],
    ) -> std::result::Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(match *ty {
            Type::INT8 => Arg::Int(i64::from_sql(ty, raw)?),
            Type::INT4 => Arg::Int(i32::from_sql(ty, raw)?.into()),
            Type::INT2 => Arg::Int(i16::from_sql(ty, raw)?.into()),
            Type::BOOL => Arg::Int(bool::from_sql(ty, raw)?.into()),
            Type::BYTEA => Arg::Blob(<&[u8]>::from_sql(ty, raw)?),
            _ => Arg::Text(<&str>::from_sql(ty, raw)?),
        }))
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(Arg::Null))
    }

    fn accepts(ty: &Type) -> bool {
        matches!(
            *ty,
            Type::INT8
                | Type::INT4
                | Type::INT2
                | Type::BOOL
                | Type::BYTEA
                | Type::TEXT
                | Type::VARCHAR
                | Type::NAME
                | Type::UNKNOWN
        )
    }
}

impl ToSql for Arg<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (*self, ty) {
            (Arg::Null, _) => Ok(IsNull::Yes),
            (Arg::Int(n), &Type::INT4) => i32::try_from(n)?.to_sql(ty, out),
            (Arg::Int(n), &Type::BOOL) => (n != 0).to_sql(ty, out),
            (Arg::Int(n), &Type::INT8) => n.to_sql(ty, out),
            (Arg::Text(text), &Type::TEXT | &Type::VARCHAR | &Type::NAME) => {
                Arg::clean(text).to_sql(ty, out)
            }
            (Arg::Blob(bytes), &Type::BYTEA) => bytes.to_sql(ty, out),
            (value, ty) => Err(format!("a value of another kind than {ty}: {value:?}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    postgres::types::to_sql_checked!();
}

/// A statement as PostgreSQL takes it, without hints: it chooses the index itself.
fn without_hints(sql: &str) -> String {
    const HINT: &str = "INDEXED BY ";
    let mut text = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(at) = rest.find(HINT) {
        text += &rest[..at];
        rest =
            rest[at + HINT.len()..].trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    }
    text + rest
}

impl Pg {
    /// Opens a database, making or migrating its schema as needed. `owner` names only this
    /// connection.
    pub fn open(server: &Server, owner: String) -> Result<Self> {
        let mut client = server.connect()?;
        let error = |e: String| StoreError::Open(server.shown().to_owned(), e);
        migrate::server(&mut client).map_err(error)?;
        let pg = Self {
            server: server.clone(),
            session: RefCell::default(),
            owner,
            number: Cell::new(0),
            open: Cell::new(false),
            failed: Cell::new(false),
            repeat: Cell::new(false),
            writes: Cell::new(false),
            only_read: Cell::new(false),
            held: RefCell::default(),
            wanted: RefCell::default(),
        };
        *pg.session.borrow_mut() =
            Some(pg.session_of(client).map_err(|e| error(migrate::server_error(&e)))?);
        Ok(pg)
    }

    /// Makes a connection ready for commits: its row exists before the first of them.
    fn session_of(&self, mut client: Client) -> std::result::Result<Session, postgres::Error> {
        let sql = "INSERT INTO unit (owner, number, at)
                   VALUES ($1, 0, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
                   ON CONFLICT DO NOTHING";
        client.execute(sql, &[&self.owner])?;
        Ok(Session { client, statements: BTreeMap::new() })
    }

    /// Connects again. It waits for a server that restarts, or whose standby takes over.
    fn connect(&self) -> Result<Session> {
        let (never, began) = (Cancel::default(), SystemClock.now());
        let mut n = 0;
        loop {
            let client = self.server.connect();
            let session = client.and_then(|client| {
                self.session_of(client).map_err(|e| StoreError::Lost(migrate::server_error(&e)))
            });
            match session {
                Ok(session) => {
                    if n > 0 {
                        tracing::info!(tries = n + 1, "the database answers again");
                    }
                    return Ok(session);
                }
                Err(e) => {
                    if n == 0 {
                        tracing::warn!(error = %e, "the database does not answer");
                    }
                    if SystemClock.now().duration_since(began) > PATIENCE {
                        return Err(StoreError::Lost(e.to_string()));
                    }
                }
            }
            n += 1;
            never.wait(BETWEEN);
        }
    }

    /// Does something with the connection, and sorts its errors. Outside a commit it replaces a
    /// lost connection, once.
    fn with<T>(
        &self,
        act: impl Fn(&mut Session) -> std::result::Result<T, postgres::Error>,
    ) -> Result<T> {
        let mut tried = false;
        loop {
            if self.failed.get() {
                // The server would only say that it ignores everything until the end.
                return Err(StoreError::Other("the commit has failed before".to_owned()));
            }
            let mut slot = self.session.borrow_mut();
            let session = match slot.as_mut() {
                Some(session) => session,
                None if self.open.get() => {
                    self.repeat.set(true);
                    return Err(StoreError::Lost("the connection has ended".to_owned()));
                }
                None => slot.insert(self.connect()?),
            };
            let e = match act(session) {
                Ok(done) => return Ok(done),
                Err(e) => e,
            };
            let state = e.code();
            let text = migrate::server_error(&e);
            // Outside a commit nothing can have failed before, so this error means that the state
            // of the connection is unknown.
            let odd = !self.open.get() && state == Some(&SqlState::IN_FAILED_SQL_TRANSACTION);
            if odd || is_lost(session, &e) {
                forget(slot.take());
                if self.open.get() {
                    // COMMIT was not sent, so nothing of it stands.
                    self.repeat.set(true);
                } else if !tried {
                    tried = true;
                    continue;
                }
                return Err(StoreError::Lost(text));
            }
            let again = [
                SqlState::T_R_SERIALIZATION_FAILURE,
                SqlState::T_R_DEADLOCK_DETECTED,
                SqlState::LOCK_NOT_AVAILABLE,
            ];
            // After a change of the schema, statements that were prepared earlier are useless.
            let stale =
                state == Some(&SqlState::FEATURE_NOT_SUPPORTED) && text.contains("cached plan");
            if stale {
                session.statements.clear();
            }
            if self.open.get() {
                self.failed.set(true);
            } else if stale && !tried {
                tried = true;
                continue;
            }
            if stale || state.is_some_and(|s| again.contains(s)) {
                self.repeat.set(self.open.get());
                return Err(StoreError::Again(text));
            }
            return Err(match state {
                Some(&SqlState::DISK_FULL) => StoreError::Full,
                Some(state) if matches!(&state.code()[..2], "22" | "23") => StoreError::Data(text),
                // A value of the wrong type for its column never reaches the server.
                None => StoreError::Data(text),
                Some(_) => StoreError::Other(text),
            });
        }
    }

    /// Runs statements without values in one message, and gives the number of rows that each
    /// changed.
    fn simple(&self, sql: &str) -> Result<Vec<u64>> {
        let said = self.with(|session| session.client.simple_query(sql))?;
        let changed = |m: SimpleQueryMessage| match m {
            SimpleQueryMessage::CommandComplete(n) => Some(n),
            _ => None,
        };
        Ok(said.into_iter().filter_map(changed).collect())
    }

    fn begun(&self, writes: bool) {
        self.open.set(true);
        self.writes.set(writes);
        self.failed.set(false);
        self.repeat.set(false);
        self.held.borrow_mut().clear();
    }

    fn ended(&self) {
        self.open.set(false);
        self.failed.set(false);
        self.held.borrow_mut().clear();
    }

    /// Has the server end this connection, as a stopping server would.
    ///
    /// # Errors
    /// [`StoreError`] when the server can't be reached.
    pub fn cut(&self) -> Result<()> {
        let mut slot = self.session.borrow_mut();
        let Some(session) = slot.as_mut() else { return Ok(()) };
        let lost = |e: postgres::Error| StoreError::Lost(migrate::server_error(&e));
        let pid: i32 =
            session.client.query_one("SELECT pg_backend_pid()", &[]).map_err(lost)?.get(0);
        let ends = "SELECT pg_terminate_backend($1)";
        self.server.connect()?.query_one(ends, &[&pid]).map_err(lost)?;
        // Its locks are free when it has gone.
        while !session.client.is_closed() {
            let _ = session.client.simple_query("");
        }
        Ok(())
    }

    /// Refuses all commits from now on.
    pub fn only_read(&self) {
        self.only_read.set(true);
    }

    /// Takes a game for this commit: until it ends, nobody else changes the game or decides by it.
    ///
    /// # Errors
    /// [`StoreError::Again`] when another worker has it; the commit then begins again, and waits.
    pub fn lock_game(&self, code: &str) -> Result<()> {
        if !(self.open.get() && self.writes.get()) || self.held.borrow().contains(code) {
            return Ok(());
        }
        // Noted before the wait, so that the next try knows of it.
        self.wanted.borrow_mut().insert(code.to_owned());
        let sql = "SELECT code FROM game WHERE code = $1 FOR NO KEY UPDATE NOWAIT";
        self.each(sql.into(), &[&code], &mut |_| Ok(true))?;
        self.held.borrow_mut().insert(code.to_owned());
        Ok(())
    }

    /// Takes a word for this commit: others that want it wait until the end.
    ///
    /// # Errors
    /// [`StoreError`] as the server gives it.
    pub fn lock_word(&self, word: &str) -> Result<()> {
        self.lock_words(&[word.to_owned()])
    }

    /// Takes several words, always in the same order, so that no two commits wait for each other.
    pub fn lock_words(&self, words: &[String]) -> Result<()> {
        if !(self.open.get() && self.writes.get()) {
            return Ok(());
        }
        let sql = "SELECT pg_advisory_xact_lock(key) FROM
                     (SELECT DISTINCT hashtextextended(word, 0) AS key
                      FROM unnest(string_to_array($1, chr(10))) AS word ORDER BY key) AS keys";
        let words = words.join("\n");
        self.each(sql.into(), &[&words], &mut |_| Ok(true))
    }

    /// Takes all games that an earlier try of this commit met, in the order of their codes.
    fn lock_wanted(&self) -> Result<()> {
        let wanted = self.wanted.borrow().clone();
        for code in wanted {
            let sql = "SELECT code FROM game WHERE code = $1 FOR NO KEY UPDATE";
            self.each(sql.into(), &[&code], &mut |_| Ok(true))?;
            self.held.borrow_mut().insert(code);
        }
        Ok(())
    }

    fn number_of(&self) -> Result<Option<i64>> {
        let sql = "SELECT number FROM unit WHERE owner = $1 FOR UPDATE";
        let mut found = None;
        self.each(sql.into(), &[&self.owner], &mut |r| {
            found = Some(r.get(0)?);
            Ok(false)
        })?;
        Ok(found)
    }
}

/// Whether an error says that the connection is no longer of use, or that its server takes no
/// commits.
fn is_lost(session: &Session, e: &postgres::Error) -> bool {
    let ends = |state: &SqlState| {
        matches!(&state.code()[..2], "08")
            || [
                SqlState::ADMIN_SHUTDOWN,
                SqlState::CRASH_SHUTDOWN,
                SqlState::CANNOT_CONNECT_NOW,
                SqlState::READ_ONLY_SQL_TRANSACTION,
                SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            ]
            .contains(state)
    };
    session.client.is_closed() || e.is_closed() || e.code().is_some_and(ends)
}

/// Drops a connection on a separate thread: when the other end has gone silently, that may take
/// forever.
fn forget(session: Option<Session>) {
    if let Some(session) = session {
        let named = std::thread::Builder::new().name("connection".to_owned());
        let _ = named.spawn(move || drop(session));
    }
}

impl Drop for Pg {
    fn drop(&mut self) {
        forget(self.session.borrow_mut().take());
    }
}

impl Link for Pg {
    fn exec(&self, sql: Sql, args: Args) -> Result<usize> {
        let changed = self.with(|session| {
            let args: Vec<Arg> = args.iter().map(|a| a.bind()).collect();
            let args: Vec<&(dyn ToSql + Sync)> = args.iter().map(|a| a as _).collect();
            let statement = session.prepared(sql.pg)?;
            session.client.execute(&statement, &args)
        })?;
        Ok(changed as usize)
    }

    fn each(&self, sql: Sql, args: Args, row: EachRow) -> Result<()> {
        let rows = self.with(|session| {
            let args: Vec<Arg> = args.iter().map(|a| a.bind()).collect();
            let args: Vec<&(dyn ToSql + Sync)> = args.iter().map(|a| a as _).collect();
            let statement = session.prepared(sql.pg)?;
            session.client.query(&statement, &args)
        })?;
        let places = RefCell::default();
        for found in &rows {
            if !row(&Row::pg(found, &places))? {
                break;
            }
        }
        Ok(())
    }

    fn batch(&self, sql: &str) -> Result<()> {
        self.simple(sql).map(|_| ())
    }

    fn begin(&self) -> Result<()> {
        if self.only_read.get() {
            return Err(StoreError::Data("this store is only read".to_owned()));
        }
        let number = self.number.get() + 1;
        self.number.set(number);
        self.repeat.set(false);
        let sql = format!(
            "BEGIN; UPDATE unit SET number = {number},
             at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint WHERE owner = '{}'",
            self.owner
        );
        // The begin may have failed after it took effect, so the connection is dropped.
        let begin = || {
            self.simple(&sql).inspect_err(|e| {
                forget(self.session.borrow_mut().take());
                self.repeat.set(matches!(e, StoreError::Again(_)));
            })
        };
        let mut changed = begin()?;
        if changed.last() == Some(&0) {
            // The row was deleted because the connection was unused for so long. A new connection
            // makes it before the commit, because a commit can't wait for a connection.
            self.simple("ROLLBACK")?;
            forget(self.session.borrow_mut().take());
            changed = begin()?;
        }
        self.begun(true);
        if changed.last() != Some(&1) {
            self.rollback();
            return Err(StoreError::Lost("this connection's own row is not there".to_owned()));
        }
        self.lock_wanted().inspect_err(|_| self.rollback())
    }

    fn begin_reading(&self) -> Result<()> {
        self.simple("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
        self.begun(false);
        Ok(())
    }

    fn commit(&self) -> Result<Kept> {
        if self.failed.get() {
            // The server would treat COMMIT as ROLLBACK, and not report it.
            self.rollback();
            return Err(StoreError::Other("a part of the commit had failed".to_owned()));
        }
        let writes = self.writes.get();
        let done = self.with(|session| session.client.simple_query("COMMIT"));
        match done {
            Ok(_) => {
                self.ended();
                self.wanted.borrow_mut().clear();
                Ok(Kept::Yes)
            }
            Err(StoreError::Lost(_)) if writes => {
                self.repeat.set(false);
                self.ended();
                Ok(Kept::Unknown)
            }
            Err(e) => {
                self.rollback();
                Err(e)
            }
        }
    }

    fn rollback(&self) {
        if self.open.get() {
            self.failed.set(false);
            let _ = self.simple("ROLLBACK");
        }
        self.ended();
        if !self.repeat.get() {
            self.wanted.borrow_mut().clear();
        }
    }

    fn stands(&self) -> Result<bool> {
        let began = SystemClock.now();
        loop {
            let found = self.simple("BEGIN").and_then(|_| {
                self.begun(false);
                let found = self.number_of();
                self.rollback();
                found
            });
            match found {
                Ok(found) => return Ok(found.is_some_and(|n| n >= self.number.get())),
                // The old transaction is still open: its server waits for our next message.
                Err(e) if SystemClock.now().duration_since(began) > LOOKED => return Err(e),
                Err(_) => self.repeat.set(false),
            }
        }
    }

    fn begin_part(&self) -> Result<()> {
        self.batch("SAVEPOINT part")
    }

    fn keep_part(&self) -> Result<()> {
        self.batch("RELEASE part")
    }

    fn undo_part(&self) {
        // A commit that must be done again is taken back as a whole.
        if self.open.get() && !self.repeat.get() {
            self.failed.set(false);
            let _ = self.batch("ROLLBACK TO part; RELEASE part");
        }
    }

    fn in_commit(&self) -> bool {
        self.open.get()
    }

    fn is_to_repeat(&self) -> bool {
        self.repeat.get()
    }

    fn version(&self) -> Result<String> {
        // The same snapshot sees the same rows.
        let mut seen = String::new();
        let sql = "SELECT CAST(pg_current_snapshot() AS TEXT)";
        self.each(sql.into(), &[], &mut |r| {
            seen = r.get(0)?;
            Ok(false)
        })?;
        Ok(seen)
    }

    fn lite(&self) -> Option<&Lite> {
        None
    }

    fn pg(&self) -> Option<&Pg> {
        Some(self)
    }
}

impl Session {
    fn prepared(&mut self, sql: &str) -> std::result::Result<Statement, postgres::Error> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(&without_hints(sql))?;
        if self.statements.len() >= STATEMENTS_MAX {
            self.statements.clear();
        }
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_for_the_other_maker_are_left_out() {
        let sql = "UPDATE mail INDEXED BY mail_ring SET x = 1 FROM b INDEXED BY c WHERE d";
        assert_eq!(without_hints(sql), "UPDATE mail  SET x = 1 FROM b  WHERE d");
    }
}
