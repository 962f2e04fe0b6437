//! A computer's actions on planets: Outposts, attacks, landings, loading.

use std::collections::{BTreeMap, BTreeSet};

use super::super::board::{Control, Marker, Place};
use super::super::galaxy::{HOMES, Planet, System, TERRAN_CORE};
use super::super::kinds::{Kind, Side, UnitId};
use super::super::state::Spotted;
use super::{Activation, Thinker};
use crate::counters;

/// Places Outposts on free planets of the system.
pub(super) fn settle(thinker: &mut Thinker, at: System, fleets: &[u8], act: &mut Activation) {
    let ships: Vec<UnitId> =
        fleets.iter().flat_map(|f| thinker.board.ships(thinker.side, *f)).collect();
    for ship in ships {
        if !thinker.board.aboard(ship).any(|c| c.kind() == Kind::OP) {
            continue;
        }
        let free = thinker.free_planets().into_iter().find(|p| p.system == at);
        let Some(planet) = free else { continue };
        act.lines.push(format!("U {} {planet}", ship.name));
        act.urgency = act.urgency.max(30);
        thinker.taken.insert(planet);
        let cargo: Vec<UnitId> = thinker.board.aboard(ship).collect();
        for id in cargo {
            thinker.board.units.remove(&id);
        }
        if let Some(land) = thinker.board.planets.get_mut(&planet) {
            land.marker = Some((thinker.side, Marker::Outpost));
        }
    }
}

/// Attacks a planet here, or enemy ships. Returns whether the group stays.
pub(super) fn attack(thinker: &mut Thinker, at: System, war: &[u8], act: &mut Activation) -> bool {
    if thinker.peace() || thinker.board.court.talks {
        return false;
    }
    let enemy = thinker.enemy();
    let own: i64 = war.iter().map(|f| thinker.fleet_worth(*f)).sum();
    let ships = thinker.board.fleets_in(enemy, at).next().is_some()
        || thinker.view.known.iter().any(|(w, s)| match w {
            Spotted::Planet(p) => p.system == at && s.units.iter().any(|u| u.kind == Kind::M),
            Spotted::Fleet(_) => false,
        });
    if ships {
        if own > 0 && 100 * own >= thinker.mind.odds * thinker.enemy_worth(at) {
            act.lines.push("E".to_owned());
            act.urgency = act.urgency.max(60);
            return true;
        }
        return false;
    }
    let disputed = thinker.board.disputed();
    let here: Vec<Planet> = thinker.board.galaxy.planets(at).collect();
    let on = here.iter().copied().find(|p| disputed.contains(p));
    if let Some(planet) = on {
        act.lines.push(format!("K {planet}"));
        let mut troops = thinker.troops_aboard(war);
        troops.retain(|id| counters::fits(&thinker.board, id.kind(), planet));
        land(thinker, planet, &troops, act);
        search(thinker, planet, act);
        act.urgency = act.urgency.max(50);
        return !war.is_empty();
    }
    let mut targets: Vec<Planet> = here
        .into_iter()
        .filter(|p| thinker.board.marker(*p).is_some_and(|m| m.0 == enemy) || thinker.lurks(*p))
        .collect();
    targets.sort_by_key(|p| (thinker.defenders(*p).len(), *p));
    let Some(planet) = targets.first().copied().filter(|_| own > 0) else { return false };
    let mut troops = thinker.troops_aboard(war);
    troops.retain(|id| counters::fits(&thinker.board, id.kind(), planet));
    let defenders = thinker.defenders(planet);
    let guns = defenders.iter().filter(|k| matches!(k, Kind::PD | Kind::F)).count();
    let garrison = defenders.iter().filter(|k| k.is_troops()).count();
    let unknown = !thinker.view.known.contains_key(&Spotted::Planet(planet));
    let factors: u32 = war
        .iter()
        .flat_map(|f| thinker.board.ships(thinker.side, *f))
        .map(|id| thinker.board.figures(id).t)
        .sum();
    let bombs = (guns > 0 || unknown) && factors >= 3 && !is_terraformed(thinker, planet);
    // In a siege that no enemy can break, a few troops at a time may land.
    let siege = troops.len() > 1 && thinker.threat(at) < own / 2;
    let enough = !troops.is_empty() && (troops.len() > garrison || siege);
    let lands = enough && (guns <= 1 || factors < 6);
    if !bombs && !lands {
        return guns > 0 && factors >= 3;
    }
    act.lines.push(if bombs { format!("K {planet} B") } else { format!("K {planet}") });
    if lands {
        land(thinker, planet, &troops, act);
    }
    act.urgency = act.urgency.max(70);
    // With troops or bombs to spare the group continues in the next segment.
    lands || guns > 0
}

/// Whether a planet must be held to win a campaign, and the side does not hold it yet.
pub(super) fn is_goal(thinker: &Thinker, planet: Planet) -> bool {
    let goals: &[Planet] = match thinker.side {
        Side::Terran => &HOMES,
        Side::Imperial => &TERRAN_CORE,
    };
    goals.contains(&planet) && thinker.board.control(planet) != Control::Held(thinker.side)
}

/// Troops take planets that win a campaign and that nobody holds.
pub(super) fn occupy(thinker: &mut Thinker, at: System, war: &[u8], act: &mut Activation) {
    let free = |p: &Planet| {
        is_goal(thinker, *p) && thinker.board.marker(*p).is_none() && !thinker.lurks(*p)
    };
    let Some(planet) = thinker.board.galaxy.planets(at).find(free) else { return };
    let fits = |id: &UnitId| counters::fits(&thinker.board, id.kind(), planet);
    let unit = thinker.troops_aboard(war).into_iter().find(fits);
    let Some(Place::Aboard(ship)) =
        unit.and_then(|id| thinker.board.units.get(&id)).map(|u| u.place)
    else {
        return;
    };
    act.lines.push(format!("U {ship} {planet}"));
    act.urgency = act.urgency.max(45);
    let cargo: Vec<UnitId> =
        thinker.board.aboard(UnitId { side: thinker.side, name: ship }).collect();
    for id in cargo {
        thinker.board.put(id, Place::Box(planet));
    }
}

pub(super) fn is_terraformed(thinker: &Thinker, planet: Planet) -> bool {
    super::super::ground::is_terraformed(&thinker.board, planet)
}

/// Orders troops to land: among the defenders if they may, otherwise on a neighbouring hex and from
/// there to the defenders. Defenders without orders are in the first hexes.
pub(super) fn land(thinker: &mut Thinker, planet: Planet, troops: &[UnitId], act: &mut Activation) {
    let hexes = thinker.board.hexes(planet);
    let disputed = thinker.board.disputed().contains(&planet);
    let count = u8::try_from(thinker.defenders(planet).len()).unwrap_or(hexes).min(hexes);
    let mut used: BTreeMap<u8, usize> = BTreeMap::new();
    for (n, id) in troops.iter().enumerate() {
        let drops = matches!(
            thinker.board.units.get(id).map(|u| u.place),
            Some(Place::Aboard(carrier)) if carrier.kind == Kind::AT
        ) && id.kind() == Kind::JT;
        // All in the same hexes, five in each, and not where the planetary defence is.
        let goal = count.saturating_sub(u8::try_from(n / 5).unwrap_or(0)).max(1);
        let free = |h: &u8| *h > count && used.get(h).copied().unwrap_or(0) < 5;
        let path = match (count, disputed) {
            // Unknown defenders would be in the first hexes.
            (0, false) => vec![hexes],
            _ if drops => vec![goal],
            _ => {
                let beside =
                    (1..=hexes).filter(free).find(|h| super::super::galaxy::hexes_touch(*h, goal));
                match beside.or_else(|| (1..=hexes).find(free)) {
                    Some(h) if super::super::galaxy::hexes_touch(h, goal) => vec![h, goal],
                    Some(h) => vec![h],
                    None => continue,
                }
            }
        };
        *used.entry(path[0]).or_default() += 1;
        let path: Vec<String> = path.iter().map(u8::to_string).collect();
        act.lines.push(format!("H {} {}", id.name, path.join(" ")));
    }
}

/// Troops on a disputed planet search the neighbouring hexes for enemies.
pub(super) fn search(thinker: &mut Thinker, planet: Planet, act: &mut Activation) {
    let hexes = thinker.board.hexes(planet);
    let units: Vec<(UnitId, u8)> =
        super::super::ground::on_hexes(&thinker.board, planet, thinker.side);
    let fought = fought(thinker, planet);
    for (id, hex) in units.into_iter().filter(|(id, _)| id.kind().is_troops()) {
        if fought.contains(&hex) {
            continue;
        }
        let near: Vec<u8> =
            (1..=hexes).filter(|h| super::super::galaxy::hexes_touch(hex, *h)).collect();
        if near.is_empty() {
            continue;
        }
        // A hex has at most six neighbours.
        let n = thinker.dice.below("search", near.len() as u32) as usize;
        act.lines.push(format!("H {} {}", id.name, near[n]));
    }
}

/// Hexes with fighting in the last step.
pub(super) fn fought(thinker: &Thinker, planet: Planet) -> BTreeSet<u8> {
    let mut hexes = BTreeSet::new();
    for event in &thinker.view.events {
        if let super::super::event::What::Ground(story) = &event.what
            && story.planet == planet
        {
            hexes.extend(story.fights.iter().map(|f| f.hex));
        }
    }
    hexes
}

/// Loads troops into transports of a war group; one stays on each World.
pub(super) fn load(thinker: &mut Thinker, at: System, war: &[u8], act: &mut Activation) {
    if thinker.peace() {
        return;
    }
    let planets: Vec<Planet> = thinker.board.galaxy.planets(at).collect();
    let mut spare: Vec<UnitId> = Vec::new();
    for planet in planets {
        if thinker.board.control(planet) != Control::Held(thinker.side) {
            continue;
        }
        let mut troops: Vec<UnitId> = thinker
            .board
            .at(thinker.side, Place::Box(planet))
            .filter(|id| id.kind().is_troops())
            .collect();
        troops.sort_by_key(|id| std::cmp::Reverse(thinker.board.ground_dice(*id)));
        let keep = usize::from(thinker.board.marker(planet).is_some_and(|m| m.1 == Marker::World));
        troops.truncate(troops.len().saturating_sub(keep));
        troops.retain(|id| thinker.board.units.get(id).is_some_and(|u| !u.damaged && !u.moved));
        spare.extend(troops);
    }
    // Jump troops go aboard attack transports first.
    spare.sort_by_key(|id| {
        (id.kind() != Kind::JT, std::cmp::Reverse(thinker.board.ground_dice(*id)))
    });
    for id in spare {
        let ships: Vec<UnitId> =
            war.iter().flat_map(|f| thinker.board.ships(thinker.side, *f)).collect();
        let mut empty: Vec<UnitId> = ships
            .into_iter()
            .filter(|s| {
                matches!(s.kind(), Kind::AT | Kind::TR)
                    && counters::has_berth(&thinker.board, *s, id.kind())
            })
            .collect();
        empty.sort_by_key(|s| ((s.kind() == Kind::AT) != (id.kind() == Kind::JT), s.name));
        let Some(ship) = empty.first() else { continue };
        act.lines.push(format!("L {} {}", ship.name, id.name));
        thinker.board.put(id, Place::Aboard(ship.name));
    }
}
