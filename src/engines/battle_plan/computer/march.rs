//! The march to the front, by land and sea.

use super::super::map::SpaceId;
use super::super::state::NOBODY;
use super::super::verbs::{Arm, Verb};
use super::Plan;

impl Plan<'_> {
    /// Sends idle forces to the front: armies a step nearer to the next target, air force to where
    /// armies are.
    pub(super) fn advance(&mut self) {
        let spaces: Vec<SpaceId> = self.view.position.holdings.keys().copied().collect();
        for from in spaces {
            let at_sea = self.map().is_sea(from);
            if !at_sea && !self.is_own(from) {
                continue;
            }
            self.sweep(from);
            let keep = if at_sea { 0 } else { self.garrison(from, None) };
            let spare = self.free(from, Arm::Army) - keep;
            let here = self.distance[usize::from(from.0)];
            if spare > 0 && here > 1 {
                self.march(from, spare, here);
            } else if spare > 0 && here == 1 && !at_sea {
                self.embark(from, spare);
            }
            self.fly(from, here);
        }
    }

    fn march(&mut self, from: SpaceId, spare: i64, here: u32) {
        let map = &self.view.tables.map;
        let nearer = |s: &&SpaceId| {
            self.distance[usize::from(s.0)] < here && (self.is_own(**s) || self.is_safe_sea(**s))
        };
        // Of equally short ways, one over land comes first.
        let best = map
            .neighbours(from)
            .iter()
            .filter(nearer)
            .min_by_key(|s| (self.distance[usize::from(s.0)], map.is_sea(**s), **s));
        let Some(to) = best.copied() else { return };
        let sea = map.is_sea(to);
        // A few armies are not worth a voyage.
        if sea && !map.is_sea(from) && spare < 15 {
            return;
        }
        self.order(from, Verb::ArmyMove, spare, Some(to));
        if sea {
            let navy = self.free(from, Arm::Navy);
            let with = if map.is_sea(from) { navy } else { navy * 2 / 3 };
            self.order(from, Verb::NavyMove, with, Some(to));
        }
    }

    /// Sends idle air force and navy to fight in the sea within reach that has the most enemies.
    fn sweep(&mut self, from: SpaceId) {
        let map = &self.view.tables.map;
        let hostile = |s: &SpaceId| -> i64 {
            let Some(forces) = self.view.seas.get(s).filter(|_| map.is_sea(*s)) else { return 0 };
            let theirs = forces.iter().filter(|(p, _)| self.view.enemy(**p));
            theirs.map(|(_, f)| f.total()).sum()
        };
        let at_sea = map.is_sea(from);
        let bombers = self.view.tables.variant.bombers;
        let worst = |list: &mut dyn Iterator<Item = SpaceId>| {
            list.filter(|s| hostile(s) > 0).max_by_key(|s| (hostile(s), *s))
        };
        let air = worst(&mut map.air_range(from).iter().copied());
        let navy = worst(&mut map.neighbours(from).iter().copied());
        if let Some(sea) = air.filter(|_| !(at_sea && bombers)) {
            let n = self.free(from, Arm::Air) / 2;
            self.order(from, Verb::AirSupport, n, Some(sea));
        }
        if let Some(sea) = navy.filter(|_| !at_sea) {
            let n = self.free(from, Arm::Navy);
            self.order(from, Verb::NavySupport, n, Some(sea));
        }
    }

    /// Moves armies by sea from a front without weak targets to a coast that is defended less.
    fn embark(&mut self, from: SpaceId, spare: i64) {
        let map = &self.view.tables.map;
        let stuck = map
            .neighbours(from)
            .iter()
            .filter(|s| self.is_target(**s))
            .all(|s| self.owner(*s) != NOBODY || map.row(*s).island);
        if !stuck
            || spare < 30
            || self.mind.landings == 0
            || self.dice.at([from.0.into()]).below("embark", self.mind.landings) > 0
        {
            return;
        }
        let soft = |sea: &&SpaceId| {
            let coasts = map.neighbours(**sea).iter();
            let weak = coasts.filter(|c| self.is_target(**c) && !map.adjacent(from, **c));
            self.is_safe_sea(**sea) && weak.clone().any(|c| self.defence(*c).0 < spare / 2)
        };
        let Some(sea) = map.neighbours(from).iter().find(soft).copied() else { return };
        self.order(from, Verb::ArmyMove, spare / 2, Some(sea));
        let navy = self.free(from, Arm::Navy);
        self.order(from, Verb::NavyMove, navy / 2, Some(sea));
    }

    fn fly(&mut self, from: SpaceId, here: u32) {
        let air = self.free(from, Arm::Air);
        if air == 0 || here <= 1 || self.map().is_sea(from) && self.view.tables.variant.bombers {
            return;
        }
        let map = &self.view.tables.map;
        let own = map.air_range(from).iter().filter(|s| self.is_own(**s));
        let nearer = own.filter(|s| self.distance[usize::from(s.0)] < here);
        let best = nearer.min_by_key(|s| (self.distance[usize::from(s.0)], **s)).copied();
        if let Some(to) = best {
            self.order(from, Verb::AirMove, air, Some(to));
        }
    }
}
