//! Airbases: those of cities, those that engineers build, and the decks of carriers; the planes and
//! missiles at them (§5, §11).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use engine::geometry::Place;

/// ID of fighters.
pub const FIGHTER: u8 = 18;
/// ID of bombers.
pub const BOMBER: u8 = 19;
/// ID of jets.
pub const JET: u8 = 20;

/// An airbase as orders write it: `23` or `S15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BaseNo {
    /// The base of a city, or one that engineers built; their numbers begin above those of the
    /// cities.
    Land(u16),
    /// The deck of a carrier or the tubes of a submarine, by unit number.
    Ship(u16),
}

impl std::fmt::Display for BaseNo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Land(number) => write!(f, "{number}"),
            Self::Ship(unit) => write!(f, "S{unit}"),
        }
    }
}

/// Planes of each type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planes {
    /// Number of fighters.
    pub fighters: u16,
    /// Number of jets.
    pub jets: u16,
    /// Number of bombers.
    pub bombers: u16,
}

impl Planes {
    /// Types of planes in the order in which they meet an enemy: jets go before fighters, and
    /// fighters screen bombers.
    pub const KINDS: [u8; 3] = [JET, FIGHTER, BOMBER];

    /// `count` planes of one type.
    pub fn of(kind: u8, count: u16) -> Self {
        let mut planes = Self::default();
        *planes.count_mut(kind) = count;
        planes
    }

    /// Places that a plane of a type takes on a deck.
    pub fn places_of(kind: u8) -> u32 {
        if kind == BOMBER { 2 } else { 1 }
    }

    /// Places that all these planes take on a deck.
    pub fn places(self) -> u32 {
        Self::KINDS.iter().map(|&kind| u32::from(self.count(kind)) * Self::places_of(kind)).sum()
    }

    /// The number of planes of a type; 0 for a type that is not a plane.
    pub fn count(self, kind: u8) -> u16 {
        match kind {
            FIGHTER => self.fighters,
            JET => self.jets,
            BOMBER => self.bombers,
            _ => 0,
        }
    }

    /// The number of planes of a type, to be changed; any type but fighters and jets counts as
    /// bombers.
    pub fn count_mut(&mut self, kind: u8) -> &mut u16 {
        match kind {
            FIGHTER => &mut self.fighters,
            JET => &mut self.jets,
            _ => &mut self.bombers,
        }
    }

    /// The number of all planes.
    pub fn total(self) -> u16 {
        self.fighters + self.jets + self.bombers
    }

    /// The number of fighters and jets.
    pub fn cover(self) -> u16 {
        self.fighters + self.jets
    }

    /// For each type the smaller of both numbers.
    pub fn least(self, other: Self) -> Self {
        let mut least = Self::default();
        for kind in Self::KINDS {
            *least.count_mut(kind) = self.count(kind).min(other.count(kind));
        }
        least
    }
}

impl std::ops::AddAssign for Planes {
    fn add_assign(&mut self, other: Self) {
        for kind in Self::KINDS {
            *self.count_mut(kind) += other.count(kind);
        }
    }
}

impl std::ops::SubAssign for Planes {
    fn sub_assign(&mut self, other: Self) {
        for kind in Self::KINDS {
            let left = self.count(kind).saturating_sub(other.count(kind));
            *self.count_mut(kind) = left;
        }
    }
}

impl std::ops::Sub for Planes {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl std::iter::Sum for Planes {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        let mut sum = Self::default();
        all.for_each(|planes| sum += planes);
        sum
    }
}

/// A standing F order of an airbase (§5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// The other base.
    pub to: BaseNo,
    /// Planes a turn, at most nine of a type.
    pub planes: Planes,
}

/// The contents of a base.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hangar {
    /// Planes, including those on watch.
    pub planes: Planes,
    /// Fighters and jets on watch, as ordered; jets first.
    pub watch: u16,
    /// Standing transfer of planes.
    pub transfer: Option<Transfer>,
    /// Missiles.
    pub missiles: u16,
    /// Atomic warheads; each needs a missile to fly.
    pub warheads: u16,
}

impl Hangar {
    /// Planes that are not on watch.
    pub fn free(&self) -> Planes {
        let jets = self.planes.jets.min(self.watch);
        let fighters = self.planes.fighters.min(self.watch - jets);
        self.planes - Planes { fighters, jets, bombers: 0 }
    }

    /// Whether planes, missiles or warheads lie here.
    pub fn is_empty(&self) -> bool {
        self.planes.total() + self.missiles + self.warheads == 0
    }
}

/// A base that engineers built (§11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Airbase {
    /// Its sector.
    pub at: Place,
    /// Its name; may be empty.
    pub name: String,
    /// What lies there.
    pub hangar: Hangar,
}

/// The contents of decks, by the number of their unit.
pub type Decks = BTreeMap<u16, Hangar>;
