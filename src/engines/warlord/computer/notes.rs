//! What a computer player remembers from turn to turn: short lines of text, kept with its card.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::state::NOBODY;
use super::super::view::View;

/// Cities whose garrisons are remembered.
const GARRISONS_MAX: usize = 48;

/// Regiments seen in a foreign city.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Garrison {
    /// Regiments.
    pub size: u16,
    /// The turn in which they were seen.
    pub turn: u32,
}

/// A computer player's memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// Last seen garrisons by city.
    pub garrisons: BTreeMap<u16, Garrison>,
    /// The cities that are the goals of attacks, the main one first.
    pub aims: Vec<u16>,
    /// The turn in which each other player last attacked.
    pub attacks: BTreeMap<u8, u32>,
    /// Allies who got notice that the alliance ends, with the turn of the message.
    pub breaks: BTreeMap<u8, u32>,
}

impl Notes {
    /// Reads the text that [`Notes::text`] wrote; skips what makes no sense.
    pub fn read(text: &str) -> Self {
        let mut notes = Self::default();
        for line in text.lines() {
            let words: Vec<u32> = line.split_whitespace().filter_map(|w| w.parse().ok()).collect();
            let small = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
            match (line.split_whitespace().next(), words.as_slice()) {
                (Some("g"), &[city, size, turn]) => {
                    notes.garrisons.insert(small(city), Garrison { size: small(size), turn });
                }
                (Some("a"), cities) => notes.aims = cities.iter().map(|n| small(*n)).collect(),
                (Some("p"), &[seat, turn]) => {
                    notes.attacks.insert(u8::try_from(seat).unwrap_or(NOBODY), turn);
                }
                (Some("b"), &[seat, turn]) => {
                    notes.breaks.insert(u8::try_from(seat).unwrap_or(NOBODY), turn);
                }
                _ => {}
            }
        }
        notes
    }

    /// The notes as text of at most about 1.5 kB.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string can't fail.
        let _ = write!(out, "a");
        for city in &self.aims {
            let _ = write!(out, " {city}");
        }
        let _ = writeln!(out);
        for (seat, turn) in self.attacks.iter().take(20) {
            let _ = writeln!(out, "p {seat} {turn}");
        }
        for (seat, turn) in &self.breaks {
            let _ = writeln!(out, "b {seat} {turn}");
        }
        // The latest are kept.
        let mut seen: Vec<_> = self.garrisons.iter().collect();
        seen.sort_by_key(|(city, g)| (std::cmp::Reverse(g.turn), **city));
        for (city, g) in seen.into_iter().take(GARRISONS_MAX) {
            let _ = writeln!(out, "g {city} {} {}", g.size, g.turn);
        }
        out
    }

    /// Notes the garrisons that the view shows, and forgets old ones.
    pub fn look(&mut self, view: &View, in_sight: impl Fn(engine::geometry::Place) -> bool) {
        for city in &view.cities {
            if in_sight(city.at) {
                let there = view.spotted.iter().filter(|s| s.at == city.at && !s.ships);
                let size = there.map(|s| s.size).sum();
                self.garrisons.insert(city.number, Garrison { size, turn: view.turn });
            }
        }
        self.garrisons.retain(|n, g| !view.power.cities.contains_key(n) && g.turn + 20 > view.turn);
    }
}
