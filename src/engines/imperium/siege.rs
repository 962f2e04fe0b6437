//! Attacks on planets within an activation, evacuation, and what follows from them (§8).

use std::collections::BTreeSet;

use tongue::say;

use super::acts::{self, Now};
use super::board::{Control, Harm, Marker, Place};
use super::event::What;
use super::galaxy::{Planet, System};
use super::ground;
use super::kinds::{Kind, Name, Side, UnitId};
use super::orders::Act;
use super::run::Run;
use super::state::Spotted;

impl Run<'_> {
    /// A planetary battle (§8).
    pub fn attack(&mut self, now: &Now, line: u32, planet: Planet, bombard: Option<&[u8]>) {
        let (side, enemy) = (now.side, now.side.other());
        let board = &self.state.board;
        let disputed = board.control(planet) == Control::Disputed;
        let ships = self.enemy_ships(side, now.system);
        if ships && !disputed {
            let system = now.system;
            let text = say!("K {planet}: enemy ships are in {system}; E engages them");
            self.tell_to(side, What::NotDone(line, text));
            return;
        }
        let still: Vec<u8> = board
            .fleets_in(side, now.system)
            .filter(|f| {
                board.ships(side, *f).all(|s| board.units.get(&s).is_some_and(|u| !u.moved))
            })
            .collect();
        let before = self.cargo();
        let mut story = ground::Story::new(planet, side);
        let standing = [self.state.filed[0].standing.clone(), self.state.filed[1].standing.clone()];
        self.dice.at([u32::from(planet.system.0), u32::from(planet.n), 0]);
        if let Some(fleets) = bombard {
            let fleets = if fleets.is_empty() { still.clone() } else { fleets.to_vec() };
            let defender = &standing[enemy.i()];
            ground::bombard(&mut self.state.board, &mut story, &fleets, defender, self.dice);
        }
        let (mut landings, spared) =
            self.landings(side, planet, bombard.is_some() || disputed, &still);
        if ships {
            // With enemy ships about nobody lands; the fight on the surface goes on.
            let aboard = |name: &Name| {
                let unit = self.state.board.units.get(&UnitId { side, name: *name });
                matches!(unit.map(|u| u.place), Some(Place::Aboard(_)))
            };
            let (refused, rest): (Vec<_>, Vec<_>) =
                landings.into_iter().partition(|(_, name, _)| aboard(name));
            landings = rest;
            for (line, name, _) in refused {
                let system = now.system;
                let text = say!("{unit} does not land: enemy ships are in {system}", unit = name);
                self.tell_to(side, What::NotDone(line, text));
            }
        }
        if !landings.is_empty() || disputed {
            let both = [&standing[0], &standing[1]];
            let board = &mut self.state.board;
            let refused = ground::assault(board, &mut story, &landings, &spared, both, self.dice);
            for (line, why) in refused {
                self.tell_to(side, What::NotDone(line, why));
            }
        }
        self.after_ground(story, &before);
    }

    /// Who lands or moves in an attack: the lines of the block, else all troops aboard, unless
    /// it only bombards or fights on.
    fn landings(
        &self,
        side: Side,
        planet: Planet,
        named_only: bool,
        still: &[u8],
    ) -> (Vec<ground::Landing>, BTreeSet<u8>) {
        let current = self.state.action().and_then(|a| a.current.as_ref());
        let acts = current.map(|c| c.acts.as_slice()).unwrap_or_default();
        let board = &self.state.board;
        let none = BTreeSet::new();
        let segment = self.state.segment();
        let now = self.now(side, planet.system, segment, Some(planet), &none);
        let spared = acts.iter().filter_map(|(_, act)| match act {
            Act::NoFight(hex) => Some(*hex),
            _ => None,
        });
        let spared: BTreeSet<u8> = spared.collect();
        let mut seen = BTreeSet::new();
        let named: Vec<ground::Landing> = acts
            .iter()
            .filter(|(_, act)| acts::check(board, &now, act).is_ok())
            .filter_map(|(line, act)| match act {
                Act::Land(name, hexes) if seen.insert(*name) => Some((*line, *name, hexes.clone())),
                _ => None,
            })
            .collect();
        let any = acts.iter().any(|(_, act)| matches!(act, Act::Land(..)));
        if any || named_only {
            return (named, spared);
        }
        let ships = still.iter().flat_map(|f| board.ships(side, *f));
        let troops = ships
            .flat_map(|s| board.aboard(s))
            .filter(|id| id.kind().is_troops() && board.fits(id.kind(), planet));
        (troops.map(|id| (0, id.name, Vec::new())).collect(), spared)
    }

    /// Takes units off a disputed planet, all that the block names of it at once (§8.8).
    pub fn evacuate(&mut self, now: &Now) {
        let (side, enemy) = (now.side, now.side.other());
        let Some(action) = self.state.action() else { return };
        let Some(current) = &action.current else { return };
        // All evacuations of the block from one planet are one.
        let from = current.at - 1;
        let place = |name: &Name| match self
            .state
            .board
            .units
            .get(&UnitId { side, name: *name })
            .map(|u| u.place)
        {
            Some(Place::Surface(p, _)) => Some(p),
            _ => None,
        };
        let first = match current.acts.get(from) {
            Some((_, Act::Evacuate(unit, _))) => place(unit),
            _ => None,
        };
        let Some(planet) = first else { return };
        let mut used: BTreeSet<Name> = BTreeSet::new();
        let mut units = Vec::new();
        let mut lines = BTreeSet::new();
        for (line, act) in &current.acts[from..] {
            let Act::Evacuate(unit, carrier) = act else { continue };
            let right = place(unit) == Some(planet)
                && acts::check(&self.state.board, now, act).is_ok()
                && used.insert(*carrier);
            if right {
                units.push((*unit, *carrier));
                lines.insert(*line);
            }
        }
        if let Some(current) = self.action().and_then(|a| a.current.as_mut()) {
            let done = current.at;
            let mut n = 0;
            current.acts.retain(|(line, _)| {
                n += 1;
                n <= done || !lines.contains(line)
            });
        }
        let before = self.cargo();
        let mut story = ground::Story::new(planet, side);
        let standing = self.state.filed[enemy.i()].standing.clone();
        let board = &mut self.state.board;
        ground::evacuate(board, &mut story, &units, &standing, self.dice);
        self.after_ground(story, &before);
    }

    /// What follows from a planetary battle: knowledge, markers, Glory.
    fn after_ground(&mut self, story: ground::Story, cargo: &[(UnitId, bool)]) {
        let planet = story.planet;
        let invader = story.invader;
        if story.is_battle()
            && let Some(land) = self.state.board.planets.get_mut(&planet)
        {
            land.terraform = 0;
        }
        let bombed = story.bombardment.is_some();
        let reverted = story.bombardment.as_ref().is_some_and(|b| b.reverted);
        let captured = story.captured;
        let landed: Vec<UnitId> =
            story.landed.iter().map(|l| l.0).chain(story.defenders.iter().map(|d| d.0)).collect();
        let fought: BTreeSet<UnitId> =
            story.fights.iter().flat_map(|f| f.shots.iter().flat_map(|s| [s.by, s.at])).collect();
        let told: Vec<UnitId> = story
            .all_losses()
            .filter(|l| l.harm != Harm::None)
            .flat_map(|l| l.cargo.iter().copied().chain([l.id]))
            .collect();
        self.mourn(&told);
        self.cargo_fate(cargo, &told);
        self.tell(What::Ground(Box::new(story)));
        for viewer in Side::BOTH {
            let enemy = viewer.other();
            // What stood or stands on the surface is seen, the strength of troops in combat.
            let met = landed.iter().chain(&fought).any(|id| id.side == viewer);
            if !met {
                // From above, only what fires and what bombs may hit is seen.
                if bombed && viewer == invader {
                    self.spot_again(viewer, planet, |kind| matches!(kind, Kind::PD | Kind::F));
                }
                continue;
            }
            let units: Vec<UnitId> = self.state.board.on(enemy, planet).collect();
            let known = landed.iter().chain(&fought).any(|id| id.side == enemy);
            if units.is_empty() {
                self.state.known[viewer.i()].remove(&Spotted::Planet(planet));
            } else if known {
                let seen = units.into_iter().map(|id| self.seen(id, fought.contains(&id)));
                let seen = seen.collect();
                self.spot(viewer, Spotted::Planet(planet), seen);
            }
        }
        if reverted {
            let change = if invader == Side::Imperial { -2 } else { 1 };
            self.glory(say!("terraformed {planet} bombarded"), change);
        }
        if let Some((owner, marker)) = captured {
            self.capture(planet, owner, marker);
        }
        self.state.board.sweep();
        self.forget();
    }

    /// A marker changes hands (§8.7).
    fn capture(&mut self, planet: Planet, owner: Side, marker: Marker) {
        let captor = owner.other();
        let keep = self.state.options.captured_world;
        if let Some(land) = self.state.board.planets.get_mut(&planet) {
            let now = if keep { marker } else { Marker::Outpost };
            land.marker = Some((captor, now));
            land.upgrade = 0;
        }
        let (who, whose) = (captor.who(), owner.whose());
        self.say(match marker {
            Marker::World => say!("{who} captures the {whose} World on {planet}."),
            Marker::Outpost => say!("{who} captures the {whose} Outpost on {planet}."),
        });
        let (cause, change) = match (owner, marker) {
            (Side::Terran, Marker::Outpost) => (say!("Terran Outpost {planet} captured"), 1),
            (Side::Terran, Marker::World) => (say!("Terran World {planet} captured"), 3),
            (Side::Imperial, Marker::Outpost) => (say!("Imperial Outpost {planet} lost"), -1),
            (Side::Imperial, Marker::World) => (say!("Imperial World {planet} lost"), -3),
        };
        self.glory(cause, change);
    }

    /// Whether enemy ships or monitors are in a system.
    pub fn enemy_ships(&self, side: Side, at: System) -> bool {
        let (board, enemy) = (&self.state.board, side.other());
        board.fleets_in(enemy, at).next().is_some() || board.monitors(enemy, at).next().is_some()
    }
}
