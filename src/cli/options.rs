//! `fieldpost options`.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::Failure;
use engine::options::{self, Chapter};
use registry::ENGINES;

/// Lists what may be chosen for a game with "game new --option NAME=VALUE".
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Whose options, such as warlord; without it those of all games.
    engine: Option<String>,
}

impl Run for Options {
    fn run(self, _: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let engines = match &self.engine {
            Some(id) => vec![engine::named(&ENGINES, id)?],
            None => ENGINES.to_vec(),
        };
        for engine in engines {
            let chapter = options::chapter(engine.options(), Chapter::Engine);
            let Some(mut chapter) = chapter else { continue };
            chapter.heading = format!("{} ({})", engine.title(), engine.id());
            write!(out, "{}", render::text::sections(&[chapter]))?;
        }
        Ok(())
    }
}
