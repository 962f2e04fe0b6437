//! Messages, news, addresses, and the orders as they came out.

use super::super::desk::text_of;
use super::super::tables::Messages;
use super::super::turn::Event;
use super::super::view::{Public, View, player};
use super::{left_out, section};
use engine::report::{Align, Block, Line, Section, Span, Table};
use engine::{Mark, Seat};

/// Messages of other players; their lines stand as quotes, so that none of them can
/// be taken for an order.
pub fn messages(view: &View) -> Section {
    let mut blocks = Vec::new();
    for event in &view.events {
        match event {
            Event::Letter { from, text, .. } => {
                let who = from.map_or_else(|| "Anonymous".to_owned(), |p| player(view, p));
                blocks.push(Block::Para(format!("From {who}:").into()));
                blocks.push(Block::Quote(text.clone()));
            }
            Event::Wire { from, text, space, .. } => {
                let said = text_of(&view.tables, usize::from(*text), *space);
                blocks.push(Block::Para(format!("From {}: {said}.", player(view, *from)).into()));
            }
            _ => {}
        }
    }
    section("Messages", blocks)
}

pub fn newspaper(view: &View) -> Section {
    let mut blocks = Vec::new();
    for event in &view.events {
        if let Event::News { from, text } = event {
            let who = from.map_or_else(|| "Anonymous".to_owned(), |p| player(view, p));
            blocks.push(Block::Para(format!("By {who}:").into()));
            blocks.push(Block::Quote(text.clone()));
        }
    }
    section("World newspaper", blocks)
}

/// The orders of the last turn as they came out.
pub fn echo(view: &View) -> Section {
    let mut rows = Vec::new();
    let mut accepted = 0;
    for event in &view.events {
        let Event::Line { line, text, mark, note, .. } = event else { continue };
        let mark = Mark::of(*mark);
        let letter = text.starts_with("PRESS") || text.starts_with("NEWS");
        let is_order = !letter && !matches!(mark, Mark::Remark | Mark::Error);
        accepted += usize::from(is_order);
        let says = match mark {
            Mark::Ok => "ok",
            Mark::Warning => "ok, but",
            Mark::Remark => "",
            Mark::Error => "error",
        };
        let result = match (says, note.as_str()) {
            (says, "") => says.to_owned(),
            ("", note) => note.to_owned(),
            (says, note) => format!("{says}: {note}"),
        };
        rows.push(vec![line.to_string(), text.clone(), result]);
    }
    let heading = format!("Your orders of turn {}", view.turn - 1);
    if rows.is_empty() {
        let says = "No card came: standing orders and default builds were used.";
        return section(&heading, vec![Block::Para(says.into())]);
    }
    let columns = vec![("Line", Align::Right), ("Order", Align::Left), ("Result", Align::Left)];
    let says = format!("Order-count: {accepted}");
    let table = Block::Table(Table::new(columns, rows));
    section(&heading, vec![Block::Para(says.into()), table])
}

/// Who the players are, as far as they disclose it; never in the anonymous game.
pub fn addresses(view: &View) -> Section {
    if view.tables.variant.messages == Messages::Canned {
        return left_out("Addresses");
    }
    let others = view.players.iter().filter(|p| p.seat != view.seat);
    let line = |p: &Public| {
        Line(vec![Span::Plain(format!("{}: ", player(view, p.seat))), Span::Address(Seat(p.seat))])
    };
    section("Addresses", vec![Block::List(others.map(line).collect())])
}
