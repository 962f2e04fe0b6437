//! Ways and their ends.

use super::Words;
use crate::events::Event;
use crate::orders::sector_no;
use engine::geometry::Place;

impl Words<'_> {
    /// Ways and their ends.
    pub(super) fn movement(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::Moved { unit, from, to } => {
                format!("Unit {unit} moved from {} to {}.", at(from), at(to))
            }
            Event::Arrived { unit, at: place } => {
                format!("Unit {unit} has reached its goal {}.", at(place))
            }
            Event::Blocked { unit, at: place, toward } => match toward {
                Some(next) => format!(
                    "Unit {unit} stopped at {}: the way into {} is closed.",
                    at(place),
                    at(next)
                ),
                None => format!("Unit {unit} stopped at {}: the ice bars the way.", at(place)),
            },
            Event::NoWay { unit, at: place } => {
                format!("Unit {unit} found no way to its goal and stays at {}.", at(place))
            }
            Event::Beside { unit, at: place, goal, city } => {
                let why = match city {
                    true => "a foreign city can't be entered from the sea",
                    false => "it is closed to the unit",
                };
                let (at, goal) = (at(place), at(goal));
                format!("Unit {unit} ends its advance at {at}, beside its goal {goal}: {why}.")
            }
            Event::Boarded { unit, ship, at: place } => {
                format!("Unit {unit} went aboard unit {ship} at {}.", at(place))
            }
            Event::NoRoom { unit, at: place } => {
                format!("Unit {unit} found no ship with room at {}.", at(place))
            }
            Event::Landed { unit, at: place } => format!("Unit {unit} landed at {}.", at(place)),
            _ => String::new(),
        }
    }
}
