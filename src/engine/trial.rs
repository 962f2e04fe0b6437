//! A whole game of computer players, with the engine's invariants checked at
//! every step: what `fieldpost sim` runs.

use super::report::Chart;
use super::{
    BySeat, CardText, Dice, Game, Input, NOTES_MAX, Play, Saved, Score, Seat, Setup, Sits, Turns,
    encode,
};

/// The position of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The seat.
    pub seat: Seat,
    /// Still in the game.
    pub plays: bool,
    /// Points in the game's own measure.
    pub points: i64,
    /// Places held: cities, spaces, provinces.
    pub places: u32,
}

/// The numbers of one step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Every seat, in order.
    pub seats: Vec<Standing>,
    /// Numbers of events in the step by name, such as battles; the most telling first.
    pub events: Vec<(&'static str, i64)>,
    /// Levels after the step by name, such as income; the most telling first.
    pub levels: Vec<(&'static str, i64)>,
    /// Seats in the order in which they move; empty when all move at once.
    pub order: Vec<Seat>,
}

/// A trial with its types erased. The parts of a step are called one by one, so that the caller can
/// time them; the engine has no clock.
pub trait Trial {
    /// The computer players write their cards for the open step.
    fn write_cards(&mut self);
    /// Drops the card of a seat, as if its player had sent none.
    fn forget_card(&mut self, seat: Seat);
    /// Runs the step.
    fn step(&mut self);
    /// The faults of the step: broken invariants, and a replay that differs.
    fn audit(&self) -> Vec<String>;
    /// Makes all printouts. Returns their lengths in lines, in their longest form.
    fn printouts(&self) -> Vec<usize>;
    /// The turns that the open step belongs to.
    fn turns(&self) -> Turns;
    /// The numbers after the step.
    fn tally(&self) -> Tally;
    /// The whole course of the game.
    fn charts(&self) -> Vec<Chart>;
    /// The final standing once the game is over.
    fn result(&self) -> Option<Vec<Score>>;
    /// The game as a journal would keep it.
    fn saved(&self) -> Saved;
}

/// A game in progress.
pub struct TrialOf<R: Game> {
    seed: u64,
    turn: u32,
    before: R::State,
    state: R::State,
    events_before: Vec<R::Event>,
    events: Vec<R::Event>,
    cards: BySeat<CardText>,
    /// The last notes of the computers, and the lines carried to the open step.
    notes: BySeat<String>,
    carried: BySeat<Vec<String>>,
    seats: BySeat<Sits>,
}

impl<R: Game> TrialOf<R> {
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
            notes: BySeat::new(),
            carried: BySeat::new(),
            seats: (1..=setup.seats).map(|n| (Seat(n), Sits::Computer)).collect(),
        })
    }

    /// The current state.
    pub fn state(&self) -> &R::State {
        &self.state
    }

    /// What happened in the last step.
    pub fn events(&self) -> &[R::Event] {
        &self.events
    }

    /// The cards of the last step.
    pub fn cards(&self) -> &BySeat<CardText> {
        &self.cards
    }

    /// Dice for this step; each call makes new ones.
    fn dice(&self) -> Dice {
        Dice::new(self.seed ^ u64::from(self.turn + 1) << 32)
    }
}

impl<R: Game> Trial for TrialOf<R> {
    fn write_cards(&mut self) {
        let carried = std::mem::take(&mut self.carried).into_iter();
        self.cards = carried.map(|(seat, lines)| (seat, CardText::of(&lines))).collect();
        for seat in R::wait(&self.state).seats {
            let view = R::view(&self.state, &self.events, seat);
            let mut dice = computer_dice(self.seed ^ u64::from(self.turn + 1) << 32, seat);
            let notes = self.notes.get(&seat).map(String::as_str).unwrap_or_default();
            let Play { card, notes } = R::play(&view, notes, &mut dice);
            // Without a new card, the carried lines stay on file.
            if !card.lines.is_empty() {
                self.cards.insert(seat, card);
            }
            let kept = if notes.len() <= NOTES_MAX { notes } else { String::new() };
            self.notes.insert(seat, kept);
        }
    }

    fn forget_card(&mut self, seat: Seat) {
        self.cards.remove(&seat);
        // A computer is never absent, but a person may be.
        self.seats.insert(seat, Sits::Player);
    }

    fn step(&mut self) {
        let mut dice = self.dice();
        let input = Input { cards: &self.cards, seats: &self.seats };
        let done = super::erased::step::<R>(self.state.clone(), &input, &mut dice);
        self.carried = done.carried;
        self.before = std::mem::replace(&mut self.state, done.state);
        self.events_before = std::mem::replace(&mut self.events, done.events);
        self.turn += 1;
    }

    fn audit(&self) -> Vec<String> {
        let input = Input { cards: &self.cards, seats: &self.seats };
        let (before, after) =
            ((&self.before, &self.events_before[..]), (&self.state, &self.events[..]));
        let mut faults = R::audit(before, &input, after);
        let mut dice = Dice::new(self.seed ^ u64::from(self.turn) << 32);
        let again = super::erased::step::<R>(self.before.clone(), &input, &mut dice);
        let same = encode(&again.state) == encode(&self.state)
            && encode(&again.events) == encode(&self.events);
        if !same {
            faults.push("the replay of the step came out differently".to_owned());
        }
        faults
    }

    fn printouts(&self) -> Vec<usize> {
        let seats = R::wait(&self.state).seats;
        let report = |seat: Seat| R::report(&R::view(&self.state, &self.events, seat), "");
        seats.into_iter().filter_map(report).map(|r| r.rows()).collect()
    }

    fn turns(&self) -> Turns {
        R::wait(&self.state).turns
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Answers, Audits, Books, Cards, Computers, Headlines, Judgement, Maps, Printouts, Report,
        Rules, Stepped, Topic, Wait, Words,
    };

    /// A game that keeps every card, and whose computer counts its turns in its notes.
    struct Counting;

    impl Rules for Counting {
        type State = Vec<String>;
        type View = ();
        type Event = ();
        const ID: &'static str = "counting";
        const TITLE: &'static str = "Counting";
        const RULES_VERSION: u32 = 1;
        fn seats() -> std::ops::RangeInclusive<u8> {
            1..=1
        }
        fn data() -> &'static [(&'static str, &'static str)] {
            &[]
        }
        fn new_game(_: &Setup, _: &mut Dice) -> Result<Self::State, Vec<String>> {
            Ok(Vec::new())
        }
        fn view(_: &Self::State, _: &[()], _: Seat) {}
        fn step(mut state: Self::State, input: &Input, _: &mut Dice) -> Stepped<Self::State, ()> {
            let card = input.cards.get(&Seat(1)).map(CardText::text);
            state.push(format!("{:?} {}", input.sits(Seat(1)), card.unwrap_or_default().trim()));
            let again = format!("carried to step {}", state.len() + 1);
            let carried = [(Seat(1), vec![again])].into();
            Stepped { carried, ..Stepped::new(state, Vec::new()) }
        }
        fn wait(state: &Self::State) -> Wait {
            Wait::turn(state.len() as u32 + 1, vec![Seat(1)])
        }
        fn result(_: &Self::State) -> Option<Vec<Score>> {
            None
        }
    }

    impl Cards for Counting {
        fn starts_order(_: &str) -> bool {
            true
        }
        fn judge(_: &(), _: &CardText, _: u32) -> Judgement {
            Judgement::default()
        }
        fn help(_: Option<&Self::State>) -> Vec<Topic> {
            Vec::new()
        }
    }

    impl Words for Counting {}

    impl Printouts for Counting {
        fn report(_: &(), _: &str) -> Option<Report> {
            None
        }
    }

    impl Headlines for Counting {}

    impl Books for Counting {}

    impl Answers for Counting {}

    impl Maps for Counting {}

    impl Computers for Counting {
        /// Writes a card in its first and third turn; its notes get too long in the fourth.
        fn play(_: &(), notes: &str, _: &mut Dice) -> Play {
            let turn = notes.parse().unwrap_or(0) + 1;
            let lines: &[String] = if turn % 2 == 1 { &[format!("turn {turn}")] } else { &[] };
            let notes = if turn < 4 { turn.to_string() } else { "4".repeat(NOTES_MAX + 1) };
            Play { card: CardText::of(lines), notes }
        }
    }

    impl Audits for Counting {}

    #[test]
    fn notes_and_carried_lines_come_back_in_the_next_step() {
        let mut trial = TrialOf::<Counting>::new(&Setup { seats: 1, ..Setup::default() }, 1)
            .expect("there is nothing to go wrong");
        for _ in 0..5 {
            trial.write_cards();
            trial.step();
        }
        trial.write_cards();
        trial.forget_card(Seat(1));
        trial.step();
        assert_eq!(
            *trial.state(),
            [
                "Computer turn 1",
                "Computer carried to step 2",
                "Computer turn 3",
                "Computer carried to step 4",
                // Notes that were too long are gone.
                "Computer turn 1",
                "Player ",
            ]
        );
    }
}
