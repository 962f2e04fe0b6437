//! How well a computer player plays: the figures of `computer.toml`.

use serde::{Deserialize, Serialize};

use engine::Strength;

/// The figures of one strength; `computer.toml` explains them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mind {
    /// Per mille of attacks that are not the best one.
    pub blunders: u32,
    /// Default builds until turn `early_until`: I A N F M X.
    pub early: [u8; 6],
    /// The last turn of the early builds.
    pub early_until: u32,
    /// Default builds from then on.
    pub builds: [u8; 6],
    /// The same where there are no missiles.
    pub builds_plain: [u8; 6],
    /// Per cent of the treasury for each research: I A N F M X.
    pub research: [i64; 6],
    /// The same where there are no missiles.
    pub research_plain: [i64; 6],
    /// Spies below which more are trained.
    pub spies: i64,
    /// Home popularity below which propaganda is paid for.
    pub unhappy: i64,
    /// Garrison in per cent of the threat: at the start, less a turn, at least.
    pub garrison: [i64; 3],
    /// Where a garrison takes more than so many per cent of the armies there, one army stays;
    /// 0: never.
    pub forsake: i64,
    /// Odds of an attack in per cent: at the start, less a turn, at least.
    pub odds: [i64; 3],
    /// Per cent of a seen country's industry that is expected to arm it.
    pub growth: i64,
    /// Per cent of the countries at which whoever has the most is the leader; 0: never.
    pub leader: i64,
    /// Countries that the leader is ahead of the second.
    pub leader_ahead: i64,
    /// Whether it asks others for alliances against the leader, or only answers.
    pub asks: bool,
    /// Weights of an attack's value: tax base, industry, own neighbours, hostile
    /// neighbours, a player's country, armies needed, expected losses.
    pub value: [i64; 7],
    /// The same for each victory point, in games that are decided by them; with 0 the leader
    /// is who has the most countries there too.
    pub points: i64,
    /// Per cent of the greatest counter-attack that must be left to hold a conquest.
    pub hold: i64,
    /// Armies in a hundred above what is needed that go along.
    pub crowd: i64,
    /// Whether idle armies go to the front against players, if there is one, and not to minors.
    pub to_players: bool,
    /// One turn in so many, idle armies at a strong front look for a landing; 0: never.
    pub landings: u32,
}

/// The figures of the three strengths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Minds {
    /// Easy.
    pub easy: Mind,
    /// Normal.
    pub normal: Mind,
    /// Hard.
    pub hard: Mind,
}

impl Minds {
    /// The figures of a strength.
    pub fn of(&self, strength: Strength) -> &Mind {
        match strength {
            Strength::Easy => &self.easy,
            Strength::Normal => &self.normal,
            Strength::Hard => &self.hard,
        }
    }
}
