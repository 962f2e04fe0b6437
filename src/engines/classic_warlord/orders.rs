//! Orders: the reader, the help and the errors are made from one table (§8).

mod card;
mod reader;
mod rows;

pub use card::{help, read, starts_order};
pub use rows::{ROWS, Row};

use engine::{Told, press};

use super::map::Place;
use super::numbers::{Draw, Policy};

/// A number of armies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// This number.
    Number(u32),
    /// All armies that there are.
    All,
}

/// The question of `IF`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// `W`: the last attack succeeded.
    Won,
    /// `C`: it captured.
    Captured,
    /// `L`: it failed.
    Failed,
    /// `N`: whether there are more or fewer armies on a region than a number, or as many.
    Armies(Place, std::cmp::Ordering, u32),
    /// `O`: who holds a region; 0: nobody.
    Owner(Place, u8),
}

/// The test of `IF`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    /// The question.
    pub asked: Asked,
    /// Whether the answer is reversed.
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
        /// The target.
        to: Place,
    },
    /// `A`
    FireA {
        /// The site of the bomb.
        from: Place,
        /// The target.
        to: Place,
        /// Regions where the H-bomb unit may go.
        sites: Vec<Place>,
    },
    /// `P`
    Put {
        /// The region.
        at: Place,
        /// The number of armies.
        n: Amount,
    },
    /// `M`
    March {
        /// The region that the armies leave.
        from: Place,
        /// The region that they enter.
        to: Place,
        /// The number of armies.
        n: Amount,
    },
    /// `K`
    Attack {
        /// The region that attacks.
        from: Place,
        /// The region that is attacked.
        to: Place,
        /// The secret numbers, one for each attack.
        numbers: Vec<Draw>,
        /// Regions where A-bomb units may go.
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
    /// `G`; `None` removes all lines of guesses.
    Policy(Option<Policy>),
    /// `Q`
    Answer(Vec<u32>),
    /// `V`: whether the vote is for a draw.
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

/// An order of a card, right or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The number of its line in the card.
    pub line: u32,
    /// The order, or its fault.
    pub read: Result<Order, Told>,
    /// The entry to go on with after an `IF` that is not true, and after the lines before an
    /// `ELSE`.
    pub next: usize,
}
