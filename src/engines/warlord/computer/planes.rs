//! Bombers strike before an assault and against raiders; fighters look at goals and unknown land.

use super::super::bases::BaseNo;
use super::super::state::{BOMBER, City, FIGHTER, JET, NOBODY};
use super::Brain;
use engine::geometry::Place;

/// Fighters that stay on watch where enemy bombers came.
const WATCH: u16 = 2;
/// The most strikes of a card.
const STRIKES_MAX: usize = 6;

pub fn fly(brain: &mut Brain) {
    // Observers first: planes that escort bombers can't observe.
    observe(brain);
    bomb(brain);
}

/// Keeps fighters on watch where enemy bombers came.
pub fn watch(brain: &mut Brain) {
    let cities = brain.view.power.cities.iter();
    let bases: Vec<(u16, u16, u16, bool)> = cities
        .map(|(n, c)| (*n, c.hangar.planes.cover(), c.hangar.watch, brain.struck.contains(&c.at)))
        .collect();
    for (base, fighters, watch, struck) in bases {
        let wanted = match struck {
            true => WATCH.min(fighters),
            false if brain.view.turn.is_multiple_of(5) => 0,
            false => watch,
        };
        if wanted != watch {
            brain.order(format!("W {base} {wanted}"));
            if let Some(city) = brain.power.cities.get_mut(&base) {
                city.hangar.watch = wanted;
            }
        }
    }
}

/// Free planes of some types that reach a place and come back.
fn in_radius(brain: &Brain, kinds: &[u8], at: Place) -> u16 {
    let mut free = 0;
    for kind in kinds {
        let radius = brain.view.tables.radius(*kind, brain.power.tech);
        let near = brain.power.bases().filter(|b| brain.view.grid.distance(b.1, at) <= radius);
        free += near.map(|(.., hangar)| hangar.free().count(*kind)).sum::<u16>();
    }
    free
}

/// Sends the bombers that each target needs: first to cities that are attacked this turn, then to
/// small forces without walls near own cities.
fn bomb(brain: &mut Brain) {
    let mut wanted: Vec<(i64, Place)> = Vec::new();
    for fight in brain.fights.iter().filter(|f| f.turns <= 1) {
        wanted.push((fight.weight + 1_000_000, fight.at));
    }
    for s in brain.view.spotted.iter().filter(|s| brain.is_enemy(s)) {
        let near = |c: &City| brain.view.grid.distance(c.at, s.at) <= 5;
        let walled = brain.view.cities.iter().any(|c| c.at == s.at);
        if !walled && brain.power.cities.values().any(near) {
            wanted.push((i64::from(s.size) * 1000, s.at));
        }
    }
    // Ships near own cities.
    for s in brain.view.spotted.iter().filter(|s| s.ships && s.owner != NOBODY) {
        let near = |c: &City| brain.view.grid.distance(c.at, s.at) <= 3;
        let ally = brain.power.allies.contains(&s.owner);
        if !ally && brain.power.cities.values().any(near) {
            wanted.push((i64::from(s.size) * 500, s.at));
        }
    }
    if let Some(at) = softest(brain) {
        wanted.push((0, at));
    }
    wanted.sort_unstable_by_key(|(value, at)| (std::cmp::Reverse(*value), *at));
    let mut struck: Vec<Place> = Vec::new();
    for (_, at) in wanted {
        if struck.contains(&at) || struck.len() >= STRIKES_MAX {
            continue;
        }
        let here = brain.view.spotted.iter().filter(|s| s.at == at);
        let there: u32 = here.map(|s| u32::from(s.size)).sum();
        // One bomber kills less than half a regiment; few against many are shot down.
        let free = u32::from(in_radius(brain, &[BOMBER], at));
        let most = free.min(there * 3 / 4 + 1);
        let most = if there / 5 > most { 0 } else { most };
        let tables = &brain.view.tables;
        let guns = !brain.view.is_sea(at) && brain.power.guns_at(tables, brain.view.grid, at) > 0;
        if there == 0 || most == 0 && !guns {
            continue;
        }
        struck.push(at);
        let sector = brain.sector(at);
        // There are few planes.
        brain.order(format!("B {most} {sector}"));
        take_planes(brain, &[BOMBER], at, most as u16);
        take_planes(brain, &[JET, FIGHTER], at, most as u16);
    }
}

/// The nearest foreign city with a garrison in sight and low walls.
fn softest(brain: &Brain) -> Option<Place> {
    let garrisoned = brain.targets.values().filter(|c| {
        let size: u32 = brain
            .view
            .spotted
            .iter()
            .filter(|s| s.at == c.at && !s.ships)
            .map(|s| u32::from(s.size))
            .sum();
        (1..=12).contains(&size) && c.seen.level <= 1
    });
    let reachable = garrisoned.filter(|c| in_radius(brain, &[BOMBER], c.at) >= 4);
    reachable.map(|c| (nearest_own(brain, c.at), c.at)).min().map(|(_, at)| at)
}

fn nearest_own(brain: &Brain, at: Place) -> i32 {
    let far = brain.power.cities.values().map(|c| brain.view.grid.distance(c.at, at));
    far.min().unwrap_or(i32::MAX)
}

/// Observes the goals of attacks, then other foreign cities, then unknown land.
fn observe(brain: &mut Brain) {
    let grid = brain.view.grid;
    let mut wanted: Vec<(u32, i32, Place, bool)> = Vec::new();
    for city in brain.targets.values() {
        let seen = brain.notes.garrisons.get(&city.number);
        let age = seen.map_or(u32::MAX, |g| brain.view.turn - g.turn);
        let aim =
            brain.notes.aims.contains(&city.number) || brain.fights.iter().any(|f| f.at == city.at);
        if age == 0 {
            continue;
        }
        let class = if aim { 0 } else { 1 + u32::from(age < 4) };
        let foe = city.seen.owner.is_some_and(|o| o != NOBODY);
        wanted.push((class, nearest_own(brain, city.at), city.at, foe));
    }
    wanted.sort_unstable();
    let mut flown = 0;
    for (_, _, at, _) in wanted {
        if flown >= 4 {
            break;
        }
        if in_radius(brain, &[JET, FIGHTER], at) == 0 {
            continue;
        }
        let sector = brain.sector(at);
        brain.order(format!("O 1 {sector}"));
        take_planes(brain, &[JET, FIGHTER], at, 1);
        flown += 1;
    }
    if let Some((_, city)) = brain.power.cities.iter().find(|(_, c)| c.hangar.free().fighters > 0) {
        let radius = brain.view.tables.radius(FIGHTER, brain.power.tech);
        let far = grid.within(city.at, radius);
        let unknown = |p: &Place| !brain.view.is_sea(*p) && !brain.view.power.has_explored(*p);
        let unknown: Vec<Place> = far.filter(unknown).collect();
        if !unknown.is_empty() {
            let dice = brain.dice.at([]);
            let pick = dice.below("where to look", unknown.len() as u32) as usize;
            let sector = brain.sector(unknown[pick]);
            brain.order(format!("O 1 {sector}"));
        }
    }
}

/// Notes that the nearest planes of some types are away, type by type.
fn take_planes(brain: &mut Brain, kinds: &[u8], at: Place, mut number: u16) {
    let grid = brain.view.grid;
    for kind in kinds {
        let radius = brain.view.tables.radius(*kind, brain.power.tech);
        let mut bases: Vec<(i32, BaseNo)> =
            brain.power.bases().map(|(base, from, _)| (grid.distance(from, at), base)).collect();
        bases.retain(|(far, _)| *far <= radius);
        bases.sort_unstable();
        for (_, base) in bases {
            let Some(hangar) = brain.power.hangar_mut(base) else { continue };
            let taken = hangar.free().count(*kind).min(number);
            *hangar.planes.count_mut(*kind) -= taken;
            number -= taken;
        }
    }
}
