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
use lettre::address::Envelope;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, AsyncTokioStream, Certificate, CertificateStore, TlsParameters,
};
use lettre::transport::smtp::extension::ClientId;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::timeout;

use super::{OutgoingMail, SendResult};
use crate::config::{Password, TlsMode};

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
    pub login: Option<(String, Password)>,
    /// Connections at a time.
    pub connections: usize,
}

/// An SMTP outlet.
pub struct SmtpOutlet {
    account: SmtpAccount,
    tls: Arc<rustls::ClientConfig>,
    idle: Mutex<Vec<AsyncSmtpConnection>>,
    places: Semaphore,
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
        let places = Semaphore::new(account.connections.max(1));
        Ok(Self { account, tls, idle: Mutex::new(Vec::new()), places })
    }

    /// Sends one mail to its one recipient.
    pub async fn send(&self, mail: &OutgoingMail) -> SendResult {
        let Ok(_place) = self.places.acquire().await else {
            return SendResult::Later("the outlet is closed".to_owned());
        };
        let envelope = match envelope(mail) {
            Ok(envelope) => envelope,
            Err(cause) => return SendResult::Never(cause),
        };
        // A kept connection may have died meanwhile: then one new try.
        let kept = self.idle.lock().await.pop();
        if let Some(mut connection) = kept
            && let Ok(true) = timeout(STEP_MAX, connection.test_connected()).await
        {
            return self.send_on(connection, &envelope, mail).await;
        }
        match timeout(STEP_MAX, self.connect()).await {
            Ok(Ok(connection)) => self.send_on(connection, &envelope, mail).await,
            Ok(Err(cause)) => SendResult::Later(cause),
            Err(_) => SendResult::Later("the server does not answer".to_owned()),
        }
    }

    async fn send_on(
        &self,
        mut connection: AsyncSmtpConnection,
        envelope: &Envelope,
        mail: &OutgoingMail,
    ) -> SendResult {
        match timeout(STEP_MAX, connection.send(envelope, &mail.bytes)).await {
            Ok(Ok(_)) => {
                let mut idle = self.idle.lock().await;
                if idle.len() < self.account.connections {
                    idle.push(connection);
                }
                SendResult::Sent
            }
            // A full mailbox may have room again (RFC 3463, 5.2.2); a mail that is too
            // large stays so.
            Ok(Err(e)) if e.is_permanent() && !e.to_string().contains("5.2.2") => {
                SendResult::Never(e.to_string())
            }
            Ok(Err(e)) => SendResult::Later(e.to_string()),
            Err(_) => SendResult::Later("the server does not answer".to_owned()),
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, String> {
        let account = &self.account;
        let text = |e: &dyn std::fmt::Display| e.to_string();
        let address = (account.host.as_str(), account.port);
        let tcp = TcpStream::connect(address).await.map_err(|e| text(&e))?;
        tcp.set_nodelay(true).map_err(|e| text(&e))?;
        let hello = ClientId::default();
        let stream: Box<dyn AsyncTokioStream> = match account.tls {
            TlsMode::Implicit => {
                let name = ServerName::try_from(account.host.clone()).map_err(|e| text(&e))?;
                let tls = tokio_rustls::TlsConnector::from(Arc::clone(&self.tls));
                Box::new(TlsStream(tls.connect(name, tcp).await.map_err(|e| text(&e))?))
            }
            TlsMode::Starttls | TlsMode::None => Box::new(tcp),
        };
        let mut connection = AsyncSmtpConnection::connect_with_transport(stream, &hello)
            .await
            .map_err(|e| text(&e))?;
        if account.tls == TlsMode::Starttls {
            if !connection.can_starttls() {
                return Err("the server offers no STARTTLS; nothing was sent in the clear".into());
            }
            let tls = self.tls_parameters()?;
            connection.starttls(tls, &hello).await.map_err(|e| text(&e))?;
        }
        if let Some((user, password)) = &account.login {
            let login = Credentials::new(user.clone(), password.read()?);
            let ways = [Mechanism::Plain, Mechanism::Login];
            connection.auth(&ways, &login).await.map_err(|e| text(&e))?;
        }
        Ok(connection)
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

fn envelope(mail: &OutgoingMail) -> Result<Envelope, String> {
    let address = |a: &str| a.parse::<Address>().map_err(|e| e.to_string());
    Envelope::new(Some(address(&mail.envelope_from)?), vec![address(&mail.to)?])
        .map_err(|e| e.to_string())
}
