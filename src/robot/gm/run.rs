//! RUN: runs the open step now.

use store::Status;

use super::back::Back;
use super::{Done, Gm, GmAction, Row};
use crate::context::{Result, RobotError};

/// The command by mail.
pub(crate) const ROW: Row = Row {
    word: "RUN",
    form: "GM RUN W7",
    help: "runs the open turn now",
    read: |words| match words.rest() {
        [game] => words.action(Run { game: game.to_string() }),
        _ => words.wrong(),
    },
};

/// Runs the open step now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The game's code.
    pub game: String,
}

impl GmAction for Run {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let game = gm.games().game(&self.game)?;
        gm.run_turn(&game.code, None)?;
        let now = gm.games().game(&game.code)?;
        if now.status == Status::Suspended {
            // The reason of the suspension is kept: a failed run is not an act of the game master.
            return Err(RobotError::Engine(game.code, now.suspended_why));
        }
        let back = (now.turn == game.turn + 1).then_some(Back::Withdraw { turn: game.turn });
        let said =
            format!("Game {} ran {}; the printouts are on their way.", game.code, game.step.label);
        Ok(Done::of_game(&game, "run", format!("{} run by hand", game.step.label), back, said))
    }

    fn runs(&self) -> Option<&str> {
        Some(&self.game)
    }
}
