//! Paratroops wait where the bombers are, and drop on cities with few defenders, if need be after
//! missiles.

use super::super::bases::BaseNo;
use super::super::state::{BOMBER, NOBODY, PARATROOPS, Unit};
use super::super::view::KnownCity;
use super::Brain;
use super::Fight;
use super::centres;
use super::force::{Force, remains, shelter, weaken};
use crate::computer::weapons;
use engine::geometry::Place;

/// The own city where paratroops and their bombers gather: where most bombers stand, else
/// the nearest to a foreign city.
pub fn find_drop_base(brain: &Brain) -> Option<(u16, Place)> {
    let grid = brain.view.grid;
    let far = |at: Place| brain.targets.values().map(|c| grid.distance(c.at, at)).min();
    let bases = brain.power.cities.iter().filter_map(|(n, c)| {
        let bombers = c.hangar.planes.bombers;
        Some((std::cmp::Reverse(bombers), far(c.at)?, *n, c.at))
    });
    bases.min().map(|(_, _, number, at)| (number, at))
}

/// Builds bombers and as many paratroops at one base.
pub fn train(brain: &mut Brain) {
    let known = brain.power.tech >= brain.view.tables.tech.gates.drop;
    if brain.view.turn < weapons::ARMS_TURN || !known || brain.level.drops == 0 {
        return;
    }
    let Some((number, at)) = brain.drop_base else { return };
    let most = brain.level.drops;
    let bombers = brain.power.cities[&number].hangar.planes.bombers;
    centres::keep(brain, BOMBER, &[number], bombers, most);
    let troops = paratroops_at(brain, at).map(|(_, unit)| unit.size).sum();
    centres::keep(brain, PARATROOPS, &[number], troops, most.min(bombers));
}

/// Paratroops at a base.
fn paratroops_at<'b>(
    brain: &'b Brain,
    at: Place,
) -> impl Iterator<Item = (u16, &'b Unit)> + use<'b> {
    let here = move |u: &Unit| u.kind == PARATROOPS && u.at == at && u.aboard.is_none();
    brain.power.units.iter().filter(move |(_, u)| here(u)).map(|(n, u)| (*n, u))
}

/// Whether a unit waits at its base for a drop.
pub fn waits_for_drop(brain: &Brain, unit: &Unit) -> bool {
    let drops = brain.level.drops > 0 && unit.kind == PARATROOPS;
    drops && brain.drop_base.is_some_and(|(_, at)| at == unit.at)
}

/// Drops as many paratroops as the bombers carry on a city in sight that they can take.
pub fn drop_troops(brain: &mut Brain) {
    if brain.level.drops == 0 || brain.power.tech < brain.view.tables.tech.gates.drop {
        return;
    }
    let Some((base, from)) = brain.drop_base else { return };
    let bombers = brain.power.cities[&base].hangar.free().bombers;
    let idle = paratroops_at(brain, from).filter(|(n, _)| !brain.busy.contains(n));
    let Some((size, no, rank)) = idle.map(|(n, u)| (u.size, n, u.rank)).max() else { return };
    let goes = size.min(bombers);
    if goes == 0 {
        return;
    }
    let force = Force::of(&brain.view.tables, PARATROOPS, goes, rank);
    let Some(at) = drop_zone(brain, from, force) else { return };
    let unit = if goes < size { brain.split(no, goes) } else { no };
    brain.busy.insert(unit);
    let sector = brain.sector(at);
    brain.order(format!("V {unit} {sector}"));
    brain.fights.push(Fight { at, unit, weight: force.attack, turns: 1 });
    if let Some(hangar) = brain.power.hangar_mut(BaseNo::Land(base)) {
        hangar.planes.bombers -= goes;
    }
}

/// The city that a drop takes: cities of players come first, then the nearest.
fn drop_zone(brain: &Brain, from: Place, force: Force) -> Option<Place> {
    let grid = brain.view.grid;
    let radius = brain.view.tables.radius(BOMBER, brain.power.tech);
    let tables = &brain.view.tables;
    // Missiles help only if no other city is attacked this turn.
    let alone = brain.fights.iter().all(|f| f.turns > 1);
    let takes = |c: &KnownCity| {
        let walls = brain.level_of(c);
        let hit =
            if alone { weapons::salvo(brain, c.at) * 100 / shelter(tables, walls) } else { 0 };
        let garrison = weaken(brain.garrison_in(c), hit).times(brain.level.odds_seen);
        remains(tables, force, garrison, walls).is_some()
    };
    let open = brain.targets.values().filter(|c| {
        grid.distance(c.at, from) <= radius
            && brain.power.has_explored(c.at)
            && !brain.power.known_site(c.at).is_hot(brain.view.turn)
            && brain.notes.garrisons.get(&c.number).is_some_and(|g| g.turn == brain.view.turn)
            && !brain.fights.iter().any(|f| f.at == c.at && f.turns <= 1)
            && takes(c)
    });
    let free = |c: &KnownCity| c.seen.owner.is_none_or(|o| o == NOBODY);
    open.min_by_key(|c| (free(c), grid.distance(c.at, from), c.number)).map(|c| c.at)
}
