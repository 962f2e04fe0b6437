//! Fights over land, at sea and for cities.

use std::borrow::Cow;

use super::Words;
use crate::events::{Ending, Event, Loss, Odds, SideReport};
use crate::names::general_name;
use crate::orders::sector_no;
use crate::phrases::{defences, force, ranges, rank_name, stored, tenths};
use crate::state::NOBODY;
use engine::Seat;
use engine::geometry::Place;
use engine::report::{Battle, Force, capital};
use tongue::say;

impl Words<'_> {
    /// The results of fights that are not on their cards; generals who learned the same share a
    /// sentence.
    pub fn fights(&self, events: &[&Event]) -> Vec<String> {
        let learned = |e: &Event| match e {
            Event::Skill { general, gained, skill } => Some((u16::from(*general), *gained, *skill)),
            _ => None,
        };
        let alike = |a: &&Event, b: &&Event| match (learned(a), learned(b)) {
            (Some(a), Some(b)) => (a.1, a.2) == (b.1, b.2),
            _ => false,
        };
        let told = |same: &[&Event]| match (same.len(), learned(same[0])) {
            (2.., Some((_, gained, skill))) => {
                let generals = same.iter().filter_map(|e| learned(e)).map(|l| l.0);
                let generals = ranges(generals);
                say!("Generals {generals} gained {gained} skill each and have {skill} now.")
            }
            _ => self.battles(same[0]),
        };
        let told = events.chunk_by(alike).map(told);
        told.filter(|text| !text.is_empty()).collect()
    }

    /// Fights over land, at sea and for cities.
    pub(super) fn battles(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::Promoted { unit, rank } => {
                say!("Unit {unit} has risen to {rank}.", rank = rank_name(*rank))
            }
            Event::Retreated { unit, from, to } => {
                say!("Unit {unit} retreated from {from} to {to}.", from = at(from), to = at(to))
            }
            Event::Lost { unit, kind, size, at: place } => {
                let force = force(*size, self.kind(*kind));
                say!("Unit {unit}, {force}, was lost at {at}.", at = at(place))
            }
            Event::Drowned { unit, kind, size } => {
                let force = force(*size, self.kind(*kind));
                say!("{force} of unit {unit} went down with the ships.")
            }
            Event::CityTaken {
                city,
                name,
                at: place,
                from,
                by,
                planes: taken,
                missiles,
                rebels,
            } => {
                let own = (*by == self.seat, *from == self.seat);
                let free = *from == NOBODY && !*rebels;
                let (at, from) = (at(place), self.force(*from, *rebels, false));
                let by = self.force(*by, *rebels, true);
                let taken_city = match own {
                    (true, _) if free => {
                        say!("You took city {city} {name} at {at}, which was free")
                    }
                    (true, _) => say!("You took city {city} {name} at {at} from {from}"),
                    (_, true) => say!("{by} took city {city} {name} at {at} from you"),
                    _ if free => say!("{by} took city {city} {name} at {at}, which was free"),
                    _ => say!("{by} took city {city} {name} at {at} from {from}"),
                };
                with_spoils(&taken_city, &stored(*taken, *missiles))
            }
            Event::CityRazed { city, name, at: place } => {
                say!("City {city} {name} at {at} is no more; ruins are left.", at = at(place))
            }
            Event::BaseTaken { base, at: place, from, by, planes, missiles } => {
                let own = (*by == self.seat, *from == self.seat);
                let (by, from) = (self.power(*by, true), self.power(*from, false));
                let at = at(place);
                let taken = match own {
                    (true, _) => say!("You took airbase {base} at {at} from {from}"),
                    (_, true) => say!("{by} took airbase {base} at {at} from you"),
                    _ => say!("{by} took airbase {base} at {at} from {from}"),
                };
                with_spoils(&taken, &stored(*planes, *missiles))
            }
            Event::NewGeneral { general, name, city: Some(city) } => {
                let name = general_name(name);
                say!("General {general}{name} takes up his post in city {city}.")
            }
            Event::NewGeneral { general, city: None, .. } => {
                say!("There is no city where general {general} could take up his post.")
            }
            Event::GeneralLost { general, at: place, city, lost, name } => {
                let lost = (*general, general_name(lost));
                general_lost(lost, place.as_ref().map(at), *city, &general_name(name))
            }
            Event::Skill { general, gained, skill } => {
                say!("General {general} gained {gained} skill and has {skill} now.")
            }
            _ => String::new(),
        }
    }

    /// The card of a fight; `None` for events that become sentences. `city` gives the number of the
    /// city in a sector, if one is known.
    pub fn card(&self, event: &Event, city: impl Fn(Place) -> Option<u16>) -> Option<Battle> {
        match event {
            Event::Battle { at, phase, attacker, defender, ending, odds } => {
                let ground = self.tables.terrain.get(usize::from(odds.ground));
                let ground = ground.map_or(Cow::Borrowed(""), |row| tongue::word(&row.name));
                let ground = match odds.shelter {
                    shelter @ 1001.. => say!(
                        "{ground}, the defender stands {firmer} % firmer",
                        firmer = shelter / 10 - 100
                    ),
                    _ => ground.into_owned(),
                };
                let force = |i: usize, report: &SideReport, attacks: bool| Force {
                    odds: self.strength(i, odds),
                    ..self.fighter(report, odds.rebels, attacks)
                };
                let sides = vec![force(0, attacker, true), force(1, defender, false)];
                Some(Battle {
                    place: match (city(*at), sector_no(self.grid, *at)) {
                        (Some(city), at) => say!("City {city} at {at}, phase {phase}"),
                        (None, at) => say!("Sector {at}, phase {phase}"),
                    },
                    ground,
                    sides,
                    result: outcome(*ending, attacker.seat == self.seat),
                    notation: String::new(),
                })
            }
            Event::CityAssault { city, at, attacker, owner, before, after, strength, rebels } => {
                let whose = capital(&self.city(*city, *owner, *rebels));
                let strong =
                    |side: usize| say!("strength {strength}", strength = tenths(strength[side]));
                let walls = Force {
                    who: say!("{whose}, its walls"),
                    seat: (*owner != NOBODY).then_some(Seat(*owner)),
                    forces: defences(*before, *after),
                    odds: strong(1),
                    ..Force::default()
                };
                let storming = Force { odds: strong(0), ..self.fighter(attacker, *rebels, true) };
                Some(Battle {
                    place: say!("City {city} at {at}", at = sector_no(self.grid, *at)),
                    sides: vec![storming, walls],
                    result: match (before == after, *after) {
                        (true, _) => say!("The walls stand as before."),
                        (false, 0) => say!("The walls have fallen."),
                        (false, _) => say!("The walls are lower."),
                    },
                    ..Battle::default()
                })
            }
            _ => None,
        }
    }

    /// A side of a fight with its forces; only the owner sees unit numbers.
    fn fighter(&self, report: &SideReport, rebels: bool, attacks: bool) -> Force {
        let sum = |of: fn(&Loss) -> u16| report.losses.iter().map(|l| u32::from(of(l))).sum();
        let who = self.force(report.seat, rebels, true);
        Force {
            who: match attacks {
                true => say!("{who}, attacking"),
                false => say!("{who}, defending"),
            },
            seat: (report.seat != NOBODY).then_some(Seat(report.seat)),
            numbers: Some((sum(|l| l.before), sum(|l| l.after))),
            forces: self.losses(report),
            ..Force::default()
        }
    }

    /// `strength 23.5, your general 1 adds 7 %`.
    fn strength(&self, side: usize, odds: &Odds) -> String {
        let strength = tenths(odds.strength[side]);
        match odds.generals[side].filter(|g| g.1 > 0) {
            Some((number, skill)) => {
                say!("strength {strength}, your general {number} adds {skill} %")
            }
            None => say!("strength {strength}"),
        }
    }

    /// A city and its holder.
    fn city(&self, number: u16, owner: u8, rebels: bool) -> String {
        match (owner, rebels) {
            (NOBODY, true) => say!("the rebels' city {number}"),
            (NOBODY, false) => say!("the free city {number}"),
            (owner, _) if owner == self.seat => say!("your city {number}"),
            (owner, _) => say!("city {number} of {owner}", owner = self.power(owner, false)),
        }
    }
}

/// A capture, with what was captured along with it.
fn with_spoils(taken: &str, spoils: &str) -> String {
    match spoils {
        "" => format!("{taken}."),
        _ => say!("{taken}, and {spoils} with it."),
    }
}

/// The end of a battle, as one side sees it.
fn outcome(ending: Ending, attacks: bool) -> String {
    match (ending, attacks) {
        (Ending::DefenderDestroyed, true) => say!("You destroyed the defender."),
        (Ending::DefenderDestroyed, false) => say!("You lost all who stood there."),
        (Ending::AttackerDestroyed, true) => say!("You lost all who attacked."),
        (Ending::AttackerDestroyed, false) => say!("You destroyed the attacker."),
        (Ending::BothDestroyed, _) => say!("Neither side survived."),
        (Ending::DefenderDislodged, true) => say!("The defender had to give way."),
        (Ending::DefenderDislodged, false) => say!("You had to give way."),
        (Ending::AttackerRepelled, true) => say!("Your attack was thrown back."),
        (Ending::AttackerRepelled, false) => say!("You threw the attack back."),
    }
}

/// A lost general, with the place if it is known, and the city where the successor waits, if there
/// is one.
fn general_lost(
    (general, lost): (u8, String),
    at: Option<String>,
    city: Option<u16>,
    name: &str,
) -> String {
    match (at, city) {
        (Some(at), Some(city)) => say!(
            "General {general}{lost} was lost at {at}; a new one,{name}, waits in city \
                         {city}."
        ),
        (Some(at), None) => say!(
            "General {general}{lost} was lost at {at}, and no city is left to send \
                         another."
        ),
        (None, Some(city)) => {
            say!("General {general}{lost} was lost; a new one,{name}, waits in city {city}.")
        }
        (None, None) => {
            say!("General {general}{lost} was lost, and no city is left to send another.")
        }
    }
}
