//! What every part of a host needs and no part owns: time and chance, cancelling, calendar
//! rules, proofs, and the terms that a game's players and its master agreed on.

pub mod clock;
pub mod schedule;
pub mod secrets;
pub mod stop;
pub mod terms;
