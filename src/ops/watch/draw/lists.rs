//! The lists below the games: verdicts as they come, mails of ours that did not arrive,
//! mails in quarantine.

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{HighlightSpacing, Row, StatefulWidget, Table};

use super::{BAD, BOLD, FAINT, GOOD, PLAIN, WARN, place, place_of, rows, titled};
use crate::ops::overview::{MailSummary, OutboxSummary};
use crate::ops::watch::look::QuarantinedMail;
use crate::ops::watch::text::{cut, shown, wrapped};
use crate::ops::watch::view::{List, Pane, View};
use store::{MailState, Verdict};

/// How times are written; in UTC.
const TIME: &str = "%e %b %H:%M:%S";
/// How times are written where there is little room.
const CLOCK: &str = "%H:%M:%S";
/// From this many columns on there is room for dates and numbers.
const ROOMY: u16 = 70;
/// Columns that the mark of the chosen line takes.
const MARK: u16 = 2;
/// Lines for the cause of the chosen mail, at most.
const CAUSE_LINES: usize = 8;

/// A list's table: heads, widths of all columns but the last, which takes what is left,
/// and lines.
struct Listed<'a, const N: usize> {
    heads: [&'static str; N],
    widths: &'a [u16],
    rows: Vec<Row<'a>>,
}

impl<const N: usize> Listed<'_, N> {
    fn draw<K>(self, list: &mut List<K>, has_keys: bool, area: Rect, buf: &mut Buffer) {
        let widths = self.widths.iter().map(|w| Constraint::Length(*w));
        let widths = widths.chain([Constraint::Fill(1)]);
        let table = Table::new(self.rows, widths)
            .header(Row::new(self.heads).style(FAINT))
            .highlight_symbol(if has_keys { "> " } else { "  " })
            .highlight_spacing(HighlightSpacing::Always)
            .row_highlight_style(if has_keys { BOLD } else { PLAIN });
        place(list, area.height.saturating_sub(1));
        StatefulWidget::render(table, area, buf, &mut list.table);
    }
}

/// Columns that are left for the last one.
fn rest(area: Rect, widths: &[u16]) -> usize {
    let taken: u16 = widths.iter().map(|w| w + 1).sum();
    usize::from(area.width.saturating_sub(taken + MARK))
}

/// The newest verdicts, newest last.
pub fn verdicts(view: &mut View, now: Timestamp, area: Rect, buf: &mut Buffer) {
    // Nothing else takes this place while games have the keys.
    let has_keys = view.pane == Pane::Verdicts && !view.is_still;
    let newer = view.verdicts.len.saturating_sub(view.verdicts.at + 1);
    let title = match newer {
        0 => "Verdicts, newest last".to_owned(),
        newer => format!("Verdicts: {newer} newer below, End shows them"),
    };
    let inner = titled(&title, has_keys, area, buf);
    if inner.is_empty() {
        return;
    }
    if view.look.host.mails.is_empty() {
        return super::put(&["No mail has come yet.".into()], inner, buf);
    }
    let is_roomy = inner.width >= ROOMY;
    let row = |m: &MailSummary| verdict(m, view.is_new(m, now), is_roomy);
    let rows: Vec<Row> = view.look.host.mails.iter().rev().map(row).collect();
    let list = &mut view.verdicts;
    if is_roomy {
        let heads = ["", "received (UTC)", "mail", "verdict", "reason", "from"];
        let widths = &[3, 15, 6, 11, 18];
        Listed { heads, widths, rows }.draw(list, has_keys, inner, buf);
    } else {
        let heads = ["", "UTC", "verdict", "reason", "from"];
        let widths = &[3, 8, 11, 16];
        Listed { heads, widths, rows }.draw(list, has_keys, inner, buf);
    }
}

fn verdict(mail: &MailSummary, is_new: bool, is_roomy: bool) -> Row<'static> {
    let (word, style) = word(mail.verdict);
    let place = place_of(mail.game.as_deref(), mail.seat);
    let time = mail.at.strftime(if is_roomy { TIME } else { CLOCK }).to_string();
    let mut cells = vec![Span::styled(if is_new { "new" } else { "" }, WARN), Span::raw(time)];
    if is_roomy {
        cells.push(Span::raw(mail.id.to_string()));
    }
    cells.extend([
        Span::styled(word, style),
        Span::raw(cut(mail.reason.as_str(), 18)),
        Span::raw(if place.is_empty() { "unknown".to_owned() } else { place }),
    ]);
    Row::new(cells).style(if is_new { BOLD } else { PLAIN })
}

fn word(verdict: Option<Verdict>) -> (&'static str, Style) {
    let style = match verdict {
        Some(Verdict::Accepted) => GOOD,
        Some(Verdict::Rejected) => PLAIN,
        Some(Verdict::Ignored) => FAINT,
        Some(Verdict::Quarantined) => BAD,
        Some(Verdict::Pending) | None => WARN,
    };
    (Verdict::word_of(verdict), style)
}

/// Mails of ours that are tried again or did not arrive, with what the servers said.
pub fn outbox(view: &mut View, now: Timestamp, area: Rect, buf: &mut Buffer) {
    let has_keys = view.pane == Pane::Outbox && !view.is_still;
    let title = format!("Outbox: mails that did not arrive yet or at all ({})", view.outbox.len);
    let inner = titled(&title, has_keys, area, buf);
    if inner.is_empty() {
        return;
    }
    if view.outbox.len == 0 {
        return super::put(&["Every mail arrived, or is on its way.".into()], inner, buf);
    }
    let widths = [6, 9, 10, 12, 5];
    let columns = rest(inner, &widths);
    let row = |(i, mail): (usize, &OutboxSummary)| {
        unsent(mail, now, columns, has_keys && i == view.outbox.at)
    };
    let listed = Listed {
        heads: ["mail", "kind", "state", "to", "tries", "what the server said"],
        widths: &widths,
        rows: view.unsent().enumerate().map(row).collect(),
    };
    listed.draw(&mut view.outbox, has_keys, inner, buf);
}

fn unsent(mail: &OutboxSummary, now: Timestamp, columns: usize, is_chosen: bool) -> Row<'static> {
    let (state, style) = match mail.state {
        MailState::Waiting => ("again", WARN),
        state => (state.as_str(), BAD),
    };
    let age = super::text::rough(super::text::between(mail.at, now));
    let cause = format!("{} (written {age} ago)", shown(&mail.last_error));
    let cells = [
        Span::raw(mail.id.to_string()),
        Span::raw(cut(mail.kind.as_str(), 9)),
        Span::styled(state, style),
        Span::raw(place_of(mail.game.as_deref(), mail.seat)),
        Span::raw(mail.attempts.to_string()),
    ];
    with_cause(cells, &cause, columns, is_chosen)
}

/// Mails that wait for the game master, with why.
pub fn quarantine(view: &mut View, area: Rect, buf: &mut Buffer) {
    let has_keys = view.pane == Pane::Quarantine && !view.is_still;
    let title = format!("Quarantine: mails that wait for you ({})", view.look.host.quarantined);
    let inner = titled(&title, has_keys, area, buf);
    if inner.is_empty() {
        return;
    }
    if view.look.quarantined.is_empty() {
        return super::put(&["No mail waits for you.".into()], inner, buf);
    }
    let widths = [15, 6, 11, 12];
    let columns = rest(inner, &widths);
    let row = |(i, mail): (usize, &QuarantinedMail)| {
        quarantined_row(mail, columns, has_keys && i == view.quarantined.at)
    };
    let listed = Listed {
        heads: ["received (UTC)", "mail", "verdict", "from", "why"],
        widths: &widths,
        rows: view.look.quarantined.iter().enumerate().map(row).collect(),
    };
    listed.draw(&mut view.quarantined, has_keys, inner, buf);
}

fn quarantined_row(mail: &QuarantinedMail, columns: usize, is_chosen: bool) -> Row<'static> {
    let (word, style) = word(mail.verdict);
    let cause = format!("{}: {}", mail.reason, shown(&mail.why));
    let cells = [
        Span::raw(mail.at.strftime(TIME).to_string()),
        Span::raw(mail.id.to_string()),
        Span::styled(word, style),
        Span::raw(place_of(mail.game.as_deref(), mail.seat)),
    ];
    with_cause(cells, &cause, columns, is_chosen)
}

/// A line whose last column is a cause: cut, or whole where the line is chosen.
fn with_cause<const N: usize>(
    cells: [Span<'static>; N],
    cause: &str,
    columns: usize,
    is_chosen: bool,
) -> Row<'static> {
    let lines = match is_chosen {
        true => wrapped(cause, columns, CAUSE_LINES),
        false => vec![cut(cause, columns)],
    };
    let height = rows(lines.len()).max(1);
    let lines: Vec<Line> = lines.into_iter().map(Line::raw).collect();
    let cells = cells.into_iter().map(Text::from).chain([Text::from(lines)]);
    Row::new(cells).height(height)
}
