//! What the game master does, by command line, mail or dashboard alike: each act is one
//! commit with its row in the record of acts, by which it can be undone.

use super::{Result, Robot, refuse};
use crate::engine::Seat;

/// Where an act came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Shell,
    Mail,
    Dashboard,
}

impl By {
    /// Word in the record.
    pub fn word(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Mail => "mail",
            Self::Dashboard => "dashboard",
        }
    }
}

/// One thing that the game master does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Stops a game.
    Hold { game: String, why: String },
    /// Lets a held game go on.
    Release { game: String },
    /// Moves the open turn's deadline to a date in the game's zone.
    Deadline { game: String, at: String },
    /// Runs the open turn now.
    Run { game: String },
    /// Takes the last turn back.
    Withdraw { game: String },
    /// Gives a seat to an address.
    Seat { game: String, seat: Seat, address: String },
    /// Mails a text to a player, or to all.
    Tell { game: String, seat: Option<Seat>, text: String },
    /// Changes a term of a game.
    Set { game: String, name: String, value: String },
    /// Enters a payment.
    Credit { game: String, seat: Seat, amount: i64, why: String },
    /// Lets a mail count that was set aside.
    ReleaseMail { mail: i64 },
    /// Lays a mail to rest that was set aside.
    DropMail { mail: i64 },
    /// Sends mails again that could not be sent: one, or all.
    Resend { mail: Option<i64> },
    /// Undoes an earlier act, by its number in the record.
    Undo { act: i64 },
}

impl Robot {
    /// Does one thing for the game master and says what was done, in a sentence.
    ///
    /// # Errors
    /// [`super::RobotError::Refused`] says what is wrong; nothing is changed then.
    pub fn master(&mut self, _by: By, _act: &Act) -> Result<String> {
        refuse("not built")
    }
}
