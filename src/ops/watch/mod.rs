//! A live view of the host in a terminal; it reads and never writes.

pub mod draw;
pub mod look;
pub mod text;
pub mod view;

use std::io::{IsTerminal, Write};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use ratatui::DefaultTerminal;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event;
use ratatui::crossterm::style::Colored;
use ratatui::layout::Rect;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::Failure;
use crate::config::Config;
use base::cancel::Cancel;
use base::clock::{Clock, SystemClock};
use look::Observer;
use view::View;

/// How often the host is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// Columns of a snapshot, and the rows that it has at least.
const ONCE: (u16, u16) = (80, 24);

/// Shows the host until the game master quits, or with `once` as plain text of 80 columns.
///
/// # Errors
/// When there is no store yet, or no terminal; the terminal is as it was then.
pub fn run(config: &Config, once: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let is_terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if !once && !is_terminal {
        let what = "this is no terminal; \"fieldpost watch --once\" prints a snapshot as text";
        return Err(what.into());
    }
    let mut observer = Observer::open(config)?;
    let now = SystemClock.now();
    let view = View::new(observer.look(now)?);
    if once {
        write!(out, "{}", snapshot(view, now))?;
        return Ok(());
    }
    // From here on a panic restores the terminal before it prints.
    let mut terminal = ratatui::try_init()?;
    let shown = live(&mut terminal, &mut observer, view);
    let restored = ratatui::try_restore();
    shown?;
    Ok(restored?)
}

/// Shows the host, looks again every second, and does what keys say.
fn live(
    terminal: &mut DefaultTerminal,
    observer: &mut Observer,
    mut view: View,
) -> Result<(), Failure> {
    let ended = told_to_end()?;
    let mut looked = SystemClock.now();
    loop {
        let now = SystemClock.now();
        terminal.draw(|frame| {
            draw::draw(&mut view, now, frame.area(), frame.buffer_mut());
            // Under NO_COLOR the library drops bold and reversed text along with a colour.
            if Colored::ansi_color_disabled_memoized() {
                draw::without_colours(frame.buffer_mut());
            }
        })?;
        if event::poll(wait(looked, now))? {
            // On a slow line, drawing after each key would fall behind.
            loop {
                if !view.event(&event::read()?) {
                    return Ok(());
                }
                if !event::poll(Duration::ZERO)? {
                    break;
                }
            }
        }
        if ended.is_cancelled() {
            return Ok(());
        }
        let now = SystemClock.now();
        if wait(looked, now).is_zero() {
            looked = now;
            match observer.look(now) {
                Ok(look) => view.see(look),
                Err(why) => view.mark_stale(why.to_string()),
            }
        }
    }
}

/// What is cancelled when a signal comes. A read from a terminal that is gone never returns, so the
/// process then ends by itself.
fn told_to_end() -> std::io::Result<Cancel> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let said = Cancel::default();
    let ended = said.clone();
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            said.cancel();
            Cancel::default().wait(2 * LOOK);
            ratatui::restore();
            std::process::exit(1);
        }
    });
    Ok(ended)
}

/// The time until the next look; a clock that was set back delays nothing.
fn wait(looked: Timestamp, now: Timestamp) -> Duration {
    let since = now.duration_since(looked);
    if since < SignedDuration::ZERO {
        return Duration::ZERO;
    }
    LOOK.saturating_sub(since.unsigned_abs())
}

/// Everything there is to see as plain text, as tall as its games need.
pub fn snapshot(mut view: View, now: Timestamp) -> String {
    view.still();
    let games = u16::try_from(view.look.host.games.len()).unwrap_or(u16::MAX);
    let rows = draw::rows_with(games.min(10_000)).max(ONCE.1);
    let area = Rect::new(0, 0, ONCE.0, rows);
    let mut buffer = Buffer::empty(area);
    draw::draw(&mut view, now, area, &mut buffer);
    text::plain(&buffer)
}
