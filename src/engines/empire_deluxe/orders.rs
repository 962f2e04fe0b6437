//! Orders: one table, from which the reader, the help and the errors are made (§16).

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
    /// These numbers, each from and to.
    Numbers(Vec<(u16, u16)>),
    /// All of a kind, or of any, of a group.
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
    /// At a front, by its number in the printout.
    Front(usize),
}

/// Cities whose new units are told what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cities {
    /// One of them.
    One(Where),
    /// All that the player has now.
    All,
    /// Those that it takes from now on.
    Taken,
}

/// A place by what a player calls it.
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
    /// Units do this, step after step; no steps: they forget what they were told.
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
    /// What stands there.
    pub text: String,
    /// Lines below that go on with it.
    pub goes_on: Vec<(u32, String)>,
    /// What it says, or what is wrong with it.
    pub read: Result<Order, Told>,
}

/// Units in the order of the card: who is named again is named where it was named last.
pub fn named(all: &[u16]) -> Vec<u16> {
    let mut seen = std::collections::BTreeSet::new();
    let mut order: Vec<u16> = all.iter().rev().copied().filter(|n| seen.insert(*n)).collect();
    order.reverse();
    order
}
