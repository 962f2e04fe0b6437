//! Orders take effect: units and cities keep them (§16.2).

use engine::Seat;
use engine::geometry::Place;

use super::field::Field;
use super::groups::{self, Group};
use super::orders::{Among, Cities, Order, Pick, Task, Where};
use super::production;
use super::state::{Unit, UnitId};

/// The numbers of the units that an order is for.
pub fn picked(field: &Field, seat: Seat, pick: &Pick) -> Vec<u16> {
    let Some(side) = field.world.side(seat) else { return Vec::new() };
    match pick {
        Pick::Numbers(spans) => {
            let all = spans.iter().flat_map(|(from, to)| side.units.range(*from..=*to));
            all.map(|(number, _)| *number).collect()
        }
        Pick::All(kind, among) => {
            let ground = &field.world.ground;
            let middles = groups::middles(&side.known, ground.grid);
            let there = |unit: &Unit| match among {
                Among::Everywhere => true,
                Among::At(place) => square_of(field, seat, *place) == Some(unit.at),
                Among::Aboard(carrier) => unit.aboard == Some(*carrier),
                Among::Front(n) => groups::of(unit, &middles, ground) == Group::Front(*n),
            };
            let fits =
                |(_, unit): &(&u16, &Unit)| there(unit) && kind.is_none_or(|k| k == unit.kind);
            side.units.iter().filter(fits).map(|(number, _)| *number).collect()
        }
    }
}

/// The square of a place that a player names.
pub fn square_of(field: &Field, seat: Seat, place: Where) -> Option<Place> {
    match place {
        Where::Square(at) => Some(at),
        Where::City(number) => field.world.side(seat)?.known.city(number),
    }
}

/// A city of a seat, by its number or square.
fn own_city(field: &mut Field, seat: Seat, place: Where) -> Option<&mut super::state::City> {
    let at = square_of(field, seat, place)?;
    field.world.city_mut(at).filter(|c| c.owner == Some(seat))
}

/// Gives units these orders.
pub fn assign(field: &mut Field, seat: Seat, numbers: &[u16], tasks: &[Task]) {
    for number in numbers {
        let id = UnitId { seat, number: *number };
        if let Some(unit) = field.world.unit_mut(id) {
            unit.orders = tasks.to_vec();
            (unit.blocked, unit.beside) = (0, None);
        }
        field.ways.remove(&id);
        field.named.insert(id);
    }
}

/// A name, cut to the length that it may have.
pub fn cut(field: &Field, name: &str) -> String {
    name.chars().take(field.world.options.limits.name).collect()
}

/// Carries out an order that is not for units.
pub fn command(field: &mut Field, seat: Seat, order: &Order) {
    match order.clone() {
        Order::Build(place, list, ends) => {
            if let Some(city) = own_city(field, seat, place) {
                production::order(city, list, ends);
            }
        }
        Order::Default(kind) => {
            if let Some(side) = field.world.side_mut(seat) {
                side.default = kind;
            }
        }
        Order::Rally(Cities::One(place), tasks) => {
            if let Some(city) = own_city(field, seat, place) {
                city.rally = tasks;
            }
        }
        Order::Rally(Cities::All, tasks) => {
            let own = field.world.cities.iter_mut().filter(|c| c.owner == Some(seat));
            own.for_each(|city| city.rally.clone_from(&tasks));
        }
        Order::Rally(Cities::Taken, tasks) => {
            if let Some(side) = field.world.side_mut(seat) {
                side.rally = tasks;
            }
        }
        Order::Quota(number, places) => {
            if let Some(unit) = field.world.unit_mut(UnitId { seat, number }) {
                unit.quota = Some(places);
            }
        }
        Order::NameUnit(number, name) => {
            let name = cut(field, &name);
            if let Some(unit) = field.world.unit_mut(UnitId { seat, number }) {
                unit.name = name;
            }
        }
        Order::NameCity(place, name) => {
            let name = cut(field, &name);
            if let Some(at) = square_of(field, seat, place)
                && let Some(side) = field.world.side_mut(seat)
            {
                side.known.names.insert(at, name);
            }
        }
        Order::Units(..) | Order::Press(_) | Order::Leave { .. } | Order::More | Order::Close => {}
    }
}
