//! How a computer moves scouts and transports.

use super::super::board::{Marker, Place, Spot};
use super::super::galaxy::{HOMES, Planet, SOL, System};
use super::super::kinds::{Kind, Side, UnitId};
use super::{Activation, Thinker};

impl Thinker<'_> {
    /// Sends scouts to enemy systems that are unknown or were not seen lately.
    pub(super) fn scouts(&mut self, at: System, fleets: &[u8], act: &mut Activation) {
        if self.peace() || self.board.court.talks {
            return;
        }
        for fleet in fleets {
            if !self.is_scouts(*fleet) {
                continue;
            }
            let far = self.board.galaxy.jumps([at], |_| true);
            let near = |s: System| far.get(usize::from(s.0) - 1).copied().flatten();
            let jumps = self.board.slowest(self.side, *fleet).map_or(0, |s| s.1);
            let mut goals: Vec<System> = self
                .board
                .galaxy
                .all()
                .filter(|s| {
                    self.board.occupied(self.enemy(), *s)
                        && !self.scouted.contains(s)
                        && near(*s).is_some_and(|d| d > 0 && d <= jumps)
                        && self.staleness(*s) > 0
                })
                .collect();
            goals.sort_by_key(|s| (std::cmp::Reverse(self.staleness(*s)), near(*s), *s));
            let Some(goal) = goals.first().copied() else { continue };
            self.scouted.insert(goal);
            act.lines.push(format!("M {fleet} {goal}"));
            act.urgency = act.urgency.max(20);
            self.go(&[*fleet], goal);
        }
    }

    /// Sends transports with Outposts to free planets, and others home or to the strongest group.
    pub(super) fn carriers(
        &mut self,
        at: System,
        (fleets, war): (&[u8], &[u8]),
        act: &mut Activation,
    ) {
        for fleet in fleets {
            let waits = self.is_war(*fleet) || self.is_scouts(*fleet) || !self.unmoved(*fleet);
            if waits || war.contains(fleet) {
                continue;
            }
            let ships: Vec<UnitId> = self.board.ships(self.side, *fleet).collect();
            let loaded: Vec<UnitId> = ships
                .iter()
                .copied()
                .filter(|s| self.board.aboard(*s).any(|c| c.kind() == Kind::OP))
                .collect();
            if !loaded.is_empty() {
                let free = self.free_planets();
                let from = self.board.galaxy.jumps([at], |s| !self.board.occupied(self.enemy(), s));
                let near = |s: System| from.get(usize::from(s.0) - 1).copied().flatten();
                let mut free: Vec<Planet> =
                    free.into_iter().filter(|p| near(p.system).is_some()).collect();
                free.sort_by_key(|p| (near(p.system), *p));
                // Each Outpost goes its own way.
                let mut parts = loaded.iter().copied().peekable();
                while let Some(ship) = parts.next() {
                    let Some(planet) = free.iter().copied().find(|p| !self.taken.contains(p))
                    else {
                        break;
                    };
                    let alone = parts.peek().is_none() && loaded.len() == ships.len();
                    let number =
                        if alone { Some(*fleet) } else { self.board.free_fleet(self.side) };
                    let Some(number) = number.filter(|_| planet.system != at) else { continue };
                    self.taken.insert(planet);
                    if !alone {
                        act.lines.push(format!("D {fleet} {number} {}", ship.name));
                        self.board.fleets.insert((self.side, number), Spot::System(at));
                        self.board.put(ship, Place::Fleet(number));
                    }
                    self.walk(&[number], at, planet.system, act, 25);
                }
                continue;
            }
            // Troops go to the strongest group, empty transports to where Outposts and troops
            // arrive.
            let home = self.home();
            let rally = self.rally();
            let to = if self.troops_aboard(&[*fleet]).is_empty() { home } else { rally.or(home) };
            if let Some(to) = to.filter(|to| *to != at) {
                self.walk(&[*fleet], at, to, act, 8);
            }
        }
    }

    /// The World where own arrivals gather.
    pub(super) fn home(&self) -> Option<System> {
        let worlds = self.board.held(self.side, Marker::World);
        let first = match self.side {
            Side::Terran => worlds.iter().find(|p| **p == SOL),
            Side::Imperial => worlds.iter().find(|p| HOMES.contains(p)),
        };
        first.or(worlds.first()).map(|p| p.system)
    }

    /// The place of the strongest group.
    pub(super) fn rally(&self) -> Option<System> {
        let mut best: Option<(i64, System)> = None;
        for system in self.board.galaxy.all() {
            let fleets = self.board.fleets_in(self.side, system);
            let worth: i64 = fleets.map(|f| self.fleet_worth(f)).sum();
            if worth > 0 && best.is_none_or(|(w, _)| worth > w) {
                best = Some((worth, system));
            }
        }
        best.map(|b| b.1)
    }

    /// Moves fleets towards a goal through systems without enemies, as far as they can go.
    pub(super) fn walk(
        &mut self,
        fleets: &[u8],
        from: System,
        to: System,
        act: &mut Activation,
        urgency: i64,
    ) {
        let jumps = fleets.iter().filter_map(|f| self.board.slowest(self.side, *f)).map(|s| s.1);
        let Some(jumps) = jumps.min() else { return };
        let closed = |s: System| self.board.occupied(self.enemy(), s);
        let far = self.board.galaxy.jumps([to], |s| s == from || !closed(s));
        let left = |s: System| far.get(usize::from(s.0) - 1).copied().flatten();
        let mut at = from;
        let mut path = Vec::new();
        while path.len() < jumps as usize && at != to {
            let Some(here) = left(at) else { break };
            let next = self.board.galaxy.near(at).find(|n| left(*n).is_some_and(|d| d + 1 == here));
            let Some(next) = next.filter(|n| !closed(*n)) else { break };
            path.push(next.to_string());
            at = next;
        }
        if path.is_empty() {
            return;
        }
        let numbers: Vec<String> = fleets.iter().map(u8::to_string).collect();
        act.lines.push(format!("M {} {}", numbers.join("+"), path.join(" ")));
        act.urgency = act.urgency.max(urgency);
        self.go(fleets, at);
    }

    pub(super) fn go(&mut self, fleets: &[u8], to: System) {
        for fleet in fleets {
            self.board.fleets.insert((self.side, *fleet), Spot::System(to));
            let ships: Vec<UnitId> = self.board.ships(self.side, *fleet).collect();
            for id in ships {
                if let Some(unit) = self.board.units.get_mut(&id) {
                    unit.moved = true;
                }
            }
        }
    }
}
