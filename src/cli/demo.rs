//! `fieldpost demo`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::demo;
use crate::ops::Failure;

/// Plays a few turns of a game from real order mails, without a config.
#[derive(Debug, clap::Args)]
pub struct Demo {
    /// Engine: warlord (12 players, 2 turns), battle-plan (5 players, 4 turns),
    /// classic-warlord (4 players, 7 rounds), empire-deluxe (a duel with a computer),
    /// empire-deluxe-together (3 who move at once) or imperium (2 players, a turn of war).
    #[arg(long, visible_alias = "game", default_value = "warlord")]
    engine: String,
    /// Where to play; a temporary folder by default.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Leaves the folder behind.
    #[arg(long)]
    keep: bool,
}

impl Run for Demo {
    fn run(self, _: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        demo::run(&self.engine, self.dir.as_deref(), self.keep, out)
    }
}
