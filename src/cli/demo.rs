//! `fieldpost demo`.

use std::io::Write;
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};

use super::command::{Context, Run};
use crate::demo;
use crate::ops::Failure;

/// Plays a few turns of a game from real order mails, without a config, and leaves a folder with
/// pages, printouts and mails.
#[derive(Debug, clap::Args)]
pub struct Demo {
    /// Engine: warlord (12 players, 2 turns), battle-plan (5 players, 4 turns),
    /// classic-warlord (4 players, 7 rounds), empire-deluxe (a duel with a computer),
    /// empire-deluxe-together (3 who move at once) or imperium (2 players, a turn of war).
    #[arg(long, visible_alias = "game", default_value = "warlord")]
    engine: String,
    /// Where to play, a new folder; one in the temporary folder by default.
    #[arg(long)]
    dir: Option<PathBuf>,
}

impl Run for Demo {
    fn run(self, _: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        // The coloured map is our own text, so it may control the terminal, if that has colours.
        let colours = AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
        let mut stdout = std::io::stdout();
        let colour = colours.then_some(&mut stdout as &mut dyn Write);
        demo::run(&self.engine, self.dir.as_deref(), out, colour)
    }
}
