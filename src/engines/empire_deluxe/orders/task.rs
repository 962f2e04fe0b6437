//! The steps of a unit's orders. A new kind of step needs a variant with its arms here, its row in
//! `rows.rs`, and its effect in `queue.rs`.

use engine::geometry::{Direction, Place};
use serde::{Deserialize, Serialize};

use super::reader::key;
use crate::ground::Ground;

/// Signs after an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    /// `!`: goes on, whatever happens.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on: bool,
    /// `*`: fights.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fight: bool,
    /// `?`: stops when an enemy comes into sight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop: bool,
}

/// See [`Task::Patrol`].
pub const BEGINS: u8 = u8::MAX;

/// A step of a unit's orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// `M`
    Go(Place, Flags),
    /// `D`: directions by code, 0 waits.
    Path(Vec<u8>, Flags),
    /// `A`
    Attack(Place, Flags),
    /// `S`
    Sentry(Flags),
    /// `T`: the squares, and the index of its present goal among them; [`BEGINS`]: it has not
    /// begun, and its own square will be the first.
    Patrol(Vec<Place>, u8, Flags),
    /// `E`
    Explore(Flags),
    /// `L` with the number of a carrier.
    Board(u16),
    /// `L` of a carrier.
    Fill,
    /// `U`
    Unload(Option<Place>, Flags),
    /// `R`
    Return,
    /// `W`
    Wait(u8),
}

impl Task {
    /// The step as a player would write it.
    pub fn written(&self, ground: &Ground) -> String {
        let called = |at: &Place| ground.called(*at);
        let (word, behind): (&str, Vec<String>) = match self {
            Self::Go(to, _) => ("M", vec![called(to)]),
            Self::Path(steps, _) => {
                let digit = |code: &u8| Direction::from_code(*code).map_or('5', key);
                ("D", vec![steps.iter().map(digit).collect()])
            }
            Self::Attack(to, _) => ("A", vec![called(to)]),
            Self::Sentry(_) => ("S", Vec::new()),
            // The first square is the one on which it began.
            Self::Patrol(points, leg, _) => {
                ("T", points.iter().skip(usize::from(*leg != BEGINS)).map(called).collect())
            }
            Self::Explore(_) => ("E", Vec::new()),
            Self::Board(carrier) => ("L", vec![carrier.to_string()]),
            Self::Fill => ("L", Vec::new()),
            Self::Unload(to, _) => ("U", to.iter().map(called).collect()),
            Self::Return => ("R", Vec::new()),
            Self::Wait(turns) => ("W", vec![turns.to_string()]),
        };
        let flags = self.flags();
        let signs = [(flags.on, "!"), (flags.fight, "*"), (flags.stop, "?")];
        let signs = signs.iter().filter(|(is_set, _)| *is_set).map(|(_, sign)| *sign);
        let all: Vec<&str> =
            [word].into_iter().chain(behind.iter().map(String::as_str)).chain(signs).collect();
        all.join(" ")
    }

    /// The signs after it.
    pub fn flags(&self) -> Flags {
        match self {
            Self::Go(_, flags)
            | Self::Path(_, flags)
            | Self::Attack(_, flags)
            | Self::Sentry(flags)
            | Self::Patrol(_, _, flags)
            | Self::Explore(flags)
            | Self::Unload(_, flags) => *flags,
            Self::Board(_) | Self::Fill | Self::Return | Self::Wait(_) => Flags::default(),
        }
    }

    /// The square that is its present goal, if it has one.
    pub fn goal(&self) -> Option<Place> {
        match self {
            Self::Go(to, _) | Self::Attack(to, _) => Some(*to),
            Self::Patrol(points, leg, _) => points.get(usize::from(*leg)).copied(),
            Self::Path(..) | Self::Sentry(_) | Self::Explore(_) | Self::Board(_) => None,
            Self::Fill | Self::Unload(..) | Self::Return | Self::Wait(_) => None,
        }
    }

    /// Whether it attacks whatever comes next to it, because of `*`.
    pub fn watches(&self) -> bool {
        match self {
            Self::Sentry(flags) | Self::Explore(flags) | Self::Patrol(_, _, flags) => flags.fight,
            Self::Go(..) | Self::Path(..) | Self::Attack(..) | Self::Board(_) => false,
            Self::Fill | Self::Unload(..) | Self::Return | Self::Wait(_) => false,
        }
    }

    /// Whether a unit aboard a transport at sea can do it: step onto land, or stay.
    pub fn can_be_done_aboard(&self) -> bool {
        match self {
            Self::Go(..) | Self::Path(..) | Self::Attack(..) | Self::Sentry(_) => true,
            Self::Board(_) | Self::Fill | Self::Unload(..) | Self::Wait(_) => true,
            Self::Patrol(..) | Self::Explore(_) | Self::Return => false,
        }
    }
}
