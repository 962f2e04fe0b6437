//! Acceptance tests of Battle Plan and World Wide: the cases of the specification's
//! §22, its table of bad input (§21), and invariants over generated turns.
//!
//! Each test sets up the few countries that it needs (see [`board`]), plays a turn through the
//! engine's public interface and looks at the result.

mod board;
mod brawl;
mod campaign;
mod card;
mod cases;
#[path = "../../support/chance.rs"]
mod chance;
mod changes;
mod combat;
mod computers;
mod details;
mod dice;
mod drawing;
mod echo;
mod economy;
mod geography;
mod headline;
#[path = "../journal.rs"]
mod journal;
mod made;
mod orders;
mod printout;
mod promise;
mod sample;
mod standing;
mod starts;
#[path = "../told.rs"]
mod told;
mod world;
