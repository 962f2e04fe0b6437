//! Copies of the whole store while the robot runs, and back.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use crate::config::Config;

/// Where copies go.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder for copies, each named after its time, or a file.
    to: PathBuf,
    /// Newest copies that stay in the folder; older ones go.
    #[arg(long)]
    keep: Option<usize>,
}

/// Which copy comes back.
#[derive(Debug, clap::Args)]
pub struct RestoreArgs {
    /// The copy.
    from: PathBuf,
}

/// Copies the store.
///
/// # Errors
/// A sentence that says what to do; a copy that is not whole is not left behind.
pub fn run(_config: &Config, _args: &Args, _out: &mut dyn Write) -> Result<(), Failure> {
    Err("not built".into())
}

/// Puts a copy in the place of the store.
///
/// # Errors
/// A sentence that says what to do; the store is as it was then.
pub fn restore(_config: &Config, _args: &RestoreArgs, _out: &mut dyn Write) -> Result<(), Failure> {
    Err("not built".into())
}
