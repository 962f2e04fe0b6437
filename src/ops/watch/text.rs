//! Text as a terminal may show it, cut by the columns that it takes, and times.

use jiff::{SignedDuration, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Span;

use base::text::is_unseen;

/// Marks above and below a letter that are kept; more would be drawn over other lines.
const MARKS_MAX: usize = 2;

/// Text from anybody in one line, without what controls a terminal, is invisible or changes the
/// direction of writing, and without mail addresses.
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut marks = 0;
    for c in text.chars() {
        let c = match c {
            c if c.is_whitespace() => ' ',
            c if c.is_control() => '?',
            c if is_unseen(c) => continue,
            c => c,
        };
        marks = if Span::raw(c.to_string()).width() == 0 { marks + 1 } else { 0 };
        if marks <= MARKS_MAX {
            out.push(c);
        }
    }
    without_addresses(out.trim())
}

/// The text with `(address)` in place of each word that has an at sign.
fn without_addresses(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || "<>()[],;:'\"".contains(c);
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(ends) {
        let word = part.trim_end_matches(ends);
        match word.contains(['@', '\u{ff20}', '\u{fe6b}']) && word.chars().count() > 1 {
            true => out.extend(["(address)", &part[word.len()..]]),
            false => out.push_str(part),
        }
    }
    out
}

/// The text in at most `columns` columns; `…` ends what was cut.
pub fn cut(text: &str, columns: usize) -> String {
    let span = Span::raw(text);
    if span.width() <= columns {
        return text.to_owned();
    }
    let (mut out, mut left) = (String::new(), columns.saturating_sub(1));
    for letter in span.styled_graphemes(Style::default()) {
        let width = Span::raw(letter.symbol).width();
        if width > left {
            break;
        }
        left -= width;
        out.push_str(letter.symbol);
    }
    if columns > 0 {
        out.push('…');
    }
    out
}

/// Columns that a text takes.
pub fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// At most `lines_max` lines of at most `columns` columns.
pub fn wrapped(text: &str, columns: usize, lines_max: usize) -> Vec<String> {
    let lines = textwrap::wrap(text, columns.max(1));
    let mut lines: Vec<String> = lines.into_iter().map(|l| l.into_owned()).collect();
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            *last = cut(&format!("{last} …"), columns);
        }
    }
    lines
}

/// A time in its two largest units, such as `6d 23h`.
pub fn brief(time: SignedDuration) -> String {
    let seconds = time.as_secs().max(0);
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let (minutes, seconds) = (seconds / 60 % 60, seconds % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, _) => format!("{minutes}m {seconds}s"),
        (0, _, _) => format!("{hours}h {minutes}m"),
        _ => format!("{days}d {hours}h"),
    }
}

/// A time in its largest unit, such as `6d`.
pub fn rough(time: SignedDuration) -> String {
    let brief = brief(time);
    brief.split(' ').next().unwrap_or_default().to_owned()
}

/// The time from an instant to a later one; zero if it is not later.
pub fn between(from: Timestamp, to: Timestamp) -> SignedDuration {
    to.duration_since(from).max(SignedDuration::ZERO)
}

/// An instant by a format, in a zone of this name; in UTC if there is no such zone.
pub fn local(at: Timestamp, zone: &str, format: &str) -> String {
    let zone = base::schedule::zone(zone).unwrap_or(jiff::tz::TimeZone::UTC);
    at.to_zoned(zone).strftime(format).to_string()
}

/// What a buffer shows, without colours and without blanks at the ends of lines.
pub fn plain(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let (mut line, mut x) = (String::new(), buffer.area.left());
        while x < buffer.area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            // A wide letter covers the cell after it.
            x += u16::try_from(columns(symbol)).unwrap_or(1).max(1);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}
