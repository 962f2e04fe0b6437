//! The headline without events: the standing of the seat, and what needs orders.

use super::{LISTED, Teller};
use crate::phrases::{cities, pp, ranges};
use crate::state::{Centre, NOBODY};
use crate::view::View;
use engine::geometry::Place;
use engine::headline::{Draft, Weight};
use engine::report::Line;
use tongue::{count, say};

/// The standing of the seat.
pub(super) fn standing(view: &View) -> Vec<Line> {
    let power = &view.power;
    if let Some(turn) = power.fell {
        return vec![
            say!("Your empire fell in turn {turn}.").into(),
            say!("You hold no city and no unit.").into(),
            say!("From here on you get no printouts until the game is over.").into(),
        ];
    }
    let cities = cities(power.cities.len());
    let own = view.control.iter().filter(|h| **h == view.seat).count();
    let sectors = count!(n = own, "{n} sector", "{n} sectors");
    if view.turn < 2 {
        return beginning(view);
    }
    // Allies who have won together share a rank at the end.
    let last = view.finals.iter().find(|f| f.seat == view.seat);
    let rank = last.map_or(view.standing.rank, |f| f.rank as usize);
    let seats = view.seats;
    let mut seen: Vec<Place> = view.spotted.iter().map(|s| s.at).collect();
    seen.sort_unstable();
    seen.dedup();
    let sight = match seen.len() {
        0 => say!("No foreign force is in sight."),
        n => count!(
            n,
            "Foreign forces are in sight in {n} sector.",
            "Foreign forces are in sight in {n} sectors."
        ),
    };
    vec![
        say!("You hold {cities} and {sectors}, rank {rank} of {seats}.").into(),
        say!(
            "Income is {income} PP a turn, stock {stock} PP, tech level {tech}.",
            income = pp(power.income),
            stock = pp(power.stock),
            tech = power.tech
        )
        .into(),
        sight.into(),
    ]
}

/// The seat, where its empire begins, and what to do first.
fn beginning(view: &View) -> Vec<Line> {
    let teller = Teller {
        tables: &view.tables,
        grid: view.grid,
        reader: view.seat,
        over: view.over.is_some(),
    };
    let (power, seat, seats) = (&view.power, view.seat, view.seats);
    let home = power.cities.iter().next();
    let who = match home {
        Some((number, home)) => {
            let mut spans = Vec::new();
            let city = teller.city(*number, &home.name, home.at, &mut spans);
            let who = say!("You are player {seat} of {seats}; your empire begins in {city}.");
            Line::filled(&who, spans)
        }
        None => say!("You are player {seat} of {seats}.").into(),
    };
    let near = home.and_then(|(_, home)| {
        let free = view.cities.iter().filter(|c| matches!(c.seen.owner, None | Some(NOBODY)));
        free.min_by_key(|c| (view.grid.distance(home.at, c.at), c.number))
    });
    let first = match near {
        Some(near) => {
            let mut spans = Vec::new();
            let city = teller.city(near.number, &near.seen.name, near.at, &mut spans);
            let first = say!("First put your centres to work and send troops to {city}.");
            Line::filled(&first, spans)
        }
        None => say!("First put your centres to work and look around.").into(),
    };
    let units = count!(n = power.units.len(), "{n} unit", "{n} units");
    let stock = pp(power.stock);
    vec![who, say!("You have {stock} PP to spend and {units} to lead.").into(), first]
}

/// What needs orders: idle centres, units without orders, PP.
pub(super) fn needs(view: &View) -> Vec<Line> {
    let power = &view.power;
    if view.over.is_some() || power.fell.is_some() {
        return Vec::new();
    }
    let mut needs: Vec<Line> = Vec::new();
    let idle = |c: &crate::state::City| c.centres.iter().filter(|c| **c == Centre::Idle).count();
    let idle: Vec<(u16, usize)> =
        power.cities.iter().map(|(n, c)| (*n, idle(c))).filter(|(_, n)| *n > 0).collect();
    let centres: usize = idle.iter().map(|(_, n)| n).sum();
    if centres > 0 {
        let cities: Vec<u16> = idle.iter().map(|(n, _)| *n).collect();
        let cities = count!(
            n = cities.len(),
            "city {numbers}",
            "cities {numbers}",
            numbers = listed(&cities)
        );
        needs.push(say!("Idle production centres: {centres}, in {cities}.").into());
    }
    let waits: Vec<u16> = power
        .units
        .iter()
        .filter(|(_, u)| u.goal.is_none() && u.aboard.is_none())
        .map(|(n, _)| *n)
        .collect();
    if !waits.is_empty() {
        let count = waits.len();
        let units =
            count!(n = count, "unit {numbers}", "units {numbers}", numbers = listed(&waits));
        needs.push(say!("Units without orders: {count} ({units}).").into());
    }
    if power.stock >= 100 {
        needs.push(say!("You have {stock} PP to spend.", stock = pp(power.stock)).into());
    }
    needs
}

/// Warns a player that his cities may rise against him, as no cards came in (§8).
pub(super) fn given_up(draft: &mut Draft, view: &View) {
    let (limit, missed) = (view.tables.rules.absence.turns, view.power.missed);
    if limit == 0 || missed < limit || view.power.fell.is_some() || view.over.is_some() {
        return;
    }
    let told = count!(
        n = missed,
        "No card of yours came in for {n} turn, so your cities may rise against you.",
        "No card of yours came in for {n} turns, so your cities may rise against you."
    );
    draft.add(Weight::OwnLoss, told);
}

/// `5-7, 9`, or the first of many and how many more there are.
fn listed(all: &[u16]) -> String {
    match all.len() {
        n if n <= LISTED => ranges(all.iter().copied()),
        n => {
            let numbers = ranges(all.iter().copied().take(LISTED));
            say!("{numbers} and {more} more", more = n - LISTED)
        }
    }
}
