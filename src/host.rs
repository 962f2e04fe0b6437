//! From a config to what serves it: the robot, its inboxes and outlet, and the lock that keeps a
//! store to one robot.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{Clock, SystemClock, SystemEntropy};
use engine::Engine;
use mail::auth::Checker;
use mail::compose::Sender as Identity;
use mail::imap::ImapInbox;
use mail::maildir::{MaildirInbox, MaildirOutlet};
use mail::smtp::SmtpOutlet;
use mail::{Inbox, InboxError};
use robot::outbox::Outlet;
use robot::{Result, Robot, RobotError, refuse};

use crate::config::{AuthConfig, Config, InboxConfig, OutletConfig};

/// Opens the robot of a config.
///
/// # Errors
/// [`RobotError::Store`] when the store can't be opened.
pub fn robot(config: &Config, engines: &'static [&'static dyn Engine]) -> Result<Robot> {
    robot_with(config, engines, Arc::new(SystemClock))
}

/// Opens the robot of a config with another clock.
///
/// # Errors
/// [`RobotError::Store`] when the store can't be opened.
pub fn robot_with(
    config: &Config,
    engines: &'static [&'static dyn Engine],
    clock: Arc<dyn Clock>,
) -> Result<Robot> {
    let entropy = Arc::new(SystemEntropy);
    let store = config.store.open(entropy.as_ref())?;
    let identity = identity(config);
    let (gm, limits) = (config.gm.clone(), config.limits.clone());
    let mut robot = Robot::new(store, identity, gm, limits, engines, clock, entropy);
    robot.cx.language.clone_from(&config.language);
    if let AuthConfig::Trust(server) = &config.auth {
        robot.cx.trusted = Some(server.clone());
    }
    Ok(robot)
}

/// The robot as a correspondent.
pub fn identity(config: &Config) -> Identity {
    Identity {
        name: config.name.clone(),
        address: config.address.clone(),
        from: config.from.clone(),
    }
}

/// Opens an inbox of a config.
///
/// # Errors
/// [`RobotError::Refused`] when it can't be set up.
pub fn inbox(config: &InboxConfig, all: &Config) -> Result<Box<dyn Inbox>> {
    let bad = |e: InboxError| RobotError::Refused(e.to_string());
    Ok(match config {
        InboxConfig::Maildir { name, path, poll } => {
            let bytes_max = all.limits.mail_bytes_max;
            Box::new(MaildirInbox::open(name, path, bytes_max, *poll).map_err(bad)?)
        }
        InboxConfig::Imap(account) => Box::new(ImapInbox::new(account.clone()).map_err(bad)?),
    })
}

/// What checks where mails come from, when a config asks for it.
///
/// # Errors
/// [`RobotError::Refused`] when no name server is known.
pub fn checker(config: &Config) -> Result<Option<Arc<Checker>>> {
    Ok(match &config.auth {
        AuthConfig::Check { dns, received_by } => {
            Some(Arc::new(Checker::new(*dns, received_by.clone()).or_else(refuse)?))
        }
        AuthConfig::None | AuthConfig::Trust(_) => None,
    })
}

/// The outlet of a config.
///
/// # Errors
/// A sentence when it can't be set up.
pub fn outlet(config: &OutletConfig) -> std::result::Result<Outlet, String> {
    match config {
        OutletConfig::Maildir(path) => Ok(Outlet::Maildir(MaildirOutlet::new(path))),
        OutletConfig::Smtp(account) => {
            Ok(Outlet::Smtp(Arc::new(SmtpOutlet::new(account.clone())?)))
        }
    }
}

/// Locks a store, because two robots on one store would both send its mails.
///
/// # Errors
/// [`RobotError::Refused`] when a robot serves it.
pub fn lock(data: &Path) -> Result<File> {
    // A host may serve before anything else has made its folder.
    std::fs::create_dir_all(data)
        .map_err(|e| RobotError::Refused(format!("{}: {e}", data.display())))?;
    let path = data.join("serve.lock");
    let file =
        File::create(&path).map_err(|e| RobotError::Refused(format!("{}: {e}", path.display())))?;
    // A program that asks whether a robot serves holds the lock for an instant only.
    let never = Cancel::default();
    for _ in 0..10 {
        if file.try_lock().is_ok() {
            return Ok(file);
        }
        never.wait(Duration::from_millis(20));
    }
    refuse(format!("another robot serves {} already", data.display()))
}

/// Whether a robot serves the store in a folder. This holds the lock for a moment only, and makes no
/// file.
pub fn is_served(data: &Path) -> bool {
    let Ok(file) = File::open(data.join("serve.lock")) else { return false };
    matches!(file.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock))
}
