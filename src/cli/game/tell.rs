//! `fieldpost game tell`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::ops::Failure;
use engine::Seat;
use robot::gm::{self, By};

/// Mails a text to all players of a game, or to one.
#[derive(Debug, clap::Args)]
pub struct Tell {
    /// Code of the game.
    game: String,
    /// Number of a seat, or all.
    whom: String,
    /// The text.
    text: String,
}

impl Run for Tell {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        let seat = match self.whom.as_str() {
            "all" => None,
            number => Some(Seat(number.parse().map_err(|_| "write a seat's number, or all")?)),
        };
        let act = gm::Tell { game: self.game, seat, text: self.text };
        writeln!(out, "{}", robot.act(By::Shell, &act)?)?;
        Ok(())
    }
}
