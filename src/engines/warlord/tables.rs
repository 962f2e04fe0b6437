//! The number tables of a game: read once from text, typed, kept in the State.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use engine::{Setup, data};

/// Ground of a sector (§1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Terrain {
    Open,
    Woods,
    Barren,
    Marsh,
    Hills,
    Desert,
    Forest,
    Swamp,
    Mountains,
    Sea,
}

impl Terrain {
    /// All grounds in the order of `terrain.toml`.
    pub const ALL: [Self; 10] = [
        Self::Open,
        Self::Woods,
        Self::Barren,
        Self::Marsh,
        Self::Hills,
        Self::Desert,
        Self::Forest,
        Self::Swamp,
        Self::Mountains,
        Self::Sea,
    ];

    /// The ground with this index; an index that is none counts as sea.
    pub fn of(index: u8) -> Self {
        Self::ALL.get(usize::from(index)).copied().unwrap_or(Self::Sea)
    }
}

/// How a unit moves (§2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    Inf,
    Arm,
    Ship,
    Plane,
}

/// A row of `units.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitRow {
    pub id: u8,
    pub name: String,
    pub code: String,
    pub turns: u8,
    pub pp: i64,
    pub attack: i64,
    pub defence: i64,
    #[serde(rename = "move")]
    pub points: u32,
    pub class: Class,
    #[serde(default)]
    pub size: u32,
    #[serde(default)]
    pub carries: u32,
    /// Attack in the air.
    #[serde(default)]
    pub air: i64,
    /// Bombers that the guns of one ship equal.
    #[serde(default)]
    pub guns: i64,
    /// Tenths of a point of anti-aircraft fire.
    #[serde(default = "plain_flak")]
    pub flak: i64,
}

/// What a regiment without guns of its own fires at planes, in tenths.
fn plain_flak() -> i64 {
    2
}

/// A row of `terrain.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainRow {
    pub name: String,
    pub code: String,
    pub sign: String,
    pub own: String,
    pub inf: u32,
    pub arm: u32,
    pub income: i64,
    pub shelter: i64,
}

/// `rules.toml`, table by table; the keys are explained in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesTable {
    pub movement: Movement,
    pub combat: Combat,
    pub generals: Generals,
    pub economy: Economy,
    pub air: Air,
    pub research: Research,
    pub ruins: Ruins,
    pub spying: Spying,
    pub alliance: Alliance,
    pub victory: Victory,
    pub absence: Absence,
    pub sight: Sight,
    pub rating: Rating,
}

/// `[movement]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Movement {
    pub phases: usize,
    pub truck_speed: u32,
    pub boarding_cost: u32,
}

/// `[combat]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Combat {
    pub rounds_max: u32,
    pub dislodge_ratio: i64,
    pub rank_bonus_percent: i64,
    pub rank_max: u8,
    pub damage_divisor: i64,
    pub luck_low: i64,
    pub luck_high: i64,
    pub city_level_attack: i64,
    pub city_level_defence: i64,
    pub city_level_shelter_percent: i64,
}

/// `[generals]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generals {
    pub range: i32,
    pub gain_max_a_turn: u8,
    pub skill_max: u8,
}

/// `[economy]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Economy {
    pub centres: usize,
    pub division_max: u16,
    pub level_max: u8,
    pub level_cost: i64,
    pub claim_neighbours: usize,
    pub spy_limit: i64,
}

/// `[air]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Air {
    pub range_percent_a_level: i32,
    pub ship_range: i32,
    pub city_level_flak: i64,
    pub bombs_a_level: i64,
    pub transfer_max: u8,
}

/// `[research]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Research {
    pub level_cost: i64,
    pub chance_max_percent: i64,
    pub tech_max: u8,
}

/// `[ruins]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruins {
    pub chance_percent: u32,
    pub regiment_percent: u32,
    pub chance_max_percent: u32,
    pub plans_percent: u32,
    pub pp_low: i64,
    pub pp_high: i64,
    pub points_low: i64,
    pub points_high: i64,
    pub finds_max: u8,
}

/// `[spying]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spying {
    pub luck_low: i64,
    pub luck_high: i64,
    pub counter_divisor: i64,
    pub tech_percent: i64,
    pub research_percent: i64,
}

/// `[victory]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    pub leader_percent: u32,
    pub turns: u8,
    pub coalition_turn: u32,
    pub member_percent: u32,
    pub share_max_percent: u32,
}

/// `[absence]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absence {
    pub turns: u32,
    pub rebel_percent: u32,
    pub strike_regiments: u16,
}

/// `[alliance]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alliance {
    pub allies_max: usize,
}

/// `[sight]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    pub unit: i32,
    pub city: i32,
    pub general: i32,
    pub submarine: i32,
    pub observation: i32,
}

/// `[rating]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    pub tech: i64,
    pub city: i64,
    pub level: i64,
    pub income: i64,
    pub forces_divisor: i64,
}

/// `world.toml`; the keys are explained in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldTable {
    pub cols: u16,
    pub rows: u16,
    pub seats: u32,
    pub cities: u32,
    pub ruins: u32,
    pub seats_min: u32,
    pub rows_min: u16,
    pub land_percent: u32,
    pub continents_min: usize,
    pub continents_max: usize,
    pub continent_land_min: usize,
    pub home_island_min: usize,
    pub city_spacing: i32,
    pub city_nearest_max: i32,
    pub ruin_spacing: i32,
    pub home_radius: i32,
    pub home_passable_percent: usize,
    pub income_radius: i32,
    pub income_land_percent: usize,
    pub income_spread_percent: i64,
    pub nearest_cities: usize,
    pub nearest_spread_percent: i32,
    pub start: Start,
    pub uncontrolled: Uncontrolled,
}

/// `[start]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    pub pp: i64,
    pub home_income: u8,
    pub home_level: u8,
    pub generals: u8,
    pub fighters: u16,
    pub bombers: u16,
    pub reported_radius: i32,
    pub reported_percent: u32,
    pub divisions: Vec<(u8, u16)>,
    pub flotillas: Vec<(u8, u16)>,
}

/// `[uncontrolled]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uncontrolled {
    pub income_max: u32,
    pub level_max: u32,
    pub infantry_max: u32,
    pub artillery_percent: u32,
    pub artillery_max: u32,
}

/// One message code (§12): what it takes and its sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageRow {
    pub code: u16,
    /// The kinds of its parameters in order: `X` a number, `S` a sector.
    #[serde(default)]
    pub takes: String,
    /// The sentence; `{1}`, `{2}`… stand for parameters, `[C]` and the like for
    /// values that the game fills in, `@` for the sender's name and address.
    pub says: String,
}

/// All tables of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    pub units: Vec<UnitRow>,
    pub terrain: Vec<TerrainRow>,
    pub rules: RulesTable,
    pub world: WorldTable,
    pub messages: Vec<MessageRow>,
    /// The messages in other languages, by two-letter code.
    pub translations: BTreeMap<String, Vec<MessageRow>>,
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
pub const DEFAULTS: [(&str, &str); 6] = [
    ("units.toml", include_str!("../../../config/warlord/units.toml")),
    ("terrain.toml", include_str!("../../../config/warlord/terrain.toml")),
    ("rules.toml", include_str!("../../../config/warlord/rules.toml")),
    ("world.toml", include_str!("../../../config/warlord/world.toml")),
    ("messages.toml", include_str!("../../../config/warlord/messages.toml")),
    ("messages.de.toml", include_str!("../../../config/warlord/messages.de.toml")),
];

/// Languages of the messages; the first is that of everything else.
pub const LANGUAGES: &[&str] = &["en", "de"];

impl Tables {
    /// Reads the setup's files, or the embedded one where the setup has none.
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
        let messages: Option<MessageFile> =
            data::file(setup, &DEFAULTS, "messages.toml", &mut faults);
        let mut translations = BTreeMap::new();
        for language in &LANGUAGES[1..] {
            let file: Option<MessageFile> =
                data::file(setup, &DEFAULTS, &format!("messages.{language}.toml"), &mut faults);
            translations.extend(file.map(|f| ((*language).to_owned(), f.message)));
        }
        let (Some(units), Some(terrain), Some(rules), Some(world), Some(messages)) =
            (units, terrain, rules, world, messages)
        else {
            return Err(faults);
        };
        let (units, terrain, messages) = (units.unit, terrain.terrain, messages.message);
        let tables = Self { units, terrain, rules, world, messages, translations };
        faults.extend(tables.faults());
        if faults.is_empty() { Ok(tables) } else { Err(faults) }
    }

    /// The embedded tables, which a test proves to be sound.
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

    /// The message with this code.
    pub fn message(&self, code: u16) -> Option<&MessageRow> {
        self.messages.iter().find(|m| m.code == code)
    }

    /// The sentence of a message in a language, in the first one where the
    /// language has none.
    pub fn sentence(&self, code: u16, language: &str) -> &str {
        let own = self.translations.get(language).and_then(|t| t.iter().find(|m| m.code == code));
        own.or_else(|| self.message(code)).map_or("", |m| &m.says)
    }

    /// How far planes of a type fly one way at a tech level (§5, §11).
    pub fn reach(&self, kind: u8, tech: u8) -> i32 {
        let more = self.rules.air.range_percent_a_level * (i32::from(tech.max(1)) - 1);
        // Reach is a small table value.
        self.row(kind).points as i32 * (100 + more) / 100
    }

    /// The radius of missions from which planes come back.
    pub fn radius(&self, kind: u8, tech: u8) -> i32 {
        self.reach(kind, tech) / 2
    }

    /// Cost of entering `terrain` over land; `None` when closed to the class.
    pub fn land_cost(&self, class: Class, terrain: Terrain) -> Option<u32> {
        let row = self.ground(terrain);
        let cost = match class {
            Class::Inf => row.inf,
            Class::Arm => row.arm,
            Class::Ship | Class::Plane => 0,
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

/// What a sentence leaves out of its parameters.
fn unfilled(file: &str, rows: &[MessageRow]) -> Vec<String> {
    let missing = |row: &MessageRow| {
        let says = row.says.clone();
        let out = (1..=row.takes.len()).filter(move |n| !says.contains(&format!("{{{n}}}")));
        let (file, code) = (file.to_owned(), row.code);
        out.map(move |n| format!("{file}: code {code} leaves out {{{n}}}")).collect::<Vec<_>>()
    };
    rows.iter().flat_map(missing).collect()
}

/// The values that the game puts into a sentence, in order.
pub fn filled_in(says: &str) -> Vec<char> {
    says.split('[').skip(1).filter_map(|part| part.chars().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_tables_are_sound() {
        assert_eq!(Tables::read(&Setup::default()).map(|_| ()), Ok(()));
    }

    #[test]
    fn every_fault_of_a_data_file_is_named() {
        let data = [("units.toml", "unit = 3"), ("extra.toml", "")];
        let data = data.map(|(n, t)| (n.to_owned(), t.to_owned())).into();
        let faults = Tables::read(&Setup { data, ..Setup::default() }).expect_err("bad files");
        assert!(faults.iter().any(|f| f.starts_with("units.toml:")), "{faults:?}");
        assert!(faults.iter().any(|f| f.starts_with("extra.toml:")), "{faults:?}");
    }
}
