//! `fieldpost game hold`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::ops::Failure;
use robot::gm;

/// Stops a game: its turns do not run.
#[derive(Debug, clap::Args)]
pub struct Hold {
    /// Code of the game.
    game: String,
    /// Why, for the game master's listing.
    why: String,
}

impl Run for Hold {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.act(&gm::Hold { game: self.game, why: self.why }, out)
    }
}
