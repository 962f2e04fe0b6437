//! Events and orders of units, in words.

use engine::Seat;
use engine::geometry::{Direction, Grid, Place};

use super::event::{Against, What};
use super::ground::Ground;
use super::kinds::Kind;
use super::orders::Task;
use super::state::{Unit, UnitId};
use super::view::View;
use tongue::{count, say};

/// The name of a unit of the reader: number, kind and its own name.
pub fn unit(view: &View, id: UnitId) -> String {
    match view.world.unit(id) {
        Some(unit) => called(id.number, unit),
        None => say!("unit {number}", number = id.number),
    }
}

/// A unit by number, kind and name.
pub fn called(number: u16, unit: &Unit) -> String {
    let kind = unit.kind.localized();
    match unit.name.is_empty() {
        true => format!("{kind} {number}"),
        false => format!("{kind} {number} ({})", unit.name),
    }
}

/// A square, and the city on it under the reader's name.
pub fn place(view: &View, at: Place) -> String {
    let square = view.world.ground.called(at);
    match view.known().and_then(|k| Some((k.cities.get(&at)?.number, k.names.get(&at)))) {
        Some((number, None)) => say!("city {number} at {square}"),
        Some((number, Some(name))) => say!("{name} (city {number}) at {square}"),
        None => square,
    }
}

/// The compass name of a direction.
pub fn way(direction: Direction) -> String {
    match direction.code() {
        1 => say!(compass: "N"),
        2 => say!(compass: "NE"),
        3 => say!(compass: "E"),
        4 => say!(compass: "SE"),
        5 => say!(compass: "S"),
        6 => say!(compass: "SW"),
        7 => say!(compass: "W"),
        _ => say!(compass: "NW"),
    }
}

/// The direction of the way from one square to another; `None` where they are the same.
pub fn compass(grid: Grid, from: Place, to: Place) -> Option<Direction> {
    let (x, y) = (grid.across(from, to), grid.row(to) - grid.row(from));
    // On a map that wraps, the shorter way round counts.
    let east = grid.at(grid.col(from) + x, grid.row(from)).is_some_and(|p| grid.across(p, to) == 0);
    let x = if east { x } else { -x };
    // A way that leads mostly in one of the four main directions counts as that direction.
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
        _ => return None,
    };
    Direction::from_code(code)
}

/// A queue as a player would write it.
pub fn queue(ground: &Ground, tasks: &[Task]) -> String {
    tasks.iter().map(|task| task.written(ground)).collect::<Vec<_>>().join(" THEN ")
}

/// Numbers and spans of numbers, as in 3, 13–16.
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

/// One unit of a kind, at the beginning of a sentence.
fn one(kind: Kind) -> String {
    match kind {
        Kind::Ar => say!("An Army"),
        Kind::In => say!("An Infantry"),
        Kind::Am => say!("An Armor"),
        Kind::Fi => say!("A Fighter"),
        Kind::Bo => say!("A Bomber"),
        Kind::Tr => say!("A Transport"),
        Kind::De => say!("A Destroyer"),
        Kind::Su => say!("A Submarine"),
        Kind::Cr => say!("A Cruiser"),
        Kind::Ba => say!("A Battleship"),
        Kind::Ca => say!("A Carrier"),
        Kind::Ab => say!("An Airbase"),
    }
}

/// A number of units of a kind, as in "2 Armies"; for one, only the kind.
fn counted(kind: Kind, n: usize) -> String {
    match kind {
        _ if n == 1 => kind.localized().into_owned(),
        Kind::Ar => count!(n, "{n} Army", "{n} Armies"),
        Kind::In => count!(n, both: "{n} Infantry"),
        Kind::Am => count!(n, both: "{n} Armor"),
        Kind::Fi => count!(n, "{n} Fighter", "{n} Fighters"),
        Kind::Bo => count!(n, "{n} Bomber", "{n} Bombers"),
        Kind::Tr => count!(n, "{n} Transport", "{n} Transports"),
        Kind::De => count!(n, "{n} Destroyer", "{n} Destroyers"),
        Kind::Su => count!(n, "{n} Submarine", "{n} Submarines"),
        Kind::Cr => count!(n, "{n} Cruiser", "{n} Cruisers"),
        Kind::Ba => count!(n, "{n} Battleship", "{n} Battleships"),
        Kind::Ca => count!(n, "{n} Carrier", "{n} Carriers"),
        Kind::Ab => count!(n, "{n} Airbase", "{n} Airbases"),
    }
}

/// Kinds with their numbers, as in "2 Armies, Battleship".
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

/// Enemies of a kind that have come into sight.
pub fn sighted(view: &View, owner: Seat, kind: Kind, places: &[Place]) -> String {
    let at = |p: &Place| view.world.ground.called(*p);
    match places {
        [] => String::new(),
        [place] => {
            let (unit, place) = (one(kind), at(place));
            say!("{unit} of player {owner} is in sight at {place}.")
        }
        [rest @ .., last] => {
            let many = counted(kind, places.len());
            let rest = rest.iter().map(at).collect::<Vec<_>>().join("; ");
            let last = at(last);
            say!("{many} of player {owner} are in sight at {rest} and {last}.")
        }
    }
}

/// The highest weight number of events that come with the fights.
pub const FIGHTS: u8 = 1;

/// The weight of an event: the lowest numbers come first.
pub fn weight(what: &What) -> u8 {
    match what {
        What::KnockedOut(_) | What::Resigned(_) | What::Abdicated(_) => 0,
        // Fights and their consequences stay in the order of time.
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
            let (kind, number, place) = (kind.localized(), id.number, place(view, *at));
            say!("{kind} {number} was finished in {place}.")
        }
        What::Found(at) => say!("You have found {place}.", place = place(view, *at)),
        What::Sighted { at, kind, owner } => sighted(view, *owner, *kind, &[*at]),
        What::Fought { .. } => fought(view, what),
        What::Captured { by, at, from, lost, .. } => {
            let place = place(view, *at);
            let taken = match (*by == view.seat, from) {
                (true, None) => say!("You took {place}"),
                (true, Some(from)) => say!("You took {place} from player {from}"),
                (false, None) => say!("Player {by} took {place}"),
                (false, Some(from)) if *from == view.seat => {
                    say!("Player {by} took {place} from you")
                }
                (false, Some(from)) => say!("Player {by} took {place} from player {from}"),
            };
            match lost.is_empty() {
                true => format!("{taken}."),
                false => say!("{taken}; lost in it: {units}.", units = ended(lost)),
            }
        }
        What::Bombed { by, at, lost } => {
            let place = place(view, *at);
            let what = match lost.as_slice() {
                [] => say!("what it was building is lost"),
                lost => say!("lost in it: {units}", units = ended(lost)),
            };
            match *by == view.seat {
                true => say!("You bombed {place}: {what}."),
                false => say!("Player {by} bombed {place}: {what}."),
            }
        }
        What::Overboard(id, lost) => {
            let (unit, lost) = (unit(view, *id), kinds(lost.iter().copied()));
            say!("{unit} had no room any more: {lost} lost.")
        }
        What::Crashed(id, kind, at) => {
            let (kind, number, at) = (kind.localized(), id.number, ground.called(*at));
            say!("{kind} {number} ran out of fuel at {at}.")
        }
        What::Repaired(id) => say!("{unit} is whole again.", unit = unit(view, *id)),
        What::Based(id, at) => {
            let (number, at) = (id.number, ground.called(*at));
            say!("Infantry {number} is an airbase now, at {at}.")
        }
        What::Woken(id) => say!("{unit} has stopped: an enemy is near.", unit = unit(view, *id)),
        What::Stopped(id) => say!("{unit} could not go on.", unit = unit(view, *id)),
        What::Explored(id) => say!("{unit} finds nothing new any more.", unit = unit(view, *id)),
        What::Resigned(seat) if *seat == view.seat => {
            say!("You have left; your cities are nobody's.")
        }
        What::Abdicated(seat) if *seat == view.seat => {
            say!("You have left; a computer plays on for you.")
        }
        What::KnockedOut(seat) if *seat == view.seat => {
            say!("You have nothing left and are out of the game.")
        }
        What::Resigned(seat) => say!("Player {seat} has left; the cities are nobody's."),
        What::Abdicated(seat) => say!("A computer plays on for player {seat}."),
        What::Letter(_) => String::new(),
        What::KnockedOut(seat) => say!("Player {seat} has lost everything and is out."),
    }
}

/// The kinds of units that were destroyed.
fn ended(lost: &[(Seat, Kind)]) -> String {
    kinds(lost.iter().map(|l| l.1))
}

/// A fight in a sentence.
fn fought(view: &View, what: &What) -> String {
    let What::Fought { by, kind, at, against, won, damage, lost, .. } = what else {
        return String::new();
    };
    let who = match by.seat == view.seat {
        true => say!("Your {kind} {number}", kind = kind.localized(), number = by.number),
        false => say!("{unit} of player {seat}", unit = one(*kind), seat = by.seat),
    };
    let target = match against {
        Against::Unit { owner, kind } => {
            let (kind, at) = (kind.localized(), view.world.ground.called(*at));
            match *owner == view.seat {
                true => say!("your {kind} at {at}"),
                false => say!("player {owner}'s {kind} at {at}"),
            }
        }
        Against::City(owner) => {
            let place = place(view, *at);
            match owner {
                None => say!("the free {place}"),
                Some(owner) if *owner == view.seat => say!("your {place}"),
                Some(owner) => say!("player {owner}'s {place}"),
            }
        }
    };
    let fight = match (won, damage) {
        (true, 0) => say!("{who} attacked {target} and won"),
        (false, 0) => say!("{who} attacked {target} and lost"),
        (true, hits) => count!(
            hits,
            "{who} attacked {target} and won, who won has {hits} hit",
            "{who} attacked {target} and won, who won has {hits} hits"
        ),
        (false, hits) => count!(
            hits,
            "{who} attacked {target} and lost, who won has {hits} hit",
            "{who} attacked {target} and lost, who won has {hits} hits"
        ),
    };
    // The loser was destroyed; further losses were aboard.
    match lost.as_slice() {
        [] | [_] => format!("{fight}."),
        [_, cargo @ ..] => say!("{fight}; its cargo is lost: {cargo}.", cargo = ended(cargo)),
    }
}
