//! The State of a game: players, countries, seas.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::homes;
use super::map::SpaceId;
use super::tables::{Class, Tables};
use super::variants::Start;
use super::verbs::{Arm, UnitOrder};
use engine::{Dice, Setup, options};

/// The holder of a minor that nobody controls.
pub const NOBODY: u8 = 0;

/// The index of Spies and CounterSpies among the multipliers, after the arms.
pub const SPY: usize = 6;
/// The index of CounterSpies, after Spies.
pub const COUNTERSPY: usize = 7;
/// Letters of the multipliers.
pub const ITEMS: [char; 8] = ['I', 'A', 'N', 'F', 'M', 'X', 'S', 'C'];
/// The index of Dollars among the default builds, after the arms.
pub const DOLLARS: usize = 6;

/// What a player declares about another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stance {
    /// An ally.
    Ally,
    /// Neither ally nor enemy.
    #[default]
    Neutral,
    /// An enemy.
    Enemy,
}

/// How much a player shares of what they see (§13.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Share {
    /// Everything.
    Full,
    /// Everything except the countries that they occupy.
    Partial,
    /// Nothing.
    #[default]
    Nothing,
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The player's number.
    pub seat: u8,
    /// The name of the country or position that they began with.
    pub name: String,
    /// The class, which sets the industry needed to win in Real Forces.
    pub class: Option<Class>,
    /// The treasury, in cents.
    pub cents: i64,
    /// Spies in reserve, in hundredths.
    pub spies: i64,
    /// Counterspies in reserve, in hundredths.
    pub counterspies: i64,
    /// Multipliers in per cent, indexed as [`ITEMS`].
    pub multipliers: [i64; 8],
    /// The ease of research, indexed as [`ITEMS`].
    pub bases: [i64; 8],
    /// Proportions of default builds, by [`Arm`], then Dollars.
    pub defaults: [u8; 7],
    /// Stances towards others; neutral if there is no entry.
    pub stances: BTreeMap<u8, Stance>,
    /// The players who may pass their straits.
    pub permits: BTreeSet<u8>,
    /// What is shared with others; nothing if there is no entry.
    pub shares: BTreeMap<u8, Share>,
    /// The list of good powers in world opinion, places 1 to 3; 0: nobody.
    pub good: [u8; 3],
    /// The list of bad powers.
    pub bad: [u8; 3],
    /// Whether printouts show numbers only, without country names.
    pub compact: bool,
    /// Whether printouts have a single list of spaces.
    pub single_list: bool,
    /// Turns in a row without a card.
    pub missed: u8,
    /// Whether they count as gone: they left or missed too many turns.
    pub dropped: bool,
    /// The last turn that they ended with an occupied country.
    pub last_land: u32,
    /// The turn in which they lost the last thing that they held.
    pub out: Option<u32>,
    /// Spaces that they see themselves after the last turn, without shared ones.
    pub sees: BTreeSet<SpaceId>,
    /// Countries whose battles they saw with all numbers.
    pub watched: BTreeSet<SpaceId>,
}

impl Player {
    /// The stance towards another player.
    pub fn stance(&self, of: u8) -> Stance {
        self.stances.get(&of).copied().unwrap_or_default()
    }

    /// How much they share with another.
    pub fn share(&self, with: u8) -> Share {
        self.shares.get(&with).copied().unwrap_or_default()
    }

    /// Players to whom they have this stance.
    pub fn declared(&self, stance: Stance) -> Vec<u8> {
        self.stances.iter().filter(|(_, s)| **s == stance).map(|(p, _)| *p).collect()
    }
}

/// Army, navy and air force together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forces {
    /// Army.
    pub army: i64,
    /// Navy.
    pub navy: i64,
    /// Air force.
    pub air: i64,
}

impl Forces {
    /// Whether there are no forces.
    pub fn is_empty(self) -> bool {
        self.army <= 0 && self.navy <= 0 && self.air <= 0
    }

    /// The sum of the three.
    pub fn total(self) -> i64 {
        self.army + self.navy + self.air
    }

    /// The forces of an arm; army for any arm but navy and air force.
    pub fn of(&mut self, arm: Arm) -> &mut i64 {
        match arm {
            Arm::Navy => &mut self.navy,
            Arm::Air => &mut self.air,
            _ => &mut self.army,
        }
    }
}

/// A country. Suppressed tax, industry and air force are kept apart (`*_down`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Country {
    /// The occupying player; [`NOBODY`]: a minor.
    pub owner: u8,
    /// Tax base.
    pub tax: i64,
    /// Suppressed tax base.
    pub tax_down: i64,
    /// Industry that works.
    pub industry: i64,
    /// Suppressed industry.
    pub industry_down: i64,
    /// The most industry that can work.
    pub limit: i64,
    /// Army.
    pub army: i64,
    /// Navy.
    pub navy: i64,
    /// Air force.
    pub air: i64,
    /// Suppressed air force.
    pub air_down: i64,
    /// Missiles.
    pub missiles: i64,
    /// Antimissiles.
    pub antimissiles: i64,
    /// Fractions of units under construction in hundredths, by [`Arm`].
    pub fractions: [i64; 6],
    /// Home popularity, while it is occupied.
    pub hpi: i64,
    /// Popularity of players, while it is a minor; no entry: 0.
    pub popularity: BTreeMap<u8, i64>,
    /// Spies placed here, by player.
    pub spies: BTreeMap<u8, i64>,
    /// Standing orders by slot.
    pub standing: [Option<UnitOrder<SpaceId>>; 5],
    /// The owner of the standing orders.
    #[serde(default, skip_serializing_if = "nobody")]
    pub standing_by: u8,
}

fn nobody(seat: &u8) -> bool {
    *seat == NOBODY
}

/// The version of the rules from which a game is [`State::revised`].
const REVISED: u32 = 3;

impl Country {
    /// The controller of a minor: the only player with the highest positive popularity.
    pub fn controller(&self) -> u8 {
        let best = self.popularity.values().copied().max().unwrap_or(0);
        let mut first = self.popularity.iter().filter(|(_, v)| **v == best && best > 0);
        match (first.next(), first.next()) {
            (Some((player, _)), None) => *player,
            _ => NOBODY,
        }
    }

    /// The seat that gives its orders: its owner, or the controller of the minor.
    pub fn holder(&self) -> u8 {
        if self.owner == NOBODY { self.controller() } else { self.owner }
    }

    /// Whether it is a minor.
    pub fn is_minor(&self) -> bool {
        self.owner == NOBODY
    }

    /// Changes a player's popularity in a minor.
    pub fn add_popularity(&mut self, player: u8, by: i64) {
        *self.popularity.entry(player).or_default() += by;
    }

    /// Units of an arm that can be ordered.
    pub fn stock(&self, arm: Arm) -> i64 {
        match arm {
            Arm::Industry => self.industry,
            Arm::Army => self.army,
            Arm::Navy => self.navy,
            Arm::Air => self.air,
            Arm::Missile => self.missiles,
            Arm::Antimissile => self.antimissiles,
        }
    }

    /// Units of an arm that can be ordered, mutable.
    pub fn stock_mut(&mut self, arm: Arm) -> &mut i64 {
        match arm {
            Arm::Industry => &mut self.industry,
            Arm::Army => &mut self.army,
            Arm::Navy => &mut self.navy,
            Arm::Air => &mut self.air,
            Arm::Missile => &mut self.missiles,
            Arm::Antimissile => &mut self.antimissiles,
        }
    }

    /// Industry that counts for victory: suppressed industry does, industry above the limit does
    /// not.
    pub fn counted_industry(&self) -> i64 {
        (self.industry + self.industry_down).min(self.limit)
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Last turn that was played.
    pub turn: u32,
    /// Points and rank of each seat, in the order of the seats.
    pub scores: Vec<(i64, u32)>,
    /// Victory points of 1939: points of each item, for each seat.
    pub items: Vec<Vec<i64>>,
}

/// The values of a seat after a turn, for charts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Occupied countries.
    pub countries: u16,
    /// Industry in them.
    pub industry: i64,
    /// Treasury.
    pub cents: i64,
}

/// The State.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct State {
    /// The tables of the game.
    pub tables: Arc<Tables>,
    /// The turn whose orders are collected.
    pub turn: u32,
    /// By seat minus 1.
    pub players: Vec<Player>,
    /// By [`SpaceId`].
    pub countries: Vec<Country>,
    /// By [`SpaceId`] minus the number of countries: forces by seat.
    pub seas: Vec<BTreeMap<u8, Forces>>,
    /// Whether a missile has been fired in this game.
    pub missile_fired: bool,
    /// Ratings of the players before the game, by seat; empty: those of beginners.
    pub ratings: Vec<i64>,
    /// The values of the seats, turn by turn.
    pub history: Vec<Vec<Mark>>,
    /// How the game ended.
    pub over: Option<End>,
    /// Whether the corrected rules apply. Games that began before keep the old ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub revised: bool,
}

/// `ceil(n * percent / 100)`.
pub fn percent_up(n: i64, percent: i64) -> i64 {
    (n * percent + 99) / 100
}

impl State {
    /// Makes a game for a version of the rules.
    ///
    /// # Errors
    /// One sentence for each fault of the setup.
    pub fn new(setup: &Setup, dice: &mut Dice) -> Result<Self, Vec<String>> {
        let revised = dice.rules() >= REVISED;
        let tables = Tables::read(setup)?.of_age(revised);
        let (low, high) = (tables.variant.seats[0], tables.variant.seats[1]);
        if !(low..=high).contains(&setup.seats) {
            let name = &tables.variant.name;
            let many = if low == high { format!("{low}") } else { format!("{low} to {high}") };
            return Err(vec![format!("{name} has {many} seats, not {}", setup.seats)]);
        }
        let mut state = Self {
            countries: tables.map.countries().map(|c| minor(&tables, c)).collect(),
            seas: vec![BTreeMap::new(); tables.map.seas().count()],
            players: (1..=setup.seats).map(|seat| player(&tables, seat)).collect(),
            tables: Arc::new(tables),
            turn: 1,
            missile_fired: false,
            ratings: Vec::new(),
            history: Vec::new(),
            over: None,
            revised,
        };
        match state.tables.variant.start {
            Start::Even => state.start_even(setup, dice)?,
            Start::Real => state.start_real(setup)?,
            Start::Y1939 => state.start_1939(),
        }
        if let Some(list) = options::text(setup, "ratings") {
            state.ratings = ratings(list, setup.seats).map_err(|e| vec![e])?;
        }
        state.look_around(&BTreeMap::new());
        Ok(state)
    }

    /// Equal starts (§1.3): each player has one country and the same forces.
    fn start_even(&mut self, setup: &Setup, dice: &mut Dice) -> Result<(), Vec<String>> {
        let tables = Arc::clone(&self.tables);
        let homes = homes::homes(&tables, setup, self.revised, dice)?;
        for (player, space) in self.players.iter_mut().zip(homes) {
            let (figures, coast) = (&tables.figures.player, tables.map.has_coast(space));
            player.name = tables.map.name(space).to_owned();
            player.cents = figures.dollars * 100;
            self.countries[usize::from(space.0)] = Country {
                owner: player.seat,
                tax: figures.tax,
                industry: figures.industry,
                limit: figures.limit,
                army: figures.army,
                navy: if coast { figures.navy } else { 0 },
                air: if coast { figures.air } else { figures.landlocked_air },
                hpi: figures.popularity,
                ..Country::default()
            };
        }
        Ok(())
    }

    /// Real Forces (§20.3): positions of several countries, each with the forces of its industry.
    fn start_real(&mut self, setup: &Setup) -> Result<(), Vec<String>> {
        let tables = Arc::clone(&self.tables);
        let names: Vec<&str> = match options::text(setup, "positions") {
            Some(list) => list.split(',').map(str::trim).collect(),
            None => tables.positions.iter().map(|p| p.name.as_str()).collect(),
        };
        let mut faults = Vec::new();
        if names.len() < self.players.len() {
            let (have, want) = (names.len(), self.players.len());
            faults.push(format!("positions has {have} names for {want} seats"));
        }
        for space in tables.map.countries() {
            let industry = tables.map.row(space).i82;
            self.countries[usize::from(space.0)] = minor_of(&tables, space, industry);
        }
        let mut taken = BTreeSet::new();
        for (i, name) in names.iter().take(self.players.len()).enumerate() {
            let found = tables.positions.iter().find(|p| p.name.eq_ignore_ascii_case(name));
            let Some(position) = found.filter(|p| taken.insert(p.name.as_str())) else {
                faults.push(format!("positions: {name} is no position, or stands there twice"));
                continue;
            };
            let player = &mut self.players[i];
            player.name.clone_from(&position.name);
            player.class = Some(position.class);
            let (spies, counterspies) = match position.class {
                Class::Super => (60, 10),
                Class::Major => (40, 6),
                Class::Medium => (30, 3),
                Class::Small => (20, 2),
            };
            (player.spies, player.counterspies) = (spies * 100, counterspies * 100);
            overwrite(&mut player.multipliers, &position.multiplier);
            overwrite(&mut player.bases, &position.base);
            let mut income = 0;
            for space in tables.spaces(&position.spaces) {
                let industry = tables.map.row(space).i82;
                let factors = (position.army, position.navy, position.air);
                let country = home(&tables, space, player.seat, industry, factors);
                income += country.tax;
                self.countries[usize::from(space.0)] = country;
            }
            for (list, antimissiles) in
                [(&position.missiles, false), (&position.antimissiles, true)]
            {
                for (space, number) in numbered(&tables, list) {
                    let country = &mut self.countries[usize::from(space.0)];
                    let arm = if antimissiles { Arm::Antimissile } else { Arm::Missile };
                    *country.stock_mut(arm) = number;
                }
            }
            let times = if position.class == Class::Small { 2 } else { 1 };
            player.cents = income * 100 * times;
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// The game of 1939 (§20.4): thirteen powers with the forces of 1939.
    fn start_1939(&mut self) {
        let tables = Arc::clone(&self.tables);
        for player in &mut self.players {
            let power = &tables.powers[usize::from(player.seat) - 1];
            player.name.clone_from(&power.name);
            for arm in [Arm::Missile, Arm::Antimissile] {
                player.multipliers[arm as usize] = 0;
                player.bases[arm as usize] = 0;
            }
        }
        for space in tables.map.countries() {
            let row = tables.map.row(space);
            let i = usize::from(space.0);
            if row.original == NOBODY {
                let mut country = minor_of(&tables, space, row.i39);
                (country.army, country.navy, country.air) =
                    forces_of_1939(&tables, space, row.i39, 100);
                self.countries[i] = country;
                continue;
            }
            let power = &tables.powers[usize::from(row.original) - 1];
            let mut country = home(&tables, space, row.original, row.i39, (100, 100, 100));
            (country.army, country.navy, country.air) =
                forces_of_1939(&tables, space, row.i39, power.navy);
            self.players[usize::from(row.original) - 1].cents += country.tax * 100;
            self.countries[i] = country;
        }
        for (seat, power) in (1u8..).zip(&tables.powers) {
            for space in tables.spaces(&power.controls) {
                self.countries[usize::from(space.0)].add_popularity(seat, 10);
            }
        }
    }

    /// The player of a seat.
    pub fn player(&self, seat: u8) -> &Player {
        &self.players[usize::from(seat) - 1]
    }

    /// The player of a seat, mutable.
    pub fn player_mut(&mut self, seat: u8) -> &mut Player {
        &mut self.players[usize::from(seat) - 1]
    }

    /// A country of the map.
    pub fn country(&self, space: SpaceId) -> &Country {
        &self.countries[usize::from(space.0)]
    }

    /// A country of the map, mutable.
    pub fn country_mut(&mut self, space: SpaceId) -> &mut Country {
        &mut self.countries[usize::from(space.0)]
    }

    /// The forces in a sea, by seat.
    pub fn sea(&self, space: SpaceId) -> &BTreeMap<u8, Forces> {
        &self.seas[usize::from(space.0) - self.countries.len()]
    }

    /// The forces in a sea, mutable.
    pub fn sea_mut(&mut self, space: SpaceId) -> &mut BTreeMap<u8, Forces> {
        let countries = self.countries.len();
        &mut self.seas[usize::from(space.0) - countries]
    }

    /// Countries with their ids.
    pub fn lands(&self) -> impl Iterator<Item = (SpaceId, &Country)> {
        self.tables.map.countries().zip(&self.countries)
    }

    /// Countries that a player occupies.
    pub fn occupied(&self, seat: u8) -> impl Iterator<Item = SpaceId> + '_ {
        self.lands().filter(move |(_, c)| c.owner == seat).map(|(s, _)| s)
    }

    /// Whether either has declared the other an enemy.
    pub fn enemies(&self, a: u8, b: u8) -> bool {
        a != b
            && a != NOBODY
            && b != NOBODY
            && (self.player(a).stance(b) == Stance::Enemy
                || self.player(b).stance(a) == Stance::Enemy)
    }

    /// Whether each has declared the other an ally.
    pub fn cross_allies(&self, a: u8, b: u8) -> bool {
        a != b
            && a != NOBODY
            && b != NOBODY
            && self.player(a).stance(b) == Stance::Ally
            && self.player(b).stance(a) == Stance::Ally
    }

    /// Industry of a player, owned or controlled, that counts for victory.
    pub fn industry_of(&self, seat: u8) -> i64 {
        let held = self.countries.iter().filter(|c| c.holder() == seat);
        held.map(Country::counted_industry).sum()
    }

    /// Whether a player owns or controls a space.
    pub fn holds(&self, seat: u8, space: SpaceId) -> bool {
        !self.tables.map.is_sea(space) && self.country(space).holder() == seat
    }

    /// Sets what each seat sees: holdings, own spies, and what `extra` adds, such as seas seen by
    /// what happened there and countries lost in the turn.
    pub fn look_around(&mut self, extra: &BTreeMap<u8, BTreeSet<SpaceId>>) {
        for i in 0..self.players.len() {
            let seat = self.players[i].seat;
            let mut sees = extra.get(&seat).cloned().unwrap_or_default();
            for (space, country) in self.lands() {
                let spied = country.spies.get(&seat).is_some_and(|n| *n > 0);
                if country.holder() == seat || spied {
                    sees.insert(space);
                }
            }
            self.players[i].sees = sees;
        }
    }
}

/// A player before getting a country.
fn player(tables: &Tables, seat: u8) -> Player {
    let figures = &tables.figures.player;
    let mut defaults = [0; 7];
    defaults[Arm::Army as usize] = figures.default_army;
    Player {
        seat,
        name: String::new(),
        class: None,
        cents: 0,
        spies: figures.spies * 100,
        counterspies: figures.counterspies * 100,
        multipliers: figures.multipliers,
        bases: figures.multipliers,
        defaults,
        stances: BTreeMap::new(),
        permits: BTreeSet::new(),
        shares: BTreeMap::new(),
        good: [0; 3],
        bad: [0; 3],
        compact: false,
        single_list: false,
        missed: 0,
        dropped: false,
        last_land: 0,
        out: None,
        sees: BTreeSet::new(),
        watched: BTreeSet::new(),
    }
}

/// A minor of a game with equal starts (§1.3).
fn minor(tables: &Tables, space: SpaceId) -> Country {
    let figures = &tables.figures.minor;
    let (coast, island) = (tables.map.has_coast(space), tables.map.row(space).island);
    let (army, navy, air) = match (coast, island) {
        (false, _) => (figures.army, 0, figures.landlocked_air),
        (true, true) => (figures.island_army, figures.island_navy, figures.air),
        (true, false) => (figures.army, figures.navy, figures.air),
    };
    Country {
        tax: figures.tax,
        industry: figures.industry,
        limit: figures.limit,
        army,
        navy,
        air,
        ..Country::default()
    }
}

/// `n * over / under`, rounded up.
fn ratio(n: i64, over: i64, under: i64) -> i64 {
    (n * over + under - 1) / under
}

/// A minor whose forces follow from its industry (§1.3).
fn minor_of(tables: &Tables, space: SpaceId, industry: i64) -> Country {
    let like = minor(tables, space);
    let usual = tables.figures.minor.industry.max(1);
    Country {
        tax: ratio(industry, 5, 3),
        industry,
        limit: ratio(industry, 5, 3).max(tables.figures.minor.limit),
        army: ratio(industry, like.army, usual),
        navy: ratio(industry, like.navy, usual),
        air: ratio(industry, like.air, usual),
        ..Country::default()
    }
}

/// A country of a position, its forces by industry and percent factors (§1.3, §20.3).
fn home(
    tables: &Tables,
    space: SpaceId,
    owner: u8,
    industry: i64,
    (army, navy, air): (i64, i64, i64),
) -> Country {
    let coast = tables.map.has_coast(space);
    let ships = ratio(industry, 2, 3);
    let planes = if coast { industry } else { industry + ships };
    Country {
        owner,
        tax: ratio(industry, 10, 3),
        industry,
        limit: ratio(industry, 5, 3).max(tables.figures.minor.limit),
        army: ratio(ratio(industry, 5, 3), army, 100),
        navy: if coast { ratio(ships, navy, 100) } else { 0 },
        air: ratio(planes, air, 100),
        hpi: tables.figures.player.popularity,
        ..Country::default()
    }
}

/// Army, navy and air force of a country in 1939, the navy by a percent factor.
fn forces_of_1939(tables: &Tables, space: SpaceId, industry: i64, navy: i64) -> (i64, i64, i64) {
    let coast = tables.map.has_coast(space);
    let ships = if coast { ratio(industry * 2, navy, 300) } else { 0 };
    (industry * 2, ships, ratio(industry, 1, 4))
}

/// Writes values such as `M30 X0` over a row of [`ITEMS`].
fn overwrite(row: &mut [i64; 8], list: &str) {
    for word in list.split_whitespace() {
        let mut chars = word.chars();
        let item = chars.next().and_then(|c| ITEMS.iter().position(|i| *i == c));
        if let (Some(item), Ok(value)) = (item, chars.as_str().parse()) {
            row[item] = value;
        }
    }
}

/// Parses a list such as `NPL 20 NNW 20` into pairs.
fn numbered(tables: &Tables, list: &str) -> Vec<(SpaceId, i64)> {
    let words: Vec<&str> = list.split_whitespace().collect();
    let pair = |p: &[&str]| Some((tables.map.find(p[0])?, p.get(1)?.parse().ok()?));
    words.chunks(2).filter_map(pair).collect()
}

/// Parses the option `ratings`: a number for each seat.
fn ratings(list: &str, seats: u8) -> Result<Vec<i64>, String> {
    let numbers: Option<Vec<i64>> = list.split(',').map(|n| n.trim().parse().ok()).collect();
    match numbers {
        Some(n) if n.len() == usize::from(seats) && n.iter().all(|r| (0..=9999).contains(r)) => {
            Ok(n)
        }
        _ => Err(format!("ratings are {seats} numbers up to 9999 with commas, not {list:?}")),
    }
}
