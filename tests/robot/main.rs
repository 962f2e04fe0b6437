//! The robot from outside: mail in, mail out, on the real store with a clock that
//! the test sets.

mod acts;
mod bad_input;
mod bounces;
mod classic;
mod deadlines;
mod drawing;
mod empire;
mod fixtures;
mod fuzz;
mod game_master;
mod headlines;
mod hex;
mod imperium;
mod intake;
mod keys;
mod languages;
mod letters;
mod looks;
mod loops;
mod names;
mod people;
mod practice;
mod privacy;
mod programs;
mod proof;
mod prose;
mod questions;
mod restore;
mod rivals;
mod room;
mod season;
mod talk;
mod toy;
mod trouble;
mod words;
