//! Checks whether the host can do its work, and says what to do where it cannot.

use std::io::Write;
use std::path::Path;

use super::Failure;

/// What is left out.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Checks everything that the config at `path` names.
///
/// # Errors
/// When a check failed; each was printed with what to do.
pub fn run(_args: &Args, _path: &Path, _out: &mut dyn Write) -> Result<(), Failure> {
    Err("not built".into())
}
