//! Checks where mails come from in child processes.
//!
//! The check follows the words of a mail and of name servers, both written by others, and needs
//! both in turn: a signature names the key to ask for. So it can't be split into a part that parses
//! and a part that asks. A separate process does all of it for each mail; that process has
//! connections to name servers and limits, but neither files nor programs (the module `confine`).

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::auth::{Authenticity, CHECK_MAX, Checker};
use super::confine::confine_but_names;
use super::reader::{Helper, ReaderError, work};

/// The hidden command that makes this program a child that checks a mail.
pub const WORD: &str = "check-origins";
/// The port of name servers.
const DNS_PORT: u16 = 53;
/// How much longer than the check itself an answer may take.
const SLACK: Duration = Duration::from_secs(5);
/// Idle processes that are kept ready.
const READY_MAX: usize = 4;

/// Something that checks where a mail comes from.
pub trait CheckOrigin: Send + Sync {
    /// The origin of a whole mail, and the From address that was checked.
    fn check(&self, bytes: &[u8]) -> (Authenticity, String);
}

impl CheckOrigin for Checker {
    fn check(&self, bytes: &[u8]) -> (Authenticity, String) {
        Self::check(self, bytes)
    }
}

/// A checker with child processes, one for each mail, as many at a time as there are calls.
pub struct Apart {
    program: PathBuf,
    words: Vec<String>,
    /// Idle children.
    idle: Mutex<Vec<Helper>>,
}

impl Apart {
    /// A checker whose children run a program that knows the command [`WORD`]. The other arguments
    /// are as in [`Checker::new`].
    pub fn by(program: PathBuf, dns: Option<SocketAddr>, received_by: Option<&str>) -> Self {
        let mut words = vec![WORD.to_owned()];
        words.extend(dns.map(|at| format!("--dns={at}")));
        words.extend(received_by.map(|name| format!("--received-by={name}")));
        Self { program, words, idle: Mutex::default() }
    }

    fn asked(&self, bytes: &[u8]) -> Result<(Authenticity, String), ReaderError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let helper = idle().pop();
        let mut helper =
            helper.unwrap_or_else(|| Helper::new(self.program.clone(), self.words.clone()));
        let answer = helper.ask(bytes, CHECK_MAX + SLACK)?;
        let mut idle = idle();
        if idle.len() < READY_MAX {
            idle.push(helper);
        }
        let (found, from): (String, String) =
            codec::from_bytes(&answer).map_err(|_| ReaderError::Died)?;
        Ok((found.parse().map_err(|_| ReaderError::Died)?, from))
    }
}

impl CheckOrigin for Apart {
    fn check(&self, bytes: &[u8]) -> (Authenticity, String) {
        self.asked(bytes).unwrap_or_else(|e| {
            // An unchecked mail proves nothing.
            tracing::warn!(error = %e, "the origin of a mail is not known: checking it failed");
            Default::default()
        })
    }
}

/// The code of the child: checks one mail.
///
/// # Errors
/// A sentence when there is no name server to ask.
pub fn serve(dns: Option<SocketAddr>, received_by: Option<String>) -> Result<(), String> {
    // It reads the files of the system that it needs here, before it is confined.
    let checker = Checker::new(dns, received_by)?;
    work(confine_but_names(dns.map_or(DNS_PORT, |at| at.port())), |bytes| {
        let (found, from) = checker.check(bytes);
        codec::to_bytes(&(found.as_str(), from)).ok()
    });
    Ok(())
}
