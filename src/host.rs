//! Makes what serves a config: the robot, its inboxes and outlet, and the lock that reserves a
//! store for one robot.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{Clock, ServerClock, SystemClock, SystemEntropy};
use engine::Engine;
use mail::auth::Checker;
use mail::compose::Sender as Identity;
use mail::imap::ImapInbox;
use mail::maildir::{MaildirInbox, MaildirOutlet};
use mail::origin::{Apart, CheckOrigin};
use mail::reader::Reader;
use mail::smtp::SmtpOutlet;
use mail::{Inbox, InboxError};
use robot::outbox::Outlet;
use robot::{Result, Robot, RobotError, refuse};
use store::Place;

use crate::config::{AuthConfig, Config, InboxConfig, OutletConfig};

/// Opens the robot of a config.
///
/// # Errors
/// [`RobotError::Store`] when the store can't be opened.
pub fn robot(config: &Config, engines: &'static [&'static dyn Engine]) -> Result<Robot> {
    robot_with(config, engines, clock(config)?)
}

/// The clock of a host: the machine's, or that of the database.
///
/// # Errors
/// [`RobotError::Store`] when the database can't be asked.
pub fn clock(config: &Config) -> Result<Arc<ServerClock>> {
    let clock = ServerClock::default();
    if config.store.server().is_some() {
        let store = config.store.open(&SystemEntropy)?;
        set_right(&clock, &store)?;
    }
    Ok(Arc::new(clock))
}

/// Sets a clock right by that of the store, where it has one.
///
/// # Errors
/// [`RobotError::Store`] when the database can't be asked.
pub fn set_right(clock: &ServerClock, store: &store::Reader) -> Result<()> {
    let asked = SystemClock.now();
    if let Some(server) = store.workers().server_time()? {
        clock.adjust(asked, server, SystemClock.now());
    }
    Ok(())
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
    // Separate processes take mails apart, so that a mail that breaks one does not break the robot.
    robot.cx.reader =
        Reader::subprocess().or_else(|e| refuse(format!("this program is not found: {e}")))?;
    if let AuthConfig::Trust(server) = &config.auth {
        robot.cx.trusted = Some(server.clone());
    }
    Ok(robot)
}

/// The name and addresses that the robot writes with.
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

/// What checks where mails come from, if a config asks for it. It uses separate processes.
///
/// # Errors
/// [`RobotError::Refused`] when no name server is known, or this program is not found.
pub fn checker(config: &Config) -> Result<Option<Arc<dyn CheckOrigin>>> {
    let AuthConfig::Check { dns, received_by } = &config.auth else { return Ok(None) };
    // It refuses here what its processes would refuse.
    Checker::new(*dns, received_by.clone()).or_else(refuse)?;
    let program = std::env::current_exe();
    let program = program.or_else(|e| refuse(format!("this program is not found: {e}")))?;
    Ok(Some(Arc::new(Apart::by(program, *dns, received_by.as_deref()))))
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

/// Locks a store, because two robots on one store that do not know of each other would both send
/// its mails. A database is not locked; this only checks whether a worker serves it.
///
/// # Errors
/// [`RobotError::Refused`] when a robot serves it.
pub fn lock(config: &Config) -> Result<Option<File>> {
    lock_place(&config.store)
}

/// Like [`lock`], for a store without a config.
///
/// # Errors
/// [`RobotError::Refused`] when a robot serves it.
pub fn lock_place(place: &Place) -> Result<Option<File>> {
    match place {
        Place::Folder(folder) => lock_folder(folder).map(Some),
        Place::Server(server) => match store::check_server(server)?.workers {
            0 => Ok(None),
            n => refuse(format!("{n} workers serve {place} now; stop them first")),
        },
    }
}

/// Locks the folder of a store for a robot that knows of no others.
///
/// # Errors
/// [`RobotError::Refused`] when a robot serves it.
pub fn lock_folder(folder: &Path) -> Result<File> {
    locked(folder, File::try_lock)
}

/// Locks the folder of a store for one of several workers, who know of each other.
///
/// # Errors
/// [`RobotError::Refused`] when a robot serves it that knows of no others.
pub fn lock_shared(folder: &Path) -> Result<File> {
    locked(folder, File::try_lock_shared)
}

fn locked(
    data: &Path,
    lock: impl Fn(&File) -> std::result::Result<(), std::fs::TryLockError>,
) -> Result<File> {
    // A host may serve before anything else has made its folder.
    std::fs::create_dir_all(data)
        .map_err(|e| RobotError::Refused(format!("{}: {e}", data.display())))?;
    let path = data.join("serve.lock");
    let file =
        File::create(&path).map_err(|e| RobotError::Refused(format!("{}: {e}", path.display())))?;
    // A program that asks whether a robot serves holds the lock for an instant only.
    let never = Cancel::default();
    for _ in 0..10 {
        if lock(&file).is_ok() {
            return Ok(file);
        }
        never.wait(Duration::from_millis(20));
    }
    refuse(format!("another robot serves {} already", data.display()))
}

/// Whether a robot serves the store of a config. This holds a lock for a moment only, and makes no
/// file and no schema.
pub fn is_served(config: &Config) -> bool {
    match &config.store {
        Place::Folder(folder) => is_locked(folder),
        // What can't be looked at may be served.
        Place::Server(server) => store::check_server(server).map_or(true, |seen| seen.workers > 0),
    }
}

/// Whether a robot, or workers, hold the lock of a folder.
fn is_locked(data: &Path) -> bool {
    let Ok(file) = File::open(data.join("serve.lock")) else { return false };
    matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock))
}
