//! Makes and starts games, on the command line and on the dashboard.

use super::back::Back;
use super::setup::NewGame;
use super::{Done, Gm, GmAction};
use crate::context::Result;

/// Makes a game that takes seats.
#[derive(Debug, Clone)]
pub struct Make(
    /// The game.
    pub NewGame,
);

impl GmAction for Make {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        gm.new_game(self.0.clone())?;
        let game = gm.games().game(&self.0.code)?;
        let (code, seats) = (&game.code, game.setup.seats);
        let what = format!("game of {} with {seats} seats made", game.engine);
        let said =
            format!("Game {code} takes seats: fieldpost seat add {code} 1 player@example.org");
        Ok(Done::of_game(&game, "make", what, Some(Back::Made), said))
    }
}

/// Starts a game. It can't be undone, because the first printouts leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The game's code.
    pub game: String,
    /// Whether free seats get computers.
    pub computers: bool,
    /// Whether seats may stay free; otherwise all must be taken.
    pub free: bool,
    /// The first deadline, in the game's zone. `None`: the calendar's own.
    pub deadline: Option<String>,
}

impl GmAction for Start {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        if self.computers {
            gm.fill_with_computers(&self.game)?;
        }
        gm.start(&self.game, self.deadline.as_deref(), self.free || self.computers)?;
        let game = gm.games().game(&self.game)?;
        let said = format!("Game {} runs; its first printouts are in the outbox.", game.code);
        Ok(Done::of_game(&game, "start", "the game started".to_owned(), None, said))
    }

    fn runs(&self) -> Option<&str> {
        Some(&self.game)
    }
}
