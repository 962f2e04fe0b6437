//! Fleets under way: along routes, as scouts, through open space (§6.1 to §6.3).

use std::collections::BTreeMap;

use tongue::say;

use super::acts::{self, Now};
use super::board::{Place, Spot};
use super::event::{Event, What};
use super::fire::die;
use super::galaxy::System;
use super::kinds::{Kind, Side};
use super::orders::{Act, Leg};
use super::run::Run;
use super::space::Battle;

impl Run<'_> {
    /// A fleet in open space has advanced: it arrives, or it meets an enemy (§6.3). `moving` is
    /// who counts as the moving side then.
    pub fn advance(&mut self, side: Side, fleet: u8, moving: Side) {
        let Some(spot) = self.state.board.fleets.get(&(side, fleet)).copied() else { return };
        let Spot::Lane { from, to, k, .. } = spot else { return };
        if k >= self.state.board.galaxy.lane(from, to).unwrap_or(1) {
            self.arrive(side, fleet, from, to);
            return;
        }
        let meets = self.state.board.fleets.iter().any(|((s, _), other)| {
            *s != side && super::space::same_hex(&self.state.board, spot, *other)
        });
        let calm = self.state.peace.is_some() || self.state.board.court.talks;
        if meets && !calm {
            self.start_battle(spot, moving, BTreeMap::new());
        }
    }

    /// A fleet comes out of open space.
    fn arrive(&mut self, side: Side, fleet: u8, from: System, to: System) {
        self.tell(What::Moved { side, fleets: vec![fleet], path: vec![to], stopped: false });
        self.enter(side, &[fleet], from, Leg { to, fight: false }, true);
    }

    /// Moves fleets together along a path, until something stops them (§6.1).
    pub fn travel(&mut self, now: &Now, fleets: &[u8], legs: &[Leg]) {
        let side = now.side;
        let Ok(path) = acts::path(&self.state.board, now.system, legs) else { return };
        let mut from = now.system;
        let mut gone = vec![from];
        // The move is told before what it leads to.
        let at = self.events.len();
        let mut stopped = false;
        for (n, leg) in path.iter().enumerate() {
            let last = n + 1 == path.len();
            gone.push(leg.to);
            let halted = self.enter(side, fleets, from, *leg, last);
            from = leg.to;
            if halted {
                stopped = !last;
                break;
            }
        }
        let what = What::Moved { side, fleets: fleets.to_vec(), path: gone, stopped };
        let event = Event { part: self.part, to: None, what };
        self.events.insert(at, event);
    }

    /// Fleets enter a system (§6.1, §6.2). True: they go no farther.
    fn enter(&mut self, side: Side, fleets: &[u8], from: System, leg: Leg, last: bool) -> bool {
        let at = leg.to;
        acts::enter(&mut self.state.board, side, fleets, at);
        if self.state.peace.is_some() || self.state.board.court.talks {
            return false;
        }
        let enemy = side.other();
        let board = &self.state.board;
        let scouts = fleets.iter().all(|f| board.ships(side, *f).all(|id| id.kind() == Kind::SC));
        let came: BTreeMap<(Side, u8), System> =
            fleets.iter().map(|f| ((side, *f), from)).collect();
        let join = self.state.filed[enemy.i()].standing.fighters_join;
        let fighters = join
            && board.of(enemy).any(|(id, u)| {
                id.kind() == Kind::F && matches!(u.place, Place::Box(p) if p.system == at)
            });
        let soft = board.fleets_in(enemy, at).next().is_some() || fighters;
        if scouts {
            let fights = soft || board.blocks(enemy, at);
            return board.occupied(enemy, at) && self.scout(side, at, came, fights);
        }
        if board.blocks(enemy, at) || soft && (leg.fight || last) {
            self.start_battle(Spot::System(at), side, came);
            return true;
        }
        false
    }

    /// Scouts try to remain unseen (§6.2). True: they were detected. `fights` is whether anybody
    /// is there to fight them.
    fn scout(
        &mut self,
        side: Side,
        at: System,
        came: BTreeMap<(Side, u8), System>,
        fights: bool,
    ) -> bool {
        let enemy = side.other();
        let shown = usize::from(self.state.filed[enemy.i()].standing.scouts);
        let board = &self.state.board;
        let destroyers = board
            .fleets_in(enemy, at)
            .flat_map(|f| board.ships(enemy, f))
            .filter(|id| id.kind() == Kind::DD)
            .count()
            .min(shown);
        let fleet = came.keys().next().map_or(0, |k| u32::from(k.1));
        self.dice.at([u32::from(at.0), side.i() as u32, fleet]);
        let dice = [die(self.dice, "scouting"), die(self.dice, "scouting")];
        let roll = usize::from(dice[0] + dice[1]) + destroyers;
        let called = self.state.board.galaxy.called(at);
        let plus = if destroyers > 0 { format!(" + {destroyers}") } else { String::new() };
        let (whose, dice) = (side.whose(), format!("{} + {}{plus}", dice[0], dice[1]));
        if roll <= 10 {
            let text =
                say!("{whose} scouts at {called}, {dice} = {roll}: undetected, all there is seen.");
            self.say_to(side, text);
            self.reveal(side, at);
            return false;
        }
        self.say(say!("{whose} scouts at {called}, {dice} = {roll}: detected."));
        if fights {
            self.start_battle(Spot::System(at), side, came);
        }
        true
    }

    /// Sets a battle up; its rounds follow when the order that led to it is done.
    pub fn start_battle(&mut self, spot: Spot, moving: Side, came: BTreeMap<(Side, u8), System>) {
        let battle =
            Battle::begin(&self.state.board, spot, moving, came, Run::standing(&self.state));
        if let Some(action) = self.action() {
            action.battles += 1;
            action.battle = Some(battle);
        }
    }

    /// A fleet leaves for open space, or turns round there (§6.3).
    pub fn space(&mut self, now: &Now, fleet: u8, to: Option<System>) {
        let side = now.side;
        let Some(spot) = self.state.board.fleets.get(&(side, fleet)).copied() else { return };
        acts::apply(&mut self.state.board, now, &Act::Space(fleet, to));
        match (spot, to) {
            (Spot::Lane { from, .. }, None) => {
                self.say_to(side, say!("Fleet {fleet} turns round for {system}.", system = from));
            }
            (Spot::System(from), Some(to)) => {
                let whose = side.whose();
                self.say(say!("{whose} fleet {fleet} leaves {from} for open space."));
                self.say_to(side, say!("Fleet {fleet} is bound for {to}."));
                self.advance(side, fleet, side);
            }
            _ => {}
        }
    }
}
