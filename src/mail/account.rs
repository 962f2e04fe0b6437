//! How the robot logs in to a mail server: passwords from outside the config, tokens, encryption.

use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;

/// A place where a password is kept. It is read each time it is needed, and never shown.
#[derive(Clone, PartialEq, Eq)]
pub enum Password {
    /// A file that holds only the password; a line end after it is dropped.
    File(PathBuf),
    /// Name of an environment variable.
    Env(String),
    /// A program with its arguments, without a shell. The first line that it prints is the
    /// password, or a token that the program renews.
    Command(Vec<String>),
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

impl Password {
    /// Reads the password.
    ///
    /// # Errors
    /// A sentence for the game master; it never contains the password.
    pub fn read(&self) -> Result<String, String> {
        let text = match self {
            Self::File(path) => std::fs::read_to_string(path)
                .map_err(|e| format!("password file {}: {e}", path.display()))?,
            Self::Env(name) => environment(name).ok_or_else(|| {
                format!("environment variable {name} with the password is not set")
            })?,
            Self::Command(words) => printed(words)?,
        };
        Ok(text.trim_end_matches(['\r', '\n']).to_owned())
    }
}

/// The first line that a program prints. The program gets no input and no shell.
fn printed(words: &[String]) -> Result<String, String> {
    let (program, arguments) = words.split_first().ok_or("an empty command")?;
    let done = std::process::Command::new(program)
        .args(arguments)
        .stdin(std::process::Stdio::null())
        .output()
        .map_err(|e| format!("{program}: {e}"))?;
    let text = String::from_utf8_lossy(&done.stdout);
    match text.lines().next() {
        Some(line) if done.status.success() && !line.is_empty() => Ok(line.to_owned()),
        _ => Err(format!("{program} printed no password; it ended with {}", done.status)),
    }
}

#[expect(clippy::disallowed_methods, reason = "this file owns the environment")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// How a connection is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TlsMode {
    /// TLS from the first byte (RFC 8314 §3).
    Implicit,
    /// Plain text that is upgraded to TLS before the login (RFC 3207, RFC 9051 §6.2.1).
    Starttls,
    /// No encryption, for a server on this machine only.
    None,
}

/// The account at a server.
#[derive(Debug, Clone)]
pub struct Login {
    /// Name of the account.
    pub user: String,
    /// Its password or token.
    pub secret: Password,
    /// Whether the secret is an OAuth token, for SASL XOAUTH2.
    pub token: bool,
}
