//! SECRETS: makes new secrets, so that all earlier reply addresses and mails of a seat no longer
//! prove anything.

use store::{Reason, SeatChange};
use tongue::{mark, say};

use crate::context::Result;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "SECRETS",
    form: "SECRETS",
    help: mark!("your mails so far prove nothing any more, should somebody have one"),
    read: |line| line.alone(|| Command::setting(Secrets)),
};

#[derive(Debug)]
struct Secrets;

impl PlayerCommand for Secrets {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Secrets {
    fn reason(&self) -> (Reason, &'static str) {
        (Reason::Settings, mark!("new secrets"))
    }

    fn act(&self, _: Tools, _: &Case, claim: &Claim) -> Result<Changed> {
        let note = say!(
            "All mails that you have had so far prove nothing any more, whoever has one: answer \
             this mail, or a later one. Your password is as it was; PASSWORD with a new one changes \
             it."
        );
        Ok(Ok(Change::of_seat(claim, note, SeatChange::Secrets)))
    }
}
