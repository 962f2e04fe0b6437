//! Warlord: a hundred players on a world of 320 × 99 sectors.
//!
//! The chapters (§) in comments are those of the rule specification: 1 world, 2 units, 3 movement,
//! 4 combat, 5 air, 6 economy, 7 spying, 8 alliances and victory, 9 orders, 10 printout, 11 tech
//! levels, 12 message codes, 13 acceptance cases. `[ours]` marks a number or a decision that closes
//! a gap in the rulebook.
//!
//! Tech levels one to ten are in force. `tech.toml` and the column `tech` of `units.toml` list what
//! a level brings; help, rulebook, turn card and echo show a seat only what its level knows.
//! [`bases`] has airbases, decks and their contents, [`works`] the works of engineers.

pub mod audit;
pub mod bases;
pub mod computer;
pub mod desk;
pub mod events;
pub mod happened;
pub mod headline;
pub mod judge;
pub mod ledger;
pub mod level;
pub mod maps;
pub mod names;
pub mod odds;
pub mod options;
pub mod orders;
pub mod phrases;
pub mod primer;
pub mod questions;
pub mod report;
pub mod rulebook;
pub mod sheets;
pub mod standing;
pub mod state;
pub mod summary;
pub mod tables;
pub mod turn;
pub mod view;
pub mod ways;
pub mod wording;
pub mod words;
pub mod works;
pub mod world;

use std::ops::RangeInclusive;

use engine::{Dice, Engine, EngineOf, Input, Practice, Rules, Score, Seat, Setup, Stepped, Wait};
use events::Happening;
use state::State;
use view::View;

/// The engine.
pub struct Warlord;

/// The engine as a host takes it. It is defined here so that all its code is built with this crate.
pub static ENGINE: &dyn Engine = &EngineOf::<Warlord>::new();

impl Rules for Warlord {
    type State = State;
    type View = View;
    type Event = Happening;

    const ID: &'static str = "warlord";
    const TITLE: &'static str = "Warlord";
    const RULES_VERSION: u32 = 6;
    const OPTIONS: &[engine::OptionRow] = options::ROWS;
    /// Worlds of version 4 have straight channels, and games up to version 5 keep the notes on
    /// orders in English. Nothing else differs.
    const RULES_VERSION_OLDEST: u32 = 4;
    const NOTES_FROM: u32 = 6;

    fn seats() -> RangeInclusive<u8> {
        2..=200
    }

    fn practice() -> Practice {
        Practice::new(
            6,
            &[("computers", "easy")],
            include_str!("../../../config/warlord/lessons.toml"),
        )
    }

    fn data() -> &'static [(&'static str, &'static str)] {
        &tables::DEFAULTS
    }

    fn new_game(setup: &Setup, dice: &mut Dice) -> Result<State, Vec<String>> {
        let mut state = State::new(setup, dice)?;
        turn::economy::rate_all(&mut state);
        state.look_around();
        Ok(state)
    }

    fn view(state: &State, events: &[Happening], seat: Seat) -> View {
        View::of(state, events, seat.0)
    }

    fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Happening> {
        let (state, events) = turn::Field::new(state, *input, dice).run();
        Stepped::new(state, events)
    }

    fn wait(state: &State) -> Wait {
        Wait::turn(state.turn, state.active().map(|p| Seat(p.seat)).collect())
    }

    fn given_up_after(state: &State) -> u32 {
        state.tables.rules.absence.turns
    }

    fn result(state: &State) -> Option<Vec<Score>> {
        let score =
            |f: standing::Final| Score { seat: Seat(f.seat), rank: f.rank, points: f.points };
        Some(standing::finals(state)?.into_iter().map(score).collect())
    }
}
