//! The dashboard and the public pages: two listeners on a thread of their own, each with its own
//! store, so that the robot that serves never waits for a visitor.

mod charts;
mod command;
mod confirm;
mod form;
mod gate;
mod health;
mod listen;
mod mails;
mod maps;
pub mod metrics;
mod new_game;
mod pages;
mod public;
mod record;
mod seats;
mod views;

pub use health::Health;

use std::future::Future;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Html;
use axum::routing::{get, post};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Mutex, Semaphore, watch};

use super::Failure;
use crate::config::{Config, InboxConfig, Web};
use crate::ops::page::{ICON, SCRIPT, STYLE};
use base::secrets::HostKey;
use registry::ENGINES;
use robot::{self, Robot};

/// Bytes of a form, at most.
const BODY_MAX: usize = 16_000;
/// Requests that may wait for the store; more are asked to come again.
const WAITING_MAX: usize = 64;
/// How long a dashboard may take to answer that it is there.
const ANSWER: Duration = Duration::from_secs(1);
/// Threads that read the store and draw maps.
const THREADS_MAX: usize = 4;

/// What the requests of a listener share.
struct Shared {
    key: HostKey,
    robot: Arc<Mutex<Robot>>,
    /// Room for requests that wait for the robot.
    places: Semaphore,
    maps: maps::Cache,
    host: Host,
}

/// What pages show of the host besides its store.
#[derive(Debug, Clone)]
pub struct Host {
    /// The inboxes of the config, each with how long it may go unread.
    pub inboxes: Vec<(String, SignedDuration)>,
    /// Folder of the store.
    pub data: PathBuf,
    /// Free megabytes of the disk below which no mail is fetched.
    pub disk_free_mb_min: u64,
    /// When this process began to serve.
    pub started: Timestamp,
}

impl Host {
    /// Takes all this from a config.
    pub fn of(config: &Config, started: Timestamp) -> Self {
        let named = |i: &InboxConfig| {
            let (name, poll) = match i {
                InboxConfig::Maildir { name, poll, .. } => (name.clone(), *poll),
                InboxConfig::Imap(account) => (account.name.clone(), account.poll),
            };
            let unread_max = Duration::from_secs(config.web.unread_seconds_max.into()) + poll;
            // Both are hours at most.
            (name, SignedDuration::try_from(unread_max).unwrap_or(SignedDuration::MAX))
        };
        Self {
            inboxes: config.inboxes.iter().map(named).collect(),
            data: config.data.clone(),
            disk_free_mb_min: config.limits.disk_free_mb_min,
            started,
        }
    }

    /// Bytes that are free where the store is.
    pub fn disk_free(&self) -> Option<u64> {
        let found = rustix::fs::statvfs(&self.data).ok()?;
        Some(found.f_bavail.saturating_mul(found.f_frsize))
    }
}

/// The listeners, bound, before they serve.
#[derive(Default)]
pub struct Server {
    dashboard: Option<(TcpListener, Arc<Shared>)>,
    public: Option<(TcpListener, Arc<Shared>, EachAddress)>,
}

/// Limits of one address on the public pages.
#[derive(Debug, Clone, Copy)]
pub struct EachAddress {
    /// Connections at a time.
    pub connections: usize,
    /// Pages and pictures in a minute.
    pub pages: NonZeroU32,
}

impl EachAddress {
    /// The limits of a config.
    pub fn of(web: &Web) -> Self {
        let connections = usize::try_from(web.connections_per_address.get());
        Self { connections: connections.unwrap_or(usize::MAX), pages: web.pages_per_minute }
    }
}

impl Server {
    /// Binds what the config asks for; without either it serves nothing.
    ///
    /// # Errors
    /// A sentence when an address is taken or the store can't be opened.
    pub fn bind(config: &Config) -> Result<Self, Failure> {
        let mut server = Self::default();
        if let Some(at) = config.web.dashboard {
            let robot = crate::host::robot(config, &ENGINES)?;
            let host = Host::of(config, robot.now());
            server.dashboard(at, robot, host)?;
        }
        if let Some(at) = config.web.public {
            let robot = crate::host::robot(config, &ENGINES)?;
            let host = Host::of(config, robot.now());
            server.public(at, robot, host, EachAddress::of(&config.web))?;
        }
        Ok(server)
    }

    /// Binds the dashboard of a robot.
    ///
    /// # Errors
    /// A sentence when the address is taken.
    pub fn dashboard(
        &mut self,
        at: SocketAddr,
        robot: Robot,
        host: Host,
    ) -> Result<SocketAddr, Failure> {
        let listener = listen(at, "dashboard")?;
        let at = listener.local_addr()?;
        self.dashboard = Some((listener, Arc::new(Shared::new(robot, host))));
        Ok(at)
    }

    /// Binds the public pages of a robot.
    ///
    /// # Errors
    /// A sentence when the address is taken.
    pub fn public(
        &mut self,
        at: SocketAddr,
        robot: Robot,
        host: Host,
        each: EachAddress,
    ) -> Result<SocketAddr, Failure> {
        let listener = listen(at, "public")?;
        let at = listener.local_addr()?;
        self.public = Some((listener, Arc::new(Shared::new(robot, host)), each));
        Ok(at)
    }

    /// Whether there is anything to serve.
    pub fn is_empty(&self) -> bool {
        self.dashboard.is_none() && self.public.is_none()
    }

    /// Serves until `stopped`; requests that are under way are answered.
    ///
    /// # Errors
    /// When a listener can't be used.
    pub async fn run(self, stopped: impl Future<Output = ()>) -> Result<(), Failure> {
        let (stop, stopping) = watch::channel(false);
        let until = |mut stopping: watch::Receiver<bool>| async move {
            // A sender that is gone means the same as a stop.
            let _ = stopping.wait_for(|stop| *stop).await;
        };
        let mut serving = tokio::task::JoinSet::new();
        if let Some((listener, shared)) = self.dashboard {
            // All connections come from this machine, whose programs are the game master's own.
            let listener = listen::Limited::new(listener, listen::CONNECTIONS_MAX)?;
            let served = axum::serve(listener, dashboard_routes(shared));
            serving.spawn(served.with_graceful_shutdown(until(stopping.clone())).into_future());
        }
        if let Some((listener, shared, each)) = self.public {
            let listener = listen::Limited::new(listener, each.connections)?;
            let routes = public::routes(shared, each.pages);
            let routes = routes.into_make_service_with_connect_info::<listen::House>();
            let served = axum::serve(listener, routes);
            serving.spawn(served.with_graceful_shutdown(until(stopping.clone())).into_future());
        }
        stopped.await;
        let _ = stop.send(true);
        // A client that never disconnects must not keep the robot from stopping.
        let _ = tokio::time::timeout(listen::LAST, serving.join_all()).await;
        Ok(())
    }
}

/// Binds what the config asks for and serves it on a thread of its own until `stopped`;
/// `None` when the config asks for nothing.
///
/// # Errors
/// A sentence when an address is taken, the store can't be opened or there is no thread.
pub fn spawn(
    config: &Config,
    stopped: impl Future<Output = ()> + Send + 'static,
) -> Result<Option<JoinHandle<()>>, Failure> {
    let server = Server::bind(config)?;
    if server.is_empty() {
        return Ok(None);
    }
    let runtime = runtime()?;
    let serve = move || {
        if let Err(e) = runtime.block_on(server.run(stopped)) {
            tracing::error!(error = %e, "the pages are not served any more");
        }
        // A map that is being drawn is not waited for.
        runtime.shutdown_timeout(Duration::ZERO);
    };
    Ok(Some(std::thread::Builder::new().name("web".to_owned()).spawn(serve)?))
}

/// The runtime that pages are served on.
///
/// # Errors
/// When the system gives none.
pub fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS_MAX)
        .build()
}

/// Prints the address of the dashboard with its token.
///
/// # Errors
/// When the config has no dashboard.
pub fn address(config: &Config, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(at) = config.web.dashboard else {
        return Err("the config has no dashboard; write dashboard = \"127.0.0.1:8025\" below \
                    [web] and start \"fieldpost serve\" anew"
            .into());
    };
    let robot = crate::host::robot(config, &ENGINES)?;
    writeln!(out, "{}", address_of(&robot, at))?;
    Ok(())
}

/// What to do where nothing answers at the address of the dashboard; `None` where something does.
pub fn unanswered(config: &Config) -> Option<String> {
    let at = config.web.dashboard?;
    let why = std::net::TcpStream::connect_timeout(&at, ANSWER).err()?;
    Some(format!("Nothing answers there yet ({why}); start \"fieldpost serve\"."))
}

/// The address of the dashboard of a robot, with its token.
pub fn address_of(robot: &Robot, at: SocketAddr) -> String {
    format!("http://{at}/?token={}", gate::token(robot.store.key()))
}

fn listen(at: SocketAddr, key: &str) -> Result<TcpListener, Failure> {
    let bound = TcpListener::bind(at).map_err(|e| {
        format!(
            "web.{key} = \"{at}\" can't be listened to: {e}; end the program that has the port, \
             or write another one"
        )
    })?;
    bound.set_nonblocking(true)?;
    Ok(bound)
}

/// A page as text.
type Page = Result<Html<String>, WebError>;

fn dashboard_routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(pages::home))
        .route("/new/{engine}", get(new_game::form))
        .route("/games/{code}", get(pages::game))
        .route("/games/{code}/map", get(maps::page))
        .route("/games/{code}/map/{file}", get(maps::file))
        .route("/games/{code}/seats/{seat}", get(seats::page))
        .route("/games/{code}/seats/{seat}/{turn}/{file}", get(seats::picture))
        .route("/games/{code}/chart/{file}", get(maps::chart))
        .route("/mail", get(mails::list))
        .route("/mail/{id}", get(mails::one))
        .route("/quarantine", get(mails::quarantine))
        .route("/outbox", get(mails::outbox))
        .route("/acts", get(record::page_of_acts))
        .route("/confirm", post(confirm::ask))
        .route("/do", post(confirm::act))
        .route("/healthz", get(health::page))
        .route("/metrics", get(metrics::page))
        .route("/style.css", get(|| gate::file("text/css", STYLE)))
        .route("/app.js", get(|| gate::file("text/javascript", SCRIPT)))
        .route("/icon.svg", get(|| gate::file("image/svg+xml", ICON)))
        .fallback(|| async { WebError::NotFound("There is no such page.".to_owned()) })
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(from_fn_with_state(Arc::clone(&shared), gate::only_the_game_master))
        .layer(from_fn(gate::timed))
        .layer(from_fn(gate::with_security_headers))
        .with_state(shared)
}

impl Shared {
    fn new(robot: Robot, host: Host) -> Self {
        let key = robot.store.key().clone();
        let robot = Arc::new(Mutex::new(robot));
        let places = Semaphore::new(WAITING_MAX);
        Self { key, robot, places, maps: maps::Cache::default(), host }
    }

    /// Asks the robot on a thread that may block; one request at a time, in their order.
    async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        question: impl FnOnce(&mut Robot, &Self) -> Result<T, WebError> + Send + 'static,
    ) -> Result<T, WebError> {
        let _place = self.places.try_acquire().map_err(|_| WebError::Busy)?;
        let mut robot = Arc::clone(&self.robot).lock_owned().await;
        let shared = Arc::clone(self);
        let asked = tokio::task::spawn_blocking(move || question(&mut robot, &shared));
        asked.await.map_err(|_| WebError::Failed)?
    }
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
enum WebError {
    #[error("{0}")]
    NotFound(String),
    /// What was asked for makes no sense, with what to do instead.
    #[error("{0}")]
    Refused(String),
    /// The state has changed since the page of the confirmation was made.
    #[error("{0}")]
    Stale(String),
    #[error("Too many requests at once; come again in a moment.")]
    Busy,
    #[error("This page failed; the log says where. The robot goes on.")]
    Failed,
    #[error("{0}")]
    Robot(#[from] robot::RobotError),
    #[error("{0}")]
    Store(#[from] store::StoreError),
}
