//! Units, cities and generals, and the knowledge of those of others.

use super::{INFANTRY, TANK};
use crate::bases::Hangar;
use engine::geometry::{Direction, Place};
use serde::{Deserialize, Serialize};

/// Where a standing advance leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A sector.
    Sector(Place),
    /// A direction, without end.
    Heading(Direction),
}

/// A standing advance (§3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// Where it leads.
    pub target: Target,
    /// Whether infantry and trucks were ordered together by their sector.
    pub convoy: bool,
}

/// A division or a flotilla.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// ID of its type.
    pub kind: u8,
    /// Its sector.
    pub at: Place,
    /// Regiments or ships, 1 to 45.
    pub size: u16,
    /// 0 Novice to 3 Elite.
    pub rank: u8,
    /// The flotilla that carries it.
    pub aboard: Option<u16>,
    /// Its standing advance.
    pub goal: Option<Goal>,
}

/// The state of a production centre (§6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Centre {
    /// Without an item.
    Idle,
    /// Ready to start this item as soon as the PP are there.
    Ready(u8),
    /// At work: item, turns left, hundredths of PP spent.
    Working {
        /// ID of the item.
        item: u8,
        /// Turns until it is delivered.
        left: u8,
        /// Hundredths of PP spent on it.
        spent: i64,
    },
}

/// A city and its airbase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct City {
    /// Its sector.
    pub at: Place,
    /// Its name.
    pub name: String,
    /// Name of its airbase.
    pub base_name: String,
    /// PP a turn.
    pub income: u8,
    /// Defence level, 0 to 9.
    pub level: u8,
    /// Its production centres.
    pub centres: [Centre; 3],
    /// The contents of its airbase.
    pub hangar: Hangar,
    /// Whether it has a missile defence (§11).
    pub shield: bool,
    /// Whether rebels hold it: then the nameless power builds here and attacks from here (§8).
    pub rebel: bool,
}

impl City {
    /// Sets the centres to the items that rebel cities build again and again.
    pub fn arm_rebels(&mut self) {
        self.centres = [Centre::Ready(INFANTRY), Centre::Ready(INFANTRY), Centre::Ready(TANK)];
    }

    /// A city without planes, production or standing orders.
    pub fn new(at: Place, name: String, income: u8, level: u8) -> Self {
        Self {
            at,
            base_name: name.clone(),
            name,
            income,
            level,
            centres: [Centre::Idle; 3],
            hangar: Hangar::default(),
            shield: false,
            rebel: false,
        }
    }
}

/// Where a general is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Billet {
    /// With a unit, by number.
    Unit(u16),
    /// In a city, by number.
    City(u16),
}

/// A general.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct General {
    /// Their name; may be empty.
    pub name: String,
    /// Points of skill, 0 to 100.
    pub skill: u8,
    /// Skill gained in this turn.
    pub gained: u8,
    /// Where they are; `None` if lost for good.
    pub billet: Option<Billet>,
}

/// The last knowledge of a seat about a foreign city.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// Turn of the last report.
    pub turn: u32,
    /// The holder; `None` for a city known only by report.
    pub owner: Option<u8>,
    /// Defence level then.
    pub level: u8,
    /// Name then.
    pub name: String,
    /// Whether rebels held it then.
    #[serde(default)]
    pub rebel: bool,
}

impl Sighting {
    /// The knowledge about a city in its present state.
    pub fn of(city: &City, owner: u8, turn: u32) -> Self {
        let (level, name, rebel) = (city.level, city.name.clone(), city.rebel);
        Self { turn, owner: Some(owner), level, name, rebel }
    }
}

/// Turns in which another player's forces were met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meeting {
    /// The first of them.
    pub first: u32,
    /// The last of them.
    pub last: u32,
}

/// The parts of a rating (§10).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rating {
    /// For the tech level.
    pub tech: i64,
    /// For units and planes.
    pub forces: i64,
    /// For cities.
    pub cities: i64,
    /// For defence levels.
    pub levels: i64,
    /// For income.
    pub income: i64,
}

impl Rating {
    /// The sum of the parts.
    pub fn total(&self) -> i64 {
        self.tech + self.forces + self.cities + self.levels + self.income
    }
}
