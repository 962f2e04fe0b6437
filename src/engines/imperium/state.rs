//! The saved state, and how a game is made (§4).

use std::collections::BTreeMap;

use engine::{Dice, Setup};
use serde::{Deserialize, Serialize};

use super::board::{Board, Marker, Place, Spot};
use super::galaxy::{Planet, System};
use super::kinds::{Kind, Name, Side, UnitId};
use super::orders::Act;
use super::space::Battle;
use super::standing::Filed;
use super::tables::{self, Options, Scenario};
use crate::counters;

/// Turns of a war.
pub const TURNS: u32 = 10;

/// The object of a sighting: an enemy fleet, or the box of a planet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Spotted {
    /// A fleet by its number.
    Fleet(u8),
    /// A planet.
    Planet(Planet),
}

/// A unit as it was seen; number 0: troops whose strength is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seen {
    /// Its type.
    pub kind: Kind,
    /// Its number.
    pub n: u8,
    /// Whether it was damaged.
    pub damaged: bool,
}

/// A sighting of enemy units, with its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The turn of the game.
    pub turn: u32,
    /// The units that were seen.
    pub units: Vec<Seen>,
}

/// An activation in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Current {
    /// The side that activates.
    pub side: Side,
    /// The system.
    pub system: System,
    /// Its orders with their lines.
    pub acts: Vec<(u32, Act)>,
    /// The index of the next order.
    pub at: usize,
}

/// A segment in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// Its number.
    pub segment: u8,
    /// Whether the segment has begun and its advance in open space is listed.
    pub begun: bool,
    /// Whether the dice of initiative were rolled.
    pub rolled: bool,
    /// Activations left by side.
    pub left: [u8; 2],
    /// Activations done by side.
    pub done: [u8; 2],
    /// The side that acts next.
    pub to_act: Side,
    /// Passes in a row.
    pub passes: u8,
    /// `HALT`s by side.
    pub halts: [u32; 2],
    /// Fleets in open space that must still advance.
    pub advance: Vec<(Side, u8)>,
    /// The activation in progress.
    pub current: Option<Current>,
    /// The battle in progress.
    pub battle: Option<Battle>,
    /// The number of battles so far, for the places of dice.
    pub battles: u32,
    /// The reason why the step ended here.
    pub pause: Pause,
}

/// The reason why a step ended within a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pause {
    /// There is no pause: the segment is about to begin, or continues.
    None,
    /// A seat halted it.
    Halt(Side),
    /// A round of battle is over.
    Round,
    /// A seat must act, in the tempo of activations.
    Turn,
}

impl Action {
    /// A segment that has not begun.
    pub fn new(segment: u8) -> Self {
        Self {
            segment,
            begun: false,
            rolled: false,
            left: [0, 0],
            done: [0, 0],
            to_act: Side::Terran,
            passes: 0,
            halts: [0, 0],
            advance: Vec::new(),
            current: None,
            battle: None,
            battles: 0,
            pause: Pause::None,
        }
    }
}

/// The kind of the open step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Both sides set up.
    Setup,
    /// Reinforcements and construction of a turn, and what follows them.
    Administration,
    /// A segment.
    Action(Box<Action>),
    /// The game is over.
    Over(End),
}

/// How a war or a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The winner; `None`: there is a truce.
    pub winner: Option<Side>,
    /// The reason.
    pub why: Why,
}

/// The reason why a war or a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// Glory decided it.
    Glory,
    /// The last turn was played.
    Turns,
    /// Both sides offered a truce.
    Truce,
    /// The winner held the other side's homes at the end of a war.
    Homes,
    /// The other side gave up.
    Left,
}

/// A war that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct War {
    /// Its number.
    pub number: u32,
    /// Its turns.
    pub turns: u32,
    /// Glory at its end.
    pub glory: i32,
    /// How it ended.
    pub end: End,
}

/// Peace between two wars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peace {
    /// The present peace turn, from 1.
    pub turn: u32,
    /// The number of turns of peace.
    pub of: u32,
}

/// Values at the end of a turn, for the course of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Glory.
    pub glory: i32,
    /// Planets with markers by side.
    pub planets: [u32; 2],
    /// The worth of each side's units.
    pub worth: [u32; 2],
}

/// The game.
///
/// Fields are saved under their names; a new field needs a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The options.
    pub options: Options,
    /// The name of the first war.
    pub title: String,
    /// The year of the first turn.
    pub year: u32,
    /// Everything on the table.
    pub board: Board,
    /// What each side has on file.
    pub filed: [Filed; 2],
    /// What each side has seen of the other.
    pub known: [BTreeMap<Spotted, Sighting>; 2],
    /// The number of the open step.
    pub step: u32,
    /// The number of the war, from 1.
    pub war: u32,
    /// The turn of the war, from 1; 0: the set-up.
    pub turn: u32,
    /// The turn of the game, counted through wars and peace.
    pub clock: u32,
    /// The peace, if there is one.
    pub peace: Option<Peace>,
    /// The Glory Index.
    pub glory: i32,
    /// Glory when the turn began.
    pub glory_before: i32,
    /// The kind of the open step.
    pub stage: Stage,
    /// Wars that are over.
    pub wars: Vec<War>,
    /// The course of the game by turn.
    pub course: Vec<Mark>,
    /// Whether nobody plays a seat any longer.
    pub left: [bool; 2],
}

impl State {
    /// Makes a game.
    ///
    /// # Errors
    /// One sentence for each fault of options and data files.
    pub fn new(setup: &Setup, dice: &mut Dice) -> Result<Self, Vec<String>> {
        let (options, tables, galaxy, scenario) = tables::read(setup)?;
        let mut board = Board::new(tables, galaxy);
        let mut faults = Vec::new();
        place(&mut board, &scenario, dice, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            options,
            title: scenario.name,
            year: scenario.year,
            board,
            filed: [Filed::default(), Filed::default()],
            known: [BTreeMap::new(), BTreeMap::new()],
            step: 1,
            war: 1,
            turn: 0,
            clock: 0,
            peace: None,
            glory: scenario.glory,
            glory_before: scenario.glory,
            stage: Stage::Setup,
            wars: Vec::new(),
            course: Vec::new(),
            left: [false, false],
        })
    }

    /// The segment that is open.
    pub fn action(&self) -> Option<&Action> {
        match &self.stage {
            Stage::Action(action) => Some(action),
            _ => None,
        }
    }

    /// The open segment, or the next one.
    pub fn segment(&self) -> u8 {
        self.action().map_or(1, |action| action.segment)
    }

    /// The year of the open turn: two turns are a year (§11.4).
    pub fn year_now(&self) -> u32 {
        self.year + self.clock.saturating_sub(1) / 2
    }
}

/// Puts the units of the scenario on the board.
fn place(board: &mut Board, scenario: &Scenario, dice: &mut Dice, faults: &mut Vec<String>) {
    let fault = |what: String| format!("scenario-first-war.toml: {what}");
    let planet = |word: &String| Planet::read(word).filter(|p| board.land(*p).is_some());
    for start in &scenario.side {
        for word in start.worlds.iter().chain(&start.outposts) {
            if planet(word).is_none() {
                faults.push(fault(format!("there is no planet {word}")));
            }
        }
        for fleet in &start.fleet {
            if board.galaxy.row(System(fleet.system)).is_none() {
                faults.push(fault(format!("there is no system {}", fleet.system)));
            }
        }
        for row in &start.planet {
            if planet(&row.at).is_none() {
                faults.push(fault(format!("there is no planet {}", row.at)));
            }
        }
    }
    let seats: Vec<u8> = scenario.side.iter().map(|s| s.seat).collect();
    if seats != [1, 2] {
        faults.push(fault("there is one side with seat 1 and one with seat 2".to_owned()));
    }
    if !faults.is_empty() {
        return;
    }
    for (side, start) in Side::BOTH.into_iter().zip(&scenario.side) {
        board.purses[side.i()].stock = start.stock;
        for (words, marker) in [(&start.worlds, Marker::World), (&start.outposts, Marker::Outpost)]
        {
            for planet in words.iter().filter_map(|w| Planet::read(w)) {
                if let Some(land) = board.planets.get_mut(&planet) {
                    land.marker = Some((side, marker));
                }
            }
        }
        for fleet in &start.fleet {
            board.fleets.insert((side, fleet.number), Spot::System(System(fleet.system)));
            for word in &fleet.ships {
                match Name::read(word, side) {
                    Some(name) => add(board, UnitId { side, name }, Place::Fleet(fleet.number)),
                    None => faults.push(fault(format!("{word} is no ship"))),
                }
            }
            for row in &fleet.cargo {
                let parts = row.split_once(' ').and_then(|(carrier, kind)| {
                    Some((Name::read(carrier, side)?, Kind::read(kind.trim())?))
                });
                match parts {
                    Some((carrier, kind)) => {
                        if let Some(n) = draw(board, side, kind, dice) {
                            add(board, UnitId::new(side, kind, n), Place::Aboard(carrier));
                        }
                    }
                    None => faults.push(fault(format!("{row} is no carrier with a type"))),
                }
            }
        }
        for row in &start.planet {
            let Some(planet) = Planet::read(&row.at) else { continue };
            for kind in &row.units {
                if let Some(n) = draw(board, side, *kind, dice) {
                    add(board, UnitId::new(side, *kind, n), Place::Box(planet));
                }
            }
        }
    }
}

/// Puts a new unit on the board.
pub fn add(board: &mut Board, id: UnitId, place: Place) {
    use super::board::Unit;
    board.units.insert(id, Unit { place, damaged: false, moved: false });
}

/// The number of a new unit: the lowest free one, for troops any free one by lot (§2.1).
pub fn draw(board: &Board, side: Side, kind: Kind, dice: &mut Dice) -> Option<u8> {
    let free = counters::free_numbers(board, side, kind);
    if !kind.is_troops() || free.is_empty() {
        return free.first().copied();
    }
    // There are at most eight numbers of troops.
    let n = dice.at([side.i() as u32]).below("troops drawn", free.len() as u32);
    free.get(n as usize).copied()
}
