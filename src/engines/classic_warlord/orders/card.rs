//! Reads a card: its orders in their order, and the blocks of `IF`.

use engine::syntax::words;
use engine::{CardText, Told, Topic, press};
use tongue::say;

use super::reader::{Reader, UNKNOWN_TEST};
use super::rows::{ROWS, Row};
use super::{Entry, Order};
use crate::map::Map;
use crate::tables::Options;

/// The orders of a card, in their order.
pub fn read(map: &Map, options: &Options, card: &CardText) -> Vec<Entry> {
    let limits = &options.limits;
    let (letters, rest) = press::split(card);
    let mut entries = Vec::new();
    for (line, text) in &rest.lines {
        let Some(read) = order(map, options, text) else { continue };
        let read = match entries.len() < limits.orders {
            true => read,
            false => {
                let most = limits.orders;
                let note = say!("a card has at most {most} orders; send the rest later");
                Err(Told::error("too-many", note))
            }
        };
        entries.push(Entry { line: *line, read, next: 0 });
    }
    for (n, block) in letters.into_iter().enumerate() {
        let line = block.line;
        let read = match n < limits.letters {
            true => Ok(Order::Press(block)),
            false => {
                let note = say!("a card has at most {most} letters", most = limits.letters);
                Err(Told::error("too-many", note))
            }
        };
        entries.push(Entry { line, read, next: 0 });
    }
    entries.sort_by_key(|e| e.line);
    blocks(&mut entries, limits.nesting);
    entries
}

/// A block whose end is not found yet.
struct Open {
    /// The entry of its IF.
    begin: usize,
    /// The entry of its ELSE.
    middle: Option<usize>,
    /// Its fault.
    fault: Option<Told>,
}

/// Finds where each block ends. The lines of a faulty block are not carried out.
fn blocks(entries: &mut [Entry], nesting: usize) {
    let mut open: Vec<Open> = Vec::new();
    for at in 0..entries.len() {
        let line = |open: &Open, entries: &[Entry]| entries[open.begin].line;
        match &entries[at].read {
            Ok(Order::If(_)) => {
                let deep = open.len() >= nesting;
                let note = || say!("blocks stand within each other at most {nesting} deep");
                let fault = deep.then(|| Told::error("too-deep", note()));
                open.push(Open { begin: at, middle: None, fault });
            }
            Err(told) if told.code == UNKNOWN_TEST => {
                open.push(Open { begin: at, middle: None, fault: Some(told.clone()) });
            }
            Ok(Order::Else) => match open.last_mut() {
                None => entries[at].read = Err(alone("ELSE")),
                Some(last) if last.middle.is_some() => {
                    let note = say!(
                        "the block that begins in line {n} has an ELSE already; none of it is done",
                        n = line(last, entries)
                    );
                    last.fault.get_or_insert(Told::error("two-else", note));
                }
                Some(last) => last.middle = Some(at),
            },
            Ok(Order::Fi) => match open.pop() {
                None => entries[at].read = Err(alone("FI")),
                Some(block) => close(entries, &block, at),
            },
            _ => {}
        }
    }
    while let Some(mut block) = open.pop() {
        let note = say!("this block has no FI, so nothing from here on is done");
        block.fault.get_or_insert(Told::error("no-fi", note));
        close(entries, &block, entries.len());
    }
}

fn alone(word: &str) -> Told {
    Told::error("no-if", say!("{word} without an IF above it"))
}

fn close(entries: &mut [Entry], block: &Open, end: usize) {
    if let Some(fault) = &block.fault {
        let line = entries[block.begin].line;
        entries[block.begin].read = Err(fault.clone());
        for entry in entries.iter_mut().take(end.saturating_add(1)).skip(block.begin + 1) {
            if entry.read.is_ok() {
                let note = say!("not done: the block that begins in line {line} is wrong");
                entry.read = Err(Told::error("in-a-wrong-block", note));
            }
        }
        return;
    }
    entries[block.begin].next = block.middle.map_or(end, |m| m + 1);
    if let Some(middle) = block.middle {
        entries[middle].next = end;
    }
}

/// Reads a line; `None`: it is empty.
fn order(map: &Map, options: &Options, text: &str) -> Option<Result<Order, Told>> {
    let words = words(text)?;
    let Some(row) = Row::find(ROWS, &words.head) else {
        let known = Row::listed(ROWS);
        let note = say!("there is no such order; HELP explains {known}");
        return Some(Err(Told::error("unknown", note)));
    };
    Some((row.read)(&Reader { map, options }, &words).map_err(|bad| row.verdict(bad)))
}

/// Characters of the longest word that is still read as an item of an order.
const ITEM_MAX: usize = 40;

/// Whether a line of a mail begins like an order, right or wrong.
pub fn starts_order(line: &str) -> bool {
    let Some(words) = words(line) else { return false };
    // No item is longer, but digests are.
    let short = words.rest.iter().all(|w| w.len() <= ITEM_MAX);
    short && Row::starts_order(ROWS, &words.head, &words.rest)
}

/// Help from the table.
pub fn help() -> Vec<Topic> {
    Row::topics(ROWS)
}
