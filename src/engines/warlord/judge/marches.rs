//! How far units get: the ways of marches and advances, and the turns that they take.

use super::{Bar, Halt, Quay, TURNS_AHEAD_MAX, Trip, Walk, describe};
use crate::desk::Plan;
use crate::orders::sector_no;
use crate::state::{Unit, is_land};
use crate::tables::Class;
use crate::view::{Ground, View};
use crate::ways;
use crate::ways::{Course, Quest};
use engine::geometry::{Direction, PathFinder, Place};
use std::collections::BTreeMap;
use tongue::say;

/// The known result of a march, and the code of a warning where it does not go as ordered.
pub(super) fn march(
    view: &View,
    plans: &BTreeMap<u16, Plan>,
    (class, points): (Class, u32),
    (no, unit): (u16, &Unit),
    steps: &[u8],
) -> (&'static str, String) {
    let phases = view.tables.rules.movement.phases;
    let walk = walk(view, plans, (class, points), (no, unit), steps);
    let step = walk.taken + 1;
    let (mut code, mut parts) = ("", Vec::new());
    match walk.halt {
        None => {}
        Some(Halt::Closed(at)) => {
            let place = at.map_or_else(|| say!("the ice"), |p| describe(view, p));
            // A land unit may find own ships at sea by the time it gets there.
            let sea = is_land(class) && at.is_some_and(|p| view.is_sea(p));
            let why = match (sea, ships_expected(view)) {
                (false, _) => say!("will stop at step {step}: {place} is closed to it"),
                (true, false) => say!("will stop at step {step}: {place}, and you have no ships"),
                (true, true) => say!(
                    "will stop at step {step}: {place}, unless a ship of yours with room is there \
                     by then"
                ),
            };
            code = "closed";
            parts.push(why);
        }
        Some(Halt::ForeignCity(at)) => {
            let place = describe(view, at);
            code = "closed";
            parts.push(say!(
                "will stop at step {step}, {place}: nobody lands straight in a foreign city"
            ));
        }
        Some(Halt::Points) => {
            code = "out-of-points";
            parts.push(say!("no points left for step {step} and what follows"));
        }
        Some(Halt::Carried(ship)) => {
            parts.push(say!("aboard unit {ship}, which moves; it lands from there"));
        }
        Some(Halt::Quay(at)) => {
            let place = describe(view, at);
            parts.push(say!(
                "from step {step} only if a ship of yours with room is at {place} by then"
            ));
        }
        Some(Halt::Full(at)) => {
            let place = describe(view, at);
            code = "no-room";
            parts.push(say!(
                "will stop at step {step}: no ship of yours at {place} has room for it as things \
                 stand"
            ));
        }
    }
    // It is not known yet where the ship takes the unit.
    let known = !matches!(walk.halt, Some(Halt::Carried(_) | Halt::Quay(_)));
    if known && (walk.halt.is_none() || walk.taken > 0) {
        let end = describe(view, walk.end);
        let end = match (walk.aboard, unit.aboard) {
            (Some(ship), None) => say!("ends at {end} aboard unit {ship}"),
            (None, Some(_)) => say!("ends at {end}, ashore"),
            _ => say!("ends at {end}"),
        };
        parts.push(match walk.dark {
            true => say!("{end}, if the unexplored ground is open"),
            false => end,
        });
    }
    if steps.len() > phases {
        code = "too-long";
        parts.push(say!("a turn has {phases} phases; the rest is not moved"));
    }
    (code, parts.join(", "))
}

/// The class that a unit moves as under a plan, and its points.
pub(super) fn movement(view: &View, unit: &Unit, plan: &Plan) -> (Class, u32) {
    let row = view.tables.row(unit.kind);
    match plan.convoy {
        true => (Class::Arm, view.tables.rules.movement.truck_speed),
        false => (row.class, row.points),
    }
}

/// The direction of an advance without a goal.
pub(super) fn heads(direction: Direction) -> String {
    match direction.code() {
        1 => say!("heads N"),
        2 => say!("heads NE"),
        3 => say!("heads E"),
        4 => say!("heads SE"),
        5 => say!("heads S"),
        6 => say!("heads SW"),
        7 => say!("heads W"),
        _ => say!("heads NW"),
    }
}

fn ships_expected(view: &View) -> bool {
    view.power.units.values().any(|u| view.tables.row(u.kind).carries > 0)
}

/// Whether a unit can go aboard in a sector, given the plans of a card.
pub fn quay(view: &View, plans: &BTreeMap<u16, Plan>, no: u16, at: Place) -> Quay {
    let power = &view.power;
    let tables = &*view.tables;
    let need = |u: &Unit| tables.row(u.kind).size * u32::from(u.size);
    let Some(unit) = power.units.get(&no) else { return Quay::None };
    let ships = power.units.iter().filter(|(_, u)| u.at == at && tables.row(u.kind).carries > 0);
    let ships: Vec<u16> = ships.map(|(n, _)| *n).collect();
    if ships.is_empty() {
        let carries = |n: &u16| power.units.get(n).is_some_and(|u| tables.row(u.kind).carries > 0);
        return match plans.keys().any(carries) {
            true => Quay::Coming,
            false => Quay::None,
        };
    }
    let fits = ships.iter().copied().find(|n| power.room(tables, *n) >= need(unit));
    // Units that are under way may come aboard first; units aboard may land.
    let phases = tables.rules.movement.phases as i32;
    let near = |n: &u16, u: &Unit| {
        *n != no && is_land(tables.row(u.kind).class) && view.grid.distance(u.at, at) <= phases
    };
    let others = power.units.iter().filter(|(n, u)| plans.contains_key(n) && near(n, u));
    // A unit may step over from another ship.
    let comes = |u: &Unit| u.aboard.is_none_or(|ship| !ships.contains(&ship));
    let wanted: u32 = others.filter(|(_, u)| comes(u)).map(|(_, u)| need(u)).sum();
    let sails = ships.iter().any(|n| plans.contains_key(n));
    match fits {
        _ if sails => Quay::Perhaps,
        None => Quay::Full,
        Some(ship) if wanted == 0 || power.room(tables, ship) >= need(unit) + wanted => {
            Quay::Ship(ship)
        }
        Some(_) => Quay::Perhaps,
    }
}

/// The text for a unit aboard a ship that moves.
pub(super) fn carried(plans: &BTreeMap<u16, Plan>, unit: &Unit) -> Option<String> {
    let ship = unit.aboard.filter(|ship| plans.contains_key(ship))?;
    Some(say!("aboard unit {ship}, which moves; it lands from there"))
}

pub(super) fn walk(
    view: &View,
    plans: &BTreeMap<u16, Plan>,
    (class, points): (Class, u32),
    (no, unit): (u16, &Unit),
    steps: &[u8],
) -> Walk {
    let rules = &view.tables.rules.movement;
    let mut walk = Walk { taken: 0, end: unit.at, aboard: unit.aboard, dark: false, halt: None };
    let sails = |ship: u16| plans.contains_key(&ship);
    let mut left = points;
    for code in steps.iter().take(rules.phases) {
        let direction = Direction::from_code(*code);
        let halt = match direction.map(|d| view.grid.step(walk.end, d)) {
            None => None,
            Some(_) if left == 0 => Some(Halt::Points),
            Some(_) if walk.aboard.is_some_and(sails) => walk.aboard.map(Halt::Carried),
            Some(None) => Some(Halt::Closed(None)),
            Some(Some(to)) if is_land(class) && view.is_sea(to) => {
                match quay(view, plans, no, to) {
                    Quay::Ship(ship) => {
                        (walk.end, walk.aboard) = (to, Some(ship));
                        left = left.saturating_sub(rules.boarding_cost);
                        None
                    }
                    Quay::None | Quay::Coming => Some(Halt::Closed(Some(to))),
                    Quay::Full => Some(Halt::Full(to)),
                    Quay::Perhaps => Some(Halt::Quay(to)),
                }
            }
            Some(Some(to)) => {
                let foreign = view.cities.iter().any(|c| c.at == to);
                match view.cost(class, to) {
                    None => Some(Halt::Closed(Some(to))),
                    Some(_) if walk.aboard.is_some() && foreign => Some(Halt::ForeignCity(to)),
                    Some(cost) => {
                        (walk.end, walk.aboard) = (to, None);
                        walk.dark |= view.ground[usize::from(to.0)] == Ground::UnknownLand;
                        left = left.saturating_sub(cost);
                        None
                    }
                }
            }
        };
        if halt.is_some() {
            walk.halt = halt;
            break;
        }
        walk.taken += 1;
    }
    walk
}

/// The way of a unit to a goal; `None` if no way is known.
pub(super) fn trip(
    view: &View,
    paths: &mut PathFinder,
    (class, points): (Class, u32),
    unit: &Unit,
    (to, quay): (Place, Quay),
) -> Option<Trip> {
    let foreign = |place: Place| view.cities.iter().any(|c| c.at == place);
    let ships = !matches!(quay, Quay::None | Quay::Coming);
    let boards = is_land(class) && view.is_sea(to) && ships;
    let quest = Quest {
        from: unit.at,
        to,
        aboard: unit.aboard.is_some(),
        foreign: &foreign,
        boarding: boards.then_some(view.tables.rules.movement.boarding_cost),
        cost: &|place| view.cost(class, place),
    };
    let Course { way, beside } = ways::seek(paths, view.grid, &quest)?;
    let at_sea = foreign(to) && (class == Class::Ship || quest.aboard);
    // A unit that has just landed beside a foreign city goes on only with an order of the next
    // turn.
    let landing = way.first().and_then(|d| view.grid.step(unit.at, *d));
    let landing = landing.filter(|p| {
        quest.aboard && foreign(to) && way.len() > 1 && view.grid.distance(*p, to) == 1
    });
    let way = if landing.is_some() { &way[..1] } else { &way[..] };
    let mut places = vec![unit.at];
    for direction in way {
        places.extend(view.grid.step(places[places.len() - 1], *direction));
    }
    let unexplored = |p: &Place| view.ground[usize::from(p.0)] == Ground::UnknownLand;
    Some(Trip {
        end: places[places.len() - 1],
        beside: beside || landing.is_some(),
        stays: way.is_empty(),
        at_sea,
        boards,
        dark: places.iter().any(unexplored),
        turn: view.turn + turns_for(view, class, points, unit.at, way).max(1) - 1,
    })
}

/// The result of an advance as far as the seat knows, and the code of a warning if it does not lead
/// to its goal.
pub fn forecast_of(
    view: &View,
    paths: &mut PathFinder,
    (class, points): (Class, u32),
    unit: &Unit,
    (to, quay): (Place, Quay),
) -> (&'static str, String) {
    let goal = describe(view, to);
    if unit.at == to {
        return ("no-way", say!("is at {goal} already"));
    }
    let Some(trip) = trip(view, paths, (class, points), unit, (to, quay)) else {
        let text = match unit.aboard {
            Some(ship) => {
                say!("waits aboard unit {ship} until there is land beside it with a way to {goal}")
            }
            None => say!("no way to {goal} is known: it stays"),
        };
        return ("no-way", text);
    };
    let Trip { stays, beside, dark, turn, boards, .. } = trip;
    let end = sector_no(view.grid, trip.end);
    if !beside {
        // A ship with room is certain to be there only in this turn.
        let sure = matches!(quay, Quay::Ship(_)) && turn == view.turn;
        return ("", reaches(&goal, turn, dark, boards.then_some(sure)));
    }
    let why = match (trip.at_sea, is_land(class) && view.is_sea(to)) {
        (true, _) => Bar::FromTheSea,
        (_, true) => Bar::NoShip,
        _ => Bar::Ground,
    };
    if stays {
        let text = match why {
            Bar::FromTheSea => {
                say!("stays at {end}: {goal} beside it can't be entered from the sea")
            }
            Bar::NoShip => say!("stays at {end}: {goal} beside it has no ship of yours yet"),
            Bar::Ground => say!("stays at {end}: {goal} beside it is closed to it"),
        };
        return ("no-way", text);
    }
    ("no-way", goes_beside(&goal, &end, (why, quay), turn, dark))
}

/// When a unit reaches its goal; over unexplored ground, the earliest turn. `boards` is `None` if
/// the unit does not go aboard, else whether a ship there takes it for certain.
fn reaches(goal: &str, turn: u32, dark: bool, boards: Option<bool>) -> String {
    match (dark, boards) {
        (false, None) => say!("reaches {goal} in turn {turn}"),
        (true, None) => say!("reaches {goal} in turn {turn} at the earliest"),
        (false, Some(true)) => say!("reaches {goal} in turn {turn} and goes aboard there"),
        (true, Some(true)) => {
            say!("reaches {goal} in turn {turn} at the earliest and goes aboard there")
        }
        (false, Some(false)) => say!(
            "reaches {goal} in turn {turn} and goes aboard there, if a ship of yours with room is \
             there then"
        ),
        (true, Some(false)) => say!(
            "reaches {goal} in turn {turn} at the earliest and goes aboard there, if a ship of \
             yours with room is there then"
        ),
    }
}

/// Where a unit goes if it can't enter its goal, and when it gets there.
fn goes_beside(goal: &str, end: &str, (why, quay): (Bar, Quay), turn: u32, dark: bool) -> String {
    let text = match why {
        Bar::FromTheSea => say!("{goal} can't be entered from the sea: goes to {end} beside it"),
        Bar::NoShip => say!("{goal} has no ship of yours yet: goes to {end} beside it"),
        Bar::Ground => say!("{goal} is closed to it: goes to {end} beside it"),
    };
    let text = match dark {
        true => say!("{text}, there in turn {turn} at the earliest"),
        false => say!("{text}, there in turn {turn}"),
    };
    match (why, quay) {
        (Bar::NoShip, Quay::Coming) => {
            say!("{text}, unless a ship of yours comes by before that")
        }
        _ => text,
    }
}

/// Turns that a unit needs for a way, including the forced march and the limit of phases.
fn turns_for(view: &View, class: Class, points: u32, from: Place, way: &[Direction]) -> u32 {
    let phases = view.tables.rules.movement.phases;
    let (mut at, mut turns, mut left, mut phase) = (from, 1, points, 0);
    for direction in way {
        if left == 0 || phase == phases {
            (turns, left, phase) = (turns + 1, points, 0);
        }
        if turns > TURNS_AHEAD_MAX {
            break;
        }
        let Some(to) = view.grid.step(at, *direction) else { break };
        left = left.saturating_sub(view.cost(class, to).unwrap_or(1));
        (at, phase) = (to, phase + 1);
    }
    turns
}
