//! What must hold after every turn, figures for statistics, charts.

use super::state::State;
use super::turn::Event;
use crate::engine::{BySeat, CardText, Chart, Seat, Series, Standing, Tally};

pub fn audit(_b: (&State, &[Event]), _c: &BySeat<CardText>, _a: (&State, &[Event])) -> Vec<String> { Vec::new() }

/// Figures after a turn.
pub fn tally(state: &State, events: &[Event]) -> Tally {
    let standing = |p: &super::state::Player| Standing {
        seat: Seat(p.seat),
        plays: p.out.is_none(),
        points: state.industry_of(p.seat),
        places: state.occupied(p.seat).count() as u32,
    };
    let count = |wanted: &dyn Fn(&Event) -> bool| events.iter().filter(|e| wanted(e)).count() as i64;
    Tally {
        seats: state.players.iter().map(standing).collect(),
        counts: vec![
            ("battles", count(&|e| matches!(e, Event::Clash(_)))),
            ("captured", count(&|e| matches!(e, Event::Clash(c) if c.captured.is_some()))),
            ("revolutions", count(&|e| matches!(e, Event::Revolution { .. }))),
            ("sea battles", count(&|e| matches!(e, Event::SeaClash(_)))),
        ],
    }
}

/// Countries, industry and treasury of each seat over the turns.
pub fn charts(state: &State) -> Vec<Chart> {
    let series = |value: &dyn Fn(&super::state::Mark) -> i64| -> Vec<Series> {
        let of = |i: usize| Series {
            seat: Seat(state.players[i].seat),
            values: state.history.iter().map(|h| value(&h[i])).collect(),
        };
        (0..state.players.len()).map(of).collect()
    };
    vec![
        Chart { title: "Countries", series: series(&|m| i64::from(m.countries)) },
        Chart { title: "Industry", series: series(&|m| m.industry) },
        Chart { title: "Dollars", series: series(&|m| m.cents / 100) },
    ]
}
