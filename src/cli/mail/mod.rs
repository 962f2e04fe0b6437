//! `fieldpost mail`: mails that came, and ours that did not leave.

mod explain;
mod list;
mod quarantine;
mod show;
mod unsent;

use super::command::Entry;

/// The help of the group.
pub const ABOUT: &str =
    "Shows incoming mails with their verdicts, and what is in quarantine or unsent";

/// The commands of the group, in the order of the help.
pub const COMMANDS: &[Entry] = &[
    Entry::one::<list::List>("list"),
    Entry::one::<show::Show>("show"),
    Entry::one::<explain::Explain>("explain"),
    Entry::one::<quarantine::Quarantine>("quarantine"),
    Entry::one::<quarantine::Release>("release"),
    Entry::one::<quarantine::Drop>("drop"),
    Entry::one::<unsent::Unsent>("unsent"),
    Entry::one::<unsent::Resend>("resend"),
];
