//! The turn of a seat: phases, bombs, extra armies, moves, attacks (§5, §6).
//!
//! Everything here uses and changes only public data: the board, and the progress of the turn. So
//! the echo plays a card with the same functions as the step. Secret numbers and guesses come from
//! outside.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Seat, Told};
use serde::{Deserialize, Serialize};
use tongue::{say, word};

use super::board::{Board, Kind};
use super::map::{Category, Map, Place};
use super::numbers::{Bounds, Draw, FACES};
use super::orders::{Amount, Asked, Test};
use super::tables::{Advance, Options, Terrain};

/// The phases of a turn, in their order (§5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    /// Nothing was done yet, or H-bombs were fired.
    HBombs,
    /// A-bombs were fired.
    ABombs,
    /// Extra armies were placed.
    Armies,
    /// Armies have moved or attacked.
    Moves,
}

/// The result of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hit {
    /// The number was guessed.
    Failed,
    /// It was not guessed, and the region is still held.
    Won,
    /// It was not guessed, and the region was taken.
    Captured,
}

/// The extra armies of one empire (§5.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pool {
    /// Its regions at the start of the phase, ascending.
    pub regions: Vec<Place>,
    /// The armies that it claimed.
    pub claimed: u32,
    /// The armies that are still to be placed.
    pub left: u32,
}

/// The progress of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The seat that moves.
    pub seat: Seat,
    /// The number of this turn among those of the seat, from 1.
    pub number: u32,
    /// The current part, from 1.
    pub part: u8,
    /// The current phase.
    pub phase: Phase,
    /// Extra armies, once the empires were counted.
    pub pools: Option<Vec<Pool>>,
    /// Regions with an H-bomb unit that was placed this turn.
    pub fresh: BTreeSet<Place>,
    /// Regions with an A-bomb unit that was won this turn.
    pub won: BTreeSet<Place>,
    /// The result of the last attack.
    pub last: Option<Hit>,
    /// Attacks on each region so far.
    pub tried: BTreeMap<Place, u32>,
}

impl Turn {
    /// A turn at its beginning.
    pub fn new(seat: Seat, number: u32) -> Self {
        Self {
            seat,
            number,
            part: 1,
            phase: Phase::HBombs,
            pools: None,
            fresh: BTreeSet::new(),
            won: BTreeSet::new(),
            last: None,
            tried: BTreeMap::new(),
        }
    }
}

/// A bomb that was fired, and its effects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    /// Its kind.
    pub kind: Kind,
    /// Its site.
    pub from: Place,
    /// The target.
    pub to: Place,
    /// Regions that it makes radioactive.
    pub splats: Vec<Place>,
    /// Regions that were devastated.
    pub devastated: Vec<Place>,
    /// Bombs that went off on their sites.
    pub chain: Vec<(Place, Kind)>,
    /// Armies that were lost, with their regions and owners.
    pub fallen: Vec<(Place, Seat, u32)>,
    /// The site of the H-bomb unit that an A-bomb wins.
    pub unit: Option<Place>,
}

impl Shot {
    /// Armies that each seat lost.
    pub fn lost(&self) -> BTreeMap<Seat, u32> {
        let mut lost = BTreeMap::new();
        for (_, seat, n) in &self.fallen {
            *lost.entry(*seat).or_default() += n;
        }
        lost
    }
}

/// An attack that is announced but not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The region that attacks.
    pub from: Place,
    /// The region that is attacked.
    pub to: Place,
    /// The holder of that region.
    pub defender: Seat,
    /// The armies of the attacker and of the defender.
    pub armies: (u32, u32),
    /// The possible secret numbers.
    pub bounds: Bounds,
    /// Whether the defender has two guesses.
    pub two: bool,
    /// Whether it succeeds without a guess: a sea that is attacked from land (§6). Then the number
    /// says how many armies advance.
    pub sure: bool,
}

impl Target {
    /// Whether a number can't be chosen (§5.5).
    pub fn refuses(&self, draw: &Draw) -> bool {
        matches!(draw, Draw::Number(n) if *n > self.bounds.high)
    }

    /// Why the number can't be chosen.
    pub fn too_high(&self, map: &Map) -> String {
        let (from, armies) = (map.region(self.from).number, self.armies.0);
        let most = self.bounds.high;
        match self.sure {
            true => say!("at most {most} can advance from {from}"),
            false => say!(
                "the number must be {bounds} and not above the armies on {from} ({armies})",
                bounds = self.bounds
            ),
        }
    }
}

/// An attack that was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strike {
    /// The announced attack.
    pub target: Target,
    /// The secret number.
    pub number: u32,
    /// The guesses; empty if none were needed.
    pub guesses: Vec<u32>,
    /// The result.
    pub hit: Hit,
    /// Armies that the loser of the attack lost.
    pub lost: u32,
    /// Armies that advanced.
    pub advanced: u32,
    /// The region of the A-bomb unit; `None`: none was won, or there was no place for it.
    pub unit: Option<Place>,
}

/// Armies that the robot placed for a seat.
pub type Placed = Vec<(Place, u32)>;

/// Plays a turn on a board.
pub struct Referee<'a> {
    /// The board.
    pub board: &'a mut Board,
    /// The progress of the turn.
    pub turn: &'a mut Turn,
    /// The options of the game.
    pub options: &'a Options,
}

impl Referee<'_> {
    fn called(&self, at: Place) -> String {
        self.board.map().called(at)
    }

    fn number(&self, at: Place) -> u16 {
        self.board.map().region(at).number
    }

    /// Checks that the seat holds a region.
    fn must_hold(&self, at: Place) -> Result<(), Told> {
        match self.board.holds(self.turn.seat, at) {
            true => Ok(()),
            false => {
                let note = say!("you do not hold {place}", place = self.called(at));
                Err(Told::error("not-yours", note))
            }
        }
    }

    /// Checks that a bomb of this kind may be fired from one region at another.
    fn may_fire(&self, kind: Kind, from: Place, to: Place) -> Result<(), Told> {
        let over = match (self.turn.phase, kind) {
            (Phase::Armies, _) => Some(say!("bombs are over once armies are placed")),
            (Phase::Moves, _) => Some(say!("bombs are over once armies move")),
            (Phase::ABombs, Kind::H) => Some(say!("H-bombs are fired before A-bombs")),
            _ => None,
        };
        if !self.options.bombs {
            return Err(Told::error("no-bombs", say!("this game is played without bombs")));
        }
        self.must_hold(from)?;
        if self.turn.fresh.contains(&from) && kind == Kind::H || self.turn.won.contains(&from) {
            return Err(Told::error("fresh", say!("units won this turn can be fired next turn")));
        }
        if let Some(over) = over {
            return Err(Told::error("phase", over));
        }
        let Some(bomb) = self.board.bomb(from).filter(|b| b.kind == kind) else {
            let (kind, place) = (word(kind.name()), self.called(from));
            let note = say!("no {kind} on {place}");
            return Err(Told::error("no-bomb", note));
        };
        let far = self.board.map().distances(from)[usize::from(to.0)];
        if far.is_none_or(|far| far > bomb.units) {
            let (to, from, units) = (self.number(to), self.number(from), bomb.units);
            let note = match far {
                Some(far) => {
                    say!("{to} is {far} boundaries from {from}, the bomb reaches {units}")
                }
                None => say!("no way leads from {from} to {to}"),
            };
            return Err(Told::error("range", note));
        }
        Ok(())
    }

    /// Fires an H-bomb (§5.1).
    ///
    /// # Errors
    /// Why it can't be fired.
    pub fn fire_h(&mut self, from: Place, to: Place) -> Result<Shot, Told> {
        self.may_fire(Kind::H, from, to)?;
        Ok(self.fire(Kind::H, from, to))
    }

    fn fire(&mut self, kind: Kind, from: Place, to: Place) -> Shot {
        let blast = self.board.blast(to, kind, from);
        self.board.site(from, None);
        let fallen = self.board.explode(&blast);
        Shot {
            kind,
            from,
            to,
            splats: blast.splats.into_iter().collect(),
            devastated: blast.devastated.into_iter().collect(),
            chain: blast.chain,
            fallen,
            unit: None,
        }
    }

    /// Fires an A-bomb (§5.2). A warning names the site of the won unit if the order did not name
    /// it.
    ///
    /// # Errors
    /// Why it can't be fired.
    pub fn fire_a(
        &mut self,
        from: Place,
        to: Place,
        sites: &[Place],
    ) -> Result<(Shot, Option<Told>), Told> {
        self.may_fire(Kind::A, from, to)?;
        let blast = self.board.blast(to, Kind::A, from);
        let takes = |p: &Place| {
            let bomb = self.board.bomb(*p).filter(|_| *p != from);
            !blast.devastated.contains(p) && bomb.is_none_or(|b| b.kind == Kind::H)
        };
        let empire = self.board.empire(from);
        let Some(lowest) = empire.iter().copied().find(takes) else {
            let note = say!("this explosion leaves your empire no place for the H-bomb unit");
            return Err(Told::error("no-site", note));
        };
        if let Some(fresh) = self.turn.fresh.iter().find(|p| blast.devastated.contains(p)) {
            let fresh = self.number(*fresh);
            let note = say!("it would explode the H-bomb unit on {fresh} placed this turn");
            return Err(Told::error("fresh", note));
        }
        let wanted = sites.iter().copied().find(|p| empire.contains(p) && takes(p));
        let unit = wanted.unwrap_or(lowest);
        let first = sites.first().copied().filter(|s| *s != unit);
        let warning = first.map(|site| {
            let (site, unit) = (self.number(site), self.number(unit));
            Told::warning("site", say!("site {site} not possible, {unit} used"))
        });
        let mut shot = self.fire(Kind::A, from, to);
        self.board.add_unit(unit, Kind::H);
        self.turn.fresh.insert(unit);
        self.turn.phase = Phase::ABombs;
        shot.unit = Some(unit);
        Ok((shot, warning))
    }

    /// The armies that the empires have left to place: by the count of this turn, or by a count now
    /// (§5.4).
    fn pools(&self) -> Vec<Pool> {
        if let Some(counted) = &self.turn.pools {
            return counted.clone();
        }
        let mut room = match self.options.army_cap {
            0 => u32::MAX,
            cap => cap.saturating_sub(self.board.total(self.turn.seat)),
        };
        let pool = |regions: Vec<Place>| {
            let claimed = self.board.extra(&regions).min(room);
            room -= claimed;
            Pool { regions, claimed, left: claimed }
        };
        self.board.empires(self.turn.seat).into_iter().map(pool).collect()
    }

    /// Counts the empires, once a turn (§5.4).
    pub fn claim(&mut self) -> &mut Vec<Pool> {
        let pools = self.pools();
        self.turn.pools.insert(pools)
    }

    /// Places extra armies (§5.4). Returns how many, with a warning if they are fewer than wanted.
    /// The first placement ends the phases of bombs, and the empires are counted at that moment.
    ///
    /// # Errors
    /// Why none can be placed; then nothing is counted.
    pub fn put(&mut self, at: Place, n: Amount) -> Result<(u32, Option<Told>), Told> {
        if self.turn.phase == Phase::Moves {
            let note = say!("extra armies are placed before armies move");
            return Err(Told::error("phase", note));
        }
        self.must_hold(at)?;
        let (number, seat) = (self.number(at), self.turn.seat);
        let mut pools = self.pools();
        let others = pools.len() > 1;
        let Some(pool) = pools.iter_mut().find(|p| p.regions.contains(&at)) else {
            // Empires do not change during this phase.
            return Err(Told::error("not-yours", say!("{number} is in no empire of yours")));
        };
        if pool.left == 0 {
            let note = match others {
                true => say!("{number} is in another of your empires, which has 0 left"),
                false => say!("its extra armies ({n}) are all placed already", n = pool.claimed),
            };
            return Err(Told::error("none-left", note));
        }
        let wanted = match n {
            Amount::Number(n) => n,
            Amount::All => pool.left,
        };
        let placed = wanted.min(pool.left);
        pool.left -= placed;
        let warning = (placed < wanted).then(|| {
            let note = say!("{placed} of {wanted} placed, no more in this empire");
            Told::warning("fewer", note)
        });
        self.board.add(at, seat, placed);
        self.turn.pools = Some(pools);
        self.turn.phase = Phase::Armies;
        Ok((placed, warning))
    }

    /// Ends the phase of extra armies: those that are left go to the regions with the most armies.
    pub fn place_rest(&mut self) -> Placed {
        if self.turn.phase == Phase::Moves {
            return Vec::new();
        }
        let pools = std::mem::take(self.claim());
        let mut placed = Vec::new();
        for pool in pools.iter().filter(|p| p.left > 0) {
            let most = |p: &&Place| (self.board.armies(**p), std::cmp::Reverse(**p));
            if let Some(at) = pool.regions.iter().max_by_key(most).copied() {
                self.board.add(at, self.turn.seat, pool.left);
                placed.push((at, pool.left));
            }
        }
        let empty = |p: Pool| Pool { left: 0, ..p };
        self.turn.pools = Some(pools.into_iter().map(empty).collect());
        self.turn.phase = Phase::Moves;
        placed
    }

    /// Checks that two regions have a common boundary.
    ///
    /// # Errors
    /// That they do not.
    pub fn must_touch(&self, from: Place, to: Place) -> Result<(), Told> {
        match self.board.map().touch(from, to) {
            true => Ok(()),
            false => {
                let (from, to) = (self.number(from), self.number(to));
                let note = say!("{from} and {to} share no boundary");
                Err(Told::error("not-near", note))
            }
        }
    }

    /// Checks that armies of any number may move from one region to another (§5.5).
    fn may_march(&self, from: Place, to: Place) -> Result<(), Told> {
        self.must_hold(from)?;
        let number = self.number(to);
        let wrong = match self.board.owner(to) {
            Some(seat) if seat == self.turn.seat => {
                Some(("yours", say!("{number} is yours; armies move only into empty regions")))
            }
            Some(seat) => Some(("held", say!("{number} is held by seat {seat}; use K"))),
            None if self.board.land(to).splat => {
                Some(("radioactive", say!("{number} is radioactive")))
            }
            None => None,
        };
        if let Some((code, note)) = wrong {
            return Err(Told::error(code, note));
        }
        self.must_touch(from, to)
    }

    /// Moves armies (§5.5). Returns how many. Extra armies that are left are placed first.
    ///
    /// # Errors
    /// Why they can't move.
    pub fn march(&mut self, from: Place, to: Place, n: Amount) -> Result<u32, Told> {
        self.may_march(from, to)?;
        let most = self.board.armies(from).saturating_sub(1);
        let n = match n {
            Amount::Number(n) => n,
            Amount::All => most,
        };
        if n == 0 || n > most {
            let number = self.number(from);
            let note = match most {
                0 => say!("one army must stay; none can leave {number}"),
                _ => say!("one army must stay; at most {most} can leave {number}"),
            };
            return Err(Told::error("one-stays", note));
        }
        self.board.remove(from, n);
        self.board.set(to, self.turn.seat, n);
        Ok(n)
    }

    /// The announcement of an attack (§5.5, §6).
    ///
    /// # Errors
    /// Why the attack is not possible.
    pub fn target(&self, from: Place, to: Place) -> Result<Target, Told> {
        self.must_hold(from)?;
        let number = self.number(to);
        let defender = match self.board.owner(to) {
            None => {
                return Err(Told::error("empty", say!("{number} is empty; use M")));
            }
            Some(seat) if seat == self.turn.seat => {
                return Err(Told::error("yours", say!("{number} is yours")));
            }
            Some(seat) => seat,
        };
        self.must_touch(from, to)?;
        let (here, there) = (self.board.armies(from), self.board.armies(to));
        if here < 2 {
            let note = say!("an attack needs 2 armies on {place}", place = self.number(from));
            return Err(Told::error("two-armies", note));
        }
        let classic = self.options.terrain == Terrain::Classic;
        let (at, by) = (self.board.map().category(to), self.board.map().category(from));
        let bounds = match at {
            Category::Mountains if classic => Bounds { low: 1, high: here.min(3) },
            Category::MegaCity if classic => Bounds { low: 2, high: here.min(FACES) },
            _ => Bounds { low: 1, high: here.min(FACES) },
        };
        let sure = classic && at == Category::Sea && by != Category::Sea;
        let bounds = if sure { Bounds { low: 1, high: here } } else { bounds };
        let two = classic && by == Category::Sea;
        Ok(Target { from, to, defender, armies: (here, there), bounds, two, sure })
    }

    /// Decides an attack, with a number that is within its bounds.
    pub fn strike(
        &mut self,
        target: Target,
        number: u32,
        guesses: &[u32],
        sites: &[Place],
    ) -> Strike {
        let Target { from, to, sure, .. } = target;
        *self.turn.tried.entry(to).or_default() += 1;
        let mut strike = Strike {
            target,
            number,
            guesses: guesses.to_vec(),
            hit: Hit::Failed,
            lost: number,
            advanced: 0,
            unit: None,
        };
        if !sure && guesses.contains(&number) {
            self.board.remove(from, number);
            self.turn.last = Some(strike.hit);
            return strike;
        }
        // Usually the attacking region itself takes the unit: then nothing else need be computed.
        let usual = sites.is_empty()
            && self.board.armies(from) > number
            && self.board.bomb(from).is_none_or(|b| b.kind == Kind::A);
        let empire = if usual { vec![from] } else { self.board.empire(from) };
        strike.lost = if sure { target.armies.1 } else { 1 };
        self.board.remove(to, strike.lost);
        strike.hit = Hit::Won;
        if self.board.owner(to).is_none() {
            let most = match self.options.advance {
                Advance::Exact => self.board.armies(from),
                Advance::LeaveOne => self.board.armies(from).saturating_sub(1),
            };
            strike.advanced = number.min(most);
            self.board.remove(from, strike.advanced);
            self.board.set(to, self.turn.seat, strike.advanced);
            strike.hit = Hit::Captured;
        }
        if self.options.bombs {
            strike.unit = self.site_of(from, to, &empire, sites);
            if let Some(unit) = strike.unit {
                self.board.add_unit(unit, Kind::A);
                self.turn.won.insert(unit);
            }
        }
        self.turn.last = Some(strike.hit);
        strike
    }

    /// The site of a won A-bomb unit (§5.6). `empire` is the empire that attacked, as it was
    /// before.
    fn site_of(&self, from: Place, to: Place, empire: &[Place], sites: &[Place]) -> Option<Place> {
        let takes = |p: &Place| {
            self.board.holds(self.turn.seat, *p)
                && self.board.bomb(*p).is_none_or(|b| b.kind == Kind::A)
        };
        let qualifies = |p: &Place| empire.contains(p) && *p != to && takes(p);
        let wanted = sites.iter().copied().find(qualifies);
        let usual = || Some(from).filter(|p| qualifies(p));
        let lowest = || empire.iter().copied().find(|p| qualifies(p));
        wanted.or_else(usual).or_else(lowest).or_else(|| Some(to).filter(takes))
    }

    /// Whether a test is true now.
    pub fn holds(&self, test: &Test) -> bool {
        let last = self.turn.last;
        let is = match test.asked {
            Asked::Won => matches!(last, Some(Hit::Won | Hit::Captured)),
            Asked::Captured => last == Some(Hit::Captured),
            Asked::Failed => last == Some(Hit::Failed),
            Asked::Armies(at, how, n) => self.board.armies(at).cmp(&n) == how,
            Asked::Owner(at, seat) => self.board.owner(at).map_or(0, |s| s.0) == seat,
        };
        is != test.not
    }
}
