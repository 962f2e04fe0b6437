//! Binds words that must not begin a wrapped line, and gives sentences a capital.

use super::{Battle, Block, Span};

/// Binds short words to the numbers after them and to the words before them: a wrapped line that
/// began with such a pair could be read as an order.
pub fn bound(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let pair = |n: usize| {
        let short = |w: &&str| {
            (1..=2).contains(&w.len()) && w.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
        };
        let digit = |w: &&str| w.starts_with(|c: char| c.is_ascii_digit());
        words.get(n).is_some_and(short) && words.get(n + 1).is_some_and(digit)
    };
    let mut out = String::with_capacity(text.len());
    for (n, word) in words.iter().enumerate() {
        if n > 0 {
            out.push(if pair(n) || pair(n - 1) { '\u{a0}' } else { ' ' });
        }
        out += word;
    }
    out
}

/// A text with a capital at its start.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |l| l.to_uppercase().chain(letters).collect())
}

/// Binds the words of blocks; tables and blank cards are not wrapped, so they stay as they are.
pub fn bind(blocks: &mut [Block]) {
    for block in blocks {
        let lines = match block {
            Block::Para(line) => std::slice::from_mut(line),
            Block::List(lines) => lines.as_mut_slice(),
            Block::Map(map) => map.words.as_mut_slice(),
            Block::Battles(cards) => {
                cards.iter_mut().flat_map(Battle::texts).for_each(|text| *text = bound(text));
                continue;
            }
            _ => continue,
        };
        for span in lines.iter_mut().flat_map(|l| &mut l.0) {
            if let Span::Plain(text) = span {
                *text = bound(text);
            }
        }
    }
}
