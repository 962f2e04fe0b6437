//! The stream for all answers of an SMTP server. The library that reads it keeps a line in memory
//! however long it is, so the answer to each command has limits here.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use lettre::transport::smtp::client::AsyncTokioStream;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;

use crate::connect::{ConnectError, Step, one_line};

/// Octets of a line; RFC 5321 §4.5.3.1.5 allows 512.
const LINE_MAX: usize = 4096;
/// Octets of the answer to one command.
const ANSWER_MAX: usize = 65_536;
/// Lines of the answer to one command; an answer to EHLO has about twenty.
const LINES_MAX: usize = 500;

/// The octets that came in answer to the last command.
#[derive(Debug, Default)]
struct Answer {
    octets: usize,
    lines: usize,
    /// Lines that end an answer (RFC 5321 §4.2.1): their code has no hyphen after it.
    ends: usize,
    /// Octets of the incoming line.
    length: usize,
    /// The first four octets of that line.
    head: [u8; 4],
}

impl Answer {
    /// Counts octets that came.
    fn count(&mut self, came: &[u8]) -> Result<(), String> {
        self.octets += came.len();
        if self.octets > ANSWER_MAX {
            return Err(format!("an answer of more than {ANSWER_MAX} octets"));
        }
        for byte in came {
            if *byte != b'\n' {
                if let Some(place) = self.head.get_mut(self.length) {
                    *place = *byte;
                }
                self.length += 1;
                if self.length > LINE_MAX {
                    return Err(format!("a line of more than {LINE_MAX} octets"));
                }
                continue;
            }
            self.lines += 1;
            let coded = self.length >= 3 && self.head[..3].iter().all(u8::is_ascii_digit);
            self.ends += usize::from(coded && (self.length == 3 || self.head[3] != b'-'));
            self.length = 0;
            if self.lines > LINES_MAX {
                return Err(format!("an answer of more than {LINES_MAX} lines"));
            }
            if self.ends > 1 {
                // Otherwise the answer to one command would be taken for that to another.
                return Err("two answers to one command".to_owned());
            }
        }
        Ok(())
    }
}

/// A stream whose answers have limits. Exceeding them ends the connection.
#[derive(Debug)]
pub(super) struct Limited<S> {
    inner: S,
    answer: Answer,
    /// A greeting that is read before any octets of the server.
    greeting: &'static [u8],
    over: Option<String>,
}

impl<S> Limited<S> {
    /// A stream on which the server greets.
    pub(super) fn new(inner: S) -> Self {
        Self { inner, answer: Answer::default(), greeting: b"", over: None }
    }

    /// A stream on which the server has already greeted; the library reads one more greeting.
    fn greeted(inner: S) -> Self {
        Self { greeting: b"220 \r\n", ..Self::new(inner) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Limited<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(over) = &self.over {
            return Poll::Ready(Err(io::Error::other(over.clone())));
        }
        if !self.greeting.is_empty() {
            let (now, later) = self.greeting.split_at(self.greeting.len().min(buf.remaining()));
            buf.put_slice(now);
            self.greeting = later;
            return Poll::Ready(Ok(()));
        }
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(cx, buf);
        if let Err(over) = self.answer.count(&buf.filled()[before..]) {
            buf.set_filled(before);
            self.over = Some(over.clone());
            return Poll::Ready(Err(io::Error::other(over)));
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Limited<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.answer = Answer::default();
        Pin::new(&mut self.inner).poll_write(cx, buf)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

/// A stream that knows its other end.
pub(super) trait Peer {
    /// The address of the server.
    fn peer(&self) -> io::Result<std::net::SocketAddr>;
}

impl Peer for TcpStream {
    fn peer(&self) -> io::Result<std::net::SocketAddr> {
        self.peer_addr()
    }
}

impl Peer for tokio_rustls::client::TlsStream<TcpStream> {
    fn peer(&self) -> io::Result<std::net::SocketAddr> {
        self.get_ref().0.peer_addr()
    }
}

impl Peer for Box<dyn AsyncTokioStream> {
    fn peer(&self) -> io::Result<std::net::SocketAddr> {
        self.peer_addr()
    }
}

impl<S> AsyncTokioStream for Limited<S>
where
    S: AsyncRead + AsyncWrite + Peer + Unpin + Send + Sync + std::fmt::Debug,
{
    fn peer_addr(&self) -> io::Result<std::net::SocketAddr> {
        self.inner.peer()
    }
}

/// Encrypts a stream from its first octet on (implicit TLS).
pub(super) async fn encrypted(
    tcp: TcpStream,
    host: &str,
    tls: &Arc<ClientConfig>,
) -> Result<Box<dyn AsyncTokioStream>, ConnectError> {
    Ok(Box::new(Limited::new(shake_hands(tcp, host, tls).await?)))
}

/// Encrypts a stream by STARTTLS (RFC 3207). The few words before it are exchanged here, octet by
/// octet: otherwise octets that somebody on the way adds after the server's answer would pass for
/// encrypted.
pub(super) async fn upgraded(
    mut tcp: TcpStream,
    host: &str,
    hello: &str,
    tls: &Arc<ClientConfig>,
) -> Result<Box<dyn AsyncTokioStream>, ConnectError> {
    let of_tcp = ConnectError::at(Step::Connect);
    let greeting = answer(&mut tcp).await.map_err(&of_tcp)?;
    if greeting.code != "220" {
        return Err(of_tcp(format!("the server greets with {}", greeting.shown())));
    }
    let offered = ask(&mut tcp, &format!("EHLO {hello}\r\n")).await.map_err(&of_tcp)?;
    let offers = |l: &String| l.trim().eq_ignore_ascii_case("STARTTLS");
    if offered.code != "250" || !offered.lines.iter().any(offers) {
        let cause = "the server offers no STARTTLS; nothing was sent in the clear";
        return Err(ConnectError { step: Step::Tls, cause: cause.to_owned() });
    }
    let of_tls = ConnectError::at(Step::Tls);
    let ready = ask(&mut tcp, "STARTTLS\r\n").await.map_err(&of_tls)?;
    if ready.code != "220" {
        return Err(of_tls(format!("the server answers STARTTLS with {}", ready.shown())));
    }
    Ok(Box::new(Limited::greeted(shake_hands(tcp, host, tls).await?)))
}

async fn shake_hands(
    tcp: TcpStream,
    host: &str,
    tls: &Arc<ClientConfig>,
) -> Result<tokio_rustls::client::TlsStream<TcpStream>, ConnectError> {
    let name = ServerName::try_from(host.to_owned()).map_err(ConnectError::at(Step::Connect))?;
    let tls = tokio_rustls::TlsConnector::from(Arc::clone(tls));
    tls.connect(name, tcp).await.map_err(ConnectError::at(Step::Tls))
}

/// An answer before the encryption.
struct Said {
    code: String,
    /// The texts after the code.
    lines: Vec<String>,
}

impl Said {
    fn shown(&self) -> String {
        one_line(&format!("{} {}", self.code, self.lines.join(" ")))
    }
}

async fn ask(tcp: &mut TcpStream, command: &str) -> Result<Said, String> {
    tcp.write_all(command.as_bytes()).await.map_err(|e| e.to_string())?;
    answer(tcp).await
}

/// Reads one answer, and no octet after it.
async fn answer(tcp: &mut TcpStream) -> Result<Said, String> {
    let mut came = Answer::default();
    let (mut line, mut lines) = (Vec::new(), Vec::new());
    loop {
        let byte = tcp.read_u8().await.map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => "the server closed the connection".to_owned(),
            _ => e.to_string(),
        })?;
        came.count(&[byte])?;
        if byte != b'\n' {
            line.push(byte);
            continue;
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        line.clear();
        let (Some(code), rest) = (text.get(..3), text.get(3..).unwrap_or_default()) else {
            return Err("an answer without a code".to_owned());
        };
        if !code.bytes().all(|b| b.is_ascii_digit()) {
            return Err("an answer without a code".to_owned());
        }
        lines.push(rest.get(1..).unwrap_or_default().to_owned());
        if !rest.starts_with('-') {
            return Ok(Said { code: code.to_owned(), lines });
        }
    }
}
