//! The boundary between the store and its two backends: SQLite, in a file, and PostgreSQL, on a
//! server.
//!
//! All other files of the store write their statements once, in SQL that both backends take: `$1`
//! for values, `ON CONFLICT` and `RETURNING`, integers for true and false, addresses in their
//! canonical form. `Link` is the interface of a backend; [`Db`] runs the statements. Where the
//! backends differ, the backend rewrites a statement (only SQLite knows `INDEXED BY`), or a [`Sql`]
//! has one text for each.

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

/// The number of list values in one statement.
pub(crate) const LISTED: usize = 32;

/// The placeholders of a list's values, from `$1` on. Their number is always the same, so that the
/// statement is prepared once.
pub(crate) fn numbers_of_list() -> String {
    (1..=LISTED).map(|n| format!("${n}")).collect::<Vec<_>>().join(", ")
}

/// A list as values for those placeholders; its last value fills the places that are left.
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

/// Whether a commit was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It was, or it only read.
    Yes,
    /// The answer was lost, so it may have been kept or not; [`Link::stands`] says which.
    Unknown,
}

/// What to do with one row; `false`: no more rows are wanted.
pub(crate) type EachRow<'a> = &'a mut dyn FnMut(&Row) -> Result<bool>;

/// A connection to a backend. All of it is synchronous, and threads do not share it.
pub(crate) trait Link: Send {
    /// Runs a statement and gives the number of rows that it changed.
    fn exec(&self, sql: Sql, args: Args) -> Result<usize>;
    /// Runs a statement and passes on its rows, one by one.
    fn each(&self, sql: Sql, args: Args, row: EachRow) -> Result<()>;
    /// Runs statements without values.
    fn batch(&self, sql: &str) -> Result<()>;
    /// Begins a commit.
    fn begin(&self) -> Result<()>;
    /// Begins reading: until the end, all reads see the same instant.
    fn begin_reading(&self) -> Result<()>;
    /// Ends what was begun, and keeps the changes.
    fn commit(&self) -> Result<Kept>;
    /// Ends what was begun, and takes the changes back.
    fn rollback(&self);
    /// Whether the last commit, whose answer was lost, was kept.
    fn stands(&self) -> Result<bool>;
    /// Begins a part that can be taken back on its own; parts may hold parts.
    fn begin_part(&self) -> Result<()>;
    /// Ends the innermost part, and keeps it if the whole is kept.
    fn keep_part(&self) -> Result<()>;
    /// Ends the innermost part, and takes it back.
    fn undo_part(&self);
    /// Whether something was begun and has not ended.
    fn in_commit(&self) -> bool;
    /// Whether another worker was in the way, so that the commit must be done again.
    fn is_to_repeat(&self) -> bool;
    /// A text that changes as soon as anybody commits something.
    fn version(&self) -> Result<String>;
    /// The connection as SQLite, if it is that.
    fn lite(&self) -> Option<&Lite>;
    /// The connection as PostgreSQL, if it is that.
    fn pg(&self) -> Option<&Pg>;
}

/// Steps of work that one statement counts as ([`base::effort`]).
pub const STATEMENT: usize = 10;

/// A connection that runs statements.
pub struct Db {
    link: Box<dyn Link>,
}

impl Db {
    pub(crate) fn new(link: impl Link + 'static) -> Self {
        Self { link: Box::new(link) }
    }

    /// Adds the troubles of a test to the connection.
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

    /// Passes on rows one by one. SQLite has one of them in memory at a time, PostgreSQL all, so a
    /// table that may be large is read in slices there.
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
