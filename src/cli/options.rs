//! `fieldpost options`.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::Failure;
use engine::{Engine, options};
use registry::ENGINES;

/// Lists what may be chosen for a game with "game new --option NAME=VALUE".
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Whose options, such as warlord; without it those of all games.
    engine: Option<String>,
}

impl Run for Options {
    fn run(self, _: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let asked = |e: &&&dyn Engine| self.engine.as_deref().is_none_or(|id| e.id() == id);
        let engines: Vec<&&dyn Engine> = ENGINES.iter().filter(asked).collect();
        if engines.is_empty() {
            let ids: Vec<&str> = ENGINES.iter().map(|e| e.id()).collect();
            return Err(format!("there is no such engine; there are {}", ids.join(", ")).into());
        }
        for engine in engines {
            let Some(mut chapter) = options::chapter(engine.options(), None) else { continue };
            chapter.heading = format!("{} ({})", engine.title(), engine.id());
            write!(out, "{}", render::text::sections(&[chapter]))?;
        }
        Ok(())
    }
}
