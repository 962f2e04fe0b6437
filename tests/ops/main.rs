//! What a game master does with the host, on the real store.

mod doctor;
mod init;
#[path = "../servers/names.rs"]
mod names;
mod provider;
