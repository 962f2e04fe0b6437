//! `fieldpost init`. Its flags are the answers to its questions, so they are defined beside those.

use std::io::Write;

use super::command::{Context, Run};
use crate::ops::{Failure, init};

pub use crate::ops::init::Args as Init;

impl Run for Init {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        init::run(&self, &context.path, out)
    }
}
