//! CREDIT: enters a payment.

use engine::Seat;

use super::back::Back;
use super::{Done, Gm, GmAction, Row, number};
use crate::context::Result;

/// The command by mail.
pub(crate) const ROW: Row = Row {
    word: "CREDIT",
    form: "GM CREDIT W7 34 20",
    help: "enters a payment",
    read: |words| match words.rest() {
        [game, seat, amount, ..] => {
            let Ok(amount) = amount.parse() else { return words.wrong() };
            let why = match words.tail(3) {
                why if why.is_empty() => "payment".to_owned(),
                why => why,
            };
            words.action(Credit { game: game.to_string(), seat: number(seat)?, amount, why })
        }
        _ => words.wrong(),
    },
};

/// Enters a payment for printouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credit {
    /// The game's code.
    pub game: String,
    /// The seat that gets the credit.
    pub seat: Seat,
    /// Credits; less than 0 takes some back.
    pub amount: i64,
    /// The purpose of the payment.
    pub why: String,
}

impl GmAction for Credit {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let (seat, amount, why) = (self.seat, self.amount, &self.why);
        let game = gm.games().game(&self.game)?;
        let left = gm.add_credit(&game.code, seat, amount, why)?;
        let idle = match game.fee {
            0 => {
                " Nothing is taken from them: its printouts cost nothing. A fee is set when a game \
                 is made (\"fieldpost game new --fee\")."
            }
            _ => "",
        };
        let said = format!("Seat {seat} of game {} has {left} credits.{idle}", game.code);
        let back = Some(Back::Credit { seat, amount });
        Ok(Done::of_game(&game, "credit", format!("seat {seat}: {amount:+} credits"), back, said))
    }
}
