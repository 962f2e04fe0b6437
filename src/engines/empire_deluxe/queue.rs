//! How units carry out their orders (§16): the next step of each, until it has no step left, waits,
//! or is done.

mod impulses;
mod scouting;

use engine::Dice;
use engine::geometry::{Direction, Place};
use engine::graph;

pub use self::impulses::{give_up, impulses, moves_of};
use self::scouting::{explore, patrol};
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
use crate::moves;

/// The result of one look at the orders of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// It has acted, and may act again.
    Acted,
    /// It does nothing more in this turn, or in this impulse.
    Waits,
    /// Something is in its way.
    Blocked,
}

/// The chance from which units attack by themselves, in tenths of a percent.
pub const EVEN: u32 = 500;

/// The most steps and tasks of a unit in a turn: far more than are possible.
const ROUNDS: u32 = 100;

/// Cost of a square that was never seen.
const UNKNOWN: u32 = 2;

/// The cost of a square with a unit of the same player: aircraft fly over it, others wait until it
/// has gone, or take another way that is not much longer.
const OVER: u32 = 3;
const WAIT: u32 = 5;

/// The cost of a city on the way of an aircraft.
const LANDS: u32 = 6;

/// Steps that a unit has made in this turn.
fn unit_made(field: &Field, id: UnitId) -> u8 {
    field.unit(id).map_or(0, |u| u.made)
}

/// Carries out the orders of a unit as far as they go in this turn. Returns how it ended.
pub fn act(field: &mut Field, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
    // Each round makes a step or ends a task, and there are few of either.
    for _ in 0..ROUNDS {
        let done = once(field, id, paths, dice);
        if done != Done::Acted {
            return done;
        }
    }
    Done::Waits
}

/// Makes one step of a unit, or ends a task.
pub fn once(field: &mut Field, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
    let Some(unit) = field.unit(id) else { return Done::Waits };
    let Some(task) = unit.orders.first().cloned() else { return Done::Waits };
    // Cargo goes ashore when its ship has reached its goal.
    let sails = |n: u16| {
        let ship = field.unit(UnitId { number: n, ..id });
        ship.is_some_and(|s| s.kind == Kind::Tr && matches!(s.orders.first(), Some(Task::Go(..))))
    };
    let goes = matches!(task, Task::Go(..) | Task::Attack(..) | Task::Explore(_));
    if goes && unit.aboard.is_some_and(sails) {
        return halt(field, id, Stop::Aboard);
    }
    let done = match task {
        Task::Go(to, flags) => go(field, id, to, flags, paths, dice),
        Task::Path(steps, flags) => path(field, id, &steps, flags, paths, dice),
        Task::Attack(to, flags) => strike(field, id, to, flags, paths, dice),
        Task::Sentry(flags) => sentry(field, id, flags, dice),
        Task::Patrol(points, leg, flags) => patrol(field, id, &points, leg, flags, paths, dice),
        Task::Explore(flags) => explore(field, id, flags, paths, dice),
        Task::Board(carrier) => go_aboard(field, id, carrier, paths, dice),
        Task::Fill => fill(field, id),
        Task::Unload(to, flags) => unload(field, id, to, flags, dice),
        Task::Return => go_home(field, id, paths, dice),
        Task::Wait(turns) => wait(field, id, turns),
    };
    if done == Done::Acted {
        if let Some(unit) = field.world.unit_mut(id) {
            unit.blocked = 0;
        }
        if let Some(paper) = &mut field.paper {
            paper.stops.remove(&id.number);
        }
    }
    done
}

/// Notes that a unit can't go on in this turn, or in this impulse.
fn halt(field: &mut Field, id: UnitId, why: Stop) -> Done {
    if let Some(paper) = &mut field.paper {
        paper.stops.insert(id.number, why);
    }
    if why == Stop::NoWay
        && let Some(unit) = field.world.unit_mut(id)
    {
        // A way may be found later.
        unit.blocked = 0;
    }
    match why {
        Stop::Spent | Stop::Paper => Done::Waits,
        _ => Done::Blocked,
    }
}

/// Ends the first task of a unit.
fn finish(field: &mut Field, id: UnitId) -> Done {
    if let Some(unit) = field.world.unit_mut(id)
        && !unit.orders.is_empty()
    {
        unit.orders.remove(0);
        (unit.blocked, unit.beside) = (0, None);
    }
    Done::Acted
}

/// Replaces the first task of a unit by another one.
fn replace(field: &mut Field, id: UnitId, task: Task) {
    if let Some(first) = field.world.unit_mut(id).and_then(|u| u.orders.first_mut()) {
        *first = task;
    }
}

/// Ends all orders of a unit, and reports the reason to its player.
fn wake_up(field: &mut Field, id: UnitId, why: What) -> Done {
    if let Some(unit) = field.world.unit_mut(id) {
        unit.orders.clear();
        (unit.blocked, unit.beside) = (0, None);
    }
    field.record(bit(id.seat), why);
    Done::Waits
}

/// Whether an enemy is in a unit's sight that was not there at its last look.
fn meets(field: &mut Field, id: UnitId) -> bool {
    let Some(unit) = field.unit(id) else { return false };
    let range = field.world.options.figure(unit.kind).map_or(1, |f| i32::from(f.sight));
    let Some(side) = field.world.side(id.seat) else { return false };
    let here = |at: &Place| side.known.marks.get(at).is_some_and(|m| m.here);
    let near = field.world.ground.grid.within(unit.at, range).filter(here).collect();
    is_new(field, id, near)
}

/// Notes the enemies near a unit. Returns whether there are new ones.
fn is_new(field: &mut Field, id: UnitId, near: Vec<Place>) -> bool {
    let Some(unit) = field.world.unit_mut(id) else { return false };
    let new = |before: &Vec<Place>| near.iter().any(|at| !before.contains(at));
    let new = unit.beside.as_ref().is_some_and(new);
    unit.beside = Some(near);
    new
}

/// Whether a unit attacks an enemy next to it, because its orders say so.
fn fights(field: &Field, id: UnitId, flags: Flags) -> bool {
    flags.fight && prey(field, id).is_some()
}

/// The cost of a square for a unit, by its player's knowledge; `None`: it is closed.
fn cost(field: &Field, id: UnitId, kind: Kind, at: Place, goal: Place) -> Option<u32> {
    let side = field.world.side(id.seat)?;
    if !side.known.has_seen(at) {
        return Some(UNKNOWN);
    }
    let ground = field.world.ground.at(at);
    if ground == Terrain::City {
        let own = side.known.cities.get(&at).is_some_and(|c| c.owner == Some(id.seat));
        // An aircraft that comes to a city lands there.
        let through = if kind.class() == Class::Air && at != goal { LANDS } else { 1 };
        return (own || at == goal).then_some(through);
    }
    // The goal of a unit may be a carrier or an enemy in ground that its own kind can't enter.
    if !ground.takes(kind) && at != goal {
        return None;
    }
    let taken = field.top(at).is_some_and(|t| t.seat == id.seat && t != id);
    let foe = side.known.marks.get(&at).is_some_and(|m| m.here);
    match (at == goal || !taken && !foe, taken) {
        (true, _) => Some(1),
        (_, false) => None,
        _ => Some(if kind.class() == Class::Air { OVER } else { WAIT }),
    }
}

/// The way of a unit to a square, by its player's knowledge.
pub fn route(field: &Field, id: UnitId, to: Place, paths: &mut Router) -> Option<Vec<Direction>> {
    let unit = field.unit(id)?;
    let (kind, from) = (unit.kind, unit.at);
    paths.route(field.world.ground.grid, from, to, |at| cost(field, id, kind, at, to))
}

/// The next step on the way to a square. A way is kept until its next square is closed.
fn way(field: &mut Field, id: UnitId, to: Place, paths: &mut Router) -> Option<Direction> {
    let unit = field.unit(id)?;
    let (kind, from) = (unit.kind, unit.at);
    if let Some((goal, way)) = field.ways.get(&id)
        && *goal == to
        && let Some(next) = way.last()
        && let Some(at) = field.world.ground.grid.step(from, *next)
        && cost(field, id, kind, at, to).is_some()
    {
        return Some(*next);
    }
    let mut way = route(field, id, to, paths)?;
    way.reverse();
    let next = way.last().copied();
    field.ways.insert(id, (to, way));
    next
}

/// Makes a step towards a square.
fn towards(
    field: &mut Field,
    id: UnitId,
    to: Place,
    may: May,
    paths: &mut Router,
    dice: &mut Dice,
) -> Done {
    if field.unit(id).is_none_or(|u| u.left == 0) {
        return Done::Waits;
    }
    let Some(direction) = way(field, id, to, paths) else { return halt(field, id, Stop::NoWay) };
    load_up(field, id, direction);
    let next = field.ways.get(&id).and_then(|(_, way)| way.iter().rev().nth(1).copied());
    let may = May { beyond: next, ..may };
    let before = unit_made(field, id);
    match moves::step(field, id, direction, may, dice) {
        Ok(Step::Gone) => Done::Waits,
        Ok(Step::Won(false)) => Done::Acted,
        Ok(_) => {
            let made = unit_made(field, id).saturating_sub(before).max(1);
            if let Some((_, way)) = field.ways.get_mut(&id) {
                way.truncate(way.len().saturating_sub(made.into()));
            }
            Done::Acted
        }
        // A plane that waited there could no longer get home: it turns back.
        Err(Stop::Unsafe) if field.unit(id).is_some_and(|u| u.aboard.is_none()) => {
            field.ways.remove(&id);
            turn_back(field, id, paths, dice)
        }
        Err(stop) => {
            // The friendly unit in the way may still move on; the unit looks for a way around it in
            // the next turn.
            if stop != Stop::Friend {
                field.ways.remove(&id);
            }
            halt(field, id, stop)
        }
    }
}

/// Sends an aircraft home before it is out of range of its bases; in a city it stays.
fn turn_back(field: &mut Field, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
    let at = field.unit(id).map(|u| u.at);
    let home = at.is_some_and(|at| field.world.ground.at(at) == Terrain::City);
    let returns = field.unit(id).is_some_and(|u| matches!(u.orders.first(), Some(Task::Return)));
    if home || returns {
        return halt(field, id, Stop::Unsafe);
    }
    if let Some(unit) = field.world.unit_mut(id) {
        unit.orders = vec![Task::Return];
    }
    let done = go_home(field, id, paths, dice);
    if let Some(paper) = &mut field.paper {
        paper.backs.insert(id.number);
    }
    done
}

/// When a transport leaves a city, it takes land units along (§6): those without orders, then
/// sentries, then others. Garrisons stay, and so do units to which the same card gives other
/// orders.
fn load_up(field: &mut Field, id: UnitId, direction: Direction) {
    let to = field.unit(id).and_then(|u| field.world.ground.grid.step(u.at, direction));
    let free = |to| field.world.ground.at(to) == Terrain::Water && field.top(to).is_none();
    if to.is_some_and(free) {
        take_aboard(field, id);
    }
}

/// A transport in a city takes its passengers aboard.
fn take_aboard(field: &mut Field, id: UnitId) {
    let Some(unit) = field.unit(id) else { return };
    let (at, kind, quota) = (unit.at, unit.kind, unit.quota);
    if kind != Kind::Tr || field.world.ground.at(at) != Terrain::City {
        return;
    }
    let rank = |u: &UnitId| {
        let unit = field.unit(*u)?;
        let fits = Kind::Tr.places_of(unit.kind).is_some() && !unit.is_garrison();
        let rank = match unit.orders.first() {
            None => 0,
            Some(Task::Board(n)) if *n == id.number => 0,
            _ if field.named.contains(u) => return None,
            Some(Task::Sentry(_)) => 1,
            Some(_) => 2,
        };
        fits.then_some((rank, *u))
    };
    let mut waiting: Vec<(u8, UnitId)> = field.inside(at).iter().filter_map(rank).collect();
    waiting.sort_unstable();
    let most = quota.map_or(u32::MAX, u32::from);
    for (_, cargo) in waiting {
        let Some(kind) = field.unit(cargo).map(|u| u.kind) else { continue };
        let places = Kind::Tr.places_of(kind).unwrap_or(0);
        if field.has_room(id, kind) && field.taken(id) + places <= most {
            field.board(cargo, id);
            if let Some(unit) = field.world.unit_mut(cargo) {
                // A unit with an order to board goes on with its next order.
                match unit.orders.first() {
                    Some(Task::Board(n)) if *n == id.number => drop(unit.orders.remove(0)),
                    _ => unit.orders.clear(),
                }
            }
        }
    }
}

fn go(
    field: &mut Field,
    id: UnitId,
    to: Place,
    flags: Flags,
    paths: &mut Router,
    dice: &mut Dice,
) -> Done {
    if field.unit(id).is_none_or(|u| u.at == to) {
        return arrived(field, id);
    }
    if flags.stop && meets(field, id) {
        return wake_up(field, id, What::Woken(id));
    }
    let done = towards(field, id, to, May { risk: flags.on, ..May::default() }, paths, dice);
    if done == Done::Acted && flags.stop && meets(field, id) {
        return wake_up(field, id, What::Woken(id));
    }
    match done == Done::Acted && field.unit(id).is_some_and(|u| u.at == to) {
        true => arrived(field, id),
        false => done,
    }
}

/// Ends the task of a unit that has reached its goal; a transport unloads in a city (§6).
fn arrived(field: &mut Field, id: UnitId) -> Done {
    let Some(unit) = field.unit(id) else { return Done::Waits };
    if unit.kind == Kind::Tr && field.world.ground.at(unit.at) == Terrain::City {
        put_ashore(field, id);
    }
    finish(field, id)
}

/// Puts all cargo into the city where its transport is.
fn put_ashore(field: &mut Field, id: UnitId) {
    let Some(at) = field.unit(id).map(|u| u.at) else { return };
    for number in field.cargo(id).to_vec() {
        field.shift(UnitId { number, ..id }, at);
    }
}

fn path(
    field: &mut Field,
    id: UnitId,
    steps: &[u8],
    flags: Flags,
    paths: &mut Router,
    dice: &mut Dice,
) -> Done {
    let Some((first, rest)) = steps.split_first() else { return finish(field, id) };
    let Some(unit) = field.unit(id) else { return Done::Waits };
    if unit.left == 0 {
        return Done::Waits;
    }
    let Some(direction) = Direction::from_code(*first) else {
        // A 5 on the number pad: the rest of this turn is spent waiting.
        replace(field, id, Task::Path(rest.to_vec(), flags));
        if let Some(unit) = field.world.unit_mut(id) {
            unit.left = 0;
        }
        return Done::Waits;
    };
    load_up(field, id, direction);
    let beyond = rest.first().and_then(|code| Direction::from_code(*code));
    let before = unit_made(field, id);
    match moves::step(field, id, direction, May { attack: true, risk: flags.on, beyond }, dice) {
        Ok(Step::Gone) => Done::Waits,
        Ok(_) => {
            // A plane that flew over a unit has made two steps at once.
            let twice = unit_made(field, id) > before + 1;
            let rest = if twice { rest.get(1..).unwrap_or_default() } else { rest };
            match rest.is_empty() {
                true => {
                    arrived(field, id);
                }
                false => replace(field, id, Task::Path(rest.to_vec(), flags)),
            }
            Done::Acted
        }
        Err(stop @ (Stop::Spent | Stop::Paper | Stop::Friend | Stop::Room | Stop::Aboard)) => {
            halt(field, id, stop)
        }
        Err(Stop::Unsafe) => turn_back(field, id, paths, dice),
        Err(stop) => {
            halt(field, id, stop);
            wake_up(field, id, What::Stopped(id))
        }
    }
}

fn strike(
    field: &mut Field,
    id: UnitId,
    to: Place,
    flags: Flags,
    paths: &mut Router,
    dice: &mut Dice,
) -> Done {
    let Some(unit) = field.unit(id) else { return Done::Waits };
    let (at, kind) = (unit.at, unit.kind);
    if at == to {
        return finish(field, id);
    }
    let grid = field.world.ground.grid;
    if grid.distance(at, to) == 1 {
        let city = field.world.city(to).map(|c| c.owner);
        let own = city == Some(Some(id.seat));
        let foe = field.top(to).is_some_and(|t| t.seat != id.seat) || city.is_some() && !own;
        if !foe && !field.world.ground.at(to).takes(kind) {
            // The target is gone, and the unit can't go there itself.
            return finish(field, id);
        }
    }
    towards(field, id, to, May { attack: true, risk: flags.on, beyond: None }, paths, dice)
}

/// The direction of the enemy next to a unit that it would attack at even chances or better.
fn prey(field: &Field, id: UnitId) -> Option<Direction> {
    let unit = field.unit(id)?;
    let grid = field.world.ground.grid;
    let attacker = Attacker {
        kind: unit.kind,
        damage: unit.damage.into(),
        on: field.world.ground.at(unit.at),
    };
    let known = &field.world.side(id.seat)?.known;
    let chance = |(direction, at): (Direction, Place)| {
        let ground = field.world.ground.at(at);
        let target = match ground {
            Terrain::City => {
                let owner = known.cities.get(&at)?.owner;
                if owner == Some(id.seat) {
                    return None;
                }
                Target::City { neutral: owner.is_none(), held: 0 }
            }
            _ => {
                // The damage of an enemy is its player's secret.
                let mark = known.marks.get(&at).filter(|m| m.here)?;
                Target::Unit(mark.kind, 0)
            }
        };
        combat::may_attack(&field.world.options, attacker, target, ground).ok()?;
        let fight = combat::fight(&field.world.options, attacker, target, ground);
        let odds = fight.odds().per_mille();
        (odds >= EVEN).then_some((odds, direction))
    };
    let all = grid.neighbours(unit.at).filter_map(chance);
    // The best target; among equal ones the first.
    all.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, d)| d)
}

/// With `*`, attacks an enemy next to a unit that can still move, if the chances are even or
/// better.
fn attack_prey(field: &mut Field, id: UnitId, flags: Flags, dice: &mut Dice) -> Option<Done> {
    let can = flags.fight && field.unit(id).is_some_and(|unit| unit.left > 0);
    let direction = can.then(|| prey(field, id)).flatten()?;
    let may = May { attack: true, ..May::default() };
    let stepped = moves::step(field, id, direction, may, dice);
    Some(if stepped.is_ok() { Done::Acted } else { Done::Waits })
}

fn sentry(field: &mut Field, id: UnitId, flags: Flags, dice: &mut Dice) -> Done {
    if let Some(done) = attack_prey(field, id, flags, dice) {
        return done;
    }
    if flags.on {
        return Done::Waits;
    }
    // Enemies that were there before are not new: a unit that besieges a city stays asleep.
    let near = beside(field, id);
    let ashore = field.unit(id).is_some_and(|u| u.aboard.is_none());
    match is_new(field, id, near) && ashore {
        true => wake_up(field, id, What::Woken(id)),
        false => Done::Waits,
    }
}

/// Squares next to a unit with enemies or cities of others, as far as its player knows.
fn beside(field: &Field, id: UnitId) -> Vec<Place> {
    let (Some(unit), Some(side)) = (field.unit(id), field.world.side(id.seat)) else {
        return Vec::new();
    };
    let foe = |at: &Place| {
        let city = side.known.cities.get(at).is_some_and(|c| c.owner != Some(id.seat));
        city || side.known.marks.get(at).is_some_and(|m| m.here)
    };
    field.world.ground.grid.near(unit.at).filter(foe).collect()
}

fn go_aboard(
    field: &mut Field,
    id: UnitId,
    carrier: u16,
    paths: &mut Router,
    dice: &mut Dice,
) -> Done {
    let ship = UnitId { number: carrier, ..id };
    let Some(unit) = field.unit(id) else { return Done::Waits };
    if unit.aboard == Some(carrier) {
        return finish(field, id);
    }
    let Some(to) = field.unit(ship).map(|s| s.at) else {
        return wake_up(field, id, What::Stopped(id));
    };
    let kind = unit.kind;
    let goal = match field.unit(ship).and_then(|s| s.orders.first()) {
        Some(Task::Go(goal, _)) => Some(*goal),
        _ => None,
    };
    if goal == Some(unit.at) && unit.at != to {
        // The ship comes to the unit.
        return Done::Waits;
    }
    if unit.at == to {
        // Both are in a city.
        if !field.has_room(ship, kind) {
            return halt(field, id, Stop::Room);
        }
        field.board(id, ship);
        return finish(field, id);
    }
    towards(field, id, to, May::default(), paths, dice)
}

/// A carrier waits until nothing more fits.
fn fill(field: &mut Field, id: UnitId) -> Done {
    take_aboard(field, id);
    let full = field.places(id).is_some_and(|places| field.taken(id) >= places);
    if full { finish(field, id) } else { Done::Waits }
}

fn unload(field: &mut Field, id: UnitId, to: Option<Place>, flags: Flags, dice: &mut Dice) -> Done {
    let Some(unit) = field.unit(id) else { return Done::Waits };
    if unit.kind == Kind::In {
        return match moves::base(field, id) {
            Ok(()) => finish(field, id),
            Err(Stop::Spent) => Done::Waits,
            Err(_) => wake_up(field, id, What::Stopped(id)),
        };
    }
    let at = unit.at;
    if field.world.ground.at(at) == Terrain::City {
        put_ashore(field, id);
        return finish(field, id);
    }
    let grid = field.world.ground.grid;
    // Towards the square, else in the order of the number pad.
    let mut ways: Vec<(i32, u8, Direction)> = grid
        .neighbours(at)
        .map(|(d, p)| (to.map_or(0, |to| grid.distance(p, to)), d.code(), d))
        .collect();
    ways.sort_unstable();
    let before = field.cargo(id).len();
    for number in field.cargo(id).to_vec() {
        let cargo = UnitId { number, ..id };
        if let (true, Some(to), Some(unit)) = (flags.fight, to, field.world.unit_mut(cargo)) {
            unit.orders = vec![Task::Attack(to, Flags::default())];
        }
        for (_, _, direction) in &ways {
            let next = grid.step(at, *direction);
            let may = May { attack: flags.fight && next == to, ..May::default() };
            if moves::step(field, cargo, *direction, may, dice).is_ok() {
                break;
            }
        }
    }
    match field.cargo(id).len() {
        0 => finish(field, id),
        left if left < before => Done::Waits,
        _ => halt(field, id, Stop::Shore),
    }
}

/// The nearest place where a unit is repaired or refuelled. Other units than aircraft need a known
/// way to it.
fn base_of(field: &Field, id: UnitId) -> Option<Place> {
    let unit = field.unit(id)?;
    let (kind, from) = (unit.kind, unit.at);
    let grid = field.world.ground.grid;
    if kind.class() != Class::Air {
        let enter = |at: &Place| cost(field, id, kind, *at, from).is_some();
        let reached = graph::outward(from, |p| grid.near(p).filter(enter));
        let own = |at: Place| field.world.city(at).is_some_and(|c| c.owner == Some(id.seat));
        return reached.map(|(at, _)| at).find(|at| own(*at));
    }
    let carriers = field.world.side(id.seat)?.units.iter().filter(|(number, base)| {
        base.kind.places_of(kind).is_some()
            && field.has_room(UnitId { number: **number, ..id }, kind)
    });
    let all = field.world.cities_of(id.seat).chain(carriers.map(|(_, base)| base.at));
    all.min_by_key(|p| (grid.distance(unit.at, *p), *p))
}

fn go_home(field: &mut Field, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
    let Some(unit) = field.unit(id) else { return Done::Waits };
    let at = unit.at;
    let home = unit.aboard.is_some() || field.world.ground.at(at) == Terrain::City;
    if home {
        return if unit.damage > 0 { Done::Waits } else { arrived(field, id) };
    }
    match base_of(field, id) {
        Some(to) => towards(field, id, to, May::default(), paths, dice),
        None => Done::Blocked,
    }
}

fn wait(field: &mut Field, id: UnitId, turns: u8) -> Done {
    if field.unit(id).is_none_or(|u| u.left == 0) {
        return Done::Waits;
    }
    match turns {
        0 | 1 => {
            finish(field, id);
        }
        more => replace(field, id, Task::Wait(more - 1)),
    }
    if let Some(unit) = field.world.unit_mut(id) {
        unit.left = 0;
    }
    Done::Waits
}
