//! The parts of a verdict, from low to high. Each file uses only those above it in this list:
//!
//! 1. [`case`]: a mail under judgement, and the traits of players' commands
//! 2. [`senders`]: the seat that a mail speaks for, and its proof
//! 3. [`about`]: which of its lines are new, and what they ask for; `scrub`: takes keys to a seat
//!    out of them
//! 4. `untold`: the unread lines, as answers name them; [`budget`]: how many answers are sent
//! 5. [`answers`]: the answers
//! 6. [`returned`]: bounces, and mails through a list
//! 7. [`pending`]: cards without proof, until their player says YES
//! 8. [`letters`]: letters between players
//! 9. `filed`: the sentences about a card; `untimely`: why it is not for the open step
//! 10. [`read`]: its lines with those on file, judged; `taken_back`: which orders on file a line takes
//!     back; `changes`: mails that do so, or put others in their place
//! 11. [`filing`]: checks and files a card
//! 12. [`questions`]: the questions before something happens, and the effect of YES

pub mod about;
pub mod answers;
mod asked;
pub mod budget;
pub mod case;
pub(crate) mod changes;
pub(crate) mod choices;
mod facts;
pub(crate) mod filed;
pub mod filing;
mod letter_words;
pub mod letters;
pub mod machines;
pub mod pending;
pub(crate) mod plain;
pub mod questions;
pub mod read;
pub mod returned;
pub(crate) mod scrub;
pub mod senders;
mod taken_back;
mod untimely;
pub(crate) mod untold;
pub mod worded;
