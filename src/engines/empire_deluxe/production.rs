//! Production (§11): the clock of each city, its efficiency, the burden of many units.

use engine::Seat;

use super::kinds::Kind;
use super::state::{City, World};

/// The percentage of normal production in all cities of a player (§11.5): its handicap, which in
/// the advanced edition its number of units reduces.
pub fn base(world: &World, seat: Seat) -> u32 {
    let options = &world.options;
    let handicap = options.handicap(seat);
    if !options.advanced() {
        return handicap;
    }
    // There are at most a few thousand of each.
    let cities = world.cities_of(seat).count() as u64;
    let units = world.side(seat).map_or(0, |s| s.units.len()) as u64;
    let figures = options.efficiency;
    let all = u64::from(handicap);
    let kept = match units {
        0 => all,
        units => (all * figures.crowded * cities / units).min(all),
    };
    // The result is at most the handicap.
    kept.max(all * figures.floor / 100) as u32
}

/// Turns that a city needs for a kind now (§11.3).
pub fn time(world: &World, city: &City, kind: Kind, base: u32) -> u32 {
    let options = &world.options;
    let Some(figure) = options.figure(kind) else { return u32::MAX };
    let advanced = options.advanced();
    let again = options.edition != super::kinds::Edition::Basic && city.last == Some(kind);
    let (c, of) = if again { (5, 6) } else { (1, 1) };
    let special = match city.speciality {
        Some(own) if advanced => {
            let figures = options.efficiency;
            if own == kind { figures.fast } else { figures.slow }
        }
        _ => 100,
    };
    let efficiency = if advanced { city.efficiency.max(1) } else { 100 };
    // base × c × s × 100/eff × 100/BPE, rounded with halves up, as one fraction.
    let above = u64::from(figure.turns) * c * special * 100;
    let below = of * u64::from(efficiency) * u64::from(base.max(1));
    let turns = (2 * above + below) / (2 * below);
    u32::try_from(turns.max(1)).unwrap_or(u32::MAX)
}

/// Runs one turn of a city. Returns the kind that it has finished.
pub fn advance(world: &World, city: &mut City, base: u32) -> Option<Kind> {
    let figures = world.options.efficiency;
    let Some(kind) = city.list.first().copied() else {
        if world.options.advanced() && city.efficiency < figures.improved {
            city.idle += 1;
            if city.idle >= pace(city.efficiency) {
                city.idle = 0;
                city.efficiency += 1;
            }
        }
        return None;
    };
    city.idle = 0;
    city.done += 1;
    if city.done < time(world, city, kind, base) {
        return None;
    }
    city.done = 0;
    if city.list.len() > 1 || city.ends {
        city.list.remove(0);
    }
    // Next the city builds the next kind of its list, or the same again.
    city.last = (city.list.first() == Some(&kind)).then_some(kind);
    Some(kind)
}

/// Turns for one percent of efficiency (§11.4).
fn pace(efficiency: u32) -> u32 {
    match efficiency {
        0..=104 => 1,
        // From 105 to 114 it takes two, and one more for each ten.
        more => (more - 105) / 10 + 2,
    }
}

/// Orders a city to build these (§11.1), and nothing after them if `ends`: progress is lost, except
/// for the same kind as before.
pub fn order(city: &mut City, list: Vec<Kind>, ends: bool) {
    if city.list.first() != list.first() {
        (city.done, city.last) = (0, None);
    }
    (city.list, city.ends) = (list, ends);
}

/// The efficiency of a city after a bomber has hit it (§9).
pub fn bombed(world: &World, city: &City) -> u32 {
    let figures = world.options.efficiency;
    (city.efficiency * figures.bombed / 100).max(figures.least)
}
