//! The computer player (§14): from its view alone, by the rules of everybody.
//!
//! Each turn it looks at what it knows as a whole: which cities it could take over land, which
//! over the sea, where enemies are. From that follow what cities build and what each unit does;
//! orders of last turn are given anew, so nothing is noted between turns.
//!
//! A plan has these steps: land units go for what they can walk to; a few explore; the rest is
//! a reserve that gathers in ports. Transports fetch the reserve and land it where most is to be
//! had. Warships and aircraft hunt what is seen, clear the way and look around.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use engine::geometry::Place;
use engine::graph::Areas;
use engine::{CardText, Dice, Seat};

use super::combat::{self, Attacker, Target};
use super::field::Field;
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::orders::Task;
use super::production;
use super::sight::Known;
use super::state::{Unit, UnitId, can_build};
use super::tables::Strength;
use super::view::View;

/// Chances in tenths of a percent from which a unit attacks.
const EVEN: u32 = 500;
/// The same for fighters, which are cheap.
const DARING: u32 = 450;
/// Land units that are sent against a free city.
const FREE: u32 = 2;
/// Land units that are sent against an enemy city.
const HELD: u32 = 4;
/// Land units more that land for an enemy city, where there are plenty.
const MORE: u32 = 8;
/// Fewer land units are not worth a way of more than so many squares to an enemy.
const FEW: u32 = 4;
const FAR: u32 = 6;
/// Squares from a shore to what is landed for.
const INLAND: i32 = 3;
/// Land units of each landmass that explore at a time.
const SCOUTS: usize = 2;
/// Squares that ships which look around keep from each other.
const SPREAD: i32 = 20;
/// Ships that look at the same place.
const TOGETHER: usize = 2;
/// Who gives up: from a turn on, whose enemy is known to have so many cities for four of its own.
/// In a duel the longer a war has lasted the fewer.
const BEATEN: [(u32, usize); 4] = [(280, 4), (240, 5), (200, 6), (120, 8)];
/// The same where more than two are left.
const BEATEN_OF_MANY: [(u32, usize); 1] = [(120, 16)];
/// Squares that a warship goes for a prey.
const HUNT: i32 = 15;

/// The card of a computer player.
pub fn play(view: &View, dice: &mut Dice) -> CardText {
    if !view.moves() {
        return CardText::default();
    }
    let Some(known) = view.known() else { return CardText::default() };
    let field = Field::new(view.world.clone());
    // Who has left has the best to play on.
    let strength = match view.world.side(view.seat).is_some_and(|s| s.computer) {
        true => Strength::Expert,
        false => view.world.options.strength(view.seat),
    };
    let mut mind = Mind {
        view,
        known,
        field: &field,
        strength,
        lines: Vec::new(),
        masses: masses(view, known),
        seas: seas(view, known),
        open: BTreeSet::new(),
        cities: view.world.cities_of(view.seat).collect(),
        need: BTreeMap::new(),
        ports: BTreeMap::new(),
        ashore: BTreeMap::new(),
        reserve: 0,
        edge: Vec::new(),
        looked: Vec::new(),
    };
    mind.need = mind.needs();
    mind.open = mind.open_seas();
    mind.edge = mind.frontier(Kind::De);
    if mind.is_lost() || mind.is_beaten() {
        return CardText::new("X RESIGN YES");
    }
    mind.land();
    mind.transports();
    mind.build(dice);
    mind.warships();
    mind.aircraft();
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

/// For each square the nearest of some places, and the steps to it.
type Nearest = Vec<Option<(u32, Place)>>;

/// A place to land at.
struct Landing {
    /// What for.
    target: Place,
    /// Land units that are wanted there.
    need: u32,
    /// Water next to its land.
    shores: Vec<Place>,
    /// Whether own units can walk there as well.
    walked: bool,
}

struct Mind<'a> {
    view: &'a View,
    known: &'a Known,
    field: &'a Field,
    strength: Strength,
    lines: Vec<String>,
    masses: Areas,
    seas: Areas,
    /// Seas that lead anywhere.
    open: BTreeSet<u32>,
    /// Own cities.
    cities: Vec<Place>,
    /// Land units that are still wanted for each target.
    need: BTreeMap<Place, u32>,
    /// Land units that wait in a port, or are on their way to it.
    ports: BTreeMap<Place, u32>,
    /// Land units of each landmass that are not aboard.
    ashore: BTreeMap<Option<u32>, u32>,
    /// Land units that nothing on their own land needs.
    reserve: u32,
    /// Water at which what is known ends.
    edge: Vec<Place>,
    /// Squares that ships are sent to, to look around.
    looked: Vec<Place>,
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

    fn novice(&self) -> bool {
        self.strength == Strength::Novice
    }

    /// Own units, by number.
    fn units(&self, fits: impl Fn(&Unit) -> bool) -> Vec<(u16, Unit)> {
        let side = self.view.world.side(self.seat());
        let all = side.into_iter().flat_map(|s| s.units.iter());
        all.filter(|(_, u)| fits(u)).map(|(n, u)| (*n, u.clone())).collect()
    }

    fn in_city(&self, unit: &Unit) -> bool {
        self.view.world.ground.at(unit.at) == Terrain::City
    }

    /// Land units wanted for each known city of others, and for each enemy on land near own
    /// cities.
    fn needs(&self) -> BTreeMap<Place, u32> {
        let grid = self.view.world.ground.grid;
        let others = self.known.cities.iter().filter(|(_, c)| c.owner != Some(self.seat()));
        let mut needs: BTreeMap<Place, u32> =
            others.map(|(at, c)| (*at, if c.owner.is_none() { FREE } else { HELD })).collect();
        for (at, mark) in self.known.marks.iter().filter(|(_, m)| m.here) {
            let near = |c: &Place| grid.distance(*c, *at) <= 4;
            if mark.kind.is_of_land() && self.cities.iter().any(near) {
                needs.insert(*at, 1);
            }
        }
        needs
    }

    /// Whether another player has the city on a square.
    fn is_held(&self, at: Place) -> bool {
        let owner = self.known.cities.get(&at).and_then(|c| c.owner);
        owner.is_some_and(|o| o != self.seat())
    }

    /// Whether a city lies at a sea that leads anywhere, not at a lake.
    fn is_port(&self, at: Place) -> bool {
        let near = self.view.world.ground.grid.near(at);
        near.filter_map(|p| self.seas.at(p)).any(|sea| self.open.contains(&sea))
    }

    /// Seas that lead to what is unknown, or to land on which there is something to take.
    fn open_seas(&self) -> BTreeSet<u32> {
        let grid = self.view.world.ground.grid;
        let foot = self.view.world.options.edition.foot();
        let own: BTreeSet<u32> = self.cities.iter().filter_map(|c| self.masses.at(*c)).collect();
        let goals = self.need.keys().copied().chain(self.frontier(foot));
        let wanted: BTreeSet<u32> =
            goals.filter_map(|at| self.masses.at(at)).filter(|m| !own.contains(m)).collect();
        let leads = |p: Place| {
            grid.near(p).any(|n| {
                let there = self.masses.at(n);
                !self.known.has_seen(n) || there.is_some_and(|m| wanted.contains(&m))
            })
        };
        grid.places().filter_map(|p| self.seas.at(p).filter(|_| leads(p))).collect()
    }

    /// For each square the nearest of these places that a kind reaches over what is known.
    fn nearest(&self, of: impl IntoIterator<Item = Place>, kind: Kind) -> Nearest {
        let grid = self.view.world.ground.grid;
        let mut found: Nearest = vec![None; grid.len()];
        let mut queue = VecDeque::new();
        for at in of {
            found[usize::from(at.0)] = Some((0, at));
            queue.push_back(at);
        }
        while let Some(at) = queue.pop_front() {
            let Some((steps, goal)) = found[usize::from(at.0)] else { continue };
            for next in grid.near(at) {
                let slot = usize::from(next.0);
                if found[slot].is_none() && self.is_open(next, kind) {
                    found[slot] = Some((steps + 1, goal));
                    queue.push_back(next);
                }
            }
        }
        found
    }

    /// Whether a kind can go onto a square that is known.
    fn is_open(&self, at: Place, kind: Kind) -> bool {
        if !self.known.has_seen(at) {
            return false;
        }
        match self.view.world.ground.at(at) {
            Terrain::City => {
                self.known.cities.get(&at).is_some_and(|c| c.owner == Some(self.seat()))
            }
            ground => ground.takes(kind),
        }
    }

    /// Squares at which what is known ends, for a kind.
    fn frontier(&self, kind: Kind) -> Vec<Place> {
        let grid = self.view.world.ground.grid;
        let new = |p: &Place| grid.near(*p).any(|n| !self.known.has_seen(n));
        grid.places().filter(|p| self.is_open(*p, kind)).filter(new).collect()
    }

    /// What a unit would attack next to it, with the chance.
    fn prey(&self, unit: &Unit, least: u32) -> Option<Place> {
        let near = self.view.world.ground.grid.near(unit.at);
        let chance = |at: Place| self.chance(unit, at, least).map(|odds| (odds, at));
        near.filter_map(chance).reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, at)| at)
    }

    /// The chance of a unit against what is seen on a square, if it is worth an attack.
    fn chance(&self, unit: &Unit, at: Place, least: u32) -> Option<u32> {
        let ground = &self.view.world.ground;
        let options = &self.view.world.options;
        let attacker =
            Attacker { kind: unit.kind, damage: unit.damage.into(), on: ground.at(unit.at) };
        let on = ground.at(at);
        let target = match on {
            Terrain::City => {
                let owner = self.known.cities.get(&at)?.owner;
                if owner == Some(self.seat()) {
                    return None;
                }
                Target::City { neutral: owner.is_none(), held: 0 }
            }
            _ => Target::Unit(self.known.marks.get(&at).filter(|m| m.here)?.kind, 0),
        };
        combat::may_attack(options, attacker, target, on).ok()?;
        let odds = combat::fight(options, attacker, target, on).odds().per_mille();
        // Land units always attack cities.
        let city = on == Terrain::City && unit.kind.class() == Class::Land;
        (odds >= least || city).then_some(odds)
    }

    /// Whether nothing can come of what is left: no city, and nobody who could take one.
    fn is_lost(&self) -> bool {
        if !self.cities.is_empty() {
            return false;
        }
        let foot = self.view.world.options.edition.foot();
        let goals = self.need.keys().copied().chain(self.frontier(foot));
        let near = self.nearest(goals, foot);
        let hope = |u: &Unit| {
            u.kind.class() == Class::Land
                && (u.aboard.is_some() || near[usize::from(u.at.0)].is_some())
        };
        self.units(hope).is_empty()
    }

    /// Whether one enemy has so much more that the war is decided.
    fn is_beaten(&self) -> bool {
        let most = self.view.seats().map(|seat| {
            let theirs = self.known.cities.values().filter(|c| c.owner == Some(seat));
            if seat == self.seat() { 0 } else { theirs.count() }
        });
        let left = self.view.seats().filter(|s| self.view.plays(*s)).count();
        let turn = self.view.world.turn;
        let steps: &[(u32, usize)] = if left > 2 { &BEATEN_OF_MANY } else { &BEATEN };
        let times = steps.iter().find(|(from, _)| turn >= *from).map(|s| s.1);
        let (most, own) = (most.max().unwrap_or(0), self.cities.len().max(1));
        times.is_some_and(|times| 4 * most > times * own)
    }

    /// Land units: cities and intruders first, then what is unknown; the others are a reserve.
    fn land(&mut self) {
        let foot = self.view.world.options.edition.foot();
        let all = self.units(|u| u.kind.class() == Class::Land);
        for (_, unit) in all.iter().filter(|(_, u)| u.aboard.is_none()) {
            *self.ashore.entry(self.masses.at(unit.at)).or_default() += 1;
        }
        let mut waiting: Vec<(u16, Unit)> = all;
        // Whoever is nearest goes, as many to each as it needs; the others look again.
        loop {
            let open = self.need.iter().filter(|(_, n)| **n > 0).map(|(at, _)| *at);
            let open: Vec<Place> = open.collect();
            if open.is_empty() || waiting.is_empty() {
                break;
            }
            let near = self.nearest(open, foot);
            let mut order: Vec<(u32, u16, Unit, Place)> = Vec::new();
            let mut rest = Vec::new();
            for (number, unit) in waiting {
                match self.within_reach(&unit, &near) {
                    Some((steps, goal)) => order.push((steps, number, unit, goal)),
                    None => rest.push((number, unit)),
                }
            }
            order.sort_by_key(|(steps, number, ..)| (*steps, *number));
            let mut again = false;
            for (_, number, unit, goal) in order {
                let need = self.need.entry(goal).or_default();
                if *need == 0 {
                    again = true;
                    rest.push((number, unit));
                    continue;
                }
                *need -= 1;
                let line = format!("A {number} {}", self.called(goal));
                self.say(line);
            }
            rest.sort_by_key(|(number, _)| *number);
            waiting = rest;
            if !again {
                break;
            }
        }
        let near = self.nearest(self.frontier(foot), foot);
        let mut scouts: BTreeMap<Option<u32>, usize> = BTreeMap::new();
        let mut reserve = Vec::new();
        for (number, unit) in waiting.into_iter().filter(|(_, u)| u.aboard.is_none()) {
            if let Some(at) = self.prey(&unit, EVEN) {
                let line = format!("A {number} {}", self.called(at));
                self.say(line);
                continue;
            }
            let mass = self.masses.at(unit.at);
            let sent = scouts.entry(mass).or_default();
            if near[usize::from(unit.at.0)].is_some() && *sent < SCOUTS {
                *sent += 1;
                self.say(format!("E {number} * !"));
                continue;
            }
            reserve.push((number, unit));
        }
        self.gather(reserve);
    }

    /// The nearest target of a land unit; who is aboard goes for what is next to the shore.
    fn within_reach(&self, unit: &Unit, near: &Nearest) -> Option<(u32, Place)> {
        if unit.aboard.is_none() {
            return near[usize::from(unit.at.0)];
        }
        let grid = self.view.world.ground.grid;
        let next = grid.near(unit.at).filter(|p| self.view.world.ground.at(*p).is_land());
        let next =
            next.filter_map(|p| near[usize::from(p.0)].map(|(steps, goal)| (steps + 1, goal)));
        next.min().filter(|(steps, _)| *steps <= INLAND.unsigned_abs())
    }

    /// Land units that have nothing to do go to ports.
    fn gather(&mut self, reserve: Vec<(u16, Unit)>) {
        let foot = self.view.world.options.edition.foot();
        // There are a few thousand at most.
        self.reserve = reserve.len() as u32;
        let ports: Vec<Place> = self.cities.iter().copied().filter(|c| self.is_port(*c)).collect();
        let home = self.nearest(ports.iter().copied(), foot);
        // A port from which the way over the sea is short is worth a walk.
        let grid = self.view.world.ground.grid;
        let shores = self.landings().into_iter().flat_map(|l| l.shores);
        let sea = self.nearest(shores, Kind::De);
        let far = |port: Place| sea[usize::from(port.0)].map_or(i32::MAX / 4, |s| s.0 as i32);
        for (number, unit) in reserve {
            let Some((_, near)) = home[usize::from(unit.at.0)] else { continue };
            let mass = self.masses.at(unit.at);
            let same = ports.iter().copied().filter(|p| self.masses.at(*p) == mass);
            let cost = |p: Place| (grid.distance(unit.at, p) + far(p) / 2, p);
            let port = same.min_by_key(|p| cost(*p)).unwrap_or(near);
            *self.ports.entry(port).or_default() += 1;
            if port != unit.at {
                let line = format!("M {number} {}", self.called(port));
                self.say(line);
            } else if !unit.orders.is_empty() {
                // It waits for a ship, and is taken along.
                self.say(format!("K {number}"));
            }
        }
    }

    /// Where landings are worth it: at cities that are not reached by land, and on land of
    /// which not much is known.
    fn landings(&self) -> Vec<Landing> {
        let grid = self.view.world.ground.grid;
        let ground = &self.view.world.ground;
        let shores = |target: Place| -> Vec<Place> {
            let mass = self.masses.at(target);
            let next = |p: &Place| {
                grid.near(*p).any(|n| {
                    self.masses.at(n) == mass && (ground.at(n) != Terrain::City || n == target)
                })
            };
            let water = |p: &Place| self.known.has_seen(*p) && ground.at(*p) == Terrain::Water;
            grid.within(target, INLAND).filter(water).filter(next).collect()
        };
        let own: BTreeSet<Option<u32>> =
            self.cities.iter().map(|c| self.masses.at(*c)).filter(Option::is_some).collect();
        let mut landings: Vec<Landing> = Vec::new();
        let foes = self.need.keys().filter(|at| self.is_held(**at)).count() as u32;
        // Whoever has plenty comes in strength.
        let more = (self.reserve / foes.max(1)).min(MORE);
        for (target, need) in &self.need {
            let walked = own.contains(&self.masses.at(*target));
            let need = need + if self.is_held(*target) { more } else { 0 };
            if need > 0 {
                landings.push(Landing { target: *target, need, shores: shores(*target), walked });
            }
        }
        // Islands of which nobody knows what is on them.
        let mut seen: BTreeSet<Option<u32>> = own;
        seen.extend(self.need.keys().map(|at| self.masses.at(*at)));
        seen.extend(self.ashore.keys().copied());
        for at in self.frontier(self.view.world.options.edition.foot()) {
            let new = seen.insert(self.masses.at(at));
            let shores = shores(at);
            if new && !shores.is_empty() {
                landings.push(Landing { target: at, need: 1, shores, walked: false });
            }
        }
        landings
    }

    /// Transports land what they have, and fetch the reserve.
    fn transports(&mut self) {
        let mut landings = self.landings();
        let mut used: BTreeSet<Place> = BTreeSet::new();
        let mut idle = Vec::new();
        for (number, unit) in self.units(|u| u.kind == Kind::Tr) {
            let id = UnitId { seat: self.seat(), number };
            let places = self.field.places(id).unwrap_or(0);
            let aboard = self.field.taken(id);
            let port = self.in_city(&unit);
            let here = if port { self.ports.get(&unit.at).copied().unwrap_or(0) } else { 0 };
            let waiting = if port { self.waiting(unit.at) } else { 0 };
            let load = (aboard + waiting.min(here)).min(places);
            if load == 0 {
                idle.push((number, unit));
                continue;
            }
            let sea = self.nearest([unit.at], Kind::De);
            let Some((landing, shore)) = best(&landings, &sea, &used, self) else {
                // Whoever finds something lands there.
                if !self.scout(number, &unit) {
                    idle.push((number, unit));
                } else if port {
                    let left = self.ports.entry(unit.at).or_default();
                    *left = left.saturating_sub(load - aboard);
                }
                continue;
            };
            // It waits for more that is coming and can be used; with too few for the way it
            // looks for others.
            let wanted = landings[landing].need.min(places);
            if port && load < wanted && here > waiting && !self.novice() {
                continue;
            }
            let far = sea[usize::from(shore.0)].is_some_and(|s| s.0 > FAR);
            let held = self.is_held(landings[landing].target);
            if port && far && held && load < wanted.min(FEW) && !self.novice() {
                idle.push((number, unit));
                continue;
            }
            landings[landing].need = landings[landing].need.saturating_sub(load);
            used.insert(shore);
            if port {
                let left = self.ports.entry(unit.at).or_default();
                *left = left.saturating_sub(load - aboard);
            }
            let target = landings[landing].target;
            let (at, to) = (self.called(shore), self.called(target));
            match unit.at == shore {
                true => self.say(format!("U {number} {to}")),
                false => self.say(format!("M {number} {at} THEN U {to}")),
            }
            // Whoever gets there in this turn attacks in this turn.
            let moves = u32::from(self.field.moves_of_kind(&unit));
            let steps = sea[usize::from(shore.0)].map_or(u32::MAX, |s| s.0);
            if steps <= moves && self.need.contains_key(&target) {
                for cargo in self.field.cargo(id).to_vec() {
                    self.say(format!("A {cargo} {to}"));
                }
            }
        }
        self.fetch(idle);
    }

    /// Land units in a port that a transport would take along.
    fn waiting(&self, port: Place) -> u32 {
        let going = |n: u16| {
            self.lines.iter().any(|l| {
                l.split_whitespace().nth(1).and_then(|w| w.parse().ok()) == Some(n)
                    && !l.starts_with('K')
            })
        };
        let inside = self.field.inside(port).iter();
        let land = inside.filter(|u| {
            self.field.unit(**u).is_some_and(|v| v.kind.class() == Class::Land) && !going(u.number)
        });
        // A city holds a few hundred at most.
        land.count() as u32
    }

    /// Empty transports go where most wait; those that nobody needs look around.
    fn fetch(&mut self, idle: Vec<(u16, Unit)>) {
        for (number, unit) in idle {
            let sea = self.nearest([unit.at], Kind::De);
            let score = |(port, n): (&Place, &u32)| {
                let (steps, _) = sea[usize::from(port.0)]?;
                (*n > 0).then(|| (8 * (*n).min(6) as i32 - steps as i32, *port))
            };
            if let Some((_, port)) = self.ports.iter().filter_map(score).max() {
                let left = self.ports.entry(port).or_default();
                *left = left.saturating_sub(6);
                if port != unit.at {
                    let line = format!("M {number} {}", self.called(port));
                    self.say(line);
                }
                continue;
            }
            if !self.scout(number, &unit) && !self.in_city(&unit) {
                self.homeward(number, &unit);
            }
        }
    }

    /// A ship looks around, where no other one does; whether there is anything to see.
    fn scout(&mut self, number: u16, unit: &Unit) -> bool {
        let grid = self.view.world.ground.grid;
        let sea = self.nearest([unit.at], Kind::De);
        let crowd = |p: Place| {
            let near = self.looked.iter().map(|l| (SPREAD - grid.distance(*l, p)).max(0));
            near.max().unwrap_or(0)
        };
        let cost = |p: &Place| {
            let (steps, _) = sea[usize::from(p.0)]?;
            let same = self.looked.iter().filter(|l| grid.distance(**l, *p) <= 2).count();
            (same < TOGETHER).then(|| (steps as i32 + 2 * crowd(*p), *p))
        };
        let Some((_, goal)) = self.edge.iter().filter_map(cost).min() else { return false };
        self.looked.push(goal);
        let line = match goal == unit.at {
            true => format!("E {number} !"),
            false => format!("M {number} {} THEN E !", self.called(goal)),
        };
        self.say(line);
        true
    }

    fn homeward(&mut self, number: u16, unit: &Unit) {
        if !matches!(unit.orders.first(), Some(Task::Return)) {
            self.say(format!("R {number}"));
        }
    }

    /// What cities build.
    fn build(&mut self, dice: &mut Dice) {
        let options = &self.view.world.options;
        let foot = options.edition.foot();
        let of = |kind: Kind| self.units(|u| u.kind == kind).len() as u32;
        let cities = self.cities.len() as u32;
        let on_foot = self.units(|u| u.kind.class() == Class::Land).len() as u32;
        let mut have: BTreeMap<Kind, u32> =
            Kind::ALL.into_iter().map(|k| (k, of(k) + self.planned(k))).collect();
        let mut armies = on_foot + self.planned(foot) + self.planned(Kind::Am);
        let mut local: BTreeMap<Option<u32>, u32> = self.ashore.clone();
        let overseas: u32 = self.landings().iter().filter(|l| !l.walked).map(|l| l.need).sum();
        let novice = self.novice();
        let wanted = (1 + overseas / 4).max(1 + self.reserve / 4).min(2 + cities / 3);
        let wanted = if novice { 1 } else { wanted };
        let base = production::base(&self.view.world, self.seat());
        let enemies =
            self.known.marks.values().filter(|m| m.kind.class() == Class::Sea).count() as u32;
        // A world of which much is unknown wants ships that look around.
        let squares = self.view.world.ground.grid.len() as u32;
        let unknown = self.known.explored() * 10 < squares * 9;
        for at in self.cities.clone() {
            let Some(city) = self.view.world.city(at) else { continue };
            let mass = self.masses.at(at);
            let goals = self.needs();
            let here = goals
                .iter()
                .filter(|(t, _)| self.masses.at(**t) == mass)
                .map(|(_, n)| n)
                .sum::<u32>();
            let builds = city.list.first().copied();
            let coast = self.is_port(at);
            let near = local.get(&mass).copied().unwrap_or(0);
            // What is under way is finished, but for units that nobody waits for any more.
            let surplus = armies > 6 * have[&Kind::Tr] + 12 + here;
            let under_way = builds.filter(|k| city.done > 0 && !(*k == foot && surplus));
            let count = |k: Kind| have.get(&k).copied().unwrap_or(0);
            let can = |k: Kind| options.builds(k) && can_build(&self.view.world.ground, at, k);
            let kind = if on_foot == 0 && armies < 2 || here > 0 && near < here + 1 {
                Some(foot)
            } else if can(Kind::Fi) && count(Kind::Fi) == 0 && !novice {
                Some(Kind::Fi)
            } else if coast && count(Kind::Tr) < wanted {
                Some(Kind::Tr)
            } else if armies < 6 * count(Kind::Tr).max(1) + 2 + here {
                Some(foot)
            } else if novice {
                Some(foot).filter(|_| !surplus)
            } else if can(Kind::Fi)
                && count(Kind::Fi) < 1 + if unknown { cities / 3 } else { cities / 5 }
            {
                Some(Kind::Fi)
            } else if coast && count(Kind::De) < 1 + if unknown { cities / 5 } else { cities / 10 }
            {
                Some(Kind::De)
            } else if can(Kind::Bo) && count(Kind::Bo) < cities / 6 {
                Some(Kind::Bo)
            } else if coast && can(Kind::Ca) && options.advanced() && count(Kind::Ca) < cities / 16
            {
                Some(Kind::Ca)
            } else if coast && count(Kind::Cr) < cities / 8 + enemies / 3 {
                Some(Kind::Cr)
            } else if coast && can(Kind::Su) && count(Kind::Su) < enemies / 2 {
                Some(Kind::Su)
            } else if coast && count(Kind::Ba) < cities / 16 {
                Some(Kind::Ba)
            } else if !surplus {
                Some(foot)
            } else if coast && count(Kind::Tr) < 2 + cities / 2 {
                Some(Kind::Tr)
            } else {
                None
            };
            // A crowd of units slows everything; then nothing is better.
            let crowded = options.advanced() && base < 80 && here == 0;
            let kind = kind.filter(|k| !crowded || *k == Kind::Tr);
            let third =
                options.advanced() && kind == Some(foot) && !novice && dice.below("armor", 3) == 0;
            let kind = if third { Some(Kind::Am) } else { kind };
            if let Some(kind) = kind {
                *have.entry(kind).or_default() += 1;
                if kind.class() == Class::Land {
                    armies += 1;
                    *local.entry(mass).or_default() += 1;
                }
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
                self.say(line);
            }
        }
        // While a card is for several turns, new units look around by themselves.
        for at in self.cities.clone() {
            let sent = self.view.world.city(at).is_some_and(|c| !c.rally.is_empty());
            let line = match (self.view.sitting > 1, sent) {
                (true, false) => format!("Z {} E * !", self.called(at)),
                (false, true) => format!("Z {}", self.called(at)),
                _ => continue,
            };
            self.say(line);
        }
        if self.view.world.side(self.seat()).is_some_and(|s| s.default != foot) {
            self.say(format!("PD {}", foot.code()));
        }
    }

    /// Units of a kind that cities build now.
    fn planned(&self, kind: Kind) -> u32 {
        let builds = |at: &&Place| {
            self.view.world.city(**at).is_some_and(|c| c.done > 0 && c.list.first() == Some(&kind))
        };
        self.cities.iter().filter(builds).count() as u32
    }

    /// Warships hunt what they beat, and look around.
    fn warships(&mut self) {
        let grid = self.view.world.ground.grid;
        let fits = |u: &Unit| u.kind.class() == Class::Sea && u.kind != Kind::Tr;
        for (number, unit) in self.units(fits) {
            if let Some(at) = self.prey(&unit, EVEN) {
                let line = format!("A {number} {}", self.called(at));
                self.say(line);
                continue;
            }
            let figure = self.view.world.options.figure(unit.kind);
            let hurt = figure.is_some_and(|f| 2 * u32::from(unit.damage) >= u32::from(f.damage));
            if hurt || unit.damage > 0 && self.in_city(&unit) {
                if !self.in_city(&unit) {
                    self.homeward(number, &unit);
                }
                continue;
            }
            if unit.kind == Kind::Ca {
                self.carrier(number, &unit);
                continue;
            }
            let worth = |(at, _): &(&Place, &super::sight::Mark)| {
                grid.distance(unit.at, **at) <= HUNT && self.chance(&unit, **at, EVEN).is_some()
            };
            let seen = self.known.marks.iter().filter(|(_, m)| m.here).filter(worth);
            let prey = seen.map(|(at, _)| (grid.distance(unit.at, *at), *at)).min();
            if let Some((_, at)) = prey.filter(|_| !self.novice()) {
                let line = format!("A {number} {}", self.called(at));
                self.say(line);
            } else if !self.scout(number, &unit) {
                self.guard(number, &unit);
            }
        }
    }

    /// A ship without anything to do goes before the enemy city that is nearest, to stop what
    /// comes out of it.
    fn guard(&mut self, number: u16, unit: &Unit) {
        let grid = self.view.world.ground.grid;
        let ground = &self.view.world.ground;
        let foe =
            |(_, c): &(&Place, &super::sight::SeenCity)| c.owner.is_some_and(|o| o != self.seat());
        let foes = self.known.cities.iter().filter(foe).map(|(at, _)| *at);
        let goal = foes.min_by_key(|at| (grid.distance(unit.at, *at), *at));
        let water = |p: &Place| {
            self.known.has_seen(*p)
                && ground.at(*p) == Terrain::Water
                && self.field.top(*p).is_none()
        };
        let post = goal.and_then(|goal| {
            let near = grid.within(goal, 4).filter(water);
            near.min_by_key(|p| (grid.distance(unit.at, *p), *p))
        });
        match post {
            Some(post) if grid.distance(unit.at, post) > 1 => {
                let line = format!("M {number} {}", self.called(post));
                self.say(line);
            }
            Some(_) => {}
            None if !self.in_city(unit) => self.homeward(number, unit),
            None => {}
        }
    }

    /// A carrier goes near enemy cities, where fighters find it.
    fn carrier(&mut self, number: u16, unit: &Unit) {
        self.guard(number, unit);
    }

    /// Aircraft strike what is near, look around, and move to where enemies are.
    fn aircraft(&mut self) {
        let grid = self.view.world.ground.grid;
        let ground = &self.view.world.ground;
        let foes: Vec<Place> = self
            .known
            .cities
            .iter()
            .filter(|(_, c)| c.owner.is_some_and(|o| o != self.seat()))
            .map(|(at, _)| *at)
            .collect();
        let decks: Vec<(u16, Place)> =
            self.units(|u| u.kind == Kind::Ca).iter().map(|(n, u)| (*n, u.at)).collect();
        for (number, unit) in self.units(|u| u.kind.class() == Class::Air) {
            let least = if unit.kind == Kind::Fi { DARING } else { EVEN };
            let id = UnitId { seat: self.seat(), number };
            let home = ground.at(unit.at) == Terrain::City || unit.aboard.is_some();
            let spare = self.field.is_safe(id, unit.at, unit.fuel.saturating_sub(2));
            if spare && let Some(at) = self.prey(&unit, least) {
                let line = format!("A {number} {}", self.called(at));
                self.say(line);
                continue;
            }
            if !home {
                if !matches!(unit.orders.first(), Some(Task::Explore(_) | Task::Attack(..))) {
                    self.homeward(number, &unit);
                }
                continue;
            }
            let reach = i32::from(unit.fuel) / 2;
            let marks = self.known.marks.iter().filter(|(at, m)| {
                m.here
                    && grid.distance(unit.at, **at) <= reach
                    && self.chance(&unit, **at, least).is_some()
            });
            let marks = marks.map(|(at, _)| *at);
            let bombed = foes
                .iter()
                .copied()
                .filter(|at| unit.kind == Kind::Bo && grid.distance(unit.at, *at) <= reach);
            let goal = marks.chain(bombed).min_by_key(|at| (grid.distance(unit.at, *at), *at));
            if let Some(goal) = goal.filter(|_| !self.novice()) {
                let line = format!("A {number} {}", self.called(goal));
                self.say(line);
                continue;
            }
            // Fighters go aboard a carrier that has room for them.
            let deck = decks.iter().find(|(n, at)| {
                let ship = UnitId { seat: self.seat(), number: *n };
                unit.kind == Kind::Fi
                    && unit.aboard.is_none()
                    && self.field.has_room(ship, Kind::Fi)
                    && grid.distance(unit.at, *at) <= reach
            });
            if let Some((deck, _)) = deck {
                self.say(format!("L {number} {deck}"));
                continue;
            }
            if unit.kind == Kind::Fi && unit.aboard.is_none() && self.sees_new(&unit) {
                if !matches!(unit.orders.first(), Some(Task::Explore(_))) {
                    self.say(format!("E {number} !"));
                }
                continue;
            }
            let scouts = unit.kind == Kind::Fi && unit.aboard.is_none() && !self.novice();
            if !(scouts && self.outward(number, &unit)) {
                self.forward(number, &unit, &foes);
            }
        }
    }

    /// Whether something unknown is in reach of an aircraft, and of its way back.
    fn sees_new(&self, unit: &Unit) -> bool {
        let grid = self.view.world.ground.grid;
        let reach = i32::from(unit.fuel) / 2;
        grid.within(unit.at, reach).any(|p| !self.known.has_seen(p))
    }

    /// To the own city around which most is unknown, where nobody else goes; whether there is one.
    fn outward(&mut self, number: u16, unit: &Unit) -> bool {
        let grid = self.view.world.ground.grid;
        let range = self.view.world.options.figure(unit.kind).map_or(0, |f| i32::from(f.range));
        let new =
            |c: Place| grid.within(c, range / 2 - 1).filter(|p| !self.known.has_seen(*p)).count();
        let fuel = i32::from(unit.fuel);
        let near = self.cities.iter().copied().filter(|c| {
            *c != unit.at && grid.distance(unit.at, *c) <= fuel && !self.looked.contains(c)
        });
        let best = near.map(|c| (new(c), c)).filter(|(n, _)| *n > 0).max();
        let Some((_, base)) = best else { return false };
        self.looked.push(base);
        let line = format!("M {number} {} THEN E !", self.called(base));
        self.say(line);
        true
    }

    /// To the own city nearest to the enemy, if it can be reached.
    fn forward(&mut self, number: u16, unit: &Unit, foes: &[Place]) {
        let grid = self.view.world.ground.grid;
        let far = |c: Place| foes.iter().map(|f| grid.distance(c, *f)).min().unwrap_or(i32::MAX);
        let fuel = i32::from(unit.fuel);
        let near = self.cities.iter().copied().filter(|c| grid.distance(unit.at, *c) <= fuel);
        let Some(base) = near.min_by_key(|c| (far(*c), *c)) else { return };
        if unit.aboard.is_none() && !foes.is_empty() && far(base) < far(unit.at) {
            let line = format!("M {number} {}", self.called(base));
            self.say(line);
        }
    }
}

/// The landing that is worth most from where a ship is, and the shore for it.
fn best(
    landings: &[Landing],
    sea: &Nearest,
    used: &BTreeSet<Place>,
    mind: &Mind,
) -> Option<(usize, Place)> {
    let grid = mind.view.world.ground.grid;
    let costs = landings.iter().enumerate().filter(|(_, l)| l.need > 0).flat_map(|(n, landing)| {
        landing.shores.iter().filter(|p| !used.contains(p)).filter_map(move |shore| {
            let (steps, _) = sea[usize::from(shore.0)]?;
            let inland = grid.distance(*shore, landing.target).unsigned_abs();
            let walked = if landing.walked { 25 } else { 0 };
            Some((steps + 3 * inland + walked, n, *shore))
        })
    });
    costs.min().map(|(_, n, shore)| (n, shore))
}
