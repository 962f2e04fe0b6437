//! Translates sentences that were stored in English.
//!
//! A step stores no language, but some events hold a finished English sentence, such as why an
//! order was not carried out. Running games have them, so this stays. Such a sentence came from
//! `say!` or `count!`: it is matched with the keys, and translated. If several keys fit, the one
//! with the most text outside of slots wins; keys with little such text fit too much and are not
//! used.

use std::borrow::Cow;

use super::template::Piece;
use super::{CURRENT, Catalogue, Template, word};

/// The least number of letters outside of the slots of a key, and in its longest piece.
const LETTERS_MIN: usize = 6;
const PIECE_MIN: usize = 4;
/// The depth to which slots are matched.
const DEPTH_MAX: usize = 3;
/// Longer texts are not sentences of a step.
const TEXT_MAX: usize = 400;

/// A key with slots, ready to be compared with sentences.
pub(super) struct Tale {
    key: Template,
    entry: String,
    letters: usize,
    /// Whether it is the form for one.
    is_one: bool,
}

/// The English sentences that stored ones are compared with, each with its key; those with the most
/// text outside of slots come first.
pub(super) fn tales(all: Vec<(String, String, bool)>) -> Vec<Tale> {
    let tale = |(english, entry, is_one): (String, String, bool)| {
        let template = Template::read(&english)?;
        let pieces = template.pieces().iter().filter_map(|piece| match piece {
            Piece::Plain(text) => Some(text.chars().filter(|c| c.is_alphabetic()).count()),
            Piece::Slot(_) => None,
        });
        let (letters, longest) =
            pieces.fold((0, 0), |(sum, longest), n| (sum + n, usize::max(longest, n)));
        let telling =
            !template.slots().is_empty() && letters >= LETTERS_MIN && longest >= PIECE_MIN;
        telling.then_some(Tale { key: template, entry, letters, is_one })
    };
    let mut tales: Vec<Tale> = all.into_iter().filter_map(tale).collect();
    tales.sort_by(|a, b| b.letters.cmp(&a.letters).then_with(|| a.entry.cmp(&b.entry)));
    tales
}

/// A stored English sentence in the reader's language; unchanged if no key fits.
pub fn retold(english: &str) -> Cow<'_, str> {
    match CURRENT.get() {
        Some(catalogue) if english.len() <= TEXT_MAX => deeper(catalogue, english, DEPTH_MAX),
        _ => Cow::Borrowed(english),
    }
}

fn deeper<'a>(catalogue: &'static Catalogue, english: &'a str, depth: usize) -> Cow<'a, str> {
    if let said @ Cow::Owned(_) = word(english) {
        return said;
    }
    if depth == 0 || english.is_empty() {
        return Cow::Borrowed(english);
    }
    for tale in &catalogue.tales {
        let Some(slots) = fits(tale.key.pieces(), english) else { continue };
        let number = match tale.is_one {
            true => Some(1),
            false => slots.iter().find_map(|(_, text)| text.parse::<i64>().ok()),
        };
        let entry = &catalogue.said[&tale.entry];
        let template = entry.of(number, &catalogue.plural);
        let Some(template) = template else { continue };
        let said: Vec<(&str, String)> = slots
            .into_iter()
            .map(|(name, text)| (name, deeper(catalogue, text, depth - 1).into_owned()))
            .collect();
        return Cow::Owned(template.fill(&said));
    }
    // Two sentences in one text.
    match english.split_once("; ") {
        Some((one, other)) => {
            let said = [one, other].map(|part| deeper(catalogue, part, depth - 1).into_owned());
            Cow::Owned(said.join("; "))
        }
        None => Cow::Borrowed(english),
    }
}

/// The content of a key's slots if a text fits the key; each slot takes as little as possible.
fn fits<'k, 't>(pieces: &'k [Piece], text: &'t str) -> Option<Vec<(&'k str, &'t str)>> {
    let mut slots: Vec<(&str, &str)> = Vec::new();
    let mut rest = text;
    let mut open: Option<&str> = None;
    for (nth, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Slot(name) => open = Some(name),
            Piece::Plain(plain) => {
                let last = nth + 1 == pieces.len();
                let at = match open {
                    None => rest.starts_with(plain.as_str()).then_some(0),
                    Some(_) if last => rest.len().checked_sub(plain.len()),
                    Some(_) => rest.find(plain.as_str()),
                }?;
                if !rest.is_char_boundary(at) || !rest[at..].starts_with(plain.as_str()) {
                    return None;
                }
                if let Some(name) = open.take() {
                    // A slot is not empty and does not span two sentences.
                    if at == 0 || rest[..at].contains("; ") {
                        return None;
                    }
                    slots.push((name, &rest[..at]));
                }
                rest = &rest[at + plain.len()..];
            }
        }
    }
    (rest.is_empty() && open.is_none()).then_some(slots)
}
