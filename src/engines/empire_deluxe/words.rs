//! What happened and what units do, in words.

use engine::Seat;
use engine::geometry::{Direction, Grid, Place};

use super::event::{Against, What};
use super::ground::Ground;
use super::kinds::Kind;
use super::orders::{BEGINS, Task, key};
use super::state::{Unit, UnitId};
use super::view::View;

/// A number as in 1st, 2nd, 3rd, 11th.
pub fn ordinal(n: u16) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// What a unit of the reader is called: its number, kind and name.
pub fn unit(view: &View, id: UnitId) -> String {
    match view.world.unit(id) {
        Some(unit) => called(id.number, unit),
        None => format!("unit {}", id.number),
    }
}

/// A unit by number, kind and name.
pub fn called(number: u16, unit: &Unit) -> String {
    let kind = unit.kind.name();
    match unit.name.is_empty() {
        true => format!("{kind} {number}"),
        false => format!("{kind} {number} ({})", unit.name),
    }
}

/// A square, and the city on it by what the reader calls it.
pub fn place(view: &View, at: Place) -> String {
    let square = view.world.ground.called(at);
    match view.known().and_then(|k| Some((k.cities.get(&at)?.number, k.names.get(&at)))) {
        Some((number, None)) => format!("city {number} at {square}"),
        Some((number, Some(name))) => format!("{name} (city {number}) at {square}"),
        None => square,
    }
}

/// The compass name of the way from one square to another.
pub fn compass(grid: Grid, from: Place, to: Place) -> &'static str {
    let (x, y) = (grid.across(from, to), grid.row(to) - grid.row(from));
    // Where a map wraps, the shorter way round.
    let east = grid.at(grid.col(from) + x, grid.row(from)).is_some_and(|p| grid.across(p, to) == 0);
    let x = if east { x } else { -x };
    // Mostly along one side is along that side.
    let (x, y) = match (2 * x.abs() < y.abs(), 2 * y.abs() < x.abs()) {
        (true, _) => (0, y.signum()),
        (_, true) => (x.signum(), 0),
        _ => (x.signum(), y.signum()),
    };
    let code = match (x, y) {
        (0, -1) => 1,
        (1, -1) => 2,
        (1, 0) => 3,
        (1, 1) => 4,
        (0, 1) => 5,
        (-1, 1) => 6,
        (-1, 0) => 7,
        (-1, -1) => 8,
        _ => return "around itself",
    };
    Direction::from_code(code).map_or("", Direction::name)
}

/// A step of a unit's orders, as it would be written.
pub fn task(ground: &Ground, task: &Task) -> String {
    let signs = |on: bool, fight: bool, stop: bool| {
        let all = [(on, " !"), (fight, " *"), (stop, " ?")];
        all.iter().filter(|s| s.0).map(|s| s.1).collect::<String>()
    };
    match task {
        Task::Go(to, f) => format!("M {}{}", ground.called(*to), signs(f.on, f.fight, f.stop)),
        Task::Path(steps, f) => {
            let digit = |code: &u8| Direction::from_code(*code).map_or('5', key);
            let digits: String = steps.iter().map(digit).collect();
            format!("D {digits}{}", signs(f.on, f.fight, f.stop))
        }
        Task::Attack(to, f) => format!("A {}{}", ground.called(*to), signs(f.on, f.fight, f.stop)),
        Task::Sentry(f) => format!("S{}", signs(f.on, f.fight, f.stop)),
        Task::Patrol(points, leg, f) => {
            // The first square is the one that it began on.
            let written = points.iter().skip(usize::from(*leg != BEGINS));
            let points: Vec<String> = written.map(|p| ground.called(*p)).collect();
            format!("T {}{}", points.join(" "), signs(f.on, f.fight, f.stop))
        }
        Task::Explore(f) => format!("E{}", signs(f.on, f.fight, f.stop)),
        Task::Board(carrier) => format!("L {carrier}"),
        Task::Fill => "L".to_owned(),
        Task::Unload(to, f) => {
            let to = to.map(|to| format!(" {}", ground.called(to))).unwrap_or_default();
            format!("U{to}{}", signs(f.on, f.fight, f.stop))
        }
        Task::Return => "R".to_owned(),
        Task::Wait(turns) => format!("W {turns}"),
    }
}

/// A queue, as it would be written.
pub fn queue(ground: &Ground, tasks: &[Task]) -> String {
    tasks.iter().map(|t| task(ground, t)).collect::<Vec<_>>().join(" THEN ")
}

/// Numbers as in 3, 13–16.
pub fn spans(numbers: &[u16]) -> String {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let one = |run: &[u16]| match run {
        [first, .., last] if run.len() > 2 => format!("{first}–{last}"),
        run => run.iter().map(u16::to_string).collect::<Vec<_>>().join(", "),
    };
    runs.map(one).collect::<Vec<_>>().join(", ")
}

/// One of a kind, at the beginning of a sentence.
fn one(kind: Kind) -> String {
    let name = kind.name();
    let vowel = name.starts_with(['A', 'E', 'I', 'O', 'U']);
    format!("{} {name}", if vowel { "An" } else { "A" })
}

/// So many of a kind, as in "2 Armies"; one is the kind alone.
fn counted(kind: Kind, n: usize) -> String {
    match (n, kind) {
        (1, _) => kind.name().to_owned(),
        (n, Kind::Ar) => format!("{n} Armies"),
        (n, Kind::In | Kind::Am) => format!("{n} {}", kind.name()),
        (n, _) => format!("{n} {}s", kind.name()),
    }
}

/// Kinds with how many of each, as in "2 Armies, Battleship".
pub fn kinds(all: impl Iterator<Item = Kind>) -> String {
    let mut found: Vec<(Kind, usize)> = Vec::new();
    for kind in all {
        match found.iter_mut().find(|c| c.0 == kind) {
            Some(c) => c.1 += 1,
            None => found.push((kind, 1)),
        }
    }
    found.iter().map(|(kind, n)| counted(*kind, *n)).collect::<Vec<_>>().join(", ")
}

/// Whose something is.
fn whose(view: &View, seat: Seat) -> String {
    if seat == view.seat { "your".to_owned() } else { format!("player {seat}'s") }
}

/// Enemies of a kind that have come into sight.
pub fn sighted(view: &View, owner: Seat, kind: Kind, places: &[Place]) -> String {
    let at = |p: &Place| view.world.ground.called(*p);
    match places {
        [] => String::new(),
        [place] => format!("{} of player {owner} is in sight at {}.", one(kind), at(place)),
        [rest @ .., last] => {
            let many = counted(kind, places.len());
            let rest = rest.iter().map(at).collect::<Vec<_>>().join("; ");
            format!("{many} of player {owner} are in sight at {rest} and {}.", at(last))
        }
    }
}

/// What weighs as much as a fight, or more.
pub const FIGHTS: u8 = 1;

/// How much an event weighs: the least come first.
pub fn weight(what: &What) -> u8 {
    match what {
        What::KnockedOut(_) | What::Resigned(_) | What::Abdicated(_) => 0,
        // Fights and what came of them stand as they followed each other.
        What::Captured { .. }
        | What::Bombed { .. }
        | What::Fought { .. }
        | What::Overboard(..)
        | What::Crashed(..) => FIGHTS,
        What::Sighted { .. } => 2,
        What::Found(_) => 3,
        What::Built(..) => 4,
        _ => 5,
    }
}

/// An event in a sentence.
pub fn event(view: &View, what: &What) -> String {
    let ground = &view.world.ground;
    match what {
        What::Built(id, kind, at) => {
            format!("{} {} was finished in {}.", kind.name(), id.number, place(view, *at))
        }
        What::Found(at) => format!("You have found {}.", place(view, *at)),
        What::Sighted { at, kind, owner } => sighted(view, *owner, *kind, &[*at]),
        What::Fought { by, kind, at, against, won, damage, lost, .. } => {
            let who = match by.seat == view.seat {
                true => format!("Your {} {}", kind.name(), by.number),
                false => format!("{} of player {}", one(*kind), by.seat),
            };
            let target = match against {
                Against::Unit { owner, kind } => {
                    format!("{} {} at {}", whose(view, *owner), kind.name(), ground.called(*at))
                }
                Against::City(Some(owner)) => {
                    format!("{} {}", whose(view, *owner), place(view, *at))
                }
                Against::City(None) => format!("the free {}", place(view, *at)),
            };
            let end = if *won { "won" } else { "lost" };
            let hits = match damage {
                0 => String::new(),
                1 => ", who won has 1 hit".to_owned(),
                n => format!(", who won has {n} hits"),
            };
            // Whoever lost ended; more than that was aboard.
            let aboard = match lost.len() {
                0 | 1 => String::new(),
                _ => format!("; its cargo is lost: {}", kinds(lost.iter().skip(1).map(|l| l.1))),
            };
            format!("{who} attacked {target} and {end}{hits}{aboard}.")
        }
        What::Captured { by, at, from, lost, .. } => {
            let who = if *by == view.seat { "You".to_owned() } else { format!("Player {by}") };
            let of = match from {
                Some(seat) if *seat == view.seat => " from you".to_owned(),
                Some(seat) => format!(" from player {seat}"),
                None => String::new(),
            };
            let inside = match lost.is_empty() {
                true => String::new(),
                false => format!("; lost in it: {}", kinds(lost.iter().map(|l| l.1))),
            };
            format!("{who} took {}{of}{inside}.", place(view, *at))
        }
        What::Bombed { by, at, lost } => {
            let who = if *by == view.seat { "You".to_owned() } else { format!("Player {by}") };
            let what = match lost.as_slice() {
                [] => "what it was building is lost".to_owned(),
                lost => format!("lost in it: {}", kinds(lost.iter().map(|l| l.1))),
            };
            format!("{who} bombed {}: {what}.", place(view, *at))
        }
        What::Overboard(id, lost) => {
            let lost = kinds(lost.iter().copied());
            format!("{} had no room any more: {lost} lost.", unit(view, *id))
        }
        What::Crashed(id, kind, at) => {
            format!("{} {} ran out of fuel at {}.", kind.name(), id.number, ground.called(*at))
        }
        What::Repaired(id) => format!("{} is whole again.", unit(view, *id)),
        What::Based(id, at) => {
            format!("Infantry {} is an airbase now, at {}.", id.number, ground.called(*at))
        }
        What::Woken(id) => format!("{} has stopped: an enemy is near.", unit(view, *id)),
        What::Stopped(id) => format!("{} could not go on.", unit(view, *id)),
        What::Explored(id) => format!("{} finds nothing new any more.", unit(view, *id)),
        What::Resigned(seat) => format!("Player {seat} has left; the cities are nobody's."),
        What::Abdicated(seat) => format!("A computer plays on for player {seat}."),
        What::Letter(_) => String::new(),
        What::KnockedOut(seat) => format!("Player {seat} has lost everything and is out."),
    }
}
