//! What happened to a seat's own forces and popularity, for its printout.

use serde::{Deserialize, Serialize};

use super::map::SpaceId;
use super::verbs::Arm;

/// Why popularity changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cause {
    /// Popularity in a minor decays.
    Fading,
    /// The player's own propaganda.
    Propaganda,
    /// Propaganda of others in an occupied country.
    Foreign,
    /// Industry that builds Dollars.
    Dollars,
    /// Armies sent to conquer that survive.
    Conquerors,
    /// Units lost away from home.
    Losses,
    /// Missiles that hit.
    Missiles,
    /// The lists of good and bad powers of all players.
    World,
    /// Units given to a minor.
    Gifts,
    /// The player attacked the minor.
    Attack,
}

/// One thing that happened to a seat's forces or popularity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entry {
    /// Units were built.
    Built {
        /// Where.
        at: SpaceId,
        /// Their arm.
        arm: Arm,
        /// How many.
        n: i64,
    },
    /// Units moved.
    Moved {
        /// The space that they left.
        from: SpaceId,
        /// The space that they went to.
        to: SpaceId,
        /// Their arm.
        arm: Arm,
        /// How many.
        n: i64,
        /// Whether they fled from a lost country.
        fled: bool,
    },
    /// Units fought, or missiles were fired. Stopped missiles count as lost.
    Fought {
        /// Where they came from.
        from: SpaceId,
        /// Where it happened.
        at: SpaceId,
        /// Their arm.
        arm: Arm,
        /// How many there were.
        sent: i64,
        /// How many were lost.
        lost: i64,
        /// How many stay in the country that they took.
        stay: i64,
    },
    /// Units were captured with a country.
    Captured {
        /// The country.
        at: SpaceId,
        /// Their arm.
        arm: Arm,
        /// How many.
        n: i64,
    },
    /// The popularity of a country, or the seat's own in a minor, changed.
    Popularity {
        /// The country.
        at: SpaceId,
        /// Whether the seat occupied it; otherwise it was a minor.
        home: bool,
        /// The value at the start of the turn.
        before: i64,
        /// The value after the turn.
        after: i64,
        /// The change by each cause.
        by: Vec<(Cause, i64)>,
    },
}
