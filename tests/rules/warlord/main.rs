//! Acceptance tests of Warlord: the cases of the specification's §13, the echo's
//! table, the message example, and invariants over generated turns.
//!
//! Each test draws the few sectors that it needs (see [`board`]), plays a turn through the engine's
//! public interface and looks at the result.

mod air;
mod board;
mod brawl;
mod campaign;
#[path = "../../support/chance.rs"]
mod chance;
mod combat;
mod computers;
mod details;
mod dice;
mod economy;
mod forecast;
mod headline;
mod invariants;
#[path = "../journal.rs"]
#[expect(dead_code, reason = "recorded games are other engines' affair")]
mod journal;
mod levels;
mod made;
mod messages;
mod movement;
mod orders;
mod printout;
mod puzzles;
mod science;
mod starts;
#[path = "../told.rs"]
mod told;
mod victory;
mod weapons;
mod words;
mod works;
