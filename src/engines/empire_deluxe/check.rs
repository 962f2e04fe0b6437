//! What can't be done at all (§19.1). The echo and the turn both ask it, by what the player knows,
//! so that both give the same answer.

use engine::geometry::Place;
use engine::{Seat, Told};
use tongue::say;

use super::combat::{self, Attacker, Target};
use super::field::Field;
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::orders::{Cities, Order, Pick, Task, Where};
use super::state::{Unit, UnitId, can_build};
use crate::commands;

/// What a player may order, by their own knowledge: `field` is their trial world.
pub struct Check<'a> {
    /// The trial world.
    pub field: &'a Field,
    /// The player.
    pub seat: Seat,
}

/// Units that an order is for.
#[derive(Debug)]
pub struct Meant {
    /// Those that can do it.
    pub able: Vec<u16>,
    /// The others, each with the reason.
    pub unable: Vec<(u16, Told)>,
}

impl Check<'_> {
    /// The units of an order: those that can do it, and those that can't.
    ///
    /// # Errors
    /// The fault, if none of them can.
    pub fn units(&self, pick: &Pick, tasks: &[Task]) -> Result<Meant, Told> {
        let numbers = commands::picked(self.field, self.seat, pick);
        let mut meant = Meant { able: Vec::new(), unable: self.missing(pick) };
        for number in numbers {
            match tasks.iter().enumerate().try_for_each(|(n, t)| self.task(number, t, n == 0)) {
                Ok(()) => meant.able.push(number),
                Err(told) => meant.unable.push((number, told)),
            }
        }
        match (meant.able.is_empty(), meant.unable.first()) {
            (true, Some((_, told))) => Err(told.clone()),
            (true, None) => {
                Err(Told::error("no-unit", say!("none of your units is meant by that")))
            }
            (false, _) => Ok(meant),
        }
    }

    /// Numbers without a unit; only for single numbers, since gaps in a span are left out.
    fn missing(&self, pick: &Pick) -> Vec<(u16, Told)> {
        let Pick::Numbers(spans) = pick else { return Vec::new() };
        let alone = spans.iter().filter(|(from, to)| from == to).map(|(number, _)| *number);
        alone.filter_map(|number| Some((number, self.unit(number).err()?))).collect()
    }

    /// Any other order.
    ///
    /// # Errors
    /// Its fault.
    pub fn other(&self, order: &Order) -> Result<(), Told> {
        match order {
            Order::Build(place, list, _) => self.build(*place, list),
            Order::Rally(Cities::One(place), _) => self.city(*place).map(|_| ()),
            Order::NameCity(place, _) => {
                let at = commands::square_of(self.field, self.seat, *place);
                let known = self.field.world.side(self.seat).map(|s| &s.known);
                let there = at.is_some_and(|at| known.is_some_and(|k| k.cities.contains_key(&at)));
                there
                    .then_some(())
                    .ok_or_else(|| Told::error("no-city", say!("there is no such city")))
            }
            Order::NameUnit(number, _) => self.unit(*number).map(|_| ()),
            Order::Quota(number, _) => match self.unit(*number)?.kind {
                Kind::Tr => Ok(()),
                _ => Err(Told::error("no-transport", say!("unit {number} is no Transport"))),
            },
            Order::Units(..)
            | Order::Default(_)
            | Order::Rally(Cities::All | Cities::Taken, _)
            | Order::Leave { .. }
            | Order::Press(_)
            | Order::More
            | Order::Close => Ok(()),
        }
    }

    fn unit(&self, number: u16) -> Result<&Unit, Told> {
        let unit = self.field.unit(UnitId { seat: self.seat, number });
        let had = self.field.world.side(self.seat).is_some_and(|s| number <= s.numbered);
        let note = match had {
            true => say!("your unit {number} is no more"),
            false => say!("you have no unit {number}"),
        };
        unit.ok_or_else(|| Told::error("no-unit", note))
    }

    /// A city of the player's, by its number or square.
    ///
    /// # Errors
    /// There is no such city.
    pub fn city(&self, place: Where) -> Result<Place, Told> {
        let at = commands::square_of(self.field, self.seat, place);
        let own =
            at.filter(|at| self.field.world.city(*at).is_some_and(|c| c.owner == Some(self.seat)));
        own.ok_or_else(|| Told::error("no-city", say!("you have no such city")))
    }

    fn build(&self, place: Where, list: &[Kind]) -> Result<(), Told> {
        let at = self.city(place)?;
        let ground = &self.field.world.ground;
        let Some(kind) = list.iter().find(|k| !can_build(ground, at, **k)) else { return Ok(()) };
        let (kind, at) = (kind.localized(), ground.called(at));
        let note = say!("the city at {at} has no water next to it, so it builds no {kind}");
        Err(Told::error("no-water", note))
    }

    /// Whether a unit can ever do a task; some tasks depend on whether it is the first.
    fn task(&self, number: u16, task: &Task, first: bool) -> Result<(), Told> {
        let unit = self.unit(number)?;
        let name = unit.kind.localized();
        if unit.kind == Kind::Ab && !matches!(task, Task::Sentry(_)) {
            return Err(Told::error("airbase", say!("airbases stay where they are")));
        }
        self.aboard(number, unit, task, first)?;
        match task {
            Task::Go(to, _) => self.goal(unit, *to, false),
            Task::Attack(to, _) => self.goal(unit, *to, true),
            Task::Patrol(points, ..) => {
                points.iter().try_for_each(|to| self.goal(unit, *to, false))
            }
            Task::Unload(..) if unit.kind == Kind::In => {
                let in_city = self.field.world.ground.at(unit.at) == Terrain::City;
                match first && (in_city || unit.aboard.is_some()) {
                    true => Err(Told::error("no-base", say!("it can't become an airbase here"))),
                    false => Ok(()),
                }
            }
            Task::Unload(..) if !unit.kind.carries() => {
                Err(Told::error("no-carrier", say!("{name} carries nothing")))
            }
            Task::Unload(..) if first && self.is_empty(number) => {
                Err(Told::error("empty", say!("nothing is aboard {name} {number}")))
            }
            Task::Fill if !unit.kind.carries() => {
                Err(Told::error("no-carrier", say!("{name} carries nothing")))
            }
            Task::Board(carrier) => {
                let ship = self.unit(*carrier)?.kind;
                match ship.places_of(unit.kind) {
                    None => {
                        let ship = ship.localized();
                        Err(Told::error("no-room", say!("{ship} {carrier} takes no {name}")))
                    }
                    Some(_) => Ok(()),
                }
            }
            Task::Path(..)
            | Task::Sentry(_)
            | Task::Explore(_)
            | Task::Fill
            | Task::Unload(..)
            | Task::Return
            | Task::Wait(_) => Ok(()),
        }
    }

    /// A unit aboard a transport at sea can step onto land or stay, and nothing else.
    fn aboard(&self, number: u16, unit: &Unit, task: &Task, first: bool) -> Result<(), Told> {
        let Some(carrier) = unit.aboard.filter(|_| first) else { return Ok(()) };
        let by_ship = self.unit(carrier)?.kind == Kind::Tr;
        let at_sea = self.field.world.ground.at(unit.at) == Terrain::Water;
        match by_ship && at_sea && !task.can_be_done_aboard() {
            true => Err(Told::error(
                "aboard",
                say!("unit {number} is aboard Transport {carrier}: it can only go onto land"),
            )),
            false => Ok(()),
        }
    }

    /// Whether a carrier has nothing aboard, and no unit has orders to board it.
    fn is_empty(&self, number: u16) -> bool {
        let id = UnitId { seat: self.seat, number };
        let comes = self.field.world.side(self.seat).is_some_and(|side| {
            side.units
                .values()
                .any(|u| matches!(u.orders.first(), Some(Task::Board(n)) if *n == number))
        });
        self.field.cargo(id).is_empty() && !comes
    }

    /// Whether a unit can ever enter a square, or attack what its player sees there.
    fn goal(&self, unit: &Unit, to: Place, attack: bool) -> Result<(), Told> {
        let world = &self.field.world;
        let Some(side) = world.side(self.seat).filter(|s| s.known.has_seen(to)) else {
            return Ok(());
        };
        let options = &world.options;
        let terrain = world.ground.at(to);
        let attacker =
            Attacker { kind: unit.kind, damage: unit.damage.into(), on: world.ground.at(unit.at) };
        if terrain == Terrain::City {
            let owner = world.city(to).and_then(|c| c.owner);
            if owner == Some(self.seat) {
                return Ok(());
            }
            let target = Target::City { neutral: owner.is_none(), held: 0 };
            let lands = unit.kind.class() == Class::Land;
            return match lands
                || attack && combat::may_attack(options, attacker, target, terrain).is_ok()
            {
                true => Ok(()),
                false => Err(Told::error("city", say!("only land units take cities"))),
            };
        }
        if attack && let Some(mark) = side.known.marks.get(&to).filter(|m| m.here) {
            // The first to land may attack ships from there.
            let attacker = Attacker { on: Terrain::Clear, ..attacker };
            let target = Target::Unit(mark.kind, 0);
            return combat::may_attack(options, attacker, target, terrain)
                .map_err(|refused| Told::error("attack", refused.words()));
        }
        let reaches = terrain.takes(unit.kind)
            || attack && unit.kind.bombards()
            || attack && unit.kind.class() == Class::Land && terrain == Terrain::Water;
        match reaches || attack && terrain == Terrain::Mountain && unit.kind == Kind::Am {
            true => Ok(()),
            false => {
                let (name, at, terrain) =
                    (unit.kind.localized(), world.ground.called(to), terrain.localized());
                Err(Told::error("ground", say!("{name} cannot enter {terrain} at {at}")))
            }
        }
    }
}
