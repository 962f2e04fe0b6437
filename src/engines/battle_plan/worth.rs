//! The items of a power's victory points, as data (§20.4, Appendix E).

use serde::{Deserialize, Serialize};

/// Spaces of a power, as a condition names them.
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
    /// Points by how many, where they rise.
    #[serde(default)]
    pub worth: Vec<i64>,
}

/// Fewer spaces than a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fewer {
    /// The power's number.
    pub power: u8,
    /// The number.
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
    /// For each turn up to the last one with an occupied country.
    Turns(bool),
    /// For each of these spaces that is owned.
    Each(String),
    /// For each owned space that is none of these.
    Others(String),
    /// For owning all of these.
    All(String),
    /// For owning at least one of these.
    Any(String),
    /// For owning so many of these.
    Number(Rising),
    /// For owning more than so many spaces.
    More(usize),
    /// For owning all of these, alone or with one player, each the other's ally.
    WithAlly(String),
    /// For owning all of these together with a power.
    With(Theirs),
    /// For each of these seas with more navy than any other player.
    MostNavy(String),
    /// For each of these powers with less navy.
    NavyOver(Vec<u8>),
    /// For each power with less industry.
    Weaker(bool),
    /// If a power owns fewer than so many spaces.
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
    /// For each space owned by its first owner, but those of these powers.
    Restored(Vec<u8>),
    /// If no major power owns one of these that it did not own at the start.
    Monroe(String),
    /// If a power owns a country, and one of China.
    China(Theirs),
    /// If a power owns none of these, or only excused ones and as an ally.
    FranceOut(Theirs),
}

/// One item of a power's victory points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Points, for each where the condition counts.
    pub worth: i64,
    /// Items with the same number: only the best counts.
    #[serde(default)]
    pub best: u8,
    /// What they are given for.
    #[serde(flatten)]
    pub condition: Condition,
}

impl Item {
    /// Every list of space codes in it.
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
    pub fn says(&self, name: impl Fn(u8) -> String) -> String {
        let power = |p: u8| format!("[{p}] {}", name(p));
        let list =
            |powers: &[u8]| powers.iter().map(|p| format!("[{p}]")).collect::<Vec<_>>().join(" ");
        let others = |except: &str| match except {
            "" => "for each space owned".to_owned(),
            "original" => "for each space owned that was not yours at the start".to_owned(),
            _ => match except.strip_prefix("original ") {
                Some(rest) => {
                    format!("for each other space owned, not yours at the start, but {rest}")
                }
                None => format!("for each space owned but {except}"),
            },
        };
        match &self.condition {
            Condition::Turns(_) => "for each turn in the game".to_owned(),
            Condition::Each(s) => match s.contains(' ') {
                true => format!("for owning each of {s}"),
                false => format!("for owning {s}"),
            },
            Condition::Others(s) => others(s),
            Condition::All(s) => format!("for owning all of {s}"),
            Condition::Any(s) => format!("for owning at least one of {s}"),
            Condition::Number(r) => {
                let worth: Vec<String> = r.worth.iter().map(i64::to_string).collect();
                format!("{} for owning so many of {}", worth.join(" / "), r.spaces)
            }
            Condition::More(n) => format!("for owning more than {n} spaces"),
            Condition::WithAlly(s) => {
                format!("for owning, alone or with one player, each the other's ally, all of {s}")
            }
            Condition::With(t) => {
                let excused = match t.excused.as_str() {
                    "" => String::new(),
                    excused => format!(" ({excused} may be a player's who lists you as ally)"),
                };
                format!("for owning together with {} all of {}{excused}", power(t.power), t.spaces)
            }
            Condition::MostNavy(s) => format!("for the most navy in each of {s}"),
            Condition::NavyOver(powers) => format!("for more navy than each of {}", list(powers)),
            Condition::Weaker(_) => "for each player with less industry".to_owned(),
            Condition::Fewer(f) => {
                format!("if {} owns fewer than {} spaces", power(f.power), f.than)
            }
            Condition::Gone(p) => format!("if {} is eliminated", power(*p)),
            Condition::NoneOf(t) => format!("if {} owns none of {}", power(t.power), t.spaces),
            Condition::Kept(t) => {
                format!("if {} owns at least one of {}", power(t.power), t.spaces)
            }
            Condition::Minor(s) => format!("if {s} is a minor"),
            Condition::PowersLeft(_) => "for each player who owns a country".to_owned(),
            Condition::Restored(powers) => {
                format!("for each space owned by its first owner, but those of {}", list(powers))
            }
            Condition::Monroe(_) => {
                "if no major power owns a space N... or S... that it did not have at the start"
                    .to_owned()
            }
            Condition::China(t) => {
                let worth: Vec<String> = t.worth.iter().map(i64::to_string).collect();
                format!(
                    "{} if {} owns a country / one that begins with C",
                    worth.join(" / "),
                    power(t.power)
                )
            }
            Condition::FranceOut(t) => format!(
                "if {} owns none of {}; or only {} and lists you as ally",
                power(t.power),
                t.spaces,
                t.excused
            ),
        }
    }
}
