//! The items that a city's centres are set to, and what they leave to spend.

use super::super::state::Centre;
use super::Brain;

/// The centre that an order takes where none is halted: the first idle one, else the first ready
/// one.
pub fn free_centre(brain: &Brain, number: u16) -> Option<usize> {
    let centres = &brain.power.cities.get(&number)?.centres;
    let idle = centres.iter().position(|c| *c == Centre::Idle);
    idle.or_else(|| centres.iter().position(|c| matches!(c, Centre::Ready(_))))
}

/// Orders an item at the centre that is free.
pub fn order(brain: &mut Brain, number: u16, centre: usize, item: u8) {
    brain.order(format!("C {number} {item}"));
    spend(brain, number, centre, item);
}

/// Notes that the item of a centre is paid for and in work.
pub fn spend(brain: &mut Brain, number: u16, centre: usize, item: u8) {
    let row = brain.view.tables.row(item);
    let (left, spent) = (row.turns, row.pp * 100);
    brain.purse -= spent;
    set(brain, number, centre, Centre::Working { item, left, spent });
}

/// Notes what a centre does from now on.
pub fn set(brain: &mut Brain, number: u16, centre: usize, to: Centre) {
    if let Some(city) = brain.power.cities.get_mut(&number) {
        city.centres[centre] = to;
    }
}

/// Whether half an income is left after paying a price, given in hundredths of PP.
pub fn can_spare(brain: &Brain, cost: i64) -> bool {
    cost + brain.view.power.income / 2 <= brain.purse
}

/// Keeps one centre of each of these cities at an item until `most` are ready or coming; `ready` of
/// them exist already.
pub fn keep(brain: &mut Brain, item: u8, cities: &[u16], ready: u16, most: u16) {
    let cost = brain.view.tables.row(item).pp * 100;
    let mut coming = 0;
    for &number in cities {
        let centres = brain.power.cities[&number].centres;
        let works = |c: &Centre| matches!(c, Centre::Working { item: i, .. } if *i == item);
        let again = centres.iter().position(|c| *c == Centre::Ready(item));
        coming += u16::from(centres.iter().any(works));
        if ready + coming >= most {
            if let Some(centre) = again {
                brain.order(format!("C {number} {}", 31 + centre));
                set(brain, number, centre, Centre::Idle);
            }
            continue;
        }
        let free = free_centre(brain, number).filter(|_| !centres.iter().any(works));
        let Some(centre) = free.filter(|_| can_spare(brain, cost)) else { continue };
        coming += 1;
        match again {
            // The centre starts the item again without an order.
            Some(centre) => spend(brain, number, centre, item),
            None => order(brain, number, centre, item),
        }
    }
}
