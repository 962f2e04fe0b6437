//! What a game master looks at: games, turns and acts as texts and documents. Nothing here changes
//! anything.

use std::ops::Deref;

use engine::{Chart, MapPicture, Seat, Turn};
use jiff::Timestamp;
use render::Document;
use store::{Game, Status};

use crate::context::{Result, refuse};
use crate::games::Games;
use crate::printouts::Printer;
use crate::{
    MARK, Robot, calendar, diary, game_file, gm, personal, quarantine, steps, verdict, which_step,
};

/// What a robot can show.
pub struct Reports<'a>(&'a Robot);

impl Deref for Reports<'_> {
    type Target = Robot;

    fn deref(&self) -> &Robot {
        self.0
    }
}

impl Robot {
    /// What it can show of games, turns and acts.
    pub fn reports(&self) -> Reports<'_> {
        Reports(self)
    }
}

impl Reports<'_> {
    /// What a due step of a game waits for, in words; `None` when no step is due.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn waits_for(&self, game: &store::Game) -> Result<Option<String>> {
        calendar::Calendar::new(&self.cx, &self.store).waits_for(game, self.now())
    }

    /// The newest acts of a game, or of all games, one per line.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when there is no such game.
    pub fn acts_text(&self, game: Option<&str>) -> Result<String> {
        let acts = gm::acts(Games::new(&self.cx, &self.store), &self.store, game)?;
        let lines = acts.iter().map(|(id, act)| format!("{id:>5}  {act}\n"));
        Ok(if acts.is_empty() { gm::NO_ACTS.to_owned() } else { lines.collect() })
    }

    /// Terms and calendar of a game, one per line.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when there is no such game.
    pub fn terms_text(&self, code: &str) -> Result<String> {
        Ok(gm::terms::terms_text(&self.game(code)?))
    }

    /// A game that is over as a file from which anybody can play it again; see
    /// [`game_file::whole`]. `None` while it goes on, and where no file can be made.
    ///
    /// # Errors
    /// [`crate::context::RobotError`] when the journal can't be read.
    pub fn game_file(&self, code: &str) -> Result<Option<String>> {
        let game = self.game(code)?;
        match game.status {
            store::Status::Over => game_file::whole(&self.cx, &self.store, &game, None),
            _ => Ok(None),
        }
    }

    /// The newest step of a game that `named` means: the number of a turn, or the name of a step.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when there is none.
    pub fn step_called(&self, code: &str, named: &str) -> Result<Turn> {
        let game = self.game(code)?;
        let steps = which_step::steps_called(&self.store, &game, named)?;
        steps.first().copied().map_or_else(
            || {
                refuse(format!(
                    "game {} has had no {named:?}; name the number of a turn or what its printouts \
                     call a step; the game is at {}",
                    game.code, game.step.label
                ))
            },
            Ok,
        )
    }

    /// The name of a step of a game, as players know it.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn step_label(&self, code: &str, step: Turn) -> Result<String> {
        Ok(self.store.steps().step_label(&self.game(code)?.code, step)?)
    }

    /// The names of all steps of a game that ran, from its start on.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn step_labels(&self, game: &Game) -> Result<Vec<String>> {
        let ran = 1..game.turn;
        let mut labels = vec!["the start".to_owned()];
        for step in ran {
            labels.push(self.store.steps().step_label(&game.code, step)?);
        }
        Ok(labels)
    }

    /// The document of a turn that opened, made again from the journal; see
    /// [`Printer::document_of`].
    ///
    /// # Errors
    /// [`crate::context::RobotError::Refused`] when there is no such turn or seat.
    pub fn document_of(&self, code: &str, seat: Seat, turn: Turn) -> Result<Document> {
        Printer::new(&self.cx, &self.store).document_of(code, seat, turn)
    }

    /// The war diary of a game that is over, as everybody may read it; see [`diary::public`].
    ///
    /// # Errors
    /// [`crate::context::RobotError`] when the journal can't be read.
    pub fn diary(&self, game: &Game) -> Result<diary::Diary> {
        diary::public(&self.cx, &self.store, game)
    }

    /// The map of a game after a turn ran, with the charts of that time: the whole map for the game
    /// master, or the map as a seat knew it.
    ///
    /// # Errors
    /// [`crate::context::RobotError`] when the journal can't be read.
    pub fn atlas_after(
        &self,
        game: &Game,
        turn: Turn,
        seat: Option<Seat>,
    ) -> Result<Option<(MapPicture, Vec<Chart>)>> {
        Printer::new(&self.cx, &self.store).atlas_after(game, turn, seat)
    }

    /// Mails in quarantine, newest first.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn quarantine_text(&self) -> Result<String> {
        quarantine::quarantine_text(&self.store)
    }

    /// What is stored about a person, as JSON.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn data_of(&self, address: &str) -> Result<String> {
        personal::data_of(&self.store, address, usize::MAX)
    }

    /// The mark of this store in its mailboxes ([`mail::claim`]).
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn mailbox_mark(&self) -> Result<String> {
        let kept = self.store.note(MARK)?;
        Ok(kept.unwrap_or_else(|| mail::claim::mark(&self.store.key().store_id())))
    }

    /// Whether the server that `[auth]` trusts was seen to remove results that others wrote in its
    /// name; `None` when no server is trusted.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn results_are_stripped(&self) -> Result<Option<bool>> {
        Ok(verdict::senders::trusted(&self.cx, &self.store)?.map(|server| server.strips))
    }

    /// When the next step of a running game is due.
    ///
    /// # Errors
    /// [`crate::context::RobotError::Store`] when the store fails.
    pub fn next_deadline(&self) -> Result<Option<Timestamp>> {
        let running = self.store.games_that_are(Status::Running)?;
        Ok(running.iter().filter_map(steps::ends).min())
    }
}
