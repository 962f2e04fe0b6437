//! The whole map of a game after each of its turns, for the game master only.

use std::sync::{Arc, Mutex};

use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use maud::html;
use serde::Deserialize;

use super::Page;
use super::charts::{CHART, charts};
use super::pages::found;
use super::views::page as frame;
use super::{Shared, WebError};
use crate::ops::page::slider;
use engine::Turn;
use render::chart;
use render::picture::{self, Sheet};
use render::text::flat;
use robot::Robot;
use robot::gm::{By, Sight};
use store::Game;

/// Maps that are kept, because a slider goes back and forth.
const KEPT: usize = 24;

/// A map as it is shown.
pub struct Drawn {
    /// The map as a picture.
    pub sheet: Sheet,
    /// The same in words.
    pub words: Vec<String>,
}

/// The key of a map: game, turn, and the hash of the turn's result, because a turn that was taken
/// back may have another result.
type Key = (String, Turn, String);

/// Maps that were drawn lately, the newest last.
#[derive(Default)]
pub struct Cache(Mutex<Vec<(Key, Arc<Drawn>)>>);

impl Cache {
    /// The map of a game after a turn.
    ///
    /// # Errors
    /// [`WebError::NotFound`] when the turn has not run, or the game has no map.
    pub fn map(&self, robot: &mut Robot, game: &Game, turn: Turn) -> Result<Arc<Drawn>, WebError> {
        let step = robot.store.steps().step_label(&game.code, turn)?;
        let none =
            || WebError::NotFound(format!("There is no map of game {} after {step}.", game.code));
        let hash = robot.store.journal().hash_of(&game.code, turn)?.ok_or_else(none)?;
        let what = format!("the whole map after {step} shown");
        robot.looked(By::Dashboard, Some(&game.code), Sight::Map, &what)?;
        let key = (game.code.clone(), turn, hash);
        if let Some(drawn) = self.kept(&key) {
            return Ok(drawn);
        }
        let (map, _) = robot.reports().atlas_after(game, turn, None)?.ok_or_else(none)?;
        let sheet = picture::whole(&map).ok_or_else(none)?;
        let words = map.words.iter().map(flat).collect();
        let drawn = Arc::new(Drawn { sheet, words });
        // A thread that panicked with the list has left it whole.
        let mut list = self.0.lock().unwrap_or_else(|e| e.into_inner());
        list.push((key, Arc::clone(&drawn)));
        if list.len() > KEPT {
            list.remove(0);
        }
        Ok(drawn)
    }

    fn kept(&self, key: &Key) -> Option<Arc<Drawn>> {
        let mut list = self.0.lock().unwrap_or_else(|e| e.into_inner());
        let at = list.iter().position(|(k, _)| k == key)?;
        let entry = list.remove(at);
        let drawn = Arc::clone(&entry.1);
        list.push(entry);
        Some(drawn)
    }
}

/// The turn whose map is shown.
#[derive(Debug, Deserialize)]
pub struct Which {
    turn: Option<Turn>,
}

/// The map with a slider over the turns.
pub async fn page(
    State(shared): State<Arc<Shared>>,
    Path(code): Path<String>,
    Query(which): Query<Which>,
) -> Page {
    let (game, turn, labels, drawn, now) = shared
        .ask(move |robot, shared| {
            let game = found(robot, &code)?;
            let last = game.turn.saturating_sub(1);
            let turn = which.turn.unwrap_or(last).min(last);
            let drawn = shared.maps.map(robot, &game, turn)?;
            let labels = robot.reports().step_labels(&game)?;
            Ok((game, turn, labels, drawn, robot.now()))
        })
        .await?;
    let code = &game.code;
    let source = format!("/games/{code}/map/{turn}.svg");
    let label = &labels[turn as usize];
    let body = html! {
        p { a href=(format!("/games/{code}")) { "Back to game " (code) } }
        (slider(Some(&format!("/games/{code}/map")), &labels, turn))
        figure .map {
            a href=(source) #map-link {
                img #map src=(source) alt=(drawn.sheet.alt) width=(drawn.sheet.size.0)
                    height=(drawn.sheet.size.1) data-source=(format!("/games/{code}/map/@.svg"));
            }
            figcaption { "The whole map after " span #map-turn { (label) } ", with all that \
                is hidden from players." }
        }
        @if !drawn.words.is_empty() {
            details #map-words {
                summary { "The map after " (label) " in words" }
                ul { @for line in &drawn.words { li { (line) } } }
            }
        }
    };
    Ok(Html(frame(&format!("Map of game {code}"), "/", now, body).into_string()))
}

/// A chart of a game after its last turn: `0.svg` is the first.
pub async fn chart(
    State(shared): State<Arc<Shared>>,
    Path((code, file)): Path<(String, String)>,
) -> Result<Response, WebError> {
    let none = || WebError::NotFound("There is no such chart.".to_owned());
    let number: usize = file.strip_suffix(".svg").and_then(|n| n.parse().ok()).ok_or_else(none)?;
    let svg = shared
        .ask(move |robot, _| {
            let game = found(robot, &code)?;
            let charts = charts(robot, &game)?;
            Ok(charts.get(number).map(|chart| chart::svg(chart, &[], CHART)))
        })
        .await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg.ok_or_else(none)?).into_response())
}

/// The picture itself: `3.svg`.
pub async fn file(
    State(shared): State<Arc<Shared>>,
    Path((code, file)): Path<(String, String)>,
) -> Result<Response, WebError> {
    let turn = file.strip_suffix(".svg").and_then(|n| n.parse::<Turn>().ok());
    let turn = turn.ok_or_else(|| WebError::NotFound("A map is called 3.svg.".to_owned()))?;
    let drawn = shared
        .ask(move |robot, shared| {
            let game = found(robot, &code)?;
            shared.maps.map(robot, &game, turn)
        })
        .await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], drawn.sheet.svg.clone()).into_response())
}
