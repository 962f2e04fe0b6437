//! Integer dice from a 64-bit seed; every roll is logged.
//!
//! The stream is ChaCha with 12 rounds, keyed by the seed alone, so that its
//! values never change with a library's idea of ranges: bounds are met here, by
//! rejection.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;

/// Units that are drawn one by one; what goes beyond falls in proportion, so that a
/// battle of a hundred thousand costs no more than one of a thousand.
const DRAWN_MAX: i64 = 2_000;

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

    /// How many of `n` coins fall heads.
    pub fn heads(&mut self, why: &'static str, n: i64) -> i64 {
        let mut left = n.max(0);
        if self.fixed.is_some() {
            return left / 2;
        }
        let mut heads = 0;
        while left > 0 {
            let coins = left.min(16) as u32;
            heads += i64::from(self.below(why, 1 << coins).count_ones());
            left -= i64::from(coins);
        }
        heads
    }

    /// `over / under`, rounded up with the probability of the fraction.
    pub fn round(&mut self, why: &'static str, over: i64, under: i64) -> i64 {
        let under = under.max(1);
        let (whole, rest) = (over.div_euclid(under), over.rem_euclid(under));
        if rest == 0 {
            return whole;
        }
        if self.fixed.is_some() {
            return whole + i64::from(rest >= under - rest);
        }
        // A die has at most 32 bits of faces; beyond them the fraction is shortened.
        let shift = (64 - under.leading_zeros()).saturating_sub(31);
        let sides = u32::try_from(under >> shift).unwrap_or(u32::MAX);
        whole + i64::from(i64::from(self.below(why, sides)) < rest >> shift)
    }

    /// Takes `n` units at random out of pools, none twice: how many of each pool.
    pub fn pick(&mut self, why: &'static str, n: i64, pools: &[i64]) -> Vec<i64> {
        let mut left: Vec<i64> = pools.iter().map(|p| (*p).max(0)).collect();
        let total: i64 = left.iter().sum();
        let n = n.clamp(0, total);
        if n == total {
            return left;
        }
        if self.fixed.is_some() {
            return in_proportion(n, &left);
        }
        // Of very many the first fall in proportion.
        let sure = (n - DRAWN_MAX).max(0);
        let mut taken = in_proportion(sure, &left);
        left.iter_mut().zip(&taken).for_each(|(l, t)| *l -= t);
        for drawn in sure..n {
            let pool = self.one_of(why, total - drawn, &left);
            left[pool] -= 1;
            taken[pool] += 1;
        }
        taken
    }

    /// Throws `n` shots at targets by weight: how many go to each.
    pub fn scatter(&mut self, why: &'static str, n: i64, weights: &[i64]) -> Vec<i64> {
        let total: i64 = weights.iter().sum();
        if total <= 0 {
            return vec![0; weights.len()];
        }
        if self.fixed.is_some() {
            return in_proportion(n, weights);
        }
        let sure = (n - DRAWN_MAX).max(0);
        let mut shots = in_proportion(sure, weights);
        for _ in sure..n.max(0) {
            shots[self.one_of(why, total, weights)] += 1;
        }
        shots
    }

    /// One of the pools by their weights, which sum up to `total`.
    fn one_of(&mut self, why: &'static str, total: i64, weights: &[i64]) -> usize {
        let mut at = i64::from(self.below(why, u32::try_from(total).unwrap_or(u32::MAX)));
        for (i, weight) in weights.iter().enumerate() {
            if at < *weight {
                return i;
            }
            at -= weight;
        }
        weights.len().saturating_sub(1)
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

/// `n` parted in proportion, the largest remainders served first.
fn in_proportion(n: i64, weights: &[i64]) -> Vec<i64> {
    let total: i64 = weights.iter().sum::<i64>().max(1);
    let mut parts: Vec<i64> = weights.iter().map(|w| n * w / total).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(n * weights[*i] % total));
    let missing = n - parts.iter().sum::<i64>();
    for i in order.into_iter().take(usize::try_from(missing).unwrap_or(0)) {
        parts[i] += 1;
    }
    parts
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
