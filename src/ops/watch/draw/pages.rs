//! Pages that fill the screen below its head: the seats of a game, and help.

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{BAD, BOLD, FAINT, GOOD, LOUD, PLAIN, WARN, put, titled};
use crate::ops::overview::{GameView, SeatState, SeatView};
use crate::ops::watch::text::{between, brief, columns, cut, local, shown, wrapped};
use crate::ops::watch::view::View;
use store::Status;

/// Columns that a seat takes at least, with the blank after it.
const SEAT: usize = 39;

/// What keys do, and what words mean.
const HELP: &str = "\
q, Ctrl-C    quit; Esc too, or back
Tab          next part: games, verdicts, outbox, quarantine
up, down     choose a line; k and j do the same
PgUp, PgDn   a page; Home and End: the first and the last line
Enter        the seats of the chosen game, or of a verdict's game
left, right  the next game, also among the seats
?            this help

Games: \"in\" is cards received of all players; before the start, seats taken
of all seats; \"missing\" is how many players have neither a card in nor said
READY, and their seats.
Times of lists are in UTC; a deadline is in the zone of its game.
Seats: in (a card is on file), ready, away (on vacation), missing, not due
(others move), computer, free; \"missed 2\" is turns in a row without a card,
\"unreachable\" means that mails to the player come back.
A verdict that has just come is marked as new. Outbox: \"again\" is tried
again by itself. This view reads; what to type for a line stands below it.";

/// Draws the seats of the chosen game.
pub fn seats(view: &mut View, now: Timestamp, area: Rect, buf: &mut Buffer) {
    let Some(game) = view.game().cloned() else {
        return put(&["This game is gone.".into()], area, buf);
    };
    let title = format!("{} {}: {}", shown(&game.code), shown(&game.title), status(&game));
    let inner = titled(&title, true, area, buf);
    let width = usize::from(inner.width);
    let mut lines = about(&game, now, width);
    // A list needs more room than a reason.
    lines.truncate((usize::from(inner.height) / 2).max(1));
    put(&lines, inner, buf);
    let used = super::rows(lines.len()).min(inner.height);
    let list = Rect { y: inner.y + used, height: inner.height - used, ..inner };
    let abreast = (width / SEAT).max(1);
    let each = width / abreast;
    let rows: Vec<Line> = game
        .seats
        .chunks(abreast)
        .map(|seats| seats.iter().flat_map(|s| cell(s, each)).collect::<Vec<_>>().into())
        .collect();
    scrolled(view, &rows, list, buf);
}

fn status(game: &GameView) -> String {
    let turn = if game.turn > 0 { format!(", {}", shown(&game.label)) } else { String::new() };
    let mut counts = Vec::new();
    let states = [
        SeatState::Player,
        SeatState::In,
        SeatState::Ready,
        SeatState::NotAwaited,
        SeatState::Away,
        SeatState::Missing,
        SeatState::Computer,
        SeatState::Free,
    ];
    for state in states {
        let count = game.seats_that(state).count();
        if count > 0 {
            counts.push(format!("{count} {}", state.as_str()));
        }
    }
    format!("{}{turn}; {}", game.status.as_str(), counts.join(", "))
}

/// The deadline, and what is wrong with the game.
fn about(game: &GameView, now: Timestamp, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let deadline = match game.deadline {
        None => "No deadline".to_owned(),
        Some(at) => {
            let left = match at > now {
                true => format!("in {}", brief(between(now, at))),
                false => format!("{} ago", brief(between(at, now))),
            };
            let when = local(at, &game.zone, "%a %-d %b %Y, %H:%M %Z");
            format!("Deadline {when} ({}), {left}", shown(&game.zone))
        }
    };
    let grace = match game.grace_minutes {
        0 => String::new(),
        minutes => format!(", {minutes} minutes of grace"),
    };
    lines.push(Line::raw(cut(&format!("{deadline}{grace}"), width)));
    if game.status == Status::Suspended {
        let why = format!("SUSPENDED: {}", shown(&game.suspended_why));
        let why = wrapped(&why, width, 4);
        lines.extend(why.into_iter().map(|l| Line::styled(l, LOUD)));
    }
    if game.is_open_turn() && game.our_rules != Some(game.rules_version) {
        let ours = game.our_rules.map_or("none of it".to_owned(), |v| format!("version {v}"));
        let theirs = game.rules_version;
        let text = format!("RULES: begun with version {theirs}; this program has {ours}");
        lines.push(Line::styled(cut(&text, width), LOUD));
    }
    lines
}

/// A seat in `width` columns: number, state, notes, and its name where there is room.
fn cell(seat: &SeatView, width: usize) -> Vec<Span<'static>> {
    let (mark, style) = match seat.state {
        SeatState::Missing => ("!", WARN),
        SeatState::In | SeatState::Ready => ("+", GOOD),
        SeatState::Away => ("~", PLAIN),
        SeatState::Player | SeatState::NotAwaited => (" ", PLAIN),
        SeatState::Computer | SeatState::Free => (" ", FAINT),
    };
    let number = format!("{:>3} ", seat.seat.0);
    let word = format!("{mark} {:<8} ", seat.state.as_str());
    // One blank is left between seats.
    let room = width.saturating_sub(columns(&number) + columns(&word) + 1);
    let notes = cut(&notes(seat), room.saturating_sub(4));
    let gap = usize::from(!notes.is_empty());
    let name = cut(&shown(&seat.name), room.saturating_sub(columns(&notes) + gap));
    let between = room.saturating_sub(columns(&name) + columns(&notes));
    vec![
        Span::raw(number),
        Span::styled(word, style),
        Span::raw(name),
        Span::raw(" ".repeat(between)),
        Span::styled(notes, if seat.unreachable { BAD } else { PLAIN }),
        Span::raw(" "),
    ]
}

fn notes(seat: &SeatView) -> String {
    let mut notes = Vec::new();
    if seat.missed > 0 {
        notes.push(format!("missed {}", seat.missed));
    }
    if seat.unreachable {
        notes.push("unreachable".to_owned());
    }
    let people = ![SeatState::Free, SeatState::Computer].contains(&seat.state);
    if seat.card && people && seat.state != SeatState::In {
        notes.push("card in".to_owned());
    }
    if seat.away && people && seat.state != SeatState::Away {
        notes.push("away".to_owned());
    }
    notes.join(", ")
}

/// Draws the help.
pub fn help(view: &mut View, area: Rect, buf: &mut Buffer) {
    let inner = titled("Help", true, area, buf);
    let width = usize::from(inner.width);
    let lines: Vec<Line> = HELP.lines().flat_map(|l| wrapped(l, width, 4)).map(Line::raw).collect();
    scrolled(view, &lines, inner, buf);
}

/// Draws the lines from the view's scroll on, and says what there is beyond.
fn scrolled(view: &mut View, lines: &[Line], area: Rect, buf: &mut Buffer) {
    let mut rows = usize::from(area.height);
    let is_long = lines.len() > rows && rows > 1;
    if is_long {
        rows -= 1;
    }
    view.scroll_rows = rows;
    view.scroll = view.scroll.min(lines.len().saturating_sub(rows));
    let end = (view.scroll + rows).min(lines.len());
    put(&lines[view.scroll..end], area, buf);
    if is_long {
        let text = format!("lines {} to {end} of {}; PgUp and PgDn", view.scroll + 1, lines.len());
        let y = area.bottom() - 1;
        buf.set_line(area.left(), y, &Line::styled(text, BOLD), area.width);
    }
}
