//! `fieldpost key`: the secrets of the host.

use std::io::Write;

use super::command::{Context, Entry, Run};
use crate::host;
use crate::ops::Failure;
use base::text::count;
use registry::ENGINES;

/// The help of the group.
pub const ABOUT: &str = "Changes the secrets of the host";

/// The commands of the group, in the order of the help.
pub const COMMANDS: &[Entry] = &[Entry::one::<New>("new")];

/// Draws a new key, in case somebody else has the old one: all reply addresses and passwords so far
/// become invalid, and every player is notified.
#[derive(Debug, clap::Args)]
pub struct New {
    /// Changes only the address of the dashboard, and ends its cookies.
    #[arg(long)]
    dashboard: bool,
    /// Does not wait for mails that are still to be sent; answers to them will be refused.
    #[arg(long, conflicts_with = "dashboard")]
    now: bool,
}

impl Run for New {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let config = context.config()?;
        // A robot that serves would go on with the old one.
        let _lock = host::lock(&config).map_err(|e| format!("{e}; stop it first"))?;
        let mut robot = host::robot(&config, &ENGINES)?;
        if self.dashboard {
            ::robot::keys::renew_dashboard(&mut robot)?;
            writeln!(out, "The dashboard has a new address; \"fieldpost dashboard\" prints it.")?;
            return Ok(());
        }
        let told = robot.renew_keys(self.now)?;
        writeln!(
            out,
            "The host has a new key. {} and one to you wait to be sent: start \"fieldpost serve\". \
             Copies made before hold the old key.",
            count(told, "mail")
        )?;
        Ok(())
    }
}
