//! Where a computer sends its war groups, and how it values places.

use super::super::board::Marker;
use super::super::galaxy::System;
use super::super::kinds::{Side, UnitId};
use super::super::odds::Paper;
use super::{Activation, TRIALS, Thinker};
use crate::computer::ground;
use crate::counters;

impl Thinker<'_> {
    /// Sends a war group to a place that it can take or must hold, otherwise to the strongest
    /// group.
    pub(super) fn group(&mut self, at: System, war: &[u8], act: &mut Activation) {
        let own: i64 = war.iter().map(|f| self.fleet_worth(*f)).sum();
        let jumps = war.iter().filter_map(|f| self.board.slowest(self.side, *f)).map(|s| s.1).min();
        let Some(jumps) = jumps.filter(|j| *j > 0) else { return };
        let far = self.board.galaxy.jumps([at], |_| true);
        let near = |s: System| far.get(usize::from(s.0) - 1).copied().flatten().map(i64::from);
        let mut options: Vec<(i64, System)> = Vec::new();
        for goal in self.board.galaxy.all() {
            let Some(d) = near(goal) else { continue };
            let mut score = self.value(goal, own, war);
            if score <= 0 {
                continue;
            }
            let moves = (d + i64::from(jumps) - 1) / i64::from(jumps).max(1);
            score -= 2 * moves + d;
            if let Some(sent) = self.aimed.get(&goal).filter(|_| goal != at) {
                score -= sent / 4;
            }
            if score > 0 {
                options.push((score, goal));
            }
        }
        options.sort_by_key(|(score, goal)| (std::cmp::Reverse(*score), *goal));
        let second = options.len() > 1 && self.dice.below("second best", 1000) < self.mind.blunders;
        let chosen = options.get(usize::from(second)).copied();
        let Some((score, goal)) = chosen else {
            // The group is too weak for any goal, so it joins the strongest group.
            let rally = self.rally().filter(|r| *r != at);
            if let Some(rally) = rally.filter(|_| self.guard(at) == 0) {
                self.walk(war, at, rally, act, 10);
            }
            return;
        };
        if goal == at {
            return;
        }
        *self.aimed.entry(goal).or_default() += own;
        self.strike(at, war, goal, score, act);
    }

    /// Moves a group to its goal, or as far towards it as is safe.
    pub(super) fn strike(
        &mut self,
        at: System,
        war: &[u8],
        goal: System,
        score: i64,
        act: &mut Activation,
    ) {
        let jumps = war.iter().filter_map(|f| self.board.slowest(self.side, *f)).map(|s| s.1).min();
        let Some(jumps) = jumps else { return };
        let closed = |s: System| s != goal && self.board.occupied(self.enemy(), s);
        let from_goal = self.board.galaxy.jumps([goal], |s| s == at || !closed(s));
        let direct = from_goal.get(usize::from(at.0) - 1).copied().flatten();
        let Some(direct) = direct else {
            // The way leads through other enemy systems, so attack the first of them.
            if self.peace() || self.board.court.talks {
                return;
            }
            if let Some(path) = self.board.galaxy.path(at, goal) {
                let next = path.iter().copied().find(|s| self.board.occupied(self.enemy(), *s));
                if let Some(next) = next.filter(|n| *n != goal) {
                    let own: i64 = war.iter().map(|f| self.fleet_worth(*f)).sum();
                    if 100 * own >= self.mind.odds * self.enemy_worth(next) {
                        self.strike(at, war, next, score, act);
                    }
                }
            }
            return;
        };
        let numbers: Vec<String> = war.iter().map(u8::to_string).collect();
        let urgency = 35 + score.clamp(0, 20);
        if direct <= jumps {
            let fight = if self.board.occupied(self.enemy(), goal) { "!" } else { "" };
            let mut path = Vec::new();
            let mut here = at;
            while here != goal {
                let left = |s: System| from_goal.get(usize::from(s.0) - 1).copied().flatten();
                let now = left(here).unwrap_or(0);
                let next =
                    self.board.galaxy.near(here).find(|n| left(*n).is_some_and(|d| d + 1 == now));
                let Some(next) = next else { return };
                path.push(next.to_string());
                here = next;
            }
            act.lines.push(format!("M {} {}{fight}", numbers.join("+"), path.join(" ")));
            act.urgency = act.urgency.max(urgency);
            self.go(war, goal);
            return;
        }
        // Move up to the last safe system before the goal.
        self.walk(war, at, goal, act, urgency - 10);
    }

    /// The value of a goal to a group; 0: none, or too dangerous.
    pub(super) fn value(&mut self, goal: System, own: i64, war: &[u8]) -> i64 {
        let enemy = self.enemy();
        let guard = self.guard(goal);
        if self.peace() || self.board.court.talks {
            // In peace, nobody enters systems with enemies.
            let enemies = self.board.occupied(enemy, goal) || self.enemy_worth(goal) > 0;
            return if enemies { 0 } else { guard };
        }
        let ships = self.enemy_worth(goal);
        let present = self.board.fleets_in(enemy, goal).next().is_some();
        let mut value = guard;
        for planet in self.board.galaxy.planets(goal) {
            match self.board.marker(planet) {
                Some((side, marker)) if side == enemy => {
                    let prize = if marker == Marker::World { 45 } else { 24 };
                    let fits = |id: &UnitId| counters::fits(&self.board, id.kind(), planet);
                    let able = self.troops_aboard(war).iter().filter(|id| fits(id)).count();
                    let garrison = self.defenders(planet);
                    let troops = garrison.iter().filter(|k| k.is_troops()).count();
                    value += match able {
                        0 => prize / 6,
                        n if n > troops => prize - 2 * i64::try_from(garrison.len()).unwrap_or(0),
                        _ => prize / 3,
                    };
                }
                Some(_) if present => value += 12,
                None if ground::is_goal(self, planet) || self.lurks(planet) => {
                    let fits = |id: &UnitId| counters::fits(&self.board, id.kind(), planet);
                    let able = self.troops_aboard(war).iter().any(fits);
                    let prize = if ground::is_goal(self, planet) { 30 } else { 9 };
                    value += if able { prize } else { prize / 6 };
                }
                _ => {}
            }
        }
        if present {
            value += (ships / 2).min(16);
        }
        if value == 0 || !present && value == guard {
            return value;
        }
        let against = ships + self.ground_worth(goal) / 2;
        if 100 * own < self.odds_now() * against {
            return 0;
        }
        if self.mind.tries && present {
            let mut paper = Paper::of(self.view);
            let board = &self.board;
            if let Some(odds) =
                paper.battle(board, (self.view, &self.view.filed.standing), war, goal, TRIALS)
                && odds.wins < 60
            {
                return 0;
            }
        }
        if self.mind.reply {
            let reply = self.threat(goal);
            if 100 * reply > 160 * own {
                value -= 5;
            }
        }
        value.max(0)
    }

    /// The odds needed for an attack. Late in a war, a side takes more risk if Glory is against it,
    /// and in the first war less if Glory favours it.
    pub(super) fn odds_now(&self) -> i64 {
        let ahead = match self.side {
            Side::Terran => 5 - self.view.glory,
            Side::Imperial => self.view.glory - 5,
        };
        // With each war the computer takes more risk, so that a campaign ends.
        let wars = i64::from(self.view.war.saturating_sub(1));
        let least = if wars > 12 { 40 } else { 85 };
        let odds = (self.mind.odds - 8 * wars).max(least);
        let late = self.view.turn >= 6;
        match (late, ahead) {
            (true, 2..) if self.view.war == 1 => odds + 60,
            (true, ..=-1) => odds - 25,
            _ => odds,
        }
    }

    /// The value of staying in an own system that the enemy threatens.
    pub(super) fn guard(&self, at: System) -> i64 {
        let mut worth = 0;
        for planet in self.board.galaxy.planets(at) {
            if let Some((side, marker)) = self.board.marker(planet)
                && side == self.side
            {
                worth += if marker == Marker::World { 12 } else { 2 };
            }
        }
        if worth == 0 {
            return 0;
        }
        let threat = self.threat(at) / 2 + self.enemy_worth(at);
        let fleets = self.board.fleets_in(self.side, at);
        let moved: i64 = fleets.filter(|f| !self.unmoved(*f)).map(|f| self.fleet_worth(f)).sum();
        let monitors: i64 = self
            .board
            .monitors(self.side, at)
            .map(|id| i64::from(self.board.worth(id)) * 3 / 2)
            .sum();
        if threat > moved + monitors + 5 { worth } else { 0 }
    }
}
