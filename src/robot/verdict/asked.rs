//! What a question asks for: the rows of `config/speech/questions.toml`, and how many of something a
//! seat has.

use std::sync::LazyLock;

use engine::Names;
use engine::wording::{Held, Tally};
use serde::Deserialize;
use tongue::say;

use crate::card::spoken::{says, words};

/// Things of a sort that an answer lists, at most.
const LISTED_MAX: usize = 14;
/// Sorts of things that an answer tells of, at most.
const SORTS_MAX: usize = 6;

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Topic {
    /// When the orders are due.
    Deadline,
    /// How the game is won.
    Goal,
    /// The orders of the last turn.
    Ordered,
    /// What happened in the last turn.
    Happened,
    /// All that the seat has.
    Own,
    /// What lies around what is its own.
    Neighbours,
    /// What needs orders.
    Idle,
    /// What there is to do.
    Todo,
    /// How to end a turn.
    Done,
    /// What a word means.
    Meaning,
    /// Who is ahead, and by how much.
    Standing,
    /// What comes in, and what may be spent.
    Income,
    /// What threatens the seat.
    Threats,
    /// What can be built.
    Kinds,
}

/// Words that tell what a question is about, each alone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// A way.
    pub far: Vec<String>,
    /// A fight.
    pub odds: Vec<String>,
    /// Other players.
    pub who: Vec<String>,
    /// What others have.
    pub others: Vec<String>,
    /// The rules.
    pub rules: Vec<String>,
    /// What the player has.
    pub own: Vec<String>,
    /// What something costs.
    pub cost: Vec<String>,
    /// What lies around something.
    pub near: Vec<String>,
    /// The player's orders, and that they are on file.
    pub orders: Vec<String>,
    pub file: Vec<String>,
    /// A thing may be named without its number.
    pub moves: Vec<String>,
    /// Names have them too, and questions more often.
    pub stop: Vec<String>,
    /// They ask what something means.
    pub asks: Vec<String>,
    /// They say nothing beside such words.
    pub small: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    /// How a line asks how many of something there are, or where.
    counts: Vec<String>,
    words: Words,
    topic: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: Topic,
    says: Vec<String>,
    /// What the headings of the sections of a printout that tell of it end in.
    #[serde(default)]
    headings: Vec<String>,
}

static FILE: LazyLock<File> = LazyLock::new(|| {
    let text = include_str!("../../../config/speech/questions.toml");
    engine::data::from_toml(text).expect("the embedded file is sound")
});

/// What a line asks for.
pub(super) fn topic(line: &str) -> Option<Topic> {
    let words = words(line);
    let row = FILE.topic.iter().find(|row| row.says.iter().any(|say| says(&words, say)))?;
    Some(row.name)
}

/// Whether a section of a printout with a heading tells of a topic.
pub(super) fn is_told_below(topic: Topic, heading: &str) -> bool {
    let rows = FILE.topic.iter().filter(|row| row.name == topic);
    rows.flat_map(|row| &row.headings).any(|part| heading.ends_with(part.as_str()))
}

/// Whether a line has one of some words.
pub(super) fn has(line: &str, of: fn(&Words) -> &Vec<String>) -> bool {
    words(line).iter().any(|word| of(&FILE.words).contains(word))
}

/// The words of a line behind those that ask what something means, without articles.
pub(super) fn term(line: &str) -> Vec<String> {
    let words = words(line);
    let Words { small, asks, .. } = &FILE.words;
    let telling = words.into_iter();
    let telling = telling.filter(|w| !small.contains(w) && !asks.contains(w));
    telling.collect()
}

/// Whether a line asks how many of something the player has, or where they are.
pub(super) fn counts(line: &str) -> bool {
    let words = words(line);
    FILE.counts.iter().any(|say| says(&words, say))
}

/// What a player has, as a sentence: `Tanks, 2 in all: 7 (size 2) at 04819, ...`.
pub(super) fn told(names: &Names, held: &Held) -> String {
    let place = |code: &String| match Tally(names).called(code) {
        Some(name) => format!("{code} {}", engine::report::capital(&name.to_lowercase())),
        None => code.clone(),
    };
    let part = |(code, at): &(String, Option<String>)| match at {
        Some(number) if held.amounts => say!("{code} at {at}", code = number, at = place(code)),
        Some(name) if !held.stands => format!("{code} {name}"),
        Some(at) => match Tally(names).size_of(code) {
            Some(size) => say!("{code} (size {size}) at {at}", at = place(at)),
            None => say!("{code} at {at}", at = place(at)),
        },
        None => place(code),
    };
    let mut parts: Vec<String> = held.parts.iter().take(LISTED_MAX).map(part).collect();
    if held.parts.len() > LISTED_MAX {
        parts.push("...".to_owned());
    }
    let called = engine::report::capital(&held.called.to_lowercase());
    let sizes: Option<Vec<u32>> =
        held.parts.iter().map(|(code, at)| at.as_ref().and(Tally(names).size_of(code))).collect();
    match (sizes.filter(|sizes| sizes.len() > 1 && held.stands), parts.is_empty()) {
        (Some(sizes), false) => say!(
            "{called}, {n} in all, size {size} together: {parts}.",
            n = held.number,
            size = sizes.iter().sum::<u32>(),
            parts = parts.join(", ")
        ),
        (_, true) => format!("{called}: {}.", held.number),
        (None, false) => {
            say!("{called}, {n} in all: {parts}.", n = held.number, parts = parts.join(", "))
        }
    }
}

/// What a line asks to be counted, at these places where it names some.
pub(super) fn tally(names: &Names, line: &str, places: &[&str]) -> Vec<String> {
    let mut held = Tally(names).of(line);
    if !places.is_empty() {
        for one in &mut held {
            let there = |place: &String| places.contains(&place.as_str());
            one.keep(|code, at| there(code) || at.is_some_and(there));
        }
        held.retain(|held| !held.parts.is_empty());
    }
    held.iter().take(SORTS_MAX).map(|held| told(names, held)).collect()
}

/// What has no orders.
pub(super) fn idle(names: &Names) -> Option<String> {
    let held = Tally(names).of("idle").into_iter().next()?;
    Some(told(names, &held))
}

/// All that a player has.
pub(super) fn everything(names: &Names) -> Vec<String> {
    Tally(names).everything().iter().take(SORTS_MAX).map(|held| told(names, held)).collect()
}
