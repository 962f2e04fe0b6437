//! The saved data, and how a game is made.
//!
//! Only the moves are saved; the board follows from them. So a saved game can't have an impossible
//! board.

use engine::options::Chosen;
use engine::{Seat, Setup};
use serde::{Deserialize, Serialize};

use super::board::{BLUE, Board, RED, Spot};
use super::options::ROWS;

/// Turns in a row that a seat may let pass without a move; with one more it loses.
pub const MISSES_ALLOWED: usize = 1;

/// An order of a seat for its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Put a stone.
    Stone(Spot),
    /// Take over the first stone.
    Swap,
}

/// The action of a seat in its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// It put a stone.
    Stone(Spot),
    /// It took over the first stone, which was moved to the mirrored place.
    Swap,
    /// It let its time run out.
    Missed,
}

/// One move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The seat.
    pub seat: Seat,
    /// The action.
    pub action: Action,
    /// Whether it was played at once, from a line `IF`.
    pub prepared: bool,
}

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// The winner's stones join its edges.
    Joined,
    /// Nobody plays the loser's seat any longer.
    Left,
    /// The loser let too many turns in a row pass.
    Silent,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The winner.
    pub winner: Seat,
    /// The reason.
    pub why: Why,
}

/// The game.
///
/// Fields are saved by their names. A new field needs a default, so that current games can still be
/// read. It is left out while it has this default, so that old steps keep their hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Columns and rows.
    pub size: u8,
    /// Whether the first stone may be answered with `SWAP`.
    pub swap: bool,
    /// Hours for a move.
    pub turn_hours: u32,
    /// Number of the open step.
    pub step: u32,
    /// All moves, the first one first. Red and Blue alternate.
    pub moves: Vec<Move>,
    /// Set once the game is over.
    pub over: Option<End>,
}

impl State {
    /// Makes a game.
    ///
    /// # Errors
    /// One sentence for each option that is wrong.
    pub fn new(setup: &Setup) -> Result<Self, Vec<String>> {
        let mut chosen = Chosen::new(ROWS, setup);
        // At most 19, by the row of the option.
        let size = chosen.number("size") as u8;
        let swap = chosen.switch("swap");
        let turn_hours = chosen.number("turn_hours");
        match chosen.faults.is_empty() {
            true => Ok(Self { size, swap, turn_hours, step: 1, moves: Vec::new(), over: None }),
            false => Err(chosen.faults),
        }
    }

    /// The seat whose move is awaited; `None` when the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        let next = if self.moves.len().is_multiple_of(2) { RED } else { BLUE };
        self.over.is_none().then_some(next)
    }

    /// The board with the stones that follow from the moves.
    pub fn board(&self) -> Board {
        let mut board = Board::new(self.size);
        let mut first = None;
        for played in &self.moves {
            match played.action {
                Action::Stone(spot) => {
                    board.put(spot, Some(played.seat));
                    first = first.or(Some(spot));
                }
                Action::Swap => {
                    if let Some(spot) = first {
                        board.put(spot, None);
                        board.put(spot.mirrored(), Some(played.seat));
                    }
                }
                Action::Missed => {}
            }
        }
        board
    }

    /// The place of the newest stone; after a swap, the place where the stone lies now.
    pub fn newest(&self) -> Option<Spot> {
        let stone = |m: &Move| if let Action::Stone(spot) = m.action { Some(spot) } else { None };
        match self.moves.last()?.action {
            Action::Swap => self.moves.iter().find_map(stone).map(Spot::mirrored),
            _ => self.moves.iter().rev().find_map(stone),
        }
    }

    /// Whether `SWAP` is allowed now: only Red's first stone was played.
    pub fn may_swap(&self) -> bool {
        let began = matches!(self.moves.as_slice(), [Move { action: Action::Stone(_), .. }]);
        self.swap && began
    }

    /// Whether the seat that moves may play an order now.
    pub fn allows(&self, board: &Board, order: Order) -> bool {
        match order {
            Order::Stone(spot) => board.is_free(spot),
            Order::Swap => self.may_swap(),
        }
    }
}
