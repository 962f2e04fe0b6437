//! Ways of units: one line for each way and its end.

use super::Words;
use crate::events::Event;
use crate::orders::sector_no;
use crate::phrases::ranges;
use engine::geometry::Place;
use tongue::{count, say};

/// Units that went the same way to the same end.
struct Way {
    from: Place,
    to: Place,
    ends: Vec<End>,
    units: Vec<u16>,
}

/// How a way ended.
#[derive(PartialEq)]
enum End {
    Landed,
    Aboard(u16),
    Goal,
    Barred(Option<Place>),
    NoWay,
    Beside { goal: Place, city: bool },
}

impl Words<'_> {
    /// Ways of units with their ends. `fell` says whether a unit came to a sector that was fought
    /// over, and is no longer there.
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
                    let ends: Vec<End> = ends.collect();
                    let alike = |w: &&mut Way| (w.from, w.to, &w.ends) == (*from, *to, &ends);
                    match ways.iter_mut().find(alike) {
                        Some(way) => way.units.push(*unit),
                        None => ways.push(Way { from: *from, to: *to, ends, units: vec![*unit] }),
                    }
                }
                Event::Arrived { unit, at } if !went(*unit, *at) && fell(*unit, *at) => {
                    let at = sector_no(self.grid, *at);
                    lines.push(say!("Unit {unit} came to its goal {at} and could not hold it."));
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
        let end: String = way.ends.iter().map(|end| self.ended(end, way.units.len())).collect();
        count!(
            n = way.units.len(),
            "Unit {units} moved from {from} to {to}{end}.",
            "Units {units} moved from {from} to {to}{end}.",
            units = ranges(way.units.iter().copied())
        )
    }

    /// How a way ended, if an event of the unit at that place shows it.
    fn end(&self, event: &Event, whose: (u16, Place)) -> Option<End> {
        let here = |unit: &u16, at: &Place| (*unit, *at) == whose;
        match event {
            Event::Landed { unit, at } if here(unit, at) => Some(End::Landed),
            Event::Boarded { unit, ship, at } if here(unit, at) => Some(End::Aboard(*ship)),
            Event::Arrived { unit, at } if here(unit, at) => Some(End::Goal),
            Event::Blocked { unit, at, toward } if here(unit, at) => Some(End::Barred(*toward)),
            Event::NoWay { unit, at } if here(unit, at) => Some(End::NoWay),
            Event::Beside { unit, at, goal, city } if here(unit, at) => {
                Some(End::Beside { goal: *goal, city: *city })
            }
            _ => None,
        }
    }

    /// The words after the way of `n` units.
    fn ended(&self, end: &End, n: usize) -> String {
        match end {
            End::Landed => say!(" and landed there"),
            End::Aboard(ship) => say!(", aboard unit {ship}"),
            End::Goal => count!(n, ", its goal", ", their goal"),
            End::Barred(toward) => {
                say!(" and stopped there: {why}", why = self.bar(*toward))
            }
            End::NoWay => {
                count!(n, " and found no way on to its goal", " and found no way on to their goal")
            }
            End::Beside { goal, city } => count!(
                n,
                ", beside its goal {goal}: {why}",
                ", beside their goal {goal}: {why}",
                goal = sector_no(self.grid, *goal),
                why = closed(*city)
            ),
        }
    }

    /// The sentence for a unit that did not move, or moved on afterwards.
    pub(super) fn standing(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::Moved { unit, from, to } => {
                say!("Unit {unit} moved from {from} to {to}.", from = at(from), to = at(to))
            }
            Event::Arrived { unit, at: place } => {
                say!("Unit {unit} has reached its goal {at}.", at = at(place))
            }
            Event::Blocked { unit, at: place, toward } => {
                say!("Unit {unit} stopped at {at}: {why}.", at = at(place), why = self.bar(*toward))
            }
            Event::NoWay { unit, at: place } => {
                say!("Unit {unit} found no way to its goal and stays at {at}.", at = at(place))
            }
            Event::Beside { unit, at: place, goal, city } => say!(
                "Unit {unit} ends its advance at {at}, beside its goal {goal}: {why}.",
                at = at(place),
                goal = at(goal),
                why = closed(*city)
            ),
            Event::Boarded { unit, ship, at: place } => {
                say!("Unit {unit} went aboard unit {ship} at {at}.", at = at(place))
            }
            Event::NoRoom { unit, at: place } => {
                say!("Unit {unit} found no ship with room at {at}.", at = at(place))
            }
            Event::Landed { unit, at: place } => {
                say!("Unit {unit} landed at {at}.", at = at(place))
            }
            _ => String::new(),
        }
    }

    /// The reason why a unit stopped.
    fn bar(&self, toward: Option<Place>) -> String {
        match toward {
            Some(next) => say!("the way into {at} is closed", at = sector_no(self.grid, next)),
            None => say!("the ice bars the way"),
        }
    }
}

/// The reason why a goal was not entered.
fn closed(city: bool) -> String {
    match city {
        true => say!("a foreign city can't be entered from the sea"),
        false => say!("it is closed to the unit"),
    }
}
