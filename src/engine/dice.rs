//! Integer dice from a 64-bit seed; every roll is logged.
//!
//! Each roll is keyed: it follows from the seed, its purpose and the place that it belongs to
//! ([`Dice::at`]), by SHA-256 and ChaCha with 12 rounds. So somebody who knows any number of rolls,
//! such as those of their own battles, learns nothing about those of another place, even if they
//! know in which order a step rolls. Older games draw all rolls from one stream ([`Dice::stream`]).
//! Bounds are applied here, by rejection, so that values do not change when a library changes how
//! it draws from a range.

use std::collections::BTreeMap;

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// How many items are drawn one by one; the rest is shared out in proportion, so that a battle of a
/// hundred thousand costs no more than one of a thousand.
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
    /// The place that keyed it; all 0 where none was named, and in a stream.
    #[serde(skip_serializing_if = "is_nowhere")]
    pub place: Place,
}

/// What a roll belongs to, in the game's own numbers: a sector, a seat, a unit.
pub type Place = [u32; 4];

fn is_nowhere(place: &Place) -> bool {
    *place == [0; 4]
}

/// Where rolls come from.
#[derive(Debug, Clone)]
enum Source {
    /// One sequence for a whole step.
    Stream(Box<ChaCha12Rng>),
    /// A sequence for each purpose and place.
    Keyed { seed: u64, streams: BTreeMap<(&'static str, Place), ChaCha12Rng> },
}

/// Dice of one step.
#[derive(Debug, Clone)]
pub struct Dice {
    source: Source,
    place: Place,
    log: Vec<Roll>,
    /// Set by tests that need a known result; `None` in every game.
    fixed: Option<u32>,
    rules: u32,
}

impl Dice {
    /// Dice whose rolls are keyed by `seed`, purpose and place.
    pub fn new(seed: u64) -> Self {
        Self::of(Source::Keyed { seed, streams: BTreeMap::new() })
    }

    /// Dice whose whole sequence follows from `seed`, for games that began before rolls were keyed.
    pub fn stream(seed: u64) -> Self {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..24].copy_from_slice(b"fieldpost dice 1");
        Self::of(Source::Stream(Box::new(ChaCha12Rng::from_seed(key))))
    }

    fn of(source: Source) -> Self {
        Self { source, place: [0; 4], log: Vec::new(), fixed: None, rules: u32::MAX }
    }

    /// The same dice for a game of this version of its rules.
    #[must_use]
    pub fn of_rules(self, version: u32) -> Self {
        Self { rules: version, ..self }
    }

    /// The version of the rules that the game is played by; the newest one if none was given. When
    /// a game is made, it notes in its state which of two rules it follows.
    pub fn rules(&self) -> u32 {
        self.rules
    }

    /// Sets the place of the rolls that follow, until another is named.
    pub fn at<const N: usize>(&mut self, place: [u32; N]) -> &mut Self {
        const { assert!(N <= 4, "a place has at most four numbers") };
        self.place = [0; 4];
        if !matches!(self.source, Source::Stream(_)) {
            self.place[..N].copy_from_slice(&place);
        }
        self
    }

    /// Loaded dice for worked examples: each roll gives the middle of its range,
    /// and each roll of a chance gives the given per-mille.
    pub fn middling(per_mille: u32) -> Self {
        Self { fixed: Some(per_mille), ..Self::new(0) }
    }

    /// A number from 0 to `sides - 1`; 0 `sides` count as 1.
    pub fn below(&mut self, why: &'static str, sides: u32) -> u32 {
        let sides = sides.max(1);
        let value = match self.fixed {
            Some(per_mille) if sides == 1000 => per_mille.min(999),
            Some(_) => sides / 2,
            None => self.draw(why, sides),
        };
        self.log.push(Roll { why, sides, value, place: self.place });
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

    /// Takes `n` items at random out of pools, each at most once. Returns how many of each pool.
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
        // When there are very many, the first ones are taken in proportion.
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

    /// Spreads `n` shots at random over targets by weight. Returns how many hit each.
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

    /// Draws one of the pools by their weights, which sum up to `total`.
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
        let high = self.source.next(why, self.place);
        let low = self.source.next(why, self.place);
        for value in [high, low] {
            self.log.push(Roll { why, sides: u32::MAX, value, place: self.place });
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

    fn draw(&mut self, why: &'static str, sides: u32) -> u32 {
        // The largest multiple of `sides` that fits; a number above it is drawn again.
        let zone = u32::MAX - (u32::MAX % sides);
        loop {
            let raw = self.source.next(why, self.place);
            if raw < zone {
                return raw % sides;
            }
        }
    }
}

impl Source {
    /// The next 32 bits for a purpose at a place.
    fn next(&mut self, why: &'static str, place: Place) -> u32 {
        match self {
            Self::Stream(rng) => rng.next_u32(),
            Self::Keyed { seed, streams } => {
                let stream = streams.entry((why, place)).or_insert_with(|| {
                    let mut key = Sha256::new();
                    key.update(b"fieldpost dice 2");
                    key.update(seed.to_le_bytes());
                    place.iter().for_each(|n| key.update(n.to_le_bytes()));
                    key.update(why.as_bytes());
                    ChaCha12Rng::from_seed(key.finalize().into())
                });
                stream.next_u32()
            }
        }
    }
}

/// Divides `n` in proportion to the weights; the largest remainders are served first.
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
        let mut dice = Dice::stream(1988);
        let rolls: Vec<u32> = (0..8).map(|_| dice.below("test", 1000)).collect();
        assert_eq!(rolls, [264, 569, 94, 687, 928, 159, 155, 11]);
        assert_eq!(dice.log().len(), 8);
        let mut dice = Dice::new(1988);
        let rolls: Vec<u32> = (0..4).map(|_| dice.at([7]).below("test", 1000)).collect();
        assert_eq!(rolls, KEYED);
    }

    const KEYED: [u32; 4] = [659, 756, 13, 167];

    #[test]
    fn a_roll_depends_on_its_purpose_and_place_and_on_no_other_roll() {
        let roll = |dice: &mut Dice, place: u32, why| dice.at([place]).below(why, 1_000_000);
        let mut alone = Dice::new(5);
        let first = roll(&mut alone, 2, "battle");
        let mut after = Dice::new(5);
        (0..50).for_each(|n| {
            roll(&mut after, 1, "battle");
            roll(&mut after, n + 10, "luck");
        });
        assert_eq!(roll(&mut after, 2, "battle"), first, "other rolls move nothing");
        let mut others = Dice::new(5);
        let seen = [
            roll(&mut others, 3, "battle"),
            roll(&mut others, 2, "luck"),
            roll(&mut Dice::new(6), 2, "battle"),
        ];
        assert!(!seen.contains(&first), "purpose, place and seed all count");
        assert_ne!(roll(&mut alone, 2, "battle"), first, "a second roll of a place is another");
    }

    #[test]
    fn a_stream_knows_no_places_and_its_journal_reads_as_before() {
        let mut plain = Dice::stream(9);
        let mut placed = Dice::stream(9);
        for n in 0..20 {
            assert_eq!(plain.below("x", 77), placed.at([n, 4]).below("x", 77));
        }
        assert_eq!(plain.log(), placed.log());
    }
}
