//! `fieldpost turn`: turns run and taken back by hand.

use std::io::Write;

use super::command::{Context, Entry, Run};
use super::output::spinner;
use crate::ops::{Failure, unread};
use robot::gm::{self, By};

/// The help of the group.
pub const ABOUT: &str = "Runs the open turn, or takes the last one back";

/// The commands of the group, in the order of the help.
pub const COMMANDS: &[Entry] = &[Entry::one::<RunTurn>("run"), Entry::one::<Undo>("undo")];

/// Runs the open turn now, whatever the deadline, with all cards that lie in the mailboxes.
#[derive(Debug, clap::Args)]
pub struct RunTurn {
    /// Code of the game.
    game: String,
    /// Run it without reading the mailboxes first.
    #[arg(long)]
    unread: bool,
}

impl Run for RunTurn {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        if !self.unread {
            // A mistyped code is reported before any mail is read.
            robot.game(&self.game)?;
            unread::read_first(&context.config()?)?;
        }
        let label = robot.game(&self.game)?.step.label;
        let bar = spinner(format!("{label} of {}", self.game));
        let said = robot.act(By::Shell, &gm::Run { game: self.game });
        bar.finish_and_clear();
        writeln!(out, "{}", said?)?;
        Ok(())
    }
}

/// Takes the last turn back, as long as nobody has answered it, or several; the game is suspended.
#[derive(Debug, clap::Args)]
pub struct Undo {
    /// Code of the game.
    game: String,
    /// The turn that is to be open again: it and all that ran since are taken back, with one mail
    /// to each player. Cards for later turns are withdrawn.
    #[arg(long, value_name = "TURN")]
    to: Option<u32>,
}

impl Run for Undo {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.act(&gm::Withdraw { game: self.game, to: self.to }, out)
    }
}
