//! Reads cards line by line, and answers lines that are not an order.

use super::fields::{Args, Bad, shown};
use super::rows::is_number;
use super::{Order, ROWS, Row, row};
use engine::syntax::{self, Words};
use engine::{CardText, Fault};
use tongue::{say, word};

/// Whether a line begins like an order: with the letter of a row and a number, or with a name of a
/// row and only numbers.
pub fn starts_order(line: &str) -> bool {
    let line = continuation(line);
    let Some(Words { head, rest, .. }) = syntax::words(&line) else { return false };
    if let Some(row) = row(&head) {
        return (row.order.starts)(&rest);
    }
    // The name of a thing has at most three words; `on` and `or` are too short to be names of
    // orders.
    let names = |r: &Row| r.name.to_uppercase().split(' ').any(|w| w.len() > 2 && w == head);
    let Some(row) = ROWS.iter().find(|r| names(r)) else { return false };
    let numbers = rest.iter().take_while(|w| is_number(w)).count();
    let words = if row.order.word == "N" && numbers >= 2 { 3 } else { 0 };
    numbers > 0 && rest.len() - numbers <= words
}

/// Reads a card; lines that can't be read as orders become faults.
pub fn parse(card: &CardText) -> (Vec<(u32, Order)>, Vec<Fault>) {
    let (mut orders, mut faults) = (Vec::new(), Vec::new());
    for (line, text) in &card.lines {
        match parse_line(text) {
            None => {}
            Some(Ok(order)) => orders.push((*line, order)),
            Some(Err((code, text))) => faults.push(Fault { line: *line, code, text }),
        }
    }
    (orders, faults)
}

/// Reads one line; `None` for a blank line or a comment.
fn parse_line(text: &str) -> Option<Result<Order, (&'static str, String)>> {
    let text = continuation(text);
    let Words { head, rest, tail } = syntax::words(&text)?;
    if is_prose(&head, &text) {
        return None;
    }
    let Some(row) = row(&head) else {
        return Some(Err(("unknown-order", unknown(&head))));
    };
    let read = (row.order.read)(&Args { words: &rest, tail });
    let wrong =
        |b: Bad| say!("{fault}; the form is {form}", fault = b.text, form = word(row.order.form));
    Some(read.map_err(|b| (b.code, wrong(b))))
}

/// Whether a line is text around the orders, such as a greeting: its first word is not an order's
/// name, and it has no number.
fn is_prose(head: &str, text: &str) -> bool {
    let named = || ROWS.iter().any(|r| r.name.to_uppercase().split(' ').any(|w| w == head));
    head.chars().count() > 2 && !text.contains(|c: char| c.is_ascii_digit()) && !named()
}

/// The answer to a line that is not an order; empty for comments and blank lines.
pub fn left_alone(text: &str) -> String {
    let words = syntax::words(text).is_some();
    if words { say!("no order, left alone") } else { String::new() }
}

/// Reads an em or en dash as `--`, because mail programs replace it.
fn continuation(text: &str) -> std::borrow::Cow<'_, str> {
    let start = text.trim_start();
    match start.strip_prefix(['\u{2013}', '\u{2014}']) {
        Some(rest) => format!("-- {rest}").into(),
        None => text.into(),
    }
}

fn unknown(head: &str) -> String {
    let letters = ROWS.iter().map(|r| r.order.word).collect::<Vec<_>>().join(" ");
    let named = ROWS.iter().find(|r| {
        let name = r.name.to_uppercase();
        head.len() > 1 && name.split(' ').any(|word| word == head)
    });
    match named {
        Some(row) => {
            let (name, form) = (word(row.name), word(row.order.form));
            say!("orders begin with a letter; for {name} write {form}")
        }
        None if head.is_empty() => {
            say!("the letter of the order is missing before the numbers; the letters are {letters}")
        }
        None => say!("{head:?} is no order; the letters are {letters}", head = shown(head)),
    }
}
