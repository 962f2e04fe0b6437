//! The knowledge of a player (§7): explored squares, cities as they were seen last, enemies in
//! sight and where others were seen.

use std::collections::BTreeMap;

use engine::Seat;
use engine::geometry::Place;
use serde::{Deserialize, Serialize};

use super::kinds::Kind;

/// An enemy where it was seen last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Its kind.
    pub kind: Kind,
    /// Whose it is.
    pub owner: Seat,
    /// Whether something was aboard.
    pub laden: bool,
    /// The turn in which it was seen.
    pub turn: u32,
    /// Whether it is in sight now.
    pub here: bool,
}

/// A city as a player saw it last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenCity {
    /// The number by which the player calls it, in the order in which the player first saw cities.
    pub number: u16,
    /// Its owner when it was seen.
    pub owner: Option<Seat>,
    /// Whether units were inside, as far as that could be seen.
    pub manned: bool,
    /// The turn in which it was seen.
    pub turn: u32,
}

/// The knowledge of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    explored: Squares,
    /// Cities by square.
    pub cities: BTreeMap<Place, SeenCity>,
    /// Enemies by square.
    pub marks: BTreeMap<Place, Mark>,
    /// Names that the player gave to cities, by square.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<Place, String>,
}

impl Known {
    /// No knowledge yet, for a map with this many squares.
    pub fn new(squares: usize) -> Self {
        Self {
            explored: Squares(vec![0; squares.div_ceil(64)]),
            cities: BTreeMap::new(),
            marks: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }

    /// Whether a square was ever seen.
    pub fn has_seen(&self, place: Place) -> bool {
        self.explored.has(place)
    }

    /// Marks a square as seen. Returns whether it is the first time.
    pub fn see(&mut self, place: Place) -> bool {
        self.explored.set(place)
    }

    /// How many squares were ever seen.
    pub fn explored(&self) -> u32 {
        self.explored.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Notes a city that is seen. Returns whether it is new.
    pub fn see_city(&mut self, at: Place, owner: Option<Seat>, manned: bool, turn: u32) -> bool {
        // There are a few hundred cities.
        let next = self.cities.len() as u16 + 1;
        let new = !self.cities.contains_key(&at);
        let number = self.cities.get(&at).map_or(next, |c| c.number);
        self.cities.insert(at, SeenCity { number, owner, manned, turn });
        new
    }

    /// The square of the city with the player's number.
    pub fn city(&self, number: u16) -> Option<Place> {
        self.cities.iter().find(|(_, c)| c.number == number).map(|(at, _)| *at)
    }

    /// Forgets enemies that were not seen for `turns` turns.
    pub fn fade(&mut self, turn: u32, turns: u32) {
        self.marks.retain(|_, mark| mark.here || mark.turn + turns > turn);
    }
}

/// A set of squares: one bit each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct Squares(Vec<u64>);

impl Squares {
    fn has(&self, place: Place) -> bool {
        let (word, bit) = (usize::from(place.0 / 64), place.0 % 64);
        self.0.get(word).is_some_and(|w| w >> bit & 1 == 1)
    }

    fn set(&mut self, place: Place) -> bool {
        let (word, bit) = (usize::from(place.0 / 64), place.0 % 64);
        let Some(w) = self.0.get_mut(word) else { return false };
        let new = *w >> bit & 1 == 0;
        *w |= 1 << bit;
        new
    }
}
