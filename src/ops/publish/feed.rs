//! What happened, as an Atom feed: games that opened, started, had a turn, are over.

use std::collections::BTreeMap;

use atom_syndication::{Content, Entry, Feed, FixedDateTime, Link, Person, Text};
use jiff::Timestamp;

use super::PublicPath;
use crate::ops::overview::{GameView, Overview};
use base::text::capital;
use engine::Score;
use robot::{self, Robot, refuse};
use store::Status;

/// Entries of the feed.
const SHOWN: usize = 60;

/// Something that happened: the game, a stable word for it, when, in words.
struct Event<'a> {
    game: &'a GameView,
    word: String,
    at: Timestamp,
    title: String,
}

/// The feed as XML.
///
/// # Errors
/// [`RobotError`] when the store fails.
pub fn feed(robot: &mut Robot) -> robot::Result<String> {
    let seen = super::seen(robot)?;
    let made: BTreeMap<String, Timestamp> = robot.store.made_at()?.into_iter().collect();
    let mut events = opened(&seen, &made);
    events.extend(turns(robot, &seen)?);
    // The newest first; those of one instant in the order in which they come about.
    events.sort_by_key(|e| std::cmp::Reverse(e.at));
    events.truncate(SHOWN);
    let domain = robot.cx.identity.domain().to_owned();
    let entry = |e: &Event| {
        let day = made.get(&e.game.code).copied().unwrap_or_default().strftime("%Y-%m-%d");
        let id = format!("tag:{domain},{day}:{}/{}", e.game.code, e.word);
        entry(e, id)
    };
    let updated = events.first().map_or(Timestamp::UNIX_EPOCH, |e| e.at);
    let name = robot.cx.identity.name.clone();
    let feed = Feed {
        title: Text::plain(format!("Games of {name}")),
        id: format!("tag:{domain},2026:fieldpost"),
        updated: date(updated),
        authors: vec![Person { name, ..Person::default() }],
        links: vec![
            Link { href: "feed.xml".into(), rel: "self".into(), ..Link::default() },
            Link { href: "index.html".into(), rel: "alternate".into(), ..Link::default() },
        ],
        entries: events.iter().map(entry).collect(),
        ..Feed::default()
    };
    let written = feed.write_to(Vec::new()).or_else(|e| refuse(e.to_string()))?;
    String::from_utf8(written).or_else(|e| refuse(e.to_string()))
}

fn opened<'a>(seen: &'a Overview, made: &BTreeMap<String, Timestamp>) -> Vec<Event<'a>> {
    let event = |game: &'a GameView| {
        let at = *made.get(&game.code)?;
        let title = format!("Game {} of {} takes players", game.code, game.title);
        Some(Event { game, word: "opened".to_owned(), at, title })
    };
    seen.games.iter().filter_map(event).collect()
}

/// Who stands first in a game that is over.
fn winner(robot: &mut Robot, game: &GameView) -> robot::Result<Option<String>> {
    let Some(stored) = robot.store.game(&game.code)? else { return Ok(None) };
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
                let label = capital(&robot.step_label(&code, n)?);
                (format!("turn/{n}"), format!("{label} of game {code} has run"))
            }
        };
        events.push(Event { game, word, at, title });
    }
    Ok(events)
}

fn entry(event: &Event, id: String) -> Entry {
    let text = format!("{}, {} seats.", event.game.title, event.game.seats.len());
    let page = PublicPath::Game(event.game.code.clone()).path();
    Entry {
        title: Text::plain(event.title.clone()),
        id,
        updated: date(event.at),
        links: vec![Link { href: page, rel: "alternate".into(), ..Link::default() }],
        content: Some(Content { value: Some(text), ..Content::default() }),
        ..Entry::default()
    }
}

/// Whole seconds in UTC, as every reader of feeds takes them.
fn date(at: Timestamp) -> FixedDateTime {
    let text = at.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string();
    // A date of our own writing is one.
    text.parse().unwrap_or_default()
}
