//! The game master's work with the host, on the real store.

mod archive;
mod backup;
mod browser;
mod chromium;
mod cli;
mod database;
mod desk;
mod doctor;
mod foreign;
mod gate;
mod init;
mod migrations;
#[path = "../servers/names.rs"]
mod names;
mod notify;
mod options;
mod overview;
mod place;
mod play;
mod provider;
mod publish;
mod reader;
mod refetch;
mod stage;
mod watch;
mod web;
mod whole;
