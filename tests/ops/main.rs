//! What a game master does with the host, on the real store.

mod archive;
mod backup;
#[path = "../robot/host.rs"]
#[allow(dead_code, reason = "not every story needs all of it")]
mod host;
mod migrations;
mod overview;
mod place;
mod refetch;
