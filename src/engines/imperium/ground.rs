//! Planetary battles: bombardment, landing, defensive fire, surface combat (§8).

use std::collections::{BTreeMap, BTreeSet};

use engine::Dice;
use serde::{Deserialize, Serialize};
use tongue::say;

use super::board::{Board, Control, Harm, Marker, Place, harm};
use super::fire::{self, Gun, Mark, Shot, die};
use super::galaxy::{Ground, Planet};
use super::kinds::{Kind, Name, Side, UnitId};
use super::orders::Aims;
use super::space::Loss;
use super::standing::Standing;
use crate::counters;

/// The most units of a side in a hex.
const STACK: usize = 5;

/// A fight in a hex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fight {
    /// The hex.
    pub hex: u8,
    /// All fire.
    pub shots: Vec<Shot>,
    /// Its losses.
    pub losses: Vec<Loss>,
}

/// The course of a bombardment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bombardment {
    /// Fire of the defenders, fighters first.
    pub defence: Vec<Shot>,
    /// Losses by this fire.
    pub losses: Vec<Loss>,
    /// Torpedo factors that remained after it.
    pub factors: u32,
    /// Dice of the bombardment; each 6 hits.
    pub dice: Vec<u8>,
    /// Losses by the hits.
    pub hits: Vec<Loss>,
    /// Whether a terraformed planet changed back to its old type.
    pub reverted: bool,
}

/// The course of a planetary battle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// The planet.
    pub planet: Planet,
    /// The side that invades.
    pub invader: Side,
    /// The bombardment, if there was one.
    pub bombardment: Option<Bombardment>,
    /// Defenders and their hexes.
    pub defenders: Vec<(UnitId, u8)>,
    /// Units that landed, each with its carrier and hex.
    pub landed: Vec<(UnitId, Option<Name>, u8)>,
    /// Defensive fire.
    pub fire: Vec<Shot>,
    /// Losses by this fire.
    pub losses: Vec<Loss>,
    /// Moves on the surface.
    pub moves: Vec<(UnitId, u8, u8)>,
    /// Fights by hex.
    pub fights: Vec<Fight>,
    /// Marker and former owner, if the planet was captured.
    pub captured: Option<(Side, Marker)>,
    /// Whether both sides still have units there.
    pub disputed: bool,
    /// Units that left the planet in an evacuation.
    pub evacuated: Vec<UnitId>,
}

impl Story {
    /// A story in which nothing has happened yet.
    pub fn new(planet: Planet, invader: Side) -> Self {
        Self {
            planet,
            invader,
            bombardment: None,
            defenders: Vec::new(),
            landed: Vec::new(),
            fire: Vec::new(),
            losses: Vec::new(),
            moves: Vec::new(),
            fights: Vec::new(),
            captured: None,
            disputed: false,
            evacuated: Vec::new(),
        }
    }

    /// Whether anybody fired.
    pub fn is_battle(&self) -> bool {
        let fired = |b: &Bombardment| !b.defence.is_empty() || !b.dice.is_empty();
        self.bombardment.as_ref().is_some_and(fired)
            || !self.fire.is_empty()
            || self.fights.iter().any(|f| !f.shots.is_empty())
    }

    /// All units that were on the planet, landed or fought there.
    pub fn all(&self) -> BTreeSet<UnitId> {
        // On a planet that was disputed before, some units neither landed nor were set up.
        let shots = self.fights.iter().flat_map(|f| &f.shots);
        let fought = shots.flat_map(|s| [s.by, s.at]).chain(self.moves.iter().map(|m| m.0));
        let came = self.landed.iter().map(|l| l.0).chain(self.defenders.iter().map(|d| d.0));
        came.chain(fought).collect()
    }

    /// Units that were lost, with their cargo.
    pub fn dead(&self) -> BTreeSet<UnitId> {
        let destroyed = self.all_losses().filter(|l| l.harm == Harm::Destroyed);
        destroyed.flat_map(|l| std::iter::once(l.id).chain(l.cargo.iter().copied())).collect()
    }

    /// Units of [`Self::all`] that are left on the planet.
    pub fn left(&self) -> impl Iterator<Item = UnitId> + use<> {
        let dead = self.dead();
        self.all().into_iter().filter(move |id| !dead.contains(id))
    }

    /// All losses, in order.
    pub fn all_losses(&self) -> impl Iterator<Item = &Loss> {
        let bombed = self.bombardment.iter().flat_map(|b| b.losses.iter().chain(&b.hits));
        bombed.chain(&self.losses).chain(self.fights.iter().flat_map(|f| &f.losses))
    }
}

/// The lowest roll with which planetary defence hits ships.
fn pd_need(board: &Board, planet: Planet, side: Side) -> u8 {
    if board.marker(planet) == Some((side, Marker::World)) { 4 } else { 5 }
}

/// Fire of a side's fighters, then of its planetary defence, at ships. Their hits on a ship are not
/// added together (§8.1, §8.4).
fn defensive_fire(
    board: &mut Board,
    planet: Planet,
    side: Side,
    marks: &mut Vec<Mark>,
    dice: &mut Dice,
) -> (Vec<Shot>, Vec<Loss>) {
    let mut shots = Vec::new();
    let mut losses = Vec::new();
    for kind in [Kind::F, Kind::PD] {
        let guns: Vec<Gun> = board
            .on(side, planet)
            .filter(|id| id.kind() == kind)
            .map(|id| {
                let f = board.figures(id);
                Gun { id, dice: if kind == Kind::F { f.t } else { f.b }, divides: false }
            })
            .collect();
        let need = if kind == Kind::F { 5 } else { pd_need(board, planet, side) };
        let assigned = fire::assign(&guns, marks, |_, _| Some(need));
        let fired = fire::throw(&guns, marks, &assigned, dice, "defensive fire");
        let mut hits: BTreeMap<UnitId, u32> = BTreeMap::new();
        for shot in &fired {
            *hits.entry(shot.at).or_default() += shot.hits();
        }
        for (id, hits) in hits.into_iter().filter(|h| h.1 > 0) {
            let cm: Vec<u8> = match kind {
                Kind::F => {
                    (0..board.figures(id).cm).map(|_| die(dice, "counter-measures")).collect()
                }
                _ => Vec::new(),
            };
            // A unit has only a few dice.
            let stopped = cm.iter().filter(|d| **d == 6).count() as u32;
            losses.push(strike(board, id, hits.saturating_sub(stopped), cm));
        }
        marks.retain(|m| board.units.contains_key(&m.id));
        for mark in marks.iter_mut() {
            mark.damaged = board.units.get(&mark.id).is_some_and(|u| u.damaged);
        }
        shots.extend(fired);
    }
    (shots, losses)
}

/// Applies the hits of a step to a unit; its cargo has the same fate.
fn strike(board: &mut Board, id: UnitId, hits: u32, cm: Vec<u8>) -> Loss {
    let damaged = board.units.get(&id).is_some_and(|u| u.damaged);
    let done = harm(hits, board.figures(id).d, damaged);
    let mut cargo = Vec::new();
    match done {
        Harm::None => {}
        Harm::Damaged => board.damage(id),
        Harm::Destroyed => {
            cargo = board.remove(id);
            cargo.retain(|c| *c != id);
        }
    }
    Loss { id, hits, cm, harm: done, cargo }
}

/// Marks in the order of the list `Q D`, then by cost, the highest first.
fn marks_of(
    board: &Board,
    standing: &Standing,
    ids: impl Iterator<Item = UnitId>,
    cost: impl Fn(UnitId) -> u32,
) -> Vec<Mark> {
    let mut ids: Vec<UnitId> = ids.collect();
    ids.sort_by_key(|id| {
        (standing.rank(Aims::Defence, board, *id), std::cmp::Reverse(cost(*id)), id.name)
    });
    let mark = |(rank, id): (usize, UnitId)| Mark {
        id,
        defence: board.figures(id).d,
        rank,
        damaged: board.units.get(&id).is_some_and(|u| u.damaged),
    };
    ids.into_iter().enumerate().map(mark).collect()
}

/// Bombards a planet with the torpedoes of these fleets (§8.1).
pub fn bombard(
    board: &mut Board,
    story: &mut Story,
    fleets: &[u8],
    defender: &Standing,
    dice: &mut Dice,
) {
    let (planet, side) = (story.planet, story.invader);
    let armed = |board: &Board| -> Vec<UnitId> {
        let ships = fleets.iter().flat_map(|f| board.ships(side, *f));
        ships
            .filter(|id| board.figures(*id).t > 0 || counters::berths(board, *id, Kind::F) > 1)
            .collect()
    };
    let ships = armed(board);
    let price = |id| board.tables.cost(side, UnitId::kind(id));
    let mut marks = marks_of(board, defender, ships.into_iter(), price);
    let (defence, losses) = defensive_fire(board, planet, side.other(), &mut marks, dice);
    let factors: u32 = armed(board)
        .into_iter()
        .map(|id| {
            let carried = board.aboard(id).filter(|_| matches!(id.kind(), Kind::CV | Kind::BB));
            board.figures(id).t + carried.map(|f| board.figures(f).t).sum::<u32>()
        })
        .sum();
    let thrown: Vec<u8> = (0..factors / 3).map(|_| die(dice, "bombardment")).collect();
    // A bombardment has at most a few dozen dice.
    let hits = thrown.iter().filter(|d| **d == 6).count() as u32;
    let harmed = spread(board, planet, side.other(), hits);
    let hits = harmed.into_iter().map(|(id, n)| strike(board, id, n, Vec::new())).collect();
    let printed = board.galaxy.ground(planet);
    let mut reverted = false;
    if let (Some(land), Some(printed)) = (board.planets.get_mut(&planet), printed)
        && land.ground != printed
        && !thrown.is_empty()
    {
        land.ground = printed;
        reverted = true;
        if let Some((_, marker)) = &mut land.marker {
            *marker = Marker::Outpost;
        }
    }
    if reverted {
        misfits(board, planet);
    }
    story.bombardment =
        Some(Bombardment { defence, losses, factors, dice: thrown, hits, reverted });
}

/// Removes regular troops from a planet that is no longer of type A.
fn misfits(board: &mut Board, planet: Planet) {
    for side in Side::BOTH {
        let lost: Vec<UnitId> =
            board.on(side, planet).filter(|id| !counters::fits(board, id.kind(), planet)).collect();
        for id in lost {
            board.units.remove(&id);
        }
    }
}

/// Divides the hits of a bombardment as the attacker prefers: damaged units first, then planetary
/// defence, then fighters, each with just enough hits to harm it. Further hits destroy undamaged
/// ones.
fn spread(board: &Board, planet: Planet, side: Side, mut hits: u32) -> BTreeMap<UnitId, u32> {
    let mut marks: Vec<UnitId> =
        board.on(side, planet).filter(|id| matches!(id.kind(), Kind::PD | Kind::F)).collect();
    let damaged = |id: &UnitId| board.units.get(id).is_some_and(|u| u.damaged);
    marks.sort_by_key(|id| (!damaged(id), id.kind() != Kind::PD, id.name));
    let mut given = BTreeMap::new();
    for id in &marks {
        let d = board.figures(*id).d;
        if hits >= d {
            hits -= d;
            given.insert(*id, d);
        }
    }
    for id in marks.iter().filter(|id| !damaged(id)) {
        let more = 2 * board.figures(*id).d;
        if let Some(n) = given.get_mut(id).filter(|_| hits >= more) {
            hits -= more;
            *n += more;
        }
    }
    given
}

/// An order to land or move: its line in the card, the unit, and the hexes.
pub type Landing = (u32, Name, Vec<u8>);

/// Attacks a planet on its surface (§8.2 to §8.7). Returns the lines of landings that are
/// impossible, with the reasons.
pub fn assault(
    board: &mut Board,
    story: &mut Story,
    landings: &[Landing],
    spared: &BTreeSet<u8>,
    standing: [&Standing; 2],
    dice: &mut Dice,
) -> Vec<(u32, String)> {
    let (planet, side) = (story.planet, story.invader);
    set_up(board, story, standing[side.other().i()]);
    let guests: Vec<UnitId> =
        board.at(side, Place::Box(planet)).filter(|id| id.kind() != Kind::M).collect();
    for id in guests {
        if let Some(hex) = free_hex(board, planet, side) {
            board.put(id, Place::Surface(planet, hex));
        }
    }
    let (landing, refused) = places_to_land(board, (planet, side), landings);
    // Defenders fire at invading transports and fighters.
    let transports: BTreeSet<UnitId> = landing
        .iter()
        .filter(|l| l.0.kind() != Kind::F || matches!(l.1.kind, Kind::TR | Kind::AT))
        .map(|l| UnitId { side, name: l.1 })
        .collect();
    let fighters = landing.iter().filter(|l| l.0.kind() == Kind::F).map(|l| l.0);
    let cargo = |id: UnitId| match id.kind() {
        Kind::F => 0,
        _ => {
            let aboard = board.aboard(id).map(|c| board.tables.cost(side, c.kind()));
            1 + 100 * aboard.sum::<u32>() + board.tables.cost(side, id.kind())
        }
    };
    let ids: Vec<UnitId> = transports.into_iter().chain(fighters).collect();
    let mut marks = marks_of(board, standing[side.other().i()], ids.into_iter(), cargo);
    dice.at([u32::from(planet.system.0), u32::from(planet.n), 1]);
    let (shots, losses) = defensive_fire(board, planet, side.other(), &mut marks, dice);
    story.fire.extend(shots);
    story.losses.extend(losses);
    let mut paths: Vec<(UnitId, Vec<u8>)> = Vec::new();
    for (id, carrier, hex, path) in landing {
        let Some(unit) = board.units.get_mut(&id) else { continue };
        unit.place = Place::Surface(planet, hex);
        unit.moved = true;
        story.landed.push((id, Some(carrier), hex));
        paths.push((id, path));
    }
    for (_, name, hexes) in landings {
        let id = UnitId { side, name: *name };
        let stood = board.units.get(&id).map(|u| u.place);
        if matches!(stood, Some(Place::Surface(p, _)) if p == planet)
            && !paths.iter().any(|p| p.0 == id)
        {
            paths.push((id, hexes.clone()));
        }
    }
    for (id, path) in paths {
        march(board, story, id, &path);
    }
    dice.at([u32::from(planet.system.0), u32::from(planet.n), 2]);
    for hex in 1..=board.hexes(planet) {
        let both = Side::BOTH.iter().all(|s| stack(board, planet, *s, hex) > 0);
        if both && !spared.contains(&hex) {
            let fight = combat(board, planet, hex, side, standing, dice);
            story.fights.push(fight);
        }
    }
    finish(board, story);
    refused
}

/// A unit that lands: its carrier, its hex, and its path from there.
type Lander = (UnitId, Name, u8, Vec<u8>);

/// Where units land (§8.3), and the reasons why others can't, by the lines of their orders.
fn places_to_land(
    board: &Board,
    (planet, side): (Planet, Side),
    landings: &[Landing],
) -> (Vec<Lander>, Vec<(u32, String)>) {
    let mut refused = Vec::new();
    let mut landing: Vec<Lander> = Vec::new();
    for (line, name, hexes) in landings {
        let id = UnitId { side, name: *name };
        let Some(Place::Aboard(carrier)) = board.units.get(&id).map(|u| u.place) else { continue };
        let taken = |h: u8| {
            let planned = landing.iter().filter(|(_, _, hex, _)| *hex == h).count();
            stack(board, planet, side, h) + planned
        };
        let lowest = |free: bool| {
            (1..=board.hexes(planet)).find(|h| {
                taken(*h) < STACK && (!free || stack(board, planet, side.other(), *h) == 0)
            })
        };
        let wanted = hexes.first().copied().or_else(|| lowest(true));
        let drops = id.kind() == Kind::F || id.kind() == Kind::JT && carrier.kind == Kind::AT;
        let wanted = wanted.or_else(|| lowest(false).filter(|_| drops));
        let Some(hex) = wanted else {
            refused.push((*line, say!("{unit} finds no hex without defenders", unit = name)));
            continue;
        };
        let held = stack(board, planet, side.other(), hex) > 0;
        if held && !drops {
            let note = say!(
                "{unit}, hex {hex}: only fighters and jump troops from AT land among defenders",
                unit = name
            );
            refused.push((*line, note));
        } else if taken(hex) >= STACK {
            refused.push((*line, say!("hex {hex} holds five units already")));
        } else {
            landing.push((id, carrier, hex, hexes.get(1..).unwrap_or_default().to_vec()));
        }
    }
    (landing, refused)
}

/// Puts the defenders of a box on the surface (§8.2): where `J` says, otherwise PD, RT, JT and F
/// one by one.
fn set_up(board: &mut Board, story: &mut Story, standing: &Standing) {
    let (planet, side) = (story.planet, story.invader.other());
    let mut units: Vec<UnitId> =
        board.at(side, Place::Box(planet)).filter(|id| id.kind() != Kind::M).collect();
    units.sort_by_key(|id| {
        let order = [Kind::PD, Kind::RT, Kind::JT, Kind::F];
        (order.iter().position(|k| *k == id.kind()), id.name)
    });
    let hexes = board.hexes(planet).max(1);
    let mut next = 0u8;
    let posted = |id: &UnitId| standing.posts.get(&(planet, id.name)).copied();
    let (with, without): (Vec<UnitId>, Vec<UnitId>) =
        units.into_iter().partition(|id| posted(id).is_some());
    for id in with.into_iter().chain(without) {
        let wished = posted(&id).filter(|h| *h <= hexes && stack(board, planet, side, *h) < STACK);
        let hex = wished.or_else(|| {
            (0..hexes).find_map(|_| {
                let hex = next % hexes + 1;
                next = (next + 1) % hexes;
                (stack(board, planet, side, hex) < STACK).then_some(hex)
            })
        });
        board.put(id, Place::Surface(planet, hex.unwrap_or(1)));
    }
    story.defenders = on_hexes(board, planet, side);
}

/// Units of a side on the surface, with their hexes.
pub fn on_hexes(board: &Board, planet: Planet, side: Side) -> Vec<(UnitId, u8)> {
    let hex = |(id, u): (UnitId, &super::board::Unit)| match u.place {
        Place::Surface(p, hex) if p == planet => Some((id, hex)),
        _ => None,
    };
    board.of(side).filter_map(hex).collect()
}

fn stack(board: &Board, planet: Planet, side: Side, hex: u8) -> usize {
    board.at(side, Place::Surface(planet, hex)).count()
}

/// The lowest hex that has room and no enemies.
fn free_hex(board: &Board, planet: Planet, side: Side) -> Option<u8> {
    (1..=board.hexes(planet)).find(|hex| {
        stack(board, planet, side.other(), *hex) == 0 && stack(board, planet, side, *hex) < STACK
    })
}

/// Moves a unit on the surface: it stops in a hex with enemies, and before a full hex (§8.5).
fn march(board: &mut Board, story: &mut Story, id: UnitId, path: &[u8]) {
    let planet = story.planet;
    let Some(Place::Surface(_, from)) = board.units.get(&id).map(|u| u.place) else { return };
    let mut at = from;
    // A unit that landed among defenders has entered their hex and fights there.
    let landed = story.landed.iter().any(|l| l.0 == id);
    for hex in path {
        let stuck = (at != from || landed) && stack(board, planet, id.side.other(), at) > 0;
        if stuck || stack(board, planet, id.side, *hex) >= STACK {
            break;
        }
        at = *hex;
        board.put(id, Place::Surface(planet, at));
    }
    if at != from {
        story.moves.push((id, from, at));
    }
}

/// Combat in a hex: all fire has its effect at once; only troops eliminate troops (§8.6).
fn combat(
    board: &mut Board,
    planet: Planet,
    hex: u8,
    invader: Side,
    standing: [&Standing; 2],
    dice: &mut Dice,
) -> Fight {
    let mut shots = Vec::new();
    for side in [invader, invader.other()] {
        let here = |s: Side| board.at(s, Place::Surface(planet, hex));
        let guns: Vec<Gun> =
            here(side).map(|id| Gun { id, dice: board.ground_dice(id), divides: false }).collect();
        let marks: Vec<Mark> = here(side.other())
            .map(|id| Mark {
                id,
                defence: board.figures(id).d,
                rank: standing[side.i()].rank(Aims::Surface, board, id),
                damaged: board.units.get(&id).is_some_and(|u| u.damaged),
            })
            .collect();
        let assigned = fire::assign(&guns, &marks, |_, _| Some(6));
        shots.extend(fire::throw(&guns, &marks, &assigned, dice, "surface combat"));
    }
    let mut hits: BTreeMap<UnitId, (u32, u32)> = BTreeMap::new();
    for shot in &shots {
        let entry = hits.entry(shot.at).or_default();
        entry.0 += shot.hits();
        if shot.by.kind().is_troops() {
            entry.1 += shot.hits();
        }
    }
    let mut losses = Vec::new();
    for (id, (all, by_troops)) in hits.into_iter().filter(|h| h.1.0 > 0) {
        let damaged = board.units.get(&id).is_some_and(|u| u.damaged);
        let done = surface_harm(id.kind(), board.figures(id).d, damaged, all, by_troops);
        match done {
            Harm::None => {}
            Harm::Damaged => board.damage(id),
            Harm::Destroyed => {
                board.units.remove(&id);
            }
        }
        losses.push(Loss { id, hits: all, cm: Vec::new(), harm: done, cargo: Vec::new() });
    }
    Fight { hex, shots, losses }
}

/// The effect of hits on the surface: hits of all kinds may reduce troops, but only troops
/// eliminate them (§8.6).
pub fn surface_harm(kind: Kind, defence: u32, damaged: bool, all: u32, by_troops: u32) -> Harm {
    if !kind.is_troops() {
        return harm(all, defence, damaged);
    }
    match harm(by_troops, defence, damaged) {
        Harm::Destroyed => Harm::Destroyed,
        _ if all >= defence && !damaged => Harm::Damaged,
        _ => Harm::None,
    }
}

/// Sets the result of the battle (§8.7).
fn finish(board: &mut Board, story: &mut Story) {
    let planet = story.planet;
    board.settle(planet);
    story.captured = captured(board, planet);
    story.disputed = board.control(planet) == Control::Disputed;
}

/// The former owner and the marker of a planet that falls: its owner has no units on it, and the
/// other side has troops there. The caller changes the marker.
fn captured(board: &Board, planet: Planet) -> Option<(Side, Marker)> {
    let (owner, marker) = board.marker(planet)?;
    let troops = |id: UnitId| id.kind().is_troops();
    let fallen =
        board.on(owner, planet).next().is_none() && board.on(owner.other(), planet).any(troops);
    fallen.then_some((owner, marker))
}

/// Evacuates units from a disputed planet; enemy fighters and PD fire at the transports (§8.8).
pub fn evacuate(
    board: &mut Board,
    story: &mut Story,
    units: &[(Name, Name)],
    enemy: &Standing,
    dice: &mut Dice,
) {
    let (planet, side) = (story.planet, story.invader);
    let mut transports = BTreeSet::new();
    for (unit, carrier) in units {
        let id = UnitId { side, name: *unit };
        board.put(id, Place::Aboard(*carrier));
        story.evacuated.push(id);
        // Fighters leave without being fired at.
        if unit.kind != Kind::F {
            transports.insert(UnitId { side, name: *carrier });
        }
    }
    let cost = |id: UnitId| board.tables.cost(side, id.kind());
    let mut marks = marks_of(board, enemy, transports.into_iter(), cost);
    dice.at([u32::from(planet.system.0), u32::from(planet.n), 3]);
    let (shots, losses) = defensive_fire(board, planet, side.other(), &mut marks, dice);
    story.fire.extend(shots);
    story.losses.extend(losses);
    finish(board, story);
}

/// Whether the present type of a planet was made by terraforming.
pub fn is_terraformed(board: &Board, planet: Planet) -> bool {
    let printed: Option<Ground> = board.galaxy.ground(planet);
    board.land(planet).map(|l| l.ground) != printed
}
