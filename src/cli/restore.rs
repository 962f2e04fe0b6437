//! `fieldpost restore`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::{Failure, backup};

/// Puts a copy in the place of the store.
#[derive(Debug, clap::Args)]
pub struct Restore {
    /// The copy.
    from: PathBuf,
    /// Reads mails again that came after the copy, from all folders of the mailboxes, and
    /// judges them at their time.
    #[arg(long)]
    refetch: bool,
}

impl Run for Restore {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        backup::restore(&context.config()?, &self.from, self.refetch, out)
    }
}
