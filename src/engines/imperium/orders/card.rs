//! Reads a card.

use engine::syntax::words;
use engine::{CardText, Told, Topic, press};
use tongue::say;

use super::reader::Reader;
use super::rows::{ROWS, Row};
use super::{Entry, Order};
use crate::board::Board;
use crate::kinds::Side;

/// The orders of a card, in order.
pub fn read(board: &Board, side: Side, card: &CardText) -> Vec<Entry> {
    let limits = &board.tables.limits;
    let (letters, rest) = press::split(card);
    let mut entries = Vec::new();
    for (line, text) in &rest.lines {
        let Some(read) = order(board, side, text) else { continue };
        let read = match entries.len() < limits.lines {
            true => read,
            false => {
                let note = say!("a card has at most {lines} lines", lines = limits.lines);
                Err(Told::error("too-many", note))
            }
        };
        let word = words(text).map(|w| w.head).unwrap_or_default();
        entries.push(Entry { line: *line, word, read });
    }
    for (n, block) in letters.into_iter().enumerate() {
        let line = block.line;
        let read = match n < limits.letters {
            true => Ok(Order::Press(block)),
            false => {
                let note = say!("a card has at most {letters} letters", letters = limits.letters);
                Err(Told::error("too-many", note))
            }
        };
        entries.push(Entry { line, word: "PRESS".to_owned(), read });
    }
    entries.sort_by_key(|e| e.line);
    entries
}

/// Reads a line; `None`: the line is empty.
fn order(board: &Board, side: Side, text: &str) -> Option<Result<Order, Told>> {
    let words = words(text)?;
    let rest = words.rest.as_slice();
    let first = rest.first().copied().unwrap_or_default();
    let choice = Row::find(ROWS, &format!("{} {first}", words.head));
    let Some(row) = choice.or_else(|| Row::find(ROWS, &words.head)) else {
        let known = Row::listed(ROWS);
        let note = say!("there is no such order; HELP explains {known}");
        return Some(Err(Told::error("unknown", note)));
    };
    Some((row.read)(&Reader { board, side }, rest).map_err(|bad| row.verdict(bad)))
}

/// Whether a line of a mail begins like an order, correct or wrong.
pub fn starts_order(line: &str) -> bool {
    let words = words(line);
    let begins = words.is_some_and(|words| Row::starts_order(ROWS, &words.head, &words.rest));
    begins || press::opens(line).is_some()
}

/// The help: a topic for each row.
pub fn help() -> Vec<Topic> {
    Row::topics(ROWS)
}
