//! Orders: one table, from which the reader, the help and the errors are made.

use engine::orders::{Bad, OrderRow, nothing};
use engine::report::{Block, Section};
use engine::syntax::{Words, words};
use engine::{CardText, JudgedLine, Judgement, Mark, Told, Topic};
use tongue::{mark, say, word};

use super::board::{BLUE, Board, Spot, colour, letter, other};
use super::state::{Action, Move, Order, State};
use super::view::View;

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
enum Read {
    /// A move now.
    Now(Order),
    /// An answer to a stone.
    Answer(Spot, Order),
}

/// Reads a line; `None`: there is nothing on it.
fn read(line: &str) -> Option<Result<Read, Told>> {
    let parts = words(line)?;
    let read = match Row::find(&ROWS, &parts.head) {
        Some(row) => (row.read)(&parts.rest).ok_or_else(|| row.told(Bad::Form)),
        None => bare(&parts).map(|spot| Read::Now(Order::Stone(spot))).ok_or_else(unknown),
    };
    Some(read)
}

/// The only field behind the head.
fn one(rest: &[&str]) -> Option<Spot> {
    if let [word] = rest { Spot::read(word) } else { None }
}

/// A place alone: `C4` is read as the head `C` and a field `4`.
fn bare(parts: &Words) -> Option<Spot> {
    let [row] = parts.rest.as_slice() else { return None };
    (parts.head.len() == 1).then(|| Spot::read(&format!("{}{row}", parts.head))).flatten()
}

fn unknown() -> Told {
    let forms = ROWS.map(|row| word(row.form)).join(", ");
    Told::error("unknown", say!("no order of Hex; there are {forms}, such as PLAY C4"))
}

/// What stands behind a word of an order is a place. A sentence such as `If you like` or
/// `Play well` has none.
fn place_or_nothing(rest: &[&str]) -> bool {
    let place = |word: &&str| word.contains(|c: char| c.is_ascii_digit()) && word.len() <= 4;
    rest.first().is_none_or(place)
}

/// Whether a line of a mail begins as an order does.
pub fn starts_order(line: &str) -> bool {
    let Some(parts) = words(line) else { return false };
    Row::starts_order(&ROWS, &parts.head, &parts.rest) || bare(&parts).is_some()
}

/// The moves of a card, in its order, right or wrong by the board.
pub fn moves(card: &CardText) -> Vec<Order> {
    let lines = card.lines.iter().filter_map(|(_, line)| read(line)?.ok());
    lines.filter_map(|r| if let Read::Now(order) = r { Some(order) } else { None }).collect()
}

/// The prepared answers of a card: to which stone, and what.
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

/// Judges a card against what its seat knows.
pub fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
    let (state, board) = (&view.state, view.state.board());
    // Whose turn a later step is, nobody knows: prepared answers make more moves of one.
    let mine = ahead > 0 || view.to_move() == Some(view.seat);
    let mut told: Vec<(u32, String, Result<Read, Told>)> = Vec::new();
    for (number, line) in &card.lines {
        let read = match read(line) {
            None => Err(Told::remark("")),
            Some(Err(told)) => Err(told),
            Some(Ok(read)) => match fault(state, &board, view, mine, ahead, read) {
                Some(told) => Err(told),
                None => Ok(read),
            },
        };
        told.push((*number, line.clone(), read));
    }
    let counts = told.iter().rposition(|(_, _, read)| matches!(read, Ok(Read::Now(_))));
    let chosen = counts.and_then(|n| told[n].2.clone().ok());
    let line = |(place, (line, text, read)): (usize, (u32, String, Result<Read, Told>))| {
        let told = match read {
            Err(told) => told,
            Ok(Read::Now(_)) if Some(place) != counts => {
                Told::warning("replaced", say!("a later line of this card is played instead"))
            }
            Ok(read) if clashes(chosen, read) => {
                Told::warning("taken-by-you", say!("your own move takes that place"))
            }
            Ok(read) => Told::ok(meaning(read, view)),
        };
        JudgedLine { line, text, mark: told.mark, note: told.note }
    };
    let lines: Vec<JudgedLine> = told.into_iter().enumerate().map(line).collect();
    let forecast = match (lines.iter().any(|l| l.mark == Mark::Ok), chosen) {
        (_, Some(Read::Now(order))) => said(&forecast(view, order)),
        (true, None) if mine && ahead == 0 => said(&say!(
            "There are prepared answers, but no move yet: it is your turn. Write PLAY and a place."
        )),
        _ => Vec::new(),
    };
    let ready = mine && ahead == 0 && chosen.is_some();
    Judgement { lines, forecast, seals: Vec::new(), ready }
}

fn said(text: &str) -> Vec<Section> {
    let blocks = vec![Block::Para(text.into())];
    vec![Section { heading: say!("What comes of it"), blocks }]
}

/// Whether a prepared answer can't be played because of the card's own move.
fn clashes(chosen: Option<Read>, read: Read) -> bool {
    let Some(Read::Now(Order::Stone(own))) = chosen else { return false };
    match read {
        Read::Answer(to, Order::Stone(spot)) => to == own || spot == own,
        Read::Answer(to, Order::Swap) => to == own,
        Read::Now(_) => false,
    }
}

/// What is wrong with a line that could be read.
fn fault(
    state: &State,
    board: &Board,
    view: &View,
    mine: bool,
    ahead: u32,
    read: Read,
) -> Option<Told> {
    let rival = colour(other(view.seat));
    if state.over.is_some() {
        return Some(Told::error("over", say!("the game is over")));
    }
    match read {
        Read::Now(order) => {
            if !mine {
                let answer = match order {
                    Order::Stone(spot) => format!("IF {} {spot}", example(board, spot)),
                    Order::Swap => format!("IF {} SWAP", example(board, Spot { col: 2, row: 3 })),
                };
                let note = say!(
                    "it is {rival}'s turn; a line such as {answer} prepares an answer to a stone \
                     of theirs"
                );
                return Some(Told::error("not-your-turn", note));
            }
            match order {
                Order::Stone(spot) => taken(board, spot),
                // Cards in advance are judged again when their turn opens.
                Order::Swap if ahead > 0 || state.may_swap() => None,
                Order::Swap => Some(no_swap(state)),
            }
        }
        Read::Answer(to, order) => {
            if let Some(told) = taken(board, to) {
                let newest = state.moves.last().map(|m| m.action) == Some(Action::Stone(to));
                return match (newest && mine, order) {
                    (true, Order::Stone(spot)) => {
                        let note = say!("{to} is played already: write PLAY {spot}");
                        Some(Told::error("played-already", note))
                    }
                    (true, Order::Swap) => {
                        let note = say!("{to} is played already: write SWAP");
                        Some(Told::error("played-already", note))
                    }
                    (false, _) => Some(told),
                };
            }
            match order {
                Order::Stone(spot) if spot == to => {
                    let note = say!("{to} is taken then; the second place is your answer");
                    Some(Told::error("same-place", note))
                }
                Order::Stone(spot) => taken(board, spot),
                Order::Swap if state.swap && state.moves.is_empty() && view.seat == BLUE => None,
                Order::Swap => Some(no_swap(state)),
            }
        }
    }
}

/// A place for an example that is not the given one.
fn example(board: &Board, but: Spot) -> Spot {
    board.spots().find(|s| board.is_free(*s) && *s != but).unwrap_or(Spot { col: 0, row: 0 })
}

/// Why no stone may be put on a place.
fn taken(board: &Board, spot: Spot) -> Option<Told> {
    if !board.has(spot) {
        let (last, size) = (letter(board.size - 1), board.size);
        let note = say!("{spot} is not on the board: columns are A to {last}, rows 1 to {size}");
        return Some(Told::error("off-board", note));
    }
    let whose = board.at(spot)?;
    let note = say!("a stone of {who} lies on {spot} already", who = colour(whose));
    Some(Told::error("taken", note))
}

fn no_swap(state: &State) -> Told {
    let note = match state.swap {
        true => say!(
            "only Blue may swap, and only in answer to the first stone; write PLAY and a place"
        ),
        false => say!("this game is played without SWAP; write PLAY and a place"),
    };
    Told::error("no-swap", note)
}

/// What a good line will do.
fn meaning(read: Read, view: &View) -> String {
    let rival = colour(other(view.seat));
    match read {
        Read::Now(Order::Stone(spot)) => say!("your stone on {spot}"),
        Read::Now(Order::Swap) => say!("the first stone becomes yours"),
        Read::Answer(to, Order::Stone(spot)) => {
            say!("if {rival} plays {to}, you answer {spot} at once")
        }
        Read::Answer(to, Order::Swap) => say!("if {rival} plays {to}, you swap at once"),
    }
}

/// The move of a card that is played: its last one that is right.
pub fn chosen(view: &View, card: &CardText) -> Option<Order> {
    let (state, board) = (&view.state, view.state.board());
    let mine = view.to_move() == Some(view.seat);
    card.lines.iter().rev().find_map(|(_, line)| match read(line)?.ok()? {
        read @ Read::Now(order) if fault(state, &board, view, mine, 0, read).is_none() => {
            Some(order)
        }
        _ => None,
    })
}

/// The game after a move of the seat.
pub fn after(view: &View, order: Order) -> State {
    let action = match order {
        Order::Stone(spot) => Action::Stone(spot),
        Order::Swap => Action::Swap,
    };
    let mut after = view.state.clone();
    after.moves.push(Move { seat: view.seat, action, prepared: false });
    after
}

/// What the move leads to, as far as the seat can know.
fn forecast(view: &View, order: Order) -> String {
    let after = after(view, order);
    if after.board().joins(view.seat) {
        return say!("Your stones join your edges: you win.");
    }
    let rival = colour(other(view.seat));
    match (after.newest(), order) {
        (Some(spot), Order::Swap) => {
            say!("The stone lies on {spot} then and is yours; {rival} is to move.")
        }
        _ => say!("{rival} is to move then."),
    }
}

/// Help from the table.
pub fn help(state: Option<&State>) -> Vec<Topic> {
    let swaps = state.is_none_or(|s| s.swap);
    let topics = Row::topics(&ROWS).into_iter();
    topics.filter(|topic| swaps || topic.word != SWAP.word).collect()
}
