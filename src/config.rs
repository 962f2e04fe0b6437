//! The config file: as written, then checked; secrets by file or environment.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mail::account::{Login, Password, TlsMode};
use robot::limits::Limits;
use serde::Deserialize;
use store::{Place, Server, Worker};

/// The commented sample, which a test reads.
pub const SAMPLE: &str = include_str!("../config/robot.example.toml");

/// What to do where there is no config.
const NO_FILE: &str =
    "write one with \"fieldpost init\", or copy config/robot.example.toml and edit it";

/// A config that can't be used: which file, which key, what to write.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {what}")]
pub struct ConfigError {
    path: String,
    what: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConfig {
    robot: RawRobot,
    inbox: BTreeMap<String, RawServer>,
    outlet: RawServer,
    #[serde(default)]
    auth: RawAuth,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    log: Log,
    #[serde(default)]
    web: Web,
    #[serde(default)]
    notify: Notify,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRobot {
    address: String,
    #[serde(default = "default_name")]
    name: String,
    from: Option<String>,
    gm: String,
    data: PathBuf,
    store: Option<String>,
    store_password_file: Option<PathBuf>,
    store_password_env: Option<String>,
    store_password_command: Option<Vec<String>>,
    store_ca_file: Option<PathBuf>,
    roles: Option<Vec<Role>>,
    worker: Option<String>,
    #[serde(default = "default_language")]
    language: String,
}

fn default_name() -> String {
    "Fieldpost".to_owned()
}

fn default_language() -> String {
    robot::languages::ENGLISH.to_owned()
}

/// What a worker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Role {
    /// Reads mailboxes and judges mails.
    Inbox,
    /// Runs steps and keeps the calendar.
    Turns,
    /// Draws printouts and echoes.
    Drawing,
    /// Sends mails.
    Outbox,
    /// Shows the dashboard and the public pages.
    Web,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 5] = [Self::Inbox, Self::Turns, Self::Drawing, Self::Outbox, Self::Web];

    /// Its word in configs and listings.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The roles that none of the living workers has.
    pub fn missing(workers: &[Worker], now: jiff::Timestamp) -> Vec<&'static str> {
        let has = |role: &&str| workers.iter().any(|w| w.lives(now) && w.does(role));
        Self::ALL.map(Self::as_str).into_iter().filter(|role| !has(role)).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Maildir,
    Imap,
    Smtp,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawServer {
    kind: Kind,
    path: Option<PathBuf>,
    host: Option<String>,
    port: Option<u16>,
    tls: Option<TlsMode>,
    ca_file: Option<PathBuf>,
    user: Option<String>,
    password_file: Option<PathBuf>,
    password_env: Option<String>,
    password_command: Option<Vec<String>>,
    token_command: Option<Vec<String>>,
    per_minute: Option<u32>,
    folder: Option<String>,
    connections: Option<usize>,
    poll_seconds: Option<u64>,
}

/// How the log is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// Whether each line is JSON, for programs that collect logs.
    pub json: bool,
    /// `error`, `warn`, `info` or `debug`.
    pub level: String,
    /// File that the log is appended to, instead of standard error; it is opened again at SIGHUP,
    /// so that it may be rotated.
    pub file: Option<PathBuf>,
}

impl Default for Log {
    fn default() -> Self {
        Self { json: false, level: "info".to_owned(), file: None }
    }
}

/// How the game master hears of alarms and of turns that have run, besides mail.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Notify {
    /// A program with its arguments, such as `["ntfy-send", "my-topic"]`; it gets the subject as
    /// its last argument and the text on its standard input. Empty: there is none.
    pub command: Vec<String>,
}

/// Pages of a robot that serves; none by default.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Web {
    /// Where the game master's dashboard listens: an address of this machine only.
    pub dashboard: Option<SocketAddr>,
    /// Where everybody may read the public pages.
    pub public: Option<SocketAddr>,
    /// `/healthz` reports an inbox that has not been read for this long, plus the time between two
    /// looks at a server without IDLE.
    pub unread_seconds_max: u32,
    /// Public pages and pictures that an address may ask for in a minute.
    pub pages_per_minute: NonZeroU32,
    /// Connections to the public pages that an address may have at a time.
    pub connections_per_address: NonZeroU32,
}

impl Default for Web {
    fn default() -> Self {
        let (pages, connections) = (NonZeroU32::new(300), NonZeroU32::new(20));
        Self {
            dashboard: None,
            public: None,
            unread_seconds_max: 120,
            pages_per_minute: pages.unwrap_or(NonZeroU32::MAX),
            connections_per_address: connections.unwrap_or(NonZeroU32::MAX),
        }
    }
}

impl Web {
    fn check(&self) -> Result<(), String> {
        match self.dashboard {
            Some(at) if !at.ip().is_loopback() => Err(format!(
                "web.dashboard = \"{at}\" could be reached from outside; write 127.0.0.1:{} and go \
                 there through ssh -L {0}:127.0.0.1:{0}",
                at.port()
            )),
            _ => Ok(()),
        }
    }
}

/// Where mail comes from.
#[derive(Debug, Clone)]
pub enum InboxConfig {
    /// A folder that a mail server on this machine delivers to.
    Maildir {
        /// The name in `[inbox.NAME]`.
        name: String,
        /// The Maildir itself.
        path: PathBuf,
        /// How often the robot looks into it.
        poll: Duration,
    },
    /// A mailbox on an IMAP server.
    Imap(mail::imap::ImapAccount),
}

impl InboxConfig {
    /// The name in `[inbox.NAME]`.
    pub fn name(&self) -> &str {
        match self {
            Self::Maildir { name, .. } => name,
            Self::Imap(account) => &account.name,
        }
    }
}

/// Where mail goes.
#[derive(Debug, Clone)]
pub enum OutletConfig {
    /// A folder that another program takes the mails from.
    Maildir(PathBuf),
    /// A server that sends the mails.
    Smtp(mail::smtp::SmtpAccount),
}

/// How the robot finds out whether a mail comes from the domain that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthConfig {
    /// It does not: each card needs its secret.
    None,
    /// By the Authentication-Results that the server of this name writes.
    Trust(String),
    /// By our own check over DNS.
    Check {
        /// The name server to ask; the system's without it.
        dns: Option<SocketAddr>,
        /// Name of the server that takes our mail, which SPF needs.
        received_by: Option<String>,
    },
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RawAuth {
    trust: Option<String>,
    check: bool,
    dns: Option<SocketAddr>,
    received_by: Option<String>,
}

fn auth(raw: RawAuth) -> Result<AuthConfig, String> {
    match (raw.trust, raw.check) {
        (Some(_), true) => Err("[auth]: write either trust or check = true".to_owned()),
        (Some(server), false) => Ok(AuthConfig::Trust(server)),
        (None, true) => Ok(AuthConfig::Check { dns: raw.dns, received_by: raw.received_by }),
        (None, false) => Ok(AuthConfig::None),
    }
}

/// A config that was checked.
#[derive(Debug, Clone)]
pub struct Config {
    /// The robot's address, where players write.
    pub address: String,
    /// The robot's name in the mails that it sends.
    pub name: String,
    /// Address for the From field, at which a person is reached; answers go to the robot.
    pub from: Option<String>,
    /// The game master's address, for alarms and commands by mail.
    pub gm: String,
    /// Folder of the store; if that is a database, the folder for what this machine keeps for
    /// itself.
    pub data: PathBuf,
    /// Where the store is.
    pub store: Place,
    /// What this worker does; all of it, unless others do some of it.
    pub roles: BTreeSet<Role>,
    /// Whether several workers share the store.
    pub shared: bool,
    /// The worker's name; `None`: it has that of the machine.
    pub worker: Option<String>,
    /// The code of the language of players who chose none.
    pub language: String,
    /// Where mail comes from, at least one.
    pub inboxes: Vec<InboxConfig>,
    /// Where mail goes.
    pub outlet: OutletConfig,
    /// How the robot finds out whom a mail is from.
    pub auth: AuthConfig,
    /// Limits that keep one mail or one player from taking all room or time.
    pub limits: Limits,
    /// How the log is written.
    pub log: Log,
    /// The dashboard and the public pages.
    pub web: Web,
    /// How the game master hears of things besides mail.
    pub notify: Notify,
}

impl Config {
    /// Reads and checks a config file.
    ///
    /// # Errors
    /// [`ConfigError`] with the key and, where there is one, the line.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let error = |what: String| ConfigError { path: path.display().to_string(), what };
        let text = std::fs::read_to_string(path).map_err(|e| error(format!("{e}; {NO_FILE}")))?;
        Self::parse(&text).map_err(error)
    }

    /// Checks the text of a config file.
    ///
    /// # Errors
    /// A sentence with the key and, where there is one, the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.lines().all(|l| l.trim().is_empty() || l.trim_start().starts_with('#')) {
            return Err(format!("it says nothing; {NO_FILE}"));
        }
        let raw: RawConfig = toml::from_str(text).map_err(|e| e.to_string())?;
        let address = |key: &str, value: &str| {
            mail::mime::canonical(value)
                .ok_or_else(|| format!("{key} = {value:?} is no mail address"))
        };
        if raw.inbox.is_empty() {
            return Err("[inbox.NAME]: at least one inbox is needed".to_owned());
        }
        raw.web.check()?;
        let store = place(&raw.robot)?;
        let shared = store.server().is_some() || raw.robot.roles.is_some();
        let roles: BTreeSet<Role> = match raw.robot.roles {
            None => Role::ALL.into(),
            Some(roles) => roles.into_iter().collect(),
        };
        if roles.is_empty() {
            return Err("robot.roles is empty; name what this worker does, such as roles = \
                        [\"inbox\", \"turns\"]"
                .to_owned());
        }
        let worker = raw.robot.worker;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if let Some(name) = worker.as_ref().filter(|n| n.is_empty() || !n.chars().all(plain)) {
            return Err(format!(
                "robot.worker = {name:?}: use letters, digits, \"-\", \"_\" and \".\""
            ));
        }
        let language = raw.robot.language;
        if !robot::languages::is_known(&language) {
            let known = robot::languages::listed();
            return Err(format!("robot.language = {language:?} is none of {known}"));
        }
        let limits = raw.limits;
        let inboxes = raw.inbox.iter().map(|(name, server)| inbox(name, server, &limits));
        Ok(Self {
            address: address("robot.address", &raw.robot.address)?,
            gm: address("robot.gm", &raw.robot.gm)?,
            name: raw.robot.name,
            from: raw.robot.from.map(|f| address("robot.from", &f)).transpose()?,
            data: raw.robot.data,
            store,
            roles,
            shared,
            worker,
            language,
            inboxes: inboxes.collect::<Result<_, _>>()?,
            outlet: outlet(&raw.outlet)?,
            auth: auth(raw.auth)?,
            limits,
            log: raw.log,
            web: raw.web,
            notify: raw.notify,
        })
    }
}

/// Where the store is: in the folder `data`, or in the database of `store`.
fn place(robot: &RawRobot) -> Result<Place, String> {
    let file = robot.store_password_file.clone().map(Password::File);
    let env = robot.store_password_env.clone().map(Password::Env);
    let command = robot.store_password_command.clone().map(Password::Command);
    let mut given = [file, env, command].into_iter().flatten();
    let password = given.next();
    if given.next().is_some() {
        return Err("robot: write one of store_password_file, store_password_env and \
                    store_password_command"
            .to_owned());
    }
    let Some(url) = &robot.store else {
        return match password.is_some() || robot.store_ca_file.is_some() {
            true => Err("robot.store is missing: a password or authorities are for a database, \
                         such as store = \"postgres://fieldpost@db.example.org/fieldpost\""
                .to_owned()),
            false => Ok(Place::Folder(robot.data.clone())),
        };
    };
    let server = Server::new(url, password, robot.store_ca_file.clone());
    server.map(|s| Place::Server(Box::new(s))).map_err(|e| format!("robot.store {e}"))
}

/// A key that a table must have.
fn need<T: Clone>(table: &str, key: &str, value: &Option<T>) -> Result<T, String> {
    value.clone().ok_or_else(|| format!("[{table}]: the key {key} is missing"))
}

/// Whether a host is the machine itself.
pub fn is_this_machine(host: &str) -> bool {
    let ip = host.parse::<std::net::IpAddr>();
    host.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
}

/// Refuses to send a password over a network in the clear.
fn no_open_password(table: &str, server: &RawServer) -> Result<(), String> {
    let host = server.host.as_deref().unwrap_or_default();
    if server.tls == Some(TlsMode::None) && server.user.is_some() && !is_this_machine(host) {
        return Err(format!(
            "[{table}] tls: {host} is not this machine, so the password would go over the network \
             in the clear; write tls = \"starttls\" or \"implicit\""
        ));
    }
    Ok(())
}

fn login(table: &str, server: &RawServer) -> Result<Login, String> {
    let user = need(table, "user", &server.user)?;
    let file = server.password_file.clone().map(Password::File);
    let env = server.password_env.clone().map(Password::Env);
    let command = server.password_command.clone().map(Password::Command);
    let token = server.token_command.clone().map(Password::Command);
    let is_token = token.is_some();
    let mut given = [file, env, command, token].into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(secret), None) => Ok(Login { user, secret, token: is_token }),
        _ => Err(format!(
            "[{table}]: write one of password_file, password_env, password_command and \
             token_command"
        )),
    }
}

fn inbox(name: &str, server: &RawServer, limits: &Limits) -> Result<InboxConfig, String> {
    let table = format!("inbox.{name}");
    // A folder costs nothing to look into; a server without IDLE is asked seldom.
    let usual = if server.kind == Kind::Maildir { 2 } else { 60 };
    let poll = Duration::from_secs(server.poll_seconds.unwrap_or(usual).clamp(1, 3600));
    no_open_password(&table, server)?;
    match server.kind {
        Kind::Maildir => {
            let path = need(&table, "path", &server.path)?;
            Ok(InboxConfig::Maildir { name: name.to_owned(), path, poll })
        }
        Kind::Imap => Ok(InboxConfig::Imap(mail::imap::ImapAccount {
            name: name.to_owned(),
            host: need(&table, "host", &server.host)?,
            tls: server.tls.unwrap_or(TlsMode::Implicit),
            port: server.port.unwrap_or(match server.tls {
                Some(TlsMode::Starttls | TlsMode::None) => 143,
                _ => 993,
            }),
            ca_file: server.ca_file.clone(),
            login: login(&table, server)?,
            folder: server.folder.clone().unwrap_or_else(|| "INBOX".to_owned()),
            bytes_max: limits.mail_bytes_max,
            poll,
        })),
        Kind::Smtp => Err(format!("[{table}]: an inbox is of kind \"maildir\" or \"imap\"")),
    }
}

fn outlet(server: &RawServer) -> Result<OutletConfig, String> {
    let table = "outlet";
    no_open_password(table, server)?;
    match server.kind {
        Kind::Maildir => Ok(OutletConfig::Maildir(need(table, "path", &server.path)?)),
        Kind::Smtp => {
            let login = match &server.user {
                Some(_) => Some(login(table, server)?),
                None => None,
            };
            Ok(OutletConfig::Smtp(mail::smtp::SmtpAccount {
                host: need(table, "host", &server.host)?,
                tls: server.tls.unwrap_or(TlsMode::Starttls),
                port: server.port.unwrap_or(match server.tls {
                    Some(TlsMode::Implicit) => 465,
                    Some(TlsMode::None) => 25,
                    _ => 587,
                }),
                ca_file: server.ca_file.clone(),
                login,
                connections: server.connections.unwrap_or(4).clamp(1, 50),
                per_minute: server.per_minute,
            }))
        }
        Kind::Imap => Err("[outlet]: an outlet is of kind \"maildir\" or \"smtp\"".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_a_good_config() {
        let config = Config::parse(SAMPLE).expect("the sample is good");
        assert_eq!(config.limits, Limits::default(), "the sample shows the defaults");
    }

    #[test]
    fn a_bad_config_names_the_key_and_the_line() {
        let missing = SAMPLE.replace("gm = ", "# gm = ");
        let error = Config::parse(&missing).expect_err("a key is missing");
        assert!(error.contains("gm") && error.contains("line"), "{error}");
        let unknown = SAMPLE.replace("[limits]", "[limits]\nmail_bites_max = 3");
        let error = Config::parse(&unknown).expect_err("an unknown key");
        assert!(error.contains("mail_bites_max") && error.contains("line"), "{error}");
        let address = SAMPLE.replace("gm = \"gm@example.org\"", "gm = \"gm at example\"");
        let error = Config::parse(&address).expect_err("a bad address");
        assert!(error.contains("robot.gm"), "{error}");
    }

    #[test]
    fn a_password_goes_over_no_network_in_the_clear() {
        let with = |table: &str, host: &str, tls: &str, user: &str| {
            let kind = if table == "outlet" { "smtp" } else { "imap" };
            let config = format!(
                "[robot]\naddress = \"robot@example.org\"\ngm = \"gm@example.org\"\n\
                 data = \"data\"\n[{table}]\nkind = \"{kind}\"\nhost = \"{host}\"\n\
                 tls = \"{tls}\"\n{user}\n[{}]\nkind = \"maildir\"\npath = \"x\"\n",
                if table == "outlet" { "inbox.main" } else { "outlet" }
            );
            Config::parse(&config)
        };
        let user = "user = \"robot\"\npassword_file = \"secret\"";
        for table in ["outlet", "inbox.main"] {
            let error = with(table, "mx.example.org", "none", user).expect_err("in the clear");
            assert!(error.contains(table) && error.contains("in the clear"), "{error}");
            for (host, tls) in [
                ("localhost", "none"),
                ("127.0.0.1", "none"),
                ("::1", "none"),
                ("mx.example.org", "starttls"),
            ] {
                with(table, host, tls, user).unwrap_or_else(|e| panic!("{table} {host}: {e}"));
            }
        }
        with("outlet", "mx.example.org", "none", "").expect("no password is sent");
    }
}
