//! `fieldpost play`.

use std::io::{BufReader, IsTerminal, Write, stdin};
use std::path::{Path, PathBuf};

use dialoguer::Editor;

use super::command::{Context, Run};
use crate::ops::Failure;
use crate::play::{self, Desk, Table};

/// Plays a private game on this machine against computers, with lessons in its first turns.
///
/// No mail server is needed. Orders are typed or written in an editor ($VISUAL or $EDITOR), and
/// printouts open in the browser. The game lies in a folder, and the same command goes on with it.
#[derive(Debug, clap::Args)]
pub struct Play {
    /// Engine: warlord, battle-plan, classic-warlord, empire-deluxe or imperium.
    #[arg(default_value = "warlord")]
    engine: String,
    /// Folder of the game; fieldpost-play-ENGINE by default.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Opens no browser.
    #[arg(long)]
    no_browser: bool,
}

impl Run for Play {
    fn run(self, _: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let default = || PathBuf::from(format!("fieldpost-play-{}", self.engine));
        let root = self.dir.clone().unwrap_or_else(default);
        let mut table = Table::open(&root, &self.engine)?;
        let mut machine = Machine { browser: !self.no_browser && stdin().is_terminal() };
        play::play(&mut table, &mut machine, &mut BufReader::new(stdin()), out)
    }
}

/// The player's machine.
struct Machine {
    browser: bool,
}

impl Desk for Machine {
    fn edit(&mut self, text: &str) -> Result<Option<String>, Failure> {
        if !stdin().is_terminal() {
            return Err("there is no terminal for an editor; type the orders line by line".into());
        }
        let edited = Editor::new().extension(".txt").edit(text);
        Ok(edited.map_err(|e| format!("no editor: {e}; set EDITOR to one"))?)
    }

    fn show(&mut self, page: &Path) -> Result<(), Failure> {
        if self.browser {
            open::that_detached(page).map_err(|e| format!("no browser: {e}"))?;
        }
        Ok(())
    }
}
