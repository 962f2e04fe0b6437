//! `fieldpost mail explain`.

use std::io::{Read, Write};
use std::path::PathBuf;

use crate::cli::command::{Context, Run};
use crate::ops::Failure;

/// Explains step by step what the robot would do with a mail, and does nothing.
#[derive(Debug, clap::Args)]
pub struct Explain {
    /// File with the raw mail; - for standard input.
    file: PathBuf,
}

impl Run for Explain {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        let bytes = match self.file.as_os_str() == "-" {
            true => {
                let mut bytes = Vec::new();
                std::io::stdin().read_to_end(&mut bytes)?;
                bytes
            }
            false => {
                std::fs::read(&self.file).map_err(|e| format!("{}: {e}", self.file.display()))?
            }
        };
        write!(out, "{}", robot.explain(&bytes)?)?;
        Ok(())
    }
}
