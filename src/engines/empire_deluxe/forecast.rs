//! The expected effect of a card, as far as its player can know (§16, §19.1). Its orders are tried
//! on the player's trial world by the code that runs turns. Fights are not fought there, and
//! everybody may enter unknown squares.

use std::collections::BTreeMap;

use engine::geometry::Place;
use engine::{BySeat, Dice, Mark, Seat};

use super::field::{Field, Paper};
use super::ground::Terrain;
use super::kinds::Class;
use super::orders::Task;
use super::route::Router;
use super::stage::Stage;
use super::state::{Unit, UnitId};
use super::stop::Stop;
use super::view::View;
use super::words;
use crate::moves;
use crate::queue;
use tongue::{count, say};

/// Orders that are tried.
pub struct Forecast<'a> {
    view: &'a View,
    /// The trial world, at first as it is now, later at the end of the sitting.
    pub field: Field,
    /// The turn in which each unit had finished its orders.
    done: BTreeMap<u16, u32>,
    /// Aircraft that do not reach their goals, how their flights end, and in which turn.
    flights: BTreeMap<u16, (Flight, u32)>,
}

/// The end of a flight that does not reach its goal.
#[derive(Debug, Clone, Copy)]
enum Flight {
    Back,
    Lost,
}

impl<'a> Forecast<'a> {
    /// A forecast in which nothing is tried yet.
    pub fn new(view: &'a View) -> Self {
        let mut field = Field::new(view.world.clone());
        field.paper = Some(Paper::default());
        Self { view, field, done: BTreeMap::new(), flights: BTreeMap::new() }
    }

    fn seat(&self) -> Seat {
        self.view.seat
    }

    /// Tries the turns of the sitting. `named` are the units of the card in its order.
    pub fn run(&mut self, named: &[u16]) {
        let seat = self.seat();
        let mut paths = Router::default();
        // In a trial run only the order of players is rolled, and with one player not even that.
        let mut dice = Dice::new(0);
        let mut first: BySeat<Vec<u16>> = [(seat, named.to_vec())].into();
        for turn in 0..self.view.sitting.max(1) {
            if turn > 0 {
                self.field.world.turn += 1;
                moves::wake(&mut self.field, seat);
                moves::produce(&mut self.field, seat);
            }
            moves(&mut self.field, self.view, &first, &mut paths, &mut dice);
            first.clear();
            let now = self.field.world.turn;
            for (number, unit) in self.field.world.side(seat).into_iter().flat_map(|s| &s.units) {
                if matches!(unit.orders.first(), None | Some(Task::Sentry(_))) {
                    self.done.entry(*number).or_insert(now);
                }
            }
        }
        self.fly_on();
    }

    /// Tries the turns after the sitting for aircraft that are still on their way, as if nobody
    /// else moved: far flights turn back, or crash.
    fn fly_on(&mut self) {
        let seat = self.seat();
        let mut field = Field::new(self.field.world.clone());
        field.paper = Some(Paper::default());
        // The fuel of each, and how many orders it has.
        let mut flights: BTreeMap<u16, (u8, usize)> = BTreeMap::new();
        for (number, unit) in field.world.side_mut(seat).into_iter().flat_map(|s| &mut s.units) {
            let tasks = unit.orders.first();
            let goes = matches!(tasks, Some(Task::Go(..) | Task::Attack(..) | Task::Patrol(..)));
            match goes && unit.kind.class() == Class::Air && unit.aboard.is_none() {
                true => drop(flights.insert(*number, (unit.fuel, unit.orders.len()))),
                false => unit.orders.clear(),
            }
        }
        let (mut paths, mut dice) = (Router::default(), Dice::new(0));
        // A plane flies at least one square in each turn.
        for _ in 0..flights.values().map(|(fuel, _)| *fuel).max().unwrap_or(0) {
            // An aircraft that has reached its goal goes on with its next order, and is not
            // followed further.
            flights.retain(|number, (_, orders)| {
                let unit = field.unit(UnitId { seat, number: *number });
                unit.is_some_and(|u| u.orders.len() == *orders)
            });
            if flights.is_empty() {
                return;
            }
            field.world.turn += 1;
            moves::wake(&mut field, seat);
            moves(&mut field, self.view, &BySeat::new(), &mut paths, &mut dice);
            let turn = field.world.turn;
            flights.retain(|number, _| {
                let unit = field.unit(UnitId { seat, number: *number });
                let backs = field.paper.as_ref().is_some_and(|p| p.backs.contains(number));
                let end = match unit {
                    None => Some(Flight::Lost),
                    Some(_) if backs => Some(Flight::Back),
                    Some(_) => None,
                };
                self.flights.extend(end.map(|end| (*number, (end, turn))));
                end.is_none()
            });
        }
    }

    /// The result of a unit's orders.
    pub fn of(&self, number: u16) -> (Mark, String) {
        let id = UnitId { seat: self.seat(), number };
        let ground = &self.view.world.ground;
        let Some(before) = self.view.world.unit(id) else { return (Mark::Ok, String::new()) };
        let Some(after) = self.field.unit(id) else {
            return (Mark::Warning, say!("runs out of fuel and is lost"));
        };
        let paper = self.field.paper.as_ref();
        let mut mark = Mark::Ok;
        let mut parts: Vec<String> = Vec::new();
        let planned = paper.and_then(|p| p.fights.get(&number));
        let stop = paper.and_then(|p| p.stops.get(&number)).and_then(|s| why(*s));
        let look = paper.and_then(|p| p.looks.get(&number));
        if let Some(planned) = planned {
            let at = words::place(self.view, planned.at);
            let (target, odds) = (self.target(planned.at, &at), tenths(planned.odds));
            parts.push(say!("attacks {target} at {odds} %"));
        } else {
            if let Some(to) = look {
                let at = ground.called(*to);
                parts.push(match words::compass(ground.grid, before.at, *to).map(words::way) {
                    None => say!("looks around itself first, from {at}"),
                    Some(way) => say!("looks {way} first, from {at}"),
                });
            }
            // After its first look an explorer may be anywhere.
            let looked = look == Some(&after.at);
            let moved = !looked && (after.at != before.at || after.aboard != before.aboard);
            let at = self.stands(id, after);
            let now = self.field.world.turn;
            let when = self.done.get(&number).filter(|t| **t < now);
            match (moved, when) {
                (true, Some(turn)) => parts.push(say!("{at} from turn {turn}")),
                (true, None) if now > self.view.world.turn => {
                    parts.push(say!("{at} after turn {now}"));
                }
                (true, None) => parts.push(at),
                (false, _) => {}
            }
            let back = paper.is_some_and(|p| p.backs.contains(&number)).then_some((
                Mark::Warning,
                say!("turns back before it is out of range of its bases; add ! to risk it"),
            ));
            let later = self.later(number);
            match back.or(stop) {
                Some((weight, text)) => {
                    mark = weight;
                    parts.push(text);
                }
                None if later.is_none() => parts.extend(self.still_to_go(id)),
                None => {}
            }
            if let Some(told) = later {
                mark = Mark::Warning;
                parts.push(told);
            }
        }
        let flies = after.kind.class() == Class::Air && after.aboard.is_none();
        if flies && ground.at(after.at) != Terrain::City && look.is_none() {
            parts.push(say!("fuel {fuel}", fuel = after.fuel));
            if !moves::is_safe(&self.field, id, after.at, after.fuel) {
                mark = Mark::Warning;
                parts.push(say!("no base in reach any more"));
            }
        }
        match self.field.cargo(id).len() {
            n if n > 0 && after.at != before.at => parts.push(say!("{n} aboard")),
            _ => {}
        }
        (mark, parts.join(", "))
    }

    /// Where a unit is after its move.
    fn stands(&self, id: UnitId, after: &Unit) -> String {
        let ground = &self.view.world.ground;
        match after.aboard.and_then(|n| self.field.unit(UnitId { number: n, ..id })) {
            Some(ship) => say!(
                "aboard {ship} {number} at {at}",
                ship = ship.kind.localized(),
                number = after.aboard.unwrap_or(0),
                at = ground.called(after.at)
            ),
            None if ground.at(after.at) == Terrain::City => {
                say!("in {city}", city = words::place(self.view, after.at))
            }
            None => say!("at {square}", square = ground.called(after.at)),
        }
    }

    /// The end of a flight that does not reach its goal.
    fn later(&self, number: u16) -> Option<String> {
        let (end, turn) = self.flights.get(&number)?;
        Some(match end {
            Flight::Back => say!(
                "turns back in turn {turn}, before it is out of range of its bases; add ! to risk it"
            ),
            Flight::Lost => say!("runs out of fuel in turn {turn} and is lost"),
        })
    }

    /// The enemy on a square where a fight is planned.
    fn target(&self, at: Place, called: &str) -> String {
        let known = self.view.known();
        match known.and_then(|k| k.marks.get(&at)) {
            Some(mark) => {
                let (kind, owner) = (mark.kind.localized(), mark.owner);
                say!("{kind} of player {owner} at {called}")
            }
            None => called.to_owned(),
        }
    }

    /// The goal of a unit, and when it gets there.
    fn still_to_go(&self, id: UnitId) -> Option<String> {
        let unit = self.field.unit(id)?;
        let ground = &self.view.world.ground;
        let to = match unit.orders.first()? {
            Task::Board(number) => {
                let ship = self.field.unit(UnitId { number: *number, ..id })?;
                let (ship, at) = (ship.kind.localized(), ground.called(ship.at));
                return Some(say!("waits for {ship} {number} at {at}"));
            }
            Task::Fill => return Some(say!("waits until it is full")),
            Task::Wait(turns) => {
                return Some(count!(turns, "waits {turns} more turn", "waits {turns} more turns"));
            }
            task => task.goal()?,
        };
        if unit.at == to {
            return None;
        }
        let called = ground.called(to);
        let Some((goal, way)) = self.field.ways.get(&id).filter(|(goal, _)| *goal == to) else {
            return Some(say!("on to {called}"));
        };
        let moves = u32::from(moves::moves_of_kind(&self.field, unit)).max(1);
        // A way is shorter than the number of squares on the map.
        let turns = (way.len() as u32).div_ceil(moves);
        let known = self.view.known().is_some_and(|k| k.has_seen(*goal));
        let turn = self.field.world.turn + turns;
        Some(match known {
            true => say!("reaches {called} in turn {turn}"),
            false => say!("reaches {called} in turn {turn} at the earliest"),
        })
    }
}

/// One turn of a player in a trial run: the units in `first` move first.
fn moves(
    field: &mut Field,
    view: &View,
    first: &BySeat<Vec<u16>>,
    paths: &mut Router,
    dice: &mut Dice,
) {
    match view.stage {
        Stage::All => queue::impulses(field, &[view.seat], first, paths, dice),
        _ => {
            let named = first.get(&view.seat).map(Vec::as_slice).unwrap_or_default();
            let blocked = queue::moves_of(field, view.seat, named, paths, dice);
            queue::give_up(field, &blocked);
        }
    }
    moves::rest(field, view.seat);
}

/// Tenths of a percent as readers see them.
pub fn tenths(n: u32) -> String {
    match n % 10 {
        0 => format!("{}", n / 10),
        tenth => say!("{whole}.{tenth}", whole = n / 10),
    }
}

/// Why a unit stands still, and how serious that is.
fn why(stop: Stop) -> Option<(Mark, String)> {
    let told = match stop {
        Stop::Spent | Stop::Paper | Stop::NoUnit => return None,
        Stop::Edge => say!("the map ends there"),
        Stop::Ground(_) => say!("it can't go on: its kind never enters what is there"),
        Stop::Friend => say!("waits: a unit of yours is in the way"),
        Stop::Room => say!("waits: there is no room"),
        Stop::Enemy => say!("waits: an enemy is in the way"),
        Stop::Refused(refused) => refused.words(),
        Stop::City => say!("only land units take cities"),
        Stop::Unsafe => say!("would be out of range of its bases; add ! to risk it"),
        Stop::Aboard => say!("it waits until land is next to its ship"),
        Stop::Shore => say!("nobody aboard can step ashore here; with * they attack"),
        Stop::NoWay => say!("no way there is known; it tries each turn"),
    };
    Some((Mark::Warning, told))
}
