//! Plans, conditions and sightings in words, for echo and printout.

use tongue::{count, say};

use super::acts;
use super::board::Board;
use super::court::Known;
use super::galaxy::System;
use super::kinds::{Kind, Name, Side};
use super::orders::{Act, Cond, Term, Test};
use super::standing::{Block, What};
use super::state::{Seen, Sighting, Spotted};
use super::view::View;

/// Joins things with `and`: `1 and 3`.
pub fn joined(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().reduce(|first, last| say!("{first} and {last}")).unwrap_or_default()
}

/// Joins things in sequence: `3, then 4`.
pub fn in_turn(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().reduce(|list, next| say!("{list}, then {next}")).unwrap_or_default()
}

/// A condition in words, each term with whether it is true now.
pub fn cond(view: &View, cond: &Cond) -> String {
    let known = Known {
        board: &view.board,
        side: view.side,
        left: view.left(),
        glory: view.glory,
        turn: view.turn,
    };
    let term = |t: &Term| {
        let condition = test(view, t.test, t.not);
        match known.is(t.test) != t.not {
            true => say!("{condition} (so now)"),
            false => say!("{condition} (not now)"),
        }
    };
    joined(cond.iter().map(term))
}

fn test(view: &View, test: Test, not: bool) -> String {
    let called = |s: System| view.board.galaxy.called(s);
    match (test, not) {
        (Test::Enemy(at), false) => say!("an enemy fleet is in {system}", system = called(at)),
        (Test::Enemy(at), true) => say!("no enemy fleet is in {system}", system = called(at)),
        (Test::Own(at), false) => say!("a fleet of yours is in {system}", system = called(at)),
        (Test::Own(at), true) => say!("no fleet of yours is in {system}", system = called(at)),
        (Test::Fleet(fleet, at), false) => {
            say!("fleet {fleet} is in {system}", system = called(at))
        }
        (Test::Fleet(fleet, at), true) => {
            say!("fleet {fleet} is not in {system}", system = called(at))
        }
        (Test::Holds(planet), false) => say!("{planet} is yours"),
        (Test::Holds(planet), true) => say!("{planet} is not yours"),
        (Test::Disputed(planet), false) => say!("{planet} is disputed"),
        (Test::Disputed(planet), true) => say!("{planet} is not disputed"),
        (Test::Mine(n), false) => say!("you have {n} or more activations left"),
        (Test::Mine(n), true) => say!("you have less than {n} activations left"),
        (Test::Theirs(n), false) => say!("the enemy has {n} or more activations left"),
        (Test::Theirs(n), true) => say!("the enemy has less than {n} activations left"),
        (Test::Glory(n), false) => say!("Glory is {n} or more"),
        (Test::Glory(n), true) => say!("Glory is less than {n}"),
        (Test::Turn(n), false) => say!("it is turn {n} or more"),
        (Test::Turn(n), true) => say!("it is turn less than {n}"),
        (Test::Roll(n), false) => say!("the Intervention roll was {n}"),
        (Test::Roll(n), true) => say!("the Intervention roll was not {n}"),
    }
}

/// A block in words.
pub fn block(view: &View, block: &Block) -> String {
    let body = match &block.what {
        What::Wait => say!("pass once"),
        What::Halt => say!("halt the segment, and both may send new cards"),
        What::Activate(system, acts) => {
            let called = view.board.galaxy.called(*system);
            let acts: Vec<String> =
                acts.iter().map(|(_, a)| act(&view.board, *system, a)).collect();
            match acts.is_empty() {
                true => say!("activate {called} and do nothing"),
                false => say!("in {called}: {acts}", acts = acts.join("; ")),
            }
        }
    };
    match block.cond.is_empty() {
        true => body,
        false => say!("if {condition}: {body}", condition = cond(view, &block.cond)),
    }
}

/// An act in words.
pub fn act(board: &Board, from: System, act: &Act) -> String {
    let called = |s: System| board.galaxy.called(s);
    let list = |names: &[Name]| names.iter().map(Name::to_string).collect::<Vec<_>>().join(", ");
    match act {
        Act::Move(fleets, legs) => {
            let n = fleets.len();
            let fleets = joined(fleets.iter().map(u8::to_string));
            let path = acts::path(board, from, legs).unwrap_or_else(|_| legs.clone());
            let over = path.len().saturating_sub(1);
            let via: Vec<String> = path[..over].iter().map(|l| l.to.to_string()).collect();
            let via = via.join(" ");
            let to = path.last().map_or_else(String::new, |l| called(l.to));
            match (via.is_empty(), path.iter().any(|l| l.fight)) {
                (true, false) => {
                    count!(n, "fleet {fleets} moves to {to}", "fleets {fleets} move to {to}")
                }
                (true, true) => count!(
                    n,
                    "fleet {fleets} moves to {to}, ready to fight",
                    "fleets {fleets} move to {to}, ready to fight"
                ),
                (false, false) => count!(
                    n,
                    "fleet {fleets} moves to {to} over {via}",
                    "fleets {fleets} move to {to} over {via}"
                ),
                (false, true) => count!(
                    n,
                    "fleet {fleets} moves to {to} over {via}, ready to fight",
                    "fleets {fleets} move to {to} over {via}, ready to fight"
                ),
            }
        }
        Act::Divide(fleet, new, units) => {
            say!("{units} leave fleet {fleet} as fleet {new}", units = list(units))
        }
        Act::Combine(a, b) => say!("fleet {b} joins fleet {a}"),
        Act::Load(carrier, unit) => say!("{unit} goes aboard {carrier}"),
        Act::Unload(carrier, planet) => say!("{carrier} unloads on {planet}"),
        Act::Engage => say!("engage the enemy's ships"),
        Act::Attack(planet, None) => say!("attack {planet}"),
        Act::Attack(planet, Some(fleets)) if fleets.is_empty() => {
            say!("bombard and attack {planet}")
        }
        Act::Attack(planet, Some(fleets)) => {
            let numbers: Vec<String> = fleets.iter().map(u8::to_string).collect();
            say!("bombard {planet} with fleets {fleets}", fleets = numbers.join(", "))
        }
        Act::Land(unit, hexes) => {
            say!("{unit} to hex {hexes}", hexes = in_turn(hexes.iter().map(u8::to_string)))
        }
        Act::NoFight(hex) => say!("no fight in hex {hex}"),
        Act::Evacuate(unit, carrier) => say!("{unit} leaves aboard {carrier}"),
        Act::Space(fleet, Some(to)) => {
            let system = called(*to);
            say!("fleet {fleet} leaves through open space for {system}")
        }
        Act::Space(fleet, None) => say!("fleet {fleet} turns round"),
    }
}

/// Units by type, such as `2 CL, 3 DD, TR damaged`.
pub fn counted(units: &[Seen]) -> String {
    if units.is_empty() {
        return say!("nothing");
    }
    let mut parts: Vec<String> = Vec::new();
    for kind in Kind::ALL {
        for damaged in [false, true] {
            let n = units.iter().filter(|u| u.kind == kind && u.damaged == damaged).count();
            let units = match n {
                0 => continue,
                1 => kind.code().to_owned(),
                n => format!("{n} {}", kind.code()),
            };
            parts.push(if damaged { say!("{units} damaged") } else { units });
        }
    }
    parts.join(", ")
}

/// The age of a sighting in words.
pub fn age(view: &View, sighting: &Sighting) -> String {
    match view.clock.saturating_sub(sighting.turn) {
        0 => say!("seen this turn"),
        1 => say!("seen last turn"),
        n => count!(n, "seen {n} turn ago", "seen {n} turns ago"),
    }
}

/// The knowledge of an enemy fleet, in words.
pub fn fleet(view: &View, fleet: u8) -> String {
    match view.known.get(&Spotted::Fleet(fleet)) {
        None => say!("fleet {fleet}: unknown"),
        Some(s) => {
            let (units, age) = (counted(&s.units), age(view, s));
            say!("fleet {fleet}: {units} ({age})")
        }
    }
}

/// An enemy fleet with its owner, in words.
pub fn fleet_of(view: &View, side: Side, fleet: u8) -> String {
    let whose = side.whose();
    match view.known.get(&Spotted::Fleet(fleet)) {
        None => say!("{whose} fleet {fleet}: unknown"),
        Some(s) => {
            let (units, age) = (counted(&s.units), age(view, s));
            say!("{whose} fleet {fleet}: {units} ({age})")
        }
    }
}
