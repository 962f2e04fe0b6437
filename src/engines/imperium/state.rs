//! What is saved, and how a game is made (§4).

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

/// What was seen: an enemy fleet, or the box of a planet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Spotted {
    /// A fleet by its number.
    Fleet(u8),
    /// A planet.
    Planet(Planet),
}

/// A unit as it was seen; number 0: a troop whose strength is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seen {
    /// Its type.
    pub kind: Kind,
    /// Its number.
    pub n: u8,
    /// Whether it was damaged.
    pub damaged: bool,
}

/// What was seen and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The turn of the game.
    pub turn: u32,
    /// What.
    pub units: Vec<Seen>,
}

/// An activation that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Current {
    /// Whose.
    pub side: Side,
    /// Where.
    pub system: System,
    /// Its orders with their lines.
    pub acts: Vec<(u32, Act)>,
    /// The next of them.
    pub at: usize,
}

/// A segment that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// Its number.
    pub segment: u8,
    /// Whether fleets in open space were counted for this segment.
    pub begun: bool,
    /// Whether the dice have fallen.
    pub rolled: bool,
    /// Activations left by side.
    pub left: [u8; 2],
    /// Activations done by side.
    pub done: [u8; 2],
    /// Who is to act.
    pub to_act: Side,
    /// Passes in a row.
    pub passes: u8,
    /// `HALT`s by side.
    pub halts: [u32; 2],
    /// Fleets in open space that are still to advance.
    pub advance: Vec<(Side, u8)>,
    /// The activation that is under way.
    pub current: Option<Current>,
    /// The battle that is under way.
    pub battle: Option<Battle>,
    /// Battles so far, for the places of dice.
    pub battles: u32,
    /// Why the step ended here.
    pub pause: Pause,
}

/// Why a step ended within a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pause {
    /// It did not: the segment is about to begin or goes on.
    None,
    /// A seat halted it.
    Halt(Side),
    /// A round of battle is over.
    Round,
    /// A seat is to act, in the tempo of activations.
    Turn,
}

impl Action {
    /// A segment that is about to begin.
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

/// What the open step is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Both set up.
    Setup,
    /// Reinforcements and construction of a turn, and what follows.
    Administration,
    /// A segment.
    Action(Box<Action>),
    /// Nobody moves any more.
    Over(End),
}

/// How a war or a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Who has won; `None`: a truce.
    pub winner: Option<Side>,
    /// By what.
    pub why: Why,
}

/// Why a war or a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// By Glory.
    Glory,
    /// The last turn was played.
    Turns,
    /// Both offered it.
    Truce,
    /// The other side's homes were held at the end of a war.
    Homes,
    /// The other gave up.
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
    /// The peace turn that is played, from 1.
    pub turn: u32,
    /// Turns of peace.
    pub of: u32,
}

/// Figures at the end of a turn, for the course of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Glory.
    pub glory: i32,
    /// Planets with markers by side.
    pub planets: [u32; 2],
    /// What the units of each side cost.
    pub worth: [u32; 2],
}

/// The game.
///
/// Fields are saved by their names; a later one needs a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// What it is played by.
    pub options: Options,
    /// What the first war is called.
    pub title: String,
    /// The year of the first turn.
    pub year: u32,
    /// Everything on the table.
    pub board: Board,
    /// What each side has on file.
    pub filed: [Filed; 2],
    /// What each side has seen of the other.
    pub known: [BTreeMap<Spotted, Sighting>; 2],
    /// Number of the open step.
    pub step: u32,
    /// The war, from 1.
    pub war: u32,
    /// The turn of the war, from 1; 0: the set-up.
    pub turn: u32,
    /// The turn of the game, wars and peace together.
    pub clock: u32,
    /// Peace, if it is.
    pub peace: Option<Peace>,
    /// The Glory Index.
    pub glory: i32,
    /// Glory when the turn began.
    pub glory_before: i32,
    /// What the open step is.
    pub stage: Stage,
    /// Wars that are over.
    pub wars: Vec<War>,
    /// The course of the game by turn.
    pub course: Vec<Mark>,
    /// Seats that nobody plays.
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

    /// The segment that is open, or that comes next.
    pub fn segment(&self) -> u8 {
        self.action().map_or(1, |action| action.segment)
    }

    /// The year of the open turn: two turns are a year (§11.4).
    pub fn year_now(&self) -> u32 {
        self.year + self.clock.saturating_sub(1) / 2
    }
}

/// Puts the scenario on the board.
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

/// The number of a new unit: the lowest that is free, of troops any by lot (§2.1).
pub fn draw(board: &Board, side: Side, kind: Kind, dice: &mut Dice) -> Option<u8> {
    let free = counters::free_numbers(board, side, kind);
    if !kind.is_troops() || free.is_empty() {
        return free.first().copied();
    }
    // There are eight at most.
    let n = dice.at([side.i() as u32]).below("troops drawn", free.len() as u32);
    free.get(n as usize).copied()
}
