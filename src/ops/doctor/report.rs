//! The report: one line for each check, and below it what to do.

use std::io::{self, Write};

use super::Failure;

/// Columns of a line.
const WIDTH: usize = 78;

/// What was found so far.
pub struct Report<'a> {
    out: &'a mut dyn Write,
    failed: usize,
    warned: usize,
}

impl<'a> Report<'a> {
    /// A report without lines yet.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, failed: 0, warned: 0 }
    }

    /// Reports what is well.
    ///
    /// # Errors
    /// When nothing can be printed.
    pub fn ok(&mut self, what: &str, seen: &str) -> io::Result<()> {
        self.line("ok", what, seen, "")
    }

    /// Reports what works, but not as it should, or could not be found out.
    ///
    /// # Errors
    /// When nothing can be printed.
    pub fn warn(&mut self, what: &str, seen: &str, advice: &str) -> io::Result<()> {
        self.warned += 1;
        self.line("warn", what, seen, advice)
    }

    /// Reports what keeps the robot from its work.
    ///
    /// # Errors
    /// When nothing can be printed.
    pub fn fail(&mut self, what: &str, seen: &str, advice: &str) -> io::Result<()> {
        self.failed += 1;
        self.line("FAIL", what, seen, advice)
    }

    fn line(&mut self, word: &str, what: &str, seen: &str, advice: &str) -> io::Result<()> {
        let seen = clean(seen);
        let mut lines = seen.trim_end().lines();
        writeln!(self.out, "{word:<5} {what}: {}", lines.next().unwrap_or_default())?;
        for line in lines {
            writeln!(self.out, "      {line}")?;
        }
        if advice.is_empty() {
            return self.out.flush();
        }
        let indent = "      ";
        // A path is not broken at its hyphens.
        let options = textwrap::Options::new(WIDTH)
            .initial_indent(indent)
            .subsequent_indent(indent)
            .break_words(false)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        for line in textwrap::wrap(&clean(advice), &options) {
            writeln!(self.out, "{}", line.trim_end())?;
        }
        // Some checks take long, so what is known is shown at once.
        self.out.flush()
    }

    /// Prints the last line.
    ///
    /// # Errors
    /// The number of failed checks, when there are any.
    pub fn end(self) -> Result<(), Failure> {
        let warnings = base::text::count(self.warned, "warning");
        match (self.failed, self.warned) {
            (0, 0) => writeln!(self.out, "All is well.")?,
            (0, _) => writeln!(self.out, "It can serve; {warnings}.")?,
            (failed, _) => {
                return Err(
                    format!("{} failed, {warnings}", base::text::count(failed, "check")).into()
                );
            }
        }
        Ok(())
    }
}

/// Text of a server or a mail as a terminal may show it.
fn clean(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' => c,
        '\t' => ' ',
        c if c.is_control() => '?',
        c => c,
    };
    text.replace("\r\n", "\n").chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_moves_no_cursor() {
        let mut out = Vec::new();
        let mut report = Report::new(&mut out);
        report.fail("inbox main", "no\r\n\x1b[2Jthing\r", "Do it.").expect("memory");
        assert!(report.end().is_err());
        assert_eq!(
            String::from_utf8(out).expect("text"),
            "FAIL  inbox main: no\n      ?[2Jthing?\n      Do it.\n"
        );
    }
}
