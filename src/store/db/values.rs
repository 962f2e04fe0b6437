//! Values on their way into a statement and out of a row, for both backends.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use rusqlite::types::{ToSqlOutput, ValueRef};

use super::super::{Result, StoreError};

/// A value as it is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg<'a> {
    /// None.
    Null,
    /// An integer; true is 1.
    Int(i64),
    /// A text.
    Text(&'a str),
    /// Bytes.
    Blob(&'a [u8]),
}

/// A value as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// None.
    Null,
    /// An integer.
    Int(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// Something that can be a value of a statement.
pub trait Bind {
    /// The value.
    fn bind(&self) -> Arg<'_>;
}

impl<'a> Arg<'a> {
    /// Removes NUL, which PostgreSQL does not take in a text. The store keeps none on either
    /// backend, so that every mail can be stored.
    pub(crate) fn clean(text: &str) -> Cow<'_, str> {
        match text.contains('\0') {
            true => Cow::Owned(text.replace('\0', "\u{fffd}")),
            false => Cow::Borrowed(text),
        }
    }

    pub(super) fn to_lite(self) -> ToSqlOutput<'a> {
        use rusqlite::types::Value as Lite;
        match self {
            Arg::Null => ToSqlOutput::Owned(Lite::Null),
            Arg::Int(n) => ToSqlOutput::Owned(Lite::Integer(n)),
            Arg::Text(text) => match Self::clean(text) {
                Cow::Borrowed(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
                Cow::Owned(text) => ToSqlOutput::Owned(Lite::Text(text)),
            },
            Arg::Blob(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        }
    }
}

impl Value {
    fn of(read: Read) -> Self {
        match read {
            Arg::Null => Self::Null,
            Arg::Int(n) => Self::Int(n),
            Arg::Text(text) => Self::Text(text.to_owned()),
            Arg::Blob(bytes) => Self::Blob(bytes.to_vec()),
        }
    }
}

impl Bind for Value {
    fn bind(&self) -> Arg<'_> {
        match self {
            Self::Null => Arg::Null,
            Self::Int(n) => Arg::Int(*n),
            Self::Text(text) => Arg::Text(text),
            Self::Blob(bytes) => Arg::Blob(bytes),
        }
    }
}

macro_rules! integers {
    ($($name:ty),+) => {$(
        impl Bind for $name {
            fn bind(&self) -> Arg<'_> {
                Arg::Int(i64::from(*self))
            }
        }

        impl FromRead for $name {
            fn from_read(read: Read) -> std::result::Result<Self, &'static str> {
                let Arg::Int(n) = read else { return Err("is no number") };
                Self::try_from(n).map_err(|_| "is a number that is too large or too small")
            }
        }
    )+};
}
integers!(i64, i32, u32, u16, u8);

impl Bind for bool {
    fn bind(&self) -> Arg<'_> {
        Arg::Int(i64::from(*self))
    }
}

impl Bind for str {
    fn bind(&self) -> Arg<'_> {
        Arg::Text(self)
    }
}

impl Bind for String {
    fn bind(&self) -> Arg<'_> {
        Arg::Text(self)
    }
}

impl Bind for Cow<'_, str> {
    fn bind(&self) -> Arg<'_> {
        Arg::Text(self)
    }
}

impl Bind for [u8] {
    fn bind(&self) -> Arg<'_> {
        Arg::Blob(self)
    }
}

impl Bind for Vec<u8> {
    fn bind(&self) -> Arg<'_> {
        Arg::Blob(self)
    }
}

impl<const N: usize> Bind for [u8; N] {
    fn bind(&self) -> Arg<'_> {
        Arg::Blob(self)
    }
}

impl<T: Bind> Bind for Option<T> {
    fn bind(&self) -> Arg<'_> {
        self.as_ref().map_or(Arg::Null, Bind::bind)
    }
}

impl<T: Bind + ?Sized> Bind for &T {
    fn bind(&self) -> Arg<'_> {
        (**self).bind()
    }
}

/// A value as it is in a row.
pub(crate) type Read<'a> = Arg<'a>;

/// A type that a value of a row can be read as.
pub trait FromRead: Sized {
    /// The value, or what is wrong with it.
    ///
    /// # Errors
    /// A few words that follow the column's name.
    fn from_read(read: Read) -> std::result::Result<Self, &'static str>;
}

impl FromRead for bool {
    fn from_read(read: Read) -> std::result::Result<Self, &'static str> {
        match read {
            Arg::Int(n) => Ok(n != 0),
            _ => Err("is neither 0 nor 1"),
        }
    }
}

impl FromRead for String {
    fn from_read(read: Read) -> std::result::Result<Self, &'static str> {
        match read {
            Arg::Text(text) => Ok(text.to_owned()),
            _ => Err("is no text"),
        }
    }
}

impl FromRead for Vec<u8> {
    fn from_read(read: Read) -> std::result::Result<Self, &'static str> {
        match read {
            Arg::Blob(bytes) => Ok(bytes.to_vec()),
            _ => Err("is no row of bytes"),
        }
    }
}

impl<T: FromRead> FromRead for Option<T> {
    fn from_read(read: Read) -> std::result::Result<Self, &'static str> {
        match read {
            Arg::Null => Ok(None),
            read => T::from_read(read).map(Some),
        }
    }
}

/// A row of either backend.
pub struct Row<'a> {
    made: Made<'a>,
    /// Places of the columns that the rows before were asked for by name, in that order. Each row
    /// of a statement is asked for the same columns.
    places: &'a RefCell<Vec<usize>>,
    /// How many columns this row was asked for.
    asked: Cell<usize>,
}

enum Made<'a> {
    Lite(&'a rusqlite::Row<'a>),
    Pg(&'a postgres::Row),
}

/// A column, given by its place or its name.
pub trait Column: std::fmt::Display {
    /// Its place in a row.
    fn place(&self, row: &Row) -> Option<usize>;
}

impl Column for usize {
    fn place(&self, _: &Row) -> Option<usize> {
        Some(*self)
    }
}

impl Column for &str {
    fn place(&self, row: &Row) -> Option<usize> {
        let asked = row.asked.get();
        row.asked.set(asked + 1);
        let known = row.places.borrow().get(asked).copied();
        if let Some(place) = known.filter(|place| row.name(*place) == Some(self)) {
            return Some(place);
        }
        let place = (0..row.len()).find(|n| row.name(*n) == Some(self))?;
        let mut places = row.places.borrow_mut();
        places.truncate(asked);
        // Later columns are noted only when none before them was missing.
        if places.len() == asked {
            places.push(place);
        }
        Some(place)
    }
}

impl<'a> Row<'a> {
    /// A row of SQLite; `places` belong to its statement.
    pub(super) fn lite(row: &'a rusqlite::Row<'a>, places: &'a RefCell<Vec<usize>>) -> Self {
        Self { made: Made::Lite(row), places, asked: Cell::new(0) }
    }

    /// A row of PostgreSQL; `places` belong to its statement.
    pub(super) fn pg(row: &'a postgres::Row, places: &'a RefCell<Vec<usize>>) -> Self {
        Self { made: Made::Pg(row), places, asked: Cell::new(0) }
    }

    fn len(&self) -> usize {
        match self.made {
            Made::Lite(row) => row.as_ref().column_count(),
            Made::Pg(row) => row.len(),
        }
    }

    /// A column's name.
    fn name(&self, place: usize) -> Option<&str> {
        match self.made {
            Made::Lite(row) => row.as_ref().column_name(place).ok(),
            Made::Pg(row) => row.columns().get(place).map(postgres::Column::name),
        }
    }

    /// A value of the row.
    ///
    /// # Errors
    /// [`StoreError::Data`] when it is not what it is read as.
    pub fn get<I: Column, T: FromRead>(&self, column: I) -> Result<T> {
        let bad = |why: &str| StoreError::Data(format!("column {column} {why}"));
        let place = column.place(self).ok_or_else(|| bad("is not there"))?;
        let read = self.read(place).map_err(|e| bad(&e))?;
        T::from_read(read).map_err(bad)
    }

    fn read(&self, place: usize) -> std::result::Result<Read<'_>, String> {
        match self.made {
            Made::Lite(row) => match row.get_ref(place).map_err(|e| e.to_string())? {
                ValueRef::Null => Ok(Arg::Null),
                ValueRef::Integer(n) => Ok(Arg::Int(n)),
                ValueRef::Real(_) => Err("is a fraction".to_owned()),
                ValueRef::Text(bytes) => {
                    let text = std::str::from_utf8(bytes);
                    text.map(Arg::Text).map_err(|_| "is no UTF-8".to_owned())
                }
                ValueRef::Blob(bytes) => Ok(Arg::Blob(bytes)),
            },
            Made::Pg(row) => {
                let read = row.try_get::<_, super::pg::Raw>(place);
                read.map(|raw| raw.0).map_err(|e| e.to_string())
            }
        }
    }

    /// All values of the row.
    ///
    /// # Errors
    /// [`StoreError::Data`] when one can't be read.
    pub fn values(&self) -> Result<Vec<Value>> {
        let value = |n| match self.read(n) {
            Ok(read) => Ok(Value::of(read)),
            Err(e) => Err(StoreError::Data(format!("column {n} {e}"))),
        };
        (0..self.len()).map(value).collect()
    }
}

/// Lets types be written as their word and read back; an unknown word reads as the default.
macro_rules! words_as_values {
    ($($name:ident),+) => {$(
        impl $crate::db::Bind for $name {
            fn bind(&self) -> $crate::db::Arg<'_> {
                $crate::db::Arg::Text(self.as_str())
            }
        }

        impl $crate::db::FromRead for $name {
            fn from_read(
                read: $crate::db::Arg,
            ) -> std::result::Result<Self, &'static str> {
                match read {
                    $crate::db::Arg::Text(word) => Ok(word.parse().unwrap_or_default()),
                    _ => Err("is no word"),
                }
            }
        }
    )+};
}
pub(crate) use words_as_values;

#[cfg(test)]
mod tests {
    use crate::db::{Db, Lite};

    #[test]
    fn columns_are_found_by_name_in_whatever_order() {
        let conn = rusqlite::Connection::open_in_memory().expect("memory");
        let db = Db::new(Lite::over(conn));
        let sql = "SELECT 1 AS a, 2 AS b, 3 AS c";
        let read = |names: [&'static str; 3]| -> Vec<i64> {
            db.one(sql, &[], |r| names.iter().map(|name| r.get(*name)).collect()).expect("a row")
        };
        assert_eq!(read(["a", "b", "c"]), [1, 2, 3]);
        assert_eq!(read(["c", "a", "b"]), [3, 1, 2]);
        assert_eq!(read(["b", "b", "a"]), [2, 2, 1]);
        let none = db.one(sql, &[], |r| r.get::<_, i64>("d")).expect_err("there is none");
        assert!(none.to_string().contains("column d is not there"), "{none}");
    }
}
