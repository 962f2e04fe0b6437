//! Why a unit stands still.

use super::combat::Refused;
use super::ground::Terrain;

/// Why a step is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It has no steps left in this turn.
    Spent,
    /// There is no such unit.
    NoUnit,
    /// The step leads beyond the edge.
    Edge,
    /// Its kind never enters such ground.
    Ground(Terrain),
    /// A unit of the same player is on the square.
    Friend,
    /// The carrier there has no room, or does not take this kind.
    Room,
    /// A unit of another player is there, and the step is not an attack.
    Enemy,
    /// This unit may not attack the target there.
    Refused(Refused),
    /// It is a city of somebody else, and the kind of this unit takes no cities.
    City,
    /// No base could be reached from there.
    Unsafe,
    /// It is aboard a transport, and can step only onto land.
    Aboard,
    /// None of the units aboard can go ashore.
    Shore,
    /// No way there is known.
    NoWay,
    /// It would fight, but this is a trial run.
    Paper,
}
