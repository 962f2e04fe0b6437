//! Warlord: a hundred players on a world of 320 × 99 sectors.
//!
//! The chapters (§) that comments name are those of the rule specification:
//! 1 world, 2 units, 3 movement, 4 combat, 5 air, 6 economy, 7 spying,
//! 8 alliances and victory, 9 orders, 10 printout, 11 tech levels, 12 message
//! codes, 13 acceptance cases. `[ours]` marks a figure or a decision that closes
//! a gap of the rulebook.
//!
//! Tech levels one to ten are in force. What a level brings stands in `tech.toml` and in the column
//! `tech` of `units.toml`; help, rulebook, turn card and echo show a seat what its level knows.
//! [`bases`] has airbases, decks and what lies there, [`works`] what engineers build.

pub mod audit;
pub mod bases;
pub mod computer;
pub mod desk;
pub mod events;
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
pub mod told;
pub mod turn;
pub mod view;
pub mod ways;
pub mod wording;
pub mod words;
pub mod works;
pub mod world;

use std::ops::RangeInclusive;

use engine::report::bind;
use engine::{
    Ask, CardText, Chart, Dice, Engine, EngineOf, Forms, Headline, Input, Judgement, Line,
    MapPicture, Names, Play, Practice, Primer, Report, Rules, Score, Seat, Section, Setup, Stepped,
    Tally, Topic, Wait,
};
use events::Happening;
use state::State;
use view::View;

/// The tech level whose orders and chapters a seat may read.
fn known_tech(state: &State, seat: Seat) -> u8 {
    state.powers.get(usize::from(seat.0)).map_or(1, |power| power.tech)
}

/// The engine.
pub struct Warlord;

/// The engine as a host takes it. It stands here, so that all its code is built with this crate.
pub static ENGINE: &dyn Engine = &EngineOf::<Warlord>::new();

impl Rules for Warlord {
    type State = State;
    type View = View;
    type Event = Happening;

    const ID: &'static str = "warlord";
    const TITLE: &'static str = "Warlord";
    const RULES_VERSION: u32 = 5;
    const OPTIONS: &[engine::OptionRow] = options::ROWS;
    /// Worlds of version 4 have straight channels; nothing else differs.
    const RULES_VERSION_OLDEST: u32 = 4;

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

    fn starts_order(line: &str) -> bool {
        orders::starts_order(line)
    }

    fn takes_text(line: &str) -> bool {
        let letters = line.trim_start().chars().take_while(|c| c.is_ascii_alphabetic());
        letters.collect::<String>().eq_ignore_ascii_case("N")
    }

    fn wording() -> &'static Forms {
        &wording::FORMS
    }

    fn names(view: &View) -> Names {
        wording::names(view)
    }

    fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
        let mut judged = match ahead {
            0 => judge::judge(view, card),
            // What depends on the turn, such as the first coalitions, goes by the later one.
            _ => judge::judge(&View { turn: view.turn + ahead, ..view.clone() }, card),
        };
        judged.forecast.iter_mut().for_each(|s| bind(&mut s.blocks));
        judged
    }

    fn sketch(view: &View, card: &CardText) -> Option<MapPicture> {
        maps::sketch(&judge::after(view, card)?)
    }

    fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Happening> {
        let (state, events) = turn::Field::new(state, *input, dice).run();
        Stepped::new(state, events)
    }

    fn report(view: &View, language: &str) -> Option<Report> {
        report::report(view, language)
    }

    fn answer(view: &View, ask: &Ask) -> Vec<Line> {
        questions::answer(view, ask)
    }

    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn headline(view: &View) -> Headline {
        headline::headline(view)
    }

    fn chronicle(state: &State, events: &[Happening]) -> Vec<Line> {
        headline::chronicle(state, events)
    }

    fn languages(_: Option<&State>) -> &'static [&'static str] {
        tables::LANGUAGES
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

    fn help(state: Option<&State>) -> Vec<Topic> {
        match state {
            Some(state) => orders::help(&state.tables, state.tables.world.start.tech),
            None => orders::help(&tables::Tables::embedded(), 1),
        }
    }

    fn help_for(state: &State, seat: Seat) -> Vec<Topic> {
        orders::help(&state.tables, known_tech(state, seat))
    }

    fn rulebook_for(state: &State, seat: Seat) -> Vec<Section> {
        rulebook::rulebook(state, known_tech(state, seat))
    }

    fn rulebook(state: &State) -> Vec<Section> {
        let tech = match state.over {
            Some(_) => state.tables.rules.research.tech_max,
            None => state.tables.world.start.tech,
        };
        rulebook::rulebook(state, tech)
    }

    fn play(view: &View, notes: &str, dice: &mut Dice) -> Play {
        computer::play(view, notes, dice)
    }

    fn audit(
        before: (&State, &[Happening]),
        input: &Input,
        after: (&State, &[Happening]),
    ) -> Vec<String> {
        audit::audit(before, input.cards, after)
    }

    fn tally(state: &State, events: &[Happening]) -> Tally {
        audit::tally(state, events)
    }

    fn atlas(state: &State) -> Option<MapPicture> {
        Some(maps::atlas(state))
    }
    fn charts(state: &State) -> Vec<Chart> {
        audit::charts(state)
    }
}
