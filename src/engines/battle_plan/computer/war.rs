//! Attacks, and the march to the front.

use super::super::map::SpaceId;
use super::super::state::NOBODY;
use super::super::verbs::{Arm, Verb};
use super::Plan;

/// Attacks of one turn.
const ATTACKS_MAX: usize = 150;
/// The turn from which on everything goes forward, lest a game never end.
const ALL_OUT: i64 = 80;

/// What an attack on a country would take.
struct Assault {
    target: SpaceId,
    value: i64,
    /// Armies that are needed behind missiles and air force.
    army: i64,
    missiles: i64,
    air: i64,
}

impl Plan<'_> {
    /// Attacks the most rewarding countries for which there are forces.
    pub(super) fn attack(&mut self) {
        if !self.may_attack() {
            return;
        }
        // Each attack uses up forces, so the rest is weighed anew.
        for _ in 0..ATTACKS_MAX {
            let map = &self.view.tables.map;
            let targets: Vec<SpaceId> = map
                .countries()
                .filter(|s| self.is_target(*s) && !self.attacked.contains(s))
                .filter(|s| map.neighbours(*s).iter().any(|n| self.free(*n, Arm::Army) > 0))
                .collect();
            let weighed = targets.into_iter().filter_map(|t| self.weigh(t));
            let Some(best) = weighed.max_by_key(|a| (a.value, a.target)) else { return };
            self.assault(&best);
        }
    }

    /// Armies of own spaces next to a country that could go there.
    fn attackers(&self, target: SpaceId) -> Vec<(SpaceId, i64)> {
        let around = self.view.tables.map.neighbours(target);
        let able = around.iter().filter(|s| self.is_own(**s) || self.map().is_sea(**s));
        let spare = |s: &SpaceId| {
            let free = self.free(*s, Arm::Army);
            let keep = if self.map().is_sea(*s) { 0 } else { self.garrison(*s, Some(target)) };
            (*s, (free - keep).max(0))
        };
        able.map(spare).filter(|(_, n)| *n > 0).collect()
    }

    /// Armies that should stay in an own country against all neighbours but one.
    fn garrison(&self, space: SpaceId, but: Option<SpaceId>) -> i64 {
        let threat = |s: &SpaceId| -> i64 {
            if self.map().is_sea(*s) {
                let forces = self.view.seas.get(s);
                let hostile = |(p, _): &(&u8, _)| self.view.enemy(**p);
                return forces.map_or(0, |f| f.iter().filter(hostile).map(|(_, f)| f.army).sum());
            }
            match self.owner(*s) {
                owner if owner == NOBODY || owner == self.me() || !self.is_target(*s) => 0,
                _ => self.view.seen.get(s).map_or(15, |c| c.army),
            }
        };
        let around = self.view.tables.map.neighbours(space);
        let most = around.iter().filter(|s| Some(**s) != but).map(threat).max().unwrap_or(0);
        // Bolder as the game goes on.
        let turn = i64::from(self.view.turn);
        let percent = if turn > ALL_OUT { 0 } else { 70 - turn.min(50) };
        1 + most * percent / 100
    }

    /// Air force that could strike a country.
    fn strikers(&self, target: SpaceId) -> Vec<(SpaceId, i64)> {
        let bombers = self.view.tables.variant.bombers;
        let near = self.view.tables.map.air_range(target).iter();
        let able = near.filter(|s| self.is_own(**s) || self.map().is_sea(**s) && !bombers);
        let free = able.map(|s| (*s, self.free(*s, Arm::Air)));
        free.filter(|(_, n)| *n > 0).collect()
    }

    /// Own spaces with missiles that reach a country.
    fn launchers(&self, target: SpaceId) -> Vec<(SpaceId, i64)> {
        let short = self.view.tables.variant.bombers;
        let reach = |s: &SpaceId| !short || self.map().in_air_range(*s, target);
        let all = self.view.tables.map.countries().filter(|s| self.is_own(*s) && reach(s));
        all.map(|s| (s, self.free(s, Arm::Missile))).filter(|(_, n)| *n > 0).collect()
    }

    fn weigh(&self, target: SpaceId) -> Option<Assault> {
        let (army, air, antimissiles) = self.defence(target);
        let attackers: i64 = self.attackers(target).iter().map(|a| a.1).sum();
        let strikers: i64 = self.strikers(target).iter().map(|a| a.1).sum();
        let missiles: i64 = self.launchers(target).iter().map(|a| a.1).sum();
        let owner = self.owner(target);
        // Missiles for players' countries only, two thirds of the army at most.
        let hits = self.view.tables.figures.combat.missile_hits.max(1);
        let wanted =
            if owner == NOBODY { 0 } else { antimissiles + (army * 2 / 3 + hits - 1) / hits };
        let fired = if missiles > antimissiles + 1 { wanted.min(missiles) } else { 0 };
        let mut left = (army - (fired - antimissiles).max(0) * hits).max(0);
        let excess = (strikers - air).max(0);
        left -= (excess * 2 / 5).min(left);
        // Planes that are not met shoot at the landing.
        let losses = (air - strikers).max(0) / 2;
        let margin = 125 - i64::from(self.view.turn).min(15);
        let needed = left * margin / 100 + losses + 2;
        if attackers < needed {
            return None;
        }
        let tax = self.view.seen.get(&target).map_or(10, |c| c.tax + c.tax_down);
        let own_around =
            self.view.tables.map.neighbours(target).iter().filter(|s| self.is_own(**s)).count()
                as i64;
        let home = if owner == NOBODY { 0 } else { 40 };
        let value = 10 * tax + home + 5 * own_around - needed;
        // Enough to hold it against what stands around, and a good part of a crowd.
        let hold = self.garrison(target, None);
        let crowd = if i64::from(self.view.turn) > ALL_OUT { attackers } else { attackers / 2 };
        let army = (needed * 3 / 2 + 4 + hold).max(crowd).min(attackers);
        Some(Assault {
            target,
            value,
            army,
            missiles: fired,
            air: strikers.min(air + 2 * left + 10),
        })
    }

    fn assault(&mut self, assault: &Assault) {
        let target = assault.target;
        self.attacked.insert(target);
        let mut parts = self.attackers(target);
        parts.sort_by_key(|(s, n)| (std::cmp::Reverse(*n), *s));
        let mut army = assault.army;
        for (from, n) in parts {
            self.order(from, Verb::Conquer, n.min(army), Some(target));
            army -= n.min(army);
        }
        let mut missiles = assault.missiles;
        for (from, n) in self.launchers(target) {
            self.order(from, Verb::MissileArmy, n.min(missiles), Some(target));
            missiles -= n.min(missiles);
        }
        let mut air = assault.air;
        for (from, n) in self.strikers(target) {
            self.order(from, Verb::AirArmy, n.min(air), Some(target));
            air -= n.min(air);
        }
    }

    /// Idle forces go to the front: armies a step nearer to the next target, air
    /// force to where armies stand.
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
        // Over land where it goes as fast.
        let best = map
            .neighbours(from)
            .iter()
            .filter(nearer)
            .min_by_key(|s| (self.distance[usize::from(s.0)], map.is_sea(**s), **s));
        let Some(to) = best.copied() else { return };
        let sea = map.is_sea(to);
        // A handful is not worth a voyage.
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

    /// Idle air force and navy help to sweep seas where enemies lie.
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

    /// From a front that is too strong, by sea to a softer one.
    fn embark(&mut self, from: SpaceId, spare: i64) {
        let map = &self.view.tables.map;
        let stuck = map
            .neighbours(from)
            .iter()
            .filter(|s| self.is_target(**s))
            .all(|s| self.owner(*s) != NOBODY || map.row(*s).island);
        if !stuck || spare < 30 || self.dice.at([from.0.into()]).below("embark", 4) > 0 {
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
