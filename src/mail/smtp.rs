//! An outlet over SMTP (RFC 5321) with TLS, AUTH and a few connections that stay open. Each mail
//! has one recipient.
//!
//! The streams are opened here, with TCP_NODELAY: the library's pool does not set it, and each
//! small mail would then wait for a delayed acknowledgement.

mod stream;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream};
use lettre::transport::smtp::commands::{Data, Ehlo, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, MailParameter, RcptParameter};
use lettre::transport::smtp::response::Response;
use tokio::net::TcpStream;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::{Instant, sleep_until, timeout};

use stream::Limited;

use super::connect::{ConnectError, Step, one_line};
use super::{OutgoingMail, SendResult};
use crate::account::{Login, TlsMode};
use crate::dsn::has_size_code;

/// Time limit of one mail, one login or one probe; RFC 5321 §4.5.3.2 allows servers
/// minutes.
const STEP_MAX: Duration = Duration::from_secs(120);

/// The server that sends our mail, and how to log in there.
#[derive(Debug, Clone)]
pub struct SmtpAccount {
    /// Name of the server; its certificate must be for this name.
    pub host: String,
    /// TCP port of the server.
    pub port: u16,
    /// How the connection is encrypted.
    pub tls: TlsMode,
    /// PEM file with the certificate authorities to trust; `None`: the system's.
    pub ca_file: Option<PathBuf>,
    /// The account to log in with; `None`: the server wants no AUTH.
    pub login: Option<Login>,
    /// Connections that may be open at a time.
    pub connections: usize,
    /// Mails that may leave within a minute; `None`: no limit.
    pub per_minute: Option<u32>,
}

/// An open connection and what its server offers.
struct Connection {
    client: AsyncSmtpConnection,
    /// Octets of the largest mail (SIZE, RFC 1870); `None`: the server names no limit.
    size_max: Option<usize>,
    /// Whether we can decline delivery reports (DSN, RFC 3461).
    dsn: bool,
    /// Whether addresses may have letters beyond ASCII (SMTPUTF8, RFC 6531).
    utf8: bool,
}

/// Why a mail did not leave, with the server's text.
enum Failed {
    /// The server refuses this mail or its recipient for good.
    Recipient(String),
    /// The mail is larger than the server takes.
    TooLarge(Option<usize>, String),
    /// The server can't do what the mail needs.
    Unable(String),
    /// The failure is not the mail's fault, or may pass. The connection stays usable.
    Later(String),
    /// The connection is no longer usable.
    Broken(String),
}

/// Opens a transport to a server that is not reached by TCP, such as a simulated one.
pub type Connector = Box<dyn Fn() -> std::io::Result<Box<dyn AsyncTokioStream>> + Send + Sync>;

/// How a server is reached.
enum Route {
    /// By TCP, with TLS as the account says.
    Tcp(Arc<rustls::ClientConfig>),
    /// By transports that the caller opens, without TLS.
    Custom(Connector),
}

/// Sends mail over SMTP.
pub struct SmtpOutlet {
    account: SmtpAccount,
    route: Route,
    /// Open connections that no mail is using.
    idle: Mutex<Vec<Connection>>,
    /// One permit for each connection that may be open.
    places: Semaphore,
    /// When the next mail may leave.
    pace: Mutex<Option<Instant>>,
    /// Time limit of one mail, one login or one probe.
    step_max: Duration,
}

impl SmtpOutlet {
    /// An outlet that connects when it sends its first mail.
    ///
    /// # Errors
    /// A sentence for the game master when the CA file can't be read.
    pub fn new(account: SmtpAccount) -> Result<Self, String> {
        let tls = crate::tls::client_config(account.ca_file.as_deref())?;
        Ok(Self::by(account, Route::Tcp(tls)))
    }

    /// An outlet over transports that `connector` opens, without TLS.
    pub fn with_connector(account: SmtpAccount, connector: Connector) -> Self {
        Self::by(SmtpAccount { tls: TlsMode::None, ..account }, Route::Custom(connector))
    }

    fn by(account: SmtpAccount, route: Route) -> Self {
        let places = Semaphore::new(account.connections.max(1));
        let (idle, pace) = (Mutex::new(Vec::new()), Mutex::new(None));
        Self { account, route, idle, places, pace, step_max: STEP_MAX }
    }

    /// Sets another time limit for one mail, one login or one check of a connection; the default is
    /// two minutes.
    #[must_use]
    pub fn with_patience(self, step_max: Duration) -> Self {
        Self { step_max, ..self }
    }

    /// Sends one mail to its one recipient. With `quiet` the server is asked for no delivery report
    /// (NOTIFY=NEVER, RFC 3461 §4.1).
    pub async fn send(&self, mail: &OutgoingMail, quiet: bool) -> SendResult {
        let Ok(_place) = self.places.acquire().await else {
            return SendResult::Later("the outlet is closed".to_owned());
        };
        self.keep_pace().await;
        // An idle connection may have died meanwhile; then a new one is opened.
        let kept = self.idle.lock().await.pop();
        if let Some(mut connection) = kept
            && let Ok(true) = timeout(self.step_max, connection.client.test_connected()).await
        {
            return self.send_on(connection, mail, quiet).await;
        }
        match timeout(self.step_max, self.connect()).await {
            Ok(Ok(connection)) => self.send_on(connection, mail, quiet).await,
            Ok(Err(trouble)) => {
                let (server, step) = (&self.account.host, trouble.step);
                tracing::warn!(server, ?step, why = trouble.cause, "no way to the outgoing server");
                SendResult::Later(trouble.cause)
            }
            Err(_) => SendResult::Later("the server does not answer".to_owned()),
        }
    }

    /// Waits until the provider's limit of mails per minute allows one more.
    async fn keep_pace(&self) {
        let Some(per_minute) = self.account.per_minute.filter(|n| *n > 0) else { return };
        let gap = Duration::from_secs(60) / per_minute;
        let at = {
            let mut next = self.pace.lock().await;
            let at = next.map_or_else(Instant::now, |n| n.max(Instant::now()));
            *next = Some(at + gap);
            at
        };
        sleep_until(at).await;
    }

    /// Sends a mail and keeps the connection if it is still usable.
    async fn send_on(
        &self,
        mut connection: Connection,
        mail: &OutgoingMail,
        quiet: bool,
    ) -> SendResult {
        let sent = timeout(self.step_max, converse(&mut connection, mail, quiet)).await;
        let (result, usable) = match sent {
            Ok(Ok(())) => (SendResult::Sent, true),
            Ok(Err(Failed::Recipient(why))) => (SendResult::Never(why), true),
            Ok(Err(Failed::TooLarge(most, why))) => (SendResult::TooLarge { most, why }, true),
            Ok(Err(Failed::Unable(why))) => (SendResult::Unable(why), true),
            Ok(Err(Failed::Later(why))) => (SendResult::Later(why), true),
            Ok(Err(Failed::Broken(why))) => {
                // Our own words, because the server's may quote an address.
                let server = &self.account.host;
                tracing::warn!(server, why, "the connection to the outgoing server is ended");
                (SendResult::Later(why), false)
            }
            Err(_) => (SendResult::Later("the server does not answer".to_owned()), false),
        };
        // RSET clears an unfinished mail before the next one (RFC 5321 §4.1.1.5).
        let clean = match (usable, &result) {
            (true, SendResult::Sent) => true,
            (true, _) => {
                matches!(timeout(self.step_max, connection.client.command(Rset)).await, Ok(Ok(_)))
            }
            (false, _) => false,
        };
        if clean {
            let mut idle = self.idle.lock().await;
            if idle.len() < self.account.connections {
                idle.push(connection);
            }
        }
        result
    }

    /// Connects, encrypts, logs in, and asks what the server offers.
    async fn connect(&self) -> Result<Connection, ConnectError> {
        let account = &self.account;
        let hello = ClientId::default();
        let stream = match &self.route {
            Route::Custom(connector) => {
                let line = connector().map_err(ConnectError::at(Step::Connect))?;
                Box::new(Limited::new(line))
            }
            Route::Tcp(tls) => self.open_stream(tls, &hello).await?,
        };
        let mut client = AsyncSmtpConnection::connect_with_transport(stream, &hello)
            .await
            .map_err(ConnectError::at(Step::Connect))?;
        if let Some(login) = &account.login {
            let secret = login.secret.read().map_err(ConnectError::at(Step::LogIn))?;
            let known = Credentials::new(login.user.clone(), secret);
            let mechanisms: &[Mechanism] = match login.token {
                true => &[Mechanism::Xoauth2],
                false => &[Mechanism::Plain, Mechanism::Login],
            };
            client.auth(mechanisms, &known).await.map_err(ConnectError::at(Step::LogIn))?;
        }
        // The library keeps only some of the answer to EHLO, so it is asked again.
        let offered = client.command(Ehlo::new(hello)).await;
        let offered = offered.map_err(ConnectError::at(Step::Connect))?;
        let words: Vec<String> = offered.message().map(str::to_uppercase).collect();
        let size = words.iter().find_map(|w| w.strip_prefix("SIZE "));
        Ok(Connection {
            client,
            size_max: size.and_then(|n| n.trim().parse().ok()).filter(|n| *n > 0),
            dsn: words.iter().any(|w| w == "DSN"),
            utf8: words.iter().any(|w| w == "SMTPUTF8"),
        })
    }

    /// A stream to the server, encrypted as the config says.
    async fn open_stream(
        &self,
        tls: &Arc<rustls::ClientConfig>,
        hello: &ClientId,
    ) -> Result<Box<dyn AsyncTokioStream>, ConnectError> {
        let account = &self.account;
        let of_tcp = ConnectError::at(Step::Connect);
        let tcp = TcpStream::connect((account.host.as_str(), account.port)).await;
        let tcp = tcp.map_err(&of_tcp)?;
        tcp.set_nodelay(true).map_err(&of_tcp)?;
        match account.tls {
            TlsMode::Implicit => stream::encrypted(tcp, &account.host, tls).await,
            TlsMode::Starttls => {
                stream::upgraded(tcp, &account.host, &hello.to_string(), tls).await
            }
            TlsMode::None => Ok(Box::new(Limited::new(tcp))),
        }
    }

    /// Asks whether the server would take a mail from `from` to each of `to`: connects, logs in,
    /// names sender and recipients, and quits before any text. The answer has one entry for each
    /// recipient, with the server's text if it refuses that recipient. All of it takes at most
    /// `time_limit`.
    ///
    /// # Errors
    /// [`ConnectError`] with the step that failed.
    pub async fn probe(
        &self,
        from: &str,
        to: &[&str],
        time_limit: Duration,
    ) -> Result<Vec<Result<(), String>>, ConnectError> {
        let asked = timeout(time_limit, async {
            let mut connection = self.connect().await?;
            let asked = ask(&mut connection.client, from, to).await;
            let _ = connection.client.quit().await;
            asked
        });
        asked.await.unwrap_or_else(|_| {
            let cause = "the server does not answer".to_owned();
            Err(ConnectError { step: Step::Connect, cause })
        })
    }
}

/// Names a sender and recipients, and returns the server's answer for each recipient.
async fn ask(
    client: &mut AsyncSmtpConnection,
    from: &str,
    to: &[&str],
) -> Result<Vec<Result<(), String>>, ConnectError> {
    let of_sender = ConnectError::at(Step::Sender);
    let sender: Address = from.parse().map_err(ConnectError::at(Step::Sender))?;
    client.command(Mail::new(Some(sender), Vec::new())).await.map_err(of_sender)?;
    let mut said = Vec::new();
    for to in to {
        let address: Address = to.parse().map_err(ConnectError::at(Step::Sender))?;
        let answer = client.command(Rcpt::new(address, Vec::new())).await;
        said.push(answer.map(|_| ()).map_err(|e| e.to_string()));
    }
    Ok(said)
}

/// Sends one mail over an open connection (RFC 5321 §3.3).
async fn converse(
    connection: &mut Connection,
    mail: &OutgoingMail,
    quiet: bool,
) -> Result<(), Failed> {
    let address = |a: &str| a.parse::<Address>().map_err(|e| Failed::Recipient(e.to_string()));
    let (from, to) = (address(&mail.envelope_from)?, address(&mail.to)?);
    if let Some(most) = connection.size_max.filter(|most| mail.bytes.len() > *most) {
        let own = mail.bytes.len();
        let why = format!("{own} octets are more than the {most} that the server takes");
        return Err(Failed::TooLarge(Some(most), why));
    }
    let mut of_mail = Vec::new();
    if connection.size_max.is_some() {
        of_mail.push(MailParameter::Size(mail.bytes.len()));
    }
    if !mail.to.is_ascii() {
        if !connection.utf8 {
            let why = "the server takes no addresses in other alphabets (SMTPUTF8)";
            return Err(Failed::Unable(why.to_owned()));
        }
        of_mail.push(MailParameter::SmtpUtfEight);
    }
    let mut of_recipient = Vec::new();
    if quiet && connection.dsn {
        let never = ("NOTIFY".to_owned(), Some("NEVER".to_owned()));
        of_recipient.push(RcptParameter::Other { keyword: never.0, value: never.1 });
    }
    let client = &mut connection.client;
    // An error about our sender or the session says nothing about the recipient.
    let mail_from = Mail::new(Some(from), of_mail);
    let answer = client.command(mail_from).await.map_err(|e| fault(&e, false))?;
    expect(&answer, "MAIL", &[250])?;
    let answer = client.command(Rcpt::new(to, of_recipient)).await.map_err(|e| fault(&e, true))?;
    expect(&answer, "RCPT", &[250, 251, 252])?;
    let answer = client.command(Data).await.map_err(|e| fault(&e, false))?;
    expect(&answer, "DATA", &[354])?;
    let answer = client.message(&mail.bytes).await.map_err(|e| fault(&e, true))?;
    expect(&answer, "the mail", &[250])
}

/// Checks that the answer to a command is one that belongs to it (RFC 5321 §4.3.2). After any other
/// code the two sides are out of step: the answer to the next mail would be taken as this one's.
fn expect(answer: &Response, what: &str, codes: &[u16]) -> Result<(), Failed> {
    let code = u16::from(answer.code());
    match codes.contains(&code) {
        true => Ok(()),
        false => Err(Failed::Broken(format!("the server answers {what} with {code}"))),
    }
}

/// The meaning of an error for the mail. `own`: a final refusal is only about this mail, not about
/// all our mails.
fn fault(e: &lettre::transport::smtp::Error, own: bool) -> Failed {
    let (text, status) = (one_line(&e.to_string()), e.status().map(u16::from));
    match status {
        // The invalid answer may hold anything, even an address.
        None if e.is_response() => Failed::Broken("an answer that is none".to_owned()),
        // The server closes the connection (RFC 5321 §3.8).
        None => Failed::Broken(text),
        Some(421) => Failed::Broken("the server closes the connection (421)".to_owned()),
        Some(code) if (500..600).contains(&code) && has_size_code(&text) => {
            Failed::TooLarge(None, text)
        }
        // A full mailbox may have room again (RFC 5321 §4.5.3.1.10; RFC 3463, 5.2.2).
        Some(552) => Failed::Later(text),
        Some(code) if own && (500..600).contains(&code) && !text.contains("5.2.2") => {
            Failed::Recipient(text)
        }
        Some(_) => Failed::Later(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds until `mails` mails have been tried, on a clock that otherwise stands still.
    fn seconds(per_minute: Option<u32>, mails: usize) -> u64 {
        let account = SmtpAccount {
            host: "nowhere.example".to_owned(),
            port: 25,
            tls: TlsMode::None,
            ca_file: None,
            login: None,
            connections: 1,
            per_minute,
        };
        let away: Connector = Box::new(|| Err(std::io::Error::other("away")));
        let outlet = SmtpOutlet::with_connector(account, away);
        let mail = OutgoingMail {
            to: "p@players.example".to_owned(),
            envelope_from: "robot@fieldpost.example".to_owned(),
            message_id: "x@fieldpost.example".to_owned(),
            bytes: b"Subject: x\r\n\r\n".to_vec(),
            bounce: String::new(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let begun = Instant::now();
            for _ in 0..mails {
                outlet.send(&mail, false).await;
            }
            begun.elapsed().as_secs()
        })
    }

    #[test]
    fn mails_leave_no_faster_than_the_provider_allows() {
        assert_eq!(seconds(Some(20), 4), 9, "one each three seconds");
        assert_eq!(seconds(Some(1), 3), 120);
        assert_eq!([seconds(None, 50), seconds(Some(0), 50)], [0, 0], "no limit");
    }
}
