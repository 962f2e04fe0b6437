//! The state of a game: powers with their units, cities and standing orders.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::pieces::{
    Billet, Centre, City, General, Goal, Meeting, Rating, Sighting, Target, Unit,
};
use super::bases::{Airbase, Decks, Hangar, Planes};
use super::tables::{Class, Tables, UnitRow};
use super::works::{Site, Works};
use super::world::World;
use engine::geometry::{Grid, Place};
use engine::{Dice, Setup};

mod holdings;
mod pieces;

pub use super::bases::{BOMBER, FIGHTER, JET};

/// The nameless power that holds uncontrolled cities.
pub const NOBODY: u8 = 0;

/// Type ID of engineers; see `units.toml` for all IDs.
pub const ENGINEER: u8 = 2;
/// Infantry.
pub const INFANTRY: u8 = 1;
/// Tanks.
pub const TANK: u8 = 3;
/// Trucks.
pub const TRUCK: u8 = 4;
/// Artillery.
pub const ARTILLERY: u8 = 5;
/// Type ID of anti-aircraft batteries.
pub const BATTERY: u8 = 6;
/// Type ID of mechanised infantry.
pub const MECHANISED: u8 = 7;
/// Type ID of heavy tanks.
pub const HEAVY_TANK: u8 = 8;
/// Destroyers.
pub const DESTROYER: u8 = 10;
/// Cruisers.
pub const CRUISER: u8 = 11;
/// Battleships.
pub const BATTLESHIP: u8 = 12;
/// Transports.
pub const TRANSPORT: u8 = 13;
/// Submarines.
pub const SUBMARINE: u8 = 14;
/// Carriers.
pub const CARRIER: u8 = 15;
/// Missile cruisers.
pub const MISSILE_CRUISER: u8 = 16;
/// Nuclear submarines.
pub const NUCLEAR_SUBMARINE: u8 = 17;
/// A defence level of a city.
pub const LEVEL: u8 = 21;
/// Missiles.
pub const MISSILE: u8 = 24;
/// Atomic warheads.
pub const WARHEAD: u8 = 25;
/// Missile defences.
pub const SHIELD: u8 = 26;
/// Paratroops.
pub const PARATROOPS: u8 = 9;

/// One seat's empire; number 0 is the nameless power.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Power {
    /// Its seat.
    pub seat: u8,
    /// Stock in hundredths of PP.
    pub stock: i64,
    /// Tech level, from 1.
    pub tech: u8,
    /// Its units by number.
    pub units: BTreeMap<u16, Unit>,
    /// Its cities by number.
    pub cities: BTreeMap<u16, City>,
    /// Bases that its engineers built or its troops took, by number.
    pub airbases: BTreeMap<u16, Airbase>,
    /// The contents of its carriers and nuclear submarines; each of these ships has an entry.
    pub decks: Decks,
    /// Its generals in the order of their numbers.
    pub generals: Vec<General>,
    /// Seats that it treats as allies.
    pub allies: BTreeSet<u8>,
    /// PP a turn for counter-spying.
    pub counter_spying: i64,
    /// Income of the last turn in hundredths of PP, including that of sectors.
    pub income: i64,
    /// Hundredths of PP that sectors paid last turn.
    pub sector_income: i64,
    /// Its rating after the last turn.
    pub rating: Rating,
    /// One bit for each sector, set if its ground is known.
    #[serde(with = "serde_bytes")]
    pub explored: Vec<u8>,
    /// What it last knew of foreign cities, by number.
    pub sightings: BTreeMap<u16, Sighting>,
    /// Players met.
    pub met: BTreeMap<u8, Meeting>,
    /// Research points in hundredths.
    pub research: i64,
    /// Centres of the areas that aircraft observed in the last turn.
    pub observed: Vec<Place>,
    /// Centres of last turn's satellite pictures.
    pub pictures: Vec<Place>,
    /// Works, bases and radiation as it last saw them, by sector.
    pub sites: BTreeMap<Place, Site>,
    /// Ruins that were found empty.
    pub exhausted: BTreeSet<Place>,
    /// Players that this one would form a coalition with (§8).
    pub pledges: BTreeSet<u8>,
    /// Members of its own coalition that it votes out.
    pub expels: BTreeSet<u8>,
    /// Turns in a row at the end of which the power by itself held its share of the cities.
    pub held: u8,
    /// Turns in a row without a card.
    pub missed: u32,
    /// The turn in which the empire fell.
    pub fell: Option<u32>,
    /// Cities, rating and income at the end of each turn, for charts.
    pub history: Vec<(u16, i64, i64)>,
}

impl Power {
    /// Notes that forces of `other` were met in `turn`.
    pub fn meet(&mut self, other: u8, turn: u32) {
        self.met.entry(other).or_insert(Meeting { first: turn, last: turn }).last = turn;
    }

    /// The guns of the power's ships near a coastal sector, as the number of bombers that they
    /// equal.
    pub fn guns_at(&self, tables: &Tables, grid: Grid, target: Place) -> i64 {
        let guns = |u: &Unit| {
            let row = tables.row(u.kind);
            let near = grid.distance(u.at, target) <= tables.gun_range(row, self.tech);
            if near { row.guns * i64::from(u.size) } else { 0 }
        };
        self.units.values().map(guns).sum()
    }

    /// Whether anything of the empire is left.
    pub fn stands(&self) -> bool {
        !self.cities.is_empty() || !self.units.is_empty()
    }

    /// The lowest unit number that is free.
    pub fn free_number(&self) -> u16 {
        let used = self.units.keys();
        (1..).zip(used).find(|(n, k)| n != *k).map_or(self.units.len() as u16 + 1, |(n, _)| n)
    }

    /// Where a general stands.
    pub fn general_at(&self, general: &General) -> Option<Place> {
        match general.billet? {
            Billet::Unit(no) => self.units.get(&no).map(|u| u.at),
            Billet::City(no) => self.cities.get(&no).map(|c| c.at),
        }
    }

    /// The city in a sector.
    pub fn city_at(&self, place: Place) -> Option<(u16, &City)> {
        self.cities.iter().find(|(_, c)| c.at == place).map(|(n, c)| (*n, c))
    }

    /// Units carried by a flotilla, by number.
    pub fn cargo(&self, ship: u16) -> impl Iterator<Item = u16> + '_ {
        self.units.iter().filter(move |(_, u)| u.aboard == Some(ship)).map(|(n, _)| *n)
    }

    /// Size points still free on a flotilla.
    pub fn room(&self, tables: &Tables, ship: u16) -> u32 {
        let Some(flotilla) = self.units.get(&ship) else { return 0 };
        let all = tables.row(flotilla.kind).carries * u32::from(flotilla.size);
        let used = self.cargo(ship).filter_map(|n| self.units.get(&n));
        let used: u32 = used.map(|u| tables.row(u.kind).size * u32::from(u.size)).sum();
        all.saturating_sub(used)
    }

    /// Whether the sector's ground is known.
    pub fn has_explored(&self, place: Place) -> bool {
        let (byte, bit) = (usize::from(place.0 / 8), place.0 % 8);
        self.explored.get(byte).is_some_and(|b| b >> bit & 1 == 1)
    }

    /// Notes that the sector's ground is known.
    pub fn explore(&mut self, place: Place) {
        if let Some(byte) = self.explored.get_mut(usize::from(place.0 / 8)) {
            *byte |= 1 << (place.0 % 8);
        }
    }

    /// Adds newly built regiments or ships to a unit of the type in the sector, or makes a new
    /// unit; returns its number.
    pub fn join_or_form(&mut self, tables: &Tables, kind: u8, at: Place, size: u16) -> u16 {
        let most = tables.rules.economy.division_max;
        let fits =
            |u: &Unit| u.kind == kind && u.at == at && u.aboard.is_none() && u.size + size <= most;
        if let Some((no, unit)) = self.units.iter_mut().find(|(_, u)| fits(u)) {
            unit.rank = average_rank(&[(unit.size, unit.rank), (size, 0)]);
            unit.size += size;
            return *no;
        }
        let no = self.free_number();
        self.units.insert(no, Unit { kind, at, size, rank: 0, aboard: None, goal: None });
        self.deck(tables, no);
        no
    }

    /// Gives a new carrier or nuclear submarine its empty deck.
    pub fn deck(&mut self, tables: &Tables, no: u16) {
        let row = self.units.get(&no).map(|u| tables.row(u.kind));
        if row.is_some_and(|row| row.places + u32::from(row.tubes) > 0) {
            self.decks.entry(no).or_default();
        }
    }

    /// Sends a general whose unit or city is lost to the home city, or to the own city with the
    /// lowest number, with skill 0 and a new name. Without a city the general is lost for good.
    pub fn replace_general(&mut self, index: usize, name: String) -> Option<u16> {
        let home = u16::from(self.seat);
        let city = match self.cities.contains_key(&home) {
            true => Some(home),
            false => self.cities.keys().next().copied(),
        };
        let general = self.generals.get_mut(index)?;
        (general.skill, general.gained) = (0, 0);
        general.billet = city.map(Billet::City);
        if city.is_some() {
            general.name = name;
        }
        city
    }
}

/// The average of ranks, weighted by regiments; half a rank rounds up (ours).
pub fn average_rank(parts: &[(u16, u8)]) -> u8 {
    let regiments: u32 = parts.iter().map(|(n, _)| u32::from(*n)).sum();
    let ranks: u32 = parts.iter().map(|(n, r)| u32::from(*n) * u32::from(*r)).sum();
    // An average of ranks 0 to 3 is one of them.
    ((2 * ranks + regiments) / (2 * regiments.max(1))) as u8
}

/// The whole state of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The tables of the game.
    pub tables: Arc<Tables>,
    /// Turn whose orders are being collected.
    pub turn: u32,
    /// The ground and the sites of cities and ruins, which hardly change.
    pub world: Arc<World>,
    /// Seat that controls each sector, 0 for nobody.
    #[serde(with = "serde_bytes")]
    pub control: Vec<u8>,
    /// Powers by seat number; the first is the nameless one.
    pub powers: Vec<Power>,
    /// Finished and unfinished works of engineers, by sector (§11).
    pub works: BTreeMap<Place, Works>,
    /// The last turn of radiation, by sector (§11).
    pub fallout: BTreeMap<Place, u32>,
    /// Razed cities.
    pub razed: BTreeSet<u16>,
    /// Finds made at each ruin of the world.
    #[serde(with = "serde_bytes")]
    pub ruin_finds: Vec<u8>,
    /// Coalitions; a power is in one at most.
    pub coalitions: Vec<Coalition>,
    /// How the game ended.
    pub over: Option<Victory>,
}

/// Powers that win together (§8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coalition {
    /// Its seats.
    pub members: BTreeSet<u8>,
    /// Turns in a row at the end of which they held their share of the cities.
    pub held: u8,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Victory {
    /// The world leader, the members of the coalition, or nobody.
    pub winners: BTreeSet<u8>,
    /// The turn at the end of which it was won.
    pub turn: u32,
}

impl State {
    /// Number of seats.
    pub fn seats(&self) -> u8 {
        // `powers` has one entry for each seat, numbered by u8, and one for the nameless power.
        (self.powers.len() - 1) as u8
    }

    /// Size of the map.
    pub fn grid(&self) -> Grid {
        self.world.grid
    }

    /// The table row of a unit.
    pub fn row(&self, unit: &Unit) -> &UnitRow {
        self.tables.row(unit.kind)
    }

    /// Makes a game (§1, start of a player).
    ///
    /// # Errors
    /// One sentence for each fault of the data files.
    pub fn new(setup: &Setup, dice: &mut Dice) -> Result<Self, Vec<String>> {
        let mut tables = Tables::read(setup)?;
        tables.choose(setup)?;
        let world = World::generate(&tables, setup.seats, dice)?;
        let mut state = Self {
            control: vec![0; world.grid.len()],
            powers: (0..=setup.seats).map(|seat| Power::of(seat, &tables, &world)).collect(),
            tables: Arc::new(tables),
            turn: 1,
            works: BTreeMap::new(),
            fallout: BTreeMap::new(),
            razed: BTreeSet::new(),
            ruin_finds: vec![0; world.ruins.len()],
            coalitions: Vec::new(),
            over: None,
            world: Arc::new(world),
        };
        let names = city_names(state.world.cities.len(), dice);
        for (number, name) in (1..).zip(names) {
            state.found_city(number, name, dice);
        }
        for seat in 1..=setup.seats {
            state.report_cities(seat, dice);
        }
        Ok(state)
    }

    fn found_city(&mut self, number: u16, name: String, dice: &mut Dice) {
        let at = self.world.cities[usize::from(number - 1)];
        let home = number <= u16::from(self.seats());
        // Each home city has the number of its seat.
        let seat = if home { number as u8 } else { NOBODY };
        let (start, free) = (&self.tables.world.start, &self.tables.world.uncontrolled);
        // Place of the rolls of a city: its number.
        dice.at([number.into()]);
        let (income, level) = match home {
            true => (start.home_income, start.home_level),
            false => (
                // Both values come from small table values.
                1 + dice.below("city income", free.income_max) as u8,
                dice.below("city level", free.level_max + 1) as u8,
            ),
        };
        let mut city = City::new(at, name, income, level);
        if home {
            let (fighters, bombers) = (start.fighters, start.bombers);
            city.hangar.planes = Planes { fighters, bombers, jets: 0 };
        }
        self.powers[usize::from(seat)].cities.insert(number, city);
        self.control[usize::from(at.0)] = seat;
        if home { self.muster(seat, at, dice) } else { self.garrison(at, dice) }
    }

    /// The forces and generals of a new player.
    fn muster(&mut self, seat: u8, at: Place, dice: &mut Dice) {
        let tables = Arc::clone(&self.tables);
        let start = &tables.world.start;
        let coastal = self.world.is_coastal(at);
        let power = &mut self.powers[usize::from(seat)];
        let ships = start.flotillas.iter().filter(|_| coastal);
        for &(kind, size) in start.divisions.iter().chain(ships) {
            let no = power.free_number();
            power.units.insert(no, Unit { kind, at, size, rank: 0, aboard: None, goal: None });
        }
        let billet = Some(Billet::City(u16::from(seat)));
        for _ in 0..tables.generals(start.tech) {
            let taken: Vec<String> = power.generals.iter().map(|g| g.name.clone()).collect();
            let name = super::names::general(&taken, dice);
            power.generals.push(General { name, skill: 0, gained: 0, billet });
        }
    }

    fn garrison(&mut self, at: Place, dice: &mut Dice) {
        let free = self.tables.world.uncontrolled.clone();
        let infantry = 1 + dice.below("garrison", free.infantry_max);
        let mut forces = vec![(INFANTRY, infantry)];
        if dice.below("garrison artillery", 100) < free.artillery_percent {
            forces.push((ARTILLERY, 1 + dice.below("artillery", free.artillery_max)));
        }
        let power = &mut self.powers[usize::from(NOBODY)];
        for (kind, size) in forces {
            let (no, size) = (power.free_number(), size as u16);
            power.units.insert(no, Unit { kind, at, size, rank: 0, aboard: None, goal: None });
        }
    }

    /// Adds the list of some cities near home to the first printout.
    fn report_cities(&mut self, seat: u8, dice: &mut Dice) {
        let start = &self.tables.world.start;
        let (grid, home) = (self.world.grid, self.world.cities[usize::from(seat) - 1]);
        let mut near: Vec<(i32, u16)> = (1..)
            .zip(&self.world.cities)
            .map(|(n, &at)| (grid.distance(home, at), n))
            .filter(|&(d, n)| d <= start.reported_radius && n > u16::from(self.seats()))
            .collect();
        near.sort_unstable();
        let percent = start.reported_percent;
        for (i, (_, number)) in near.into_iter().enumerate() {
            // Place of the roll: seat, city.
            let dice = dice.at([seat.into(), number.into()]);
            if i < 3 || dice.below("city report", 100) < percent {
                let name = self.powers[0].cities[&number].name.clone();
                let seen = Sighting { turn: 0, owner: None, level: 0, name, rebel: false };
                self.powers[usize::from(seat)].sightings.insert(number, seen);
            }
        }
    }

    /// The seat that holds each city, indexed by city number minus 1.
    pub fn city_owners(&self) -> Vec<u8> {
        let mut owners = vec![NOBODY; self.world.cities.len()];
        for power in &self.powers {
            for number in power.cities.keys() {
                owners[usize::from(*number) - 1] = power.seat;
            }
        }
        owners
    }

    /// A flag for each sector, set if a power sees it at this moment (§10, sight).
    pub fn sight_of(&self, power: &Power) -> Vec<bool> {
        let mut seen = vec![false; self.grid().len()];
        self.sight(power, true).into_iter().for_each(|p| seen[usize::from(p.0)] = true);
        seen
    }

    /// The sectors that a power sees, in order; without `with_planes`, those that only planes or
    /// satellites see are left out.
    fn sight(&self, power: &Power, with_planes: bool) -> Vec<Place> {
        let (grid, sight) = (self.grid(), &self.tables.rules.sight);
        let mut seen = Vec::new();
        let mut look = |at: Place, radius: i32| seen.extend(grid.within(at, radius));
        power.units.values().for_each(|u| look(u.at, sight.unit));
        power.cities.values().for_each(|c| look(c.at, sight.city));
        let generals = power.generals.iter().filter_map(|g| power.general_at(g));
        generals.for_each(|at| look(at, sight.general));
        let planes = power.observed.iter().filter(|_| with_planes);
        planes.for_each(|&at| look(at, sight.observation));
        let pictures = power.pictures.iter().filter(|_| with_planes);
        let radius = self.tables.rules.spying.satellite_radius;
        pictures.for_each(|&at| look(at, radius));
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    /// Whether `viewer` can make out a unit in a sector that it sees: only destroyers make out
    /// submarines (§4).
    pub fn makes_out(&self, viewer: &Power, unit: &Unit) -> bool {
        let near = |u: &Unit| {
            u.kind == DESTROYER
                && self.grid().distance(u.at, unit.at) <= self.tables.rules.sight.submarine
        };
        !self.row(unit).hidden || viewer.units.values().any(near)
    }

    /// Adds what all seats see at the end of a turn to their knowledge: ground, cities, and players
    /// met.
    pub fn look_around(&mut self) {
        let owners = self.city_owners();
        let turn = self.turn - 1;
        let mut there: Vec<(Place, u8, u16)> = Vec::new();
        for power in &self.powers[1..] {
            there.extend(power.units.iter().map(|(no, u)| (u.at, power.seat, *no)));
        }
        there.sort_unstable();
        let mut sites: Vec<(Place, u16)> = self.world.cities.iter().copied().zip(1..).collect();
        let marks = self.sites();
        sites.sort_unstable();
        for seat in 1..self.powers.len() {
            let viewer = &self.powers[seat];
            let seen = self.sight(viewer, true);
            // Forces that only planes or satellites see are not met (ours).
            let mut met = BTreeSet::new();
            for place in self.sight(viewer, false) {
                let from = there.partition_point(|(at, ..)| *at < place);
                for &(_, other, no) in there[from..].iter().take_while(|(at, ..)| *at == place) {
                    let unit = &self.powers[usize::from(other)].units[&no];
                    if usize::from(other) != seat && self.makes_out(viewer, unit) {
                        met.insert(other);
                    }
                }
            }
            let mut gone = Vec::new();
            for (at, number) in &sites {
                if seen.binary_search(at).is_ok() {
                    // Seats are numbered by u8.
                    self.sight_city(seat as u8, *number, owners[usize::from(*number) - 1], turn);
                    gone.extend(self.razed.contains(number).then_some(*number));
                }
            }
            let viewer = &mut self.powers[seat];
            seen.iter().for_each(|&place| viewer.explore(place));
            gone.iter().for_each(|number| drop(viewer.sightings.remove(number)));
            viewer.note_sites(&seen, &marks);
            met.iter().for_each(|m| viewer.meet(*m, turn));
        }
    }

    /// Notes the present state of a foreign city for a seat, with the current turn.
    pub fn note_city(&mut self, seat: u8, number: u16, owner: u8) {
        self.sight_city(seat, number, owner, self.turn);
    }

    fn sight_city(&mut self, seat: u8, number: u16, owner: u8, turn: u32) {
        let city = self.powers[usize::from(owner)].cities.get(&number);
        let Some(city) = city.filter(|_| owner != seat && seat != NOBODY) else { return };
        let seen = Sighting::of(city, owner, turn);
        self.powers[usize::from(seat)].sightings.insert(number, seen);
    }

    /// The rating of a power (§10) (ours).
    pub fn rate(&self, power: &Power) -> Rating {
        let r = &self.tables.rules.rating;
        let force = |u: &Unit| {
            let row = self.row(u);
            i64::from(u.size) * (row.attack + row.defence)
        };
        let plane = |n: u16, id: u8| {
            let row = self.tables.row(id);
            i64::from(n) * (row.attack + row.defence)
        };
        let stored = |h: &Hangar| {
            let planes: i64 = Planes::KINDS.map(|k| plane(h.planes.count(k), k)).iter().sum();
            planes + plane(h.missiles, MISSILE) + plane(h.warheads, WARHEAD)
        };
        let forces: i64 = power.units.values().map(force).sum::<i64>()
            + power.bases().map(|(.., hangar)| stored(hangar)).sum::<i64>();
        let levels: i64 = power.cities.values().map(|c| i64::from(c.level)).sum();
        Rating {
            tech: r.tech * i64::from(power.tech),
            forces: forces / r.forces_divisor.max(1),
            cities: r.city * power.cities.len() as i64,
            levels: r.level * levels,
            income: r.income * power.income / 100,
        }
    }

    /// The coalition that a seat is in.
    pub fn coalition_of(&self, seat: u8) -> Option<&BTreeSet<u8>> {
        self.coalitions.iter().map(|c| &c.members).find(|m| m.contains(&seat))
    }

    /// Seats that still play: they have not fallen, and their players have not given up.
    pub fn active(&self) -> impl Iterator<Item = &Power> {
        self.powers[1..].iter().filter(|p| p.fell.is_none() && !self.is_dropped(p))
    }

    /// Whether a seat has sent no card for so long that its cities rebel (§8).
    pub fn is_dropped(&self, power: &Power) -> bool {
        let limit = self.tables.rules.absence.turns;
        limit > 0 && power.missed >= limit
    }

    /// Whether `mine` regards `other` as an enemy: neither itself nor on its list of allies.
    pub fn is_hostile(&self, mine: u8, other: u8) -> bool {
        mine != other && !self.powers[usize::from(mine)].allies.contains(&other)
    }
}

impl Power {
    fn of(seat: u8, tables: &Tables, world: &World) -> Self {
        let explored = vec![0; world.grid.len().div_ceil(8)];
        let stock = if seat == NOBODY { 0 } else { tables.world.start.pp * 100 };
        Self { seat, stock, tech: tables.world.start.tech, explored, ..Self::default() }
    }
}

/// Whether a type moves over land.
pub fn is_land(class: Class) -> bool {
    matches!(class, Class::Inf | Class::Arm)
}

/// Names for cities, all different, made of syllables of this game.
fn city_names(count: usize, dice: &mut Dice) -> Vec<String> {
    const FIRST: [&str; 20] = [
        "BAR", "CAL", "DOR", "EL", "FEN", "GAL", "HAR", "IS", "JOR", "KEL", "LOR", "MAR", "NOR",
        "OS", "PEL", "QUIN", "ROS", "SEL", "TOR", "VAL",
    ];
    const MIDDLE: [&str; 6] = ["", "A", "DI", "EN", "O", "VE"];
    const LAST: [&str; 12] = [
        "BURY", "DALE", "FORD", "GARD", "HAM", "KIRK", "LUND", "MERE", "PORT", "STAD", "TON",
        "WICK",
    ];
    let mut all: Vec<String> = Vec::with_capacity(FIRST.len() * MIDDLE.len() * LAST.len());
    for first in FIRST {
        for middle in MIDDLE {
            all.extend(LAST.map(|last| format!("{first}{middle}{last}")));
        }
    }
    dice.at([]).shuffle("city names", &mut all);
    (0..count).map(|i| all.get(i).cloned().unwrap_or_else(|| format!("CITY {}", i + 1))).collect()
}
