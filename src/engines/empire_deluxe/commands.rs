//! Orders take effect: units and cities have them from then on (§16.2).

use engine::Seat;
use engine::geometry::Place;

use super::field::Field;
use super::groups::{self, Group};
use super::orders::{Among, Cities, Order, Pick, Task, Where};
use super::production;
use super::state::{Unit, UnitId};

impl Field {
    /// The numbers of the units that an order is for.
    pub fn picked(&self, seat: Seat, pick: &Pick) -> Vec<u16> {
        let Some(side) = self.world.side(seat) else { return Vec::new() };
        match pick {
            Pick::Numbers(spans) => {
                let all = spans.iter().flat_map(|(from, to)| side.units.range(*from..=*to));
                all.map(|(number, _)| *number).collect()
            }
            Pick::All(kind, among) => {
                let ground = &self.world.ground;
                let middles = groups::middles(&side.known, ground.grid);
                let there = |unit: &Unit| match among {
                    Among::Everywhere => true,
                    Among::At(place) => self.square_of(seat, *place) == Some(unit.at),
                    Among::Aboard(carrier) => unit.aboard == Some(*carrier),
                    Among::Front(n) => groups::of(unit, &middles, ground) == Group::Front(*n),
                };
                let fits =
                    |(_, unit): &(&u16, &Unit)| there(unit) && kind.is_none_or(|k| k == unit.kind);
                side.units.iter().filter(fits).map(|(number, _)| *number).collect()
            }
        }
    }

    /// The square of what a player calls a place.
    pub fn square_of(&self, seat: Seat, place: Where) -> Option<Place> {
        match place {
            Where::Square(at) => Some(at),
            Where::City(number) => self.world.side(seat)?.known.city(number),
        }
    }

    /// A city of a seat by what it calls it.
    fn own_city(&mut self, seat: Seat, place: Where) -> Option<&mut super::state::City> {
        let at = self.square_of(seat, place)?;
        self.world.city_mut(at).filter(|c| c.owner == Some(seat))
    }

    /// Units have these orders from now on.
    pub fn assign(&mut self, seat: Seat, numbers: &[u16], tasks: &[Task]) {
        for number in numbers {
            let id = UnitId { seat, number: *number };
            if let Some(unit) = self.world.unit_mut(id) {
                unit.orders = tasks.to_vec();
                (unit.blocked, unit.beside) = (0, None);
            }
            self.ways.remove(&id);
            self.named.insert(id);
        }
    }

    /// As much of a name as one may have.
    pub fn cut(&self, name: &str) -> String {
        name.chars().take(self.world.options.limits.name).collect()
    }

    /// An order that is for no units takes effect.
    pub fn command(&mut self, seat: Seat, order: &Order) {
        match order.clone() {
            Order::Build(place, list, ends) => {
                if let Some(city) = self.own_city(seat, place) {
                    production::order(city, list, ends);
                }
            }
            Order::Default(kind) => {
                if let Some(side) = self.world.side_mut(seat) {
                    side.default = kind;
                }
            }
            Order::Rally(Cities::One(place), tasks) => {
                if let Some(city) = self.own_city(seat, place) {
                    city.rally = tasks;
                }
            }
            Order::Rally(Cities::All, tasks) => {
                let own = self.world.cities.iter_mut().filter(|c| c.owner == Some(seat));
                own.for_each(|city| city.rally.clone_from(&tasks));
            }
            Order::Rally(Cities::Taken, tasks) => {
                if let Some(side) = self.world.side_mut(seat) {
                    side.rally = tasks;
                }
            }
            Order::Quota(number, places) => {
                if let Some(unit) = self.world.unit_mut(UnitId { seat, number }) {
                    unit.quota = Some(places);
                }
            }
            Order::NameUnit(number, name) => {
                let name = self.cut(&name);
                if let Some(unit) = self.world.unit_mut(UnitId { seat, number }) {
                    unit.name = name;
                }
            }
            Order::NameCity(place, name) => {
                let name = self.cut(&name);
                if let Some(at) = self.square_of(seat, place)
                    && let Some(side) = self.world.side_mut(seat)
                {
                    side.known.names.insert(at, name);
                }
            }
            Order::Units(..)
            | Order::Press(_)
            | Order::Leave { .. }
            | Order::More
            | Order::Close => {}
        }
    }
}
