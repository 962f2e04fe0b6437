//! The strength of a force, and whether it beats another: the combat rules with average luck, in
//! thousandths.

use super::super::tables::Tables;
use super::super::view::Spotted;

/// Attack and defence of a force; its defence shrinks with losses.
#[derive(Debug, Clone, Copy, Default)]
pub struct Force {
    pub attack: i64,
    pub defence: i64,
}

/// Attack and defence assumed for a foreign regiment of unknown type.
const UNKNOWN: (i64, i64) = (3, 3);

impl Force {
    /// Regiments of a type and rank.
    pub fn of(tables: &Tables, kind: u8, size: u16, rank: u8) -> Self {
        let row = tables.row(kind);
        let bonus = 100 + tables.rules.combat.rank_bonus_percent * i64::from(rank);
        let size = i64::from(size);
        Self { attack: size * row.attack * bonus * 10, defence: size * row.defence * 1000 }
    }

    /// A spotted force.
    pub fn seen(tables: &Tables, spotted: &Spotted) -> Self {
        match spotted.kind {
            Some(kind) => Self::of(tables, kind, spotted.size, 0),
            None => Self::guess(spotted.size),
        }
    }

    /// `size` regiments of unknown type.
    pub fn guess(size: u16) -> Self {
        let size = i64::from(size) * 1000;
        Self { attack: size * UNKNOWN.0, defence: size * UNKNOWN.1 }
    }

    /// `percent` per cent of the force.
    pub fn times(self, percent: i64) -> Self {
        Self { attack: self.attack * percent / 100, defence: self.defence * percent / 100 }
    }

    /// Both forces together.
    pub fn plus(self, other: Self) -> Self {
        Self { attack: self.attack + other.attack, defence: self.defence + other.defence }
    }
}

/// The defence that is left of a force after it takes a city of a level from its garrison with
/// average luck; `None` when it does not. A garrison that holds for three rounds is attacked again
/// a turn later, so the estimate covers two fights.
pub fn remains(tables: &Tables, force: Force, garrison: Force, level: u8) -> Option<i64> {
    let rules = &tables.rules.combat;
    let shelter = shelter(tables, level);
    let (mut ours, mut theirs) = (force, garrison);
    for _ in 0..2 * rules.rounds_max {
        if theirs.defence <= 0 || ours.defence <= 0 {
            break;
        }
        let (blow, counter) =
            (ours.attack / rules.damage_divisor, theirs.attack / rules.damage_divisor);
        theirs = weaken(theirs, blow * 100 / shelter);
        ours = weaken(ours, counter);
        if ours.attack >= theirs.attack * rules.dislodge_ratio && ours.attack > 0 {
            theirs = Force::default();
        }
    }
    if theirs.defence > 0 {
        return None;
    }
    let mut walls = i64::from(level) * 1000;
    for _ in 0..rules.rounds_max {
        if walls <= 0 || ours.defence <= 0 {
            break;
        }
        let counter = walls * rules.city_level_attack / rules.damage_divisor;
        walls -= ours.attack / rules.damage_divisor / rules.city_level_defence.max(1);
        ours = weaken(ours, counter);
    }
    // A third of the force should be left to hold the city.
    (walls <= 0 && ours.defence * 3 > force.defence).then_some(ours.defence)
}

/// Toughness of a garrison in per cent, by the walls of its city and an average ground.
pub fn shelter(tables: &Tables, level: u8) -> i64 {
    110 + i64::from(level) * tables.rules.combat.city_level_shelter_percent
}

/// The rest of a force after damage in thousandths.
pub fn weaken(force: Force, damage: i64) -> Force {
    let left = (force.defence - damage).max(0);
    Force { attack: force.attack * left / force.defence.max(1), defence: left }
}
