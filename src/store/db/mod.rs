//! The seam between the store and its two backends: SQLite, in a file, and PostgreSQL, on a server.
//!
//! All other files of the store write their statements once, in SQL that both backends take:
//! `$1` for values, `ON CONFLICT` and `RETURNING`, integers for what is true or not, addresses in
//! their canonical form. `Link` is what a backend gives; [`Db`] is what statements are run by.
//! What differs is turned at the edge of a backend (`INDEXED BY` is SQLite's alone) or stands side
//! by side in a [`Sql`].

mod lite;
mod pg;
mod troubled;
mod values;

pub(crate) use lite::Lite;
pub(crate) use pg::Pg;
pub use pg::{Bell, Server, ServerError, Variables};
pub use troubled::{Moment, Trouble};
pub(crate) use values::words_as_values;
pub use values::{Arg, Bind, Column, FromRead, Row, Value};

use base::effort;

use super::{Result, StoreError};

/// The values of a statement, in the order of their numbers.
pub type Args<'a> = &'a [&'a dyn Bind];

/// Values for a statement.
macro_rules! params {
    () => { &[] };
    ($($value:expr),+ $(,)?) => { &[$(&$value as &dyn $crate::db::Bind),+] };
}
pub(crate) use params;

/// Values of a list that one statement takes.
pub(crate) const LISTED: usize = 32;

/// Numbers of a list's values, from `$1` on: as many whatever the list holds, so that the statement
/// is prepared once.
pub(crate) fn numbers_of_list() -> String {
    (1..=LISTED).map(|n| format!("${n}")).collect::<Vec<_>>().join(", ")
}

/// A list as values for those numbers: its last stands in all that it does not fill.
pub(crate) fn list_of<T: Bind>(list: &[T]) -> Vec<&dyn Bind> {
    (0..LISTED).filter_map(|n| list.get(n).or(list.last())).map(|v| v as &dyn Bind).collect()
}

/// A statement: one text for both backends, or one for each.
#[derive(Debug, Clone, Copy)]
pub struct Sql<'a> {
    /// As SQLite takes it.
    pub lite: &'a str,
    /// As PostgreSQL takes it.
    pub pg: &'a str,
}

impl<'a> From<&'a str> for Sql<'a> {
    fn from(text: &'a str) -> Self {
        Self { lite: text, pg: text }
    }
}

impl<'a> From<&'a String> for Sql<'a> {
    fn from(text: &'a String) -> Self {
        text.as_str().into()
    }
}

/// Whether a commit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It does, or it was one that reads alone.
    Yes,
    /// The answer was lost: it may stand or not, and [`Link::stands`] says which.
    Unknown,
}

/// What is done with one row; `false`: no more are wanted.
pub(crate) type EachRow<'a> = &'a mut dyn FnMut(&Row) -> Result<bool>;

/// A connection to a backend. All of it is synchronous, and none of it is shared by threads.
pub(crate) trait Link: Send {
    /// Runs a statement and gives the number of rows that it changed.
    fn exec(&self, sql: Sql, args: Args) -> Result<usize>;
    /// Runs a statement and hands its rows over, one by one.
    fn each(&self, sql: Sql, args: Args, row: EachRow) -> Result<()>;
    /// Runs statements without values.
    fn batch(&self, sql: &str) -> Result<()>;
    /// Begins a commit.
    fn begin(&self) -> Result<()>;
    /// Begins reading: until the end, all is as it is at one instant.
    fn begin_reading(&self) -> Result<()>;
    /// Ends what was begun, and keeps what was done.
    fn commit(&self) -> Result<Kept>;
    /// Ends what was begun, and takes back what was done.
    fn rollback(&self);
    /// Whether the last commit that was begun, and whose answer was lost, stands.
    fn stands(&self) -> Result<bool>;
    /// Begins a part that can be taken back alone; parts may hold parts.
    fn begin_part(&self) -> Result<()>;
    /// Ends the innermost part, and keeps it as far as the whole is kept.
    fn keep_part(&self) -> Result<()>;
    /// Ends the innermost part, and takes it back.
    fn undo_part(&self);
    /// Whether something was begun and has not ended.
    fn in_commit(&self) -> bool;
    /// Whether what was begun came into the way of another worker, and is to be done anew.
    fn is_to_repeat(&self) -> bool;
    /// Another text as soon as anybody has committed anything.
    fn version(&self) -> Result<String>;
    /// SQLite, if it is that.
    fn lite(&self) -> Option<&Lite>;
    /// PostgreSQL, if it is that.
    fn pg(&self) -> Option<&Pg>;
}

/// Steps of work that a statement counts for ([`base::effort`]).
pub const STATEMENT: usize = 10;

/// A connection, and how statements are run by it.
pub struct Db {
    link: Box<dyn Link>,
}

impl Db {
    pub(crate) fn new(link: impl Link + 'static) -> Self {
        Self { link: Box::new(link) }
    }

    /// The same, with what a test has happen to it.
    pub(crate) fn with_trouble(
        self,
        troubles: impl Fn(Moment) -> Option<Trouble> + Send + 'static,
    ) -> Self {
        Self::new(troubled::Troubled::new(self.link, Box::new(troubles)))
    }

    pub(crate) fn link(&self) -> &dyn Link {
        self.link.as_ref()
    }

    /// Runs a statement and gives the number of rows that it changed.
    ///
    /// # Errors
    /// [`StoreError`] as the backend gives it.
    pub fn exec<'a>(&self, sql: impl Into<Sql<'a>>, args: Args) -> Result<usize> {
        effort::count(STATEMENT);
        self.link.exec(sql.into(), args)
    }

    /// Runs statements without values.
    ///
    /// # Errors
    /// [`StoreError`] as the backend gives it.
    pub fn batch(&self, sql: &str) -> Result<()> {
        self.link.batch(sql)
    }

    /// The first row, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] as the backend gives it.
    pub fn first<'a, T>(
        &self,
        sql: impl Into<Sql<'a>>,
        args: Args,
        mut row: impl FnMut(&Row) -> Result<T>,
    ) -> Result<Option<T>> {
        effort::count(STATEMENT);
        let mut found = None;
        self.link.each(sql.into(), args, &mut |r| {
            found = Some(row(r)?);
            Ok(false)
        })?;
        Ok(found)
    }

    /// The first row.
    ///
    /// # Errors
    /// [`StoreError::Data`] when there is none.
    pub fn one<'a, T>(
        &self,
        sql: impl Into<Sql<'a>>,
        args: Args,
        row: impl FnMut(&Row) -> Result<T>,
    ) -> Result<T> {
        let found = self.first(sql, args, row)?;
        found.ok_or_else(|| StoreError::Data("there is no such row".to_owned()))
    }

    /// All rows.
    ///
    /// # Errors
    /// [`StoreError`] as the backend gives it.
    pub fn all<'a, T, C: FromIterator<T>>(
        &self,
        sql: impl Into<Sql<'a>>,
        args: Args,
        mut row: impl FnMut(&Row) -> Result<T>,
    ) -> Result<C> {
        effort::count(STATEMENT);
        let mut found = Vec::new();
        self.link.each(sql.into(), args, &mut |r| {
            found.push(row(r)?);
            Ok(true)
        })?;
        Ok(found.into_iter().collect())
    }

    /// Hands rows over one by one. SQLite has one of them in memory at a time, PostgreSQL all: a table
    /// that may be large is read in slices there.
    ///
    /// # Errors
    /// [`StoreError`] as the backend gives it.
    pub fn each<'a>(
        &self,
        sql: impl Into<Sql<'a>>,
        args: Args,
        mut row: impl FnMut(&Row) -> Result<()>,
    ) -> Result<()> {
        self.link.each(sql.into(), args, &mut |r| row(r).map(|()| true))
    }

    /// Whether there is a row.
    ///
    /// # Errors
    /// [`StoreError`] as the backend gives it.
    pub fn exists<'a>(&self, sql: impl Into<Sql<'a>>, args: Args) -> Result<bool> {
        Ok(self.first(sql, args, |_| Ok(()))?.is_some())
    }
}
