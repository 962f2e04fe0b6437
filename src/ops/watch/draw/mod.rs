//! The screen: a head with what is wrong, games, lists, the outbox, keys.

mod games;
mod head;
mod lists;
mod pages;

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Widget};

use super::text;
use super::view::{List, Page, Pane, View};
use store::MailState;

/// A smaller screen has room for the head only.
const LEAST: (u16, u16) = (30, 8);
/// From this many columns on, verdicts and mails that failed are side by side.
const WIDE: u16 = 150;
/// From this many rows below the games on, they are below each other.
const TALL: u16 = 28;
/// Rows of a snapshot's list of verdicts.
const ONCE_VERDICTS: u16 = 10;

/// The style of what needs attention: reversed, so that it needs no colour.
const LOUD: Style =
    Style::new().fg(Color::Red).add_modifier(Modifier::BOLD.union(Modifier::REVERSED));
const WARN: Style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
const BAD: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
const GOOD: Style = Style::new().fg(Color::Green);
const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
const PLAIN: Style = Style::new();

/// Draws the host as it was at the last look, with the times that are left at `now`.
pub fn draw(view: &mut View, now: Timestamp, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let head = head::lines(view, now, area.width);
    if area.width < LEAST.0 || area.height < LEAST.1 {
        return put(&head, area, buf);
    }
    let head_rows = rows(head.len());
    let foot = foot(view);
    let parts =
        [Constraint::Length(head_rows), Constraint::Min(0), Constraint::Length(rows(foot.len()))];
    let [top, body, bottom] = Layout::vertical(parts).areas(area);
    put(&head, top, buf);
    put(&foot, bottom, buf);
    match view.page {
        Page::Host => host(view, now, body, buf),
        Page::Seats => pages::seats(view, now, body, buf),
        Page::Help => pages::help(view, body, buf),
    }
}

/// Takes the colours out of what was drawn: words, marks and weights show the same.
pub fn without_colours(buf: &mut Buffer) {
    for cell in &mut buf.content {
        (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
    }
}

/// The rows that are needed to show all of these games and everything else.
pub fn rows_with(games: u16) -> u16 {
    games.saturating_add(head::ROWS_MAX + 2 + 1 + ONCE_VERDICTS + 2)
}

/// Draws games, below them verdicts or the part that has the keys, and the outbox in numbers.
fn host(view: &mut View, now: Timestamp, area: Rect, buf: &mut Buffer) {
    let outbox = head::outbox(view, now, area.width);
    let parts = [Constraint::Min(0), Constraint::Length(rows(outbox.len()))];
    let [area, bottom] = Layout::vertical(parts).areas(area);
    put(&outbox, bottom, buf);
    let lines = rows(view.look.host.games.len()).max(1).saturating_add(2);
    let games_max = match view.is_still {
        true => area.height.saturating_sub(ONCE_VERDICTS),
        false => area.height / 2,
    };
    let parts = [Constraint::Length(lines.min(games_max.max(3))), Constraint::Min(0)];
    let [upper, lower] = Layout::vertical(parts).areas(area);
    games::draw(view, now, upper, buf);
    let wide = [Constraint::Length(72), Constraint::Length(2), Constraint::Min(0)];
    let tall = [Constraint::Fill(2), Constraint::Fill(1), Constraint::Fill(1)];
    let half = [Constraint::Fill(1), Constraint::Fill(1)];
    if area.width >= WIDE {
        let [left, _, right] = Layout::horizontal(wide).areas(lower);
        let [upper, lower] = Layout::vertical(half).areas(right);
        lists::verdicts(view, now, left, buf);
        lists::outbox(view, now, upper, buf);
        lists::quarantine(view, lower, buf);
    } else if lower.height >= TALL {
        let [upper, middle, lower] = Layout::vertical(tall).areas(lower);
        lists::verdicts(view, now, upper, buf);
        lists::outbox(view, now, middle, buf);
        lists::quarantine(view, lower, buf);
    } else {
        match view.pane {
            Pane::Games | Pane::Verdicts => lists::verdicts(view, now, lower, buf),
            Pane::Outbox => lists::outbox(view, now, lower, buf),
            Pane::Quarantine => lists::quarantine(view, lower, buf),
        }
    }
}

/// The keys that do something here, and the command for the chosen line.
fn foot(view: &View) -> Vec<Line<'static>> {
    if view.is_still {
        return Vec::new();
    }
    let command = match view.pane {
        Pane::Games => None,
        Pane::Verdicts => view.verdict().map(|m| format!("fieldpost mail show {}", m.id)),
        Pane::Outbox => view.unsent().nth(view.outbox.at).map(|m| match m.state {
            MailState::Waiting => "it is tried again by itself".to_owned(),
            _ => format!("fieldpost mail resend {}", m.id),
        }),
        Pane::Quarantine => {
            let chosen = view.look.quarantined.get(view.quarantined.at);
            chosen.map(|m| format!("fieldpost mail show, release or drop {}", m.id))
        }
    };
    let keys = match (view.page, view.pane) {
        (Page::Host, Pane::Games | Pane::Verdicts) => {
            "q quit  ? help  Tab pane  ↑↓ choose  Enter seats"
        }
        (Page::Host, _) => "q quit  ? help  Tab pane  ↑↓ choose",
        (Page::Seats, _) => "q quit  ? help  Esc back  ↑↓ PgUp PgDn scroll  ←→ other game",
        (Page::Help, _) => "q quit  Esc back  ↑↓ scroll",
    };
    let mut line = Line::styled(keys, FAINT);
    if let Some(command) = command.filter(|_| view.page == Page::Host) {
        line.push_span("   ");
        line.push_span(command);
    }
    vec![line]
}

/// A part with a title; a thick line and a mark say that it has the keys.
fn block(title: &str, has_keys: bool) -> Block<'static> {
    let (set, style) = if has_keys { (border::THICK, BOLD) } else { (border::PLAIN, PLAIN) };
    let mark = if has_keys { "▸" } else { "" };
    let line = Line::styled(format!("{mark} {title} "), style);
    Block::new().borders(Borders::TOP).border_set(set).title(line)
}

/// Draws a part's line and gives the room below it.
fn titled(title: &str, has_keys: bool, area: Rect, buf: &mut Buffer) -> Rect {
    let block = block(&text::cut(title, usize::from(area.width).saturating_sub(4)), has_keys);
    let inner = block.inner(area);
    block.render(area, buf);
    inner
}

/// Lines from the top, as many as there is room for.
fn put(lines: &[Line], area: Rect, buf: &mut Buffer) {
    for (line, y) in lines.iter().zip(area.top()..area.bottom()) {
        buf.set_line(area.left(), y, line, area.width);
    }
}

/// Scrolls a list's table so that its chosen line is seen and no room below is wasted.
fn place<K>(list: &mut List<K>, rows: u16) {
    list.rows = rows.into();
    list.table.select((list.len > 0).then_some(list.at));
    let last = list.len.saturating_sub(list.rows);
    *list.table.offset_mut() = list.table.offset().min(last);
}

fn rows(lines: usize) -> u16 {
    u16::try_from(lines).unwrap_or(u16::MAX)
}

/// A game and a seat, such as `W7 seat 1`.
fn place_of(game: Option<&str>, seat: Option<u8>) -> String {
    match (game, seat) {
        (Some(game), Some(seat)) => format!("{} seat {seat}", text::shown(game)),
        (Some(game), None) => text::shown(game),
        _ => String::new(),
    }
}
