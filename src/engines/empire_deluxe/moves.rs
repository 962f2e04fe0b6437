//! The referee: what a single step of a unit does (§5, §6, §8, §9, §10, §12).

use engine::Dice;
use engine::geometry::{Direction, Place};

use super::combat::{self, Attacker, Fight, Refused, Target};
use super::event::{Against, What};
use super::field::{Field, Planned, bit};
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::orders::Task;
use super::production;
use super::state::{Unit, UnitId, can_build};
use super::stop::Stop;

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It went there.
    Moved,
    /// It went there, and its turn is over: an aircraft at a base, or armor in ground that stops
    /// it.
    Arrived,
    /// It boarded another unit.
    Boarded,
    /// It attacked and survived; whether it moved there.
    Won(bool),
    /// It is gone: in a fight, or used up by the capture of a city.
    Gone,
}

/// What a unit may do in a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct May {
    /// Attack a unit or city that is there.
    pub attack: bool,
    /// Fly beyond the point of no return.
    pub risk: bool,
    /// The next direction of an aircraft that meets a unit of its own side and flies over it.
    pub beyond: Option<Direction>,
}

/// Steps of a kind in a turn with this damage; a crippled unit has one.
fn moves(field: &Field, kind: Kind, damage: u8) -> u8 {
    let Some(figure) = field.world.options.figure(kind) else { return 0 };
    match combat::is_crippled(figure, u32::from(damage)) {
        true => figure.moves.min(1),
        false => figure.moves,
    }
}

/// Steps in a turn of a unit in its present state.
pub fn moves_of_kind(field: &Field, unit: &Unit) -> u8 {
    moves(field, unit.kind, unit.damage)
}

/// One step of a unit to a square next to it.
///
/// # Errors
/// Why it is not possible; then nothing has changed.
pub fn step(
    field: &mut Field,
    id: UnitId,
    direction: Direction,
    may: May,
    dice: &mut Dice,
) -> Result<Step, Stop> {
    let unit = field.unit(id).ok_or(Stop::NoUnit)?;
    let (kind, from) = (unit.kind, unit.at);
    if unit.left == 0 {
        return Err(Stop::Spent);
    }
    let to = field.world.ground.grid.step(from, direction).ok_or(Stop::Edge)?;
    let aboard = unit.aboard.and_then(|n| field.unit(UnitId { number: n, ..id }));
    let by_sea = aboard.is_some_and(|c| c.kind == Kind::Tr);
    let ground = field.world.ground.at(to);
    if by_sea && !ground.is_land() {
        return Err(Stop::Aboard);
    }
    if ground == Terrain::City {
        let owner = field.world.city(to).and_then(|c| c.owner);
        return match owner == Some(id.seat) {
            true => enter(field, id, to, may),
            false => assault(field, id, to, may, dice),
        };
    }
    match field.top(to) {
        None => {
            if !field.takes(id.seat, to, kind) {
                return Err(Stop::Ground(ground));
            }
            enter(field, id, to, may)
        }
        Some(other) if other.seat == id.seat => {
            if !field.has_room(other, kind) {
                if kind.class() == Class::Air
                    && let Some(beyond) = may.beyond
                {
                    return hop(field, id, to, beyond, may);
                }
                let takes = field.unit(other).is_some_and(|o| o.kind.places_of(kind).is_some());
                return Err(if takes { Stop::Room } else { Stop::Friend });
            }
            spend(field, id);
            field.board(id, other);
            if kind.class() == Class::Air {
                land(field, id);
            }
            Ok(Step::Boarded)
        }
        Some(other) => attack(field, id, other, to, may, dice),
    }
}

/// Flies an aircraft over a unit of its own side, on which it can't stop, to the square beyond
/// (§5).
fn hop(
    field: &mut Field,
    id: UnitId,
    over: Place,
    direction: Direction,
    may: May,
) -> Result<Step, Stop> {
    let unit = field.unit(id).ok_or(Stop::NoUnit)?;
    let (left, fuel) = (unit.left, unit.fuel);
    let to = field.world.ground.grid.step(over, direction).ok_or(Stop::Edge)?;
    let own = field.world.city(to).map(|c| c.owner == Some(id.seat));
    let deck = field.top(to).filter(|t| t.seat == id.seat && field.has_room(*t, unit.kind));
    let free = own.unwrap_or(true) && (field.top(to).is_none() || deck.is_some());
    if left < 2 || fuel < 2 || !free {
        return Err(Stop::Friend);
    }
    if let Some(deck) = deck {
        spend(field, id);
        spend(field, id);
        field.board(id, deck);
        land(field, id);
        return Ok(Step::Boarded);
    }
    if !may.risk && !is_safe(field, id, to, fuel - 2) {
        return Err(Stop::Unsafe);
    }
    spend(field, id);
    enter(field, id, to, may)
}

/// Pays for a step: with one of the unit's steps, and with fuel.
fn spend(field: &mut Field, id: UnitId) {
    if let Some(unit) = field.world.unit_mut(id) {
        unit.left = unit.left.saturating_sub(1);
        unit.made = unit.made.saturating_add(1);
        unit.rests = false;
        if unit.kind.class() == Class::Air {
            unit.fuel = unit.fuel.saturating_sub(1);
        }
    }
}

/// Lands an aircraft at a base: it is refuelled, and its turn is over.
fn land(field: &mut Field, id: UnitId) {
    let Some(kind) = field.unit(id).map(|u| u.kind) else { return };
    let range = field.world.options.figure(kind).map_or(0, |f| f.range);
    if let Some(unit) = field.world.unit_mut(id) {
        (unit.fuel, unit.left) = (range, 0);
    }
}

fn enter(field: &mut Field, id: UnitId, to: Place, may: May) -> Result<Step, Stop> {
    let unit = field.unit(id).ok_or(Stop::NoUnit)?;
    let (kind, fuel) = (unit.kind, unit.fuel);
    let ground = field.world.ground.at(to);
    let flies = kind.class() == Class::Air;
    if flies && !may.risk && !is_safe(field, id, to, fuel.saturating_sub(1)) {
        return Err(Stop::Unsafe);
    }
    spend(field, id);
    field.shift(id, to);
    if flies && ground == Terrain::City {
        land(field, id);
        return Ok(Step::Arrived);
    }
    let stops = kind == Kind::Am && field.world.options.advanced() && ground.stops_armor();
    if let Some(unit) = field.world.unit_mut(id).filter(|_| stops) {
        unit.left = 0;
        return Ok(Step::Arrived);
    }
    Ok(Step::Moved)
}

/// Whether an aircraft with this fuel can still reach a base from a square.
pub fn is_safe(field: &Field, id: UnitId, at: Place, fuel: u8) -> bool {
    let Some(unit) = field.unit(id) else { return false };
    let grid = field.world.ground.grid;
    let near = |place: Place| grid.distance(at, place) <= i32::from(fuel);
    if field.world.cities_of(id.seat).any(near) {
        return true;
    }
    let side = field.world.side(id.seat);
    side.is_some_and(|side| {
        side.units.iter().any(|(number, base)| {
            let carrier = UnitId { number: *number, ..id };
            near(base.at)
                && base.kind.places_of(unit.kind).is_some()
                && (unit.aboard == Some(*number) || field.has_room(carrier, unit.kind))
        })
    })
}

fn attacker(field: &Field, id: UnitId) -> Result<Attacker, Stop> {
    let unit = field.unit(id).ok_or(Stop::NoUnit)?;
    let on = field.world.ground.at(unit.at);
    Ok(Attacker { kind: unit.kind, damage: unit.damage.into(), on })
}

/// Attacks a unit.
fn attack(
    field: &mut Field,
    id: UnitId,
    other: UnitId,
    at: Place,
    may: May,
    dice: &mut Dice,
) -> Result<Step, Stop> {
    let attacker = attacker(field, id)?;
    let target = field.unit(other).ok_or(Stop::NoUnit)?;
    let (kind, damage) = (target.kind, target.damage);
    let ground = field.world.ground.at(at);
    let what = Target::Unit(kind, damage.into());
    combat::may_attack(&field.world.options, attacker, what, ground).map_err(Stop::Refused)?;
    // A submarine that the player does not see stops nobody (§7).
    let hidden = kind == Kind::Su && !knows(field, id, at);
    if !may.attack && !hidden {
        return Err(Stop::Enemy);
    }
    let from = field.unit(id).map_or(at, |u| u.at);
    // Cargo attacks only what it could step onto (§6).
    let by_sea = field.unit(id).is_some_and(|u| u.aboard.is_some());
    if by_sea && attacker.kind.class() == Class::Land && !ground.takes(attacker.kind) {
        return Err(Stop::Ground(ground));
    }
    returns_from(field, id, at, may)?;
    let fight = combat::fight(&field.world.options, attacker, what, ground);
    only_planned(field, id, at, &fight)?;
    spend(field, id);
    let out = fight.run(dice_of(field, dice, id, at));
    let (winner, loser) = if out.won { (id, other) } else { (other, id) };
    let gone: Vec<_> = std::iter::once(loser)
        .chain(field.cargo(loser).iter().map(|n| UnitId { number: *n, ..loser }))
        .filter_map(|u| field.unit(u).map(|unit| (u.seat, unit.kind)))
        .collect();
    let parties = field.witnesses(bit(id.seat) | bit(other.seat));
    let before = field.unit(winner).map_or(0, |u| u.damage);
    // A unit takes at most a few dozen hits.
    let after = before.saturating_add(out.damage as u8);
    field.record(
        parties,
        What::Fought {
            by: id,
            kind: attacker.kind,
            from,
            at,
            against: Against::Unit { owner: other.seat, kind },
            won: out.won,
            damage: after,
            lost: gone,
        },
    );
    field.destroy(loser);
    hurt(field, winner, after);
    if !out.won {
        return Ok(Step::Gone);
    }
    let stays = !ground.takes(attacker.kind) || field.top(at).is_some();
    if stays {
        return Ok(Step::Won(false));
    }
    field.shift(id, at);
    let stops = attacker.kind == Kind::Am && field.world.options.advanced() && ground.stops_armor();
    if let Some(unit) = field.world.unit_mut(id).filter(|_| stops) {
        unit.left = 0;
    }
    Ok(Step::Won(true))
}

/// Whether an aircraft can return to a base from a square after its fight.
fn returns_from(field: &Field, id: UnitId, at: Place, may: May) -> Result<(), Stop> {
    let Some(unit) = field.unit(id).filter(|u| u.kind.class() == Class::Air) else {
        return Ok(());
    };
    match may.risk || is_safe(field, id, at, unit.fuel.saturating_sub(1)) {
        true => Ok(()),
        false => Err(Stop::Unsafe),
    }
}

/// In a trial run fights are not fought: the fight is noted, and the unit does not move.
fn only_planned(field: &mut Field, id: UnitId, at: Place, fight: &Fight) -> Result<(), Stop> {
    let Some(paper) = &mut field.paper else { return Ok(()) };
    let odds = fight.odds().per_mille();
    paper.fights.entry(id.number).or_insert(Planned { at, odds });
    if let Some(unit) = field.world.unit_mut(id) {
        unit.left = 0;
    }
    Err(Stop::Paper)
}

/// Whether the player of a unit has seen what stands on a square.
fn knows(field: &Field, id: UnitId, at: Place) -> bool {
    field.world.side(id.seat).is_some_and(|s| s.known.marks.get(&at).is_some_and(|m| m.here))
}

/// The dice of one fight.
fn dice_of<'d>(field: &Field, dice: &'d mut Dice, id: UnitId, at: Place) -> &'d mut Dice {
    let made = field.unit(id).map_or(0, |u| u.made);
    let who = u32::from(id.seat.0) << 16 | u32::from(id.number);
    dice.at([field.world.turn, who, u32::from(at.0), made.into()])
}

/// Sets the damage of a unit: it may be crippled, and lose cargo (§10).
fn hurt(field: &mut Field, id: UnitId, damage: u8) {
    let Some(kind) = field.unit(id).map(|u| u.kind) else { return };
    let moves = moves(field, kind, damage);
    if let Some(unit) = field.world.unit_mut(id) {
        unit.damage = damage;
        unit.left = unit.left.min(moves.saturating_sub(unit.made));
    }
    let mut lost = Vec::new();
    while field.places(id).is_some_and(|places| field.taken(id) > places) {
        let Some(last) = field.cargo(id).last().copied() else { break };
        let last = UnitId { number: last, ..id };
        lost.extend(field.unit(last).map(|u| u.kind));
        field.destroy(last);
    }
    if !lost.is_empty() {
        field.record(bit(id.seat), What::Overboard(id, lost));
    }
}

/// Attacks a city (§9).
fn assault(
    field: &mut Field,
    id: UnitId,
    at: Place,
    may: May,
    dice: &mut Dice,
) -> Result<Step, Stop> {
    let attacker = attacker(field, id)?;
    let city = field.world.city(at).ok_or(Stop::City)?;
    let (owner, held) = (city.owner, city.held);
    let what = Target::City { neutral: owner.is_none(), held };
    combat::may_attack(&field.world.options, attacker, what, Terrain::City).map_err(|refused| {
        match refused {
            Refused::City => Stop::City,
            other => Stop::Refused(other),
        }
    })?;
    if !may.attack {
        return Err(Stop::Enemy);
    }
    let from = field.unit(id).map_or(at, |u| u.at);
    // A bomber stays where it is.
    returns_from(field, id, from, may)?;
    let fight = combat::fight(&field.world.options, attacker, what, Terrain::City);
    only_planned(field, id, at, &fight)?;
    spend(field, id);
    let out = fight.run(dice_of(field, dice, id, at));
    let parties = field.witnesses(bit(id.seat) | owner.map_or(0, bit));
    let damage = field.unit(id).map_or(0, |u| u.damage).saturating_add(out.damage as u8);
    let lost = if out.won { Vec::new() } else { vec![(id.seat, attacker.kind)] };
    field.record(
        parties,
        What::Fought {
            by: id,
            kind: attacker.kind,
            from,
            at,
            against: Against::City(owner),
            won: out.won,
            damage: if out.won { damage } else { 0 },
            lost,
        },
    );
    let on_foot = attacker.kind.class() == Class::Land;
    if !out.won {
        field.destroy(id);
        if let Some(city) = field.world.city_mut(at).filter(|_| owner.is_none() && on_foot) {
            city.held += 1;
        }
        return Ok(Step::Gone);
    }
    if !on_foot {
        hurt(field, id, damage);
        bomb(field, id, at, dice);
        return Ok(Step::Won(false));
    }
    capture(field, id, at);
    Ok(Step::Gone)
}

/// Takes a city: everything inside is destroyed, and the attacker is used up (§9).
fn capture(field: &mut Field, id: UnitId, at: Place) {
    let Some(kind) = field.unit(id).map(|u| u.kind) else { return };
    let from = field.world.city(at).and_then(|c| c.owner);
    let inside = field.inside(at).to_vec();
    let mut lost = Vec::new();
    for unit in inside {
        let all = field.cargo(unit).iter().map(|n| UnitId { number: *n, ..unit });
        let all: Vec<UnitId> = all.chain([unit]).collect();
        lost.extend(all.iter().filter_map(|u| field.unit(*u).map(|v| (u.seat, v.kind))));
        field.destroy(unit);
    }
    field.destroy(id);
    field.give(at, Some(id.seat));
    // If the city can't build the default kind, it builds the kind that took it.
    let default = field.world.side(id.seat).and_then(|s| s.default).map(|kind| {
        let can = can_build(&field.world.ground, at, kind);
        if can { kind } else { field.world.options.edition.foot() }
    });
    let rally = field.world.side(id.seat).map(|s| s.rally.clone()).unwrap_or_default();
    if let Some(city) = field.world.city_mut(at) {
        (city.list, city.done, city.last, city.idle) = (Vec::new(), 0, None, 0);
        city.rally = rally;
        production::order(city, default.into_iter().collect(), false);
    }
    let guard = match kind {
        Kind::Am => field.make(id.seat, Kind::In, at),
        _ => None,
    };
    if let Some(unit) = guard.and_then(|id| field.world.unit_mut(id)) {
        (unit.left, unit.rests) = (0, false);
    }
    let guard = guard.is_some();
    let parties = field.witnesses(bit(id.seat) | from.map_or(0, bit));
    field.record(parties, What::Captured { by: id.seat, at, from, lost, guard });
}

/// Damages a city from the air (§9).
fn bomb(field: &mut Field, id: UnitId, at: Place, dice: &mut Dice) {
    let Some(kind) = field.unit(id).map(|u| u.kind) else { return };
    let owner = field.world.city(at).and_then(|c| c.owner);
    let inside = field.inside(at).to_vec();
    let dice = dice_of(field, dice, id, at);
    let on_units = !inside.is_empty() && dice.below("bombed", 2) == 1;
    let victim = match on_units {
        true => inside.get(dice.below("victim", inside.len() as u32) as usize).copied(),
        false => None,
    };
    let ends = victim.map(|v| {
        let cargo = field.cargo(v).iter().map(|number| UnitId { number: *number, ..v });
        [v].into_iter().chain(cargo).collect::<Vec<UnitId>>()
    });
    let kinds = ends.into_iter().flatten();
    let lost = kinds.filter_map(|u| Some((u.seat, field.unit(u)?.kind))).collect();
    match victim {
        Some(victim) => {
            field.destroy(victim);
        }
        None => {
            if let Some(city) = field.world.city_mut(at) {
                city.done = 0;
            }
        }
    }
    if kind == Kind::Bo {
        let bombed = field.world.city(at).map(|c| production::bombed(&field.world, c));
        if let (Some(city), Some(efficiency)) = (field.world.city_mut(at), bombed) {
            city.efficiency = efficiency;
        }
    }
    let parties = field.witnesses(bit(id.seat) | owner.map_or(0, bit));
    field.record(parties, What::Bombed { by: id.seat, at, lost });
}

/// Turns infantry into an airbase (§12).
///
/// # Errors
/// Why it can't: it has moved, it is aboard, or it is in a city.
pub fn base(field: &mut Field, id: UnitId) -> Result<(), Stop> {
    let unit = field.unit(id).ok_or(Stop::NoUnit)?;
    let at = unit.at;
    if unit.made > 0 || unit.left == 0 {
        return Err(Stop::Spent);
    }
    if unit.kind != Kind::In || field.world.options.figure(Kind::Ab).is_none() {
        return Err(Stop::Refused(Refused::Never));
    }
    if unit.aboard.is_some() || field.world.ground.at(at) == Terrain::City {
        return Err(Stop::Ground(field.world.ground.at(at)));
    }
    if let Some(unit) = field.world.unit_mut(id) {
        (unit.kind, unit.left, unit.rests) = (Kind::Ab, 0, false);
    }
    field.record(bit(id.seat), What::Based(id, at));
    field.look(id);
    field.seen_at(at);
    Ok(())
}

/// Prepares every unit of a seat for its turn (§10).
pub fn wake(field: &mut Field, seat: engine::Seat) {
    let units: Vec<u16> = numbers(field, seat);
    for number in units {
        let id = UnitId { seat, number };
        let Some((kind, damage, at)) = field.unit(id).map(|u| (u.kind, u.damage, u.at)) else {
            continue;
        };
        let moves = moves(field, kind, damage);
        let own = field.world.city(at).is_some_and(|c| c.owner == Some(seat));
        if let Some(unit) = field.world.unit_mut(id) {
            (unit.left, unit.made, unit.rests) = (moves, 0, own);
        }
    }
}

/// The numbers of a seat's units.
fn numbers(field: &Field, seat: engine::Seat) -> Vec<u16> {
    field.world.side(seat).map(|s| s.units.keys().copied().collect()).unwrap_or_default()
}

/// Ends a seat's turn: fuel and repair (§4).
pub fn rest(field: &mut Field, seat: engine::Seat) {
    for number in numbers(field, seat) {
        let id = UnitId { seat, number };
        let Some(unit) = field.unit(id).cloned() else { continue };
        let in_city = field.world.ground.at(unit.at) == Terrain::City;
        // In a trial run nobody knows where an explorer goes after its first look.
        let looks = field.paper.as_ref().is_some_and(|p| p.looks.contains_key(&number));
        if unit.kind.class() == Class::Air && !in_city && unit.aboard.is_none() && !looks {
            // An aircraft uses the fuel of a whole move, with or without orders.
            let idle = moves_of_kind(field, &unit).saturating_sub(unit.made);
            let fuel = unit.fuel.saturating_sub(idle);
            if fuel == 0 {
                field.record(bit(seat), What::Crashed(id, unit.kind, unit.at));
                field.destroy(id);
                continue;
            }
            if let Some(unit) = field.world.unit_mut(id) {
                (unit.fuel, unit.left) = (fuel, 0);
            }
        }
        if in_city && unit.rests && unit.damage > 0 && unit.aboard.is_none() {
            let whole = unit.damage == 1;
            if let Some(unit) = field.world.unit_mut(id) {
                unit.damage -= 1;
                // A sentry wakes, a garrison does not.
                if whole && matches!(unit.orders.first(), Some(Task::Sentry(f)) if !f.on) {
                    unit.orders.clear();
                }
            }
            if whole {
                field.record(bit(seat), What::Repaired(id));
            }
        }
    }
    let (turn, marks) = (field.world.turn, field.world.options.turn.marks);
    if let Some(side) = field.world.side_mut(seat) {
        side.known.fade(turn, marks);
    }
}

/// Runs the production of a seat's cities at the beginning of its turn (§4).
pub fn produce(field: &mut Field, seat: engine::Seat) {
    let base = production::base(&field.world, seat);
    let cities: Vec<Place> = field.world.cities_of(seat).collect();
    for at in cities {
        let Some(mut city) = field.world.city(at).cloned() else { continue };
        let finished = production::advance(&field.world, &mut city, base);
        if let Some(own) = field.world.city_mut(at) {
            *own = city;
        }
        if let Some(kind) = finished
            && let Some(id) = field.make(seat, kind, at)
        {
            field.record(bit(seat), What::Built(id, kind, at));
        }
    }
}
