//! `fieldpost act`: the record of acts.

use std::io::Write;

use super::command::{Context, Entry, Run};
use crate::ops::Failure;
use robot::gm;

/// The help of the group.
pub const ABOUT: &str = "Shows what the game master did, and undoes it";

/// The commands of the group, in the order of the help.
pub const COMMANDS: &[Entry] = &[Entry::one::<List>("list"), Entry::one::<Undo>("undo")];

/// Lists acts, newest first, with the numbers by which they are undone.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Code of a game; all without it.
    game: Option<String>,
}

impl Run for List {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let text = context.robot()?.reports().acts_text(self.game.as_deref())?;
        Ok(write!(out, "{text}")?)
    }
}

/// Undoes an act: a hold, a release, a moved deadline, a seat given, a term, a payment,
/// a turn run or taken back, mails that have not left yet, a discarded mail.
#[derive(Debug, clap::Args)]
pub struct Undo {
    /// Number of the act.
    act: i64,
}

impl Run for Undo {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.act(&gm::Undo { act: self.act }, out)
    }
}
