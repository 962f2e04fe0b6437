//! How well a computer player plays: the numbers of `computer.toml`.

use serde::{Deserialize, Serialize};

use engine::Strength;

/// The numbers of one strength; `computer.toml` explains them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mind {
    /// Per mille of attacks that are deliberately not the best one.
    pub blunders: u32,
    /// Default builds until turn `early_until`: I A N F M X.
    pub early: [u8; 6],
    /// The last turn of the early builds.
    pub early_until: u32,
    /// Default builds after that.
    pub builds: [u8; 6],
    /// Default builds in games without missiles.
    pub builds_plain: [u8; 6],
    /// Per cent of the treasury for research on each item: I A N F M X.
    pub research: [i64; 6],
    /// Per cent for research in games without missiles.
    pub research_plain: [i64; 6],
    /// The number of spies below which more are trained.
    pub spies: i64,
    /// The home popularity below which propaganda is paid for.
    pub unhappy: i64,
    /// Garrison in per cent of the threat: at the start, its loss each turn, its minimum.
    pub garrison: [i64; 3],
    /// If a garrison takes more than this per cent of the armies there, one army stays; 0: never.
    pub forsake: i64,
    /// Required odds of an attack in per cent: at the start, their loss each turn, their minimum.
    pub odds: [i64; 3],
    /// Per cent of a seen country's industry that is expected to build army for it.
    pub growth: i64,
    /// Per cent of the countries that make the player with the most of them the leader; 0: never.
    pub leader: i64,
    /// How many countries the leader must be ahead of the second.
    pub leader_ahead: i64,
    /// Whether it asks others for alliances against the leader, or only accepts them.
    pub asks: bool,
    /// Weights in the value of an attack: tax base, industry, own neighbours, hostile neighbours, a
    /// player's country, armies needed, expected losses.
    pub value: [i64; 7],
    /// The weight of each victory point, in games that points decide; with 0, the leader is the
    /// player with the most countries in these games, too.
    pub points: i64,
    /// Per cent of the greatest counter-attack that must remain to hold a conquest.
    pub hold: i64,
    /// Per cent of the available armies that go along at least.
    pub crowd: i64,
    /// Whether idle armies go to the front against players, if there is one, and not to minors.
    pub to_players: bool,
    /// One turn in this many, idle armies at a strong front look for a landing; 0: never.
    pub landings: u32,
}

/// The numbers of the three strengths.
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
    /// The numbers of a strength.
    pub fn of(&self, strength: Strength) -> &Mind {
        match strength {
            Strength::Easy => &self.easy,
            Strength::Normal => &self.normal,
            Strength::Hard => &self.hard,
        }
    }
}
