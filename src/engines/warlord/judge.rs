//! The echo of a card: the desk's answers, what the known map adds, a forecast.

use std::collections::{BTreeMap, BTreeSet};

use super::bases::BaseNo;
use super::desk::{Desk, Facts, Paper, Plan, Sortie, Way, Wing, fallen, values};
use super::events;
use super::odds::{self, Odds};
use super::orders::{self, Order, sector_no};
use super::phrases::{force, pp, ranges, stored, units};
use super::state::{Goal, Target, Unit, is_land};
use super::tables::Class;
use super::view::{Ground, View};
use super::ways::{self, Course, Quest};
use super::words::Words;
use crate::desk::planes;
use engine::geometry::{Direction, PathFinder, Place};
use engine::report::{Block, Line, Section};
use engine::{CardText, JudgedLine, Judgement, Mark, Told};
use tongue::{count, say, word};

/// Battles that an echo gives odds for.
const BATTLES: usize = 12;

/// Turns that a forecast looks ahead.
const TURNS_AHEAD_MAX: u32 = 60;

/// The view with the seat's power after these orders, and the desk's work on them.
///
/// Third come transfers to decks that may have too few places for all who come.
fn at_the_desk(view: &View, orders: &[(u32, Order)]) -> (View, Paper, BTreeSet<(BaseNo, BaseNo)>) {
    let mut after = view.clone();
    let facts = Facts {
        tables: &view.tables,
        grid: view.grid,
        seats: view.seats,
        turn: view.turn,
        sea: &|place| view.is_sea(place),
        ruined: &|place| view.ruins.contains(&place),
        city: &|place| view.cities.iter().any(|c| c.at == place),
        ground: &|place| match view.ground[usize::from(place.0)] {
            Ground::Known(terrain) => Some(terrain),
            Ground::UnknownLand => None,
        },
        coalition: &view.coalition,
        before: true,
    };
    let mut desk = Desk::new(facts, &mut after.power);
    desk.carry_out(orders);
    let flights = desk.paper.ferries.iter().filter(|f| f.planes.total() > 0);
    let crowded =
        flights.filter(|f| !planes::has_places(&desk, f.to)).map(|f| (f.from, f.to)).collect();
    let paper = desk.paper;
    (after, paper, crowded)
}

/// The view as a card leaves it: each unit with the goal that it has then, at the end of a march
/// too; `None` for an empire that has fallen.
pub fn after(view: &View, card: &CardText) -> Option<View> {
    if view.power.fell.is_some() {
        return None;
    }
    let (orders, _) = orders::parse(card);
    let (mut after, paper, _) = at_the_desk(view, &orders);
    for (no, plan) in &paper.plans {
        let Some(unit) = after.power.units.get_mut(no) else { continue };
        unit.goal = match &plan.way {
            Way::Advance(goal) => Some(*goal),
            Way::March(digits) => {
                let steps = digits.iter().filter_map(|d| Direction::from_code(*d));
                let end = steps.fold(unit.at, |at, d| view.grid.step(at, d).unwrap_or(at));
                Some(Goal { target: Target::Sector(end), convoy: plan.convoy })
            }
        };
    }
    Some(after)
}

/// Judges a card against what its seat knows.
pub fn judge(view: &View, card: &CardText) -> Judgement {
    let (orders, faults) = match view.power.fell {
        None => orders::parse(card),
        Some(_) => (Vec::new(), fallen(card)),
    };
    let (after, paper, crowded) = at_the_desk(view, &orders);
    let Paper { mut told, plans, jobs, lifts, drops, letters, scouts, .. } = paper;
    for fault in faults {
        told.insert(fault.line, Told { mark: Mark::Error, code: fault.code, note: fault.text });
    }
    let mut paths = PathFinder::default();
    let mut arrivals = Vec::new();
    // Units of which the same is to be said are named together.
    let mut said: Vec<(Option<u32>, &'static str, String, Vec<u16>)> = Vec::new();
    for (no, plan) in &plans {
        let Some((code, text)) = advise(&after, &mut paths, &plans, *no) else { continue };
        match said.iter_mut().find(|s| s.0 == plan.line && s.2 == text) {
            Some(found) => found.3.push(*no),
            None => said.push((plan.line, code, text, vec![*no])),
        }
    }
    for (line, code, text, units) in said {
        let text = format!("{}: {text}", named(&after, &units));
        let Some(told) = line.and_then(|line| told.get_mut(&line)) else {
            arrivals.push(text.into());
            continue;
        };
        if told.mark == Mark::Ok && !code.is_empty() {
            (told.mark, told.code) = (Mark::Warning, code);
        }
        add(told, &text);
    }
    let (tables, language) = (&view.tables, &orders::messages_language());
    let words = Words { tables, grid: view.grid, seat: view.seat, language };
    for letter in letters {
        let says = |sentence| events::Told {
            values: values(&view.tables, &after.power, &sentence),
            sentence,
        };
        let says: Vec<events::Told> = letter.sentences.into_iter().map(says).collect();
        if let Some(line) = told.get_mut(&letter.line) {
            let text = words.letter(&says);
            let text = match letter.to {
                Some(to) => say!("to player {to}: {text}"),
                None => say!("to everybody: {text}"),
            };
            add(line, &text);
        }
    }
    for scout in &scouts {
        from_ships(&plans, scout, &mut told);
    }
    for (line, order) in &orders {
        if let Order::Declare { player } = order {
            spared(&after, &plans, *player, *line, &mut told);
        }
    }
    let lifted = lifts.iter().flat_map(|l| l.units.iter().copied());
    let lifted = lifted.chain(drops.iter().flat_map(|d| d.units.iter().copied()));
    let busy: BTreeSet<u16> =
        plans.keys().copied().chain(jobs.keys().copied()).chain(lifted).collect();
    Judgement {
        lines: lines(card, &told),
        forecast: match view.power.fell {
            None => {
                let battles = battles(&after, &mut paths, &plans);
                let mut sections = vec![forecast(&after, &busy, arrivals, &crowded)];
                if !battles.is_empty() {
                    let heading = say!("Battles ahead, by what you know");
                    sections.push(Section { heading, blocks: vec![Block::List(battles)] });
                }
                sections
            }
            Some(_) => Vec::new(),
        },
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
            note: found.map_or_else(|| orders::left_alone(text), |t| t.note.clone()),
        }
    };
    card.lines.iter().map(line).collect()
}

/// `unit 5, 3 Tanks`, or the numbers of several.
fn named(view: &View, units: &[u16]) -> String {
    match units {
        [no] => match view.power.units.get(no) {
            Some(unit) => {
                let force = force(unit.size, &view.tables.row(unit.kind).name);
                say!("unit {no}, {force}")
            }
            None => say!("unit {no}"),
        },
        all => say!("units {units}", units = ranges(all.iter().copied())),
    }
}

/// Adds to what a line is told.
fn add(told: &mut Told, text: &str) {
    if !told.note.is_empty() {
        told.note += "; ";
    }
    told.note += text;
}

/// Observers fly after all have moved: those of a ship that moves only if it is near enough then.
fn from_ships(plans: &BTreeMap<u16, Plan>, scout: &Sortie, told: &mut BTreeMap<u32, Told>) {
    let sails = |wing: &Wing| match wing.base {
        BaseNo::Ship(no) => Some(no).filter(|no| plans.contains_key(no)),
        BaseNo::Land(_) => None,
    };
    if let (Some(ship), Some(told)) =
        (scout.wings.iter().find_map(sails), told.get_mut(&scout.line))
    {
        add(told, &say!("only if unit {ship}, which moves first, is near enough then"));
    }
}

/// Warns who makes an ally of somebody while divisions are on their way to fight.
fn spared(
    view: &View,
    plans: &BTreeMap<u16, Plan>,
    player: u16,
    line: u32,
    told: &mut BTreeMap<u32, Told>,
) {
    let Some(ally) = u8::try_from(player).ok().filter(|p| view.power.allies.contains(p)) else {
        return;
    };
    let theirs = |place: Place| {
        let city = view.cities.iter().find(|c| c.at == place);
        let holder =
            city.map_or(view.control[usize::from(place.0)], |c| c.seen.owner.unwrap_or_default());
        holder == ally
    };
    let bound = |(no, plan): (&u16, &Plan)| match plan.way {
        Way::Advance(Goal { target: Target::Sector(to), .. }) => theirs(to).then_some(*no),
        _ => None,
    };
    let bound: Vec<u16> = plans.iter().filter_map(bound).collect();
    if let (Some(told), false) = (told.get_mut(&line), bound.is_empty()) {
        if told.mark == Mark::Ok {
            (told.mark, told.code) = (Mark::Warning, "marching");
        }
        let text = count!(
            n = bound.len(),
            "unit {units} on the way there will not fight",
            "units {units} on the way there will not fight",
            units = ranges(bound.iter().copied())
        );
        add(told, &text);
    }
}

/// What the known map tells of a unit's movement, and the code of a warning; none for what
/// is as it should be.
fn advise(
    view: &View,
    paths: &mut PathFinder,
    plans: &BTreeMap<u16, Plan>,
    no: u16,
) -> Option<(&'static str, String)> {
    let (unit, plan) = (view.power.units.get(&no)?, plans.get(&no)?);
    let (class, points) = movement(view, unit, plan);
    Some(match &plan.way {
        Way::March(steps) => march(view, plans, (class, points), (no, unit), steps),
        Way::Advance(goal) => match goal.target {
            Target::Heading(direction) => ("", heads(direction)),
            Target::Sector(to) => match carried(plans, unit) {
                Some(told) => ("", told),
                None => {
                    let quay = quay(view, plans, no, to);
                    forecast_of(view, paths, (class, points), unit, (to, quay))
                }
            },
        },
    })
}

/// What is known to come of a march.
fn march(
    view: &View,
    plans: &BTreeMap<u16, Plan>,
    (class, points): (Class, u32),
    (no, unit): (u16, &Unit),
    steps: &[u8],
) -> (&'static str, String) {
    let phases = view.tables.rules.movement.phases;
    let walk = walk(view, plans, (class, points), (no, unit), steps);
    let step = walk.taken + 1;
    let (mut code, mut parts) = ("", Vec::new());
    match walk.halt {
        None => {}
        Some(Halt::Closed(at)) => {
            let place = at.map_or_else(|| say!("the ice"), |p| describe(view, p));
            // A land unit may find own ships at sea by the time it gets there.
            let sea = is_land(class) && at.is_some_and(|p| view.is_sea(p));
            let why = match (sea, ships_expected(view)) {
                (false, _) => say!("will stop at step {step}: {place} is closed to it"),
                (true, false) => say!("will stop at step {step}: {place}, and you have no ships"),
                (true, true) => say!(
                    "will stop at step {step}: {place}, unless a ship of yours with room is there \
                     by then"
                ),
            };
            code = "closed";
            parts.push(why);
        }
        Some(Halt::ForeignCity(at)) => {
            let place = describe(view, at);
            code = "closed";
            parts.push(say!(
                "will stop at step {step}, {place}: nobody lands straight in a foreign city"
            ));
        }
        Some(Halt::Points) => {
            code = "out-of-points";
            parts.push(say!("no points left for step {step} and what follows"));
        }
        Some(Halt::Carried(ship)) => {
            parts.push(say!("aboard unit {ship}, which moves; it lands from there"));
        }
        Some(Halt::Quay(at)) => {
            let place = describe(view, at);
            parts.push(say!(
                "from step {step} only if a ship of yours with room is at {place} by then"
            ));
        }
        Some(Halt::Full(at)) => {
            let place = describe(view, at);
            code = "no-room";
            parts.push(say!(
                "will stop at step {step}: no ship of yours at {place} has room for it as things \
                 stand"
            ));
        }
    }
    // Where a ship goes with it is not known yet.
    let known = !matches!(walk.halt, Some(Halt::Carried(_) | Halt::Quay(_)));
    if known && (walk.halt.is_none() || walk.taken > 0) {
        let end = describe(view, walk.end);
        let end = match (walk.aboard, unit.aboard) {
            (Some(ship), None) => say!("ends at {end} aboard unit {ship}"),
            (None, Some(_)) => say!("ends at {end}, ashore"),
            _ => say!("ends at {end}"),
        };
        parts.push(match walk.dark {
            true => say!("{end}, if the unexplored ground is open"),
            false => end,
        });
    }
    if steps.len() > phases {
        code = "too-long";
        parts.push(say!("a turn has {phases} phases; the rest is not moved"));
    }
    (code, parts.join(", "))
}

/// How a unit moves under a plan, and its points.
fn movement(view: &View, unit: &Unit, plan: &Plan) -> (Class, u32) {
    let row = view.tables.row(unit.kind);
    match plan.convoy {
        true => (Class::Arm, view.tables.rules.movement.truck_speed),
        false => (row.class, row.points),
    }
}

/// Where an advance without a goal leads.
fn heads(direction: Direction) -> String {
    match direction.code() {
        1 => say!("heads N"),
        2 => say!("heads NE"),
        3 => say!("heads E"),
        4 => say!("heads SE"),
        5 => say!("heads S"),
        6 => say!("heads SW"),
        7 => say!("heads W"),
        _ => say!("heads NW"),
    }
}

fn ships_expected(view: &View) -> bool {
    view.power.units.values().any(|u| view.tables.row(u.kind).carries > 0)
}

/// A sector by number, with its city or ground as far as it is known.
pub fn describe(view: &View, place: Place) -> String {
    let number = sector_no(view.grid, place);
    let own = view.power.city_at(place).map(|(_, c)| c.name.clone());
    let known = view.cities.iter().find(|c| c.at == place).map(|c| c.seen.name.clone());
    if let Some(name) = own.or(known).filter(|n| !n.is_empty()) {
        return format!("{number} ({name})");
    }
    match view.ground[usize::from(place.0)] {
        _ if view.ruins.contains(&place) => say!("{number} (ruins)"),
        Ground::Known(terrain) => {
            format!("{number} ({})", word(&view.tables.ground(terrain).name))
        }
        Ground::UnknownLand => number,
    }
}

/// Why a march ends before its digits do, as far as is known.
enum Halt {
    /// Ground is closed; `None` is the ice.
    Closed(Option<Place>),
    /// It would land straight in a foreign city.
    ForeignCity(Place),
    /// The points are spent.
    Points,
    /// The ship that carries the unit moves.
    Carried(u16),
    /// A ship that it could board here may be gone or full by then.
    Quay(Place),
    /// No ship here has room for it.
    Full(Place),
}

/// What awaits a unit that is to go aboard somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quay {
    /// No ship.
    None,
    /// No ship now, but some are under way.
    Coming,
    /// Ships without room.
    Full,
    /// A ship that may be gone or full by then.
    Perhaps,
    /// This ship.
    Ship(u16),
}

/// Whether a unit can go aboard in a sector, as the plans of a card are.
pub fn quay(view: &View, plans: &BTreeMap<u16, Plan>, no: u16, at: Place) -> Quay {
    let power = &view.power;
    let tables = &*view.tables;
    let need = |u: &Unit| tables.row(u.kind).size * u32::from(u.size);
    let Some(unit) = power.units.get(&no) else { return Quay::None };
    let ships = power.units.iter().filter(|(_, u)| u.at == at && tables.row(u.kind).carries > 0);
    let ships: Vec<u16> = ships.map(|(n, _)| *n).collect();
    if ships.is_empty() {
        let carries = |n: &u16| power.units.get(n).is_some_and(|u| tables.row(u.kind).carries > 0);
        return match plans.keys().any(carries) {
            true => Quay::Coming,
            false => Quay::None,
        };
    }
    let fits = ships.iter().copied().find(|n| power.room(tables, *n) >= need(unit));
    // Who is under way may come aboard first, who is aboard may land.
    let phases = tables.rules.movement.phases as i32;
    let near = |n: &u16, u: &Unit| {
        *n != no && is_land(tables.row(u.kind).class) && view.grid.distance(u.at, at) <= phases
    };
    let others = power.units.iter().filter(|(n, u)| plans.contains_key(n) && near(n, u));
    // From another ship one may step over.
    let comes = |u: &Unit| u.aboard.is_none_or(|ship| !ships.contains(&ship));
    let wanted: u32 = others.filter(|(_, u)| comes(u)).map(|(_, u)| need(u)).sum();
    let sails = ships.iter().any(|n| plans.contains_key(n));
    match fits {
        _ if sails => Quay::Perhaps,
        None => Quay::Full,
        Some(ship) if wanted == 0 || power.room(tables, ship) >= need(unit) + wanted => {
            Quay::Ship(ship)
        }
        Some(_) => Quay::Perhaps,
    }
}

/// What is said of a unit aboard a ship that moves.
fn carried(plans: &BTreeMap<u16, Plan>, unit: &Unit) -> Option<String> {
    let ship = unit.aboard.filter(|ship| plans.contains_key(ship))?;
    Some(say!("aboard unit {ship}, which moves; it lands from there"))
}

/// How far a march leads as far as is known.
struct Walk {
    /// Digits that are carried out, waits among them.
    taken: usize,
    /// Where it ends.
    end: Place,
    /// The ship that it is aboard then.
    aboard: Option<u16>,
    /// Whether it crosses unexplored ground.
    dark: bool,
    /// What stops it.
    halt: Option<Halt>,
}

fn walk(
    view: &View,
    plans: &BTreeMap<u16, Plan>,
    (class, points): (Class, u32),
    (no, unit): (u16, &Unit),
    steps: &[u8],
) -> Walk {
    let rules = &view.tables.rules.movement;
    let mut walk = Walk { taken: 0, end: unit.at, aboard: unit.aboard, dark: false, halt: None };
    let sails = |ship: u16| plans.contains_key(&ship);
    let mut left = points;
    for code in steps.iter().take(rules.phases) {
        let direction = Direction::from_code(*code);
        let halt = match direction.map(|d| view.grid.step(walk.end, d)) {
            None => None,
            Some(_) if left == 0 => Some(Halt::Points),
            Some(_) if walk.aboard.is_some_and(sails) => walk.aboard.map(Halt::Carried),
            Some(None) => Some(Halt::Closed(None)),
            Some(Some(to)) if is_land(class) && view.is_sea(to) => {
                match quay(view, plans, no, to) {
                    Quay::Ship(ship) => {
                        (walk.end, walk.aboard) = (to, Some(ship));
                        left = left.saturating_sub(rules.boarding_cost);
                        None
                    }
                    Quay::None | Quay::Coming => Some(Halt::Closed(Some(to))),
                    Quay::Full => Some(Halt::Full(to)),
                    Quay::Perhaps => Some(Halt::Quay(to)),
                }
            }
            Some(Some(to)) => {
                let foreign = view.cities.iter().any(|c| c.at == to);
                match view.cost(class, to) {
                    None => Some(Halt::Closed(Some(to))),
                    Some(_) if walk.aboard.is_some() && foreign => Some(Halt::ForeignCity(to)),
                    Some(cost) => {
                        (walk.end, walk.aboard) = (to, None);
                        walk.dark |= view.ground[usize::from(to.0)] == Ground::UnknownLand;
                        left = left.saturating_sub(cost);
                        None
                    }
                }
            }
        };
        if halt.is_some() {
            walk.halt = halt;
            break;
        }
        walk.taken += 1;
    }
    walk
}

/// The way of a unit to a goal, by the known map.
struct Trip {
    /// Where it ends: at the goal, or beside it.
    end: Place,
    /// It ends beside the goal, which is closed to it.
    beside: bool,
    /// It is there already.
    stays: bool,
    /// The goal is a foreign city, and it comes over the sea.
    at_sea: bool,
    /// It goes aboard at the goal.
    boards: bool,
    /// It leads over unexplored ground.
    dark: bool,
    /// The turn in which it ends, at the earliest.
    turn: u32,
}

/// How a unit gets to a goal; `None`: no way is known.
fn trip(
    view: &View,
    paths: &mut PathFinder,
    (class, points): (Class, u32),
    unit: &Unit,
    (to, quay): (Place, Quay),
) -> Option<Trip> {
    let foreign = |place: Place| view.cities.iter().any(|c| c.at == place);
    let ships = !matches!(quay, Quay::None | Quay::Coming);
    let boards = is_land(class) && view.is_sea(to) && ships;
    let quest = Quest {
        from: unit.at,
        to,
        aboard: unit.aboard.is_some(),
        foreign: &foreign,
        boarding: boards.then_some(view.tables.rules.movement.boarding_cost),
        cost: &|place| view.cost(class, place),
    };
    let Course { way, beside } = ways::seek(paths, view.grid, &quest)?;
    let at_sea = foreign(to) && (class == Class::Ship || quest.aboard);
    // Just landed beside a foreign city, a unit goes on by an order of the next turn.
    let landing = way.first().and_then(|d| view.grid.step(unit.at, *d));
    let landing = landing.filter(|p| {
        quest.aboard && foreign(to) && way.len() > 1 && view.grid.distance(*p, to) == 1
    });
    let way = if landing.is_some() { &way[..1] } else { &way[..] };
    let mut places = vec![unit.at];
    for direction in way {
        places.extend(view.grid.step(places[places.len() - 1], *direction));
    }
    let unexplored = |p: &Place| view.ground[usize::from(p.0)] == Ground::UnknownLand;
    Some(Trip {
        end: places[places.len() - 1],
        beside: beside || landing.is_some(),
        stays: way.is_empty(),
        at_sea,
        boards,
        dark: places.iter().any(unexplored),
        turn: view.turn + turns_for(view, class, points, unit.at, way).max(1) - 1,
    })
}

/// What comes of an advance as far as the seat knows, and a warning's code where it does not
/// lead to its goal.
pub fn forecast_of(
    view: &View,
    paths: &mut PathFinder,
    (class, points): (Class, u32),
    unit: &Unit,
    (to, quay): (Place, Quay),
) -> (&'static str, String) {
    let goal = describe(view, to);
    if unit.at == to {
        return ("no-way", say!("is at {goal} already"));
    }
    let Some(trip) = trip(view, paths, (class, points), unit, (to, quay)) else {
        let text = match unit.aboard {
            Some(ship) => {
                say!("waits aboard unit {ship} until there is land beside it with a way to {goal}")
            }
            None => say!("no way to {goal} is known: it stays"),
        };
        return ("no-way", text);
    };
    let Trip { stays, beside, dark, turn, boards, .. } = trip;
    let end = sector_no(view.grid, trip.end);
    if !beside {
        // A ship with room is there for certain in this turn alone.
        let sure = matches!(quay, Quay::Ship(_)) && turn == view.turn;
        return ("", reaches(&goal, turn, dark, boards.then_some(sure)));
    }
    let why = match (trip.at_sea, is_land(class) && view.is_sea(to)) {
        (true, _) => Bar::FromTheSea,
        (_, true) => Bar::NoShip,
        _ => Bar::Ground,
    };
    if stays {
        let text = match why {
            Bar::FromTheSea => {
                say!("stays at {end}: {goal} beside it can't be entered from the sea")
            }
            Bar::NoShip => say!("stays at {end}: {goal} beside it has no ship of yours yet"),
            Bar::Ground => say!("stays at {end}: {goal} beside it is closed to it"),
        };
        return ("no-way", text);
    }
    ("no-way", goes_beside(&goal, &end, (why, quay), turn, dark))
}

/// When a goal is reached; over unexplored ground at the earliest. `boards` is whether a ship
/// there takes the unit for certain, if it is to go aboard.
fn reaches(goal: &str, turn: u32, dark: bool, boards: Option<bool>) -> String {
    match (dark, boards) {
        (false, None) => say!("reaches {goal} in turn {turn}"),
        (true, None) => say!("reaches {goal} in turn {turn} at the earliest"),
        (false, Some(true)) => say!("reaches {goal} in turn {turn} and goes aboard there"),
        (true, Some(true)) => {
            say!("reaches {goal} in turn {turn} at the earliest and goes aboard there")
        }
        (false, Some(false)) => say!(
            "reaches {goal} in turn {turn} and goes aboard there, if a ship of yours with room is \
             there then"
        ),
        (true, Some(false)) => say!(
            "reaches {goal} in turn {turn} at the earliest and goes aboard there, if a ship of \
             yours with room is there then"
        ),
    }
}

/// Where a unit goes whose goal it can't enter, and when it is there.
fn goes_beside(goal: &str, end: &str, (why, quay): (Bar, Quay), turn: u32, dark: bool) -> String {
    let text = match why {
        Bar::FromTheSea => say!("{goal} can't be entered from the sea: goes to {end} beside it"),
        Bar::NoShip => say!("{goal} has no ship of yours yet: goes to {end} beside it"),
        Bar::Ground => say!("{goal} is closed to it: goes to {end} beside it"),
    };
    let text = match dark {
        true => say!("{text}, there in turn {turn} at the earliest"),
        false => say!("{text}, there in turn {turn}"),
    };
    match (why, quay) {
        (Bar::NoShip, Quay::Coming) => {
            say!("{text}, unless a ship of yours comes by before that")
        }
        _ => text,
    }
}

/// Why a goal can't be entered.
#[derive(Clone, Copy)]
enum Bar {
    /// It is a foreign city, and the way ends at sea.
    FromTheSea,
    /// It is sea without an own ship.
    NoShip,
    /// Its ground.
    Ground,
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

/// The odds of each battle that the plans of a card lead to, as far as enemies are known there.
fn battles(view: &View, paths: &mut PathFinder, plans: &BTreeMap<u16, Plan>) -> Vec<Line> {
    // Who comes in another turn does not fight beside them.
    let mut bound: BTreeMap<(Place, u32), Vec<u16>> = BTreeMap::new();
    for (no, plan) in plans {
        let Some(unit) = view.power.units.get(no) else { continue };
        let movement = movement(view, unit, plan);
        let (to, turn) = match &plan.way {
            Way::Advance(Goal { target: Target::Sector(to), .. }) => {
                let trip = trip(view, paths, movement, unit, (*to, Quay::None));
                let Some(trip) = trip.filter(|t| !t.beside) else { continue };
                (*to, trip.turn)
            }
            Way::Advance(_) => continue,
            Way::March(steps) => (walk(view, plans, movement, (*no, unit), steps).end, view.turn),
        };
        // Only ships fight at sea, and they fight nowhere else.
        let ship = view.tables.row(unit.kind).class == Class::Ship;
        let fights = view.tables.row(unit.kind).attack > 0 && odds::fights(view, to);
        if to != unit.at && ship == view.is_sea(to) && fights {
            bound.entry((to, turn)).or_default().push(*no);
        }
    }
    let (mut lines, mut dark): (Vec<Line>, Vec<String>) = (Vec::new(), Vec::new());
    for ((at, turn), own) in bound.into_iter().take(BATTLES) {
        let (place, odds) = (describe(view, at), Odds::of(view, &own, at));
        if odds.is_dark() {
            if !dark.contains(&place) {
                dark.push(place);
            }
            continue;
        }
        let place = match turn > view.turn {
            true => say!("{place} in turn {turn}"),
            false => place,
        };
        let (units, strength, theirs) = (units(&own), odds.own_strength(), odds.their_strength());
        let verdict = odds.verdict();
        lines.push(say!("{place}: your {units}, {strength}, against {theirs}. {verdict}").into());
    }
    if !dark.is_empty() {
        let places = dark.join(", ");
        let text = say!(
            "Nothing is known of who holds {places}: send a single regiment ahead, or several \
             units."
        );
        lines.push(text.into());
    }
    lines
}

fn forecast(
    view: &View,
    busy: &BTreeSet<u16>,
    arrivals: Vec<Line>,
    crowded: &BTreeSet<(BaseNo, BaseNo)>,
) -> Section {
    let mut items: Vec<Line> =
        vec![say!("Stock after this card: {stock} PP", stock = pp(view.power.stock)).into()];
    items.extend(arrivals);
    for (base, _, hangar) in view.power.bases().filter(|(.., h)| !h.is_empty()) {
        let stay = stored(hangar.planes, (hangar.missiles, hangar.warheads));
        let keeps = match hangar.watch.min(hangar.planes.cover()) {
            0 => say!("airbase {base} keeps {stay}"),
            n => count!(
                n,
                "airbase {base} keeps {stay}, {n} fighter on watch",
                "airbase {base} keeps {stay}, {n} fighters on watch"
            ),
        };
        items.push(keeps.into());
    }
    items.extend(crowded.iter().map(|(base, to)| {
        say!("planes of airbase {base} that find no place at airbase {to} come back").into()
    }));
    let idle: Vec<u16> = view.power.units.keys().copied().filter(|n| !busy.contains(n)).collect();
    let idle = match (idle.is_empty(), view.power.units.is_empty()) {
        (_, true) => say!("you have no units"),
        (true, _) => say!("every unit has something to do"),
        (false, _) => say!("units without orders: {units}", units = ranges(idle)),
    };
    items.push(idle.into());
    Section { heading: say!("Forecast"), blocks: vec![Block::List(items)] }
}
