//! PASSWORD: a new password of a seat.

use std::fmt;

use base::passwords;

use store::{Reason, SeatChange};
use tongue::{mark, say};

use crate::context::Result;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "PASSWORD",
    form: mark!("PASSWORD one-word"),
    help: mark!("a new password without blanks, such as three words joined by hyphens"),
    read: |line| line.with_one(|new| Command::setting(Password(new.to_owned()))),
};

/// The new password.
struct Password(String);

impl fmt::Debug for Password {
    /// Hides the password, so that no log and no mail shows it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PASSWORD …")
    }
}

impl PlayerCommand for Password {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }

    fn is_secret(&self) -> bool {
        true
    }
}

impl Setting for Password {
    fn reason(&self) -> (Reason, &'static str) {
        (Reason::Password, mark!("your password was changed"))
    }

    fn act(&self, tools: Tools, _: &Case, claim: &Claim) -> Result<Changed> {
        let seat = &claim.seat;
        if let Some(fault) = passwords::fault(&self.0, &[&seat.name, &seat.address, &seat.game]) {
            return Ok(Err(say!("{fault} It was not changed.")));
        }
        let digest = passwords::digest(&self.0, [tools.cx.word(), tools.cx.word()]);
        let note =
            say!("Your password was changed. If that was not you, tell the game master at once.");
        Ok(Ok(Change::of_seat(claim, note, SeatChange::Password(digest))))
    }
}
