//! Notifies the game master by other means than mail: each mail of the robot to its game master
//! (alarms, turns that have run) is also given to a command of the config.
//!
//! The command gets the subject as its last argument and the text on its standard input; for
//! answers to the game master's own mails it gets only the subject. It runs without a shell. The
//! mails are in the store before they are sent, so a mail server that is down holds back no alarm.
//! A mail is noted as passed on after the command has run, so a crash may make the command run
//! again. A command that fails is tried a few times before the next mail has its turn.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{Clock, SystemClock, SystemEntropy};
use jiff::Timestamp;
use mail::marker::MARKER;
use robot::{Result, refuse};
use store::Store;

use crate::config::Config;

/// How often it looks for new mails.
const LOOK: Duration = Duration::from_secs(2);
/// Times that the command is tried for a mail, a look apart.
const ATTEMPTS: u32 = 5;
/// How long the command may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The name of the note of the last mail that was passed on.
const NOTE: &str = "notified";

/// How old a mail must be before it is passed on, where several workers write mails.
const SETTLED: Duration = Duration::from_secs(10);

/// Passes the game master's mails on to a command.
pub struct Notifier {
    store: Store,
    command: Vec<String>,
    clock: SystemClock,
    /// Times that the command failed on the mail that is next.
    failed: u32,
}

impl Notifier {
    /// The notifier of a config; `None` where it names no command. Earlier mails are not passed on.
    ///
    /// # Errors
    /// When the store can't be opened.
    pub fn open(config: &Config, owner: &str) -> Result<Option<Self>> {
        let command = config.notify.command.clone();
        let mut store = config.store.open(&SystemEntropy)?;
        store.work_as(owner);
        let begun = store.note(NOTE)?.is_some_and(|note| !note.is_empty());
        if command.is_empty() {
            // Another of several workers may have one.
            if begun && owner.is_empty() {
                // If a command is named again later, it begins with the mails of that time.
                store.write(|tx| tx.set_note(NOTE, ""))?;
            }
            return Ok(None);
        }
        if !begun {
            let last = store.outbox().newest_to_game_master()?.to_string();
            store.write(|tx| tx.set_note(NOTE, &last))?;
        }
        Ok(Some(Self { store, command, clock: SystemClock, failed: 0 }))
    }

    /// Passes on new mails until the service stops.
    pub fn tell_all(mut self, stop: &Cancel) {
        while !stop.is_cancelled() {
            if let Err(e) = self.deliver(stop) {
                tracing::error!(error = %e, "the game master's command waits");
            }
            stop.wait(LOOK);
        }
    }

    /// Passes on each new mail, the oldest first; gives how many.
    ///
    /// # Errors
    /// When the store fails.
    pub fn deliver(&mut self, stop: &Cancel) -> Result<usize> {
        if self.store.workers().owner().is_empty() {
            return self.tell_new(stop);
        }
        // Only one worker passes mails on, whichever it is.
        let now = self.clock.now();
        let Some(lease) = self.store.write(|tx| tx.workers().take_lease("notify", now))? else {
            return Ok(0);
        };
        self.store.hold(Some(lease.clone()));
        let told = self.tell_new(stop);
        self.store.hold(None);
        self.store.write(|tx| tx.workers().give_back(&lease))?;
        told
    }

    fn tell_new(&mut self, stop: &Cancel) -> Result<usize> {
        let last = self.store.note(NOTE)?.and_then(|n| n.parse().ok()).unwrap_or(0);
        // Where several workers write, a mail may appear before one with a lower number does.
        let alone = self.store.workers().owner().is_empty();
        let until = if alone { Timestamp::MAX } else { self.clock.now() - SETTLED };
        let new = self.store.outbox().to_game_master(last, until)?;
        for (id, bytes, answers) in &new {
            if stop.is_cancelled() {
                break;
            }
            if let Ok(mail) = mail::mime::parse(bytes) {
                let lines = mail.lines.0.iter().map(|(_, l)| l.as_str()).filter(|l| *l != MARKER);
                // An answer may hold what is only for mail, such as a password.
                let lines = lines.filter(|_| !answers);
                let text = lines.collect::<Vec<_>>().join("\n");
                let told = run(&self.command, &mail.subject, text.trim(), stop);
                if let Err(e) = told {
                    tracing::error!(mail = id, error = %e, "the command of [notify] failed");
                    self.failed += 1;
                    if stop.is_cancelled() || self.failed < ATTEMPTS {
                        return Ok(0);
                    }
                }
            }
            self.failed = 0;
            let id = id.to_string();
            self.store.write(|tx| tx.set_note(NOTE, &id))?;
        }
        Ok(new.len())
    }
}

/// Runs the command with a subject and a text.
fn run(command: &[String], subject: &str, text: &str, stop: &Cancel) -> Result<()> {
    let Some((program, words)) = command.split_first() else { return Ok(()) };
    let child = Command::new(program)
        .args(words)
        .arg(subject)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.or_else(|e| refuse(format!("{program}: {e}")))?;
    if let Some(mut input) = child.stdin.take() {
        // A program that reads nothing has ended, or wants none of it.
        let _ = input.write_all(text.as_bytes());
    }
    ended(&mut child, program, stop)
}

/// Waits for the command, and ends it where it takes too long.
fn ended(child: &mut Child, program: &str, stop: &Cancel) -> Result<()> {
    let look = Duration::from_millis(50);
    for _ in 0..PATIENCE.as_millis() / look.as_millis() {
        match child.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return refuse(format!("{program} ended with {status}")),
            Err(e) => return refuse(format!("{program}: {e}")),
        }
        stop.wait(look);
        if stop.is_cancelled() {
            break;
        }
    }
    // It may have ended just now.
    let _ = child.kill();
    let _ = child.wait();
    refuse(format!("{program} took longer than {} seconds", PATIENCE.as_secs()))
}
