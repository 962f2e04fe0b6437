//! Parses mails in a child process. Whatever a mail does to a parser, from an endless loop
//! to a stack overflow, costs that process and one attempt at that mail.
//!
//! The child has an empty environment and may do nothing but that (the module `confine`).
//!
//! The child is this program with a hidden command. It reads a length (four octets, big
//! endian) and a mail from its input and writes a length and the result, until its input
//! ends. Tests and the demo parse in their own process.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::confine::{allow_time, confine};
use super::mime::{self, ParsedMail, Unreadable};

/// The hidden command that makes this program a child that parses mails.
pub const WORD: &str = "read-mails";
/// Time limit of one mail; the slowest that we know takes a tenth of it.
const READ_MAX: Duration = Duration::from_secs(10);
/// Octets of an answer; a longer one would be a fault of ours.
const ANSWER_MAX: u32 = 64_000_000;

/// What the child answers.
#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Read(Box<ParsedMail>),
    Unreadable(Unreadable),
}

/// Why the child gave no answer about a mail. The host tries such a mail again, and
/// quarantines it after some attempts.
#[derive(Debug, thiserror::Error)]
pub enum ReaderError {
    /// The mail took too long; the child was killed.
    #[error("reading it took more than {} seconds", READ_MAX.as_secs())]
    Slow,
    /// The child ended, or its answer made no sense.
    #[error("reading it ended the process that read it")]
    Died,
    /// There is no child: the system refused to start it.
    #[error("the process that reads mails can't be started: {0}")]
    NotStarted(io::Error),
}

/// Parses mails.
pub enum Reader {
    /// Parses in this process.
    InProcess,
    /// Parses in a child, which starts with the first mail and again after each failure.
    Subprocess {
        /// The program to start; it must know the command [`WORD`].
        program: PathBuf,
        /// The child, if one is running.
        child: Option<Running>,
    },
}

/// A running child.
pub struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Vec<u8>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // The child may be in an endless loop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reader {
    /// A reader whose child is this program.
    ///
    /// # Errors
    /// When the path of this program is unknown.
    pub fn subprocess() -> io::Result<Self> {
        Ok(Self::Subprocess { program: std::env::current_exe()?, child: None })
    }

    /// The process of the child, if there is one.
    pub fn process(&self) -> Option<u32> {
        match self {
            Self::Subprocess { child: Some(running), .. } => Some(running.child.id()),
            _ => None,
        }
    }

    /// Parses a mail. The inner result is that of [`mime::parse`].
    ///
    /// # Errors
    /// [`ReaderError`] when the child took too long, ended or did not start.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Result<ParsedMail, Unreadable>, ReaderError> {
        let Self::Subprocess { program, child } = self else { return Ok(mime::parse(bytes)) };
        if child.is_none() {
            *child = Some(start(program).map_err(ReaderError::NotStarted)?);
        }
        let Some(running) = child.as_mut() else { return Err(ReaderError::Died) };
        let asked = send(&mut running.input, bytes);
        let answer = match asked {
            Ok(()) => running.answers.recv_timeout(READ_MAX),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        let failed = match answer {
            Ok(answer) => match rmp_serde::from_slice(&answer) {
                Ok(Answer::Read(mail)) => return Ok(Ok(*mail)),
                Ok(Answer::Unreadable(why)) => return Ok(Err(why)),
                Err(_) => ReaderError::Died,
            },
            Err(RecvTimeoutError::Timeout) => ReaderError::Slow,
            Err(RecvTimeoutError::Disconnected) => ReaderError::Died,
        };
        // The next mail gets a fresh process.
        *child = None;
        Err(failed)
    }
}

fn start(program: &PathBuf) -> io::Result<Running> {
    // Whatever it inherited, a password among it, a mail that takes it over would have.
    let mut command = Command::new(program);
    let command = command.arg(WORD).env_clear().current_dir("/");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let missing = || io::Error::other("no pipe");
    let input = child.stdin.take().ok_or_else(missing)?;
    let mut output = child.stdout.take().ok_or_else(missing)?;
    let (sender, answers) = sync_channel(1);
    // The thread ends with the child's output.
    std::thread::spawn(move || {
        while let Ok(answer) = receive(&mut output) {
            if sender.send(answer).is_err() {
                return;
            }
        }
    });
    Ok(Running { child, input, answers })
}

fn send(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_be_bytes())?;
    out.write_all(bytes)?;
    out.flush()
}

fn receive(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length);
    if length > ANSWER_MAX {
        return Err(io::Error::other("too long"));
    }
    let mut bytes = vec![0; length as usize];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The child's main loop: parses mails until its input ends.
pub fn serve() {
    confine();
    // We log only the place of a panic: its message may quote the mail.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        eprintln!("reading a mail ended the process that read it: {place}");
    }));
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Ok(bytes) = receive(&mut input) {
        allow_time();
        let answer = match mime::parse(&bytes) {
            Ok(mail) => Answer::Read(Box::new(mail)),
            Err(why) => Answer::Unreadable(why),
        };
        let Ok(encoded) = rmp_serde::to_vec(&answer) else { return };
        if send(&mut output, &encoded).is_err() {
            return;
        }
    }
}
