//! What a player hears about a card: faults, and the judgement of each line.

use crate::engine::report::Section;

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

/// The judgement of one line.
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
    /// Name by which the engine asks for its opening.
    pub key: String,
    /// What is sealed.
    pub text: String,
}

/// The judgement of a card against one seat's view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgement {
    /// One entry for each line that is not blank, in card order.
    pub lines: Vec<JudgedLine>,
    /// What will come of it, as far as the seat can know.
    pub forecast: Vec<Section>,
    /// Lines to be sealed.
    pub seals: Vec<Seal>,
    /// The card says that its sender is done: the step may run when all awaited
    /// seats are (an instalment of a sequential game).
    pub ready: bool,
}

impl Judgement {
    /// How many lines came out with `mark`.
    pub fn count(&self, mark: Mark) -> usize {
        self.lines.iter().filter(|l| l.mark == mark).count()
    }
}
