//! The judgement of a card: what is certain is played on the board that the seat knows (§14).

use std::collections::{BTreeMap, BTreeSet};

use engine::report::{Align, Block, Line, Section, Table};
use engine::{CardText, JudgedLine, Judgement, Mark, Told, press};
use tongue::{count, say};

use super::acts::{self, Now};
use super::admin::{self, Placing, When};
use super::board::{Board, Control, Place, Spot};
use super::closeout;
use super::court;
use super::galaxy::{Planet, System};
use super::kinds::{Kind, Name, Side, UnitId};
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
    let forecast =
        if ahead == 0 { judge.forecast(&entries, &planned, segment) } else { Vec::new() };
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

/// What may come right when things are otherwise by then.
const MAY_CHANGE: [&str; 16] = [
    "elsewhere",
    "moved",
    "no-ships",
    "no-enemy",
    "no-target",
    "arrived",
    "empty",
    "full",
    "box-full",
    "marker",
    "enemy",
    "disputed",
    "not-disputed",
    "no-fleet",
    "not-in-space",
    "fleet-exists",
];

/// Which order of a card each line of its plan is.
struct Lines {
    /// Lines that begin a block.
    heads: BTreeMap<u32, usize>,
    /// Lines of acts with their segments.
    acts: BTreeMap<(u32, u8), usize>,
}

impl Lines {
    fn of(entries: &[Entry], planned: &Planned) -> Self {
        let act = |(at, segment, _): &(usize, u8, usize)| ((entries[*at].line, *segment), *at);
        Self {
            heads: entries.iter().enumerate().map(|(at, e)| (e.line, at)).collect(),
            acts: planned.acts.iter().map(act).collect(),
        }
    }
}

/// How far the plan of a segment has come on paper.
struct Course {
    segment: u8,
    /// Whether all so far comes as it is said.
    certain: bool,
    /// Whether the blocks so far are taken, whatever comes of them.
    taken: bool,
    /// Whether it is the plan on file, of which nothing is said.
    filed: bool,
    /// Activations so far.
    nth: usize,
    /// The activation in which a fleet moves.
    moved: BTreeMap<u8, usize>,
}

/// The acts that are done when it is the turn of the `n`th: all evacuations of a planet at once.
fn together(board: &Board, side: Side, acts: &[(u32, Act)], n: usize) -> Vec<usize> {
    let from = |act: &Act| match act {
        Act::Evacuate(name, _) => match board.units.get(&UnitId { side, name: *name })?.place {
            Place::Surface(planet, _) => Some(planet),
            _ => None,
        },
        _ => None,
    };
    match from(&acts[n].1) {
        None => vec![n],
        first => (n..acts.len()).filter(|m| from(&acts[*m].1) == first).collect(),
    }
}

/// Whether a unit has its landing above.
fn lands_again(above: &[(u32, Act)], act: &Act) -> bool {
    let Act::Land(name, _) = act else { return false };
    above.iter().any(|(_, a)| matches!(a, Act::Land(other, _) if other == name))
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

    /// Orders that stay, letters.
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
                        Told::warning("no-home", note)
                    }
                    None => Told::ok(say!("stays until replaced")),
                }
            }
            Stand::Post(planet, name, _) => {
                let id = UnitId { side, name: *name };
                match self.view.board.units.contains_key(&id) {
                    // It may come yet.
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

    /// The Close-Out, on the board as the plan leaves it.
    fn closing(&mut self, entries: &[Entry]) {
        let mut fixed = BTreeSet::new();
        for (at, entry) in entries.iter().enumerate() {
            let told = match &entry.read {
                Ok(Order::Fix(fixes)) => self.fixes(fixes, &mut fixed),
                Ok(Order::Scrap(names)) => self.scraps(names),
                _ => continue,
            };
            self.say(at, told);
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

    /// What is to be repaired. Nobody knows before the Close-Out what is damaged then, and where:
    /// only a unit that is not there at all can't be.
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
            (None, cost) => {
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
        if matches!(self.view.scene, Scene::Over(_)) {
            for (at, ..) in &planned.acts {
                self.say(*at, Told::warning("over", say!("the game is over")));
            }
            return;
        }
        let lines = Lines::of(entries, planned);
        let view = self.view;
        // Between rounds of a battle only standing orders are asked for.
        let in_battle = matches!(&view.scene, Scene::Action(a) if a.pause == Pause::Round);
        for segment in 1..=4 {
            let i = usize::from(segment) - 1;
            let new = &planned.plans[i];
            if self.ahead == 0 && (segment < open || in_battle) {
                let note = match in_battle {
                    true => say!("between rounds of a battle only standing orders are taken"),
                    false => say!("segment {segment} is over"),
                };
                self.all(&lines, segment, new, &Told::warning("over", note));
            }
            if segment < open {
                continue;
            }
            // Of what the card is silent the plan on file stands.
            let (plan, filed) = match new.is_empty() || in_battle && self.ahead == 0 {
                true => (&view.filed.plans[i], true),
                false => (new, false),
            };
            let halts = plan.iter().any(|b| b.what == What::Halt && !b.used)
                && view.options.halts_max > 0
                && !self.peace();
            let certain = segment == open && self.ahead == 0 && !halts;
            let mut course =
                Course { segment, certain, taken: certain, filed, nth: 0, moved: BTreeMap::new() };
            self.begin(&mut course, open);
            self.segment(&lines, &mut course, plan);
        }
    }

    /// Tells all lines of a segment the same.
    fn all(&mut self, lines: &Lines, segment: u8, plan: &[standing::Block], told: &Told) {
        for block in plan {
            let acts = match &block.what {
                What::Activate(_, acts) => acts.as_slice(),
                _ => &[],
            };
            let acts = acts.iter().map(|(line, _)| lines.acts.get(&(*line, segment)));
            for at in acts.chain([lines.heads.get(&block.line)]).flatten() {
                self.say(*at, told.clone());
            }
        }
    }

    /// A segment begins on paper: nobody has moved, and fleets in open space advance.
    fn begin(&mut self, course: &mut Course, open: u8) {
        let begun = matches!(&self.view.scene, Scene::Action(a) if a.rolled);
        if course.segment == open && begun {
            return;
        }
        for unit in self.paper.units.values_mut() {
            unit.moved = false;
        }
        if course.segment > 1 || self.ahead > 0 {
            return;
        }
        let side = self.view.side;
        let peace = self.peace();
        for (_, fleet) in acts::advance(&mut self.paper, peace, Some(side)) {
            let Some(Spot::Lane { from, to, k, .. }) = self.paper.fleets.get(&(side, fleet)) else {
                continue;
            };
            let (to, there) = (*to, *k >= self.paper.galaxy.lane(*from, *to).unwrap_or(1));
            if there {
                acts::enter(&mut self.paper, side, &[fleet], to);
                course.certain &= !self.may_meet(to);
            }
        }
    }

    /// The blocks of a segment in the order in which they are taken: always the first of which
    /// something can be done (§12.3).
    fn segment(&mut self, lines: &Lines, course: &mut Course, plan: &[standing::Block]) {
        let mut halts = 0;
        let mut later: Vec<&standing::Block> = Vec::new();
        for block in plan.iter().filter(|b| !b.used) {
            let head = lines.heads.get(&block.line).copied().filter(|_| !course.filed);
            if block.what == What::Halt {
                halts += 1;
                self.halt(head, halts);
            }
            if let (Some(head), false) = (head, block.cond.is_empty()) {
                let condition = words::cond(self.view, &block.cond);
                if self.told[head].is_none() {
                    self.say(head, Told::ok(say!("if {condition}")));
                }
            }
            match &block.what {
                What::Halt => {}
                // Who passes may find that the other does so too.
                What::Wait => (course.certain, course.taken) = (false, false),
                What::Activate(..) => match self.waits(course, block) {
                    true => later.push(block),
                    false => {
                        self.block(lines, course, block);
                        while let Some(n) = later.iter().position(|b| !self.waits(course, b)) {
                            let block = later.remove(n);
                            self.block(lines, course, block);
                        }
                    }
                },
            }
        }
        for block in later {
            self.block(lines, course, block);
        }
    }

    fn halt(&mut self, head: Option<usize>, nth: u32) {
        let Some(head) = head else { return };
        let most = self.view.options.halts_max;
        if self.peace() {
            self.say(head, Told::warning("peace", say!("it is peace")));
        } else if nth > most {
            self.say(head, Told::remark(say!("a segment has at most {most} HALT")));
        }
    }

    fn now<'a>(&self, block: &standing::Block, segment: u8, seen: &'a BTreeSet<Planet>) -> Now<'a> {
        let (system, acts) = match &block.what {
            What::Activate(system, acts) => (*system, acts.as_slice()),
            _ => (System(0), &[][..]),
        };
        Now {
            side: self.view.side,
            system,
            segment,
            peace: self.peace(),
            seen,
            target: acts::target(acts),
        }
    }

    /// Whether a block is passed over as things stand, until something of it can be done.
    fn waits(&self, course: &Course, block: &standing::Block) -> bool {
        let What::Activate(_, acts) = &block.what else { return false };
        let sure = course.certain && block.cond.is_empty();
        let seen = self.view.seen_planets();
        sure && !acts::possible(&self.paper, &self.now(block, course.segment, &seen), acts)
    }

    fn block(&mut self, lines: &Lines, course: &mut Course, block: &standing::Block) {
        let What::Activate(system, acts) = &block.what else { return };
        let seen = self.view.seen_planets();
        let now = self.now(block, course.segment, &seen);
        course.nth += 1;
        let conditional = !block.cond.is_empty();
        let here = self.paper.present(now.side, *system);
        let nobody = match course.certain && !conditional {
            true => Told::error("nobody", say!("no units of yours in {system}")),
            false => Told::warning("nobody", say!("no units of yours in {system} as things stand")),
        };
        let head = lines.heads.get(&block.line).copied().filter(|_| !course.filed);
        let most = self.most();
        if let Some(head) = head {
            if acts.is_empty() {
                self.say(head, Told::warning("empty", say!("nothing to do: orders go below it")));
            } else if !here {
                self.say(head, nobody.clone());
            } else if course.certain && course.nth > most {
                let note = count!(
                    n = most,
                    "only if one above falls out: there is {n} activation at most",
                    "only if one above falls out: there are {n} activations at most"
                );
                self.say(head, Told::warning("activations", note));
            }
        }
        course.certain &= course.nth <= most;
        course.taken &= course.nth <= most;
        let mut judged = vec![false; acts.len()];
        for n in 0..acts.len() {
            for m in together(&self.paper, now.side, acts, n) {
                if std::mem::replace(&mut judged[m], true) {
                    continue;
                }
                let (line, act) = &acts[m];
                let sure = course.certain && !conditional;
                let firm = course.taken && !conditional;
                let done = match (here, acts::after(&acts[..n], act)) {
                    (false, _) => Err(nobody.clone()),
                    (true, Err(told)) => Err(told),
                    (true, Ok(())) if lands_again(&acts[..m], act) => {
                        Err(Told::error("again", say!("it has its landing above")))
                    }
                    (true, Ok(())) => self.act(&now, act, course, (sure, firm)),
                };
                let fine = done.is_ok();
                let told = done.unwrap_or_else(|told| told);
                if let Some(at) = lines.acts.get(&(*line, course.segment)).filter(|_| !course.filed)
                {
                    self.say(*at, told);
                }
                if fine && !conditional {
                    course.certain &= !self.may_come_otherwise(&now, act);
                    self.apply(&now, act);
                }
            }
        }
        course.certain &= !conditional;
        course.taken &= !conditional;
    }

    /// Activations that the side can have in a segment: so many pips has a die.
    fn most(&self) -> usize {
        match &self.view.scene {
            Scene::Action(open) if open.rolled => open.left[self.view.side.i()].into(),
            _ => 6,
        }
    }

    /// Whether somebody may be met in a system: an enemy fleet, or what stands on his planets.
    fn may_meet(&self, at: System) -> bool {
        !self.peace()
            && !self.paper.court.talks
            && (self.paper.occupied(self.view.side.other(), at)
                || self.view.seen_planets().iter().any(|p| p.system == at))
    }

    /// Whether what comes of an order depends on the enemy or on dice.
    fn may_come_otherwise(&self, now: &Now, act: &Act) -> bool {
        match act {
            Act::Move(_, legs) => acts::path(&self.paper, now.system, legs)
                .is_ok_and(|path| path.iter().any(|l| self.may_meet(l.to))),
            Act::Space(_, Some(to)) => {
                self.paper.galaxy.lane(now.system, *to) == Some(1) && self.may_meet(*to)
            }
            Act::Engage | Act::Attack(..) | Act::Evacuate(..) => true,
            _ => false,
        }
    }

    /// Judges an act; errors that are not certain become warnings. `sure` is whether all above
    /// comes as it is said, `firm` whether it is at least done.
    fn act(
        &mut self,
        now: &Now,
        act: &Act,
        course: &mut Course,
        (sure, firm): (bool, bool),
    ) -> Result<Told, Told> {
        let told = match acts::check(&self.paper, now, act) {
            Ok(told) => {
                if let Act::Move(fleets, _) = act {
                    course.moved.extend(fleets.iter().map(|f| (*f, course.nth)));
                }
                let note = self.outlook(now, act).unwrap_or(told.note);
                return Ok(Told::ok(match (sure, note.is_empty()) {
                    (true, _) => note,
                    (false, true) => say!("if it still applies"),
                    (false, false) => say!("if it still applies: {note}"),
                }));
            }
            Err(told) => told,
        };
        let earlier = match act {
            Act::Move(fleets, _) => {
                fleets.iter().find_map(|f| course.moved.get(f).map(|nth| (*f, *nth)))
            }
            _ => None,
        };
        if let Some((fleet, nth)) = earlier {
            let note = match nth {
                1 => say!("fleet {fleet} moves in your 1st activation"),
                2 => say!("fleet {fleet} moves in your 2nd activation"),
                3 => say!("fleet {fleet} moves in your 3rd activation"),
                n => say!("fleet {fleet} moves in your {n}th activation"),
            };
            return Err(match firm {
                true => Told::error("moved", note),
                false => Told::warning("moved", note),
            });
        }
        // Who has moved has moved, whatever has come of it.
        let holds = sure || firm && ["moved", "arrived"].contains(&told.code);
        Err(match !holds && MAY_CHANGE.contains(&told.code) {
            true => Told::warning(told.code, say!("as things stand: {note}", note = told.note)),
            false => told,
        })
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
                    notes.extend(self.met(leg.to, leg.to == end, scouts));
                }
                if !scouts && odds::enemies(&self.paper, self.view, end).next().is_some() {
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

    /// Who is met in a system on the way, as far as it is known.
    fn met(&self, at: System, last: bool, scouts: bool) -> Vec<String> {
        let view = self.view;
        let met: Vec<String> =
            odds::enemies(&self.paper, view, at).map(|(n, _)| words::fleet(view, n)).collect();
        let (system, side) = (at, view.side.other().said());
        let fleets = met.join(", ");
        let mut notes = Vec::new();
        match (met.is_empty(), scouts) {
            (false, false) if !last => {
                notes.push(say!("in {system} {side} {fleets} – warships there stop it"));
            }
            (false, _) => notes.push(say!("in {system} {side} {fleets}")),
            (true, false) if self.may_meet(at) => {
                notes.push(say!("in {system} perhaps monitors or fighters of the enemy"));
            }
            _ => {}
        }
        if scouts && self.paper.occupied(view.side.other(), at) {
            notes.push(self.unseen(at));
        }
        notes
    }

    /// The chance that scouts stay unseen, by the destroyers that are known there.
    fn unseen(&self, at: System) -> String {
        let fleets = || odds::enemies(&self.paper, self.view, at);
        let destroyers: usize = fleets()
            .filter_map(|(_, s)| s)
            .map(|s| s.units.iter().filter(|u| u.kind == Kind::DD).count())
            .sum();
        // Two dice and so many destroyers make 10 at most.
        let ways: usize =
            (1..=6).map(|a: usize| (1..=6).filter(|b| a + b + destroyers <= 10).count()).sum();
        match fleets().any(|(_, s)| s.is_none()) {
            true => count!(
                destroyers,
                "undetected in {ways} of 36 rolls in {system} at best, with {destroyers} destroyer known there",
                "undetected in {ways} of 36 rolls in {system} at best, with {destroyers} destroyers known there",
                system = at
            ),
            false => count!(
                destroyers,
                "undetected in {ways} of 36 rolls in {system}, with {destroyers} destroyer known there",
                "undetected in {ways} of 36 rolls in {system}, with {destroyers} destroyers known there",
                system = at
            ),
        }
    }

    fn battle(&mut self, now: &Now, fleets: &[u8], at: System) {
        if self.odds.len() >= BATTLES {
            return;
        }
        // All fleets that are there fight.
        let there = self.paper.fleets_in(now.side, at);
        let all: BTreeSet<u8> = fleets.iter().copied().chain(there).collect();
        let fleets: Vec<u8> = all.into_iter().collect();
        let numbers = words::joined(fleets.iter().map(u8::to_string));
        let called = self.view.board.galaxy.called(at);
        let mut paper = self.trials.take().unwrap_or_else(|| Paper::with_planets(self.view));
        let line = match paper.battle(&self.paper, (self.view, &self.standing), &fleets, at, TRIALS)
        {
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
        let side = now.side;
        match act {
            Act::Move(fleets, legs) => {
                let Ok(path) = acts::path(&self.paper, now.system, legs) else { return };
                let Some(end) = path.last() else { return };
                acts::enter(&mut self.paper, side, fleets, end.to);
            }
            Act::Space(fleet, Some(to)) if self.paper.galaxy.lane(now.system, *to) == Some(1) => {
                acts::enter(&mut self.paper, side, &[*fleet], *to);
            }
            Act::Evacuate(unit, carrier) => {
                self.paper.put(UnitId { side, name: *unit }, Place::Aboard(*carrier));
            }
            _ => {}
        }
    }

    /// Plan, odds, maintenance and income, as far as they can be told.
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
            let (plan, old) = match new.is_empty() {
                false => (new, false),
                true => (&view.filed.plans[usize::from(segment) - 1], true),
            };
            // What is wrong is not done.
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
