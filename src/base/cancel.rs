//! Cancellation: one flag for many threads, which wakes those that wait.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// A callback for cancellation, such as shutting down a socket that a thread reads from.
type Callback = Box<dyn Fn() + Send>;

#[derive(Default)]
struct State {
    cancelled: bool,
    next: u64,
    callbacks: BTreeMap<u64, Callback>,
}

/// A cancellation token. All clones share one state; a cancelled token stays cancelled.
#[derive(Clone, Default)]
pub struct Cancel(Arc<(Mutex<State>, Condvar)>);

/// Keeps a callback registered; dropping it removes the callback.
#[must_use]
pub struct CancelGuard<'a>(&'a Cancel, u64);

impl Cancel {
    /// Cancels: runs the callbacks on this thread, then wakes all waiting threads.
    pub fn cancel(&self) {
        let mut state = self.state();
        state.cancelled = true;
        state.callbacks.values().for_each(|callback| callback());
        self.0.1.notify_all();
    }

    /// Whether the token is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }

    /// Waits for cancellation, for at most `timeout`. Returns whether the token is cancelled.
    pub fn wait(&self, timeout: Duration) -> bool {
        let waited = self.0.1.wait_timeout_while(self.state(), timeout, |state| !state.cancelled);
        waited.unwrap_or_else(|e| e.into_inner()).0.cancelled
    }

    /// Runs `callback` on cancellation, as long as the guard lives. It runs at once when
    /// the token is already cancelled. The callback must not use this token: it runs
    /// under the token's lock.
    pub fn on_cancel(&self, callback: impl Fn() + Send + 'static) -> CancelGuard<'_> {
        let mut state = self.state();
        if state.cancelled {
            callback();
        }
        let number = state.next;
        state.next += 1;
        state.callbacks.insert(number, Box::new(callback));
        CancelGuard(self, number)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A callback that panicked left the state consistent.
        self.0.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Drop for CancelGuard<'_> {
    fn drop(&mut self) {
        self.0.state().callbacks.remove(&self.1);
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelling_wakes_waiting_threads_and_runs_registered_callbacks() {
        let (cancel, calls) = (Cancel::default(), Arc::new(Mutex::new(0)));
        assert!(!cancel.wait(Duration::ZERO));
        let count = |calls: &Arc<Mutex<u32>>| {
            let calls = Arc::clone(calls);
            move || *calls.lock().expect("a count") += 1
        };
        drop(cancel.on_cancel(count(&calls)));
        let _registered = cancel.on_cancel(count(&calls));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| cancel.wait(Duration::from_secs(3600)));
            cancel.cancel();
            assert!(waiting.join().expect("it ends"));
        });
        let _late = cancel.on_cancel(count(&calls));
        assert_eq!(*calls.lock().expect("a count"), 2, "the registered one and the late one");
    }
}
