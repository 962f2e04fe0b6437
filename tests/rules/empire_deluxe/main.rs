//! Rules of Empire Deluxe: its tables of odds, its worlds, and small maps.

mod campaign;
mod cases;
mod odds;
mod scene;
mod worlds;
mod zz;
