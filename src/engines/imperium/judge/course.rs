//! The plan of a card in a trial run: segment by segment, block by block, in the same order as in
//! the step (§6, §12.3). What is certain is carried out on the board of the echo.

use std::collections::{BTreeMap, BTreeSet};

use engine::Told;
use tongue::{count, say};

use super::super::acts::{self, Now};
use super::super::board::{Board, Control, Place, Spot};
use super::super::galaxy::{Planet, System};
use super::super::kinds::{Kind, Side, UnitId};
use super::super::odds::{self, Paper};
use super::super::orders::{Act, Entry};
use super::super::plan::Planned;
use super::super::standing::{self, What};
use super::super::state::{Pause, Spotted};
use super::super::view::Scene;
use super::super::words;
use super::Judge;
use crate::counters;

/// The most battles for which an echo gives odds, and the number of trials for each.
const BATTLES: usize = 3;
const TRIALS: u32 = 25;

/// Codes of errors that may disappear if things change before the order is carried out.
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

/// Errors that may disappear because an enemy comes or goes. What §14 calls an error stays one.
const BY_ENEMY: [&str; 3] = ["no-enemy", "enemy", "not-disputed"];

/// The index of the order in the card for each line of its plan.
struct Lines {
    /// Lines that begin a block.
    heads: BTreeMap<u32, usize>,
    /// Lines of acts, with their segments.
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

/// The state of a segment's plan in the trial run.
struct Course {
    segment: u8,
    /// Whether everything so far happens as ordered.
    certain: bool,
    /// Whether the blocks so far are carried out, whatever their results.
    taken: bool,
    /// Whether it is the plan on file, which gets no verdicts.
    filed: bool,
    /// The number of activations so far.
    nth: usize,
    /// The activation in which each fleet moves.
    moved: BTreeMap<u8, usize>,
}

/// The acts that are carried out together with the `n`th: all evacuations of the same planet.
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

/// Whether a unit already has a landing above.
fn lands_again(above: &[(u32, Act)], act: &Act) -> bool {
    let Act::Land(name, _) = act else { return false };
    above.iter().any(|(_, a)| matches!(a, Act::Land(other, _) if other == name))
}

impl Judge<'_> {
    /// Judges the plan, segment by segment; what is certain is carried out on the trial board.
    pub(super) fn plan(&mut self, entries: &[Entry], planned: &Planned, open: u8) {
        if matches!(self.view.scene, Scene::Over(_)) {
            for (at, ..) in &planned.acts {
                self.set_verdict(*at, Told::error("over", say!("the game is over")));
            }
            return;
        }
        let lines = Lines::of(entries, planned);
        let view = self.view;
        let in_battle = self.in_battle();
        for segment in 1..=4 {
            let i = usize::from(segment) - 1;
            let new = &planned.plans[i];
            if self.ahead == 0 && (segment < open || in_battle) {
                let note = match in_battle {
                    true => say!("between rounds of a battle only standing orders are taken"),
                    false => say!("segment {segment} is over"),
                };
                self.all(&lines, segment, new, &Told::error("over", note));
            }
            if segment < open {
                continue;
            }
            // If the card has no plan for a segment, the plan on file applies.
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

    /// Whether the game waits between rounds of a battle, when only standing orders are accepted.
    pub(super) fn in_battle(&self) -> bool {
        matches!(&self.view.scene, Scene::Action(a) if a.pause == Pause::Round)
    }

    /// Gives all lines of a segment the same verdict.
    fn all(&mut self, lines: &Lines, segment: u8, plan: &[standing::Block], told: &Told) {
        for block in plan {
            let acts = match &block.what {
                What::Activate(_, acts) => acts.as_slice(),
                _ => &[],
            };
            let acts = acts.iter().map(|(line, _)| lines.acts.get(&(*line, segment)));
            for at in acts.chain([lines.heads.get(&block.line)]).flatten() {
                self.set_verdict(*at, told.clone());
            }
        }
    }

    /// Begins a segment on the trial board: no unit has moved, and fleets in open space advance.
    fn begin(&mut self, course: &mut Course, open: u8) {
        // A battle of advancing fleets comes before the dice of initiative.
        let begun = matches!(&self.view.scene, Scene::Action(a) if a.rolled) || self.in_battle();
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

    /// Judges the blocks of a segment in the order in which they are carried out: always the first
    /// block of which something is possible (§12.3).
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
                    self.set_verdict(head, Told::ok(say!("if {condition}")));
                }
            }
            match &block.what {
                What::Halt => {}
                // After a pass, the other side may pass, too, which ends the segment.
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
            self.set_verdict(head, Told::warning("peace", say!("it is peace")));
        } else if nth > most {
            self.set_verdict(head, Told::remark(say!("a segment has at most {most} HALT")));
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

    /// Whether a block is passed over for now, until something of it is possible.
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
                self.set_verdict(
                    head,
                    Told::warning("empty", say!("nothing to do: orders go below it")),
                );
            } else if !here {
                self.set_verdict(head, nobody.clone());
            } else if course.certain && course.nth > most {
                let note = count!(
                    n = most,
                    "only if one above falls out: there is {n} activation at most",
                    "only if one above falls out: there are {n} activations at most"
                );
                self.set_verdict(head, Told::warning("activations", note));
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
                    (true, Ok(())) => {
                        let told = self.act(&now, act, course, (sure, firm));
                        told.map(|told| self.with_landing(told, &now, acts, act))
                    }
                };
                let fine = done.is_ok();
                let told = done.unwrap_or_else(|told| told);
                if let Some(at) = lines.acts.get(&(*line, course.segment)).filter(|_| !course.filed)
                {
                    self.set_verdict(*at, told);
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

    /// The most activations of the side in a segment; before the roll, the highest number of a die.
    fn most(&self) -> usize {
        match &self.view.scene {
            Scene::Action(open) if open.rolled => open.left[self.view.side.i()].into(),
            _ => 6,
        }
    }

    /// Whether nobody acts before this activation.
    fn acts_next(&self, course: &Course) -> bool {
        let turn = matches!(&self.view.scene, Scene::Action(a) if a.pause == Pause::Turn);
        turn && self.view.awaited() && self.ahead == 0 && course.nth == 1
    }

    /// Whether a fleet may meet an enemy in a system: a fleet, a marker or units on planets.
    fn may_meet(&self, at: System) -> bool {
        !self.peace()
            && !self.paper.court.talks
            && (self.paper.occupied(self.view.side.other(), at)
                || self.view.seen_planets().iter().any(|p| p.system == at))
    }

    /// Whether the result of an order depends on the enemy or on dice.
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

    /// Judges an act. Errors that are not certain become warnings. `sure` is whether everything
    /// above happens as ordered, `firm` whether it is at least carried out.
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
        let stays = !BY_ENEMY.contains(&told.code) || self.peace() || self.acts_next(course);
        // A unit that has moved stays moved, whatever the result.
        let holds = sure && stays || firm && ["moved", "arrived"].contains(&told.code);
        Err(match !holds && MAY_CHANGE.contains(&told.code) {
            true => Told::warning(told.code, say!("as things stand: {note}", note = told.note)),
            false => told,
        })
    }

    /// Adds who lands in an attack if the block has no landings: all troops aboard.
    fn with_landing(&self, told: Told, now: &Now, acts: &[(u32, Act)], act: &Act) -> Told {
        let Act::Attack(planet, None) = act else { return told };
        let named = acts.iter().any(|(_, act)| matches!(act, Act::Land(..)));
        let board = &self.paper;
        let ships = odds::enemies(board, self.view, now.system).next().is_some();
        if named || ships || board.control(*planet) == Control::Disputed {
            return told;
        }
        let still = |fleet: &u8| {
            board.ships(now.side, *fleet).all(|s| board.units.get(&s).is_some_and(|u| !u.moved))
        };
        let fleets = board.fleets_in(now.side, now.system).filter(still);
        let aboard = fleets.flat_map(|f| board.ships(now.side, f)).flat_map(|s| board.aboard(s));
        let troops =
            aboard.filter(|id| id.kind().is_troops() && counters::fits(board, id.kind(), *planet));
        let troops: Vec<String> = troops.map(|id| id.name.to_string()).collect();
        let lands = match troops.is_empty() {
            true => say!("nobody lands, for no troops are aboard"),
            false => say!("without H all troops land: {troops}", troops = words::joined(troops)),
        };
        let note = match told.note.is_empty() {
            true => lands,
            false => format!("{}; {lands}", told.note),
        };
        Told { note, ..told }
    }

    /// The enemies that a move or an attack may meet, as far as they are known.
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
                let known = self.view.known.get(&Spotted::Planet(*planet));
                let marker = self.paper.marker(*planet);
                let marker = marker.map_or_else(|| say!("planet"), |m| m.1.localized());
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

    /// The enemies in a system on the way, as far as they are known.
    fn met(&self, at: System, last: bool, scouts: bool) -> Vec<String> {
        let view = self.view;
        let met: Vec<String> =
            odds::enemies(&self.paper, view, at).map(|(n, _)| words::fleet(view, n)).collect();
        let (system, side) = (at, view.side.other().localized());
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

    /// The chance that scouts stay undetected, given the destroyers known there.
    fn unseen(&self, at: System) -> String {
        let fleets = || odds::enemies(&self.paper, self.view, at);
        let destroyers: usize = fleets()
            .filter_map(|(_, s)| s)
            .map(|s| s.units.iter().filter(|u| u.kind == Kind::DD).count())
            .sum();
        // Scouts stay undetected if two dice plus the number of destroyers make 10 at most.
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
        // All own fleets in the system fight.
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

    /// Carries out an act on the trial board.
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
}
