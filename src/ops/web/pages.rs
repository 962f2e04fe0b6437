//! The games: all of them at a glance, and one with its seats, terms and turns.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Html;
use jiff::Timestamp;
use maud::{Markup, html};

use super::health::Health;
use super::views::{ago, ask, countdown, facts, page, quoted, table, table_or, time};
use super::{Page, Shared, WebError, charts, new_game};
use crate::ops::overview::{GameView, Overview, SeatState, SeatView};
use base::schedule;
use base::secrets::seed_digest;
use base::text::{count, size};
use robot::Robot;
use store::{Game, JournalSummary, MailState, Status};

/// All games, and the health of the host.
pub async fn home(State(shared): State<Arc<Shared>>) -> Page {
    let (seen, health) = shared
        .ask(|robot, shared| {
            let seen = Overview::of(robot, robot.now())?;
            let health = Health::of(&seen, &shared.host);
            Ok((seen, health))
        })
        .await?;
    let games = seen.games.iter().map(|g| game_row(g, seen.at)).collect();
    let columns = ["Game", "Rules", "Status", "Turn", "Deadline", "Cards in", "Missing"];
    let body = html! {
        (health_line(&health))
        (table_or(
            "There is no game yet; choose its rules below, or write “fieldpost game new”.",
            "All games by code", &columns, games
        ))
        section aria-labelledby="new" { h2 #new { "New game" } (new_game::choices()) }
        section aria-labelledby="host" {
            h2 #host { "Host" }
            (facts(&host_facts(&seen)))
        }
    };
    Ok(Html(page("Games", "/", seen.at, body).into_string()))
}

fn health_line(health: &Health) -> Markup {
    html! {
        @if health.fails.is_empty() {
            p .good { strong { "All is well." } }
        } @else {
            div .bad role="alert" {
                p { strong { "Something needs you." } }
                ul { @for fail in &health.fails { li { (fail) } } }
            }
        }
    }
}

fn game_row(game: &GameView, now: Timestamp) -> Vec<Markup> {
    let missing = seats_in(game, SeatState::Missing);
    vec![
        html! { a href=(format!("/games/{}", game.code)) { (game.code) } },
        html! { (game.title) },
        status(game),
        html! { (game.turns) },
        deadline(game, now),
        html! {
            @if game.is_open_turn() { (game.cards_in()) " of " (game.awaited()) }
            @else { (game.taken()) " of " (game.seats.len()) " seats taken" }
        },
        html! { @if missing.is_empty() { "–" } @else { (missing) } },
    ]
}

fn status(game: &GameView) -> Markup {
    let word = game.status.as_str();
    html! {
        span .tag.(word) { (word) }
        @if game.status == Status::Suspended { " " (quoted(&game.suspended_why)) }
    }
}

fn deadline(game: &GameView, now: Timestamp) -> Markup {
    html! {
        @match game.deadline {
            Some(at) => {
                (countdown(now, at)) " "
                span .fine { (time(at, &game.zone)) }
                @if game.late(now).is_positive() { " " strong .bad { "late" } }
            },
            None => { "–" },
        }
    }
}

/// Numbers of the seats in a state; if there are many, only the first.
fn seats_in(game: &GameView, state: SeatState) -> String {
    const SHOWN: usize = 12;
    let all: Vec<String> = game.seats_that(state).map(|s| s.seat.to_string()).collect();
    match all.len() > SHOWN {
        true => format!("{} and {} more", all[..SHOWN].join(", "), all.len() - SHOWN),
        false => all.join(", "),
    }
}

fn host_facts(seen: &Overview) -> Vec<(&'static str, Markup)> {
    let out = &seen.outbox;
    let oldest = out.oldest.map(|at| format!(", the oldest for {}", schedule::left(at, seen.at)));
    let next = out.next_send.filter(|at| *at > seen.at);
    let mut facts = vec![
        (
            "Inboxes",
            html! {
                @if seen.inboxes.is_empty() { "none was read yet" }
                ul .plain { @for inbox in &seen.inboxes {
                    li { (&inbox.name) ": read " (ago(inbox.last_read, seen.at)) }
                } }
            },
        ),
        (
            "Outbox",
            html! {
                a href="/outbox" { (out.waiting()) " waiting" } (oldest.unwrap_or_default())
                ", " (out.count(MailState::Sent)) " sent, "
                a href="/outbox#unsent" { (out.unsent()) " not delivered" }
                @if let Some(at) = next { ", next attempt " (countdown(seen.at, at)) }
            },
        ),
        (
            "Quarantine",
            html! { a href="/quarantine" { (count(seen.quarantined, "mail")) " in quarantine" } },
        ),
        (
            "Outages",
            html! {
                @if seen.outages.is_empty() { "none in two weeks" }
                ul .plain { @for (from, until) in &seen.outages {
                    li { (time(*from, "UTC")) ", for " (schedule::left(*from, *until)) }
                } }
            },
        ),
        (
            "Program",
            html! {
                "Fieldpost " (seen.version) ", " (count(seen.turns_run, "turn")) " run, store of "
                (size(seen.store_bytes))
            },
        ),
    ];
    if !seen.workers.is_empty() {
        facts.push(("Workers", workers(seen)));
    }
    facts
}

/// Who shares the store, and what each does.
fn workers(seen: &Overview) -> Markup {
    html! {
        ul .plain { @for worker in &seen.workers {
            li {
                (worker.name) " (" (worker.roles.replace(' ', ", ")) "): "
                @if worker.lives(seen.at) { "lives" } @else { strong .bad { "dead" } }
                ", seen " (ago(worker.seen_at, seen.at)) ", version " (worker.version)
            }
        } }
    }
}

/// One game.
pub async fn game(State(shared): State<Arc<Shared>>, Path(code): Path<String>) -> Page {
    let page = shared.ask(move |robot, _| game_page(robot, &code)).await?;
    Ok(Html(page.into_string()))
}

/// A game that is there, by its code.
pub fn found(robot: &Robot, code: &str) -> Result<Game, WebError> {
    robot.store.games().game(code)?.ok_or_else(|| {
        WebError::NotFound("There is no such game; its code may have changed.".into())
    })
}

fn game_page(robot: &mut Robot, code: &str) -> Result<Markup, WebError> {
    let game = found(robot, code)?;
    let seen = Overview::of(robot, robot.now())?;
    let view = seen.game(&game.code).ok_or(WebError::Failed)?;
    let journal = robot.store.journal_summary(&game.code)?;
    let waiting = robot.store.people().waiting(&game.code)?.len();
    let waits = robot.reports().waits_for(&game)?;
    let labels = robot.reports().step_labels(&game)?;
    let count = |state| view.seats_that(state).count();
    // A chart that can't be drawn does not keep the game master from acting.
    let drawn = charts::charts(robot, &game).unwrap_or_default();
    let body = html! {
        (facts(&[
            ("Rules", html! { (view.title) ", version " (view.rules_version) }),
            ("Status", status(view)),
            ("Turn", html! { @if view.is_open_turn() { (view.label) } @else { (view.turns) } }),
            ("Deadline", deadline(view, seen.at)),
            ("It waits for", html! {
                @match waits { Some(what) => { (what) } None => { "its deadline, or its players" } }
            }),
            ("Cards in", html! { (view.cards_in()) " of " (view.awaited()) }),
            ("Missing", html! {
                @let missing = seats_in(view, SeatState::Missing);
                @if missing.is_empty() { "nobody" } @else { "seats " (missing) }
            }),
            ("Free seats", html! { (count(SeatState::Free)) ", " (waiting) " on the waiting list" }),
        ]))
        @if !journal.is_empty() {
            p { a href=(format!("/games/{}/map", game.code)) { "The whole map, turn by turn" } }
        }
        section aria-labelledby="seats" {
            h2 #seats { "Seats" }
            (table("Seats by number", &["Seat", "Name", "State", "Missed", "Remarks"],
                view.seats.iter().map(|s| seat_row(&game, s)).collect()))
        }
        @if !drawn.is_empty() {
            section aria-labelledby="standing" {
                h2 #standing { "How the seats stand" }
                @for (n, chart) in drawn.iter().enumerate() {
                    figure { img src=(format!("/games/{}/chart/{n}.svg", game.code))
                        alt=(format!("{} of all seats, turn by turn", chart.title))
                        width=(charts::CHART.0) height=(charts::CHART.1); }
                }
            }
        }
        section aria-labelledby="do" { h2 #do { "What you can do" } (acts(view, &journal)) }
        section aria-labelledby="turns" {
            h2 #turns { "Turns that ran" }
            (table_or("None yet.", "Newest first",
                &["Turn", "Ran", "Cards", "Hash of what came of it", "Digest of its seed"],
                journal.iter().map(|j| turn_row(&game, &labels, j)).collect()))
            @for chain in &game.chains {
                p { "SHA-256 of the seed of step " (chain.told.first)
                    ", where the chain of seeds ends: " code { (chain.told.end) } }
            }
            @if game.turn > 0 && game.status != Status::Over && game.chains.is_empty() {
                p { "Digest of the seed of " (view.label) ": "
                    code { (seed_digest(&game.code, game.turn, game.seed)) } }
            }
        }
        section aria-labelledby="terms" { h2 #terms { "Terms" } (terms(&game)) }
    };
    Ok(page(&format!("Game {}", game.code), "/", seen.at, body))
}

fn seat_row(game: &Game, seat: &SeatView) -> Vec<Markup> {
    let mut remarks = Vec::new();
    let plays = !matches!(seat.state, SeatState::Free | SeatState::Computer);
    if plays && seat.state == SeatState::Ready && !seat.card {
        remarks.push("no card");
    }
    if plays && seat.away && seat.state != SeatState::Away {
        remarks.push("on vacation");
    }
    if seat.unreachable {
        remarks.push("mails come back");
    }
    let printout = format!("/games/{}/seats/{}", game.code, seat.seat);
    vec![
        html! {
            (seat.seat)
            @if game.turn > 0 { " " a href=(printout) { "printout" } }
        },
        quoted(&seat.name),
        html! { span .tag.(seat.state.as_str()) { (seat.state.as_str()) } },
        html! { (seat.missed) },
        html! { (remarks.join(", ")) },
    ]
}

fn turn_row(game: &Game, labels: &[String], turn: &JournalSummary) -> Vec<Markup> {
    let label = labels.get(turn.turn as usize).map_or("", String::as_str);
    let digest = seed_digest(&game.code, turn.turn, turn.seed);
    vec![
        html! { (label) },
        time(turn.ran_at, &game.rule.zone),
        html! { (turn.cards) },
        html! { code title=(turn.hash) { (turn.hash.get(..16).unwrap_or(&turn.hash)) "…" } },
        html! { code title=(digest) { (digest.get(..16).unwrap_or(&digest)) "…" } },
    ]
}

/// Buttons for what the game master can do with a game as it is.
fn acts(game: &GameView, journal: &[JournalSummary]) -> Markup {
    let code = game.code.as_str();
    let (running, suspended) = (game.status == Status::Running, game.status == Status::Suspended);
    let ran = journal.first().is_some_and(|j| j.turn > 0);
    let over = game.status == Status::Over;
    html! {
        @if over && !ran { p { "Nothing, as it is." } }
        div .acts {
            @if game.status == Status::Open {
                (ask(&[("act", "start"), ("game", code)], "Start the game", html! {
                    label { input type="checkbox" name="yes" value="computers";
                        "Computers take the free seats" }
                }))
            }
            @if !over {
                (ask(&[("act", "seat"), ("game", code)], "Give a seat", html! {
                    label { "Seat" input type="number" name="number" required min="1"
                        max=(game.seats.len()); }
                    label { "Mail address" input type="email" name="address" required; }
                }))
            }
            @if running {
                (ask(&[("act", "run"), ("game", code)], "Run the turn now", html! {}))
                (ask(&[("act", "hold"), ("game", code)], "Suspend the game", html! {
                    label { "Why" input name="why" maxlength="200"
                        value="the game master suspended it"; }
                }))
            }
            @if suspended {
                (ask(&[("act", "release"), ("game", code)], "Let the game go on", html! {}))
            }
            @if game.is_open_turn() {
                (ask(&[("act", "deadline"), ("game", code)], "Move the deadline", html! {
                    label { "New deadline, in " (game.zone)
                        input type="datetime-local" name="at" required value=[local(game)]; }
                }))
            }
            @if running || suspended {
                (ask(&[("act", "tell"), ("game", code)], "Write to all players", html! {
                    label { "A letter to all players" textarea name="text" rows="3" required {} }
                }))
            }
            @if ran {
                (ask(&[("act", "withdraw"), ("game", code)], "Take the last turn back", html! {}))
            }
        }
    }
}

/// The deadline as a form has it.
fn local(game: &GameView) -> Option<String> {
    let zone = schedule::zone(&game.zone).ok()?;
    Some(game.deadline?.to_zoned(zone).strftime("%Y-%m-%dT%H:%M").to_string())
}

fn terms(game: &Game) -> Markup {
    let row = |(name, value, meaning): (String, String, &'static str)| {
        let value = if value.is_empty() { "–" } else { &value };
        vec![html! { code { (name) } }, html! { (value) }, html! { (meaning) }]
    };
    let rows = robot::gm::terms::terms(game).into_iter().map(row).collect();
    let how =
        format!("Changed with “GM SET {} name=value” under Acts, by mail or in a shell", game.code);
    table(&how, &["Term", "Value", "What it means"], rows)
}
