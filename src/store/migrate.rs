//! The schema of a store, step by step: the same numbers for SQLite and for PostgreSQL.
//!
//! Each step and its number are one transaction. A file keeps the number in `user_version`, which
//! shows its version without a look inside; a database has a row for each step. There are two lists
//! and one loop for each. A library for this would bring its own lock, its own versions and seven
//! seconds of each build.
//!
//! From the seventeenth step on, one text serves both. Both understand `BIGINT` for numbers, `TEXT`
//! (with `COLLATE "C"` only where something is sorted by it), `||`, `CASE`, and `ALTER TABLE` that
//! adds, drops or renames a column.

use rusqlite::Connection;

/// The steps that bring a file from each version of its schema to the next; a new step is a new
/// line here.
pub const SCHEMAS: &[&str] = &[
    include_str!("schema-1.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
    include_str!("schema-4.sql"),
    include_str!("schema-5.sql"),
    include_str!("schema-6.sql"),
    include_str!("schema-7.sql"),
    include_str!("schema-8.sql"),
    include_str!("schema-9.sql"),
    include_str!("schema-10.sql"),
    include_str!("schema-11.sql"),
    include_str!("schema-12.sql"),
    include_str!("schema-13.sql"),
    include_str!("schema-14.sql"),
    include_str!("schema-15.sql"),
    include_str!("schema-16.sql"),
    // Choices of a player are in one column, so that a new choice needs no new column.
    "ALTER TABLE seat ADD COLUMN choices TEXT NOT NULL DEFAULT '{}';
     UPDATE seat SET choices = '{\"format\":' || format || ',\"reminders\":' ||
       CASE reminders WHEN 0 THEN 'false' ELSE 'true' END || '}';
     ALTER TABLE seat DROP COLUMN format;
     ALTER TABLE seat DROP COLUMN reminders",
];
/// The steps for a database, up to the last that is not shared; the first was made when files were
/// at the twelfth.
const SERVER_SCHEMAS: &[&str] = &[
    include_str!("postgres-12.sql"),
    include_str!("postgres-13.sql"),
    include_str!("postgres-14.sql"),
    include_str!("postgres-15.sql"),
    include_str!("postgres-16.sql"),
];
/// Version of the first of them.
const SERVER_FIRST: i64 = 12;

/// The table in which a database notes its steps, named after a library that formerly wrote it.
/// Files formerly had it too.
pub(super) const HISTORY: &str = "refinery_schema_history";
/// The lock of a database for changes of its schema; its bytes spell `fieldpos`.
const LOCK: i64 = 0x6669_656c_6470_6f73;

fn newer(version: i64) -> String {
    format!(
        "its schema is {version}, and this program knows {}: a newer program has changed it; use \
         that program or a newer one",
        SCHEMAS.len()
    )
}

/// Steps that are still to be made; negative: a newer program has made more.
pub(super) fn pending(conn: &Connection) -> rusqlite::Result<i64> {
    let version: i64 = conn.query_row("PRAGMA user_version", [], |r| r.get(0))?;
    Ok(SCHEMAS.len() as i64 - version)
}

/// Brings a file to the newest schema.
///
/// # Errors
/// A sentence; the file is as one of the steps left it.
pub(super) fn lite(conn: &mut Connection) -> Result<(), String> {
    let failed = |e: rusqlite::Error| e.to_string();
    let known = SCHEMAS.len() as i64;
    let version = known - pending(conn).map_err(failed)?;
    if version > known {
        return Err(newer(version));
    }
    if version == known {
        return Ok(());
    }
    for (number, step) in (1..).zip(SCHEMAS).skip(noted(conn, version).map_err(failed)?) {
        let part = conn.transaction().map_err(failed)?;
        part.execute_batch(step).map_err(|e| format!("step {number} of its schema: {e}"))?;
        part.pragma_update(None, "user_version", number).map_err(failed)?;
        part.commit().map_err(failed)?;
    }
    conn.pragma_update(None, "user_version", known).map_err(failed)
}

/// The number of steps that a file has had. An older program noted the last step in a table before
/// it set the number.
fn noted(conn: &Connection, version: i64) -> rusqlite::Result<usize> {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE name = ?1";
    let tables: i64 = conn.query_row(sql, [HISTORY], |r| r.get(0))?;
    let sql = "SELECT coalesce(max(version), 0) FROM refinery_schema_history";
    let steps = if tables == 0 { 0 } else { conn.query_row(sql, [], |r| r.get(0))? };
    Ok(usize::try_from(version.max(steps)).unwrap_or_default())
}

/// Version of a database's schema; 0: it has none.
///
/// # Errors
/// What the server says.
pub(super) fn server_version(client: &mut postgres::Client) -> Result<i64, postgres::Error> {
    let sql = "SELECT to_regclass($1::text) IS NOT NULL";
    if !client.query_one(sql, &[&HISTORY])?.get::<_, bool>(0) {
        return Ok(0);
    }
    let sql = "SELECT coalesce(max(version), 0)::bigint FROM refinery_schema_history";
    Ok(client.query_one(sql, &[])?.get(0))
}

/// Brings a database to the newest schema.
///
/// # Errors
/// A sentence; the database is as one of the steps left it.
pub(super) fn server(client: &mut postgres::Client) -> Result<(), String> {
    let known = SCHEMAS.len() as i64;
    let version = server_version(client).map_err(|e| server_error(&e))?;
    if version > known {
        return Err(newer(version));
    }
    if version == known {
        return Ok(());
    }
    // Workers that start together wait for each other here.
    let patient = "SET lock_timeout = 0; SET statement_timeout = 0";
    client.batch_execute(patient).map_err(|e| server_error(&e))?;
    client.execute("SELECT pg_advisory_lock($1)", &[&LOCK]).map_err(|e| server_error(&e))?;
    let done = server_steps(client);
    client.execute("SELECT pg_advisory_unlock($1)", &[&LOCK]).map_err(|e| server_error(&e))?;
    client
        .batch_execute("RESET lock_timeout; RESET statement_timeout")
        .map_err(|e| server_error(&e))?;
    done.map_err(|e| server_error(&e))
}

/// Makes the steps that a database has not had; nobody else does meanwhile.
fn server_steps(client: &mut postgres::Client) -> Result<(), postgres::Error> {
    client.batch_execute(
        "CREATE TABLE IF NOT EXISTS refinery_schema_history (version int8 PRIMARY KEY, \
         name varchar(255), applied_on varchar(255), checksum varchar(255))",
    )?;
    let version = server_version(client)?;
    let both = SCHEMAS.iter().skip(SERVER_FIRST as usize - 1 + SERVER_SCHEMAS.len());
    for (number, step) in (SERVER_FIRST..).zip(SERVER_SCHEMAS.iter().chain(both)) {
        if number <= version {
            continue;
        }
        let mut part = client.transaction()?;
        part.batch_execute(step)?;
        let sql = "INSERT INTO refinery_schema_history (version, name, applied_on) \
                   VALUES ($1, 'schema', now()::text)";
        part.execute(sql, &[&number])?;
        part.commit()?;
    }
    Ok(())
}

/// A server's error in one line.
pub(super) fn server_error(e: &postgres::Error) -> String {
    match e.as_db_error() {
        Some(said) => {
            let detail = said.detail().map(|d| format!(" ({d})")).unwrap_or_default();
            format!("{}{detail}", said.message())
        }
        None => {
            let mut text = e.to_string();
            let mut cause = std::error::Error::source(e);
            while let Some(inner) = cause {
                let inner_text = inner.to_string();
                if !text.contains(&inner_text) {
                    text += &format!(": {inner_text}");
                }
                cause = inner.source();
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(conn: &Connection) -> i64 {
        conn.query_row("PRAGMA user_version", [], |r| r.get(0)).expect("a number")
    }

    #[test]
    fn a_step_that_a_program_of_before_has_noted_is_not_made_again() {
        let mut conn = Connection::open_in_memory().expect("a store");
        SCHEMAS[..13].iter().for_each(|sql| conn.execute_batch(sql).expect("a schema"));
        // The process died after its thirteenth step: the table has the step, the number does not.
        conn.execute_batch(
            "CREATE TABLE refinery_schema_history (version INTEGER PRIMARY KEY);
             INSERT INTO refinery_schema_history VALUES (12), (13);
             PRAGMA user_version = 12",
        )
        .expect("as it was left");
        lite(&mut conn).expect("the steps that are left");
        assert_eq!(version(&conn), SCHEMAS.len() as i64);
    }

    #[test]
    fn a_step_that_fails_leaves_nothing_of_it_and_the_number_of_the_one_before() {
        let mut conn = Connection::open_in_memory().expect("a store");
        SCHEMAS[..13].iter().for_each(|sql| conn.execute_batch(sql).expect("a schema"));
        conn.pragma_update(None, "user_version", 13).expect("a number");
        // The second index of the fifteenth step already exists.
        conn.execute_batch("CREATE INDEX mail_pending ON mail(game)").expect("an index");
        let fault = lite(&mut conn).expect_err("it can't be made");
        assert!(fault.starts_with("step 15 of its schema: "), "{fault}");
        assert_eq!(version(&conn), 14);
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'mail_card'";
        let first: i64 = conn.query_row(sql, [], |r| r.get(0)).expect("a count");
        assert_eq!(first, 0, "the first of it went, too");
        conn.execute_batch("DROP INDEX mail_pending").expect("out of the way");
        lite(&mut conn).expect("the steps that are left");
        assert_eq!(version(&conn), SCHEMAS.len() as i64);
    }
}
