//! Options and figures of a game (§13): read once, typed, kept in the State.

use engine::{Seat, Setup, clock_hours, data};
use serde::{Deserialize, Serialize};

use super::map::{EMBEDDED, Ground};

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

/// What categories do in attacks (§6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Terrain {
    /// Nothing.
    Plain,
    /// What public descriptions of earlier editions say.
    Classic,
}

/// How many armies follow a capture (§5.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advance {
    /// As many as the number says, even all.
    Exact,
    /// As many, but one stays.
    LeaveOne,
}

/// How well a computer player plays (§16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// It thinks of its own turn.
    Easy,
    /// And of its neighbours'.
    Normal,
    /// And of what these will add.
    Hard,
}

/// The words for strengths.
const STRENGTHS: [(&str, Strength); 3] =
    [("easy", Strength::Easy), ("normal", Strength::Normal), ("hard", Strength::Hard)];

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
    /// `IF` within `IF`.
    pub nesting: usize,
    /// Letters on a card.
    pub letters: usize,
    /// Lines of a letter.
    pub letter_lines: usize,
    /// Letters of the alphabet in a line of it.
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

/// What a game is played by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// How mountains are taken.
    pub draft: Draft,
    /// What categories do in attacks.
    pub terrain: Terrain,
    /// How many armies follow a capture.
    pub advance: Advance,
    /// Counters of a seat; 0: no limit.
    pub army_cap: u32,
    /// Whether bombs are won and fired.
    pub bombs: bool,
    /// Parts that a turn may be sent in.
    pub instalments_max: u8,
    /// Hours for a turn or an instalment.
    pub turn_hours: u32,
    /// Hours for a guess.
    pub live_hours: u32,
    /// The game ends after so many rounds; 0: never.
    pub rounds_max: u32,
    /// Who is not concerned by a turn gets no mail about it.
    pub digest: bool,
    /// How well computers play: one for all, or one a seat.
    pub computers: Vec<Strength>,
    /// Weights of the even mix `E`.
    pub even: [u16; 6],
    /// Limits of cards and seats.
    pub limits: Limits,
}

/// Names of all options, as the game master writes them.
const KNOWN: [&str; 12] = [
    "boards",
    "draft",
    "terrain",
    "advance",
    "army_cap",
    "bombs",
    "instalments_max",
    "turn_hours",
    "live_hours",
    "rounds_max",
    "digest",
    "computers",
];

impl Options {
    /// How well the computer of a seat plays.
    pub fn strength(&self, seat: Seat) -> Strength {
        let own = self.computers.get(usize::from(seat.0).saturating_sub(1));
        own.or(self.computers.first()).copied().unwrap_or(Strength::Normal)
    }
}

/// Reads the options and the map of a game.
///
/// # Errors
/// One sentence for each option or data file that makes no sense.
pub fn read(setup: &Setup) -> Result<(Options, Ground), Vec<String>> {
    let mut faults = data::unknown(setup, &DEFAULTS, "Classic Warlord");
    for option in setup.options.keys().filter(|o| !KNOWN.contains(&o.as_str())) {
        let known = KNOWN.join(", ");
        faults.push(format!("{option} is no option of Classic Warlord; there are {known}"));
    }
    let figures: Option<Figures> = data::file(setup, &DEFAULTS, "rules.toml", &mut faults);
    let Some(figures) = figures else { return Err(faults) };
    let ground = match boards(setup) {
        Ok(boards) => Ground::new(&boards, setup.data.get("map.toml").map(String::as_str)),
        Err(fault) => Err(vec![fault]),
    };
    let mut reader = Reader { setup, faults };
    let options = Options {
        draft: reader.one_of("draft", &[("list", Draft::List), ("live", Draft::Live)]),
        terrain: reader
            .one_of("terrain", &[("plain", Terrain::Plain), ("classic", Terrain::Classic)]),
        advance: reader
            .one_of("advance", &[("exact", Advance::Exact), ("leave-one", Advance::LeaveOne)]),
        army_cap: reader.number("army_cap", 0, 0..=100_000),
        bombs: reader.one_of("bombs", &[("true", true), ("false", false)]),
        // At most 20, by the range.
        instalments_max: reader.number(
            "instalments_max",
            u32::from(figures.usual.instalments),
            1..=20,
        ) as u8,
        turn_hours: reader.hours("turn", figures.usual.turn_hours),
        live_hours: reader.hours("live", figures.usual.live_hours),
        rounds_max: reader.number("rounds_max", 0, 0..=10_000),
        digest: reader.one_of("digest", &[("false", false), ("true", true)]),
        computers: reader.computers(setup.seats),
        even: figures.even,
        limits: figures.limits,
    };
    match (ground, reader.faults) {
        (Ok(ground), faults) if faults.is_empty() => Ok((options, ground)),
        (ground, mut faults) => {
            faults.extend(ground.err().unwrap_or_default());
            Err(faults)
        }
    }
}

struct Reader<'a> {
    setup: &'a Setup,
    faults: Vec<String>,
}

impl Reader<'_> {
    /// One of several words; the first is the usual one.
    fn one_of<T: Copy>(&mut self, option: &str, words: &[(&str, T)]) -> T {
        let usual = words[0].1;
        let Some(text) = self.setup.options.get(option) else { return usual };
        let text = text.trim().trim_matches('"');
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return *value;
        }
        let words: Vec<&str> = words.iter().map(|w| w.0).collect();
        self.faults.push(format!("{option} is {}, not {text:?}", words.join(" or ")));
        usual
    }

    fn number(&mut self, option: &str, usual: u32, range: std::ops::RangeInclusive<u32>) -> u32 {
        let Some(text) = self.setup.options.get(option) else { return usual };
        if let Some(n) = text.trim().parse().ok().filter(|n| range.contains(n)) {
            return n;
        }
        let (low, high) = (range.start(), range.end());
        self.faults.push(format!("{option} is a number from {low} to {high}, not {text:?}"));
        usual
    }

    /// One strength for all seats, or one for each.
    fn computers(&mut self, seats: u8) -> Vec<Strength> {
        let Some(text) = self.setup.options.get("computers") else { return Vec::new() };
        let word = |w: &str| STRENGTHS.iter().find(|(word, _)| *word == w).map(|s| s.1);
        let words: Option<Vec<Strength>> = text.split_whitespace().map(word).collect();
        let fits = |words: &Vec<Strength>| [1, usize::from(seats)].contains(&words.len());
        words.filter(fits).unwrap_or_else(|| {
            self.faults.push(format!(
                "computers is easy, normal or hard, or one of these for each seat; not {text:?}"
            ));
            Vec::new()
        })
    }

    fn hours(&mut self, clock: &str, usual: u32) -> u32 {
        clock_hours(self.setup, clock, usual).unwrap_or_else(|fault| {
            self.faults.push(fault);
            usual
        })
    }
}

/// The boards of the setup; none: all.
fn boards(setup: &Setup) -> Result<Vec<u8>, String> {
    let Some(text) = setup.options.get("boards") else { return Ok(Vec::new()) };
    let words = text.split(|c: char| c.is_whitespace() || [',', '[', ']'].contains(&c));
    let boards: Option<Vec<u8>> = words.filter(|w| !w.is_empty()).map(|w| w.parse().ok()).collect();
    match boards {
        Some(mut boards) if !boards.is_empty() => {
            boards.sort_unstable();
            boards.dedup();
            Ok(boards)
        }
        _ => Err(format!("boards is a list of numbers such as 5, 6; not {text:?}")),
    }
}
