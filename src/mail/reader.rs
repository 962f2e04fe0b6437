//! Parses mails in child processes. Whatever a mail does to a parser, from an endless loop to a
//! stack overflow, costs only its process and one attempt at that mail.
//!
//! A mail that proves nothing gets a separate process, which ends with it: if the mail takes that
//! process over, it sees no other mail, and can only lie about itself. Mails with a player's secret
//! share a process, which saves most of the cost; if that process fails, the mail gets a separate
//! one after all. A process has an empty environment and may do nothing else (the module
//! `confine`). The next process starts while a mail is read, so that nobody waits for it.
//!
//! The child is this program with a hidden command. It first writes what it may still do. Then it
//! reads mails one after the other and writes a result for each; each message has its length before
//! it (four octets, big endian). Tests and the demo parse in their own process.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::confine::{Measures, confine};
use super::connect::one_line;
use super::mime::{self, ParsedMail, Unreadable};

/// The hidden command that makes this program a child that parses mails.
pub const WORD: &str = "read-mails";
/// The number of mails that a shared process parses before it is replaced.
const SHARED_MAX: u32 = 200;
/// Time limit of one mail; the slowest known mail takes a tenth of it.
const READ_MAX: Duration = Duration::from_secs(10);
/// How long a process may take to start.
const START_MAX: Duration = Duration::from_secs(20);
/// The largest answer in octets; a longer one would be our own fault.
const ANSWER_MAX: u32 = 64_000_000;
/// Octets that are read of a child's error output.
const COMPLAINT_MAX: u64 = 2_000;

/// The answer of the child.
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

/// Whether a mail may be read by a process that also reads others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    /// By a process that sees no other mail.
    Alone,
    /// By a process that also reads other mails with a secret.
    Shared,
}

/// Parses mails. Copies of a reader share its processes.
#[derive(Clone)]
pub enum Reader {
    /// Parses in this process.
    InProcess,
    /// Parses in children.
    Subprocess(Arc<Mutex<Helper>>),
}

impl Reader {
    /// A reader whose children run this program.
    ///
    /// # Errors
    /// When the path of this program is unknown.
    pub fn subprocess() -> io::Result<Self> {
        Ok(Self::by(std::env::current_exe()?))
    }

    /// A reader whose children run a program that knows the command [`WORD`].
    pub fn by(program: PathBuf) -> Self {
        Self::Subprocess(Arc::new(Mutex::new(Helper::new(program, vec![WORD.to_owned()]))))
    }

    /// The process that waits for the next mail, and its measures; `None`: mails are parsed in this
    /// process.
    ///
    /// # Errors
    /// [`ReaderError`] when it does not start or ends at once.
    pub fn ready(&self) -> Result<Option<(u32, Measures)>, ReaderError> {
        match self {
            Self::InProcess => Ok(None),
            Self::Subprocess(helper) => {
                helper.lock().unwrap_or_else(PoisonError::into_inner).ready().map(Some)
            }
        }
    }

    /// Parses a mail in a process that sees no other. The inner result is that of [`mime::parse`].
    ///
    /// # Errors
    /// [`ReaderError`] when the child took too long, ended or did not start.
    pub fn read(&self, bytes: &[u8]) -> Result<Result<ParsedMail, Unreadable>, ReaderError> {
        self.read_as(bytes, Apart::Alone)
    }

    /// Parses a mail, in a separate process or a shared one. The inner result is that of
    /// [`mime::parse`].
    ///
    /// # Errors
    /// [`ReaderError`] when the child took too long, ended or did not start.
    pub fn read_as(
        &self,
        bytes: &[u8],
        apart: Apart,
    ) -> Result<Result<ParsedMail, Unreadable>, ReaderError> {
        let Self::Subprocess(helper) = self else { return Ok(mime::parse(bytes)) };
        let mut helper = helper.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = match apart {
            Apart::Shared => helper.ask_shared(bytes, READ_MAX)?,
            Apart::Alone => helper.ask(bytes, READ_MAX)?,
        };
        match codec::from_bytes(&answer) {
            Ok(Answer::Read(mail)) => Ok(Ok(*mail)),
            Ok(Answer::Unreadable(why)) => Ok(Err(why)),
            Err(_) => Err(ReaderError::Died),
        }
    }
}

/// Runs processes of this program for a task.
pub struct Helper {
    program: PathBuf,
    words: Vec<String>,
    /// An idle process for the next task.
    spare: Option<Running>,
    /// The shared process, and the number of its tasks so far.
    shared: Option<(Running, u32)>,
}

impl Helper {
    /// A helper whose processes run a program with these arguments.
    pub(crate) fn new(program: PathBuf, words: Vec<String>) -> Self {
        Self { program, words, spare: None, shared: None }
    }

    /// Makes sure that a process is waiting.
    fn ready(&mut self) -> Result<(u32, Measures), ReaderError> {
        let mut waiting = match self.spare.take() {
            Some(running) => running,
            None => start(&self.program, &self.words).map_err(ReaderError::NotStarted)?,
        };
        let measures = waiting.measures()?;
        let id = waiting.child.id();
        self.spare = Some(waiting);
        Ok((id, measures))
    }

    /// Takes the process that is waiting.
    fn take(&mut self) -> Result<Running, ReaderError> {
        self.ready()?;
        let running = self.spare.take().ok_or(ReaderError::Died)?;
        // The next one starts while this one works. If it can't, the next call reports it.
        self.spare = start(&self.program, &self.words).ok();
        Ok(running)
    }

    /// Gives some bytes to a separate process, and returns its answer.
    pub(crate) fn ask(&mut self, bytes: &[u8], most: Duration) -> Result<Vec<u8>, ReaderError> {
        self.take()?.ask(bytes, most)
    }

    /// Gives some bytes to the shared process, and returns its answer. If it dies, perhaps because
    /// of an earlier mail, a fresh process is asked.
    fn ask_shared(&mut self, bytes: &[u8], most: Duration) -> Result<Vec<u8>, ReaderError> {
        let (mut running, done) = match self.shared.take() {
            Some(shared) => shared,
            None => (self.take()?, 0),
        };
        let answer = match running.ask(bytes, most) {
            Err(ReaderError::Died) => return self.ask(bytes, most),
            other => other?,
        };
        self.shared = (done + 1 < SHARED_MAX).then_some((running, done + 1));
        Ok(answer)
    }
}

/// A running child.
struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Vec<u8>>,
    complaints: Option<ChildStderr>,
    /// The measures that it reported at its start.
    measures: Option<Measures>,
}

impl Running {
    fn ask(&mut self, bytes: &[u8], most: Duration) -> Result<Vec<u8>, ReaderError> {
        send(&mut self.input, bytes).map_err(|_| ReaderError::Died)?;
        self.answer(most)
    }

    fn answer(&self, most: Duration) -> Result<Vec<u8>, ReaderError> {
        self.answers.recv_timeout(most).map_err(|e| match e {
            RecvTimeoutError::Timeout => ReaderError::Slow,
            RecvTimeoutError::Disconnected => ReaderError::Died,
        })
    }

    fn measures(&mut self) -> Result<Measures, ReaderError> {
        if let Some(measures) = self.measures {
            return Ok(measures);
        }
        let told = self.answer(START_MAX)?;
        let measures: Measures = codec::from_bytes(&told).map_err(|_| ReaderError::Died)?;
        warn_once(measures);
        self.measures = Some(measures);
        Ok(measures)
    }
}

/// Warns once about measures that the system refused for processes that read mails.
fn warn_once(measures: Measures) {
    static TOLD: Once = Once::new();
    let missing = measures.missing().join(", ");
    if !missing.is_empty() {
        TOLD.call_once(|| {
            tracing::warn!(
                missing,
                "mails are taken apart without this protection; \"fieldpost doctor\" says what can \
                 be done"
            );
        });
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The child may be in an endless loop.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A mail may have written this, so it becomes one short line, marked as the child's.
        let mut said = Vec::new();
        if let Some(complaints) = self.complaints.take() {
            let _ = complaints.take(COMPLAINT_MAX).read_to_end(&mut said);
        }
        if !said.is_empty() {
            let said = one_line(String::from_utf8_lossy(&said).trim_end());
            tracing::warn!(said, "a process that reads mails complains");
        }
    }
}

fn start(program: &PathBuf, words: &[String]) -> io::Result<Running> {
    // A mail that takes the process over would have everything that it inherited, such as a
    // password.
    let mut command = Command::new(program);
    let command = command.args(words).env_clear().current_dir("/");
    // The limit of memory counts addresses, so the program's allocator must reserve them in small
    // parts (this value is in KiB), well below that limit.
    let command = command.env("MIMALLOC_ARENA_RESERVE", "65536");
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let missing = || io::Error::other("no pipe");
    let input = child.stdin.take().ok_or_else(missing)?;
    let mut output = child.stdout.take().ok_or_else(missing)?;
    let complaints = child.stderr.take();
    let (sender, answers) = sync_channel(1);
    // The thread ends with the child's output.
    std::thread::spawn(move || {
        while let Ok(answer) = receive(&mut output) {
            if sender.send(answer).is_err() {
                return;
            }
        }
    });
    Ok(Running { child, input, answers, complaints, measures: None })
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

/// The work of a child: it reports its measures, handles one task after the other, and answers.
pub(crate) fn work(measures: Measures, answer: impl Fn(&[u8]) -> Option<Vec<u8>>) {
    // Only the place of a panic is logged: its message may quote the mail.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        eprintln!("reading a mail ended the process that read it: {place}");
    }));
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let Ok(told) = codec::to_bytes(&measures) else { return };
    if send(&mut output, &told).is_err() {
        return;
    }
    while let Ok(bytes) = receive(&mut input) {
        let Some(answer) = answer(&bytes) else { return };
        if send(&mut output, &answer).is_err() {
            return;
        }
    }
}

/// The code of the child: parses mails.
pub fn serve() {
    work(confine(), |bytes| {
        let answer = match mime::parse(bytes) {
            Ok(mail) => Answer::Read(Box::new(mail)),
            Err(why) => Answer::Unreadable(why),
        };
        codec::to_bytes(&answer).ok()
    });
}
