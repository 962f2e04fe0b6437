//! Public pages as files: games, standings, rulebooks, maps of games that are over.

use std::io::Write;
use std::path::Path;

use super::Failure;
use crate::robot::Robot;

/// Writes all pages into `folder`.
///
/// # Errors
/// When the store or the folder fails.
pub fn run(_robot: &mut Robot, _folder: &Path, _out: &mut dyn Write) -> Result<(), Failure> {
    Err("not built".into())
}
