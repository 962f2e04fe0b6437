//! Orders within an activation: which are possible, and the effects of those that need no dice (§6,
//! §8, §14).
//!
//! The echo and the step use the same functions: the echo with the board that the seat knows, the
//! step with the true one.

use std::collections::BTreeSet;

use engine::Told;
use tongue::{count, say};

use super::board::{Board, Control, Marker, Place, Spot};
use super::galaxy::{Planet, System, hexes_touch};
use super::kinds::{Class, Kind, Name, Side, UnitId};
use super::orders::{Act, Leg, no_hex};
use crate::counters;

/// The circumstances in which an order is checked.
#[derive(Debug, Clone, Copy)]
pub struct Now<'a> {
    /// The side whose activation it is.
    pub side: Side,
    /// The activated system.
    pub system: System,
    /// The segment.
    pub segment: u8,
    /// Whether there is peace.
    pub peace: bool,
    /// Planets on which the side saw enemy units that its board does not show.
    pub seen: &'a BTreeSet<Planet>,
    /// The planet that the block attacks.
    pub target: Option<Planet>,
}

type Checked = Result<Told, Told>;

fn error(code: &'static str, note: impl Into<String>) -> Told {
    Told::error(code, note)
}

fn ok() -> Checked {
    Ok(Told::ok(""))
}

impl Now<'_> {
    fn id(&self, name: Name) -> UnitId {
        UnitId { side: self.side, name }
    }

    /// Finds a unit of the seat.
    fn unit(&self, board: &Board, name: Name) -> Result<UnitId, Told> {
        let id = self.id(name);
        match board.units.get(&id).map(|u| u.place) {
            None | Some(Place::Track(_) | Place::Arriving) => Err(no_unit(name)),
            Some(_) => Ok(id),
        }
    }

    /// Checks that a fleet of the seat is in the activated system.
    fn fleet(&self, board: &Board, fleet: u8) -> Result<(), Told> {
        match board.fleets.get(&(self.side, fleet)) {
            None => Err(error("no-fleet", say!("you have no fleet {fleet}"))),
            Some(Spot::System(at)) if *at == self.system => Ok(()),
            Some(Spot::System(at)) => {
                let note = say!(
                    "fleet {fleet} is in {at}, and the block activates {system}",
                    system = self.system
                );
                Err(error("elsewhere", note))
            }
            Some(Spot::Lane { .. }) => {
                Err(error("elsewhere", say!("fleet {fleet} is in open space")))
            }
        }
    }

    /// Finds a ship in a fleet in the activated system.
    fn ship(&self, board: &Board, name: Name) -> Result<UnitId, Told> {
        let id = self.unit(board, name)?;
        if name.kind == Kind::M || board.class(id) == Class::Ground {
            return Err(error("no-ship", say!("{unit} is no ship of a fleet", unit = name)));
        }
        match board.where_is(id) == Some(self.system) && board.fleet_of(id).is_some() {
            true => Ok(id),
            false => {
                let system = self.system;
                let note = say!("{unit} is not in a fleet in {system}", unit = name);
                Err(error("elsewhere", note))
            }
        }
    }

    /// Checks that nothing in a fleet has moved in this segment.
    fn unmoved(&self, board: &Board, fleet: u8) -> Result<(), Told> {
        let moved = |id: UnitId| board.units.get(&id).is_some_and(|u| u.moved);
        let all = board.ships(self.side, fleet);
        let one = all.flat_map(|s| board.aboard(s).chain([s])).find(|id| moved(*id));
        match one {
            None => Ok(()),
            Some(id) => Err(error(
                "moved",
                say!("fleet {fleet} can't move: {unit} has moved in this segment", unit = id.name),
            )),
        }
    }

    fn warlike(&self, board: &Board) -> Result<(), Told> {
        if self.peace {
            return Err(error("peace", say!("it is peace")));
        }
        if board.court.talks {
            return Err(error("talks", say!("Peace Talks this turn: nobody attacks")));
        }
        Ok(())
    }

    fn here(&self, planet: Planet) -> Result<(), Told> {
        match planet.system == self.system {
            true => Ok(()),
            false => Err(error(
                "elsewhere",
                say!(
                    "{planet} is not in {system}, which the block activates",
                    system = self.system
                ),
            )),
        }
    }

    fn has_enemy(&self, board: &Board, planet: Planet) -> bool {
        let other = self.side.other();
        board.marker(planet).is_some_and(|m| m.0 == other)
            || board.on(other, planet).next().is_some()
            || self.seen.contains(&planet)
    }
}

/// The error for a unit that does not exist, and also for a unit of the other side.
pub fn no_unit(name: Name) -> Told {
    error("no-unit", say!("you have no {unit}", unit = name))
}

/// Checks whether an order is possible, and returns the verdict.
pub fn check(board: &Board, now: &Now, act: &Act) -> Checked {
    match act {
        Act::Move(fleets, legs) => check_move(board, now, fleets, legs),
        Act::Divide(fleet, new, units) => check_divide(board, now, *fleet, *new, units),
        Act::Combine(a, b) => {
            now.fleet(board, *a)?;
            now.fleet(board, *b)?;
            match a == b {
                true => Err(error("same", say!("that is one fleet"))),
                false => ok(),
            }
        }
        Act::Load(carrier, unit) => check_load(board, now, *carrier, *unit),
        Act::Unload(carrier, planet) => check_unload(board, now, *carrier, *planet),
        Act::Engage => {
            now.warlike(board)?;
            let other = now.side.other();
            let theirs = board.fleets_in(other, now.system).next().is_some()
                || board.monitors(other, now.system).next().is_some()
                || now.seen.iter().any(|p| p.system == now.system);
            let ours = board.fleets_in(now.side, now.system).next().is_some()
                || board.monitors(now.side, now.system).next().is_some();
            let system = now.system;
            match (ours, theirs) {
                (false, _) => Err(error("no-ships", say!("no ships of yours in {system}"))),
                (_, false) => Err(error("no-enemy", say!("no enemy ships to engage in {system}"))),
                _ => ok(),
            }
        }
        Act::Attack(planet, bombard) => check_attack(board, now, *planet, bombard.as_deref()),
        Act::Land(unit, hexes) => check_land(board, now, *unit, hexes),
        Act::NoFight(hex) => match now.target {
            None => Err(error("no-attack", say!("NF goes with K of the same block"))),
            Some(planet) if *hex == 0 || *hex > board.hexes(planet) => Err(no_hex(board, planet)),
            Some(_) => ok(),
        },
        Act::Evacuate(unit, carrier) => check_evacuate(board, now, *unit, *carrier),
        Act::Space(fleet, to) => check_space(board, now, *fleet, *to),
    }
}

/// The systems of a path in their order.
///
/// # Errors
/// The two systems that no route connects, or that no way leads there.
pub fn path(board: &Board, from: System, legs: &[Leg]) -> Result<Vec<Leg>, Told> {
    if let [leg] = legs {
        let path = board.galaxy.path(from, leg.to).unwrap_or_default();
        let step = |to: System| Leg { to, fight: leg.fight && to == leg.to };
        if path.is_empty() {
            return Err(error("no-way", say!("no way leads from {from} to {to}", to = leg.to)));
        }
        return Ok(path.into_iter().map(step).collect());
    }
    let mut at = from;
    for leg in legs {
        if !board.galaxy.joined(at, leg.to) {
            return Err(error("no-route", say!("no route {from}–{to}", from = at, to = leg.to)));
        }
        at = leg.to;
    }
    Ok(legs.to_vec())
}

fn check_move(board: &Board, now: &Now, fleets: &[u8], legs: &[Leg]) -> Checked {
    for fleet in fleets {
        now.fleet(board, *fleet)?;
        now.unmoved(board, *fleet)?;
    }
    let path = path(board, now.system, legs)?;
    // A path is never longer than a line of a card.
    let long = path.len() as u32;
    for fleet in fleets {
        let Some((slow, jumps)) = board.slowest(now.side, *fleet) else { continue };
        if long > jumps {
            let damaged = board.units.get(&slow).is_some_and(|u| u.damaged);
            let unit = slow.name;
            let note = match damaged {
                true => say!("fleet {fleet} makes {jumps} jumps (damaged {unit}), {long} ordered"),
                false => say!("fleet {fleet} makes {jumps} jumps ({unit}), {long} ordered"),
            };
            return Err(error("too-far", note));
        }
    }
    let other = now.side.other();
    if let Some(leg) = path.iter().find(|l| now.peace && board.occupied(other, l.to)) {
        let note = say!("it is peace: {system} holds enemies", system = leg.to);
        return Err(error("peace", note));
    }
    if let Some(leg) = path.iter().find(|l| board.court.talks && enters_enemy(board, now, l.to)) {
        let note = say!("Peace Talks this turn: enemy units are in {system}", system = leg.to);
        return Err(error("talks", note));
    }
    ok()
}

/// Whether enemy units or markers are in a system.
fn enters_enemy(board: &Board, now: &Now, at: System) -> bool {
    let other = now.side.other();
    board.occupied(other, at) || board.present(other, at)
}

fn check_divide(board: &Board, now: &Now, fleet: u8, new: u8, units: &[Name]) -> Checked {
    now.fleet(board, fleet)?;
    if board.fleets.contains_key(&(now.side, new)) {
        let note = match board.free_fleet(now.side) {
            Some(free) => say!("you have a fleet {new} already; {free} is free"),
            None => say!("you have a fleet {new} already"),
        };
        return Err(error("fleet-exists", note));
    }
    for name in units {
        let id = now.unit(board, *name)?;
        let place = board.units.get(&id).map(|u| u.place);
        if name.kind == Kind::M {
            return Err(error("monitor", say!("monitors stay in their box")));
        }
        if place != Some(Place::Fleet(fleet)) {
            return Err(error(
                "elsewhere",
                say!("{unit} is no ship of fleet {fleet}", unit = name),
            ));
        }
    }
    ok()
}

fn check_load(board: &Board, now: &Now, carrier: Name, unit: Name) -> Checked {
    let ship = now.ship(board, carrier)?;
    let id = now.unit(board, unit)?;
    if !unit.kind.is_cargo() {
        let note = match unit.kind {
            Kind::M => say!("monitors stay in their box"),
            _ => say!("{unit} sails by itself"),
        };
        return Err(error("no-cargo", note));
    }
    check_berth(board, ship, unit.kind)?;
    match board.units.get(&id).map(|u| u.place) {
        Some(Place::Box(planet)) if planet.system == now.system => ok(),
        Some(Place::Surface(planet, _)) if planet.system == now.system => match unit.kind {
            Kind::PD => Err(error("pd", say!("PD stays on a disputed planet"))),
            _ => Err(error("disputed", say!("{planet} is disputed: V {unit} {carrier} evacuates"))),
        },
        _ => {
            let system = now.system;
            Err(error("elsewhere", say!("{unit} is not on a planet in {system}")))
        }
    }
}

/// Checks whether a ship can take a unit of a type aboard.
pub fn check_berth(board: &Board, ship: UnitId, kind: Kind) -> Result<(), Told> {
    let berths = counters::berths(board, ship, kind);
    if berths == 0 {
        let note = match ship.kind() {
            Kind::CV | Kind::BB => say!("{ship} carries fighters alone", ship = ship.name),
            _ => say!("{ship} carries nothing; TR, AT, CV and BB do", ship = ship.name),
        };
        return Err(error("no-carrier", note));
    }
    let aboard: Vec<String> = board.aboard(ship).map(|id| id.name.to_string()).collect();
    match aboard.len() < berths {
        true => Ok(()),
        false => {
            let units = aboard.join(", ");
            Err(error("full", say!("{ship} carries {units}", ship = ship.name)))
        }
    }
}

fn check_unload(board: &Board, now: &Now, carrier: Name, planet: Planet) -> Checked {
    let ship = now.ship(board, carrier)?;
    now.here(planet)?;
    let cargo: Vec<UnitId> = board.aboard(ship).collect();
    if cargo.is_empty() {
        return Err(error("empty", say!("nothing is aboard {carrier}")));
    }
    let enemy = now.has_enemy(board, planet);
    if board.control(planet) == Control::Disputed && cargo.iter().any(|c| c.kind() == Kind::PD) {
        return Err(error("pd", say!("PD stays on a disputed planet, and can't come to one")));
    }
    for id in &cargo {
        if id.kind() == Kind::OP {
            if let Some((_, marker)) = board.marker(planet) {
                let note = match marker {
                    Marker::World => say!("{planet} has a World already"),
                    Marker::Outpost => say!("{planet} has a Outpost already"),
                };
                return Err(error("marker", note));
            }
            if enemy {
                return Err(error("enemy", say!("the enemy is on {planet}")));
            }
        } else if enemy {
            return Err(error("enemy", say!("the enemy is on {planet}: K {planet} attacks it")));
        } else if !counters::fits(board, id.kind(), planet) {
            let ground = board.land(planet).map_or("", |l| l.ground.code());
            let note = say!("{ground} takes {types}", types = counters::types_of(board, planet));
            return Err(error("type", note));
        }
    }
    if cargo[0].kind() != Kind::OP && counters::room(board, now.side, planet) < cargo.len() {
        let most = 5 * usize::from(board.hexes(planet));
        return Err(error("box-full", say!("the box of {planet} holds {most} units at most")));
    }
    ok()
}

fn check_attack(board: &Board, now: &Now, planet: Planet, bombard: Option<&[u8]>) -> Checked {
    now.here(planet)?;
    now.warlike(board)?;
    let disputed = board.control(planet) == Control::Disputed;
    if !disputed && !now.has_enemy(board, planet) {
        return Err(error("no-target", say!("nothing to attack on {planet}")));
    }
    if bombard.is_some() && disputed {
        return Err(error("disputed", say!("disputed planets are not bombarded")));
    }
    for fleet in bombard.unwrap_or_default() {
        now.fleet(board, *fleet)?;
        now.still(board, *fleet)?;
    }
    if let Some(named) = bombard {
        let all: Vec<u8> = match named.is_empty() {
            true => board.fleets_in(now.side, now.system).collect(),
            false => named.to_vec(),
        };
        let ships = all.iter().flat_map(|f| board.ships(now.side, *f));
        let factors: u32 = ships
            .flat_map(|s| board.aboard(s).filter(|c| c.kind() == Kind::F).chain([s]))
            .map(|id| board.figures(id).t)
            .sum();
        if factors < 3 {
            let note = say!("bombardment needs 3 torpedo factors, there are {factors}");
            return Err(error("no-torpedoes", note));
        }
    }
    let mut fleets = board.fleets_in(now.side, now.system).peekable();
    if fleets.peek().is_none() && !disputed {
        let note = say!("no ships of yours in {system}", system = now.system);
        return Err(error("no-ships", note));
    }
    if !disputed && !fleets.any(|f| now.still(board, f).is_ok()) {
        return Err(arrived());
    }
    ok()
}

fn arrived() -> Told {
    error("arrived", say!("a fleet cannot move and attack a planet in one segment"))
}

impl Now<'_> {
    /// Checks that a fleet did not arrive in this segment.
    fn still(&self, board: &Board, fleet: u8) -> Result<(), Told> {
        let moved = |id: UnitId| board.units.get(&id).is_some_and(|u| u.moved);
        match board.ships(self.side, fleet).any(moved) {
            true => Err(arrived()),
            false => Ok(()),
        }
    }
}

fn check_land(board: &Board, now: &Now, unit: Name, hexes: &[u8]) -> Checked {
    let Some(planet) = now.target else {
        return Err(error("no-attack", say!("H goes with K of the same block, below it")));
    };
    let id = now.unit(board, unit)?;
    if !matches!(unit.kind, Kind::RT | Kind::JT | Kind::F) {
        let note = match unit.kind {
            Kind::M => say!("monitors stay in their box"),
            _ => say!("{unit} can't invade; RT, JT and F can"),
        };
        return Err(error("no-invader", note));
    }
    if !counters::fits(board, unit.kind, planet) {
        let ground = board.land(planet).map_or("", |l| l.ground.code());
        let note = say!("{ground} takes {types}", types = counters::types_of(board, planet));
        return Err(error("type", note));
    }
    if hexes.iter().any(|h| *h == 0 || *h > board.hexes(planet)) {
        return Err(no_hex(board, planet));
    }
    let place = board.units.get(&id).map(|u| u.place);
    let path: Vec<u8> = match place {
        Some(Place::Aboard(carrier)) => {
            now.ship(board, carrier)?;
            if let Some(fleet) = board.fleet_of(id) {
                now.still(board, fleet)?;
            }
            hexes.to_vec()
        }
        Some(Place::Surface(p, hex)) if p == planet => {
            [hex].into_iter().chain(hexes.iter().copied()).collect()
        }
        _ => {
            let system = now.system;
            let note = say!("{unit} is neither aboard a ship in {system} nor on {planet}");
            return Err(error("elsewhere", note));
        }
    };
    let steps = path.len() - 1;
    let most = match unit.kind {
        Kind::RT => 1,
        Kind::JT => 3,
        _ => usize::MAX,
    };
    if steps > most {
        let kind = unit.kind.code();
        let note = count!(most, "{kind} move up to {most} hex", "{kind} move up to {most} hexes");
        return Err(error("too-far", note));
    }
    if unit.kind != Kind::F
        && let Some(pair) = path.windows(2).find(|w| !hexes_touch(w[0], w[1]))
    {
        return Err(error(
            "not-adjacent",
            say!("hexes {a} and {b} don't touch", a = pair[0], b = pair[1]),
        ));
    }
    ok()
}

fn check_evacuate(board: &Board, now: &Now, unit: Name, carrier: Name) -> Checked {
    now.warlike(board)?;
    let ship = now.ship(board, carrier)?;
    let id = now.unit(board, unit)?;
    match board.units.get(&id).map(|u| u.place) {
        Some(Place::Surface(planet, _)) if planet.system == now.system => {}
        _ => {
            let system = now.system;
            return Err(error(
                "not-disputed",
                say!("{unit} is on no disputed planet in {system}; L loads from others"),
            ));
        }
    }
    if unit.kind == Kind::PD {
        return Err(error("pd", say!("PD stays on a disputed planet")));
    }
    check_berth(board, ship, unit.kind)?;
    ok()
}

fn check_space(board: &Board, now: &Now, fleet: u8, to: Option<System>) -> Checked {
    if now.segment != 1 {
        return Err(error("segment", say!("open-space moves start in segment 1")));
    }
    let Some(to) = to else {
        return match board.fleets.get(&(now.side, fleet)) {
            None => Err(error("no-fleet", say!("you have no fleet {fleet}"))),
            Some(Spot::Lane { .. }) => ok(),
            Some(Spot::System(_)) => {
                Err(error("not-in-space", say!("fleet {fleet} is not in open space")))
            }
        };
    };
    now.fleet(board, fleet)?;
    now.unmoved(board, fleet)?;
    if to == now.system {
        return Err(error("same", say!("fleet {fleet} is in {at}", at = to)));
    }
    if now.peace && board.occupied(now.side.other(), to) {
        return Err(error("peace", say!("it is peace: {system} holds enemies", system = to)));
    }
    if board.court.talks && enters_enemy(board, now, to) {
        let note = say!("Peace Talks this turn: enemy units are in {system}", system = to);
        return Err(error("talks", note));
    }
    let hexes = board.galaxy.lane(now.system, to).unwrap_or(1);
    Ok(Told::ok(match hexes {
        1 => say!("in {to} at once"),
        hexes => count!(
            turns = hexes - 1,
            "{hexes} hexes, one a turn: in {to} in {turns} turn",
            "{hexes} hexes, one a turn: in {to} in {turns} turns"
        ),
    }))
}

/// Checks whether an order conflicts with those above it in its block.
pub fn after(above: &[(u32, Act)], act: &Act) -> Result<(), Told> {
    let attacked = above.iter().any(|(_, a)| matches!(a, Act::Attack(..)));
    match act {
        Act::Attack(..) if attacked => Err(error("two-attacks", say!("one planet an activation"))),
        Act::Engage if above.iter().any(|(_, a)| *a == Act::Engage) => {
            Err(error("again", say!("one engagement an activation")))
        }
        Act::Evacuate(..) if attacked => {
            Err(error("later", say!("evacuation is for a later activation")))
        }
        _ => Ok(()),
    }
}

/// Whether a side has units in a system and at least one order of a block is possible.
pub fn possible(board: &Board, now: &Now, acts: &[(u32, Act)]) -> bool {
    // Monitors are not seen before the attack.
    let enemies = board.fleets_in(now.side.other(), now.system).next().is_some();
    let engages = acts.iter().any(|(_, act)| *act == Act::Engage);
    let blocked = |act: &Act| match act {
        Act::Attack(planet, _) => {
            enemies && !engages && board.control(*planet) != Control::Disputed
        }
        _ => false,
    };
    board.present(now.side, now.system)
        && acts.iter().any(|(_, act)| {
            !matches!(act, Act::Land(..) | Act::NoFight(_))
                && !blocked(act)
                && check(board, now, act).is_ok()
        })
}

/// Carries out an order that needs no dice, after [`check`] has accepted it. The step itself
/// handles moves, battles and arrivals from open space.
pub fn apply(board: &mut Board, now: &Now, act: &Act) {
    match act {
        Act::Divide(_, new, units) => {
            board.fleets.insert((now.side, *new), Spot::System(now.system));
            for name in units {
                board.put(now.id(*name), Place::Fleet(*new));
            }
            board.sweep_of(now.side);
        }
        Act::Combine(a, b) => {
            let ships: Vec<UnitId> = board.ships(now.side, *b).collect();
            for id in ships {
                board.put(id, Place::Fleet(*a));
            }
            board.sweep_of(now.side);
        }
        Act::Load(carrier, unit) => board.put(now.id(*unit), Place::Aboard(*carrier)),
        Act::Unload(carrier, planet) => {
            let ship = now.id(*carrier);
            let moved = board.units.get(&ship).is_some_and(|u| u.moved);
            let cargo: Vec<UnitId> = board.aboard(ship).collect();
            for id in cargo {
                if id.kind() == Kind::OP {
                    board.units.remove(&id);
                    if let Some(land) = board.planets.get_mut(planet) {
                        land.marker = Some((now.side, Marker::Outpost));
                    }
                    continue;
                }
                board.put(id, Place::Box(*planet));
                if let Some(unit) = board.units.get_mut(&id) {
                    unit.moved |= moved;
                }
            }
        }
        Act::Space(fleet, to) => apply_space(board, now.side, *fleet, *to),
        Act::Move(..)
        | Act::Engage
        | Act::Attack(..)
        | Act::Land(..)
        | Act::NoFight(_)
        | Act::Evacuate(..) => {}
    }
}

/// Sends a fleet from its system into open space, or turns it round there (§6.3).
fn apply_space(board: &mut Board, side: Side, fleet: u8, to: Option<System>) {
    let Some(spot) = board.fleets.get(&(side, fleet)).copied() else { return };
    let spot = match (spot, to) {
        (Spot::Lane { from, to, k, origin }, None) => {
            let n = board.galaxy.lane(from, to).unwrap_or(1);
            Spot::Lane { from: to, to: from, k: n.saturating_sub(k), origin }
        }
        (Spot::System(from), Some(to)) => {
            let ships: Vec<UnitId> = board.ships(side, fleet).collect();
            for id in ships {
                if let Some(unit) = board.units.get_mut(&id) {
                    unit.moved = true;
                }
            }
            Spot::Lane { from, to, k: 1, origin: from }
        }
        _ => return,
    };
    board.fleets.insert((side, fleet), spot);
}

/// Fleets enter a system. Their units do not move again in this segment.
pub fn enter(board: &mut Board, side: Side, fleets: &[u8], at: System) {
    for fleet in fleets {
        board.fleets.insert((side, *fleet), Spot::System(at));
        let ships: Vec<UnitId> = board.ships(side, *fleet).collect();
        for ship in ships {
            let aboard: Vec<UnitId> = board.aboard(ship).collect();
            for id in aboard.into_iter().chain([ship]) {
                if let Some(unit) = board.units.get_mut(&id) {
                    unit.moved = true;
                }
            }
        }
    }
}

/// Whether peace or Peace Talks keep a side out of a system.
pub fn barred(board: &Board, side: Side, at: System, peace: bool) -> bool {
    let enemy = side.other();
    let held = board.occupied(enemy, at);
    peace && held || board.court.talks && (held || board.present(enemy, at))
}

/// Moves fleets in open space a hex on, at the start of segment 1 (§6.3). A fleet that may not
/// enter its goal waits before it. Returns the fleets that moved: they may arrive or meet an enemy.
pub fn advance(board: &mut Board, peace: bool, side: Option<Side>) -> Vec<(Side, u8)> {
    let mut gone = Vec::new();
    let fleets: Vec<((Side, u8), Spot)> = board.fleets.iter().map(|(k, s)| (*k, *s)).collect();
    for (key, spot) in fleets.into_iter().filter(|(k, _)| side.is_none_or(|s| s == k.0)) {
        let Spot::Lane { from, to, k, origin } = spot else { continue };
        let arrives = k + 1 >= board.galaxy.lane(from, to).unwrap_or(1);
        if arrives && barred(board, key.0, to, peace) {
            continue;
        }
        board.fleets.insert(key, Spot::Lane { from, to, k: k + 1, origin });
        gone.push(key);
    }
    gone
}

/// The planet that a block attacks.
pub fn target(acts: &[(u32, Act)]) -> Option<Planet> {
    acts.iter().find_map(|(_, act)| match act {
        Act::Attack(planet, _) => Some(*planet),
        _ => None,
    })
}
