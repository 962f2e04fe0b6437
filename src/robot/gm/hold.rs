//! HOLD: suspends a game.

use super::back::Back;
use super::{Done, Gm, GmAction, Row, plain, quoted};
use crate::context::{Result, refuse};

/// The command by mail.
pub(crate) const ROW: Row = Row {
    word: "HOLD",
    form: "GM HOLD W7 reason",
    help: "stops a game",
    read: |words| match words.rest() {
        [game, ..] => words.action(Hold { game: game.to_string(), why: words.tail(1) }),
        _ => words.wrong(),
    },
};

/// Stops a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Its code.
    pub game: String,
    /// Why, for the game master; at most 200 characters are kept.
    pub why: String,
}

impl GmAction for Hold {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let game = gm.games().game(&self.game)?;
        let why: String = plain(&self.why).chars().take(200).collect();
        let why = if why.is_empty() { "the game master suspended it".to_owned() } else { why };
        if !gm.tx.suspend(&game.code, &why)? {
            let status = game.status.as_str();
            return refuse(format!(
                "game {} is {status}; it does not run, so it can't be suspended",
                game.code
            ));
        }
        let said = format!("Game {} is suspended: no turn runs.", game.code);
        let back = Back::Go { why: why.clone(), turn: game.turn };
        Ok(Done::of_game(&game, "hold", format!("suspended: {}", quoted(&why)), Some(back), said))
    }
}
