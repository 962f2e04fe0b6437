//! SEAT: gives a seat to an address.

use engine::Seat;

use super::back::Back;
use super::setup::NewSeat;
use super::{Done, Gm, GmAction, Row, number};
use crate::context::Result;
use store::Status;

/// The command by mail.
pub(crate) const ROW: Row = Row {
    word: "SEAT",
    form: "GM SEAT W7 34 new@example.org",
    help: "gives a seat to an address",
    read: |words| match words.rest() {
        [game, seat, address] => words.action(GiveSeat {
            game: game.to_string(),
            seat: number(seat)?,
            address: address.to_string(),
        }),
        _ => words.wrong(),
    },
};

/// Gives a seat to an address: a free one, one that its player left, or one whose player moves
/// or is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GiveSeat {
    /// The game's code.
    pub game: String,
    /// The seat.
    pub seat: Seat,
    /// The address that gets the seat.
    pub address: String,
}

impl GmAction for GiveSeat {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let seat = self.seat;
        let game = gm.games().game(&self.game)?;
        let before = gm.tx.games().seat(&game.code, seat)?.map(Box::new);
        let password = gm.give_seat(&game.code, seat, &self.address)?;
        let now = gm.tx.games().seat(&game.code, seat)?.map(|s| s.address).unwrap_or_default();
        let said = format!(
            "Seat {seat} of game {} has the address {now}. Its password, shown only now: {password}",
            game.code
        );
        let back = Some(Back::Seat { seat, before, now });
        Ok(Done::of_game(
            &game,
            "seat",
            format!("seat {seat} given to another address"),
            back,
            said,
        ))
    }
}

/// Gives a free seat to a player, with the data in [`NewSeat`].
#[derive(Debug, Clone)]
pub struct AddSeat(
    /// The seat and its player.
    pub NewSeat,
);

impl GmAction for AddSeat {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let (new, seat) = (&self.0, self.0.seat);
        let game = gm.games().game(&new.game)?;
        let before = gm.tx.games().seat(&game.code, seat)?.map(Box::new);
        let password = gm.add_player(new)?;
        let now = gm.tx.games().seat(&game.code, seat)?.map(|s| s.address).unwrap_or_default();
        let then = match game.status {
            Status::Open => format!(
                " Its player hears nothing until \"fieldpost game start {}\": then comes the first \
                 printout, with how to play.",
                game.code
            ),
            Status::Running | Status::Suspended => {
                " The printout of the open turn is on its way to the player.".to_owned()
            }
            Status::Over => String::new(),
        };
        let said = format!("Seat {seat} is given.{then}\nIts password, shown only now: {password}");
        let back = Some(Back::Seat { seat, before, now });
        Ok(Done::of_game(&game, "seat", format!("seat {seat} given to a player"), back, said))
    }
}
