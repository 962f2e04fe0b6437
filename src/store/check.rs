//! A look at a store that makes, migrates and mends nothing.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::{BUSY, LEASE_S, Result, SCHEMAS, Server, StoreError, migrate};

/// The condition of a store file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Steps of the schema that this program would still make; negative: a newer program has made
    /// more.
    pub pending: i64,
    /// The damage that SQLite finds in the file.
    pub damage: Vec<String>,
}

/// Looks at the store in a folder and reads all of its file.
///
/// # Errors
/// [`StoreError`] when it can't be opened or read.
pub fn check(folder: &Path) -> Result<Condition> {
    let path = folder.join("fieldpost.sqlite");
    let error = |e: String| StoreError::Open(path.display().to_string(), e);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(&path, flags).map_err(|e| error(e.to_string()))?;
    conn.busy_timeout(BUSY)?;
    let pending = migrate::pending(&conn).map_err(|e| error(e.to_string()))?;
    let mut rows = conn.prepare("PRAGMA integrity_check(5)")?;
    let lines = rows.query_map([], |r| r.get::<_, String>(0))?;
    let damage = lines.filter(|l| !l.as_ref().is_ok_and(|l| l == "ok"));
    let damage = damage.collect::<std::result::Result<_, _>>()?;
    Ok(Condition { pending, damage })
}

/// The condition of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerCondition {
    /// Name and version of the server.
    pub backend: String,
    /// Version of its schema; 0: it has none.
    pub schema: i64,
    /// Steps of the schema that this program would still make; negative: a newer program has made
    /// more.
    pub pending: i64,
    /// It is a standby and takes no changes.
    pub is_standby: bool,
    /// A crash of the server may lose commits that it had confirmed.
    pub loses_commits: bool,
    /// Workers that are alive.
    pub workers: u32,
}

/// Looks at a database.
///
/// # Errors
/// [`StoreError`] when it can't be reached or read.
pub fn check_server(server: &Server) -> Result<ServerCondition> {
    let mut client = server.connect()?;
    let error =
        |e: postgres::Error| StoreError::Open(server.shown().to_owned(), migrate::server_error(&e));
    let version = migrate::server_version(&mut client).map_err(error)?;
    let sql = "SELECT current_setting('server_version'), pg_is_in_recovery(),
               current_setting('fsync') = 'off' OR current_setting('synchronous_commit') = 'off'";
    let row = client.query_one(sql, &[]).map_err(error)?;
    let mut workers = 0_i64;
    if version > 0 {
        let sql = "SELECT count(*) FROM worker WHERE seen_at >
                   (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $1::bigint";
        let living = client.query_one(sql, &[&(LEASE_S * 1000)]).map_err(error)?;
        workers = living.get(0);
    }
    Ok(ServerCondition {
        backend: format!("PostgreSQL {}", row.get::<_, &str>(0)),
        schema: version,
        pending: SCHEMAS.len() as i64 - version,
        is_standby: row.get(1),
        loses_commits: row.get(2),
        workers: u32::try_from(workers).unwrap_or(u32::MAX),
    })
}
