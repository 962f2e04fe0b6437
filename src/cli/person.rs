//! `fieldpost person`: what is stored about a person.

use std::io::Write;

use super::command::{Context, Entry, Run};
use crate::ops::Failure;

/// The help of the group.
pub const ABOUT: &str = "Shows or erases what is stored about somebody";

/// The commands of the group, in the order of the help.
pub const COMMANDS: &[Entry] = &[Entry::one::<Export>("export"), Entry::one::<Erase>("erase")];

/// Prints everything that is stored about an address, as JSON.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// The mail address.
    address: String,
}

impl Run for Export {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}", context.robot()?.reports().data_of(&self.address)?)?;
        Ok(())
    }
}

/// Erases an address from seats, mails and the outbox; its games keep a seat
/// without a name.
#[derive(Debug, clap::Args)]
pub struct Erase {
    /// The mail address.
    address: String,
}

impl Run for Erase {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.robot()?.store.write(|tx| tx.erase(&self.address))?;
        writeln!(out, "Erased. Backups made before still hold it.")?;
        Ok(())
    }
}
