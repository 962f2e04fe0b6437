//! What the cities build, and what goes into research and spies.

use super::super::state::{
    BATTERY, BOMBER, Centre, ENGINEER, FIGHTER, HEAVY_TANK, INFANTRY, JET, LEVEL, MECHANISED, TANK,
    TRANSPORT, TRUCK, WARHEAD,
};

use super::Brain;
use super::centres;
use super::drops;
use crate::computer::engineers;
use crate::computer::escorts;
use crate::computer::war;
use crate::computer::weapons;
use engine::geometry::Place;

/// The turn before which trucks are built, and the turn after which bombers are built.
const TRUCK_TURNS: u32 = 20;
const BOMBER_TURN: u32 = 10;
/// The turn after which fighters are built.
const FIGHTER_TURN: u32 = 3;
/// Sectors within which a foreign city makes a front.
const FRONT_RANGE: i32 = 8;
/// Income in hundredths of PP from which a larger share goes into research.
const RICH_INCOME: i64 = 2000;

pub fn build(brain: &mut Brain) {
    levels(brain);
    weapons::arm(brain);
    drops::train(brain);
    research(brain);
    let mut cities: Vec<(u32, u16, Place)> = brain
        .power
        .cities
        .iter()
        .map(|(n, c)| (u32::MAX - brain.threats.get(n).copied().unwrap_or(0), *n, c.at))
        .collect();
    cities.sort_unstable();
    for (_, number, at) in cities {
        for centre in 0..3 {
            occupy(brain, number, centre, at);
        }
    }
}

/// Chooses what a centre that is not at work builds next.
fn occupy(brain: &mut Brain, number: u16, centre: usize, at: Place) {
    let next = match brain.power.cities[&number].centres[centre] {
        Centre::Idle => None,
        Centre::Ready(item) => Some(item),
        Centre::Working { .. } => return,
    };
    if brain.purse < 100 {
        return;
    }
    let rich = brain.purse > brain.view.power.income * 3 / 2;
    let item = choice(brain, number, at, rich);
    let cost = brain.view.tables.row(item).pp * 100;
    let item = if cost > brain.purse { INFANTRY } else { item };
    if next == Some(item) {
        // The centre starts the item again without an order.
        centres::spend(brain, number, centre, item);
        return;
    }
    if centres::free_centre(brain, number) != Some(centre) {
        brain.order(format!("C {number} {}", 31 + centre));
    }
    centres::order(brain, number, centre, item);
}

/// Walls: the first level costs nothing; cities near an enemy get more.
fn levels(brain: &mut Brain) {
    let cities: Vec<u16> = brain.power.cities.keys().copied().collect();
    for number in cities {
        let city = &brain.power.cities[&number];
        let planned = super::super::desk::planned_level(city);
        let threat = brain.threats.get(&number).copied().unwrap_or(0);
        let cost = i64::from(planned) * brain.view.tables.rules.economy.level_cost * 100;
        let rich = brain.purse > 2 * brain.view.power.income;
        let front = threat > 5 || rich && war::enemy_near(brain, city.at, FRONT_RANGE);
        let wanted = planned == 0 || front && planned < brain.level.walls;
        let free = |i: &usize| rich || city.centres[*i] == Centre::Idle;
        let centre = centres::free_centre(brain, number).filter(free);
        let (Some(centre), true) = (centre, wanted && cost <= brain.purse) else { continue };
        brain.purse -= cost;
        brain.order(format!("C {number} {LEVEL}"));
        centres::set(brain, number, centre, Centre::Working { item: LEVEL, left: 1, spent: cost });
    }
}

fn choice(brain: &mut Brain, number: u16, at: Place, rich: bool) -> u8 {
    // Place of the roll: the city.
    let roll = brain.dice.at([number.into()]).below("what to build", 100);
    let count = |kind: u8| -> u32 {
        let centres = brain.power.cities.values().flat_map(|c| c.centres.iter());
        let coming = centres.filter(
            |c| matches!(c, Centre::Ready(i) | Centre::Working { item: i, .. } if *i == kind),
        );
        let units = brain.power.units.values().filter(|u| u.kind == kind);
        units.map(|u| u32::from(u.size)).sum::<u32>() + coming.count() as u32
    };
    let cities = brain.power.cities.len() as u32;
    let (mut cover, mut bombers) = (count(FIGHTER) + count(JET), count(BOMBER));
    for city in brain.power.cities.values() {
        cover += u32::from(city.hangar.planes.cover());
        bombers += u32::from(city.hangar.planes.bombers);
    }
    let has = |kind: u8| brain.view.tables.row(kind).tech <= brain.power.tech;
    let turn = brain.view.turn;
    if brain.threats.get(&number).copied().unwrap_or(0) > 4 {
        return INFANTRY;
    }
    if brain.struck.contains(&at) && rich && has(BATTERY) && !has_battery(brain, at) {
        return BATTERY;
    }
    let coastal = brain.view.is_coastal(at);
    if coastal && brain.level.landings > 0 && wants_ships(brain) {
        if count(TRANSPORT) < 2 {
            return TRANSPORT;
        }
        if let Some(ship) = escorts::missing_escort(brain, &count).filter(|_| rich) {
            return ship;
        }
    }
    let (most_cover, most_bombers) = (
        brain.level.fighters + cities * brain.level.fighters / 4,
        cities * brain.level.bombers / 4,
    );
    match roll {
        0..6 if count(TRUCK) < 2 + cities / 2 && turn < TRUCK_TURNS => TRUCK,
        6..12 if rich && engineers::wants_engineers(brain, count(ENGINEER)) => ENGINEER,
        _ if cover < most_cover && rich && has(JET) => JET,
        _ if cover < most_cover && turn > FIGHTER_TURN => FIGHTER,
        _ if bombers < most_bombers && rich && turn > BOMBER_TURN => BOMBER,
        n if n >= 40 && n < 40 + brain.level.tanks && rich => {
            [HEAVY_TANK, MECHANISED].into_iter().find(|k| has(*k)).unwrap_or(TANK)
        }
        _ => INFANTRY,
    }
}

/// Whether a city has a battery or builds one.
fn has_battery(brain: &Brain, at: Place) -> bool {
    let working = |c: &Centre| matches!(c, Centre::Working { item: BATTERY, .. });
    let builds = brain.power.city_at(at).is_some_and(|(_, c)| c.centres.iter().any(working));
    builds || brain.power.units.values().any(|u| u.kind == BATTERY && u.at == at)
}

/// Pays for research steadily, and now and then for a spy on a neighbour.
fn research(brain: &mut Brain) {
    let income = brain.view.power.income;
    let spare = brain.purse / 100;
    if brain.view.turn % 6 == u32::from(brain.view.seat) % 6 && spare > 6 {
        let met: Vec<u8> = brain.view.power.met.keys().copied().collect();
        let strangers = met.into_iter().filter(|p| !brain.power.allies.contains(p));
        let strangers: Vec<u8> = strangers.collect();
        if !strangers.is_empty() {
            let dice = brain.dice.at([]);
            let pick = dice.below("whom to spy on", strangers.len() as u32) as usize;
            let limit = brain.view.tables.rules.economy.spy_limit * i64::from(brain.power.tech);
            let pay = limit.min(2);
            brain.order(format!("I {} {pay}", strangers[pick]));
            brain.purse -= pay * 100;
        }
    }
    let quiet = brain.threats.values().all(|t| *t == 0);
    let rich = income >= RICH_INCOME || quiet && brain.view.turn > 20;
    let percent = if rich { brain.level.research_rich } else { brain.level.research };
    // Amounts below one PP are saved up, so that whole PP are paid every few turns.
    let due = income * percent / 100 * i64::from(brain.view.turn) / 100;
    let before = income * percent / 100 * i64::from(brain.view.turn - 1) / 100;
    // PP that lie idle in the stock go into research too, except what infantry at all centres and a
    // weapon would cost.
    let tables = &brain.view.tables;
    let centres = 3 * brain.power.cities.len() as i64 * tables.row(INFANTRY).pp * 100;
    let armed = brain.power.tech >= tables.tech.gates.rockets;
    let weapons = if armed { tables.row(WARHEAD).pp * 100 } else { 0 };
    let kept = centres.max(income * brain.level.stock / 100) + weapons;
    let idle = (brain.purse - kept) / 100;
    let amount = (due - before).max(idle).min(brain.purse / 100);
    let level_max = brain.view.tables.rules.research.tech_max;
    if amount > 0 && brain.view.turn > 8 && brain.power.tech < level_max {
        brain.order(format!("E {amount}"));
        brain.purse -= amount * 100;
    }
}

/// Whether nothing is left to take on the continents of its own cities.
pub fn wants_ships(brain: &Brain) -> bool {
    let own: Vec<Option<u32>> =
        brain.power.cities.values().map(|c| brain.continent(c.at)).collect();
    let ashore = brain.targets.values().any(|c| own.contains(&brain.continent(c.at)));
    (!ashore || brain.stuck) && brain.view.turn > 5
}
