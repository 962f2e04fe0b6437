//! A seat as its player sees it: the printout of a turn with its pictures, and a message to the
//! player.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use maud::html;
use serde::Deserialize;

use super::Page;
use super::pages::found;
use super::views::{ask, page as frame};
use super::{Shared, WebError};
use engine::{Seat, Turn};
use render::{Document, pictures, text};
use robot::gm::{By, Sight};
use robot::{Robot, RobotError};

/// The turn whose printout is shown.
#[derive(Debug, Deserialize)]
pub struct Which {
    turn: Option<Turn>,
}

/// The printout of a seat, the newest by default.
pub async fn page(
    State(shared): State<Arc<Shared>>,
    Path((code, seat)): Path<(String, u8)>,
    Query(which): Query<Which>,
) -> Page {
    let (document, turns, has_player, now) = shared
        .ask(move |robot, _| {
            let game = found(robot, &code)?;
            let turn = which.turn.unwrap_or(game.turn);
            let document = document(robot, &game.code, seat, turn)?;
            let row = robot.store.games().seat(&game.code, Seat(seat))?;
            let has_player = row.is_some_and(|r| r.has_player());
            Ok((document, game.turn, has_player, robot.now()))
        })
        .await?;
    let head = &document.head;
    let (code, turn) = (&head.game, head.turn);
    let at = format!("/games/{code}/seats/{seat}");
    let drawn = pictures(&document);
    let drawn: Vec<_> = drawn.iter().flatten().collect();
    let number = seat.to_string();
    let body = html! {
        p { a href=(format!("/games/{code}")) { "Back to game " (code) } }
        p .fine { "This is what its player is told; the others are not." }
        p {
            @if turn > 1 { a href=(format!("{at}?turn={}", turn - 1)) { "The turn before" } " " }
            @if turn < turns { a href=(format!("{at}?turn={}", turn + 1)) { "The next turn" } }
        }
        @if has_player {
            (ask(&[("act", "tell"), ("game", code), ("number", &number)], "Write to this player", html! {
                label { "A letter to seat " (seat) textarea name="text" rows="4" required {} }
            }))
        }
        @for (n, picture) in drawn.iter().enumerate() {
            figure .map {
                img src=(format!("{at}/{turn}/{n}.svg")) alt=(picture.alt) width=(picture.size.0)
                    height=(picture.size.1);
            }
        }
        pre { (text::document(&document)) }
    };
    let title = format!("Game {code}, seat {seat}, {}", head.label);
    Ok(Html(frame(&title, "/", now, body).into_string()))
}

/// A picture of a printout: `3/0.svg` is the first of turn 3.
pub async fn picture(
    State(shared): State<Arc<Shared>>,
    Path((code, seat, turn, file)): Path<(String, u8, Turn, String)>,
) -> Result<Response, WebError> {
    let none = || WebError::NotFound("There is no such picture.".to_owned());
    let number: usize = file.strip_suffix(".svg").and_then(|n| n.parse().ok()).ok_or_else(none)?;
    let drawn = shared
        .ask(move |robot, _| {
            let game = found(robot, &code)?;
            Ok(pictures(&document(robot, &game.code, seat, turn)?))
        })
        .await?;
    let picture = drawn.into_iter().flatten().nth(number).ok_or_else(none)?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture.svg).into_response())
}

fn document(robot: &mut Robot, code: &str, seat: u8, turn: Turn) -> Result<Document, WebError> {
    let label =
        robot.reports().step_label(code, turn).map_err(|e| WebError::NotFound(e.to_string()))?;
    let what = format!("page of seat {seat} in {label} shown");
    robot.looked(By::Dashboard, Some(code), Sight::Page, &what)?;
    robot.reports().document_of(code, Seat(seat), turn).map_err(|e| match e {
        RobotError::Refused(why) => WebError::NotFound(format!("{why}.")),
        other => other.into(),
    })
}
