//! CONTACT: how other players reach a player whom they have met.

use base::terms::Contact as Way;
use store::SeatChange;
use tongue::{mark, say};

use crate::context::Result;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "CONTACT",
    form: "CONTACT relay",
    help: mark!("or disclose, or hide: how those whom you meet reach you"),
    read: |line| line.with_one(|word| Command::setting(Contact(word.to_owned()))),
};

/// The word for the way of contact, as written.
#[derive(Debug)]
struct Contact(String);

impl PlayerCommand for Contact {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Contact {
    fn act(&self, _: Tools, _: &Case, claim: &Claim) -> Result<Changed> {
        Ok(match self.0.parse() {
            Ok(way) => Ok(Change::of_seat(claim, sentence(way), SeatChange::Contact(way))),
            Err(_) => Err(say!(
                "{word:?} is none of disclose, relay and hide; what others learn was not changed.",
                word = self.0
            )),
        })
    }
}

/// A sentence on what a way of contact means for a player's address.
pub(super) fn sentence(way: Way) -> String {
    match way {
        Way::Disclose => say!("Players whom you meet learn your mail address."),
        Way::Relay => say!(
            "Players whom you meet get an address of the robot that forwards to you; yours is not \
             shown."
        ),
        Way::Hide => say!("Nobody learns your mail address, and nobody can write to you by mail."),
    }
}
