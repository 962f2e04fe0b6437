//! `fieldpost check`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::Failure;
use engine::Seat;

/// Answers a card from a file as the robot answers it in a mail, and files nothing.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// Code of the game.
    #[arg(long)]
    game: String,
    /// Number of the seat.
    #[arg(long)]
    seat: u8,
    /// File with the card; - for standard input.
    card: PathBuf,
}

impl Run for Check {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        let text = match self.card.as_os_str() == "-" {
            true => std::io::read_to_string(std::io::stdin())?,
            false => std::fs::read_to_string(&self.card)
                .map_err(|e| format!("{}: {e}", self.card.display()))?,
        };
        let game = robot.game(&self.game)?;
        if !(1..=game.setup.seats).contains(&self.seat) {
            return Err(format!("game {} has seats 1 to {}", game.code, game.setup.seats).into());
        }
        write!(out, "{}", robot.check(&game, Seat(self.seat), &text)?)?;
        Ok(())
    }
}
