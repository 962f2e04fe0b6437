//! Time and randomness, which the host takes from outside so that tests can repeat a run. Only this
//! file reads the wall clock.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use rustix::time::{ClockId, clock_gettime};

/// A source of the time.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;

    /// CPU time that this thread has used so far; zero if the clock does not know it.
    fn spent(&self) -> Duration {
        Duration::ZERO
    }
}

/// The machine's clock.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads wall time")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn spent(&self) -> Duration {
        let spent = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(spent.tv_sec.unsigned_abs(), spent.tv_nsec.unsigned_abs() as u32)
    }
}

/// The machine's clock, corrected by a server's, so that machines that share a store have the same
/// time.
#[derive(Debug, Default)]
pub struct ServerClock(AtomicI64);

impl ServerClock {
    /// Corrects the clock by the server's time, which was read between two instants of the
    /// machine's clock.
    pub fn adjust(&self, asked: Timestamp, server: Timestamp, answered: Timestamp) {
        let middle = (asked.as_millisecond() + answered.as_millisecond()) / 2;
        self.0.store(server.as_millisecond() - middle, Ordering::SeqCst);
    }

    /// How far the machine's clock is behind the server's, in milliseconds.
    pub fn behind_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl Clock for ServerClock {
    fn now(&self) -> Timestamp {
        SystemClock.now() + jiff::SignedDuration::from_millis(self.behind_ms())
    }

    fn spent(&self) -> Duration {
        SystemClock.spent()
    }
}

/// A clock that stands still until it is set, for tests and the demo. It counts
/// milliseconds.
#[derive(Debug, Default)]
pub struct FakeClock {
    now: AtomicI64,
    spent: AtomicU64,
    cost: AtomicU64,
}

impl FakeClock {
    /// A clock that shows `now`.
    pub fn at(now: Timestamp) -> Self {
        Self { now: AtomicI64::new(now.as_millisecond()), ..Self::default() }
    }

    /// Sets how many milliseconds of CPU time pass between two readings.
    pub fn set_cost(&self, ms: u64) {
        self.cost.store(ms, Ordering::SeqCst);
    }

    /// Sets the clock.
    pub fn set(&self, now: Timestamp) {
        self.now.store(now.as_millisecond(), Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        // Only timestamps are ever stored.
        Timestamp::from_millisecond(self.now.load(Ordering::SeqCst)).unwrap_or_default()
    }

    fn spent(&self) -> Duration {
        let cost = self.cost.load(Ordering::SeqCst);
        Duration::from_millis(self.spent.fetch_add(cost, Ordering::SeqCst))
    }
}

/// A source of seeds and secrets.
pub trait Entropy: Send + Sync {
    /// The next 64 random bits.
    fn word(&self) -> u64;
}

/// The operating system's generator.
#[derive(Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn word(&self) -> u64 {
        use rand::TryRng;
        // Without random numbers there are no secrets, and so no host.
        rand::rngs::SysRng.try_next_u64().expect("the operating system gives random numbers")
    }
}

/// A fixed sequence, so that the demo and the tests give the same result each time.
#[derive(Debug)]
pub struct FixedEntropy(Mutex<engine::Dice>);

impl FixedEntropy {
    /// The sequence for a seed.
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(engine::Dice::stream(seed)))
    }
}

impl Entropy for FixedEntropy {
    fn word(&self) -> u64 {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).word("entropy")
    }
}
