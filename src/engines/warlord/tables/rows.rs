//! The rows of the data files: units, terrain, rules, world, messages.

use serde::{Deserialize, Serialize};

/// Ground of a sector (§1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Terrain {
    /// Open ground.
    Open,
    /// Woods.
    Woods,
    /// Barren ground.
    Barren,
    /// Marsh.
    Marsh,
    /// Hills.
    Hills,
    /// Desert.
    Desert,
    /// Forest; closed to armour.
    Forest,
    /// Swamp; closed to armour.
    Swamp,
    /// Mountains; closed to armour.
    Mountains,
    /// Sea.
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
    /// On foot.
    Inf,
    /// On wheels or tracks.
    Arm,
    /// Over sea.
    Ship,
    /// By air.
    Plane,
    /// Not at all: it stays at a base.
    Arms,
}

/// A row of `units.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitRow {
    /// Number in orders.
    pub id: u8,
    /// Name as printed.
    pub name: String,
    /// One letter on tactical maps.
    pub code: String,
    /// Production time in turns.
    pub turns: u8,
    /// Price of a regiment, ship or plane in PP.
    pub pp: i64,
    /// Attack of one regiment or ship; of a plane on the ground.
    pub attack: i64,
    /// Defence of one regiment, ship or plane.
    pub defence: i64,
    /// Movement points a turn; of planes the reach one way, in sectors.
    #[serde(rename = "move")]
    pub points: u32,
    /// How it moves.
    pub class: Class,
    /// Size points of a regiment aboard a transport.
    #[serde(default)]
    pub size: u32,
    /// Size points that one ship carries.
    #[serde(default)]
    pub carries: u32,
    /// Attack in the air.
    #[serde(default)]
    pub air: i64,
    /// Bombers that the guns of one ship equal.
    #[serde(default)]
    pub guns: i64,
    /// Sectors that its guns reach; 0: what ships' guns reach.
    #[serde(default)]
    pub range: i32,
    /// Planes that one ship carries.
    #[serde(default)]
    pub places: u32,
    /// Missiles that one ship carries, and as many warheads.
    #[serde(default)]
    pub tubes: u8,
    /// Whether destroyers alone see it, and it fires first.
    #[serde(default)]
    pub hidden: bool,
    /// The tech level that brings it.
    #[serde(default = "first_level")]
    pub tech: u8,
    /// Tenths of a point of anti-aircraft fire.
    #[serde(default = "plain_flak")]
    pub flak: i64,
}

/// Units of the rulebook itself.
fn first_level() -> u8 {
    1
}

/// What a regiment without guns of its own fires at planes, in tenths.
fn plain_flak() -> i64 {
    2
}

/// A row of `terrain.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainRow {
    /// Name as printed.
    pub name: String,
    /// Two letters on tactical maps.
    pub code: String,
    /// Its character on the strategic map.
    pub sign: String,
    /// The same on own land.
    pub own: String,
    /// Movement points that it costs infantry; 0 is closed.
    pub inf: u32,
    /// Movement points that it costs armour; 0 is closed.
    pub arm: u32,
    /// Hundredths of PP a turn for a sector in supply.
    pub income: i64,
    /// A defender's toughness in per cent.
    pub shelter: i64,
    /// Work points of a road (§11); 0: none can be built.
    pub road: u16,
}

/// `rules.toml`, table by table; the keys are explained in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesTable {
    /// Movement (§3).
    pub movement: Movement,
    /// Combat (§4).
    pub combat: Combat,
    /// Generals (§4).
    pub generals: Generals,
    /// Production and control (§6).
    pub economy: Economy,
    /// Aircraft and ships' guns (§5).
    pub air: Air,
    /// Engineers' works (§11).
    pub works: WorkRules,
    /// Missiles, warheads, defences (§11).
    pub missiles: Missiles,
    /// Research (§6).
    pub research: Research,
    /// Ruins (§6).
    pub ruins: Ruins,
    /// Spying (§7).
    pub spying: Spying,
    /// Allies (§8).
    pub alliance: Alliance,
    /// Victory (§8).
    pub victory: Victory,
    /// Dropped players and rebels (§8).
    pub absence: Absence,
    /// Sight (§10).
    pub sight: Sight,
    /// Ratings (§10).
    pub rating: Rating,
}

/// `[movement]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Movement {
    /// Phases of movement a turn.
    pub phases: usize,
    /// Movement points of infantry with enough trucks.
    pub truck_speed: u32,
    /// Movement points for going aboard.
    pub boarding_cost: u32,
}

/// `[combat]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Combat {
    /// Rounds of a battle at most.
    pub rounds_max: u32,
    /// Attacker's strength to defender's that drives the defender out.
    pub dislodge_ratio: i64,
    /// Strength that each rank adds, in per cent.
    pub rank_bonus_percent: i64,
    /// The highest rank, Elite.
    pub rank_max: u8,
    /// Damage is strength by this, times luck.
    pub damage_divisor: i64,
    /// Least luck, per mille.
    pub luck_low: i64,
    /// Most luck, per mille.
    pub luck_high: i64,
    /// Attack of a defence level.
    pub city_level_attack: i64,
    /// Damage that a defence level takes.
    pub city_level_defence: i64,
    /// Toughness that each level adds to units in their own city.
    pub city_level_shelter_percent: i64,
}

/// `[generals]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generals {
    /// Sectors that a general reaches.
    pub range: i32,
    /// Skill that a general gains in a turn at most.
    pub gain_max_a_turn: u8,
    /// The highest skill.
    pub skill_max: u8,
}

/// `[economy]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Economy {
    /// Production centres of a city.
    pub centres: usize,
    /// Regiments or ships of a unit at most.
    pub division_max: u16,
    /// The highest defence level.
    pub level_max: u8,
    /// PP of the next defence level, times the level before.
    pub level_cost: i64,
    /// Own neighbours that claim a free sector.
    pub claim_neighbours: usize,
    /// PP that an I order may cost, times the tech level.
    pub spy_limit: i64,
}

/// `[air]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Air {
    /// Reach that each tech level above 1 adds, in per cent.
    pub range_percent_a_level: i32,
    /// Sectors that ships' guns reach.
    pub ship_range: i32,
    /// The same from the tech level of longer guns on.
    pub ship_range_far: i32,
    /// Anti-aircraft fire of a defence level, in tenths of a point.
    pub city_level_flak: i64,
    /// Points of bomb damage that raze a defence level.
    pub bombs_a_level: i64,
    /// Planes of a kind that a standing transfer flies a turn.
    pub transfer_max: u8,
}

/// `[works]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkRules {
    /// Work points of a fort.
    pub fort_points: u16,
    /// Work points of an airbase.
    pub base_points: u16,
    /// PP when an airbase is begun.
    pub base_pp: i64,
    /// Toughness of the holder's units in a fort, in per cent.
    pub fort_percent: i64,
}

/// `[missiles]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missiles {
    /// Points of combat damage of one.
    pub damage: i64,
    /// Defence levels that one takes where no units are.
    pub levels: u8,
    /// Sectors that a missile defence reaches.
    pub shield_range: i32,
    /// Chance of a defence to stop one, in per cent.
    pub shield_percent: u32,
    /// Sectors around an atomic strike that are wiped out.
    pub atomic_radius: i32,
    /// Turns of radiation.
    pub radiation_turns: u32,
}

/// `tech.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tech {
    /// Levels from which orders are in force.
    pub gates: Gates,
    /// What each level brings.
    pub level: Vec<LevelRow>,
}

/// `[gates]`: tech levels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gates {
    /// Roads, and pulling works down.
    pub road: u8,
    /// Forts.
    pub fort: u8,
    /// Airbases.
    pub airbase: u8,
    /// Longer guns of ships.
    pub guns: u8,
    /// Drops of paratroops.
    pub drop: u8,
    /// Missiles.
    pub rockets: u8,
    /// Satellite pictures.
    pub satellite: u8,
    /// Atomic strikes.
    pub atomic: u8,
    /// Each brings one general.
    pub generals: Vec<u8>,
}

/// What a tech level brings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelRow {
    /// The level.
    pub tech: u8,
    /// What is new, in sentences.
    pub teaches: Vec<String>,
    /// Lines as a player would write them.
    pub orders: Vec<String>,
}

/// `[research]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Research {
    /// PP by which those of a turn are divided for the chance, times the tech level.
    pub level_cost: i64,
    /// Chance of a level at most, in per cent.
    pub chance_max_percent: i64,
    /// The highest tech level.
    pub tech_max: u8,
}

impl Research {
    /// The divisor of a level: `L` of the rule.
    pub fn divisor(&self, tech: u8) -> i64 {
        (self.level_cost * i64::from(tech)).max(1)
    }

    /// Chance per mille of the next level (§6): `n (1 + p / L) / L` for hundredths `n` of PP
    /// of this turn and `p` that have gone into this level before.
    pub fn chance(&self, tech: u8, paid: i64, before: i64) -> u32 {
        let divisor = self.divisor(tech);
        let chance = paid * (100 * divisor + before) / (10 * divisor * divisor);
        // Cut to a share of 1000.
        chance.clamp(0, self.chance_max_percent * 10) as u32
    }
}

/// `[ruins]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruins {
    /// Chance of a find in a turn, in per cent.
    pub chance_percent: u32,
    /// What each regiment of engineers adds to it.
    pub regiment_percent: u32,
    /// Chance of a find at most, in per cent.
    pub chance_max_percent: u32,
    /// Share of finds that are a tech level.
    pub plans_percent: u32,
    /// Fewest PP of a find.
    pub pp_low: i64,
    /// Most PP of a find.
    pub pp_high: i64,
    /// Fewest research points of a find.
    pub points_low: i64,
    /// Most research points of a find.
    pub points_high: i64,
    /// Finds until the ruins are empty.
    pub finds_max: u8,
}

/// `[spying]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spying {
    /// Least luck, per mille.
    pub luck_low: i64,
    /// Most luck, per mille.
    pub luck_high: i64,
    /// PP of counter-spying that halve what a spy learns.
    pub counter_divisor: i64,
    /// What each level of difference counts, in per cent.
    pub tech_percent: i64,
    /// Hundredths of a research point a PP, from a higher tech level.
    pub research_percent: i64,
    /// Price of a satellite picture in PP.
    pub satellite_pp: i64,
    /// Sectors that it shows around its centre.
    pub satellite_radius: i32,
}

/// `[victory]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    /// Share of the cities that one power needs, in per cent.
    pub leader_percent: u32,
    /// The share in games of up to so many seats, in rising order.
    #[serde(default)]
    pub leader_percent_by_seats: Vec<(u8, u32)>,
    /// Turns in a row for which it must be held.
    pub turns: u8,
    /// The first turn of coalitions.
    pub coalition_turn: u32,
    /// What each further member adds to the share, in per cent.
    pub member_percent: u32,
    /// The share of a coalition at most, in per cent.
    pub share_max_percent: u32,
}

/// `[absence]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absence {
    /// Turns without a card until a seat is dropped; 0: never.
    pub turns: u32,
    /// Chance of each city of a dropped seat to rise, every turn.
    pub rebel_percent: u32,
    /// Regiments in a rebel city that set out.
    pub strike_regiments: u16,
}

/// `[alliance]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alliance {
    /// Allies of a player at most.
    pub allies_max: usize,
}

/// `[sight]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// Sectors that units see.
    pub unit: i32,
    /// Sectors that cities see.
    pub city: i32,
    /// Sectors that generals see.
    pub general: i32,
    /// Sectors in which a destroyer finds submarines.
    pub submarine: i32,
    /// Sectors around that of an O order.
    pub observation: i32,
}

/// `[rating]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// Points for a tech level.
    pub tech: i64,
    /// Points for a city.
    pub city: i64,
    /// Points for a defence level.
    pub level: i64,
    /// Points for a PP of income.
    pub income: i64,
    /// Attack and defence of all forces count by this.
    pub forces_divisor: i64,
}

/// `world.toml`; the keys are explained in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldTable {
    /// Columns at full size.
    pub cols: u16,
    /// Rows at full size.
    pub rows: u16,
    /// Seats of a world at full size.
    pub seats: u32,
    /// Cities at full size.
    pub cities: u32,
    /// Ruins at full size.
    pub ruins: u32,
    /// Seats that the smallest world is made for.
    pub seats_min: u32,
    /// Rows of the smallest world.
    pub rows_min: u16,
    /// Share of land before inlets are cut.
    pub land_percent: u32,
    /// Fewest continents.
    pub continents_min: usize,
    /// Most continents.
    pub continents_max: usize,
    /// Sectors that make a landmass a continent.
    pub continent_land_min: usize,
    /// Sectors of the smallest land with a home city.
    pub home_island_min: usize,
    /// Sectors between two cities at least.
    pub city_spacing: i32,
    /// Sectors to the nearest city at most.
    pub city_nearest_max: i32,
    /// Sectors between ruins, and to a city, at least.
    pub ruin_spacing: i32,
    /// Sectors around a home city where passable land is counted.
    pub home_radius: i32,
    /// Passable land within it, in per cent.
    pub home_passable_percent: usize,
    /// Sectors around a home city where income is levelled.
    pub income_radius: i32,
    /// Land within that radius, in per cent.
    pub income_land_percent: usize,
    /// By how much incomes of homes may differ.
    pub income_spread_percent: i64,
    /// Free cities whose distance from a home is levelled.
    pub nearest_cities: usize,
    /// By how much these distances may differ.
    pub nearest_spread_percent: i32,
    /// What a player begins with.
    pub start: Start,
    /// What free cities have.
    pub uncontrolled: Uncontrolled,
}

/// `[start]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// PP in stock.
    pub pp: i64,
    /// PP a turn of the home city.
    pub home_income: u8,
    /// Defence level of the home city.
    pub home_level: u8,
    /// Number of generals.
    pub generals: u8,
    /// Tech level.
    pub tech: u8,
    /// Fighters at home.
    pub fighters: u16,
    /// Bombers at home.
    pub bombers: u16,
    /// Sectors around home from which cities are reported.
    pub reported_radius: i32,
    /// Chance of a city there to be reported, beyond the nearest three.
    pub reported_percent: u32,
    /// ID and regiments of each land unit.
    pub divisions: Vec<(u8, u16)>,
    /// ID and ships of each flotilla, of a home on the coast.
    pub flotillas: Vec<(u8, u16)>,
}

/// `[uncontrolled]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uncontrolled {
    /// Most PP a turn.
    pub income_max: u32,
    /// Highest defence level.
    pub level_max: u32,
    /// Most regiments of infantry.
    pub infantry_max: u32,
    /// Chance of artillery, in per cent.
    pub artillery_percent: u32,
    /// Most regiments of artillery.
    pub artillery_max: u32,
}

/// One message code (§12): what it takes and its sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageRow {
    /// Its number in orders.
    pub code: u16,
    /// The kinds of its parameters in order: `X` a number, `S` a sector.
    #[serde(default)]
    pub takes: String,
    /// The sentence; `{1}`, `{2}`… stand for parameters, `[C]` and the like for
    /// values that the game fills in, `@` for the sender's name and address.
    pub says: String,
}
