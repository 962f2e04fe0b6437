//! Finds, reports of spies, news and messages.

use serde::{Deserialize, Serialize};

use crate::desk::Sentence;
use engine::geometry::Place;

/// What engineers found in ruins (§6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Find {
    /// Nothing this time.
    Nothing,
    /// Whole production points.
    Pp(i64),
    /// Whole research points.
    Points(i64),
    /// The tech level that plans brought.
    Plans(u8),
    /// The ruins are empty.
    Empty,
}

/// One fact that spies learned (§7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// Tech level.
    Tech(u8),
    /// Whole PP in stock.
    Stock(i64),
    /// Number of cities.
    Cities(u32),
    /// Number of land units.
    Divisions(u32),
    /// Number of ships.
    Ships(u32),
    /// Number of fighters.
    Fighters(u32),
    /// Number of bombers.
    Bombers(u32),
    /// Number of jets.
    Jets(u32),
    /// Number of missiles.
    Missiles(u32),
    /// Number of atomic warheads.
    Warheads(u32),
    /// Seats on its list of allies.
    Allies(Vec<u8>),
    /// Its rating.
    Rating(i64),
    /// One of its cities.
    City {
        /// Number of the city.
        number: u16,
        /// Its sector.
        at: Place,
        /// Defence level.
        level: u8,
    },
    /// One of its units.
    Unit {
        /// Its sector.
        at: Place,
        /// ID of the type.
        kind: u8,
        /// Regiments or ships.
        size: u16,
    },
    /// Whole research points.
    Research(i64),
}

/// News of the world (§8): numbers of players and cities, without places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum News {
    /// One seat, or a coalition, holds enough cities to win.
    Holding {
        /// One seat, or those of a coalition.
        members: Vec<u8>,
        /// Turns in a row for which they have held enough.
        turns: u8,
        /// Turns in a row that they need to win.
        of: u8,
    },
    /// A city changed hands.
    Taken {
        /// Number of the city.
        city: u16,
        /// The seat that lost it.
        from: u8,
        /// The seat that took it.
        by: u8,
        /// Whether rebels lost it.
        rebels: bool,
    },
    /// An atomic strike hit.
    Atomic {
        /// The seat that fired.
        by: u8,
        /// Seats that lost something.
        hit: Vec<u8>,
    },
    /// A city rose against its player.
    Rebelled {
        /// Number of the city.
        city: u16,
        /// The seat that lost it.
        player: u8,
    },
    /// An empire fell.
    Fallen {
        /// The fallen seat.
        player: u8,
    },
    /// A coalition was formed or has grown.
    Coalition {
        /// Its seats.
        members: Vec<u8>,
    },
    /// A member left a coalition that goes on.
    LeavesCoalition {
        /// The seat that left.
        player: u8,
        /// Whether the others voted it out.
        expelled: bool,
    },
    /// A coalition ended.
    CoalitionEnds {
        /// Its last seats.
        members: Vec<u8>,
    },
}

/// A sentence of a message with the values that the game filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The sentence as written.
    pub sentence: Sentence,
    /// Text for each `[..]` of the sentence, in order.
    pub values: Vec<String>,
}
