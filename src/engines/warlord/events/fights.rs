//! Reports of fights: on the ground, from the air and by missiles.

use serde::{Deserialize, Serialize};

use crate::bases::Planes;
use engine::geometry::Place;

/// A force in a battle, with its size before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Unit number; only its owner sees it.
    pub unit: u16,
    /// ID of its type.
    pub kind: u8,
    /// Regiments or ships before the fight.
    pub before: u16,
    /// Regiments or ships that are left.
    pub after: u16,
}

/// The strengths of both sides at the start, attacker first, and what added to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Odds {
    /// Strength of both sides, in thousandths.
    pub strength: [i64; 2],
    /// The best general in range: number from 1, and what he adds in per cent. A side sees only its
    /// own.
    pub generals: [Option<(u8, u8)>; 2],
    /// The ground, as the index of its row.
    pub ground: u8,
    /// Toughness of the defender there, per mille.
    pub shelter: i64,
    /// Whether a side of the nameless power is rebels.
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
    /// The attacker was destroyed.
    AttackerDestroyed,
    /// Both sides were destroyed.
    BothDestroyed,
    /// The defender had to leave.
    DefenderDislodged,
    /// The attacker went back.
    AttackerRepelled,
}

/// The missions of planes that lead to a strike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mission {
    /// A B order.
    Bombing,
    /// An attack of fighters that observe.
    Strafing,
    /// Fighters that defend their base.
    Watch,
    /// Planes on watch that met observers.
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
    /// The ships' guns, as the number of bombers that they equal.
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
