//! `fieldpost mail quarantine`, `release` and `drop`: mails that wait for the game master.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::ops::Failure;
use robot::quarantine::{DiscardMail, ReleaseMail};

/// Lists the mails in quarantine.
#[derive(Debug, clap::Args)]
pub struct Quarantine {}

impl Run for Quarantine {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        write!(out, "{}", context.robot()?.reports().quarantine_text()?)?;
        Ok(())
    }
}

/// Lets a mail of the quarantine count, or has it judged again.
#[derive(Debug, clap::Args)]
pub struct Release {
    /// Number of the mail.
    id: i64,
}

impl Run for Release {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.act(&ReleaseMail { mail: self.id }, out)
    }
}

/// Discards a mail of the quarantine.
#[derive(Debug, clap::Args)]
pub struct Drop {
    /// Number of the mail.
    id: i64,
}

impl Run for Drop {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.act(&DiscardMail { mail: self.id }, out)
    }
}
