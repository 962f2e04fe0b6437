//! The saved data: cities, units, what each player knows (§3, §7, §11).

use std::collections::BTreeMap;

use engine::geometry::Place;
use engine::{Dice, Seat, Setup};
use serde::{Deserialize, Serialize};

use super::ground::Ground;
use super::kinds::Kind;
use super::orders::Task;
use super::sight::Known;
use super::tables::{self, Figure, Options};
use super::world;

/// The identity of a unit: its player, and its number among that player's units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnitId {
    /// Its player.
    pub seat: Seat,
    /// Its number, from 1; it is never used again.
    pub number: u16,
}

/// A unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Its kind.
    pub kind: Kind,
    /// Where it is; aboard, where its carrier is.
    pub at: Place,
    /// Hits that it has taken.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damage: u8,
    /// Steps that it has left in this turn.
    pub left: u8,
    /// Steps that it has made in this turn.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub made: u8,
    /// Steps that its tank lasts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u8,
    /// The number of the unit that carries it, of the same player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aboard: Option<u16>,
    /// When it boarded: a count of all boardings of the game.
    #[serde(default, skip_serializing_if = "is_never")]
    pub boarded: u32,
    /// Whether it began the turn in a city of its player and has stayed: then it is repaired.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rests: bool,
    /// The name that its player gave it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its orders, step after step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<Task>,
    /// Turns in which it could not carry out its first step.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub blocked: u8,
    /// Places that it fills by itself when it leaves a city; `None`: all its places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota: Option<u8>,
    /// Squares with enemies and cities of others next to a sentry, as it saw them last; `None`
    /// before its first look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<Vec<Place>>,
}

impl Unit {
    /// A new unit on a square: whole, with a full tank and all its steps, without orders.
    pub fn new(kind: Kind, at: Place, figure: &Figure) -> Self {
        Self {
            kind,
            at,
            damage: 0,
            left: figure.moves,
            made: 0,
            fuel: figure.range,
            aboard: None,
            boarded: 0,
            rests: false,
            name: String::new(),
            orders: Vec::new(),
            blocked: 0,
            quota: None,
            beside: None,
        }
    }

    /// Whether it is a garrison: never woken, never taken aboard.
    pub fn is_garrison(&self) -> bool {
        matches!(self.orders.first(), Some(Task::Sentry(flags)) if flags.on)
    }
}

fn is_zero(n: &u8) -> bool {
    *n == 0
}

fn is_never(n: &u32) -> bool {
    *n == 0
}

/// A city.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct City {
    /// Its owner.
    pub owner: Option<Seat>,
    /// The kinds that it builds, one after the other; the last one is built again and again.
    pub list: Vec<Kind>,
    /// Whether it builds nothing after the last one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends: bool,
    /// Turns that were spent on the first kind.
    pub done: u32,
    /// The kind that it finished last, unless something else was ordered since.
    pub last: Option<Kind>,
    /// Its speed of production, in percent of the usual.
    pub efficiency: u32,
    /// Turns without production since the last gain of efficiency.
    pub idle: u32,
    /// The kind that it builds faster than anything else.
    pub speciality: Option<Kind>,
    /// Attacks of land units that it beat off while it belonged to nobody.
    pub held: u32,
    /// Orders for the units that it builds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rally: Vec<Task>,
}

impl City {
    /// A free city that builds nothing, with usual efficiency.
    pub fn free() -> Self {
        Self {
            owner: None,
            list: Vec::new(),
            ends: false,
            done: 0,
            last: None,
            efficiency: 100,
            idle: 0,
            speciality: None,
            held: 0,
            rally: Vec::new(),
        }
    }
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Its units by number.
    pub units: BTreeMap<u16, Unit>,
    /// How many units it ever had.
    pub numbered: u16,
    /// What it knows.
    pub known: Known,
    /// The kind that a captured city builds; `None`: nothing.
    pub default: Option<Kind>,
    /// The turn in which it lost its last city and unit, or left.
    pub out: Option<u32>,
    /// Orders for new units in cities that it takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rally: Vec<Task>,
    /// Its numbers of cities and units when it left.
    #[serde(default)]
    pub worth: (u32, u32),
    /// Whether its player has left and a computer plays on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub computer: bool,
}

impl Side {
    /// A player without anything, on a map of this many squares.
    pub fn new(squares: usize, default: Kind) -> Self {
        let known = Known::new(squares);
        Self {
            units: BTreeMap::new(),
            numbered: 0,
            known,
            default: Some(default),
            out: None,
            rally: Vec::new(),
            worth: (0, 0),
            computer: false,
        }
    }
}

/// The world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct World {
    /// The options of the game.
    pub options: Options,
    /// The ground.
    pub ground: Ground,
    /// The cities, in the order of [`Ground::cities`].
    pub cities: Vec<City>,
    /// The players, by the number of their seat less one.
    pub sides: Vec<Side>,
    /// The turn.
    pub turn: u32,
    /// How often units have boarded others.
    pub boarded: u32,
}

impl World {
    /// A world with the first cities of all seats, and nothing else.
    ///
    /// # Errors
    /// One sentence for each fault of options and data files.
    pub fn new(setup: &Setup, dice: &mut Dice) -> Result<Self, Vec<String>> {
        let options = tables::read(setup)?;
        let made = match setup.data.get(super::options::MAP_FILE) {
            None => world::make(&options, setup.seats, dice),
            Some(text) => Ground::read(text, options.wrap)
                .and_then(|ground| world::settle(&options, ground, setup.seats)),
        };
        let made = made.map_err(|fault| vec![fault])?;
        let cities = cities(&options, &made.ground, dice);
        let side = |_| Side::new(made.ground.grid.len(), options.edition.foot());
        let sides = (0..setup.seats).map(side).collect();
        let mut world = Self { options, ground: made.ground, cities, sides, turn: 1, boarded: 0 };
        for (seat, start) in (1..).map(Seat).zip(made.starts) {
            if let Some(city) = world.ground.city(start).and_then(|n| world.cities.get_mut(n)) {
                *city =
                    City { owner: Some(seat), efficiency: 100, speciality: None, ..city.clone() };
            }
        }
        Ok(world)
    }

    /// A player.
    pub fn side(&self, seat: Seat) -> Option<&Side> {
        self.sides.get(usize::from(seat.0).checked_sub(1)?)
    }

    /// A player, mutable.
    pub fn side_mut(&mut self, seat: Seat) -> Option<&mut Side> {
        self.sides.get_mut(usize::from(seat.0).checked_sub(1)?)
    }

    /// Every seat.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        // There are at most six seats.
        (1..=self.sides.len() as u8).map(Seat)
    }

    /// A unit.
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.side(id.seat)?.units.get(&id.number)
    }

    /// A unit, mutable.
    pub fn unit_mut(&mut self, id: UnitId) -> Option<&mut Unit> {
        self.side_mut(id.seat)?.units.get_mut(&id.number)
    }

    /// Every unit, by seat and number.
    pub fn units(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        let sides = (1..).map(Seat).zip(&self.sides);
        sides.flat_map(|(seat, side)| {
            side.units.iter().map(move |(number, unit)| (UnitId { seat, number: *number }, unit))
        })
    }

    /// The city on a square.
    pub fn city(&self, at: Place) -> Option<&City> {
        self.cities.get(self.ground.city(at)?)
    }

    /// The city on a square, mutable.
    pub fn city_mut(&mut self, at: Place) -> Option<&mut City> {
        let number = self.ground.city(at)?;
        self.cities.get_mut(number)
    }

    /// The squares of a player's cities.
    pub fn cities_of(&self, seat: Seat) -> impl Iterator<Item = Place> + '_ {
        let cities = self.ground.cities().iter().zip(&self.cities);
        cities.filter(move |(_, city)| city.owner == Some(seat)).map(|(at, _)| *at)
    }
}

/// Cities at the start, without owners (§2.2).
fn cities(options: &Options, ground: &Ground, dice: &mut Dice) -> Vec<City> {
    let figures = options.efficiency;
    let city = |(n, at): (u32, &Place)| {
        let mut city = City::free();
        if options.advanced() {
            let dice = dice.at([n]);
            let throws = (0..figures.start.throws)
                .map(|_| dice.below("efficiency", figures.start.faces + 1))
                .sum::<u32>();
            city.efficiency = figures.start.base + throws;
            if dice.below("specialised", figures.specialised) == 0 {
                let builds = |k: &Kind| options.builds(*k) && can_build(ground, *at, *k);
                let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(builds).collect();
                let pick = dice.below("speciality", kinds.len() as u32) as usize;
                city.speciality = kinds.get(pick).copied();
            }
        }
        city
    };
    (1..).zip(ground.cities()).map(city).collect()
}

/// Whether a city on a square can build a kind, as far as water goes (§3).
pub fn can_build(ground: &Ground, at: Place, kind: Kind) -> bool {
    kind.class() != super::kinds::Class::Sea || ground.is_coast(at)
}
