//! What a player hears about a card: faults, and the judgement of each line.

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

/// How a line came out.
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
    /// Its word for programs; players read it in their language ([`tongue::word`]).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => mark!("ok"),
            Self::Warning => mark!("ok, but"),
            Self::Remark => mark!("remark"),
            Self::Error => mark!("error"),
        }
    }

    /// All marks; the place is the number that a journal keeps.
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

    /// The inverse of [`Mark::code`]; a number that is none counts as an error.
    pub fn of(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Error)
    }
}

/// How an order came out, with a fixed word for tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// How the order came out.
    pub mark: Mark,
    /// Fixed word for tests and statistics, such as `not-yours`.
    pub code: &'static str,
    /// What to say beside the mark; may be empty.
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

    /// No order at all.
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
    /// How it came out.
    pub mark: Mark,
    /// What to say beside the mark; empty when there is nothing to add.
    pub note: String,
}

/// A line that the robot commits to by a digest before it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// Name by which the engine asks for its opening, in whatever later step, and names
    /// its digest in printouts. A seat's newer seal of the same name in a later step
    /// takes the name over; both are opened in the end.
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
    /// What will come of it, as far as the seat can know.
    pub forecast: Vec<Section>,
    /// Lines to be sealed.
    pub seals: Vec<Seal>,
    /// The card itself says that its sender is done with this step, as a given answer
    /// does: nobody waits for them any longer.
    pub ready: bool,
}

impl Judgement {
    /// How many lines came out with `mark`.
    pub fn count(&self, mark: Mark) -> usize {
        self.lines.iter().filter(|l| l.mark == mark).count()
    }
}
