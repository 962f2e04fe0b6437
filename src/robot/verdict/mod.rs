//! What a verdict is made of, from low to high; each file knows only those above it here:
//!
//! 1. [`case`]: a mail under judgement, and what a command of a player is
//! 2. [`senders`]: whose mail it is, and what proves it
//! 3. [`about`]: which of its lines are new, and what they ask for; `scrub`: keys to a seat are
//!    taken out of them
//! 4. `untold`: the lines that are not read, as answers name them; [`budget`]: how many mails are
//!    written back
//! 5. [`answers`]: what is written back
//! 6. [`returned`]: bounces, and mails through a list
//! 7. [`pending`]: cards that nothing proves, until their player says YES
//! 8. [`letters`]: letters between players
//! 9. `filed`: what is said of a card; `untimely`: why it is for no open step
//! 10. [`read`]: its lines over those on file, judged
//! 11. [`filing`]: a card on its way to the file
//! 12. [`questions`]: what is asked before something happens, and what YES does then

pub mod about;
pub mod answers;
pub mod budget;
pub mod case;
pub(crate) mod filed;
pub mod filing;
pub mod letters;
pub mod machines;
pub mod pending;
pub(crate) mod plain;
pub mod questions;
pub mod read;
pub mod returned;
pub(crate) mod scrub;
pub mod senders;
mod untimely;
pub(crate) mod untold;
pub mod worded;
