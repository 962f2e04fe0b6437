//! The pulse of a worker, where several share a store: it says that this one lives and renews its
//! leases, takes over the work of those that are dead, and sets the clock right by the store's.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{Clock, Entropy, ServerClock, SystemEntropy};
use robot::{Result, RobotError};
use store::{LEASE_S, Place, Store, StoreError, Worker};

use crate::config::{Config, Role};
use crate::host::set_right;

/// How often a worker says that it lives: some may fail before its leases end.
const BEAT: Duration = Duration::from_secs(LEASE_S.unsigned_abs() / 6);

/// Beats for which a role may be nobody's before the log reports it.
const TOLD_AFTER: u32 = 6;

/// The pulse of one worker.
pub struct Pulse {
    /// The worker.
    pub worker: Worker,
    place: Place,
    clock: Arc<ServerClock>,
    stop: Cancel,
    thread: Option<JoinHandle<()>>,
}

impl Pulse {
    /// Makes a worker known, and frees what workers that died on this machine held; `None` where
    /// nobody else shares the store.
    ///
    /// # Errors
    /// [`RobotError`] when the store can't be opened or written.
    pub fn begin(config: &Config, clock: &Arc<ServerClock>) -> Result<Option<Self>> {
        if !config.shared {
            return Ok(None);
        }
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let machine = format!("{host} {}", processes());
        let name = config.worker.clone().unwrap_or(host);
        let (pid, word) = (std::process::id(), SystemEntropy.word());
        let roles: Vec<&str> = config.roles.iter().map(|r| r.as_str()).collect();
        let now = clock.now();
        let worker = Worker {
            owner: format!("{name}.{pid}.{word:08x}"),
            name,
            machine,
            pid,
            roles: roles.join(" "),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            began_at: now,
            seen_at: now,
        };
        let (place, clock) = (config.store.clone(), Arc::clone(clock));
        let pulse = Self { worker, place, clock, stop: Cancel::default(), thread: None };
        let mut store = pulse.store()?;
        bury(&mut store, &pulse.worker, now)?;
        store.write(|tx| tx.workers().seen(&pulse.worker, now))?;
        Ok(Some(pulse))
    }

    fn store(&self) -> Result<Store> {
        let mut store = self.place.open(&SystemEntropy)?;
        store.work_as(&self.worker.owner);
        Ok(store)
    }

    /// Beats from now on, on its own thread.
    ///
    /// # Errors
    /// [`RobotError`] when the store can't be opened, or there is no thread.
    pub fn beat(&mut self) -> Result<()> {
        let (mut store, worker) = (self.store()?, self.worker.clone());
        let (clock, stop) = (Arc::clone(&self.clock), self.stop.clone());
        let mut missing = Missing::default();
        let beat = move || {
            while !stop.wait(BEAT) {
                let now = clock.now();
                // Each has its own commit, so that one that must wait for another worker does not
                // hold up the others.
                let seen = store.write(|tx| tx.workers().seen(&worker, now));
                let renewed = store.write(|tx| tx.workers().renew(now));
                let buried = bury(&mut store, &worker, now);
                let done = seen.and(renewed).map_err(|e: StoreError| RobotError::from(e));
                if let Ok(all) = store.workers().all() {
                    missing.look(&all, now);
                }
                let set = set_right(&clock, &store);
                if let Err(e) = done.and(set).and(buried) {
                    tracing::warn!(error = %e, "no pulse; others take over if that goes on");
                }
            }
        };
        let started = std::thread::Builder::new().name("pulse".to_owned()).spawn(beat);
        self.thread = Some(started.map_err(|e| RobotError::Refused(e.to_string()))?);
        Ok(())
    }

    /// Ends the pulse and frees what this worker held. None of its work may be under way.
    pub fn end(mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let (owner, now) = (self.worker.owner.clone(), self.clock.now());
        let freed = self
            .store()
            .and_then(|mut store| Ok(store.write(|tx| tx.workers().end_work(Some(&owner), now))?));
        if let Err(e) = freed {
            tracing::warn!(error = %e, "its leases end by themselves");
        }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Roles that nobody has. They are reported once, and not at first, because others may just be
/// starting.
#[derive(Default)]
struct Missing {
    /// Beats in a row with a role that nobody has.
    beats: u32,
}

impl Missing {
    fn look(&mut self, workers: &[Worker], now: jiff::Timestamp) {
        let nobodys = Role::missing(workers, now);
        self.beats = if nobodys.is_empty() { 0 } else { self.beats + 1 };
        if self.beats == TOLD_AFTER {
            let roles = nobodys.join(" ");
            tracing::error!(roles, "no worker has these roles; what they are for is not done");
        }
    }
}

/// Takes the work of dead workers from them.
fn bury(store: &mut Store, own: &Worker, now: jiff::Timestamp) -> Result<()> {
    for other in store.workers().all()? {
        let sure = has_ended(&other, own);
        if (sure || !other.lives(now))
            && store.write(|tx| tx.workers().bury(&other.owner, sure, now))?
        {
            tracing::warn!(worker = other.owner, "dead; its work is free");
        }
    }
    Ok(())
}

/// Whether a worker's process has ended, which only its own machine knows for sure.
fn has_ended(other: &Worker, own: &Worker) -> bool {
    let pid = i32::try_from(other.pid).ok().and_then(rustix::process::Pid::from_raw);
    other.machine == own.machine
        && other.owner != own.owner
        && pid.is_some_and(|pid| {
            rustix::process::test_kill_process(pid) == Err(rustix::io::Errno::SRCH)
        })
}

/// A name for where numbers of processes are unique: this start of the machine, and the container
/// within it. Names of machines are often the same.
fn processes() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{} {}", boot.trim(), space.display())
}
