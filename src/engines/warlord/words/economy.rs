//! Production, research, work, income and the facts that spies learned.

use super::Words;
use crate::events::{Event, Fact, Find};
use crate::orders::sector_no;
use crate::phrases::{force, joined, percent, pp, ranges};
use crate::state::SHIELD;
use crate::works::Task;
use engine::geometry::Place;
use engine::report::capital;
use tongue::{count, say};

/// The units of one type that a city delivered in a turn, and the unit that they joined.
struct Delivery {
    kind: u8,
    unit: Option<u16>,
    number: u16,
}

impl Words<'_> {
    /// Deliveries of centres, and centres that wait: one line for all that wait, then one for each
    /// city that delivers, then those for new defences.
    pub fn production(&self, events: &[&Event]) -> Vec<String> {
        let mut waits: Vec<(u16, Vec<u8>)> = Vec::new();
        let mut cities: Vec<(u16, Vec<Delivery>)> = Vec::new();
        let mut stands = Vec::new();
        for event in events {
            let (city, kind, unit) = match **event {
                Event::Waits { city, centre } => {
                    match waits.iter_mut().find(|w| w.0 == city) {
                        Some(wait) => wait.1.push(centre),
                        None => waits.push((city, vec![centre])),
                    }
                    continue;
                }
                Event::LevelsBuilt { city, level } => {
                    stands.push(say!("The defences of city {city} are at level {level} now."));
                    continue;
                }
                Event::ArmsBuilt { city, kind: SHIELD } => {
                    stands.push(say!("A missile defence stands in city {city} now."));
                    continue;
                }
                Event::Built { city, kind, unit } => (city, kind, Some(unit)),
                Event::PlaneBuilt { city, kind } | Event::ArmsBuilt { city, kind } => {
                    (city, kind, None)
                }
                _ => continue,
            };
            let at = cities.iter().position(|c| c.0 == city).unwrap_or_else(|| {
                cities.push((city, Vec::new()));
                cities.len() - 1
            });
            let made = &mut cities[at].1;
            match made.iter_mut().find(|d| (d.kind, d.unit) == (kind, unit)) {
                Some(same) => same.number += 1,
                None => made.push(Delivery { kind, unit, number: 1 }),
            }
        }
        let delivered = |(city, made): &(u16, Vec<Delivery>)| {
            let made: Vec<String> = made.iter().map(|d| self.delivery(d)).collect();
            say!("City {city} delivers {made}.", made = joined(&made))
        };
        let waits = waiting(&waits).into_iter();
        waits.chain(cities.iter().map(delivered)).chain(stands).collect()
    }

    /// `2 Infantry (unit 11)`, `1 Fighter`.
    fn delivery(&self, made: &Delivery) -> String {
        let what = force(made.number, self.kind(made.kind));
        match made.unit {
            Some(unit) => say!("{what} (unit {unit})"),
            None => what,
        }
    }

    /// Searches of engineers, and research.
    pub(super) fn ruins(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::Dug { unit, at: place, find } => {
                let at = at(place);
                match find {
                    Find::Nothing => {
                        say!("Unit {unit} searched the ruins at {at} and found nothing this turn.")
                    }
                    Find::Pp(n) => say!("Unit {unit} searched the ruins at {at} and found {n} PP."),
                    Find::Points(n) => count!(
                        n,
                        "Unit {unit} searched the ruins at {at} and found old papers worth {n} \
                         research point.",
                        "Unit {unit} searched the ruins at {at} and found old papers worth {n} \
                         research points."
                    ),
                    Find::Plans(tech) => say!(
                        "Unit {unit} searched the ruins at {at} and found old plans: tech level \
                         {tech} is reached."
                    ),
                    Find::Empty => say!(
                        "Unit {unit} searched the ruins at {at} and found the ruins empty; nothing \
                         is left there."
                    ),
                }
            }
            Event::Worked { unit, at: place, task, points, base } => {
                self.work(*unit, *place, *task, *points, *base)
            }
            Event::NoWork { unit, at: place, task } => say!(
                "Unit {unit} found no work at {at} ({task}).",
                at = at(place),
                task = tongue::word(task.name())
            ),
            Event::Research { paid, points, tech, per_mille } => {
                let (paid, chance) = (pp(*paid), percent(*per_mille));
                match tech {
                    Some(tech) => say!(
                        "{paid} PP went into research with a chance of {chance}: tech level {tech} \
                         is reached!"
                    ),
                    None => say!(
                        "{paid} PP went into research with a chance of {chance}, no success; what \
                         was spent in vain, {points} PP by now, helps the next attempt.",
                        points = pp(*points)
                    ),
                }
            }
            _ => String::new(),
        }
    }

    /// Work of engineers, finished or not.
    fn work(
        &self,
        unit: u16,
        at: Place,
        task: Task,
        (done, needed): (u16, u16),
        base: Option<u16>,
    ) -> String {
        let at = sector_no(self.grid, at);
        if let (Some(base), true) = (base, task != Task::PullDown) {
            return say!("Unit {unit} finished airbase {base} at {at}.");
        }
        let what = match task {
            Task::PullDown => return say!("Unit {unit} pulled down the works at {at}."),
            Task::Search => say!("a search of ruins"),
            Task::Road => say!("a road"),
            Task::Fort => say!("a fort"),
            Task::Airbase => say!("an airbase"),
        };
        match done >= needed {
            true => say!("Unit {unit} finished {what} at {at}."),
            false => say!("Unit {unit} worked on {what} at {at}: {done} of {needed} points."),
        }
    }

    /// The stock with the income of cities and sectors, and land that was gained.
    pub fn economy(&self, event: &Event, income: Option<(i64, i64)>) -> String {
        match event {
            Event::Claimed { sectors } => count!(
                n = *sectors,
                "{n} sector surrounded by your land joined the empire.",
                "{n} sectors surrounded by your land joined the empire."
            ),
            Event::Ledger { opening, bill, found, closing } => {
                let named = |hundredths: i64| (hundredths > 0).then(|| pp(hundredths));
                let spent = [
                    named(bill.construction).map(|pp| say!("{pp} for construction")),
                    named(bill.research).map(|pp| say!("{pp} for research")),
                    named(bill.spying).map(|pp| say!("{pp} for spies")),
                    named(bill.counter_spying).map(|pp| say!("{pp} for counter-spying")),
                ];
                let income = income.filter(|(cities, sectors)| cities + sectors > 0);
                let won = [
                    named(*found).map(|pp| say!("{pp} found in ruins")),
                    income.map(|(cities, sectors)| {
                        say!(
                            "an income of {income} ({cities} from cities, {sectors} from sectors \
                             in supply)",
                            income = pp(cities + sectors),
                            cities = pp(cities),
                            sectors = pp(sectors)
                        )
                    }),
                ];
                let all = |parts: &[Option<String>]| {
                    joined(&parts.iter().flatten().cloned().collect::<Vec<_>>())
                };
                let (spent, won) = (all(&spent), all(&won));
                let (opening, closing) = (pp(*opening), pp(*closing));
                match (spent.is_empty(), won.is_empty()) {
                    (true, true) => say!("Stock: {opening} PP: {closing} PP now."),
                    (true, false) => {
                        say!("Stock: {opening} PP, plus {won}: {closing} PP now.")
                    }
                    (false, true) => {
                        say!("Stock: {opening} PP, less {spent}: {closing} PP now.")
                    }
                    (false, false) => {
                        say!("Stock: {opening} PP, less {spent}, plus {won}: {closing} PP now.")
                    }
                }
            }
            _ => String::new(),
        }
    }

    /// One fact that spies learned about a player.
    pub fn fact(&self, fact: &Fact) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match fact {
            Fact::Tech(n) => say!("tech level {n}"),
            Fact::Stock(n) => {
                count!(n, "{n} production point in stock", "{n} production points in stock")
            }
            Fact::Cities(n) => count!(n, "{n} city", "{n} cities"),
            Fact::Divisions(n) => count!(n, "{n} division", "{n} divisions"),
            Fact::Ships(n) => count!(n, "{n} ship", "{n} ships"),
            Fact::Fighters(n) => count!(n, "{n} fighter", "{n} fighters"),
            Fact::Bombers(n) => count!(n, "{n} bomber", "{n} bombers"),
            Fact::Jets(n) => count!(n, "{n} jet", "{n} jets"),
            Fact::Missiles(n) => count!(n, "{n} missile", "{n} missiles"),
            Fact::Warheads(n) => count!(n, "{n} atomic warhead", "{n} atomic warheads"),
            Fact::Allies(list) if list.is_empty() => say!("no allies"),
            Fact::Allies(list) => {
                let allies = ranges(list.iter().map(|&a| a.into()));
                say!("allies: {allies}")
            }
            Fact::Rating(n) => say!("rating {n}"),
            Fact::City { number, at: place, level } => {
                say!("city {number} at {at}, defence level {level}", at = at(place))
            }
            Fact::Unit { at: place, kind, size } => {
                say!("{force} at {at}", force = force(*size, self.kind(*kind)), at = at(place))
            }
            Fact::Research(n) => {
                count!(n, "{n} research point gathered", "{n} research points gathered")
            }
        }
    }
}

/// The centres that wait; cities with the same centres share a part.
fn waiting(waits: &[(u16, Vec<u8>)]) -> Option<String> {
    let mut alike: Vec<(&[u8], Vec<u16>)> = Vec::new();
    for (city, centres) in waits {
        match alike.iter_mut().find(|a| a.0 == centres.as_slice()) {
            Some(group) => group.1.push(*city),
            None => alike.push((centres, vec![*city])),
        }
    }
    let of = |(centres, cities): &(&[u8], Vec<u16>)| {
        let one = (centres.len() == 1, cities.len() == 1);
        let centres = ranges(centres.iter().map(|&c| c.into()));
        let cities = ranges(cities.iter().copied());
        match one {
            (true, true) => say!("centre {centres} of city {cities}"),
            (true, false) => say!("centre {centres} of cities {cities}"),
            (false, true) => say!("centres {centres} of city {cities}"),
            (false, false) => say!("centres {centres} of cities {cities}"),
        }
    };
    let all: Vec<String> = alike.iter().map(of).collect();
    let centres = capital(&joined(&all));
    match waits {
        [] => None,
        [(_, centre)] if centre.len() == 1 => Some(say!("{centres} waits for production points.")),
        _ => Some(say!("{centres} wait for production points.")),
    }
}
