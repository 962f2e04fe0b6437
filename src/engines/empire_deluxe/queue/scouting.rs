//! Units that look around: patrols and explorers.

use super::{Done, attack_prey, base_of, cost, fights, finish, meets, replace, towards, wake_up};
use crate::event::What;
use crate::field::{Field, bit};
use crate::kinds::Class;
use crate::moves;
use crate::moves::May;
use crate::orders::{Flags, Task};
use crate::route::Router;
use crate::state::UnitId;
use engine::geometry::Place;
use engine::{Dice, graph};
use std::collections::BTreeSet;

/// Makes one step towards a square. Without `!`, an enemy that comes into sight before or after the
/// step wakes the unit up.
fn look_out(
    field: &mut Field,
    id: UnitId,
    to: Place,
    flags: Flags,
    paths: &mut Router,
    dice: &mut Dice,
) -> Done {
    if !flags.on && meets(field, id) {
        return wake_up(field, id, What::Woken(id));
    }
    let done = towards(field, id, to, May::default(), paths, dice);
    if done == Done::Acted && !flags.on && meets(field, id) && !fights(field, id, flags) {
        return wake_up(field, id, What::Woken(id));
    }
    done
}

pub(super) fn patrol(
    field: &mut Field,
    id: UnitId,
    points: &[Place],
    leg: u8,
    flags: Flags,
    paths: &mut Router,
    dice: &mut Dice,
) -> Done {
    if let Some(done) = attack_prey(field, id, flags, dice) {
        return done;
    }
    let Some(unit) = field.unit(id) else { return Done::Waits };
    let at = unit.at;
    let Some(to) = points.get(usize::from(leg)).copied() else {
        // It begins where it is, and returns to this square.
        let points = [at].iter().chain(points).copied().collect();
        replace(field, id, Task::Patrol(points, 0, flags));
        return Done::Acted;
    };
    if at == to {
        if points.iter().all(|p| *p == at) {
            return Done::Waits;
        }
        // The patrol goes round and round. A card has fewer squares than the limit of the number.
        let next = u8::try_from((usize::from(leg) + 1) % points.len()).unwrap_or(0);
        replace(field, id, Task::Patrol(points.to_vec(), next, flags));
        return Done::Acted;
    }
    look_out(field, id, to, flags, paths, dice)
}

/// The nearest square from which something new can be seen, and which is not near the goal of
/// another unit; `None` if there is no such square.
fn unknown(field: &Field, id: UnitId) -> Option<Place> {
    let others = field.ways.iter().filter(|(u, _)| u.seat == id.seat && **u != id);
    let taken: BTreeSet<Place> = others.map(|(_, (goal, _))| *goal).collect();
    unknown_but(field, id, &taken).or_else(|| unknown_but(field, id, &BTreeSet::new()))
}

fn unknown_but(field: &Field, id: UnitId, taken: &BTreeSet<Place>) -> Option<Place> {
    let unit = field.unit(id)?;
    let (kind, from) = (unit.kind, unit.at);
    let side = field.world.side(id.seat)?;
    let grid = field.world.ground.grid;
    let range = field.world.options.figure(kind).map_or(1, |f| i32::from(f.sight));
    let new = |at: Place| grid.within(at, range).any(|p| !side.known.has_seen(p));
    let enter = |at: &Place| side.known.has_seen(*at) && cost(field, id, kind, *at, from).is_some();
    let flies = kind.class() == Class::Air;
    let fuel = u32::from(unit.fuel);
    // The unit can't stop on a unit of its own side.
    let apart = |p: Place| taken.iter().all(|t| grid.distance(*t, p) > 2 * range);
    let free = |p: Place| field.top(p).is_none_or(|top| top == id);
    let fits = |(p, steps): &(Place, u32)| {
        *steps > 0
            && free(*p)
            && new(*p)
            && apart(*p)
            && (!flies || moves::is_safe(field, id, *p, (fuel - steps) as u8))
    };
    let mut reached = graph::outward(from, |p| grid.near(p).filter(enter))
        .take_while(|(_, steps)| !flies || *steps <= fuel);
    let (first, steps) = reached.find(fits)?;
    // Among those at the same distance, the first on the map.
    let same = reached.take_while(|(_, s)| *s == steps).filter(fits).map(|(p, _)| p);
    same.chain([first]).min()
}

pub(super) fn explore(
    field: &mut Field,
    id: UnitId,
    flags: Flags,
    paths: &mut Router,
    dice: &mut Dice,
) -> Done {
    let Some(unit) = field.unit(id) else { return Done::Waits };
    if unit.left == 0 {
        return Done::Waits;
    }
    if let Some(done) = attack_prey(field, id, flags, dice) {
        return done;
    }
    let Some(unit) = field.unit(id) else { return Done::Waits };
    let flies = unit.kind.class() == Class::Air;
    let full = field.world.options.figure(unit.kind).map_or(0, |f| f.range);
    let short = flies && unit.fuel < full;
    if let Some(to) = field.paper.as_ref().and_then(|p| p.looks.get(&id.number)).copied() {
        // In a trial run nobody knows what it sees there.
        return match unit.at == to {
            true => Done::Waits,
            false => towards(field, id, to, May::default(), paths, dice),
        };
    }
    let Some(to) = unknown(field, id) else {
        return match short {
            // It goes home first, and on from there with a full tank.
            true => match base_of(field, id) {
                Some(base) => towards(field, id, base, May::default(), paths, dice),
                None => Done::Blocked,
            },
            false => {
                field.record(bit(id.seat), What::Explored(id));
                finish(field, id)
            }
        };
    };
    if let Some(paper) = &mut field.paper {
        paper.looks.insert(id.number, to);
    }
    look_out(field, id, to, flags, paths, dice)
}
