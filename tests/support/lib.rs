//! Helpers of several test suites: a host in a folder, replies as mail programs write them, and a
//! real Dovecot and Postfix on loopback.

#![allow(missing_docs, reason = "support of tests")]

pub mod chance;
pub mod host;
pub mod letter;
pub mod postgres;
pub mod process;
pub mod replies;
pub mod rig;
pub mod shapes;
pub mod toy;

/// The folder that holds everything.
pub fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
