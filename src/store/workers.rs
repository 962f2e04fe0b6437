//! Several workers on one store: their names, and the work that each of them has.
//!
//! A [`Lease`] is the right to some work that one worker does at a time. It lasts for a while, and
//! a worker's pulse renews it. When the worker dies, another takes the lease after that while, with
//! a higher term. The term decides, not the time: a worker that stood still for longer goes on
//! without knowing that another has taken over. So each of its commits first checks whether it
//! still has the lease ([`Store::hold`]), and locks the lease's row until its end. A worker that
//! takes the lease waits for that, and one that lost it writes nothing more.
//!
//! Leases use the store's own clock where it has one, because clocks of machines differ.

use jiff::Timestamp;

use super::db::{Row, Sql, params};
use super::part::part;
use super::{Result, Store, StoreError, ms, time};

/// How long a lease lasts without a pulse, in seconds.
pub const LEASE_S: i64 = 30;
/// Seconds without a sign of life after which a worker counts as dead.
const DEAD_S: i64 = LEASE_S;
/// Seconds without a sign of life after which a worker is forgotten.
const FORGOTTEN_S: i64 = 24 * 3600;

/// The right to some work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Name of the work, such as `inbox main`.
    pub name: String,
    /// How often the lease has been taken; the worker with the highest term has it.
    pub term: i64,
}

/// A worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Unique name of its process.
    pub owner: String,
    /// Its name in the config, or else that of its machine.
    pub name: String,
    /// The machine's name.
    pub machine: String,
    /// Number of the process there.
    pub pid: u32,
    /// Its roles, with blanks between.
    pub roles: String,
    /// Version of its program.
    pub version: String,
    /// When it began.
    pub began_at: Timestamp,
    /// When it was last seen.
    pub seen_at: Timestamp,
}

impl Worker {
    /// Whether it was seen lately.
    pub fn lives(&self, now: Timestamp) -> bool {
        now.as_second() - self.seen_at.as_second() < DEAD_S
    }

    /// Whether it has a role.
    pub fn does(&self, role: &str) -> bool {
        self.roles.split(' ').any(|own| own == role)
    }
}

/// A statement with the store's own time for `NOW`. SQLite has no such time, and takes the worker's
/// as value `$9`.
fn timed(sql: &str) -> (String, String) {
    let own = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    (sql.replace("NOW", "$9"), sql.replace("NOW", own))
}

impl Store {
    /// Makes every commit from now on under a lease; a commit fails when another worker has it.
    pub fn hold(&mut self, lease: Option<Lease>) {
        self.reader_mut().held = lease;
    }

    /// Names the worker that this store belongs to.
    pub fn work_as(&mut self, owner: &str) {
        owner.clone_into(&mut self.reader_mut().owner);
    }
}

part!(
    /// Workers that share the store, and the leases of each.
    Workers = Reader.workers
);

part!(
    /// The workers in a unit of work.
    WorkersTx = Tx.workers, Workers
);

impl<'a> Workers<'a> {
    /// The lease under which commits are made now.
    pub fn held(&self) -> Option<&'a Lease> {
        self.0.held.as_ref()
    }

    /// The owner of a lease, and its term.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn lease_of(&self, name: &str) -> Result<Option<(String, i64)>> {
        let sql = "SELECT owner, term FROM lease WHERE name = $1";
        self.db.first(sql, params![name], |r| Ok((r.get(0)?, r.get(1)?)))
    }

    /// Whether another worker asks for a lease. It does so by holding a lease named `request`.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn is_requested(&self, request: &str, now: Timestamp) -> Result<bool> {
        let at = self.server_time()?.unwrap_or(now);
        let sql = "SELECT 1 FROM lease WHERE name = $1 AND owner <> $2 AND until >= $3";
        self.db.exists(sql, params![request, self.owner, ms(at)])
    }

    /// The worker that this store belongs to; empty: none.
    pub fn owner(&self) -> &'a str {
        &self.0.owner
    }

    /// The store's own time; `None`: it has no clock.
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

    /// Checks, within a commit, whether this worker still has the lease that it works under, and
    /// locks it until the commit's end.
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
    /// Takes a lease that is free, or that its owner did not renew in time. A lease that this
    /// worker already has it takes again, with a new term: the part of the worker that had it has
    /// lost track of it.
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

    /// Notes that a worker is alive.
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
            // Rows of connections without a commit for a day; most of those connections are gone.
            self.db.exec("DELETE FROM unit WHERE at < $1", params![old])?;
        }
        Ok(())
    }

    /// Renews all leases that this worker has not lost. It skips a lease under which a commit is
    /// open, until the next time.
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

    /// Takes all work from a dead worker: its leases end, and mails that it had begun to send or to
    /// draw are free. `sure`: it is known to be dead; otherwise it must not have been seen for a
    /// while. The result says whether the work was taken.
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

    /// Ends all leases and claims of a stopped worker. `None`: of all workers, for a caller that
    /// knows that it is the only one.
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

    /// Notes that a complete fetch of a mailbox has ended, and when it began.
    pub fn fetched(&self, inbox: &str, at: Timestamp) -> Result<()> {
        let sql = "INSERT INTO mailbox VALUES ($1, $2)
                   ON CONFLICT (name) DO UPDATE SET fetched_at = excluded.fetched_at";
        self.db.exec(sql, params![inbox, ms(at)])?;
        Ok(())
    }
}
