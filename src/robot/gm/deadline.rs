//! DEADLINE: moves the open step's deadline.

use base::schedule;

use super::back::Back;
use super::{Done, Gm, GmAction, Row};
use crate::context::Result;

/// The command by mail.
pub(crate) const ROW: Row = Row {
    word: "DEADLINE",
    form: "GM DEADLINE W7 2026-12-01 18:00",
    help: "moves a deadline and tells all",
    read: |words| match words.rest() {
        [game, _, ..] => words.action(Deadline { game: game.to_string(), at: words.tail(1) }),
        _ => words.wrong(),
    },
};

/// Moves the open step's deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadline {
    /// The game's code.
    pub game: String,
    /// Date and time in the game's zone, such as `2026-12-01 18:00`.
    pub at: String,
}

impl GmAction for Deadline {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let game = gm.games().game(&self.game)?;
        let at = gm.set_deadline(&game.code, &self.at)?;
        let local = schedule::local(at, &game.rule.zone);
        let turn = game.turn;
        let back = game.deadline.map(|was| Back::Deadline { turn, set: at, at: was });
        let what = format!("deadline of {} moved to {local}", game.step.label);
        let said = format!("The deadline is {local}; all players are told.");
        Ok(Done::of_game(&game, "deadline", what, back, said))
    }
}
