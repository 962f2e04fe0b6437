//! RELEASE: lets a suspended game go on.

use super::back::Back;
use super::{Done, Gm, GmAction, Row, status};
use crate::context::Result;

/// The command by mail; its answer shows the state of the game.
pub(crate) const ROW: Row = Row {
    word: "RELEASE",
    form: "GM RELEASE W7",
    help: "lets it go on",
    read: |words| match words.rest() {
        [game] => words.action_then(
            Release { game: game.to_string() },
            Box::new(status::Status { game: Some(game.to_string()) }),
        ),
        _ => words.wrong(),
    },
};

/// Lets a suspended game go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Its code.
    pub game: String,
}

impl GmAction for Release {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let game = gm.games().game(&self.game)?;
        gm.release(&game.code)?;
        let (why, turn) = (game.suspended_why.clone(), game.turn);
        let back = Back::Hold { why, turn, had_deadline: game.deadline.is_some() };
        let said = format!("Game {} goes on.", game.code);
        Ok(Done::of_game(&game, "release", "let go on".to_owned(), Some(back), said))
    }
}
