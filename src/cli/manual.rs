//! `fieldpost manual`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::Failure;
use crate::ops::part::unwritable;

/// Writes manual pages for `man`: one of the program and one of each command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  fieldpost manual /usr/local/share/man/man1")]
pub struct Manual {
    /// Folder for the pages.
    folder: PathBuf,
}

impl Run for Manual {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let bad = |e: std::io::Error| unwritable(&self.folder, &e);
        std::fs::create_dir_all(&self.folder).map_err(bad)?;
        clap_mangen::generate_to((context.line)(), &self.folder).map_err(bad)?;
        writeln!(out, "{}/fieldpost.1 and a page of each command", self.folder.display())?;
        Ok(())
    }
}
