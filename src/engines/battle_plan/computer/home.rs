//! Declarations, money, builds.

use super::super::map::SpaceId;
use super::super::state::{NOBODY, Stance};
use super::super::tables::Ending;
use super::super::verbs::Arm;
use super::Plan;

impl Plan<'_> {
    /// Enemies are whom one attacks and who attacked; in the end of a Real Forces
    /// game everybody is an ally.
    pub(super) fn declare(&mut self) {
        let own = &self.view.position.player;
        if self.peace() {
            let others = self.view.players.iter().filter(|p| p.seat != self.me());
            let new = others.filter(|p| own.stance(p.seat) != Stance::Ally && !p.out);
            let orders: Vec<String> = new.map(|p| format!("{}A", p.seat)).collect();
            self.player_orders.extend(orders);
            return;
        }
        let mut hostile: Vec<u8> = self.attacked.iter().map(|s| self.owner(*s)).collect();
        for clash in self.view.clashes.iter().filter(|c| c.home.owner == self.me()) {
            hostile.extend(clash.attackers.iter().map(|a| a.owner));
        }
        hostile.sort_unstable();
        hostile.dedup();
        hostile.retain(|p| *p != NOBODY && *p != self.me() && own.stance(*p) != Stance::Enemy);
        self.player_orders.extend(hostile.iter().map(|p| format!("{p}E")));
        if self.view.tables.variant.opinion && own.bad[2] == NOBODY {
            let worst = own.declared(Stance::Enemy).into_iter().next();
            self.player_orders.extend(worst.map(|p| format!("{p}B3")));
        }
    }

    /// Propaganda where the people grumble, spies where nothing is seen, research.
    pub(super) fn spend(&mut self) {
        let mut unhappy: Vec<(i64, SpaceId)> = self
            .own_countries()
            .into_iter()
            .filter(|(_, c)| c.hpi < 60)
            .map(|(s, c)| (c.hpi, s))
            .collect();
        unhappy.sort_unstable();
        for (_, space) in unhappy {
            let code = self.map().code(space).to_owned();
            self.pay(10, |n| format!("P{n}{code}"));
        }
        self.scout();
        if self.spies < 6 {
            self.pay(10, |n| format!("TS{n}"));
        }
        let turn = self.view.turn;
        let missiles = self.missiles_possible();
        let items: &[(char, i64)] = match (turn, missiles) {
            (..=4, _) => &[('I', 20), ('A', 20), ('F', 20)],
            (_, true) => &[('A', 30), ('F', 20), ('M', 20), ('I', 10), ('X', 10)],
            (_, false) => &[('A', 40), ('F', 20), ('I', 20)],
        };
        // A full treasury is of no use.
        let scale = 1 + self.dollars / 300;
        for (item, n) in items {
            self.pay(*n * scale, |n| format!("R{item}{n}"));
        }
        // What is left makes friends next door.
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

    /// A spy to each country next to own spaces that is not seen, players' first.
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

    /// 0 for own spaces, 1 for seas on own coasts, 2 for all else.
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
        // Industry, army, navy, air force, missiles, antimissiles.
        let wanted: [u8; 6] = match (self.view.turn, missiles) {
            (..=5, _) => [20, 50, 5, 25, 0, 0],
            (_, true) => [5, 45, 5, 20, 20, 5],
            (_, false) => [5, 65, 10, 20, 0, 0],
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
