//! What the host counts, for Prometheus. The names are stable:
//!
//! | name | what |
//! |---|---|
//! | `fieldpost_games{status}` | games that are open, running, suspended or over |
//! | `fieldpost_seats{who}` | seats of games that are not over: player, computer, free |
//! | `fieldpost_cards_in`, `fieldpost_cards_missing` | seats of players that open turns wait for, with and without a card |
//! | `fieldpost_next_deadline_seconds` | until the next deadline; absent without one |
//! | `fieldpost_deadline_late_seconds` | how late the latest turn is, after its grace |
//! | `fieldpost_mails{verdict}` | mails that came; `waiting` has no verdict yet |
//! | `fieldpost_quarantine` | mails that wait for the game master |
//! | `fieldpost_outbox{state}` | mails of ours by state |
//! | `fieldpost_outbox_oldest_seconds` | how long the oldest mail that has not left has waited |
//! | `fieldpost_inbox_read_age_seconds{inbox}` | since its last successful read |
//! | `fieldpost_turns_run` | turns that ran and were not taken back |
//! | `fieldpost_store_bytes`, `fieldpost_disk_free_bytes` | size of the store, free space of its disk |
//! | `fieldpost_start_time_seconds`, `fieldpost_up_seconds` | since 1970, since the start |
//! | `fieldpost_resident_memory_bytes` | of this process, where the system reports it |
//! | `fieldpost_workers{role}` | workers that live and have a role; absent where nobody shares the store |
//! | `fieldpost_build_info{version}` | 1 |

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::{Host, Shared, WebError};
use crate::config::Role;
use crate::ops::overview::{Overview, SeatState};
use store::{MailState, Status, Verdict};
use strum::IntoEnumIterator;

const MEDIA: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// All metrics in the format of OpenMetrics.
pub(super) async fn page(State(shared): State<Arc<Shared>>) -> Result<Response, WebError> {
    let text = shared
        .ask(|robot, shared| {
            let seen = Overview::of(robot, robot.now())?;
            Ok(text(&seen, &shared.host))
        })
        .await?;
    Ok(([(header::CONTENT_TYPE, MEDIA)], text).into_response())
}

/// What was seen of a host as metrics.
pub fn text(seen: &Overview, host: &Host) -> String {
    let mut sheet = Sheet(Registry::with_prefix("fieldpost"));
    games(&mut sheet, seen);
    mails(&mut sheet, seen);
    inboxes(&mut sheet, seen, host);
    process(&mut sheet, seen, host);
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = encode(&mut text, &sheet.0);
    text
}

/// The metrics of one answer.
struct Sheet(Registry);

impl Sheet {
    fn one(&mut self, name: &str, help: &str, value: i64) {
        let gauge = Gauge::<i64>::default();
        gauge.set(value);
        self.0.register(name, help, gauge);
    }

    fn by(&mut self, name: &str, help: &str, label: &str, values: &[(&str, i64)]) {
        let family = Family::<Vec<(String, String)>, Gauge>::default();
        for (of, value) in values {
            let labels = vec![(label.to_owned(), (*of).to_owned())];
            family.get_or_create(&labels).set(*value);
        }
        self.0.register(name, help, family);
    }
}

fn whole(n: impl TryInto<i64>) -> i64 {
    n.try_into().unwrap_or(i64::MAX)
}

fn games(sheet: &mut Sheet, seen: &Overview) {
    let all = [Status::Open, Status::Running, Status::Suspended, Status::Over];
    let games = all.map(|s| (s.as_str(), whole(seen.with_status(s))));
    sheet.by("games", "Games by status", "status", &games);
    let going = || seen.games.iter().filter(|g| g.status != Status::Over);
    let count = |of: &dyn Fn(SeatState) -> bool| {
        whole(going().flat_map(|g| &g.seats).filter(|s| of(s.state)).count())
    };
    let (computer, free) = (count(&|s| s == SeatState::Computer), count(&|s| s == SeatState::Free));
    let player = count(&|s| !matches!(s, SeatState::Computer | SeatState::Free));
    let seats = [("player", player), ("computer", computer), ("free", free)];
    sheet.by("seats", "Seats of games that are not over", "who", &seats);
    let cards = going().filter(|g| g.is_open_turn()).map(|g| g.cards_in()).sum::<usize>();
    sheet.one("cards_in", "Cards on file of players whom open turns wait for", whole(cards));
    let missing = count(&|s| s == SeatState::Missing);
    sheet.one("cards_missing", "Players whose cards are waited for", missing);
    let ahead = seen.games.iter().filter(|g| g.status == Status::Running);
    let ahead = ahead.filter_map(|g| g.deadline).filter(|at| *at >= seen.at).min();
    if let Some(at) = ahead {
        let left = at.duration_since(seen.at).as_secs();
        sheet.one("next_deadline_seconds", "Until the next deadline", left);
    }
    let late = seen.games.iter().map(|g| g.late(seen.at).as_secs()).max().unwrap_or(0);
    sheet.one("deadline_late_seconds", "How late the latest turn is, after its grace", late);
    sheet.one("turns_run", "Turns that ran and were not taken back", whole(seen.turns_run));
}

fn mails(sheet: &mut Sheet, seen: &Overview) {
    let verdicts: Vec<_> = Verdict::iter().map(Some).chain([None]).collect();
    let count =
        |verdict| whole(seen.verdicts.iter().filter(|v| v.0 == verdict).map(|v| v.1).sum::<u64>());
    let verdicts: Vec<_> = verdicts.iter().map(|v| (Verdict::word_of(*v), count(*v))).collect();
    sheet.by("mails", "Mails that came, by verdict", "verdict", &verdicts);
    sheet.one("quarantine", "Mails that wait for the game master", seen.quarantined.into());
    let states = MailState::iter().filter(|s| *s != MailState::Unknown);
    let states: Vec<_> = states.map(|s| (s.as_str(), whole(seen.outbox.count(s)))).collect();
    sheet.by("outbox", "Mails of the robot by state", "state", &states);
    let oldest = seen.outbox.oldest_age(seen.at).as_secs();
    sheet.one("outbox_oldest_seconds", "How long the oldest mail waits", oldest);
}

/// An inbox that was never read counts from the start of the process.
fn inboxes(sheet: &mut Sheet, seen: &Overview, host: &Host) {
    let up = seen.at.duration_since(host.started).as_secs().max(0);
    let age = |name: &String| {
        let inbox = seen.inboxes.iter().find(|i| i.name == *name);
        inbox.map_or(up, |i| i.age(seen.at).as_secs())
    };
    let ages: Vec<(&str, i64)> =
        host.inboxes.iter().map(|(name, _)| (name.as_str(), age(name))).collect();
    sheet.by("inbox_read_age_seconds", "Since an inbox was last read", "inbox", &ages);
}

fn process(sheet: &mut Sheet, seen: &Overview, host: &Host) {
    if !seen.workers.is_empty() {
        let living = || seen.workers.iter().filter(|w| w.lives(seen.at));
        let with = |role: &str| living().filter(|w| w.roles.split(' ').any(|r| r == role)).count();
        let roles = Role::ALL.map(|r| (r.as_str(), whole(with(r.as_str()))));
        sheet.by("workers", "Workers that live, by role", "role", &roles);
    }
    sheet.by("build_info", "Version of the program", "version", &[(seen.version, 1)]);
    sheet.one("store_bytes", "Bytes of the store's file", whole(seen.store_bytes));
    if let Some(free) = host.disk_free() {
        sheet.one("disk_free_bytes", "Bytes free where the store is", whole(free));
    }
    let started = host.started.as_second();
    sheet.one("start_time_seconds", "Start of the process since 1970", started);
    let up = seen.at.duration_since(host.started).as_secs().max(0);
    sheet.one("up_seconds", "Since the start of the process", up);
    if let Some(bytes) = resident() {
        sheet.one("resident_memory_bytes", "Memory of the process", bytes);
    }
}

/// Memory of this process, where the system has a file that says so.
fn resident() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kib: i64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}
