//! Production, research, work, income and what spies learnt.

use super::Words;
use crate::events::{Event, Fact, Find};
use crate::orders::sector_no;
use crate::phrases::{counted, force, percent, pp, ranges};
use crate::state::SHIELD;
use crate::works::Task;
use engine::geometry::Place;

impl Words<'_> {
    /// What centres delivered or wait for.
    pub(super) fn production(&self, event: &Event) -> String {
        match event {
            Event::Built { city, kind, unit } => {
                let one = force(1, self.kind(*kind));
                format!("City {city} delivers {}: unit {unit}.", one.trim_start_matches("1 "))
            }
            Event::PlaneBuilt { city, kind } => {
                format!("City {city} delivers {} to its airbase.", force(1, self.kind(*kind)))
            }
            Event::ArmsBuilt { city, kind: SHIELD } => {
                format!("A missile defence stands in city {city} now.")
            }
            Event::ArmsBuilt { city, kind } => {
                format!("City {city} delivers {} to its airbase.", self.kind(*kind))
            }
            Event::LevelsBuilt { city, level } => {
                format!("The defences of city {city} are at level {level} now.")
            }
            Event::Waits { city, centre } => {
                format!("Centre {centre} of city {city} waits for production points.")
            }
            _ => String::new(),
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
                    Find::Points(n) => format!("found old papers worth {n} research points"),
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
                        "{paid}, no success; {} PP spent in vain help the next attempt.",
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
        match (task, base) {
            (Task::PullDown, _) => format!("Unit {unit} pulled down the works at {at}."),
            (_, Some(base)) => format!("Unit {unit} finished airbase {base} at {at}."),
            _ if done >= needed => format!("Unit {unit} finished a {} at {at}.", task.name()),
            _ => format!(
                "Unit {unit} worked on a {} at {at}: {done} of {needed} points are done.",
                task.name()
            ),
        }
    }

    /// Income, stock and what was paid.
    pub(super) fn economy(&self, event: &Event) -> String {
        match event {
            Event::CounterSpying { paid } => {
                format!("{} PP were paid for counter-spying.", pp(*paid))
            }
            Event::Claimed { sectors } => {
                format!(
                    "{} surrounded by your land joined the empire.",
                    counted(*sectors, "sector")
                )
            }
            Event::Income { cities, sectors } => format!(
                "Income: {} PP from cities, {} PP from sectors in supply.",
                pp(*cities),
                pp(*sectors)
            ),
            Event::Ledger { opening, bill, found, closing } => {
                let mut text = format!("The stock was {} PP", pp(*opening));
                let spent = [
                    ("construction", bill.construction),
                    ("research", bill.research),
                    ("spies", bill.spying),
                    ("counter-spying", bill.counter_spying),
                ];
                for (what, amount) in spent.iter().filter(|(_, amount)| *amount > 0) {
                    text += &format!(", {} went into {what}", pp(*amount));
                }
                if *found > 0 {
                    text += &format!(", {} were found", pp(*found));
                }
                format!("{text}; with the income it is {} PP.", pp(*closing))
            }
            _ => String::new(),
        }
    }

    /// One thing that spies learnt of a player.
    pub fn fact(&self, fact: &Fact) -> String {
        let at = |place: &Place| sector_no(self.grid, *place);
        match fact {
            Fact::Tech(n) => format!("tech level {n}"),
            Fact::Stock(n) => format!("{n} production points in stock"),
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
            Fact::Research(n) => format!("{n} research points gathered"),
        }
    }
}
