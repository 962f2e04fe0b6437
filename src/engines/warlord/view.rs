//! The knowledge of one seat; echo, forecast and printout are made only from it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::events::{Event, Happening};
use super::standing::{Final, finals};
use super::state::{City, NOBODY, Power, Rating, Sighting, State, Victory};
use super::tables::{Class, Tables, Terrain};
use super::turn::economy::{regions, supplied};
use super::works::Site;
use engine::geometry::{Grid, Place};

/// Ground as a seat knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Ground that is known.
    Known(Terrain),
    /// Unknown land; the whole map shows to all what is land and what is sea.
    UnknownLand,
}

/// A foreign force in sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spotted {
    /// Its sector.
    pub at: Place,
    /// The seat that owns it; 0 is the nameless power.
    pub owner: u8,
    /// Type, if a general or an observer is near enough to make it out.
    pub kind: Option<u8>,
    /// Whether it is a flotilla.
    pub ships: bool,
    /// Regiments or ships.
    pub size: u16,
}

/// A city of somebody else that the seat knows of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownCity {
    /// Number of the city.
    pub number: u16,
    /// Its sector.
    pub at: Place,
    /// The last knowledge of it.
    pub seen: Sighting,
}

/// The seat's rating compared with all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The seat's rating.
    pub own: Rating,
    /// Its place, from 1.
    pub rank: usize,
    /// The best rating.
    pub best: i64,
    /// The rating in the middle.
    pub median: i64,
    /// The lowest rating.
    pub worst: i64,
}

/// Everything that a seat knows. Parts as large as the map are shared, because each judgement has
/// its own copy of the view.
#[derive(Debug, Clone)]
pub struct View {
    /// The tables of the game.
    pub tables: Arc<Tables>,
    /// Size of the map.
    pub grid: Grid,
    /// Number of seats.
    pub seats: u8,
    /// The seat whose view it is.
    pub seat: u8,
    /// Turn whose orders are being collected.
    pub turn: u32,
    /// The seat's own position.
    pub power: Power,
    /// Ground of each sector.
    pub ground: Arc<[Ground]>,
    /// Holder of each sector: own land always, foreign land where it is seen.
    pub control: Arc<[u8]>,
    /// Whether each sector is in sight now.
    pub sight: Arc<[bool]>,
    /// Whether each sector is own and in supply.
    pub supplied: Arc<[bool]>,
    /// Regions in supply that do not touch.
    pub regions: usize,
    /// Foreign forces in sight.
    pub spotted: Vec<Spotted>,
    /// Cities of others.
    pub cities: Vec<KnownCity>,
    /// Sectors with ruins that are known.
    pub ruins: Vec<Place>,
    /// Works, airbases and radiation that are known, by sector.
    pub sites: BTreeMap<Place, Site>,
    /// The events of the last turn that the seat hears of.
    pub events: Vec<Event>,
    /// The seat's rating compared with all others.
    pub standing: Standing,
    /// Best and median rating of each turn so far, as in the printouts.
    pub course: Vec<(i64, i64)>,
    /// Members of the seat's coalition, itself among them; empty without one.
    pub coalition: BTreeSet<u8>,
    /// The final standing of all seats, once the game is over.
    pub finals: Vec<Final>,
    /// How the game ended.
    pub over: Option<Victory>,
    /// Whether the whole map is open to this seat.
    pub whole: bool,
}

/// All cities with their holders, for the end of the game.
fn every_city(state: &State) -> BTreeMap<u16, Sighting> {
    let turn = state.turn - 1;
    let cities = state.powers.iter().flat_map(|p| p.cities.iter().map(|(n, c)| (*n, p.seat, c)));
    let seen = |(number, owner, city): (u16, u8, &City)| (number, Sighting::of(city, owner, turn));
    cities.map(seen).collect()
}

impl View {
    /// The view of a seat, taken from the state.
    pub fn of(state: &State, happenings: &[Happening], seat: u8) -> Self {
        let power = state.powers[usize::from(seat)].clone();
        let seen = state.sight_of(&power);
        let grid = state.grid();
        let supplied = supplied(state, seat);
        // Everybody sees the whole map when the game is over, and nobody before.
        let whole = state.over.is_some();
        let ground = |p: Place| match state.world.ground(p) {
            Terrain::Sea => Ground::Known(Terrain::Sea),
            land if whole || power.has_explored(p) => Ground::Known(land),
            _ => Ground::UnknownLand,
        };
        let control = |p: Place| match state.control[usize::from(p.0)] {
            holder if whole || holder == seat || seen[usize::from(p.0)] => holder,
            _ => NOBODY,
        };
        let known = |(number, seen): (&u16, &Sighting)| {
            let at = state.world.cities[usize::from(*number) - 1];
            KnownCity { number: *number, at, seen: seen.clone() }
        };
        let mine = |h: &&Happening| h.to.contains(&seat);
        let all = if whole { every_city(state) } else { power.sightings.clone() };
        let foreign = all.iter().filter(|(n, _)| !power.cities.contains_key(n));
        Self {
            grid,
            seats: state.seats(),
            seat,
            turn: state.turn,
            ground: grid.places().map(ground).collect(),
            control: grid.places().map(control).collect(),
            sight: seen.iter().map(|now| whole || *now).collect(),
            regions: regions(grid, &supplied),
            supplied: supplied.into(),
            spotted: spotted(state, &power, &seen),
            cities: foreign.map(known).collect(),
            sites: if whole { state.sites() } else { power.sites.clone() },
            ruins: state
                .world
                .ruins
                .iter()
                .copied()
                .filter(|&p| whole || power.has_explored(p))
                .collect(),
            events: happenings.iter().filter(mine).map(|h| as_heard(&h.event, seat)).collect(),
            standing: standing(state, seat),
            course: course(state),
            coalition: state.coalition_of(seat).cloned().unwrap_or_default(),
            finals: finals(state).unwrap_or_default(),
            over: state.over.clone(),
            whole,
            tables: Arc::clone(&state.tables),
            power,
        }
    }

    /// Whether the nameless troops in a sector belong to a free city, as far as is known; all
    /// others are rebels.
    pub fn is_garrison(&self, place: Place) -> bool {
        self.cities.iter().any(|c| c.at == place && c.seen.owner == Some(NOBODY) && !c.seen.rebel)
    }

    /// Whether a sector is sea.
    pub fn is_sea(&self, place: Place) -> bool {
        self.ground[usize::from(place.0)] == Ground::Known(Terrain::Sea)
    }

    /// Whether ships can be built at a city here.
    pub fn is_coastal(&self, place: Place) -> bool {
        self.grid.neighbours(place).any(|(_, p)| self.is_sea(p))
    }

    /// Cost of entering a sector as far as the seat knows; unknown land counts
    /// as open, ports as far as their holder is known.
    pub fn cost(&self, class: Class, to: Place) -> Option<u32> {
        match (class, self.ground[usize::from(to.0)]) {
            (Class::Ship, Ground::Known(Terrain::Sea)) => Some(1),
            (Class::Ship, _) => self.is_port(to).then_some(1),
            (_, Ground::Known(terrain)) => {
                self.power.known_site(to).cost(&self.tables, class, terrain, self.turn)
            }
            (_, Ground::UnknownLand) => Some(1),
        }
    }

    fn is_port(&self, place: Place) -> bool {
        let allied = |c: &KnownCity| {
            c.at == place && c.seen.owner.is_some_and(|o| self.power.allies.contains(&o))
        };
        self.is_coastal(place)
            && (self.power.city_at(place).is_some() || self.cities.iter().any(allied))
    }
}

/// An event as a seat hears it, without what only others may know, such as their unit numbers.
fn as_heard(event: &Event, seat: u8) -> Event {
    let mut event = event.clone();
    if let Event::Battle { attacker, odds, .. } = &mut event {
        // Only a side itself learns how much its general adds.
        let mine = if attacker.seat == seat { 0 } else { 1 };
        odds.generals[1 - mine] = None;
    }
    let sides = match &mut event {
        Event::Battle { attacker, defender, .. } => vec![attacker, defender],
        Event::CityAssault { attacker, .. } => vec![attacker],
        Event::AirStrike(strike) => vec![&mut strike.losses],
        Event::Salvo(salvo) => vec![&mut salvo.losses],
        _ => Vec::new(),
    };
    for side in sides.into_iter().filter(|side| side.seat != seat) {
        side.losses.iter_mut().for_each(|l| l.unit = 0);
    }
    event
}

/// Foreign forces in sight; types only within a general's range.
fn spotted(state: &State, viewer: &Power, seen: &[bool]) -> Vec<Spotted> {
    let range = state.tables.rules.sight.general;
    let generals = viewer.generals.iter().filter_map(|g| viewer.general_at(g));
    let watchers: Vec<(Place, i32)> = generals
        .map(|at| (at, range))
        .chain(viewer.observed.iter().map(|&at| (at, state.tables.rules.sight.observation)))
        .chain(viewer.pictures.iter().map(|&at| (at, state.tables.rules.spying.satellite_radius)))
        .collect();
    let mut found = Vec::new();
    for power in state.powers.iter().filter(|p| p.seat != viewer.seat) {
        for unit in power.units.values().filter(|u| u.aboard.is_none()) {
            if seen[usize::from(unit.at.0)] && state.makes_out(viewer, unit) {
                let close =
                    |&(at, range): &(Place, i32)| state.grid().distance(at, unit.at) <= range;
                let near = watchers.iter().any(close);
                found.push(Spotted {
                    at: unit.at,
                    owner: power.seat,
                    kind: near.then_some(unit.kind),
                    ships: state.row(unit).class == Class::Ship,
                    size: unit.size,
                });
            }
        }
    }
    found.sort_unstable();
    found
}

fn standing(state: &State, seat: u8) -> Standing {
    let own = state.powers[usize::from(seat)].rating;
    let mut all: Vec<i64> = state.powers[1..].iter().map(|p| p.rating.total()).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    Standing {
        own,
        rank: all.iter().filter(|&&r| r > own.total()).count() + 1,
        best: all.first().copied().unwrap_or(0),
        median: all.get(all.len() / 2).copied().unwrap_or(0),
        worst: all.last().copied().unwrap_or(0),
    }
}

/// Best and median rating at the end of each turn.
fn course(state: &State) -> Vec<(i64, i64)> {
    let powers = &state.powers[1..];
    let turns = powers.iter().map(|p| p.history.len()).max().unwrap_or(0);
    let at = |turn: usize| {
        let mut all: Vec<i64> =
            powers.iter().map(|p| p.history.get(turn).map_or(0, |h| h.1)).collect();
        let best = all.iter().max().copied().unwrap_or(0);
        // Of an even number, the lower of the two in the middle, as in the standing.
        let middle = (all.len() - 1) / 2;
        let (_, median, _) = all.select_nth_unstable(middle);
        (best, *median)
    };
    (0..turns).map(at).collect()
}
