//! The data that undoes an act of the game master, as the record stores it.

use engine::{Seat, Turn};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::SeatRow;

/// The way to undo an act.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Back {
    /// The game goes on, if it is still suspended for the same reason in the same turn.
    Go {
        why: String,
        turn: Turn,
    },
    Hold {
        why: String,
        turn: Turn,
        had_deadline: bool,
    },
    /// The deadline goes back from `set` to `at`.
    Deadline {
        turn: Turn,
        set: Timestamp,
        at: Timestamp,
    },
    Withdraw {
        turn: Turn,
    },
    /// A turn that was taken back runs again, with the same cards and seed.
    RunAgain {
        turn: Turn,
        deadline: Option<Timestamp>,
    },
    /// The seat becomes what it was before. `None`: nobody had it.
    Seat {
        seat: Seat,
        before: Option<Box<SeatRow>>,
        now: String,
    },
    /// A game that was made is removed, if nobody has a seat in it.
    Made,
    Told {
        ids: Vec<String>,
    },
    Set {
        name: String,
        value: String,
    },
    Credit {
        seat: Seat,
        amount: i64,
    },
    /// A mail that was discarded. The stored names are those of older records.
    #[serde(rename = "Dropped")]
    Discarded {
        mail: i64,
        #[serde(rename = "held")]
        pending: bool,
        reason: String,
    },
}
