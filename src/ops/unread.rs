//! Mails that lie unread when a turn is to be run by hand: cards may be among them.

use std::sync::{Arc, Mutex, PoisonError};

use super::Failure;
use crate::config::Config;
use base::text::count;
use registry::ENGINES;
use robot::host::{Host, Wakes, look, read};

/// Reads all mail of a config that no robot serves; if a robot serves it, reports what is left to
/// read.
///
/// # Errors
/// A sentence for the game master when mail lies unread, or may.
pub fn read_first(config: &Config) -> Result<(), Failure> {
    // Held until all is read, so that no robot begins meanwhile.
    let alone = crate::host::lock(config).ok();
    let robot = crate::host::robot(config, &ENGINES)?;
    let checker = crate::host::checker(config)?;
    // Nobody waits to be woken: mails leave when a robot serves.
    let host = Host::new(robot, config.data.clone(), checker, Wakes::nobody());
    let host = Arc::new(Mutex::new(host));
    for inbox in &config.inboxes {
        let mut inbox = crate::host::inbox(inbox, config)?;
        let name = inbox.name().to_owned();
        let unread = match alone {
            Some(_) => read(&host, inbox.as_mut()).map(|()| 0),
            None => look(&host, inbox.as_mut()).map(|mails| mails.len()),
        };
        match unread {
            Ok(0) => {}
            Ok(unread) => {
                return Err(format!(
                    "{} in inbox {name} may hold cards; the robot that serves reads mail within \
                     seconds, so try again. --unread runs the turn without",
                    count(unread as u64, "unread mail")
                )
                .into());
            }
            Err(cause) => {
                return Err(format!(
                    "inbox {name} can't be read, and cards may lie there: {cause}. --unread runs \
                     the turn without"
                )
                .into());
            }
        }
    }
    // The robot stores mails before it judges them.
    let host = host.lock().unwrap_or_else(PoisonError::into_inner);
    let waiting = host.robot.store.mails().unjudged()?.len();
    if waiting > 0 {
        return Err(format!(
            "{} without a verdict may hold cards; \"fieldpost mail list\" shows them. Try again \
             when they have one. --unread runs the turn without",
            count(waiting as u64, "mail")
        )
        .into());
    }
    Ok(())
}
