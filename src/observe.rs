//! The log: one event a line, human or JSON; no address, secret or mail body at
//! info level.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, reload};

use crate::config::Log;

/// The file of the log, where there is one.
static FILE: OnceLock<LogFile> = OnceLock::new();
/// Changes the level of a log that runs.
static LEVEL: OnceLock<SetLevel> = OnceLock::new();

type SetLevel = Box<dyn Fn(&Log) + Send + Sync>;

/// A file that can be opened again, so that it may be moved away.
struct LogFile {
    path: PathBuf,
    file: Mutex<File>,
}

/// Where a line of the log goes.
struct Writer;

impl Write for Writer {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match FILE.get() {
            Some(log) => log.file.lock().unwrap_or_else(|e| e.into_inner()).write(line),
            None => io::stderr().write(line),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Writer {
    type Writer = Self;
    fn make_writer(&self) -> Self {
        Self
    }
}

fn open(path: &PathBuf) -> io::Result<File> {
    File::options().create(true).append(true).open(path)
}

/// The crates whose events are ours; what libraries say is theirs.
const CRATES: [&str; 4] = ["fieldpost", "mail", "robot", "store"];

fn filter(log: &Log) -> EnvFilter {
    let at = |level: &str| {
        let each = CRATES.map(|name| format!(",{name}={level}"));
        EnvFilter::try_new(format!("off{}", each.concat()))
    };
    at(&log.level).or_else(|_| at("info")).unwrap_or_else(|_| EnvFilter::new("off"))
}

/// Starts the log on standard error, colours only on a terminal, or in the config's file. A panic
/// becomes one event with only its place, because its message may quote a mail.
///
/// # Errors
/// A sentence when the file can't be opened.
pub fn start(log: &Log) -> Result<(), String> {
    if let Some(path) = &log.file {
        let file = open(path).map_err(|e| format!("log.file = {}: {e}", path.display()))?;
        let _ = FILE.set(LogFile { path: path.clone(), file: Mutex::new(file) });
    }
    let colours = log.file.is_none() && io::stderr().is_terminal();
    let (level, handle) = reload::Layer::new(filter(log));
    let lines = fmt::layer().with_ansi(colours).with_writer(Writer);
    let lines = match log.json {
        true => lines.json().boxed(),
        false => lines.with_target(false).boxed(),
    };
    // A second start, as tests make, keeps the first.
    let _ = Registry::default().with(level).with(lines).try_init();
    let _ = LEVEL.set(Box::new(move |log| {
        let _ = handle.reload(filter(log));
    }));
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panic");
    }));
    Ok(())
}

/// Opens the log's file again, after it was moved away; the old one is kept if that fails.
pub fn reopen() {
    let Some(log) = FILE.get() else { return };
    match open(&log.path) {
        Ok(file) => {
            *log.file.lock().unwrap_or_else(|e| e.into_inner()) = file;
            tracing::info!("the log goes on here");
        }
        Err(e) => tracing::error!(error = %e, "the log's file can't be opened anew"),
    }
}

/// Changes the level of the log.
pub fn set_level(log: &Log) {
    if let Some(set) = LEVEL.get() {
        set(log);
    }
}
