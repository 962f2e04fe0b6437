//! How well a computer plays: the figures of `computer.toml`.

use engine::Strength;
use serde::{Deserialize, Serialize};

/// The figures of a strength; the file explains them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Strength that an attack asks for, in per cent of the estimate.
    pub odds: i64,
    /// The same against a garrison that is in sight.
    pub odds_seen: i64,
    /// Per mille of choices in which the second best is taken.
    pub mistakes: u32,
    /// Attacks on cities that are planned at the same time.
    pub operations: usize,
    /// What a goal that was chosen before counts for, in per cent.
    pub loyalty: i64,
    /// Turns that a march to a city may take.
    pub reach: u32,
    /// Part of a threat that a garrison is to withstand, in per cent.
    pub hold: i64,
    /// Regiments that stay in a city near an enemy's, at least.
    pub hold_front: u16,
    /// Units a city that claim land until turn 20.
    pub explorers: usize,
    /// The same later.
    pub explorers_later: usize,
    /// 1: raiders on own land are hunted.
    pub hunts: u8,
    /// 1: generals go where fights are expected.
    pub generals: u8,
    /// Bombers that four cities keep.
    pub bombers: u32,
    /// Fighters or jets that the empire keeps, and as many for each four cities.
    pub fighters: u32,
    /// Tanks of a hundred things built when there are PP to spare.
    pub tanks: u32,
    /// Per cent of income for research.
    pub research: i64,
    /// The same from 20 PP of income on, or with quiet borders.
    pub research_rich: i64,
    /// The level that cities near an enemy are brought to.
    pub walls: u8,
    /// Allies that are looked for.
    pub allies: usize,
    /// 1: alliances are left for a reason, and leaders opposed.
    pub breaks: u8,
    /// 1: cities overseas are attacked.
    pub landings: u8,
    /// What a city is worth at least, in per cent of all own regiments.
    pub worth: i64,
    /// The turn from which the odds that are asked for sink, one per cent a turn.
    pub eager: u32,
    /// The turn from which a coalition is founded that is large enough to win.
    pub coalition: u32,
    /// Stock in per cent of the income above which research takes all.
    pub stock: i64,
    /// Missiles that lie ready for each city.
    pub missiles: u16,
    /// Warheads that lie ready.
    pub warheads: u16,
    /// 1: engineers build roads, forts and airbases.
    pub works: u8,
    /// Bombers and paratroops that one base keeps for drops.
    pub drops: u16,
    /// Warships that go along with landings.
    pub escorts: u16,
}

/// `computer.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// The figures of [`Strength::Easy`].
    pub easy: Level,
    /// The figures of [`Strength::Normal`].
    pub normal: Level,
    /// The figures of [`Strength::Hard`].
    pub hard: Level,
}

impl Levels {
    /// Whether they are those of the embedded file.
    pub fn are_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The figures of a strength.
    pub fn of(&self, strength: Strength) -> &Level {
        match strength {
            Strength::Easy => &self.easy,
            Strength::Normal => &self.normal,
            Strength::Hard => &self.hard,
        }
    }
}

impl Default for Levels {
    /// Those of the embedded file, for games from before it was there.
    fn default() -> Self {
        let text = include_str!("../../../config/warlord/computer.toml");
        engine::data::from_toml(text).expect("the embedded file is sound")
    }
}
