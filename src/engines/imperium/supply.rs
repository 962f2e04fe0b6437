//! Routes that are open to a side: its connected systems and its supply (§3.2, §9.1).

use std::collections::BTreeSet;

use engine::graph::Node;

use super::board::{Board, Marker, Spot};
use super::galaxy::{HOMES, Planet, SOL, System};
use super::kinds::Side;

/// Whether each system is connected for a side (§3.2), indexed by number minus 1.
pub fn connected(board: &Board, side: Side) -> Vec<bool> {
    let closed: BTreeSet<System> = enemy_fleets(board, side);
    linked(board, side, |at| !closed.contains(&at))
}

/// Systems with enemy fleets.
pub fn enemy_fleets(board: &Board, side: Side) -> BTreeSet<System> {
    let other = side.other();
    let of = |((s, _), spot): (&(Side, u8), &Spot)| match spot {
        Spot::System(at) if *s == other => Some(*at),
        _ => None,
    };
    board.fleets.iter().filter_map(of).collect()
}

/// Whether each system is linked to a home of a side through open systems, indexed by number minus
/// 1.
pub fn linked(board: &Board, side: Side, open: impl Fn(System) -> bool) -> Vec<bool> {
    let homes: Vec<System> = match side {
        Side::Terran => vec![SOL.system],
        Side::Imperial => {
            let held = |p: &Planet| board.holds(side, *p) == Some(Marker::World);
            HOMES.into_iter().filter(held).map(|p| p.system).collect()
        }
    };
    let starts = homes.into_iter().filter(|h| open(*h));
    let jumps = board.galaxy.jumps(starts, &open);
    jumps.into_iter().map(|d| d.is_some()).collect()
}

/// Whether a path free of enemy fleets leads from a system to a friendly World (§9.1).
pub fn supplied(board: &Board, side: Side, from: System) -> bool {
    let closed = enemy_fleets(board, side);
    let open = |at: System| !closed.contains(&at);
    let worlds = board.held(side, Marker::World).into_iter().map(|p| p.system);
    let jumps = board.galaxy.jumps(worlds.filter(|s| open(*s)), open);
    jumps.get(from.index()).copied().flatten().is_some()
}

/// Jumps from each system to the nearest home of a side: Sol, or an Imperial home world that it
/// holds (all of them if it holds none).
pub fn homeward(board: &Board, side: Side) -> Vec<Option<u32>> {
    let mut homes: Vec<System> = match side {
        Side::Terran => vec![SOL.system],
        Side::Imperial => {
            let held = |p: &Planet| board.holds(side, *p).is_some();
            HOMES.into_iter().filter(held).map(|p| p.system).collect()
        }
    };
    if homes.is_empty() {
        homes = HOMES.iter().map(|p| p.system).collect();
    }
    board.galaxy.jumps(homes, |_| true)
}
