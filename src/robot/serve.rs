//! The robot as a service: a thread for each inbox, one for the outbox, one that draws
//! printouts.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use jiff::Timestamp;

use super::drawing::draw;
use super::outbox::{Outlet, flush};
use super::{Result, Robot, RobotError, refuse};
use crate::clock::{Clock, SystemClock, SystemEntropy};
use crate::config::{AuthConfig, Config, InboxConfig};
use crate::engine::Engine;
use crate::mail::auth::Checker;
use crate::mail::compose::Robot as Identity;
use crate::mail::imap::ImapInbox;
use crate::mail::maildir::MaildirInbox;
use crate::mail::reader::Reader;
use crate::mail::{Inbox, InboxError, RawMessage};
use crate::store::Store;

/// The longest that a thread waits before it looks again.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// How often the outbox looks for mail that another process has queued, such as a turn that the
/// game master runs by hand: it can't wake this one.
const LOOK: Duration = Duration::from_secs(2);

/// How exactly it is known when an inbox was last read.
const NOTED: jiff::SignedDuration = jiff::SignedDuration::from_mins(1);

/// How often mails that are too old to be kept raw are looked for.
const TIDY: jiff::SignedDuration = jiff::SignedDuration::from_hours(6);

/// What the inbox threads share.
struct Host {
    robot: Robot,
    /// Folder of the store.
    data: PathBuf,
    /// When the last complete fetch of each inbox began.
    fetched: Vec<Timestamp>,
    /// Checks where mails come from, when the config says so.
    checker: Option<Arc<Checker>>,
    /// When old mails were last looked for.
    tidied: Option<Timestamp>,
    /// Wakes the outbox.
    wake: Sender<()>,
    /// Wakes the drawer of printouts.
    to_draw: Sender<()>,
}

/// Opens the robot of a config.
///
/// # Errors
/// [`RobotError::Store`] when the store can't be opened.
pub fn robot(config: &Config, engines: &'static [&'static dyn Engine]) -> Result<Robot> {
    let entropy = Arc::new(SystemEntropy);
    let store = Store::open(&config.data, entropy.as_ref())?;
    let identity = identity(config);
    let clock = Arc::new(SystemClock);
    let (gm, limits) = (config.gm.clone(), config.limits.clone());
    let mut robot = Robot::new(store, identity, gm, limits, engines, clock, entropy);
    if let AuthConfig::Trust(server) = &config.auth {
        robot.trusted = Some(server.clone());
    }
    Ok(robot)
}

/// The robot as a correspondent.
fn identity(config: &Config) -> Identity {
    Identity {
        name: config.name.clone(),
        address: config.address.clone(),
        from: config.from.clone(),
    }
}

/// Serves until the process is stopped; stopping it at any instant loses
/// nothing.
///
/// # Errors
/// [`RobotError`] when it can't start.
pub fn serve(config: &Config, engines: &'static [&'static dyn Engine]) -> Result<()> {
    let mut robot = robot(config, engines)?;
    // What a mail does to its reader is done in a process of its own.
    robot.reader =
        Reader::apart().or_else(|e| refuse(format!("this program is not found: {e}")))?;
    // Held until the process ends, however it ends.
    let _lock = lock(&config.data)?;
    let inboxes: Vec<Box<dyn Inbox>> =
        config.inboxes.iter().map(|i| inbox(i, config)).collect::<Result<_>>()?;
    // Whatever can be wrong in the config is found before there are threads, which never end.
    let outbox = Outbox::open(config)?;
    let drawer = Drawer::open(config)?;
    let (wake, woken) = channel();
    let (to_draw, asked) = channel();
    let drawn = wake.clone();
    let fetched = vec![Timestamp::MIN; inboxes.len()];
    let checker = match &config.auth {
        AuthConfig::Check { dns, received_by } => {
            let checker = Checker::new(*dns, received_by.clone()).or_else(refuse)?;
            Some(Arc::new(checker))
        }
        AuthConfig::None | AuthConfig::Trust(_) => None,
    };
    let data = config.data.clone();
    let host =
        Arc::new(Mutex::new(Host { robot, data, fetched, checker, tidied: None, wake, to_draw }));
    tracing::info!(inboxes = inboxes.len(), "serving");
    std::thread::scope(|scope| {
        for (i, inbox) in inboxes.into_iter().enumerate() {
            let host = Arc::clone(&host);
            scope.spawn(move || watch(&host, i, inbox));
        }
        scope.spawn(move || drawer.draw_all(&asked, &drawn));
        outbox.send_out(&woken, config.limits.retry_days);
    });
    Ok(())
}

/// Two robots on one store would both send.
fn lock(data: &Path) -> Result<File> {
    let path = data.join("serve.lock");
    let file =
        File::create(&path).map_err(|e| RobotError::Refused(format!("{}: {e}", path.display())))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => refuse(format!("another robot serves {} already", data.display())),
    }
}

fn inbox(config: &InboxConfig, all: &Config) -> Result<Box<dyn Inbox>> {
    let bad = |e: InboxError| RobotError::Refused(e.to_string());
    Ok(match config {
        InboxConfig::Maildir { name, path, poll } => {
            let bytes_max = all.limits.mail_bytes_max;
            Box::new(MaildirInbox::open(name, path, bytes_max, *poll).map_err(bad)?)
        }
        InboxConfig::Imap(account) => Box::new(ImapInbox::new(account.clone()).map_err(bad)?),
    })
}

/// A thread that panicked while it held the lock has changed nothing that is not
/// committed, so the others go on.
fn take(host: &Mutex<Host>) -> MutexGuard<'_, Host> {
    host.lock().unwrap_or_else(|e| e.into_inner())
}

/// Fetches, judges, files, runs what is due, waits; for ever.
fn watch(host: &Mutex<Host>, number: usize, mut inbox: Box<dyn Inbox>) {
    loop {
        if let Err(cause) = round(host, number, inbox.as_mut()) {
            tracing::warn!(inbox = inbox.name(), cause, "tried again later");
        }
        let wait = until_deadline(host);
        if let Err(e) = inbox.wait(wait) {
            tracing::warn!(inbox = inbox.name(), cause = e.cause, "connection lost");
        }
    }
}

/// One round of an inbox; the error is a sentence for the log.
fn round(
    host: &Mutex<Host>,
    number: usize,
    inbox: &mut dyn Inbox,
) -> std::result::Result<(), String> {
    let started = take(host).robot.now();
    has_room(host)?;
    let first = inbox.fetch(&known(host, inbox.name())).map_err(|e| e.cause)?;
    // The mailbox answers: a deadline that its silence was too long for moves before
    // any card is judged by it.
    note_silence(host, inbox.name(), started)?;
    drain(host, inbox, first)?;
    let mut host = take(host);
    host.fetched[number] = started;
    let since = host.fetched.iter().min().copied().unwrap_or(Timestamp::MIN);
    let run = host.robot.run_due(since).map_err(|e| e.to_string())?;
    host.robot.tick().map_err(|e| e.to_string())?;
    let due = host.robot.store.next_send().map_err(|e| e.to_string())?;
    // Also what this round has queued: reminders, notices, word of a held game.
    let now = host.robot.now();
    if run > 0 || due.is_some_and(|at| at <= now) {
        let _ = host.wake.send(());
        let _ = host.to_draw.send(());
    }
    if host.tidied.is_none_or(|at| started.duration_since(at) > TIDY) {
        host.tidied = Some(started);
        host.robot.forget_old_mails().map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Mail waits in its mailbox while the disk is nearly full: there it can't be lost, and
/// what room there is belongs to turns.
fn has_room(host: &Mutex<Host>) -> std::result::Result<(), String> {
    let host = take(host);
    let least = host.robot.limits.disk_free_mb_min;
    let Ok(found) = rustix::fs::statvfs(&host.data) else { return Ok(()) };
    let free = found.f_bavail.saturating_mul(found.f_frsize) / 1_000_000;
    match free < least {
        true => Err(format!(
            "{free} MB are free where the store is, and {least} are asked for; no mail is fetched"
        )),
        false => Ok(()),
    }
}

/// Keys of an inbox that are stored already.
fn known<'a>(host: &'a Mutex<Host>, source: &str) -> impl Fn(&str) -> bool + 'a {
    let source = source.to_owned();
    move |key: &str| take(host).robot.store.is_kept(&source, key).unwrap_or(false)
}

/// Notes the time since this inbox last answered, when it is long.
fn note_silence(
    host: &Mutex<Host>,
    source: &str,
    now: Timestamp,
) -> std::result::Result<(), String> {
    let mut host = take(host);
    let key = format!("read {source}");
    let last = host.robot.store.note(&key).map_err(|e| e.to_string())?;
    let last = last.and_then(|t| t.parse::<Timestamp>().ok());
    if let Some(last) = last.filter(|l| *l < now) {
        host.robot.was_unreachable(last, now).map_err(|e| e.to_string())?;
    }
    // A minute's truth is enough, and spares the disk.
    if last.is_none_or(|l| now.duration_since(l) >= NOTED) {
        host.robot.store.set_note(&key, &now.to_string()).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Judges and files what was fetched, and fetches more until the inbox is empty.
fn drain(
    host: &Mutex<Host>,
    inbox: &mut dyn Inbox,
    first: Vec<RawMessage>,
) -> std::result::Result<(), String> {
    let source = inbox.name().to_owned();
    let mut batch = first;
    loop {
        let checker = take(host).checker.clone();
        if let Some(checker) = checker {
            // Name servers are asked while nobody waits for the robot.
            batch.iter_mut().for_each(|m| m.authenticity = checker.check(&m.bytes));
        }
        let judged = take(host).robot.receive(&batch).map_err(|e| e.to_string())?;
        if !judged.is_empty() {
            let _ = take(host).wake.send(());
        }
        let moves = take(host).robot.store.to_move(&source).map_err(|e| e.to_string())?;
        if !moves.is_empty() {
            if let Err(e) = inbox.file(&moves) {
                // The verdicts stand; no game waits for a folder.
                tracing::warn!(inbox = inbox.name(), cause = e.cause, "mails not moved");
                if batch.is_empty() {
                    return Ok(());
                }
            } else {
                take(host).robot.store.moved(&source, &moves).map_err(|e| e.to_string())?;
            }
        }
        // A mail that came during the moves was told of then; IDLE would not tell again.
        if batch.is_empty() && moves.is_empty() {
            return Ok(());
        }
        batch = inbox.fetch(&known(host, &source)).map_err(|e| e.cause)?;
    }
}

fn until_deadline(host: &Mutex<Host>) -> Duration {
    let host = take(host);
    let (now, next) = (host.robot.now(), host.robot.next_event());
    match next {
        // A little after, so that the fetch begins after the deadline.
        // One that has passed waits for something else: another inbox, a server.
        Ok(Some(at)) if at <= now => Duration::from_secs(1),
        Ok(Some(at)) => Duration::try_from(at.duration_since(now))
            .unwrap_or_default()
            .saturating_add(Duration::from_millis(20))
            .min(WAIT_MAX),
        _ => WAIT_MAX,
    }
}

/// The drawing side: a store of its own, so that no card waits for pictures.
struct Drawer {
    store: Store,
    identity: Identity,
    sent_bytes_max: usize,
}

impl Drawer {
    fn open(config: &Config) -> Result<Self> {
        let store = Store::open(&config.data, &SystemEntropy)?;
        let sent_bytes_max = config.limits.sent_bytes_max;
        Ok(Self { store, identity: identity(config), sent_bytes_max })
    }

    /// Draws what is to be drawn, then waits for more; for ever.
    fn draw_all(mut self, asked: &Receiver<()>, drawn: &Sender<()>) {
        let now = || SystemClock.now();
        loop {
            let (store, most) = (&mut self.store, self.sent_bytes_max);
            let act = AssertUnwindSafe(|| draw(store, &self.identity, most, &now));
            match catch_unwind(act) {
                Ok(Ok(0)) => {}
                Ok(Ok(_)) => {
                    let _ = drawn.send(());
                }
                Ok(Err(e)) => tracing::error!(error = %e, "printouts are not drawn yet"),
                Err(_) => tracing::error!("the drawer of printouts failed; it begins anew"),
            }
            // Another process may have run a turn; it can't wake this one.
            let _ = asked.recv_timeout(LOOK);
            while asked.try_recv().is_ok() {}
        }
    }
}

/// The sending side: a store of its own, so that it never waits for a turn.
struct Outbox {
    store: Store,
    outlet: Outlet,
    runtime: tokio::runtime::Runtime,
}

impl Outbox {
    fn open(config: &Config) -> Result<Self> {
        let outlet = Outlet::of(&config.outlet).or_else(refuse)?;
        let mut store = Store::open(&config.data, &SystemEntropy)?;
        store.reclaim(SystemClock.now())?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| RobotError::Refused(e.to_string()))?;
        Ok(Self { store, outlet, runtime })
    }

    /// Sends what is due, then waits for more; for ever.
    fn send_out(mut self, woken: &Receiver<()>, retry_days: i64) {
        let clock = SystemClock;
        loop {
            let sending = flush(&mut self.store, &self.outlet, &clock, retry_days);
            if let Err(e) = self.runtime.block_on(sending) {
                tracing::error!(error = %e, "the outbox waits");
            }
            self.await_due(woken, &clock);
        }
    }

    /// Waits for a wake, the next retry or a mail of another process.
    fn await_due(&self, woken: &Receiver<()>, clock: &dyn Clock) {
        loop {
            let next = self.store.next_send().ok().flatten();
            let left = next.map_or(LOOK, |at| {
                Duration::try_from(at.duration_since(clock.now())).unwrap_or_default()
            });
            let wake = woken.recv_timeout(left.clamp(Duration::from_millis(100), LOOK));
            while woken.try_recv().is_ok() {}
            if wake.is_ok() || next.is_some_and(|at| at <= clock.now()) {
                return;
            }
        }
    }
}
