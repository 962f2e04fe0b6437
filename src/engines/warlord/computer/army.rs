//! Land units: garrisons, strikes at cities, explorers, engineers at ruins.

use std::collections::VecDeque;

use super::super::state::{ENGINEER, INFANTRY, NOBODY, TRUCK, Unit, is_land};
use super::super::view::KnownCity;
use super::Brain;
use super::force::{Force, takes};
use crate::engine::geometry::Place;

/// Explorers that an empire keeps on the way for each of its cities, and at most.
const EXPLORERS_A_CITY: usize = 2;
const EXPLORERS_MAX: usize = 14;
/// Sectors that a strike may be away from its target.
const STRIKE_RANGE: i32 = 30;
/// Sectors that an explorer searches for land to claim.
const SEARCH_MAX: usize = 900;
/// Regiments of infantry that are credited to a city nobody has looked into:
/// uncontrolled, and a player's.
const GARRISON_UNSEEN: u16 = 8;
const GARRISON_OF_PLAYER: u16 = 12;

impl Brain<'_> {
    pub fn move_armies(&mut self) {
        self.dig();
        self.garrisons_and_strikes();
        self.field_armies();
        self.explorers();
    }

    /// Engineers search ruins or go there.
    fn dig(&mut self) {
        let known: Vec<Place> = self.view.ruins.iter().copied().collect();
        let open: Vec<Place> =
            known.into_iter().filter(|p| !self.power.exhausted.contains(p)).collect();
        let engineers: Vec<(u16, Place)> = self
            .power
            .units
            .iter()
            .filter(|(_, u)| u.kind == ENGINEER && u.aboard.is_none())
            .map(|(n, u)| (*n, u.at))
            .collect();
        let mut aimed: Vec<Place> = Vec::new();
        for (no, at) in engineers {
            if open.contains(&at) && !aimed.contains(&at) {
                self.say(format!("K {no} 1"));
                self.busy.insert(no);
                aimed.push(at);
                continue;
            }
            let near = open.iter().filter(|p| !aimed.contains(p));
            let near = near.filter(|p| self.continent(**p) == self.continent(at));
            let nearest = near.min_by_key(|p| (self.view.grid.distance(at, **p), **p)).copied();
            if let Some(to) = nearest {
                aimed.push(to);
                let underway = self.power.units.get(&no).and_then(|u| u.goal).map(|g| g.target);
                match underway == Some(super::super::state::Target::Sector(to)) {
                    true => drop(self.busy.insert(no)),
                    false => self.advance(no, to),
                }
            }
        }
    }

    /// Each city keeps what it needs; what is more strikes when it can win.
    fn garrisons_and_strikes(&mut self) {
        let cities: Vec<(u16, Place)> = self.power.cities.iter().map(|(n, c)| (*n, c.at)).collect();
        for (number, at) in cities {
            self.muster(at);
            let garrison = self.garrison_of(number);
            for no in self.idle_at(at) {
                let Some(unit) = self.power.units.get(&no).cloned() else { continue };
                if matches!(unit.kind, ENGINEER | TRUCK) {
                    continue;
                }
                let keep = if unit.kind == INFANTRY { garrison } else { 0 };
                if unit.size <= keep {
                    self.busy.insert(no);
                    continue;
                }
                let Some(target) = self.prey(&unit, unit.size - keep) else {
                    // Infantry in excess may still explore; the rest stays.
                    if unit.kind != INFANTRY {
                        self.busy.insert(no);
                    }
                    continue;
                };
                let striker = match keep {
                    0 => no,
                    n => {
                        self.busy.insert(no);
                        self.split(no, unit.size - n)
                    }
                };
                self.strike(striker, &target);
            }
        }
    }

    /// Joins infantry divisions in a city under one number.
    fn muster(&mut self, at: Place) {
        let most = self.view.tables.rules.economy.division_max;
        let of_kind = |n: &u16| self.power.units.get(n).is_some_and(|u| u.kind == INFANTRY);
        let infantry: Vec<u16> = self.idle_at(at).into_iter().filter(of_kind).collect();
        let Some((&first, rest)) = infantry.split_first() else { return };
        for &no in rest {
            let size = self.power.units[&no].size;
            let room = self.power.units[&first].size + size <= most;
            if !room {
                continue;
            }
            self.say(format!("L {first} {no}"));
            let Some(gone) = self.power.units.remove(&no) else { continue };
            if let Some(unit) = self.power.units.get_mut(&first) {
                unit.rank = super::super::state::average_rank(&[
                    (unit.size, unit.rank),
                    (gone.size, gone.rank),
                ]);
                unit.size += gone.size;
            }
        }
    }

    fn garrison_of(&self, number: u16) -> u16 {
        let threat = self.threats.get(&number).copied().unwrap_or(0);
        let home = u16::from(number == u16::from(self.view.seat));
        // Early on nobody is near, and every regiment is wanted outside.
        let base = if self.view.turn < 6 { 1 } else { 2 + 2 * home };
        // A threat is a number of regiments in sight.
        base + (threat.min(40) as u16) * 3 / 4
    }

    /// What stands in a city as far as it is known.
    fn garrison_in(&self, city: &KnownCity) -> Force {
        let here = self.view.spotted.iter().filter(|s| s.at == city.at && !s.ships);
        let seen: Vec<Force> = here.map(|s| Force::seen(&self.view.tables, s)).collect();
        if !seen.is_empty() {
            return seen.into_iter().fold(Force::default(), Force::plus);
        }
        let in_sight = self.in_sight(city.at);
        match city.seen.owner {
            _ if in_sight => Force::default(),
            None | Some(NOBODY) => Force::of(&self.view.tables, INFANTRY, GARRISON_UNSEEN, 0),
            Some(_) => Force::guess(GARRISON_OF_PLAYER),
        }
    }

    /// Whether a unit or general sees a sector now.
    fn in_sight(&self, at: Place) -> bool {
        let sight = &self.view.tables.rules.sight;
        let grid = self.view.grid;
        self.view.power.units.values().any(|u| grid.distance(u.at, at) <= sight.unit)
            || self.view.power.observed.iter().any(|o| grid.distance(*o, at) <= sight.observation)
    }

    /// The nearest city that so many regiments of a unit would take.
    fn prey(&self, unit: &Unit, size: u16) -> Option<KnownCity> {
        let force = Force::of(&self.view.tables, unit.kind, size, unit.rank);
        let grid = self.view.grid;
        let mut near: Vec<(i32, &KnownCity)> = self
            .targets
            .values()
            .map(|c| (grid.distance(unit.at, c.at), c))
            .filter(|(d, c)| *d <= STRIKE_RANGE && self.continent(c.at) == self.continent(unit.at))
            .filter(|(_, c)| !self.taken.contains(&c.at) || Some(c.at) == self.focus)
            .collect();
        near.sort_by_key(|(d, c)| (*d, c.number));
        let wins = |c: &KnownCity| {
            let level = if c.seen.owner.is_none() { 2 } else { c.seen.level };
            takes(&self.view.tables, force, self.garrison_in(c), level)
        };
        near.into_iter().take(6).map(|(_, c)| c).find(|c| wins(c)).cloned()
    }

    fn strike(&mut self, no: u16, target: &KnownCity) {
        self.focus.get_or_insert(target.at);
        self.advance(no, target.at);
    }

    /// Armies in the field: on to a city that they can take, or home.
    fn field_armies(&mut self) {
        let strong = |u: &Unit| u.size >= 3 && !matches!(u.kind, ENGINEER | TRUCK);
        let field: Vec<u16> = self
            .power
            .units
            .iter()
            .filter(|(n, u)| {
                strong(u)
                    && !self.busy.contains(n)
                    && u.aboard.is_none()
                    && is_land(self.view.tables.row(u.kind).class)
                    && self.power.city_at(u.at).is_none()
            })
            .map(|(n, _)| *n)
            .collect();
        for no in field {
            let Some(unit) = self.power.units.get(&no).cloned() else { continue };
            if let Some(super::super::state::Target::Sector(to)) = unit.goal.map(|g| g.target) {
                // On the way: go on while the target is worth it.
                let target = self.targets.values().find(|c| c.at == to).cloned();
                let force = Force::of(&self.view.tables, unit.kind, unit.size, unit.rank);
                let good = target.is_some_and(|c| {
                    let level = if c.seen.owner.is_none() { 2 } else { c.seen.level };
                    takes(&self.view.tables, force, self.garrison_in(&c), level)
                });
                if good || self.power.city_at(to).is_some() {
                    self.busy.insert(no);
                    if good {
                        self.focus.get_or_insert(to);
                    }
                    continue;
                }
                self.taken.remove(&to);
            }
            if let Some(target) = self.prey(&unit, unit.size) {
                self.strike(no, &target);
                continue;
            }
            let home = self
                .power
                .cities
                .values()
                .filter(|c| self.continent(c.at) == self.continent(unit.at))
                .min_by_key(|c| (self.view.grid.distance(c.at, unit.at), c.at))
                .map(|c| c.at);
            match home {
                Some(at) => self.advance(no, at),
                None => drop(self.busy.insert(no)),
            }
        }
    }

    /// Small units walk over land that nobody holds, and claim it.
    fn explorers(&mut self) {
        let small: Vec<u16> = self
            .power
            .units
            .iter()
            .filter(|(n, u)| {
                !self.busy.contains(n)
                    && u.aboard.is_none()
                    && is_land(self.view.tables.row(u.kind).class)
            })
            .map(|(n, _)| *n)
            .collect();
        let wanted = (EXPLORERS_A_CITY * self.power.cities.len() + 2).min(EXPLORERS_MAX);
        let mut on_the_way = 0;
        for no in small {
            let Some(unit) = self.power.units.get(&no).cloned() else { continue };
            if unit.goal.is_some() && self.power.city_at(unit.at).is_none() {
                on_the_way += 1;
                continue;
            }
            if on_the_way >= wanted {
                continue;
            }
            let in_city = self.power.city_at(unit.at).is_some();
            let keep = match (in_city, unit.kind) {
                (true, INFANTRY) => 1,
                _ => 0,
            };
            if unit.size <= keep {
                continue;
            }
            let Some(to) = self.claimable(&unit) else { continue };
            let explorer = if unit.size > 1 { self.split(no, 1) } else { no };
            self.advance(explorer, to);
            on_the_way += 1;
            // What is left may send another in another direction.
            let left = self.power.units.get(&no).map_or(0, |u| u.size);
            if explorer != no && unit.kind == TRUCK && left > 0 && on_the_way < wanted {
                let rest = self.power.units[&no].clone();
                if let Some(to) = self.claimable(&rest) {
                    let second = if left > 1 { self.split(no, 1) } else { no };
                    self.advance(second, to);
                    on_the_way += 1;
                }
            }
        }
    }

    /// A sector that nobody is known to hold, some steps away over land that the
    /// unit can enter, and that no other explorer heads for.
    fn claimable(&mut self, unit: &Unit) -> Option<Place> {
        let class = self.view.tables.row(unit.kind).class;
        let grid = self.view.grid;
        let steps = 2 + self.dice.below("explorer's steps", 4) as usize;
        let mut seen = std::collections::BTreeSet::from([unit.at]);
        let mut todo = VecDeque::from([(unit.at, 0usize)]);
        let mut visited = 0;
        let mut found: Vec<Place> = Vec::new();
        while let Some((at, far)) = todo.pop_front() {
            visited += 1;
            if visited > SEARCH_MAX || found.len() >= 6 {
                break;
            }
            let foreign = self.view.cities.iter().any(|c| c.at == at);
            let free = self.view.control[usize::from(at.0)] == NOBODY && !foreign;
            let apart = self.taken.iter().all(|t| grid.distance(*t, at) > 2);
            if free && far >= steps && apart {
                found.push(at);
            }
            for (_, next) in grid.neighbours(at) {
                let enemy = self.view.spotted.iter().any(|s| s.at == next);
                let city = self.view.cities.iter().any(|c| c.at == next);
                let open = !self.view.is_sea(next) && self.view.cost(class, next).is_some();
                if open && !enemy && !city && seen.insert(next) {
                    todo.push_back((next, far + 1));
                }
            }
        }
        if found.is_empty() {
            return None;
        }
        let pick = self.dice.below("explorer's way", found.len() as u32) as usize;
        Some(found[pick])
    }
}
