//! What units do by their orders (§16): the next step of each, until it has no step left,
//! waits, or is done.

use std::collections::{BTreeMap, BTreeSet};

use engine::geometry::{Direction, Place};
use engine::graph;
use engine::{BySeat, Dice, Seat};

use super::combat::{self, Attacker, Target};
use super::event::What;
use super::field::{Field, bit};
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::moves::{May, Step};
use super::orders::{Flags, Task};
use super::route::Router;
use super::state::UnitId;
use super::stop::Stop;

/// What a look at the orders of a unit comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// It has acted, and may act again.
    Acted,
    /// Nothing more in this turn, or in this impulse.
    Waits,
    /// Something is in its way.
    Blocked,
}

/// Chances in tenths of a percent at which who fights by himself attacks.
pub const EVEN: u32 = 500;

/// Steps and tasks of a unit in a turn at most: far more than there can be.
const ROUNDS: u32 = 100;

/// Cost of a square that was never seen.
const UNKNOWN: u32 = 2;

/// Cost of a square with a unit of one's own: aircraft fly over it, others wait until it has
/// gone, or take another way that is not much longer.
const OVER: u32 = 3;
const WAIT: u32 = 5;

/// Cost of a city on the way of an aircraft.
const LANDS: u32 = 6;

/// Steps that a unit has made in this turn.
fn unit_made(field: &Field, id: UnitId) -> u8 {
    field.unit(id).map_or(0, |u| u.made)
}

impl Field {
    /// Carries out the orders of a unit as far as they go in this turn; what ended it.
    pub fn act(&mut self, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
        // Each round makes a step or ends a task, and there are few of both.
        for _ in 0..ROUNDS {
            let done = self.once(id, paths, dice);
            if done != Done::Acted {
                return done;
            }
        }
        Done::Waits
    }

    /// One step of a unit, or the end of a task.
    pub fn once(&mut self, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
        let Some(unit) = self.unit(id) else { return Done::Waits };
        let Some(task) = unit.orders.first().cloned() else { return Done::Waits };
        // Cargo goes ashore when its ship is where it was sent.
        let sails = |n: u16| {
            let ship = self.unit(UnitId { number: n, ..id });
            ship.is_some_and(|s| {
                s.kind == Kind::Tr && matches!(s.orders.first(), Some(Task::Go(..)))
            })
        };
        let goes = matches!(task, Task::Go(..) | Task::Attack(..) | Task::Explore(_));
        if goes && unit.aboard.is_some_and(sails) {
            return self.halt(id, Stop::Aboard);
        }
        let done = match task {
            Task::Go(to, flags) => self.go(id, to, flags, paths, dice),
            Task::Path(steps, flags) => self.path(id, &steps, flags, paths, dice),
            Task::Attack(to, flags) => self.strike(id, to, flags, paths, dice),
            Task::Sentry(flags) => self.sentry(id, flags, dice),
            Task::Patrol(points, leg, flags) => self.patrol(id, &points, leg, flags, paths, dice),
            Task::Explore(flags) => self.explore(id, flags, paths, dice),
            Task::Board(carrier) => self.go_aboard(id, carrier, paths, dice),
            Task::Fill => self.fill(id),
            Task::Unload(to, flags) => self.unload(id, to, flags, dice),
            Task::Return => self.go_home(id, paths, dice),
            Task::Wait(turns) => self.wait(id, turns),
        };
        if done == Done::Acted {
            if let Some(unit) = self.world.unit_mut(id) {
                unit.blocked = 0;
            }
            if let Some(paper) = &mut self.paper {
                paper.stops.remove(&id.number);
            }
        }
        done
    }

    /// A unit can't go on in this turn, or in this impulse.
    fn halt(&mut self, id: UnitId, why: Stop) -> Done {
        if let Some(paper) = &mut self.paper {
            paper.stops.insert(id.number, why);
        }
        if why == Stop::NoWay
            && let Some(unit) = self.world.unit_mut(id)
        {
            // A way may be found later.
            unit.blocked = 0;
        }
        match why {
            Stop::Spent | Stop::Paper => Done::Waits,
            _ => Done::Blocked,
        }
    }

    /// The first task of a unit is over.
    fn finish(&mut self, id: UnitId) -> Done {
        if let Some(unit) = self.world.unit_mut(id)
            && !unit.orders.is_empty()
        {
            unit.orders.remove(0);
            (unit.blocked, unit.beside) = (0, None);
        }
        Done::Acted
    }

    /// A unit is told to do something else than its first task now.
    fn replace(&mut self, id: UnitId, task: Task) {
        if let Some(first) = self.world.unit_mut(id).and_then(|u| u.orders.first_mut()) {
            *first = task;
        }
    }

    /// All orders of a unit are over, and its player hears why.
    fn wake_up(&mut self, id: UnitId, why: What) -> Done {
        if let Some(unit) = self.world.unit_mut(id) {
            unit.orders.clear();
            (unit.blocked, unit.beside) = (0, None);
        }
        self.tell(bit(id.seat), why);
        Done::Waits
    }

    /// Whether an enemy is in a unit's sight that was not there when it looked last.
    fn meets(&mut self, id: UnitId) -> bool {
        let Some(unit) = self.unit(id) else { return false };
        let range = self.world.options.figure(unit.kind).map_or(1, |f| i32::from(f.sight));
        let Some(side) = self.world.side(id.seat) else { return false };
        let here = |at: &Place| side.known.marks.get(at).is_some_and(|m| m.here);
        let near = self.world.ground.grid.within(unit.at, range).filter(here).collect();
        self.is_new(id, near)
    }

    /// Notes what is near to a unit; whether there is more of it than before.
    fn is_new(&mut self, id: UnitId, near: Vec<Place>) -> bool {
        let Some(unit) = self.world.unit_mut(id) else { return false };
        let new = |before: &Vec<Place>| near.iter().any(|at| !before.contains(at));
        let new = unit.beside.as_ref().is_some_and(new);
        unit.beside = Some(near);
        new
    }

    /// Whether a unit attacks what is next to it, for it was told to.
    fn fights(&self, id: UnitId, flags: Flags) -> bool {
        flags.fight && self.prey(id).is_some()
    }

    /// What a square costs who knows what its player knows; `None`: it is closed.
    fn cost(&self, id: UnitId, kind: Kind, at: Place, goal: Place) -> Option<u32> {
        let side = self.world.side(id.seat)?;
        if !side.known.has_seen(at) {
            return Some(UNKNOWN);
        }
        let ground = self.world.ground.at(at);
        if ground == Terrain::City {
            let own = side.known.cities.get(&at).is_some_and(|c| c.owner == Some(id.seat));
            // An aircraft that comes to a city lands there.
            let through = if kind.class() == Class::Air && at != goal { LANDS } else { 1 };
            return (own || at == goal).then_some(through);
        }
        // A carrier, or who is attacked, may be where its kind can't go.
        if !ground.takes(kind) && at != goal {
            return None;
        }
        let taken = self.top(at).is_some_and(|t| t.seat == id.seat && t != id);
        let foe = side.known.marks.get(&at).is_some_and(|m| m.here);
        match (at == goal || !taken && !foe, taken) {
            (true, _) => Some(1),
            (_, false) => None,
            _ => Some(if kind.class() == Class::Air { OVER } else { WAIT }),
        }
    }

    /// The way of a unit to a square, by what its player knows.
    pub fn route(&self, id: UnitId, to: Place, paths: &mut Router) -> Option<Vec<Direction>> {
        let unit = self.unit(id)?;
        let (kind, from) = (unit.kind, unit.at);
        paths.route(self.world.ground.grid, from, to, |at| self.cost(id, kind, at, to))
    }

    /// The next step on the way to a square. A way is kept until its next square is closed.
    fn way(&mut self, id: UnitId, to: Place, paths: &mut Router) -> Option<Direction> {
        let unit = self.unit(id)?;
        let (kind, from) = (unit.kind, unit.at);
        if let Some((goal, way)) = self.ways.get(&id)
            && *goal == to
            && let Some(next) = way.last()
            && let Some(at) = self.world.ground.grid.step(from, *next)
            && self.cost(id, kind, at, to).is_some()
        {
            return Some(*next);
        }
        let mut way = self.route(id, to, paths)?;
        way.reverse();
        let next = way.last().copied();
        self.ways.insert(id, (to, way));
        next
    }

    /// A step towards a square.
    fn towards(
        &mut self,
        id: UnitId,
        to: Place,
        may: May,
        paths: &mut Router,
        dice: &mut Dice,
    ) -> Done {
        if self.unit(id).is_none_or(|u| u.left == 0) {
            return Done::Waits;
        }
        let Some(direction) = self.way(id, to, paths) else { return self.halt(id, Stop::NoWay) };
        self.load_up(id, direction);
        let next = self.ways.get(&id).and_then(|(_, way)| way.iter().rev().nth(1).copied());
        let may = May { beyond: next, ..may };
        let before = unit_made(self, id);
        match self.step(id, direction, may, dice) {
            Ok(Step::Gone) => Done::Waits,
            Ok(Step::Won(false)) => Done::Acted,
            Ok(_) => {
                let made = unit_made(self, id).saturating_sub(before).max(1);
                if let Some((_, way)) = self.ways.get_mut(&id) {
                    way.truncate(way.len().saturating_sub(made.into()));
                }
                Done::Acted
            }
            // Whoever waited there would not come home any more: it turns back.
            Err(Stop::Unsafe) if self.unit(id).is_some_and(|u| u.aboard.is_none()) => {
                self.ways.remove(&id);
                self.turn_back(id, paths, dice)
            }
            Err(stop) => {
                // An own unit may go on in this turn; a way round it is sought in the next.
                if stop != Stop::Friend {
                    self.ways.remove(&id);
                }
                self.halt(id, stop)
            }
        }
    }

    /// An aircraft goes home before it is out of range of its bases; in a city it stays.
    fn turn_back(&mut self, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
        let at = self.unit(id).map(|u| u.at);
        let home = at.is_some_and(|at| self.world.ground.at(at) == Terrain::City);
        let returns = self.unit(id).is_some_and(|u| matches!(u.orders.first(), Some(Task::Return)));
        if home || returns {
            return self.halt(id, Stop::Unsafe);
        }
        if let Some(unit) = self.world.unit_mut(id) {
            unit.orders = vec![Task::Return];
        }
        let done = self.go_home(id, paths, dice);
        if let Some(paper) = &mut self.paper {
            paper.backs.insert(id.number);
        }
        done
    }

    /// A transport that leaves a city takes land units along (§6): those without orders, then
    /// sentries, then others; garrisons stay, and so does whom the same card tells something else.
    fn load_up(&mut self, id: UnitId, direction: Direction) {
        let to = self.unit(id).and_then(|u| self.world.ground.grid.step(u.at, direction));
        let free = |to| self.world.ground.at(to) == Terrain::Water && self.top(to).is_none();
        if to.is_some_and(free) {
            self.take_aboard(id);
        }
    }

    /// A transport in a city takes aboard whom it takes along.
    fn take_aboard(&mut self, id: UnitId) {
        let Some(unit) = self.unit(id) else { return };
        let (at, kind, quota) = (unit.at, unit.kind, unit.quota);
        if kind != Kind::Tr || self.world.ground.at(at) != Terrain::City {
            return;
        }
        let rank = |u: &UnitId| {
            let unit = self.unit(*u)?;
            let fits = Kind::Tr.places_of(unit.kind).is_some() && !unit.is_garrison();
            let rank = match unit.orders.first() {
                None => 0,
                Some(Task::Board(n)) if *n == id.number => 0,
                _ if self.named.contains(u) => return None,
                Some(Task::Sentry(_)) => 1,
                Some(_) => 2,
            };
            fits.then_some((rank, *u))
        };
        let mut waiting: Vec<(u8, UnitId)> = self.inside(at).iter().filter_map(rank).collect();
        waiting.sort_unstable();
        let most = quota.map_or(u32::MAX, u32::from);
        for (_, cargo) in waiting {
            let Some(kind) = self.unit(cargo).map(|u| u.kind) else { continue };
            let places = Kind::Tr.places_of(kind).unwrap_or(0);
            if self.has_room(id, kind) && self.taken(id) + places <= most {
                self.board(cargo, id);
                if let Some(unit) = self.world.unit_mut(cargo) {
                    // Whoever was told to board goes on with what follows.
                    match unit.orders.first() {
                        Some(Task::Board(n)) if *n == id.number => drop(unit.orders.remove(0)),
                        _ => unit.orders.clear(),
                    }
                }
            }
        }
    }

    fn go(
        &mut self,
        id: UnitId,
        to: Place,
        flags: Flags,
        paths: &mut Router,
        dice: &mut Dice,
    ) -> Done {
        if self.unit(id).is_none_or(|u| u.at == to) {
            return self.arrived(id);
        }
        if flags.stop && self.meets(id) {
            return self.wake_up(id, What::Woken(id));
        }
        let done = self.towards(id, to, May { risk: flags.on, ..May::default() }, paths, dice);
        if done == Done::Acted && flags.stop && self.meets(id) {
            return self.wake_up(id, What::Woken(id));
        }
        match done == Done::Acted && self.unit(id).is_some_and(|u| u.at == to) {
            true => self.arrived(id),
            false => done,
        }
    }

    /// A unit is where it was to go; a transport unloads in a city (§6).
    fn arrived(&mut self, id: UnitId) -> Done {
        let Some(unit) = self.unit(id) else { return Done::Waits };
        if unit.kind == Kind::Tr && self.world.ground.at(unit.at) == Terrain::City {
            self.put_ashore(id);
        }
        self.finish(id)
    }

    /// Everything aboard stands in the city that its transport is in.
    fn put_ashore(&mut self, id: UnitId) {
        let Some(at) = self.unit(id).map(|u| u.at) else { return };
        for number in self.cargo(id).to_vec() {
            self.shift(UnitId { number, ..id }, at);
        }
    }

    fn path(
        &mut self,
        id: UnitId,
        steps: &[u8],
        flags: Flags,
        paths: &mut Router,
        dice: &mut Dice,
    ) -> Done {
        let Some((first, rest)) = steps.split_first() else { return self.finish(id) };
        let Some(unit) = self.unit(id) else { return Done::Waits };
        if unit.left == 0 {
            return Done::Waits;
        }
        let Some(direction) = Direction::from_code(*first) else {
            // A five: the rest of this turn goes by.
            self.replace(id, Task::Path(rest.to_vec(), flags));
            if let Some(unit) = self.world.unit_mut(id) {
                unit.left = 0;
            }
            return Done::Waits;
        };
        self.load_up(id, direction);
        let beyond = rest.first().and_then(|code| Direction::from_code(*code));
        let before = unit_made(self, id);
        match self.step(id, direction, May { attack: true, risk: flags.on, beyond }, dice) {
            Ok(Step::Gone) => Done::Waits,
            Ok(_) => {
                // Who has flown over a unit has made two steps at once.
                let twice = unit_made(self, id) > before + 1;
                let rest = if twice { rest.get(1..).unwrap_or_default() } else { rest };
                match rest.is_empty() {
                    true => {
                        self.arrived(id);
                    }
                    false => self.replace(id, Task::Path(rest.to_vec(), flags)),
                }
                Done::Acted
            }
            Err(stop @ (Stop::Spent | Stop::Paper | Stop::Friend | Stop::Room | Stop::Aboard)) => {
                self.halt(id, stop)
            }
            Err(Stop::Unsafe) => self.turn_back(id, paths, dice),
            Err(stop) => {
                self.halt(id, stop);
                self.wake_up(id, What::Stopped(id))
            }
        }
    }

    fn strike(
        &mut self,
        id: UnitId,
        to: Place,
        flags: Flags,
        paths: &mut Router,
        dice: &mut Dice,
    ) -> Done {
        let Some(unit) = self.unit(id) else { return Done::Waits };
        let (at, kind) = (unit.at, unit.kind);
        if at == to {
            return self.finish(id);
        }
        let grid = self.world.ground.grid;
        if grid.distance(at, to) == 1 {
            let city = self.world.city(to).map(|c| c.owner);
            let own = city == Some(Some(id.seat));
            let foe = self.top(to).is_some_and(|t| t.seat != id.seat) || city.is_some() && !own;
            if !foe && !self.world.ground.at(to).takes(kind) {
                // Nothing is there any more, and it can't go there.
                return self.finish(id);
            }
        }
        self.towards(id, to, May { attack: true, risk: flags.on, beyond: None }, paths, dice)
    }

    /// The square next to a unit with what it would attack at even chances or better.
    fn prey(&self, id: UnitId) -> Option<Direction> {
        let unit = self.unit(id)?;
        let grid = self.world.ground.grid;
        let attacker = Attacker {
            kind: unit.kind,
            damage: unit.damage.into(),
            on: self.world.ground.at(unit.at),
        };
        let known = &self.world.side(id.seat)?.known;
        let chance = |(direction, at): (Direction, Place)| {
            let ground = self.world.ground.at(at);
            let target = match ground {
                Terrain::City => {
                    let owner = known.cities.get(&at)?.owner;
                    if owner == Some(id.seat) {
                        return None;
                    }
                    Target::City { neutral: owner.is_none(), held: 0 }
                }
                _ => {
                    // How much it has been hit is its player's secret.
                    let mark = known.marks.get(&at).filter(|m| m.here)?;
                    Target::Unit(mark.kind, 0)
                }
            };
            combat::may_attack(&self.world.options, attacker, target, ground).ok()?;
            let fight = combat::fight(&self.world.options, attacker, target, ground);
            let odds = fight.odds().per_mille();
            (odds >= EVEN).then_some((odds, direction))
        };
        let all = grid.neighbours(unit.at).filter_map(chance);
        // The best; of equals the first.
        all.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, d)| d)
    }

    fn sentry(&mut self, id: UnitId, flags: Flags, dice: &mut Dice) -> Done {
        if flags.fight
            && self.unit(id).is_some_and(|u| u.left > 0)
            && let Some(direction) = self.prey(id)
        {
            let stepped = self.step(id, direction, May { attack: true, ..May::default() }, dice);
            return if stepped.is_ok() { Done::Acted } else { Done::Waits };
        }
        if flags.on {
            return Done::Waits;
        }
        // What was there before has not come newly: who besieges a city sleeps before it.
        let near = self.beside(id);
        let ashore = self.unit(id).is_some_and(|u| u.aboard.is_none());
        match self.is_new(id, near) && ashore {
            true => self.wake_up(id, What::Woken(id)),
            false => Done::Waits,
        }
    }

    /// Squares next to a unit with enemies or cities of others, as far as its player knows.
    fn beside(&self, id: UnitId) -> Vec<Place> {
        let (Some(unit), Some(side)) = (self.unit(id), self.world.side(id.seat)) else {
            return Vec::new();
        };
        let foe = |at: &Place| {
            let city = side.known.cities.get(at).is_some_and(|c| c.owner != Some(id.seat));
            city || side.known.marks.get(at).is_some_and(|m| m.here)
        };
        self.world.ground.grid.near(unit.at).filter(foe).collect()
    }

    fn patrol(
        &mut self,
        id: UnitId,
        points: &[Place],
        leg: u8,
        flags: Flags,
        paths: &mut Router,
        dice: &mut Dice,
    ) -> Done {
        if flags.fight
            && self.unit(id).is_some_and(|u| u.left > 0)
            && let Some(direction) = self.prey(id)
        {
            let stepped = self.step(id, direction, May { attack: true, ..May::default() }, dice);
            return if stepped.is_ok() { Done::Acted } else { Done::Waits };
        }
        let Some(unit) = self.unit(id) else { return Done::Waits };
        let at = unit.at;
        let Some(to) = points.get(usize::from(leg)).copied() else {
            // It begins where it is, and comes back to there.
            let points = [at].iter().chain(points).copied().collect();
            self.replace(id, Task::Patrol(points, 0, flags));
            return Done::Acted;
        };
        if at == to {
            if points.iter().all(|p| *p == at) {
                return Done::Waits;
            }
            // Round and round. A card has fewer squares than that.
            let next = u8::try_from((usize::from(leg) + 1) % points.len()).unwrap_or(0);
            self.replace(id, Task::Patrol(points.to_vec(), next, flags));
            return Done::Acted;
        }
        if !flags.on && self.meets(id) {
            return self.wake_up(id, What::Woken(id));
        }
        let done = self.towards(id, to, May::default(), paths, dice);
        if done == Done::Acted && !flags.on && self.meets(id) && !self.fights(id, flags) {
            return self.wake_up(id, What::Woken(id));
        }
        done
    }

    /// The nearest square from which something new is seen, if there is one near which no other unit
    /// is on its way to.
    fn unknown(&self, id: UnitId) -> Option<Place> {
        let others = self.ways.iter().filter(|(u, _)| u.seat == id.seat && **u != id);
        let taken: BTreeSet<Place> = others.map(|(_, (goal, _))| *goal).collect();
        self.unknown_but(id, &taken).or_else(|| self.unknown_but(id, &BTreeSet::new()))
    }

    fn unknown_but(&self, id: UnitId, taken: &BTreeSet<Place>) -> Option<Place> {
        let unit = self.unit(id)?;
        let (kind, from) = (unit.kind, unit.at);
        let side = self.world.side(id.seat)?;
        let grid = self.world.ground.grid;
        let range = self.world.options.figure(kind).map_or(1, |f| i32::from(f.sight));
        let new = |at: Place| grid.within(at, range).any(|p| !side.known.has_seen(p));
        let enter =
            |at: &Place| side.known.has_seen(*at) && self.cost(id, kind, *at, from).is_some();
        let flies = kind.class() == Class::Air;
        let fuel = u32::from(unit.fuel);
        // It can't stop on a unit of its own.
        let apart = |p: Place| taken.iter().all(|t| grid.distance(*t, p) > 2 * range);
        let free = |p: Place| self.top(p).is_none_or(|top| top == id);
        let fits = |(p, steps): &(Place, u32)| {
            *steps > 0
                && free(*p)
                && new(*p)
                && apart(*p)
                && (!flies || self.is_safe(id, *p, (fuel - steps) as u8))
        };
        let mut reached = graph::outward(from, |p| grid.near(p).filter(enter))
            .take_while(|(_, steps)| !flies || *steps <= fuel);
        let (first, steps) = reached.find(fits)?;
        // Of those at the same distance the first on the map.
        let same = reached.take_while(|(_, s)| *s == steps).filter(fits).map(|(p, _)| p);
        same.chain([first]).min()
    }

    fn explore(&mut self, id: UnitId, flags: Flags, paths: &mut Router, dice: &mut Dice) -> Done {
        let Some(unit) = self.unit(id) else { return Done::Waits };
        if unit.left == 0 {
            return Done::Waits;
        }
        if flags.fight
            && let Some(direction) = self.prey(id)
        {
            let stepped = self.step(id, direction, May { attack: true, ..May::default() }, dice);
            return if stepped.is_ok() { Done::Acted } else { Done::Waits };
        }
        let Some(unit) = self.unit(id) else { return Done::Waits };
        let flies = unit.kind.class() == Class::Air;
        let full = self.world.options.figure(unit.kind).map_or(0, |f| f.range);
        let short = flies && unit.fuel < full;
        if let Some(to) = self.paper.as_ref().and_then(|p| p.looks.get(&id.number)).copied() {
            // What it sees there nobody knows yet.
            return match unit.at == to {
                true => Done::Waits,
                false => self.towards(id, to, May::default(), paths, dice),
            };
        }
        let Some(to) = self.unknown(id) else {
            return match short {
                // Home first, and on from there with a full tank.
                true => match self.base_of(id) {
                    Some(base) => self.towards(id, base, May::default(), paths, dice),
                    None => Done::Blocked,
                },
                false => {
                    self.tell(bit(id.seat), What::Explored(id));
                    self.finish(id)
                }
            };
        };
        if let Some(paper) = &mut self.paper {
            paper.looks.insert(id.number, to);
        }
        if !flags.on && self.meets(id) {
            return self.wake_up(id, What::Woken(id));
        }
        let done = self.towards(id, to, May::default(), paths, dice);
        if done == Done::Acted && !flags.on && self.meets(id) && !self.fights(id, flags) {
            return self.wake_up(id, What::Woken(id));
        }
        done
    }

    fn go_aboard(&mut self, id: UnitId, carrier: u16, paths: &mut Router, dice: &mut Dice) -> Done {
        let ship = UnitId { number: carrier, ..id };
        let Some(unit) = self.unit(id) else { return Done::Waits };
        if unit.aboard == Some(carrier) {
            return self.finish(id);
        }
        let Some(to) = self.unit(ship).map(|s| s.at) else {
            return self.wake_up(id, What::Stopped(id));
        };
        let kind = unit.kind;
        let goal = match self.unit(ship).and_then(|s| s.orders.first()) {
            Some(Task::Go(goal, _)) => Some(*goal),
            _ => None,
        };
        if goal == Some(unit.at) && unit.at != to {
            // The ship comes.
            return Done::Waits;
        }
        if unit.at == to {
            // Both are in a city.
            if !self.has_room(ship, kind) {
                return self.halt(id, Stop::Room);
            }
            self.board(id, ship);
            return self.finish(id);
        }
        self.towards(id, to, May::default(), paths, dice)
    }

    /// A carrier waits until nothing more fits.
    fn fill(&mut self, id: UnitId) -> Done {
        self.take_aboard(id);
        let full = self.places(id).is_some_and(|places| self.taken(id) >= places);
        if full { self.finish(id) } else { Done::Waits }
    }

    fn unload(&mut self, id: UnitId, to: Option<Place>, flags: Flags, dice: &mut Dice) -> Done {
        let Some(unit) = self.unit(id) else { return Done::Waits };
        if unit.kind == Kind::In {
            return match self.base(id) {
                Ok(()) => self.finish(id),
                Err(Stop::Spent) => Done::Waits,
                Err(_) => self.wake_up(id, What::Stopped(id)),
            };
        }
        let at = unit.at;
        if self.world.ground.at(at) == Terrain::City {
            self.put_ashore(id);
            return self.finish(id);
        }
        let grid = self.world.ground.grid;
        // Towards the square, else in the order of the number pad.
        let mut ways: Vec<(i32, u8, Direction)> = grid
            .neighbours(at)
            .map(|(d, p)| (to.map_or(0, |to| grid.distance(p, to)), d.code(), d))
            .collect();
        ways.sort_unstable();
        let before = self.cargo(id).len();
        for number in self.cargo(id).to_vec() {
            let cargo = UnitId { number, ..id };
            if let (true, Some(to), Some(unit)) = (flags.fight, to, self.world.unit_mut(cargo)) {
                unit.orders = vec![Task::Attack(to, Flags::default())];
            }
            for (_, _, direction) in &ways {
                let next = grid.step(at, *direction);
                let may = May { attack: flags.fight && next == to, ..May::default() };
                if self.step(cargo, *direction, may, dice).is_ok() {
                    break;
                }
            }
        }
        match self.cargo(id).len() {
            0 => self.finish(id),
            left if left < before => Done::Waits,
            _ => self.halt(id, Stop::Shore),
        }
    }

    /// The nearest place where a unit is repaired, or refuelled: for who does not fly, by the way
    /// that is known.
    fn base_of(&self, id: UnitId) -> Option<Place> {
        let unit = self.unit(id)?;
        let (kind, from) = (unit.kind, unit.at);
        let grid = self.world.ground.grid;
        if kind.class() != Class::Air {
            let enter = |at: &Place| self.cost(id, kind, *at, from).is_some();
            let reached = graph::outward(from, |p| grid.near(p).filter(enter));
            let own = |at: Place| self.world.city(at).is_some_and(|c| c.owner == Some(id.seat));
            return reached.map(|(at, _)| at).find(|at| own(*at));
        }
        let carriers = self.world.side(id.seat)?.units.iter().filter(|(number, base)| {
            base.kind.places_of(kind).is_some()
                && self.has_room(UnitId { number: **number, ..id }, kind)
        });
        let all = self.world.cities_of(id.seat).chain(carriers.map(|(_, base)| base.at));
        all.min_by_key(|p| (grid.distance(unit.at, *p), *p))
    }

    fn go_home(&mut self, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
        let Some(unit) = self.unit(id) else { return Done::Waits };
        let at = unit.at;
        let home = unit.aboard.is_some() || self.world.ground.at(at) == Terrain::City;
        if home {
            return if unit.damage > 0 { Done::Waits } else { self.arrived(id) };
        }
        match self.base_of(id) {
            Some(to) => self.towards(id, to, May::default(), paths, dice),
            None => Done::Blocked,
        }
    }

    fn wait(&mut self, id: UnitId, turns: u8) -> Done {
        if self.unit(id).is_none_or(|u| u.left == 0) {
            return Done::Waits;
        }
        match turns {
            0 | 1 => {
                self.finish(id);
            }
            more => self.replace(id, Task::Wait(more - 1)),
        }
        if let Some(unit) = self.world.unit_mut(id) {
            unit.left = 0;
        }
        Done::Waits
    }

    /// Units could not go on in this turn; after some turns of it they give up. Whoever has other
    /// orders than a way, or knows none, goes on trying.
    pub fn give_up(&mut self, blocked: &[UnitId]) {
        let most = self.world.options.turn.blocked;
        for id in blocked {
            let Some(unit) = self.world.unit_mut(*id) else { continue };
            if matches!(unit.orders.first(), Some(Task::Go(..) | Task::Path(..))) {
                unit.blocked = unit.blocked.saturating_add(1);
                if unit.blocked >= most {
                    self.wake_up(*id, What::Stopped(*id));
                }
            }
        }
    }

    /// A turn of these seats in impulses (§17).
    pub fn impulses(
        &mut self,
        playing: &[Seat],
        named: &BySeat<Vec<u16>>,
        paths: &mut Router,
        dice: &mut Dice,
    ) {
        let figures = self.world.options.kinds.values();
        let most = figures.map(|f| u32::from(f.moves)).max().unwrap_or(1).max(1);
        let turn = self.world.turn;
        let none = Vec::new();
        let mut left = Vec::new();
        for impulse in 1..=most {
            let mut seats = playing.to_vec();
            dice.at([turn, impulse]).shuffle("impulse", &mut seats);
            let mut blocked = Vec::new();
            for seat in seats {
                let order = self.order_of(seat, named.get(&seat).unwrap_or(&none));
                for number in self.behind_carriers(seat, order) {
                    let id = UnitId { seat, number };
                    if self.acts_in(id, impulse, most)
                        && self.impulse(id, paths, dice) == Done::Blocked
                    {
                        blocked.push(id);
                    }
                }
            }
            // When all have acted, there may be room.
            blocked.retain(|id| self.impulse(*id, paths, dice) == Done::Blocked);
            left = blocked;
        }
        self.give_up(&left);
    }

    /// Whoever is aboard acts behind its carrier (§17.4).
    fn behind_carriers(&self, seat: Seat, order: Vec<u16>) -> Vec<u16> {
        let carrier = |n: u16| self.unit(UnitId { seat, number: n }).and_then(|u| u.aboard);
        let mut cargo: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
        for number in &order {
            if let Some(ship) = carrier(*number) {
                cargo.entry(ship).or_default().push(*number);
            }
        }
        let ashore = order.into_iter().filter(|n| carrier(*n).is_none());
        let with_cargo = |n: u16| [n].into_iter().chain(cargo.remove(&n).unwrap_or_default());
        ashore.flat_map(with_cargo).collect()
    }

    /// One step of a unit, with the ends of tasks before it.
    fn impulse(&mut self, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
        let made = |field: &Self| field.unit(id).map_or(u8::MAX, |u| u.made);
        let before = made(self);
        for _ in 0..ROUNDS {
            let done = self.once(id, paths, dice);
            if done != Done::Acted || made(self) != before {
                return done;
            }
        }
        Done::Waits
    }

    /// The units of a seat in the order in which they act: those that its card names, then the
    /// others by number.
    fn order_of(&self, seat: Seat, named: &[u16]) -> Vec<u16> {
        let Some(side) = self.world.side(seat) else { return Vec::new() };
        let others = side.units.keys().filter(|n| !named.contains(n));
        named.iter().chain(others).copied().collect()
    }

    /// Whether a unit has a step in an impulse (§17.2).
    fn acts_in(&self, id: UnitId, impulse: u32, most: u32) -> bool {
        let Some(unit) = self.unit(id).filter(|u| u.left > 0) else { return false };
        let moves = u32::from(unit.left) + u32::from(unit.made);
        impulse * moves / most > (impulse - 1) * moves / most
    }

    /// All units of a seat act; who is blocked tries once more at the end. Who is blocked then.
    pub fn moves_of(
        &mut self,
        seat: Seat,
        named: &[u16],
        paths: &mut Router,
        dice: &mut Dice,
    ) -> Vec<UnitId> {
        let mut blocked = Vec::new();
        for number in self.order_of(seat, named) {
            let id = UnitId { seat, number };
            if self.act(id, paths, dice) == Done::Blocked {
                blocked.push(id);
            }
        }
        blocked.retain(|id| self.act(*id, paths, dice) == Done::Blocked);
        blocked
    }
}
