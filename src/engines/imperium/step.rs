//! One step: cards are filed, then the game goes on until cards are needed again (§6, §12).

use std::collections::{BTreeMap, BTreeSet};

use engine::{CardText, Dice, Input, Seat, Sits, Stepped, press};

use super::acts::{self, Now};
use super::admin::{self, Placing, When};
use super::board::{Control, Harm, Marker, Place, Spot};
use super::event::{Event, Part, What};
use super::fire::die;
use super::galaxy::{Planet, System};
use super::ground;
use super::kinds::{Kind, Name, Side, UnitId};
use super::orders::{self, Act, Leg, Order, act_text};
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

/// The segment that lines without `SEG` are for.
pub fn open_segment(stage: &Stage) -> u8 {
    match stage {
        Stage::Action(action) => action.segment,
        _ => 1,
    }
}

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
        let open = open_segment(&self.state.stage);
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
                self.say_to(side, format!("Placed by the robot: {}.", names.join(", ")));
            }
            // A fleet that an order opened and nothing joined is none.
            self.board().sweep();
            for (line, order) in others {
                let done = match order {
                    Order::Build(kind, n) => {
                        let done = admin::build(self.board(), side, kind, n, when);
                        done.map(|told| engine::Told {
                            note: format!("{}: {}", kind.code(), told.note),
                            ..told
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
            Ok(told) => self.say_to(side, format!("Line {line}: {}.", told.note)),
            Err(told) => self.tell_to(side, What::NotDone(line, told.note)),
        }
    }

    fn action(&mut self) -> Option<&mut Action> {
        match &mut self.state.stage {
            Stage::Action(action) => Some(action),
            _ => None,
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
            let fleets: Vec<((Side, u8), Spot)> =
                self.state.board.fleets.iter().map(|(key, spot)| (*key, *spot)).collect();
            for (key, spot) in fleets {
                let Spot::Lane { from, to, k, origin } = spot else { continue };
                let arrives = k + 1 >= self.state.board.galaxy.lane(from, to).unwrap_or(1);
                // Who may not enter waits before it.
                if arrives && self.barred(key.0, to) {
                    continue;
                }
                self.state.board.fleets.insert(key, Spot::Lane { from, to, k: k + 1, origin });
                advance.push(key);
            }
        }
        if let Some(action) = self.action() {
            action.begun = true;
            action.advance = advance;
        }
    }

    /// Whether peace or Peace Talks keep a side out of a system.
    fn barred(&self, side: Side, at: System) -> bool {
        let (board, enemy) = (&self.state.board, side.other());
        let held = board.occupied(enemy, at);
        self.state.peace.is_some() && held
            || board.court.talks && (held || board.present(enemy, at))
    }

    /// A fleet in open space has advanced: it arrives, or it meets an enemy (§6.3). `moving` is
    /// who counts as the moving side then.
    fn advance(&mut self, side: Side, fleet: u8, moving: Side) {
        let Some(spot) = self.state.board.fleets.get(&(side, fleet)).copied() else { return };
        let Spot::Lane { from, to, k, .. } = spot else { return };
        if k >= self.state.board.galaxy.lane(from, to).unwrap_or(1) {
            self.arrive(side, fleet, from, to);
            return;
        }
        let meets = self.state.board.fleets.iter().any(|((s, _), other)| {
            *s != side && super::space::same_hex(&self.state.board, spot, *other)
        });
        let calm = self.state.peace.is_some() || self.state.board.court.talks;
        if meets && !calm {
            self.start_battle(spot, moving, BTreeMap::new());
        }
    }

    /// A fleet comes out of open space.
    fn arrive(&mut self, side: Side, fleet: u8, from: System, to: System) {
        self.tell(What::Moved { side, fleets: vec![fleet], path: vec![to], stopped: false });
        self.enter(side, &[fleet], from, Leg { to, fight: false }, true);
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
        self.say(format!("{} halts the segment.", side.name()));
        self.say_to(side, format!("Your line {line} halted it."));
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

    /// Whether a side has units in a system, and one order of a block at least is possible.
    fn possible(&self, side: Side, system: System, segment: u8, acts: &[(u32, Act)]) -> bool {
        let board = &self.state.board;
        let none = BTreeSet::new();
        let now = self.now(side, system, segment, target(acts), &none);
        // Monitors are not seen before.
        let enemies = board.fleets_in(side.other(), system).next().is_some();
        let engages = acts.iter().any(|(_, act)| *act == Act::Engage);
        let blocked = |act: &Act| match act {
            Act::Attack(planet, _) => {
                enemies && !engages && board.control(*planet) != Control::Disputed
            }
            _ => false,
        };
        board.present(side, system)
            && acts.iter().any(|(_, act)| {
                !matches!(act, Act::Land(..) | Act::NoFight(_))
                    && !blocked(act)
                    && acts::check(board, &now, act).is_ok()
            })
    }

    /// Whether enemy ships or monitors are in a system.
    fn enemy_ships(&self, side: Side, at: System) -> bool {
        let (board, enemy) = (&self.state.board, side.other());
        board.fleets_in(enemy, at).next().is_some() || board.monitors(enemy, at).next().is_some()
    }

    fn now<'a>(
        &self,
        side: Side,
        system: System,
        segment: u8,
        target: Option<Planet>,
        seen: &'a BTreeSet<Planet>,
    ) -> Now<'a> {
        Now { side, system, segment, peace: self.state.peace.is_some(), seen, target }
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
        let target = target(&current.acts);
        if matches!(act, Act::Land(..) | Act::NoFight(_)) && target.is_some() {
            return;
        }
        let before = &current.acts[..current.at - 1];
        let again = match act {
            Act::Attack(..) => before.iter().any(|(_, a)| matches!(a, Act::Attack(..))),
            Act::Engage => before.iter().any(|(_, a)| *a == Act::Engage),
            Act::Evacuate(..) => before.iter().any(|(_, a)| matches!(a, Act::Attack(..))),
            _ => false,
        };
        let none = BTreeSet::new();
        let now = self.now(side, system, segment, target, &none);
        let checked = match (&act, again) {
            (Act::Evacuate(..), true) => {
                Err(engine::Told::error("later", "evacuation is for a later activation"))
            }
            (Act::Engage, true) => {
                Err(engine::Told::error("again", "one engagement an activation"))
            }
            (_, true) => Err(engine::Told::error("two-attacks", "one planet an activation")),
            (_, false) => acts::check(&self.state.board, &now, &act),
        };
        match checked {
            Err(told) => {
                if let (Act::Attack(planet, _), "no-target") = (&act, told.code) {
                    // Whoever was seen there is gone.
                    self.state.known[side.i()].remove(&super::state::Spotted::Planet(*planet));
                }
                let text = format!("{}: {}", act_text(&act), told.note);
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
                let moved = self.state.board.units.get(&ship).is_some_and(|u| u.moved);
                for id in cargo {
                    if let Some(unit) = self.state.board.units.get_mut(&id) {
                        unit.moved |= moved;
                    } else {
                        self.say(format!("{} Outpost on {planet}.", side.name()));
                        self.tell_to(side, What::Gone(id));
                    }
                }
                self.say_to(side, format!("{}: done.", act_text(act)));
            }
            _ => {
                acts::apply(self.board(), now, act);
                self.forget();
                self.say_to(side, format!("{}: done.", act_text(act)));
            }
        }
    }

    fn travel(&mut self, now: &Now, fleets: &[u8], legs: &[Leg]) {
        let side = now.side;
        let Ok(path) = acts::path(&self.state.board, now.system, legs) else { return };
        let mut from = now.system;
        let mut gone = vec![from];
        // The move is told before what it leads to.
        let at = self.events.len();
        let mut stopped = false;
        for (n, leg) in path.iter().enumerate() {
            let last = n + 1 == path.len();
            gone.push(leg.to);
            let halted = self.enter(side, fleets, from, *leg, last);
            from = leg.to;
            if halted {
                stopped = !last;
                break;
            }
        }
        let what = What::Moved { side, fleets: fleets.to_vec(), path: gone, stopped };
        let event = Event { part: self.part, to: None, what };
        self.events.insert(at, event);
    }

    /// Fleets enter a system (§6.1, §6.2). True: they go no farther.
    fn enter(&mut self, side: Side, fleets: &[u8], from: System, leg: Leg, last: bool) -> bool {
        let at = leg.to;
        for fleet in fleets {
            self.state.board.fleets.insert((side, *fleet), Spot::System(at));
            let ships: Vec<UnitId> = self.state.board.ships(side, *fleet).collect();
            for ship in ships {
                let aboard: Vec<UnitId> = self.state.board.aboard(ship).collect();
                for id in aboard.into_iter().chain([ship]) {
                    if let Some(unit) = self.state.board.units.get_mut(&id) {
                        unit.moved = true;
                    }
                }
            }
        }
        if self.state.peace.is_some() || self.state.board.court.talks {
            return false;
        }
        let enemy = side.other();
        let board = &self.state.board;
        let scouts = fleets.iter().all(|f| board.ships(side, *f).all(|id| id.kind() == Kind::SC));
        let came: BTreeMap<(Side, u8), System> =
            fleets.iter().map(|f| ((side, *f), from)).collect();
        let join = self.state.filed[enemy.i()].standing.fighters_join;
        let fighters = join
            && board.of(enemy).any(|(id, u)| {
                id.kind() == Kind::F && matches!(u.place, Place::Box(p) if p.system == at)
            });
        let soft = board.fleets_in(enemy, at).next().is_some() || fighters;
        if scouts {
            let fights = soft || board.blocks(enemy, at);
            return board.occupied(enemy, at) && self.scout(side, at, came, fights);
        }
        if board.blocks(enemy, at) || soft && (leg.fight || last) {
            self.start_battle(Spot::System(at), side, came);
            return true;
        }
        false
    }

    /// Scouts try to remain unseen (§6.2). True: they were detected. `fights` is whether anybody
    /// is there to fight them.
    fn scout(
        &mut self,
        side: Side,
        at: System,
        came: BTreeMap<(Side, u8), System>,
        fights: bool,
    ) -> bool {
        let enemy = side.other();
        let shown = usize::from(self.state.filed[enemy.i()].standing.scouts);
        let board = &self.state.board;
        let destroyers = board
            .fleets_in(enemy, at)
            .flat_map(|f| board.ships(enemy, f))
            .filter(|id| id.kind() == Kind::DD)
            .count()
            .min(shown);
        let fleet = came.keys().next().map_or(0, |k| u32::from(k.1));
        self.dice.at([u32::from(at.0), side.i() as u32, fleet]);
        let dice = [die(self.dice, "scouting"), die(self.dice, "scouting")];
        let roll = usize::from(dice[0] + dice[1]) + destroyers;
        let called = self.state.board.galaxy.called(at);
        let plus = if destroyers > 0 { format!(" + {destroyers}") } else { String::new() };
        let head =
            format!("{} scouts at {called}, {} + {}{plus} = {roll}", side.name(), dice[0], dice[1]);
        if roll <= 10 {
            self.say_to(side, format!("{head}: undetected, all there is seen."));
            self.reveal(side, at);
            return false;
        }
        self.say(format!("{head}: detected."));
        if fights {
            self.start_battle(Spot::System(at), side, came);
        }
        true
    }

    fn start_battle(&mut self, spot: Spot, moving: Side, came: BTreeMap<(Side, u8), System>) {
        let battle =
            Battle::begin(&self.state.board, spot, moving, came, Run::standing(&self.state));
        if let Some(action) = self.action() {
            action.battles += 1;
            action.battle = Some(battle);
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
            let at = match spot {
                Spot::System(at) => format!(" at {at}"),
                Spot::Lane { .. } => String::new(),
            };
            self.glory(format!("major {} victory{at}", winner.name()), change);
        }
    }

    /// A Terran Battleship that was destroyed lets Dreadnoughts be built (§5.5).
    fn mourn(&mut self, fought: &[UnitId]) {
        let units = &self.state.board.units;
        let lost = |id: &UnitId| id.kind() == Kind::B && !units.contains_key(id);
        if fought.iter().any(lost) {
            self.state.board.b_lost = true;
        }
    }

    /// A planetary battle (§8).
    fn attack(&mut self, now: &Now, line: u32, planet: Planet, bombard: Option<&[u8]>) {
        let (side, enemy) = (now.side, now.side.other());
        let board = &self.state.board;
        let disputed = board.control(planet) == Control::Disputed;
        let ships = self.enemy_ships(side, now.system);
        if ships && !disputed {
            let text = format!("K {planet}: enemy ships are in {}; E engages them", now.system);
            self.tell_to(side, What::NotDone(line, text));
            return;
        }
        let still: Vec<u8> = board
            .fleets_in(side, now.system)
            .filter(|f| {
                board.ships(side, *f).all(|s| board.units.get(&s).is_some_and(|u| !u.moved))
            })
            .collect();
        let before = self.cargo();
        let mut story = ground::Story::new(planet, side);
        let standing = [self.state.filed[0].standing.clone(), self.state.filed[1].standing.clone()];
        self.dice.at([u32::from(planet.system.0), u32::from(planet.n), 0]);
        if let Some(fleets) = bombard {
            let fleets = if fleets.is_empty() { still.clone() } else { fleets.to_vec() };
            let defender = &standing[enemy.i()];
            ground::bombard(&mut self.state.board, &mut story, &fleets, defender, self.dice);
        }
        let (mut landings, spared) =
            self.landings(side, planet, bombard.is_some() || disputed, &still);
        if ships {
            // With enemy ships about nobody lands; the fight on the surface goes on.
            let aboard = |name: &Name| {
                let unit = self.state.board.units.get(&UnitId { side, name: *name });
                matches!(unit.map(|u| u.place), Some(Place::Aboard(_)))
            };
            let (refused, rest): (Vec<_>, Vec<_>) =
                landings.into_iter().partition(|(_, name, _)| aboard(name));
            landings = rest;
            for (line, name, _) in refused {
                let text = format!("{name} does not land: enemy ships are in {}", now.system);
                self.tell_to(side, What::NotDone(line, text));
            }
        }
        if !landings.is_empty() || disputed {
            let both = [&standing[0], &standing[1]];
            let board = &mut self.state.board;
            let refused = ground::assault(board, &mut story, &landings, &spared, both, self.dice);
            for (line, why) in refused {
                self.tell_to(side, What::NotDone(line, why));
            }
        }
        self.after_ground(story, &before);
    }

    /// Who lands or moves in an attack: the lines of the block, else all troops aboard, unless
    /// it only bombards or fights on.
    fn landings(
        &self,
        side: Side,
        planet: Planet,
        named_only: bool,
        still: &[u8],
    ) -> (Vec<ground::Landing>, BTreeSet<u8>) {
        let current = self.state.action().and_then(|a| a.current.as_ref());
        let acts = current.map(|c| c.acts.as_slice()).unwrap_or_default();
        let board = &self.state.board;
        let none = BTreeSet::new();
        let segment = open_segment(&self.state.stage);
        let now = self.now(side, planet.system, segment, Some(planet), &none);
        let spared = acts.iter().filter_map(|(_, act)| match act {
            Act::NoFight(hex) => Some(*hex),
            _ => None,
        });
        let spared: BTreeSet<u8> = spared.collect();
        let mut seen = BTreeSet::new();
        let named: Vec<ground::Landing> = acts
            .iter()
            .filter(|(_, act)| acts::check(board, &now, act).is_ok())
            .filter_map(|(line, act)| match act {
                Act::Land(name, hexes) if seen.insert(*name) => Some((*line, *name, hexes.clone())),
                _ => None,
            })
            .collect();
        let any = acts.iter().any(|(_, act)| matches!(act, Act::Land(..)));
        if any || named_only {
            return (named, spared);
        }
        let ships = still.iter().flat_map(|f| board.ships(side, *f));
        let troops = ships
            .flat_map(|s| board.aboard(s))
            .filter(|id| id.kind().is_troops() && board.fits(id.kind(), planet));
        (troops.map(|id| (0, id.name, Vec::new())).collect(), spared)
    }

    fn evacuate(&mut self, now: &Now) {
        let (side, enemy) = (now.side, now.side.other());
        let Some(action) = self.state.action() else { return };
        let Some(current) = &action.current else { return };
        // All evacuations of the block from one planet are one.
        let from = current.at - 1;
        let place = |name: &Name| match self
            .state
            .board
            .units
            .get(&UnitId { side, name: *name })
            .map(|u| u.place)
        {
            Some(Place::Surface(p, _)) => Some(p),
            _ => None,
        };
        let first = match current.acts.get(from) {
            Some((_, Act::Evacuate(unit, _))) => place(unit),
            _ => None,
        };
        let Some(planet) = first else { return };
        let mut used: BTreeSet<Name> = BTreeSet::new();
        let mut units = Vec::new();
        let mut lines = BTreeSet::new();
        for (line, act) in &current.acts[from..] {
            let Act::Evacuate(unit, carrier) = act else { continue };
            let right = place(unit) == Some(planet)
                && acts::check(&self.state.board, now, act).is_ok()
                && used.insert(*carrier);
            if right {
                units.push((*unit, *carrier));
                lines.insert(*line);
            }
        }
        if let Some(current) = self.action().and_then(|a| a.current.as_mut()) {
            let done = current.at;
            let mut n = 0;
            current.acts.retain(|(line, _)| {
                n += 1;
                n <= done || !lines.contains(line)
            });
        }
        let before = self.cargo();
        let mut story = ground::Story::new(planet, side);
        let standing = self.state.filed[enemy.i()].standing.clone();
        let board = &mut self.state.board;
        ground::evacuate(board, &mut story, &units, &standing, self.dice);
        self.after_ground(story, &before);
    }

    /// What follows from a planetary battle: knowledge, markers, Glory.
    fn after_ground(&mut self, story: ground::Story, cargo: &[(UnitId, bool)]) {
        let planet = story.planet;
        let invader = story.invader;
        if story.is_battle()
            && let Some(land) = self.state.board.planets.get_mut(&planet)
        {
            land.terraform = 0;
        }
        let bombed = story.bombardment.is_some();
        let reverted = story.bombardment.as_ref().is_some_and(|b| b.reverted);
        let captured = story.captured;
        let landed: Vec<UnitId> =
            story.landed.iter().map(|l| l.0).chain(story.defenders.iter().map(|d| d.0)).collect();
        let fought: BTreeSet<UnitId> =
            story.fights.iter().flat_map(|f| f.shots.iter().flat_map(|s| [s.by, s.at])).collect();
        let told: Vec<UnitId> = story
            .all_losses()
            .filter(|l| l.harm != Harm::None)
            .flat_map(|l| l.cargo.iter().copied().chain([l.id]))
            .collect();
        self.mourn(&told);
        self.cargo_fate(cargo, &told);
        self.tell(What::Ground(Box::new(story)));
        for viewer in Side::BOTH {
            let enemy = viewer.other();
            // What stood or stands on the surface is seen, the strength of troops in combat.
            let met = landed.iter().chain(&fought).any(|id| id.side == viewer);
            if !met {
                // From above, only what fires and what bombs may hit is seen.
                if bombed && viewer == invader {
                    self.spot_again(viewer, planet, |kind| matches!(kind, Kind::PD | Kind::F));
                }
                continue;
            }
            let units: Vec<UnitId> = self.state.board.on(enemy, planet).collect();
            let known = landed.iter().chain(&fought).any(|id| id.side == enemy);
            if units.is_empty() {
                self.state.known[viewer.i()].remove(&super::state::Spotted::Planet(planet));
            } else if known {
                let seen = units.into_iter().map(|id| self.seen(id, fought.contains(&id)));
                let seen = seen.collect();
                self.spot(viewer, super::state::Spotted::Planet(planet), seen);
            }
        }
        if reverted {
            let change = if invader == Side::Imperial { -2 } else { 1 };
            self.glory(format!("terraformed {planet} bombarded"), change);
        }
        if let Some((owner, marker)) = captured {
            self.capture(planet, owner, marker);
        }
        self.state.board.sweep();
        self.forget();
    }

    /// A marker changes hands (§8.7).
    fn capture(&mut self, planet: Planet, owner: Side, marker: Marker) {
        let captor = owner.other();
        let keep = self.state.options.captured_world;
        if let Some(land) = self.state.board.planets.get_mut(&planet) {
            let now = if keep { marker } else { Marker::Outpost };
            land.marker = Some((captor, now));
            land.upgrade = 0;
        }
        self.say(format!(
            "{} captures the {} {} on {planet}.",
            captor.name(),
            owner.name(),
            marker.name()
        ));
        let change = match (owner, marker) {
            (Side::Terran, Marker::Outpost) => 1,
            (Side::Terran, Marker::World) => 3,
            (Side::Imperial, Marker::Outpost) => -1,
            (Side::Imperial, Marker::World) => -3,
        };
        let what = if owner == Side::Terran { "captured" } else { "lost" };
        self.glory(format!("{} {} {planet} {what}", owner.name(), marker.name()), change);
    }

    /// A fleet leaves for open space, or turns round there (§6.3).
    fn space(&mut self, now: &Now, fleet: u8, to: Option<System>) {
        let side = now.side;
        let Some(spot) = self.state.board.fleets.get(&(side, fleet)).copied() else { return };
        match (spot, to) {
            (Spot::Lane { from, to, k, origin }, None) => {
                let n = self.state.board.galaxy.lane(from, to).unwrap_or(1);
                let back = Spot::Lane { from: to, to: from, k: n.saturating_sub(k), origin };
                self.state.board.fleets.insert((side, fleet), back);
                self.say_to(side, format!("Fleet {fleet} turns round for {from}."));
            }
            (Spot::System(from), Some(to)) => {
                let ships: Vec<UnitId> = self.state.board.ships(side, fleet).collect();
                for id in ships {
                    if let Some(unit) = self.state.board.units.get_mut(&id) {
                        unit.moved = true;
                    }
                }
                self.say(format!("{} fleet {fleet} leaves {from} for open space.", side.name()));
                self.say_to(side, format!("Fleet {fleet} is bound for {to}."));
                let spot = Spot::Lane { from, to, k: 1, origin: from };
                self.state.board.fleets.insert((side, fleet), spot);
                self.advance(side, fleet, side);
            }
            _ => {}
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

/// The planet that a block attacks.
pub fn target(acts: &[(u32, Act)]) -> Option<Planet> {
    acts.iter().find_map(|(_, act)| match act {
        Act::Attack(planet, _) => Some(*planet),
        _ => None,
    })
}
