//! Sentences as data, for texts that are kept before their reader is known.
//!
//! A step of a game runs outside of any language, and its events are kept for readers of every
//! language. In code that [`as_data`] runs, a sentence is not a text yet: it is its key, its
//! number, and the content of its slots, which may be sentences again. [`Note`] holds such
//! sentences and translates them for each reader. Games call `say!` in a step as everywhere else.
//!
//! On the way from `say!` to a note, a sentence is a text with marks in it, so that other words can
//! surround it, or the slot of another sentence. The marks are control characters, which no mail
//! brings into a game. If the marks in a text do not match, they are removed.
//!
//! The key is the identity of a sentence. A key that a step has kept must never change, or replays
//! of old games would differ.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Template, counted, retold, template};

thread_local! {
    /// Whether sentences on this thread are data.
    static AS_DATA: Cell<bool> = const { Cell::new(false) };
}

/// Marks where a sentence begins, where its next part begins, and where it ends.
const BEGIN: char = '\u{1}';
const NEXT: char = '\u{2}';
const END: char = '\u{3}';
/// The largest nesting of sentences.
const DEPTH_MAX: usize = 8;

/// Runs `act` with sentences as data for a [`Note`], in no language.
pub fn as_data<T>(act: impl FnOnce() -> T) -> T {
    /// Restores the previous state, even when `act` panics.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            AS_DATA.set(self.0);
        }
    }
    let _before = Before(AS_DATA.replace(true));
    super::within(None, act)
}

/// Whether sentences are data now.
pub(super) fn is_data() -> bool {
    AS_DATA.get()
}

/// A sentence as a text with marks: its key, its English if that is not the key, its number, and
/// its slots with their names.
pub(super) fn marked(
    key: &str,
    english: &str,
    count: Option<i64>,
    pieces: &[(&str, fmt::Arguments)],
) -> String {
    let number = count.map(|n| n.to_string()).unwrap_or_default();
    let english = if english == key { "" } else { english };
    let mut text = format!("{BEGIN}{key}{NEXT}{number}{NEXT}{english}");
    for (name, value) in pieces {
        text += &format!("{NEXT}{name}{NEXT}{value}");
    }
    text.push(END);
    text
}

/// A kept text, with its sentences as data. A note without sentences is a plain text: a step of an
/// older program kept it in English.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct Note(Vec<Part>);

/// A part of a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Part {
    Plain(String),
    Said(Said),
}

/// A sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Said {
    /// Its key.
    said: String,
    /// Its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<i64>,
    /// Its English if that is not its key, because it has a sort or is the form for one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    english: String,
    /// The content of its slots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<(String, Note)>,
}

/// The stored form of a note: a text if it is only that.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Kept {
    Plain(String),
    Parts(Vec<Part>),
}

impl From<Note> for Kept {
    fn from(note: Note) -> Self {
        match <[Part; 1]>::try_from(note.0) {
            Ok([Part::Plain(text)]) => Self::Plain(text),
            Ok([said]) => Self::Parts(vec![said]),
            Err(parts) if parts.is_empty() => Self::Plain(String::new()),
            Err(parts) => Self::Parts(parts),
        }
    }
}

impl From<Kept> for Note {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::Plain(text) if text.is_empty() => Self::default(),
            Kept::Plain(text) => Self(vec![Part::Plain(text)]),
            Kept::Parts(parts) => Self(parts),
        }
    }
}

impl<T: Into<String>> From<T> for Note {
    /// A note of a text, with or without sentences as data.
    fn from(said: T) -> Self {
        let text = said.into();
        if !text.contains([BEGIN, NEXT, END]) {
            return Kept::Plain(text).into();
        }
        let mut rest = text.as_str();
        match parts(&mut rest, DEPTH_MAX).filter(|_| rest.is_empty()) {
            Some(parts) => Self(parts),
            None => Kept::Plain(text.replace([BEGIN, NEXT, END], "")).into(),
        }
    }
}

/// The parts up to a mark that ends the enclosing slot, or up to the end; `None`: the marks do not
/// match.
fn parts(rest: &mut &str, depth: usize) -> Option<Vec<Part>> {
    let mut all = Vec::new();
    loop {
        let at = rest.find([BEGIN, NEXT, END]).unwrap_or(rest.len());
        let (plain, behind) = rest.split_at(at);
        if !plain.is_empty() {
            all.push(Part::Plain(plain.to_owned()));
        }
        let Some(behind) = behind.strip_prefix(BEGIN) else {
            *rest = behind;
            return Some(all);
        };
        *rest = behind;
        all.push(Part::Said(sentence(rest, depth.checked_sub(1)?)?));
    }
}

/// The sentence after its first mark.
fn sentence(rest: &mut &str, depth: usize) -> Option<Said> {
    let key = plain(rest)?;
    let count = plain(rest)?;
    let english = word_up_to_mark(rest);
    let count = if count.is_empty() { None } else { Some(count.parse().ok()?) };
    let mut with = Vec::new();
    loop {
        if let Some(behind) = rest.strip_prefix(END) {
            *rest = behind;
            return Some(Said { said: key, count, english, with });
        }
        *rest = rest.strip_prefix(NEXT)?;
        let name = plain(rest)?;
        with.push((name, Note(parts(rest, depth)?)));
    }
}

/// The text up to the next mark, which must be one between two parts and is skipped.
fn plain(rest: &mut &str) -> Option<String> {
    let text = word_up_to_mark(rest);
    *rest = rest.strip_prefix(NEXT)?;
    Some(text)
}

fn word_up_to_mark(rest: &mut &str) -> String {
    let at = rest.find([BEGIN, NEXT, END]).unwrap_or(rest.len());
    let (text, behind) = rest.split_at(at);
    *rest = behind;
    text.to_owned()
}

impl Note {
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its text in the reader's language.
    pub fn localized(&self) -> Cow<'_, str> {
        match self.0.as_slice() {
            [] => Cow::Borrowed(""),
            [Part::Plain(text)] => retold(text),
            parts => Cow::Owned(parts.iter().map(Part::localized).collect()),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.localized())
    }
}

impl Part {
    fn localized(&self) -> Cow<'_, str> {
        match self {
            Self::Plain(text) => Cow::Borrowed(text),
            Self::Said(said) => Cow::Owned(said.localized()),
        }
    }
}

impl Said {
    fn localized(&self) -> String {
        let slot = |(name, note): &(String, Note)| {
            let said: String = note.0.iter().map(|part| part.localized().into_owned()).collect();
            (name.clone(), said)
        };
        let slots: Vec<(String, String)> = self.with.iter().map(slot).collect();
        let slots: Vec<(&str, &String)> =
            slots.iter().map(|(name, said)| (&**name, said)).collect();
        let known = match self.count {
            Some(number) => counted(&self.said, number),
            None => template(&self.said),
        };
        let english = if self.english.is_empty() { &self.said } else { &self.english };
        let filled = match (known, Template::read(english)) {
            (Some(known), _) => known.fill(&slots),
            (None, Some(english)) => english.fill(&slots),
            (None, None) => english.to_owned(),
        };
        // Slots have names of the program; gaps of data files are in capitals.
        let gaps = slots.iter().filter(|(name, _)| name.chars().all(char::is_uppercase));
        gaps.fold(filled, |said, (gap, value)| said.replace(gap, value))
    }
}
