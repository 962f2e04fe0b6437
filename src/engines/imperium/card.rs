//! The blank card, with orders that its seat could send, and an opening that is sound (§15).

use engine::report::{Block, Section};
use engine::{CardText, Dice, Mark};
use tongue::{say, word as said};

use super::board::Place;
use super::computer;
use super::judge;
use super::kinds::{Kind, Side};
use super::orders::ROWS;
use super::report::section;
use super::state::Pause;
use super::view::{Scene, View};

/// Lines of the opening that is shown with the first card of a game.
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
    Some(section(say!("Your card"), vec![Block::Card(hints)]))
}

/// An example of the seat's own, where it would be right now.
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
        "B" => "B DD 1".to_owned(),
        "PRESS" => format!("PRESS {}", side.other().seat()),
        _ => return None,
    };
    Some(line)
}

/// A plan for the first turn, as the computer would play it.
fn opening(view: &View) -> Vec<String> {
    // The lines of a card are not wrapped.
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
