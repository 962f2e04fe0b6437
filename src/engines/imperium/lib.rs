//! Imperium: Terrans against the Imperium, wars over generations, for two players.
//!
//! Both sides plan in secret; the dice decide who acts when. The chapters (§) in comments are those
//! of the rule specification: 2 units, 3 map, 4 set-up, 5 administration, 6 action segments, 7
//! space battles, 8 planetary battles, 9 Close-Out, 10 Glory, 11 peace, 12 by mail, 13 orders, 14
//! echo, 15 secrecy and printout, 17 options, 20 computer player.
//!
//! The step is a machine that can stop in many places: for a `HALT`, after a round of battle,
//! before an activation. Everything in progress is in the state ([`state::Action`]), so that the
//! next step continues where the last one ended.
//!
//! | file | contents |
//! |---|---|
//! | [`kinds`], [`galaxy`], [`tables`], [`options`] | units, map, number tables and options |
//! | [`board`], [`supply`], [`counters`] | places of units, connection, limits of numbers |
//! | [`orders`], [`plan`], [`standing`] | the table of orders and its parser, blocks, what is on file |
//! | [`admin`], [`acts`] | administration and orders of an activation: the same for echo and step |
//! | [`fire`], [`space`], [`ground`] | targets of fire, space battles, planetary battles |
//! | [`state`], [`event`], [`run`] | what is saved, what happens, a step in progress |
//! | [`court`], [`closeout`], [`war`] | Intervention and income, Close-Out, ends of turns and wars |
//! | [`travel`], [`siege`] | moving fleets, attacks on planets |
//! | [`mod@step`] | one step: cards, the order of play |
//! | [`view`] | what a seat may know |
//! | [`judge`], [`odds`], [`words`] | the judgement of a card, trial battles, plans in words |
//! | [`report`], [`story`], [`picture`], [`card`] | printout, battles, star chart, blank card |
//! | [`rulebook`] | the rules in words |
//! | [`computer`] | the computer player |
//! | [`wording`], [`questions`], [`primer`] | orders in words, questions by mail, the introduction |
//! | [`audit`] | checks after every step, statistics, the course of the game |

pub mod acts;
pub mod admin;
pub mod audit;
pub mod board;
pub mod card;
pub mod closeout;
pub mod computer;
pub mod counters;
pub mod court;
pub mod event;
pub mod fire;
pub mod galaxy;
pub mod ground;
pub mod headline;
pub mod judge;
pub mod kinds;
pub mod odds;
pub mod options;
pub mod orders;
pub mod picture;
pub mod plan;
pub mod primer;
pub mod questions;
pub mod report;
pub mod rulebook;
pub mod run;
pub mod siege;
pub mod space;
pub mod standing;
pub mod state;
pub mod step;
pub mod story;
pub mod supply;
pub mod tables;
pub mod travel;
pub mod view;
pub mod war;
pub mod wording;
pub mod words;

use std::ops::RangeInclusive;

use engine::{
    Dice, Engine, EngineOf, Input, Practice, Rules, Score, Seat, Setup, Stepped, Turns, Until, Wait,
};
use event::Event;
use kinds::Side;
use state::{Pause, Stage, State};
use tongue::say;
use view::View;

/// The engine.
pub struct Imperium;

/// The engine for a host. It is defined here so that all its code is compiled in this crate.
pub static ENGINE: &dyn Engine = &EngineOf::<Imperium>::new();

impl Rules for Imperium {
    type State = State;
    type View = View;
    type Event = Event;

    const ID: &'static str = "imperium";
    const TITLE: &'static str = "Imperium";
    /// Version 2 made the texts of events data.
    const RULES_VERSION: u32 = 2;
    const RULES_VERSION_OLDEST: u32 = 1;
    const NOTES_FROM: u32 = 2;
    const OPTIONS: &[engine::OptionRow] = options::ROWS;
    const STEP_IS_TURN: bool = false;

    fn seats() -> RangeInclusive<u8> {
        2..=2
    }

    fn practice() -> Practice {
        Practice::new(
            2,
            &[("computers", "easy"), ("turn_hours", "336"), ("live_hours", "336")],
            include_str!("../../../config/imperium/lessons.toml"),
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
        let both = || Side::BOTH.map(Side::seat).to_vec();
        let clock = |name: &str, hours| Until::Clock { name: name.to_owned(), hours };
        let turn = clock("turn", state.options.turn_hours);
        let live = clock("live", state.options.live_hours);
        // Parts between commas, with numbered slots: `tongue::label` translates a stored label.
        let mut parts = match (state.peace, state.options.campaign) {
            (Some(peace), _) => vec![say!("peace turn {}", peace.turn)],
            (None, true) => vec![say!("war {}", state.war), say!("turn {}", state.turn)],
            (None, false) => vec![say!("turn {}", state.turn)],
        };
        let (seats, until) = match &state.stage {
            Stage::Setup => {
                parts = vec![say!("the set-up")];
                (both(), turn)
            }
            Stage::Administration => (both(), turn),
            Stage::Action(a) => {
                parts.push(say!("segment {}", a.segment));
                match a.pause {
                    Pause::None => (both(), turn),
                    Pause::Halt(_) => {
                        parts.push(say!("halted"));
                        (both(), live)
                    }
                    Pause::Round => {
                        parts.push(say!("a battle"));
                        (both(), live)
                    }
                    Pause::Turn => {
                        parts.push(say!("{} to act", a.to_act.localized()));
                        (vec![a.to_act.seat()], turn)
                    }
                }
            }
            Stage::Over(_) => {
                parts = vec![say!("the end of the game")];
                (Vec::new(), Until::Calendar)
            }
        };
        let label = parts.join(", ");
        let turns = match (&state.stage, state.peace) {
            (Stage::Setup, _) => Turns::default(),
            (_, Some(peace)) => Turns::one(peace.turn),
            _ => Turns::one(state.turn),
        };
        Wait { seats, until, label, turns }
    }

    fn result(state: &State) -> Option<Vec<Score>> {
        let Stage::Over(end) = &state.stage else { return None };
        let score = |side: Side| match end.winner {
            None => Score { seat: side.seat(), rank: 1, points: 1 },
            Some(winner) if winner == side => Score { seat: side.seat(), rank: 1, points: 2 },
            Some(_) => Score { seat: side.seat(), rank: 2, points: 0 },
        };
        Some(Side::BOTH.map(score).to_vec())
    }
}
