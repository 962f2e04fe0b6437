//! Cards as numbered lines, and a forgiving reader of words and numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The lines of a card, numbered as the player sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardText {
    /// Number and text; blank lines are left out, so the numbers may have gaps.
    pub lines: Vec<(u32, String)>,
    /// What the player wrote, where that differs from the line, keyed by the number of the line.
    /// Engines have no use for it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub origins: BTreeMap<u32, Origin>,
}

/// The origin of a card's line in its player's mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Its line number in the mail.
    pub line: u32,
    /// The player's own words, where the card has the order read from them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

impl CardText {
    /// Numbers the lines of `text` from 1.
    pub fn new(text: &str) -> Self {
        Self::numbered(1, text.lines())
    }

    /// Numbers the given lines from `first`.
    pub fn numbered<'a>(first: u32, lines: impl IntoIterator<Item = &'a str>) -> Self {
        let lines = (first..).zip(lines);
        let kept = lines.filter(|(_, l)| !l.trim().is_empty());
        kept.map(|(n, l)| (n, l.trim_end().to_owned())).collect()
    }

    /// Numbers these lines from 1.
    pub fn of(lines: &[String]) -> Self {
        Self::numbered(1, lines.iter().map(String::as_str))
    }

    /// Appends other lines, which get the numbers that follow.
    pub fn followed_by(self, more: &Self) -> Self {
        self.followed_from(more, more.lines.first().map_or(1, |l| l.0))
    }

    /// Appends other lines, numbered so that their line `first` gets the next number.
    pub fn followed_from(mut self, more: &Self, first: u32) -> Self {
        let last = self.lines.last().map_or(0, |l| l.0);
        let moved = |n: u32| (last + 1 + n).saturating_sub(first);
        self.lines.extend(more.lines.iter().map(|(n, text)| (moved(*n), text.clone())));
        let origins = more.origins.iter();
        self.origins.extend(
            origins
                .map(|(n, o)| (moved(*n), Origin { line: moved(o.line), words: o.words.clone() })),
        );
        self
    }

    /// The lines as one text, without their numbers.
    pub fn text(&self) -> String {
        self.lines.iter().flat_map(|(_, l)| [l.as_str(), "\n"]).collect()
    }
}

impl FromIterator<(u32, String)> for CardText {
    fn from_iter<T: IntoIterator<Item = (u32, String)>>(lines: T) -> Self {
        Self { lines: lines.into_iter().collect(), origins: BTreeMap::new() }
    }
}

/// A line of orders split into its first word and its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words<'a> {
    /// First word, upper case.
    pub head: String,
    /// The other words as written.
    pub rest: Vec<&'a str>,
    /// Everything after the head, untouched except for its ends.
    pub tail: &'a str,
}

/// Cuts off a comment that begins with `#` or `;`.
pub fn without_comment(line: &str) -> &str {
    line.split(['#', ';']).next().unwrap_or_default().trim()
}

/// Splits a line at spaces, commas and tabs; `None` for an empty line.
///
/// The head ends at the first space, digit, comma or bracket (`A12 3` reads as `A 12 3`), and list
/// numbers before it such as `(3)` or `3.` are ignored.
pub fn words(line: &str) -> Option<Words<'_>> {
    let line = without_item_number(without_comment(line));
    if line.is_empty() {
        return None;
    }
    let ends = |c: char| c.is_whitespace() || c == ',' || c == '(' || c.is_ascii_digit();
    let cut = line.find(ends).unwrap_or(line.len());
    let (head, tail) = line.split_at(cut);
    let head = head.trim_end_matches(['.', ':', ')']).to_uppercase();
    let tail = tail.trim().trim_start_matches(',').trim();
    Some(Words { head, rest: fields(tail), tail })
}

/// The fields of a line, separated by spaces, commas and tabs; a full stop at the end and brackets
/// around a number are dropped.
pub fn fields(text: &str) -> Vec<&str> {
    let parts = text.split(|c: char| c.is_whitespace() || c == ',');
    parts
        .map(|w| w.trim_end_matches('.').trim_matches(['(', ')', '[', ']']))
        .filter(|w| !w.is_empty())
        .collect()
}

/// Removes the list number from `(3) A 12 2` and `3. A 12 2`; leaves anything else as it is.
fn without_item_number(line: &str) -> &str {
    let rest = line.trim_start_matches('(');
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let after = &rest[digits..];
    let closed = after.strip_prefix(')').or_else(|| after.strip_prefix('.'));
    match closed {
        Some(tail) if digits > 0 && tail.starts_with([' ', '\t']) => tail.trim_start(),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_forgiven_its_punctuation() {
        for line in ["a 12,\t12387", "A 12 12387.", "(4) A (12) 12387 # west", "A12 12387;x"] {
            let got = words(line).expect("has words");
            assert_eq!((got.head.as_str(), got.rest), ("A", vec!["12", "12387"]), "{line}");
        }
        assert_eq!(words("  # nothing"), None);
    }

    #[test]
    fn lines_of_two_mails_are_numbered_on_with_what_was_written() {
        let mut more: CardText =
            [(2, "A 1 2".to_owned()), (3, "A 2 2".to_owned())].into_iter().collect();
        more.origins.insert(3, Origin { line: 2, words: Some("A 1-2 2".to_owned()) });
        let both = CardText::new("B 0 10101\n\nB 0 10102\n").followed_by(&more);
        assert_eq!(both.lines.iter().map(|l| l.0).collect::<Vec<_>>(), [1, 3, 4, 5]);
        assert_eq!(both.origins.get(&5).map(|o| o.line), Some(4));
        let json = serde_json_like(&CardText::new("A 1 2"));
        assert!(!json.contains("origins"), "{json}");
    }

    /// The saved bytes, which show the names of the fields.
    fn serde_json_like(card: &CardText) -> String {
        let bytes = codec::to_bytes(card).expect("plain data");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn line_numbers_keep_their_gaps() {
        let card = CardText::new("A 1 2\n\nB 0 10101\n");
        assert_eq!(card.lines, [(1, "A 1 2".into()), (3, "B 0 10101".into())]);
    }
}
