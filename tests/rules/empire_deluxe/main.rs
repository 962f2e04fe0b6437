//! Rules of Empire Deluxe: its tables of odds, its worlds, and small maps.

mod campaign;
mod cases;
mod computers;
mod details;
mod echo;
mod headline;
mod leaving;
mod odds;
mod queues;
mod scene;
mod secrets;
mod table;
#[path = "../told.rs"]
mod told;
mod worlds;
