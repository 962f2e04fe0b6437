//! An estimate of the forces and walls of a city: in sight, remembered, or guessed.

use super::super::state::{INFANTRY, NOBODY};
use super::super::view::KnownCity;
use super::Brain;
use super::force::Force;
use engine::geometry::Place;

/// Regiments assumed in an uncontrolled city that nobody has looked into.
const GARRISON_UNSEEN: u16 = 7;
/// Regiments assumed in a player's city that nobody has looked into: at the start, and at most.
const GARRISON_OF_PLAYER: u32 = 8;
const GARRISON_MAX: u32 = 25;
/// Regiments by which a player's garrison grows since it was seen, at most.
const GROWTH_MAX: u32 = 10;

impl Brain<'_> {
    /// The garrison of a city: seen, remembered or guessed.
    pub fn garrison_in(&self, city: &KnownCity) -> Force {
        let here = self.view.spotted.iter().filter(|s| s.at == city.at && !s.ships);
        let seen: Vec<Force> = here.map(|s| Force::seen(&self.view.tables, s)).collect();
        if !seen.is_empty() {
            return seen.into_iter().fold(Force::default(), Force::plus);
        }
        if self.in_sight(city.at) {
            return Force::default();
        }
        let free = matches!(city.seen.owner, None | Some(NOBODY));
        let size = match (self.notes.garrisons.get(&city.number), free) {
            (Some(seen), true) => u32::from(seen.size),
            (Some(seen), false) => {
                u32::from(seen.size) + (self.view.turn - seen.turn).min(GROWTH_MAX)
            }
            (None, true) => u32::from(GARRISON_UNSEEN),
            // The longer the game, the larger the garrisons.
            (None, false) => (GARRISON_OF_PLAYER + self.view.turn * 3 / 5).min(GARRISON_MAX),
        };
        // Garrisons are small numbers.
        Force::of(&self.view.tables, INFANTRY, size as u16, 0)
    }

    /// The defence level of a city: seen or guessed.
    pub fn level_of(&self, city: &KnownCity) -> u8 {
        if city.seen.owner.is_none() { 2 } else { city.seen.level }
    }

    /// Whether a unit, city or observer sees a sector now.
    pub fn in_sight(&self, at: Place) -> bool {
        let sight = &self.view.tables.rules.sight;
        let grid = self.view.grid;
        self.view.power.units.values().any(|u| grid.distance(u.at, at) <= sight.unit)
            || self.view.power.observed.iter().any(|o| grid.distance(*o, at) <= sight.observation)
            || self.view.power.cities.values().any(|c| grid.distance(c.at, at) <= sight.city)
    }
}
