//! What a game master does with the host, on the real store.

#[path = "../robot/host.rs"]
#[allow(dead_code, reason = "each test uses a part of the stage")]
mod host;
mod overview;
mod watch;
