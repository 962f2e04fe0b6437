//! Integer dice from a 64-bit seed; every roll is logged.
//!
//! The stream is ChaCha with 12 rounds, keyed by the seed alone, so that its
//! values never change with a library's idea of ranges: bounds are met here, by
//! rejection.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;

/// One roll for the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Roll {
    /// What it was for.
    pub why: &'static str,
    /// Number of faces.
    pub sides: u32,
    /// Result, 0 to `sides - 1`.
    pub value: u32,
}

/// Dice of one step.
#[derive(Debug, Clone)]
pub struct Dice {
    rng: ChaCha12Rng,
    log: Vec<Roll>,
    /// Set by tests that need a known luck; `None` in every game.
    fixed: Option<u32>,
}

impl Dice {
    /// Dice whose whole sequence follows from `seed`.
    pub fn new(seed: u64) -> Self {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..24].copy_from_slice(b"fieldpost dice 1");
        Self { rng: ChaCha12Rng::from_seed(key), log: Vec::new(), fixed: None }
    }

    /// Loaded dice for worked examples: each roll gives the middle of its range,
    /// and each roll of a chance gives the given per-mille.
    pub fn middling(per_mille: u32) -> Self {
        Self { fixed: Some(per_mille), ..Self::new(0) }
    }

    /// A number from 0 to `sides - 1`; `sides` of 0 counts as 1.
    pub fn below(&mut self, why: &'static str, sides: u32) -> u32 {
        let sides = sides.max(1);
        let value = match self.fixed {
            Some(per_mille) if sides == 1000 => per_mille.min(999),
            Some(_) => sides / 2,
            None => self.draw(sides),
        };
        self.log.push(Roll { why, sides, value });
        value
    }

    /// A number from `low` to `high`, both possible.
    pub fn between(&mut self, why: &'static str, low: i64, high: i64) -> i64 {
        let span = u32::try_from((high - low).max(0) + 1).unwrap_or(u32::MAX);
        low + i64::from(self.below(why, span))
    }

    /// True in `per_mille` of 1000 cases.
    pub fn chance(&mut self, why: &'static str, per_mille: u32) -> bool {
        self.below(why, 1000) < per_mille
    }

    /// 64 bits at once, logged as two halves.
    pub fn word(&mut self, why: &'static str) -> u64 {
        let high = self.rng.next_u32();
        let low = self.rng.next_u32();
        for value in [high, low] {
            self.log.push(Roll { why, sides: u32::MAX, value });
        }
        u64::from(high) << 32 | u64::from(low)
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, why: &'static str, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let sides = u32::try_from(i + 1).unwrap_or(u32::MAX);
            items.swap(i, self.below(why, sides) as usize);
        }
    }

    /// Every roll so far, in order.
    pub fn log(&self) -> &[Roll] {
        &self.log
    }

    fn draw(&mut self, sides: u32) -> u32 {
        // The largest multiple of `sides` that fits: above it, draw again.
        let zone = u32::MAX - (u32::MAX % sides);
        loop {
            let raw = self.rng.next_u32();
            if raw < zone {
                return raw % sides;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_seed_never_change() {
        let mut dice = Dice::new(1988);
        let rolls: Vec<u32> = (0..8).map(|_| dice.below("test", 1000)).collect();
        assert_eq!(rolls, EXPECTED);
        assert_eq!(dice.log().len(), 8);
    }

    const EXPECTED: [u32; 8] = [264, 569, 94, 687, 928, 159, 155, 11];
}
