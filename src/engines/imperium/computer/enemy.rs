//! A computer's estimates of the enemy, from what its seat has seen.

use std::collections::BTreeSet;

use super::super::board::Marker;
use super::super::galaxy::{Planet, System};
use super::super::kinds::{Class, Kind, Side};
use super::super::odds::{self};
use super::super::state::Spotted;
use super::{Thinker, UNKNOWN_FLEET, UNKNOWN_OUTPOST, UNKNOWN_WORLD};
use crate::supply;

impl Thinker<'_> {
    /// The estimated worth of the enemy's fleets, monitors and fighters in a system.
    pub(super) fn enemy_worth(&self, at: System) -> i64 {
        let enemy = self.enemy();
        let mut worth = 0;
        for (_, sighting) in odds::enemies(&self.board, self.view, at) {
            worth += sighting.map_or_else(
                || self.unknown_fleet(),
                |s| s.units.iter().map(|u| self.seen_worth(enemy, u)).sum(),
            );
        }
        for planet in self.board.galaxy.planets(at) {
            let Some(s) = self.view.known.get(&Spotted::Planet(planet)) else { continue };
            let flying = s.units.iter().filter(|u| matches!(u.kind, Kind::M | Kind::F));
            worth += flying.map(|u| self.seen_worth(enemy, u) * 5 / 4).sum::<i64>();
        }
        worth
    }

    /// The estimated worth of an unknown fleet. Forces on loan must be in one of the unknown
    /// fleets.
    pub(super) fn unknown_fleet(&self) -> i64 {
        if self.side == Side::Imperial {
            return UNKNOWN_FLEET;
        }
        let loans = self.board.court.loans.iter().flat_map(|l| &l.units);
        let lent: i64 = loans.map(|id| self.cost(id.side, id.kind())).sum();
        let enemy = self.enemy();
        let unknown = self
            .board
            .fleets
            .keys()
            .filter(|(s, n)| *s == enemy && !self.view.known.contains_key(&Spotted::Fleet(*n)))
            .count();
        UNKNOWN_FLEET + lent / i64::try_from(unknown.max(1)).unwrap_or(1)
    }

    pub(super) fn seen_worth(&self, side: Side, unit: &super::super::state::Seen) -> i64 {
        let cost = self.cost(side, unit.kind);
        match (self.board.tables.class(unit.kind), unit.damaged) {
            (Class::Ground | Class::Marker, _) => 0,
            (_, true) => cost / 2,
            (_, false) => cost,
        }
    }

    /// The estimated worth of enemy units on the planets of a system.
    pub(super) fn ground_worth(&self, at: System) -> i64 {
        let enemy = self.enemy();
        let mut worth = 0;
        for planet in self.board.galaxy.planets(at) {
            let Some((owner, marker)) = self.board.marker(planet) else { continue };
            if owner != enemy {
                continue;
            }
            worth += match (self.view.known.get(&Spotted::Planet(planet)), marker) {
                (Some(s), _) => s.units.iter().map(|u| self.cost(enemy, u.kind) / 2).sum(),
                (None, Marker::World) => UNKNOWN_WORLD,
                (None, Marker::Outpost) => UNKNOWN_OUTPOST,
            };
        }
        worth
    }

    /// Whether the enemy's fleets are estimated to be worth more than own ones.
    pub(super) fn is_weaker(&self) -> bool {
        let theirs: i64 = supply::enemy_fleets(&self.board, self.side)
            .into_iter()
            .map(|s| self.enemy_worth(s))
            .sum();
        let ours: i64 = self
            .board
            .of(self.side)
            .filter(|(id, _)| self.armed(*id))
            .map(|(id, _)| i64::from(self.board.worth(id)))
            .sum();
        theirs > ours
    }

    /// The worth of enemy fleets that are at most 4 jumps from a system.
    pub(super) fn threat(&self, at: System) -> i64 {
        let far = self.board.galaxy.jumps([at], |_| true);
        let near = |s: System| far.get(usize::from(s.0) - 1).copied().flatten();
        let systems: BTreeSet<System> = supply::enemy_fleets(&self.board, self.side);
        systems
            .into_iter()
            .filter(|s| *s != at && near(*s).is_some_and(|d| d <= 4))
            .map(|s| self.enemy_worth(s))
            .sum()
    }

    /// Whether enemy units were seen on a planet without a marker.
    pub(super) fn lurks(&self, planet: Planet) -> bool {
        let seen = self.view.known.get(&Spotted::Planet(planet));
        self.board.marker(planet).is_none() && seen.is_some_and(|s| !s.units.is_empty())
    }

    /// Types that are known or assumed to be on a planet.
    pub(super) fn defenders(&self, planet: Planet) -> Vec<Kind> {
        match self.view.known.get(&Spotted::Planet(planet)) {
            Some(s) => s.units.iter().map(|u| u.kind).filter(|k| *k != Kind::M).collect(),
            None if self.board.marker(planet).is_some_and(|m| m.1 == Marker::World) => {
                vec![Kind::PD, Kind::RT]
            }
            None => Vec::new(),
        }
    }

    /// How old the knowledge of an enemy system is: turns since each planet was seen, twice those
    /// for each fleet.
    pub(super) fn staleness(&self, at: System) -> u32 {
        let age = |s: Option<&super::super::state::Sighting>| {
            s.map_or(8, |s| self.view.clock.saturating_sub(s.turn))
        };
        let fleets: u32 = odds::enemies(&self.board, self.view, at).map(|(_, s)| 2 * age(s)).sum();
        let enemy = self.enemy();
        let held = self
            .board
            .galaxy
            .planets(at)
            .filter(|p| self.board.marker(*p).is_some_and(|m| m.0 == enemy));
        fleets + held.map(|p| age(self.view.known.get(&Spotted::Planet(p)))).sum::<u32>()
    }
}
