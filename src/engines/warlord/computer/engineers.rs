//! Engineers search ruins; without any they build roads on the army's way, forts where it
//! stands and airbases behind its front (§11).

use std::collections::BTreeMap;

use super::super::state::{ENGINEER, FIGHTER};
use super::super::tables::Class;
use super::super::works::Task;
use super::Brain;
use engine::geometry::Place;

/// Regiments that are worth a fort.
const FORT_REGIMENTS: u16 = 15;
/// Sectors between an airbase and the next own base, and to what might take it.
const BASE_APART: i32 = 8;
const BASE_SAFE: i32 = 4;
/// Sectors within which engineers look for ruins, then for work.
const WORK_RANGE: i32 = 12;

impl Brain<'_> {
    /// Whether there is more to build than the engineers can do.
    pub fn wants_engineers(&self, engineers: u32) -> bool {
        self.may_build() && engineers < 1 + self.power.cities.len() as u32 / 6
    }

    /// Whether its engineers know of any work but ruins.
    fn may_build(&self) -> bool {
        self.level.works > 0 && self.view.tables.tech.gates.road <= self.power.tech
    }

    /// Each engineer division takes the nearest ruins, or else the nearest work; far ruins
    /// where it has neither.
    pub fn dig(&mut self) {
        let grid = self.view.grid;
        let exhausted = &self.power.exhausted;
        let ruins = self.view.ruins.iter().filter(|p| !exhausted.contains(p));
        let mut ruins: Vec<Place> = ruins.copied().collect();
        let ashore = self.power.units.iter();
        let ashore = ashore.filter(|(_, u)| u.kind == ENGINEER && u.aboard.is_none());
        let engineers: Vec<(u16, Place)> = ashore.map(|(n, u)| (*n, u.at)).collect();
        let mut works = match self.may_build() && !engineers.is_empty() {
            true => self.open_works(),
            false => Vec::new(),
        };
        for (no, at) in engineers {
            let same = |p: &Place| self.continent(*p) == self.continent(at);
            let far = |p: &Place| (grid.distance(at, *p), *p);
            let ruin = ruins.iter().copied().filter(same).min_by_key(far);
            let work = works.iter().copied().filter(|(_, p)| same(p));
            let work = work.min_by_key(|(_, p)| grid.distance(at, *p));
            let near = |p: Place| grid.distance(at, p) <= WORK_RANGE;
            let job = match (ruin, work) {
                (Some(ruin), _) if near(ruin) => Some((Task::Search, ruin)),
                (_, Some((task, site))) if near(site) => Some((task, site)),
                (ruin, _) => ruin.map(|ruin| (Task::Search, ruin)),
            };
            let Some((task, site)) = job else { continue };
            ruins.retain(|p| *p != site);
            works.retain(|(_, p)| *p != site);
            if site != at {
                self.advance(no, site);
                continue;
            }
            if task == Task::Airbase && !self.power.known_site(site).works.base_paid {
                self.purse -= self.view.tables.rules.works.base_pp * 100;
            }
            self.busy.insert(no);
            self.say(format!("K {no} {}", task as u8 + 1));
        }
    }

    /// What is to be built and where; of what lies equally near the most useful comes first.
    fn open_works(&mut self) -> Vec<(Task, Place)> {
        let mut open: Vec<(Task, Place)> = Vec::new();
        let gates = &self.view.tables.tech.gates;
        let (fort, airbase) = (gates.fort <= self.power.tech, gates.airbase <= self.power.tech);
        if airbase {
            open.extend(self.site_of_base().map(|at| (Task::Airbase, at)));
        }
        if fort {
            open.extend(self.camps().into_iter().map(|at| (Task::Fort, at)));
        }
        open.extend(self.rough_ways().into_iter().map(|at| (Task::Road, at)));
        open
    }

    /// Own ground outside cities where many regiments stay for the others of an attack.
    fn camps(&self) -> Vec<Place> {
        let mut camps: BTreeMap<Place, u16> = BTreeMap::new();
        let stays = |no: &u16| self.waiting.contains(no);
        for (_, unit) in self.power.units.iter().filter(|(no, _)| stays(no)) {
            *camps.entry(unit.at).or_default() += unit.size;
        }
        let wants = |(at, size): (Place, u16)| {
            let own = self.view.control[usize::from(at.0)] == self.view.seat;
            let city = self.power.city_at(at).is_some();
            let fort = self.power.known_site(at).works.fort;
            (own && !city && !fort && size >= FORT_REGIMENTS).then_some(at)
        };
        camps.into_iter().filter_map(wants).collect()
    }

    /// Where an airbase would bring fighters into reach of the main goal: own fed ground, far
    /// from other bases and from enemies.
    fn site_of_base(&self) -> Option<Place> {
        let grid = self.view.grid;
        let goal = self.targets.get(self.notes.aims.first()?)?.at;
        let reach = self.view.tables.radius(FIGHTER, self.power.tech);
        let near = |at: Place, range: i32| {
            self.power.bases().any(|(_, base, _)| grid.distance(base, at) <= range)
        };
        let begun = self.power.sites.iter().find(|(at, site)| {
            site.works.base_paid
                && site.base.is_none()
                && self.view.control[usize::from(at.0)] == self.view.seat
        });
        if let Some((at, _)) = begun {
            return Some(*at);
        }
        let cost = self.view.tables.rules.works.base_pp * 100;
        if near(goal, reach) || !self.can_spare(cost) {
            return None;
        }
        let safe = |at: Place| {
            let foe = |p: Place| grid.distance(p, at) <= BASE_SAFE;
            !self.targets.values().any(|c| foe(c.at))
                && !self.view.spotted.iter().any(|s| self.is_enemy(s) && foe(s.at))
        };
        let fed = grid.within(goal, reach).filter(|at| self.view.supplied[usize::from(at.0)]);
        let sites = fed.filter(|at| !near(*at, BASE_APART) && safe(*at));
        sites.min_by_key(|at| (grid.distance(*at, goal), *at))
    }

    /// Own ground without a road that slows infantry on its way from home to the front, and on
    /// to the main goal.
    fn rough_ways(&mut self) -> Vec<Place> {
        let goal = self.notes.aims.first().and_then(|n| self.targets.get(n)).map(|c| c.at);
        let Some(goal) = goal else { return Vec::new() };
        let home = u16::from(self.view.seat);
        let start = self.power.cities.get(&home).or_else(|| self.power.cities.values().next());
        let Some(start) = start.map(|c| c.at) else { return Vec::new() };
        let way = self.fields.way(start, goal);
        let slow = |at: &Place| {
            self.view.control[usize::from(at.0)] == self.view.seat
                && self.power.city_at(*at).is_none()
                && !self.power.known_site(*at).works.road
                && self.view.cost(Class::Inf, *at).is_some_and(|points| points > 1)
        };
        way.into_iter().filter(slow).collect()
    }
}
