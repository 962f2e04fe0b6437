//! What a printout says first, and the same for everybody when the game is over.

use engine::headline::{Draft, Weight, counted, sentence, words};
use engine::report::{Line, Span};
use engine::{Headline, Seat};

use super::board::{RED, colour, other};
use super::state::{Action, Move, State, Why};
use super::view::View;

/// The headline of a seat.
pub fn headline(view: &View) -> Headline {
    let mut draft = Draft::default();
    told(&mut draft, &view.state, &view.news, Some(view.seat));
    let to_move = match view.to_move() {
        None => "Nobody moves any more.".to_owned(),
        Some(seat) if seat == view.seat => "It is your move.".to_owned(),
        Some(seat) => format!("It is the move of {}.", colour(seat)),
    };
    let joins = if view.seat == RED { "top and bottom" } else { "left and right" };
    let board = view.state.board();
    let stones = board.spots().filter(|s| board.at(*s).is_some()).count();
    let standing = vec![
        format!("You are {} and join {joins}.", colour(view.seat)).into(),
        to_move.into(),
        format!(
            "The board has {} rows and {} on it.",
            board.size,
            counted(stones as i64, "stone", "stones")
        )
        .into(),
    ];
    let needs = match view.to_move() == Some(view.seat) {
        true => vec!["Your move is awaited.".into()],
        false => Vec::new(),
    };
    draft.finish(standing, needs)
}

/// A step as everybody may read it.
pub fn chronicle(state: &State, events: &[Move]) -> Vec<Line> {
    let mut draft = Draft::default();
    told(&mut draft, state, events, None);
    draft.sentences()
}

fn told(draft: &mut Draft, state: &State, moves: &[Move], reader: Option<Seat>) {
    if let Some(end) = state.over {
        let loser = colour(other(end.winner));
        let why = match end.why {
            Why::Joined if end.winner == RED => "red stones join top and bottom".to_owned(),
            Why::Joined => "blue stones join left and right".to_owned(),
            Why::Left => format!("nobody plays {loser} any longer"),
            Why::Silent => format!("{loser} let two turns in a row pass"),
        };
        let parts = [
            vec![words(format!("{} (", colour(end.winner))), Span::Player(end.winner)],
            vec![words(format!(") has won: {why}."))],
        ];
        draft.say(Weight::End, sentence(parts));
        if let Some(reader) = reader {
            let how = if reader == end.winner { "won" } else { "lost" };
            draft.say(Weight::End, format!("You have {how}."));
        }
    }
    for played in moves {
        let own = Some(played.seat) == reader;
        let who = if own { "You" } else { colour(played.seat) };
        let weight = if own { Weight::Progress } else { Weight::Contact };
        let text = match played.action {
            // A place alone is an order: none may begin a line.
            Action::Stone(spot) => format!("{who} played\u{a0}{spot}."),
            Action::Swap => format!("{who} swapped and took the first stone over."),
            Action::Missed => format!("{who} sent no move in time."),
        };
        draft.say(weight, text);
    }
}
