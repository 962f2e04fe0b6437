//! The unit of work: who may read, who may write, and where a commit begins and ends.

use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{Entropy, SystemEntropy};
use base::secrets::HostKey;
use rusqlite::Connection;

use super::db::{Db, Kept, Lite, Moment, Pg, Server, Trouble, params};
use super::memo::Memo;
use super::{Lease, Result, StoreError, host_key};

/// How often a commit that met another worker is tried.
const TRIES: u32 = 8;
/// The wait before the second try; it doubles each time.
const WAIT: Duration = Duration::from_millis(5);

/// A function that sees each commit before it is made.
type Observer = Box<dyn Fn(&Reader) + Send>;

/// Everything that reads. Within a unit of work it sees what the unit has written so far.
pub struct Reader {
    pub(super) db: Db,
    key: HostKey,
    pub(super) bounce_limit: u32,
    /// The worker that this store belongs to; empty: none.
    pub(super) owner: String,
    /// The lease under which every commit is made.
    pub(super) held: Option<Lease>,
    /// Sees each commit before it is made.
    observer: Option<Observer>,
    /// The rows that were read from the state in view.
    pub(super) memo: Memo,
}

/// The store of a host, and the right to commit to it.
pub struct Store {
    reader: Reader,
}

/// An open unit of work: all of it is committed, or nothing.
pub struct Tx<'a> {
    reader: &'a Reader,
}

impl Deref for Store {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

impl Deref for Tx<'_> {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        self.reader
    }
}

impl Store {
    /// Opens the store in a folder, making or migrating it as needed.
    ///
    /// # Errors
    /// [`StoreError::Open`] with the path and the cause.
    pub fn open(folder: &Path, entropy: &dyn Entropy) -> Result<Self> {
        Self::over(Db::new(Lite::open(folder)?), entropy)
    }

    /// Opens the store in a database, making or migrating its schema as needed.
    ///
    /// # Errors
    /// [`StoreError::Open`] with the address and the cause.
    pub fn connect(server: &Server, entropy: &dyn Entropy) -> Result<Self> {
        // Not from the robot's own random numbers: two robots with the same seed must have
        // different names.
        let owner = format!("{}-{:016x}", std::process::id(), SystemEntropy.word());
        Self::over(Db::new(Pg::open(server, owner)?), entropy)
    }

    pub(super) fn over(db: Db, entropy: &dyn Entropy) -> Result<Self> {
        let key = host_key(&db, entropy)?;
        let bounce_limit = mail::dsn::BOUNCES_MAX;
        let (owner, held, observer) = (String::new(), None, None);
        let memo = Memo::default();
        Ok(Self { reader: Reader { db, key, bounce_limit, owner, held, observer, memo } })
    }

    /// Reads the host's key again after a change.
    pub(super) fn read_key(&mut self, entropy: &dyn Entropy) -> Result<()> {
        self.reader.key = host_key(&self.reader.db, entropy)?;
        Ok(())
    }

    pub(super) fn reader_mut(&mut self) -> &mut Reader {
        &mut self.reader
    }

    /// Has a function see each commit before it is made, for tests that keep track of them.
    pub fn observe(&mut self, observer: impl Fn(&Reader) + Send + 'static) {
        self.reader.observer = Some(Box::new(observer));
    }

    /// Brings trouble to the store's connection, for tests.
    #[must_use]
    pub fn with_trouble(
        self,
        troubles: impl Fn(Moment) -> Option<Trouble> + Send + 'static,
    ) -> Self {
        let Reader { db, .. } = self.reader;
        Self { reader: Reader { db: db.with_trouble(troubles), ..self.reader } }
    }

    /// Sets how many bounces an address may have before it gets no more mail.
    pub fn set_bounce_limit(&mut self, limit: u32) {
        self.reader.bounce_limit = limit;
    }

    /// One commit: what `work` does is kept when it ends well, and taken back when it
    /// gives an error or panics.
    ///
    /// Where several workers share a store, `work` may run more than once, always from the
    /// beginning and with nothing kept from earlier runs. So it decides only by what it reads
    /// within the run, and has no effect except by its [`Tx`].
    ///
    /// # Errors
    /// The error of `work`, or [`StoreError`] when the commit fails; nothing is kept then. One
    /// exception: when a database was away for minutes at the very end, the commit may have been
    /// kept although the error is [`StoreError::Lost`].
    pub fn write<T, E: From<StoreError>>(
        &mut self,
        mut work: impl FnMut(&Tx) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut tries = 0;
        loop {
            tries += 1;
            let done = match self.attempt(&mut work) {
                Ok(done) => done,
                Err(_) if self.db.link().is_to_repeat() && tries < TRIES => {
                    pause(tries);
                    continue;
                }
                Err(e) => return Err(e),
            };
            if let Some(observer) = &self.reader.observer {
                observer(&self.reader);
            }
            match self.db.link().commit() {
                Ok(Kept::Yes) => return Ok(done),
                // The answer was lost, but the commit was kept: it is not done twice.
                Ok(Kept::Unknown) if self.db.link().stands()? => return Ok(done),
                Ok(Kept::Unknown) if tries < TRIES => {}
                Err(_) if self.db.link().is_to_repeat() && tries < TRIES => pause(tries),
                Ok(Kept::Unknown) => {
                    return Err(StoreError::Lost("no commit was answered".to_owned()).into());
                }
                Err(e) => return Err(e.into()),
            }
        }
    }

    /// Does a unit of work up to its commit, which the caller makes.
    fn attempt<T, E: From<StoreError>>(
        &mut self,
        work: &mut impl FnMut(&Tx) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.db.link().begin()?;
        let open = Open { db: &self.reader.db, done: false };
        self.reader.workers().is_held()?;
        let done = work(&Tx { reader: &self.reader })?;
        if self.db.link().is_to_repeat() {
            // A part of it failed because of another worker, and `work` did not report it.
            return Err(StoreError::Again("a part of the commit".to_owned()).into());
        }
        open.keep();
        Ok(done)
    }

    /// Looks at the store as it is at one instant. Others may commit meanwhile, and do not wait for
    /// readers. A value that is asked for twice is read once.
    ///
    /// # Errors
    /// The error of `work`, or [`StoreError`] when it can't begin.
    pub fn snapshot<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Reader) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.db.link().begin_reading()?;
        let open = Open { db: &self.reader.db, done: false };
        self.reader.memo.begin();
        let forget = Forget(&self.reader.memo);
        let done = work(&self.reader);
        drop((forget, open));
        done
    }

    /// The result that `work` would have: its changes are always taken back.
    ///
    /// # Errors
    /// The error of `work`, or [`StoreError`] when it can't begin.
    pub fn rehearse<T, E: From<StoreError>>(
        &mut self,
        mut work: impl FnMut(&Tx) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut tries = 0;
        loop {
            tries += 1;
            let done = self.attempt(&mut work);
            self.db.link().rollback();
            if done.is_ok() || !self.db.link().is_to_repeat() || tries == TRIES {
                return done;
            }
            pause(tries);
        }
    }
}

/// The share of a wait that this process waits, in per cent. Process numbers do not tell workers
/// apart: in containers all may be the first process.
static SHARE: LazyLock<u32> =
    LazyLock::new(|| 50 + (RandomState::new().hash_one(std::process::id()) % 100) as u32);

/// Waits before a commit is tried again, each process for a time of its own, so that workers whose
/// commits collided do not collide again.
fn pause(tries: u32) {
    Cancel::default().wait(WAIT * (1 << tries.min(6)) * *SHARE / 100);
}

/// Ends the memo of a state, even when the code that looked at it panics.
struct Forget<'a>(&'a Memo);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A commit that has begun; dropped before `keep`, it is rolled back.
struct Open<'a> {
    db: &'a Db,
    done: bool,
}

impl Open<'_> {
    fn keep(mut self) {
        self.done = true;
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.db.link().rollback();
        }
    }
}

impl Tx<'_> {
    /// Whether nobody else can commit before this ends, so that what it reads does not change.
    pub fn is_alone(&self) -> bool {
        self.db.link().lite().is_some()
    }

    /// Looks at the store while nothing is written. A value that is asked for twice is read once.
    ///
    /// # Errors
    /// The error of `work`.
    pub fn look<T, E>(
        &self,
        work: impl FnOnce(&Reader) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.reader.memo.begin();
        let _forget = Forget(&self.reader.memo);
        work(self.reader)
    }

    /// A part of the unit of work: it alone is taken back when `work` gives an error or panics.
    /// Parts may hold parts.
    ///
    /// # Errors
    /// The error of `work`, or [`StoreError`].
    pub fn savepoint<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Tx) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let db = &self.reader.db;
        db.link().begin_part()?;
        let part = Part { db, open: true };
        let done = work(self)?;
        part.keep()?;
        Ok(done)
    }

    /// Keeps a text under a key.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn set_note(&self, key: &str, value: &str) -> Result<()> {
        set_note(&self.db, key, value)
    }
}

/// Keeps a text of the host under a key.
pub(super) fn set_note(db: &Db, key: &str, value: &str) -> Result<()> {
    let sql = "INSERT INTO host VALUES ($1, $2)
               ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    db.exec(sql, params![key, value.as_bytes()])?;
    Ok(())
}

/// An open savepoint; dropped, it is rolled back.
struct Part<'a> {
    db: &'a Db,
    open: bool,
}

impl Part<'_> {
    fn keep(mut self) -> Result<()> {
        self.db.link().keep_part()?;
        self.open = false;
        Ok(())
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if self.open {
            self.db.link().undo_part();
        }
    }
}

impl Reader {
    /// The host's key for secrets.
    pub fn key(&self) -> &HostKey {
        &self.key
    }

    /// Makes this store read-only, for programs that only look; a read waits at most `wait` for a
    /// writer.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn only_read(&self, wait: Duration) -> Result<()> {
        if let Some(lite) = self.db.link().lite() {
            lite.conn.pragma_update(None, "query_only", true)?;
            lite.conn.busy_timeout(wait)?;
        }
        if let Some(pg) = self.db.link().pg() {
            pg.only_read();
        }
        Ok(())
    }

    /// A text that changes as soon as another program has changed the store.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn version_seen(&self) -> Result<String> {
        self.db.link().version()
    }

    /// The file of the store; empty: it has no file.
    pub fn path(&self) -> PathBuf {
        let lite = self.db.link().lite();
        lite.and_then(|l| l.conn.path()).map(PathBuf::from).unwrap_or_default()
    }

    /// The connection to the store's file, for tests that imitate disks and other programs; a test
    /// of the architecture checks that nothing else uses it.
    ///
    /// # Panics
    /// When the store is not a file.
    pub fn connection(&self) -> &Connection {
        &self.db.link().lite().expect("a store in a file").conn
    }

    /// The backend that runs statements, for tests that imitate other programs.
    pub fn database(&self) -> &Db {
        &self.db
    }

    /// Whether a unit of work is open, so that what is read may be taken back.
    pub(super) fn in_commit(&self) -> bool {
        self.db.link().in_commit()
    }

    /// Takes a game for the open commit, so that nobody else changes it meanwhile. SQLite has only
    /// one commit at a time.
    pub(super) fn lock_game(&self, code: &str) -> Result<()> {
        self.db.link().pg().map_or(Ok(()), |pg| pg.lock_game(code))
    }

    /// Takes a word for the open commit: of two commits that check whether the word was there
    /// before, one waits for the other.
    pub(super) fn lock_word(&self, word: &str) -> Result<()> {
        self.db.link().pg().map_or(Ok(()), |pg| pg.lock_word(word))
    }

    /// Takes several words for the open commit.
    pub(super) fn lock_words(&self, words: &[String]) -> Result<()> {
        self.db.link().pg().map_or(Ok(()), |pg| pg.lock_words(words))
    }

    /// A text that the host keeps under a key, such as when the game master was last alarmed.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn note(&self, key: &str) -> Result<Option<String>> {
        let sql = "SELECT value FROM host WHERE key = $1";
        let read = || self.db.first(sql, params![key], |r| r.get::<_, Vec<u8>>(0));
        let found = self.memo.get(|| format!("note {key}"), read)?;
        Ok(found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use base::clock::FixedEntropy;

    use super::*;

    fn with_store(work: impl FnOnce(&mut Store)) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(folder.path(), &FixedEntropy::new(1)).expect("a store");
        work(&mut store);
    }

    fn notes(store: &Reader) -> Vec<&'static str> {
        let there = |key: &&str| store.note(key).expect("a store").is_some();
        ["a", "b", "c"].into_iter().filter(there).collect()
    }

    fn refuse() -> std::result::Result<(), StoreError> {
        Err(StoreError::Taken)
    }

    #[test]
    fn a_unit_of_work_is_kept_whole_or_not_at_all() {
        with_store(|store| {
            let done = store.write(|tx| {
                tx.set_note("a", "1")?;
                assert_eq!(notes(tx), ["a"], "it sees what it wrote");
                refuse()
            });
            assert!(done.is_err() && notes(store).is_empty());
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                store.write::<(), StoreError>(|tx| {
                    tx.set_note("a", "1")?;
                    panic!("in the middle")
                })
            }));
            assert!(panicked.is_err() && notes(store).is_empty());
            store.write(|tx| tx.set_note("b", "1")).expect("the lock is free again");
            assert_eq!(notes(store), ["b"]);
        });
    }

    #[test]
    fn a_savepoint_is_taken_back_alone_and_they_nest() {
        with_store(|store| {
            let done: Result<()> = store.write(|tx| {
                tx.set_note("a", "1")?;
                let part = tx.savepoint(|tx| {
                    tx.set_note("b", "1")?;
                    let inner = tx.savepoint(|tx| {
                        tx.set_note("c", "1")?;
                        refuse()
                    });
                    assert!(inner.is_err());
                    assert_eq!(notes(tx), ["a", "b"]);
                    refuse()
                });
                assert!(part.is_err());
                tx.savepoint(|tx| tx.set_note("c", "1"))
            });
            done.expect("kept");
            assert_eq!(notes(store), ["a", "c"]);
        });
    }

    #[test]
    fn a_rehearsal_leaves_nothing() {
        with_store(|store| {
            let seen = store.rehearse(|tx| {
                tx.set_note("a", "1")?;
                Ok::<_, StoreError>(notes(tx))
            });
            assert_eq!(seen.expect("it was done"), ["a"]);
            assert!(notes(store).is_empty());
        });
    }
}
