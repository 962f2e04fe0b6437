//! Orders: one table, from which the reader, the help and the errors are made (§8).

mod card;
mod reader;
mod rows;

pub use card::{help, read, starts_order};
pub use rows::{ROWS, Row};

use engine::{Told, press};

use super::map::Place;
use super::numbers::{Draw, Policy};

/// So many armies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// This number.
    Number(u32),
    /// All that there are.
    All,
}

/// What `IF` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// `W`: the last attack succeeded.
    Won,
    /// `C`: it captured.
    Captured,
    /// `L`: it failed.
    Failed,
    /// `N`: armies on a region are more, fewer or as many.
    Armies(Place, std::cmp::Ordering, u32),
    /// `O`: who holds a region; 0: nobody.
    Owner(Place, u8),
}

/// A test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    /// What is asked.
    pub asked: Asked,
    /// True if it is not so.
    pub not: bool,
}

/// An order as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// `S`
    Prefer(Vec<Place>),
    /// `H`
    FireH {
        /// The site of the bomb.
        from: Place,
        /// Where it goes off.
        to: Place,
    },
    /// `A`
    FireA {
        /// The site of the bomb.
        from: Place,
        /// Where it goes off.
        to: Place,
        /// Where the H-bomb unit may go.
        sites: Vec<Place>,
    },
    /// `P`
    Put {
        /// Where.
        at: Place,
        /// How many.
        n: Amount,
    },
    /// `M`
    March {
        /// From where.
        from: Place,
        /// To where.
        to: Place,
        /// How many.
        n: Amount,
    },
    /// `K`
    Attack {
        /// From where.
        from: Place,
        /// On what.
        to: Place,
        /// The secret numbers, one an attack.
        numbers: Vec<Draw>,
        /// Where A-bomb units may go.
        sites: Vec<Place>,
    },
    /// `IF`
    If(Test),
    /// `ELSE`
    Else,
    /// `FI`
    Fi,
    /// `Z`
    Pause,
    /// `G`; `None` clears.
    Policy(Option<Policy>),
    /// `Q`
    Answer(Vec<u32>),
    /// `V`: whether for a draw.
    Vote(bool),
    /// `PRESS`
    Press(press::Block),
}

impl Order {
    /// Whether it belongs to the sender's own turn, and waits for it.
    pub fn is_of_turn(&self) -> bool {
        !matches!(
            self,
            Self::Prefer(_) | Self::Policy(_) | Self::Answer(_) | Self::Vote(_) | Self::Press(_)
        )
    }
}

/// A line of a card with an order on it, right or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the card.
    pub line: u32,
    /// What it says, or what is wrong with it.
    pub read: Result<Order, Told>,
    /// Of `IF` that is not true, and of `ELSE` that is come to: the entry to go on with.
    pub next: usize,
}
