//! Options, number tables and the scenario of a game (§2, §4, §17): read once, checked, kept in the
//! State.

use std::collections::BTreeMap;

use engine::options::Chosen;
use engine::{Seat, Setup, Strength, data};
use serde::{Deserialize, Serialize};

use super::galaxy::{EMBEDDED, Galaxy, Ground};
use super::kinds::{Class, Kind, Side};
use super::options::ROWS;

/// The embedded files by name.
pub const DEFAULTS: [(&str, &str); 4] = [
    ("units.toml", include_str!("../../../config/imperium/units.toml")),
    ("map.toml", EMBEDDED),
    ("tables.toml", include_str!("../../../config/imperium/tables.toml")),
    (FIRST_WAR, include_str!("../../../config/imperium/scenario-first-war.toml")),
];

/// The usual scenario.
const FIRST_WAR: &str = "scenario-first-war.toml";

/// Values of a type for one side (§2.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Beam dice.
    pub b: u32,
    /// Torpedo dice.
    pub t: u32,
    /// Defence.
    pub d: u32,
    /// Counter-measure dice.
    pub cm: u32,
    /// Fighters carried.
    pub f: u32,
    /// Maintenance.
    pub m: u32,
    /// The number of counters; 0: no limit.
    pub count: u8,
    /// Cost in Resources.
    pub cost: u32,
    /// Turns to build.
    pub turns: u32,
    /// Dice of troops, by the number of the unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<u32>,
}

/// A type of unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: Class,
    /// The values of the Terran side.
    pub terran: Option<Figures>,
    /// The values of the Imperial side.
    pub imperial: Option<Figures>,
}

/// Jumps in a move, and areas in a round (§2.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// Jumps.
    pub jumps: u32,
    /// Areas.
    pub areas: u32,
}

/// Income (§5.3); the names of the keys explain them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Income {
    pub terran_home: u32,
    pub terran_connected: u32,
    pub terran_unconnected: u32,
    pub imperial_budget: u32,
    pub world: u32,
    pub outpost: u32,
    pub boom: u32,
    pub depression: u32,
    pub depression_turns: u32,
}

/// Maintenance that markers pay, and the cost of ground units (§9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Upkeep {
    pub world: u32,
    pub outpost: u32,
    pub ground: u32,
}

/// Glory that wins a war, by turn (§10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    /// The Terran side wins at or below this value.
    pub terran: Vec<i32>,
    /// The Imperial side wins at or above this value.
    pub imperial: Vec<i32>,
}

/// Terraforming and upgrades (§11.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Works {
    /// Resources for each turn of work.
    pub cost: u32,
    /// Turns to terraform N1.
    pub terraform_n1: u8,
    /// Turns to terraform N2.
    pub terraform_n2: u8,
    /// Turns to upgrade an Outpost to a World.
    pub upgrade: u8,
}

impl Works {
    /// Turns that a planet of this type needs to be terraformed.
    pub fn terraform(&self, ground: Ground) -> Option<u8> {
        match ground {
            Ground::N1 => Some(self.terraform_n1),
            Ground::N2 => Some(self.terraform_n2),
            _ => None,
        }
    }
}

/// Limits of cards and seats; `tables.toml` explains the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Limits {
    pub lines: usize,
    pub blocks: usize,
    pub fleets: u8,
    pub hexes: usize,
    pub letters: usize,
    pub letter_lines: usize,
    pub letter_columns: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Usual {
    turn_hours: u32,
    live_hours: u32,
    battle_ask: u32,
    halts: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitsFile {
    unit: Vec<Unit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TablesFile {
    speed: BTreeMap<Class, Speed>,
    hexes: BTreeMap<Ground, u8>,
    income: Income,
    upkeep: Upkeep,
    offensive: BTreeMap<String, Vec<Kind>>,
    victory: Victory,
    works: Works,
    limits: Limits,
    usual: Usual,
}

/// The number tables of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// The types, in the order of [`Kind::ALL`].
    pub units: Vec<Unit>,
    /// Speeds of the classes that have one.
    pub speed: BTreeMap<Class, Speed>,
    /// The number of hexes of a planet, by type.
    pub hexes: BTreeMap<Ground, u8>,
    /// Income.
    pub income: Income,
    /// Maintenance.
    pub upkeep: Upkeep,
    /// Forces of offensives, indexed by the die minus 1.
    pub offensive: Vec<Vec<Kind>>,
    /// Glory that wins a war.
    pub victory: Victory,
    /// Work on planets.
    pub works: Works,
    /// Limits.
    pub limits: Limits,
}

impl Tables {
    /// The row of a type.
    pub fn unit(&self, kind: Kind) -> &Unit {
        // Each type has a row; reading the file checks it.
        &self.units[kind as usize]
    }

    /// The class of a type.
    pub fn class(&self, kind: Kind) -> Class {
        self.unit(kind).class
    }

    /// The values of a type for a side; `None`: the side has no such type.
    pub fn of(&self, side: Side, kind: Kind) -> Option<&Figures> {
        match side {
            Side::Terran => self.unit(kind).terran.as_ref(),
            Side::Imperial => self.unit(kind).imperial.as_ref(),
        }
    }

    /// The cost of a type for a side.
    pub fn cost(&self, side: Side, kind: Kind) -> u32 {
        self.of(side, kind).map_or(0, |f| f.cost)
    }

    /// Hexes of a planet of this type.
    pub fn hexes(&self, ground: Ground) -> u8 {
        self.hexes.get(&ground).copied().unwrap_or(1)
    }

    /// How many ships a ship counts for in crises and reinforcements: 1 or 2.
    pub fn counts(&self, kind: Kind) -> u32 {
        if self.class(kind) == Class::Capital { 2 } else { 1 }
    }
}

/// The tempo: how many steps a turn has (§12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tempo {
    /// One for each activation.
    Activation,
    /// One for each segment.
    Segment,
    /// One for the whole turn.
    Turn,
}

/// The options of a game (§17).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Steps of a turn.
    pub tempo: Tempo,
    /// Whether great battles stop after each round.
    pub battle_rounds: bool,
    /// The least worth of a battle that stops.
    pub battle_ask: u32,
    /// The most `HALT`s of a seat in a segment.
    pub halts_max: u32,
    /// Whether it is a campaign of many wars, not one war.
    pub campaign: bool,
    /// The Glory that an appeal costs.
    pub appeal_glory: u32,
    /// The most Resources that are kept; 0: no limit.
    pub stock_max: u32,
    /// Whether a captured World stays a World.
    pub captured_world: bool,
    /// Whether units that are already damaged are lost without maintenance.
    pub attrition_kills: bool,
    /// Whether both sides see stockpiles and turn tracks.
    pub open_tracks: bool,
    /// Hours for a card.
    pub turn_hours: u32,
    /// Hours after a `HALT` and between rounds of battle.
    pub live_hours: u32,
    /// How well computers play: one strength for all, or one for each seat.
    pub computers: Vec<Strength>,
}

impl Options {
    /// How well the computer of a seat plays.
    pub fn strength(&self, seat: Seat) -> Strength {
        Strength::of(&self.computers, seat, Strength::Normal)
    }
}

/// A fleet at the start.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartFleet {
    /// Its number.
    pub number: u8,
    /// Where it is.
    pub system: u8,
    /// Its ships, by name.
    pub ships: Vec<String>,
    /// Carriers, each with the type aboard, such as `AT1 JT`.
    #[serde(default)]
    pub cargo: Vec<String>,
}

/// The units on a planet at the start.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartPlanet {
    /// The planet.
    pub at: String,
    /// Their types.
    pub units: Vec<Kind>,
}

/// The forces of a side at the start.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartSide {
    /// Its seat.
    pub seat: u8,
    /// Resources.
    pub stock: u32,
    /// Planets with Worlds.
    pub worlds: Vec<String>,
    /// Planets with Outposts.
    pub outposts: Vec<String>,
    /// Fleets.
    pub fleet: Vec<StartFleet>,
    /// Planets with units.
    pub planet: Vec<StartPlanet>,
}

/// How a war begins (§4).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// The year of its first turn.
    pub year: u32,
    /// Glory at the start.
    pub glory: i32,
    /// Both sides.
    pub side: Vec<StartSide>,
}

/// Reads everything that a game is made from.
///
/// # Errors
/// One sentence for each option or data file that makes no sense.
pub fn read(setup: &Setup) -> Result<(Options, Tables, Galaxy, Scenario), Vec<String>> {
    let mut chosen = Chosen::new(ROWS, setup);
    let mut faults = data::unknown(setup, &DEFAULTS, "Imperium");
    let units: Option<UnitsFile> = data::file(setup, &DEFAULTS, "units.toml", &mut faults);
    let tables: Option<TablesFile> = data::file(setup, &DEFAULTS, "tables.toml", &mut faults);
    let scenario: Option<Scenario> = data::file(setup, &DEFAULTS, FIRST_WAR, &mut faults);
    let map = setup.data.get("map.toml").map_or(EMBEDDED, String::as_str);
    let galaxy = Galaxy::read(map).map_err(|more| faults.extend(more)).ok();
    faults.append(&mut chosen.faults);
    let (Some(units), Some(file)) = (units, tables) else { return Err(faults) };
    let options = options(&mut chosen, &file.usual);
    faults.append(&mut chosen.faults);
    let tables = tables_of(units, file, &mut faults);
    match (galaxy, scenario, tables) {
        (Some(galaxy), Some(scenario), Some(tables)) if faults.is_empty() => {
            Ok((options, tables, galaxy, scenario))
        }
        _ => Err(faults),
    }
}

/// The number tables, if the files have all of them.
fn tables_of(units: UnitsFile, file: TablesFile, faults: &mut Vec<String>) -> Option<Tables> {
    let before = faults.len();
    let codes: Vec<&str> = units.unit.iter().map(|u| u.code.as_str()).collect();
    let wanted: Vec<&str> = Kind::ALL.iter().map(|k| k.code()).collect();
    if codes != wanted {
        let wanted = wanted.join(" ");
        faults.push(format!("units.toml: the units are {wanted}, in this order"));
        return None;
    }
    for (kind, unit) in Kind::ALL.into_iter().zip(&units.unit) {
        for (side, figures) in [(Side::Terran, &unit.terran), (Side::Imperial, &unit.imperial)] {
            if figures.is_some() != kind.built_by(side) {
                let has = if figures.is_some() { "no" } else { "its" };
                faults.push(format!("units.toml: {} has {has} {} figures", unit.code, side.name()));
            }
            let Some(f) = figures else { continue };
            if f.d == 0 || f.turns == 0 {
                faults.push(format!("units.toml: {}: d and turns are 1 or more", unit.code));
            }
            if f.count > 99 || [f.b, f.t, f.d, f.cm, f.f, f.m, f.cost].iter().any(|n| *n > 999) {
                faults.push(format!("units.toml: {}: figures are too high", unit.code));
            }
            if kind.is_troops() && f.dice.len() != usize::from(f.count) {
                faults.push(format!("units.toml: {} has dice for each counter", unit.code));
            }
        }
    }
    let sailing = [Class::Light, Class::Capital, Class::Auxiliary, Class::Monitor];
    for class in sailing.iter().filter(|c| !file.speed.contains_key(c)) {
        faults.push(format!("tables.toml: speed has no {class:?}"));
    }
    let grounds = [
        Ground::A1,
        Ground::A2,
        Ground::A3,
        Ground::N1,
        Ground::N2,
        Ground::N3,
        Ground::N4,
        Ground::X1,
    ];
    for ground in grounds {
        if !file.hexes.get(&ground).is_some_and(|n| (1..=19).contains(n)) {
            faults.push(format!("tables.toml: hexes {} is a number from 1 to 19", ground.code()));
        }
    }
    let forces = |n: u8| file.offensive.get(&n.to_string()).cloned();
    let offensive: Vec<Vec<Kind>> = (1..=7).filter_map(forces).collect();
    if offensive.len() != 7 {
        faults.push("tables.toml: offensive has the keys 1 to 7".to_owned());
    }
    if file.victory.terran.len() != 10 || file.victory.imperial.len() != 10 {
        faults.push("tables.toml: victory has a number for each of ten turns".to_owned());
    }
    (faults.len() == before).then_some(Tables {
        units: units.unit,
        speed: file.speed,
        hexes: file.hexes,
        income: file.income,
        upkeep: file.upkeep,
        offensive,
        victory: file.victory,
        works: file.works,
        limits: file.limits,
    })
}

fn options(chosen: &mut Chosen, usual: &Usual) -> Options {
    // There is only one scenario so far; any other name is an error.
    chosen.word("scenario", [()]);
    let battle_rounds = chosen.word("battle", [false, true]);
    Options {
        tempo: chosen.word("tempo", [Tempo::Segment, Tempo::Activation, Tempo::Turn]),
        battle_rounds,
        battle_ask: chosen.number_or("battle_ask", usual.battle_ask),
        halts_max: chosen.number_or("halts_max", usual.halts),
        campaign: chosen.word("wars", [false, true]),
        appeal_glory: chosen.number("appeal_glory"),
        stock_max: chosen.number("stock_max"),
        captured_world: chosen.word("captured_world", [true, false]),
        attrition_kills: chosen.switch("attrition_kills"),
        open_tracks: chosen.switch("open_tracks"),
        turn_hours: chosen.number_or("turn_hours", usual.turn_hours),
        live_hours: chosen.number_or("live_hours", usual.live_hours),
        computers: chosen.strengths(),
    }
}
