//! Fights (§8): who may attack whom, with what chances, and with what result.

use engine::Dice;
use tongue::say;

use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::tables::{Figure, Options};

/// Chances are counted in these parts, so that halves and quarters are whole.
const PARTS: u32 = 4;

/// One side of a fight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fighter {
    /// Its chance of a hit, in quarters.
    pub chance: u32,
    /// Damage of its hit.
    pub shot: u32,
    /// Hits that it can still take.
    pub left: u32,
}

/// A fight of two that ends when one is gone (§8.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fight {
    /// The attacker.
    pub attacker: Fighter,
    /// The defender.
    pub defender: Fighter,
}

/// The result of a fight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the attacker survives.
    pub won: bool,
    /// Damage that the winner took.
    pub damage: u32,
}

/// The chance to win, as a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Odds {
    /// Cases in which it is won.
    pub won: u128,
    /// All cases.
    pub of: u128,
}

impl Odds {
    /// The chance in tenths of a percent; a half is rounded to the even number.
    pub fn per_mille(self) -> u32 {
        let of = self.of.max(1);
        let (whole, rest) = (self.won * 1000 / of, self.won * 1000 % of);
        let up = 2 * rest > of || 2 * rest == of && whole % 2 == 1;
        // At most 1000.
        whole as u32 + u32::from(up)
    }
}

impl Fight {
    /// Fights until one side is gone. Every round is a roll.
    pub fn run(&self, dice: &mut Dice) -> Outcome {
        let (a, d) = (self.attacker, self.defender);
        let (mut hit_a, mut hit_d) = (0, 0);
        loop {
            match dice.below("hit", a.chance + d.chance) < a.chance {
                true => hit_d += a.shot.max(1),
                false => hit_a += d.shot.max(1),
            }
            if hit_d >= d.left {
                return Outcome { won: true, damage: hit_a };
            }
            if hit_a >= a.left {
                return Outcome { won: false, damage: hit_d };
            }
        }
    }

    /// The chance that the attacker wins, exactly.
    pub fn odds(&self) -> Odds {
        let (a, d) = (self.attacker, self.defender);
        let common = gcd(a.chance, d.chance).max(1);
        let (p, q) = (u128::from(a.chance / common), u128::from(d.chance / common));
        let needs = d.left.div_ceil(a.shot.max(1)).max(1);
        let stands = a.left.div_ceil(d.shot.max(1)).max(1);
        // The cases in which the attacker wins after `taken` hits, for each `taken`, over one
        // denominator.
        let rounds = needs + stands - 1;
        let mut won = 0u128;
        let mut ways = 1u128;
        for taken in 0..stands {
            if taken > 0 {
                ways = ways * u128::from(needs + taken - 1) / u128::from(taken);
            }
            let rest = rounds - needs - taken;
            won += ways * p.pow(needs) * q.pow(taken) * (p + q).pow(rest);
        }
        Odds { won, of: (p + q).pow(rounds) }
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The target of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A unit of a kind with its damage so far.
    Unit(Kind, u32),
    /// A city, a neutral one with the number of attacks by land units that it has beaten off.
    City {
        /// Whether it belongs to nobody.
        neutral: bool,
        /// Attacks of land units that it has beaten off.
        held: u32,
    },
}

/// An attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attacker {
    /// Its kind.
    pub kind: Kind,
    /// Its damage so far.
    pub damage: u32,
    /// The ground on which it stands: a transport's cargo stands on water.
    pub on: Terrain,
}

/// Why an attack is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It attacks nothing at all.
    Never,
    /// Land units and submarines can't attack each other.
    Submarine,
    /// Land units do not reach aircraft over water.
    OverWater,
    /// Ships do not reach aircraft over land.
    OverLand,
    /// Only cruisers and battleships reach land.
    Bombardment,
    /// Land units aboard a transport attack no ships.
    FromTransport,
    /// Only land units take cities.
    City,
}

impl Refused {
    /// The reason in a sentence.
    pub fn words(self) -> String {
        match self {
            Self::Never => say!("it attacks nothing"),
            Self::Submarine => say!("submarines and land units may not attack each other"),
            Self::OverWater => say!("land units do not reach what flies over water"),
            Self::OverLand => say!("ships do not reach what flies over land"),
            Self::Bombardment => say!("only cruisers and battleships attack what stands on land"),
            Self::FromTransport => say!("land units aboard a transport attack no ships"),
            Self::City => say!("only land units take cities"),
        }
    }
}

/// Whether it is crippled: its damage is at least half of what destroys it (§10).
pub fn is_crippled(figure: &Figure, damage: u32) -> bool {
    figure.damage > 1 && 2 * damage >= u32::from(figure.damage)
}

/// Whether an attacker may attack the target on a square (§8.3).
///
/// # Errors
/// Why it may not.
pub fn may_attack(
    options: &Options,
    attacker: Attacker,
    target: Target,
    on: Terrain,
) -> Result<(), Refused> {
    let over_water = on == Terrain::Water;
    let class = attacker.kind.class();
    if options.figure(attacker.kind).is_none_or(|f| f.attack == 0) {
        return Err(Refused::Never);
    }
    match target {
        Target::City { neutral, .. } => match class {
            Class::Land => Ok(()),
            Class::Air if options.advanced() && !neutral => Ok(()),
            _ => Err(Refused::City),
        },
        Target::Unit(kind, _) => match (class, kind.class()) {
            (Class::Land, Class::Sea) if kind == Kind::Su => Err(Refused::Submarine),
            (Class::Land, Class::Sea) if attacker.on == Terrain::Water => {
                Err(Refused::FromTransport)
            }
            (Class::Land, Class::Air) if over_water => Err(Refused::OverWater),
            (Class::Land | Class::Air, _) => Ok(()),
            (Class::Sea, Class::Land | Class::Base) => match attacker.kind {
                Kind::Su => Err(Refused::Submarine),
                kind if kind.bombards() => Ok(()),
                _ => Err(Refused::Bombardment),
            },
            (Class::Sea, Class::Air) if !over_water => Err(Refused::OverLand),
            (Class::Sea, Class::Sea | Class::Air) => Ok(()),
            (Class::Base, _) => Err(Refused::Never),
        },
    }
}

/// The fight of an attacker with the target on a square, with every modifier (§8.2).
pub fn fight(options: &Options, attacker: Attacker, target: Target, on: Terrain) -> Fight {
    let none = Figure {
        moves: 0,
        range: 0,
        damage: 1,
        attack: 0,
        defense: 1,
        shot: 1,
        turns: 0,
        sight: 0,
    };
    let own = options.figure(attacker.kind).copied().unwrap_or(none);
    let advanced = options.advanced();
    let mut a = u32::from(own.attack) * PARTS;
    let (mut d, shot, left) = match target {
        Target::Unit(kind, damage) => {
            let figure = options.figure(kind).copied().unwrap_or(none);
            let left = u32::from(figure.damage).saturating_sub(damage).max(1);
            (u32::from(figure.defense) * PARTS, figure.shot, left)
        }
        Target::City { .. } => {
            let city = options.city;
            (u32::from(city.defense) * PARTS, city.shot, u32::from(city.damage))
        }
    };
    match target {
        Target::Unit(kind, _) => {
            if attacker.kind.bombards() && kind.is_of_land() {
                d /= 2;
            }
            if advanced && kind.is_of_land() {
                let by_land = attacker.kind.class() == Class::Land;
                match on {
                    Terrain::Forest | Terrain::Mountain => d *= 2,
                    Terrain::River if by_land => d *= 2,
                    _ => {}
                }
            }
            if advanced && kind.class() == Class::Air {
                if attacker.kind.class() == Class::Sea && attacker.kind != Kind::Ca {
                    a /= 2;
                }
                match (attacker.kind, kind) {
                    (Kind::Bo, Kind::Fi) => a /= 2,
                    (Kind::Fi, Kind::Bo) => d /= 2,
                    _ => {}
                }
            }
        }
        Target::City { neutral, held } => {
            if advanced && neutral && attacker.kind.class() == Class::Land {
                // A city loses half of its strength for each attack that it has beaten off, down to
                // a quarter.
                let worn = held.saturating_mul(PARTS / 2);
                d = d.saturating_sub(worn).max(PARTS / 2);
            }
        }
    }
    if advanced && is_crippled(&own, attacker.damage) {
        a /= 2;
    }
    let stands = u32::from(own.damage).saturating_sub(attacker.damage).max(1);
    Fight {
        attacker: Fighter { chance: a.max(1), shot: own.shot.into(), left: stands },
        defender: Fighter { chance: d.max(1), shot: shot.into(), left },
    }
}
