//! The saved data, and how a game is made (§4, §5.7).

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
    /// The line itself.
    pub policy: Policy,
    /// The name of its seal.
    pub seal: String,
}

/// The data of a seat besides its regions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Turns that it began.
    pub turns: u32,
    /// Guesses on file; the first that fits counts.
    pub policies: Vec<Filed>,
    /// Whether it votes for a draw.
    pub draw: bool,
    /// The step in which its last army was lost.
    pub out: Option<u32>,
    /// The step since which nobody plays it: its armies are a garrison.
    pub left: Option<u32>,
    /// Attacks that it made, and how many of them succeeded.
    pub attacks: (u32, u32),
    /// Regions held and armies after each round, for the course of the game.
    pub course: Vec<(u32, u32)>,
}

/// The point at which a card goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The card.
    pub card: CardText,
    /// The next of its orders.
    pub at: usize,
    /// The next secret number of that order.
    pub nth: usize,
    /// Whether it has attacked: the lines that follow were not certain when they were judged.
    pub struck: bool,
}

/// An attack that waits for its guess (§7.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// The announced attack.
    pub target: Target,
    /// The secret number.
    pub number: u32,
    /// The name of the seal of the number, or of the weights that it was drawn by.
    pub seal: String,
    /// Whether the guess opens that seal; the seal of weights stays closed until the end.
    pub opens: bool,
    /// The number of this attack among those on the region in this turn, from 1.
    pub nth: u32,
    /// The guess that counts if no answer comes.
    pub rest: Guess,
    /// The name of the seal of that guess.
    pub rest_seal: Option<String>,
    /// Regions where A-bomb units may go.
    pub sites: Vec<Place>,
    /// The rest of the attacker's card.
    pub plan: Plan,
}

/// The open step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Mountains are taken.
    Draft(Draft),
    /// The turn of a seat, or a part of it.
    Turn(Turn),
    /// A guess is awaited, within a turn.
    Challenge(Turn, Box<Challenge>),
    /// The game is over.
    Over(End),
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The reason.
    pub why: Why,
    /// The winners, or those who share the draw.
    pub winners: Vec<Seat>,
}

/// Why the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// One seat is left.
    Last,
    /// An explosion left nobody.
    Nobody,
    /// All remaining players voted for a draw.
    Votes,
    /// The last round was played.
    Rounds,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// A mountain was taken.
    Picked(Seat, Place),
    /// A seat's turn began.
    Began(Seat, u32),
    /// A bomb was fired.
    Shot(Seat, Shot),
    /// Extra armies were claimed: for each empire, the number of its regions and of the armies.
    Claimed(Seat, Vec<(u32, u32)>),
    /// Extra armies were placed; true if the robot placed them.
    Placed(Seat, Placed, bool),
    /// Armies moved.
    Marched(Seat, Place, Place, u32),
    /// An attack was announced, and its guess is awaited.
    Challenged(Seat, Target),
    /// An attack was decided.
    Struck(Seat, Strike),
    /// A line of a card was not carried out, and why. Only its seat learns this.
    NotDone(Seat, u32, Note),
    /// A part of a turn ended.
    Paused(Seat),
    /// No card came.
    Missed(Seat),
    /// A seat has lost its last army.
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
    /// The options of the game.
    pub options: Options,
    /// The map and its contents.
    pub board: Board,
    /// The order of play, drawn by lot.
    pub order: Vec<Seat>,
    /// The data of each seat, by seat number less one.
    pub sides: Vec<Side>,
    /// Number of the open step.
    pub step: u32,
    /// The current round, from 1; 0: the draft.
    pub round: u32,
    /// Attacks so far, which key the dice.
    pub attacks: u32,
    /// The open step.
    pub stage: Stage,
    /// The events of the current turn in earlier steps.
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

    /// The data of a seat.
    pub fn side(&self, seat: Seat) -> Option<&Side> {
        self.sides.get(usize::from(seat.0).checked_sub(1)?)
    }

    /// The data of a seat, mutable.
    pub fn side_mut(&mut self, seat: Seat) -> Option<&mut Side> {
        self.sides.get_mut(usize::from(seat.0).checked_sub(1)?)
    }

    /// Every seat, in the order of numbers.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        // There are at most seven.
        (1..=self.sides.len() as u8).map(Seat)
    }

    /// Whether a seat still takes part: it has armies and a player. In the draft every seat with a
    /// player does.
    pub fn plays(&self, seat: Seat) -> bool {
        self.side(seat).is_some_and(|s| s.out.is_none() && s.left.is_none())
    }

    /// The seats that still take part.
    pub fn playing(&self) -> Vec<Seat> {
        self.seats().filter(|s| self.plays(*s)).collect()
    }

    /// Seats whose cards the open step waits for.
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

    /// The seat whose turn it is, also while a guess is awaited.
    pub fn to_move(&self) -> Option<Seat> {
        match &self.stage {
            Stage::Turn(turn) | Stage::Challenge(turn, _) => Some(turn.seat),
            Stage::Draft(_) | Stage::Over(_) => None,
        }
    }
}

/// The first line of guesses of a seat that fits a situation, with the name of its seal; if no line
/// fits, the even mix.
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

/// The mountains that seats wish for.
pub type Wishes = BTreeMap<Seat, Vec<Place>>;
