//! Battle Plan: Europe for 4 to 9 players, and the World Wide family on a map of
//! 224 countries.
//!
//! The chapters (§) in comments are those of the rule specification: 1 components, 2 map, 4 card, 5
//! player orders, 6 space orders, 7 limits, 8 standing orders and default builds, 9 sequence of
//! events, 10 combat, 11 economy, 12 popularity, 13 spies, 14 straits, 15 visibility, 16 printout,
//! 17 messages, 18 end, 19 and 20 World Wide. 12A to 12E are the rulebook's limits; `Gnn` is a
//! decision that closes a gap of the rulebook.
//!
//! A game is one of the variants of `variants.toml`, chosen by the option `variant`. All
//! differences between them are columns of that file, not types.

pub mod audit;
pub mod computer;
pub mod desk;
pub mod diary;
pub mod event;
pub mod headline;
pub mod homes;
pub mod judge;
pub mod map;
pub mod maps;
pub mod mind;
pub mod names;
mod odds;
pub mod options;
pub mod orders;
pub mod points;
pub mod primer;
pub mod questions;
pub mod report;
pub mod rulebook;
pub mod state;
pub mod tables;
pub mod turn;
pub mod variants;
pub mod verbs;
pub mod view;
pub mod wording;
pub mod words;
pub mod worth;

use std::ops::RangeInclusive;

use engine::{Dice, Engine, EngineOf, Input, Practice, Rules, Score, Seat, Setup, Stepped, Wait};
use event::Event;
use state::State;
use view::View;

/// The engine.
pub struct BattlePlan;

/// The engine for a host. It is defined here so that all its code is compiled in this crate.
pub static ENGINE: &dyn Engine = &EngineOf::<BattlePlan>::new();

impl Rules for BattlePlan {
    type State = State;
    type View = View;
    type Event = Event;

    const ID: &'static str = "battle-plan";
    const TITLE: &'static str = "Battle Plan";
    const RULES_VERSION: u32 = 4;
    const OPTIONS: &[engine::OptionRow] = options::ROWS;
    // Version 2 changed how dice are drawn, 3 details of the rules (`State::revised`), 4 made the
    // notes on orders data.
    const RULES_VERSION_OLDEST: u32 = 1;
    const NOTES_FROM: u32 = 4;
    const STREAM_DICE_UNTIL: u32 = 1;

    fn seats() -> RangeInclusive<u8> {
        4..=79
    }

    fn practice() -> Practice {
        Practice::new(
            5,
            &[("computers", "easy")],
            include_str!("../../../config/battle-plan/lessons.toml"),
        )
    }

    fn data() -> &'static [(&'static str, &'static str)] {
        &tables::DEFAULTS
    }

    fn new_game(setup: &Setup, dice: &mut Dice) -> Result<State, Vec<String>> {
        State::new(setup, dice)
    }

    fn view(state: &State, events: &[Event], seat: Seat) -> View {
        View::of(state, events, seat.0)
    }

    fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Event> {
        let (state, events) = turn::Field::new(state, *input, dice).run();
        Stepped::new(state, events)
    }

    fn wait(state: &State) -> Wait {
        let left = state.players.iter().filter(|p| p.out.is_none());
        let active: Vec<Seat> = left.clone().filter(|p| !p.dropped).map(|p| Seat(p.seat)).collect();
        // If everybody has dropped out, the game still keeps its calendar.
        let seats = if active.is_empty() { left.map(|p| Seat(p.seat)).collect() } else { active };
        Wait::turn(state.turn, seats)
    }

    fn given_up_after(state: &State) -> u32 {
        state.tables.figures.play.missed_turns.into()
    }

    fn result(state: &State) -> Option<Vec<Score>> {
        let over = state.over.as_ref()?;
        let score = |(player, (points, rank)): (&state::Player, &(i64, u32))| Score {
            seat: Seat(player.seat),
            rank: *rank,
            points: *points,
        };
        Some(state.players.iter().zip(&over.scores).map(score).collect())
    }
}
