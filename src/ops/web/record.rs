//! The record of what the game master did, with undo.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Html;
use jiff::Timestamp;
use maud::html;

use super::pages::Page;
use super::views::{ask, page, said, table_or, time};
use super::{Desk, Trouble};
use crate::robot::Robot;

/// Acts that are listed.
const SHOWN: u32 = 200;

/// A row of the record of acts.
struct Row {
    id: i64,
    at: Timestamp,
    by: String,
    game: Option<String>,
    what: String,
    undone: bool,
}

/// HOOK: the record of acts of the store belongs here, newest first; the page and its
/// undo are done.
fn acts(_robot: &Robot, _limit: u32) -> Result<Vec<Row>, Trouble> {
    Ok(Vec::new())
}

/// The record of what the game master did.
pub async fn page_of_acts(State(desk): State<Arc<Desk>>) -> Page {
    let (rows, now) = desk.ask(|robot, _| Ok((acts(robot, SHOWN)?, robot.now()))).await?;
    let row = |row: &Row| {
        let id = row.id.to_string();
        vec![
            html! { (row.id) },
            time(row.at, "UTC"),
            html! { (row.by) },
            html! { @match &row.game {
                Some(game) => { a href=(format!("/games/{game}")) { (game) } },
                None => { "–" },
            } },
            said(&row.what),
            html! { @if row.undone { "undone" } @else {
                (ask(&[("act", "undo"), ("number", &id)], "Undo", html! {}))
            } },
        ]
    };
    let body = table_or(
        "None yet.",
        "What was done by command line, mail or dashboard, newest first",
        &["Act", "When", "By", "Game", "What", "Undo"],
        rows.iter().map(row).collect(),
    );
    Ok(Html(page("Acts", "/acts", now, body).into_string()))
}
