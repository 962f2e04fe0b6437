//! Orders: the reader, the help and the errors are made from one table (§16).

mod card;
mod reader;
mod rows;
mod task;

pub use card::{help, read, starts_order};
pub use reader::{key, pad};
pub use rows::{ROWS, Reads, Row};
pub use task::{BEGINS, Flags, Task};

use engine::geometry::Place;
use engine::{Told, press};

use super::kinds::Kind;

/// Which units an order is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// Spans of numbers, each from and to.
    Numbers(Vec<(u16, u16)>),
    /// All units of a kind, or of every kind, in a group.
    All(Option<Kind>, Among),
}

/// The group that an order is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// Everywhere.
    Everywhere,
    /// In a city, or on a square.
    At(Where),
    /// Aboard a carrier.
    Aboard(u16),
    /// At a front, by the number that the printout gives it.
    Front(usize),
}

/// Cities whose new units get orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cities {
    /// One of them.
    One(Where),
    /// All that the player has now.
    All,
    /// Those that it takes from now on.
    Taken,
}

/// A place as a player names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// A square.
    Square(Place),
    /// A city by its number.
    City(u16),
}

/// An order as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Units do these steps one after the other; without steps they lose their orders.
    Units(Pick, Vec<Task>),
    /// `P`
    Build(Where, Vec<Kind>, bool),
    /// `PD`
    Default(Option<Kind>),
    /// `Z` and `ZD`
    Rally(Cities, Vec<Task>),
    /// `Q`
    Quota(u16, u8),
    /// `N`
    NameUnit(u16, String),
    /// `NC`
    NameCity(Where, String),
    /// `X`: whether a computer plays on.
    Leave {
        /// ABDICATE.
        computer: bool,
    },
    /// `PRESS`
    Press(press::Block),
    /// `MORE`
    More,
    /// `CLOSE`
    Close,
}

/// An order of a card, right or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The line that it begins in.
    pub line: u32,
    /// The text of the order.
    pub text: String,
    /// Lines below that continue it.
    pub goes_on: Vec<(u32, String)>,
    /// The order, or its fault.
    pub read: Result<Order, Told>,
}

/// Units in the order of the card: a unit that is named more than once keeps its last position.
pub fn named(all: &[u16]) -> Vec<u16> {
    let mut seen = std::collections::BTreeSet::new();
    let mut order: Vec<u16> = all.iter().rev().copied().filter(|n| seen.insert(*n)).collect();
    order.reverse();
    order
}
