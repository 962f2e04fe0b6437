//! Incoming and outgoing mail: where messages come from, what they say, how they leave.

pub mod account;
pub mod auth;
pub mod body;
mod charset;
pub mod claim;
pub mod compose;
mod confine;
pub mod connect;
pub mod dsn;
pub mod html;
pub mod hygiene;
pub mod imap;
pub mod maildir;
pub mod marker;
pub mod mime;
pub mod normal;
pub mod origin;
pub mod parts;
pub mod quoting;
pub mod reader;
pub mod shred;
pub mod smtp;
pub mod tls;

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

use base::cancel::Cancel;

/// A message as it is in a mailbox.
#[derive(Debug, Clone)]
pub struct RawMessage {
    /// Name of the inbox in the config.
    pub source: String,
    /// Identity within the inbox: `UIDVALIDITY/UID`, or a Maildir's unique name.
    pub key: String,
    /// When the server received it: INTERNALDATE, or the time in the Maildir name.
    pub received_at: Timestamp,
    /// The whole message, or its start when it is larger than the inbox allows.
    pub bytes: Vec<u8>,
    /// Size of the whole message in octets, as the server gives it.
    pub size: u64,
    /// The result of our own check of its origin ([`auth::Checker`]).
    pub authenticity: auth::Authenticity,
    /// The From address that was checked; empty: there was none.
    pub checked_from: String,
}

/// The folder that a message is moved to after its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Folder {
    /// The robot acted on it.
    Accepted,
    /// Its sender got an answer that says what is wrong.
    Rejected,
    /// It needs no answer, such as automatic mail and copies.
    Ignored,
    /// It waits for a confirmation or for the game master.
    Quarantine,
    /// No folder: it holds a password, or its sender is to be forgotten, so it is removed.
    Removed,
}

impl Folder {
    /// All folders that exist in a mailbox.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Rejected, Self::Ignored, Self::Quarantine];

    /// The name of the folder in the mailbox.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "Accepted",
            Self::Rejected => "Rejected",
            Self::Ignored => "Ignored",
            Self::Quarantine => "Quarantine",
            Self::Removed => "(removed)",
        }
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A mailbox that can't be read now. Nothing is lost: the next round tries again.
#[derive(Debug, thiserror::Error)]
#[error("inbox {inbox}: {cause}")]
pub struct InboxError {
    /// Name of the inbox in the config.
    pub inbox: String,
    /// The error text of the server or the system.
    pub cause: String,
}

/// A place that mail comes from.
pub trait Inbox: Send {
    /// Name of the inbox in the config.
    fn name(&self) -> &str;

    /// Claims the mailbox for the store with this mark ([`claim::mark`]). Callers do this before
    /// each look; only the first on a connection costs something. A mailbox that allows no marks is
    /// used without.
    ///
    /// # Errors
    /// [`InboxError`] when another store has it, or when it can't be reached.
    fn claim(&mut self, mark: &str) -> Result<(), InboxError>;

    /// The next messages, oldest first; an inbox limits how many it returns at a time. Messages
    /// whose key satisfies `skip` are left out, because they have a verdict and only wait to be
    /// moved. An empty answer means that there are no more.
    ///
    /// # Errors
    /// [`InboxError`] when the mailbox can't be read.
    fn fetch(&mut self, skip: &dyn Fn(&str) -> bool) -> Result<Vec<RawMessage>, InboxError>;

    /// Moves messages, named by their keys, into folders. Callers commit the verdicts first. A
    /// message that is gone is not an error.
    ///
    /// # Errors
    /// [`InboxError`] when the mailbox can't be reached; the caller repeats the moves.
    fn file(&mut self, moves: &[(String, Folder)]) -> Result<(), InboxError>;

    /// Waits until new mail may be there, for at most `timeout`, or until `cancel`.
    ///
    /// # Errors
    /// [`InboxError`] when the connection is lost.
    fn wait(&mut self, timeout: Duration, cancel: &Cancel) -> Result<(), InboxError>;
}

/// A mail that is ready to leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingMail {
    /// Address of the one recipient.
    pub to: String,
    /// Envelope sender (RFC 5321 §4.1.1.2), which gets bounces.
    pub envelope_from: String,
    /// Message-ID without angle brackets.
    pub message_id: String,
    /// The message with CRLF line ends.
    pub bytes: Vec<u8>,
    /// Secret part of the envelope sender, which identifies a bounce; may be empty.
    pub bounce: String,
}

/// The outcome of an attempt to send a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendResult {
    /// The server took the mail.
    Sent,
    /// The server is unreachable or answered 4xx, with what it said: try again.
    Later(String),
    /// The server refused the mail for good (5xx), with what it said.
    Never(String),
    /// The mail is larger than the server takes. That says nothing of its recipient.
    TooLarge {
        /// Octets of the largest mail, where the server states it (SIZE, RFC 1870).
        most: Option<usize>,
        /// What the server said, or our own word about it.
        why: String,
    },
    /// The server can't do what the mail needs, which is not its recipient's fault.
    Unable(String),
}
