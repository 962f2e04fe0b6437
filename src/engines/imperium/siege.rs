//! Attacks on planets within an activation, evacuation, and their results (§8).

use std::collections::BTreeSet;

use tongue::say;

use super::acts::{self, Now};
use super::board::{Control, Harm, Marker, Place};
use super::event::What;
use super::galaxy::{Planet, System};
use super::ground;
use super::kinds::{Kind, Name, Side, UnitId};
use super::orders::Act;
use super::run::Run;
use super::state::Spotted;
use crate::counters;

/// Attacks a planet (§8).
pub fn attack(run: &mut Run, now: &Now, line: u32, planet: Planet, bombard: Option<&[u8]>) {
    let (side, enemy) = (now.side, now.side.other());
    let board = &run.state.board;
    let disputed = board.control(planet) == Control::Disputed;
    let ships = enemy_ships(run, side, now.system);
    if ships && !disputed {
        let system = now.system;
        let text = say!("K {planet}: enemy ships are in {system}; E engages them");
        run.tell_to(side, What::NotDone(line, text.into()));
        return;
    }
    let still: Vec<u8> = board
        .fleets_in(side, now.system)
        .filter(|f| board.ships(side, *f).all(|s| board.units.get(&s).is_some_and(|u| !u.moved)))
        .collect();
    let before = run.cargo();
    let mut story = ground::Story::new(planet, side);
    let standing = [run.state.filed[0].standing.clone(), run.state.filed[1].standing.clone()];
    run.dice.at([u32::from(planet.system.0), u32::from(planet.n), 0]);
    if let Some(fleets) = bombard {
        let fleets = if fleets.is_empty() { still.clone() } else { fleets.to_vec() };
        let defender = &standing[enemy.i()];
        ground::bombard(&mut run.state.board, &mut story, &fleets, defender, run.dice);
    }
    let (mut landings, spared) = landings(run, side, planet, bombard.is_some() || disputed, &still);
    if ships {
        // Nobody lands while enemy ships are in the system; a fight on the surface goes on.
        let aboard = |name: &Name| {
            let unit = run.state.board.units.get(&UnitId { side, name: *name });
            matches!(unit.map(|u| u.place), Some(Place::Aboard(_)))
        };
        let (refused, rest): (Vec<_>, Vec<_>) =
            landings.into_iter().partition(|(_, name, _)| aboard(name));
        landings = rest;
        for (line, name, _) in refused {
            let system = now.system;
            let text = say!("{unit} does not land: enemy ships are in {system}", unit = name);
            run.tell_to(side, What::NotDone(line, text.into()));
        }
    }
    if !landings.is_empty() || disputed {
        let both = [&standing[0], &standing[1]];
        let board = &mut run.state.board;
        let refused = ground::assault(board, &mut story, &landings, &spared, both, run.dice);
        for (line, why) in refused {
            run.tell_to(side, What::NotDone(line, why.into()));
        }
    }
    after_ground(run, story, &before);
}

/// The units that land or move in an attack: those in the lines of the block, otherwise all troops
/// aboard, unless it only bombards or continues a fight.
fn landings(
    run: &Run,
    side: Side,
    planet: Planet,
    named_only: bool,
    still: &[u8],
) -> (Vec<ground::Landing>, BTreeSet<u8>) {
    let current = run.state.action().and_then(|a| a.current.as_ref());
    let acts = current.map(|c| c.acts.as_slice()).unwrap_or_default();
    let board = &run.state.board;
    let none = BTreeSet::new();
    let segment = run.state.segment();
    let now = run.now(side, planet.system, segment, Some(planet), &none);
    let spared = acts.iter().filter_map(|(_, act)| match act {
        Act::NoFight(hex) => Some(*hex),
        _ => None,
    });
    let spared: BTreeSet<u8> = spared.collect();
    let mut seen = BTreeSet::new();
    let named: Vec<ground::Landing> = acts
        .iter()
        .filter(|(_, act)| acts::check(board, &now, act).is_ok())
        .filter_map(|(line, act)| match act {
            Act::Land(name, hexes) if seen.insert(*name) => Some((*line, *name, hexes.clone())),
            _ => None,
        })
        .collect();
    let any = acts.iter().any(|(_, act)| matches!(act, Act::Land(..)));
    if any || named_only {
        return (named, spared);
    }
    let ships = still.iter().flat_map(|f| board.ships(side, *f));
    let troops = ships
        .flat_map(|s| board.aboard(s))
        .filter(|id| id.kind().is_troops() && counters::fits(board, id.kind(), planet));
    (troops.map(|id| (0, id.name, Vec::new())).collect(), spared)
}

/// Evacuates units from a disputed planet, all that the block names for it at once (§8.8).
pub fn evacuate(run: &mut Run, now: &Now) {
    let (side, enemy) = (now.side, now.side.other());
    let Some(action) = run.state.action() else { return };
    let Some(current) = &action.current else { return };
    // All evacuations of the block from one planet are carried out together.
    let from = current.at - 1;
    let place = |name: &Name| match run
        .state
        .board
        .units
        .get(&UnitId { side, name: *name })
        .map(|u| u.place)
    {
        Some(Place::Surface(p, _)) => Some(p),
        _ => None,
    };
    let first = match current.acts.get(from) {
        Some((_, Act::Evacuate(unit, _))) => place(unit),
        _ => None,
    };
    let Some(planet) = first else { return };
    let mut used: BTreeSet<Name> = BTreeSet::new();
    let mut units = Vec::new();
    let mut lines = BTreeSet::new();
    for (line, act) in &current.acts[from..] {
        let Act::Evacuate(unit, carrier) = act else { continue };
        let right = place(unit) == Some(planet)
            && acts::check(&run.state.board, now, act).is_ok()
            && used.insert(*carrier);
        if right {
            units.push((*unit, *carrier));
            lines.insert(*line);
        }
    }
    if let Some(current) = run.action().and_then(|a| a.current.as_mut()) {
        let done = current.at;
        let mut n = 0;
        current.acts.retain(|(line, _)| {
            n += 1;
            n <= done || !lines.contains(line)
        });
    }
    let before = run.cargo();
    let mut story = ground::Story::new(planet, side);
    let standing = run.state.filed[enemy.i()].standing.clone();
    let board = &mut run.state.board;
    ground::evacuate(board, &mut story, &units, &standing, run.dice);
    after_ground(run, story, &before);
}

/// Applies the results of a planetary battle: knowledge, markers, Glory.
fn after_ground(run: &mut Run, story: ground::Story, cargo: &[(UnitId, bool)]) {
    let planet = story.planet;
    let invader = story.invader;
    if story.is_battle()
        && let Some(land) = run.state.board.planets.get_mut(&planet)
    {
        land.terraform = 0;
    }
    let bombed = story.bombardment.is_some();
    let reverted = story.bombardment.as_ref().is_some_and(|b| b.reverted);
    let captured = story.captured;
    let landed: Vec<UnitId> =
        story.landed.iter().map(|l| l.0).chain(story.defenders.iter().map(|d| d.0)).collect();
    let fought: BTreeSet<UnitId> =
        story.fights.iter().flat_map(|f| f.shots.iter().flat_map(|s| [s.by, s.at])).collect();
    let told: Vec<UnitId> = story
        .all_losses()
        .filter(|l| l.harm != Harm::None)
        .flat_map(|l| l.cargo.iter().copied().chain([l.id]))
        .collect();
    run.mourn(&told);
    run.cargo_fate(cargo, &told);
    run.record(What::Ground(Box::new(story)));
    for viewer in Side::BOTH {
        let enemy = viewer.other();
        // A side on the surface sees all enemy units there, and the strength of troops that fought.
        let met = landed.iter().chain(&fought).any(|id| id.side == viewer);
        if !met {
            // From orbit, only units that fire or that bombs can hit are seen.
            if bombed && viewer == invader {
                run.spot_again(viewer, planet, |kind| matches!(kind, Kind::PD | Kind::F));
            }
            continue;
        }
        let units: Vec<UnitId> = run.state.board.on(enemy, planet).collect();
        let known = landed.iter().chain(&fought).any(|id| id.side == enemy);
        if units.is_empty() {
            run.state.known[viewer.i()].remove(&Spotted::Planet(planet));
        } else if known {
            let seen = units.into_iter().map(|id| run.seen(id, fought.contains(&id)));
            let seen = seen.collect();
            run.spot(viewer, Spotted::Planet(planet), seen);
        }
    }
    if reverted {
        let change = if invader == Side::Imperial { -2 } else { 1 };
        run.glory(say!("terraformed {planet} bombarded"), change);
    }
    if let Some((owner, marker)) = captured {
        capture(run, planet, owner, marker);
    }
    run.state.board.sweep();
    run.forget();
}

/// A marker changes sides (§8.7).
fn capture(run: &mut Run, planet: Planet, owner: Side, marker: Marker) {
    let captor = owner.other();
    let keep = run.state.options.captured_world;
    if let Some(land) = run.state.board.planets.get_mut(&planet) {
        let now = if keep { marker } else { Marker::Outpost };
        land.marker = Some((captor, now));
        land.upgrade = 0;
    }
    let (who, whose) = (captor.who(), owner.whose());
    run.note(match marker {
        Marker::World => say!("{who} captures the {whose} World on {planet}."),
        Marker::Outpost => say!("{who} captures the {whose} Outpost on {planet}."),
    });
    let (cause, change) = match (owner, marker) {
        (Side::Terran, Marker::Outpost) => (say!("Terran Outpost {planet} captured"), 1),
        (Side::Terran, Marker::World) => (say!("Terran World {planet} captured"), 3),
        (Side::Imperial, Marker::Outpost) => (say!("Imperial Outpost {planet} lost"), -1),
        (Side::Imperial, Marker::World) => (say!("Imperial World {planet} lost"), -3),
    };
    run.glory(cause, change);
}

/// Whether enemy ships or monitors are in a system.
pub fn enemy_ships(run: &Run, side: Side, at: System) -> bool {
    let (board, enemy) = (&run.state.board, side.other());
    board.fleets_in(enemy, at).next().is_some() || board.monitors(enemy, at).next().is_some()
}
