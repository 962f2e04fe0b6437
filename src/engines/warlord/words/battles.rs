//! Fights over land, at sea and for cities.

use super::Words;
use crate::events::{Ending, Event, Loss, Odds, SideReport};
use crate::names::general_name;
use crate::orders::sector_no;
use crate::phrases::{defences, force, ranges, rank_name, stored, tenths};
use crate::state::NOBODY;
use engine::Seat;
use engine::geometry::Place;
use engine::report::{Battle, Force, capital};

impl Words<'_> {
    /// All that came of fights, beside their cards; generals who learned alike share a sentence.
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
                format!("Generals {generals} gained {gained} skill each and have {skill} now.")
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
                format!("Unit {unit} has risen to {}.", rank_name(*rank))
            }
            Event::Retreated { unit, from, to } => {
                format!("Unit {unit} retreated from {} to {}.", at(from), at(to))
            }
            Event::Lost { unit, kind, size, at: place } => {
                let force = force(*size, self.kind(*kind));
                format!("Unit {unit}, {force}, was lost at {}.", at(place))
            }
            Event::Drowned { unit, kind, size } => {
                let force = force(*size, self.kind(*kind));
                format!("{force} of unit {unit} went down with the ships.")
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
                let planes = match stored(*taken, *missiles) {
                    spoils if spoils.is_empty() => String::new(),
                    spoils => format!(", and {spoils} with it"),
                };
                let whose = match (*from, *rebels) {
                    (NOBODY, false) => ", which was free".to_owned(),
                    (from, rebels) => format!(" from {}", self.force(from, rebels, false)),
                };
                format!(
                    "{} took city {city} {name} at {}{whose}{planes}.",
                    self.force(*by, *rebels, true),
                    at(place),
                )
            }
            Event::CityRazed { city, name, at: place } => {
                format!("City {city} {name} at {} is no more; ruins are left.", at(place))
            }
            Event::BaseTaken { base, at: place, from, by, planes, missiles } => {
                let with = match stored(*planes, *missiles) {
                    spoils if spoils.is_empty() => String::new(),
                    spoils => format!(", and {spoils} with it"),
                };
                format!(
                    "{} took airbase {base} at {} from {}{with}.",
                    self.power(*by, true),
                    at(place),
                    self.power(*from, false)
                )
            }
            Event::NewGeneral { general, name, city: Some(city) } => {
                let name = general_name(name);
                format!("General {general}{name} takes up his post in city {city}.")
            }
            Event::NewGeneral { general, city: None, .. } => {
                format!("There is no city where general {general} could take up his post.")
            }
            Event::GeneralLost { general, at: place, city, lost, name } => {
                let place = place.map_or(String::new(), |p| format!(" at {}", at(&p)));
                let (lost, name) = (general_name(lost), general_name(name));
                match city {
                    Some(city) => format!(
                        "General {general}{lost} was lost{place}; a new one,{name}, waits in city {city}."
                    ),
                    None => format!(
                        "General {general}{lost} was lost{place}, and no city is left to send another."
                    ),
                }
            }
            Event::Skill { general, gained, skill } => {
                format!("General {general} gained {gained} skill and has {skill} now.")
            }
            _ => String::new(),
        }
    }

    /// The card of a fight; `None` for what is told in a sentence. `city` is the number of the city
    /// in a sector, if one is known.
    pub fn card(&self, event: &Event, city: impl Fn(Place) -> Option<u16>) -> Option<Battle> {
        match event {
            Event::Battle { at, phase, attacker, defender, ending, odds } => {
                let ground = self.tables.terrain.get(usize::from(odds.ground));
                let mut ground = ground.map_or(String::new(), |row| row.name.clone());
                if odds.shelter > 1000 {
                    let firmer = odds.shelter / 10 - 100;
                    ground += &format!(", the defender stands {firmer} % firmer");
                }
                let force = |i: usize, report: &SideReport, part: &str| Force {
                    odds: self.strength(i, odds),
                    ..self.fighter(report, odds.rebels, part)
                };
                let sides = vec![force(0, attacker, "attacking"), force(1, defender, "defending")];
                Some(Battle {
                    place: match (city(*at), sector_no(self.grid, *at)) {
                        (Some(city), at) => format!("City {city} at {at}, phase {phase}"),
                        (None, at) => format!("Sector {at}, phase {phase}"),
                    },
                    ground,
                    sides,
                    result: outcome(*ending, attacker.seat == self.seat).to_owned(),
                    notation: String::new(),
                })
            }
            Event::CityAssault { city, at, attacker, owner, before, after, strength, rebels } => {
                let whose = capital(&self.city(*city, *owner, *rebels));
                let walls = Force {
                    who: format!("{whose}, its walls"),
                    seat: (*owner != NOBODY).then_some(Seat(*owner)),
                    forces: defences(*before, *after),
                    odds: format!("strength {}", tenths(strength[1])),
                    ..Force::default()
                };
                let storming = Force {
                    odds: format!("strength {}", tenths(strength[0])),
                    ..self.fighter(attacker, *rebels, "attacking")
                };
                Some(Battle {
                    place: format!("City {city} at {}", sector_no(self.grid, *at)),
                    sides: vec![storming, walls],
                    result: match (before == after, *after) {
                        (true, _) => "The walls stand as before.",
                        (false, 0) => "The walls have fallen.",
                        (false, _) => "The walls are lower.",
                    }
                    .to_owned(),
                    ..Battle::default()
                })
            }
            _ => None,
        }
    }

    /// A side of a fight with its forces; unit numbers are the owner's affair.
    fn fighter(&self, report: &SideReport, rebels: bool, part: &str) -> Force {
        let sum = |of: fn(&Loss) -> u16| report.losses.iter().map(|l| u32::from(of(l))).sum();
        Force {
            who: format!("{}, {part}", self.force(report.seat, rebels, true)),
            seat: (report.seat != NOBODY).then_some(Seat(report.seat)),
            numbers: Some((sum(|l| l.before), sum(|l| l.after))),
            forces: self.losses(report),
            ..Force::default()
        }
    }

    /// `strength 23.5, your general 1 adds 7 %`.
    fn strength(&self, side: usize, odds: &Odds) -> String {
        let general =
            odds.generals[side].filter(|g| g.1 > 0).map_or(String::new(), |(number, skill)| {
                format!(", your general {number} adds {skill} %")
            });
        format!("strength {}{general}", tenths(odds.strength[side]))
    }

    /// A city and its holder.
    fn city(&self, number: u16, owner: u8, rebels: bool) -> String {
        match (owner, rebels) {
            (NOBODY, true) => format!("the rebels' city {number}"),
            (NOBODY, false) => format!("the free city {number}"),
            (owner, _) if owner == self.seat => format!("your city {number}"),
            (owner, _) => format!("city {number} of {}", self.power(owner, false)),
        }
    }
}

/// How a battle ended, to one side of it.
fn outcome(ending: Ending, attacks: bool) -> &'static str {
    match (ending, attacks) {
        (Ending::DefenderDestroyed, true) => "You destroyed the defender.",
        (Ending::DefenderDestroyed, false) => "You lost all who stood there.",
        (Ending::AttackerDestroyed, true) => "You lost all who attacked.",
        (Ending::AttackerDestroyed, false) => "You destroyed the attacker.",
        (Ending::BothDestroyed, _) => "Neither side survived.",
        (Ending::DefenderDislodged, true) => "The defender had to give way.",
        (Ending::DefenderDislodged, false) => "You had to give way.",
        (Ending::AttackerRepelled, true) => "Your attack was thrown back.",
        (Ending::AttackerRepelled, false) => "You threw the attack back.",
    }
}
