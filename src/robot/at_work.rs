//! The mails that are being judged, so that one whose judging never ends is noticed.
//!
//! Nothing can end a thread from outside, so the service looks here at intervals. When many looks
//! in a row have seen the same mail, the store gives that mail up and the process ends. The next
//! process sets the mail aside as one whose reader died, and judges the others.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Looks in a row after which the judging of a mail counts as endless. There is one look per
/// second; the slowest known mail takes a tenth of a second.
const LOOKS_MAX: u32 = 60;

/// The mails that are being judged now, each with the number of looks that have seen it.
#[derive(Debug, Default)]
pub struct AtWork(Mutex<BTreeMap<i64, u32>>);

/// A mail that is being judged, until this is dropped.
pub(crate) struct Working<'a> {
    all: &'a AtWork,
    mail: i64,
}

impl AtWork {
    fn with<T>(&self, act: impl FnOnce(&mut BTreeMap<i64, u32>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that the judging of a mail begins.
    pub(crate) fn begin(&self, mail: i64) -> Working<'_> {
        self.with(|mails| mails.insert(mail, 0));
        Working { all: self, mail }
    }

    /// Looks, and returns the mails whose judging seems never to end.
    pub fn look(&self) -> Vec<i64> {
        self.with(|mails| {
            mails.values_mut().for_each(|looks| *looks += 1);
            let stuck = mails.iter().filter(|(_, looks)| **looks >= LOOKS_MAX);
            stuck.map(|(mail, _)| *mail).collect()
        })
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.all.with(|mails| mails.remove(&self.mail));
    }
}
