//! `fieldpost credit`: what players paid for printouts.

use std::io::Write;

use super::command::{Context, Entry, Run};
use super::output::one_line;
use crate::ops::Failure;
use base::schedule;
use engine::Seat;
use robot::gm;

/// The help of the group.
pub const ABOUT: &str = "Enters and lists payments, in games whose printouts cost a fee";

/// The commands of the group, in the order of the help.
pub const COMMANDS: &[Entry] = &[Entry::one::<Add>("add"), Entry::one::<List>("list")];

/// Enters a payment; a printout that waits for it is sent.
#[derive(Debug, clap::Args)]
pub struct Add {
    /// Code of the game.
    game: String,
    /// Number of the seat.
    seat: u8,
    /// Credits; negative takes some back.
    #[arg(allow_negative_numbers = true)]
    amount: i64,
    /// What for, in the ledger.
    #[arg(long, default_value = "payment")]
    why: String,
}

impl Run for Add {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { game, seat, amount, why } = self;
        context.act(&gm::Credit { game, seat: Seat(seat), amount, why }, out)
    }
}

/// Shows the ledger of a seat.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Code of the game.
    game: String,
    /// Number of the seat.
    seat: u8,
}

impl Run for List {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let robot = context.robot()?;
        let (game, seat) = (robot.game(&self.game)?, Seat(self.seat));
        for entry in robot.store.ledger(&game.code, seat)? {
            let at = schedule::local(entry.at, &game.rule.zone);
            writeln!(out, "{at}  {:>6}  {}", entry.amount, one_line(&entry.why))?;
        }
        let left = robot.store.credit(&game.code, seat)?;
        writeln!(out, "Seat {} has {left} credits; a printout costs {}.", self.seat, game.fee)?;
        Ok(())
    }
}
