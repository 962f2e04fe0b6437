//! Messages, news, addresses, and the results of the orders.

use super::super::desk::text_of;
use super::super::event::Event;
use super::super::variants::Messages;
use super::super::view::{Public, View, player};
use super::left_out;
use engine::report::{Align, Block, Line, Section, Span, Table};
use engine::{Mark, Seat};
use tongue::say;

/// Messages of other players. Their lines appear as quotes, so that none is taken for an order.
pub fn messages(view: &View) -> Section {
    let mut blocks = Vec::new();
    for event in &view.events {
        match event {
            Event::Letter { from, text, .. } => {
                let who = from.map_or_else(|| say!("Anonymous"), |p| player(view, p));
                blocks.push(Block::Para(say!("From {who}:").into()));
                blocks.push(Block::Quote(text.clone()));
            }
            Event::Wire { from, text, space, .. } => {
                let said = text_of(&view.tables, usize::from(*text), *space);
                let who = player(view, *from);
                blocks.push(Block::Para(say!("From {who}: {said}.").into()));
            }
            _ => {}
        }
    }
    Section::new(say!("Messages"), blocks)
}

pub fn newspaper(view: &View) -> Section {
    let mut blocks = Vec::new();
    for event in &view.events {
        if let Event::News { from, text } = event {
            let who = from.map_or_else(|| say!("Anonymous"), |p| player(view, p));
            blocks.push(Block::Para(say!("By {who}:").into()));
            blocks.push(Block::Quote(text.clone()));
        }
    }
    Section::new(say!("World newspaper"), blocks)
}

/// The orders of the last turn and their results.
pub fn echo(view: &View) -> Section {
    let mut rows = Vec::new();
    let mut accepted = 0;
    for event in &view.events {
        let Event::Line { line, text, mark, note, .. } = event else { continue };
        let mark = Mark::of(*mark);
        let letter = text.starts_with("PRESS") || text.starts_with("NEWS");
        let is_order = !letter && !matches!(mark, Mark::Remark | Mark::Error);
        accepted += usize::from(is_order);
        let note = note.localized();
        let result = match (mark, note.is_empty()) {
            (Mark::Remark, _) => note.into_owned(),
            (Mark::Ok, true) => say!("ok"),
            (Mark::Ok, false) => say!("ok: {note}"),
            (Mark::Warning, true) => say!("ok, but"),
            (Mark::Warning, false) => say!("ok, but: {note}"),
            (Mark::Error, true) => say!("error"),
            (Mark::Error, false) => say!("error: {note}"),
        };
        rows.push(vec![line.to_string(), text.clone(), result]);
    }
    let heading = say!("Your orders of turn {turn}", turn = view.turn - 1);
    if rows.is_empty() {
        let says = say!("No card came: standing orders and default builds were used.");
        return Section::new(heading, vec![Block::Para(says.into())]);
    }
    let columns = vec![
        (say!("Line"), Align::Right),
        (say!("Order"), Align::Left),
        (say!("Result"), Align::Left),
    ];
    let says = say!("Order-count: {accepted}");
    let table = Block::Table(Table::new(columns, rows));
    Section::new(heading, vec![Block::Para(says.into()), table])
}

/// The names of the players, as far as they disclose them; never in the anonymous game.
pub fn addresses(view: &View) -> Section {
    if view.tables.variant.messages == Messages::Canned {
        return left_out();
    }
    let others = view.players.iter().filter(|p| p.seat != view.seat);
    let line = |p: &Public| {
        Line(vec![Span::Plain(format!("{}: ", player(view, p.seat))), Span::Address(Seat(p.seat))])
    };
    Section::new(say!("Addresses"), vec![Block::List(others.map(line).collect())])
}
