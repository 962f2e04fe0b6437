//! Warships: they hunt, look around and stand before enemy cities.

use engine::geometry::Place;

use super::{EVEN, Mind};
use crate::ground::Terrain;
use crate::kinds::{Class, Kind};
use crate::orders::Task;
use crate::sight::{Mark, SeenCity};
use crate::state::Unit;

/// Squares that ships which look around keep from each other.
const SPREAD: i32 = 20;
/// Ships that look at the same place.
const TOGETHER: usize = 2;
/// Squares that a warship goes for a prey.
const HUNT: i32 = 15;

impl Mind<'_> {
    /// A ship looks around, where no other one does; whether there is anything to see.
    pub(super) fn scout(&mut self, number: u16, unit: &Unit) -> bool {
        let grid = self.view.world.ground.grid;
        let sea = self.nearest([unit.at], Kind::De);
        let crowd = |p: Place| {
            let near = self.looked.iter().map(|l| (SPREAD - grid.distance(*l, p)).max(0));
            near.max().unwrap_or(0)
        };
        let cost = |p: &Place| {
            let (steps, _) = sea[usize::from(p.0)]?;
            let same = self.looked.iter().filter(|l| grid.distance(**l, *p) <= 2).count();
            (same < TOGETHER).then(|| (steps as i32 + 2 * crowd(*p), *p))
        };
        let Some((_, goal)) = self.edge.iter().filter_map(cost).min() else { return false };
        self.looked.push(goal);
        let line = match goal == unit.at {
            true => format!("E {number} !"),
            false => format!("M {number} {} THEN E !", self.called(goal)),
        };
        self.say(line);
        true
    }

    pub(super) fn homeward(&mut self, number: u16, unit: &Unit) {
        if !matches!(unit.orders.first(), Some(Task::Return)) {
            self.say(format!("R {number}"));
        }
    }

    /// Warships hunt what they beat, and look around.
    pub(super) fn warships(&mut self) {
        let grid = self.view.world.ground.grid;
        let fits = |u: &Unit| u.kind.class() == Class::Sea && u.kind != Kind::Tr;
        for (number, unit) in self.units(fits) {
            if let Some(at) = self.prey(&unit, EVEN) {
                let line = format!("A {number} {}", self.called(at));
                self.say(line);
                continue;
            }
            let figure = self.view.world.options.figure(unit.kind);
            let hurt = figure.is_some_and(|f| 2 * u32::from(unit.damage) >= u32::from(f.damage));
            if hurt || unit.damage > 0 && self.in_city(&unit) {
                if !self.in_city(&unit) {
                    self.homeward(number, &unit);
                }
                continue;
            }
            if unit.kind == Kind::Ca {
                self.carrier(number, &unit);
                continue;
            }
            let worth = |(at, _): &(&Place, &Mark)| {
                grid.distance(unit.at, **at) <= HUNT && self.chance(&unit, **at, EVEN).is_some()
            };
            let seen = self.known.marks.iter().filter(|(_, m)| m.here).filter(worth);
            let prey = seen.map(|(at, _)| (grid.distance(unit.at, *at), *at)).min();
            if let Some((_, at)) = prey.filter(|_| !self.novice()) {
                let line = format!("A {number} {}", self.called(at));
                self.say(line);
            } else if !self.scout(number, &unit) {
                self.guard(number, &unit);
            }
        }
    }

    /// A ship without anything to do goes before the enemy city that is nearest, to stop what
    /// comes out of it.
    pub(super) fn guard(&mut self, number: u16, unit: &Unit) {
        let grid = self.view.world.ground.grid;
        let ground = &self.view.world.ground;
        let foe = |(_, c): &(&Place, &SeenCity)| c.owner.is_some_and(|o| o != self.seat());
        let foes = self.known.cities.iter().filter(foe).map(|(at, _)| *at);
        let goal = foes.min_by_key(|at| (grid.distance(unit.at, *at), *at));
        let water = |p: &Place| {
            self.known.has_seen(*p)
                && ground.at(*p) == Terrain::Water
                && self.field.top(*p).is_none()
        };
        let post = goal.and_then(|goal| {
            let near = grid.within(goal, 4).filter(water);
            near.min_by_key(|p| (grid.distance(unit.at, *p), *p))
        });
        match post {
            Some(post) if grid.distance(unit.at, post) > 1 => {
                let line = format!("M {number} {}", self.called(post));
                self.say(line);
            }
            Some(_) => {}
            None if !self.in_city(unit) => self.homeward(number, unit),
            None => {}
        }
    }

    /// A carrier goes near enemy cities, where fighters find it.
    pub(super) fn carrier(&mut self, number: u16, unit: &Unit) {
        self.guard(number, unit);
    }
}
