//! Orders: one table, from which the reader, the help and the errors are made (§13).

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

/// What a condition asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Test {
    /// `E`: an enemy fleet is in a system.
    Enemy(System),
    /// `O`: a fleet of the seat's own is.
    Own(System),
    /// `F`: this own fleet is.
    Fleet(u8, System),
    /// `C`: the seat holds a planet.
    Holds(Planet),
    /// `D`: a planet is disputed.
    Disputed(Planet),
    /// `I`: activations left.
    Mine(u8),
    /// `J`: those of the other.
    Theirs(u8),
    /// `G`: Glory at least.
    Glory(u8),
    /// `T`: turn at least.
    Turn(u8),
    /// `V`: the last Intervention roll.
    Roll(u8),
}

/// A word of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// What is asked.
    pub test: Test,
    /// True if it must not hold.
    pub not: bool,
}

/// Words that must all hold; none: always.
pub type Cond = Vec<Term>;

/// What an appeal asks for.
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
    /// This unit.
    Unit(Name),
    /// Any of a type.
    Kind(Kind),
}

/// Where `P` puts something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// On a planet, ships into a fleet there.
    Planet(Planet, Option<u8>),
    /// Aboard a ship.
    Carrier(Name),
}

/// A system of a path, and whether to fight there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leg {
    /// The system.
    pub to: System,
    /// Whether to fight where one might pass.
    pub fight: bool,
}

/// An order within an activation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// `M`
    Move(Vec<u8>, Vec<Leg>),
    /// `D`
    Divide(u8, u8, Vec<Name>),
    /// `C`
    Combine(u8, u8),
    /// `L`
    Load(Name, Name),
    /// `U`
    Unload(Name, Planet),
    /// `E`
    Engage,
    /// `K`: bombarded or not, and by which fleets (none: all).
    Attack(Planet, Option<Vec<u8>>),
    /// `H`
    Land(Name, Vec<u8>),
    /// `NF`
    NoFight(u8),
    /// `V`
    Evacuate(Name, Name),
    /// `S`; `None`: back.
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

/// Lists of targets.
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

/// An order that stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stand {
    /// `N STOCK`; `None`: all.
    Stock(Option<u32>),
    /// `N PRI`
    Priority(Vec<Kind>),
    /// `N SKIP`
    Skip(Vec<Name>),
    /// `Y`
    Stance(Group, Stance),
    /// `Q`
    Targets(Aims, Vec<Group>),
    /// `R`
    Retreat(Option<u8>, Vec<System>),
    /// `J`
    Post(Planet, Name, u8),
    /// `W`
    Homes(Vec<System>),
    /// `O`
    Removal(Vec<Piece>),
    /// `Z FIRST`, `Z LAST`
    First(bool),
    /// `Z FIGHTERS`
    FightersJoin(bool),
    /// `Z SCOUTS`
    Scouts(u8),
    /// `Z TRUCE`
    Truce(bool),
}

/// What `F` repairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fix {
    /// All that the stockpile pays.
    All,
    /// A unit.
    Unit(Name),
    /// Two reduced units become one.
    Pair(Name, Name),
}

/// An order as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// `B`
    Build(Kind, u32),
    /// `P`
    Place(Piece, Goal),
    /// `T`
    Terraform(Planet),
    /// `G`
    Upgrade(Planet),
    /// `I`
    Appeal(Appeal, Cond),
    /// `SEG`
    Segment(u8),
    /// `A`
    Activate(System, Cond),
    /// `WAIT`
    Wait(Cond),
    /// `HALT`
    Halt(Cond),
    /// Within an activation.
    Act(Act),
    /// `F`
    Fix(Vec<Fix>),
    /// `X`
    Scrap(Vec<Name>),
    /// An order that stays.
    Stand(Stand),
    /// `PRESS`
    Press(press::Block),
}

/// A line of a card with an order on it, right or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the card.
    pub line: u32,
    /// Its first word, upper case.
    pub word: String,
    /// What it says, or what is wrong with it.
    pub read: Result<Order, Told>,
}

/// How an act is written.
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
