//! Lines that may mean several things: their player chooses by a number, in answer to the echo.

use engine::{Origin, Seat, Turn};
use store::{Effect, Reader};

use super::case::{Claim, Request};
use crate::card::Mode;
use crate::context::Result;

/// What an unclear line may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// The line.
    pub line: String,
    /// The orders.
    pub orders: Vec<String>,
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

/// Puts orders in the place of numbers, where a mail has nothing else: they are added to the orders
/// on file.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub(crate) fn take(store: &Reader, claim: &Claim, request: &mut Request) -> Result<()> {
    let number = |text: &str| text.trim().trim_end_matches(['.', ')']).parse::<usize>().ok();
    let lines = &request.card.lines;
    let numbers: Option<Vec<usize>> = lines.iter().map(|(_, text)| number(text)).collect();
    let Some(numbers) = numbers.filter(|n| !n.is_empty() && !request.mode_named) else {
        return Ok(());
    };
    let note = store.note(&key(&claim.game.code, claim.seat.seat))?.unwrap_or_default();
    let mut noted = note.lines();
    if noted.next().and_then(|turn| turn.parse::<Turn>().ok()) != Some(claim.game.turn) {
        return Ok(());
    }
    let choices: Vec<&str> = noted.collect();
    let chosen: Option<Vec<&str>> =
        numbers.iter().map(|n| choices.get(n.checked_sub(1)?).copied()).collect();
    let Some(chosen) = chosen else { return Ok(()) };
    let written = std::mem::take(&mut request.card.lines);
    let mut next = 1;
    for ((line, text), choice) in written.into_iter().zip(chosen) {
        let (orders, of) = choice.split_once(BEFORE_LINE).unwrap_or((choice, ""));
        request.chosen.push(of.to_owned());
        for order in orders.split(PARTED) {
            next = next.max(line);
            let origin = Origin { line, words: Some(text.trim().to_owned()) };
            request.card.origins.insert(next, origin);
            request.card.lines.push((next, order.to_owned()));
            next += 1;
        }
    }
    request.mode = Mode::Add;
    request.leads = true;
    Ok(())
}
