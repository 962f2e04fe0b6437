//! Plans, conditions and sightings in words, for echo and printout.

use super::acts;
use super::board::Board;
use super::court::Known;
use super::galaxy::System;
use super::kinds::{Kind, Name};
use super::orders::{Act, Cond, Term, Test};
use super::standing::{Block, What};
use super::state::{Seen, Sighting, Spotted};
use super::view::View;

/// A condition in words, each with whether it is so now.
pub fn cond(view: &View, cond: &Cond) -> String {
    let known = Known {
        board: &view.board,
        side: view.side,
        left: view.left(),
        glory: view.glory,
        turn: view.turn,
    };
    let term = |t: &Term| {
        let is = known.is(t.test) != t.not;
        let now = if is { "so now" } else { "not now" };
        format!("{} ({now})", test(view, t.test, t.not))
    };
    cond.iter().map(term).collect::<Vec<_>>().join(" and ")
}

fn test(view: &View, test: Test, not: bool) -> String {
    let called = |s: System| view.board.galaxy.called(s);
    let no = if not { "no" } else { "an" };
    let is_not = if not { " not" } else { "" };
    match test {
        Test::Enemy(at) => format!("{no} enemy fleet is in {}", called(at)),
        Test::Own(at) => {
            let a = if not { "no" } else { "a" };
            format!("{a} fleet of yours is in {}", called(at))
        }
        Test::Fleet(f, at) => format!("fleet {f} is{is_not} in {}", called(at)),
        Test::Holds(p) => format!("{p} is{is_not} yours"),
        Test::Disputed(p) => format!("{p} is{is_not} disputed"),
        Test::Mine(n) => format!("you have {} activations left", at_least(n, not)),
        Test::Theirs(n) => format!("the enemy has {} activations left", at_least(n, not)),
        Test::Glory(n) => format!("Glory is {}", at_least(n, not)),
        Test::Turn(n) => format!("it is turn {}", at_least(n, not)),
        Test::Roll(n) => format!("the Intervention roll was{is_not} {n}"),
    }
}

fn at_least(n: u8, not: bool) -> String {
    if not { format!("less than {n}") } else { format!("{n} or more") }
}

/// A block in words.
pub fn block(view: &View, block: &Block) -> String {
    let lead = match block.cond.is_empty() {
        true => String::new(),
        false => format!("if {}: ", cond(view, &block.cond)),
    };
    let body = match &block.what {
        What::Wait => "pass once".to_owned(),
        What::Halt => "halt the segment, and both may send new cards".to_owned(),
        What::Activate(system, acts) => {
            let called = view.board.galaxy.called(*system);
            let acts: Vec<String> =
                acts.iter().map(|(_, a)| act(&view.board, *system, a)).collect();
            match acts.is_empty() {
                true => format!("activate {called} and do nothing"),
                false => format!("in {called}: {}", acts.join("; ")),
            }
        }
    };
    format!("{lead}{body}")
}

/// An act in words.
pub fn act(board: &Board, from: System, act: &Act) -> String {
    let called = |s: System| board.galaxy.called(s);
    let list = |names: &[Name]| names.iter().map(Name::to_string).collect::<Vec<_>>().join(", ");
    match act {
        Act::Move(fleets, legs) => {
            let many = fleets.len() > 1;
            let numbers: Vec<String> = fleets.iter().map(u8::to_string).collect();
            let who = if many { "fleets" } else { "fleet" };
            let go = if many { "move" } else { "moves" };
            let path = acts::path(board, from, legs).unwrap_or_else(|_| legs.clone());
            let over = path.len().saturating_sub(1);
            let via: Vec<String> = path[..over].iter().map(|l| l.to.to_string()).collect();
            let via =
                if via.is_empty() { String::new() } else { format!(" over {}", via.join(" ")) };
            let to = path.last().map_or_else(String::new, |l| called(l.to));
            let fight = if path.iter().any(|l| l.fight) { ", ready to fight" } else { "" };
            format!("{who} {} {go} to {to}{via}{fight}", numbers.join(" and "))
        }
        Act::Divide(fleet, new, units) => {
            format!("{} leave fleet {fleet} as fleet {new}", list(units))
        }
        Act::Combine(a, b) => format!("fleet {b} joins fleet {a}"),
        Act::Load(carrier, unit) => format!("{unit} goes aboard {carrier}"),
        Act::Unload(carrier, planet) => format!("{carrier} unloads on {planet}"),
        Act::Engage => "engage the enemy's ships".to_owned(),
        Act::Attack(planet, None) => format!("attack {planet}"),
        Act::Attack(planet, Some(fleets)) if fleets.is_empty() => {
            format!("bombard and attack {planet}")
        }
        Act::Attack(planet, Some(fleets)) => {
            let numbers: Vec<String> = fleets.iter().map(u8::to_string).collect();
            format!("bombard {planet} with fleets {}", numbers.join(", "))
        }
        Act::Land(unit, hexes) => {
            let hexes: Vec<String> = hexes.iter().map(u8::to_string).collect();
            format!("{unit} to hex {}", hexes.join(", then "))
        }
        Act::NoFight(hex) => format!("no fight in hex {hex}"),
        Act::Evacuate(unit, carrier) => format!("{unit} leaves aboard {carrier}"),
        Act::Space(fleet, Some(to)) => {
            format!("fleet {fleet} leaves through open space for {}", called(*to))
        }
        Act::Space(fleet, None) => format!("fleet {fleet} turns round"),
    }
}

/// Units by type, such as `2 CL, 3 DD, TR (damaged)`.
pub fn counted(units: &[Seen]) -> String {
    if units.is_empty() {
        return "nothing".to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    for kind in Kind::ALL {
        for damaged in [false, true] {
            let n = units.iter().filter(|u| u.kind == kind && u.damaged == damaged).count();
            let mark = if damaged { " damaged" } else { "" };
            match n {
                0 => {}
                1 => parts.push(format!("{}{mark}", kind.code())),
                n => parts.push(format!("{n} {}{mark}", kind.code())),
            }
        }
    }
    parts.join(", ")
}

/// How old a sighting is, in words.
pub fn age(view: &View, sighting: &Sighting) -> String {
    match view.clock.saturating_sub(sighting.turn) {
        0 => "seen this turn".to_owned(),
        1 => "seen last turn".to_owned(),
        n => format!("seen {n} turns ago"),
    }
}

/// What is known of an enemy fleet.
pub fn fleet(view: &View, n: u8) -> String {
    match view.known.get(&Spotted::Fleet(n)) {
        None => format!("fleet {n}: unknown"),
        Some(s) => format!("fleet {n}: {} ({})", counted(&s.units), age(view, s)),
    }
}
