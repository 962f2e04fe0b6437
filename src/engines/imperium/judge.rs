//! The judgement of a card: what is certain is played on the board that the seat knows (§14).

use std::collections::{BTreeMap, BTreeSet};

use engine::report::{Align, Block, Line, Section, Table};
use engine::{CardText, JudgedLine, Judgement, Mark, Told, press};
use tongue::{count, say};

use super::acts::{self, Now};
use super::admin::{self, Placing, When};
use super::board::{Board, Control, Spot};
use super::closeout;
use super::court;
use super::galaxy::System;
use super::kinds::{Kind, Side, UnitId};
use super::odds::{self, Paper};
use super::orders::{self, Act, Entry, Fix, Order, Stand};
use super::plan::{self, Planned};
use super::standing::{self, What};
use super::state::{Pause, TURNS};
use super::tables::Tempo;
use super::view::{Scene, View};
use super::words;

/// Battles that an echo gives odds for, and how often each is tried.
const BATTLES: usize = 3;
const TRIALS: u32 = 25;

/// Judges a card for the open step, or for one so many steps later.
pub fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
    let entries = orders::read(&view.board, view.side, card);
    let (judge, planned, segment) = examined(view, &entries, ahead);
    let right = (0..entries.len()).all(|at| !judge.is_wrong(&entries, at));
    let acts = entries.iter().any(|e| matches!(e.read, Ok(Order::Activate(..) | Order::Wait(_))));
    let mine = matches!(&view.scene, Scene::Action(open)
        if open.pause == Pause::Turn && open.to_act == view.side);
    let forecast = if ahead == 0 { judge.forecast(&planned, segment) } else { Vec::new() };
    let lines = lines(card, &entries, &judge.told);
    // At the table an activation is done as soon as it is said.
    let ready = ahead == 0 && mine && right && acts;
    Judgement { lines, forecast, seals: Vec::new(), ready }
}

/// From where to where fleets go by a card, system by system; lines with a fault are left out.
pub fn moves(view: &View, card: &CardText) -> Vec<(System, System)> {
    let entries = orders::read(&view.board, view.side, card);
    let (judge, planned, _) = examined(view, &entries, 0);
    let mut moves = Vec::new();
    for (at, segment, block) in &planned.acts {
        let block = &planned.plans[usize::from(*segment) - 1][*block];
        let (What::Activate(system, _), Ok(Order::Act(act))) = (&block.what, &entries[*at].read)
        else {
            continue;
        };
        match act {
            Act::Move(_, legs) if !judge.is_wrong(&entries, *at) => {
                let mut from = *system;
                for leg in acts::path(&view.board, from, legs).unwrap_or_default() {
                    moves.push((from, leg.to));
                    from = leg.to;
                }
            }
            Act::Space(_, Some(to)) if !judge.is_wrong(&entries, *at) => moves.push((*system, *to)),
            _ => {}
        }
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// All lines looked at: what is said of them, the plans that they make, and the segment that
/// lines without one are for.
fn examined<'a>(view: &'a View, entries: &[Entry], ahead: u32) -> (Judge<'a>, Planned, u8) {
    let limits = view.board.tables.limits;
    let segment = if ahead == 0 { view.segment() } else { 1 };
    let halted = matches!(&view.scene, Scene::Action(open) if open.rolled);
    let warn = view.options.tempo != Tempo::Activation && ahead == 0 && !halted;
    let planned = plan::assemble(entries, segment, warn, &limits);
    let mut judge = Judge {
        view,
        ahead,
        told: vec![None; entries.len()],
        paper: view.board.clone(),
        odds: Vec::new(),
        trials: None,
        stock: Vec::new(),
        standing: view.filed.standing.clone(),
    };
    for entry in entries {
        if let Ok(Order::Stand(stand)) = &entry.read {
            judge.standing.set(stand, limits.hexes);
        }
    }
    for (at, told) in &planned.faults {
        judge.told[*at] = Some(told.clone());
    }
    judge.others(entries);
    judge.administration(entries);
    judge.plan(entries, &planned, segment);
    (judge, planned, segment)
}

/// The marks of all lines; what holds no order is a remark, lines of letters are part of them.
fn lines(card: &CardText, entries: &[Entry], told: &[Option<Told>]) -> Vec<JudgedLine> {
    let mut by_line: BTreeMap<u32, Vec<Told>> = BTreeMap::new();
    for (entry, told) in entries.iter().zip(told) {
        let told = match (&entry.read, told) {
            (Err(told), _) => told.clone(),
            (Ok(_), Some(told)) => told.clone(),
            (Ok(_), None) => Told::ok(""),
        };
        by_line.entry(entry.line).or_default().push(told);
    }
    let (letters, _) = press::split(card);
    let inside: BTreeSet<u32> =
        letters.iter().flat_map(|b| b.text.iter().map(|l| l.0).chain(b.end)).collect();
    let mut lines = Vec::new();
    for (number, text) in &card.lines {
        let judged = |told: Told| JudgedLine {
            line: *number,
            text: text.clone(),
            mark: told.mark,
            note: told.note,
        };
        match by_line.remove(number) {
            Some(all) => lines.extend(all.into_iter().map(judged)),
            None if inside.contains(number) => lines.push(judged(Told::remark(say!("letter")))),
            None => lines.push(judged(Told::remark(""))),
        }
    }
    lines
}

struct Judge<'a> {
    view: &'a View,
    ahead: u32,
    /// What is said of each order; `None`: it is fine.
    told: Vec<Option<Told>>,
    /// The board as the card makes it.
    paper: Board,
    odds: Vec<Line>,
    /// Paper on which battles are tried.
    trials: Option<Paper>,
    /// What construction costs.
    stock: Vec<Line>,
    /// Standing orders with those of the card.
    standing: standing::Standing,
}

impl Judge<'_> {
    fn is_wrong(&self, entries: &[Entry], at: usize) -> bool {
        entries[at].read.is_err() || self.told[at].as_ref().is_some_and(|t| t.mark == Mark::Error)
    }

    fn peace(&self) -> bool {
        self.view.peace.is_some()
    }

    fn say(&mut self, at: usize, told: Told) {
        let error = self.told[at].as_ref().is_some_and(|t| t.mark == Mark::Error);
        if !error {
            self.told[at] = Some(told);
        }
    }

    /// Orders that stay, letters, the Close-Out.
    fn others(&mut self, entries: &[Entry]) {
        let mut appeals = 0;
        for (at, entry) in entries.iter().enumerate() {
            let Ok(order) = &entry.read else { continue };
            let told = match order {
                Order::Stand(stand) => self.stand(stand),
                Order::Appeal(..) => {
                    appeals += 1;
                    self.appeal(appeals)
                }
                Order::Fix(fixes) => self.fixes(fixes),
                Order::Scrap(names) => {
                    let wrong = names.iter().find_map(|name| {
                        let id = UnitId { side: self.view.side, name: *name };
                        closeout::scrap_value(&self.view.board, id).err()
                    });
                    match wrong {
                        Some(why) => Told::warning("scrap", say!("as things stand {why}")),
                        None => Told::ok(say!("at the Close-Out, if it is so then")),
                    }
                }
                Order::Press(block) => {
                    let limits = &self.view.board.tables.limits;
                    let fits = (limits.letter_lines, limits.letter_columns);
                    let seats = Side::BOTH.into_iter().map(Side::seat);
                    match press::letter(block, self.view.seat, seats, fits) {
                        Ok((_, told)) | Err(told) => told,
                    }
                }
                Order::Segment(n) if self.ahead == 0 && *n < self.view.segment() => {
                    Told::warning("over", say!("segment {n} is over"))
                }
                _ => continue,
            };
            self.say(at, told);
        }
    }

    fn stand(&self, stand: &Stand) -> Told {
        let side = self.view.side;
        match stand {
            Stand::Homes(_) | Stand::Removal(_) if side == Side::Terran => {
                Told::error("imperial", say!("only the Imperial seat orders that"))
            }
            Stand::Homes(systems) => {
                let homes = super::galaxy::HOMES.map(|p| p.system);
                match systems.iter().find(|s| !homes.contains(s)) {
                    Some(system) => {
                        let note = say!("{system} is no Imperial home world: 33, 35, 38");
                        Told::error("no-home", note)
                    }
                    None => Told::ok(say!("stays until replaced")),
                }
            }
            Stand::Post(planet, name, _) => {
                let id = UnitId { side, name: *name };
                match self.view.board.units.contains_key(&id) {
                    false => acts::no_unit(*name),
                    true => {
                        Told::ok(say!("when {planet} is attacked and {unit} is there", unit = name))
                    }
                }
            }
            Stand::Stance(group, stance) => {
                let group = group.words();
                Told::ok(match stance {
                    orders::Stance::Range(0) => say!("{group} close in to the same area"),
                    orders::Stance::Range(n) => say!("{group} seek range {n}"),
                    orders::Stance::Away => say!("{group} keep away"),
                    orders::Stance::Stay => say!("{group} stay where they are"),
                })
            }
            Stand::Targets(aims, groups) => {
                let list = words::in_turn(groups.iter().map(|g| g.words()));
                Told::ok(match aims {
                    orders::Aims::Beams => say!("beams at {list} first"),
                    orders::Aims::Torpedoes => say!("torpedoes at {list} first"),
                    orders::Aims::Defence => say!("defenders at {list} first"),
                    orders::Aims::Surface => say!("on the surface at {list} first"),
                })
            }
            Stand::First(true) => {
                Told::ok(say!("moving first is rarely better: the other sees it"))
            }
            Stand::Truce(true) => Told::ok(say!("the war ends at the Close-Out if both offer it")),
            _ => Told::ok(say!("stays until replaced")),
        }
    }

    fn appeal(&self, nth: u32) -> Told {
        if self.view.side == Side::Terran {
            return Told::error("imperial", say!("only the Imperial seat appeals"));
        }
        if self.view.board.court.banned {
            return Told::error("banned", say!("no further appeals in this war"));
        }
        if self.peace() {
            return Told::error("peace", say!("it is peace: there are no appeals"));
        }
        match nth {
            1 => Told::ok(say!("at the start of the next turn")),
            _ => Told::ok(say!("if the lines above do not hold; one appeal a turn")),
        }
    }

    fn fixes(&self, fixes: &[Fix]) -> Told {
        let (board, side) = (&self.view.board, self.view.side);
        let id = |name| UnitId { side, name };
        for fix in fixes {
            let wrong = match fix {
                Fix::All => None,
                Fix::Unit(name) if !board.units.contains_key(&id(*name)) => {
                    return acts::no_unit(*name);
                }
                Fix::Unit(name) => {
                    let why = closeout::repair_cost(board, id(*name), self.peace()).err();
                    match why {
                        // It may be damaged by then.
                        Some(why) if closeout::is_whole(board, id(*name)) => {
                            return Told::warning("fix", say!("as things stand {why}"));
                        }
                        why => why,
                    }
                }
                Fix::Pair(a, b) => match closeout::can_pair(board, id(*a), id(*b)) {
                    Err(why) => return Told::error("pair", why),
                    Ok(()) => None,
                },
            };
            if let Some(why) = wrong {
                return Told::error("fix", why);
            }
        }
        let cost: u32 = fixes
            .iter()
            .filter_map(|fix| match fix {
                Fix::Unit(name) => closeout::repair_cost(board, id(*name), self.peace()).ok(),
                _ => None,
            })
            .sum();
        match cost {
            0 => Told::ok(say!("at the Close-Out, from what the stockpile holds then")),
            cost => {
                Told::ok(count!(cost, "{cost} Resources at the Close-Out, if they are there then"))
            }
        }
    }

    /// Reinforcements and construction, in their order (§5.4, §5.5).
    fn administration(&mut self, entries: &[Entry]) {
        let side = self.view.side;
        let when = When { turn: self.view.clock, peace: self.peace() };
        let mut placing = Placing::default();
        let is_place = |e: &Entry| matches!(e.read, Ok(Order::Place(..)));
        let order = (0..entries.len()).filter(|at| is_place(&entries[*at]));
        let others = (0..entries.len()).filter(|at| !is_place(&entries[*at]));
        let all: Vec<usize> = order.chain(others).collect();
        let mut placed = false;
        for at in all {
            let Ok(order) = &entries[at].read else { continue };
            let told = match (order, &self.view.scene, self.ahead) {
                (
                    Order::Build(..) | Order::Place(..) | Order::Terraform(_) | Order::Upgrade(_),
                    _,
                    1..,
                ) => match order {
                    Order::Build(kind, _) if !kind.built_by(side) => {
                        admin::forbidden(&self.paper, side, *kind).unwrap_or_else(|| Told::ok(""))
                    }
                    _ => Told::ok(say!("if it still applies")),
                },
                (Order::Place(piece, goal), Scene::Setup, _) => {
                    admin::set_up(&mut self.paper, side, *piece, *goal).unwrap_or_else(|t| t)
                }
                (Order::Place(piece, goal), Scene::Administration, _) => {
                    placing.place(&mut self.paper, side, *piece, *goal).unwrap_or_else(|t| t)
                }
                (Order::Build(kind, n), Scene::Administration, _) => {
                    if !placed {
                        placed = true;
                        placing.rest(&mut self.paper, side);
                    }
                    admin::build(&mut self.paper, side, *kind, *n, when).unwrap_or_else(|t| t)
                }
                (Order::Terraform(planet), Scene::Administration, _) => {
                    admin::terraform(&mut self.paper, side, *planet, when).unwrap_or_else(|t| t)
                }
                (Order::Upgrade(planet), Scene::Administration, _) => {
                    admin::upgrade(&mut self.paper, side, *planet, when).unwrap_or_else(|t| t)
                }
                (Order::Build(..) | Order::Terraform(_) | Order::Upgrade(_), Scene::Setup, _) => {
                    let note = say!("construction comes with the card of turn 1");
                    Told::error("too-early", note)
                }
                (
                    Order::Build(..) | Order::Place(..) | Order::Terraform(_) | Order::Upgrade(_),
                    Scene::Action(_) | Scene::Over(_),
                    _,
                ) => Told::error("too-late", say!("it comes with the first card of a turn")),
                _ => continue,
            };
            self.say(at, told);
        }
        if matches!(self.view.scene, Scene::Administration) && !placed {
            placing.rest(&mut self.paper, side);
        }
        self.paper.sweep_of(side);
        let (was, is) = (self.view.board.purses[side.i()].stock, self.paper.purses[side.i()].stock);
        if matches!(self.view.scene, Scene::Administration) && self.ahead == 0 {
            let spent = was - is;
            self.stock.push(say!("Stockpile {was}, {spent} spent, {is} left.").into());
        }
    }

    /// The plan, segment by segment: what is certain is done on paper.
    fn plan(&mut self, entries: &[Entry], planned: &Planned, open: u8) {
        let index: BTreeMap<(u32, u8), usize> = planned
            .acts
            .iter()
            .map(|(at, segment, _)| ((entries[*at].line, *segment), *at))
            .collect();
        let heads: BTreeMap<u32, usize> =
            entries.iter().enumerate().map(|(at, e)| (e.line, at)).collect();
        if matches!(self.view.scene, Scene::Over(_)) {
            for (at, ..) in &planned.acts {
                self.say(*at, Told::warning("over", say!("the game is over")));
            }
            return;
        }
        let seen = self.view.seen_planets();
        let mut halts = 0;
        // The activation in which a fleet moves, by fleet.
        for segment in open..=4 {
            let plan = &planned.plans[usize::from(segment) - 1];
            // A segment that has not begun finds nobody moved.
            let begun = matches!(&self.view.scene, Scene::Action(open) if open.rolled);
            if segment > open || !begun {
                for unit in self.paper.units.values_mut() {
                    unit.moved = false;
                }
            }
            let mut moved: BTreeMap<u8, usize> = BTreeMap::new();
            let mut certain = segment == open && self.ahead == 0;
            let mut nth = 0;
            for block in plan {
                let head = heads.get(&block.line).copied();
                if block.what == What::Halt {
                    halts += 1;
                    if halts > self.view.options.halts_max
                        && let Some(head) = head
                    {
                        let most = self.view.options.halts_max;
                        let note = say!("a segment has at most {most} HALT");
                        self.say(head, Told::remark(note));
                    }
                }
                if let (Some(head), false) = (head, block.cond.is_empty()) {
                    let condition = words::cond(self.view, &block.cond);
                    let text = say!("if {condition}");
                    if self.told[head].is_none() {
                        self.say(head, Told::ok(text));
                    }
                }
                let What::Activate(system, acts) = &block.what else { continue };
                nth += 1;
                let conditional = !block.cond.is_empty();
                let sure = certain && !conditional;
                if let Some(head) = head {
                    self.head(head, *system, acts, sure);
                }
                let now = Now {
                    side: self.view.side,
                    system: *system,
                    segment,
                    peace: self.peace(),
                    seen: &seen,
                    target: acts::target(acts),
                };
                let mut attacked = false;
                for (line, act) in acts {
                    let Some(at) = index.get(&(*line, segment)).copied() else { continue };
                    let told = self.act(&now, act, &mut moved, nth, sure);
                    let twice = attacked && matches!(act, Act::Attack(..));
                    attacked |= matches!(act, Act::Attack(..));
                    let told = match twice {
                        true => Told::error("two-attacks", say!("one planet an activation")),
                        false => told,
                    };
                    let fine = told.mark != Mark::Error;
                    self.say(at, told);
                    if fine && !conditional {
                        self.apply(&now, act);
                    }
                }
                certain &= !conditional;
            }
        }
    }

    fn head(&mut self, at: usize, system: System, acts: &[(u32, Act)], sure: bool) {
        let side = self.view.side;
        if acts.is_empty() {
            self.say(at, Told::warning("empty", say!("nothing to do: orders go below it")));
        } else if !self.paper.present(side, system) {
            self.say(
                at,
                match sure {
                    true => Told::error("nobody", say!("no units of yours in {system}")),
                    false => Told::warning(
                        "nobody",
                        say!("no units of yours in {system} as things stand"),
                    ),
                },
            );
        }
    }

    /// Judges an act; errors that are not certain become warnings.
    fn act(
        &mut self,
        now: &Now,
        act: &Act,
        moved: &mut BTreeMap<u8, usize>,
        nth: usize,
        sure: bool,
    ) -> Told {
        let checked = acts::check(&self.paper, now, act);
        if let (Ok(_), Act::Move(fleets, _)) = (&checked, act) {
            moved.extend(fleets.iter().map(|f| (*f, nth)));
        }
        match checked {
            Ok(told) => {
                let note = self.outlook(now, act).unwrap_or(told.note);
                match (sure, note.is_empty()) {
                    (_, false) => Told::ok(note),
                    (true, true) => Told::ok(""),
                    (false, true) => Told::ok(say!("if it still applies")),
                }
            }
            Err(told) => {
                let earlier = match act {
                    Act::Move(fleets, _) => {
                        fleets.iter().find_map(|f| moved.get(f).map(|nth| (*f, *nth)))
                    }
                    _ => None,
                };
                if let (Some((fleet, nth)), true) = (earlier, now.segment > 0) {
                    let note = match nth {
                        1 => say!("fleet {fleet} moves in your 1st activation"),
                        2 => say!("fleet {fleet} moves in your 2nd activation"),
                        3 => say!("fleet {fleet} moves in your 3rd activation"),
                        n => say!("fleet {fleet} moves in your {n}th activation"),
                    };
                    return match sure {
                        true => Told::error("moved", note),
                        false => Told::warning("moved", note),
                    };
                }
                // What depends on where things are then may come right.
                let may_change = [
                    "elsewhere",
                    "moved",
                    "no-ships",
                    "no-enemy",
                    "no-target",
                    "arrived",
                    "empty",
                    "full",
                    "marker",
                    "enemy",
                    "disputed",
                    "not-disputed",
                    "no-fleet",
                    "not-in-space",
                ];
                match !sure && may_change.contains(&told.code) {
                    true => {
                        Told::warning(told.code, say!("as things stand: {note}", note = told.note))
                    }
                    false => told,
                }
            }
        }
    }

    /// What a move or an attack may meet, as far as it is known.
    fn outlook(&mut self, now: &Now, act: &Act) -> Option<String> {
        match act {
            Act::Move(fleets, legs) => {
                let path = acts::path(&self.paper, now.system, legs).ok()?;
                let end = path.last()?.to;
                let jumps = fleets
                    .iter()
                    .filter_map(|f| self.paper.slowest(now.side, *f))
                    .map(|s| s.1)
                    .min()?;
                let mut notes = vec![say!(
                    "{system} in {n} of {jumps} jumps",
                    system = self.view.board.galaxy.called(end),
                    n = path.len()
                )];
                if self.peace() {
                    return notes.pop();
                }
                let scouts = fleets
                    .iter()
                    .all(|f| self.paper.ships(now.side, *f).all(|id| id.kind() == Kind::SC));
                for leg in &path {
                    let met: Vec<String> = odds::enemies(&self.paper, self.view, leg.to)
                        .map(|(n, _)| words::fleet(self.view, n))
                        .collect();
                    if met.is_empty() {
                        continue;
                    }
                    let (system, side) = (leg.to, now.side.other().said());
                    let fleets = met.join(", ");
                    notes.push(match leg.to != end && !scouts {
                        true => say!("in {system} {side} {fleets} – warships there stop it"),
                        false => say!("in {system} {side} {fleets}"),
                    });
                }
                if scouts && self.view.board.occupied(now.side.other(), end) {
                    notes.push(self.unseen(end));
                } else if odds::enemies(&self.paper, self.view, end).next().is_some() {
                    self.battle(now, fleets, end);
                }
                Some(notes.join("; "))
            }
            Act::Engage => {
                let fleets: Vec<u8> = self.paper.fleets_in(now.side, now.system).collect();
                let met: Vec<String> = odds::enemies(&self.paper, self.view, now.system)
                    .map(|(n, _)| words::fleet(self.view, n))
                    .collect();
                self.battle(now, &fleets, now.system);
                let fleets = met.join(", ");
                (!met.is_empty()).then(|| say!("against {fleets}"))
            }
            Act::Attack(planet, _) => {
                let ships = odds::enemies(&self.paper, self.view, now.system).next().is_some();
                let calm = self.paper.control(*planet) != Control::Disputed;
                if ships && calm {
                    return Some(say!("enemy ships are there: only when they are gone; E engages"));
                }
                let known = self.view.known.get(&super::state::Spotted::Planet(*planet));
                let marker = self.paper.marker(*planet);
                let marker = marker.map_or_else(|| say!("planet"), |m| m.1.said());
                Some(match known {
                    Some(s) => say!(
                        "{marker} held by {units} ({age})",
                        units = words::counted(&s.units),
                        age = words::age(self.view, s)
                    ),
                    None if self.paper.control(*planet) == Control::Disputed => {
                        say!("the fight goes on")
                    }
                    None => say!("{marker}; its units are unknown"),
                })
            }
            _ => None,
        }
    }

    /// The chance that scouts stay unseen, by the destroyers that are known there.
    fn unseen(&self, at: System) -> String {
        let destroyers: usize = odds::enemies(&self.paper, self.view, at)
            .filter_map(|(_, s)| s)
            .map(|s| s.units.iter().filter(|u| u.kind == Kind::DD).count())
            .sum();
        // Two dice and so many destroyers make 10 at most.
        let ways: usize =
            (1..=6).map(|a: usize| (1..=6).filter(|b| a + b + destroyers <= 10).count()).sum();
        count!(
            destroyers,
            "undetected in {ways} of 36 rolls, with {destroyers} destroyers known there"
        )
    }

    fn battle(&mut self, now: &Now, fleets: &[u8], at: System) {
        if self.odds.len() >= BATTLES {
            return;
        }
        let numbers = words::joined(fleets.iter().map(u8::to_string));
        let called = self.view.board.galaxy.called(at);
        let mut paper = self.trials.take().unwrap_or_else(|| Paper::of(self.view));
        let line = match paper.battle(&self.paper, self.view, fleets, at, TRIALS) {
            None => count!(
                n = fleets.len(),
                "Fleet {numbers} at {called}: not all that is there is known, so no odds.",
                "Fleets {numbers} at {called}: not all that is there is known, so no odds."
            ),
            Some(odds) => {
                let (own, other) = (odds.lost[now.side.i()], odds.lost[now.side.other().i()]);
                let odds_of = count!(
                    n = fleets.len(),
                    "Fleet {numbers} at {called}, {TRIALS} battles on paper with your standing orders \
                     and the enemy's usual ones: won {wins} of 100, losing {own} Resources on average \
                     against {other}.",
                    "Fleets {numbers} at {called}, {TRIALS} battles on paper with your standing orders \
                     and the enemy's usual ones: won {wins} of 100, losing {own} Resources on average \
                     against {other}.",
                    wins = odds.wins
                );
                match odds.major {
                    true => format!("{odds_of} {}", say!("It would be a major battle.")),
                    false => odds_of,
                }
            }
        };
        self.odds.push(line.into());
        self.trials = Some(paper);
    }

    /// Does on paper what is certain.
    fn apply(&mut self, now: &Now, act: &Act) {
        acts::apply(&mut self.paper, now, act);
        let Act::Move(fleets, legs) = act else { return };
        let Ok(path) = acts::path(&self.paper, now.system, legs) else { return };
        let Some(end) = path.last() else { return };
        for fleet in fleets {
            self.paper.fleets.insert((now.side, *fleet), Spot::System(end.to));
            let ships: Vec<UnitId> = self.paper.ships(now.side, *fleet).collect();
            for ship in ships {
                let aboard: Vec<UnitId> = self.paper.aboard(ship).collect();
                for id in aboard.into_iter().chain([ship]) {
                    if let Some(unit) = self.paper.units.get_mut(&id) {
                        unit.moved = true;
                    }
                }
            }
        }
    }

    /// Plan, odds, maintenance and income, as far as they can be told.
    fn forecast(&self, planned: &Planned, open: u8) -> Vec<Section> {
        let view = self.view;
        let mut sections = Vec::new();
        let section = |heading: String, blocks: Vec<Block>| Section { heading, blocks };
        for segment in open..=4 {
            let new = &planned.plans[usize::from(segment) - 1];
            let (plan, old) = match new.is_empty() {
                false => (new, false),
                true => (&view.filed.plans[usize::from(segment) - 1], true),
            };
            let left: Vec<&standing::Block> = plan.iter().filter(|b| !b.used).collect();
            if left.is_empty() {
                continue;
            }
            let lines = (1..).zip(left).map(|(n, b)| {
                let block = words::block(view, b);
                Line::from(match (n, b.cond.is_empty()) {
                    (1, _) => format!("{n}. {block}"),
                    (_, true) => say!("{n}. then {block}"),
                    (_, false) => say!("{n}. else {block}"),
                })
            });
            let heading = match old {
                true => say!("Your plan for segment {segment} in words, on file from before"),
                false => say!("Your plan for segment {segment} in words"),
            };
            sections.push(section(heading, vec![Block::List(lines.collect())]));
        }
        if !self.odds.is_empty() {
            sections.push(section(
                say!("Battles as far as they are known"),
                vec![Block::List(self.odds.clone())],
            ));
        }
        if !matches!(view.scene, Scene::Setup | Scene::Over(_)) {
            let mut blocks = Vec::new();
            if !self.stock.is_empty() {
                blocks.push(Block::List(self.stock.clone()));
            }
            blocks.extend(self.upkeep());
            let heading = say!("Resources, if the plan is carried out and nothing is lost");
            sections.push(section(heading, blocks));
        }
        sections
    }

    /// Maintenance by system at the Close-Out, and the income that follows.
    fn upkeep(&self) -> Vec<Block> {
        let view = self.view;
        let bill = closeout::bill(&self.paper, view.side, &self.standing, self.peace());
        let row = |(at, u): (&Option<System>, &closeout::Upkeep)| {
            let place = at.map_or_else(|| say!("open space"), |s| view.board.galaxy.called(s));
            let unpaid: Vec<String> = u.unpaid.iter().map(|id| id.name.to_string()).collect();
            vec![
                place,
                u.due.to_string(),
                u.pool.to_string(),
                u.stock.to_string(),
                unpaid.join(" "),
            ]
        };
        let rows: Vec<Vec<String>> = bill.systems.iter().map(row).collect();
        let columns = [
            (say!("Maintenance"), Align::Left),
            (say!(upkeep: "Due"), Align::Right),
            (say!("Bases give"), Align::Right),
            (say!("Stockpile"), Align::Right),
            (say!("Without"), Align::Left),
        ];
        let left = self.paper.purses[view.side.i()].stock.saturating_sub(bill.stock);
        let next = court::income(&self.paper, view.side, false, view.clock + 1).total;
        let mut text = say!(
            "Ground units {ground}. Maintenance takes {stock} from the stockpile; {left} are left for \
             repairs and the next turn, which brings about {next}.",
            ground = bill.ground,
            stock = bill.stock
        );
        if !bill.ground_unpaid.is_empty() {
            let units: Vec<String> =
                bill.ground_unpaid.iter().map(|id| id.name.to_string()).collect();
            let told = count!(
                n = units.len(),
                "Without maintenance is {n} ground unit, which rolls for reduction: {units}.",
                "Without maintenance are {n} ground units, each of which rolls for reduction: {units}.",
                units = units.join(" ")
            );
            text = format!("{text} {told}");
        }
        if view.peace.is_none() && view.turn >= TURNS {
            text = format!("{text} {}", say!("It is the last turn of the war."));
        }
        vec![Block::Table(Table::new(columns, rows)), Block::Para(text.into())]
    }
}
