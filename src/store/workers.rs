//! Several workers on one store: who they are, and which work each of them has.
//!
//! A [`Lease`] is the right to some work that one worker does at a time. It is taken for a while
//! and renewed by a worker's pulse; when the worker dies, another takes it once the while is over,
//! with a higher term. What decides is the term and not the time: a worker that was stopped for
//! longer than that goes on without knowing that it was overtaken. So each of its commits looks
//! first whether it still has the lease ([`Store::hold`]), and locks the lease's row until its end:
//! whoever takes the lease waits for that, and whoever lost it writes nothing more.
//!
//! Times of leases are those of the store's own clock where it has one: clocks of machines differ.

use jiff::Timestamp;

use super::db::{Row, Sql, params};
use super::part::part;
use super::{Result, Store, StoreError, ms, time};

/// How long a lease lasts without a pulse, in seconds.
pub const LEASE_S: i64 = 30;
/// A worker that was not seen for so long is taken for dead.
const DEAD_S: i64 = LEASE_S;
/// A worker that was not seen for so long is forgotten.
const FORGOTTEN_S: i64 = 24 * 3600;

/// The right to some work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Name of the work, such as `inbox main`.
    pub name: String,
    /// How often the lease had been taken by then; who has the highest term has it.
    pub term: i64,
}

/// A worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Of its process; no other has the same.
    pub owner: String,
    /// As its config or its machine calls it.
    pub name: String,
    /// The machine's name.
    pub machine: String,
    /// Number of the process there.
    pub pid: u32,
    /// What it does, with blanks between.
    pub roles: String,
    /// Version of its program.
    pub version: String,
    /// When it began.
    pub began_at: Timestamp,
    /// When it was last seen.
    pub seen_at: Timestamp,
}

impl Worker {
    /// Whether it was seen of late.
    pub fn lives(&self, now: Timestamp) -> bool {
        now.as_second() - self.seen_at.as_second() < DEAD_S
    }

    /// Whether it has a role.
    pub fn does(&self, role: &str) -> bool {
        self.roles.split(' ').any(|own| own == role)
    }
}

/// A statement with the store's own time in the place of `NOW`; SQLite has none, and takes the
/// worker's, which is value `$9`.
fn timed(sql: &str) -> (String, String) {
    let own = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    (sql.replace("NOW", "$9"), sql.replace("NOW", own))
}

impl Store {
    /// Has every commit from now on made under a lease: it fails when another worker has it.
    pub fn hold(&mut self, lease: Option<Lease>) {
        self.reader_mut().held = lease;
    }

    /// Names the worker that this store belongs to.
    pub fn work_as(&mut self, owner: &str) {
        owner.clone_into(&mut self.reader_mut().owner);
    }
}

part!(
    /// Who shares the store, and what each holds.
    Workers = Reader.workers
);

part!(
    /// The same in a unit of work.
    WorkersTx = Tx.workers, Workers
);

impl<'a> Workers<'a> {
    /// The lease that commits are made under now.
    pub fn held(&self) -> Option<&'a Lease> {
        self.0.held.as_ref()
    }

    /// Who has a lease, and its term.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn lease_of(&self, name: &str) -> Result<Option<(String, i64)>> {
        let sql = "SELECT owner, term FROM lease WHERE name = $1";
        self.db.first(sql, params![name], |r| Ok((r.get(0)?, r.get(1)?)))
    }

    /// Whether another worker asks for a lease, by a lease of its own of the name `request`.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn is_requested(&self, request: &str, now: Timestamp) -> Result<bool> {
        let at = self.server_time()?.unwrap_or(now);
        let sql = "SELECT 1 FROM lease WHERE name = $1 AND owner <> $2 AND until >= $3";
        self.db.exists(sql, params![request, self.owner, ms(at)])
    }

    /// The worker that this store belongs to; empty: it is nobody's.
    pub fn owner(&self) -> &'a str {
        &self.0.owner
    }

    /// The store's own time; `None`: it has none.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; so for every method here.
    pub fn server_time(&self) -> Result<Option<Timestamp>> {
        if self.db.link().pg().is_none() {
            return Ok(None);
        }
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        self.db.one(sql, params![], |r| Ok(Some(time(r.get(0)?))))
    }

    /// All workers that were seen within a day, by name.
    pub fn all(&self) -> Result<Vec<Worker>> {
        let sql = "SELECT owner, name, machine, pid, roles, version, began_at, seen_at FROM worker
                   ORDER BY name, began_at, owner";
        self.db.all(sql, params![], |r: &Row| {
            Ok(Worker {
                owner: r.get(0)?,
                name: r.get(1)?,
                machine: r.get(2)?,
                pid: r.get(3)?,
                roles: r.get(4)?,
                version: r.get(5)?,
                began_at: time(r.get(6)?),
                seen_at: time(r.get(7)?),
            })
        })
    }

    /// When the last complete fetch of a mailbox began.
    pub fn fetched_at(&self, inbox: &str) -> Result<Option<Timestamp>> {
        let sql = "SELECT fetched_at FROM mailbox WHERE name = $1";
        Ok(self.db.first(sql, params![inbox], |r| r.get(0))?.map(time))
    }

    /// Looks, within a commit, whether this worker still has the lease that it works under, and
    /// keeps it until the commit's end.
    pub(super) fn is_held(&self) -> Result<()> {
        let Some(Lease { name, term }) = &self.held else { return Ok(()) };
        let sql = Sql {
            lite: "SELECT 1 FROM lease WHERE name = $1 AND owner = $2 AND term = $3",
            pg: "SELECT 1 FROM lease WHERE name = $1 AND owner = $2 AND term = $3 FOR UPDATE",
        };
        match self.db.exists(sql, params![name, self.owner, term])? {
            true => Ok(()),
            false => Err(StoreError::Overtaken(name.clone())),
        }
    }
}

impl WorkersTx<'_> {
    /// Takes a lease that nobody has, or that its owner did not renew in time. One that this worker
    /// has already it takes anew: whoever had it within the worker has lost sight of it.
    pub fn take_lease(&self, name: &str, now: Timestamp) -> Result<Option<Lease>> {
        let (lite, pg) = timed(
            "INSERT INTO lease (name, owner, term, until) VALUES ($1, $2, 1, NOW + $3)
             ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, term = lease.term + 1,
             until = excluded.until
             WHERE lease.until < NOW OR lease.owner = excluded.owner RETURNING term",
        );
        let (lite, until) = (lite.replace("$9", "$4"), LEASE_S * 1000);
        let sql = Sql { lite: &lite, pg: &pg };
        let found = match self.db.link().pg().is_some() {
            true => self.db.first(sql, params![name, self.owner, until], |r| r.get(0)),
            false => self.db.first(sql, params![name, self.owner, until, ms(now)], |r| r.get(0)),
        };
        Ok(found?.map(|term| Lease { name: name.to_owned(), term }))
    }

    /// Gives a lease back, so that another may take it at once.
    pub fn give_back(&self, lease: &Lease) -> Result<()> {
        let sql = "UPDATE lease SET until = 0 WHERE name = $1 AND owner = $2 AND term = $3";
        self.db.exec(sql, params![lease.name, self.owner, lease.term])?;
        Ok(())
    }

    /// A worker lives.
    pub fn seen(&self, worker: &Worker, now: Timestamp) -> Result<()> {
        let at = self.server_time()?.unwrap_or(now);
        let sql =
            "INSERT INTO worker (owner, name, machine, pid, roles, version, began_at, seen_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
                   ON CONFLICT (owner) DO UPDATE SET seen_at = excluded.seen_at";
        let Worker { owner, name, machine, pid, roles, version, .. } = worker;
        self.db.exec(sql, params![owner, name, machine, pid, roles, version, ms(at)])?;
        let old = ms(at) - FORGOTTEN_S * 1000;
        self.db.exec("DELETE FROM worker WHERE seen_at < $1", params![old])?;
        if self.db.link().pg().is_some() {
            // Of connections that have made no commit for a day, and of most that are gone.
            self.db.exec("DELETE FROM unit WHERE at < $1", params![old])?;
        }
        Ok(())
    }

    /// All leases that this worker has not lost last for a while again; one under which a commit is
    /// under way is passed over, and has its next turn.
    pub fn renew(&self, now: Timestamp) -> Result<()> {
        let at = self.server_time()?.unwrap_or(now);
        let renewed = |lock: &str| {
            format!(
                "UPDATE lease SET until = $2 WHERE name IN
                 (SELECT name FROM lease WHERE owner = $1 AND until >= $3 {lock})"
            )
        };
        let (lite, pg) = (renewed(""), renewed("FOR UPDATE SKIP LOCKED"));
        let sql = Sql { lite: &lite, pg: &pg };
        self.db.exec(sql, params![self.owner, ms(at) + LEASE_S * 1000, ms(at)])?;
        Ok(())
    }

    /// Takes the work of a worker that is dead from it: its leases end, and mails that it had begun
    /// to send or to draw are free. `sure`: it is known to be dead; else it must not have been seen
    /// for a while. Whether it was so.
    pub fn bury(&self, owner: &str, sure: bool, now: Timestamp) -> Result<bool> {
        let at = self.server_time()?.unwrap_or(now);
        let seen_before = if sure { i64::MAX } else { ms(at) - DEAD_S * 1000 };
        let sql = "DELETE FROM worker WHERE owner = $1 AND seen_at < $2";
        if owner == self.owner || self.db.exec(sql, params![owner, seen_before])? == 0 {
            return Ok(false);
        }
        self.free(owner, at)?;
        Ok(true)
    }

    /// Ends all leases and claims of a worker that has stopped, or of all for `None`: whoever asks
    /// that knows that it is alone.
    pub fn end_work(&self, owner: Option<&str>, now: Timestamp) -> Result<()> {
        if let Some(owner) = owner {
            self.free(owner, now)?;
            self.db.exec("DELETE FROM worker WHERE owner = $1", params![owner])?;
            return Ok(());
        }
        self.db.exec("UPDATE lease SET until = 0", params![])?;
        self.db.exec("UPDATE drawing SET until = 0 WHERE done = 0 AND until > 0", params![])?;
        self.db.exec("DELETE FROM worker WHERE owner <> $1", params![self.owner])?;
        self.tx.outbox().release_leases(now)
    }

    fn free(&self, owner: &str, at: Timestamp) -> Result<()> {
        self.db.exec("UPDATE lease SET until = 0 WHERE owner = $1", params![owner])?;
        let sql = "UPDATE drawing SET until = 0 WHERE done = 0 AND owner = $1 AND until > 0";
        self.db.exec(sql, params![owner])?;
        self.tx.outbox().release_claims(owner, at)
    }

    /// Notes that a mailbox was fetched completely; the fetch began at an instant.
    pub fn fetched(&self, inbox: &str, at: Timestamp) -> Result<()> {
        let sql = "INSERT INTO mailbox VALUES ($1, $2)
                   ON CONFLICT (name) DO UPDATE SET fetched_at = excluded.fetched_at";
        self.db.exec(sql, params![inbox, ms(at)])?;
        Ok(())
    }
}
