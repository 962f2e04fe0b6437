//! The arms, and the orders that forces of a space can get (§6).

use serde::{Deserialize, Serialize};
use tongue::mark;

/// What industry builds, in the order of default builds (§8.2) without Dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Arm {
    /// Industry.
    Industry,
    /// Army.
    Army,
    /// Navy.
    Navy,
    /// Air force.
    Air,
    /// Missiles.
    Missile,
    /// Antimissiles.
    Antimissile,
}

impl Arm {
    /// All arms in order.
    pub const ALL: [Self; 6] =
        [Self::Industry, Self::Army, Self::Navy, Self::Air, Self::Missile, Self::Antimissile];

    /// Its letter in orders.
    pub fn letter(self) -> char {
        ['I', 'A', 'N', 'F', 'M', 'X'][self as usize]
    }

    /// Its name in English; [`tongue::word`] translates it.
    pub fn name(self) -> &'static str {
        [
            mark!("Industry"),
            mark!("Army"),
            mark!("Navy"),
            mark!("AirForce"),
            mark!("Missiles"),
            mark!("AntiMissiles"),
        ][self as usize]
    }
}

/// An order that forces of a space can get (§6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Verb {
    /// Build units of an arm with industry.
    Build(Arm),
    /// Army moves, to stay (AT).
    ArmyMove,
    /// Army attacks a country and stays if it wins (AC).
    Conquer,
    /// Army attacks a country and comes back (AB).
    Bombard,
    /// Army helps to defend a country and comes back (AS).
    ArmySupport,
    /// Navy moves, to stay (NT).
    NavyMove,
    /// Navy helps in a space and comes back (NS).
    NavySupport,
    /// Navy attacks the navy of a country (NN).
    NavyAttack,
    /// Air force moves, to stay (FT).
    AirMove,
    /// Air force helps in a space and comes back (FS).
    AirSupport,
    /// Air force attacks the army of a country (FA).
    AirArmy,
    /// Air force attacks the navy of a country (FN).
    AirNavy,
    /// Air force attacks the airbase of a country (FF).
    AirBase,
    /// Air force attacks the industry of a country (FI).
    AirIndustry,
    /// Missiles move (MT).
    MissileMove,
    /// Missiles are fired at an army (MA).
    MissileArmy,
    /// Missiles are fired at an airbase (MF).
    MissileBase,
    /// Missiles are fired at industry (MI).
    MissileIndustry,
    /// Antimissiles move (XT).
    AntimissileMove,
}

impl Verb {
    /// The arm whose units it uses up.
    pub fn arm(self) -> Arm {
        match self {
            Self::Build(_) => Arm::Industry,
            Self::ArmyMove | Self::Conquer | Self::Bombard | Self::ArmySupport => Arm::Army,
            Self::NavyMove | Self::NavySupport | Self::NavyAttack => Arm::Navy,
            Self::AirMove
            | Self::AirSupport
            | Self::AirArmy
            | Self::AirNavy
            | Self::AirBase
            | Self::AirIndustry => Arm::Air,
            Self::MissileMove | Self::MissileArmy | Self::MissileBase | Self::MissileIndustry => {
                Arm::Missile
            }
            Self::AntimissileMove => Arm::Antimissile,
        }
    }

    /// Whether it is an attack (12A).
    pub fn attacks(self) -> bool {
        matches!(
            self,
            Self::Conquer
                | Self::Bombard
                | Self::NavyAttack
                | Self::AirArmy
                | Self::AirNavy
                | Self::AirBase
                | Self::AirIndustry
                | Self::MissileArmy
                | Self::MissileBase
                | Self::MissileIndustry
        )
    }

    /// Whether the units move to stay.
    pub fn moves(self) -> bool {
        matches!(
            self,
            Self::ArmyMove
                | Self::NavyMove
                | Self::AirMove
                | Self::MissileMove
                | Self::AntimissileMove
        )
    }

    /// Whether it is a build.
    pub fn builds(self) -> bool {
        matches!(self, Self::Build(_))
    }
}

/// An order to the forces of a space. Its target is a code or the number of a space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitOrder<T> {
    /// What to do.
    pub verb: Verb,
    /// The number of units, or of industry for a build.
    pub n: i64,
    /// The space that is the target; builds have none.
    pub target: Option<T>,
}

impl<T> UnitOrder<T> {
    /// The same order with another target.
    pub fn map<U>(&self, target: Option<U>) -> UnitOrder<U> {
        UnitOrder { verb: self.verb, n: self.n, target }
    }
}
