//! How far a connection to a mail server came before it failed.

/// A step on the way to a server's service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The server's name, its port, its greeting.
    Connect,
    /// Encryption and the server's certificate.
    Tls,
    /// Name and password, or a token.
    LogIn,
    /// The folder of a mailbox.
    Folder,
    /// The sender of a mail.
    Sender,
}

/// What failed, and at which step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    pub step: Step,
    /// What the server or the system said.
    pub cause: String,
}

impl Trouble {
    /// The trouble of a step, for `map_err`.
    pub fn at<E: std::fmt::Display>(step: Step) -> impl Fn(E) -> Self {
        move |e| Self { step, cause: e.to_string() }
    }
}
