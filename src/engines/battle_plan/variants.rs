//! The variants of the game: their maps, how they begin and how they end.

use engine::options;
use engine::{Setup, data};
use serde::{Deserialize, Serialize};

/// The embedded variants: name and text of their data file.
pub const FILE: (&str, &str) =
    ("variants.toml", include_str!("../../../config/battle-plan/variants.toml"));

/// What players may write to each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Messages {
    /// Free texts.
    #[default]
    Free,
    /// Fixed texts only.
    Canned,
}

/// How a variant's game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// All players start equal.
    #[serde(rename = "even")]
    Even,
    /// Players start from the list of positions.
    #[serde(rename = "real")]
    Real,
    /// Players start as in 1939.
    #[serde(rename = "1939")]
    Y1939,
}

/// How a variant's game ends (§18, §20).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The game ends when one player is left.
    Last,
    /// The game ends when all who are left are allies.
    Allies,
    /// The game ends after some turns; points decide.
    Points,
}

/// A row of `variants.toml`; the keys are explained there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name in options.
    pub name: String,
    /// Its name in texts.
    pub title: String,
    /// Name of its map file.
    pub map: String,
    /// Codes of the spaces that it uses; empty: all spaces.
    #[serde(default)]
    pub spaces: String,
    /// How it begins.
    pub start: Start,
    /// Fewest and most players.
    pub seats: [u8; 2],
    /// Start countries, one line for each number of seats.
    #[serde(default)]
    pub starts: Vec<String>,
    /// Start countries for games that began before these were drawn by lot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts_before: Vec<String>,
    /// Whether spaces on the northern ice are in air range of each other.
    #[serde(default)]
    pub icepack: bool,
    /// What players may write.
    #[serde(default)]
    pub messages: Messages,
    /// Whether there is a newspaper.
    #[serde(default)]
    pub news: bool,
    /// Whether there are lists of good and bad powers.
    #[serde(default)]
    pub opinion: bool,
    /// Whether attacks are forbidden in turn 1.
    #[serde(default)]
    pub peaceful_start: bool,
    /// Whether the air force is strategic bombers and missiles have a short range.
    #[serde(default)]
    pub bombers: bool,
    /// How it ends.
    pub ending: Ending,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VariantFile {
    /// The variants.
    pub variant: Vec<Variant>,
    /// The fixed messages.
    pub canned: Canned,
}

impl VariantFile {
    /// The variant that a setup names; `None`: there is no variant with that name.
    pub fn chosen(&self, setup: &Setup) -> Option<&Variant> {
        let wanted = options::text(setup, "variant").unwrap_or("europe");
        self.variant.iter().find(|v| options::same(&v.name, wanted))
    }
}

impl Variant {
    /// The variant that a setup names; `None`: there is no variant with that name.
    pub fn of(setup: &Setup) -> Option<Self> {
        let file: VariantFile = data::file(setup, &[FILE], FILE.0, &mut Vec::new())?;
        file.chosen(setup).cloned()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Canned {
    /// The texts, in the order of their numbers.
    pub texts: Vec<String>,
}

/// The fixed texts of the anonymous game, for the help.
pub fn canned_texts() -> Vec<String> {
    let file: Option<VariantFile> = data::file(&Setup::default(), &[FILE], FILE.0, &mut Vec::new());
    file.map(|f| f.canned.texts).unwrap_or_default()
}
