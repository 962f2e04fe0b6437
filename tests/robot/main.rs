//! The robot from outside: mail in, mail out, on the real store with a clock that
//! the test sets.

/// The allocator of the program; with it parallel worlds do not wait for each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod accounted;
mod acts;
mod advice;
mod backends;
mod bad_input;
mod beside;
mod bounces;
mod changed_minds;
mod classic;
mod cost;
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
mod looked;
mod looks;
mod loops;
mod names;
mod origins;
mod people;
mod persons;
mod practice;
mod privacy;
mod programs;
mod proof;
mod prose;
mod questions;
mod restore;
mod rivals;
mod room;
mod round_trips;
mod season;
mod silence;
mod talk;
mod toy;
mod trouble;
mod turns;
mod understood;
mod unheard;
mod whole;
mod words;
mod workers;
