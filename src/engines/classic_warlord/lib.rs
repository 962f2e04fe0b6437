//! Classic Warlord: empires, bluff and bombs for 2 to 7 players, on a map of 600 regions.
//!
//! One seat moves at a time. There are no dice in a battle: an attack is a secret number and a
//! guess.
//! The chapters (§) that comments name are those of the rule specification: 2 components, 3 map,
//! 4 setup, 5 a turn, 6 terrain, 7 by mail, 8 orders, 9 echo, 10 printout, 11 end, 12 arithmetic,
//! 13 options, 15 acceptance cases, 16 computer player.
//!
//! | file | what it holds |
//! |---|---|
//! | [`map`] | boards, regions, links |
//! | [`options`], [`tables`] | options and numbers |
//! | [`board`] | armies, bombs, empires, explosions |
//! | [`numbers`] | secret numbers and guesses |
//! | [`orders`] | the table of orders and their reader |
//! | [`turn`] | the referee: what may be done in a turn |
//! | [`draft`] | mountains at the start |
//! | [`state`] | what is saved |
//! | [`mod@step`] | one step |
//! | [`view`] | what a seat may know |
//! | [`judge`] | the judgement of a card |
//! | [`outlines`], [`picture`] | how regions look, the map |
//! | [`report`], [`card`] | printout, short mail, blank card |
//! | [`rulebook`] | the rules in words |
//! | [`computer`] | the computer player |
//! | [`plan`] | a turn in a trial run, as a computer would play it |
//! | [`wording`], [`questions`], [`primer`] | orders in words, questions by mail, the introduction for newcomers |
//! | [`audit`] | invariants after every step, statistics, the course of the game |

pub mod audit;
pub mod board;
pub mod card;
pub mod computer;
pub mod draft;
pub mod headline;
pub mod judge;
pub mod map;
pub mod numbers;
pub mod options;
pub mod orders;
pub mod outlines;
pub mod picture;
pub mod plan;
pub mod primer;
pub mod questions;
pub mod report;
pub mod rulebook;
pub mod state;
pub mod step;
pub mod tables;
pub mod turn;
pub mod view;
pub mod wording;

use std::ops::RangeInclusive;

use engine::{
    Dice, Engine, EngineOf, Input, Practice, Rules, Score, Seat, Setup, Stepped, Turns, Until, Wait,
};
use state::{Event, Stage, State};
use tongue::say;
use view::View;

/// The engine.
pub struct ClassicWarlord;

/// The engine for the host. It is a static of this crate, so that all its code is compiled here.
pub static ENGINE: &dyn Engine = &EngineOf::<ClassicWarlord>::new();

impl Rules for ClassicWarlord {
    type State = State;
    type View = View;
    type Event = Event;

    const ID: &'static str = "classic-warlord";
    const TITLE: &'static str = "Classic Warlord";
    /// 2: the reason why an order was not carried out is saved as data.
    const RULES_VERSION: u32 = 2;
    const RULES_VERSION_OLDEST: u32 = 1;
    const NOTES_FROM: u32 = 2;
    const OPTIONS: &[engine::OptionRow] = options::ROWS;
    const AT_ONCE: bool = true;
    const STEP_IS_TURN: bool = false;

    fn seats() -> RangeInclusive<u8> {
        2..=7
    }

    fn practice() -> Practice {
        Practice::new(
            4,
            &[("computers", "easy"), ("turn_hours", "336"), ("live_hours", "336")],
            include_str!("../../../config/classic-warlord/lessons.toml"),
        )
    }

    fn data() -> &'static [(&'static str, &'static str)] {
        &tables::DEFAULTS
    }

    fn new_game(setup: &Setup, dice: &mut Dice) -> Result<State, Vec<String>> {
        State::new(setup, dice)
    }

    fn view(state: &State, events: &[Event], seat: Seat) -> View {
        View::of(state, events, seat)
    }

    fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Event> {
        step::step(state, input, dice)
    }

    fn wait(state: &State) -> Wait {
        let seats = state.awaited();
        let turn = Until::Clock { name: "turn".to_owned(), hours: state.options.turn_hours };
        let (until, label) = match &state.stage {
            Stage::Draft(draft) => {
                (turn, [say!("the draft"), say!("round {}", draft.round)].join(", "))
            }
            Stage::Turn(now) => {
                let who = picture::colour(now.seat);
                let mut parts = vec![say!("round {}", state.round), say!("{} to move", who)];
                parts.extend((now.part > 1).then(|| say!("part {}", now.part)));
                (turn, parts.join(", "))
            }
            Stage::Challenge(now, challenge) => {
                let (by, of) = (now.seat, challenge.target.defender);
                let (by, of) = (picture::colour(by), picture::colour(of));
                let hours = state.options.live_hours;
                let live = Until::Clock { name: "live".to_owned(), hours };
                (live, [say!("round {}", state.round), say!("{} attacks {}", by, of)].join(", "))
            }
            Stage::Over(_) => (Until::Calendar, say!("the end of the game")),
        };
        let turns = match &state.stage {
            Stage::Draft(_) => Turns::default(),
            _ => Turns::one(state.round),
        };
        Wait { seats, until, label, turns }
    }

    fn result(state: &State) -> Option<Vec<Score>> {
        let Stage::Over(end) = &state.stage else { return None };
        // A seat that fell later, or left later, ranks higher (§11).
        let fell = |seat: Seat| {
            let side = state.side(seat);
            side.and_then(|s| s.out.or(s.left)).unwrap_or(u32::MAX)
        };
        let worth = |seat: Seat| (state.board.held(seat).count(), state.board.total(seat));
        let better = |a: Seat, b: Seat| (fell(a), worth(a)) > (fell(b), worth(b));
        // There are at most seven seats.
        let first = end.winners.len() as u32;
        let share = 100 / i64::from(first.max(1));
        let score = |seat: Seat| match end.winners.contains(&seat) {
            true => Score { seat, rank: 1, points: share },
            false => {
                let above = state.seats().filter(|s| !end.winners.contains(s) && better(*s, seat));
                Score { seat, rank: 1 + first + above.count() as u32, points: 0 }
            }
        };
        Some(state.seats().map(score).collect())
    }
}
