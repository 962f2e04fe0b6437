//! Forces that stand together and can march together.

use std::collections::BTreeMap;

use super::super::state::{BATTERY, ENGINEER, INFANTRY, TRUCK, Target, Unit, is_land};
use super::super::tables::Class;
use super::Brain;
use super::force::Force;
use crate::computer::drops;
use engine::geometry::Place;

/// Regiments that make a force in the field; smaller units claim land.
pub const FORCE_MIN: u16 = 3;

/// Units of one class in one sector, as far as they are free to go.
#[derive(Debug, Clone)]
pub struct Stack {
    /// Where they stand.
    pub at: Place,
    /// How they move.
    pub class: Class,
    /// Units, and the regiments of each that may go.
    pub parts: Vec<(u16, u16)>,
    /// The force of all regiments that may go.
    pub force: Force,
    /// Regiments that may go.
    pub size: u16,
    /// Whether they stand in an own city.
    pub in_city: bool,
    /// The common goal of all of them.
    pub goal: Option<Place>,
}

/// Joins the idle infantry divisions in a sector into one.
pub fn muster(brain: &mut Brain, at: Place) {
    let most = brain.view.tables.rules.economy.division_max;
    let of_kind = |n: &u16| brain.power.units.get(n).is_some_and(|u| u.kind == INFANTRY);
    let infantry: Vec<u16> = brain.idle_at(at).into_iter().filter(of_kind).collect();
    let Some((&first, rest)) = infantry.split_first() else { return };
    for &no in rest {
        let size = brain.power.units[&no].size;
        let room = brain.power.units[&first].size + size <= most;
        if !room {
            continue;
        }
        brain.order(format!("L {first} {no}"));
        let Some(gone) = brain.power.units.remove(&no) else { continue };
        for general in &mut brain.power.generals {
            if general.billet == Some(super::super::state::Billet::Unit(no)) {
                general.billet = Some(super::super::state::Billet::Unit(first));
            }
        }
        if let Some(unit) = brain.power.units.get_mut(&first) {
            unit.rank = super::super::state::average_rank(&[
                (unit.size, unit.rank),
                (gone.size, gone.rank),
            ]);
            unit.size += gone.size;
        }
    }
}

/// All forces that have no order yet; in cities, without the regiments that the city keeps.
pub fn stacks(brain: &Brain) -> Vec<Stack> {
    let mut found: BTreeMap<(Place, bool), Vec<u16>> = BTreeMap::new();
    for (no, unit) in &brain.power.units {
        let class = brain.view.tables.row(unit.kind).class;
        // Batteries guard their city.
        let fights = !matches!(unit.kind, ENGINEER | TRUCK | BATTERY);
        let free = unit.aboard.is_none() && !brain.busy.contains(no);
        if fights && is_land(class) && free && !drops::waits_for_drop(brain, unit) {
            found.entry((unit.at, class == Class::Arm)).or_default().push(*no);
        }
    }
    let stack = |((at, armour), units): ((Place, bool), Vec<u16>)| {
        let class = if armour { Class::Arm } else { Class::Inf };
        stack(brain, at, class, &units)
    };
    found.into_iter().filter_map(stack).collect()
}

fn stack(brain: &Brain, at: Place, class: Class, units: &[u16]) -> Option<Stack> {
    let city = brain.power.city_at(at).map(|(number, _)| number);
    let mut keep = match (city, class) {
        (Some(number), Class::Inf) => brain.holds.get(&number).copied().unwrap_or(0),
        _ => 0,
    };
    let (mut parts, mut force, mut size) = (Vec::new(), Force::default(), 0);
    let mut goals: Vec<Option<Place>> = Vec::new();
    for &no in units {
        let unit = &brain.power.units[&no];
        let stays = unit.size.min(keep);
        keep -= stays;
        let goes = unit.size - stays;
        // Small units in the field claim land.
        let small = city.is_none() && unit.size < FORCE_MIN && !brain.power.cities.is_empty();
        if goes == 0 || small {
            continue;
        }
        goals.push(goal_of(unit));
        parts.push((no, goes));
        size += goes;
        force = force.plus(Force::of(&brain.view.tables, unit.kind, goes, unit.rank));
    }
    let first = goals.first().copied().flatten();
    let goal = first.filter(|to| goals.iter().all(|g| *g == Some(*to)));
    let stack = Stack { at, class, parts, force, size, in_city: city.is_some(), goal };
    (stack.size > 0).then_some(stack)
}

/// Sends the free part of a stack somewhere, at most `most` regiments; returns the largest unit
/// that goes.
pub fn send(brain: &mut Brain, stack: &Stack, to: Place, most: u16) -> u16 {
    let mut left = most;
    let mut main = (0, 0);
    for &(no, goes) in &stack.parts {
        let goes = goes.min(left);
        if goes == 0 {
            continue;
        }
        left -= goes;
        let size = brain.power.units.get(&no).map_or(0, |u| u.size);
        let marcher = if goes < size { brain.split(no, goes) } else { no };
        if most == u16::MAX {
            brain.busy.insert(no);
        }
        brain.advance(marcher, to);
        main = main.max((goes, marcher));
    }
    main.1
}

/// Keeps a stack where it is and out of all other use.
pub fn stay(brain: &mut Brain, stack: &Stack) {
    for &(no, _) in &stack.parts {
        brain.busy.insert(no);
        brain.waiting.insert(no);
        let unit = brain.power.units.get(&no);
        if unit.is_some_and(|u| u.goal.is_some()) {
            // A march without steps ends a standing advance.
            brain.order(format!("M {no} 0"));
        }
    }
}

/// Turns that a class needs for a number of points.
pub fn turns(class: Class, points: u16) -> u32 {
    let speed = if class == Class::Arm { 4 } else { 3 };
    u32::from(points).div_ceil(speed)
}

/// The sector that a unit is heading for.
pub fn goal_of(unit: &Unit) -> Option<Place> {
    match unit.goal?.target {
        Target::Sector(to) => Some(to),
        Target::Heading(_) => None,
    }
}
