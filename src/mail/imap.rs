//! An inbox over IMAP (RFC 9051) with our own TLS, IDLE or polling, and moves by UID after the
//! commit.
//!
//! The client library blocks, and its state is undefined after an error. So an error
//! drops the connection, and the next call opens a new one, with growing delays.

mod probe;
mod stream;

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use imap::extensions::idle::stop_on_any;
use imap::types::{Fetch, UnsolicitedResponse};
use jiff::{SignedDuration, Timestamp};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

use super::claim::{self, Claim};
use stream::{Line, Stream, Way};

use super::connect::{ConnectError, Step, one_line};
use super::{Folder, Inbox, InboxError, RawMessage};
use crate::account::{Login, TlsMode};
use base::cancel::Cancel;

pub use probe::{Found, Probe};

/// Time limit of any read, so that a connection whose other end has died is noticed.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest IDLE. Servers may end it after 30 minutes (RFC 2177 §3). A server's keep-alive lines
/// restart the read timeout, so IDLE would never end by itself.
const IDLE_MAX: Duration = Duration::from_secs(100);
/// Octets that are fetched of a message over the size limit; the query below has the same number.
const START: u64 = 65_536;
/// Messages of one fetch; the client holds whole answers in memory.
const BATCH: usize = 50;
/// The client panics on some answers that servers may give; this is treated as an error like any
/// other.
const NOT_UNDERSTOOD: &str = "the server's answer was not understood";
/// Seconds between attempts to connect; the last value repeats.
const BACKOFF: [u64; 6] = [1, 2, 5, 15, 30, 60];

/// A mailbox and how to log in there.
#[derive(Debug, Clone)]
pub struct ImapAccount {
    /// Name of the inbox in the config.
    pub name: String,
    /// Name of the server; its certificate must be for this name.
    pub host: String,
    /// TCP port of the server.
    pub port: u16,
    /// How the connection is encrypted.
    pub tls: TlsMode,
    /// PEM file with the certificate authorities to trust; `None`: the system's.
    pub ca_file: Option<PathBuf>,
    /// The account to log in with.
    pub login: Login,
    /// Folder that new mail arrives in, such as `INBOX`.
    pub folder: String,
    /// Size in octets above which only the start of a message is fetched.
    pub bytes_max: u64,
    /// Time between looks at a server without IDLE.
    pub poll: Duration,
}

/// A byte stream to a server. Callers may bring their own, such as a simulated one.
pub trait Transport: Read + Write + Send {}

impl<T: Read + Write + Send> Transport for T {}

/// How a server is reached.
enum Route {
    /// By TCP, with TLS as the account says.
    Tcp(Arc<ClientConfig>),
    /// By transports that the caller opens, without TLS.
    Custom(Connector),
}

/// Opens a transport to a server.
pub type Connector = Box<dyn Fn() -> io::Result<Box<dyn Transport>> + Send>;

type Session = imap::Session<Stream>;

/// A session with the inbox's folder selected.
struct Mailbox {
    session: Session,
    /// The socket of the session; shutting it down ends an IDLE.
    socket: Option<TcpStream>,
    /// The mailbox generation: UIDs are valid within it (RFC 9051 §2.3.1.1).
    uidvalidity: u32,
    /// Whether the server can IDLE (RFC 2177).
    idle: bool,
    /// Whether the server can MOVE (RFC 6851).
    can_move: bool,
    /// Whether this session has confirmed that the mailbox belongs to the store.
    claimed: bool,
}

/// An inbox over IMAP.
pub struct ImapInbox {
    account: ImapAccount,
    route: Route,
    open: Option<Mailbox>,
    /// Failures in a row, for the delay before the next attempt.
    failures: usize,
    /// Time limit of any read.
    patience: Duration,
}

impl ImapInbox {
    /// An inbox that connects on first use.
    ///
    /// # Errors
    /// [`InboxError`] when the CA file can't be read.
    pub fn new(account: ImapAccount) -> Result<Self, InboxError> {
        let tls = crate::tls::client_config(account.ca_file.as_deref())
            .map_err(|cause| InboxError { inbox: account.name.clone(), cause })?;
        Ok(Self::by(account, Route::Tcp(tls)))
    }

    /// An inbox over transports that `connector` opens, without TLS.
    pub fn with_connector(account: ImapAccount, connector: Connector) -> Self {
        Self::by(account, Route::Custom(connector))
    }

    fn by(account: ImapAccount, route: Route) -> Self {
        Self { account, route, open: None, failures: 0, patience: READ_TIMEOUT }
    }

    /// Sets another time limit for any read; the default is a minute. A whole answer may take five
    /// times as long.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    fn error(&self, cause: impl std::fmt::Display) -> InboxError {
        InboxError { inbox: self.account.name.clone(), cause: one_line(&cause.to_string()) }
    }

    /// Runs `act` on an open session, which it opens if there is none. A failure drops
    /// the session.
    fn with<T>(
        &mut self,
        act: impl FnOnce(&mut Mailbox, &ImapAccount) -> Result<T, String>,
    ) -> Result<T, InboxError> {
        if self.open.is_none() {
            let (account, route, patience) = (&self.account, &self.route, self.patience);
            let opened = catch_unwind(AssertUnwindSafe(|| connect(account, route, patience)));
            match opened.unwrap_or_else(|_| Err(NOT_UNDERSTOOD.to_owned())) {
                Ok(open) => {
                    let (idle, failures) = (open.idle, self.failures);
                    tracing::info!(inbox = self.account.name, idle, failures, "connected");
                    self.open = Some(open);
                }
                Err(cause) => {
                    self.failures += 1;
                    return Err(self.error(cause));
                }
            }
        }
        let account = self.account.clone();
        let Some(open) = self.open.as_mut() else { return Err(self.error("not connected")) };
        let done = catch_unwind(AssertUnwindSafe(|| act(open, &account)));
        match done {
            Ok(Ok(value)) => {
                self.failures = 0;
                Ok(value)
            }
            Ok(Err(cause)) => {
                self.drop_session();
                Err(self.error(cause))
            }
            Err(_) => {
                self.drop_session();
                Err(self.error(NOT_UNDERSTOOD))
            }
        }
    }

    /// All messages received at `at` or later, including those in the folders of
    /// verdicts. The key of a message in such a folder begins with the name of the folder.
    /// The mailbox is not changed.
    ///
    /// # Errors
    /// [`InboxError`] when the mailbox can't be read.
    pub fn received_since(&mut self, at: Timestamp) -> Result<Vec<RawMessage>, InboxError> {
        let found = self.with(|open, account| {
            let mut found = Vec::new();
            let folders = Folder::ALL.map(|f| (f.as_str().to_owned(), format!("{f}/")));
            let inbox = (account.folder.clone(), String::new());
            for (folder, name) in folders.into_iter().chain([inbox]) {
                found.extend(folder_since(&mut open.session, account, (&folder, &name), at)?);
            }
            Ok(found)
        });
        // The session may have another folder open than the inbox.
        self.open = None;
        found
    }

    /// The wait before the next attempt to connect; `None`: the last one did not fail.
    pub fn pause(&self) -> Option<Duration> {
        let row = self.failures.checked_sub(1)?;
        Some(Duration::from_secs(BACKOFF[row.min(BACKOFF.len() - 1)]))
    }

    fn drop_session(&mut self) {
        self.failures += 1;
        self.open = None;
    }
}

/// Connects, logs in, makes missing folders and selects the inbox's folder.
fn connect(account: &ImapAccount, route: &Route, patience: Duration) -> Result<Mailbox, String> {
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let (client, socket) = match route {
        Route::Custom(connector) => {
            let way = Way::Custom(connector().map_err(|e| text(&e))?);
            let mut client = imap::Client::new(Stream::new(way, account));
            client.read_greeting().map_err(|e| text(&e))?;
            (client, None)
        }
        Route::Tcp(tls) => {
            let (client, socket) = connect_client(account, tls, patience).map_err(|t| t.cause)?;
            (client, Some(socket))
        }
    };
    let mut session = log_in(client, &account.login)?;
    let able = session.capabilities().map_err(|e| text(&e))?;
    let (idle, can_move) = (able.has_str("IDLE"), able.has_str("MOVE"));
    make_folders(&mut session, &account.name)?;
    let mailbox = session.select(&account.folder).map_err(|e| text(&e))?;
    let uidvalidity = mailbox.uid_validity.ok_or("the server gives no UIDVALIDITY")?;
    Ok(Mailbox { session, socket, uidvalidity, idle, can_move, claimed: false })
}

/// Connects as far as the login: the greeting is read, and the connection is encrypted as
/// the config says. Returns the client and its socket.
fn connect_client(
    account: &ImapAccount,
    tls: &Arc<ClientConfig>,
    patience: Duration,
) -> Result<(imap::Client<Stream>, TcpStream), ConnectError> {
    let tcp = connect_tcp(&account.host, account.port).map_err(ConnectError::at(Step::Connect))?;
    let socket = tcp.try_clone().map_err(ConnectError::at(Step::Connect))?;
    let line = Line::new(tcp, patience);
    let encrypted = |mut line: Line| -> Result<Way, String> {
        let name = ServerName::try_from(account.host.clone()).map_err(|e| e.to_string())?;
        let mut tls = ClientConnection::new(Arc::clone(tls), name).map_err(|e| e.to_string())?;
        // The handshake happens here, not with the first command, so that we can tell
        // which step failed.
        tls.complete_io(&mut line).map_err(|e| e.to_string())?;
        Ok(Way::Tls(Box::new(StreamOwned::new(tls, line))))
    };
    let of_tls = ConnectError::at(Step::Tls);
    let (way, greeted) = match account.tls {
        TlsMode::Implicit => (encrypted(line).map_err(of_tls)?, false),
        TlsMode::Starttls => (start_tls(line).and_then(encrypted).map_err(of_tls)?, true),
        TlsMode::None => (Way::Plain(line), false),
    };
    let mut client = imap::Client::new(Stream::new(way, account));
    if !greeted {
        client.read_greeting().map_err(ConnectError::at(Step::Connect))?;
    }
    Ok((client, socket))
}

fn connect_tcp(host: &str, port: u16) -> Result<TcpStream, String> {
    let text = |e: io::Error| e.to_string();
    let found = (host, port).to_socket_addrs().map_err(text)?.next();
    let found = found.ok_or_else(|| format!("{host} has no address"))?;
    let tcp = TcpStream::connect_timeout(&found, Duration::from_secs(20)).map_err(text)?;
    tcp.set_nodelay(true).map_err(text)?;
    tcp.set_write_timeout(Some(READ_TIMEOUT)).map_err(text)?;
    Ok(tcp)
}

/// A SASL mechanism that sends one response. A later challenge is an error of the server
/// and gets an empty response (RFC 7628 §3.2.3).
struct Sasl(String);

impl imap::Authenticator for Sasl {
    type Response = String;
    fn process(&self, challenge: &[u8]) -> String {
        if challenge.is_empty() { self.0.clone() } else { String::new() }
    }
}

/// Logs in: by LOGIN, by PLAIN where the server disables LOGIN, by XOAUTH2 with a token.
fn log_in(mut client: imap::Client<Stream>, login: &Login) -> Result<Session, String> {
    let (user, secret) = (&login.user, login.secret.read()?);
    if login.token {
        let first = Sasl(format!("user={user}\x01auth=Bearer {secret}\x01\x01"));
        return client.authenticate("XOAUTH2", &first).map_err(|(e, _)| e.to_string());
    }
    let able = client.capabilities().map_err(|e| e.to_string())?;
    let plain = able.has_str("LOGINDISABLED") && able.has_str("AUTH=PLAIN");
    let session = match plain {
        true => client.authenticate("PLAIN", &Sasl(format!("\0{user}\0{secret}"))),
        false => client.login(user, secret),
    };
    session.map_err(|(e, _)| e.to_string())
}

/// Makes missing folders of verdicts. If the server refuses one, its mails stay in the inbox; their
/// verdicts hold all the same.
fn make_folders(session: &mut Session, inbox: &str) -> Result<(), String> {
    let text = |e: imap::Error| e.to_string();
    for folder in Folder::ALL {
        match make_folder(session, folder.as_str()) {
            Ok(_) => {}
            Err(imap::Error::No(no)) => {
                let why = no.to_string();
                tracing::warn!(inbox, folder = folder.as_str(), why, "this folder can't be made");
            }
            Err(e) => return Err(text(e)),
        }
    }
    Ok(())
}

/// Makes a folder unless it exists. Returns whether it was missing.
fn make_folder(session: &mut Session, folder: &str) -> imap::error::Result<bool> {
    let there = |session: &mut Session| {
        session.list(Some(""), Some(folder)).map(|listed| listed.iter().next().is_some())
    };
    if there(session)? {
        return Ok(false);
    }
    match session.create(folder) {
        // Another session made it in between: a robot starts while `doctor` looks.
        Err(imap::Error::No(_)) if there(session)? => Ok(false),
        made => made.map(|()| true),
    }
}

/// The marks of stores in a mailbox.
fn marks(session: &mut Session) -> imap::error::Result<Vec<String>> {
    let listed = session.list(Some(""), Some(claim::PATTERN))?;
    let names = listed.iter().map(|folder| folder.name().to_owned());
    Ok(names.filter(|name| claim::is_mark(name)).collect())
}

/// Claims the mailbox for the store with this mark.
fn claim_mailbox(session: &mut Session, account: &ImapAccount, mark: &str) -> Result<(), String> {
    let text = |e: imap::Error| e.to_string();
    // The second look sees our own mark, and any mark that was made at the same instant.
    for _ in 0..2 {
        match claim::judge(mark, &marks(session).map_err(text)?) {
            Claim::Held => break,
            Claim::Free => match make_folder(session, mark) {
                Ok(_) => {}
                Err(imap::Error::No(no)) => {
                    let (inbox, why) = (&account.name, no.to_string());
                    tracing::warn!(inbox, folder = mark, why, "this folder can't be made");
                    return Ok(());
                }
                Err(e) => return Err(text(e)),
            },
            Claim::Taken(other) => {
                // Our mark exists only if both were made at the same instant.
                let _ = session.delete(mark);
                return Err(claim::advice(&other));
            }
        }
    }
    Ok(())
}

/// The UIDs of all messages that are not marked as deleted.
///
/// A server may announce a message that arrives during the search, and yet leave it out of the
/// result. It announces it only once, so IDLE would not report it again, and the mail would wait
/// for the next round. So the search is repeated until nothing has arrived meanwhile.
fn search(session: &mut Session) -> imap::error::Result<Vec<u32>> {
    loop {
        // Messages that were announced before the search are in its result.
        drop(session.take_all_unsolicited());
        let uids = session.uid_search("UNDELETED")?;
        let arrived = |r: UnsolicitedResponse| matches!(r, UnsolicitedResponse::Exists(_));
        if !session.take_all_unsolicited().any(arrived) {
            return Ok(uids.into_iter().collect());
        }
    }
}

/// STARTTLS by hand (RFC 9051 §6.2.1): the client has no command for it. Bytes after the answer
/// would be plain text that passes for encrypted text, so the answer is read byte by byte and no
/// further.
fn start_tls(mut tcp: Line) -> Result<Line, String> {
    let line = |tcp: &mut Line| -> Result<String, String> {
        let mut line = Vec::new();
        while !line.ends_with(b"\r\n") && line.len() < 4000 {
            let mut byte = [0];
            tcp.read_exact(&mut byte).map_err(|e| e.to_string())?;
            line.push(byte[0]);
        }
        Ok(String::from_utf8_lossy(&line).into_owned())
    };
    let greeting = line(&mut tcp)?;
    if !greeting.starts_with("* OK") {
        return Err("the server does not greet with OK".to_owned());
    }
    tcp.write_all(b"s1 STARTTLS\r\n").map_err(|e| e.to_string())?;
    let answer = line(&mut tcp)?;
    match answer.starts_with("s1 OK") {
        true => Ok(tcp),
        false => Err("the server offers no STARTTLS; nothing was sent in the clear".to_owned()),
    }
}

impl Inbox for ImapInbox {
    fn name(&self) -> &str {
        &self.account.name
    }

    fn claim(&mut self, mark: &str) -> Result<(), InboxError> {
        self.with(|open, account| {
            if !open.claimed {
                claim_mailbox(&mut open.session, account, mark)?;
                open.claimed = true;
            }
            Ok(())
        })
    }

    fn fetch(&mut self, skip: &dyn Fn(&str) -> bool) -> Result<Vec<RawMessage>, InboxError> {
        self.with(|open, account| {
            let mut found = Vec::new();
            let text = |e: imap::Error| e.to_string();
            // NOOP also makes the server announce new messages (RFC 9051 §6.1.2).
            open.session.noop().map_err(text)?;
            let mut uids = search(&mut open.session).map_err(text)?;
            uids.sort_unstable();
            let key = |uid: u32| format!("{}/{uid}", open.uidvalidity);
            uids.retain(|uid| !skip(&key(*uid)));
            uids.truncate(BATCH);
            if uids.is_empty() {
                return Ok(found);
            }
            let sizes = open
                .session
                .uid_fetch(join(&uids), "(UID RFC822.SIZE INTERNALDATE)")
                .map_err(text)?;
            let rows: Vec<(u32, u64, Timestamp)> = sizes.iter().filter_map(row).collect();
            for row in rows {
                found.extend(message(&mut open.session, account, key(row.0), row)?);
            }
            found.sort_by_key(|m| m.received_at);
            Ok(found)
        })
    }

    fn file(&mut self, moves: &[(String, Folder)]) -> Result<(), InboxError> {
        let moves = moves.to_vec();
        self.with(|open, _| {
            for folder in Folder::ALL.into_iter().chain([Folder::Removed]) {
                let of_folder = moves.iter().filter(|(_, f)| *f == folder);
                let uids: Vec<u32> =
                    of_folder.filter_map(|(key, _)| uid_of(key, open.uidvalidity)).collect();
                if uids.is_empty() {
                    continue;
                }
                let (set, text) = (join(&uids), |e: imap::Error| e.to_string());
                if open.can_move && folder != Folder::Removed {
                    open.session.uid_mv(set, folder.as_str()).map_err(text)?;
                } else {
                    if folder != Folder::Removed {
                        open.session.uid_copy(&set, folder.as_str()).map_err(text)?;
                    }
                    open.session.uid_store(&set, "+FLAGS.SILENT (\\Deleted)").map_err(text)?;
                    open.session.uid_expunge(&set).map_err(text)?;
                }
            }
            Ok(())
        })
    }

    fn wait(&mut self, timeout: Duration, cancel: &Cancel) -> Result<(), InboxError> {
        if let Some(pause) = self.pause() {
            // The delay ignores `timeout`: even a near deadline must not flood a server
            // that refuses us.
            cancel.wait(pause);
            return Ok(());
        }
        let idle = self.open.as_ref().is_some_and(|o| o.idle);
        if !idle {
            cancel.wait(timeout.min(self.account.poll));
            return Ok(());
        }
        let limit = timeout.min(IDLE_MAX).max(Duration::from_millis(50));
        let socket = self.open.as_ref().and_then(|o| o.socket.as_ref()?.try_clone().ok());
        // IDLE only reads its socket, so cancelling shuts the socket down.
        let _guard = cancel.on_cancel(move || {
            let _ = socket.as_ref().map(|s| s.shutdown(Shutdown::Both));
        });
        self.with(|open, account| {
            let mut handle = open.session.idle();
            handle.timeout(limit).keepalive(false);
            let woken = handle.wait_while(stop_on_any).map_err(|e| e.to_string())?;
            if woken == imap::extensions::idle::WaitOutcome::MailboxChanged {
                tracing::debug!(inbox = account.name, "noticed");
            }
            Ok(())
        })
    }
}

/// Fetches one message. `None`: another client has moved or deleted it meanwhile.
fn message(
    session: &mut Session,
    account: &ImapAccount,
    key: String,
    (uid, size, received_at): (u32, u64, Timestamp),
) -> Result<Option<RawMessage>, String> {
    // Only the start is fetched of a message over the limit, which is enough for an answer.
    let part = match size > account.bytes_max {
        true => "BODY.PEEK[]<0.65536>",
        false => "BODY.PEEK[]",
    };
    let query = format!("(UID {part})");
    let answer = session.uid_fetch(uid.to_string(), query).map_err(|e| e.to_string())?;
    let body = answer.iter().find(|f| f.uid == Some(uid)).and_then(Fetch::body);
    Ok(body.map(|bytes| RawMessage {
        source: account.name.clone(),
        key,
        received_at,
        bytes: bytes.to_vec(),
        size,
        authenticity: Default::default(),
        checked_from: String::new(),
    }))
}

/// The messages of a folder received at `at` or later; their keys begin with `name`.
fn folder_since(
    session: &mut Session,
    account: &ImapAccount,
    (folder, name): (&str, &str),
    at: Timestamp,
) -> Result<Vec<RawMessage>, String> {
    let text = |e: imap::Error| e.to_string();
    let validity = session.examine(folder).map_err(text)?.uid_validity.unwrap_or_default();
    // SINCE takes whole days in the server's zone (RFC 9051 §6.4.4), so we search from a
    // day earlier and filter below.
    let day = (at - SignedDuration::from_hours(24)).strftime("%d-%b-%Y");
    let uids = session.uid_search(format!("UNDELETED SINCE {day}")).map_err(text)?;
    let mut uids: Vec<u32> = uids.into_iter().collect();
    uids.sort_unstable();
    let mut found = Vec::new();
    for some in uids.chunks(BATCH) {
        let query = "(UID RFC822.SIZE INTERNALDATE)";
        let sizes = session.uid_fetch(join(some), query).map_err(text)?;
        let rows: Vec<(u32, u64, Timestamp)> = sizes.iter().filter_map(row).collect();
        for row in rows.into_iter().filter(|r| r.2 >= at) {
            let key = format!("{name}{validity}/{}", row.0);
            found.extend(message(session, account, key, row)?);
        }
    }
    Ok(found)
}

fn join(uids: &[u32]) -> String {
    uids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// The UID in a key; `None`: the key is from another mailbox generation.
fn uid_of(key: &str, uidvalidity: u32) -> Option<u32> {
    let (validity, uid) = key.split_once('/')?;
    (validity.parse() == Ok(uidvalidity)).then(|| uid.parse().ok()).flatten()
}

/// UID, size and INTERNALDATE of a fetched row. Unsolicited rows have no UID or no size and give
/// `None`. An invalid date becomes the earliest possible one, which the caller may correct.
fn row(fetch: &Fetch) -> Option<(u32, u64, Timestamp)> {
    let (uid, size) = (fetch.uid?, u64::from(fetch.size?));
    let received = fetch.internal_date().and_then(|d| Timestamp::from_second(d.timestamp()).ok());
    Some((uid, size, received.unwrap_or(Timestamp::MIN)))
}
