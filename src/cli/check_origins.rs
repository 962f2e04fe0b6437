//! `fieldpost check-origins`, which a robot that serves starts for itself.

use std::io::Write;
use std::net::SocketAddr;

use super::command::{Context, Run};
use crate::ops::Failure;

/// Checks where a mail comes from, for a robot that serves.
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub struct CheckOrigins {
    /// The name server to ask; the system's without it
    #[arg(long)]
    dns: Option<SocketAddr>,
    /// The server that takes our mail
    #[arg(long)]
    received_by: Option<String>,
}

impl Run for CheckOrigins {
    fn run(self, _: &Context, _: &mut dyn Write) -> Result<(), Failure> {
        Ok(mail::origin::serve(self.dns, self.received_by)?)
    }
}
