//! Checks of what must hold after every turn, computed in a second way; statistics and charts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::event::{Event, Flow};
use super::judge;
use super::map::SpaceId;
use super::state::{Country, NOBODY, State};
use super::turn::economy::{blockade, income_of};
use super::verbs::Arm;
use super::view::View;
use crate::BattlePlan;
use engine::report::Who;
use engine::{Audits, BySeat, CardText, Chart, Input, Mark, Seat, Series, Standing, Tally};

impl Audits for BattlePlan {
    fn audit(before: (&State, &[Event]), input: &Input, after: (&State, &[Event])) -> Vec<String> {
        audit(before, input.cards, after)
    }

    fn tally(state: &State, events: &[Event]) -> Tally {
        tally(state, events)
    }

    fn charts(state: &State) -> Vec<Chart> {
        charts(state)
    }
}

/// Every invariant that a turn broke.
pub fn audit(
    (before, _): (&State, &[Event]),
    cards: &BySeat<CardText>,
    (after, events): (&State, &[Event]),
) -> Vec<String> {
    let mut faults = Vec::new();
    forces(before, after, events, &mut faults);
    countries(before, after, &mut faults);
    money(before, after, events, &mut faults);
    spies(before, after, events, &mut faults);
    echoes(before, cards, events, &mut faults);
    sights(before, after, events, &mut faults);
    secrets(after, events, &mut faults);
    faults
}

/// All units of an arm, those at sea and suppressed ones included.
fn units(state: &State, arm: Arm) -> i64 {
    let on_land = |c: &Country| match arm {
        Arm::Air => c.air + c.air_down,
        Arm::Industry => c.industry + c.industry_down,
        _ => c.stock(arm),
    };
    let at_sea: i64 = state
        .seas
        .iter()
        .flat_map(BTreeMap::values)
        .map(|f| match arm {
            Arm::Army => f.army,
            Arm::Navy => f.navy,
            Arm::Air => f.air,
            _ => 0,
        })
        .sum();
    state.countries.iter().map(on_land).sum::<i64>() + at_sea
}

/// No unit appears or vanishes: each one is built or lost as the events report.
fn forces(before: &State, after: &State, events: &[Event], faults: &mut Vec<String>) {
    for arm in Arm::ALL {
        let flow = events.iter().find_map(|e| match e {
            Event::Flow { arm: a, flow } if *a == arm => Some(*flow),
            _ => None,
        });
        let Flow { built, lost } = flow.unwrap_or_default();
        let (was, is) = (units(before, arm), units(after, arm));
        if was + built - lost != is {
            let name = arm.name();
            faults.push(format!("{name}: {was} + {built} built - {lost} lost is not {is}"));
        }
    }
    // Add up the losses again, from the reports of the battles.
    let mut told = [0i64; 3];
    for event in events {
        match event {
            Event::Clash(clash) => {
                for side in clash.attackers.iter().chain([&clash.home]) {
                    let lost = [side.army.lost, side.navy.lost, side.air.lost];
                    told.iter_mut().zip(lost).for_each(|(t, l)| *t += l);
                }
            }
            Event::SeaClash(clash) => {
                for (_, counts) in &clash.sides {
                    told.iter_mut().zip(counts).for_each(|(t, c)| *t += c.lost);
                }
            }
            Event::Counter(c) => told[0] += c.defending.lost + c.returning.lost,
            _ => {}
        }
    }
    for (arm, told) in [Arm::Army, Arm::Navy, Arm::Air].into_iter().zip(told) {
        let lost = events.iter().find_map(|e| match e {
            Event::Flow { arm: a, flow } if *a == arm => Some(flow.lost),
            _ => None,
        });
        if lost.unwrap_or(0) != told {
            let name = arm.name();
            faults.push(format!(
                "{name}: the reports tell of {told} lost, not {}",
                lost.unwrap_or(0)
            ));
        }
    }
}

/// Countries stay within their bounds.
fn countries(before: &State, after: &State, faults: &mut Vec<String>) {
    for (space, c) in after.lands() {
        let code = after.tables.map.code(space);
        let old = before.country(space);
        let all = [
            c.tax,
            c.tax_down,
            c.industry,
            c.industry_down,
            c.army,
            c.navy,
            c.air,
            c.air_down,
            c.missiles,
            c.antimissiles,
        ];
        if all.iter().any(|n| *n < 0) || c.fractions.iter().any(|f| !(0..100).contains(f)) {
            faults.push(format!("{code}: a number below 0: {c:?}"));
        }
        if c.tax + c.tax_down != old.tax + old.tax_down {
            faults.push(format!("{code}: its tax base changed"));
        }
        if c.industry > c.limit {
            faults.push(format!("{code}: {} industry above the limit {}", c.industry, c.limit));
        }
        if c.owner != NOBODY && (c.hpi <= 0 || !c.popularity.is_empty()) {
            faults.push(format!("{code}: occupied, popularity {} and {:?}", c.hpi, c.popularity));
        }
        if !after.tables.map.has_coast(space) && c.navy > 0 {
            faults.push(format!("{code}: {} navy without a coast", c.navy));
        }
        let (now, then) = (c.holder(), if after.revised { c.standing_by } else { old.holder() });
        let rests = after.revised && now == NOBODY && old.is_minor();
        if now != then && !rests && c.standing.iter().any(Option::is_some) {
            faults.push(format!("{code}: standing orders of [{then}] stay under [{now}]"));
        }
    }
    for sea in after.tables.map.seas() {
        if after.sea(sea).values().any(|f| f.army < 0 || f.navy < 0 || f.air < 0 || f.is_empty()) {
            let code = after.tables.map.code(sea);
            faults.push(format!("{code}: {:?}", after.sea(sea)));
        }
    }
}

/// The treasury follows from the ledger, and the income from the map.
fn money(before: &State, after: &State, events: &[Event], faults: &mut Vec<String>) {
    for player in &after.players {
        let seat = player.seat;
        let ledger = events.iter().find_map(|e| match e {
            Event::Ledger { seat: s, ledger } if *s == seat => Some(*ledger),
            _ => None,
        });
        let Some(l) = ledger else {
            faults.push(format!("[{seat}] has no ledger"));
            continue;
        };
        let sum = l.opening - l.spent + l.interest + l.income + l.built + l.received;
        let ends = (before.player(seat).cents, player.cents);
        if sum != l.closing || ends != (l.opening, l.closing) || l.closing < 0 {
            faults.push(format!("[{seat}]: the ledger {l:?} does not lead from {ends:?}"));
        }
        // Compute the income again, country by country, from the view of the neighbours.
        let map = &after.tables.map;
        let mut income = 0;
        for space in map.countries() {
            let country = after.country(space);
            if country.owner == seat {
                income += country.tax * 100;
            }
            let lands = map.neighbours(space).iter().filter(|s| !map.is_sea(**s));
            let holder = country.holder();
            let friendly = holder == seat || after.cross_allies(holder, seat);
            let next = lands.filter(|s| after.country(**s).owner == seat).count() as i64;
            if friendly && holder != NOBODY {
                income += next * country.tax * after.tables.figures.economy.neighbour_percent;
            }
        }
        let direct: i64 = after.occupied(seat).map(|s| income_of(after, s)).sum();
        if income != l.income || direct != l.income {
            faults.push(format!("[{seat}]: income {} told, {income} found", l.income));
        }
        if player.multipliers.iter().zip(&before.player(seat).multipliers).any(|(a, b)| a < b) {
            faults.push(format!("[{seat}]: a multiplier fell"));
        }
    }
    for space in after.tables.map.countries() {
        let (hostile, around) = blockade(after, space);
        if hostile > around {
            faults.push(format!("{}: {hostile} hostile of {around}", after.tables.map.code(space)));
        }
    }
}

/// Spies are trained, placed, caught; none appear or vanish otherwise.
fn spies(before: &State, after: &State, events: &[Event], faults: &mut Vec<String>) {
    let placed =
        |s: &State| -> i64 { s.countries.iter().flat_map(|c| c.spies.values()).sum::<i64>() * 100 };
    let reserve = |s: &State| -> (i64, i64) {
        (s.players.iter().map(|p| p.spies).sum(), s.players.iter().map(|p| p.counterspies).sum())
    };
    let (mut trained, mut caught, mut counter, mut used) = (0, 0, 0, 0);
    for event in events {
        if let Event::SpyFlow { trained: t, caught: c, counterspies_trained, counterspies_used } =
            event
        {
            trained += t;
            caught += c;
            counter += counterspies_trained;
            used += counterspies_used;
        }
    }
    let (was, is) = (reserve(before), reserve(after));
    if was.0 + placed(before) + trained - caught != is.0 + placed(after) {
        faults.push("spies appeared or vanished".to_owned());
    }
    if was.1 + counter - used != is.1 {
        faults.push("counterspies appeared or vanished".to_owned());
    }
    let named: i64 = events
        .iter()
        .map(|e| match e {
            Event::Caught { spies, .. } => spies * 100,
            _ => 0,
        })
        .sum();
    if named != caught {
        faults.push("not every caught spy is told of".to_owned());
    }
}

/// The turn gives each order the same verdict as the echo.
fn echoes(before: &State, cards: &BySeat<CardText>, events: &[Event], faults: &mut Vec<String>) {
    for (seat, card) in cards {
        let view = View::of(before, &[], seat.0);
        if view.is_out() || view.over.is_some() {
            continue;
        }
        let judged = judge::judge(&view, card);
        // The turn carries out an order even if the echo warns of its effect.
        let carried = |mark: Mark| if mark == Mark::Warning { Mark::Ok } else { mark };
        let echo: Vec<(u32, &str, Mark)> =
            judged.lines.iter().map(|l| (l.line, l.text.as_str(), carried(l.mark))).collect();
        let told: Vec<(u32, &str, Mark)> = events
            .iter()
            .filter_map(|e| match e {
                Event::Line { seat: s, line, text, mark, .. } if *s == seat.0 => {
                    Some((*line, text.as_str(), carried(Mark::of(*mark))))
                }
                _ => None,
            })
            .collect();
        if echo != told {
            faults.push(format!("[{seat}]: the echo and the turn differ"));
        }
    }
}

/// A seat sees the countries that it held, holds or spies on, and watches only real battles.
fn sights(before: &State, after: &State, events: &[Event], faults: &mut Vec<String>) {
    for player in &after.players {
        let seat = player.seat;
        for (space, country) in after.lands() {
            let held = country.holder() == seat || before.country(space).holder() == seat;
            let spied = country.spies.get(&seat).is_some_and(|n| *n > 0);
            if (held || spied) != player.sees.contains(&space) {
                let code = after.tables.map.code(space);
                faults.push(format!("[{seat}]: sees {code} wrongly"));
            }
        }
        let battles = player
            .watched
            .iter()
            .all(|at| events.iter().any(|e| matches!(e, Event::Clash(c) if c.at == *at)));
        if !battles {
            faults.push(format!("[{seat}]: watched a battle that was not fought"));
        }
    }
}

/// A seat's printout does not change when everything that it can't see is altered.
fn secrets(after: &State, events: &[Event], faults: &mut Vec<String>) {
    if after.over.is_some() {
        return;
    }
    for player in after.players.iter().filter(|p| p.out.is_none()) {
        let seat = player.seat;
        let shown = View::of(after, events, seat);
        let mut other = after.clone();
        for (i, country) in other.countries.iter_mut().enumerate() {
            // Countries come before seas in the numbers.
            if !shown.seen.contains_key(&SpaceId(i as u16)) {
                country.army += 17;
                country.air_down += 3;
                country.tax = 1;
                country.hpi += 5;
                country.missiles += 2;
            }
            country.spies.retain(|s, _| *s == seat);
        }
        for (i, sea) in other.seas.iter_mut().enumerate() {
            let space = SpaceId((after.countries.len() + i) as u16);
            if !shown.seas.contains_key(&space) {
                sea.retain(|s, _| *s == seat);
            }
        }
        for hidden in other.players.iter_mut().filter(|p| p.seat != seat) {
            hidden.cents += 500;
            hidden.spies = 0;
            hidden.multipliers[6] += 9;
            hidden.defaults = [9; 7];
        }
        let same =
            super::report::report(&shown) == super::report::report(&View::of(&other, events, seat));
        if !same {
            faults.push(format!("[{seat}]: the printout tells of something hidden"));
        }
    }
}

/// The statistics of a turn.
pub fn tally(state: &State, events: &[Event]) -> Tally {
    let standing = |p: &super::state::Player| Standing {
        seat: Seat(p.seat),
        plays: p.out.is_none() && !p.dropped,
        points: state.industry_of(p.seat),
        // A map has fewer countries than a `u32` can count.
        places: state.occupied(p.seat).count() as u32,
    };
    let count = |wanted: fn(&Event) -> bool| events.iter().filter(|e| wanted(e)).count() as i64;
    let events = vec![
        ("battles", count(|e| matches!(e, Event::Clash(_)))),
        ("taken", count(|e| matches!(e, Event::Clash(c) if c.captured.is_some()))),
        ("revolutions", count(|e| matches!(e, Event::Revolution { .. }))),
        ("sea battles", count(|e| matches!(e, Event::SeaClash(_)))),
        ("counter-attacks", count(|e| matches!(e, Event::Counter(_)))),
        ("spies caught", count(|e| matches!(e, Event::Caught { .. }))),
    ];
    let dollars: i64 = state.players.iter().map(|p| p.cents / 100).sum();
    let levels = vec![
        ("army", units(state, Arm::Army)),
        ("navy", units(state, Arm::Navy)),
        ("air force", units(state, Arm::Air)),
        ("dollars", dollars),
        ("missiles", units(state, Arm::Missile)),
    ];
    Tally { seats: state.players.iter().map(standing).collect(), events, levels, order: Vec::new() }
}

/// Countries, industry and treasury of each seat over the turns.
pub fn charts(state: &State) -> Vec<Chart> {
    let chart = |title, value: fn(&super::state::Mark) -> i64| {
        let series = |(i, player): (usize, &super::state::Player)| Series {
            who: Who::Seat(Seat(player.seat)),
            tint: Some(super::maps::tint(&state.tables, player.seat)),
            values: state.history.iter().map(|h| value(&h[i])).collect(),
        };
        let series = state.players.iter().enumerate().map(series).collect();
        Chart { title: Cow::Borrowed(title), series }
    };
    vec![
        chart("Countries", |m| i64::from(m.countries)),
        chart("Industry", |m| m.industry),
        chart("Dollars", |m| m.cents / 100),
    ]
}
