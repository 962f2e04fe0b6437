//! Common needs of all parts of a host: time and randomness, cancelling, calendar rules, secrets,
//! and the terms of a game.

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
