//! A computer player: reads a seat's view and writes a card as a person would.
//!
//! It knows nothing but the [`View`] and its own notes, and orders in the same lines that people
//! mail. The same view, notes and dice give the same card. In order, it talks to neighbours,
//! decides what each city must keep, plans attacks and gathers their forces, sails with its
//! landings and escorts, sends idle forces to the front, sets its engineers to work, hunts raiders,
//! claims land, builds, drops paratroops, fires, flies, and sends its generals where fights are
//! expected.

mod build;
mod centres;
mod claims;
mod diplomacy;
mod drops;
mod engineers;
mod escorts;
mod estimate;
mod field;
mod fleet;
mod force;
mod generals;
mod notes;
mod planes;
mod stacks;
mod war;
mod weapons;

use std::collections::{BTreeMap, BTreeSet};

use super::events::Event;
use super::level::Level;
use super::orders::sector_no;
use super::state::{NOBODY, Power, Unit, is_land};
use super::tables::Class;
use super::view::{Ground, KnownCity, Spotted, View};
use crate::Warlord;
use engine::geometry::Place;
use engine::graph::Areas;
use engine::{CardText, Computers, Dice, Play};
use field::Fields;
use notes::Notes;

impl Computers for Warlord {
    fn play(view: &View, notes: &str, dice: &mut Dice) -> Play {
        play(view, notes, dice)
    }
}

/// Writes the card of a seat at the strength that the game sets for it.
pub fn play(view: &View, notes: &str, dice: &mut Dice) -> Play {
    let level = view.tables.computer.of(view.tables.strength(view.seat)).clone();
    play_at(view, notes, dice, &level)
}

/// Writes the card of a seat at a strength.
pub fn play_at(view: &View, notes: &str, dice: &mut Dice, level: &Level) -> Play {
    if view.power.fell.is_some() || view.over.is_some() {
        return Play::default();
    }
    let mut brain = Brain::new(view, Notes::read(notes), dice, level);
    diplomacy::talk(&mut brain);
    war::hold(&mut brain);
    war::make_war(&mut brain);
    fleet::sail(&mut brain);
    war::rest(&mut brain);
    engineers::dig(&mut brain);
    war::hunt(&mut brain);
    claims::claim(&mut brain);
    build::build(&mut brain);
    drops::drop_troops(&mut brain);
    weapons::fire(&mut brain);
    planes::watch(&mut brain);
    planes::fly(&mut brain);
    diplomacy::tell_allies(&mut brain);
    generals::post_generals(&mut brain);
    let card = CardText::numbered(1, brain.lines.iter().map(String::as_str));
    Play { card, notes: brain.notes.text() }
}

/// A fight that a card leads to.
#[derive(Debug, Clone)]
pub struct Fight {
    /// Where it is.
    pub at: Place,
    /// A unit that will be there.
    pub unit: u16,
    /// How much is at stake, in thousandths of strength.
    pub weight: i64,
    /// Turns until the fight.
    pub turns: u32,
}

/// The state of a computer player while it writes one card.
struct Brain<'a> {
    view: &'a View,
    level: &'a Level,
    dice: &'a mut Dice,
    notes: Notes,
    lines: Vec<String>,
    /// The position after the lines so far, as far as unit numbers, sizes and the like go.
    power: Power,
    /// Units that have an order or must stay.
    busy: BTreeSet<u16>,
    /// Units that stay where they are, usually until the others of an attack have come.
    waiting: BTreeSet<u16>,
    /// Continent of each sector; 0 is sea.
    land: Areas,
    /// Ways over land from where forces stand.
    fields: Fields,
    /// Cities worth taking, by number.
    targets: BTreeMap<u16, KnownCity>,
    /// Regiments of foreign players near each own city.
    threats: BTreeMap<u16, u32>,
    /// Regiments of infantry that each own city keeps.
    holds: BTreeMap<u16, u16>,
    /// The city where paratroops wait with their bombers. It stays the same for the whole card,
    /// even after some of them are sent off.
    drop_base: Option<(u16, Place)>,
    /// Own places that planes of others have bombed.
    struck: BTreeSet<Place>,
    /// Sectors that a unit is on the way to.
    taken: BTreeSet<Place>,
    /// Fights that this card leads to.
    fights: Vec<Fight>,
    /// The other player who is known to hold the most cities, if they are many.
    leader: Option<u8>,
    /// The player whom an ally is about to attack.
    rally: Option<u8>,
    /// Whether troops stand idle because they can take nothing within their reach.
    stuck: bool,
    /// PP in hundredths that may still be spent.
    purse: i64,
}

/// Sectors around a city within which foreign troops are a threat.
const THREAT_RANGE: i32 = 7;

impl<'a> Brain<'a> {
    fn new(view: &'a View, notes: Notes, dice: &'a mut Dice, level: &'a Level) -> Self {
        let taken = view.power.units.values().filter_map(|u| match u.goal?.target {
            super::state::Target::Sector(at) => Some(at),
            super::state::Target::Heading(_) => None,
        });
        let struck = view.events.iter().filter_map(|e| match e {
            Event::AirStrike(s) if s.target == view.seat && s.by != view.seat => Some(s.at),
            _ => None,
        });
        let mut brain = Self {
            view,
            level,
            dice,
            notes,
            lines: Vec::new(),
            power: view.power.clone(),
            busy: BTreeSet::new(),
            waiting: BTreeSet::new(),
            land: continents(view),
            fields: Fields::of(view),
            targets: BTreeMap::new(),
            threats: BTreeMap::new(),
            holds: BTreeMap::new(),
            drop_base: None,
            struck: struck.collect(),
            taken: taken.collect(),
            fights: Vec::new(),
            leader: None,
            rally: None,
            stuck: false,
            purse: view.power.stock,
        };
        brain.find_targets();
        brain.leader = brain.find_leader();
        brain.drop_base = drops::find_drop_base(&brain);
        let seen = |at| brain.in_sight(at);
        let mut notes = brain.notes.clone();
        notes.look(view, seen);
        brain.notes = notes;
        for (number, city) in &view.power.cities {
            let near = view.spotted.iter().filter(|s| brain.is_enemy(s));
            let near = near.filter(|s| view.grid.distance(s.at, city.at) <= THREAT_RANGE);
            let regiments: u32 = near.map(|s| u32::from(s.size)).sum();
            brain.threats.insert(*number, regiments);
        }
        brain
    }

    /// Cities of all but allies.
    fn find_targets(&mut self) {
        let allies = &self.power.allies;
        let hostile = |owner: Option<u8>| owner.is_none_or(|o| !allies.contains(&o));
        let cities = self.view.cities.iter().filter(|c| hostile(c.seen.owner));
        self.targets = cities.map(|c| (c.number, c.clone())).collect();
    }

    /// The player who is known to hold most cities, if they are at least three fifths of those that
    /// win the game.
    fn find_leader(&self) -> Option<u8> {
        let mut held: BTreeMap<u8, u32> = BTreeMap::new();
        for owner in self.view.cities.iter().filter_map(|c| c.seen.owner).filter(|o| *o != NOBODY) {
            *held.entry(owner).or_default() += 1;
        }
        let (owner, cities) = held.into_iter().max_by_key(|(o, n)| (*n, std::cmp::Reverse(*o)))?;
        (cities * 5 >= self.cities_to_win() * 3).then_some(owner)
    }

    /// The number of cities that wins the game, from the public numbers of the world.
    fn cities_to_win(&self) -> u32 {
        let world = &self.view.tables.world;
        let seats = u32::from(self.view.seats).max(world.seats_min);
        let all = world.cities * seats / world.seats.max(1);
        (all * self.view.tables.rules.victory.leader_percent).div_ceil(100)
    }

    /// Whether a force on land in sight belongs to a player who is not an ally.
    fn is_enemy(&self, s: &Spotted) -> bool {
        s.owner != NOBODY && !s.ships && !self.power.allies.contains(&s.owner)
    }

    fn order(&mut self, line: String) {
        self.lines.push(line);
    }

    fn sector(&self, at: Place) -> String {
        sector_no(self.view.grid, at)
    }

    /// Number of the continent of a sector; `None` at sea and where nobody can walk.
    fn continent(&self, at: Place) -> Option<u32> {
        self.land.at(at)
    }

    /// Orders a unit to advance and marks it busy; a unit that is already on its way there needs no
    /// order.
    fn advance(&mut self, no: u16, to: Place) {
        self.busy.insert(no);
        self.taken.insert(to);
        let unit = self.power.units.get(&no);
        let goal = super::state::Target::Sector(to);
        if unit.is_some_and(|u| u.goal.is_some_and(|g| g.target == goal && !g.convoy)) {
            return;
        }
        let sector = self.sector(to);
        self.order(format!("A {no} {sector}"));
    }

    /// Splits regiments off a unit; returns the number of the new unit.
    fn split(&mut self, no: u16, number: u16) -> u16 {
        let new = self.power.free_number();
        if let Some(unit) = self.power.units.get_mut(&no) {
            unit.size -= number;
            let part = Unit { size: number, ..unit.clone() };
            self.power.units.insert(new, part);
        }
        self.order(format!("S {no} {number}"));
        new
    }

    /// Own land units ashore in a sector that have no order yet.
    fn idle_at(&self, at: Place) -> Vec<u16> {
        let free = |(n, u): &(&u16, &Unit)| {
            u.at == at
                && u.aboard.is_none()
                && is_land(self.view.tables.row(u.kind).class)
                && !self.busy.contains(n)
        };
        self.power.units.iter().filter(free).map(|(n, _)| *n).collect()
    }
}

/// Connected land that infantry can walk; unknown land counts as open.
fn continents(view: &View) -> Areas {
    let grid = view.grid;
    let walks = |p: Place| match view.ground[usize::from(p.0)] {
        Ground::UnknownLand => true,
        Ground::Known(_) => view.cost(Class::Inf, p).is_some(),
    };
    let land = |p: Place| !view.is_sea(p) && walks(p);
    Areas::of(grid.len(), grid.places(), |p| grid.near(p), land)
}
