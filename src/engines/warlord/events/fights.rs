//! What is told of fights: on the ground, from the air and by missiles.

use serde::{Deserialize, Serialize};

use crate::bases::Planes;
use engine::geometry::Place;

/// A force in a battle, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Unit number; its owner alone is told.
    pub unit: u16,
    /// ID of its type.
    pub kind: u8,
    /// Regiments or ships before the fight.
    pub before: u16,
    /// Regiments or ships that are left.
    pub after: u16,
}

/// What two sides set out with, attacker first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Odds {
    /// Thousandths of strength of both.
    pub strength: [i64; 2],
    /// The best general near, by number from 1, and what he adds in per cent; a side is told of
    /// its own alone.
    pub generals: [Option<(u8, u8)>; 2],
    /// The ground, by its row.
    pub ground: u8,
    /// Per mille of the defender's toughness there.
    pub shelter: i64,
    /// Whether a nameless side is of rebels.
    pub rebels: bool,
}

/// One side of a battle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideReport {
    /// The seat; 0 is the nameless power.
    pub seat: u8,
    /// Each of its units that took part.
    pub losses: Vec<Loss>,
}

/// How a battle ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The defender was destroyed.
    DefenderDestroyed,
    /// Nothing of the attacker is left.
    AttackerDestroyed,
    /// Nothing of either side is left.
    BothDestroyed,
    /// The defender had to leave.
    DefenderDislodged,
    /// The attacker went back.
    AttackerRepelled,
}

/// What planes were about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mission {
    /// A B order.
    Bombing,
    /// An attack of observers.
    Strafing,
    /// Fighters that defend their base.
    Watch,
    /// Planes on watch met observers.
    Patrol,
    /// A drop of paratroops.
    Drop,
}

/// A strike from the air or by ships' guns (§5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AirStrike {
    /// What kind of strike it was.
    pub mission: Mission,
    /// The sector that was struck.
    pub at: Place,
    /// The seat that struck.
    pub by: u8,
    /// The seat that was struck.
    pub target: u8,
    /// Planes that set out.
    pub sent: Planes,
    /// Bombers that the ships' guns equal.
    pub guns: i64,
    /// Planes that the striker lost.
    pub lost: Planes,
    /// Planes that the base at the target lost.
    pub downed: Planes,
    /// The holder of that base, if it is not the target.
    pub defender: Option<u8>,
    /// Units of the target and what they lost.
    pub losses: SideReport,
    /// Defence levels before and after, where bombs fell on walls.
    pub walls: Option<(u8, u8)>,
}

impl AirStrike {
    /// A strike that has done nothing yet.
    pub fn new(mission: Mission, at: Place, by: u8, target: u8, sent: Planes) -> Self {
        let losses = SideReport { seat: target, losses: Vec::new() };
        Self {
            mission,
            at,
            by,
            target,
            sent,
            guns: 0,
            lost: Planes::default(),
            downed: Planes::default(),
            defender: None,
            losses,
            walls: None,
        }
    }
}

/// Missiles that were fired at a sector (§11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Salvo {
    /// The sector.
    pub at: Place,
    /// The seat that fired.
    pub by: u8,
    /// Whether they carried atomic warheads.
    pub atomic: bool,
    /// How many were fired.
    pub fired: u16,
    /// Cities whose defences stopped one each.
    pub stopped: Vec<u16>,
    /// The seat that was hit.
    pub target: Option<u8>,
    /// Its units and what they lost.
    pub losses: SideReport,
    /// Defence levels before and after.
    pub walls: Option<(u8, u8)>,
    /// Planes that were destroyed on the ground.
    pub planes: Planes,
}
