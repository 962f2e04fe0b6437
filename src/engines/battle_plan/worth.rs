//! The items of a power's victory points, as data (§20.4, Appendix E).

use serde::{Deserialize, Serialize};
use tongue::say;

/// Spaces of a power, as a condition lists them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theirs {
    /// The power's number.
    pub power: u8,
    /// Their codes.
    pub spaces: String,
    /// Codes of spaces for which an easier condition holds.
    #[serde(default)]
    pub excused: String,
    /// Points by the number of spaces, if they rise.
    #[serde(default)]
    pub worth: Vec<i64>,
}

/// A limit on the number of a power's spaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fewer {
    /// The power's number.
    pub power: u8,
    /// The number that the power must stay below.
    pub than: usize,
}

/// Points that rise with the number of spaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rising {
    /// Their codes.
    pub spaces: String,
    /// Points for one, two, three of them.
    pub worth: Vec<i64>,
}

/// The condition of an item; the keys are explained in `1939.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// For each turn up to the last one that ends with an occupied country.
    Turns(bool),
    /// For each of these spaces that is owned.
    Each(String),
    /// For each owned space that is not in the list.
    Others(String),
    /// For owning all of these.
    All(String),
    /// For owning at least one of these.
    Any(String),
    /// For the number of these that is owned.
    Number(Rising),
    /// For owning more than this number of spaces.
    More(usize),
    /// For owning all of these, alone or together with a mutual ally.
    WithAlly(String),
    /// For owning all of these together with a power.
    With(Theirs),
    /// For each of these seas with more navy than any other player.
    MostNavy(String),
    /// For each of these powers with less navy.
    NavyOver(Vec<u8>),
    /// For each power with less industry.
    Weaker(bool),
    /// If a power owns fewer than a number of spaces.
    Fewer(Fewer),
    /// If a power occupies nothing.
    Gone(u8),
    /// If a power owns none of these.
    NoneOf(Theirs),
    /// If a power owns at least one of these.
    Kept(Theirs),
    /// If this space is still a minor.
    Minor(String),
    /// For each power that occupies a country.
    PowersLeft(bool),
    /// For each space owned by its first owner, except those of the listed powers.
    Restored(Vec<u8>),
    /// If no major power owns one of these that it did not own at the start.
    Monroe(String),
    /// By tiers: if a power owns a country, and if it owns one of China.
    China(Theirs),
    /// If a power owns none of these, or only excused ones while it is an ally.
    FranceOut(Theirs),
}

/// One item of a power's victory points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Points; for some conditions, points for each space or turn.
    pub worth: i64,
    /// Of items with the same number other than 0, only the best counts.
    #[serde(default)]
    pub best: u8,
    /// The condition for the points.
    #[serde(flatten)]
    pub condition: Condition,
}

impl Item {
    /// Every list of space codes in the item.
    pub fn lists(&self) -> Vec<&str> {
        match &self.condition {
            Condition::Each(s)
            | Condition::Others(s)
            | Condition::All(s)
            | Condition::Any(s)
            | Condition::WithAlly(s)
            | Condition::MostNavy(s)
            | Condition::Minor(s)
            | Condition::Monroe(s) => vec![s],
            Condition::Number(rising) => vec![&rising.spaces],
            Condition::With(t)
            | Condition::NoneOf(t)
            | Condition::Kept(t)
            | Condition::China(t)
            | Condition::FranceOut(t) => vec![&t.spaces, &t.excused],
            _ => Vec::new(),
        }
    }

    /// The item in a sentence; `name` gives the name of a power by its number.
    pub fn in_words(&self, name: impl Fn(u8) -> String) -> String {
        let power = |p: u8| format!("[{p}] {}", name(p));
        let list =
            |powers: &[u8]| powers.iter().map(|p| format!("[{p}]")).collect::<Vec<_>>().join(" ");
        let steps =
            |worth: &[i64]| worth.iter().map(i64::to_string).collect::<Vec<_>>().join(" / ");
        match &self.condition {
            Condition::Turns(_) => say!("for each turn in the game"),
            Condition::Each(s) => match s.contains(' ') {
                true => say!("for owning each of {spaces}", spaces = s),
                false => say!("for owning {space}", space = s),
            },
            Condition::Others(s) => others(s),
            Condition::All(s) => say!("for owning all of {spaces}", spaces = s),
            Condition::Any(s) => say!("for owning at least one of {spaces}", spaces = s),
            Condition::Number(r) => {
                let (worth, spaces) = (steps(&r.worth), &r.spaces);
                say!("{worth} for owning so many of {spaces}")
            }
            Condition::More(n) => say!("for owning more than {n} spaces"),
            Condition::WithAlly(s) => say!(
                "for owning, alone or with one player, each the other's ally, all of {spaces}",
                spaces = s
            ),
            Condition::With(t) => {
                let (who, spaces) = (power(t.power), &t.spaces);
                match t.excused.as_str() {
                    "" => say!("for owning together with {who} all of {spaces}"),
                    excused => say!(
                        "for owning together with {who} all of {spaces} ({excused} may be a \
                         player's who lists you as ally)"
                    ),
                }
            }
            Condition::MostNavy(s) => say!("for the most navy in each of {seas}", seas = s),
            Condition::NavyOver(powers) => {
                say!("for more navy than each of {powers}", powers = list(powers))
            }
            Condition::Weaker(_) => say!("for each player with less industry"),
            Condition::Fewer(f) => {
                let (who, n) = (power(f.power), f.than);
                say!("if {who} owns fewer than {n} spaces")
            }
            Condition::Gone(p) => say!("if {who} is eliminated", who = power(*p)),
            Condition::NoneOf(t) => {
                let (who, spaces) = (power(t.power), &t.spaces);
                say!("if {who} owns none of {spaces}")
            }
            Condition::Kept(t) => {
                let (who, spaces) = (power(t.power), &t.spaces);
                say!("if {who} owns at least one of {spaces}")
            }
            Condition::Minor(s) => say!("if {space} is a minor", space = s),
            Condition::PowersLeft(_) => say!("for each player who owns a country"),
            Condition::Restored(powers) => say!(
                "for each space owned by its first owner, but those of {powers}",
                powers = list(powers)
            ),
            Condition::Monroe(_) => {
                say!(
                    "if no major power owns a space N... or S... that it did not have at the start"
                )
            }
            Condition::China(t) => {
                let (worth, who) = (steps(&t.worth), power(t.power));
                say!("{worth} if {who} owns a country / one that begins with C")
            }
            Condition::FranceOut(t) => {
                let (who, spaces, excused) = (power(t.power), &t.spaces, &t.excused);
                say!("if {who} owns none of {spaces}; or only {excused} and lists you as ally")
            }
        }
    }
}

/// Words for every space except the listed ones.
fn others(except: &str) -> String {
    match except {
        "" => say!("for each space owned"),
        "original" => say!("for each space owned that was not yours at the start"),
        _ => match except.strip_prefix("original ") {
            Some(rest) => {
                say!("for each other space owned, not yours at the start, but {rest}")
            }
            None => say!("for each space owned but {except}"),
        },
    }
}
