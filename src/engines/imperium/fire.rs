//! Targets of fire, and its dice (§7.3).

use engine::Dice;
use serde::{Deserialize, Serialize};

use super::kinds::UnitId;

/// A unit that fires.
#[derive(Debug, Clone, Copy)]
pub struct Gun {
    /// The unit.
    pub id: UnitId,
    /// The number of its dice.
    pub dice: u32,
    /// Whether it may divide its dice between two targets.
    pub divides: bool,
}

/// A unit that may be fired at.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// The unit.
    pub id: UnitId,
    /// Its defence.
    pub defence: u32,
    /// Its index in the list of targets, the lowest first.
    pub rank: usize,
    /// Whether it is damaged.
    pub damaged: bool,
}

/// Dice that are rolled against a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    /// The unit that fires.
    pub by: UnitId,
    /// The target.
    pub at: UnitId,
    /// The lowest roll that hits.
    pub need: u8,
    /// The rolls.
    pub dice: Vec<u8>,
}

impl Shot {
    /// The number of dice that hit.
    pub fn hits(&self) -> u32 {
        // A unit has only a few dice.
        self.dice.iter().filter(|d| **d >= self.need).count() as u32
    }
}

/// The fire of a gun at a target: the index of the gun, the index of the mark, the number of dice,
/// and the lowest roll that hits.
pub type Assigned = (usize, usize, u32, u8);

/// Distributes fire, guns with the most dice first. A mark's aim is the number of expected hits
/// that destroys its front, counted in sixths. Each gun prefers targets whose aim is not reached,
/// then the order of the list, then the target that it hits best, then damaged ones, then the
/// number. `need` is the lowest roll of a gun that hits a mark; `None`: out of range.
pub fn assign(
    guns: &[Gun],
    marks: &[Mark],
    need: impl Fn(usize, usize) -> Option<u8>,
) -> Vec<Assigned> {
    let mut order: Vec<usize> = (0..guns.len()).filter(|g| guns[*g].dice > 0).collect();
    order.sort_by_key(|g| (std::cmp::Reverse(guns[*g].dice), guns[*g].id.name));
    let mut sixths = vec![0u32; marks.len()];
    let mut fire = Vec::new();
    for g in order {
        let mut left = guns[g].dice;
        let mut first: Option<(usize, u8)> = None;
        while left > 0 {
            let near = (0..marks.len()).filter(|m| first.is_none_or(|(f, _)| f != *m));
            let seen = near.filter_map(|m| Some((m, need(g, m)?)));
            let best = seen.min_by_key(|(m, need)| {
                let mark = &marks[*m];
                let reached = sixths[*m] >= 6 * mark.defence;
                (reached, mark.rank, *need, !mark.damaged, mark.id.name)
            });
            let Some((m, need)) = best else {
                // No other target is in range: all dice go to the first.
                if let (Some((m, need)), Some(last)) = (first, fire.last_mut()) {
                    let (_, _, dice, _): &mut Assigned = last;
                    *dice += left;
                    sixths[m] += left * u32::from(7 - need);
                }
                break;
            };
            let each = u32::from(7 - need);
            let open = (6 * marks[m].defence).saturating_sub(sixths[m]);
            let dice = match (guns[g].divides, first) {
                // The first of two targets gets the dice that its aim needs.
                (true, None) if open > 0 => open.div_ceil(each).min(left),
                _ => left,
            };
            if first.is_some() && open == 0 {
                // Every aim is reached: all dice go to the first target.
                if let (Some((m, need)), Some(last)) = (first, fire.last_mut()) {
                    let (_, _, dice, _): &mut Assigned = last;
                    *dice += left;
                    sixths[m] += left * u32::from(7 - need);
                }
                break;
            }
            fire.push((g, m, dice, need));
            sixths[m] += dice * each;
            left -= dice;
            if first.is_some() {
                break;
            }
            first = Some((m, need));
        }
    }
    fire
}

/// Rolls one die.
pub fn die(dice: &mut Dice, why: &'static str) -> u8 {
    // A die has six faces.
    dice.below(why, 6) as u8 + 1
}

/// Rolls the dice of all assigned fire.
pub fn throw(
    guns: &[Gun],
    marks: &[Mark],
    assigned: &[Assigned],
    dice: &mut Dice,
    why: &'static str,
) -> Vec<Shot> {
    let shot = |(g, m, n, need): &Assigned| Shot {
        by: guns[*g].id,
        at: marks[*m].id,
        need: *need,
        dice: (0..*n).map(|_| die(dice, why)).collect(),
    };
    assigned.iter().map(shot).collect()
}
