//! How several commands print.

use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::ops::Failure;

/// Shows on a terminal, and only there, that a command works on something.
pub fn spinner(what: String) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Counts turns on a terminal, and only there.
///
/// # Errors
/// Never, as long as the template is right.
pub fn turn_counter() -> Result<ProgressBar, Failure> {
    let style = ProgressStyle::with_template("{spinner} turn {pos}")?;
    Ok(spinner(String::new()).with_style(style))
}

/// Prints a text that the robot wrote for a mail, without the bars that keep its lines from being
/// read as orders there.
///
/// # Errors
/// When nothing can be printed.
pub fn without_bars(text: &str, out: &mut dyn Write) -> std::io::Result<()> {
    text.lines().try_for_each(|l| writeln!(out, "{}", l.trim_start_matches("| ")))
}

/// Replaces the control characters in a text of a mail, which could do anything to a terminal.
pub fn clean(text: &str) -> String {
    let shown = |c: char| !c.is_control() || c == '\n';
    text.chars().map(|c| if shown(c) { c } else { '?' }).collect()
}
