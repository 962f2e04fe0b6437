//! `fieldpost game release`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::ops::Failure;
use robot::gm;

/// Lets a suspended game go on.
#[derive(Debug, clap::Args)]
pub struct Release {
    /// Code of the game.
    game: String,
}

impl Run for Release {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.act(&gm::Release { game: self.game }, out)
    }
}
