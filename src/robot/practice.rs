//! Practice games: one player against computers. They begin when their player has said YES, run
//! whenever that player is ready, and end by themselves when they are left.

use store::{Game, Question, SeatRow};

use crate::Robot;
use crate::context::{Result, RobotError, refuse};
use crate::games::Games;
use crate::turns::Turns;

impl Robot {
    /// Makes the games of those who have confirmed that they want to practise. Each is one commit,
    /// with the note that it was made.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub(crate) fn begin_practices(&mut self) -> Result<()> {
        for wish in self.store.practices_wanted()? {
            match self.begin_practice(&wish) {
                Ok(code) => {
                    tracing::info!(game = code, engine = wish.value, "practice game begins");
                    self.go_on(&code);
                }
                Err(RobotError::Store(e)) if !e.is_about_data() => return Err(e.into()),
                Err(e) => {
                    tracing::error!(engine = wish.value, error = %e, "no practice game was made");
                    // Tried again, it would fail again.
                    self.store.write(|tx| tx.practice_began(wish.id, ""))?;
                }
            }
        }
        Ok(())
    }

    fn begin_practice(&mut self, wish: &Question) -> Result<String> {
        let most = self.cx.limits.practice_games_max as usize;
        self.as_game_master(|gm| {
            if Games::new(gm.cx, gm.tx).practices()?.len() >= most {
                return refuse("all practice games are taken");
            }
            let code = gm.practice(&wish.value, &wish.address)?;
            gm.tx.practice_began(wish.id, &code)?;
            Ok(code)
        })
    }

    /// Whether a practice game was left by its player, who has resigned; it ends then.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub(crate) fn is_left(&mut self, game: &Game) -> Result<bool> {
        let left =
            game.terms.practice && !self.store.seats(&game.code)?.iter().any(SeatRow::has_player);
        if left {
            self.as_game_master(|gm| gm.end_practice(game))?;
        }
        Ok(left)
    }

    /// Whether the player of a practice game let the whole time of a step pass; it ends then.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub(crate) fn is_missed(&mut self, game: &Game) -> Result<bool> {
        let missed = game.terms.practice
            && !Turns::new(&self.cx, &self.store).missed(game, self.cx.now())?.is_empty();
        if missed {
            self.as_game_master(|gm| gm.end_practice(game))?;
        }
        Ok(missed)
    }
}
