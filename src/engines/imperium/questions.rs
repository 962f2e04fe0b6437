//! Questions of players: facts about a system, routes, odds, the state of the war.

use super::board::{Control, Unit};
use super::galaxy::{System, number};
use super::kinds::{Side, UnitId};
use super::odds::{Paper, enemies};
use super::state::Spotted;
use super::view::View;
use super::words;
use crate::Imperium;
use engine::{Answers, Ask, Line};
use tongue::{count, say};

impl Answers for Imperium {
    fn answer(view: &View, ask: &Ask) -> Vec<Line> {
        answer(view, ask)
    }
}

/// The number of trial battles for an answer.
const TRIALS: u32 = 100;

/// The answer to a question; empty if it names an unknown system or fleet.
pub fn answer(view: &View, ask: &Ask) -> Vec<Line> {
    let galaxy = &view.board.galaxy;
    let system = |word: &str| {
        let system = System(number(word.split('.').next()?)?);
        galaxy.row(system).map(|_| system)
    };
    match ask {
        Ask::Look(at) => system(at).map(|at| look(view, at)).unwrap_or_default(),
        Ask::Distance(from, to) => match (system(from), system(to)) {
            (Some(from), Some(to)) => distance(view, from, to),
            _ => Vec::new(),
        },
        Ask::Odds(who, at) => match (fleet(view, who), system(at)) {
            (Some(fleet), Some(at)) => odds(view, fleet, at),
            _ => Vec::new(),
        },
        Ask::Who => {
            let glory = view.glory;
            let text = match view.side {
                Side::Terran => say!(
                    "You are the Terran side; the Imperial side is your enemy. Glory is {glory}."
                ),
                Side::Imperial => say!(
                    "You are the Imperial side; the Terran side is your enemy. Glory is {glory}."
                ),
            };
            vec![text.into()]
        }
    }
}

/// A fleet by its number, or by one of its ships.
fn fleet(view: &View, word: &str) -> Option<u8> {
    let named = |(id, _): &(UnitId, &Unit)| id.name.to_string().eq_ignore_ascii_case(word);
    let ship = || view.board.of(view.side).find(named).and_then(|(id, _)| view.board.fleet_of(id));
    number(word).or_else(ship)
}

fn look(view: &View, at: System) -> Vec<Line> {
    let galaxy = &view.board.galaxy;
    let near: Vec<String> = galaxy.near(at).map(|s| galaxy.called(s)).collect();
    let (called, near) = (galaxy.called(at), near.join(", "));
    let mut lines: Vec<Line> = vec![say!("{called}, routes to {near}.").into()];
    for planet in galaxy.planets(at) {
        let ground = galaxy.ground(planet).map_or("?", |g| g.code());
        let marker = view.board.planets.get(&planet).and_then(|l| l.marker.as_ref());
        let whose = marker.map_or_else(|| say!("nobody's"), |(side, marker)| marker.of(*side));
        let whose = match view.board.control(planet) {
            Control::Disputed => say!("{whose}, disputed"),
            _ => whose,
        };
        lines.push(say!("Planet {planet}, type {ground}: {whose}.").into());
        let own: Vec<String> =
            view.board.on(view.side, planet).map(|id| id.name.to_string()).collect();
        if !own.is_empty() {
            let units = own.join(" ");
            lines.push(say!("Your units on {planet}: {units}.").into());
        }
        if let Some(sighting) = view.known.get(&Spotted::Planet(planet)) {
            let (units, age) = (words::counted(&sighting.units), words::age(view, sighting));
            lines.push(say!("Enemy units on {planet}: {units} ({age}).").into());
        }
    }
    for fleet in view.board.fleets_in(view.side, at) {
        let ships = view.board.ships(view.side, fleet).count();
        let text = count!(
            ships,
            "Your fleet {fleet}: {ships} ship.",
            "Your fleet {fleet}: {ships} ships."
        );
        lines.push(text.into());
    }
    for (fleet, sighting) in enemies(&view.board, view, at) {
        let text = match sighting {
            None => say!("Enemy fleet {fleet}: unknown."),
            Some(s) => {
                let kinds: Vec<&str> = s.units.iter().map(|u| u.kind.code()).collect();
                let (units, turn) = (kinds.join(" "), s.turn);
                say!("Enemy fleet {fleet}: {units} as of turn {turn}.")
            }
        };
        lines.push(text.into());
    }
    lines
}

fn distance(view: &View, from: System, to: System) -> Vec<Line> {
    let galaxy = &view.board.galaxy;
    let way = galaxy.path(from, to);
    let lane = galaxy.lane(from, to).unwrap_or_default();
    let way = match way {
        None => say!("no routes lead there"),
        Some(way) => {
            let named: Vec<String> = way.iter().map(|s| galaxy.called(*s)).collect();
            let systems = named.join(", ");
            count!(n = way.len(), "{n} jump, {systems}", "{n} jumps, by {systems}")
        }
    };
    let (from, to) = (galaxy.called(from), galaxy.called(to));
    let text = count!(
        lane,
        "From {from} to {to}: {way}; {lane} hex through open space.",
        "From {from} to {to}: {way}; {lane} hexes through open space."
    );
    vec![text.into()]
}

fn odds(view: &View, fleet: u8, at: System) -> Vec<Line> {
    if view.board.ships(view.side, fleet).next().is_none() {
        return vec![say!("You have no fleet {fleet}.").into()];
    }
    let called = view.board.galaxy.called(at);
    let orders = (view, &view.filed.standing);
    let odds = Paper::with_planets(view).battle(&view.board, orders, &[fleet], at, TRIALS);
    let unseen = enemies(&view.board, view, at).filter(|(_, seen)| seen.is_none());
    let unseen: Vec<String> = unseen.map(|(fleet, _)| fleet.to_string()).collect();
    match odds {
        None if !unseen.is_empty() => vec![
            count!(
                n = unseen.len(),
                "Enemy fleet {fleets} is in {called}, and nothing is known of its ships, so no odds \
                 can be given.",
                "Enemy fleets {fleets} are in {called}, and nothing is known of their ships, so \
                 no odds can be given.",
                fleets = unseen.join(", ")
            )
            .into(),
        ],
        None => vec![say!("Nobody is known to fight your fleet {fleet} in {called}.").into()],
        Some(odds) => {
            let [own, theirs] = match view.side {
                Side::Terran => odds.lost,
                Side::Imperial => [odds.lost[1], odds.lost[0]],
            };
            vec![
                say!(
                    "Your fleet {fleet} against what was last seen in {called}: of {TRIALS} battles on \
                     paper you win {wins} of 100, and lose {own} Resources of ships on average, the \
                     enemy {theirs}.",
                    wins = odds.wins
                )
                .into(),
            ]
        }
    }
}
