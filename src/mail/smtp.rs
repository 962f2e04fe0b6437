//! An outlet over SMTP: a few kept connections, TLS, AUTH, one mail a recipient.
//!
//! Connections are our own streams with TCP_NODELAY: the library's pool leaves
//! it off, and each small mail would then wait for a delayed acknowledgement.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, AsyncTokioStream, Certificate, CertificateStore, TlsParameters,
};
use lettre::transport::smtp::commands::{Data, Ehlo, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, MailParameter, RcptParameter};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::{Instant, sleep_until, timeout};

use super::trouble::{Step, Trouble};
use super::{OutgoingMail, SendResult};
use crate::account::{Login, TlsMode};

/// Limit of one step of a session; RFC 5321 §4.5.3.2 allows servers minutes.
const STEP_MAX: Duration = Duration::from_secs(120);

/// Where and how to log in.
#[derive(Debug, Clone)]
pub struct SmtpAccount {
    pub host: String,
    pub port: u16,
    pub tls: TlsMode,
    pub ca_file: Option<PathBuf>,
    /// `None`: no AUTH.
    pub login: Option<Login>,
    /// Connections at a time.
    pub connections: usize,
    /// Mails within a minute; `None`: as many as there are.
    pub per_minute: Option<u32>,
}

/// A connection and what its server offers.
struct Link {
    connection: AsyncSmtpConnection,
    /// Octets of the largest mail (RFC 1870); `None`: it does not say.
    size_max: Option<usize>,
    /// Delivery reports can be declined (RFC 3461).
    dsn: bool,
    /// Addresses in other alphabets (RFC 6531).
    utf8: bool,
}

/// Why a step failed.
enum Failed {
    /// This recipient, for good.
    Recipient(String),
    /// Not the mail's fault, or not for good; the connection can go on.
    Later(String),
    /// The connection is of no use any more.
    Broken(String),
}

/// Opens a line to a server that is not a socket, such as one of a simulation.
pub type Dial = Box<dyn Fn() -> std::io::Result<Box<dyn AsyncTokioStream>> + Send + Sync>;

/// How a server is reached.
enum Way {
    Socket(Arc<rustls::ClientConfig>),
    Other(Dial),
}

/// An SMTP outlet.
pub struct SmtpOutlet {
    account: SmtpAccount,
    way: Way,
    idle: Mutex<Vec<Link>>,
    places: Semaphore,
    /// When the next mail may leave.
    pace: Mutex<Option<Instant>>,
}

/// A TLS stream as the library takes it.
#[derive(Debug)]
struct TlsStream(tokio_rustls::client::TlsStream<TcpStream>);

impl AsyncRead for TlsStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for TlsStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

impl AsyncTokioStream for TlsStream {
    fn peer_addr(&self) -> std::io::Result<std::net::SocketAddr> {
        self.0.get_ref().0.peer_addr()
    }
}

impl SmtpOutlet {
    /// An outlet that connects when it first sends.
    ///
    /// # Errors
    /// A sentence when the CA file can't be read.
    pub fn new(account: SmtpAccount) -> Result<Self, String> {
        let tls = crate::tls::client_config(account.ca_file.as_deref())?;
        Ok(Self::by(account, Way::Socket(tls)))
    }

    /// An outlet over lines of somebody else's, without TLS.
    pub fn over(account: SmtpAccount, dial: Dial) -> Self {
        Self::by(SmtpAccount { tls: TlsMode::None, ..account }, Way::Other(dial))
    }

    fn by(account: SmtpAccount, way: Way) -> Self {
        let places = Semaphore::new(account.connections.max(1));
        let (idle, pace) = (Mutex::new(Vec::new()), Mutex::new(None));
        Self { account, way, idle, places, pace }
    }

    /// Sends one mail to its one recipient. `quiet`: no report is wanted, whatever
    /// becomes of it.
    pub async fn send(&self, mail: &OutgoingMail, quiet: bool) -> SendResult {
        let Ok(_place) = self.places.acquire().await else {
            return SendResult::Later("the outlet is closed".to_owned());
        };
        self.keep_pace().await;
        // A kept connection may have died meanwhile: then one new try.
        let kept = self.idle.lock().await.pop();
        if let Some(mut link) = kept
            && let Ok(true) = timeout(STEP_MAX, link.connection.test_connected()).await
        {
            return self.send_on(link, mail, quiet).await;
        }
        match timeout(STEP_MAX, self.connect()).await {
            Ok(Ok(link)) => self.send_on(link, mail, quiet).await,
            Ok(Err(trouble)) => SendResult::Later(trouble.cause),
            Err(_) => SendResult::Later("the server does not answer".to_owned()),
        }
    }

    /// Waits until the provider's limit allows one more mail.
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

    async fn send_on(&self, mut link: Link, mail: &OutgoingMail, quiet: bool) -> SendResult {
        let sent = timeout(STEP_MAX, converse(&mut link, mail, quiet)).await;
        let (result, usable) = match sent {
            Ok(Ok(())) => (SendResult::Sent, true),
            Ok(Err(Failed::Recipient(why))) => (SendResult::Never(why), true),
            Ok(Err(Failed::Later(why))) => (SendResult::Later(why), true),
            Ok(Err(Failed::Broken(why))) => (SendResult::Later(why), false),
            Err(_) => (SendResult::Later("the server does not answer".to_owned()), false),
        };
        // What was begun and not done is forgotten before the next mail.
        let clean = match (usable, &result) {
            (true, SendResult::Sent) => true,
            (true, _) => {
                matches!(timeout(STEP_MAX, link.connection.command(Rset)).await, Ok(Ok(_)))
            }
            (false, _) => false,
        };
        if clean {
            let mut idle = self.idle.lock().await;
            if idle.len() < self.account.connections {
                idle.push(link);
            }
        }
        result
    }

    async fn connect(&self) -> Result<Link, Trouble> {
        let account = &self.account;
        let hello = ClientId::default();
        let stream = match &self.way {
            Way::Other(dial) => dial().map_err(Trouble::at(Step::Connect))?,
            Way::Socket(tls) => self.reached(tls).await?,
        };
        let mut connection = AsyncSmtpConnection::connect_with_transport(stream, &hello)
            .await
            .map_err(Trouble::at(Step::Connect))?;
        if account.tls == TlsMode::Starttls {
            if !connection.can_starttls() {
                let cause = "the server offers no STARTTLS; nothing was sent in the clear";
                return Err(Trouble { step: Step::Tls, cause: cause.to_owned() });
            }
            let tls = self.tls_parameters().map_err(Trouble::at(Step::Tls))?;
            connection.starttls(tls, &hello).await.map_err(Trouble::at(Step::Tls))?;
        }
        if let Some(login) = &account.login {
            let secret = login.secret.read().map_err(Trouble::at(Step::LogIn))?;
            let known = Credentials::new(login.user.clone(), secret);
            let ways: &[Mechanism] = match login.token {
                true => &[Mechanism::Xoauth2],
                false => &[Mechanism::Plain, Mechanism::Login],
            };
            connection.auth(ways, &known).await.map_err(Trouble::at(Step::LogIn))?;
        }
        // The library keeps only some of what the server offers.
        let offered = connection.command(Ehlo::new(hello)).await;
        let offered = offered.map_err(Trouble::at(Step::Connect))?;
        let words: Vec<String> = offered.message().map(str::to_uppercase).collect();
        let size = words.iter().find_map(|w| w.strip_prefix("SIZE "));
        Ok(Link {
            connection,
            size_max: size.and_then(|n| n.trim().parse().ok()).filter(|n| *n > 0),
            dsn: words.iter().any(|w| w == "DSN"),
            utf8: words.iter().any(|w| w == "SMTPUTF8"),
        })
    }

    /// A stream to the server, encrypted already where the config says so.
    async fn reached(
        &self,
        tls: &Arc<rustls::ClientConfig>,
    ) -> Result<Box<dyn AsyncTokioStream>, Trouble> {
        let account = &self.account;
        let of_tcp = Trouble::at(Step::Connect);
        let tcp = TcpStream::connect((account.host.as_str(), account.port)).await;
        let tcp = tcp.map_err(&of_tcp)?;
        tcp.set_nodelay(true).map_err(&of_tcp)?;
        Ok(match account.tls {
            TlsMode::Implicit => {
                let name = ServerName::try_from(account.host.clone());
                let name = name.map_err(Trouble::at(Step::Connect))?;
                let tls = tokio_rustls::TlsConnector::from(Arc::clone(tls));
                let tls = tls.connect(name, tcp).await.map_err(Trouble::at(Step::Tls))?;
                Box::new(TlsStream(tls))
            }
            TlsMode::Starttls | TlsMode::None => Box::new(tcp),
        })
    }

    /// Goes as far as a mail goes before its text: logs in, names the sender and the
    /// recipients, and takes all of it back. What it says of each recipient is the answer;
    /// `at_most` limits all of it.
    ///
    /// # Errors
    /// [`Trouble`] with the step that failed.
    pub async fn probe(
        &self,
        from: &str,
        to: &[&str],
        at_most: Duration,
    ) -> Result<Vec<Result<(), String>>, Trouble> {
        let asked = timeout(at_most, async {
            let mut link = self.connect().await?;
            let asked = ask(&mut link.connection, from, to).await;
            let _ = link.connection.quit().await;
            asked
        });
        asked.await.unwrap_or_else(|_| {
            let cause = "the server does not answer".to_owned();
            Err(Trouble { step: Step::Connect, cause })
        })
    }

    fn tls_parameters(&self) -> Result<TlsParameters, String> {
        let mut builder = TlsParameters::builder(self.account.host.clone());
        if let Some(path) = &self.account.ca_file {
            let pem = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
            let ca = Certificate::from_pem(&pem).map_err(|e| e.to_string())?;
            builder = builder.add_root_certificate(ca).certificate_store(CertificateStore::None);
        }
        builder.build_rustls().map_err(|e| e.to_string())
    }
}

/// What a server says of a sender and of each recipient; no mail follows.
async fn ask(
    connection: &mut AsyncSmtpConnection,
    from: &str,
    to: &[&str],
) -> Result<Vec<Result<(), String>>, Trouble> {
    let of_sender = Trouble::at(Step::Sender);
    let sender: Address = from.parse().map_err(Trouble::at(Step::Sender))?;
    connection.command(Mail::new(Some(sender), Vec::new())).await.map_err(of_sender)?;
    let mut said = Vec::new();
    for to in to {
        let address: Address = to.parse().map_err(Trouble::at(Step::Sender))?;
        let answer = connection.command(Rcpt::new(address, Vec::new())).await;
        said.push(answer.map(|_| ()).map_err(|e| e.to_string()));
    }
    Ok(said)
}

/// One mail over an open connection (RFC 5321 §3.3).
async fn converse(link: &mut Link, mail: &OutgoingMail, quiet: bool) -> Result<(), Failed> {
    let address = |a: &str| a.parse::<Address>().map_err(|e| Failed::Recipient(e.to_string()));
    let (from, to) = (address(&mail.envelope_from)?, address(&mail.to)?);
    if let Some(most) = link.size_max.filter(|most| mail.bytes.len() > *most) {
        return Err(Failed::Recipient(format!(
            "{} octets are more than the {most} that the server takes",
            mail.bytes.len()
        )));
    }
    let mut of_mail = Vec::new();
    if link.size_max.is_some() {
        of_mail.push(MailParameter::Size(mail.bytes.len()));
    }
    if !mail.to.is_ascii() {
        if !link.utf8 {
            let why = "the server takes no addresses in other alphabets (SMTPUTF8)";
            return Err(Failed::Recipient(why.to_owned()));
        }
        of_mail.push(MailParameter::SmtpUtfEight);
    }
    let mut of_recipient = Vec::new();
    if quiet && link.dsn {
        let never = ("NOTIFY".to_owned(), Some("NEVER".to_owned()));
        of_recipient.push(RcptParameter::Other { keyword: never.0, value: never.1 });
    }
    let connection = &mut link.connection;
    // What is wrong with the sender or the session is no recipient's fault.
    connection.command(Mail::new(Some(from), of_mail)).await.map_err(|e| fault(&e, false))?;
    connection.command(Rcpt::new(to, of_recipient)).await.map_err(|e| fault(&e, true))?;
    connection.command(Data).await.map_err(|e| fault(&e, false))?;
    connection.message(&mail.bytes).await.map_err(|e| fault(&e, true))?;
    Ok(())
}

/// What an error means for the mail: `own` when it may be about this mail alone.
fn fault(e: &lettre::transport::smtp::Error, own: bool) -> Failed {
    let (text, status) = (e.to_string(), e.status().map(u16::from));
    match status {
        // The server closes the connection (RFC 5321 §3.8).
        None | Some(421) => Failed::Broken(text),
        // A full mailbox may have room again (RFC 5321 §4.5.3.1.10; RFC 3463, 5.2.2).
        Some(552) if !text.contains("5.3.4") => Failed::Later(text),
        Some(code) if own && (500..600).contains(&code) && !text.contains("5.2.2") => {
            Failed::Recipient(text)
        }
        Some(_) => Failed::Later(text),
    }
}
