//! Sentences as data, for what is kept before it is known who reads it.
//!
//! A step of a game runs outside of any language, and its events are kept for readers of every
//! language. What [`as_data`] runs says sentences that are no text yet: which one it is, by its key,
//! what it counts, and what stands in its slots, which may be sentences again. [`Note`] holds them,
//! and says them in the language of whoever reads. A game calls `say!` in a step as everywhere else.
//!
//! On the way from `say!` to a note a sentence is a text with marks in it, so that it can stand among
//! other words and in the slot of another sentence. The marks are control characters, which no mail
//! brings into a game. A text whose marks do not fit is a text without them.
//!
//! The key is the name of a sentence: one that a step keeps has it for good, or replays of what was
//! kept would differ.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Template, counted, retold, template};

thread_local! {
    /// Whether what is said on this thread is data.
    static AS_DATA: Cell<bool> = const { Cell::new(false) };
}

/// A sentence begins; another part of it begins; it ends.
const BEGIN: char = '\u{1}';
const NEXT: char = '\u{2}';
const END: char = '\u{3}';
/// How deep sentences stand in each other, at most.
const DEPTH_MAX: usize = 8;

/// What is said while `act` runs is data for a [`Note`], in no language.
pub fn as_data<T>(act: impl FnOnce() -> T) -> T {
    /// Puts back what was before, also when what is within panics.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            AS_DATA.set(self.0);
        }
    }
    let _before = Before(AS_DATA.replace(true));
    super::within(None, act)
}

/// Whether what is said now is data.
pub(super) fn is_data() -> bool {
    AS_DATA.get()
}

/// A sentence as a text with marks: its key, its English where that is not the key, what it counts, and
/// its slots by their names.
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

/// A text that is kept, with its sentences as data. One that has none is a plain text: a step of an
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
    /// What it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<i64>,
    /// Its English, where that is not its key: it has a sort, or is about one thing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    english: String,
    /// What stands in its slots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<(String, Note)>,
}

/// A note as it is kept: a text where it is no more than that.
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
    /// A note of what was said, as data or as a text.
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

/// The parts up to a mark that ends what they stand in, or to the end; `None`: the marks do not fit.
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

/// The sentence behind its first mark.
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

/// The text up to the next mark, which is one between two parts and is passed.
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
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What it says in the reader's language.
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
        // Slots have names of the program, and gaps of data files are capitals.
        let gaps = slots.iter().filter(|(name, _)| name.chars().all(char::is_uppercase));
        gaps.fold(filled, |said, (gap, value)| said.replace(gap, value))
    }
}
