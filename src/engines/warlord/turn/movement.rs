//! Six phases of movement, players in a drawn order, units by number (§3).

use super::super::desk::{Plan, Way};
use super::super::events::Event;
use super::super::state::{Goal, NOBODY, Target, Unit, is_land};
use super::super::tables::{Class, Tables, Terrain};
use super::super::ways::{self, Course, Quest};
use super::{Field, knowledge};
use engine::geometry::{Direction, Place};

/// A unit with a plan, during the movement phases.
#[derive(Debug, Clone)]
pub struct Mover {
    way: Way,
    /// Card line of its order; `None` for a standing advance.
    pub line: Option<u32>,
    class: Class,
    points: u32,
    start: Place,
    /// Steps of an advance, the next one last, and whether they end beside its goal; `None` before
    /// a way was sought.
    route: Option<(Vec<Direction>, bool)>,
    done: bool,
    /// Whether its way was barred.
    pub barred: bool,
    /// Where the unit is after the march; `None` if it is lost.
    pub end: Option<Place>,
}

impl Mover {
    /// Whether it ended at the goal of its advance.
    pub fn is_there(&self) -> bool {
        let goal = match &self.way {
            Way::Advance(goal) => Some(goal.target),
            Way::March(_) => None,
        };
        self.end.is_some_and(|end| goal == Some(Target::Sector(end)))
    }

    /// A unit at the start of its turn.
    pub fn new(tables: &Tables, unit: &Unit, plan: Plan) -> Self {
        let row = tables.row(unit.kind);
        let (class, points) = match plan.convoy {
            true => (Class::Arm, tables.rules.movement.truck_speed),
            false => (row.class, row.points),
        };
        let Plan { way, line, .. } = plan;
        Self {
            way,
            line,
            class,
            points,
            start: unit.at,
            route: None,
            done: false,
            barred: false,
            end: None,
        }
    }
}

/// The outcome of a step.
enum Step {
    Taken,
    Waits,
    /// Closed ground or a foreign port; `None` for the ice beyond the map.
    Closed(Option<Place>),
    NoRoom(Place),
    NoWay,
    Arrived,
    /// An advance has come as near to its goal as it can.
    Beside(Place),
}

/// Moves all units, phase by phase.
pub fn march(field: &mut Field) {
    let phases = field.state.tables.rules.movement.phases;
    for phase in 0..phases {
        // The nameless power takes part if rebels march.
        let first = if field.movers[usize::from(NOBODY)].is_empty() { 1 } else { NOBODY };
        let mut order: Vec<u8> = (first..=field.state.seats()).collect();
        // Place of the roll: the phase, from 1.
        field.dice.at([phase as u32 + 1]).shuffle("order of players", &mut order);
        field.came_from.clear();
        if phase == 0 {
            // Paratroops are where they were dropped, and attack now.
            for &(seat, no) in &field.dropped {
                if let Some(unit) = field.state.powers[usize::from(seat)].units.get(&no) {
                    field.came_from.insert((seat, no), unit.at);
                }
            }
        }
        for &seat in &order {
            let numbers: Vec<u16> = field.movers[usize::from(seat)].keys().copied().collect();
            for no in numbers {
                move_unit(field, seat, no, phase);
            }
        }
        // There are few phases.
        super::contact::fights(field, phase as u8 + 1, &order);
        field.dropped.clear();
    }
    report_moves(field);
    super::combat::report_skills(field);
}

fn move_unit(field: &mut Field, seat: u8, no: u16, phase: usize) {
    let power = &field.state.powers[usize::from(seat)];
    let stopped = field.stopped.contains(&(seat, no));
    let Some(mover) = field.movers[usize::from(seat)].get(&no) else { return };
    let Some(at) = power.units.get(&no).map(|u| u.at) else { return };
    if mover.done || stopped || mover.points == 0 {
        return;
    }
    let outcome = match mover.way.clone() {
        Way::March(steps) => match steps.get(phase) {
            None => return,
            Some(0) => Step::Waits,
            Some(&code) => match Direction::from_code(code) {
                Some(direction) => step(field, seat, no, direction),
                None => Step::Waits,
            },
        },
        Way::Advance(goal) => {
            let last = phase + 1 == field.state.tables.rules.movement.phases;
            advance(field, seat, no, goal, last)
        }
    };
    let arrived = field.state.powers[usize::from(seat)].units.get(&no).map_or(at, |u| u.at);
    let (done, event) = match outcome {
        Step::Taken => (reached(field, seat, no, arrived), None),
        Step::Waits => (false, None),
        Step::Arrived => (true, None),
        Step::Closed(toward) => (true, Some(Event::Blocked { unit: no, at: arrived, toward })),
        Step::NoRoom(at) => (true, Some(Event::NoRoom { unit: no, at })),
        Step::NoWay => (true, Some(Event::NoWay { unit: no, at: arrived })),
        Step::Beside(goal) => {
            let city = field.city_in(goal).is_some_and(|(_, owner)| owner != seat);
            (true, Some(Event::Beside { unit: no, at: arrived, goal, city }))
        }
    };
    let barred = event.is_some();
    if let Some(event) = event {
        end_goal(field, seat, no);
        field.record(&[seat], event);
    }
    if let Some(mover) = field.movers[usize::from(seat)].get_mut(&no) {
        mover.done |= done;
        mover.barred |= barred;
    }
}

/// Whether an advance has reached its goal; if so, the goal is removed.
fn reached(field: &mut Field, seat: u8, no: u16, at: Place) -> bool {
    let unit = field.state.powers[usize::from(seat)].units.get(&no);
    let goal = unit.and_then(|u| u.goal).map(|g| g.target);
    if goal != Some(Target::Sector(at)) {
        return false;
    }
    end_goal(field, seat, no);
    field.record(&[seat], Event::Arrived { unit: no, at });
    true
}

fn end_goal(field: &mut Field, seat: u8, no: u16) {
    if let Some(unit) = field.state.powers[usize::from(seat)].units.get_mut(&no) {
        unit.goal = None;
    }
}

/// One phase of an advance.
fn advance(field: &mut Field, seat: u8, no: u16, goal: Goal, last_phase: bool) -> Step {
    let Some(unit) = field.state.powers[usize::from(seat)].units.get(&no) else {
        return Step::Waits;
    };
    let (from, aboard) = (unit.at, unit.aboard.is_some());
    match goal.target {
        Target::Heading(direction) => head_for(field, seat, no, from, direction),
        Target::Sector(to) if to == from => {
            reached(field, seat, no, to);
            Step::Arrived
        }
        Target::Sector(to) => {
            let mut outcome = follow(field, seat, no, to);
            if let Step::Closed(Some(closed)) = outcome {
                // The closed sector may not have been in sight before; now it is known.
                knowledge::note(field, seat, closed, 0);
                outcome = follow(field, seat, no, to);
            }
            // At the quay a unit waits for a ship until the end of the turn.
            let land = is_land(field.movers[usize::from(seat)][&no].class);
            let waits = land && field.state.world.is_sea(to) && !last_phase;
            match outcome {
                Step::Beside(_) if waits => Step::Waits,
                Step::Taken if !waits && is_beside(field, seat, no, to, aboard) => Step::Beside(to),
                _ => outcome,
            }
        }
    }
}

/// One step of an advance to a sector; a new way is sought where ground has turned out to be
/// closed.
fn follow(field: &mut Field, seat: u8, no: u16, to: Place) -> Step {
    let Some(unit) = field.state.powers[usize::from(seat)].units.get(&no) else {
        return Step::Waits;
    };
    let aboard = unit.aboard.is_some();
    // The ship moves its cargo, so the way of a unit aboard is sought again at every step.
    if aboard || !is_open(field, seat, no, to) {
        match seek(field, seat, no, to) {
            None if aboard => return Step::Waits,
            None => return Step::NoWay,
            Some(Course { mut way, beside }) => {
                way.reverse();
                if let Some(mover) = field.movers[usize::from(seat)].get_mut(&no) {
                    mover.route = Some((way, beside));
                }
            }
        }
    }
    let route = field.movers[usize::from(seat)].get_mut(&no).and_then(|m| m.route.as_mut());
    match route.and_then(|(way, _)| way.pop()) {
        Some(direction) => step(field, seat, no, direction),
        None => Step::Beside(to),
    }
}

/// Whether a way was sought and the rest of it is open as far as is known.
fn is_open(field: &Field, seat: u8, no: u16, to: Place) -> bool {
    let mover = &field.movers[usize::from(seat)][&no];
    let unit = field.state.powers[usize::from(seat)].units.get(&no);
    let (Some((way, beside)), Some(unit)) = (&mover.route, unit) else { return false };
    let mut at = unit.at;
    let open = way.iter().rev().all(|direction| {
        let next = field.state.grid().step(at, *direction);
        at = next.unwrap_or(at);
        next.is_some_and(|p| p == to || known_cost(field, seat, mover.class, p).is_some())
    });
    // Meanwhile the goal itself may have opened or closed.
    let goal =
        boarding(field, seat, mover.class, to).or_else(|| known_cost(field, seat, mover.class, to));
    open && *beside == goal.is_none()
}

/// Whether an advance has come as near to its goal as it can: beside closed ground, or just landed
/// beside a foreign city.
fn is_beside(field: &mut Field, seat: u8, no: u16, to: Place, was_aboard: bool) -> bool {
    let Some(unit) = field.state.powers[usize::from(seat)].units.get(&no) else { return false };
    let (at, aboard) = (unit.at, unit.aboard.is_some());
    if at == to || aboard {
        return false;
    }
    if was_aboard && field.state.grid().distance(at, to) == 1 && is_foreign(field, seat, to) {
        return true;
    }
    let ends = |m: &Mover| m.route.as_ref().is_some_and(|(way, beside)| *beside && way.is_empty());
    if !ends(&field.movers[usize::from(seat)][&no]) {
        return false;
    }
    // Meanwhile a ship may have come.
    match seek(field, seat, no, to) {
        Some(Course { mut way, beside }) => {
            way.reverse();
            let done = beside && way.is_empty();
            if let Some(mover) = field.movers[usize::from(seat)].get_mut(&no) {
                mover.route = Some((way, beside));
            }
            done
        }
        None => false,
    }
}

/// Turns by up to one point of the compass when the way ahead is closed.
fn head_for(field: &mut Field, seat: u8, no: u16, from: Place, ahead: Direction) -> Step {
    let class = field.movers[usize::from(seat)][&no].class;
    let code = ahead.code();
    let mut aside = [code % 8 + 1, (code + 6) % 8 + 1];
    aside.sort_unstable();
    let grid = field.state.grid();
    for code in [code, aside[0], aside[1]] {
        let Some(direction) = Direction::from_code(code) else { continue };
        let open =
            grid.step(from, direction).is_some_and(|to| cost(field, seat, class, to).is_some());
        if open {
            return step(field, seat, no, direction);
        }
    }
    Step::Closed(grid.step(from, ahead))
}

/// The cheapest way over the ground that the power knows (§3, steering).
fn seek(field: &mut Field, seat: u8, no: u16, to: Place) -> Option<Course> {
    let mut paths = std::mem::take(&mut field.paths);
    let class = field.movers[usize::from(seat)][&no].class;
    let unit = field.state.powers[usize::from(seat)].units.get(&no)?;
    let quest = Quest {
        from: unit.at,
        to,
        aboard: unit.aboard.is_some(),
        foreign: &|place| is_foreign(field, seat, place),
        boarding: boarding(field, seat, class, to),
        cost: &|place| known_cost(field, seat, class, place),
    };
    let course = ways::seek(&mut paths, field.state.grid(), &quest);
    field.paths = paths;
    course
}

/// The cost of boarding, if an own ship with holds is there.
fn boarding(field: &Field, seat: u8, class: Class, place: Place) -> Option<u32> {
    let at_quay = is_land(class) && field.state.world.is_sea(place) && has_ship(field, seat, place);
    at_quay.then_some(field.state.tables.rules.movement.boarding_cost)
}

fn has_ship(field: &Field, seat: u8, place: Place) -> bool {
    let power = &field.state.powers[usize::from(seat)];
    let carries = |u: &Unit| u.at == place && field.state.row(u).carries > 0;
    power.units.values().any(carries)
}

/// Whether a sector holds a city that a power knows to be foreign.
fn is_foreign(field: &Field, seat: u8, place: Place) -> bool {
    let power = &field.state.powers[usize::from(seat)];
    let known = |number: u16| match seat {
        NOBODY => !power.cities.contains_key(&number),
        _ => power.sightings.contains_key(&number) && !power.cities.contains_key(&number),
    };
    field.city_in(place).is_some_and(|(number, _)| known(number))
}

/// Cost of entering a sector as far as a power knows: unexplored ground counts as open, ports as
/// far as their holder is known. Rebels know the whole land.
fn known_cost(field: &Field, seat: u8, class: Class, to: Place) -> Option<u32> {
    let power = &field.state.powers[usize::from(seat)];
    let sea = field.state.world.is_sea(to);
    match class {
        Class::Ship if sea => Some(1),
        Class::Ship => {
            let open = |number: u16| {
                let seen = power.sightings.get(&number).and_then(|s| s.owner);
                power.cities.contains_key(&number)
                    || seen.is_some_and(|o| power.allies.contains(&o))
            };
            let port = field.city_in(to).is_some_and(|(number, _)| open(number));
            (port && field.state.world.is_coastal(to)).then_some(1)
        }
        Class::Plane | Class::Arms => None,
        _ if sea || seat == NOBODY => cost(field, seat, class, to),
        Class::Inf | Class::Arm if power.has_explored(to) => {
            let (state, ground) = (&field.state, field.state.world.ground(to));
            power.known_site(to).cost(&state.tables, class, ground, state.turn)
        }
        Class::Inf | Class::Arm => Some(1),
    }
}

/// Cost of entering a sector over land, or over sea for ships.
fn cost(field: &Field, seat: u8, class: Class, to: Place) -> Option<u32> {
    let terrain = field.state.world.ground(to);
    match class {
        Class::Ship if terrain == Terrain::Sea || is_port(field, seat, to) => Some(1),
        Class::Ship | Class::Plane | Class::Arms => None,
        Class::Inf | Class::Arm => field.state.land_cost(class, to),
    }
}

/// Whether a sector has a coastal city of the seat or of an ally.
fn is_port(field: &Field, seat: u8, place: Place) -> bool {
    let open =
        |owner: u8| owner == seat || field.state.powers[usize::from(seat)].allies.contains(&owner);
    field.city_in(place).is_some_and(|(_, owner)| open(owner))
        && field.state.world.is_coastal(place)
}

/// Moves a unit one sector, or returns why it can't.
fn step(field: &mut Field, seat: u8, no: u16, direction: Direction) -> Step {
    let Some(unit) = field.state.powers[usize::from(seat)].units.get(&no).cloned() else {
        return Step::Waits;
    };
    let Some(to) = field.state.grid().step(unit.at, direction) else { return Step::Closed(None) };
    let class = field.movers[usize::from(seat)][&no].class;
    if is_land(class) && field.state.world.is_sea(to) {
        return board(field, seat, no, to);
    }
    let Some(cost) = cost(field, seat, class, to) else { return Step::Closed(Some(to)) };
    if unit.aboard.is_some() {
        // §3: a unit can't land directly in a city that is not its own.
        if field.city_in(to).is_some_and(|(_, owner)| owner != seat) {
            return Step::Closed(Some(to));
        }
        field.record(&[seat], Event::Landed { unit: no, at: to });
    }
    enter(field, seat, no, to, cost, None);
    Step::Taken
}

fn board(field: &mut Field, seat: u8, no: u16, to: Place) -> Step {
    let tables = &field.state.tables;
    let power = &field.state.powers[usize::from(seat)];
    let Some(unit) = power.units.get(&no) else { return Step::Waits };
    let need = tables.row(unit.kind).size * u32::from(unit.size);
    let mut ships =
        power.units.iter().filter(|(_, u)| u.at == to && tables.row(u.kind).carries > 0);
    let fits = ships.clone().find(|(n, _)| power.room(tables, **n) >= need).map(|(n, _)| *n);
    match fits {
        Some(ship) => {
            let cost = tables.rules.movement.boarding_cost;
            enter(field, seat, no, to, cost, Some(ship));
            field.record(&[seat], Event::Boarded { unit: no, ship, at: to });
            Step::Taken
        }
        None if ships.next().is_some() => Step::NoRoom(to),
        None => Step::Closed(Some(to)),
    }
}

fn enter(field: &mut Field, seat: u8, no: u16, to: Place, cost: u32, ship: Option<u16>) {
    let sight = field.state.tables.rules.sight.unit;
    let power = &mut field.state.powers[usize::from(seat)];
    let cargo: Vec<u16> = power.cargo(no).collect();
    let Some(unit) = power.units.get_mut(&no) else { return };
    let from = unit.at;
    unit.at = to;
    unit.aboard = ship;
    for carried in cargo {
        if let Some(unit) = power.units.get_mut(&carried) {
            unit.at = to;
        }
    }
    knowledge::note(field, seat, to, sight);
    field.came_from.insert((seat, no), from);
    if let Some(mover) = field.movers[usize::from(seat)].get_mut(&no) {
        // §3, forced march: the last point enters any passable sector.
        mover.points = mover.points.saturating_sub(cost);
    }
}

/// Notes where each unit is after the march, and records each that is not where it began.
fn report_moves(field: &mut Field) {
    for seat in 1..field.movers.len() {
        let power = &field.state.powers[seat];
        for (no, mover) in &mut field.movers[seat] {
            mover.end = power.units.get(no).map(|u| u.at);
        }
        let moved = |(no, mover): (&u16, &Mover)| {
            let unit = power.units.get(no)?;
            let (unit_no, from, to) = (*no, mover.start, unit.at);
            (from != to).then_some(Event::Moved { unit: unit_no, from, to })
        };
        let moves: Vec<Event> = field.movers[seat].iter().filter_map(moved).collect();
        for event in moves {
            // Seats are numbered by u8.
            field.record(&[seat as u8], event);
        }
    }
}

/// Sends ships to sea from the port of a former ally (ours).
fn leave_foreign_ports(field: &mut Field) {
    for seat in 1..=field.state.seats() {
        let ships = |(no, u): (&u16, &Unit)| {
            let foreign = field.city_in(u.at).is_some() && !is_port(field, seat, u.at);
            (foreign && field.state.row(u).class == Class::Ship).then_some(*no)
        };
        let units = &field.state.powers[usize::from(seat)].units;
        let ships: Vec<u16> = units.iter().filter_map(ships).collect();
        ships.into_iter().for_each(|no| super::combat::retreat(field, seat, no, None));
    }
}

/// Units aboard ships in an own city go ashore at the end of the turn (ours).
pub fn unload_in_port(field: &mut Field) {
    leave_foreign_ports(field);
    for seat in 1..=field.state.seats() {
        let power = &field.state.powers[usize::from(seat)];
        let in_port = |u: &Unit| u.aboard.is_some() && power.city_at(u.at).is_some();
        let ashore: Vec<(u16, Place)> =
            power.units.iter().filter(|(_, u)| in_port(u)).map(|(n, u)| (*n, u.at)).collect();
        for (no, at) in ashore {
            if let Some(unit) = field.state.powers[usize::from(seat)].units.get_mut(&no) {
                unit.aboard = None;
            }
            field.record(&[seat], Event::Landed { unit: no, at });
        }
    }
}
