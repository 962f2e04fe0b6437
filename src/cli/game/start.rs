//! `fieldpost game start`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::cli::output::spinner;
use crate::ops::Failure;
use engine::Seat;
use robot::Robot;

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
        let game = &self.game;
        if self.computers {
            fill_with_computers(&mut robot, game)?;
        }
        let bar = spinner(format!("making the world of {game}"));
        robot.start(game, self.deadline.as_deref(), self.with_free_seats)?;
        bar.finish_and_clear();
        writeln!(out, "Game {game} runs; its first printouts are in the outbox.")?;
        Ok(())
    }
}

fn fill_with_computers(robot: &mut Robot, game: &str) -> Result<(), Failure> {
    let found = robot.game(game)?;
    let taken = robot.store.seats(&found.code)?;
    for seat in (1..=found.setup.seats).map(Seat) {
        if taken.iter().all(|t| t.seat != seat) {
            robot.add_computer(game, seat)?;
        }
    }
    Ok(())
}
