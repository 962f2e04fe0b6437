//! Empire Deluxe: exploration and conquest for 2 to 6 players, on worlds of islands.
//!
//! The chapters (§) that comments name are those of the rule specification: 1 editions, 2 map,
//! 3 units, 4 turns, 5 movement, 6 carrying, 7 sighting, 8 combat, 9 cities, 10 damage,
//! 11 production, 12 airbases, 13 the end, 14 computers, 15 by mail, 16 orders, 17 turns of all,
//! 18 report, 19 cases.
//!
//! | file | what it holds |
//! |---|---|
//! | [`kinds`] | kinds of units, editions |
//! | [`options`], [`tables`] | options and numbers |
//! | [`ground`] | squares and their terrain |
//! | [`world`] | the making of a world |
//! | [`combat`] | who may attack whom, and the odds |
//! | [`state`] | cities, units, players |
//! | [`sight`] | what a player knows |
//! | [`event`] | what happened |
//! | [`field`] | which unit is where, who sees what |
//! | [`moves`], [`stop`] | the referee: single steps of units, and why a step is not possible |
//! | [`production`] | the clock of cities |
//! | [`view`] | what a player may know |
//! | [`check`] | what can't be done at all |
//! | [`judge`], [`forecast`] | the judgement of a card, and its expected effect |
//! | [`report`], [`battles`], [`words`], [`picture`] | the printout, panels of battles, sentences, maps |
//! | [`groups`] | units by where they are, for lists and orders |
//! | [`rulebook`] | the rules in words, with the numbers of the game |
//! | [`computer`] | the computer player |
//! | [`wording`], [`questions`], [`primer`] | orders in words, questions by mail, the introduction for newcomers |
//! | [`audit`] | invariants after every step, statistics, the course of the game |
//! | [`stage`], [`sitting`] | a game between steps, its open step, the number of turns of a sitting |
//! | [`game`] | steps of a game |
//! | [`queue`], [`route`] | how units carry out their orders; their ways |
//! | [`orders`], [`commands`] | the table of orders and their reader; how they take effect |

pub mod audit;
pub mod battles;
pub mod check;
pub mod combat;
pub mod commands;
pub mod computer;
pub mod event;
pub mod field;
pub mod forecast;
pub mod game;
pub mod ground;
pub mod groups;
pub mod headline;
pub mod judge;
pub mod kinds;
pub mod moves;
pub mod options;
pub mod orders;
pub mod picture;
pub mod primer;
pub mod production;
pub mod questions;
pub mod queue;
pub mod report;
pub mod route;
pub mod rulebook;
pub mod sight;
pub mod sitting;
pub mod stage;
pub mod state;
pub mod stop;
pub mod tables;
pub mod view;
pub mod wording;
pub mod words;
pub mod world;

use std::ops::RangeInclusive;

use engine::{
    Dice, Engine, EngineOf, Input, Practice, Rules, Score, Seat, Setup, Stepped, Turns, Until, Wait,
};
use event::Event;
use stage::{Stage, State};
use tongue::say;
use view::View;

/// The engine.
pub struct EmpireDeluxe;

/// The engine for the host. It is a static of this crate, so that all its code is compiled here.
pub static ENGINE: &dyn Engine = &EngineOf::<EmpireDeluxe>::new();

impl Rules for EmpireDeluxe {
    type State = State;
    type View = View;
    type Event = Event;

    const ID: &'static str = "empire-deluxe";
    const TITLE: &'static str = "Empire Deluxe";
    const RULES_VERSION: u32 = 1;
    const OPTIONS: &[engine::OptionRow] = options::ROWS;
    const STEP_IS_TURN: bool = false;
    const RANKS: &'static [(u32, &'static str)] = &tables::RANKS;

    fn seats() -> RangeInclusive<u8> {
        2..=6
    }

    fn practice() -> Practice {
        Practice::new(
            2,
            &[("computers", "easy"), ("turn_hours", "336")],
            include_str!("../../../config/empire-deluxe/lessons.toml"),
        )
    }

    fn data() -> &'static [(&'static str, &'static str)] {
        &tables::DEFAULTS
    }

    fn new_game(setup: &Setup, dice: &mut Dice) -> Result<State, Vec<String>> {
        State::new(setup, dice).map(|made| made.0)
    }

    fn view(state: &State, events: &[Event], seat: Seat) -> View {
        View::of(state, events, seat)
    }

    fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Event> {
        game::step(state, input, dice)
    }

    fn wait(state: &State) -> Wait {
        let hours = state.world.options.turn_hours;
        let clock = Until::Clock { name: "turn".to_owned(), hours };
        let last = state.first + state.sitting.max(1) - 1;
        let turns = match state.sitting {
            0 | 1 => say!("turn {turn}", turn = state.first),
            _ => say!("turns {first} to {last}", first = state.first),
        };
        let (until, label) = match &state.stage {
            Stage::Sitting { seat, part: 1 } => (clock, say!("{turns}, player {seat}")),
            Stage::Sitting { seat, part } => (clock, say!("{turns}, player {seat}, part {part}")),
            Stage::All => (clock, turns),
            Stage::Over(_) => (Until::Calendar, say!("the end of the game")),
        };
        let seats = state.awaited();
        // Nobody is awaited if computers play for all who are left.
        let over = matches!(state.stage, Stage::Over(_));
        let until = if seats.is_empty() && !over { Until::Now } else { until };
        Wait { seats, until, label, turns: Turns { first: state.first, last } }
    }

    fn result(state: &State) -> Option<Vec<Score>> {
        let Stage::Over(winner) = state.stage else { return None };
        // Players who left later rank higher; then cities count, then units (§13).
        let worth = |seat: Seat| {
            let side = state.world.side(seat);
            let out = side.and_then(|s| s.out).unwrap_or(u32::MAX);
            (out, side.map_or((0, 0), |s| s.worth))
        };
        let score = |seat: Seat| {
            let above = state.world.seats().filter(|s| worth(*s) > worth(seat)).count();
            // There are at most six seats.
            Score { seat, rank: 1 + above as u32, points: i64::from(winner == Some(seat)) }
        };
        Some(state.world.seats().map(score).collect())
    }
}
