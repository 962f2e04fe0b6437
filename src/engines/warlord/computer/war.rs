//! War: what each city keeps, which cities are attacked, and with what.
//!
//! An attack is planned in full before anybody marches: of all cities within reach
//! the one is taken that brings most for what it costs and how long it takes, with the
//! nearest forces that suffice together. Forces from several places meet at one
//! of them first, so that they strike as one.

use std::collections::BTreeMap;

use super::super::state::NOBODY;
use super::super::tables::Class;
use super::super::view::KnownCity;
use super::Brain;
use super::force::{Force, remains, shelter, weaken};
use super::stacks::Stack;
use engine::geometry::Place;

/// A fight that a card leads to.
#[derive(Debug, Clone)]
pub struct Fight {
    /// Where it is.
    pub at: Place,
    /// A unit that will be there.
    pub unit: u16,
    /// How much is at stake, in thousandths of strength.
    pub weight: i64,
    /// Turns until then.
    pub turns: u32,
}

/// Cities that are weighed as goals.
const GOALS_MAX: usize = 30;
/// What a city is worth, in hundredths of a regiment: own ones pay for many turns.
const CITY_WORTH: i64 = 6000;
/// What the home city of a player is worth.
const HOME_WORTH: i64 = 8000;
/// The least odds that an attack asks for, in per cent.
const ODDS_MIN: i64 = 110;
/// Idle regiments that look for work at a front or overseas.
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

impl Brain<'_> {
    /// What each own city keeps.
    pub fn hold(&mut self) {
        let cities: Vec<(u16, Place)> = self.power.cities.iter().map(|(n, c)| (*n, c.at)).collect();
        for (number, at) in cities {
            self.muster(at);
            let hold = self.hold_of(number, at);
            self.holds.insert(number, hold);
        }
    }

    fn hold_of(&self, number: u16, at: Place) -> u16 {
        let turn = self.view.turn;
        let home = u16::from(number == u16::from(self.view.seat));
        let front = self.enemy_near(at, 12);
        let base = match (turn < 6, front) {
            (true, _) => 1,
            (false, true) => self.level.hold_front + 2 * home,
            (false, false) => 1 + home,
        };
        let threat = i64::from(self.threats.get(&number).copied().unwrap_or(0)).min(60);
        // Garrisons are small numbers.
        base + (threat * self.level.hold / 100) as u16
    }

    /// Whether a city of another player, no ally, is known near a place.
    pub fn enemy_near(&self, at: Place, range: i32) -> bool {
        let foreign = |c: &&KnownCity| c.seen.owner.is_some_and(|o| o != NOBODY);
        let near = |c: &KnownCity| self.view.grid.distance(c.at, at) <= range;
        self.targets.values().filter(foreign).any(near)
    }

    /// Plans attacks one after the other, and sends what is left to the fronts.
    pub fn make_war(&mut self) {
        let mut stacks = self.stacks();
        let goals = self.goals(&stacks);
        let mut aimed: Vec<u16> = Vec::new();
        if self.power.cities.is_empty() {
            self.last_stand(&stacks);
            return;
        }
        for _ in 0..self.level.operations {
            let mut found: Vec<Attack> = Vec::new();
            for city in goals.iter().filter(|c| !aimed.contains(&c.number)) {
                found.extend(self.plan(city, &stacks, aimed.is_empty()));
            }
            found.sort_by_key(|a| (std::cmp::Reverse(a.score), a.city.number));
            // Place: how many are planned.
            let slip =
                self.dice.at([aimed.len() as u32]).chance("second best", self.level.mistakes);
            let pick = usize::from(slip && found.len() > 1);
            if found.is_empty() {
                break;
            }
            let attack = found.swap_remove(pick);
            aimed.push(attack.city.number);
            self.launch(&attack, &stacks);
            let used: Vec<usize> = attack.stacks.clone();
            let mut index = 0;
            stacks.retain(|_| {
                index += 1;
                !used.contains(&(index - 1))
            });
        }
        self.notes.aims = aimed;
    }

    /// Without a city everybody goes for the nearest one: to win it, or to fall.
    fn last_stand(&mut self, stacks: &[Stack]) {
        let grid = self.view.grid;
        for stack in stacks {
            let near = |c: &&KnownCity| (grid.distance(c.at, stack.at), c.number);
            let here =
                self.targets.values().filter(|c| self.continent(c.at) == self.continent(stack.at));
            if let Some(at) = here.min_by_key(near).map(|c| c.at) {
                self.send(stack, at, u16::MAX);
            }
        }
    }

    /// The cities nearest to the own forces.
    fn goals(&self, stacks: &[Stack]) -> Vec<KnownCity> {
        let grid = self.view.grid;
        let far = |c: &KnownCity| {
            let here = self.continent(c.at);
            let same = stacks.iter().filter(|s| self.continent(s.at) == here);
            same.map(|s| grid.distance(s.at, c.at)).min()
        };
        let mut near: Vec<(i32, KnownCity)> =
            self.targets.values().filter_map(|c| Some((far(c)?, c.clone()))).collect();
        near.sort_by_key(|(d, c)| (*d, c.number));
        near.into_iter().take(GOALS_MAX).map(|(_, c)| c).collect()
    }

    /// The attack on a city with the nearest forces that suffice; the main one has the
    /// help of missiles.
    fn plan(&mut self, city: &KnownCity, stacks: &[Stack], main: bool) -> Option<Attack> {
        let seen = self.notes.garrisons.get(&city.number).is_some_and(|g| g.turn == self.view.turn);
        let odds = if seen { self.level.odds_seen } else { self.level.odds };
        let eager = i64::from(self.view.turn.saturating_sub(self.level.eager));
        let odds = (odds - eager).max(ODDS_MIN);
        let walls = self.level_of(city);
        // All missiles go with the main attack.
        let hit =
            if main { self.salvo(city.at) * 100 / shelter(&self.view.tables, walls) } else { 0 };
        let garrison = weaken(self.garrison_in(city), hit).times(odds);
        let mut near: Vec<(u32, usize)> = Vec::new();
        for (i, stack) in stacks.iter().enumerate() {
            if self.continent(stack.at) != self.continent(city.at) {
                continue;
            }
            let points = self.fields.from(stack.at, stack.class)[usize::from(city.at.0)];
            if points < u16::MAX {
                near.push((self.turns(stack.class, points), i));
            }
        }
        near.retain(|(turns, _)| *turns <= self.level.reach);
        near.sort_unstable();
        let mut force = Force::default();
        let mut taken: Vec<usize> = Vec::new();
        for &(turns, i) in &near {
            force = force.plus(stacks[i].force);
            taken.push(i);
            let Some(left) = remains(&self.view.tables, force, garrison, walls) else { continue };
            let loss = (force.defence - left) / 30;
            let turns = turns + u32::from(taken.len() > 1);
            let home = city.number <= u16::from(self.view.seats);
            let mut worth = if home { HOME_WORTH } else { CITY_WORTH };
            // Large armies are there to be used.
            worth = worth.max(self.regiments() * self.level.worth);
            let owner = city.seen.owner.filter(|o| *o != NOBODY);
            if self.level.breaks > 0 && owner.is_some() && owner == self.leader {
                worth = worth * 3 / 2;
            }
            if owner.is_some() && owner == self.rally {
                worth = worth * 5 / 4;
            }
            let chosen = taken.iter().any(|i| stacks[*i].goal == Some(city.at))
                || self.notes.aims.contains(&city.number);
            let loyalty = if chosen { self.level.loyalty } else { 100 };
            let score = (worth - loss) * loyalty / 100 / i64::from(turns + 3);
            return (score > 0).then(|| Attack { city: city.clone(), stacks: taken, turns, score });
        }
        None
    }

    /// All own regiments.
    fn regiments(&self) -> i64 {
        self.view.power.units.values().map(|u| i64::from(u.size)).sum()
    }

    /// Sends the forces of an attack: straight to the city, or to where they meet.
    fn launch(&mut self, attack: &Attack, stacks: &[Stack]) {
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
                    let unit = self.send(stack, attack.city.at, u16::MAX);
                    let weight = stack.force.attack;
                    self.fights.push(Fight {
                        at: attack.city.at,
                        unit,
                        weight,
                        turns: attack.turns,
                    });
                }
                Some(to) if stacks[to].at == stack.at => self.stay(stack),
                Some(to) => drop(self.send(stack, stacks[to].at, u16::MAX)),
            }
        }
    }

    /// Forces without a goal go to a front, those in the field to a city.
    pub fn rest(&mut self) {
        for stack in &self.stacks() {
            let infantry = stack.class == Class::Inf;
            self.stuck |= infantry && stack.in_city && stack.size >= STUCK;
            let front = self.front_of(stack.at);
            match (stack.in_city, front) {
                (true, Some(front)) if stack.size >= IDLE || !infantry => {
                    self.send(stack, front, u16::MAX);
                }
                (true, _) if !infantry => self.stay(stack),
                (true, _) => {}
                (false, _) => {
                    let home = self
                        .power
                        .cities
                        .values()
                        .filter(|c| self.continent(c.at) == self.continent(stack.at))
                        .min_by_key(|c| (self.view.grid.distance(c.at, stack.at), c.at))
                        .map(|c| c.at);
                    match home {
                        Some(home) => drop(self.send(stack, home, u16::MAX)),
                        None => self.stay(stack),
                    }
                }
            }
        }
    }

    /// The own city on the same land that lies nearest to a foreign one, if that
    /// is clearly nearer than this place.
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

    /// Detachments of garrisons against raiders on own land; what they leave is never
    /// less than their city keeps.
    pub fn hunt(&mut self) {
        if self.level.hunts == 0 {
            return;
        }
        let grid = self.view.grid;
        let mut prey: BTreeMap<Place, Force> = BTreeMap::new();
        for s in self.view.spotted.iter().filter(|s| self.is_enemy(s)) {
            let city = self.view.cities.iter().any(|c| c.at == s.at);
            let near = self.power.cities.values().any(|c| grid.distance(c.at, s.at) <= 4);
            if near && !city {
                let force = prey.entry(s.at).or_default();
                *force = force.plus(Force::seen(&self.view.tables, s));
            }
        }
        for (at, foe) in prey {
            let need = (foe.defence * 2 / 3000 + 1).max(2);
            let stacks = self.stacks();
            let hunter = stacks
                .iter()
                .filter(|s| s.in_city && s.class == Class::Inf && i64::from(s.size) >= need)
                .filter(|s| grid.distance(s.at, at) <= 4)
                .min_by_key(|s| (grid.distance(s.at, at), s.at))
                .cloned();
            if let Some(hunter) = hunter {
                // Small numbers: raiders are few.
                let unit = self.send(&hunter, at, need as u16);
                let weight = foe.attack;
                self.fights.push(Fight { at, unit, weight, turns: 1 });
            }
        }
    }
}
