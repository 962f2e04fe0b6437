//! Missions of aircraft, and missiles.

use super::Words;
use crate::events::{AirStrike, Event, Mission, Salvo};
use crate::orders::sector_no;
use crate::phrases::{counted, guns, joined, planes, ranges, sentence, stored};
use engine::geometry::Place;

impl Words<'_> {
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
                let units = ranges(units.iter().copied());
                let bombers = counted(*bombers, "bomber");
                format!("{bombers} carried units {units} to airbase {to}.")
            }
            Event::Ferried { from, to, planes: sent, missiles } => {
                format!("{} went from airbase {from} to {to}.", sentence(&stored(*sent, *missiles)))
            }
            Event::NoPlace { to, planes: sent } => match stored(*sent, (0, 0)) {
                none if none.is_empty() => {
                    format!("Airbase {to} has no place for more; the rest stays where it was.")
                }
                rest => {
                    format!("Airbase {to} has no place for {rest}, which stay where they were.")
                }
            },
            Event::OutOfReach { at: place } => format!(
                "No plane started for {}: their ship has moved out of reach of it.",
                at(place)
            ),
            Event::Dropped { units, at: place } => {
                let units = ranges(units.iter().copied());
                format!("Paratroops dropped at {}: units {units}.", at(place))
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
                let planes = format!("{} of airbase {from}", planes(*sent));
                match to {
                    Some(to) => format!("{planes} found it lost and landed at {to}."),
                    None => format!("{planes} found it lost and no other within reach: lost."),
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
        let verb = match s.mission {
            Mission::Bombing => "struck at",
            Mission::Strafing => "struck from the air at",
            Mission::Watch => "sent the fighters of the base against",
            Mission::Patrol => "met planes on watch of",
            Mission::Drop => "dropped paratroops on",
        };
        let mut text = format!(
            "Sector {}: {} {verb} {} with {}.",
            sector_no(self.grid, s.at),
            self.power(s.by, true),
            self.power(s.target, false),
            force.join(" and ")
        );
        if s.lost.total() > 0 {
            text += &format!(" The striker lost {}.", planes(s.lost));
        }
        if s.downed.total() > 0 {
            text += &format!(" The base lost {}.", planes(s.downed));
        }
        if !s.losses.losses.is_empty() {
            text += &format!(" Hit: {}.", self.losses(&s.losses));
        }
        if let Some((before, after)) = s.walls {
            text += &format!(" Defences {before} to {after}.");
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
            text += &format!(" Defences {before} to {after}.");
        }
        if s.planes.total() > 0 {
            text += &format!(" Destroyed on the ground: {}.", planes(s.planes));
        }
        text
    }
}
