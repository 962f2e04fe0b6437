//! The echo of a card: the desk's answers, what the known map adds, a forecast.

use std::collections::{BTreeMap, BTreeSet};

use super::desk::{Desk, Facts, Paper, Plan, Way, fallen, pp, ranges};
use super::events::{counted, planes};
use super::orders::{self, sector_no};
use super::state::{Target, is_land};
use super::tables::Class;
use super::view::{Ground, View};
use engine::geometry::{Direction, PathFinder, Place};
use engine::report::{Block, Line, Section};
use engine::{CardText, JudgedLine, Judgement, Mark, Told};

/// Turns that a forecast looks ahead.
const TURNS_AHEAD_MAX: u32 = 60;

/// Judges a card against what its seat knows.
pub fn judge(view: &View, card: &CardText) -> Judgement {
    let (orders, faults) = match view.power.fell {
        None => orders::parse(card),
        Some(_) => (Vec::new(), fallen(card)),
    };
    let mut power = view.power.clone();
    let facts = Facts {
        tables: &view.tables,
        grid: view.grid,
        seats: view.seats,
        turn: view.turn,
        sea: &|place| view.is_sea(place),
        ruined: &|place| view.ruins.contains(&place),
        coalition: &view.coalition,
    };
    let mut desk = Desk::new(facts, &mut power);
    desk.carry_out(&orders);
    let Paper { mut told, plans, digs, lifts, .. } = desk.paper;
    for fault in faults {
        told.insert(fault.line, Told { mark: Mark::Error, code: fault.code, note: fault.text });
    }
    let after = View { power, ..view.clone() };
    let mut paths = PathFinder::default();
    let mut arrivals = Vec::new();
    for (no, plan) in &plans {
        advise(&after, &mut paths, *no, plan, &mut told, &mut arrivals);
    }
    let lifted = lifts.iter().flat_map(|l| l.units.iter().copied());
    let busy: BTreeSet<u16> =
        plans.keys().copied().chain(digs.keys().copied()).chain(lifted).collect();
    Judgement {
        lines: lines(card, &told),
        forecast: vec![forecast(&after, &busy, arrivals)],
        ..Judgement::default()
    }
}

fn lines(card: &CardText, told: &BTreeMap<u32, Told>) -> Vec<JudgedLine> {
    let line = |(n, text): &(u32, String)| {
        let found = told.get(n);
        JudgedLine {
            line: *n,
            text: text.clone(),
            mark: found.map_or(Mark::Remark, |t| t.mark),
            note: found.map_or_else(String::new, |t| t.note.clone()),
        }
    };
    card.lines.iter().map(line).collect()
}

/// Adds to a movement line what the known map tells.
fn advise(
    view: &View,
    paths: &mut PathFinder,
    no: u16,
    plan: &Plan,
    told: &mut BTreeMap<u32, Told>,
    arrivals: &mut Vec<Line>,
) {
    let Some(unit) = view.power.units.get(&no) else { return };
    let row = view.tables.row(unit.kind);
    let class = if plan.convoy { Class::Arm } else { row.class };
    let points = if plan.convoy { view.tables.rules.movement.truck_speed } else { row.points };
    let mut warn = |code: &'static str, text: String| {
        let Some(told) = plan.line.and_then(|line| told.get_mut(&line)) else { return };
        if told.mark == Mark::Ok {
            (told.mark, told.code) = (Mark::Warning, code);
        }
        if !told.note.is_empty() {
            told.note += "; ";
        }
        told.note += &text;
    };
    match &plan.way {
        Way::March(steps) => {
            if let Some((i, at)) = first_closed(view, class, unit.at, steps) {
                let place = at.map_or("the ice".to_owned(), |p| describe(view, p));
                // A land unit may find own ships at sea by the time it gets there.
                if !(is_land(class) && at.is_some_and(|p| view.is_sea(p))) {
                    warn(
                        "closed",
                        format!("unit {no} will stop at step {}: {place} is closed to it", i + 1),
                    );
                } else if !ships_expected(view) {
                    warn(
                        "closed",
                        format!(
                            "unit {no} will stop at step {}: {place}, and you have no ships",
                            i + 1
                        ),
                    );
                }
            }
            let phases = view.tables.rules.movement.phases;
            if steps.len() > phases {
                warn("too-long", format!("a turn has {phases} phases; the rest is not moved"));
            }
        }
        Way::Advance(goal) => match goal.target {
            Target::Heading(direction) => {
                arrivals.push(format!("unit {no} heads {}", direction.name()).into());
            }
            Target::Sector(to) => match route(view, paths, class, unit.at, to) {
                Some(way) => {
                    let turns = turns_for(view, class, points, unit.at, &way);
                    let at = sector_no(view.grid, to);
                    let turn = view.turn + turns.max(1) - 1;
                    arrivals.push(format!("unit {no} reaches {at} in turn {turn}").into());
                }
                None if unit.aboard.is_some() => {}
                None => warn(
                    "no-way",
                    format!("no way for unit {no} to {} is known", describe(view, to)),
                ),
            },
        },
    }
}

fn ships_expected(view: &View) -> bool {
    view.power.units.values().any(|u| view.tables.row(u.kind).carries > 0)
}

fn describe(view: &View, place: Place) -> String {
    let number = sector_no(view.grid, place);
    match view.ground[usize::from(place.0)] {
        Ground::Known(terrain) => format!("{number} ({})", view.tables.ground(terrain).name),
        Ground::UnknownLand => number,
    }
}

/// The first step of a march that the known map closes.
fn first_closed(
    view: &View,
    class: Class,
    from: Place,
    steps: &[u8],
) -> Option<(usize, Option<Place>)> {
    let mut at = from;
    for (i, code) in steps.iter().enumerate() {
        let Some(direction) = Direction::from_code(*code) else { continue };
        match view.grid.step(at, direction) {
            Some(to) if view.cost(class, to).is_some() => at = to,
            closed => return Some((i, closed)),
        }
    }
    None
}

fn route(
    view: &View,
    paths: &mut PathFinder,
    class: Class,
    from: Place,
    to: Place,
) -> Option<Vec<Direction>> {
    let boards = |next: Place| is_land(class) && next == to && view.is_sea(to);
    let own_ship =
        view.power.units.values().any(|u| u.at == to && !is_land(view.tables.row(u.kind).class));
    paths.route(view.grid, from, to, |_, next| match boards(next) {
        true => own_ship.then_some(1),
        false => view.cost(class, next),
    })
}

/// Turns that a unit needs for a way, forced march and phases included.
fn turns_for(view: &View, class: Class, points: u32, from: Place, way: &[Direction]) -> u32 {
    let phases = view.tables.rules.movement.phases;
    let (mut at, mut turns, mut left, mut phase) = (from, 1, points, 0);
    for direction in way {
        if left == 0 || phase == phases {
            (turns, left, phase) = (turns + 1, points, 0);
        }
        if turns > TURNS_AHEAD_MAX {
            break;
        }
        let Some(to) = view.grid.step(at, *direction) else { break };
        left = left.saturating_sub(view.cost(class, to).unwrap_or(1));
        (at, phase) = (to, phase + 1);
    }
    turns
}

fn forecast(view: &View, busy: &BTreeSet<u16>, arrivals: Vec<Line>) -> Section {
    let mut items: Vec<Line> =
        vec![format!("{} PP are left after this card", pp(view.power.stock)).into()];
    items.extend(arrivals);
    for (number, city) in &view.power.cities {
        if city.fighters + city.bombers > 0 {
            let watch = match city.watch.min(city.fighters) {
                0 => String::new(),
                n => format!(", {} on watch", counted(n, "fighter")),
            };
            let stay = planes(city.fighters, city.bombers);
            let text = format!("airbase {number} keeps {stay}{watch}");
            items.push(text.into());
        }
    }
    let idle: Vec<u16> = view.power.units.keys().copied().filter(|n| !busy.contains(n)).collect();
    let idle = match idle.is_empty() {
        true => "every unit has something to do".to_owned(),
        false => format!("units without orders: {}", ranges(idle)),
    };
    items.push(idle.into());
    Section { heading: "Forecast".to_owned(), blocks: vec![Block::List(items)] }
}
