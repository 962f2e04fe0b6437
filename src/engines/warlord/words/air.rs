//! Missions of aircraft, and missiles.

use super::Words;
use crate::bases::Planes;
use crate::events::{AirStrike, Event, Mission, Salvo};
use crate::orders::sector_no;
use crate::phrases::{defences, guns, joined, planes, stored, units as units_named};
use engine::geometry::Place;
use engine::report::capital;
use tongue::{count, say};

impl Words<'_> {
    /// Missions of aircraft in order, with their results; observations with equal planes share a
    /// sentence.
    pub fn missions(&self, events: &[&Event]) -> Vec<String> {
        let mut told: Vec<Planes> = Vec::new();
        let mut lines = Vec::new();
        for event in events {
            let Event::Observed { planes: sent, .. } = event else {
                lines.push(self.described(event));
                continue;
            };
            if told.contains(sent) {
                continue;
            }
            told.push(*sent);
            let alike = events.iter().filter_map(|e| match e {
                Event::Observed { at, planes } if planes == sent => Some(sector_no(self.grid, *at)),
                _ => None,
            });
            let places: Vec<String> = alike.collect();
            lines.push(match places.as_slice() {
                [_] => self.air(event),
                all => say!(
                    "{planes} each observed the areas around {places}.",
                    planes = planes(*sent),
                    places = joined(all)
                ),
            });
        }
        lines
    }

    /// Missions of aircraft.
    pub(super) fn air(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::AirStrike(strike) => self.air_strike(strike),
            Event::NothingToStrike { at: place } => {
                say!("The strike at {at} found no enemy.", at = at(place))
            }
            Event::Observed { at: place, planes: sent } => say!(
                "{planes} observed the area around {at}.",
                planes = planes(*sent),
                at = at(place)
            ),
            Event::Airlifted { units, to, bombers } => count!(
                n = *bombers,
                "{n} bomber carried {units} to airbase {to}.",
                "{n} bombers carried {units} to airbase {to}.",
                units = units_named(units)
            ),
            Event::Ferried { from, to, planes: sent, missiles } => say!(
                "{planes} went from airbase {from} to {to}.",
                planes = capital(&stored(*sent, *missiles))
            ),
            Event::NoPlace { to, planes: sent } => match stored(*sent, (0, 0)) {
                none if none.is_empty() => {
                    say!("Airbase {to} has no place for more; the rest stays where it was.")
                }
                planes => count!(
                    n = sent.total(),
                    "Airbase {to} has no place for {planes}; it stays where it was.",
                    "Airbase {to} has no place for {planes}; they stay where they were."
                ),
            },
            Event::OutOfReach { at: place } => say!(
                "No plane started for {at}: their ship has moved out of reach of it.",
                at = at(place)
            ),
            Event::Dropped { units, at: place } => say!(
                "Paratroops dropped at {at}: {units}.",
                at = at(place),
                units = units_named(units)
            ),
            Event::DropCalledOff { at: place } => {
                say!("The drop at {at} was called off; the bombers came back.", at = at(place))
            }
            Event::Wrecked { base, planes: lost, missiles } => {
                say!("Lost at airbase {base}: {lost}.", lost = stored(*lost, *missiles))
            }
            Event::Salvo(salvo) => self.salvo(salvo),
            Event::Picture { at: place } => {
                say!("A satellite picture of the area around {at} has come.", at = at(place))
            }
            Event::BaseLost { from, to: Some(to), planes: sent } => say!(
                "{planes} found airbase {from} lost and landed at airbase {to}.",
                planes = planes(*sent)
            ),
            Event::BaseLost { from, to: None, planes: sent } => say!(
                "{planes} found airbase {from} lost and no other within reach: they are gone.",
                planes = planes(*sent)
            ),
            _ => String::new(),
        }
    }

    fn air_strike(&self, s: &AirStrike) -> String {
        let mut force = Vec::new();
        if s.sent.total() > 0 {
            force.push(planes(s.sent));
        }
        if s.guns > 0 {
            force.push(guns(s.guns));
        }
        let told = self.mission(s, &joined(&force));
        let mut told = vec![say!("Sector {at}: {told}", at = sector_no(self.grid, s.at))];
        if s.lost.total() > 0 {
            let planes = planes(s.lost);
            told.push(match s.by == self.seat {
                true => say!("You lost {planes}."),
                false => say!("The other side lost {planes}."),
            });
        }
        if s.downed.total() > 0 {
            let planes = planes(s.downed);
            told.push(match s.defender.unwrap_or(s.target) == self.seat {
                true => say!("Your base lost {planes}."),
                false => say!("Their base lost {planes}."),
            });
        }
        if !s.losses.losses.is_empty() {
            told.push(say!("Hit: {losses}.", losses = self.losses(&s.losses)));
        }
        told.extend(s.walls.map(walls));
        told.join(" ")
    }

    /// A strike: the attacker, the target and the weapons.
    fn mission(&self, s: &AirStrike, force: &str) -> String {
        let (by, target) = (self.power(s.by, true), self.power(s.target, false));
        let (own, at_you) = (s.by == self.seat, s.target == self.seat);
        match s.mission {
            Mission::Bombing if own => say!("You struck at {target} with {force}."),
            Mission::Bombing if at_you => say!("{by} struck at you with {force}."),
            Mission::Bombing => say!("{by} struck at {target} with {force}."),
            Mission::Strafing if own => {
                say!("You struck from the air at {target} with {force}.")
            }
            Mission::Strafing if at_you => {
                say!("{by} struck from the air at you with {force}.")
            }
            Mission::Strafing => say!("{by} struck from the air at {target} with {force}."),
            Mission::Watch if own => say!("You sent {force} of the base against {target}."),
            Mission::Watch if at_you => say!("{by} sent {force} of the base against you."),
            Mission::Watch => say!("{by} sent {force} of the base against {target}."),
            Mission::Patrol if own => {
                say!("{force} of yours met planes of {target}.", force = capital(force))
            }
            Mission::Patrol => say!(
                "{force} of {by} met your planes.",
                force = capital(force),
                by = self.power(s.by, false)
            ),
            Mission::Drop if own => say!("You dropped paratroops on {target} with {force}."),
            Mission::Drop if at_you => say!("{by} dropped paratroops on you with {force}."),
            Mission::Drop => say!("{by} dropped paratroops on {target} with {force}."),
        }
    }

    /// A salvo of missiles, as both sides see it.
    fn salvo(&self, s: &Salvo) -> String {
        let by = self.power(s.by, true);
        let told = match (s.atomic, s.by == self.seat) {
            (true, true) => {
                count!(
                    n = s.fired,
                    "You fired an atomic missile.",
                    "You fired {n} atomic missiles."
                )
            }
            (true, false) => {
                count!(
                    n = s.fired,
                    "{by} fired an atomic missile.",
                    "{by} fired {n} atomic missiles."
                )
            }
            (false, true) => {
                count!(n = s.fired, "You fired {n} missile.", "You fired {n} missiles.")
            }
            (false, false) => {
                count!(n = s.fired, "{by} fired {n} missile.", "{by} fired {n} missiles.")
            }
        };
        let mut told = vec![say!("Sector {at}: {told}", at = sector_no(self.grid, s.at))];
        if !s.stopped.is_empty() {
            let cities: Vec<String> =
                s.stopped.iter().map(|number| say!("city {number}")).collect();
            told.push(say!("Stopped by the defences of {cities}.", cities = joined(&cities)));
        }
        if usize::from(s.fired) == s.stopped.len() {
            return told.join(" ");
        }
        if s.atomic {
            told.push(say!("The sector and all around it is wiped out."));
            return told.join(" ");
        }
        told.push(match s.target {
            None => say!("Nothing was hit."),
            Some(target) => say!("Hit: {target}.", target = self.power(target, false)),
        });
        if !s.losses.losses.is_empty() {
            told.push(say!("Its units: {losses}.", losses = self.losses(&s.losses)));
        }
        told.extend(s.walls.map(walls));
        if s.planes.total() > 0 {
            told.push(say!("Destroyed on the ground: {planes}.", planes = planes(s.planes)));
        }
        told.join(" ")
    }
}

/// The effect on the defences of a city, as a sentence.
fn walls((before, after): (u8, u8)) -> String {
    format!("{}.", capital(&defences(before, after)))
}
