//! Takes the last turn of a game back, or several.

use engine::Turn;

use super::back::Back;
use super::{Done, Gm, GmAction};
use crate::context::Result;

/// Takes the last step of a game back, or all from one on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdraw {
    /// The game's code.
    pub game: String,
    /// The turn that is to be open again; `None`: the last that ran.
    pub to: Option<Turn>,
}

impl GmAction for Withdraw {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let game = gm.games().game(&self.game)?;
        let turn = gm.undo_to(&game.code, self.to)?;
        if turn + 1 < game.turn {
            let last = game.turn - 1;
            let what = format!("turns {turn} to {last} taken back");
            let said = format!(
                "Turns {turn} to {last} of game {0} are taken back, turn {turn} is open again and \
                 the game is suspended; all players are told, in one mail each. Cards that came for \
                 later turns are withdrawn. Let it go on for a new deadline with \"fieldpost game \
                 release {0}\" or GM RELEASE {0}.",
                game.code
            );
            return Ok(Done::of_game(&game, "withdraw", what, None, said));
        }
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
