//! The robot from outside: mail in, mail out, on the real store with a clock that
//! the test sets.

mod bad_input;
mod cli;
mod fixtures;
mod golden;
mod host;
mod intake;
mod programs;
mod replies;
mod rivals;
mod season;
mod toy;
mod trouble;
