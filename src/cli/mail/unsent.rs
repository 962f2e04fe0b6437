//! `fieldpost mail unsent` and `resend`: mails of ours that could not be sent.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::cli::output::one_line;
use crate::ops::Failure;
use base::schedule;
use robot::gm;

/// The most mails that are listed.
const SHOWN_MAX: u32 = 200;

/// Lists mails that could not be sent.
#[derive(Debug, clap::Args)]
pub struct Unsent {}

impl Run for Unsent {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        for row in context.robot()?.store.outbox().unsent(SHOWN_MAX)? {
            let at = schedule::local(row.created_at, "UTC");
            let (id, kind, to) = (row.id, &row.kind, one_line(&row.mail.to));
            writeln!(out, "{id:>6}  {at}  {kind:<9} {to}")?;
        }
        Ok(())
    }
}

/// Sends mails again that could not be sent: one, or all.
#[derive(Debug, clap::Args)]
pub struct Resend {
    /// Number of the mail; all of them without it.
    id: Option<i64>,
}

impl Run for Resend {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        context.act(&gm::Resend { mail: self.id }, out)
    }
}
