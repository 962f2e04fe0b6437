//! `fieldpost mail quarantine`, `release` and `drop`: mails that wait for the game master.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::ops::Failure;
use robot::quarantine::{DropMail, ReleaseMail};

/// Lists the mails that were set aside.
#[derive(Debug, clap::Args)]
pub struct Quarantine {}

impl Run for Quarantine {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        write!(out, "{}", context.robot()?.quarantine_text()?)?;
        Ok(())
    }
}

/// Lets a mail count that was set aside, or has it judged anew.
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

/// Lays a mail to rest that was set aside.
#[derive(Debug, clap::Args)]
pub struct Drop {
    /// Number of the mail.
    id: i64,
}

impl Run for Drop {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.act(&DropMail { mail: self.id }, out)
    }
}
