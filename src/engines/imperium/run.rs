//! A step in progress: the state, the dice, the events.

use std::collections::BTreeSet;

use engine::Dice;

use super::acts::Now;
use super::board::{Board, Place, Spot};
use super::event::{Event, Part, What};
use super::galaxy::{Planet, System};
use super::kinds::{Kind, Side, UnitId};
use super::standing::Standing;
use super::state::{Action, Seen, Sighting, Spotted, Stage, State, add};
use crate::counters;
use tongue::Note;

/// A step in progress.
pub struct Run<'a> {
    /// The game.
    pub state: State,
    /// The dice.
    pub dice: &'a mut Dice,
    /// The events so far.
    pub events: Vec<Event>,
    /// The part of the printout for new events.
    pub part: Part,
}

impl Run<'_> {
    /// The board.
    pub fn board(&mut self) -> &mut Board {
        &mut self.state.board
    }

    /// Standing orders of both sides.
    pub fn standing(state: &State) -> [&Standing; 2] {
        [&state.filed[0].standing, &state.filed[1].standing]
    }

    /// Records an event for both sides.
    pub fn record(&mut self, what: What) {
        self.events.push(Event { part: self.part, to: None, what });
    }

    /// Records an event for one side.
    pub fn tell_to(&mut self, side: Side, what: What) {
        self.events.push(Event { part: self.part, to: Some(side), what });
    }

    /// Records a sentence for both sides.
    pub fn note(&mut self, text: impl Into<Note>) {
        self.record(What::Said(text.into()));
    }

    /// Records a sentence for one side.
    pub fn say_to(&mut self, side: Side, text: impl Into<Note>) {
        self.tell_to(side, What::Said(text.into()));
    }

    /// Adds a new unit.
    pub fn came(&mut self, id: UnitId, place: Place) {
        add(&mut self.state.board, id, place);
        self.tell_to(id.side, What::Came(id));
    }

    /// Removes a unit outside battle; its cargo stays behind.
    pub fn gone(&mut self, id: UnitId) {
        self.put_down_cargo(id);
        for lost in self.state.board.remove(id) {
            self.tell_to(id.side, What::Gone(lost));
        }
        self.state.board.sweep();
        self.settle_all();
    }

    /// Ends disputes on planets where only one side is left.
    pub fn settle_all(&mut self) {
        for planet in self.state.board.disputed() {
            self.state.board.settle(planet);
        }
    }

    /// Moves the cargo of a ship to a World with room (§5.1); cargo without a place stays aboard.
    pub fn put_down_cargo(&mut self, id: UnitId) {
        use super::board::Marker;
        let side = id.side;
        let cargo: Vec<UnitId> = self.state.board.aboard(id).collect();
        for unit in cargo {
            let board = &mut self.state.board;
            let worlds = board.held(side, Marker::World);
            let free = worlds.into_iter().find(|p| counters::room(board, side, *p) > 0);
            match free {
                Some(world) if unit.kind() != Kind::OP => board.put(unit, Place::Box(world)),
                // An Outpost waits to be placed in another transport.
                Some(_) => board.put(unit, Place::Arriving),
                None => {}
            }
        }
    }

    /// Changes Glory; an Imperial Visit doubles gains and triples losses (§10).
    pub fn glory(&mut self, cause: impl Into<Note>, change: i32) {
        let visit =
            self.state.board.court.loans.iter().any(|l| {
                l.visit && l.units.iter().any(|id| self.state.board.units.contains_key(id))
            });
        let change = match (visit, change > 0) {
            (true, true) => 2 * change,
            (true, false) => 3 * change,
            _ => change,
        };
        self.state.glory = (self.state.glory + change).clamp(0, 10);
        let now = self.state.glory;
        self.record(What::Glory(cause.into(), change, now));
    }

    /// Records what a side now knows of an enemy fleet or of a planet.
    pub fn spot(&mut self, viewer: Side, what: Spotted, units: Vec<Seen>) {
        let turn = self.state.clock;
        self.state.known[viewer.i()].insert(what, Sighting { turn, units });
    }

    /// Shows a side everything that the enemy has in a system: fleets and boxes.
    pub fn reveal(&mut self, viewer: Side, at: System) {
        let enemy = viewer.other();
        let fleets: Vec<u8> = self.state.board.fleets_in(enemy, at).collect();
        for fleet in fleets {
            let ships: Vec<UnitId> = self.state.board.ships(enemy, fleet).collect();
            let aboard: Vec<UnitId> =
                ships.iter().flat_map(|s| self.state.board.aboard(*s)).collect();
            let seen = ships.into_iter().chain(aboard).map(|id| self.seen(id, false)).collect();
            self.spot(viewer, Spotted::Fleet(fleet), seen);
        }
        let planets: Vec<Planet> = self.state.board.galaxy.planets(at).collect();
        for planet in planets {
            let units: Vec<UnitId> = self.state.board.on(enemy, planet).collect();
            let marked = self.state.board.marker(planet).is_some_and(|m| m.0 == enemy);
            if !units.is_empty() || marked {
                let seen = units.into_iter().map(|id| self.seen(id, false)).collect();
                self.spot(viewer, Spotted::Planet(planet), seen);
            } else {
                self.state.known[viewer.i()].remove(&Spotted::Planet(planet));
            }
        }
    }

    /// A unit as the enemy sees it; the strength of troops shows only in combat.
    pub fn seen(&self, id: UnitId, strength: bool) -> Seen {
        let damaged = self.state.board.units.get(&id).is_some_and(|u| u.damaged);
        let hidden = id.kind().is_troops() && !strength;
        Seen { kind: id.kind(), n: if hidden { 0 } else { id.name.n }, damaged }
    }

    /// After a battle, records for both sides what is left of the fighting units.
    pub fn after_battle(&mut self, spot: Spot, fought: &[UnitId]) {
        for viewer in Side::BOTH {
            let enemy = viewer.other();
            let mut fleets: Vec<u8> = Vec::new();
            let mut planets: Vec<Planet> = Vec::new();
            for id in fought.iter().filter(|id| id.side == enemy) {
                match self.state.board.units.get(id).map(|u| u.place) {
                    Some(Place::Fleet(n)) => fleets.push(n),
                    Some(Place::Box(p) | Place::Surface(p, _)) => planets.push(p),
                    _ => {}
                }
            }
            // Update planets, too, where none of the units seen before are left.
            if let Spot::System(at) = spot {
                let known =
                    |p: &Planet| self.state.known[viewer.i()].contains_key(&Spotted::Planet(*p));
                planets.extend(self.state.board.galaxy.planets(at).filter(known));
            }
            fleets.sort_unstable();
            fleets.dedup();
            for fleet in fleets {
                let ships: Vec<UnitId> = self.state.board.ships(enemy, fleet).collect();
                let fighters = ships.iter().flat_map(|s| self.state.board.aboard(*s));
                let fighters = fighters.filter(|id| fought.contains(id));
                let units: Vec<UnitId> = fighters.chain(ships.iter().copied()).collect();
                let seen = units.into_iter().map(|id| self.seen(id, false)).collect();
                self.spot(viewer, Spotted::Fleet(fleet), seen);
            }
            planets.sort_unstable();
            planets.dedup();
            for planet in planets {
                self.spot_again(viewer, planet, |kind| matches!(kind, Kind::M | Kind::F));
            }
        }
        self.forget();
    }

    /// Updates what a side knows of a planet for the types that `shown` selects; for other types it
    /// keeps what it saw before.
    pub fn spot_again(&mut self, viewer: Side, planet: Planet, shown: impl Fn(Kind) -> bool) {
        let before = self.state.known[viewer.i()].get(&Spotted::Planet(planet));
        let mut units: Vec<Seen> = before.map(|s| s.units.clone()).unwrap_or_default();
        units.retain(|u| !shown(u.kind));
        let on = self.state.board.on(viewer.other(), planet).filter(|id| shown(id.kind()));
        units.extend(on.map(|id| self.seen(id, false)));
        self.spot(viewer, Spotted::Planet(planet), units);
    }

    /// Cargo and ground units before a battle, each with whether it is damaged.
    pub fn cargo(&self) -> Vec<(UnitId, bool)> {
        let units = &self.state.board.units;
        let carried = |u: &super::board::Unit| !matches!(u.place, Place::Fleet(_));
        units.iter().filter(|(_, u)| carried(u)).map(|(id, u)| (*id, u.damaged)).collect()
    }

    /// Reports what happened to cargo that shared its carrier's fate, and to units that lost their
    /// ground. `told` are units whose fate is already in a story.
    pub fn cargo_fate(&mut self, before: &[(UnitId, bool)], told: &[UnitId]) {
        for (id, damaged) in before.iter().filter(|(id, _)| !told.contains(id)) {
            match self.state.board.units.get(id) {
                None => self.tell_to(id.side, What::Gone(*id)),
                Some(unit) if unit.damaged && !damaged => self.tell_to(id.side, What::Hurt(*id)),
                Some(_) => {}
            }
        }
    }

    /// Drops sightings of fleets that no longer exist.
    pub fn forget(&mut self) {
        for viewer in Side::BOTH {
            let enemy = viewer.other();
            let fleets = &self.state.board.fleets;
            self.state.known[viewer.i()].retain(|what, _| match what {
                Spotted::Fleet(n) => fleets.contains_key(&(enemy, *n)),
                Spotted::Planet(_) => true,
            });
        }
    }

    /// The segment that is open.
    pub fn action(&mut self) -> Option<&mut Action> {
        match &mut self.state.stage {
            Stage::Action(action) => Some(action),
            _ => None,
        }
    }

    /// The circumstances of an order of a side.
    pub fn now<'a>(
        &self,
        side: Side,
        system: System,
        segment: u8,
        target: Option<Planet>,
        seen: &'a BTreeSet<Planet>,
    ) -> Now<'a> {
        Now { side, system, segment, peace: self.state.peace.is_some(), seen, target }
    }

    /// Allows Dreadnoughts to be built if a Terran Battleship was destroyed (§5.5).
    pub fn mourn(&mut self, fought: &[UnitId]) {
        let units = &self.state.board.units;
        let lost = |id: &UnitId| id.kind() == Kind::B && !units.contains_key(id);
        if fought.iter().any(lost) {
            self.state.board.b_lost = true;
        }
    }
}
