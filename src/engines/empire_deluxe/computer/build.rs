//! The production of cities.

use std::collections::{BTreeMap, BTreeSet};

use engine::Dice;
use engine::geometry::Place;

use super::Mind;
use crate::kinds::{Class, Kind};
use crate::production;
use crate::state::can_build;

/// Land units that a transport takes.
const LOAD: u32 = 6;

/// The units that exist and those that cities have begun.
struct Stock {
    /// Units of each kind.
    all: BTreeMap<Kind, u32>,
    /// Land units.
    land: u32,
    /// Land units that are not needed on their own landmass.
    reserve: u32,
    /// Land units on each landmass, without those aboard ships.
    ashore: BTreeMap<Option<u32>, u32>,
    /// Land units that are wanted on each landmass.
    wanted: BTreeMap<Option<u32>, u32>,
    /// Transports that each sea lacks.
    short: BTreeMap<Option<u32>, i32>,
    /// Destroyers on each sea.
    eyes: BTreeMap<Option<u32>, u32>,
}

impl Stock {
    fn of(&self, kind: Kind) -> u32 {
        self.all.get(&kind).copied().unwrap_or(0)
    }

    fn on(&self, mass: Option<u32>) -> u32 {
        self.ashore.get(&mass).copied().unwrap_or(0)
    }

    fn wanted_on(&self, mass: Option<u32>) -> u32 {
        self.wanted.get(&mass).copied().unwrap_or(0)
    }

    fn lacks(&self, sea: Option<u32>) -> bool {
        self.short.get(&sea).is_some_and(|n| *n > 0)
    }

    /// Whether there are more land units than the transports will soon take.
    fn surplus(&self) -> bool {
        self.reserve > LOAD * (self.of(Kind::Tr) + 1)
    }

    fn begin(&mut self, kind: Kind, mass: Option<u32>, sea: Option<u32>) {
        *self.all.entry(kind).or_default() += 1;
        if kind == Kind::Tr {
            *self.short.entry(sea).or_default() -= 1;
        }
        if kind == Kind::De {
            *self.eyes.entry(sea).or_default() += 1;
        }
        if kind.class() == Class::Land {
            self.land += 1;
            self.reserve += 1;
            *self.ashore.entry(mass).or_default() += 1;
        }
    }
}

impl Mind<'_> {
    /// Chooses what cities build, one after the other: each sees what the earlier ones have begun.
    pub(super) fn build(&mut self, dice: &mut Dice) {
        let world = &self.view.world;
        let foot = world.options.edition.foot();
        let advanced = world.options.advanced();
        let base = production::base(world, self.seat());
        let mut stock = self.stock();
        for at in self.cities.clone() {
            let Some(city) = self.view.world.city(at) else { continue };
            let mass = self.masses.at(at);
            let builds = city.list.first().copied();
            // What a city has begun is finished, except land units that are no longer needed.
            let surplus = stock.surplus();
            let under_way = builds.filter(|k| city.done > 0 && !(*k == foot && surplus));
            // Too many units slow down all production; then it is better to build nothing.
            let crowded = advanced && base < 80 && stock.wanted_on(mass) == 0;
            let kind = self.next(at, &stock).filter(|k| !crowded || *k == Kind::Tr);
            let armored = advanced && kind == Some(foot) && !self.novice();
            let third = armored && dice.below("armor", 3) == 0;
            let kind = if third { Some(Kind::Am) } else { kind };
            if let Some(kind) = kind {
                stock.begin(kind, mass, self.seas.at(at));
            }
            let list: Vec<Kind> = match (under_way, kind) {
                (Some(now), Some(next)) if now != next => vec![now, next],
                (Some(now), _) => vec![now],
                (None, next) => next.into_iter().collect(),
            };
            if city.list != list {
                let codes: Vec<&str> = list.iter().map(|k| k.code()).collect();
                let codes = if codes.is_empty() { "NO".to_owned() } else { codes.join(" ") };
                let line = format!("P {} {codes}", self.called(at));
                self.order(line);
            }
        }
        // When a card is for several turns, new units look around by themselves.
        for at in self.cities.clone() {
            let sent = self.view.world.city(at).is_some_and(|c| !c.rally.is_empty());
            let line = match (self.view.sitting > 1, sent) {
                (true, false) => format!("Z {} E * !", self.called(at)),
                (false, true) => format!("Z {}", self.called(at)),
                _ => continue,
            };
            self.order(line);
        }
        if self.view.world.side(self.seat()).is_some_and(|s| s.default != Some(foot)) {
            self.order(format!("PD {}", foot.code()));
        }
    }

    /// What a city begins next: first what the war needs, then what is useful.
    fn next(&self, at: Place, stock: &Stock) -> Option<Kind> {
        let options = &self.view.world.options;
        let foot = options.edition.foot();
        let mass = self.masses.at(at);
        let here = stock.wanted_on(mass);
        // There are a few hundred cities at most.
        let cities = self.cities.len() as u32;
        let port = self.is_port(at);
        let novice = self.novice();
        if stock.land < 2 {
            return Some(foot);
        }
        let sea = self.seas.at(at);
        let afloat = port && can_build(&self.view.world.ground, at, Kind::Tr);
        // Ships take long, and everything waits for them: the first one, and those for units that
        // wait in ports.
        let ships = stock.of(Kind::Tr);
        let waits = match ships {
            0 => cities > 1,
            n => stock.reserve >= 3 * n && stock.lacks(sea),
        };
        if self.expert() && afloat && waits {
            return Some(Kind::Tr);
        }
        let eyes = stock.eyes.get(&sea).copied().unwrap_or(0);
        let seen = self.sea_ends.get(&sea).copied().unwrap_or(0) > 0;
        if self.expert() && afloat && seen && cities >= 3 && eyes < 1 + cities / 6 {
            return Some(Kind::De);
        }
        if self.expert() && cities >= 2 && options.builds(Kind::Fi) && stock.of(Kind::Fi) < 1 {
            return Some(Kind::Fi);
        }
        if here > 0 && stock.on(mass) <= here {
            return Some(foot);
        }
        let less = |kind: Kind, than: u32| self.lacks(at, stock, kind, than);
        if !novice && less(Kind::Fi, 1) {
            return Some(Kind::Fi);
        }
        // A player who knows little has no targets, and looks around first.
        let squares = self.view.world.ground.grid.len() as u32;
        let explored = self.known.explored() * 100 / squares.max(1);
        if self.expert() && explored < 80 {
            let scouts = self.ends.get(&mass).copied().unwrap_or(0).min(6);
            if stock.on(mass) < here + scouts {
                return Some(foot);
            }
            if afloat && seen && eyes < 1 + cities / 3 {
                return Some(Kind::De);
            }
            if less(Kind::Fi, 1 + cities / 4) {
                return Some(Kind::Fi);
            }
        }
        self.wanted(at, stock, explored)
    }

    /// What a city begins when nothing is urgent; `explored` is the percentage of the map that is
    /// known.
    fn wanted(&self, at: Place, stock: &Stock, explored: u32) -> Option<Kind> {
        let options = &self.view.world.options;
        let (foot, novice) = (options.edition.foot(), self.novice());
        // There are a few hundred at most.
        let cities = self.cities.len() as u32;
        let (port, sea) = (self.is_port(at), self.seas.at(at));
        let afloat = port && can_build(&self.view.world.ground, at, Kind::Tr);
        let less = |kind: Kind, than: u32| self.lacks(at, stock, kind, than);
        let waiting = self.ports.get(&at).copied().unwrap_or(0);
        if port && (stock.lacks(sea) || !novice && waiting >= LOAD) {
            return Some(Kind::Tr);
        }
        if stock.reserve < LOAD * stock.of(Kind::Tr).max(1) {
            return Some(foot);
        }
        let surplus = stock.surplus();
        if novice {
            return Some(foot).filter(|_| !surplus);
        }
        // A world that is still largely unknown needs ships and aircraft for scouting.
        let unknown = explored < 90;
        let ships = self.known.marks.values().filter(|m| m.kind.class() == Class::Sea);
        let enemies = ships.count() as u32;
        let carriers = if options.advanced() { cities / 16 } else { 0 };
        let fleet = [
            (Kind::Fi, 1 + if unknown { cities / 3 } else { cities / 5 }),
            (Kind::De, 1 + if unknown { cities / 5 } else { cities / 10 }),
            (Kind::Bo, cities / 6),
            (Kind::Ca, carriers),
            (Kind::Cr, cities / 8 + enemies / 3),
            (Kind::Su, enemies / 2),
            (Kind::Ba, cities / 16),
        ];
        let idle = [(Kind::Cr, cities / 3), (Kind::Fi, cities / 2)];
        let first = |all: &[(Kind, u32)]| {
            all.iter().find(|(kind, than)| less(*kind, *than)).map(|(kind, _)| *kind)
        };
        let land = Some(foot).filter(|_| !surplus);
        let more = Some(Kind::Tr).filter(|_| self.expert() && afloat && stock.lacks(sea));
        let spare =
            self.expert().then_some([(Kind::De, cities), (Kind::Fi, cities), (Kind::Cr, cities)]);
        first(&fleet).or(land).or(more).or_else(|| first(&idle)).or_else(|| first(&spare?))
    }

    /// Whether a city can build a kind of which there are fewer than `than`.
    fn lacks(&self, at: Place, stock: &Stock, kind: Kind, than: u32) -> bool {
        let world = &self.view.world;
        let can = world.options.builds(kind) && can_build(&world.ground, at, kind);
        can && (kind.class() != Class::Sea || self.is_port(at)) && stock.of(kind) < than
    }

    /// Counts the units that exist and those that cities build, before the cities begin anything
    /// new.
    fn stock(&self) -> Stock {
        let of = |kind: Kind| self.units(|u| u.kind == kind).len() as u32 + self.planned(kind);
        let all: BTreeMap<Kind, u32> = Kind::ALL.into_iter().map(|k| (k, of(k))).collect();
        let land = all.iter().filter(|(k, _)| k.class() == Class::Land).map(|(_, n)| n).sum();
        let foot = self.view.world.options.edition.foot();
        let mut wanted: BTreeMap<Option<u32>, u32> = BTreeMap::new();
        for (at, need) in self.needs() {
            *wanted.entry(self.masses.at(at)).or_default() += need;
        }
        let mut eyes: BTreeMap<Option<u32>, u32> = BTreeMap::new();
        let ships = self.units(|u| u.kind == Kind::De).into_iter().map(|(_, u)| u.at);
        let begun = |at: &&Place| {
            let city = self.view.world.city(**at);
            city.is_some_and(|c| c.done > 0 && c.list.first() == Some(&Kind::De))
        };
        for at in ships.chain(self.cities.iter().filter(begun).copied()) {
            *eyes.entry(self.seas.at(at)).or_default() += 1;
        }
        Stock {
            eyes,
            all,
            land,
            reserve: self.reserve + self.planned(foot) + self.planned(Kind::Am),
            ashore: self.ashore.clone(),
            wanted,
            short: self.transports_short(),
        }
    }

    /// Transports that each sea lacks: for targets overseas, and for the reserve in its ports.
    pub(super) fn transports_short(&self) -> BTreeMap<Option<u32>, i32> {
        let mut overseas: BTreeMap<Option<u32>, i32> = BTreeMap::new();
        for landing in self.landings().iter().filter(|l| !l.walked) {
            let seas: BTreeSet<Option<u32>> =
                landing.shores.iter().map(|p| self.seas.at(*p)).collect();
            for sea in seas {
                *overseas.entry(sea).or_default() += landing.need as i32;
            }
        }
        let mut short: BTreeMap<Option<u32>, i32> = BTreeMap::new();
        // There are a few hundred cities at most.
        let most = 2 + self.cities.len() as i32 / 2;
        for at in self.cities.iter().filter(|c| self.is_port(**c)) {
            let sea = self.seas.at(*at);
            let of = |all: &BTreeMap<Option<u32>, i32>| all.get(&sea).copied().unwrap_or(0);
            let each = if self.expert() { 2 } else { 4 };
            let wanted = (1 + of(&overseas) / each).min(most);
            short.insert(sea, if self.novice() { 1 } else { wanted });
        }
        for (_, ship) in self.units(|u| u.kind == Kind::Tr) {
            *short.entry(self.seas.at(ship.at)).or_default() -= 1;
        }
        for at in &self.cities {
            let builds = self.view.world.city(*at).filter(|c| c.done > 0);
            if builds.and_then(|c| c.list.first()) == Some(&Kind::Tr) {
                *short.entry(self.seas.at(*at)).or_default() -= 1;
            }
        }
        short
    }

    /// Units of a kind that cities build now.
    pub(super) fn planned(&self, kind: Kind) -> u32 {
        let builds = |at: &&Place| {
            self.view.world.city(**at).is_some_and(|c| c.done > 0 && c.list.first() == Some(&kind))
        };
        self.cities.iter().filter(builds).count() as u32
    }
}
