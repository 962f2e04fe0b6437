//! Orders: the reader, the help and the errors are made from one table.

use engine::orders::{Bad, OrderRow, nothing};
use engine::syntax::{Words, words};
use engine::{CardText, Told, Topic};
use tongue::{mark, say, word};

use super::board::Spot;
use super::state::{Order, State};

/// A row of the table of orders.
type Row = OrderRow<fn(&[&str]) -> Option<Read>>;

const PLAY: Row = Row {
    word: "PLAY",
    form: mark!("PLAY place"),
    text: mark!(
        "Puts a stone of yours on a free place: a letter for the column and a number for the \
           row. The place alone will do. Of several lines that can be played the last one counts. \
           The line says that you are done, so the move is made at once."
    ),
    examples: &["PLAY C4", "C4"],
    starts: place_or_nothing,
    read: |rest| one(rest).map(|spot| Read::Now(Order::Stone(spot))),
};

const SWAP: Row = Row {
    word: "SWAP",
    form: "SWAP",
    text: mark!(
        "Blue's answer to Red's first stone, if Blue would rather have it: the stone becomes \
           Blue's, on the place that lies for Blue's edges as the old one lay for Red's (C4 \
           becomes D3), and Red moves again."
    ),
    examples: &["SWAP"],
    starts: nothing,
    read: |rest| rest.is_empty().then_some(Read::Now(Order::Swap)),
};

const IF: Row = Row {
    word: "IF",
    form: mark!("IF place place"),
    text: mark!(
        "A prepared answer: when the other one plays the first place, you play the second one \
           at once, and the other one moves again. Such lines may stand below PLAY, or be sent \
           while the other one thinks. They stay on file until they are used or can't be played \
           any longer; a new card of yours replaces them. Blue may write IF C4 SWAP."
    ),
    examples: &["IF C4 D5", "IF D4 E4"],
    starts: place_or_nothing,
    read: |rest| {
        let [to, answer] = rest else { return None };
        let order = match answer.eq_ignore_ascii_case("swap") {
            true => Some(Order::Swap),
            false => Spot::read(answer).map(Order::Stone),
        };
        Some(Read::Answer(Spot::read(to)?, order?))
    },
};

const ROWS: [Row; 3] = [PLAY, SWAP, IF];

/// A line of a card as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// A move now.
    Now(Order),
    /// An answer that is prepared for a stone.
    Answer(Spot, Order),
}

/// Reads a line; `None`: it is empty.
pub fn read(line: &str) -> Option<Result<Read, Told>> {
    let parts = words(line)?;
    let read = match Row::find(&ROWS, &parts.head) {
        Some(row) => (row.read)(&parts.rest).ok_or_else(|| row.verdict(Bad::Form)),
        None => bare(&parts).map(|spot| Read::Now(Order::Stone(spot))).ok_or_else(unknown),
    };
    Some(read)
}

/// The place of the only word after the first one.
fn one(rest: &[&str]) -> Option<Spot> {
    if let [word] = rest { Spot::read(word) } else { None }
}

/// A place by itself: `C4` is read as the head `C` and the field `4`.
fn bare(parts: &Words) -> Option<Spot> {
    let [row] = parts.rest.as_slice() else { return None };
    (parts.head.len() == 1).then(|| Spot::read(&format!("{}{row}", parts.head))).flatten()
}

fn unknown() -> Told {
    let forms = ROWS.map(|row| word(row.form)).join(", ");
    Told::error("unknown", say!("no order of Hex; there are {forms}, such as PLAY C4"))
}

/// Whether the words after the first word can be a place. In a sentence such as `If you like` or
/// `Play well` they can't.
fn place_or_nothing(rest: &[&str]) -> bool {
    let place = |word: &&str| word.contains(|c: char| c.is_ascii_digit()) && word.len() <= 4;
    rest.first().is_none_or(place)
}

/// Whether a line of a mail begins like an order.
pub fn starts_order(line: &str) -> bool {
    let Some(parts) = words(line) else { return false };
    Row::starts_order(&ROWS, &parts.head, &parts.rest) || bare(&parts).is_some()
}

/// The moves of a card, in its order, whether the board allows them or not.
pub fn moves(card: &CardText) -> Vec<Order> {
    let lines = card.lines.iter().filter_map(|(_, line)| read(line)?.ok());
    lines.filter_map(|r| if let Read::Now(order) = r { Some(order) } else { None }).collect()
}

/// The prepared answers of a card, each with the stone that it answers.
pub fn answers(card: &CardText) -> Vec<(Spot, Order)> {
    let lines = card.lines.iter().filter_map(|(_, line)| read(line)?.ok());
    lines
        .filter_map(|r| if let Read::Answer(to, what) = r { Some((to, what)) } else { None })
        .collect()
}

/// A prepared answer as a line of a card.
pub fn answer_line(to: Spot, order: Order) -> String {
    match order {
        Order::Stone(spot) => format!("IF {to} {spot}"),
        Order::Swap => format!("IF {to} SWAP"),
    }
}

/// Help from the table.
pub fn help(state: Option<&State>) -> Vec<Topic> {
    let swaps = state.is_none_or(|s| s.swap);
    let topics = Row::topics(&ROWS).into_iter();
    topics.filter(|topic| swaps || topic.word != SWAP.word).collect()
}
