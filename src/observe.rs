//! The log: one event a line, human or JSON; no address, secret or mail body at
//! info level.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::Log;

/// Starts the log on standard error; colours only on a terminal. A panic becomes
/// one event with its place alone, for its message may quote a mail.
pub fn start(log: &Log) {
    let filter = EnvFilter::try_new(format!("off,fieldpost={}", log.level))
        .unwrap_or_else(|_| EnvFilter::new("off,fieldpost=info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    // A second start, as tests make, keeps the first.
    let _ = match log.json {
        true => builder.json().try_init(),
        false => builder.with_target(false).try_init(),
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panic");
    }));
}
