//! A table to try rules on.

use engine::{
    Audits, BySeat, CardText, Cards, Dice, Input, Judgement, Mark, Rules, Seat, Setup, Sits,
};
use imperium::Imperium;
use imperium::board::{Marker, Place, Spot};
use imperium::event::{Event, Part, What};
use imperium::galaxy::{Planet, System};
use imperium::kinds::{Kind, Name, Side, UnitId};
use imperium::run::Run;
use imperium::state::{Action, Stage, State, add};
use imperium::view::View;

pub use Side::{Imperial, Terran};

/// A game and what happened in its last step.
#[derive(Clone)]
pub struct Scene {
    pub state: State,
    pub events: Vec<Event>,
}

/// A new game with these options, in the set-up.
pub fn game(options: &[(&str, &str)]) -> Scene {
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let setup = Setup { seats: 2, options, ..Setup::default() };
    let state = Imperium::new_game(&setup, &mut Dice::new(1)).expect("a game");
    Scene { state, events: Vec::new() }
}

/// A table without units, in the administration of turn 1.
pub fn table() -> Scene {
    let mut scene = game(&[]);
    scene.state.board.units.clear();
    scene.state.board.fleets.clear();
    (scene.state.turn, scene.state.clock) = (1, 1);
    scene.state.stage = Stage::Administration;
    scene
}

/// A planet such as `09.1`.
pub fn planet(word: &str) -> Planet {
    Planet::read(word).expect("a planet")
}

/// A unit such as `DD7` of a side.
pub fn unit(side: Side, word: &str) -> UnitId {
    UnitId { side, name: Name::read(word, side).expect("a unit") }
}

/// The debug text of a value, with plain blanks.
pub fn written(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}").replace("\\u{a0}", " ")
}

impl Scene {
    /// Opens a segment.
    pub fn segment(mut self, n: u8) -> Self {
        self.state.stage = Stage::Action(Box::new(Action::new(n)));
        self
    }

    /// A fleet of these ships; `TR1(RT2)` carries RT2.
    pub fn fleet(mut self, side: Side, n: u8, at: u8, ships: &str) -> Self {
        self.state.board.fleets.insert((side, n), Spot::System(System(at)));
        for word in ships.split(' ') {
            let (ship, cargo) = match word.split_once('(') {
                Some((ship, cargo)) => (ship, cargo.trim_end_matches(')')),
                None => (word, ""),
            };
            let ship = unit(side, ship);
            add(&mut self.state.board, ship, Place::Fleet(n));
            for cargo in cargo.split(',').filter(|c| !c.is_empty()) {
                add(&mut self.state.board, unit(side, cargo), Place::Aboard(ship.name));
            }
        }
        self
    }

    /// Units in the box of a planet.
    pub fn on(mut self, side: Side, at: &str, units: &str) -> Self {
        for word in units.split(' ') {
            add(&mut self.state.board, unit(side, word), Place::Box(planet(at)));
        }
        self
    }

    /// Units on a hex of a disputed planet.
    pub fn hex(mut self, side: Side, at: &str, hex: u8, units: &str) -> Self {
        for word in units.split(' ') {
            add(&mut self.state.board, unit(side, word), Place::Surface(planet(at), hex));
        }
        self
    }

    /// A marker; `None` takes it away.
    pub fn marker(mut self, at: &str, marker: Option<(Side, Marker)>) -> Self {
        self.state.board.planets.get_mut(&planet(at)).expect("a planet").marker = marker;
        self
    }

    /// No marker anywhere.
    pub fn bare(mut self) -> Self {
        self.state.board.planets.values_mut().for_each(|l| l.marker = None);
        self
    }

    pub fn stock(mut self, side: Side, n: u32) -> Self {
        self.state.board.purses[side.i()].stock = n;
        self
    }

    pub fn damaged(mut self, side: Side, word: &str) -> Self {
        self.state.board.units.get_mut(&unit(side, word)).expect("it is there").damaged = true;
        self
    }

    /// Runs the open step.
    pub fn step(&self, terran: &str, imperial: &str, seed: u64) -> Self {
        self.step_with(terran, imperial, &mut Dice::new(seed))
    }

    pub fn step_with(&self, terran: &str, imperial: &str, dice: &mut Dice) -> Self {
        let mut cards = BySeat::new();
        for (seat, card) in [(1, terran), (2, imperial)] {
            if !card.is_empty() {
                cards.insert(Seat(seat), CardText::new(card));
            }
        }
        let seats: BySeat<Sits> = BySeat::new();
        let input = Input { cards: &cards, seats: &seats };
        let done = Imperium::step(self.state.clone(), &input, dice);
        let before = (&self.state, &self.events[..]);
        let faults = Imperium::audit(before, &input, (&done.state, &done.events));
        assert_eq!(faults, Vec::<String>::new(), "{terran} / {imperial}");
        Self { state: done.state, events: done.events }
    }

    /// Runs the step with the first seed from 1 for which the test holds.
    pub fn seek(&self, cards: [&str; 2], test: impl Fn(&Self) -> bool) -> Self {
        let mut tries = (1..2_000).map(|seed| self.step(cards[0], cards[1], seed));
        tries.find(|s| test(s)).expect("some seed brings it about")
    }

    /// Calls something of the engine as if within a running step.
    pub fn run<T>(&mut self, seed: u64, call: impl FnOnce(&mut Run) -> T) -> T {
        let mut dice = Dice::new(seed);
        let mut run = Run {
            state: self.state.clone(),
            dice: &mut dice,
            events: Vec::new(),
            part: Part::Administration,
        };
        let got = call(&mut run);
        (self.state, self.events) = (run.state, run.events);
        got
    }

    /// Begins a turn with this roll of the Intervention.
    pub fn intervention(&self, roll: u32) -> Self {
        self.begun(|s| s.state.board.court.roll == roll)
    }

    /// Begins a turn for which the test holds.
    pub fn begun(&self, test: impl Fn(&Self) -> bool) -> Self {
        let mut tries = (1..5_000).map(|seed| {
            let mut scene = self.clone();
            scene.run(seed, imperium::court::begin_turn);
            scene
        });
        tries.find(|s| test(s)).expect("some seed brings it about")
    }

    pub fn view(&self, side: Side) -> View {
        Imperium::view(&self.state, &self.events, side.seat())
    }

    /// The judgement of a card, its notes with plain blanks.
    pub fn judge(&self, side: Side, card: &str) -> Judgement {
        let mut judged = Imperium::judge(&self.view(side), &CardText::new(card), 0);
        judged.lines.iter_mut().for_each(|l| l.note = l.note.replace('\u{a0}', " "));
        judged
    }

    /// Mark and note of the last line of a card.
    pub fn told(&self, side: Side, card: &str) -> (Mark, String) {
        let judged = self.judge(side, card);
        let last = judged.lines.last().expect("a line");
        (last.mark, last.note.clone())
    }

    pub fn has(&self, side: Side, word: &str) -> bool {
        self.state.board.units.contains_key(&unit(side, word))
    }

    pub fn hurt(&self, side: Side, word: &str) -> bool {
        self.state.board.units.get(&unit(side, word)).is_some_and(|u| u.damaged)
    }

    /// The system of a fleet.
    pub fn at(&self, side: Side, fleet: u8) -> Option<u8> {
        self.state.board.system_of(side, fleet).map(|s| s.0)
    }

    /// All messages, in one text.
    pub fn localized(&self) -> String {
        let said = |e: &Event| match &e.what {
            What::Said(text) => Some(text.to_string()),
            What::NotDone(line, why) => Some(format!("line {line}: {why}")),
            _ => None,
        };
        self.events.iter().filter_map(said).collect::<Vec<_>>().join("\n")
    }

    /// Initiative dice of the step.
    pub fn initiative(&self) -> Option<[u8; 2]> {
        self.events.iter().find_map(|e| match e.what {
            What::Initiative(dice, _) => Some(dice),
            _ => None,
        })
    }

    /// Space battles of the step.
    pub fn battles(&self) -> Vec<&imperium::space::Story> {
        let of = |e: &'_ Event| matches!(e.what, What::Battle(_));
        self.events
            .iter()
            .filter(|e| of(e))
            .filter_map(|e| match &e.what {
                What::Battle(story) => Some(story.as_ref()),
                _ => None,
            })
            .collect()
    }

    /// Planetary battles of the step.
    pub fn sieges(&self) -> Vec<&imperium::ground::Story> {
        self.events
            .iter()
            .filter_map(|e| match &e.what {
                What::Ground(story) => Some(story.as_ref()),
                _ => None,
            })
            .collect()
    }

    /// How many counters of a type a side has or has ordered.
    pub fn counted(&self, side: Side, kind: Kind) -> u32 {
        imperium::counters::counted(&self.state.board, side, kind)
    }
}
