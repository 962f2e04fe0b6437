//! A computer player: reads a seat's view, writes a card as a person would.
//!
//! It knows nothing but the [`View`], and says what it wants in the same lines
//! that people mail. The same view and dice give the same card. In order: it
//! talks to neighbours, sends out explorers, strikes at cities that it can beat,
//! keeps garrisons, builds, and flies.

mod army;
mod build;
mod diplomacy;
mod fleet;
mod force;
mod planes;

use std::collections::{BTreeMap, BTreeSet};

use super::orders::sector_no;
use super::state::{Power, Unit, is_land};
use super::tables::Class;
use super::view::{Ground, KnownCity, View};
use engine::geometry::Place;
use engine::graph::Areas;
use engine::{CardText, Dice};

/// Writes the card of a seat.
pub fn play(view: &View, dice: &mut Dice) -> CardText {
    if view.power.fell.is_some() || view.over.is_some() {
        return CardText::default();
    }
    let mut brain = Brain::new(view, dice);
    brain.talk();
    brain.move_armies();
    brain.sail();
    brain.build();
    brain.fly();
    CardText::numbered(1, brain.lines.iter().map(String::as_str))
}

/// What a computer player works on for one card.
struct Brain<'a> {
    view: &'a View,
    dice: &'a mut Dice,
    lines: Vec<String>,
    /// The position as it will be after the lines so far: unit numbers, sizes.
    power: Power,
    /// Units that have an order, or are meant to stay.
    busy: BTreeSet<u16>,
    /// Continent of each sector; 0 is sea.
    land: Areas,
    /// Cities worth having, by number.
    targets: BTreeMap<u16, KnownCity>,
    /// Regiments of foreign players near each own city.
    threats: BTreeMap<u16, u32>,
    /// Sectors that somebody is on the way to.
    taken: BTreeSet<Place>,
    /// The target of this turn's strongest strike, for the bombers.
    focus: Option<Place>,
    /// Troops stand idle because nothing within their reach can be taken.
    stuck: bool,
    /// PP in hundredths that may still be spent.
    purse: i64,
}

/// Sectors around a city in which foreign troops are a threat.
const THREAT_RANGE: i32 = 7;

impl<'a> Brain<'a> {
    fn new(view: &'a View, dice: &'a mut Dice) -> Self {
        let hostile = |owner: Option<u8>| owner.is_none_or(|o| !view.power.allies.contains(&o));
        let targets = view.cities.iter().filter(|c| hostile(c.seen.owner));
        let targets = targets.map(|c| (c.number, c.clone())).collect();
        let enemy = |s: &&super::view::Spotted| {
            s.owner != super::state::NOBODY && !s.ships && !view.power.allies.contains(&s.owner)
        };
        let mut threats = BTreeMap::new();
        for (number, city) in &view.power.cities {
            let near = view.spotted.iter().filter(enemy);
            let near = near.filter(|s| view.grid.distance(s.at, city.at) <= THREAT_RANGE);
            let regiments: u32 = near.map(|s| u32::from(s.size)).sum();
            threats.insert(*number, regiments);
        }
        let taken = view.power.units.values().filter_map(|u| match u.goal?.target {
            super::state::Target::Sector(at) => Some(at),
            super::state::Target::Heading(_) => None,
        });
        Self {
            view,
            dice,
            lines: Vec::new(),
            power: view.power.clone(),
            busy: BTreeSet::new(),
            land: continents(view),
            targets,
            threats,
            taken: taken.collect(),
            focus: None,
            stuck: false,
            purse: view.power.stock,
        }
    }

    fn say(&mut self, line: String) {
        self.lines.push(line);
    }

    fn sector(&self, at: Place) -> String {
        sector_no(self.view.grid, at)
    }

    /// Number of the continent of a sector; `None` at sea and where nobody can walk.
    fn continent(&self, at: Place) -> Option<u32> {
        self.land.at(at)
    }

    /// Sends a unit on an advance and marks it busy.
    fn advance(&mut self, no: u16, to: Place) {
        let sector = self.sector(to);
        self.say(format!("A {no} {sector}"));
        self.busy.insert(no);
        self.taken.insert(to);
    }

    /// Splits regiments off a unit; the new unit's number.
    fn split(&mut self, no: u16, number: u16) -> u16 {
        let new = self.power.free_number();
        if let Some(unit) = self.power.units.get_mut(&no) {
            unit.size -= number;
            let part = Unit { size: number, ..unit.clone() };
            self.power.units.insert(new, part);
        }
        self.say(format!("S {no} {number}"));
        new
    }

    /// Own land units ashore in a sector that have no order yet, by number.
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

/// Connected land as far as infantry can walk it; unknown land may be walked.
fn continents(view: &View) -> Areas {
    let grid = view.grid;
    let walks = |p: Place| match view.ground[usize::from(p.0)] {
        Ground::UnknownLand => true,
        Ground::Known(_) => view.cost(Class::Inf, p).is_some(),
    };
    let land = |p: Place| !view.is_sea(p) && walks(p);
    Areas::of(grid.len(), grid.places(), |p| grid.near(p), land)
}
