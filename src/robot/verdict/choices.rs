//! Lines that may mean several things: their player chooses by a number, in answer to the echo.

use std::collections::BTreeSet;

use engine::{CardText, Origin, Seat, Turn};
use store::{Effect, Reader};
use tongue::say;

use super::case::{Claim, Request};
use crate::card::Mode;
use crate::context::Result;
use crate::text::printed;

/// Choices that an echo tells again, at most.
const TOLD_MAX: usize = 6;

/// What an unclear line may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// The line.
    pub line: String,
    /// The orders.
    pub orders: Vec<String>,
}

impl Choice {
    /// Nothing is left to be chosen.
    pub fn settle(&mut self) {
        self.orders.clear();
    }
}

/// Orders in a sentence, without the section that is open again behind one of another section.
pub(super) fn shown(orders: &[String]) -> String {
    let bare = |order: &String| printed(order.trim().trim_end_matches(" @"));
    orders.iter().map(bare).collect::<Vec<_>>().join(", ")
}

/// The sentence about what is still to be chosen of lines that are not on the card; empty where that
/// is nothing.
pub(super) fn still_open(choices: &Choices, card: &CardText) -> String {
    let on_card: BTreeSet<&str> = card.lines.iter().map(|(_, line)| line.trim()).collect();
    let open = choices
        .iter()
        .enumerate()
        .filter(|(_, choice)| !choice.orders.is_empty() && !on_card.contains(choice.line.trim()));
    let told: Vec<String> = open
        .take(TOLD_MAX)
        .map(|(n, choice)| {
            let (orders, line) = (shown(&choice.orders), printed(choice.line.trim()));
            say!("{number}: {orders} ({line})", number = n + 1)
        })
        .collect();
    match told.is_empty() {
        true => String::new(),
        false => say!("You can still answer with these numbers: {told}.", told = told.join("; ")),
    }
}

/// What the unclear lines of a mail may mean, in the order of the numbers by which they are chosen.
pub(super) type Choices = Vec<Choice>;

/// The name of the note on what a seat may choose: the turn, then a line for each choice.
fn key(game: &str, seat: Seat) -> String {
    format!("choices {game} {seat}")
}

/// Stands between the orders of a choice in a note.
const PARTED: char = ';';
/// Stands before the line that a choice is for; no order has it.
const BEFORE_LINE: char = '\u{1f}';

/// Notes what a seat may choose among until its next unclear mail.
pub(super) fn noted(game: &str, seat: Seat, turn: Turn, choices: &Choices) -> Effect {
    let written = |choice: &Choice| {
        format!("{}{BEFORE_LINE}{}", choice.orders.join(&PARTED.to_string()), choice.line)
    };
    let lines = choices.iter().map(written);
    let text: Vec<String> = std::iter::once(turn.to_string()).chain(lines).collect();
    Effect::Note(key(game, seat), text.join("\n"))
}

/// Words that may stand around the numbers of an answer: `1, 2 and 3 please`.
const AROUND: [&str; 12] = [
    "and", "number", "numbers", "please", "yes", "no.", "und", "nummer", "nummern", "bitte", "ja",
    "nr.",
];

/// The numbers of a line that has nothing else.
fn numbers(line: &str) -> Option<Vec<usize>> {
    let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
    let words = words.filter(|word| !AROUND.contains(&word.to_lowercase().as_str()));
    let number = |word: &str| word.trim_end_matches(['.', ')', '!']).parse().ok();
    words.map(number).collect::<Option<Vec<usize>>>().filter(|all| !all.is_empty())
}

/// What a seat may choose in a step, by its number; empty where that is settled.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub(super) fn open(store: &Reader, (game, seat): (&str, Seat), turn: Turn) -> Result<Choices> {
    let note = store.note(&key(game, seat))?.unwrap_or_default();
    let mut noted = note.lines();
    if noted.next().and_then(|noted| noted.parse::<Turn>().ok()) != Some(turn) {
        return Ok(Choices::new());
    }
    let choice = |text: &str| {
        let (orders, line) = text.split_once(BEFORE_LINE).unwrap_or((text, ""));
        let orders = orders.split(PARTED).filter(|order| !order.is_empty());
        Choice { line: line.to_owned(), orders: orders.map(str::to_owned).collect() }
    };
    Ok(noted.map(choice).collect())
}

/// Puts orders in the place of lines of numbers alone: like the other lines of their mail they are
/// added to the orders on file.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub(crate) fn take(store: &Reader, claim: &Claim, request: &mut Request) -> Result<()> {
    let adds = !request.mode_named || request.mode == Mode::Add;
    if !adds || request.card.lines.iter().all(|(_, text)| numbers(text).is_none()) {
        return Ok(());
    }
    let choices = open(store, (&claim.game.code, claim.seat.seat), claim.game.turn)?;
    let chosen = |text: &str| -> Option<Vec<&Choice>> {
        let choice = |n: &usize| choices.get(n.checked_sub(1)?);
        let all: Option<Vec<&Choice>> = numbers(text)?.iter().map(choice).collect();
        all.filter(|all| all.iter().all(|choice| !choice.orders.is_empty()))
    };
    // What is no choice is a line like any other.
    if request.card.lines.iter().all(|(_, text)| chosen(text).is_none()) {
        return Ok(());
    }
    let mut next = 1;
    for (line, text) in std::mem::take(&mut request.card.lines) {
        next = next.max(line);
        let Some(chosen) = chosen(&text) else {
            if next != line {
                request.card.origins.insert(next, Origin { line, words: None });
            }
            request.card.lines.push((next, text));
            next += 1;
            continue;
        };
        for choice in chosen {
            request.chosen.push(choice.line.clone());
            // The sentence says more than its number.
            let words = format!("{} ({})", text.trim(), choice.line);
            for order in &choice.orders {
                let origin = Origin { line, words: Some(words.clone()) };
                request.card.origins.insert(next, origin);
                request.card.lines.push((next, order.clone()));
                next += 1;
            }
        }
    }
    request.mode = Mode::Add;
    request.leads = true;
    Ok(())
}
