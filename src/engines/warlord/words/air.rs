//! Missions of aircraft, and missiles.

use super::Words;
use crate::bases::Planes;
use crate::events::{AirStrike, Event, Mission, Salvo};
use crate::orders::sector_no;
use crate::phrases::{counted, defences, guns, joined, planes, stored, units as units_named};
use engine::geometry::Place;
use engine::report::capital;

impl Words<'_> {
    /// Missions of aircraft in order, with what came of them; observations with the same planes are told together.
    pub fn missions(&self, events: &[&Event]) -> Vec<String> {
        let mut told: Vec<Planes> = Vec::new();
        let mut lines = Vec::new();
        for event in events {
            let Event::Observed { planes: sent, .. } = event else {
                lines.push(self.say(event));
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
                all => format!("{} each observed the areas around {}.", planes(*sent), joined(all)),
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
                format!("The strike at {} found no enemy.", at(place))
            }
            Event::Observed { at: place, planes: sent } => {
                format!("{} observed the area around {}.", planes(*sent), at(place))
            }
            Event::Airlifted { units, to, bombers } => {
                let bombers = counted(*bombers, "bomber");
                format!("{bombers} carried {} to airbase {to}.", units_named(units))
            }
            Event::Ferried { from, to, planes: sent, missiles } => {
                format!("{} went from airbase {from} to {to}.", capital(&stored(*sent, *missiles)))
            }
            Event::NoPlace { to, planes: sent } => match stored(*sent, (0, 0)) {
                none if none.is_empty() => {
                    format!("Airbase {to} has no place for more; the rest stays where it was.")
                }
                rest => {
                    let stay = if sent.total() == 1 {
                        "it stays where it was"
                    } else {
                        "they stay where they were"
                    };
                    format!("Airbase {to} has no place for {rest}; {stay}.")
                }
            },
            Event::OutOfReach { at: place } => format!(
                "No plane started for {}: their ship has moved out of reach of it.",
                at(place)
            ),
            Event::Dropped { units, at: place } => {
                format!("Paratroops dropped at {}: {}.", at(place), units_named(units))
            }
            Event::DropCalledOff { at: place } => {
                format!("The drop at {} was called off; the bombers came back.", at(place))
            }
            Event::Wrecked { base, planes: lost, missiles } => {
                format!("Lost at airbase {base}: {}.", stored(*lost, *missiles))
            }
            Event::Salvo(salvo) => self.salvo(salvo),
            Event::Picture { at: place } => {
                format!("A satellite picture of the area around {} has come.", at(place))
            }
            Event::BaseLost { from, to, planes: sent } => {
                let lost = format!("{} found airbase {from} lost", planes(*sent));
                match to {
                    Some(to) => format!("{lost} and landed at airbase {to}."),
                    None => format!("{lost} and no other within reach: they are gone."),
                }
            }
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
        let force = force.join(" and ");
        let (by, target) = (self.power(s.by, true), self.power(s.target, false));
        let told = match s.mission {
            Mission::Bombing => format!("{by} struck at {target} with {force}."),
            Mission::Strafing => format!("{by} struck from the air at {target} with {force}."),
            Mission::Watch => format!("{by} sent {force} of the base against {target}."),
            Mission::Patrol if s.by == self.seat => {
                format!("{} of yours met planes on watch of {target}.", capital(&force))
            }
            Mission::Patrol => format!(
                "{} of {} met your planes on watch.",
                capital(&force),
                self.power(s.by, false)
            ),
            Mission::Drop => format!("{by} dropped paratroops on {target} with {force}."),
        };
        let mut text = format!("Sector {}: {told}", sector_no(self.grid, s.at));
        if s.lost.total() > 0 {
            let who = if s.by == self.seat { "You" } else { "The other side" };
            text += &format!(" {who} lost {}.", planes(s.lost));
        }
        if s.downed.total() > 0 {
            let own = s.defender.unwrap_or(s.target) == self.seat;
            text += &format!(
                " {} lost {}.",
                if own { "Your base" } else { "Their base" },
                planes(s.downed)
            );
        }
        if !s.losses.losses.is_empty() {
            text += &format!(" Hit: {}.", self.losses(&s.losses));
        }
        if let Some((before, after)) = s.walls {
            text += &format!(" {}.", capital(&defences(before, after)));
        }
        text
    }

    /// Missiles as both sides hear of them.
    fn salvo(&self, s: &Salvo) -> String {
        let what = match (s.atomic, s.fired) {
            (true, 1) => "an atomic missile".to_owned(),
            (true, n) => format!("{n} atomic missiles"),
            (false, n) => counted(n, "missile"),
        };
        let mut text = format!(
            "Sector {}: {} fired {what}.",
            sector_no(self.grid, s.at),
            self.power(s.by, true)
        );
        if !s.stopped.is_empty() {
            let cities: Vec<String> = s.stopped.iter().map(|c| format!("city {c}")).collect();
            text += &format!(" Stopped by the defences of {}.", joined(&cities));
        }
        if usize::from(s.fired) == s.stopped.len() {
            return text;
        }
        if s.atomic {
            return text + " The sector and all around it is wiped out.";
        }
        match s.target {
            None => text += " Nothing was hit.",
            Some(target) => text += &format!(" Hit: {}.", self.power(target, false)),
        }
        if !s.losses.losses.is_empty() {
            text += &format!(" Its units: {}.", self.losses(&s.losses));
        }
        if let Some((before, after)) = s.walls {
            text += &format!(" {}.", capital(&defences(before, after)));
        }
        if s.planes.total() > 0 {
            text += &format!(" Destroyed on the ground: {}.", planes(s.planes));
        }
        text
    }
}
