//! The results of reading a card: faults, and the judgement of each line.

use tongue::mark;

use crate::report::Section;

/// One thing that is wrong with a line; a card has any number of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Line of the card as the player sent it, from 1.
    pub line: u32,
    /// Fixed word for tests and statistics, such as `not-yours`.
    pub code: &'static str,
    /// What is wrong and what was expected.
    pub text: String,
}

/// The judgement of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Will be carried out as written.
    Ok,
    /// Will be carried out with a difference that the note names.
    Warning,
    /// Not an order at all, for instance a comment.
    Remark,
    /// Will not be carried out.
    Error,
}

impl Mark {
    /// Its word for programs; players see it in their language ([`tongue::word`]).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => mark!("ok"),
            Self::Warning => mark!("ok, but"),
            Self::Remark => mark!("remark"),
            Self::Error => mark!("error"),
        }
    }

    /// All marks; the index of each is its number in a journal.
    const ALL: [Self; 4] = [Self::Ok, Self::Warning, Self::Remark, Self::Error];

    /// The mark as a small number for a journal.
    pub fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Warning => 1,
            Self::Remark => 2,
            Self::Error => 3,
        }
    }

    /// The inverse of [`Mark::code`]; an unknown number counts as an error.
    pub fn of(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Error)
    }
}

/// The judgement of an order, with a fixed word for tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The mark of the order.
    pub mark: Mark,
    /// Fixed word for tests and statistics, such as `not-yours`.
    pub code: &'static str,
    /// The text beside the mark; may be empty.
    pub note: String,
}

impl Told {
    /// Carried out as written.
    pub fn ok(note: impl Into<String>) -> Self {
        Self { mark: Mark::Ok, code: "ok", note: note.into() }
    }

    /// Carried out with a difference.
    pub fn warning(code: &'static str, note: impl Into<String>) -> Self {
        Self { mark: Mark::Warning, code, note: note.into() }
    }

    /// Not an order.
    pub fn remark(note: impl Into<String>) -> Self {
        Self { mark: Mark::Remark, code: "remark", note: note.into() }
    }

    /// Not carried out.
    pub fn error(code: &'static str, note: impl Into<String>) -> Self {
        Self { mark: Mark::Error, code, note: note.into() }
    }
}

/// The judgement of one line, or of one order where a line holds several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedLine {
    /// Line of the card as the player sent it, from 1.
    pub line: u32,
    /// The line as entered.
    pub text: String,
    /// The mark of the line.
    pub mark: Mark,
    /// The text beside the mark; empty when there is nothing to add.
    pub note: String,
}

/// A text to which a player is committed: the robot shows its digest before it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// The name under which the engine opens it in a later step, and under which printouts show its
    /// digest. A newer seal of the seat with the same name in a later step takes the name over; at
    /// the end both are opened.
    pub key: String,
    /// What is sealed.
    pub text: String,
}

/// The judgement of a card against one seat's view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgement {
    /// At least one entry for each line that is not blank, in card order; several
    /// with the same number where a line holds several orders.
    pub lines: Vec<JudgedLine>,
    /// The expected effect of the card, as far as the seat can know it.
    pub forecast: Vec<Section>,
    /// Lines to be sealed.
    pub seals: Vec<Seal>,
    /// The card itself says that its sender is done with this step, as an answer to a challenge
    /// does: nobody waits for them any longer.
    pub ready: bool,
}

impl Judgement {
    /// How many lines came out with `mark`.
    pub fn count(&self, mark: Mark) -> usize {
        self.lines.iter().filter(|l| l.mark == mark).count()
    }
}
