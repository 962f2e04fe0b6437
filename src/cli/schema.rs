//! `fieldpost schema`.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::Failure;

/// Prints the JSON schema of turn.json or of a card as JSON.
#[derive(Debug, clap::Args)]
pub struct Schema {
    /// turn or card.
    of: Of,
}

// A doc comment on a value would change the help.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Of {
    Turn,
    Card,
}

impl Run for Schema {
    fn run(self, _: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let schema = match self.of {
            Of::Turn => render::data::schema(),
            Of::Card => robot::card::json::schema(),
        };
        write!(out, "{schema}")?;
        Ok(())
    }
}
