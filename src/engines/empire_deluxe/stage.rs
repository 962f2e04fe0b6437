//! A game between steps, and its open step (§4, §13, §17).

use engine::{Dice, Seat, Setup};
use serde::{Deserialize, Serialize};

use super::event::Event;
use super::field::Field;
use super::sitting::sitting;
use super::state::World;
use super::tables;

/// The open step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// One player's sitting.
    Sitting {
        /// The player.
        seat: Seat,
        /// The part of it, from 1.
        part: u8,
    },
    /// Turns of everybody.
    All,
    /// The game is over; the player who is left, if there is one.
    Over(Option<Seat>),
}

/// A game.
///
/// Fields are saved by their names; a later one needs a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The world.
    pub world: World,
    /// The open step.
    pub stage: Stage,
    /// The first turn of the present round of sittings.
    pub first: u32,
    /// Turns of a sitting.
    pub sitting: u32,
    /// Whether a person has played: when no person is left, the game stops (§20, G20).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub peopled: bool,
    /// Cities and units of each seat after each round of sittings, for the course of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub course: Vec<Vec<(u32, u32)>>,
    /// The events since the last card of each seat that learns of them, where players move one
    /// after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub news: Vec<Event>,
}

impl State {
    /// Makes a game and begins the first player's first turn.
    ///
    /// # Errors
    /// One sentence for each fault of options and data files.
    pub fn new(setup: &Setup, dice: &mut Dice) -> Result<(Self, Vec<Event>), Vec<String>> {
        let mut field = Field::new(World::new(setup, dice)?);
        field.look_around();
        let sitting = sitting(&field.world);
        let stage = match field.world.options.order {
            tables::Order::Sequential => Stage::Sitting { seat: Seat(1), part: 1 },
            tables::Order::Simultaneous => Stage::All,
        };
        Ok((Self::of(field.world, stage, sitting), field.events))
    }

    /// A game at this stage, with sittings that begin in the turn of the world.
    pub fn of(world: World, stage: Stage, sitting: u32) -> Self {
        let first = world.turn;
        let course = vec![Vec::new(); world.sides.len()];
        Self { world, stage, first, sitting, peopled: false, course, news: Vec::new() }
    }

    /// Whether a seat is still in the game.
    pub fn plays(&self, seat: Seat) -> bool {
        self.world.side(seat).is_some_and(|s| s.out.is_none())
    }

    /// Seats that are still in the game.
    pub fn playing(&self) -> Vec<Seat> {
        self.world.seats().filter(|s| self.plays(*s)).collect()
    }

    /// Seats that act in the open step.
    pub fn acting(&self) -> Vec<Seat> {
        match &self.stage {
            Stage::Sitting { seat, .. } => vec![*seat],
            Stage::All => self.playing(),
            Stage::Over(_) => Vec::new(),
        }
    }

    /// Whether a computer plays on for a player who has left.
    pub fn is_handed_over(&self, seat: Seat) -> bool {
        self.world.side(seat).is_some_and(|s| s.computer)
    }

    /// Seats whose cards the open step waits for.
    pub fn awaited(&self) -> Vec<Seat> {
        self.acting().into_iter().filter(|s| !self.is_handed_over(*s)).collect()
    }
}
