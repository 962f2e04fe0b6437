//! How well a computer player plays: the values of `computer.toml`.

use engine::Strength;
use serde::{Deserialize, Serialize};

/// The values of one strength; the file explains them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Strength that an attack needs, in per cent of the estimate.
    pub odds: i64,
    /// Strength that an attack needs against a garrison in sight, in per cent of the estimate.
    pub odds_seen: i64,
    /// Choices, per mille, in which the second best is taken.
    pub mistakes: u32,
    /// Attacks on cities that are planned at the same time.
    pub operations: usize,
    /// The weight of a goal that was chosen before, in per cent.
    pub loyalty: i64,
    /// Turns that a march to a city may take.
    pub reach: u32,
    /// Part of a threat that a garrison must withstand, in per cent.
    pub hold: i64,
    /// The fewest regiments that stay in a city near an enemy's.
    pub hold_front: u16,
    /// Units per city that claim land until turn 20.
    pub explorers: usize,
    /// Units per city that claim land after turn 20.
    pub explorers_later: usize,
    /// 1 if raiders on own land are hunted.
    pub hunts: u8,
    /// 1 if generals go where fights are expected.
    pub generals: u8,
    /// Bombers kept for each four cities.
    pub bombers: u32,
    /// Fighters or jets kept by the empire, and as many more for each four cities.
    pub fighters: u32,
    /// Per cent of tanks among the things built when there are PP to spare.
    pub tanks: u32,
    /// Per cent of income for research.
    pub research: i64,
    /// Per cent of income for research from 20 PP of income on, or with quiet borders.
    pub research_rich: i64,
    /// The defence level to which cities near an enemy are built up.
    pub walls: u8,
    /// Allies wanted.
    pub allies: usize,
    /// 1 if alliances are left for a reason, and leaders opposed.
    pub breaks: u8,
    /// 1 if cities overseas are attacked.
    pub landings: u8,
    /// The least worth of a city, in per cent of all own regiments.
    pub worth: i64,
    /// The turn from which the odds that an attack needs sink by one per cent a turn.
    pub eager: u32,
    /// The turn from which it founds a coalition that is large enough to win.
    pub coalition: u32,
    /// Stock, in per cent of the income, above which all goes into research.
    pub stock: i64,
    /// Missiles kept ready for each city.
    pub missiles: u16,
    /// Warheads kept ready.
    pub warheads: u16,
    /// 1 if engineers build roads, forts and airbases.
    pub works: u8,
    /// Bombers and paratroops that one base keeps for drops.
    pub drops: u16,
    /// Warships that go along with landings.
    pub escorts: u16,
}

/// The contents of `computer.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// The values of [`Strength::Easy`].
    pub easy: Level,
    /// The values of [`Strength::Normal`].
    pub normal: Level,
    /// The values of [`Strength::Hard`].
    pub hard: Level,
}

impl Levels {
    /// Whether the values are those of the embedded file.
    pub fn are_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The values of a strength.
    pub fn of(&self, strength: Strength) -> &Level {
        match strength {
            Strength::Easy => &self.easy,
            Strength::Normal => &self.normal,
            Strength::Hard => &self.hard,
        }
    }
}

impl Default for Levels {
    /// The values of the embedded file, for games from before the file existed.
    fn default() -> Self {
        let text = include_str!("../../../config/warlord/computer.toml");
        engine::data::from_toml(text).expect("the embedded file is sound")
    }
}
