//! Engineers search ruins; where there are none, they build roads on the army's way, forts where it
//! waits and airbases behind its front (§11).

use std::collections::BTreeMap;

use super::super::state::{ENGINEER, FIGHTER};
use super::super::tables::Class;
use super::super::works::Task;
use super::Brain;
use super::centres;
use engine::geometry::Place;

/// Regiments in a camp that make a fort worth building.
const FORT_REGIMENTS: u16 = 15;
/// Sectors between an airbase and the next own base, and between it and an enemy who could take it.
const BASE_APART: i32 = 8;
const BASE_SAFE: i32 = 4;
/// Sectors within which engineers look for ruins, then for work.
const WORK_RANGE: i32 = 12;

/// Whether a further engineer division is wanted.
pub fn wants_engineers(brain: &Brain, engineers: u32) -> bool {
    may_build(brain) && engineers < 1 + brain.power.cities.len() as u32 / 6
}

/// Whether engineers can build anything yet.
fn may_build(brain: &Brain) -> bool {
    brain.level.works > 0 && brain.view.tables.tech.gates.road <= brain.power.tech
}

/// Sends each engineer division to near ruins, else to near work, else to far ruins.
pub fn dig(brain: &mut Brain) {
    let grid = brain.view.grid;
    let exhausted = &brain.power.exhausted;
    let ruins = brain.view.ruins.iter().filter(|p| !exhausted.contains(p));
    let mut ruins: Vec<Place> = ruins.copied().collect();
    let ashore = brain.power.units.iter();
    let ashore = ashore.filter(|(_, u)| u.kind == ENGINEER && u.aboard.is_none());
    let engineers: Vec<(u16, Place)> = ashore.map(|(n, u)| (*n, u.at)).collect();
    let mut works = match may_build(brain) && !engineers.is_empty() {
        true => open_works(brain),
        false => Vec::new(),
    };
    for (no, at) in engineers {
        let same = |p: &Place| brain.continent(*p) == brain.continent(at);
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
            brain.advance(no, site);
            continue;
        }
        if task == Task::Airbase && !brain.power.known_site(site).works.base_paid {
            brain.purse -= brain.view.tables.rules.works.base_pp * 100;
        }
        brain.busy.insert(no);
        brain.order(format!("K {no} {}", task as u8 + 1));
    }
}

/// The works to build and their sectors, the most useful first, so that it wins among equally near
/// ones.
fn open_works(brain: &mut Brain) -> Vec<(Task, Place)> {
    let mut open: Vec<(Task, Place)> = Vec::new();
    let gates = &brain.view.tables.tech.gates;
    let (fort, airbase) = (gates.fort <= brain.power.tech, gates.airbase <= brain.power.tech);
    if airbase {
        open.extend(site_of_base(brain).map(|at| (Task::Airbase, at)));
    }
    if fort {
        open.extend(camps(brain).into_iter().map(|at| (Task::Fort, at)));
    }
    open.extend(rough_ways(brain).into_iter().map(|at| (Task::Road, at)));
    open
}

/// Own sectors outside cities where many regiments wait for the others of an attack.
fn camps(brain: &Brain) -> Vec<Place> {
    let mut camps: BTreeMap<Place, u16> = BTreeMap::new();
    let stays = |no: &u16| brain.waiting.contains(no);
    for (_, unit) in brain.power.units.iter().filter(|(no, _)| stays(no)) {
        *camps.entry(unit.at).or_default() += unit.size;
    }
    let wants = |(at, size): (Place, u16)| {
        let own = brain.view.control[usize::from(at.0)] == brain.view.seat;
        let city = brain.power.city_at(at).is_some();
        let fort = brain.power.known_site(at).works.fort;
        (own && !city && !fort && size >= FORT_REGIMENTS).then_some(at)
    };
    camps.into_iter().filter_map(wants).collect()
}

/// The site of an airbase that brings the main goal into the reach of fighters: own land in supply,
/// far from other bases and from enemies. An airbase that is begun comes first.
fn site_of_base(brain: &Brain) -> Option<Place> {
    let grid = brain.view.grid;
    let goal = brain.targets.get(brain.notes.aims.first()?)?.at;
    let reach = brain.view.tables.radius(FIGHTER, brain.power.tech);
    let near = |at: Place, range: i32| {
        brain.power.bases().any(|(_, base, _)| grid.distance(base, at) <= range)
    };
    let begun = brain.power.sites.iter().find(|(at, site)| {
        site.works.base_paid
            && site.base.is_none()
            && brain.view.control[usize::from(at.0)] == brain.view.seat
    });
    if let Some((at, _)) = begun {
        return Some(*at);
    }
    let cost = brain.view.tables.rules.works.base_pp * 100;
    if near(goal, reach) || !centres::can_spare(brain, cost) {
        return None;
    }
    let safe = |at: Place| {
        let foe = |p: Place| grid.distance(p, at) <= BASE_SAFE;
        !brain.targets.values().any(|c| foe(c.at))
            && !brain.view.spotted.iter().any(|s| brain.is_enemy(s) && foe(s.at))
    };
    let fed = grid.within(goal, reach).filter(|at| brain.view.supplied[usize::from(at.0)]);
    let sites = fed.filter(|at| !near(*at, BASE_APART) && safe(*at));
    sites.min_by_key(|at| (grid.distance(*at, goal), *at))
}

/// Own sectors that need a road: those that slow infantry on the way from home to the main goal.
fn rough_ways(brain: &mut Brain) -> Vec<Place> {
    let goal = brain.notes.aims.first().and_then(|n| brain.targets.get(n)).map(|c| c.at);
    let Some(goal) = goal else { return Vec::new() };
    let home = u16::from(brain.view.seat);
    let start = brain.power.cities.get(&home).or_else(|| brain.power.cities.values().next());
    let Some(start) = start.map(|c| c.at) else { return Vec::new() };
    let way = brain.fields.way(start, goal);
    let slow = |at: &Place| {
        brain.view.control[usize::from(at.0)] == brain.view.seat
            && brain.power.city_at(*at).is_none()
            && !brain.power.known_site(*at).works.road
            && brain.view.cost(Class::Inf, *at).is_some_and(|points| points > 1)
    };
    way.into_iter().filter(slow).collect()
}
