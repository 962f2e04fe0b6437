//! `fieldpost dashboard`.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::{Failure, web};

/// Prints the address of the dashboard of a robot that serves.
#[derive(Debug, clap::Args)]
pub struct Dashboard {}

impl Run for Dashboard {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let config = context.config()?;
        web::address(&config, out)?;
        out.flush()?;
        // The address is printed by itself, for scripts.
        if let Some(hint) = web::unanswered(&config) {
            eprintln!("{hint}");
        }
        Ok(())
    }
}
