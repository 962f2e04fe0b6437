//! `fieldpost gm`: a command of the game master as a mail has it.

use std::io::Write;

use super::command::{Context, Run};
use super::output::without_bars;
use crate::ops::Failure;
use crate::ops::gm_command::command;
use robot::gm::By;

/// Carries out a command of the game master as a mail has it; without one it lists them
#[derive(Debug, clap::Args)]
pub struct Gm {
    /// The command, such as SET W7 early=true; -- before words that begin with a dash.
    #[arg(value_name = "COMMAND", allow_negative_numbers = true)]
    words: Vec<String>,
}

impl Run for Gm {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let said = command(&mut context.robot()?, By::Shell, &self.words.join(" "))?;
        Ok(without_bars(&said, out)?)
    }
}
