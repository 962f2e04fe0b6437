//! `fieldpost atlas`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use super::output::step_counter;
use crate::ops::Failure;
use crate::render_files;
use robot::gm::{By, Sight};

/// Writes the whole map of a game, and its course as an animated picture and as a page with a
/// slider; when it is over also what each seat saw.
#[derive(Debug, clap::Args)]
pub struct Atlas {
    /// Code of the game.
    game: String,
    /// Folder for the files.
    #[arg(long, default_value = ".")]
    out: PathBuf,
    /// Milliseconds that a turn is shown.
    #[arg(long, default_value_t = render_files::FRAME_MS)]
    frame_ms: u16,
}

impl Run for Atlas {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        robot.looked(By::Shell, Some(&self.game), Sight::Map, "the whole map shown")?;
        let bar = step_counter()?;
        let progress = |turn: u32| bar.set_position(u64::from(turn));
        let written =
            render_files::atlas(&mut robot, &self.game, self.frame_ms, &self.out, progress)?;
        bar.finish_and_clear();
        written.iter().try_for_each(|path| writeln!(out, "{}", path.display()))?;
        Ok(())
    }
}
