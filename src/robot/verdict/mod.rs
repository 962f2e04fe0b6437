//! What a verdict is made of, from low to high; each file knows only those above it here:
//!
//! 1. [`case`]: a mail under judgement, and what a command of a player is
//! 2. [`senders`]: whose mail it is, and what proves it
//! 3. [`about`]: which of its lines are new, and what they ask for; `scrub`: keys to a seat are
//!    taken out of them
//! 4. [`answers`]: what is written back, within its budgets
//! 5. [`returned`]: bounces, and mails through a list
//! 6. [`pending`]: cards that nothing proves, until their player says YES
//! 7. [`letters`]: letters between players
//! 8. [`filing`]: a card on its way to the file; `read`: its lines over those on file, `filed`:
//!    what is said of them
//! 9. [`questions`]: what is asked before something happens, and what YES does then

pub mod about;
pub mod answers;
pub mod case;
pub(crate) mod filed;
pub mod filing;
pub mod letters;
pub mod machines;
pub mod pending;
pub(crate) mod plain;
pub mod questions;
mod read;
pub mod returned;
pub(crate) mod scrub;
pub mod senders;
pub mod worded;
