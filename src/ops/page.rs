//! What the pages of the dashboard and the public ones share: their head, style and script.

use engine::Turn;
use maud::{Markup, html};

/// The style of all pages.
pub const STYLE: &str = include_str!("page/style.css");
/// The script of the pages; they are complete without it.
pub const SCRIPT: &str = include_str!("page/app.js");
/// The icon of the pages in a browser's tab.
pub const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\">\
    <rect width=\"16\" height=\"16\" rx=\"3\" fill=\"#036\"/>\
    <path d=\"M3 5h10v7H3z M3 5l5 4 5-4\" fill=\"none\" stroke=\"#fff\"/></svg>\n";

/// The head of a page; `root` leads to the folder of the style and of the feed, if it has
/// one.
pub fn head(title: &str, root: &str, feed: Option<&str>) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            link rel="stylesheet" href=(format!("{root}style.css"));
            link rel="icon" type="image/svg+xml" href=(format!("{root}icon.svg"));
            @if let Some(feed) = feed {
                link rel="alternate" type="application/atom+xml" title="Games"
                    href=(format!("{root}{feed}"));
            }
            script src=(format!("{root}app.js")) defer {}
        }
    }
}

/// A whole page as it is sent: text of others in it can't control what is around it.
pub fn tamed(page: Markup) -> Markup {
    maud::PreEscaped(base::text::tame(&page.0))
}

/// A form with a slider that asks for a step by its number; a script swaps the picture while the
/// slider moves. `labels` are the names of the steps. Without an action only the script shows it.
pub fn slider(action: Option<&str>, labels: &[String], step: Turn) -> Markup {
    let last = labels.len().saturating_sub(1);
    let label = labels.get(step as usize).map_or("", String::as_str);
    let names = serde_json::json!(labels).to_string();
    html! {
        form method="get" action=[action] .slider data-map data-labels=(names)
            hidden[action.is_none()] {
            label for="turn" { "After " output for="turn" { (label) } }
            input #turn type="range" name="turn" min="0" max=(last) value=(step) step="1";
            @if action.is_some() { button type="submit" { "Show" } }
        }
    }
}
