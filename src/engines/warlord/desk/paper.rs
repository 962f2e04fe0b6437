//! The notes of the desk: plans of units, sorties, works, letters, bills.

use crate::bases::{BaseNo, Planes};
use crate::state::{Goal, Unit};
use crate::works::Task;
use engine::Told;
use engine::geometry::Place;
use std::collections::BTreeMap;

/// How a unit moves in the movement phases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// To a goal, over as many turns as it takes.
    Advance(Goal),
    /// Along these direction digits, one a phase; 0 waits.
    March(Vec<u8>),
}

/// A movement order issued to a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How it moves.
    pub way: Way,
    /// Infantry and trucks together (§3).
    pub convoy: bool,
    /// Card line; `None` for a standing advance.
    pub line: Option<u32>,
}

/// A parameter of a message.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Param {
    /// A number as written.
    Number(u32),
    /// A sector: column and row from 1.
    Sector(u16, u16),
}

/// A sentence of a message.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sentence {
    /// Its code in the table of messages.
    pub code: u16,
    /// The parameters for its brackets, in order.
    pub params: Vec<Param>,
}

/// A message to be delivered in step 11.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Card line where it begins.
    pub line: u32,
    /// The addressee; `None` for everybody.
    pub to: Option<u8>,
    /// The sentences, in order.
    pub sentences: Vec<Sentence>,
}

/// Planes of one base on a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wing {
    /// Their base.
    pub base: BaseNo,
    /// Their number.
    pub planes: Planes,
}

/// A mission from which the planes come back (§5, B and O).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sortie {
    /// Card line of the order.
    pub line: u32,
    /// The sector that they fly to.
    pub target: Place,
    /// The planes, those of the nearest base first.
    pub wings: Vec<Wing>,
    /// Whether ships' guns fire too.
    pub guns: bool,
}

/// Paratroops on their way into a sector (§11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drop {
    /// Card line of the order.
    pub line: u32,
    /// Numbers of the units that jump.
    pub units: Vec<u16>,
    /// The sector where they land.
    pub target: Place,
    /// The bombers that carry them, by base.
    pub wings: Vec<Wing>,
}

/// Missiles to fire (§11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvo {
    /// Card line of the order.
    pub line: u32,
    /// The sector.
    pub target: Place,
    /// Whether each carries a warhead.
    pub atomic: bool,
    /// The number that each base fires.
    pub batteries: Vec<(BaseNo, u16)>,
}

/// Units flown from one airbase to another (§5, V).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lift {
    /// Card line of the order.
    pub line: u32,
    /// Numbers of the units that are carried.
    pub units: Vec<u16>,
    /// The airbase where they land.
    pub to: BaseNo,
    /// The bombers that carry them, by base.
    pub wings: Vec<Wing>,
}

/// Planes that change their base (§5, F).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ferry {
    /// The base that they leave.
    pub from: BaseNo,
    /// Their new base.
    pub to: BaseNo,
    /// Their number.
    pub planes: Planes,
    /// Missiles that go along.
    pub missiles: u16,
    /// Warheads that go along.
    pub warheads: u16,
}

/// Engineers at work (§11).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// Card line of the order.
    pub line: u32,
    /// What they work at.
    pub task: Task,
    /// Hundredths of PP that were paid when it began.
    pub paid: i64,
}

/// An inquiry about another player (§7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inquiry {
    /// Card line of the order.
    pub line: u32,
    /// The seat that is spied on.
    pub player: u8,
    /// Whole PP paid.
    pub pp: i64,
}

/// The contents of a desk: the results of the orders taken up so far.
#[derive(Debug, Clone, Default)]
pub struct Paper {
    /// The answer to each order, by card line.
    pub told: BTreeMap<u32, Told>,
    /// What units are to do in the movement phases, by unit number.
    pub plans: BTreeMap<u16, Plan>,
    /// Messages to be delivered.
    pub letters: Vec<Letter>,
    /// B orders with planes or ships' guns.
    pub raids: Vec<Sortie>,
    /// O orders.
    pub scouts: Vec<Sortie>,
    /// V orders to an airbase.
    pub lifts: Vec<Lift>,
    /// V orders into a sector.
    pub drops: Vec<Drop>,
    /// R orders.
    pub salvos: Vec<Salvo>,
    /// Satellite pictures that are paid.
    pub pictures: Vec<Place>,
    /// F orders, standing ones too.
    pub ferries: Vec<Ferry>,
    /// I orders about other players.
    pub inquiries: Vec<Inquiry>,
    /// What engineers work at, by unit number.
    pub jobs: BTreeMap<u16, Job>,
    /// Whether the seat leaves its coalition.
    pub leaves: bool,
    /// The units as they were when the missions of step 5 began. Bombs may destroy one before its
    /// order is issued, and it still gets the same answer as in the echo.
    pub(super) standing: BTreeMap<u16, Unit>,
    /// Units that have their one order, with its line.
    pub(super) ordered: BTreeMap<u16, u32>,
    /// Centres that have a C order of this card, with its line.
    pub(super) constructed: BTreeMap<(u16, usize), u32>,
    /// Centres halted in this card, by city: line and centre.
    pub(super) halted: BTreeMap<u16, Vec<(u32, usize)>>,
    /// Whether the card has a valid I order for spying or counter-spying.
    pub(super) spied: bool,
    /// Hundredths of PP that were paid.
    pub bill: Bill,
}

/// Where the PP of a turn went, in hundredths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Bill {
    /// For C orders and restarted centres.
    pub construction: i64,
    /// For E orders.
    pub research: i64,
    /// For I orders about other players.
    pub spying: i64,
    /// For counter-spying.
    pub counter_spying: i64,
}
