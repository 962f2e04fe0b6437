//! A live view of the host in a terminal.

use super::Failure;
use crate::config::Config;

/// Shows the host until the game master quits.
///
/// # Errors
/// When there is no terminal, or no store.
pub fn run(_config: &Config) -> Result<(), Failure> {
    Err("not built".into())
}
