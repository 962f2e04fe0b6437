//! Rules of Imperium: the acceptance cases and worked examples of the specification, the
//! judgement of every wrong line, secrets, and whole wars of computers.

mod battles;
mod campaign;
mod cases;
#[path = "../../support/chance.rs"]
mod chance;
mod echo;
mod examples;
mod forecast;
mod headline;
mod map;
mod peace;
mod printout;

mod scene;
mod secrets;
mod segments;
mod surface;
#[path = "../told.rs"]
mod told;
