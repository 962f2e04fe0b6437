//! The robot as a service: a thread for each inbox, one that runs what is due, one for the outbox,
//! one that draws printouts and echoes; signals stop it or make it read its config again.
//!
//! On a database, or where its config names roles, it is one of several workers: it does what its
//! roles say, works under leases, and a pulse says that it lives.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use base::cancel::Cancel;
use base::clock::{Clock, ServerClock, SystemEntropy};
use engine::Engine;
use mail::Inbox;
use robot::at_work::AtWork;
use robot::drawing::draw;
use robot::host::{Host, Wakes, is_between_steps, watch};
use robot::outbox::{Outlet, flush};
use robot::runner::{Runner, await_word};
use robot::{Result, Robot, RobotError, refuse};
use store::{Place, Store};

use crate::bell::ring_all;
use crate::config::{Config, Role};
use crate::host::{checker, clock, inbox, lock, lock_shared, outlet, robot_with};
use crate::notify::Notifier;
use crate::observe;
use crate::pulse::Pulse;

/// How often the outbox looks for mail that another process has queued, such as a turn that the
/// game master runs by hand: it can't wake this one.
const LOOK: Duration = Duration::from_secs(2);

/// Threads that judge mails side by side, at most; the machine's cores are the other limit.
const JUDGES_MAX: usize = 8;
/// How long one of them waits for a writer of the store before its mail is judged within the commit.
const JUDGE_WAIT: Duration = Duration::from_secs(2);

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
    let _lock = match (&config.store, config.shared) {
        (Place::Folder(folder), true) => Some(lock_shared(folder)?),
        (Place::Folder(_), false) => lock(&config)?,
        // A worker that serves a database says so in it; the folder is for what this machine keeps
        // for itself.
        (Place::Server(_), _) => {
            let made = std::fs::create_dir_all(&config.data);
            made.or_else(|e| refuse(format!("{}: {e}", config.data.display())))?;
            None
        }
    };
    let told = signals()?;
    let mut config = config;
    let mut read = text_of(path);
    let mut service = Service::start(&config, engines, true)?;
    loop {
        match told.recv_timeout(ALIVE) {
            Err(RecvTimeoutError::Timeout) if service.lives() => {
                let stuck = service.at_work.look();
                if !stuck.is_empty() {
                    give_up(&config, &stuck)?;
                    service.stop();
                    return refuse(
                        "judging a mail does not end: the next start sets it aside, and goes on",
                    );
                }
            }
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

/// Notes that mails whose judging never ends are not judged again.
fn give_up(config: &Config, mails: &[i64]) -> Result<()> {
    for mail in mails {
        tracing::error!(mail, "judging this mail does not end; it is given up");
    }
    let mut store = config.store.open(&SystemEntropy)?;
    Ok(store.write(|tx| mails.iter().try_for_each(|mail| tx.mails().give_up(*mail)))?)
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
        Ok(new) if (&new.data, &new.store, new.shared) != (&old.data, &old.store, old.shared) => {
            let cause = "robot.data and robot.store change with a restart only, and so does it \
                         whether there are robot.roles";
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
    /// Mails that its threads judge.
    at_work: Arc<AtWork>,
    threads: Vec<JoinHandle<()>>,
    /// Ends the pages when it is dropped.
    pages: tokio::sync::oneshot::Sender<()>,
    /// Says that this worker lives, where there are others.
    pulse: Option<Pulse>,
}

/// A thread that goes by its name in lists of threads.
fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    started.or_else(|e| refuse(format!("no thread for the {name}: {e}")))
}

/// Gives a robot the connections on which it judges, and logs at the start what is missing for
/// that.
fn ready_to_judge(config: &Config, robot: &mut Robot) -> Result<()> {
    // The robot's own connection and these judge side by side.
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    for _ in 1..cores.min(JUDGES_MAX) {
        let judge = config.store.open(&SystemEntropy)?;
        judge.only_read(JUDGE_WAIT)?;
        robot.judges.push(judge);
    }
    // The log says at the start what the system refuses to the processes that read mails.
    if let Err(e) = robot.cx.reader.ready() {
        tracing::error!(error = %e, "mails can't be taken apart yet");
    }
    if robot.reports().results_are_stripped()? == Some(false) {
        tracing::warn!(
            "nobody has seen yet that the server of [auth] trust takes out results that others \
             wrote in its name: below a Received field none counts until \"fieldpost doctor\" \
             has looked"
        );
    }
    Ok(())
}

/// Does what comes before all work of a robot.
fn prepare(config: &Config, robot: &mut Robot, alone: bool) -> Result<()> {
    if alone && !config.shared {
        // The service that had claimed mails is gone, so they are free at once.
        let now = robot.now();
        robot.store.write(|tx| tx.workers().end_work(None, now))?;
    }
    ::robot::keys::tell_of_keys(robot)?;
    match config.roles.contains(&Role::Inbox) {
        true => ready_to_judge(config, robot),
        false => Ok(()),
    }
}

/// The work of the threads of a worker's roles. It is opened before the threads start, so that
/// everything that is wrong in a config fails here.
struct Work {
    inboxes: Vec<Box<dyn Inbox>>,
    runner: Option<Robot>,
    outbox: Option<Outbox>,
    renderer: Option<Renderer>,
    notifier: Option<Notifier>,
}

impl Work {
    fn open(
        config: &Config,
        owner: &str,
        clock: &Arc<ServerClock>,
        robot: impl Fn() -> Result<Robot>,
    ) -> Result<Self> {
        let does = |role: Role| config.roles.contains(&role);
        Ok(Self {
            inboxes: match does(Role::Inbox) {
                true => config.inboxes.iter().map(|i| inbox(i, config)).collect::<Result<_>>()?,
                false => Vec::new(),
            },
            runner: if does(Role::Turns) { Some(robot()?) } else { None },
            outbox: match does(Role::Outbox) {
                true => Some(Outbox::open(config, owner, clock)?),
                false => None,
            },
            renderer: match does(Role::Drawing) {
                true => Some(Renderer { robot: robot()? }),
                false => None,
            },
            notifier: if does(Role::Outbox) { Notifier::open(config, owner)? } else { None },
        })
    }
}

impl Service {
    /// Starts all threads. `alone` says that no earlier service still sends.
    fn start(
        config: &Config,
        engines: &'static [&'static dyn Engine],
        alone: bool,
    ) -> Result<Self> {
        let does = |role: Role| config.roles.contains(&role);
        let clock = clock(config)?;
        let mut pulse = Pulse::begin(config, &clock)?;
        let owner = pulse.as_ref().map(|p| p.worker.owner.clone()).unwrap_or_default();
        let open = || -> Result<Robot> {
            let mut robot = robot_with(config, engines, Arc::<ServerClock>::clone(&clock))?;
            robot.shared = config.shared;
            robot.store.work_as(&owner);
            Ok(robot)
        };
        let mut robot = open()?;
        prepare(config, &mut robot, alone)?;
        // The threads that judge, run and draw share each loaded game.
        let open = || -> Result<Robot> {
            let mut another = open()?;
            another.cx.share_games(&robot.cx);
            Ok(another)
        };
        let work = Work::open(config, &owner, &clock, open)?;
        let checker = checker(config)?;
        let (wake, woken) = channel();
        let (to_draw, asked) = channel();
        let (to_run, due) = channel();
        let (to_tell, told) = channel();
        let wakes =
            Wakes { outbox: wake.clone(), drawing: to_draw, turns: to_run, others: to_tell };
        let at_work = Arc::clone(&robot.cx.at_work);
        let mut host = Host::new(robot, config.data.clone(), checker, wakes.clone());
        host.inboxes = config.inboxes.len();
        let (host, stop) = (Arc::new(Mutex::new(host)), Cancel::default());
        let (pages, ended) = tokio::sync::oneshot::channel::<()>();
        let until = async {
            // The other end is dropped when `stop` is cancelled.
            let _ = ended.await;
        };
        let web = match does(Role::Web) {
            true => crate::ops::web::spawn(config, until).or_else(|e| refuse(e.to_string()))?,
            false => None,
        };
        let roles: Vec<&str> = config.roles.iter().map(|r| r.as_str()).collect();
        let roles = roles.join(" ");
        tracing::info!(inboxes = work.inboxes.len(), worker = owner, roles, "serving");
        let mut threads: Vec<_> = web.into_iter().collect();
        for mut inbox in work.inboxes {
            let (host, stop) = (Arc::clone(&host), stop.clone());
            threads.push(thread("inbox", move || watch(&host, inbox.as_mut(), &stop))?);
        }
        if let Some(server) = config.store.server().cloned() {
            let (wakes, stop) = (wakes.clone(), stop.clone());
            threads.push(thread("bell", move || ring_all(&server, &told, &wakes, &stop))?);
        }
        if let Some(robot) = work.runner {
            let names = config.inboxes.iter().map(|i| i.name().to_owned()).collect();
            let (runner, stop) = (Runner::new(robot, names, wakes), stop.clone());
            threads.push(thread("turns", move || runner.run_all(&due, &stop))?);
        }
        if let Some(renderer) = work.renderer {
            let (drawn, stop) = (wake.clone(), stop.clone());
            threads.push(thread("renderer", move || renderer.draw_all(&asked, &drawn, &stop))?);
        }
        if let Some(outbox) = work.outbox {
            let (stop, retry_days) = (stop.clone(), config.limits.retry_days);
            let send = move || outbox.send_out(&woken, retry_days, &stop);
            threads.push(thread("outbox", send)?);
        }
        if let Some(notifier) = work.notifier {
            let stop = stop.clone();
            threads.push(thread("notify", move || notifier.tell_all(&stop))?);
        }
        if let Some(pulse) = &mut pulse {
            pulse.beat()?;
        }
        Ok(Self { stop, host, at_work, threads, pages, pulse })
    }

    /// Whether no thread has ended.
    fn lives(&self) -> bool {
        !self.threads.iter().any(JoinHandle::is_finished)
    }

    /// Ends all threads and says whether all have ended. Waits end at once, steps that are under
    /// way are finished, and mails that are under way get a little time.
    fn stop(self) -> bool {
        let Self { stop, host, at_work: _, threads, pages, pulse } = self;
        stop.cancel();
        drop(pages);
        let never = Cancel::default();
        let look = Duration::from_millis(10);
        for _ in 0..STOP_MAX.as_millis() / look.as_millis() {
            if threads.iter().all(JoinHandle::is_finished) {
                // Nothing of it is under way: others may have its work at once.
                if let Some(pulse) = pulse {
                    pulse.end();
                }
                return true;
            }
            never.wait(look);
        }
        // A thread that waits for a server lives on, but begins nothing: it may still note as sent
        // the mails that the server has. A step that waits for a database that is away has nothing
        // that could be lost.
        for _ in 0..STOP_MAX.as_millis() / look.as_millis() {
            if is_between_steps(&host) {
                break;
            }
            never.wait(look);
        }
        false
    }
}

/// The drawing side, with its own store, so that no card waits for pictures.
struct Renderer {
    robot: Robot,
}

impl Renderer {
    /// Draws what is to be drawn, then waits for more, until the service stops.
    fn draw_all(mut self, asked: &Receiver<()>, drawn: &Sender<()>, stop: &Cancel) {
        while !stop.is_cancelled() {
            let Robot { store, cx, .. } = &mut self.robot;
            let word = || {
                let _ = drawn.send(());
            };
            let act = AssertUnwindSafe(|| draw(store, cx, &|| cx.now(), &word, stop));
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

/// The sending side, with its own store, so that it never waits for a turn.
struct Outbox {
    store: Store,
    outlet: Outlet,
    runtime: tokio::runtime::Runtime,
    clock: Arc<ServerClock>,
}

impl Outbox {
    /// Opens store and outlet.
    fn open(config: &Config, owner: &str, clock: &Arc<ServerClock>) -> Result<Self> {
        let outlet = outlet(&config.outlet).or_else(refuse)?;
        let mut store = config.store.open(&SystemEntropy)?;
        store.work_as(owner);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| RobotError::Refused(e.to_string()))?;
        Ok(Self { store, outlet, runtime, clock: Arc::clone(clock) })
    }

    /// Sends what is due, then waits for more, until the service stops.
    fn send_out(mut self, woken: &Receiver<()>, retry_days: i64, stop: &Cancel) {
        let clock = Arc::clone(&self.clock);
        while !stop.is_cancelled() {
            let (store, runtime) = (&mut self.store, &self.runtime);
            let sending = flush(store, &self.outlet, runtime, clock.as_ref(), retry_days, stop);
            if let Err(e) = sending {
                tracing::error!(error = %e, "the outbox waits");
                stop.wait(LOOK);
            }
            self.await_due(woken, clock.as_ref(), stop);
        }
    }

    /// Waits for a wake, the next retry or a mail of another process.
    fn await_due(&self, woken: &Receiver<()>, clock: &dyn Clock, stop: &Cancel) {
        loop {
            let next = self.store.outbox().next_send().ok().flatten();
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
