//! Land units: they go to targets, to the edge of what is known, or to a port.

use std::collections::BTreeMap;

use engine::geometry::Place;

use super::{EVEN, INLAND, Mind, Nearest};
use crate::kinds::{Class, Kind};
use crate::state::Unit;

/// The most steps to an enemy city from which idle land units join the units before it.
const FRONT: u32 = 16;
/// The most land units of a landmass that explore at the same time.
const SCOUTS: usize = 2;
/// The same number for the strongest computers.
const MORE_SCOUTS: usize = 6;
/// The distance in squares that explorers keep from each other.
const APART: i32 = 8;
/// A ship waits in a port for land units within this many squares.
const SOON: i32 = 4;

impl Mind<'_> {
    /// Land units: they go for cities and intruders first, then for unknown land; the others are a
    /// reserve.
    pub(super) fn land(&mut self) {
        let foot = self.view.world.options.edition.foot();
        let all = self.units(|u| u.kind.class() == Class::Land);
        for (_, unit) in all.iter().filter(|(_, u)| u.aboard.is_none()) {
            *self.ashore.entry(self.masses.at(unit.at)).or_default() += 1;
        }
        let mut waiting: Vec<(u16, Unit)> = all;
        // The nearest units go, as many to each target as it needs; the others look for another
        // target.
        loop {
            let open = self.need.iter().filter(|(_, n)| **n > 0).map(|(at, _)| *at);
            let open: Vec<Place> = open.collect();
            if open.is_empty() || waiting.is_empty() {
                break;
            }
            let near = self.nearest(open, foot);
            let mut order: Vec<(u32, u16, Unit, Place)> = Vec::new();
            let mut rest = Vec::new();
            for (number, unit) in waiting {
                match self.within_reach(&unit, &near) {
                    Some((steps, goal)) => order.push((steps, number, unit, goal)),
                    None => rest.push((number, unit)),
                }
            }
            order.sort_by_key(|(steps, number, ..)| (*steps, *number));
            let mut again = false;
            for (_, number, unit, goal) in order {
                let need = self.need.entry(goal).or_default();
                if *need == 0 {
                    again = true;
                    rest.push((number, unit));
                    continue;
                }
                *need -= 1;
                let line = format!("A {number} {}", self.called(goal));
                self.order(line);
            }
            rest.sort_by_key(|(number, _)| *number);
            waiting = rest;
            if !again {
                break;
            }
        }
        let held: Vec<Place> = self.need.keys().copied().filter(|at| self.is_held(*at)).collect();
        let held = self.nearest(held, foot);
        let edge = self.frontier(foot);
        let near = self.nearest(edge.iter().copied(), foot);
        let mut scouts: BTreeMap<Option<u32>, usize> = BTreeMap::new();
        let mut reserve = Vec::new();
        for (number, unit) in waiting.into_iter().filter(|(_, u)| u.aboard.is_none()) {
            if let Some(at) = self.prey(&unit, EVEN) {
                let line = format!("A {number} {}", self.called(at));
                self.order(line);
                continue;
            }
            let mass = self.masses.at(unit.at);
            let sent = scouts.entry(mass).or_default();
            let most = if self.expert() { MORE_SCOUTS } else { SCOUTS };
            if near[usize::from(unit.at.0)].is_some() && *sent < most {
                *sent += 1;
                if self.expert() {
                    self.walk_to_see(number, &unit, &edge);
                } else {
                    self.order(format!("E {number} * !"));
                }
                continue;
            }
            // A unit that is not far from a front goes there.
            if let Some((_, goal)) = held[usize::from(unit.at.0)].filter(|(n, _)| *n <= FRONT) {
                let line = format!("A {number} {}", self.called(goal));
                self.order(line);
                continue;
            }
            reserve.push((number, unit));
        }
        self.gather(reserve);
    }

    /// Sends a land unit to explore where no other one does.
    fn walk_to_see(&mut self, number: u16, unit: &Unit, edge: &[Place]) {
        let grid = self.view.world.ground.grid;
        let far = self.nearest([unit.at], unit.kind);
        let crowd = |p: Place| {
            let near = self.looked.iter().map(|l| (APART - grid.distance(*l, p)).max(0));
            near.max().unwrap_or(0)
        };
        let cost = |p: &Place| {
            let (steps, _) = far[usize::from(p.0)]?;
            Some((steps as i32 + 3 * crowd(*p), *p))
        };
        let Some((_, goal)) = edge.iter().filter_map(cost).min() else {
            self.order(format!("E {number} * !"));
            return;
        };
        self.looked.push(goal);
        match goal == unit.at {
            true => self.order(format!("E {number} * !")),
            false => self.order(format!("M {number} {} THEN E * !", self.called(goal))),
        }
    }

    /// The nearest target of a land unit; a unit aboard goes for targets next to the shore.
    pub(super) fn within_reach(&self, unit: &Unit, near: &Nearest) -> Option<(u32, Place)> {
        if unit.aboard.is_none() {
            return near[usize::from(unit.at.0)];
        }
        let grid = self.view.world.ground.grid;
        let next = grid.near(unit.at).filter(|p| self.view.world.ground.at(*p).is_land());
        let next =
            next.filter_map(|p| near[usize::from(p.0)].map(|(steps, goal)| (steps + 1, goal)));
        next.min().filter(|(steps, _)| *steps <= INLAND.unsigned_abs())
    }

    /// Land units that have nothing to do go to ports.
    pub(super) fn gather(&mut self, reserve: Vec<(u16, Unit)>) {
        let foot = self.view.world.options.edition.foot();
        // There are a few thousand units at most.
        self.reserve = reserve.len() as u32;
        let ports: Vec<Place> = self.cities.iter().copied().filter(|c| self.is_port(*c)).collect();
        let home = self.nearest(ports.iter().copied(), foot);
        // A port with a short way over the sea is worth a longer walk.
        let grid = self.view.world.ground.grid;
        let shores = self.landings().into_iter().flat_map(|l| l.shores);
        let sea = self.nearest(shores, Kind::De);
        let far = |port: Place| sea[usize::from(port.0)].map_or(i32::MAX / 4, |s| s.0 as i32);
        for (number, unit) in reserve {
            let Some((_, near)) = home[usize::from(unit.at.0)] else { continue };
            let mass = self.masses.at(unit.at);
            let same = ports.iter().copied().filter(|p| self.masses.at(*p) == mass);
            let crowd = |p: Place| self.ports.get(&p).map_or(0, |n| *n as i32);
            let cost = |p: Place| (grid.distance(unit.at, p) + far(p) / 2 + crowd(p), p);
            let port = same.min_by_key(|p| cost(*p)).unwrap_or(near);
            *self.ports.entry(port).or_default() += 1;
            if grid.distance(unit.at, port) <= SOON {
                *self.soon.entry(port).or_default() += 1;
            }
            if port != unit.at {
                let line = format!("M {number} {}", self.called(port));
                self.order(line);
            } else if !unit.orders.is_empty() {
                // It waits for a ship, which takes it along.
                self.order(format!("K {number}"));
            }
        }
    }
}
