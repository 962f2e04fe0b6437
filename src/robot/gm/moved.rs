//! Lets a game from another host go on.

use jiff::Timestamp;
use store::{Game, Moved, QueuedMail, SeatRow, Status};
use tongue::say;

use super::Gm;
use crate::context::{Result, refuse};
use crate::steps;

impl Gm<'_> {
    /// Lets a game that was imported from a file go on. Players can't answer mails of the former
    /// host here, so each gets the printout of the open turn again.
    pub(super) fn release_moved(&self, game: &Game, moved: &Moved) -> Result<()> {
        if game.status != Status::Suspended {
            return refuse(format!("game {} is not suspended", game.code));
        }
        let now = self.cx.now();
        let deadline = match game.deadline {
            Some(at) if at > now => at,
            _ => steps::due_again(self.tx, game, now)?,
        };
        let game = Game { deadline: Some(deadline), status: Status::Running, ..game.clone() };
        let mails = self.mails_of_the_move(&game, moved, now)?;
        if !self.tx.release_moved(&game.code, deadline, &mails, now)? {
            return refuse(format!("game {} is not suspended", game.code));
        }
        tracing::info!(game = game.code, "game released, after it was imported");
        Ok(())
    }

    fn mails_of_the_move(
        &self,
        game: &Game,
        moved: &Moved,
        now: Timestamp,
    ) -> Result<Vec<QueuedMail>> {
        let code = &game.code;
        let words = || {
            let mut text = say!(
                "Game {code} goes on, and is run by this robot now: {address}. Answer this mail, \
                 or the printout that comes behind it.",
                address = self.cx.identity.address
            );
            if moved.was != *code {
                text.push(' ');
                text += &say!("It was called {name} before.", name = moved.was);
            }
            if !moved.same {
                text.push(' ');
                text += &say!(
                    "What you have from before can't be answered any more, and the password of \
                     your seat is void; PASSWORD and a word of your own sets a new one. Orders \
                     that you had on file still are: STATUS shows them."
                );
            }
            (say!("the game goes on"), text)
        };
        let id_key = format!("moved {now}");
        let mut mails = self.mailer().tell_all(game, None, &words, &id_key, now)?;
        let open = self.games().open(game)?;
        let extras = self.printer().repeated(game, true, now)?;
        for row in self.tx.games().seats(code)?.iter().filter(|s: &&SeatRow| s.has_player()) {
            mails.extend(self.printer().printout(
                game,
                open.as_ref(),
                row,
                &extras,
                None,
                &id_key,
            )?);
        }
        Ok(mails)
    }
}
