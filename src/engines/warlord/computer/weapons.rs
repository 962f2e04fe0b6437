//! Missiles and warheads, built at home first and fired where they do most; also defences and
//! satellite pictures.

use super::super::bases::{BaseNo, Hangar};
use super::super::state::{Centre, City, MISSILE, NOBODY, SHIELD, WARHEAD};
use super::Brain;
use super::centres;
use super::force::Force;
use engine::geometry::Place;

/// The turn from which weapons are built; before it infantry is worth more.
pub const ARMS_TURN: u32 = 15;
/// Regiments that make a city worth a warhead.
const ATOMIC_REGIMENTS: u16 = 12;
/// Turns for which a garrison once seen is believed to be there.
const FRESH: u32 = 6;

/// Builds missiles and warheads at home first, and missile defences; orders a satellite picture.
pub fn arm(brain: &mut Brain) {
    if brain.view.turn < ARMS_TURN {
        return;
    }
    let gates = &brain.view.tables.tech.gates;
    let (rockets, atomic) = (gates.rockets, gates.atomic);
    if brain.power.tech >= gates.satellite {
        photograph(brain);
    }
    let mut cities: Vec<u16> = brain.power.cities.keys().copied().collect();
    // The home city comes first, as it is usually lost last.
    cities.sort_by_key(|n| (*n != u16::from(brain.view.seat), *n));
    if brain.power.tech >= atomic
        && let Some(home) = cities.first()
    {
        stockpile(brain, WARHEAD, &[*home], brain.level.warheads);
    }
    if brain.power.tech >= rockets {
        let most = brain.level.missiles * cities.len() as u16;
        stockpile(brain, MISSILE, &cities, most);
    }
    if brain.view.tables.row(SHIELD).tech <= brain.power.tech {
        shield(brain, &cities);
    }
}

/// Builds a missile defence at the first city without one, where there are PP to spare.
fn shield(brain: &mut Brain, cities: &[u16]) {
    let cost = brain.view.tables.row(SHIELD).pp * 100;
    let working = |c: &Centre| matches!(c, Centre::Working { item: SHIELD, .. });
    let coming = brain.power.cities.values().any(|c| c.centres.iter().any(working));
    let open = cities.iter().copied().find(|n| !brain.power.cities[n].shield);
    let Some(number) = open.filter(|_| !coming) else { return };
    if let Some(centre) =
        centres::free_centre(brain, number).filter(|_| centres::can_spare(brain, cost))
    {
        centres::order(brain, number, centre, SHIELD);
    }
}

/// Orders a satellite picture of the main goal, if nobody has looked there lately.
fn photograph(brain: &mut Brain) {
    let price = brain.view.tables.rules.spying.satellite_pp;
    let goal = brain.notes.aims.first().and_then(|n| brain.targets.get(n));
    let unseen = goal.filter(|c| !is_fresh(brain, c.number));
    let Some(at) = unseen.map(|c| c.at) else { return };
    if centres::can_spare(brain, price * 100) {
        brain.purse -= price * 100;
        let sector = brain.sector(at);
        brain.order(format!("I {sector} {price}"));
    }
}

/// Keeps one centre of each of these cities at missiles or warheads until `most` of them are ready.
fn stockpile(brain: &mut Brain, item: u8, cities: &[u16], most: u16) {
    let lying = |h: &Hangar| if item == MISSILE { h.missiles } else { h.warheads };
    let ready: u16 = brain.power.bases().map(|(.., hangar)| lying(hangar)).sum();
    centres::keep(brain, item, cities, ready, most);
}

/// Fires missiles at cities that are attacked now and at forces near own cities, and a warhead at a
/// large garrison of a player who leads or has attacked, never near own ground.
pub fn fire(brain: &mut Brain) {
    let gates = &brain.view.tables.tech.gates;
    let (rockets, atomic) = (gates.rockets, gates.atomic);
    if brain.power.tech >= atomic {
        fire_warhead(brain);
    }
    if brain.power.tech < rockets {
        return;
    }
    let damage = brain.view.tables.rules.missiles.damage;
    let mut wanted: Vec<(i64, Place, i64)> = Vec::new();
    for fight in brain.fights.iter().filter(|f| f.turns <= 1) {
        if let Some(city) = brain.targets.values().find(|c| c.at == fight.at) {
            let tough = brain.garrison_in(city).defence / 1000;
            let walls = i64::from(city.seen.level) * damage / 2;
            wanted.push((fight.weight, fight.at, tough + walls));
        }
    }
    for s in brain.view.spotted.iter().filter(|s| brain.is_enemy(s)) {
        let near = |c: &City| brain.view.grid.distance(c.at, s.at) <= 3;
        let city = brain.view.cities.iter().any(|c| c.at == s.at);
        let tough = Force::seen(&brain.view.tables, s).defence / 1000;
        if !city && tough >= damage && brain.power.cities.values().any(near) {
            wanted.push((tough * 1000, s.at, tough));
        }
    }
    wanted.sort_unstable_by_key(|(worth, at, _)| (std::cmp::Reverse(*worth), *at));
    for (_, at, tough) in wanted {
        // Shelter absorbs part of the damage.
        let enough = u16::try_from(tough * 5 / 4 / damage + 1).unwrap_or(u16::MAX);
        let ready = loose(brain, at).min(enough);
        if ready > 0 && brain.power.has_explored(at) {
            let sector = brain.sector(at);
            brain.order(format!("R {ready} {sector}"));
            spend_missiles(brain, at, ready);
        }
    }
}

/// The damage in thousandths that all missiles within reach do at a place.
pub fn salvo(brain: &Brain, at: Place) -> i64 {
    if brain.power.tech < brain.view.tables.tech.gates.rockets || !brain.power.has_explored(at) {
        return 0;
    }
    i64::from(loose(brain, at)) * brain.view.tables.rules.missiles.damage * 1000
}

/// Missiles that may fly to a place without a warhead. The nearest fly first, and one stays for
/// each warhead at its base.
fn loose(brain: &Brain, at: Place) -> u16 {
    let mut loose = 0;
    for base in bases_near(brain, at) {
        let Some(hangar) = brain.power.hangar(base) else { continue };
        loose += hangar.missiles.saturating_sub(hangar.warheads);
        if hangar.warheads > 0 {
            break;
        }
    }
    loose
}

/// Own bases whose missiles reach a place, the nearest first.
fn bases_near(brain: &Brain, at: Place) -> Vec<BaseNo> {
    let reach = brain.view.tables.row(MISSILE).points as i32;
    let far = |(base, from, _)| (brain.view.grid.distance(from, at), base);
    let mut bases: Vec<(i32, BaseNo)> = brain.power.bases().map(far).collect();
    bases.retain(|(far, _)| *far <= reach);
    bases.sort_unstable();
    bases.into_iter().map(|(_, base)| base).collect()
}

/// Notes that the nearest missiles are fired.
fn spend_missiles(brain: &mut Brain, at: Place, mut number: u16) {
    for base in bases_near(brain, at) {
        let Some(hangar) = brain.power.hangar_mut(base) else { continue };
        let fired = hangar.missiles.min(number);
        hangar.missiles -= fired;
        number -= fired;
    }
}

fn fire_warhead(brain: &mut Brain) {
    let radius = brain.view.tables.rules.missiles.atomic_radius;
    let grid = brain.view.grid;
    let near_own = |at: Place| {
        let near = |p: Place| grid.distance(p, at) <= radius + 1;
        brain.power.units.values().any(|u| near(u.at))
            || brain.power.cities.values().any(|c| near(c.at))
    };
    let guilty = |owner: u8| {
        owner != NOBODY && (brain.leader == Some(owner) || brain.notes.attacks.contains_key(&owner))
    };
    let goals = brain.targets.values().filter(|c| {
        c.seen.owner.is_some_and(guilty)
            && regiments_at(brain, c.at) >= ATOMIC_REGIMENTS
            && is_fresh(brain, c.number)
            && !brain.notes.aims.contains(&c.number)
            && brain.power.has_explored(c.at)
            && !near_own(c.at)
            && armed(brain, c.at).is_some()
    });
    let best = goals.max_by_key(|c| (regiments_at(brain, c.at), c.number)).map(|c| c.at);
    if let Some(at) = best {
        let sector = brain.sector(at);
        brain.order(format!("R A1 {sector}"));
        let armed = armed(brain, at);
        if let Some(hangar) = armed.and_then(|base| brain.power.hangar_mut(base)) {
            hangar.missiles -= 1;
            hangar.warheads -= 1;
        }
    }
}

/// The nearest base with a missile and a warhead in reach of a place.
fn armed(brain: &Brain, at: Place) -> Option<BaseNo> {
    let has = |h: &Hangar| h.missiles.min(h.warheads) > 0;
    bases_near(brain, at).into_iter().find(|base| brain.power.hangar(*base).is_some_and(has))
}

/// Whether the garrison of a foreign city was seen lately.
fn is_fresh(brain: &Brain, number: u16) -> bool {
    let seen = brain.notes.garrisons.get(&number);
    seen.is_some_and(|g| g.turn + FRESH > brain.view.turn)
}

/// Regiments last seen in a foreign city.
fn regiments_at(brain: &Brain, at: Place) -> u16 {
    let city = brain.targets.values().find(|c| c.at == at);
    city.and_then(|c| brain.notes.garrisons.get(&c.number)).map_or(0, |g| g.size)
}
