//! Money, spies, builds.

use super::super::map::SpaceId;
use super::super::state::NOBODY;
use super::super::variants::Ending;
use super::super::verbs::Arm;
use super::Plan;

impl Plan<'_> {
    /// Pays for propaganda where the people are unhappy, spies where nothing is seen, and research.
    pub(super) fn spend(&mut self) {
        let mut unhappy: Vec<(i64, SpaceId)> = self
            .own_countries()
            .into_iter()
            .filter(|(_, c)| c.hpi < self.mind.unhappy)
            .map(|(s, c)| (c.hpi, s))
            .collect();
        unhappy.sort_unstable();
        for (_, space) in unhappy {
            let code = self.map().code(space).to_owned();
            self.pay(10, |n| format!("P{n}{code}"));
        }
        self.scout();
        if self.spies < self.mind.spies {
            self.pay(10, |n| format!("TS{n}"));
        }
        self.research();
        // The rest buys popularity in neighbouring minors.
        let map = &self.view.tables.map;
        let near: Vec<SpaceId> = map
            .countries()
            .filter(|s| self.owner(*s) == NOBODY && !self.attacked.contains(s))
            .filter(|s| map.neighbours(*s).iter().any(|n| self.is_own(*n)))
            .collect();
        for space in near.into_iter().take(3) {
            let code = map.code(space).to_owned();
            self.pay(10, |n| format!("P{n}{code}"));
        }
    }

    /// A gain grows with the square root of the sum, so many small sums bring more than a large
    /// one.
    fn research(&mut self) {
        let missiles = self.missiles_possible() && !self.view.tables.variant.bombers;
        let shares = if missiles { self.mind.research } else { self.mind.research_plain };
        let all = self.dollars;
        for (arm, share) in Arm::ALL.into_iter().zip(shares) {
            if self.view.position.player.bases[arm as usize] > 0 {
                self.pay(all * share / 100, |n| format!("R{}{n}", arm.letter()));
            }
        }
    }

    /// Sends a spy to each unseen country next to own spaces, players' countries first.
    fn scout(&mut self) {
        let map = &self.view.tables.map;
        let mut blind: Vec<(bool, u32, SpaceId)> = map
            .countries()
            .filter(|s| self.is_target(*s) && !self.view.seen.contains_key(s))
            .filter_map(|s| {
                let near = map.neighbours(s).iter();
                let least = near.map(|n| self.distance_from_home(*n)).min()?;
                (least <= 1).then_some((self.owner(s) == NOBODY, least, s))
            })
            .collect();
        blind.sort_unstable();
        for (_, _, space) in blind.into_iter().take(10) {
            if self.spies == 0 {
                return;
            }
            self.spies -= 1;
            let order = format!("S1{}", map.code(space));
            self.player_orders.push(order);
        }
    }

    /// 0 for own spaces, 1 for seas on own coasts, 2 for all others.
    fn distance_from_home(&self, space: SpaceId) -> u32 {
        let map = &self.view.tables.map;
        match () {
            () if self.view.position.holdings.contains_key(&space) => 0,
            () if map.is_sea(space) && map.neighbours(space).iter().any(|n| self.is_own(*n)) => 1,
            () => 2,
        }
    }

    fn pay(&mut self, dollars: i64, order: impl Fn(i64) -> String) {
        let n = dollars.min(self.dollars);
        if n > 0 {
            self.dollars -= n;
            self.player_orders.push(order(n));
        }
    }

    fn missiles_possible(&self) -> bool {
        self.view.position.player.multipliers[Arm::Missile as usize] > 0
    }

    /// Default builds by the stage of the game.
    pub(super) fn set_builds(&mut self) {
        let variant = &self.view.tables.variant;
        let missiles = self.missiles_possible() && !variant.bombers;
        let wanted = match (self.view.turn <= self.mind.early_until, missiles) {
            (true, _) => self.mind.early,
            (_, true) => self.mind.builds,
            (_, false) => self.mind.builds_plain,
        };
        let calm = variant.ending == Ending::Allies && self.peace();
        let wanted = if calm { [60, 30, 0, 10, 0, 0] } else { wanted };
        let now = self.view.position.player.defaults;
        for (arm, n) in Arm::ALL.into_iter().zip(wanted) {
            if now[arm as usize] != n && !(arm == Arm::Antimissile && variant.bombers) {
                self.player_orders.push(format!("B{}{n}", arm.letter()));
            }
        }
    }
}
