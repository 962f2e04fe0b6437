//! The effect of a seat's orders on its own position before anything moves.
//!
//! The desk does part of the processing sequence: step 1 here, 2 in `planes` and `missiles`, 3 and
//! 4 in `spending`, 6 here and in `works`, 11 in `letters`.
//!
//! Both the echo and the turn run a card through the same [`Desk`]: the echo on a copy of the
//! position in the seat's view, the turn on the position itself. So an echo can't promise what the
//! turn does not do. The desk sees one power and the public facts of the map; it cannot reveal what
//! the seat can't know.

pub mod letters;
mod missiles;
mod paper;
pub mod planes;
pub mod spending;
mod works;

pub use letters::values;
pub use spending::planned_level;

use std::collections::{BTreeMap, BTreeSet};

pub use self::paper::{
    Bill, Drop, Ferry, Inquiry, Job, Letter, Lift, Paper, Param, Plan, Salvo, Sentence, Sortie,
    Way, Wing,
};
use super::bases::BaseNo;
use super::orders::{Aim, Named, Order, SectorNo, Who};
use super::phrases::ranges;
use super::state::{
    Billet, CARRIER, Goal, INFANTRY, LEVEL, Power, TRUCK, Target, Unit, average_rank,
};
use super::tables::{Tables, Terrain};
use engine::geometry::{Grid, Place};
use engine::{CardText, Fault, Mark, Told};
use tongue::{count, say, word};

/// The most characters of a name (§9, N).
pub const NAME_LEN_MAX: usize = 12;
/// The addressee of a broadcast in games of up to 100 seats; 0 works in all games.
pub const EVERYBODY: u16 = 101;

/// The answer to an order that was right but came after an air strike destroyed its unit.
fn destroyed(text: String) -> Told {
    Told::warning("destroyed", text)
}

fn second_order(no: u16, first: u32) -> Told {
    Told::error("second-order", say!("unit {no} has its order in line {first}, which stands"))
}

/// What a desk knows besides its seat's own position: public facts of the game, and facts that the
/// seat knows.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The tables of the game.
    pub tables: &'a Tables,
    /// Size of the map.
    pub grid: Grid,
    /// Number of seats.
    pub seats: u8,
    /// The turn that the card is for.
    pub turn: u32,
    /// Whether a sector is sea: land and sea are public.
    pub sea: &'a dyn Fn(Place) -> bool,
    /// Whether there are ruins in a sector where the seat has a unit.
    pub ruined: &'a dyn Fn(Place) -> bool,
    /// Whether there is a city in a sector where the seat has a unit.
    pub city: &'a dyn Fn(Place) -> bool,
    /// The ground of a sector where the seat has a unit.
    pub ground: &'a dyn Fn(Place) -> Option<Terrain>,
    /// Members of the seat's coalition, itself among them; empty without one.
    pub coalition: &'a BTreeSet<u8>,
    /// Whether a card is judged before its turn. Only then do the answers say how lines affect one
    /// another; the results of a turn report it themselves.
    pub before: bool,
}

impl Facts<'_> {
    fn is_coastal(&self, place: Place) -> bool {
        self.grid.neighbours(place).any(|(_, p)| (self.sea)(p))
    }
}

/// The desk of one seat for one turn.
pub struct Desk<'a> {
    /// What it knows besides its seat's position.
    pub facts: Facts<'a>,
    /// The seat's position, changed as orders are taken up.
    pub power: &'a mut Power,
    /// The results of the orders so far.
    pub paper: Paper,
}

impl<'a> Desk<'a> {
    /// An empty desk.
    pub fn new(facts: Facts<'a>, power: &'a mut Power) -> Self {
        Self { facts, power, paper: Paper::default() }
    }

    /// All steps of the processing sequence that depend only on the seat's own position, as the
    /// echo needs them; the turn calls them one by one.
    pub fn carry_out(&mut self, orders: &[(u32, Order)]) {
        self.at_once(orders);
        planes::assign_planes(self, orders);
        spending::halts(self, orders);
        spending::spend(self, orders);
        self.issue(orders);
        letters::write_letters(self, orders);
        self.forgive_repeats(orders);
    }

    /// Turns the error of an order that repeats an earlier line into a remark: the earlier line is
    /// carried out.
    pub fn forgive_repeats(&mut self, orders: &[(u32, Order)]) {
        let told = &mut self.paper.told;
        for (n, (line, order)) in orders.iter().enumerate() {
            if told.get(line).is_none_or(|t| t.code != "second-order") {
                continue;
            }
            let right = |l: u32| told.get(&l).is_some_and(|t| t.mark != Mark::Error);
            let first = orders[..n].iter().find(|(l, same)| same == order && right(*l));
            if let Some((first, _)) = first {
                told.insert(*line, Told::remark(say!("the same as line {first}, which stands")));
            }
        }
    }

    fn each(
        &mut self,
        orders: &[(u32, Order)],
        act: impl Fn(&mut Self, u32, &Order) -> Option<Told>,
    ) {
        for (line, order) in orders {
            if let Some(told) = act(self, *line, order) {
                self.paper.told.insert(*line, told);
            }
        }
    }

    // ---- step 1: P W D L S N and J, in card order

    /// Step 1.
    pub fn at_once(&mut self, orders: &[(u32, Order)]) {
        self.each(orders, |desk, _, order| match order {
            Order::Position { general, unit } => Some(desk.position(*general, *unit)),
            Order::Watch { base, fighters } => Some(desk.watch(*base, *fighters)),
            Order::Declare { player } => Some(desk.declare(*player)),
            Order::Link { unit, other } => Some(desk.link(*unit, *other)),
            Order::Split { unit, number } => Some(desk.split(*unit, *number)),
            Order::Name { what, number, name } => Some(desk.name(*what, *number, name)),
            Order::Coalition { player } => Some(desk.coalition(*player)),
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
                Told::ok(say!("general {general} goes to unit {unit}"))
            }
            _ => {
                Told::error("no-general", say!("no general {general} of yours; you have 1-{count}"))
            }
        }
    }

    fn watch(&mut self, base: BaseNo, fighters: u16) -> Told {
        let Some(hangar) = self.power.hangar_mut(base) else { return self.no_base(base) };
        hangar.watch = fighters;
        let there = hangar.planes.cover();
        match fighters {
            0 => Told::ok(say!("no fighter of airbase {base} is on watch")),
            n if n > there => Told::warning(
                "planes-short",
                count!(
                    there,
                    "airbase {base} has {there} fighter; later ones go on watch too",
                    "airbase {base} has {there} fighters; later ones go on watch too"
                ),
            ),
            n if n == there => Told::ok(count!(
                n,
                "{n} fighter on watch, every turn",
                "{n} fighters on watch, every turn"
            )),
            n => Told::ok(say!("{n} of {there} fighters on watch, every turn")),
        }
    }

    fn declare(&mut self, player: u16) -> Told {
        let Some(other) = self.other_player(player) else { return self.no_player(player) };
        if self.facts.coalition.contains(&other) {
            let text = say!("player {other} is in your coalition; J 0 leaves it");
            return Told::error("in-coalition", text);
        }
        if self.power.allies.remove(&other) {
            return Told::ok(say!("player {other} is your ally no longer"));
        }
        let most = self.facts.tables.rules.alliance.allies_max;
        if self.power.allies.len() >= most {
            return Told::error(
                "allies-full",
                say!("you have {most} allies, the most there can be"),
            );
        }
        self.power.allies.insert(other);
        Told::ok(say!("player {other} is your ally now, but may still attack you"))
    }

    /// J: a pledge, leaving, or a vote to expel (§8).
    fn coalition(&mut self, player: i32) -> Told {
        let first = self.facts.tables.rules.victory.coalition_turn;
        if self.facts.turn < first {
            let text = say!("coalitions are not formed before turn {first}");
            return Told::error("too-early", text);
        }
        if player == 0 {
            self.paper.leaves = true;
            self.power.pledges.clear();
            self.power.expels.clear();
            return Told::ok(say!("you leave your coalition and withdraw your offers"));
        }
        let number = u16::try_from(player.unsigned_abs()).unwrap_or(u16::MAX);
        let Some(other) = self.other_player(number) else { return self.no_player(number) };
        let member = self.facts.coalition.contains(&other);
        match (player < 0, member) {
            (true, false) => {
                Told::error("no-member", say!("player {other} is not in a coalition with you"))
            }
            (true, true) => {
                self.power.expels.insert(other);
                Told::ok(say!("you vote to expel player {other}; a majority of the others decides"))
            }
            (false, true) => {
                self.power.expels.remove(&other);
                Told::ok(say!("player {other} stays in the coalition as far as you are concerned"))
            }
            (false, false) => {
                self.power.pledges.insert(other);
                Told::ok(say!(
                    "you would be in a coalition with player {other}; it stands when each of its \
                     members has ordered J for each other"
                ))
            }
        }
    }

    fn link(&mut self, unit: u16, other: Option<u16>) -> Told {
        let Some(first) = self.power.units.get(&unit).cloned() else { return self.no_unit(unit) };
        let most = self.facts.tables.rules.economy.division_max;
        let numbers: Vec<u16> = match other {
            Some(other) if other == unit => {
                return Told::error("same-unit", say!("a unit can't be linked with itself"));
            }
            Some(other) if !self.power.units.contains_key(&other) => return self.no_unit(other),
            Some(other) => vec![unit, other],
            None => {
                let alike = |u: &Unit| u.kind == first.kind && u.at == first.at;
                let found = self.power.units.iter().filter(|(_, u)| alike(u));
                let free = found.filter(|(n, u)| u.aboard.is_none() && !self.has_cargo(**n));
                let mut size = first.size;
                // The named unit first, then the others by number, as long as the whole stays
                // legal.
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
            let text = say!("no other unit of that type in the sector fits");
            return Told::error("nothing-to-link", text);
        }
        let units: Vec<&Unit> = numbers.iter().map(|n| &self.power.units[n]).collect();
        if units.iter().any(|u| u.kind != first.kind) {
            return Told::error("other-type", say!("only units of one type can be linked"));
        }
        if units.iter().any(|u| u.at != first.at) {
            return Told::error("other-sector", say!("only units in one sector can be linked"));
        }
        let aboard = units.iter().any(|u| u.aboard.is_some());
        if aboard || numbers.iter().any(|n| self.has_cargo(*n)) {
            return Told::error(
                "loaded",
                say!("units aboard and ships with cargo can't be linked; unload first"),
            );
        }
        let size: u16 = units.iter().map(|u| u.size).sum();
        if size > most {
            return Told::error(
                "too-large",
                say!("together they are {size}; a unit has at most {most}"),
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
            self.power.decks.remove(gone);
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
        Told::ok(say!("unit {lowest} has {size} now"))
    }

    fn split(&mut self, unit: u16, number: u16) -> Told {
        let Some(old) = self.power.units.get(&unit).cloned() else { return self.no_unit(unit) };
        if old.aboard.is_some() || self.has_cargo(unit) {
            return Told::error(
                "loaded",
                say!("units aboard and ships with cargo can't be split; unload first"),
            );
        }
        if number == 0 || number >= old.size {
            let text = match old.size {
                1 => say!("unit {unit} has only 1"),
                size => {
                    say!("unit {unit} has {size}; 1 to {most} can be split off", most = size - 1)
                }
            };
            return Told::error("split-all", text);
        }
        let new = self.power.free_number();
        let rest = Unit { size: old.size - number, ..old.clone() };
        self.power.units.insert(unit, rest);
        self.power.units.insert(new, Unit { size: number, ..old });
        self.power.deck(self.facts.tables, new);
        Told::ok(say!("new unit {new} has {number}"))
    }

    fn name(&mut self, what: Named, number: u16, name: &str) -> Told {
        let name: String = name.to_owned();
        if name.chars().count() > NAME_LEN_MAX {
            let long = name.chars().count();
            return Told::error("name-too-long", say!("{long} characters; a name has at most 12"));
        }
        let note = Told::ok(say!("named {name}"));
        match what {
            Named::General => {
                let index = usize::from(number).wrapping_sub(1);
                let count = self.power.generals.len();
                match self.power.generals.get_mut(index) {
                    Some(general) => general.name = name,
                    None => {
                        let text = say!(
                            "no general {general} of yours; you have 1-{count}",
                            general = number
                        );
                        return Told::error("no-general", text);
                    }
                }
            }
            Named::City | Named::Airbase => match self.power.cities.get_mut(&number) {
                Some(city) if what == Named::City => city.name = name,
                Some(city) => city.base_name = name,
                None => match self.power.airbases.get_mut(&number) {
                    Some(base) if what == Named::Airbase => base.name = name,
                    _ => return self.no_city(number),
                },
            },
        }
        note
    }

    // ---- step 6: A, M and K are issued, standing advances go on

    /// Step 6.
    pub fn issue(&mut self, orders: &[(u32, Order)]) {
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
            Order::Engineer { unit, task } => Some(works::engineer(desk, line, *unit, *task)),
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
        if self.facts.before {
            works::count_works(self);
        }
        self.standing_advances();
    }

    fn aim(&self, aim: Aim) -> Result<Target, Told> {
        match aim {
            Aim::Heading(direction) => Ok(Target::Heading(direction)),
            Aim::Sector(sector) => self.square(sector).map(Target::Sector),
        }
    }

    /// A unit that exists, or existed when the missions of step 5 began.
    fn known(&self, no: u16) -> Option<&Unit> {
        self.power.units.get(&no).or_else(|| self.paper.standing.get(&no))
    }

    /// Notes that a unit has its one order.
    fn take(&mut self, line: u32, no: u16) -> Result<(), Told> {
        if self.known(no).is_none() {
            return Err(self.no_unit(no));
        }
        if let Some(first) = self.paper.ordered.get(&no) {
            return Err(second_order(no, *first));
        }
        self.paper.ordered.insert(no, line);
        match self.power.units.contains_key(&no) {
            true => Ok(()),
            false => {
                Err(destroyed(say!("unit {no} was destroyed from the air before it could move")))
            }
        }
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
        self.paper.plans.insert(no, Plan { way, convoy, line: Some(line) });
        Told::ok("")
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
            all.iter().filter(|n| !self.paper.ordered.contains_key(n)).copied().collect();
        let gone = |(n, u): &(&u16, &Unit)| {
            here(u) && !self.power.units.contains_key(n) && !self.paper.ordered.contains_key(n)
        };
        let gone: Vec<u16> = self.paper.standing.iter().filter(gone).map(|(n, _)| *n).collect();
        self.paper.ordered.extend(gone.iter().map(|n| (*n, line)));
        if free.is_empty() && !gone.is_empty() {
            return destroyed(say!(
                "your force in {sector} was destroyed from the air before it could move"
            ));
        }
        if free.is_empty() {
            let text = match all.is_empty() {
                true => say!("no unit of yours in {sector}"),
                false => say!("every unit of yours in {sector} has an order already"),
            };
            return Told::error("nobody-there", text);
        }
        let convoy = self.is_convoy(&free);
        for &no in &free {
            let rides = convoy && self.rides(no);
            self.plan(line, no, way(rides), rides);
        }
        let units = ranges(free);
        Told::ok(match convoy {
            true => say!("units {units}, infantry by truck"),
            false => say!("units {units}"),
        })
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
            if let (Some(goal), None) = (unit.goal, self.paper.ordered.get(no)) {
                groups.entry((unit.at, goal.convoy)).or_default().push(*no);
            }
        }
        for ((_, wants), units) in groups {
            let convoy = wants && self.is_convoy(&units);
            for no in units {
                let Some(goal) = self.power.units[&no].goal else { continue };
                let plan = Plan { way: Way::Advance(goal), convoy, line: None };
                self.paper.plans.insert(no, plan);
            }
        }
    }

    // ---- answers that do not differ between what is not yours and what does not exist

    fn no_unit(&self, no: u16) -> Told {
        let numbers = ranges(self.power.units.keys().copied());
        let text = match numbers.is_empty() {
            true => say!("no unit {no} of yours; you have none"),
            false => say!("no unit {no} of yours; yours are {numbers}"),
        };
        Told::error("no-unit", text)
    }

    fn no_base(&self, base: BaseNo) -> Told {
        let numbers = self.power.cities.keys().chain(self.power.airbases.keys()).copied();
        let mut yours: Vec<String> = Vec::new();
        yours.extend(Some(ranges(numbers)).filter(|n| !n.is_empty()));
        yours.extend(self.power.decks.keys().map(|no| BaseNo::Ship(*no).to_string()));
        self.no_place(&base.to_string(), &yours.join(", "))
    }

    fn no_city(&self, no: u16) -> Told {
        self.no_place(&no.to_string(), &ranges(self.power.cities.keys().copied()))
    }

    fn no_place(&self, base: &str, numbers: &str) -> Told {
        let text = match numbers.is_empty() {
            true => say!("no city or airbase {base} of yours; you have none"),
            false => say!("no city or airbase {base} of yours; yours are {numbers}"),
        };
        Told::error("no-city", text)
    }

    fn no_player(&self, player: u16) -> Told {
        let seats = self.facts.seats;
        let text = say!("{player} is no other player; players are 1-{seats}");
        Told::error("no-player", text)
    }

    fn no_item(&self, item: u8) -> Told {
        let known = self.facts.tables.units.iter().filter(|u| u.tech <= self.power.tech);
        let ids = ranges(known.map(|u| u.id.into()));
        let text = say!("nothing has ID {item}; IDs are {ids}, 21-23, 31-37");
        Told::error("no-item", text)
    }

    fn square(&self, sector: SectorNo) -> Result<Place, Told> {
        let Grid { cols, rows, .. } = self.facts.grid;
        let text = || say!("{sector} is off the map; columns are 001-{cols:03}, rows 01-{rows:02}");
        sector.on(self.facts.grid).ok_or_else(|| Told::error("off-map", text()))
    }

    fn other_player(&self, player: u16) -> Option<u8> {
        let number = u8::try_from(player).ok()?;
        ((1..=self.facts.seats).contains(&number) && number != self.power.seat).then_some(number)
    }

    /// Whether a message goes to everybody: 0 always does, 101 where no seat has that number.
    fn is_everybody(&self, player: u16) -> bool {
        player == 0 || player == EVERYBODY && u16::from(self.facts.seats) < EVERYBODY
    }

    fn has_cargo(&self, ship: u16) -> bool {
        let deck = self.power.decks.get(&ship);
        self.power.cargo(ship).next().is_some() || deck.is_some_and(|d| !d.is_empty())
    }

    fn item_name(&self, item: u8) -> String {
        match item {
            LEVEL => say!("a defence level"),
            _ => {
                let row = self.facts.tables.unit(item);
                row.map_or_else(String::new, |u| word(&u.name).into_owned())
            }
        }
    }

    /// Whether a base is the deck of a carrier.
    pub(super) fn is_carrier(&self, base: BaseNo) -> bool {
        let BaseNo::Ship(no) = base else { return false };
        self.power.units.get(&no).is_some_and(|u| u.kind == CARRIER)
    }
}

/// The answer to every line of a seat whose empire has fallen.
pub fn fallen(card: &CardText) -> Vec<Fault> {
    let text = say!("your empire has fallen; it gives no more orders");
    let fault =
        |(line, _): &(u32, String)| Fault { line: *line, code: "fallen", text: text.clone() };
    card.lines.iter().map(fault).collect()
}
