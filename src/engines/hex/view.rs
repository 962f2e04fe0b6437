//! What a seat may know.
//!
//! In Hex nothing on the board is hidden, so a view holds the whole state. Only the prepared
//! answers of the other seat are hidden; they are in cards, and a view has no field for a card.

use engine::Seat;

use super::state::{Action, Move, Order, State};

/// What a seat knows after the last step.
#[derive(Debug, Clone)]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// The game.
    pub state: State,
    /// The moves of the last step.
    pub news: Vec<Move>,
}

impl View {
    /// The view of a seat.
    pub fn of(state: &State, events: &[Move], seat: Seat) -> Self {
        Self { seat, state: state.clone(), news: events.to_vec() }
    }

    /// The game after a move of the seat.
    pub fn after(&self, order: Order) -> State {
        let action = match order {
            Order::Stone(spot) => Action::Stone(spot),
            Order::Swap => Action::Swap,
        };
        let mut after = self.state.clone();
        after.moves.push(Move { seat: self.seat, action, prepared: false });
        after
    }

    /// The seat whose move is awaited; `None` when the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        self.state.to_move()
    }
}
