//! Limits and numbers of units: counters and fleets, places aboard and on planets (§2).

use super::board::{Board, NUMBERS};
use super::galaxy::{Ground, Planet};
use super::kinds::{Kind, Side, UnitId};

/// Units of a type that a side has or has ordered.
pub fn counted(board: &Board, side: Side, kind: Kind) -> u32 {
    let units = board.of(side).filter(|(id, _)| id.kind() == kind).count();
    let ordered = board.purses[side.i()].track.iter().filter(|d| d.kind == kind).count();
    // There are only a few hundred units.
    (units + ordered) as u32
}

/// Remaining counters of a type; `None`: the side has no such type.
pub fn left(board: &Board, side: Side, kind: Kind) -> Option<u32> {
    let count = board.tables.of(side, kind)?.count;
    // A type without a limit is limited by the numbers of units.
    let most = if count == 0 { NUMBERS } else { count };
    Some(u32::from(most).saturating_sub(counted(board, side, kind)))
}

/// Numbers of a type that are free, ascending.
pub fn free_numbers(board: &Board, side: Side, kind: Kind) -> Vec<u8> {
    let count = board.tables.of(side, kind).map_or(0, |f| f.count);
    let last = if count == 0 { NUMBERS } else { count };
    (1..=last).filter(|n| !board.units.contains_key(&UnitId::new(side, kind, *n))).collect()
}

/// How many units of a type a ship can carry (§2.4).
pub fn berths(board: &Board, ship: UnitId, cargo: Kind) -> usize {
    match (ship.kind(), cargo) {
        (Kind::TR | Kind::AT, kind) if kind.is_cargo() => 1,
        (Kind::CV | Kind::BB, Kind::F) => board.figures(ship).f as usize,
        _ => 0,
    }
}

/// Whether a ship can take one more unit of a type aboard.
pub fn has_berth(board: &Board, ship: UnitId, cargo: Kind) -> bool {
    board.aboard(ship).count() < berths(board, ship, cargo)
}

/// How many more units the box of a planet can hold (§3.1).
pub fn room(board: &Board, side: Side, planet: Planet) -> usize {
    let hexes = board.land(planet).map_or(0, |l| board.tables.hexes(l.ground));
    (5 * usize::from(hexes)).saturating_sub(board.on(side, planet).count())
}

/// Types that may be on a planet, in words.
pub fn types_of(board: &Board, planet: Planet) -> &'static str {
    match board.land(planet).map(|l| l.ground) {
        Some(g) if g.is_a() => "RT, JT, PD, F",
        Some(Ground::X1) => "JT, F",
        _ => "JT, PD, F",
    }
}

/// Whether units of a type may be on a planet (§3.1).
pub fn fits(board: &Board, kind: Kind, planet: Planet) -> bool {
    let Some(land) = board.land(planet) else { return false };
    match (kind, land.ground) {
        (Kind::M, _) => true,
        (Kind::JT | Kind::F, _) => true,
        (Kind::PD, ground) => ground != Ground::X1,
        (Kind::RT, ground) => ground.is_a(),
        _ => false,
    }
}
