//! UNDO of a turn: takes the last one back.

use super::undo::{self, Back};
use super::{Done, Gm, GmAction, Row};
use crate::context::Result;

/// The command by mail; `UNDO ACT 17` is the other of this word.
pub(crate) const ROW: Row = Row {
    word: "UNDO",
    form: "GM UNDO W7",
    help: "takes the last turn back, before anyone has answered it",
    read: |words| match words.rest() {
        [what, id] if what.eq_ignore_ascii_case("act") => {
            words.action(undo::Undo { act: id.parse().unwrap_or(-1) })
        }
        [game] => words.action(Withdraw { game: game.to_string() }),
        _ => words.wrong(),
    },
};

/// Takes the last step of a game back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdraw {
    /// The game's code.
    pub game: String,
}

impl GmAction for Withdraw {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let game = gm.games().game(&self.game)?;
        let turn = gm.undo(&game.code)?;
        let back = Back::RunAgain { turn, deadline: game.deadline };
        let said = format!(
            "Turn {turn} of game {} is taken back and the game is suspended; all players are told. \
             Let it go on for a new deadline, or undo this to run the turn again as it was.",
            game.code
        );
        Ok(Done::of_game(&game, "withdraw", format!("turn {turn} taken back"), Some(back), said))
    }
}
