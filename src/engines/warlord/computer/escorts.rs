//! Ships that go along with landings: warships, carriers with planes, submarines with missiles.

use super::super::bases::{BOMBER, BaseNo, FIGHTER, Planes};
use super::super::state::{
    BATTLESHIP, CARRIER, CRUISER, City, MISSILE_CRUISER, NUCLEAR_SUBMARINE, Unit,
};
use super::super::tables::Class;
use super::Brain;
use engine::geometry::Place;

/// Warships, the most wanted type first.
const WARSHIPS: [u8; 3] = [MISSILE_CRUISER, BATTLESHIP, CRUISER];
/// Planes of each type that are sent aboard a carrier.
const AIR_GROUP: u16 = 4;

/// Whether ships of a type go along with landings.
fn escorts(kind: u8) -> bool {
    WARSHIPS.contains(&kind) || matches!(kind, CARRIER | NUCLEAR_SUBMARINE)
}

/// The type of ship that landings lack, or `None`; `count` gives the ships of a type that exist or
/// are being built.
pub fn missing_escort(brain: &Brain, count: &dyn Fn(u8) -> u32) -> Option<u8> {
    let known = |kind: &u8| brain.view.tables.row(*kind).tech <= brain.power.tech;
    let warship = WARSHIPS.into_iter().find(known);
    let warships: u32 = WARSHIPS.iter().map(|kind| count(*kind)).sum();
    let planes = brain.power.cities.values().map(|c| c.hangar.free()).max_by_key(|p| p.total());
    let wanted = |kind: &u8| match *kind {
        CARRIER => planes.is_some_and(|p| p.fighters + p.bombers > 1),
        // A submarine is useless without missiles.
        _ => brain.power.cities.values().any(|c| c.hangar.missiles > c.hangar.warheads),
    };
    let lacks = |kind: &u8| known(kind) && count(*kind) == 0 && wanted(kind);
    let most = u32::from(brain.level.escorts);
    let warship = warship.filter(|_| warships < most);
    // Carriers and submarines come after the first warship, which is to guard them.
    let guarded = [CARRIER, NUCLEAR_SUBMARINE].into_iter().find(lacks);
    guarded.filter(|_| warships.min(most) > 0).or(warship)
}

/// Escorts go where troops are about to land, else to the nearest port; decks and tubes
/// are filled on the way.
pub fn escort(brain: &mut Brain, landings: &[Place]) {
    end_transfers(brain);
    let ports = brain.power.cities.values().map(|c| c.at);
    let ports: Vec<Place> = ports.filter(|at| brain.view.is_coastal(*at)).collect();
    for ship in idle_ships(brain) {
        let Some(flotilla) = brain.power.units.get(&ship).cloned() else { continue };
        if !escorts(flotilla.kind) {
            continue;
        }
        match flotilla.kind {
            CARRIER => fill_deck(brain, ship, &flotilla),
            NUCLEAR_SUBMARINE => fill_tubes(brain, ship, &flotilla),
            _ => {}
        }
        let far = |at: &Place| (brain.view.grid.distance(*at, flotilla.at), *at);
        let goal = landings.iter().copied().min_by_key(far);
        let goal = goal.or_else(|| ports.iter().copied().min_by_key(far));
        if let Some(at) = goal.filter(|at| *at != flotilla.at) {
            brain.advance(ship, at);
        }
    }
}

/// Ends the transfers to ships, which are meant for one turn.
fn end_transfers(brain: &mut Brain) {
    let to_ship = |c: &City| matches!(c.hangar.transfer.map(|t| t.to), Some(BaseNo::Ship(_)));
    let ended = brain.power.cities.iter().filter(|(_, c)| to_ship(c)).map(|(n, _)| *n);
    for city in ended.collect::<Vec<u16>>() {
        brain.order(format!("F {city} 0 0"));
        if let Some(city) = brain.power.cities.get_mut(&city) {
            city.hangar.transfer = None;
        }
    }
}

/// The nearest own city within `reach` that has something to give.
fn giver(brain: &Brain, to: Place, reach: i32, gives: impl Fn(&City) -> bool) -> Option<u16> {
    let far = |(n, c): (&u16, &City)| (brain.view.grid.distance(c.at, to), *n);
    let givers = brain.power.cities.iter().filter(|(_, c)| gives(c));
    givers.map(far).min().filter(|(far, _)| *far <= reach).map(|(_, number)| number)
}

/// Sends planes of the nearest city that has some aboard a carrier; bombers of the drop base stay.
fn fill_deck(brain: &mut Brain, ship: u16, flotilla: &Unit) {
    let aboard = brain.power.decks.get(&ship).map(|deck| deck.planes).unwrap_or_default();
    let reach = brain.view.tables.reach(FIGHTER, brain.power.tech);
    let drops = brain.drop_base.filter(|_| brain.level.drops > 0).map(|(_, at)| at);
    let lacking = |c: &City| {
        let free = c.hangar.free();
        let of = |kind| free.count(kind).min(AIR_GROUP.saturating_sub(aboard.count(kind)));
        let bombers = if drops == Some(c.at) { 0 } else { of(BOMBER) };
        Planes { fighters: of(FIGHTER), bombers, jets: 0 }
    };
    let Some(base) = giver(brain, flotilla.at, reach, |c| lacking(c).total() > 0) else {
        return;
    };
    let Some(city) = brain.power.cities.get_mut(&base) else { return };
    let planes = lacking(city);
    city.hangar.planes -= planes;
    brain.order(format!("F {base} S{ship} {}{}", planes.fighters, planes.bombers));
}

/// Missiles of the nearest city fill a submarine's tubes.
fn fill_tubes(brain: &mut Brain, ship: u16, flotilla: &Unit) {
    let row = brain.view.tables.row(NUCLEAR_SUBMARINE);
    let aboard = brain.power.decks.get(&ship).map_or(0, |deck| deck.missiles);
    let empty = (u16::from(row.tubes) * flotilla.size).saturating_sub(aboard);
    let reach = brain.view.tables.reach(BOMBER, brain.power.tech);
    let loose = |c: &City| c.hangar.missiles.saturating_sub(c.hangar.warheads).min(empty);
    let Some(base) = giver(brain, flotilla.at, reach, |c| loose(c) > 0) else { return };
    let Some(city) = brain.power.cities.get_mut(&base) else { return };
    let taken = loose(city);
    city.hangar.missiles -= taken;
    brain.order(format!("F {base} S{ship} M{taken}"));
}

/// Ships without an order, by number.
pub fn idle_ships(brain: &Brain) -> Vec<u16> {
    let ship = |u: &super::super::state::Unit| brain.view.tables.row(u.kind).class == Class::Ship;
    let free = brain.power.units.iter().filter(|(n, u)| ship(u) && !brain.busy.contains(n));
    free.map(|(n, _)| *n).collect()
}
