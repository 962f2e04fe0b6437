//! Reinforcements and construction (§5.4, §5.5, §11.3), in the same way for step and echo.

use std::collections::BTreeMap;

use engine::Told;
use tongue::{count, say};

use super::acts::{check_berth, no_unit};
use super::board::{Board, Due, Marker, Place, RESTRICTED, Spot};
use super::galaxy::{Planet, System};
use super::kinds::{Class, Kind, Side, UnitId};
use super::orders::{Goal, Piece};
use crate::counters;
use crate::supply;

fn error(code: &'static str, note: impl Into<String>) -> Told {
    Told::error(code, note)
}

/// The time of an order.
#[derive(Debug, Clone, Copy)]
pub struct When {
    /// The turn of the game.
    pub turn: u32,
    /// Whether there is peace: production costs twice as much.
    pub peace: bool,
}

/// The present cost of a unit of a type.
pub fn price(board: &Board, side: Side, kind: Kind, peace: bool) -> u32 {
    board.tables.cost(side, kind) * if peace { 2 } else { 1 }
}

/// The reason why a side may not build a type.
pub fn forbidden(board: &Board, side: Side, kind: Kind) -> Option<Told> {
    if !kind.built_by(side) {
        let (whose, kind) = (side.whose(), kind.code());
        let note = say!("{whose} shipyards build no {kind}");
        return Some(error("not-yours", note));
    }
    if side == Side::Terran && kind == Kind::BB && !board.b_lost {
        let note = say!("no Dreadnoughts before a Terran Battleship has been destroyed");
        return Some(error("no-bb", note));
    }
    let restricted = side == Side::Imperial && RESTRICTED.contains(&kind);
    if restricted && !board.court.permitted.contains(&kind) {
        let note = say!("{kind} needs the Emperor's permission (appeal)", kind = kind.code());
        return Some(error("permission", note));
    }
    None
}

/// Orders units (§5.5), but only as many as the stockpile pays for and counters allow.
///
/// # Errors
/// The reason why nothing is built.
pub fn build(board: &mut Board, side: Side, kind: Kind, n: u32, when: When) -> Result<Told, Told> {
    if let Some(told) = forbidden(board, side, kind) {
        return Err(told);
    }
    let left = counters::left(board, side, kind).unwrap_or(u32::MAX);
    if left == 0 {
        let count = board.tables.of(side, kind).map_or(0, |f| f.count);
        let note = say!("all {count} {kind} are in being or ordered", kind = kind.code());
        return Err(error("counters", note));
    }
    let each = price(board, side, kind, when.peace);
    let stock = board.purses[side.i()].stock;
    let paid = stock / each.max(1);
    let built = n.min(left).min(paid);
    let (code, cost) = (kind.code(), n * each);
    if built == 0 {
        let note = say!("{n} {kind} cost {cost}, you have {stock}", kind = code);
        return Err(error("cost", note));
    }
    let turns = board.tables.of(side, kind).map_or(1, |f| f.turns);
    let purse = &mut board.purses[side.i()];
    purse.stock -= built * each;
    let due = Due { turn: when.turn + turns, kind };
    purse.track.extend((0..built).map(|_| due));
    purse.track.sort();
    let done = count!(
        turns,
        "{built} for {cost}, due in {turns} turn; {stock} left",
        "{built} for {cost}, due in {turns} turns; {stock} left",
        cost = built * each,
        stock = purse.stock
    );
    Ok(match built == n {
        true => Told::ok(done),
        false if paid < n => {
            let note =
                say!("{n} {kind} cost {cost}, you have {stock}: {note}", kind = code, note = done);
            Told::warning("cost", note)
        }
        false => {
            Told::warning("counters", say!("only {left} counters are left: {note}", note = done))
        }
    })
}

/// Pays a turn of terraforming (§11.3).
///
/// # Errors
/// The reason why it is not done.
pub fn terraform(board: &mut Board, side: Side, planet: Planet, when: When) -> Result<Told, Told> {
    let works = board.tables.works;
    let land = board.land(planet).copied();
    let needed = land.and_then(|l| works.terraform(l.ground));
    let Some((land, turns)) = land.zip(needed) else {
        return Err(error("no-terraforming", say!("only N1 and N2 planets are terraformed")));
    };
    let linked =
        supply::connected(board, side).get(usize::from(planet.system.0) - 1) == Some(&true);
    if board.holds(side, planet) != Some(Marker::Outpost) || !linked {
        let note = say!("terraforming needs a connected Outpost of yours on {planet}");
        return Err(error("no-outpost", note));
    }
    pay(board, side, planet, when)?;
    let paid = land.terraform + 1;
    let done = paid >= turns;
    if let Some(land) = board.planets.get_mut(&planet) {
        land.terraform = if done { 0 } else { paid };
        if let (true, Some(ground)) = (done, land.ground.terraformed()) {
            land.ground = ground;
        }
    }
    let ground = board.land(planet).map_or("", |l| l.ground.code());
    Ok(Told::ok(match done {
        true => say!("{planet} becomes {ground}"),
        false => say!("{paid} of {turns} turns are paid"),
    }))
}

/// Pays a turn of an upgrade from Outpost to World (§11.3).
///
/// # Errors
/// The reason why it is not done.
pub fn upgrade(board: &mut Board, side: Side, planet: Planet, when: When) -> Result<Told, Told> {
    if !when.peace {
        return Err(error("war", say!("Outposts become Worlds in peace only")));
    }
    let works = board.tables.works;
    let Some(land) = board.land(planet).copied().filter(|l| l.ground.is_a()) else {
        return Err(error("no-upgrade", say!("only on A planets an Outpost becomes a World")));
    };
    if board.holds(side, planet) != Some(Marker::Outpost) {
        return Err(error("no-outpost", say!("you have no Outpost on {planet}")));
    }
    pay(board, side, planet, when)?;
    let paid = land.upgrade + 1;
    let done = paid >= works.upgrade;
    if let Some(land) = board.planets.get_mut(&planet) {
        land.upgrade = if done { 0 } else { paid };
        if done {
            land.marker = Some((side, Marker::World));
        }
    }
    Ok(Told::ok(match done {
        true => say!("{planet} becomes a World"),
        false => say!("{paid} of {turns} turns are paid", turns = works.upgrade),
    }))
}

/// Pays for a turn of work on a planet, at most once a turn.
fn pay(board: &mut Board, side: Side, planet: Planet, when: When) -> Result<(), Told> {
    let cost = board.tables.works.cost;
    let stock = board.purses[side.i()].stock;
    let Some(land) = board.planets.get_mut(&planet) else { return Ok(()) };
    if land.worked == when.turn {
        return Err(error("paid", say!("{planet} was paid for this turn; each turn counts once")));
    }
    if stock < cost {
        return Err(error("cost", say!("it costs {cost}, you have {stock}")));
    }
    land.worked = when.turn;
    board.purses[side.i()].stock -= cost;
    Ok(())
}

/// The arrivals of a turn that have been placed: how many each World got, and the fleet of new
/// ships in each system.
#[derive(Debug, Clone, Default)]
pub struct Placing {
    given: BTreeMap<Planet, u32>,
    fleets: BTreeMap<System, u8>,
}

impl Placing {
    /// The Worlds that come next: no World gets another unit before all have the same number.
    fn next(&self, worlds: &[Planet]) -> Vec<Planet> {
        let given = |p: &Planet| self.given.get(p).copied().unwrap_or(0);
        let least = worlds.iter().map(given).min().unwrap_or(0);
        worlds.iter().copied().filter(|p| given(p) == least).collect()
    }

    /// Places an arrival (§5.4).
    ///
    /// # Errors
    /// The reason why it can't be placed.
    pub fn place(
        &mut self,
        board: &mut Board,
        side: Side,
        piece: Piece,
        goal: Goal,
    ) -> Result<Told, Told> {
        let id = arrival(board, side, piece)?;
        let worlds = board.held(side, Marker::World);
        let names =
            |list: &[Planet]| list.iter().map(Planet::to_string).collect::<Vec<_>>().join(", ");
        let not_a_world = || match worlds.is_empty() {
            true => error("no-world", say!("you have no World; arrivals wait")),
            false => {
                let worlds = names(&worlds);
                error("no-world", say!("arrivals go to your Worlds: {worlds}"))
            }
        };
        let (world, place) = match goal {
            Goal::Planet(planet, _) if id.kind() == Kind::OP => {
                let _ = planet;
                return Err(error("outpost", say!("an Outpost arrives aboard an empty TR or AT")));
            }
            Goal::Planet(planet, fleet) => {
                if !worlds.contains(&planet) {
                    return Err(not_a_world());
                }
                let place = match board.class(id).sails() {
                    true => Place::Fleet(self.fleet(board, side, planet.system, fleet)?),
                    false if counters::room(board, side, planet) == 0 => {
                        return Err(error("box-full", say!("the box of {planet} is full")));
                    }
                    false => Place::Box(planet),
                };
                (planet, place)
            }
            Goal::Carrier(name) => {
                let ship = UnitId { side, name };
                if !board.units.contains_key(&ship) {
                    return Err(no_unit(name));
                }
                let at = board.where_is(ship);
                let here = || worlds.iter().copied().filter(|p| Some(p.system) == at);
                let next = self.next(&worlds);
                let world = here().find(|p| next.contains(p)).or_else(|| here().next());
                let Some(world) = world else {
                    let note = say!("{unit} is not in the system of a World of yours", unit = name);
                    return Err(error("no-world", note));
                };
                if !matches!(name.kind, Kind::TR | Kind::AT) {
                    return Err(error("no-carrier", say!("arrivals may go aboard TR and AT")));
                }
                check_berth(board, ship, id.kind())?;
                (world, Place::Aboard(name))
            }
        };
        let next = self.next(&worlds);
        if !next.contains(&world) {
            let all = next.iter().map(Planet::to_string);
            let joined = all.reduce(|first, last| say!("{first} and {last}")).unwrap_or_default();
            let note = count!(
                n = next.len(),
                "{world} has its unit; {joined} comes first",
                "{world} has its unit; {joined} come first"
            );
            return Err(error("world-full", note));
        }
        *self.given.entry(world).or_default() += 1;
        board.put(id, place);
        Ok(Told::ok(match place {
            Place::Fleet(fleet) => {
                say!("{unit} joins fleet {fleet} at {at}", unit = id.name, at = world.system)
            }
            Place::Aboard(carrier) => say!("{unit} aboard {carrier}", unit = id.name),
            _ => say!("{unit} on {planet}", unit = id.name, planet = world),
        }))
    }

    /// The fleet that an arriving ship joins or forms.
    fn fleet(
        &mut self,
        board: &mut Board,
        side: Side,
        system: System,
        wanted: Option<u8>,
    ) -> Result<u8, Told> {
        if let Some(n) = wanted {
            match board.fleets.get(&(side, n)) {
                Some(Spot::System(at)) if *at == system => {}
                None => {
                    board.fleets.insert((side, n), Spot::System(system));
                }
                Some(_) => {
                    let note = say!("fleet {fleet} is not in {at}", fleet = n, at = system);
                    return Err(error("elsewhere", note));
                }
            }
            return Ok(n);
        }
        if let Some(n) =
            self.fleets.get(&system).filter(|n| board.fleets.contains_key(&(side, **n)))
        {
            return Ok(*n);
        }
        let n = board.new_fleet(side, system);
        self.fleets.insert(system, n);
        Ok(n)
    }

    /// Places the remaining arrivals by number, on one World after the other. Outposts without an
    /// empty transport wait.
    pub fn rest(&mut self, board: &mut Board, side: Side) -> Vec<UnitId> {
        let mut waiting: Vec<UnitId> = board.at(side, Place::Arriving).collect();
        let mut placed = Vec::new();
        // Ships come first, so that Outposts find the transports that come with them.
        waiting.sort_by_key(|id| (id.kind() == Kind::OP, *id));
        for id in waiting {
            let worlds = board.held(side, Marker::World);
            for world in self.next(&worlds) {
                let piece = Piece::Unit(id.name);
                let goal = match id.kind() {
                    Kind::OP => empty_transport(board, side, world.system).map(Goal::Carrier),
                    _ => Some(Goal::Planet(world, None)),
                };
                let done = goal.map(|goal| self.place(board, side, piece, goal));
                if matches!(done, Some(Ok(_))) {
                    placed.push(id);
                    break;
                }
            }
        }
        placed
    }
}

/// An empty transport of a side in a system.
fn empty_transport(board: &Board, side: Side, system: System) -> Option<super::kinds::Name> {
    let fleets = board.fleets_in(side, system);
    let ships = fleets.flat_map(|f| board.ships(side, f));
    let mut empty = ships.filter(|id| {
        matches!(id.kind(), Kind::TR | Kind::AT) && board.aboard(*id).next().is_none()
    });
    empty.next().map(|id| id.name)
}

/// The arrival that an order means.
fn arrival(board: &Board, side: Side, piece: Piece) -> Result<UnitId, Told> {
    let mut all = board.at(side, Place::Arriving);
    match piece {
        Piece::Unit(name) => all.find(|id| id.name == name).ok_or_else(|| {
            error("not-arriving", say!("{unit} is not among this turn's arrivals", unit = name))
        }),
        Piece::Kind(kind) => all.find(|id| id.kind() == kind).ok_or_else(|| {
            error("not-arriving", say!("no {kind} arrives this turn", kind = kind.code()))
        }),
    }
}

/// Places something in the set-up: on own Worlds, Outposts or in their systems (§4).
///
/// # Errors
/// The reason why it can't be placed.
pub fn set_up(board: &mut Board, side: Side, piece: Piece, goal: Goal) -> Result<Told, Told> {
    let id = match piece {
        Piece::Unit(name) => {
            let id = UnitId { side, name };
            if !board.units.contains_key(&id) {
                return Err(no_unit(name));
            }
            id
        }
        Piece::Kind(kind) => {
            // The next unit of a type is one that is not already there.
            let there = |id: UnitId, place: Place| match (goal, place) {
                (Goal::Planet(_, Some(n)), Place::Fleet(f)) => n == f,
                (Goal::Planet(p, None), _) => match place {
                    Place::Box(at) => at == p,
                    _ => board.where_is(id) == Some(p.system) && !matches!(place, Place::Aboard(_)),
                },
                (Goal::Carrier(name), Place::Aboard(at)) => at == name,
                _ => false,
            };
            let mut all =
                board.of(side).filter(|(id, u)| id.kind() == kind && !there(*id, u.place));
            let first = all.next().map(|(id, _)| id);
            first.ok_or_else(|| error("no-unit", say!("you have no {unit}", unit = kind.code())))?
        }
    };
    let place = match goal {
        Goal::Planet(planet, fleet) => {
            if board.marker(planet).map(|m| m.0) != Some(side) {
                return Err(error("not-yours", say!("{planet} is no World or Outpost of yours")));
            }
            if board.class(id).sails() {
                let n = match fleet {
                    Some(n) => match board.fleets.get(&(side, n)) {
                        Some(Spot::System(at)) if *at != planet.system => {
                            let note = say!("fleet {fleet} is in {at}", fleet = n);
                            return Err(error("elsewhere", note));
                        }
                        _ => n,
                    },
                    None => {
                        let there = board.fleets_in(side, planet.system).next();
                        there.unwrap_or_else(|| board.new_fleet(side, planet.system))
                    }
                };
                board.fleets.insert((side, n), Spot::System(planet.system));
                Place::Fleet(n)
            } else if board.class(id) == Class::Marker {
                return Err(error("outpost", say!("an Outpost goes aboard an empty TR or AT")));
            } else if !counters::fits(board, id.kind(), planet) {
                let ground = board.land(planet).map_or("", |l| l.ground.code());
                let note =
                    say!("{ground} takes {types}", types = counters::types_of(board, planet));
                return Err(error("type", note));
            } else if counters::room(board, side, planet) == 0 {
                return Err(error("box-full", say!("the box of {planet} is full")));
            } else {
                Place::Box(planet)
            }
        }
        Goal::Carrier(name) => {
            let ship = UnitId { side, name };
            if !board.units.contains_key(&ship) {
                return Err(no_unit(name));
            }
            if !id.kind().is_cargo() {
                return Err(error("no-cargo", say!("{unit} is no cargo", unit = id.name)));
            }
            check_berth(board, ship, id.kind())?;
            Place::Aboard(name)
        }
    };
    board.put(id, place);
    board.sweep_of(side);
    Ok(Told::ok(placed(id, place)))
}

/// The place of a unit, as a sentence.
fn placed(id: UnitId, place: Place) -> String {
    match place {
        Place::Fleet(fleet) => say!("{unit} in fleet {fleet}", unit = id.name),
        Place::Aboard(carrier) => say!("{unit} aboard {carrier}", unit = id.name),
        Place::Box(planet) => say!("{unit} on {planet}", unit = id.name),
        _ => String::new(),
    }
}
