//! The table of games.

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Style;
use ratatui::text::Span;
use ratatui::widgets::{HighlightSpacing, Row, StatefulWidget, Table};

use super::{BOLD, FAINT, LOUD, PLAIN, WARN, place, titled};
use crate::ops::overview::{GameView, SeatState};
use crate::ops::watch::text::{between, brief, columns, cut, local, rough, shown};
use crate::ops::watch::view::{Pane, View};
use store::Status;

/// Columns that the mark of the chosen line takes.
const MARK: usize = 2;
/// Columns for the numbers of missing seats, if there is that much room.
const MISSING: usize = 9;

/// A game's line; `None`: a column that there is no room for.
struct Cells {
    texts: [String; 8],
    styles: [Style; 8],
}

/// Heads of the columns.
const HEADS: [&str; 8] =
    ["code", "engine", "status", "turn", "due in", "deadline", "in", "missing"];
const ENGINE: usize = 1;
const DEADLINE: usize = 5;

/// Draws the games.
pub fn draw(view: &mut View, now: Timestamp, area: Rect, buf: &mut Buffer) {
    let has_keys = view.pane == Pane::Games && !view.is_still;
    let inner = titled(&title(view), has_keys, area, buf);
    if inner.is_empty() {
        return;
    }
    if view.look.host.games.is_empty() {
        let text = "There is no game yet; \"fieldpost game new\" makes one.";
        return super::put(&[text.into()], inner, buf);
    }
    let zones = inner.width >= 90;
    let cells: Vec<Cells> = view.look.host.games.iter().map(|g| cells(g, now, zones)).collect();
    let widths = widths(&cells, usize::from(inner.width));
    let row = |c: &Cells| {
        let texts = c.texts.iter().zip(c.styles).zip(widths).filter(|t| t.1 > 0);
        Row::new(texts.map(|((t, style), width)| Span::styled(cut(t, width), style)))
    };
    let heads = HEADS.iter().zip(widths).filter(|h| h.1 > 0).map(|h| *h.0);
    let lengths = widths.iter().filter(|w| **w > 0);
    let lengths = lengths.map(|w| Constraint::Length(super::rows(*w)));
    let mark = if view.is_still { "  " } else { "> " };
    let table = Table::new(cells.iter().map(row), lengths)
        .header(Row::new(heads).style(FAINT))
        .highlight_symbol(mark)
        .highlight_spacing(HighlightSpacing::Always)
        .row_highlight_style(if has_keys { BOLD } else { PLAIN });
    place(&mut view.games, inner.height.saturating_sub(1));
    StatefulWidget::render(table, inner, buf, &mut view.games.table);
}

fn title(view: &View) -> String {
    let host = &view.look.host;
    let all = [Status::Running, Status::Suspended, Status::Open, Status::Over];
    let counts = all.map(|s| (host.with_status(s), s)).into_iter().filter(|c| c.0 > 0);
    let counts: Vec<String> = counts.map(|(n, s)| format!("{n} {}", s.as_str())).collect();
    match counts.is_empty() {
        true => "Games".to_owned(),
        false => format!("Games: {}", counts.join(", ")),
    }
}

fn cells(game: &GameView, now: Timestamp, zone: bool) -> Cells {
    let mut styles = [PLAIN; 8];
    let status = match game.status {
        Status::Suspended => {
            styles[2] = LOUD;
            "SUSPENDED".to_owned()
        }
        other => other.as_str().to_owned(),
    };
    let (left, style) = left(game, now);
    styles[4] = style;
    let format = if zone { "%a %-d %b %H:%M %Z" } else { "%a %-d %b %H:%M" };
    let deadline = game.deadline.map_or("-".to_owned(), |at| local(at, &game.zone, format));
    let (cards, missing) = seats(game);
    let turn = if game.turn > 0 { game.turns.to_string() } else { "-".to_owned() };
    let (code, engine) = (shown(&game.code), shown(&game.title));
    Cells { texts: [code, engine, status, turn, left, deadline, cards, missing], styles }
}

/// The time left, or how late the turn is.
fn left(game: &GameView, now: Timestamp) -> (String, Style) {
    let late = game.late(now);
    match game.deadline {
        None => ("-".to_owned(), PLAIN),
        Some(_) if game.status == Status::Over => ("-".to_owned(), PLAIN),
        Some(at) if at > now => {
            let left = between(now, at);
            (brief(left), if left.as_hours() < 1 { WARN } else { PLAIN })
        }
        Some(_) if !late.is_zero() => (format!("late {}", rough(late)), WARN),
        Some(_) if game.status == Status::Running => ("grace".to_owned(), WARN),
        Some(_) => ("passed".to_owned(), PLAIN),
    }
}

/// How many cards of players are in, and which seats are missing; before the start, how many seats
/// are taken.
fn seats(game: &GameView) -> (String, String) {
    if game.status == Status::Over {
        return ("-".to_owned(), String::new());
    }
    if !game.is_open_turn() {
        let free = game.seats.len() - game.taken();
        return (format!("{}/{}", game.taken(), game.seats.len()), format!("{free} free"));
    }
    let missing: Vec<u8> = game.seats_that(SeatState::Missing).map(|s| s.seat.0).collect();
    let named = match missing.len() {
        0 => "none".to_owned(),
        many => format!("{many}: {}", ranges(&missing)),
    };
    (format!("{}/{}", game.cards_in(), game.awaited()), named)
}

/// Numbers in order, those in a row as a range, such as `1,4-7`.
fn ranges(numbers: &[u8]) -> String {
    let runs = numbers.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let told = runs.map(|run| match run {
        [one] => one.to_string(),
        [one, two] => format!("{one},{two}"),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    told.collect::<Vec<_>>().join(",")
}

/// Widths of the columns: each fits its contents, and the last one takes what is left. If that is
/// too little, the engine is dropped first, then the local time of the deadline.
fn widths(cells: &[Cells], width: usize) -> [usize; 8] {
    let widest = |i: usize| cells.iter().map(|c| columns(&c.texts[i])).max().unwrap_or(0);
    let mut widths = [0; 8];
    for (i, most) in [8, 15, 9, 4, 9, 22, 7].into_iter().enumerate() {
        widths[i] = widest(i).max(HEADS[i].len()).min(most);
    }
    let taken = |widths: &[usize; 8]| {
        MARK + widths.iter().filter(|w| **w > 0).map(|w| w + 1).sum::<usize>()
    };
    let over = |widths: &[usize; 8]| (taken(widths) + MISSING).saturating_sub(width);
    let engine = widths[ENGINE];
    widths[ENGINE] = engine.saturating_sub(over(&widths)).max(engine.min(7));
    for column in [ENGINE, DEADLINE] {
        if over(&widths) > 0 {
            widths[column] = 0;
        }
    }
    widths[7] = width.saturating_sub(taken(&widths));
    widths
}
