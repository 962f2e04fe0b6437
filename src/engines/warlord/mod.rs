//! Warlord: a hundred players on a world of 320 × 99 sectors.
//!
//! The chapters (§) that comments name are those of the rule specification:
//! 1 world, 2 units, 3 movement, 4 combat, 5 air, 6 economy, 7 spying,
//! 8 alliances and victory, 9 orders, 10 printout, 11 tech levels, 12 message
//! codes, 13 acceptance cases. `[ours]` marks a figure or a decision that closes
//! a gap of the rulebook.
//!
//! Not yet in force: air missions, spying, research, engineering, coalitions,
//! victory. Their orders are read and checked, and the echo says so.

pub mod desk;
pub mod events;
pub mod judge;
pub mod orders;
pub mod report;
pub mod state;
pub mod tables;
pub mod turn;
pub mod view;
pub mod world;

use std::ops::RangeInclusive;

use crate::engine::{
    Awaited, BySeat, CardText, Dice, Fault, Judgement, MAIN_CLOCK, Report, Rules, Score, Seat,
    Setup, Stepped, Topic,
};
use events::Happening;
use orders::Order;
use state::State;
use view::View;

/// The engine.
pub struct Warlord;

impl Rules for Warlord {
    type State = State;
    type View = View;
    type Order = Order;
    type Event = Happening;

    const ID: &'static str = "warlord";
    const TITLE: &'static str = "Warlord";
    const RULES_VERSION: u32 = 1;

    fn seats() -> RangeInclusive<u8> {
        2..=200
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

    fn parse(card: &CardText) -> (Vec<(u32, Order)>, Vec<Fault>) {
        orders::parse(card)
    }

    fn judge(view: &View, card: &CardText) -> Judgement {
        judge::judge(view, card)
    }

    fn step(state: State, cards: &BySeat<CardText>, dice: &mut Dice) -> Stepped<State, Happening> {
        let (state, events) = turn::Field::new(state, cards, dice).run();
        Stepped { state, events, carried: BySeat::new(), opened: Vec::new() }
    }

    fn report(view: &View) -> Report {
        report::report(view)
    }

    fn awaited(state: &State) -> Awaited {
        let plays = |p: &&state::Power| !p.cities.is_empty() || !p.units.is_empty();
        let seats = state.powers[1..].iter().filter(plays).map(|p| Seat(p.seat)).collect();
        Awaited { seats, clock: MAIN_CLOCK }
    }

    fn result(_: &State) -> Option<Vec<Score>> {
        // Victory is not yet in force.
        None
    }

    fn help() -> Vec<Topic> {
        orders::help()
    }
}
