//! Several fights over one square as a panel (§18.1): who, how many took part and are left, the
//! ground, and the result. A single fight is a line.

use std::collections::{BTreeMap, BTreeSet};

use engine::Seat;
use engine::geometry::Place;
use engine::report::{Battle, Force, capital};

use super::event::{Against, Event, What};
use super::kinds::Kind;
use super::state::UnitId;
use super::view::View;
use super::words;
use tongue::{count, say};

/// The fewest fights over a square that are shown as a panel, not as lines.
const SEVERAL: usize = 2;

/// What groups the fights of a turn over a square: the turn, the square, the attacker and the
/// defender.
type Cause = (u32, Place, Seat, Option<Seat>);

/// The fights over a square as panels, by turn and square.
pub fn cards(view: &View) -> Vec<Battle> {
    let mut fights: BTreeMap<Cause, Vec<&What>> = BTreeMap::new();
    for event in &view.events {
        if let Some(cause) = cause(event) {
            fights.entry(cause).or_default().push(&event.what);
        }
    }
    let several = fights.into_iter().filter(|(_, all)| count(all) >= SEVERAL);
    several.map(|(cause, all)| card(view, cause, &all)).collect()
}

/// Whether a panel reports an event.
pub fn is_told(view: &View, event: &Event) -> bool {
    let Some(cause) = cause(event) else { return false };
    let same = view.events.iter().filter(|e| self::cause(e) == Some(cause));
    same.filter(|e| matches!(e.what, What::Fought { .. })).count() >= SEVERAL
}

/// Whether events are shown with their turns: after a sitting of several turns.
pub fn is_dated(view: &View) -> bool {
    let told = |e: &&Event| !matches!(e.what, What::Letter(_) | What::Sighted { .. });
    let turns = || view.events.iter().filter(told).map(|e| e.turn);
    turns().max().zip(turns().min()).is_some_and(|(last, first)| last > first + 1)
}

fn cause(event: &Event) -> Option<Cause> {
    match event.what {
        What::Fought { by, at, against, .. } => {
            let of = match against {
                Against::Unit { owner, .. } => Some(owner),
                Against::City(owner) => owner,
            };
            Some((event.turn, at, by.seat, of))
        }
        What::Captured { by, at, from, .. } => Some((event.turn, at, by, from)),
        _ => None,
    }
}

fn count(all: &[&What]) -> usize {
    all.iter().filter(|w| matches!(w, What::Fought { .. })).count()
}

/// The fights for a square, added up.
#[derive(Default)]
struct Sum {
    attackers: BTreeMap<UnitId, Kind>,
    /// Attackers that were destroyed.
    beaten: BTreeSet<UnitId>,
    /// Defenders that were destroyed.
    fallen: Vec<Kind>,
    /// Units that were lost aboard attackers.
    aboard: Vec<Kind>,
    /// The last defender that held against an attack.
    standing: Option<Kind>,
    /// Whether a city defended itself.
    city: bool,
    /// Fights that the attackers won.
    won: usize,
    /// Hits of attackers that won.
    hits: BTreeMap<UnitId, u8>,
    /// Its consequences, in sentences.
    ends: Vec<String>,
}

fn sum(view: &View, all: &[&What]) -> Sum {
    let mut sum = Sum::default();
    let Sum { attackers, beaten, fallen, aboard, standing, city, won, hits, ends } = &mut sum;
    for what in all {
        match what {
            What::Fought { by, kind, against, won: wins, damage, lost, .. } => {
                attackers.insert(*by, *kind);
                if *wins {
                    hits.insert(*by, *damage);
                }
                aboard.extend(lost.iter().skip(1).map(|l| l.1));
                *won += usize::from(*wins);
                match (against, wins) {
                    (_, false) => {
                        beaten.insert(*by);
                        *standing = match against {
                            Against::Unit { kind, .. } => Some(*kind),
                            Against::City(_) => None,
                        };
                    }
                    (Against::Unit { kind, .. }, true) => {
                        fallen.push(*kind);
                        *standing = None;
                    }
                    (Against::City(_), true) => {}
                }
                *city |= matches!(against, Against::City(_));
            }
            _ => ends.push(words::event(view, what)),
        }
    }
    sum
}

fn card(view: &View, (turn, at, by, of): Cause, all: &[&What]) -> Battle {
    let sum = sum(view, all);
    let result = result(&sum, count(all));
    let Sum { attackers, beaten, fallen, standing, city, hits, .. } = sum;
    let lost = attackers.iter().filter(|(id, _)| beaten.contains(id)).map(|(_, kind)| *kind);
    // The reader's own units by their numbers, each with its fate.
    let own = |(id, kind): (&UnitId, &Kind)| {
        let unit = format!("{} {}", kind.localized(), id.number);
        match hits.get(id) {
            _ if beaten.contains(id) => say!("{unit} (lost)"),
            None | Some(0) => unit,
            Some(n) => count!(n, "{unit} ({n} hit)", "{unit} ({n} hits)"),
        }
    };
    let attack = Force {
        who: match by == view.seat {
            true => say!("You attack"),
            false => say!("Player {by} attacks"),
        },
        seat: Some(by),
        numbers: Some(numbers(attackers.len(), beaten.len())),
        forces: match by == view.seat {
            true => attackers.iter().map(own).collect::<Vec<_>>().join(", "),
            false => forces(attackers.values().copied(), lost),
        },
        ..Force::default()
    };
    let met = fallen.len() + usize::from(standing.is_some());
    let who = match of {
        None => say!("Nobody's city defends itself"),
        Some(of) if of == view.seat => say!("You defend"),
        Some(of) => say!("Player {of} defends"),
    };
    let units = forces(fallen.iter().copied().chain(standing), fallen.iter().copied());
    let told = match (city, units.is_empty()) {
        (false, _) => units,
        (true, true) => say!("the city itself"),
        (true, false) => say!("{units}, and the city itself"),
    };
    let defence = Force {
        who,
        seat: of,
        // Nobody knows how many units are in reserve beside those that fought.
        numbers: (met > 0).then(|| numbers(met, fallen.len())),
        forces: told,
        ..Force::default()
    };
    let place = words::place(view, at);
    Battle {
        place: match is_dated(view) {
            true => say!("Turn {turn}, {place}"),
            false => capital(&place),
        },
        ground: view.world.ground.at(at).localized().into_owned(),
        sides: vec![attack, defence],
        result,
        ..Battle::default()
    }
}

/// The result for the attackers.
fn result(sum: &Sum, fights: usize) -> String {
    let result = match sum.won {
        _ if !sum.ends.is_empty() => sum.ends.join(" "),
        0 => say!("Every attack was beaten back."),
        won if won == fights => say!("The attackers won every fight."),
        won => say!("The attackers won {won} of {fights} fights."),
    };
    match sum.aboard.is_empty() {
        true => result,
        false => {
            let units = words::kinds(sum.aboard.iter().copied());
            let aboard = say!("Lost aboard: {units}.");
            format!("{result} {aboard}")
        }
    }
}

/// How many took part, and how many are left.
fn numbers(all: usize, lost: usize) -> (u32, u32) {
    // A square has few units.
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (number(all), number(all.saturating_sub(lost)))
}

/// Kinds with their numbers, and which of them were lost.
fn forces(all: impl Iterator<Item = Kind>, lost: impl Iterator<Item = Kind>) -> String {
    let (all, lost) = (words::kinds(all), words::kinds(lost));
    match (all.as_str(), lost.as_str()) {
        (all, "") => all.to_owned(),
        (all, lost) if all == lost => say!("{all} (all lost)"),
        (all, lost) => say!("{all} ({lost} lost)"),
    }
}
