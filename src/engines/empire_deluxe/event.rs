//! What happened in a turn, and who is told of it (§18.1).

use engine::Seat;
use engine::geometry::Place;
use engine::press::Letter;
use serde::{Deserialize, Serialize};

use super::kinds::Kind;
use super::state::UnitId;

/// Seats that are told, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Told(pub u8);

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Who is told.
    pub to: Told,
    /// The turn.
    pub turn: u32,
    /// What.
    pub what: What,
}

/// Who was attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Against {
    /// A unit.
    Unit {
        /// Whose.
        owner: Seat,
        /// Of which kind.
        kind: Kind,
    },
    /// A city, and whose.
    City(Option<Seat>),
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// A unit was finished in a city.
    Built(UnitId, Kind, Place),
    /// A city was seen for the first time.
    Found(Place),
    /// An enemy came into sight.
    Sighted {
        /// Where.
        at: Place,
        /// Its kind.
        kind: Kind,
        /// Whose it is.
        owner: Seat,
    },
    /// A fight.
    Fought {
        /// Who attacked.
        by: UnitId,
        /// Its kind.
        kind: Kind,
        /// From where.
        from: Place,
        /// Where it was.
        at: Place,
        /// Who was attacked.
        against: Against,
        /// Whether the attacker won.
        won: bool,
        /// Damage of the winner in all.
        damage: u8,
        /// Units that ended, and whose.
        lost: Vec<(Seat, Kind)>,
    },
    /// A city was taken, from whom, and the units in it that ended.
    Captured {
        /// By whom.
        by: Seat,
        /// Where.
        at: Place,
        /// Who had it.
        from: Option<Seat>,
        /// Units that ended with it.
        lost: Vec<(Seat, Kind)>,
        /// Whether an infantry stays as its guard.
        guard: bool,
    },
    /// A city was bombed.
    Bombed {
        /// By whom.
        by: Seat,
        /// Where.
        at: Place,
        /// The unit that ended, and its cargo; none: what it was building was lost.
        lost: Vec<(Seat, Kind)>,
    },
    /// Units were lost because their carrier had no room any more.
    Overboard(UnitId, Vec<Kind>),
    /// A unit ran out of fuel.
    Crashed(UnitId, Kind, Place),
    /// A unit is whole again.
    Repaired(UnitId),
    /// Infantry became an airbase.
    Based(UnitId, Place),
    /// A unit stopped, for an enemy came into sight or stands next to it.
    Woken(UnitId),
    /// A unit could not go on, and has no orders any more.
    Stopped(UnitId),
    /// A unit has found all that it could.
    Explored(UnitId),
    /// A player has left: its units are gone, its cities nobody's.
    Resigned(Seat),
    /// A computer plays on for a player that has left.
    Abdicated(Seat),
    /// A letter.
    Letter(Letter),
    /// A player has lost its last city and unit.
    KnockedOut(Seat),
}
