//! The number tables of a game: read once from text, checked, kept in the State.

use serde::{Deserialize, Serialize};

use super::map::{Map, MapFile, SpaceId};
use super::mind::Minds;
use super::options::ROWS;
use super::variants::{self, Messages, Start, Variant, VariantFile};
use super::worth::Item;
use engine::options::Chosen;
use engine::{Setup, Strength, data};

/// Numbers of the rules; `rules.toml` explains the keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// A player's start country.
    pub player: PlayerFigures,
    /// A minor at the start.
    pub minor: MinorFigures,
    /// Combat.
    pub combat: CombatFigures,
    /// Economy.
    pub economy: EconomyFigures,
    /// Popularity.
    pub popularity: PopularityFigures,
    /// Spies.
    pub spies: SpyFigures,
    /// Messages and news.
    pub messages: MessageFigures,
    /// Missed turns.
    pub play: PlayFigures,
    /// Ratings.
    pub rating: RatingFigures,
    /// Winners of Real Forces.
    pub real: RealFigures,
    /// Length of a 1939 game.
    pub length: LengthFigures,
    /// Missile research in 1939.
    pub missile_research: MissileResearch,
}

/// `[player]`: a start country and its player (§1.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerFigures {
    /// Army.
    pub army: i64,
    /// Navy.
    pub navy: i64,
    /// Air force.
    pub air: i64,
    /// Air force of a country without a coast, which has no navy.
    pub landlocked_air: i64,
    /// Industry.
    pub industry: i64,
    /// The most industry that can work.
    pub limit: i64,
    /// Tax base.
    pub tax: i64,
    /// Home popularity.
    pub popularity: i64,
    /// The treasury in whole Dollars.
    pub dollars: i64,
    /// Spies in reserve.
    pub spies: i64,
    /// Counterspies in reserve.
    pub counterspies: i64,
    /// Multipliers in per cent: I A N F M X S C.
    pub multipliers: [i64; 8],
    /// The proportion of army among the default builds.
    pub default_army: u8,
}

/// `[minor]` (§1.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinorFigures {
    /// Army.
    pub army: i64,
    /// Navy.
    pub navy: i64,
    /// Air force.
    pub air: i64,
    /// Air force of a country without a coast, which has no navy.
    pub landlocked_air: i64,
    /// Army of an island.
    pub island_army: i64,
    /// Navy of an island.
    pub island_navy: i64,
    /// Industry.
    pub industry: i64,
    /// The most industry that can work.
    pub limit: i64,
    /// Tax base.
    pub tax: i64,
    /// The multiplier in per cent, while nobody controls it.
    pub multiplier: i64,
}

/// `[combat]` (§10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CombatFigures {
    /// How much an attacker counts against a holder who calls them ally, in per cent.
    pub ally_handicap_percent: i64,
    /// Hits of a missile.
    pub missile_hits: i64,
    /// Home popularity that each landed missile costs.
    pub missile_popularity: i64,
    /// Weight of an army as a target at sea.
    pub sea_weight_army: i64,
    /// Weight of an air force as a target at sea.
    pub sea_weight_air: i64,
    /// Weight of a navy as a target at sea.
    pub sea_weight_navy: i64,
    /// The most rounds of a fight among attackers.
    pub rounds_max: u32,
}

/// `[economy]` (§11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EconomyFigures {
    /// Interest on unspent money.
    pub interest_percent: i64,
    /// Income from a friendly neighbour's tax base.
    pub neighbour_percent: i64,
    /// The part of what is suppressed that recovers each turn.
    pub recovery_percent: i64,
    /// The part that a complete blockade suppresses.
    pub blockade_percent: i64,
    /// In hundredths; a gain grows with the square root of Dollars times this.
    pub research_scale: i64,
}

/// `[popularity]` (§12).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopularityFigures {
    /// Own propaganda changes popularity by the square root of Dollars times this.
    pub own_propaganda: i64,
    /// The factor for propaganda of others.
    pub foreign_propaganda: i64,
    /// The part of its popularity in a minor that a player loses each turn.
    pub decay_percent: i64,
    /// Popularity that a unit given to a minor adds.
    pub gift: i64,
    /// Popularity that a missile or an antimissile given to a minor adds.
    pub missile_gift: i64,
}

/// `[spies]` (§13).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpyFigures {
    /// The chance that a spy is caught.
    pub caught_percent: u32,
}

/// `[messages]` (§17).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageFigures {
    /// The most lines of a message.
    pub lines: usize,
    /// The most characters of its lines.
    pub columns: usize,
    /// The most lines of a piece of news.
    pub news_lines: usize,
    /// The most characters of its lines.
    pub news_columns: usize,
    /// The most fixed texts that a player may send in a turn.
    pub canned_a_turn: usize,
}

/// `[play]` (§18).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayFigures {
    /// Missed turns in a row after which a player is dropped.
    pub missed_turns: u8,
}

/// `[rating]` (§18).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingFigures {
    /// Rating of a newcomer.
    pub start: i64,
    /// The most rating points that a game changes.
    pub swing: i64,
}

/// `[real]` (§20.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RealFigures {
    /// Industry of a winning super power.
    #[serde(rename = "super")]
    pub super_power: i64,
    /// Industry of a winning major power.
    pub major: i64,
    /// Industry of a winning medium power.
    pub medium: i64,
    /// Industry of a winning small power.
    pub small: i64,
    /// Points of a winner.
    pub winner_points: i64,
    /// Points of a survivor.
    pub survivor_points: i64,
}

/// `[length]` (§20.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthFigures {
    /// The first printout that may be the last.
    pub printout: u32,
    /// The chance of the end in per cent, for that printout and each later one.
    pub chance_percent: u32,
}

/// `[missile_research]` (§20.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MissileResearch {
    /// The turn from which the early powers can research missiles.
    pub from_turn: u32,
    /// Numbers of the powers that begin early.
    pub early: Vec<u8>,
    /// Their ease of research from that turn on.
    pub early_base: i64,
    /// Their ease of research after a missile has been fired.
    pub shown_base: i64,
    /// Numbers of the powers that begin late.
    pub late: Vec<u8>,
    /// Their ease of research after a missile has been fired.
    pub late_base: i64,
}

/// The class of a position, which sets the industry needed to win in Real Forces (§20.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A super power.
    Super,
    /// A major power.
    Major,
    /// A medium power.
    Medium,
    /// A small power.
    Small,
}

/// A row of `positions.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Its name.
    pub name: String,
    /// The price a turn in cents, in the old list; it separates medium and small powers.
    pub price: u32,
    /// The class, which sets the industry needed to win.
    pub class: Class,
    /// Codes of its countries.
    pub spaces: String,
    /// Per cent of the usual army.
    #[serde(default = "whole")]
    pub army: i64,
    /// Per cent of the usual navy.
    #[serde(default = "whole")]
    pub navy: i64,
    /// Per cent of the usual air force.
    #[serde(default = "whole")]
    pub air: i64,
    /// Places of missiles at the start, and their numbers.
    #[serde(default)]
    pub missiles: String,
    /// Places of antimissiles at the start, and their numbers.
    #[serde(default)]
    pub antimissiles: String,
    /// Multipliers that differ from the usual ones.
    #[serde(default)]
    pub multiplier: String,
    /// Ease of research where it differs from the usual one.
    #[serde(default)]
    pub base: String,
}

fn whole() -> i64 {
    100
}

/// A power of `1939.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Power {
    /// Its name.
    pub name: String,
    /// Navy at the start, in per cent of two thirds of the industry.
    pub navy: i64,
    /// Minors that list it first at the start.
    #[serde(default)]
    pub controls: String,
    /// Whether it is one of the four minor powers.
    #[serde(default)]
    pub minor: bool,
    /// The items of its victory points.
    pub points: Vec<Item>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionFile {
    position: Vec<Position>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PowerFile {
    power: Vec<Power>,
}

/// All tables of one game.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tables {
    /// Numbers of the rules.
    pub figures: Figures,
    /// The variant that is played.
    pub variant: Variant,
    /// The map.
    pub map: Map,
    /// Fixed texts of the anonymous game.
    pub canned: Vec<String>,
    /// Positions to start from; Real Forces only.
    pub positions: Vec<Position>,
    /// The powers of 1939, in the order of the seats; empty in other games.
    pub powers: Vec<Power>,
    /// Whether a 1939 game ends with the first printout that may be the last.
    pub exact_length: bool,
    /// Whether messages to named players are sent on as soon as they are written (§17).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub letters_at_once: bool,
    /// How well computers play: one strength for all, or one for each seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub computers: Vec<Strength>,
    /// The numbers of the computers' strengths, if they were changed for the game.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "data::known")]
    pub minds: Option<Minds>,
}

/// The embedded files by name.
pub const DEFAULTS: [(&str, &str); 7] = [
    ("rules.toml", include_str!("../../../config/battle-plan/rules.toml")),
    variants::FILE,
    ("europe.toml", include_str!("../../../config/battle-plan/europe.toml")),
    ("world.toml", include_str!("../../../config/battle-plan/world.toml")),
    ("positions.toml", include_str!("../../../config/battle-plan/positions.toml")),
    ("1939.toml", include_str!("../../../config/battle-plan/1939.toml")),
    ("computer.toml", include_str!("../../../config/battle-plan/computer.toml")),
];

/// The embedded numbers of computer players, for games that have none of their own.
///
/// # Panics
/// Never: the tests read the embedded file.
pub fn usual_minds() -> Minds {
    data::file(&Setup::default(), &DEFAULTS, "computer.toml", &mut Vec::new())
        .expect("the embedded file is sound")
}

impl Tables {
    /// The name of a power of 1939, numbered from 1; empty if there is none.
    pub fn power_name(&self, power: u8) -> String {
        let power = self.powers.get(usize::from(power).saturating_sub(1));
        power.map(|p| p.name.clone()).unwrap_or_default()
    }

    /// Reads the setup's files, or the embedded ones where the setup has none, and
    /// keeps what the chosen variant needs.
    ///
    /// # Errors
    /// One sentence for each file or option that can't be read or makes no sense.
    pub fn read(setup: &Setup) -> Result<Self, Vec<String>> {
        let mut faults = data::unknown(setup, &DEFAULTS, "Battle Plan");
        let figures: Option<Figures> = data::file(setup, &DEFAULTS, "rules.toml", &mut faults);
        let variants: Option<VariantFile> =
            data::file(setup, &DEFAULTS, "variants.toml", &mut faults);
        let positions: Option<PositionFile> =
            data::file(setup, &DEFAULTS, "positions.toml", &mut faults);
        let powers: Option<PowerFile> = data::file(setup, &DEFAULTS, "1939.toml", &mut faults);
        let minds: Option<Minds> = data::file(setup, &DEFAULTS, "computer.toml", &mut faults);
        let (Some(figures), Some(variants), Some(positions), Some(powers), Some(minds)) =
            (figures, variants, positions, powers, minds)
        else {
            return Err(faults);
        };
        let mut chosen = Chosen::new(ROWS, setup);
        faults.append(&mut chosen.faults);
        let Some(variant) = variants.chosen(setup).cloned() else {
            let wanted = chosen.text("variant").unwrap_or_default();
            let names: Vec<&str> = variants.variant.iter().map(|v| v.name.as_str()).collect();
            faults.push(format!("variant is one of {}, not {wanted:?}", names.join(", ")));
            return Err(faults);
        };
        let file: Option<MapFile> =
            data::file(setup, &DEFAULTS, &format!("{}.toml", variant.map), &mut faults);
        let Some(file) = file else { return Err(faults) };
        let map = Map::new(file.part(&variant.spaces, variant.icepack));
        faults.extend(map.faults());
        let exact_length = chosen.word("length", [false, true]);
        let letters_at_once = chosen.word("letters", [false, true]);
        let computers = chosen.strengths();
        faults.append(&mut chosen.faults);
        let tables = Self {
            figures,
            map,
            canned: if variant.messages == Messages::Canned {
                variants.canned.texts
            } else {
                Vec::new()
            },
            positions: if variant.start == Start::Real { positions.position } else { Vec::new() },
            powers: if variant.start == Start::Y1939 { powers.power } else { Vec::new() },
            variant,
            exact_length,
            letters_at_once,
            computers,
            minds: Some(minds).filter(|m| *m != usual_minds()),
        };
        faults.extend(tables.faults());
        if faults.is_empty() { Ok(tables) } else { Err(faults) }
    }

    /// The tables, adjusted if the game began before computers had strengths and starts were drawn.
    #[must_use]
    pub fn of_age(mut self, revised: bool) -> Self {
        let before = std::mem::take(&mut self.variant.starts_before);
        if !revised {
            self.minds = None;
            if !before.is_empty() {
                self.variant.starts = before;
            }
        }
        self
    }

    /// The spaces of a list in a data file.
    pub fn spaces(&self, list: &str) -> Vec<SpaceId> {
        list.split_whitespace().filter_map(|code| self.map.find(code)).collect()
    }

    /// Codes of the data files that the map does not have.
    fn faults(&self) -> Vec<String> {
        let starts = self
            .variant
            .starts
            .iter()
            .chain(&self.variant.starts_before)
            .map(|s| ("variants.toml", s.as_str()));
        let positions = self.positions.iter().map(|p| ("positions.toml", p.spaces.as_str()));
        let powers = self.powers.iter().map(|p| ("1939.toml", p.controls.as_str()));
        let points = self.powers.iter().flat_map(|p| &p.points).flat_map(|i| i.lists());
        let points = points.map(|list| ("1939.toml", list));
        let all = starts.chain(positions).chain(powers).chain(points);
        let wrong = all.flat_map(|(file, list)| {
            let codes = list.split_whitespace();
            let strange = codes.filter(|c| *c != "original" && self.map.find(c).is_none());
            strange.map(move |c| format!("{file}: the map has no space {c}")).collect::<Vec<_>>()
        });
        wrong.collect()
    }
}
