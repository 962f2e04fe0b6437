//! What a seat's orders do to its own position before anything moves.
//!
//! Both the echo and the turn run a card through the same [`Desk`]: the echo on a
//! copy of the position in the seat's view, the turn on the position itself. So
//! an echo can't promise what the turn does not do. The desk sees one power and
//! the public facts of the map; it cannot tell what the seat can't know.

use std::collections::{BTreeMap, BTreeSet};

use super::orders::{Aim, Named, Order, SectorNo, Who, read_sector};
use super::state::{
    Billet, Centre, City, Goal, INFANTRY, Power, TRUCK, Target, Unit, average_rank,
};
use super::tables::{Class, Tables, UnitRow};
use crate::engine::Mark;
use crate::engine::geometry::{Grid, Place};

/// Characters of a name (§9, N).
pub const NAME_LEN_MAX: usize = 12;
/// The addressee of a broadcast.
pub const EVERYBODY: u16 = 101;
/// What is said of orders that are read but do not run yet.
pub const NOT_YET: &str = "understood; not yet in force";

/// How a line came out, with a fixed word for tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub mark: Mark,
    pub code: &'static str,
    pub note: String,
}

fn told(mark: Mark, code: &'static str, note: impl Into<String>) -> Told {
    Told { mark, code, note: note.into() }
}

fn fine(note: impl Into<String>) -> Told {
    told(Mark::Ok, "ok", note)
}

fn wrong(code: &'static str, note: impl Into<String>) -> Told {
    told(Mark::Error, code, note)
}

fn second_order(no: u16, first: u32) -> Told {
    wrong("second-order", format!("unit {no} has its order in line {first}, which stands"))
}

fn pending() -> Told {
    told(Mark::Pending, "pending", NOT_YET)
}

/// What a unit is to do in the movement phases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    Advance(Goal),
    March(Vec<u8>),
}

/// A movement order issued to a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub way: Way,
    /// Infantry and trucks together (§3).
    pub convoy: bool,
    /// Card line; `None` for a standing advance.
    pub line: Option<u32>,
}

/// A parameter of a message.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Param {
    Number(u32),
    Sector(u16, u16),
}

/// A sentence of a message.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sentence {
    pub code: u16,
    pub params: Vec<Param>,
}

/// A message to be delivered in step 11.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// `None`: to everybody.
    pub to: Option<u8>,
    pub sentences: Vec<Sentence>,
}

/// A message while its lines are read: addressee, and each number with its line.
struct Draft {
    line: u32,
    player: u16,
    numbers: Vec<(u32, String)>,
}

/// The desk of one seat for one turn.
pub struct Desk<'a> {
    pub tables: &'a Tables,
    pub grid: Grid,
    pub seats: u8,
    pub turn: u32,
    pub power: &'a mut Power,
    /// Whether ships can be built in a sector: land and sea are public.
    pub coastal: &'a dyn Fn(Place) -> bool,
    pub told: BTreeMap<u32, Told>,
    pub plans: BTreeMap<u16, Plan>,
    pub letters: Vec<Letter>,
    /// Units that have their one order, and its line.
    ordered: BTreeMap<u16, u32>,
    /// Sectors ordered as a whole.
    sectors: BTreeSet<Place>,
    /// Centres halted in this card, by city: line and centre.
    halted: BTreeMap<u16, Vec<(u32, usize)>>,
    /// Whether the card had an I order, so that counter-spying is settled there.
    spied: bool,
    /// Hundredths of PP that went into counter-spying.
    pub paid: i64,
}

impl<'a> Desk<'a> {
    /// A desk with nothing on it.
    pub fn new(
        tables: &'a Tables,
        grid: Grid,
        seats: u8,
        turn: u32,
        power: &'a mut Power,
        coastal: &'a dyn Fn(Place) -> bool,
    ) -> Self {
        Self {
            tables,
            grid,
            seats,
            turn,
            power,
            coastal,
            told: BTreeMap::new(),
            plans: BTreeMap::new(),
            letters: Vec::new(),
            ordered: BTreeMap::new(),
            sectors: BTreeSet::new(),
            halted: BTreeMap::new(),
            spied: false,
            paid: 0,
        }
    }

    /// Carries out steps 1, 3, 4 and 6 of the processing sequence, checks what
    /// belongs to later steps, and puts the standing advances on the plan.
    pub fn carry_out(&mut self, orders: &[(u32, Order)]) {
        self.at_once(orders);
        self.planes(orders);
        self.halts(orders);
        self.spend(orders);
        self.restart_centres();
        self.issue(orders);
        self.standing_advances();
        self.write_letters(orders);
    }

    fn each(
        &mut self,
        orders: &[(u32, Order)],
        act: impl Fn(&mut Self, u32, &Order) -> Option<Told>,
    ) {
        for (line, order) in orders {
            if let Some(told) = act(self, *line, order) {
                self.told.insert(*line, told);
            }
        }
    }

    // ---- step 1: P W D L S N, in card order

    fn at_once(&mut self, orders: &[(u32, Order)]) {
        self.each(orders, |desk, _, order| match order {
            Order::Position { general, unit } => Some(desk.position(*general, *unit)),
            Order::Watch { base, fighters } => Some(desk.watch(*base, *fighters)),
            Order::Declare { player } => Some(desk.declare(*player)),
            Order::Link { unit, other } => Some(desk.link(*unit, *other)),
            Order::Split { unit, number } => Some(desk.split(*unit, *number)),
            Order::Name { what, number, name } => Some(desk.name(*what, *number, name)),
            Order::Coalition { .. } if desk.turn < 15 => {
                Some(wrong("too-early", "coalitions are not formed before turn 15"))
            }
            Order::Coalition { .. } => Some(pending()),
            _ => None,
        });
    }

    fn position(&mut self, general: u16, unit: u16) -> Told {
        if !self.power.units.contains_key(&unit) {
            return self.no_unit(unit);
        }
        let count = self.power.generals.len();
        match self.power.generals.get_mut(usize::from(general).wrapping_sub(1)) {
            Some(found) if found.billet.is_some() => {
                found.billet = Some(Billet::Unit(unit));
                fine(format!("general {general} goes to unit {unit}"))
            }
            _ => wrong("no-general", format!("no general {general} of yours; you have 1-{count}")),
        }
    }

    fn watch(&mut self, base: u16, fighters: u16) -> Told {
        let Some(city) = self.power.cities.get_mut(&base) else { return self.no_city(base) };
        city.watch = fighters;
        pending()
    }

    fn declare(&mut self, player: u16) -> Told {
        let Some(other) = self.other_player(player) else { return self.no_player(player) };
        if self.power.allies.remove(&other) {
            return fine(format!("player {other} is your ally no longer"));
        }
        let most = self.tables.rules.alliance.allies_max;
        if self.power.allies.len() >= most {
            return wrong("allies-full", format!("you have {most} allies, the most there can be"));
        }
        self.power.allies.insert(other);
        fine(format!("player {other} is your ally now, but may still attack you"))
    }

    fn link(&mut self, unit: u16, other: Option<u16>) -> Told {
        let Some(first) = self.power.units.get(&unit).cloned() else { return self.no_unit(unit) };
        let most = self.tables.rules.economy.division_max;
        let numbers: Vec<u16> = match other {
            Some(other) if other == unit => {
                return wrong("same-unit", "a unit can't be linked with itself");
            }
            Some(other) if !self.power.units.contains_key(&other) => return self.no_unit(other),
            Some(other) => vec![unit, other],
            None => {
                let alike = |u: &Unit| u.kind == first.kind && u.at == first.at;
                let found = self.power.units.iter().filter(|(_, u)| alike(u));
                let free = found.filter(|(n, u)| u.aboard.is_none() && !self.has_cargo(**n));
                let mut size = first.size;
                // The named unit first, then by number while the whole stays legal.
                let fits = free.filter(|(n, u)| {
                    let fits = **n != unit && size + u.size <= most;
                    size += if fits { u.size } else { 0 };
                    fits
                });
                let mut numbers: Vec<u16> = fits.map(|(n, _)| *n).collect();
                numbers.push(unit);
                numbers
            }
        };
        if numbers.len() < 2 {
            return wrong("nothing-to-link", "no other unit of that type in the sector fits");
        }
        let units: Vec<&Unit> = numbers.iter().map(|n| &self.power.units[n]).collect();
        if units.iter().any(|u| u.kind != first.kind) {
            return wrong("other-type", "only units of one type can be linked");
        }
        if units.iter().any(|u| u.at != first.at) {
            return wrong("other-sector", "only units in one sector can be linked");
        }
        let aboard = units.iter().any(|u| u.aboard.is_some());
        if aboard || numbers.iter().any(|n| self.has_cargo(*n)) {
            return wrong(
                "loaded",
                "units aboard and ships with cargo can't be linked; unload first",
            );
        }
        let size: u16 = units.iter().map(|u| u.size).sum();
        if size > most {
            return wrong(
                "too-large",
                format!("together they are {size}; a unit has at most {most}"),
            );
        }
        self.merge(&numbers, size)
    }

    fn merge(&mut self, numbers: &[u16], size: u16) -> Told {
        let lowest = numbers.iter().copied().min().unwrap_or_default();
        let parts: Vec<(u16, u8)> = numbers
            .iter()
            .filter_map(|n| self.power.units.get(n))
            .map(|u| (u.size, u.rank))
            .collect();
        for gone in numbers.iter().filter(|n| **n != lowest) {
            self.power.units.remove(gone);
            for general in &mut self.power.generals {
                if general.billet == Some(Billet::Unit(*gone)) {
                    general.billet = Some(Billet::Unit(lowest));
                }
            }
        }
        if let Some(unit) = self.power.units.get_mut(&lowest) {
            unit.size = size;
            unit.rank = average_rank(&parts);
        }
        fine(format!("unit {lowest} has {size} now"))
    }

    fn split(&mut self, unit: u16, number: u16) -> Told {
        let Some(old) = self.power.units.get(&unit).cloned() else { return self.no_unit(unit) };
        if old.aboard.is_some() || self.has_cargo(unit) {
            return wrong(
                "loaded",
                "units aboard and ships with cargo can't be split; unload first",
            );
        }
        if number == 0 || number >= old.size {
            let text = match old.size {
                1 => format!("unit {unit} has only 1"),
                size => format!("unit {unit} has {size}; 1 to {} can be split off", size - 1),
            };
            return wrong("split-all", text);
        }
        let new = self.power.free_number();
        let rest = Unit { size: old.size - number, ..old.clone() };
        self.power.units.insert(unit, rest);
        self.power.units.insert(new, Unit { size: number, ..old });
        fine(format!("new unit {new} has {number}"))
    }

    fn name(&mut self, what: Named, number: u16, name: &str) -> Told {
        let name: String = name.to_owned();
        if name.chars().count() > NAME_LEN_MAX {
            let long = name.chars().count();
            return wrong("name-too-long", format!("{long} characters; a name has at most 12"));
        }
        let note = fine(format!("named {name}"));
        match what {
            Named::General => {
                let index = usize::from(number).wrapping_sub(1);
                let count = self.power.generals.len();
                match self.power.generals.get_mut(index) {
                    Some(general) => general.name = name,
                    None => {
                        let text = format!("no general {number} of yours; you have 1-{count}");
                        return wrong("no-general", text);
                    }
                }
            }
            Named::City | Named::Airbase => match self.power.cities.get_mut(&number) {
                Some(city) if what == Named::City => city.name = name,
                Some(city) => city.base_name = name,
                None => return self.no_city(number),
            },
        }
        note
    }

    // ---- step 2: planes (not yet flown; the bases are checked)

    fn planes(&mut self, orders: &[(u32, Order)]) {
        self.each(orders, |desk, line, order| match order {
            Order::Bomb { sector, .. } | Order::Observe { sector, .. } => {
                Some(desk.square(*sector).map_or_else(|e| e, |_| pending()))
            }
            Order::Fly { base, to, planes } => {
                let ends = planes.map_or(vec![*base], |_| vec![*base, *to]);
                let missing = ends.into_iter().find(|b| !desk.power.cities.contains_key(b));
                Some(missing.map_or_else(pending, |b| desk.no_city(b)))
            }
            Order::Airlift { who, base } => Some(desk.airlift(orders, line, *who, *base)),
            Order::Rocket { .. } if desk.power.tech < 7 => {
                Some(wrong("too-early", "missiles are not known before tech level 7"))
            }
            Order::Rocket { sector, .. } => {
                Some(desk.square(*sector).map_or_else(|e| e, |_| pending()))
            }
            _ => None,
        });
    }

    fn airlift(&mut self, orders: &[(u32, Order)], line: u32, who: Who, base: u16) -> Told {
        if !self.power.cities.contains_key(&base) {
            return self.no_city(base);
        }
        match who {
            Who::Unit(no) => {
                if let Some(first) = self.moved_before(orders, line, no) {
                    return second_order(no, first);
                }
                match self.take(line, no) {
                    Ok(()) => pending(),
                    Err(told) => told,
                }
            }
            Who::Sector(sector) => self.square(sector).map_or_else(|e| e, |_| pending()),
        }
    }

    /// The line above with a valid A, M or K for a unit: it stands, although
    /// airlifts are assigned before such orders are issued.
    fn moved_before(&self, orders: &[(u32, Order)], line: u32, no: u16) -> Option<u32> {
        let engineers =
            |n: &u16| self.power.units.get(n).is_some_and(|u| u.kind == super::state::ENGINEER);
        let names = |order: &Order| match order {
            Order::March { who, .. } => *who == Who::Unit(no),
            Order::Advance { who, aim } => *who == Who::Unit(no) && self.aim(*aim).is_ok(),
            Order::Engineer { unit, task } => *unit == no && *task == 1 && engineers(unit),
            _ => false,
        };
        let above = orders.iter().find(|(l, order)| *l < line && names(order));
        above.filter(|_| self.power.units.contains_key(&no)).map(|(l, _)| *l)
    }

    // ---- step 3: production stops

    fn halts(&mut self, orders: &[(u32, Order)]) {
        self.each(orders, |desk, line, order| match order {
            Order::Construct { city, item: item @ 31..=37 } => Some(desk.halt(line, *city, *item)),
            _ => None,
        });
    }

    fn halt(&mut self, line: u32, number: u16, item: u8) -> Told {
        let centres: &[usize] = match item {
            31 => &[0],
            32 => &[1],
            33 => &[2],
            34 => &[0, 1],
            35 => &[0, 2],
            36 => &[1, 2],
            _ => &[0, 1, 2],
        };
        let Some(city) = self.power.cities.get_mut(&number) else { return self.no_city(number) };
        let mut lost = 0;
        for &i in centres {
            if let Centre::Working { spent, .. } = city.centres[i] {
                lost += spent;
            }
            city.centres[i] = Centre::Idle;
        }
        let stopped = centres.iter().map(|&i| (line, i));
        self.halted.entry(number).or_default().extend(stopped);
        let names: Vec<String> = centres.iter().map(|i| (i + 1).to_string()).collect();
        let mut note = format!("centre {} halted", names.join(" and "));
        if lost > 0 {
            note += &format!("; {} PP spent there are lost", pp(lost));
        }
        fine(note)
    }

    // ---- step 4: PP are deducted for C, I and E, then restarts

    fn spend(&mut self, orders: &[(u32, Order)]) {
        // An order that names no player settles nothing: the budget goes on.
        self.spied = orders.iter().any(|(_, o)| match o {
            Order::Investigate { player, .. } => {
                *player == u16::from(self.power.seat) || self.other_player(*player).is_some()
            }
            _ => false,
        });
        if !self.spied {
            self.pay_counter_spying();
        }
        self.each(orders, |desk, line, order| match order {
            Order::Construct { item: 31..=37, .. } => None,
            Order::Construct { city, item } => Some(desk.construct(line, *city, *item)),
            Order::Investigate { player, pp } => Some(desk.investigate(*player, *pp)),
            Order::Research { .. } => Some(pending()),
            _ => None,
        });
    }

    /// Pays the standing budget, or as much of it as there is.
    fn pay_counter_spying(&mut self) -> i64 {
        // Of several orders in a card the last one counts, and the limit is a turn's.
        self.power.stock += std::mem::take(&mut self.paid);
        self.paid = (self.power.counter_spying * 100).min(self.power.stock).max(0);
        self.power.stock -= self.paid;
        self.paid
    }

    fn investigate(&mut self, player: u16, amount: u32) -> Told {
        if player != u16::from(self.power.seat) {
            if self.other_player(player).is_none() {
                return self.no_player(player);
            }
            self.power.counter_spying = 0;
            return pending();
        }
        let limit = self.tables.rules.economy.spy_limit * i64::from(self.power.tech);
        self.power.counter_spying = i64::from(amount).min(limit);
        let paid = self.pay_counter_spying();
        if amount == 0 {
            return fine("counter-spying ends");
        }
        let note = format!("{} PP for counter-spying now and every turn", pp(paid));
        let not_yet = "foreign spies are not yet in force";
        if i64::from(amount) > limit {
            let text = format!("{note}; the limit is {limit} PP; {not_yet}");
            return told(Mark::Warning, "over-limit", text);
        }
        told(Mark::Warning, "paid", format!("{note}; {not_yet}"))
    }

    fn construct(&mut self, line: u32, number: u16, item: u8) -> Told {
        let Some(city) = self.power.cities.get(&number) else { return self.no_city(number) };
        if let 21..=23 = item {
            if planned_level(city) >= self.tables.rules.economy.level_max {
                return wrong("level-max", "the city has the highest defence level, 9");
            }
        } else {
            let Some(row) = self.tables.unit(item) else { return self.no_item(item) };
            if row.class == Class::Ship && !(self.coastal)(city.at) {
                let text = format!("city {number} is not on the coast and builds no ships");
                return wrong("inland", text);
            }
        }
        let (centre, replaced) = self.choose_centre(line, number);
        let started = self.start(number, centre, item);
        let place = format!("centre {}", centre + 1);
        let mut told = match started {
            Ok((turns, cost)) => {
                let ready = self.turn + u32::from(turns) - 1;
                let what = self.item_name(item);
                fine(format!(
                    "{place}: {what} for {} PP, ready at the end of turn {ready}",
                    pp(cost)
                ))
            }
            Err(cost) => {
                let text = format!(
                    "{place} waits: it needs {} PP, {} are left",
                    pp(cost),
                    pp(self.power.stock)
                );
                told(Mark::Warning, "short-of-pp", text)
            }
        };
        if replaced {
            told.mark = Mark::Warning;
            told.code = "replaced";
            told.note += "; all centres were busy, what this one had is lost";
        }
        told
    }

    /// The centre that a construct order uses (§6), and whether work is lost.
    fn choose_centre(&mut self, line: u32, number: u16) -> (usize, bool) {
        let halted = self.halted.entry(number).or_default();
        let centres = &self.power.cities[&number].centres;
        let fresh = |&(l, i): &(u32, usize)| l < line && centres[i] == Centre::Idle;
        if let Some(at) = halted.iter().position(fresh) {
            return (halted.remove(at).1, false);
        }
        let idle = centres.iter().position(|c| *c == Centre::Idle);
        let ready = || centres.iter().position(|c| matches!(c, Centre::Ready(_)));
        match idle.or_else(ready) {
            Some(i) => (i, false),
            None => (2, true),
        }
    }

    /// Starts an item if the PP are there; else the centre waits for them.
    fn start(&mut self, number: u16, centre: usize, item: u8) -> Result<(u8, i64), i64> {
        let Some(city) = self.power.cities.get_mut(&number) else { return Err(0) };
        // The centre's old work does not count towards the price of levels.
        city.centres[centre] = Centre::Ready(item);
        let (turns, cost) = price(self.tables, city, item);
        if cost > self.power.stock {
            return Err(cost);
        }
        self.power.stock -= cost;
        city.centres[centre] = Centre::Working { item, left: turns, spent: cost };
        Ok((turns, cost))
    }

    /// Centres that are ready begin again, by city number and centre.
    fn restart_centres(&mut self) {
        let cities: Vec<u16> = self.power.cities.keys().copied().collect();
        for number in cities {
            for centre in 0..3 {
                if let Centre::Ready(item) = self.power.cities[&number].centres[centre] {
                    // Short of PP it stays ready, which is what the rule wants.
                    let _ = self.start(number, centre, item);
                }
            }
        }
    }

    // ---- step 6: A, M and K are issued

    fn issue(&mut self, orders: &[(u32, Order)]) {
        self.each(orders, |desk, line, order| match order {
            Order::Advance { who: Who::Unit(no), aim } => Some(match desk.aim(*aim) {
                Err(told) => told,
                Ok(target) => {
                    let goal = Goal { target, convoy: false };
                    desk.plan(line, *no, Way::Advance(goal), false)
                }
            }),
            Order::March { who: Who::Unit(no), steps } => {
                Some(desk.plan(line, *no, Way::March(steps.clone()), false))
            }
            Order::Engineer { unit, task } => Some(desk.engineer(line, *unit, *task)),
            _ => None,
        });
        self.each(orders, |desk, line, order| match order {
            Order::Advance { who: Who::Sector(s), aim } => Some(match desk.aim(*aim) {
                Err(told) => told,
                Ok(target) => {
                    desk.move_all(line, *s, |convoy| Way::Advance(Goal { target, convoy }))
                }
            }),
            Order::March { who: Who::Sector(s), steps } => {
                Some(desk.move_all(line, *s, |_| Way::March(steps.clone())))
            }
            _ => None,
        });
    }

    fn aim(&self, aim: Aim) -> Result<Target, Told> {
        match aim {
            Aim::Heading(direction) => Ok(Target::Heading(direction)),
            Aim::Sector(sector) => self.square(sector).map(Target::Sector),
        }
    }

    /// Notes the one order of a unit.
    fn take(&mut self, line: u32, no: u16) -> Result<(), Told> {
        if !self.power.units.contains_key(&no) {
            return Err(self.no_unit(no));
        }
        if let Some(first) = self.ordered.get(&no) {
            return Err(second_order(no, *first));
        }
        self.ordered.insert(no, line);
        Ok(())
    }

    fn plan(&mut self, line: u32, no: u16, way: Way, convoy: bool) -> Told {
        if let Err(told) = self.take(line, no) {
            return told;
        }
        if let Some(unit) = self.power.units.get_mut(&no) {
            unit.goal = match way {
                Way::Advance(goal) => Some(goal),
                Way::March(_) => None,
            };
        }
        self.plans.insert(no, Plan { way, convoy, line: Some(line) });
        fine("")
    }

    fn engineer(&mut self, line: u32, unit: u16, task: u8) -> Told {
        let kind = self.power.units.get(&unit).map(|u| u.kind);
        if kind.is_some_and(|k| k != super::state::ENGINEER) {
            return wrong("no-engineers", format!("unit {unit} is no engineer division"));
        }
        if task != 1 {
            return wrong("task", "task 1, ruins, is all that engineers know at tech level 1");
        }
        match self.take(line, unit) {
            Ok(()) => pending(),
            Err(told) => told,
        }
    }

    /// Orders all units in a sector that have no order and are not aboard.
    fn move_all(&mut self, line: u32, sector: SectorNo, way: impl Fn(bool) -> Way) -> Told {
        let place = match self.square(sector) {
            Ok(place) => place,
            Err(told) => return told,
        };
        let here = |u: &Unit| u.at == place && u.aboard.is_none();
        let all: Vec<u16> =
            self.power.units.iter().filter(|(_, u)| here(u)).map(|(n, _)| *n).collect();
        let free: Vec<u16> =
            all.iter().filter(|n| !self.ordered.contains_key(n)).copied().collect();
        if free.is_empty() {
            let text = match all.is_empty() {
                true => format!("no unit of yours in {sector}"),
                false => format!("every unit of yours in {sector} has an order already"),
            };
            return wrong("nobody-there", text);
        }
        self.sectors.insert(place);
        let convoy = self.is_convoy(&free);
        for &no in &free {
            let rides = convoy && self.rides(no);
            self.plan(line, no, way(rides), rides);
        }
        let by_truck = if convoy { ", infantry by truck" } else { "" };
        fine(format!("units {}{by_truck}", ranges(free)))
    }

    fn rides(&self, no: u16) -> bool {
        self.power.units.get(&no).is_some_and(|u| u.kind == INFANTRY || u.kind == TRUCK)
    }

    /// At least one truck regiment for each infantry regiment, and some of both.
    fn is_convoy(&self, units: &[u16]) -> bool {
        let regiments = |kind: u8| {
            let of_kind = units.iter().filter_map(|n| self.power.units.get(n));
            of_kind.filter(|u| u.kind == kind).map(|u| u32::from(u.size)).sum::<u32>()
        };
        let infantry = regiments(INFANTRY);
        infantry > 0 && regiments(TRUCK) >= infantry
    }

    /// Advances of earlier turns go on; convoys are counted again.
    fn standing_advances(&mut self) {
        let mut groups: BTreeMap<(Place, bool), Vec<u16>> = BTreeMap::new();
        for (no, unit) in &self.power.units {
            if let (Some(goal), None) = (unit.goal, self.ordered.get(no)) {
                groups.entry((unit.at, goal.convoy)).or_default().push(*no);
            }
        }
        for ((_, wants), units) in groups {
            let convoy = wants && self.is_convoy(&units);
            for no in units {
                let Some(goal) = self.power.units[&no].goal else { continue };
                let plan = Plan { way: Way::Advance(goal), convoy, line: None };
                self.plans.insert(no, plan);
            }
        }
    }

    // ---- step 11: messages are put together

    fn write_letters(&mut self, orders: &[(u32, Order)]) {
        let mut open: Option<Draft> = None;
        for (line, order) in orders {
            match order {
                Order::Message { player, numbers } => {
                    if let Some(done) = open.take() {
                        self.finish_letter(done);
                    }
                    let numbers = numbers.iter().map(|n| (*line, n.clone())).collect();
                    open = Some(Draft { line: *line, player: *player, numbers });
                    self.told.insert(*line, fine(""));
                }
                Order::Continue { numbers } => {
                    let told = match &mut open {
                        Some(draft) => {
                            draft.numbers.extend(numbers.iter().map(|n| (*line, n.clone())));
                            fine("")
                        }
                        None => wrong("no-message", "there is no Y line above to go on with"),
                    };
                    self.told.insert(*line, told);
                }
                _ => {}
            }
        }
        if let Some(done) = open.take() {
            self.finish_letter(done);
        }
    }

    fn finish_letter(&mut self, Draft { line: first, player, numbers }: Draft) {
        let to = match player {
            EVERYBODY => None,
            _ => match self.other_player(player) {
                Some(to) => Some(to),
                None => {
                    let told = self.no_player(player);
                    self.told.insert(first, told);
                    return;
                }
            },
        };
        let sentences = self.read_codes(&numbers);
        match sentences {
            Ok(sentences) => self.letters.push(Letter { to, sentences }),
            Err((line, told)) => {
                let lines: BTreeSet<u32> = numbers.iter().map(|(l, _)| *l).collect();
                for other in lines.into_iter().filter(|l| *l != line) {
                    let text = format!("not sent because of line {line}");
                    self.told.insert(other, wrong("not-sent", text));
                }
                self.told.insert(line, told);
            }
        }
    }

    /// Codes and their parameters over all lines of a message.
    fn read_codes(&mut self, numbers: &[(u32, String)]) -> Result<Vec<Sentence>, (u32, Told)> {
        let mut sentences: Vec<Sentence> = Vec::new();
        let mut rest = numbers.iter();
        while let Some((line, word)) = rest.next() {
            let code = word.parse().ok();
            let Some(row) = code.and_then(|c| self.tables.message(c)) else {
                let last = sentences.last().and_then(|s| self.tables.message(s.code));
                if last.is_some_and(|row| row.says.contains('[')) {
                    let text = format!("{word} is no code and is ignored");
                    self.told.insert(*line, told(Mark::Warning, "ignored", text));
                    continue;
                }
                return Err((*line, wrong("code", format!("{word} is no message code"))));
            };
            let mut params = Vec::new();
            for kind in row.takes.chars() {
                let takes = || format!("code {} takes {}", row.code, spelled(&row.takes));
                let Some((_, word)) = rest.next() else {
                    let text = format!("a number is missing: {}", takes());
                    return Err((*line, wrong("code-parameter", text)));
                };
                match self.param(kind, word) {
                    Some(param) => params.push(param),
                    None => {
                        let text = format!("{word} does not fit: {}", takes());
                        return Err((*line, wrong("code-parameter", text)));
                    }
                }
            }
            sentences.push(Sentence { code: row.code, params });
        }
        Ok(sentences)
    }

    fn param(&self, kind: char, word: &str) -> Option<Param> {
        match kind {
            'S' => {
                let sector = read_sector(word)?;
                sector.on(self.grid).map(|_| Param::Sector(sector.col, sector.row))
            }
            _ => word.parse().ok().map(Param::Number),
        }
    }

    // ---- answers that are the same for what is not yours and what is not there

    fn no_unit(&self, no: u16) -> Told {
        let yours = match self.power.units.is_empty() {
            true => "you have none".to_owned(),
            false => format!("yours are {}", ranges(self.power.units.keys().copied())),
        };
        wrong("no-unit", format!("no unit {no} of yours; {yours}"))
    }

    fn no_city(&self, no: u16) -> Told {
        let yours = match self.power.cities.is_empty() {
            true => "you have none".to_owned(),
            false => format!("yours are {}", ranges(self.power.cities.keys().copied())),
        };
        wrong("no-city", format!("no city or airbase {no} of yours; {yours}"))
    }

    fn no_player(&self, player: u16) -> Told {
        let text = format!("{player} is no other player; players are 1-{}", self.seats);
        wrong("no-player", text)
    }

    fn no_item(&self, item: u8) -> Told {
        let ids: Vec<u16> = self.tables.units.iter().map(|u| u.id.into()).collect();
        let text = format!("nothing has ID {item}; IDs are {}, 21-23, 31-37", ranges(ids));
        wrong("no-item", text)
    }

    fn square(&self, sector: SectorNo) -> Result<Place, Told> {
        let Grid { cols, rows } = self.grid;
        let text =
            || format!("{sector} is off the map; columns are 001-{cols:03}, rows 01-{rows:02}");
        sector.on(self.grid).ok_or_else(|| wrong("off-map", text()))
    }

    fn other_player(&self, player: u16) -> Option<u8> {
        let number = u8::try_from(player).ok()?;
        ((1..=self.seats).contains(&number) && number != self.power.seat).then_some(number)
    }

    fn has_cargo(&self, ship: u16) -> bool {
        self.power.cargo(ship).next().is_some()
    }

    fn item_name(&self, item: u8) -> String {
        match item {
            21 => "1 defence level".to_owned(),
            22 | 23 => format!("{} defence levels", item - 20),
            _ => self.tables.unit(item).map_or_else(String::new, |u| u.name.clone()),
        }
    }
}

/// Turns and price in hundredths of PP of an item at a city.
///
/// Levels cost five times the current level for each; levels in work at other
/// centres count as built, so that two centres pay what one would [ours].
fn price(tables: &Tables, city: &City, item: u8) -> (u8, i64) {
    if let 21..=23 = item {
        let e = &tables.rules.economy;
        let from = planned_level(city);
        let to = (from + (item - 20)).min(e.level_max);
        return (1, (from..to).map(|level| e.level_cost * i64::from(level) * 100).sum());
    }
    tables.unit(item).map_or((1, 0), |row: &UnitRow| (row.turns, row.pp * 100))
}

/// The level that a city will have when the work of all its centres is done.
pub fn planned_level(city: &City) -> u8 {
    let in_work = city.centres.iter().map(|c| match c {
        Centre::Working { item: item @ 21..=23, .. } => item - 20,
        _ => 0,
    });
    city.level + in_work.sum::<u8>()
}

/// Hundredths of PP as players read them.
pub fn pp(hundredths: i64) -> String {
    match hundredths % 100 {
        0 => (hundredths / 100).to_string(),
        _ => format!("{}.{:02}", hundredths / 100, hundredths % 100),
    }
}

/// `1-3, 7` for 1 2 3 7.
pub fn ranges(numbers: impl IntoIterator<Item = u16>) -> String {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for n in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => runs.push((n, n)),
        }
    }
    let text = |&(a, b): &(u16, u16)| if a == b { a.to_string() } else { format!("{a}-{b}") };
    runs.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn spelled(takes: &str) -> String {
    let kinds = takes.chars().map(|k| if k == 'S' { "a sector" } else { "a number" });
    kinds.collect::<Vec<_>>().join(", ")
}
