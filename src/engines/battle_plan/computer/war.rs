//! Attacks, and the march to the front.

use super::super::map::SpaceId;
use super::super::state::NOBODY;
use super::super::verbs::{Arm, Verb};
use super::Plan;

/// The most attacks in one turn.
const ATTACKS_MAX: usize = 150;
/// The turn after which all armies go forward, so that the game ends.
pub(super) const ALL_OUT: i64 = 80;

/// What an attack on a country takes.
struct Assault {
    target: SpaceId,
    value: i64,
    /// Armies needed after missiles and air force have struck.
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
        // Each attack uses up forces, so weigh the remaining ones again.
        for _ in 0..ATTACKS_MAX {
            let map = &self.view.tables.map;
            let targets: Vec<SpaceId> = map
                .countries()
                .filter(|s| self.is_target(*s) && !self.attacked.contains(s))
                .filter(|s| map.neighbours(*s).iter().any(|n| self.free(*n, Arm::Army) > 0))
                .collect();
            let mut weighed: Vec<Assault> =
                targets.into_iter().filter_map(|t| self.weigh(t)).collect();
            weighed.sort_by_key(|a| std::cmp::Reverse((a.value, a.target)));
            let Some(best) = weighed.first() else { return };
            let place = [u32::from(best.target.0)];
            let second = self.dice.at(place).chance("blunder", self.mind.blunders);
            self.assault(weighed.get(usize::from(second)).unwrap_or(best));
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

    /// Armies that should stay in an own country against all neighbours except `but`.
    pub(super) fn garrison(&self, space: SpaceId, but: Option<SpaceId>) -> i64 {
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
        let keep = 1 + most * self.falling(self.mind.garrison) / 100;
        // If that would bind too many armies, leave one: the others fight better together.
        let most = self.free(space, Arm::Army) * self.mind.forsake / 100;
        if self.mind.forsake > 0 && keep > most { 1 } else { keep }
    }

    /// A number that falls during the game: its start, its loss each turn, its minimum.
    fn falling(&self, [from, by, least]: [i64; 3]) -> i64 {
        let turn = i64::from(self.view.turn);
        // Late in the game everything goes forward, so that the game ends.
        if turn > ALL_OUT { 0 } else { (from - by * turn).max(least) }
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
        // Fire missiles only at players' countries, and at two thirds of the army at most.
        let hits = self.view.tables.figures.combat.missile_hits.max(1);
        let wanted =
            if owner == NOBODY { 0 } else { antimissiles + (army * 2 / 3 + hits - 1) / hits };
        let fired = if missiles > antimissiles + 1 { wanted.min(missiles) } else { 0 };
        let mut left = (army - (fired - antimissiles).max(0) * hits).max(0);
        let excess = (strikers - air).max(0);
        left -= (excess * 2 / 5).min(left);
        // Enemy planes that are not met shoot at the landing armies.
        let losses = (air - strikers).max(0) / 2;
        let needed = left * self.falling(self.mind.odds).max(100) / 100 + losses + 2;
        if attackers < needed {
            return None;
        }
        let map = &self.view.tables.map;
        let around = map.neighbours(target);
        let own_around = around.iter().filter(|s| self.is_own(**s)).count() as i64;
        let foes = around.iter().filter(|s| self.is_target(**s) && self.owner(**s) != NOBODY);
        let tax = self.view.seen.get(&target).map_or(10, |c| c.tax + c.tax_down);
        let industry = self.view.seen.get(&target).map_or(6, |c| c.industry + c.industry_down);
        let losses = left * left / attackers.max(1) + losses;
        let of_player = i64::from(owner != NOBODY);
        let terms =
            [tax, industry, own_around, -(foes.count() as i64), of_player, -needed, -losses];
        let value: i64 = terms.iter().zip(self.mind.value).map(|(t, w)| t * w).sum();
        let prize = self.prizes[usize::from(target.0)] * self.mind.points;
        // Do not attack if that costs more points than it brings.
        if prize < 0 && value + prize < 0 {
            return None;
        }
        // Send enough to hold it against the forces around, and a good part of all that could go.
        let hold = self.garrison(target, None) * self.mind.hold / 100;
        let crowd = if i64::from(self.view.turn) > ALL_OUT { 100 } else { self.mind.crowd };
        let crowd = attackers * crowd / 100;
        let army = (needed * 3 / 2 + 4 + hold).max(crowd).min(attackers);
        Some(Assault {
            target,
            value: value + prize,
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
}
