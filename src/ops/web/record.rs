//! The record of what the game master did, with undo.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Html;
use maud::html;

use super::Page;
use super::Shared;
use super::command;
use super::views::{ask, page, quoted, table_or, time};
use store::ActRow;

/// Acts that are listed.
const SHOWN: u32 = 200;

/// The record of what the game master did.
pub async fn page_of_acts(State(shared): State<Arc<Shared>>) -> Page {
    let (rows, now) =
        shared.ask(|robot, _| Ok((robot.store.acts(None, SHOWN)?, robot.now()))).await?;
    let row = |row: &ActRow| {
        let id = row.id.to_string();
        vec![
            html! { (row.id) },
            time(row.at, "UTC"),
            html! { (row.by) },
            html! { @match &row.game {
                Some(game) => { a href=(format!("/games/{game}")) { (game) } },
                None => { "–" },
            } },
            quoted(&row.what),
            html! { @if let Some(by) = row.undone_by { "undone by act " (by) }
            @else if row.can_be_undone() {
                (ask(&[("act", "undo"), ("number", &id)], "Undo", html! {}))
            } @else { "for good" } },
        ]
    };
    let body = html! {
        section aria-labelledby="command" { h2 #command { "A command" } (command::field()) }
        section aria-labelledby="done" {
            h2 #done { "What was done" }
            (table_or(
                "None yet.",
                "By command line, mail or dashboard, newest first",
                &["Act", "When", "By", "Game", "What", "Undo"],
                rows.iter().map(row).collect(),
            ))
        }
    };
    Ok(Html(page("Acts", "/acts", now, body).into_string()))
}
