//! A line as words: what it begins with, and which verbs that may be.

use super::names::{bare, is_filler};
use super::{Form, Forms, Head, LETTERS_MAX, NOUNS, WORDS_MAX};
use crate::syntax::without_comment;
use std::borrow::Cow;

/// The words of a line; `None` where it has none, or too many to be an order.
pub(super) fn words_of(line: &str) -> Option<Vec<String>> {
    let line = without_comment(line);
    if line.chars().count() > LETTERS_MAX {
        return None;
    }
    let line = match line.contains('@') {
        true => Cow::Owned(line.replace('@', " @ ")),
        false => Cow::Borrowed(line),
    };
    let mut words: Vec<String> = Vec::new();
    let mut joins = false;
    for word in line.split_whitespace() {
        let word = bare(word);
        // `1, 3`, `1 and 3` and `1 - 3` are one list.
        let number = |w: &str| w.starts_with(|c: char| c.is_ascii_digit());
        let ends = |w: &String| w.ends_with(|c: char| c.is_ascii_digit() || c == ',' || c == '-');
        let last = words.last().filter(|w| number(w.as_str()) && ends(w)).cloned();
        match (last, word.as_str()) {
            (Some(last), "AND" | "&" | ",") if !joins => {
                joins = true;
                words.pop();
                words.push(format!("{},", last.trim_end_matches(',')));
                continue;
            }
            (Some(last), "-") => {
                joins = true;
                words.pop();
                words.push(format!("{last}-"));
                continue;
            }
            (Some(last), _) if number(&word) && last.ends_with([',', '-']) => {
                words.pop();
                words.push(format!("{last}{word}"));
            }
            (_, "AND" | "&" | "," | "") => {}
            // `unit 1 and unit 3`.
            (Some(last), noun) if last.ends_with(',') && NOUNS.contains(&noun) => continue,
            _ => words.push(word),
        }
        joins = false;
    }
    // A comma behind a word is none of a list's.
    let mut parts = Vec::with_capacity(words.len());
    for word in words {
        match () {
            () if !word.contains(',') => parts.push(word),
            () if word.contains(char::is_alphabetic) => parts.extend(word.split(',').map(bare)),
            () => parts.push(word.trim_end_matches(',').to_owned()),
        }
    }
    let mut words = parts;
    words.retain(|w| !w.is_empty());
    // `AC30` is a verb and a number.
    if let Some(first) = words.first().cloned() {
        let cut = first.find(|c: char| c.is_ascii_digit()).unwrap_or(first.len());
        let (letters, digits) = first.split_at(cut);
        let plain = !letters.is_empty() && letters.chars().all(char::is_alphabetic);
        if plain && !digits.is_empty() && digits.chars().all(|c| !c.is_alphabetic()) {
            words.splice(0..1, [letters.to_owned(), digits.to_owned()]);
        }
    }
    (!words.is_empty() && words.len() <= WORDS_MAX).then_some(words)
}

/// The place of the verb that words begin with, and the forms that it begins.
pub(super) fn verb_of<'f>(
    forms: &'f Forms,
    words: &[String],
) -> Option<(usize, Vec<(&'f Form, usize)>)> {
    /// Words before a verb: `unit 3 advances to ...`.
    const BEFORE_MAX: usize = 7;
    for slips in [false, true] {
        for (at, word) in words.iter().enumerate().take(BEFORE_MAX) {
            // One letter in the midst of words is no verb.
            if at > 0 && (word.len() < 2 || slips || is_filler(word)) {
                continue;
            }
            if slips && word.len() <= 4 {
                continue;
            }
            let found = forms.of(word, slips);
            if !found.is_empty() {
                return Some((at, found));
            }
        }
    }
    None
}

/// A word of a card with what stands for its slots: `units` of `{units}`, `BA<number>` of `BA{n}`.
pub(super) fn slots_shown(word: &str) -> String {
    let named = |slot: &str| if slot == "n" { "number" } else { slot }.to_owned();
    if let Some(slot) = word.strip_prefix('{').and_then(|w| w.strip_suffix('}'))
        && !slot.contains('{')
    {
        return named(slot);
    }
    let mut parts = word.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, part| match part.split_once('}') {
        Some((slot, behind)) => format!("{shown}<{slot}>{behind}", slot = named(slot)),
        None => shown + part,
    })
}

/// The forms that words may be of.
pub(super) fn heads(forms: &'static Forms, words: &[String]) -> Vec<Head> {
    let Some((at, found)) = verb_of(forms, words) else { return Vec::new() };
    let rest: Vec<String> = words[..at].iter().chain(&words[at + 1..]).cloned().collect();
    found.into_iter().map(|(form, place)| (form, rest.clone(), place < 2)).collect()
}
