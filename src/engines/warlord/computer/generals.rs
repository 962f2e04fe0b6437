//! Generals go where fights are expected: they lead, and learn.

use std::cmp::Reverse;

use super::super::state::{Billet, is_land};
use super::Brain;
use crate::computer::drops;
use engine::geometry::Place;

/// Sends the best general to the greatest fight, and each further one to the greatest fight that no
/// other general reaches.
pub fn post_generals(brain: &mut Brain) {
    if brain.level.generals == 0 {
        return;
    }
    let grid = brain.view.grid;
    let range = brain.view.tables.rules.generals.range;
    let mut places: Vec<(i64, Place, u16)> = Vec::new();
    for fight in &brain.fights {
        let weight = fight.weight / i64::from(fight.turns.max(1));
        // A general who leads a drop that fails is lost.
        let unit = brain.power.units.get(&fight.unit);
        if unit.is_some_and(|u| !drops::waits_for_drop(brain, u)) {
            places.push((weight, fight.at, fight.unit));
        }
    }
    // Cities with enemies near them.
    for (number, threat) in &brain.threats {
        let Some(city) = brain.power.cities.get(number) else { continue };
        let here = brain.power.units.iter().filter(|(_, u)| u.at == city.at && u.aboard.is_none());
        let here = here.filter(|(_, u)| {
            is_land(brain.view.tables.row(u.kind).class) && !drops::waits_for_drop(brain, u)
        });
        let unit = here.max_by_key(|(n, u)| (u.size, Reverse(**n)));
        if let Some((no, _)) = unit {
            places.push((i64::from(*threat) * 1000, city.at, *no));
        }
    }
    places.sort_unstable_by_key(|(weight, at, no)| (Reverse(*weight), *at, *no));
    let mut order: Vec<(u8, usize)> = Vec::new();
    for (i, general) in brain.power.generals.iter().enumerate() {
        if general.billet.is_some() {
            order.push((general.skill, i));
        }
    }
    order.sort_unstable_by_key(|(skill, i)| (Reverse(*skill), *i));
    let mut posted: Vec<Place> = Vec::new();
    for (_, i) in order {
        let free = |at: Place| posted.iter().all(|p| grid.distance(*p, at) > range);
        let Some((_, at, no)) = places.iter().copied().find(|(_, at, _)| free(*at)) else {
            continue;
        };
        posted.push(at);
        if brain.power.generals[i].billet != Some(Billet::Unit(no)) {
            brain.order(format!("P {} {no}", i + 1));
        }
    }
}
