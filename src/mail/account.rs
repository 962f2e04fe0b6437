//! How a mail server is logged in to: passwords that are kept elsewhere, tokens, encryption.

use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;

/// A password that is kept elsewhere and read when it is needed.
#[derive(Clone, PartialEq, Eq)]
pub enum Password {
    File(PathBuf),
    Env(String),
    /// What a program prints: a password, or a token that it renews.
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
    /// A sentence for the game master; never the password.
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

/// The first line that a program prints; it gets no input and no shell.
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
    Implicit,
    Starttls,
    /// For a server on this machine only.
    None,
}

/// How a server is told who logs in.
#[derive(Debug, Clone)]
pub struct Login {
    pub user: String,
    pub secret: Password,
    /// The secret is an OAuth token, for SASL XOAUTH2.
    pub token: bool,
}
