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

    /// The ground with this index; an unknown index counts as sea.
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
    /// Not by itself: it stays at a base.
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
    /// Attack of one regiment or ship; for a plane, its attack on the ground.
    pub attack: i64,
    /// Defence of one regiment, ship or plane.
    pub defence: i64,
    /// Movement points a turn; for planes, the sectors that they fly one way.
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
    /// Sectors that its guns reach; 0 for the usual reach of ships' guns.
    #[serde(default)]
    pub range: i32,
    /// Planes that one ship carries.
    #[serde(default)]
    pub places: u32,
    /// Missiles that one ship carries, and as many warheads.
    #[serde(default)]
    pub tubes: u8,
    /// Whether only destroyers see it, and it fires first.
    #[serde(default)]
    pub hidden: bool,
    /// The tech level that brings it.
    #[serde(default = "first_level")]
    pub tech: u8,
    /// Anti-aircraft fire, in tenths of a point.
    #[serde(default = "plain_flak")]
    pub flak: i64,
}

/// The tech level of units in the basic rules.
fn first_level() -> u8 {
    1
}

/// Anti-aircraft fire of a regiment without special guns, in tenths of a point.
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
    /// Its character on own land of the strategic map.
    pub own: String,
    /// Movement points that it costs infantry; 0 if closed.
    pub inf: u32,
    /// Movement points that it costs armour; 0 if closed.
    pub arm: u32,
    /// Hundredths of PP a turn for a sector in supply.
    pub income: i64,
    /// Toughness of a defender there, in per cent.
    pub shelter: i64,
    /// Work points of a road (§11); 0 if none can be built.
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
    /// Movement points of a convoy, infantry with enough trucks.
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
    /// The ratio of the attacker's strength to the defender's that drives the defender out.
    pub dislodge_ratio: i64,
    /// Strength that each rank adds, in per cent.
    pub rank_bonus_percent: i64,
    /// The highest rank, Elite.
    pub rank_max: u8,
    /// Strength is divided by this, and multiplied by luck, to give damage.
    pub damage_divisor: i64,
    /// Least luck, per mille.
    pub luck_low: i64,
    /// Most luck, per mille.
    pub luck_high: i64,
    /// Attack of a defence level.
    pub city_level_attack: i64,
    /// Damage that destroys a defence level.
    pub city_level_defence: i64,
    /// Toughness that each level adds to units in their own city, in per cent.
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
    /// PP of the next defence level, times the current level.
    pub level_cost: i64,
    /// The number of own neighbours that claims a free sector.
    pub claim_neighbours: usize,
    /// The most PP of an I order, times the tech level.
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
    /// Sectors that ships' guns reach from the tech level of longer guns on.
    pub ship_range_far: i32,
    /// Anti-aircraft fire of a defence level, in tenths of a point.
    pub city_level_flak: i64,
    /// Points of bomb damage that destroy a defence level.
    pub bombs_a_level: i64,
    /// The most planes of a type that a standing transfer flies each turn.
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
    /// PP due when an airbase is begun.
    pub base_pp: i64,
    /// Toughness of the holder's units in a fort, in per cent.
    pub fort_percent: i64,
}

/// `[missiles]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missiles {
    /// Combat damage of one missile, in points.
    pub damage: i64,
    /// Defence levels that one missile destroys where there are no units.
    pub levels: u8,
    /// Sectors that a missile defence reaches.
    pub shield_range: i32,
    /// Chance that a defence stops a missile, in per cent.
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
    /// Tech levels from which some orders are in force.
    pub gates: Gates,
    /// The effects of each level.
    pub level: Vec<LevelRow>,
}

/// `[gates]`: the tech levels that bring new orders and strengths.
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
    /// The levels that bring one general each.
    pub generals: Vec<u8>,
}

/// The effects of a tech level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelRow {
    /// The level.
    pub tech: u8,
    /// The news of the level, in sentences.
    pub teaches: Vec<String>,
    /// Lines as a player would write them.
    pub orders: Vec<String>,
}

/// `[research]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Research {
    /// The PP of a turn are divided by this, times the tech level, to give the chance of a level.
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

    /// Chance per mille of the next level (§6): `n (1 + p / L) / L`, where `n` are the hundredths
    /// of PP paid this turn, and `p` those paid for this level before.
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
    /// Addition to the chance for each regiment of engineers, in per cent.
    pub regiment_percent: u32,
    /// Chance of a find at most, in per cent.
    pub chance_max_percent: u32,
    /// Share of finds that are a tech level, in per cent.
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
    /// PP of counter-spying that halve the results of a spy.
    pub counter_divisor: i64,
    /// Effect of each level of difference between both tech levels, in per cent.
    pub tech_percent: i64,
    /// Hundredths of a research point for each PP, when the other's tech level is higher.
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
    /// The share in games of up to a number of seats, with these numbers in rising order.
    #[serde(default)]
    pub leader_percent_by_seats: Vec<(u8, u32)>,
    /// Turns in a row for which the share must be held.
    pub turns: u8,
    /// The first turn in which coalitions may be formed.
    pub coalition_turn: u32,
    /// Addition to the share for each further member, in per cent.
    pub member_percent: u32,
    /// The highest share of a coalition, in per cent.
    pub share_max_percent: u32,
}

/// `[absence]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absence {
    /// Turns without a card after which a seat is dropped; 0 for never.
    pub turns: u32,
    /// Chance each turn that a city of a dropped seat rises, in per cent.
    pub rebel_percent: u32,
    /// Regiments in a rebel city that are enough to set out.
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
    /// Sectors within which a destroyer finds submarines.
    pub submarine: i32,
    /// Sectors around the target of an O order that its planes see.
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
    /// The attack and defence of all forces are divided by this.
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
    /// The number of seats for which the smallest world is made.
    pub seats_min: u32,
    /// Rows of the smallest world.
    pub rows_min: u16,
    /// Land, in per cent, before inlets are cut.
    pub land_percent: u32,
    /// Fewest continents.
    pub continents_min: usize,
    /// Most continents.
    pub continents_max: usize,
    /// The fewest sectors of a landmass that counts as a continent.
    pub continent_land_min: usize,
    /// The fewest sectors of a landmass with a home city.
    pub home_island_min: usize,
    /// The fewest sectors between two cities.
    pub city_spacing: i32,
    /// The most sectors from a city to the nearest other one.
    pub city_nearest_max: i32,
    /// The fewest sectors between ruins, and from ruins to a city.
    pub ruin_spacing: i32,
    /// Sectors around a home city where passable land is counted.
    pub home_radius: i32,
    /// The least passable land within that radius, in per cent.
    pub home_passable_percent: usize,
    /// Sectors around a home city where income is made even.
    pub income_radius: i32,
    /// The least land within that radius, in per cent.
    pub income_land_percent: usize,
    /// The largest difference between the incomes of homes, in per cent.
    pub income_spread_percent: i64,
    /// The number of nearest free cities whose distances from a home are made even.
    pub nearest_cities: usize,
    /// The largest difference between these distances, in per cent.
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
    /// Chance that a city there is reported, for all but the nearest three.
    pub reported_percent: u32,
    /// ID and regiments of each land unit.
    pub divisions: Vec<(u8, u16)>,
    /// ID and ships of each flotilla, for a home on the coast.
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

/// One message code (§12): its parameters and its sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageRow {
    /// Its number in orders.
    pub code: u16,
    /// The kinds of its parameters in order: `X` a number, `S` a sector.
    #[serde(default)]
    pub takes: String,
    /// The sentence; `{1}`, `{2}`… are replaced by parameters, `[C]` and the like by values that
    /// the game fills in, `@` by the sender's name and address.
    pub says: String,
}
