//! The robot as a service: a thread for each inbox, one for the outbox, one that draws
//! printouts and echoes; signals stop it or have it read its config anew.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use base::cancel::Cancel;
use base::clock::{Clock, SystemClock, SystemEntropy};
use engine::Engine;
use mail::Inbox;
use mail::compose::Sender as Identity;
use mail::reader::Reader;
use robot::drawing::draw;
use robot::host::{Host, between_steps, watch};
use robot::outbox::{Outlet, flush};
use robot::{Result, RobotError, refuse};
use store::Store;

use crate::config::Config;
use crate::host::{checker, identity, inbox, lock, outlet, robot};
use crate::notify::Notifier;
use crate::observe;

/// How often the outbox looks for mail that another process has queued, such as a turn that the
/// game master runs by hand: it can't wake this one.
const LOOK: Duration = Duration::from_secs(2);

/// How often the service checks that all its threads live.
const ALIVE: Duration = Duration::from_secs(1);

/// How long the service waits for its threads when it stops. What is not done by then is as good as
/// killed, which loses nothing.
const STOP_MAX: Duration = Duration::from_secs(4);

/// Serves the config at `path` until SIGTERM or SIGINT. At SIGHUP it reads the config again and
/// opens the log's file again. A kill at any instant loses nothing; a signal also lets steps that
/// are under way end, so that nothing is repeated.
///
/// # Errors
/// [`RobotError`] when it can't start, or when a thread has ended by itself.
pub fn serve(path: &Path, config: Config, engines: &'static [&'static dyn Engine]) -> Result<()> {
    // Held until the process ends, however it ends.
    let _lock = lock(&config.data)?;
    let told = signals()?;
    let mut config = config;
    let mut read = text_of(path);
    let mut service = Service::start(&config, engines, true)?;
    loop {
        match told.recv_timeout(ALIVE) {
            Err(RecvTimeoutError::Timeout) if service.lives() => {}
            Ok(SIGHUP) => {
                observe::reopen();
                let text = text_of(path);
                if text == read {
                    // A log that was rotated; nothing else.
                    tracing::info!("the config has not changed");
                    continue;
                }
                let Some(new) = changed(path, &config) else { continue };
                read = text;
                let ended = service.stop();
                (service, config) = begun_anew(new, config, engines, ended)?;
            }
            Ok(signal) => {
                tracing::info!(signal, "stopping");
                service.stop();
                tracing::info!("stopped");
                return Ok(());
            }
            Err(_) => {
                service.stop();
                return refuse("a thread has ended by itself; its panic is in the log");
            }
        }
    }
}

/// The text of the config's file, to see whether it has changed.
fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Signals as they come.
fn signals() -> Result<Receiver<i32>> {
    let mut signals =
        Signals::new([SIGHUP, SIGINT, SIGTERM]).or_else(|e| refuse(format!("signals: {e}")))?;
    let (tell, told) = channel();
    std::thread::spawn(move || signals.forever().all(|signal| tell.send(signal).is_ok()));
    Ok(told)
}

/// Reads the config again; `None` when it can't be used, and the old one stays.
fn changed(path: &Path, old: &Config) -> Option<Config> {
    match Config::load(path) {
        Err(e) => {
            tracing::error!(cause = %e, "the config stays as it was");
            None
        }
        Ok(new) if new.data != old.data => {
            let cause = "robot.data changes with a restart only";
            tracing::error!(cause, "the config stays as it was");
            None
        }
        Ok(new) => {
            observe::set_level(&new.log);
            Some(new)
        }
    }
}

/// Starts a service of the new config, or of the old one when the new one can't start.
fn begun_anew(
    new: Config,
    old: Config,
    engines: &'static [&'static dyn Engine],
    ended: bool,
) -> Result<(Service, Config)> {
    match Service::start(&new, engines, ended) {
        Ok(service) => {
            tracing::info!("the config was read anew");
            Ok((service, new))
        }
        Err(e) => {
            tracing::error!(error = %e, "the new config can't be served; the old one goes on");
            Ok((Service::start(&old, engines, ended)?, old))
        }
    }
}

/// The threads of a service.
struct Service {
    stop: Cancel,
    host: Arc<Mutex<Host>>,
    threads: Vec<JoinHandle<()>>,
    /// Ends the pages when it is dropped.
    pages: tokio::sync::oneshot::Sender<()>,
}

/// A thread that goes by its name in lists of threads.
fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    started.or_else(|e| refuse(format!("no thread for the {name}: {e}")))
}

impl Service {
    /// Starts all threads. `alone` says that no earlier service still sends.
    fn start(
        config: &Config,
        engines: &'static [&'static dyn Engine],
        alone: bool,
    ) -> Result<Self> {
        let mut robot = robot(config, engines)?;
        robot.tell_of_keys()?;
        // A mail that breaks its reader breaks a process of its own.
        robot.reader =
            Reader::subprocess().or_else(|e| refuse(format!("this program is not found: {e}")))?;
        let inboxes: Vec<Box<dyn Inbox>> =
            config.inboxes.iter().map(|i| inbox(i, config)).collect::<Result<_>>()?;
        // Everything that a config can get wrong fails before there are threads.
        let outbox = Outbox::open(config, alone)?;
        let renderer = Renderer::open(config)?;
        let notifier = Notifier::open(config)?;
        let checker = checker(config)?;
        let (wake, woken) = channel();
        let (to_draw, asked) = channel();
        let drawn = wake.clone();
        let host = Host::new(robot, config.data.clone(), inboxes.len(), checker, (wake, to_draw));
        let (host, stop) = (Arc::new(Mutex::new(host)), Cancel::default());
        let (pages, ended) = tokio::sync::oneshot::channel::<()>();
        let until = async {
            // The other end is dropped when `stop` is cancelled.
            let _ = ended.await;
        };
        let web = crate::ops::web::spawn(config, until).or_else(|e| refuse(e.to_string()))?;
        tracing::info!(inboxes = inboxes.len(), "serving");
        let mut threads: Vec<_> = web.into_iter().collect();
        for (i, mut inbox) in inboxes.into_iter().enumerate() {
            let (host, stop) = (Arc::clone(&host), stop.clone());
            threads.push(thread("inbox", move || watch(&host, i, inbox.as_mut(), &stop))?);
        }
        let (of_renderer, of_outbox) = (stop.clone(), stop.clone());
        let retry_days = config.limits.retry_days;
        threads.push(thread("renderer", move || renderer.draw_all(&asked, &drawn, &of_renderer))?);
        let send = move || outbox.send_out(&woken, retry_days, &of_outbox);
        threads.push(thread("outbox", send)?);
        if let Some(notifier) = notifier {
            let of_notifier = stop.clone();
            threads.push(thread("notify", move || notifier.tell_all(&of_notifier))?);
        }
        Ok(Self { stop, host, threads, pages })
    }

    /// Whether no thread has ended.
    fn lives(&self) -> bool {
        !self.threads.iter().any(JoinHandle::is_finished)
    }

    /// Ends all threads and says whether all have ended. Waits end at once, steps that are under
    /// way are finished, and mails that are under way get a little time.
    fn stop(self) -> bool {
        let Self { stop, host, threads, pages } = self;
        stop.cancel();
        drop(pages);
        let never = Cancel::default();
        let look = Duration::from_millis(10);
        for _ in 0..STOP_MAX.as_millis() / look.as_millis() {
            if threads.iter().all(JoinHandle::is_finished) {
                return true;
            }
            never.wait(look);
        }
        // A thread that waits for a server lives on, but begins nothing: it may still note as sent
        // the mails that the server has.
        drop(between_steps(&host));
        false
    }
}

/// The drawing side: a store of its own, so that no card waits for pictures.
struct Renderer {
    store: Store,
    identity: Identity,
    sent_bytes_max: usize,
}

impl Renderer {
    fn open(config: &Config) -> Result<Self> {
        let store = config.store.open(&SystemEntropy)?;
        let sent_bytes_max = config.limits.sent_bytes_max;
        Ok(Self { store, identity: identity(config), sent_bytes_max })
    }

    /// Draws what is to be drawn, then waits for more, until the service stops.
    fn draw_all(mut self, asked: &Receiver<()>, drawn: &Sender<()>, stop: &Cancel) {
        let now = || SystemClock.now();
        while !stop.is_cancelled() {
            let (store, most) = (&mut self.store, self.sent_bytes_max);
            let word = || {
                let _ = drawn.send(());
            };
            let act = AssertUnwindSafe(|| draw(store, &self.identity, most, &now, &word, stop));
            match catch_unwind(act) {
                Ok(Ok(0)) => {}
                Ok(Ok(mails)) => tracing::debug!(mails, "mails drawn"),
                Ok(Err(e)) => tracing::error!(error = %e, "mails are not drawn yet"),
                Err(_) => tracing::error!("the renderer of mails failed; it begins anew"),
            }
            // Another process may have run a turn; it can't wake this one.
            await_word(asked, LOOK, stop);
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
    /// Opens store and outlet. `alone` says that whoever had claimed mails is gone, so that they
    /// are free at once; claims of others run out by themselves.
    fn open(config: &Config, alone: bool) -> Result<Self> {
        let outlet = outlet(&config.outlet).or_else(refuse)?;
        let mut store = config.store.open(&SystemEntropy)?;
        if alone {
            store.write(|tx| tx.release_leases(SystemClock.now()))?;
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| RobotError::Refused(e.to_string()))?;
        Ok(Self { store, outlet, runtime })
    }

    /// Sends what is due, then waits for more, until the service stops.
    fn send_out(mut self, woken: &Receiver<()>, retry_days: i64, stop: &Cancel) {
        let clock = SystemClock;
        while !stop.is_cancelled() {
            let sending = flush(&mut self.store, &self.outlet, &clock, retry_days, stop);
            if let Err(e) = self.runtime.block_on(sending) {
                tracing::error!(error = %e, "the outbox waits");
                stop.wait(LOOK);
            }
            self.await_due(woken, &clock, stop);
        }
    }

    /// Waits for a wake, the next retry or a mail of another process.
    fn await_due(&self, woken: &Receiver<()>, clock: &dyn Clock, stop: &Cancel) {
        loop {
            let next = self.store.next_send().ok().flatten();
            let left = next.map_or(LOOK, |at| {
                Duration::try_from(at.duration_since(clock.now())).unwrap_or_default()
            });
            let woken = await_word(woken, left.clamp(Duration::from_millis(100), LOOK), stop);
            if woken || stop.is_cancelled() || next.is_some_and(|at| at <= clock.now()) {
                return;
            }
        }
    }
}

/// Waits for a wake, no longer than `at_most`, and says whether one came. The word to stop sends no
/// wake, so it looks for that often.
fn await_word(woken: &Receiver<()>, at_most: Duration, stop: &Cancel) -> bool {
    let look = Duration::from_millis(100);
    let mut left = at_most;
    while !left.is_zero() && !stop.is_cancelled() {
        let part = left.min(look);
        if woken.recv_timeout(part).is_ok() {
            while woken.try_recv().is_ok() {}
            return true;
        }
        left -= part;
    }
    false
}
