//! Whether a line of a mail begins an order (§4 to §6), correct or slightly wrong.
//!
//! The parser of orders knows that its lines are orders; a line of a mail may be anything. So a
//! line counts as an order only if it looks like one as a whole: a space that is on a map,
//! capitals, and no plain word after it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::rows::{Code, Number, behind_player, find};
use crate::map::MapFile;
use crate::orders::{self, CODE_MAX, Order, PlayerOrder, SLOT_MAX};
use crate::tables;
use engine::{Setup, data, press};

/// Codes and names of the spaces of all embedded maps, in capitals.
static SPACES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut known = BTreeSet::new();
    for name in ["europe.toml", "world.toml"] {
        let file: Option<MapFile> =
            data::file(&Setup::default(), &tables::DEFAULTS, name, &mut Vec::new());
        for row in file.into_iter().flat_map(|f| f.space) {
            known.extend([row.code.to_uppercase(), row.name.to_uppercase()]);
        }
    }
    known
});

fn is_space(word: &str) -> bool {
    SPACES.contains(word)
}

/// Whether a line begins as an order does: a section, an order of the player or to the
/// forces of a space, a standing order or a message.
pub fn starts_order(line: &str) -> bool {
    if press::opens(line).is_some() {
        return true;
    }
    let words = orders::tokens(line);
    if words.is_empty() || orders::is_printed(line) || orders::is_prose(&words) {
        return false;
    }
    // `At 5` begins a sentence, `AT 5` an order.
    let mut letters = line.trim_start().chars().take_while(|c| c.is_alphabetic());
    begins(&words, letters.all(char::is_uppercase))
}

/// Whether words begin an order; `loud` is whether they were written in capitals.
fn begins(words: &[String], loud: bool) -> bool {
    let Some(first) = words.first() else { return false };
    match first.chars().next() {
        Some('@') => section(&first[1..], &words[1..]),
        Some('/') => standing(&first[1..]),
        Some(c) if c.is_ascii_digit() => to_player(words),
        Some(c) if c.is_ascii_alphabetic() => plain(words, loud),
        _ => false,
    }
}

/// Whether nothing follows, or something that may follow an order.
fn goes_on(words: &[String]) -> bool {
    words.first().is_none_or(|w| {
        let found = find(w, true).or_else(|| find(w, false));
        w.starts_with(['@', '/']) || w.contains(|c: char| c.is_ascii_digit()) || found.is_some()
    })
}

/// Whether a section follows: `@`, `@TU` or `@ TU`, even if the code is on no map.
fn section(code: &str, rest: &[String]) -> bool {
    let ordered = || begins(rest, true);
    let letters = code.chars().all(|c| c.is_ascii_alphabetic());
    match code.len() {
        0 => rest.first().is_none_or(|w| is_space(w)) || ordered(),
        // `@TUBA5` lacks a blank.
        _ if !letters => code.chars().all(|c| c.is_ascii_alphanumeric()),
        2..=CODE_MAX if rest.is_empty() => true,
        _ => is_space(code) || ordered(),
    }
}

/// Whether a standing order follows: `/1/`, with or without an order.
fn standing(text: &str) -> bool {
    let slot = text.split('/').next().unwrap_or_default();
    (1..=SLOT_MAX).contains(&slot.len()) && slot.chars().all(|c| c.is_ascii_digit())
}

/// Whether words are like `2A`, `4D25` or `3W11UK`, also in parts.
fn to_player(words: &[String]) -> bool {
    let first = words[0].trim_start_matches(|c: char| c.is_ascii_digit());
    let (letters, mut rest) = match (first.is_empty(), words.get(1)) {
        (true, Some(next)) => (next.as_str(), &words[2..]),
        (true, None) => return false,
        (false, _) => (first, &words[1..]),
    };
    let Some(letter) = letters.chars().next() else { return false };
    let tail = &letters[letter.len_utf8()..];
    let code = tail.trim_start_matches(|c: char| c.is_ascii_digit());
    let Some((_, of)) = behind_player(&letter.to_string()) else { return false };
    let numbered = of.number != Number::None;
    if numbered && tail.is_empty() {
        let number = |w: &String| w.chars().all(|c| c.is_ascii_digit());
        rest = &rest[usize::from(rest.first().is_some_and(number))..];
    }
    if of.code == Code::May && code.is_empty() {
        rest = &rest[usize::from(rest.first().is_some_and(|w| is_space(w)))..];
    }
    let fits = code.is_empty()
        || of.code == Code::May && orders::is_code(code)
        // A letter O or I was typed for a digit.
        || numbered && code.chars().all(|c| "OI0123456789".contains(c));
    fits && goes_on(rest)
}

/// Whether words are like `AC20UK`, `S1 GB` or `RF20`.
fn plain(words: &[String], loud: bool) -> bool {
    [true, false].into_iter().any(|in_space| {
        let Some((used, read)) = orders::plain(words, in_space) else { return false };
        let (mine, rest) = words.split_at(used.min(words.len()));
        let glued = mine[0].contains(|c: char| c.is_ascii_digit());
        if !mine.concat().contains(|c: char| c.is_ascii_digit()) {
            // An order that lacks its number: `BA`, `AC UK`.
            let space = rest.len() == 1 && is_space(&rest[0]);
            return loud && mine[0].len() == 2 && (rest.is_empty() || space);
        }
        let right = match read {
            Ok(Order::Space(order)) => {
                order.target.is_none_or(|code| glued || names_space(&code, loud))
            }
            Ok(Order::Player(
                PlayerOrder::Spies(_, code)
                | PlayerOrder::Counterspies(_, code)
                | PlayerOrder::Propaganda(_, code),
            )) => used == 1 && loud || names_space(&code, loud),
            Ok(_) => true,
            Err(_) => glued || loud,
        };
        right && goes_on(rest)
    })
}

fn names_space(code: &str, loud: bool) -> bool {
    is_space(code) || loud && orders::is_code(code)
}
