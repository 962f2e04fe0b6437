//! The engines of this host: the only crate that names one.

use std::sync::LazyLock;

use engine::Engine;

/// Every engine that a game can be made with, one line each.
///
/// The list is made when it is first asked for: one made by the compiler would have all the code of
/// all engines made once more in this crate.
pub static ENGINES: LazyLock<Vec<&dyn Engine>> = LazyLock::new(|| {
    vec![
        warlord::ENGINE,
        battle_plan::ENGINE,
        classic_warlord::ENGINE,
        empire_deluxe::ENGINE,
        imperium::ENGINE,
    ]
});
