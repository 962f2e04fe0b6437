//! `fieldpost game list`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::ops::Failure;
use base::schedule;

/// Lists all games.
#[derive(Debug, clap::Args)]
pub struct List {}

impl Run for List {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        for game in context.robot()?.store.games().all()? {
            let due = game.deadline.map_or("-".into(), |d| schedule::local(d, &game.rule.zone));
            let (code, engine, status) = (&game.code, &game.engine, game.status.as_str());
            writeln!(
                out,
                "{code:<8} {engine:<15} {status:<9} turn {:<4} {due}",
                game.step.turns.to_string()
            )?;
        }
        Ok(())
    }
}
