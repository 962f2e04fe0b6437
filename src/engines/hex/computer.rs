//! The computer player: it computes its own shortest chain and that of the other seat, and puts a
//! stone where it shortens the one and lengthens the other most.

use crate::Hex;
use engine::graph::Search;
use engine::{CardText, Computers, Dice, Play, Seat};

use super::board::{BLUE, other};
use super::board::{Board, Spot};
use super::state::Order;
use super::view::View;

impl Computers for Hex {
    fn play(view: &View, notes: &str, dice: &mut Dice) -> Play {
        play(view, notes, dice)
    }
}

/// The cost of a free place; a place with its own stone costs 1, because each cost must be above 0.
const FREE: u32 = 1_000;

/// Writes a card, from the view and the notes of last time. The notes are the chain that it plans
/// to build, so that it does not change its mind without a reason.
pub fn play(view: &View, notes: &str, dice: &mut Dice) -> Play {
    if view.to_move() != Some(view.seat) {
        return Play::default();
    }
    let board = view.state.board();
    if view.state.may_swap() && view.state.newest().is_some_and(|s| is_strong(&board, s)) {
        return card(Order::Swap, String::new());
    }
    let plan: Vec<Spot> = notes.split_whitespace().filter_map(Spot::read).collect();
    let chosen = match board.spots().all(|s| board.is_free(s)) {
        true => opening(&board, view.state.swap, dice),
        false => best(&board, view.seat, &plan, dice),
    };
    let Some(spot) = chosen else { return Play::default() };
    let mut after = board.clone();
    after.put(spot, Some(view.seat));
    let next = chain(&after, view.seat).map_or(Vec::new(), |(_, way)| way);
    let names: Vec<String> = next.iter().map(Spot::to_string).collect();
    card(Order::Stone(spot), names.join(" "))
}

fn card(order: Order, notes: String) -> Play {
    let line = match order {
        Order::Stone(spot) => format!("PLAY {spot}"),
        Order::Swap => "SWAP".to_owned(),
    };
    Play { card: CardText::new(&line), notes }
}

/// Whether a first stone is good enough to take over: it is if it does not lie within a fifth of
/// the board from an edge.
fn is_strong(board: &Board, spot: Spot) -> bool {
    let rim = board.size / 5;
    let inside = |n: u8| n >= rim && n + rim < board.size;
    inside(spot.col) && inside(spot.row)
}

/// The first stone: in the middle, or in a place where the other seat does not take it over.
fn opening(board: &Board, swap: bool, dice: &mut Dice) -> Option<Spot> {
    let middle = board.size / 2;
    if !swap {
        return Some(Spot { col: middle, row: middle });
    }
    // As far from the edges as possible without being strong.
    let rim = (board.size / 5).saturating_sub(1);
    let along = dice.below("opening", board.size.into());
    // Below the size, which is a `u8`.
    Some(Spot { col: along as u8, row: rim })
}

/// The place that shortens its own way and lengthens the other's most.
fn best(board: &Board, seat: Seat, plan: &[Spot], dice: &mut Dice) -> Option<Spot> {
    let rival = other(seat);
    let mut places: Vec<Spot> = Vec::new();
    for of in [seat, rival] {
        let way = chain(board, of).map_or(Vec::new(), |(_, way)| way);
        places.extend(
            way.into_iter()
                .filter(|s| board.is_free(*s) && !places.contains(s))
                .collect::<Vec<_>>(),
        );
    }
    let worth = |spot: &Spot| {
        let mut after = board.clone();
        after.put(*spot, Some(seat));
        let own = chain(&after, seat).map_or(u32::MAX / 4, |(cost, _)| cost);
        // A blocked rival counts as one with a very long way.
        let theirs = chain(&after, rival).map_or(u32::MAX / 4, |(cost, _)| cost);
        let gain = i64::from(theirs) - i64::from(own);
        (gain, plan.contains(spot))
    };
    let valued: Vec<(Spot, (i64, bool))> = places.iter().map(|s| (*s, worth(s))).collect();
    let most = valued.iter().map(|(_, worth)| *worth).max()?;
    let equals: Vec<Spot> =
        valued.iter().filter(|(_, worth)| *worth == most).map(|(spot, _)| *spot).collect();
    // A board has at most 361 places.
    let which = dice.below("choice", equals.len() as u32);
    equals.get(which as usize).copied()
}

/// The cheapest chain of a seat from edge to edge: its cost and its places. `None` when the other
/// seat has closed every way.
fn chain(board: &Board, seat: Seat) -> Option<(u32, Vec<Spot>)> {
    let places = usize::from(board.size) * usize::from(board.size);
    let (start, end) = (places, places + 1);
    // Ties go to the earliest neighbour; so each seat looks in its own direction first.
    let near = |index: usize| -> Vec<usize> {
        if index == start {
            return board.first_edge(seat).map(|s| board.index(s)).collect();
        }
        if index == end {
            let last = board.spots().filter(|s| board.on_last_edge(seat, *s));
            return last.map(|s| board.index(s)).collect();
        }
        let spot = board.spot(index);
        let mut near: Vec<usize> = board.near(spot).map(|s| board.index(s)).collect();
        if seat == BLUE {
            near.reverse();
        }
        let first = if seat == BLUE { spot.col } else { spot.row };
        near.extend((first == 0).then_some(start));
        near.extend(board.on_last_edge(seat, spot).then_some(end));
        near
    };
    let cost = |_: usize, to: usize| -> Option<u32> {
        match to >= places {
            true => Some(1),
            false => match board.at(board.spot(to)) {
                None => Some(FREE),
                Some(stone) if stone == seat => Some(1),
                Some(_) => None,
            },
        }
    };
    let way = Search::default().route(places + 2, (start, end), near, cost, |_| 0)?;
    let spots: Vec<Spot> = way.iter().filter(|n| **n < places).map(|n| board.spot(*n)).collect();
    let sum = spots.iter().map(|s| if board.is_free(*s) { FREE } else { 1 }).sum();
    Some((sum, spots))
}
