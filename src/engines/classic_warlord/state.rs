//! What is saved, and how a game is made (§4, §5.7).

use std::collections::BTreeMap;

use engine::press::Letter;
use engine::{CardText, Dice, Seat, Setup};
use serde::{Deserialize, Serialize};
use tongue::Note;

use super::board::Board;
use super::draft::Draft;
use super::map::Place;
use super::numbers::{Draw, Guess, Policy};
use super::tables::{self, Draft as How, Options};
use super::turn::{Placed, Shot, Strike, Target, Turn};

/// A line of guesses on file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    /// What it says.
    pub policy: Policy,
    /// The name of its seal.
    pub seal: String,
}

/// What a seat has besides its regions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Turns that it began.
    pub turns: u32,
    /// Guesses on file, the first that fits counts.
    pub policies: Vec<Filed>,
    /// Whether it votes for a draw.
    pub draw: bool,
    /// The step in which its last army was lost.
    pub out: Option<u32>,
    /// The step since which nobody plays it: its armies are a garrison.
    pub left: Option<u32>,
    /// Attacks made, and those that succeeded.
    pub attacks: (u32, u32),
    /// Regions held and armies after each round, for the course of the game.
    pub course: Vec<(u32, u32)>,
}

/// Where a card goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The card.
    pub card: CardText,
    /// The next of its orders.
    pub at: usize,
    /// The next of that order's numbers.
    pub nth: usize,
    /// Whether it has attacked: what comes behind was not certain when it was judged.
    pub struck: bool,
}

/// An attack whose guess is asked for (§7.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// What is attacked.
    pub target: Target,
    /// The secret number.
    pub number: u32,
    /// The name of the seal of the number, or of the weights that it was drawn by.
    pub seal: String,
    /// Whether the guess opens that seal: weights stay closed until the end.
    pub opens: bool,
    /// The how many-th attack on the region in this turn.
    pub nth: u32,
    /// What is guessed if no answer comes.
    pub rest: Guess,
    /// The name of the seal of that line.
    pub rest_seal: Option<String>,
    /// Where A-bomb units may go.
    pub sites: Vec<Place>,
    /// What is left of the attacker's card.
    pub plan: Plan,
}

/// What the open step is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Mountains are taken.
    Draft(Draft),
    /// A seat's turn, or a part of it.
    Turn(Turn),
    /// A guess is asked for, within a turn.
    Challenge(Turn, Box<Challenge>),
    /// Nobody moves any more.
    Over(End),
}

/// How the game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// By what.
    pub why: Why,
    /// Who has won, or shares the draw.
    pub winners: Vec<Seat>,
}

/// Why the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// One seat is left.
    Last,
    /// An explosion left nobody.
    Nobody,
    /// All who play voted for a draw.
    Votes,
    /// The last round was played.
    Rounds,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// A mountain was taken.
    Picked(Seat, Place),
    /// A seat's turn began.
    Began(Seat, u32),
    /// A bomb was fired.
    Shot(Seat, Shot),
    /// Extra armies were claimed, an empire's regions and how many.
    Claimed(Seat, Vec<(u32, u32)>),
    /// Extra armies were placed; by the robot or not.
    Placed(Seat, Placed, bool),
    /// Armies moved.
    Marched(Seat, Place, Place, u32),
    /// An attack was announced, and its guess is asked for.
    Challenged(Seat, Target),
    /// An attack was decided.
    Struck(Seat, Strike),
    /// A line of a card was not done, and why. Its seat alone is told.
    NotDone(Seat, u32, Note),
    /// A part of a turn ended.
    Paused(Seat),
    /// No card came.
    Missed(Seat),
    /// A seat has no army any more.
    Out(Seat),
    /// Nobody plays a seat any longer.
    Garrison(Seat),
    /// Somebody plays it again.
    Back(Seat),
    /// A seat votes for a draw, or no longer.
    Voted(Seat, bool),
    /// A seat wrote to others.
    Letter(Letter),
    /// The game is over.
    Ended(End),
}

/// The game.
///
/// Fields are saved by their names; a later one needs a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// What it is played by.
    pub options: Options,
    /// The map and what stands on it.
    pub board: Board,
    /// The order of play, drawn by lot.
    pub order: Vec<Seat>,
    /// Each seat, by its number less one.
    pub sides: Vec<Side>,
    /// Number of the open step.
    pub step: u32,
    /// The round that is played, from 1; 0: the draft.
    pub round: u32,
    /// Attacks so far, for the places of dice.
    pub attacks: u32,
    /// What the open step is.
    pub stage: Stage,
    /// What happened in earlier steps of the turn that is played.
    pub earlier: Vec<Event>,
}

impl State {
    /// Makes a game.
    ///
    /// # Errors
    /// One sentence for each fault of options and data files; and when the boards have no room
    /// for the seats.
    pub fn new(setup: &Setup, dice: &mut Dice) -> Result<Self, Vec<String>> {
        let (options, ground) = tables::read(setup)?;
        let board = Board::new(ground);
        let mut order: Vec<Seat> = (1..=setup.seats).map(Seat).collect();
        dice.at([0]).shuffle("order of play", &mut order);
        let Some(draft) = Draft::begin(&board, &order) else {
            let boards: Vec<String> =
                board.map().boards.iter().map(|b| format!("{} {}", b.0, b.1)).collect();
            return Err(vec![format!(
                "boards: {} seats find no mountains that do not touch on {}; take more boards",
                setup.seats,
                boards.join(", ")
            )]);
        };
        Ok(Self {
            options,
            board,
            sides: vec![Side::default(); order.len()],
            order,
            step: 1,
            round: 0,
            attacks: 0,
            stage: Stage::Draft(draft),
            earlier: Vec::new(),
        })
    }

    /// What a seat has.
    pub fn side(&self, seat: Seat) -> Option<&Side> {
        self.sides.get(usize::from(seat.0).checked_sub(1)?)
    }

    /// The same, to be changed.
    pub fn side_mut(&mut self, seat: Seat) -> Option<&mut Side> {
        self.sides.get_mut(usize::from(seat.0).checked_sub(1)?)
    }

    /// Every seat, by its number.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        // There are at most seven.
        (1..=self.sides.len() as u8).map(Seat)
    }

    /// Whether a seat still decides: it has armies, and somebody plays it. In the draft
    /// everybody has.
    pub fn plays(&self, seat: Seat) -> bool {
        self.side(seat).is_some_and(|s| s.out.is_none() && s.left.is_none())
    }

    /// Who still decides.
    pub fn playing(&self) -> Vec<Seat> {
        self.seats().filter(|s| self.plays(*s)).collect()
    }

    /// Seats whose cards hold the open step up.
    pub fn awaited(&self) -> Vec<Seat> {
        match &self.stage {
            Stage::Draft(draft) => match self.options.draft {
                How::List => self.playing(),
                How::Live => draft.left.first().copied().into_iter().collect(),
            },
            Stage::Turn(turn) => vec![turn.seat],
            Stage::Challenge(_, challenge) => vec![challenge.target.defender],
            Stage::Over(_) => Vec::new(),
        }
    }

    /// Whose turn it is, in a turn or within it.
    pub fn to_move(&self) -> Option<Seat> {
        match &self.stage {
            Stage::Turn(turn) | Stage::Challenge(turn, _) => Some(turn.seat),
            Stage::Draft(_) | Stage::Over(_) => None,
        }
    }
}

/// The line of guesses of a seat that counts in a situation, with the name of its seal; without
/// any the even mix does.
pub fn guess_of(side: Option<&Side>, now: &super::numbers::Situation) -> (Policy, Option<String>) {
    let line = side.and_then(|s| s.policies.iter().find(|f| f.policy.fits(now)));
    match line {
        Some(filed) => (filed.policy.clone(), Some(filed.seal.clone())),
        None => {
            let guess = Guess::Drawn(Draw::Even);
            (Policy { scopes: Vec::new(), live: false, guess }, None)
        }
    }
}

/// Mountains that seats wish for, by seat.
pub type Wishes = BTreeMap<Seat, Vec<Place>>;
