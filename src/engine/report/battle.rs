//! A fight as a small panel: who, where, strength before and after, ground, odds, result.

use serde::{Deserialize, Serialize};

use tongue::say;

use super::Tint;
use crate::Seat;

/// One side of a fight.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Force {
    /// Who, and in which role, such as `You attack` or `Player 3 defends`.
    pub who: String,
    /// The seat whose colour its bar has; `None`: nobody's, or it is not known.
    pub seat: Option<Seat>,
    /// The colour itself, where the game gives colours to seats.
    pub tint: Option<Tint>,
    /// How many or how strong before and after, in one measure for all sides; `None`: not known.
    pub numbers: Option<(u32, u32)>,
    /// The forces by name with their losses; empty: not known.
    pub forces: String,
    /// What it fought with: strength, generals, dice; empty: nothing to say.
    pub odds: String,
}

impl Force {
    /// The colour of its bar.
    pub fn colour(&self) -> Tint {
        let any = Tint::new(8, 8, 8);
        self.tint.unwrap_or_else(|| self.seat.map_or(any, Tint::of_seat))
    }

    /// Whether there is something to count.
    pub fn is_counted(&self) -> bool {
        self.numbers.is_some_and(|(before, after)| before.max(after) > 0)
    }

    /// Its numbers in words, such as `8 of 10 left`; empty where they are not known.
    pub fn counted(&self) -> String {
        match self.numbers.filter(|_| self.is_counted()) {
            None => String::new(),
            Some((before, after)) if after > before => say!("{before}, then {after}"),
            Some((before, after)) => say!("{after} of {before} left"),
        }
    }

    /// The parts of a bar of `length`: what is left, and what was lost. `most` is the greatest
    /// number of the fight. A number above 0 has at least one unit of length.
    pub fn bar(&self, most: u32, length: u32) -> (u32, u32) {
        let Some((before, after)) = self.numbers else { return (0, 0) };
        let share = |n: u32| match n.min(most) {
            0 => 0,
            n => (u64::from(n) * u64::from(length) / u64::from(most.max(1))).max(1) as u32,
        };
        let (whole, left) = (share(before.max(after)), share(after));
        // A loss is always visible, however small it is.
        let lost = whole.saturating_sub(left).max(u32::from(after < before));
        (left.min(length.saturating_sub(lost)), lost)
    }
}

/// A fight.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battle {
    /// Where and when, such as `Sector 05333, phase 2`.
    pub place: String,
    /// The ground; empty if it does not matter.
    pub ground: String,
    /// Who fought, attackers first.
    pub sides: Vec<Force>,
    /// How it ended, in a sentence.
    pub result: String,
    /// The result in the notation of the rules; empty if there is none.
    pub notation: String,
}

impl Battle {
    /// The greatest number of all sides, to which the bars are scaled.
    pub fn most(&self) -> u32 {
        let numbers = self.sides.iter().filter_map(|s| s.numbers);
        numbers.map(|(before, after)| before.max(after)).max().unwrap_or(0)
    }

    /// Place and ground in one line.
    pub fn title(&self) -> String {
        match self.ground.as_str() {
            "" => self.place.clone(),
            ground => format!("{}: {ground}", self.place),
        }
    }

    /// All its texts, for changes that apply to every text of a printout.
    pub fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        let own = [&mut self.place, &mut self.ground, &mut self.result, &mut self.notation];
        let sides = self.sides.iter_mut().flat_map(|s| [&mut s.who, &mut s.forces, &mut s.odds]);
        own.into_iter().chain(sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_one_measure_and_show_every_loss() {
        let side = |before, after| Force { numbers: Some((before, after)), ..Force::default() };
        let battle = Battle {
            sides: vec![side(40, 39), side(20, 0), side(1, 1), Force::default()],
            ..Battle::default()
        };
        let bars: Vec<(u32, u32)> = battle.sides.iter().map(|s| s.bar(battle.most(), 20)).collect();
        assert_eq!(bars, [(19, 1), (0, 10), (1, 0), (0, 0)]);
        assert_eq!(side(5, 4).bar(1000, 20), (1, 1), "a loss shows however small it is");
        let words: Vec<String> = battle.sides.iter().map(Force::counted).collect();
        assert_eq!(words, ["39 of 40 left", "0 of 20 left", "1 of 1 left", ""]);
        assert!(!side(0, 0).is_counted() && side(0, 0).counted().is_empty(), "nobody was there");
    }
}
