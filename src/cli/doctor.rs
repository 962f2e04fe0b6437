//! `fieldpost doctor`.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::{Failure, doctor};

/// Checks config, mail servers, clock, disk, store and domain, and says what to do.
#[derive(Debug, clap::Args)]
pub struct Doctor {
    /// Sends no mail to the robot itself.
    #[arg(long)]
    no_mail: bool,
}

impl Run for Doctor {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        // Not by way of the context: a wrong config is one of its findings.
        doctor::run(self.no_mail, &context.path, out)
    }
}
