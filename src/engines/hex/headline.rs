//! The first sentences of a printout, and those for everybody when the game is over.

use crate::Hex;
use engine::headline::{Draft, Weight};
use engine::report::{Gap, Line, Span};
use engine::{Headline, Headlines, Seat};
use tongue::{count, say};

use super::board::{RED, colour, other};
use super::state::{Action, End, Move, State, Why};
use super::view::View;

impl Headlines for Hex {
    fn headline(view: &View) -> Headline {
        headline(view)
    }

    fn chronicle(state: &State, events: &[Move]) -> Vec<Line> {
        chronicle(state, events)
    }
}

/// The headline of a seat.
pub fn headline(view: &View) -> Headline {
    let mut draft = Draft::default();
    add_moves(&mut draft, &view.state, &view.news, Some(view.seat));
    let to_move = match view.to_move() {
        None => say!("Nobody moves any more."),
        Some(seat) if seat == view.seat => say!("It is your move."),
        Some(seat) => say!("It is the move of {who}.", who = colour(seat)),
    };
    let who = colour(view.seat);
    let joins = match view.seat == RED {
        true => say!("You are {who} and join top and bottom."),
        false => say!("You are {who} and join left and right."),
    };
    let board = view.state.board();
    let stones = board.spots().filter(|s| board.at(*s).is_some()).count();
    let standing = vec![
        joins.into(),
        to_move.into(),
        count!(
            stones,
            "The board has {rows} rows and {stones} stone on it.",
            "The board has {rows} rows and {stones} stones on it.",
            rows = board.size
        )
        .into(),
    ];
    let needs = match view.to_move() == Some(view.seat) {
        true => vec![say!("Your move is awaited.").into()],
        false => Vec::new(),
    };
    draft.finish(standing, needs)
}

/// The sentences about a step for everybody.
pub fn chronicle(state: &State, events: &[Move]) -> Vec<Line> {
    let mut draft = Draft::default();
    add_moves(&mut draft, state, events, None);
    draft.sentences()
}

/// Why a game is over.
pub(super) fn why(end: End) -> String {
    let loser = colour(other(end.winner));
    match end.why {
        Why::Joined if end.winner == RED => say!("red stones join top and bottom"),
        Why::Joined => say!("blue stones join left and right"),
        Why::Left => say!("nobody plays {loser} any longer"),
        Why::Silent => say!("{loser} let two turns in a row pass"),
    }
}

fn add_moves(draft: &mut Draft, state: &State, moves: &[Move], reader: Option<Seat>) {
    if let Some(end) = state.over {
        let (who, why) = (colour(end.winner), why(end));
        let text = say!("{who} ({player}) has won: {why}.", player = Gap(0));
        draft.add(Weight::End, Line::filled(&text, [Span::Player(end.winner)]));
        if let Some(reader) = reader {
            let how = match reader == end.winner {
                true => say!("You have won."),
                false => say!("You have lost."),
            };
            draft.add(Weight::End, how);
        }
    }
    for played in moves {
        let own = Some(played.seat) == reader;
        let who = colour(played.seat);
        let weight = if own { Weight::Progress } else { Weight::Contact };
        let text = match (played.action, own) {
            // A place by itself is an order, so it must not begin a wrapped line.
            (Action::Stone(spot), true) => say!("You played\u{a0}{spot}."),
            (Action::Stone(spot), false) => say!("{who} played\u{a0}{spot}."),
            (Action::Swap, true) => say!("You swapped and took the first stone over."),
            (Action::Swap, false) => say!("{who} swapped and took the first stone over."),
            (Action::Missed, true) => say!("You sent no move in time."),
            (Action::Missed, false) => say!("{who} sent no move in time."),
        };
        draft.add(weight, text);
    }
}
