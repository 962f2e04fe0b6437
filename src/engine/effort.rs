//! Counts work in steps: a line looked at, a word compared, a statement run. Each thread counts its
//! own. The steps measure the cost of a mail without a clock, and equally on every machine.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts steps that are done now.
pub fn count(steps: usize) {
    STEPS.set(STEPS.get() + steps as u64);
}

/// Steps of this thread so far.
pub fn counted() -> u64 {
    STEPS.get()
}
