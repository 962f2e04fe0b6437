//! The dashboard: pages of the host on loopback, with a token.

use std::io::Write;

use super::Failure;
use crate::config::Config;

/// Prints the address of the dashboard with its token.
///
/// # Errors
/// When the config has no dashboard.
pub fn address(_config: &Config, _out: &mut dyn Write) -> Result<(), Failure> {
    Err("not built".into())
}
