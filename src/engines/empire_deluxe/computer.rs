//! The computer player (§14): from its view alone, by the rules of everybody.
//!
//! Each turn it looks at what it knows as a whole: which cities it could take over land, which
//! over the sea, where enemies are. From that follow what cities build and what each unit does;
//! orders of last turn are given anew, so nothing is noted between turns.

use std::collections::{BTreeMap, VecDeque};

use engine::geometry::Place;
use engine::graph::Areas;
use engine::{CardText, Dice, Seat};

use super::combat::{self, Attacker, Target};
use super::field::Field;
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::orders::Task;
use super::sight::Known;
use super::state::{Unit, UnitId};
use super::tables::Strength;
use super::view::View;

/// Chances in tenths of a percent from which a unit attacks.
const EVEN: u32 = 500;
/// The same for fighters, which are cheap.
const DARING: u32 = 450;
/// Units that are sent against one city at a time.
const STORM: u32 = 3;
/// Land units that a landing waits for.
const LANDING: u32 = 4;
/// Land units for each city that can be walked to, before ships are built.
const PER_TARGET: u32 = 2;

/// The card of a computer player.
pub fn play(view: &View, dice: &mut Dice) -> CardText {
    if !view.moves() {
        return CardText::default();
    }
    let Some(known) = view.known() else { return CardText::default() };
    let field = Field::new(view.world.clone());
    let mut mind = Mind {
        view,
        known,
        field: &field,
        // Who has left has the best to play on.
        strength: match view.world.side(view.seat).is_some_and(|s| s.computer) {
            true => Strength::Expert,
            false => view.world.options.strength(view.seat),
        },
        lines: Vec::new(),
        masses: masses(view, known),
        seas: seas(view, known),
        sent: BTreeMap::new(),
    };
    if mind.is_lost() {
        return CardText::new("X RESIGN YES");
    }
    mind.build(dice);
    mind.land();
    mind.ships(dice);
    mind.planes(dice);
    CardText::of(&mind.lines)
}

/// Land that is known, by landmass.
fn masses(view: &View, known: &Known) -> Areas {
    let grid = view.world.ground.grid;
    let land = |p: Place| known.has_seen(p) && view.world.ground.at(p).is_land();
    Areas::of(grid.len(), grid.places(), |p| grid.near(p), land)
}

/// Water that is known, by sea.
fn seas(view: &View, known: &Known) -> Areas {
    let grid = view.world.ground.grid;
    let water = |p: Place| known.has_seen(p) && view.world.ground.at(p) == Terrain::Water;
    Areas::of(grid.len(), grid.places(), |p| grid.near(p), water)
}

struct Mind<'a> {
    view: &'a View,
    known: &'a Known,
    field: &'a Field,
    strength: Strength,
    lines: Vec<String>,
    masses: Areas,
    seas: Areas,
    /// Units that were sent against each city.
    sent: BTreeMap<Place, u32>,
}

impl Mind<'_> {
    fn seat(&self) -> Seat {
        self.view.seat
    }

    fn called(&self, at: Place) -> String {
        self.view.world.ground.called(at)
    }

    fn say(&mut self, line: String) {
        self.lines.push(line);
    }

    /// Own units that stand by themselves, by number.
    fn units(&self, fits: impl Fn(&Unit) -> bool) -> Vec<(u16, Unit)> {
        let side = self.view.world.side(self.seat());
        let all = side.into_iter().flat_map(|s| s.units.iter());
        all.filter(|(_, u)| fits(u)).map(|(n, u)| (*n, u.clone())).collect()
    }

    /// Known cities of others, nobody's too.
    fn targets(&self) -> Vec<Place> {
        let others = self.known.cities.iter().filter(|(_, c)| c.owner != Some(self.seat()));
        others.map(|(at, _)| *at).collect()
    }

    /// Whether a city lies at a sea that leads anywhere, not at a pond.
    fn is_port(&self, at: Place) -> bool {
        let grid = self.view.world.ground.grid;
        let widest = self.seas.sizes().iter().copied().max().unwrap_or(0);
        grid.near(at).any(|p| {
            let size = self.seas.size_at(p);
            size > 0 && 4 * size >= widest
        })
    }

    /// Own cities at the sea.
    fn ports(&self) -> Vec<Place> {
        self.own_cities().into_iter().filter(|c| self.is_port(*c)).collect()
    }

    fn own_cities(&self) -> Vec<Place> {
        self.view.world.cities_of(self.seat()).collect()
    }

    /// For each square the nearest of these places that a kind reaches over what is known, and
    /// how far it is.
    fn nearest(&self, of: &[Place], kind: Kind) -> Vec<Option<(u32, Place)>> {
        let grid = self.view.world.ground.grid;
        let mut found: Vec<Option<(u32, Place)>> = vec![None; grid.len()];
        let mut queue = VecDeque::new();
        for at in of {
            found[usize::from(at.0)] = Some((0, *at));
            queue.push_back(*at);
        }
        while let Some(at) = queue.pop_front() {
            let Some((steps, goal)) = found[usize::from(at.0)] else { continue };
            for next in grid.near(at) {
                let slot = usize::from(next.0);
                if found[slot].is_some() || !self.known.has_seen(next) {
                    continue;
                }
                let ground = self.view.world.ground.at(next);
                let foreign = ground == Terrain::City
                    && self.known.cities.get(&next).is_none_or(|c| c.owner != Some(self.seat()));
                if foreign || !ground.takes(kind) {
                    continue;
                }
                found[slot] = Some((steps + 1, goal));
                queue.push_back(next);
            }
        }
        found
    }

    /// What a unit would attack next to it, with the chance.
    fn prey(&self, unit: &Unit, least: u32) -> Option<Place> {
        let ground = &self.view.world.ground;
        let options = &self.view.world.options;
        let attacker =
            Attacker { kind: unit.kind, damage: unit.damage.into(), on: ground.at(unit.at) };
        let chance = |at: Place| {
            let on = ground.at(at);
            let target = match on {
                Terrain::City => {
                    let owner = self.known.cities.get(&at)?.owner;
                    if owner == Some(self.seat()) {
                        return None;
                    }
                    Target::City { neutral: owner.is_none(), held: 0 }
                }
                _ => {
                    let mark = self.known.marks.get(&at).filter(|m| m.here)?;
                    Target::Unit(mark.kind, 0)
                }
            };
            combat::may_attack(options, attacker, target, on).ok()?;
            let odds = combat::fight(options, attacker, target, on).odds().per_mille();
            // Land units always attack cities.
            let city = on == Terrain::City && unit.kind.class() == Class::Land;
            (odds >= least || city).then_some((odds, at))
        };
        let near = ground.grid.near(unit.at).filter_map(chance);
        near.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, at)| at)
    }

    /// Whether nothing can come of what is left: no city, and nobody who could take one.
    fn is_lost(&self) -> bool {
        let targets = self.targets();
        if !self.own_cities().is_empty() {
            return false;
        }
        let near = self.nearest(&targets, self.view.world.options.edition.foot());
        let hope = |u: &Unit| {
            let walks = near[usize::from(u.at.0)].is_some() || self.has_unknown(u);
            u.kind.class() == Class::Land && (u.aboard.is_some() || walks)
        };
        self.units(hope).is_empty()
    }

    /// What cities build.
    fn build(&mut self, dice: &mut Dice) {
        let options = &self.view.world.options;
        let foot = options.edition.foot();
        let of = |kind: Kind| self.units(|u| u.kind == kind).len() as u32;
        let on_foot = self.units(|u| u.kind.class() == Class::Land).len() as u32;
        let targets = self.targets();
        let cities = self.own_cities();
        let coastal = self.ports().len() as u32;
        // Who stands in a city has nothing to do but to wait for a ship.
        let idle = |u: &Unit| {
            u.kind.class() == Class::Land && self.view.world.ground.at(u.at) == Terrain::City
        };
        let wait = self.units(idle).len() as u32;
        let wanted = (wait / 5).clamp(1, coastal.max(1) * 2);
        let mut transports = of(Kind::Tr) + self.planned(Kind::Tr);
        let mut armies = on_foot + self.planned(foot) + self.planned(Kind::Am);
        let mut fighters = of(Kind::Fi) + self.planned(Kind::Fi);
        let mut warships = of(Kind::De) + self.planned(Kind::De);
        for at in cities {
            let Some(city) = self.view.world.city(at) else { continue };
            let mass = self.masses.at(at);
            let walk = targets.iter().filter(|t| self.masses.at(**t) == mass).count() as u32;
            let builds = city.list.first().copied();
            // What is under way goes on, but for armies that nobody waits for any more.
            let idle = match builds {
                None => true,
                Some(kind) => city.done == 0 && (kind != foot || armies > 12 + 2 * walk),
            };
            if !idle {
                continue;
            }
            let coast = self.is_port(at);
            let novice = self.strength == Strength::Novice;
            let kind = if walk > 0 && armies < PER_TARGET * walk + 2 {
                foot
            } else if coast && transports < if novice { 1 } else { wanted } {
                transports += 1;
                Kind::Tr
            } else if armies < 6 * transports.max(1) + 4 {
                let third = options.advanced() && dice.below("armor", 3) == 0;
                if third && !novice { Kind::Am } else { foot }
            } else if !novice && options.builds(Kind::Fi) && fighters < 2 + coastal / 4 {
                fighters += 1;
                Kind::Fi
            } else if coast && !novice && warships < 1 + coastal / 4 {
                warships += 1;
                Kind::De
            } else if coast && !novice {
                transports += 1;
                if transports.is_multiple_of(3) { Kind::Cr } else { Kind::Tr }
            } else {
                foot
            };
            armies += u32::from(kind.class() == Class::Land);
            if builds != Some(kind) {
                let line = format!("P {} {}", self.called(at), kind.code());
                self.say(line);
            }
        }
        if self.view.world.side(self.seat()).is_some_and(|s| s.default != foot) {
            self.say(format!("PD {}", foot.code()));
        }
    }

    /// Units of a kind that cities build now.
    fn planned(&self, kind: Kind) -> u32 {
        let builds = |at: &Place| {
            self.view.world.city(*at).is_some_and(|c| c.done > 0 && c.list.first() == Some(&kind))
        };
        self.own_cities().iter().filter(|c| builds(c)).count() as u32
    }

    /// Land units: cities first, then what is near, then what is unknown, then the ports.
    fn land(&mut self) {
        let foot = self.view.world.options.edition.foot();
        let mut targets = self.targets();
        let mut waiting: Vec<(u16, Unit)> =
            self.units(|u| u.kind.class() == Class::Land && u.aboard.is_none());
        // Whoever is nearest goes, so many to each; the others look again.
        while !targets.is_empty() && !waiting.is_empty() {
            let near = self.nearest(&targets, foot);
            let mut rest = Vec::new();
            let mut order: Vec<(u32, u16, Unit)> = Vec::new();
            for (number, unit) in waiting {
                match near[usize::from(unit.at.0)] {
                    Some((steps, _)) => order.push((steps, number, unit)),
                    None => rest.push((number, unit)),
                }
            }
            order.sort_by_key(|(steps, number, _)| (*steps, *number));
            let mut full = false;
            for (_, number, unit) in order {
                let goal = near[usize::from(unit.at.0)].map(|n| n.1);
                let Some(goal) = goal else { continue };
                let sent = self.sent.entry(goal).or_default();
                if *sent >= STORM {
                    full = true;
                    rest.push((number, unit));
                    continue;
                }
                *sent += 1;
                let line = format!("A {number} {}", self.called(goal));
                self.say(line);
            }
            targets.retain(|t| self.sent.get(t).is_none_or(|n| *n < STORM));
            waiting = rest;
            if !full {
                break;
            }
        }
        let ports = self.ports();
        let home = self.nearest(&ports, foot);
        for (number, unit) in waiting {
            if let Some(at) = self.prey(&unit, EVEN) {
                let line = format!("A {number} {}", self.called(at));
                self.say(line);
                continue;
            }
            let lone = unit.orders.is_empty() || !matches!(unit.orders[0], Task::Explore(_));
            if lone && self.has_unknown(&unit) {
                self.say(format!("E {number} !"));
                continue;
            }
            if matches!(unit.orders.first(), Some(Task::Explore(_))) {
                continue;
            }
            let in_port = ports.contains(&unit.at);
            match home[usize::from(unit.at.0)] {
                Some((_, port)) if !in_port => {
                    let line = format!("M {number} {}", self.called(port));
                    self.say(line);
                }
                // In a port it waits for a ship.
                _ if in_port && !unit.orders.is_empty() => self.say(format!("K {number}")),
                _ => {}
            }
        }
    }

    /// Whether something unknown lies at the border of what a unit can walk to.
    fn has_unknown(&self, unit: &Unit) -> bool {
        let grid = self.view.world.ground.grid;
        let mass = self.masses.at(unit.at);
        mass.is_some()
            && grid
                .places()
                .any(|p| self.masses.at(p) == mass && grid.near(p).any(|n| !self.known.has_seen(n)))
    }

    fn ships(&mut self, dice: &mut Dice) {
        for (number, unit) in self.units(|u| u.kind.class() == Class::Sea) {
            match unit.kind {
                Kind::Tr => self.transport(number, &unit, dice),
                Kind::Ca => {
                    if unit.orders.is_empty() {
                        self.say(format!("E {number} !"));
                    }
                }
                _ => self.warship(number, &unit),
            }
        }
    }

    fn warship(&mut self, number: u16, unit: &Unit) {
        if let Some(at) = self.prey(unit, EVEN) {
            let line = format!("A {number} {}", self.called(at));
            return self.say(line);
        }
        let figure = self.view.world.options.figure(unit.kind);
        let hurt = figure.is_some_and(|f| 2 * u32::from(unit.damage) >= u32::from(f.damage));
        if hurt {
            return self.say(format!("R {number}"));
        }
        let grid = self.view.world.ground.grid;
        let ships = self.known.marks.iter().filter(|(_, m)| m.kind.class() == Class::Sea);
        let near = ships.min_by_key(|(at, _)| (grid.distance(unit.at, **at), **at));
        match near {
            Some((at, _)) if grid.distance(unit.at, *at) <= 12 => {
                let line = format!("A {number} {}", self.called(*at));
                self.say(line);
            }
            _ if !matches!(unit.orders.first(), Some(Task::Explore(_))) => {
                self.say(format!("E {number} !"));
            }
            _ => {}
        }
    }

    /// Water next to land from which a city is near, and that city.
    fn landing(&self, unit: &Unit) -> Option<(Place, Place)> {
        let grid = self.view.world.ground.grid;
        let ground = &self.view.world.ground;
        let own: Vec<Option<u32>> = self.own_cities().iter().map(|c| self.masses.at(*c)).collect();
        let sea = self.nearest(&[unit.at], Kind::De);
        let mut best: Option<(u32, Place, Place)> = None;
        for target in self.targets() {
            let mass = self.masses.at(target);
            let sent = self.sent.get(&target).copied().unwrap_or(0);
            // Who can walk there needs no ship.
            let walked = own.contains(&mass) && sent > 0;
            let shore = grid.within(target, 3).filter(|p| {
                ground.at(*p) == Terrain::Water
                    && self.known.has_seen(*p)
                    && grid.near(*p).any(|n| {
                        self.masses.at(n) == mass && mass.is_some() && ground.at(n) != Terrain::City
                    })
            });
            for at in shore {
                let Some((steps, _)) = sea[usize::from(at.0)] else { continue };
                let far = grid.distance(at, target).unsigned_abs();
                let cost = steps + 3 * far + 8 * sent + if walked { 40 } else { 0 };
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, at, target));
                }
            }
        }
        best.map(|(_, at, target)| (at, target)).or_else(|| self.frontier(&sea))
    }

    /// Water next to land beyond which nothing is known, and that land.
    fn frontier(&self, sea: &[Option<(u32, Place)>]) -> Option<(Place, Place)> {
        let grid = self.view.world.ground.grid;
        let ground = &self.view.world.ground;
        let new = |p: Place| grid.near(p).any(|n| !self.known.has_seen(n));
        let shore = |p: Place| {
            let (steps, _) = sea[usize::from(p.0)]?;
            let water = ground.at(p) == Terrain::Water && self.known.has_seen(p);
            let land = |n: &Place| self.known.has_seen(*n) && ground.at(*n).is_land() && new(*n);
            let land = grid.near(p).find(land).filter(|_| water)?;
            Some((steps, p, land))
        };
        grid.places().filter_map(shore).min().map(|(_, at, land)| (at, land))
    }

    fn transport(&mut self, number: u16, unit: &Unit, dice: &mut Dice) {
        let id = UnitId { seat: self.seat(), number };
        let aboard = self.field.taken(id);
        let ground = &self.view.world.ground;
        let in_port = ground.at(unit.at) == Terrain::City;
        let waiting = self
            .field
            .inside(unit.at)
            .iter()
            .filter_map(|u| self.field.unit(*u))
            .filter(|u| u.kind.class() == Class::Land && !self.is_sent(u))
            .count() as u32;
        let ready = aboard > 0 || in_port && waiting >= LANDING;
        if ready {
            if let Some((at, target)) = self.landing(unit) {
                *self.sent.entry(target).or_default() += 2;
                let (at, target) = (self.called(at), self.called(target));
                return self.say(format!("M {number} {at} THEN U {target}"));
            }
            // Nothing is known to land on: somebody has to look.
            if !matches!(unit.orders.first(), Some(Task::Explore(_))) {
                self.say(format!("E {number} !"));
            }
            return;
        }
        let explored = self.targets().is_empty();
        if explored && !in_port && aboard == 0 && dice.below("look", 2) == 0 {
            return self.say(format!("E {number} !"));
        }
        // To the port where most wait.
        let crowd = |at: &Place| {
            let inside = self.field.inside(*at).iter().filter_map(|u| self.field.unit(*u));
            inside.filter(|u| u.kind.class() == Class::Land && !self.is_sent(u)).count()
        };
        let grid = ground.grid;
        let sea = self.nearest(&[unit.at], Kind::De);
        let port = self
            .own_cities()
            .into_iter()
            .filter(|c| self.is_port(*c) && sea[usize::from(c.0)].is_some())
            .max_by_key(|c| (4 * crowd(c) as i32 - grid.distance(unit.at, *c), c.0));
        if let Some(port) = port.filter(|p| *p != unit.at) {
            let line = format!("M {number} {}", self.called(port));
            self.say(line);
        }
    }

    /// Whether a unit was told to attack something.
    fn is_sent(&self, unit: &Unit) -> bool {
        let numbers = self.view.world.side(self.seat());
        let number = numbers
            .into_iter()
            .flat_map(|s| s.units.iter())
            .find(|(_, u)| *u == unit)
            .map(|(n, _)| *n);
        let Some(number) = number else { return false };
        let [attack, explore] = [format!("A {number} "), format!("E {number} ")];
        self.lines.iter().any(|l| l.starts_with(&attack) || l.starts_with(&explore))
    }

    fn planes(&mut self, _: &mut Dice) {
        for (number, unit) in self.units(|u| u.kind.class() == Class::Air) {
            let least = if unit.kind == Kind::Fi { DARING } else { EVEN };
            let id = UnitId { seat: self.seat(), number };
            let home = self.view.world.ground.at(unit.at) == Terrain::City || unit.aboard.is_some();
            let spare = self.field.is_safe(id, unit.at, unit.fuel.saturating_sub(2));
            if spare && let Some(at) = self.prey(&unit, least) {
                let line = format!("A {number} {}", self.called(at));
                self.say(line);
                continue;
            }
            let grid = self.view.world.ground.grid;
            let reach = i32::from(unit.fuel) / 2;
            let bombed = self.known.cities.iter().filter(|(at, c)| {
                let foe = c.owner.is_some_and(|o| o != self.seat());
                foe && unit.kind == Kind::Bo && grid.distance(unit.at, **at) < reach
            });
            let goal =
                bombed.map(|(at, _)| *at).min_by_key(|at| (grid.distance(unit.at, *at), *at));
            if let Some(goal) = goal.filter(|_| home) {
                let line = format!("A {number} {}", self.called(goal));
                self.say(line);
            } else if !matches!(unit.orders.first(), Some(Task::Explore(_)) | Some(Task::Return)) {
                match home {
                    true => self.say(format!("E {number} !")),
                    false => self.say(format!("R {number}")),
                }
            }
        }
    }
}
