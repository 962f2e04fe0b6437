//! Options and numbers of a game (§13): read once, typed, kept in the State.

use std::collections::BTreeSet;

use engine::options::{self, Chosen};
use engine::{Seat, Setup, Strength, data};
use serde::{Deserialize, Serialize, Serializer};

use super::map::{EMBEDDED, Ground};
use super::options::ROWS;

/// The embedded files by name.
pub const DEFAULTS: [(&str, &str); 2] = [
    ("map.toml", EMBEDDED),
    ("rules.toml", include_str!("../../../config/classic-warlord/rules.toml")),
];

/// How mountains are taken at the start (§4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draft {
    /// Everybody sends a list; one step.
    List,
    /// One pick a step.
    Live,
}

/// The effect of categories on attacks (§6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Terrain {
    /// No effect.
    Plain,
    /// As in public descriptions of earlier editions.
    Classic,
}

/// How many armies follow a capture (§5.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advance {
    /// As many as the secret number, even all.
    Exact,
    /// As many as the secret number, but one army stays.
    LeaveOne,
}

/// Limits of cards and seats; the keys are explained in `rules.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Orders on a card.
    pub orders: usize,
    /// Lines of guesses that a seat has on file.
    pub policies: usize,
    /// Numbers in one attack order.
    pub numbers: usize,
    /// The most levels of `IF` within `IF`.
    pub nesting: usize,
    /// Letters on a card.
    pub letters: usize,
    /// Lines of a letter.
    pub letter_lines: usize,
    /// Characters in a line of it.
    pub letter_columns: usize,
}

impl Limits {
    /// Lines and columns of a letter.
    pub fn letter(&self) -> (usize, usize) {
        (self.letter_lines, self.letter_columns)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Usual {
    turn_hours: u32,
    live_hours: u32,
    instalments: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    even: [u16; 6],
    limits: Limits,
    usual: Usual,
}

/// The options and numbers of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// How mountains are taken.
    pub draft: Draft,
    /// The effect of categories on attacks.
    pub terrain: Terrain,
    /// How many armies follow a capture.
    pub advance: Advance,
    /// The most armies of a seat; 0: no limit.
    pub army_cap: u32,
    /// Whether bombs are won and fired.
    pub bombs: bool,
    /// The most parts in which a turn may be sent.
    pub instalments_max: u8,
    /// Hours for a turn or an instalment.
    pub turn_hours: u32,
    /// Hours for a guess.
    pub live_hours: u32,
    /// The game ends after so many rounds; 0: never.
    pub rounds_max: u32,
    /// Whether players who are not concerned by a turn get no mail about it.
    pub digest: bool,
    /// How well computers play: one for all, or one a seat.
    #[serde(serialize_with = "saved_strengths")]
    pub computers: Vec<Strength>,
    /// Weights of the even mix `E`.
    pub even: [u16; 6],
    /// Limits of cards and seats.
    pub limits: Limits,
}

fn saved_strengths<S: Serializer>(all: &[Strength], to: S) -> Result<S::Ok, S::Error> {
    options::saved_as(all, ["easy", "normal", "hard"], to)
}

impl Options {
    /// How well the computer of a seat plays.
    pub fn strength(&self, seat: Seat) -> Strength {
        Strength::of(&self.computers, seat, Strength::Normal)
    }
}

/// Reads the options and the map of a game.
///
/// # Errors
/// One sentence for each wrong option or data file.
pub fn read(setup: &Setup) -> Result<(Options, Ground), Vec<String>> {
    let mut chosen = Chosen::new(ROWS, setup);
    chosen.faults.extend(data::unknown(setup, &DEFAULTS, "Classic Warlord"));
    let figures: Option<Figures> = data::file(setup, &DEFAULTS, "rules.toml", &mut chosen.faults);
    let Some(figures) = figures else { return Err(chosen.faults) };
    let boards = boards(&mut chosen);
    let ground = Ground::new(&boards, setup.data.get("map.toml").map(String::as_str));
    let usual = figures.usual;
    let options = Options {
        draft: chosen.word("draft", [Draft::List, Draft::Live]),
        terrain: chosen.word("terrain", [Terrain::Plain, Terrain::Classic]),
        advance: chosen.word("advance", [Advance::Exact, Advance::LeaveOne]),
        army_cap: chosen.number("army_cap"),
        bombs: chosen.switch("bombs"),
        // At most 20, by the row of the option.
        instalments_max: chosen.number_or("instalments_max", usual.instalments.into()) as u8,
        turn_hours: chosen.number_or("turn_hours", usual.turn_hours),
        live_hours: chosen.number_or("live_hours", usual.live_hours),
        rounds_max: chosen.number("rounds_max"),
        digest: chosen.switch("digest"),
        computers: chosen.strengths(),
        even: figures.even,
        limits: figures.limits,
    };
    match (ground, chosen.faults) {
        (Ok(ground), faults) if faults.is_empty() => Ok((options, ground)),
        (ground, mut faults) => {
            faults.extend(ground.err().unwrap_or_default());
            Err(faults)
        }
    }
}

/// The boards of the setup; an empty list means all.
fn boards(chosen: &mut Chosen) -> Vec<u8> {
    let Some(text) = chosen.text("boards") else { return Vec::new() };
    let words = text.split(|c: char| c.is_whitespace() || [',', '[', ']'].contains(&c));
    let boards: Option<BTreeSet<u8>> =
        words.filter(|w| !w.is_empty()).map(|w| w.parse().ok()).collect();
    let boards = boards.filter(|boards| !boards.is_empty());
    if boards.is_none() {
        chosen.refuse("boards");
    }
    boards.into_iter().flatten().collect()
}
