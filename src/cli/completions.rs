//! `fieldpost completions`.

use std::io::Write;

use clap_complete::{Shell, generate};

use super::command::{Context, Run};
use crate::ops::Failure;

/// Prints what makes a shell complete words of the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  fieldpost completions bash > \
                        /etc/bash_completion.d/fieldpost")]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

impl Run for Completions {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut written = Vec::new();
        generate(self.shell, &mut (context.line)(), "fieldpost", &mut written);
        Ok(out.write_all(&written)?)
    }
}
