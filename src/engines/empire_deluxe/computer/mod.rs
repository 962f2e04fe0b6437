//! The computer player (§14): it knows only its view, and plays by the same rules as everybody.
//!
//! Each turn it looks at what it knows as a whole: which cities it could take over land, which over
//! the sea, where enemies are. From that it decides what cities build and what each unit does. It
//! gives all orders again every turn, so it needs no notes between turns.
//!
//! A plan has these steps: land units go for targets within walking distance; a few explore; the
//! rest is a reserve that gathers in ports. Transports fetch the reserve and land it where there is
//! most to gain. Warships and aircraft hunt enemies in sight, clear the way and look around.

mod aircraft;
mod build;
mod land;
mod ships;
mod surrender;
mod transports;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use engine::geometry::Place;
use engine::graph::Areas;
use engine::{CardText, Computers, Dice, Play, Seat, Strength};

use crate::EmpireDeluxe;
use crate::combat::{self, Attacker, Target};
use crate::field::Field;
use crate::ground::Terrain;
use crate::kinds::{Class, Kind};
use crate::sight::Known;
use crate::state::Unit;
use crate::view::View;

impl Computers for EmpireDeluxe {
    fn play(view: &View, _notes: &str, dice: &mut Dice) -> Play {
        play(view, dice).into()
    }
}

/// The chance from which a unit attacks, in tenths of a percent.
const EVEN: u32 = 500;
/// Land units that are sent against a free city.
const FREE: u32 = 2;
/// Land units that are sent against an enemy city.
const HELD: u32 = 4;
/// The most squares from a shore to the target of a landing.
const INLAND: i32 = 3;

/// The card of a computer player.
pub fn play(view: &View, dice: &mut Dice) -> CardText {
    if !view.moves() {
        return CardText::default();
    }
    let Some(known) = view.known() else { return CardText::default() };
    let field = Field::new(view.world.clone());
    // A player who has left is replaced by the strongest computer.
    let strength = match view.world.side(view.seat).is_some_and(|s| s.computer) {
        true => Strength::Hard,
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
        soon: BTreeMap::new(),
        ashore: BTreeMap::new(),
        reserve: 0,
        edge: Vec::new(),
        looked: Vec::new(),
        ends: BTreeMap::new(),
        sea_ends: BTreeMap::new(),
    };
    mind.need = mind.needs();
    mind.open = mind.open_seas();
    mind.edge = mind.frontier(Kind::De);
    for at in mind.frontier(view.world.options.edition.foot()) {
        *mind.ends.entry(mind.masses.at(at)).or_default() += 1;
    }
    for at in &mind.edge {
        *mind.sea_ends.entry(mind.seas.at(*at)).or_default() += 1;
    }
    if surrender::is_lost(&mind) || surrender::is_beaten(&mind) {
        return CardText::new("X RESIGN YES");
    }
    mind.land();
    mind.transports();
    mind.build(dice);
    ships::warships(&mut mind);
    mind.aircraft();
    CardText::of(&mind.lines)
}

/// The known land, divided into landmasses.
fn masses(view: &View, known: &Known) -> Areas {
    let grid = view.world.ground.grid;
    let land = |p: Place| known.has_seen(p) && view.world.ground.at(p).is_land();
    Areas::of(grid.len(), grid.places(), |p| grid.near(p), land)
}

/// The known water, divided into seas; ships can also pass through the player's own cities.
fn seas(view: &View, known: &Known) -> Areas {
    let grid = view.world.ground.grid;
    let own = |p: Place| view.world.city(p).is_some_and(|c| c.owner == Some(view.seat));
    let water =
        |p: Place| known.has_seen(p) && (view.world.ground.at(p) == Terrain::Water || own(p));
    Areas::of(grid.len(), grid.places(), |p| grid.near(p), water)
}

/// For each square the nearest of some places, and the steps to it.
type Nearest = Vec<Option<(u32, Place)>>;

struct Mind<'a> {
    view: &'a View,
    known: &'a Known,
    field: &'a Field,
    strength: Strength,
    lines: Vec<String>,
    masses: Areas,
    seas: Areas,
    /// Seas that lead to unexplored parts or targets.
    open: BTreeSet<u32>,
    /// The player's own cities.
    cities: Vec<Place>,
    /// Land units that are still wanted for each target.
    need: BTreeMap<Place, u32>,
    /// Land units that wait in a port, or are on their way to it.
    ports: BTreeMap<Place, u32>,
    /// Those of them that will be in the port within a few turns.
    soon: BTreeMap<Place, u32>,
    /// Land units on each landmass, without those aboard ships.
    ashore: BTreeMap<Option<u32>, u32>,
    /// Land units that are not needed on their own landmass.
    reserve: u32,
    /// Water squares at the edge of what is known.
    edge: Vec<Place>,
    /// Squares to which units are sent to look around.
    looked: Vec<Place>,
    /// For each landmass, the number of squares at the edge of what is known.
    ends: BTreeMap<Option<u32>, u32>,
    /// For each sea, the number of squares at the edge of what is known.
    sea_ends: BTreeMap<Option<u32>, u32>,
}

impl Mind<'_> {
    fn seat(&self) -> Seat {
        self.view.seat
    }

    fn called(&self, at: Place) -> String {
        self.view.world.ground.called(at)
    }

    fn order(&mut self, line: String) {
        self.lines.push(line);
    }

    fn novice(&self) -> bool {
        self.strength == Strength::Easy
    }

    fn expert(&self) -> bool {
        self.strength == Strength::Hard
    }

    /// The player's units that fit, by number.
    fn units(&self, fits: impl Fn(&Unit) -> bool) -> Vec<(u16, Unit)> {
        let side = self.view.world.side(self.seat());
        let all = side.into_iter().flat_map(|s| s.units.iter());
        all.filter(|(_, u)| fits(u)).map(|(n, u)| (*n, u.clone())).collect()
    }

    fn in_city(&self, unit: &Unit) -> bool {
        self.view.world.ground.at(unit.at) == Terrain::City
    }

    /// Land units wanted for each known city of others, and for each enemy on land near the
    /// player's cities.
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

    /// Whether another player holds the city on a square.
    fn is_held(&self, at: Place) -> bool {
        let owner = self.known.cities.get(&at).and_then(|c| c.owner);
        owner.is_some_and(|o| o != self.seat())
    }

    /// Whether a city lies at a sea that leads anywhere; a city at a closed lake is not a port.
    fn is_port(&self, at: Place) -> bool {
        self.seas.at(at).is_some_and(|sea| self.open.contains(&sea))
    }

    /// Seas that lead to unknown parts, or to land with targets.
    fn open_seas(&self) -> BTreeSet<u32> {
        let grid = self.view.world.ground.grid;
        let foot = self.view.world.options.edition.foot();
        let own: BTreeSet<u32> = self.cities.iter().filter_map(|c| self.masses.at(*c)).collect();
        let goals = self.need.keys().copied().chain(self.frontier(foot));
        let wanted: BTreeSet<u32> =
            goals.filter_map(|at| self.masses.at(at)).filter(|m| !own.contains(m)).collect();
        let leads = |p: Place| {
            self.view.world.ground.at(p) == Terrain::Water
                && grid.near(p).any(|n| {
                    let there = self.masses.at(n);
                    !self.known.has_seen(n) || there.is_some_and(|m| wanted.contains(&m))
                })
        };
        grid.places().filter_map(|p| self.seas.at(p).filter(|_| leads(p))).collect()
    }

    /// For each square, the nearest of these places that a kind can reach over known squares.
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

    /// Whether a kind can go onto a square that is already known.
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

    /// Squares at the edge of what is known, for a kind.
    fn frontier(&self, kind: Kind) -> Vec<Place> {
        let grid = self.view.world.ground.grid;
        let new = |p: &Place| grid.near(*p).any(|n| !self.known.has_seen(n));
        grid.places().filter(|p| self.is_open(*p, kind)).filter(new).collect()
    }

    /// The best target next to a unit, if its chance is high enough.
    fn prey(&self, unit: &Unit, least: u32) -> Option<Place> {
        let near = self.view.world.ground.grid.near(unit.at);
        let chance = |at: Place| self.chance(unit, at, least).map(|odds| (odds, at));
        near.filter_map(chance).reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, at)| at)
    }

    /// The chance of a unit against the enemy seen on a square, if it is worth an attack.
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
}
