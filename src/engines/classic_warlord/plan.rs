//! A turn as a computer would play it (§16): its orders, and the most likely board after them.
//!
//! The referee of the step plays it on a copy of the board. Attacks are decided by the average
//! result of an even mix against an even mix, so a plan does not depend on chance.
//! whenever it is made.

use std::cmp::Reverse;

use engine::Seat;
use engine::graph::{self, Areas, Node};

use super::board::{Board, Kind};
use super::map::{Category, Place};
use super::numbers::FACES;
use super::orders::Amount;
use super::tables::Options;
use super::turn::{Referee, Target, Turn};

/// Armies that stay in the region that attacks.
const KEEPS: u32 = 3;
/// The fewest armies that march to find an enemy.
const MARCHES: u32 = 8;
/// Attempts on a region, beyond the number of armies in it.
const MORE_ATTEMPTS: u32 = 2;
/// The most attacks in one line.
const AT_ONCE: u32 = 40;
/// The most lines of attacks on one region.
const BLOCKS: u32 = 8;
/// What a newly radioactive region costs, in enemy armies: nobody can enter it again, and players
/// whom such land separates can't win.
const SPLAT: i64 = 4;
/// The most bombs of a kind that are considered in a turn.
const SITES: usize = 4;
/// The most targets of a bomb that are examined closely.
const TARGETS: usize = 4;
/// The most orders on a computer's card, far below the limit of a card.
const ORDERS: usize = 300;

/// Where extra armies go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// Beside the most enemy armies.
    Facing,
    /// To the strongest stack that touches an enemy.
    Strongest,
    /// Where the best free land is.
    Free,
}

/// The preferred targets of attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prey {
    /// Few armies on good land.
    Weak,
    /// Stacks that could attack.
    Strong,
}

/// A style of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Where extra armies go.
    pub place: Where,
    /// The preferred targets of attacks.
    pub prey: Prey,
    /// Whether it counts the value of land, attacks until too few armies are left, and looks at the
    /// result before it goes on.
    pub thorough: bool,
}

/// The style of a computer that does not look ahead, and the one that it expects of others.
pub const PLAIN: Style = Style { place: Where::Facing, prey: Prey::Weak, thorough: false };

/// The value of holding a region, in sixths of an extra army.
pub fn worth(category: Category) -> i64 {
    match category {
        Category::MegaCity => 6,
        Category::Key => 3,
        Category::Rural => 2,
        Category::Mountains | Category::Light | Category::Sea => 0,
    }
}

/// The average results of attacks, for each number of faces: how often the number is guessed, in
/// thousandths, and how many armies a right guess costs, in tenths.
#[derive(Debug, Clone)]
pub struct Odds([(u32, u32); FACES as usize]);

impl Odds {
    /// The results of an even mix against an even mix.
    pub fn of(even: &[u16; 6]) -> Self {
        let mut odds = [(1000, 10); FACES as usize];
        for (high, odds) in (1..).zip(&mut odds) {
            let weights: Vec<u64> = even.iter().take(high).map(|w| u64::from(*w)).collect();
            let all: u64 = weights.iter().sum();
            let hit: u64 = weights.iter().map(|w| w * w).sum();
            let lost: u64 = (1..).zip(&weights).map(|(k, w)| k * w * w).sum();
            // At most 1,000, and at most ten times the faces.
            *odds = ((1000 * hit / (all * all).max(1)) as u32, (10 * lost / hit.max(1)) as u32);
        }
        Self(odds)
    }

    fn at(&self, target: &Target) -> (u32, u32) {
        let high = target.bounds.high.clamp(1, FACES) as usize;
        let (guessed, lost) = self.0[high - 1];
        if target.two { ((2 * guessed).min(1000), lost) } else { (guessed, lost) }
    }
}

/// Plays one turn in a trial run.
pub struct Planner<'a> {
    options: &'a Options,
    odds: &'a Odds,
    style: Style,
    board: Board,
    turn: Turn,
    /// The orders; `None` if they are not wanted.
    lines: Option<Vec<String>>,
    /// The parts of averages that are not used yet: thousandths of a guess, tenths of an army.
    debt: (u32, u32),
}

/// Plays a turn. Returns its orders if they are `written`, and the board after it.
pub fn plan(
    board: &Board,
    turn: Turn,
    (options, odds): (&Options, &Odds),
    style: Style,
    written: bool,
) -> (Vec<String>, Board) {
    let lines = written.then(Vec::new);
    let board = board.clone();
    let mut planner = Planner { options, odds, style, board, turn, lines, debt: (0, 0) };
    planner.bombs(Kind::H);
    planner.bombs(Kind::A);
    planner.extras();
    planner.expand();
    if style.thorough {
        planner.approach();
    }
    let attacked = planner.attacks();
    let mut lines = planner.lines.take();
    if attacked && style.thorough && planner.turn.part <= options.instalments_max {
        lines.iter_mut().for_each(|l| l.push("Z".to_owned()));
        planner.expand();
        planner.attacks();
    }
    (lines.unwrap_or_default(), planner.board)
}

impl Planner<'_> {
    fn me(&self) -> Seat {
        self.turn.seat
    }

    fn number(&self, at: Place) -> u16 {
        self.board.map().region(at).number
    }

    fn referee(&mut self) -> Referee<'_> {
        Referee { board: &mut self.board, turn: &mut self.turn, options: self.options }
    }

    fn write(&mut self, line: impl FnOnce(&Board) -> String) {
        if let Some(lines) = &mut self.lines
            && lines.len() < ORDERS
        {
            lines.push(line(&self.board));
        }
    }

    fn is_enemy(&self, at: Place) -> bool {
        self.board.owner(at).is_some_and(|o| o != self.me())
    }

    fn is_free(&self, at: Place) -> bool {
        self.board.owner(at).is_none() && !self.board.land(at).splat
    }

    /// Enemy armies around a region.
    fn faced(&self, at: Place) -> u32 {
        let near = self.board.map().near(at).filter(|n| self.is_enemy(*n));
        near.map(|n| self.board.armies(n)).sum()
    }

    /// Fires bombs where they kill more enemy armies than its own.
    fn bombs(&mut self, kind: Kind) {
        if self.turn.phase > super::turn::Phase::ABombs {
            return;
        }
        let mut sites: Vec<Place> = self
            .board
            .held(self.me())
            .filter(|p| self.board.bomb(*p).is_some_and(|b| b.kind == kind))
            .collect();
        sites.sort_by_key(|p| (Reverse(self.board.bomb(*p).map_or(0, |b| b.units)), *p));
        for from in sites.into_iter().take(SITES) {
            let Some(bomb) = self.board.bomb(from).filter(|b| b.kind == kind) else { continue };
            let far = self.board.map().distances(from);
            let reached = |p: &Place| far[p.index()].is_some_and(|d| d <= bomb.units);
            // Targets in the middle of the most armies are tried first; the explosion itself gives
            // the exact number.
            let mut targets: Vec<(Reverse<i64>, Place)> = self
                .board
                .map()
                .places()
                .filter(|p| reached(p) && self.is_enemy(*p))
                .map(|to| (Reverse(self.among(to, kind)), to))
                .collect();
            targets.sort_unstable();
            let looked_at = targets.iter().take(TARGETS).map(|t| t.1);
            let mut gains: Vec<(Reverse<i64>, Place)> =
                looked_at.map(|to| (Reverse(self.gain(from, to, kind)), to)).collect();
            gains.retain(|(gain, _)| gain.0 > 0);
            gains.sort_unstable();
            let to = gains.into_iter().map(|w| w.1).find(|to| !self.parts(from, *to, kind));
            let Some(to) = to else { continue };
            let (a, b) = (self.number(from), self.number(to));
            match kind {
                Kind::H => {
                    if self.referee().fire_h(from, to).is_ok() {
                        self.write(|_| format!("H {a} {b}"));
                    }
                }
                Kind::A => {
                    let sites = self.front(&self.board.empire(from));
                    if self.referee().fire_a(from, to, &sites).is_ok() {
                        self.write(|board| {
                            let number = |p: &Place| board.map().region(*p).number.to_string();
                            let list: Vec<String> = sites.iter().take(8).map(number).collect();
                            format!("A {a} {b} {}", list.join(" "))
                        });
                    }
                }
            }
        }
    }

    /// Enemy armies around a place less its own, without the effects of a chain.
    fn among(&self, at: Place, kind: Kind) -> i64 {
        let map = self.board.map();
        let value = |p: Place| match self.board.owner(p) {
            Some(seat) if seat == self.me() => -2 * i64::from(self.board.armies(p)),
            Some(_) => i64::from(self.board.armies(p)),
            None => 0,
        };
        let near = map.near(at).chain([at]);
        match kind {
            Kind::A => near.map(value).sum(),
            // Some are counted twice, but this is only a first estimate.
            Kind::H => near.flat_map(|p| map.near(p)).map(value).sum(),
        }
    }

    /// Enemy armies that an explosion kills, less its own; each bomb counts as one army.
    fn gain(&self, from: Place, to: Place, kind: Kind) -> i64 {
        let blast = self.board.blast(to, kind, from);
        let value = |p: &Place| {
            let armies = i64::from(self.board.armies(*p));
            let bomb = i64::from(self.board.bomb(*p).is_some() && *p != from);
            match self.board.owner(*p) {
                Some(seat) if seat == self.me() => -2 * (armies + bomb),
                Some(_) => armies + bomb,
                None => 0,
            }
        };
        // A region that is already radioactive is no further loss. A map has few regions.
        let new = blast.splats.iter().filter(|p| !self.board.land(**p).splat).count() as i64;
        blast.devastated.iter().map(value).sum::<i64>() - SPLAT * new
    }

    /// Whether a shot would cut it off from all remaining enemies.
    fn parts(&self, from: Place, to: Place, kind: Kind) -> bool {
        let mut after = self.board.clone();
        after.site(from, None);
        after.explode(&self.board.blast(to, kind, from));
        let others = after.lands.iter().any(|l| l.owner.is_some_and(|o| o != self.me()));
        others && !meets_enemies(&after, self.me())
    }

    /// Regions of an empire: first those that touch the most enemy armies, then those with the most
    /// free land.
    fn front(&self, empire: &[Place]) -> Vec<Place> {
        let map = self.board.map();
        let free = |p: Place| -> i64 {
            map.near(p).filter(|n| self.is_free(*n)).map(|n| 1 + worth(map.category(n))).sum()
        };
        let key = |p: &Place| {
            let faced = i64::from(self.faced(*p));
            let armies = i64::from(self.board.armies(*p));
            match self.style.place {
                Where::Facing => (faced, free(*p)),
                Where::Strongest => (if faced > 0 { armies } else { 0 }, free(*p)),
                Where::Free => (free(*p), faced),
            }
        };
        let mut front: Vec<Place> = empire.to_vec();
        front.sort_by_cached_key(|p| (Reverse(key(p)), *p));
        front
    }

    /// Places extra armies, all of an empire in one region.
    fn extras(&mut self) {
        let pools = self.referee().claim().clone();
        for pool in pools.iter().filter(|p| p.left > 0) {
            let Some(at) = self.front(&pool.regions).first().copied() else { continue };
            let (number, left) = (self.number(at), pool.left);
            if self.referee().put(at, Amount::Number(left)).is_ok() {
                self.write(|_| format!("P {number} {left}"));
            }
        }
        self.referee().place_rest();
    }

    /// The gain of taking an empty region, in parts of which 36 are an extra army: its own value,
    /// less one army for each further empire that it joins, and a little for free land behind it.
    fn growth(&self, empires: &Areas, to: Place) -> i64 {
        let map = self.board.map();
        let free = map.near(to).filter(|p| self.is_free(*p));
        let behind: i64 = free.map(|p| worth(map.category(p))).sum();
        let own = 6 * worth(map.category(to));
        if !self.style.thorough {
            return 1 + own;
        }
        let mut joined: Vec<u32> = map.near(to).filter_map(|p| empires.at(p)).collect();
        joined.sort_unstable();
        joined.dedup();
        // A region has few neighbours.
        own + behind - 36 * (joined.len() as i64 - 1).max(0)
    }

    /// Moves armies into empty regions, one after the other.
    fn expand(&mut self) {
        for _ in 0..ORDERS / 2 {
            let me = self.me();
            let map = self.board.map();
            let empires = Areas::of(
                self.board.lands.len(),
                map.places(),
                |p| map.near(p),
                |p| self.board.holds(me, p),
            );
            let mut best: Option<(i64, Place, Place, u32)> = None;
            for from in self.board.held(me).filter(|p| self.board.armies(*p) > 1) {
                let spare = self.board.armies(from) - 1;
                for to in map.near(from).filter(|p| self.is_free(*p)) {
                    let value = self.growth(&empires, to);
                    if value > 0 && best.is_none_or(|(v, ..)| value > v) {
                        best = Some((value, from, to, spare));
                    }
                }
            }
            let Some((_, from, to, spare)) = best else { return };
            // Half of them stay, to reach the other free regions beside.
            let beside = map.near(from).filter(|p| self.is_free(*p)).count();
            let n = match () {
                () if self.style.thorough && self.faced(from) > self.faced(to) => 1,
                () if beside > 1 => spare.div_ceil(2),
                () => spare,
            };
            if self.referee().march(from, to, Amount::Number(n)).is_err() {
                return;
            }
            let (a, b) = (self.number(from), self.number(to));
            self.write(|_| format!("M {a} {b} {n}"));
        }
    }

    /// Moves stacks without contact through free land to the nearest enemy, to attack in this turn.
    fn approach(&mut self) {
        let me = self.me();
        let stacks: Vec<Place> = self
            .board
            .held(me)
            .filter(|p| self.board.armies(*p) >= MARCHES && self.faced(*p) == 0)
            .collect();
        for from in stacks {
            let map = self.board.map();
            // Armies that stay behind on the way are not there for the attack.
            let far = graph::distances(
                self.board.lands.len(),
                [from],
                |p| map.near(p),
                |_, p| self.is_free(p),
            );
            let most = self.board.armies(from) - KEEPS - 1;
            let reached = map.places().filter(|p| far[p.index()].is_some_and(|d| d <= most));
            let to = reached.filter(|p| *p != from && self.faced(*p) > 0);
            let Some(to) = to.min_by_key(|p| (far[p.index()], *p)) else { continue };
            // Back from the goal, each step nearer to the start.
            let mut way = vec![to];
            while let Some(at) = way.last().copied().filter(|p| *p != from) {
                let nearer =
                    |p: &Place| far[p.index()].is_some_and(|d| Some(d + 1) == far[at.index()]);
                let Some(next) = map.near(at).find(nearer) else { break };
                way.push(next);
            }
            for (a, b) in way.iter().rev().zip(way.iter().rev().skip(1)) {
                if self.referee().march(*a, *b, Amount::All).is_err() {
                    break;
                }
                let (a, b) = (self.number(*a), self.number(*b));
                self.write(|_| format!("M {a} {b} *"));
            }
        }
    }

    /// Attacks while enough armies are left. Returns whether there was a target.
    fn attacks(&mut self) -> bool {
        let mut prey: Vec<(i64, Place, Place)> = Vec::new();
        for from in self.board.held(self.me()) {
            let here = self.board.armies(from);
            if here <= KEEPS {
                continue;
            }
            for to in self.board.map().near(from).filter(|p| self.is_enemy(*p)) {
                let there = i64::from(self.board.armies(to));
                if !self.style.thorough && 2 * there > here.into() {
                    continue;
                }
                let land = 1 + worth(self.board.map().category(to));
                let value = match self.style.prey {
                    Prey::Weak => 2 * land - 3 * there,
                    Prey::Strong => land + 3 * there,
                };
                prey.push((value + i64::from(here), from, to));
            }
        }
        prey.sort_by_key(|(value, from, to)| (Reverse(*value), *from, *to));
        for (_, from, to) in &prey {
            self.attack(*from, *to);
        }
        !prey.is_empty()
    }

    /// Attacks one region in the trial run, and writes lines that test each time whether the attack
    /// still makes sense.
    fn attack(&mut self, from: Place, to: Place) {
        let Some(owner) = self.board.owner(to) else { return };
        let (a, b, there) = (self.number(from), self.number(to), self.board.armies(to));
        // As many attacks in a line as it can afford to lose.
        let at_once = (self.board.armies(from).saturating_sub(KEEPS) / FACES).clamp(1, AT_ONCE);
        let blocks = (there + MORE_ATTEMPTS).div_ceil(at_once) + u32::from(at_once > 1);
        let blocks = blocks.min(if self.style.thorough { BLOCKS } else { 1 });
        for _ in 0..blocks {
            let numbers = ["E"].repeat(at_once as usize).join(" ");
            let test = [format!("IF O {b} {owner}"), format!("IF N {a} > {KEEPS}")];
            let block = test.into_iter().chain([format!("K {a} {b} {numbers}")]);
            if self.lines.as_ref().is_some_and(|l| l.len() + 5 <= ORDERS) {
                for line in block.chain(["FI".to_owned(), "FI".to_owned()]) {
                    self.write(|_| line);
                }
            }
        }
        for _ in 0..blocks * at_once {
            if self.board.owner(to) != Some(owner) || self.board.armies(from) <= KEEPS {
                return;
            }
            let Ok(target) = self.referee().target(from, to) else { return };
            let (guessed, lost) = self.odds.at(&target);
            self.debt.0 += guessed;
            if self.debt.0 >= 1000 {
                self.debt = (self.debt.0 - 1000, self.debt.1 + lost);
                let lost = self.debt.1 / 10;
                self.debt.1 %= 10;
                let number = target.bounds.clamp(lost);
                self.referee().strike(target, number, &[number], &[]);
            } else {
                let number = target.bounds.clamp(2);
                self.referee().strike(target, number, &[], &[]);
            }
        }
    }
}

/// Whether a way without radioactive land leads from a seat to an enemy.
pub fn meets_enemies(board: &Board, seat: Seat) -> bool {
    let open = |_, p: Place| !board.land(p).splat;
    let seen = graph::reached(board.lands.len(), board.held(seat), |p| board.map().near(p), open);
    let enemy = |p: &Place| board.owner(*p).is_some_and(|o| o != seat);
    board.map().places().filter(enemy).any(|p| seen[p.index()])
}
