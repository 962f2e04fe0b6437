//! Whether the host is well, in a line for programs that watch it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::SignedDuration;
use serde::Serialize;

use super::{Host, Shared, WebError};
use crate::ops::overview::Overview;
use base::schedule;
use store::Status;

/// A mail that has waited this long shows that no mail leaves.
const WAITING_MAX: SignedDuration = SignedDuration::from_hours(1);
/// A turn runs within seconds of its deadline.
const LATE_MAX: SignedDuration = SignedDuration::from_mins(30);

/// The health of the host.
#[derive(Debug, Clone, Serialize)]
pub struct Health {
    /// Whether nothing is wrong.
    pub ok: bool,
    /// A sentence for each thing that is wrong; none holds a name that a player chose.
    pub fails: Vec<String>,
}

impl Health {
    /// Judges what was seen of a host.
    pub fn of(seen: &Overview, host: &Host) -> Self {
        let mut fails = Vec::new();
        for (name, unread_max) in &host.inboxes {
            match seen.inboxes.iter().find(|i| i.name == *name) {
                None => fails.push(format!("inbox {name} was never read")),
                Some(inbox) if inbox.age(seen.at) > *unread_max => {
                    let age = schedule::left(inbox.last_read, seen.at);
                    fails.push(format!("inbox {name} was last read {age} ago"));
                }
                Some(_) => {}
            }
        }
        for game in &seen.games {
            if game.status == Status::Suspended {
                fails.push(format!("game {} is suspended", game.code));
            }
            if game.late(seen.at) > LATE_MAX {
                let late = schedule::left(seen.at - game.late(seen.at), seen.at);
                fails.push(format!("the turn of game {} is {late} late", game.code));
            }
        }
        for role in seen.roles_missing() {
            fails.push(format!("no worker has the role {role}"));
        }
        if let Some(since) = seen.outbox.held {
            let age = schedule::left(since, seen.at);
            fails.push(format!(
                "the outgoing server refuses all recipients, for {age}: no mail leaves"
            ));
        }
        let oldest = seen.outbox.oldest.filter(|at| seen.at.duration_since(*at) > WAITING_MAX);
        if let Some(at) = oldest {
            let age = schedule::left(at, seen.at);
            fails.push(format!("a mail waits in the outbox for {age}"));
        }
        match host.disk_free().map(|free| free / 1_000_000) {
            Some(free) if free < host.disk_free_mb_min => {
                fails.push(format!("{free} MB are free on the disk of the store"));
            }
            Some(_) => {}
            None => fails.push("the disk of the store can't be looked at".to_owned()),
        }
        Self { ok: fails.is_empty(), fails }
    }
}

/// 200 or 503, with a line that says what fails.
pub async fn page(State(shared): State<Arc<Shared>>) -> Response {
    let seen = shared.ask(|robot, shared| {
        let seen = Overview::of(robot, robot.now())?;
        Ok(Health::of(&seen, &shared.host))
    });
    let health = seen.await.unwrap_or_else(|e| {
        let why = match e {
            WebError::Busy => "too many requests at once",
            _ => "the store does not answer",
        };
        Health { ok: false, fails: vec![why.to_owned()] }
    });
    let status = if health.ok { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    // Plain text can always be encoded.
    let line = serde_json::to_string(&health).unwrap_or_default() + "\n";
    (status, [(header::CONTENT_TYPE, "application/json")], line).into_response()
}
