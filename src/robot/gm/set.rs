//! SET: changes a term of a game.

use super::back::Back;
use super::terms::terms;
use super::{Done, Gm, GmAction, GmQuery, Row};
use crate::context::Result;

/// The command by mail.
pub(crate) const ROW: Row = Row {
    word: "SET",
    form: "GM SET W7 early=true",
    help: "changes a term of the game; GM SET W7 shows them",
    read: |words| match words.rest() {
        [game] => words.query(Terms { game: game.to_string() }),
        [game, _, ..] => match words.tail(1).split_once('=') {
            Some((name, value)) => words.action(Set {
                game: game.to_string(),
                name: name.trim().to_owned(),
                value: value.trim().to_owned(),
            }),
            None => words.wrong(),
        },
        _ => words.wrong(),
    },
};

/// Changes a term of a game, or a part of its calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set {
    /// The game's code.
    pub game: String,
    /// Name of the term.
    pub name: String,
    /// Its new value, as written.
    pub value: String,
}

/// Asks for the terms of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Terms {
    /// The game's code.
    game: String,
}

impl GmQuery for Terms {
    fn answer(&self, gm: &Gm) -> Result<String> {
        let game = gm.games().game(&self.game)?;
        let terms = super::terms::terms_text(&game);
        Ok(format!("The terms of game {}:\n\n{terms}", game.code))
    }
}

impl GmAction for Set {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let (name, value) = (&self.name, &self.value);
        let game = gm.games().game(&self.game)?;
        let before = terms(&game).into_iter().find(|term| term.0 == *name).map(|term| term.1);
        gm.set_term(&game.code, name, value)?;
        let back = before.clone().map(|value| Back::Set { name: name.clone(), value });
        let what = format!("{name}={value}, before {}", before.unwrap_or_default());
        let said =
            format!("Set. The terms of game {}:\n\n{}", game.code, gm.terms_text(&game.code)?);
        Ok(Done::of_game(&game, "set", what, back, said))
    }
}
