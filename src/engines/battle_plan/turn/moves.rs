//! Steps 1 and 3: forces move, or leave for battle (§9).

use super::super::diary::{Cause, Entry};
use super::super::map::SpaceId;
use super::super::state::{Forces, NOBODY, State};
use super::super::verbs::{Arm, Verb};
use super::{Event, Field, Group, Support};

/// Step 1: units that move arrive; as gifts they change their owner.
pub fn moves(field: &mut Field) {
    for seat in field.seats() {
        let jobs = field.papers[usize::from(seat) - 1].jobs.clone();
        for (from, list) in jobs {
            for job in list {
                let (Some(to), true) = (job.order.target, job.order.verb.moves()) else { continue };
                let (arm, n) = (job.order.verb.arm(), job.order.n);
                if let Some(by) = job.canal
                    && !pass(field, seat, by, (from, to), arm, n)
                {
                    continue;
                }
                take(&mut field.state, seat, from, arm, n);
                field.note(seat, Entry::Moved { from, to, arm, n, fled: false });
                arrive(field, seat, to, arm, n);
            }
        }
    }
}

/// Whether units may pass a canal. Records an event if they pass another's canal or find it closed.
pub fn pass(
    field: &mut Field,
    player: u8,
    by: SpaceId,
    (from, to): (SpaceId, SpaceId),
    arm: Arm,
    n: i64,
) -> bool {
    let holder = field.holders[usize::from(by.0)];
    let open = holder == player
        || (holder != NOBODY && field.state.player(holder).permits.contains(&player));
    if !open {
        field.events.push(Event::Closed { player, by, from, to, arm, n });
    } else if holder != player {
        field.events.push(Event::Passage { holder, player, by, from, to, arm, n });
    }
    open
}

/// Takes units of a seat out of a space.
pub fn take(state: &mut State, seat: u8, from: SpaceId, arm: Arm, n: i64) {
    if state.tables.map.is_sea(from) {
        let sea = state.sea_mut(from);
        if let Some(forces) = sea.get_mut(&seat) {
            *forces.of(arm) -= n;
            if forces.is_empty() {
                sea.remove(&seat);
            }
        }
    } else {
        *state.country_mut(from).stock_mut(arm) -= n;
    }
}

/// Puts units of a seat into a sea.
pub fn put_to_sea(state: &mut State, seat: u8, sea: SpaceId, forces: Forces) {
    if forces.is_empty() {
        return;
    }
    let there = state.sea_mut(sea).entry(seat).or_default();
    there.army += forces.army;
    there.navy += forces.navy;
    there.air += forces.air;
}

fn arrive(field: &mut Field, seat: u8, to: SpaceId, arm: Arm, n: i64) {
    if field.tables.map.is_sea(to) {
        let mut forces = Forces::default();
        *forces.of(arm) = n;
        put_to_sea(&mut field.state, seat, to, forces);
        return;
    }
    let owner = field.owners[usize::from(to.0)];
    *field.state.country_mut(to).stock_mut(arm) += n;
    if arm == Arm::Air {
        *field.flown_in.entry(to).or_default() += n;
    }
    if owner == NOBODY {
        let figures = &field.tables.figures.popularity;
        let worth = match arm {
            Arm::Missile | Arm::Antimissile => figures.missile_gift,
            _ => figures.gift,
        };
        *field.favour.entry((to, seat, Cause::Gifts)).or_default() += worth * n;
    } else if owner != seat {
        field.events.push(Event::GiftOfForces { from: seat, to: owner, at: to, arm, n });
    }
}

/// Step 3: all forces with an order to fight or to support leave their space.
pub fn depart(field: &mut Field) {
    for seat in field.seats() {
        let jobs = field.papers[usize::from(seat) - 1].jobs.clone();
        for (from, list) in jobs {
            for job in list {
                let (verb, n) = (job.order.verb, job.order.n);
                let Some(to) = job.order.target.filter(|_| !verb.moves()) else { continue };
                if let Some(by) = job.canal
                    && !pass(field, seat, by, (from, to), verb.arm(), n)
                {
                    continue;
                }
                take(&mut field.state, seat, from, verb.arm(), n);
                send(field, seat, from, to, verb, n);
            }
        }
    }
}

fn send(field: &mut Field, seat: u8, from: SpaceId, to: SpaceId, verb: Verb, n: i64) {
    let support = [Verb::ArmySupport, Verb::NavySupport, Verb::AirSupport].contains(&verb);
    if support {
        let list = field.supports.entry(to).or_default();
        let at = list.iter().position(|s| s.from == from && s.owner == seat).unwrap_or_else(|| {
            let none = Forces::default();
            list.push(Support { from, owner: seat, forces: none, sent: none });
            list.len() - 1
        });
        *list[at].forces.of(verb.arm()) += n;
        *list[at].sent.of(verb.arm()) += n;
        if field.tables.map.is_sea(to) {
            field.see(seat, to);
        }
        return;
    }
    let list = field.groups.entry(to).or_default();
    let at = list.iter().position(|g| g.from == from && g.owner == seat).unwrap_or_else(|| {
        list.push(Group::new(from, seat));
        list.len() - 1
    });
    let group = &mut list[at];
    let (place, arm) = match verb {
        Verb::Conquer => (&mut group.conquer, 0),
        Verb::Bombard => (&mut group.bombard, 0),
        Verb::NavyAttack => (&mut group.navy, 1),
        Verb::AirArmy => (&mut group.air[0], 2),
        Verb::AirNavy => (&mut group.air[1], 2),
        Verb::AirBase => (&mut group.air[2], 2),
        Verb::AirIndustry => (&mut group.air[3], 2),
        Verb::MissileArmy => (&mut group.missiles[0], 3),
        Verb::MissileBase => (&mut group.missiles[1], 3),
        Verb::MissileIndustry => (&mut group.missiles[2], 3),
        // These orders need no group: moves and support are handled elsewhere.
        Verb::Build(_)
        | Verb::ArmyMove
        | Verb::ArmySupport
        | Verb::NavyMove
        | Verb::NavySupport
        | Verb::AirMove
        | Verb::AirSupport
        | Verb::MissileMove
        | Verb::AntimissileMove => return,
    };
    *place += n;
    group.sent[arm] += n;
    if arm == 3 {
        field.lose(Arm::Missile, n);
        field.state.missile_fired = true;
    }
    let by_army_or_air = arm == 0 || arm == 2;
    if by_army_or_air && field.owners[usize::from(to.0)] == NOBODY {
        field.attacked.insert((to, seat));
    }
}
