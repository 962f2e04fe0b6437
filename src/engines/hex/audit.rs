//! The invariants after every step, and numbers for statistics.

use crate::Hex;
use engine::{Audits, Input, Sits, Standing, Tally};

use super::board::Board;
use super::board::{BLUE, RED, other};
use super::state::{Action, End, Move, State, Why};

impl Audits for Hex {
    fn audit(before: (&State, &[Move]), input: &Input, after: (&State, &[Move])) -> Vec<String> {
        audit(before.0, input, after)
    }

    fn tally(state: &State, events: &[Move]) -> Tally {
        tally(state, events)
    }
}

/// Every invariant that a step broke.
pub fn audit(before: &State, input: &Input, (after, events): (&State, &[Move])) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            wrong.push(what.to_owned());
        }
    };
    let board = after.board();
    must(after.step == before.step + 1, "the step was not counted");
    must(after.size == before.size && after.swap == before.swap, "the rules have changed");
    let history = after.moves.strip_prefix(before.moves.as_slice());
    must(history == Some(events), "the events are not the moves of this step");
    must(alternate(&after.moves), "the seats do not alternate");
    must(each_on_its_place(after), "a stone was put where one lay");
    must(swapped_rightly(after), "a swap was no answer to the first stone");
    let prepared = events.iter().enumerate().all(|(n, m)| m.prepared == (n > 0));
    must(prepared, "only what follows the first move of a step is prepared");
    must(stones(&after.moves) == board.count(RED) + board.count(BLUE), "a stone was lost");
    let joined = [RED, BLUE].map(|seat| board.joins(seat));
    must(joined != [true, true], "both have joined their edges");
    must(!board.is_full() || joined != [false, false], "a full board without a winner");
    let winner = after.over.filter(|end| end.why == Why::Joined).map(|end| end.winner);
    let joins = [RED, BLUE].into_iter().find(|seat| board.joins(*seat));
    must(winner == joins, "the winner is not who has joined the edges");
    if let Some(End { winner, why: Why::Left }) = after.over
        && before.over.is_none()
    {
        must(input.sits(other(winner)) == Sits::Left, "a seat that is played has lost as left");
    }
    if before.over.is_some() {
        must(after.moves == before.moves && after.over == before.over, "a move after the end");
    } else {
        must(after.over.is_some() || !events.is_empty(), "a step without a move");
    }
    wrong
}

fn alternate(moves: &[Move]) -> bool {
    moves.iter().zip([RED, BLUE].iter().cycle()).all(|(m, seat)| m.seat == *seat)
}

fn stones(moves: &[Move]) -> usize {
    moves.iter().filter(|m| matches!(m.action, Action::Stone(_))).count()
}

/// Plays the moves again, and checks that each place is free before its move.
fn each_on_its_place(state: &State) -> bool {
    let replay =
        |n: usize| -> Board { State { moves: state.moves[..n].to_vec(), ..state.clone() }.board() };
    state.moves.iter().enumerate().all(|(n, m)| match m.action {
        Action::Stone(spot) => replay(n).is_free(spot),
        Action::Swap | Action::Missed => true,
    })
}

fn swapped_rightly(state: &State) -> bool {
    state.moves.iter().enumerate().all(|(n, m)| {
        let first = matches!(state.moves[0].action, Action::Stone(_));
        m.action != Action::Swap || n == 1 && first && state.swap
    })
}

/// Numbers after a step.
pub fn tally(state: &State, events: &[Move]) -> Tally {
    let board = state.board();
    let standing = |seat| Standing {
        seat,
        plays: state.over.is_none_or(|end| end.winner == seat),
        points: i64::from(state.over.is_some_and(|end| end.winner == seat)),
        // At most 361 places.
        places: board.count(seat) as u32,
    };
    let count = |fits: fn(&Move) -> bool| events.iter().filter(|m| fits(m)).count() as i64;
    Tally {
        seats: [RED, BLUE].map(standing).to_vec(),
        events: vec![
            ("stones", count(|m| matches!(m.action, Action::Stone(_)))),
            ("prepared", count(|m| m.prepared)),
            ("missed", count(|m| m.action == Action::Missed)),
            ("swaps", count(|m| m.action == Action::Swap)),
        ],
        levels: Vec::new(),
        order: vec![RED, BLUE],
    }
}
