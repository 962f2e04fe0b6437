//! Mails are taken apart in a process of their own: what a mail can do to a parser,
//! from an endless loop to an overflow of the stack, costs that process and one
//! attempt at that mail.
//!
//! The child is this program with a word that its help does not show. It reads a
//! length and a mail from its input and writes a length and what it found, until its
//! input ends. Tests and the demo read in their own process.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::mime::{self, ParsedMail, Unreadable};

/// The word by which the program is asked to read mails.
pub const WORD: &str = "read-mails";
/// The longest that a mail may take; the slowest that we know takes a tenth.
const READ_MAX: Duration = Duration::from_secs(10);
/// Octets of an answer; more was never seen, and would be a fault of ours.
const ANSWER_MAX: u32 = 64_000_000;
/// Memory of the child, in KiB, where the system can be told.
const MEMORY_MAX_KIB: u64 = 1_000_000;

/// What the child answers.
#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Read(Box<ParsedMail>),
    Unreadable(Unreadable),
}

/// Why a mail has no answer; it is tried again, and set aside in the end.
#[derive(Debug, thiserror::Error)]
pub enum ReaderError {
    #[error("reading it took more than {} seconds", READ_MAX.as_secs())]
    Slow,
    #[error("reading it ended the process that read it")]
    Died,
    #[error("the process that reads mails can't be started: {0}")]
    NotStarted(io::Error),
}

/// Takes mails apart.
pub enum Reader {
    /// In this process.
    Here,
    /// In a child, which is started when it is needed.
    Apart { program: PathBuf, child: Option<Running> },
}

/// A child at work.
pub struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Vec<u8>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be in an endless loop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reader {
    /// A reader that is a process of this program.
    pub fn apart() -> io::Result<Self> {
        Ok(Self::Apart { program: std::env::current_exe()?, child: None })
    }

    /// Takes a mail apart.
    ///
    /// # Errors
    /// [`ReaderError`] when it took too long or ended its process.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Result<ParsedMail, Unreadable>, ReaderError> {
        let Self::Apart { program, child } = self else { return Ok(mime::parse(bytes)) };
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
    let mut child =
        Command::new(program).arg(WORD).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let missing = || io::Error::other("no pipe");
    let input = child.stdin.take().ok_or_else(missing)?;
    let mut output = child.stdout.take().ok_or_else(missing)?;
    let (told, answers) = sync_channel(1);
    // Ends with the child's output.
    std::thread::spawn(move || {
        while let Ok(answer) = receive(&mut output) {
            if told.send(answer).is_err() {
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

/// The child: reads mails until its input ends.
pub fn serve() {
    limit_memory();
    // The place alone: what a panic says may quote the mail, and errors go where the log goes.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        eprintln!("reading a mail ended the process that read it: {place}");
    }));
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Ok(bytes) = receive(&mut input) {
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

/// A mail that makes the parser eat memory ends this process and not the machine.
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = Some(MEMORY_MAX_KIB * 1024);
    // Where the system refuses, the limits of size and nesting must do.
    let _ = setrlimit(Resource::As, Rlimit { current: most, maximum: most });
}
