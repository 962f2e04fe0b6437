//! `fieldpost read-mails`, which a robot that serves starts for itself.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::Failure;

/// Takes mails apart for a robot that serves.
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub struct ReadMails {}

impl Run for ReadMails {
    fn run(self, _: &Context, _: &mut dyn Write) -> Result<(), Failure> {
        mail::reader::serve();
        Ok(())
    }
}
