//! The word to stop, which wakes whoever waits.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Something that is to be done at the word, such as cutting a line that is read from.
type Act = Box<dyn Fn() + Send>;

#[derive(Default)]
struct State {
    said: bool,
    next: u64,
    acts: BTreeMap<u64, Act>,
}

/// A word that is said once and heard by all clones.
#[derive(Clone, Default)]
pub struct Stop(Arc<(Mutex<State>, Condvar)>);

/// An act that is forgotten when this is dropped.
#[must_use]
pub struct AtStop<'a>(&'a Stop, u64);

impl Stop {
    /// Says it.
    pub fn say(&self) {
        let mut state = self.state();
        state.said = true;
        state.acts.values().for_each(|act| act());
        self.0.1.notify_all();
    }

    /// Whether it was said.
    pub fn is_said(&self) -> bool {
        self.state().said
    }

    /// Waits for it, at most so long; whether it was said.
    pub fn wait(&self, at_most: Duration) -> bool {
        let waited = self.0.1.wait_timeout_while(self.state(), at_most, |state| !state.said);
        waited.unwrap_or_else(|e| e.into_inner()).0.said
    }

    /// Has something done at the word, as long as the answer lives; at once, when it was
    /// said already.
    pub fn then(&self, act: impl Fn() + Send + 'static) -> AtStop<'_> {
        let mut state = self.state();
        if state.said {
            act();
        }
        let number = state.next;
        state.next += 1;
        state.acts.insert(number, Box::new(act));
        AtStop(self, number)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // An act that panicked has left the state whole.
        self.0.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Drop for AtStop<'_> {
    fn drop(&mut self) {
        self.0.state().acts.remove(&self.1);
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.is_said()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_wakes_who_waits_and_does_what_was_asked() {
        let (stop, heard) = (Stop::default(), Arc::new(Mutex::new(0)));
        assert!(!stop.wait(Duration::ZERO));
        let count = |heard: &Arc<Mutex<u32>>| {
            let heard = Arc::clone(heard);
            move || *heard.lock().expect("a count") += 1
        };
        drop(stop.then(count(&heard)));
        let _kept = stop.then(count(&heard));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| stop.wait(Duration::from_secs(3600)));
            stop.say();
            assert!(waiting.join().expect("it ends"));
        });
        let _late = stop.then(count(&heard));
        assert_eq!(*heard.lock().expect("a count"), 2, "the kept one and the late one");
    }
}
