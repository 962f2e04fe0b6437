//! The machine: config, store, disk, robot, clock, time zones.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::report::Report;
use super::{Failure, Visit};
use base::clock::{Clock, SystemClock, SystemEntropy};
use mail::account::{Login, Password};
use mail::reader::Reader;

use crate::config::{AuthConfig, Config, InboxConfig, OutletConfig, Role};
use robot::host::free_mb;

use crate::host::is_served;
use store::{Server, check as look_at, check_server};

/// A clock that shows an earlier year was never set.
const FIRST_YEAR: i16 = 2025;

/// Checks the machine; gives whether there is a store that this program can use.
///
/// # Errors
/// When nothing can be printed.
pub fn check(visit: &Visit, path: &Path, report: &mut Report) -> Result<bool, Failure> {
    let config = visit.config;
    report.ok("config", &format!("{}: {}", path.display(), config.address))?;
    passwords(config, report)?;
    let current = store(config, report)?;
    disk(config, report)?;
    match is_served(config) {
        true => report.ok("robot", "one serves this store now")?,
        false => report.ok("robot", "none serves this store now")?,
    }
    if current && config.shared {
        workers(config, report)?;
    }
    clock(report)?;
    reader(report)?;
    if current {
        zones(config, report)?;
        policies(config, report)?;
    }
    Ok(current)
}

/// The processes that take mails apart: whether the kernel keeps them from everything else.
fn reader(report: &mut Report) -> Result<(), Failure> {
    let reader = Reader::subprocess()?;
    let asked = reader.ready();
    let read = reader.read(b"Subject: a look by fieldpost doctor\r\n\r\n");
    let measures = match (asked, read) {
        (Ok(Some((_, measures))), Ok(_)) => measures,
        (Err(e), _) | (_, Err(e)) => {
            let advice = "Mails are taken apart in processes of their own, which this program \
                          starts; let this user start it.";
            report.fail("reader", &e.to_string(), advice)?;
            return Ok(());
        }
        (Ok(None), Ok(_)) => return Ok(()),
    };
    let missing = measures.missing();
    let seen = format!("takes mails apart without {}", missing.join(", "));
    match () {
        () if missing.is_empty() => {
            report.ok("reader", "takes each mail apart by itself, and may open nothing")?
        }
        // The filter of system calls keeps it from files and connections even without the rest.
        () if measures.seccomp && measures.limits => report.warn(
            "reader",
            &seen,
            "Linux 6.12 or newer has it, where lsm= names landlock.",
        )?,
        () => report.fail(
            "reader",
            &seen,
            "A mail that takes its reader over could read this user's files, the store among them. \
             Use a kernel with seccomp, and a unit or container that allows it: no \
             SystemCallFilter without seccomp and prlimit64, no container profile that refuses \
             seccomp.",
        )?,
    }
    Ok(())
}

/// Files with passwords that others may read.
fn passwords(config: &Config, report: &mut Report) -> Result<(), Failure> {
    let inboxes = config.inboxes.iter().filter_map(|i| match i {
        InboxConfig::Imap(account) => Some(&account.login),
        InboxConfig::Maildir { .. } => None,
    });
    let outlet = match &config.outlet {
        OutletConfig::Smtp(account) => account.login.as_ref(),
        OutletConfig::Maildir(_) => None,
    };
    let file = |login: &Login| match &login.secret {
        Password::File(path) => Some(path.clone()),
        Password::Env(_) | Password::Command(_) => None,
    };
    let files: std::collections::BTreeSet<_> = inboxes.chain(outlet).filter_map(file).collect();
    for path in files {
        let shown = path.display();
        match std::fs::metadata(&path) {
            Ok(meta) if meta.mode() & 0o077 != 0 => report.warn(
                "password",
                &format!("{shown} may be read by others"),
                &format!("chmod 600 {shown}"),
            )?,
            Ok(_) => report.ok("password", &format!("{shown} is its owner's alone"))?,
            // The check of the login reports it, with advice.
            Err(_) => {}
        }
    }
    Ok(())
}

/// Checks the store; gives whether this program can read it.
fn store(config: &Config, report: &mut Report) -> Result<bool, Failure> {
    if let Some(server) = config.store.server() {
        return database(server, report);
    }
    let folder = &config.data;
    let shown = folder.display();
    if !folder.join("fieldpost.sqlite").exists() {
        return new_store(folder, report).map(|()| false);
    }
    let file = std::fs::metadata(folder.join("fieldpost.sqlite"))?;
    let (owner, own) = (file.uid(), rustix::process::geteuid().as_raw());
    if !writable(folder) || !writable(&folder.join("fieldpost.sqlite")) {
        let seen = format!("{shown} can't be written by this user ({own}); it is user {owner}'s");
        let advice = format!("Run this as the user that serves, or: chown -R {own} {shown}");
        report.fail("store", &seen, &advice)?;
        return Ok(false);
    }
    let condition = match look_at(folder) {
        Ok(condition) => condition,
        Err(e) => {
            let advice = "Put a copy in its place with \"fieldpost restore\", or move the file \
                          away to begin anew.";
            report.fail("store", &e.to_string(), advice)?;
            return Ok(false);
        }
    };
    if !condition.damage.is_empty() {
        let seen = format!("{shown} is damaged: {}", condition.damage.join("; "));
        let advice = "Stop the robot, keep the folder as it is, and put the newest copy in its \
                      place with \"fieldpost restore\". Have the disk checked.";
        report.fail("store", &seen, advice)?;
        return Ok(false);
    }
    match condition.pending {
        0 => report.ok("store", &format!("{shown}: whole, of this version"))?,
        n if n > 0 => {
            let seen = format!("{shown}: whole, of an earlier version");
            report.warn(
                "store",
                &seen,
                "The next command brings it up to date; copy it before.",
            )?;
        }
        _ => {
            let seen = format!("{shown} was written by a newer version of this program");
            report.fail("store", &seen, "Install the newer version again.")?;
        }
    }
    let open = [folder.clone(), folder.join("fieldpost.sqlite")]
        .into_iter()
        .find(|path| std::fs::metadata(path).is_ok_and(|m| m.mode() & 0o007 != 0));
    if let Some(path) = open {
        let seen = format!("{} may be read by everybody: mails, addresses, keys", path.display());
        report.warn("rights", &seen, &format!("chmod -R go-rwx {shown}"))?;
    }
    if own != owner && own != 0 {
        let seen = format!("the store is user {owner}'s, and this is user {own}");
        report.warn("user", &seen, "Run commands as the user that serves.")?;
    }
    Ok(condition.pending == 0)
}

/// Checks the database; gives whether this program can use it.
fn database(server: &Server, report: &mut Report) -> Result<bool, Failure> {
    let seen = match check_server(server) {
        Ok(seen) => seen,
        Err(e) => {
            let advice = "Start the server, or mend robot.store, its password and pg_hba.conf; \
                          psql with the same address says more.";
            report.fail("store", &e.to_string(), advice)?;
            return Ok(false);
        }
    };
    let shown = format!("{}: {}", server.shown(), seen.backend);
    match seen.pending {
        0 => report.ok("store", &format!("{shown}, of this version"))?,
        n if n > 0 => {
            let seen = format!("{shown}, of an earlier version or empty");
            let advice = "The next command brings it up to date; copy it before.";
            report.warn("store", &seen, advice)?;
        }
        _ => {
            let seen = format!("{shown}, changed by a newer version of this program");
            report.fail("store", &seen, "Install the newer version again.")?;
        }
    }
    if seen.is_standby {
        let advice = "Write the address of the primary, or of both servers: \
                      postgres://user@one,two/fieldpost";
        report.fail("standby", "the server is a standby, which takes no changes", advice)?;
    }
    if seen.loses_commits {
        let advice = "Set fsync and synchronous_commit to on: a crash of the server loses what \
                      players were told is kept.";
        report.fail("commits", "the server does not keep what it has confirmed", advice)?;
    }
    Ok(seen.pending == 0)
}

/// Checks the folder of a store that does not exist yet. It is not made here, because that is for
/// the user that serves.
fn new_store(folder: &Path, report: &mut Report) -> Result<(), Failure> {
    let shown = folder.display();
    let there = folder.ancestors().find(|f| f.exists());
    let there = there.filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match there.is_dir() && writable(there) {
        true => report.ok("store", &format!("{shown}: none yet; the first command makes it"))?,
        false => report.fail(
            "store",
            &format!("{shown}: none yet, and this user can't write to {}", there.display()),
            &format!("mkdir -p {shown} and give it to the user that serves, or change robot.data."),
        )?,
    }
    Ok(())
}

/// Whether this user may write there; a disk that is read-only counts too.
pub fn writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

fn disk(config: &Config, report: &mut Report) -> Result<(), Failure> {
    let least = config.limits.disk_free_mb_min;
    let there = config.data.ancestors().find(|f| f.exists()).unwrap_or(Path::new("."));
    let Some(free) = free_mb(there) else {
        report.warn("disk", "the system does not tell its room", "Look with df.")?;
        return Ok(());
    };
    let seen = format!("{free} MB are free, {least} are asked for");
    let advice = "Make room, or lower limits.disk_free_mb_min; below it mail of players \
                  alone is read, and below a quarter of it none.";
    match free {
        free if free < least => report.fail("disk", &seen, advice)?,
        free if free < least.saturating_mul(2) => report.warn("disk", &seen, advice)?,
        _ => report.ok("disk", &seen)?,
    }
    Ok(())
}

fn clock(report: &mut Report) -> Result<(), Failure> {
    let now = SystemClock.now();
    let seen = base::schedule::local(now, "UTC");
    let year = now.to_zoned(jiff::tz::TimeZone::UTC).year();
    match year < FIRST_YEAR {
        true => {
            report.fail("clock", &seen, "Set it; deadlines run by it. chrony or ntpd keep it.")?
        }
        false => report.ok("clock", &seen)?,
    }
    Ok(())
}

/// Looks for games whose terms ask for a proof that nobody can give under this config.
fn policies(config: &Config, report: &mut Report) -> Result<(), Failure> {
    if config.auth != AuthConfig::None {
        return Ok(());
    }
    let store = config.store.open(&SystemEntropy)?;
    let strict = |g: &&store::Game| g.terms.policy == base::terms::Policy::Strict;
    let games = store.games().all()?;
    let codes: Vec<&str> = games.iter().filter(strict).map(|g| g.code.as_str()).collect();
    if !codes.is_empty() {
        report.fail(
            "policy",
            &format!("{} asks for proof by domain, and [auth] gives none", codes.join(", ")),
            "No card is accepted there. Set [auth] check = true, or the game to policy=normal.",
        )?;
    }
    Ok(())
}

/// Checks which workers share the store, and whether they have all roles.
fn workers(config: &Config, report: &mut Report) -> Result<(), Failure> {
    let store = config.store.open(&SystemEntropy)?;
    let now = store.workers().server_time()?.unwrap_or_else(|| SystemClock.now());
    let all = store.workers().all()?;
    let living: Vec<_> = all.iter().filter(|w| w.lives(now)).collect();
    for worker in &living {
        let machine = worker.machine.split(' ').next().unwrap_or_default();
        let seen = format!("{} on {machine}: {}", worker.name, worker.roles);
        report.ok("worker", &seen)?;
    }
    let missing = Role::missing(&all, now);
    if !living.is_empty() && !missing.is_empty() {
        let seen = format!("no worker has the role {}", missing.join(", "));
        report.fail("workers", &seen, "Start one whose robot.roles name it.")?;
    }
    let other = living.iter().find(|w| w.version != env!("CARGO_PKG_VERSION"));
    if let Some(other) = other {
        let seen = format!("{} is of version {}", other.name, other.version);
        report.warn("workers", &seen, "Bring all workers to one version.")?;
    }
    Ok(())
}

/// The zones of all games and seats.
fn zones(config: &Config, report: &mut Report) -> Result<(), Failure> {
    let store = config.store.open(&SystemEntropy)?;
    let mut known = std::collections::BTreeSet::new();
    let mut unknown = Vec::new();
    for game in store.games().all()? {
        let code = game.code.as_str();
        let of_seats =
            store.games().seats(code)?.into_iter().map(|s| (format!("seat {}", s.seat), s.zone));
        for (whose, zone) in of_seats.chain([("its calendar".to_owned(), game.rule.zone.clone())]) {
            match jiff::tz::TimeZone::get(&zone) {
                Ok(_) => drop(known.insert(zone)),
                Err(_) => unknown.push(format!("{zone:?} ({code}, {whose})")),
            }
        }
    }
    match unknown.is_empty() {
        true => report.ok("time zones", &format!("{} in use, all known", known.len()))?,
        false => report.fail(
            "time zones",
            &format!("unknown: {}", unknown.join(", ")),
            "Set a game's with \"fieldpost game set W7 zone=Europe/London\"; a player sets theirs \
             own with ZONE.",
        )?,
    }
    Ok(())
}
