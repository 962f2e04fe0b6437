//! What a mail makes of the orders on file: the card as it would stand, which of its lines are
//! the mail's, and how these come out.

use std::collections::BTreeMap;

use engine::{CardText, JudgedLine, Judgement, Mark, Origin, Turn};
use store::FiledOrders;
use tongue::say;

use super::worded::{Marks, Unclear};

/// What a mail makes of the orders on file.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// What is on file.
    pub before: Option<FiledOrders>,
    /// The step that the card is for.
    pub turn: Turn,
    /// What would be on file with it.
    pub card: CardText,
    /// The first number of its own lines in that card; those before are on file already. 0: all
    /// are its own.
    pub from: u32,
    /// How much higher its lines are numbered there than in the mail.
    pub moved: i64,
    /// Lines of the mail that can't be read, each with why, by their numbers in the mail.
    pub unread: Vec<JudgedLine>,
    /// Lines of the card that may mean several things.
    pub unclear: Unclear,
    /// The judgement of the card.
    pub judgement: Judgement,
    /// How its own lines come out.
    pub worth: Worth,
}

impl Read {
    /// Its own lines, numbered as in the card.
    pub fn sent(&self) -> CardText {
        let own = self.card.lines.iter().filter(|l| l.0 >= self.from);
        let mut sent: CardText = own.cloned().collect();
        sent.origins = self.card.origins.range(self.from..).map(|(n, o)| (*n, o.clone())).collect();
        sent
    }

    /// Its own lines and what may be unclear of them, numbered as in the mail.
    pub fn alone(&self) -> (CardText, Unclear) {
        let back = |n: u32| numbered_on(n, -self.moved);
        let sent = self.sent();
        let mut alone: CardText = sent.lines.into_iter().map(|(n, l)| (back(n), l)).collect();
        let origin = |o: Origin| Origin { line: back(o.line), ..o };
        alone.origins = sent.origins.into_iter().map(|(n, o)| (back(n), origin(o))).collect();
        let unclear = self.unclear.range(self.from..).map(|(n, doubt)| (back(*n), doubt.clone()));
        (alone, unclear.collect())
    }

    /// Takes out the orders that a mail program seems to have broken in two lines: the first begins
    /// as an order, the second does not and is wrong as it stands. Says whether there were any.
    pub fn take_torn(&mut self, marks: &Marks, starts_order: &dyn Fn(&str) -> bool) -> bool {
        let torn = broken(&self.card, starts_order).into_iter();
        let torn = torn.filter(|(first, _)| *first >= self.from);
        let torn: Vec<(u32, u32)> = torn.filter(|(_, next)| marks.wrong.contains(next)).collect();
        if torn.is_empty() {
            return false;
        }
        let mut notes: BTreeMap<u32, String> = BTreeMap::new();
        for (first, second) in torn {
            notes.entry(first).or_insert_with(|| {
                say!(
                    "your mail program seems to have broken one line into this one and the next; \
                     write it as two orders, or let the program send format=flowed"
                )
            });
            notes.entry(second).or_insert_with(|| {
                say!("the rest of the line above, as your mail program seems to have broken it")
            });
        }
        let (torn, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.card.lines)
            .into_iter()
            .partition(|l| notes.contains_key(&l.0));
        let told =
            |(n, text): (u32, String)| error(numbered_on(n, -self.moved), &text, notes[&n].clone());
        self.unread.extend(torn.into_iter().map(told));
        self.card.lines = kept;
        true
    }
}

/// The number of a line that is so much higher among others.
pub(super) fn numbered_on(line: u32, moved: i64) -> u32 {
    u32::try_from(i64::from(line) + moved).unwrap_or(line)
}

/// How the lines of a mail come out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Worth {
    /// Orders that can be carried out.
    pub right: usize,
    /// Lines that were meant as orders and can't be.
    pub wrong: usize,
    /// Sentences, which are no orders at all.
    pub sentences: usize,
}

/// A line that is not read, with why.
pub(super) fn error(line: u32, text: &str, note: String) -> JudgedLine {
    JudgedLine { line, text: text.to_owned(), mark: Mark::Error, note }
}

/// Columns at which mail programs break lines.
const BROKEN_AT: std::ops::RangeInclusive<usize> = 66..=80;

/// Pairs of lines that may have been one: the first is as long as a program allows,
/// and the second's first word would not have fitted.
fn broken(card: &CardText, starts_order: &dyn Fn(&str) -> bool) -> Vec<(u32, u32)> {
    let pairs = card.lines.windows(2).filter_map(|w| {
        let ((first, long), (second, next)) = (&w[0], &w[1]);
        let word = next.split_whitespace().next().map_or(0, |w| w.chars().count());
        let length = long.chars().count();
        let full = BROKEN_AT.contains(&length) && length + 1 + word > *BROKEN_AT.start() + 6;
        // A sentence that has ended is whole.
        let open = !long.trim_end().ends_with(['.', '!', '?', ':']);
        let one = || starts_order(long) && !starts_order(next);
        (full && open && *second == first + 1 && one()).then_some((*first, *second))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lines_were_one_when_the_second_begins_with_a_word_that_did_not_fit() {
        let card = |first: usize, word: usize, number: u32| -> CardText {
            [(1, "x".repeat(first)), (number, format!("{} y", "z".repeat(word)))]
                .into_iter()
                .collect()
        };
        for (first, word, expected) in [
            (66, 6, true),
            (66, 5, false),
            (65, 20, false),
            (72, 1, true),
            (80, 1, true),
            (81, 1, false),
        ] {
            let found = broken(&card(first, word, 2), &|line| line.starts_with('x'));
            assert_eq!(found.len() == 1, expected, "{first} {word}");
        }
        let orders = |line: &str| line.starts_with('x');
        assert!(broken(&card(66, 6, 3), &orders).is_empty(), "a blank line between");
        assert!(broken(&card(66, 6, 2), &|_| true).is_empty(), "two orders");
        assert!(broken(&card(66, 6, 2), &|_| false).is_empty(), "two lines of prose");
    }
}
