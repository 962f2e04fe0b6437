//! `fieldpost export`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::{Failure, archive};
use robot::gm::{By, Sight};

/// Writes one game as one file, for another host.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// Code of the game.
    game: String,
    /// The file; it must not be there yet.
    file: PathBuf,
    /// Stops the game here first, and tells its players that it moves.
    #[arg(long)]
    hold: bool,
}

impl Run for Export {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        // This is recorded before the file is written, and so before anybody can look into it.
        robot.looked(By::Shell, Some(&self.game), Sight::Export, "the whole game exported")?;
        archive::export(&mut robot, &self.game, &self.file, self.hold, out)
    }
}
