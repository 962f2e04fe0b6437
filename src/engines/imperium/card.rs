//! The blank card, with orders that its seat could send now, and a sound opening (§15).

use engine::report::{Block, Section};
use engine::{CardText, Dice, Mark};
use tongue::{say, word as said};

use super::board::{Board, Place};
use super::computer;
use super::galaxy::{Planet, System};
use super::judge;
use super::kinds::{Kind, Side, UnitId};
use super::orders::ROWS;
use super::state::Pause;
use super::view::{Scene, View};

/// The most lines of the opening that is shown with the first card of a game.
const OPENING: usize = 40;

/// The blank card of a seat that plays.
pub fn card(view: &View) -> Option<Section> {
    if matches!(view.scene, Scene::Over(_)) {
        return None;
    }
    let seat = view.seat;
    let mut hints = vec![match view.side {
        Side::Terran => say!("you are the Terran side, seat {seat}"),
        Side::Imperial => say!("you are the Imperial side, seat {seat}"),
    }];
    let mut part = |title: String, words: &[&str]| {
        hints.push(String::new());
        hints.push(format!("--- {title} ---"));
        for word in words {
            let Some(row) = ROWS.iter().find(|r| r.word == *word) else { continue };
            let example = example(view, word).unwrap_or_else(|| row.examples[0].to_owned());
            hints.push(say!("{form:<38} such as  {example}", form = said(row.form)));
        }
    };
    let planning = match &view.scene {
        Scene::Setup => {
            part(say!("set-up"), &["P"]);
            false
        }
        Scene::Administration => {
            let peace = view.peace.is_some();
            part(
                say!("arrivals and construction"),
                if peace { &["P", "B", "T", "G"] } else { &["P", "B", "T"] },
            );
            true
        }
        Scene::Action(open) => open.pause != Pause::Round,
        Scene::Over(_) => false,
    };
    if planning {
        part(
            say!("plan of segment {segment}", segment = view.segment()),
            &["SEG", "A", "M", "D", "C", "L", "U", "E", "K", "H", "S", "WAIT", "HALT"],
        );
        part(say!("Close-Out"), &["F", "X", "N"]);
    }
    if view.side == Side::Imperial && view.peace.is_none() {
        part(say!("the Emperor"), &["I", "W", "O"]);
    }
    part(say!("standing orders"), &["Y", "Q", "R", "J", "Z"]);
    part(say!("a letter"), &["PRESS"]);
    if matches!(view.scene, Scene::Administration) && view.clock == 1 {
        hints.push(String::new());
        hints.push(format!("--- {} ---", say!("an opening that is sound")));
        hints.extend(opening(view));
    }
    Some(Section::new(say!("Your card"), vec![Block::Card(hints)]))
}

/// An example with the seat's own units, if it would be valid now.
fn example(view: &View, word: &str) -> Option<String> {
    let board = &view.board;
    let side = view.side;
    let right = |lines: &str| {
        let judged = judge::judge(view, &CardText::new(lines), 0);
        judged.lines.iter().all(|l| l.mark != Mark::Error)
    };
    let home = board.galaxy.all().find(|s| board.fleets_in(side, *s).next().is_some())?;
    let fleet = board.fleets_in(side, home).next()?;
    let line = match word {
        "A" => format!("A {home}"),
        "SEG" => format!("SEG {}", view.segment()),
        "M" => {
            let to = board
                .galaxy
                .near(home)
                .find(|to| right(&format!("SEG {}\nA {home}\nM {fleet} {to}", view.segment())))?;
            format!("M {fleet} {to}")
        }
        "P" => {
            let arriving = board.at(side, Place::Arriving).next();
            match (&view.scene, arriving) {
                (Scene::Administration, Some(id)) => {
                    let world = board.held(side, super::board::Marker::World).first().copied()?;
                    match id.kind() {
                        Kind::OP => return None,
                        _ => format!("P {} {world}", id.name),
                    }
                }
                (Scene::Setup, _) => {
                    let world = board.held(side, super::board::Marker::World).first().copied()?;
                    format!("P DD1 {world}")
                }
                _ => return None,
            }
        }
        "L" | "U" | "D" => {
            let (at, line) =
                board.galaxy.all().find_map(|at| Some((at, handles(board, side, at, word)?)))?;
            return Some(line)
                .filter(|line| right(&format!("SEG {}\nA {at}\n{line}", view.segment())));
        }
        "B" => "B DD 1".to_owned(),
        "PRESS" => format!("PRESS {}", side.other().seat()),
        _ => return None,
    };
    Some(line)
}

/// An order for units in a system: a unit goes aboard or ashore, or a fleet is divided.
fn handles(board: &Board, side: Side, at: System, word: &str) -> Option<String> {
    let ships = || board.fleets_in(side, at).flat_map(|fleet| board.ships(side, fleet));
    let transport = |id: &UnitId| matches!(id.kind(), Kind::TR | Kind::AT);
    match word {
        "L" => {
            let empty = |id: &UnitId| transport(id) && board.aboard(*id).next().is_none();
            let on = board.galaxy.planets(at).flat_map(|planet| board.on(side, planet));
            let troops = |id: &UnitId| matches!(id.kind(), Kind::RT | Kind::JT);
            let (ship, unit) = (ships().find(empty)?, on.into_iter().find(troops)?);
            Some(format!("L {} {}", ship.name, unit.name))
        }
        "U" => {
            let ship = ships().filter(transport).find(|id| board.aboard(*id).next().is_some())?;
            let marked = |planet: &Planet| board.marker(*planet).is_some_and(|m| m.0 == side);
            let planet = board.galaxy.planets(at).find(marked)?;
            Some(format!("U {} {planet}", ship.name))
        }
        _ => {
            let large = |fleet: &u8| board.ships(side, *fleet).count() > 1;
            let fleet = board.fleets_in(side, at).find(large)?;
            let free = (1..=u8::MAX).find(|n| !board.fleets.contains_key(&(side, *n)))?;
            let ship = board.ships(side, fleet).last()?;
            Some(format!("D {fleet} {free} {}", ship.name))
        }
    }
}

/// A plan for the first turn, as the computer would play it.
fn opening(view: &View) -> Vec<String> {
    // The lines of a card are not wrapped, so this text has line breaks.
    let why = match view.side {
        Side::Terran => say!(
            "A computer's plan with what you know, to copy or to change.\n\
             Beams hit best at range 0, so let your capital ships close in: Y K 0."
        ),
        Side::Imperial => say!(
            "A computer's plan with what you know, to copy or to change.\n\
             Torpedoes hit as well at range 1, where beams hardly do: Y L 1.\n\
             An appeal is free, but 2 or 3 on its dice ends all appeals of this war."
        ),
    };
    let mut lines: Vec<String> = why.lines().map(str::to_owned).collect();
    let play = computer::play(view, &mut Dice::new(1));
    let card = play.card.lines.into_iter().map(|(_, line)| line);
    lines.extend(card.take(OPENING));
    lines
}
