//! The Close-Out: maintenance, scrapping, repair, augmentation (§9).

use std::collections::{BTreeMap, BTreeSet};

use tongue::{count, say};

use super::board::{Board, Marker, Place, Unit};
use super::event::{Part, What};
use super::fire::die;
use super::galaxy::System;
use super::kinds::{Class, Kind, Name, Side, UnitId};
use super::orders::Fix;
use super::run::Run;
use super::standing::Standing;
use crate::counters;
use crate::supply;

/// The maintenance of ships in one system, and the ships that do not get it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Upkeep {
    /// What Worlds and Outposts of the system pay.
    pub pool: u32,
    /// What its ships cost.
    pub due: u32,
    /// What the stockpile pays.
    pub stock: u32,
    /// Ships that are not maintained.
    pub unpaid: Vec<UnitId>,
}

/// The maintenance of a side (§9.1, §9.2).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bill {
    /// By system; `None`: open space.
    pub systems: BTreeMap<Option<System>, Upkeep>,
    /// Resources paid for ground units.
    pub ground: u32,
    /// Ground units that are not paid.
    pub ground_unpaid: Vec<UnitId>,
    /// What the stockpile pays in all.
    pub stock: u32,
}

/// The maintenance that a side will pay, and the units that go without.
pub fn bill(board: &Board, side: Side, standing: &Standing, peace: bool) -> Bill {
    let mut bill = Bill::default();
    let double = if peace { 2 } else { 1 };
    let most = standing.stock.unwrap_or(u32::MAX);
    let mut purse = board.purses[side.i()].stock.min(most);
    let mut ships: BTreeMap<Option<System>, Vec<UnitId>> = BTreeMap::new();
    let mut ground = Vec::new();
    for (id, unit) in board.of(side) {
        if matches!(unit.place, Place::Track(_) | Place::Arriving) {
            continue;
        }
        match board.class(id) {
            Class::Ground => ground.push(id),
            Class::Marker => {}
            _ => ships.entry(board.where_is(id)).or_default().push(id),
        }
    }
    for (at, mut ships) in ships {
        ships.sort_by_key(|id| {
            let kind = id.kind();
            let pri = standing.priority.iter().position(|k| *k == kind);
            let pri = pri.unwrap_or(standing.priority.len());
            (pri, std::cmp::Reverse(board.tables.cost(side, kind)), *id)
        });
        let pool = at.map_or(0, |at| pool(board, side, at));
        let supplied = at.is_some_and(|at| supply::supplied(board, side, at));
        let entry = bill.systems.entry(at).or_default();
        entry.pool = pool;
        let mut left = pool;
        for id in ships {
            let m = board.figures(id).m * double;
            entry.due += m;
            let short = m.saturating_sub(left);
            let skipped = standing.skip.contains(&id.name);
            if skipped || short > 0 && (!supplied || short > purse) {
                entry.unpaid.push(id);
                continue;
            }
            left -= m - short;
            purse -= short;
            entry.stock += short;
        }
        bill.stock += entry.stock;
    }
    // The limit on the stockpile for ships does not apply to ground units (§9.2).
    purse = board.purses[side.i()].stock - bill.stock;
    for id in ground {
        let m = board.tables.upkeep.ground * double;
        if standing.skip.contains(&id.name) || m > purse {
            bill.ground_unpaid.push(id);
        } else {
            purse -= m;
            bill.ground += m;
            bill.stock += m;
        }
    }
    bill
}

/// What the Worlds and Outposts of a side in a system pay for its ships.
fn pool(board: &Board, side: Side, at: System) -> u32 {
    let each = board.tables.upkeep;
    let gives = |marker| match marker {
        Some(Marker::World) => each.world,
        Some(Marker::Outpost) => each.outpost,
        None => 0,
    };
    board.galaxy.planets(at).map(|p| gives(board.holds(side, p))).sum()
}

/// Whether a side has a World or Outpost in a system.
fn has_base(board: &Board, side: Side, at: System) -> bool {
    board.galaxy.planets(at).any(|p| board.holds(side, p).is_some())
}

/// A unit, if it is in play.
fn in_play(board: &Board, id: UnitId) -> Option<&Unit> {
    board.units.get(&id).filter(|u| !matches!(u.place, Place::Track(_) | Place::Arriving))
}

/// Whether a unit may be repaired where it is (§9.3), and what it costs.
///
/// # Errors
/// The reason why it can't be.
pub fn repair_cost(board: &Board, id: UnitId, peace: bool) -> Result<u32, String> {
    let unit = id.name;
    let Some(found) = in_play(board, id) else { return Err(say!("you have no {unit}")) };
    if !found.damaged {
        return Err(say!("{unit} is not damaged"));
    }
    let double = if peace { 2 } else { 1 };
    if board.class(id) == Class::Ground {
        let fits = match found.place {
            Place::Box(p) => board.holds(id.side, p).is_some(),
            _ => false,
        };
        let cost = board.tables.cost(id.side, id.kind()) / 2;
        return match fits {
            true => Ok(cost * double),
            false => Err(say!("{unit} is not in the box of a World or Outpost of yours")),
        };
    }
    if matches!(found.place, Place::Surface(..)) {
        return Err(say!("{unit} is on a disputed planet"));
    }
    let at = board.where_is(id);
    let base = at.is_some_and(|at| has_base(board, id.side, at));
    let with_ar = at.is_some()
        && board
            .fleet_of(id)
            .is_some_and(|f| board.ships(id.side, f).any(|s| s.kind() == Kind::AR));
    match base || with_ar {
        true => Ok(board.figures(id).m * double),
        false => Err(say!("{unit} is at no World or Outpost of yours, and with no AR")),
    }
}

/// The Resources that scrapping brings (§9.3).
///
/// # Errors
/// The reason why it can't be.
pub fn scrap_value(board: &Board, id: UnitId) -> Result<u32, String> {
    let unit = id.name;
    let Some(found) = board.units.get(&id) else { return Err(say!("you have no {unit}")) };
    if !board.class(id).is_ship() {
        return Err(say!("{unit} is no ship"));
    }
    if !found.damaged && id.kind() != Kind::M {
        return Err(say!("{unit} is not damaged"));
    }
    let base = board.where_is(id).is_some_and(|at| has_base(board, id.side, at));
    match base {
        true => Ok(board.figures(id).m / 2),
        false => Err(say!("{unit} is at no World or Outpost of yours")),
    }
}

/// Checks that two reduced units can become one (§9.3).
///
/// # Errors
/// The reason why they can't.
pub fn can_pair(board: &Board, a: UnitId, b: UnitId) -> Result<(), String> {
    let (Some(first), Some(second)) = (board.units.get(&a), board.units.get(&b)) else {
        let missing = if board.units.contains_key(&a) { b } else { a };
        return Err(say!("you have no {unit}", unit = missing.name));
    };
    let kinds = a.kind() == b.kind() && matches!(a.kind(), Kind::F | Kind::M) && a != b;
    if !kinds {
        return Err(say!("two fighters or two monitors become one"));
    }
    if !first.damaged || !second.damaged {
        return Err(say!("{a} and {b} are not both reduced", a = a.name, b = b.name));
    }
    let fleets = (board.fleet_of(a), board.fleet_of(b));
    let together = first.place == second.place || fleets.0.is_some() && fleets.0 == fleets.1;
    match together {
        true => Ok(()),
        false => Err(say!("{a} and {b} are not at one place", a = a.name, b = b.name)),
    }
}

/// The whole Close-Out except Glory.
pub fn close_out(run: &mut Run) {
    run.part = Part::CloseOut;
    for side in Side::BOTH {
        maintain(run, side);
    }
    for side in Side::BOTH {
        let filed = &mut run.state.filed[side.i()];
        let scraps = std::mem::take(&mut filed.scraps);
        let fixes = std::mem::take(&mut filed.fixes);
        scrap(run, side, &scraps);
        repair(run, side, &fixes);
    }
    let most = run.state.options.stock_max;
    for purse in run.state.board.purses.iter_mut().filter(|_| most > 0) {
        purse.stock = purse.stock.min(most);
    }
    run.state.board.sweep();
    run.settle_all();
    run.forget();
}

fn maintain(run: &mut Run, side: Side) {
    let peace = run.state.peace.is_some();
    let standing = run.state.filed[side.i()].standing.clone();
    let bill = bill(&run.state.board, side, &standing, peace);
    run.state.board.purses[side.i()].stock -= bill.stock;
    let ships: u32 = bill.systems.values().map(|u| u.due).sum();
    let unpaid: usize = bill.systems.values().map(|u| u.unpaid.len()).sum();
    let unpaid = unpaid + bill.ground_unpaid.len();
    let (ground, stock) = (bill.ground, bill.stock);
    let text = match unpaid {
        0 => say!(
            "Maintenance: ships {ships}, ground units {ground}; {stock} from the stockpile. \
             Everybody is maintained."
        ),
        // Saved events have this text for one unit, too.
        n => count!(
            n,
            both: "Maintenance: ships {ships}, ground units {ground}; {stock} from the stockpile. \
             {n} go without."
        ),
    };
    run.say_to(side, text);
    for (at, upkeep) in bill.systems {
        for id in upkeep.unpaid {
            unmaintained(run, id, at);
        }
    }
    for id in bill.ground_unpaid {
        hungry(run, id);
    }
    run.state.board.sweep();
}

/// Rolls a die for a ship that is not maintained (§9.1).
fn unmaintained(run: &mut Run, id: UnitId, at: Option<System>) {
    let board = &run.state.board;
    // The ship may already be lost, such as a fighter with its carrier.
    if !board.units.contains_key(&id) {
        return;
    }
    let base = at.is_some_and(|at| {
        let ar = board
            .fleets_in(id.side, at)
            .any(|f| board.ships(id.side, f).any(|s| s.kind() == Kind::AR));
        ar || has_base(board, id.side, at)
    });
    let m = board.figures(id).m;
    let damaged = board.units.get(&id).is_some_and(|u| u.damaged);
    let place = [3, id.side.i() as u32, id.kind() as u32, id.name.n.into()];
    run.dice.at(place);
    let n = u32::from(die(run.dice, "no maintenance")) + u32::from(base);
    let kills = run.state.options.attrition_kills;
    let (unit, hit) = (id.name, n <= m);
    let text = match (hit, damaged) {
        (false, _) => say!("{unit} is not maintained, die {n} against {m}: holds out."),
        (true, false) => say!("{unit} is not maintained, die {n} against {m}: damaged."),
        (true, true) if kills => say!("{unit} is not maintained, die {n} against {m}: lost."),
        (true, true) => say!("{unit} is not maintained, die {n} against {m}: stays damaged."),
    };
    run.say_to(id.side, text);
    match (hit, damaged) {
        (true, false) => {
            run.state.board.damage(id);
            run.tell_to(id.side, What::Hurt(id));
            excess(run, id);
        }
        (true, true) if kills => {
            for lost in run.state.board.remove(id) {
                run.tell_to(id.side, What::Gone(lost));
            }
        }
        _ => {}
    }
}

/// Removes fighters for which a damaged carrier has no room. Cargo of a transport is damaged with
/// it.
fn excess(run: &mut Run, id: UnitId) {
    let board = &run.state.board;
    let aboard: Vec<UnitId> = board.aboard(id).collect();
    let Some(first) = aboard.first() else { return };
    let most = counters::berths(board, id, first.kind());
    if matches!(id.kind(), Kind::TR | Kind::AT) {
        for cargo in aboard {
            run.tell_to(id.side, What::Hurt(cargo));
        }
        return;
    }
    for lost in aboard.into_iter().skip(most) {
        run.state.board.units.remove(&lost);
        let text = say!("{ship} has no room for {unit}.", ship = id.name, unit = lost.name);
        run.say_to(id.side, text);
        run.tell_to(id.side, What::Gone(lost));
    }
}

/// Rolls a die for a ground unit that is not paid (§9.2).
fn hungry(run: &mut Run, id: UnitId) {
    let board = &run.state.board;
    if !board.units.contains_key(&id) {
        return;
    }
    let on_world = match board.units.get(&id).map(|u| u.place) {
        Some(Place::Box(p)) => board.holds(id.side, p) == Some(Marker::World),
        _ => false,
    };
    run.dice.at([4, id.side.i() as u32, id.kind() as u32, id.name.n.into()]);
    let n = die(run.dice, "no pay") + u8::from(on_world);
    let reduced = n <= 2;
    let unit = id.name;
    let text = match reduced {
        true => say!("{unit} is not paid, die {n}: reduced."),
        false => say!("{unit} is not paid, die {n}: holds out."),
    };
    run.say_to(id.side, text);
    if reduced && board_undamaged(&run.state.board, id) {
        run.state.board.damage(id);
        run.tell_to(id.side, What::Hurt(id));
    }
}

fn scrap(run: &mut Run, side: Side, names: &[Name]) {
    let mut seen = BTreeSet::new();
    for name in names.iter().filter(|n| seen.insert(**n)) {
        let id = UnitId { side, name: *name };
        match scrap_value(&run.state.board, id) {
            Ok(value) => {
                run.state.board.purses[side.i()].stock += value;
                run.say_to(side, say!("{unit} is scrapped for {value}.", unit = name));
                run.gone(id);
            }
            Err(why) => run.say_to(side, say!("Not scrapped: {note}.", note = why)),
        }
    }
}

fn repair(run: &mut Run, side: Side, fixes: &[Fix]) {
    let pair = |fix: &&Fix| matches!(fix, Fix::Pair(..));
    let singles = fixes.iter().filter(|f| !pair(f));
    for fix in singles.chain(fixes.iter().filter(pair)) {
        match fix {
            Fix::All => repair_all(run, side),
            Fix::Unit(name) => {
                if let Err(why) = repair_one(run, UnitId { side, name: *name }) {
                    run.say_to(side, say!("Not repaired: {note}.", note = why));
                }
            }
            Fix::Pair(a, b) => {
                let (a, b) = (UnitId { side, name: *a }, UnitId { side, name: *b });
                match can_pair(&run.state.board, a, b) {
                    Ok(()) => {
                        if let Some(unit) = run.state.board.units.get_mut(&a) {
                            unit.damaged = false;
                        }
                        run.tell_to(side, What::Healed(a));
                        run.say_to(side, say!("{a} and {b} are {a} now.", a = a.name, b = b.name));
                        run.gone(b);
                    }
                    Err(why) => run.say_to(side, say!("Not combined: {note}.", note = why)),
                }
            }
        }
    }
}

fn repair_all(run: &mut Run, side: Side) {
    let board = &run.state.board;
    let mut damaged: Vec<UnitId> =
        board.of(side).filter(|(_, u)| u.damaged).map(|(id, _)| id).collect();
    damaged.sort_by_key(|id| (std::cmp::Reverse(board.tables.cost(side, id.kind())), *id));
    for id in damaged {
        // A unit that can't be repaired or paid for stays as it is.
        let _ = repair_one(run, id);
    }
}

fn repair_one(run: &mut Run, id: UnitId) -> Result<(), String> {
    let peace = run.state.peace.is_some();
    let cost = repair_cost(&run.state.board, id, peace)?;
    let purse = &mut run.state.board.purses[id.side.i()];
    let (unit, stock) = (id.name, purse.stock);
    if stock < cost {
        return Err(say!("{unit} costs {cost}, you have {stock}"));
    }
    purse.stock -= cost;
    if let Some(unit) = run.state.board.units.get_mut(&id) {
        unit.damaged = false;
    }
    run.say_to(id.side, say!("{unit} is repaired for {cost}."));
    run.tell_to(id.side, What::Healed(id));
    Ok(())
}

fn board_undamaged(board: &Board, id: UnitId) -> bool {
    board.units.get(&id).is_some_and(|u| !u.damaged)
}
