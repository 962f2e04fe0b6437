//! An inbox over IMAP: TLS of our own, IDLE or polling, moves by UID after the
//! commit.
//!
//! The client is blocking and keeps no promise after an error, so any error but
//! a plain NO drops the connection; the next call opens a new one with back-off.

mod probe;

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use imap::extensions::idle::{SetReadTimeout, stop_on_any};
use imap::types::{Fetch, UnsolicitedResponse};
use jiff::{SignedDuration, Timestamp};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

use super::trouble::{Step, Trouble};
use super::{Folder, Inbox, InboxError, RawMessage};
use crate::account::{Login, TlsMode};
use base::stop::Stop;

pub use probe::{Found, Probe};

/// Limit of any read, so that a half-dead link is noticed.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// IDLE is begun anew long before servers end it (RFC 2177: 29 minutes), and
/// before a server's keep-alive lines restart the timeout for ever.
const IDLE_MAX: Duration = Duration::from_secs(100);
/// Messages of one fetch; whole answers are held in memory.
const BATCH: usize = 50;
/// Waits between attempts to connect.
const BACKOFF: [u64; 6] = [1, 2, 5, 15, 30, 60];

/// Where and how to log in.
#[derive(Debug, Clone)]
pub struct ImapAccount {
    pub name: String,
    pub host: String,
    pub port: u16,
    pub tls: TlsMode,
    pub ca_file: Option<PathBuf>,
    pub login: Login,
    pub folder: String,
    pub bytes_max: u64,
    pub poll: Duration,
}

/// A line to a server that is not a socket, such as one of a simulation.
pub trait Line: Read + Write + Send {}

impl<T: Read + Write + Send> Line for T {}

/// How a server is reached.
enum Way {
    Socket(Arc<ClientConfig>),
    Other(Dial),
}

/// Opens such a line.
pub type Dial = Box<dyn Fn() -> io::Result<Box<dyn Line>> + Send>;

/// A stream with or without TLS, whose timeout can be set but not removed.
enum Stream {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
    Other(Box<dyn Line>),
}

impl Stream {
    fn tcp(&self) -> Option<&TcpStream> {
        match self {
            Self::Plain(tcp) => Some(tcp),
            Self::Tls(tls) => Some(&tls.sock),
            Self::Other(_) => None,
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(tcp) => tcp.read(buf),
            Self::Tls(tls) => tls.read(buf),
            Self::Other(line) => line.read(buf),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(tcp) => tcp.write(buf),
            Self::Tls(tls) => tls.write(buf),
            Self::Other(line) => line.write(buf),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(tcp) => tcp.flush(),
            Self::Tls(tls) => tls.flush(),
            Self::Other(line) => line.flush(),
        }
    }
}

impl SetReadTimeout for Stream {
    fn set_read_timeout(&mut self, timeout: Option<Duration>) -> imap::error::Result<()> {
        // The client removes the timeout after IDLE; ours always stays.
        let timeout = timeout.unwrap_or(READ_TIMEOUT).max(Duration::from_millis(1));
        match self.tcp() {
            Some(tcp) => tcp.set_read_timeout(Some(timeout)).map_err(imap::Error::Io),
            // A line that is no socket has its own patience.
            None => Ok(()),
        }
    }
}

type Session = imap::Session<Stream>;

struct Open {
    session: Session,
    /// The socket, by which a wait is cut short.
    socket: Option<TcpStream>,
    uidvalidity: u32,
    idle: bool,
    can_move: bool,
}

/// An IMAP mailbox.
pub struct ImapInbox {
    account: ImapAccount,
    way: Way,
    open: Option<Open>,
    failures: usize,
}

impl ImapInbox {
    /// An inbox that connects when it is first used.
    ///
    /// # Errors
    /// [`InboxError`] when the CA file can't be read.
    pub fn new(account: ImapAccount) -> Result<Self, InboxError> {
        let tls = crate::tls::client_config(account.ca_file.as_deref())
            .map_err(|cause| InboxError { inbox: account.name.clone(), cause })?;
        Ok(Self { account, way: Way::Socket(tls), open: None, failures: 0 })
    }

    /// An inbox over lines of somebody else's, without TLS.
    pub fn over(account: ImapAccount, dial: Dial) -> Self {
        Self { account, way: Way::Other(dial), open: None, failures: 0 }
    }

    fn error(&self, cause: impl std::fmt::Display) -> InboxError {
        InboxError { inbox: self.account.name.clone(), cause: cause.to_string() }
    }

    /// Runs `act` on an open session; a failure drops the session.
    fn with<T>(
        &mut self,
        act: impl FnOnce(&mut Open, &ImapAccount) -> Result<T, String>,
    ) -> Result<T, InboxError> {
        if self.open.is_none() {
            match connect(&self.account, &self.way) {
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
        // The client panics on some answers that servers may give.
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
                Err(self.error("the server's answer was not understood"))
            }
        }
    }

    /// All messages received since an instant, those too that lie in the folders of
    /// verdicts; the key of such a one begins with the name of its folder. Nothing is
    /// changed in the mailbox.
    ///
    /// # Errors
    /// [`InboxError`] when the mailbox can't be read.
    pub fn received_since(&mut self, at: Timestamp) -> Result<Vec<RawMessage>, InboxError> {
        let found = self.with(|open, account| {
            let mut found = Vec::new();
            let folders = Folder::ALL.map(|f| (f.name().to_owned(), format!("{f}/")));
            let inbox = (account.folder.clone(), String::new());
            for (folder, name) in folders.into_iter().chain([inbox]) {
                found.extend(folder_since(&mut open.session, account, (&folder, &name), at)?);
            }
            Ok(found)
        });
        // Another folder than the inbox may be open.
        self.open = None;
        found
    }

    fn drop_session(&mut self) {
        self.failures += 1;
        self.open = None;
    }
}

fn connect(account: &ImapAccount, way: &Way) -> Result<Open, String> {
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let (client, socket) = match way {
        Way::Other(dial) => {
            let mut client = imap::Client::new(Stream::Other(dial().map_err(|e| text(&e))?));
            client.read_greeting().map_err(|e| text(&e))?;
            (client, None)
        }
        Way::Socket(tls) => {
            let (client, socket) = greeted(account, tls).map_err(|t| t.cause)?;
            (client, Some(socket))
        }
    };
    let mut session = log_in(client, &account.login)?;
    let able = session.capabilities().map_err(|e| text(&e))?;
    let (idle, can_move) = (able.has_str("IDLE"), able.has_str("MOVE"));
    make_folders(&mut session, &account.name)?;
    let mailbox = session.select(&account.folder).map_err(|e| text(&e))?;
    let uidvalidity = mailbox.uid_validity.ok_or("the server gives no UIDVALIDITY")?;
    Ok(Open { session, socket, uidvalidity, idle, can_move })
}

/// A connection before the login, encrypted as the config says, and its socket.
fn greeted(
    account: &ImapAccount,
    tls: &Arc<ClientConfig>,
) -> Result<(imap::Client<Stream>, TcpStream), Trouble> {
    let tcp = reached(&account.host, account.port).map_err(Trouble::at(Step::Connect))?;
    let socket = tcp.try_clone().map_err(Trouble::at(Step::Connect))?;
    let encrypted = |mut tcp: TcpStream| -> Result<Stream, String> {
        let name = ServerName::try_from(account.host.clone()).map_err(|e| e.to_string())?;
        let mut tls = ClientConnection::new(Arc::clone(tls), name).map_err(|e| e.to_string())?;
        // Here and not with the first command, so that it is known what failed.
        tls.complete_io(&mut tcp).map_err(|e| e.to_string())?;
        Ok(Stream::Tls(Box::new(StreamOwned::new(tls, tcp))))
    };
    let of_tls = Trouble::at(Step::Tls);
    let (stream, greeted) = match account.tls {
        TlsMode::Implicit => (encrypted(tcp).map_err(of_tls)?, false),
        TlsMode::Starttls => (start_tls(tcp).and_then(encrypted).map_err(of_tls)?, true),
        TlsMode::None => (Stream::Plain(tcp), false),
    };
    let mut client = imap::Client::new(stream);
    if !greeted {
        client.read_greeting().map_err(Trouble::at(Step::Connect))?;
    }
    Ok((client, socket))
}

fn reached(host: &str, port: u16) -> Result<TcpStream, String> {
    let text = |e: io::Error| e.to_string();
    let found = (host, port).to_socket_addrs().map_err(text)?.next();
    let found = found.ok_or_else(|| format!("{host} has no address"))?;
    let tcp = TcpStream::connect_timeout(&found, Duration::from_secs(20)).map_err(text)?;
    tcp.set_nodelay(true).map_err(text)?;
    tcp.set_read_timeout(Some(READ_TIMEOUT)).map_err(text)?;
    tcp.set_write_timeout(Some(READ_TIMEOUT)).map_err(text)?;
    Ok(tcp)
}

/// What a SASL mechanism sends when it is asked first; an error of the server is
/// answered with nothing, as RFC 7628 §3.2.3 has it.
struct Sasl(String);

impl imap::Authenticator for Sasl {
    type Response = String;
    fn process(&self, challenge: &[u8]) -> String {
        if challenge.is_empty() { self.0.clone() } else { String::new() }
    }
}

/// LOGIN, PLAIN where the server forbids it, XOAUTH2 with a token.
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

/// Makes the folders of verdicts that are missing. Without one, mails stay in the
/// inbox; their verdicts stand all the same.
fn make_folders(session: &mut Session, inbox: &str) -> Result<(), String> {
    let text = |e: imap::Error| e.to_string();
    for folder in Folder::ALL {
        let listed = session.list(Some(""), Some(folder.name())).map_err(text)?;
        if listed.iter().next().is_some() {
            continue;
        }
        match session.create(folder.name()) {
            Ok(()) => {}
            Err(imap::Error::No(no)) => {
                let why = no.to_string();
                tracing::warn!(inbox, folder = folder.name(), why, "this folder can't be made");
            }
            Err(e) => return Err(text(e)),
        }
    }
    Ok(())
}

/// The UIDs of all messages.
///
/// A server may tell of a message that came during the search with its answer, where the message
/// itself is not yet in. It tells once: IDLE would say nothing of it, and the mail would lie until
/// the next round. So the search is done again until nothing came meanwhile.
fn search(session: &mut Session) -> imap::error::Result<Vec<u32>> {
    loop {
        // What was told before the search is in its answer.
        drop(session.take_all_unsolicited());
        let uids = session.uid_search("UNDELETED")?;
        let came = |told: UnsolicitedResponse| matches!(told, UnsolicitedResponse::Exists(_));
        if !session.take_all_unsolicited().any(came) {
            return Ok(uids.into_iter().collect());
        }
    }
}

/// STARTTLS by hand (RFC 9051 §6.2.1): the client has no command for it. Bytes
/// that come with the answer would be plain text passed off as encrypted, so
/// the answer is read a byte at a time.
fn start_tls(mut tcp: TcpStream) -> Result<TcpStream, String> {
    let line = |tcp: &mut TcpStream| -> Result<String, String> {
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

    fn fetch(&mut self, skip: &dyn Fn(&str) -> bool) -> Result<Vec<RawMessage>, InboxError> {
        self.with(|open, account| {
            let mut found = Vec::new();
            let text = |e: imap::Error| e.to_string();
            // Also makes the server tell of messages that came since.
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
            for folder in Folder::ALL {
                let of_folder = moves.iter().filter(|(_, f)| *f == folder);
                let uids: Vec<u32> =
                    of_folder.filter_map(|(key, _)| uid_of(key, open.uidvalidity)).collect();
                if uids.is_empty() {
                    continue;
                }
                let (set, text) = (join(&uids), |e: imap::Error| e.to_string());
                if open.can_move {
                    open.session.uid_mv(set, folder.name()).map_err(text)?;
                } else {
                    open.session.uid_copy(&set, folder.name()).map_err(text)?;
                    open.session.uid_store(&set, "+FLAGS.SILENT (\\Deleted)").map_err(text)?;
                    open.session.uid_expunge(&set).map_err(text)?;
                }
            }
            Ok(())
        })
    }

    fn wait(&mut self, at_most: Duration, stop: &Stop) -> Result<(), InboxError> {
        if self.failures > 0 {
            let seconds = BACKOFF[(self.failures - 1).min(BACKOFF.len() - 1)];
            // A deadline is no reason to storm a server that refuses.
            stop.wait(Duration::from_secs(seconds));
            return Ok(());
        }
        let idle = self.open.as_ref().is_some_and(|o| o.idle);
        if !idle {
            stop.wait(at_most.min(self.account.poll));
            return Ok(());
        }
        let limit = at_most.min(IDLE_MAX).max(Duration::from_millis(50));
        let socket = self.open.as_ref().and_then(|o| o.socket.as_ref()?.try_clone().ok());
        // IDLE listens to nothing but its line.
        let _cut = stop.then(move || {
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

/// One message with its text; `None` when it is gone meanwhile: another client moved or
/// deleted it.
fn message(
    session: &mut Session,
    account: &ImapAccount,
    key: String,
    (uid, size, received_at): (u32, u64, Timestamp),
) -> Result<Option<RawMessage>, String> {
    // Over the limit only the start is fetched: enough for an answer.
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
    }))
}

/// Messages of a folder since an instant, under keys that begin with `name`.
fn folder_since(
    session: &mut Session,
    account: &ImapAccount,
    (folder, name): (&str, &str),
    at: Timestamp,
) -> Result<Vec<RawMessage>, String> {
    let text = |e: imap::Error| e.to_string();
    let validity = session.examine(folder).map_err(text)?.uid_validity.unwrap_or_default();
    // A search knows whole days, in the server's own zone.
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

/// The UID of a key of this mailbox generation.
fn uid_of(key: &str, uidvalidity: u32) -> Option<u32> {
    let (validity, uid) = key.split_once('/')?;
    (validity.parse() == Ok(uidvalidity)).then(|| uid.parse().ok()).flatten()
}

/// Unsolicited rows have no UID and are skipped.
fn row(fetch: &Fetch) -> Option<(u32, u64, Timestamp)> {
    let received = fetch.internal_date()?.timestamp();
    Some((fetch.uid?, u64::from(fetch.size?), Timestamp::from_second(received).ok()?))
}
