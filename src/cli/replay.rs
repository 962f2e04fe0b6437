//! `fieldpost replay`.

use std::io::Write;

use super::command::{Context, Run};
use super::output::turn_counter;
use crate::ops::Failure;

/// Recomputes every turn of a game and compares hashes with the journal.
#[derive(Debug, clap::Args)]
pub struct Replay {
    /// Code of the game.
    game: String,
}

impl Run for Replay {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let robot = context.robot()?;
        let bar = turn_counter()?;
        let turns = robot.replay(&self.game, |turn| bar.set_position(u64::from(turn)))?;
        bar.finish_and_clear();
        let wrong: Vec<String> =
            turns.iter().filter(|t| !t.same).map(|t| t.turn.to_string()).collect();
        if wrong.is_empty() {
            let count = turns.len();
            writeln!(out, "{count} turns recomputed; all hashes are those of the journal.")?;
            return Ok(());
        }
        Err(format!("turns {} came out differently from the journal", wrong.join(", ")).into())
    }
}
