//! One step: cards are filed, then the game runs until it needs cards again (§6, §12).

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
use crate::closeout;
use crate::court;
use crate::siege;
use crate::travel;
use crate::war;

/// Runs the open step.
pub fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Event> {
    let mut run = Run { state, dice, events: Vec::new(), part: Part::Administration };
    if !matches!(run.state.stage, Stage::Over(_)) {
        run.part = match run.state.action() {
            Some(action) => Part::Segment(action.segment),
            None => Part::Administration,
        };
        let orders = file(&mut run, input);
        leavers(&mut run, input);
        proceed(&mut run, orders);
    }
    run.state.step += 1;
    Stepped::new(run.state, run.events)
}

/// Lines of a card that are carried out at once: administration.
type AtOnce = Vec<(u32, Order)>;

/// Files the cards: standing orders, plans, messages. Returns the orders that are carried out at
/// once.
fn file(run: &mut Run, input: &Input) -> [AtOnce; 2] {
    Side::BOTH.map(|side| match input.cards.get(&side.seat()) {
        Some(card) => file_card(run, side, card),
        None => Vec::new(),
    })
}

fn file_card(run: &mut Run, side: Side, card: &CardText) -> AtOnce {
    let entries = orders::read(&run.state.board, side, card);
    let limits = run.state.board.tables.limits;
    let open = run.state.segment();
    let planned = plan::assemble(&entries, open, false, &limits);
    // Between rounds of a battle only standing orders are accepted.
    let in_battle = run.state.action().is_some_and(|a| a.pause == Pause::Round);
    let peace = run.state.peace.is_some();
    let filed = &mut run.state.filed[side.i()];
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
                let imperial = matches!(stand, orders::Stand::Homes(_) | orders::Stand::Removal(_));
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
            run.tell_to(side.other(), What::Letter(letter));
        }
    }
    at_once
}

/// A seat that nobody plays any longer has lost (§10).
fn leavers(run: &mut Run, input: &Input) {
    for side in Side::BOTH {
        run.state.left[side.i()] = input.sits(Seat(side as u8 + 1)) == Sits::Left;
    }
    let end = match run.state.left {
        [false, false] => return,
        [true, true] => End { winner: None, why: Why::Left },
        [true, false] => End { winner: Some(Side::Imperial), why: Why::Left },
        [false, true] => End { winner: Some(Side::Terran), why: Why::Left },
    };
    war::end_war(run, end);
}

fn proceed(run: &mut Run, orders: [AtOnce; 2]) {
    match &mut run.state.stage {
        Stage::Setup => set_up(run, orders),
        Stage::Administration => {
            administration(run, orders);
            run.state.stage = Stage::Action(Box::new(Action::new(1)));
            go(run);
        }
        Stage::Action(_) => go(run),
        Stage::Over(_) => {}
    }
}

/// The set-up: both sides place their units, unseen by the other (§4).
fn set_up(run: &mut Run, orders: [AtOnce; 2]) {
    for (side, lines) in Side::BOTH.into_iter().zip(orders) {
        for (line, order) in lines {
            let Order::Place(piece, goal) = order else { continue };
            if let Err(told) = admin::set_up(run.board(), side, piece, goal) {
                run.tell_to(side, What::NotDone(line, told.note.into()));
            }
        }
    }
    run.state.turn = 1;
    run.state.clock = 1;
    run.state.stage = Stage::Administration;
    court::begin_turn(run);
}

/// Reinforcements and construction (§5.4, §5.5).
fn administration(run: &mut Run, orders: [AtOnce; 2]) {
    let when = When { turn: run.state.clock, peace: run.state.peace.is_some() };
    for (side, lines) in Side::BOTH.into_iter().zip(orders) {
        let mut placing = Placing::default();
        let (places, others): (AtOnce, AtOnce) =
            lines.into_iter().partition(|(_, o)| matches!(o, Order::Place(..)));
        for (line, order) in places {
            let Order::Place(piece, goal) = order else { continue };
            let done = placing.place(run.board(), side, piece, goal);
            answer(run, side, line, done);
        }
        let placed = placing.rest(run.board(), side);
        if !placed.is_empty() {
            let names: Vec<String> = placed.iter().map(|id| id.name.to_string()).collect();
            let units = names.join(", ");
            run.say_to(side, say!("Placed by the robot: {units}."));
        }
        // Drop fleets that an order opened but that have no ships.
        run.board().sweep();
        for (line, order) in others {
            let done = match order {
                Order::Build(kind, n) => {
                    let done = admin::build(run.board(), side, kind, n, when);
                    done.map(|told| {
                        let (order, note) = (kind.code(), told.note);
                        engine::Told { note: say!("{order}: {note}"), ..told }
                    })
                }
                Order::Terraform(planet) => admin::terraform(run.board(), side, planet, when),
                Order::Upgrade(planet) => admin::upgrade(run.board(), side, planet, when),
                _ => continue,
            };
            answer(run, side, line, done);
        }
    }
}

fn answer(run: &mut Run, side: Side, line: u32, done: Result<engine::Told, engine::Told>) {
    match done {
        Ok(told) => run.say_to(side, say!("Line {line}: {note}.", note = told.note)),
        Err(told) => run.tell_to(side, What::NotDone(line, told.note.into())),
    }
}

/// Runs the game until it needs cards.
fn go(run: &mut Run) {
    let Some(action) = run.action() else { return };
    // The requested card has arrived.
    let mut asked = action.pause == Pause::Turn;
    action.pause = Pause::None;
    loop {
        let Some(action) = run.action() else { return };
        let segment = action.segment;
        if action.battle.is_some() {
            run.part = Part::Segment(segment);
            if fight(run) {
                return;
            }
        } else if !action.advance.is_empty() {
            let (side, fleet) = action.advance.remove(0);
            // All fleets in open space advance; the side of seat 1 counts as the moving side.
            travel::advance(run, side, fleet, Side::Terran);
        } else if action.current.is_some() {
            next_act(run);
        } else if !action.begun {
            begin_segment(run, segment);
        } else if !action.rolled {
            roll(run);
        } else if action.passes >= 2 || action.left == [0, 0] {
            if end_segment(run, segment) {
                return;
            }
            asked = false;
        } else if turn_of_a_side(run, &mut asked) {
            return;
        }
    }
}

fn begin_segment(run: &mut Run, segment: u8) {
    run.part = Part::Segment(segment);
    for unit in run.state.board.units.values_mut() {
        unit.moved = false;
    }
    let mut advance = Vec::new();
    if segment == 1 {
        let peace = run.state.peace.is_some();
        advance = acts::advance(&mut run.state.board, peace, None);
    }
    if let Some(action) = run.action() {
        action.begun = true;
        action.advance = advance;
    }
}

fn roll(run: &mut Run) {
    let civil_war = run.state.board.court.civil_war;
    let Some(action) = run.action() else { return };
    let segment = action.segment;
    run.dice.at([u32::from(segment)]);
    let dice = [die(run.dice, "initiative"), die(run.dice, "initiative")];
    let result = [dice[0], dice[1] - u8::from(civil_war)];
    run.record(What::Initiative(dice, civil_war));
    let Some(action) = run.action() else { return };
    action.rolled = true;
    match result[0].cmp(&result[1]) {
        std::cmp::Ordering::Equal => action.passes = 2,
        std::cmp::Ordering::Greater => (action.left, action.to_act) = (result, Side::Terran),
        std::cmp::Ordering::Less => (action.left, action.to_act) = (result, Side::Imperial),
    }
}

/// Lets a side act or pass. Returns whether cards are needed first.
fn turn_of_a_side(run: &mut Run, asked: &mut bool) -> bool {
    let tempo = run.state.options.tempo;
    let war = run.state.peace.is_none();
    let Some(action) = run.action() else { return true };
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
    if halts(run, side) {
        return true;
    }
    choose(run, side);
    false
}

/// Whether a `HALT` of a side stops the segment now.
fn halts(run: &mut Run, side: Side) -> bool {
    let most = run.state.options.halts_max;
    let Some(action) = run.state.action() else { return false };
    let (segment, had) = (usize::from(action.segment) - 1, action.halts[side.i()]);
    if had >= most || run.state.peace.is_some() {
        return false;
    }
    let plan = &run.state.filed[side.i()].plans[segment];
    let halt = plan.iter().position(|b| {
        !b.used && b.what == standing::What::Halt && court::holds(run, side, &b.cond)
    });
    let Some(at) = halt else { return false };
    let line = plan[at].line;
    run.state.filed[side.i()].plans[segment][at].used = true;
    if let Some(action) = run.action() {
        action.halts[side.i()] += 1;
        action.pause = Pause::Halt(side);
    }
    run.note(say!("{who} halts the segment.", who = side.who()));
    run.say_to(side, say!("Your line {line} halted it."));
    true
}

/// Begins the first block that is possible; otherwise the side passes (§12.3).
fn choose(run: &mut Run, side: Side) {
    let Some(action) = run.state.action() else { return };
    let segment = action.segment;
    let plan = &run.state.filed[side.i()].plans[usize::from(segment) - 1];
    let fits = |b: &standing::Block| {
        !b.used
            && court::holds(run, side, &b.cond)
            && match &b.what {
                standing::What::Wait => true,
                standing::What::Halt => false,
                standing::What::Activate(system, acts) => {
                    possible(run, side, *system, segment, acts)
                }
            }
    };
    let chosen = plan.iter().position(fits);
    let what = chosen.map(|at| {
        let block = &mut run.state.filed[side.i()].plans[usize::from(segment) - 1][at];
        block.used = true;
        block.what.clone()
    });
    let other = side.other();
    match what {
        Some(standing::What::Activate(system, acts)) => {
            let Some(action) = run.action() else { return };
            action.left[side.i()] -= 1;
            action.done[side.i()] += 1;
            action.passes = 0;
            action.to_act = other;
            action.current = Some(Current { side, system, acts, at: 0 });
            let number = action.done[side.i()];
            run.record(What::Activated(side, number, system));
        }
        _ => {
            let Some(action) = run.action() else { return };
            action.passes += 1;
            action.to_act = other;
            run.record(What::Passed(side));
        }
    }
}

/// Whether a block is possible.
fn possible(run: &Run, side: Side, system: System, segment: u8, acts: &[(u32, Act)]) -> bool {
    let none = BTreeSet::new();
    let now = run.now(side, system, segment, acts::target(acts), &none);
    acts::possible(&run.state.board, &now, acts)
}

/// Carries out the next order of the activation in progress.
fn next_act(run: &mut Run) {
    let Some(action) = run.action() else { return };
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
    let now = run.now(side, system, segment, target, &none);
    let checked = above.and_then(|()| acts::check(&run.state.board, &now, &act));
    match checked {
        Err(told) => {
            if let (Act::Attack(planet, _), "no-target") = (&act, told.code) {
                // The units that were seen there are gone.
                run.state.known[side.i()].remove(&super::state::Spotted::Planet(*planet));
            }
            let (order, note) = (act_text(&act), told.note);
            let text = say!("{order}: {note}");
            run.tell_to(side, What::NotDone(line, text.into()));
        }
        Ok(_) => carry_out(run, &now, line, &act),
    }
}

fn carry_out(run: &mut Run, now: &Now, line: u32, act: &Act) {
    let side = now.side;
    match act {
        Act::Move(fleets, legs) => travel::travel(run, now, fleets, legs),
        Act::Engage => {
            travel::start_battle(run, Spot::System(now.system), side, BTreeMap::new());
        }
        Act::Attack(planet, bombard) => {
            siege::attack(run, now, line, *planet, bombard.as_deref());
        }
        Act::Evacuate(..) => siege::evacuate(run, now),
        Act::Space(fleet, to) => travel::space(run, now, *fleet, *to),
        Act::Unload(carrier, planet) => {
            let ship = UnitId { side, name: *carrier };
            let cargo: Vec<UnitId> = run.state.board.aboard(ship).collect();
            acts::apply(run.board(), now, act);
            for id in cargo {
                if !run.state.board.units.contains_key(&id) {
                    run.note(say!("{whose} Outpost on {planet}.", whose = side.whose()));
                    run.tell_to(side, What::Gone(id));
                }
            }
            run.say_to(side, say!("{order}: done.", order = act_text(act)));
        }
        _ => {
            acts::apply(run.board(), now, act);
            run.forget();
            run.say_to(side, say!("{order}: done.", order = act_text(act)));
        }
    }
}

/// Fights the next round of the battle in progress, or ends it. Returns whether cards are needed.
fn fight(run: &mut Run) -> bool {
    let (rounds, ask) = (run.state.options.battle_rounds, run.state.options.battle_ask);
    let Some(action) = run.action() else { return false };
    let place = [u32::from(action.segment), action.battles];
    let Some(mut battle) = action.battle.take() else { return false };
    let cargo = run.cargo();
    if !battle.over() {
        let standing = [run.state.filed[0].standing.clone(), run.state.filed[1].standing.clone()];
        let both = [&standing[0], &standing[1]];
        battle.round(&mut run.state.board, both, run.dice, place);
        if !battle.over() {
            let worth = battle.worth(&run.state.board);
            let stops = rounds && worth.iter().any(|w| *w >= ask);
            let story = battle.story.clone();
            let fought: Vec<UnitId> = story.began.iter().map(|b| b.0).collect();
            run.cargo_fate(&cargo, &fought);
            if let Some(action) = run.action() {
                action.battle = Some(battle);
                if stops {
                    action.pause = Pause::Round;
                }
            }
            if stops {
                run.state.board.sweep();
                run.forget();
                run.record(What::Battle(Box::new(story)));
            }
            return stops;
        }
    }
    end_battle(run, battle, &cargo);
    false
}

fn end_battle(run: &mut Run, mut battle: Battle, cargo: &[(UnitId, bool)]) {
    let standing = [run.state.filed[0].standing.clone(), run.state.filed[1].standing.clone()];
    battle.end(&mut run.state.board, [&standing[0], &standing[1]]);
    let fought: Vec<UnitId> = battle.story.began.iter().map(|b| b.0).collect();
    run.after_battle(battle.story.spot, &fought);
    run.mourn(&fought);
    run.cargo_fate(cargo, &fought);
    let (major, loser, spot) = (battle.story.major, battle.story.loser, battle.story.spot);
    run.record(What::Battle(Box::new(battle.story)));
    if let (true, Some(loser)) = (major, loser) {
        let winner = loser.other();
        let change = if winner == Side::Imperial { 1 } else { -1 };
        let whose = winner.whose();
        let cause = match spot {
            Spot::System(at) => say!("major {whose} victory at {at}"),
            Spot::Lane { .. } => say!("major {whose} victory"),
        };
        run.glory(cause, change);
    }
}

/// Ends a segment. Returns whether cards are needed.
fn end_segment(run: &mut Run, segment: u8) -> bool {
    for filed in &mut run.state.filed {
        filed.plans[usize::from(segment) - 1].clear();
    }
    if segment < 4 {
        run.state.stage = Stage::Action(Box::new(Action::new(segment + 1)));
        return run.state.options.tempo == Tempo::Segment && run.state.peace.is_none();
    }
    for unit in run.state.board.units.values_mut() {
        unit.moved = false;
    }
    closeout::close_out(run);
    war::end_turn(run);
    true
}
