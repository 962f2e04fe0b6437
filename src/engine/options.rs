//! Options of a game: what a game master may set when it is made.
//!
//! An engine lists them as [`OptionRow`]s and reads a setup with [`Chosen`]. The same rows make
//! the list that `fieldpost options` prints, the form of the dashboard, the game master's manual
//! and the last chapter of the rulebook. So an option is written the same way in every game: case
//! and quotes do not count, `-` and `_` are one, and a switch is `on` or `off`, `true` or `false`,
//! `yes` or `no`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::data::Embedded;
use super::report::{Align, Block, Section, Table, capital};
use super::{Seat, Setup};

/// One option of a game.
#[derive(Debug, Clone, Copy)]
pub struct OptionRow {
    /// Its name, lower case with `_` between words.
    pub name: &'static str,
    /// What it may be.
    pub values: Values,
    /// The value in a game that does not set it.
    pub usual: Usual,
    /// What it does, in a sentence or two.
    pub help: &'static str,
    /// Hidden from players, because its value reveals where others are.
    pub hidden: bool,
    /// The condition for it to have an effect; `None`: it has one in every game.
    pub needs: Option<Needs>,
}

/// What an option needs to have an effect.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// The condition in words, such as `order=sequential`.
    pub with: &'static str,
    /// Whether a setup meets it.
    pub holds: fn(&Setup) -> bool,
}

/// What an option may be.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// One of these words.
    Words(&'static [Word]),
    /// On or off.
    Switch,
    /// A whole number between two bounds, both included.
    Number(u32, u32),
    /// Such a number for all seats, or one for each with spaces or commas between.
    Numbers(u32, u32),
    /// A [`Strength`] for all seats, or one for each with spaces or commas between.
    Strengths,
    /// A text that the game itself parses; the string describes its form.
    Text(&'static str),
}

/// One of the words that are values of an option.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// As it is written.
    pub word: &'static str,
    /// Another way to write it, which was its name when older games were made; else empty.
    pub also: &'static str,
    /// What it means, in a few words.
    pub help: &'static str,
}

impl Word {
    /// Whether a text is this word, in either way of writing it.
    fn is(&self, text: &str) -> bool {
        [self.word, self.also].iter().any(|word| same(word, text))
    }
}

/// A word with its meaning.
pub const fn word(word: &'static str, help: &'static str) -> Word {
    Word { word, also: "", help }
}

/// The value of an option that a game does not set.
#[derive(Debug, Clone, Copy)]
pub enum Usual {
    /// This value, as it would be written.
    Is(&'static str),
    /// A value that depends on the rest of the setup, in words.
    Depends(&'static str),
}

impl OptionRow {
    /// A row whose value players may see.
    pub const fn new(name: &'static str, values: Values, usual: Usual, help: &'static str) -> Self {
        Self { name, values, usual, help, hidden: false, needs: None }
    }

    /// The option `computers`, which every game with computer players has.
    pub const fn computers(usual: &'static str) -> Self {
        let help = "How well computers play.";
        Self::new("computers", Values::Strengths, Usual::Is(usual), help)
    }

    /// The option `NAME_hours` of a clock that belongs to the game.
    pub const fn hours(name: &'static str, usual: Usual, help: &'static str) -> Self {
        Self::new(name, Values::Number(1, HOURS_MAX), usual, help)
    }

    /// Hides the value from players.
    #[must_use]
    pub const fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// Says which other option this one needs.
    #[must_use]
    pub const fn only(mut self, with: &'static str, holds: fn(&Setup) -> bool) -> Self {
        self.needs = Some(Needs { with, holds });
        self
    }

    /// Whether the option has an effect in a game.
    pub fn counts(&self, setup: &Setup) -> bool {
        self.needs.is_none_or(|needs| (needs.holds)(setup))
    }

    /// A value in the words of the row, however it was written.
    fn in_its_words(&self, text: &str) -> String {
        match self.values {
            Values::Words(words) => {
                words.iter().find(|w| w.is(text)).map_or(text, |w| w.word).to_owned()
            }
            Values::Switch => on(text).map_or(text, |on| if on { "on" } else { "off" }).to_owned(),
            Values::Strengths => {
                let word = |w| strength(w).map_or(w, |s| s.0);
                each(text).map(word).collect::<Vec<_>>().join(" ")
            }
            _ => text.to_owned(),
        }
    }

    /// Its usual value as readers see it.
    pub fn usual(&self) -> &'static str {
        match self.usual {
            Usual::Is("") => "none",
            Usual::Is(text) | Usual::Depends(text) => text,
        }
    }
}

/// The most hours of a clock: a year.
const HOURS_MAX: u32 = 8760;

impl fmt::Display for Values {
    /// Writes the possible values, such as `list or live`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => {
                let words: Vec<&str> = words.iter().map(|w| w.word).collect();
                f.write_str(&or(&words))
            }
            Self::Switch => f.write_str("on or off"),
            Self::Number(least, most) => write!(f, "a number from {least} to {most}"),
            Self::Numbers(least, most) => {
                write!(f, "a number from {least} to {most}, or one of these for each seat")
            }
            Self::Strengths => {
                write!(f, "{}, or one of these for each seat", or(&STRENGTHS.map(|s| s.0)))
            }
            Self::Text(form) => f.write_str(form),
        }
    }
}

/// Words as a choice: `a`, `a or b`, `a, b or c`.
fn or(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The strength of a computer player.
///
/// Saved games of Classic Warlord and Empire Deluxe write it in words of their own ([`saved_as`]).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Strength {
    /// Errs often and dares little.
    #[serde(alias = "easy", alias = "novice")]
    Easy,
    /// Plays to win.
    #[default]
    #[serde(alias = "normal")]
    Normal,
    /// Plays as well as it can.
    #[serde(alias = "hard", alias = "expert")]
    Hard,
}

/// Writes strengths into a saved game in that game's words, given from easy to hard, so that the
/// bytes of its old steps do not change.
///
/// # Errors
/// Those of the format.
pub fn saved_as<S: Serializer>(
    all: &[Strength],
    words: [&str; 3],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(all.iter().map(|strength| words[*strength as usize]))
}

/// The words for strengths: the usual word, then the word of older games.
const STRENGTHS: [(&str, &str, Strength); 3] = [
    ("easy", "novice", Strength::Easy),
    ("normal", "", Strength::Normal),
    ("hard", "expert", Strength::Hard),
];

impl Strength {
    /// The strength of a seat: its own value, else the common value, else `usual`.
    pub fn of(all: &[Self], seat: Seat, usual: Self) -> Self {
        let own = all.get(usize::from(seat.0).saturating_sub(1));
        own.or(all.first()).copied().unwrap_or(usual)
    }
}

/// The options of a setup, read by the rows of its game; faults are collected. Names without a row
/// are ignored here ([`passed_over`] lists them).
#[derive(Debug)]
pub struct Chosen<'a> {
    rows: &'static [OptionRow],
    seats: usize,
    /// The values as written, trimmed, by the names of the rows.
    given: BTreeMap<&'static str, &'a str>,
    /// A sentence for each fault so far.
    pub faults: Vec<String>,
}

impl<'a> Chosen<'a> {
    /// The options of a setup.
    pub fn new(rows: &'static [OptionRow], setup: &'a Setup) -> Self {
        let mut given = BTreeMap::new();
        let mut faults = Vec::new();
        for (name, text) in &setup.options {
            let Some(row) = rows.iter().find(|r| r.name == plain(name)) else { continue };
            if given.insert(row.name, bare(text)).is_some() {
                faults.push(format!("{} is set twice", row.name));
            }
        }
        Self { rows, seats: usize::from(setup.seats), given, faults }
    }

    /// The value written for an option; `None`: nothing was written.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.given.get(name).copied()
    }

    /// Notes that the text of an option is not one of its values.
    pub fn refuse(&mut self, name: &str) {
        let (values, text) = (self.row(name).values, self.text(name).unwrap_or_default());
        self.faults.push(format!("{name} is {values}, not {text:?}"));
    }

    /// The one of `values` that belongs to the chosen word; without a choice, the one that belongs
    /// to the usual word. `values` are in the order of the row's words.
    pub fn word<T: Copy, const N: usize>(&mut self, name: &str, values: [T; N]) -> T {
        let usual = self.place(name, self.row(name).usual()).unwrap_or(0);
        self.word_or(name, values, values[usual])
    }

    /// Like [`Chosen::word`], with a usual value that depends on the setup.
    pub fn word_or<T: Copy, const N: usize>(&mut self, name: &str, values: [T; N], usual: T) -> T {
        let Some(text) = self.text(name) else { return usual };
        match self.place(name, text).and_then(|i| values.get(i)) {
            Some(value) => *value,
            None => {
                self.refuse(name);
                usual
            }
        }
    }

    /// The index of a word among those of a row.
    fn place(&self, name: &str, text: &str) -> Option<usize> {
        let Values::Words(words) = self.row(name).values else { return None };
        words.iter().position(|w| !text.is_empty() && w.is(text))
    }

    /// Whether a switch is on.
    pub fn switch(&mut self, name: &str) -> bool {
        let usual = on(self.row(name).usual()).unwrap_or_default();
        let Some(text) = self.text(name) else { return usual };
        on(text).unwrap_or_else(|| {
            self.refuse(name);
            usual
        })
    }

    /// The number of an option.
    pub fn number(&mut self, name: &str) -> u32 {
        let usual = self.row(name).usual().parse().unwrap_or_default();
        self.number_or(name, usual)
    }

    /// The number of an option; `usual` comes from the game's data files or its setup.
    pub fn number_or(&mut self, name: &str, usual: u32) -> u32 {
        let Some(text) = self.text(name) else { return usual };
        let Values::Number(least, most) = self.row(name).values else { return usual };
        text.parse().ok().filter(|n| (least..=most).contains(n)).unwrap_or_else(|| {
            self.refuse(name);
            usual
        })
    }

    /// A number for all seats or one for each; empty where nothing was written.
    pub fn numbers(&mut self, name: &str) -> Vec<u32> {
        let Values::Numbers(least, most) = self.row(name).values else { return Vec::new() };
        let one = |w: &str| w.parse().ok().filter(|n| (least..=most).contains(n));
        self.by_seat(name, one)
    }

    /// A strength for all seats or one for each; empty where nothing was written.
    pub fn strengths(&mut self) -> Vec<Strength> {
        self.by_seat("computers", |w| strength(w).map(|s| s.2))
    }

    fn by_seat<T>(&mut self, name: &str, one: impl Fn(&str) -> Option<T>) -> Vec<T> {
        let Some(text) = self.text(name) else { return Vec::new() };
        let all: Option<Vec<T>> = each(text).map(one).collect();
        let fits = |all: &Vec<T>| [1, self.seats].contains(&all.len());
        all.filter(fits).unwrap_or_else(|| {
            self.refuse(name);
            Vec::new()
        })
    }

    fn row(&self, name: &str) -> &'static OptionRow {
        self.rows.iter().find(|r| r.name == name).expect("an engine asks for options of its rows")
    }
}

/// The values of an option that is written for each seat.
fn each(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty())
}

/// The row of [`STRENGTHS`] for a word.
fn strength(text: &str) -> Option<&'static (&'static str, &'static str, Strength)> {
    let text = plain(text);
    STRENGTHS.iter().find(|s| text == s.0 || text == s.1)
}

/// The parts of a setup that would change nothing, one sentence each: names that are not options of
/// the game `title`, and options without the condition that they need. They are refused when a game
/// is made; games made earlier go on with them.
pub fn passed_over(title: &str, rows: &[OptionRow], setup: &Setup) -> Vec<String> {
    let fault = |name: &String| match rows.iter().find(|row| row.name == plain(name)) {
        None => Some(unknown(title, rows, name)),
        Some(row) => {
            let needs = row.needs.filter(|_| !row.counts(setup))?;
            Some(format!("{} has no effect; it goes with {}", row.name, needs.with))
        }
    };
    setup.options.keys().filter_map(fault).collect()
}

/// Whether a setup has a word for an option.
pub fn is(setup: &Setup, name: &str, word: &str) -> bool {
    text(setup, name).is_some_and(|text| same(text, word))
}

/// Whether the game has its own clock, so that the game master's calendar does not end its turns.
pub fn has_clock(rows: &[OptionRow]) -> bool {
    rows.iter().any(|row| row.name == "turn_hours")
}

/// The value of an option in a setup, without the quotes around it; `None`: nothing.
pub fn text<'a>(setup: &'a Setup, name: &str) -> Option<&'a str> {
    let given = setup.options.iter().find(|(given, _)| plain(given) == name);
    given.map(|(_, text)| bare(text))
}

fn bare(text: &str) -> &str {
    text.trim().trim_matches('"').trim()
}

/// A name or word in the spelling of the rows.
fn plain(text: &str) -> String {
    text.trim().to_lowercase().replace('-', "_")
}

/// Whether two words are equal except for case, and `-` and `_`.
pub fn same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

/// What a switch is set to; `None` if the word is unknown.
fn on(text: &str) -> Option<bool> {
    match &*plain(text) {
        "on" | "true" | "yes" => Some(true),
        "off" | "false" | "no" => Some(false),
        _ => None,
    }
}

/// The answer of a game to a name that is not one of its options.
fn unknown(title: &str, rows: &[OptionRow], name: &str) -> String {
    if rows.is_empty() {
        return format!("{title} has no options");
    }
    let slips = |row: &&OptionRow| strsim::osa_distance(row.name, &plain(name));
    let near = rows.iter().min_by_key(slips).filter(|row| slips(row) * 3 <= name.len());
    let near = near.map(|row| format!("; did you mean {}?", row.name));
    let names: Vec<&str> = rows.iter().map(|r| r.name).collect();
    let near = near.unwrap_or_else(|| format!("; its options are {}", names.join(", ")));
    format!("{title} has no option {name:?}{near}")
}

/// The subject of a chapter of options.
#[derive(Debug, Clone, Copy)]
pub enum Chapter<'a> {
    /// What may be chosen, for any game of an engine.
    Engine,
    /// What was chosen for a game.
    Game {
        /// The setup that it was made from.
        setup: &'a Setup,
        /// The engine's data files, which have the usual values.
        usual: &'a Embedded,
    },
}

/// The options of a game as a chapter, without those that have no effect.
pub fn chapter(rows: &[OptionRow], about: Chapter) -> Option<Section> {
    let (heading, words, column) = match about {
        Chapter::Game { .. } => {
            ("How this game is set", "What was chosen when this game was made:", "here")
        }
        Chapter::Engine => ("Options", "What a game master may choose for a game:", "usual"),
    };
    // A game's own data files may have other usual values.
    let is_usual = match about {
        Chapter::Game { setup, usual } => {
            usual.iter().all(|(name, text)| setup.data.get(*name).is_none_or(|own| own == text))
        }
        Chapter::Engine => true,
    };
    let line = |row: &OptionRow| {
        let value = match about {
            Chapter::Engine => row.usual().to_owned(),
            Chapter::Game { setup, .. } if !row.counts(setup) => return None,
            Chapter::Game { setup, .. } => match text(setup, row.name) {
                Some(_) if row.hidden => "set".to_owned(),
                Some(text) => row.in_its_words(text),
                None if is_usual || !matches!(row.values, Values::Number(..) | Values::Text(_)) => {
                    format!("as usual: {}", row.usual())
                }
                None => {
                    format!("as usual: {}, unless its data files say otherwise", row.usual())
                }
            },
        };
        Some(vec![row.name.to_owned(), value, explained(row)])
    };
    let lines: Vec<Vec<String>> = rows.iter().filter_map(line).collect();
    if lines.is_empty() {
        return None;
    }
    let columns = ["option", column, "what it does"].map(|heading| (heading, Align::Left));
    let blocks =
        vec![Block::Para(words.to_owned().into()), Block::Table(Table::new(columns, lines))];
    Some(Section { heading: heading.to_owned(), blocks })
}

/// What an option does, its values and its condition, in sentences.
pub fn explained(row: &OptionRow) -> String {
    let help = row.help;
    let values = match row.values {
        Values::Words(words) => {
            words.iter().map(|w| format!("{}: {}", w.word, w.help)).collect::<Vec<_>>().join("; ")
        }
        values => capital(&values.to_string()),
    };
    let needs = row.needs.map_or(String::new(), |needs| format!(" It goes with {}.", needs.with));
    format!("{help} {values}.{needs}")
}
