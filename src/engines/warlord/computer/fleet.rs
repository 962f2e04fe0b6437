//! Transports carry a division to a coast where there is a city to take; warships
//! keep to their ports.

use super::super::state::{INFANTRY, TRANSPORT, Unit};
use super::super::view::KnownCity;
use super::Brain;
use super::force::{Force, takes};
use engine::geometry::Place;

/// Sectors of sea that a landing may be away.
const SAIL_MAX: i32 = 60;

impl Brain<'_> {
    pub fn sail(&mut self) {
        for ship in self.idle_ships() {
            let Some(flotilla) = self.power.units.get(&ship).cloned() else { continue };
            if flotilla.kind != TRANSPORT {
                continue;
            }
            let cargo: Vec<u16> = self.power.cargo(ship).collect();
            match cargo.is_empty() {
                true => self.load(ship, &flotilla),
                false => self.deliver(ship, &flotilla, &cargo),
            }
        }
    }

    /// Takes the infantry of the port aboard: the ships leave port, and the
    /// division follows into their sector in the same turn.
    fn load(&mut self, ship: u16, flotilla: &Unit) {
        if !self.wants_ships() {
            return;
        }
        let grid = self.view.grid;
        let room = self.power.room(&self.view.tables, ship);
        if let Some((_, port)) = self.power.city_at(flotilla.at) {
            let port = port.at;
            // Ships in a port put to sea and wait beside it.
            let sea = grid.neighbours(port).find(|(_, p)| self.view.is_sea(*p));
            if let Some((_, at)) = sea {
                let infantry = self.boarders(port, room);
                if infantry.is_some() {
                    self.advance(ship, at);
                }
            }
            return;
        }
        let ports: Vec<Place> = self
            .power
            .cities
            .values()
            .map(|c| c.at)
            .filter(|at| grid.distance(*at, flotilla.at) == 1)
            .collect();
        for port in ports {
            if let Some((no, size)) = self.boarders(port, room) {
                let unit = match self.power.units[&no].size > size {
                    true => self.split(no, size),
                    false => no,
                };
                self.busy.remove(&unit);
                self.advance(unit, flotilla.at);
                self.busy.insert(ship);
                return;
            }
        }
        let near = self.power.cities.values().filter(|c| self.view.is_coastal(c.at));
        let near = near.min_by_key(|c| (grid.distance(c.at, flotilla.at), c.at)).map(|c| c.at);
        let beside = near.and_then(|at| grid.neighbours(at).find(|(_, p)| self.view.is_sea(*p)));
        if let Some((_, at)) = beside.filter(|(_, at)| *at != flotilla.at) {
            self.advance(ship, at);
        }
    }

    /// Infantry in a city that is worth a voyage: its unit and how much may go.
    fn boarders(&self, port: Place, room: u32) -> Option<(u16, u16)> {
        let here = self
            .power
            .units
            .iter()
            .filter(|(_, u)| u.kind == INFANTRY && u.at == port && u.aboard.is_none());
        let (no, unit) = here.max_by_key(|(n, u)| (u.size, std::cmp::Reverse(**n)))?;
        // Sizes of divisions are small.
        let size = unit.size.saturating_sub(2).min(room.min(45) as u16);
        (size >= 8).then_some((*no, size))
    }

    /// Sails to the nearest coast from which the cargo can take a city.
    fn deliver(&mut self, ship: u16, flotilla: &Unit, cargo: &[u16]) {
        let grid = self.view.grid;
        let force = cargo.iter().filter_map(|n| self.power.units.get(n));
        let force = force
            .map(|u| Force::of(&self.view.tables, u.kind, u.size, u.rank))
            .fold(Force::default(), Force::plus);
        let mut near: Vec<(i32, &KnownCity)> =
            self.targets.values().map(|c| (grid.distance(c.at, flotilla.at), c)).collect();
        near.retain(|(d, _)| *d <= SAIL_MAX);
        near.sort_by_key(|(d, c)| (*d, c.number));
        let garrison = Force::of(&self.view.tables, INFANTRY, 8, 0);
        let good =
            near.iter().find(|(_, c)| takes(&self.view.tables, force, garrison, c.seen.level));
        let Some(target) = good.or(near.first()).map(|(_, c)| c.at) else {
            self.explore_by_sea(ship, flotilla);
            return;
        };
        // A beach beside the city, and the sea beside the beach.
        let beach = grid
            .within(target, 3)
            .filter(|p| !self.view.is_sea(*p) && *p != target)
            .filter(|p| {
                self.continent(*p) == self.continent(target) && self.continent(*p).is_some()
            })
            .filter(|p| grid.neighbours(*p).any(|(_, s)| self.view.is_sea(s)))
            .min_by_key(|p| (grid.distance(*p, target), *p));
        let Some(beach) = beach else {
            self.explore_by_sea(ship, flotilla);
            return;
        };
        if grid.distance(flotilla.at, beach) == 1 {
            for &no in cargo {
                self.busy.remove(&no);
                self.advance(no, target);
            }
            self.busy.insert(ship);
            return;
        }
        let sea = grid.neighbours(beach).map(|(_, p)| p).filter(|p| self.view.is_sea(*p));
        if let Some(at) = sea.min_by_key(|p| (grid.distance(*p, flotilla.at), *p)) {
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
