//! The engines of this host: the only crate that names one.

use engine::{Engine, EngineOf};

/// Every engine that a game can be made with, one line each.
#[rustfmt::skip]
pub static ENGINES: &[&dyn Engine] = &[
    &EngineOf::<warlord::Warlord>::new(),
    &EngineOf::<battle_plan::BattlePlan>::new(),
    &EngineOf::<classic_warlord::ClassicWarlord>::new(),
    &EngineOf::<empire_deluxe::EmpireDeluxe>::new(),
    &EngineOf::<imperium::Imperium>::new(),
];
