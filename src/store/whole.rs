//! Copying a whole store from one place to another, between any two backends.

use sha2::{Digest, Sha256};

use super::copy::{Contents, RECEIPTS_LEFT_OUT, restored};
use super::db::{Bind, Db, Kept, Value, params};
use super::rows::{self, Line};
use super::{Place, Reader, Result, SCHEMAS, StoreError, Tx, ms, time};
use base::clock::Entropy;
use jiff::Timestamp;

/// All tables that go along, in an order in which none refers to a later one. The workers' notes
/// about themselves stay behind.
const TABLES: &[&str] = &[
    "host",
    "game",
    "seat",
    "turn",
    "step",
    "mail",
    "orders",
    "pending",
    "seal",
    "outbox",
    "drawing",
    "credit",
    "question",
    "waiting",
    "vote",
    "reminded",
    "address",
    "outage",
    "act",
    "signature",
    "shown",
];
/// Rows per read, for tables that may hold a great many.
const SLICE: i64 = 200;

/// The copied content of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// Name of the table.
    pub table: &'static str,
    /// Number of rows.
    pub rows: u64,
    /// SHA-256 of all rows, in hexadecimal; the same in both places.
    pub digest: String,
}

impl Reader {
    /// The content of the store in numbers.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; so for every method here.
    pub fn contents(&self) -> Result<Contents> {
        let count = |sql: &str| self.db.one(sql, params![], |r| r.get(0));
        let newest = "SELECT max(received_at) FROM mail";
        let newest: Option<i64> = self.db.one(newest, params![], |r| r.get(0))?;
        Ok(Contents {
            schema: SCHEMAS.len(),
            games: count("SELECT count(*) FROM game")?,
            turns: count("SELECT count(*) FROM turn WHERE turn > 0")?,
            newest: newest.map(time),
            is_export: false,
        })
    }

    /// Row counts and digests of all tables that go along with a host.
    pub fn digests(&self) -> Result<Vec<Copied>> {
        let of = |table: &&'static str| {
            let (rows, digest) = each(&self.db, table, |_| Ok(()))?;
            Ok(Copied { table, rows, digest })
        };
        TABLES.iter().map(of).collect()
    }

    /// Whether it holds no game and no mail.
    pub fn is_empty(&self) -> Result<bool> {
        for table in ["game", "mail", "outbox"] {
            if self.db.exists(&format!("SELECT 1 FROM {table} LIMIT 1"), params![])? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Tx<'_> {
    /// Records that the store was restored from a copy, and ends all unfinished work in it; see
    /// [`super::copy::note_restored`].
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn note_restored(&self, why: &str, now: Timestamp) -> Result<()> {
        self.db.exec(&restored(), params![RECEIPTS_LEFT_OUT, now.to_string(), ms(now), why])?;
        numbers_go_on(&self.db)?;
        self.workers().end_work(None, now)
    }
}

/// Has a database continue its numbers after the existing ones.
fn numbers_go_on(db: &Db) -> Result<()> {
    if db.link().pg().is_none() {
        return Ok(());
    }
    for table in ["mail", "outbox", "credit", "waiting", "act"] {
        let sql = format!(
            "SELECT setval(pg_get_serial_sequence('{table}', 'id'),
             (SELECT coalesce(max(id), 0) + 1 FROM {table}), false)"
        );
        db.exists(&sql, params![])?;
    }
    Ok(())
}

/// Copies all of a store, as it is at one instant, into a place that holds no game and no mail, and
/// compares the copy with the original. `progress` gets each table when it is done.
///
/// # Errors
/// [`StoreError::Unfit`] when the place is not empty or the copy differs; nothing is kept then.
pub fn copy_store(
    from: &Place,
    to: &Place,
    entropy: &dyn Entropy,
    mut progress: impl FnMut(&Copied),
) -> Result<Vec<Copied>> {
    let (source, target) = (from.open(entropy)?, to.open(entropy)?);
    if !target.is_empty()? {
        let why = "holds a host already; a copy goes into an empty place".to_owned();
        return Err(StoreError::Unfit(to.to_string(), why));
    }
    let (source, target) = (source.database(), target.database());
    for db in [source, target] {
        if db.link().pg().is_some() {
            // Each of the two waits for the other, table by table.
            let patient = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";
            db.batch(patient)?;
        }
    }
    source.link().begin_reading()?;
    target.link().begin()?;
    let done = all(source, target, &mut progress);
    source.link().rollback();
    match done {
        Ok(copied) => {
            if target.link().commit()? == Kept::Unknown && !target.link().stands()? {
                let why = "the database did not keep the copy".to_owned();
                return Err(StoreError::Lost(why));
            }
            target.batch("ANALYZE")?;
            Ok(copied)
        }
        Err(e) => {
            target.link().rollback();
            Err(match e {
                StoreError::Corrupt(why) => StoreError::Unfit(to.to_string(), why),
                other => other,
            })
        }
    }
}

fn all(source: &Db, target: &Db, progress: &mut dyn FnMut(&Copied)) -> Result<Vec<Copied>> {
    // Its own key, which has never been used.
    target.exec("DELETE FROM host", params![])?;
    let mut copied = Vec::new();
    for table in TABLES {
        let mut undone = Vec::new();
        let before = each(source, table, |line| {
            if *table != "act" {
                return rows::put(target, table, line);
            }
            // It may refer to a later act.
            let mut line = line.clone();
            undone.push((line.number("id"), line.get("undone_by").clone()));
            line.set("undone_by", Value::Null);
            rows::put(target, table, &line)
        })?;
        for (id, by) in undone {
            target.exec("UPDATE act SET undone_by = $2 WHERE id = $1", params![id, by])?;
        }
        let after = each(target, table, |_| Ok(()))?;
        if before != after {
            let why = format!("table {table} came out otherwise: {} rows of {}", after.0, before.0);
            return Err(StoreError::Corrupt(why));
        }
        let done = Copied { table, rows: before.0, digest: before.1 };
        progress(&done);
        copied.push(done);
    }
    numbers_go_on(target)?;
    Ok(copied)
}

/// Passes on the rows of a table in the order of its key, a slice at a time. Gives the number of
/// rows and their digest.
fn each(db: &Db, table: &str, mut row: impl FnMut(&Line) -> Result<()>) -> Result<(u64, String)> {
    let (mut n, mut digest) = (0, Sha256::new());
    let names = rows::columns(db, table)?;
    let mut seen = |line: Line| {
        n += 1;
        line.digest(&mut digest);
        row(&line)
    };
    let has = |column: &str| names.iter().any(|name| name == column);
    let slices = match table {
        "turn" => Some("game || ' ' || CAST(1000000 + turn AS TEXT)"),
        _ if has("id") && table != "question" && table != "signature" => None,
        _ => {
            let key = rows::key(table);
            rows::ordered(db, table, "1 = 1", key, &[], &mut seen)?;
            return Ok((n, hex(digest)));
        }
    };
    let (mut last_id, mut last_text) = (i64::MIN, String::new());
    loop {
        let mut read = 0;
        let key = slices.unwrap_or("id");
        let after: &dyn Bind = if slices.is_some() { &last_text.clone() } else { &last_id.clone() };
        let which = format!("{key} > $1");
        let order = format!("{key} LIMIT {SLICE}");
        rows::ordered(db, table, &which, &order, &[after], &mut |line| {
            read += 1;
            last_id = line.number("id").unwrap_or_default();
            let turn = 1_000_000 + line.number("turn").unwrap_or_default();
            last_text = format!("{} {turn}", line.text("game"));
            seen(line)
        })?;
        if read < SLICE {
            return Ok((n, hex(digest)));
        }
    }
}

fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|b| format!("{b:02x}")).collect()
}
