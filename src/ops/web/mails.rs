//! Mails as the game master sees them: verdicts with reasons, the quarantine, mails that leave.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Html;
use maud::{Markup, html};
use serde::Deserialize;

use super::Page;
use super::views::{ask, countdown, facts, page, quoted, table_or, time, whose};
use super::{Shared, WebError};
use crate::ops::overview::MailSummary;
use mail::mime::{self, ParsedMail};
use robot::Robot;
use store::{Caused, MailRow, MailState, Verdict};

/// Rows of a list.
const SHOWN: u32 = 100;
/// Lines of a mail that are shown.
const LINES_MAX: usize = 400;

/// Where a list begins.
#[derive(Debug, Deserialize)]
pub struct Before {
    before: Option<i64>,
}

/// The newest mails with their verdicts.
pub async fn list(State(shared): State<Arc<Shared>>, Query(from): Query<Before>) -> Page {
    let before = from.before.unwrap_or(i64::MAX);
    let (mails, now) = shared
        .ask(move |robot, _| Ok((robot.store.mails_before(before, SHOWN)?, robot.now())))
        .await?;
    let older = mails.last().map(|m| m.id).filter(|_| mails.len() == SHOWN as usize);
    let columns = ["Mail", "Received", "Verdict", "Reason", "For"];
    let body = html! {
        (table_or("None has come yet.", "Newest first", &columns,
            mails.iter().map(mail_row).collect()))
        @if let Some(id) = older { p { a href=(format!("/mail?before={id}")) { "Older mails" } } }
    };
    Ok(Html(page("Mail", "/mail", now, body).into_string()))
}

fn mail_row(mail: &MailSummary) -> Vec<Markup> {
    vec![
        html! { a href=(format!("/mail/{}", mail.id)) { (mail.id) } },
        time(mail.at, "UTC"),
        verdict(mail.verdict),
        html! { (mail.reason) },
        whose(mail.game.as_deref(), mail.seat),
    ]
}

fn verdict(verdict: Option<Verdict>) -> Markup {
    let word = Verdict::word_of(verdict);
    html! { span .tag.(word) { (word) } }
}

/// One mail: what became of it and why.
pub async fn one(State(shared): State<Arc<Shared>>, Path(id): Path<i64>) -> Page {
    let page = shared.ask(move |robot, _| mail_page(robot, id)).await?;
    Ok(Html(page.into_string()))
}

fn mail_page(robot: &mut Robot, id: i64) -> Result<Markup, WebError> {
    let none = || WebError::NotFound(format!("There is no mail {id}."));
    let row = robot.store.mails().mail(id)?.ok_or_else(none)?;
    let caused = robot.store.outbox().caused_by(id)?;
    let step = match (&row.game, row.turn) {
        (Some(game), Some(turn)) => Some(robot.store.steps().step_label(game, turn)?),
        _ => None,
    };
    let raw = robot.store.mails().raw(id)?;
    let in_quarantine = is_in_quarantine(robot, &row)?;
    let parsed = raw.as_deref().map(|bytes| robot.cx.reader.read(bytes));
    let parsed = parsed.map(|read| match read {
        Ok(Ok(mail)) => Ok(mail),
        Ok(Err(why)) => Err(why.to_string()),
        Err(why) => Err(why.to_string()),
    });
    let body = html! {
        (facts(&[
            ("Verdict", html! { (verdict(row.verdict)) " " (row.reason) }),
            ("Why", quoted(&row.why)),
            ("For", whose(row.game.as_deref(), row.seat)),
            ("Turn", html! { @match &step { Some(step) => { (step) }, None => { "–" } } }),
            ("From", html! { @if row.sender.is_empty() { "–" } @else { (&row.sender) } }),
            ("Received", time(row.received_at, "UTC")),
            ("Size", html! { (row.size) " bytes" }),
        ]))
        @if in_quarantine { (let_go(&row)) }
        section aria-labelledby="text" {
            h2 #text { "Its text" }
            @match &parsed {
                None => { p { "It is not kept any more." } },
                Some(Err(why)) => { p { "It can't be read: " (why) "." } },
                Some(Ok(mail)) => { (mail_text(mail)) },
            }
        }
        section aria-labelledby="answers" {
            h2 #answers { "What was answered" }
            @if caused.is_empty() { p { "Nothing." } }
            @for mail in &caused { (answer(mail)) }
        }
    };
    Ok(page(&format!("Mail {id}"), "/mail", robot.now(), body))
}

fn mail_text(mail: &ParsedMail) -> Markup {
    html! {
        p { "Subject: " (&mail.subject) }
        (lines(mail))
    }
}

fn lines(mail: &ParsedMail) -> Markup {
    let all = &mail.lines.0;
    let text: Vec<String> = all
        .iter()
        .take(LINES_MAX)
        .map(|(depth, line)| format!("{}{}", ">".repeat((*depth).min(20)), line))
        .collect();
    html! {
        pre { (text.join("\n")) }
        @if all.len() > LINES_MAX { p { "… and " (all.len() - LINES_MAX) " lines more." } }
    }
}

/// One of our mails; it was made here, so this process may take it apart.
fn answer(mail: &Caused) -> Markup {
    let parsed = mime::parse(&mail.bytes).ok();
    html! {
        h3 { (mail.kind) ": " (mail.state) }
        @if !mail.last_error.is_empty() { p { "The server said: " (&mail.last_error) } }
        @match parsed {
            Some(parsed) => {
                p { "To " (parsed.header("To").unwrap_or("nobody")) ", subject: "
                    (&parsed.subject) }
                (lines(&parsed))
            },
            None => { p { "Its text is not kept any more." } },
        }
    }
}

fn is_in_quarantine(robot: &Robot, row: &MailRow) -> Result<bool, WebError> {
    Ok(match row.verdict {
        Some(Verdict::Quarantined) => true,
        Some(Verdict::Pending) => robot.store.mails().pending(row.id)?.is_some(),
        _ => false,
    })
}

/// The two buttons for a mail in quarantine: release and discard.
fn let_go(row: &MailRow) -> Markup {
    let id = row.id.to_string();
    let release = match row.verdict {
        Some(Verdict::Pending) => "Let it count",
        _ => "Judge it anew",
    };
    html! {
        div .acts {
            (ask(&[("act", "release-mail"), ("number", &id)], release, html! {}))
            (ask(&[("act", "drop-mail"), ("number", &id)], "Discard it", html! {}))
        }
    }
}

/// Mails in quarantine, each with its verdict and its two buttons.
pub async fn quarantine(State(shared): State<Arc<Shared>>) -> Page {
    let (mails, now) =
        shared.ask(|robot, _| Ok((robot.store.mails().quarantined(SHOWN)?, robot.now()))).await?;
    let row = |mail: &MailRow| {
        vec![
            html! { a href=(format!("/mail/{}", mail.id)) { (mail.id) } },
            time(mail.received_at, "UTC"),
            html! { (verdict(mail.verdict)) " " (mail.reason) },
            quoted(&mail.why),
            whose(mail.game.as_deref(), mail.seat),
            let_go(mail),
        ]
    };
    let columns = ["Mail", "Received", "Verdict", "Why", "For", "What to do"];
    let body = html! {
        p { "A pending mail waits for its player’s YES; let it count if you know that it is theirs. A \
             mail that could not be read may be judged anew, for instance after an update." }
        (table_or("No mail is in quarantine.", "Newest first", &columns,
            mails.iter().map(row).collect()))
        @if mails.len() == SHOWN as usize { p { "There are more, older ones." } }
    };
    Ok(Html(page("Quarantine", "/quarantine", now, body).into_string()))
}

/// Mails on their way out, and those that did not arrive.
pub async fn outbox(State(shared): State<Arc<Shared>>) -> Page {
    let page = shared.ask(|robot, _| outbox_page(robot)).await?;
    Ok(Html(page.into_string()))
}

fn outbox_page(robot: &Robot) -> Result<Markup, WebError> {
    let seen = crate::ops::overview::Overview::of(robot, robot.now())?;
    let queue = robot.store.queue(SHOWN)?;
    let waiting = queue.iter().map(|mail| {
        vec![
            html! { (mail.id) },
            html! { (mail.kind) },
            whose(mail.game.as_deref(), mail.seat),
            time(mail.at, "UTC"),
            html! { @if mail.state == MailState::Drawing { "is being drawn" }
            @else if mail.next_at <= seen.at { "due now" }
            @else { (countdown(seen.at, mail.next_at)) } },
            html! { (mail.attempts) },
            quoted(&mail.last_error),
        ]
    });
    let unsent = seen.unsent.iter().map(|mail| {
        let id = mail.id.to_string();
        vec![
            html! { (mail.id) },
            html! { (mail.kind) },
            whose(mail.game.as_deref(), mail.seat),
            time(mail.at, "UTC"),
            html! { span .tag.(mail.state) { (mail.state) } },
            quoted(&mail.last_error),
            html! { @if mail.state != MailState::Suppressed {
                (ask(&[("act", "resend"), ("number", &id)], "Send again", html! {}))
            } @else { "mail does not reach its address" } },
        ]
    });
    let body = html! {
        section aria-labelledby="waiting" {
            h2 #waiting { "On their way: " (seen.outbox.waiting()) }
            (table_or("Nothing waits.", "Oldest first",
                &["Mail", "Kind", "For", "Written", "Next attempt", "Attempts", "Last answer"],
                waiting.collect()))
        }
        section aria-labelledby="unsent" {
            h2 #unsent { "Not delivered: " (seen.outbox.unsent()) }
            (table_or("Everything arrived, as far as is known.", "Newest first",
                &["Mail", "Kind", "For", "Written", "State", "Why", "What to do"],
                unsent.collect()))
            @if seen.outbox.unsent() > 1 {
                (ask(&[("act", "resend")], "Send all of them again", html! {}))
            }
        }
    };
    Ok(page("Outbox", "/outbox", seen.at, body))
}
