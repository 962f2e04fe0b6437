//! `fieldpost game start`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::cli::output::spinner;
use crate::ops::Failure;
use robot::gm::{self, By};

/// Makes the world and mails the first printouts.
#[derive(Debug, clap::Args)]
pub struct Start {
    /// Code of the game.
    game: String,
    /// First deadline in the game's zone, such as "2026-12-01 18:00".
    #[arg(long)]
    deadline: Option<String>,
    /// Starts although some seats have no player.
    #[arg(long)]
    with_free_seats: bool,
    /// Gives all free seats to computer players.
    #[arg(long)]
    computers: bool,
}

impl Run for Start {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        let start = gm::Start {
            game: self.game,
            computers: self.computers,
            free: self.with_free_seats,
            deadline: self.deadline,
        };
        let bar = spinner(format!("making the world of {}", start.game));
        let said = robot.act(By::Shell, &start);
        bar.finish_and_clear();
        writeln!(out, "{}", said?)?;
        Ok(())
    }
}
