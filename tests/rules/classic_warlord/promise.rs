//! Generated cards of one seat: compares the promises of their echo with the step.

use std::collections::BTreeMap;

use classic_warlord::ClassicWarlord;
use classic_warlord::board::{Bomb, Kind};
use classic_warlord::map::Place;
use classic_warlord::state::{Event, Stage, State};
use classic_warlord::turn::{Shot, Turn};
use engine::report::{Block, Line, Span};
use engine::{BySeat, CardText, Cards, Dice, Input, JudgedLine, Judgement, Mark, Rules, Seat};

use crate::chance::Chance;
use crate::scene::Scene;

pub const ME: Seat = Seat(1);

/// A board in the middle of a game: armies and bombs of three seats mixed.
pub fn crowd(chance: &mut Chance) -> State {
    let terrain = if chance.one_in(2) { "classic" } else { "plain" };
    let seats = if chance.one_in(3) { 2 } else { 3 };
    let mut scene = Scene::with(seats, &[("boards", "5"), ("terrain", terrain)]);
    let places: Vec<Place> = scene.state.board.map().places().collect();
    let few = chance.one_in(4);
    let last = chance.one_in(3).then(|| *chance.of(&places));
    for at in places {
        if !chance.one_in(if few { 9 } else { 2 }) {
            continue;
        }
        // Sometimes the others are only in one corner, and an explosion ends the game.
        let near = |c: Place| c == at || scene.state.board.map().near(c).any(|p| p == at);
        let mine = chance.one_in(2) || last.is_some_and(|c| !near(c));
        let seat = if mine { 1 } else { 2 + chance.below(u64::from(seats) - 1) as u8 };
        let seat = Seat(seat);
        scene.state.board.set(at, seat, 1 + chance.below(6) as u32);
        if chance.one_in(4) {
            let kind = if chance.one_in(2) { Kind::A } else { Kind::H };
            let units = 1 + chance.below(if last.is_some() { 12 } else { 3 }) as u32;
            scene.state.board.site(at, Some(Bomb { kind, units }));
        }
    }
    scene.turn_of(1).state
}

fn region(state: &State, at: Place) -> u16 {
    state.board.map().region(at).number
}

/// Mostly a region of the seat and one next to it.
fn pair(state: &State, chance: &mut Chance) -> (u16, u16) {
    let map = state.board.map();
    let all: Vec<Place> = map.places().collect();
    let own: Vec<Place> = state.board.held(ME).collect();
    let from = if own.is_empty() || chance.one_in(9) { *chance.of(&all) } else { *chance.of(&own) };
    let around: Vec<Place> = map.near(from).collect();
    let to =
        if around.is_empty() || chance.one_in(9) { *chance.of(&all) } else { *chance.of(&around) };
    (region(state, from), region(state, to))
}

fn line(state: &State, chance: &mut Chance) -> String {
    let (from, to) = pair(state, chance);
    let (_, site) = pair(state, chance);
    let n = 1 + chance.below(5);
    let n = if chance.one_in(5) { "*".to_owned() } else { n.to_string() };
    match chance.below(30) {
        0 => format!("H {from} {to}"),
        1 | 2 => format!("A {from} {to} {from} {site}"),
        3..=7 => format!("P {from} {n}"),
        8..=16 => format!("M {from} {to} {n}"),
        17..=20 => format!(
            "K {from} {to} {}",
            chance.of(&["1", "2", "3", "E", "U", "3:2:1", "6", "2 1 1", "9"])
        ),
        21 => format!("K {from} {to} 1 @ {site}"),
        22 => format!("V {}", chance.of(&["DRAW", "NODRAW"])),
        23 => format!(
            "G {} {}",
            chance.of(&["*", "501", "Y", "M4", "P2", "D2 LIVE"]),
            chance.of(&["E", "3", "3/1", "7"])
        ),
        24 => "G 0".to_owned(),
        25 => "Z".to_owned(),
        26 => format!("M {from} {to} 0"),
        27 => bomb(state, chance),
        28 => format!("Q {}", chance.below(7)),
        _ => format!("X {from}"),
    }
}

/// A bomb of the seat on a region of another.
fn bomb(state: &State, chance: &mut Chance) -> String {
    let board = &state.board;
    let sites: Vec<Place> = board.held(ME).filter(|p| board.bomb(*p).is_some()).collect();
    let others: Vec<Place> =
        board.map().places().filter(|p| board.owner(*p).is_some_and(|s| s != ME)).collect();
    if sites.is_empty() || others.is_empty() {
        return "S 501".to_owned();
    }
    let (from, to) = (*chance.of(&sites), *chance.of(&others));
    let (from_number, to) = (region(state, from), region(state, to));
    match board.bomb(from) {
        Some(Bomb { kind: Kind::A, .. }) => format!("A {from_number} {to} {from_number}"),
        _ => format!("H {from_number} {to}"),
    }
}

/// Bombs, armies and moves mostly in their order, with blocks.
pub fn card(state: &State, chance: &mut Chance) -> String {
    let mut lines = Vec::new();
    for _ in 0..1 + chance.below(9) {
        match chance.below(14) {
            0 => {
                let (at, _) = pair(state, chance);
                let test = *chance.of(&["W", "C", "L", "!W", "N", "O"]);
                lines.push(match test {
                    "N" => format!("IF N {at} > {}", chance.below(4)),
                    "O" => format!("IF O {at} {}", chance.below(3)),
                    test => format!("IF {test}"),
                });
                lines.push(line(state, chance));
                if chance.one_in(2) {
                    lines.push("ELSE".to_owned());
                    lines.push(line(state, chance));
                }
                if !chance.one_in(12) {
                    lines.push("FI".to_owned());
                }
            }
            _ => lines.push(line(state, chance)),
        }
    }
    if chance.one_in(2) {
        let phase = |l: &String| match l.chars().next() {
            Some('H') => 0,
            Some('A') => 1,
            Some('P') => 2,
            _ => 3,
        };
        if !lines.iter().any(|l| l.starts_with("IF")) {
            lines.sort_by_key(phase);
        }
    }
    lines.join("\n")
}

pub fn step(state: &State, card: Option<&str>) -> (State, Vec<Event>) {
    let cards: BySeat<CardText> = card.map(|c| (ME, CardText::new(c))).into_iter().collect();
    let input = Input { cards: &cards, seats: &BySeat::new() };
    let done = ClassicWarlord::step(state.clone(), &input, &mut Dice::new(7));
    (done.state, done.events)
}

pub fn judged(state: &State, card: &str) -> Judgement {
    let view = ClassicWarlord::view(state, &[], ME);
    ClassicWarlord::judge(&view, &CardText::new(card), 0)
}

pub struct Played<'a> {
    pub before: &'a State,
    pub after: State,
    pub events: Vec<Event>,
    pub card: &'a str,
    pub judged: Judgement,
    pub faults: Vec<String>,
    pub compared: BTreeMap<&'static str, usize>,
}

fn words(line: &Line) -> String {
    let word = |span: &Span| match span {
        Span::Plain(text) | Span::Chosen(text) => text.clone(),
        _ => String::new(),
    };
    line.0.iter().map(word).collect::<String>().replace('\u{a0}', " ")
}

/// Whether the words of an echo make no promise.
fn held_back(note: &str) -> bool {
    ["if it still applies", "not done", "does not count"].iter().any(|w| note.contains(w))
}

impl<'a> Played<'a> {
    pub fn of(before: &'a State, card: &'a str) -> Self {
        let (after, events) = step(before, Some(card));
        let judged = judged(before, card);
        Self { before, after, events, card, judged, faults: Vec::new(), compared: BTreeMap::new() }
    }

    fn must(&mut self, kind: &'static str, holds: bool, told: impl FnOnce() -> String) {
        *self.compared.entry(kind).or_default() += 1;
        if !holds {
            self.faults.push(format!("{kind}: {}", told()));
        }
    }

    pub fn compare(&mut self) {
        self.errors();
        self.deeds();
        self.filed();
        self.forecast();
    }

    /// Lines marked as errors change nothing.
    fn errors(&mut self) {
        let kept =
            self.judged.lines.iter().filter(|l| l.mark != Mark::Error || l.note.contains("put on"));
        let lean: Vec<String> = kept.map(|l| l.text.clone()).collect();
        let (other, _) = step(self.before, Some(&lean.join("\n")));
        // A wrong line before which armies are placed says so, and counts the empires.
        let key = |s: &State| {
            let sides = s.sides.iter().map(|s| (s.draw, s.policies.len(), s.attacks));
            format!("{:?}", (&s.board, s.to_move(), sides.collect::<Vec<_>>()))
        };
        let same = key(&other) == key(&self.after);
        self.must("errors", same, || lean.join(" / "));
    }

    /// Whether another part may follow.
    fn may_pause(&self) -> bool {
        let most = self.before.options.instalments_max;
        matches!(&self.before.stage, Stage::Turn(turn) if turn.part <= most)
    }

    /// The board after the lines before and with this one.
    fn with_line(&self, n: usize) -> State {
        let lines: Vec<&str> = self.card.lines().take(n + 1).chain(["Z"]).collect();
        step(self.before, Some(&lines.join("\n"))).0
    }

    /// The step did what the lines say, in their order, and nothing else.
    fn deeds(&mut self) {
        let mut depth = 0;
        let mut events = self.events.clone().into_iter().filter(|e| {
            let placed = matches!(e, Event::Placed(_, _, false));
            placed || matches!(e, Event::Shot(..) | Event::Marched(..) | Event::Struck(..))
        });
        let mut open = false;
        for (n, line) in self.judged.lines.clone().into_iter().enumerate() {
            let word = line.text.split(' ').next().unwrap_or_default();
            match word {
                "IF" => depth += 1,
                "FI" => depth -= 1,
                _ => {}
            }
            open |= line.note.contains("if it still applies");
            let counts = line.mark != Mark::Error && !held_back(&line.note);
            match word {
                "P" | "M" | "A" | "H" if counts => {
                    let event = events.next();
                    self.deed(&line, event.as_ref());
                    if depth == 0 && self.may_pause() {
                        self.stands(n, &line);
                    }
                }
                "K" if counts => {
                    open = true;
                    let event = events.next();
                    self.attack(&line, event.as_ref());
                }
                _ => {}
            }
        }
        let more: Vec<Event> = events.collect();
        self.must("nothing else", open || more.is_empty(), || format!("{more:?}"));
    }

    fn number(&self, at: Place) -> u16 {
        region(self.before, at)
    }

    /// One line without a secret, and its result.
    fn deed(&mut self, line: &JudgedLine, event: Option<&Event>) {
        let (first, second) = ends(&line.text);
        let fits = match event {
            Some(Event::Placed(_, list, _)) => {
                line.text.starts_with('P') && list.iter().any(|(at, _)| self.number(*at) == first)
            }
            Some(Event::Marched(_, from, to, n)) => {
                line.text.starts_with('M')
                    && (self.number(*from), self.number(*to)) == (first, second)
                    && line.note.contains(&format!("{n} to {second}"))
            }
            Some(Event::Shot(_, shot)) => {
                line.text.starts_with(['A', 'H'])
                    && (self.number(shot.from), self.number(shot.to)) == (first, second)
                    && line.note.contains(&shot_words(shot))
            }
            _ => false,
        };
        self.must("deed", fits, || format!("{}: {}; came {event:?}", line.text, line.note));
    }

    /// The armies that a line says it leaves on regions.
    fn stands(&mut self, n: usize, line: &JudgedLine) {
        let then = self.with_line(n);
        let (first, _) = ends(&line.text);
        let armies = then.board.armies(then.board.map().find(first).expect("a region"));
        let told = || format!("{}: {}; {armies}", line.text, line.note);
        match line.text.chars().next() {
            Some('M') => self.must("stay", line.note.contains(&format!("{armies} stay")), told),
            Some('P') if line.mark == Mark::Ok => {
                self.must("has", line.note.ends_with(&format!("has {armies}")), told);
            }
            _ => {}
        }
    }

    /// The first attack as it was announced.
    fn attack(&mut self, line: &JudgedLine, event: Option<&Event>) {
        let fits = match event {
            Some(Event::Struck(_, strike)) => {
                let target = strike.target;
                let ((here, there), bounds) = (target.armies, target.bounds);
                let said = match target.sure {
                    true => format!("{here} against {there}: it succeeds without a guess"),
                    false => format!("{here} against {there}, number {bounds}: "),
                };
                let all = bounds.numbers().count();
                let odds = match (target.sure, target.two && all > 1) {
                    (true, _) => String::new(),
                    (false, true) => format!("2 times in {all}"),
                    (false, false) => format!("once in {all}"),
                };
                (self.number(target.from), self.number(target.to)) == ends(&line.text)
                    && line.note.contains(&said)
                    && line.note.ends_with(&odds)
            }
            _ => false,
        };
        self.must("attack", fits, || format!("{}: {}; came {event:?}", line.text, line.note));
    }

    /// Guesses and votes.
    fn filed(&mut self) {
        let side = self.after.side(ME).expect("a seat").clone();
        for line in self.judged.lines.clone() {
            let told = || format!("{}: {}: {}", line.text, line.mark.as_str(), line.note);
            if line.mark == Mark::Error || held_back(&line.note) {
                continue;
            }
            match line.text.as_str() {
                "V DRAW" => self.must("vote", side.draw, told),
                "V NODRAW" => self.must("vote", !side.draw, told),
                "G 0" if line.note.contains("no guesses on file") => {
                    self.must("no guesses", side.policies.is_empty(), told);
                }
                text if text.starts_with("G ") && text != "G 0" => {
                    let filed = side.policies.iter().any(|f| f.policy.to_string() == text);
                    self.must("guess", filed, told);
                }
                _ => {}
            }
        }
    }

    /// The board as far as the card is certain: before its first attack.
    fn certain(&self) -> Option<(State, Vec<Event>)> {
        if !self.may_pause() {
            return None;
        }
        let strikes =
            self.events.iter().any(|e| matches!(e, Event::Struck(..) | Event::Challenged(..)));
        if !strikes {
            return Some((self.after.clone(), self.events.clone()));
        }
        if self.card.contains("IF") {
            return None;
        }
        let first = self.judged.lines.iter().position(|l| {
            l.text.starts_with('K') && l.mark != Mark::Error && !held_back(&l.note)
        })?;
        let own = region(self.before, self.before.board.held(ME).next()?);
        // An attack on one's own region is refused, but the remaining armies are placed.
        let last = format!("K {own} {own} 2");
        let lines: Vec<&str> = self.card.lines().take(first).chain([last.as_str(), "Z"]).collect();
        Some(step(self.before, Some(&lines.join("\n"))))
    }

    fn forecast(&mut self) {
        let Some((then, events)) = self.certain() else { return };
        for block in self.judged.forecast.clone().into_iter().flat_map(|s| s.blocks) {
            match block {
                Block::Para(line) => self.sentence(&words(&line), &events),
                Block::Table(table) => {
                    let heads = table.columns.iter().map(|c| c.0.to_string()).collect();
                    self.table(&then, &events, heads, &table.rows);
                }
                _ => {}
            }
        }
    }

    fn sentence(&mut self, line: &str, events: &[Event]) {
        let Some(list) = line.strip_prefix("Left over and placed by the robot: ") else { return };
        for part in list.trim_end_matches('.').split(", ") {
            let numbers: Vec<u32> = part.split(' ').filter_map(|w| w.parse().ok()).collect();
            let this = |(at, n): &(Place, u32)| [*n, self.number(*at).into()] == numbers[..];
            let came = events.iter().any(|e| match e {
                Event::Placed(_, list, true) => list.iter().any(this),
                _ => false,
            });
            self.must("placed", came, || line.to_owned());
        }
    }

    /// The empires as they are then.
    fn table(&mut self, then: &State, events: &[Event], heads: Vec<String>, rows: &[Vec<String>]) {
        let at = |n: u16| then.board.armies(then.board.map().find(n).expect("a region"));
        for part in rows.iter().flat_map(|row| row.last().expect("a cell").split(", ")) {
            let (number, n) = part.trim_end_matches(')').split_once(" (").expect("armies");
            let (number, n): (u16, u32) = (figure(number), figure(n));
            self.must("armies", at(number) == n, || format!("{part}, came {}", at(number)));
        }
        let sum = |name: &str| -> Option<u32> {
            let column = heads.iter().position(|h| h == name)?;
            Some(rows.iter().map(|r| figure::<u32>(&r[column])).sum())
        };
        let held = then.board.held(ME).count() as u32;
        self.must("regions", sum("Regions").unwrap_or(0) == held, || format!("{rows:?}: {held}"));
        let began = matches!(&self.before.stage, Stage::Turn(Turn { pools: None, .. }));
        if let Some(said) = sum("Ordered").filter(|_| began) {
            let ordered: u32 = events.iter().map(placed_by_order).sum();
            self.must("ordered", said == ordered, || format!("{rows:?}: {ordered}"));
        }
    }
}

fn figure<N: std::str::FromStr>(text: &str) -> N {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

fn placed_by_order(event: &Event) -> u32 {
    match event {
        Event::Placed(_, list, false) => list.iter().map(|l| l.1).sum(),
        _ => 0,
    }
}

/// The first two numbers of a line.
fn ends(text: &str) -> (u16, u16) {
    let mut numbers = text.split(' ').skip(1).map(|w| w.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

fn shot_words(shot: &Shot) -> String {
    let lost = shot.lost();
    let own = lost.get(&ME).copied().unwrap_or(0);
    let all: u32 = lost.values().sum();
    format!(
        "{} radioactive, {} devastated; armies lost: {own} of yours, {} of others",
        shot.splats.len(),
        shot.devastated.len(),
        all - own
    )
}
