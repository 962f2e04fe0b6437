//! What a game master does with the host, on the real store.

mod archive;
mod backup;
mod browser;
mod chromium;
mod doctor;
mod gate;
#[path = "../robot/host.rs"]
#[allow(dead_code, reason = "not every story needs all of it")]
mod host;
mod init;
mod migrations;
#[path = "../servers/names.rs"]
mod names;
mod overview;
mod place;
mod provider;
mod publish;
mod refetch;
mod stage;
mod watch;
mod web;
