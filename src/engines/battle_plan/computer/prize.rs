//! The worth of spaces in victory points, in games that points decide.

use super::super::map::SpaceId;
use super::super::state::NOBODY;
use super::super::view::View;
use super::super::worth::{Condition, Item};

/// The points that a seat may expect for owning each space. Points for a group of spaces are split
/// among those that are missing.
pub(super) fn prizes(view: &View) -> Vec<i64> {
    let mut sums = Prizes { view, sums: vec![0; view.tables.map.len()] };
    if let Some(power) = view.tables.powers.get(usize::from(view.seat) - 1) {
        for item in &power.points {
            sums.add(item);
        }
    }
    sums.sums
}

struct Prizes<'a> {
    view: &'a View,
    sums: Vec<i64>,
}

impl Prizes<'_> {
    fn spaces(&self, list: &str) -> Vec<SpaceId> {
        self.view.tables.spaces(list)
    }

    fn is_own(&self, space: &SpaceId) -> bool {
        self.view.holder(*space) == self.view.seat
    }

    fn held(&self, power: u8) -> Vec<SpaceId> {
        let all = self.view.tables.map.countries();
        all.filter(|s| self.view.holder(*s) == power).collect()
    }

    /// Adds `worth` to each of the spaces.
    fn each(&mut self, spaces: &[SpaceId], worth: i64) {
        for space in spaces {
            self.sums[usize::from(space.0)] += worth;
        }
    }

    /// Splits `worth` evenly among the spaces.
    fn split(&mut self, spaces: &[SpaceId], worth: i64) {
        // There are fewer spaces than the map has.
        self.each(spaces, worth / (spaces.len() as i64).max(1));
    }

    fn missing(&self, list: &str) -> Vec<SpaceId> {
        self.spaces(list).into_iter().filter(|s| !self.is_own(s)).collect()
    }

    /// The spaces of a list that a power holds.
    fn theirs(&self, list: &str, power: u8) -> Vec<SpaceId> {
        self.spaces(list).into_iter().filter(|s| self.view.holder(*s) == power).collect()
    }

    /// Adds `worth` where a single space of a list is enough: to all if none is own, to the last
    /// own one.
    fn any(&mut self, list: &str, worth: i64) {
        let spaces = self.spaces(list);
        match spaces.iter().filter(|s| self.is_own(s)).count() {
            0 => self.each(&spaces, worth),
            1 => {
                let last: Vec<_> = spaces.into_iter().filter(|s| self.is_own(s)).collect();
                self.each(&last, worth);
            }
            _ => {}
        }
    }

    /// Adds what the next space of a list is worth, where points rise with their number.
    fn rising(&mut self, rising: &crate::worth::Rising) {
        let spaces = self.spaces(&rising.spaces);
        let own = spaces.iter().filter(|s| self.is_own(s)).count();
        let of = |n: usize| match n {
            0 => 0,
            n => rising.worth.get(n - 1).or(rising.worth.last()).copied().unwrap_or(0),
        };
        self.each(&self.missing(&rising.spaces), of(own + 1) - of(own));
    }

    fn add(&mut self, item: &Item) {
        let (view, worth) = (self.view, item.worth);
        let map = &view.tables.map;
        match &item.condition {
            Condition::Each(list) => self.each(&self.spaces(list), worth),
            Condition::Others(list) => {
                let except = self.spaces(list);
                let original = list.split_whitespace().any(|c| c == "original");
                let counts = |s: &SpaceId| {
                    let own = original && map.row(*s).original == view.seat;
                    !own && !except.contains(s)
                };
                self.each(&map.countries().filter(counts).collect::<Vec<_>>(), worth);
            }
            Condition::Any(list) => self.any(list, worth),
            Condition::All(list) | Condition::WithAlly(list) => {
                self.split(&self.missing(list), worth);
            }
            Condition::With(t) => {
                let mut missing = self.missing(&t.spaces);
                missing.retain(|s| view.holder(*s) != t.power);
                self.split(&missing, worth);
            }
            Condition::Number(rising) => self.rising(rising),
            Condition::More(n) => {
                let own = self.held(view.seat).len();
                if own <= *n {
                    let others: Vec<_> = map.countries().filter(|s| !self.is_own(s)).collect();
                    // Both numbers are below the number of spaces.
                    self.each(&others, worth / (*n + 1 - own) as i64);
                }
            }
            Condition::Fewer(f) => {
                let theirs = self.held(f.power);
                if theirs.len() >= f.than {
                    // As above: both numbers are below the number of spaces.
                    self.each(&theirs, worth / (theirs.len() + 1 - f.than) as i64);
                }
            }
            Condition::Gone(p) => self.split(&self.held(*p), worth),
            Condition::NoneOf(t) | Condition::FranceOut(t) => {
                self.split(&self.theirs(&t.spaces, t.power), worth);
            }
            Condition::Kept(t) => self.split(&self.theirs(&t.spaces, t.power), -worth),
            Condition::Minor(list) => {
                let spaces: Vec<_> = self.theirs(list, NOBODY);
                self.each(&spaces, -worth);
            }
            Condition::China(t) => self.split(&self.held(t.power), -worth),
            Condition::PowersLeft(_) => {
                for p in view.players.iter().filter(|p| p.seat != view.seat) {
                    self.split(&self.held(p.seat), -worth);
                }
            }
            Condition::Restored(except) => {
                let restored = |s: &SpaceId| {
                    let first = map.row(*s).original;
                    first != NOBODY && !except.contains(&first) && view.holder(*s) == first
                };
                let spaces: Vec<_> = map.countries().filter(restored).collect();
                self.each(&spaces, -worth);
            }
            Condition::Monroe(list) => {
                let others: Vec<_> = self.missing(list);
                self.each(&others, -worth);
            }
            Condition::Turns(_)
            | Condition::MostNavy(_)
            | Condition::NavyOver(_)
            | Condition::Weaker(_) => {}
        }
    }
}
