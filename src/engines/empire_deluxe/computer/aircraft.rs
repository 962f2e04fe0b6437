//! Aircraft: they strike, look around and follow the front.

use engine::geometry::Place;

use super::{EVEN, Mind};
use crate::computer::ships;
use crate::ground::Terrain;
use crate::kinds::{Class, Kind};
use crate::moves;
use crate::orders::Task;
use crate::state::{Unit, UnitId};

/// The chance from which fighters attack, in tenths of a percent; they may risk more, because they
/// are cheap.
const DARING: u32 = 450;

impl Mind<'_> {
    /// Aircraft strike what is near, look around, and move to where enemies are.
    pub(super) fn aircraft(&mut self) {
        let grid = self.view.world.ground.grid;
        let ground = &self.view.world.ground;
        let foes: Vec<Place> = self
            .known
            .cities
            .iter()
            .filter(|(_, c)| c.owner.is_some_and(|o| o != self.seat()))
            .map(|(at, _)| *at)
            .collect();
        let decks: Vec<(u16, Place)> =
            self.units(|u| u.kind == Kind::Ca).iter().map(|(n, u)| (*n, u.at)).collect();
        for (number, unit) in self.units(|u| u.kind.class() == Class::Air) {
            let least = if unit.kind == Kind::Fi { DARING } else { EVEN };
            let id = UnitId { seat: self.seat(), number };
            let home = ground.at(unit.at) == Terrain::City || unit.aboard.is_some();
            let spare = moves::is_safe(self.field, id, unit.at, unit.fuel.saturating_sub(2));
            if spare && let Some(at) = self.prey(&unit, least) {
                let line = format!("A {number} {}", self.called(at));
                self.order(line);
                continue;
            }
            if !home {
                if !matches!(unit.orders.first(), Some(Task::Explore(_) | Task::Attack(..))) {
                    ships::homeward(self, number, &unit);
                }
                continue;
            }
            let reach = i32::from(unit.fuel) / 2;
            let marks = self.known.marks.iter().filter(|(at, m)| {
                m.here
                    && grid.distance(unit.at, **at) <= reach
                    && self.chance(&unit, **at, least).is_some()
            });
            let marks = marks.map(|(at, _)| *at);
            let bombed = foes
                .iter()
                .copied()
                .filter(|at| unit.kind == Kind::Bo && grid.distance(unit.at, *at) <= reach);
            let goal = marks.chain(bombed).min_by_key(|at| (grid.distance(unit.at, *at), *at));
            if let Some(goal) = goal.filter(|_| !self.novice()) {
                let line = format!("A {number} {}", self.called(goal));
                self.order(line);
                continue;
            }
            // Fighters go aboard a carrier that has room for them.
            let deck = decks.iter().find(|(n, at)| {
                let ship = UnitId { seat: self.seat(), number: *n };
                unit.kind == Kind::Fi
                    && unit.aboard.is_none()
                    && self.field.has_room(ship, Kind::Fi)
                    && grid.distance(unit.at, *at) <= reach
            });
            if let Some((deck, _)) = deck {
                self.order(format!("L {number} {deck}"));
                continue;
            }
            if unit.kind == Kind::Fi && unit.aboard.is_none() && self.sees_new(&unit) {
                if !matches!(unit.orders.first(), Some(Task::Explore(_))) {
                    self.order(format!("E {number} !"));
                }
                continue;
            }
            let scouts = unit.kind == Kind::Fi && unit.aboard.is_none() && !self.novice();
            if !(scouts && self.outward(number, &unit)) {
                self.forward(number, &unit, &foes);
            }
        }
    }

    /// Whether something unknown is in reach of an aircraft, and of its way back.
    pub(super) fn sees_new(&self, unit: &Unit) -> bool {
        let grid = self.view.world.ground.grid;
        let reach = i32::from(unit.fuel) / 2;
        grid.within(unit.at, reach).any(|p| !self.known.has_seen(p))
    }

    /// Sends an aircraft to its player's city around which most is unknown and where no other one
    /// goes. Returns whether there is such a city.
    pub(super) fn outward(&mut self, number: u16, unit: &Unit) -> bool {
        let grid = self.view.world.ground.grid;
        let range = self.view.world.options.figure(unit.kind).map_or(0, |f| i32::from(f.range));
        let new =
            |c: Place| grid.within(c, range / 2 - 1).filter(|p| !self.known.has_seen(*p)).count();
        let fuel = i32::from(unit.fuel);
        let near = self.cities.iter().copied().filter(|c| {
            *c != unit.at && grid.distance(unit.at, *c) <= fuel && !self.looked.contains(c)
        });
        let best = near.map(|c| (new(c), c)).filter(|(n, _)| *n > 0).max();
        let Some((_, base)) = best else { return false };
        self.looked.push(base);
        let line = format!("M {number} {} THEN E !", self.called(base));
        self.order(line);
        true
    }

    /// Sends an aircraft to its player's city nearest to the enemy, if it can be reached.
    pub(super) fn forward(&mut self, number: u16, unit: &Unit, foes: &[Place]) {
        let grid = self.view.world.ground.grid;
        let far = |c: Place| foes.iter().map(|f| grid.distance(c, *f)).min().unwrap_or(i32::MAX);
        let fuel = i32::from(unit.fuel);
        let near = self.cities.iter().copied().filter(|c| grid.distance(unit.at, *c) <= fuel);
        let Some(base) = near.min_by_key(|c| (far(*c), *c)) else { return };
        if unit.aboard.is_none() && !foes.is_empty() && far(base) < far(unit.at) {
            let line = format!("M {number} {}", self.called(base));
            self.order(line);
        }
    }
}
