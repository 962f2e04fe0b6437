//! The events of a turn, and who learns of them (§18.1).

use engine::Seat;
use engine::geometry::Place;
use engine::press::Letter;
use serde::{Deserialize, Serialize};

use super::kinds::Kind;
use super::state::UnitId;

/// The seats that learn of an event, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Told(pub u8);

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Who learns of it.
    pub to: Told,
    /// The turn.
    pub turn: u32,
    /// The event itself.
    pub what: What,
}

/// The target of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Against {
    /// A unit.
    Unit {
        /// The owner.
        owner: Seat,
        /// The kind.
        kind: Kind,
    },
    /// A city, with its owner.
    City(Option<Seat>),
}

/// An event.
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
        /// The attacker.
        by: UnitId,
        /// Its kind.
        kind: Kind,
        /// The square that it attacked from.
        from: Place,
        /// The square that was attacked.
        at: Place,
        /// The target.
        against: Against,
        /// Whether the attacker won.
        won: bool,
        /// Total damage of the winner.
        damage: u8,
        /// Units that were destroyed, with their owners.
        lost: Vec<(Seat, Kind)>,
    },
    /// A city was taken, and the units in it were destroyed.
    Captured {
        /// The new owner.
        by: Seat,
        /// The square.
        at: Place,
        /// The former owner.
        from: Option<Seat>,
        /// Units that were destroyed in it.
        lost: Vec<(Seat, Kind)>,
        /// Whether an infantry unit stays as its guard.
        guard: bool,
    },
    /// A city was bombed.
    Bombed {
        /// The attacker.
        by: Seat,
        /// The square.
        at: Place,
        /// The unit that was destroyed, and its cargo; empty: the city lost the unit that it was
        /// building.
        lost: Vec<(Seat, Kind)>,
    },
    /// Units were lost because their carrier no longer had room.
    Overboard(UnitId, Vec<Kind>),
    /// A unit ran out of fuel.
    Crashed(UnitId, Kind, Place),
    /// A unit is whole again.
    Repaired(UnitId),
    /// Infantry became an airbase.
    Based(UnitId, Place),
    /// A unit stopped, because an enemy came into sight or stands next to it.
    Woken(UnitId),
    /// A unit could not go on, and has lost its orders.
    Stopped(UnitId),
    /// A unit has explored all that it could.
    Explored(UnitId),
    /// A player has left: its units are gone, its cities belong to nobody.
    Resigned(Seat),
    /// A computer plays on for a player who has left.
    Abdicated(Seat),
    /// A letter.
    Letter(Letter),
    /// A player has lost its last city and unit.
    KnockedOut(Seat),
}
