//! Secret numbers and guesses: how they are written, and how they are drawn (§7.2, §8).

use engine::{Dice, Seat};
use serde::{Deserialize, Serialize};

use super::map::Category;

/// The faces of the die.
pub const FACES: u32 = 6;

/// The numbers that an attack may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The lowest.
    pub low: u32,
    /// The highest: the `m` of the rules.
    pub high: u32,
}

impl Bounds {
    /// The nearest number within the bounds.
    pub fn clamp(self, number: u32) -> u32 {
        number.max(self.low).min(self.high)
    }

    /// Every number within the bounds.
    pub fn numbers(self) -> std::ops::RangeInclusive<u32> {
        self.low..=self.high
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}–{}", self.low, self.high)
    }
}

/// How a number is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Draw {
    /// This number.
    Number(u32),
    /// `U`: each with the same chance.
    Uniform,
    /// `E`: the even mix of the game.
    Even,
    /// `a:b:…`: by weights of 1, 2 and so on.
    Weights(Vec<u16>),
}

/// The greatest weight.
const WEIGHT_MAX: u16 = 999;

impl Draw {
    /// Reads a number, `U`, `E` or weights.
    pub fn read(word: &str) -> Option<Self> {
        match word.to_ascii_uppercase().as_str() {
            "U" => Some(Self::Uniform),
            "E" => Some(Self::Even),
            _ if word.contains(':') => {
                let weights: Option<Vec<u16>> =
                    word.split(':').map(|w| digits(w).filter(|n| *n <= WEIGHT_MAX)).collect();
                let weights = weights.filter(|w| w.len() <= FACES as usize)?;
                weights.iter().any(|w| *w > 0).then_some(Self::Weights(weights))
            }
            _ => digits(word).map(Self::Number),
        }
    }

    /// The numbers within the bounds with their chances, each above 0. A fixed number outside
    /// counts as the nearest one; weights outside are dropped.
    fn chances(&self, bounds: Bounds, even: [u16; 6]) -> Vec<(u32, u32)> {
        let weight = |n: u32| -> u32 {
            let at = n as usize - 1;
            match self {
                Self::Number(number) => u32::from(bounds.clamp(*number) == n),
                Self::Uniform => 1,
                Self::Even => even.get(at).copied().unwrap_or(0).into(),
                Self::Weights(weights) => weights.get(at).copied().unwrap_or(0).into(),
            }
        };
        let chances: Vec<(u32, u32)> =
            bounds.numbers().map(|n| (n, weight(n))).filter(|c| c.1 > 0).collect();
        // If all weights are for numbers that this attack can't have, the nearest number is taken.
        let nearest = || {
            let Self::Weights(weights) = self else { return bounds.high };
            let first = weights.iter().zip(1..).find(|(w, _)| **w > 0).map_or(bounds.high, |w| w.1);
            bounds.clamp(first)
        };
        if chances.is_empty() { vec![(nearest(), 1)] } else { chances }
    }

    /// Draws the number of an attack.
    pub fn draw(&self, bounds: Bounds, even: [u16; 6], dice: &mut Dice, why: &'static str) -> u32 {
        drawn(&self.chances(bounds, even), dice, why)
    }

    /// One guess, or two if the attack allows two and has at least two numbers (§6, §8).
    pub fn guess(&self, bounds: Bounds, even: [u16; 6], two: bool, dice: &mut Dice) -> Vec<u32> {
        let first = self.draw(bounds, even, dice, "guess");
        if !two || bounds.low == bounds.high {
            return vec![first];
        }
        let second = match self {
            Self::Number(_) => nearest_other(first, bounds),
            _ => {
                let mut chances = self.chances(bounds, even);
                chances.retain(|c| c.0 != first);
                match chances.is_empty() {
                    true => nearest_other(first, bounds),
                    false => drawn(&chances, dice, "second guess"),
                }
            }
        };
        vec![first, second]
    }
}

/// The second guess: the number below the first, or above it if there is none.
fn nearest_other(first: u32, bounds: Bounds) -> u32 {
    if first > bounds.low { first - 1 } else { first + 1 }
}

/// Draws a number by the chances; a certain number takes no roll.
fn drawn(chances: &[(u32, u32)], dice: &mut Dice, why: &'static str) -> u32 {
    if let [(number, _)] = chances {
        return *number;
    }
    let mut at = dice.below(why, chances.iter().map(|c| c.1).sum());
    for (number, weight) in chances {
        if at < *weight {
            return *number;
        }
        at -= weight;
    }
    0
}

/// A number that is written only in digits.
pub fn digits<N: std::str::FromStr>(word: &str) -> Option<N> {
    word.chars().all(|c| c.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

impl std::fmt::Display for Draw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(n) => n.fmt(f),
            Self::Uniform => f.write_str("U"),
            Self::Even => f.write_str("E"),
            Self::Weights(weights) => f.write_str(&joined(weights, ":")),
        }
    }
}

fn joined<N: ToString>(numbers: &[N], between: &str) -> String {
    numbers.iter().map(N::to_string).collect::<Vec<_>>().join(between)
}

/// The guesses of a line (`spec` of §8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Guess {
    /// A guess for the first, the second … attack on a region in a turn; the last one repeats.
    List(Vec<u32>),
    /// A guess that is drawn.
    Drawn(Draw),
}

impl Guess {
    /// Reads `3`, `3/1/2`, `U`, `E` or weights.
    pub fn read(word: &str) -> Option<Self> {
        match Draw::read(word) {
            Some(Draw::Number(n)) => face(n).map(|n| Self::List(vec![n])),
            Some(draw) => Some(Self::Drawn(draw)),
            None if word.contains('/') => {
                let list: Option<Vec<u32>> =
                    word.split('/').map(|w| digits(w).and_then(face)).collect();
                list.map(Self::List)
            }
            None => None,
        }
    }

    /// How the guess for an attack is chosen, and by which member of a list. `attack` is the number
    /// of the attack on its region, from 1.
    pub fn of(&self, attack: u32) -> (Draw, Option<usize>) {
        match self {
            Self::Drawn(draw) => (draw.clone(), None),
            Self::List(list) => {
                let at = (attack.max(1) as usize - 1).min(list.len().saturating_sub(1));
                (Draw::Number(list.get(at).copied().unwrap_or(1)), Some(at))
            }
        }
    }
}

/// A number that is a face of the die.
fn face(n: u32) -> Option<u32> {
    (1..=FACES).contains(&n).then_some(n)
}

impl std::fmt::Display for Guess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::List(list) => f.write_str(&joined(list, "/")),
            Self::Drawn(draw) => draw.fmt(f),
        }
    }
}

/// A condition of a line of guesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// `*`
    Always,
    /// The number of the attacked region.
    Region(u16),
    /// The letter of its category.
    Category(char),
    /// `Pn`: the attacking seat.
    Seat(u8),
    /// `Mn`: the highest number that the attacker may have.
    Bound(u32),
    /// `Dn`: the defending armies; 6 is six or more.
    Defenders(u32),
}

/// The facts on which a guess may depend: all of them are public when an attack is announced
/// (§7.2).
#[derive(Debug, Clone, Copy)]
pub struct Situation {
    /// The number of the attacked region.
    pub region: u16,
    /// Its category.
    pub category: Category,
    /// The attacker.
    pub attacker: Seat,
    /// The highest number that the attacker may have.
    pub high: u32,
    /// The defending armies.
    pub defenders: u32,
}

impl Scope {
    fn fits(self, now: &Situation) -> bool {
        match self {
            Self::Always => true,
            Self::Region(number) => number == now.region,
            Self::Category(letter) => letter == now.category.letter(),
            Self::Seat(seat) => seat == now.attacker.0,
            Self::Bound(high) => high == now.high,
            Self::Defenders(n) => n == now.defenders.min(FACES),
        }
    }
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Always => f.write_str("*"),
            Self::Region(number) => number.fmt(f),
            Self::Category(letter) => letter.fmt(f),
            Self::Seat(seat) => write!(f, "P{seat}"),
            Self::Bound(high) => write!(f, "M{high}"),
            Self::Defenders(n) => write!(f, "D{n}"),
        }
    }
}

/// A line of guesses as ordered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Conditions that must all be true.
    pub scopes: Vec<Scope>,
    /// Whether the defender is asked first.
    pub live: bool,
    /// The guess, which also counts if the defender does not answer.
    pub guess: Guess,
}

impl Policy {
    /// Whether the line counts for an attack.
    pub fn fits(&self, now: &Situation) -> bool {
        self.scopes.iter().all(|s| s.fits(now))
    }
}

impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("G ")?;
        for scope in &self.scopes {
            write!(f, "{scope} ")?;
        }
        write!(f, "{}{}", if self.live { "LIVE " } else { "" }, self.guess)
    }
}
