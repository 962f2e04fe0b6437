//! `fieldpost publish`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::{Failure, publish};

/// Writes public pages as files: games, standings, rulebooks, a feed.
#[derive(Debug, clap::Args)]
pub struct Publish {
    /// Folder for the files.
    folder: PathBuf,
}

impl Run for Publish {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        publish::run(&mut context.robot()?, &self.folder, out)
    }
}
