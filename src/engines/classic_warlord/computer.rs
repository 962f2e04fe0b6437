//! The computer player (§16): from its view alone.
//!
//! It plays its own turn on a copy of the board, by the referee that the step uses, and writes
//! down what it did. The strengths differ in how far they think: `easy` of the next attack,
//! `normal` of all that follow it, `hard` also of the attack that would come from a stack that
//! it leaves alone. They do not yet differ much.

use engine::graph;
use engine::{CardText, Dice, Play, Seat};

use super::board::{Board, Kind};
use super::map::{Category, Place};
use super::numbers::FACES;
use super::orders::Amount;
use super::tables::{Draft, Strength};
use super::turn::{Referee, Turn};
use super::view::{Scene, View};

/// Armies that attack at least: the number may be 1 to 4 then.
const ATTACKERS: u32 = 4;
/// Attempts on one region beyond its armies.
const MORE_ATTEMPTS: u32 = 2;
/// Attacks in one line.
const AT_ONCE: u32 = 40;
/// Lines of attacks on one region.
const BLOCKS: u32 = 8;
/// Enemy armies beyond its own that are worth a region which nobody can enter again: those who
/// are parted by radioactive land can't win.
const SPLAT: i64 = 4;
/// Bombs of a kind that it thinks about in a turn.
const SITES: usize = 6;
/// Targets of a bomb that are looked at closely.
const TARGETS: usize = 5;
/// Orders on a card of its own, far below what a card may have.
const ORDERS: usize = 300;

/// The card of a computer player.
pub fn play(view: &View, dice: &mut Dice) -> Play {
    let lines = match &view.scene {
        Scene::Draft(_) if view.picks() => vec![wishes(view, dice)],
        Scene::Turn(turn) if turn.seat == view.seat => Player::new(view, turn.clone()).card(),
        // Guesses are by E, as for who has no lines on file.
        Scene::Challenge(_, asked) if asked.target.defender == view.seat => {
            let bounds = asked.target.bounds;
            let number = super::numbers::Draw::Even.draw(bounds, view.options.even, dice, "guess");
            vec![format!("Q {number}")]
        }
        _ => Vec::new(),
    };
    CardText::of(&lines).into()
}

/// What a region is worth to hold.
fn worth(category: Category) -> i64 {
    match category {
        Category::MegaCity => 12,
        Category::Key => 6,
        Category::Rural => 4,
        Category::Mountains | Category::Light => 2,
        Category::Sea => 1,
    }
}

/// Mountains by what lies around them; among equals by lot.
fn wishes(view: &View, dice: &mut Dice) -> String {
    let map = view.board.map();
    let mut all: Vec<(i64, u32, Place)> = map
        .places()
        .filter(|p| map.category(*p) == Category::Mountains && view.board.owner(*p).is_none())
        .map(|p| {
            let near: i64 = map.near(p).map(|n| worth(map.category(n))).sum();
            (-near, dice.below("wish", 1000), p)
        })
        .collect();
    all.sort_unstable();
    let most = match view.options.draft {
        Draft::List => 60,
        Draft::Live => 12,
    };
    let names: Vec<String> =
        all.iter().take(most).map(|(_, _, p)| map.region(*p).number.to_string()).collect();
    format!("S {}", names.join(" "))
}

struct Player<'a> {
    view: &'a View,
    board: Board,
    turn: Turn,
    strength: Strength,
    lines: Vec<String>,
}

impl<'a> Player<'a> {
    fn new(view: &'a View, turn: Turn) -> Self {
        let strength = view.options.strength(view.seat);
        Self { view, board: view.board.clone(), turn, strength, lines: Vec::new() }
    }

    fn me(&self) -> Seat {
        self.view.seat
    }

    fn number(&self, at: Place) -> u16 {
        self.board.map().region(at).number
    }

    fn referee(&mut self) -> Referee<'_> {
        Referee { board: &mut self.board, turn: &mut self.turn, options: &self.view.options }
    }

    fn card(mut self) -> Vec<String> {
        self.bombs(Kind::H);
        self.bombs(Kind::A);
        self.extras();
        self.expand();
        self.attacks();
        self.lines.truncate(ORDERS);
        self.vote();
        self.lines
    }

    /// Whether a way leads to an enemy that is not radioactive.
    fn meets_enemies(&self, board: &Board) -> bool {
        let open = |_, p: Place| !board.land(p).splat;
        let own = board.held(self.me());
        let seen = graph::reached(board.lands.len(), own, |p| board.map().near(p), open);
        let enemy = |p: &Place| board.owner(*p).is_some_and(|o| o != self.me());
        board.map().places().filter(enemy).any(|p| seen[usize::from(p.0)])
    }

    /// Who is cut off by radioactive land from all others votes for a draw.
    fn vote(&mut self) {
        let voted = self.view.side(self.me()).is_some_and(|s| s.draw);
        let draw = !self.meets_enemies(&self.board);
        if draw != voted {
            self.lines.push(format!("V {}", if draw { "DRAW" } else { "NODRAW" }));
        }
    }

    /// Whether a shot would part it from all enemies that are left.
    fn parts(&self, from: Place, to: Place, kind: Kind) -> bool {
        let mut after = self.board.clone();
        after.site(from, None);
        after.explode(&self.board.blast(to, kind, from));
        let others = |b: &Board| b.lands.iter().any(|l| l.owner.is_some_and(|o| o != self.me()));
        others(&after) && !self.meets_enemies(&after)
    }

    /// Fires bombs where they kill more of others than of its own.
    fn bombs(&mut self, kind: Kind) {
        let mut sites: Vec<Place> = self
            .board
            .held(self.me())
            .filter(|p| self.board.bomb(*p).is_some_and(|b| b.kind == kind))
            .collect();
        sites.sort_by_key(|p| (std::cmp::Reverse(self.board.bomb(*p).map_or(0, |b| b.units)), *p));
        for from in sites.into_iter().take(SITES) {
            let Some(bomb) = self.board.bomb(from).filter(|b| b.kind == kind) else { continue };
            let far = self.board.map().distances(from);
            let reached = |p: &Place| far[usize::from(p.0)].is_some_and(|d| d <= bomb.units);
            let targets: Vec<Place> = self
                .board
                .map()
                .places()
                .filter(|p| reached(p) && self.board.owner(*p).is_some_and(|o| o != self.me()))
                .collect();
            // Those look best that lie among most armies; the explosion itself tells it exactly.
            let mut targets: Vec<(i64, Place)> =
                targets.into_iter().map(|to| (-self.among(to, kind), to)).collect();
            targets.sort_unstable();
            let looked_at = targets.iter().take(2 * TARGETS).map(|t| t.1);
            let mut worth: Vec<(i64, Place)> =
                looked_at.map(|to| (self.gain(from, to, kind), to)).collect();
            worth.retain(|(gain, _)| *gain > 0);
            worth.sort_unstable_by_key(|(gain, to)| (std::cmp::Reverse(*gain), *to));
            let to = worth.into_iter().map(|w| w.1).take(TARGETS);
            let Some(to) = to.into_iter().find(|to| !self.parts(from, *to, kind)) else { continue };
            let (a, b) = (self.number(from), self.number(to));
            match kind {
                Kind::H => {
                    if self.referee().fire_h(from, to).is_ok() {
                        self.lines.push(format!("H {a} {b}"));
                    }
                }
                Kind::A => {
                    let sites = self.front(&self.board.empire(from));
                    if self.referee().fire_a(from, to, &sites).is_ok() {
                        let list: Vec<String> =
                            sites.iter().take(8).map(|p| self.number(*p).to_string()).collect();
                        self.lines.push(format!("A {a} {b} {}", list.join(" ")));
                    }
                }
            }
        }
    }

    /// Armies of others less its own around a place, without what a chain would do.
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
            // Some are counted twice; it is a first look.
            Kind::H => near.flat_map(|p| map.near(p)).map(value).sum(),
        }
    }

    /// Armies of others less its own that an explosion kills, bombs counted as one each.
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
        // What is radioactive already is no loss.
        let new = blast.splats.iter().filter(|p| !self.board.land(**p).splat).count() as i64;
        blast.devastated.iter().map(value).sum::<i64>() - SPLAT * new
    }

    /// Armies from which on a stack attacks whatever stands beside it. With a full die an attack
    /// gains more than it costs, for who attacks first: whoever thinks of the enemy's turn does
    /// not wait until it is attacked.
    fn bold(&self) -> u32 {
        match self.strength {
            Strength::Easy => u32::MAX,
            Strength::Normal => 24,
            Strength::Hard => 8,
        }
    }

    /// Regions, those first that touch most armies of others, then those with most free land.
    fn front(&self, empire: &[Place]) -> Vec<Place> {
        let touched = |p: &Place| -> u32 {
            let enemy = |n: &Place| self.board.owner(*n).is_some_and(|o| o != self.me());
            self.board.map().near(*p).filter(enemy).map(|n| self.board.armies(n)).sum()
        };
        let free = |p: &Place| -> i64 {
            let map = self.board.map();
            map.near(*p).filter(|n| self.is_free(*n)).map(|n| worth(map.category(n))).sum()
        };
        let mut front: Vec<Place> = empire.to_vec();
        front.sort_by_cached_key(|p| (std::cmp::Reverse((touched(p), free(p))), *p));
        front
    }

    /// Extra armies: where most armies of others are, else where most lies free.
    fn extras(&mut self) {
        let pools = self.referee().claim().clone();
        for pool in pools.iter().filter(|p| p.left > 0) {
            let Some(at) = self.front(&pool.regions).first().copied() else { continue };
            let (number, left) = (self.number(at), pool.left);
            if self.referee().put(at, Amount::Number(left)).is_ok() {
                self.lines.push(format!("P {number} {left}"));
            }
        }
        self.referee().place_rest();
    }

    fn is_free(&self, at: Place) -> bool {
        self.board.owner(at).is_none() && !self.board.land(at).splat
    }

    /// What taking an empty region adds: its worth, more if it completes a pair of key or three
    /// of rural regions, and what lies behind it.
    fn growth(&self, from: Place, to: Place) -> i64 {
        let map = self.board.map();
        let category = map.category(to);
        let empire = self.board.empire(from);
        let held = |c| empire.iter().filter(|p| map.category(**p) == c).count();
        let completes = match category {
            Category::Key => held(category) % 2 == 1,
            Category::Rural => held(category) % 3 == 2,
            _ => false,
        };
        if self.strength == Strength::Easy {
            return worth(category);
        }
        let behind: i64 =
            map.near(to).filter(|p| self.is_free(*p)).map(|p| worth(map.category(p))).sum();
        4 * worth(category) + if completes { 10 } else { 0 } + behind
    }

    /// Moves into empty regions, one after the other.
    fn expand(&mut self) {
        let mut moves = 0;
        while moves < ORDERS / 2 {
            let held: Vec<Place> = self.board.held(self.me()).collect();
            let mut best: Option<(i64, Place, Place, u32)> = None;
            for from in held {
                let spare = self.board.armies(from).saturating_sub(1);
                if spare == 0 {
                    continue;
                }
                for to in self.board.map().near(from).filter(|p| self.is_free(*p)) {
                    let value = self.growth(from, to);
                    if best.is_none_or(|(v, ..)| value > v) {
                        best = Some((value, from, to, spare));
                    }
                }
            }
            let Some((_, from, to, spare)) = best else { return };
            // Others that lie free beside stay within reach of half of them.
            let beside = self.board.map().near(from).filter(|p| self.is_free(*p)).count();
            let n = if beside > 1 { spare.div_ceil(2) } else { spare };
            if self.referee().march(from, to, Amount::Number(n)).is_err() {
                return;
            }
            let (a, b) = (self.number(from), self.number(to));
            self.lines.push(format!("M {a} {b} {n}"));
            moves += 1;
        }
    }

    /// Attacks by stacks on regions with at most half of their armies, as long as enough are
    /// left.
    fn attacks(&mut self) {
        let held: Vec<Place> = self.board.held(self.me()).collect();
        let mut prey: Vec<(i64, Place, Place)> = Vec::new();
        for from in held {
            let here = self.board.armies(from);
            if here < ATTACKERS {
                continue;
            }
            for to in self.board.map().near(from) {
                let Some(owner) = self.board.owner(to).filter(|o| *o != self.me()) else {
                    continue;
                };
                let there = self.board.armies(to);
                if there * 2 > here && here < self.bold() {
                    continue;
                }
                let weak = i64::from(100 / self.board.total(owner).max(1));
                let value = worth(self.board.map().category(to)) + weak - 3 * i64::from(there);
                prey.push((value + i64::from(here), from, to));
            }
        }
        prey.sort_by_key(|(value, from, to)| (std::cmp::Reverse(*value), *from, *to));
        for (_, from, to) in prey {
            let Some(owner) = self.board.owner(to) else { continue };
            let (a, b, there) = (self.number(from), self.number(to), self.board.armies(to));
            let keeps = ATTACKERS - 1;
            // As many attacks at once as it can afford to lose.
            let here = self.board.armies(from);
            let at_once = (here.saturating_sub(keeps) / FACES).clamp(1, AT_ONCE);
            let numbers = ["E"].repeat(at_once as usize).join(" ");
            let blocks = (there + MORE_ATTEMPTS).div_ceil(at_once) + u32::from(at_once > 1);
            let most = if self.strength == Strength::Easy { 1 } else { BLOCKS };
            for _ in 0..blocks.min(most) {
                if self.lines.len() + 5 > ORDERS {
                    return;
                }
                let block = [
                    format!("IF O {b} {owner}"),
                    format!("IF N {a} > {keeps}"),
                    format!("K {a} {b} {numbers} @ {a}"),
                    "FI".to_owned(),
                    "FI".to_owned(),
                ];
                self.lines.extend(block);
            }
        }
    }
}
