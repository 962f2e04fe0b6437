//! Bombers before an assault and against raiders; fighters look at goals and coasts.

use super::super::bases::BaseNo;
use super::super::state::{BOMBER, City, FIGHTER, JET, NOBODY};
use super::Brain;
use engine::geometry::Place;

/// Fighters on watch where bombers came.
const WATCH: u16 = 2;
/// Strikes of a card at most.
const STRIKES_MAX: usize = 6;

impl Brain<'_> {
    pub fn fly(&mut self) {
        // First, as what escorts does not look.
        self.observe();
        self.bomb();
    }

    /// Fighters stay on watch where bombers came.
    pub fn watch(&mut self) {
        let cities = self.view.power.cities.iter();
        let bases: Vec<(u16, u16, u16, bool)> = cities
            .map(|(n, c)| {
                (*n, c.hangar.planes.cover(), c.hangar.watch, self.struck.contains(&c.at))
            })
            .collect();
        for (base, fighters, watch, struck) in bases {
            let wanted = match struck {
                true => WATCH.min(fighters),
                false if self.view.turn.is_multiple_of(5) => 0,
                false => watch,
            };
            if wanted != watch {
                self.say(format!("W {base} {wanted}"));
                if let Some(city) = self.power.cities.get_mut(&base) {
                    city.hangar.watch = wanted;
                }
            }
        }
    }

    /// Free planes of some types that reach a place and come back.
    fn in_radius(&self, kinds: &[u8], at: Place) -> u16 {
        let mut free = 0;
        for kind in kinds {
            let radius = self.view.tables.radius(*kind, self.power.tech);
            let near = self.power.bases().filter(|b| self.view.grid.distance(b.1, at) <= radius);
            free += near.map(|(.., hangar)| hangar.free().count(*kind)).sum::<u16>();
        }
        free
    }

    /// As many bombers as it takes on each target: cities that are stormed this turn,
    /// then small forces without walls near own cities.
    fn bomb(&mut self) {
        let mut wanted: Vec<(i64, Place)> = Vec::new();
        for fight in self.fights.iter().filter(|f| f.turns <= 1) {
            wanted.push((fight.weight + 1_000_000, fight.at));
        }
        for s in self.view.spotted.iter().filter(|s| self.is_enemy(s)) {
            let near = |c: &City| self.view.grid.distance(c.at, s.at) <= 5;
            let walled = self.view.cities.iter().any(|c| c.at == s.at);
            if !walled && self.power.cities.values().any(near) {
                wanted.push((i64::from(s.size) * 1000, s.at));
            }
        }
        // Ships that lie before own cities.
        for s in self.view.spotted.iter().filter(|s| s.ships && s.owner != NOBODY) {
            let near = |c: &City| self.view.grid.distance(c.at, s.at) <= 3;
            let ally = self.power.allies.contains(&s.owner);
            if !ally && self.power.cities.values().any(near) {
                wanted.push((i64::from(s.size) * 500, s.at));
            }
        }
        if let Some(at) = self.softest() {
            wanted.push((0, at));
        }
        wanted.sort_unstable_by_key(|(value, at)| (std::cmp::Reverse(*value), *at));
        let mut struck: Vec<Place> = Vec::new();
        for (_, at) in wanted {
            if struck.contains(&at) || struck.len() >= STRIKES_MAX {
                continue;
            }
            let here = self.view.spotted.iter().filter(|s| s.at == at);
            let there: u32 = here.map(|s| u32::from(s.size)).sum();
            // One bomber kills less than half a regiment; few against many are shot down.
            let free = u32::from(self.in_radius(&[BOMBER], at));
            let most = free.min(there * 3 / 4 + 1);
            let most = if there / 5 > most { 0 } else { most };
            let tables = &self.view.tables;
            let guns = !self.view.is_sea(at) && self.power.guns_at(tables, self.view.grid, at) > 0;
            if there == 0 || most == 0 && !guns {
                continue;
            }
            struck.push(at);
            let sector = self.sector(at);
            // Planes are few.
            self.say(format!("B {most} {sector}"));
            self.take_planes(&[BOMBER], at, most as u16);
            self.take_planes(&[JET, FIGHTER], at, most as u16);
        }
    }

    /// The nearest foreign city whose garrison is in sight and walls are low.
    fn softest(&self) -> Option<Place> {
        let garrisoned = self.targets.values().filter(|c| {
            let size: u32 = self
                .view
                .spotted
                .iter()
                .filter(|s| s.at == c.at && !s.ships)
                .map(|s| u32::from(s.size))
                .sum();
            (1..=12).contains(&size) && c.seen.level <= 1
        });
        let reachable = garrisoned.filter(|c| self.in_radius(&[BOMBER], c.at) >= 4);
        reachable.map(|c| (self.nearest_own(c.at), c.at)).min().map(|(_, at)| at)
    }

    fn nearest_own(&self, at: Place) -> i32 {
        let far = self.power.cities.values().map(|c| self.view.grid.distance(c.at, at));
        far.min().unwrap_or(i32::MAX)
    }

    /// Looks at the cities that are attacked, then at those that may be.
    fn observe(&mut self) {
        let grid = self.view.grid;
        let mut wanted: Vec<(u32, i32, Place, bool)> = Vec::new();
        for city in self.targets.values() {
            let seen = self.notes.garrisons.get(&city.number);
            let age = seen.map_or(u32::MAX, |g| self.view.turn - g.turn);
            let aim = self.notes.aims.contains(&city.number)
                || self.fights.iter().any(|f| f.at == city.at);
            if age == 0 {
                continue;
            }
            let class = if aim { 0 } else { 1 + u32::from(age < 4) };
            let foe = city.seen.owner.is_some_and(|o| o != NOBODY);
            wanted.push((class, self.nearest_own(city.at), city.at, foe));
        }
        wanted.sort_unstable();
        let mut flown = 0;
        for (_, _, at, _) in wanted {
            if flown >= 4 {
                break;
            }
            if self.in_radius(&[JET, FIGHTER], at) == 0 {
                continue;
            }
            let sector = self.sector(at);
            self.say(format!("O 1 {sector}"));
            self.take_planes(&[JET, FIGHTER], at, 1);
            flown += 1;
        }
        if let Some((_, city)) =
            self.power.cities.iter().find(|(_, c)| c.hangar.free().fighters > 0)
        {
            let radius = self.view.tables.radius(FIGHTER, self.power.tech);
            let far = grid.within(city.at, radius);
            let unknown = |p: &Place| !self.view.is_sea(*p) && !self.view.power.has_explored(*p);
            let unknown: Vec<Place> = far.filter(unknown).collect();
            if !unknown.is_empty() {
                let dice = self.dice.at([]);
                let pick = dice.below("where to look", unknown.len() as u32) as usize;
                let sector = self.sector(unknown[pick]);
                self.say(format!("O 1 {sector}"));
            }
        }
    }

    /// Notes that the nearest planes of some types, one type after the other, are away.
    fn take_planes(&mut self, kinds: &[u8], at: Place, mut number: u16) {
        let grid = self.view.grid;
        for kind in kinds {
            let radius = self.view.tables.radius(*kind, self.power.tech);
            let mut bases: Vec<(i32, BaseNo)> =
                self.power.bases().map(|(base, from, _)| (grid.distance(from, at), base)).collect();
            bases.retain(|(far, _)| *far <= radius);
            bases.sort_unstable();
            for (_, base) in bases {
                let Some(hangar) = self.power.hangar_mut(base) else { continue };
                let taken = hangar.free().count(*kind).min(number);
                *hangar.planes.count_mut(*kind) -= taken;
                number -= taken;
            }
        }
    }
}
