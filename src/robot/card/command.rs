//! The words of commands: the rows that describe commands, and how a line is read with these rows.
//!
//! This file does not know what a command does. It reads commands of any type, so that the code
//! that reads mails does not depend on the code that acts on them.

use render::text::{SAFE, fill};
use tongue::word;

/// What becomes of the orders of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// They replace those on file.
    #[default]
    File,
    /// They are appended to those on file.
    Add,
    /// They are judged and not filed.
    Check,
    /// Those on file are withdrawn.
    Cancel,
}

/// A player's command: its word, its form and what it does. HELP, the parser of mails and the
/// proposals for misspelt words all use these rows.
#[derive(Debug)]
pub struct Row<C: 'static> {
    /// Its word, in capitals.
    pub word: &'static str,
    /// Its form with examples, which is also the answer to a wrong form. [`word`] translates it and
    /// `help` where they are shown.
    pub form: &'static str,
    /// What it does, in a few words. An empty one keeps the row out of every list.
    pub help: &'static str,
    /// Reads a line that begins with its word.
    pub read: fn(&Line) -> Read<C>,
}

impl<C> Row<C> {
    /// Whether lists of commands show it.
    pub fn is_listed(&self) -> bool {
        !self.help.is_empty()
    }

    /// Whether its word without any argument is read as a command. PRESS has a row only for HELP:
    /// it opens a block among the orders, so no misspelt word is taken for it.
    fn is_command(&self) -> bool {
        !matches!((self.read)(&Line::new(self.word, &[])), Read::No)
    }
}

/// A line as a command.
#[derive(Debug, PartialEq, Eq)]
pub enum Read<C> {
    /// It is not a command but an order or a sentence.
    No,
    /// It says what becomes of the orders below it.
    Mode(Mode),
    /// The same, followed by more words: an order, or words to the robot.
    ModeAnd(Mode),
    /// A command.
    Command(C),
    /// A command that takes all lines below it as well.
    ToEnd(C),
    /// It is meant as this command, but does not have its form.
    Wrong,
}

/// A line of a mail, split for the function that a row reads it with.
#[derive(Debug)]
pub struct Line<'a> {
    word: String,
    capitals: bool,
    rest: Vec<&'a str>,
    tail: &'a str,
    below: &'a [String],
}

impl<'a> Line<'a> {
    /// A line and the lines below it.
    pub fn new(text: &'a str, below: &'a [String]) -> Self {
        let mut words = text.split_whitespace();
        let written = words.next().unwrap_or_default().trim_end_matches(['.', ':', ',', '!']);
        let word = written.to_uppercase();
        let capitals = written == word && written.len() > 2;
        let tail = text.trim().split_once(char::is_whitespace).map_or("", |(_, t)| t.trim());
        let mut rest: Vec<&str> = words.collect();
        while rest.last().is_some_and(|w| is_courtesy(w)) {
            rest.pop();
        }
        Self { word, capitals, rest, tail, below }
    }

    /// The words after the first, without words of courtesy at the end.
    pub fn rest(&self) -> &[&'a str] {
        &self.rest
    }

    /// Everything after the first word, as written.
    pub fn tail(&self) -> &'a str {
        self.tail
    }

    /// The lines below it.
    pub fn below(&self) -> &'a [String] {
        self.below
    }

    /// Whether the first word is in capitals: such a line is a command, however it goes on.
    pub fn in_capitals(&self) -> bool {
        self.capitals
    }

    /// Reads a line that does not have the form of its command: in capitals it was meant as the
    /// command, else it is a sentence that begins with the same word.
    pub fn wrong<C>(&self) -> Read<C> {
        if self.capitals { Read::Wrong } else { Read::No }
    }

    /// A command of one word.
    pub fn alone<C>(&self, make: impl FnOnce() -> C) -> Read<C> {
        if self.rest.is_empty() { Read::Command(make()) } else { self.wrong() }
    }

    /// A word that says what becomes of the orders; more words may follow.
    pub fn mode<C>(&self, mode: Mode) -> Read<C> {
        if self.rest.is_empty() { Read::Mode(mode) } else { Read::ModeAnd(mode) }
    }

    /// A command with one argument.
    pub fn with_one<C>(&self, make: impl FnOnce(&str) -> C) -> Read<C> {
        match self.rest.as_slice() {
            [argument] => Read::Command(make(argument)),
            _ => self.wrong(),
        }
    }

    /// A command with one argument or none; `make` gives nothing when the argument is wrong.
    pub fn with_at_most_one<C>(&self, make: impl FnOnce(Option<&str>) -> Option<C>) -> Read<C> {
        let made = match self.rest.as_slice() {
            [] => make(None),
            [argument] => make(Some(argument)),
            _ => None,
        };
        made.map_or_else(|| self.wrong(), Read::Command)
    }
}

/// Whether a word after a command is only a courtesy, as in `STATUS, please!`
pub(super) fn is_courtesy(word: &str) -> bool {
    const WORDS: [&str; 6] = ["please", "pls", "plz", "thanks", "bitte", "danke"];
    WORDS.contains(&word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase().as_str())
}

/// The result of reading a line with a list of rows.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<C> {
    /// No command.
    No,
    /// It says what becomes of the orders below it.
    Mode(Mode),
    /// The same, followed by more words.
    ModeAnd(Mode),
    /// A command.
    Command(C),
    /// A command that takes all lines below it as well.
    ToEnd(C),
    /// Nearly a command; this is the right form.
    Meant(&'static str),
}

/// Reads a line as a command. A word of a sentence is not one: a command is alone on its line, or
/// the words after it have its form. A command in capitals with a wrong form is answered with the
/// right form.
pub(super) fn find<C>(rows: &[Row<C>], text: &str, below: &[String]) -> Found<C> {
    let line = Line::new(text, below);
    let Some(row) = rows.iter().find(|r| r.word == line.word) else {
        return nearest(rows, &line).map_or(Found::No, |row| Found::Meant(row.form));
    };
    match (row.read)(&line) {
        Read::No => Found::No,
        Read::Mode(mode) => Found::Mode(mode),
        Read::ModeAnd(mode) => Found::ModeAnd(mode),
        Read::Command(command) => Found::Command(command),
        Read::ToEnd(command) => Found::ToEnd(command),
        Read::Wrong => Found::Meant(row.form),
    }
}

/// Whether a form belongs to a command that sets the [`Mode`].
pub(super) fn says_mode<C>(rows: &[Row<C>], form: &str) -> bool {
    let mode = |r: &Row<C>| matches!((r.read)(&Line::new(r.word, &[])), Read::Mode(_));
    rows.iter().any(|r| r.form == form && mode(r))
}

/// The row of the command that a misspelt word probably means.
fn nearest<'r, C>(rows: &'r [Row<C>], line: &Line) -> Option<&'r Row<C>> {
    if line.word.len() < 3 || line.rest.len() > 1 && !line.capitals {
        return None;
    }
    let letters = line.word.chars().count();
    let first = line.word.chars().next();
    let near = |r: &'r Row<C>| {
        // DONE is not a slip for ZONE.
        if r.word.len() <= 4 && r.word.chars().next() != first {
            return None;
        }
        let most = if r.word.len() > 6 { 2 } else { 1 };
        // Each extra or missing letter is a slip: words of very different length are not compared.
        if letters.abs_diff(r.word.len()) > most {
            return None;
        }
        let slips = strsim::osa_distance(&line.word, r.word);
        // In a word of three letters one slip is too many, unless it is an extra letter.
        let long = r.word.len() > 3 || letters > 3 && line.capitals && line.rest.is_empty();
        (slips <= most && r.is_listed() && long && r.is_command()).then_some((slips, r))
    };
    rows.iter().filter_map(near).min_by_key(|(slips, _)| *slips).map(|(_, row)| row)
}

/// A table of commands, each with word, form and what it does; no line of it can be read as a
/// command.
pub fn command_list<'a>(rows: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>) -> String {
    let line = |(_, form, what): (&str, &str, &str)| {
        let (form, what) = (word(form), word(what));
        match form.chars().count() {
            0..=16 => fill(&what, &format!("{SAFE}{form:<16} "), &format!("{SAFE}{:16} ", "")),
            _ => format!(
                "{SAFE}{form}\n{}",
                fill(&what, &format!("{SAFE}{:16} ", ""), &format!("{SAFE}{:16} ", ""))
            ),
        }
    };
    rows.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[Row<&str>] = &[
        Row { word: "STATUS", form: "STATUS", help: "help", read: |l| l.alone(|| "status") },
        Row { word: "PRESS", form: "PRESS 3", help: "help", read: |_| Read::No },
        Row { word: "HIDDEN", form: "HELP", help: "", read: |l| l.alone(|| "hidden") },
    ];

    fn read(text: &str) -> Found<&'static str> {
        find(ROWS, text, &[])
    }

    #[test]
    fn a_wrong_form_in_capitals_is_told_the_right_one_and_a_sentence_is_none() {
        assert_eq!(read("status."), Found::Command("status"));
        assert_eq!(read("STATUS now"), Found::Meant("STATUS"));
        assert_eq!(read("Status, please!"), Found::Command("status"));
        assert_eq!(read("Status quo, I would say"), Found::No);
    }

    #[test]
    fn a_misspelt_word_is_never_taken_for_a_block_or_for_a_row_that_is_not_listed() {
        assert_eq!(read("STATSU"), Found::Meant("STATUS"));
        assert_eq!(read("PRES"), Found::No);
        assert_eq!(read("HIDEN"), Found::No);
        assert_eq!(read("HIDDEN"), Found::Command("hidden"));
    }
}
