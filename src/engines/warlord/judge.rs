//! The echo of a card: the desk's answers, what the known map adds, a forecast.

use std::collections::{BTreeMap, BTreeSet};

use super::desk::{Desk, Facts, Paper, Plan, Way, fallen, pp, ranges};
use super::events::{counted, planes};
use super::orders::{self, sector_no};
use super::state::{Target, Unit, is_land};
use super::tables::Class;
use super::view::{Ground, View};
use super::ways::{self, Course, Quest};
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
            Target::Sector(to) => {
                let (text, fine) = forecast_of(view, paths, (class, points), unit, no, to);
                match fine {
                    true => arrivals.push(text.into()),
                    false => warn("no-way", text),
                }
            }
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

/// What comes of an advance as far as the seat knows, and whether it leads to its goal.
fn forecast_of(
    view: &View,
    paths: &mut PathFinder,
    (class, points): (Class, u32),
    unit: &Unit,
    no: u16,
    to: Place,
) -> (String, bool) {
    let foreign = |place: Place| view.cities.iter().any(|c| c.at == place);
    let quay = is_land(class)
        && view.is_sea(to)
        && view.power.units.values().any(|u| u.at == to && view.tables.row(u.kind).carries > 0);
    let quest = Quest {
        from: unit.at,
        to,
        aboard: unit.aboard.is_some(),
        foreign: &foreign,
        boarding: quay.then_some(view.tables.rules.movement.boarding_cost),
        cost: &|place| view.cost(class, place),
    };
    let goal = describe(view, to);
    if unit.at == to {
        return (format!("unit {no} is at {goal} already"), false);
    }
    let Some(Course { way, beside }) = ways::seek(paths, view.grid, &quest) else {
        let text = match unit.aboard {
            Some(ship) => format!(
                "unit {no} waits aboard unit {ship} until there is land beside it with a way to \
                 {goal}"
            ),
            None => format!("no way for unit {no} to {goal} is known: it stays"),
        };
        return (text, false);
    };
    let at_sea = foreign(to) && (class == Class::Ship || quest.aboard);
    // Just landed beside a foreign city, a unit goes on by an order of the next turn.
    let landing = way.first().and_then(|d| view.grid.step(unit.at, *d));
    let landing = landing.filter(|p| {
        quest.aboard && foreign(to) && way.len() > 1 && view.grid.distance(*p, to) == 1
    });
    let way = if landing.is_some() { &way[..1] } else { &way[..] };
    let beside = beside || landing.is_some();
    let mut places = vec![unit.at];
    for direction in way {
        places.extend(view.grid.step(places[places.len() - 1], *direction));
    }
    let unexplored = |p: &Place| view.ground[usize::from(p.0)] == Ground::UnknownLand;
    let earliest = if places.iter().any(unexplored) { " at the earliest" } else { "" };
    let end = sector_no(view.grid, places[places.len() - 1]);
    let turn = view.turn + turns_for(view, class, points, unit.at, way).max(1) - 1;
    let why = if at_sea { "can't be entered from the sea" } else { "is closed to it" };
    match (beside, way.is_empty()) {
        (false, _) => {
            let at = sector_no(view.grid, to);
            (format!("unit {no} reaches {at} in turn {turn}{earliest}"), true)
        }
        (true, true) => (format!("unit {no} stays at {end}: {goal} beside it {why}"), false),
        (true, false) => {
            let text = format!("{goal} {why}: unit {no} goes to {end} beside it");
            (format!("{text}, there in turn {turn}{earliest}"), false)
        }
    }
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
