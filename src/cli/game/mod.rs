//! `fieldpost game`: the life of a game.

mod deadline;
mod hold;
mod list;
mod new;
mod release;
mod set;
mod show;
mod start;
mod tell;

use super::command::Entry;

/// The help of the group.
pub const ABOUT: &str = "Makes, lists, shows, starts and stops games";

/// The commands of the group, in the order of the help.
pub const COMMANDS: &[Entry] = &[
    Entry::one::<new::New>("new"),
    Entry::one::<list::List>("list"),
    Entry::one::<show::Show>("show"),
    Entry::one::<start::Start>("start"),
    Entry::one::<deadline::Deadline>("deadline"),
    Entry::one::<set::Set>("set"),
    Entry::one::<tell::Tell>("tell"),
    Entry::one::<hold::Hold>("hold"),
    Entry::one::<release::Release>("release"),
];
