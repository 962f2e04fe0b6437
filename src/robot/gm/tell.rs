//! TELL: mails a text to a player, or to all.

use engine::Seat;

use super::back::Back;
use super::{Done, Gm, GmAction, Row, number, quoted};
use crate::context::Result;

/// The command by mail; the text may have more lines.
pub(crate) const ROW: Row = Row {
    word: "TELL",
    form: "GM TELL W7 all text",
    help: "or a seat: a mail to players; more lines may follow",
    read: |words| match words.rest() {
        [game, whom, ..] => {
            let text = format!("{}\n{}", words.tail(2), words.more()).trim().to_owned();
            let seat = match whom.eq_ignore_ascii_case("all") {
                true => None,
                false => Some(number(whom)?),
            };
            words.action(Tell { game: game.to_string(), seat, text })
        }
        _ => words.wrong(),
    },
};

/// Mails a text to a player, or to all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tell {
    /// The game's code.
    pub game: String,
    /// `None`: all players.
    pub seat: Option<Seat>,
    /// The text of the mail.
    pub text: String,
}

impl GmAction for Tell {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let (seat, text) = (self.seat, &self.text);
        let game = gm.games().game(&self.game)?;
        // The same text may be sent twice, but not at the same instant.
        let id_key = format!("{} {text}", gm.cx.now());
        let ids = gm.tell_players(&game.code, seat, text, &id_key)?;
        let whom = seat.map_or("all players".to_owned(), |s| format!("seat {s}"));
        let first = quoted(text.lines().next().unwrap_or_default());
        let (n, code) = (ids.len(), &game.code);
        let said = match n {
            1 => format!("1 player of game {code} is told."),
            _ => format!("{n} players of game {code} are told."),
        };
        let what = format!("{whom} told: {first:?}");
        Ok(Done::of_game(&game, "tell", what, Some(Back::Told { ids }), said))
    }
}
