//! Generals go where fights are expected: they lead, and learn.

use std::cmp::Reverse;

use super::super::state::{Billet, is_land};
use super::Brain;
use engine::geometry::Place;

impl Brain<'_> {
    /// The best general goes to the greatest fight, the next to the next that is out
    /// of his range.
    pub fn post_generals(&mut self) {
        if self.level.generals == 0 {
            return;
        }
        let grid = self.view.grid;
        let range = self.view.tables.rules.generals.range;
        let mut places: Vec<(i64, Place, u16)> = Vec::new();
        for fight in &self.fights {
            let weight = fight.weight / i64::from(fight.turns.max(1));
            // Who leads a drop that fails is lost.
            let unit = self.power.units.get(&fight.unit);
            if unit.is_some_and(|u| !self.waits_for_drop(u)) {
                places.push((weight, fight.at, fight.unit));
            }
        }
        // Cities with enemies before them, then the largest forces.
        for (number, threat) in &self.threats {
            let Some(city) = self.power.cities.get(number) else { continue };
            let here =
                self.power.units.iter().filter(|(_, u)| u.at == city.at && u.aboard.is_none());
            let here = here.filter(|(_, u)| {
                is_land(self.view.tables.row(u.kind).class) && !self.waits_for_drop(u)
            });
            let unit = here.max_by_key(|(n, u)| (u.size, Reverse(**n)));
            if let Some((no, _)) = unit {
                places.push((i64::from(*threat) * 1000, city.at, *no));
            }
        }
        places.sort_unstable_by_key(|(weight, at, no)| (Reverse(*weight), *at, *no));
        let mut order: Vec<(u8, usize)> = Vec::new();
        for (i, general) in self.power.generals.iter().enumerate() {
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
            if self.power.generals[i].billet != Some(Billet::Unit(no)) {
                self.say(format!("P {} {no}", i + 1));
            }
        }
    }
}
