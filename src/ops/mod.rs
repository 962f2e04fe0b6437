//! What a game master does with the host beside its games: sets it up, checks it, looks at
//! it, keeps copies.

pub mod archive;
pub mod backup;
pub mod copy_store;
pub mod doctor;
pub mod dump;
pub mod gm_command;
pub mod init;
pub mod overview;
pub(crate) mod page;
pub mod part;
pub mod publish;
pub mod refetch;
pub mod unread;
pub mod watch;
pub mod web;

/// What a command failed on: one sentence, and what to do next.
pub type Failure = Box<dyn std::error::Error>;
