//! Mail in and out: where messages come from, what they say, how they leave.

pub mod account;
pub mod auth;
pub mod body;
pub mod compose;
pub mod dsn;
pub mod html;
pub mod hygiene;
pub mod imap;
pub mod maildir;
pub mod mime;
pub mod normal;
pub mod quoting;
pub mod reader;
pub mod smtp;
pub mod tls;
pub mod trouble;

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

use base::stop::Stop;

/// A message as it lies in a mailbox.
#[derive(Debug, Clone)]
pub struct RawMessage {
    /// Name of the inbox in the config.
    pub source: String,
    /// Identity within the inbox: `UIDVALIDITY/UID`, or a Maildir's unique name.
    pub key: String,
    /// When the server took it: INTERNALDATE, or the Maildir name's time.
    pub received_at: Timestamp,
    /// The whole message, or its start when it is over the limit.
    pub bytes: Vec<u8>,
    /// Size in octets as the server tells it.
    pub size: u64,
    /// What our own check of its origin found.
    pub authenticity: auth::Authenticity,
}

/// Folder that a message is moved to after its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Folder {
    Accepted,
    Rejected,
    Ignored,
    Quarantine,
}

impl Folder {
    /// All folders.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Rejected, Self::Ignored, Self::Quarantine];

    /// Name in the mailbox.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "Accepted",
            Self::Rejected => "Rejected",
            Self::Ignored => "Ignored",
            Self::Quarantine => "Quarantine",
        }
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A mailbox that can't be read now; nothing is lost, it is tried again.
#[derive(Debug, thiserror::Error)]
#[error("inbox {inbox}: {cause}")]
pub struct InboxError {
    pub inbox: String,
    pub cause: String,
}

/// A place that mail comes from.
pub trait Inbox: Send {
    /// Name in the config.
    fn name(&self) -> &str;

    /// Some of the messages that lie there, oldest first; `skip` says which keys
    /// have a verdict and only wait to be moved. Empty: there are no others.
    ///
    /// # Errors
    /// [`InboxError`] when the mailbox can't be read.
    fn fetch(&mut self, skip: &dyn Fn(&str) -> bool) -> Result<Vec<RawMessage>, InboxError>;

    /// Moves messages after their verdicts are committed. A message that is gone
    /// already is no error.
    ///
    /// # Errors
    /// [`InboxError`] when the mailbox can't be reached; the moves are repeated
    /// later.
    fn file(&mut self, moves: &[(String, Folder)]) -> Result<(), InboxError>;

    /// Waits until something may have come, at most so long, or until the word to stop.
    ///
    /// # Errors
    /// [`InboxError`] when the connection is lost.
    fn wait(&mut self, at_most: Duration, stop: &Stop) -> Result<(), InboxError>;
}

/// A mail that is ready to leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingMail {
    /// The one recipient.
    pub to: String,
    /// Envelope sender, where bounces go.
    pub envelope_from: String,
    pub message_id: String,
    /// The message with CRLF line ends.
    pub bytes: Vec<u8>,
    /// Secret part of the return path, by which a bounce is known; may be empty.
    pub bounce: String,
}

/// What became of an attempt to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendResult {
    Sent,
    /// Try again: the server is away or said 4xx.
    Later(String),
    /// The server said 5xx.
    Never(String),
}
