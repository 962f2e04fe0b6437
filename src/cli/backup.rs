//! `fieldpost backup`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::host;
use crate::ops::{Failure, backup};
use registry::ENGINES;
use robot::gm::{By, Sight};

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
        let config = context.config()?;
        backup::run(&config, &self.to, self.keep.map(usize::from), out)?;
        // The copy is made, whatever becomes of its row in the record.
        let noted = host::robot(&config, &ENGINES).map_err(|e| e.to_string()).and_then(|mut r| {
            let what = "the whole store copied";
            r.looked(By::Shell, None, Sight::Copy, what).map_err(|e| e.to_string())
        });
        if let Err(e) = noted {
            writeln!(out, "Warning: the record of acts does not have it: {e}")?;
        }
        Ok(())
    }
}
