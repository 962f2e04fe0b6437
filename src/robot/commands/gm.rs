//! GM: a command of the game master. The robot refuses it from a player.

use store::{Judged, Reason};

use crate::context::Result;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, GM, PlayerCommand, Query, Read, Row, Tools};

/// The command; HELP does not list it. It takes the rest of the mail, which may be a text for
/// the players.
pub(super) const ROW: Row = Row {
    word: GM,
    form: "HELP",
    help: "",
    read: |line| {
        let mut said = line.tail().to_owned();
        line.below().iter().for_each(|l| said += &format!("\n{l}"));
        Read::ToEnd(Command::query(Gm(said)))
    },
};

/// Everything after the word.
#[derive(Debug)]
struct Gm(String);

impl PlayerCommand for Gm {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn for_game_master(&self) -> Option<String> {
        Some(self.0.clone())
    }
}

impl Query for Gm {
    fn act(&self, tools: Tools, case: &Case, _: &Claim) -> Result<Judged> {
        Answers::new(tools).refused(case, Reason::NotGameMaster)
    }
}
