//! The orders of a card (§9), and how they are written.

mod card;
mod fields;
mod help;
mod rows;

pub use card::{left_alone, parse, starts_order};
pub use fields::read_sector;
pub use help::{help, messages_language};
pub use rows::{Later, ROWS, Row, row};

use super::bases::{BaseNo, Planes};
use engine::geometry::{Direction, Grid, Place};

/// A sector as written: column and row from 1, not yet checked against a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectorNo {
    /// Column, from 1.
    pub col: u16,
    /// Row, from 1.
    pub row: u16,
}

impl SectorNo {
    /// The place of the sector; `None` off the map.
    pub fn on(self, grid: Grid) -> Option<Place> {
        let inside = (1..=grid.cols).contains(&self.col) && (1..=grid.rows).contains(&self.row);
        inside.then(|| grid.at(i32::from(self.col) - 1, i32::from(self.row) - 1)).flatten()
    }
}

/// The five digits of a place.
pub fn sector_no(grid: Grid, place: Place) -> String {
    format!("{:03}{:02}", grid.col(place) + 1, grid.row(place) + 1)
}

/// A unit, or all units in a sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// A unit by number.
    Unit(u16),
    /// All units in a sector.
    Sector(SectorNo),
}

/// Where an advance leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// To this sector.
    Sector(SectorNo),
    /// On in this direction, without a goal.
    Heading(Direction),
}

/// Where a V order leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Landing {
    /// To an airbase.
    Base(BaseNo),
    /// By parachute into a sector.
    Drop(SectorNo),
}

/// What an F order carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freight {
    /// Nothing: the standing transfer ends.
    Nothing,
    /// Planes, every turn.
    Planes(Planes),
    /// Missiles and warheads, once.
    Arms(u16, u16),
}

/// What a name order names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// A city.
    City,
    /// An airbase.
    Airbase,
    /// A general.
    General,
}

/// One order as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// A: moves turn after turn.
    Advance {
        /// Which units.
        who: Who,
        /// Where to.
        aim: Aim,
    },
    /// B: strikes a sector.
    Bomb {
        /// Number of bombers; 0 for ships' guns only.
        bombers: u16,
        /// The target.
        sector: SectorNo,
    },
    /// C: starts production in a city.
    Construct {
        /// Number of the city.
        city: u16,
        /// ID of a unit, 21 to 23 for levels, 31 to 37 for halts.
        item: u8,
    },
    /// D: makes or ends an alliance.
    Declare {
        /// The player's number.
        player: u16,
    },
    /// E: pays for research.
    Research {
        /// Whole PP.
        pp: u32,
    },
    /// F: changes the base of planes, or of missiles.
    Fly {
        /// The airbase.
        base: BaseNo,
        /// The other airbase; number 0 in a cancellation.
        to: BaseNo,
        /// What is carried.
        cargo: Freight,
    },
    /// I: a satellite picture.
    Picture {
        /// The sector in its middle.
        sector: SectorNo,
        /// Whole PP.
        pp: u32,
    },
    /// I: spies, or guards against spies.
    Investigate {
        /// The player's number.
        player: u16,
        /// Whole PP.
        pp: u32,
    },
    /// J: joins, leaves or expels.
    Coalition {
        /// The player's number; 0 leaves, a negative number expels.
        player: i32,
    },
    /// K: gives engineers a task.
    Engineer {
        /// Number of the unit.
        unit: u16,
        /// What to do; see [`Task`](super::works::Task).
        task: u8,
    },
    /// L: joins a unit with another; `None` for all units of its type in the sector.
    Link {
        /// Number of the unit.
        unit: u16,
        /// Number of the other unit.
        other: Option<u16>,
    },
    /// M: moves units along direction codes; 0 waits.
    March {
        /// Which units.
        who: Who,
        /// Direction codes, one a phase.
        steps: Vec<u8>,
    },
    /// N: names a city, an airbase or a general.
    Name {
        /// What is named.
        what: Named,
        /// Its number.
        number: u16,
        /// The new name.
        name: String,
    },
    /// O: looks at a sector from the air.
    Observe {
        /// Number of fighters.
        fighters: u16,
        /// The target.
        sector: SectorNo,
    },
    /// P: sends a general to a unit.
    Position {
        /// Number of the general, from 1.
        general: u16,
        /// Number of the unit.
        unit: u16,
    },
    /// R: fires missiles.
    Rocket {
        /// Number of missiles.
        missiles: u16,
        /// Whether each carries a warhead.
        atomic: bool,
        /// The target.
        sector: SectorNo,
    },
    /// S: splits a unit.
    Split {
        /// Number of the unit.
        unit: u16,
        /// Regiments or ships that are split off.
        number: u16,
    },
    /// V: flies units to another base.
    Airlift {
        /// Which units.
        who: Who,
        /// Where they land.
        goal: Landing,
    },
    /// W: keeps fighters for the defence.
    Watch {
        /// The airbase.
        base: BaseNo,
        /// Number of fighters.
        fighters: u16,
    },
    /// Y: sends a message; sectors in it stay as written.
    Message {
        /// The receiver's number; 101 for everybody.
        player: u16,
        /// Codes and their numbers, as written.
        numbers: Vec<String>,
    },
    /// `--`: continues a message.
    Continue {
        /// Codes and their numbers, as written.
        numbers: Vec<String>,
    },
}

impl std::fmt::Display for SectorNo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:03}{:02}", self.col, self.row)
    }
}

impl std::fmt::Display for Who {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unit(no) => write!(f, "{no}"),
            Self::Sector(sector) => write!(f, "{sector}"),
        }
    }
}

/// Writes the order as on a card; reading the text again gives the same order.
impl std::fmt::Display for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Advance { who, aim: Aim::Sector(s) } => write!(f, "A {who} {s}"),
            Self::Advance { who, aim: Aim::Heading(d) } => write!(f, "A {who} {}", d.code()),
            Self::Bomb { bombers, sector } => write!(f, "B {bombers} {sector}"),
            Self::Construct { city, item } => write!(f, "C {city} {item}"),
            Self::Declare { player } => write!(f, "D {player}"),
            Self::Research { pp } => write!(f, "E {pp}"),
            Self::Fly { base, cargo: Freight::Nothing, .. } => write!(f, "F {base} 0 0"),
            Self::Fly { base, to, cargo: Freight::Planes(p) } => {
                write!(f, "F {base} {to} {}{}", p.fighters, p.bombers)?;
                if p.jets > 0 { write!(f, "{}", p.jets) } else { Ok(()) }
            }
            Self::Fly { base, to, cargo: Freight::Arms(0, warheads) } => {
                write!(f, "F {base} {to} A{warheads}")
            }
            Self::Fly { base, to, cargo: Freight::Arms(missiles, _) } => {
                write!(f, "F {base} {to} M{missiles}")
            }
            Self::Picture { sector, pp } => write!(f, "I {sector} {pp}"),
            Self::Investigate { player, pp } => write!(f, "I {player} {pp}"),
            Self::Coalition { player } => write!(f, "J {player}"),
            Self::Engineer { unit, task } => write!(f, "K {unit} {task}"),
            Self::Link { unit, other } => write!(f, "L {unit} {}", other.unwrap_or(0)),
            Self::March { who, steps } => {
                write!(f, "M {who} ")?;
                steps.iter().try_for_each(|s| write!(f, "{s}"))
            }
            Self::Name { what, number, name } => write!(f, "N {} {number} {name}", *what as u8 + 1),
            Self::Observe { fighters, sector } => write!(f, "O {fighters} {sector}"),
            Self::Position { general, unit } => write!(f, "P {general} {unit}"),
            Self::Rocket { missiles, atomic, sector } => {
                write!(f, "R {}{missiles} {sector}", if *atomic { "A" } else { "" })
            }
            Self::Split { unit, number } => write!(f, "S {unit} {number}"),
            Self::Airlift { who, goal: Landing::Base(base) } => write!(f, "V {who} {base}"),
            Self::Airlift { who, goal: Landing::Drop(sector) } => write!(f, "V {who} {sector}"),
            Self::Watch { base, fighters } => write!(f, "W {base} {fighters}"),
            Self::Message { player, numbers } => write!(f, "Y {player} {}", numbers.join(" ")),
            Self::Continue { numbers } => write!(f, "-- {}", numbers.join(" ")),
        }
    }
}
