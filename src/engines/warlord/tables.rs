//! The number tables of a game: read once from text into types, and kept in the State.

mod rows;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::rows::{
    Absence, Air, Alliance, Class, Combat, Economy, Gates, Generals, LevelRow, MessageRow,
    Missiles, Movement, Rating, Research, Ruins, RulesTable, Sight, Spying, Start, Tech, Terrain,
    TerrainRow, Uncontrolled, UnitRow, Victory, WorkRules, WorldTable,
};
use super::level::Levels;
use super::options::ROWS;
use engine::options::Chosen;
use engine::{Seat, Setup, Strength, data};

/// All tables of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// Types of units by ID.
    pub units: Vec<UnitRow>,
    /// Grounds in the order of [`Terrain::ALL`].
    pub terrain: Vec<TerrainRow>,
    /// Numbers of the rules.
    pub rules: RulesTable,
    /// Numbers of a new world.
    pub world: WorldTable,
    /// The effects of tech levels.
    pub tech: Tech,
    /// Sentences of messages by code.
    pub messages: Vec<MessageRow>,
    /// The messages in other languages, by two-letter code.
    pub translations: BTreeMap<String, Vec<MessageRow>>,
    /// The play of computer players at each strength. It is saved only where it was changed, so
    /// that the bytes of other games stay the same.
    #[serde(
        default,
        skip_serializing_if = "Levels::are_usual",
        deserialize_with = "known_or_usual"
    )]
    pub computer: Levels,
    /// Strengths of computer players: one for all, or one for each seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub computers: Vec<Strength>,
}

fn known_or_usual<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Levels, D::Error> {
    Ok(data::known(from)?.unwrap_or_default())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitFile {
    unit: Vec<UnitRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TerrainFile {
    terrain: Vec<TerrainRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageFile {
    message: Vec<MessageRow>,
}

/// The embedded files by name.
pub const DEFAULTS: [(&str, &str); 8] = [
    ("units.toml", include_str!("../../../config/warlord/units.toml")),
    ("terrain.toml", include_str!("../../../config/warlord/terrain.toml")),
    ("rules.toml", include_str!("../../../config/warlord/rules.toml")),
    ("world.toml", include_str!("../../../config/warlord/world.toml")),
    ("tech.toml", include_str!("../../../config/warlord/tech.toml")),
    ("messages.toml", include_str!("../../../config/warlord/messages.toml")),
    ("messages.de.toml", include_str!("../../../config/warlord/messages.de.toml")),
    ("computer.toml", include_str!("../../../config/warlord/computer.toml")),
];

/// Languages of the messages; everything else is in the first one.
pub const LANGUAGES: &[&str] = &["en", "de"];

impl Tables {
    /// Reads the setup's files, and the embedded ones for files that the setup lacks.
    ///
    /// # Errors
    /// One sentence for each file that can't be read or makes no sense.
    pub fn read(setup: &Setup) -> Result<Self, Vec<String>> {
        let mut faults = data::unknown(setup, &DEFAULTS, "Warlord");
        let units: Option<UnitFile> = data::file(setup, &DEFAULTS, "units.toml", &mut faults);
        let terrain: Option<TerrainFile> =
            data::file(setup, &DEFAULTS, "terrain.toml", &mut faults);
        let rules: Option<RulesTable> = data::file(setup, &DEFAULTS, "rules.toml", &mut faults);
        let world: Option<WorldTable> = data::file(setup, &DEFAULTS, "world.toml", &mut faults);
        let tech: Option<Tech> = data::file(setup, &DEFAULTS, "tech.toml", &mut faults);
        let messages: Option<MessageFile> =
            data::file(setup, &DEFAULTS, "messages.toml", &mut faults);
        let computer: Option<Levels> = data::file(setup, &DEFAULTS, "computer.toml", &mut faults);
        let mut translations = BTreeMap::new();
        for language in &LANGUAGES[1..] {
            let file: Option<MessageFile> =
                data::file(setup, &DEFAULTS, &format!("messages.{language}.toml"), &mut faults);
            translations.extend(file.map(|f| ((*language).to_owned(), f.message)));
        }
        let (
            Some(units),
            Some(terrain),
            Some(rules),
            Some(world),
            Some(tech),
            Some(messages),
            Some(computer),
        ) = (units, terrain, rules, world, tech, messages, computer)
        else {
            return Err(faults);
        };
        let (units, terrain, messages) = (units.unit, terrain.terrain, messages.message);
        let tables = Self {
            units,
            terrain,
            rules,
            world,
            tech,
            messages,
            translations,
            computer,
            computers: Vec::new(),
        };
        faults.extend(tables.faults());
        if faults.is_empty() { Ok(tables) } else { Err(faults) }
    }

    /// Sets the values that the options of a game change.
    ///
    /// # Errors
    /// One sentence for each option that is wrong.
    pub fn choose(&mut self, setup: &Setup) -> Result<(), Vec<String>> {
        let mut chosen = Chosen::new(ROWS, setup);
        let victory = &mut self.rules.victory;
        let of_seats = victory.leader_percent_by_seats.iter().find(|(n, _)| setup.seats <= *n);
        let usual = of_seats.map_or(victory.leader_percent, |(_, percent)| *percent);
        victory.leader_percent = chosen.number_or("leader_percent", usual);
        let absence = &mut self.rules.absence;
        absence.turns = chosen.number_or("absent_turns", absence.turns);
        let start = &mut self.world.start;
        // It is from 1 to 10, as the row of the option says.
        start.tech = chosen.number_or("tech_start", start.tech.into()) as u8;
        self.computers = chosen.strengths();
        if chosen.faults.is_empty() { Ok(()) } else { Err(chosen.faults) }
    }

    /// The embedded tables; a test proves that they are sound.
    pub fn embedded() -> Self {
        Self::read(&Setup::default()).expect("the embedded tables are sound")
    }

    /// The unit type with this ID.
    pub fn unit(&self, id: u8) -> Option<&UnitRow> {
        self.units.iter().find(|u| u.id == id)
    }

    /// The row of a unit in play, whose ID was checked when it was made.
    pub fn row(&self, id: u8) -> &UnitRow {
        self.unit(id).unwrap_or(&self.units[0])
    }

    /// The row of a ground.
    pub fn ground(&self, terrain: Terrain) -> &TerrainRow {
        &self.terrain[terrain as usize]
    }

    /// The strength of the computer player of a seat.
    pub fn strength(&self, seat: u8) -> Strength {
        Strength::of(&self.computers, Seat(seat), Strength::Normal)
    }

    /// The message with this code.
    pub fn message(&self, code: u16) -> Option<&MessageRow> {
        self.messages.iter().find(|m| m.code == code)
    }

    /// The sentence of a message in a language; in the first language if there is no translation.
    pub fn sentence(&self, code: u16, language: &str) -> &str {
        let own = self.translations.get(language).and_then(|t| t.iter().find(|m| m.code == code));
        own.or_else(|| self.message(code)).map_or("", |m| &m.says)
    }

    /// The sectors that planes of a type fly one way at a tech level (§5, §11).
    pub fn reach(&self, kind: u8, tech: u8) -> i32 {
        let more = self.rules.air.range_percent_a_level * (i32::from(tech.max(1)) - 1);
        // Reach is a small table value.
        self.row(kind).points as i32 * (100 + more) / 100
    }

    /// The radius of missions from which planes come back.
    pub fn radius(&self, kind: u8, tech: u8) -> i32 {
        self.reach(kind, tech) / 2
    }

    /// Number of generals of a seat at a tech level (§11).
    pub fn generals(&self, tech: u8) -> usize {
        let more = self.tech.gates.generals.iter().filter(|level| **level <= tech);
        usize::from(self.world.start.generals) + more.count()
    }

    /// Sectors that a ship's guns reach at a tech level.
    pub fn gun_range(&self, row: &UnitRow, tech: u8) -> i32 {
        match row.range {
            0 if tech >= self.tech.gates.guns => self.rules.air.ship_range_far,
            0 => self.rules.air.ship_range,
            own => own,
        }
    }

    /// Cost of entering `terrain` over land; `None` when closed to the class.
    pub fn land_cost(&self, class: Class, terrain: Terrain) -> Option<u32> {
        let row = self.ground(terrain);
        let cost = match class {
            Class::Inf => row.inf,
            Class::Arm => row.arm,
            Class::Ship | Class::Plane | Class::Arms => 0,
        };
        (cost > 0).then_some(cost)
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let names = Terrain::ALL.map(|t| format!("{t:?}").to_lowercase());
        if self.terrain.iter().map(|t| &t.name).ne(names.iter()) {
            faults.push(format!("terrain.toml: rows must be {}", names.join(", ")));
        }
        for (i, unit) in self.units.iter().enumerate() {
            if self.units[..i].iter().any(|u| u.id == unit.id) {
                faults.push(format!("units.toml: ID {} stands twice", unit.id));
            }
        }
        let most = self.rules.research.tech_max;
        if self.tech.level.iter().map(|l| l.tech).ne(2..=most) {
            faults.push(format!("tech.toml: levels must be 2 to {most}, in order"));
        }
        if let Some(unit) = self.units.iter().find(|u| !(1..=most).contains(&u.tech)) {
            faults.push(format!(
                "units.toml: ID {} has tech {}, not 1 to {most}",
                unit.id, unit.tech
            ));
        }
        let start = &self.world.start;
        for (id, _) in start.divisions.iter().chain(&start.flotillas) {
            if self.unit(*id).is_none() {
                faults.push(format!("world.toml: start force of unknown ID {id}"));
            }
        }
        if self.rules.economy.centres != 3 {
            faults.push("rules.toml: economy.centres must be 3".to_owned());
        }
        for (language, rows) in &self.translations {
            let file = format!("messages.{language}.toml");
            let known = |m: &MessageRow| (m.code, m.takes.clone(), filled_in(&m.says));
            let (theirs, ours): (Vec<_>, Vec<_>) =
                (rows.iter().map(known).collect(), self.messages.iter().map(known).collect());
            let odd = ours.iter().zip(&theirs).find(|(a, b)| a != b).map(|(a, _)| a.0);
            if odd.is_some() || ours.len() != theirs.len() {
                let code = odd.unwrap_or_default();
                faults.push(format!("{file}: not the codes of messages.toml, from code {code} on"));
            }
            faults.extend(unfilled(&file, rows));
        }
        faults.extend(unfilled("messages.toml", &self.messages));
        faults
    }
}

/// One fault for each parameter that a sentence leaves out.
fn unfilled(file: &str, rows: &[MessageRow]) -> Vec<String> {
    let missing = |row: &MessageRow| {
        let says = row.says.clone();
        let out = (1..=row.takes.len()).filter(move |n| !says.contains(&format!("{{{n}}}")));
        let (file, code) = (file.to_owned(), row.code);
        out.map(move |n| format!("{file}: code {code} leaves out {{{n}}}")).collect::<Vec<_>>()
    };
    rows.iter().flat_map(missing).collect()
}

/// The values that the game fills into a sentence, in order.
pub fn filled_in(says: &str) -> Vec<char> {
    says.split('[').skip(1).filter_map(|part| part.chars().next()).collect()
}
