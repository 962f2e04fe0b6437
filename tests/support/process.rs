//! A host as its game master has it: a `robot.toml`, the command line, and `fieldpost serve` as a
//! separate process that can be killed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use base::clock::{Clock, SystemClock, SystemEntropy};
use jiff::{SignedDuration, Timestamp};
use store::Store;
use tempfile::TempDir;

use crate::letter::Letter;
use crate::rig::{DOMAIN, Rig, password, poll};

/// The game of every test.
pub const GAME: &str = "W7";

/// Limit for anything that a test waits for; hardly anything takes longer than two seconds.
pub const LIMIT: Duration = Duration::from_secs(45);

/// The settings of `robot.toml` that differ between tests.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Port and TLS of the inbox.
    pub inbox: (u16, &'static str),
    /// Port and TLS of the outlet.
    pub outlet: (u16, &'static str),
    /// The authority that both servers' certificates must come from.
    pub ca_file: PathBuf,
    /// Connections of the outlet at a time.
    pub connections: usize,
    /// Whether the log is JSON.
    pub json: bool,
    /// Level of the log.
    pub level: &'static str,
    /// The robot's user.
    pub robot: String,
    /// The game master's user.
    pub gm: String,
    /// Address of the database; `None`: the store is a file.
    pub store: Option<String>,
}

impl Setup {
    /// IMAP with TLS from the first byte, submission with STARTTLS, the usual log.
    pub fn of(rig: &Rig) -> Self {
        Self {
            inbox: (rig.imaps_port, "implicit"),
            outlet: (rig.submission_port, "starttls"),
            ca_file: rig.ca_file.clone(),
            connections: 4,
            json: false,
            level: "info",
            robot: "robot".to_owned(),
            gm: "gm".to_owned(),
            store: None,
        }
    }
}

/// A robot's host; dropping it kills its robot.
pub struct Host<'a> {
    rig: &'a Rig,
    dir: TempDir,
    serve: Option<Child>,
    /// Workers by name.
    workers: BTreeMap<String, Child>,
    /// Address of the database, if the store is one.
    database: Option<String>,
}

impl<'a> Host<'a> {
    /// A host with a config and nothing else.
    pub fn new(rig: &'a Rig, setup: &Setup) -> Self {
        let dir = tempfile::Builder::new().prefix("fieldpost-host-").tempdir();
        let (dir, database) = (dir.expect("a temporary folder"), setup.store.clone());
        let host = Self { rig, dir, serve: None, workers: BTreeMap::new(), database };
        fs::write(host.path("password"), format!("{}\n", password(&setup.robot))).expect("written");
        host.configure(setup);
        host
    }

    /// Writes the config; a robot that runs keeps the one it started with.
    pub fn configure(&self, setup: &Setup) {
        fs::write(self.path("robot.toml"), self.config(setup, "data", "")).expect("written");
    }

    fn config(&self, setup: &Setup, folder: &str, more: &str) -> String {
        let (data, secret) = (self.path("data"), self.path("password"));
        let (robot, gm) = (&setup.robot, &setup.gm);
        let server = |(port, tls): (u16, &str)| {
            format!(
                "host = \"localhost\"\nport = {port}\ntls = \"{tls}\"\nuser = \"{robot}@{DOMAIN}\"\n\
                 password_file = {secret:?}\nca_file = {:?}\n",
                setup.ca_file
            )
        };
        let data = data.with_file_name(folder);
        let store = setup.store.as_ref().map(|url| format!("store = {url:?}\n"));
        let more = format!("{}{more}", store.unwrap_or_default());
        format!(
            "[robot]\naddress = \"{robot}@{DOMAIN}\"\ngm = \"{gm}@{DOMAIN}\"\ndata = {data:?}\n\
             {more}\n\
             [inbox.main]\nkind = \"imap\"\n{}\n\
             [outlet]\nkind = \"smtp\"\nconnections = {}\n{}\n\
             [log]\njson = {}\nlevel = \"{}\"\n",
            server(setup.inbox),
            setup.connections,
            server(setup.outlet),
            setup.json,
            setup.level
        )
    }

    /// Starts one of several workers, with a config, a log and, where the store is a database, a
    /// folder of its own.
    pub fn start_worker(&mut self, name: &str, setup: &Setup, more: &str) {
        let config = self.path(&format!("{name}.toml"));
        let more = format!("worker = {name:?}\n{more}");
        let folder = if self.database.is_some() { name } else { "data" };
        fs::write(&config, self.config(setup, folder, &more)).expect("written");
        let log = File::options().create(true).append(true).open(self.path(&format!("{name}.log")));
        let mut command = Command::new(program());
        command.env("NO_COLOR", "1").arg("--config").arg(config).arg("serve");
        let log = log.expect("the log can be opened");
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.workers.insert(name.to_owned(), command.spawn().expect("the worker starts"));
    }

    /// Kills a worker as a power cut would.
    pub fn kill_worker(&mut self, name: &str) {
        let mut child = self.workers.remove(name).expect("the worker was started");
        let early = child.try_wait().expect("the worker can be asked for");
        assert!(early.is_none(), "{name} ended by itself: {}", self.worker_log(name));
        child.kill().expect("the worker can be killed");
        child.wait().expect("the worker ends");
    }

    /// Everything that a worker has logged.
    pub fn worker_log(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default()
    }

    /// A file of the host.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, config: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        // No colours in the output that is read here, even where a terminal runs the tests.
        command.env("NO_COLOR", "1");
        command.arg("--config").arg(self.path(config)).args(arguments);
        command
    }

    /// The output of a command, whether it succeeds or not.
    pub fn try_run(&self, arguments: &[&str]) -> Output {
        self.try_run_as("robot.toml", arguments)
    }

    /// The output of a command with the config of a worker, such as `one.toml`.
    pub fn try_run_as(&self, config: &str, arguments: &[&str]) -> Output {
        self.command(config, arguments).stdin(Stdio::null()).output().expect("the program runs")
    }

    /// The output of a command, which must succeed.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.try_run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "fieldpost {arguments:?}: {errors}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Makes and starts the game with these addresses as its seats; returns the output of the
    /// commands that gave the seats, with their passwords.
    pub fn start_game(&self, addresses: &[String]) -> Vec<String> {
        let seats = addresses.len().to_string();
        self.run(&["game", "new", GAME, "--seats", &seats, "--every", "7 days"]);
        let add = |(seat, address): (usize, &String)| {
            self.run(&["seat", "add", GAME, &seat.to_string(), address])
        };
        let printed = (1..).zip(addresses).map(add).collect();
        self.run(&["game", "start", GAME]);
        printed
    }

    /// Starts the robot; its log is appended to that of the one before.
    pub fn serve(&mut self) {
        self.serve_with(&[]);
    }

    /// Starts the robot with more variables in its environment.
    pub fn serve_with(&mut self, environment: &[(&str, &str)]) {
        let log = File::options().create(true).append(true).open(self.path("log"));
        let log = log.expect("the log can be opened");
        let mut command = self.command("robot.toml", &["serve"]);
        command.envs(environment.iter().copied());
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.serve = Some(command.spawn().expect("the robot starts"));
    }

    /// Kills the robot as a power cut would; nothing in it gets to run.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.serve.take() {
            let early = child.try_wait().expect("the robot can be asked for");
            assert!(early.is_none(), "the robot ended by itself: {}", self.log());
            child.kill().expect("the robot can be killed");
            child.wait().expect("the robot ends");
        }
    }

    /// Sends the robot a signal.
    pub fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status().expect("kill runs");
        assert!(sent.success(), "signal {name}");
    }

    /// The number of the robot's process.
    #[allow(dead_code, reason = "the measurements ask for it")]
    pub fn pid(&self) -> u32 {
        self.serve.as_ref().expect("a robot runs").id()
    }

    /// Forgets a robot that has ended.
    pub fn forget(&mut self) {
        self.serve = None;
    }

    /// How the robot ended by itself, if it did.
    pub fn ended(&mut self) -> Option<bool> {
        let child = self.serve.as_mut()?;
        child.try_wait().expect("the robot can be asked for").map(|status| status.success())
    }

    /// Everything that the robot has logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// Looks again and again until `look` finds something.
    pub fn await_some<T>(&self, what: &str, look: impl FnMut() -> Option<T>) -> T {
        match poll(LIMIT, look) {
            Some(found) => found,
            None => {
                let logs = self.workers.keys().map(|w| format!("--- {w}\n{}", self.worker_log(w)));
                let logs: String = logs.collect();
                panic!("no {what}\n--- robot\n{}\n{logs}\n{}", self.log(), self.rig.logs())
            }
        }
    }

    /// Waits until a condition holds.
    pub fn await_that(&self, what: &str, mut holds: impl FnMut() -> bool) {
        self.await_some(what, || holds().then_some(()));
    }

    /// Moves the deadline to a number of milliseconds from now.
    ///
    /// It writes to the store, because the command takes only whole minutes, for which a test would
    /// have to wait. A robot that runs learns of it at its next mail.
    pub fn due_in(&self, milliseconds: i64) -> Timestamp {
        let at = SystemClock.now() + SignedDuration::from_millis(milliseconds);
        self.store().write(|tx| tx.set_deadline(GAME, at)).expect("the deadline is set");
        at
    }

    /// Waits until the robot knows of all its moves: the server moves a mail before it answers.
    pub fn await_moves(&self) {
        self.await_that("noted moves", || {
            self.store().mails().to_move("main").expect("the store works").is_empty()
        });
    }

    pub fn store(&self) -> Store {
        if let Some(url) = &self.database {
            let store = Store::connect(&crate::postgres::server(url), &SystemEntropy);
            return store.expect("the database answers");
        }
        Store::open(&self.path("data"), &SystemEntropy).expect("the store opens")
    }

    /// The robot's mails in a player's mailbox.
    pub fn letters(&self, user: &str) -> Vec<Letter> {
        self.rig.mails(user, "INBOX").iter().map(|raw| Letter::read(raw)).collect()
    }

    /// Waits for a seat's first mail of a kind in a turn, such as `p` for a printout.
    pub fn await_letter(&self, user: &str, kind: &str, turn: u32) -> Letter {
        let what = format!("mail {kind} of turn {turn} for {user}");
        self.await_some(&what, || self.letters(user).into_iter().find(|l| l.is(kind, turn)))
    }

    /// Sends a card in answer to a mail, as the player's mail program does.
    pub fn answer(&self, user: &str, letter: &Letter, number: u32, card: &str) {
        let from = format!("{user}@{DOMAIN}");
        let raw = letter.answer(&from, &format!("card-{number}-{user}@{DOMAIN}"), card);
        self.rig.submit(&from, &letter.reply_to(), raw.as_bytes());
    }
}

impl Drop for Host<'_> {
    fn drop(&mut self) {
        let workers = std::mem::take(&mut self.workers);
        for mut child in workers.into_values() {
            let _ = child.kill();
            let _ = child.wait();
        }
        if let Some(mut child) = self.serve.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Makes a certificate authority that has signed nothing of the rig.
pub fn foreign_authority(at: &Path) {
    let key = at.with_extension("key");
    let output = Command::new("openssl")
        .args(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30".split(' '),
        )
        .args(["-subj", "/CN=Another-CA", "-keyout"])
        .arg(key)
        .arg("-out")
        .arg(at)
        .output()
        .expect("openssl can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The program under test: cargo puts it beside the folder of the test.
pub fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a test is a file");
    let folder = test.parent().and_then(Path::parent).expect("cargo's folder");
    folder.join("fieldpost")
}
