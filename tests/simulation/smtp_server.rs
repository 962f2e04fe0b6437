//! An SMTP server that answers each command at once, and sometimes badly (RFC 5321).

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use crate::net::{Net, Shared, Taken, header, lock};

/// Faults of an answer.
pub const FAULTS: &[&str] = &[
    "SMTP 4xx",
    "SMTP 5xx",
    "SMTP 421",
    "SMTP cut before the command",
    "SMTP cut after the command",
    "SMTP is slow",
    "SMTP is silent",
    "killed before an SMTP command",
    "killed after an SMTP command",
];

/// The server's answer to a mail that it refuses for good.
pub const NOT_THIS: &str = "not this one";

fn recipient(line: &str) -> String {
    line.split(['<', '>']).nth(1).unwrap_or_default().to_owned()
}

/// One connection of the robot.
#[derive(Debug)]
pub struct Line {
    net: Shared,
    epoch: u64,
    said: Vec<u8>,
    answers: VecDeque<u8>,
    closed: bool,
    silent: bool,
    slow: Option<Pin<Box<Sleep>>>,
    to: String,
    in_data: bool,
    /// The mail whose answer the robot has not read to its end.
    untold: Option<(String, String)>,
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Net").finish_non_exhaustive()
    }
}

pub fn dial(net: &Shared) -> io::Result<Box<dyn AsyncTokioStream>> {
    let mut inner = lock(net);
    if inner.is_dead() {
        return Err(io::ErrorKind::ConnectionRefused.into());
    }
    let mut greeting = "220 ready\r\n";
    if inner.fails_to_take() {
        greeting = match inner.chance.below(6) {
            0 => {
                inner.count("SMTP greets with 554");
                "554 5.3.2 no service\r\n"
            }
            1 => {
                inner.count("SMTP greets with 421");
                "421 4.3.2 too busy\r\n"
            }
            2 | 3 => greeting,
            _ => return Err(io::ErrorKind::ConnectionRefused.into()),
        };
    }
    let (epoch, net) = (inner.epoch, net.clone());
    drop(inner);
    Ok(Box::new(Line {
        net,
        epoch,
        said: Vec::new(),
        answers: VecDeque::from(greeting.as_bytes().to_vec()),
        closed: !greeting.starts_with('2'),
        silent: false,
        slow: None,
        to: String::new(),
        in_data: false,
        untold: None,
    }))
}

impl Net {
    fn fails_to_take(&mut self) -> bool {
        let often = self.faults.smtp;
        self.chance.one_in(often)
    }
}

impl AsyncTokioStream for Line {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(SocketAddr::from(([127, 0, 0, 1], 25)))
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(slow) = &mut self.slow {
            if slow.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            self.slow = None;
        }
        if self.answers.is_empty() {
            // Only the robot's own timeout wakes it.
            return if self.closed || !self.silent { Poll::Ready(Ok(())) } else { Poll::Pending };
        }
        let n = buf.remaining().min(self.answers.len());
        let bytes: Vec<u8> = self.answers.drain(..n).collect();
        buf.put_slice(&bytes);
        if self.answers.is_empty()
            && let Some(mail) = self.untold.take()
        {
            lock(&self.net).told.insert(mail);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.closed || lock(&self.net).epoch != self.epoch {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        self.said.extend(bytes);
        loop {
            let end: &[u8] = if self.in_data { b"\r\n.\r\n" } else { b"\r\n" };
            let Some(at) = self.said.windows(end.len()).position(|w| w == end) else { break };
            let line: Vec<u8> = self.said.drain(..at + end.len()).collect();
            let line = &line[..at];
            self.command(line);
        }
        Poll::Ready(Ok(bytes.len()))
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl Line {
    fn say(&mut self, text: &str) {
        self.answers.extend(text.as_bytes());
    }

    fn command(&mut self, line: &[u8]) {
        let net = self.net.clone();
        let mut net = lock(&net);
        if net.is_dead() {
            self.closed = true;
            return;
        }
        let fault = net.fails_to_take().then(|| *net.chance.of(FAULTS));
        if let Some(fault) = fault.filter(|f| *f != "SMTP 5xx") {
            net.count(fault);
        }
        let was_data = std::mem::take(&mut self.in_data);
        match fault {
            Some("SMTP 4xx") => return self.say("451 4.3.0 not now\r\n"),
            Some("SMTP 5xx") => {
                if let Some(answer) = self.refusal(&mut net, line, was_data) {
                    net.count("SMTP 5xx");
                    return self.say(&answer);
                }
            }
            Some("SMTP 421") => {
                self.say("421 4.3.2 the server stops\r\n");
                self.closed = true;
                return;
            }
            Some("SMTP cut before the command") => return self.closed = true,
            Some("SMTP is silent") => return self.silent = true,
            Some("SMTP is slow") => {
                let seconds = net.chance.below(150);
                self.slow = Some(Box::pin(tokio::time::sleep(Duration::from_secs(seconds))));
            }
            Some("killed before an SMTP command") => {
                net.kill("killed at an SMTP command");
                return self.closed = true;
            }
            _ => {}
        }
        let before = self.answers.len();
        match was_data {
            true => self.take(&mut net, line),
            false => self.perform(&net, String::from_utf8_lossy(line).as_ref()),
        }
        match fault {
            Some("SMTP cut after the command") => {
                self.answers.truncate(before);
                self.closed = true;
            }
            Some("killed after an SMTP command") => {
                net.kill("killed at an SMTP command");
                self.answers.truncate(before);
                self.closed = true;
            }
            _ => return,
        }
        self.untold = None;
    }

    /// A refusal for good: of a recipient, or of a mail after its text, it ends that mail.
    fn refusal(&self, net: &mut Net, line: &[u8], was_data: bool) -> Option<String> {
        let line = String::from_utf8_lossy(line);
        let to = match was_data {
            true => self.to.clone(),
            false if line.to_ascii_uppercase().starts_with("RCPT") => recipient(&line),
            false => return Some("550 5.7.1 not like this\r\n".to_owned()),
        };
        let first = to != net.refused && net.refused_once.insert(to);
        if first {
            net.count(if was_data {
                "mail refused for good"
            } else {
                "recipient refused for good"
            });
        }
        first.then(|| format!("550 5.1.1 {NOT_THIS}\r\n"))
    }

    fn perform(&mut self, net: &Net, line: &str) {
        let upper = line.to_uppercase();
        match upper.split(' ').next().unwrap_or_default() {
            "EHLO" => self.say("250-sim\r\n250-SIZE 20000000\r\n250-DSN\r\n250 8BITMIME\r\n"),
            "RCPT" => {
                let to = recipient(line);
                match to == net.refused {
                    true => self.say("550 5.1.1 unknown\r\n"),
                    false => self.say("250 ok\r\n"),
                }
                self.to = to;
            }
            "DATA" => {
                self.in_data = true;
                self.say("354 go on\r\n");
            }
            "QUIT" => {
                self.say("221 bye\r\n");
                self.closed = true;
            }
            _ => self.say("250 ok\r\n"),
        }
    }

    /// Takes a mail: from now on the server is responsible for it.
    fn take(&mut self, net: &mut Net, data: &[u8]) {
        let bytes = String::from_utf8_lossy(data).replace("\r\n..", "\r\n.").into_bytes();
        let message_id = header(&bytes, "Message-ID");
        let to = self.to.clone();
        net.trace.push(format!("taken {to} {}", base::secrets::sha256_hex(&bytes)));
        let mail = (message_id.clone(), to.clone());
        if net.told.contains(&mail) || net.noted.contains(&mail) {
            net.repeats.push(format!("{message_id} was sent to {to} again, as the robot knew"));
        }
        self.untold = Some(mail);
        net.taken.push(Taken { to, bytes, message_id });
        self.say("250 2.0.0 taken\r\n");
    }
}
