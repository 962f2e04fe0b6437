//! Transports: they fetch the reserve and land it where there is most to gain.

use std::collections::BTreeSet;

use engine::geometry::Place;

use super::{INLAND, Mind, Nearest};
use crate::computer::ships;
use crate::ground::Terrain;
use crate::kinds::{Class, Kind};
use crate::moves;
use crate::state::{Unit, UnitId};

/// The most extra land units that land at an enemy city when there are plenty.
const MORE: u32 = 8;
/// Fewer land units than this do not sail more than [`FAR`] squares against an enemy city.
const FEW: u32 = 4;
const FAR: u32 = 6;

/// A place to land at.
pub(super) struct Landing {
    /// The target of the landing.
    pub(super) target: Place,
    /// Land units that are wanted there.
    pub(super) need: u32,
    /// Water next to its land.
    pub(super) shores: Vec<Place>,
    /// Whether the player's units can walk there as well.
    pub(super) walked: bool,
}

impl Mind<'_> {
    /// The landings that are worth it: at cities that can't be reached by land, and on land that is
    /// mostly unknown.
    pub(super) fn landings(&self) -> Vec<Landing> {
        let grid = self.view.world.ground.grid;
        let ground = &self.view.world.ground;
        let shores = |target: Place| -> Vec<Place> {
            let mass = self.masses.at(target);
            let next = |p: &Place| {
                grid.near(*p).any(|n| {
                    self.masses.at(n) == mass && (ground.at(n) != Terrain::City || n == target)
                })
            };
            let water = |p: &Place| self.known.has_seen(*p) && ground.at(*p) == Terrain::Water;
            grid.within(target, INLAND).filter(water).filter(next).collect()
        };
        let own: BTreeSet<Option<u32>> =
            self.cities.iter().map(|c| self.masses.at(*c)).filter(Option::is_some).collect();
        let mut landings: Vec<Landing> = Vec::new();
        let foes = self.need.keys().filter(|at| self.is_held(**at)).count() as u32;
        // With a large reserve, more units land.
        let more = (self.reserve / foes.max(1)).min(MORE);
        for (target, need) in &self.need {
            let walked = own.contains(&self.masses.at(*target));
            let need = need + if self.is_held(*target) { more } else { 0 };
            if need > 0 {
                landings.push(Landing { target: *target, need, shores: shores(*target), walked });
            }
        }
        // Islands with unknown contents.
        let mut seen: BTreeSet<Option<u32>> = own;
        seen.extend(self.need.keys().map(|at| self.masses.at(*at)));
        seen.extend(self.ashore.keys().copied());
        for at in self.frontier(self.view.world.options.edition.foot()) {
            let new = seen.insert(self.masses.at(at));
            let shores = shores(at);
            if new && !shores.is_empty() {
                landings.push(Landing { target: at, need: 1, shores, walked: false });
            }
        }
        landings
    }

    /// Transports land their cargo, and fetch the reserve.
    pub(super) fn transports(&mut self) {
        let mut landings = self.landings();
        let mut used: BTreeSet<Place> = BTreeSet::new();
        let mut idle = Vec::new();
        for (number, unit) in self.units(|u| u.kind == Kind::Tr) {
            let id = UnitId { seat: self.seat(), number };
            let places = self.field.places(id).unwrap_or(0);
            let aboard = self.field.taken(id);
            let port = self.in_city(&unit);
            let here = if port { self.ports.get(&unit.at).copied().unwrap_or(0) } else { 0 };
            let waiting = if port { self.waiting(unit.at) } else { 0 };
            let load = (aboard + waiting.min(here)).min(places);
            if load == 0 {
                idle.push((number, unit));
                continue;
            }
            let sea = self.nearest([unit.at], Kind::De);
            let Some((landing, shore)) = best(&landings, &sea, &used, self) else {
                // A transport that finds land goes ashore there.
                if !ships::scout(self, number, &unit) {
                    idle.push((number, unit));
                } else if port {
                    let left = self.ports.entry(unit.at).or_default();
                    *left = left.saturating_sub(load - aboard);
                }
                continue;
            };
            // The transport waits for units that are coming and can be used. With too few units for
            // the way it looks for others.
            let wanted = landings[landing].need.min(places);
            let soon = self.soon.get(&unit.at).copied().unwrap_or(0);
            if port && load < wanted && soon > waiting && !self.novice() {
                continue;
            }
            let far = sea[usize::from(shore.0)].is_some_and(|s| s.0 > FAR);
            let held = self.is_held(landings[landing].target);
            if port && far && held && load < wanted.min(FEW) && !self.novice() {
                idle.push((number, unit));
                continue;
            }
            let sent = if self.expert() { load.min(wanted) } else { load };
            landings[landing].need = landings[landing].need.saturating_sub(sent);
            used.insert(shore);
            if port {
                let left = self.ports.entry(unit.at).or_default();
                *left = left.saturating_sub(load - aboard);
            }
            let target = landings[landing].target;
            // Against free cities and to look around only some go ashore; the others sail on.
            let some = self.expert() && self.view.sitting == 1 && !held;
            let ashore = if some { wanted } else { aboard };
            // When a card is for several turns, it goes back for more by itself.
            let back = if self.view.sitting > 1 { " THEN R" } else { "" };
            let (at, to) = (self.called(shore), self.called(target));
            match (unit.at == shore, some) {
                (true, true) => self.order(format!("K {number}")),
                (true, false) => self.order(format!("U {number} {to}{back}")),
                (false, true) => self.order(format!("M {number} {at}")),
                (false, false) => self.order(format!("M {number} {at} THEN U {to}{back}")),
            }
            // A unit that gets there in this turn attacks in this turn.
            let moves = u32::from(moves::moves_of_kind(self.field, &unit));
            let steps = sea[usize::from(shore.0)].map_or(u32::MAX, |s| s.0);
            let city = self.need.contains_key(&target);
            if steps <= moves && (city || some) {
                let cargo = self.field.cargo(id);
                let rest: Vec<u16> = cargo.iter().copied().filter(|n| !self.is_going(*n)).collect();
                let more = (ashore as usize).saturating_sub(cargo.len() - rest.len());
                for cargo in rest.into_iter().take(more) {
                    match city {
                        true => self.order(format!("A {cargo} {to}")),
                        false => self.order(format!("M {cargo} {to} THEN E * !")),
                    }
                }
            }
        }
        self.fetch(idle);
    }

    /// Land units in a port that a transport would take aboard.
    pub(super) fn waiting(&self, port: Place) -> u32 {
        let inside = self.field.inside(port).iter();
        let land = inside.filter(|u| {
            self.field.unit(**u).is_some_and(|v| v.kind.class() == Class::Land)
                && !self.is_going(u.number)
        });
        // There are a few hundred at most.
        land.count() as u32
    }

    /// Whether a unit already has an order to go somewhere.
    fn is_going(&self, number: u16) -> bool {
        self.lines.iter().any(|l| {
            l.split_whitespace().nth(1).and_then(|w| w.parse().ok()) == Some(number)
                && !l.starts_with('K')
        })
    }

    /// Empty transports go where most units wait; those that are not needed look around.
    pub(super) fn fetch(&mut self, idle: Vec<(u16, Unit)>) {
        for (number, unit) in idle {
            let sea = self.nearest([unit.at], Kind::De);
            let score = |(port, n): (&Place, &u32)| {
                let (steps, _) = sea[usize::from(port.0)]?;
                (*n > 0).then(|| (8 * (*n).min(6) as i32 - steps as i32, *port))
            };
            if let Some((_, port)) = self.ports.iter().filter_map(score).max() {
                let left = self.ports.entry(port).or_default();
                *left = left.saturating_sub(6);
                if port != unit.at {
                    let line = format!("M {number} {}", self.called(port));
                    self.order(line);
                }
                continue;
            }
            if !ships::scout(self, number, &unit) && !self.in_city(&unit) {
                ships::homeward(self, number, &unit);
            }
        }
    }
}

/// The best landing for a ship, by its value and distance, and the shore for it.
fn best(
    landings: &[Landing],
    sea: &Nearest,
    used: &BTreeSet<Place>,
    mind: &Mind,
) -> Option<(usize, Place)> {
    let grid = mind.view.world.ground.grid;
    let costs = landings.iter().enumerate().filter(|(_, l)| l.need > 0).flat_map(|(n, landing)| {
        landing.shores.iter().filter(|p| !used.contains(p)).filter_map(move |shore| {
            let (steps, _) = sea[usize::from(shore.0)]?;
            let inland = grid.distance(*shore, landing.target).unsigned_abs();
            let walked = if landing.walked { 25 } else { 0 };
            Some((steps + 3 * inland + walked, n, *shore))
        })
    });
    costs.min().map(|(_, n, shore)| (n, shore))
}
