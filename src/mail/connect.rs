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
    /// MAIL FROM: the server judges the sender of a mail (RFC 5321 §4.1.1.2).
    Sender,
}

/// A step that failed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectError {
    /// The step that failed; those before it succeeded.
    pub step: Step,
    /// What the server or the system said.
    pub cause: String,
}

impl ConnectError {
    /// Makes an error of `step` from any other error, for `map_err`.
    pub fn at<E: std::fmt::Display>(step: Step) -> impl Fn(E) -> Self {
        move |e| Self { step, cause: e.to_string() }
    }
}
