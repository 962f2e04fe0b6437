//! The judgement of a card: the effect of each line, its faults, and the result of the move.

use engine::report::{Block, Section};
use engine::{CardText, Cards, JudgedLine, Judgement, MapPicture, Mark, Told, Topic};
use tongue::say;

use super::board::{BLUE, Board, Spot, colour, letter, other};
use super::orders::{self, Read};
use super::state::{Action, Order, State};
use super::view::View;
use crate::{Hex, report};

impl Cards for Hex {
    fn starts_order(line: &str) -> bool {
        orders::starts_order(line)
    }

    fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
        judge(view, card, ahead)
    }

    fn help(state: Option<&State>) -> Vec<Topic> {
        orders::help(state)
    }

    fn sketch(view: &View, card: &CardText) -> Option<MapPicture> {
        Some(report::sketch(view, chosen(view, card)?))
    }
}

/// Judges a card by what its seat knows.
pub fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
    let (state, board) = (&view.state, view.state.board());
    // Nobody knows whose turn a later step is, because prepared answers play several moves in one
    // step.
    let mine = ahead > 0 || view.to_move() == Some(view.seat);
    let mut told: Vec<(u32, String, Result<Read, Told>)> = Vec::new();
    for (number, line) in &card.lines {
        let read = match orders::read(line) {
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
        (_, Some(Read::Now(order))) => section(&forecast(view, order)),
        (true, None) if mine && ahead == 0 => section(&say!(
            "There are prepared answers, but no move yet: it is your turn. Write PLAY and a place."
        )),
        _ => Vec::new(),
    };
    let ready = mine && ahead == 0 && chosen.is_some();
    Judgement { lines, forecast, seals: Vec::new(), ready }
}

fn section(text: &str) -> Vec<Section> {
    let blocks = vec![Block::Para(text.into())];
    vec![Section { heading: say!("What comes of it"), blocks }]
}

/// Whether the card's own move makes a prepared answer impossible.
fn clashes(chosen: Option<Read>, read: Read) -> bool {
    let Some(Read::Now(Order::Stone(own))) = chosen else { return false };
    match read {
        Read::Answer(to, Order::Stone(spot)) => to == own || spot == own,
        Read::Answer(to, Order::Swap) => to == own,
        Read::Now(_) => false,
    }
}

/// The fault of a line that could be read.
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

/// A free place for an example, other than the given one.
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

/// The effect of a good line.
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

/// The move of a card that is played: its last valid one.
pub fn chosen(view: &View, card: &CardText) -> Option<Order> {
    let (state, board) = (&view.state, view.state.board());
    let mine = view.to_move() == Some(view.seat);
    card.lines.iter().rev().find_map(|(_, line)| match orders::read(line)?.ok()? {
        read @ Read::Now(order) if fault(state, &board, view, mine, 0, read).is_none() => {
            Some(order)
        }
        _ => None,
    })
}

/// The result of the move, as far as the seat can know.
fn forecast(view: &View, order: Order) -> String {
    let after = view.after(order);
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
