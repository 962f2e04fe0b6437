//! Friends and enemies: declarations, leagues against the leader, permits.

use super::super::points::outlook;
use super::super::state::{NOBODY, Stance};
use super::super::variants::Ending;
use super::Plan;
use super::war::ALL_OUT;

impl Plan<'_> {
    /// The player who holds so much more than everybody else that the others should unite. Where
    /// points decide, the one who will have the most if nothing changes.
    pub(super) fn who_leads(&self) -> Option<u8> {
        let alive = self.view.players.iter().filter(|p| p.countries > 0 && !p.out);
        if self.view.tables.variant.ending == Ending::Points && self.mind.points > 0 {
            let all = alive.clone().map(|p| (outlook(self.view, p.seat), p.seat));
            let top = all.max()?.1;
            let league = self.mind.leader > 0 && alive.count() > 2;
            return (league && top != self.me()).then_some(top);
        }
        let top = alive.clone().max_by_key(|p| p.countries)?;
        let second = alive.clone().filter(|p| p.seat != top.seat).map(|p| p.countries).max()?;
        let (most, second) = (top.countries as i64, second as i64);
        let total = self.map().country_count() as i64;
        // Late in the game there are no leagues, so that it ends.
        let far = self.mind.leader > 0
            && i64::from(self.view.turn) <= ALL_OUT
            && most * 100 >= total * self.mind.leader
            && most >= second + self.mind.leader_ahead;
        (alive.count() > 2 && top.seat != self.me() && far).then_some(top.seat)
    }

    /// Whether a player is not to be attacked this turn.
    pub(super) fn is_friend(&self, owner: u8) -> bool {
        let league =
            self.leader.is_some_and(|l| l != owner) && self.view.allied_by.contains(&owner);
        let ally = self.view.position.player.stance(owner) == Stance::Ally;
        owner != NOBODY && (self.peace() || league || ally && self.leader.is_none())
    }

    /// The stance that another player should have.
    fn wanted_stance(&self, other: u8) -> Stance {
        let now = self.view.position.player.stance(other);
        match self.leader {
            Some(leader) if leader == other => Stance::Enemy,
            Some(_) if self.mind.asks || self.view.allied_by.contains(&other) => Stance::Ally,
            Some(_) => now,
            None if now == Stance::Ally => Stance::Neutral,
            None => now,
        }
    }

    /// Declares the leader an enemy and the others allies. Without a leader, those whom the seat
    /// attacks or who attacked it become enemies. Late in a Real Forces game everybody becomes an
    /// ally.
    pub(super) fn declare(&mut self) {
        let own = &self.view.position.player;
        if self.peace() {
            let others = self.view.players.iter().filter(|p| p.seat != self.me());
            let new = others.filter(|p| own.stance(p.seat) != Stance::Ally && !p.out);
            let orders: Vec<String> = new.map(|p| format!("{}A", p.seat)).collect();
            self.player_orders.extend(orders);
            return;
        }
        let mut orders = Vec::new();
        for p in self.view.players.iter().filter(|p| p.seat != self.me() && !p.out) {
            let want = self.wanted_stance(p.seat);
            if want == own.stance(p.seat) {
                continue;
            }
            match want {
                Stance::Ally => {
                    orders.extend(["A", "F", "K"].map(|order| format!("{}{order}", p.seat)));
                }
                Stance::Enemy => orders.push(format!("{}E", p.seat)),
                Stance::Neutral => {
                    orders.extend(["N", "Z", "X"].map(|order| format!("{}{order}", p.seat)));
                }
            }
        }
        self.player_orders.extend(orders);
        if self.leader.is_some() {
            return;
        }
        let mut hostile: Vec<u8> = self.attacked.iter().map(|s| self.owner(*s)).collect();
        for clash in self.view.clashes.iter().filter(|c| c.home.owner == self.me()) {
            hostile.extend(clash.attackers.iter().map(|a| a.owner));
        }
        hostile.sort_unstable();
        hostile.dedup();
        hostile.retain(|p| *p != NOBODY && *p != self.me() && own.stance(*p) == Stance::Neutral);
        self.player_orders.extend(hostile.iter().map(|p| format!("{p}E")));
        if self.view.tables.variant.opinion && own.bad[2] == NOBODY {
            let worst = own.declared(Stance::Enemy).into_iter().next();
            self.player_orders.extend(worst.map(|p| format!("{p}B3")));
        }
    }
}
