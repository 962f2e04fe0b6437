//! The lines about the host as a whole: its time and health, what is wrong, its outbox.

use jiff::{SignedDuration, Timestamp};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{BAD, BOLD, FAINT, GOOD, LOUD, PLAIN, WARN};
use crate::ops::overview::{GameView, LOST};
use crate::ops::watch::text::{between, brief, columns, cut, local, rough, shown};
use crate::ops::watch::view::View;
use store::{MailState, Status, Verdict};

/// Lines that the head has at most.
pub const ROWS_MAX: u16 = 3;
/// An inbox that has not been read for this long is silent. A robot looks at least every minute,
/// and notes it once a minute.
const SILENT: SignedDuration = SignedDuration::from_mins(5);
/// A turn that has been due for this long is late.
const LATE: SignedDuration = SignedDuration::from_mins(2);
/// How many mails that are tried again are counted, at most.
const RETRIED_MAX: usize = 50;
/// A mail that has not left for this long is worth a look.
const SLOW: SignedDuration = SignedDuration::from_mins(30);

/// The head: time and who serves, inboxes, and a third line when something is wrong.
pub fn lines(view: &View, now: Timestamp, width: u16) -> Vec<Line<'static>> {
    let width = usize::from(width);
    let mut lines = vec![first(view, now, width), inboxes(view, now, width)];
    if let Some(text) = alarm(view, now) {
        lines.push(Line::styled(cut(&text, width), LOUD));
    }
    lines
}

/// The name, the time in UTC and in the zone of the chosen game, and whether a robot serves.
fn first(view: &View, now: Timestamp, width: usize) -> Line<'static> {
    let (serves, style) = match view.look.serves {
        Some(true) => ("robot serves", GOOD),
        Some(false) => ("NO ROBOT SERVES", LOUD),
        None => ("robot: can't tell", WARN),
    };
    let zone = view.game().map_or("UTC", |g| g.zone.as_str());
    let mut time = now.strftime("%a %-d %b %Y %H:%M:%S UTC").to_string();
    if !["", "UTC"].contains(&zone) {
        time += &local(now, zone, " = %a %H:%M %Z");
    }
    let left = width.saturating_sub(serves.len() + 1);
    let name_max = left.saturating_sub(columns(&time) + 2).min(30);
    // A name is left out if hardly a character of it would be left.
    let name = if name_max < 6 { String::new() } else { cut(&shown(&view.look.name), name_max) };
    let time = cut(&time, left);
    let mut line = Line::default();
    if !name.is_empty() {
        line.extend([Span::styled(name, BOLD), Span::raw("  ")]);
    }
    line.push_span(Span::raw(time));
    line.push_span(" ".repeat(width.saturating_sub(line.width() + serves.len())));
    line.push_span(Span::styled(serves, style));
    line
}

/// When each inbox was last read, silent ones first; or that the store is not read.
fn inboxes(view: &View, now: Timestamp, width: usize) -> Line<'static> {
    if let Some(why) = &view.lost {
        let age = brief(between(view.look.at, now));
        let text = format!("NOT READ ANEW for {age}: {}", shown(why));
        return Line::styled(cut(&text, width), LOUD);
    }
    let read = |name: &String| view.look.host.inboxes.iter().find(|i| i.name == *name);
    let mut ages: Vec<(&String, Option<SignedDuration>)> =
        view.look.inboxes.iter().map(|n| (n, read(n).map(|i| i.age(now)))).collect();
    let is_silent = |age: Option<SignedDuration>| age.is_none_or(|a| a > SILENT);
    ages.sort_by_key(|(_, age)| !is_silent(*age));
    let mut line = Line::raw(if ages.len() == 1 { "Inbox: " } else { "Inboxes: " });
    for (i, (name, age)) in ages.into_iter().enumerate() {
        let told = match age {
            None => "NEVER READ".to_owned(),
            Some(age) if age > SILENT => format!("NOT READ for {}", brief(age)),
            // It is noted once a minute.
            Some(age) if age.as_mins() < 2 => "read within 2 min".to_owned(),
            Some(age) => format!("read {} ago", rough(age)),
        };
        let style = if is_silent(age) { LOUD } else { PLAIN };
        line.push_span(if i > 0 { ", " } else { "" });
        line.push_span(Span::styled(format!("{} {told}", cut(&shown(name), 20)), style));
    }
    fitted(line, width)
}

/// The line, cut to a width.
fn fitted(line: Line<'static>, width: usize) -> Line<'static> {
    let mut left = width;
    let mut out = Line::default();
    for span in line.spans {
        let text = cut(&span.content, left);
        left -= columns(&text).min(left);
        out.push_span(Span::styled(text, span.style));
    }
    out
}

/// Games that wait for the game master or for a robot.
fn alarm(view: &View, now: Timestamp) -> Option<String> {
    let games = &view.look.host.games;
    let suspended: Vec<&GameView> =
        games.iter().filter(|g| g.status == Status::Suspended).collect();
    let late: Vec<&GameView> = games.iter().filter(|g| g.late(now) > LATE).collect();
    let other = |g: &&GameView| g.is_open_turn() && g.our_rules != Some(g.rules_version);
    let other: Vec<&GameView> = games.iter().filter(other).collect();
    let mut parts = Vec::new();
    match suspended.as_slice() {
        [] => {}
        [one] => {
            parts.push(format!("SUSPENDED: {} {}", shown(&one.code), shown(&one.suspended_why)))
        }
        many => parts.push(format!("{} GAMES SUSPENDED: {}", many.len(), codes(many))),
    }
    match late.as_slice() {
        [] => {}
        [one] => {
            parts.push(format!("TURN LATE: {} by {}", shown(&one.code), brief(one.late(now))));
        }
        many => parts.push(format!("{} TURNS LATE: {}", many.len(), codes(many))),
    }
    if !other.is_empty() {
        parts.push(format!("OTHER RULES than this program's: {}", codes(&other)));
    }
    (!parts.is_empty()).then(|| format!("! {}", parts.join("   ")))
}

fn codes(games: &[&GameView]) -> String {
    games.iter().take(40).map(|g| shown(&g.code)).collect::<Vec<_>>().join(", ")
}

/// The outbox, failures and the quarantine, in numbers.
pub fn outbox(view: &View, now: Timestamp, width: u16) -> Vec<Line<'static>> {
    let host = &view.look.host;
    let outbox = &host.outbox;
    let mut first = Line::styled("Outbox ", BOLD);
    let mut say = |text: String, style: Style| first.push_span(Span::styled(text, style));
    if outbox.waiting() == 0 {
        say("is empty".to_owned(), PLAIN);
    } else {
        say(format!("{} waiting", outbox.count(MailState::Waiting)), PLAIN);
        say(format!(", {} drawing", outbox.count(MailState::Drawing)), PLAIN);
        let age = outbox.oldest_age(now);
        let style = if age > SLOW { WARN } else { PLAIN };
        say(format!(", oldest {}{}", brief(age), if age > SLOW { "!" } else { "" }), style);
        if let Some(at) = outbox.next_send {
            let next = match at > now {
                true => format!("in {}", brief(between(now, at))),
                false => "due".to_owned(),
            };
            say(format!(", next {next}"), PLAIN);
        }
        if !host.retried.is_empty() {
            // Only the newest are listed.
            let more = if host.retried.len() < RETRIED_MAX { "" } else { "+" };
            say(format!(", {}{more} TRIED AGAIN", host.retried.len()), WARN);
        }
    }
    say(format!(", {} sent", outbox.count(MailState::Sent)), FAINT);
    [first, failures(view)].map(|l| fitted(l, width.into())).to_vec()
}

fn failures(view: &View) -> Line<'static> {
    let host = &view.look.host;
    let mut line = Line::styled("Failed ", BOLD);
    if host.outbox.unsent() == 0 {
        line.push_span("none");
    }
    let counts = LOST.map(|s| (s, host.outbox.count(s))).into_iter().filter(|c| c.1 > 0);
    for (i, (state, count)) in counts.enumerate() {
        line.push_span(if i > 0 { ", " } else { "" });
        line.push_span(Span::styled(format!("{count} {state}"), BAD));
    }
    line.push_span(Span::styled("   Quarantine ", BOLD));
    line.push_span(match host.quarantined {
        0 => Span::raw("empty"),
        count => Span::styled(format!("{count} for you"), WARN),
    });
    line.push_span(Span::styled("   Mails ", BOLD));
    let done = [Verdict::Accepted, Verdict::Rejected, Verdict::Ignored].map(Some);
    let counts: Vec<String> = done
        .iter()
        .chain([&None])
        .filter_map(|w| host.verdicts.iter().find(|v| v.0 == *w && v.1 > 0))
        .map(|(verdict, count)| format!("{count} {}", Verdict::word_of(*verdict)))
        .collect();
    line.push_span(if counts.is_empty() { "none".to_owned() } else { counts.join(", ") });
    line
}
