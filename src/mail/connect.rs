//! How far a connection to a mail server got before it failed.

/// A step on the way to a server's service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Name lookup, TCP connection and the server's greeting.
    Connect,
    /// Encryption and the server's certificate.
    Tls,
    /// User and password, or a token.
    LogIn,
    /// Opening a folder of a mailbox.
    Folder,
    /// MAIL FROM: the server checks the sender of a mail (RFC 5321 §4.1.1.2).
    Sender,
}

/// A step that failed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectError {
    /// The step that failed; those before it succeeded.
    pub step: Step,
    /// The error text of the server or the system.
    pub cause: String,
}

impl ConnectError {
    /// Makes an error of `step` from any other error, for `map_err`.
    pub fn at<E: std::fmt::Display>(step: Step) -> impl Fn(E) -> Self {
        move |e| Self { step, cause: one_line(&e.to_string()) }
    }
}

/// Characters of a server's text that we keep.
const SAID_MAX: usize = 300;

/// A server's text as one short line without control characters, fit for a log and a page.
pub fn one_line(text: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let mut line: String = text.chars().take(SAID_MAX).map(shown).collect();
    if text.chars().nth(SAID_MAX).is_some() {
        line.push_str(" ...");
    }
    line
}
