//! What happened, as an Atom feed (RFC 4287): games that opened, started, had a turn, are over.

use std::collections::BTreeMap;

use jiff::Timestamp;
use maud::{Markup, html};

use super::PublicPath;
use crate::ops::overview::{GameView, Overview};
use engine::Score;
use robot::{self, Robot};
use store::Status;

/// Entries of the feed.
const SHOWN: usize = 60;

/// Something that happened: its game, a stable word for it, its time and its title.
struct Event<'a> {
    game: &'a GameView,
    word: String,
    at: Timestamp,
    title: String,
}

/// The feed as XML.
///
/// # Errors
/// [`robot::RobotError`] when the store fails.
pub fn feed(robot: &mut Robot) -> robot::Result<String> {
    let seen = super::seen(robot)?;
    let made: BTreeMap<String, Timestamp> = robot.store.made_at()?.into_iter().collect();
    let mut events = opened(&seen, &made);
    events.extend(turns(robot, &seen)?);
    // The newest first; those of one instant in the order in which they happened.
    events.sort_by_key(|e| std::cmp::Reverse(e.at));
    events.truncate(SHOWN);
    let domain = robot.cx.identity.domain().to_owned();
    let id_of = |e: &Event| {
        let day = made.get(&e.game.code).copied().unwrap_or_default().strftime("%Y-%m-%d");
        format!("tag:{domain},{day}:{}/{}", e.game.code, e.word)
    };
    let updated = events.first().map_or(Timestamp::UNIX_EPOCH, |e| e.at);
    let name = robot.cx.identity.name.clone();
    let id = format!("tag:{domain},2026:fieldpost");
    let feed = html! {
        feed xmlns="http://www.w3.org/2005/Atom" {
            title { "Games of " (name) }
            id { (id) }
            updated { (date(updated)) }
            author { name { (name) } }
            link rel="self" href="feed.xml" {}
            link rel="alternate" href="index.html" {}
            @for event in &events { (entry(event, &id_of(event))) }
        }
    };
    Ok(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", feed.into_string()))
}

fn opened<'a>(seen: &'a Overview, made: &BTreeMap<String, Timestamp>) -> Vec<Event<'a>> {
    let event = |game: &'a GameView| {
        let at = *made.get(&game.code)?;
        let title = format!("Game {} of {} takes players", game.code, game.title);
        Some(Event { game, word: "opened".to_owned(), at, title })
    };
    seen.games.iter().filter_map(event).collect()
}

/// The names of the winners of a game that is over.
fn winner(robot: &mut Robot, game: &GameView) -> robot::Result<Option<String>> {
    let Some(stored) = robot.store.games().game(&game.code)? else { return Ok(None) };
    let Some(end) = super::end_of(robot, &stored)? else { return Ok(None) };
    let mut first: Vec<Score> = end.result().unwrap_or_default();
    first.retain(|s| s.rank == 1);
    let seat = |s: &Score| game.seats.iter().find(|v| v.seat == s.seat);
    let names: Vec<String> = first.iter().filter_map(seat).map(super::pages::name).collect();
    Ok((!names.is_empty()).then(|| names.join(", ")))
}

fn turns<'a>(robot: &mut Robot, seen: &'a Overview) -> robot::Result<Vec<Event<'a>>> {
    let mut events = Vec::new();
    for (code, turn, at) in robot.store.newest_turns(SHOWN as u32)? {
        let Some(game) = seen.game(&code) else { continue };
        let over = game.status == Status::Over && turn + 1 == game.turn;
        if over {
            let title = match winner(robot, game)? {
                Some(name) => format!("Game {code} is over: {name} comes first"),
                None => format!("Game {code} is over"),
            };
            events.push(Event { game, word: "over".to_owned(), at, title });
        }
        let (word, title) = match turn {
            0 => ("started".to_owned(), format!("Game {code} has started")),
            n => {
                let label = robot.reports().step_label(&code, n)?;
                (format!("turn/{n}"), format!("Game {code} ran {label}"))
            }
        };
        events.push(Event { game, word, at, title });
    }
    Ok(events)
}

fn entry(event: &Event, id: &str) -> Markup {
    let page = PublicPath::Game(event.game.code.clone()).path();
    html! {
        entry {
            title { (event.title) }
            id { (id) }
            updated { (date(event.at)) }
            link rel="alternate" href=(page) {}
            content { (event.game.title) ", " (event.game.seats.len()) " seats." }
        }
    }
}

/// Whole seconds in UTC, as every feed reader accepts them.
fn date(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()
}
