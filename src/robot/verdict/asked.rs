//! What a question asks for: the rows of `config/speech/questions.toml`, and how many of something a
//! seat has.

use std::sync::LazyLock;

use engine::Names;
use engine::wording::{Held, Tally};
use serde::Deserialize;

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
}

#[derive(Deserialize)]
struct File {
    /// How a line asks how many of something there are, or where.
    counts: Vec<String>,
    topic: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: Topic,
    says: Vec<String>,
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

/// The words of a line behind those that ask what something means, without articles.
pub(super) fn term(line: &str) -> Vec<String> {
    const SMALL: [&str; 24] = [
        "the", "a", "an", "is", "are", "was", "were", "on", "in", "of", "mean", "means", "for",
        "map", "here", "der", "die", "das", "ein", "eine", "ist", "sind", "auf", "letter",
    ];
    let words = words(line);
    let asks = [
        "what",
        "whats",
        "does",
        "do",
        "stand",
        "stands",
        "meant",
        "by",
        "meaning",
        "explain",
        "word",
        "was",
        "bedeutet",
        "bedeuten",
        "heißt",
        "steht",
        "für",
        "wofür",
        "erkläre",
        "bedeutung",
        "wort",
        "buchstabe",
    ];
    let telling = words.into_iter();
    let telling = telling.filter(|w| !SMALL.contains(&w.as_str()) && !asks.contains(&w.as_str()));
    telling.collect()
}

/// Whether a line asks how many of something the player has, or where they are.
pub(super) fn counts(line: &str) -> bool {
    let words = words(line);
    FILE.counts.iter().any(|say| says(&words, say))
}

/// What a player has, as a sentence: `TANKS: 2 (unit 7 at 04819, …)`.
pub(super) fn told(names: &Names, held: &Held) -> String {
    let place = |code: &String| match Tally(names).called(code) {
        Some(name) => format!("{code} {}", engine::report::capital(&name.to_lowercase())),
        None => code.clone(),
    };
    let part = |(code, at): &(String, Option<String>)| match at {
        Some(number) if held.amounts => format!("{}: {number}", place(code)),
        Some(at) => format!("{code} ({})", place(at)),
        None => code.clone(),
    };
    let mut parts: Vec<String> = held.parts.iter().take(LISTED_MAX).map(part).collect();
    if held.parts.len() > LISTED_MAX {
        parts.push("...".to_owned());
    }
    let called = engine::report::capital(&held.called.to_lowercase());
    match parts.is_empty() {
        true => format!("{called}: {}.", held.number),
        false => format!("{called}: {}: {}.", held.number, parts.join(", ")),
    }
}

/// What a line asks to be counted.
pub(super) fn tally(names: &Names, line: &str) -> Vec<String> {
    Tally(names).of(line).iter().take(SORTS_MAX).map(|held| told(names, held)).collect()
}

/// All that a player has.
pub(super) fn everything(names: &Names) -> Vec<String> {
    Tally(names).everything().iter().take(SORTS_MAX).map(|held| told(names, held)).collect()
}
