//! Takes the last turn of a game back.

use super::back::Back;
use super::{Done, Gm, GmAction};
use crate::context::Result;

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
            "Turn {turn} of game {0} is taken back and the game is suspended; all players are told. \
             Let it go on for a new deadline (\"fieldpost game release {0}\" or GM RELEASE {0}), or \
             undo this to run the turn again as it was (\"fieldpost act undo\" or GM UNDO with its \
             number).",
            game.code
        );
        Ok(Done::of_game(&game, "withdraw", format!("turn {turn} taken back"), Some(back), said))
    }
}
