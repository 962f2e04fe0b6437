//! One step: cards are filed, then the game goes on until cards are needed again (§6, §12).

use std::collections::{BTreeMap, BTreeSet};

use engine::{CardText, Dice, Input, Seat, Sits, Stepped, press};
use tongue::say;

use super::acts::{self, Now};
use super::admin::{self, Placing, When};
use super::board::Spot;
use super::event::{Event, Part, What};
use super::fire::die;
use super::galaxy::System;
use super::kinds::{Side, UnitId};
use super::orders::{self, Act, Order, act_text};
use super::plan;
use super::run::Run;
use super::space::Battle;
use super::standing;
use super::state::{Action, Current, End, Pause, Stage, State, Why};
use super::tables::Tempo;

/// Runs the open step.
pub fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Event> {
    let mut run = Run { state, dice, events: Vec::new(), part: Part::Administration };
    if !matches!(run.state.stage, Stage::Over(_)) {
        run.part = match run.state.action() {
            Some(action) => Part::Segment(action.segment),
            None => Part::Administration,
        };
        let orders = run.file(input);
        run.leavers(input);
        run.proceed(orders);
    }
    run.state.step += 1;
    Stepped::new(run.state, run.events)
}

/// Lines of a card that are done at once: administration.
type AtOnce = Vec<(u32, Order)>;

impl Run<'_> {
    /// Takes the cards in: standing orders, plans, letters. What is for now comes back.
    fn file(&mut self, input: &Input) -> [AtOnce; 2] {
        Side::BOTH.map(|side| match input.cards.get(&side.seat()) {
            Some(card) => self.file_card(side, card),
            None => Vec::new(),
        })
    }

    fn file_card(&mut self, side: Side, card: &CardText) -> AtOnce {
        let entries = orders::read(&self.state.board, side, card);
        let limits = self.state.board.tables.limits;
        let open = self.state.segment();
        let planned = plan::assemble(&entries, open, false, &limits);
        // Between rounds of a battle only standing orders are asked for.
        let in_battle = self.state.action().is_some_and(|a| a.pause == Pause::Round);
        let peace = self.state.peace.is_some();
        let filed = &mut self.state.filed[side.i()];
        for (n, blocks) in planned.plans.into_iter().enumerate() {
            if !blocks.is_empty() && n + 1 >= usize::from(open) && !in_battle {
                filed.plans[n] = blocks;
            }
        }
        let mut at_once = Vec::new();
        let mut letters = Vec::new();
        let (mut appeals, mut fixes, mut scraps) = (Vec::new(), Vec::new(), Vec::new());
        for entry in entries {
            let Ok(order) = entry.read else { continue };
            match order {
                Order::Build(..) | Order::Place(..) | Order::Terraform(_) | Order::Upgrade(_) => {
                    at_once.push((entry.line, order));
                }
                Order::Appeal(what, cond) => appeals.push((what, cond)),
                Order::Fix(list) => fixes.extend(list),
                Order::Scrap(list) => scraps.extend(list),
                Order::Stand(stand) => {
                    let imperial =
                        matches!(stand, orders::Stand::Homes(_) | orders::Stand::Removal(_));
                    if !imperial || side == Side::Imperial {
                        filed.standing.set(&stand, limits.hexes);
                    }
                }
                Order::Press(block) => letters.push(block),
                Order::Segment(_)
                | Order::Activate(..)
                | Order::Wait(_)
                | Order::Halt(_)
                | Order::Act(_) => {}
            }
        }
        if !appeals.is_empty() && side == Side::Imperial && !peace {
            filed.appeals = appeals;
        }
        if !fixes.is_empty() || !scraps.is_empty() {
            (filed.fixes, filed.scraps) = (fixes, scraps);
        }
        let fits = (limits.letter_lines, limits.letter_columns);
        let seats = || Side::BOTH.into_iter().map(Side::seat);
        for block in letters {
            if let Ok((letter, _)) = press::letter(&block, side.seat(), seats(), fits) {
                self.tell_to(side.other(), What::Letter(letter));
            }
        }
        at_once
    }

    /// A seat that nobody plays any longer has lost (§10).
    fn leavers(&mut self, input: &Input) {
        for side in Side::BOTH {
            self.state.left[side.i()] = input.sits(Seat(side as u8 + 1)) == Sits::Left;
        }
        let end = match self.state.left {
            [false, false] => return,
            [true, true] => End { winner: None, why: Why::Left },
            [true, false] => End { winner: Some(Side::Imperial), why: Why::Left },
            [false, true] => End { winner: Some(Side::Terran), why: Why::Left },
        };
        self.end_war(end);
    }

    fn proceed(&mut self, orders: [AtOnce; 2]) {
        match &mut self.state.stage {
            Stage::Setup => self.set_up(orders),
            Stage::Administration => {
                self.administration(orders);
                self.state.stage = Stage::Action(Box::new(Action::new(1)));
                self.go();
            }
            Stage::Action(_) => self.go(),
            Stage::Over(_) => {}
        }
    }

    /// The set-up: both place what they have, unseen by the other (§4).
    fn set_up(&mut self, orders: [AtOnce; 2]) {
        for (side, lines) in Side::BOTH.into_iter().zip(orders) {
            for (line, order) in lines {
                let Order::Place(piece, goal) = order else { continue };
                if let Err(told) = admin::set_up(self.board(), side, piece, goal) {
                    self.tell_to(side, What::NotDone(line, told.note));
                }
            }
        }
        self.state.turn = 1;
        self.state.clock = 1;
        self.state.stage = Stage::Administration;
        self.begin_turn();
    }

    /// Reinforcements and construction (§5.4, §5.5).
    fn administration(&mut self, orders: [AtOnce; 2]) {
        let when = When { turn: self.state.clock, peace: self.state.peace.is_some() };
        for (side, lines) in Side::BOTH.into_iter().zip(orders) {
            let mut placing = Placing::default();
            let (places, others): (AtOnce, AtOnce) =
                lines.into_iter().partition(|(_, o)| matches!(o, Order::Place(..)));
            for (line, order) in places {
                let Order::Place(piece, goal) = order else { continue };
                let done = placing.place(self.board(), side, piece, goal);
                self.done(side, line, done);
            }
            let placed = placing.rest(self.board(), side);
            if !placed.is_empty() {
                let names: Vec<String> = placed.iter().map(|id| id.name.to_string()).collect();
                let units = names.join(", ");
                self.say_to(side, say!("Placed by the robot: {units}."));
            }
            // A fleet that an order opened and nothing joined is none.
            self.board().sweep();
            for (line, order) in others {
                let done = match order {
                    Order::Build(kind, n) => {
                        let done = admin::build(self.board(), side, kind, n, when);
                        done.map(|told| {
                            let (order, note) = (kind.code(), told.note);
                            engine::Told { note: say!("{order}: {note}"), ..told }
                        })
                    }
                    Order::Terraform(planet) => admin::terraform(self.board(), side, planet, when),
                    Order::Upgrade(planet) => admin::upgrade(self.board(), side, planet, when),
                    _ => continue,
                };
                self.done(side, line, done);
            }
        }
    }

    fn done(&mut self, side: Side, line: u32, done: Result<engine::Told, engine::Told>) {
        match done {
            Ok(told) => self.say_to(side, say!("Line {line}: {note}.", note = told.note)),
            Err(told) => self.tell_to(side, What::NotDone(line, told.note)),
        }
    }

    /// Goes on until cards are needed.
    fn go(&mut self) {
        let Some(action) = self.action() else { return };
        // The card that was asked for is here.
        let mut asked = action.pause == Pause::Turn;
        action.pause = Pause::None;
        loop {
            let Some(action) = self.action() else { return };
            let segment = action.segment;
            if action.battle.is_some() {
                self.part = Part::Segment(segment);
                if self.fight() {
                    return;
                }
            } else if !action.advance.is_empty() {
                let (side, fleet) = action.advance.remove(0);
                // All in open space advance: seat 1 counts as the moving side.
                self.advance(side, fleet, Side::Terran);
            } else if action.current.is_some() {
                self.next_act();
            } else if !action.begun {
                self.begin_segment(segment);
            } else if !action.rolled {
                self.roll();
            } else if action.passes >= 2 || action.left == [0, 0] {
                if self.end_segment(segment) {
                    return;
                }
                asked = false;
            } else if self.turn_of_a_side(&mut asked) {
                return;
            }
        }
    }

    fn begin_segment(&mut self, segment: u8) {
        self.part = Part::Segment(segment);
        for unit in self.state.board.units.values_mut() {
            unit.moved = false;
        }
        let mut advance = Vec::new();
        if segment == 1 {
            let peace = self.state.peace.is_some();
            advance = acts::advance(&mut self.state.board, peace, None);
        }
        if let Some(action) = self.action() {
            action.begun = true;
            action.advance = advance;
        }
    }

    fn roll(&mut self) {
        let civil_war = self.state.board.court.civil_war;
        let Some(action) = self.action() else { return };
        let segment = action.segment;
        self.dice.at([u32::from(segment)]);
        let dice = [die(self.dice, "initiative"), die(self.dice, "initiative")];
        let result = [dice[0], dice[1] - u8::from(civil_war)];
        self.tell(What::Initiative(dice, civil_war));
        let Some(action) = self.action() else { return };
        action.rolled = true;
        match result[0].cmp(&result[1]) {
            std::cmp::Ordering::Equal => action.passes = 2,
            std::cmp::Ordering::Greater => (action.left, action.to_act) = (result, Side::Terran),
            std::cmp::Ordering::Less => (action.left, action.to_act) = (result, Side::Imperial),
        }
    }

    /// A side acts or passes. True: cards are needed first.
    fn turn_of_a_side(&mut self, asked: &mut bool) -> bool {
        let tempo = self.state.options.tempo;
        let war = self.state.peace.is_none();
        let Some(action) = self.action() else { return true };
        let side = action.to_act;
        if action.left[side.i()] == 0 {
            action.passes += 1;
            action.to_act = side.other();
            return false;
        }
        if tempo == Tempo::Activation && war && !*asked {
            action.pause = Pause::Turn;
            return true;
        }
        *asked = false;
        if self.halts(side) {
            return true;
        }
        self.choose(side);
        false
    }

    /// Whether a `HALT` of a side stops the segment now.
    fn halts(&mut self, side: Side) -> bool {
        let most = self.state.options.halts_max;
        let Some(action) = self.state.action() else { return false };
        let (segment, had) = (usize::from(action.segment) - 1, action.halts[side.i()]);
        if had >= most || self.state.peace.is_some() {
            return false;
        }
        let plan = &self.state.filed[side.i()].plans[segment];
        let halt = plan
            .iter()
            .position(|b| !b.used && b.what == standing::What::Halt && self.holds(side, &b.cond));
        let Some(at) = halt else { return false };
        let line = plan[at].line;
        self.state.filed[side.i()].plans[segment][at].used = true;
        if let Some(action) = self.action() {
            action.halts[side.i()] += 1;
            action.pause = Pause::Halt(side);
        }
        self.say(say!("{who} halts the segment.", who = side.who()));
        self.say_to(side, say!("Your line {line} halted it."));
        true
    }

    /// The first block that can be done begins, or the side passes (§12.3).
    fn choose(&mut self, side: Side) {
        let Some(action) = self.state.action() else { return };
        let segment = action.segment;
        let plan = &self.state.filed[side.i()].plans[usize::from(segment) - 1];
        let fits = |b: &standing::Block| {
            !b.used
                && self.holds(side, &b.cond)
                && match &b.what {
                    standing::What::Wait => true,
                    standing::What::Halt => false,
                    standing::What::Activate(system, acts) => {
                        self.possible(side, *system, segment, acts)
                    }
                }
        };
        let chosen = plan.iter().position(fits);
        let what = chosen.map(|at| {
            let block = &mut self.state.filed[side.i()].plans[usize::from(segment) - 1][at];
            block.used = true;
            block.what.clone()
        });
        let other = side.other();
        match what {
            Some(standing::What::Activate(system, acts)) => {
                let Some(action) = self.action() else { return };
                action.left[side.i()] -= 1;
                action.done[side.i()] += 1;
                action.passes = 0;
                action.to_act = other;
                action.current = Some(Current { side, system, acts, at: 0 });
                let number = action.done[side.i()];
                self.tell(What::Activated(side, number, system));
            }
            _ => {
                let Some(action) = self.action() else { return };
                action.passes += 1;
                action.to_act = other;
                self.tell(What::Passed(side));
            }
        }
    }

    /// Whether a block can be begun.
    fn possible(&self, side: Side, system: System, segment: u8, acts: &[(u32, Act)]) -> bool {
        let none = BTreeSet::new();
        let now = self.now(side, system, segment, acts::target(acts), &none);
        acts::possible(&self.state.board, &now, acts)
    }

    /// The next order of the activation that is under way.
    fn next_act(&mut self) {
        let Some(action) = self.action() else { return };
        let segment = action.segment;
        let Some(current) = &mut action.current else { return };
        let Some((line, act)) = current.acts.get(current.at).cloned() else {
            action.current = None;
            return;
        };
        current.at += 1;
        let (side, system) = (current.side, current.system);
        let target = acts::target(&current.acts);
        if matches!(act, Act::Land(..) | Act::NoFight(_)) && target.is_some() {
            return;
        }
        let before = &current.acts[..current.at - 1];
        let above = acts::after(before, &act);
        let none = BTreeSet::new();
        let now = self.now(side, system, segment, target, &none);
        let checked = above.and_then(|()| acts::check(&self.state.board, &now, &act));
        match checked {
            Err(told) => {
                if let (Act::Attack(planet, _), "no-target") = (&act, told.code) {
                    // Whoever was seen there is gone.
                    self.state.known[side.i()].remove(&super::state::Spotted::Planet(*planet));
                }
                let (order, note) = (act_text(&act), told.note);
                let text = say!("{order}: {note}");
                self.tell_to(side, What::NotDone(line, text));
            }
            Ok(_) => self.act(&now, line, &act),
        }
    }

    fn act(&mut self, now: &Now, line: u32, act: &Act) {
        let side = now.side;
        match act {
            Act::Move(fleets, legs) => self.travel(now, fleets, legs),
            Act::Engage => {
                self.start_battle(Spot::System(now.system), side, BTreeMap::new());
            }
            Act::Attack(planet, bombard) => {
                self.attack(now, line, *planet, bombard.as_deref());
            }
            Act::Evacuate(..) => self.evacuate(now),
            Act::Space(fleet, to) => self.space(now, *fleet, *to),
            Act::Unload(carrier, planet) => {
                let ship = UnitId { side, name: *carrier };
                let cargo: Vec<UnitId> = self.state.board.aboard(ship).collect();
                acts::apply(self.board(), now, act);
                for id in cargo {
                    if !self.state.board.units.contains_key(&id) {
                        self.say(say!("{whose} Outpost on {planet}.", whose = side.whose()));
                        self.tell_to(side, What::Gone(id));
                    }
                }
                self.say_to(side, say!("{order}: done.", order = act_text(act)));
            }
            _ => {
                acts::apply(self.board(), now, act);
                self.forget();
                self.say_to(side, say!("{order}: done.", order = act_text(act)));
            }
        }
    }

    /// The next round of the battle that is under way, or its end. True: cards are needed.
    fn fight(&mut self) -> bool {
        let (rounds, ask) = (self.state.options.battle_rounds, self.state.options.battle_ask);
        let Some(action) = self.action() else { return false };
        let place = [u32::from(action.segment), action.battles];
        let Some(mut battle) = action.battle.take() else { return false };
        let cargo = self.cargo();
        if !battle.over() {
            let standing =
                [self.state.filed[0].standing.clone(), self.state.filed[1].standing.clone()];
            let both = [&standing[0], &standing[1]];
            battle.round(&mut self.state.board, both, self.dice, place);
            if !battle.over() {
                let worth = battle.worth(&self.state.board);
                let stops = rounds && worth.iter().any(|w| *w >= ask);
                let story = battle.story.clone();
                let fought: Vec<UnitId> = story.began.iter().map(|b| b.0).collect();
                self.cargo_fate(&cargo, &fought);
                if let Some(action) = self.action() {
                    action.battle = Some(battle);
                    if stops {
                        action.pause = Pause::Round;
                    }
                }
                if stops {
                    self.state.board.sweep();
                    self.forget();
                    self.tell(What::Battle(Box::new(story)));
                }
                return stops;
            }
        }
        self.end_battle(battle, &cargo);
        false
    }

    fn end_battle(&mut self, mut battle: Battle, cargo: &[(UnitId, bool)]) {
        let standing = [self.state.filed[0].standing.clone(), self.state.filed[1].standing.clone()];
        battle.end(&mut self.state.board, [&standing[0], &standing[1]]);
        let fought: Vec<UnitId> = battle.story.began.iter().map(|b| b.0).collect();
        self.after_battle(battle.story.spot, &fought);
        self.mourn(&fought);
        self.cargo_fate(cargo, &fought);
        let (major, loser, spot) = (battle.story.major, battle.story.loser, battle.story.spot);
        self.tell(What::Battle(Box::new(battle.story)));
        if let (true, Some(loser)) = (major, loser) {
            let winner = loser.other();
            let change = if winner == Side::Imperial { 1 } else { -1 };
            let whose = winner.whose();
            let cause = match spot {
                Spot::System(at) => say!("major {whose} victory at {at}"),
                Spot::Lane { .. } => say!("major {whose} victory"),
            };
            self.glory(cause, change);
        }
    }

    /// The end of a segment. True: cards are needed.
    fn end_segment(&mut self, segment: u8) -> bool {
        for filed in &mut self.state.filed {
            filed.plans[usize::from(segment) - 1].clear();
        }
        if segment < 4 {
            self.state.stage = Stage::Action(Box::new(Action::new(segment + 1)));
            return self.state.options.tempo == Tempo::Segment && self.state.peace.is_none();
        }
        for unit in self.state.board.units.values_mut() {
            unit.moved = false;
        }
        self.close_out();
        self.end_turn();
        true
    }
}
