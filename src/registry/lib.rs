//! The engines of this host. No other crate names one.

use std::sync::LazyLock;

use engine::Engine;

/// Every engine that a game can be made with, one line each.
///
/// The list is made at first use. As a constant it would cause all code of all engines to be
/// compiled again in this crate.
pub static ENGINES: LazyLock<Vec<&dyn Engine>> = LazyLock::new(|| {
    vec![
        warlord::ENGINE,
        battle_plan::ENGINE,
        classic_warlord::ENGINE,
        empire_deluxe::ENGINE,
        imperium::ENGINE,
    ]
});
