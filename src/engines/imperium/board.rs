//! Everything on the board: units, fleets, planets and Resources, and what follows from it (§2,
//! §3).
//!
//! A view also holds a board, with the units of its own side only.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tongue::{mark, say};

use super::galaxy::{Galaxy, Ground, Planet, System};
use super::kinds::{Class, Kind, Name, Side, UnitId};
use super::tables::{Figures, Tables};

/// Where a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Place {
    /// In a fleet of its side.
    Fleet(u8),
    /// Aboard a ship of its side.
    Aboard(Name),
    /// In the box of a planet.
    Box(Planet),
    /// On a hex of a disputed planet.
    Surface(Planet, u8),
    /// On the turn track; it returns in this turn of the game.
    Track(u32),
    /// It has arrived and is not placed yet.
    Arriving,
}

/// A unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Where it is.
    pub place: Place,
    /// Whether it shows its damaged side.
    pub damaged: bool,
    /// Whether it has moved in this segment.
    pub moved: bool,
}

/// Where a fleet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Spot {
    /// In a system.
    System(System),
    /// In open space (§6.3).
    Lane {
        /// The system that it comes from.
        from: System,
        /// The system that it goes to.
        to: System,
        /// The number of hexes from the start.
        k: u32,
        /// The system from which it entered open space; both sides know it.
        origin: System,
    },
}

/// A World or an Outpost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Marker {
    /// A World.
    World,
    /// An Outpost.
    Outpost,
}

impl Marker {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::World => mark!("World"),
            Self::Outpost => mark!("Outpost"),
        }
    }

    /// Its name in the reader's language.
    pub fn localized(self) -> String {
        tongue::word(self.name()).into_owned()
    }

    /// Its name with its owner.
    pub fn of(self, side: Side) -> String {
        let whose = side.whose();
        match self {
            Self::World => say!("{whose} World"),
            Self::Outpost => say!("{whose} Outpost"),
        }
    }
}

/// A planet as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Land {
    /// Its marker.
    pub marker: Option<(Side, Marker)>,
    /// Its type.
    pub ground: Ground,
    /// Turns of terraforming that were paid.
    pub terraform: u8,
    /// Turns of upgrading that were paid.
    pub upgrade: u8,
    /// The turn of the game in which such work was paid last.
    #[serde(default)]
    pub worked: u32,
}

/// The control of a planet (§3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Nobody controls it.
    Nobody,
    /// A side controls it.
    Held(Side),
    /// Both have units on it.
    Disputed,
}

/// A unit under construction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Due {
    /// The turn of the game in which it arrives.
    pub turn: u32,
    /// Its type.
    pub kind: Kind,
}

/// A side's Resources and its units under construction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purse {
    /// Resources at hand.
    pub stock: u32,
    /// Units under construction.
    pub track: Vec<Due>,
}

/// Forces that the Imperial side has on loan (§5.1, §5.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loan {
    /// The remaining units.
    pub units: Vec<UnitId>,
    /// The types of lost units.
    pub lost: Vec<Kind>,
    /// The turn of the game in which they came; they leave if Glory does not rise. `None`: they
    /// stay to the end of the war.
    pub offensive: Option<u32>,
    /// Whether gains of Glory count double and losses triple while they remain.
    pub visit: bool,
}

/// The Emperor's permissions and the events at court (§5.1, §5.2). All of it is public.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Court {
    /// Types that the Imperial side may build beyond the usual ones.
    pub permitted: BTreeSet<Kind>,
    /// Whether further appeals are prohibited.
    pub banned: bool,
    /// Increases of the budget.
    pub budget: u32,
    /// The first and last turn of the game in which a Depression reduces the income.
    pub depression: Option<(u32, u32)>,
    /// Whether there is civil war this turn.
    pub civil_war: bool,
    /// Whether there are Peace Talks this turn.
    pub talks: bool,
    /// The last roll of the Imperial Intervention.
    pub roll: u32,
    /// Forces on loan.
    pub loans: Vec<Loan>,
}

/// The highest number of a unit if its type has no limit of counters.
pub const NUMBERS: u8 = 99;

/// Types that need permission (§5.5).
pub const RESTRICTED: [Kind; 5] = [Kind::CR, Kind::CA, Kind::B1, Kind::B2, Kind::BB];

/// Everything on the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// The number tables.
    pub tables: Tables,
    /// The map.
    pub galaxy: Galaxy,
    /// Every planet.
    pub planets: BTreeMap<Planet, Land>,
    /// Every unit in play.
    pub units: BTreeMap<UnitId, Unit>,
    /// Every fleet.
    pub fleets: BTreeMap<(Side, u8), Spot>,
    /// The purses of both sides.
    pub purses: [Purse; 2],
    /// The Emperor's court.
    pub court: Court,
    /// Whether a Terran B was destroyed (§5.5).
    pub b_lost: bool,
}

impl Board {
    /// A board whose planets are empty.
    pub fn new(tables: Tables, galaxy: Galaxy) -> Self {
        let land = |ground| Land { marker: None, ground, terraform: 0, upgrade: 0, worked: 0 };
        let all: Vec<Planet> = galaxy.all().flat_map(|s| galaxy.planets(s)).collect();
        let planets = all.into_iter().filter_map(|p| Some((p, land(galaxy.ground(p)?)))).collect();
        Self {
            tables,
            galaxy,
            planets,
            units: BTreeMap::new(),
            fleets: BTreeMap::new(),
            purses: [Purse::default(), Purse::default()],
            court: Court::default(),
            b_lost: false,
        }
    }

    /// The present values of a unit: damage halves its dice and the fighters carried, rounded up
    /// (§2.2).
    pub fn figures(&self, id: UnitId) -> Figures {
        let damaged = self.units.get(&id).is_some_and(|u| u.damaged);
        self.figures_if(id, damaged)
    }

    /// The values of a unit, damaged or undamaged.
    pub fn figures_if(&self, id: UnitId, damaged: bool) -> Figures {
        let Some(f) = self.tables.of(id.side, id.kind()) else {
            return Figures {
                b: 0,
                t: 0,
                d: 1,
                cm: 0,
                f: 0,
                m: 0,
                count: 0,
                cost: 0,
                turns: 1,
                dice: vec![],
            };
        };
        let dice = f.dice.get(usize::from(id.name.n).wrapping_sub(1)).copied().unwrap_or(0);
        let half = |n: u32| if damaged { n.div_ceil(2) } else { n };
        Figures {
            b: half(f.b),
            t: half(f.t),
            cm: half(f.cm),
            f: half(f.f),
            dice: vec![half(dice)],
            ..*f
        }
    }

    /// Dice of a unit in surface combat: troops by strength, planetary defence by B, fighters by T
    /// (§8.6).
    pub fn ground_dice(&self, id: UnitId) -> u32 {
        let f = self.figures(id);
        match id.kind() {
            Kind::RT | Kind::JT => f.dice.first().copied().unwrap_or(0),
            Kind::PD => f.b,
            _ => f.t,
        }
    }

    /// The class of a unit.
    pub fn class(&self, id: UnitId) -> Class {
        self.tables.class(id.kind())
    }

    /// Units of a side that are at a place.
    pub fn at(&self, side: Side, place: Place) -> impl Iterator<Item = UnitId> + '_ {
        self.of(side).filter(move |(_, u)| u.place == place).map(|(id, _)| id)
    }

    /// All units of a side, by type and number.
    pub fn of(&self, side: Side) -> impl Iterator<Item = (UnitId, &Unit)> {
        let first = UnitId::new(side, Kind::BB, 0);
        let last = UnitId::new(side, Kind::OP, u8::MAX);
        self.units.range(first..=last).map(|(id, u)| (*id, u))
    }

    /// The units aboard a ship.
    pub fn aboard(&self, id: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.at(id.side, Place::Aboard(id.name))
    }

    /// Ships of a fleet.
    pub fn ships(&self, side: Side, fleet: u8) -> impl Iterator<Item = UnitId> + '_ {
        self.at(side, Place::Fleet(fleet))
    }

    /// Fleets of a side in a system.
    pub fn fleets_in(&self, side: Side, system: System) -> impl Iterator<Item = u8> + '_ {
        let of = move |((s, n), spot): (&(Side, u8), &Spot)| {
            (*s == side && *spot == Spot::System(system)).then_some(*n)
        };
        self.fleets.iter().filter_map(of)
    }

    /// The system of a fleet; `None`: it does not exist or is in open space.
    pub fn system_of(&self, side: Side, fleet: u8) -> Option<System> {
        match self.fleets.get(&(side, fleet))? {
            Spot::System(at) => Some(*at),
            Spot::Lane { .. } => None,
        }
    }

    /// The fleet of a ship, or the fleet of the ship that carries a unit.
    pub fn fleet_of(&self, id: UnitId) -> Option<u8> {
        match self.units.get(&id)?.place {
            Place::Fleet(n) => Some(n),
            Place::Aboard(name) => match self.units.get(&UnitId { side: id.side, name })?.place {
                Place::Fleet(n) => Some(n),
                _ => None,
            },
            _ => None,
        }
    }

    /// The system in which a unit is.
    pub fn where_is(&self, id: UnitId) -> Option<System> {
        match self.units.get(&id)?.place {
            Place::Box(p) | Place::Surface(p, _) => Some(p.system),
            Place::Fleet(_) | Place::Aboard(_) => self.system_of(id.side, self.fleet_of(id)?),
            Place::Track(_) | Place::Arriving => None,
        }
    }

    /// Monitors of a side on the planets of a system.
    pub fn monitors(&self, side: Side, system: System) -> impl Iterator<Item = UnitId> + '_ {
        self.of(side).filter_map(move |(id, u)| match u.place {
            Place::Box(p) if id.kind() == Kind::M && p.system == system => Some(id),
            _ => None,
        })
    }

    /// Whether a side has units in a system.
    pub fn present(&self, side: Side, system: System) -> bool {
        self.fleets_in(side, system).next().is_some()
            || self.of(side).any(|(_, u)| match u.place {
                Place::Box(p) | Place::Surface(p, _) => p.system == system,
                _ => false,
            })
    }

    /// Whether a side has units in a system that stop enemy fleets (§6.1): warships other than
    /// scouts, or monitors.
    pub fn blocks(&self, side: Side, system: System) -> bool {
        let warship = |id: UnitId| match self.class(id) {
            Class::Capital => true,
            Class::Light => id.kind() != Kind::SC,
            _ => false,
        };
        self.fleets_in(side, system).any(|f| self.ships(side, f).any(warship))
            || self.monitors(side, system).next().is_some()
    }

    /// Whether a system contains a fleet, Outpost or World of this side (§3.2).
    pub fn occupied(&self, side: Side, system: System) -> bool {
        self.fleets_in(side, system).next().is_some()
            || self.galaxy.planets(system).any(|p| self.marker(p).is_some_and(|m| m.0 == side))
    }

    /// A planet as it is now.
    pub fn land(&self, planet: Planet) -> Option<&Land> {
        self.planets.get(&planet)
    }

    /// Its marker.
    pub fn marker(&self, planet: Planet) -> Option<(Side, Marker)> {
        self.land(planet)?.marker
    }

    /// The control of a planet (§3.2).
    pub fn control(&self, planet: Planet) -> Control {
        let mut holders = [false, false];
        for (id, unit) in &self.units {
            match unit.place {
                Place::Surface(p, _) if p == planet => return Control::Disputed,
                Place::Box(p) if p == planet => holders[id.side.i()] = true,
                _ => {}
            }
        }
        let holder = match holders {
            [true, true] => return Control::Disputed,
            [true, false] => Some(Side::Terran),
            [false, true] => Some(Side::Imperial),
            [false, false] => None,
        };
        let marker = self.marker(planet).map(|m| m.0);
        marker.or(holder).map_or(Control::Nobody, Control::Held)
    }

    /// The marker of a planet that a side holds undisputed.
    pub fn holds(&self, side: Side, planet: Planet) -> Option<Marker> {
        let (owner, marker) = self.marker(planet)?;
        let calm = self.control(planet) == Control::Held(side);
        (owner == side && calm).then_some(marker)
    }

    /// Planets with this marker that a side holds, by number.
    pub fn held(&self, side: Side, marker: Marker) -> Vec<Planet> {
        let disputed = self.disputed();
        let of = |(p, land): (&Planet, &Land)| {
            (land.marker == Some((side, marker)) && !disputed.contains(p)).then_some(*p)
        };
        self.planets.iter().filter_map(of).collect()
    }

    /// Planets on which both sides have units.
    pub fn disputed(&self) -> BTreeSet<Planet> {
        let mut boxes: [BTreeSet<Planet>; 2] = [BTreeSet::new(), BTreeSet::new()];
        let mut disputed = BTreeSet::new();
        for (id, unit) in &self.units {
            match unit.place {
                Place::Surface(p, _) => {
                    disputed.insert(p);
                }
                Place::Box(p) => {
                    boxes[id.side.i()].insert(p);
                }
                _ => {}
            }
        }
        let [terran, imperial] = &boxes;
        disputed.extend(terran.intersection(imperial));
        disputed
    }

    /// Jumps that a ship makes in a move (§2.4).
    pub fn jumps(&self, id: UnitId) -> u32 {
        let speed = self.tables.speed.get(&self.class(id)).map_or(0, |s| s.jumps);
        let damaged = self.units.get(&id).is_some_and(|u| u.damaged);
        speed.saturating_sub(u32::from(damaged))
    }

    /// Areas that a ship moves in a round of battle; fighters have none.
    pub fn areas(&self, id: UnitId) -> u32 {
        let speed = self.tables.speed.get(&self.class(id)).map_or(0, |s| s.areas);
        let damaged = self.units.get(&id).is_some_and(|u| u.damaged);
        if damaged { speed.saturating_sub(1).max(1) } else { speed }
    }

    /// The slowest ship of a fleet and its jumps.
    pub fn slowest(&self, side: Side, fleet: u8) -> Option<(UnitId, u32)> {
        self.ships(side, fleet).map(|id| (id, self.jumps(id))).min_by_key(|s| s.1)
    }

    /// Units in a planetary box or on its surface.
    pub fn on(&self, side: Side, planet: Planet) -> impl Iterator<Item = UnitId> + '_ {
        self.of(side).filter_map(move |(id, u)| match u.place {
            Place::Box(p) | Place::Surface(p, _) if p == planet => Some(id),
            _ => None,
        })
    }

    /// Hexes of a planet.
    pub fn hexes(&self, planet: Planet) -> u8 {
        self.land(planet).map_or(0, |l| self.tables.hexes(l.ground))
    }

    /// Moves a unit to a place.
    pub fn put(&mut self, id: UnitId, place: Place) {
        if let Some(unit) = self.units.get_mut(&id) {
            unit.place = place;
        }
    }

    /// Removes a unit with all that is aboard; returns all removed units.
    pub fn remove(&mut self, id: UnitId) -> Vec<UnitId> {
        let mut gone: Vec<UnitId> = self.aboard(id).collect();
        gone.push(id);
        for id in &gone {
            self.units.remove(id);
        }
        gone
    }

    /// Damages a unit, and the cargo of a transport with it (§2.3).
    pub fn damage(&mut self, id: UnitId) {
        if let Some(unit) = self.units.get_mut(&id) {
            unit.damaged = true;
        }
        if matches!(id.kind(), Kind::TR | Kind::AT) {
            let cargo: Vec<UnitId> = self.aboard(id).collect();
            for id in cargo {
                if let Some(unit) = self.units.get_mut(&id) {
                    unit.damaged = true;
                }
            }
        }
    }

    /// Removes fleets of both sides that have no ships.
    pub fn sweep(&mut self) {
        Side::BOTH.into_iter().for_each(|side| self.sweep_of(side));
    }

    /// Removes fleets of a side that have no ships; ships of the other side may be unseen.
    pub fn sweep_of(&mut self, side: Side) {
        let fleet = |(_, u): (UnitId, &Unit)| match u.place {
            Place::Fleet(n) => Some(n),
            _ => None,
        };
        let used: BTreeSet<u8> = self.of(side).filter_map(fleet).collect();
        self.fleets.retain(|(s, n), _| *s != side || used.contains(n));
    }

    /// Moves surface units of a planet into its box if only one side is left there.
    pub fn settle(&mut self, planet: Planet) {
        let on = |side| self.on(side, planet).count();
        if on(Side::Terran) > 0 && on(Side::Imperial) > 0 {
            return;
        }
        for unit in self.units.values_mut() {
            if matches!(unit.place, Place::Surface(p, _) if p == planet) {
                unit.place = Place::Box(planet);
            }
        }
    }

    /// The lowest free number of a fleet.
    pub fn free_fleet(&self, side: Side) -> Option<u8> {
        (1..=self.tables.limits.fleets).find(|n| !self.fleets.contains_key(&(side, *n)))
    }

    /// Makes a fleet of a side in a system; if no number is free, uses the lowest fleet there.
    pub fn new_fleet(&mut self, side: Side, system: System) -> u8 {
        let number = self.free_fleet(side).or_else(|| self.fleets_in(side, system).next());
        let number = number.unwrap_or(self.tables.limits.fleets);
        self.fleets.insert((side, number), Spot::System(system));
        number
    }

    /// The board as one side may see it: without enemy units, and without the enemy's construction
    /// unless turn tracks are open (§15).
    pub fn seen_by(&self, side: Side, open_tracks: bool) -> Self {
        let other = side.other();
        let mut board = self.clone();
        board.units.retain(|id, u| {
            let open = matches!(u.place, Place::Track(_) | Place::Arriving) && open_tracks;
            id.side == side || open && !id.kind().is_troops()
        });
        // The goal of an enemy fleet in open space is secret.
        for ((owner, _), spot) in &mut board.fleets {
            if let (Spot::Lane { from, to, k, origin }, true) = (spot, *owner == other) {
                (*from, *to, *k) = (*origin, *origin, 0);
            }
        }
        if !open_tracks {
            board.purses[other.i()] = Purse::default();
        }
        // The numbers of troops show their strength.
        for id in board.court.loans.iter_mut().flat_map(|l| &mut l.units) {
            if id.side == other && id.kind().is_troops() {
                id.name.n = 0;
            }
        }
        board
    }

    /// Records loaned units that no longer exist as lost, as their numbers may be used again.
    pub fn bury_loans(&mut self) {
        let units = &self.units;
        for loan in &mut self.court.loans {
            let (here, gone): (Vec<UnitId>, Vec<UnitId>) =
                loan.units.drain(..).partition(|id| units.contains_key(id));
            loan.units = here;
            loan.lost.extend(gone.into_iter().map(UnitId::kind));
        }
    }

    /// The worth of a unit in a battle: its cost; if it is damaged, half of it, rounded up (§7.4).
    pub fn worth(&self, id: UnitId) -> u32 {
        let cost = self.tables.cost(id.side, id.kind());
        let damaged = self.units.get(&id).is_some_and(|u| u.damaged);
        if damaged { cost - cost / 2 } else { cost }
    }
}

/// The effect of hits in one step of fire (§2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Harm {
    /// No effect.
    None,
    /// The unit is damaged.
    Damaged,
    /// The unit is destroyed.
    Destroyed,
}

/// The effect of hits on a unit with this defence.
pub fn harm(hits: u32, defence: u32, damaged: bool) -> Harm {
    match hits {
        h if h < defence => Harm::None,
        h if h >= 3 * defence || damaged => Harm::Destroyed,
        _ => Harm::Damaged,
    }
}
