//! One game as one file, from host to host.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use crate::robot::Robot;

/// Which game goes where.
#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// Code of the game.
    game: String,
    /// The file.
    file: PathBuf,
}

/// Which file comes in.
#[derive(Debug, clap::Args)]
pub struct ImportArgs {
    /// The file.
    file: PathBuf,
    /// A new code for the game, where its own is taken.
    #[arg(long = "as")]
    code: Option<String>,
}

/// Writes a game with its seats, journal, orders and mails into a file.
///
/// # Errors
/// A sentence that says what to do.
pub fn export(_robot: &mut Robot, _args: &ExportArgs, _out: &mut dyn Write) -> Result<(), Failure> {
    Err("not built".into())
}

/// Takes a game from a file; it is held until the game master lets it go on.
///
/// # Errors
/// A sentence that says what to do; nothing is kept then.
pub fn import(_robot: &mut Robot, _args: &ImportArgs, _out: &mut dyn Write) -> Result<(), Failure> {
    Err("not built".into())
}
