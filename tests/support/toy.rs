//! A toy game that uses everything that the interface of engines offers: seats that move one after
//! the other, a challenge with a short clock, a step that follows at once, seals that are opened
//! later or at the end, lines that are carried over, brief notes, computers with notes, a seat that
//! is left, and a panic.
//!
//! Seat 1 begins. The active seat may `SAY` words, `HIDE` a word until the game is over, `GUARD`
//! a number that is opened two steps later, `ATTACK` a seat and `END` its turn. Who is attacked
//! answers `Q` and a number; a step that follows at once decides, and the next seat is active.
//! `REST` ends a turn with a step of the calendar that waits for everybody. `LATER` and a word may
//! be sent at any time and is said in the seat's next turn. After so many turns as the option
//! `turns` says the game is over. With the option `gossip` a computer's notes are too long, with
//! `spin` the dice never stop.

use std::cell::{Cell, RefCell};
use std::ops::RangeInclusive;

use engine::options::{Chosen, OptionRow, Usual, Values};
use engine::report::{Block, Line, Section, Span};
use engine::{
    Answers, Audits, Books, BySeat, CardText, Cards, Computers, Dice, Engine, EngineOf, Headlines,
    Input, JudgedLine, Judgement, Maps, Mark, Notice, Play, Printouts, Report, Rules, Score, Seal,
    Seat, Setup, Sits, Stepped, Topic, Turns, Until, Wait, Words,
};
use serde::{Deserialize, Serialize};

/// The toy.
pub struct Toy;

thread_local! {
    /// How often cards were judged in this thread.
    pub static JUDGED: Cell<u32> = const { Cell::new(0) };
    /// What happens while the next card is judged in this thread.
    pub static MEANWHILE: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
}

/// The toy as the robot sees it.
pub static TOYS: &[&dyn Engine] = &[&EngineOf::<Toy>::new()];

/// The phase of the open step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The turn of a seat.
    Turn(u8),
    /// The attacked seat answers the attacker.
    Challenge { from: u8, to: u8 },
    /// The dice fall between the two; nobody is awaited.
    Dice { from: u8, to: u8, guess: u32 },
    /// Everybody rests, by the calendar; then the seat after this one is active.
    Rest(u8),
    /// The game is over.
    Over,
}

/// The game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    seats: u8,
    turn_h: u32,
    challenge_h: u32,
    turns_left: u32,
    /// Number of the open step.
    step: u32,
    phase: Phase,
    /// Who was active before.
    before: u8,
    words: Vec<String>,
    /// Guards that are still to be opened: the step, the seat, the name of the seal.
    guards: Vec<(u32, u8, String)>,
    left: Vec<u8>,
    computers: Vec<u8>,
    gossip: bool,
    spin: bool,
}

/// The knowledge of a seat: everything except carried lines.
pub struct View {
    state: State,
    seat: u8,
}

const WORDS: [&str; 8] = ["SAY", "HIDE", "GUARD", "ATTACK", "END", "REST", "Q", "LATER"];

impl State {
    fn after(&self, seat: u8) -> u8 {
        seat % self.seats + 1
    }

    /// Begins the turn of the seat after this one, or ends the game.
    fn pass(&mut self, seat: u8) {
        self.before = seat;
        self.turns_left = self.turns_left.saturating_sub(1);
        self.phase = match self.turns_left {
            0 => Phase::Over,
            _ => Phase::Turn(self.after(seat)),
        };
    }

    fn awaited(&self) -> Vec<u8> {
        match self.phase {
            Phase::Turn(seat) => vec![seat],
            Phase::Challenge { to, .. } => vec![to],
            Phase::Rest(_) => (1..=self.seats).collect(),
            Phase::Dice { .. } | Phase::Over => Vec::new(),
        }
    }
}

/// The first word of a line, and the rest.
fn parts(line: &str) -> (String, &str) {
    let (head, tail) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    (head.to_uppercase(), tail.trim())
}

fn lines(card: Option<&CardText>) -> Vec<(String, String)> {
    let lines = card.map(|c| c.lines.clone()).unwrap_or_default();
    lines.iter().map(|(_, l)| parts(l)).map(|(h, t)| (h, t.to_owned())).collect()
}

impl Rules for Toy {
    type State = State;
    type View = View;
    type Event = String;
    const ID: &'static str = "toy";
    const TITLE: &'static str = "Toy";
    const RULES_VERSION: u32 = 1;
    const OPTIONS: &[OptionRow] = &[
        OptionRow::hours("turn_hours", Usual::Is("48"), "Hours for a turn."),
        OptionRow::hours("challenge_hours", Usual::Is("4"), "Hours for an answer."),
        OptionRow::new("turns", Values::Number(1, 1_000_000), Usual::Is("12"), "Turns it has."),
        OptionRow::new("lots", Values::Switch, Usual::Is("off"), "Whether it begins with dice."),
        OptionRow::new("gossip", Values::Switch, Usual::Is("off"), "Notes that are too long."),
        OptionRow::new("spin", Values::Switch, Usual::Is("off"), "Dice that never stop."),
    ];
    fn seats() -> RangeInclusive<u8> {
        2..=4
    }
    fn data() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    fn new_game(setup: &Setup, _: &mut Dice) -> Result<State, Vec<String>> {
        let mut chosen = Chosen::new(Self::OPTIONS, setup);
        let state = State {
            seats: setup.seats,
            turn_h: chosen.number("turn_hours"),
            challenge_h: chosen.number("challenge_hours"),
            turns_left: chosen.number("turns"),
            step: 1,
            // A game may begin with a step that awaits nobody.
            phase: match chosen.switch("lots") {
                true => Phase::Dice { from: setup.seats, to: 1, guess: 0 },
                false => Phase::Turn(1),
            },
            before: 1,
            words: Vec::new(),
            guards: Vec::new(),
            left: Vec::new(),
            computers: Vec::new(),
            gossip: chosen.switch("gossip"),
            spin: chosen.switch("spin"),
        };
        if chosen.faults.is_empty() { Ok(state) } else { Err(chosen.faults) }
    }
    fn view(state: &State, _: &[String], seat: Seat) -> View {
        View { state: state.clone(), seat: seat.0 }
    }
    fn step(mut state: State, input: &Input, dice: &mut Dice) -> Stepped<State, String> {
        let mut carried: BySeat<Vec<String>> = BySeat::new();
        let active = state.awaited();
        for (seat, card) in input.cards {
            let waiting = |(h, _): &&(String, String)| h == "LATER" && !active.contains(&seat.0);
            let kept: Vec<String> = lines(Some(card))
                .iter()
                .filter(waiting)
                .map(|(_, tail)| format!("LATER {tail}"))
                .collect();
            if !kept.is_empty() {
                carried.insert(*seat, kept);
            }
        }
        let sits = |as_: Sits| (1..=state.seats).filter(move |n| input.sits(Seat(*n)) == as_);
        state.left = sits(Sits::Left).collect();
        state.computers = sits(Sits::Computer).collect();
        match state.phase.clone() {
            Phase::Turn(seat) => {
                let (mut attacked, mut rests) = (None, false);
                for (head, tail) in lines(input.cards.get(&Seat(seat))) {
                    assert_ne!(tail, "boom", "the toy broke");
                    match head.as_str() {
                        "SAY" | "LATER" => state.words.push(format!("{seat} says {tail}")),
                        "GUARD" => {
                            let name = format!("guard-{}", state.step);
                            state.guards.push((state.step + 2, seat, name));
                        }
                        "REST" => rests = true,
                        "ATTACK" => attacked = tail.parse().ok().filter(|n| *n != seat),
                        _ => {}
                    }
                }
                match attacked.filter(|n| (1..=state.seats).contains(n)) {
                    Some(to) => state.phase = Phase::Challenge { from: seat, to },
                    None if rests => state.phase = Phase::Rest(seat),
                    None => state.pass(seat),
                }
            }
            Phase::Challenge { from, to } => {
                let said = lines(input.cards.get(&Seat(to)));
                let answer = said.iter().find(|(h, _)| h == "Q").and_then(|(_, t)| t.parse().ok());
                state.phase = Phase::Dice { from, to, guess: answer.unwrap_or(0) };
            }
            Phase::Rest(seat) => state.pass(seat),
            Phase::Dice { .. } if state.spin => {}
            Phase::Dice { from, to, guess } => {
                let fell = dice.at([from.into(), to.into()]).below("duel", 6) + 1;
                state.words.push(format!("{to} guesses {guess}, the die shows {fell}"));
                state.pass(from);
            }
            Phase::Over => {}
        }
        let open = |g: &(u32, u8, String)| g.0 <= state.step;
        let opened =
            state.guards.iter().filter(|g| open(g)).map(|g| (Seat(g.1), g.2.clone())).collect();
        let step = state.step;
        state.guards.retain(|g| g.0 > step);
        state.step += 1;
        let events = state.words.last().cloned().into_iter().collect();
        Stepped { state, events, carried, opened }
    }
    fn wait(state: &State) -> Wait {
        let seats = state.awaited().into_iter().map(Seat).collect();
        let clock = |name: &str, hours| Until::Clock { name: name.to_owned(), hours };
        let step = state.step;
        let turns = Turns::one(step);
        match &state.phase {
            Phase::Turn(seat) => Wait {
                seats,
                turns,
                until: clock("turn", state.turn_h),
                label: format!("step {step}, player {seat} to move"),
            },
            Phase::Challenge { from, to } => Wait {
                seats,
                turns,
                until: clock("challenge", state.challenge_h),
                label: format!("step {step}, player {from} challenges player {to}"),
            },
            Phase::Rest(_) => Wait {
                seats,
                turns,
                until: Until::Calendar,
                label: format!("step {step}, all rest"),
            },
            Phase::Dice { .. } => Wait {
                seats,
                turns,
                until: Until::Now,
                label: format!("step {step}, the dice fall"),
            },
            Phase::Over => {
                Wait { seats, turns, until: Until::Calendar, label: "the end".to_owned() }
            }
        }
    }
    fn result(state: &State) -> Option<Vec<Score>> {
        let score = |n| Score { seat: Seat(n), rank: 1, points: 0 };
        (state.phase == Phase::Over).then(|| (1..=state.seats).map(score).collect())
    }
}

impl Cards for Toy {
    fn starts_order(line: &str) -> bool {
        WORDS.contains(&parts(line).0.as_str())
    }
    fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
        JUDGED.set(JUDGED.get() + 1);
        let meanwhile = MEANWHILE.take();
        meanwhile.into_iter().for_each(|happens| happens());
        let mut judgement = Judgement::default();
        let awaited = view.state.awaited().contains(&view.seat);
        for (number, text) in &card.lines {
            let (head, tail) = parts(text);
            let known = WORDS.contains(&head.as_str());
            let answers = matches!(view.state.phase, Phase::Challenge { .. }) == (head == "Q");
            let now = awaited && answers || ahead > 0 || head == "LATER";
            let fits = head != "GUARD" || tail.parse::<u32>().is_ok();
            let (mark, note) = match (known, now) {
                (false, _) => (Mark::Error, "no order of the toy; SAY hello is one".to_owned()),
                (true, false) => (Mark::Error, "nothing of yours is awaited now".to_owned()),
                (true, true) if !fits => (Mark::Error, "GUARD 17 is the form".to_owned()),
                (true, true) => (Mark::Ok, String::new()),
            };
            let ends = ["END", "REST", "Q"].contains(&head.as_str());
            judgement.ready |= mark == Mark::Ok && ends;
            let name = format!("{}-{}", head.to_lowercase(), view.state.step + ahead);
            if mark == Mark::Ok && ["HIDE", "GUARD"].contains(&head.as_str()) {
                judgement.seals.push(Seal { key: name, text: tail.to_owned() });
            }
            let (line, text) = (*number, text.clone());
            judgement.lines.push(JudgedLine { line, text, mark, note });
        }
        judgement
    }
    fn help(_: Option<&State>) -> Vec<Topic> {
        let topic = |word: &&str| Topic {
            word: (*word).to_owned(),
            title: format!("{word} something"),
            text: "An order of the toy.".to_owned(),
            examples: vec![format!("{word} 1")],
        };
        WORDS.iter().map(topic).collect()
    }
}

impl Words for Toy {}

impl Printouts for Toy {
    fn report(view: &View, _: &str) -> Option<Report> {
        let mut blocks = vec![Block::Para(format!("Words: {:?}", view.state.words).into())];
        let left = &view.state.left;
        blocks.push(Block::Para(format!("Seats that nobody plays: {left:?}").into()));
        let computers = &view.state.computers;
        blocks.push(Block::Para(format!("Seats of computers: {computers:?}").into()));
        blocks.extend(Self::brief(view, ""));
        let section = Section { heading: "Toy".into(), blocks };
        Some(Report { title: format!("Player {}", view.seat), sections: vec![section] })
    }
    fn notice(view: &View) -> Notice {
        match view.state.phase {
            Phase::Dice { .. } => Notice::None,
            Phase::Challenge { to, .. } if to == view.seat => Notice::Brief,
            Phase::Challenge { .. } => Notice::None,
            Phase::Turn(seat) if [seat, view.state.before].contains(&view.seat) => Notice::Full,
            Phase::Turn(_) => Notice::Brief,
            Phase::Rest(_) | Phase::Over => Notice::Full,
        }
    }
    fn brief(view: &View, _: &str) -> Vec<Block> {
        let seal = |g: &(u32, u8, String)| {
            let spans = vec![
                Span::Plain("The guard of ".into()),
                Span::Player(Seat(g.1)),
                Span::Plain(": ".into()),
                Span::Seal(Seat(g.1), g.2.clone()),
            ];
            Line(spans)
        };
        let last = view.state.words.last().cloned().unwrap_or_default();
        let mut blocks = vec![Block::Para(format!("Last: {last}").into())];
        if !view.state.guards.is_empty() {
            blocks.push(Block::List(view.state.guards.iter().map(seal).collect()));
        }
        blocks
    }
}

impl Headlines for Toy {}

impl Books for Toy {}

impl Answers for Toy {}

impl Maps for Toy {}

impl Computers for Toy {
    /// It counts its own moves, and guards their number.
    fn play(view: &View, notes: &str, _: &mut Dice) -> Play {
        let moves: u32 = notes.parse().unwrap_or(0) + 1;
        let card = match view.state.phase {
            Phase::Challenge { .. } => "Q 3".to_owned(),
            _ => format!("SAY move {moves}\nGUARD {moves}\nEND"),
        };
        let notes = match view.state.gossip {
            true => format!("{moves:0>2001}"),
            false => moves.to_string(),
        };
        Play { card: CardText::new(&card), notes }
    }
}

impl Audits for Toy {}
