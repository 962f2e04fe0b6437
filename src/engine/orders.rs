//! The table of a game's orders, one row each. The reader, the help, the rulebook, the card and the
//! errors are made from it, and it separates orders from prose.

use tongue::{say, word};

use super::{Told, Topic};

/// An order of a game. `R` reads it: a function of the game. `S` recognizes its beginning: a
/// function too, or the letters of an order that is written without a blank before its numbers.
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
    /// What begins such an order, right or wrong. A function gets the words after the first word;
    /// it refuses a sentence that only happens to begin with that word.
    pub starts: S,
    /// Reads the order.
    pub read: R,
}

/// Why an order can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bad {
    /// It does not have the form of its row.
    Form,
    /// A part of it is wrong.
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

    /// The answer to a player whose order can't be read.
    pub fn verdict(&self, bad: Bad) -> Told {
        match bad {
            Bad::Told(told) => told,
            Bad::Form => {
                let (form, example) = (word(self.form), self.examples[0]);
                Told::error("form", say!("the form is {form}, such as {example}"))
            }
        }
    }

    /// Whether the words begin an order.
    pub fn starts_order(rows: &[Self], head: &str, rest: &[&str]) -> bool {
        Self::find(rows, head).is_some_and(|row| (row.starts)(rest))
    }

    /// The words of all rows, for a sentence.
    pub fn listed(rows: &[Self]) -> String {
        let words = rows.iter().map(|row| row.word).filter(|word| !word.contains(' '));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Help with one topic for each row.
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

/// Reads an order that has only its first word.
///
/// # Errors
/// [`Bad::Form`] when more words follow.
pub fn bare<T>(rest: &[&str], read: T) -> Result<T, Bad> {
    if rest.is_empty() { Ok(read) } else { Err(Bad::Form) }
}

/// Whether no words follow.
pub fn nothing(rest: &[&str]) -> bool {
    rest.is_empty()
}

/// Never true, for a word that does not begin an order by itself: it follows other words, or it
/// opens a letter, which [`press::opens`](super::press::opens) recognizes.
pub fn never(_: &[&str]) -> bool {
    false
}

/// Whether a number is next.
pub fn number(rest: &[&str]) -> bool {
    rest.first().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether the next word is one of these, in any case.
pub fn among(rest: &[&str], words: &[&str]) -> bool {
    rest.first().is_some_and(|first| words.iter().any(|w| first.eq_ignore_ascii_case(w)))
}
