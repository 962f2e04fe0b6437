//! Contact of units at the end of a movement phase: who attacks whom, and who holds the land
//! afterwards (§4).

use std::collections::BTreeMap;

use super::super::state::NOBODY;
use super::combat::{assault, attackers, battle, forces, take_base};
use super::{Field, air};
use engine::geometry::Place;

/// Fights in every sector that powers share, then claims the sectors that were entered.
pub fn fights(field: &mut Field, phase: u8, order: &[u8]) {
    let contested = contested(field);
    for (place, present) in &contested {
        resolve(field, *place, phase, order, present);
    }
    claim(field, &contested);
}

/// Sectors with units of several powers, or with a foreign city or base, and the powers there. Also
/// notes the powers in each sector, for retreats.
fn contested(field: &mut Field) -> BTreeMap<Place, Vec<u8>> {
    let mut present: Vec<(Place, u8)> = Vec::new();
    for power in &field.state.powers {
        for unit in power.units.values() {
            present.push((unit.at, power.seat));
        }
    }
    present.sort_unstable();
    present.dedup();
    field.stands = present
        .chunk_by(|a, b| a.0 == b.0)
        .map(|c| (c[0].0, c.iter().map(|(_, power)| *power).collect()))
        .collect();
    present.clear();
    for power in &field.state.powers {
        for unit in power.units.values().filter(|u| u.aboard.is_none()) {
            present.push((unit.at, power.seat));
            let sites = [field.city_in(unit.at), field.airbase_in(unit.at)];
            present.extend(sites.into_iter().flatten().map(|(_, owner)| (unit.at, owner)));
        }
    }
    present.sort_unstable();
    present.dedup();
    let shared = present.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() > 1);
    shared.map(|c| (c[0].0, c.iter().map(|(_, power)| *power).collect())).collect()
}

/// §4: the powers that entered attack, in the order of movement. A power never attacks its allies,
/// but an ally may attack it where both already stand.
fn resolve(field: &mut Field, place: Place, phase: u8, order: &[u8], present: &[u8]) {
    let entered = |seat: &u8| {
        let units = forces(field, *seat, place);
        units.iter().any(|no| field.came_from.contains_key(&(*seat, *no)))
    };
    let here = order.iter().copied().filter(|s| present.contains(s));
    let (mut sequence, others): (Vec<u8>, Vec<u8>) = here.partition(entered);
    sequence.extend(others);
    for &attacker in &sequence {
        air::on_watch(field, place, attacker, present);
    }
    for attacker in sequence {
        for &enemy in present {
            if !field.state.is_hostile(attacker, enemy) {
                continue;
            }
            let ours = attackers(field, attacker, place);
            let theirs = forces(field, enemy, place);
            if !ours.is_empty() && !theirs.is_empty() {
                battle(field, place, phase, (attacker, ours), (enemy, theirs));
            }
        }
        if let Some((base, owner)) = field.airbase_in(place) {
            let ours = attackers(field, attacker, place);
            let beaten = forces(field, owner, place).is_empty();
            if field.state.is_hostile(attacker, owner) && beaten && !ours.is_empty() {
                take_base(field, place, base, attacker, owner);
            }
        }
        let Some((city, owner)) = field.city_in(place) else { continue };
        let ours = attackers(field, attacker, place);
        let beaten = forces(field, owner, place).is_empty();
        if field.state.is_hostile(attacker, owner) && beaten && !ours.is_empty() {
            assault(field, place, city, attacker, owner, ours);
        }
    }
}

/// Sectors entered in this phase and held become those of the mover, except sectors of allies.
fn claim(field: &mut Field, contested: &BTreeMap<Place, Vec<u8>>) {
    let entered: Vec<(u8, u16)> = field.came_from.keys().copied().collect();
    for (seat, no) in entered {
        let power = &field.state.powers[usize::from(seat)];
        let Some(unit) = power.units.get(&no) else { continue };
        let place = unit.at;
        let holder = field.state.control[usize::from(place.0)];
        let foreign_city = field.city_in(place).is_some_and(|(_, owner)| owner != seat);
        let land = unit.aboard.is_none() && !field.state.world.is_sea(place);
        if !land || foreign_city || power.allies.contains(&holder) {
            continue;
        }
        let disputed = contested.get(&place).is_some_and(|present| {
            let enemy = |p: &&u8| field.state.is_hostile(seat, **p);
            present.iter().filter(enemy).any(|p| !forces(field, *p, place).is_empty())
        });
        if !disputed {
            // §11: an enemy who takes the sector destroys the fort.
            if let Some(works) =
                field.state.works.get_mut(&place).filter(|_| holder != seat && holder != NOBODY)
            {
                (works.fort, works.fort_points) = (false, 0);
            }
            field.state.control[usize::from(place.0)] = seat;
        }
    }
}
