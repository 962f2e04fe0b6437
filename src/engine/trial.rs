//! A whole game of computer players, with the engine's invariants checked at
//! every step: what `fieldpost sim` runs.

use super::report::Chart;
use super::{Awaited, BySeat, CardText, Dice, Rules, Saved, Score, Seat, Setup, encode};

/// How one seat stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub seat: Seat,
    /// Still in the game.
    pub plays: bool,
    /// Points in the game's own measure.
    pub points: i64,
    /// Places held: cities, spaces, provinces.
    pub places: u32,
}

/// The figures of one step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub seats: Vec<Standing>,
    /// What happened in the step by name, such as battles; the most telling first.
    pub events: Vec<(&'static str, i64)>,
    /// How things stand by name, such as income; the most telling first.
    pub levels: Vec<(&'static str, i64)>,
}

/// A trial with the types erased. The parts of a step are called one by one, so
/// that the caller can time them; the engine knows no clock.
pub trait Trial {
    /// The computer players write their cards for the open step.
    fn write_cards(&mut self);
    /// Drops the card of a seat, as if its player had sent none.
    fn forget_card(&mut self, seat: Seat);
    /// Runs the step.
    fn step(&mut self);
    /// What is wrong with the step: broken invariants, and a replay that differs.
    fn audit(&self) -> Vec<String>;
    /// Makes all printouts: their lengths in lines of their longest form.
    fn printouts(&self) -> Vec<usize>;
    /// Figures after the step.
    fn tally(&self) -> Tally;
    /// The whole course of the game.
    fn charts(&self) -> Vec<Chart>;
    /// The final standing once the game is over.
    fn result(&self) -> Option<Vec<Score>>;
    /// The game as a journal would keep it.
    fn saved(&self) -> Saved;
}

/// A game in progress.
pub struct TrialOf<R: Rules> {
    seed: u64,
    turn: u32,
    before: R::State,
    state: R::State,
    events_before: Vec<R::Event>,
    events: Vec<R::Event>,
    cards: BySeat<CardText>,
}

impl<R: Rules> TrialOf<R> {
    /// Makes the world.
    ///
    /// # Errors
    /// One sentence for each fault of the setup.
    pub fn new(setup: &Setup, seed: u64) -> Result<Self, Vec<String>> {
        let state = R::new_game(setup, &mut Dice::new(seed))?;
        Ok(Self {
            seed,
            turn: 0,
            before: state.clone(),
            state,
            events_before: Vec::new(),
            events: Vec::new(),
            cards: BySeat::new(),
        })
    }

    /// The state as it stands.
    pub fn state(&self) -> &R::State {
        &self.state
    }

    /// The cards of the last step.
    pub fn cards(&self) -> &BySeat<CardText> {
        &self.cards
    }

    /// Dice for this step; every use has its own.
    fn dice(&self) -> Dice {
        Dice::new(self.seed ^ u64::from(self.turn + 1) << 32)
    }
}

impl<R: Rules> Trial for TrialOf<R> {
    fn write_cards(&mut self) {
        let Awaited { seats, .. } = R::awaited(&self.state);
        let card = |seat: Seat| {
            let view = R::view(&self.state, &self.events, seat);
            let mut dice = computer_dice(self.seed ^ u64::from(self.turn + 1) << 32, seat);
            (seat, R::play(&view, &mut dice))
        };
        self.cards = seats.into_iter().map(card).collect();
    }

    fn forget_card(&mut self, seat: Seat) {
        self.cards.remove(&seat);
    }

    fn step(&mut self) {
        let mut dice = self.dice();
        let done = R::step(self.state.clone(), &self.cards, &mut dice);
        self.before = std::mem::replace(&mut self.state, done.state);
        self.events_before = std::mem::replace(&mut self.events, done.events);
        self.turn += 1;
    }

    fn audit(&self) -> Vec<String> {
        let mut faults =
            R::audit((&self.before, &self.events_before), &self.cards, (&self.state, &self.events));
        let mut dice = Dice::new(self.seed ^ u64::from(self.turn) << 32);
        let again = R::step(self.before.clone(), &self.cards, &mut dice);
        let same = encode(&again.state) == encode(&self.state)
            && encode(&again.events) == encode(&self.events);
        if !same {
            faults.push("the replay of the step came out differently".to_owned());
        }
        faults
    }

    fn printouts(&self) -> Vec<usize> {
        let Awaited { seats, .. } = R::awaited(&self.state);
        let report = |seat: Seat| R::report(&R::view(&self.state, &self.events, seat), "");
        seats.into_iter().filter_map(report).map(|r| r.rows()).collect()
    }

    fn tally(&self) -> Tally {
        R::tally(&self.state, &self.events)
    }

    fn charts(&self) -> Vec<Chart> {
        R::charts(&self.state)
    }

    fn result(&self) -> Option<Vec<Score>> {
        R::result(&self.state)
    }

    fn saved(&self) -> Saved {
        Saved { state: encode(&self.state), events: encode(&self.events) }
    }
}

/// The dice of a computer player for one step: from the step's seed, but not the
/// step's own.
pub fn computer_dice(seed: u64, seat: Seat) -> Dice {
    Dice::new(seed.rotate_left(17) ^ 0x636f_6d70_7574_6572 ^ u64::from(seat.0))
}
