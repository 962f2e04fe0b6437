//! What a seat may know (§10): everything on the map, and its own guesses. Secret numbers, guesses
//! of others and cards have no field here.

use engine::Seat;

use super::board::Board;
use super::draft::Draft;
use super::numbers::Guess;
use super::state::{End, Event, Filed, Stage, State};
use super::tables::Options;
use super::turn::{Target, Turn};

/// What everybody may know of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicSide {
    /// Turns that it began.
    pub turns: u32,
    /// Whether it votes for a draw.
    pub draw: bool,
    /// The step in which its last army was lost.
    pub out: Option<u32>,
    /// Whether nobody plays it.
    pub garrison: bool,
    /// Attacks that it made, and how many of them succeeded.
    pub attacks: (u32, u32),
}

/// What everybody may know of the open step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scene {
    /// Mountains are taken.
    Draft(Draft),
    /// A seat's turn.
    Turn(Turn),
    /// A guess is awaited.
    Challenge(Turn, Asked),
    /// The game is over.
    Over(End),
}

/// A guess that is awaited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The announced attack.
    pub target: Target,
    /// The name of the seal of the number.
    pub seal: String,
    /// The guess of the defender's own line if no answer comes, with the number of the attack; only
    /// the defender sees it.
    pub rest: Option<(Guess, u32)>,
}

/// What a seat knows after the last step.
#[derive(Debug, Clone)]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// The options of the game.
    pub options: Options,
    /// The map and its contents.
    pub board: Board,
    /// The order of play.
    pub order: Vec<Seat>,
    /// The public data of each seat, by seat number less one.
    pub sides: Vec<PublicSide>,
    /// Number of the open step.
    pub step: u32,
    /// The round.
    pub round: u32,
    /// The open step.
    pub scene: Scene,
    /// Its own guesses on file.
    pub policies: Vec<Filed>,
    /// The events since the beginning of the turn that was just played.
    pub events: Vec<Event>,
    /// False while that turn still goes on.
    pub whole: bool,
}

impl View {
    /// The view of a seat.
    pub fn of(state: &State, events: &[Event], seat: Seat) -> Self {
        let side = |s: &super::state::Side| PublicSide {
            turns: s.turns,
            draw: s.draw,
            out: s.out,
            garrison: s.left.is_some(),
            attacks: s.attacks,
        };
        let scene = match &state.stage {
            Stage::Draft(draft) => Scene::Draft(draft.clone()),
            Stage::Turn(turn) => Scene::Turn(turn.clone()),
            Stage::Challenge(turn, challenge) => {
                let own = challenge.target.defender == seat;
                let asked = Asked {
                    target: challenge.target,
                    seal: challenge.seal.clone(),
                    rest: own.then(|| (challenge.rest.clone(), challenge.nth)),
                };
                Scene::Challenge(turn.clone(), asked)
            }
            Stage::Over(end) => Scene::Over(end.clone()),
        };
        let whole = match &state.stage {
            Stage::Turn(turn) => turn.part == 1,
            Stage::Challenge(..) => false,
            Stage::Draft(_) | Stage::Over(_) => true,
        };
        // While the turn goes on, the earlier events already include those of this step.
        let all = match whole {
            true => state.earlier.iter().chain(events).collect(),
            false => state.earlier.iter().collect::<Vec<_>>(),
        };
        let own = |e: &Event| match e {
            Event::NotDone(of, ..) if *of != seat => None,
            Event::Letter(letter) => letter.for_seat(seat).map(Event::Letter),
            other => Some(other.clone()),
        };
        Self {
            seat,
            options: state.options.clone(),
            board: state.board.clone(),
            order: state.order.clone(),
            sides: state.sides.iter().map(side).collect(),
            step: state.step,
            round: state.round,
            scene,
            policies: state.side(seat).map(|s| s.policies.clone()).unwrap_or_default(),
            events: all.into_iter().filter_map(own).collect(),
            whole,
        }
    }

    /// Whether others have written to this seat.
    pub fn has_letters(&self) -> bool {
        self.events.iter().any(|e| matches!(e, Event::Letter(_)))
    }

    /// The public data of a seat.
    pub fn side(&self, seat: Seat) -> Option<&PublicSide> {
        self.sides.get(usize::from(seat.0).checked_sub(1)?)
    }

    /// Every seat, in the order of numbers.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        // There are at most seven.
        (1..=self.sides.len() as u8).map(Seat)
    }

    /// Whether a seat still takes part.
    pub fn plays(&self, seat: Seat) -> bool {
        self.side(seat).is_some_and(|s| s.out.is_none() && !s.garrison)
    }

    /// The seat whose turn it is.
    pub fn to_move(&self) -> Option<Seat> {
        match &self.scene {
            Scene::Turn(turn) | Scene::Challenge(turn, _) => Some(turn.seat),
            Scene::Draft(_) | Scene::Over(_) => None,
        }
    }

    /// The turn that this seat is to play now.
    pub fn own_turn(&self) -> Option<&Turn> {
        match &self.scene {
            Scene::Turn(turn) if turn.seat == self.seat => Some(turn),
            _ => None,
        }
    }

    /// The guess that this seat must make now.
    pub fn asked(&self) -> Option<&Asked> {
        match &self.scene {
            Scene::Challenge(_, asked) if asked.target.defender == self.seat => Some(asked),
            _ => None,
        }
    }

    /// Whether this seat picks a mountain now.
    pub fn picks(&self) -> bool {
        match &self.scene {
            Scene::Draft(draft) => match self.options.draft {
                super::tables::Draft::List => self.plays(self.seat),
                super::tables::Draft::Live => draft.left.first() == Some(&self.seat),
            },
            _ => false,
        }
    }
}
