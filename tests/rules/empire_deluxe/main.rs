//! Rules of Empire Deluxe: its tables of odds, its worlds, and small maps.

mod odds;
mod worlds;
