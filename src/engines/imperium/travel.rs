//! Moving fleets: along routes, as scouts, through open space (§6.1 to §6.3).

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

/// Handles a fleet that has advanced in open space: it arrives, or it meets an enemy (§6.3).
/// `moving` is the side that counts as the moving one.
pub fn advance(run: &mut Run, side: Side, fleet: u8, moving: Side) {
    let Some(spot) = run.state.board.fleets.get(&(side, fleet)).copied() else { return };
    let Spot::Lane { from, to, k, .. } = spot else { return };
    if k >= run.state.board.galaxy.lane(from, to).unwrap_or(1) {
        arrive(run, side, fleet, from, to);
        return;
    }
    let meets = run.state.board.fleets.iter().any(|((s, _), other)| {
        *s != side && super::space::same_hex(&run.state.board, spot, *other)
    });
    let calm = run.state.peace.is_some() || run.state.board.court.talks;
    if meets && !calm {
        start_battle(run, spot, moving, BTreeMap::new());
    }
}

/// A fleet arrives from open space.
fn arrive(run: &mut Run, side: Side, fleet: u8, from: System, to: System) {
    run.record(What::Moved { side, fleets: vec![fleet], path: vec![to], stopped: false });
    enter(run, side, &[fleet], from, Leg { to, fight: false }, true);
}

/// Moves fleets together along a path, until something stops them (§6.1).
pub fn travel(run: &mut Run, now: &Now, fleets: &[u8], legs: &[Leg]) {
    let side = now.side;
    let Ok(path) = acts::path(&run.state.board, now.system, legs) else { return };
    let mut from = now.system;
    let mut gone = vec![from];
    // The report of the move comes before its consequences.
    let at = run.events.len();
    let mut stopped = false;
    for (n, leg) in path.iter().enumerate() {
        let last = n + 1 == path.len();
        gone.push(leg.to);
        let halted = enter(run, side, fleets, from, *leg, last);
        from = leg.to;
        if halted {
            stopped = !last;
            break;
        }
    }
    let what = What::Moved { side, fleets: fleets.to_vec(), path: gone, stopped };
    let event = Event { part: run.part, to: None, what };
    run.events.insert(at, event);
}

/// Fleets enter a system (§6.1, §6.2). Returns whether they must stop there.
fn enter(run: &mut Run, side: Side, fleets: &[u8], from: System, leg: Leg, last: bool) -> bool {
    let at = leg.to;
    acts::enter(&mut run.state.board, side, fleets, at);
    if run.state.peace.is_some() || run.state.board.court.talks {
        return false;
    }
    let enemy = side.other();
    let board = &run.state.board;
    let scouts = fleets.iter().all(|f| board.ships(side, *f).all(|id| id.kind() == Kind::SC));
    let came: BTreeMap<(Side, u8), System> = fleets.iter().map(|f| ((side, *f), from)).collect();
    let join = run.state.filed[enemy.i()].standing.fighters_join;
    let fighters = join
        && board.of(enemy).any(|(id, u)| {
            id.kind() == Kind::F && matches!(u.place, Place::Box(p) if p.system == at)
        });
    let soft = board.fleets_in(enemy, at).next().is_some() || fighters;
    if scouts {
        let fights = soft || board.blocks(enemy, at);
        return board.occupied(enemy, at) && scout(run, side, at, came, fights);
    }
    if board.blocks(enemy, at) || soft && (leg.fight || last) {
        start_battle(run, Spot::System(at), side, came);
        return true;
    }
    false
}

/// Scouts try to stay undetected (§6.2). Returns whether they were detected. `fights` is whether an
/// enemy there can fight them.
fn scout(
    run: &mut Run,
    side: Side,
    at: System,
    came: BTreeMap<(Side, u8), System>,
    fights: bool,
) -> bool {
    let enemy = side.other();
    let shown = usize::from(run.state.filed[enemy.i()].standing.scouts);
    let board = &run.state.board;
    let destroyers = board
        .fleets_in(enemy, at)
        .flat_map(|f| board.ships(enemy, f))
        .filter(|id| id.kind() == Kind::DD)
        .count()
        .min(shown);
    let fleet = came.keys().next().map_or(0, |k| u32::from(k.1));
    run.dice.at([u32::from(at.0), side.i() as u32, fleet]);
    let dice = [die(run.dice, "scouting"), die(run.dice, "scouting")];
    let roll = usize::from(dice[0] + dice[1]) + destroyers;
    let called = run.state.board.galaxy.called(at);
    let plus = if destroyers > 0 { format!(" + {destroyers}") } else { String::new() };
    let (whose, dice) = (side.whose(), format!("{} + {}{plus}", dice[0], dice[1]));
    if roll <= 10 {
        let text =
            say!("{whose} scouts at {called}, {dice} = {roll}: undetected, all there is seen.");
        run.say_to(side, text);
        run.reveal(side, at);
        return false;
    }
    run.note(say!("{whose} scouts at {called}, {dice} = {roll}: detected."));
    if fights {
        start_battle(run, Spot::System(at), side, came);
    }
    true
}

/// Sets a battle up. Its rounds follow when the order that caused it is complete.
pub fn start_battle(run: &mut Run, spot: Spot, moving: Side, came: BTreeMap<(Side, u8), System>) {
    let battle = Battle::begin(&run.state.board, spot, moving, came, Run::standing(&run.state));
    if let Some(action) = run.action() {
        action.battles += 1;
        action.battle = Some(battle);
    }
}

/// A fleet leaves for open space, or turns round there (§6.3).
pub fn space(run: &mut Run, now: &Now, fleet: u8, to: Option<System>) {
    let side = now.side;
    let Some(spot) = run.state.board.fleets.get(&(side, fleet)).copied() else { return };
    acts::apply(&mut run.state.board, now, &Act::Space(fleet, to));
    match (spot, to) {
        (Spot::Lane { from, .. }, None) => {
            run.say_to(side, say!("Fleet {fleet} turns round for {system}.", system = from));
        }
        (Spot::System(from), Some(to)) => {
            let whose = side.whose();
            run.note(say!("{whose} fleet {fleet} leaves {from} for open space."));
            run.say_to(side, say!("Fleet {fleet} is bound for {to}."));
            advance(run, side, fleet, side);
        }
        _ => {}
    }
}
