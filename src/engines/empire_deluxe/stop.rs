//! Why a unit stands.

use super::combat::Refused;
use super::ground::Terrain;

/// Why a step is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It has no steps left in this turn.
    Spent,
    /// There is no such unit.
    NoUnit,
    /// Beyond the edge.
    Edge,
    /// Its kind never enters such ground.
    Ground(Terrain),
    /// A unit of the same player is there.
    Friend,
    /// The carrier there has no room, or takes no such kind.
    Room,
    /// Something of another is there, and the step is no attack.
    Enemy,
    /// What is there may not be attacked by it.
    Refused(Refused),
    /// Somebody else's city, which its kind does not take.
    City,
    /// No base could be reached from there any more.
    Unsafe,
    /// Aboard a transport: land alone can be stepped on.
    Aboard,
    /// Nobody aboard can step off.
    Shore,
    /// No way there is known.
    NoWay,
    /// It would fight, and is tried on paper.
    Paper,
}
