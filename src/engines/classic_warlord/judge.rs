//! The judgement of a card by what its seat knows (§9).
//!
//! Up to the first attack the referee of the step plays the card on the view. What follows depends
//! on secrets, so the judgement says only that it applies if it still can.

use std::collections::BTreeSet;

use engine::report::{Align, Block, Section, Table};
use engine::{
    CardText, Cards, JudgedLine, Judgement, MapPicture, Mark, Seal, Seat, Told, Topic, press,
};
use tongue::{count, say};

use super::board::Board;
use super::map::Place;
use super::numbers::{Draw, Guess};
use super::orders::{self, Entry, Order};
use super::step::{attack_order, guess_seal, number_seal};
use super::tables::{Draft as How, Options};
use super::turn::{Hit, Phase, Placed, Pool, Referee, Shot, Target, Turn};
use super::view::{Scene, View};
use crate::state::State;
use crate::{ClassicWarlord, picture};

impl Cards for ClassicWarlord {
    fn starts_order(line: &str) -> bool {
        orders::starts_order(line)
    }

    fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
        judge(view, card, ahead)
    }

    fn press(_: Option<&State>) -> bool {
        true
    }

    fn help(_: Option<&State>) -> Vec<Topic> {
        orders::help()
    }

    fn sketch(view: &View, card: &CardText) -> Option<MapPicture> {
        picture::sketch(view, &marches(view, card))
    }
}

/// Judges a card.
pub fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
    let entries = orders::read(view.board.map(), &view.options, card);
    let mut judge = Judge { view, ahead, told: vec![None; entries.len()], forecast: Vec::new() };
    judge.others(&entries);
    let mine = view.own_turn().filter(|_| ahead == 0);
    match mine {
        Some(turn) => judge.turn(&entries, turn.clone()),
        None => judge.held(&entries),
    }
    let told = |line: u32, text: &str| {
        let of = entries.iter().position(|e| e.line == line);
        let told = match of.map(|at| (&entries[at].read, &judge.told[at])) {
            None => Told::remark(""),
            Some((Err(told), _)) => told.clone(),
            Some((Ok(_), Some(told))) => told.clone(),
            Some((Ok(_), None)) => Told::ok(""),
        };
        JudgedLine { line, text: text.to_owned(), mark: told.mark, note: told.note }
    };
    let lines: Vec<JudgedLine> = card.lines.iter().map(|(line, text)| told(*line, text)).collect();
    // A player who chose a number that is not allowed may still choose another one.
    let lowered = judge.told.iter().flatten().any(|t| t.code == LOWERED);
    let right = !lowered && lines.iter().all(|l| l.mark != Mark::Error);
    let any = |of: fn(&Order) -> bool| {
        entries.iter().zip(&judge.told).any(|(e, told)| {
            let wrong = told.as_ref().is_some_and(|t| t.mark == Mark::Error);
            e.read.as_ref().is_ok_and(of) && !wrong
        })
    };
    let answers = view.asked().is_some() && any(|o| matches!(o, Order::Answer(_)));
    let wishes = view.picks() && any(|o| matches!(o, Order::Prefer(_)));
    let plays = mine.is_some() && any(Order::is_of_turn);
    let ready = ahead == 0 && (answers || right && (wishes || plays));
    Judgement { lines, forecast: judge.forecast, seals: seals(view, &entries, ahead), ready }
}

/// The marches, attacks and shots of a card, each as a pair of regions; lines with a fault are left
/// out.
pub fn marches(view: &View, card: &CardText) -> Vec<(Place, Place)> {
    let judged = judge(view, card, 0);
    let wrong = judged.lines.iter().filter(|l| l.mark == Mark::Error).map(|l| l.line);
    let wrong: BTreeSet<u32> = wrong.collect();
    let mut marches = Vec::new();
    for entry in orders::read(view.board.map(), &view.options, card) {
        marches.extend(match entry.read {
            Ok(
                Order::March { from, to, .. }
                | Order::Attack { from, to, .. }
                | Order::FireA { from, to, .. }
                | Order::FireH { from, to },
            ) if from != to && !wrong.contains(&entry.line) => Some((from, to)),
            _ => None,
        });
    }
    marches.sort_unstable();
    marches.dedup();
    marches
}

struct Judge<'a> {
    view: &'a View,
    ahead: u32,
    /// The verdict on each order; `None`: it is fine.
    told: Vec<Option<Told>>,
    forecast: Vec<Section>,
}

impl Judge<'_> {
    /// Judges orders that are not part of a turn.
    fn others(&mut self, entries: &[Entry]) {
        let mut wished = BTreeSet::new();
        let (mut depth, mut answered) = (0, false);
        for (at, entry) in entries.iter().enumerate() {
            let Ok(order) = &entry.read else { continue };
            self.told[at] = match order {
                Order::If(_) => {
                    depth += 1;
                    None
                }
                Order::Fi => {
                    depth -= 1;
                    None
                }
                Order::Prefer(_) if !matches!(self.view.scene, Scene::Draft(_)) => {
                    Some(Told::error("draft-over", say!("all mountains of the start are taken")))
                }
                Order::Prefer(places) => {
                    let again = places.iter().find(|p| !wished.insert(**p));
                    again.map(|p| {
                        let place = self.view.board.map().called(*p);
                        Told::warning("twice", say!("{place} is named twice"))
                    })
                }
                Order::Answer(_) if answered => {
                    Some(Told::error("first", say!("only the first Q of a card counts")))
                }
                Order::Answer(numbers) => {
                    answered = true;
                    Some(self.answer(numbers))
                }
                Order::Policy(_) | Order::Vote(_) => self.filed(&entries[at..], entries, depth > 0),
                Order::Press(block) => {
                    let view = self.view;
                    let told =
                        press::letter(block, view.seat, view.seats(), view.options.limits.letter());
                    Some(match told {
                        Ok(_) if depth > 0 => in_a_block(),
                        Ok((_, told)) | Err(told) => told,
                    })
                }
                _ => None,
            };
        }
        self.wishes(entries);
    }

    /// Notes a list of wishes that is shorter than what its seat will get: the rest is chosen for
    /// it.
    fn wishes(&mut self, entries: &[Entry]) {
        let Scene::Draft(draft) = &self.view.scene else { return };
        let list = |entry: &Entry| match &entry.read {
            Ok(Order::Prefer(places)) => Some(places.clone()),
            _ => None,
        };
        let wished: Vec<Place> = entries.iter().filter_map(list).flatten().collect();
        let last = entries.iter().rposition(|e| list(e).is_some());
        let Some(last) = last.filter(|_| self.view.options.draft == How::List) else { return };
        let takes = draft.foreseen(&self.view.board, self.view.seat, &wished);
        if self.told[last].is_none() && wished.len() < takes {
            self.told[last] = Some(Told::ok(count!(
                n = wished.len(),
                both: "your list has {n}, and you will take about {takes}: behind its end the lowest \
                 numbers that are free"
            )));
        }
    }

    /// The note on a line of guesses or a vote, which is the first of the entries `from`: other
    /// lines of the card may overrule it.
    fn filed(&self, from: &[Entry], all: &[Entry], in_block: bool) -> Option<Told> {
        let (first, below) = from.split_first()?;
        let below = || below.iter().filter_map(|e| e.read.as_ref().ok());
        let order = first.read.as_ref().ok()?;
        let most = self.view.options.limits.policies;
        match order {
            Order::Vote(draw) => {
                let otherwise = |o: &Order| matches!(o, Order::Vote(other) if other != draw);
                if below().any(otherwise) {
                    let note = say!("does not count: a later line of this card votes otherwise");
                    return Some(Told::warning("overruled", note));
                }
            }
            Order::Policy(Some(_)) => {
                if below().any(|o| matches!(o, Order::Policy(None))) {
                    let note = say!("does not count: G 0 below takes it off file again");
                    return Some(Told::warning("overruled", note));
                }
                let above = &all[..all.len() - from.len()];
                let above = above.iter().rev().filter_map(|e| match &e.read {
                    Ok(Order::Policy(policy)) => Some(policy),
                    _ => None,
                });
                if above.take_while(|policy| policy.is_some()).count() >= most {
                    let note = say!("does not count: at most {most} lines of guesses are on file");
                    return Some(Told::warning("too-many", note));
                }
            }
            Order::Policy(None) => {
                let more = below().any(|o| matches!(o, Order::Policy(Some(_))));
                let note = match more {
                    true => say!("of your guesses, only those of the lines below are on file"),
                    false => say!("no guesses on file any more; E is guessed"),
                };
                return Some(Told::ok(note));
            }
            _ => {}
        }
        match order {
            _ if in_block => Some(in_a_block()),
            Order::Vote(true) => Some(Told::ok(say!("everybody sees that you vote for a draw"))),
            _ => None,
        }
    }

    fn answer(&self, numbers: &[u32]) -> Told {
        let Some(asked) = self.view.asked().filter(|_| self.ahead == 0) else {
            return Told::error("nobody-asks", say!("nobody waits for your guess"));
        };
        let (bounds, two) = (asked.target.bounds, asked.target.two);
        if numbers.iter().any(|n| !bounds.numbers().contains(n)) {
            return Told::error("out-of-bounds", say!("the number was {bounds}"));
        }
        if numbers.len() > 1 && !two {
            return Told::error("one-guess", say!("you have one guess: Q and one number"));
        }
        Told::ok(say!("the attack is decided with it at once"))
    }

    /// Judges orders for a turn that is not now.
    fn held(&mut self, entries: &[Entry]) {
        let why = match (&self.view.scene, self.view.to_move()) {
            _ if self.ahead > 0 => say!("held: they wait for your turn"),
            (Scene::Over(_), _) => say!("held: the game is over"),
            (_, Some(seat)) if seat == self.view.seat => say!(
                "held: your turn goes on when the guess is there, with the card that you have \
                 sent; this one waits for what comes then"
            ),
            (_, Some(seat)) => say!("held: it is seat {seat}'s turn; your orders wait for yours"),
            (_, None) => say!("held: mountains come first; your orders wait for your turn"),
        };
        for (at, entry) in entries.iter().enumerate() {
            if entry.read.as_ref().is_ok_and(Order::is_of_turn) && self.told[at].is_none() {
                self.told[at] = Some(Told::warning("held", why.clone()));
            }
        }
    }

    /// Plays the card as far as its effects are certain.
    fn turn(&mut self, entries: &[Entry], turn: Turn) {
        let began = turn.phase;
        let mut paper = Paper {
            board: self.view.board.clone(),
            parts: turn.part,
            ordered: turn.pools.clone().unwrap_or_default(),
            turn,
            stop: Stop::End,
        };
        paper.ordered.iter_mut().for_each(|pool| pool.claimed -= pool.left);
        let mut done = vec![false; entries.len()];
        let mut at = 0;
        while let Some(entry) = entries.get(at).filter(|_| paper.stop == Stop::End) {
            done[at] = true;
            let Ok(order) = &entry.read else {
                at += 1;
                continue;
            };
            let goes_on = match order {
                Order::If(test) => paper.referee(&self.view.options).holds(test),
                order => *order != Order::Else,
            };
            if !goes_on {
                at = entry.next;
                continue;
            }
            if let Some(told) = self.tried(&mut paper, order) {
                self.told[at] = Some(told);
            }
            at += 1;
        }
        let (mut depth, mut below, mut parts) = (0, false, paper.parts);
        for (n, entry) in entries.iter().enumerate() {
            let Ok(order) = &entry.read else { continue };
            let behind = n >= at;
            if !done[n] && order.is_of_turn() && self.told[n].is_none() {
                self.told[n] = Some(match &paper.stop {
                    _ if below => below_z(),
                    Stop::Attack if behind && *order == Order::Pause && depth == 0 => {
                        let told = pause(&mut parts, self.view.options.instalments_max);
                        below = told.mark != Mark::Error;
                        told
                    }
                    Stop::Attack if behind => self.later(n, entries, (&paper.board, &paper.turn)),
                    Stop::Pause if behind => below_z(),
                    Stop::Over(note) if behind => Told::warning("over", note.clone()),
                    _ => Told::ok(say!("not done as things stand")),
                });
            }
            match order {
                Order::If(_) => depth += 1,
                Order::Fi => depth -= 1,
                _ => {}
            }
        }
        self.foresee(paper, began);
    }

    /// Tries an order of the turn on the copy of the board. Returns the verdict.
    fn tried(&self, paper: &mut Paper, order: &Order) -> Option<Told> {
        let options = &self.view.options;
        match order {
            Order::Pause => {
                let told = pause(&mut paper.parts, options.instalments_max);
                if told.mark != Mark::Error {
                    paper.stop = Stop::Pause;
                }
                Some(told)
            }
            Order::Attack { from, to, numbers, .. } => {
                let mut referee = paper.referee(options);
                let placed = referee.place_rest();
                let target = referee.target(*from, *to);
                let told = match target {
                    Err(told) => told,
                    Ok(target) if numbers.first().is_some_and(|n| target.refuses(n)) => {
                        Told::error("number", target.too_high(self.view.board.map()))
                    }
                    Ok(target) => {
                        paper.stop = Stop::Attack;
                        Told::ok(announced(&target))
                    }
                };
                Some(self.with_placed(told, &placed))
            }
            _ => {
                let told = self.plain(paper, order)?;
                let fires = matches!(order, Order::FireA { .. } | Order::FireH { .. });
                if fires && told.mark != Mark::Error {
                    paper.stop = self.left(&paper.board);
                }
                Some(told)
            }
        }
    }

    /// Whether an explosion has ended the turn or the game.
    fn left(&self, board: &Board) -> Stop {
        let lives = |seat: &Seat| self.view.plays(*seat) && board.lives(*seat);
        match self.view.seats().filter(lives).count() {
            _ if !lives(&self.view.seat) => {
                Stop::Over(say!("not done: you have no army left then"))
            }
            0 | 1 => Stop::Over(say!("not done: the game is over then")),
            _ => Stop::End,
        }
    }

    /// The verdict on an order after an attack. If no other order of the card enters one of its two
    /// regions or leaves its goal, an order that is impossible now stays impossible, because the
    /// armies there can only become fewer.
    fn later(&self, at: usize, entries: &[Entry], (board, turn): (&Board, &Turn)) -> Told {
        let unknown = || Told::ok(say!("ok if it still applies"));
        let ends = |entry: &Entry| match &entry.read {
            Ok(Order::March { from, to, .. } | Order::Attack { from, to, .. }) => {
                Some((*from, *to))
            }
            _ => None,
        };
        let Some((from, to)) = ends(&entries[at]) else {
            // Armies move from the first attack on, so bombs come too late.
            return match &entries[at].read {
                Ok(Order::FireA { .. } | Order::FireH { .. }) => {
                    Told::error("phase", say!("bombs are over once armies move"))
                }
                Ok(Order::Put { .. }) => {
                    Told::error("phase", say!("extra armies are placed before armies move"))
                }
                _ => unknown(),
            };
        };
        let (mut board, mut turn, options) = (board.clone(), turn.clone(), &self.view.options);
        let mut referee = Referee { board: &mut board, turn: &mut turn, options };
        if let Err(told) = referee.must_touch(from, to) {
            return told;
        }
        let others = entries.iter().enumerate().filter(|(n, _)| *n != at);
        let mut others = others.filter_map(|(_, entry)| ends(entry));
        if others.any(|(left, reached)| left == to || reached == to || reached == from) {
            return unknown();
        }
        let wrong = match &entries[at].read {
            Ok(Order::March { n, .. }) => referee.march(from, to, *n).err(),
            Ok(Order::Attack { numbers, .. }) => match referee.target(from, to) {
                Err(told) => Some(told),
                Ok(target) if numbers.first().is_some_and(|n| target.refuses(n)) => {
                    let most = target.bounds.high;
                    let note = say!("ok if it still applies, with a number of {most} at most");
                    Some(Told::warning(LOWERED, note))
                }
                Ok(_) => None,
            },
            _ => None,
        };
        wrong.unwrap_or_else(unknown)
    }

    /// Plays an order that involves no secret.
    fn plain(&self, paper: &mut Paper, order: &Order) -> Option<Told> {
        let map = self.view.board.map();
        let Paper { board, turn, ordered, .. } = paper;
        let referee = &mut Referee { board, turn, options: &self.view.options };
        let done = match order {
            Order::FireH { from, to } => {
                referee.fire_h(*from, *to).map(|shot| Told::ok(self.shot(&shot)))
            }
            Order::FireA { from, to, sites } => {
                referee.fire_a(*from, *to, sites).map(|(shot, warning)| match warning {
                    Some(told) => {
                        Told { note: format!("{}; {}", told.note, self.shot(&shot)), ..told }
                    }
                    None => Told::ok(self.shot(&shot)),
                })
            }
            Order::Put { at, n } => referee.put(*at, *n).map(|(n, warning)| {
                ordered.push(Pool { regions: vec![*at], claimed: n, left: 0 });
                let (place, armies) = (map.called(*at), referee.board.armies(*at));
                warning.unwrap_or_else(|| Told::ok(say!("{place} has {armies}")))
            }),
            Order::March { from, to, n } => {
                let placed = referee.place_rest();
                let told = referee.march(*from, *to, *n).map(|n| {
                    let left = referee.board.armies(*from);
                    Told::ok(say!("{n} to {place}, {left} stay", place = map.called(*to)))
                });
                Ok(self.with_placed(told.unwrap_or_else(|told| told), &placed))
            }
            _ => return None,
        };
        Some(done.unwrap_or_else(|told| told))
    }

    /// The effect of a shot, in words.
    fn shot(&self, shot: &Shot) -> String {
        let map = self.view.board.map();
        let lost = shot.lost();
        let own = lost.get(&self.view.seat).copied().unwrap_or(0);
        let others: u32 = lost.iter().filter(|(s, _)| **s != self.view.seat).map(|l| l.1).sum();
        let text = say!(
            "{place}: {splats} radioactive, {devastated} devastated; armies lost: {own} of yours, \
             {others} of others",
            place = map.called(shot.to),
            splats = shot.splats.len(),
            devastated = shot.devastated.len()
        );
        match shot.unit {
            None => text,
            Some(at) => say!("{text}; H-unit on {place}", place = map.called(at)),
        }
    }

    /// Adds to a verdict the extra armies that the robot places before this line.
    fn with_placed(&self, told: Told, placed: &Placed) -> Told {
        if placed.is_empty() {
            return told;
        }
        let placed = put_words(self.view, placed);
        match told.mark {
            Mark::Ok => Told::warning("placed", say!("{placed} first; {note}", note = told.note)),
            _ => Told { note: say!("{note}; {placed} first", note = told.note), ..told },
        }
    }

    /// Reports the position before the first attack; `began` is the phase in which this card began.
    fn foresee(&mut self, paper: Paper, began: Phase) {
        let Paper { mut board, mut turn, stop, ordered, .. } = paper;
        let options = &self.view.options;
        let mut blocks = Vec::new();
        let mut referee = Referee { board: &mut board, turn: &mut turn, options };
        let places = began < Phase::Moves && !matches!(stop, Stop::Over(_));
        let claimed = if places { referee.claim().clone() } else { Vec::new() };
        let left: u32 = claimed.iter().map(|pool| pool.left).sum();
        if stop == Stop::Pause && left > 0 {
            let words = say!("Extra armies for the next part, as things stand: {left}.");
            blocks.push(Block::Para(words.into()));
        }
        if places && stop != Stop::Pause {
            let placed = referee.place_rest();
            if !placed.is_empty() {
                let placed = put_words(self.view, &placed);
                let words = say!("Left over and placed by the robot: {placed}.");
                blocks.push(Block::Para(words.into()));
            }
        }
        let map = self.view.board.map();
        let row = |empire: Vec<Place>| {
            let at = |p: &Place| format!("{} ({})", map.region(*p).number, board.armies(*p));
            // One empire may have grown from several that had claimed armies.
            let of = |pools: &[Pool]| -> u32 {
                let here = pools.iter().filter(|p| p.regions.iter().any(|r| empire.contains(r)));
                here.map(|p| p.claimed).sum()
            };
            let mut most: Vec<&Place> = empire.iter().collect();
            most.sort_by_key(|p| (std::cmp::Reverse(board.armies(**p)), **p));
            let strongest: Vec<String> = most.iter().take(4).map(|p| at(p)).collect();
            let mut row = vec![empire.len().to_string()];
            if places {
                row.extend([of(&claimed), of(&ordered)].map(|n| n.to_string()));
            }
            row.push(strongest.join(", "));
            row
        };
        let mut columns = vec![(say!("Regions"), Align::Right)];
        if places {
            columns.extend([(say!("Extra"), Align::Right), (say!("Ordered"), Align::Right)]);
        }
        columns.push((say!("Most armies on"), Align::Left));
        let rows: Vec<Vec<String>> = board.empires(self.view.seat).into_iter().map(row).collect();
        if !rows.is_empty() {
            blocks.push(Block::Table(Table::new(columns, rows)));
        }
        let heading = say!("Your empires, as far as this card is certain");
        self.forecast.push(Section { heading, blocks });
    }
}

/// How far a card is played in the trial run.
#[derive(Debug, PartialEq, Eq)]
enum Stop {
    /// It is played to its end.
    End,
    /// The result of an attack is secret.
    Attack,
    /// The part ends.
    Pause,
    /// The turn or the game is over, with the text for the remaining lines.
    Over(String),
}

/// A card that is played in a trial run.
struct Paper {
    board: Board,
    turn: Turn,
    /// The current part, from 1.
    parts: u8,
    stop: Stop,
    /// Extra armies that the player has placed, and where.
    ordered: Vec<Pool>,
}

impl Paper {
    fn referee<'a>(&'a mut self, options: &'a Options) -> Referee<'a> {
        Referee { board: &mut self.board, turn: &mut self.turn, options }
    }
}

/// The code of an attack whose number will be lowered.
const LOWERED: &str = "lowered";

/// The known facts of an attack before it is decided.
fn announced(target: &Target) -> String {
    let ((here, there), bounds) = (target.armies, target.bounds);
    match (target.sure, bounds.numbers().count()) {
        (true, _) => say!("{here} against {there}: it succeeds without a guess"),
        (false, n @ 2..) if target.two => say!(
            "{here} against {there}, number {bounds}: two guesses without a hint find it 2 times \
             in {n}"
        ),
        (false, n) => say!(
            "{here} against {there}, number {bounds}: a guess without a hint finds it once in {n}"
        ),
    }
}

/// The note on a line below the end of a part.
fn below_z() -> Told {
    Told::warning("below-z", say!("not done: send it with the next part"))
}

/// A pause, if another part is allowed.
fn pause(parts: &mut u8, most: u8) -> Told {
    if *parts > most {
        return Told::error("parts", say!("a turn has at most {most} instalments"));
    }
    *parts += 1;
    Told::ok(say!("this part ends here; a printout comes at once, and you go on with another card"))
}

fn in_a_block() -> Told {
    Told::warning("in-a-block", say!("counts whatever the test of IF says"))
}

/// The armies that the robot places, in words.
pub fn put_words(view: &View, placed: &Placed) -> String {
    let map = view.board.map();
    let put = |(at, n): &(Place, u32)| say!("{n} put on {place}", place = map.region(*at).number);
    placed.iter().map(put).collect::<Vec<_>>().join(", ")
}

/// The texts to which a card commits its seat, the same in every language: each secret number, each
/// guess of a line and the line itself (§7.2).
fn seals(view: &View, entries: &[Entry], ahead: u32) -> Vec<Seal> {
    let map = view.board.map();
    // Waiting orders are for the next turn of the seat.
    let begun = view.side(view.seat).map_or(0, |s| s.turns);
    let (turn, part) = match view.own_turn().filter(|_| ahead == 0) {
        Some(turn) => (turn.number, turn.part),
        None => (begun + 1, 1),
    };
    let step = view.step + ahead;
    let mut seals = Vec::new();
    let mut lines = 0;
    for (at, entry) in entries.iter().enumerate() {
        match &entry.read {
            Ok(Order::Attack { from, to, numbers, .. }) => {
                let order = attack_order(entries, at);
                let (from, to) = (map.region(*from).number, map.region(*to).number);
                for (nth, draw) in (1..).zip(numbers) {
                    let word = if matches!(draw, Draw::Number(_)) { "number" } else { "drawn by" };
                    let text = format!("{from} attacks {to}: {word} {draw}");
                    seals.push(Seal { key: number_seal(turn, part, order, nth), text });
                }
            }
            Ok(Order::Policy(policy)) => {
                lines += 1;
                let Some(policy) = policy else { continue };
                let key = guess_seal(step, lines, None);
                seals.push(Seal { key, text: policy.to_string() });
                if let Guess::List(list) = &policy.guess {
                    for (nth, n) in list.iter().enumerate() {
                        let key = guess_seal(step, lines, Some(nth));
                        seals.push(Seal { key, text: format!("guess {n}") });
                    }
                }
            }
            _ => {}
        }
    }
    seals
}

/// The result of an attack in words.
pub fn outcome(hit: Hit) -> String {
    match hit {
        Hit::Failed => say!(attack: "guessed"),
        Hit::Won => say!(attack: "won"),
        Hit::Captured => say!(attack: "captured"),
    }
}
