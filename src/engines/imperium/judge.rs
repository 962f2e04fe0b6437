//! The judgement of a card: everything certain is carried out on the board that the seat knows
//! (§14).

mod course;

use std::collections::{BTreeMap, BTreeSet};

use engine::report::{Align, Block, Line, Section, Table, bind, bound};
use engine::{CardText, Cards, JudgedLine, Judgement, MapPicture, Mark, Told, Topic, press};
use tongue::{count, say};

use super::acts;
use super::admin::{self, Placing, When};
use super::board::Board;
use super::closeout;
use super::court;
use super::galaxy::System;
use super::kinds::{Name, Side, UnitId};
use super::odds::Paper;
use super::orders::{self, Act, Entry, Fix, Order, Stand};
use super::plan::{self, Planned};
use super::standing::{self, What};
use super::state::{Pause, TURNS};
use super::tables::Tempo;
use super::view::{Scene, View};
use super::words;
use crate::state::State;
use crate::{Imperium, picture};

impl Cards for Imperium {
    fn starts_order(line: &str) -> bool {
        orders::starts_order(line)
    }

    fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
        let mut judged = judge(view, card, ahead);
        judged.lines.iter_mut().for_each(|l| l.note = bound(&l.note));
        judged.forecast.iter_mut().for_each(|s| bind(&mut s.blocks));
        judged
    }

    fn press(_: Option<&State>) -> bool {
        true
    }

    fn help(_: Option<&State>) -> Vec<Topic> {
        orders::help()
    }

    fn sketch(view: &View, card: &CardText) -> Option<MapPicture> {
        picture::sketch(view, &moves(view, card))
    }
}

/// Judges a card for the open step, or for the step that is `ahead` steps later.
pub fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
    let entries = orders::read(&view.board, view.side, card);
    let (judge, planned, segment) = examined(view, &entries, ahead);
    let right = (0..entries.len()).all(|at| !judge.is_wrong(&entries, at));
    let acts = entries.iter().any(|e| matches!(e.read, Ok(Order::Activate(..) | Order::Wait(_))));
    let mine = matches!(&view.scene, Scene::Action(open)
        if open.pause == Pause::Turn && open.to_act == view.side);
    let forecast =
        if ahead == 0 { judge.forecast(&entries, &planned, segment) } else { Vec::new() };
    let lines = lines(card, &entries, &judge.told);
    // In the tempo of activations, an activation is carried out as soon as it is sent.
    let ready = ahead == 0 && mine && right && acts;
    Judgement { lines, forecast, seals: Vec::new(), ready }
}

/// The moves of fleets by a card, system by system. Lines with an error are left out.
pub fn moves(view: &View, card: &CardText) -> Vec<(System, System)> {
    let entries = orders::read(&view.board, view.side, card);
    let (judge, planned, _) = examined(view, &entries, 0);
    let mut moves = Vec::new();
    if judge.in_battle() {
        return moves;
    }
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

/// Judges all lines: the verdicts, the plans that they make, and the segment of lines without
/// `SEG`.
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
    for (at, entry) in entries.iter().enumerate() {
        let Ok(Order::Stand(stand)) = &entry.read else { continue };
        if !judge.standing.has_room(stand, limits.hexes) {
            let note = say!("a planet has at most {posts} J lines", posts = limits.hexes);
            judge.told[at] = Some(Told::error("too-many", note));
        }
        judge.standing.set(stand, limits.hexes);
    }
    for (at, told) in &planned.faults {
        judge.told[*at] = Some(told.clone());
    }
    judge.others(entries);
    judge.administration(entries);
    judge.plan(entries, &planned, segment);
    judge.closing(entries);
    (judge, planned, segment)
}

/// The marks of all lines. A line without an order is a remark; lines of messages are included.
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
    /// The verdict on each order; `None`: it is fine.
    told: Vec<Option<Told>>,
    /// The trial board, as the card changes it.
    paper: Board,
    odds: Vec<Line>,
    /// The board for trial battles.
    trials: Option<Paper>,
    /// The cost of construction.
    stock: Vec<Line>,
    /// Standing orders, with those of the card.
    standing: standing::Standing,
}

impl Judge<'_> {
    fn is_wrong(&self, entries: &[Entry], at: usize) -> bool {
        entries[at].read.is_err() || self.told[at].as_ref().is_some_and(|t| t.mark == Mark::Error)
    }

    fn peace(&self) -> bool {
        self.view.peace.is_some()
    }

    fn set_verdict(&mut self, at: usize, told: Told) {
        let error = self.told[at].as_ref().is_some_and(|t| t.mark == Mark::Error);
        if !error {
            self.told[at] = Some(told);
        }
    }

    /// Judges standing orders, appeals and messages.
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
                Order::Press(block) => {
                    let limits = &self.view.board.tables.limits;
                    let fits = (limits.letter_lines, limits.letter_columns);
                    let seats = Side::BOTH.into_iter().map(Side::seat);
                    match press::letter(block, self.view.seat, seats, fits) {
                        Ok((_, told)) | Err(told) => told,
                    }
                }
                Order::Segment(n) if self.ahead == 0 && *n < self.view.segment() => {
                    Told::error("over", say!("segment {n} is over"))
                }
                _ => continue,
            };
            self.set_verdict(at, told);
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
                        Told::warning("no-home", note)
                    }
                    None => Told::ok(say!("stays until replaced")),
                }
            }
            Stand::Post(planet, name, _) => {
                let id = UnitId { side, name: *name };
                match self.view.board.units.contains_key(&id) {
                    // The unit may still appear.
                    false => Told::warning("no-unit", acts::no_unit(*name).note),
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
            Stand::Stock(_)
            | Stand::Priority(_)
            | Stand::Skip(_)
            | Stand::Retreat(..)
            | Stand::Removal(_)
            | Stand::First(false)
            | Stand::FightersJoin(_)
            | Stand::Scouts(_)
            | Stand::Truce(false) => Told::ok(say!("stays until replaced")),
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

    /// Judges the orders of the Close-Out, on the board as the plan leaves it.
    fn closing(&mut self, entries: &[Entry]) {
        let mut fixed = BTreeSet::new();
        for (at, entry) in entries.iter().enumerate() {
            let told = match &entry.read {
                Ok(Order::Fix(fixes)) => self.fixes(fixes, &mut fixed),
                Ok(Order::Scrap(names)) => self.scraps(names),
                _ => continue,
            };
            self.set_verdict(at, told);
        }
    }

    fn scraps(&self, names: &[Name]) -> Told {
        let wrong = names.iter().find_map(|name| {
            let id = UnitId { side: self.view.side, name: *name };
            closeout::scrap_value(&self.paper, id).err()
        });
        match wrong {
            Some(why) => Told::warning("scrap", say!("as things stand {why}")),
            None => Told::ok(say!("at the Close-Out, if it is so then")),
        }
    }

    /// Judges repairs. Damage at the Close-Out is not known in advance, so it is an error only if
    /// the units do not exist at all.
    fn fixes(&self, fixes: &[Fix], fixed: &mut BTreeSet<Name>) -> Told {
        let (board, side) = (&self.paper, self.view.side);
        let id = |name| UnitId { side, name };
        let (mut cost, mut wrong) = (0, None);
        let missing = |name: &Name| !board.units.contains_key(&id(*name));
        let absent = |fix: &Fix| match fix {
            Fix::All => None,
            Fix::Unit(name) => Some(*name).filter(missing),
            Fix::Pair(a, b) => [*a, *b].into_iter().find(missing),
        };
        let gone: Vec<Name> = fixes.iter().filter_map(absent).collect();
        if let (Some(name), true) = (gone.first(), gone.len() == fixes.len()) {
            return acts::no_unit(*name);
        }
        for fix in fixes {
            let why = match fix {
                Fix::All => continue,
                Fix::Unit(name) => match closeout::repair_cost(board, id(*name), self.peace()) {
                    Ok(each) => {
                        cost += if fixed.insert(*name) { each } else { 0 };
                        continue;
                    }
                    Err(why) => why,
                },
                Fix::Pair(a, b) => match closeout::can_pair(board, id(*a), id(*b)) {
                    Ok(()) => continue,
                    Err(why) => why,
                },
            };
            wrong = wrong.or(Some(why));
        }
        match (wrong, cost) {
            (Some(why), _) => Told::warning("fix", say!("as things stand {why}")),
            (None, 0) => Told::ok(say!("at the Close-Out, from what the stockpile holds then")),
            (None, cost) => Told::ok(count!(
                cost,
                "{cost} Resource at the Close-Out, if it is there then",
                "{cost} Resources at the Close-Out, if they are there then"
            )),
        }
    }

    /// Judges reinforcements and construction, in their order (§5.4, §5.5).
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
            self.set_verdict(at, told);
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

    /// The forecast: plan, odds, maintenance and income, as far as they are known.
    fn forecast(&self, entries: &[Entry], planned: &Planned, open: u8) -> Vec<Section> {
        let view = self.view;
        let wrong: BTreeSet<(u32, u8)> = planned
            .acts
            .iter()
            .filter(|(at, ..)| self.is_wrong(entries, *at))
            .map(|(at, segment, _)| (entries[*at].line, *segment))
            .collect();
        let mut sections = Vec::new();
        let section = |heading: String, blocks: Vec<Block>| Section { heading, blocks };
        for segment in open..=4 {
            let new = &planned.plans[usize::from(segment) - 1];
            // Plans are not accepted between rounds of a battle.
            let (plan, old) = match new.is_empty() || self.in_battle() {
                false => (new, false),
                true => (&view.filed.plans[usize::from(segment) - 1], true),
            };
            // Orders with an error are not carried out.
            let right = |b: &standing::Block| match &b.what {
                What::Activate(system, acts) if !old && !acts.is_empty() => {
                    let fine = |a: &&(u32, Act)| !wrong.contains(&(a.0, segment));
                    let acts: Vec<_> = acts.iter().filter(fine).cloned().collect();
                    let what = What::Activate(*system, acts.clone());
                    (!acts.is_empty()).then(|| standing::Block { what, ..b.clone() })
                }
                _ => Some(b.clone()),
            };
            let left: Vec<standing::Block> =
                plan.iter().filter(|b| !b.used).filter_map(right).collect();
            if left.is_empty() {
                continue;
            }
            let lines = (1..).zip(&left).map(|(n, b)| {
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
            sections.push(Section::new(heading, vec![Block::List(lines.collect())]));
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
            sections.push(Section::new(heading, blocks));
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
