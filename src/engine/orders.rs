//! The table of a game's orders: one row each, from which the reader, the help, the rulebook, the
//! card and the errors are made, and by which orders are told from prose.

use tongue::{say, word};

use super::{Told, Topic};

/// An order of a game. `R` is what reads one: a function of the game's own. `S` is what begins one:
/// a function too, or the letters of an order that is glued to its numbers.
#[derive(Debug)]
pub struct OrderRow<R, S = fn(&[&str]) -> bool> {
    /// The first word, upper case.
    pub word: &'static str,
    /// How it is written, in English.
    pub form: &'static str,
    /// What it does, in sentences, in English.
    pub text: &'static str,
    /// Lines as a player would write them.
    pub examples: &'static [&'static str],
    /// What begins such an order, right or wrong. A function is asked about what stands behind the
    /// word; a sentence that happens to begin with the word does not begin one.
    pub starts: S,
    /// Reads it.
    pub read: R,
}

/// Why an order can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bad {
    /// It does not have the form of its row.
    Form,
    /// Something in it is wrong.
    Told(Told),
}

impl Bad {
    /// An error with a note.
    pub fn error(code: &'static str, note: String) -> Self {
        Self::Told(Told::error(code, note))
    }
}

impl From<Told> for Bad {
    fn from(told: Told) -> Self {
        Self::Told(told)
    }
}

impl<R> OrderRow<R> {
    /// The row of a word.
    pub fn find<'r>(rows: &'r [Self], word: &str) -> Option<&'r Self> {
        rows.iter().find(|row| row.word.eq_ignore_ascii_case(word))
    }

    /// What a player is told whose order can't be read.
    pub fn verdict(&self, bad: Bad) -> Told {
        match bad {
            Bad::Told(told) => told,
            Bad::Form => {
                let (form, example) = (word(self.form), self.examples[0]);
                Told::error("form", say!("the form is {form}, such as {example}"))
            }
        }
    }

    /// Whether words begin as an order does.
    pub fn starts_order(rows: &[Self], head: &str, rest: &[&str]) -> bool {
        Self::find(rows, head).is_some_and(|row| (row.starts)(rest))
    }

    /// The words of all rows, for a sentence.
    pub fn listed(rows: &[Self]) -> String {
        let words = rows.iter().map(|row| row.word).filter(|word| !word.contains(' '));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Help, a topic for each row.
    pub fn topics(rows: &[Self]) -> Vec<Topic> {
        let topic = |row: &Self| Topic {
            word: row.word.to_owned(),
            title: word(row.form).into_owned(),
            text: word(row.text).into_owned(),
            examples: row.examples.iter().map(|e| word(e).into_owned()).collect(),
        };
        rows.iter().map(topic).collect()
    }
}

/// What a word says that has nothing behind it.
///
/// # Errors
/// [`Bad::Form`] when something stands there.
pub fn bare<T>(rest: &[&str], read: T) -> Result<T, Bad> {
    if rest.is_empty() { Ok(read) } else { Err(Bad::Form) }
}

/// Whether there is nothing.
pub fn nothing(rest: &[&str]) -> bool {
    rest.is_empty()
}

/// No line that begins with the word is an order by itself: it stands behind others, or it opens a
/// letter, which [`press::opens`](super::press::opens) knows.
pub fn never(_: &[&str]) -> bool {
    false
}

/// Whether a number is next.
pub fn number(rest: &[&str]) -> bool {
    rest.first().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether one of some words is next, in any case.
pub fn among(rest: &[&str], words: &[&str]) -> bool {
    rest.first().is_some_and(|first| words.iter().any(|w| first.eq_ignore_ascii_case(w)))
}
