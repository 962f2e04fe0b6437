//! `fieldpost mail`: mails that came, and ours that did not leave.

mod explain;
mod list;
mod set_aside;
mod show;
mod unsent;

use super::command::Entry;

/// The help of the group.
pub const ABOUT: &str =
    "Shows incoming mails with their verdicts, and what was set aside or unsent";

/// The commands of the group, in the order of the help.
pub const COMMANDS: &[Entry] = &[
    Entry::one::<list::List>("list"),
    Entry::one::<show::Show>("show"),
    Entry::one::<explain::Explain>("explain"),
    Entry::one::<set_aside::Quarantine>("quarantine"),
    Entry::one::<set_aside::Release>("release"),
    Entry::one::<set_aside::Drop>("drop"),
    Entry::one::<unsent::Unsent>("unsent"),
    Entry::one::<unsent::Resend>("resend"),
];
