//! Hex for two: the smallest complete game on the engine interface.
//!
//! It is the example of the chapter "Write an engine" ([`engine::guide`]), and not a game of this
//! host: the registry does not list it. Read it in this order:
//!
//! | file | what it holds |
//! |---|---|
//! | [`board`] | the rhombus of hexagons: places, neighbours, who has joined the edges |
//! | [`options`], [`state`] | what may be chosen, what is saved, how a game is made |
//! | [`orders`], [`judge`] | the table of orders and the reader of a card, its judgement |
//! | [`view`] | what a seat may know |
//! | `turn` | one step |
//! | [`report`] | the printout, the map, the short mail |
//! | [`headline`] | the first sentences of a printout |
//! | [`primer`] | the introduction for newcomers |
//! | [`wording`] | orders in words |
//! | [`computer`] | the computer player |
//! | [`audit`] | invariants after every step |
//! | [`rulebook`] | the rules in words |

pub mod audit;
pub mod board;
pub mod computer;
pub mod headline;
pub mod judge;
pub mod options;
pub mod orders;
pub mod primer;
pub mod report;
pub mod rulebook;
pub mod state;
mod turn;
pub mod view;
pub mod wording;

use std::ops::RangeInclusive;

use engine::{
    Dice, Engine, EngineOf, Input, Rules, Score, Seat, Setup, Stepped, Turns, Until, Wait,
};
use state::{Move, State};
use tongue::say;
use view::View;

/// The engine.
pub struct Hex;

/// The engine for the host. It is a static of this crate, so that all its code is compiled here.
pub static ENGINE: &dyn Engine = &EngineOf::<Hex>::new();

impl engine::Answers for Hex {}

impl Rules for Hex {
    type State = State;
    type View = View;
    type Event = Move;

    const ID: &'static str = "hex";
    const TITLE: &'static str = "Hex";
    const RULES_VERSION: u32 = 1;
    const OPTIONS: &[engine::OptionRow] = options::ROWS;
    const DICE: bool = false;
    const AT_ONCE: bool = true;

    fn seats() -> RangeInclusive<u8> {
        2..=2
    }

    fn data() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn new_game(setup: &Setup, _: &mut Dice) -> Result<State, Vec<String>> {
        State::new(setup)
    }

    fn view(state: &State, events: &[Move], seat: Seat) -> View {
        View::of(state, events, seat)
    }

    fn step(state: State, input: &Input, _: &mut Dice) -> Stepped<State, Move> {
        state.step(input)
    }

    fn wait(state: &State) -> Wait {
        let (number, hours) = (state.step, state.turn_hours);
        match state.to_move() {
            Some(seat) => Wait {
                seats: vec![seat],
                until: Until::Clock { name: "turn".to_owned(), hours },
                label: [say!("turn {}", number), say!("{} to move", board::colour(seat))]
                    .join(", "),
                turns: Turns::one(number),
            },
            None => Wait {
                seats: Vec::new(),
                until: Until::Calendar,
                label: say!("the end of the game after turn {}", number.saturating_sub(1)),
                turns: Turns::one(number.saturating_sub(1)),
            },
        }
    }

    fn result(state: &State) -> Option<Vec<Score>> {
        let winner = state.over.as_ref()?.winner;
        let score = |seat| match seat == winner {
            true => Score { seat, rank: 1, points: 1 },
            false => Score { seat, rank: 2, points: 0 },
        };
        Some([board::RED, board::BLUE].map(score).to_vec())
    }
}
