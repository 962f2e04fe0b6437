//! Messages between workers on one database, so that one need not wait for another's next look.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use base::cancel::Cancel;
use robot::host::Wakes;
use store::{Bell, Result, Server};

/// How long it listens before it sends what there is to send. Each message makes all commits of the
/// server wait for a moment, so it collects what comes up in this time into one message.
const APART: Duration = Duration::from_millis(100);
/// How long it waits before it replaces a lost connection.
const AGAIN: Duration = Duration::from_secs(5);

/// Sends to other workers what this worker's threads ask for, and wakes these threads at messages
/// of others, until `stop` is cancelled. A worker that gets no message looks all the same, only
/// later.
pub fn ring_all(server: &Server, asked: &Receiver<()>, wakes: &Wakes, stop: &Cancel) {
    while !stop.is_cancelled() {
        if let Err(e) = ring(server, asked, wakes, stop) {
            tracing::debug!(error = %e, "no word between workers");
            stop.wait(AGAIN);
        }
    }
}

fn ring(server: &Server, asked: &Receiver<()>, wakes: &Wakes, stop: &Cancel) -> Result<()> {
    let mut bell = Bell::at(server)?;
    while !stop.is_cancelled() {
        if bell.hear(APART)? {
            wakes.here();
        }
        if asked.try_recv().is_ok() {
            while asked.try_recv().is_ok() {}
            bell.ring()?;
        }
    }
    Ok(())
}
