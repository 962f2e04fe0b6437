//! The events of a step, and who learns of them (§15).

use engine::press::Letter;
use serde::{Deserialize, Serialize};
use tongue::Note;

use super::galaxy::System;
use super::kinds::{Side, UnitId};
use super::{ground, space};

/// The part of a printout that a sentence belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// Intervention, appeal, income, reinforcements, construction.
    Administration,
    /// An action segment.
    Segment(u8),
    /// The Close-Out.
    CloseOut,
    /// Ends of turns and wars.
    War,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// A sentence.
    Said(Note),
    /// A line of the card that was not carried out, and the reason.
    NotDone(u32, Note),
    /// The dice of initiative in a segment before the civil war counts, and whether there is one.
    Initiative([u8; 2], bool),
    /// A system was activated; with the number of the activation for its side.
    Activated(Side, u8, System),
    /// A side passed.
    Passed(Side),
    /// Fleets moved.
    Moved {
        /// Their side.
        side: Side,
        /// Their numbers.
        fleets: Vec<u8>,
        /// The system where they began, and each system that they entered.
        path: Vec<System>,
        /// Whether they were stopped before their goal.
        stopped: bool,
    },
    /// A space battle, or its latest round.
    Battle(Box<space::Story>),
    /// A planetary battle.
    Ground(Box<ground::Story>),
    /// Glory changed: the cause, the change, and the new value.
    Glory(Note, i32, i32),
    /// A unit appeared, or came back into play.
    Came(UnitId),
    /// A unit left play outside battle.
    Gone(UnitId),
    /// A unit was damaged outside battle.
    Hurt(UnitId),
    /// A unit was repaired.
    Healed(UnitId),
    /// A message to the other side.
    Letter(Letter),
}

/// One event, and who learns of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The part of the printout that shows it.
    pub part: Part,
    /// The only side that learns of it; `None`: both.
    pub to: Option<Side>,
    /// The event.
    pub what: What,
}
