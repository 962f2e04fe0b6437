//! A small map with units and cities.

use empire_deluxe::event::{Event, What};
use empire_deluxe::field::Field;
use empire_deluxe::ground::Ground;
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::moves::{May, Step};
use empire_deluxe::state::{City, Side, Unit, UnitId, World};
use empire_deluxe::stop::Stop;
use engine::geometry::{Direction, Place};
use engine::{Dice, Seat};

use crate::odds::options;

/// A game in the middle of a turn.
pub struct Scene {
    pub field: Field,
    pub dice: Dice,
}

impl Clone for Scene {
    fn clone(&self) -> Self {
        Self { field: Field::new(self.field.world.clone()), dice: Dice::new(1) }
    }
}

impl Scene {
    /// A map of signs, with `seats` seats; its cities are free.
    pub fn new(edition: Edition, seats: u8, map: &str) -> Self {
        let ground = Ground::read(map, false).expect("a map");
        let options = options(edition);
        let (city, side) = (City::free(), Side::new(ground.grid.len(), edition.foot()));
        let world = World {
            cities: vec![city; ground.cities().len()],
            sides: vec![side; usize::from(seats)],
            turn: 1,
            boarded: 0,
            options,
            ground,
        };
        Self { field: Field::new(world), dice: Dice::new(1) }
    }

    /// A square as players write it.
    pub fn at(&self, x: i32, y: i32) -> Place {
        self.field.world.ground.grid.at(x - 1, y - 1).expect("a square")
    }

    /// Gives a city an owner.
    pub fn city(mut self, seat: u8, x: i32, y: i32) -> Self {
        let at = self.at(x, y);
        self.field.give(at, Some(Seat(seat)));
        self.field.look_around();
        self
    }

    /// Puts a unit on a square, aboard if an own carrier is there.
    pub fn put(&mut self, seat: u8, kind: Kind, x: i32, y: i32) -> UnitId {
        let at = self.at(x, y);
        let figure = *self.field.world.options.figure(kind).expect("a kind of the edition");
        let side = self.field.world.side_mut(Seat(seat)).expect("a seat");
        side.numbered += 1;
        let id = UnitId { seat: Seat(seat), number: side.numbered };
        let unit = Unit::new(kind, at, &figure);
        side.units.insert(id.number, unit);
        let carrier = self.field.top(at);
        if let Some(carrier) = carrier.filter(|c| self.field.has_room(*c, kind)) {
            self.field.board(id, carrier);
        } else {
            // Every seat notes the units that it sees.
            let world = self.field.world.clone();
            let events = std::mem::take(&mut self.field.events);
            self.field = Field::new(world);
            self.field.events = events;
            self.field.look_around();
        }
        id
    }

    /// Directions of the number pad, one a step; the last one's outcome.
    pub fn go(&mut self, id: UnitId, pad: &str, may: May) -> Result<Step, Stop> {
        let mut done = Err(Stop::Spent);
        for digit in pad.chars() {
            done = empire_deluxe::moves::step(
                &mut self.field,
                id,
                direction(digit),
                may,
                &mut self.dice,
            );
            if done.is_err() {
                break;
            }
        }
        done
    }

    /// One step that may attack.
    pub fn attack(&mut self, id: UnitId, pad: &str) -> Result<Step, Stop> {
        self.go(id, pad, May { attack: true, ..May::default() })
    }

    /// Steps that attack nothing.
    pub fn walk(&mut self, id: UnitId, pad: &str) -> Result<Step, Stop> {
        self.go(id, pad, May::default())
    }

    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.field.unit(id)
    }

    pub fn is_at(&self, id: UnitId, x: i32, y: i32) -> bool {
        self.unit(id).is_some_and(|u| u.at == self.at(x, y))
    }

    /// A seat's knowledge of an enemy on a square.
    pub fn mark(&self, seat: u8, x: i32, y: i32) -> Option<(Kind, bool)> {
        let side = self.field.world.side(Seat(seat)).expect("a seat");
        side.known.marks.get(&self.at(x, y)).map(|m| (m.kind, m.here))
    }

    pub fn happened(&self, fits: impl Fn(&What) -> bool) -> bool {
        self.field.events.iter().any(|e: &Event| fits(&e.what))
    }
}

/// The direction of a key of the number pad: 8 is up.
pub fn direction(key: char) -> Direction {
    let code = match key {
        '8' => 1,
        '9' => 2,
        '6' => 3,
        '3' => 4,
        '2' => 5,
        '1' => 6,
        '4' => 7,
        _ => 8,
    };
    Direction::from_code(code).expect("a direction")
}
