//! The number tables of a game: read once from text, typed, kept in the State.

use serde::{Deserialize, Serialize};

use super::map::{Map, MapFile, SpaceId};
use engine::{Setup, data};

/// Figures of the rules; the keys are explained in `rules.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    pub player: PlayerFigures,
    pub minor: MinorFigures,
    pub combat: CombatFigures,
    pub economy: EconomyFigures,
    pub popularity: PopularityFigures,
    pub spies: SpyFigures,
    pub messages: MessageFigures,
    pub play: PlayFigures,
    pub rating: RatingFigures,
    pub real: RealFigures,
    pub length: LengthFigures,
    pub missile_research: MissileResearch,
}

/// `[player]`: a start country and its player (§1.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerFigures {
    pub army: i64,
    pub navy: i64,
    pub air: i64,
    pub landlocked_air: i64,
    pub industry: i64,
    pub limit: i64,
    pub tax: i64,
    pub popularity: i64,
    /// Whole Dollars.
    pub dollars: i64,
    pub spies: i64,
    pub counterspies: i64,
    /// I A N F M X S C, percent.
    pub multipliers: [i64; 8],
    pub default_army: u8,
}

/// `[minor]` (§1.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinorFigures {
    pub army: i64,
    pub navy: i64,
    pub air: i64,
    pub landlocked_air: i64,
    pub island_army: i64,
    pub island_navy: i64,
    pub industry: i64,
    pub limit: i64,
    pub tax: i64,
    pub multiplier: i64,
}

/// `[combat]` (§10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CombatFigures {
    pub ally_handicap_percent: i64,
    pub missile_hits: i64,
    pub missile_popularity: i64,
    pub sea_weight_army: i64,
    pub sea_weight_air: i64,
    pub sea_weight_navy: i64,
    pub rounds_max: u32,
}

/// `[economy]` (§11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EconomyFigures {
    pub interest_percent: i64,
    pub neighbour_percent: i64,
    pub recovery_percent: i64,
    pub blockade_percent: i64,
    pub research_scale: i64,
}

/// `[popularity]` (§12).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopularityFigures {
    pub own_propaganda: i64,
    pub foreign_propaganda: i64,
    pub decay_percent: i64,
    pub gift: i64,
    pub missile_gift: i64,
}

/// `[spies]` (§13).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpyFigures {
    pub caught_percent: u32,
}

/// `[messages]` (§17).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageFigures {
    pub lines: usize,
    pub columns: usize,
    pub news_lines: usize,
    pub news_columns: usize,
    pub canned_a_turn: usize,
}

/// `[play]` (§18).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayFigures {
    pub missed_turns: u8,
}

/// `[rating]` (§18).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingFigures {
    pub start: i64,
    pub swing: i64,
}

/// `[real]` (§20.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RealFigures {
    #[serde(rename = "super")]
    pub super_power: i64,
    pub major: i64,
    pub medium: i64,
    pub small: i64,
    pub winner_points: i64,
    pub survivor_points: i64,
}

/// `[length]` (§20.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthFigures {
    pub printout: u32,
    pub chance_percent: u32,
}

/// `[missile_research]` (§20.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MissileResearch {
    pub from_turn: u32,
    pub early: Vec<u8>,
    pub early_base: i64,
    pub shown_base: i64,
    pub late: Vec<u8>,
    pub late_base: i64,
}

/// What players may write to each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Messages {
    #[default]
    Free,
    Canned,
}

/// How a variant's game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    #[serde(rename = "even")]
    Even,
    #[serde(rename = "real")]
    Real,
    #[serde(rename = "1939")]
    Y1939,
}

/// How a variant's game ends (§18, §20).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    Last,
    Allies,
    Points,
}

/// A row of `variants.toml`; the keys are explained there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    pub name: String,
    pub title: String,
    pub map: String,
    #[serde(default)]
    pub spaces: String,
    pub start: Start,
    pub seats: [u8; 2],
    #[serde(default)]
    pub starts: Vec<String>,
    #[serde(default)]
    pub icepack: bool,
    #[serde(default)]
    pub messages: Messages,
    #[serde(default)]
    pub news: bool,
    #[serde(default)]
    pub opinion: bool,
    #[serde(default)]
    pub peaceful_start: bool,
    #[serde(default)]
    pub bombers: bool,
    pub ending: Ending,
}

/// What industry makes a winner of Real Forces (§20.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    Super,
    Major,
    Medium,
    Small,
}

/// A row of `positions.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    pub name: String,
    pub price: u32,
    pub class: Class,
    pub spaces: String,
    #[serde(default = "whole")]
    pub army: i64,
    #[serde(default = "whole")]
    pub navy: i64,
    #[serde(default = "whole")]
    pub air: i64,
    #[serde(default)]
    pub missiles: String,
    #[serde(default)]
    pub antimissiles: String,
    #[serde(default)]
    pub multiplier: String,
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
    pub name: String,
    pub navy: i64,
    #[serde(default)]
    pub controls: String,
    #[serde(default)]
    pub minor: bool,
    pub points: Vec<super::points::Item>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantFile {
    variant: Vec<Variant>,
    canned: Canned,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Canned {
    texts: Vec<String>,
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
    pub figures: Figures,
    pub variant: Variant,
    pub map: Map,
    /// Fixed texts of the anonymous game.
    pub canned: Vec<String>,
    /// Positions to start from; Real Forces only.
    pub positions: Vec<Position>,
    /// The powers of 1939, in the order of the seats; that game only.
    pub powers: Vec<Power>,
    /// Whether a 1939 game ends with the first printout that may be the last.
    pub exact_length: bool,
}

/// The embedded files by name.
pub const DEFAULTS: [(&str, &str); 6] = [
    ("rules.toml", include_str!("../../../config/battle-plan/rules.toml")),
    ("variants.toml", include_str!("../../../config/battle-plan/variants.toml")),
    ("europe.toml", include_str!("../../../config/battle-plan/europe.toml")),
    ("world.toml", include_str!("../../../config/battle-plan/world.toml")),
    ("positions.toml", include_str!("../../../config/battle-plan/positions.toml")),
    ("1939.toml", include_str!("../../../config/battle-plan/1939.toml")),
];

/// The fixed texts of the anonymous game, for the help.
pub fn canned_texts() -> Vec<String> {
    let file: Option<VariantFile> =
        data::file(&Setup::default(), &DEFAULTS, "variants.toml", &mut Vec::new());
    file.map(|f| f.canned.texts).unwrap_or_default()
}

/// The variant that a game without an option is played in.
const USUAL: &str = "europe";

impl Tables {
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
        let (Some(figures), Some(variants), Some(positions), Some(powers)) =
            (figures, variants, positions, powers)
        else {
            return Err(faults);
        };
        let wanted = setup.options.get("variant").map_or(USUAL, String::as_str);
        let Some(variant) = variants.variant.iter().find(|v| v.name == wanted).cloned() else {
            let names: Vec<&str> = variants.variant.iter().map(|v| v.name.as_str()).collect();
            faults.push(format!("variant is one of {}, not {wanted:?}", names.join(", ")));
            return Err(faults);
        };
        let file: Option<MapFile> =
            data::file(setup, &DEFAULTS, &format!("{}.toml", variant.map), &mut faults);
        let Some(file) = file else { return Err(faults) };
        let map = Map::new(file.part(&variant.spaces, variant.icepack));
        faults.extend(map.faults());
        let exact_length = match setup.options.get("length").map(String::as_str) {
            None | Some("about25") => false,
            Some("exact25") => true,
            Some(other) => {
                faults.push(format!("length is about25 or exact25, not {other:?}"));
                false
            }
        };
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
        };
        faults.extend(tables.faults());
        if faults.is_empty() { Ok(tables) } else { Err(faults) }
    }

    /// The spaces of a list in a data file.
    pub fn spaces(&self, list: &str) -> Vec<SpaceId> {
        list.split_whitespace().filter_map(|code| self.map.find(code)).collect()
    }

    /// Codes of the data files that the map does not have.
    fn faults(&self) -> Vec<String> {
        let starts = self.variant.starts.iter().map(|s| ("variants.toml", s.as_str()));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(options: &[(&str, &str)]) -> Setup {
        let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Setup { options, ..Setup::default() }
    }

    #[test]
    fn embedded_tables_of_every_variant_are_sound() {
        for variant in ["europe", "equal", "anonymous", "real", "1939", "south-america"] {
            let read = Tables::read(&setup(&[("variant", variant)]));
            assert_eq!(read.map(|_| ()), Ok(()), "{variant}");
        }
    }

    #[test]
    fn wrong_options_are_named_with_what_would_be_right() {
        let faults = Tables::read(&setup(&[("variant", "moon")])).expect_err("no such variant");
        assert!(faults[0].contains("europe, equal, anonymous, real, 1939"), "{faults:?}");
        let faults = Tables::read(&setup(&[("length", "ever")])).expect_err("no such length");
        assert!(faults[0].contains("about25 or exact25"), "{faults:?}");
    }
}
