//! Orders: one table, from which the parser, the help and the errors are made (§13).

mod card;
mod reader;
mod rows;

pub use card::{help, read, starts_order};
pub use reader::no_hex;
pub use rows::{ROWS, Row};

use engine::{Told, press};
use serde::{Deserialize, Serialize};

use super::galaxy::{Planet, System};
use super::kinds::{Group, Kind, Name};

/// The test of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Test {
    /// `E`: an enemy fleet is in a system.
    Enemy(System),
    /// `O`: an own fleet is in a system.
    Own(System),
    /// `F`: this own fleet is in a system.
    Fleet(u8, System),
    /// `C`: the seat holds a planet.
    Holds(Planet),
    /// `D`: a planet is disputed.
    Disputed(Planet),
    /// `I`: the seat has at least this number of activations left.
    Mine(u8),
    /// `J`: the other side has at least this number of activations left.
    Theirs(u8),
    /// `G`: Glory is at least this number.
    Glory(u8),
    /// `T`: it is at least this turn of the war.
    Turn(u8),
    /// `V`: the last Intervention roll was this number.
    Roll(u8),
}

/// A word of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// The test.
    pub test: Test,
    /// Whether the test must be false.
    pub not: bool,
}

/// Terms that must all be true; an empty list is always true.
pub type Cond = Vec<Term>;

/// The aim of an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Appeal {
    /// Forces.
    Forces,
    /// Finances.
    Finances,
    /// Nothing.
    None,
}

/// A unit, or the next of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// A unit by its name.
    Unit(Name),
    /// Any unit of a type.
    Kind(Kind),
}

/// The place where `P` puts something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// On a planet; with a number, ships go into that fleet there.
    Planet(Planet, Option<u8>),
    /// Aboard a ship.
    Carrier(Name),
}

/// A system of a path, and whether to fight in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leg {
    /// The system.
    pub to: System,
    /// Whether to fight even if passing is possible.
    pub fight: bool,
}

/// An order within an activation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// `M`: fleets move along a path.
    Move(Vec<u8>, Vec<Leg>),
    /// `D`: units of a fleet form a new one.
    Divide(u8, u8, Vec<Name>),
    /// `C`: two fleets combine.
    Combine(u8, u8),
    /// `L`: a unit is loaded into a ship.
    Load(Name, Name),
    /// `U`: a ship unloads on a planet.
    Unload(Name, Planet),
    /// `E`: engages enemies in the system.
    Engage,
    /// `K`: attacks a planet, after bombardment by these fleets (an empty list: all; `None`: no
    /// bombardment).
    Attack(Planet, Option<Vec<u8>>),
    /// `H`: a unit lands, or moves, along hexes.
    Land(Name, Vec<u8>),
    /// `NF`: no fight in a hex.
    NoFight(u8),
    /// `V`: a unit is evacuated by a ship.
    Evacuate(Name, Name),
    /// `S`: a fleet leaves for open space; `None`: it turns back.
    Space(u8, Option<System>),
}

/// How a group behaves in space battles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stance {
    /// It seeks this range.
    Range(u8),
    /// It keeps away.
    Away,
    /// It stays where it is.
    Stay,
}

/// The lists of targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Aims {
    /// Beams.
    Beams,
    /// Torpedoes.
    Torpedoes,
    /// Defenders of a planet against ships.
    Defence,
    /// Surface combat.
    Surface,
}

/// A standing order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stand {
    /// `N STOCK`: Resources for maintenance; `None`: all.
    Stock(Option<u32>),
    /// `N PRI`: types that are maintained first.
    Priority(Vec<Kind>),
    /// `N SKIP`: units that are not maintained.
    Skip(Vec<Name>),
    /// `Y`: the stance of a group.
    Stance(Group, Stance),
    /// `Q`: a list of targets.
    Targets(Aims, Vec<Group>),
    /// `R`: the systems to which a fleet, or any fleet, retreats.
    Retreat(Option<u8>, Vec<System>),
    /// `J`: the hex of a defender on a planet.
    Post(Planet, Name, u8),
    /// `W`: home worlds for arrivals.
    Homes(Vec<System>),
    /// `O`: units that a crisis takes and reinforcements bring.
    Removal(Vec<Piece>),
    /// `Z FIRST`, `Z LAST`: whether to move first.
    First(bool),
    /// `Z FIGHTERS`: whether fighters on planets join space battles.
    FightersJoin(bool),
    /// `Z SCOUTS`: how many destroyers are revealed to scouts.
    Scouts(u8),
    /// `Z TRUCE`: whether a truce is offered.
    Truce(bool),
}

/// The object of a repair by `F`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fix {
    /// Everything that the stockpile pays for.
    All,
    /// One unit.
    Unit(Name),
    /// Two reduced units, which become one.
    Pair(Name, Name),
}

/// An order as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// `B`: builds units.
    Build(Kind, u32),
    /// `P`: places an arrival.
    Place(Piece, Goal),
    /// `T`: terraforms a planet.
    Terraform(Planet),
    /// `G`: upgrades an Outpost.
    Upgrade(Planet),
    /// `I`: appeals to the Emperor.
    Appeal(Appeal, Cond),
    /// `SEG`: begins the plan of a segment.
    Segment(u8),
    /// `A`: activates a system.
    Activate(System, Cond),
    /// `WAIT`: passes once.
    Wait(Cond),
    /// `HALT`: stops the segment.
    Halt(Cond),
    /// An order within an activation.
    Act(Act),
    /// `F`: repairs units.
    Fix(Vec<Fix>),
    /// `X`: scraps units.
    Scrap(Vec<Name>),
    /// A standing order.
    Stand(Stand),
    /// `PRESS`: a message.
    Press(press::Block),
}

/// A line of a card with an order, correct or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the card.
    pub line: u32,
    /// Its first word, in upper case.
    pub word: String,
    /// The order, or the error.
    pub read: Result<Order, Told>,
}

/// The text of an act as players write it.
pub fn act_text(act: &Act) -> String {
    let join = |items: Vec<String>, with: &str| items.join(with);
    let fleets = |list: &[u8]| join(list.iter().map(u8::to_string).collect(), "+");
    match act {
        Act::Move(list, legs) => {
            let leg = |l: &Leg| format!("{}{}", l.to, if l.fight { "!" } else { "" });
            format!("M {} {}", fleets(list), join(legs.iter().map(leg).collect(), " "))
        }
        Act::Divide(fleet, new, units) => {
            let units = join(units.iter().map(Name::to_string).collect(), " ");
            format!("D {fleet} {new} {units}")
        }
        Act::Combine(a, b) => format!("C {a} {b}"),
        Act::Load(carrier, unit) => format!("L {carrier} {unit}"),
        Act::Unload(carrier, planet) => format!("U {carrier} {planet}"),
        Act::Engage => "E".to_owned(),
        Act::Attack(planet, None) => format!("K {planet}"),
        Act::Attack(planet, Some(list)) => {
            let list: Vec<String> = list.iter().map(|f| format!(" {f}")).collect();
            format!("K {planet} B{}", list.concat())
        }
        Act::Land(unit, hexes) => {
            format!("H {unit} {}", join(hexes.iter().map(u8::to_string).collect(), " "))
        }
        Act::NoFight(hex) => format!("NF {hex}"),
        Act::Evacuate(unit, carrier) => format!("V {unit} {carrier}"),
        Act::Space(fleet, Some(to)) => format!("S {fleet} {to}"),
        Act::Space(fleet, None) => format!("S {fleet} BACK"),
    }
}
