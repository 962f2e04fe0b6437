//! Land units: garrisons, strikes at cities, explorers, engineers at ruins.

use std::collections::BTreeMap;

use super::super::state::{ENGINEER, INFANTRY, NOBODY, TRUCK, Target, Unit, is_land};
use super::super::tables::Class;
use super::super::view::KnownCity;
use super::Brain;
use super::force::{Force, takes};
use engine::geometry::Place;
use engine::graph::outward;

/// Explorers that an empire keeps on the way for each of its cities, and at most.
const EXPLORERS_A_CITY: usize = 2;
const EXPLORERS_MAX: usize = 14;
/// Sectors that a strike may be away from its target.
const STRIKE_RANGE: i32 = 30;
/// Idle regiments in a city that make an empire look overseas.
const STUCK_REGIMENTS: u16 = 15;
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
        let known = self.view.ruins.iter().copied();
        let open: Vec<Place> = known.filter(|p| !self.power.exhausted.contains(p)).collect();
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
                match underway == Some(Target::Sector(to)) {
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
            let idle = self.idle_at(at);
            let of = |brain: &Self, class: Class, n: &u16| {
                brain.power.units.get(n).is_some_and(|u| {
                    !matches!(u.kind, ENGINEER | TRUCK)
                        && brain.view.tables.row(u.kind).class == class
                })
            };
            let infantry: Vec<u16> =
                idle.iter().copied().filter(|n| of(self, Class::Inf, n)).collect();
            let armour: Vec<u16> =
                idle.iter().copied().filter(|n| of(self, Class::Arm, n)).collect();
            self.strike_from(at, &infantry, garrison);
            self.strike_from(at, &armour, 0);
        }
    }

    /// Sends as many of a city's units as it takes to win somewhere, together; the
    /// first leaves the garrison behind.
    fn strike_from(&mut self, at: Place, units: &[u16], garrison: u16) {
        let mut parts: Vec<(u16, u16)> = Vec::new();
        let mut keep = garrison;
        for &no in units {
            let size = self.power.units.get(&no).map_or(0, |u| u.size);
            let stays = size.min(keep);
            keep -= stays;
            match size - stays {
                0 => drop(self.busy.insert(no)),
                goes => parts.push((no, goes)),
            }
        }
        let forces: Vec<Force> = parts
            .iter()
            .filter_map(|(no, goes)| {
                let unit = self.power.units.get(no)?;
                Some(Force::of(&self.view.tables, unit.kind, *goes, unit.rank))
            })
            .collect();
        let mut force = Force::default();
        for (i, part) in forces.iter().enumerate() {
            force = force.plus(*part);
            let Some(target) = self.prey(at, force) else { continue };
            for &(no, goes) in &parts[..=i] {
                let size = self.power.units.get(&no).map_or(0, |u| u.size);
                let striker = if goes < size { self.split(no, goes) } else { no };
                self.busy.insert(no);
                self.strike(striker, &target);
            }
            return;
        }
        // Strong, and nothing to win on this land: worth a voyage.
        let infantry =
            |(no, _): &(u16, u16)| self.power.units.get(no).is_some_and(|u| u.kind == INFANTRY);
        let idle: u16 = parts.iter().filter(|p| infantry(p)).map(|(_, goes)| *goes).sum();
        self.stuck |= idle >= STUCK_REGIMENTS;
        let front = self.front_of(at).filter(|_| idle >= STUCK_REGIMENTS || garrison == 0);
        for (no, goes) in parts {
            let size = self.power.units.get(&no).map_or(0, |u| u.size);
            match front {
                // Concentration: what is idle in the rear gathers at the front.
                Some(front) if goes >= 3 => {
                    let marcher = if goes < size { self.split(no, goes) } else { no };
                    self.busy.insert(no);
                    self.advance(marcher, front);
                }
                _ if goes >= 3 && garrison == 0 => drop(self.busy.insert(no)),
                _ => {}
            }
        }
    }

    /// The own city on the same land that lies nearest to a foreign one, if that
    /// is clearly nearer than this city.
    fn front_of(&self, at: Place) -> Option<Place> {
        let grid = self.view.grid;
        let here = self.continent(at);
        let far = |from: Place| {
            let same = self.targets.values().filter(|c| self.continent(c.at) == here);
            same.map(|c| grid.distance(from, c.at)).min()
        };
        let own = self.power.cities.values().filter(|c| self.continent(c.at) == here);
        let nearest = own.filter_map(|c| Some((far(c.at)?, c.at))).min()?;
        (nearest.1 != at && nearest.0 + 2 < far(at)?).then_some(nearest.1)
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
            // The longer the game, the larger the garrisons; turns are few.
            Some(_) => Force::guess(GARRISON_OF_PLAYER + (self.view.turn / 4) as u16),
        }
    }

    /// Whether a unit or general sees a sector now.
    fn in_sight(&self, at: Place) -> bool {
        let sight = &self.view.tables.rules.sight;
        let grid = self.view.grid;
        self.view.power.units.values().any(|u| grid.distance(u.at, at) <= sight.unit)
            || self.view.power.observed.iter().any(|o| grid.distance(*o, at) <= sight.observation)
    }

    /// The nearest city that a force would take.
    fn prey(&self, from: Place, force: Force) -> Option<KnownCity> {
        let grid = self.view.grid;
        let mut near: Vec<(i32, &KnownCity)> = self
            .targets
            .values()
            .map(|c| (grid.distance(from, c.at), c))
            .filter(|(d, c)| *d <= STRIKE_RANGE && self.continent(c.at) == self.continent(from))
            .filter(|(_, c)| !self.taken.contains(&c.at))
            .collect();
        near.sort_by_key(|(d, c)| (*d, c.number));
        near.into_iter().take(6).map(|(_, c)| c).find(|c| self.wins(force, c)).cloned()
    }

    fn wins(&self, force: Force, city: &KnownCity) -> bool {
        let level = if city.seen.owner.is_none() { 2 } else { city.seen.level };
        takes(&self.view.tables, force, self.garrison_in(city), level)
    }

    fn strike(&mut self, no: u16, target: &KnownCity) {
        self.focus.get_or_insert(target.at);
        self.advance(no, target.at);
    }

    /// Armies in the field: on to a city that they can take, or home.
    fn field_armies(&mut self) {
        let strong = |u: &Unit| u.size >= 3 && !matches!(u.kind, ENGINEER | TRUCK);
        let mut corps: BTreeMap<(Place, bool), Vec<u16>> = BTreeMap::new();
        for (no, unit) in &self.power.units {
            let class = self.view.tables.row(unit.kind).class;
            let free = !self.busy.contains(no) && unit.aboard.is_none() && is_land(class);
            if free && strong(unit) && self.power.city_at(unit.at).is_none() {
                corps.entry((unit.at, class == Class::Arm)).or_default().push(*no);
            }
        }
        for ((at, _), units) in corps {
            self.lead(at, &units);
        }
    }

    /// Orders for the units of a corps: they march and fight as one.
    fn lead(&mut self, at: Place, units: &[u16]) {
        let force = units.iter().filter_map(|n| self.power.units.get(n));
        let force = force
            .map(|u| Force::of(&self.view.tables, u.kind, u.size, u.rank))
            .fold(Force::default(), Force::plus);
        let goal = |n: &u16| match self.power.units.get(n)?.goal?.target {
            Target::Sector(to) => Some(to),
            Target::Heading(_) => None,
        };
        let goals: Vec<Option<Place>> = units.iter().map(goal).collect();
        let common =
            goals.first().copied().flatten().filter(|to| goals.iter().all(|g| *g == Some(*to)));
        if let Some(to) = common {
            let target = self.targets.values().find(|c| c.at == to);
            if target.is_some_and(|c| self.wins(force, c)) || self.power.city_at(to).is_some() {
                self.busy.extend(units);
                self.focus.get_or_insert(to);
                return;
            }
            self.taken.remove(&to);
        }
        let home = self
            .power
            .cities
            .values()
            .filter(|c| self.continent(c.at) == self.continent(at))
            .min_by_key(|c| (self.view.grid.distance(c.at, at), c.at))
            .map(|c| c.at);
        let to = match self.prey(at, force) {
            Some(target) => {
                self.focus.get_or_insert(target.at);
                Some(target.at)
            }
            None => home,
        };
        for &no in units {
            match to {
                Some(to) => self.advance(no, to),
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
        // Place: the sector that it sets out from.
        let from = [unit.at.0.into()];
        let steps = 2 + self.dice.at(from).below("explorer's steps", 4);
        let enter = |next: &Place| {
            let enemy = self.view.spotted.iter().any(|s| s.at == *next);
            let city = self.view.cities.iter().any(|c| c.at == *next);
            let open = !self.view.is_sea(*next) && self.view.cost(class, *next).is_some();
            open && !enemy && !city
        };
        let walk = outward(unit.at, |at| grid.near(at).filter(&enter));
        let mut found: Vec<Place> = Vec::new();
        for (at, far) in walk.take(SEARCH_MAX) {
            if found.len() >= 6 {
                break;
            }
            let foreign = self.view.cities.iter().any(|c| c.at == at);
            let free = self.view.control[usize::from(at.0)] == NOBODY && !foreign;
            let apart = self.taken.iter().all(|t| grid.distance(*t, at) > 2);
            if free && far >= steps && apart {
                found.push(at);
            }
        }
        if found.is_empty() {
            return None;
        }
        let pick = self.dice.at(from).below("explorer's way", found.len() as u32) as usize;
        Some(found[pick])
    }
}
