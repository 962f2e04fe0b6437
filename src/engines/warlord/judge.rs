//! The echo of a card: the desk's answers, additions from the known map, and a forecast.

mod marches;

use std::collections::{BTreeMap, BTreeSet};

use self::marches::{carried, heads, march, movement, trip, walk};
pub use self::marches::{forecast_of, quay};
use super::bases::BaseNo;
use super::desk::{Desk, Facts, Paper, Plan, Sortie, Way, Wing, fallen, values};
use super::events;
use super::odds::{self, Odds};
use super::orders::{self, Order, sector_no};
use super::phrases::{force, pp, ranges, stored, units};
use super::state::{Goal, Target};
use super::tables::Class;
use super::view::{Ground, View};
use super::words::Words;
use crate::desk::planes;
use crate::state::State;
use crate::{Warlord, maps, tables};
use engine::geometry::{Direction, PathFinder, Place};
use engine::report::{Block, Line, Section, bind};
use engine::{CardText, Cards, JudgedLine, Judgement, MapPicture, Mark, Seat, Told, Topic};
use tongue::{count, say, word};

impl Cards for Warlord {
    fn starts_order(line: &str) -> bool {
        orders::starts_order(line)
    }

    fn takes_text(line: &str) -> bool {
        let letters = line.trim_start().chars().take_while(|c| c.is_ascii_alphabetic());
        letters.collect::<String>().eq_ignore_ascii_case("N")
    }

    fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
        let mut judged = match ahead {
            0 => judge(view, card),
            // Rules that depend on the turn, such as the first coalitions, follow the later turn.
            _ => judge(&View { turn: view.turn + ahead, ..view.clone() }, card),
        };
        judged.forecast.iter_mut().for_each(|s| bind(&mut s.blocks));
        judged
    }

    fn help(state: Option<&State>) -> Vec<Topic> {
        match state {
            Some(state) => orders::help(&state.tables, state.tables.world.start.tech),
            None => orders::help(&tables::Tables::embedded(), 1),
        }
    }

    fn help_for(state: &State, seat: Seat) -> Vec<Topic> {
        orders::help(&state.tables, state.known_tech(seat))
    }

    fn sketch(view: &View, card: &CardText) -> Option<MapPicture> {
        maps::sketch(&after(view, card)?)
    }
}

/// Battles that an echo gives odds for.
const BATTLES: usize = 12;

/// Turns that a forecast looks ahead.
const TURNS_AHEAD_MAX: u32 = 60;

/// The view with the seat's power after these orders, and the notes of the desk.
///
/// The third value has the transfers to decks that may have too few places for all planes on the
/// way there.
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

/// The view as a card leaves it: each unit has the goal that it has then, and a march has its end
/// as goal. `None` for an empire that has fallen.
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
    // Units with the same text are named together.
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

/// Adds a text to the answer of a line.
fn add(told: &mut Told, text: &str) {
    if !told.note.is_empty() {
        told.note += "; ";
    }
    told.note += text;
}

/// Adds that observers of a ship that moves fly only if it is near enough afterwards, as they fly
/// after all movement.
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

/// Adds a warning when a player becomes an ally while divisions are marching on his places.
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
            "unit {units} is marching on a place of this ally and will not fight",
            "units {units} are marching on a place of this ally and will not fight",
            units = ranges(bound.iter().copied())
        );
        add(told, &text);
    }
}

/// What the known map says about a unit's movement, and the code of a warning, which is empty if
/// all goes as ordered.
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

/// A sector by number, with its city or ground as far as known.
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

/// Why a march stops before its last digit, as far as is known.
enum Halt {
    /// The ground is closed; `None` for the ice.
    Closed(Option<Place>),
    /// It would land directly in a foreign city.
    ForeignCity(Place),
    /// No points are left.
    Points,
    /// The ship that carries the unit moves, so the rest is not known.
    Carried(u16),
    /// The ship to board here may be gone or full by then.
    Quay(Place),
    /// No ship here has room for the unit.
    Full(Place),
}

/// The ships that a unit may find where it is to go aboard.
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
    /// A ship with room, which stays.
    Ship(u16),
}

/// The course of a march as far as is known.
struct Walk {
    /// Digits that are carried out, including waits.
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

/// The way of a unit to a goal, over the known map.
struct Trip {
    /// Where it ends: at the goal, or beside it.
    end: Place,
    /// Whether it ends beside the goal, because the goal is closed to the unit.
    beside: bool,
    /// Whether the unit is already there.
    stays: bool,
    /// Whether the goal is a foreign city and the unit comes over the sea.
    at_sea: bool,
    /// Whether the unit goes aboard at the goal.
    boards: bool,
    /// Whether it leads over unexplored ground.
    dark: bool,
    /// The turn in which it ends, at the earliest.
    turn: u32,
}

/// Why a goal can't be entered.
#[derive(Clone, Copy)]
enum Bar {
    /// It is a foreign city, and the way ends at sea.
    FromTheSea,
    /// It is sea without a ship that the unit could board.
    NoShip,
    /// The ground of the goal is closed.
    Ground,
}

/// The odds of each battle that the plans of a card lead to, as far as the enemies there are known.
fn battles(view: &View, paths: &mut PathFinder, plans: &BTreeMap<u16, Plan>) -> Vec<Line> {
    // Units that arrive in different turns do not fight together.
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
