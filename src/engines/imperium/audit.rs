//! Checks of what must hold after every step, statistics, and the course of a game.

use std::collections::{BTreeMap, BTreeSet};

use engine::report::{Chart, Series, Who};
use engine::{Audits, Input, Seat, Standing, Tally};

use super::board::{Board, Harm, Place};
use super::event::{Event, What};
use super::kinds::{Class, Kind, Side, UnitId};
use super::picture::tint;
use super::space::Loss;
use super::state::{Stage, State};
use crate::{Imperium, counters};

impl Audits for Imperium {
    fn audit(before: (&State, &[Event]), input: &Input, after: (&State, &[Event])) -> Vec<String> {
        audit(before.0, input, after)
    }

    fn tally(state: &State, events: &[Event]) -> Tally {
        tally(state, events)
    }

    fn charts(state: &State) -> Vec<Chart> {
        charts(state)
    }
}

/// Every invariant that a step broke.
pub fn audit(before: &State, _: &Input, (after, events): (&State, &[Event])) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut must = |holds: bool, what: String| {
        if !holds {
            wrong.push(what);
        }
    };
    must(after.step == before.step + 1, "the step was not counted".to_owned());
    must(after.options == before.options, "the options have changed".to_owned());
    must((0..=10).contains(&after.glory), format!("Glory is {}", after.glory));
    let board = &after.board;
    for side in Side::BOTH {
        for kind in Kind::ALL {
            let count = board.tables.of(side, kind).map_or(0, |f| f.count);
            let has = counters::counted(board, side, kind);
            let none = board.tables.of(side, kind).is_none();
            must(!none || has == 0, format!("{side:?} has {kind:?}"));
            must(count == 0 || has <= u32::from(count), format!("{side:?} has {has} {kind:?}"));
        }
    }
    for (id, unit) in &board.units {
        placed(board, *id, unit.place, &mut must);
    }
    for key in board.fleets.keys() {
        let empty = board.ships(key.0, key.1).next().is_none();
        must(!empty, format!("fleet {} of {:?} is empty", key.1, key.0));
    }
    let explained = explained(before, events);
    let now: BTreeMap<UnitId, bool> = board.units.iter().map(|(id, u)| (*id, u.damaged)).collect();
    for (id, damaged) in &now {
        match explained.get(id) {
            None => must(false, format!("{id:?} is there, and no event says why")),
            Some(told) => must(told == damaged, format!("{id:?}: damaged {damaged}, told {told}")),
        }
    }
    for id in explained.keys() {
        must(now.contains_key(id), format!("{id:?} is gone, and no event says why"));
    }
    let mut glory = before.glory;
    for event in events {
        if let What::Glory(cause, change, now) = &event.what {
            glory = (glory + change).clamp(0, 10);
            must(glory == *now, format!("Glory by {cause} is {now}, not {glory}"));
        }
    }
    let new_war = after.wars.len() > before.wars.len();
    must(new_war || glory == after.glory, format!("Glory {} without a cause", after.glory));
    let over = matches!(before.stage, Stage::Over(_));
    must(!over || events.is_empty(), "something happened after the end".to_owned());
    wrong
}

/// Checks that a unit is in a permitted place.
fn placed(board: &Board, id: UnitId, place: Place, must: &mut impl FnMut(bool, String)) {
    let class = board.class(id);
    match place {
        Place::Fleet(n) => {
            must(class.sails(), format!("{id:?} sails in fleet {n}"));
            must(board.fleets.contains_key(&(id.side, n)), format!("{id:?} in no fleet {n}"));
        }
        Place::Aboard(name) => {
            let ship = UnitId { side: id.side, name };
            // Between rounds of battle, fighters of a lost carrier remain aboard by name only.
            let known = board.units.contains_key(&ship) || id.kind() == Kind::F;
            must(known, format!("{id:?} aboard no {name}"));
            must(id.kind().is_cargo(), format!("{id:?} is no cargo"));
        }
        Place::Box(planet) | Place::Surface(planet, _) => {
            must(!class.sails() && class != Class::Marker, format!("{id:?} is on {planet}"));
            must(
                counters::fits(board, id.kind(), planet),
                format!("{id:?} does not fit on {planet}"),
            );
        }
        Place::Track(_) | Place::Arriving => {}
    }
    if let Place::Surface(planet, hex) = place {
        must(hex > 0 && hex <= board.hexes(planet), format!("{id:?} in hex {hex} of {planet}"));
        let stack = board.at(id.side, place).count();
        must(stack <= 5, format!("{stack} units in hex {hex} of {planet}"));
    }
}

/// All units and whether they are damaged, as the events say.
fn explained(before: &State, events: &[Event]) -> BTreeMap<UnitId, bool> {
    let mut units: BTreeMap<UnitId, bool> =
        before.board.units.iter().map(|(id, u)| (*id, u.damaged)).collect();
    // The story of a battle that lasts several steps also holds earlier rounds.
    let told = match &before.stage {
        Stage::Action(a) => a.battle.as_ref().map_or(0, |b| b.story.rounds.len()),
        _ => 0,
    };
    let mut seen_battles = 0;
    for event in events {
        match &event.what {
            What::Came(id) => {
                units.insert(*id, false);
            }
            What::Gone(id) => {
                units.remove(id);
            }
            What::Hurt(id) => {
                units.insert(*id, true);
            }
            What::Healed(id) => {
                units.insert(*id, false);
            }
            What::Battle(story) => {
                let skip = if seen_battles == 0 { told } else { 0 };
                seen_battles += 1;
                for round in story.rounds.iter().skip(skip) {
                    for loss in round.beam_losses.iter().chain(&round.torpedo_losses) {
                        struck(&mut units, loss);
                    }
                }
                for id in &story.stranded {
                    units.remove(id);
                }
                if let Some(super::space::Fate::Retreated(fleets)) = &story.fate {
                    let lost: BTreeSet<u8> =
                        fleets.iter().filter(|f| f.1.is_none()).map(|f| f.0).collect();
                    let Some(loser) = story.loser else { continue };
                    let ships: Vec<UnitId> = story
                        .began
                        .iter()
                        .filter(|(id, _, fleet)| {
                            id.side == loser && fleet.is_some_and(|f| lost.contains(&f))
                        })
                        .map(|b| b.0)
                        .collect();
                    // Cargo goes with its ship; the step reports it by events of its own.
                    for id in ships {
                        units.remove(&id);
                    }
                }
            }
            What::Ground(story) => {
                for loss in story.all_losses() {
                    struck(&mut units, loss);
                }
            }
            _ => {}
        }
    }
    units
}

fn struck(units: &mut BTreeMap<UnitId, bool>, loss: &Loss) {
    match loss.harm {
        Harm::None => {}
        Harm::Damaged => {
            units.insert(loss.id, true);
        }
        Harm::Destroyed => {
            units.remove(&loss.id);
            for id in &loss.cargo {
                units.remove(id);
            }
        }
    }
}

/// The statistics of a step.
pub fn tally(state: &State, events: &[Event]) -> Tally {
    let board = &state.board;
    let seat = |side: Side| {
        let planets = board.planets.values().filter(|l| l.marker.is_some_and(|m| m.0 == side));
        let worth: i64 = board.of(side).map(|(id, _)| i64::from(board.worth(id))).sum();
        Standing {
            seat: side.seat(),
            // A side that has nothing left has lost.
            plays: worth > 0,
            points: worth,
            // There are only a few dozen planets.
            places: planets.count() as u32,
        }
    };
    let count = |test: &dyn Fn(&What) -> bool| {
        i64::try_from(events.iter().filter(|e| test(&e.what)).count()).unwrap_or(0)
    };
    Tally {
        seats: Side::BOTH.map(seat).to_vec(),
        events: vec![
            ("space battles", count(&|w| matches!(w, What::Battle(_)))),
            ("planetary battles", count(&|w| matches!(w, What::Ground(_)))),
            ("changes of Glory", count(&|w| matches!(w, What::Glory(..)))),
            ("activations", count(&|w| matches!(w, What::Activated(..)))),
            ("orders not done", count(&|w| matches!(w, What::NotDone(..)))),
        ],
        levels: vec![
            ("Glory", state.glory.into()),
            ("turn", state.turn.into()),
            ("war", state.war.into()),
        ],
        order: Vec::new(),
    }
}

/// The course of the game: Glory, planets, worth.
pub fn charts(state: &State) -> Vec<Chart> {
    let of = |title: &'static str, value: &dyn Fn(&super::state::Mark, Side) -> i64| Chart {
        title: title.into(),
        series: Side::BOTH
            .into_iter()
            .map(|side| Series {
                who: Who::Seat(side.seat()),
                tint: Some(tint(side)),
                values: state.course.iter().map(|m| value(m, side)).collect(),
            })
            .collect(),
    };
    let glory = Chart {
        title: "Glory".into(),
        series: vec![Series {
            who: Who::Seat(Seat(2)),
            tint: Some(tint(Side::Imperial)),
            values: state.course.iter().map(|m| m.glory.into()).collect(),
        }],
    };
    vec![
        glory,
        of("Worlds and Outposts", &|m, s| m.planets[s.i()].into()),
        of("Worth of all units", &|m, s| m.worth[s.i()].into()),
    ]
}
