//! War: the garrison of each city, the cities to attack, and the forces for it.
//!
//! An attack is planned in full before anybody marches. Among the cities within reach it picks the
//! one with the best return for its cost and time, with the nearest forces that suffice together.
//! Forces from several places meet at one of them first, so that they attack together.

use std::collections::BTreeMap;

use super::super::state::NOBODY;
use super::super::tables::Class;
use super::super::view::KnownCity;
use super::force::{Force, remains, shelter, weaken};
use super::stacks::Stack;
use super::{Brain, Fight};
use crate::computer::stacks;
use crate::computer::weapons;
use engine::geometry::Place;

/// The most cities that are considered as goals.
const GOALS_MAX: usize = 30;
/// The worth of a city in hundredths of a regiment; a taken city pays for many turns.
const CITY_WORTH: i64 = 6000;
/// The worth of a player's home city.
const HOME_WORTH: i64 = 8000;
/// The least odds that an attack asks for, in per cent.
const ODDS_MIN: i64 = 110;
/// Idle regiments that look for work at a front, and those that make it go overseas.
const IDLE: u16 = 6;
const STUCK: u16 = 15;

/// A planned attack.
struct Attack {
    city: KnownCity,
    /// Indices of the stacks that take part, the nearest first.
    stacks: Vec<usize>,
    turns: u32,
    score: i64,
}

/// Sets the regiments that each own city keeps.
pub fn hold(brain: &mut Brain) {
    let cities: Vec<(u16, Place)> = brain.power.cities.iter().map(|(n, c)| (*n, c.at)).collect();
    for (number, at) in cities {
        stacks::muster(brain, at);
        let hold = hold_of(brain, number, at);
        brain.holds.insert(number, hold);
    }
}

fn hold_of(brain: &Brain, number: u16, at: Place) -> u16 {
    let turn = brain.view.turn;
    let home = u16::from(number == u16::from(brain.view.seat));
    let front = enemy_near(brain, at, 12);
    let base = match (turn < 6, front) {
        (true, _) => 1,
        (false, true) => brain.level.hold_front + 2 * home,
        (false, false) => 1 + home,
    };
    let threat = i64::from(brain.threats.get(&number).copied().unwrap_or(0)).min(60);
    // Garrisons are small numbers.
    base + (threat * brain.level.hold / 100) as u16
}

/// Whether a city of another player who is not an ally is known near a place.
pub fn enemy_near(brain: &Brain, at: Place, range: i32) -> bool {
    let foreign = |c: &&KnownCity| c.seen.owner.is_some_and(|o| o != NOBODY);
    let near = |c: &KnownCity| brain.view.grid.distance(c.at, at) <= range;
    brain.targets.values().filter(foreign).any(near)
}

/// Plans attacks one after the other, and launches each.
pub fn make_war(brain: &mut Brain) {
    let mut stacks = stacks::stacks(brain);
    let goals = goals(brain, &stacks);
    let mut aimed: Vec<u16> = Vec::new();
    if brain.power.cities.is_empty() {
        last_stand(brain, &stacks);
        return;
    }
    for _ in 0..brain.level.operations {
        let mut found: Vec<Attack> = Vec::new();
        for city in goals.iter().filter(|c| !aimed.contains(&c.number)) {
            found.extend(plan(brain, city, &stacks, aimed.is_empty()));
        }
        found.sort_by_key(|a| (std::cmp::Reverse(a.score), a.city.number));
        // Place of the roll: the number of attacks planned so far.
        let slip = brain.dice.at([aimed.len() as u32]).chance("second best", brain.level.mistakes);
        let pick = usize::from(slip && found.len() > 1);
        if found.is_empty() {
            break;
        }
        let attack = found.swap_remove(pick);
        aimed.push(attack.city.number);
        launch(brain, &attack, &stacks);
        let used: Vec<usize> = attack.stacks.clone();
        let mut index = 0;
        stacks.retain(|_| {
            index += 1;
            !used.contains(&(index - 1))
        });
    }
    brain.notes.aims = aimed;
}

/// Without a city, everybody attacks the nearest one, to win it or to fall.
fn last_stand(brain: &mut Brain, stacks: &[Stack]) {
    let grid = brain.view.grid;
    for stack in stacks {
        let near = |c: &&KnownCity| (grid.distance(c.at, stack.at), c.number);
        let here =
            brain.targets.values().filter(|c| brain.continent(c.at) == brain.continent(stack.at));
        if let Some(at) = here.min_by_key(near).map(|c| c.at) {
            stacks::send(brain, stack, at, u16::MAX);
        }
    }
}

/// The cities nearest to own forces.
fn goals(brain: &Brain, stacks: &[Stack]) -> Vec<KnownCity> {
    let grid = brain.view.grid;
    let far = |c: &KnownCity| {
        let here = brain.continent(c.at);
        let same = stacks.iter().filter(|s| brain.continent(s.at) == here);
        same.map(|s| grid.distance(s.at, c.at)).min()
    };
    let mut near: Vec<(i32, KnownCity)> =
        brain.targets.values().filter_map(|c| Some((far(c)?, c.clone()))).collect();
    near.sort_by_key(|(d, c)| (*d, c.number));
    near.into_iter().take(GOALS_MAX).map(|(_, c)| c).collect()
}

/// The attack on a city with the nearest forces that suffice; missiles help the main attack.
fn plan(brain: &mut Brain, city: &KnownCity, stacks: &[Stack], main: bool) -> Option<Attack> {
    let seen = brain.notes.garrisons.get(&city.number).is_some_and(|g| g.turn == brain.view.turn);
    let odds = if seen { brain.level.odds_seen } else { brain.level.odds };
    let eager = i64::from(brain.view.turn.saturating_sub(brain.level.eager));
    let odds = (odds - eager).max(ODDS_MIN);
    let walls = brain.level_of(city);
    // All missiles go with the main attack.
    let hit = if main {
        weapons::salvo(brain, city.at) * 100 / shelter(&brain.view.tables, walls)
    } else {
        0
    };
    let garrison = weaken(brain.garrison_in(city), hit).times(odds);
    let mut near: Vec<(u32, usize)> = Vec::new();
    for (i, stack) in stacks.iter().enumerate() {
        if brain.continent(stack.at) != brain.continent(city.at) {
            continue;
        }
        let points = brain.fields.from(stack.at, stack.class)[usize::from(city.at.0)];
        if points < u16::MAX {
            near.push((stacks::turns(stack.class, points), i));
        }
    }
    near.retain(|(turns, _)| *turns <= brain.level.reach);
    near.sort_unstable();
    let mut force = Force::default();
    let mut taken: Vec<usize> = Vec::new();
    for &(turns, i) in &near {
        force = force.plus(stacks[i].force);
        taken.push(i);
        let Some(left) = remains(&brain.view.tables, force, garrison, walls) else { continue };
        let loss = (force.defence - left) / 30;
        let turns = turns + u32::from(taken.len() > 1);
        let home = city.number <= u16::from(brain.view.seats);
        let mut worth = if home { HOME_WORTH } else { CITY_WORTH };
        // The larger the army, the more a city is worth, so that the army is used.
        worth = worth.max(regiments(brain) * brain.level.worth);
        let owner = city.seen.owner.filter(|o| *o != NOBODY);
        if brain.level.breaks > 0 && owner.is_some() && owner == brain.leader {
            worth = worth * 3 / 2;
        }
        if owner.is_some() && owner == brain.rally {
            worth = worth * 5 / 4;
        }
        let chosen = taken.iter().any(|i| stacks[*i].goal == Some(city.at))
            || brain.notes.aims.contains(&city.number);
        let loyalty = if chosen { brain.level.loyalty } else { 100 };
        let score = (worth - loss) * loyalty / 100 / i64::from(turns + 3);
        return (score > 0).then(|| Attack { city: city.clone(), stacks: taken, turns, score });
    }
    None
}

/// All own regiments.
fn regiments(brain: &Brain) -> i64 {
    brain.view.power.units.values().map(|u| i64::from(u.size)).sum()
}

/// Sends the forces of an attack: straight to the city, or first to where they meet.
fn launch(brain: &mut Brain, attack: &Attack, stacks: &[Stack]) {
    let together = attack.stacks.iter().all(|i| stacks[*i].at == stacks[attack.stacks[0]].at);
    let meet = match together {
        true => None,
        false => attack
            .stacks
            .iter()
            .copied()
            .find(|i| stacks[*i].in_city)
            .or(attack.stacks.first().copied()),
    };
    for &i in &attack.stacks {
        let stack = &stacks[i];
        match meet {
            None => {
                let unit = stacks::send(brain, stack, attack.city.at, u16::MAX);
                let weight = stack.force.attack;
                brain.fights.push(Fight { at: attack.city.at, unit, weight, turns: attack.turns });
            }
            Some(to) if stacks[to].at == stack.at => stacks::stay(brain, stack),
            Some(to) => drop(stacks::send(brain, stack, stacks[to].at, u16::MAX)),
        }
    }
}

/// Sends forces without a goal to a front, and those in the field to a city.
pub fn rest(brain: &mut Brain) {
    for stack in &stacks::stacks(brain) {
        let infantry = stack.class == Class::Inf;
        brain.stuck |= infantry && stack.in_city && stack.size >= STUCK;
        let front = front_of(brain, stack.at);
        match (stack.in_city, front) {
            (true, Some(front)) if stack.size >= IDLE || !infantry => {
                stacks::send(brain, stack, front, u16::MAX);
            }
            (true, _) if !infantry => stacks::stay(brain, stack),
            (true, _) => {}
            (false, _) => {
                let home = brain
                    .power
                    .cities
                    .values()
                    .filter(|c| brain.continent(c.at) == brain.continent(stack.at))
                    .min_by_key(|c| (brain.view.grid.distance(c.at, stack.at), c.at))
                    .map(|c| c.at);
                match home {
                    Some(home) => drop(stacks::send(brain, stack, home, u16::MAX)),
                    None => stacks::stay(brain, stack),
                }
            }
        }
    }
}

/// The own city on the same land that is nearest to a foreign one, if it is clearly nearer than
/// this place.
fn front_of(brain: &Brain, at: Place) -> Option<Place> {
    let grid = brain.view.grid;
    let here = brain.continent(at);
    let far = |from: Place| {
        let same = brain.targets.values().filter(|c| brain.continent(c.at) == here);
        same.map(|c| grid.distance(from, c.at)).min()
    };
    let own = brain.power.cities.values().filter(|c| brain.continent(c.at) == here);
    let nearest = own.filter_map(|c| Some((far(c.at)?, c.at))).min()?;
    (nearest.1 != at && nearest.0 + 2 < far(at)?).then_some(nearest.1)
}

/// Sends detachments of garrisons against raiders on own land; each city keeps the regiments that
/// it needs.
pub fn hunt(brain: &mut Brain) {
    if brain.level.hunts == 0 {
        return;
    }
    let grid = brain.view.grid;
    let mut prey: BTreeMap<Place, Force> = BTreeMap::new();
    for s in brain.view.spotted.iter().filter(|s| brain.is_enemy(s)) {
        let city = brain.view.cities.iter().any(|c| c.at == s.at);
        let near = brain.power.cities.values().any(|c| grid.distance(c.at, s.at) <= 4);
        if near && !city {
            let force = prey.entry(s.at).or_default();
            *force = force.plus(Force::seen(&brain.view.tables, s));
        }
    }
    for (at, foe) in prey {
        let need = (foe.defence * 2 / 3000 + 1).max(2);
        let stacks = stacks::stacks(brain);
        let hunter = stacks
            .iter()
            .filter(|s| s.in_city && s.class == Class::Inf && i64::from(s.size) >= need)
            .filter(|s| grid.distance(s.at, at) <= 4)
            .min_by_key(|s| (grid.distance(s.at, at), s.at))
            .cloned();
        if let Some(hunter) = hunter {
            // Raiders are few.
            let unit = stacks::send(brain, &hunter, at, need as u16);
            let weight = foe.attack;
            brain.fights.push(Fight { at, unit, weight, turns: 1 });
        }
    }
}
