//! The engines of this host: the only crate that names one.

use engine::Engine;

/// Every engine that a game can be made with, one line each.
pub static ENGINES: &[&dyn Engine] = &[
    warlord::ENGINE,
    battle_plan::ENGINE,
    classic_warlord::ENGINE,
    empire_deluxe::ENGINE,
    imperium::ENGINE,
];
