//! `fieldpost seat`: who plays.

use std::io::Write;

use super::command::{Context, Entry, Run};
use crate::ops::Failure;
use base::terms::Contact;
use engine::Seat;
use robot::gm;
use robot::gm::setup::NewSeat;

/// The help of the group.
pub const ABOUT: &str = "Gives seats to players";

/// The commands of the group, in the order of the help.
pub const COMMANDS: &[Entry] = &[
    Entry::one::<Add>("add"),
    Entry::one::<Computer>("computer"),
    Entry::one::<Give>("give"),
    Entry::one::<List>("list"),
];

/// Gives a seat to a player and prints its password once.
#[derive(Debug, clap::Args)]
pub struct Add {
    /// Code of the game.
    game: String,
    /// Number of the seat.
    seat: u8,
    /// The player's mail address.
    address: String,
    /// The name that the seat goes by in the game.
    #[arg(long, default_value = "")]
    name: String,
    /// The player's time zone; the game's by default.
    #[arg(long)]
    zone: Option<String>,
    /// How players who meet this seat may reach its player: disclose, relay or hide.
    #[arg(long, default_value = "hide", value_parser = contact)]
    contact: Contact,
    /// With the right secret a card may come from any address.
    #[arg(long)]
    any_address: bool,
}

fn contact(text: &str) -> Result<Contact, String> {
    text.parse().map_err(|_| "write disclose, relay or hide".to_owned())
}

impl Run for Add {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let new = NewSeat {
            game: self.game,
            seat: Seat(self.seat),
            address: self.address,
            name: self.name,
            zone: self.zone,
            contact: self.contact,
            any_address: self.any_address,
        };
        context.act(&gm::AddSeat(new), out)
    }
}

/// Gives a free seat to a computer player; a player may follow it later.
#[derive(Debug, clap::Args)]
pub struct Computer {
    /// Code of the game.
    game: String,
    /// Number of the seat.
    seat: u8,
}

impl Run for Computer {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.robot()?.add_computer(&self.game, Seat(self.seat))?;
        writeln!(out, "Seat {} is played by a computer.", self.seat)?;
        Ok(())
    }
}

/// Gives a seat to another address: its player moves, or has left.
#[derive(Debug, clap::Args)]
pub struct Give {
    /// Code of the game.
    game: String,
    /// Number of the seat.
    seat: u8,
    /// The player's mail address.
    address: String,
}

impl Run for Give {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { game, seat, address } = self;
        context.act(&gm::GiveSeat { game, seat: Seat(seat), address }, out)
    }
}

/// Lists the seats of a game.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Code of the game.
    game: String,
}

impl Run for List {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let robot = context.robot()?;
        let code = robot.game(&self.game)?.code;
        for seat in robot.store.games().seats(&code)? {
            if seat.computer {
                writeln!(out, "seat {:>3}  a computer player", seat.seat)?;
                continue;
            }
            let disclosed = seat.contact.as_str();
            writeln!(
                out,
                "seat {:>3}  {:<30} {} ({disclosed}, {})",
                seat.seat, seat.name, seat.address, seat.zone
            )?;
        }
        Ok(())
    }
}
