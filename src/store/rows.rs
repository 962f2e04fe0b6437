//! Rows of any table, from one store to another, whatever their backends.

use super::Result;
use super::db::{Arg, Args, Bind, Db, Sql, Value};
use sha2::{Digest, Sha256};

/// One row: its columns by name.
#[derive(Debug, Clone)]
pub(super) struct Line {
    names: Vec<String>,
    values: Vec<Value>,
}

impl Line {
    fn place(&self, column: &str) -> Option<usize> {
        self.names.iter().position(|n| n == column)
    }

    /// A value; NULL: there is no such column.
    pub fn get(&self, column: &str) -> &Value {
        self.place(column).map_or(&Value::Null, |n| &self.values[n])
    }

    /// A number, if it is one.
    pub fn number(&self, column: &str) -> Option<i64> {
        match self.get(column) {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// A text; empty: it is not a text.
    pub fn text(&self, column: &str) -> &str {
        match self.get(column) {
            Value::Text(text) => text,
            _ => "",
        }
    }

    /// Changes a value; a missing column is not added.
    pub fn set(&mut self, column: &str, value: Value) {
        if let Some(n) = self.place(column) {
            self.values[n] = value;
        }
    }

    /// Adds the whole row to a digest.
    pub fn digest(&self, digest: &mut Sha256) {
        for value in &self.values {
            let (kind, bytes) = match value {
                Value::Null => (0, Vec::new()),
                Value::Int(n) => (1, n.to_be_bytes().to_vec()),
                Value::Text(text) => (2, text.as_bytes().to_vec()),
                Value::Blob(bytes) => (3, bytes.clone()),
            };
            digest.update([kind]);
            digest.update((bytes.len() as u64).to_be_bytes());
            digest.update(&bytes);
        }
    }

    /// Removes a column and gives its value.
    pub fn take(&mut self, column: &str) -> Option<Value> {
        let n = self.place(column)?;
        self.names.remove(n);
        Some(self.values.remove(n))
    }
}

/// Columns of a table in their order.
pub(super) fn columns(db: &Db, table: &str) -> Result<Vec<String>> {
    let sql = Sql {
        lite: "SELECT name FROM pragma_table_info($1) ORDER BY cid",
        pg: "SELECT CAST(column_name AS TEXT) FROM information_schema.columns
             WHERE table_name = $1 AND table_schema = current_schema() ORDER BY ordinal_position",
    };
    db.all(sql, &[&table], |r| r.get(0))
}

/// The columns that identify a row of a table.
pub(super) fn key(table: &str) -> &'static str {
    match table {
        "game" => "code",
        "seat" => "game, seat",
        "turn" => "game, turn",
        "seal" => "game, turn, seat, key",
        "step" => "game, number",
        "orders" | "vote" => "game, seat, turn",
        "pending" => "mail",
        "drawing" => "outbox",
        "reminded" => "game, turn, what",
        "shown" => "game, reader, seat",
        "host" => "key",
        "address" => "address",
        "outage" => "began, ended",
        _ => "id",
    }
}

/// Passes on the rows of a table that meet a condition, in the order of its key.
pub(super) fn each(
    db: &Db,
    table: &str,
    which: &str,
    args: Args,
    mut row: impl FnMut(Line) -> Result<()>,
) -> Result<()> {
    ordered(db, table, which, key(table), args, &mut row)
}

/// Passes on the rows of a table that meet a condition, in a given order.
pub(super) fn ordered(
    db: &Db,
    table: &str,
    which: &str,
    order: &str,
    args: Args,
    row: &mut dyn FnMut(Line) -> Result<()>,
) -> Result<()> {
    // Columns come in the order of their names, because backends order them differently.
    let mut names = columns(db, table)?;
    names.sort();
    let sql = format!("SELECT {} FROM {table} WHERE {which} ORDER BY {order}", names.join(", "));
    db.each(&sql, args, |r| {
        let mut values = r.values()?;
        // Texts are cleaned as the store does now; older files may have others.
        for value in &mut values {
            if let Value::Text(text) = value
                && text.contains('\0')
            {
                *text = Arg::clean(text).into_owned();
            }
        }
        row(Line { names: names.clone(), values })
    })
}

fn insert(table: &str, line: &Line) -> String {
    let values: Vec<String> = (1..=line.names.len()).map(|n| format!("${n}")).collect();
    format!("INSERT INTO {table} ({}) VALUES ({})", line.names.join(", "), values.join(", "))
}

fn args(line: &Line) -> Vec<&dyn Bind> {
    line.values.iter().map(|v| v as &dyn Bind).collect()
}

/// Writes a row into a table.
pub(super) fn put(db: &Db, table: &str, line: &Line) -> Result<()> {
    db.exec(&insert(table, line), &args(line))?;
    Ok(())
}

/// Writes a row without its number into a table, and gives the number that it got.
pub(super) fn put_anew(db: &Db, table: &str, line: &Line) -> Result<i64> {
    db.one(&format!("{} RETURNING id", insert(table, line)), &args(line), |r| r.get(0))
}
