//! What every part of a host needs and no part owns: time and randomness, cancelling,
//! calendar rules, secrets, and the terms of a game.

pub use engine::effort;

pub mod cancel;
pub mod chain;
pub mod clock;
pub mod passwords;
pub mod schedule;
pub mod secrets;
pub mod terms;
pub mod text;
pub mod word;
