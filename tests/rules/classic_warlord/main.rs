//! Rules of Classic Warlord on its own map: the acceptance cases of the specification, the
//! judgement of every wrong line, secrets, and invariants over generated cards.

mod campaign;
mod cases;
#[path = "../../support/chance.rs"]
mod chance;
mod echo;
mod headline;
mod letters;
mod map;
mod outlines;
mod printout;
mod promise;
mod scene;
mod secrets;
mod steps;
#[path = "../told.rs"]
mod told;
