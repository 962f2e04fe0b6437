//! What all pages of the dashboard are made of: the frame, tables, times, buttons.

use axum::http::StatusCode;
use jiff::Timestamp;
use maud::{DOCTYPE, Markup, html};

use crate::ops::page::{head, tamed};
use base::schedule;

/// Parts of the dashboard: path and name.
const PARTS: [(&str, &str); 5] = [
    ("/", "Games"),
    ("/mail", "Mail"),
    ("/quarantine", "Quarantine"),
    ("/outbox", "Outbox"),
    ("/acts", "Acts"),
];

/// A page with its title above the body; `at` is the part that it belongs to, empty for the answer
/// to a form.
pub fn page(title: &str, at: &str, now: Timestamp, body: Markup) -> Markup {
    let name = format!("{title} – Fieldpost");
    tamed(html! {
        (DOCTYPE)
        html lang="en" {
            (head(&name, "/", None))
            body data-now=(now) {
                a .skip href="#main" { "Skip to the page" }
                header {
                    nav aria-label="Parts of the dashboard" {
                        strong { "Fieldpost" }
                        ul {
                            @for (path, part) in PARTS {
                                li { a href=(path) aria-current=[(path == at).then_some("page")] {
                                    (part)
                                } }
                            }
                        }
                    }
                }
                main #main tabindex="-1" {
                    h1 { (title) }
                    (body)
                }
                footer { p {
                    "As it was at " (time(now, "UTC")) ". "
                    // A page that a form led to can't be asked for by its address.
                    @if !at.is_empty() { a href="" { "Look again" } }
                } }
            }
        }
    })
}

/// A page that says why the one that was asked for is missing.
pub fn trouble(status: StatusCode, why: &str) -> Markup {
    let title = status.canonical_reason().unwrap_or("Trouble");
    tamed(html! {
        (DOCTYPE)
        html lang="en" {
            (head(&format!("{title} – Fieldpost"), "/", None))
            body {
                main #main {
                    h1 { (title) }
                    div role="alert" { @for line in why.lines() { p { (line) } } }
                    p { a href="/" { "To the games" } }
                }
            }
        }
    })
}

/// A table; on a phone each row is shown as a list, so every cell says what it is. The roles are
/// written out, because some browsers drop them from a table that is not shown as one.
pub fn table(caption: &str, columns: &[&str], rows: Vec<Vec<Markup>>) -> Markup {
    html! {
        table role="table" {
            caption { (caption) }
            thead role="rowgroup" {
                tr role="row" {
                    @for column in columns { th scope="col" role="columnheader" { (column) } }
                }
            }
            tbody role="rowgroup" {
                @for row in rows {
                    tr role="row" {
                        @for (i, (cell, column)) in row.iter().zip(columns).enumerate() {
                            @if i == 0 {
                                th scope="row" role="rowheader" data-label=(column) { (cell) }
                            } @else {
                                td role="cell" data-label=(column) { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A table, or a sentence where it would have no row.
pub fn table_or(none: &str, caption: &str, columns: &[&str], rows: Vec<Vec<Markup>>) -> Markup {
    match rows.is_empty() {
        true => html! { p { (none) } },
        false => table(caption, columns, rows),
    }
}

/// Names and values.
pub fn facts(rows: &[(&str, Markup)]) -> Markup {
    html! {
        dl .facts {
            @for (name, value) in rows { div { dt { (name) } dd { (value) } } }
        }
    }
}

/// An instant as people read it in a zone, and as programs do.
pub fn time(at: Timestamp, zone: &str) -> Markup {
    html! { time datetime=(at) { (schedule::local(at, zone)) } }
}

/// The time that is left; a script counts it down.
pub fn countdown(now: Timestamp, until: Timestamp) -> Markup {
    let left = match until > now {
        true => format!("in {}", schedule::left(now, until)),
        false => format!("{} ago", schedule::left(until, now)),
    };
    html! { time datetime=(until) data-due { (left) } }
}

/// How long ago something was.
pub fn ago(at: Timestamp, now: Timestamp) -> String {
    format!("{} ago", schedule::left(at.min(now), now))
}

/// A form that leads to the page that asks for confirmation.
pub fn ask(fields: &[(&str, &str)], button: &str, more: Markup) -> Markup {
    html! {
        form method="post" action="/confirm" {
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            (more)
            button type="submit" { (button) }
        }
    }
}

/// Game and seat of a mail, as far as they are known.
pub fn whose(game: Option<&str>, seat: Option<u8>) -> Markup {
    html! {
        @match (game, seat) {
            (Some(game), Some(seat)) => {
                a href=(format!("/games/{game}")) { (game) } " seat " (seat)
            },
            (Some(game), None) => { a href=(format!("/games/{game}")) { (game) } },
            _ => { "–" },
        }
    }
}

/// Text of others, which may have no blanks.
pub fn quoted(text: &str) -> Markup {
    html! { span .long { (text) } }
}
