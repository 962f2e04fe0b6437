//! A connection with trouble, for tests. At each statement, and before and after each COMMIT, a
//! test may have another worker get in the way, the disk run full, the connection end, the answer
//! to a COMMIT be lost or the process die.
//!
//! The trouble is real where possible: on PostgreSQL the server itself ends the connection. SQLite
//! has no server, so there the same errors are made up.

use std::cell::Cell;

use super::{Args, EachRow, Kept, Link, Lite, Pg, Sql};
use crate::{Result, StoreError};

/// A moment at which something may happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment<'a> {
    /// Before a statement: its text.
    Statement(&'a str),
    /// Before COMMIT.
    Commit,
}

/// Something that happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Another worker holds what the commit needs. A commit that only reads is never blocked.
    Again,
    /// The disk has no room.
    Full,
    /// The connection ends. Without a server, only a COMMIT is lost this way.
    Lost,
    /// COMMIT is done, but its answer is lost. At a statement nothing happens.
    Unanswered,
    /// The process has died: it no longer reaches the store.
    Dead,
    /// COMMIT is answered, but nothing of it is kept: the store is broken. At a statement nothing
    /// happens.
    Vanished,
}

/// Says what happens at a moment.
pub type Troubles = Box<dyn Fn(Moment) -> Option<Trouble> + Send>;

/// A connection, and what happens to it.
pub(crate) struct Troubled {
    link: Box<dyn Link>,
    troubles: Troubles,
    /// The commit writes.
    writes: Cell<bool>,
    /// A statement has failed; no other runs until the commit is taken back.
    failed: Cell<bool>,
    /// The commit must be done again.
    again: Cell<bool>,
    dead: Cell<bool>,
    /// Whether a COMMIT without an answer was kept, where no server can be asked.
    stood: Cell<bool>,
}

impl Troubled {
    pub fn new(link: Box<dyn Link>, troubles: Troubles) -> Self {
        Self {
            link,
            troubles,
            writes: Cell::new(false),
            failed: Cell::new(false),
            again: Cell::new(false),
            dead: Cell::new(false),
            stood: Cell::new(true),
        }
    }

    fn dead() -> StoreError {
        StoreError::Lost("the process is dead".to_owned())
    }

    /// Has the server end the connection, where there is one.
    fn cut(&self) -> Result<()> {
        self.link.pg().map_or(Ok(()), Pg::cut)
    }

    fn die(&self) -> StoreError {
        let _ = self.cut();
        self.link.rollback();
        self.dead.set(true);
        Self::dead()
    }

    fn come_in_the_way(&self) -> StoreError {
        self.failed.set(true);
        self.again.set(true);
        StoreError::Again("a worker of a test".to_owned())
    }

    /// What happens before a statement.
    fn before(&self, sql: &str) -> Result<()> {
        if self.dead.get() {
            return Err(Self::dead());
        }
        if self.failed.get() {
            return Err(StoreError::Other("the commit has failed before".to_owned()));
        }
        match (self.troubles)(Moment::Statement(sql)) {
            None | Some(Trouble::Unanswered | Trouble::Vanished) => Ok(()),
            Some(Trouble::Again) if self.writes.get() => Err(self.come_in_the_way()),
            Some(Trouble::Again) => Ok(()),
            Some(Trouble::Full) => Err(StoreError::Full),
            Some(Trouble::Lost) => self.cut(),
            Some(Trouble::Dead) => Err(self.die()),
        }
    }
}

impl Link for Troubled {
    fn exec(&self, sql: Sql, args: Args) -> Result<usize> {
        self.before(sql.lite)?;
        self.link.exec(sql, args)
    }

    fn each(&self, sql: Sql, args: Args, row: EachRow) -> Result<()> {
        self.before(sql.lite)?;
        self.link.each(sql, args, row)
    }

    fn batch(&self, sql: &str) -> Result<()> {
        self.before(sql)?;
        self.link.batch(sql)
    }

    fn begin(&self) -> Result<()> {
        self.again.set(false);
        self.before("BEGIN")?;
        self.link.begin()?;
        self.writes.set(true);
        Ok(())
    }

    fn begin_reading(&self) -> Result<()> {
        self.before("BEGIN")?;
        self.link.begin_reading()
    }

    fn commit(&self) -> Result<Kept> {
        if self.dead.get() || self.failed.get() {
            self.rollback();
            return Err(StoreError::Other("a part of the commit had failed".to_owned()));
        }
        self.writes.set(false);
        match (self.troubles)(Moment::Commit) {
            None => self.link.commit(),
            Some(Trouble::Again) => {
                self.link.rollback();
                self.again.set(true);
                Err(StoreError::Again("a worker of a test".to_owned()))
            }
            Some(Trouble::Full) => {
                self.link.rollback();
                Err(StoreError::Full)
            }
            Some(Trouble::Lost) if self.link.pg().is_some() => {
                self.cut()?;
                self.link.commit()
            }
            Some(Trouble::Lost) => {
                self.link.rollback();
                self.stood.set(false);
                Ok(Kept::Unknown)
            }
            Some(Trouble::Unanswered) => {
                let done = self.link.commit()?;
                self.cut()?;
                self.stood.set(done == Kept::Yes);
                Ok(Kept::Unknown)
            }
            Some(Trouble::Dead) => Err(self.die()),
            Some(Trouble::Vanished) => {
                self.link.rollback();
                Ok(Kept::Yes)
            }
        }
    }

    fn rollback(&self) {
        self.failed.set(false);
        self.writes.set(false);
        self.link.rollback();
    }

    fn stands(&self) -> Result<bool> {
        match self.link.lite() {
            Some(_) => Ok(self.stood.replace(true)),
            None => self.link.stands(),
        }
    }

    fn begin_part(&self) -> Result<()> {
        self.before("SAVEPOINT")?;
        self.link.begin_part()
    }

    fn keep_part(&self) -> Result<()> {
        self.before("RELEASE")?;
        self.link.keep_part()
    }

    fn undo_part(&self) {
        // A commit that must be done again is taken back as a whole.
        if !self.failed.get() {
            self.link.undo_part();
        }
    }

    fn in_commit(&self) -> bool {
        self.link.in_commit()
    }

    fn is_to_repeat(&self) -> bool {
        !self.dead.get() && (self.again.get() || self.link.is_to_repeat())
    }

    fn version(&self) -> Result<String> {
        self.before("version")?;
        self.link.version()
    }

    fn lite(&self) -> Option<&Lite> {
        self.link.lite()
    }

    fn pg(&self) -> Option<&Pg> {
        self.link.pg()
    }
}
