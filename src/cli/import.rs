//! `fieldpost import`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::{Failure, archive};

/// Takes a game from a file; it is suspended until it is released.
#[derive(Debug, clap::Args)]
pub struct Import {
    /// The file.
    file: PathBuf,
    /// A new code for the game, where its own is taken.
    #[arg(long = "as")]
    code: Option<String>,
}

impl Run for Import {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        archive::import(&mut context.robot()?, &self.file, self.code.as_deref(), out)
    }
}
