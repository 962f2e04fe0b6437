//! Production, research, work, income and what spies learnt.

use super::Words;
use crate::events::{Event, Fact, Find};
use crate::orders::sector_no;
use crate::phrases::{counted, force, joined, percent, pp, ranges};
use crate::state::SHIELD;
use crate::works::Task;
use engine::geometry::Place;
use engine::report::capital;

/// What a city made of one type in a turn, and the land unit or ships that it joined.
struct Delivery {
    kind: u8,
    unit: Option<u16>,
    number: u16,
}

impl Words<'_> {
    /// What centres delivered or wait for: a line a city for what waits, for what it delivers
    /// and for its defences.
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
                    stands.push(format!("The defences of city {city} are at level {level} now."));
                    continue;
                }
                Event::ArmsBuilt { city, kind: SHIELD } => {
                    stands.push(format!("A missile defence stands in city {city} now."));
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
            format!("City {city} delivers {}.", joined(&made))
        };
        let waits = waiting(&waits).into_iter();
        waits.chain(cities.iter().map(delivered)).chain(stands).collect()
    }

    /// `2 Infantry (unit 11)`, `1 Fighter`.
    fn delivery(&self, made: &Delivery) -> String {
        let what = force(made.number, self.kind(made.kind));
        match made.unit {
            Some(unit) => format!("{what} (unit {unit})"),
            None => what,
        }
    }

    /// Searches of engineers, and research.
    pub(super) fn ruins(&self, event: &Event) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match event {
            Event::Dug { unit, at: place, find } => {
                let found = match find {
                    Find::Nothing => "found nothing this turn".to_owned(),
                    Find::Pp(n) => format!("found {n} PP"),
                    Find::Points(n) => {
                        format!("found old papers worth {}", counted(*n, "research point"))
                    }
                    Find::Plans(tech) => format!("found old plans: tech level {tech} is reached"),
                    Find::Empty => "found the ruins empty; nothing is left there".to_owned(),
                };
                format!("Unit {unit} searched the ruins at {} and {found}.", at(place))
            }
            Event::Worked { unit, at: place, task, points, base } => {
                self.work(*unit, *place, *task, *points, *base)
            }
            Event::NoWork { unit, at: place, task } => {
                format!("Unit {unit} found no work at {} ({}).", at(place), task.name())
            }
            Event::Research { paid, points, tech, per_mille } => {
                let paid = format!(
                    "{} PP went into research with a chance of {}",
                    pp(*paid),
                    percent(*per_mille)
                );
                match tech {
                    Some(tech) => format!("{paid}: tech level {tech} is reached!"),
                    None => format!(
                        "{paid}, no success; what was spent in vain, {} PP by now, helps the next \
                         attempt.",
                        pp(*points)
                    ),
                }
            }
            _ => String::new(),
        }
    }

    /// Engineers' work, done or half done.
    fn work(
        &self,
        unit: u16,
        at: Place,
        task: Task,
        (done, needed): (u16, u16),
        base: Option<u16>,
    ) -> String {
        let at = sector_no(self.grid, at);
        let a = if task == Task::Airbase { "an" } else { "a" };
        match (task, base) {
            (Task::PullDown, _) => format!("Unit {unit} pulled down the works at {at}."),
            (_, Some(base)) => format!("Unit {unit} finished airbase {base} at {at}."),
            _ if done >= needed => format!("Unit {unit} finished {a} {} at {at}.", task.name()),
            _ => format!(
                "Unit {unit} worked on {a} {} at {at}: {done} of {needed} points.",
                task.name()
            ),
        }
    }

    /// The sum of the stock with an income of cities and sectors, and land that was won.
    pub fn economy(&self, event: &Event, income: Option<(i64, i64)>) -> String {
        match event {
            Event::Claimed { sectors } => {
                format!(
                    "{} surrounded by your land joined the empire.",
                    counted(*sectors, "sector")
                )
            }
            Event::Ledger { opening, bill, found, closing } => {
                let mut text = format!("Stock: {} PP", pp(*opening));
                let spent = [
                    ("construction", bill.construction),
                    ("research", bill.research),
                    ("spies", bill.spying),
                    ("counter-spying", bill.counter_spying),
                ];
                let spent: Vec<String> = spent
                    .iter()
                    .filter(|(_, amount)| *amount > 0)
                    .map(|(what, amount)| format!("{} for {what}", pp(*amount)))
                    .collect();
                if !spent.is_empty() {
                    text += &format!(", less {}", joined(&spent));
                }
                let mut won = Vec::new();
                if *found > 0 {
                    won.push(format!("{} found in ruins", pp(*found)));
                }
                if let Some((cities, sectors)) =
                    income.filter(|(cities, sectors)| cities + sectors > 0)
                {
                    won.push(format!(
                        "an income of {} ({} from cities, {} from sectors in supply)",
                        pp(cities + sectors),
                        pp(cities),
                        pp(sectors)
                    ));
                }
                if !won.is_empty() {
                    text += &format!(", plus {}", joined(&won));
                }
                format!("{text}: {} PP now.", pp(*closing))
            }
            _ => String::new(),
        }
    }

    /// One thing that spies learnt of a player.
    pub fn fact(&self, fact: &Fact) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match fact {
            Fact::Tech(n) => format!("tech level {n}"),
            Fact::Stock(n) => format!("{} in stock", counted(*n, "production point")),
            Fact::Cities(1) => "1 city".to_owned(),
            Fact::Cities(n) => format!("{n} cities"),
            Fact::Divisions(n) => counted(*n, "division"),
            Fact::Ships(n) => counted(*n, "ship"),
            Fact::Fighters(n) => counted(*n, "fighter"),
            Fact::Bombers(n) => counted(*n, "bomber"),
            Fact::Jets(n) => counted(*n, "jet"),
            Fact::Missiles(n) => counted(*n, "missile"),
            Fact::Warheads(n) => counted(*n, "atomic warhead"),
            Fact::Allies(list) if list.is_empty() => "no allies".to_owned(),
            Fact::Allies(list) => format!("allies: {}", ranges(list.iter().map(|&a| a.into()))),
            Fact::Rating(n) => format!("rating {n}"),
            Fact::City { number, at: place, level } => {
                format!("city {number} at {}, defence level {level}", at(place))
            }
            Fact::Unit { at: place, kind, size } => {
                format!("{} at {}", force(*size, self.kind(*kind)), at(place))
            }
            Fact::Research(n) => format!("{} gathered", counted(*n, "research point")),
        }
    }
}

/// Which centres wait, those of cities that are alike together.
fn waiting(waits: &[(u16, Vec<u8>)]) -> Option<String> {
    let mut alike: Vec<(&[u8], Vec<u16>)> = Vec::new();
    for (city, centres) in waits {
        match alike.iter_mut().find(|a| a.0 == centres.as_slice()) {
            Some(group) => group.1.push(*city),
            None => alike.push((centres, vec![*city])),
        }
    }
    let of = |(centres, cities): &(&[u8], Vec<u16>)| {
        let centre = if centres.len() == 1 { "centre" } else { "centres" };
        let city = if cities.len() == 1 { "city" } else { "cities" };
        let centres = ranges(centres.iter().map(|&c| c.into()));
        format!("{centre} {centres} of {city} {}", ranges(cities.iter().copied()))
    };
    let all: Vec<String> = alike.iter().map(of).collect();
    let verb = match waits {
        [(_, centres)] if centres.len() == 1 => "waits",
        _ => "wait",
    };
    (!all.is_empty()).then(|| format!("{} {verb} for production points.", capital(&joined(&all))))
}
