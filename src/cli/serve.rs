//! `fieldpost serve`.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::Failure;
use crate::serve;
use registry::ENGINES;

/// Runs the robot: reads mail, answers, runs turns when they are due.
#[derive(Debug, clap::Args)]
pub struct Serve {}

impl Run for Serve {
    fn run(self, context: &Context, _: &mut dyn Write) -> Result<(), Failure> {
        Ok(serve::serve(&context.path, context.config()?, &ENGINES)?)
    }
}
