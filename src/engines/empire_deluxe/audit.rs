//! The invariants after every step, and numbers for statistics.

use std::collections::BTreeSet;

use engine::geometry::Place;
use engine::report::Who;
use engine::{Audits, Chart, Input, Seat, Series, Standing, Tally};

use super::event::{Against, Event, What};
use super::field::Field;
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::production;
use super::stage::{Stage, State};
use super::state::{City, UnitId};
use crate::EmpireDeluxe;

impl Audits for EmpireDeluxe {
    fn audit(before: (&State, &[Event]), input: &Input, after: (&State, &[Event])) -> Vec<String> {
        audit(before.0, input, after.0, after.1)
    }

    fn tally(state: &State, events: &[Event]) -> Tally {
        tally(state, events)
    }

    fn charts(state: &State) -> Vec<Chart> {
        charts(state)
    }
}

/// Every invariant that a state breaks.
pub fn audit(before: &State, input: &Input, after: &State, events: &[Event]) -> Vec<String> {
    let mut wrong = hits(before, after, events);
    wrong.extend(work(before, input, after, events));
    wrong.extend(units(after));
    let mut must = |holds: bool, what: String| {
        if !holds {
            wrong.push(what);
        }
    };
    let world = &after.world;
    let field = Field::new(world.clone());
    // An event reports every unit that has come or gone.
    for seat in world.seats() {
        let count = |state: &State| state.world.side(seat).map_or(0, |s| s.units.len()) as i64;
        let built =
            events.iter().filter(|e| matches!(e.what, What::Built(id, ..) if id.seat == seat));
        let mut change = built.count() as i64;
        for event in events {
            change -= lost(&event.what, seat);
        }
        let resigned = events.iter().any(|e| matches!(e.what, What::Resigned(s) if s == seat));
        let is = count(after) - count(before);
        must(resigned || is == change, format!("seat {seat}: {is} units more, told of {change}"));
    }
    must(
        matches!(after.stage, Stage::Over(_)) || after.playing().len() > 1,
        "one alone plays on".to_owned(),
    );
    for seat in world.seats() {
        let explored = |state: &State| state.world.side(seat).map_or(0, |s| s.known.explored());
        must(explored(after) >= explored(before), format!("seat {seat} has forgotten ground"));
    }
    // What each player sees now is what its units and cities see.
    let mut again = Field::new(world.clone());
    again.look_around();
    for seat in world.seats() {
        let marks = |field: &Field| {
            let side = field.world.side(seat);
            let here = side.into_iter().flat_map(|s| s.known.marks.iter()).filter(|(_, m)| m.here);
            here.map(|(at, m)| (*at, m.kind, m.owner)).collect::<Vec<_>>()
        };
        let (is, should) = (marks(&field), marks(&again));
        must(is == should, format!("seat {seat} sees {is:?}, and should see {should:?}"));
    }
    wrong
}

/// Units whose kind, place or number is impossible.
fn units(after: &State) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut must = |holds: bool, what: String| {
        if !holds {
            wrong.push(what);
        }
    };
    let world = &after.world;
    let field = Field::new(world.clone());
    let mut tops: BTreeSet<Place> = BTreeSet::new();
    for (id, unit) in world.units() {
        let Some(figure) = world.options.figure(unit.kind) else {
            must(false, format!("{id:?} is of no kind of this edition"));
            continue;
        };
        must(unit.damage < figure.damage, format!("{id:?} stands with {} hits", unit.damage));
        must(unit.fuel <= figure.range, format!("{id:?} has too much fuel"));
        let ground = world.ground.at(unit.at);
        let owner = world.city(unit.at).and_then(|c| c.owner);
        if let Some(number) = unit.aboard {
            let carrier = UnitId { number, ..id };
            let there = world.unit(carrier);
            must(
                there.is_some_and(|c| c.at == unit.at && c.kind.places_of(unit.kind).is_some()),
                format!("{id:?} is aboard of what does not carry it"),
            );
            continue;
        }
        match ground {
            Terrain::City => must(owner == Some(id.seat), format!("{id:?} is in a foreign city")),
            _ => {
                must(
                    ground.takes(unit.kind) || unit.kind == Kind::Ab && ground.is_land(),
                    format!("{id:?} is on {}", ground.name()),
                );
                must(tops.insert(unit.at), format!("{id:?} shares a square"));
            }
        }
        let flies = unit.kind.class() == Class::Air && ground != Terrain::City;
        must(!flies || unit.fuel > 0, format!("{id:?} flies without fuel"));
        if unit.kind.carries() {
            let room = field.places(id).is_none_or(|all| field.taken(id) <= all);
            must(room, format!("{id:?} has too much aboard"));
        }
    }
    wrong
}

/// Hits that no fight explains, and repairs for which there was no time.
fn hits(before: &State, after: &State, events: &[Event]) -> Vec<String> {
    let turns = before.sitting.max(1);
    let mut wrong = Vec::new();
    for (id, unit) in after.world.units() {
        let had = before.world.unit(id).map_or(0, |u| u.damage);
        let fought = events.iter().any(|e| match &e.what {
            What::Fought { by, against, won, damage, .. } => {
                let winner = match (won, against) {
                    (true, _) => *by == id,
                    (false, Against::Unit { owner, kind: k }) => {
                        (*owner, *k) == (id.seat, unit.kind)
                    }
                    (false, Against::City(_)) => false,
                };
                winner && *damage >= unit.damage
            }
            _ => false,
        });
        if unit.damage > had && !fought {
            wrong.push(format!("{id:?} has {} hits, had {had}, and nobody hit it", unit.damage));
        }
        if u32::from(had.saturating_sub(unit.damage)) > turns {
            wrong.push(format!("{id:?} had {had} hits and has {} so soon", unit.damage));
        }
        let city = after.world.city(unit.at).is_some_and(|c| c.owner == Some(id.seat));
        if turns == 1 && unit.damage < had && !city {
            wrong.push(format!("{id:?} was repaired outside of a city"));
        }
    }
    wrong
}

/// Units that were built faster than possible, and work that was lost without a reason.
fn work(before: &State, input: &Input, after: &State, events: &[Event]) -> Vec<String> {
    let turns = before.sitting.max(1);
    let mut wrong = Vec::new();
    let cities =
        after.world.ground.cities().iter().zip(before.world.cities.iter().zip(&after.world.cities));
    for (at, (was, is)) in cities {
        let Some(seat) = is.owner.filter(|o| was.owner == Some(*o)) else { continue };
        let touched = events.iter().any(|e| {
            matches!(&e.what, What::Captured { at: a, .. } | What::Bombed { at: a, .. } if a == at)
        });
        let built = events.iter().filter_map(|e| match e.what {
            What::Built(_, kind, a) if a == *at => Some(kind),
            _ => None,
        });
        let built: Vec<Kind> = built.collect();
        // The fastest that this city can ever build it.
        let handicap = after.world.options.handicap(seat);
        let fastest = |kind: &Kind| {
            let efficiency = was.efficiency.max(is.efficiency);
            let city = City { efficiency, last: Some(*kind), ..is.clone() };
            production::time(&after.world, &city, *kind, handicap)
        };
        let needed = built.iter().map(fastest).sum::<u32>() + is.done;
        if needed > was.done + turns {
            let (done, at) = (was.done, after.world.ground.called(*at));
            wrong.push(format!("{at} built {built:?} and has {} of {done} turns", is.done));
        }
        // Without a card nothing is ordered.
        let left_alone = !input.cards.contains_key(&seat) && built.is_empty() && !touched;
        let all = matches!((&before.stage, &after.stage), (Stage::All, Stage::All));
        let went = after.world.turn.saturating_sub(before.world.turn);
        if all
            && left_alone
            && !after.is_handed_over(seat)
            && !is.list.is_empty()
            && is.done != was.done + went
        {
            let at = after.world.ground.called(*at);
            wrong.push(format!("{at} has {} turns of work, had {}", is.done, was.done));
        }
    }
    wrong
}

/// Units of a seat that an event ends; negative where one appears.
fn lost(what: &What, seat: Seat) -> i64 {
    let of = |lost: &[(Seat, Kind)]| lost.iter().filter(|(s, _)| *s == seat).count() as i64;
    match what {
        What::Fought { lost, .. } => of(lost),
        // The unit that takes a city is used up; a guard may appear.
        What::Captured { by, lost, guard, .. } => {
            of(lost) + i64::from(*by == seat) - i64::from(*by == seat && *guard)
        }
        What::Bombed { lost, .. } => of(lost),
        What::Overboard(id, kinds) if id.seat == seat => kinds.len() as i64,
        What::Crashed(id, ..) if id.seat == seat => 1,
        _ => 0,
    }
}

/// The course of the game: cities and units after each round.
pub fn charts(state: &State) -> Vec<Chart> {
    let chart = |title: &'static str, of: fn(&(u32, u32)) -> u32| {
        let series = |(seat, course): (Seat, &Vec<(u32, u32)>)| Series {
            who: Who::Seat(seat),
            tint: super::picture::tint(seat),
            values: course.iter().map(|c| i64::from(of(c))).collect(),
        };
        let all = state.world.seats().zip(&state.course);
        Chart { title: tongue::word(title), series: all.map(series).collect() }
    };
    vec![chart(tongue::mark!("Cities"), |c| c.0), chart(tongue::mark!("Units"), |c| c.1)]
}

/// Numbers after a step.
pub fn tally(state: &State, events: &[Event]) -> Tally {
    let world = &state.world;
    let standing = |seat: Seat| Standing {
        seat,
        plays: state.plays(seat),
        points: world.side(seat).map_or(0, |s| s.units.len()) as i64,
        // A map has a few hundred cities.
        places: world.cities_of(seat).count() as u32,
    };
    let count = |fits: fn(&What) -> bool| events.iter().filter(|e| fits(&e.what)).count() as i64;
    Tally {
        seats: world.seats().map(standing).collect(),
        events: vec![
            ("fights", count(|w| matches!(w, What::Fought { .. }))),
            ("captured", count(|w| matches!(w, What::Captured { .. }))),
            ("built", count(|w| matches!(w, What::Built(..)))),
            ("crashed", count(|w| matches!(w, What::Crashed(..)))),
            ("bombed", count(|w| matches!(w, What::Bombed { .. }))),
        ],
        levels: vec![
            ("turn", i64::from(world.turn)),
            ("sitting", i64::from(state.sitting)),
            ("units", world.units().count() as i64),
        ],
        order: match state.stage {
            Stage::All => Vec::new(),
            _ => world.seats().collect(),
        },
    }
}
