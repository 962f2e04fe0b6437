//! `fieldpost rules`.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::Failure;

/// Prints the rulebook of a game, with the figures of its data files.
#[derive(Debug, clap::Args)]
pub struct Rules {
    /// Code of the game.
    game: String,
}

impl Run for Rules {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let robot = context.robot()?;
        let game = robot.game(&self.game)?;
        let open = robot.open(&game)?;
        let book = robot.games().shielded(&game.code, || open.rulebook())?;
        write!(out, "{}", render::text::sections(&book))?;
        Ok(())
    }
}
