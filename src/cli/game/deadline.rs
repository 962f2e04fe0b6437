//! `fieldpost game deadline`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::ops::Failure;
use robot::gm;

/// Moves the open turn's deadline to a date in the game's zone.
#[derive(Debug, clap::Args)]
pub struct Deadline {
    /// Code of the game.
    game: String,
    /// Such as "2026-12-01 18:00".
    at: String,
}

impl Run for Deadline {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.act(&gm::Deadline { game: self.game, at: self.at }, out)
    }
}
