//! Ways and their ends: one line for a way and what came of it.

use super::Words;
use crate::events::Event;
use crate::orders::sector_no;
use crate::phrases::ranges;
use engine::geometry::Place;

/// Units that went the same way to the same end.
struct Way {
    from: Place,
    to: Place,
    end: String,
    units: Vec<u16>,
}

impl Words<'_> {
    /// Ways and their ends in order. `fell` says whether a unit was fought over a sector in
    /// vain: it came there and stands there no more.
    pub fn movement(&self, events: &[&Event], fell: &dyn Fn(u16, Place) -> bool) -> Vec<String> {
        let went = |no: u16, place: Place| {
            let to = |e: &&Event| matches!(e, Event::Moved { unit, to, .. } if (*unit, *to) == (no, place));
            events.iter().any(to)
        };
        let mut ways: Vec<Way> = Vec::new();
        let mut lines = Vec::new();
        for event in events {
            match event {
                Event::Moved { unit, from, to } => {
                    let ends = events.iter().filter_map(|e| self.end(e, (*unit, *to)));
                    let end: String = ends.collect();
                    let alike = |w: &&mut Way| (w.from, w.to, &w.end) == (*from, *to, &end);
                    match ways.iter_mut().find(alike) {
                        Some(way) => way.units.push(*unit),
                        None => ways.push(Way { from: *from, to: *to, end, units: vec![*unit] }),
                    }
                }
                Event::Arrived { unit, at } if !went(*unit, *at) && fell(*unit, *at) => {
                    let at = sector_no(self.grid, *at);
                    lines.push(format!("Unit {unit} came to its goal {at} and could not hold it."));
                }
                Event::Arrived { unit, at }
                | Event::Blocked { unit, at, .. }
                | Event::NoWay { unit, at }
                | Event::Beside { unit, at, .. }
                | Event::Boarded { unit, at, .. }
                | Event::Landed { unit, at }
                    if went(*unit, *at) => {}
                other => lines.push(self.standing(other)),
            }
        }
        lines.extend(ways.iter().map(|way| self.way(way)));
        lines
    }

    /// A way that units went.
    fn way(&self, way: &Way) -> String {
        let (from, to) = (sector_no(self.grid, way.from), sector_no(self.grid, way.to));
        let (who, end) = match way.units.as_slice() {
            [one] => (format!("Unit {one}"), way.end.clone()),
            all => {
                let all = ranges(all.iter().copied());
                (format!("Units {all}"), way.end.replace("its ", "their "))
            }
        };
        format!("{who} moved from {from} to {to}{end}.")
    }

    /// How a way ended, if an event of the unit at that place tells of it.
    fn end(&self, event: &Event, whose: (u16, Place)) -> Option<String> {
        let here = |unit: &u16, at: &Place| (*unit, *at) == whose;
        match event {
            Event::Landed { unit, at } if here(unit, at) => Some(" and landed there".to_owned()),
            Event::Boarded { unit, ship, at } if here(unit, at) => {
                Some(format!(", aboard unit {ship}"))
            }
            Event::Arrived { unit, at } if here(unit, at) => Some(", its goal".to_owned()),
            Event::Blocked { unit, at, toward } if here(unit, at) => {
                Some(format!(" and stopped there: {}", self.bar(*toward)))
            }
            Event::NoWay { unit, at } if here(unit, at) => {
                Some(" and found no way on to its goal".to_owned())
            }
            Event::Beside { unit, at, goal, city } if here(unit, at) => {
                let goal = sector_no(self.grid, *goal);
                Some(format!(", beside its goal {goal}: {}", closed(*city)))
            }
            _ => None,
        }
    }

    /// What is told of a unit that did not move, or that moved on.
    pub(super) fn standing(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::Moved { unit, from, to } => {
                format!("Unit {unit} moved from {} to {}.", at(from), at(to))
            }
            Event::Arrived { unit, at: place } => {
                format!("Unit {unit} has reached its goal {}.", at(place))
            }
            Event::Blocked { unit, at: place, toward } => {
                format!("Unit {unit} stopped at {}: {}.", at(place), self.bar(*toward))
            }
            Event::NoWay { unit, at: place } => {
                format!("Unit {unit} found no way to its goal and stays at {}.", at(place))
            }
            Event::Beside { unit, at: place, goal, city } => {
                let (at, goal) = (at(place), at(goal));
                let why = closed(*city);
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

    /// What stopped a unit.
    fn bar(&self, toward: Option<Place>) -> String {
        match toward {
            Some(next) => format!("the way into {} is closed", sector_no(self.grid, next)),
            None => "the ice bars the way".to_owned(),
        }
    }
}

/// Why a goal was not entered.
fn closed(city: bool) -> &'static str {
    match city {
        true => "a foreign city can't be entered from the sea",
        false => "it is closed to the unit",
    }
}
