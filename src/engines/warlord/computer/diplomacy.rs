//! Alliances, coalitions and the messages for them: a computer player chooses its allies with care,
//! keeps them, and leaves them only for a reason and after notice.

use std::collections::BTreeSet;

use super::super::desk::Param;
use super::super::events::Event;
use super::super::state::NOBODY;
use super::Brain;
use engine::geometry::Place;

/// Codes of the messages that it sends and understands (§12).
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
/// Enemy regiments near a city from which it calls for help.
const HELP_REGIMENTS: u32 = 10;
/// Sectors around own cities within which there must be something else to conquer.
const ROOM: i32 = 20;

pub fn talk(brain: &mut Brain) {
    let mut asked = BTreeSet::new();
    let mut accepted = BTreeSet::new();
    let mut dropped = BTreeSet::new();
    for event in &brain.view.events {
        let Event::Message { from, sentences, .. } = event else { continue };
        for told in sentences {
            match (told.sentence.code, told.sentence.params.as_slice()) {
                (ASK, _) => drop(asked.insert(*from)),
                (ACCEPT, _) => drop(accepted.insert(*from)),
                (DROPPED, _) => drop(dropped.insert(*from)),
                (ATTACK | STRIKE, [_, Param::Number(player), ..])
                    if brain.power.allies.contains(from) =>
                {
                    brain.rally = u8::try_from(*player).ok();
                }
                _ => {}
            }
        }
    }
    remember_attacks(brain);
    for player in dropped {
        if brain.power.allies.contains(&player) && !brain.view.coalition.contains(&player) {
            declare(brain, player);
        }
    }
    let with: BTreeSet<u8> = asked.union(&accepted).copied().collect();
    for player in with {
        if brain.power.allies.contains(&player) {
            continue;
        }
        if may_ally(brain, player) {
            declare(brain, player);
            brain.order(format!("Y {player} {ACCEPT}"));
        } else if asked.contains(&player) {
            let answer = if aims_at(brain, player) { DECLINE } else { LATER };
            brain.order(format!("Y {player} {answer}"));
        }
    }
    seek_allies(brain);
    leave_allies(brain);
    coalesce(brain);
}

/// Notes the players who attacked units or cities of this empire.
fn remember_attacks(brain: &mut Brain) {
    let turn = brain.view.turn;
    let me = brain.view.seat;
    for event in &brain.view.events {
        let by = match event {
            Event::Battle { attacker, defender, .. } if defender.seat == me => attacker.seat,
            Event::CityAssault { attacker, owner, .. } if *owner == me => attacker.seat,
            _ => NOBODY,
        };
        if by != NOBODY && by != me {
            brain.notes.attacks.insert(by, turn);
        }
    }
    brain.notes.attacks.retain(|_, when| *when + GRUDGE > turn);
}

fn aims_at(brain: &Brain, player: u8) -> bool {
    let mut aims = brain.notes.aims.iter().filter_map(|n| brain.targets.get(n));
    aims.any(|c| c.seen.owner == Some(player))
}

/// Whether an alliance with a player is wanted: there is room for one more, the player does not
/// lead, and keeps the peace.
fn may_ally(brain: &Brain, player: u8) -> bool {
    let room = brain.power.allies.len()
        < brain.level.allies + usize::from(brain.leader.is_some() && brain.level.breaks > 0);
    room && brain.leader != Some(player)
        && !brain.notes.breaks.contains_key(&player)
        && (brain.level.breaks == 0 || !brain.notes.attacks.contains_key(&player))
}

fn declare(brain: &mut Brain, player: u8) {
    brain.order(format!("D {player}"));
    if !brain.power.allies.remove(&player) {
        brain.power.allies.insert(player);
    }
    brain.find_targets();
}

/// Asks a neighbour first met in the last turn; when somebody leads, it asks others too.
fn seek_allies(brain: &mut Brain) {
    let turn = brain.view.turn - 1;
    let again = brain.leader.is_some()
        && brain.level.breaks > 0
        && brain.view.turn % 5 == u32::from(brain.view.seat) % 5;
    let met = brain
        .view
        .power
        .met
        .iter()
        .filter(|(_, m)| turn > 0 && (m.first == turn || again && m.last + 3 > turn));
    let new: Vec<u8> = met.map(|(p, _)| *p).collect();
    let player = new.into_iter().find(|p| !brain.power.allies.contains(p) && may_ally(brain, *p));
    let Some(player) = player else { return };
    // Place of the roll: the player who is asked.
    if brain.dice.at([player.into()]).below("whether to ask", 3) > 0 {
        brain.order(format!("Y {player} {GREETING} {ASK}"));
    }
}

/// Gives notice to an ally who leads, or to one when nothing else is left to conquer, and ends the
/// alliance some turns later.
fn leave_allies(brain: &mut Brain) {
    let turn = brain.view.turn;
    let gone: Vec<u8> = brain.notes.breaks.keys().copied().collect();
    for ally in gone {
        let due = brain.notes.breaks[&ally] + NOTICE <= turn;
        let free = !brain.view.coalition.contains(&ally);
        if due && free && brain.power.allies.contains(&ally) {
            declare(brain, ally);
        }
        if brain.notes.breaks[&ally] + 4 * NOTICE <= turn {
            brain.notes.breaks.remove(&ally);
        }
    }
    if brain.level.breaks == 0 || turn < 15 {
        return;
    }
    let near =
        |at: Place| brain.power.cities.values().any(|c| brain.view.grid.distance(c.at, at) <= ROOM);
    let room = brain.targets.values().any(|c| near(c.at));
    let coalition = &brain.view.coalition;
    let free = |a: &&u8| !coalition.contains(a) && !brain.notes.breaks.contains_key(a);
    let allies = brain.power.allies.iter().filter(free);
    let leaving = allies.copied().find(|a| brain.leader == Some(*a) || !room);
    let Some(ally) = leaving else { return };
    // Place of the roll: the ally.
    if brain.leader == Some(ally)
        || brain.dice.at([ally.into()]).below("patience with an ally", 4) == 0
    {
        brain.notes.breaks.insert(ally, turn);
        brain.order(format!("Y {ally} {DROPPED}"));
    }
}

/// Pledges a coalition with an ally: some turns after coalitions begin if this seat is far behind,
/// else once it is late enough and both together would win.
fn coalesce(brain: &mut Brain) {
    let turn = brain.view.turn;
    let sheet = brain.view.tables.rules.victory.coalition_turn + 5;
    let pledged = !brain.view.coalition.is_empty() || !brain.power.pledges.is_empty();
    if turn < sheet || pledged {
        return;
    }
    let standing = &brain.view.standing;
    let behind = standing.own.total() * 2 < standing.best;
    let of = |seat: u8| brain.view.cities.iter().filter(move |c| c.seen.owner == Some(seat));
    let own = brain.power.cities.len();
    let need = brain.cities_to_win() as usize;
    let wins = |a: u8| turn >= brain.level.coalition && own + of(a).count() >= need;
    let mut allies = brain.power.allies.iter().copied();
    let ally = if behind { allies.next() } else { allies.find(|a| wins(*a)) };
    if let Some(ally) = ally {
        brain.order(format!("J {ally}"));
    }
}

/// Asks an ally for help, or announces the attack that is under way.
pub fn tell_allies(brain: &mut Brain) {
    let Some(ally) =
        brain.power.allies.iter().copied().find(|a| !brain.notes.breaks.contains_key(a))
    else {
        return;
    };
    let pressed = brain.threats.iter().filter(|(_, n)| **n >= HELP_REGIMENTS);
    let pressed = pressed.max_by_key(|(city, n)| (**n, std::cmp::Reverse(**city)));
    let foe = pressed.and_then(|(city, _)| {
        let at = brain.power.cities.get(city)?.at;
        let near = brain.view.spotted.iter().filter(|s| brain.is_enemy(s));
        let near = near.filter(|s| brain.view.grid.distance(s.at, at) <= super::THREAT_RANGE);
        near.max_by_key(|s| (s.size, s.at)).map(|s| (s.owner, at))
    });
    if let Some((foe, at)) = foe {
        let sector = brain.sector(at);
        brain.order(format!("Y {ally} {HELP} {foe} {sector}"));
        return;
    }
    let strike = brain.fights.iter().filter(|f| (2..=4).contains(&f.turns));
    let strike = strike.max_by_key(|f| (f.weight, f.at)).map(|f| (f.at, f.turns));
    let Some((at, turns)) = strike else { return };
    let owner = brain.targets.values().find(|c| c.at == at).and_then(|c| c.seen.owner);
    if let Some(foe) = owner.filter(|o| *o != NOBODY) {
        let sector = brain.sector(at);
        brain.order(format!("Y {ally} {STRIKE} {turns} {foe} {sector}"));
    }
}
