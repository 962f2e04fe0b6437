//! `fieldpost backup`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::{Failure, backup};

/// Copies the whole store while the robot runs.
#[derive(Debug, clap::Args)]
pub struct Backup {
    /// Folder for copies, each named after its time, or a file that is not there yet.
    to: PathBuf,
    /// Newest copies that stay in the folder, this one included; older ones go.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    keep: Option<u16>,
}

impl Run for Backup {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        backup::run(&context.config()?, &self.to, self.keep.map(usize::from), out)
    }
}
