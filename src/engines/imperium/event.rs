//! What happens in a step, and who hears of it (§15).

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
    /// A line of the card was not done, and why.
    NotDone(u32, Note),
    /// The dice of a segment, without the civil war.
    Initiative([u8; 2], bool),
    /// A system was activated; the how many-th activation of its side.
    Activated(Side, u8, System),
    /// A side passed.
    Passed(Side),
    /// Fleets moved: from where, over what, and whether they were stopped.
    Moved {
        /// Whose.
        side: Side,
        /// Which.
        fleets: Vec<u8>,
        /// Where they began, and each system that they entered.
        path: Vec<System>,
        /// Whether they were to go on.
        stopped: bool,
    },
    /// A space battle, or its last round.
    Battle(Box<space::Story>),
    /// A planetary battle.
    Ground(Box<ground::Story>),
    /// Glory changed: by how much, and what it is now.
    Glory(Note, i32, i32),
    /// A unit came into being, or back into play.
    Came(UnitId),
    /// A unit is gone, not in battle.
    Gone(UnitId),
    /// A unit was damaged, not in battle.
    Hurt(UnitId),
    /// A unit was repaired.
    Healed(UnitId),
    /// A letter.
    Letter(Letter),
}

/// One thing that happened, and who hears of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Where it is told.
    pub part: Part,
    /// Who alone hears of it; `None`: both.
    pub to: Option<Side>,
    /// What.
    pub what: What,
}
