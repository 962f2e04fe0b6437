//! The world while a turn is played: which unit is where, and who sees what (§6, §7).
//!
//! The fields beside the [`World`] follow from it and are not saved. Units move, appear and
//! disappear only by functions of this file, so that both agree.

use std::collections::{BTreeMap, BTreeSet};

use engine::Seat;
use engine::geometry::{Direction, Place};

use super::event::{Event, Told, What};
use super::ground::Terrain;
use super::kinds::{Class, Edition, Kind};
use super::sight::Mark;
use super::state::{Unit, UnitId, World};
use super::stop::Stop;

/// Seats as bits.
pub type Seats = u8;

/// The bit of a seat.
pub fn bit(seat: Seat) -> Seats {
    1u8.checked_shl(u32::from(seat.0) - 1).unwrap_or(0)
}

/// The farthest that anything sees.
const FARTHEST: i32 = 2;

/// A fight that is only planned, in a trial run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// Where.
    pub at: Place,
    /// The chance to win, in tenths of a percent.
    pub odds: u32,
}

/// What is noted while orders are tried on a player's knowledge: fights are not fought there, and
/// nothing new is seen.
#[derive(Debug, Default)]
pub struct Paper {
    /// The first fight of each unit.
    pub fights: BTreeMap<u16, Planned>,
    /// Why units stand still.
    pub stops: BTreeMap<u16, Stop>,
    /// The first goals of exploring units.
    pub looks: BTreeMap<u16, Place>,
    /// Aircraft that turn back before they are out of range.
    pub backs: BTreeSet<u16>,
}

/// The world with everything that follows from it.
pub struct Field {
    /// The world.
    pub world: World,
    /// The events, each with the seats that learn of it.
    pub events: Vec<Event>,
    /// The unit on each square outside of cities, without those aboard, and without an aircraft
    /// that flies over another unit.
    top: Vec<Option<UnitId>>,
    /// Units in cities.
    inside: BTreeMap<Place, Vec<UnitId>>,
    /// Units aboard others, in the order in which they boarded.
    cargo: BTreeMap<UnitId, Vec<u16>>,
    /// The ways of units: the goal, and the steps, the last one first.
    pub(super) ways: BTreeMap<UnitId, (Place, Vec<Direction>)>,
    /// Units that this step's cards name.
    pub(super) named: BTreeSet<UnitId>,
    /// Present only while orders are tried.
    pub paper: Option<Paper>,
}

impl Field {
    /// The field of a world.
    pub fn new(world: World) -> Self {
        let top = vec![None; world.ground.grid.len()];
        let mut field = Self {
            world,
            events: Vec::new(),
            top,
            inside: BTreeMap::new(),
            cargo: BTreeMap::new(),
            ways: BTreeMap::new(),
            named: BTreeSet::new(),
            paper: None,
        };
        let all: Vec<(UnitId, Place, Option<u16>, u32)> =
            field.world.units().map(|(id, u)| (id, u.at, u.aboard, u.boarded)).collect();
        let mut aboard = Vec::new();
        for (id, at, carrier, boarded) in all {
            match carrier {
                Some(number) => aboard.push((boarded, number, id)),
                None => field.stand(id, at),
            }
        }
        aboard.sort_unstable();
        for (_, number, id) in aboard {
            let carrier = UnitId { number, ..id };
            field.cargo.entry(carrier).or_default().push(id.number);
        }
        field
    }

    fn stand(&mut self, id: UnitId, at: Place) {
        if self.world.ground.at(at) == Terrain::City {
            let inside = self.inside.entry(at).or_default();
            inside.push(id);
            inside.sort_unstable();
        } else if let Some(top) = self.top.get_mut(usize::from(at.0)) {
            top.get_or_insert(id);
        }
    }

    fn lift(&mut self, id: UnitId, at: Place) {
        if let Some(inside) = self.inside.get_mut(&at) {
            inside.retain(|u| *u != id);
        } else if let Some(top) = self.top.get_mut(usize::from(at.0))
            && *top == Some(id)
        {
            *top = None;
        }
    }

    /// The unit that stands on a square outside of cities.
    pub fn top(&self, at: Place) -> Option<UnitId> {
        self.top.get(usize::from(at.0)).copied().flatten()
    }

    /// The units in a city, without those aboard others.
    pub fn inside(&self, at: Place) -> &[UnitId] {
        self.inside.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The numbers of the units aboard, in the order in which they boarded.
    pub fn cargo(&self, carrier: UnitId) -> &[u16] {
        self.cargo.get(&carrier).map_or(&[], Vec::as_slice)
    }

    /// A unit that exists.
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.world.unit(id)
    }

    /// Records an event for seats.
    pub fn record(&mut self, to: Seats, what: What) {
        self.events.push(Event { to: Told(to), turn: self.world.turn, what });
    }

    /// Places that a carrier has (§6); `None`: any number.
    pub fn places(&self, id: UnitId) -> Option<u32> {
        let unit = self.unit(id)?;
        let figures = self.world.options.cargo;
        let places = match unit.kind {
            Kind::Tr => figures.transport,
            Kind::Ca => figures.carrier,
            _ => return None,
        };
        Some(places.places.saturating_sub(places.lost * u32::from(unit.damage)))
    }

    /// Places that its cargo takes up.
    pub fn taken(&self, id: UnitId) -> u32 {
        let Some(carrier) = self.unit(id) else { return 0 };
        let of = |n: &u16| {
            let unit = self.unit(UnitId { number: *n, ..id })?;
            carrier.kind.places_of(unit.kind)
        };
        self.cargo(id).iter().filter_map(of).sum()
    }

    /// Whether a carrier takes another unit of a kind.
    pub fn has_room(&self, carrier: UnitId, kind: Kind) -> bool {
        let Some(places) = self.unit(carrier).and_then(|c| c.kind.places_of(kind)) else {
            return false;
        };
        self.places(carrier).is_none_or(|all| self.taken(carrier) + places <= all)
    }

    /// Makes a new unit in a city of its player.
    pub fn make(&mut self, seat: Seat, kind: Kind, at: Place) -> Option<UnitId> {
        let figure = *self.world.options.figure(kind)?;
        let orders = self.world.city(at).map(|c| c.rally.clone()).unwrap_or_default();
        let side = self.world.side_mut(seat)?;
        side.numbered = side.numbered.checked_add(1)?;
        let number = side.numbered;
        let unit = Unit { rests: true, orders, ..Unit::new(kind, at, &figure) };
        side.units.insert(number, unit);
        let id = UnitId { seat, number };
        self.stand(id, at);
        self.look(id);
        Some(id)
    }

    /// Moves a unit, and its cargo with it.
    pub fn shift(&mut self, id: UnitId, to: Place) {
        let Some(from) = self.unit(id).map(|u| u.at) else { return };
        self.disembark(id);
        self.lift(id, from);
        let cargo = self.cargo(id).to_vec();
        for number in cargo.iter().copied().chain([id.number]) {
            if let Some(unit) = self.world.unit_mut(UnitId { number, ..id }) {
                unit.at = to;
            }
        }
        self.stand(id, to);
        self.seen_gone(from);
        self.dim(id.seat, from);
        self.look(id);
        self.seen_at(to);
    }

    fn disembark(&mut self, id: UnitId) {
        let Some(number) = self.world.unit_mut(id).and_then(|u| u.aboard.take()) else { return };
        if let Some(cargo) = self.cargo.get_mut(&UnitId { number, ..id }) {
            cargo.retain(|n| *n != id.number);
        }
    }

    /// Puts a unit aboard another one.
    pub fn board(&mut self, id: UnitId, carrier: UnitId) {
        let Some(from) = self.unit(id).map(|u| u.at) else { return };
        let Some(to) = self.unit(carrier).map(|u| u.at) else { return };
        self.disembark(id);
        self.lift(id, from);
        self.world.boarded += 1;
        let boarded = self.world.boarded;
        if let Some(unit) = self.world.unit_mut(id) {
            (unit.aboard, unit.boarded, unit.at) = (Some(carrier.number), boarded, to);
        }
        self.cargo.entry(carrier).or_default().push(id.number);
        self.seen_gone(from);
        self.dim(id.seat, from);
        self.look(id);
        self.seen_at(to);
    }

    /// Removes a unit and its cargo. Returns all that were removed, the unit itself first.
    pub fn destroy(&mut self, id: UnitId) -> Vec<UnitId> {
        let Some(at) = self.unit(id).map(|u| u.at) else { return Vec::new() };
        let mut gone = vec![id];
        gone.extend(self.cargo(id).iter().map(|number| UnitId { number: *number, ..id }));
        self.disembark(id);
        self.lift(id, at);
        self.cargo.remove(&id);
        for id in &gone {
            if let Some(side) = self.world.side_mut(id.seat) {
                side.units.remove(&id.number);
            }
        }
        self.seen_gone(at);
        self.dim(id.seat, at);
        gone
    }

    /// Gives a city to another player, or to nobody.
    pub fn give(&mut self, at: Place, to: Option<Seat>) {
        let before = self.world.city(at).and_then(|c| c.owner);
        if let Some(city) = self.world.city_mut(at) {
            city.owner = to;
            city.held = 0;
        }
        if let Some(seat) = before {
            self.dim(seat, at);
            // The former owner learns who holds it now.
            let (turn, manned) = (self.world.turn, !self.inside(at).is_empty());
            if let Some(side) = self.world.side_mut(seat) {
                side.known.see_city(at, to, manned, turn);
            }
        }
        if let Some(seat) = to {
            let range = i32::from(self.world.options.city.sight);
            self.open(seat, at, range);
            // Submarines and aircraft may be seen from farther away than ground.
            self.refresh(seat, at, FARTHEST.max(range));
        }
        self.seen_at(at);
    }

    /// How far a unit and its cargo see.
    fn sight(&self, id: UnitId) -> i32 {
        let sight = |kind: Kind| self.world.options.figure(kind).map_or(0, |f| i32::from(f.sight));
        let Some(unit) = self.unit(id) else { return 0 };
        let aboard = self
            .cargo(id)
            .iter()
            .filter_map(|n| self.unit(UnitId { number: *n, ..id }).map(|cargo| sight(cargo.kind)));
        aboard.chain([sight(unit.kind)]).max().unwrap_or(0)
    }

    /// How far anything sees in this edition.
    fn farthest(&self) -> i32 {
        if self.world.options.advanced() { FARTHEST } else { 1 }
    }

    /// Whether everybody sees everything.
    pub(super) fn open_to_all(&self) -> bool {
        self.world.options.edition == Edition::Basic
    }

    fn everybody(&self) -> Seats {
        self.world.seats().map(bit).fold(0, |all, one| all | one)
    }

    /// Who sees the ground of a square now.
    pub fn who_sees(&self, at: Place) -> Seats {
        self.who(at, 0, &|_, away, range| away <= range)
    }

    /// Who sees a unit of a kind that stands on a square now, without the seats in `but`.
    fn who_sees_unit(&self, at: Place, kind: Kind, but: Seats) -> Seats {
        let advanced = self.world.options.advanced();
        let submarines = i32::from(self.world.options.city.sees_submarines);
        let flies = kind.class() == Class::Air;
        self.who(at, but, &|eye, away, range| match (kind, eye) {
            (Kind::Su, None) => away <= submarines,
            (Kind::Su, Some(eye)) => away <= 1 && eye.finds_submarines(),
            // A submarine sees neither land nor air.
            (_, Some(Kind::Su)) => kind.class() == Class::Sea && away <= range,
            _ if flies && advanced => away <= FARTHEST,
            _ => away <= range,
        })
    }

    /// The seats that see a square, without those in `but`. `sees` is called for each unit near it
    /// (or city: `None`), with its distance and how far it sees the ground.
    fn who(&self, at: Place, but: Seats, sees: &dyn Fn(Option<Kind>, i32, i32) -> bool) -> Seats {
        let grid = self.world.ground.grid;
        if self.open_to_all() {
            return self.everybody() & !but;
        }
        // Seats that are known to see it are not checked again, and those in `but` never.
        let mut seats = but;
        for near in grid.within(at, self.farthest()) {
            let away = grid.distance(at, near);
            if let Some(id) = self.top(near)
                && seats & bit(id.seat) == 0
                && sees(self.unit(id).map(|u| u.kind), away, self.sight(id))
            {
                seats |= bit(id.seat);
            }
            if self.world.ground.at(near) == Terrain::City
                && let Some(owner) = self.world.city(near).and_then(|c| c.owner)
                && seats & bit(owner) == 0
            {
                let range = i32::from(self.world.options.city.sight);
                if sees(None, away, range) {
                    seats |= bit(owner);
                }
                // Units in the city find submarines as they do outside.
                for id in self.inside(near) {
                    if seats & bit(owner) != 0 {
                        break;
                    }
                    let kind = self.unit(*id).map(|u| u.kind);
                    if kind.is_some_and(|k| k != Kind::Su) && sees(kind, away, self.sight(*id)) {
                        seats |= bit(id.seat);
                    }
                }
            }
        }
        seats & !but
    }

    /// Adds what a unit sees from its square to its player's knowledge.
    pub fn look(&mut self, id: UnitId) {
        let Some((at, kind)) = self.unit(id).map(|u| (u.at, u.kind)) else { return };
        let range = match kind {
            // Aircraft are seen from two squares away.
            _ if self.world.options.advanced() && kind != Kind::Su => FARTHEST,
            _ => self.sight(id),
        };
        self.open(id.seat, at, self.sight(id));
        self.refresh(id.seat, at, range);
    }

    /// Adds the ground around a square to a player's knowledge.
    fn open(&mut self, seat: Seat, at: Place, range: i32) {
        if self.paper.is_some() {
            return;
        }
        let grid = self.world.ground.grid;
        let turn = self.world.turn;
        for place in grid.within(at, range) {
            let city = self.world.city(place).map(|c| c.owner);
            let manned = !self.inside(place).is_empty();
            let Some(side) = self.world.side_mut(seat) else { return };
            let new = side.known.see(place);
            let Some(owner) = city else { continue };
            let first = side.known.see_city(place, owner, manned, turn);
            if new && first && owner != Some(seat) {
                self.record(bit(seat), What::Found(place));
            }
        }
    }

    /// Notes enemies around a square that are seen, or seen to be gone.
    fn refresh(&mut self, seat: Seat, at: Place, range: i32) {
        if self.paper.is_some() {
            return;
        }
        let grid = self.world.ground.grid;
        for place in grid.within(at, range) {
            self.note(seat, place);
        }
    }

    /// Updates a player's knowledge of the unit on a square.
    fn note(&mut self, seat: Seat, at: Place) {
        let turn = self.world.turn;
        let there = self.top(at).filter(|id| id.seat != seat);
        let seen = there.and_then(|id| {
            let unit = self.unit(id)?;
            let sees = self.who_sees_unit(at, unit.kind, 0) & bit(seat) != 0;
            let laden = !self.cargo(id).is_empty();
            sees.then_some(Mark { kind: unit.kind, owner: id.seat, laden, turn, here: true })
        });
        // A player who would see the unit and does not, sees that it is gone.
        let marked = self.world.side(seat).and_then(|s| s.known.marks.get(&at)).map(|m| m.kind);
        let gone = marked.is_some_and(|kind| self.who_sees_unit(at, kind, 0) & bit(seat) != 0);
        let Some(side) = self.world.side_mut(seat) else { return };
        match seen {
            Some(mark) => {
                let before = side.known.marks.insert(at, mark);
                let new =
                    before.is_none_or(|b| !b.here || (b.kind, b.owner) != (mark.kind, mark.owner));
                if new {
                    let (kind, owner) = (mark.kind, mark.owner);
                    self.record(bit(seat), What::Sighted { at, kind, owner });
                }
            }
            // Submarines leave no mark, and neither does a unit that is seen to be gone.
            None if gone => {
                side.known.marks.remove(&at);
            }
            None => {
                if let Some(mark) = side.known.marks.get_mut(&at) {
                    // It was in sight until now.
                    if mark.here {
                        mark.turn = turn;
                    }
                    mark.here = false;
                    if mark.kind == Kind::Su {
                        side.known.marks.remove(&at);
                    }
                }
            }
        }
    }

    /// Updates what is in sight after a unit or city of a seat has left a square: what only it saw
    /// is now out of sight.
    fn dim(&mut self, seat: Seat, at: Place) {
        let grid = self.world.ground.grid;
        let Some(side) = self.world.side(seat) else { return };
        let marks = &side.known.marks;
        if marks.is_empty() {
            return;
        }
        let here = |p: &Place| marks.get(p).is_some_and(|m| m.here);
        let near: Vec<Place> = grid.within(at, FARTHEST).filter(here).collect();
        for place in near {
            self.note(seat, place);
        }
    }

    /// Notes for everybody who saw the unit on a square that it is gone.
    fn seen_gone(&mut self, at: Place) {
        let marked: Vec<Seat> = self
            .world
            .seats()
            .filter(|s| self.world.side(*s).is_some_and(|s| s.known.marks.contains_key(&at)))
            .collect();
        for seat in marked {
            self.note(seat, at);
        }
    }

    /// Notes for everybody who sees a square what has come there.
    pub(super) fn seen_at(&mut self, at: Place) {
        let turn = self.world.turn;
        let top = self.top(at).and_then(|id| Some((bit(id.seat), self.unit(id)?.kind)));
        // Players keep no marks of their own units.
        let (seats, fliers) = match top {
            Some((own, kind)) => (
                self.who(at, own, &|_, away, range| away <= range),
                self.who_sees_unit(at, kind, own),
            ),
            None => (self.who_sees(at), 0),
        };
        let city = self.world.city(at).map(|c| (c.owner, !self.inside(at).is_empty()));
        for seat in self.world.seats().filter(|s| (seats | fliers) & bit(*s) != 0) {
            self.note(seat, at);
            if let (Some((owner, manned)), Some(side)) = (city, self.world.side_mut(seat))
                && seats & bit(seat) != 0
            {
                side.known.see_city(at, owner, manned, turn);
            }
        }
    }

    /// Whether a kind can go onto a square, apart from cities; in a trial run it can go onto
    /// everything unknown.
    pub(super) fn takes(&self, seat: Seat, at: Place, kind: Kind) -> bool {
        let unknown = || self.world.side(seat).is_some_and(|s| !s.known.has_seen(at));
        self.world.ground.at(at).takes(kind) || self.paper.is_some() && unknown()
    }

    /// Updates what players know of cities in sight: their owners, and whether units are inside.
    pub fn watch_cities(&mut self) {
        let turn = self.world.turn;
        for at in self.world.ground.cities().to_vec() {
            let seats = self.who_sees(at);
            let owner = self.world.city(at).and_then(|c| c.owner);
            let manned = !self.inside(at).is_empty();
            for seat in self.world.seats() {
                let Some(side) = self.world.side_mut(seat) else { continue };
                if seats & bit(seat) != 0 {
                    side.known.see_city(at, owner, manned, turn);
                } else if let Some(city) = side.known.cities.get_mut(&at) {
                    city.manned = false;
                }
            }
        }
    }

    /// Who learns of a fight: those who took part, or everybody where everybody sees everything.
    pub fn witnesses(&self, parties: Seats) -> Seats {
        if self.open_to_all() { self.everybody() } else { parties }
    }

    /// In the basic edition everybody has seen everything from the start.
    pub fn reveal(&mut self) {
        if !self.open_to_all() {
            return;
        }
        let places: Vec<Place> = self.world.ground.grid.places().collect();
        for seat in self.world.seats() {
            for at in &places {
                let city = self.world.city(*at).map(|c| (c.owner, !self.inside(*at).is_empty()));
                let turn = self.world.turn;
                let Some(side) = self.world.side_mut(seat) else { continue };
                side.known.see(*at);
                if let Some((owner, manned)) = city {
                    side.known.see_city(*at, owner, manned, turn);
                }
            }
        }
    }

    /// The squares that a player's cities and units see now.
    pub fn in_sight(&self, seat: Seat) -> BTreeSet<Place> {
        let grid = self.world.ground.grid;
        if self.open_to_all() {
            return grid.places().collect();
        }
        let range = i32::from(self.world.options.city.sight);
        let cities = self.world.cities_of(seat).map(|at| (at, range));
        let numbers = self.world.side(seat).into_iter().flat_map(|s| s.units.iter());
        let units = numbers.map(|(n, u)| (u.at, self.sight(UnitId { seat, number: *n })));
        cities.chain(units).flat_map(|(at, range)| grid.within(at, range)).collect()
    }

    /// Every player looks around from all units and cities.
    pub fn look_around(&mut self) {
        self.reveal();
        for seat in self.world.seats() {
            let cities: Vec<Place> = self.world.cities_of(seat).collect();
            let range = i32::from(self.world.options.city.sight);
            for at in cities {
                self.open(seat, at, range);
                self.refresh(seat, at, range);
            }
            let side = self.world.side(seat);
            let units: Vec<u16> =
                side.map(|s| s.units.keys().copied().collect()).unwrap_or_default();
            for number in units {
                self.look(UnitId { seat, number });
            }
        }
    }
}
