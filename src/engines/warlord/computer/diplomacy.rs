//! Alliances, coalitions and the messages that make them: allies are chosen with care,
//! kept, and left for a reason and with notice.

use std::collections::BTreeSet;

use super::super::desk::Param;
use super::super::events::Event;
use super::super::state::NOBODY;
use super::Brain;
use engine::geometry::Place;

/// Message codes of the talk (§12).
const ATTACK: u16 = 101;
const STRIKE: u16 = 107;
const HELP: u16 = 113;
const GREETING: u16 = 151;
const ASK: u16 = 401;
const DECLINE: u16 = 402;
const LATER: u16 = 403;
const ACCEPT: u16 = 405;
const DROPPED: u16 = 410;

/// Turns for which an attack is remembered.
const GRUDGE: u32 = 10;
/// Turns between the notice that an alliance ends and its end.
const NOTICE: u32 = 3;
/// Regiments before a city that are worth a call for help.
const HELP_REGIMENTS: u32 = 10;
/// Sectors within which something else must be left to conquer.
const ROOM: i32 = 20;

impl Brain<'_> {
    pub fn talk(&mut self) {
        let mut asked = BTreeSet::new();
        let mut accepted = BTreeSet::new();
        let mut dropped = BTreeSet::new();
        for event in &self.view.events {
            let Event::Message { from, sentences, .. } = event else { continue };
            for told in sentences {
                match (told.sentence.code, told.sentence.params.as_slice()) {
                    (ASK, _) => drop(asked.insert(*from)),
                    (ACCEPT, _) => drop(accepted.insert(*from)),
                    (DROPPED, _) => drop(dropped.insert(*from)),
                    (ATTACK | STRIKE, [_, Param::Number(player), ..])
                        if self.power.allies.contains(from) =>
                    {
                        self.rally = u8::try_from(*player).ok();
                    }
                    _ => {}
                }
            }
        }
        self.remember_attacks();
        for player in dropped {
            if self.power.allies.contains(&player) && !self.view.coalition.contains(&player) {
                self.declare(player);
            }
        }
        let with: BTreeSet<u8> = asked.union(&accepted).copied().collect();
        for player in with {
            if self.power.allies.contains(&player) {
                continue;
            }
            if self.may_ally(player) {
                self.declare(player);
                self.say(format!("Y {player} {ACCEPT}"));
            } else if asked.contains(&player) {
                let answer = if self.aims_at(player) { DECLINE } else { LATER };
                self.say(format!("Y {player} {answer}"));
            }
        }
        self.seek_allies();
        self.leave_allies();
        self.coalesce();
    }

    /// Who fought on own ground, or for a city of this empire.
    fn remember_attacks(&mut self) {
        let turn = self.view.turn;
        let me = self.view.seat;
        for event in &self.view.events {
            let by = match event {
                Event::Battle { attacker, defender, .. } if defender.seat == me => attacker.seat,
                Event::CityAssault { attacker, owner, .. } if *owner == me => attacker.seat,
                _ => NOBODY,
            };
            if by != NOBODY && by != me {
                self.notes.attacks.insert(by, turn);
            }
        }
        self.notes.attacks.retain(|_, when| *when + GRUDGE > turn);
    }

    fn aims_at(&self, player: u8) -> bool {
        let mut aims = self.notes.aims.iter().filter_map(|n| self.targets.get(n));
        aims.any(|c| c.seen.owner == Some(player))
    }

    /// Whether an alliance with a player is wanted: there is room, they do not lead, and
    /// they keep the peace.
    fn may_ally(&self, player: u8) -> bool {
        let room = self.power.allies.len()
            < self.level.allies + usize::from(self.leader.is_some() && self.level.breaks > 0);
        room && self.leader != Some(player)
            && !self.notes.breaks.contains_key(&player)
            && (self.level.breaks == 0 || !self.notes.attacks.contains_key(&player))
    }

    fn declare(&mut self, player: u8) {
        self.say(format!("D {player}"));
        if !self.power.allies.remove(&player) {
            self.power.allies.insert(player);
        }
        self.find_targets();
    }

    /// Asks a neighbour who was met in the last turn; against a leader others too.
    fn seek_allies(&mut self) {
        let turn = self.view.turn - 1;
        let again = self.leader.is_some()
            && self.level.breaks > 0
            && self.view.turn % 5 == u32::from(self.view.seat) % 5;
        let met = self
            .view
            .power
            .met
            .iter()
            .filter(|(_, m)| turn > 0 && (m.first == turn || again && m.last + 3 > turn));
        let new: Vec<u8> = met.map(|(p, _)| *p).collect();
        let player = new.into_iter().find(|p| !self.power.allies.contains(p) && self.may_ally(*p));
        let Some(player) = player else { return };
        // Place: who is asked.
        if self.dice.at([player.into()]).below("whether to ask", 3) > 0 {
            self.say(format!("Y {player} {GREETING} {ASK}"));
        }
    }

    /// An ally who leads, or who is all that is left to conquer, gets notice, and some
    /// turns later is an ally no longer.
    fn leave_allies(&mut self) {
        let turn = self.view.turn;
        let gone: Vec<u8> = self.notes.breaks.keys().copied().collect();
        for ally in gone {
            let due = self.notes.breaks[&ally] + NOTICE <= turn;
            let free = !self.view.coalition.contains(&ally);
            if due && free && self.power.allies.contains(&ally) {
                self.declare(ally);
            }
            if self.notes.breaks[&ally] + 4 * NOTICE <= turn {
                self.notes.breaks.remove(&ally);
            }
        }
        if self.level.breaks == 0 || turn < 15 {
            return;
        }
        let near = |at: Place| {
            self.power.cities.values().any(|c| self.view.grid.distance(c.at, at) <= ROOM)
        };
        let room = self.targets.values().any(|c| near(c.at));
        let coalition = &self.view.coalition;
        let free = |a: &&u8| !coalition.contains(a) && !self.notes.breaks.contains_key(a);
        let allies = self.power.allies.iter().filter(free);
        let leaving = allies.copied().find(|a| self.leader == Some(*a) || !room);
        let Some(ally) = leaving else { return };
        // Place: the ally.
        if self.leader == Some(ally)
            || self.dice.at([ally.into()]).below("patience with an ally", 4) == 0
        {
            self.notes.breaks.insert(ally, turn);
            self.say(format!("Y {ally} {DROPPED}"));
        }
    }

    /// From the turn of the sheet on: a coalition with an ally, by those who are far
    /// behind; later by those who win together.
    fn coalesce(&mut self) {
        let turn = self.view.turn;
        let sheet = self.view.tables.rules.victory.coalition_turn + 5;
        let pledged = !self.view.coalition.is_empty() || !self.power.pledges.is_empty();
        if turn < sheet || pledged {
            return;
        }
        let standing = &self.view.standing;
        let behind = standing.own.total() * 2 < standing.best;
        let of = |seat: u8| self.view.cities.iter().filter(move |c| c.seen.owner == Some(seat));
        let own = self.power.cities.len();
        let need = self.cities_to_win() as usize;
        let wins = |a: u8| turn >= self.level.coalition && own + of(a).count() >= need;
        let mut allies = self.power.allies.iter().copied();
        let ally = if behind { allies.next() } else { allies.find(|a| wins(*a)) };
        if let Some(ally) = ally {
            self.say(format!("J {ally}"));
        }
    }

    /// Tells allies of the attack that is under way, or calls them.
    pub fn tell_allies(&mut self) {
        let Some(ally) =
            self.power.allies.iter().copied().find(|a| !self.notes.breaks.contains_key(a))
        else {
            return;
        };
        let pressed = self.threats.iter().filter(|(_, n)| **n >= HELP_REGIMENTS);
        let pressed = pressed.max_by_key(|(city, n)| (**n, std::cmp::Reverse(**city)));
        let foe = pressed.and_then(|(city, _)| {
            let at = self.power.cities.get(city)?.at;
            let near = self.view.spotted.iter().filter(|s| self.is_enemy(s));
            let near = near.filter(|s| self.view.grid.distance(s.at, at) <= super::THREAT_RANGE);
            near.max_by_key(|s| (s.size, s.at)).map(|s| (s.owner, at))
        });
        if let Some((foe, at)) = foe {
            let sector = self.sector(at);
            self.say(format!("Y {ally} {HELP} {foe} {sector}"));
            return;
        }
        let strike = self.fights.iter().filter(|f| (2..=4).contains(&f.turns));
        let strike = strike.max_by_key(|f| (f.weight, f.at)).map(|f| (f.at, f.turns));
        let Some((at, turns)) = strike else { return };
        let owner = self.targets.values().find(|c| c.at == at).and_then(|c| c.seen.owner);
        if let Some(foe) = owner.filter(|o| *o != NOBODY) {
            let sector = self.sector(at);
            self.say(format!("Y {ally} {STRIKE} {turns} {foe} {sector}"));
        }
    }
}
