//! One step: a pick, a turn or a part of it, a guess (§4, §5, §7, §11).

use std::collections::BTreeMap;

use engine::{BySeat, CardText, Dice, Input, Seat, Sits, Stepped, press};

use super::draft::Draft;
use super::map::Place;
use super::numbers::{Draw, Guess, Situation};
use super::orders::{self, Entry, Order};
use super::state::{Challenge, End, Event, Filed, Plan, Stage, State, Why, guess_of};
use super::tables::Draft as How;
use super::turn::{Hit, Referee, Target, Turn};

/// The name of the seal of a secret number: the turn of its seat, the part, the attack order of the
/// card, and the number within this order, all counted from 1.
pub fn number_seal(turn: u32, part: u8, order: usize, nth: usize) -> String {
    format!("K{turn}.{part}-{order}.{nth}")
}

/// The name of the seal of a line of guesses, counted from 1 in its card, or of a member of its
/// list; `nth` is counted from 0.
pub fn guess_seal(step: u32, line: usize, nth: Option<usize>) -> String {
    match nth {
        Some(nth) => format!("G{step}-{line}.{}", nth + 1),
        None => format!("G{step}-{line}"),
    }
}

/// Runs the open step.
pub fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Event> {
    let mut run = Run { state, input, dice, events: Vec::new(), opened: Vec::new() };
    if run.begins_turn() {
        run.state.earlier.clear();
    }
    let mut carried = BySeat::new();
    if !matches!(run.state.stage, Stage::Over(_)) {
        run.who_sits();
        run.standing_lines();
        carried = run.carried();
        run.stage();
        run.votes();
    }
    run.state.step += 1;
    if run.is_over() {
        carried.clear();
    }
    Stepped { state: run.state, events: run.events, carried, opened: run.opened }
}

struct Run<'a, 'b> {
    state: State,
    input: &'a Input<'b>,
    dice: &'a mut Dice,
    events: Vec<Event>,
    opened: Vec<(Seat, String)>,
}

impl Run<'_, '_> {
    fn record(&mut self, event: Event) {
        self.events.push(event);
    }

    fn is_over(&self) -> bool {
        matches!(self.state.stage, Stage::Over(_))
    }

    /// Whether the open step is not a later part of a turn.
    fn begins_turn(&self) -> bool {
        match &self.state.stage {
            Stage::Turn(turn) => turn.part == 1,
            Stage::Draft(_) => true,
            Stage::Challenge(..) | Stage::Over(_) => false,
        }
    }

    /// Reads the orders of a card.
    fn read(&self, card: &CardText) -> Vec<Entry> {
        orders::read(self.state.board.map(), &self.state.options, card)
    }

    /// Notes seats that nobody plays any longer, or that somebody plays again (§7.3).
    fn who_sits(&mut self) {
        let step = self.state.step;
        for seat in self.state.seats() {
            let left = self.input.sits(seat) == Sits::Left;
            let Some(side) = self.state.side_mut(seat).filter(|s| s.out.is_none()) else {
                continue;
            };
            match (left, side.left) {
                (true, None) => {
                    side.left = Some(step);
                    self.record(Event::Garrison(seat));
                }
                (false, Some(_)) => {
                    side.left = None;
                    self.record(Event::Back(seat));
                }
                _ => {}
            }
        }
        if !matches!(self.state.stage, Stage::Draft(_)) {
            self.check_end(&[]);
        }
    }

    /// Files guesses and votes of every sender, before anything else happens (§7.1).
    fn standing_lines(&mut self) {
        let cards = self.input.cards;
        for (seat, card) in cards {
            if !self.state.plays(*seat) {
                continue;
            }
            let entries = self.read(card);
            let orders = || entries.iter().filter_map(|e| e.read.as_ref().ok());
            let (step, most) = (self.state.step, self.state.options.limits.policies);
            let mut told = None;
            if let Some(side) = self.state.side_mut(*seat) {
                let mut new = Vec::new();
                let lines = orders().filter_map(|o| match o {
                    Order::Policy(policy) => Some(policy),
                    _ => None,
                });
                for (line, policy) in (1..).zip(lines) {
                    match policy {
                        Some(policy) => {
                            let (policy, seal) = (policy.clone(), guess_seal(step, line, None));
                            new.push(Filed { policy, seal });
                        }
                        None => {
                            new.clear();
                            side.policies.clear();
                        }
                    }
                }
                new.append(&mut side.policies);
                new.truncate(most);
                side.policies = new;
                let vote = orders().rev().find_map(|o| match o {
                    Order::Vote(draw) => Some(*draw),
                    _ => None,
                });
                if let Some(draw) = vote.filter(|draw| *draw != side.draw) {
                    side.draw = draw;
                    told = Some(Event::Voted(*seat, draw));
                }
            }
            self.events.extend(told);
            let blocks = orders().filter_map(|o| match o {
                Order::Press(block) => Some(block),
                _ => None,
            });
            let (seats, options) = (|| self.state.seats(), &self.state.options);
            let fits = options.limits.letter();
            let letters = blocks.filter_map(|b| press::letter(b, *seat, seats(), fits).ok());
            self.events.extend(letters.map(|(letter, _)| Event::Letter(letter)));
        }
    }

    /// Orders of seats that do not move now wait for their turn (§9).
    fn carried(&self) -> BySeat<Vec<String>> {
        let now: Option<Seat> = match &self.state.stage {
            Stage::Turn(turn) => Some(turn.seat),
            Stage::Draft(_) | Stage::Challenge(..) | Stage::Over(_) => None,
        };
        let mut carried = BySeat::new();
        for (seat, card) in self.input.cards {
            if Some(*seat) == now || !self.state.plays(*seat) {
                continue;
            }
            let entries = self.read(card);
            if !entries.iter().any(|e| e.read.as_ref().is_ok_and(Order::is_of_turn)) {
                continue;
            }
            // Wrong lines are kept too, because a block needs all of its lines.
            let gone = |line: u32| {
                let of = entries.iter().find(|e| e.line == line);
                of.is_none_or(|e| e.read.as_ref().is_ok_and(|o| !o.is_of_turn()))
            };
            let kept = card.lines.iter().filter(|(line, _)| !gone(*line));
            carried.insert(*seat, kept.map(|(_, text)| text.clone()).collect());
        }
        carried
    }

    fn stage(&mut self) {
        if self.is_over() {
            return;
        }
        // The stage is taken out while it is played; each branch below sets a new one.
        let none = Stage::Draft(Draft { left: Vec::new(), round: 0 });
        match std::mem::replace(&mut self.state.stage, none) {
            Stage::Draft(draft) => self.draft(draft),
            Stage::Turn(turn) => self.turn(turn),
            Stage::Challenge(turn, challenge) => self.guess(turn, *challenge),
            Stage::Over(end) => self.state.stage = Stage::Over(end),
        }
    }

    fn draft(&mut self, mut draft: Draft) {
        let wishes: BTreeMap<Seat, Vec<Place>> = self
            .input
            .cards
            .iter()
            .map(|(seat, card)| {
                let lists = self.read(card).into_iter().filter_map(|e| match e.read {
                    Ok(Order::Prefer(places)) => Some(places),
                    _ => None,
                });
                (*seat, lists.flatten().collect())
            })
            .collect();
        let order = self.state.order.clone();
        let picks = match self.state.options.draft {
            How::List => {
                let (board, done) = (&mut self.state.board, draft.clone());
                draft.left.clear();
                done.run(board, &wishes, &order)
            }
            How::Live => {
                let seat = draft.left.first().copied().unwrap_or(Seat(0));
                let own = wishes.get(&seat).map_or(&[][..], Vec::as_slice);
                draft.pick(&mut self.state.board, own, &order).into_iter().collect()
            }
        };
        let none = picks.is_empty();
        self.events.extend(picks.into_iter().map(|(seat, at)| Event::Picked(seat, at)));
        if draft.left.is_empty() || none {
            self.state.round = 1;
            self.next_turn(None);
        } else {
            self.state.stage = Stage::Draft(draft);
        }
    }

    fn turn(&mut self, turn: Turn) {
        let seat = turn.seat;
        if !self.state.plays(seat) {
            // Its player left while its turn was open: a garrison claims nothing (§7.3).
            return self.next_turn(Some(seat));
        }
        match self.input.cards.get(&seat) {
            Some(card) => {
                let plan = Plan { card: card.clone(), at: 0, nth: 0, struck: false };
                self.play(turn, plan);
            }
            None => {
                if self.input.sits(seat) == Sits::Player {
                    self.record(Event::Missed(seat));
                }
                self.end_turn(turn);
            }
        }
    }

    /// Plays a card from its current order, until it ends, a guess is needed, or the game is over.
    fn play(&mut self, mut turn: Turn, mut plan: Plan) {
        let entries = self.read(&plan.card);
        let seat = turn.seat;
        while let Some(entry) = entries.get(plan.at) {
            if self.is_over() {
                return;
            }
            if !self.state.plays(seat) {
                // It has wiped itself out.
                return self.next_turn(Some(seat));
            }
            let Ok(order) = &entry.read else {
                plan.at += 1;
                continue;
            };
            match order {
                Order::If(test) => {
                    let holds = self.referee(&mut turn).holds(test);
                    plan.at = if holds { plan.at + 1 } else { entry.next };
                    continue;
                }
                Order::Else => {
                    plan.at = entry.next;
                    continue;
                }
                Order::Pause if turn.part <= self.state.options.instalments_max => {
                    turn.part += 1;
                    self.record(Event::Paused(seat));
                    self.keep(Stage::Turn(turn));
                    return;
                }
                Order::Attack { from, to, numbers, sites } => {
                    if plan.nth == 0 {
                        self.begin_moves(&mut turn);
                    }
                    let target = self.referee(&mut turn).target(*from, *to);
                    let first = plan.nth == 0;
                    match (numbers.get(plan.nth), target) {
                        (Some(draw), Ok(target))
                            if first && !plan.struck && target.refuses(draw) =>
                        {
                            let note = target.too_high(self.state.board.map());
                            self.record(Event::NotDone(seat, entry.line, note.into()));
                        }
                        (Some(draw), Ok(target)) => {
                            plan.struck = true;
                            let order = attack_order(&entries, plan.at);
                            plan.nth += 1;
                            let rest = plan.clone();
                            let attack = Attack { target, draw, order, nth: rest.nth, sites };
                            match self.attack(turn, attack, rest) {
                                Some(back) => turn = back,
                                None => return,
                            }
                            continue;
                        }
                        (Some(_), Err(told)) if first => {
                            self.record(Event::NotDone(seat, entry.line, told.note.into()));
                        }
                        _ => {}
                    }
                    (plan.at, plan.nth) = (plan.at + 1, 0);
                    continue;
                }
                _ => self.plain(&mut turn, order, entry.line),
            }
            plan.at += 1;
        }
        if !self.is_over() {
            self.end_turn(turn);
        }
    }

    fn referee<'r>(&'r mut self, turn: &'r mut Turn) -> Referee<'r> {
        Referee { board: &mut self.state.board, turn, options: &self.state.options }
    }

    /// Plays an order that involves no secret.
    fn plain(&mut self, turn: &mut Turn, order: &Order, line: u32) {
        let seat = turn.seat;
        let done = match order {
            Order::FireH { from, to } => {
                self.referee(turn).fire_h(*from, *to).map(|shot| (Event::Shot(seat, shot), None))
            }
            Order::FireA { from, to, sites } => self
                .referee(turn)
                .fire_a(*from, *to, sites)
                .map(|(shot, warning)| (Event::Shot(seat, shot), warning)),
            Order::Put { at, n } => {
                let first = turn.pools.is_none();
                let put = self.referee(turn).put(*at, *n);
                if first {
                    self.record_claim(turn);
                }
                put.map(|(n, warning)| (Event::Placed(seat, vec![(*at, n)], false), warning))
            }
            Order::March { from, to, n } => {
                self.begin_moves(turn);
                let moved = self.referee(turn).march(*from, *to, *n);
                moved.map(|n| (Event::Marched(seat, *from, *to, n), None))
            }
            _ => return,
        };
        match done {
            Ok((event, warning)) => {
                let shot = matches!(event, Event::Shot(..));
                let before = self.state.playing();
                self.record(event);
                if let Some(told) = warning {
                    self.record(Event::NotDone(seat, line, told.note.into()));
                }
                if shot {
                    self.check_end(&before);
                }
            }
            Err(told) => self.record(Event::NotDone(seat, line, told.note.into())),
        }
    }

    /// Counts the empires once, and reports their claims.
    fn claim(&mut self, turn: &mut Turn) {
        if turn.pools.is_some() || turn.phase > super::turn::Phase::Armies {
            return;
        }
        self.referee(turn).claim();
        self.record_claim(turn);
    }

    /// Reports the claims of the empires, if they are counted.
    fn record_claim(&mut self, turn: &Turn) {
        if let Some(pools) = &turn.pools {
            let claimed = pools.iter().map(|p| (p.regions.len() as u32, p.claimed)).collect();
            self.record(Event::Claimed(turn.seat, claimed));
        }
    }

    /// From now on armies move: the robot places the extra armies that are left.
    fn begin_moves(&mut self, turn: &mut Turn) {
        self.claim(turn);
        let placed = self.referee(turn).place_rest();
        if !placed.is_empty() {
            self.record(Event::Placed(turn.seat, placed, true));
        }
    }

    /// Makes one attack: with its number and its guess, or with a question for the guess. Returns
    /// the turn if it goes on.
    fn attack(&mut self, turn: Turn, attack: Attack, rest: Plan) -> Option<Turn> {
        let Attack { target, draw, order, nth, sites } = attack;
        let seat = turn.seat;
        let even = self.state.options.even;
        self.state.attacks += 1;
        let place = [self.state.attacks, seat.0.into()];
        let number = draw.draw(target.bounds, even, self.dice.at(place), "number");
        let seal = number_seal(turn.number, turn.part, order, nth);
        if target.sure {
            return self.strike(turn, target, number, &[], sites);
        }
        let tried = turn.tried.get(&target.to).copied().unwrap_or(0) + 1;
        let region = self.state.board.map().region(target.to);
        let now = Situation {
            region: region.number,
            category: region.category,
            attacker: seat,
            high: target.bounds.high,
            defenders: target.armies.1,
        };
        let played = self.state.plays(target.defender);
        let side = self.state.side(target.defender).filter(|_| played);
        let (policy, line) = guess_of(side, &now);
        let opens = matches!(draw, Draw::Number(_));
        if policy.live {
            let challenge = Challenge {
                target,
                number,
                seal,
                opens,
                nth: tried,
                rest: policy.guess,
                rest_seal: line,
                sites: sites.to_vec(),
                plan: rest,
            };
            self.record(Event::Challenged(seat, target));
            self.keep(Stage::Challenge(turn, Box::new(challenge)));
            return None;
        }
        let guesses = self.guessed(target, &policy.guess, line.as_deref(), tried);
        if opens {
            self.opened.push((seat, seal));
        }
        self.strike(turn, target, number, &guesses, sites)
    }

    /// The guesses of a line; opens the seal of the member of a list that is used.
    fn guessed(
        &mut self,
        target: Target,
        guess: &Guess,
        line: Option<&str>,
        tried: u32,
    ) -> Vec<u32> {
        let (draw, nth) = guess.of(tried);
        let place = [self.state.attacks, target.defender.0.into()];
        let even = self.state.options.even;
        if let (Some(line), Some(nth)) = (line, nth) {
            self.opened.push((target.defender, format!("{line}.{}", nth + 1)));
        }
        draw.guess(target.bounds, even, target.two, self.dice.at(place))
    }

    /// Decides an attack, and checks who is left. Returns the turn if it goes on.
    fn strike(
        &mut self,
        mut turn: Turn,
        target: Target,
        number: u32,
        guesses: &[u32],
        sites: &[Place],
    ) -> Option<Turn> {
        let seat = turn.seat;
        let before = self.state.playing();
        let strike = self.referee(&mut turn).strike(target, number, guesses, sites);
        if let Some(side) = self.state.side_mut(seat) {
            side.attacks.0 += 1;
            side.attacks.1 += u32::from(strike.hit != Hit::Failed);
        }
        self.record(Event::Struck(seat, strike));
        self.check_end(&before);
        match self.is_over() {
            true => None,
            false if !self.state.plays(seat) => {
                self.next_turn(Some(seat));
                None
            }
            false => Some(turn),
        }
    }

    /// Takes the answer to a challenge, or, if there is none, the guess of the line on file.
    fn guess(&mut self, turn: Turn, challenge: Challenge) {
        let Challenge { target, number, seal, opens, nth, rest, rest_seal, sites, plan } =
            challenge;
        let card = self.input.cards.get(&target.defender);
        let answer = card.and_then(|card| {
            self.read(card).into_iter().find_map(|e| match e.read {
                Ok(Order::Answer(numbers)) => Some(numbers),
                _ => None,
            })
        });
        let fits = |n: &u32| target.bounds.numbers().contains(n);
        let most = if target.two { 2 } else { 1 };
        let answer = answer.filter(|a| a.len() <= most && a.iter().all(fits));
        let guesses = match answer {
            Some(guesses) => guesses,
            None => self.guessed(target, &rest, rest_seal.as_deref(), nth),
        };
        if opens {
            self.opened.push((turn.seat, seal));
        }
        if let Some(turn) = self.strike(turn, target, number, &guesses, &sites) {
            self.play(turn, plan);
        }
    }

    /// Ends a turn: extra armies that are left are placed, and the next seat moves.
    fn end_turn(&mut self, mut turn: Turn) {
        self.begin_moves(&mut turn);
        self.next_turn(Some(turn.seat));
    }

    /// Leaves the turn open for the next step; its events so far are reported again at its end.
    fn keep(&mut self, stage: Stage) {
        self.state.earlier.extend(self.events.iter().cloned());
        self.state.stage = stage;
    }

    /// Begins the turn of the next seat that plays.
    fn next_turn(&mut self, after: Option<Seat>) {
        let order = self.state.order.clone();
        let mut at = match after.and_then(|seat| order.iter().position(|s| *s == seat)) {
            Some(at) => at + 1,
            None => 0,
        };
        for _ in 0..=order.len() {
            if at >= order.len() {
                at = 0;
                self.end_round();
                if self.is_over() {
                    return;
                }
            }
            let seat = order[at];
            at += 1;
            if !self.state.plays(seat) {
                continue;
            }
            let Some(side) = self.state.side_mut(seat) else { continue };
            side.turns += 1;
            let turn = Turn::new(seat, side.turns);
            self.state.stage = Stage::Turn(turn);
            return;
        }
        self.end(Why::Nobody, self.state.playing());
    }

    /// Ends a round when everybody has moved.
    fn end_round(&mut self) {
        for seat in self.state.seats() {
            let held = self.state.board.held(seat).count() as u32;
            let armies = self.state.board.total(seat);
            if let Some(side) = self.state.side_mut(seat) {
                side.course.push((held, armies));
            }
        }
        if self.state.options.rounds_max > 0 && self.state.round >= self.state.options.rounds_max {
            let worth =
                |seat: &Seat| (self.state.board.held(*seat).count(), self.state.board.total(*seat));
            let playing = self.state.playing();
            let best = playing.iter().map(worth).max();
            let winners = playing.iter().copied().filter(|s| Some(worth(s)) == best).collect();
            self.end(Why::Rounds, winners);
            return;
        }
        self.state.round += 1;
    }

    /// Removes seats without armies from the game; a single remaining player has won (§11).
    /// `before`: those who played before an explosion or an attack.
    fn check_end(&mut self, before: &[Seat]) {
        if self.is_over() {
            return;
        }
        let step = self.state.step;
        for seat in self.state.seats() {
            let lives = self.state.board.lives(seat);
            let out = self.state.side_mut(seat).filter(|s| s.out.is_none() && !lives);
            if let Some(side) = out {
                side.out = Some(step);
                self.record(Event::Out(seat));
            }
        }
        match self.state.playing().as_slice() {
            [] if before.is_empty() => {
                // No player is left: those who left last share the result.
                let left = self.state.sides.iter().filter_map(|s| s.left).max();
                let last = |s: &Seat| {
                    self.state.side(*s).is_some_and(|side| side.out.is_none() && side.left == left)
                };
                let winners = self.state.seats().filter(last).collect();
                self.end(Why::Nobody, winners);
            }
            [] => self.end(Why::Nobody, before.to_vec()),
            [one] => self.end(Why::Last, vec![*one]),
            _ => {}
        }
    }

    /// Ends the game if all players vote for a draw.
    fn votes(&mut self) {
        if self.is_over() || matches!(self.state.stage, Stage::Draft(_)) {
            return;
        }
        let playing = self.state.playing();
        if playing.iter().all(|seat| self.state.side(*seat).is_some_and(|s| s.draw)) {
            self.end(Why::Votes, playing);
        }
    }

    fn end(&mut self, why: Why, winners: Vec<Seat>) {
        let end = End { why, winners };
        self.record(Event::Ended(end.clone()));
        self.state.stage = Stage::Over(end);
    }
}

/// One attack of an order.
struct Attack<'a> {
    target: Target,
    draw: &'a Draw,
    /// The number of its order among the attack orders of the card, from 1.
    order: usize,
    /// The number of the attack within its order, from 1.
    nth: usize,
    sites: &'a [Place],
}

/// The number of an entry among the attack orders of a card, from 1.
pub fn attack_order(entries: &[Entry], at: usize) -> usize {
    let attacks = entries.iter().take(at + 1);
    attacks.filter(|e| matches!(e.read, Ok(Order::Attack { .. }))).count()
}
