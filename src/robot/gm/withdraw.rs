//! Takes the last turn of a game back, or several.

use engine::Turn;

use super::back::Back;
use super::{Done, Gm, GmAction};
use crate::context::Result;

/// Takes back the last step of a game, or all steps from a given turn on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdraw {
    /// The game's code.
    pub game: String,
    /// The turn that shall be open again. `None`: the last that ran.
    pub to: Option<Turn>,
}

impl GmAction for Withdraw {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let game = gm.games().game(&self.game)?;
        let turn = gm.undo_to(&game.code, self.to)?;
        let label = gm.tx.steps().step_label(&game.code, turn)?;
        if turn + 1 < game.turn {
            let last = gm.tx.steps().step_label(&game.code, game.turn - 1)?;
            let what = format!("{label} to {last} taken back");
            let said = format!(
                "All from {label} to {last} of game {0} is taken back; open again now: {label}. \
                 The game is suspended; all players are told, in one mail each. Cards that came for \
                 later turns are withdrawn. Let it go on for a new deadline with \"fieldpost game \
                 release {0}\" or GM RELEASE {0}.",
                game.code
            );
            return Ok(Done::of_game(&game, "withdraw", what, None, said));
        }
        let back = Back::RunAgain { turn, deadline: game.deadline };
        let said = format!(
            "You took back {1} of game {0}, and the game is suspended; all players are told. \
             Let it go on for a new deadline (\"fieldpost game release {0}\" or GM RELEASE {0}), or \
             undo this to run the turn again as it was (\"fieldpost act undo\" or GM UNDO with its \
             number).",
            game.code, label
        );
        Ok(Done::of_game(&game, "withdraw", format!("{label} taken back"), Some(back), said))
    }
}
