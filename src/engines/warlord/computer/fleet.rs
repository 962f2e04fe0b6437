//! Transports carry infantry to a beach beside a city that it can take, where nothing
//! is left to take on foot.

use super::super::state::{DESTROYER, INFANTRY, TRANSPORT, Unit};
use super::super::view::KnownCity;
use super::Brain;
use super::force::{Force, remains};
use engine::geometry::Place;

/// Regiments that a voyage is worth.
const LANDING_MIN: u16 = 8;
/// Sectors from a beach to the city.
const BEACH_RANGE: i32 = 2;
/// Cities that a fleet weighs.
const TARGETS_MAX: usize = 12;

impl Brain<'_> {
    pub fn sail(&mut self) {
        if self.level.landings == 0 {
            return;
        }
        let mut landings: Vec<Place> = Vec::new();
        for ship in self.idle_ships() {
            let Some(flotilla) = self.power.units.get(&ship).cloned() else { continue };
            if self.power.cities.is_empty() && self.power.cargo(ship).next().is_none() {
                self.blockade(ship, &flotilla);
                continue;
            }
            if flotilla.kind == DESTROYER {
                self.explore_by_sea(ship, &flotilla);
            }
            if flotilla.kind != TRANSPORT {
                continue;
            }
            let cargo: Vec<u16> = self.power.cargo(ship).collect();
            match cargo.is_empty() {
                true => self.load(ship, &flotilla),
                false => landings.extend(self.deliver(ship, &flotilla, &cargo)),
            }
        }
        if self.level.escorts > 0 {
            self.escort(&landings);
        }
    }

    /// Takes the infantry of a port aboard, if it can take a city overseas.
    fn load(&mut self, ship: u16, flotilla: &Unit) {
        let grid = self.view.grid;
        let room = self.power.room(&self.view.tables, ship);
        let here = self.power.city_at(flotilla.at).map(|(number, _)| number);
        let ports: Vec<(u16, Place)> = self
            .power
            .cities
            .iter()
            .filter(|(n, c)| match here {
                Some(number) => **n == number,
                None => grid.distance(c.at, flotilla.at) == 1,
            })
            .map(|(n, c)| (*n, c.at))
            .collect();
        for (number, port) in ports {
            let Some((no, size)) = self.boarders(number, port, room) else { continue };
            let quay = match here {
                Some(_) => grid.neighbours(port).find(|(_, p)| self.view.is_sea(*p)),
                None => grid.neighbours(port).find(|(_, p)| *p == flotilla.at),
            };
            let Some((direction, at)) = quay else { continue };
            let unit = &self.power.units[&no];
            let force = Force::of(&self.view.tables, unit.kind, size, unit.rank);
            if self.overseas(at, force, Some(port)).is_none() {
                continue;
            }
            let unit = if self.power.units[&no].size > size { self.split(no, size) } else { no };
            if here.is_some() {
                // The ships put to sea first; the division follows a phase later.
                self.advance(ship, at);
            }
            self.busy.insert(ship);
            self.busy.insert(unit);
            self.say(format!("M {unit} 0{}", direction.code()));
            return;
        }
        // To the port where most are waiting.
        let waiting = |(number, at): (u16, Place)| {
            let (_, size) = self.boarders(number, at, room)?;
            Some((size, std::cmp::Reverse(grid.distance(at, flotilla.at)), at))
        };
        let coastal = self.power.cities.iter().filter(|(_, c)| self.view.is_coastal(c.at));
        let best = coastal.filter_map(|(n, c)| waiting((*n, c.at))).max();
        if let Some((_, _, at)) = best.filter(|(_, _, at)| *at != flotilla.at) {
            self.advance(ship, at);
        }
    }

    /// Infantry in a port that is worth a voyage: its unit and how much may go.
    fn boarders(&self, number: u16, port: Place, room: u32) -> Option<(u16, u16)> {
        let here = self.power.units.iter().filter(|(n, u)| {
            u.kind == INFANTRY
                && u.at == port
                && u.aboard.is_none()
                && u.goal.is_none()
                && !self.busy.contains(n)
        });
        let (no, unit) = here.max_by_key(|(n, u)| (u.size, std::cmp::Reverse(**n)))?;
        let keep = self.holds.get(&number).copied().unwrap_or(0);
        // Sizes of divisions are small.
        let size = unit.size.saturating_sub(keep).min(room.min(45) as u16);
        (size >= LANDING_MIN).then_some((*no, size))
    }

    /// The best landing for a force that lies in a sea sector: the city, and the sea
    /// beside its beach.
    fn overseas(
        &mut self,
        from: Place,
        force: Force,
        port: Option<Place>,
    ) -> Option<(Place, Place)> {
        let grid = self.view.grid;
        let home = port.and_then(|p| self.continent(p));
        // On the own land one walks.
        let abroad = |c: &&KnownCity| {
            let land = self.continent(c.at);
            land.is_some() && (home.is_none() || home != land || self.stuck)
        };
        let targets = self.targets.values().filter(abroad);
        let mut near: Vec<(i32, KnownCity)> =
            targets.map(|c| (grid.distance(c.at, from), c.clone())).collect();
        near.sort_by_key(|(d, c)| (*d, c.number));
        let sea = self.fields.sea(from);
        let mut best: Option<(i32, Place, Place)> = None;
        for (_, city) in near.into_iter().take(TARGETS_MAX) {
            let land = self.continent(city.at);
            let garrison = self.garrison_in(&city).times(self.level.odds);
            if remains(&self.view.tables, force, garrison, self.level_of(&city)).is_none() {
                continue;
            }
            let beaches = grid.within(city.at, BEACH_RANGE).filter(|p| {
                *p != city.at
                    && self.continent(*p) == land
                    && !self.view.cities.iter().any(|c| c.at == *p)
            });
            for beach in beaches {
                for (_, at) in grid.neighbours(beach).filter(|(_, s)| self.view.is_sea(*s)) {
                    let points = sea[usize::from(at.0)];
                    if points == u16::MAX {
                        continue;
                    }
                    let cost = i32::from(points) + 2 * grid.distance(beach, city.at);
                    if best.is_none_or(|(least, _, _)| cost < least) {
                        best = Some((cost, city.at, at));
                    }
                }
            }
        }
        best.map(|(_, city, at)| (city, at))
    }

    /// Sails to the coast from which the cargo can take a city, and lands it; the sea there.
    fn deliver(&mut self, ship: u16, flotilla: &Unit, cargo: &[u16]) -> Option<Place> {
        let force = cargo.iter().filter_map(|n| self.power.units.get(n));
        let force = force
            .map(|u| Force::of(&self.view.tables, u.kind, u.size, u.rank))
            .fold(Force::default(), Force::plus);
        let Some((city, at)) = self.overseas(flotilla.at, force, None) else {
            self.explore_by_sea(ship, flotilla);
            return None;
        };
        if at == flotilla.at {
            for &no in cargo {
                self.busy.remove(&no);
                self.advance(no, city);
                let weight = force.attack;
                self.fights.push(super::war::Fight { at: city, unit: no, weight, turns: 1 });
            }
            self.busy.insert(ship);
            return Some(at);
        }
        self.advance(ship, at);
        Some(at)
    }

    /// Ships without a port of their own lie before the nearest foreign city.
    fn blockade(&mut self, ship: u16, flotilla: &Unit) {
        let sea = self.fields.sea(flotilla.at);
        let grid = self.view.grid;
        let beside = |c: &KnownCity| -> Option<(u16, Place)> {
            let near = grid.near(c.at).filter(|p| self.view.is_sea(*p));
            near.map(|p| (sea[usize::from(p.0)], p)).filter(|(far, _)| *far < u16::MAX).min()
        };
        let best = self.targets.values().filter_map(beside).min();
        if let Some((_, at)) = best.filter(|(_, at)| *at != flotilla.at) {
            self.advance(ship, at);
        }
    }

    /// Without a target the ships sail along unknown coasts.
    fn explore_by_sea(&mut self, ship: u16, flotilla: &Unit) {
        if flotilla.goal.is_some() {
            return;
        }
        let grid = self.view.grid;
        let unknown = |p: &Place| self.view.is_sea(*p) && !self.view.power.has_explored(*p);
        let coast = |p: &Place| grid.neighbours(*p).any(|(_, n)| !self.view.is_sea(n));
        let far: Vec<Place> =
            grid.within(flotilla.at, 25).filter(|p| unknown(p) && coast(p)).collect();
        if !far.is_empty() {
            // Place: flotilla.
            let dice = self.dice.at([ship.into()]);
            let pick = dice.below("where to sail", far.len() as u32) as usize;
            self.advance(ship, far[pick]);
        }
    }
}
