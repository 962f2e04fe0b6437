//! How several commands print.

use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::ops::Failure;
use base::text::{steers, tame};

/// Shows on a terminal, and only there, that a command works on something.
pub fn spinner(what: String) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Counts steps on a terminal, and only there.
///
/// # Errors
/// Never, as long as the template is right.
pub fn step_counter() -> Result<ProgressBar, Failure> {
    let style = ProgressStyle::with_template("{spinner} step {pos}")?;
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

/// Foreign text as one line of a list.
pub fn one_line(text: &str) -> String {
    text.replace(steers, " ")
}

/// A writer that takes out of text what could control a terminal: the output of a command may hold
/// mails of others and files of other hosts.
pub struct Tamed<W: Write> {
    inner: W,
    /// The start of a character, or of the end of a line, whose rest has not come yet.
    begun: Vec<u8>,
}

impl<W: Write> Tamed<W> {
    /// Writes to another writer.
    pub fn new(inner: W) -> Self {
        Self { inner, begun: Vec::new() }
    }
}

impl<W: Write> Write for Tamed<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut all = std::mem::take(&mut self.begun);
        all.extend(bytes);
        let end = match std::str::from_utf8(&all) {
            // Only the last character can be cut off.
            Err(_) => {
                let last = all.iter().rposition(|b| !(0x80..0xc0).contains(b)).unwrap_or(0);
                let cut = std::str::from_utf8(&all[last..]).is_err_and(|e| e.error_len().is_none());
                if cut { last } else { all.len() }
            }
            Ok(text) if text.ends_with('\r') => all.len() - 1,
            Ok(_) => all.len(),
        };
        self.begun = all.split_off(end);
        self.inner.write_all(tame(&String::from_utf8_lossy(&all)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

impl<W: Write> Drop for Tamed<W> {
    fn drop(&mut self) {
        // A drop can't report that it failed.
        let _ = self.inner.write_all(tame(&String::from_utf8_lossy(&self.begun)).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_come_in_pieces_are_whole_and_what_steers_is_marked() {
        let text = "a é 漢 😀 \u{1b}[2J \u{9b}m \u{202e}x\r\nend";
        for size in 1..8 {
            let mut written = Vec::new();
            let mut out = Tamed::new(&mut written);
            text.as_bytes().chunks(size).for_each(|c| out.write_all(c).expect("memory"));
            drop(out);
            let told = String::from_utf8(written).expect("text");
            assert_eq!(told, "a é 漢 😀 \u{fffd}[2J \u{fffd}m \u{fffd}x\r\nend", "{size}");
        }
        let mut written = Vec::new();
        Tamed::new(&mut written).write_all(b"\xff\x80 x \xe2\x82 y\r").expect("memory");
        let told = String::from_utf8_lossy(&written);
        assert_eq!(told, "\u{fffd}\u{fffd} x \u{fffd} y\u{fffd}");
    }
}
