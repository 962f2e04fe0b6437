//! `fieldpost watch`.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::{Failure, watch};

/// Shows games, verdicts and the outbox as they are, in the terminal.
#[derive(Debug, clap::Args)]
pub struct Watch {
    /// Prints what there is to see once, as plain text of 80 columns, and ends.
    #[arg(long)]
    once: bool,
}

impl Run for Watch {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        watch::run(&context.config()?, self.once, out)
    }
}
