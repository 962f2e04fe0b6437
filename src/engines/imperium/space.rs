//! Space battles on their board of 5 × 5 × 3 areas (§7).

use std::collections::{BTreeMap, BTreeSet};

use engine::Dice;
use serde::{Deserialize, Serialize};

use super::board::{Board, Harm, Place, Spot, harm};
use super::fire::{self, Gun, Mark, Shot, die};
use super::galaxy::{Planet, System};
use super::kinds::{Class, Kind, Name, Side, UnitId};
use super::orders::{Aims, Stance};
use super::standing::Standing;
use crate::counters;
use crate::supply;

/// The most ships of a side in an area; fighters do not count.
const CROWD: usize = 12;
/// The most rounds of a battle.
const ROUNDS: u8 = 3;
/// The number of ships on each side that makes a battle a major one, even without capital ships.
const MANY: usize = 10;

/// An area of the board: x, y from 1 to 5, z from 1 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Area {
    /// Level.
    pub z: i8,
    /// Row.
    pub y: i8,
    /// Column: the moving side begins at 1, the other at 5.
    pub x: i8,
}

impl Area {
    /// The range between two areas.
    pub fn range(self, other: Self) -> u8 {
        let far = |a: i8, b: i8| a.abs_diff(b);
        far(self.x, other.x).max(far(self.y, other.y)).max(far(self.z, other.z))
    }

    /// Its number from 1 to 75: 25 (z − 1) + 5 (y − 1) + x.
    pub fn number(self) -> u8 {
        // The number is at most 75.
        (25 * (self.z - 1) + 5 * (self.y - 1) + self.x) as u8
    }

    fn aside(self, other: Self) -> u8 {
        self.y.abs_diff(other.y) + self.z.abs_diff(other.z)
    }

    /// Areas at a range of at most `reach`, this one included, by number.
    fn within(self, reach: i8) -> impl Iterator<Item = Self> {
        let span = move |at: i8, most: i8| (at - reach).max(1)..=(at + reach).min(most);
        span(self.z, 3).flat_map(move |z| {
            span(self.y, 5).flat_map(move |y| span(self.x, 5).map(move |x| Self { z, y, x }))
        })
    }
}

impl std::fmt::Display for Area {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.x, self.y, self.z)
    }
}

/// A unit in a battle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combatant {
    /// The unit.
    pub id: UnitId,
    /// Its place on the battle board.
    pub area: Area,
}

/// The effect of a step of fire on a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// The unit.
    pub id: UnitId,
    /// Hits of the step that were not stopped.
    pub hits: u32,
    /// Dice of counter-measures, which stop only torpedoes.
    pub cm: Vec<u8>,
    /// Their effect.
    pub harm: Harm,
    /// Cargo that was lost with it.
    pub cargo: Vec<UnitId>,
}

/// The course of a round of battle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Dice of the initiative by side, without the +1.
    pub dice: [u8; 2],
    /// The side with the +1.
    pub edge: Side,
    /// The side with the initiative.
    pub initiative: Side,
    /// The side that moved first.
    pub first: Side,
    /// The places of all units when fire began.
    pub areas: Vec<Combatant>,
    /// Fire of beams.
    pub beams: Vec<Shot>,
    /// Losses by beams.
    pub beam_losses: Vec<Loss>,
    /// Fire of torpedoes.
    pub torpedoes: Vec<Shot>,
    /// Losses by torpedoes.
    pub torpedo_losses: Vec<Loss>,
}

/// The end of a battle for its loser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// No ships are left.
    Destroyed,
    /// The fleets and their goals; `None`: there was no way, and the fleet was lost.
    Retreated(Vec<(u8, Option<System>)>),
    /// The loser stays where it is.
    Stays,
}

/// The course of a battle, for both sides' printouts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// The place.
    pub spot: Spot,
    /// The side that moved.
    pub moving: Side,
    /// The units at the start, each with whether it was damaged and its fleet; `None` for units on
    /// planets.
    pub began: Vec<(UnitId, bool, Option<u8>)>,
    /// Its rounds.
    pub rounds: Vec<Round>,
    /// The loser; `None`: the battle is not over.
    pub loser: Option<Side>,
    /// What became of the loser.
    pub fate: Option<Fate>,
    /// Resources lost by side.
    pub lost: [u32; 2],
    /// Whether it counts for Glory.
    pub major: bool,
    /// Fighters that had no place to return to.
    pub stranded: Vec<UnitId>,
}

/// A battle in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battle {
    /// The story so far.
    pub story: Story,
    /// The fighting units, by side, type and number.
    pub units: Vec<Combatant>,
    /// The systems from which fleets entered.
    pub came: BTreeMap<(Side, u8), System>,
    /// The side with the +1 in the next round.
    edge: Side,
}

impl Battle {
    /// Sets both sides up (§7.1): all fleets at the place, monitors on its planets, and the
    /// planets' fighters if their owner's standing orders allow it.
    pub fn begin(
        board: &Board,
        spot: Spot,
        moving: Side,
        came: BTreeMap<(Side, u8), System>,
        standing: [&Standing; 2],
    ) -> Self {
        let mut units = Vec::new();
        let mut began = Vec::new();
        for side in Side::BOTH {
            let mine = fighting(board, spot, side, standing[side.i()]);
            let column = if side == moving { 1 } else { 5 };
            let mut crowd: BTreeMap<Area, usize> = BTreeMap::new();
            for id in mine {
                let counts = id.kind() != Kind::F;
                let room = |a: &Area| !counts || crowd.get(a).copied().unwrap_or(0) < CROWD;
                // If a side has more than 180 ships, the last area holds the rest.
                let area = column_of(column).find(room).unwrap_or(Area { z: 3, y: 5, x: column });
                if counts {
                    *crowd.entry(area).or_default() += 1;
                }
                units.push(Combatant { id, area });
                let damaged = board.units.get(&id).is_some_and(|u| u.damaged);
                began.push((id, damaged, board.fleet_of(id)));
            }
        }
        let has = |side: Side, class: Class| {
            units.iter().any(|u| u.id.side == side && board.class(u.id) == class)
        };
        let many = |side: Side| {
            let ship = |u: &&Combatant| u.id.side == side && board.class(u.id).sails();
            units.iter().filter(ship).count() >= MANY
        };
        let both = |test: &dyn Fn(Side) -> bool| Side::BOTH.into_iter().all(test);
        let major = both(&|s| has(s, Class::Capital)) || both(&many);
        let story = Story {
            spot,
            moving,
            began,
            rounds: Vec::new(),
            loser: None,
            fate: None,
            lost: [0, 0],
            major,
            stranded: Vec::new(),
        };
        Self { story, units, came, edge: moving }
    }

    /// The worth of each side's units in Resources.
    pub fn worth(&self, board: &Board) -> [u32; 2] {
        Side::BOTH.map(|side| {
            self.units.iter().filter(|u| u.id.side == side).map(|u| board.worth(u.id)).sum()
        })
    }

    /// Whether a side has ships left.
    fn has_ships(&self, side: Side) -> bool {
        self.units.iter().any(|u| u.id.side == side)
    }

    /// Whether no further round follows.
    pub fn over(&self) -> bool {
        // There are at most three rounds.
        self.story.rounds.len() as u8 >= ROUNDS || !Side::BOTH.iter().all(|s| self.has_ships(*s))
    }

    /// Fights one round (§7.2). `place` is the place of its dice.
    pub fn round(
        &mut self,
        board: &mut Board,
        standing: [&Standing; 2],
        dice: &mut Dice,
        place: [u32; 2],
    ) {
        // There are at most three rounds.
        let number = self.story.rounds.len() as u32 + 1;
        dice.at([place[0], place[1], number, 0]);
        let rolled = [die(dice, "battle initiative"), die(dice, "battle initiative")];
        let edge = self.edge;
        let total = |s: Side| rolled[s.i()] + u8::from(s == edge);
        let initiative = match total(edge).cmp(&total(edge.other())) {
            std::cmp::Ordering::Less => edge.other(),
            _ => edge,
        };
        self.edge = initiative;
        let first = match standing[initiative.i()].first {
            true => initiative,
            false => initiative.other(),
        };
        self.moves(board, standing, first);
        let areas = self.units.clone();
        dice.at([place[0], place[1], number, 1]);
        let (beams, beam_losses) = self.fire(board, standing, dice, Aims::Beams);
        dice.at([place[0], place[1], number, 2]);
        let (torpedoes, torpedo_losses) = self.fire(board, standing, dice, Aims::Torpedoes);
        self.story.rounds.push(Round {
            dice: rolled,
            edge,
            initiative,
            first,
            areas,
            beams,
            beam_losses,
            torpedoes,
            torpedo_losses,
        });
    }

    fn moves(&mut self, board: &Board, standing: [&Standing; 2], first: Side) {
        for step in [3, 2, 1] {
            for side in [first, first.other()] {
                for n in 0..self.units.len() {
                    let id = self.units[n].id;
                    let fighter = id.kind() == Kind::F;
                    if id.side != side || !fighter && board.areas(id) < step {
                        continue;
                    }
                    let reach = if fighter { 2 } else { 1 };
                    self.units[n].area = self.goal(board, standing[side.i()], n, reach);
                }
            }
        }
    }

    /// The area to which a unit goes in a movement step (§7.3).
    fn goal(&self, board: &Board, standing: &Standing, n: usize, reach: i8) -> Area {
        let Combatant { id, area } = self.units[n];
        let stance = standing.stance(id.kind(), board.class(id));
        if stance == Stance::Stay {
            return area;
        }
        let enemies = || self.units.iter().filter(|u| u.id.side != id.side);
        let nearest = enemies().min_by_key(|u| {
            (area.range(u.area), standing.rank(Aims::Beams, board, u.id), u.id.name)
        });
        let Some(target) = nearest else { return area };
        let crowded = |at: Area| {
            at != area
                && id.kind() != Kind::F
                && self
                    .units
                    .iter()
                    .filter(|u| u.id.side == id.side && u.id.kind() != Kind::F && u.area == at)
                    .count()
                    >= CROWD
        };
        let wish = |at: Area| match stance {
            Stance::Away => {
                let near = enemies().map(|u| at.range(u.area)).min().unwrap_or(0);
                5 - near.min(5)
            }
            Stance::Range(s) => at.range(target.area).abs_diff(s),
            Stance::Stay => 0,
        };
        let free = area.within(reach).filter(|at| !crowded(*at));
        free.min_by_key(|at| (wish(*at), at.aside(target.area), at.number())).unwrap_or(area)
    }

    /// One step of fire; both sides fire at once.
    fn fire(
        &mut self,
        board: &mut Board,
        standing: [&Standing; 2],
        dice: &mut Dice,
        aims: Aims,
    ) -> (Vec<Shot>, Vec<Loss>) {
        let beams = aims == Aims::Beams;
        let why = if beams { "beam" } else { "torpedo" };
        let first = self.story.moving;
        let mut shots = Vec::new();
        for side in [first, first.other()] {
            let of = |s: Side| self.units.iter().filter(move |u| u.id.side == s);
            let guns: Vec<Gun> = of(side)
                .map(|u| {
                    let f = board.figures(u.id);
                    let divides = board.class(u.id) == Class::Capital;
                    Gun { id: u.id, dice: if beams { f.b } else { f.t }, divides }
                })
                .collect();
            let marks: Vec<Mark> = of(side.other())
                .map(|u| Mark {
                    id: u.id,
                    defence: board.figures(u.id).d,
                    rank: standing[side.i()].rank(aims, board, u.id),
                    damaged: board.units.get(&u.id).is_some_and(|u| u.damaged),
                })
                .collect();
            let at = |side: Side| of(side).map(|u| u.area).collect::<Vec<Area>>();
            let (here, there) = (at(side), at(side.other()));
            let need = |g: usize, m: usize| {
                let range = here[g].range(there[m]);
                if beams { beam(guns[g].divides, range) } else { torpedo(range) }
            };
            let assigned = fire::assign(&guns, &marks, need);
            shots.extend(fire::throw(&guns, &marks, &assigned, dice, why));
        }
        let mut hits: BTreeMap<UnitId, u32> = BTreeMap::new();
        for shot in &shots {
            *hits.entry(shot.at).or_default() += shot.hits();
        }
        let mut losses = Vec::new();
        for (id, hits) in hits.into_iter().filter(|h| h.1 > 0) {
            let cm: Vec<u8> = match beams {
                true => Vec::new(),
                false => (0..board.figures(id).cm).map(|_| die(dice, "counter-measures")).collect(),
            };
            // A unit has only a few dice.
            let stopped = cm.iter().filter(|d| **d == 6).count() as u32;
            let hits = hits.saturating_sub(stopped);
            let loss = self.harm(board, id, hits, cm);
            losses.push(loss);
        }
        (shots, losses)
    }

    fn harm(&mut self, board: &mut Board, id: UnitId, hits: u32, cm: Vec<u8>) -> Loss {
        let damaged = board.units.get(&id).is_some_and(|u| u.damaged);
        let done = harm(hits, board.figures(id).d, damaged);
        let cost = board.tables.cost(id.side, id.kind());
        let mut cargo = Vec::new();
        match done {
            Harm::None => {}
            Harm::Damaged => {
                self.story.lost[id.side.i()] += cost / 2;
                board.damage(id);
            }
            Harm::Destroyed => {
                self.story.lost[id.side.i()] += if damaged { cost - cost / 2 } else { cost };
                // Fighters of a lost carrier fight on their own and continue.
                let fight = |c: &UnitId| self.units.iter().any(|u| u.id == *c);
                cargo = board.aboard(id).filter(|c| !fight(c)).collect();
                for lost in cargo.iter().chain([&id]) {
                    board.units.remove(lost);
                }
                self.units.retain(|u| u.id != id);
            }
        }
        Loss { id, hits, cm, harm: done, cargo }
    }

    /// Ends the battle (§7.4): its loser, the retreat of the loser's fleets, the return of
    /// fighters.
    pub fn end(&mut self, board: &mut Board, standing: [&Standing; 2]) {
        let alive = Side::BOTH.map(|s| self.has_ships(s));
        let [terran, imperial] = self.story.lost;
        let loser = match alive {
            [true, false] => Side::Imperial,
            [false, true] => Side::Terran,
            _ if terran != imperial => {
                if terran > imperial {
                    Side::Terran
                } else {
                    Side::Imperial
                }
            }
            _ => self.story.moving,
        };
        self.story.loser = Some(loser);
        self.fighters_home(board);
        let fate = match alive[loser.i()] {
            false => Fate::Destroyed,
            true if !alive[loser.other().i()] => Fate::Stays,
            true => self.retreat(board, loser, standing[loser.i()]),
        };
        // Fighters for which a damaged carrier has no room are lost.
        for id in self.units.iter().map(|u| u.id).collect::<Vec<_>>() {
            let aboard: Vec<UnitId> = board.aboard(id).collect();
            let Some(first) = aboard.first() else { continue };
            let most = counters::berths(board, id, first.kind());
            for lost in aboard.iter().skip(most) {
                self.story.lost[lost.side.i()] += board.worth(*lost);
                self.story.stranded.push(*lost);
                board.units.remove(lost);
            }
        }
        self.story.fate = Some(fate);
        board.sweep();
    }

    /// Fighters return to carriers with room, otherwise to a planet; the rest are lost.
    fn fighters_home(&mut self, board: &mut Board) {
        let fighters: Vec<UnitId> =
            self.units.iter().map(|u| u.id).filter(|id| id.kind() == Kind::F).collect();
        let lost_carrier = |board: &Board, id: UnitId| match board.units.get(&id).map(|u| u.place) {
            Some(Place::Aboard(name)) => !board.units.contains_key(&UnitId { side: id.side, name }),
            _ => false,
        };
        for id in fighters {
            if !lost_carrier(board, id) {
                continue;
            }
            let carriers: Vec<UnitId> = self
                .units
                .iter()
                .map(|u| u.id)
                .filter(|c| c.side == id.side && matches!(c.kind(), Kind::CV | Kind::BB))
                .collect();
            let carrier = carriers.into_iter().find(|c| counters::has_berth(board, *c, Kind::F));
            let place = match (carrier, self.story.spot) {
                (Some(carrier), _) => Some(Place::Aboard(carrier.name)),
                (None, Spot::System(at)) => own_planet(board, id.side, at).map(Place::Box),
                (None, Spot::Lane { .. }) => None,
            };
            match place {
                Some(place) => board.put(id, place),
                None => {
                    self.story.lost[id.side.i()] += board.worth(id);
                    self.story.stranded.push(id);
                    board.units.remove(&id);
                    self.units.retain(|u| u.id != id);
                }
            }
        }
    }

    fn retreat(&mut self, board: &mut Board, loser: Side, standing: &Standing) -> Fate {
        let fleets: BTreeSet<u8> = match self.story.spot {
            Spot::System(at) => board.fleets_in(loser, at).collect(),
            Spot::Lane { .. } => {
                let here = self.units.iter().filter(|u| u.id.side == loser);
                here.filter_map(|u| board.fleet_of(u.id)).collect()
            }
        };
        if fleets.is_empty() {
            return Fate::Stays;
        }
        let mut went = Vec::new();
        for fleet in fleets {
            let goal = match self.story.spot {
                Spot::System(at) => self.way_out(board, loser, fleet, at, standing),
                // In open space a fleet returns to the system that it left.
                Spot::Lane { .. } => match board.fleets.get(&(loser, fleet)) {
                    Some(Spot::Lane { from, .. }) if !board.blocks(loser.other(), *from) => {
                        Some(*from)
                    }
                    _ => None,
                },
            };
            let ships: Vec<UnitId> = board.ships(loser, fleet).collect();
            match goal {
                Some(to) => {
                    board.fleets.insert((loser, fleet), Spot::System(to));
                    for ship in ships {
                        let aboard: Vec<UnitId> = board.aboard(ship).collect();
                        for id in aboard.into_iter().chain([ship]) {
                            if let Some(unit) = board.units.get_mut(&id) {
                                unit.moved = true;
                            }
                        }
                    }
                }
                None => {
                    for ship in ships {
                        self.story.lost[loser.i()] += board.worth(ship);
                        let gone = board.remove(ship);
                        self.units.retain(|u| !gone.contains(&u.id));
                    }
                }
            }
            went.push((fleet, goal));
        }
        Fate::Retreated(went)
    }

    /// The system to which a fleet retreats (§7.4).
    fn way_out(
        &self,
        board: &Board,
        side: Side,
        fleet: u8,
        at: System,
        standing: &Standing,
    ) -> Option<System> {
        let safe = |to: &System| !board.blocks(side.other(), *to);
        if let Some(from) = self.came.get(&(side, fleet)).filter(|to| safe(to)) {
            return Some(*from);
        }
        let home = supply::homeward(board, side);
        let jumps = |s: System| home.get(usize::from(s.0) - 1).copied().flatten();
        let here = jumps(at)?;
        let mut near: Vec<System> = board.galaxy.near(at).filter(safe).collect();
        // At home no system is nearer, so any neighbour will do.
        if here > 0 {
            near.retain(|s| jumps(*s).is_some_and(|d| d < here));
        }
        let wished = standing.retreats.get(&Some(fleet)).or_else(|| standing.retreats.get(&None));
        let wished = wished.into_iter().flatten().find(|s| near.contains(s)).copied();
        wished.or_else(|| near.into_iter().min_by_key(|s| (jumps(*s), *s)))
    }
}

/// The lowest roll with which a beam hits.
pub fn beam(capital: bool, range: u8) -> Option<u8> {
    match (range, capital) {
        (0, _) => Some(4),
        (1, _) | (2, true) => Some(6),
        _ => None,
    }
}

/// The lowest roll with which a torpedo hits.
pub fn torpedo(range: u8) -> Option<u8> {
    match range {
        0 | 1 => Some(5),
        2 | 3 => Some(6),
        _ => None,
    }
}

/// Areas of a column in the order in which they fill up.
fn column_of(x: i8) -> impl Iterator<Item = Area> {
    [2, 1, 3]
        .into_iter()
        .flat_map(move |z| [3, 2, 4, 1, 5].into_iter().map(move |y| Area { z, y, x }))
}

/// Units of a side that fight at a place.
fn fighting(board: &Board, spot: Spot, side: Side, standing: &Standing) -> Vec<UnitId> {
    let meets = |at: &Spot| match (spot, *at) {
        (Spot::System(a), Spot::System(b)) => a == b,
        (Spot::Lane { .. }, Spot::Lane { .. }) => same_hex(board, spot, *at),
        _ => false,
    };
    let in_fleet = |id: UnitId| {
        board.fleet_of(id).and_then(|f| board.fleets.get(&(side, f))).is_some_and(meets)
    };
    let on_planet = |p: Planet| matches!(spot, Spot::System(at) if at == p.system);
    let fights = |id: UnitId, place: Place| match place {
        Place::Fleet(_) => in_fleet(id),
        Place::Aboard(Name { kind, .. }) => {
            id.kind() == Kind::F && matches!(kind, Kind::CV | Kind::BB) && in_fleet(id)
        }
        Place::Box(p) => {
            on_planet(p) && (id.kind() == Kind::M || id.kind() == Kind::F && standing.fighters_join)
        }
        Place::Surface(..) | Place::Track(_) | Place::Arriving => false,
    };
    board.of(side).filter(|(id, u)| fights(*id, u.place)).map(|(id, _)| id).collect()
}

/// Whether two places in open space are the same hex: k from one end is n − k from the other.
pub fn same_hex(board: &Board, a: Spot, b: Spot) -> bool {
    let (Spot::Lane { from: f, to: t, k, .. }, Spot::Lane { from, to, k: j, .. }) = (a, b) else {
        return false;
    };
    let n = board.galaxy.lane(f, t).unwrap_or(1);
    (f, t, k) == (from, to, j) || (f, t) == (to, from) && k == n.saturating_sub(j)
}

/// A planet that a side controls in a system and whose box has room for a fighter.
pub fn own_planet(board: &Board, side: Side, at: System) -> Option<Planet> {
    let mine = |p: &Planet| board.control(*p) == super::board::Control::Held(side);
    board.galaxy.planets(at).filter(mine).find(|p| counters::room(board, side, *p) > 0)
}
