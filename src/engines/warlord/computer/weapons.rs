//! Missiles and warheads: built in the home city, fired where they do most.

use super::super::state::{Centre, City, MISSILE, NOBODY, WARHEAD};
use super::Brain;
use engine::geometry::Place;

/// Missiles that an empire keeps ready.
const MISSILES: u16 = 2;
/// Walls or regiments of a goal that missiles are fired at in the turn of the assault.
const WALLS: u8 = 4;
const REGIMENTS: u16 = 25;
/// Regiments of a city that is worth a warhead.
const ATOMIC_REGIMENTS: u16 = 12;

impl Brain<'_> {
    /// Orders missiles, and a warhead for one of them; stops what is enough.
    pub fn arm(&mut self) {
        let tables = &self.view.tables;
        let gates = (tables.tech.gates.rockets, tables.tech.gates.atomic);
        if self.power.tech < gates.0 {
            return;
        }
        let home = u16::from(self.view.seat);
        let city = self.power.cities.keys().copied().find(|n| *n == home);
        let Some(number) = city.or(self.power.cities.keys().next().copied()) else { return };
        let wanted = [(WARHEAD, u16::from(self.power.tech >= gates.1)), (MISSILE, MISSILES)];
        for (item, most) in wanted {
            let ready = self.power.cities.values().map(|c| match item {
                MISSILE => c.hangar.missiles,
                _ => c.hangar.warheads,
            });
            let ready: u16 = ready.sum();
            let city = &self.power.cities[&number];
            let again = city.centres.iter().position(|c| *c == Centre::Ready(item));
            let working = |c: &Centre| matches!(c, Centre::Working { item: i, .. } if *i == item);
            let coming = city.centres.iter().any(working);
            if ready >= most {
                if let Some(centre) = again {
                    self.say(format!("C {number} {}", 31 + centre));
                    self.set(number, centre, Centre::Idle);
                }
                continue;
            }
            let free = city.centres.iter().position(|c| *c == Centre::Idle);
            let free =
                free.or_else(|| city.centres.iter().position(|c| matches!(c, Centre::Ready(_))));
            let cost = self.view.tables.row(item).pp * 100;
            let (Some(centre), false, None) = (free, coming, again) else { continue };
            if cost <= self.purse {
                self.purse -= cost;
                self.say(format!("C {number} {item}"));
                self.set(number, centre, Centre::Working { item, left: 1, spent: cost });
            }
        }
    }

    fn set(&mut self, number: u16, centre: usize, to: Centre) {
        if let Some(city) = self.power.cities.get_mut(&number) {
            city.centres[centre] = to;
        }
    }

    /// Missiles on a strong city that is stormed now; a warhead on a large garrison of
    /// who leads or attacked, never near own ground.
    pub fn fire(&mut self) {
        let gates = &self.view.tables.tech.gates;
        let (rockets, atomic) = (gates.rockets, gates.atomic);
        if self.power.tech >= atomic {
            self.fire_warhead();
        }
        if self.power.tech < rockets {
            return;
        }
        let stormed: Vec<Place> =
            self.fights.iter().filter(|f| f.turns <= 1).map(|f| f.at).collect();
        let strong = self.targets.values().find(|c| {
            stormed.contains(&c.at)
                && (c.seen.level >= WALLS || self.regiments_at(c.at) >= REGIMENTS)
        });
        let Some(at) = strong.map(|c| c.at).filter(|at| self.power.has_explored(*at)) else {
            return;
        };
        let ready: u16 = self.armed(at, |c| c.hangar.missiles);
        if ready > 0 {
            let sector = self.sector(at);
            self.say(format!("R {ready} {sector}"));
        }
    }

    fn fire_warhead(&mut self) {
        let radius = self.view.tables.rules.missiles.atomic_radius;
        let grid = self.view.grid;
        let near_own = |at: Place| {
            let near = |p: Place| grid.distance(p, at) <= radius + 1;
            self.power.units.values().any(|u| near(u.at))
                || self.power.cities.values().any(|c| near(c.at))
        };
        let guilty = |owner: u8| {
            owner != NOBODY
                && (self.leader == Some(owner) || self.notes.attacks.contains_key(&owner))
        };
        let goals = self.targets.values().filter(|c| {
            c.seen.owner.is_some_and(guilty)
                && self.regiments_at(c.at) >= ATOMIC_REGIMENTS
                && !self.notes.aims.contains(&c.number)
                && self.power.has_explored(c.at)
                && !near_own(c.at)
                && self.armed(c.at, |c| c.hangar.missiles.min(c.hangar.warheads)) > 0
        });
        let best = goals.max_by_key(|c| (self.regiments_at(c.at), c.number)).map(|c| c.at);
        if let Some(at) = best {
            let sector = self.sector(at);
            self.say(format!("R A1 {sector}"));
            let reach = self.view.tables.row(MISSILE).points as i32;
            let mut bases: Vec<(i32, u16)> =
                self.power.cities.iter().map(|(n, c)| (grid.distance(c.at, at), *n)).collect();
            bases.sort_unstable();
            let armed = bases.into_iter().find(|(far, n)| {
                let hangar = &self.power.cities[n].hangar;
                *far <= reach && hangar.missiles.min(hangar.warheads) > 0
            });
            if let Some(city) = armed.and_then(|(_, n)| self.power.cities.get_mut(&n)) {
                city.hangar.missiles -= 1;
                city.hangar.warheads -= 1;
            }
        }
    }

    /// What lies ready within the reach of missiles from a sector.
    fn armed(&self, at: Place, of: impl Fn(&City) -> u16) -> u16 {
        let reach = self.view.tables.row(MISSILE).points as i32;
        let near = |c: &&City| self.view.grid.distance(c.at, at) <= reach;
        self.power.cities.values().filter(near).map(of).sum()
    }

    /// Regiments last seen in a foreign city.
    fn regiments_at(&self, at: Place) -> u16 {
        let city = self.targets.values().find(|c| c.at == at);
        city.and_then(|c| self.notes.garrisons.get(&c.number)).map_or(0, |g| g.size)
    }
}
