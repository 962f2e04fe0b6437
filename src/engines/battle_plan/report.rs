//! The printout of a seat, section by section (§16), made from its view only.

mod battles;
mod card;
mod changes;
mod own;
mod post;
mod reach;
mod spaces;

use super::event::Event;
use super::maps;
use super::variants::Ending;
use super::view::{View, player};
use crate::BattlePlan;
use engine::report::{Block, Line, Section};
use engine::{Printouts, Report};
use tongue::say;

impl Printouts for BattlePlan {
    fn report(view: &View, _language: &str) -> Option<Report> {
        report(view)
    }
}

/// Makes the printout; `None` for a seat that left the game and has had its last printout.
pub fn report(view: &View) -> Option<Report> {
    let just_out =
        view.events.iter().any(|e| matches!(e, Event::Out { seat } if *seat == view.seat));
    if view.is_out() && !just_out && view.over.is_none() {
        return None;
    }
    let mut sections = vec![ending(view)];
    sections.push(own::treasury(view));
    sections.push(own::settings(view));
    if view.tables.variant.opinion {
        sections.push(own::opinion(view));
    }
    sections.push(own::forces(view));
    sections.push(spaces::owners(view));
    sections.extend(spaces::spaces(view));
    sections.push(spaces::visible(view));
    sections.push(reach::reach(view));
    if view.turn > 1 {
        sections.push(changes::changes(view));
        sections.push(battles::land_combat(view));
        sections.push(battles::caught(view));
        sections.push(battles::sea_combat(view));
        sections.push(battles::aftermath(view));
        sections.push(battles::passages(view));
        sections.push(battles::gifts(view));
    }
    sections.push(post::messages(view));
    sections.push(post::newspaper(view));
    if view.turn > 1 {
        sections.push(post::echo(view));
    }
    sections.push(own::standing(view));
    if view.turn == 1 || view.over.is_some() {
        sections.push(post::addresses(view));
    }
    sections.push(own::victory(view));
    sections.push(own::course(view));
    sections.push(maps::map(view));
    if view.over.is_none() && !view.is_out() {
        sections.push(card::card(view));
    }
    sections.retain(|s| !s.blocks.is_empty());
    Some(Report { title: player(view, view.seat), sections })
}

/// A section without blocks, which no printout shows.
fn left_out() -> Section {
    Section::new(String::new(), Vec::new())
}

fn numbers(seats: &[u8]) -> String {
    match seats {
        [] => say!(list: "none"),
        list => list.iter().map(|s| format!("[{s}]")).collect::<Vec<_>>().join(" "),
    }
}

/// A number, or a dash for 0.
fn dash(n: i64) -> String {
    if n == 0 { "-".to_owned() } else { n.to_string() }
}

/// `9<1>`: usable and suppressed.
fn with_suppressed(up: i64, down: i64) -> String {
    if down == 0 { up.to_string() } else { format!("{up}<{down}>") }
}

fn ending(view: &View) -> Section {
    let mut lines: Vec<Line> = Vec::new();
    if let Some(over) = &view.over {
        let (points, rank) = over.scores[usize::from(view.seat) - 1];
        let turn = over.turn;
        let text = match view.tables.variant.ending {
            Ending::Last => {
                say!("The game is over after turn {turn}: rank {rank}, your rating is {points}.")
            }
            Ending::Points => say!(
                "The game is over after turn {turn}: rank {rank}, you have {points} victory points."
            ),
            Ending::Allies => match points {
                0 => say!(
                    "The game is over after turn {turn}: rank {rank}, you are neither winner nor \
                     survivor."
                ),
                p if p == view.tables.figures.real.winner_points => {
                    say!("The game is over after turn {turn}: rank {rank}, you are a winner.")
                }
                _ => say!("The game is over after turn {turn}: rank {rank}, you are a survivor."),
            },
        };
        lines.push(text.into());
    } else if view.is_out() {
        lines.push(say!("You hold no space any more: the game is over for you.").into());
    }
    if lines.is_empty() {
        return left_out();
    }
    Section::new(say!("The end"), vec![Block::List(lines)])
}
