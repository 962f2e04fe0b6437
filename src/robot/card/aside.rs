//! The lines of a mail that are neither orders nor commands, and commands that are not carried out:
//! their kinds, and the words shown for each.

use std::fmt;

use tongue::{count, mark, say, word};

/// A line of new text that is neither an order nor a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// Number of the line.
    pub line: u32,
    /// The line, perhaps without the sign of a list before it.
    pub text: String,
    /// Why it is not read.
    pub why: Why,
}

/// Why a line is not read as an order. The words for it are made where it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It greets or takes leave.
    Greeting,
    /// It is the name below the orders, or a line below the name.
    Name,
    /// It is a title of orders.
    Title,
    /// It begins with the sign of a remark, or is in brackets.
    Remark,
    /// It has neither a letter nor a digit.
    Signs,
    /// It is crossed out.
    Struck,
    /// It begins like a line of the robot's own mails that came back.
    Ours,
    /// It is a sentence that names nothing of the game.
    Words,
    /// It asks something.
    Question,
    /// It names something of the game but does not begin an order: it may have been meant as one.
    Tried,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::Greeting => say!("a greeting"),
            Self::Name => say!("a name"),
            Self::Title => say!("a title"),
            Self::Remark => say!("a remark of yours"),
            Self::Signs => say!("a line of signs"),
            Self::Struck => say!("crossed out"),
            Self::Ours => {
                say!("begins like a line of a mail of ours; leave out the sign before it")
            }
            Self::Words => say!("words, no order"),
            Self::Question => word(A_QUESTION).into_owned(),
            Self::Tried => say!("no order that is understood"),
        })
    }
}

/// The note on a question among orders, where its answer is given too.
pub const A_QUESTION: &str = mark!("a question, no order");

/// A command that is not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misplaced {
    /// Number of its line.
    pub line: u32,
    /// The line as written.
    pub text: String,
    /// Why it was not carried out.
    pub note: Note,
}

/// Why a command was not carried out. The words for it are made where it is shown, because a mail
/// is parsed before the player's language is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// It stands among sentences.
    AmongWords,
    /// It does not have its form, given here.
    Form(&'static str),
    /// This many commands stand above it, and a mail may have no more.
    TooMany(usize),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::AmongWords => {
                say!("not carried out among other words: write it in the first line, or in capitals beside orders")
            }
            Self::Form(form) => {
                say!("not carried out; the form is {form}", form = word(form))
            }
            Self::TooMany(most) => count!(
                most,
                "not carried out: a mail has {most} command at most; send it in another one",
                "not carried out: a mail has {most} commands at most; send it in another one"
            ),
        })
    }
}
