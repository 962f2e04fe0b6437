//! The referee: what a single step of a unit does (§5, §6, §8, §9, §10, §12).

use engine::Dice;
use engine::geometry::{Direction, Place};

use super::combat::{self, Attacker, Fight, Refused, Target};
use super::event::{Against, What};
use super::field::{Field, Planned, bit};
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::orders::Task;
use super::production;
use super::state::{Unit, UnitId, can_build};
use super::stop::Stop;

/// What came of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It went there.
    Moved,
    /// It went there, and its turn is over: a base, or land that stops armor.
    Arrived,
    /// It boarded another.
    Boarded,
    /// It attacked and is left; whether it went there.
    Won(bool),
    /// It is gone: in a fight, or used up by the capture of a city.
    Gone,
}

/// What a step may do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct May {
    /// Attack what is there.
    pub attack: bool,
    /// Fly beyond the last point of return.
    pub risk: bool,
    /// Where an aircraft goes on to that meets a unit of its own, and flies over it.
    pub beyond: Option<Direction>,
}

impl Field {
    /// Steps that a kind has in a turn, damaged so much: one for who is crippled.
    fn moves(&self, kind: Kind, damage: u8) -> u8 {
        let Some(figure) = self.world.options.figure(kind) else { return 0 };
        match combat::is_crippled(figure, u32::from(damage)) {
            true => figure.moves.min(1),
            false => figure.moves,
        }
    }

    /// Steps that a unit has in a turn as it is now.
    pub fn moves_of_kind(&self, unit: &Unit) -> u8 {
        self.moves(unit.kind, unit.damage)
    }

    /// One step of a unit to a square next to it.
    ///
    /// # Errors
    /// Why there is none; then nothing has changed.
    pub fn step(
        &mut self,
        id: UnitId,
        direction: Direction,
        may: May,
        dice: &mut Dice,
    ) -> Result<Step, Stop> {
        let unit = self.unit(id).ok_or(Stop::NoUnit)?;
        let (kind, from) = (unit.kind, unit.at);
        if unit.left == 0 {
            return Err(Stop::Spent);
        }
        let to = self.world.ground.grid.step(from, direction).ok_or(Stop::Edge)?;
        let aboard = unit.aboard.and_then(|n| self.unit(UnitId { number: n, ..id }));
        let by_sea = aboard.is_some_and(|c| c.kind == Kind::Tr);
        let ground = self.world.ground.at(to);
        if by_sea && !ground.is_land() {
            return Err(Stop::Aboard);
        }
        if ground == Terrain::City {
            let owner = self.world.city(to).and_then(|c| c.owner);
            return match owner == Some(id.seat) {
                true => self.enter(id, to, may),
                false => self.assault(id, to, may, dice),
            };
        }
        match self.top(to) {
            None => {
                if !self.takes(id.seat, to, kind) {
                    return Err(Stop::Ground(ground));
                }
                self.enter(id, to, may)
            }
            Some(other) if other.seat == id.seat => {
                if !self.has_room(other, kind) {
                    if kind.class() == Class::Air
                        && let Some(beyond) = may.beyond
                    {
                        return self.hop(id, to, beyond, may);
                    }
                    let takes = self.unit(other).is_some_and(|o| o.kind.places_of(kind).is_some());
                    return Err(if takes { Stop::Room } else { Stop::Friend });
                }
                self.spend(id);
                self.board(id, other);
                if kind.class() == Class::Air {
                    self.land(id);
                }
                Ok(Step::Boarded)
            }
            Some(other) => self.attack(id, other, to, may, dice),
        }
    }

    /// An aircraft flies over a unit of its own, on which it can't stop, to the square beyond (§5).
    fn hop(
        &mut self,
        id: UnitId,
        over: Place,
        direction: Direction,
        may: May,
    ) -> Result<Step, Stop> {
        let unit = self.unit(id).ok_or(Stop::NoUnit)?;
        let (left, fuel) = (unit.left, unit.fuel);
        let to = self.world.ground.grid.step(over, direction).ok_or(Stop::Edge)?;
        let own = self.world.city(to).map(|c| c.owner == Some(id.seat));
        let deck = self.top(to).filter(|t| t.seat == id.seat && self.has_room(*t, unit.kind));
        let free = own.unwrap_or(true) && (self.top(to).is_none() || deck.is_some());
        if left < 2 || fuel < 2 || !free {
            return Err(Stop::Friend);
        }
        if let Some(deck) = deck {
            self.spend(id);
            self.spend(id);
            self.board(id, deck);
            self.land(id);
            return Ok(Step::Boarded);
        }
        if !may.risk && !self.is_safe(id, to, fuel - 2) {
            return Err(Stop::Unsafe);
        }
        self.spend(id);
        self.enter(id, to, may)
    }

    /// A step is made: it costs a step, and fuel.
    fn spend(&mut self, id: UnitId) {
        if let Some(unit) = self.world.unit_mut(id) {
            unit.left = unit.left.saturating_sub(1);
            unit.made = unit.made.saturating_add(1);
            unit.rests = false;
            if unit.kind.class() == Class::Air {
                unit.fuel = unit.fuel.saturating_sub(1);
            }
        }
    }

    /// An aircraft is at a base: refuelled, its turn is over.
    fn land(&mut self, id: UnitId) {
        let Some(kind) = self.unit(id).map(|u| u.kind) else { return };
        let range = self.world.options.figure(kind).map_or(0, |f| f.range);
        if let Some(unit) = self.world.unit_mut(id) {
            (unit.fuel, unit.left) = (range, 0);
        }
    }

    fn enter(&mut self, id: UnitId, to: Place, may: May) -> Result<Step, Stop> {
        let unit = self.unit(id).ok_or(Stop::NoUnit)?;
        let (kind, fuel) = (unit.kind, unit.fuel);
        let ground = self.world.ground.at(to);
        let flies = kind.class() == Class::Air;
        if flies && !may.risk && !self.is_safe(id, to, fuel.saturating_sub(1)) {
            return Err(Stop::Unsafe);
        }
        self.spend(id);
        self.shift(id, to);
        if flies && ground == Terrain::City {
            self.land(id);
            return Ok(Step::Arrived);
        }
        let stops = kind == Kind::Am && self.world.options.advanced() && ground.stops_armor();
        if let Some(unit) = self.world.unit_mut(id).filter(|_| stops) {
            unit.left = 0;
            return Ok(Step::Arrived);
        }
        Ok(Step::Moved)
    }

    /// Whether an aircraft with so much fuel still reaches a base from a square.
    pub fn is_safe(&self, id: UnitId, at: Place, fuel: u8) -> bool {
        let Some(unit) = self.unit(id) else { return false };
        let grid = self.world.ground.grid;
        let near = |place: Place| grid.distance(at, place) <= i32::from(fuel);
        if self.world.cities_of(id.seat).any(near) {
            return true;
        }
        let side = self.world.side(id.seat);
        side.is_some_and(|side| {
            side.units.iter().any(|(number, base)| {
                let carrier = UnitId { number: *number, ..id };
                near(base.at)
                    && base.kind.places_of(unit.kind).is_some()
                    && (unit.aboard == Some(*number) || self.has_room(carrier, unit.kind))
            })
        })
    }

    fn attacker(&self, id: UnitId) -> Result<Attacker, Stop> {
        let unit = self.unit(id).ok_or(Stop::NoUnit)?;
        let on = self.world.ground.at(unit.at);
        Ok(Attacker { kind: unit.kind, damage: unit.damage.into(), on })
    }

    /// An attack on a unit.
    fn attack(
        &mut self,
        id: UnitId,
        other: UnitId,
        at: Place,
        may: May,
        dice: &mut Dice,
    ) -> Result<Step, Stop> {
        let attacker = self.attacker(id)?;
        let target = self.unit(other).ok_or(Stop::NoUnit)?;
        let (kind, damage) = (target.kind, target.damage);
        let ground = self.world.ground.at(at);
        let what = Target::Unit(kind, damage.into());
        combat::may_attack(&self.world.options, attacker, what, ground).map_err(Stop::Refused)?;
        // Nobody stops for a submarine that it does not see (§7).
        let hidden = kind == Kind::Su && !self.knows(id, at);
        if !may.attack && !hidden {
            return Err(Stop::Enemy);
        }
        let from = self.unit(id).map_or(at, |u| u.at);
        // Cargo attacks only what it could step onto (§6).
        let by_sea = self.unit(id).is_some_and(|u| u.aboard.is_some());
        if by_sea && attacker.kind.class() == Class::Land && !ground.takes(attacker.kind) {
            return Err(Stop::Ground(ground));
        }
        self.returns_from(id, at, may)?;
        let fight = combat::fight(&self.world.options, attacker, what, ground);
        self.only_planned(id, at, &fight)?;
        self.spend(id);
        let out = fight.run(self.dice(dice, id, at));
        let (winner, loser) = if out.won { (id, other) } else { (other, id) };
        let gone: Vec<_> = std::iter::once(loser)
            .chain(self.cargo(loser).iter().map(|n| UnitId { number: *n, ..loser }))
            .filter_map(|u| self.unit(u).map(|unit| (u.seat, unit.kind)))
            .collect();
        let parties = self.witnesses(bit(id.seat) | bit(other.seat));
        let before = self.unit(winner).map_or(0, |u| u.damage);
        // A unit stands at most a few dozen hits.
        let after = before.saturating_add(out.damage as u8);
        self.tell(
            parties,
            What::Fought {
                by: id,
                kind: attacker.kind,
                from,
                at,
                against: Against::Unit { owner: other.seat, kind },
                won: out.won,
                damage: after,
                lost: gone,
            },
        );
        self.destroy(loser);
        self.hurt(winner, after);
        if !out.won {
            return Ok(Step::Gone);
        }
        let stays = !ground.takes(attacker.kind) || self.top(at).is_some();
        if stays {
            return Ok(Step::Won(false));
        }
        self.shift(id, at);
        let stops =
            attacker.kind == Kind::Am && self.world.options.advanced() && ground.stops_armor();
        if let Some(unit) = self.world.unit_mut(id).filter(|_| stops) {
            unit.left = 0;
        }
        Ok(Step::Won(true))
    }

    /// Whether an aircraft that fights would still come home from a square.
    fn returns_from(&self, id: UnitId, at: Place, may: May) -> Result<(), Stop> {
        let Some(unit) = self.unit(id).filter(|u| u.kind.class() == Class::Air) else {
            return Ok(());
        };
        match may.risk || self.is_safe(id, at, unit.fuel.saturating_sub(1)) {
            true => Ok(()),
            false => Err(Stop::Unsafe),
        }
    }

    /// On paper nothing is fought out: the fight is noted, and the unit stands.
    fn only_planned(&mut self, id: UnitId, at: Place, fight: &Fight) -> Result<(), Stop> {
        let Some(paper) = &mut self.paper else { return Ok(()) };
        let odds = fight.odds().per_mille();
        paper.fights.entry(id.number).or_insert(Planned { at, odds });
        if let Some(unit) = self.world.unit_mut(id) {
            unit.left = 0;
        }
        Err(Stop::Paper)
    }

    /// Whether the player of a unit has seen what stands on a square.
    fn knows(&self, id: UnitId, at: Place) -> bool {
        self.world.side(id.seat).is_some_and(|s| s.known.marks.get(&at).is_some_and(|m| m.here))
    }

    /// Rolls of one fight.
    fn dice<'d>(&self, dice: &'d mut Dice, id: UnitId, at: Place) -> &'d mut Dice {
        let made = self.unit(id).map_or(0, |u| u.made);
        let who = u32::from(id.seat.0) << 16 | u32::from(id.number);
        dice.at([self.world.turn, who, u32::from(at.0), made.into()])
    }

    /// A unit has so much damage now: it may be crippled, and lose cargo (§10).
    fn hurt(&mut self, id: UnitId, damage: u8) {
        let Some(kind) = self.unit(id).map(|u| u.kind) else { return };
        let moves = self.moves(kind, damage);
        if let Some(unit) = self.world.unit_mut(id) {
            unit.damage = damage;
            unit.left = unit.left.min(moves.saturating_sub(unit.made));
        }
        let mut lost = Vec::new();
        while self.places(id).is_some_and(|places| self.taken(id) > places) {
            let Some(last) = self.cargo(id).last().copied() else { break };
            let last = UnitId { number: last, ..id };
            lost.extend(self.unit(last).map(|u| u.kind));
            self.destroy(last);
        }
        if !lost.is_empty() {
            self.tell(bit(id.seat), What::Overboard(id, lost));
        }
    }

    /// An attack on a city (§9).
    fn assault(&mut self, id: UnitId, at: Place, may: May, dice: &mut Dice) -> Result<Step, Stop> {
        let attacker = self.attacker(id)?;
        let city = self.world.city(at).ok_or(Stop::City)?;
        let (owner, held) = (city.owner, city.held);
        let what = Target::City { neutral: owner.is_none(), held };
        combat::may_attack(&self.world.options, attacker, what, Terrain::City).map_err(
            |refused| match refused {
                Refused::City => Stop::City,
                other => Stop::Refused(other),
            },
        )?;
        if !may.attack {
            return Err(Stop::Enemy);
        }
        let from = self.unit(id).map_or(at, |u| u.at);
        // Who bombs stays where it is.
        self.returns_from(id, from, may)?;
        let fight = combat::fight(&self.world.options, attacker, what, Terrain::City);
        self.only_planned(id, at, &fight)?;
        self.spend(id);
        let out = fight.run(self.dice(dice, id, at));
        let parties = self.witnesses(bit(id.seat) | owner.map_or(0, bit));
        let damage = self.unit(id).map_or(0, |u| u.damage).saturating_add(out.damage as u8);
        let lost = if out.won { Vec::new() } else { vec![(id.seat, attacker.kind)] };
        self.tell(
            parties,
            What::Fought {
                by: id,
                kind: attacker.kind,
                from,
                at,
                against: Against::City(owner),
                won: out.won,
                damage: if out.won { damage } else { 0 },
                lost,
            },
        );
        let on_foot = attacker.kind.class() == Class::Land;
        if !out.won {
            self.destroy(id);
            if let Some(city) = self.world.city_mut(at).filter(|_| owner.is_none() && on_foot) {
                city.held += 1;
            }
            return Ok(Step::Gone);
        }
        if !on_foot {
            self.hurt(id, damage);
            self.bomb(id, at, dice);
            return Ok(Step::Won(false));
        }
        self.capture(id, at);
        Ok(Step::Gone)
    }

    /// A city is taken: whatever is inside ends, and so does who took it (§9).
    fn capture(&mut self, id: UnitId, at: Place) {
        let Some(kind) = self.unit(id).map(|u| u.kind) else { return };
        let from = self.world.city(at).and_then(|c| c.owner);
        let inside = self.inside(at).to_vec();
        let mut lost = Vec::new();
        for unit in inside {
            let all = self.cargo(unit).iter().map(|n| UnitId { number: *n, ..unit });
            let all: Vec<UnitId> = all.chain([unit]).collect();
            lost.extend(all.iter().filter_map(|u| self.unit(*u).map(|v| (u.seat, v.kind))));
            self.destroy(unit);
        }
        self.destroy(id);
        self.give(at, Some(id.seat));
        // What can't be built there is replaced by who took it.
        let default = self.world.side(id.seat).and_then(|s| s.default).map(|kind| {
            let can = can_build(&self.world.ground, at, kind);
            if can { kind } else { self.world.options.edition.foot() }
        });
        let rally = self.world.side(id.seat).map(|s| s.rally.clone()).unwrap_or_default();
        if let Some(city) = self.world.city_mut(at) {
            (city.list, city.done, city.last, city.idle) = (Vec::new(), 0, None, 0);
            city.rally = rally;
            production::order(city, default.into_iter().collect(), false);
        }
        let guard = match kind {
            Kind::Am => self.make(id.seat, Kind::In, at),
            _ => None,
        };
        if let Some(unit) = guard.and_then(|id| self.world.unit_mut(id)) {
            (unit.left, unit.rests) = (0, false);
        }
        let guard = guard.is_some();
        let parties = self.witnesses(bit(id.seat) | from.map_or(0, bit));
        self.tell(parties, What::Captured { by: id.seat, at, from, lost, guard });
    }

    /// A city was hit from the air (§9).
    fn bomb(&mut self, id: UnitId, at: Place, dice: &mut Dice) {
        let Some(kind) = self.unit(id).map(|u| u.kind) else { return };
        let owner = self.world.city(at).and_then(|c| c.owner);
        let inside = self.inside(at).to_vec();
        let dice = self.dice(dice, id, at);
        let on_units = !inside.is_empty() && dice.below("bombed", 2) == 1;
        let victim = match on_units {
            true => inside.get(dice.below("victim", inside.len() as u32) as usize).copied(),
            false => None,
        };
        let ends = victim.map(|v| {
            let cargo = self.cargo(v).iter().map(|number| UnitId { number: *number, ..v });
            [v].into_iter().chain(cargo).collect::<Vec<UnitId>>()
        });
        let kinds = ends.into_iter().flatten();
        let lost = kinds.filter_map(|u| Some((u.seat, self.unit(u)?.kind))).collect();
        match victim {
            Some(victim) => {
                self.destroy(victim);
            }
            None => {
                if let Some(city) = self.world.city_mut(at) {
                    city.done = 0;
                }
            }
        }
        if kind == Kind::Bo {
            let bombed = self.world.city(at).map(|c| production::bombed(&self.world, c));
            if let (Some(city), Some(efficiency)) = (self.world.city_mut(at), bombed) {
                city.efficiency = efficiency;
            }
        }
        let parties = self.witnesses(bit(id.seat) | owner.map_or(0, bit));
        self.tell(parties, What::Bombed { by: id.seat, at, lost });
    }

    /// Infantry becomes an airbase (§12).
    ///
    /// # Errors
    /// Why it can't: it has moved, it is aboard, or it is in a city.
    pub fn base(&mut self, id: UnitId) -> Result<(), Stop> {
        let unit = self.unit(id).ok_or(Stop::NoUnit)?;
        let at = unit.at;
        if unit.made > 0 || unit.left == 0 {
            return Err(Stop::Spent);
        }
        if unit.kind != Kind::In || self.world.options.figure(Kind::Ab).is_none() {
            return Err(Stop::Refused(Refused::Never));
        }
        if unit.aboard.is_some() || self.world.ground.at(at) == Terrain::City {
            return Err(Stop::Ground(self.world.ground.at(at)));
        }
        if let Some(unit) = self.world.unit_mut(id) {
            (unit.kind, unit.left, unit.rests) = (Kind::Ab, 0, false);
        }
        self.tell(bit(id.seat), What::Based(id, at));
        self.look(id);
        self.seen_at(at);
        Ok(())
    }

    /// What every unit of a seat has when its turn begins (§10).
    pub fn wake(&mut self, seat: engine::Seat) {
        let units: Vec<u16> = self.numbers(seat);
        for number in units {
            let id = UnitId { seat, number };
            let Some((kind, damage, at)) = self.unit(id).map(|u| (u.kind, u.damage, u.at)) else {
                continue;
            };
            let moves = self.moves(kind, damage);
            let own = self.world.city(at).is_some_and(|c| c.owner == Some(seat));
            if let Some(unit) = self.world.unit_mut(id) {
                (unit.left, unit.made, unit.rests) = (moves, 0, own);
            }
        }
    }

    /// The numbers of a seat's units.
    fn numbers(&self, seat: engine::Seat) -> Vec<u16> {
        self.world.side(seat).map(|s| s.units.keys().copied().collect()).unwrap_or_default()
    }

    /// The end of a seat's turn: fuel and repair (§4).
    pub fn rest(&mut self, seat: engine::Seat) {
        for number in self.numbers(seat) {
            let id = UnitId { seat, number };
            let Some(unit) = self.unit(id).cloned() else { continue };
            let in_city = self.world.ground.at(unit.at) == Terrain::City;
            // What an explorer does after its first look is not known on paper.
            let looks = self.paper.as_ref().is_some_and(|p| p.looks.contains_key(&number));
            if unit.kind.class() == Class::Air && !in_city && unit.aboard.is_none() && !looks {
                // It flies its whole move, ordered or not.
                let idle = self.moves_of_kind(&unit).saturating_sub(unit.made);
                let fuel = unit.fuel.saturating_sub(idle);
                if fuel == 0 {
                    self.tell(bit(seat), What::Crashed(id, unit.kind, unit.at));
                    self.destroy(id);
                    continue;
                }
                if let Some(unit) = self.world.unit_mut(id) {
                    (unit.fuel, unit.left) = (fuel, 0);
                }
            }
            if in_city && unit.rests && unit.damage > 0 && unit.aboard.is_none() {
                let whole = unit.damage == 1;
                if let Some(unit) = self.world.unit_mut(id) {
                    unit.damage -= 1;
                    // A sentry wakes, a garrison does not.
                    if whole && matches!(unit.orders.first(), Some(Task::Sentry(f)) if !f.on) {
                        unit.orders.clear();
                    }
                }
                if whole {
                    self.tell(bit(seat), What::Repaired(id));
                }
            }
        }
        let (turn, marks) = (self.world.turn, self.world.options.turn.marks);
        if let Some(side) = self.world.side_mut(seat) {
            side.known.fade(turn, marks);
        }
    }

    /// Production of a seat's cities at the beginning of its turn (§4).
    pub fn produce(&mut self, seat: engine::Seat) {
        let base = production::base(&self.world, seat);
        let cities: Vec<Place> = self.world.cities_of(seat).collect();
        for at in cities {
            let Some(mut city) = self.world.city(at).cloned() else { continue };
            let finished = production::advance(&self.world, &mut city, base);
            if let Some(own) = self.world.city_mut(at) {
                *own = city;
            }
            if let Some(kind) = finished
                && let Some(id) = self.make(seat, kind, at)
            {
                self.tell(bit(seat), What::Built(id, kind, at));
            }
        }
    }
}
