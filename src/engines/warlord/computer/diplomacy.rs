//! Alliances, coalitions and the messages that make them.

use std::collections::BTreeSet;

use super::super::events::Event;
use super::Brain;

/// Message codes of the talk about alliances (§12).
const GREETING: u16 = 151;
const ASK: u16 = 401;
const ACCEPT: u16 = 405;
const DECLINE: u16 = 402;
const DROPPED: u16 = 410;

impl Brain<'_> {
    pub fn talk(&mut self) {
        let mut asked = BTreeSet::new();
        let mut accepted = BTreeSet::new();
        let mut dropped = BTreeSet::new();
        for event in &self.view.events {
            let Event::Message { from, sentences, .. } = event else { continue };
            for told in sentences {
                match told.sentence.code {
                    ASK => drop(asked.insert(*from)),
                    ACCEPT => drop(accepted.insert(*from)),
                    DROPPED => drop(dropped.insert(*from)),
                    _ => {}
                }
            }
        }
        for player in dropped {
            if self.power.allies.contains(&player) && !self.view.coalition.contains(&player) {
                self.declare(player);
            }
        }
        let with: BTreeSet<u8> = asked.union(&accepted).copied().collect();
        for player in with {
            let ally = self.power.allies.contains(&player);
            let room = self.power.allies.len() < self.level.allies;
            match (ally, room) {
                (false, true) => {
                    self.declare(player);
                    self.say(format!("Y {player} {ACCEPT}"));
                }
                (false, false) if asked.contains(&player) => {
                    self.say(format!("Y {player} {DECLINE}"));
                }
                _ => {}
            }
        }
        self.seek_ally();
        self.drop_useless();
        self.coalesce();
    }

    fn declare(&mut self, player: u8) {
        self.say(format!("D {player}"));
        if !self.power.allies.remove(&player) {
            self.power.allies.insert(player);
        }
        self.find_targets();
    }

    /// Asks the neighbour who was met last, once.
    fn seek_ally(&mut self) {
        if self.power.allies.len() >= self.level.allies {
            return;
        }
        let turn = self.view.turn - 1;
        let new = self.view.power.met.iter().filter(|(_, m)| m.first == turn && turn > 0);
        let new: Vec<u8> = new.map(|(p, _)| *p).collect();
        for player in new.into_iter().take(1) {
            // Place: who is asked.
            if self.dice.at([player.into()]).below("whether to ask", 3) > 0 {
                self.say(format!("Y {player} {GREETING} {ASK}"));
            }
        }
    }

    /// An ally who is all that is left to conquer is an ally no longer.
    fn drop_useless(&mut self) {
        if !self.targets.is_empty() || self.view.turn < 15 || !self.view.coalition.is_empty() {
            return;
        }
        let Some(ally) = self.power.allies.iter().next().copied() else { return };
        // Place: the ally.
        if self.dice.at([ally.into()]).below("patience with an ally", 4) == 0 {
            self.declare(ally);
            self.say(format!("Y {ally} {DROPPED}"));
        }
    }

    /// From the turn of the sheet on: a coalition with the first ally, by those
    /// who are far behind.
    fn coalesce(&mut self) {
        let rules = &self.view.tables.rules.victory;
        let standing = &self.view.standing;
        let behind = standing.own.total() * 2 < standing.best;
        if self.view.turn < rules.coalition_turn + 5 || !self.view.coalition.is_empty() || !behind {
            return;
        }
        let ally = self.power.allies.iter().find(|a| !self.power.pledges.contains(a)).copied();
        if let Some(ally) = ally.filter(|_| self.power.pledges.is_empty()) {
            self.say(format!("J {ally}"));
        }
    }
}
