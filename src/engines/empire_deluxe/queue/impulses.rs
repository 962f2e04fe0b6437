//! The order in which units act, and how often.

use super::{Done, ROUNDS, act, once, wake_up};
use crate::event::What;
use crate::field::Field;
use crate::orders::Task;
use crate::route::Router;
use crate::state::UnitId;
use engine::{BySeat, Dice, Seat};
use std::collections::BTreeMap;

/// Counts the turns in which units were blocked; after several such turns they give up. Units with
/// other orders than a way, or without a known way, go on trying.
pub fn give_up(field: &mut Field, blocked: &[UnitId]) {
    let most = field.world.options.turn.blocked;
    for id in blocked {
        let Some(unit) = field.world.unit_mut(*id) else { continue };
        if matches!(unit.orders.first(), Some(Task::Go(..) | Task::Path(..))) {
            unit.blocked = unit.blocked.saturating_add(1);
            if unit.blocked >= most {
                wake_up(field, *id, What::Stopped(*id));
            }
        }
    }
}

/// Plays a turn of these seats in impulses (§17).
pub fn impulses(
    field: &mut Field,
    playing: &[Seat],
    named: &BySeat<Vec<u16>>,
    paths: &mut Router,
    dice: &mut Dice,
) {
    let figures = field.world.options.kinds.values();
    let most = figures.map(|f| u32::from(f.moves)).max().unwrap_or(1).max(1);
    let turn = field.world.turn;
    let none = Vec::new();
    let mut left = Vec::new();
    for impulse in 1..=most {
        let mut seats = playing.to_vec();
        dice.at([turn, impulse]).shuffle("impulse", &mut seats);
        let mut blocked = Vec::new();
        for seat in seats {
            let order = order_of(field, seat, named.get(&seat).unwrap_or(&none));
            for number in behind_carriers(field, seat, order) {
                let id = UnitId { seat, number };
                if acts_in(field, id, impulse, most)
                    && one_impulse(field, id, paths, dice) == Done::Blocked
                {
                    blocked.push(id);
                }
            }
        }
        // When all have acted, there may be room.
        blocked.retain(|id| one_impulse(field, *id, paths, dice) == Done::Blocked);
        left = blocked;
    }
    give_up(field, &left);
}

/// Puts units aboard after their carriers (§17.4).
fn behind_carriers(field: &Field, seat: Seat, order: Vec<u16>) -> Vec<u16> {
    let carrier = |n: u16| field.unit(UnitId { seat, number: n }).and_then(|u| u.aboard);
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

/// Makes one step of a unit, with the ends of tasks before it.
fn one_impulse(field: &mut Field, id: UnitId, paths: &mut Router, dice: &mut Dice) -> Done {
    let made = |field: &Field| field.unit(id).map_or(u8::MAX, |u| u.made);
    let before = made(field);
    for _ in 0..ROUNDS {
        let done = once(field, id, paths, dice);
        if done != Done::Acted || made(field) != before {
            return done;
        }
    }
    Done::Waits
}

/// The units of a seat in the order in which they act: those that its card names, then the
/// others by number.
fn order_of(field: &Field, seat: Seat, named: &[u16]) -> Vec<u16> {
    let Some(side) = field.world.side(seat) else { return Vec::new() };
    let others = side.units.keys().filter(|n| !named.contains(n));
    named.iter().chain(others).copied().collect()
}

/// Whether a unit has a step in an impulse (§17.2).
fn acts_in(field: &Field, id: UnitId, impulse: u32, most: u32) -> bool {
    let Some(unit) = field.unit(id).filter(|u| u.left > 0) else { return false };
    let moves = u32::from(unit.left) + u32::from(unit.made);
    impulse * moves / most > (impulse - 1) * moves / most
}

/// Lets all units of a seat act; blocked ones try once more at the end. Returns those that are
/// still blocked.
pub fn moves_of(
    field: &mut Field,
    seat: Seat,
    named: &[u16],
    paths: &mut Router,
    dice: &mut Dice,
) -> Vec<UnitId> {
    let mut blocked = Vec::new();
    for number in order_of(field, seat, named) {
        let id = UnitId { seat, number };
        if act(field, id, paths, dice) == Done::Blocked {
            blocked.push(id);
        }
    }
    blocked.retain(|id| act(field, *id, paths, dice) == Done::Blocked);
    blocked
}
